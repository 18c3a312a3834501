//! Delegation that miscounts, or stops too early or too late.
//!
//! Of a brief as deep as its bound, both answers are admitted: these go wrong beyond that.

use proofmark::adapter::message::Reply;
use proofmark::reference::brief::Brief;

use crate::asked::{Asked, refused, with_output};
use crate::document::{bytes_of, document, text_of, with_member};
use crate::wrong::Wrong;

const ROLE: &str = "brief/delegatee";
const DELEGATE: &str = "brief.delegate";

pub const WRONG: &[Wrong] = &[
    Wrong {
        name: "delegates one level beyond both readings of the bound",
        role: ROLE,
        operation: DELEGATE,
        breaks: &["BRF-DEL-8"],
        touches: &["BRF-OPQ-1"],
        is_a_gap: false,
        answer: one_beyond,
    },
    Wrong {
        name: "refuses where the sub-brief would be at the bound",
        role: ROLE,
        operation: DELEGATE,
        breaks: &["BRF-DEL-8"],
        touches: &["BRF-OPQ-1"],
        is_a_gap: false,
        answer: one_short,
    },
    Wrong {
        name: "counts two for a level",
        role: ROLE,
        operation: DELEGATE,
        breaks: &["BRF-DEL-6"],
        touches: &["BRF-DEL-8", "BRF-OPQ-1", "BRF-R-8", "BRF-R-14"],
        is_a_gap: false,
        answer: |asked| counting(asked, |depth| depth + 1),
    },
    Wrong {
        name: "hands its own depth on",
        role: ROLE,
        operation: DELEGATE,
        breaks: &["BRF-DEL-6"],
        touches: &["BRF-DEL-8", "BRF-OPQ-1", "BRF-R-14"],
        is_a_gap: false,
        answer: |asked| counting(asked, |depth| depth - 1),
    },
    Wrong {
        name: "counts a root without a depth from one",
        role: ROLE,
        operation: DELEGATE,
        breaks: &["BRF-DEL-6"],
        touches: &["BRF-DEL-8", "BRF-OPQ-1"],
        is_a_gap: false,
        answer: |asked| match held(asked) {
            Some(held) if held.is_root() && held.current_depth().is_none() => {
                counting(asked, |depth| depth + 1)
            }
            _ => asked.right(),
        },
    },
];

fn held(asked: &Asked<'_>) -> Option<Brief> {
    Brief::parse(&bytes_of(&asked.params()["brief"])?).ok()
}

/// The same brief with a bound so high that it is none.
fn unbound(held: &Brief) -> Option<String> {
    let mut brief = Brief::builder(held.delegator(), held.delegatee(), held.body())
        .id(held.id())
        .timestamp(held.timestamp().as_str())
        .protocol_version(held.protocol_version())
        .max_depth(u64::from(u32::MAX));
    if let Some(parent) = held.parent_id() {
        brief = brief.parent_id(parent);
    }
    if let Some(depth) = held.current_depth() {
        brief = brief.current_depth(depth);
    }
    Some(brief.build().ok()?.content().to_owned())
}

fn one_beyond(asked: &mut Asked<'_>) -> Reply {
    let Some(held) = held(asked) else { return asked.right() };
    match (held.max_depth(), unbound(&held)) {
        (Some(bound), Some(unbound)) if held.depth() >= bound && held.depth() - bound <= 1 => {
            let delegated = asked.right_with(|params| params["brief"] = document(unbound));
            with_member_of(delegated, "maxDepth", |_| bound.to_string())
        }
        _ => asked.right(),
    }
}

fn one_short(asked: &mut Asked<'_>) -> Reply {
    let short = held(asked)
        .is_some_and(|held| held.max_depth().is_some_and(|bound| held.depth() + 1 >= bound));
    if short { refused("the bound is spent") } else { asked.right() }
}

fn counting(asked: &Asked<'_>, count: impl Fn(u64) -> u64) -> Reply {
    with_member_of(asked.right(), "currentDepth", |depth| match depth.parse() {
        Ok(depth) => count(depth).to_string(),
        Err(_) => depth.to_owned(),
    })
}

/// The reply with another line in the document that was written.
pub fn with_member_of(reply: Reply, name: &str, change: impl Fn(&str) -> String) -> Reply {
    with_output(reply, |output| {
        if let Some(text) = text_of(&output["document"]) {
            output["document"] = document(with_member(&text, name, change));
        }
    })
}
