//! Laws of issuing: the bytes are determined, and receivers take them.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::envelopes::{canonical, difference, differences, document, input, open, put, with};
use super::receipts::{self, context, ending};
use super::receiver::{secret, verify};
use super::replies::{document_of, gives, judged, output, refused_as};
use crate::adapter::document as bytes;
use crate::adapter::message::Reply;
use crate::laws::{Law, Next, Request};

pub(super) const ISSUED_TO_THE_BYTE: Law = Law {
    id: "federation/issued-to-the-byte",
    sentence: "Envelope, ending, key and time determine the issued envelope to the byte.",
    requirements: &["FED-ISS-1", "FED-DIG-1"],
    role: "federation/issuer",
    operations: &["federation.issue"],
    inputs: to_end,
    next: issued_to_the_byte,
};

pub(super) const COMMITTED_AS_ISSUED: Law = Law {
    id: "federation/committed-as-issued",
    sentence: "The commitment and the content digest that are computed for an ending are those that the rules \
               give, and those in what is issued.",
    requirements: &["FED-ISS-1", "FED-DIG-1"],
    role: "federation/issuer",
    operations: &["federation.commit", "federation.issue"],
    inputs: to_end,
    next: committed_as_issued,
};

pub(super) const ISSUED_THEN_VERIFIED: Law = Law {
    id: "federation/issued-then-verified",
    sentence: "What is issued verifies with the issuer's key.",
    requirements: &["FED-ISS-1"],
    role: "federation/issuer",
    operations: &["federation.issue", "federation.verify_commitment"],
    inputs: to_end,
    next: issued_then_verified,
};

pub(super) const SEVEN_COMPONENTS: Law = Law {
    id: "federation/seven-components",
    sentence: "Two endings have one terminal commitment if and only if they agree in its seven components, and \
               one content digest if and only if they agree in everything.",
    requirements: &["FED-ISS-1"],
    role: "federation/issuer",
    operations: &["federation.commit"],
    inputs: two_endings,
    next: seven_components,
};

pub(super) const NO_SECRET_AS_KEY_ID: Law = Law {
    id: "federation/no-secret-as-key-id",
    sentence: "Nothing is issued under a key id that is a PEM block or a secret in hexadecimal digits: it is \
               refused as forbidden_portable_value.",
    requirements: &["FED-ISS-2"],
    role: "federation/issuer",
    operations: &["federation.issue"],
    inputs: under_a_secret,
    next: no_secret_as_key_id,
};

fn to_end() -> BoxedStrategy<Value> {
    input(differences(), ending())
}

fn params(envelope: &Value, ending: &Value) -> Value {
    json!({
        "envelope": document(envelope),
        "terminal_state": ending["terminal_state"],
        "result_digest": ending["result_digest"],
        "checkpoint_history_commitment": ending["checkpoint_history_commitment"],
    })
}

fn commit(envelope: &Value, ending: &Value) -> Request {
    Request { operation: "federation.commit", params: params(envelope, ending) }
}

fn issue(input: &Value) -> Request {
    let ending = &input["state"];
    let mut params = params(&open(input), ending);
    let signing = json!({
        "seed": receipts::seed(&ending["key"]),
        "key_id": ending["key_id"],
        "created_at": ending["created_at"],
    });
    put(&mut params, &signing);
    Request { operation: "federation.issue", params }
}

fn issued_to_the_byte(input: &Value, replies: &[Reply]) -> Next {
    let [reply, ..] = replies else { return Next::Ask(vec![issue(input)]) };
    let expected = receipts::ended(&open(input), &input["state"]);
    judged(gives(reply, "envelope", &canonical(&expected)))
}

fn committed_as_issued(input: &Value, replies: &[Reply]) -> Next {
    let (open, ending) = (open(input), &input["state"]);
    let [committed, issued] = replies else {
        return Next::Ask(vec![commit(&open, ending), issue(input)]);
    };
    let steps = output(committed).and_then(|committed| {
        let issued = document_of(issued, "envelope")?;
        let issued: Value = serde_json::from_slice(&issued).unwrap_or_default();
        let receipt = &issued["evidence_receipt"];
        let wanted = receipts::ended(&open, ending);
        for (name, in_receipt, wanted) in [
            (
                "terminal_commitment",
                &receipt["terminal_commitment"],
                &wanted["evidence_receipt"]["terminal_commitment"],
            ),
            (
                "content_digest",
                &receipt["signature"]["signed_attributes"]["content_digest"],
                &wanted["evidence_receipt"]["signature"]["signed_attributes"]["content_digest"],
            ),
        ] {
            let own = &committed[name];
            if own != wanted || in_receipt != wanted {
                return Err(Next::Broken(format!(
                    "its {name} is {own}, the one that is issued {in_receipt}, and the rules give {wanted}"
                )));
            }
        }
        Ok(())
    });
    judged(steps)
}

fn issued_then_verified(input: &Value, replies: &[Reply]) -> Next {
    match replies {
        [] => Next::Ask(vec![issue(input)]),
        [issued] => match document_of(issued, "envelope") {
            Ok(envelope) => {
                Next::Ask(vec![verify(bytes::to_value(envelope), context(&input["state"]))])
            }
            Err(next) => next,
        },
        [_, verified, ..] => judged(output(verified).map(drop)),
    }
}

/// An ending, and what is other in a second one: a member, or the ending.
fn two_endings() -> BoxedStrategy<Value> {
    let ending = ending().prop_flat_map(|ending| {
        let names = &["terminal_state", "result_digest", "checkpoint_history_commitment"][..];
        prop::sample::select(names).prop_map(move |name| json!({ "state": { name: ending[name] } }))
    });
    let member = difference().prop_map(|members| json!({ "but": members }));
    let other = prop_oneof![3 => member.boxed(), 1 => ending.boxed(), 1 => Just(json!({})).boxed()];
    with(to_end(), "other", other.boxed())
}

fn seven_components(input: &Value, replies: &[Reply]) -> Next {
    let one = open(input);
    let mut other = one.clone();
    put(&mut other, &input["other"]["but"]);
    let ending = &input["state"];
    let mut other_ending = ending.clone();
    put(&mut other_ending, &input["other"]["state"]);
    let [first, second] = replies else {
        return Next::Ask(vec![commit(&one, ending), commit(&other, &other_ending)]);
    };
    let components = [
        "task_identity",
        "result_classification_ceiling",
        "compatibility_reference",
        "authority_proof_references",
    ];
    let agree = *ending == other_ending && components.iter().all(|name| one[*name] == other[*name]);
    let same = *ending == other_ending && one == other;
    judged(output(first).and_then(|first| {
        let second = output(second)?;
        for (name, alike) in [("terminal_commitment", agree), ("content_digest", same)] {
            if (first[name] == second[name]) != alike {
                let (own, what) = (&first[name], if alike { "agree" } else { "differ" });
                return Err(Next::Broken(format!(
                    "the two {what} in what {name} is over, and have {own} and {}",
                    second[name]
                )));
            }
        }
        Ok(())
    }))
}

fn under_a_secret() -> BoxedStrategy<Value> {
    (to_end(), secret())
        .prop_map(|(mut input, secret)| {
            input["state"]["key_id"] = json!(secret);
            input
        })
        .boxed()
}

fn no_secret_as_key_id(input: &Value, replies: &[Reply]) -> Next {
    let [reply, ..] = replies else { return Next::Ask(vec![issue(input)]) };
    let what = format!("the key id {}", input["state"]["key_id"]);
    judged(refused_as(reply, "forbidden_portable_value", &what))
}
