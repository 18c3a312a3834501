//! Verification: the order of the steps, keys, pins, conflicts and the window.

use std::collections::BTreeMap;

use proofmark::reference::federation::{
    Context, Digest, Given, Purpose, ReceiptFact, TaskEnvelope, TerminalState, Transport,
    TrustedKey, from_carrier, to_carrier, verify_commitment,
};
use serde_json::{Value, json};

use crate::sample::*;

fn key(index: usize) -> TrustedKey {
    TrustedKey { key_id: "key-a".to_owned(), key: bytes_of(PUBLIC_KEYS[index]) }
}

fn trusting(keys: Vec<TrustedKey>) -> Context {
    Context { keys: keys.into(), ..Context::default() }
}

fn completed() -> TaskEnvelope {
    signed(&open(), TerminalState::Completed)
}

fn json_of(envelope: &TaskEnvelope) -> Value {
    serde_json::from_slice(&envelope.canonical_bytes()).expect("JSON")
}

fn answer(envelope: &TaskEnvelope, context: &Context) -> (&'static str, String) {
    let result = verify_commitment(envelope, context);
    (verdict(&result), result.err().map(|error| error.pointer()).unwrap_or_default())
}

#[track_caller]
fn check(envelope: &TaskEnvelope, context: &Context, code: &str, at: &str) {
    assert_eq!(answer(envelope, context), (code, at.to_owned()));
}

const SIGNATURE: &str = "/evidence_receipt/signature";

#[test]
fn a_receipt_verifies_and_verifies_again() {
    let envelope = completed();
    let mut context = trusting(vec![key(0)]);
    let fact = verify_commitment(&envelope, &context).expect("a fact");
    assert_eq!(fact.task_identity, "task-7f3a2c");
    assert_eq!(fact.terminal_state, "completed");
    assert_eq!(Some(fact.terminal_commitment), envelope.terminal_commitment());
    context.prior_receipts = vec![fact.clone()].into();
    assert_eq!(verify_commitment(&envelope, &context), Ok(fact));
}

#[test]
fn a_receipt_is_one_on_both_transports() {
    let envelope = completed();
    for transport in [Transport::A2a, Transport::Mcp] {
        let carrier = to_carrier(&envelope, transport).expect("a carrier");
        let rebuilt = from_carrier(&carrier, transport).expect("an envelope");
        check(&rebuilt, &trusting(vec![key(0)]), "ok", "");
    }
    // Another state in the transport's field rebuilds, and does not verify.
    let carrier = to_carrier(&envelope, Transport::A2a).expect("a carrier");
    let flipped = String::from_utf8(carrier)
        .expect("text")
        .replace("TASK_STATE_COMPLETED", "TASK_STATE_FAILED");
    let rebuilt = from_carrier(flipped.as_bytes(), Transport::A2a).expect("an envelope");
    check(&rebuilt, &trusting(vec![key(0)]), "digest_mismatch", SIGNATURE);
}

#[test]
fn an_envelope_that_is_not_terminal() {
    for value in [open(), at_checkpoint("working")] {
        let envelope = decode(&value).expect("an envelope");
        check(&envelope, &trusting(vec![key(0)]), "missing_required_field", "/terminal_state");
        // Before the context is looked at.
        let context = Context { keys: Given::Malformed, ..Context::default() };
        check(&envelope, &context, "missing_required_field", "/terminal_state");
    }
}

#[test]
fn keys() {
    let envelope = completed();
    let other_id = TrustedKey { key_id: "key-b".to_owned(), ..key(0) };
    let unusable = |key: Vec<u8>| TrustedKey { key_id: "key-a".to_owned(), key };
    for (keys, code) in [
        (vec![], "signature_key_unsupported"),
        (vec![other_id.clone()], "signature_key_unsupported"),
        (vec![key(1)], "signature_not_verified"),
        (vec![key(1), key(0)], "ok"),
        (vec![key(0), key(0), other_id], "ok"),
        (vec![unusable(vec![0; 32]), key(0)], "ok"),
        (vec![unusable(vec![0; 32]), key(1)], "signature_not_verified"),
        (vec![unusable(vec![])], "signature_algorithm_unsupported"),
        (vec![unusable(vec![1; 31])], "signature_algorithm_unsupported"),
    ] {
        let at = if code == "ok" { "" } else { SIGNATURE };
        check(&envelope, &trusting(keys), code, at);
    }
    check(&envelope, &Context::default(), "signature_key_unsupported", SIGNATURE);
    check(
        &envelope,
        &Context { keys: Given::Malformed, ..Context::default() },
        "invalid_type",
        "/keys",
    );
}

