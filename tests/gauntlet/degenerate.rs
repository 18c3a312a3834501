//! Subjects that follow the protocol to the letter and implement nothing: no role is conformant.

use crate::Named;
use crate::harness::{Run, subject};

pub const TRIALS: &[Named] = &[
    ("accepts everything as it came", || degenerate("accepts")),
    ("answers null", || degenerate("null")),
    ("refuses everything", || degenerate("refuses")),
    ("echoes its params", || degenerate("echoes")),
    ("always answers the same", || degenerate("constant")),
    ("gives the answer to the request before", || degenerate("previous")),
    ("offers no operation: incomplete", unsupported),
];

fn run(how: &str) -> crate::harness::Report {
    let words = ["run", "--format", "json"];
    Run::of(&words, subject(&["degenerate", how])).go().ends_with(1).report()
}

fn degenerate(how: &str) {
    let report = run(how);
    assert_eq!(report.roles().len(), proofmark::registry::reference().roles.len());
    report.is("non-conformant");
    assert_eq!(report.count("adapter-fault") + report.count("crash") + report.count("flaky"), 0);
}

fn unsupported() {
    let report = run("unsupported");
    report.is("incomplete");
    report.all_are("unsupported");
}
