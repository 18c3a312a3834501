//! Laws of decoding, and of digests in their domains.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::envelopes::{
    self, any_state, canonical, document, input, loose_differences, whole, with,
};
use super::replies::{gives, judged, output, refused_as};
use super::{faults, receipts};
use crate::adapter::message::Reply;
use crate::laws::jcs::spelling::{self, Ways};
use crate::laws::json as any_json;
use crate::laws::{Law, Next, Request};

pub(super) const KEEPS_ITS_BYTES: Law = Law {
    id: "federation/keeps-its-bytes",
    sentence: "A valid envelope, whatever its members and its state, is decoded, and its canonical bytes are \
               those that it came in.",
    requirements: &[
        "FED-ENV-1",
        "FED-ENV-2",
        "FED-ENV-3",
        "FED-ENV-4",
        "FED-ENV-5",
        "FED-ENV-6",
        "FED-ENV-7",
        "FED-ENV-8",
        "FED-ENV-9",
        "FED-ENV-10",
        "FED-ENV-11",
        "FED-ENV-12",
        "FED-ENV-13",
        "FED-ENV-14",
        "FED-ENV-15",
        "FED-ENV-16",
        "FED-ENV-17",
        "FED-ENV-18",
        "FED-ENV-19",
        "FED-ENV-20",
        "FED-ENV-21",
        "FED-ENV-22",
        "FED-ENV-23",
        "FED-ENV-25",
        "FED-ENV-26",
        "FED-JCS-1",
    ],
    role: "federation/codec",
    operations: &["federation.decode"],
    inputs: any_envelope,
    next: keeps_its_bytes,
};

pub(super) const ONE_FAULT_IS_ENOUGH: Law = Law {
    id: "federation/one-fault-is-enough",
    sentence: "A valid envelope with one fault put into it is refused with the code of that fault.",
    requirements: &[
        "FED-ENV-9",
        "FED-ENV-10",
        "FED-ENV-11",
        "FED-ENV-16",
        "FED-ENV-17",
        "FED-ENV-22",
        "FED-ENV-23",
        "FED-ENV-24",
        "FED-ENV-25",
        "FED-COR-1",
    ],
    role: "federation/codec",
    operations: &["federation.decode"],
    inputs: one_fault,
    next: one_fault_is_enough,
};

pub(super) const ONE_SPELLING: Law = Law {
    id: "federation/one-spelling",
    sentence: "A valid envelope in any spelling but the canonical one is refused as non_canonical_bytes.",
    requirements: &["FED-ENV-26"],
    role: "federation/codec",
    operations: &["federation.decode"],
    inputs: another_spelling,
    next: one_spelling,
};

pub(super) const CEILINGS: Law = Law {
    id: "federation/ceilings",
    sentence: "Under a ceiling that the caller lowers to just what an envelope needs it is decoded, and \
               under one lower by 1 it is refused with that ceiling's code.",
    requirements: &[
        "FED-JSN-5",
        "FED-JSN-6",
        "FED-JSN-7",
        "FED-JSN-8",
        "FED-JSN-9",
        "FED-JSN-10",
        "FED-JSN-11",
        "FED-JSN-12",
    ],
    role: "federation/codec",
    operations: &["federation.decode"],
    inputs: under_a_ceiling,
    next: ceilings,
};

pub(super) const DIGEST_IN_ITS_DOMAIN: Law = Law {
    id: "federation/digest-in-its-domain",
    sentence: "A digest is SHA-256 over the domain's separator, a zero byte and the bytes; declared, it is \
               met, and with one bit changed or of another domain it is a digest_mismatch.",
    requirements: &["FED-DIG-1"],
    role: "federation/codec",
    operations: &["federation.digest"],
    inputs: to_digest,
    next: digest_in_its_domain,
};

fn any_envelope() -> BoxedStrategy<Value> {
    input(loose_differences(), any_state())
}

