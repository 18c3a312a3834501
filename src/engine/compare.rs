//! Structural comparison: where an answer differs from what was expected, by JSON Pointer.
//!
//! Documents are compared by bytes, whichever form they come in; other values as JSON, where 1
//! equals 1.0 and members have no order. What is kept of a difference is bounded.

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

use crate::adapter::document;
use crate::engine::pairing;
use crate::suite::operation::Places;

/// At most so many differences are told.
const TOLD: usize = 8;

/// So many bytes are shown on either side of the first byte that differs.
const AROUND: usize = 40;

/// A value longer than this as JSON text is shortened.
const SHOWN: usize = 2000;

/// One place where an answer differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// A JSON Pointer into the output; empty for the whole.
    pub at: String,
    /// What differs, a clause.
    pub what: String,
    /// What was expected there (an excerpt where it is long).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Value>,
    /// What was there (an excerpt where it is long).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub got: Option<Value>,
}

/// How much of an object must be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All of it.
    Whole,
    /// What was expected, and more may be there.
    Subset,
}

/// Where `got` is not equal to `expected`; empty where it is.
pub fn unequal(expected: &Value, got: &Value) -> Vec<Difference> {
    differences(expected, got, Scope::Whole, &Places::default())
}

/// Where `got` does not include `expected`; empty where it does.
pub fn not_included(expected: &Value, got: &Value) -> Vec<Difference> {
    differences(expected, got, Scope::Subset, &Places::default())
}

/// Where `got` is not as expected; `places` are compared in their own way.
pub fn differences(
    expected: &Value,
    got: &Value,
    scope: Scope,
    places: &Places,
) -> Vec<Difference> {
    let mut found = Vec::new();
    compare(expected, got, "", (scope, places), &mut found);
    found
}

