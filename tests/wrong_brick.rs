//! Wrong implementations of BRICK, and whether each is caught by the requirement that its fault is
//! about: runtime adapters that are wrong in one thing each and really connect to the live servers,
//! a validator that is JSON Schema and nothing else, and those that accept or refuse everything.
//!
//! This program is the subject as well, as the gauntlet is: started with `--subject NAME …` it is wrong
//! as that name says.

use libtest_mimic::{Arguments, Trial};

#[path = "wrong_brick/adapter.rs"]
mod adapter;
#[path = "wrong_brick/alike.rs"]
mod alike;
#[path = "wrong_brick/extremes.rs"]
mod extremes;
#[path = "wrong_brick/fault.rs"]
mod fault;
#[allow(dead_code, reason = "shared with the gauntlet, which uses all of it")]
#[path = "gauntlet/harness.rs"]
mod harness;
#[path = "wrong_brick/http.rs"]
mod http;
#[path = "wrong_brick/judged.rs"]
mod judged;
#[path = "wrong_brick/mcp.rs"]
mod mcp;
#[path = "wrong_brick/runtime_adapters.rs"]
mod runtime_adapters;
#[path = "wrong_brick/schema_alone.rs"]
mod schema_alone;
#[allow(dead_code, reason = "shared with the gauntlet, which uses all of it")]
#[path = "gauntlet/subject.rs"]
mod subject;

/// A trial's name and what it does.
type Named = (&'static str, fn());

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if let Some(("--subject", rest)) = words.get(1).map(|first| (first.as_str(), &words[2..])) {
        play(rest);
        return;
    }
    let mut arguments = Arguments::from_args();
    // A run waits for its subject and its servers more than it works.
    arguments.test_threads = arguments.test_threads.or(Some(4));
    let trials = [alike::TRIALS, extremes::TRIALS, runtime_adapters::TRIALS, schema_alone::TRIALS]
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

/// Is wrong as the words say.
fn play(words: &[String]) {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match *words.as_slice() {
        ["runtime-adapter", fault] => adapter::play(fault),
        ["schema-alone"] => schema_alone::play(),
        ["extreme", how] => extremes::play(how),
        ["takes-look-alikes-for-loopback"] => alike::play(),
        _ => panic!("no such subject: {words:?}"),
    }
}
