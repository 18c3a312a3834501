//! Canonical JSON gone wrong.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{Signer as _, SigningKey};
use proofmark::reference::Answer;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::{Wrong, never, right, text, then};

const CANONICALIZE: &str = "jcs.canonicalize";

fn wrong(
    law: &'static str,
    what: &'static str,
    operation: &'static str,
    run: fn(&Value) -> Answer,
) -> Wrong {
    Wrong { law, what, operation, run }
}

pub static WRONG: std::sync::LazyLock<Vec<Wrong>> = std::sync::LazyLock::new(|| {
    vec![
        wrong("jcs/idempotent", "backslashes are escaped again", CANONICALIZE, |params| {
            then(right(CANONICALIZE, params), "document", |text| text.replace(r"\\", r"\\\\"))
        }),
        wrong("jcs/blind-to-spelling", "nothing is done", CANONICALIZE, as_it_came),
        wrong("jcs/blind-to-white-space", "nothing is done", CANONICALIZE, as_it_came),
        wrong("jcs/blind-to-member-order", "nothing is done", CANONICALIZE, as_it_came),
        wrong("jcs/blind-to-escapes", "nothing is done", CANONICALIZE, as_it_came),
        wrong("jcs/blind-to-number-notation", "nothing is done", CANONICALIZE, as_it_came),
        wrong("jcs/keeps-the-value", "numbers are single floats", CANONICALIZE, |params| {
            then(right(CANONICALIZE, params), "document", |text| {
                single(serde_json::from_str(text).expect("JSON")).to_string()
            })
        }),
        wrong(
            "jcs/by-the-rules",
            "members by UTF-8, numbers as they come",
            CANONICALIZE,
            |params| {
                then(right(CANONICALIZE, params), "document", |text| {
                    let value: Value = serde_json::from_str(text).expect("JSON");
                    value.to_string()
                })
            },
        ),
        wrong("jcs/no-name-twice", "the last of two names wins", CANONICALIZE, |params| {
            let value: Value = serde_json::from_str(text(params, "document")).unwrap_or_default();
            let output = json!({ "document": { "text": value.to_string() } });
            never(&[], CANONICALIZE, params, output)
        }),
        wrong("jcs/one-fault-is-enough", "a lone surrogate is replaced", CANONICALIZE, |params| {
            let repaired = text(params, "document").replace(r"\ud800", r"\ufffd");
            right(CANONICALIZE, &json!({ "document": { "text": repaired } }))
        }),
        wrong("jcs/digest-iff-bytes", "the digest is of what came", "jcs.digest", raw_digest),
        wrong(
            "jcs/digest-of-canonical-bytes",
            "the digest is of what came",
            "jcs.digest",
            raw_digest,
        ),
        wrong("jcs/signed-then-verified", "what came is signed", "jcs.sign", raw_signature),
        wrong("jcs/one-signature", "what came is signed", "jcs.sign", raw_signature),
        wrong("jcs/one-bit-is-enough", "nothing is verified", "jcs.verify", all_verifies),
        wrong("jcs/one-bit-of-the-key", "nothing is verified", "jcs.verify", all_verifies),
        wrong("jcs/another-document", "nothing is verified", "jcs.verify", all_verifies),
    ]
});

fn as_it_came(params: &Value) -> Answer {
    then(right(CANONICALIZE, params), "document", |_| text(params, "document").to_owned())
}

fn single(value: Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64().unwrap_or(0.0) as f32),
        Value::Array(elements) => elements.into_iter().map(single).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(name, member)| (name, single(member))).collect()
        }
        other => other,
    }
}

fn raw_digest(params: &Value) -> Answer {
    let digest = Sha256::digest(text(params, "document"));
    Answer::Ok(json!({ "sha256": URL_SAFE_NO_PAD.encode(digest) }))
}

fn raw_signature(params: &Value) -> Answer {
    let seed = URL_SAFE_NO_PAD.decode(params["seed"].as_str().expect("a seed")).expect("base64url");
    let key = SigningKey::from_bytes(&seed.try_into().expect("32 bytes"));
    let signature = key.sign(text(params, "document").as_bytes());
    Answer::Ok(json!({
        "signature": URL_SAFE_NO_PAD.encode(signature.to_bytes()),
        "public_key": URL_SAFE_NO_PAD.encode(key.verifying_key().to_bytes()),
    }))
}

fn all_verifies(params: &Value) -> Answer {
    never(&[], "jcs.verify", params, Value::Null)
}
