//! A manifest that has been read, seen as what it declares.
//!
//! Everything is a view of the text: a member is looked up when it is asked for. Before validation a member may be
//! absent or of another type; it then reads as empty.
//!
//! Depends on `tape` and `fault`.

use std::borrow::Cow;

use super::fault::{Code, Fault, refuse};
use super::tape::{Kind, Tape, Value};
use crate::reference::answer::Refusal;

/// A manifest's text, read strictly (section 5). It has not been validated: see [`validate`](super::validate).
#[derive(Debug)]
pub struct Manifest<'a> {
    tape: Tape<'a>,
}

impl<'a> Manifest<'a> {
    /// Reads a JSON object.
    ///
    /// # Errors
    ///
    /// The text is no UTF-8, no JSON or no object, holds a name twice in one object or a lone surrogate escape, begins
    /// with a byte order mark, nests deeper than [`DEPTH`](super::DEPTH) or is longer than 2^31 − 1 bytes.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Refusal> {
        let tape = Tape::read(bytes).map_err(|fault: Fault| fault.refusal())?;
        if tape.root().kind() != Kind::Object {
            return Err(refuse(Code::WrongType, "", "A manifest is a JSON object (section 5)."));
        }
        Ok(Manifest { tape })
    }

    pub(super) fn root(&self) -> Value<'_> {
        self.tape.root()
    }

    pub(super) fn tape(&self) -> &Tape<'a> {
        &self.tape
    }

    /// The elements of a top-level array.
    pub(super) fn list(&self, name: &str) -> impl Iterator<Item = Value<'_>> {
        self.root().get(name).into_iter().flat_map(Value::items)
    }

    /// The string `name` of the agent (section 4): `id`, `name`, `description` or `version`.
    pub fn agent(&self, name: &str) -> Cow<'_, str> {
        self.root().get("agent").map(|agent| text(agent, name)).unwrap_or_default()
    }

    /// The capabilities (section 4).
    pub fn capabilities(&self) -> impl Iterator<Item = Capability<'_>> {
        self.list("capabilities").enumerate().map(|(index, value)| Capability { index, value })
    }

    /// The capability of that id.
    pub fn capability(&self, id: &str) -> Option<Capability<'_>> {
        self.capabilities().find(|own| own.value.get("id").is_some_and(|own| own.is(id)))
    }

    /// The instructions and then the skills (section 4).
    pub fn resources(&self) -> impl Iterator<Item = Resource<'_>> {
        let of = |name| self.list(name).map(|value| Resource { value });
        of("instructions").chain(of("skills"))
    }

    /// The skills (section 4).
    pub fn skills(&self) -> impl Iterator<Item = Resource<'_>> {
        self.list("skills").map(|value| Resource { value })
    }

    /// The servers (section 7).
    pub fn servers(&self) -> impl Iterator<Item = Server<'_>> {
        self.list("mcpServers").map(|value| Server { value })
    }

    /// What is declared about A2A (section 8).
    pub fn a2a(&self) -> Option<A2a<'_>> {
        let value = self.root().get("a2a")?;
        Some(A2a { value })
    }

    /// The keys of `extensions`, each with whether it is marked as required: by `"required": true` in its object.
    pub fn extensions(&self) -> impl Iterator<Item = (Cow<'_, str>, bool)> {
        let members = self.root().get("extensions").into_iter().flat_map(Value::members);
        members.map(|(name, value)| {
            let required = value.get("required").and_then(Value::boolean) == Some(true);
            (name.string().unwrap_or_default(), required)
        })
    }
}

/// The string `name` of an object.
fn text<'m>(value: Value<'m>, name: &str) -> Cow<'m, str> {
    value.get(name).and_then(Value::string).unwrap_or_default()
}

/// The strings of the array `name` of an object, as values.
pub(super) fn strings<'m>(
    value: Value<'m>,
    name: &str,
) -> impl Iterator<Item = Value<'m>> + use<'m> {
    let items = value.get(name).into_iter().flat_map(Value::items);
    items.filter(|item| item.kind() == Kind::String)
}

/// One capability.
#[derive(Debug, Clone, Copy)]
pub struct Capability<'m> {
    index: usize,
    value: Value<'m>,
}

impl<'m> Capability<'m> {
    /// Its place in the array.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Its id.
    pub fn id(&self) -> Cow<'m, str> {
        text(self.value, "id")
    }

    /// Its description.
    pub fn description(&self) -> Cow<'m, str> {
        text(self.value, "description")
    }

    /// Whether it may be shown publicly: only `advertise: true` says so.
    pub fn is_advertised(&self) -> bool {
        self.value.get("advertise").and_then(Value::boolean) == Some(true)
    }

    /// The ids of the skills that it depends on.
    pub fn skill_refs(&self) -> impl Iterator<Item = Cow<'m, str>> + use<'m> {
        strings(self.value, "skillRefs").filter_map(Value::string)
    }

    /// Its tools, each as `server-id:tool-name`.
    pub fn tool_refs(&self) -> impl Iterator<Item = Cow<'m, str>> + use<'m> {
        strings(self.value, "toolRefs").filter_map(Value::string)
    }

    pub(super) fn value(&self) -> Value<'m> {
        self.value
    }
}

/// An instruction or a skill: a reference to a text that is not part of the manifest and not to be trusted.
#[derive(Debug, Clone, Copy)]
pub struct Resource<'m> {
    value: Value<'m>,
}

impl<'m> Resource<'m> {
    /// Its id.
    pub fn id(&self) -> Cow<'m, str> {
        text(self.value, "id")
    }

    /// Where it is.
    pub fn uri(&self) -> Cow<'m, str> {
        text(self.value, "uri")
    }

    /// Its digest, as declared.
    pub fn sha256(&self) -> Option<Cow<'m, str>> {
        self.value.get("sha256").and_then(Value::string)
    }

    pub(super) fn value(&self) -> Value<'m> {
        self.value
    }
}

/// An MCP server.
#[derive(Debug, Clone, Copy)]
pub struct Server<'m> {
    value: Value<'m>,
}

impl<'m> Server<'m> {
    /// Its id.
    pub fn id(&self) -> Cow<'m, str> {
        text(self.value, "id")
    }

    /// Its transport, as declared.
    pub fn transport(&self) -> Cow<'m, str> {
        text(self.value, "transport")
    }

    /// Its endpoint.
    pub fn endpoint(&self) -> Cow<'m, str> {
        text(self.value, "endpoint")
    }

    pub(super) fn value(&self) -> Value<'m> {
        self.value
    }
}

/// What is declared about A2A.
#[derive(Debug, Clone, Copy)]
pub struct A2a<'m> {
    value: Value<'m>,
}

impl<'m> A2a<'m> {
    /// Whether it is on.
    pub fn is_enabled(&self) -> bool {
        self.value.get("enabled").and_then(Value::boolean) == Some(true)
    }

    /// The agent's public endpoint.
    pub fn endpoint(&self) -> Cow<'m, str> {
        text(self.value, "endpoint")
    }

    /// The version of A2A that a card is to be made for.
    pub fn protocol_version(&self) -> Cow<'m, str> {
        text(self.value, "protocolVersion")
    }
}
