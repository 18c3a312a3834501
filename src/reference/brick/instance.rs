//! A tape as the JSON Schema validator sees it, so that no second tree of the manifest is built.
//!
//! An error asks for the instance that it is about; it is given the value's number on the tape, which orders faults.
//! Every such question is counted, and past [`Errors::at_most`] arrays seem to end: the number of errors is bounded
//! however many elements are wrong.
//!
//! Depends on `jsonschema` and on `tape`.

use std::borrow::Cow;
use std::cell::Cell;

use jsonschema::JsonType;
use jsonschema::json::{Array, Json, JsonNumber, Node, NodeIdentity, Object};
use serde_json::{Number, Value as JsonValue};

use super::tape::{Items, Kind, Members, Value};

/// The representation.
pub(super) struct TapeJson;

/// One value.
#[derive(Clone, Copy)]
pub(super) struct Instance<'a> {
    what: What<'a>,
    errors: Option<&'a Errors>,
}

#[derive(Clone, Copy)]
enum What<'a> {
    Value(Value<'a>),
    Name(&'a str),
}

/// How many errors there have been, and after how many arrays end.
pub(super) struct Errors {
    found: Cell<usize>,
    most: usize,
}

impl Errors {
    pub fn at_most(most: usize) -> Self {
        Errors { found: Cell::new(0), most }
    }

    /// Whether arrays ended early.
    pub fn is_full(&self) -> bool {
        self.found.get() >= self.most
    }
}

impl<'a> Instance<'a> {
    pub fn new(value: Value<'a>, errors: &'a Errors) -> Self {
        Instance { what: What::Value(value), errors: Some(errors) }
    }

    fn value(&self) -> Option<Value<'a>> {
        match self.what {
            What::Value(value) => Some(value),
            What::Name(_) => None,
        }
    }

    fn with(&self, value: Value<'a>) -> Self {
        Instance { what: What::Value(value), errors: self.errors }
    }
}

impl Json for TapeJson {
    type Node<'a> = Instance<'a>;
    type PreparedKey = String;
    type StringBuffer = String;

    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>(
        buffer: &mut String,
        string: &str,
        f: impl FnOnce(Instance<'_>) -> T,
    ) -> T {
        buffer.clear();
        buffer.push_str(string);
        f(Instance { what: What::Name(buffer), errors: None })
    }
}

impl<'a> Node<'a, TapeJson> for Instance<'a> {
    type Object = Container<'a>;
    type Array = Container<'a>;
    type Number = Spelled<'a>;

    fn as_object(&self) -> Option<Container<'a>> {
        self.value().filter(|value| value.kind() == Kind::Object).map(|_| Container(*self))
    }

    fn as_array(&self) -> Option<Container<'a>> {
        self.value().filter(|value| value.kind() == Kind::Array).map(|_| Container(*self))
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match self.what {
            What::Value(value) => value.string(),
            What::Name(name) => Some(Cow::Borrowed(name)),
        }
    }

    fn as_number(&self) -> Option<Spelled<'a>> {
        let value = self.value().filter(|value| value.kind() == Kind::Number)?;
        Some(Spelled(value.raw()))
    }

    fn as_boolean(&self) -> Option<bool> {
        self.value()?.boolean()
    }

    fn is_null(&self) -> bool {
        self.json_type() == JsonType::Null
    }

    fn json_type(&self) -> JsonType {
        match self.value().map(Value::kind) {
            Some(Kind::Null) => JsonType::Null,
            Some(Kind::Boolean) => JsonType::Boolean,
            Some(Kind::Number) => JsonType::Number,
            Some(Kind::Array) => JsonType::Array,
            Some(Kind::Object) => JsonType::Object,
            Some(Kind::String) | None => JsonType::String,
        }
    }

    /// The schema compares with strings and booleans only; of anything else this is unequal.
    fn equals_value(&self, expected: &JsonValue) -> bool {
        match expected {
            JsonValue::String(text) => self.as_string().is_some_and(|own| own == text.as_str()),
            JsonValue::Bool(boolean) => self.as_boolean() == Some(*boolean),
            JsonValue::Null => self.is_null(),
            _ => false,
        }
    }

    fn to_value(&self) -> Cow<'a, JsonValue> {
        if let Some(errors) = self.errors {
            errors.found.set(errors.found.get() + 1);
        }
        Cow::Owned(JsonValue::from(self.value().map_or(0, Value::number)))
    }

    fn identity(&self) -> Option<NodeIdentity> {
        let value = self.value()?;
        Some(NodeIdentity::tagged(value.tape_address(), value.number()))
    }
}

/// An array or object.
#[derive(Clone, Copy)]
pub(super) struct Container<'a>(Instance<'a>);

impl<'a> Object<'a, TapeJson> for Container<'a> {
    type Node = Instance<'a>;
    type MemberName = Cow<'a, str>;
    type MembersIter = Named<'a>;

    fn len(&self) -> usize {
        self.0.value().map_or(0, |value| value.members().count())
    }

    fn get(&self, key: &String) -> Option<Instance<'a>> {
        Some(self.0.with(self.0.value()?.get(key)?))
    }

    fn members(&self) -> Named<'a> {
        Named { inner: self.0.value().map(Value::members), of: self.0 }
    }
}

impl<'a> Array<'a, TapeJson> for Container<'a> {
    type Node = Instance<'a>;
    type ElementsIter = Elements<'a>;

    fn len(&self) -> usize {
        self.0.value().map_or(0, |value| value.items().count())
    }

    fn elements(&self) -> Elements<'a> {
        Elements { inner: self.0.value().map(Value::items), of: self.0 }
    }
}

/// The members of an object.
pub(super) struct Named<'a> {
    inner: Option<Members<'a>>,
    of: Instance<'a>,
}

impl<'a> Iterator for Named<'a> {
    type Item = (Cow<'a, str>, Instance<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, value) = self.inner.as_mut()?.next()?;
        Some((name.string().unwrap_or_default(), self.of.with(value)))
    }
}

/// The elements of an array, up to where there have been errors enough.
pub(super) struct Elements<'a> {
    inner: Option<Items<'a>>,
    of: Instance<'a>,
}

impl<'a> Iterator for Elements<'a> {
    type Item = Instance<'a>;

    fn next(&mut self) -> Option<Instance<'a>> {
        if self.of.errors.is_some_and(Errors::is_full) {
            return None;
        }
        Some(self.of.with(self.inner.as_mut()?.next()?))
    }
}

/// A number, as the text spells it.
pub(super) struct Spelled<'a>(&'a str);

impl JsonNumber for Spelled<'_> {
    fn as_u64(&self) -> Option<u64> {
        self.0.parse().ok()
    }

    fn as_i64(&self) -> Option<i64> {
        self.0.parse().ok()
    }

    fn as_f64(&self) -> Option<f64> {
        self.0.parse().ok()
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.0)
    }

    fn to_number(&self) -> Cow<'_, Number> {
        let number = self.as_i64().map(Number::from);
        let number = number.or_else(|| self.as_f64().and_then(Number::from_f64));
        Cow::Owned(number.unwrap_or_else(|| Number::from(0)))
    }
}
