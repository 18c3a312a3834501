//! What a run tells, in order. The terminal, the reports and the recording all live on this.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::adapter::message::Implementation;
use crate::engine::compare::Difference;
use crate::engine::verdict::Verdict;

/// One event of a run; `events.ndjson` has one a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The first event: what will be asked of whom.
    Started(Box<Started>),
    /// One case has its verdict.
    Case(Box<CaseResult>),
    /// One law has its verdict.
    Law(LawResult),
    /// The subject was started anew.
    Restarted {
        /// Why the one before is gone.
        why: String,
    },
    /// Something that belongs to no case and that people should see.
    Note {
        /// One sentence.
        what: String,
    },
    /// The last event.
    Finished(Finished),
}

/// What a run sets out to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Started {
    /// This program's version.
    pub proofmark: String,
    /// The seed of generated inputs.
    pub seed: String,
    /// The corpus's digest.
    pub corpus_digest: String,
    /// The number of cases in the whole corpus.
    pub corpus_cases: usize,
    /// The subject's command line, or its URL; empty for the embedded reference.
    pub command: Vec<String>,
    /// The options that a replay of one of its cases needs, word by word.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replay: Vec<String>,
    /// Whether the subject is the embedded reference.
    pub self_test: bool,
    /// Who the subject says that it is.
    pub implementation: Implementation,
    /// How many requests it said it takes at once.
    pub in_flight: u64,
    /// The roles that are judged.
    pub roles: Vec<PlannedRole>,
    /// Claimed roles that this Proofmark does not know.
    pub unknown_roles: Vec<String>,
    /// How the selection was narrowed, for people; empty where it was not.
    pub narrowed: Vec<String>,
}

/// One role of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedRole {
    /// The full name.
    pub role: String,
    /// The number of its cases that are asked.
    pub selected: usize,
    /// The number of its cases in the corpus.
    pub cases: usize,
    /// The number of its laws that are tried.
    pub laws: usize,
}

/// One case's outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseResult {
    /// The full id.
    pub id: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The reading that was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<String>,
    /// Why it is no pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Of a case of several steps: the one that decided, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// What came, where it is no pass: the reply's result member, or what happened instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub got: Option<Value>,
    /// Where the answer differs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Difference>,
    /// From sending to the whole reply, in microseconds; waiting behind others is in it.
    pub micros: u64,
    /// What the subject wrote to standard error until then, where it is no pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standard_error: Option<String>,
    /// The waiver's reason, where one applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiver: Option<String>,
}

/// One law's outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LawResult {
    /// The law's id.
    pub id: String,
    /// The role in whose report it stands.
    pub role: String,
    /// The verdict.
    pub verdict: Verdict,
    /// How many inputs were tried.
    pub inputs: usize,
    /// Why it is no pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The smallest input found that breaks it; null where none does.
    pub counterexample: Option<Value>,
}

/// How a run ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finished {
    /// A signal ended it: not every selected case has a verdict.
    pub interrupted: bool,
    /// Why the adapter was given up, where it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gave_up: Option<String>,
    /// What is wrong with the waivers: expired and dangling ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waivers: Vec<String>,
    /// Wall-clock time, in milliseconds.
    pub millis: u64,
}
