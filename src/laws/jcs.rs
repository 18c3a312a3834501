//! The laws of canonical JSON, digests and detached signatures.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::adapter::document;
use crate::adapter::message::Reply;
use crate::laws::json::{self, Choices, Tree};
use crate::laws::{Law, Next, Request};

/// The laws of the suite.
pub const LAWS: &[Law] = &[
    Law {
        id: "jcs/idempotent",
        sentence: "Canonicalising canonical bytes changes nothing.",
        requirements: &["JCS-WS-1"],
        role: "jcs/canonicalizer",
        operations: &["jcs.canonicalize"],
        inputs: one_spelling,
        next: idempotent,
    },
    Law {
        id: "jcs/blind-to-spelling",
        sentence: "Two spellings of one value (white space, escapes, number forms, the order of members) have \
                   the same canonical bytes.",
        requirements: &["JCS-ORD-1"],
        role: "jcs/canonicalizer",
        operations: &["jcs.canonicalize"],
        inputs: two_spellings,
        next: blind_to_spelling,
    },
    Law {
        id: "jcs/keeps-the-value",
        sentence: "A JSON reader reads the same value from a text and from its canonical bytes.",
        requirements: &["JCS-NUM-1"],
        role: "jcs/canonicalizer",
        operations: &["jcs.canonicalize"],
        inputs: one_spelling,
        next: keeps_the_value,
    },
    Law {
        id: "jcs/digest-iff-bytes",
        sentence: "Two documents have the same digest if and only if they have the same canonical bytes.",
        requirements: &["JCS-DIG-1"],
        role: "jcs/signer",
        operations: &["jcs.digest", "jcs.canonicalize"],
        inputs: two_documents,
        next: digest_iff_bytes,
    },
    Law {
        id: "jcs/signed-then-verified",
        sentence: "What is signed in one spelling is verified in another.",
        requirements: &["JCS-SIG-1"],
        role: "jcs/signer",
        operations: &["jcs.sign", "jcs.verify"],
        inputs: to_sign,
        next: signed_then_verified,
    },
    Law {
        id: "jcs/one-bit-is-enough",
        sentence: "A signature with one bit changed verifies nothing.",
        requirements: &["JCS-VER-1"],
        role: "jcs/verifier",
        operations: &["jcs.verify", "jcs.sign"],
        inputs: to_sign,
        next: one_bit_is_enough,
    },
];

fn one_spelling() -> BoxedStrategy<Value> {
    (json::tree(), json::choices())
        .prop_map(|(tree, given)| json!({ "text": json::spell(&tree, &mut Choices::new(given)) }))
        .boxed()
}

fn two_spellings() -> BoxedStrategy<Value> {
    (json::tree(), json::choices(), json::choices())
        .prop_map(|(tree, one, other)| {
            json!({
                "text": json::spell(&tree, &mut Choices::new(one)),
                "other": json::spell(&tree, &mut Choices::new(other)),
            })
        })
        .boxed()
}

/// Two spellings of one value, or of two that may differ.
fn two_documents() -> BoxedStrategy<Value> {
    let other = (json::tree(), json::tree()).prop_map(
        |(one, other)| json!({ "text": json::plain(&one), "other": json::plain(&other) }),
    );
    prop_oneof![two_spellings(), other].boxed()
}

fn to_sign() -> BoxedStrategy<Value> {
    (json::object(), json::choices(), any::<[u8; 32]>(), 0usize..512)
        .prop_map(|(tree, given, seed, bit): (Tree, Vec<u8>, [u8; 32], usize)| {
            json!({
                "text": json::plain(&tree),
                "other": json::spell(&tree, &mut Choices::new(given)),
                "seed": URL_SAFE_NO_PAD.encode(seed),
                "bit": bit,
            })
        })
        .boxed()
}

fn text(input: &Value, name: &str) -> Value {
    json!({ "document": { "text": input.get(name).cloned().unwrap_or_default() } })
}

/// The canonical bytes that a reply gives; otherwise what comes of the law.
fn canonical(reply: &Reply) -> Result<Vec<u8>, Next> {
    match reply {
        Reply::Ok(value) => value
            .get("document")
            .and_then(document::bytes)
            .map(std::borrow::Cow::into_owned)
            .ok_or_else(|| Next::Broken("the answer has no document".to_owned())),
        Reply::Refused(_) => Err(Next::Broken("a well-formed document was refused".to_owned())),
        _ => Err(Next::Silent),
    }
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().take(200).collect()
}

fn idempotent(input: &Value, replies: &[Reply]) -> Next {
    let [first, rest @ ..] = replies else {
        return Next::ask("jcs.canonicalize", text(input, "text"));
    };
    let once = match canonical(first) {
        Ok(once) => once,
        Err(next) => return next,
    };
    let [second] = rest else {
        let params = json!({ "document": document::to_value(once) });
        return Next::ask("jcs.canonicalize", params);
    };
    match canonical(second) {
        Ok(twice) => Next::held(once == twice, || {
            format!("the canonical bytes {} became {}", shown(&once), shown(&twice))
        }),
        Err(next) => next,
    }
}

