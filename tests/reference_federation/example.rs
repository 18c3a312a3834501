//! The worked example: does every number in it come out?

use proofmark::reference::federation::{
    Bounds, Context, Digest, Domain, ReceiptFact, TaskEnvelope, TrustedKey, verify_commitment,
};
use sha2::{Digest as _, Sha256};

use crate::sample::*;

fn example() -> TaskEnvelope {
    TaskEnvelope::decode(EXAMPLE.as_bytes(), &Bounds::maximum()).expect("an envelope")
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn its_canonical_bytes() {
    let bytes = example().canonical_bytes();
    assert_eq!(bytes.len(), 1564);
    assert_eq!(String::from_utf8(bytes.clone()).unwrap(), EXAMPLE);
    assert_eq!(hex(&bytes), "58f04474378827b58189e8e74e6de299b7e6a405ee3f5000103c366880711aa3");
    // Through the typed members, and by the canonical JSON layer.
    assert_eq!(TaskEnvelope::new(example().members()).unwrap().canonical_bytes(), bytes);
    assert_eq!(canonical(&terminal()), bytes);
}

#[test]
fn its_digests() {
    let example = example();
    let covered = example.covered_bytes();
    assert_eq!(covered.len(), 1170);
    assert_eq!(hex(&covered), "8644fd621fe480e572a9c49ae76518d2e2e4624d5a72f08bd3526cb3f3d4851a");
    assert_eq!(example.content_digest().to_string(), CONTENT_DIGEST);
    assert_eq!(String::from_utf8(example.commitment_bytes().unwrap()).unwrap(), COMMITMENT_BYTES);
    assert_eq!(example.terminal_commitment().unwrap().to_string(), TERMINAL_COMMITMENT);
    let receipt = example.evidence_receipt.as_ref().unwrap();
    assert_eq!(receipt.terminal_commitment.to_string(), TERMINAL_COMMITMENT);
    assert_eq!(receipt.signature.attributes.content_digest.to_string(), CONTENT_DIGEST);
}

#[test]
fn the_digests_that_it_names_are_those_of_its_labels() {
    let example = example();
    let federation = Domain::FederationEnvelope;
    let receipt = example.evidence_receipt.as_ref().unwrap();
    for (digest, domain, label) in [
        (example.blueprint_digest, Domain::BlueprintContent, "blueprint-bytes"),
        (example.deployment_digest, Domain::DeploymentContent, "deployment-bytes"),
        (example.input_commitment, federation, "input-bytes"),
        (example.result_schema, federation, "schema-bytes"),
        (example.authority_proof_references[0], federation, "proof-ref-1"),
        (receipt.result_digest, federation, "result-bytes"),
        (receipt.checkpoint_history_commitment, federation, "history-bytes"),
    ] {
        assert_eq!(digest, Digest::of(domain, label.as_bytes()), "{label}");
    }
    let empty = "sha-256:wCgme7AnAfSTPMtGo2-DKpI9wbb-FzQQu_cSumTIXlw";
    assert_eq!(Digest::of(federation, b"").to_string(), empty);
}

#[test]
fn its_signature() {
    let example = example();
    let entry = &example.evidence_receipt.as_ref().unwrap().signature;
    let input = String::from_utf8(entry.attributes.signing_input()).unwrap();
    assert_eq!(input, SIGNING_INPUT);
    let (header, _) = SIGNING_INPUT.split_once('.').unwrap();
    let signature =
        "nK1xzX9od6FpEmxx8OEvgPeNMoO4ZbCNHLoMk8DwRnObZw2OIHrxDKW_Fk1DRTSA-i5hjvVx3Bl0ugX6-dyQCQ";
    assert_eq!(entry.compact(), format!("{header}..{signature}"));
    assert_eq!(entry.signature.as_slice(), bytes_of(signature));
    let key = TrustedKey { key_id: "remote-key".to_owned(), key: bytes_of(PUBLIC_KEY) };
    assert_eq!(entry.verify(std::slice::from_ref(&key)), Ok(()));
    let fact = ReceiptFact {
        task_identity: "task-7f3a2c".to_owned(),
        terminal_state: "completed".to_owned(),
        terminal_commitment: Digest::parse(TERMINAL_COMMITMENT).unwrap(),
    };
    let context = Context { keys: vec![key].into(), ..Context::default() };
    assert_eq!(verify_commitment(&example, &context), Ok(fact));
}
