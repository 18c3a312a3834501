//! A report, seen by what failed in it.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::harness::{Report, Run, subject};

/// Judges a subject on these roles. It must be judged to the end: no case may have broken it.
#[track_caller]
pub fn judged(roles: &[&str], words: &[&str], status: i32) -> Report {
    let mut command = vec!["run", "--format", "json"];
    command.extend(roles.iter().flat_map(|role| ["--role", role]));
    let report = Run::of(&command, subject(words)).go().ends_with(status).report();
    assert_eq!(report.value["gave_up"], Value::Null);
    for verdict in ["crash", "timeout", "flaky", "adapter-fault", "unsupported"] {
        assert_eq!(report.count(verdict), 0, "{verdict}: {:?}", report.others("pass"));
    }
    report
}

/// A case that failed.
pub struct Failed<'a> {
    pub id: &'a str,
    pub level: &'a str,
    pub requirements: Vec<&'a str>,
    pub reason: &'a str,
}

/// The cases that failed.
pub fn failed(report: &Report) -> Vec<Failed<'_>> {
    let cases = report.roles().iter().flat_map(|role| role["cases"].as_array().expect("an array"));
    cases
        .filter(|case| case["verdict"] == "fail")
        .map(|case| Failed {
            id: case["id"].as_str().expect("an id"),
            level: case["level"].as_str().expect("a level"),
            requirements: case["requirements"]
                .as_array()
                .expect("an array")
                .iter()
                .map(|id| id.as_str().expect("an id"))
                .collect(),
            reason: case["reason"].as_str().expect("a failure has its reason"),
        })
        .collect()
}

/// One requirement in one role, as it was judged.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Judged {
    pub role: String,
    pub id: String,
    pub verdict: String,
}

/// What the roles were held to: the requirements of the level `must` that say more than "no crash".
pub fn musts(report: &Report) -> BTreeSet<Judged> {
    let word = |value: &Value| value.as_str().expect("a string").to_owned();
    let of = |role: &Value| -> Vec<Judged> {
        let requirements = role["requirements"].as_array().expect("an array").iter();
        requirements
            .filter(|own| own["level"] == "must" && own["kind"] != "robustness")
            .map(|own| Judged {
                role: word(&role["role"]),
                id: word(&own["id"]),
                verdict: word(&own["verdict"]),
            })
            .collect()
    };
    report.roles().iter().flat_map(of).collect()
}

/// The ids of those that have this verdict.
pub fn ids<'a>(musts: &'a BTreeSet<Judged>, verdict: &str) -> BTreeSet<&'a str> {
    musts.iter().filter(|own| own.verdict == verdict).map(|own| own.id.as_str()).collect()
}
