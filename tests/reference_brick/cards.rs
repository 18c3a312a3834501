//! Which card does a manifest have, and when none?

use super::*;

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
    let mut base = with("/runtime", json!({ "note": "sk-live-4711", "password": "open-sesame" }));
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
        "Say open-sesame",
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
        "look up subscriptions",
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
