//! The binding of Brief to the adapter protocol: every `brief.` operation.
//!
//! Depends on `serde_json`, on `binding`, and on the library beside it.

use serde_json::{Value, json};

use super::a2a::{self, Outgoing};
use super::binding::{
    brief, brief_to_json, document, documents, items, object, optional_count, optional_flag,
    optional_text, optional_trace, response_to_json, text, trace, trace_to_json,
};
use super::builder::Delegation;
use super::document::Brief;
use super::error::{BriefError, Fault};
use super::fan_in::FanIn;
use super::response::{Answering, Response};
use super::trace::{Branch, NewEntry, Trace};
use super::tree::{self, Node};
use super::warning::Warning;
use crate::reference::answer::{Operation, Refusal};
use crate::reference::document::{document_to_json, member};

/// The roles that these operations make up.
pub const ROLES: &[&str] = &["brief/delegator", "brief/delegatee", "brief/carrier"];

/// The operations, by their names on the wire.
pub const OPERATIONS: &[Operation] = &[
    Operation { name: "brief.create", run: |params| create(params).into() },
    Operation { name: "brief.parse", run: |params| parse(params).into() },
    Operation { name: "brief.parse_response", run: |params| parse_response(params).into() },
    Operation { name: "brief.respond", run: |params| respond(params).into() },
    Operation { name: "brief.delegate", run: |params| delegate(params).into() },
    Operation { name: "brief.append_trace", run: |params| append_trace(params).into() },
    Operation { name: "brief.parse_trace", run: |params| parse_trace(params).into() },
    Operation { name: "brief.merge_trace", run: |params| merge_trace(params).into() },
    Operation { name: "brief.tree", run: |params| tree(params).into() },
    Operation { name: "brief.fan_in", run: |params| fan_in(params).into() },
    Operation { name: "brief.to_a2a", run: |params| to_a2a(params).into() },
    Operation { name: "brief.from_a2a", run: |params| from_a2a(params).into() },
    Operation { name: "brief.match", run: |params| matching(params).into() },
];

fn create(params: &Value) -> Result<Value, Refusal> {
    let mut builder = Brief::builder(
        text(params, "delegator")?,
        text(params, "delegatee")?,
        text(params, "body")?,
    );
    if let Some(id) = optional_text(params, "id")? {
        builder = builder.id(id);
    }
    if let Some(timestamp) = optional_text(params, "timestamp")? {
        builder = builder.timestamp(timestamp);
    }
    if let Some(version) = optional_text(params, "protocolVersion")? {
        builder = builder.protocol_version(version);
    }
    if let Some(id) = optional_text(params, "parentId")? {
        builder = builder.parent_id(id);
    }
    if let Some(depth) = optional_count(params, "maxDepth")? {
        builder = builder.max_depth(depth);
    }
    if let Some(depth) = optional_count(params, "currentDepth")? {
        builder = builder.current_depth(depth);
    }
    if let Some(extra) = params.get("extra") {
        let refused = || Refusal::of_params("`extra` is not an object of strings");
        for (name, value) in extra.as_object().ok_or_else(refused)? {
            builder = builder.extra(name, value.as_str().ok_or_else(refused)?);
        }
    }
    let brief = builder.build()?;
    Ok(object([
        ("document", Some(document(brief.content()))),
        ("id", Some(json!(brief.id()))),
        ("filename", brief.file_name().map(Value::from)),
    ]))
}

fn parse(params: &Value) -> Result<Value, Refusal> {
    Ok(brief_to_json(&brief(params, "document")?))
}

fn parse_response(params: &Value) -> Result<Value, Refusal> {
    let bytes = member(params, "document")?;
    if params.get("brief").is_none() {
        return Ok(response_to_json(&Response::parse(&bytes)?, &[]));
    }
    let brief = brief(params, "brief")?;
    let response = Response::parse_to(&bytes, &brief)?;
    let early = response.is_before(&brief).then_some(Warning::BeforeItsBrief);
    Ok(response_to_json(&response, early.as_slice()))
}

fn respond(params: &Value) -> Result<Value, Refusal> {
    let brief = brief(params, "brief")?;
    let answering = Answering {
        status: text(params, "status")?.to_owned(),
        body: text(params, "body")?.to_owned(),
        timestamp: optional_text(params, "timestamp")?.map(str::to_owned),
    };
    let (response, trace) = match optional_trace(params, "trace")? {
        None => (brief.respond(answering)?, None),
        Some(trace) => {
            let agent = optional_text(params, "agent")?;
            let (response, trace) = brief.respond_with_trace(answering, &trace, agent)?;
            (response, Some(document(trace.content())))
        }
    };
    Ok(object([
        ("document", Some(document(response.content()))),
        ("to", response.to().map(Value::from)),
        ("trace", trace),
    ]))
}

