//! Does every law of canonical JSON and of the federation profile break where an implementation is wrong?
//!
//! Each law is tried on the reference with one operation made wrong in a way that people make it wrong:
//! the law has to break, and what is left of the input has to be small.

mod federation;
mod jcs;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use proofmark::engine::exchange::Lone;
use proofmark::engine::law::{self, Trial};
use proofmark::engine::session::Timing;
use proofmark::engine::verdict::Verdict;
use proofmark::laws::Law;
use proofmark::reference::{Answer, Operation};
use proofmark::registry;
use serde_json::{Value, json};

/// An operation made wrong, and the law that has to find it.
struct Wrong {
    law: &'static str,
    what: &'static str,
    operation: &'static str,
    run: fn(&Value) -> Answer,
}

fn tables() -> impl Iterator<Item = &'static Wrong> {
    federation::WRONG.iter().chain(jcs::WRONG.iter())
}

fn laws() -> impl Iterator<Item = &'static Law> {
    registry::laws()
        .into_iter()
        .filter(|law| law.id.starts_with("jcs/") || law.id.starts_with("federation/"))
}

/// The reference's own answer.
fn right(operation: &str, params: &Value) -> Answer {
    let offer = registry::reference();
    let found = offer.operations.iter().find(|offered| offered.name == operation);
    (found.expect("an operation").run)(params)
}

/// The reference's own answer, and this output in the place of a refusal with one of these codes.
fn never(codes: &[&str], operation: &str, params: &Value, output: Value) -> Answer {
    match right(operation, params) {
        Answer::Refused(refusal)
            if codes.is_empty() || codes.contains(&refusal.code.as_deref().unwrap_or_default()) =>
        {
            Answer::Ok(output)
        }
        answer => answer,
    }
}

/// The text of the document under a name in the params.
fn text<'a>(params: &'a Value, name: &str) -> &'a str {
    params[name]["text"].as_str().unwrap_or_default()
}

/// The params with another text in a document.
fn with_text(params: &Value, name: &str, text: &str) -> Value {
    let mut params = params.clone();
    params[name] = json!({ "text": text });
    params
}

/// The answer with another text in its document.
fn then(answer: Answer, name: &str, change: impl Fn(&str) -> String) -> Answer {
    match answer {
        Answer::Ok(mut output) => {
            let changed = change(output[name]["text"].as_str().unwrap_or_default());
            output[name] = json!({ "text": changed });
            Answer::Ok(output)
        }
        refused => refused,
    }
}

#[test]
fn does_every_law_find_what_it_is_there_for() {
    let mut bad = Vec::new();
    for wrong in tables() {
        let law = laws().find(|law| law.id == wrong.law).expect("a law");
        let mut offer = registry::reference();
        for operation in &mut offer.operations {
            if operation.name == wrong.operation {
                *operation = Operation { name: wrong.operation, run: wrong.run };
            }
        }
        let timing = Timing::default();
        let mut subject = Lone::new(&offer, &timing, BTreeMap::new());
        let within = Duration::from_secs(60);
        let trial = Trial { seed: "a seed", inputs: 256, within, earlier: None };
        let result = law::attempt(law, &trial, &mut subject).expect("the subject starts");
        let input = result.counterexample.unwrap_or_default();
        let size = input.to_string().len();
        let members = input["but"].as_object().map_or(0, |members| members.len());
        let reason = result.reason.unwrap_or_default();
        println!(
            "{} ({}): {} after {}: {input} {reason}",
            law.id, wrong.what, result.verdict, result.inputs
        );
        if result.verdict != Verdict::Fail || size > 800 || members > 2 {
            bad.push(format!("{} ({}): {} {input} {reason}", law.id, wrong.what, result.verdict));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn can_every_law_break() {
    let broken: BTreeSet<&str> = tables().map(|wrong| wrong.law).collect();
    let idle: Vec<&str> = laws().map(|law| law.id).filter(|id| !broken.contains(id)).collect();
    assert!(idle.is_empty(), "nothing shows that these can break: {idle:?}");
}
