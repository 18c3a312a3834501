//! The laws of canonical JSON, digests and detached signatures.

pub mod model;
pub mod spelling;

mod canonical;
mod refusals;
mod signatures;

use serde_json::{Value, json};

use crate::adapter::document;
use crate::adapter::message::Reply;
use crate::laws::{Law, Next};

/// The laws of the suite.
pub const LAWS: &[Law] = &[
    canonical::IDEMPOTENT,
    canonical::BLIND_TO_SPELLING,
    canonical::BLIND_TO_WHITE_SPACE,
    canonical::BLIND_TO_MEMBER_ORDER,
    canonical::BLIND_TO_ESCAPES,
    canonical::BLIND_TO_NUMBER_NOTATION,
    canonical::KEEPS_THE_VALUE,
    canonical::BY_THE_RULES,
    refusals::NO_NAME_TWICE,
    refusals::ONE_FAULT_IS_ENOUGH,
    signatures::DIGEST_IFF_BYTES,
    signatures::DIGEST_OF_CANONICAL_BYTES,
    signatures::SIGNED_THEN_VERIFIED,
    signatures::ONE_SIGNATURE,
    signatures::ONE_BIT_IS_ENOUGH,
    signatures::ONE_BIT_OF_THE_KEY,
    signatures::ANOTHER_DOCUMENT,
];

/// The params of an operation on one document: the text that the input has under a name.
fn text(input: &Value, name: &str) -> Value {
    json!({ "document": { "text": input.get(name).cloned().unwrap_or_default() } })
}

/// The canonical bytes that a reply gives; otherwise what comes of the law.
fn canonical_bytes(reply: &Reply) -> Result<Vec<u8>, Next> {
    match reply {
        Reply::Ok(value) => value
            .get("document")
            .and_then(document::bytes)
            .map(std::borrow::Cow::into_owned)
            .ok_or_else(|| Next::Broken("the answer has no document".to_owned())),
        Reply::Refused(_) => Err(Next::Broken("a well-formed document was refused".to_owned())),
        _ => Err(Next::Silent),
    }
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().take(200).collect()
}

/// All numbers as doubles: 1 and 1.0 are one number, and so are 0 and -0.
pub(super) fn numbers(value: Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64().unwrap_or(0.0) + 0.0),
        Value::Array(elements) => elements.into_iter().map(numbers).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(name, member)| (name, numbers(member))).collect()
        }
        other => other,
    }
}
