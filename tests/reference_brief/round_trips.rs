//! Whatever is written is read back as it was, and adds nothing.

use proofmark::reference::brief::{Brief, Fault, LONGEST_FRONT_MATTER, NewEntry, Trace};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;

/// Texts that trip YAML readers, whole or in part.
const SNIPPETS: [&str; 48] = [
    "\"",
    "'",
    "\\",
    ": ",
    "#",
    " # ",
    "\n",
    "\r",
    "\r\n",
    "\t",
    "---",
    "\n---\n",
    "...",
    "\n...\n",
    "--- ",
    "%YAML 1.2",
    "!!python/object:x",
    "!!js/function",
    "!",
    "&a",
    "*a",
    "<<: ",
    "{",
    "}",
    "[",
    "]",
    ",",
    "|",
    ">",
    "- ",
    "? ",
    "@",
    "`",
    "~",
    "null",
    "no",
    "1.0",
    "0x1f",
    "2026-02-06",
    "\u{202E}",
    "\u{200F}",
    "\u{85}",
    "\u{2028}",
    "\u{2029}",
    "\u{FEFF}",
    "\u{FFFE}",
    "\\u0022",
    "delegatee: evil",
];

fn snippet() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(&SNIPPETS[..]).prop_map(str::to_owned),
        1 => prop::char::range('\0', '\u{A0}').prop_map(String::from),
        1 => any::<char>().prop_map(String::from),
        1 => "[a-z ]{1,6}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(snippet(), 1..6).prop_map(|parts| parts.concat())
}

/// Texts that go through one brief: 5 fields at a time, so that there are 100,000 of them.
const BRIEFS: u32 = 20_000;

#[test]
fn do_a_hundred_thousand_values_come_back_equal_and_add_no_key() {
    let mut runner = TestRunner::new_with_rng(
        Config { cases: BRIEFS, failure_persistence: None, ..Config::default() },
        proptest::test_runner::TestRng::deterministic_rng(Default::default()),
    );
    let values = (text(), text(), text(), text(), text(), text());
    let checked = runner.run(&values, |(id, delegator, delegatee, parent, name, value)| {
        prop_assume!(id != parent && !Brief::MEMBERS.contains(&name.as_str()));
        let delegatee = format!("x{delegatee}");
        let body = format!("x{value}");
        let brief = Brief::builder(&delegator, &delegatee, &body)
            .id(&id)
            .parent_id(&parent)
            .extra(&name, &value)
            .build()
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        let read = Brief::parse(brief.content().as_bytes())
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(read.id(), id);
        prop_assert_eq!(read.delegator(), delegator);
        prop_assert_eq!(read.delegatee(), delegatee);
        prop_assert_eq!(read.parent_id(), Some(parent.as_str()));
        prop_assert_eq!(read.body(), body);
        prop_assert_eq!(read.extra().len(), 1);
        prop_assert_eq!(read.extra().get(&name), Some(&Value::String(value)));
        prop_assert_eq!((read.max_depth(), read.current_depth()), (None, None));
        Ok(())
    });
    checked.unwrap();
}

#[test]
fn is_every_character_alone_a_value_like_any_other() {
    let characters: Vec<char> = ('\0'..=char::MAX).collect();
    for chunk in characters.chunks(4_096) {
        let mut builder = Brief::builder("a", "b", "x");
        for c in chunk {
            builder = builder.extra(format!("k{c}"), c.to_string());
        }
        let brief = builder.build().expect("a brief");
        assert_eq!(brief.extra().len(), chunk.len());
        for c in chunk {
            assert_eq!(brief.extra().get(&format!("k{c}")), Some(&Value::String(c.to_string())));
        }
    }
}

#[test]
fn are_harmless_odd_values_taken() {
    for value in ["no", "null", "1.0", "~", "0x1f", "a: b # c", "---", " ", "\u{202E}", "!!str x"] {
        let brief = Brief::builder(value, value, value.to_owned() + "x").id(value).build();
        let brief = brief.unwrap_or_else(|error| panic!("{value:?}: {error}"));
        assert_eq!((brief.id(), brief.delegator(), brief.delegatee()), (value, value, value));
    }
}

