//! The shapes of a suite's operations, from `suites/<suite>/operations.schema.json`.
//!
//! The file is one JSON Schema document (draft 2020-12) with local definitions under `$defs` and
//! an `operations` object: for each operation `about`, `params` and `output`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use jsonschema::Validator;
use serde_json::{Value, json};

/// The operations of a suite.
#[derive(Debug, Default)]
pub struct Operations {
    by_name: BTreeMap<String, Operation>,
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

    fn check(&self, value: &Value) -> Result<(), String> {
        let compiled = self.compiled.get_or_init(|| compile(&self.schema));
        match compiled {
            Ok(validator) => first_error(validator, value),
            Err(error) => Err(format!("the operation's schema is unusable: {error}")),
        }
    }
}

fn compile(schema: &Value) -> Result<Validator, String> {
    jsonschema::draft202012::options().build(schema).map_err(|error| error.to_string())
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

/// Holds a value against a schema that a case brings.
///
/// # Errors
/// Where the value does not fit, or the schema is no schema.
pub fn check_against(schema: &Value, value: &Value) -> Result<(), String> {
    first_error(&compile(schema)?, value)
}
