//! The binding of this layer to the adapter protocol: `jcs.canonicalize`, `jcs.digest`, `jcs.sign`, `jcs.verify`.
//!
//! Keys, seeds, signatures and digests are base64url without padding (RFC 4648 section 5), read strictly: no padding,
//! no other characters, and the unused bits of the last digit zero, so that every value has one spelling.
//!
//! Depends on `serde_json`, `base64`, and the document binding of `reference`.

use std::hint::black_box;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::{JcsError, VerifyError};
use crate::reference::answer::{Operation, Refusal};
use crate::reference::document::{document_to_json, member};

/// The roles that these operations make up.
pub const ROLES: &[&str] = &["jcs/canonicalizer", "jcs/signer", "jcs/verifier"];

/// The operations, by their names on the wire.
pub const OPERATIONS: &[Operation] = &[
    Operation { name: "jcs.canonicalize", run: |params| canonicalise(params).into() },
    Operation { name: "jcs.digest", run: |params| digest(params).into() },
    Operation { name: "jcs.sign", run: |params| sign(params).into() },
    Operation { name: "jcs.verify", run: |params| verify(params).into() },
];

impl From<JcsError> for Refusal {
    fn from(error: JcsError) -> Self {
        Refusal {
            code: Some(error.kind.code().to_owned()),
            message: Some(error.to_string()),
            at: Some(error.path),
            ..Refusal::default()
        }
    }
}

impl From<VerifyError> for Refusal {
    fn from(error: VerifyError) -> Self {
        let code = match error {
            VerifyError::Document(error) => return error.into(),
            VerifyError::SignatureLength(_) => "signature-length",
            VerifyError::PublicKeyLength(_)
            | VerifyError::PublicKeyNotAPoint
            | VerifyError::PublicKeyNotCanonical
            | VerifyError::PublicKeySmallOrder => "public-key",
            VerifyError::Mismatch => "signature",
        };
        Refusal {
            code: Some(code.to_owned()),
            message: Some(error.to_string()),
            ..Refusal::default()
        }
    }
}

fn canonicalise(params: &Value) -> Result<Value, Refusal> {
    let document = member(params, "document")?;
    let repeat = repeat(params)?;
    let mut canonical = super::canonicalise(&document)?;
    for _ in 1..repeat {
        canonical = black_box(super::canonicalise(black_box(&document))?);
    }
    Ok(json!({ "document": document_to_json(canonical) }))
}

fn digest(params: &Value) -> Result<Value, Refusal> {
    let document = member(params, "document")?;
    Ok(json!({ "sha256": URL_SAFE_NO_PAD.encode(super::digest(&document)?) }))
}

fn sign(params: &Value) -> Result<Value, Refusal> {
    let document = member(params, "document")?;
    let seed = bytes(params, "seed")?;
    let seed = seed.as_slice().try_into().map_err(|_| {
        Refusal::of_params(format!("`seed` has {} bytes instead of 32", seed.len()))
    })?;
    let signed = super::sign(&document, seed)?;
    Ok(json!({
        "signature": URL_SAFE_NO_PAD.encode(signed.signature),
        "public_key": URL_SAFE_NO_PAD.encode(signed.public_key),
    }))
}

fn verify(params: &Value) -> Result<Value, Refusal> {
    let document = member(params, "document")?;
    let signature = bytes(params, "signature")?;
    let public_key = bytes(params, "public_key")?;
    super::verify(&document, &signature, &public_key)?;
    Ok(Value::Null)
}

/// How many times to canonicalise: once where the params do not say.
fn repeat(params: &Value) -> Result<u64, Refusal> {
    let Some(value) = params.get("repeat") else {
        return Ok(1);
    };
    // JSON has one kind of number: 3.0 is 3.
    let whole = |number: f64| {
        (number.fract() == 0.0 && (1.0..=9e15).contains(&number)).then_some(number as u64)
    };
    value
        .as_u64()
        .or_else(|| value.as_f64().and_then(whole))
        .filter(|&times| times >= 1)
        .ok_or_else(|| Refusal::of_params("`repeat` is not an integer of at least 1"))
}

/// The base64url member `name` of the params.
fn bytes(params: &Value, name: &str) -> Result<Vec<u8>, Refusal> {
    let digits = match params.get(name) {
        Some(Value::String(digits)) => digits,
        Some(_) => return Err(Refusal::of_params(format!("`{name}` is not a string"))),
        None => return Err(Refusal::of_params(format!("the params lack `{name}`"))),
    };
    URL_SAFE_NO_PAD.decode(digits).map_err(|error| {
        Refusal::of_params(format!("`{name}` is not base64url without padding: {error}"))
    })
}
