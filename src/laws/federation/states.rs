//! Laws of states and their spellings.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::carriers::{self, STATES, Transport};
use super::envelopes::DIGEST;
use super::replies::{judged, output, refused, refused_as};
use crate::adapter::message::Reply;
use crate::laws::{Law, Next, Request};

pub(super) const THERE_AND_BACK: Law = Law {
    id: "federation/state-there-and-back",
    sentence: "A state that a transport has is translated into its word and back into itself, and one that it \
               has not is refused as federation_state_unmappable; it never becomes another.",
    requirements: &["FED-STA-1", "FED-STA-2"],
    role: "federation/codec",
    operations: &["federation.map_state"],
    inputs: a_state,
    next: there_and_back,
};

pub(super) const UNKNOWN_STATE: Law = Law {
    id: "federation/unknown-state",
    sentence: "A word that is none of a transport's for a state, however near, is refused, translated by itself \
               or read on a task.",
    requirements: &["FED-STA-3", "FED-STA-1"],
    role: "federation/codec",
    operations: &["federation.map_state", "federation.from_a2a", "federation.from_mcp"],
    inputs: near_a_state,
    next: unknown_state,
};

fn a_state() -> BoxedStrategy<Value> {
    let states: Vec<&str> = STATES.iter().map(|(state, ..)| *state).collect();
    let side = || prop::sample::select(&["logical", "a2a", "mcp"][..]);
    (prop::sample::select(states), side(), side())
        .prop_map(|(state, from, to)| json!({ "state": state, "from": from, "to": to }))
        .boxed()
}

/// The word of a side for a state.
fn word(side: &Value, state: &'static str) -> Option<&'static str> {
    if side == "logical" { Some(state) } else { carriers::named(side).spells(state) }
}

fn map(from: &Value, to: &Value, state: &Value) -> Request {
    let params = json!({ "from": from, "to": to, "state": state });
    Request { operation: "federation.map_state", params }
}

fn there_and_back(input: &Value, replies: &[Reply]) -> Next {
    let Some((state, ..)) = STATES.iter().find(|(state, ..)| input["state"] == *state) else {
        return Next::Silent;
    };
    let (from, to) = (&input["from"], &input["to"]);
    let Some(own) = word(from, state) else { return Next::Silent };
    let becomes = |reply: &Reply, from: &Value, own: &str, to: &Value, wanted: &str| {
        let got = &output(reply)?["state"];
        if got == wanted {
            return Ok(());
        }
        Err(Next::Broken(format!("{own} of {from} became {got} of {to}, and must become {wanted}")))
    };
    match (replies, word(to, state)) {
        ([], _) => Next::Ask(vec![map(from, to, &json!(own))]),
        ([there], Some(wanted)) => match becomes(there, from, own, to, wanted) {
            Ok(()) => Next::Ask(vec![map(to, from, &json!(wanted))]),
            Err(next) => next,
        },
        ([_, back, ..], Some(wanted)) => judged(becomes(back, to, wanted, from, own)),
        ([there, ..], None) => {
            let what = format!("{own} of {from} on its way to {to}");
            judged(refused_as(there, "federation_state_unmappable", &what))
        }
    }
}

/// Words that are near one of a transport's, or another's.
fn near_a_state() -> BoxedStrategy<Value> {
    let words: Vec<&str> = STATES
        .iter()
        .flat_map(|(own, a2a, mcp)| [Some(*own), Some(*a2a), *mcp])
        .flatten()
        .collect();
    let change = prop::sample::select(
        &["none", "lower", "upper", "doubled", "shortened", "space", "prefix", "hyphen"][..],
    );
    let near = (prop::sample::select(words), change, any::<prop::sample::Index>()).prop_map(
        |(word, change, at)| {
            let at = at.index(word.len());
            let (start, end) = word.split_at(at);
            match change {
                "lower" => word.to_lowercase(),
                "upper" => word.to_uppercase(),
                "doubled" => format!("{start}{}{end}", end.chars().next().unwrap_or('x')),
                "shortened" => format!("{start}{}", end.get(1..).unwrap_or_default()),
                "space" => format!("{word} "),
                "prefix" => word.trim_start_matches("TASK_STATE_").to_owned(),
                "hyphen" => word.replace('_', "-"),
                _ => word.to_owned(),
            }
        },
    );
    let odd = prop::sample::select(&["", "TASK_STATE_UNSPECIFIED", "unknown", "paused"][..]);
    let word = prop_oneof![8 => near, 1 => odd.prop_map(str::to_owned)];
    (carriers::transport(), word)
        .prop_map(|(transport, word)| json!({ "transport": transport, "word": word }))
        .boxed()
}

fn task(transport: Transport, word: &str) -> Value {
    let body = carriers::body(&super::envelopes::open(&json!({
        "but": { "checkpoint_commitment": DIGEST },
    })));
    transport.task(&json!("task"), word, body)
}

fn unknown_state(input: &Value, replies: &[Reply]) -> Next {
    let transport = carriers::named(&input["transport"]);
    let Some(word) = input["word"].as_str() else { return Next::Silent };
    if STATES.iter().any(|(state, ..)| transport.spells(state) == Some(word)) {
        return Next::Silent;
    }
    if replies.is_empty() {
        let carrier = super::envelopes::document(&task(transport, word));
        return Next::Ask(vec![
            map(&input["transport"], &json!("logical"), &input["word"]),
            super::carrying::rebuild(transport, carrier),
        ]);
    }
    let unspecified = word == "TASK_STATE_UNSPECIFIED" && transport == carriers::A2A;
    judged(["the state", "a task in the state"].iter().zip(replies).try_for_each(
        |(what, reply)| {
            let what = format!("{what} {word:?} of {}", transport.name);
            match unspecified {
                true => refused_as(reply, "federation_state_unmappable", &what),
                false => refused(reply, &what)
                    .and_then(|()| refused_as(reply, "invalid_constraint", &what)),
            }
        },
    ))
}
