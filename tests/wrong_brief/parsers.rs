//! Readers of documents that cut, choose, repair, convert or trim.
//!
//! Each is a delegatee that reads briefs so, and a delegator that reads responses so.

use proofmark::adapter::message::Reply;
use serde_json::{Value, json};

use crate::asked::{Asked, with_output};
use crate::document::{bytes_of, document, is_fence, parts};
use crate::wrong::Wrong;

/// A reader of briefs with the fault, and one of responses.
macro_rules! both {
    ($($name:literal, $breaks:literal, $touches:expr, $unnoticed:literal, $answer:expr;)*) => {
        &[$(
            Wrong {
                name: $name,
                role: "brief/delegatee",
                operation: "brief.parse",
                breaks: &[$breaks],
                touches: $touches,
                is_a_gap: false,
                answer: $answer,
            },
            Wrong {
                name: $name,
                role: "brief/delegator",
                operation: "brief.parse_response",
                breaks: &[$breaks],
                touches: $touches,
                is_a_gap: $unnoticed,
                answer: $answer,
            },
        )*]
    };
}

pub const WRONG: &[Wrong] = both! {
    "ends the body at a line of hyphens", "BRF-DOC-4", &[], false, |asked| reading(asked, cut);
    "takes the first of two keys", "BRF-DOC-3", &[], false, |asked| reading(asked, first_key);
    "takes the last of two keys", "BRF-DOC-3", &[], false, |asked| reading(asked, last_key);
    "repairs UTF-8", "BRF-DOC-6", &[], false, repairs;
    "makes dates of quoted values", "BRF-FM-6", &[], true, |asked| typing(asked, date);
    "makes numbers of quoted values", "BRF-FM-6", &["BRF-FM-12", "BRF-RES-2"], false,
        |asked| typing(asked, number);
    "makes booleans of quoted values", "BRF-FM-6", &[], true, |asked| typing(asked, boolean);
    "trims the lines of the body", "BRF-DOC-4", &[], false, |asked| reading(asked, trim);
};

/// The right reader, of another text.
fn reading(asked: &Asked<'_>, change: fn(&str) -> String) -> Reply {
    match asked.text("document") {
        Some(text) => asked.right_with(|params| params["document"] = document(change(&text))),
        None => asked.right(),
    }
}

fn cut(text: &str) -> String {
    let (head, body) = parts(text);
    let lines = body.split_inclusive('\n').take_while(|line| !is_fence(line));
    [head].into_iter().chain(lines).collect()
}

fn trim(text: &str) -> String {
    let (head, body) = parts(text);
    let line = |line: &str| {
        let end = line.len() - line.trim_end_matches(['\r', '\n']).len();
        let (line, end) = line.split_at(line.len() - end);
        format!("{}{end}", line.trim_end_matches([' ', '\t']))
    };
    [head.to_owned()].into_iter().chain(body.split_inclusive('\n').map(line)).collect()
}

fn first_key(text: &str) -> String {
    of_two_keys(text, |known, _| known)
}

fn last_key(text: &str) -> String {
    of_two_keys(text, |_, new| new)
}

/// Front matter with one line, and what belongs to it, for a key that stands there twice.
fn of_two_keys(text: &str, choose: fn(String, String) -> String) -> String {
    let (head, body) = parts(text);
    if head.lines().any(|line| line == "...") {
        return text.to_owned();
    }
    let mut members: Vec<(&str, String)> = Vec::new();
    for line in head.split_inclusive('\n') {
        let key = line.split(':').next().unwrap_or_default().trim().trim_matches(['"', '\'']);
        let begins = line.starts_with(|c: char| c.is_alphanumeric() || "\"'".contains(c));
        match members.last_mut() {
            Some((_, member)) if !begins && !is_fence(line) => member.push_str(line),
            // The fences are no keys.
            _ if is_fence(line) => members.push(("", line.to_owned())),
            _ => members.push((key, line.to_owned())),
        }
    }
    let mut kept: Vec<(&str, String)> = Vec::new();
    for (key, member) in members {
        match kept.iter_mut().find(|(known, _)| !key.is_empty() && *known == key) {
            Some((_, known)) => *known = choose(std::mem::take(known), member),
            None => kept.push((key, member)),
        }
    }
    kept.into_iter().map(|(_, member)| member).chain([body.to_owned()]).collect()
}

fn repairs(asked: &mut Asked<'_>) -> Reply {
    asked.right_with(|params| {
        if let Some(bytes) = bytes_of(&params["document"]) {
            params["document"] = document(String::from_utf8_lossy(&bytes));
        }
    })
}

/// The right reader, with quoted values converted. One that is plain may be.
fn typing(asked: &Asked<'_>, convert: fn(&str) -> Option<Value>) -> Reply {
    let text = asked.text("document").unwrap_or_default();
    let (head, _) = parts(&text);
    with_output(asked.right(), |output| {
        for members in ["fields", "extra"] {
            for value in
                output[members].as_object_mut().into_iter().flat_map(|all| all.values_mut())
            {
                let Some(text) = value.as_str() else { continue };
                let quoted = [format!("\"{text}\""), format!("'{text}'")];
                if quoted.iter().any(|quoted| head.contains(quoted)) {
                    *value = convert(text).unwrap_or(value.take());
                }
            }
        }
    })
}

/// A date alone becomes the moment at which it begins.
fn date(text: &str) -> Option<Value> {
    let parts: Vec<&str> = text.split('-').collect();
    let digits = |part: &&str| part.bytes().all(|b| b.is_ascii_digit());
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    (lengths == [4, 2, 2] && parts.iter().all(digits)).then(|| json!(format!("{text}T00:00:00Z")))
}

fn number(text: &str) -> Option<Value> {
    let begins = text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    begins.then(|| text.parse::<f64>().ok()).flatten().map(Value::from)
}

fn boolean(text: &str) -> Option<Value> {
    match text.to_lowercase().as_str() {
        "true" | "yes" | "on" => Some(json!(true)),
        "false" | "no" | "off" => Some(json!(false)),
        _ => None,
    }
}
