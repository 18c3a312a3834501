//! The one table of suites: for each, what its reference offers. A new suite adds a line here, and
//! its own folders.

use crate::adapter::in_process::Offer;
use crate::adapter::message::Implementation;
use crate::laws::{self, Law};
use crate::reference::{self, Operation};

/// One suite's code.
pub struct Entry {
    /// The suite's name, as in `suites/` and `corpus/`.
    pub name: &'static str,
    /// The operations of its reference, in one table or several.
    pub operations: &'static [&'static [Operation]],
    /// The roles of its reference.
    pub roles: &'static [&'static str],
    /// The laws that bind implementations of it.
    pub laws: &'static [Law],
}

/// All suites.
pub const SUITES: &[Entry] = &[
    Entry {
        name: "jcs",
        operations: &[reference::jcs::OPERATIONS],
        roles: reference::jcs::ROLES,
        laws: laws::jcs::LAWS,
    },
    Entry {
        name: "federation",
        operations: &[reference::federation::OPERATIONS, reference::federation::card::OPERATIONS],
        roles: reference::federation::ROLES,
        laws: laws::federation::LAWS,
    },
    Entry {
        name: "brick",
        operations: &[reference::brick::OPERATIONS, &[reference::brick::invoke::OPERATION]],
        roles: reference::brick::ROLES,
        laws: &[],
    },
    Entry {
        name: "brief",
        operations: &[reference::brief::OPERATIONS],
        roles: reference::brief::ROLES,
        laws: &[],
    },
];

/// The laws of all suites.
pub fn laws() -> Vec<&'static Law> {
    SUITES.iter().flat_map(|entry| entry.laws).collect()
}

/// The reference as a subject: every operation of every suite, and `echo`.
pub fn reference() -> Offer {
    let mut operations = vec![reference::ECHO];
    operations.extend(SUITES.iter().flat_map(|entry| entry.operations).copied().flatten().copied());
    Offer {
        implementation: Implementation {
            name: "proofmark reference".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            language: "Rust".to_owned(),
            url: None,
        },
        roles: SUITES.iter().flat_map(|entry| entry.roles).map(|role| (*role).to_owned()).collect(),
        in_flight: 32,
        operations,
    }
}
