//! Members of front matter as what Brief makes of them: texts, counts, absences, and the rest.
//!
//! A plain `null`, `~` or nothing is absence; any other scalar is the text that it was written as. Only a count must
//! be plain, and an integer of YAML 1.2's core schema (section 10.3.2).
//!
//! Depends on `front_matter`, and on `serde_json` for the members that Brief does not name.

use serde_json::{Map, Value};

use super::error::{BriefError, Fault};
use super::front_matter::Node;
use super::timestamp::Timestamp;

/// Members that are taken out one by one; what is left over is extra.
pub(super) struct Members(Vec<(String, Node)>);

impl Members {
    pub fn new(members: Vec<(String, Node)>) -> Self {
        Members(members)
    }

    fn take(&mut self, name: &str) -> Option<Node> {
        let at = self.0.iter().position(|(key, _)| key == name)?;
        Some(self.0.remove(at).1)
    }

    /// A text that may be missing, but not empty.
    pub fn optional(&mut self, name: &str) -> Result<Option<String>, BriefError> {
        match self.take(name) {
            None | Some(Node::Null) => Ok(None),
            Some(Node::Plain(text) | Node::Text(text)) if text.is_empty() => {
                Err(Fault::Empty.of(name))
            }
            Some(Node::Plain(text) | Node::Text(text)) => Ok(Some(text)),
            Some(Node::List(_) | Node::Map(_)) => Err(Fault::NotAString.of(name)),
        }
    }

    /// A text that must be there.
    pub fn required(&mut self, name: &str) -> Result<String, BriefError> {
        self.optional(name)?.ok_or_else(|| Fault::Missing.of(name))
    }

    /// The document's date and time.
    pub fn timestamp(&mut self) -> Result<Timestamp, BriefError> {
        let text = self.required("timestamp")?;
        Timestamp::parse(&text).map_err(|error| error.fault.of("timestamp"))
    }

    /// An integer from 0 on that may be missing.
    pub fn count(&mut self, name: &str) -> Result<Option<u64>, BriefError> {
        match self.take(name) {
            None | Some(Node::Null) => Ok(None),
            Some(Node::Plain(text)) => {
                Ok(Some(count(&text).ok_or_else(|| Fault::NotACount.of(name))?))
            }
            Some(_) => Err(Fault::NotACount.of(name)),
        }
    }

    /// What has not been taken, as JSON: scalars as the text that they were, absences as null.
    pub fn extra(self) -> Map<String, Value> {
        self.0.into_iter().map(|(key, node)| (key, json(node))).collect()
    }
}

/// An integer of the core schema that is not negative.
fn count(text: &str) -> Option<u64> {
    let in_base = |digits: &str, base: u32| {
        let plain = !digits.is_empty() && digits.chars().all(|c| c.is_digit(base));
        plain.then(|| u64::from_str_radix(digits, base).ok()).flatten()
    };
    if let Some(digits) = text.strip_prefix("0o") {
        return in_base(digits, 8);
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return in_base(digits, 16);
    }
    match text.strip_prefix('-') {
        Some(digits) => in_base(digits, 10).filter(|count| *count == 0),
        None => in_base(text.strip_prefix('+').unwrap_or(text), 10),
    }
}

/// Bounded by the nesting that front matter may have.
fn json(node: Node) -> Value {
    match node {
        Node::Null => Value::Null,
        Node::Plain(text) | Node::Text(text) => Value::String(text),
        Node::List(items) => Value::Array(items.into_iter().map(json).collect()),
        Node::Map(members) => {
            Value::Object(members.into_iter().map(|(key, node)| (key, json(node))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_texts_are_counts() {
        for (text, value) in
            [("0", 0), ("3", 3), ("+3", 3), ("010", 10), ("0o10", 8), ("0xFf", 255), ("-0", 0)]
        {
            assert_eq!(count(text), Some(value), "{text}");
        }
        assert_eq!(count("18446744073709551615"), Some(u64::MAX));
        for text in [
            "-1",
            "1.5",
            "1.0",
            "1e3",
            "many",
            "",
            "+",
            "--0",
            "+-1",
            "0x",
            "0o8",
            "0x-1",
            "1_000",
            "18446744073709551616",
            "٣",
            "true",
            ".inf",
        ] {
            assert_eq!(count(text), None, "{text}");
        }
    }
}
