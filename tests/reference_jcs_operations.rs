//! Do the jcs operations of the reference speak the shapes that the adapter protocol pins?

use proofmark::reference::{Answer, ECHO, Refusal, jcs};
use serde_json::{Value, json};

fn run(name: &str, params: Value) -> Answer {
    let operation = jcs::OPERATIONS.iter().find(|operation| operation.name == name).expect(name);
    (operation.run)(&params)
}

#[track_caller]
fn refused(name: &str, params: Value) -> Refusal {
    match run(name, params.clone()) {
        Answer::Refused(refusal) => {
            assert!(
                refusal.message.as_ref().is_some_and(|message| !message.is_empty()),
                "{params}"
            );
            refusal
        }
        Answer::Ok(value) => panic!("{name} {params} gave {value}"),
    }
}

/// The seed and public key of RFC 8032 section 7.1, test 1, in base64url.
const SEED: &str = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A";
const PUBLIC_KEY: &str = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";

#[test]
fn the_table_names_the_roles_and_their_operations() {
    let names: Vec<_> = jcs::OPERATIONS.iter().map(|operation| operation.name).collect();
    assert_eq!(names, ["jcs.canonicalize", "jcs.digest", "jcs.sign", "jcs.verify"]);
    assert_eq!(jcs::ROLES, ["jcs/canonicalizer", "jcs/signer", "jcs/verifier"]);
}

#[test]
fn echo_gives_back_every_byte() {
    let all: Vec<u8> = (0..=255).collect();
    let document = proofmark::reference::document_to_json(all);
    assert!(document.get("base64").is_some());
    for document in [document, json!({ "text": "é\u{0}" })] {
        let answer = (ECHO.run)(&json!({ "document": document, "other": 1 }));
        assert_eq!(answer, Answer::Ok(json!({ "document": document })));
    }
    // Either form is accepted; the answer is text where it can be.
    let answer = (ECHO.run)(&json!({ "document": { "base64": "YQ==" } }));
    assert_eq!(answer, Answer::Ok(json!({ "document": { "text": "a" } })));
}

#[test]
fn canonicalize_takes_either_form_and_a_repeat_count() {
    let expected = Answer::Ok(json!({ "document": { "text": "{\"a\":1,\"b\":2}" } }));
    let text = json!({ "text": "{\"b\":2, \"a\":1}" });
    assert_eq!(run("jcs.canonicalize", json!({ "document": text })), expected);
    assert_eq!(
        run("jcs.canonicalize", json!({ "document": { "base64": "eyJiIjoyLCAiYSI6MX0=" } })),
        expected
    );
    for repeat in [json!(1), json!(1000), json!(3.0)] {
        assert_eq!(
            run("jcs.canonicalize", json!({ "document": text, "repeat": repeat })),
            expected
        );
    }
    for repeat in
        [json!(0), json!(-1), json!(1.5), json!("2"), json!(null), json!(1e300), json!([])]
    {
        refused("jcs.canonicalize", json!({ "document": text, "repeat": repeat }));
    }
}

#[test]
fn a_refused_document_says_what_and_where() {
    let refusal = refused(
        "jcs.canonicalize",
        json!({ "document": { "text": "{\"x\":[{\"a\":1,\"a\":2}]}" } }),
    );
    assert_eq!(
        refusal.to_json(),
        json!({ "code": "duplicate-name", "at": "/x/0/a", "message": "duplicate name \"a\" at byte 13" })
    );
    let refusal = refused("jcs.digest", json!({ "document": { "base64": "Iv8i" } }));
    assert_eq!(refusal.code.as_deref(), Some("invalid-utf8"));
    assert_eq!(Refusal::default().to_json(), json!({}));
}

#[test]
fn digest_sign_and_verify_in_base64url() {
    let document = json!({ "text": " {} " });
    // SHA-256 of `{}`.
    let digest = json!({ "sha256": "RBNvo1WzZ4oRRq0W9-hknpT7T8If536DEMBg9hyq_4o" });
    assert_eq!(run("jcs.digest", json!({ "document": document })), Answer::Ok(digest));

    let Answer::Ok(signed) = run("jcs.sign", json!({ "document": document, "seed": SEED })) else {
        panic!("not signed");
    };
    assert_eq!(signed["public_key"], PUBLIC_KEY);
    let signature = signed["signature"].as_str().expect("a string");
    assert_eq!(signature.len(), 86);
    let params =
        json!({ "document": { "text": "{}" }, "signature": signature, "public_key": PUBLIC_KEY });
    assert_eq!(run("jcs.verify", params.clone()), Answer::Ok(Value::Null));

    let mut other = params.clone();
    other["document"] = json!({ "text": "[]" });
    assert_eq!(refused("jcs.verify", other).code.as_deref(), Some("signature"));
    for (name, value) in
        [("signature", ""), ("signature", "AAAA"), ("public_key", "AAAA"), ("public_key", "")]
    {
        let mut short = params.clone();
        short[name] = json!(value);
        refused("jcs.verify", short);
    }
}

#[test]
fn ill_formed_params_are_refused() {
    let document = json!({ "text": "{}" });
    for params in [
        json!(null),
        json!([]),
        json!("x"),
        json!({}),
        json!({ "document": null }),
        json!({ "document": "{}" }),
        json!({ "document": {} }),
        json!({ "document": { "text": 1 } }),
        json!({ "document": { "text": null } }),
        json!({ "document": { "base64": {} } }),
        json!({ "document": { "text": "{}", "base64": "e30=" } }),
        json!({ "document": { "base64": "e30" } }),
        json!({ "document": { "base64": "e31=" } }),
        json!({ "document": { "base64": "e3 0=" } }),
        json!({ "document": { "base64": "-_8=" } }),
    ] {
        for operation in jcs::OPERATIONS {
            let mut params = params.clone();
            if let Some(object) = params.as_object_mut() {
                object.insert("seed".to_owned(), json!(SEED));
                object.insert("signature".to_owned(), json!("A".repeat(86)));
                object.insert("public_key".to_owned(), json!(PUBLIC_KEY));
            }
            refused(operation.name, params);
        }
        assert!(matches!((ECHO.run)(&params), Answer::Refused(_)), "{params}");
    }
    // 31 and 33 bytes; padding; the other alphabet; a last digit with stray bits; white space.
    for seed in [
        &SEED[..42],
        "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2AA",
        "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=",
        "nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
        "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2B",
        " nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
        "",
    ] {
        refused("jcs.sign", json!({ "document": document, "seed": seed }));
    }
    for seed in [json!(null), json!(7), json!([0])] {
        refused("jcs.sign", json!({ "document": document, "seed": seed }));
    }
    refused("jcs.sign", json!({ "document": document }));
    refused("jcs.verify", json!({ "document": document, "signature": "AAAA" }));
}
