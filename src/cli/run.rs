//! `proofmark run`: certifies a subject.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::cli::config::Config;
use crate::cli::counterexample;
use crate::cli::subject::{CorpusArgs, LimitArgs, SubjectArgs};
use crate::cli::{Failure, duration, print};
use crate::engine::event::Event;
use crate::engine::plan::Selection;
use crate::engine::run::{self, NoRun, Options};
use crate::engine::session::NoSession;
use crate::engine::status::ExitStatus;
use crate::engine::waiver::Waivers;
use crate::registry;
use crate::report::fold::Fold;
use crate::report::model::Report;
use crate::report::progress::Progress;
use crate::report::write::{self, Folder};
use crate::report::{junit, terminal, wrap};
use crate::suite::select::{Globs, Partition};

/// How many inputs a law is tried on.
const LAW_CASES: usize = 64;

/// Certify a subject: every role that it claims, case by case
///
/// Without a subject the embedded reference is run, which shows that Proofmark itself works.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  proofmark run -- python3 adapter.py
  proofmark run --http http://127.0.0.1:8080/
  proofmark run --role 'jcs/*' --report out -- node adapter.mjs
  proofmark run --case '*/ordering/*' -- ./adapter
  proofmark run --waivers waivers.toml --format json -- ./adapter > report.json")]
