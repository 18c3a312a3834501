//! Documents in messages: `{"text": "…"}`, or `{"base64": "…"}` where the bytes are not UTF-8.
//!
//! Hostile bytes so arrive untouched and can't break the framing. Depends on nothing in this crate.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// The bytes as the protocol sends them: `text` if they are valid UTF-8, `base64` otherwise.
pub fn to_value(bytes: Vec<u8>) -> Value {
    match String::from_utf8(bytes) {
        Ok(text) => json!({ "text": text }),
        Err(error) => json!({ "base64": STANDARD.encode(error.as_bytes()) }),
    }
}

/// The bytes of a document in either form; members other than `text` and `base64` are ignored.
///
/// `None` where the value is no document: no object, neither member or both, not a string, or
/// not RFC 4648 base64 with padding.
pub fn bytes(value: &Value) -> Option<Cow<'_, [u8]>> {
    let object = value.as_object()?;
    match (object.get("text"), object.get("base64")) {
        (Some(Value::String(text)), None) => Some(Cow::Borrowed(text.as_bytes())),
        (None, Some(Value::String(text))) => STANDARD.decode(text).ok().map(Cow::Owned),
        _ => None,
    }
}

/// The same, of a value that is a document and nothing else: what an expectation must look like
/// to be compared by bytes.
pub fn sole_bytes(value: &Value) -> Option<Cow<'_, [u8]>> {
    if value.as_object()?.len() == 1 { bytes(value) } else { None }
}

/// The value with every document in it in the form in which it is sent, whichever came.
pub fn as_sent(value: &Value) -> Value {
    if let Some(bytes) = bytes(value) {
        return to_value(bytes.into_owned());
    }
    match value {
        Value::Object(members) => Value::Object(
            members.iter().map(|(name, member)| (name.clone(), as_sent(member))).collect(),
        ),
        Value::Array(elements) => Value::Array(elements.iter().map(as_sent).collect()),
        other => other.clone(),
    }
}

/// The document members of an operation's output, with their JSON Pointers, outermost first.
pub fn within(output: &Value) -> Vec<(String, Cow<'_, [u8]>)> {
    let mut found = Vec::new();
    if let Value::Object(members) = output {
        for (name, value) in members {
            if let Some(document) = bytes(value) {
                found.push((pointer_to("", name), document));
            }
        }
    }
    found
}

/// The JSON Pointer (RFC 6901) of a member of what `parent` points to.
pub fn pointer_to(parent: &str, name: &str) -> String {
    let escaped = name.replace('~', "~0").replace('/', "~1");
    format!("{parent}/{escaped}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn do_bytes_that_are_not_utf_8_come_back_as_they_went() {
        for bytes_in in [&b"\xff\xfe"[..], b"", b"{}", "é".as_bytes(), b"\x00\xc3"] {
            let sent = to_value(bytes_in.to_vec());
            assert_eq!(bytes(&sent).as_deref(), Some(bytes_in));
        }
    }

    #[test]
    fn is_a_document_sent_on_in_the_form_that_the_protocol_asks_for() {
        let came = json!({"a": [{"base64": "e30=", "note": 1}], "b": {"base64": "/w=="}, "c": 1});
        let sent = json!({"a": [{"text": "{}"}], "b": {"base64": "/w=="}, "c": 1});
        assert_eq!(as_sent(&came), sent);
    }

    #[test]
    fn is_an_ambiguous_document_no_document() {
        assert_eq!(bytes(&json!({"text": "a", "base64": "YQ=="})), None);
        assert_eq!(bytes(&json!({"base64": "YQ"})), None);
        assert_eq!(bytes(&json!({"text": 1})), None);
        assert_eq!(bytes(&json!("a")), None);
        assert_eq!(bytes(&json!({"text": "a", "x": 1})).as_deref(), Some(&b"a"[..]));
        assert_eq!(sole_bytes(&json!({"text": "a", "x": 1})), None);
    }
}
