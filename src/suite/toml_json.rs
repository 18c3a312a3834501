//! TOML values as JSON values: what a case's params and expectations are written in.

use serde_json::{Map, Number, Value};

/// The member that spells a JSON value that TOML has no word for: `{"$json" = "null"}`.
const SPELLED: &str = "$json";

/// Turns TOML into JSON. A table whose only key is `$json` is the JSON value in its string.
///
/// # Errors
/// On dates and times, on `nan` and `inf`, and on a `$json` that is not JSON; with a JSON Pointer.
pub(super) fn to_json(value: &toml::Value) -> Result<Value, String> {
    convert(value, "")
}

fn convert(value: &toml::Value, at: &str) -> Result<Value, String> {
    match value {
        toml::Value::String(text) => Ok(Value::String(text.clone())),
        toml::Value::Integer(number) => Ok(Value::from(*number)),
        toml::Value::Boolean(truth) => Ok(Value::Bool(*truth)),
        toml::Value::Float(number) => Number::from_f64(*number)
            .map(Value::Number)
            .ok_or_else(|| format!("{number} at {} is no JSON number", place(at))),
        toml::Value::Datetime(when) => {
            Err(format!("the date {when} at {} must be a string", place(at)))
        }
        toml::Value::Array(elements) => elements
            .iter()
            .enumerate()
            .map(|(index, element)| convert(element, &format!("{at}/{index}")))
            .collect::<Result<Vec<_>, _>>()
            .map(Value::Array),
        toml::Value::Table(table) => {
            if let (1, Some(toml::Value::String(text))) = (table.len(), table.get(SPELLED)) {
                return serde_json::from_str(text)
                    .map_err(|error| format!("`{SPELLED}` at {} is not JSON: {error}", place(at)));
            }
            let mut object = Map::new();
            for (name, value) in table {
                let below = crate::adapter::document::pointer_to(at, name);
                object.insert(name.clone(), convert(value, &below)?);
            }
            Ok(Value::Object(object))
        }
    }
}

fn place(at: &str) -> &str {
    if at.is_empty() { "the top" } else { at }
}
