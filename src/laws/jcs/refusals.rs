//! Laws of what has no canonical bytes.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::spelling::{self, Ways};
use super::{canonical_bytes, shown, text};
use crate::adapter::message::Reply;
use crate::laws::json::{self, Tree};
use crate::laws::{Law, Next};

pub(super) const NO_NAME_TWICE: Law = Law {
    id: "jcs/no-name-twice",
    sentence: "A document in which an object has a name twice, however spelled and however deep, is refused.",
    requirements: &["JCS-DUP-1"],
    role: "jcs/canonicalizer",
    operations: &["jcs.canonicalize"],
    inputs: a_name_twice,
    next: is_refused,
};

pub(super) const ONE_FAULT_IS_ENOUGH: Law = Law {
    id: "jcs/one-fault-is-enough",
    sentence: "A document that is JSON but for one fault, wherever it stands, is refused.",
    requirements: &["JCS-SYN-1", "JCS-STR-3", "JCS-NUM-2"],
    role: "jcs/canonicalizer",
    operations: &["jcs.canonicalize"],
    inputs: one_fault,
    next: is_refused,
};

/// Where something is put into a document.
#[derive(Clone, Debug)]
enum Around {
    Element(Tree),
    Member(String, Tree),
}

fn around() -> BoxedStrategy<Vec<Around>> {
    let leaf = || json::number().prop_map(Tree::Number);
    let one = prop_oneof![
        leaf().prop_map(Around::Element),
        (json::text(), leaf()).prop_map(|(name, tree)| Around::Member(name, tree)),
    ];
    vec(one, 0..4).boxed()
}

/// The text, within so many arrays and objects that have something else as well.
fn within(around: &[Around], inner: String) -> String {
    let plain = |tree: &Tree| spelling::spell(tree, Ways::default(), &[]);
    around.iter().fold(inner, |inner, one| match one {
        Around::Element(tree) => format!("[{},{inner}]", plain(tree)),
        Around::Member(name, tree) => {
            let other = plain(&Tree::Text(format!("{name}2")));
            format!("{{{}:{},{other}:{inner}}}", plain(&Tree::Text(name.clone())), plain(tree))
        }
    })
}

fn a_name_twice() -> BoxedStrategy<Value> {
    let members = vec((json::text(), json::number().prop_map(Tree::Number)), 0..4);
    let twice = (json::text(), json::tree(), json::tree());
    (members, twice, any::<prop::sample::Index>(), json::choices(), around())
        .prop_map(|(mut members, (name, one, other), at, given, around)| {
            members.push((name.clone(), one));
            members.insert(at.index(members.len() + 1), (name, other));
            let ways = Ways { order: false, ..Ways::ALL };
            let object = spelling::spell(&Tree::Object(members), ways, &given);
            json!({ "text": within(&around, object) })
        })
        .boxed()
}

/// What is no JSON where a value is expected, or no text that UTF-8 can carry, or no double.
const FAULTS: &[&str] = &[
    "",
    "nul",
    "True",
    "NaN",
    "-Infinity",
    "1e400",
    "-1e999",
    "01",
    "-",
    "+1",
    ".5",
    "1.",
    "1e",
    "0x10",
    "1 2",
    "'a'",
    "\"a",
    "\"\t\"",
    "\"\u{0}\"",
    r#""\x41""#,
    r#""\u12g4""#,
    r#""\ud800""#,
    r#""\ud800a""#,
    r#""\udc00\ud800""#,
    r#"{"\udbff":1}"#,
    "[1,]",
    "[,1]",
    "[1 2]",
    "[1",
    "]",
    r#"{"a":1,}"#,
    r#"{"a" 1}"#,
    r#"{"a"}"#,
    "{a:1}",
    "{1:1}",
    "1/**/",
    "1//",
    "1,",
    "\u{a0}1",
];

fn one_fault() -> BoxedStrategy<Value> {
    (around(), prop::sample::select(FAULTS))
        .prop_map(|(around, fault)| json!({ "text": within(&around, fault.to_owned()) }))
        .boxed()
}

fn is_refused(input: &Value, replies: &[Reply]) -> Next {
    let [reply] = replies else { return Next::ask("jcs.canonicalize", text(input, "text")) };
    match reply {
        Reply::Refused(_) => Next::Holds,
        Reply::Ok(_) => canonical_bytes(reply).map_or_else(
            |next| next,
            |written| Next::Broken(format!("it was canonicalised to {}", shown(&written))),
        ),
        _ => Next::Silent,
    }
}
