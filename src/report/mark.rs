//! Marks and the exit status, worked out from the cases alone.

use std::collections::BTreeMap;

use crate::engine::status::ExitStatus;
use crate::engine::verdict::{Mark, Verdict};
use crate::report::model::{CaseReport, Report, RoleReport};
use crate::suite::requirement::Level;

/// Works out a role's mark and says why, from its operations and its cases.
///
/// `conformant` iff every operation is offered and every case that binds passed, over the whole
/// corpus; `incomplete` where an operation is missing or the run was narrowed; else
/// `non-conformant`.
pub fn mark(operations: &[String], cases: &[CaseReport], complete: bool) -> (Mark, Vec<String>) {
    let mut reasons = Vec::new();
    let missing = missing_operations(operations, cases);
    for operation in &missing {
        reasons.push(format!("the operation {operation} is not offered"));
    }
    let mut failures: BTreeMap<Verdict, usize> = BTreeMap::new();
    for case in cases.iter().filter(|case| binds(case) && !is_satisfied(case.verdict)) {
        if case.verdict == Verdict::Unsupported && missing.contains(&case.operation.as_str()) {
            continue;
        }
        *failures.entry(case.verdict).or_default() += 1;
    }
    for (verdict, count) in &failures {
        let noun = if *count == 1 { "case" } else { "cases" };
        reasons.push(format!("{count} {noun} that must pass: {verdict}"));
    }
    if !complete {
        reasons.push("not the whole corpus was asked".to_owned());
    }
    let mark = if !missing.is_empty() || !complete {
        Mark::Incomplete
    } else if failures.is_empty() {
        Mark::Conformant
    } else {
        Mark::NonConformant
    };
    (mark, reasons)
}

/// Operations of which every case asked was answered `unsupported`.
fn missing_operations<'a>(operations: &'a [String], cases: &[CaseReport]) -> Vec<&'a str> {
    operations
        .iter()
        .map(String::as_str)
        .filter(|operation| {
            let mut of_it = cases.iter().filter(|case| case.operation == *operation).peekable();
            of_it.peek().is_some() && of_it.all(|case| case.verdict == Verdict::Unsupported)
        })
        .collect()
}

/// SHOULD failures are counted and shown and change no mark; an answer that fits none of a
/// reading's readings is one that no text admits.
fn binds(case: &CaseReport) -> bool {
    case.level != Level::Should
}

fn is_satisfied(verdict: Verdict) -> bool {
    verdict.is_good()
}

/// The exit status of a run.
pub fn exit_status(report: &Report) -> ExitStatus {
    let cases = || report.roles.iter().flat_map(|role| &role.cases);
    if report.interrupted {
        return ExitStatus::Interrupted;
    }
    let at_fault =
        cases().next().is_some() && cases().all(|case| case.verdict == Verdict::AdapterFault);
    if report.gave_up.is_some() || at_fault {
        return ExitStatus::Subject;
    }
    if cases().next().is_none() {
        return ExitStatus::Nothing;
    }
    let failed = cases().any(|case| binds(case) && case.verdict.is_failure());
    if failed || report.roles.iter().any(required_role_missing) {
        return ExitStatus::NotConformant;
    }
    let stale = cases().any(|case| case.verdict == Verdict::StaleWaiver);
    if stale || !report.waivers.is_empty() {
        return ExitStatus::Waivers;
    }
    ExitStatus::Success
}

/// The sentence by which [`required`] is known again.
const REQUIRES: &str = "it requires the role ";

/// Holds a role's mark against the roles that it requires.
pub fn required(role: &mut RoleReport, requires: &[String], marks: &BTreeMap<String, Mark>) {
    for name in requires {
        match marks.get(name) {
            Some(Mark::Conformant) => continue,
            Some(mark) => role.reasons.push(format!("{REQUIRES}{name}, which is {mark}")),
            None => role.reasons.push(format!("{REQUIRES}{name}, which is not judged")),
        }
        if role.mark == Mark::Conformant {
            role.mark = if marks.get(name) == Some(&Mark::NonConformant) {
                Mark::NonConformant
            } else {
                Mark::Incomplete
            };
        }
    }
}

fn required_role_missing(role: &RoleReport) -> bool {
    role.complete && role.reasons.iter().any(|reason| reason.starts_with(REQUIRES))
}
