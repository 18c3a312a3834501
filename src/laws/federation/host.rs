//! Laws of AgentCards: what is signed, and what verifies.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::cards::{KID, card, header, normalised, preimage, private_jwk, public_jwk, signed};
use super::envelopes::{document, with};
use super::replies::{document_of, gives, judged, output, refused, shown};
use crate::adapter::message::Reply;
use crate::laws::jcs::spelling::{self, Ways};
use crate::laws::json as any_json;
use crate::laws::{Law, Next, Request};

pub(super) const PREIMAGE_BY_THE_TABLE: Law = Law {
    id: "federation/preimage-by-the-table",
    sentence: "The bytes under a card's signature are its canonical form without signatures and without plain \
               fields at their default; what is REQUIRED, set though optional, or in a Struct stays.",
    requirements: &["FED-CRD-1", "FED-CRD-2"],
    role: "federation/host",
    operations: &["federation.card_preimage"],
    inputs: || spelled(with_signatures()),
    next: by_the_table,
};

pub(super) const PREIMAGE_OF_ANY_SPELLING: Law = Law {
    id: "federation/preimage-of-any-spelling",
    sentence: "Every spelling of a card has the same bytes under its signature, and those bytes are their own.",
    requirements: &["FED-CRD-1"],
    role: "federation/host",
    operations: &["federation.card_preimage"],
    inputs: || spelled(with_signatures()),
    next: of_any_spelling,
};

pub(super) const SIGNED_THEN_VERIFIED: Law = Law {
    id: "federation/card-signed-then-verified",
    sentence: "A card that was signed verifies in any spelling, and with plain fields at their default left out.",
    requirements: &["FED-CRD-1", "FED-CRD-3"],
    role: "federation/host",
    operations: &["federation.card_sign", "federation.card_verify"],
    inputs: || spelled(with_key()),
    next: signed_then_verified,
};

pub(super) const CHANGED_CARD: Law = Law {
    id: "federation/changed-card",
    sentence: "A card of which a member has been changed since it was signed verifies where the signed bytes are \
               the same, and nowhere else.",
    requirements: &["FED-CRD-1", "FED-CRD-3"],
    role: "federation/host",
    operations: &["federation.card_verify"],
    inputs: then_changed,
    next: changed_card,
};

pub(super) const ONE_BIT_OF_A_CARD: Law = Law {
    id: "federation/one-bit-of-a-card",
    sentence: "With one bit of its signature or of the protected header changed a card does not verify.",
    requirements: &["FED-CRD-3"],
    role: "federation/host",
    operations: &["federation.card_verify"],
    inputs: one_bit_changed,
    next: one_bit,
};

pub(super) const ANOTHER_KEY: Law = Law {
    id: "federation/only-the-callers-keys",
    sentence: "A card verifies with the key that signed it, if the caller gave it under its kid and the header's \
               algorithm is the key's, and with no other, though its header carry one.",
    requirements: &["FED-CRD-3", "FED-CRD-5"],
    role: "federation/host",
    operations: &["federation.card_verify"],
    inputs: under_keys,
    next: another_key,
};

fn with_key() -> BoxedStrategy<Value> {
    (card(), 1u8..4).prop_map(|(card, key)| json!({ "card": card, "key": key })).boxed()
}

/// Cards that somebody has signed, or nobody.
fn with_signatures() -> BoxedStrategy<Value> {
    let entry = vec(any::<u8>(), 0..4).prop_map(
        |bytes| json!({ "protected": "e30", "signature": URL_SAFE_NO_PAD.encode(bytes) }),
    );
    (card(), vec(entry, 0..3))
        .prop_map(|(mut card, signatures)| {
            if !signatures.is_empty() {
                card["signatures"] = json!(signatures);
            }
            json!({ "card": card })
        })
        .boxed()
}

fn spelled(input: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    let choices = any_json::choices().prop_map(|choices| json!(choices));
    with(input, "choices", choices.boxed())
}

