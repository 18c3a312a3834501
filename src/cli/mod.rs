//! The command line: one file a command. May use everything.

use std::fmt;
use std::io::Write;
use std::sync::OnceLock;

use clap::{Parser, Subcommand};

use crate::engine::status::ExitStatus;
use crate::report::escape;

mod check;
mod completions;
mod config;
mod counterexample;
mod duration;
mod explain;
mod export;
mod init;
mod list;
mod replay;
mod run;
mod serve;
mod subject;

/// Certifies implementations of agent protocols, in whatever language they are written.
#[derive(Parser)]
#[command(name = "proofmark", version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  proofmark run                              certify the embedded reference (a self-test)
  proofmark init python                      write an adapter to start from
  proofmark check -- python3 adapter.py      judge the adapter itself
  proofmark run -- python3 adapter.py        certify the implementation behind it
  proofmark explain JCS-ORD-1                what a requirement asks for, and which cases test it

Exit status: 0 conformant; 1 not conformant; 2 wrong usage or unreadable input; 3 the subject could
not be started or its adapter is at fault; 4 nothing was selected; 5 stale, expired or dangling
waivers only; 130 interrupted.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Args),
    Check(check::Args),
    Replay(replay::Args),
    Explain(explain::Args),
    List(list::Args),
    Serve(serve::Args),
    Export(export::Args),
    Init(init::Args),
    Completions(completions::Args),
}

/// Why a command did not do what it was asked to: a message and an exit status.
#[derive(Debug)]
struct Failure {
    status: ExitStatus,
    message: String,
}

impl Failure {
    fn usage(message: impl fmt::Display) -> Failure {
        Failure { status: ExitStatus::Usage, message: message.to_string() }
    }

    fn with(status: ExitStatus, message: impl fmt::Display) -> Failure {
        Failure { status, message: message.to_string() }
    }
}

/// Runs the program with the process's arguments.
pub fn main() -> ExitStatus {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            if !error.use_stderr() {
                let _ = error.print();
                return ExitStatus::Success;
            }
            // It quotes what was written, which may have come from anywhere.
            complain(&escape::plain_lines(&error.to_string()));
            return ExitStatus::Usage;
        }
    };
    let outcome = match cli.command {
        Command::Run(args) => run::run(args),
        Command::Check(args) => check::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Explain(args) => explain::run(args),
        Command::List(args) => list::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Export(args) => export::run(args),
        Command::Init(args) => init::run(args),
        Command::Completions(args) => completions::run(args),
    };
    let status = outcome.unwrap_or_else(|failure| {
        complain(&format!("proofmark: {}", escape::plain_lines(&failure.message)));
        failure.status
    });
    match UNWRITTEN.get() {
        None => status,
        Some(error) => {
            complain(&format!("proofmark: standard output can't be written: {error}"));
            // What was found is the more important; that nothing was found has not been said.
            if status == ExitStatus::Success { ExitStatus::Usage } else { status }
        }
    }
}

/// For commands that have nothing to save: a signal ends the subjects, and then the program.
fn end_on_signal() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        crate::adapter::end_subjects();
        std::process::exit(ExitStatus::Interrupted.code().into());
    })
    .map_err(|error| Failure::usage(format!("signals can't be handled: {error}")))
}

/// Why something could not be written to standard output.
static UNWRITTEN: OnceLock<String> = OnceLock::new();

/// Takes note of a failed write; a reader that went away is no error of ours.
fn written(result: std::io::Result<()>) {
    if let Err(error) = result
        && error.kind() != std::io::ErrorKind::BrokenPipe
    {
        let _ = UNWRITTEN.set(error.to_string());
    }
}

/// Writes a line to standard error. There is nobody to tell where that fails.
fn complain(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// Writes to standard output.
fn print(text: &str) {
    let mut out = anstream::stdout().lock();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

/// Writes a JSON document to standard output, and nothing else.
fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(Failure::usage)?;
    let mut out = std::io::stdout().lock();
    written(writeln!(out, "{text}").and_then(|()| out.flush()));
    Ok(())
}

/// How a command prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people
    #[default]
    Text,
    /// One JSON document on standard output, and nothing else there
    Json,
}
