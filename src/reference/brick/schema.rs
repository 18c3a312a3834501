//! The companion schema, reconstructed, and what it says about a manifest.
//!
//! Depends on `jsonschema`, on `instance` and `fault`.

use std::sync::LazyLock;

use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::{ValidationError, Validator};
use serde_json::Value as JsonValue;

use super::fault::{Code, LISTED, List};
use super::instance::{Errors, Instance, TapeJson};
use super::tape::Value;

/// The schema's text: JSON Schema 2020-12, a reconstruction of the draft's `brick-core-v0.5.schema.json`.
pub const SCHEMA: &str = include_str!("../../../suites/brick/brick-core-v0.5.schema.json");

/// The schema, for its comments, and compiled.
struct Compiled {
    text: JsonValue,
    validator: Validator<TapeJson>,
}

/// The schema is a constant: a test holds that it compiles.
static COMPILED: LazyLock<Result<Compiled, String>> = LazyLock::new(|| {
    let text: JsonValue = serde_json::from_str(SCHEMA).map_err(|error| error.to_string())?;
    let validator = jsonschema::options_for::<TapeJson>()
        .should_validate_formats(true)
        .build(&text)
        .map_err(|error| error.to_string())?;
    Ok(Compiled { text, validator })
});

/// Adds all that the schema has against the manifest, unknown members at the top level excepted: those are told one by
/// one elsewhere.
pub(super) fn check(manifest: Value<'_>, faults: &mut List) {
    let compiled = match &*COMPILED {
        Ok(compiled) => compiled,
        Err(error) => {
            faults.add(0, Code::WrongType, "", format!("The schema does not compile: {error}."));
            return;
        }
    };
    let errors = Errors::at_most(LISTED);
    for error in compiled.validator.iter_errors(Instance::new(manifest, &errors)) {
        let number = error.instance().as_u64().and_then(|number| u32::try_from(number).ok());
        if let Some((code, sentence)) = told(&error) {
            let section = section(&compiled.text, error.schema_path().as_str());
            let at = error.instance_path().as_str();
            faults.add(number.unwrap_or_default(), code, at, format!("{sentence} ({section})."));
        }
    }
    if errors.is_full() {
        faults.cut();
    }
}

/// An error as a code and a sentence without its full stop.
fn told(error: &ValidationError<'_>) -> Option<(Code, String)> {
    let path = error.instance_path().as_str();
    Some(match error.kind() {
        Kind::AdditionalProperties { .. } => return None,
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            (Code::MissingMember, format!("The member `{name}` is missing"))
        }
        Kind::MinItems { .. } => (Code::Empty, "At least one entry must stand here".to_owned()),
        Kind::MinLength { .. } => (Code::Empty, "The string is empty".to_owned()),
        Kind::Constant { .. } => {
            (Code::UnsupportedVersion, "The only version that is read is the string 0.5".to_owned())
        }
        Kind::Format { .. } if path == "/agent/id" => {
            (Code::AgentIdNotAUri, "The agent's id is no URI by RFC 3986".to_owned())
        }
        Kind::Type { kind } => {
            use jsonschema::error::TypeKind;
            let types: Vec<String> = match kind {
                TypeKind::Single(single) => vec![single.to_string()],
                TypeKind::Multiple(set) => set.iter().map(|own| own.to_string()).collect(),
            };
            let wanted = types.into_iter().find(|name| name != "null").unwrap_or_default();
            let article = if wanted.starts_with(['a', 'o']) { "an" } else { "a" };
            (Code::WrongType, format!("What stands here must be {article} {wanted}"))
        }
        other => (Code::WrongType, format!("The schema's `{}` is not met", other.keyword())),
    })
}

/// The section that the schema gives as the reason of the constraint at that path.
fn section(schema: &JsonValue, path: &str) -> String {
    let mut path = path;
    loop {
        let comment = schema.pointer(path).and_then(|here| here.get("$comment"));
        if let Some(text) = comment.and_then(JsonValue::as_str) {
            let end = text.find([':', '.', ';']).unwrap_or(text.len());
            return text.get(..end).unwrap_or(text).to_lowercase();
        }
        match path.rfind('/') {
            Some(cut) => path = path.get(..cut).unwrap_or_default(),
            None => return "BRICK Core 0.5".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn does_the_schema_compile() {
        assert_eq!(COMPILED.as_ref().map(|_| ()).map_err(String::clone), Ok(()));
    }

    #[test]
    fn does_every_constraint_give_its_section() {
        fn walk(schema: &JsonValue, at: &str) {
            let Some(members) = schema.as_object() else { return };
            let is_schema = members.contains_key("type") || members.contains_key("const");
            let named = members.get("$comment").and_then(JsonValue::as_str);
            // A const inside `if` is its parent's condition.
            if is_schema && !at.contains("/if/") {
                assert!(named.is_some_and(|text| text.starts_with("Section")), "{at}");
            }
            for (name, value) in members {
                walk(value, &format!("{at}/{name}"));
            }
        }
        let schema: JsonValue = serde_json::from_str(SCHEMA).expect("the schema is JSON");
        walk(&schema, "");
    }
}
