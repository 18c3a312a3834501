//! Laws of a receipt that is looked at: it verifies where nothing has been changed, and nowhere else.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::carriers;
use super::carrying::{on_a_transport, rebuild};
use super::decoding::changed;
use super::envelopes::{difference, differences, digest, document, input, open, put, whole, with};
use super::receipts::{self, context, ending, ending_in};
use super::replies::{document_of, judged, output, refused, refused_as};
use crate::adapter::document as bytes;
use crate::adapter::message::Reply;
use crate::laws::{Law, Next, Request};

pub(super) const TRUE_RECEIPT: Law = Law {
    id: "federation/true-receipt",
    sentence: "A receipt that its issuer's key signed verifies, as the fact that it is, and verifies again for \
               a receiver that has seen it before.",
    requirements: &["FED-CAR-5", "FED-TRM-1", "FED-SIG-3", "FED-DIG-1"],
    role: "federation/receiver",
    operations: &["federation.verify_commitment"],
    inputs: || input(differences(), ending()),
    next: true_receipt,
};

pub(super) const CHANGED_CONTENT: Law = Law {
    id: "federation/changed-content",
    sentence: "A receipt on an envelope of which anything has been changed since, in a member or in the receipt \
               itself, is a digest_mismatch.",
    requirements: &["FED-SIG-7", "FED-DIG-1"],
    role: "federation/receiver",
    operations: &["federation.verify_commitment"],
    inputs: then_changed,
    next: changed_content,
};

pub(super) const CHANGED_ATTRIBUTES: Law = Law {
    id: "federation/changed-attributes",
    sentence: "A receipt of which a signed attribute (purpose, time, key id, content digest) has been changed \
               does not verify.",
    requirements: &["FED-SIG-7"],
    role: "federation/receiver",
    operations: &["federation.verify_commitment"],
    inputs: changed_attribute,
    next: changed_attributes,
};

pub(super) const ONE_BIT: Law = Law {
    id: "federation/one-bit",
    sentence: "With one bit of the signature or of the key changed a receipt does not verify.",
    requirements: &["FED-SIG-7"],
    role: "federation/receiver",
    operations: &["federation.verify_commitment"],
    inputs: one_bit_changed,
    next: one_bit,
};

pub(super) const COMMITMENT_IS_RECOMPUTED: Law = Law {
    id: "federation/commitment-is-recomputed",
    sentence: "A terminal commitment that is not of the envelope's own seven components is a digest_mismatch, \
               even where its issuer signed it.",
    requirements: &["FED-DIG-1"],
    role: "federation/receiver",
    operations: &["federation.verify_commitment"],
    inputs: || {
        let bit = (0u16..256).prop_map(Value::from).boxed();
        with(input(differences(), ending()), "bit", bit)
    },
    next: commitment_is_recomputed,
};

pub(super) const ONLY_ITS_PURPOSE: Law = Law {
    id: "federation/only-its-purpose",
    sentence: "A receipt that is rightly signed for the purpose of a blueprint or a deployment does not verify.",
    requirements: &["FED-SIG-1"],
    role: "federation/receiver",
    operations: &["federation.verify_commitment"],
    inputs: for_a_purpose,
    next: only_its_purpose,
};

pub(super) const KEY_IDS_ARE_LABELS: Law = Law {
    id: "federation/key-ids-are-labels",
    sentence: "A receipt whose key id is a PEM block or a secret in hexadecimal digits is refused as \
               forbidden_portable_value, even where its key is trusted.",
    requirements: &["FED-SIG-2"],
    role: "federation/receiver",
    operations: &["federation.verify_commitment"],
    inputs: under_a_secret,
    next: key_ids_are_labels,
};

pub(super) const THROUGH_EITHER_TRANSPORT: Law = Law {
    id: "federation/receipt-through-either-transport",
    sentence: "A receipt that comes by either transport verifies; where the task's status was changed on the \
               way to another ending it is a digest_mismatch.",
    requirements: &["FED-CAR-5", "FED-SIG-7"],
    role: "federation/receiver",
    operations: &["federation.verify_commitment", "federation.from_a2a", "federation.from_mcp"],
    inputs: || {
        let ends = &["completed", "failed", "canceled"][..];
        let says = prop::sample::select(ends).prop_map(Value::from).boxed();
        with(on_a_transport(input(differences(), ending_in(ends))), "says", says)
    },
    next: through_either_transport,
};

/// Asks whether an envelope's receipt verifies.
pub(super) fn verify(envelope: Value, context: Value) -> Request {
    let params = json!({ "envelope": envelope, "context": context });
    Request { operation: "federation.verify_commitment", params }
}

