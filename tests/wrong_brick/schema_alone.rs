//! A validator that reads strictly, asks the JSON Schema, and does nothing else. Section 5 of the draft
//! says that this is not enough, and names what is missing.

use std::collections::BTreeSet;

use proofmark::adapter::message::{Refusal, Reply, Request};
use proofmark::reference::brick::{Manifest, SCHEMA};
use proofmark::reference::document_from_json;
use serde_json::{Value, json};

use crate::Named;
use crate::judged::{failed, ids, judged, musts};
use crate::subject::Subject;

pub const TRIALS: &[Named] =
    &[("JSON Schema alone: fails what the draft wants beside it", schema_alone)];

/// Every `must` of a validator that a schema can't hold, each for a sentence of the draft. What the
/// draft has beside them is syntax, and the schema holds it.
const ADDITIONAL: &[&str] = &[
    // Section 5, "uniqueness of all local identifiers": two entries with one id are two different
    // entries, and a schema compares whole entries only.
    "BRK-ID-1",
    // Which ids are one and which are two is what uniqueness and resolving rest on. The cases that fail
    // are references in another spelling, which lead nowhere.
    "BRK-ID-3",
    // Section 5, "existence of references"; section 4 says to what each must resolve, that none may
    // be passed over, and that an ambiguous one is refused. All of it needs two places at once.
    "BRK-REF-1",
    "BRK-REF-3",
    "BRK-REF-4",
    "BRK-REF-5",
    "BRK-REF-6",
    // The form `server-id:tool-name` is one of the reference rules of section 4, and section 10 names
    // both these and malformed bindings beside the schema. A pattern could say that there is a colon,
    // and not between which two names; the schema leaves the form to the rules.
    "BRK-REF-2",
    // Section 5, "transport endpoint policy".
    "BRK-MCP-4",
    "BRK-MCP-5",
    // Section 5, "whether any advertised capability can be projected … without disclosing": one text
    // is held against others.
    "BRK-A2A-9",
    // Section 10, "identifies unknown unsupported extension requirements": a schema accepts or refuses,
    // and names nothing.
    "BRK-EXT-1",
    // Sections 4 and 9, digests and changes of resources: their bytes are no part of the manifest.
    "BRK-RES-3",
];

/// What a schema could hold, and the reconstructed one does not: section 4 has a "sha256 digest", and
/// names no encoding of which a pattern could be. Section 5 does not list it as additional.
const LEFT_OPEN: &str = "BRK-RES-2";

/// Reads strictly and asks the schema.
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

/// The reference's reader refuses what is no JSON, no UTF-8 or holds a name twice, and no more.
fn read(request: &Request) -> Option<Value> {
    let bytes = document_from_json(&request.params["manifest"]).ok()?;
    Manifest::read(&bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

fn schema_alone() {
    let report = judged(&["brick/manifest-validator"], &["schema-alone"], 1);
    report.is("non-conformant");
    let wanted: BTreeSet<&str> = ADDITIONAL.iter().copied().chain([LEFT_OPEN]).collect();
    assert_eq!(ids(&musts(&report), "fail"), wanted);
    for case in failed(&report).iter().filter(|case| case.level == "must") {
        let cited = case.requirements.iter().any(|id| wanted.contains(id));
        assert!(cited, "{} {}", case.id, case.reason);
        // It lets through and says nothing: what it refuses is refused rightly.
        assert!(!case.reason.contains("must be accepted"), "{} {}", case.id, case.reason);
    }
}
