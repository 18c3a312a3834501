//! What an operation of the reference answers, and how an operation is listed.
//!
//! Depends on `serde_json` and on the document binding beside it.

use serde_json::{Value, json};

use super::document::{document_to_json, member};

/// The outcome of one operation: its output, or the reason why the input was turned down.
///
/// The reference never answers `unsupported` or `fault` by itself; those belong to the adapter around it.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The operation's output; `Value::Null` where it has none.
    Ok(Value),
    /// The input was read and turned down.
    Refused(Refusal),
}

/// Why an input was turned down.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refusal {
    /// A short name for the reason: the specification's own where it has codes, else free.
    pub code: Option<String>,
    /// A JSON Pointer (RFC 6901) to the place in the document that was turned down.
    pub at: Option<String>,
    /// The reason in words.
    pub message: Option<String>,
    /// Where an operation reports all that is wrong: every fault, the one above among them. Else empty.
    pub faults: Vec<Fault>,
}

/// One of the faults of a refusal, or a warning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// A short name for it.
    pub code: String,
    /// A JSON Pointer (RFC 6901) to its place.
    pub at: String,
    /// The same in words.
    pub message: Option<String>,
}

impl Fault {
    /// The fault as the adapter protocol spells it.
    pub fn to_json(&self) -> Value {
        let mut members = serde_json::Map::new();
        members.insert("code".to_owned(), self.code.clone().into());
        members.insert("at".to_owned(), self.at.clone().into());
        if let Some(message) = &self.message {
            members.insert("message".to_owned(), message.clone().into());
        }
        Value::Object(members)
    }
}

impl Refusal {
    /// A refusal of the params themselves: a member is missing or ill-formed.
    pub fn of_params(message: impl Into<String>) -> Self {
        Refusal {
            code: Some("params".to_owned()),
            message: Some(message.into()),
            ..Refusal::default()
        }
    }

    /// The refusal as the adapter protocol spells it; absent members are left out.
    pub fn to_json(&self) -> Value {
        let members = [("code", &self.code), ("at", &self.at), ("message", &self.message)];
        let present = members
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), Value::from(value.clone()?))));
        let mut present: serde_json::Map<_, _> = present.collect();
        if let Some(faults) = self.faults_json() {
            present.insert("faults".to_owned(), faults);
        }
        Value::Object(present)
    }

    /// The faults as the adapter protocol spells them, where there are any.
    pub fn faults_json(&self) -> Option<Value> {
        let faults = || self.faults.iter().map(Fault::to_json).collect();
        (!self.faults.is_empty()).then(faults)
    }
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Self {
        Answer::Refused(refusal)
    }
}

impl From<Result<Value, Refusal>> for Answer {
    fn from(result: Result<Value, Refusal>) -> Self {
        match result {
            Ok(value) => Answer::Ok(value),
            Err(refusal) => Answer::Refused(refusal),
        }
    }
}

/// One operation that the reference offers over the adapter protocol.
#[derive(Debug, Clone, Copy)]
pub struct Operation {
    /// The operation's name on the wire, such as `jcs.canonicalize`.
    pub name: &'static str,
    /// Carries it out. Ill-formed params are refused; it never panics.
    pub run: fn(&Value) -> Answer,
}

/// `echo`: gives the document back byte for byte. It belongs to no role and lets an adapter be judged.
pub const ECHO: Operation = Operation { name: "echo", run: echo };

fn echo(params: &Value) -> Answer {
    match member(params, "document") {
        Ok(bytes) => Answer::Ok(json!({ "document": document_to_json(bytes.into_owned()) })),
        Err(refusal) => refusal.into(),
    }
}
