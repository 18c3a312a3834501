//! The bytes that a card's signatures cover: presence as protobuf has it, then RFC 8785.
//!
//! The card is canonicalised first, and then members are left out of the canonical text. What is left out moves
//! nothing, so that the outcome is canonical as well, and what is kept keeps every byte.
//!
//! Depends on `jcs` and on the table and the text walker beside it.

use super::error::CardError;
use super::strip::strip;
use super::table::{Cardinality, Field, Kind, Message};
use super::text;
use crate::reference::jcs;

/// Which rules make the preimage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// A2A v1.0 section 8.4.1. `signatures` is left out. A field with presence is kept whenever it is set: `optional`
    /// ones at their default, messages and members of a oneof when they are empty. A REQUIRED field is kept at any
    /// value. Any other field is left out at its default. Elements of arrays and entries of maps are never left out,
    /// and a Struct is data: it is kept as it is, null and all.
    ///
    /// Where the section is silent: null on a field counts as unset (ProtoJSON), REQUIRED or not; unknown members
    /// are kept as received, whatever they hold, proto names among them; a value of another type than its field's is
    /// kept as it stands.
    #[default]
    Spec,
    /// What a2a-sdk 1.3.0 (Python) and @a2a-js/sdk 1.3.0 do instead: the card goes through protobuf, which forgets
    /// unknown members and every default of a field without presence, REQUIRED or not; then null, empty strings,
    /// arrays and objects are taken out at every depth, elements and map entries and Structs included, and with them
    /// what becomes empty by that.
    ///
    /// A value that ProtoJSON does not take is refused. Where the two differ, this does what the second one does: proto
    /// names are unknown members, and a card of which nothing remains is `{}`.
    Sdk,
}

impl Profile {
    /// The profile that goes by that name: `spec` or `sdk`.
    pub fn named(name: &str) -> Option<Profile> {
        match name {
            "spec" => Some(Profile::Spec),
            "sdk" => Some(Profile::Sdk),
            _ => None,
        }
    }
}

/// The canonical bytes that a signature of the card covers.
///
/// # Errors
///
/// Where the card has no canonical form or is no object; under [`Profile::Sdk`] also where ProtoJSON does not take it.
pub fn preimage(card: &[u8], profile: Profile) -> Result<Vec<u8>, CardError> {
    of_canonical(&canonical_card(card)?, profile)
}

/// The canonical form of the card with everything in it.
pub(super) fn canonical_card(card: &[u8]) -> Result<Vec<u8>, CardError> {
    let canonical = jcs::canonicalise(card)?;
    if text::is_object(&canonical) { Ok(canonical) } else { Err(CardError::NotAnObject) }
}

/// As [`preimage`], of a card that is canonical already.
pub(super) fn of_canonical(card: &[u8], profile: Profile) -> Result<Vec<u8>, CardError> {
    let mut out = Vec::with_capacity(card.len());
    if let Some(root) = Message::named("AgentCard") {
        message(card, root, profile, &mut out)?;
    }
    if profile == Profile::Sdk {
        out = strip(&out);
        if out.is_empty() {
            out.extend_from_slice(b"{}");
        }
    }
    Ok(out)
}

/// Writes the object `text` as `message` has it.
fn message(
    text: &[u8],
    message: &Message,
    profile: Profile,
    out: &mut Vec<u8>,
) -> Result<(), CardError> {
    let mut separator = b'{';
    let mut arms: Vec<&str> = Vec::new();
    for member in text::members(text) {
        let field = message.field(member.name);
        if !field.map_or(profile == Profile::Spec, |field| keeps(field, member.value, profile)) {
            continue;
        }
        if let (Profile::Sdk, Some(oneof)) = (profile, field.and_then(|field| field.oneof)) {
            if arms.contains(&oneof) {
                return Err(CardError::oneof(oneof).within(member.name));
            }
            arms.push(oneof);
        }
        out.push(separator);
        separator = b',';
        name(member.name, out);
        match field {
            Some(field) => {
                value(member.value, field, profile, out)
                    .map_err(|error| error.within(member.name))?;
            }
            None => out.extend_from_slice(member.value),
        }
    }
    if separator == b'{' {
        out.push(separator);
    }
    out.push(b'}');
    Ok(())
}

/// Whether a known member takes part.
fn keeps(field: &Field, value: &[u8], profile: Profile) -> bool {
    let signatures = field.message == "AgentCard" && field.json_name == "signatures";
    if signatures || value == b"null" {
        return false;
    }
    let is_default = field.default_json().is_some_and(|default| value == default.as_bytes());
    !is_default || (profile == Profile::Spec && field.required)
}

fn name(raw: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    out.extend_from_slice(raw);
    out.extend_from_slice(b"\":");
}

/// Writes all of a field's value.
fn value(text: &[u8], field: &Field, profile: Profile, out: &mut Vec<u8>) -> Result<(), CardError> {
    match field.cardinality {
        Cardinality::One => single(text, field.kind, profile, out),
        Cardinality::Repeated if text::is_array(text) => {
            out.push(b'[');
            for (index, element) in text::elements(text).enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                single(element, field.kind, profile, out)
                    .map_err(|error| error.within(index.to_string().as_bytes()))?;
            }
            out.push(b']');
            Ok(())
        }
        Cardinality::Map if text::is_object(text) => {
            out.push(b'{');
            for (index, member) in text::members(text).enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                name(member.name, out);
                single(member.value, field.kind, profile, out)
                    .map_err(|error| error.within(member.name))?;
            }
            out.push(b'}');
            Ok(())
        }
        Cardinality::Repeated => other_type(text, "an array", profile, out),
        Cardinality::Map => other_type(text, "an object", profile, out),
    }
}

/// Writes a field's value, or one of its elements or entries.
fn single(text: &[u8], kind: Kind, profile: Profile, out: &mut Vec<u8>) -> Result<(), CardError> {
    let (fits, expected) = match kind {
        Kind::Message(name) => {
            if let (true, Some(inner)) = (text::is_object(text), Message::named(name)) {
                return message(text, inner, profile, out);
            }
            (false, "an object")
        }
        Kind::Struct => (text::is_object(text), "an object"),
        Kind::String => (text::is_string(text), "a string"),
        Kind::Bool => (matches!(text, b"true" | b"false"), "true or false"),
    };
    if !fits {
        return other_type(text, expected, profile, out);
    }
    out.extend_from_slice(text);
    Ok(())
}

/// What is done about a value that is not of its field's type.
fn other_type(
    text: &[u8],
    expected: &'static str,
    profile: Profile,
    out: &mut Vec<u8>,
) -> Result<(), CardError> {
    match profile {
        Profile::Spec => {
            out.extend_from_slice(text);
            Ok(())
        }
        Profile::Sdk => Err(CardError::of_type(expected)),
    }
}
