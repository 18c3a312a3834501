//! Carriers that change or lose what they carry, and one-sided matching.

use proofmark::adapter::message::Reply;
use proofmark::reference::brief::SUPPORT;
use serde_json::{Value, json};

use crate::asked::{Asked, with_output};
use crate::document::{document, text_of};
use crate::wrong::Wrong;

const ROLE: &str = "brief/carrier";

pub const WRONG: &[Wrong] = &[
    Wrong {
        name: "trims the document that it sends",
        role: ROLE,
        operation: "brief.to_a2a",
        breaks: &["BRF-A2A-1"],
        touches: &["BRF-A2A-4"],
        is_a_gap: false,
        answer: |asked| {
            sending(asked, |parts| each_text(&mut parts[..1], |text| text.trim().to_owned()))
        },
    },
    Wrong {
        name: "makes LF of CR LF in the document that it sends",
        role: ROLE,
        operation: "brief.to_a2a",
        breaks: &["BRF-A2A-1"],
        touches: &["BRF-A2A-4"],
        is_a_gap: false,
        answer: |asked| sending(asked, |parts| each_text(&mut parts[..1], line_feeds)),
    },
    Wrong {
        name: "makes LF of CR LF in the trace that it sends",
        role: ROLE,
        operation: "brief.to_a2a",
        breaks: &["BRF-A2A-3"],
        touches: &[],
        is_a_gap: false,
        answer: |asked| sending(asked, |parts| each_text(&mut parts[1..], line_feeds)),
    },
    Wrong {
        name: "sends no trace",
        role: ROLE,
        operation: "brief.to_a2a",
        breaks: &["BRF-A2A-3"],
        touches: &["BRF-A2A-4", "BRF-DOC-6", "BRF-DOC-7"],
        is_a_gap: false,
        answer: |asked| sending(asked, |parts| parts.truncate(1)),
    },
    Wrong {
        name: "trims the document that it receives",
        role: ROLE,
        operation: "brief.from_a2a",
        breaks: &["BRF-A2A-1"],
        touches: &["BRF-A2A-4"],
        is_a_gap: false,
        answer: |asked| receiving(asked, |text| text.trim().to_owned()),
    },
    Wrong {
        name: "makes LF of CR LF in the document that it receives",
        role: ROLE,
        operation: "brief.from_a2a",
        breaks: &["BRF-A2A-1"],
        touches: &["BRF-A2A-4"],
        is_a_gap: false,
        answer: |asked| receiving(asked, line_feeds),
    },
    Wrong {
        name: "passes over the trace that it receives",
        role: ROLE,
        operation: "brief.from_a2a",
        breaks: &["BRF-A2A-3"],
        touches: &["BRF-A2A-4"],
        is_a_gap: false,
        answer: |asked| {
            with_output(asked.right(), |output| {
                output.as_object_mut().map(|output| output.remove("trace"));
            })
        },
    },
    Wrong {
        name: "matches cards that list the skill and do not say that they speak Brief",
        role: ROLE,
        operation: "brief.match",
        breaks: &["BRF-A2A-5"],
        touches: &[],
        is_a_gap: false,
        answer: |asked| {
            matching(asked, |card, _| {
                if !card["capabilities"].is_object() {
                    card["capabilities"] = json!({});
                }
                card["capabilities"]["extensions"] = json!([{ "uri": SUPPORT }]);
            })
        },
    },
    Wrong {
        name: "matches cards that say that they speak Brief and do not list the skill",
        role: ROLE,
        operation: "brief.match",
        breaks: &["BRF-A2A-5"],
        touches: &[],
        is_a_gap: false,
        answer: |asked| {
            matching(asked, |card, capability| {
                if !card["skills"].is_array() {
                    card["skills"] = json!([]);
                }
                if let Some(skills) = card["skills"].as_array_mut() {
                    skills.push(json!({ "id": capability }));
                }
            })
        },
    },
];

/// The right request, with other parts.
fn sending(asked: &Asked<'_>, change: impl FnOnce(&mut Vec<Value>)) -> Reply {
    with_output(asked.right(), |output| {
        let text = text_of(&output["request"]).unwrap_or_default();
        let mut request: Value = serde_json::from_str(&text).unwrap_or_default();
        if let Some(parts) = request["message"]["parts"].as_array_mut() {
            change(parts);
        }
        output["request"] = document(request.to_string());
    })
}

fn each_text(parts: &mut [Value], change: fn(&str) -> String) {
    for part in parts {
        if let Some(text) = part["text"].as_str() {
            part["text"] = change(text).into();
        }
    }
}

fn line_feeds(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// What was received, with the document changed.
fn receiving(asked: &Asked<'_>, change: fn(&str) -> String) -> Reply {
    with_output(asked.right(), |output| {
        if let Some(text) = text_of(&output["document"]) {
            output["document"] = document(change(&text));
        }
    })
}

/// The right matches among cards that say more than they did.
fn matching(asked: &Asked<'_>, say_more: fn(&mut Value, &str)) -> Reply {
    asked.right_with(|params| {
        let delegatee = params["delegatee"].as_str().unwrap_or_default().to_owned();
        let Some(capability) = delegatee.strip_prefix("capability:") else { return };
        for document_of in params["cards"].as_array_mut().into_iter().flatten() {
            let card = text_of(document_of).and_then(|text| serde_json::from_str(&text).ok());
            if let Some(mut card @ Value::Object(_)) = card {
                say_more(&mut card, capability);
                *document_of = document(card.to_string());
            }
        }
    })
}
