//! The profile's digests, commitment and signed receipt, written down a second time from its text.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{Signer as _, SigningKey};
use proptest::prelude::*;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::envelopes::{self, canonical, digest};

/// How tasks end.
pub const TERMINAL: &[&str] = &["completed", "failed", "canceled", "rejected"];

/// Ways in which a task ended: the state, the two digests of the receipt, and who signed when. Keys are
/// named by their number, see [`key`].
pub fn ending() -> BoxedStrategy<Value> {
    ending_in(TERMINAL)
}

/// The same with one of these states.
pub fn ending_in(states: &'static [&'static str]) -> BoxedStrategy<Value> {
    let state = prop::sample::select(states);
    (state, digest(), digest(), 1u8..4, key_id(), time())
        .prop_map(|(state, result, history, key, key_id, created_at)| {
            json!({
                "terminal_state": state, "result_digest": result,
                "checkpoint_history_commitment": history,
                "key": key, "key_id": key_id, "created_at": created_at,
            })
        })
        .boxed()
}

/// Key ids: short labels of any characters but the full stop.
pub fn key_id() -> BoxedStrategy<String> {
    let plain = prop::sample::select(&["k", "key-a", "Key A", "schlüssel"][..]);
    prop_oneof![3 => plain.prop_map(str::to_owned), 1 => envelopes::label()]
        .prop_filter("no full stop", |id| !id.contains('.'))
        .boxed()
}

/// Seconds from the year 1 to the year 9998.
pub fn seconds() -> BoxedStrategy<i64> {
    let now = 1_787_443_200i64;
    prop_oneof![
        Just(now),
        now..now + 100_000_000,
        // The ends of a day, of a leap year's February, and of a century.
        prop::sample::select(vec![951_782_399i64, 951_868_799, 1_709_164_800, 4_107_542_399]),
        -62_135_596_800i64..253_370_764_799,
    ]
    .boxed()
}

fn time() -> BoxedStrategy<String> {
    seconds().prop_map(at).boxed()
}

/// The profile's spelling of a point in time.
pub fn at(seconds: i64) -> String {
    jiff::Timestamp::from_second(seconds)
        .map_or_else(|_| "1970-01-01T00:00:00Z".to_owned(), |time| time.to_string())
}

/// A key of the laws, by its number.
pub fn key(number: &Value) -> SigningKey {
    let number = number.as_u64().and_then(|number| u8::try_from(number).ok()).unwrap_or(0);
    SigningKey::from_bytes(&[number; 32])
}

/// The seed of a key, as params have it.
pub fn seed(number: &Value) -> String {
    URL_SAFE_NO_PAD.encode(key(number).to_bytes())
}

/// A public key, as contexts have it.
pub fn public(number: &Value) -> String {
    URL_SAFE_NO_PAD.encode(key(number).verifying_key().to_bytes())
}

/// The tagged digest of bytes in a domain.
pub fn tagged(domain: &str, bytes: &[u8]) -> String {
    let mut hash = Sha256::new();
    hash.update(b"agent-blueprint-protocol/");
    hash.update(domain);
    hash.update([0]);
    hash.update(bytes);
    format!("sha-256:{}", URL_SAFE_NO_PAD.encode(hash.finalize()))
}

/// The commitment of an open envelope that ended.
pub fn terminal_commitment(envelope: &Value, ending: &Value) -> String {
    let mut components = json!({});
    for (of, names) in [
        (
            envelope,
            &[
                "task_identity",
                "result_classification_ceiling",
                "compatibility_reference",
                "authority_proof_references",
            ][..],
        ),
        (ending, &["terminal_state", "result_digest", "checkpoint_history_commitment"][..]),
    ] {
        for name in names {
            components[*name] = of[*name].clone();
        }
    }
    tagged("federation-envelope", canonical(&components).as_bytes())
}

/// The open envelope, ended and signed.
pub fn ended(envelope: &Value, ending: &Value) -> Value {
    ended_with(envelope, ending, terminal_commitment(envelope, ending))
}

/// The same with a commitment that may be another than the envelope's; the signature covers it.
pub fn ended_with(envelope: &Value, ending: &Value, commitment: String) -> Value {
    let mut ended = envelope.clone();
    ended["terminal_state"] = ending["terminal_state"].clone();
    ended["evidence_receipt"] = json!({
        "result_digest": ending["result_digest"],
        "checkpoint_history_commitment": ending["checkpoint_history_commitment"],
        "terminal_commitment": commitment,
    });
    let content = content_digest(&ended);
    ended["evidence_receipt"]["signature"] = signature(&content, ending);
    ended
}

/// The digest of the whole envelope without its signature.
pub fn content_digest(envelope: &Value) -> String {
    let mut covered = envelope.clone();
    if let Some(receipt) = covered.get_mut("evidence_receipt").and_then(Value::as_object_mut) {
        receipt.remove("signature");
    }
    tagged("federation-envelope", canonical(&covered).as_bytes())
}

/// The signature entry over a content digest. An ending may name the signed `purpose`.
fn signature(content: &str, ending: &Value) -> Value {
    let protected =
        json!({ "alg": "EdDSA", "b64": false, "crit": ["b64"], "kid": ending["key_id"] });
    let purpose = ending.get("purpose").and_then(Value::as_str).unwrap_or("federation-envelope");
    let attributes = json!({
        "algorithm": "Ed25519", "content_digest": content, "created_at": ending["created_at"],
        "key_id": ending["key_id"], "purpose": purpose,
    });
    let input =
        format!("{}.{}", URL_SAFE_NO_PAD.encode(canonical(&protected)), canonical(&attributes));
    let signature = key(&ending["key"]).sign(input.as_bytes());
    json!({
        "protected": protected,
        "signature": URL_SAFE_NO_PAD.encode(signature.to_bytes()),
        "signed_attributes": attributes,
    })
}

/// A context with the one key that signed.
pub fn context(ending: &Value) -> Value {
    json!({ "keys": [{ "key_id": ending["key_id"], "key": public(&ending["key"]) }] })
}
