//! The gauntlet: misbehaving subjects, and whether the harness judges each rightly, ends in time,
//! keeps its memory, leaves no process behind and lets nothing of a subject reach a terminal.
//!
//! This program is the subject as well: started with `--subject NAME …` it misbehaves as that name
//! says. So the gauntlet needs no interpreter. Memory and processes left behind are looked at in
//! `/proc`: on systems without it those two are not judged, and a line on standard error says so.

use libtest_mimic::{Arguments, Trial};

#[path = "gauntlet/answers.rs"]
mod answers;
#[path = "gauntlet/degenerate.rs"]
mod degenerate;
#[path = "gauntlet/endings.rs"]
mod endings;
#[path = "gauntlet/endpoint.rs"]
mod endpoint;
#[path = "gauntlet/endpoints.rs"]
mod endpoints;
#[path = "gauntlet/escapes.rs"]
mod escapes;
#[path = "gauntlet/floods.rs"]
mod floods;
#[path = "gauntlet/harness.rs"]
mod harness;
#[path = "gauntlet/hellos.rs"]
mod hellos;
#[path = "gauntlet/silence.rs"]
mod silence;
#[path = "gauntlet/subject.rs"]
mod subject;
#[path = "gauntlet/subjects.rs"]
mod subjects;

/// A trial's name and what it does.
type Named = (&'static str, fn());

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if let Some(("--subject", rest)) = words.get(1).map(|first| (first.as_str(), &words[2..])) {
        subjects::play(rest);
        return;
    }
    let mut arguments = Arguments::from_args();
    // Most trials wait more than they work.
    arguments.test_threads = arguments.test_threads.or(Some(6));
    if !harness::has_proc() {
        eprintln!("no /proc here: memory and processes left behind are not judged");
    }
    let trials = [
        answers::TRIALS,
        degenerate::TRIALS,
        endings::TRIALS,
        endpoints::TRIALS,
        escapes::TRIALS,
        floods::TRIALS,
        hellos::TRIALS,
        silence::TRIALS,
    ]
    .into_iter()
    .flatten()
    .map(|(name, trial)| {
        Trial::test(*name, move || {
            trial();
            Ok(())
        })
    })
    .collect();
    libtest_mimic::run(&arguments, trials).exit();
}
