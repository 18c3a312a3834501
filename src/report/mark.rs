//! Marks and the exit status, worked out from the cases alone.

use std::collections::BTreeMap;

use crate::engine::status::ExitStatus;
use crate::engine::verdict::{Mark, Verdict};
use crate::report::model::{CaseReport, LawReport, Report, RoleReport};
use crate::suite::requirement::Level;

/// Works out a role's mark and says why, from its operations and its cases.
///
/// `conformant` iff every operation is offered and every case that binds passed, over the whole
/// corpus; `incomplete` where an operation is missing or the run was narrowed; else
/// `non-conformant`.
pub fn mark(
    operations: &[String],
    cases: &[CaseReport],
    laws: &[LawReport],
    complete: bool,
) -> (Mark, Vec<String>) {
    let mut reasons = Vec::new();
    // A case whose own servers could not be started says nothing of the subject.
    let complete = complete && cases.iter().all(|case| case.verdict != Verdict::NotRun);
    let missing = missing_operations(operations, cases);
    for operation in &missing {
        reasons.push(format!("the operation {operation} {NOT_OFFERED}"));
    }
    let mut failures: BTreeMap<Verdict, usize> = BTreeMap::new();
    let judged = |case: &&CaseReport| binds(case) && case.verdict != Verdict::NotRun;
    for case in cases.iter().filter(judged).filter(|case| !is_satisfied(case.verdict)) {
        if case.verdict == Verdict::Unsupported && missing.contains(&case.operation.as_str()) {
            continue;
        }
        *failures.entry(case.verdict).or_default() += 1;
    }
    for (verdict, count) in &failures {
        let noun = if *count == 1 { "case" } else { "cases" };
        reasons.push(format!("{count} {noun} that must pass: {verdict}"));
    }
    let broken = laws.iter().filter(|law| is_broken(law)).count();
    if broken > 0 {
        let noun = if broken == 1 { "law that must hold does" } else { "laws that must hold do" };
        reasons.push(format!("{broken} {noun} not"));
    }
    if !complete {
        reasons.push("not the whole corpus was asked".to_owned());
    } else if cases.is_empty() {
        reasons.push(NO_CASES.to_owned());
    }
    let mark = if !missing.is_empty() || !complete || cases.is_empty() {
        Mark::Incomplete
    } else if failures.is_empty() && broken == 0 {
        Mark::Conformant
    } else {
        Mark::NonConformant
    };
    (mark, reasons)
}

/// Nothing was shown of a role that has no case.
const NO_CASES: &str = "the corpus has no case of it";

/// What is said of a missing operation.
const NOT_OFFERED: &str = "is not offered";

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

/// A law that binds and does not hold. One whose operation is not offered is told of by that.
fn is_broken(law: &LawReport) -> bool {
    law.level != Level::Should && !is_satisfied(law.verdict) && law.verdict != Verdict::Unsupported
}

fn is_satisfied(verdict: Verdict) -> bool {
    verdict.is_good()
}

/// The exit status of a run.
pub fn exit_status(report: &Report) -> ExitStatus {
    let cases = || report.roles.iter().flat_map(|role| &role.cases);
    let laws = || report.roles.iter().flat_map(|role| &role.laws);
    if report.interrupted {
        return ExitStatus::Interrupted;
    }
    let at_fault =
        cases().next().is_some() && cases().all(|case| case.verdict == Verdict::AdapterFault);
    if report.gave_up.is_some() || at_fault {
        return ExitStatus::Subject;
    }
    if cases().next().is_none() && report.roles.iter().all(|role| role.laws.is_empty()) {
        return ExitStatus::Nothing;
    }
    let failed = cases().any(|case| binds(case) && case.verdict.is_failure())
        || laws().any(|law| is_broken(law) && law.verdict != Verdict::Waived)
        || cases().any(|case| case.verdict == Verdict::NotRun);
    let lacking = |role: &RoleReport| {
        lacks_an_operation(role) || was_shown_nothing(role) || required_role_missing(role)
    };
    if failed || report.roles.iter().any(lacking) {
        return ExitStatus::NotConformant;
    }
    let stale = cases().any(|case| case.verdict == Verdict::StaleWaiver)
        || laws().any(|law| law.verdict == Verdict::StaleWaiver);
    if stale || !report.waivers.is_empty() {
        return ExitStatus::Waivers;
    }
    ExitStatus::Success
}

/// An adapter that was given up, or that broke the protocol after its last answer, leaves no role
/// conformant: whatever it answered before can't be relied on.
pub fn given_up(roles: &mut [RoleReport]) {
    for role in roles.iter_mut().filter(|role| role.mark == Mark::Conformant) {
        role.mark = Mark::Incomplete;
        role.reasons.push("the adapter is at fault".to_owned());
    }
}

/// The sentence by which [`required`] is known again.
const REQUIRES: &str = "it requires the role ";

/// The end of that sentence where the required role has no mark.
const NOT_JUDGED: &str = ", which is not judged";

