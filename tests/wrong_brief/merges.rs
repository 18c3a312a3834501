//! Merges of traces that lose, reorder or trust what they must not.

use proofmark::adapter::message::Reply;
use proofmark::reference::brief::Trace;

use crate::asked::{Asked, with_output};
use crate::document::{blocks, document, joined, text_of};
use crate::wrong::Wrong;

const ROLE: &str = "brief/delegator";
const MERGE: &str = "brief.merge_trace";

pub const WRONG: &[Wrong] = &[
    Wrong {
        name: "sorts what branches added by time, against their own order",
        role: ROLE,
        operation: MERGE,
        breaks: &["BRF-TRC-8"],
        touches: &["BRF-TRC-7"],
        is_a_gap: false,
        answer: sorts,
    },
    Wrong {
        name: "takes entries that are alike for one",
        role: ROLE,
        operation: MERGE,
        breaks: &["BRF-TRC-8"],
        touches: &["BRF-TRC-7"],
        is_a_gap: false,
        answer: |asked| {
            added(asked, |held, added| {
                let mut seen = held.to_vec();
                added.retain(|block| {
                    let new = !seen.iter().any(|known| known.trim_end() == block.trim_end());
                    seen.push(block.clone());
                    new
                });
            })
        },
    },
    Wrong {
        name: "trusts a returned trace with a changed beginning",
        role: ROLE,
        operation: MERGE,
        breaks: &["BRF-TRC-6"],
        touches: &[],
        is_a_gap: false,
        answer: trusts,
    },
];

/// The right merge, with what was added changed.
fn added(asked: &Asked<'_>, change: impl FnOnce(&[String], &mut Vec<String>)) -> Reply {
    let held = asked.text("trace").map_or(1, |held| blocks(&held).len());
    with_output(asked.right(), |output| {
        let mut all = blocks(&text_of(&output["trace"]).unwrap_or_default());
        let mut added = all.split_off(held.min(all.len()));
        change(&all, &mut added);
        all.extend(added);
        output["trace"] = document(joined(&all));
    })
}

fn sorts(asked: &mut Asked<'_>) -> Reply {
    added(asked, |_, added| {
        let trace = |block: &String| Trace::parse(block.as_bytes()).expect("an entry is a trace");
        let mut timed: Vec<(Trace, String)> =
            added.drain(..).map(|block| (trace(&block), block)).collect();
        timed.sort_by(|(one, _), (other, _)| {
            one.entries()[0].timestamp.cmp_in_time(&other.entries()[0].timestamp)
        });
        added.extend(timed.into_iter().map(|(_, block)| block));
    })
}

/// Counts the entries that were handed down and takes what stands behind as many.
fn trusts(asked: &mut Asked<'_>) -> Reply {
    asked.right_with(|params| {
        for branch in params["branches"].as_array_mut().into_iter().flatten() {
            let (Some(down), Some(returned)) =
                (text_of(&branch["handed_down"]), text_of(&branch["returned"]))
            else {
                continue;
            };
            let (mut down, returned) = (blocks(&down), blocks(&returned));
            if down.len() <= returned.len() {
                down.extend_from_slice(&returned[down.len()..]);
                branch["returned"] = document(joined(&down));
            }
        }
    })
}
