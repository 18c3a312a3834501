use std::collections::BTreeSet;
use proofmark::adapter::message::{Refusal, Reply, Request};
use proofmark::reference::brick::{Manifest, SCHEMA};
use proofmark::reference::document_from_json;
use serde_json::{Value, json};

use crate::Named;
use crate::judged::{failed, ids, judged, musts};
use crate::subject::Subject;

pub const TRIALS: &[Named] = &[("JSON Schema alone: what section 5 calls additional", schema_alone)];

/// Reads strictly and asks the schema; nothing else.
pub fn play() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .expect("the schema compiles");
    Subject::new(16).serve(|subject, request| {
        if request.op != "brick.validate" {
            return subject.line(request);
        }
        let reply = match read(request) {
            Some(manifest) if validator.is_valid(&manifest) => {
                Reply::Ok(json!({"warnings": [], "unsupported_extensions": []}))
            }
            _ => Reply::Refused(Refusal::default()),
        };
        let mut line = Vec::new();
        reply.write_line(Some(request.id), &mut line);
        line
    });
}

fn read(request: &Request) -> Option<Value> {
    let bytes = document_from_json(&request.params["manifest"]).ok()?;
    Manifest::read(&bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

fn schema_alone() {
    let report = judged(&["brick/manifest-validator"], &["schema-alone"], 1);
    report.is("non-conformant");
    for case in failed(&report) {
        eprintln!("{} {} {:?} {}", case.level, case.id, case.requirements, case.reason);
    }
    assert_eq!(ids(&musts(&report), "fail"), BTreeSet::from(["?"]));
}
