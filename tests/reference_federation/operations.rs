//! Do the operations speak the shapes that the adapter protocol pins?

use proofmark::reference::{Answer, Refusal, federation};
use serde_json::{Value, json};

use crate::sample::*;

pub fn run(name: &str, params: Value) -> Answer {
    let operation =
        federation::OPERATIONS.iter().find(|operation| operation.name == name).expect(name);
    (operation.run)(&params)
}

#[track_caller]
pub fn ok(name: &str, params: Value) -> Value {
    match run(name, params) {
        Answer::Ok(value) => value,
        Answer::Refused(refusal) => panic!("{name} refused: {refusal:?}"),
    }
}

#[track_caller]
pub fn refused(name: &str, params: Value) -> String {
    match run(name, params.clone()) {
        Answer::Refused(Refusal {
            code: Some(code), message: Some(message), at: Some(at), ..
        }) => {
            assert!(
                !message.is_empty() && (at.is_empty() || at.starts_with('/')),
                "{message} at {at}"
            );
            code
        }
        other => panic!("{name} {params} gave {other:?}"),
    }
}

pub fn document(value: &Value) -> Value {
    json!({ "text": String::from_utf8(canonical(value)).expect("text") })
}

fn example() -> Value {
    json!({ "text": EXAMPLE })
}

/// Params that are no document, for the param of that name.
pub fn no_documents(name: &str, others: &Value, operation: &str) {
    assert_eq!(refused(operation, others.clone()), "missing_required_field");
    for bad in [
        Value::Null,
        json!("text"),
        json!({}),
        json!({ "text": 1 }),
        json!({ "base64": "?" }),
        json!({ "text": "", "base64": "" }),
    ] {
        assert_eq!(
            refused(operation, set(others.clone(), &format!("/{name}"), bad)),
            "invalid_type",
            "{operation}"
        );
    }
}

#[test]
fn the_table_names_the_roles_and_their_operations() {
    let names: Vec<_> = federation::OPERATIONS.iter().map(|operation| operation.name).collect();
    let expected = [
        "decode",
        "to_a2a",
        "to_mcp",
        "from_a2a",
        "from_mcp",
        "map_state",
        "digest",
        "commit",
        "issue",
        "verify_commitment",
        "mapping",
        "observe",
    ];
    assert_eq!(names, expected.map(|name| format!("federation.{name}")));
    assert_eq!(
        federation::ROLES,
        ["federation/codec", "federation/issuer", "federation/receiver", "federation/host"]
    );
}

#[test]
fn decode_and_its_bounds() {
    let decoded = json!({ "canonical": example() });
    assert_eq!(ok("federation.decode", json!({ "document": example() })), decoded);
    assert_eq!(
        ok("federation.decode", json!({ "document": example(), "bounds": {}, "other": 1 })),
        decoded
    );
    assert_eq!(
        ok(
            "federation.decode",
            json!({ "document": example(), "bounds": { "bytes": 1564, "depth": 64 } })
        ),
        decoded
    );
    no_documents("document", &json!({}), "federation.decode");
    for (bounds, code) in [
        (json!({ "bytes": 1563 }), "ceiling:bytes"),
        (json!({ "depth": 4 }), "ceiling:depth"),
        (json!({ "depth": 65 }), "ceiling:depth"),
        (json!({ "key": 0 }), "ceiling:key"),
        (json!({ "nodes": -1 }), "ceiling:nodes"),
        (json!({ "items": 1.5 }), "ceiling:items"),
        (json!({ "members": "5" }), "ceiling:members"),
        (json!({ "string": null }), "ceiling:string"),
        (json!({ "number_lexeme": true }), "ceiling:number_lexeme"),
        (json!({ "time": 1 }), "unknown_bound"),
        (json!([]), "invalid_type"),
        (json!(null), "invalid_type"),
    ] {
        assert_eq!(
            refused("federation.decode", json!({ "document": example(), "bounds": bounds })),
            code,
            "{bounds}"
        );
    }
    // The bounds before the document.
    assert_eq!(
        refused(
            "federation.decode",
            json!({ "document": { "text": "{" }, "bounds": { "time": 1 } })
        ),
        "unknown_bound"
    );
    let refusal = run(
        "federation.decode",
        json!({ "document": document(&set(open(), "/issuer", json!("a".repeat(40)))) }),
    );
    assert_eq!(
        refusal,
        Answer::Refused(Refusal {
            code: Some("forbidden_portable_value".to_owned()),
            at: Some("/issuer".to_owned()),
            message: Some("refused as forbidden_portable_value at /issuer".to_owned()),
            ..Refusal::default()
        })
    );
}

