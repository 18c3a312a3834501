//! Does the reference of BRICK Core 0.5 judge, bind and project manifests as its documentation says?

use std::time::{Duration, Instant};

use proofmark::reference::Refusal;
use proofmark::reference::brick::{
    Code, Fault, LISTED, Manifest, Requirement, Resources, Supports, authorise, bindings, expose,
    load, project, validate,
};
use proptest::prelude::*;
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

#[test]
fn is_the_drafts_own_example_accepted_by_all_three_roles() {
    assert_eq!(warnings(&appendix()), []);
    let loaded = load(APPENDIX_A.as_bytes(), &none(), &Supports::default()).expect("it loads");
    assert_eq!(loaded.capabilities, ["subscription-help"]);
    assert!(loaded.unavailable.is_empty() && loaded.unsupported.is_empty());
    let uris: Vec<_> = loaded.resources.iter().map(|own| own.uri.as_str()).collect();
    assert_eq!(uris, ["./AGENTS.md", "./skills/subscription-help/SKILL.md"]);
    let tools = expose(APPENDIX_A.as_bytes(), &none(), "subscription-help").expect("it is exposed");
    assert_eq!(tools, ["billing:lookup_subscription", "catalog:find_channel"]);
    let card =
        project(APPENDIX_A.as_bytes(), &none(), &Supports::default()).expect("it has a card");
    let card: Value = serde_json::from_slice(&card).expect("the card is JSON");
    let expected = json!({
        "name": "Customer Support",
        "description": "Answers subscription questions and checks channel availability",
        "version": "1.0.0",
        "supportedInterfaces": [{
            "url": "https://agents.example.org/a2a",
            "protocolBinding": "JSONRPC",
            "protocolVersion": "1.0",
        }],
        "capabilities": {},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [{
            "id": "subscription-help",
            "name": "subscription-help",
            "description": "Check a subscription and find channels",
            "tags": ["capability"],
        }],
    });
    assert_eq!(card, expected);
}

#[test]
fn which_texts_are_no_manifests() {
    let at = |text: &[u8]| refused(validate(text, &none()));
    let texts: [(&[u8], Code, &str); 19] = [
        (b"", Code::Syntax, ""),
        (b"{", Code::Syntax, ""),
        (b"{\"a\":1,}", Code::Syntax, ""),
        (b"{'a':1}", Code::Syntax, ""),
        (b"{\"a\":NaN}", Code::Syntax, ""),
        (b"{\"a\":01}", Code::Syntax, ""),
        (b"{\"a\":1} // x", Code::TrailingData, ""),
        (b"{} {}", Code::TrailingData, ""),
        (b"{\"a\":\"\x01\"}", Code::Syntax, ""),
        (b"{\"a\":\"\\x\"}", Code::Syntax, ""),
        (b"\xEF\xBB\xBF{}", Code::ByteOrderMark, ""),
        (b"{\"a\":\"\xFF\"}", Code::InvalidUtf8, ""),
        (b"\xFF\xFE{\0}\0", Code::InvalidUtf8, ""),
        (b"{\0}\0", Code::Syntax, ""),
        (b"[]", Code::WrongType, ""),
        (b"\"{}\"", Code::WrongType, ""),
        (b"{\"a\":\"\\ud800\"}", Code::LoneSurrogate, ""),
        (b"{\"a2a\":1,\"\\u00612a\":2}", Code::DuplicateMember, "/a2a"),
        (b"{\"x\":[{},{\"b/\":{\"c\":1,\"d\":2,\"c\":3}}]}", Code::DuplicateMember, "/x/1/b~1/c"),
    ];
    for (text, code, place) in texts {
        assert_eq!(at(text), is(code, place), "{:?}", String::from_utf8_lossy(text));
    }
}

#[test]
fn is_a_pair_of_surrogates_one_character() {
    let text = APPENDIX_A.replace("Customer Support", "\\ud83d\\ude00 \\u00e9");
    let manifest = Manifest::read(text.as_bytes()).expect("it is read");
    assert_eq!(manifest.agent("name"), "\u{1F600} \u{e9}");
}

