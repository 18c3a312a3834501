//! Verdicts on cases and requirements, and marks on roles.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What came of one case. Ordered from the worst for a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The answer is wrong.
    Fail,
    /// The subject ended instead of answering, twice.
    Crash,
    /// No answer in time.
    Timeout,
    /// It ended, or broke the protocol, or kept silent, once and not again.
    Flaky,
    /// The adapter broke the protocol or said that it failed.
    AdapterFault,
    /// The adapter does not offer the operation.
    Unsupported,
    /// A waiver covers a case that passes.
    StaleWaiver,
    /// It fails, and a waiver says that this is known.
    Waived,
    /// The answer is one of the admitted readings.
    Recorded,
    /// The answer is right.
    Pass,
    /// It was not asked.
    NotRun,
}

impl Verdict {
    /// All verdicts that a case can get, in the order in which counts are shown.
    pub const ALL: [Verdict; 10] = [
        Verdict::Pass,
        Verdict::Fail,
        Verdict::Crash,
        Verdict::Timeout,
        Verdict::Flaky,
        Verdict::AdapterFault,
        Verdict::Unsupported,
        Verdict::Recorded,
        Verdict::Waived,
        Verdict::StaleWaiver,
    ];

    /// The word for it in reports.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Crash => "crash",
            Verdict::Timeout => "timeout",
            Verdict::Flaky => "flaky",
            Verdict::AdapterFault => "adapter-fault",
            Verdict::Unsupported => "unsupported",
            Verdict::Recorded => "recorded",
            Verdict::Waived => "waived",
            Verdict::StaleWaiver => "stale-waiver",
            Verdict::NotRun => "not-run",
        }
    }

    /// Whether it is a failure that a waiver can cover.
    pub fn is_failure(self) -> bool {
        self < Verdict::StaleWaiver
    }

    /// Whether the subject did what was asked of it.
    pub fn is_good(self) -> bool {
        matches!(self, Verdict::Pass | Verdict::Recorded | Verdict::StaleWaiver)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The verdict on a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// Every operation is offered and everything that must be so was shown, over the whole corpus.
    Conformant,
    /// Something that must be so is not.
    NonConformant,
    /// An operation is missing, or not everything was asked.
    Incomplete,
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Mark::Conformant => "conformant",
            Mark::NonConformant => "non-conformant",
            Mark::Incomplete => "incomplete",
        })
    }
}
