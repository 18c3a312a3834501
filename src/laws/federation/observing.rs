//! Laws of what a host may conclude from events.

use proptest::option;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::carriers;
use super::carrying::on_a_transport;
use super::envelopes::{differences, document, input, put, some_state, whole, with};
use super::receipts;
use super::replies::{judged, output};
use crate::adapter::message::Reply;
use crate::laws::{Law, Next, Request};

pub(super) const NOTHING_IS_AUTHORISED: Law = Law {
    id: "federation/nothing-is-authorised",
    sentence: "No event authorises anything; a task waits in input_required and auth_required alone; and only a \
               task that ended with its receipt on it is a terminal receipt, no request to cancel and no mere \
               status.",
    requirements: &["FED-STA-4", "FED-STA-5"],
    role: "federation/host",
    operations: &["federation.observe"],
    inputs: events,
    next: nothing_is_authorised,
};

pub(super) const TIME_POLICY_IS_THE_BOUND: Law = Law {
    id: "federation/time-policy-is-the-bound",
    sentence: "The bound on execution is the envelope's time_policy, on the task or held by the host, and none \
               where there is no envelope, whatever ttlMs says.",
    requirements: &["FED-TTL-1"],
    role: "federation/host",
    operations: &["federation.observe"],
    inputs: events,
    next: time_policy_is_the_bound,
};

/// What is seen: a task with its body, one without, or a request to cancel it; and whether the host
/// holds the envelope.
fn events() -> BoxedStrategy<Value> {
    let event = prop::sample::select(&["task", "bare task", "cancel", "cancel with a body"][..]);
    let ttl = option::of(prop_oneof![0u64..10_000_000, Just(1)]).prop_map(|ttl| json!(ttl));
    let input = on_a_transport(input(differences(), some_state()));
    let input = with(input, "event", event.prop_map(Value::from).boxed());
    let input = with(input, "ttlMs", ttl.boxed());
    with(input, "held", any::<bool>().prop_map(Value::from).boxed())
}

fn observe(input: &Value, envelope: &Value) -> Option<Request> {
    let transport = carriers::named(&input["transport"]);
    let task = transport.carrier(envelope)?;
    let cancel = |mut params: Value| {
        let method = if transport == carriers::MCP { "tasks/cancel" } else { "CancelTask" };
        if let Some(params) = params.as_object_mut() {
            params.remove("status");
        }
        json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
    };
    let mut bare = task.clone();
    if let Some(members) = bare.as_object_mut() {
        members.remove(transport.extensions);
    }
    let mut event = match input["event"].as_str()? {
        "task" => task,
        "bare task" => bare,
        "cancel" => cancel(bare),
        _ => cancel(task),
    };
    if transport == carriers::MCP && event.get("status").is_some() && !input["ttlMs"].is_null() {
        put(&mut event, &json!({ "ttlMs": input["ttlMs"] }));
    }
    let mut params = json!({ "transport": transport.name, "event": document(&event) });
    if input["held"] == true {
        params["envelope"] = document(envelope);
    }
    Some(Request { operation: "federation.observe", params })
}

fn nothing_is_authorised(input: &Value, replies: &[Reply]) -> Next {
    let envelope = whole(input);
    let [reply, ..] = replies else {
        return observe(input, &envelope).map_or(Next::Silent, |ask| Next::Ask(vec![ask]));
    };
    let state = carriers::state_of(&envelope).unwrap_or_default();
    let event = &input["event"];
    let shows_state = event == "task" || event == "bare task";
    let expected = [
        ("authorizes", false),
        ("terminal_receipt", event == "task" && receipts::TERMINAL.contains(&state)),
        ("interrupted", shows_state && matches!(state, "input_required" | "auth_required")),
    ];
    judged(output(reply).and_then(|output| {
        match expected.iter().find(|(name, wanted)| output[*name] != *wanted) {
            None => Ok(()),
            Some((name, wanted)) => Err(Next::Broken(format!(
                "{name} of the event {event} of a task that is {state} is {}, and must be {wanted}",
                output[*name]
            ))),
        }
    }))
}

fn time_policy_is_the_bound(input: &Value, replies: &[Reply]) -> Next {
    let envelope = whole(input);
    let [reply, ..] = replies else {
        return observe(input, &envelope).map_or(Next::Silent, |ask| Next::Ask(vec![ask]));
    };
    let known = input["held"] == true || input["event"] == "task";
    let expected = if known { envelope["time_policy"]["elapsed_ms"].clone() } else { json!(null) };
    // A body on a request to cancel is the sender's word; whether the host goes by it is left open.
    if !known && input["event"] == "cancel with a body" {
        return Next::Silent;
    }
    judged(output(reply).and_then(|output| {
        let got = &output["execution_bound_ms"];
        if *got == expected {
            return Ok(());
        }
        Err(Next::Broken(format!("the bound is told as {got}, and is {expected}")))
    }))
}
