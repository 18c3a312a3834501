//! Writers that let a value out of its place: a creator of briefs that does not quote enough, a trace that can be
//! forged, and documents with the trace in them.

use proofmark::adapter::message::Reply;
use proofmark::reference::brief::Brief;

use crate::asked::{Asked, with_output};
use crate::document::{bytes_of, document, parts, text_of};
use crate::wrong::Wrong;

const DELEGATEE: &str = "brief/delegatee";
const DELEGATOR: &str = "brief/delegator";

pub const WRONG: &[Wrong] = &[
    Wrong {
        name: "writes values without quotes",
        role: DELEGATOR,
        operation: "brief.create",
        breaks: &["BRF-DEL-1"],
        touches: &[],
        is_a_gap: false,
        answer: |asked| quoting(asked, str::to_owned),
    },
    Wrong {
        name: "escapes quotes and no backslashes",
        role: DELEGATOR,
        operation: "brief.create",
        breaks: &["BRF-DEL-1"],
        touches: &["BRF-DOC-8"],
        is_a_gap: false,
        answer: |asked| quoting(asked, |value| format!("\"{}\"", value.replace('"', "\\\""))),
    },
    Wrong {
        name: "escapes quotes and no line breaks",
        role: DELEGATOR,
        operation: "brief.create",
        breaks: &["BRF-DEL-1"],
        touches: &[],
        is_a_gap: false,
        answer: |asked| {
            quoting(asked, |value| {
                format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
            })
        },
    },
    Wrong {
        name: "lets a line break in an action forge an entry",
        role: DELEGATEE,
        operation: "brief.append_trace",
        breaks: &["BRF-TRC-3"],
        touches: &[],
        is_a_gap: false,
        answer: |asked| forgeable(asked, "action"),
    },
    Wrong {
        name: "lets a line break in an agent forge an entry",
        role: DELEGATEE,
        operation: "brief.append_trace",
        breaks: &["BRF-TRC-3"],
        touches: &[],
        is_a_gap: false,
        answer: |asked| forgeable(asked, "agent"),
    },
    Wrong {
        name: "puts the trace into the body of a sub-brief",
        role: DELEGATEE,
        operation: "brief.delegate",
        breaks: &["BRF-TRC-11"],
        touches: &["BRF-DEL-1"],
        is_a_gap: false,
        answer: into_the_body,
    },
    Wrong {
        name: "puts the trace into the front matter of a sub-brief",
        role: DELEGATEE,
        operation: "brief.delegate",
        breaks: &["BRF-TRC-11"],
        touches: &[],
        is_a_gap: false,
        answer: into_the_front_matter,
    },
    Wrong {
        name: "puts the trace into the body of a response",
        role: DELEGATEE,
        operation: "brief.respond",
        breaks: &["BRF-TRC-11"],
        touches: &[],
        is_a_gap: false,
        answer: into_the_body,
    },
    Wrong {
        name: "puts the trace into the front matter of a response",
        role: DELEGATEE,
        operation: "brief.respond",
        breaks: &["BRF-TRC-11"],
        touches: &[],
        is_a_gap: false,
        answer: into_the_front_matter,
    },
    Wrong {
        name: "puts the trace into the body of a brief",
        role: DELEGATOR,
        operation: "brief.create",
        breaks: &["BRF-TRC-11"],
        touches: &[],
        is_a_gap: false,
        answer: into_the_body,
    },
];

/// The right brief, with its texts quoted in another way.
fn quoting(asked: &Asked<'_>, quote: fn(&str) -> String) -> Reply {
    with_output(asked.right(), |output| {
        let bytes = bytes_of(&output["document"]).unwrap_or_default();
        let Ok(brief) = Brief::parse(&bytes) else { return };
        let mut text = "---\n".to_owned();
        let mut line = |name: &str, value: String| text.push_str(&format!("{name}: {value}\n"));
        line("id", quote(brief.id()));
        if let Some(parent) = brief.parent_id() {
            line("parentId", quote(parent));
        }
        line("protocolVersion", quote(brief.protocol_version()));
        line("delegator", quote(brief.delegator()));
        line("delegatee", quote(brief.delegatee()));
        line("timestamp", quote(brief.timestamp().as_str()));
        if let Some(depth) = brief.max_depth() {
            line("maxDepth", depth.to_string());
        }
        if let Some(depth) = brief.current_depth() {
            line("currentDepth", depth.to_string());
        }
        for (name, value) in brief.extra() {
            line(&quote(name), quote(value.as_str().unwrap_or_default()));
        }
        output["document"] = document(format!("{text}---\n{}", brief.body()));
    })
}

/// The right entry, with line breaks in one text left in it.
fn forgeable(asked: &Asked<'_>, name: &str) -> Reply {
    /// Stands for the text while the right entry is made.
    const PLACE: &str = "the-text-of-the-entry";
    let Some(text) = asked.params()[name].as_str().filter(|text| text.contains('\n')) else {
        return asked.right();
    };
    let made = asked.right_with(|params| params[name] = PLACE.into());
    with_output(made, |output| {
        if let Some(trace) = text_of(&output["trace"]) {
            output["trace"] = document(trace.replace(PLACE, text));
        }
    })
}

fn into_the_body(asked: &mut Asked<'_>) -> Reply {
    with_trace(asked, |text, trace| format!("{text}\n\n## Trace\n\n{trace}"))
}

fn into_the_front_matter(asked: &mut Asked<'_>) -> Reply {
    with_trace(asked, |text, trace| {
        let (head, body) = parts(text);
        let head = head.trim_end().strip_suffix("---").unwrap_or(head);
        format!("{head}trace: {}\n---\n{body}", serde_json::Value::from(trace))
    })
}

/// The right document, with the trace that was given put into it.
fn with_trace(asked: &Asked<'_>, put: fn(&str, &str) -> String) -> Reply {
    let trace = asked.text("trace").filter(|trace| !trace.is_empty());
    with_output(asked.right(), |output| {
        if let (Some(trace), Some(text)) = (trace, text_of(&output["document"])) {
            output["document"] = document(put(&text, &trace));
        }
    })
}
