//! The portability pass: values in the shape of secrets or addresses do not travel, nor do claims of authority.
//!
//! Shapes are all it goes by; a password that looks like a word passes. Some positions are labels, and names are
//! known to run long there: their mode lets strings of one case with separators pass. Digests, times, enumerations
//! and the signature itself are not looked at.
//!
//! Depends on `json` and `error`.

use super::error::{Code, FederationError, Step};
use super::json::Value;

/// How a string is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// No secret and no address.
    Strict,
    /// As strict, except that identifiers of one case with separators pass.
    Identifier,
}

/// Looks at one member of an envelope.
type Scan = fn(&'static str, &Value) -> Result<(), FederationError>;

/// What is looked at, and how. Members are taken in the order in which the envelope has them.
const SCANS: [(&str, Scan); 11] = [
    ("task_identity", identifier),
    ("idempotency_identity", identifier),
    ("parent_execution_reference", identifier),
    ("initiating_subject", identifier),
    ("recovery_handle", identifier),
    ("issuer", identifier),
    ("subject", identifier),
    ("audience", identifier),
    ("identity_mapping_evidence", evidence),
    ("compatibility_reference", compatibility),
    ("evidence_receipt", receipt),
];

/// Looks at an envelope that has passed the walk.
pub(super) fn scan(envelope: &Value) -> Result<(), FederationError> {
    let members = envelope.as_object().unwrap_or_default();
    members.iter().try_for_each(|(name, value)| {
        match SCANS.iter().find(|(scanned, _)| scanned == name) {
            Some((scanned, scan)) => scan(scanned, value),
            None => Ok(()),
        }
    })
}

fn identifier(name: &'static str, value: &Value) -> Result<(), FederationError> {
    look(Some(value), Mode::Identifier).map_err(|code| code.at(&[name]))
}

fn evidence(name: &'static str, value: &Value) -> Result<(), FederationError> {
    let claims = value.get("claims").and_then(Value::as_array).unwrap_or_default();
    claims.iter().enumerate().try_for_each(|(index, claim)| {
        let kind = claim.get("kind").and_then(Value::as_str);
        let looked = match kind {
            Some("authority") => Err(Code::NonportableContent),
            _ => look(claim.get("value"), Mode::Strict),
        };
        let path = || vec![Step::Name(name), Step::Name("claims"), Step::Index(index)];
        looked.map_err(|code| FederationError { code, path: path() })
    })
}

fn compatibility(name: &'static str, value: &Value) -> Result<(), FederationError> {
    let items = value.as_array().unwrap_or_default();
    items.iter().try_for_each(|item| {
        look(item.get("identity"), Mode::Strict).map_err(|code| code.at(&[name, "identity"]))
    })
}

/// The two places where a receipt names a key.
const KEY_IDS: [(&str, &str); 2] = [("protected", "kid"), ("signed_attributes", "key_id")];

fn receipt(name: &'static str, value: &Value) -> Result<(), FederationError> {
    let entry = value.get("signature");
    KEY_IDS.into_iter().try_for_each(|(part, label)| {
        let key_id = entry.and_then(|entry| entry.get(part)?.get(label));
        look(key_id, Mode::Strict).map_err(|code| code.at(&[name, "signature", label]))
    })
}

fn look(value: Option<&Value>, mode: Mode) -> Result<(), Code> {
    match value {
        Some(Value::String(text)) if is_forbidden(text, mode) => Err(Code::ForbiddenPortableValue),
        _ => Ok(()),
    }
}

/// Whether a string has some shape.
type HasShape = fn(&str) -> bool;

/// The shapes that do not travel.
const SHAPES: [(&str, HasShape); 7] = [
    ("a PEM block", |text| text.contains("-----BEGIN")),
    ("a compact JWS", is_jws),
    ("an address with an authority", has_address),
    ("an address without a scheme", is_network_path),
    ("a key in base64url or hexadecimal", is_key),
    ("a key in base64", is_base64_key),
    ("a fingerprint", is_fingerprint),
];

fn is_forbidden(text: &str, mode: Mode) -> bool {
    let passes = is_uuid(text) || mode == Mode::Identifier && is_label(text);
    !passes && SHAPES.iter().any(|(_, has_shape)| has_shape(text))
}

/// Whether the text is a UUID with hyphens.
fn is_uuid(text: &str) -> bool {
    let groups: Vec<_> = text.split('-').take(6).collect();
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
        && groups.iter().all(|group| group.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Whether the text has a separator and is of one case, with digits and separators and nothing else.
fn is_label(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_digit() || is_separator(byte);
    text.bytes().any(is_separator)
        && (text.bytes().all(|byte| plain(byte) || byte.is_ascii_lowercase())
            || text.bytes().all(|byte| plain(byte) || byte.is_ascii_uppercase()))
}

fn is_separator(byte: u8) -> bool {
    matches!(byte, b'-' | b'_')
}

fn is_base64url(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || is_separator(byte))
}

/// The length of a signature of 32 bytes in base64url, and of a key.
const KEY_DIGITS: usize = 43;

fn is_jws(text: &str) -> bool {
    let parts: Vec<_> = text.split('.').take(4).collect();
    let [header, payload, signature] = parts.as_slice() else {
        return false;
    };
    !header.is_empty()
        && signature.len() >= KEY_DIGITS
        && [header, payload, signature].into_iter().all(|part| is_base64url(part))
}

/// Whether a byte begins an authority: it is none of those that end one.
fn begins_authority(byte: u8) -> bool {
    !matches!(byte, b'/' | b'?' | b'#' | b' ' | b'\t' | b'\n' | 0x0B | 0x0C | b'\r')
}

/// Whether a scheme, `://` and the beginning of an authority stand anywhere.
fn has_address(text: &str) -> bool {
    let bytes = text.as_bytes();
    text.match_indices("://").any(|(at, _)| {
        let before = bytes.get(..at).unwrap_or_default();
        let mut scheme = before
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-'));
        let authority = bytes.get(at + 3).copied();
        scheme.any(u8::is_ascii_alphabetic) && authority.is_some_and(begins_authority)
    })
}

fn is_network_path(text: &str) -> bool {
    let authority = text.strip_prefix("//").and_then(|rest| rest.bytes().next());
    authority.is_some_and(begins_authority)
}

/// Whether the text has the digits and the length of 24 bytes or more, or of 32 where it has separators. A length
/// that is one more than a multiple of four encodes no bytes; it is judged as the length that it exceeds.
fn is_key(text: &str) -> bool {
    let least = if text.bytes().any(is_separator) { KEY_DIGITS } else { 32 };
    text.len() >= least && is_base64url(text)
}

fn is_base64_key(text: &str) -> bool {
    let digits = text.trim_end_matches('=');
    let least = match text.len() - digits.len() {
        0 => KEY_DIGITS,
        1..=6 => 32,
        _ => return false,
    };
    let digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    digits.len() >= least && digits.bytes().all(digit)
}

fn is_fingerprint(text: &str) -> bool {
    let byte = |part: &str| {
        matches!(part.len(), 1 | 2) && part.bytes().all(|digit| digit.is_ascii_hexdigit())
    };
    text.split(':').count() >= 24 && text.split(':').all(byte)
}
