//! `proofmark check`: judges the adapter before anything else.

use crate::adapter::Launcher;
use crate::cli::subject::{CorpusArgs, LimitArgs, SubjectArgs};
use crate::cli::{Failure, end_on_signal, print};
use crate::engine::check::{CHECKS, Context, Found};
use crate::engine::status::ExitStatus;
use crate::report::escape::plain;

/// Judge the adapter itself, not the implementation behind it
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  proofmark check -- python3 adapter.py
  proofmark check --http http://127.0.0.1:8080/")]
pub struct Args {
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    corpus: CorpusArgs,
    #[command(flatten)]
    subject: SubjectArgs,
}

/// Environments in which an answer must be the same.
const ELSEWHERE: &[&[(&str, &str)]] = &[
    &[("LC_ALL", "C"), ("TZ", "Pacific/Kiritimati")],
    &[("LC_ALL", "tr_TR.UTF-8"), ("TZ", "America/St_Johns")],
];

pub fn run(args: Args) -> Result<ExitStatus, Failure> {
    let config = args.subject.config()?;
    let timing = args.limits.timing(&config)?;
    let corpus = args.corpus.load(&config)?;
    end_on_signal()?;
    let chosen = args.subject.choose(&args.limits, &timing, &config);
    let elsewhere = ELSEWHERE
        .iter()
        .filter_map(|variables| {
            let launcher = args.subject.with_environment(&args.limits, &config, variables)?;
            let name: Vec<String> =
                variables.iter().map(|(name, value)| format!("{name}={value}")).collect();
            Some((name.join(" "), Box::new(launcher) as Box<dyn Launcher>))
        })
        .collect();
    let context =
        Context { launcher: chosen.launcher.as_ref(), elsewhere, timing, corpus: &corpus };
    if chosen.self_test {
        print("reference (self-test): no subject was named\n\n");
    }
    let mut faults = 0;
    for check in CHECKS {
        let found = check.make(&context);
        let (sign, detail) = match &found {
            Found::Fine => ("ok   ", String::new()),
            Found::NotApplicable(why) => ("n/a  ", format!("\n       {}", plain(why))),
            Found::Fault(what) => ("FAULT", format!("\n       {}", plain(what))),
        };
        print(&format!("{sign}  {:18} {}{detail}\n", check.name, check.about));
        if matches!(found, Found::Fault(_)) {
            faults += 1;
            if check.name == "hello" {
                print("\nWithout a hello nothing more can be checked.\n");
                return Ok(ExitStatus::Subject);
            }
        }
    }
    if faults > 0 {
        print(&format!("\nThe adapter is at fault ({faults} of {} checks).\n", CHECKS.len()));
        return Ok(ExitStatus::Subject);
    }
    print("\nThe adapter is sound. Next: `proofmark run` with the same subject.\n");
    Ok(ExitStatus::Success)
}
