//! The judge's own reading of a document with YAML front matter: what a subject wrote is held against
//! what any reader makes of it, not against the subject's own.
//!
//! The front matter stands between a first line `---` and the next line `---`, and is read as YAML
//! 1.2.2 with its core schema: quoted scalars are strings, plain ones are what the schema says.
//! Duplicate keys, aliases, anchors, tags other than `!!str` and a second YAML document make it
//! unreadable: readers differ on them.

use std::collections::HashSet;

use saphyr_parser::{Event, Parser, ScalarStyle, Tag};
use serde_json::{Map, Number, Value};

/// Front matter of more bytes than this is not judged.
const MAX_BYTES: usize = 8 * 1024 * 1024;

/// Collections within one another, at most.
const MAX_DEPTH: usize = 64;

/// A document as it was read.
pub(super) struct Read {
    /// The mapping.
    pub members: Map<String, Value>,
    /// What follows the line that closes the front matter.
    pub body: String,
}

/// Reads a document.
///
/// # Errors
/// Why it has no front matter that every reader reads alike, a clause.
pub(super) fn read(document: &[u8]) -> Result<Read, String> {
    let text = std::str::from_utf8(document).map_err(|_| "it is not UTF-8".to_owned())?;
    let (front, body) = split(text)?;
    if front.len() > MAX_BYTES {
        return Err(format!("its front matter has more than {MAX_BYTES} bytes"));
    }
    match value(front)? {
        Value::Object(members) => Ok(Read { members, body: body.to_owned() }),
        _ => Err("its front matter is no mapping".to_owned()),
    }
}

/// The text between the fences, and what is behind the second.
fn split(text: &str) -> Result<(&str, &str), String> {
    let is_fence = |line: &str| line.trim_end_matches([' ', '\t', '\r', '\n']) == "---";
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|line| is_fence(line)).ok_or("it does not begin with ---")?;
    let mut at = first.len();
    for line in lines {
        let after = at + line.len();
        if is_fence(line) {
            let front = text.get(first.len()..at).unwrap_or_default();
            return Ok((front, text.get(after..).unwrap_or_default()));
        }
        at = after;
    }
    Err("its front matter is not closed by ---".to_owned())
}

/// A collection that is being read.
enum Open {
    Sequence(Vec<Value>),
    Mapping { members: Map<String, Value>, keys: HashSet<String>, key: Option<String> },
}

