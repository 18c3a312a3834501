//! `proofmark replay`: one case again, with the whole exchange shown.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use crate::adapter::Ask;
use crate::adapter::message::{self, Reply};
use crate::cli::counterexample::{self, Counterexample};
use crate::cli::run::no_run;
use crate::cli::subject::{CorpusArgs, LimitArgs, SubjectArgs};
use crate::cli::{Failure, end_on_signal, print};
use crate::engine::exchange::{self, Lone, Played};
use crate::engine::law;
use crate::engine::run::{NoRun, versions};
use crate::engine::session::{Broken, Timing};
use crate::engine::status::ExitStatus;
use crate::laws::Law;
use crate::registry;
use crate::report::escape::{plain, plain_lines};
use crate::report::terminal;
use crate::suite::case::Case;
use crate::suite::select::near_it;
use crate::suite::{Corpus, load};

/// Ask one case again and show the whole exchange
///
/// Ends with 1 where the case still fails, with 0 where it passes.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  proofmark replay jcs/canonicalizer/ordering/astral-before-fullwidth -- python3 adapter.py
  proofmark replay my-case.toml -- ./adapter")]
pub struct Args {
    /// A case's full id, a file of cases in the corpus's format, a law, or a law's counterexample
    #[arg(value_name = "CASE or FILE")]
    case: String,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    corpus: CorpusArgs,
    #[command(flatten)]
    subject: SubjectArgs,
}

pub fn run(args: Args) -> Result<ExitStatus, Failure> {
    let config = args.subject.config()?;
    let timing = args.limits.timing(&config)?;
    let corpus = args.corpus.load(&config)?;
    end_on_signal()?;
    let chosen = args.subject.choose(&args.limits, &timing, &config);
    let subject = || Lone::new(chosen.launcher.as_ref(), &timing, versions(&corpus));
    if let Some(found) = counterexample(&args.case)? {
        return replay_law(&found, subject(), &timing);
    }
    let cases = find(&corpus, &args.case)?;
    let mut status = ExitStatus::Success;
    for case in &cases {
        let mut subject = subject();
        let played = exchange::play(&corpus, case, &mut subject, timing.request);
        let standard_error =
            subject.standard_error().map_err(|error| no_run(NoRun::Subject(error)))?;
        print(&show(&corpus, case, &played, &standard_error));
        if played.exchanges.last().is_none_or(|last| !last.judgement.verdict.is_good()) {
            status = ExitStatus::NotConformant;
        }
    }
    Ok(status)
}

/// The counterexample in a file, or kept of the law that has this id.
fn counterexample(wanted: &str) -> Result<Option<(&'static Law, Counterexample)>, Failure> {
    let laws = registry::laws();
    let by_id = laws.iter().find(|law| law.id == wanted);
    let path = by_id.map_or(wanted.to_owned(), |law| law.file());
    match counterexample::read(Path::new(&path)) {
        None if by_id.is_some() => Err(Failure::with(
            ExitStatus::Nothing,
            format!("no counterexample of {wanted} is kept in {path}"),
        )),
        None => Ok(None),
        Some(found) => match laws.into_iter().find(|law| law.id == found.law) {
            Some(law) => Ok(Some((law, found))),
            None => Err(Failure::usage(format!("{path}: there is no law {}", found.law))),
        },
    }
}

