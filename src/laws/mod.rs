//! Laws: properties that hold of every input, tried on generated ones through any adapter.
//!
//! A law is a table row: an id, a sentence, the requirements that it speaks for, a generator of inputs
//! and a function that says, of an input and the replies so far, what is to be asked next or what came
//! of it. It keeps no state and asks nothing itself, so the engine can have many inputs under way at
//! once, ask one again, and shrink it.
//!
//! May use `suite` and `adapter`; nothing of a subject but its replies.

pub mod federation;
pub mod jcs;
pub mod json;

use std::fmt;

use proptest::strategy::BoxedStrategy;
use serde_json::Value;

use crate::adapter::message::Reply;

/// A property over generated inputs.
#[derive(Clone, Copy)]
pub struct Law {
    /// `<suite>/<name>`; stable for ever.
    pub id: &'static str,
    /// The law, a sentence that an implementer understands.
    pub sentence: &'static str,
    /// The requirements that it speaks for; its level is the strictest of theirs.
    pub requirements: &'static [&'static str],
    /// The role in whose report it stands.
    pub role: &'static str,
    /// The operations that it asks. It is tried where the subject claims roles that have them all.
    pub operations: &'static [&'static str],
    /// Makes inputs, each a JSON value that people can read.
    pub inputs: fn() -> BoxedStrategy<Value>,
    /// What is next, of an input and the replies to all that was asked of it so far, in order.
    pub next: fn(&Value, &[Reply]) -> Next,
}

impl fmt::Debug for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Law").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Law {
    /// The file, below the working folder, in which a counterexample is kept.
    pub fn file(&self) -> String {
        format!(".proofmark/laws/{}.json", self.id.replace('/', "-"))
    }
}

/// What a law wants next.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// These requests, in any order or at once.
    Ask(Vec<Request>),
    /// It holds of this input.
    Holds,
    /// It says nothing of this input: the subject may turn it down.
    Silent,
    /// It is broken, and how, a sentence.
    Broken(String),
}

/// One request of a law.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The operation.
    pub operation: &'static str,
    /// Its params.
    pub params: Value,
}

impl Next {
    /// One request.
    pub fn ask(operation: &'static str, params: Value) -> Next {
        Next::Ask(vec![Request { operation, params }])
    }

    /// Broken where something does not hold.
    pub fn held(holds: bool, otherwise: impl FnOnce() -> String) -> Next {
        if holds { Next::Holds } else { Next::Broken(otherwise()) }
    }
}
