//! Valid task envelopes of every shape that the profile admits, each as a small one of fixed values and
//! what is different in it: a counterexample so shrinks to the members that matter.
//!
//! An input has `but`, the members that differ, and `state`: nothing, a checkpoint, or how the task
//! ended (see `receipts`).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::receipts;
use crate::laws::jcs::model;
use crate::laws::json as any_json;

/// A digest that stands for anything.
pub const DIGEST: &str = "sha-256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// The greatest integer that the profile admits.
const GREATEST: u64 = 9_007_199_254_740_991;

/// The envelope in which members differ.
fn plain() -> Value {
    json!({
        "task_identity": "task", "idempotency_identity": "once", "recovery_handle": "task",
        "blueprint_digest": DIGEST, "deployment_digest": DIGEST, "input_commitment": DIGEST,
        "result_schema": DIGEST,
        "result_classification_ceiling": {"level": "public", "markers": []},
        "time_policy": {"elapsed_ms": 1},
        "resource_policy": {"attempts": 1, "concurrency": 1, "tokens": 1, "cost": 1},
        "issuer": "issuer", "subject": "subject", "audience": "audience",
        "identity_mapping_evidence": {"claims": [{"kind": "correlation", "value": "x"}]},
        "compatibility_reference": [{"name": "build", "identity": "1"}],
        "authority_proof_references": [],
    })
}

/// The envelope of an input without its state.
pub fn open(input: &Value) -> Value {
    let mut envelope = plain();
    put(&mut envelope, &input["but"]);
    envelope
}

/// The envelope of an input, with its checkpoint or its signed receipt.
pub fn whole(input: &Value) -> Value {
    let state = &input["state"];
    if state.get("terminal_state").is_some() {
        return receipts::ended(&open(input), state);
    }
    let mut envelope = open(input);
    put(&mut envelope, state);
    envelope
}

/// Sets members of an object.
pub fn put(object: &mut Value, members: &Value) {
    if let (Some(object), Some(members)) = (object.as_object_mut(), members.as_object()) {
        object.extend(members.clone());
    }
}

/// The canonical text of a value.
pub fn canonical(value: &Value) -> String {
    model::of_value(value)
}

/// The document of a value's canonical text, as params have it.
pub fn document(value: &Value) -> Value {
    json!({ "text": canonical(value) })
}

/// Members that differ, of an envelope that can be put on a task.
pub fn differences() -> BoxedStrategy<Value> {
    vec(difference(), 0..14).prop_map(merged).boxed()
}

/// The same where a task's recovery handle may be another than its identity.
pub fn loose_differences() -> BoxedStrategy<Value> {
    let handle = identifier().prop_map(|handle| json!({ "recovery_handle": handle }));
    vec(prop_oneof![16 => difference(), 1 => handle], 0..14).prop_map(merged).boxed()
}

fn merged(differences: Vec<Value>) -> Value {
    let members = differences.into_iter().filter_map(|members| match members {
        Value::Object(members) => Some(members),
        _ => None,
    });
    members
        .fold(Map::new(), |mut all, members| {
            all.extend(members);
            all
        })
        .into()
}

/// What one valid envelope may have other than another.
pub fn difference() -> BoxedStrategy<Value> {
    let named = |names: &'static [&'static str], value: BoxedStrategy<Value>| {
        (prop::sample::select(names), value).prop_map(|(name, value)| json!({ name: value }))
    };
    let value_of = |text: BoxedStrategy<String>| text.prop_map(Value::from).boxed();
    prop_oneof![
        identifier().prop_map(|id| json!({ "task_identity": id, "recovery_handle": id })),
        named(
            &["idempotency_identity", "issuer", "subject", "audience", "initiating_subject"],
            value_of(identifier()),
        ),
        (identifier(), identifier()).prop_map(|(parent, initiator)| {
            json!({ "parent_execution_reference": parent, "initiating_subject": initiator })
        }),
        named(
            &["blueprint_digest", "deployment_digest", "input_commitment", "result_schema"],
            value_of(digest()),
        ),
        (level(), markers()).prop_map(|(level, markers)| {
            json!({ "result_classification_ceiling": { "level": level, "markers": markers } })
        }),
        positive().prop_map(|elapsed| json!({ "time_policy": { "elapsed_ms": elapsed } })),
        (positive(), positive(), positive(), positive()).prop_map(
            |(attempts, width, tokens, cost)| {
                json!({ "resource_policy": {
                "attempts": attempts, "concurrency": width, "tokens": tokens, "cost": cost,
            } })
            }
        ),
        claims().prop_map(|claims| json!({ "identity_mapping_evidence": { "claims": claims } })),
        builds().prop_map(|builds| json!({ "compatibility_reference": builds })),
        proofs().prop_map(|proofs| json!({ "authority_proof_references": proofs })),
        (prop::sample::select(&["input_required", "auth_required"][..]), digest()).prop_map(
            |(kind, digest)| {
                json!({ "checkpoint_request": { "kind": kind, "request_digest": digest } })
            }
        ),
    ]
    .boxed()
}

