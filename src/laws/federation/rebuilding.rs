//! Laws of tasks from which no envelope may be rebuilt.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::carriers::{self, NATIVE, STATES};
use super::carrying::{BOTH, on_a_transport, rebuild};
use super::envelopes::{
    DIGEST, canonical, differences, document, input, open, put, some_state, whole, with,
};
use super::faults;
use super::replies::{gives, judged, refused_as};
use crate::adapter::message::Reply;
use crate::laws::{Law, Next, Request};

pub(super) const NO_NATIVE_MEMBER_TWICE: Law = Law {
    id: "federation/no-native-member-twice",
    sentence: "A task whose body has a native member as well, saying the same or another thing, is a \
               federation_mapping_conflict.",
    requirements: &["FED-CAR-2"],
    role: "federation/codec",
    operations: &["federation.from_a2a", "federation.from_mcp"],
    inputs: a_native_member_twice,
    next: no_native_member_twice,
};

pub(super) const UNDER_ITS_OWN_KEY: Law = Law {
    id: "federation/under-its-own-key",
    sentence: "A body under the other transport's key is not found.",
    requirements: &["FED-CAR-1"],
    role: "federation/codec",
    operations: &["federation.from_a2a", "federation.from_mcp"],
    inputs: || on_a_transport(input(differences(), some_state())),
    next: under_its_own_key,
};

pub(super) const REFUSED_THROUGH_BOTH: Law = Law {
    id: "federation/refused-through-both",
    sentence: "What a decoder refuses an envelope for, both transports refuse a task for, with one code.",
    requirements: &["FED-CAR-1", "FED-ENV-24", "FED-COR-1"],
    role: "federation/codec",
    operations: &["federation.decode", "federation.from_a2a", "federation.from_mcp"],
    inputs: || {
        let states = super::envelopes::checkpoint(&["working", "input_required"]);
        let ended = super::receipts::ending_in(&["completed", "failed", "canceled"]);
        let state = prop_oneof![states, ended].boxed();
        with(input(differences(), state), "fault", faults::name())
    },
    next: refused_through_both,
};

pub(super) const CEILINGS_ON_CARRIERS: Law = Law {
    id: "federation/ceilings-on-carriers",
    sentence: "A task whose body is at the ceiling on string bytes or on items is rebuilt, and one beyond it is \
               refused with the ceiling's code.",
    requirements: &["FED-BND-1"],
    role: "federation/codec",
    operations: &["federation.from_a2a", "federation.from_mcp"],
    inputs: at_a_ceiling,
    next: ceilings_on_carriers,
};

pub(super) const STATUS_NEEDS_ITS_EVIDENCE: Law = Law {
    id: "federation/status-needs-its-evidence",
    sentence: "A task that says that it ended and carries no receipt, or carries one and says that it did not \
               end, is refused: no status makes a receipt.",
    requirements: &["FED-STA-4", "FED-ENV-25"],
    role: "federation/codec",
    operations: &["federation.from_a2a", "federation.from_mcp"],
    inputs: another_status,
    next: status_needs_its_evidence,
};

fn a_native_member_twice() -> BoxedStrategy<Value> {
    let twice = (prop::sample::select(NATIVE), any::<bool>())
        .prop_map(|(name, same)| json!({ "member": name, "same": same }));
    with(on_a_transport(input(differences(), some_state())), "twice", twice.boxed())
}

fn no_native_member_twice(input: &Value, replies: &[Reply]) -> Next {
    let transport = carriers::named(&input["transport"]);
    let envelope = whole(input);
    let Some(mut carrier) = transport.carrier(&envelope) else { return Next::Silent };
    let Some(name) = input["twice"]["member"].as_str() else { return Next::Silent };
    match replies {
        [] => {
            let own = envelope.get(name).filter(|_| input["twice"]["same"] == true).cloned();
            let body = &mut carrier[transport.extensions][transport.key];
            put(body, &json!({ name: own.unwrap_or(json!("working")) }));
            Next::Ask(vec![rebuild(transport, document(&carrier))])
        }
        [reply, ..] => {
            let what = format!("a task with {name} in its body");
            judged(refused_as(reply, "federation_mapping_conflict", &what))
        }
    }
}

fn under_its_own_key(input: &Value, replies: &[Reply]) -> Next {
    let transport = carriers::named(&input["transport"]);
    let envelope = whole(input);
    let Some(mut carrier) = transport.carrier(&envelope) else { return Next::Silent };
    match replies {
        [] => {
            carrier[transport.extensions] =
                json!({ transport.other().key: carriers::body(&envelope) });
            Next::Ask(vec![rebuild(transport, document(&carrier))])
        }
        [reply, ..] => {
            let what = format!("a body under {}", transport.other().key);
            judged(refused_as(reply, "missing_required_field", &what))
        }
    }
}

