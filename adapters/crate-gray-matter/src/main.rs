//! Adapter for `gray_matter` from crates.io, as somebody would use it to read briefs: of Brief's operations, `brief.parse`
//! alone.
//!
//! A document gets in as `fs::read_to_string` lets a file in, strict UTF-8, and is parsed with the YAML engine into a
//! `serde_json::Value`. What the library gives is the answer:
//!
//! - `fields` are those members that Brief names and the library found, with the values that it made of them; `extra` is all
//!   others; `body` is the content, which the library has put together again line by line. A member that is missing is
//!   missing: nothing is filled in.
//! - Where the library finds no front matter, everything is content. So says the answer. Only an error of it is a refusal.
//! - `root` is what a program would ask of the data: whether `parentId` is there. `sections` and `warnings` are empty and
//!   `title` is absent, because the library has nothing of the kind.
//!
//! The library writes out what aliases stand for. Start it with a bound on its memory, or a few lines of YAML take it all.

use std::error::Error;

use gray_matter::engine::YAML;
use gray_matter::{Matter, ParsedEntity};
use proofmark_adapter::{Adapter, Answer, locked_version, read_document, write_document};
use serde_json::{Map, Value, json};

const FIELDS: [&str; 8] = [
    "id",
    "protocolVersion",
    "delegator",
    "delegatee",
    "timestamp",
    "parentId",
    "maxDepth",
    "currentDepth",
];

fn parse(params: &Value) -> Result<Value, Answer> {
    let document = read_document(params)?;
    let text = String::from_utf8(document)
        .map_err(|error| Answer::Refused(error.utf8_error().to_string()))?;
    let parsed: ParsedEntity<Value> =
        Matter::<YAML>::new().parse(&text).map_err(|error| Answer::Refused(error.to_string()))?;
    let members = match parsed.data {
        Some(Value::Object(members)) => members,
        // No front matter, or one that is no mapping: a program that looks for members in it finds none.
        _ => Map::new(),
    };
    let root = members.get("parentId").is_none_or(Value::is_null);
    let (mut fields, extra): (Map<String, Value>, Map<String, Value>) =
        members.into_iter().partition(|(name, _)| FIELDS.contains(&name.as_str()));
    fields.retain(|_, value| !value.is_null());
    Ok(json!({
        "fields": fields,
        "extra": extra,
        "root": root,
        "body": write_document(parsed.content.into_bytes()),
        "sections": [],
        "warnings": [],
    }))
}

fn main() -> Result<(), Box<dyn Error>> {
    let version = locked_version(include_str!("../Cargo.lock"), "gray_matter")
        .ok_or("gray_matter is not in Cargo.lock")?;
    Adapter::new("gray_matter", version, &["brief/delegatee"])
        .url("https://github.com/the-alchemists-of-arland/gray-matter-rs")
        .operation("brief.parse", parse)
        .serve()?;
    Ok(())
}
