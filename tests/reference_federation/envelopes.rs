//! The 23 members: presence, type, grammar, closed worlds, the rules across members, and what comes first.

use proofmark::reference::federation::{Code, TaskEnvelope};
use serde_json::{Value, json};

use crate::sample::*;

#[track_caller]
fn check(value: &Value, expected: &str) {
    let result = decode(value);
    assert_eq!(verdict(&result), expected, "{value}");
    match result {
        Ok(envelope) => assert_eq!(envelope.canonical_bytes(), canonical(value)),
        // Only the portability pass names a place.
        Err(error) => assert!(error.path.is_empty(), "{error}"),
    }
}

fn everything() -> Value {
    let value = set(terminal(), "/parent_execution_reference", json!("parent-1"));
    let value = set(value, "/initiating_subject", json!("subject-0"));
    set(value, "/checkpoint_request", json!({ "kind": "auth_required", "request_digest": HISTORY }))
}

const REQUIRED: [&str; 16] = [
    "task_identity",
    "idempotency_identity",
    "blueprint_digest",
    "deployment_digest",
    "input_commitment",
    "result_schema",
    "result_classification_ceiling",
    "time_policy",
    "resource_policy",
    "recovery_handle",
    "issuer",
    "subject",
    "audience",
    "identity_mapping_evidence",
    "compatibility_reference",
    "authority_proof_references",
];
const OPTIONAL: [&str; 7] = [
    "parent_execution_reference",
    "initiating_subject",
    "checkpoint_request",
    "checkpoint_status",
    "checkpoint_commitment",
    "terminal_state",
    "evidence_receipt",
];
const IDENTIFIERS: [&str; 8] = [
    "task_identity",
    "idempotency_identity",
    "parent_execution_reference",
    "initiating_subject",
    "recovery_handle",
    "issuer",
    "subject",
    "audience",
];
const DIGESTS: [&str; 4] =
    ["blueprint_digest", "deployment_digest", "input_commitment", "result_schema"];

#[test]
fn presence() {
    for value in [open(), terminal(), everything(), at_checkpoint("working")] {
        check(&value, "ok");
    }
    for name in REQUIRED {
        check(&unset(open(), &format!("/{name}")), "missing_required_field");
    }
    for name in OPTIONAL {
        assert!(open().get(name).is_none());
    }
    // A null is present, whatever the member.
    for name in REQUIRED.iter().chain(&OPTIONAL) {
        check(&set(everything(), &format!("/{name}"), Value::Null), "invalid_type");
    }
    // An envelope that tells of no state is one.
    check(&set(open(), "/initiating_subject", json!("alone")), "ok");
}

#[test]
fn the_root() {
    for value in [json!([]), json!("a"), json!(1), json!(null), json!(true)] {
        check(&value, "invalid_type");
    }
    check(&json!({}), "missing_required_field");
}

#[test]
fn identifiers() {
    for name in IDENTIFIERS {
        let with = |text: &str| set(everything(), &format!("/{name}"), json!(text));
        for good in ["a", "0", "a.b_c-d", "9-", &"a-".repeat(256)] {
            check(&with(good), "ok");
        }
        for bad in [
            "",
            "A",
            "-a",
            ".a",
            "_a",
            "a b",
            "a/b",
            "a\n",
            "é",
            "aé",
            &"a-".repeat(257),
            "https://a.example/b",
        ] {
            check(&with(bad), "invalid_constraint");
        }
        for bad in [json!(1), json!([]), json!({}), json!(true)] {
            check(&set(everything(), &format!("/{name}"), bad), "invalid_type");
        }
    }
    check(&set(open(), "/recovery_handle", json!("another")), "ok");
}

#[test]
fn digests() {
    let bodies = |text: &str| text.trim_start_matches("sha-256:").to_owned();
    let body = bodies(HISTORY);
    let bad = [
        String::new(),
        "sha-256".to_owned(),
        "sha-256:".to_owned(),
        body.clone(),
        format!("SHA-256:{body}"),
        format!("sha256:{body}"),
        format!("md5:{body}"),
        format!(":{body}"),
        format!("sha-256:{body}="),
        format!("sha-256:{}", &body[1..]),
        format!("sha-256:{body}A"),
        format!("sha-256::{body}"),
        format!("sha-256: {body}"),
        // The last digit has two spare bits.
        format!("sha-256:{}V", &body[..42]),
        format!("sha-256:+{}", &body[1..]),
        format!("{HISTORY}\n"),
    ];
    for name in DIGESTS {
        for bad in &bad {
            check(&set(open(), &format!("/{name}"), json!(bad)), "invalid_constraint");
        }
        check(&set(open(), &format!("/{name}"), json!(7)), "invalid_type");
    }
    for pointer in [
        "/checkpoint_request/request_digest",
        "/evidence_receipt/result_digest",
        "/evidence_receipt/checkpoint_history_commitment",
        "/evidence_receipt/terminal_commitment",
        "/authority_proof_references/0",
    ] {
        check(&set(everything(), pointer, json!("sha-256:x")), "invalid_constraint");
        check(&set(everything(), pointer, json!([])), "invalid_type");
    }
    check(
        &set(at_checkpoint("submitted"), "/checkpoint_commitment", json!("sha-256:x")),
        "invalid_constraint",
    );
    check(&set(at_checkpoint("submitted"), "/checkpoint_commitment", json!({})), "invalid_type");
}

