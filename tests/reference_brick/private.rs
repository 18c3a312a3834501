//! Does what is private stay out of a card, and does what is not private stay in?

use super::*;

const CANARY: &str = "zz-canary-9d4e";

/// The example with a private string in one place and a public text in another.
fn placed(at: &str, private: Value, text: &str) -> Value {
    let mut manifest = with("/capabilities/1", json!({ "id": "hidden", "description": "Hidden" }));
    set(&mut manifest, at, private);
    set(&mut manifest, "/capabilities/0/description", json!(text));
    manifest
}

#[track_caller]
fn disclosed(manifest: &Value) {
    let at = is(Code::Discloses, "/capabilities/0/description");
    assert_eq!(card(manifest), Err(at), "{manifest}");
    let warning = (Code::Discloses, "/capabilities/0/description".to_owned());
    assert!(warnings(manifest).contains(&warning), "{manifest}");
}

#[track_caller]
fn public(manifest: &Value) {
    assert!(card(manifest).is_ok(), "{manifest}: {:?}", card(manifest));
    assert!(warnings(manifest).iter().all(|own| own.0 != Code::Discloses), "{manifest}");
}

#[test]
fn is_a_private_name_found_whatever_stands_beside_it() {
    let encode = |text: &str, percent: &str| -> String {
        text.bytes().map(|byte| format!("{percent}{byte:02x}")).collect()
    };
    let mut texts: Vec<String> = [
        "Calls mcp.X now",
        "See X.v2",
        "my-X",
        "X-v2",
        "x_X",
        "X_v2",
        "`X`",
        "a/X/b",
        "name=X",
        "abcXdef",
        "\u{1F600}X",
    ]
    .map(|text| text.replace('X', CANARY))
    .into();
    texts.push(CANARY.to_uppercase());
    for percent in ["%", "%25", "%2525", "%252525"] {
        texts.push(format!("See {}", encode(CANARY, percent)));
    }
    for text in &texts {
        for (at, private) in [
            ("/mcpServers/0/allowedTools/1", json!(CANARY)),
            ("/skills/1", json!({ "id": CANARY, "uri": "./x.md" })),
            ("/instructions/0/id", json!(CANARY)),
            ("/capabilities/1/id", json!(CANARY)),
            ("/capabilities/1/inputs", json!([CANARY])),
            ("/capabilities/1/outputs", json!([CANARY])),
            ("/runtime", json!({ "a": [{ "b": CANARY }] })),
            ("/extensions", json!({ "x": { "b": format!("see {CANARY}") } })),
        ] {
            disclosed(&placed(at, private, text));
        }
    }
    for text in ["Calls t1", "mcp.t1", "x_t1", "t1-b", "(t1)"] {
        disclosed(&placed("/mcpServers/0/allowedTools/1", json!("t1"), text));
    }
    for text in ["at1", "t12", "t"] {
        public(&placed("/mcpServers/0/allowedTools/1", json!("t1"), text));
    }
}

#[test]
fn are_plain_words_free_whatever_bears_their_name() {
    for word in ["help", "find", "Search", "channel", "FAQ"] {
        let text = format!("Can {word}, x-{word}, {word}_v2 and {}", word.to_lowercase());
        public(&placed("/mcpServers/0/allowedTools/1", json!(word), &text));
        public(&placed("/skills/1", json!({ "id": word, "uri": "./x.md" }), &text));
        public(&placed("/capabilities/1/inputs", json!([word]), &text));
    }
}

#[test]
fn does_what_runtime_and_extensions_say_change_no_card() {
    let text = "Check a subscription with OAuth2, in the channel for channels; gpt-4-turbo since 2026-11-30";
    let plain = with("/capabilities/0/description", json!(text));
    let expected = card(&plain).expect("it has a card");
    for content in [
        json!({ "cache": { "key": "subscription" } }),
        json!({ "currency": { "code": "channel" } }),
        json!({ "pass": "channels" }),
        json!({ "password": "Subscription" }),
        json!({ "auth": "oauth2" }),
        json!({ "model": { "name": "gpt-4-turbo" } }),
        json!({ "since": "2026-11-30", "max_tokens": 2026, "token": 4 }),
        json!({ "token": "2026" }),
    ] {
        for at in ["/runtime", "/extensions"] {
            let mut manifest = plain.clone();
            set(&mut manifest, at, content.clone());
            assert_eq!(card(&manifest).as_ref(), Ok(&expected), "{at} {content}");
            assert_eq!(warnings(&manifest), [], "{at} {content}");
        }
    }
}

#[test]
fn is_a_credential_found_wherever_it_is_declared() {
    for (at, private, text) in [
        ("/runtime", json!({ "token": 918_273_645 }), "Calls 918273645"),
        ("/runtime", json!({ "password": "q7#z" }), "Say q7#z."),
        ("/runtime", json!({ "password": "hunter2" }), "Say hunter2."),
        ("/extensions", json!({ "x": { "url": "redis://u:s3cretpw@h/" } }), "Uses s3cretpw"),
    ] {
        disclosed(&placed(at, private, text));
    }
    for (transport, endpoint, text) in [
        ("sse", "https://u:s3cretpw@h.example/x", "Uses s3cretpw"),
        ("sse", "https://u:s3cretpw@h.example/x", "Asks h.example"),
        ("sse", "https://h.example/x?token=abc12345", "Key abc12345"),
        ("stdio", "server?api_key=abc12345", "Key abc12345"),
    ] {
        let mut manifest = placed("/mcpServers/0/transport", json!(transport), text);
        set(&mut manifest, "/mcpServers/0/endpoint", json!(endpoint));
        disclosed(&manifest);
    }
}

#[test]
fn is_public_and_private_compared_in_one_form() {
    for id in ["Subscription-Help", "subscription%2Dhelp"] {
        let mut manifest = with("/skills/0/id", json!(id));
        set(&mut manifest, "/capabilities/0/skillRefs", json!([id]));
        public(&manifest);
    }
}