#[test]
fn carriers() {
    for (to, from) in
        [("federation.to_a2a", "federation.from_a2a"), ("federation.to_mcp", "federation.from_mcp")]
    {
        let carrier = ok(to, json!({ "envelope": example() }));
        assert_eq!(ok(from, carrier), json!({ "canonical": example() }));
        no_documents("envelope", &json!({}), to);
        no_documents("carrier", &json!({}), from);
        assert_eq!(
            refused(to, json!({ "envelope": { "text": format!("{EXAMPLE} ") } })),
            "non_canonical_bytes"
        );
    }
    assert_eq!(
        refused("federation.from_a2a", json!({ "carrier": { "base64": "Iv8i" } })),
        "invalid_encoding"
    );
}

#[test]
fn map_state() {
    let map =
        |from: &str, to: &str, state: Value| json!({ "from": from, "to": to, "state": state });
    for (from, to, state, expected) in [
        ("a2a", "logical", "TASK_STATE_CANCELED", "canceled"),
        ("mcp", "logical", "cancelled", "canceled"),
        ("logical", "a2a", "rejected", "TASK_STATE_REJECTED"),
        ("logical", "mcp", "canceled", "cancelled"),
        ("a2a", "mcp", "TASK_STATE_CANCELED", "cancelled"),
        ("mcp", "a2a", "input_required", "TASK_STATE_INPUT_REQUIRED"),
        ("logical", "logical", "submitted", "submitted"),
        ("mcp", "mcp", "failed", "failed"),
    ] {
        assert_eq!(
            ok("federation.map_state", map(from, to, json!(state))),
            json!({ "state": expected })
        );
    }
    for (from, to, state, code) in [
        ("a2a", "logical", json!("TASK_STATE_UNSPECIFIED"), "federation_state_unmappable"),
        ("a2a", "logical", json!("TASK_STATE_CANCELLED"), "invalid_constraint"),
        ("a2a", "logical", json!(1), "invalid_type"),
        ("a2a", "mcp", json!("TASK_STATE_REJECTED"), "federation_state_unmappable"),
        ("logical", "mcp", json!("auth_required"), "federation_state_unmappable"),
        ("logical", "mcp", json!("submitted"), "federation_state_unmappable"),
        ("mcp", "logical", json!("canceled"), "invalid_constraint"),
        ("mcp", "logical", json!("auth_required"), "invalid_constraint"),
        ("mcp", "logical", json!(null), "invalid_type"),
        ("logical", "a2a", json!("no-such-state"), "invalid_type"),
        ("logical", "mcp", json!("cancelled"), "invalid_type"),
        ("logical", "a2a", json!({}), "invalid_type"),
        ("acp", "a2a", json!("working"), "invalid_constraint"),
        ("a2a", "A2A", json!("working"), "invalid_constraint"),
    ] {
        assert_eq!(refused("federation.map_state", map(from, to, state)), code, "{from} {to}");
    }
}