fn true_receipt(input: &Value, replies: &[Reply]) -> Next {
    let (envelope, ending) = (whole(input), &input["state"]);
    let commitment = receipts::terminal_commitment(&open(input), ending);
    if replies.is_empty() {
        let mut again = context(ending);
        again["prior_receipts"] = json!([{
            "task_identity": envelope["task_identity"],
            "terminal_state": envelope["terminal_state"],
            "commitment": commitment,
        }]);
        let document = document(&envelope);
        return Next::Ask(vec![verify(document.clone(), context(ending)), verify(document, again)]);
    }
    let fact = [
        ("task_identity", &envelope["task_identity"]),
        ("terminal_state", &envelope["terminal_state"]),
        ("terminal_commitment", &json!(commitment)),
    ];
    judged(replies.iter().try_for_each(|reply| {
        let output = output(reply)?;
        match fact.iter().find(|(name, value)| output[*name] != **value) {
            None => Ok(()),
            Some((name, value)) => Err(Next::Broken(format!(
                "its {name} is told as {}, and is {value}",
                output[*name]
            ))),
        }
    }))
}

/// A change of one valid envelope into another: of members, of a digest in the receipt, or of the
/// ending.
fn then_changed() -> BoxedStrategy<Value> {
    let in_receipt = prop::sample::select(
        &["result_digest", "checkpoint_history_commitment", "terminal_commitment"][..],
    );
    let receipt =
        (in_receipt, digest()).prop_map(|(name, digest)| json!({ "receipt": { name: digest } }));
    let state = prop::sample::select(receipts::TERMINAL)
        .prop_map(|state| json!({ "members": { "terminal_state": state } }));
    let members = difference().prop_map(|members| json!({ "members": members }));
    let change = prop_oneof![6 => members, 2 => receipt, 1 => state].boxed();
    with(input(differences(), ending()), "change", change)
}

fn changed_content(input: &Value, replies: &[Reply]) -> Next {
    let before = whole(input);
    let mut envelope = before.clone();
    put(&mut envelope, &input["change"]["members"]);
    put(&mut envelope["evidence_receipt"], &input["change"]["receipt"]);
    match replies {
        _ if envelope == before => Next::Silent,
        [] => Next::Ask(vec![verify(document(&envelope), context(&input["state"]))]),
        [reply, ..] => judged(refused_as(reply, "digest_mismatch", "a changed envelope")),
    }
}

fn changed_attribute() -> BoxedStrategy<Value> {
    let purpose = prop::sample::select(&["blueprint", "deployment", "federation-envelope"][..]);
    let attribute = prop_oneof![
        purpose.prop_map(|purpose| json!({ "purpose": purpose })),
        receipts::seconds().prop_map(|time| json!({ "created_at": receipts::at(time) })),
        receipts::key_id().prop_map(|id| json!({ "key_id": id })),
        digest().prop_map(|digest| json!({ "content_digest": digest })),
    ];
    let signed = prop::sample::select(&["federation-envelope", "deployment"][..]);
    let signed = signed.prop_map(Value::from).boxed();
    with(with(input(differences(), ending()), "attribute", attribute.boxed()), "signed_for", signed)
}

fn changed_attributes(input: &Value, replies: &[Reply]) -> Next {
    let mut ending = input["state"].clone();
    ending["purpose"] = input["signed_for"].clone();
    let before = receipts::ended(&open(input), &ending);
    let mut envelope = before.clone();
    let signature = &mut envelope["evidence_receipt"]["signature"];
    put(&mut signature["signed_attributes"], &input["attribute"]);
    let key_id = signature["signed_attributes"]["key_id"].clone();
    signature["protected"]["kid"] = key_id.clone();
    ending["key_id"] = key_id;
    match replies {
        _ if envelope == before => Next::Silent,
        [] => Next::Ask(vec![verify(document(&envelope), context(&ending))]),
        // Of two faults either may tell: the order of the checks is a should.
        [reply, ..] => {
            let what = format!("a receipt with other attributes, {},", input["attribute"]);
            judged(refused(reply, &what))
        }
    }
}

fn one_bit_changed() -> BoxedStrategy<Value> {
    let of = prop::sample::select(&["signature", "key"][..]).prop_map(Value::from).boxed();
    let bit = (0u16..512).prop_map(Value::from).boxed();
    with(with(input(differences(), ending()), "of", of), "bit", bit)
}

/// Base64url with one bit changed of the bytes that it encodes.
fn flipped(text: &Value, bit: &Value) -> Value {
    let mut bytes = URL_SAFE_NO_PAD.decode(text.as_str().unwrap_or_default()).unwrap_or_default();
    let bit = bit.as_u64().and_then(|bit| usize::try_from(bit).ok()).unwrap_or(0);
    let bit = bit % (bytes.len() * 8).max(1);
    if let Some(byte) = bytes.get_mut(bit / 8) {
        *byte ^= 1 << (bit % 8);
    }
    json!(URL_SAFE_NO_PAD.encode(bytes))
}