#[test]
fn is_each_fault_found_where_it_is() {
    let server = |id: &str, tools: &[&str]| json!({ "id": id, "transport": "stdio", "endpoint": "x", "allowedTools": tools });
    for (at, value, code, place) in [
        ("/Goals", json!([]), Code::UnknownMember, "/Goals"),
        ("/a~1b", json!(1), Code::UnknownMember, "/a~01b"),
        ("/brickVersion", json!("0.6"), Code::UnsupportedVersion, "/brickVersion"),
        ("/brickVersion", json!("0.5.0"), Code::UnsupportedVersion, "/brickVersion"),
        ("/agent", json!([]), Code::WrongType, "/agent"),
        ("/agent/version", json!(1), Code::WrongType, "/agent/version"),
        ("/agent/name", json!(""), Code::Empty, "/agent/name"),
        ("/agent/id", json!("customer-support"), Code::AgentIdNotAUri, "/agent/id"),
        ("/agent/id", json!("urn:a b"), Code::AgentIdNotAUri, "/agent/id"),
        ("/agent/id", json!("urn:a%2"), Code::AgentIdNotAUri, "/agent/id"),
        ("/agent/id", json!(""), Code::AgentIdNotAUri, "/agent/id"),
        ("/agent/id", json!("https://ex\u{e4}mple.org/"), Code::AgentIdNotAUri, "/agent/id"),
        ("/goals", json!([]), Code::Empty, "/goals"),
        ("/goals/0", json!(1), Code::WrongType, "/goals/0"),
        ("/goals/0", json!(""), Code::Empty, "/goals/0"),
        ("/capabilities", json!([]), Code::Empty, "/capabilities"),
        ("/capabilities/0", json!(null), Code::WrongType, "/capabilities/0"),
        ("/capabilities/0/id", json!(""), Code::Empty, "/capabilities/0/id"),
        ("/capabilities/0/id", json!("a\u{0}b"), Code::IdCharacters, "/capabilities/0/id"),
        ("/capabilities/0/advertise", json!("true"), Code::WrongType, "/capabilities/0/advertise"),
        ("/capabilities/0/advertise", json!(1), Code::WrongType, "/capabilities/0/advertise"),
        ("/capabilities/0/inputs", json!(null), Code::NullMember, "/capabilities/0/inputs"),
        ("/capabilities/0/inputs/0", json!({}), Code::WrongType, "/capabilities/0/inputs/0"),
        ("/capabilities/0/skillRefs", json!({}), Code::WrongType, "/capabilities/0/skillRefs"),
        ("/capabilities/0/skillRefs/0", json!(1), Code::WrongType, "/capabilities/0/skillRefs/0"),
        (
            "/capabilities/0/skillRefs/1",
            json!("project-guidance"),
            Code::UnresolvedSkill,
            "/capabilities/0/skillRefs/1",
        ),
        (
            "/capabilities/0/toolRefs/0",
            json!("find_channel"),
            Code::MalformedToolReference,
            "/capabilities/0/toolRefs/0",
        ),
        (
            "/capabilities/0/toolRefs/0",
            json!(":find_channel"),
            Code::MalformedToolReference,
            "/capabilities/0/toolRefs/0",
        ),
        (
            "/capabilities/0/toolRefs/1",
            json!("catalog:"),
            Code::MalformedToolReference,
            "/capabilities/0/toolRefs/1",
        ),
        (
            "/capabilities/0/toolRefs/1",
            json!("billing:find_channel"),
            Code::UnresolvedTool,
            "/capabilities/0/toolRefs/1",
        ),
        (
            "/capabilities/0/toolRefs/1",
            json!("Catalog:find_channel"),
            Code::UnresolvedTool,
            "/capabilities/0/toolRefs/1",
        ),
        (
            "/capabilities/0/toolRefs/1",
            json!("subscription-help:find_channel"),
            Code::UnresolvedTool,
            "/capabilities/0/toolRefs/1",
        ),
        ("/skills/0/uri", json!(""), Code::Empty, "/skills/0/uri"),
        ("/skills/0/sha256", json!("abc"), Code::DigestForm, "/skills/0/sha256"),
        (
            "/skills/0/sha256",
            json!(format!("sha256:{}", "0".repeat(64))),
            Code::DigestForm,
            "/skills/0/sha256",
        ),
        (
            "/mcpServers/2",
            server("catalog", &["find_channel"]),
            Code::DuplicateId,
            "/mcpServers/2/id",
        ),
        ("/mcpServers/0/endpoint", json!("ftp://x/"), Code::Endpoint, "/mcpServers/0/endpoint"),
        ("/mcpServers/0/transport", json!("stdio"), Code::Endpoint, "/mcpServers/0/endpoint"),
        ("/a2a/enabled", json!("yes"), Code::WrongType, "/a2a/enabled"),
        ("/a2a/protocolVersion", json!(1.0), Code::WrongType, "/a2a/protocolVersion"),
        ("/runtime", json!("x"), Code::WrongType, "/runtime"),
        ("/extensions", json!([]), Code::WrongType, "/extensions"),
        ("/extensions", json!(null), Code::NullMember, "/extensions"),
    ] {
        faulty(&with(at, value), code, place);
    }
}

