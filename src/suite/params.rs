//! A case's params: JSON with documents, some of them built from pieces.
//!
//! A table whose only key is `build` stands for a document made of pieces, so that big and odd
//! inputs stay readable. It is put together only when it is sent: a corpus of thousands of cases
//! holds recipes, not megabytes.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::adapter::document;

/// A built document may have this many bytes.
const MAX_BUILT: usize = 1024 * 1024 * 1024;

/// A JSON value that may hold recipes for documents.
#[derive(Clone, Debug)]
pub struct Params {
    written: Value,
    /// Bytes of the built documents; 0 where there is nothing to build.
    built: usize,
}

/// One piece of a `build`; exactly one of the first five members is there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Piece {
    text: Option<String>,
    base64: Option<String>,
    hex: Option<String>,
    repeat: Option<String>,
    count: Option<String>,
    times: Option<usize>,
    join: Option<String>,
    width: Option<usize>,
    from: Option<usize>,
}

impl Params {
    /// Takes the value as written in a case and tries its recipes' shapes.
    ///
    /// # Errors
    /// On a recipe that is ill-formed or makes more than 1 GiB; with a JSON Pointer.
    pub fn new(written: Value) -> Result<Params, String> {
        let mut built = 0usize;
        measure(&written, "", &mut built)?;
        Ok(Params { written, built })
    }

    /// The value as it is sent, documents built and in the form that the protocol asks for.
    pub fn value(&self) -> Cow<'_, Value> {
        if self.built == 0 && !has_base64(&self.written) {
            return Cow::Borrowed(&self.written);
        }
        Cow::Owned(build(&self.written))
    }

    /// The value as written, recipes and all.
    pub fn written(&self) -> &Value {
        &self.written
    }

    /// How many bytes its recipes make.
    pub fn built_bytes(&self) -> usize {
        self.built
    }
}

fn recipe(value: &Value) -> Option<&Value> {
    let object = value.as_object()?;
    if object.len() == 1 { object.get("build") } else { None }
}

/// Whether a written value is a document whose text does not stand there as it is sent.
pub(crate) fn is_put_together(written: &Value) -> bool {
    written.as_object().is_some_and(|object| {
        object.len() == 1 && (object.contains_key("build") || object.contains_key("base64"))
    })
}

fn has_base64(value: &Value) -> bool {
    match value {
        Value::Object(members) => {
            members.contains_key("base64") || members.values().any(has_base64)
        }
        Value::Array(elements) => elements.iter().any(has_base64),
        _ => false,
    }
}

fn measure(value: &Value, at: &str, total: &mut usize) -> Result<(), String> {
    if let Some(pieces) = recipe(value) {
        let bytes = assemble(pieces, None).map_err(|what| format!("{what}, at {at}/build"))?;
        *total = total.saturating_add(bytes.max(1));
        if *total > MAX_BUILT {
            return Err(format!("documents of more than {MAX_BUILT} bytes are built"));
        }
        return Ok(());
    }
    match value {
        Value::Object(members) => members
            .iter()
            .try_for_each(|(name, member)| measure(member, &document::pointer_to(at, name), total)),
        Value::Array(elements) => elements
            .iter()
            .enumerate()
            .try_for_each(|(index, element)| measure(element, &format!("{at}/{index}"), total)),
        _ => Ok(()),
    }
}

fn build(value: &Value) -> Value {
    if let Some(pieces) = recipe(value) {
        let mut bytes = Vec::new();
        // Tried when the case was loaded: it can't fail here.
        let _ = assemble(pieces, Some(&mut bytes));
        return document::to_value(bytes);
    }
    if let Some(bytes) = document::sole_bytes(value) {
        return document::to_value(bytes.into_owned());
    }
    match value {
        Value::Object(members) => Value::Object(
            members
                .iter()
                .map(|(name, member)| (name.clone(), build(member)))
                .collect::<Map<_, _>>(),
        ),
        Value::Array(elements) => Value::Array(elements.iter().map(build).collect()),
        other => other.clone(),
    }
}

/// Counts the bytes that the pieces make, and writes them where `out` is given.
fn assemble(pieces: &Value, mut out: Option<&mut Vec<u8>>) -> Result<usize, String> {
    let pieces = pieces.as_array().ok_or("`build` is no array")?;
    let mut total = 0usize;
    for (index, piece) in pieces.iter().enumerate() {
        let piece = Piece::deserialize(piece).map_err(|error| format!("piece {index}: {error}"))?;
        let made =
            piece.make(out.as_deref_mut()).map_err(|what| format!("piece {index}: {what}"))?;
        total = total.saturating_add(made);
        if total > MAX_BUILT {
            return Err(format!("more than {MAX_BUILT} bytes"));
        }
    }
    Ok(total)
}

