//! The binding of the suite to the adapter protocol: every `brick.` operation but `brick.invoke`.
//!
//! Depends on `serde_json`, on the document binding of `reference`, on `binding` and on the library beside it.

use serde_json::{Map, Value, json};

use super::binding::{manifest, resources, supports, text};
use super::fault::Fault;
use crate::reference::answer::{Operation, Refusal};
use crate::reference::document::document_to_json;

/// The roles that these operations, with `brick.invoke`, make up.
pub const ROLES: &[&str] =
    &["brick/manifest-validator", "brick/runtime-adapter", "brick/a2a-projection"];

/// The operations, by their names on the wire.
pub const OPERATIONS: &[Operation] = &[
    Operation { name: "brick.validate", run: |params| validate(params).into() },
    Operation { name: "brick.load", run: |params| load(params).into() },
    Operation { name: "brick.expose", run: |params| expose(params).into() },
    Operation { name: "brick.authorize", run: |params| authorise(params).into() },
    Operation { name: "brick.project", run: |params| project(params).into() },
];

fn warnings(list: &[Fault]) -> Value {
    list.iter().map(|fault| fault.to_answer().to_json()).collect()
}

fn validate(params: &Value) -> Result<Value, Refusal> {
    let report = super::validate(&manifest(params)?, &resources(params)?)?;
    Ok(json!({
        "warnings": warnings(&report.warnings),
        "unsupported_extensions": report.unsupported_extensions,
    }))
}

fn load(params: &Value) -> Result<Value, Refusal> {
    let loaded = super::load(&manifest(params)?, &resources(params)?, &supports(params)?)?;
    let unavailable = loaded
        .unavailable
        .iter()
        .map(|entry| json!({ "capability": entry.capability, "at": entry.at }));
    let unsupported = loaded
        .unsupported
        .iter()
        .map(|entry| json!({ "kind": entry.kind.name(), "name": entry.name, "at": entry.at }));
    let resources = loaded.resources.iter().map(|resource| {
        let mut members = Map::new();
        members.insert("id".to_owned(), resource.id.clone().into());
        members.insert("uri".to_owned(), resource.uri.clone().into());
        if let Some(digest) = &resource.sha256 {
            members.insert("sha256".to_owned(), digest.clone().into());
        }
        members.insert("trust".to_owned(), "external".into());
        Value::Object(members)
    });
    Ok(json!({
        "capabilities": loaded.capabilities,
        "unavailable": unavailable.collect::<Value>(),
        "unsupported": unsupported.collect::<Value>(),
        "resources": resources.collect::<Value>(),
        "warnings": warnings(&loaded.warnings),
    }))
}

fn expose(params: &Value) -> Result<Value, Refusal> {
    let capability = text(params, "capability")?;
    let tools = super::expose(&manifest(params)?, &resources(params)?, capability)?;
    Ok(json!({ "tools": tools }))
}

fn authorise(params: &Value) -> Result<Value, Refusal> {
    let (capability, server) = (text(params, "capability")?, text(params, "server")?);
    let tool = text(params, "tool")?;
    super::authorise(&manifest(params)?, &resources(params)?, capability, server, tool)?;
    Ok(Value::Null)
}

fn project(params: &Value) -> Result<Value, Refusal> {
    let card = super::project(&manifest(params)?, &resources(params)?, &supports(params)?)?;
    Ok(json!({ "card": document_to_json(card) }))
}