#[test]
fn which_members_must_be_there() {
    let tools = with("/mcpServers/0/allowedTools", json!("lookup_subscription"));
    faulty_also(&tools, Code::WrongType, "/mcpServers/0/allowedTools");
    for (at, object) in [
        ("/brickVersion", ""),
        ("/agent", ""),
        ("/goals", ""),
        ("/capabilities", ""),
        ("/agent/id", "/agent"),
        ("/agent/version", "/agent"),
        ("/capabilities/0/description", "/capabilities/0"),
        ("/skills/0/uri", "/skills/0"),
        ("/mcpServers/1/allowedTools", "/mcpServers/1"),
        ("/a2a/enabled", "/a2a"),
        ("/a2a/endpoint", "/a2a"),
        ("/a2a/protocolVersion", "/a2a"),
    ] {
        faulty_also(&without(at), Code::MissingMember, object);
    }
    for at in ["/instructions", "/a2a", "/capabilities/0/inputs", "/capabilities/0/toolRefs"] {
        assert_eq!(warnings(&without(at)), [], "{at}");
    }
    let mut off = without("/a2a/endpoint");
    set(&mut off, "/a2a/enabled", json!(false));
    assert_eq!(warnings(&off), []);
}

#[test]
fn are_all_faults_told_in_document_order() {
    let text = r#"{"goals":[1],"x":0,"agent":{"id":"no uri","name":"","version":"1"},
        "capabilities":[{"id":"a","description":"d","toolRefs":["b"]},{"id":"a"}],"brickVersion":"0.5"}"#;
    let refusal = validate(text.as_bytes(), &none()).expect_err("it is refused");
    let found: Vec<_> =
        refusal.faults.iter().map(|own| (own.code.as_str(), own.at.as_str())).collect();
    assert_eq!(
        found,
        [
            ("wrong-type", "/goals/0"),
            ("unknown-member", "/x"),
            ("missing-member", "/agent"),
            ("agent-id-not-a-uri", "/agent/id"),
            ("empty", "/agent/name"),
            ("malformed-tool-reference", "/capabilities/0/toolRefs/0"),
            ("missing-member", "/capabilities/1"),
            ("duplicate-id", "/capabilities/1/id"),
        ]
    );
    assert!(
        refusal
            .faults
            .iter()
            .all(|own| { own.message.as_ref().is_some_and(|text| text.ends_with('.')) })
    );
}

#[test]
fn which_oddities_are_only_warned_of() {
    for (at, value, code, place) in [
        ("/agent/token", json!(1), Code::UnknownMember, "/agent/token"),
        ("/mcpServers/0/env", json!({}), Code::UnknownMember, "/mcpServers/0/env"),
        ("/a2a/x", json!(null), Code::UnknownMember, "/a2a/x"),
        ("/capabilities/0/description", json!(""), Code::Empty, "/capabilities/0/description"),
        ("/instructions/0/id", json!("gu\u{ed}de"), Code::IdCharacters, "/instructions/0/id"),
        ("/instructions/0/id", json!("\u{202e}x"), Code::IdCharacters, "/instructions/0/id"),
        ("/instructions/0/uri", json!("../AGENTS.md"), Code::UriEscapes, "/instructions/0/uri"),
        ("/instructions/0/uri", json!("a b.md"), Code::UriSyntax, "/instructions/0/uri"),
        (
            "/capabilities/0/toolRefs/2",
            json!("catalog:find_channel"),
            Code::RepeatedEntry,
            "/capabilities/0/toolRefs/2",
        ),
        (
            "/mcpServers/1/allowedTools/1",
            json!("find_channel"),
            Code::RepeatedEntry,
            "/mcpServers/1/allowedTools/1",
        ),
        (
            "/mcpServers/0/transport",
            json!("sse"),
            Code::UnknownTransport,
            "/mcpServers/0/transport",
        ),
        (
            "/mcpServers/0/endpoint",
            json!("https://b.example/?api_key=x"),
            Code::CredentialInEndpoint,
            "/mcpServers/0/endpoint",
        ),
        (
            "/mcpServers/0/endpoint",
            json!("https://b.example./"),
            Code::OddEndpoint,
            "/mcpServers/0/endpoint",
        ),
        ("/a2a/endpoint", json!("a2a"), Code::A2aEndpoint, "/a2a/endpoint"),
        ("/a2a/endpoint", json!("http://a.example/"), Code::A2aEndpoint, "/a2a/endpoint"),
        (
            "/capabilities/0/description",
            json!("Asks https://billing.example.org/mcp"),
            Code::Discloses,
            "/capabilities/0/description",
        ),
    ] {
        warned(&with(at, value), code, place);
    }
}

#[test]
fn are_ids_compared_code_point_by_code_point() {
    let capability = |id: &str| json!({ "id": id, "description": "d" });
    for (first, second) in [("Sort", "sort"), ("\u{e9}", "e\u{301}"), ("a", "a ")] {
        let list = json!([capability(first), capability(second)]);
        assert!(
            validate(&bytes(&with("/capabilities", list)), &none()).is_ok(),
            "{first} {second}"
        );
    }
    let text = APPENDIX_A.replace("\"billing\"", "\"c\\u0061talog\"");
    let refusal = validate(text.as_bytes(), &none()).expect_err("it is refused");
    assert!(
        refusal.faults.iter().any(|own| own.code == "duplicate-id" && own.at == "/mcpServers/1/id")
    );
}

