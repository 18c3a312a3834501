//! Params of the Brief operations, and their outputs, as JSON.
//!
//! Depends on `serde_json`, on the document binding of `reference`, and on the library beside it.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::document::Brief;
use super::error::BriefError;
use super::response::Response;
use super::sections::Outline;
use super::trace::Trace;
use super::warning::Warning;
use crate::reference::answer::Refusal;
use crate::reference::document::{document_from_json, document_to_json, member};

impl From<BriefError> for Refusal {
    fn from(error: BriefError) -> Self {
        let pointer =
            |member: &String| format!("/{}", member.replace('~', "~0").replace('/', "~1"));
        Refusal {
            code: Some(error.fault.name().to_owned()),
            at: error.member.as_ref().map(pointer),
            message: Some(error.to_string()),
            ..Refusal::default()
        }
    }
}

/// The string `name`.
pub(super) fn text<'a>(params: &'a Value, name: &str) -> Result<&'a str, Refusal> {
    optional_text(params, name)?
        .ok_or_else(|| Refusal::of_params(format!("the params lack `{name}`")))
}

/// The string `name`, where it is there.
pub(super) fn optional_text<'a>(params: &'a Value, name: &str) -> Result<Option<&'a str>, Refusal> {
    match params.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(Refusal::of_params(format!("`{name}` is not a string"))),
    }
}

/// The count `name`, where it is there; 3.0 is 3.
pub(super) fn optional_count(params: &Value, name: &str) -> Result<Option<u64>, Refusal> {
    /// Above it doubles do not tell integers apart.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let Some(value) = params.get(name) else { return Ok(None) };
    let whole = |value: &Value| {
        let double = value.as_f64().filter(|x| x.fract() == 0.0 && (0.0..=EXACT).contains(x))?;
        format!("{double}").parse().ok()
    };
    match value.as_u64().or_else(|| whole(value)) {
        Some(count) => Ok(Some(count)),
        None => Err(Refusal::of_params(format!("`{name}` is no integer from 0 on"))),
    }
}

/// The truth value `name`, where it is there.
pub(super) fn optional_flag(params: &Value, name: &str) -> Result<Option<bool>, Refusal> {
    match params.get(name) {
        None => Ok(None),
        Some(Value::Bool(flag)) => Ok(Some(*flag)),
        Some(_) => Err(Refusal::of_params(format!("`{name}` is neither true nor false"))),
    }
}

/// The array `name`.
pub(super) fn items<'a>(params: &'a Value, name: &str) -> Result<&'a [Value], Refusal> {
    let items = params.get(name).and_then(Value::as_array);
    let items = items.ok_or_else(|| Refusal::of_params(format!("`{name}` is not an array")))?;
    Ok(items)
}

/// The documents in the array `name`.
pub(super) fn documents<'a>(params: &'a Value, name: &str) -> Result<Vec<Cow<'a, [u8]>>, Refusal> {
    let bytes = |(index, value)| {
        document_from_json(value)
            .map_err(|error| Refusal::of_params(format!("`{name}`, item {index}: {error}")))
    };
    items(params, name)?.iter().enumerate().map(|(index, value)| bytes((index, value))).collect()
}

/// The brief `name`.
pub(super) fn brief(params: &Value, name: &str) -> Result<Brief, Refusal> {
    Ok(Brief::parse(&member(params, name)?)?)
}

/// The trace `name`.
pub(super) fn trace(params: &Value, name: &str) -> Result<Trace, Refusal> {
    Ok(Trace::parse(&member(params, name)?)?)
}

/// The trace `name`, where it is there.
pub(super) fn optional_trace(params: &Value, name: &str) -> Result<Option<Trace>, Refusal> {
    params.get(name).map(|_| trace(params, name)).transpose()
}

/// A text as a document.
pub(super) fn document(text: &str) -> Value {
    document_to_json(text.as_bytes().to_vec())
}

/// A brief as `brief.parse` gives it.
pub(super) fn brief_to_json(brief: &Brief) -> Value {
    let outline = brief.outline();
    let fields = [
        ("id", Some(json!(brief.id()))),
        ("protocolVersion", Some(json!(brief.protocol_version()))),
        ("delegator", Some(json!(brief.delegator()))),
        ("delegatee", Some(json!(brief.delegatee()))),
        ("timestamp", Some(json!(brief.timestamp().as_str()))),
        ("parentId", brief.parent_id().map(Value::from)),
        ("maxDepth", brief.max_depth().map(Value::from)),
        ("currentDepth", brief.current_depth().map(Value::from)),
    ];
    let members = [
        ("fields", Some(object(fields))),
        ("extra", Some(Value::Object(brief.extra().clone()))),
        ("root", Some(json!(brief.is_root()))),
        ("body", Some(document(brief.body()))),
        ("sections", Some(sections(&outline))),
        ("warnings", Some(warnings(&brief.warnings_given(&outline)))),
        ("title", outline.title.map(Value::from)),
    ];
    object(members)
}

/// A response as `brief.parse_response` gives it, with warnings beside its own.
pub(super) fn response_to_json(response: &Response, others: &[Warning]) -> Value {
    let outline = response.outline();
    let mut all = response.warnings_given(&outline);
    all.extend(others);
    let fields = json!({
        "id": response.id(),
        "status": response.status(),
        "timestamp": response.timestamp().as_str(),
    });
    json!({
        "fields": fields,
        "extra": response.extra(),
        "body": document(response.body()),
        "sections": sections(&outline),
        "warnings": warnings(&all),
    })
}

/// The entries and warnings of a trace.
pub(super) fn trace_to_json(trace: &Trace) -> Value {
    let entry = |entry: &super::trace::Entry| {
        object([
            ("agent", Some(json!(entry.agent))),
            ("timestamp", Some(json!(entry.timestamp.as_str()))),
            ("action", Some(json!(entry.action))),
            ("brief", entry.brief.clone().map(Value::from)),
        ])
    };
    let entries: Vec<Value> = trace.entries().iter().map(entry).collect();
    json!({ "entries": entries, "warnings": warnings(&trace.warnings()) })
}

fn sections(outline: &Outline) -> Value {
    let section =
        |section: &super::sections::Section| json!({ "name": section.name, "text": section.text });
    outline.sections.iter().map(section).collect()
}

fn warnings(warnings: &[Warning]) -> Value {
    let warning =
        |warning: &Warning| json!({ "code": warning.name(), "message": warning.to_string() });
    warnings.iter().map(warning).collect()
}

/// An object of the members that are there.
pub(super) fn object<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    let present = members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(present.collect())
}
