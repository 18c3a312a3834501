//! Issuing: the commitment, the signed receipt, and what is not issued.

use proofmark::reference::federation::{
    Code, Purpose, Signing, TerminalState, Timestamp, commit, issue,
};
use serde_json::json;

use crate::sample::*;

#[test]
fn the_commitment_of_the_example() {
    let envelope = decode(&open()).expect("an envelope");
    let commitment = commit(&envelope, &outcome(TerminalState::Completed)).expect("a commitment");
    assert_eq!(commitment.terminal_commitment.to_string(), TERMINAL_COMMITMENT);
    assert_eq!(commitment.content_digest.to_string(), CONTENT_DIGEST);
}

#[test]
fn what_is_issued_is_the_example_but_for_the_key() {
    let issued = signed(&open(), TerminalState::Completed);
    let mut value: serde_json::Value =
        serde_json::from_slice(&issued.canonical_bytes()).expect("JSON");
    let signature = "/evidence_receipt/signature/signature";
    for (pointer, member) in [
        ("/evidence_receipt/signature/protected/kid", json!("remote-key")),
        ("/evidence_receipt/signature/signed_attributes/key_id", json!("remote-key")),
        (signature, terminal().pointer(signature).expect("a signature").clone()),
    ] {
        value = set(value, pointer, member);
    }
    assert_eq!(canonical(&value), EXAMPLE.as_bytes());
    // It decodes, and signing is deterministic.
    assert_eq!(
        decode(&serde_json::from_slice(&issued.canonical_bytes()).expect("JSON"))
            .map(|again| again.canonical_bytes()),
        Ok(issued.canonical_bytes())
    );
    assert_eq!(
        signed(&open(), TerminalState::Completed).canonical_bytes(),
        issued.canonical_bytes()
    );
}

#[test]
fn what_is_not_issued() {
    let completed = outcome(TerminalState::Completed);
    for value in [terminal(), at_checkpoint("working")] {
        let envelope = decode(&value).expect("an envelope");
        assert_eq!(refused(commit(&envelope, &completed)), Code::InvalidConstraint);
    }
    let envelope = decode(&open()).expect("an envelope");
    let seed = bytes_of(SEEDS[0]).try_into().expect("a seed");
    let created_at = Timestamp::parse("2026-08-23T00:00:00Z").expect("a time");
    let attempt = |key_id: &str| {
        let signing = Signing {
            seed: &seed,
            key_id,
            created_at: &created_at,
            purpose: Purpose::FederationEnvelope,
        };
        verdict(&issue(&envelope, &completed, &signing))
    };
    assert_eq!(attempt("key-a"), "ok");
    for key_id in ["-----BEGIN PRIVATE KEY-----", &"0123456789abcdef".repeat(4), &"ab-".repeat(15)]
    {
        assert_eq!(attempt(key_id), "forbidden_portable_value", "{key_id}");
    }
    for key_id in ["", "a.b"] {
        assert_eq!(attempt(key_id), "invalid_constraint", "{key_id}");
    }
}