#[test]
fn how_references_with_several_colons_are_read() {
    let manifest = |servers: &[(&str, &str)], reference: &str| {
        let servers: Value = servers
            .iter()
            .map(|(id, tool)| {
                json!({ "id": id, "transport": "stdio", "endpoint": "x", "allowedTools": [tool] })
            })
            .collect();
        let mut manifest = with("/mcpServers", servers);
        set(&mut manifest, "/capabilities/0/toolRefs", json!([reference]));
        manifest
    };
    let tool_ref = "/capabilities/0/toolRefs/0";
    warned(&manifest(&[("a", "b:c")], "a:b:c"), Code::ColonsInToolReference, tool_ref);
    let two = manifest(&[("a:b", "c")], "a:b:c");
    assert!(warnings(&two).contains(&(Code::ColonsInToolReference, tool_ref.to_owned())));
    let tools = expose(&bytes(&two), &none(), "subscription-help").expect("it is exposed");
    assert_eq!(tools, ["a:b:c"]);
    assert!(authorise(&bytes(&two), &none(), "subscription-help", "a:b", "c").is_ok());
    assert!(authorise(&bytes(&two), &none(), "subscription-help", "a", "b:c").is_err());
    faulty(
        &manifest(&[("a", "b:c"), ("a:b", "c")], "a:b:c"),
        Code::AmbiguousToolReference,
        tool_ref,
    );
    faulty(&manifest(&[("a", "b")], "a:b:c"), Code::UnresolvedTool, tool_ref);
    faulty(&manifest(&[("a", "b")], "::::"), Code::UnresolvedTool, tool_ref);
    let many = format!("a{}b", ":".repeat(40));
    faulty(&manifest(&[("a", &many[2..])], &many), Code::MalformedToolReference, tool_ref);
}

#[test]
fn what_digests_and_missing_resources_do() {
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let skill = "./skills/subscription-help/SKILL.md";
    for spelled in [digest.to_owned(), digest.to_uppercase()] {
        let manifest = bytes(&with("/skills/0/sha256", json!(spelled)));
        let other = resources([(skill, Some("abd"))]);
        let same = resources([(skill, Some("abc"))]);
        assert_eq!(
            refused(validate(&manifest, &other)),
            is(Code::DigestMismatch, "/skills/0/sha256")
        );
        assert_eq!(refused(expose(&manifest, &other, "subscription-help")).0, "sha256-mismatch");
        assert!(validate(&manifest, &same).is_ok());
        let plain = expose(APPENDIX_A.as_bytes(), &none(), "subscription-help");
        assert_eq!(expose(&manifest, &same, "subscription-help"), plain);
        let supports = Supports::default();
        let card = project(APPENDIX_A.as_bytes(), &none(), &supports);
        assert_eq!(project(&manifest, &same, &supports), card);
    }
    let missing = resources([(skill, None)]);
    let manifest = APPENDIX_A.as_bytes();
    let report = validate(manifest, &missing).expect("it is valid");
    assert_eq!(report.warnings[0].code, Code::ResourceMissing);
    let loaded = load(manifest, &missing, &Supports::default()).expect("it loads");
    assert_eq!(loaded.unavailable[0].capability, "subscription-help");
    assert_eq!(loaded.unavailable[0].at, "/capabilities/0/skillRefs/0");
    let at = is(Code::ResourceMissing, "/capabilities/0/skillRefs/0");
    assert_eq!(refused(expose(manifest, &missing, "subscription-help")), at);
    assert_eq!(refused(project(manifest, &missing, &Supports::default())), at);
    let guidance = resources([("./AGENTS.md", None)]);
    assert!(expose(manifest, &guidance, "subscription-help").is_ok());
}

#[test]
fn is_a_skill_file_held_to_its_rules() {
    let skill = "./skills/subscription-help/SKILL.md";
    let report = |text| validate(APPENDIX_A.as_bytes(), &resources([(skill, Some(text))]));
    let good = "---\nname: subscription-help\ndescription: Helps.\nallowed-tools: Bash\n---\nCall billing:refund.\n";
    assert_eq!(report(good).expect("it is valid").warnings, []);
    let report = report("---\nname: other\n---\n").expect("it is valid");
    assert_eq!(report.warnings.len(), 2);
    assert!(
        report
            .warnings
            .iter()
            .all(|own| (own.code, own.at.as_str()) == (Code::SkillFile, "/skills/0/uri"))
    );
    let exposed = |resources| expose(APPENDIX_A.as_bytes(), &resources, "subscription-help");
    assert_eq!(exposed(resources([(skill, Some(good))])), exposed(none()));
}

