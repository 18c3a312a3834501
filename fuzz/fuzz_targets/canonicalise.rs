//! The reference canonicaliser against serde_json and serde_jcs, on any bytes.
//!
//! Where both accept, the bytes are equal and canonicalising them again changes nothing. They may differ in what they
//! accept in two respects only: the reference refuses duplicate names, and serde_json refuses 128 nested levels.
#![no_main]

use std::collections::HashSet;
use std::fmt;

use libfuzzer_sys::fuzz_target;
use proofmark::reference::jcs::{JcsErrorKind, canonicalise};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

fuzz_target!(|data: &[u8]| {
    let theirs = serde_json::from_slice::<Value>(data);
    match (canonicalise(data), theirs) {
        (Ok(canonical), theirs) => {
            assert_eq!(canonicalise(&canonical).as_deref(), Ok(&canonical[..]), "not idempotent");
            match theirs {
                Ok(value) => {
                    let expected = serde_jcs::to_vec(&value)
                        .expect("a value that has been read can be written");
                    assert_eq!(
                        String::from_utf8_lossy(&canonical),
                        String::from_utf8_lossy(&expected)
                    );
                }
                Err(error) => {
                    assert!(deepest(data) >= 128, "accepted what is refused with: {error}")
                }
            }
        }
        (Err(error), Ok(_)) => match error.kind {
            JcsErrorKind::DuplicateName(_) => {
                let strict = serde_json::from_slice::<Strict>(data);
                assert!(
                    strict.is_err_and(|error| error.is_data()),
                    "{error}, but all names differ"
                );
            }
            _ => panic!("refused what is accepted: {error}"),
        },
        (Err(error), Err(_)) => assert!(error.offset <= data.len(), "{error}"),
    }
});

/// The most arrays and objects that are open at once in a JSON text.
fn deepest(text: &[u8]) -> usize {
    let (mut depth, mut most) = (0usize, 0);
    let (mut string, mut escaped) = (false, false);
    for &byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => string = !string,
            b'[' | b'{' if !string => depth += 1,
            b']' | b'}' if !string => depth = depth.saturating_sub(1),
            _ => {}
        }
        most = most.max(depth);
    }
    most
}

/// Any JSON value in which no object has a name twice.
struct Strict;

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Strict;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON without duplicate names")
    }

    fn visit_unit<E>(self) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_str<E>(self, _: &str) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Strict, A::Error> {
        while elements.next_element::<Strict>()?.is_some() {}
        Ok(Strict)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Strict, A::Error> {
        let mut names = HashSet::new();
        while let Some((name, Strict)) = members.next_entry::<String, Strict>()? {
            if !names.insert(name) {
                return Err(A::Error::custom("a name twice"));
            }
        }
        Ok(Strict)
    }
}