#[test]
fn can_an_extra_member_take_the_place_of_one_of_briefs_own() {
    for name in Brief::MEMBERS {
        let error = Brief::builder("a", "b", "x").extra(name, "evil").build().unwrap_err();
        assert_eq!(error.fault, Fault::ReservedName, "{name}");
    }
    let twice = Brief::builder("a", "b", "x").extra("k", "1").extra("k", "2").build();
    assert_eq!(twice.unwrap_err().fault, Fault::DuplicateKey);
    for name in ["", "<<", "ID", "id ", "a: b", "__proto__", &"k".repeat(100_000), "\n---\n"] {
        let brief = Brief::builder("a", "b", "x").extra(name, "v").build();
        let brief = brief.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(brief.extra().get(name), Some(&Value::from("v")));
    }
}

#[test]
fn is_nothing_made_that_would_not_be_read() {
    let fault = |builder: proofmark::reference::brief::Builder| builder.build().unwrap_err().fault;
    let made = || Brief::builder("a", "b", "x");
    assert_eq!(fault(Brief::builder("", "b", "x")), Fault::Empty);
    assert_eq!(fault(Brief::builder("a", "", "x")), Fault::Empty);
    assert_eq!(fault(Brief::builder("a", "capability:", "x")), Fault::NoCapability);
    assert_eq!(fault(Brief::builder("a", "b", "")), Fault::BlankBody);
    assert_eq!(fault(Brief::builder("a", "b", " \n")), Fault::BlankBody);
    assert_eq!(fault(made().id("")), Fault::Empty);
    assert_eq!(fault(made().timestamp("yesterday")), Fault::NotATime);
    assert_eq!(fault(made().protocol_version("one")), Fault::NotAVersion);
    assert_eq!(fault(made().parent_id("")), Fault::Empty);
    assert_eq!(fault(made().id("x").parent_id("x")), Fault::OwnParent);
    let long = "x".repeat(LONGEST_FRONT_MATTER);
    assert_eq!(fault(made().extra("k", long)), Fault::FrontMatterTooLong(LONGEST_FRONT_MATTER));
}

#[test]
fn is_what_is_left_out_filled_in() {
    let brief = Brief::builder("a", "b", "x").build().expect("a brief");
    assert_eq!(brief.protocol_version(), "1.2.0");
    assert!(brief.id().starts_with("brief-"));
    assert!(brief.is_root() && brief.timestamp().as_str().ends_with('Z'));
    let given = Brief::builder("a", "b", "x")
        .id("i")
        .timestamp("2026-02-06T03:55:00.120+02:00")
        .protocol_version("1.0.0")
        .build()
        .expect("a brief");
    assert_eq!((given.id(), given.protocol_version()), ("i", "1.0.0"));
    assert_eq!(given.timestamp().as_str(), "2026-02-06T03:55:00.120+02:00");
}

proptest! {
    #![proptest_config(Config { cases: 2_000, failure_persistence: None, ..Config::default() })]

    #[test]
    fn is_one_append_one_entry_or_none(agent in text(), action in text(), brief in text()) {
        let held = "- **Agent**: `a` @ `2026-02-06T03:50:00Z`\n  - **Action**: Began.";
        let held = Trace::parse(held.as_bytes()).expect("a trace");
        let entry = NewEntry {
            agent: &agent,
            timestamp: "2026-02-06T04:00:00Z",
            action: &action,
            brief: Some(&brief),
        };
        if let Ok(after) = held.append(&entry) {
            prop_assert!(after.content().starts_with(held.content()));
            let read = Trace::parse(after.content().as_bytes()).expect("a trace");
            prop_assert_eq!(read.entries().len(), 2);
            let last = &read.entries()[1];
            prop_assert_eq!((&last.agent, &last.action), (&agent, &action));
            prop_assert_eq!(last.brief.as_ref(), Some(&brief));
            // What other readers take for line breaks is in no entry.
            prop_assert_eq!(after.content().lines().count(), 5);
        }
    }

    #[test]
    fn does_no_document_make_the_reader_panic(parts in prop::collection::vec(snippet(), 0..40)) {
        let text = format!("---\n{}\n---\nx", parts.concat());
        let _ = Brief::parse(text.as_bytes());
        let _ = Brief::parse(parts.concat().as_bytes());
        let _ = Trace::parse(parts.concat().as_bytes());
    }
}