fn value(front: &str) -> Result<Value, String> {
    let mut open: Vec<Open> = Vec::new();
    let mut whole: Option<Value> = None;
    let mut documents = 0;
    for event in Parser::new_from_str(front) {
        let (event, span) =
            event.map_err(|error| format!("its front matter is no YAML: {error}"))?;
        let at = |what: &str| format!("line {} of its front matter has {what}", span.start.line());
        let done = match event {
            Event::Alias(_) => return Err(at("an alias")),
            Event::DocumentStart(_) => {
                documents += 1;
                if documents > 1 {
                    return Err(at("a second document"));
                }
                None
            }
            Event::SequenceStart(anchor, tag) | Event::MappingStart(anchor, tag)
                if anchor != 0 || tag.is_some() =>
            {
                return Err(at("an anchor or a tag"));
            }
            Event::SequenceStart(..) => {
                open.push(Open::Sequence(Vec::new()));
                None
            }
            Event::MappingStart(..) => {
                let (members, keys) = (Map::new(), HashSet::new());
                open.push(Open::Mapping { members, keys, key: None });
                None
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(Open::Sequence(elements)) => Some(Value::Array(elements)),
                Some(Open::Mapping { members, .. }) => Some(Value::Object(members)),
                None => None,
            },
            Event::Scalar(text, style, anchor, tag) => {
                let is_string = tag.as_deref().is_some_and(is_string_tag);
                if anchor != 0 || tag.is_some() && !is_string {
                    return Err(at("an anchor or a tag"));
                }
                if let Some(Open::Mapping { keys, key: key @ None, .. }) = open.last_mut() {
                    if !keys.insert(text.to_string()) {
                        return Err(at(&format!("the key {text:?} again")));
                    }
                    *key = Some(text.into_owned());
                    None
                } else if style == ScalarStyle::Plain && !is_string {
                    Some(plain(&text).ok_or_else(|| at("a number that JSON can't hold"))?)
                } else {
                    Some(Value::String(text.into_owned()))
                }
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => None,
        };
        if open.len() > MAX_DEPTH {
            return Err(at("too many collections within one another"));
        }
        let Some(done) = done else { continue };
        match open.last_mut() {
            Some(Open::Sequence(elements)) => elements.push(done),
            Some(Open::Mapping { members, key, .. }) => match key.take() {
                Some(name) => {
                    members.insert(name, done);
                }
                None => return Err(at("a key that is no scalar")),
            },
            None => whole = Some(done),
        }
    }
    whole.ok_or_else(|| "its front matter is empty".to_owned())
}

fn is_string_tag(tag: &Tag) -> bool {
    tag.is_yaml_core_schema() && tag.suffix == "str" || tag.handle.is_empty() && tag.suffix == "!"
}

/// A plain scalar by the core schema (YAML 1.2.2, section 10.3.2). `None` for what JSON has no number
/// for.
fn plain(text: &str) -> Option<Value> {
    let radix = |digits: &str, radix| u64::from_str_radix(digits, radix).ok().map(Value::from);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Some(Value::Null),
        "true" | "True" | "TRUE" => return Some(Value::Bool(true)),
        "false" | "False" | "FALSE" => return Some(Value::Bool(false)),
        _ => {}
    }
    let is_digits_of = |digits: &str, radix| {
        !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix))
    };
    if let Some(octal) = text.strip_prefix("0o").filter(|digits| is_digits_of(digits, 8)) {
        return radix(octal, 8);
    }
    if let Some(hexadecimal) = text.strip_prefix("0x").filter(|digits| is_digits_of(digits, 16)) {
        return radix(hexadecimal, 16);
    }
    if digits(unsigned) {
        let text = text.strip_prefix('+').unwrap_or(text);
        let integer = text.parse::<i64>().map(Number::from);
        return integer.or_else(|_| text.parse::<u64>().map(Number::from)).ok().map(Value::Number);
    }
    let lower = unsigned.to_ascii_lowercase();
    if matches!(lower.as_str(), ".inf") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return None;
    }
    let (mantissa, exponent) = match lower.split_once('e') {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (lower.as_str(), None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_mantissa = (digits(whole) || whole.is_empty() && !fraction.is_empty())
        && (fraction.is_empty() || digits(fraction));
    let is_exponent = exponent
        .is_none_or(|exponent| digits(exponent.strip_prefix(['-', '+']).unwrap_or(exponent)));
    if is_mantissa && is_exponent {
        return text.parse::<f64>().ok().and_then(Number::from_f64).map(Value::Number);
    }
    Some(Value::String(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn members(front: &str) -> Result<Value, String> {
        read(format!("---\n{front}\n---\nbody\n").as_bytes())
            .map(|read| Value::Object(read.members))
    }

    #[test]
    fn what_are_scalars() {
        let front = "a: \"no\"\nb: no\nc: 1.0\nd: '1.0'\ne: ~\nf: 0x1f\ng: 12\nh: .5\ni: 1e3\n\
                     j: 2026-02-06T03:55:00Z\nk: |\n  x\n  y\nl: !!str 1\nm: -3\nn: 1.2.0";
        let expected = json!({
            "a": "no", "b": "no", "c": 1.0, "d": "1.0", "e": null, "f": 31, "g": 12, "h": 0.5,
            "i": 1000.0, "j": "2026-02-06T03:55:00Z", "k": "x\ny\n", "l": "1", "m": -3, "n": "1.2.0",
        });
        assert_eq!(members(front), Ok(expected));
        assert_eq!(members("a: {b: [1, \"2\"]}"), Ok(json!({"a": {"b": [1, "2"]}})));
    }

    #[test]
    fn where_does_the_front_matter_end() {
        let found = read(b"---\r\na: \"x\"\r\n--- \r\n\r\n---\r\nb\r\n").expect("front matter");
        assert_eq!((found.members.len(), found.body.as_str()), (1, "\r\n---\r\nb\r\n"));
        for text in ["a: 1\n", "---\na: 1\n", "--- # x\na: 1\n---\n", "\n---\na: 1\n---\n"] {
            assert!(read(text.as_bytes()).is_err(), "{text:?}");
        }
    }

    #[test]
    fn what_do_readers_read_differently() {
        for front in [
            "a: 1\na: 2",
            "a: 1\n\"a\": 2",
            "a: &x 1\nb: *x",
            "a: !x 1",
            "a: 1\n...\nb: 2",
            "- a",
            "",
            "? [a]\n: 1",
            "a: [",
        ] {
            assert!(members(front).is_err(), "{front:?}");
        }
        let deep = format!("a: {}{}", "[".repeat(100), "]".repeat(100));
        assert!(members(&deep).is_err());
    }
}
