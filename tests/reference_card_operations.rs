//! Do the card operations of the reference speak the shapes that the adapter protocol pins?

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proofmark::reference::federation::card::OPERATIONS;
use proofmark::reference::{Answer, Refusal};
use serde_json::{Value, json};

fn run(name: &str, params: &Value) -> Answer {
    let operation = OPERATIONS.iter().find(|operation| operation.name == name).expect(name);
    (operation.run)(params)
}

#[track_caller]
fn ok(name: &str, params: Value) -> Value {
    match run(name, &params) {
        Answer::Ok(value) => value,
        Answer::Refused(refusal) => panic!("{name} {params} gave {refusal:?}"),
    }
}

#[track_caller]
fn refused(name: &str, params: &Value, code: &str) {
    match run(name, params) {
        Answer::Refused(Refusal { code: Some(found), message: Some(message), .. }) => {
            assert_eq!(found, code, "{name} {params}: {message}");
            assert!(!message.is_empty());
        }
        other => panic!("{name} {params} gave {other:?}"),
    }
}

/// `params` with some members changed; null takes one out.
fn with(params: &Value, changes: Value) -> Value {
    let mut params = params.clone();
    for (name, value) in changes.as_object().expect("an object") {
        params[name.as_str()] = value.clone();
    }
    params.as_object_mut().expect("an object").retain(|_, value| !value.is_null());
    params
}

