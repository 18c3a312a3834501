//! The canonical form of a value (RFC 8785).
//!
//! Depends on the canonical JSON layer for the spelling of doubles.

use super::{Value, string};
use crate::reference::jcs;

/// What is left to be written.
enum Todo<'a> {
    Value(&'a Value),
    Items(std::slice::Iter<'a, Value>),
    Members(std::vec::IntoIter<&'a (String, Value)>),
}

/// The canonical bytes of a value. A number that the profile turns down is written as `null`; what has such a number
/// is refused before anything is encoded.
pub(in super::super) fn encode(value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    let mut stack = vec![Todo::Value(value)];
    while let Some(todo) = stack.pop() {
        match todo {
            Todo::Value(Value::Array(items)) => {
                out.push(b'[');
                stack.push(Todo::Items(items.iter()));
            }
            Todo::Value(Value::Object(members)) => {
                out.push(b'{');
                let mut sorted: Vec<_> = members.iter().collect();
                sorted.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
                stack.push(Todo::Members(sorted.into_iter()));
            }
            Todo::Value(scalar) => write_scalar(scalar, &mut out),
            Todo::Items(mut items) => match items.next() {
                Some(item) => {
                    separate(b'[', &mut out);
                    stack.extend([Todo::Items(items), Todo::Value(item)]);
                }
                None => out.push(b']'),
            },
            Todo::Members(mut members) => match members.next() {
                Some((name, value)) => {
                    separate(b'{', &mut out);
                    string::write(name, &mut out);
                    out.push(b':');
                    stack.extend([Todo::Members(members), Todo::Value(value)]);
                }
                None => out.push(b'}'),
            },
        }
    }
    out
}

/// A comma, unless the container has only just been opened.
fn separate(opening: u8, out: &mut Vec<u8>) {
    if out.last() != Some(&opening) {
        out.push(b',');
    }
}

fn write_scalar(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Boolean(true) => out.extend_from_slice(b"true"),
        Value::Boolean(false) => out.extend_from_slice(b"false"),
        Value::Integer(integer) => out.extend_from_slice(integer.to_string().as_bytes()),
        Value::Float(float) => out.extend_from_slice(&float_spelling(*float)),
        Value::String(text) => string::write(text, out),
        Value::Null | Value::Unfit(_) | Value::Array(_) | Value::Object(_) => {
            out.extend_from_slice(b"null");
        }
    }
}

/// A finite double as ECMAScript spells it.
fn float_spelling(float: f64) -> Vec<u8> {
    // `{:?}` of a finite double is a JSON number that reads back as the same double.
    jcs::canonicalise(format!("{float:?}").as_bytes()).unwrap_or_default()
}
