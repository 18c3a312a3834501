//! Laws of digests and signatures: they are of the canonical bytes, and of no others.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{Signer as _, SigningKey};
use proptest::prelude::*;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::canonical::two_spellings;
use super::{canonical_bytes, model, text};
use crate::adapter::message::Reply;
use crate::laws::json::{self, Choices};
use crate::laws::{Law, Next, Request};

pub(super) const DIGEST_IFF_BYTES: Law = Law {
    id: "jcs/digest-iff-bytes",
    sentence: "Two documents have the same digest if and only if they have the same canonical bytes.",
    requirements: &["JCS-DIG-1"],
    role: "jcs/signer",
    operations: &["jcs.digest", "jcs.canonicalize"],
    inputs: two_documents,
    next: digest_iff_bytes,
};

pub(super) const DIGEST_OF_CANONICAL_BYTES: Law = Law {
    id: "jcs/digest-of-canonical-bytes",
    sentence: "The digest of a document, in any spelling, is SHA-256 over what the rules make of it.",
    requirements: &["JCS-DIG-1"],
    role: "jcs/signer",
    operations: &["jcs.digest"],
    inputs: two_spellings,
    next: digest_of_canonical_bytes,
};

pub(super) const SIGNED_THEN_VERIFIED: Law = Law {
    id: "jcs/signed-then-verified",
    sentence: "What is signed in one spelling is verified in another.",
    requirements: &["JCS-SIG-1"],
    role: "jcs/signer",
    operations: &["jcs.sign", "jcs.verify"],
    inputs: to_sign,
    next: signed_then_verified,
};

pub(super) const ONE_SIGNATURE: Law = Law {
    id: "jcs/one-signature",
    sentence: "Seed and value determine all 64 bytes of a signature: every spelling and every time give the \
               one of RFC 8032.",
    requirements: &["JCS-SIG-1"],
    role: "jcs/signer",
    operations: &["jcs.sign"],
    inputs: to_sign,
    next: one_signature,
};

pub(super) const ONE_BIT_IS_ENOUGH: Law = Law {
    id: "jcs/one-bit-is-enough",
    sentence: "A signature with one bit changed verifies nothing.",
    requirements: &["JCS-VER-1"],
    role: "jcs/verifier",
    operations: &["jcs.verify", "jcs.sign"],
    inputs: to_sign,
    next: one_bit_is_enough,
};

pub(super) const ONE_BIT_OF_THE_KEY: Law = Law {
    id: "jcs/one-bit-of-the-key",
    sentence: "A true signature is verified with its key, and not with a key that differs in one bit.",
    requirements: &["JCS-VER-1"],
    role: "jcs/verifier",
    operations: &["jcs.verify"],
    inputs: to_sign,
    next: one_bit_of_the_key,
};

pub(super) const ANOTHER_DOCUMENT: Law = Law {
    id: "jcs/another-document",
    sentence: "A signature verifies every spelling of the document that was signed, and no other document.",
    requirements: &["JCS-VER-1"],
    role: "jcs/verifier",
    operations: &["jcs.verify"],
    inputs: two_to_verify,
    next: another_document,
};

/// Two spellings of one value, or of two that may differ.
fn two_documents() -> BoxedStrategy<Value> {
    let other = (json::tree(), json::tree()).prop_map(
        |(one, other)| json!({ "text": json::plain(&one), "other": json::plain(&other) }),
    );
    prop_oneof![two_spellings(), other].boxed()
}

fn seed() -> BoxedStrategy<String> {
    any::<[u8; 32]>().prop_map(|seed| URL_SAFE_NO_PAD.encode(seed)).boxed()
}

fn to_sign() -> BoxedStrategy<Value> {
    (json::object(), json::choices(), seed(), 0usize..512)
        .prop_map(|(tree, given, seed, bit)| {
            json!({
                "text": json::plain(&tree),
                "other": json::spell(&tree, &mut Choices::new(given)),
                "seed": seed,
                "bit": bit,
            })
        })
        .boxed()
}

/// Two documents that may be one, often with no more than a leaf between them.
fn two_to_verify() -> BoxedStrategy<Value> {
    let leaf = || prop_oneof![json::text().prop_map(json::Tree::Text), json::tree()];
    let near =
        (json::object(), json::text(), leaf(), leaf()).prop_map(|(tree, name, one, other)| {
            let with = |leaf: json::Tree| {
                let json::Tree::Object(mut members) = tree.clone() else {
                    return json::plain(&tree);
                };
                members.retain(|(own, _)| *own != name);
                members.push((name.clone(), leaf));
                json::plain(&json::Tree::Object(members))
            };
            json!({ "text": with(one), "other": with(other) })
        });
    (prop_oneof![2 => near, 1 => two_spellings()], seed())
        .prop_map(|(mut input, seed)| {
            input["seed"] = json!(seed);
            input
        })
        .boxed()
}

