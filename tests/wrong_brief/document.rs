//! Documents in params and outputs, and changes to their text that know lines and fences and no YAML.
//!
//! Depends on nothing in here.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// The bytes of a document.
pub fn bytes_of(document: &Value) -> Option<Vec<u8>> {
    match document["text"].as_str() {
        Some(text) => Some(text.as_bytes().to_vec()),
        None => STANDARD.decode(document["base64"].as_str()?).ok(),
    }
}

/// The text of a document that is one.
pub fn text_of(document: &Value) -> Option<String> {
    String::from_utf8(bytes_of(document)?).ok()
}

/// A text as a document.
pub fn document(text: impl Into<String>) -> Value {
    json!({ "text": text.into() })
}

/// Front matter with both fences, and the body; where there is no second fence, all is front matter.
pub fn parts(text: &str) -> (&str, &str) {
    let mut end = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        end += line.len();
        if number > 0 && is_fence(line) {
            return text.split_at(end);
        }
    }
    (text, "")
}

/// Whether a line is three hyphens and nothing else.
pub fn is_fence(line: &str) -> bool {
    line.trim_end() == "---"
}

/// The document with another line for a member that is written on one.
pub fn with_member(text: &str, name: &str, change: impl Fn(&str) -> String) -> String {
    let (head, body) = parts(text);
    let begins = format!("{name}: ");
    let line = |line: &str| match line.trim_end().strip_prefix(&begins) {
        Some(value) => format!("{begins}{}\n", change(value)),
        None => line.to_owned(),
    };
    head.split_inclusive('\n').map(line).chain([body.to_owned()]).collect()
}

/// The entries of a trace, each with its lines; first what stands before the first one.
pub fn blocks(trace: &str) -> Vec<String> {
    let mut blocks = vec![String::new()];
    for line in trace.split_inclusive('\n') {
        if line.starts_with("- **Agent**") {
            blocks.push(String::new());
        }
        if let Some(block) = blocks.last_mut() {
            block.push_str(line);
        }
    }
    blocks
}

/// A trace of these entries.
pub fn joined(blocks: &[String]) -> String {
    let mut trace = String::new();
    for block in blocks {
        if !trace.is_empty() && !trace.ends_with('\n') {
            trace.push('\n');
        }
        trace.push_str(block);
    }
    trace
}
