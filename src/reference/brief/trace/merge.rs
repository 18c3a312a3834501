//! Merging what came back from branches into the trace that was held.
//!
//! The trace that is merged into stays as it is, to the byte; behind it comes what the branches added. So a merged
//! trace continues the one before, and whoever handed that one down can check it in turn.
//!
//! Between branches, entries stand in the order of time; of two at one time the one of the branch that is named first
//! comes first; and a branch's own order always stands, even where its times run backwards.
//!
//! # What was merged already
//!
//! A branch is known by the id of its brief. Named twice in one call it is merged once, with the longer of two
//! returned traces where that continues the other.
//!
//! A trace says of no entry which branch it came from, unless the entry names its brief. So in a later call a branch is
//! known again by its entries that name it: where such a one, and all that the branch added before it, stand behind
//! what was handed down, in their order, they were merged, and only the rest is added. Entries behind the last one of
//! that kind are never taken for others that are alike: to have one twice is better than to lose one.
//!
//! Depends on the types of `trace`.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};

use super::{Trace, end_line};
use crate::reference::brief::error::{BriefError, Fault};

/// A branch of a fan-out, or the one child of a chain.
#[derive(Debug, Clone)]
pub struct Branch {
    /// The id of the branch's brief.
    pub brief: String,
    /// The trace that was sent with it.
    pub handed_down: Trace,
    /// The trace that came back.
    pub returned: Trace,
}

impl Trace {
    /// The trace with what the branches added.
    ///
    /// What was handed down may be older than this trace, or newer: entries of it that this trace lacks are taken over,
    /// once where branches have them in common.
    ///
    /// # Errors
    ///
    /// [`Fault::NotAContinuation`] where a returned trace does not begin with what was handed down;
    /// [`Fault::ForeignTrace`] where that and this trace each have entries that the other lacks;
    /// [`Fault::BranchesDisagree`] where one branch came back twice, and differently. The error's member is the
    /// branch's brief.
    pub fn merge(&self, branches: &[Branch]) -> Result<Trace, BriefError> {
        let branches = distinct(branches)?;
        let newer: Vec<&Trace> = branches
            .iter()
            .map(|branch| &branch.handed_down)
            .filter(|handed_down| !self.continues(handed_down))
            .collect();
        if let Some(foreign) = branches.iter().find(|branch| {
            let down = &branch.handed_down;
            !self.continues(down) && !down.continues(self)
        }) {
            return Err(Fault::ForeignTrace.of(&foreign.brief));
        }
        let common = in_common(&newer).max(self.entries.len());
        let mut text = self.text.clone();
        if let Some(first) = newer.first() {
            for index in self.entries.len()..common {
                end_line(&mut text);
                text.push_str(first.block(index));
            }
        }
        let mut held = Held::of(self);
        let mut added: Vec<Added<'_>> = Vec::new();
        for branch in branches {
            let down = branch.handed_down.entries.len();
            let added_from = if self.continues(&branch.handed_down) {
                down + held.known(branch, down)
            } else {
                common
            };
            added.push(Added { trace: &branch.returned, next: added_from });
        }
        interleave(&mut text, &mut added);
        super::reading::read(&text)
    }
}

/// Each branch once, in the order in which they are first named.
fn distinct(branches: &[Branch]) -> Result<Vec<&Branch>, BriefError> {
    let mut kept: Vec<&Branch> = Vec::new();
    let mut by_brief: HashMap<&str, usize> = HashMap::new();
    for branch in branches {
        if !branch.returned.continues(&branch.handed_down) {
            return Err(Fault::NotAContinuation.of(&branch.brief));
        }
        let next = kept.len();
        let at = *by_brief.entry(&branch.brief).or_insert(next);
        match kept.get_mut(at) {
            None => kept.push(branch),
            Some(known) if known.returned.continues(&branch.returned) => {}
            Some(known) if branch.returned.continues(&known.returned) => *known = branch,
            Some(_) => return Err(Fault::BranchesDisagree.of(&branch.brief)),
        }
    }
    Ok(kept)
}

/// How many entries traces have in common at their beginning.
fn in_common(traces: &[&Trace]) -> usize {
    let Some((first, others)) = traces.split_first() else { return 0 };
    others.iter().fold(first.entries.len(), |common, other| {
        let alike = |index: &usize| {
            *index < other.entries.len()
                && first.block(*index).trim_end() == other.block(*index).trim_end()
        };
        (0..common).take_while(alike).count()
    })
}

/// The entries of the trace that is merged into, by their lines; those that a branch has accounted for are gone.
struct Held<'a>(HashMap<&'a str, BTreeSet<usize>>);

