//! Subjects that send too much. The harness holds the memory of every run.

use crate::Named;
use crate::harness::{Run, culprit, subject};

pub const TRIALS: &[Named] = &[
    ("floods standard error and answers rightly: conformant", standard_error),
    ("floods its output without a line feed", || output("nothing")),
    ("floods its output with lines", || output("lines")),
    ("floods its output with replies", || output("replies")),
    ("floods its output with big replies", || output("big-replies")),
    ("a line of 100 MiB", long_line),
    ("a line as long as it may be, and one byte longer", max_line),
    ("a hundred thousand levels", deep),
    ("a refusal of megabytes", || long_words("refused")),
    ("a fault of megabytes", || long_words("fault")),
    ("an unsupported of megabytes", || long_words("unsupported")),
    ("an answer of megabytes", || long_words("ok")),
];

fn standard_error() {
    let report = Run::new(subject(&["floods-standard-error"])).go().ends_with(0).report();
    report.is("conformant");
}

fn output(what: &str) {
    let run = Run::new(subject(&["floods-standard-output", what])).with(&["--restarts", "3"]);
    let report = run.go().ends_with(3).within(50).report();
    assert_eq!(report.count("pass"), 0, "{:?}", report.others("adapter-fault"));
}

fn long_line() {
    let run = Run::new(subject(&["long-line", "104857600"])).with(&["--restarts", "2"]);
    let report = run.go().ends_with(3).within(50).report();
    report.all_are("adapter-fault");
    let reasons = report.others("").join("\n");
    assert!(reasons.contains("a line of more than 16777216 bytes"), "{reasons}");
}

/// The line feed does not count.
fn max_line() {
    let (id, params) = culprit();
    for (bytes, status) in [("20000", 0), ("20001", 1)] {
        let run = Run::new(subject(&["padded", &params, bytes])).with(&["--max-line", "20000"]);
        let report = run.go().ends_with(status).report();
        if status == 0 {
            report.is("conformant");
        } else {
            report.condemns_alone(id, "adapter-fault");
            let reason = report.case(id)["reason"].as_str().unwrap_or_default();
            assert!(reason.contains("a line of more than 20000 bytes"), "{reason}");
        }
    }
}

fn deep() {
    let run = Run::new(subject(&["deep", "100000"])).with(&["--restarts", "2"]);
    run.go().ends_with(3).within(30).report().all_are("adapter-fault");
}

/// What is kept and shown of a reply is bounded, in every format.
fn long_words(how: &str) {
    let (_, params) = culprit();
    drop(params);
    for format in ["json", "text", "junit"] {
        let words = ["run", "--case", "jcs/signer/digest/*", "--format", format];
        let run = Run::of(&words, subject(&["long-words", how])).with(&["--restarts", "1"]);
        let outcome = run.go().within(60);
        assert!(matches!(outcome.status, Some(1 | 3)), "{:?}", outcome.status);
        let long = outcome.stdout.len();
        assert!(long < 2_000_000, "{format} of {long} bytes");
    }
}