#[test]
fn digest() {
    let params =
        json!({ "domain": "federation-envelope", "document": { "text": "history-bytes" } });
    assert_eq!(ok("federation.digest", params.clone()), json!({ "digest": HISTORY }));
    assert_eq!(
        ok("federation.digest", set(params.clone(), "/declared", json!(HISTORY))),
        json!({ "digest": HISTORY })
    );
    for domain in federation::Domain::ALL {
        ok("federation.digest", set(params.clone(), "/domain", json!(domain.name())));
    }
    for (pointer, value, code) in [
        ("/declared", json!(RESULT_DIGEST), "digest_mismatch"),
        ("/declared", json!(&HISTORY[8..]), "digest_encoding_invalid"),
        ("/declared", json!(format!("{HISTORY}=")), "digest_encoding_invalid"),
        ("/declared", json!("sha256:x"), "digest_algorithm_unsupported"),
        ("/declared", json!(format!("SHA-256:{}", &HISTORY[8..])), "digest_algorithm_unsupported"),
        ("/declared", json!(":"), "digest_algorithm_unsupported"),
        ("/declared", json!("sha-256::"), "digest_encoding_invalid"),
        ("/declared", json!(null), "invalid_type"),
        ("/domain", json!("federation_envelope"), "invalid_constraint"),
        ("/domain", json!(1), "invalid_type"),
    ] {
        assert_eq!(
            refused("federation.digest", set(params.clone(), pointer, value)),
            code,
            "{pointer}"
        );
    }
    no_documents("document", &json!({ "domain": "signature" }), "federation.digest");
}

fn ending() -> Value {
    json!({
        "envelope": document(&open()),
        "terminal_state": "completed",
        "result_digest": RESULT_DIGEST,
        "checkpoint_history_commitment": HISTORY,
    })
}

fn signing() -> Value {
    let params = set(ending(), "/seed", json!(SEEDS[0]));
    let params = set(params, "/key_id", json!("key-a"));
    set(params, "/created_at", json!("2026-08-23T00:00:00Z"))
}

#[test]
fn commit_and_issue() {
    let commitment =
        json!({ "terminal_commitment": TERMINAL_COMMITMENT, "content_digest": CONTENT_DIGEST });
    assert_eq!(ok("federation.commit", ending()), commitment);
    let issued = ok("federation.issue", signing());
    let context = json!({ "keys": [{ "key_id": "key-a", "key": PUBLIC_KEYS[0] }] });
    let verified = ok(
        "federation.verify_commitment",
        json!({ "envelope": issued["envelope"], "context": context }),
    );
    assert_eq!(verified["terminal_commitment"], TERMINAL_COMMITMENT);
    let other = ok("federation.issue", set(signing(), "/purpose", json!("blueprint")));
    assert_eq!(
        refused(
            "federation.verify_commitment",
            json!({ "envelope": other["envelope"], "context": context })
        ),
        "invalid_constraint"
    );
    for (operation, params) in [("federation.commit", ending()), ("federation.issue", signing())] {
        for (pointer, value, code) in [
            ("/envelope", example(), "invalid_constraint"),
            ("/envelope", document(&at_checkpoint("working")), "invalid_constraint"),
            ("/envelope", json!({ "text": "{" }), "invalid_syntax"),
            ("/terminal_state", json!("cancelled"), "invalid_constraint"),
            ("/terminal_state", json!("working"), "invalid_constraint"),
            ("/terminal_state", json!(1), "invalid_type"),
            ("/result_digest", json!("sha-256:x"), "invalid_constraint"),
            ("/checkpoint_history_commitment", json!(null), "invalid_type"),
        ] {
            assert_eq!(
                refused(operation, set(params.clone(), pointer, value)),
                code,
                "{operation} {pointer}"
            );
        }
        for name in ["envelope", "terminal_state", "result_digest", "checkpoint_history_commitment"]
        {
            assert_eq!(
                refused(operation, unset(params.clone(), &format!("/{name}"))),
                "missing_required_field"
            );
        }
    }
    for (pointer, value, code) in [
        ("/seed", json!(&SEEDS[0][1..]), "invalid_type"),
        ("/seed", json!(format!("{}=", SEEDS[0])), "invalid_type"),
        ("/seed", json!(""), "invalid_type"),
        ("/seed", json!([]), "invalid_type"),
        ("/key_id", json!(""), "invalid_constraint"),
        ("/key_id", json!("a.b"), "invalid_constraint"),
        ("/key_id", json!("0123456789abcdef".repeat(4)), "forbidden_portable_value"),
        ("/key_id", json!("-----BEGIN"), "forbidden_portable_value"),
        ("/created_at", json!("2026-08-23"), "invalid_constraint"),
        ("/created_at", json!(0), "invalid_type"),
        ("/purpose", json!("federation_envelope"), "invalid_constraint"),
        ("/purpose", json!(null), "invalid_type"),
    ] {
        assert_eq!(refused("federation.issue", set(signing(), pointer, value)), code, "{pointer}");
    }
}