fn blind_to_spelling(input: &Value, replies: &[Reply]) -> Next {
    let [one, other] = replies else {
        let ask = |name| Request { operation: "jcs.canonicalize", params: text(input, name) };
        return Next::Ask(vec![ask("text"), ask("other")]);
    };
    match (canonical(one), canonical(other)) {
        (Ok(one), Ok(other)) => Next::held(one == other, || {
            format!("one spelling gave {}, the other {}", shown(&one), shown(&other))
        }),
        (Err(next), _) | (_, Err(next)) => next,
    }
}

fn keeps_the_value(input: &Value, replies: &[Reply]) -> Next {
    let [reply] = replies else { return Next::ask("jcs.canonicalize", text(input, "text")) };
    let written = match canonical(reply) {
        Ok(written) => written,
        Err(next) => return next,
    };
    let before: Option<Value> =
        input["text"].as_str().and_then(|text| serde_json::from_str(text).ok()).map(numbers);
    let after: Option<Value> = serde_json::from_slice(&written).ok().map(numbers);
    Next::held(before.is_some() && before == after, || {
        format!("{} is another value", shown(&written))
    })
}

/// All numbers as doubles: 1 and 1.0 are one number, and so are 0 and -0.
pub(super) fn numbers(value: Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64().unwrap_or(0.0) + 0.0),
        Value::Array(elements) => elements.into_iter().map(numbers).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(name, member)| (name, numbers(member))).collect()
        }
        other => other,
    }
}

fn digest_iff_bytes(input: &Value, replies: &[Reply]) -> Next {
    let [one, other, first, second] = replies else {
        let ask = |operation, name| Request { operation, params: text(input, name) };
        return Next::Ask(vec![
            ask("jcs.canonicalize", "text"),
            ask("jcs.canonicalize", "other"),
            ask("jcs.digest", "text"),
            ask("jcs.digest", "other"),
        ]);
    };
    let digest = |reply: &Reply| match reply {
        Reply::Ok(value) => value.get("sha256").and_then(Value::as_str).map(str::to_owned),
        _ => None,
    };
    match (canonical(one), canonical(other), digest(first), digest(second)) {
        (Ok(one), Ok(other), Some(first), Some(second)) => {
            Next::held((one == other) == (first == second), || {
                let same = if one == other { "the same" } else { "other" };
                format!("{same} canonical bytes, and the digests {first} and {second}")
            })
        }
        (Ok(_), Ok(_), ..) => {
            Next::Broken("a document has canonical bytes and no digest".to_owned())
        }
        (Err(next), ..) | (_, Err(next), ..) => next,
    }
}

/// What the first reply signed.
fn signed(reply: &Reply) -> Result<(String, String), Next> {
    let Reply::Ok(value) = reply else {
        return Err(match reply {
            Reply::Refused(_) => Next::Broken("a well-formed document was not signed".to_owned()),
            _ => Next::Silent,
        });
    };
    let member = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    member("signature")
        .zip(member("public_key"))
        .ok_or_else(|| Next::Broken("the answer has no signature or no public key".to_owned()))
}

fn sign(input: &Value) -> Next {
    let mut params = text(input, "text");
    params["seed"] = input["seed"].clone();
    Next::ask("jcs.sign", params)
}

fn verify(input: &Value, name: &str, signature: &str, public_key: &str) -> Next {
    let mut params = text(input, name);
    params["signature"] = json!(signature);
    params["public_key"] = json!(public_key);
    Next::ask("jcs.verify", params)
}

fn signed_then_verified(input: &Value, replies: &[Reply]) -> Next {
    let [first, rest @ ..] = replies else { return sign(input) };
    let (signature, public_key) = match signed(first) {
        Ok(signed) => signed,
        Err(next) => return next,
    };
    match rest {
        [] => verify(input, "other", &signature, &public_key),
        [Reply::Refused(_), ..] => Next::Broken("what it signed it does not verify".to_owned()),
        _ => Next::Holds,
    }
}

fn one_bit_is_enough(input: &Value, replies: &[Reply]) -> Next {
    let [first, rest @ ..] = replies else { return sign(input) };
    let (signature, public_key) = match signed(first) {
        Ok(signed) => signed,
        Err(next) => return next,
    };
    let bit = input["bit"].as_u64().unwrap_or(0) as usize;
    let Ok(mut bytes) = URL_SAFE_NO_PAD.decode(&signature) else {
        return Next::Broken("the signature is no base64url".to_owned());
    };
    if let Some(byte) = bytes.get_mut(bit / 8) {
        *byte ^= 1 << (bit % 8);
    }
    match rest {
        [] => verify(input, "text", &URL_SAFE_NO_PAD.encode(bytes), &public_key),
        [Reply::Ok(_), ..] => Next::Broken(format!("bit {bit} of the signature is not looked at")),
        _ => Next::Holds,
    }
}
