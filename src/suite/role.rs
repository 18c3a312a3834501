//! Roles: the conformance classes of a suite, from `suites/<suite>/roles.toml`.

use serde::Deserialize;

/// One conformance class.
#[derive(Clone, Debug)]
pub struct Role {
    /// The full name, as `jcs/canonicalizer`.
    pub name: String,
    /// A short title.
    pub title: String,
    /// What an implementation of this role does.
    pub about: String,
    /// The operations that it must offer.
    pub operations: Vec<String>,
    /// The full names of the roles that it requires: without them conformant it is not conformant.
    pub requires: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRoles {
    pub suite: String,
    pub version: String,
    pub title: String,
    pub about: String,
    pub role: Vec<RawRole>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRole {
    pub id: String,
    pub title: String,
    pub about: String,
    pub operations: Vec<String>,
    #[serde(default)]
    pub requires: Vec<String>,
}
