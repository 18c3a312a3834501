//! The worked example of the profile, and envelopes made from it.

use proofmark::reference::federation::{
    Bounds, Code, FederationError, Outcome, Purpose, Signing, TaskEnvelope, TerminalState,
    Timestamp, issue,
};
use proofmark::reference::jcs;
use serde_json::{Value, json};

/// The envelope of the worked example, as its bytes.
pub const EXAMPLE: &str = r#"{"audience":"audience-gamma","authority_proof_references":["sha-256:z6LiRffa-LUotScQYk44zSuR3vt9ATMBum0aZTlHffs"],"blueprint_digest":"sha-256:UqU_xO8mUo_SEKFyllPQx5viwqjUU0jymkOUDjoSJVY","compatibility_reference":[{"identity":"0.1.0-dev.abc","name":"abp"}],"deployment_digest":"sha-256:TYZzBKU6fPfMSOS8baiol9713E1x8oPzO-Mkuc1YLhE","evidence_receipt":{"checkpoint_history_commitment":"sha-256:3cwpt1lQKYPAHLc_wv2p7lFh87JNs1L_E1sFChFvTvU","result_digest":"sha-256:KtL0SPnMTlbOZe4E-n3gl5BqdaQ5HbHZFwVUHjXmA_w","signature":{"protected":{"alg":"EdDSA","b64":false,"crit":["b64"],"kid":"remote-key"},"signature":"nK1xzX9od6FpEmxx8OEvgPeNMoO4ZbCNHLoMk8DwRnObZw2OIHrxDKW_Fk1DRTSA-i5hjvVx3Bl0ugX6-dyQCQ","signed_attributes":{"algorithm":"Ed25519","content_digest":"sha-256:cuDJtZpyBkhf_h3_KLBRsWpiwKPALANb_9WdNdu3znk","created_at":"2026-08-23T00:00:00Z","key_id":"remote-key","purpose":"federation-envelope"}},"terminal_commitment":"sha-256:Ub1fvxQros48cb7vgXGpEzQwww5-DSZn9MDkY5XU5VU"},"idempotency_identity":"idem-9c2d41","identity_mapping_evidence":{"claims":[{"kind":"correlation","value":"local-subject-42"}]},"input_commitment":"sha-256:8Y14oMoIRWfn2QpbNC53tl0Tj1Cwly6fE-lyVdNvUFw","issuer":"issuer-alpha","recovery_handle":"task-7f3a2c","resource_policy":{"attempts":3,"concurrency":2,"cost":500,"tokens":1000},"result_classification_ceiling":{"level":"internal","markers":[]},"result_schema":"sha-256:uVovxlNrTlxeNx_xEbpmFAYhei42RfJPTtRTmFcz944","subject":"subject-beta","task_identity":"task-7f3a2c","terminal_state":"completed","time_policy":{"elapsed_ms":60000}}"#;

/// What its terminal commitment is over, behind the separator and the zero byte.
pub const COMMITMENT_BYTES: &str = r#"{"authority_proof_references":["sha-256:z6LiRffa-LUotScQYk44zSuR3vt9ATMBum0aZTlHffs"],"checkpoint_history_commitment":"sha-256:3cwpt1lQKYPAHLc_wv2p7lFh87JNs1L_E1sFChFvTvU","compatibility_reference":[{"identity":"0.1.0-dev.abc","name":"abp"}],"result_classification_ceiling":{"level":"internal","markers":[]},"result_digest":"sha-256:KtL0SPnMTlbOZe4E-n3gl5BqdaQ5HbHZFwVUHjXmA_w","task_identity":"task-7f3a2c","terminal_state":"completed"}"#;

/// What is signed.
pub const SIGNING_INPUT: &str = r#"eyJhbGciOiJFZERTQSIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il0sImtpZCI6InJlbW90ZS1rZXkifQ.{"algorithm":"Ed25519","content_digest":"sha-256:cuDJtZpyBkhf_h3_KLBRsWpiwKPALANb_9WdNdu3znk","created_at":"2026-08-23T00:00:00Z","key_id":"remote-key","purpose":"federation-envelope"}"#;

/// The key that verifies it, under the key id `remote-key`.
pub const PUBLIC_KEY: &str = "YSM0jaOnkzM-nc8cmW95Fm9j72-jEMK6LRyg2WWLhuk";