fn is_below(at: &str, place: &str) -> bool {
    at.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Where two documents differ; `None` where they are the same bytes.
pub fn different_bytes(at: &str, expected: &[u8], got: &[u8]) -> Option<Difference> {
    if expected == got {
        return None;
    }
    let same = expected.iter().zip(got).take_while(|(one, other)| one == other).count();
    let what = match (expected.get(same), got.get(same)) {
        (Some(one), Some(other)) => {
            format!("byte {same} is {} where {} was expected", byte(*other), byte(*one))
        }
        (Some(_), None) => {
            format!("it ends after {} bytes, where {} were expected", got.len(), expected.len())
        }
        _ => format!("it goes on after the expected {} bytes", expected.len()),
    };
    Some(Difference {
        at: at.to_owned(),
        what,
        expected: Some(excerpt_around(expected, same)),
        got: Some(excerpt_around(got, same)),
    })
}

fn byte(byte: u8) -> String {
    if byte.is_ascii_graphic() {
        format!("0x{byte:02x} `{}`", char::from(byte))
    } else {
        format!("0x{byte:02x}")
    }
}

fn excerpt_around(bytes: &[u8], offset: usize) -> Value {
    let from = offset.saturating_sub(AROUND);
    let to = bytes.len().min(offset + AROUND);
    let mut text = String::from_utf8_lossy(bytes.get(from..to).unwrap_or_default()).into_owned();
    if from > 0 {
        text.insert(0, '…');
    }
    if to < bytes.len() {
        text.push('…');
    }
    Value::String(text)
}

fn compare(
    expected: &Value,
    got: &Value,
    at: &str,
    how: (Scope, &Places),
    found: &mut Vec<Difference>,
) {
    if found.len() >= TOLD {
        return;
    }
    let (scope, places) = how;
    if let Some(wanted) = document::sole_bytes(expected)
        && !places.json.iter().any(|place| is_below(at, place))
    {
        match document::bytes(got) {
            Some(bytes) => found.extend(different_bytes(at, &wanted, &bytes)),
            None => found.push(mismatch(at, "this is no document", expected, got)),
        }
        return;
    }
    match (expected, got) {
        (Value::Object(wanted), Value::Object(members)) => {
            for (name, value) in wanted {
                let below = document::pointer_to(at, name);
                match members.get(name) {
                    Some(member) => compare(value, member, &below, how, found),
                    None => found.push(Difference {
                        at: below,
                        what: "this member is missing".to_owned(),
                        expected: Some(shorten(value)),
                        got: None,
                    }),
                }
            }
            if scope == Scope::Whole {
                for (name, member) in members.iter().filter(|(name, _)| !wanted.contains_key(*name))
                {
                    found.push(Difference {
                        at: document::pointer_to(at, name),
                        what: "this member was not expected".to_owned(),
                        expected: None,
                        got: Some(shorten(member)),
                    });
                }
            }
        }
        (Value::Array(wanted), Value::Array(elements))
            if places.sets.iter().any(|place| place == at) =>
        {
            compare_sets(wanted, elements, at, how, found);
        }
        (Value::Array(wanted), Value::Array(elements)) => {
            for (index, (value, element)) in wanted.iter().zip(elements).enumerate() {
                compare(value, element, &format!("{at}/{index}"), how, found);
            }
            if wanted.len() != elements.len() {
                let what =
                    format!("{} elements where {} were expected", elements.len(), wanted.len());
                found.push(mismatch(at, &what, expected, got));
            }
        }
        (Value::Number(wanted), Value::Number(number)) if same_number(wanted, number) => {}
        _ if expected == got => {}
        _ => found.push(mismatch(at, "another value", expected, got)),
    }
}

/// Each expected element must be an element of its own; in a whole set no other element is left.
fn compare_sets(
    wanted: &[Value],
    elements: &[Value],
    at: &str,
    how: (Scope, &Places),
    found: &mut Vec<Difference>,
) {
    let (missing, left) = pairing::pair(wanted, elements, |index, element| {
        let mut differs = Vec::new();
        let Some(value) = wanted.get(index) else { return false };
        compare(value, element, &format!("{at}/{index}"), how, &mut differs);
        differs.is_empty()
    });
    let room = TOLD.saturating_sub(found.len());
    found.extend(missing.into_iter().take(room).map(|index| Difference {
        at: at.to_owned(),
        what: "an element is missing".to_owned(),
        expected: wanted.get(index).map(shorten),
        got: None,
    }));
    if how.0 == Scope::Whole {
        let room = TOLD.saturating_sub(found.len());
        found.extend(left.into_iter().take(room).map(|index| Difference {
            at: at.to_owned(),
            what: "an element was not expected".to_owned(),
            expected: None,
            got: elements.get(index).map(shorten),
        }));
    }
}

fn mismatch(at: &str, what: &str, expected: &Value, got: &Value) -> Difference {
    Difference {
        at: at.to_owned(),
        what: what.to_owned(),
        expected: Some(shorten(expected)),
        got: Some(shorten(got)),
    }
}

/// Whether two JSON numbers are the same number: integers exactly, others as doubles.
fn same_number(one: &Number, other: &Number) -> bool {
    if one == other {
        return true;
    }
    let integers = |number: &Number| number.is_i64() || number.is_u64();
    if integers(one) && integers(other) {
        return false;
    }
    match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}

/// A value with every long string, array and object cut to an excerpt that says so.
pub fn shorten(value: &Value) -> Value {
    let mut budget = SHOWN;
    cut(value, &mut budget)
}

fn cut(value: &Value, budget: &mut usize) -> Value {
    match value {
        Value::String(text) => {
            if text.len() <= *budget {
                *budget -= text.len();
                return value.clone();
            }
            let kept = (*budget).max(80);
            *budget = 0;
            let head: String = text.chars().take(kept).collect();
            if head.len() == text.len() {
                return value.clone();
            }
            Value::String(format!("{head}… ({} bytes)", text.len()))
        }
        Value::Array(elements) => {
            let mut kept = Vec::new();
            for element in elements {
                if *budget == 0 {
                    kept.push(Value::String(format!("… ({} elements)", elements.len())));
                    break;
                }
                *budget = budget.saturating_sub(2);
                kept.push(cut(element, budget));
            }
            Value::Array(kept)
        }
        Value::Object(members) => {
            let mut kept = serde_json::Map::new();
            for (name, member) in members {
                if *budget == 0 {
                    let note = Value::String(format!("({} members)", members.len()));
                    kept.insert("…".to_owned(), note);
                    break;
                }
                *budget = budget.saturating_sub(name.len() + 4);
                kept.insert(name.chars().take(SHOWN).collect(), cut(member, budget));
            }
            Value::Object(kept)
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn is_one_equal_to_one_point_nought() {
        assert!(unequal(&json!({"a": 1}), &json!({"a": 1.0})).is_empty());
        assert!(
            !unequal(&json!(9_007_199_254_740_993_u64), &json!(9_007_199_254_740_992_u64))
                .is_empty()
        );
        assert!(!unequal(&json!(1), &json!("1")).is_empty());
        assert!(!unequal(&json!(false), &json!(null)).is_empty());
    }

    #[test]
    fn are_documents_compared_by_bytes_whatever_their_form() {
        let expected = json!({"document": {"text": "a"}});
        assert!(unequal(&expected, &json!({"document": {"base64": "YQ=="}})).is_empty());
        let found = unequal(&expected, &json!({"document": {"text": "b"}}));
        assert_eq!(found[0].at, "/document");
        assert_eq!(found[0].what, "byte 0 is 0x62 `b` where 0x61 `a` was expected");
    }

    #[test]
    fn is_an_object_with_a_text_a_document_in_plain_json() {
        let (expected, got) = (json!({"a": {"text": "x"}}), json!({"a": {"text": "x", "b": 1}}));
        assert!(unequal(&expected, &got).is_empty());
        let json = |at: &str| Places { json: vec![at.to_owned()], sets: vec![] };
        let found = differences(&expected, &got, Scope::Whole, &json("/a"));
        assert_eq!(found[0].at, "/a/b");
        let base64 = json!({"a": {"base64": "eA=="}});
        assert!(!differences(&expected, &base64, Scope::Whole, &json("")).is_empty());
        assert!(differences(&expected, &base64, Scope::Whole, &json("/ab")).is_empty());
    }

    #[test]
    fn does_a_subset_admit_further_members_and_a_whole_not() {
        let (expected, got) = (json!({"a": {"b": 1}}), json!({"a": {"b": 1, "c": 2}, "d": 3}));
        assert!(not_included(&expected, &got).is_empty());
        let pointers: Vec<_> = unequal(&expected, &got).into_iter().map(|d| d.at).collect();
        assert_eq!(pointers, ["/a/c", "/d"]);
        assert!(!not_included(&json!([1]), &json!([1, 2])).is_empty());
    }

    #[test]
    fn is_a_set_compared_whatever_its_order() {
        let places = Places { json: vec![], sets: vec!["/s".to_owned()] };
        let held = |expected: Value, got: Value, scope| {
            differences(&json!({ "s": expected }), &json!({ "s": got }), scope, &places).is_empty()
        };
        assert!(held(json!(["a", "b"]), json!(["b", "a"]), Scope::Whole));
        assert!(!held(json!(["a", "b"]), json!(["b", "a", "a"]), Scope::Whole));
        assert!(held(json!(["b"]), json!(["a", "b"]), Scope::Subset));
        assert!(!held(json!(["b", "b"]), json!(["a", "b"]), Scope::Subset));
        let warnings = json!([{"at": "/x", "code": "1"}, {"at": "/y", "code": "2"}]);
        assert!(held(json!([{"at": "/y"}]), warnings.clone(), Scope::Subset));
        // The first fits both elements, the second only one of them.
        assert!(held(json!([{}, {"at": "/x"}]), warnings.clone(), Scope::Subset));
        assert!(!held(json!([{"at": "/x"}, {"at": "/x"}]), warnings, Scope::Subset));
    }

    #[test]
    fn is_a_huge_answer_kept_small() {
        let huge = json!({"document": {"text": "x".repeat(10_000_000)}});
        assert!(shorten(&huge).to_string().len() < 5000);
    }
}