fn digest(reply: &Reply) -> Option<String> {
    match reply {
        Reply::Ok(value) => value.get("sha256").and_then(Value::as_str).map(str::to_owned),
        _ => None,
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
    match (canonical_bytes(one), canonical_bytes(other), digest(first), digest(second)) {
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

fn digest_of_canonical_bytes(input: &Value, replies: &[Reply]) -> Next {
    let [one, other] = replies else {
        let ask = |name| Request { operation: "jcs.digest", params: text(input, name) };
        return Next::Ask(vec![ask("text"), ask("other")]);
    };
    let Some(canonical) = input["text"].as_str().and_then(model::of_text) else {
        return Next::Silent;
    };
    let expected = URL_SAFE_NO_PAD.encode(Sha256::digest(&canonical));
    match (digest(one), digest(other)) {
        (Some(one), Some(other)) => Next::held(one == expected && other == expected, || {
            format!("the digests are {one} and {other}, and that of {canonical} is {expected}")
        }),
        _ => Next::Broken("a well-formed document has no digest".to_owned()),
    }
}

/// What a reply signed.
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

fn sign(input: &Value, name: &str) -> Request {
    let mut params = text(input, name);
    params["seed"] = input["seed"].clone();
    Request { operation: "jcs.sign", params }
}

fn verify(input: &Value, name: &str, signature: &str, public_key: &str) -> Request {
    let mut params = text(input, name);
    params["signature"] = json!(signature);
    params["public_key"] = json!(public_key);
    Request { operation: "jcs.verify", params }
}

fn signed_then_verified(input: &Value, replies: &[Reply]) -> Next {
    let [first, rest @ ..] = replies else { return Next::Ask(vec![sign(input, "text")]) };
    let (signature, public_key) = match signed(first) {
        Ok(signed) => signed,
        Err(next) => return next,
    };
    match rest {
        [] => Next::Ask(vec![verify(input, "other", &signature, &public_key)]),
        [Reply::Refused(_), ..] => Next::Broken("what it signed it does not verify".to_owned()),
        _ => Next::Holds,
    }
}

/// The input's text signed by the law itself: the signature, and the key that verifies it.
fn true_signature(input: &Value) -> Option<([u8; 64], [u8; 32])> {
    let seed = URL_SAFE_NO_PAD.decode(input["seed"].as_str()?).ok()?;
    let key = SigningKey::from_bytes(&seed.try_into().ok()?);
    let canonical = model::of_text(input["text"].as_str()?)?;
    Some((key.sign(canonical.as_bytes()).to_bytes(), key.verifying_key().to_bytes()))
}

fn one_signature(input: &Value, replies: &[Reply]) -> Next {
    let [one, other] = replies else {
        return Next::Ask(vec![sign(input, "text"), sign(input, "other")]);
    };
    let Some((signature, key)) = true_signature(input) else { return Next::Silent };
    let expected = (URL_SAFE_NO_PAD.encode(signature), URL_SAFE_NO_PAD.encode(key));
    for reply in [one, other] {
        match signed(reply) {
            Ok(own) if own == expected => {}
            Ok((signature, key)) => {
                return Next::Broken(format!(
                    "it gave {signature} by the key {key}, and RFC 8032 gives {} by {}",
                    expected.0, expected.1
                ));
            }
            Err(next) => return next,
        }
    }
    Next::Holds
}

fn flip(bytes: &mut [u8], bit: usize) {
    if let Some(byte) = bytes.get_mut(bit / 8) {
        *byte ^= 1 << (bit % 8);
    }
}

fn one_bit_is_enough(input: &Value, replies: &[Reply]) -> Next {
    let [first, rest @ ..] = replies else { return Next::Ask(vec![sign(input, "text")]) };
    let (signature, public_key) = match signed(first) {
        Ok(signed) => signed,
        Err(next) => return next,
    };
    let bit = input["bit"].as_u64().unwrap_or(0) as usize;
    let Ok(mut bytes) = URL_SAFE_NO_PAD.decode(&signature) else {
        return Next::Broken("the signature is no base64url".to_owned());
    };
    flip(&mut bytes, bit);
    match rest {
        [] => Next::Ask(vec![verify(input, "text", &URL_SAFE_NO_PAD.encode(bytes), &public_key)]),
        [Reply::Ok(_), ..] => Next::Broken(format!("bit {bit} of the signature is not looked at")),
        _ => Next::Holds,
    }
}

fn one_bit_of_the_key(input: &Value, replies: &[Reply]) -> Next {
    let bit = input["bit"].as_u64().unwrap_or(0) as usize % 256;
    match replies {
        [] => {
            let Some((signature, key)) = true_signature(input) else { return Next::Silent };
            let mut other = key;
            flip(&mut other, bit);
            let [signature, key, other] =
                [&signature[..], &key, &other].map(|bytes| URL_SAFE_NO_PAD.encode(bytes));
            Next::Ask(vec![
                verify(input, "text", &signature, &key),
                verify(input, "text", &signature, &other),
            ])
        }
        [Reply::Refused(_), ..] => Next::Broken("the true signature is refused".to_owned()),
        [_, Reply::Ok(_)] => Next::Broken(format!("bit {bit} of the key is not looked at")),
        _ => Next::Holds,
    }
}

fn another_document(input: &Value, replies: &[Reply]) -> Next {
    let canonical = |name: &str| input[name].as_str().and_then(model::of_text);
    let (Some(one), Some(other)) = (canonical("text"), canonical("other")) else {
        return Next::Silent;
    };
    match replies {
        [] => {
            let Some((signature, key)) = true_signature(input) else { return Next::Silent };
            let [signature, key] =
                [&signature[..], &key].map(|bytes| URL_SAFE_NO_PAD.encode(bytes));
            Next::Ask(vec![verify(input, "other", &signature, &key)])
        }
        [Reply::Refused(_), ..] if one == other => {
            Next::Broken(format!("the signature of {one} is refused for another spelling of it"))
        }
        [Reply::Ok(_), ..] if one != other => {
            Next::Broken(format!("the signature of {one} was taken for one of {other}"))
        }
        _ => Next::Holds,
    }
}
