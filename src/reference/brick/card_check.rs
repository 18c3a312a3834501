//! A2A's own rules for an Agent Card: the types of the field table, what it marks as REQUIRED, and section 5.7 of A2A
//! v1.0, by which a REQUIRED array has at least one element.
//!
//! A REQUIRED string that is empty reads as absent in protobuf, so it is refused; a `description` may be empty, as in
//! A2A's own worked example (section 8.4.1). Beside that: an interface's `url` is an http or https URL where the binding
//! is one over HTTP, its `protocolVersion` is major and minor, modes are media types, ids of skills differ.
//!
//! Depends on the field table of `federation::card` and on `tape`.

use super::endpoint;
use super::references::{ids, repeated};
use super::tape::{Kind as JsonKind, Tape, Value};
use crate::reference::federation::card::{Cardinality, Field, Kind, Message};

/// Checks a card.
///
/// # Errors
///
/// The first thing that is wrong, as a clause.
pub(super) fn check(card: &[u8]) -> Result<(), String> {
    let tape = Tape::read(card).map_err(|fault| fault.message)?;
    let root = tape.root();
    message(root, "AgentCard", "")?;
    let list = |name| root.get(name).into_iter().flat_map(Value::items);
    for interface in list("supportedInterfaces") {
        let text = |name| interface.get(name).and_then(Value::string).unwrap_or_default();
        let is_http = matches!(text("protocolBinding").as_ref(), "JSONRPC" | "HTTP+JSON");
        if is_http && let Err(why) = endpoint::read(&text("url")) {
            return Err(format!("the interface's url {why}"));
        }
        let version = text("protocolVersion");
        let is_number =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !version
            .split_once('.')
            .is_some_and(|(major, minor)| is_number(major) && is_number(minor))
        {
            return Err("the protocolVersion is not major and minor".to_owned());
        }
    }
    for name in ["defaultInputModes", "defaultOutputModes"] {
        let is_media_type = |mode: Value<'_>| {
            let mode = mode.string().unwrap_or_default();
            mode.split_once('/').is_some_and(|(kind, rest)| !kind.is_empty() && !rest.is_empty())
        };
        if !list(name).all(is_media_type) {
            return Err(format!("{name} holds what is no media type"));
        }
    }
    match repeated(&tape, &ids(&tape, list("skills"))).next() {
        Some(_) => Err("two skills have one id".to_owned()),
        None => Ok(()),
    }
}

/// Checks a message of the table. What recurses here follows the table, which is a few levels deep and has no cycle.
fn message(value: Value<'_>, name: &str, at: &str) -> Result<(), String> {
    let message = Message::named(name).ok_or_else(|| format!("{name} is not in the table"))?;
    if value.kind() != JsonKind::Object {
        return Err(format!("{at} is no object"));
    }
    let mut members = 0;
    for field in message.fields() {
        let at = format!("{at}/{}", field.json_name);
        match value.get(field.json_name) {
            Some(own) => {
                members += 1;
                self::field(own, field, &at)?;
            }
            None if field.required => return Err(format!("{at} is missing")),
            None => {}
        }
    }
    match value.members().nth(members) {
        Some(_) => Err(format!("{at} has a member that A2A does not have")),
        None => Ok(()),
    }
}

fn field(value: Value<'_>, field: &Field, at: &str) -> Result<(), String> {
    match field.cardinality {
        Cardinality::One => one(value, field, at),
        Cardinality::Repeated => {
            if value.kind() != JsonKind::Array {
                return Err(format!("{at} is no array"));
            }
            if field.required && value.items().next().is_none() {
                return Err(format!("{at} is empty"));
            }
            value.items().try_for_each(|item| one(item, field, at))
        }
        Cardinality::Map => {
            if value.kind() != JsonKind::Object {
                return Err(format!("{at} is no object"));
            }
            value.members().try_for_each(|(_, item)| one(item, field, at))
        }
    }
}

fn one(value: Value<'_>, field: &Field, at: &str) -> Result<(), String> {
    let expected = match field.kind {
        Kind::Message(name) => return message(value, name, at),
        Kind::String => JsonKind::String,
        Kind::Bool => JsonKind::Boolean,
        Kind::Struct => JsonKind::Object,
    };
    if value.kind() != expected {
        return Err(format!("{at} is of another type"));
    }
    if field.required && field.json_name != "description" && value.is("") {
        return Err(format!("{at} is empty"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;

    const CARD: &str = r#"{"name":"n","description":"","version":"1","supportedInterfaces":[{"url":"https://a.example/","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"i","name":"n","description":"d","tags":["t"]}]}"#;

    #[test]
    fn is_the_smallest_card_valid() {
        assert_eq!(check(CARD.as_bytes()), Ok(()));
    }

    #[test]
    fn is_each_fault_of_a_card_found() {
        for (from, to) in [
            (r#""version":"1","#, ""),
            (r#""version":"1""#, r#""version":1"#),
            (r#""version":"1""#, r#""version":"""#),
            (r#""version":"1","#, r#""version":"1","extra":1,"#),
            (r#""capabilities":{},"#, ""),
            (r#""capabilities":{}"#, r#""capabilities":[]"#),
            (r#""capabilities":{}"#, r#""capabilities":{"streaming":"no"}"#),
            (r#"["t"]"#, "[]"),
            (r#"["t"]"#, "[1]"),
            ("https:", "ftp:"),
            ("1.0", "1"),
            ("text/plain", "text"),
            (
                r#""tags":["t"]}"#,
                r#""tags":["t"]},{"id":"i","name":"n","description":"d","tags":["t"]}"#,
            ),
        ] {
            let card = CARD.replacen(from, to, 1);
            assert_ne!(card, CARD);
            assert!(check(card.as_bytes()).is_err(), "{card}");
        }
    }
}
