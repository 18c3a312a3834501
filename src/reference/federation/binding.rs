//! Params of the federation operations: documents, bounds, contexts and what else they are made of.
//!
//! What is ill-formed is refused with the profile's code `invalid_type`, and never taken as absent.
//!
//! Depends on `serde_json`, on the document binding of `reference`, and on the profile.

use std::collections::BTreeMap;

use serde_json::Value;

use super::base64url;
use super::bounds::{Bounds, Ceiling};
use super::context::{Context, Given, ReceiptFact};
use super::digest::Digest;
use super::envelope::TaskEnvelope;
use super::error::{Code, FederationError};
use super::signature::TrustedKey;
use crate::reference::answer::Refusal;
use crate::reference::document;

impl From<FederationError> for Refusal {
    fn from(error: FederationError) -> Self {
        Refusal {
            code: Some(error.code.name().to_owned()),
            message: Some(error.to_string()),
            at: Some(error.pointer()),
            ..Refusal::default()
        }
    }
}

/// A refusal of the param `name`.
pub(super) fn refusal(code: Code, name: &str, message: &str) -> Refusal {
    Refusal {
        code: Some(code.name().to_owned()),
        at: Some(format!("/{name}")),
        message: Some(format!("`{name}` {message}")),
        ..Refusal::default()
    }
}

/// The param `name`.
pub(super) fn member<'a>(params: &'a Value, name: &str) -> Result<&'a Value, Refusal> {
    params.get(name).ok_or_else(|| refusal(Code::MissingRequiredField, name, "is missing"))
}

/// The string `name`.
pub(super) fn text<'a>(params: &'a Value, name: &str) -> Result<&'a str, Refusal> {
    let value = member(params, name)?;
    value.as_str().ok_or_else(|| refusal(Code::InvalidType, name, "is not a string"))
}

/// The string `name`, as what it spells.
pub(super) fn spelled<T>(
    params: &Value,
    name: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Result<T, Refusal> {
    let known = read(text(params, name)?);
    known.ok_or_else(|| refusal(Code::InvalidConstraint, name, "is none that the profile admits"))
}

/// The bytes of the document `name`.
pub(super) fn bytes<'a>(
    params: &'a Value,
    name: &str,
) -> Result<std::borrow::Cow<'a, [u8]>, Refusal> {
    document::document_from_json(member(params, name)?)
        .map_err(|error| refusal(Code::InvalidType, name, &format!("is no document: {error}")))
}

/// The envelope `name`.
pub(super) fn envelope(params: &Value, name: &str) -> Result<TaskEnvelope, Refusal> {
    Ok(TaskEnvelope::decode(&bytes(params, name)?, &Bounds::maximum())?)
}

/// The seed `name`: 32 bytes in base64url.
pub(super) fn seed(params: &Value, name: &str) -> Result<[u8; 32], Refusal> {
    let seed = base64url::decode(text(params, name)?).ok().and_then(|seed| seed.try_into().ok());
    seed.ok_or_else(|| refusal(Code::InvalidType, name, "is not 32 bytes in base64url"))
}

/// The ceilings, tightened as the params say.
pub(super) fn bounds(params: &Value) -> Result<Bounds, Refusal> {
    let mut bounds = Bounds::maximum();
    let Some(given) = params.get("bounds") else {
        return Ok(bounds);
    };
    let Some(given) = given.as_object() else {
        return Err(refusal(Code::InvalidType, "bounds", "is not an object"));
    };
    let refused = |code| refusal(code, "bounds", "sets a ceiling that cannot be set so");
    // All names are looked at before any value is.
    if given.keys().any(|key| Ceiling::ALL.iter().all(|ceiling| ceiling.key() != key)) {
        return Err(refused(Code::UnknownBound));
    }
    for (key, value) in given {
        bounds.tighten(key, value.as_u64()).map_err(refused)?;
    }
    Ok(bounds)
}

/// The context. Keys and receipts that are not of their form are refused here; what is of another type altogether is
/// left to the step of verification that it belongs to.
pub(super) fn context(params: &Value) -> Result<Context, Refusal> {
    let given = member(params, "context")?;
    if !given.is_object() {
        return Err(refusal(Code::InvalidType, "context", "is not an object"));
    }
    let pin = |name: &str| {
        given_as(given.get(name).filter(|pin| !pin.is_null()), |pin| Some(pin.as_str()?.to_owned()))
    };
    Ok(Context {
        keys: pool(given.get("keys"), "keys")?,
        issuer_key_sets: key_sets(given.get("issuer_key_sets").filter(|sets| !sets.is_null()))?,
        issuer: pin("issuer"),
        subject: pin("subject"),
        audience: pin("audience"),
        created_after: pin("created_after"),
        created_before: pin("created_before"),
        prior_receipts: list(given.get("prior_receipts"), "prior_receipts", prior)?,
    })
}

fn given_as<T>(value: Option<&Value>, read: impl Fn(&Value) -> Option<T>) -> Given<T> {
    match value {
        None => Given::Absent,
        Some(value) => read(value).map_or(Given::Malformed, Given::Value),
    }
}

/// A list whose elements are all of their form.
fn list<T>(
    value: Option<&Value>,
    name: &str,
    read: impl Fn(&Value) -> Option<T>,
) -> Result<Given<Vec<T>>, Refusal> {
    let items = match value {
        None => return Ok(Given::Absent),
        Some(Value::Array(items)) => items,
        Some(_) => return Ok(Given::Malformed),
    };
    let read: Option<Vec<T>> = items.iter().map(read).collect();
    let malformed = || refusal(Code::InvalidType, name, "has an element that is not of its form");
    read.map(Given::Value).ok_or_else(malformed)
}

fn pool(value: Option<&Value>, name: &str) -> Result<Given<Vec<TrustedKey>>, Refusal> {
    list(value, name, |key| {
        let bytes = base64url::decode(key.get("key")?.as_str()?).ok()?;
        let key_id = key.get("key_id")?.as_str()?.to_owned();
        (bytes.len() == 32).then_some(TrustedKey { key_id, key: bytes })
    })
}

fn key_sets(value: Option<&Value>) -> Result<Given<BTreeMap<String, Vec<TrustedKey>>>, Refusal> {
    let sets = match value {
        None => return Ok(Given::Absent),
        Some(Value::Object(sets)) => sets,
        Some(_) => return Ok(Given::Malformed),
    };
    let mut read = BTreeMap::new();
    for (issuer, keys) in sets {
        match pool(Some(keys), "issuer_key_sets")? {
            Given::Value(keys) => read.insert(issuer.clone(), keys),
            Given::Absent | Given::Malformed => return Ok(Given::Malformed),
        };
    }
    Ok(Given::Value(read))
}

fn prior(receipt: &Value) -> Option<ReceiptFact> {
    let text = |name: &str| receipt.get(name)?.as_str();
    Some(ReceiptFact {
        task_identity: text("task_identity")?.to_owned(),
        terminal_state: text("terminal_state")?.to_owned(),
        terminal_commitment: Digest::parse(text("commitment")?).ok()?,
    })
}