impl<'a> Held<'a> {
    fn of(trace: &'a Trace) -> Self {
        let mut places: HashMap<&str, BTreeSet<usize>> = HashMap::new();
        for index in 0..trace.entries.len() {
            places.entry(trace.block(index).trim_end()).or_default().insert(index);
        }
        Held(places)
    }

    /// How many of the entries that a branch added were merged before. A returned trace only grows: if one that names
    /// the branch is held, so are those before it.
    fn known(&mut self, branch: &'a Branch, down: usize) -> usize {
        let returned = &branch.returned;
        let mut from = down;
        let mut found = Vec::new();
        let mut known = 0;
        for (index, entry) in returned.entries.iter().enumerate().skip(down) {
            let block = returned.block(index).trim_end();
            let places = self.0.get(block);
            let Some(at) = places.and_then(|places| places.range(from..).next().copied()) else {
                break;
            };
            found.push((block, at));
            from = at + 1;
            if entry.brief.as_deref() == Some(branch.brief.as_str()) {
                known = found.len();
            }
        }
        for (block, at) in found.into_iter().take(known) {
            if let Some(places) = self.0.get_mut(block) {
                places.remove(&at);
            }
        }
        known
    }
}

/// What is left to add of a branch.
struct Added<'a> {
    trace: &'a Trace,
    next: usize,
}

