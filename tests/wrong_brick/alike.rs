//! Most cases of BRK-MCP-5 want nothing but that two answers are the same. This validator gives two: it
//! looks for names of loopback anywhere in a host.

use std::collections::BTreeSet;

use proofmark::adapter::message::Request;
use proofmark::reference::document_to_json;
use serde_json::Value;

use crate::Named;
use crate::judged::{failed, ids, judged, musts};
use crate::subject::Subject;

pub const TRIALS: &[Named] = &[("takes look-alikes for loopback: BRK-MCP-5", takes_look_alikes)];

/// The reference, which gets to see an endpoint that looks like loopback as one of https: so it has
/// nothing against it.
pub fn play() {
    Subject::new(16).serve(|subject, request| {
        let mut request = request.clone();
        see_otherwise(&mut request);
        subject.line(&request)
    });
}

fn see_otherwise(request: &mut Request) {
    let Some(text) = request.params["manifest"]["text"].as_str() else { return };
    let Ok(mut manifest) = serde_json::from_str::<Value>(text) else { return };
    let servers = manifest.get_mut("mcpServers").and_then(Value::as_array_mut);
    let mut found = false;
    for server in servers.into_iter().flatten() {
        let Some(endpoint) = server.get("endpoint").and_then(Value::as_str) else { continue };
        let Some(rest) = endpoint.strip_prefix("http://") else { continue };
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if host.contains("localhost") || host.contains("127.") {
            server["endpoint"] = format!("https://{rest}").into();
            found = true;
        }
    }
    if found {
        request.params["manifest"] = document_to_json(manifest.to_string().into_bytes());
    }
}

fn takes_look_alikes() {
    let report = judged(&["brick/manifest-validator"], &["takes-look-alikes-for-loopback"], 1);
    report.is("non-conformant");
    assert_eq!(ids(&musts(&report), "fail"), BTreeSet::from(["BRK-MCP-5"]));
    for case in failed(&report) {
        assert!(case.reason.contains("not of one mind"), "{} {}", case.id, case.reason);
    }
}