fn replay_law(
    (law, found): &(&'static Law, Counterexample),
    mut subject: Lone<'_>,
    timing: &Timing,
) -> Result<ExitStatus, Failure> {
    let played = law::play(law, &found.input, timing.request, &mut subject);
    let standard_error = subject.standard_error().map_err(|error| no_run(NoRun::Subject(error)))?;
    let Some(played) = played else {
        return Err(Failure::with(ExitStatus::Interrupted, "interrupted"));
    };
    let mut text = format!("law {}\n  {}\n\n", law.id, law.sentence);
    // Writing to a string can't fail.
    let _ = writeln!(text, "  for       {}", law.requirements.join(", "));
    let _ = writeln!(text, "  input     {}\n", plain(&found.input.to_string()));
    for (id, request, outcome) in &played.exchanges {
        show_exchange(&mut text, *id, request.operation, &request.params, outcome);
    }
    let _ = write!(text, "\n  verdict   {}", played.verdict);
    if let Some(reason) = &played.reason {
        let _ = write!(text, ": {}", plain(reason));
    }
    text.push('\n');
    if !standard_error.trim().is_empty() {
        let _ = writeln!(text, "\n  standard error:\n{}", plain_lines(standard_error.trim()));
    }
    print(&text);
    Ok(if played.verdict.is_good() { ExitStatus::Success } else { ExitStatus::NotConformant })
}

/// A request and what came, a line each.
fn show_exchange(
    text: &mut String,
    id: u64,
    operation: &str,
    params: &serde_json::Value,
    outcome: &Result<Reply, Broken>,
) {
    let mut line = Vec::new();
    message::write_request(&Ask { id, operation, params }, &mut line);
    let _ = writeln!(text, "→ {}", plain(String::from_utf8_lossy(&line).trim_end()));
    let came = match outcome {
        Ok(reply) => {
            let mut line = Vec::new();
            Reply::write_line(reply, Some(id), &mut line);
            plain(String::from_utf8_lossy(&line).trim_end())
        }
        Err(broken) => plain(&broken.to_string()),
    };
    let _ = writeln!(text, "← {came}");
}

fn find(corpus: &Corpus, wanted: &str) -> Result<Vec<Arc<Case>>, Failure> {
    if let Some(case) = corpus.case(wanted) {
        return Ok(vec![Arc::clone(case)]);
    }
    let path = Path::new(wanted);
    if path.is_file() {
        return load::file(corpus, path).map_err(Failure::usage);
    }
    let near = near_it(wanted, corpus.cases.iter().map(|case| case.id.as_str()));
    Err(Failure::with(ExitStatus::Nothing, format!("there is no case and no file {wanted}{near}")))
}

fn show(corpus: &Corpus, case: &Case, played: &Played, standard_error: &str) -> String {
    let exchanges = &played.exchanges;
    let mut text = String::new();
    // Writing to a string can't fail.
    let _ = writeln!(text, "{}\n  {}\n", case.id, case.why);
    for id in &case.requirements {
        if let Some(found) = corpus.requirement(id) {
            let _ = writeln!(text, "  {id} ({}; {}): {}", found.level, found.section, found.title);
        }
    }
    let _ = writeln!(text, "  expected from: {}\n", case.source);
    for (index, exchange) in exchanges.iter().enumerate() {
        let Some(step) = case.steps.get(exchange.step) else { continue };
        if index > 0 {
            text.push('\n');
        }
        if step.restart {
            let _ = writeln!(text, "  (a new process)");
        }
        if step.times > 1 {
            let _ = writeln!(text, "  (asked up to {} times; the last time is shown)", step.times);
        }
        show_exchange(&mut text, exchange.id, &step.operation, &exchange.params, &exchange.outcome);
        text.push('\n');
        let _ = writeln!(text, "  expected  {}", terminal::summary(&step.expect.to_value()));
        for difference in &exchange.judgement.differences {
            let at = if difference.at.is_empty() { "the output" } else { &difference.at };
            let _ = writeln!(text, "  differs   {}: {}", plain(at), plain(&difference.what));
        }
    }
    if let Some(witnessed) = &played.witnessed {
        text.push_str("\n  the servers saw\n");
        for request in witnessed.as_array().into_iter().flatten() {
            let _ = writeln!(text, "  ⇢ {}", plain(&request.to_string()));
        }
        text.push('\n');
    }
    if let Some(last) = exchanges.last() {
        let judgement = &last.judgement;
        let _ = write!(text, "  verdict   {}", judgement.verdict);
        if let Some(reading) = &judgement.reading {
            let _ = write!(text, " ({reading})");
        }
        if let Some(reason) = &judgement.reason {
            let _ = write!(text, ": {}", plain(reason));
        }
        text.push('\n');
    }
    if !standard_error.trim().is_empty() {
        let _ = writeln!(text, "\n  standard error:\n{}", plain_lines(standard_error.trim()));
    }
    text
}