fn one_bit(input: &Value, replies: &[Reply]) -> Next {
    let mut envelope = whole(input);
    let mut context = context(&input["state"]);
    let bit = &input["bit"];
    let of_key = input["of"] == "key";
    match replies {
        [] => {
            if of_key {
                let key = &mut context["keys"][0]["key"];
                *key = flipped(key, bit);
            } else {
                let signature = &mut envelope["evidence_receipt"]["signature"]["signature"];
                *signature = flipped(signature, bit);
            }
            Next::Ask(vec![verify(document(&envelope), context)])
        }
        // Not every 32 bytes are a key that can be used.
        [reply, ..] if of_key => {
            judged(refused(reply, "a receipt under a key with one bit changed"))
        }
        [reply, ..] => {
            let what = "a signature with one bit changed";
            judged(refused_as(reply, "signature_not_verified", what))
        }
    }
}

fn commitment_is_recomputed(input: &Value, replies: &[Reply]) -> Next {
    let (open, ending) = (open(input), &input["state"]);
    match replies {
        [] => {
            let own = receipts::terminal_commitment(&open, ending);
            let other = changed(&own, input["bit"].as_u64().unwrap_or(0));
            let envelope = receipts::ended_with(&open, ending, other);
            Next::Ask(vec![verify(document(&envelope), context(ending))])
        }
        [reply, ..] => {
            judged(refused_as(reply, "digest_mismatch", "a commitment to something else"))
        }
    }
}

fn for_a_purpose() -> BoxedStrategy<Value> {
    let purpose = prop::sample::select(&["blueprint", "deployment"][..]);
    with(input(differences(), ending()), "purpose", purpose.prop_map(Value::from).boxed())
}

fn only_its_purpose(input: &Value, replies: &[Reply]) -> Next {
    match replies {
        [] => {
            let mut ending = input["state"].clone();
            ending["purpose"] = input["purpose"].clone();
            let envelope = receipts::ended(&open(input), &ending);
            Next::Ask(vec![verify(document(&envelope), context(&ending))])
        }
        [reply, ..] => {
            let what = format!("a receipt signed for {}", input["purpose"]);
            judged(refused_as(reply, "invalid_constraint", &what))
        }
    }
}

/// Key ids that are a secret's text.
pub(super) fn secret() -> BoxedStrategy<String> {
    let hexadecimal = (any::<[u8; 32]>(), any::<bool>()).prop_map(|(bytes, upper)| {
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        if upper { digits.to_uppercase() } else { digits }
    });
    let around = || prop::sample::select(&["", "x", "key ", "é"][..]);
    let kind = prop::sample::select(&["PRIVATE KEY", "CERTIFICATE", "EC PRIVATE KEY"][..]);
    let pem = (around(), kind, around())
        .prop_map(|(before, kind, after)| format!("{before}-----BEGIN {kind}-----{after}"));
    prop_oneof![hexadecimal, pem].boxed()
}

fn under_a_secret() -> BoxedStrategy<Value> {
    (input(differences(), ending()), secret())
        .prop_map(|(mut input, secret)| {
            input["state"]["key_id"] = json!(secret);
            input
        })
        .boxed()
}

fn key_ids_are_labels(input: &Value, replies: &[Reply]) -> Next {
    match replies {
        [] => Next::Ask(vec![verify(document(&whole(input)), context(&input["state"]))]),
        [reply, ..] => {
            let what = format!("a receipt under the key id {}", input["state"]["key_id"]);
            judged(refused_as(reply, "forbidden_portable_value", &what))
        }
    }
}

fn through_either_transport(input: &Value, replies: &[Reply]) -> Next {
    let transport = carriers::named(&input["transport"]);
    let says = input["says"].as_str().unwrap_or_default();
    match replies {
        [] => {
            let envelope = whole(input);
            let Some(spelling) = transport.spells(says) else { return Next::Silent };
            let body = carriers::body(&envelope);
            let carrier = transport.task(&envelope["task_identity"], spelling, body);
            Next::Ask(vec![rebuild(transport, document(&carrier))])
        }
        [rebuilt] => match document_of(rebuilt, "canonical") {
            Ok(envelope) => {
                Next::Ask(vec![verify(bytes::to_value(envelope), context(&input["state"]))])
            }
            Err(next) => next,
        },
        [_, reply, ..] if input["state"]["terminal_state"] == says => {
            judged(output(reply).map(drop))
        }
        [_, reply, ..] => {
            let what = format!("a receipt of another ending than {says}");
            judged(refused_as(reply, "digest_mismatch", &what))
        }
    }
}