pub struct Args {
    /// Judge only roles that match this glob (repeatable)
    #[arg(long, value_name = "GLOB")]
    role: Vec<String>,
    /// Ask only cases that match this glob (repeatable); the marks are then `incomplete`
    #[arg(long, value_name = "GLOB")]
    case: Vec<String>,
    /// Known failures, each with a reason
    #[arg(long, value_name = "FILE")]
    waivers: Option<PathBuf>,
    /// Ask only the Kth of N stable slices of the cases, as 2/8
    #[arg(long, value_name = "K/N")]
    partition: Option<Partition>,
    /// Run this many subject processes side by side [default: 1]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// The seed of generated inputs [default: 1]
    #[arg(long, value_name = "SEED")]
    seed: Option<String>,
    /// Try each law on this many generated inputs; none with 0 [default: 64]
    #[arg(long, value_name = "N")]
    law_cases: Option<usize>,
    /// How long the whole run may take [default: no limit]
    #[arg(long, value_name = "DURATION", value_parser = duration::parse)]
    run_timeout: Option<Duration>,
    /// Give the adapter up after this many restarts in a row without a good answer [default: 20]
    #[arg(long, value_name = "N")]
    restarts: Option<u32>,
    /// Write report.json, junit.xml and events.ndjson into this folder
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    format: RunFormat,
    /// No progress on standard error
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    corpus: CorpusArgs,
    #[command(flatten)]
    subject: SubjectArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum RunFormat {
    /// For people: what failed first
    #[default]
    Text,
    /// The report as JSON, and nothing else on standard output
    Json,
    /// JUnit XML, and nothing else on standard output
    Junit,
}

pub fn run(args: Args) -> Result<ExitStatus, Failure> {
    let config = args.subject.config()?;
    let timing = args.limits.timing(&config)?;
    let corpus = args.corpus.load(&config)?;
    let chosen = args.subject.choose(&args.limits, &timing, &config);
    let options = options(&args, &config, timing, chosen.self_test)?;
    let mut folder = args
        .report
        .as_ref()
        .or(config.report.as_ref())
        .map(|path| Folder::new(path))
        .transpose()
        .map_err(Failure::usage)?;
    interrupt_sets(&options.stop)?;
    let mut fold = Fold::new(&corpus, &options.laws);
    let mut progress = Progress::new(args.quiet);
    let mut unkept = None;
    run::run(&corpus, chosen.launcher.as_ref(), &options, |event| {
        progress.take(event);
        fold.take(event);
        if let Event::Law(result) = event
            && let Err(what) = counterexample::keep(result)
        {
            unkept.get_or_insert(what);
        }
        if let Some(folder) = &mut folder {
            folder.record(event);
        }
    })
    .map_err(|error| match error {
        NoRun::Subject(NoSession::Halted) if options.stop.load(Ordering::Relaxed) => {
            Failure::with(ExitStatus::Interrupted, "interrupted before the subject said hello")
        }
        error => no_run(error),
    })?;
    let report = fold.report().ok_or_else(|| Failure::usage("the run left no report"))?;
    show(args.format, &report)?;
    if let Some(what) = unkept {
        eprintln!("proofmark: a counterexample could not be kept: {what}");
    }
    if let Some(folder) = folder {
        let files = folder.finish(&report).map_err(Failure::usage)?;
        if args.format == RunFormat::Text {
            let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
            print(&format!("\nWritten: {}\n", names.join(", ")));
        }
    }
    status(&report)
}

fn options(
    args: &Args,
    config: &Config,
    timing: crate::engine::session::Timing,
    self_test: bool,
) -> Result<Options, Failure> {
    let globs = |given: &[String], configured: &[String]| {
        Globs::new(if given.is_empty() { configured } else { given }).map_err(Failure::usage)
    };
    let jobs = args.jobs.or(config.jobs).unwrap_or(1);
    if jobs == 0 || jobs > 256 {
        return Err(Failure::usage("--jobs is from 1 to 256"));
    }
    let run_timeout = match (args.run_timeout, &config.run_timeout) {
        (Some(timeout), _) => Some(timeout),
        (None, Some(text)) => Some(duration::parse(text).map_err(Failure::usage)?),
        (None, None) => None,
    };
    let waivers = match args.waivers.as_ref().or(config.waivers.as_ref()) {
        None => Waivers::default(),
        Some(path) => {
            let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
            Waivers::read(path, today).map_err(Failure::usage)?
        }
    };
    Ok(Options {
        selection: Selection {
            roles: globs(&args.role, &config.role)?,
            cases: globs(&args.case, &config.case)?,
            partition: args.partition,
        },
        timing,
        run_timeout,
        restarts: args.restarts.or(config.restarts).unwrap_or(20),
        jobs,
        seed: args.seed.clone().or_else(|| config.seed.clone()).unwrap_or_else(|| "1".to_owned()),
        laws: registry::laws(),
        law_cases: args.law_cases.or(config.law_cases).unwrap_or(LAW_CASES),
        counterexamples: counterexample::kept(),
        replay: args
            .corpus
            .words()
            .into_iter()
            .chain(args.limits.words())
            .chain(args.subject.words())
            .collect(),
        self_test,
        waivers,
        stop: Arc::new(AtomicBool::new(false)),
    })
}

/// A first SIGINT, SIGTERM or SIGHUP stops the run in good order.
fn interrupt_sets(stop: &Arc<AtomicBool>) -> Result<(), Failure> {
    let stop = Arc::clone(stop);
    ctrlc::set_handler(move || stop.store(true, Ordering::Relaxed))
        .map_err(|error| Failure::usage(format!("signals can't be handled: {error}")))
}

pub(super) fn no_run(error: NoRun) -> Failure {
    match error {
        NoRun::Subject(NoSession::Hello { why, standard_error }) => {
            let mut message = format!("the subject did not say hello: {why}; nothing was judged");
            if !standard_error.trim().is_empty() {
                message.push_str(&format!("\nIts standard error:\n{}", standard_error.trim()));
            }
            Failure::with(ExitStatus::Subject, message)
        }
        NoRun::Subject(error) => {
            Failure::with(ExitStatus::Subject, format!("{error}; nothing was judged"))
        }
        NoRun::Nothing(nothing) => Failure::with(ExitStatus::Nothing, nothing),
    }
}

fn show(format: RunFormat, report: &Report) -> Result<(), Failure> {
    match format {
        RunFormat::Text => print(&terminal::render(report, wrap::of_stdout())),
        RunFormat::Json => print(&write::json_text(report)),
        RunFormat::Junit => print(&junit::render(report).map_err(Failure::usage)?),
    }
    Ok(())
}

fn status(report: &Report) -> Result<ExitStatus, Failure> {
    Ok(crate::report::mark::exit_status(report))
}
