//! Documents as they travel in params and outputs: `{"text": …}` where the bytes are UTF-8, else `{"base64": …}`.
//!
//! Base64 is that of RFC 4648 section 4, read strictly: with padding, without white space, and with the unused bits
//! of the last digit zero. Depends on `serde_json` and `base64`.

use std::borrow::Cow;
use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::answer::Refusal;

/// Why a JSON value is no document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DocumentError {
    /// The value is not a JSON object.
    NotAnObject,
    /// The object has neither, or both, of `text` and `base64`.
    NotExactlyOne,
    /// The named member is not a string.
    NotAString(&'static str),
    /// The `base64` member is not strict, padded base64.
    Base64(String),
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DocumentError::NotAnObject => f.write_str("a document is an object"),
            DocumentError::NotExactlyOne => {
                f.write_str("a document has exactly one of the members `text` and `base64`")
            }
            DocumentError::NotAString(name) => write!(f, "the document's `{name}` is not a string"),
            DocumentError::Base64(reason) => {
                write!(f, "the document's `base64` is ill-formed: {reason}")
            }
        }
    }
}

impl std::error::Error for DocumentError {}

/// The bytes of a document. Members other than `text` and `base64` are ignored.
pub fn document_from_json(value: &Value) -> Result<Cow<'_, [u8]>, DocumentError> {
    let object = value.as_object().ok_or(DocumentError::NotAnObject)?;
    match (object.get("text"), object.get("base64")) {
        (Some(Value::String(text)), None) => Ok(Cow::Borrowed(text.as_bytes())),
        (None, Some(Value::String(digits))) => STANDARD
            .decode(digits)
            .map(Cow::Owned)
            .map_err(|error| DocumentError::Base64(error.to_string())),
        (Some(_), None) => Err(DocumentError::NotAString("text")),
        (None, Some(_)) => Err(DocumentError::NotAString("base64")),
        _ => Err(DocumentError::NotExactlyOne),
    }
}

/// A document as JSON: `text` if and only if the bytes are valid UTF-8.
pub fn document_to_json(bytes: Vec<u8>) -> Value {
    match String::from_utf8(bytes) {
        Ok(text) => json!({ "text": text }),
        Err(error) => json!({ "base64": STANDARD.encode(error.as_bytes()) }),
    }
}

/// The document that the params carry under `name`.
pub(crate) fn member<'a>(params: &'a Value, name: &str) -> Result<Cow<'a, [u8]>, Refusal> {
    let value =
        params.get(name).ok_or_else(|| Refusal::of_params(format!("the params lack `{name}`")))?;
    document_from_json(value).map_err(|error| Refusal::of_params(format!("`{name}`: {error}")))
}