#[test]
fn enumerations() {
    for (pointer, good) in [
        (
            "/result_classification_ceiling/level",
            &["public", "internal", "confidential", "restricted"][..],
        ),
        ("/checkpoint_request/kind", &["input_required", "auth_required"]),
        ("/terminal_state", &["completed", "failed", "canceled", "rejected"]),
        ("/identity_mapping_evidence/claims/0/kind", &["correlation", "binding"]),
    ] {
        for good in good {
            check(&set(everything(), pointer, json!(good)), "ok");
        }
        for bad in ["", "Completed", "cancelled", "TASK_STATE_COMPLETED", "secret", "working"] {
            check(&set(everything(), pointer, json!(bad)), "invalid_constraint");
        }
        check(&set(everything(), pointer, json!(1)), "invalid_type");
    }
    for status in ["submitted", "working", "input_required", "auth_required"] {
        check(&at_checkpoint(status), "ok");
    }
    for status in ["completed", "canceled", "unknown"] {
        check(&at_checkpoint(status), "invalid_constraint");
    }
}

#[test]
fn positive_integers() {
    for pointer in [
        "/time_policy/elapsed_ms",
        "/resource_policy/attempts",
        "/resource_policy/concurrency",
        "/resource_policy/tokens",
        "/resource_policy/cost",
    ] {
        for good in [1_u64, 2, 9_007_199_254_740_991] {
            check(&set(open(), pointer, json!(good)), "ok");
        }
        for bad in [0, -1, -9_007_199_254_740_991_i64] {
            check(&set(open(), pointer, json!(bad)), "invalid_constraint");
        }
        for bad in [
            json!(1.5),
            json!(true),
            json!("1"),
            json!(9_007_199_254_740_992_u64),
            json!(1e30),
            json!([]),
            json!(-0.5),
        ] {
            check(&set(open(), pointer, bad), "invalid_type");
        }
        check(&unset(open(), pointer), "missing_required_field");
    }
}

#[test]
fn closed_objects() {
    for object in [
        "",
        "/result_classification_ceiling",
        "/time_policy",
        "/resource_policy",
        "/identity_mapping_evidence",
        "/identity_mapping_evidence/claims/0",
        "/checkpoint_request",
        "/evidence_receipt",
        "/compatibility_reference/0",
    ] {
        for name in ["extra", "zz", "", "Issuer"] {
            check(&set(everything(), &format!("{object}/{name}"), json!(1)), "unknown_member");
        }
    }
    for object in ["", "/protected", "/signed_attributes"] {
        check(
            &set(everything(), &format!("/evidence_receipt/signature{object}/extra"), json!(1)),
            "invalid_constraint",
        );
    }
    for member in [
        "/result_classification_ceiling/level",
        "/result_classification_ceiling/markers",
        "/identity_mapping_evidence/claims",
        "/identity_mapping_evidence/claims/0/kind",
        "/identity_mapping_evidence/claims/0/value",
        "/checkpoint_request/kind",
        "/checkpoint_request/request_digest",
        "/evidence_receipt/result_digest",
        "/evidence_receipt/terminal_commitment",
        "/evidence_receipt/checkpoint_history_commitment",
        "/evidence_receipt/signature",
        "/compatibility_reference/0/name",
        "/compatibility_reference/0/identity",
    ] {
        check(&unset(everything(), member), "missing_required_field");
    }
}