/// The key of RFC 8037 appendix A.
fn key() -> Value {
    json!({
        "kty": "OKP", "crv": "Ed25519", "kid": "k",
        "d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
        "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    })
}

/// The key of RFC 7515 appendix A.3.
fn other_key() -> Value {
    json!({
        "kty": "EC", "crv": "P-256", "kid": "k",
        "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        "d": "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
    })
}

fn public(key: Value) -> Value {
    with(&key, json!({ "d": null }))
}

#[test]
fn the_table_names_the_operations() {
    let names: Vec<_> = OPERATIONS.iter().map(|operation| operation.name).collect();
    assert_eq!(
        names,
        ["federation.card_preimage", "federation.card_sign", "federation.card_verify"]
    );
}

#[test]
fn card_preimage() {
    let name = "federation.card_preimage";
    let card = r#"{"skills": [], "name": "é", "securitySchemes": {}}"#;
    for document in [json!({ "text": card }), json!({ "base64": STANDARD.encode(card) })] {
        let spec = ok(name, json!({ "card": document, "profile": "spec", "other": 1 }));
        assert_eq!(spec, json!({ "canonical": { "text": r#"{"name":"é","skills":[]}"# } }));
        let sdk = ok(name, json!({ "card": document, "profile": "sdk" }));
        assert_eq!(sdk, json!({ "canonical": { "text": r#"{"name":"é"}"# } }));
    }
    let params = json!({ "card": { "text": card }, "profile": "spec" });
    for changes in [
        json!({ "card": null }),
        json!({ "card": card }),
        json!({ "card": {} }),
        json!({ "card": { "base64": "AA" } }),
        json!({ "profile": null }),
        json!({ "profile": "Spec" }),
        json!({ "profile": 1 }),
    ] {
        refused(name, &with(&params, changes), "params");
    }
    for not_an_object in [Value::Null, json!([]), json!("x")] {
        refused(name, &not_an_object, "params");
    }
    for (card, code) in [
        ("[]", "invalid_type"),
        ("{", "invalid_syntax"),
        ("{}x", "trailing_bytes"),
        (r#"{"a":1,"a":1}"#, "duplicate_member"),
        (r#"{"a":"\ud800"}"#, "invalid_syntax"),
        (r#"{"a":1e400}"#, "invalid_number"),
    ] {
        refused(name, &with(&params, json!({ "card": { "text": card } })), code);
    }
    let deep = "[".repeat(100_000);
    refused(name, &with(&params, json!({ "card": { "text": deep } })), "ceiling:depth");
    refused(name, &with(&params, json!({ "card": { "base64": "IoAi" } })), "invalid_encoding");
    let sdk = |card: &str| with(&params, json!({ "card": { "text": card }, "profile": "sdk" }));
    refused(name, &sdk(r#"{"name":1}"#), "invalid_type");
    let arms = r#"{"securitySchemes":{"a":{"apiKeySecurityScheme":{},"mtlsSecurityScheme":{}}}}"#;
    refused(name, &sdk(arms), "invalid_constraint");
}

#[test]
fn card_sign_and_card_verify() {
    for (key, alg, other) in [(key(), "EdDSA", "ES256"), (other_key(), "ES256", "EdDSA")] {
        let params =
            json!({ "card": { "text": r#"{"name":"a"}"# }, "key": key, "kid": "k", "alg": alg });
        let once = ok("federation.card_sign", params.clone());
        let again = with(&params, json!({ "card": once["card"], "kid": "unknown", "typ": "x" }));
        let twice = ok("federation.card_sign", again);
        let third = ok("federation.card_sign", with(&params, json!({ "card": twice["card"] })));
        let verify = json!({ "card": third["card"], "keys": [public(key.clone())] });
        assert_eq!(ok("federation.card_verify", verify.clone()), json!({ "verified": [0, 2] }));
        for profile in ["spec", "sdk"] {
            let verify = with(&verify, json!({ "profile": profile }));
            assert_eq!(ok("federation.card_verify", verify), json!({ "verified": [0, 2] }));
        }

        let name = "federation.card_sign";
        for changes in [
            json!({ "card": null }),
            json!({ "key": null }),
            json!({ "key": "x" }),
            json!({ "key": public(key.clone()) }),
            json!({ "key": with(&key, json!({ "x": "AA" })) }),
            json!({ "kid": null }),
            json!({ "kid": 1 }),
            json!({ "alg": null }),
            json!({ "alg": ["EdDSA"] }),
            json!({ "typ": 1 }),
        ] {
            refused(name, &with(&params, changes), "params");
        }
        for alg in [other, "none", "HS256", "", "eddsa"] {
            let params = with(&params, json!({ "alg": alg }));
            refused(name, &params, "signature_algorithm_unsupported");
        }
        let card = json!({ "card": { "text": r#"{"signatures":1}"# } });
        refused(name, &with(&params, card.clone()), "invalid_type");
        refused("federation.card_verify", &with(&verify, card), "invalid_type");
    }
}

#[test]
fn card_verify_refuses_where_nothing_verifies() {
    let name = "federation.card_verify";
    let sign = json!({
        "card": { "text": r#"{"name":"a"}"# }, "key": key(), "kid": "k", "alg": "EdDSA",
    });
    let card = ok("federation.card_sign", sign)["card"].clone();
    let params = json!({ "card": card, "keys": [public(key())] });
    assert_eq!(ok(name, params.clone()), json!({ "verified": [0] }));

    for (changes, code) in [
        (json!({ "keys": [] }), "signature_key_unsupported"),
        (
            json!({ "keys": [with(&public(key()), json!({ "kid": "K" }))] }),
            "signature_key_unsupported",
        ),
        (json!({ "keys": [public(other_key())] }), "signature_algorithm_unsupported"),
        (json!({ "card": { "text": r#"{"name":"a"}"# } }), "signature_not_verified"),
        (json!({ "card": { "text": r#"{"signatures":[]}"# } }), "signature_not_verified"),
        (json!({ "card": { "text": r#"{"signatures":[{}]}"# } }), "signature_malformed"),
    ] {
        refused(name, &with(&params, changes), code);
    }
    let text = card["text"].as_str().expect("text").to_owned();
    let tampered = text.replace(r#""name":"a""#, r#""name":"b""#);
    refused(
        name,
        &with(&params, json!({ "card": { "text": tampered } })),
        "signature_not_verified",
    );
    // Where the reasons differ, the most general one is given.
    let mixed = text.replace(r#""name":"a""#, r#""name":"b""#).replace("[{", "[{},{");
    refused(name, &with(&params, json!({ "card": { "text": mixed } })), "signature_not_verified");

    // An ill-formed key is refused, one for something else is passed over.
    for keys in [
        json!(null),
        json!({}),
        json!([7]),
        json!([public(key()), {}]),
        json!([with(&public(key()), json!({ "kid": null }))]),
        json!([with(&public(key()), json!({ "kid": 1 }))]),
        json!([with(&public(key()), json!({ "x": "AA" }))]),
        json!([with(&public(other_key()), json!({ "y": "A".repeat(43) }))]),
    ] {
        refused(name, &with(&params, json!({ "keys": keys })), "params");
    }
    let others = json!([
        { "kty": "oct", "kid": "k", "k": "AA" },
        { "kty": "RSA", "kid": "k", "n": "AA", "e": "AQAB" },
        with(&public(key()), json!({ "use": "enc" })),
        public(key()),
    ]);
    assert_eq!(ok(name, with(&params, json!({ "keys": others }))), json!({ "verified": [0] }));
    refused(name, &with(&params, json!({ "profile": "other" })), "params");
}
