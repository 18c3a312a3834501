//! Words of a subject that a terminal would obey. The harness holds every output of every run to be
//! free of control characters; here are the ways by which they could come.

use crate::Named;
use crate::harness::{ROLE, Run, culprit, subject};

pub const TRIALS: &[Named] = &[
    ("escapes in names and replies", || everywhere("replies")),
    ("escapes in a right hello and in standard error", || everywhere("honest")),
    ("escapes in a line before hello", || no_hello("stray-at-hello")),
    ("escapes in the refusal of hello", || no_hello("hello-refused")),
    ("escapes in standard error of a subject that exits", || no_hello("stderr-and-exit")),
    ("escapes in a URL and a command", words),
    ("escapes in a replay", replay),
];

fn everywhere(how: &str) {
    for format in ["text", "json", "junit"] {
        let outcome =
            Run::of(&["run", "--role", ROLE, "--format", format], subject(&["escapes", how]));
        let outcome = outcome.go().ends_with(1);
        assert!(!outcome.stdout.is_empty());
        // It is shown what was said, without the character that makes it a command.
        if format != "json" {
            assert!(outcome.stdout.contains("[2J"), "{:.2000}", outcome.stdout);
        }
    }
    Run::of(&["check"], subject(&["escapes", how])).go();
}

fn no_hello(how: &str) {
    Run::new(subject(&["escapes", how])).go().ends_with(3).says("[2J");
    Run::of(&["check"], subject(&["escapes", how])).go().ends_with(3);
}

fn words() {
    Run::of(&["run", "--http", "http://\u{1b}[2J/"], vec![]).go().ends_with(2);
    Run::new(vec!["./\u{1b}[2J".to_owned()]).go().ends_with(3);
    for format in ["text", "json", "junit"] {
        let (_, params) = culprit();
        let line = "{\"id\":$id,$result}\u{1b}[2J";
        let subject = subject(&["template", &params, "1", line]);
        Run::of(&["run", "--role", "jcs/signer", "--format", format], subject).go().ends_with(1);
    }
}

fn replay() {
    let (id, _) = culprit();
    for how in ["replies", "honest"] {
        let outcome = Run::of(&["replay", id], subject(&["escapes", how])).go();
        assert!(matches!(outcome.status, Some(0 | 1)), "{:?}", outcome.status);
    }
}
