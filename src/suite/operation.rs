//! The shapes of a suite's operations, from `suites/<suite>/operations.schema.json`.
//!
//! The file is one JSON Schema document (draft 2020-12) with local definitions under `$defs` and
//! an `operations` object: for each operation `about`, `params` and `output`. Two annotations of
//! ours tell how an output is compared: `"x-compare": "json"` on a document (as JSON, not by
//! bytes) and `"x-set": true` on an array (its order does not matter).

use std::collections::BTreeMap;
use std::sync::OnceLock;

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::adapter::document;

/// The operations of a suite.
#[derive(Debug, Default)]
pub struct Operations {
    by_name: BTreeMap<String, Operation>,
}

/// Places of an output, by JSON Pointer, that are compared in a way of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Plain JSON, in which `{"text": "…"}` is an object like any other, and no document.
    pub json: Vec<String>,
    /// Arrays whose order does not matter.
    pub sets: Vec<String>,
}

/// One operation's shapes; compiled when first used.
#[derive(Debug)]
pub struct Operation {
    /// What it does.
    pub about: String,
    params: Shape,
    output: Shape,
}

#[derive(Debug)]
struct Shape {
    schema: Value,
    compiled: OnceLock<Result<Validator, String>>,
}

/// Schemas refer to one another no deeper than this.
const REFERENCES: usize = 32;

impl Operations {
    /// Reads the file.
    ///
    /// # Errors
    /// Where it is not JSON or not of the shape above.
    pub(super) fn read(text: &str) -> Result<Operations, String> {
        let file: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let definitions = file.get("$defs").cloned().unwrap_or_else(|| json!({}));
        let operations = file
            .get("operations")
            .and_then(Value::as_object)
            .ok_or("the member `operations` is missing")?;
        let mut by_name = BTreeMap::new();
        for (name, operation) in operations {
            let shape = |member: &str| {
                operation
                    .get(member)
                    .map(|schema| Shape::new(schema, &definitions))
                    .ok_or_else(|| format!("`{name}` has no `{member}`"))
            };
            let about = operation.get("about").and_then(Value::as_str).unwrap_or_default();
            let read = Operation {
                about: about.to_owned(),
                params: shape("params")?,
                output: shape("output")?,
            };
            by_name.insert(name.clone(), read);
        }
        Ok(Operations { by_name })
    }

    /// An operation by its name.
    pub fn get(&self, name: &str) -> Option<&Operation> {
        self.by_name.get(name)
    }

    /// The operations' names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }
}

impl Operation {
    /// Holds params against the schema.
    ///
    /// # Errors
    /// The first thing that does not fit, with its JSON Pointer.
    pub fn check_params(&self, params: &Value) -> Result<(), String> {
        self.params.check(params)
    }

    /// The output as it is compared: without the members that the schema does not name (they are
    /// ignored; where a schema names none, or says what further ones are like, all stay), documents
    /// that are compared as JSON replaced by their values. With it the places of those values and of
    /// the sets.
    pub fn comparable(&self, output: &Value) -> (Value, Places) {
        let mut places = Places::default();
        let schema = &self.output.schema;
        let value = comparable(schema, schema, output, ("", 0), &mut places);
        (value, places)
    }

    /// Whether a schema that a case brings is one; it may refer to the suite's definitions.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn check_schema(&self, schema: &Value) -> Result<(), String> {
        self.with_definitions(schema).compiled().map(|_| ())
    }

    /// Holds an output against a schema that a case brings.
    ///
    /// # Errors
    /// The first thing that does not fit, with its JSON Pointer.
    pub fn fits(&self, schema: &Value, output: &Value) -> Result<(), String> {
        let (value, _) = self.comparable(&document::as_sent(output));
        self.with_definitions(schema).check(&value)
    }

    fn with_definitions(&self, schema: &Value) -> Shape {
        Shape::new(schema, self.output.schema.get("$defs").unwrap_or(&Value::Null))
    }

    /// A JSON Pointer to the first member of an expected output that the schema does not name: it
    /// would be ignored, and so expect nothing.
    pub fn unnamed(&self, expected: &Value) -> Option<String> {
        unnamed(&self.output.schema, &self.output.schema, expected, ("", 0))
    }

    /// Whether the member at a JSON Pointer into the output's top level counts: the schema names it,
    /// or names no members, or says what further ones are like.
    pub fn names(&self, at: &str) -> bool {
        let mut members = Members::default();
        gather(&self.output.schema, &self.output.schema, &mut members, 0);
        members.open || members.named.is_empty() || self.member(at).is_some()
    }

    /// Whether the document at a JSON Pointer into the output's top level is compared as JSON.
    pub fn is_json(&self, at: &str) -> bool {
        self.member(at).is_some_and(|schema| {
            let mut members = Members::default();
            gather(&self.output.schema, schema, &mut members, 0);
            members.json
        })
    }

    fn member(&self, at: &str) -> Option<&Value> {
        let mut members = Members::default();
        gather(&self.output.schema, &self.output.schema, &mut members, 0);
        members.named.get(at.strip_prefix('/')?).copied()
    }

    /// The schema of its params.
    pub fn params_schema(&self) -> &Value {
        self.params.written()
    }

    /// The schema of its output.
    pub fn output_schema(&self) -> &Value {
        self.output.written()
    }

    /// Holds an output against the schema.
    ///
    /// # Errors
    /// The first thing that does not fit, with its JSON Pointer.
    pub fn check_output(&self, output: &Value) -> Result<(), String> {
        self.output.check(output)
    }
}

