//! JSON Web Signatures (RFC 7515) with a detached payload and two headers, one of them protected.
//!
//! The payload is always signed in base64url; `b64` (RFC 7797) and every other extension are turned down.
//!
//! Depends on `jcs`, `serde_json`, `base64`, and on the keys and the text walker beside it.

use std::collections::HashSet;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;

use super::error::{CardError, SignatureFault};
use super::jwk::{Algorithm, PrivateKey, PublicKey};
use super::text;
use crate::reference::jcs;

/// A signature as it stands in a card: `protected` and `signature`, in base64url.
pub(super) struct Detached {
    pub protected: String,
    pub signature: String,
}

/// Signs a payload. The protected header is canonical JSON.
pub(super) fn sign(
    payload: &[u8],
    key: &PrivateKey,
    kid: &str,
    typ: &str,
) -> Result<Detached, CardError> {
    let header = json!({ "alg": key.algorithm().name(), "kid": kid, "typ": typ });
    let header = jcs::canonicalise(header.to_string().as_bytes())?;
    let protected = URL_SAFE_NO_PAD.encode(header);
    let input = signing_input(&protected, &URL_SAFE_NO_PAD.encode(payload));
    Ok(Detached { signature: URL_SAFE_NO_PAD.encode(key.sign(&input)), protected })
}

/// RFC 7515 section 5.1, step 8.
fn signing_input(protected: &str, encoded_payload: &str) -> Vec<u8> {
    [protected, ".", encoded_payload].concat().into_bytes()
}

/// Verifies one entry of `signatures`, in canonical JSON, over a payload that is encoded already.
pub(super) fn verify(
    entry: &[u8],
    encoded_payload: &str,
    keys: &[PublicKey],
) -> Result<(), SignatureFault> {
    let protected = digits(entry, "protected")?;
    let signature = digits(entry, "signature")?;
    let header = URL_SAFE_NO_PAD
        .decode(protected)
        .map_err(|_| SignatureFault::Base64("protected"))
        .and_then(|header| jcs::canonicalise(&header).map_err(|_| SignatureFault::Protected))?;
    if !text::is_object(&header) {
        return Err(SignatureFault::Protected);
    }
    let (algorithm, kid) = read_protected(&header)?;
    if let Some(other) = member(entry, "header").filter(|&header| header != b"null") {
        check_unprotected(other, &header)?;
    }
    let signature =
        URL_SAFE_NO_PAD.decode(signature).map_err(|_| SignatureFault::Base64("signature"))?;
    let input = signing_input(protected, encoded_payload);

    let mut fault = SignatureFault::UnknownKey;
    for key in keys.iter().filter(|key| key.kid.as_ref() == Some(&kid)) {
        if key.algorithm() != algorithm {
            if fault == SignatureFault::UnknownKey {
                fault = SignatureFault::OtherKey;
            }
        } else if key.verifies(&input, &signature) {
            return Ok(());
        } else {
            fault = SignatureFault::Mismatch;
        }
    }
    Err(fault)
}

/// The algorithm and the key id of a protected header, canonical JSON.
fn read_protected(header: &[u8]) -> Result<(Algorithm, String), SignatureFault> {
    if member(header, "crit").is_some() {
        return Err(SignatureFault::Critical);
    }
    if member(header, "b64").is_some_and(|value| value != b"true") {
        return Err(SignatureFault::Unencoded);
    }
    let name = string(header, "alg")?;
    let algorithm = Algorithm::named(&name).ok_or(SignatureFault::Algorithm)?;
    Ok((algorithm, string(header, "kid")?))
}

/// Holds the unprotected header to what may stand in it beside the protected one.
fn check_unprotected(header: &[u8], protected: &[u8]) -> Result<(), SignatureFault> {
    if !text::is_object(header) {
        return Err(SignatureFault::NotASignature);
    }
    for name in ["crit", "b64"] {
        if member(header, name).is_some() {
            return Err(SignatureFault::Unprotected(name));
        }
    }
    let names: HashSet<&[u8]> = text::members(protected).map(|member| member.name).collect();
    if text::members(header).any(|member| names.contains(member.name)) {
        return Err(SignatureFault::NotDisjoint);
    }
    Ok(())
}

fn member<'a>(object: &'a [u8], name: &str) -> Option<&'a [u8]> {
    text::members(object).find(|member| member.name == name.as_bytes()).map(|member| member.value)
}

/// The string under `name` in a protected header.
fn string(header: &[u8], name: &'static str) -> Result<String, SignatureFault> {
    member(header, name)
        .and_then(|value| serde_json::from_slice(value).ok())
        .ok_or(SignatureFault::Missing(name))
}

/// The string under `name` in an entry. What has an escape in canonical JSON is not base64url.
fn digits<'a>(entry: &'a [u8], name: &'static str) -> Result<&'a str, SignatureFault> {
    member(entry, name)
        .and_then(|value| value.strip_prefix(b"\"")?.strip_suffix(b"\""))
        .and_then(|digits| std::str::from_utf8(digits).ok())
        .ok_or(SignatureFault::NotASignature)
}