/// Adds what is left of all branches in the order of time.
fn interleave(text: &mut String, branches: &mut [Added<'_>]) {
    fn head<'a>(branch: &Added<'a>, index: usize) -> Option<Reverse<((i64, &'a str), usize)>> {
        let entry = branch.trace.entries.get(branch.next)?;
        Some(Reverse((entry.timestamp.key(), index)))
    }
    let mut heads: BinaryHeap<_> =
        branches.iter().zip(0..).filter_map(|(branch, index)| head(branch, index)).collect();
    while let Some(Reverse((_, index))) = heads.pop() {
        let Some(branch) = branches.get_mut(index) else { continue };
        end_line(text);
        text.push_str(branch.trace.block(branch.next));
        branch.next += 1;
        heads.extend(head(branch, index));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries such as `a5`: the agent, and the minute; `a5/1` names the brief `1` as well.
    fn entries(names: &str) -> String {
        let entry = |name: &str| {
            let (entry, brief) = name.split_once('/').unwrap_or((name, ""));
            let (agent, minute) = entry.split_at(1);
            let brief =
                if brief.is_empty() { String::new() } else { format!("  - **Brief**: {brief}\n") };
            format!(
                "- **Agent**: `{agent}` @ `2026-02-06T04:{minute:0>2}:00Z`\n  - **Action**: x\n{brief}"
            )
        };
        names.split_whitespace().map(entry).collect()
    }

    fn trace(names: &str) -> Trace {
        Trace::parse(entries(names).as_bytes()).expect(names)
    }

    fn branch(brief: &str, handed_down: &str, returned: &str) -> Branch {
        Branch {
            brief: brief.to_owned(),
            handed_down: trace(handed_down),
            returned: trace(returned),
        }
    }

    /// Each branch as `brief: what was handed down / what came back`.
    fn merged(held: &str, branches: &[(&str, &str, &str)]) -> Result<String, Fault> {
        let branches: Vec<Branch> =
            branches.iter().map(|(brief, down, back)| branch(brief, down, back)).collect();
        let merged = trace(held).merge(&branches).map_err(|error| error.fault)?;
        assert!(merged.continues(&trace(held)));
        Ok(merged.content().to_owned())
    }

    #[track_caller]
    fn check(held: &str, branches: &[(&str, &str, &str)], expected: &str) {
        assert_eq!(merged(held, branches), Ok(entries(expected)));
    }

    #[test]
    fn is_a_chain_a_plain_append() {
        check("p1 p2", &[("1", "p1 p2", "p1 p2 b3 b4")], "p1 p2 b3 b4");
        check("p1 p2 p9", &[("1", "p1 p2", "p1 p2 b3")], "p1 p2 p9 b3");
        check("p1", &[("1", "p1", "p1")], "p1");
        check("", &[("1", "", "b1")], "b1");
        check("p1", &[], "p1");
    }

    #[test]
    fn do_branches_run_together_in_time_and_keep_their_own_order() {
        check("p1", &[("1", "p1", "p1 b2 b5"), ("2", "p1", "p1 c3 c4")], "p1 b2 c3 c4 b5");
        check("p1", &[("1", "p1", "p1 b9 b2"), ("2", "p1", "p1 c3")], "p1 c3 b9 b2");
        check("p1", &[("2", "p1", "p1 c2"), ("1", "p1", "p1 b2")], "p1 c2 b2");
    }

    #[test]
    fn are_alike_entries_of_two_branches_two() {
        check("p1", &[("1", "p1", "p1 b2"), ("2", "p1", "p1 b2")], "p1 b2 b2");
        check("p1 b2/1", &[("1", "p1", "p1 b2/1"), ("2", "p1", "p1 b2/1")], "p1 b2/1 b2/1");
        check("p1 b2 x3", &[("2", "p1", "p1 b2 y3")], "p1 b2 x3 b2 y3");
    }

    #[test]
    fn does_a_branch_that_was_merged_add_nothing() {
        check("p1", &[("1", "p1", "p1 b2"), ("1", "p1", "p1 b2")], "p1 b2");
        check("p1 b2/1", &[("1", "p1", "p1 b2/1")], "p1 b2/1");
        let both = [("1", "p1", "p1 b2/1 b5/1"), ("2", "p1", "p1 c3/2 c4/2")];
        check("p1 b2/1 c3/2 c4/2 b5/1", &both, "p1 b2/1 c3/2 c4/2 b5/1");
        check("p1 b2/1 b5/1", &both, "p1 b2/1 b5/1 c3/2 c4/2");
        // What a branch was given by its own branches stands between entries that name it.
        let cascade = [("1", "p1", "p1 b2 c3/9 b5/1")];
        check("p1 b2 c3/9 x4 b5/1", &cascade, "p1 b2 c3/9 x4 b5/1");
    }

    #[test]
    fn does_a_branch_that_goes_on_add_the_rest_alone() {
        check("p1 b2/1", &[("1", "p1", "p1 b2/1 b5/1")], "p1 b2/1 b5/1");
        check("p1 b2/1 x3", &[("1", "p1", "p1 b2/1 b3/1 b4")], "p1 b2/1 x3 b3/1 b4");
    }

    #[test]
    fn is_an_entry_lost_that_is_like_one_of_somebody_else() {
        check("p1 w2", &[("1", "p1", "p1 w2")], "p1 w2 w2");
        check("p1 w2/1", &[("2", "p1", "p1 w2/1")], "p1 w2/1 w2/1");
        check("p1 b2/1 w3", &[("1", "p1", "p1 b2/1 w3")], "p1 b2/1 w3 w3");
        check("p1 w2 b3/1", &[("1", "p1", "p1 b3/1 w2")], "p1 w2 b3/1 w2");
    }

    #[test]
    fn does_a_branch_that_came_back_twice_count_with_the_longer_trace() {
        check("p1", &[("1", "p1", "p1 b2"), ("1", "p1", "p1 b2 b3")], "p1 b2 b3");
        check("p1", &[("1", "p1", "p1 b2 b3"), ("1", "p1", "p1 b2")], "p1 b2 b3");
        let disagree = merged("p1", &[("1", "p1", "p1 b2"), ("1", "p1", "p1 b3")]);
        assert_eq!(disagree, Err(Fault::BranchesDisagree));
    }

    #[test]
    fn is_a_returned_trace_that_lost_or_changed_something_refused() {
        for returned in ["", "p1", "p1 b2", "p2 p1 b3", "b1 p1 p2", "p1 p3 b4"] {
            let result = merged("p1 p2", &[("1", "p1 p2", returned)]);
            assert_eq!(result, Err(Fault::NotAContinuation), "{returned}");
        }
        assert_eq!(merged("p1", &[("1", "q1", "q1 b2")]), Err(Fault::ForeignTrace));
    }

    #[test]
    fn is_what_was_handed_down_and_is_not_held_taken_over_once() {
        check("p1", &[("1", "p1 p2", "p1 p2 b3")], "p1 p2 b3");
        let grown = [("1", "p1 p2", "p1 p2 b4"), ("2", "p1 p2 p3", "p1 p2 p3 c5")];
        check("p1", &grown, "p1 p2 p3 b4 c5");
        let forked = [("1", "p1 p2", "p1 p2 b4"), ("2", "p1 p3", "p1 p3 c5")];
        check("p1", &forked, "p1 p2 p3 b4 c5");
    }

    #[test]
    fn are_a_thousand_branches_merged_in_a_moment() {
        let held = trace(&"p1 ".repeat(2_000));
        let branches: Vec<Branch> = (0..1_000)
            .map(|n| Branch {
                brief: n.to_string(),
                handed_down: trace("p1"),
                returned: trace("p1 b2 b3"),
            })
            .collect();
        let started = std::time::Instant::now();
        let merged = held.merge(&branches).expect("a trace");
        assert_eq!(merged.entries().len(), 4_000);
        assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
    }
}
