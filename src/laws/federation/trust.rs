//! Laws of what a receiver brings along: keys, pins, earlier receipts, and a window of time.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::decoding::changed;
use super::envelopes::{differences, document, identifier, input, open, whole, with};
use super::receipts::{self, context, ending, public};
use super::receiver::verify;
use super::replies::{judged, output, refused_as};
use crate::adapter::message::Reply;
use crate::laws::{Law, Next};

pub(super) const ISSUERS_OWN_KEYS: Law = Law {
    id: "federation/issuers-own-keys",
    sentence: "With key sets for issuers a receipt verifies by a key of the issuer that it claims and by no \
               other, whatever is in the flat pool; without them by any key of its key id.",
    requirements: &["FED-SIG-3"],
    role: "federation/receiver",
    operations: &["federation.verify_commitment"],
    inputs: with_key_sets,
    next: issuers_own_keys,
};

pub(super) const WINDOW: Law = Law {
    id: "federation/window",
    sentence: "A receipt verifies where the time at which it was signed is in the receiver's window, both ends \
               included, and not a second beyond.",
    requirements: &["FED-SIG-4"],
    role: "federation/receiver",
    operations: &["federation.verify_commitment"],
    inputs: in_a_window,
    next: window,
};

pub(super) const EARLIER_RECEIPTS: Law = Law {
    id: "federation/earlier-receipts",
    sentence: "A receipt conflicts with an earlier one of its task that has another state or another commitment, \
               before its age is asked about, and with no other receipt.",
    requirements: &["FED-TRM-1", "FED-SIG-5"],
    role: "federation/receiver",
    operations: &["federation.verify_commitment"],
    inputs: with_earlier_receipts,
    next: earlier_receipts,
};

pub(super) const PINS: Law = Law {
    id: "federation/pins",
    sentence: "A receipt verifies where issuer, subject and audience are those that the receiver names, and is \
               an audience_mismatch where one is another.",
    requirements: &["FED-SIG-6"],
    role: "federation/receiver",
    operations: &["federation.verify_commitment"],
    inputs: with_pins,
    next: pins,
};

/// Pools of keys: whose the signer's key is said to be. `own` is the issuer that the receipt claims.
fn with_key_sets() -> BoxedStrategy<Value> {
    let pool = || vec(prop::sample::select(&["signer", "stranger", "other-id"][..]), 0..3);
    let sets = option::of((option::of(pool()), option::of(pool())));
    let trust = (pool(), sets).prop_map(|(flat, sets)| {
        let mut trust = json!({ "flat": flat });
        if let Some((own, other)) = sets {
            trust["sets"] = json!({});
            for (whose, pool) in [("own", own), ("other", other)] {
                if let Some(pool) = pool {
                    trust["sets"][whose] = json!(pool);
                }
            }
        }
        trust
    });
    with(input(differences(), ending()), "trust", trust.boxed())
}

fn issuers_own_keys(input: &Value, replies: &[Reply]) -> Next {
    let (trust, ending) = (&input["trust"], &input["state"]);
    let sets = trust.get("sets");
    let pool = match sets {
        Some(sets) => sets.get("own"),
        None => trust.get("flat"),
    };
    let has = |whose: &str| {
        pool.and_then(Value::as_array).is_some_and(|pool| pool.iter().any(|key| key == whose))
    };
    let keys = |pool: &Value| -> Value {
        let pool = pool.as_array().cloned().unwrap_or_default();
        let key = |whose: Value| match whose.as_str() {
            Some("signer") => json!({ "key_id": ending["key_id"], "key": public(&ending["key"]) }),
            Some("stranger") => json!({ "key_id": ending["key_id"], "key": public(&json!(9)) }),
            // The right key under a name of which nobody spoke.
            _ => json!({ "key_id": "another label", "key": public(&ending["key"]) }),
        };
        pool.into_iter().map(key).collect()
    };
    match replies {
        [] => {
            let envelope = whole(input);
            let mut context = json!({ "keys": keys(&trust["flat"]) });
            if let Some(sets) = sets {
                context["issuer_key_sets"] = json!({});
                let issuer = envelope["issuer"].as_str().unwrap_or_default();
                let other =
                    format!("{}-2", issuer.get(..issuer.len().min(100)).unwrap_or_default());
                for (whose, name) in [("own", issuer), ("other", other.as_str())] {
                    if let Some(pool) = sets.get(whose) {
                        context["issuer_key_sets"][name] = keys(pool);
                    }
                }
            }
            Next::Ask(vec![verify(document(&envelope), context)])
        }
        [reply, ..] if has("signer") => judged(output(reply).map(drop)),
        [reply, ..] => {
            let (code, what) = match has("stranger") {
                true => ("signature_not_verified", "a receipt that no key of its pool signed"),
                false => ("signature_key_unsupported", "a receipt whose key id its pool has not"),
            };
            judged(refused_as(reply, code, what))
        }
    }
}