impl Shape {
    fn new(schema: &Value, definitions: &Value) -> Shape {
        // The schema is a document of its own, with the file's definitions where its
        // references look for them.
        let schema = json!({ "$defs": definitions, "allOf": [schema] });
        Shape { schema, compiled: OnceLock::new() }
    }

    /// The schema as the file has it.
    fn written(&self) -> &Value {
        self.schema.pointer("/allOf/0").unwrap_or(&self.schema)
    }

    fn compiled(&self) -> Result<&Validator, String> {
        let compiled = self.compiled.get_or_init(|| {
            let options = jsonschema::draft202012::options();
            options.build(&self.schema).map_err(|error| error.to_string())
        });
        compiled.as_ref().map_err(|error| format!("the schema is unusable: {error}"))
    }

    fn check(&self, value: &Value) -> Result<(), String> {
        first_error(self.compiled()?, value)
    }
}

fn comparable(
    root: &Value,
    schema: &Value,
    value: &Value,
    (at, depth): (&str, usize),
    found: &mut Places,
) -> Value {
    let mut members = Members::default();
    gather(root, schema, &mut members, depth);
    if members.json
        && let Some(json) = as_json(value)
    {
        found.json.push(at.to_owned());
        return json;
    }
    match value {
        Value::Object(object) if !members.named.is_empty() && !members.open => Value::Object(
            object
                .iter()
                .filter_map(|(name, member)| {
                    let schema = members.named.get(name.as_str())?;
                    let place = (&*document::pointer_to(at, name), depth + 1);
                    Some((name.clone(), comparable(root, schema, member, place, found)))
                })
                .collect(),
        ),
        Value::Array(elements) => {
            if members.set {
                found.sets.push(at.to_owned());
            }
            Value::Array(match members.items {
                Some(schema) => elements
                    .iter()
                    .enumerate()
                    .map(|(index, element)| {
                        let place = (&*format!("{at}/{index}"), depth + 1);
                        comparable(root, schema, element, place, found)
                    })
                    .collect(),
                None => elements.clone(),
            })
        }
        other => other.clone(),
    }
}

fn unnamed(
    root: &Value,
    schema: &Value,
    value: &Value,
    (at, depth): (&str, usize),
) -> Option<String> {
    let mut members = Members::default();
    gather(root, schema, &mut members, depth);
    match value {
        Value::Object(object) if object.len() == 1 && object.contains_key("build") => None,
        Value::Object(object) if !members.named.is_empty() && !members.open => {
            object.iter().find_map(|(name, member)| {
                let below = document::pointer_to(at, name);
                match members.named.get(name.as_str()) {
                    None => Some(below),
                    Some(schema) => unnamed(root, schema, member, (&below, depth + 1)),
                }
            })
        }
        Value::Array(elements) => elements.iter().enumerate().find_map(|(index, element)| {
            unnamed(root, members.items?, element, (&format!("{at}/{index}"), depth + 1))
        }),
        _ => None,
    }
}

/// The JSON value in a document.
fn as_json(document: &Value) -> Option<Value> {
    serde_json::from_slice(&document::bytes(document)?).ok()
}

