//! JSON from outside, read so that no two readers see two things: a name twice in one object is refused.
//!
//! Nesting is bounded by `serde_json` at 128 levels.
//!
//! Depends on `serde` and `serde_json`.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Reads JSON; the reason in words where it is none.
pub(super) fn read(bytes: &[u8]) -> Result<Value, String> {
    let once: Result<Once, _> = serde_json::from_slice(bytes);
    once.map(|once| once.0).map_err(|error| error.to_string())
}

/// A value in which no object has a name twice.
struct Once(Value);

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reading).map(Once)
    }
}

struct Reading;

impl<'de> Visitor<'de> for Reading {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(Once(item)) = items.next_element()? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((name, Once(value))) = members.next_entry::<String, Once>()? {
            if object.insert(name.clone(), value).is_some() {
                return Err(A::Error::custom(format!("the name {name:?} twice")));
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_a_name_twice_refused_and_all_else_read() {
        let text = r#"{"a": [1, -2, 3.5, "x\n", null, true], "b": {"a": {}}}"#;
        assert_eq!(read(text.as_bytes()), Ok(serde_json::from_str(text).expect("JSON")));
        assert!(read(br#"{"a": 1, "a": 1}"#).is_err());
        assert!(read(br#"[{"a": 1, "\u0061": 1}]"#).is_err());
        assert!(read("[".repeat(100_000).as_bytes()).is_err());
        assert!(read(b"{} x").is_err());
    }
}