/// A card in the spelling that an input's choices give.
fn spelling(card: &Value, input: &Value) -> Value {
    let choices: Vec<u8> = serde_json::from_value(input["choices"].clone()).unwrap_or_default();
    json!({ "text": spelling::spell(&spelling::tree_of(card), Ways::ALL, &choices) })
}

fn ask_preimage(card: Value) -> Request {
    let params = json!({ "card": card, "profile": "spec" });
    Request { operation: "federation.card_preimage", params }
}

fn ask_verify(card: Value, keys: Value) -> Request {
    let params = json!({ "card": card, "keys": keys, "profile": "spec" });
    Request { operation: "federation.card_verify", params }
}

fn by_the_table(input: &Value, replies: &[Reply]) -> Next {
    let card = &input["card"];
    match replies {
        [] => Next::Ask(vec![ask_preimage(spelling(card, input))]),
        [reply, ..] => judged(gives(reply, "canonical", &preimage(card))),
    }
}

fn of_any_spelling(input: &Value, replies: &[Reply]) -> Next {
    let card = &input["card"];
    let [one, other, rest @ ..] = replies else {
        let ask = vec![ask_preimage(document(card)), ask_preimage(spelling(card, input))];
        return Next::Ask(ask);
    };
    let one = match document_of(one, "canonical") {
        Ok(one) => String::from_utf8_lossy(&one).into_owned(),
        Err(next) => return next,
    };
    match (gives(other, "canonical", &one), rest) {
        (Err(next), _) => next,
        (Ok(()), []) => Next::Ask(vec![ask_preimage(json!({ "text": one }))]),
        (Ok(()), [again, ..]) => judged(gives(again, "canonical", &one)),
    }
}

/// Holds where these signatures, by their index, verify.
fn verified(reply: &Reply, expected: &Value) -> Result<(), Next> {
    let got = &output(reply)?["verified"];
    if got == expected {
        return Ok(());
    }
    Err(Next::Broken(format!("the signatures {got} verify, and {expected} must")))
}

fn signed_then_verified(input: &Value, replies: &[Reply]) -> Next {
    let card = &input["card"];
    let [signed, rest @ ..] = replies else {
        let params = json!({
            "card": document(card), "key": private_jwk(&input["key"]), "kid": KID, "alg": "EdDSA",
        });
        return Next::ask("federation.card_sign", params);
    };
    let signed = match document_of(signed, "card") {
        Ok(signed) => signed,
        Err(next) => return next,
    };
    let Ok(signed) = serde_json::from_slice::<Value>(&signed) else {
        return Next::Broken(format!("it gave {}", shown(&String::from_utf8_lossy(&signed))));
    };
    if rest.is_empty() {
        let mut bare = normalised(card);
        bare["signatures"] = signed["signatures"].clone();
        let keys = json!([public_jwk(&input["key"], KID)]);
        return Next::Ask(vec![
            ask_verify(spelling(&signed, input), keys.clone()),
            ask_verify(document(&bare), keys),
        ]);
    }
    judged(rest.iter().try_for_each(|reply| verified(reply, &json!([0]))))
}

/// Another card's member in the place of a card's own: set, changed or gone.
fn then_changed() -> BoxedStrategy<Value> {
    (with_key(), card(), any::<prop::sample::Index>())
        .prop_map(|(mut input, other, at)| {
            let own = input["card"].as_object().cloned().unwrap_or_default();
            let others = other.as_object().cloned().unwrap_or_default();
            let names: Vec<&String> = own.keys().chain(others.keys()).collect();
            let name = names[at.index(names.len())];
            input["change"] = match others.get(name) {
                Some(value) => json!({ "set": { name: value } }),
                None => json!({ "remove": name }),
            };
            input
        })
        .boxed()
}

