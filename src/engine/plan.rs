//! What to ask: the roles and cases that a run selects, or why it selects nothing.

use std::fmt;
use std::sync::Arc;

use crate::engine::event::PlannedRole;
use crate::laws::Law;
use crate::suite::Corpus;
use crate::suite::case::Case;
use crate::suite::select::{Globs, Partition, near_misses};

/// What somebody asked for.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Roles; all claimed ones where empty.
    pub roles: Globs,
    /// Cases; all of the selected roles where empty.
    pub cases: Globs,
    /// A slice of the cases.
    pub partition: Option<Partition>,
}

impl Selection {
    /// Whether nothing narrows it.
    pub fn is_whole(&self) -> bool {
        self.roles.is_empty() && self.cases.is_empty() && self.partition.is_none()
    }
}

/// What will be asked.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The roles, in the corpus's order.
    pub roles: Vec<PlannedRole>,
    /// The cases, in the order in which they are asked.
    pub cases: Vec<Arc<Case>>,
    /// The laws that are tried.
    pub laws: Vec<&'static Law>,
    /// Claimed roles that are not known.
    pub unknown_roles: Vec<String>,
    /// How the selection is narrower than the roles' whole corpus, for people.
    pub narrowed: Vec<String>,
}

/// Why nothing is selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nothing {
    /// A role filter matches no claimed role.
    Role {
        /// As it was written.
        filter: String,
        /// Whether the role is known, and only not claimed.
        known: bool,
        /// The claimed roles.
        claimed: Vec<String>,
        /// Roles with a name like it.
        near: Vec<String>,
    },
    /// A case filter matches no case of the selected roles.
    Case {
        /// As it was written.
        filter: String,
        /// Cases with an id like it.
        near: Vec<String>,
    },
    /// The subject claims no role that is known.
    NoRole {
        /// What it claims.
        claimed: Vec<String>,
    },
    /// The selection is well-formed and empty.
    Empty,
}

impl fmt::Display for Nothing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let near_of = |near: &[String]| match near {
            [] => String::new(),
            near => format!("; near it: {}", near.join(", ")),
        };
        match self {
            Nothing::Role { filter, known: true, claimed, .. } => write!(
                f,
                "the subject does not claim the role {filter} (it claims {})",
                if claimed.is_empty() { "none".to_owned() } else { claimed.join(", ") }
            ),
            Nothing::Role { filter, near, claimed, .. } => write!(
                f,
                "--role {filter} matches no role that the subject claims ({}){}",
                if claimed.is_empty() { "it claims none".to_owned() } else { claimed.join(", ") },
                near_of(near)
            ),
            Nothing::Case { filter, near } => {
                write!(f, "--case {filter} matches no case of the selected roles{}", near_of(near))
            }
            Nothing::NoRole { claimed } if claimed.is_empty() => {
                write!(f, "the subject claims no role")
            }
            Nothing::NoRole { claimed } => {
                write!(f, "the subject claims no role that is known here: {}", claimed.join(", "))
            }
            Nothing::Empty => write!(f, "no case is in the selection"),
        }
    }
}

impl std::error::Error for Nothing {}

/// Plans a run for a subject that claims `claimed`.
///
/// # Errors
/// Where a filter matches nothing, or nothing is left to ask.
pub fn plan(
    corpus: &Corpus,
    laws: &[&'static Law],
    claimed: &[String],
    selection: &Selection,
) -> Result<Plan, Nothing> {
    let is_claimed = |name: &str| claimed.iter().any(|role| role == name);
    let known: Vec<&str> = corpus.role_names();
    let unknown_roles: Vec<String> =
        claimed.iter().filter(|role| !known.contains(&role.as_str())).cloned().collect();
    let claimed_known: Vec<&str> = known.iter().copied().filter(|role| is_claimed(role)).collect();
    if let Some(idle) = selection.roles.idle(claimed_known.iter().copied()) {
        return Err(Nothing::Role {
            filter: idle.to_owned(),
            known: known.contains(&idle),
            claimed: claimed_known.iter().map(|role| (*role).to_owned()).collect(),
            near: near_misses(idle, known.iter().copied()),
        });
    }
    let roles: Vec<&str> =
        claimed_known.into_iter().filter(|role| selection.roles.selects(role)).collect();
    if roles.is_empty() {
        return Err(Nothing::NoRole { claimed: claimed.to_vec() });
    }
    // A case with an operation of another role is part of the role only for who claims that, too.
    let is_asked = |case: &Case| case.claims.iter().all(|role| is_claimed(role));
    let asked: Vec<&Arc<Case>> = corpus.cases.iter().filter(|case| is_asked(case)).collect();
    let of_roles: Vec<&Arc<Case>> =
        asked.iter().copied().filter(|case| roles.contains(&case.role.as_str())).collect();
    // A law may need operations of several roles: it is tried where all of them are claimed.
    let offered = |operation: &&str| {
        corpus
            .suites
            .values()
            .flat_map(|suite| &suite.roles)
            .filter(|role| is_claimed(&role.name))
            .any(|role| role.operations.iter().any(|own| own == operation))
    };
    let laws: Vec<&'static Law> = laws
        .iter()
        .copied()
        .filter(|law| roles.contains(&law.role) && law.operations.iter().all(&offered))
        .collect();
    let ids = of_roles.iter().map(|case| case.id.as_str()).chain(laws.iter().map(|law| law.id));
    if let Some(idle) = selection.cases.idle(ids) {
        return Err(Nothing::Case {
            filter: idle.to_owned(),
            near: near_misses(idle, corpus.cases.iter().map(|case| case.id.as_str())),
        });
    }
    let cases: Vec<Arc<Case>> = of_roles
        .into_iter()
        .filter(|case| selection.cases.selects(&case.id))
        .filter(|case| selection.partition.is_none_or(|slice| slice.contains(&case.id)))
        .cloned()
        .collect();
    let laws: Vec<&'static Law> = laws
        .into_iter()
        .filter(|law| selection.cases.selects(law.id))
        .filter(|law| selection.partition.is_none_or(|slice| slice.contains(law.id)))
        .collect();
    if cases.is_empty() && laws.is_empty() {
        return Err(Nothing::Empty);
    }
    let mut narrowed = Vec::new();
    if !selection.cases.is_empty() {
        narrowed.push("--case".to_owned());
    }
    if let Some(slice) = selection.partition.filter(|slice| slice.of > 1) {
        narrowed.push(format!("--partition {slice}"));
    }
    Ok(Plan {
        roles: roles
            .iter()
            .map(|role| PlannedRole {
                role: (*role).to_owned(),
                laws: laws.iter().filter(|law| law.role == *role).count(),
                selected: cases.iter().filter(|case| case.role == *role).count(),
                cases: asked.iter().filter(|case| case.role == *role).count(),
            })
            // A role of which --case selects nothing is not part of the run.
            .filter(|role| role.selected + role.laws > 0 || selection.cases.is_empty())
            .collect(),
        cases,
        laws,
        unknown_roles,
        narrowed,
    })
}
