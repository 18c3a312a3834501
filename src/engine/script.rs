//! Values that a step of a case uses from earlier ones: `{{name.member}}` in strings.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::suite::expect::{Accepted, Expect, Output};
use crate::suite::params::{self, Params};

/// What earlier steps saved, by name.
pub(super) type Saved = BTreeMap<String, Value>;

/// Replaces every `{{name.path}}` in the strings of params. A string that is one reference and
/// nothing else becomes the value; within a longer string it becomes text. A document that was put
/// together from pieces, or written in base64, stays as it is: braces in it are its own.
///
/// # Errors
/// Where a reference leads nowhere, naming it.
pub(super) fn fill(params: &Params, saved: &Saved) -> Result<Value, String> {
    fill_value(params.written(), &params.value(), saved)
}

/// The same for what an expectation equals or includes; what references nothing is given back as it is.
///
/// # Errors
/// Where a reference leads nowhere, naming it.
pub(super) fn fill_expect(expect: &Expect, saved: &Saved) -> Result<Expect, String> {
    let filled = |values: &Params| {
        let value = fill(values, saved)?;
        Params::new(value).map_err(|what| format!("what was filled in can't be built: {what}"))
    };
    match expect {
        Expect::Ok(accepted) => {
            let output = match &accepted.output {
                Output::Equals(values) => Output::Equals(filled(values)?),
                Output::Includes(values) => Output::Includes(filled(values)?),
                other => other.clone(),
            };
            Ok(Expect::Ok(Accepted { output, ..accepted.clone() }))
        }
        Expect::Refused(refused) => Ok(Expect::Refused(refused.clone())),
        Expect::Readings(readings) => readings
            .iter()
            .map(|(name, expect)| Ok((name.clone(), fill_expect(expect, saved)?)))
            .collect::<Result<_, String>>()
            .map(Expect::Readings),
    }
}

fn fill_value(written: &Value, built: &Value, saved: &Saved) -> Result<Value, String> {
    if params::is_put_together(written) {
        return Ok(built.clone());
    }
    match written {
        Value::String(text) => fill_text(text, saved),
        Value::Array(elements) => elements
            .iter()
            .enumerate()
            .map(|(at, element)| fill_value(element, built.get(at).unwrap_or(element), saved))
            .collect::<Result<_, _>>()
            .map(Value::Array),
        Value::Object(members) => members
            .iter()
            .map(|(name, member)| {
                let filled = fill_value(member, built.get(name).unwrap_or(member), saved)?;
                Ok((name.clone(), filled))
            })
            .collect::<Result<Map<_, _>, String>>()
            .map(Value::Object),
        other => Ok(other.clone()),
    }
}

fn fill_text(text: &str, saved: &Saved) -> Result<Value, String> {
    if let Some(path) = text.strip_prefix("{{").and_then(|text| text.strip_suffix("}}"))
        && !path.contains("{{")
    {
        return find(path, saved).cloned();
    }
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let (path, after) =
            after.split_once("}}").ok_or_else(|| format!("`{{{{` is not closed in {text:?}"))?;
        filled.push_str(before);
        match find(path, saved)? {
            Value::String(found) => filled.push_str(found),
            other => filled.push_str(&other.to_string()),
        }
        rest = after;
    }
    filled.push_str(rest);
    Ok(Value::String(filled))
}

fn find<'a>(path: &str, saved: &'a Saved) -> Result<&'a Value, String> {
    let mut parts = path.split('.');
    let name = parts.next().unwrap_or_default();
    let start = saved.get(name).ok_or_else(|| format!("nothing was saved as {name:?}"))?;
    parts.try_fold(start, |value, part| {
        let found = match value {
            Value::Array(elements) => {
                part.parse::<usize>().ok().and_then(|index| elements.get(index))
            }
            other => other.get(part),
        };
        found.ok_or_else(|| format!("the saved {path:?} is not there"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_does_a_reference_become() {
        let saved: Saved =
            [("made".to_owned(), json!({"document": {"text": "x"}, "ids": [7]}))].into();
        let params = json!({"document": "{{made.document}}", "note": "id {{made.ids.0}}: {{made.document.text}}"});
        let fill = |params: Value| fill(&Params::new(params).expect("sound recipes"), &saved);
        let filled = fill(params).expect("everything was saved");
        assert_eq!(filled, json!({"document": {"text": "x"}, "note": "id 7: x"}));
        assert!(fill(json!("{{made.no}}")).is_err());
        assert!(fill(json!("{{other}}")).is_err());
        let built = json!([{"build": [{"repeat": "{", "times": 3}]}, {"base64": "e3t9"}]);
        let filled = fill(built).expect("braces of its own");
        assert_eq!(filled, json!([{"text": "{{{"}, {"text": "{{}"}]));
    }
}
