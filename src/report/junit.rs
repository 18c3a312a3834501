//! JUnit XML: a test suite a role, a test case a case, names that stay the same from run to run.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};

use crate::engine::verdict::Verdict;
use crate::report::escape;
use crate::report::model::{CaseReport, LawReport, Report};
use crate::suite::requirement::Level;

/// Renders a report.
///
/// A binding case that fails is a `failure`; a crash, a time-out or an adapter at fault is an
/// `error`; an operation that is not offered, a SHOULD that fails and a waived case are `skipped`
/// with the reason, since CI systems know nothing between failed and passed.
///
/// # Errors
/// Where the XML can't be written, which its writer alone could cause.
pub fn render(report: &Report) -> Result<String, String> {
    let mut junit = Junit::new("proofmark");
    for role in &report.roles {
        let mut suite = TestSuite::new(role.role.clone());
        let implementation = &report.subject.implementation;
        let properties = [
            ("mark", role.mark.to_string()),
            ("corpus", report.corpus.digest.clone()),
            ("seed", report.seed.clone()),
            ("implementation", escape::plain(&implementation.name)),
            ("version", escape::plain(&implementation.version)),
        ];
        for (name, value) in &properties {
            suite.add_property((*name, value.as_str()));
        }
        for case in &role.cases {
            let mut test = TestCase::new(case.id.clone(), status(case));
            test.set_classname(role.role.clone());
            test.set_time(Duration::from_micros(case.micros));
            if let Some(standard_error) =
                case.failure.as_ref().and_then(|failure| failure.standard_error.as_ref())
            {
                test.set_system_err(escape::plain_lines(standard_error));
            }
            suite.add_test_case(test);
        }
        for law in &role.laws {
            let mut test = TestCase::new(format!("law {}", law.id), status_of_law(law));
            test.set_classname(role.role.clone());
            suite.add_test_case(test);
        }
        junit.add_test_suite(suite);
    }
    junit.to_string().map_err(|error| error.to_string())
}

fn status_of_law(law: &LawReport) -> TestCaseStatus {
    if law.verdict.is_good() {
        return TestCaseStatus::success();
    }
    let kind = match law.verdict {
        Verdict::Unsupported => None,
        _ if law.level == Level::Should => None,
        Verdict::Fail | Verdict::Flaky => Some(NonSuccessKind::Failure),
        _ => Some(NonSuccessKind::Error),
    };
    let mut status = kind.map_or_else(TestCaseStatus::skipped, TestCaseStatus::non_success);
    status.set_message(escape::plain(law.reason.as_deref().unwrap_or_default()));
    status.set_type(law.verdict.name());
    if kind.is_some() {
        let input = law.counterexample.as_ref().map(ToString::to_string).unwrap_or_default();
        status.set_description(escape::plain_lines(&format!(
            "{}\nlaw: {}\ninput: {input}\nreplay: {}",
            law.requirements.join(", "),
            law.sentence,
            law.replay.as_deref().unwrap_or_default(),
        )));
    }
    status
}

fn status(case: &CaseReport) -> TestCaseStatus {
    let Some(failure) = &case.failure else {
        return TestCaseStatus::success();
    };
    let kind = match case.verdict {
        Verdict::Waived | Verdict::Unsupported => None,
        _ if case.level == Level::Should => None,
        Verdict::Fail | Verdict::Flaky => Some(NonSuccessKind::Failure),
        _ => Some(NonSuccessKind::Error),
    };
    let mut status = kind.map_or_else(TestCaseStatus::skipped, TestCaseStatus::non_success);
    let reason = match &case.waiver {
        Some(waiver) => format!("waived ({waiver}): {}", failure.reason),
        None => failure.reason.clone(),
    };
    status.set_message(escape::plain(&reason));
    status.set_type(case.verdict.name());
    if kind.is_some() {
        status.set_description(escape::plain_lines(&format!(
            "{}\nwhy: {}\ninput: {}\nexpected: {}\ngot: {}\nreplay: {}",
            case.requirements.join(", "),
            failure.why,
            failure.input,
            failure.expected,
            failure.got,
            failure.replay,
        )));
    }
    status
}
