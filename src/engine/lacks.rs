//! Whether a string that must not be in an answer is anywhere in it.
//!
//! Looked through are member names and strings as they are, percent-decoded, and as JSON where they
//! are JSON themselves (a card in a document), and documents in base64. So neither an escape nor the
//! other form of a document hides it.

use std::borrow::Cow;

use serde_json::Value;

use crate::adapter::document;
use crate::engine::compare::Difference;

/// Strings within strings are looked into so often: percent-decoding, and JSON in JSON.
const LAYERS: usize = 4;

/// One difference for each of the strings that is in the answer.
pub(super) fn found(lacks: &[String], answer: &Value) -> Vec<Difference> {
    lacks
        .iter()
        .filter_map(|canary| {
            let at = find(canary, answer, "", LAYERS)?;
            Some(Difference {
                what: format!("{canary:?} is in it, and must not be"),
                expected: None,
                got: answer.pointer(&at).map(crate::engine::compare::shorten),
                at,
            })
        })
        .collect()
}

/// A JSON Pointer to the first string that holds the canary, or to the object of the member name.
fn find(canary: &str, value: &Value, at: &str, layers: usize) -> Option<String> {
    match value {
        Value::String(text) => is_in(canary, text, layers).then(|| at.to_owned()),
        Value::Array(elements) => elements
            .iter()
            .enumerate()
            .find_map(|(index, element)| find(canary, element, &format!("{at}/{index}"), layers)),
        Value::Object(members) => {
            let is_base64 = members.contains_key("base64");
            if is_base64
                && let Some(bytes) = document::bytes(value)
                && is_in(canary, &String::from_utf8_lossy(&bytes), layers)
            {
                return Some(at.to_owned());
            }
            members.iter().find_map(|(name, member)| {
                let below = document::pointer_to(at, name);
                if is_in(canary, name, layers) {
                    return Some(below);
                }
                find(canary, member, &below, layers)
            })
        }
        _ => None,
    }
}

fn is_in(canary: &str, text: &str, layers: usize) -> bool {
    if text.contains(canary) {
        return true;
    }
    if layers == 0 {
        return false;
    }
    if text.starts_with(['{', '[', '"'])
        && let Ok(json) = serde_json::from_str::<Value>(text)
        && find(canary, &json, "", layers - 1).is_some()
    {
        return true;
    }
    match percent_decoded(text) {
        Cow::Owned(decoded) => is_in(canary, &decoded, layers - 1),
        Cow::Borrowed(_) => false,
    }
}

fn percent_decoded(text: &str) -> Cow<'_, str> {
    let digit = |byte: Option<&u8>| char::from(*byte?).to_digit(16);
    let bytes = text.as_bytes();
    let mut decoded: Option<Vec<u8>> = None;
    let mut index = 0;
    while let Some(byte) = bytes.get(index) {
        let pair = (*byte == b'%')
            .then(|| Some(digit(bytes.get(index + 1))? << 4 | digit(bytes.get(index + 2))?))
            .flatten()
            .and_then(|byte| u8::try_from(byte).ok());
        match (pair, &mut decoded) {
            (Some(byte), None) => {
                let mut begun = bytes.get(..index).unwrap_or_default().to_vec();
                begun.push(byte);
                decoded = Some(begun);
            }
            (Some(byte), Some(decoded)) => decoded.push(byte),
            (None, Some(decoded)) => decoded.push(*byte),
            (None, None) => {}
        }
        index += if pair.is_some() { 3 } else { 1 };
    }
    match decoded {
        Some(decoded) => Cow::Owned(String::from_utf8_lossy(&decoded).into_owned()),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn where_can_a_canary_hide() {
        let canary = ["canary".to_owned()];
        for (answer, at) in [
            (json!("a canary sings"), ""),
            (json!({"a": ["x", "canary"]}), "/a/1"),
            (json!({"a": {"canary": 1}}), "/a/canary"),
            (json!({"card": {"text": "{\"a\": \"\\u0063anary\"}"}}), "/card/text"),
            (json!({"card": {"base64": "Y2FuYXJ5"}}), "/card"),
            (json!({"u": "x%63an%61ry"}), "/u"),
            (json!({"u": "%2563anary"}), "/u"),
        ] {
            let found = found(&canary, &answer);
            assert_eq!(found.first().map(|found| found.at.as_str()), Some(at), "{answer}");
        }
        for answer in [json!("Canary"), json!("can%ary"), json!(["can", "ary"]), json!(null)] {
            assert_eq!(found(&canary, &answer), vec![], "{answer}");
        }
    }
}
