//! What a host may conclude from something that it sees on a transport.
//!
//! Very little: no event authorises anything, a time to live is no bound on the execution, and a request to cancel or
//! its acknowledgement is no receipt, whatever state it names. A terminal receipt is one that rides on the task and
//! fits it; whether its signature verifies is for [`verify_commitment`](super::verify_commitment) to say.
//!
//! Depends on `carrier`, `envelope`, `digest`, `signature`, `state` and `json`.

use super::carrier;
use super::digest::Digest;
use super::envelope::TaskEnvelope;
use super::error::{Code, FederationError};
use super::json::Value;
use super::signature::Purpose;
use super::state::{State, Transport};

/// What may be concluded from an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Observation {
    /// Whether the event authorises anything: never.
    pub authorizes: bool,
    /// Whether the event carries a receipt of how the task ended.
    pub terminal_receipt: bool,
    /// Whether the task waits for somebody else.
    pub interrupted: bool,
    /// How long the execution may take, where that is known.
    pub execution_bound_ms: Option<u64>,
}

/// What an event is.
enum Event {
    /// A task, with all that rides on it.
    Task(Value),
    /// News of a task's state.
    Status(Value),
    /// A request, or an answer that shows no task.
    Other,
}

/// Observes an event of a transport: a task, a status update, a request or its answer, as on the wire. `held` is the
/// envelope that the host holds for the task; its time policy is the bound, before one that rides on the event.
///
/// # Errors
///
/// Where the event is no JSON object, names a state that the profile does not know, or carries a body from which no
/// envelope can be rebuilt.
pub fn observe(
    transport: Transport,
    event: &[u8],
    held: Option<&TaskEnvelope>,
) -> Result<Observation, FederationError> {
    let event = carrier::read(event)?;
    if event.as_object().is_none() {
        return Err(Code::InvalidType.at(&["event"]));
    }
    let (state, carried) = match classify(event, transport) {
        Event::Task(task) => {
            let state = carrier::state_of(&task, transport)?;
            let carries = carries_body(&task, transport);
            (Some(state), carries.then(|| carrier::rebuild(task, transport)).transpose()?)
        }
        Event::Status(update) => (Some(carrier::state_of(&update, transport)?), None),
        Event::Other => (None, None),
    };
    Ok(Observation {
        authorizes: false,
        terminal_receipt: carried.as_ref().is_some_and(has_fitting_receipt),
        interrupted: state.is_some_and(State::is_interrupted),
        execution_bound_ms: held.or(carried.as_ref()).map(|own| own.time_policy.elapsed_ms),
    })
}

/// Takes the event out of the message around it (JSON-RPC, or A2A's wrappers) and tells what it is.
fn classify(event: Value, transport: Transport) -> Event {
    let mut event = event;
    if let Some(method) = event.get("method") {
        // Only a notification shows a task; a request shows what somebody wants.
        let told = method.as_str().is_some_and(|method| method.starts_with("notifications/"));
        match event.take("params") {
            Some(params) if told => event = params,
            _ => return Event::Other,
        }
    } else if event.get("status").is_none()
        && let Some(result) = event.take("result")
    {
        event = result;
    }
    for wrapper in ["task", "statusUpdate"] {
        if let Some(inner @ Value::Object(_)) = event.take(wrapper)
            && event.get("status").is_none()
        {
            event = inner;
        }
    }
    match (transport, event.get("status")) {
        (_, None) => Event::Other,
        // An update names its task; a task has an id of its own.
        (Transport::A2a, Some(_)) if event.get("id").is_none() && event.get("taskId").is_some() => {
            Event::Status(event)
        }
        (Transport::A2a | Transport::Mcp, Some(_)) => Event::Task(event),
    }
}

fn carries_body(task: &Value, transport: Transport) -> bool {
    let extensions = match transport {
        Transport::A2a => task.get("metadata"),
        Transport::Mcp => task.get("_meta"),
    };
    extensions.is_some_and(|extensions| extensions.get(transport.carrier_key()).is_some())
}

/// Whether the envelope's receipt is of this envelope: its purpose and its two digests fit. Without keys no more can
/// be said.
fn has_fitting_receipt(envelope: &TaskEnvelope) -> bool {
    let fits = |own: Option<Digest>, declared: &Digest| {
        own.is_some_and(|own| own.matches(declared).is_ok())
    };
    envelope.evidence_receipt.as_ref().is_some_and(|receipt| {
        let attributes = &receipt.signature.attributes;
        attributes.purpose == Purpose::FederationEnvelope
            && fits(Some(envelope.content_digest()), &attributes.content_digest)
            && fits(envelope.terminal_commitment(), &receipt.terminal_commitment)
    })
}
