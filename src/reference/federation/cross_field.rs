//! The four rules on which members of an envelope go together.
//!
//! Depends on `json` and `error`.

use super::error::Code;
use super::json::{self, Value};

/// A rule on which members are present.
type Rule = fn(&dyn Fn(&str) -> bool) -> bool;

/// The rules. A fault in any of them has the same code and no path.
const RULES: [(&str, Rule); 4] = [
    ("a parent execution has an initiating subject", |has| {
        !has("parent_execution_reference") || has("initiating_subject")
    }),
    ("a checkpoint has a status and a commitment", |has| {
        has("checkpoint_status") == has("checkpoint_commitment")
    }),
    ("a checkpoint is not terminal", |has| !(has("checkpoint_status") && has("terminal_state"))),
    ("a terminal state has a receipt", |has| has("terminal_state") == has("evidence_receipt")),
];

/// Judges which members are present.
pub(super) fn check(members: &[(String, Value)]) -> Result<(), Code> {
    let has = |name: &str| json::get(members, name).is_some();
    match RULES.iter().all(|(_, rule)| rule(&has)) {
        true => Ok(()),
        false => Err(Code::InvalidConstraint),
    }
}
