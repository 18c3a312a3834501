//! Wrong implementations of Brief, each the right one with one operation made wrong, and whether each
//! is caught by the requirement that its fault is about, while what has nothing to do with it passes;
//! and whether accepting and refusing everything fail each requirement between them.
//!
//! This program is the subject as well, as the gauntlet is: started with `--subject NAME` it is wrong
//! as that name says. Depends on the gauntlet's harness and on the reference through its public
//! interface.

use std::path::Path;

use libtest_mimic::{Arguments, Trial};

#[path = "wrong_brief/asked.rs"]
mod asked;
#[path = "wrong_brief/carriers.rs"]
mod carriers;
#[path = "wrong_brief/depths.rs"]
mod depths;
#[path = "wrong_brief/document.rs"]
mod document;
#[path = "wrong_brief/extremes.rs"]
mod extremes;
#[allow(dead_code, reason = "shared with the gauntlet, which uses all of it")]
#[path = "gauntlet/harness.rs"]
mod harness;
#[path = "wrong_brief/memory.rs"]
mod memory;
#[path = "wrong_brief/merges.rs"]
mod merges;
#[path = "wrong_brief/parsers.rs"]
mod parsers;
#[allow(dead_code, reason = "shared with the gauntlet, which uses all of it")]
#[path = "gauntlet/subject.rs"]
mod subject;
#[path = "wrong_brief/trees.rs"]
mod trees;
#[path = "wrong_brief/waits.rs"]
mod waits;
#[path = "wrong_brief/writers.rs"]
mod writers;
#[path = "wrong_brief/wrong.rs"]
mod wrong;

use wrong::Wrong;

/// All that are wrong in one operation.
fn all() -> impl Iterator<Item = &'static Wrong> {
    [
        carriers::WRONG,
        depths::WRONG,
        memory::WRONG,
        merges::WRONG,
        parsers::WRONG,
        trees::WRONG,
        waits::WRONG,
        writers::WRONG,
    ]
    .into_iter()
    .flatten()
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if let Some(("--subject", rest)) = words.get(1).map(|first| (first.as_str(), &words[2..])) {
        play(rest);
        return;
    }
    wrong::prepare().expect("the corpus can be copied");
    let caught = all().map(|wrong| {
        let trial = Trial::test(format!("{}: {}", wrong.role, wrong.name), move || {
            wrong.is_caught();
            Ok(())
        });
        trial.with_ignored_flag(wrong.is_a_gap)
    });
    let extremes = extremes::TRIALS.iter().map(|(name, trial)| {
        Trial::test(*name, move || {
            trial();
            Ok(())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), caught.chain(extremes).collect()).exit();
}

/// Is what the words say.
fn play(words: &[String]) {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match *words.as_slice() {
        ["extreme", how] => extremes::play(how),
        [role, name, file] => all()
            .find(|wrong| wrong.role == role && wrong.name == name)
            .unwrap_or_else(|| panic!("no such subject: {words:?}"))
            .play(Path::new(file)),
        _ => panic!("no such subject: {words:?}"),
    }
}
