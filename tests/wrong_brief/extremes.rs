//! The two extremes: one accepts whatever comes, and is right wherever accepting is; the other refuses whatever
//! comes. A requirement that neither fails is one that no case tests.
//!
//! Depends on `wrong`, and on the gauntlet's harness and subject.

use std::collections::BTreeSet;

use proofmark::adapter::message::Reply;
use serde_json::{Value, json};

use crate::asked::{is_too_long, refused};
use crate::harness::Report;
use crate::subject::Subject;
use crate::wrong::judged;

pub const TRIALS: &[(&str, fn())] = &[
    ("the right one, with long documents refused: conformant", right),
    ("accepts everything, refuses everything: each requirement is failed by one", extremes),
];

/// Whether a failed status is taken at all is open (BRF-R-10), so that refusing is never wrong here, and
/// this extreme is right wherever accepting is. One that accepts without looking fails it, and so does
/// one that passes over responses that failed: `waits` has that one.
const OPEN: &[&str] = &["brief/delegator \"BRF-FAN-3\""];

/// Serves as an extreme, or as what lies between.
pub fn play(how: &str) {
    Subject::new(8).serve(|subject, request| {
        let reply = match how {
            "right" if is_too_long(request) => refused("too long"),
            "right" => subject.reply(request),
            "refuses" => refused("no"),
            "accepts" if is_too_long(request) => blank(&request.op),
            "accepts" => match subject.reply(request) {
                Reply::Refused(_) => blank(&request.op),
                right => right,
            },
            _ => panic!("no such extreme: {how}"),
        };
        let mut line = Vec::new();
        reply.write_line(Some(request.id), &mut line);
        line
    });
}

/// An output of the operation's shape that says nothing.
fn blank(operation: &str) -> Reply {
    let document = json!({ "text": "" });
    let read = json!({
        "fields": {}, "extra": {}, "root": true, "body": document, "sections": [], "warnings": [],
    });
    Reply::Ok(match operation {
        "brief.parse" | "brief.parse_response" => read,
        "brief.create" => json!({ "document": document, "id": "" }),
        "brief.respond" => json!({ "document": document, "to": "" }),
        "brief.delegate" => json!({ "document": document, "trace": document }),
        "brief.parse_trace" => json!({ "entries": [], "warnings": [] }),
        "brief.append_trace" | "brief.merge_trace" => json!({ "trace": document }),
        "brief.tree" => json!({ "nodes": [] }),
        "brief.fan_in" => {
            json!({ "complete": true, "missing": [], "unexpected": [], "received": [] })
        }
        "brief.to_a2a" => json!({ "request": { "text": "{}" } }),
        "brief.match" => json!({ "matches": [] }),
        _ => json!({ "document": document }),
    })
}

fn right() {
    judged("brief/*", &["extreme", "right"], 0).is("conformant");
}

/// The requirements that bind, by role, and whether they are failed.
fn binding(report: &Report) -> impl Iterator<Item = (String, bool)> {
    let of_role = |role: &Value| {
        let requirements = role["requirements"].as_array().expect("requirements are an array");
        let binds = |it: &&Value| it["level"] == "must" && it["kind"] != "robustness";
        let named = |it: &Value| {
            let name = format!("{} {}", role["role"].as_str().unwrap_or("?"), it["id"]);
            (name, it["verdict"] == "fail")
        };
        requirements.iter().filter(binds).map(named).collect::<Vec<_>>()
    };
    report.roles().iter().flat_map(of_role).collect::<Vec<_>>().into_iter()
}

fn extremes() {
    let reports = ["accepts", "refuses"].map(|how| judged("brief/*", &["extreme", how], 1));
    let mut unfailed: BTreeSet<String> = BTreeSet::new();
    for report in &reports {
        assert_eq!(report.roles().len(), 3);
        report.is("non-conformant");
        unfailed.extend(binding(report).map(|(name, _)| name));
    }
    assert!(!unfailed.is_empty(), "no requirement binds");
    for report in &reports {
        for (name, failed) in binding(report) {
            if failed {
                unfailed.remove(&name);
            }
        }
    }
    assert_eq!(unfailed, OPEN.iter().map(|name| (*name).to_owned()).collect(), "neither fails");
}