/// How many seconds the ends of the window are from the time of signing.
fn in_a_window() -> BoxedStrategy<Value> {
    let away = || option::of(prop::sample::select(&[-100_000i64, -60, -1, 0, 1, 60, 100_000][..]));
    (input(differences(), ending()), 0i64..4_000_000_000, away(), away())
        .prop_map(|(mut input, signed, after, before)| {
            input["state"]["created_at"] = json!(receipts::at(signed));
            input["window"] = json!({});
            for (name, away) in [("created_after", after), ("created_before", before)] {
                if let Some(away) = away {
                    input["window"][name] = json!(receipts::at(signed + away));
                }
            }
            input
        })
        .boxed()
}

/// Whether the time of signing is in the window of an input. All are spelled alike, so that texts
/// compare as times do.
fn is_fresh(input: &Value) -> bool {
    let signed = input["state"]["created_at"].as_str();
    let end = |name: &str| input["window"].get(name).and_then(Value::as_str);
    end("created_after").is_none_or(|after| Some(after) <= signed)
        && end("created_before").is_none_or(|before| signed <= Some(before))
}

fn window(input: &Value, replies: &[Reply]) -> Next {
    match replies {
        [] => {
            let mut context = context(&input["state"]);
            super::envelopes::put(&mut context, &input["window"]);
            Next::Ask(vec![verify(document(&whole(input)), context)])
        }
        [reply, ..] if is_fresh(input) => judged(output(reply).map(drop)),
        [reply, ..] => {
            let what = format!("a receipt of {}", input["state"]["created_at"]);
            judged(refused_as(reply, "invalid_constraint", &what))
        }
    }
}

fn with_earlier_receipts() -> BoxedStrategy<Value> {
    let flag = || prop::bool::weighted(0.7);
    let earlier = (flag(), flag(), flag())
        .prop_map(|(task, state, commitment)| {
            json!({ "same_task": task, "same_state": state, "same_commitment": commitment })
        });
    let earlier = vec(earlier, 0..4).prop_map(|earlier| json!(earlier)).boxed();
    with(in_a_window(), "earlier", earlier)
}

fn earlier_receipts(input: &Value, replies: &[Reply]) -> Next {
    let ending = &input["state"];
    let earlier = input["earlier"].as_array().cloned().unwrap_or_default();
    if replies.is_empty() {
        let envelope = whole(input);
        let commitment = receipts::terminal_commitment(&open(input), ending);
        let states = receipts::TERMINAL.iter().map(|state| json!(state));
        let another = states.into_iter().find(|state| *state != ending["terminal_state"]);
        let priors = earlier.iter().map(|earlier| {
            let same = |name: &str| earlier[name] == true;
            json!({
                "task_identity": if same("same_task") {
                    envelope["task_identity"].clone()
                } else {
                    json!("another-task")
                },
                "terminal_state": if same("same_state") {
                    ending["terminal_state"].clone()
                } else {
                    another.clone().unwrap_or_default()
                },
                "commitment": if same("same_commitment") {
                    commitment.clone()
                } else {
                    changed(&commitment, 0)
                },
            })
        });
        let mut context = context(ending);
        super::envelopes::put(&mut context, &input["window"]);
        context["prior_receipts"] = priors.collect();
        return Next::Ask(vec![verify(document(&envelope), context)]);
    }
    let conflicts = earlier.iter().any(|earlier| {
        earlier["same_task"] == true
            && (earlier["same_state"] != true || earlier["same_commitment"] != true)
    });
    let Some(reply) = replies.first() else { return Next::Silent };
    judged(match (conflicts, is_fresh(input)) {
        (true, _) => refused_as(
            reply,
            "federation_terminal_conflict",
            "a receipt other than an earlier one of its task",
        ),
        (false, true) => output(reply).map(drop),
        (false, false) => refused_as(reply, "invalid_constraint", "a receipt outside the window"),
    })
}

fn with_pins() -> BoxedStrategy<Value> {
    let pin = || option::of(prop_oneof![3 => Just(None), 1 => identifier().prop_map(Some)]);
    let pins = (pin(), pin(), pin()).prop_map(|(issuer, subject, audience)| {
        let mut pins = json!({});
        for (name, pin) in [("issuer", issuer), ("subject", subject), ("audience", audience)] {
            if let Some(pin) = pin {
                // null stands for the envelope's own.
                pins[name] = json!(pin);
            }
        }
        pins
    });
    with(input(differences(), ending()), "pins", pins.boxed())
}

fn pins(input: &Value, replies: &[Reply]) -> Next {
    let envelope = whole(input);
    let pins = input["pins"].as_object().cloned().unwrap_or_default();
    let pinned =
        |name: &str, pin: &Value| if pin.is_null() { envelope[name].clone() } else { pin.clone() };
    let another = pins.iter().find(|(name, pin)| pinned(name, pin) != envelope[name.as_str()]);
    match (replies, another) {
        ([], _) => {
            let mut context = context(&input["state"]);
            for (name, pin) in &pins {
                context[name.as_str()] = pinned(name, pin);
            }
            Next::Ask(vec![verify(document(&envelope), context)])
        }
        ([reply, ..], None) => judged(output(reply).map(drop)),
        ([reply, ..], Some((name, _))) => {
            let what = format!("a receipt of another {name} than the receiver's");
            judged(refused_as(reply, "audience_mismatch", &what))
        }
    }
}
