//! Laws of envelopes on their way through tasks.

use proptest::collection::btree_map;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::carriers::{self, A2A, MCP, Transport};
use super::decoding::spelled;
use super::envelopes::{
    any_state, canonical, differences, document, input, loose_differences, some_state, whole, with,
};
use super::replies::{document_of, gives, judged, refused, refused_as, shown};
use crate::adapter::document as bytes;
use crate::adapter::message::Reply;
use crate::laws::json as any_json;
use crate::laws::{Law, Next, Request};

pub(super) const CARRIED_AS_TOLD: Law = Law {
    id: "federation/carried-as-told",
    sentence: "An envelope with a state that the transport has becomes a task with its identity, its state and \
               its other members under the transport's key; any other is refused.",
    requirements: &["FED-CAR-1", "FED-CAR-2", "FED-STA-1", "FED-STA-2"],
    role: "federation/codec",
    operations: &["federation.to_a2a", "federation.to_mcp"],
    inputs: || on_a_transport(input(loose_differences(), any_state())),
    next: carried_as_told,
};

pub(super) const THROUGH_BOTH: Law = Law {
    id: "federation/through-both-transports",
    sentence: "An envelope that goes through one transport and then through the other has the bytes that it \
               began with.",
    requirements: &["FED-CAR-3", "FED-CAR-5"],
    role: "federation/codec",
    operations: &[
        "federation.to_a2a",
        "federation.from_a2a",
        "federation.to_mcp",
        "federation.from_mcp",
    ],
    inputs: || on_a_transport(input(differences(), some_state())),
    next: through_both,
};

pub(super) const ANY_SPELLING_OF_A_CARRIER: Law = Law {
    id: "federation/any-spelling-of-a-carrier",
    sentence: "From a task in any spelling of its JSON (white space, the order of members, escapes) the same \
               envelope is rebuilt.",
    requirements: &["FED-CAR-4"],
    role: "federation/codec",
    operations: &["federation.from_a2a", "federation.from_mcp"],
    inputs: spelled_carrier,
    next: any_spelling,
};

pub(super) const STRANGERS_ARE_PASSED_OVER: Law = Law {
    id: "federation/strangers-are-passed-over",
    sentence: "Whatever other members a task, its status and its metadata have, ttlMs among them, the same \
               envelope is rebuilt.",
    requirements: &["FED-CAR-4", "FED-TTL-1"],
    role: "federation/codec",
    operations: &["federation.from_a2a", "federation.from_mcp"],
    inputs: with_strangers,
    next: strangers,
};

/// The input, and a transport.
pub(super) fn on_a_transport(input: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    with(input, "transport", carriers::transport())
}

/// Asks for the envelope on a task.
pub(super) fn carry(transport: Transport, envelope: Value) -> Request {
    Request { operation: transport.to, params: json!({ "envelope": envelope }) }
}

/// Asks for the envelope of a task.
pub(super) fn rebuild(transport: Transport, carrier: Value) -> Request {
    Request { operation: transport.from, params: json!({ "carrier": carrier }) }
}

fn carried_as_told(input: &Value, replies: &[Reply]) -> Next {
    let transport = carriers::named(&input["transport"]);
    let envelope = whole(input);
    let [reply, ..] = replies else {
        return Next::Ask(vec![carry(transport, document(&envelope))]);
    };
    let two_handles = envelope["recovery_handle"] != envelope["task_identity"];
    let state = carriers::state_of(&envelope);
    let crosses = state.is_some_and(|state| transport.spells(state).is_some());
    let what = |why: &str| format!("an envelope {why}");
    match (two_handles, state, transport.carrier(&envelope)) {
        (true, Some(_), _) if crosses => judged(refused_as(
            reply,
            "federation_mapping_conflict",
            &what("whose recovery_handle is not its task_identity"),
        )),
        (true, ..) => judged(refused(reply, &what("with two faults"))),
        (false, None, _) => {
            judged(refused_as(reply, "invalid_constraint", &what("without a state")))
        }
        (false, Some(state), None) => judged(refused_as(
            reply,
            "federation_state_unmappable",
            &what(&format!("in the state {state}")),
        )),
        (false, Some(_), Some(expected)) => judged(document_of(reply, "carrier").and_then(|got| {
            let value: Option<Value> = serde_json::from_slice(&got).ok();
            if value.as_ref() == Some(&expected) {
                return Ok(());
            }
            let got = shown(&String::from_utf8_lossy(&got));
            Err(Next::Broken(format!(
                "it gave {got}, and must give {}",
                shown(&canonical(&expected))
            )))
        })),
    }
}