#[test]
fn verify_commitment() {
    let key = json!({ "key_id": "remote-key", "key": PUBLIC_KEY });
    let other = json!({ "key_id": "remote-key", "key": PUBLIC_KEYS[0] });
    let fact = json!({ "task_identity": "task-7f3a2c", "terminal_state": "completed", "terminal_commitment": TERMINAL_COMMITMENT });
    let prior = json!({ "task_identity": "task-7f3a2c", "terminal_state": "completed", "commitment": TERMINAL_COMMITMENT });
    let params = |context: Value| json!({ "envelope": example(), "context": context });
    for context in [
        json!({ "keys": [key] }),
        json!({ "keys": [key, other], "unknown": 1, "prior_receipts": [] }),
        json!({ "issuer_key_sets": { "issuer-alpha": [key], "issuer-beta": [] } }),
        json!({ "keys": [other], "issuer_key_sets": { "issuer-alpha": [key] } }),
        json!({ "keys": [key], "issuer": "issuer-alpha", "subject": "subject-beta", "audience": "audience-gamma" }),
        json!({ "keys": [key], "created_after": "2026-08-23T00:00:00Z", "created_before": "2026-08-23T00:00:00Z" }),
        json!({ "keys": [key], "prior_receipts": [prior, { "task_identity": "x", "terminal_state": "failed", "commitment": HISTORY }] }),
        // The profile's own null stands for no pin and no sets.
        json!({ "keys": [key], "issuer_key_sets": null, "issuer": null, "created_after": null }),
    ] {
        assert_eq!(ok("federation.verify_commitment", params(context.clone())), fact, "{context}");
    }
    let with = |name: &str, value: Value| set(json!({ "keys": [key] }), &format!("/{name}"), value);
    for (context, code) in [
        (json!({}), "signature_key_unsupported"),
        (json!({ "keys": [] }), "signature_key_unsupported"),
        (json!({ "keys": [other] }), "signature_not_verified"),
        (
            json!({ "keys": [{ "key_id": "remote-key", "key": "A".repeat(43) }] }),
            "signature_algorithm_unsupported",
        ),
        (with("issuer_key_sets", json!({})), "signature_key_unsupported"),
        (with("issuer_key_sets", json!({ "issuer-beta": [key] })), "signature_key_unsupported"),
        (with("audience", json!("other")), "audience_mismatch"),
        (with("created_after", json!("2026-08-23T00:00:01Z")), "invalid_constraint"),
        (
            with(
                "prior_receipts",
                json!([{ "task_identity": "task-7f3a2c", "terminal_state": "failed", "commitment": TERMINAL_COMMITMENT }]),
            ),
            "federation_terminal_conflict",
        ),
        // What is malformed is never taken as absent.
        (json!([]), "invalid_type"),
        (json!(null), "invalid_type"),
        (json!("x"), "invalid_type"),
        (json!({ "keys": null }), "invalid_type"),
        (json!({ "keys": {} }), "invalid_type"),
        (json!({ "keys": [1] }), "invalid_type"),
        (json!({ "keys": [{ "key_id": "remote-key" }] }), "invalid_type"),
        (json!({ "keys": [{ "key_id": 1, "key": PUBLIC_KEY }] }), "invalid_type"),
        (json!({ "keys": [key, { "key_id": "x", "key": "AA" }] }), "invalid_type"),
        (
            json!({ "keys": [{ "key_id": "remote-key", "key": format!("{PUBLIC_KEY}=") }] }),
            "invalid_type",
        ),
        (with("issuer_key_sets", json!([])), "invalid_type"),
        (with("issuer_key_sets", json!("x")), "invalid_type"),
        (with("issuer_key_sets", json!({ "issuer-alpha": [key], "x": {} })), "invalid_type"),
        (with("issuer_key_sets", json!({ "issuer-alpha": [key], "x": [1] })), "invalid_type"),
        (with("issuer", json!(1)), "audience_mismatch"),
        (with("subject", json!([])), "audience_mismatch"),
        (with("audience", json!(true)), "audience_mismatch"),
        (with("created_after", json!(1)), "invalid_type"),
        (with("created_after", json!("")), "invalid_type"),
        (with("created_before", json!("2026-08-23T00:00:00+00:00")), "invalid_type"),
        (with("prior_receipts", json!(null)), "invalid_type"),
        (with("prior_receipts", json!({})), "invalid_type"),
        (with("prior_receipts", json!([{}])), "invalid_type"),
        (
            with(
                "prior_receipts",
                json!([{ "task_identity": "x", "terminal_state": "failed", "commitment": "x" }]),
            ),
            "invalid_type",
        ),
    ] {
        assert_eq!(
            refused("federation.verify_commitment", params(context.clone())),
            code,
            "{context}"
        );
    }
    assert_eq!(
        refused("federation.verify_commitment", json!({ "envelope": example() })),
        "missing_required_field"
    );
    // The envelope is decoded before the context is read.
    assert_eq!(
        refused(
            "federation.verify_commitment",
            json!({ "envelope": { "text": "{" }, "context": 1 })
        ),
        "invalid_syntax"
    );
    no_documents("envelope", &json!({ "context": {} }), "federation.verify_commitment");
}

