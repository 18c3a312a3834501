//! Reading the params that the `brick.` operations share.
//!
//! Depends on `serde_json` and on the document binding of `reference`.

use std::borrow::Cow;

use serde_json::Value;

use super::resource::Resources;
use super::runtime::Supports;
use crate::reference::answer::Refusal;
use crate::reference::document::{document_from_json, member};

/// The bytes of `manifest`.
pub(super) fn manifest(params: &Value) -> Result<Cow<'_, [u8]>, Refusal> {
    member(params, "manifest")
}

/// The member `resources`: an object from a URI to a document or null; absent, nothing is at hand.
pub(super) fn resources(params: &Value) -> Result<Resources, Refusal> {
    let Some(given) = params.get("resources") else { return Ok(Resources::new()) };
    let given = given.as_object().ok_or_else(|| of("resources", "is no object"))?;
    let read = |(uri, document): (&String, &Value)| {
        let bytes = match document {
            Value::Null => None,
            document => {
                let bytes = document_from_json(document)
                    .map_err(|error| Refusal::of_params(format!("`resources`: {error}")))?;
                Some(bytes.into_owned())
            }
        };
        Ok((uri.clone(), bytes))
    };
    given.iter().map(read).collect()
}

/// The member `supports`: what it does not have is as [`Supports::default`] has it.
pub(super) fn supports(params: &Value) -> Result<Supports, Refusal> {
    let mut supports = Supports::default();
    let Some(given) = params.get("supports") else { return Ok(supports) };
    let given = given.as_object().ok_or_else(|| of("supports", "is no object"))?;
    let Supports { transports, a2a, extensions } = &mut supports;
    let lists = [("transports", transports), ("a2a", a2a), ("extensions", extensions)];
    for (name, list) in lists {
        let Some(value) = given.get(name) else { continue };
        let strings = value.as_array().map(|items| items.iter().map(Value::as_str));
        let strings: Option<Vec<&str>> = strings.and_then(Iterator::collect);
        let strings = strings.ok_or_else(|| of("supports", "holds what is no array of strings"))?;
        *list = strings.into_iter().map(str::to_owned).collect();
    }
    Ok(supports)
}

/// The string `name` of the params.
pub(super) fn text<'a>(params: &'a Value, name: &str) -> Result<&'a str, Refusal> {
    let value = params.get(name).ok_or_else(|| of(name, "is missing"))?;
    value.as_str().ok_or_else(|| of(name, "is no string"))
}

fn of(name: &str, what: &str) -> Refusal {
    Refusal::of_params(format!("`{name}` {what}"))
}