fn refused_through_both(input: &Value, replies: &[Reply]) -> Next {
    let Some(fault) = faults::named(&input["fault"]) else { return Next::Silent };
    if replies.is_empty() {
        let envelope = fault.into(whole(input));
        let decode = Request {
            operation: "federation.decode",
            params: json!({ "document": document(&envelope) }),
        };
        let carried = BOTH.into_iter().filter_map(|transport| {
            Some(rebuild(transport, document(&transport.carrier(&envelope)?)))
        });
        return Next::Ask(std::iter::once(decode).chain(carried).collect());
    }
    let ways = ["an envelope", "a task of A2A", "a task of MCP"];
    judged(ways.iter().zip(replies).try_for_each(|(way, reply)| {
        refused_as(reply, fault.code, &format!("{way} with {}", fault.name))
    }))
}

const STRING: usize = 100_000;
const ITEMS: usize = 10_000;

/// A claim of so many bytes, in characters of one, two or three; or so many proofs.
fn at_a_ceiling() -> BoxedStrategy<Value> {
    let near = |ceiling: usize| ceiling - 2..ceiling + 3;
    let strings = (near(STRING), prop::sample::select(&["x", "é", "汉"][..]))
        .prop_map(|(bytes, of)| json!({ "bytes": bytes, "of": of }));
    let items = near(ITEMS).prop_map(|items| json!({ "proofs": items }));
    (carriers::transport(), prop_oneof![7 => strings.boxed(), 1 => items.boxed()])
        .prop_map(|(transport, large)| json!({ "transport": transport, "large": large }))
        .boxed()
}

fn ceilings_on_carriers(input: &Value, replies: &[Reply]) -> Next {
    let transport = carriers::named(&input["transport"]);
    let large = &input["large"];
    let number = |name: &str| large[name].as_u64().and_then(|number| usize::try_from(number).ok());
    let (envelope, ceiling, beyond, what) = match (number("bytes"), number("proofs")) {
        (Some(bytes), _) => {
            let of = large["of"].as_str().unwrap_or("x");
            // A space, so that it looks like no secret.
            let ones = 1 + (bytes - 1) % of.len();
            let text = format!("{}{}", " ".repeat(ones), of.repeat((bytes - ones) / of.len()));
            let claims = json!([{ "kind": "correlation", "value": text }]);
            let but = json!({ "identity_mapping_evidence": { "claims": claims } });
            (but, "ceiling:string", bytes > STRING, format!("a text of {bytes} bytes"))
        }
        (None, Some(items)) => {
            let but = json!({ "authority_proof_references": vec![DIGEST; items] });
            (but, "ceiling:items", items > ITEMS, format!("a list of {items} elements"))
        }
        _ => return Next::Silent,
    };
    let mut envelope = open(&json!({ "but": envelope }));
    put(&mut envelope, &json!({ "checkpoint_status": "working", "checkpoint_commitment": DIGEST }));
    match (replies, beyond) {
        ([], _) => {
            let carrier = transport.carrier(&envelope).map(|carrier| document(&carrier));
            Next::Ask(carrier.map(|carrier| rebuild(transport, carrier)).into_iter().collect())
        }
        ([reply, ..], false) => match gives(reply, "canonical", &canonical(&envelope)) {
            Ok(()) => Next::Holds,
            Err(Next::Broken(_)) => Next::Broken(format!("{what} is not rebuilt")),
            Err(next) => next,
        },
        ([reply, ..], true) => judged(refused_as(reply, ceiling, &what)),
    }
}

fn another_status() -> BoxedStrategy<Value> {
    let states: Vec<&str> = STATES.iter().map(|(state, ..)| *state).collect();
    let state = prop::sample::select(states).prop_map(Value::from).boxed();
    with(on_a_transport(input(differences(), some_state())), "says", state)
}

fn status_needs_its_evidence(input: &Value, replies: &[Reply]) -> Next {
    let transport = carriers::named(&input["transport"]);
    let envelope = whole(input);
    let ended = |state: &str| super::receipts::TERMINAL.contains(&state);
    let (Some(own), Some(says)) = (carriers::state_of(&envelope), input["says"].as_str()) else {
        return Next::Silent;
    };
    let Some(spelling) = transport.spells(says).filter(|_| ended(own) != ended(says)) else {
        return Next::Silent;
    };
    match replies {
        [] => {
            let body = carriers::body(&envelope);
            let carrier = transport.task(&envelope["task_identity"], spelling, body);
            Next::Ask(vec![rebuild(transport, document(&carrier))])
        }
        [reply, ..] => {
            let what = format!("a task that says {spelling} with the body of one that is {own}");
            judged(refused_as(reply, "invalid_constraint", &what))
        }
    }
}