#[test]
fn mapping() {
    let mapping = ok("federation.mapping", json!({}));
    let rows = mapping["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 23);
    let of = |verdict: &str| -> Vec<u64> {
        rows.iter()
            .filter(|row| row["verdict"] == verdict)
            .map(|row| row["number"].as_u64().expect("a number"))
            .collect()
    };
    assert_eq!(of("native"), [1, 12, 18]);
    assert_eq!(of("partial"), [3, 7, 10, 17, 20]);
    assert_eq!(of("extension").len(), 15);
    for (index, row) in rows.iter().enumerate() {
        assert_eq!(row["number"], index + 1);
    }
    assert_eq!(
        rows[0],
        json!({ "number": 1, "field": "task_identity", "verdict": "native", "a2a": ["Task.id"], "mcp": ["Task.taskId"] })
    );
    assert_eq!(
        rows[9],
        json!({ "number": 10, "field": "time_policy", "verdict": "partial", "a2a": [], "mcp": ["Task.ttlMs"] })
    );
    assert_eq!(
        rows[17],
        json!({ "number": 18, "field": "checkpoint_status", "verdict": "native", "a2a": ["TaskStatus.state"], "mcp": ["Task.status"] })
    );
    assert_eq!(rows[22]["field"], "authority_proof_references");
    assert_eq!(mapping["lanes"], json!({ "a2a": "primary", "mcp": "draft-tracking" }));
    let pins = mapping["pins"].as_array().expect("pins");
    assert_eq!(pins.len(), 4);
    for pin in pins {
        assert_eq!(
            (pin["sha1"].as_str().map(str::len), pin["commit"].as_str().map(str::len)),
            (Some(40), Some(40))
        );
    }
}