fn through_both(input: &Value, replies: &[Reply]) -> Next {
    let first = carriers::named(&input["transport"]);
    let envelope = whole(input);
    if first.carrier(&envelope).is_none() {
        return Next::Silent;
    }
    let crosses = first.other().carrier(&envelope).is_some();
    let text = canonical(&envelope);
    let carrier = |reply: &Reply| document_of(reply, "carrier").map(bytes::to_value);
    let next = match replies {
        [] => Ok(carry(first, json!({ "text": text }))),
        [sent] => carrier(sent).map(|carrier| rebuild(first, carrier)),
        [_, rebuilt] => match gives(rebuilt, "canonical", &text) {
            Ok(()) if crosses => Ok(carry(first.other(), json!({ "text": text }))),
            Ok(()) => return Next::Holds,
            Err(next) => Err(next),
        },
        [_, _, sent] => carrier(sent).map(|carrier| rebuild(first.other(), carrier)),
        [.., rebuilt] => return judged(gives(rebuilt, "canonical", &text)),
    };
    next.map_or_else(|next| next, |request| Next::Ask(vec![request]))
}

fn spelled_carrier() -> BoxedStrategy<Value> {
    let way = prop::sample::select(&["space", "order", "escapes"][..]);
    let choices = any_json::choices().prop_map(|choices| json!(choices));
    let input = on_a_transport(input(differences(), some_state()));
    with(with(input, "choices", choices.boxed()), "way", way.prop_map(Value::from).boxed())
}

fn any_spelling(input: &Value, replies: &[Reply]) -> Next {
    let transport = carriers::named(&input["transport"]);
    let envelope = whole(input);
    let Some(carrier) = transport.carrier(&envelope) else { return Next::Silent };
    match replies {
        [] => {
            let text = spelled(&carrier, input);
            Next::Ask(vec![rebuild(transport, json!({ "text": text }))])
        }
        [reply, ..] => judged(gives(reply, "canonical", &canonical(&envelope))),
    }
}

/// Members that transports have beside those of the profile, and some that nobody has.
fn with_strangers() -> BoxedStrategy<Value> {
    let name = prop::sample::select(
        &["ttlMs", "createdAt", "contextId", "history", "statusMessage", "message", "note", ""][..],
    );
    let value = prop_oneof![
        Just(json!(null)),
        Just(json!({})),
        (0u32..100_000).prop_map(|number| json!(number)),
        any_json::text().prop_map(Value::from),
        Just(json!({ "time_policy": { "elapsed_ms": 1 }, "terminal_state": "completed" })),
    ];
    let members = || btree_map(name.clone().prop_map(str::to_owned), value.clone(), 0..4);
    let strangers = (members(), members(), members()).prop_map(
        |(task, status, metadata)| json!({ "task": task, "status": status, "metadata": metadata }),
    );
    let input = on_a_transport(input(differences(), some_state()));
    with(input, "strangers", strangers.boxed())
}

fn strangers(input: &Value, replies: &[Reply]) -> Next {
    let transport = carriers::named(&input["transport"]);
    let envelope = whole(input);
    let Some(mut carrier) = transport.carrier(&envelope) else { return Next::Silent };
    match replies {
        [] => {
            let strangers = &input["strangers"];
            super::envelopes::put(&mut carrier, &strangers["task"]);
            super::envelopes::put(&mut carrier[transport.extensions], &strangers["metadata"]);
            // The status of MCP is a text.
            super::envelopes::put(&mut carrier["status"], &strangers["status"]);
            Next::Ask(vec![rebuild(transport, document(&carrier))])
        }
        [reply, ..] => judged(gives(reply, "canonical", &canonical(&envelope))),
    }
}

/// Both transports.
pub(super) const BOTH: [Transport; 2] = [A2A, MCP];
