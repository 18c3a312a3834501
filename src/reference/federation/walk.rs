//! The walk over the table: closed objects, and the stages in which each of them is judged.
//!
//! Every stage goes over a whole object before the next one begins, by the order of the table. An object inside is
//! judged, with all its stages, in the last stage of the one around it.
//!
//! Depends on `json`, `table`, `cross_field` and the grammars of digests and signatures.

use super::cross_field;
use super::digest::Digest;
use super::error::{Code, FederationError};
use super::json::{self, Value};
use super::signature::SignatureEntry;
use super::table::{Array, ENVELOPE, Field, Kind, Presence, Unique};

/// The members of an object being judged.
type Members = [(String, Value)];

/// One stage over one object.
type Stage = fn(&[Field], &Members) -> Result<(), Code>;

/// The stages, in order.
const STAGES: [(&str, Stage); 6] = [
    ("no unknown member", no_unknown_member),
    ("required members", required_members),
    ("types", types),
    ("constraints", constraints),
    ("cardinality and uniqueness", cardinality),
    ("objects and elements inside", inside),
];

/// Judges an envelope's shape. A refusal has an empty path, whatever it is about.
pub(super) fn check(envelope: &Value) -> Result<(), FederationError> {
    let members = envelope.as_object().ok_or(Code::InvalidType)?;
    object(&ENVELOPE, members)?;
    cross_field::check(members)?;
    Ok(())
}

fn object(fields: &[Field], members: &Members) -> Result<(), Code> {
    STAGES.iter().try_for_each(|(_, stage)| stage(fields, members))
}

fn no_unknown_member(fields: &[Field], members: &Members) -> Result<(), Code> {
    let known = |name: &str| fields.iter().any(|field| field.name == name);
    match members.iter().all(|(name, _)| known(name)) {
        true => Ok(()),
        false => Err(Code::UnknownMember),
    }
}

fn required_members(fields: &[Field], members: &Members) -> Result<(), Code> {
    let mut required = fields.iter().filter(|field| field.presence == Presence::Required);
    match required.all(|field| json::get(members, field.name).is_some()) {
        true => Ok(()),
        false => Err(Code::MissingRequiredField),
    }
}

fn types(fields: &[Field], members: &Members) -> Result<(), Code> {
    each(fields, members, type_of)
}

fn constraints(fields: &[Field], members: &Members) -> Result<(), Code> {
    each(fields, members, constraint)
}

fn cardinality(fields: &[Field], members: &Members) -> Result<(), Code> {
    each(fields, members, |kind, value| match (kind, value) {
        (Kind::Array(array), Value::Array(items)) => cardinality_of(array, items),
        _ => Ok(()),
    })
}

fn inside(fields: &[Field], members: &Members) -> Result<(), Code> {
    each(fields, members, inside_of)
}

/// Judges the members that are there, by the order of the table.
fn each(
    fields: &[Field],
    members: &Members,
    judge: impl Fn(&Kind, &Value) -> Result<(), Code>,
) -> Result<(), Code> {
    let present = fields.iter().filter_map(|field| Some((field, json::get(members, field.name)?)));
    present.into_iter().try_for_each(|(field, value)| judge(&field.kind, value))
}

fn type_of(kind: &Kind, value: &Value) -> Result<(), Code> {
    let fits = match kind {
        Kind::Identifier | Kind::Text | Kind::OneOf(_) => matches!(value, Value::String(_)),
        Kind::Positive => matches!(value, Value::Integer(_)),
        Kind::Object(_) => matches!(value, Value::Object(_)),
        Kind::Array(_) => matches!(value, Value::Array(_)),
        Kind::Digest | Kind::Signature => true,
    };
    if fits { Ok(()) } else { Err(Code::InvalidType) }
}

fn constraint(kind: &Kind, value: &Value) -> Result<(), Code> {
    let holds = match (kind, value) {
        (Kind::Identifier, Value::String(text)) => is_identifier(text),
        (Kind::Text, Value::String(text)) => !text.is_empty(),
        (Kind::OneOf(names), Value::String(text)) => names.contains(&text.as_str()),
        (Kind::Positive, Value::Integer(integer)) => *integer >= 1,
        (Kind::Digest, Value::String(text)) => Digest::parse(text).is_ok(),
        (Kind::Digest, _) => return Err(Code::InvalidType),
        (Kind::Signature, entry) => SignatureEntry::parse(entry).is_ok(),
        (Kind::Object(_) | Kind::Array(_), _) => true,
        // Another type has been turned down by the stage before.
        (Kind::Identifier | Kind::Text | Kind::OneOf(_) | Kind::Positive, _) => false,
    };
    if holds { Ok(()) } else { Err(Code::InvalidConstraint) }
}

/// How many bytes an identifier may have.
const IDENTIFIER_BYTES: usize = 512;

fn is_identifier(text: &str) -> bool {
    let begins = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let continues = |byte: &u8| begins(byte) || matches!(byte, b'.' | b'_' | b'-');
    text.len() <= IDENTIFIER_BYTES
        && text.as_bytes().first().is_some_and(begins)
        && text.as_bytes().iter().all(continues)
}

fn cardinality_of(array: &Array, items: &[Value]) -> Result<(), Code> {
    let unique = match array.unique {
        Unique::Nothing => true,
        Unique::Element => all_differ(items.iter()),
        Unique::Member(name) => all_differ(items.iter().filter_map(|item| item.get(name))),
    };
    match items.len() >= array.at_least && unique {
        true => Ok(()),
        false => Err(Code::InvalidCardinality),
    }
}

fn all_differ<'a>(values: impl Iterator<Item = &'a Value>) -> bool {
    let mut encoded: Vec<_> = values.map(json::encode).collect();
    encoded.sort_unstable();
    encoded.windows(2).all(|pair| pair.first() != pair.last())
}

/// Goes down one level; the table has five of them at most.
fn inside_of(kind: &Kind, value: &Value) -> Result<(), Code> {
    match (kind, value) {
        (Kind::Object(fields), Value::Object(members)) => object(fields, members),
        (Kind::Array(array), Value::Array(items)) => items.iter().try_for_each(|item| {
            type_of(array.element, item)?;
            constraint(array.element, item)?;
            inside_of(array.element, item)
        }),
        _ => Ok(()),
    }
}
