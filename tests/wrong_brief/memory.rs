//! Delegatees that remember: words of one brief are in what they say of the next.

use proofmark::adapter::message::Reply;
use serde_json::{Value, json};

use crate::asked::{Asked, with_output};
use crate::document::{document, parts, text_of};
use crate::wrong::Wrong;

const ROLE: &str = "brief/delegatee";
const OPAQUE: &[&str] = &["BRF-OPQ-1"];

pub const WRONG: &[Wrong] = &[
    Wrong {
        name: "tells a word of the body before",
        role: ROLE,
        operation: "brief.parse",
        breaks: OPAQUE,
        touches: &[],
        is_a_gap: false,
        answer: |asked| after(asked, body, warn),
    },
    Wrong {
        name: "tells a word of the front matter before",
        role: ROLE,
        operation: "brief.parse",
        breaks: OPAQUE,
        touches: &[],
        is_a_gap: false,
        answer: |asked| after(asked, front_matter, warn),
    },
    Wrong {
        name: "tells a word of the brief that a process before it read",
        role: ROLE,
        operation: "brief.parse",
        breaks: OPAQUE,
        touches: &[],
        is_a_gap: false,
        answer: after_a_restart,
    },
    Wrong {
        name: "tells a word of the brief before where it refuses",
        role: ROLE,
        operation: "brief.parse",
        breaks: OPAQUE,
        touches: &[],
        is_a_gap: true,
        answer: |asked| after(asked, body, complain),
    },
    Wrong {
        name: "responds with a word of the brief before",
        role: ROLE,
        operation: "brief.respond",
        breaks: OPAQUE,
        touches: &[],
        is_a_gap: false,
        answer: |asked| after(asked, body, add_to_the_document),
    },
    Wrong {
        name: "delegates with a word of the brief before",
        role: ROLE,
        operation: "brief.delegate",
        breaks: OPAQUE,
        touches: &[],
        is_a_gap: false,
        answer: |asked| after(asked, body, add_to_the_document),
    },
];

/// The words of a text that nobody uses twice: they have a digit in them.
fn odd_words(text: &str) -> Vec<String> {
    let odd = |word: &&str| word.len() > 5 && word.contains(|c: char| c.is_ascii_digit());
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '-').filter(odd);
    words.map(str::to_owned).collect()
}

fn front_matter(text: &str) -> Vec<String> {
    odd_words(parts(text).0)
}

fn body(text: &str) -> Vec<String> {
    odd_words(parts(text).1)
}

fn heard(asked: &Asked<'_>) -> String {
    asked.text("document").or_else(|| asked.text("brief")).unwrap_or_default()
}

/// The right answer, and words of what was asked before it.
fn after(
    asked: &mut Asked<'_>,
    words: fn(&str) -> Vec<String>,
    tell: fn(&mut Reply, &str),
) -> Reply {
    let mut reply = asked.right();
    let now = words(&heard(asked));
    if let Some(word) = asked.memory.words.last().filter(|word| !now.contains(word)) {
        tell(&mut reply, word);
    }
    asked.memory.words = now;
    reply
}

fn after_a_restart(asked: &mut Asked<'_>) -> Reply {
    let mut reply = asked.right();
    let now = body(&heard(asked));
    for word in asked.memory.before.iter().filter(|word| !now.contains(word)) {
        warn(&mut reply, word);
    }
    asked.memory.keep(now);
    reply
}

fn warn(reply: &mut Reply, word: &str) {
    if let Reply::Ok(output) = reply
        && let Some(warnings) = output["warnings"].as_array_mut()
    {
        warnings.push(json!({ "code": "unlike-the-last", "message": format!("not as {word}") }));
    }
}

fn complain(reply: &mut Reply, word: &str) {
    if let Reply::Refused(refusal) = reply {
        refusal.message = Some(format!("not as {word}"));
    }
}

fn add_to_the_document(reply: &mut Reply, word: &str) {
    let add = |output: &mut Value| {
        if let Some(text) = text_of(&output["document"]) {
            output["document"] = document(format!("{text}\n\nAs for {word}."));
        }
    };
    *reply = with_output(std::mem::replace(reply, Reply::Unsupported(None)), add);
}