/// What a schema says of the members and elements below it.
#[derive(Default)]
struct Members<'a> {
    named: BTreeMap<&'a str, &'a Value>,
    /// Further members are spoken of: none is to be dropped.
    open: bool,
    items: Option<&'a Value>,
    /// A document that is compared as JSON.
    json: bool,
    /// An array whose order does not matter.
    set: bool,
}

/// Gathers members over `$ref`, `allOf`, `anyOf` and `oneOf`.
fn gather<'a>(root: &'a Value, schema: &'a Value, found: &mut Members<'a>, depth: usize) {
    if depth > REFERENCES {
        return;
    }
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        found.named.extend(properties.iter().map(|(name, schema)| (name.as_str(), schema)));
    }
    found.open |=
        schema.get("additionalProperties").is_some_and(|more| *more != Value::Bool(false))
            || schema.get("patternProperties").is_some();
    found.items = schema.get("items").or(found.items);
    found.json |= schema.get("x-compare").is_some_and(|how| how == "json");
    found.set |= schema.get("x-set").is_some_and(|set| *set == Value::Bool(true));
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str)
        && let Some(target) = reference.strip_prefix('#').and_then(|at| root.pointer(at))
    {
        gather(root, target, found, depth + 1);
    }
    for word in ["allOf", "anyOf", "oneOf"] {
        for part in schema.get(word).and_then(Value::as_array).into_iter().flatten() {
            gather(root, part, found, depth + 1);
        }
    }
}

fn first_error(validator: &Validator, value: &Value) -> Result<(), String> {
    validator.validate(value).map_err(|error| {
        let at = error.instance_path().to_string();
        let place = if at.is_empty() { "the output".to_owned() } else { at };
        // The message quotes the value, which may be megabytes.
        let message: String = error.to_string().chars().take(300).collect();
        format!("{place}: {message}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_of_an_output_is_compared() {
        let file = json!({
            "$defs": {"document": {"oneOf": [
                {"properties": {"text": {}}, "required": ["text"]},
                {"properties": {"base64": {}}, "required": ["base64"]},
            ]}},
            "operations": {"x.y": {"params": {}, "output": {"properties": {
                "document": {"$ref": "#/$defs/document"},
                "rows": {"items": {"properties": {"a": {}}}},
                "free": {"type": "object"},
                "carrier": {"$ref": "#/$defs/document", "x-compare": "json"},
                "tools": {"type": "array", "x-set": true},
            }}}},
        });
        let operations = Operations::read(&file.to_string()).expect("the shape is right");
        let operation = operations.get("x.y").expect("it is there");
        let output = json!({
            "document": {"text": "t", "note": 1}, "rows": [{"a": 1, "b": 2}], "free": {"z": 1},
            "more": {"text": "u"}, "carrier": {"text": " [1.0] "}, "tools": ["b", "a"],
        });
        let expected = json!({
            "document": {"text": "t"}, "rows": [{"a": 1}], "free": {"z": 1}, "carrier": [1.0],
            "tools": ["b", "a"],
        });
        let places = Places { json: vec!["/carrier".into()], sets: vec!["/tools".into()] };
        assert_eq!(operation.comparable(&output), (expected, places));
        assert!(operation.is_json("/carrier"));
        assert!(!operation.is_json("/document"));
    }

    #[test]
    fn what_does_a_schema_of_a_case_see() {
        let file = json!({
            "$defs": {"card": {"required": ["name"]}},
            "operations": {"x.y": {"params": {}, "output": {"properties": {
                "card": {"x-compare": "json"}, "document": {},
            }}}},
        });
        let operations = Operations::read(&file.to_string()).expect("the shape is right");
        let operation = operations.get("x.y").expect("it is there");
        let schema = json!({"properties": {
            "card": {"$ref": "#/$defs/card"},
            "document": {"properties": {"text": {"const": "a"}}, "required": ["text"]},
        }});
        assert_eq!(operation.check_schema(&schema), Ok(()));
        assert!(operation.check_schema(&json!({"$ref": "#/$defs/none"})).is_err());
        let output =
            |card: &str, document: Value| json!({"card": {"text": card}, "document": document});
        let good = output(r#"{"name": 1}"#, json!({"base64": "YQ=="}));
        assert_eq!(operation.fits(&schema, &good), Ok(()));
        assert!(operation.fits(&schema, &output("{}", json!({"text": "a"}))).is_err());
        assert!(operation.fits(&schema, &output(r#"{"name": 1}"#, json!({"text": "b"}))).is_err());
    }
}
