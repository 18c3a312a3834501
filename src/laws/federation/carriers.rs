//! Tasks that carry envelopes, by the profile's text.

use proptest::prelude::*;
use serde_json::{Value, json};

/// The members that ride in a transport's own fields.
pub const NATIVE: &[&str] =
    &["task_identity", "recovery_handle", "checkpoint_status", "terminal_state"];

/// A transport of tasks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transport {
    /// Its name in params.
    pub name: &'static str,
    /// The operation that puts an envelope on a task.
    pub to: &'static str,
    /// The operation that rebuilds it.
    pub from: &'static str,
    id: &'static str,
    /// The open object of a task.
    pub extensions: &'static str,
    /// The profile's key in it.
    pub key: &'static str,
}

/// A2A.
pub const A2A: Transport = Transport {
    name: "a2a",
    to: "federation.to_a2a",
    from: "federation.from_a2a",
    id: "id",
    extensions: "metadata",
    key: "https://example.com/extensions/federation",
};

/// MCP Tasks.
pub const MCP: Transport = Transport {
    name: "mcp",
    to: "federation.to_mcp",
    from: "federation.from_mcp",
    id: "taskId",
    extensions: "_meta",
    key: "com.example/federation",
};

/// Every state: the envelope's word, A2A's, and MCP's where it has one.
pub const STATES: &[(&str, &str, Option<&str>)] = &[
    ("submitted", "TASK_STATE_SUBMITTED", None),
    ("working", "TASK_STATE_WORKING", Some("working")),
    ("input_required", "TASK_STATE_INPUT_REQUIRED", Some("input_required")),
    ("auth_required", "TASK_STATE_AUTH_REQUIRED", None),
    ("completed", "TASK_STATE_COMPLETED", Some("completed")),
    ("failed", "TASK_STATE_FAILED", Some("failed")),
    ("canceled", "TASK_STATE_CANCELED", Some("cancelled")),
    ("rejected", "TASK_STATE_REJECTED", None),
];

/// Names of transports, for inputs.
pub fn transport() -> BoxedStrategy<Value> {
    prop::sample::select(&["a2a", "mcp"][..]).prop_map(Value::from).boxed()
}

/// The transport that an input names.
pub fn named(name: &Value) -> Transport {
    if name == MCP.name { MCP } else { A2A }
}

impl Transport {
    /// The other one.
    pub fn other(self) -> Transport {
        if self == A2A { MCP } else { A2A }
    }

    /// The transport's word for a state of the envelope's.
    pub fn spells(self, state: &str) -> Option<&'static str> {
        let (_, a2a, mcp) = STATES.iter().find(|(own, ..)| *own == state)?;
        if self == A2A { Some(a2a) } else { *mcp }
    }

    /// A status of this spelling.
    pub fn status(self, spelling: &str) -> Value {
        if self == A2A { json!({ "state": spelling }) } else { json!(spelling) }
    }

    /// The task of an envelope whose state crosses. Its recovery handle has to be its identity.
    pub fn carrier(self, envelope: &Value) -> Option<Value> {
        let spelling = self.spells(state_of(envelope)?)?;
        Some(self.task(&envelope["task_identity"], spelling, body(envelope)))
    }

    /// A task of these parts.
    pub fn task(self, id: &Value, spelling: &str, body: Value) -> Value {
        json!({
            self.id: id,
            "status": self.status(spelling),
            self.extensions: { self.key: body },
        })
    }
}

/// The state that an envelope tells of.
pub fn state_of(envelope: &Value) -> Option<&str> {
    let member = |name: &str| envelope.get(name).and_then(Value::as_str);
    member("terminal_state").or_else(|| member("checkpoint_status"))
}

/// An envelope without its native members.
pub fn body(envelope: &Value) -> Value {
    let members = envelope.as_object().cloned().unwrap_or_default();
    members.into_iter().filter(|(name, _)| !NATIVE.contains(&name.as_str())).collect()
}