/// The digests that the example declares.
pub const CONTENT_DIGEST: &str = "sha-256:cuDJtZpyBkhf_h3_KLBRsWpiwKPALANb_9WdNdu3znk";
pub const TERMINAL_COMMITMENT: &str = "sha-256:Ub1fvxQros48cb7vgXGpEzQwww5-DSZn9MDkY5XU5VU";
pub const RESULT_DIGEST: &str = "sha-256:KtL0SPnMTlbOZe4E-n3gl5BqdaQ5HbHZFwVUHjXmA_w";
pub const HISTORY: &str = "sha-256:3cwpt1lQKYPAHLc_wv2p7lFh87JNs1L_E1sFChFvTvU";

/// The seeds and public keys of RFC 8032 section 7.1, tests 1 and 2.
pub const SEEDS: [&str; 2] =
    ["nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A", "TM0Imyj_ltqdtsNG7BFOD1uKMZ81q6Yk2oz27U-4pvs"];
pub const PUBLIC_KEYS: [&str; 2] =
    ["11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw"];

/// The example as JSON.
pub fn terminal() -> Value {
    serde_json::from_str(EXAMPLE).expect("JSON")
}

/// The example before it ended.
pub fn open() -> Value {
    let mut value = terminal();
    let members = value.as_object_mut().expect("an object");
    members.retain(|name, _| name != "terminal_state" && name != "evidence_receipt");
    value
}

/// An envelope at a checkpoint.
pub fn at_checkpoint(status: &str) -> Value {
    let value = set(open(), "/checkpoint_status", json!(status));
    set(value, "/checkpoint_commitment", json!(HISTORY))
}

/// The value with the member that the pointer names set, or added.
pub fn set(mut value: Value, pointer: &str, member: Value) -> Value {
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer");
    match value.pointer_mut(parent).expect("a parent") {
        Value::Object(members) => {
            members.insert(name.to_owned(), member);
        }
        Value::Array(items) => items[name.parse::<usize>().expect("an index")] = member,
        other => panic!("{other} has no members"),
    }
    value
}

/// The value without the member that the pointer names.
pub fn unset(mut value: Value, pointer: &str) -> Value {
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer");
    let members = value.pointer_mut(parent).and_then(Value::as_object_mut).expect("a parent");
    members.remove(name).expect("a member");
    value
}

/// The canonical bytes of a value, by the canonical JSON layer.
pub fn canonical(value: &Value) -> Vec<u8> {
    jcs::canonicalise(value.to_string().as_bytes()).expect("I-JSON")
}

/// Decodes the canonical bytes of a value.
pub fn decode(value: &Value) -> Result<TaskEnvelope, FederationError> {
    TaskEnvelope::decode(&canonical(value), &Bounds::maximum())
}

/// `ok`, or the code of the refusal.
pub fn verdict<T>(result: &Result<T, FederationError>) -> &'static str {
    match result {
        Ok(_) => "ok",
        Err(error) => error.code.name(),
    }
}

/// The code of a refusal.
#[track_caller]
pub fn refused<T: std::fmt::Debug>(result: Result<T, FederationError>) -> Code {
    result.expect_err("a refusal").code
}

/// The bytes that base64url spells.
pub fn bytes_of(text: &str) -> Vec<u8> {
    use base64::Engine;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(text).expect("base64url")
}

/// The outcome of the example, with another state.
pub fn outcome(state: TerminalState) -> Outcome {
    use proofmark::reference::federation::Digest;
    Outcome {
        terminal_state: state,
        result_digest: Digest::parse(RESULT_DIGEST).expect("a digest"),
        checkpoint_history_commitment: Digest::parse(HISTORY).expect("a digest"),
    }
}

/// An envelope ended in a state, with a receipt of the key of one of the [`SEEDS`] under the key id `key-a`.
pub fn signed_with(
    envelope: &Value,
    state: TerminalState,
    key: usize,
    created_at: &str,
    purpose: Purpose,
) -> TaskEnvelope {
    let seed: [u8; 32] = bytes_of(SEEDS[key]).try_into().expect("a seed");
    let created_at = Timestamp::parse(created_at).expect("a time");
    let signing = Signing { seed: &seed, key_id: "key-a", created_at: &created_at, purpose };
    issue(&decode(envelope).expect("an envelope"), &outcome(state), &signing).expect("issued")
}

/// As [`signed_with`], with key 0, at one time and for the right purpose.
pub fn signed(envelope: &Value, state: TerminalState) -> TaskEnvelope {
    signed_with(envelope, state, 0, "2026-08-23T00:00:00Z", Purpose::FederationEnvelope)
}
