//! Is a manifest judged by the rules of sections 4 to 9?

use super::*;

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
fn is_a_credential_in_an_endpoint_warned_of_under_every_transport() {
    let endpoint = "/mcpServers/0/endpoint";
    let credential = (Code::CredentialInEndpoint, endpoint.to_owned());
    for (transport, text) in [
        ("sse", "https://h.example/x?token=abc12345"),
        ("sse", "wss://h.example/x?a=b&api_key=abc12345#f"),
        ("stdio", "server?api_key=abc12345"),
        ("streamable-http", "https://h.example/x?token=abc12345"),
    ] {
        let mut manifest = with("/mcpServers/0/transport", json!(transport));
        set(&mut manifest, endpoint, json!(text));
        let found = warnings(&manifest);
        assert_eq!(found.iter().filter(|own| **own == credential).count(), 1, "{transport} {text}");
    }
    let mut manifest = with("/mcpServers/0/transport", json!("stdio"));
    set(&mut manifest, endpoint, json!("server?verbose=1"));
    assert_eq!(warnings(&manifest), []);
}
