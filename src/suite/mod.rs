//! What conformance means: suites, roles, requirements and golden cases, loaded and checked.
//!
//! [`load`] reads them, embedded or from a folder, and refuses whatever is ambiguous; [`case`]
//! documents the format of a case. The rest of the program sees only loaded, checked data.
//!
//! May depend on: [`crate::adapter`], for the way documents travel. Knows no suite by name.

pub mod case;
pub mod expect;
pub mod fault;
pub mod lint;
pub mod load;
pub mod operation;
pub mod params;
pub mod requirement;
pub mod role;
pub mod select;
pub mod source;
mod toml_json;

use std::collections::BTreeMap;
use std::sync::Arc;

use case::Case;
use operation::Operations;
use requirement::{Level, Requirement};
use role::Role;

/// All suites with their cases: what a run judges by.
#[derive(Debug)]
pub struct Corpus {
    /// The suites by name.
    pub suites: BTreeMap<String, Suite>,
    /// All cases, ordered by id.
    pub cases: Vec<Arc<Case>>,
    /// `sha-256:` and 64 hex digits over every file of `suites` and `corpus`, by path and content.
    pub digest: String,
}

/// One specification.
#[derive(Debug)]
pub struct Suite {
    /// The suite's short name, as `jcs`.
    pub name: String,
    /// The version of the specification.
    pub version: String,
    /// The suite's title.
    pub title: String,
    /// What it covers.
    pub about: String,
    /// The conformance classes, in the order of the file.
    pub roles: Vec<Role>,
    /// The requirements, in the order of the file.
    pub requirements: Vec<Requirement>,
    /// The shapes of its operations.
    pub operations: Operations,
}

impl Corpus {
    /// A case by its full id.
    pub fn case(&self, id: &str) -> Option<&Arc<Case>> {
        let found = self.cases.binary_search_by(|case| case.id.as_str().cmp(id)).ok()?;
        self.cases.get(found)
    }

    /// A requirement by its id, of whatever suite.
    pub fn requirement(&self, id: &str) -> Option<&Requirement> {
        self.suites
            .values()
            .flat_map(|suite| &suite.requirements)
            .find(|requirement| requirement.id == id)
    }

    /// A role by its full name.
    pub fn role(&self, name: &str) -> Option<&Role> {
        self.suites.values().flat_map(|suite| &suite.roles).find(|role| role.name == name)
    }

    /// The full names of all roles, suite by suite.
    pub fn role_names(&self) -> Vec<&str> {
        self.suites.values().flat_map(|suite| &suite.roles).map(|role| role.name.as_str()).collect()
    }

    /// A case's level: the strictest of its requirements'.
    pub fn level(&self, case: &Case) -> Level {
        case.requirements
            .iter()
            .filter_map(|id| self.requirement(id))
            .map(|requirement| requirement.level)
            .min()
            .unwrap_or(Level::Must)
    }
}