#[test]
fn arrays() {
    let markers = |markers: Value| set(open(), "/result_classification_ceiling/markers", markers);
    for good in [json!([]), json!(["pci"]), json!(["phi", "pci"]), json!(["pci", "phi"])] {
        check(&markers(good), "ok");
    }
    check(&markers(json!(["pci", "pci"])), "invalid_cardinality");
    // Raw values are compared before any of them is judged.
    check(&markers(json!(["x", "x"])), "invalid_cardinality");
    check(&markers(json!([1, 1])), "invalid_cardinality");
    check(&markers(json!(["x"])), "invalid_constraint");
    check(&markers(json!([1])), "invalid_type");

    let claims = |claims: Value| set(open(), "/identity_mapping_evidence/claims", claims);
    check(&claims(json!([])), "invalid_cardinality");
    check(&claims(json!({})), "invalid_type");
    check(
        &claims(json!([{ "kind": "binding", "value": "a" }, { "kind": "binding", "value": "b" }])),
        "ok",
    );
    check(
        &claims(
            json!([{ "kind": "binding", "value": "a" }, { "kind": "correlation", "value": "a" }]),
        ),
        "invalid_cardinality",
    );
    check(&claims(json!([{ "kind": "x", "value": "a" }, { "value": "a" }])), "invalid_cardinality");
    check(&claims(json!([{ "kind": "binding", "value": "Ω any/thing: \u{0} goes" }])), "ok");
    check(&claims(json!([{ "kind": "binding", "value": "" }])), "invalid_constraint");
    check(&claims(json!([1, 1])), "invalid_type");

    let builds = |builds: Value| set(open(), "/compatibility_reference", builds);
    check(&builds(json!([])), "invalid_cardinality");
    check(
        &builds(json!([{ "name": "a", "identity": "1" }, { "name": "b", "identity": "1" }])),
        "ok",
    );
    check(
        &builds(json!([{ "name": "a", "identity": "1" }, { "name": "a", "identity": "2" }])),
        "invalid_cardinality",
    );
    check(&builds(json!([{ "name": "A", "identity": "1" }])), "invalid_constraint");
    check(&builds(json!([{ "name": "a", "identity": "" }])), "invalid_constraint");
    check(&builds(json!([{ "name": "a", "identity": 1 }])), "invalid_type");

    let proofs = |proofs: Value| set(open(), "/authority_proof_references", proofs);
    check(&proofs(json!([])), "ok");
    check(&proofs(json!([HISTORY, HISTORY])), "ok");
    check(&proofs(json!(vec![HISTORY; 10_000])), "ok");
    check(&proofs(json!(vec![HISTORY; 10_001])), "ceiling:items");
    check(&proofs(json!(HISTORY)), "invalid_type");
}

#[test]
fn rules_across_members() {
    check(&set(open(), "/parent_execution_reference", json!("parent-1")), "invalid_constraint");
    check(&unset(at_checkpoint("working"), "/checkpoint_status"), "invalid_constraint");
    check(&unset(at_checkpoint("working"), "/checkpoint_commitment"), "invalid_constraint");
    check(&unset(terminal(), "/terminal_state"), "invalid_constraint");
    check(&unset(terminal(), "/evidence_receipt"), "invalid_constraint");
    let both = set(terminal(), "/checkpoint_status", json!("working"));
    check(&set(both, "/checkpoint_commitment", json!(HISTORY)), "invalid_constraint");
    // A checkpoint request goes with anything, or alone.
    let request = json!({ "kind": "input_required", "request_digest": HISTORY });
    for value in [open(), terminal(), at_checkpoint("working")] {
        check(&set(value, "/checkpoint_request", request.clone()), "ok");
    }
}

/// Every stage over the whole object before the next.
#[test]
fn what_comes_first() {
    // Each row adds a fault of an earlier stage to the row before it.
    let mut value = set(terminal(), "/parent_execution_reference", json!("parent-1"));
    check(&value, "invalid_constraint");
    value = set(value, "/resource_policy/extra", json!(1));
    check(&value, "unknown_member");
    value = set(value, "/compatibility_reference", json!([]));
    check(&value, "invalid_cardinality");
    value = set(value, "/issuer", json!("Upper"));
    check(&value, "invalid_constraint");
    value = set(value, "/audience", json!(1));
    check(&value, "invalid_type");
    value = unset(value, "/subject");
    check(&value, "missing_required_field");
    value = set(value, "/extra", json!(1));
    check(&value, "unknown_member");

    // A digest of another type is met among the constraints, by the order of the table.
    let digest = set(open(), "/result_schema", json!(1));
    check(&set(digest.clone(), "/issuer", json!("Upper")), "invalid_type");
    check(&set(digest.clone(), "/task_identity", json!("Upper")), "invalid_constraint");
    check(&set(digest, "/time_policy/elapsed_ms", json!(0)), "invalid_type");
    // What is inside is judged by the order of the table, not of the document.
    let inside = set(open(), "/compatibility_reference/0/extra", json!(1));
    check(&set(inside, "/result_classification_ceiling/level", json!(1)), "invalid_type");
    // Elements by the order of the document, each with all its stages.
    let claims = json!([{ "kind": "x", "value": "a" }, { "kind": 1, "value": "b" }]);
    check(&set(open(), "/identity_mapping_evidence/claims", claims), "invalid_constraint");
    // The walk before the portability pass.
    let value = set(open(), "/identity_mapping_evidence/claims/0/kind", json!("authority"));
    check(&set(value, "/time_policy/elapsed_ms", json!(0)), "invalid_constraint");
}