#[test]
fn unusable_keys() {
    let hex = |text: &str| -> Vec<u8> {
        (0..64)
            .step_by(2)
            .map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal"))
            .collect()
    };
    let envelope = completed();
    for encoding in [
        // Order 1, with either sign; order 2 and y = −1 with the sign bit; order 4; order 8; and spellings above p.
        "0100000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        // No point has this y.
        "0200000000000000000000000000000000000000000000000000000000000000",
    ] {
        let key = TrustedKey { key_id: "key-a".to_owned(), key: hex(encoding) };
        check(&envelope, &trusting(vec![key]), "signature_algorithm_unsupported", SIGNATURE);
    }
    // A point of mixed order is usable; it is just not the key.
    let mixed = hex("cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d");
    let mixed = TrustedKey { key_id: "key-a".to_owned(), key: mixed };
    check(&envelope, &trusting(vec![mixed]), "signature_not_verified", SIGNATURE);
}

#[test]
fn key_sets_of_issuers() {
    let envelope = completed();
    let sets = |sets: &[(&str, Vec<TrustedKey>)]| {
        let sets: BTreeMap<_, _> =
            sets.iter().map(|(issuer, keys)| ((*issuer).to_owned(), keys.clone())).collect();
        Context { keys: vec![key(0)].into(), issuer_key_sets: sets.into(), ..Context::default() }
    };
    check(&envelope, &sets(&[("issuer-alpha", vec![key(0)])]), "ok", "");
    // The flat pool holds the right key all along, and is ignored.
    check(&envelope, &sets(&[]), "signature_key_unsupported", "/issuer");
    check(
        &envelope,
        &sets(&[("issuer-beta", vec![key(0)])]),
        "signature_key_unsupported",
        "/issuer",
    );
    check(&envelope, &sets(&[("issuer-alpha", vec![])]), "signature_key_unsupported", "/issuer");
    check(
        &envelope,
        &sets(&[("issuer-alpha", vec![key(1)]), ("issuer-beta", vec![key(0)])]),
        "signature_not_verified",
        SIGNATURE,
    );
    let unusable = TrustedKey { key_id: "key-a".to_owned(), key: vec![0; 32] };
    check(
        &envelope,
        &sets(&[("issuer-alpha", vec![unusable])]),
        "signature_algorithm_unsupported",
        SIGNATURE,
    );
    let malformed = Context { issuer_key_sets: Given::Malformed, ..trusting(vec![key(0)]) };
    check(&envelope, &malformed, "invalid_type", "/issuer_key_sets");
}

#[test]
fn purposes() {
    let context = trusting(vec![key(0)]);
    for purpose in [Purpose::Blueprint, Purpose::Deployment] {
        let envelope =
            signed_with(&open(), TerminalState::Completed, 0, "2026-08-23T00:00:00Z", purpose);
        check(&envelope, &context, "invalid_constraint", SIGNATURE);
        // The purpose before the digest.
        let changed =
            decode(&set(json_of(&envelope), "/audience", json!("another"))).expect("an envelope");
        check(&changed, &context, "invalid_constraint", SIGNATURE);
    }
}

#[test]
fn digests() {
    let context = trusting(vec![key(0)]);
    let envelope = json_of(&completed());
    for (pointer, value) in [
        ("/audience", json!("another")),
        ("/terminal_state", json!("failed")),
        ("/time_policy/elapsed_ms", json!(60_001)),
        ("/evidence_receipt/terminal_commitment", json!(RESULT_DIGEST)),
        ("/evidence_receipt/result_digest", json!(HISTORY)),
        ("/authority_proof_references", json!([])),
        ("/initiating_subject", json!("x")),
    ] {
        let changed = decode(&set(envelope.clone(), pointer, value)).expect("an envelope");
        check(&changed, &context, "digest_mismatch", SIGNATURE);
    }
    // A receipt whose signature binds a commitment that is not its envelope's.
    let mut members = decode(&envelope).expect("an envelope").members().clone();
    let receipt = members.evidence_receipt.as_mut().expect("a receipt");
    receipt.terminal_commitment = Digest::parse(RESULT_DIGEST).expect("a digest");
    let unsigned = TaskEnvelope::new(&members).expect("an envelope");
    let receipt = members.evidence_receipt.as_mut().expect("a receipt");
    let mut attributes = receipt.signature.attributes.clone();
    attributes.content_digest = unsigned.content_digest();
    receipt.signature = attributes.sign(&bytes_of(SEEDS[0]).try_into().expect("a seed"));
    let envelope = TaskEnvelope::new(&members).expect("an envelope");
    check(&envelope, &context, "digest_mismatch", "/evidence_receipt/terminal_commitment");
}

