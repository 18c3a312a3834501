//! Does the reference of BRICK Core 0.5 judge, bind and project manifests as its documentation says?

mod cards;
mod hostile;
mod laws;
mod manifests;
mod private;
mod runtimes;

use proofmark::reference::Refusal;
use proofmark::reference::brick::{
    Code, Fault, LISTED, Manifest, Requirement, Resources, Supports, authorise, bindings, expose,
    load, project, validate,
};
use serde_json::{Value, json};

/// Appendix A of the draft, without the two lines of its page break.
const APPENDIX_A: &str = r#"{ "brickVersion": "0.5", "agent": { "id": "https://agents.example.org/customer-support",
"name": "Customer Support", "description": "Answers subscription questions and checks channel availability",
"version": "1.0.0" }, "goals": [ "Resolve subscription support questions" ], "instructions": [ { "id":
"project-guidance", "uri": "./AGENTS.md" } ], "skills": [ { "id": "subscription-help", "uri":
"./skills/subscription-help/SKILL.md" } ], "mcpServers": [ { "id": "billing", "transport": "streamable-http",
"endpoint": "https://billing.example.org/mcp", "allowedTools": [ "lookup_subscription" ] }, { "id": "catalog",
"transport": "streamable-http", "endpoint": "https://catalog.example.org/mcp", "allowedTools": [ "find_channel" ] } ],
"capabilities": [ { "id": "subscription-help", "description": "Check a subscription and find channels", "inputs": [
"customer_reference", "channel_name" ], "outputs": [ "availability_status" ], "skillRefs": [ "subscription-help" ],
"toolRefs": [ "billing:lookup_subscription", "catalog:find_channel" ], "advertise": true } ], "a2a": { "enabled":
true, "endpoint": "https://agents.example.org/a2a", "protocolVersion": "1.0" } }"#;

fn appendix() -> Value {
    serde_json::from_str(APPENDIX_A).expect("the example is JSON")
}

/// The example with the value at a pointer replaced; the last part may be new.
fn with(at: &str, value: Value) -> Value {
    let mut manifest = appendix();
    set(&mut manifest, at, value);
    manifest
}

fn set(manifest: &mut Value, at: &str, value: Value) {
    let (parent, name) = at.rsplit_once('/').expect("a pointer");
    let parent = manifest.pointer_mut(parent).expect("what is around it");
    match parent {
        Value::Object(members) => drop(members.insert(name.to_owned(), value)),
        Value::Array(items) => match name.parse::<usize>() {
            Ok(index) if index < items.len() => items[index] = value,
            _ => items.push(value),
        },
        _ => panic!("{at}"),
    }
}

/// The example without the value at a pointer.
fn without(at: &str) -> Value {
    let mut manifest = appendix();
    let (parent, name) = at.rsplit_once('/').expect("a pointer");
    let parent = manifest.pointer_mut(parent).and_then(Value::as_object_mut).expect("an object");
    assert!(parent.remove(name).is_some(), "{at}");
    manifest
}

fn bytes(manifest: &Value) -> Vec<u8> {
    manifest.to_string().into_bytes()
}

fn none() -> Resources {
    Resources::new()
}

fn resources<const N: usize>(list: [(&str, Option<&str>); N]) -> Resources {
    list.map(|(uri, text)| (uri.to_owned(), text.map(|text| text.as_bytes().to_vec()))).into()
}

fn refused(result: Result<impl std::fmt::Debug, Refusal>) -> (String, String) {
    let refusal = result.expect_err("it is refused");
    let first = refusal.faults.first().expect("the first fault is among the faults");
    assert_eq!(
        (refusal.code.as_ref(), refusal.at.as_ref(), refusal.message.as_ref()),
        (Some(&first.code), Some(&first.at), first.message.as_ref())
    );
    (first.code.clone(), first.at.clone())
}

fn is(code: Code, at: &str) -> (String, String) {
    (code.name().to_owned(), at.to_owned())
}

#[track_caller]
fn faulty(manifest: &Value, code: Code, at: &str) {
    assert_eq!(refused(validate(&bytes(manifest), &none())), is(code, at), "{manifest}");
}

/// Among the faults is this one.
#[track_caller]
fn faulty_also(manifest: &Value, code: Code, at: &str) {
    let refusal = validate(&bytes(manifest), &none()).expect_err("it is refused");
    let found = refusal.faults.iter().any(|own| own.code == code.name() && own.at == at);
    assert!(found, "{manifest}: {refusal:?}");
}

#[track_caller]
fn warnings(manifest: &Value) -> Vec<(Code, String)> {
    let report = validate(&bytes(manifest), &none()).expect("it is accepted");
    let pair = |warning: Fault| (warning.code, warning.at);
    report.warnings.into_iter().map(pair).collect()
}

#[track_caller]
fn warned(manifest: &Value, code: Code, at: &str) {
    assert_eq!(warnings(manifest), [(code, at.to_owned())], "{manifest}");
}

#[track_caller]
fn card(manifest: &Value) -> Result<String, (String, String)> {
    match project(&bytes(manifest), &none(), &Supports::default()) {
        Ok(card) => Ok(String::from_utf8(card).expect("a card is UTF-8")),
        Err(refusal) => Err(refused(Err::<(), _>(refusal))),
    }
}