#[test]
fn signature_entries() {
    let entry = "/evidence_receipt/signature";
    let with = |pointer: &str, value: Value| set(terminal(), &format!("{entry}{pointer}"), value);
    let key_id = |id: &str| {
        set(
            with("/protected/kid", json!(id)),
            &format!("{entry}/signed_attributes/key_id"),
            json!(id),
        )
    };
    for good in ["a", "Upper Case", "clé", "-", "a:b"] {
        check(&key_id(good), "ok");
    }
    for bad in ["", "a.b", "."] {
        check(&key_id(bad), "invalid_constraint");
    }
    for good in [
        "2026-08-23T00:00:00Z",
        "0000-02-29T23:59:59Z",
        "2024-02-29T00:00:00Z",
        "9999-12-31T23:59:59Z",
    ] {
        check(&with("/signed_attributes/created_at", json!(good)), "ok");
    }
    for bad in [
        "",
        "2026-08-23",
        "2026-08-23T00:00:00",
        "2026-08-23t00:00:00Z",
        "2026-08-23T00:00:00z",
        "2026-08-23 00:00:00Z",
        "2026-08-23T00:00:00.0Z",
        "2026-08-23T00:00:00+00:00",
        "2026-08-23T24:00:00Z",
        "2026-08-23T00:60:00Z",
        "2026-08-23T00:00:60Z",
        "2026-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z",
        "2026-01-00T00:00:00Z",
        "2026-04-31T00:00:00Z",
        "02026-08-23T00:00:00Z",
        "2026-08-23T00:00:00Z\n",
        "２026-08-23T00:00:00Z",
        "-026-08-23T00:00:00Z",
        "2026-08-23T+1:00:00Z",
    ] {
        check(&with("/signed_attributes/created_at", json!(bad)), "invalid_constraint");
    }
    for good in ["blueprint", "deployment", "federation-envelope"] {
        check(&with("/signed_attributes/purpose", json!(good)), "ok");
    }
    let zeros = "A".repeat(86);
    check(&with("/signature", json!(zeros)), "ok");
    for (pointer, bad) in [
        ("", json!([])),
        ("", json!("x")),
        ("/protected", json!([])),
        ("/protected/alg", json!("none")),
        ("/protected/alg", json!("Ed25519")),
        ("/protected/alg", json!(1)),
        ("/protected/b64", json!(true)),
        ("/protected/b64", json!("false")),
        ("/protected/crit", json!([])),
        ("/protected/crit", json!(["b64", "b64"])),
        ("/protected/crit", json!("b64")),
        ("/protected/kid", json!("other")),
        ("/protected/kid", json!(1)),
        ("/signed_attributes", json!(null)),
        ("/signed_attributes/algorithm", json!("EdDSA")),
        ("/signed_attributes/content_digest", json!("sha-256:x")),
        ("/signed_attributes/content_digest", json!(1)),
        ("/signed_attributes/key_id", json!("other")),
        ("/signed_attributes/purpose", json!("federation_envelope")),
        ("/signature", json!(format!("{zeros}=="))),
        ("/signature", json!(&zeros[1..])),
        ("/signature", json!(format!("{zeros}A"))),
        // The last digit has four spare bits.
        ("/signature", json!(format!("{}B", &zeros[1..]))),
        ("/signature", json!(1)),
        ("/signature", json!("")),
    ] {
        check(&with(pointer, bad), "invalid_constraint");
    }
    for member in ["/protected", "/protected/kid", "/signature", "/signed_attributes/purpose"] {
        check(&unset(terminal(), &format!("{entry}{member}")), "invalid_constraint");
    }
}

#[test]
fn members_made_by_hand() {
    let mut members = decode(&open()).unwrap().members().clone();
    assert_eq!(TaskEnvelope::new(&members).unwrap().canonical_bytes(), canonical(&open()));
    members.time_policy.elapsed_ms = 9_007_199_254_740_992;
    assert_eq!(refused(TaskEnvelope::new(&members)), Code::IntegerMagnitude);
    members.time_policy.elapsed_ms = 0;
    assert_eq!(refused(TaskEnvelope::new(&members)), Code::InvalidConstraint);
    members.time_policy.elapsed_ms = 1;
    members.issuer = "Upper".to_owned();
    assert_eq!(refused(TaskEnvelope::new(&members)), Code::InvalidConstraint);
    members.issuer = "a".repeat(100_001);
    assert_eq!(refused(TaskEnvelope::new(&members)).name(), "ceiling:string");
}