#[test]
fn does_a_runtime_refuse_what_leads_out_of_the_folder() {
    for uri in ["../AGENTS.md", "%2e%2e/AGENTS.md", "..\\AGENTS.md", "/etc/passwd", "file:///x"] {
        let manifest = bytes(&with("/instructions/0/uri", json!(uri)));
        let at = is(Code::UriEscapes, "/instructions/0/uri");
        assert_eq!(refused(load(&manifest, &none(), &Supports::default())), at, "{uri}");
        assert_eq!(refused(expose(&manifest, &none(), "subscription-help")), at, "{uri}");
    }
}

#[test]
fn what_a_runtime_does_not_support() {
    let mut manifest = with(
        "/extensions",
        json!({ "b/c": { "required": true }, "a": { "required": "true" }, "d": { "required": true } }),
    );
    set(&mut manifest, "/mcpServers/1/transport", json!("stdio"));
    set(&mut manifest, "/mcpServers/1/endpoint", json!("catalog"));
    set(&mut manifest, "/mcpServers/0/transport", json!("carrier-pigeon"));
    set(&mut manifest, "/a2a/protocolVersion", json!("0.3"));
    set(&mut manifest, "/runtime", json!({ "supports": ["carrier-pigeon"] }));
    let manifest = bytes(&manifest);
    let found = |supports: &Supports| -> Vec<(Requirement, String, String)> {
        let loaded = load(&manifest, &none(), supports).expect("it loads");
        loaded.unsupported.into_iter().map(|own| (own.kind, own.name, own.at)).collect()
    };
    let entry = |kind, name: &str, at: &str| (kind, name.to_owned(), at.to_owned());
    let pigeon = entry(Requirement::Transport, "carrier-pigeon", "/mcpServers/0/transport");
    let a2a = entry(Requirement::A2a, "0.3", "/a2a/protocolVersion");
    let first = entry(Requirement::Extension, "b/c", "/extensions/b~1c");
    let second = entry(Requirement::Extension, "d", "/extensions/d");
    assert_eq!(found(&Supports::default()), [pigeon.clone(), a2a, first, second.clone()]);
    let supports = Supports {
        transports: vec!["streamable-http".to_owned()],
        a2a: vec!["0.3".to_owned()],
        extensions: vec!["b/c".to_owned()],
    };
    let stdio = entry(Requirement::Transport, "stdio", "/mcpServers/1/transport");
    assert_eq!(found(&supports), [pigeon, stdio, second]);
    let report = validate(&manifest, &none()).expect("it is valid");
    assert_eq!(report.unsupported_extensions, ["a", "b/c", "d"]);
    assert_eq!(refused(project(&manifest, &none(), &supports)).0, "a2a-version");
}

#[test]
fn who_may_call_what() {
    let mut manifest = with(
        "/capabilities/1",
        json!({ "id": "other", "description": "d",
        "toolRefs": ["catalog:find_channel", "catalog:find_channel"] }),
    );
    set(&mut manifest, "/mcpServers/0/allowedTools/1", json!("find_channel"));
    let manifest = bytes(&manifest);
    let may =
        |capability, server, tool| authorise(&manifest, &none(), capability, server, tool).is_ok();
    assert!(may("other", "catalog", "find_channel"));
    assert!(may("subscription-help", "billing", "lookup_subscription"));
    for (capability, server, tool) in [
        ("other", "billing", "lookup_subscription"),
        ("other", "billing", "find_channel"),
        ("other", "catalog", "Find_channel"),
        ("other", "Catalog", "find_channel"),
        ("Other", "catalog", "find_channel"),
        ("other", "subscription-help", "find_channel"),
        ("other", "", "find_channel"),
        ("other", "catalog", ""),
    ] {
        assert!(!may(capability, server, tool), "{capability} {server} {tool}");
    }
    let found = bindings(&manifest, &none(), "other").expect("it is bound");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].endpoint, "https://catalog.example.org/mcp");
    assert_eq!(found[0].tools, ["find_channel"]);
    let unknown = refused(bindings(&manifest, &none(), "nobody"));
    assert_eq!(unknown, is(Code::UnknownCapability, "/capabilities"));
}

#[track_caller]
fn card(manifest: &Value) -> Result<String, (String, String)> {
    match project(&bytes(manifest), &none(), &Supports::default()) {
        Ok(card) => Ok(String::from_utf8(card).expect("a card is UTF-8")),
        Err(refusal) => Err(refused(Err::<(), _>(refusal))),
    }
}

