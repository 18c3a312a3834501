//! Trees that depend on the order of their briefs, go round, or end at the set.

use std::collections::BTreeMap;

use proofmark::adapter::message::Reply;
use proofmark::reference::brief::Brief;
use serde_json::{Value, json};

use crate::asked::{Asked, refused, with_output};
use crate::document::bytes_of;
use crate::wrong::Wrong;

const ROLE: &str = "brief/delegator";
const TREE: &str = "brief.tree";

pub const WRONG: &[Wrong] = &[
    Wrong {
        name: "knows the depth of parents alone that were named before",
        role: ROLE,
        operation: TREE,
        breaks: &["BRF-TREE-1"],
        touches: &["BRF-TREE-2", "BRF-TREE-3"],
        is_a_gap: false,
        answer: in_one_pass,
    },
    Wrong {
        name: "accepts briefs that go round",
        role: ROLE,
        operation: TREE,
        breaks: &["BRF-TREE-2"],
        touches: &[],
        is_a_gap: false,
        answer: accepts_cycles,
    },
    Wrong {
        name: "goes round with the briefs until it dies",
        role: ROLE,
        operation: TREE,
        breaks: &["BRF-TREE-2"],
        touches: &[],
        is_a_gap: false,
        answer: |asked| {
            if has_a_cycle(&asked.right()) { std::process::abort() } else { asked.right() }
        },
    },
    Wrong {
        name: "keeps the first of two briefs of one id",
        role: ROLE,
        operation: TREE,
        breaks: &["BRF-TREE-2"],
        touches: &[],
        is_a_gap: false,
        answer: first_of_two,
    },
    Wrong {
        name: "refuses parents outside the set",
        role: ROLE,
        operation: TREE,
        breaks: &["BRF-TREE-3"],
        touches: &[],
        is_a_gap: false,
        answer: |asked| match asked.right() {
            Reply::Ok(tree) if nodes(&tree).any(|node| node["outside"] == true) => {
                refused("there is no such parent")
            }
            right => right,
        },
    },
];

fn nodes(tree: &Value) -> impl Iterator<Item = &Value> {
    tree["nodes"].as_array().into_iter().flatten()
}

/// The briefs that can be read, in the order given.
fn briefs(asked: &Asked<'_>) -> Vec<Brief> {
    let documents = asked.params()["briefs"].as_array().into_iter().flatten();
    documents.filter_map(|document| Brief::parse(&bytes_of(document)?).ok()).collect()
}

fn in_one_pass(asked: &mut Asked<'_>) -> Reply {
    let mut depths: BTreeMap<String, u64> = BTreeMap::new();
    for brief in briefs(asked) {
        let parent = brief.parent_id().map(|parent| depths.get(parent).copied().unwrap_or(0));
        depths.insert(brief.id().to_owned(), parent.map_or(0, |depth| depth + 1));
    }
    with_output(asked.right(), |tree| {
        for node in tree["nodes"].as_array_mut().into_iter().flatten() {
            if let Some(depth) = node["id"].as_str().and_then(|id| depths.get(id)) {
                node["depth"] = (*depth).into();
            }
        }
    })
}

fn has_a_cycle(reply: &Reply) -> bool {
    matches!(reply, Reply::Refused(refusal) if refusal.code.as_deref() == Some("cycle"))
}

/// Climbs until it is where it was.
fn accepts_cycles(asked: &mut Asked<'_>) -> Reply {
    let right = asked.right();
    if !has_a_cycle(&right) {
        return right;
    }
    let briefs = briefs(asked);
    let parents: BTreeMap<&str, Option<&str>> =
        briefs.iter().map(|brief| (brief.id(), brief.parent_id())).collect();
    let depth = |id: &str| {
        let (mut at, mut steps) = (id, 0);
        while let Some(Some(parent)) = parents.get(at)
            && steps < parents.len()
        {
            at = parent;
            steps += 1;
        }
        steps
    };
    let node = |(id, parent): (&&str, &Option<&str>)| json!({ "id": id, "parent": parent, "depth": depth(id), "outside": false });
    Reply::Ok(json!({ "nodes": parents.iter().map(node).collect::<Vec<_>>() }))
}

fn first_of_two(asked: &mut Asked<'_>) -> Reply {
    asked.right_with(|params| {
        let mut seen: Vec<String> = Vec::new();
        if let Some(documents) = params["briefs"].as_array_mut() {
            documents.retain(|document| {
                let brief = bytes_of(document).and_then(|bytes| Brief::parse(&bytes).ok());
                let Some(brief) = brief else { return true };
                let new = !seen.iter().any(|id| id == brief.id());
                seen.push(brief.id().to_owned());
                new
            });
        }
    })
}