#[test]
fn pins() {
    let envelope = completed();
    let right = Context {
        issuer: "issuer-alpha".to_owned().into(),
        subject: "subject-beta".to_owned().into(),
        audience: "audience-gamma".to_owned().into(),
        ..trusting(vec![key(0)])
    };
    check(&envelope, &right, "ok", "");
    let wrong = || Given::Value("other".to_owned());
    check(
        &envelope,
        &Context { issuer: wrong(), subject: wrong(), ..right.clone() },
        "audience_mismatch",
        "/issuer",
    );
    check(
        &envelope,
        &Context { subject: wrong(), audience: wrong(), ..right.clone() },
        "audience_mismatch",
        "/subject",
    );
    check(
        &envelope,
        &Context { audience: wrong(), ..right.clone() },
        "audience_mismatch",
        "/audience",
    );
    check(
        &envelope,
        &Context { audience: Given::Malformed, ..right.clone() },
        "audience_mismatch",
        "/audience",
    );
    check(
        &envelope,
        &Context { audience: Given::Value(String::new()), ..right },
        "audience_mismatch",
        "/audience",
    );
}

#[test]
fn conflicts() {
    let context = trusting(vec![key(0)]);
    let first = verify_commitment(&completed(), &context).expect("a fact");
    let against =
        |prior: ReceiptFact| Context { prior_receipts: vec![prior].into(), ..context.clone() };
    let conflict = ("federation_terminal_conflict", "/evidence_receipt".to_owned());
    // Every component of the commitment.
    let canceled = signed(&open(), TerminalState::Canceled);
    assert_eq!(answer(&canceled, &against(first.clone())), conflict);
    for (pointer, value) in [
        ("/result_classification_ceiling/level", json!("public")),
        ("/compatibility_reference/0/identity", json!("0.1.1")),
        ("/authority_proof_references", json!([])),
    ] {
        let other = signed(&set(open(), pointer, value), TerminalState::Completed);
        assert_eq!(answer(&other, &against(first.clone())), conflict, "{pointer}");
    }
    let digest = Digest::parse(RESULT_DIGEST).expect("a digest");
    assert_eq!(
        answer(
            &completed(),
            &against(ReceiptFact { terminal_commitment: digest, ..first.clone() })
        ),
        conflict
    );
    assert_eq!(
        answer(
            &completed(),
            &against(ReceiptFact { terminal_state: "failed".to_owned(), ..first.clone() })
        ),
        conflict
    );
    // What is not part of it may differ, and other tasks are no matter.
    let reissued = signed(&set(open(), "/audience", json!("another")), TerminalState::Completed);
    check(&reissued, &against(first.clone()), "ok", "");
    let elsewhere = ReceiptFact {
        task_identity: "another".to_owned(),
        terminal_commitment: digest,
        ..first.clone()
    };
    check(&completed(), &against(elsewhere.clone()), "ok", "");
    let several = Context {
        prior_receipts: vec![
            elsewhere,
            first.clone(),
            ReceiptFact { terminal_commitment: digest, ..first },
        ]
        .into(),
        ..context.clone()
    };
    assert_eq!(answer(&completed(), &several), conflict);
    check(
        &completed(),
        &Context { prior_receipts: Given::Malformed, ..context },
        "invalid_type",
        "/prior_receipts",
    );
}

#[test]
fn the_window() {
    let envelope = completed();
    let created = "/evidence_receipt/signature/created_at";
    let window = |after: Option<&str>, before: Option<&str>| {
        let given =
            |end: Option<&str>| end.map_or(Given::Absent, |end| Given::Value(end.to_owned()));
        Context {
            created_after: given(after),
            created_before: given(before),
            ..trusting(vec![key(0)])
        }
    };
    let signed = "2026-08-23T00:00:00Z";
    for (after, before, code, at) in [
        (Some(signed), Some(signed), "ok", ""),
        (Some("2026-08-22T23:59:59Z"), Some("2026-08-23T00:00:01Z"), "ok", ""),
        (Some("2026-08-23T00:00:01Z"), None, "invalid_constraint", created),
        (None, Some("2026-08-22T23:59:59Z"), "invalid_constraint", created),
        // An inverted window admits nothing.
        (Some("2026-08-24T00:00:00Z"), Some("2026-08-22T00:00:00Z"), "invalid_constraint", created),
        (Some("0000-01-01T00:00:00Z"), Some("9999-12-31T23:59:59Z"), "ok", ""),
        (Some(""), None, "invalid_type", "/created_after"),
        (Some("2026-02-30T00:00:00Z"), None, "invalid_type", "/created_after"),
        (Some("2026-08-23T00:00:00+00:00"), Some(""), "invalid_type", "/created_after"),
        // Both ends are read before either is compared.
        (Some("2026-08-24T00:00:00Z"), Some("tomorrow"), "invalid_type", "/created_before"),
    ] {
        check(&envelope, &window(after, before), code, at);
    }
    check(
        &envelope,
        &Context { created_before: Given::Malformed, ..trusting(vec![key(0)]) },
        "invalid_type",
        "/created_before",
    );
}