fn delegate(params: &Value) -> Result<Value, Refusal> {
    let owned = |name| optional_text(params, name).map(|text| text.map(str::to_owned));
    let held = brief(params, "brief")?;
    let delegation = Delegation {
        delegator: text(params, "delegator")?.to_owned(),
        delegatee: text(params, "delegatee")?.to_owned(),
        body: text(params, "body")?.to_owned(),
        id: owned("id")?,
        timestamp: owned("timestamp")?,
        action: owned("action")?,
    };
    let (brief, trace) = held.delegate(&trace(params, "trace")?, delegation)?;
    Ok(json!({ "document": document(brief.content()), "trace": document(trace.content()) }))
}

fn append_trace(params: &Value) -> Result<Value, Refusal> {
    let trace = trace(params, "trace")?.append(&NewEntry {
        agent: text(params, "agent")?,
        timestamp: text(params, "timestamp")?,
        action: text(params, "action")?,
        brief: optional_text(params, "brief")?,
    })?;
    Ok(json!({ "trace": document(trace.content()) }))
}

fn parse_trace(params: &Value) -> Result<Value, Refusal> {
    Ok(trace_to_json(&trace(params, "trace")?))
}

fn merge_trace(params: &Value) -> Result<Value, Refusal> {
    let held = trace(params, "trace")?;
    let branch = |params: &Value| {
        Ok(Branch {
            brief: text(params, "brief")?.to_owned(),
            handed_down: trace(params, "handed_down")?,
            returned: trace(params, "returned")?,
        })
    };
    let branches: Result<Vec<Branch>, Refusal> =
        items(params, "branches")?.iter().map(branch).collect();
    Ok(json!({ "trace": document(held.merge(&branches?)?.content()) }))
}

fn tree(params: &Value) -> Result<Value, Refusal> {
    let briefs: Result<Vec<Brief>, BriefError> =
        documents(params, "briefs")?.iter().map(|bytes| Brief::parse(bytes)).collect();
    let node = |node: Node| {
        json!({
            "id": node.id,
            "parent": node.parent,
            "depth": node.depth,
            "outside": node.outside,
        })
    };
    let nodes: Vec<Value> = tree::tree(&briefs?)?.into_iter().map(node).collect();
    Ok(json!({ "nodes": nodes }))
}

fn fan_in(params: &Value) -> Result<Value, Refusal> {
    let refused = || Refusal::of_params("`awaiting` is not an array of strings");
    let ids: Option<Vec<&str>> = items(params, "awaiting")?.iter().map(Value::as_str).collect();
    let mut fan_in = FanIn::new(ids.ok_or_else(refused)?);
    for bytes in documents(params, "responses")? {
        fan_in.receive(Response::parse(&bytes)?)?;
    }
    let received: Vec<Value> = fan_in
        .received()
        .map(|response| json!({ "id": response.id(), "status": response.status() }))
        .collect();
    Ok(json!({
        "complete": fan_in.is_complete(),
        "missing": fan_in.missing(),
        "unexpected": fan_in.unexpected(),
        "received": received,
    }))
}

fn to_a2a(params: &Value) -> Result<Value, Refusal> {
    let bytes = member(params, "document")?;
    let trace: Option<Trace> = optional_trace(params, "trace")?;
    // Where nothing is said, the document tells what it is: only a brief has a delegator.
    let request = match (Brief::parse(&bytes), optional_flag(params, "response")?) {
        (Ok(brief), None | Some(false)) => a2a::to_a2a(Outgoing::Brief(&brief), trace.as_ref())?,
        (Err(error), Some(false)) => return Err(error.into()),
        (Ok(_), Some(true)) => return Err(BriefError::from(Fault::OtherKind).into()),
        (Err(_), Some(true)) => {
            a2a::to_a2a(Outgoing::Response(&Response::parse(&bytes)?), trace.as_ref())?
        }
        (Err(error), None) => match Response::parse(&bytes) {
            Ok(response) => a2a::to_a2a(Outgoing::Response(&response), trace.as_ref())?,
            Err(_) => return Err(error.into()),
        },
    };
    Ok(json!({ "request": document_to_json(request.to_string().into_bytes()) }))
}

fn from_a2a(params: &Value) -> Result<Value, Refusal> {
    let carried = a2a::from_a2a(&member(params, "request")?)?;
    Ok(object([
        ("document", Some(document(&carried.document))),
        ("trace", carried.trace.as_deref().map(document)),
    ]))
}

fn matching(params: &Value) -> Result<Value, Refusal> {
    let cards = documents(params, "cards")?;
    let cards: Vec<&[u8]> = cards.iter().map(AsRef::as_ref).collect();
    Ok(json!({ "matches": a2a::matching(text(params, "delegatee")?, &cards)? }))
}