/// A checkpoint in one of these states.
pub fn checkpoint(states: &'static [&'static str]) -> BoxedStrategy<Value> {
    (prop::sample::select(states), digest())
        .prop_map(|(status, commitment)| {
            json!({ "checkpoint_status": status, "checkpoint_commitment": commitment })
        })
        .boxed()
}

/// The states of a task under way.
pub const UNDER_WAY: &[&str] = &["submitted", "working", "input_required", "auth_required"];

/// Any state, or none.
pub fn any_state() -> BoxedStrategy<Value> {
    prop_oneof![Just(json!({})), checkpoint(UNDER_WAY), receipts::ending()].boxed()
}

/// A state, with which an envelope can be put on a task.
pub fn some_state() -> BoxedStrategy<Value> {
    prop_oneof![checkpoint(UNDER_WAY), receipts::ending()].boxed()
}

/// An input of members that differ and a state.
pub fn input(but: BoxedStrategy<Value>, state: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    (but, state).prop_map(|(but, state)| json!({ "but": but, "state": state })).boxed()
}

/// An input with a member more.
pub fn with(
    input: BoxedStrategy<Value>,
    name: &'static str,
    value: BoxedStrategy<Value>,
) -> BoxedStrategy<Value> {
    (input, value)
        .prop_map(move |(mut input, value)| {
            input[name] = value;
            input
        })
        .boxed()
}

/// Identifiers, short ones and some up to the 512 bytes; a long one is a label by its hyphen.
pub fn identifier() -> BoxedStrategy<String> {
    let first = prop::sample::select(&b"abz09"[..]);
    let rest = vec(prop::sample::select(&b"az09-_."[..]), 0..12);
    let short = (first, rest)
        .prop_map(|(first, rest)| {
            std::iter::once(first).chain(rest).map(char::from).collect::<String>()
        })
        .boxed();
    let long = prop_oneof![Just(512usize), 30usize..512]
        .prop_map(|length| format!("a-{}", "b".repeat(length - 2)));
    prop_oneof![15 => short, 1 => long].boxed()
}

/// Texts that are not empty and look like no secret and no address.
pub fn label() -> BoxedStrategy<String> {
    any_json::text()
        .prop_filter("neither empty nor an address", |text| {
            !text.is_empty() && !text.starts_with("//")
        })
        .boxed()
}

/// Tagged digests.
pub fn digest() -> BoxedStrategy<String> {
    any::<[u8; 32]>().prop_map(|bytes| format!("sha-256:{}", URL_SAFE_NO_PAD.encode(bytes))).boxed()
}

fn positive() -> BoxedStrategy<u64> {
    prop_oneof![1u64..1000, Just(GREATEST), 1..=GREATEST].boxed()
}

fn level() -> BoxedStrategy<&'static str> {
    prop::sample::select(&["public", "internal", "confidential", "restricted"][..]).boxed()
}

fn markers() -> BoxedStrategy<Value> {
    prop::sample::select(vec![
        json!([]),
        json!(["pci"]),
        json!(["phi"]),
        json!(["pci", "phi"]),
        json!(["phi", "pci"]),
    ])
    .boxed()
}

fn claims() -> BoxedStrategy<Vec<Value>> {
    vec((prop::sample::select(&["correlation", "binding"][..]), label()), 1..4)
        .prop_map(|claims| {
            let mut seen = Vec::new();
            let distinct = claims.into_iter().filter(|(_, value)| {
                let new = !seen.contains(value);
                seen.push(value.clone());
                new
            });
            distinct.map(|(kind, value)| json!({ "kind": kind, "value": value })).collect()
        })
        .boxed()
}

fn builds() -> BoxedStrategy<Vec<Value>> {
    vec((identifier(), label()), 1..4)
        .prop_map(|builds| {
            let mut seen = Vec::new();
            let distinct = builds.into_iter().filter(|(name, _)| {
                let new = !seen.contains(name);
                seen.push(name.clone());
                new
            });
            distinct.map(|(name, identity)| json!({ "name": name, "identity": identity })).collect()
        })
        .boxed()
}

/// Digests that may repeat.
fn proofs() -> BoxedStrategy<Vec<String>> {
    (vec(digest(), 0..3), any::<bool>())
        .prop_map(|(mut proofs, twice)| {
            if twice {
                proofs.extend(proofs.first().cloned());
            }
            proofs
        })
        .boxed()
}