fn changed_card(input: &Value, replies: &[Reply]) -> Next {
    let card = &input["card"];
    let mut after = card.clone();
    super::envelopes::put(&mut after, &input["change"]["set"]);
    if let (Some(members), Some(name)) = (after.as_object_mut(), input["change"]["remove"].as_str())
    {
        members.remove(name);
    }
    match replies {
        [] => {
            after["signatures"] = signed(card, &input["key"], &header())["signatures"].clone();
            let keys = json!([public_jwk(&input["key"], KID)]);
            Next::Ask(vec![ask_verify(document(&after), keys)])
        }
        [reply, ..] if preimage(&after) == preimage(card) => judged(verified(reply, &json!([0]))),
        [reply, ..] => judged(refused(reply, "a card with another member")),
    }
}

fn one_bit_changed() -> BoxedStrategy<Value> {
    let of = prop::sample::select(&["signature", "protected"][..]).prop_map(Value::from);
    let bit = (0u16..512).prop_map(Value::from).boxed();
    with(with(with_key(), "of", of.boxed()), "bit", bit)
}

fn one_bit(input: &Value, replies: &[Reply]) -> Next {
    let Some(of) = input["of"].as_str() else { return Next::Silent };
    match replies {
        [] => {
            let mut card = signed(&input["card"], &input["key"], &header());
            let text = &mut card["signatures"][0][of];
            let mut bytes =
                URL_SAFE_NO_PAD.decode(text.as_str().unwrap_or_default()).unwrap_or_default();
            let bit = input["bit"].as_u64().and_then(|bit| usize::try_from(bit).ok()).unwrap_or(0);
            let bit = bit % (bytes.len() * 8).max(1);
            if let Some(byte) = bytes.get_mut(bit / 8) {
                *byte ^= 1 << (bit % 8);
            }
            *text = json!(URL_SAFE_NO_PAD.encode(bytes));
            let keys = json!([public_jwk(&input["key"], KID)]);
            Next::Ask(vec![ask_verify(document(&card), keys)])
        }
        [reply, ..] => judged(refused(reply, &format!("a card with a bit of its {of} changed"))),
    }
}

/// The caller's keys, the header's algorithm, and whether the header carries the key.
fn under_keys() -> BoxedStrategy<Value> {
    let whose = &["signer", "stranger", "signer under another kid"][..];
    let keys = vec(prop::sample::select(whose), 0..3).prop_map(|keys| json!(keys)).boxed();
    let alg = prop_oneof![
        3 => Just("EdDSA"),
        1 => prop::sample::select(&["none", "HS256", "ES256", "RS256", ""][..]),
    ];
    let carries = any::<bool>().prop_map(Value::from).boxed();
    with(
        with(with(with_key(), "keys", keys), "alg", alg.prop_map(Value::from).boxed()),
        "carries_its_key",
        carries,
    )
}

fn another_key(input: &Value, replies: &[Reply]) -> Next {
    let whose = input["keys"].as_array().cloned().unwrap_or_default();
    match replies {
        [] => {
            let mut header = header();
            header["alg"] = input["alg"].clone();
            if input["carries_its_key"] == true {
                header["jwk"] = public_jwk(&input["key"], KID);
            }
            let card = signed(&input["card"], &input["key"], &header);
            let keys = whose.iter().map(|whose| match whose.as_str() {
                Some("signer") => public_jwk(&input["key"], KID),
                Some("stranger") => public_jwk(&json!(9), KID),
                _ => public_jwk(&input["key"], "key-2"),
            });
            Next::Ask(vec![ask_verify(document(&card), keys.collect())])
        }
        [reply, ..] if whose.iter().any(|whose| whose == "signer") && input["alg"] == "EdDSA" => {
            match verified(reply, &json!([0])) {
                Ok(()) => Next::Holds,
                // A verifier may want no header with a key in it, nor one kid for two keys.
                Err(_) if input["carries_its_key"] == true || whose.len() > 1 => Next::Silent,
                Err(next) => next,
            }
        }
        [reply, ..] => {
            let what =
                format!("a card under the algorithm {} with the keys {:?}", input["alg"], whose);
            judged(refused(reply, &what))
        }
    }
}
