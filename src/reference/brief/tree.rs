//! The tree that briefs make up by their `parentId`.
//!
//! Depends on `document`.

use std::collections::{BTreeMap, BTreeSet};

use super::document::Brief;
use super::error::{BriefError, Fault};

/// A brief in its tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The brief's id, or the one of the outside root.
    pub id: String,
    /// The id of its parent; a root has none.
    pub parent: Option<String>,
    /// How deep it lies below its root.
    pub depth: u64,
    /// Whether no brief of the set has this id: it is the user's request, or a brief that is not at hand.
    pub outside: bool,
}

/// The tree of a set of briefs, sorted by id; the order of the set means nothing.
///
/// # Errors
///
/// [`Fault::TwoBriefs`] for two briefs of one id; [`Fault::Cycle`]; [`Fault::BoundRaised`] where a parent has
/// `maxDepth` and a child a higher one or none; [`Fault::DepthLowered`] where a parent has `currentDepth` and a child
/// none, or one that is not higher. The error's member is the id of the brief; of several the first by id.
pub fn tree(briefs: &[Brief]) -> Result<Vec<Node>, BriefError> {
    let mut by_id: BTreeMap<&str, &Brief> = BTreeMap::new();
    let mut twice: BTreeSet<&str> = BTreeSet::new();
    for brief in briefs {
        if by_id.insert(&brief.id, brief).is_some() {
            twice.insert(&brief.id);
        }
    }
    if let Some(id) = twice.first() {
        return Err(Fault::TwoBriefs.of(*id));
    }
    let mut children: BTreeMap<&str, Vec<&Brief>> = BTreeMap::new();
    let mut nodes: BTreeMap<&str, Node> = BTreeMap::new();
    for brief in by_id.values() {
        let Some(parent) = brief.parent_id() else {
            nodes.insert(&brief.id, node(&brief.id, None, 0, false));
            continue;
        };
        children.entry(parent).or_default().push(brief);
        match by_id.get(parent) {
            Some(parent) => check_depths(parent, brief)?,
            None => {
                nodes.insert(parent, node(parent, None, 0, true));
            }
        }
    }
    let mut open: Vec<(&str, u64)> = nodes.keys().map(|id| (*id, 0)).collect();
    while let Some((id, depth)) = open.pop() {
        for child in children.get(id).into_iter().flatten() {
            nodes.insert(&child.id, node(&child.id, Some(id), depth + 1, false));
            open.push((&child.id, depth + 1));
        }
    }
    // What no root leads to goes round.
    match by_id.keys().find(|id| !nodes.contains_key(*id)) {
        Some(id) => Err(Fault::Cycle.of(*id)),
        None => Ok(nodes.into_values().collect()),
    }
}

fn node(id: &str, parent: Option<&str>, depth: u64, outside: bool) -> Node {
    Node { id: id.to_owned(), parent: parent.map(str::to_owned), depth, outside }
}

fn check_depths(parent: &Brief, child: &Brief) -> Result<(), BriefError> {
    if let Some(bound) = parent.max_depth
        && child.max_depth.is_none_or(|own| own > bound)
    {
        return Err(Fault::BoundRaised.of(&child.id));
    }
    if let Some(depth) = parent.current_depth
        && child.current_depth.is_none_or(|own| own <= depth)
    {
        return Err(Fault::DepthLowered.of(&child.id));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A brief from `id`, `id<parent`, and depths as `id<parent max current`.
    fn brief(text: &str) -> Brief {
        let mut words = text.split(' ');
        let (id, parent) = words
            .next()
            .map(|word| word.split_once('<').map_or((word, None), |(id, p)| (id, Some(p))))
            .unwrap_or_default();
        let mut builder = Brief::builder("a", "b", "body").id(id);
        if let Some(parent) = parent {
            builder = builder.parent_id(parent);
        }
        if let Some(max) = words.next().and_then(|word| word.parse().ok()) {
            builder = builder.max_depth(max);
        }
        if let Some(current) = words.next().and_then(|word| word.parse().ok()) {
            builder = builder.current_depth(current);
        }
        builder.build().expect(text)
    }

    /// Nodes as `id<parent depth`, with `!` for those outside.
    fn tree_of(texts: &[&str]) -> Result<Vec<String>, Fault> {
        let briefs: Vec<Brief> = texts.iter().map(|text| brief(text)).collect();
        let nodes = tree(&briefs).map_err(|error| error.fault)?;
        Ok(nodes
            .iter()
            .map(|node| {
                let parent = node.parent.as_deref().map_or(String::new(), |id| format!("<{id}"));
                let outside = if node.outside { "!" } else { "" };
                format!("{}{parent} {}{outside}", node.id, node.depth)
            })
            .collect())
    }

    #[test]
    fn is_the_tree_the_same_for_every_order() {
        let expected: Vec<String> =
            ["a 0", "b<a 1", "c<b 2", "d<a 1", "r 0!", "s<r 1"].map(str::to_owned).into();
        let mut texts = vec!["a", "b<a", "c<b", "d<a", "s<r"];
        for _ in 0..texts.len() {
            texts.rotate_left(1);
            assert_eq!(tree_of(&texts), Ok(expected.clone()));
            let backwards: Vec<&str> = texts.iter().rev().copied().collect();
            assert_eq!(tree_of(&backwards), Ok(expected.clone()));
        }
        assert_eq!(tree_of(&[]), Ok(vec![]));
    }

    #[test]
    fn are_two_briefs_of_one_id_and_cycles_refused() {
        assert_eq!(tree_of(&["a", "a"]), Err(Fault::TwoBriefs));
        assert_eq!(tree_of(&["a", "b<a", "b<a"]), Err(Fault::TwoBriefs));
        assert_eq!(tree_of(&["a<b", "b<a"]), Err(Fault::Cycle));
        assert_eq!(tree_of(&["r", "a<c", "b<a", "c<b", "d<c"]), Err(Fault::Cycle));
    }

    #[test]
    fn are_siblings_of_one_outside_request_under_one_node() {
        assert_eq!(
            tree_of(&["b<request", "a<request"]),
            Ok(["a<request 1", "b<request 1", "request 0!"].map(str::to_owned).into())
        );
    }

    #[test]
    fn can_a_chain_loosen_its_bounds() {
        assert!(tree_of(&["a 3 0", "b<a 3 1", "c<b 2 2"]).is_ok());
        assert!(tree_of(&["a 3", "b<a 3"]).is_ok());
        assert!(tree_of(&["a", "b<a 3 1"]).is_ok());
        assert_eq!(tree_of(&["a 3 0", "b<a 4 1"]), Err(Fault::BoundRaised));
        assert_eq!(tree_of(&["a 3 0", "b<a - 1"]), Err(Fault::BoundRaised));
        assert_eq!(tree_of(&["a 3 1", "b<a 3 0"]), Err(Fault::DepthLowered));
        assert_eq!(tree_of(&["a 3 1", "b<a 3 1"]), Err(Fault::DepthLowered));
        assert_eq!(tree_of(&["a 3 1", "b<a 3"]), Err(Fault::DepthLowered));
    }

    #[test]
    fn is_a_chain_of_ten_thousand_walked_without_recursion() {
        let mut briefs = vec![brief("n00000")];
        for n in 1..10_000_u32 {
            briefs.push(brief(&format!("n{n:05}<n{:05}", n - 1)));
        }
        let nodes = tree(&briefs).expect("a tree");
        assert_eq!(nodes.last().map(|node| node.depth), Some(9_999));
    }
}