fn keeps_its_bytes(input: &Value, replies: &[Reply]) -> Next {
    let envelope = whole(input);
    match replies {
        [] => Next::ask("federation.decode", json!({ "document": document(&envelope) })),
        [reply, ..] => judged(gives(reply, "canonical", &canonical(&envelope))),
    }
}

fn one_fault() -> BoxedStrategy<Value> {
    let own = with(any_envelope(), "fault", faults::name());
    let across = faults::names(faults::ACROSS)
        .prop_map(|fault| json!({ "but": {}, "state": {}, "fault": fault }));
    prop_oneof![4 => own, 1 => across].boxed()
}

fn one_fault_is_enough(input: &Value, replies: &[Reply]) -> Next {
    let Some(fault) = faults::named(&input["fault"]) else { return Next::Silent };
    match replies {
        [] => {
            let document = document(&fault.into(whole(input)));
            Next::ask("federation.decode", json!({ "document": document }))
        }
        [reply, ..] => {
            judged(refused_as(reply, fault.code, &format!("an envelope with {}", fault.name)))
        }
    }
}

fn another_spelling() -> BoxedStrategy<Value> {
    let way = prop::sample::select(&["space", "order", "escapes", "numbers"][..]);
    let choices = any_json::choices().prop_map(|choices| json!(choices));
    let input = with(any_envelope(), "choices", choices.boxed());
    with(input, "way", way.prop_map(Value::from).boxed())
}

/// The way and the choices that an input names.
pub(super) fn spelled(value: &Value, input: &Value) -> String {
    let ways = match input["way"].as_str() {
        Some("space") => Ways::SPACE,
        Some("order") => Ways::ORDER,
        Some("escapes") => Ways::ESCAPES,
        _ => Ways::NUMBERS,
    };
    let choices: Vec<u8> = serde_json::from_value(input["choices"].clone()).unwrap_or_default();
    let mut tree = spelling::tree_of(value);
    if !ways.order {
        sort(&mut tree);
    }
    spelling::spell(&tree, ways, &choices)
}

/// Puts members in canonical order, whatever the order that values have them in.
fn sort(tree: &mut any_json::Tree) {
    match tree {
        any_json::Tree::Array(elements) => elements.iter_mut().for_each(sort),
        any_json::Tree::Object(members) => {
            members.sort_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
            members.iter_mut().for_each(|(_, member)| sort(member));
        }
        _ => {}
    }
}

fn one_spelling(input: &Value, replies: &[Reply]) -> Next {
    let envelope = whole(input);
    let other = spelled(&envelope, input);
    if other == canonical(&envelope) {
        return Next::Silent;
    }
    match replies {
        [] => Next::ask("federation.decode", json!({ "document": { "text": other } })),
        [reply, ..] => judged(refused_as(
            reply,
            "non_canonical_bytes",
            &format!("a spelling that differs in {}", input["way"]),
        )),
    }
}

fn under_a_ceiling() -> BoxedStrategy<Value> {
    let names = ["bytes", "depth", "members", "items", "nodes", "string", "key", "number_lexeme"];
    let ceiling = prop::sample::select(names.to_vec()).prop_map(Value::from).boxed();
    with(any_envelope(), "ceiling", ceiling)
}

/// How much of what a ceiling counts there is in a value.
fn counted(value: &Value, ceiling: &str) -> usize {
    let inner: Vec<&Value> = match value {
        Value::Array(elements) => elements.iter().collect(),
        Value::Object(members) => members.values().collect(),
        _ => vec![],
    };
    let within = inner.iter().map(|value| counted(value, ceiling));
    match (ceiling, value) {
        ("nodes", _) => 1 + within.sum::<usize>(),
        ("depth", Value::Array(_) | Value::Object(_)) => 1 + within.max().unwrap_or(0),
        _ => {
            let own = match (ceiling, value) {
                ("members", Value::Object(members)) => members.len(),
                ("key", Value::Object(members)) => {
                    members.keys().map(String::len).max().unwrap_or(0)
                }
                ("items", Value::Array(elements)) => elements.len(),
                ("string", Value::String(text)) => text.len(),
                ("number_lexeme", Value::Number(number)) => number.to_string().len(),
                _ => 0,
            };
            own.max(within.max().unwrap_or(0))
        }
    }
}