/// Holds the roles' marks against the roles that they require, and those against what they require
/// in turn. `requires` says what a role requires.
pub fn required<'a>(roles: &mut [RoleReport], requires: impl Fn(&str) -> &'a [String]) {
    // A role changes its mark once at most: as many rounds as there are roles reach them all.
    for _ in 0..roles.len() {
        let marks: BTreeMap<String, Mark> =
            roles.iter().map(|role| (role.role.clone(), role.mark)).collect();
        for role in roles.iter_mut().filter(|role| role.mark == Mark::Conformant) {
            let lacking = requires(&role.role)
                .iter()
                .map(|name| marks.get(name))
                .filter(|mark| *mark != Some(&Mark::Conformant));
            role.mark = lacking.fold(Mark::Conformant, |worst, mark| match (worst, mark) {
                (_, Some(Mark::NonConformant)) | (Mark::NonConformant, _) => Mark::NonConformant,
                _ => Mark::Incomplete,
            });
        }
    }
    let marks: BTreeMap<String, Mark> =
        roles.iter().map(|role| (role.role.clone(), role.mark)).collect();
    for role in roles {
        for name in requires(&role.role) {
            match marks.get(name) {
                Some(Mark::Conformant) => {}
                Some(mark) => role.reasons.push(format!("{REQUIRES}{name}, which is {mark}")),
                None => role.reasons.push(format!("{REQUIRES}{name}{NOT_JUDGED}")),
            }
        }
    }
}

/// A required role that is judged has its own say in the exit status; one that is not has none.
fn required_role_missing(role: &RoleReport) -> bool {
    role.complete
        && role
            .reasons
            .iter()
            .any(|reason| reason.starts_with(REQUIRES) && reason.ends_with(NOT_JUDGED))
}

/// Whatever the level of its cases: a claimed role offers all its operations.
fn lacks_an_operation(role: &RoleReport) -> bool {
    role.reasons.iter().any(|reason| reason.ends_with(NOT_OFFERED))
}

/// A claimed role of which the corpus has no case is not narrowed by anybody's wish.
fn was_shown_nothing(role: &RoleReport) -> bool {
    role.complete && role.corpus_cases == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::model::{CorpusReport, Hostile, Subject};

    fn case(operation: &str, level: Level, verdict: Verdict) -> CaseReport {
        CaseReport {
            id: "s/r/t/c".into(),
            verdict,
            level,
            requirements: vec!["S-1".into()],
            operation: operation.into(),
            micros: 1,
            reading: None,
            waiver: None,
            failure: None,
        }
    }

    fn role(name: &str, cases: Vec<CaseReport>) -> RoleReport {
        let (mark, reasons) = mark(&["s.do".to_owned()], &cases, &[], true);
        RoleReport {
            role: name.into(),
            mark,
            reasons,
            complete: true,
            corpus_cases: cases.len(),
            selected: cases.len(),
            counts: BTreeMap::new(),
            requirements: vec![],
            readings: vec![],
            cases,
            laws: vec![],
            hostile: Hostile::default(),
        }
    }

    fn report(roles: Vec<RoleReport>) -> Report {
        Report {
            proofmark: String::new(),
            protocol: 1,
            seed: String::new(),
            corpus: CorpusReport { digest: String::new(), cases: 0 },
            subject: Subject {
                command: vec![],
                implementation: crate::adapter::message::Implementation::default(),
                self_test: false,
            },
            roles,
            unknown_roles: vec![],
            narrowed: vec![],
            notes: vec![],
            gave_up: None,
            waivers: vec![],
            interrupted: false,
            millis: 0,
            exit_status: 0,
        }
    }

    fn good() -> Vec<CaseReport> {
        vec![case("s.do", Level::Must, Verdict::Pass)]
    }

    #[test]
    fn is_a_role_conformant_of_which_nothing_was_asked() {
        let empty = role("s/empty", vec![]);
        assert_eq!(empty.mark, Mark::Incomplete);
        assert_eq!(empty.reasons, [NO_CASES]);
        let beside = report(vec![role("s/good", good()), empty]);
        assert_eq!(exit_status(&beside), ExitStatus::NotConformant);
    }

    #[test]
    fn does_a_missing_operation_end_with_1_where_nothing_binding_asks_it() {
        let missing = role("s/r", vec![case("s.do", Level::Should, Verdict::Unsupported)]);
        assert_eq!(missing.mark, Mark::Incomplete);
        assert_eq!(exit_status(&report(vec![missing])), ExitStatus::NotConformant);
        let failing = role("s/r", vec![case("s.do", Level::Should, Verdict::Fail)]);
        assert_eq!(failing.mark, Mark::Conformant);
        assert_eq!(exit_status(&report(vec![failing])), ExitStatus::Success);
    }

    #[test]
    fn do_required_roles_reach_through_one_another() {
        let bad = vec![case("s.do", Level::Must, Verdict::Fail)];
        let (on_mid, on_base) = (["s/mid".to_owned()], ["s/base".to_owned()]);
        let requires = |name: &str| match name {
            "s/top" => &on_mid[..],
            "s/mid" => &on_base[..],
            _ => &[],
        };
        let mut roles = vec![role("s/top", good()), role("s/mid", good()), role("s/base", bad)];
        required(&mut roles, requires);
        assert!(roles.iter().all(|role| role.mark == Mark::NonConformant), "{roles:?}");
        assert_eq!(roles[0].reasons, ["it requires the role s/mid, which is non-conformant"]);
    }

    #[test]
    fn is_a_role_failed_by_what_is_waived_in_the_one_that_it_requires() {
        let on_base = ["s/base".to_owned()];
        let requires = |name: &str| if name == "s/top" { &on_base[..] } else { &[] };
        let waived = vec![case("s.do", Level::Must, Verdict::Waived)];
        let mut roles = vec![role("s/top", good()), role("s/base", waived)];
        required(&mut roles, requires);
        assert_eq!(roles[0].mark, Mark::NonConformant);
        assert_eq!(exit_status(&report(roles)), ExitStatus::Success);
        let mut alone = vec![role("s/top", good())];
        required(&mut alone, requires);
        assert_eq!(alone[0].mark, Mark::Incomplete);
        assert_eq!(exit_status(&report(alone)), ExitStatus::NotConformant);
    }
}