impl Piece {
    fn make(&self, out: Option<&mut Vec<u8>>) -> Result<usize, String> {
        let counts = self.times.is_some() || self.join.is_some();
        let numbers = self.width.is_some() || self.from.is_some();
        match (&self.text, &self.base64, &self.hex, &self.repeat, &self.count) {
            (Some(text), None, None, None, None) if !counts && !numbers => {
                Ok(put(out, text.as_bytes()))
            }
            (None, Some(text), None, None, None) if !counts && !numbers => {
                let bytes = STANDARD.decode(text).map_err(|error| format!("base64: {error}"))?;
                Ok(put(out, &bytes))
            }
            (None, None, Some(text), None, None) if !counts && !numbers => {
                Ok(put(out, &from_hex(text)?))
            }
            (None, None, None, Some(text), None) if !numbers => {
                self.repeated(text.len(), out, |_, out| out.extend_from_slice(text.as_bytes()))
            }
            (None, None, None, None, Some(text)) => {
                let width = self.width.unwrap_or(0).min(32);
                let from = self.from.unwrap_or(0);
                let longest = text.len().saturating_add(text.matches("{n}").count() * 32);
                self.repeated(longest, out, |index, out| {
                    let number = format!("{:0width$}", from.saturating_add(index));
                    out.extend_from_slice(text.replace("{n}", &number).as_bytes());
                })
            }
            _ => Err("a piece is exactly one of text, base64, hex, repeat (with times, join), \
                      count (with times, join, width, from)"
                .to_owned()),
        }
    }

    /// Counts with an upper bound of `each` bytes a turn where nothing is written.
    fn repeated(
        &self,
        each: usize,
        out: Option<&mut Vec<u8>>,
        turn: impl Fn(usize, &mut Vec<u8>),
    ) -> Result<usize, String> {
        let times = self.times.ok_or("`times` is missing")?;
        let join = self.join.as_deref().unwrap_or_default();
        let bound = times.saturating_mul(each.saturating_add(join.len()));
        if bound > 4 * MAX_BUILT {
            return Err(format!("more than {MAX_BUILT} bytes"));
        }
        if let Some(out) = out {
            for index in 0..times {
                if index > 0 {
                    out.extend_from_slice(join.as_bytes());
                }
                turn(index, out);
            }
        }
        Ok(bound.min(MAX_BUILT))
    }
}

fn put(out: Option<&mut Vec<u8>>, bytes: &[u8]) -> usize {
    if let Some(out) = out {
        out.extend_from_slice(bytes);
    }
    bytes.len()
}

/// Bytes from hexadecimal digits; blanks between bytes are passed over.
pub(super) fn from_hex(text: &str) -> Result<Vec<u8>, String> {
    let digits: Vec<u32> = text
        .chars()
        .filter(|character| *character != ' ')
        .map(|character| character.to_digit(16))
        .collect::<Option<_>>()
        .ok_or_else(|| format!("{text:?} is not hexadecimal"))?;
    if !digits.len().is_multiple_of(2) {
        return Err(format!("{text:?} has an odd number of digits"));
    }
    Ok(digits
        .chunks_exact(2)
        .map(|pair| pair.iter().fold(0u8, |byte, digit| byte << 4 | *digit as u8))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn document_of(pieces: Value) -> Value {
        Params::new(json!({ "document": { "build": pieces } }))
            .expect("a well-formed recipe")
            .value()["document"]
            .clone()
    }

    #[test]
    fn what_do_pieces_make() {
        let pieces = json!([
            {"text": "["}, {"repeat": "1", "times": 3, "join": ","}, {"text": ","},
            {"count": "\"k{n}\"", "times": 2, "join": ",", "width": 3, "from": 9}, {"hex": "5d 0A"},
        ]);
        assert_eq!(document_of(pieces), json!({"text": "[1,1,1,\"k009\",\"k010\"]\n"}));
        assert_eq!(document_of(json!([{"hex": "ff"}])), json!({"base64": "/w=="}));
    }

    #[test]
    fn is_a_document_sent_as_text_wherever_it_is_utf_8() {
        let params = Params::new(json!({"document": {"base64": "e30="}})).expect("no recipe");
        assert_eq!(*params.value(), json!({"document": {"text": "{}"}}));
    }

    #[test]
    fn are_ill_formed_recipes_refused() {
        for piece in [
            json!({"text": "a", "hex": "00"}),
            json!({"repeat": "a"}),
            json!({"hex": "0"}),
            json!({"text": "a", "times": 2}),
            json!({"odd": 1}),
            json!({"repeat": "aaaa", "times": 9_000_000_000_u64}),
        ] {
            let params = Params::new(json!({ "d": { "build": [piece] } }));
            assert!(params.is_err(), "{params:?}");
        }
    }
}
