//! The binding of this layer to the adapter protocol: `federation.card_preimage`, `federation.card_sign`,
//! `federation.card_verify`.
//!
//! Refusals carry the federation profile's codes where one says what is meant.
//!
//! Depends on `serde_json` and on the bindings of `reference`.

use serde_json::{Value, json};

use super::error::{CardError, KeyError, SignatureFault};
use super::jwk::{Algorithm, PrivateKey, PublicKey};
use super::preimage::Profile;
use super::signing::Signer;
use crate::reference::answer::{Operation, Refusal};
use crate::reference::document::{document_to_json, member};
use crate::reference::jcs::JcsErrorKind;

/// The operations, by their names on the wire.
pub const OPERATIONS: &[Operation] = &[
    Operation { name: "federation.card_preimage", run: |params| preimage(params).into() },
    Operation { name: "federation.card_sign", run: |params| sign(params).into() },
    Operation { name: "federation.card_verify", run: |params| verify(params).into() },
];

impl From<CardError> for Refusal {
    fn from(error: CardError) -> Self {
        let message = Some(error.to_string());
        let (code, at) = match error {
            CardError::Document(error) => (document_code(&error.kind), error.path),
            CardError::NotAnObject => ("invalid_type", String::new()),
            CardError::Signatures => ("invalid_type", "/signatures".to_owned()),
            CardError::Type { at, .. } => ("invalid_type", at),
            CardError::Oneof { at, .. } => ("invalid_constraint", at),
        };
        Refusal { code: Some(code.to_owned()), at: Some(at), message, ..Refusal::default() }
    }
}

/// The profile's code for what is wrong with a JSON text.
fn document_code(kind: &JcsErrorKind) -> &'static str {
    match kind {
        JcsErrorKind::InvalidUtf8 => "invalid_encoding",
        JcsErrorKind::DuplicateName(_) => "duplicate_member",
        JcsErrorKind::NumberOverflow => "invalid_number",
        JcsErrorKind::DepthExceeded(_) => "ceiling:depth",
        JcsErrorKind::TrailingData => "trailing_bytes",
        _ => "invalid_syntax",
    }
}

impl SignatureFault {
    /// The profile's code for it.
    fn code(self) -> &'static str {
        match self {
            SignatureFault::Algorithm | SignatureFault::OtherKey => {
                "signature_algorithm_unsupported"
            }
            SignatureFault::UnknownKey => "signature_key_unsupported",
            SignatureFault::Mismatch => "signature_not_verified",
            _ => "signature_malformed",
        }
    }
}

fn preimage(params: &Value) -> Result<Value, Refusal> {
    let card = member(params, "card")?;
    let profile =
        profile(params)?.ok_or_else(|| Refusal::of_params("the params lack `profile`"))?;
    Ok(json!({ "canonical": document_to_json(super::preimage(&card, profile)?) }))
}

fn sign(params: &Value) -> Result<Value, Refusal> {
    let card = member(params, "card")?;
    let kid = string(params, "kid")?.ok_or_else(|| Refusal::of_params("the params lack `kid`"))?;
    let name = string(params, "alg")?.ok_or_else(|| Refusal::of_params("the params lack `alg`"))?;
    let typ = string(params, "typ")?.unwrap_or(Signer::TYP);
    let unsupported = |message: String| Refusal {
        code: Some("signature_algorithm_unsupported".to_owned()),
        message: Some(message),
        ..Refusal::default()
    };
    let algorithm = Algorithm::named(name)
        .ok_or_else(|| unsupported("`alg` is neither EdDSA nor ES256".to_owned()))?;
    let key = params.get("key").ok_or_else(|| Refusal::of_params("the params lack `key`"))?;
    let key = PrivateKey::from_json(key)
        .map_err(|error| Refusal::of_params(format!("`key`: {error}")))?;
    if key.algorithm() != algorithm {
        return Err(unsupported(format!("the key does not fit `alg` {name}")));
    }
    let card = super::sign(&card, &Signer { key: &key, kid, typ })?;
    Ok(json!({ "card": document_to_json(card) }))
}

fn verify(params: &Value) -> Result<Value, Refusal> {
    let card = member(params, "card")?;
    let keys = keys(params)?;
    let profile = profile(params)?.unwrap_or_default();
    let outcomes = super::verify(&card, &keys, profile)?;
    let verified: Vec<usize> = outcomes
        .iter()
        .enumerate()
        .filter_map(|(index, outcome)| outcome.is_ok().then_some(index))
        .collect();
    if verified.is_empty() {
        return Err(none_verifies(&outcomes));
    }
    Ok(json!({ "verified": verified }))
}

/// The refusal of a card none of whose signatures verifies: with the faults' code where all have the same.
fn none_verifies(outcomes: &[Result<(), SignatureFault>]) -> Refusal {
    let faults: Vec<SignatureFault> = outcomes.iter().filter_map(|outcome| outcome.err()).collect();
    let (code, message) = match faults.first() {
        None => ("signature_not_verified", "the card has no signature".to_owned()),
        Some(first) => {
            let alike = faults.iter().all(|fault| fault.code() == first.code());
            let code = if alike { first.code() } else { "signature_not_verified" };
            (code, format!("no signature of the card verifies; the first: {first}"))
        }
    };
    Refusal {
        code: Some(code.to_owned()),
        at: Some("/signatures".to_owned()),
        message: Some(message),
        ..Refusal::default()
    }
}

/// The keys of the params that can verify anything. Those of another kind or for another purpose are passed over (RFC
/// 7517 section 5); an ill-formed one is refused.
fn keys(params: &Value) -> Result<Vec<PublicKey>, Refusal> {
    let list = params
        .get("keys")
        .and_then(Value::as_array)
        .ok_or_else(|| Refusal::of_params("`keys` is missing or no array"))?;
    let mut keys = Vec::with_capacity(list.len());
    for (index, jwk) in list.iter().enumerate() {
        let refused =
            |error: KeyError| Refusal::of_params(format!("`keys`, element {index}: {error}"));
        match PublicKey::from_json(jwk) {
            Ok(key) if key.kid.is_none() => return Err(refused(KeyError::Member("kid"))),
            Ok(key) => keys.push(key),
            Err(KeyError::Unsupported | KeyError::Purpose(_)) => {}
            Err(error) => return Err(refused(error)),
        }
    }
    Ok(keys)
}

fn profile(params: &Value) -> Result<Option<Profile>, Refusal> {
    string(params, "profile")?
        .map(|name| {
            Profile::named(name)
                .ok_or_else(|| Refusal::of_params("`profile` is neither `spec` nor `sdk`"))
        })
        .transpose()
}

/// The string `name` of the params, if it is there.
fn string<'a>(params: &'a Value, name: &str) -> Result<Option<&'a str>, Refusal> {
    match params.get(name) {
        None => Ok(None),
        Some(Value::String(value)) => Ok(Some(value)),
        Some(_) => Err(Refusal::of_params(format!("`{name}` is not a string"))),
    }
}
