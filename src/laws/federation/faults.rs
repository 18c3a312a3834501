//! Envelopes a single fault away from valid ones, with the code that the profile has for the fault.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::envelopes::DIGEST;

/// A fault.
pub struct Fault {
    /// What is wrong, for inputs and reasons.
    pub name: &'static str,
    /// The profile's code.
    pub code: &'static str,
    /// Where it is put into a valid envelope: a pointer to the member.
    at: &'static str,
    put: Put,
}

/// What becomes of the member.
enum Put {
    /// It goes.
    Nothing,
    /// It is this JSON.
    Json(&'static str),
    /// It is this text, repeated.
    Text(&'static str, usize),
}

impl Fault {
    /// The envelope with the fault.
    pub fn into(&self, mut envelope: Value) -> Value {
        let Some((parent, name)) = self.at.rsplit_once('/') else { return envelope };
        let Some(Value::Object(members)) = envelope.pointer_mut(parent) else { return envelope };
        match &self.put {
            Put::Nothing => members.remove(name),
            Put::Json(text) => {
                let member = serde_json::from_str(&text.replace("DIGEST", DIGEST));
                members.insert(name.to_owned(), member.unwrap_or_default())
            }
            Put::Text(text, times) => members.insert(name.to_owned(), json!(text.repeat(*times))),
        };
        envelope
    }
}

const fn lacks(name: &'static str, at: &'static str) -> Fault {
    Fault { name, code: "missing_required_field", at, put: Put::Nothing }
}

const fn has(
    name: &'static str,
    code: &'static str,
    at: &'static str,
    json: &'static str,
) -> Fault {
    Fault { name, code, at, put: Put::Json(json) }
}

const fn reads(
    name: &'static str,
    code: &'static str,
    at: &'static str,
    text: &'static str,
    times: usize,
) -> Fault {
    Fault { name, code, at, put: Put::Text(text, times) }
}

const TYPE: &str = "invalid_type";
const CONSTRAINT: &str = "invalid_constraint";
const CARDINALITY: &str = "invalid_cardinality";
const UNKNOWN: &str = "unknown_member";
const SECRET: &str = "forbidden_portable_value";

/// Faults that an envelope can have whatever its state, in members that ride in a carrier's body.
pub const FAULTS: &[Fault] = &[
    has("an unknown member", UNKNOWN, "/note", "1"),
    has("an unknown member in time_policy", UNKNOWN, "/time_policy/note", "1"),
    has("an unknown member in resource_policy", UNKNOWN, "/resource_policy/elapsed_ms", "1"),
    has("an unknown member in a claim", UNKNOWN, "/identity_mapping_evidence/note", "1"),
    lacks("no issuer", "/issuer"),
    lacks("no idempotency_identity", "/idempotency_identity"),
    lacks("no blueprint_digest", "/blueprint_digest"),
    lacks("no time_policy", "/time_policy"),
    lacks("no authority_proof_references", "/authority_proof_references"),
    lacks("no markers", "/result_classification_ceiling/markers"),
    lacks("no tokens", "/resource_policy/tokens"),
    lacks("no claims", "/identity_mapping_evidence/claims"),
    has("a null subject", TYPE, "/subject", "null"),
    has("a null checkpoint_request", TYPE, "/checkpoint_request", "null"),
    has("a number as audience", TYPE, "/audience", "1"),
    has("a list as time_policy", TYPE, "/time_policy", "[]"),
    has("a number as digest", TYPE, "/deployment_digest", "1"),
    reads("an issuer in upper case", CONSTRAINT, "/issuer", "A", 1),
    reads("an empty issuer", CONSTRAINT, "/issuer", "", 1),
    reads("an issuer that begins with a full stop", CONSTRAINT, "/issuer", ".a", 1),
    reads("an issuer and a line feed", CONSTRAINT, "/issuer", "a\n", 1),
    reads("an issuer beyond ASCII", CONSTRAINT, "/issuer", "é", 1),
    reads("a subject of 513 bytes", CONSTRAINT, "/subject", "a-b", 171),
    reads("a digest without its tag", CONSTRAINT, "/result_schema", "A", 43),
    has("a digest with padding", CONSTRAINT, "/result_schema", r#""DIGEST=""#),
    has("a digest of another tag", CONSTRAINT, "/result_schema", r#""x:DIGEST""#),
    has(
        "a digest with a spare bit",
        CONSTRAINT,
        "/result_schema",
        r#""sha-256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB""#,
    ),
    has("no time at all", CONSTRAINT, "/time_policy/elapsed_ms", "0"),
    has("a negative time", CONSTRAINT, "/time_policy/elapsed_ms", "-1"),
    has("a time with a fraction", TYPE, "/time_policy/elapsed_ms", "1.5"),
    has("a time as a text", TYPE, "/time_policy/elapsed_ms", r#""1""#),
    has("a cost beyond 2^53 - 1", TYPE, "/resource_policy/cost", "9007199254740992"),
    has("true attempts", TYPE, "/resource_policy/attempts", "true"),
    has("an unknown level", CONSTRAINT, "/result_classification_ceiling/level", r#""secret""#),
    has("an unknown marker", CONSTRAINT, "/result_classification_ceiling/markers", r#"["gdpr"]"#),
    has(
        "a marker twice",
        CARDINALITY,
        "/result_classification_ceiling/markers",
        r#"["pci","pci"]"#,
    ),
    has("an empty list of claims", CARDINALITY, "/identity_mapping_evidence/claims", "[]"),
    has(
        "a claim without a value",
        CONSTRAINT,
        "/identity_mapping_evidence/claims",
        r#"[{"kind":"binding","value":""}]"#,
    ),
    has(
        "one value in two claims",
        CARDINALITY,
        "/identity_mapping_evidence/claims",
        r#"[{"kind":"binding","value":"x"},{"kind":"correlation","value":"x"}]"#,
    ),
    has(
        "a claim of authority",
        "nonportable_content",
        "/identity_mapping_evidence/claims",
        r#"[{"kind":"correlation","value":"x"},{"kind":"authority","value":"y"}]"#,
    ),
    has(
        "a PEM block in a claim",
        SECRET,
        "/identity_mapping_evidence/claims",
        r#"[{"kind":"binding","value":"-----BEGIN KEY-----"}]"#,
    ),
    has(
        "an address in a claim",
        SECRET,
        "/identity_mapping_evidence/claims",
        r#"[{"kind":"binding","value":"see https://a"}]"#,
    ),
    has("no build", CARDINALITY, "/compatibility_reference", "[]"),
    has(
        "a build without an identity",
        CONSTRAINT,
        "/compatibility_reference",
        r#"[{"name":"a","identity":""}]"#,
    ),
    has(
        "one name for two builds",
        CARDINALITY,
        "/compatibility_reference",
        r#"[{"name":"a","identity":"1"},{"name":"a","identity":"2"}]"#,
    ),
    has(
        "a secret in hexadecimal digits as a build's identity",
        SECRET,
        "/compatibility_reference",
        r#"[{"name":"a","identity":"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}]"#,
    ),
    has("a proof that is no digest", CONSTRAINT, "/authority_proof_references", r#"["x"]"#),
    has("a proof that is no text", TYPE, "/authority_proof_references", r#"["DIGEST",null]"#),
    has(
        "a request of an unknown kind",
        CONSTRAINT,
        "/checkpoint_request",
        r#"{"kind":"working","request_digest":"DIGEST"}"#,
    ),
    has(
        "a request without its digest",
        "missing_required_field",
        "/checkpoint_request",
        r#"{"kind":"input_required"}"#,
    ),
];

/// Faults in native members and across members: for decoding alone, of an envelope without a state and
/// without an initiating subject.
pub const ACROSS: &[Fault] = &[
    lacks("no task_identity", "/task_identity"),
    reads("a task_identity in upper case", CONSTRAINT, "/task_identity", "T", 1),
    has("a null recovery_handle", TYPE, "/recovery_handle", "null"),
    has("a parent without its initiator", CONSTRAINT, "/parent_execution_reference", r#""p""#),
    has("a status without its commitment", CONSTRAINT, "/checkpoint_status", r#""working""#),
    has("a commitment without its status", CONSTRAINT, "/checkpoint_commitment", r#""DIGEST""#),
    has("an ending without its receipt", CONSTRAINT, "/terminal_state", r#""completed""#),
    has("an unknown status", CONSTRAINT, "/checkpoint_status", r#""completed""#),
    has("an unknown ending", CONSTRAINT, "/terminal_state", r#""cancelled""#),
];

/// The name of one of [`FAULTS`].
pub fn name() -> BoxedStrategy<Value> {
    names(FAULTS)
}

/// The name of one of these faults.
pub fn names(faults: &'static [Fault]) -> BoxedStrategy<Value> {
    prop::sample::select(faults.iter().map(|fault| fault.name).collect::<Vec<_>>())
        .prop_map(Value::from)
        .boxed()
}

/// The fault of a name.
pub fn named(name: &Value) -> Option<&'static Fault> {
    FAULTS.iter().chain(ACROSS).find(|fault| *name == fault.name)
}
