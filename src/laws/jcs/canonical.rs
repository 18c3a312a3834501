//! Laws of the canonical bytes: one value has one spelling, and it is the one that the rules give.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::model;
use super::spelling::{self, Ways};
use super::{canonical_bytes, numbers, shown, text};
use crate::adapter::document;
use crate::adapter::message::Reply;
use crate::laws::json::{self, Choices};
use crate::laws::{Law, Next, Request};

pub(super) const IDEMPOTENT: Law = Law {
    id: "jcs/idempotent",
    sentence: "Canonicalising canonical bytes changes nothing.",
    requirements: &["JCS-WS-1", "JCS-IDM-1"],
    role: "jcs/canonicalizer",
    operations: &["jcs.canonicalize"],
    inputs: one_spelling,
    next: idempotent,
};

pub(super) const BLIND_TO_SPELLING: Law = Law {
    id: "jcs/blind-to-spelling",
    sentence: "Two spellings of one value (white space, escapes, number forms, the order of members) have \
               the same canonical bytes.",
    requirements: &["JCS-ORD-1", "JCS-IDM-1"],
    role: "jcs/canonicalizer",
    operations: &["jcs.canonicalize"],
    inputs: two_spellings,
    next: blind_to_spelling,
};

pub(super) const BLIND_TO_WHITE_SPACE: Law = Law {
    id: "jcs/blind-to-white-space",
    sentence: "White space between the tokens of a document changes no canonical byte.",
    requirements: &["JCS-WS-1", "JCS-IDM-1"],
    role: "jcs/canonicalizer",
    operations: &["jcs.canonicalize"],
    inputs: || differing_in(Ways::SPACE),
    next: blind_to_spelling,
};

pub(super) const BLIND_TO_MEMBER_ORDER: Law = Law {
    id: "jcs/blind-to-member-order",
    sentence: "The order in which a document has its members changes no canonical byte.",
    requirements: &["JCS-ORD-1", "JCS-IDM-1"],
    role: "jcs/canonicalizer",
    operations: &["jcs.canonicalize"],
    inputs: || differing_in(Ways::ORDER),
    next: blind_to_spelling,
};

pub(super) const BLIND_TO_ESCAPES: Law = Law {
    id: "jcs/blind-to-escapes",
    sentence: "Whether a character stands for itself or is escaped, and how, changes no canonical byte.",
    requirements: &["JCS-STR-1", "JCS-IDM-1"],
    role: "jcs/canonicalizer",
    operations: &["jcs.canonicalize"],
    inputs: || differing_in(Ways::ESCAPES),
    next: blind_to_spelling,
};

pub(super) const BLIND_TO_NUMBER_NOTATION: Law = Law {
    id: "jcs/blind-to-number-notation",
    sentence: "The notation in which a document has a number changes no canonical byte.",
    requirements: &["JCS-NUM-1", "JCS-IDM-1"],
    role: "jcs/canonicalizer",
    operations: &["jcs.canonicalize"],
    inputs: || differing_in(Ways::NUMBERS),
    next: blind_to_spelling,
};

pub(super) const KEEPS_THE_VALUE: Law = Law {
    id: "jcs/keeps-the-value",
    sentence: "A JSON reader reads the same value from a text and from its canonical bytes.",
    requirements: &["JCS-NUM-1"],
    role: "jcs/canonicalizer",
    operations: &["jcs.canonicalize"],
    inputs: one_spelling,
    next: keeps_the_value,
};

pub(super) const BY_THE_RULES: Law = Law {
    id: "jcs/by-the-rules",
    sentence: "Canonical bytes are what the rules on white space, members, strings and numbers make of a \
               document, byte for byte.",
    requirements: &["JCS-WS-1", "JCS-ORD-1", "JCS-STR-1", "JCS-STR-2", "JCS-NUM-1"],
    role: "jcs/canonicalizer",
    operations: &["jcs.canonicalize"],
    inputs: one_spelling,
    next: by_the_rules,
};

pub(super) fn one_spelling() -> BoxedStrategy<Value> {
    (json::tree(), json::choices())
        .prop_map(|(tree, given)| json!({ "text": json::spell(&tree, &mut Choices::new(given)) }))
        .boxed()
}

pub(super) fn two_spellings() -> BoxedStrategy<Value> {
    (json::tree(), json::choices(), json::choices())
        .prop_map(|(tree, one, other)| {
            json!({
                "text": json::spell(&tree, &mut Choices::new(one)),
                "other": json::spell(&tree, &mut Choices::new(other)),
            })
        })
        .boxed()
}

/// A plain spelling, and another that differs in these ways alone.
fn differing_in(ways: Ways) -> BoxedStrategy<Value> {
    (json::tree(), json::choices())
        .prop_map(move |(tree, given)| {
            json!({
                "text": spelling::spell(&tree, Ways::default(), &[]),
                "other": spelling::spell(&tree, ways, &given),
            })
        })
        .boxed()
}

fn idempotent(input: &Value, replies: &[Reply]) -> Next {
    let [first, rest @ ..] = replies else {
        return Next::ask("jcs.canonicalize", text(input, "text"));
    };
    let once = match canonical_bytes(first) {
        Ok(once) => once,
        Err(next) => return next,
    };
    let [second] = rest else {
        let params = json!({ "document": document::to_value(once) });
        return Next::ask("jcs.canonicalize", params);
    };
    match canonical_bytes(second) {
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
    match (canonical_bytes(one), canonical_bytes(other)) {
        (Ok(one), Ok(other)) => Next::held(one == other, || {
            format!("one spelling gave {}, the other {}", shown(&one), shown(&other))
        }),
        (Err(next), _) | (_, Err(next)) => next,
    }
}

fn keeps_the_value(input: &Value, replies: &[Reply]) -> Next {
    let [reply] = replies else { return Next::ask("jcs.canonicalize", text(input, "text")) };
    let written = match canonical_bytes(reply) {
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

fn by_the_rules(input: &Value, replies: &[Reply]) -> Next {
    let [reply] = replies else { return Next::ask("jcs.canonicalize", text(input, "text")) };
    let Some(expected) = input["text"].as_str().and_then(model::of_text) else {
        return Next::Silent;
    };
    match canonical_bytes(reply) {
        Ok(written) => Next::held(written == expected.as_bytes(), || {
            format!("it gave {}, and the rules give {expected}", shown(&written))
        }),
        Err(next) => next,
    }
}