#[test]
fn when_no_card_is_made() {
    for (manifest, code, at) in [
        (without("/a2a"), Code::A2aOff, "/a2a"),
        (with("/a2a/enabled", json!(false)), Code::A2aOff, "/a2a"),
        (with("/a2a/protocolVersion", json!("0.3")), Code::A2aVersion, "/a2a/protocolVersion"),
        (with("/a2a/protocolVersion", json!("1.0.0")), Code::A2aVersion, "/a2a/protocolVersion"),
        (with("/capabilities/0/advertise", json!(false)), Code::NothingAdvertised, "/capabilities"),
        (without("/capabilities/0/advertise"), Code::NothingAdvertised, "/capabilities"),
        (with("/a2a/endpoint", json!("a2a")), Code::CardInvalid, "/a2a/endpoint"),
        (
            with("/a2a/endpoint", json!("https://u:p@a.example/")),
            Code::CardInvalid,
            "/a2a/endpoint",
        ),
        (
            with("/a2a/endpoint", json!("https://a.example/?token=x")),
            Code::Discloses,
            "/a2a/endpoint",
        ),
        (with("/goals", json!([])), Code::Empty, "/goals"),
    ] {
        assert_eq!(card(&manifest), Err(is(code, at)), "{manifest}");
    }
    let supports = Supports { a2a: vec![], ..Supports::default() };
    let refused = refused(project(APPENDIX_A.as_bytes(), &none(), &supports));
    assert_eq!(refused, is(Code::A2aVersion, "/a2a/protocolVersion"));
}

#[test]
fn which_advertised_texts_disclose_something() {
    let mut base = with("/runtime", json!({ "note": "sk-live-4711", "password": "opensesame" }));
    set(&mut base, "/mcpServers/0/headers", json!({ "Authorization": "Bearer CANARY-77" }));
    set(
        &mut base,
        "/mcpServers/1/endpoint",
        json!("https://catalog.example.org/mcp?api_key=q1w2e3"),
    );
    set(
        &mut base,
        "/capabilities/1",
        json!({ "id": "back-office", "description": "Write off debts" }),
    );
    assert!(card(&base).is_ok());
    for text in [
        "See https://billing.example.org/mcp.",
        "See HTTPS://BILLING.EXAMPLE.ORG/MCP",
        "See https%3A%2F%2Fbilling.example.org%2Fmcp",
        "See https%253A%252F%252Fbilling.example.org%252Fmcp",
        "Runs at billing.example.org",
        "Says CANARY-77",
        "Says %43ANARY-77",
        "Uses sk-live-4711",
        "Say opensesame",
        "Key q1w2e3",
        "Calls lookup_subscription.",
        "Calls billing:lookup_subscription",
        "Calls x/find_channel",
        "Reads ./AGENTS.md",
        "Not like back-office",
        "It can write off debts",
        "project-guidance",
        "https://billing.example.org/mcp",
        "sk-live-4711",
    ] {
        for at in ["/capabilities/0/description", "/agent/description", "/agent/name"] {
            let mut manifest = base.clone();
            // A name that is a private id as a whole makes that id public.
            let text = if at == "/agent/name" { format!("The {text}") } else { text.to_owned() };
            set(&mut manifest, at, json!(text));
            assert_eq!(card(&manifest), Err(is(Code::Discloses, at)), "{text}");
            let found = warnings(&manifest);
            assert!(found.contains(&(Code::Discloses, at.to_owned())), "{text}: {found:?}");
        }
    }
    for text in [
        "Answers billing questions from the catalog",
        "subscription-help, for the asking",
        "Finds channels; see https://agents.example.org/a2a",
        "example.org",
        "lookup_subscriptions",
        "my_lookup_subscription",
        "availability_status of customer_reference",
        "100% sure",
        "",
    ] {
        let mut manifest = base.clone();
        set(&mut manifest, "/capabilities/0/description", json!(text));
        assert!(card(&manifest).is_ok(), "{text}");
    }
}

#[test]
fn does_the_card_stay_the_same_whatever_else_is_said() {
    let plain = card(&appendix());
    for (at, value) in [
        ("/extensions", json!({ "com.example.x": { "required": true, "level": "high" } })),
        ("/runtime", json!({ "model": "some-model-7", "support": "Customer Support" })),
        ("/agent/streaming", json!(true)),
        ("/a2a/skills", json!([{ "id": "x" }])),
        ("/capabilities/0/tags", json!(["private-tag"])),
        ("/capabilities/1", json!({ "id": "other", "description": "Something else" })),
        ("/goals/1", json!("Another goal")),
    ] {
        assert_eq!(card(&with(at, value)), plain, "{at}");
    }
    let mut versioned = with("/agent/version", json!("2026.11.30-rc1"));
    let plain = card(&versioned);
    let release = json!({ "release": "2026.11.30-rc1", "capability": "subscription-help" });
    set(&mut versioned, "/runtime", release);
    assert_eq!(card(&versioned), plain);
    let plain = card(&appendix());
    let escaped = APPENDIX_A.replace("Customer Support", "Customer \\u0053upport");
    let card = project(escaped.as_bytes(), &none(), &Supports::default()).expect("it has a card");
    assert_eq!(String::from_utf8(card).ok(), plain.ok());
}

