//! The report of a run: `report.json`, field by field.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::adapter::message::Implementation;
use crate::engine::compare::Difference;
use crate::engine::verdict::{Mark, Verdict};
use crate::suite::requirement::{Kind, Level, Origin};

/// A whole report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The version of the program that made it.
    pub proofmark: String,
    /// The version of the adapter protocol.
    pub protocol: u64,
    /// The seed of generated inputs.
    pub seed: String,
    /// What was judged by.
    pub corpus: CorpusReport,
    /// Who was judged.
    pub subject: Subject,
    /// The roles that were judged.
    pub roles: Vec<RoleReport>,
    /// Claimed roles that were not known, and so not judged.
    pub unknown_roles: Vec<String>,
    /// How the selection was narrowed; empty where the whole corpus was asked.
    pub narrowed: Vec<String>,
    /// What belongs to no case: restarts, an adapter that does not end.
    pub notes: Vec<String>,
    /// Why the adapter was given up, where it was.
    pub gave_up: Option<String>,
    /// What is wrong with the waivers themselves.
    pub waivers: Vec<String>,
    /// Whether a signal ended the run.
    pub interrupted: bool,
    /// Wall-clock time of the run, in milliseconds.
    pub millis: u64,
    /// The exit status of the run.
    pub exit_status: u8,
}

/// The corpus that was judged by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusReport {
    /// `sha-256:` and hexadecimal digits.
    pub digest: String,
    /// How many cases it has in all.
    pub cases: usize,
}

/// The subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// The command line, or the URL; empty for the embedded reference.
    pub command: Vec<String>,
    /// Who it says that it is.
    pub implementation: Implementation,
    /// Whether it is the embedded reference: then the report shows that the tool works, not that
    /// anybody's implementation does.
    pub self_test: bool,
}

/// One role.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoleReport {
    /// The full name.
    pub role: String,
    /// The verdict on it.
    pub mark: Mark,
    /// Why it is not conformant, a sentence each.
    pub reasons: Vec<String>,
    /// Whether the whole corpus of the role was asked.
    pub complete: bool,
    /// The number of its cases in the corpus.
    pub corpus_cases: usize,
    /// The number of its cases that were selected: the counts add up to it.
    pub selected: usize,
    /// Cases by verdict, all verdicts, and `not-run`.
    pub counts: BTreeMap<Verdict, usize>,
    /// The requirements that bind it.
    pub requirements: Vec<RequirementReport>,
    /// What was recorded of its readings.
    pub readings: Vec<ReadingReport>,
    /// Its cases, by id.
    pub cases: Vec<CaseReport>,
    /// Its laws, in the order of their table.
    pub laws: Vec<LawReport>,
    /// Its burst of hostile inputs. This version sends none.
    pub hostile: Hostile,
}

/// One law.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LawReport {
    /// The law's id.
    pub id: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// The strictest of its requirements' levels.
    pub level: Level,
    /// The law, a sentence.
    pub sentence: String,
    /// The requirements that it speaks for.
    pub requirements: Vec<String>,
    /// How many inputs it was tried on.
    pub inputs: usize,
    /// The smallest input found that breaks it; null where none does.
    pub counterexample: Option<Value>,
    /// Why it is no pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The command that tries its counterexample again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<String>,
}

/// A burst of hostile inputs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Hostile {
    /// How many were sent.
    pub inputs: usize,
    /// What they found.
    pub findings: Vec<Value>,
}

/// One requirement in one role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequirementReport {
    /// Its id.
    pub id: String,
    /// How much hangs on it.
    pub level: Level,
    /// Who asks for it.
    pub origin: Origin,
    /// Where it is asked for.
    pub section: String,
    /// Its title.
    pub title: String,
    /// Robustness, or null.
    pub kind: Option<Kind>,
    /// The worst of its cases.
    pub verdict: Verdict,
    /// How many of its cases were judged.
    pub cases: usize,
    /// How many of them failed, whatever the way.
    pub failed: usize,
}

/// What was recorded of one reading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadingReport {
    /// The requirement.
    pub requirement: String,
    /// The reading's name, or a profile's.
    pub reading: String,
}

/// One case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseReport {
    /// The full id.
    pub id: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// The strictest of its requirements' levels.
    pub level: Level,
    /// The requirements that it tests.
    pub requirements: Vec<String>,
    /// The operation that decided it.
    pub operation: String,
    /// From sending to the whole reply, in microseconds; waiting behind others is in it.
    pub micros: u64,
    /// The reading that was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<String>,
    /// The waiver's reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiver: Option<String>,
    /// Where it is no pass, why.
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}

/// What somebody needs to understand and repeat a case that is no pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// Why it is no pass.
    pub reason: String,
    /// Why the case matters.
    pub why: String,
    /// Where the expected value comes from.
    pub source: String,
    /// Of a case of several steps: the one that decided, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// The params (an excerpt where they are long).
    pub input: Value,
    /// The length of the params as JSON text, in bytes.
    pub input_bytes: usize,
    /// What was expected.
    pub expected: Value,
    /// What came.
    pub got: Value,
    /// Where the answer differs.
    pub differences: Vec<Difference>,
    /// The twin's id and verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twin: Option<Twin>,
    /// The command that shows this one case again.
    pub replay: String,
    /// What the subject wrote to standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standard_error: Option<String>,
}

/// The case that differs in the fault alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Twin {
    /// Its full id.
    pub id: String,
    /// Its verdict in this run; `not-run` where it was not asked.
    pub verdict: Verdict,
}