fn ceilings(input: &Value, replies: &[Reply]) -> Next {
    let envelope = whole(input);
    let Some(ceiling) = input["ceiling"].as_str() else { return Next::Silent };
    let text = canonical(&envelope);
    let needed = if ceiling == "bytes" { text.len() } else { counted(&envelope, ceiling) };
    match replies {
        [at, below] => judged(gives(at, "canonical", &text).and_then(|()| {
            let what =
                format!("an envelope with {needed} under the ceiling {ceiling} of {}", needed - 1);
            refused_as(below, &format!("ceiling:{ceiling}"), &what)
        })),
        _ => {
            let under = |limit: usize| Request {
                operation: "federation.decode",
                params: json!({ "document": { "text": text }, "bounds": { ceiling: limit } }),
            };
            Next::Ask(vec![under(needed), under(needed.saturating_sub(1))])
        }
    }
}

const DOMAINS: &[&str] = &[
    "blueprint-content",
    "deployment-content",
    "federation-envelope",
    "signature",
    "extension-schema",
    "extension-registry",
    "conformance-report",
    "corpus-index",
];

fn to_digest() -> BoxedStrategy<Value> {
    let domain = || prop::sample::select(DOMAINS);
    (domain(), domain(), any_json::text(), 0u16..256)
        .prop_map(|(domain, other, text, bit)| {
            json!({ "domain": domain, "other": other, "text": text, "bit": bit })
        })
        .boxed()
}

fn digest_in_its_domain(input: &Value, replies: &[Reply]) -> Next {
    let text = input["text"].as_str().unwrap_or_default();
    let of =
        |domain: &Value| receipts::tagged(domain.as_str().unwrap_or_default(), text.as_bytes());
    let expected = of(&input["domain"]);
    let other = of(&input["other"]);
    match replies {
        [plain, met, changed, foreign] => {
            let gave = |reply: &Reply| {
                let output = output(reply)?;
                if output["digest"] == expected.as_str() {
                    return Ok(());
                }
                Err(Next::Broken(format!("it gave {}, and must give {expected}", output["digest"])))
            };
            let steps = gave(plain).and_then(|()| gave(met)).and_then(|()| {
                refused_as(changed, "digest_mismatch", "a digest with one bit changed")
            });
            judged(steps.and_then(|()| match other == expected {
                true => gave(foreign),
                false => refused_as(foreign, "digest_mismatch", "the digest of another domain"),
            }))
        }
        _ => {
            let ask = |declared: Option<String>| {
                let mut params = json!({ "domain": input["domain"], "document": { "text": text } });
                envelopes::put(
                    &mut params,
                    &json!(declared.map(|text| json!({ "declared": text }))),
                );
                Request { operation: "federation.digest", params }
            };
            let changed = changed(&expected, input["bit"].as_u64().unwrap_or(0));
            Next::Ask(vec![ask(None), ask(Some(expected)), ask(Some(changed)), ask(Some(other))])
        }
    }
}

/// A tagged digest with one of its 256 bits changed.
pub(super) fn changed(digest: &str, bit: u64) -> String {
    let (tag, text) = digest.split_once(':').unwrap_or(("sha-256", digest));
    let mut bytes = URL_SAFE_NO_PAD.decode(text).unwrap_or_default();
    let bit = usize::try_from(bit).unwrap_or(0) % 256;
    if let Some(byte) = bytes.get_mut(bit / 8) {
        *byte ^= 1 << (bit % 8);
    }
    format!("{tag}:{}", URL_SAFE_NO_PAD.encode(bytes))
}