#[test]
fn what_comes_first() {
    let prior = ReceiptFact {
        task_identity: "task-7f3a2c".to_owned(),
        terminal_state: "failed".to_owned(),
        terminal_commitment: Digest::parse(RESULT_DIGEST).expect("a digest"),
    };
    let good = completed();
    // Each row mends the fault that the row before was refused for.
    let mut context = Context {
        keys: Given::Malformed,
        issuer: Given::Value("other".to_owned()),
        created_after: Given::Value("no time".to_owned()),
        prior_receipts: Given::Malformed,
        ..Context::default()
    };
    check(&good, &context, "invalid_type", "/keys");
    context.keys = vec![key(1)].into();
    let changed =
        decode(&set(json_of(&good), "/issuer", json!("issuer-beta"))).expect("an envelope");
    check(&changed, &context, "signature_not_verified", SIGNATURE);
    context.keys = vec![key(0)].into();
    check(&changed, &context, "digest_mismatch", SIGNATURE);
    check(&good, &context, "audience_mismatch", "/issuer");
    context.issuer = Given::Absent;
    check(&good, &context, "invalid_type", "/prior_receipts");
    context.prior_receipts = vec![prior].into();
    check(&good, &context, "federation_terminal_conflict", "/evidence_receipt");
    context.prior_receipts = vec![].into();
    check(&good, &context, "invalid_type", "/created_after");
    context.created_after = Given::Value("2027-01-01T00:00:00Z".to_owned());
    check(&good, &context, "invalid_constraint", "/evidence_receipt/signature/created_at");
    context.created_after = Given::Absent;
    check(&good, &context, "ok", "");
}

#[test]
fn any_flipped_bit() {
    let envelope = completed();
    let context = trusting(vec![key(0)]);
    let members = envelope.members();
    let receipt = members.evidence_receipt.as_ref().expect("a receipt");
    for bit in 0..512 {
        let mut members = members.clone();
        let receipt = members.evidence_receipt.as_mut().expect("a receipt");
        receipt.signature.signature[bit / 8] ^= 1 << (bit % 8);
        let flipped = TaskEnvelope::new(&members).expect("an envelope");
        check(&flipped, &context, "signature_not_verified", SIGNATURE);
    }
    // S + L in place of S.
    let order: [u8; 32] = {
        let mut order = [0; 32];
        order[..16].copy_from_slice(&0x14de_f9de_a2f7_9cd6_5812_631a_5cf5_d3ed_u128.to_le_bytes());
        order[31] = 0x10;
        order
    };
    let mut signature = receipt.signature.signature;
    let mut carry = 0;
    for (byte, add) in signature[32..].iter_mut().zip(order) {
        let sum = u16::from(*byte) + u16::from(add) + carry;
        *byte = sum.to_le_bytes()[0];
        carry = sum >> 8;
    }
    let mut members = members.clone();
    members.evidence_receipt.as_mut().expect("a receipt").signature.signature = signature;
    check(
        &TaskEnvelope::new(&members).expect("an envelope"),
        &context,
        "signature_not_verified",
        SIGNATURE,
    );
}

/// The profile verifies as OpenSSL does, which asks nothing about the order of R. This signature is of the identity as
/// R and S = k·a, computed with integers in Python; OpenSSL, by way of `cryptography` 48.0.0, accepts it.
#[test]
fn an_r_of_small_order_is_judged_by_the_equation_alone() {
    let signature =
        "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAArZVNaLcyMbN2iRUNYqxwjpdwuYZpejtgO2SzdC5kzAg";
    let value =
        set(json_of(&completed()), "/evidence_receipt/signature/signature", json!(signature));
    let envelope = decode(&value).expect("an envelope");
    check(&envelope, &trusting(vec![key(0)]), "ok", "");
    check(&envelope, &trusting(vec![key(1)]), "signature_not_verified", SIGNATURE);
}
