//! Carriers: an envelope on a task of A2A or MCP, and back.
//!
//! Four members are native: they ride in the transport's own fields. All others are the body, under the transport's
//! key. Rebuilding checks no signature; that is what [`verify_commitment`](super::verify_commitment) is for.
//!
//! Depends on `envelope`, `state`, `json` and `error`.

use super::bounds::Bounds;
use super::envelope::TaskEnvelope;
use super::error::{Code, FederationError};
use super::json::{self, Numbers, Object, Value};
use super::state::{State, Transport};

/// The members that a transport has fields of its own for.
const NATIVE: [&str; 4] =
    ["task_identity", "recovery_handle", "checkpoint_status", "terminal_state"];

/// Where a transport keeps things.
struct Homes {
    /// The task's identity.
    id: &'static str,
    /// The open object for extensions.
    extensions: &'static str,
    /// The profile's key in it.
    key: &'static str,
}

impl Transport {
    fn homes(self) -> Homes {
        match self {
            Transport::A2a => Homes {
                id: "id",
                extensions: "metadata",
                key: "https://example.com/extensions/federation",
            },
            Transport::Mcp => {
                Homes { id: "taskId", extensions: "_meta", key: "com.example/federation" }
            }
        }
    }

    /// The key of the profile's body on this transport.
    pub fn carrier_key(self) -> &'static str {
        self.homes().key
    }
}

/// Puts an envelope on a task of the transport; the carrier as canonical JSON.
///
/// # Errors
///
/// [`Code::FederationMappingConflict`] where the recovery handle is not the task's identity,
/// [`Code::InvalidConstraint`] where the envelope tells of no state, [`Code::FederationStateUnmappable`] where the
/// transport has no such state.
pub fn to_carrier(
    envelope: &TaskEnvelope,
    transport: Transport,
) -> Result<Vec<u8>, FederationError> {
    if envelope.recovery_handle != envelope.task_identity {
        return Err(Code::FederationMappingConflict.at(&["recovery_handle"]));
    }
    let state = envelope.state().ok_or_else(|| Code::InvalidConstraint.at(&["status", "state"]))?;
    let spelling = Value::string(transport.spell(state)?);
    let homes = transport.homes();
    let members = envelope.value().as_object().unwrap_or_default();
    let body = members.iter().filter(|(name, _)| !NATIVE.contains(&name.as_str())).cloned();
    let status = match transport {
        Transport::A2a => Value::object([("state", spelling)]),
        Transport::Mcp => spelling,
    };
    Ok(json::encode(&Value::object([
        (homes.id, Value::string(envelope.task_identity.as_str())),
        ("status", status),
        (homes.extensions, Value::object([(homes.key, Value::Object(body.collect()))])),
    ])))
}

/// Rebuilds the envelope that a task of the transport carries. Any JSON spelling of the carrier will do, and what the
/// profile has no place for is ignored.
///
/// # Errors
///
/// In this order: no JSON, or not an object; the task's identity; its state; the body, where it lies and that it
/// repeats no native member; the decoder's ceilings on the rebuilt envelope; and the rest as for decoding.
pub fn from_carrier(carrier: &[u8], transport: Transport) -> Result<TaskEnvelope, FederationError> {
    rebuild(read(carrier)?, transport)
}

/// The carrier's JSON, in any spelling.
pub(super) fn read(carrier: &[u8]) -> Result<Value, FederationError> {
    Ok(json::decode(carrier, &Bounds::of_carriers(), Numbers::Left)?)
}

/// An envelope being rebuilt.
struct Rebuilding {
    transport: Transport,
    carrier: Value,
    /// The envelope's members so far.
    members: Object,
}

/// One stage of rebuilding.
type Stage = fn(&mut Rebuilding) -> Result<(), FederationError>;

/// The stages before the rebuilt envelope is judged, in order.
const STAGES: [(&str, Stage); 5] = [
    ("the carrier is an object", is_object),
    ("the task's identity", identity),
    ("the task's state", state),
    ("the body", body),
    ("no native member twice", no_native_twice),
];

/// Rebuilds the envelope from a carrier that has been read.
pub(super) fn rebuild(
    carrier: Value,
    transport: Transport,
) -> Result<TaskEnvelope, FederationError> {
    let mut rebuilding = Rebuilding { transport, carrier, members: Vec::new() };
    STAGES.iter().try_for_each(|(_, stage)| stage(&mut rebuilding))?;
    TaskEnvelope::from_value(Value::Object(rebuilding.members))
}

fn is_object(rebuilding: &mut Rebuilding) -> Result<(), FederationError> {
    match rebuilding.carrier {
        Value::Object(_) => Ok(()),
        _ => Err(Code::InvalidType.at(&["carrier"])),
    }
}

fn identity(rebuilding: &mut Rebuilding) -> Result<(), FederationError> {
    let id = rebuilding.transport.homes().id;
    let id = text(&rebuilding.carrier, id, &[id])?;
    rebuilding.members = vec![
        ("task_identity".to_owned(), Value::string(id)),
        ("recovery_handle".to_owned(), Value::string(id)),
    ];
    Ok(())
}

fn state(rebuilding: &mut Rebuilding) -> Result<(), FederationError> {
    let state = state_of(&rebuilding.carrier, rebuilding.transport)?;
    let member = if state.is_terminal() { "terminal_state" } else { "checkpoint_status" };
    rebuilding.members.push((member.to_owned(), Value::string(state.name())));
    Ok(())
}

/// The state of a task of the transport.
pub(super) fn state_of(task: &Value, transport: Transport) -> Result<State, FederationError> {
    let path = transport.state_path();
    let spelling = match (transport, task.get("status")) {
        (Transport::Mcp, _) => text(task, "status", path)?,
        (Transport::A2a, None) => return Err(Code::MissingRequiredField.at(&["status"])),
        (Transport::A2a, Some(status @ Value::Object(_))) => text(status, "state", path)?,
        (Transport::A2a, Some(_)) => return Err(Code::InvalidType.at(path)),
    };
    transport.read(spelling)
}

fn body(rebuilding: &mut Rebuilding) -> Result<(), FederationError> {
    let Homes { extensions, key, .. } = rebuilding.transport.homes();
    let mut around = object(rebuilding.carrier.take(extensions), &[extensions])?;
    let body = around.iter_mut().find(|(name, _)| name == key);
    let body = body.map(|(_, body)| std::mem::replace(body, Value::Null));
    rebuilding.members.extend(object(body, &[extensions, key])?);
    Ok(())
}

/// How many members [`identity`] and [`state`] give the envelope.
const FROM_FIELDS: usize = 3;

fn no_native_twice(rebuilding: &mut Rebuilding) -> Result<(), FederationError> {
    let mut body = rebuilding.members.iter().skip(FROM_FIELDS);
    let twice = body.find_map(|(name, _)| NATIVE.into_iter().find(|native| native == name));
    match twice {
        Some(name) => Err(Code::FederationMappingConflict.at(&[name])),
        None => Ok(()),
    }
}

fn text<'a>(
    value: &'a Value,
    name: &str,
    path: &[&'static str],
) -> Result<&'a str, FederationError> {
    match value.get(name) {
        Some(Value::String(text)) => Ok(text),
        Some(_) => Err(Code::InvalidType.at(path)),
        None => Err(Code::MissingRequiredField.at(path)),
    }
}

fn object(value: Option<Value>, path: &[&'static str]) -> Result<Object, FederationError> {
    match value {
        Some(Value::Object(members)) => Ok(members),
        Some(_) => Err(Code::InvalidType.at(path)),
        None => Err(Code::MissingRequiredField.at(path)),
    }
}
