//! Those that accept everything and those that refuse everything: each requirement stops one of them.

use std::collections::BTreeSet;

use proofmark::adapter::message::{Refusal, Reply};
use serde_json::{Value, json};

use crate::Named;
use crate::judged::{ids, judged, musts};
use crate::subject::Subject;

pub const TRIALS: &[Named] = &[
    ("does every must of brick stop one of the extremes", || stops("brick")),
    ("does every must of brief stop one of the extremes", || stops("brief")),
];

/// Answers each operation with the least that has its shape, or refuses it.
pub fn play(how: &str) {
    let accepts = how == "accepts";
    Subject::new(16).serve(|_, request| {
        let reply = match least(&request.op) {
            None => Reply::Unsupported(None),
            Some(output) if accepts => Reply::Ok(output),
            Some(_) => Reply::Refused(Refusal::default()),
        };
        let mut line = Vec::new();
        reply.write_line(Some(request.id), &mut line);
        line
    });
}

fn least(operation: &str) -> Option<Value> {
    let nothing = json!({"text": ""});
    Some(match operation {
        "brick.validate" => json!({"warnings": [], "unsupported_extensions": []}),
        "brick.load" => json!({
            "capabilities": [], "unavailable": [], "unsupported": [], "resources": [], "warnings": [],
        }),
        "brick.expose" => json!({"tools": []}),
        "brick.authorize" => Value::Null,
        "brick.invoke" => json!({"offered": [], "missing": [], "results": []}),
        "brick.project" => json!({"card": {"text": "{}"}}),
        "brief.create" => json!({"document": nothing, "id": ""}),
        "brief.parse" => json!({
            "fields": {}, "extra": {}, "root": true, "body": nothing, "sections": [], "warnings": [],
        }),
        "brief.parse_response" => json!({
            "fields": {}, "extra": {}, "body": nothing, "sections": [], "warnings": [],
        }),
        "brief.respond" => json!({"document": nothing, "to": ""}),
        "brief.delegate" => json!({"document": nothing, "trace": nothing}),
        "brief.append_trace" | "brief.merge_trace" => json!({"trace": nothing}),
        "brief.parse_trace" => json!({"entries": [], "warnings": []}),
        "brief.tree" => json!({"nodes": []}),
        "brief.fan_in" => {
            json!({"complete": true, "missing": [], "unexpected": [], "received": []})
        }
        "brief.to_a2a" => json!({"request": {"text": "{}"}}),
        "brief.from_a2a" => json!({"document": nothing}),
        "brief.match" => json!({"matches": []}),
        _ => return None,
    })
}

fn stops(suite: &str) {
    let roles = format!("{suite}/*");
    let of = |how: &str| {
        let report = judged(&[&roles], &["extreme", how], 1);
        report.is("non-conformant");
        musts(&report)
    };
    let (accepting, refusing) = (of("accepts"), of("refuses"));
    assert!(!ids(&accepting, "fail").is_empty() && !ids(&refusing, "fail").is_empty());
    assert_eq!(accepting.len(), refusing.len());
    let mut kept_by_both = BTreeSet::new();
    let mut never_asked = BTreeSet::new();
    for (accepted, refused) in accepting.iter().zip(&refusing) {
        assert_eq!((&accepted.role, &accepted.id), (&refused.role, &refused.id));
        let bound = (accepted.role.as_str(), accepted.id.as_str());
        match (accepted.verdict.as_str(), refused.verdict.as_str()) {
            ("fail", _) | (_, "fail") => {}
            ("not-run", "not-run") => drop(never_asked.insert(bound)),
            _ => drop(kept_by_both.insert(bound)),
        }
    }
    assert!(kept_by_both.is_empty(), "kept by both: {kept_by_both:?}");
    assert!(never_asked.is_empty(), "of no case in the role: {never_asked:?}");
}
