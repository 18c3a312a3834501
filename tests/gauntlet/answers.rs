//! Replies that are not what the protocol asks for: which case is condemned, and is it alone?

use crate::Named;
use crate::harness::{Run, culprit, subject};

pub const TRIALS: &[Named] = &[
    ("honest: conformant", honest),
    ("honest, ten thousand in flight: conformant", ten_thousand),
    ("answers out of order: conformant", out_of_order),
    ("lines end with CR LF: conformant", carriage_returns),
    ("answers twice", || breaks(RIGHT_TWICE)),
    ("the id of no request", || breaks(r#"{"id":90000$id,$result}"#)),
    ("the id as a string", || breaks(r#"{"id":"$id",$result}"#)),
    ("the id as a float", || breaks(r#"{"id":$id.5,$result}"#)),
    ("the id null", || breaks(r#"{"id":null,$result}"#)),
    ("the id null with a fault", || breaks(r#"{"id":null,"fault":{"message":"what?"}}"#)),
    ("no id", || breaks("{$result}")),
    ("an array", || breaks("[]")),
    ("two result members", || breaks(r#"{"id":$id,"ok":1,"refused":{}}"#)),
    ("the same result member twice", || breaks(r#"{"id":$id,"ok":1,"ok":1}"#)),
    ("no result member", || breaks(r#"{"id":$id}"#)),
    ("refused of another shape", || breaks(r#"{"id":$id,"refused":"no"}"#)),
    ("a fault without a message", || breaks(r#"{"id":$id,"fault":{}}"#)),
    ("NaN", || breaks(r#"{"id":$id,"ok":NaN}"#)),
    ("not UTF-8", || breaks(r#"{"id":$id,"ok":"%FF"}"#)),
    ("a byte order mark", || breaks(r#"%EF%BB%BF{"id":$id,$result}"#)),
    ("an empty line", || breaks(r#"%0A{"id":$id,$result}"#)),
    ("a debug print before the answer", || breaks(r#"asked%0A{"id":$id,$result}"#)),
    ("a debug print after the answer", || breaks(r#"{"id":$id,$result}%0Adone"#)),
    ("two objects in one line", || breaks(r#"{"id":$id,$result}{"id":$id,$result}"#)),
    ("a fault", || breaks(r#"{"id":$id,"fault":{"message":"no"}}"#)),
    ("a lone surrogate", || breaks(r#"{"id":$id,"ok":"\ud800"}"#)),
    ("a number out of range", || breaks(r#"{"id":$id,"ok":1e999}"#)),
    ("a debug print after the last answer", goodbye),
    ("the first break is shown", quoted),
];

const RIGHT_TWICE: &str = r#"{"id":$id,$result}%0A{"id":$id,$result}"#;

fn honest() {
    let outcome = Run::new(subject(&["honest", "1"])).go().ends_with(0).within(30);
    outcome.report().is("conformant");
}

fn ten_thousand() {
    let words = ["run", "--format", "json"];
    let outcome = Run::of(&words, subject(&["honest", "10000"])).go().ends_with(0);
    outcome.report().is("conformant");
}

fn out_of_order() {
    Run::new(subject(&["out-of-order"])).go().ends_with(0).report().is("conformant");
}

fn carriage_returns() {
    let template = subject(&["template", "all", "1", r#"{"id":$id,$result}%0D"#]);
    Run::new(template).go().ends_with(0).report().is("conformant");
}

/// Every answer breaks the protocol: the adapter is at fault. One does: its case alone is, whether
/// requests come one by one, several at once, or to two subjects.
#[track_caller]
fn breaks(template: &str) {
    let all = Run::new(subject(&["template", "all", "1", template])).with(&["--restarts", "5"]);
    all.go().ends_with(3).report().all_are("adapter-fault");
    let (id, params) = culprit();
    for (in_flight, jobs) in [("1", "1"), ("16", "1"), ("16", "2")] {
        let one = subject(&["template", &params, in_flight, template]);
        let outcome = Run::new(one).with(&["--jobs", jobs]).go().ends_with(1);
        let report = outcome.report();
        report.condemns_alone(id, "adapter-fault");
        report.is("non-conformant");
    }
}

fn goodbye() {
    let outcome = Run::new(subject(&["says-goodbye"])).go().ends_with(3);
    let report = outcome.report();
    report.all_are("pass");
    report.is("incomplete");
    let why = report.value["gave_up"].as_str().expect("the adapter is at fault");
    assert!(why.contains("after its last answer") && why.contains("goodbye"), "{why}");
}

fn quoted() {
    let (id, params) = culprit();
    let outcome = Run::new(subject(&["template", &params, "1", "Traceback!"])).go().ends_with(1);
    let report = outcome.report();
    let case = report.case(id);
    assert_eq!(case["got"]["breach"]["seen"], "Traceback!", "{case}");
    assert!(case["reason"].as_str().is_some_and(|reason| reason.contains("Traceback!")), "{case}");
}