#[test]
fn is_a_card_canonical_json() {
    let name = "\u{1}\u{7f}\u{2028}\"\\/<b>\u{e9}\u{1F600}\n";
    let card = card(&with("/agent/name", json!(name))).expect("it has a card");
    let canonical = proofmark::reference::jcs::canonicalise(card.as_bytes()).expect("it is JSON");
    assert_eq!(card.as_bytes(), canonical);
}

/// The example with a hostile text in place of its capabilities.
fn hostile(capabilities: &str) -> String {
    let at = APPENDIX_A.find("\"capabilities\"").expect("it has capabilities");
    let behind = APPENDIX_A.find(", \"a2a\"").expect("it has a2a");
    format!("{}\"capabilities\": {capabilities}{}", &APPENDIX_A[..at], &APPENDIX_A[behind..])
}

/// Answers in time; what the answer is, is the caller's.
#[track_caller]
fn timely<T>(about: &str, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let answer = run();
    let taken = start.elapsed();
    assert!(taken < Duration::from_secs(60), "{about} took {taken:?}");
    answer
}

#[test]
fn are_hostile_manifests_answered_in_time() {
    let validated = |about: &str, text: &str| {
        timely(about, || validate(text.as_bytes(), &none()).map(drop).map_err(|own| own.code))
    };
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        for depth in [900, 100_000] {
            let nest = format!("{}0{}", open.repeat(depth), close.repeat(depth));
            let text =
                with("/extensions", json!({ "x": "NEST" })).to_string().replace("\"NEST\"", &nest);
            let deep = (depth > 1_000).then(|| "too-deep".to_owned());
            assert_eq!(validated("nesting", &text), deep.map_or(Ok(()), |code| Err(Some(code))));
        }
        let unclosed = open.repeat(1 << 20);
        assert_eq!(validated("unclosed", &unclosed), Err(Some("too-deep".to_owned())));
    }
    let many: Vec<String> = (0..100_000)
        .map(|number| format!(r#"{{"id":"c{number}","description":"d","advertise":true}}"#))
        .collect();
    let text = hostile(&format!("[{}]", many.join(",")));
    assert_eq!(validated("capabilities", &text), Ok(()));
    let card = timely("a large card", || project(text.as_bytes(), &none(), &Supports::default()));
    assert!(card.is_ok_and(|card| card.len() > 100_000 * 50));
    let same: Vec<_> = std::iter::repeat_n("\"billing:lookup_subscription\"", 1 << 16).collect();
    let text =
        hostile(&format!(r#"[{{"id":"a","description":"d","toolRefs":[{}]}}]"#, same.join(",")));
    assert_eq!(validated("references to one tool", &text), Ok(()));
    assert_eq!(expose(text.as_bytes(), &none(), "a").map(|tools| tools.len()), Ok(1));
    let digits = "9".repeat(10_000);
    let text = with("/extensions", json!({ "x": "NUMBER" })).to_string();
    for number in [digits.clone(), format!("-{digits}.{digits}e{digits}")] {
        assert_eq!(validated("digits", &text.replace("\"NUMBER\"", &number)), Ok(()));
    }
    let port = with("/mcpServers/0/endpoint", json!(format!("https://a.example:{digits}/")));
    assert_eq!(validated("a port", &port.to_string()), Err(Some("endpoint".to_owned())));
    let long = "a".repeat(10 << 20);
    assert_eq!(validated("a long name", &with("/agent/name", json!(long)).to_string()), Ok(()));
    let text = with("/agent/name", json!("ab".repeat(5 << 20)));
    assert_eq!(
        validated("a long name, and like a private one", &{
            let mut text = text;
            set(&mut text, "/skills/0/uri", json!("ab".repeat(1 << 20) + "."));
            text.to_string()
        }),
        Ok(())
    );
}

#[test]
fn is_a_report_bounded_however_much_is_wrong() {
    for capabilities in [
        format!("[{}]", vec!["1"; 200_000].join(",")),
        format!("[{}]", vec!["{}"; 200_000].join(",")),
        format!("[{}]", vec![r#"{"id":"a","description":"d"}"#; 100_000].join(",")),
        format!(
            r#"[{{"id":"a","description":"d","toolRefs":[{}]}}]"#,
            vec!["\"a\""; 200_000].join(",")
        ),
        format!(
            r#"[{{"id":"a","description":"d","toolRefs":[{}]}}]"#,
            vec!["1"; 200_000].join(",")
        ),
        format!(r#"[{{"id":"a","description":"d","inputs":[{}]}}]"#, vec!["1"; 200_000].join(",")),
    ] {
        let text = hostile(&capabilities);
        let refusal = timely("many faults", || validate(text.as_bytes(), &none()));
        let refusal = refusal.expect_err("it is refused");
        assert_eq!(refusal.faults.len(), LISTED + 1);
        assert_eq!(refusal.faults.last().map(|own| own.code.as_str()), Some("more"));
    }
    let names: Vec<String> = (0..200_000).map(|number| format!("\"x{number}\":1")).collect();
    let text = APPENDIX_A.replacen('{', &format!("{{{},", names.join(",")), 1);
    let refusal = validate(text.as_bytes(), &none()).expect_err("it is refused");
    assert_eq!(refusal.faults.len(), LISTED + 1);
    let nested =
        APPENDIX_A.replacen("\"agent\": {", &format!("\"agent\": {{{},", names.join(",")), 1);
    let report = validate(nested.as_bytes(), &none()).expect("it is valid");
    assert_eq!(report.warnings.len(), LISTED + 1);
    assert_eq!(report.warnings.last().map(|own| own.code), Some(Code::More));
}

#[test]
fn do_ids_of_every_plane_pass() {
    let ids = [
        "\u{20}",
        "\u{fffd}",
        "\u{10ffff}",
        "e\u{301}\u{301}",
        "\u{202e}\u{2066}",
        "__proto__",
        "<b>",
    ];
    let list: Value = ids.iter().map(|id| json!({ "id": id, "description": "<script>" })).collect();
    let mut manifest = with("/capabilities", list);
    set(&mut manifest, "/extensions", json!({ "__proto__": { "constructor": {} } }));
    for id in ids {
        assert_eq!(expose(&bytes(&manifest), &none(), id), Ok(vec![]), "{id:?}");
    }
}

fn shuffled(value: &Value, order: &mut dyn FnMut(usize) -> usize) -> String {
    match value {
        Value::Object(members) => {
            let mut left: Vec<_> = members.iter().collect();
            let mut parts = Vec::new();
            while !left.is_empty() {
                let (name, inner) = left.remove(order(left.len()));
                parts.push(format!("{}: {}", json!(name), shuffled(inner, order)));
            }
            format!("{{ {} }}", parts.join(" , "))
        }
        Value::Array(items) => {
            let parts: Vec<_> = items.iter().map(|item| shuffled(item, order)).collect();
            format!("[\n{}\t]", parts.join(","))
        }
        other => other.to_string(),
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z~/]{0,4}", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// The order of members and white space mean nothing.
    #[test]
    fn is_a_reordered_manifest_the_same(seed in any::<u64>()) {
        let mut state = seed;
        let text = shuffled(&appendix(), &mut |length| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % length
        });
        prop_assert!(validate(text.as_bytes(), &none()).is_ok());
        prop_assert_eq!(card(&serde_json::from_str(&text).unwrap()), card(&appendix()));
        let direct = project(text.as_bytes(), &none(), &Supports::default());
        let plain = project(APPENDIX_A.as_bytes(), &none(), &Supports::default());
        prop_assert_eq!(direct, plain);
    }

    /// Whatever stands anywhere, there is an answer; and a refusal's places exist.
    #[test]
    fn is_any_manifest_answered(value in any_json(), which in 0_usize..24) {
        let places = [
            "/agent", "/agent/id", "/goals", "/goals/0", "/instructions", "/instructions/0", "/skills/0/uri",
            "/skills/0/sha256", "/skills/0/x", "/mcpServers", "/mcpServers/0", "/mcpServers/0/id",
            "/mcpServers/0/transport", "/mcpServers/0/endpoint", "/mcpServers/0/allowedTools", "/capabilities",
            "/capabilities/0", "/capabilities/0/id", "/capabilities/0/skillRefs", "/capabilities/0/toolRefs",
            "/capabilities/0/toolRefs/0", "/a2a", "/extensions", "/runtime",
        ];
        let manifest = with(places[which], value);
        let text = bytes(&manifest);
        let _ = project(&text, &none(), &Supports::default());
        match validate(&text, &none()) {
            Ok(report) => {
                for warning in &report.warnings {
                    prop_assert!(manifest.pointer(&warning.at).is_some(), "{}", warning.at);
                }
                prop_assert!(load(&text, &none(), &Supports::default()).is_ok());
            }
            Err(refusal) => {
                for fault in &refusal.faults {
                    prop_assert!(manifest.pointer(&fault.at).is_some(), "{}", fault.at);
                }
                prop_assert_eq!(load(&text, &none(), &Supports::default()).unwrap_err(), refusal.clone());
                prop_assert_eq!(expose(&text, &none(), "x").unwrap_err(), refusal);
            }
        }
    }

    /// What serde_json reads without finding a name twice, this reads; what it does not read, this refuses.
    #[test]
    fn is_json_what_it_is_elsewhere(text in "[\\[\\]{},:\" a1e.+\\\\-]{0,12}") {
        let read = Manifest::read(text.as_bytes());
        let is_object = serde_json::from_str::<Value>(&text).is_ok_and(|value| value.is_object());
        match read {
            Ok(_) => prop_assert!(is_object, "{}", text),
            Err(refusal) if refusal.code.as_deref() == Some("duplicate-member") => prop_assert!(is_object),
            Err(_) => prop_assert!(!is_object, "{}", text),
        }
    }
}
