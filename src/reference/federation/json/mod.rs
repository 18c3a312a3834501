//! JSON as the profile reads and writes it: a small ordered tree, a bounded decoder and the canonical form.
//!
//! Nothing here recurses on the depth of an input, and the depth of a tree is bounded when it is read.
//!
//! Depends on `bounds` and `error`, and for numbers on the canonical JSON layer.

mod decode;
mod encode;
mod string;

pub(super) use decode::{Numbers, decode};
pub(super) use encode::encode;

use super::error::Code;

/// A JSON value. Objects keep the order of the document; their names differ.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Null,
    Boolean(bool),
    /// An integer lexeme of magnitude 2^53 − 1 at most.
    Integer(i64),
    /// Every other number; finite.
    Float(f64),
    /// A number that the profile turns down, with the reason, where the decoder was told to leave that to others.
    Unfit(Code),
    String(String),
    Array(Vec<Value>),
    Object(Object),
}

/// The members of an object.
pub(super) type Object = Vec<(String, Value)>;

impl Value {
    /// A string.
    pub fn string(text: impl Into<String>) -> Self {
        Value::String(text.into())
    }

    /// An object.
    pub fn object<const N: usize>(members: [(&str, Value); N]) -> Self {
        Value::Object(members.map(|(name, value)| (name.to_owned(), value)).into())
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of an array.
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The members of an object.
    pub fn as_object(&self) -> Option<&[(String, Value)]> {
        match self {
            Value::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The member of that name, if this is an object that has one.
    pub fn get(&self, name: &str) -> Option<&Value> {
        get(self.as_object()?, name)
    }
}

impl Value {
    /// As [`get`](Self::get), to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        match self {
            Value::Object(members) => {
                members.iter_mut().find(|(own, _)| own == name).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// Takes the member of that name out and leaves a null.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        Some(std::mem::replace(self.get_mut(name)?, Value::Null))
    }
}

/// The member of that name.
pub(super) fn get<'a>(members: &'a [(String, Value)], name: &str) -> Option<&'a Value> {
    members.iter().find(|(own, _)| own == name).map(|(_, value)| value)
}
