//! Subjects that end, do not end, or leave something behind.

use std::time::Duration;

use crate::Named;
use crate::harness::{Report, Run, culprit, subject};

pub const TRIALS: &[Named] = &[
    ("exits at once", exits_at_once),
    ("is no program", is_no_program),
    ("exits at one input", || dies("exit", "exit status 3")),
    ("panics at one input", || dies("panic", "exit status 101")),
    ("aborts at one input", || dies("abort", "SIGABRT")),
    ("is killed at one input", || dies("kill", "SIGKILL")),
    ("faults at one input", || dies("segv", "SIGSEGV")),
    ("exits at every request", exits_always),
    ("exits at the fiftieth request: flaky", flaky),
    ("exits at every second request", every_second),
    ("exits when it has answered one input", answers_and_exits),
    ("exits in the middle of a line", half_a_line),
    ("does not start every second time", starts_by_turns),
    ("says another hello after a restart", changes_its_name),
    ("ignores its closed input: conformant, with a note", ignores_its_closed_input),
    ("leaves a child that holds its pipes", leaves_a_child),
    ("hangs beside a child that holds its pipes", hangs_with_a_child),
    ("closes its output and goes on running", closes_its_output),
    ("is interrupted", || interrupted(2)),
    ("is terminated", || interrupted(15)),
];

fn exits_at_once() {
    for status in ["0", "1"] {
        Run::new(subject(&["exits-at-once", status, "no module named x"]))
            .go()
            .ends_with(3)
            .says(&format!("exit status {status}"))
            .says("no module named x")
            .says("nothing was judged")
            .within(20);
    }
}

fn is_no_program() {
    Run::new(vec!["./no-such-adapter".to_owned()])
        .go()
        .ends_with(3)
        .says("./no-such-adapter")
        .says("No such file")
        .within(20);
}

/// One input ends it: its case is a crash, alone, however many are under way.
fn dies(how: &str, what: &str) {
    let (id, params) = culprit();
    for (in_flight, jobs) in [("1", "1"), ("16", "1"), ("16", "2")] {
        let outcome = Run::new(subject(&["dies", how, &params, in_flight]))
            .with(&["--jobs", jobs])
            .go()
            .ends_with(1);
        let report = outcome.report();
        report.condemns_alone(id, "crash");
        report.is("non-conformant");
        let reason = report.case(id)["reason"].as_str().unwrap_or_default();
        assert!(reason.contains(what), "{reason}");
        if how == "panic" {
            let shown = report.case(id)["standard_error"].as_str().unwrap_or_default();
            assert!(shown.contains("this subject panics"), "{shown:?}");
        }
    }
}

fn exits_always() {
    for in_flight in ["1", "16"] {
        let outcome = Run::new(subject(&["dies", "exit", "all", in_flight]))
            .with(&["--restarts", "4"])
            .go()
            .ends_with(3);
        let report = outcome.report();
        assert!(report.count("crash") >= 1);
        assert_eq!(report.count("crash") + report.count("adapter-fault"), total(&report));
        let why = report.value["gave_up"].as_str().expect("it was given up");
        assert!(why.contains("4 times in a row"), "{why}");
    }
}

fn total(report: &Report) -> usize {
    report.others("").len()
}

fn flaky() {
    let mut seen = Vec::new();
    for _ in 0..2 {
        let run = Run::new(subject(&["dies-at-request", "50", "1"]));
        let report = run.go().ends_with(1).report();
        assert_eq!(report.count("flaky"), 1, "{:?}", report.others("pass"));
        assert_eq!(report.others("pass").len(), 1);
        report.is("non-conformant");
        seen.push(report.others("pass"));
    }
    assert_eq!(seen[0], seen[1], "the same verdicts every time");
    let several = Run::new(subject(&["dies-at-request", "50", "16"])).go().ends_with(1).report();
    assert_eq!(several.count("flaky"), several.others("pass").len());
}

/// It answers one request a life, whichever that is.
fn every_second() {
    let outcome = Run::new(subject(&["dies-at-request", "2", "1"])).go().ends_with(1);
    let report = outcome.report();
    assert_eq!(report.others("pass").len(), report.count("flaky"), "{:?}", report.others("flaky"));
    assert!(report.count("flaky") > report.count("pass"), "{:?}", report.others("flaky"));
    report.is("non-conformant");
}

fn answers_and_exits() {
    let (id, params) = culprit();
    for in_flight in ["1", "16"] {
        let run = Run::new(subject(&["answers-and-exits", &params, in_flight]));
        let report = run.go().ends_with(1).report();
        report.condemns_alone(id, "adapter-fault");
        let reason = report.case(id)["reason"].as_str().unwrap_or_default();
        assert!(reason.contains("it was answered") && reason.contains("exit status 4"), "{reason}");
    }
}

fn half_a_line() {
    let (id, params) = culprit();
    let report = Run::new(subject(&["half-a-line", &params])).go().ends_with(1).report();
    report.condemns_alone(id, "crash");
    let reason = report.case(id)["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("exit status 5, in the middle of the line {"), "{reason}");
}

fn starts_by_turns() {
    let (id, params) = culprit();
    let place = tempfile::tempdir().expect("a temporary folder can be made");
    let counter = place.path().join("starts");
    let counter = counter.to_str().expect("the path is UTF-8");
    let report =
        Run::new(subject(&["starts-by-turns", counter, &params])).go().ends_with(1).report();
    report.condemns_alone(id, "crash");
    let notes = report.value["notes"].to_string();
    assert!(notes.contains("did not say hello") && notes.contains("exit status 6"), "{notes}");
}

/// What was judged would not be one implementation.
fn changes_its_name() {
    let (_, params) = culprit();
    let place = tempfile::tempdir().expect("a temporary folder can be made");
    let counter = place.path().join("starts");
    let counter = counter.to_str().expect("the path is UTF-8");
    let report =
        Run::new(subject(&["changes-its-name", counter, &params])).go().ends_with(3).report();
    let why = report.value["gave_up"].as_str().expect("it was given up");
    assert!(why.contains("another hello") && why.contains("start 2"), "{why}");
    assert!(report.count("pass") > 0 && report.count("adapter-fault") > 0);
}

fn ignores_its_closed_input() {
    let outcome = Run::new(subject(&["ignores-its-closed-input"])).go().ends_with(0).within(30);
    let report = outcome.report();
    report.is("conformant");
    let notes = report.value["notes"].to_string();
    assert!(notes.contains("did not end when its input closed"), "{notes}");
    let check = Run::of(&["check"], subject(&["ignores-its-closed-input"])).go().ends_with(3);
    assert!(check.stdout.contains("it went on running and was killed"), "{}", check.stdout);
}

/// The harness looks for processes left behind after every run.
fn leaves_a_child() {
    let (id, params) = culprit();
    let report = Run::new(subject(&["leaves-a-child", &params])).go().ends_with(1).report();
    report.condemns_alone(id, "crash");
    let nobody = Run::new(subject(&["leaves-a-child", "nobody"])).go().ends_with(0).report();
    nobody.is("conformant");
}

fn hangs_with_a_child() {
    let (id, params) = culprit();
    let run = Run::new(subject(&["hangs-with-a-child", &params])).with(&["--timeout", "1500ms"]);
    run.go().ends_with(1).within(30).report().condemns_alone(id, "timeout");
}

fn closes_its_output() {
    let run = Run::new(subject(&["closes", "output"])).with(&["--restarts", "3"]);
    let report = run.go().ends_with(3).within(30).report();
    assert!(report.count("crash") >= 1);
    let reasons = report.others("").join("\n");
    assert!(reasons.contains("closed its standard output and went on running"), "{reasons}");
}

fn interrupted(signal: i32) {
    let place = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = place.path().join("report");
    let mut run = Run::new(subject(&["takes", "100"]))
        .with(&["--report", folder.to_str().expect("the path is UTF-8")]);
    let mut sent = false;
    run.meanwhile = Box::new(move |pid, elapsed| {
        if !sent && elapsed > Duration::from_millis(3500) {
            sent = true;
            send(pid, signal);
        }
    });
    let outcome = run.go().ends_with(130).within(20);
    let report = outcome.report();
    assert_eq!(report.value["interrupted"], true);
    report.is("incomplete");
    assert!(report.count("pass") > 0, "what was judged is kept");
    assert_eq!(report.others("pass"), Vec::<String>::new(), "nothing is blamed for the signal");
    let saved = std::fs::read_to_string(folder.join("report.json")).expect("it was saved");
    assert_eq!(saved, outcome.stdout);
    let events = std::fs::read_to_string(folder.join("events.ndjson")).expect("it was saved");
    let last = events.lines().next_back().unwrap_or_default();
    assert!(last.contains("\"finished\"") && events.ends_with('\n'), "{last}");
    assert!(folder.join("junit.xml").exists());
}

fn send(pid: u32, signal: i32) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process};
        let pid = Pid::from_raw(pid.cast_signed()).expect("a process id is not 0");
        let signal = if signal == 2 { Signal::INT } else { Signal::TERM };
        kill_process(pid, signal).expect("a child can be sent a signal");
    }
    #[cfg(not(unix))]
    unreachable!("{pid} {signal}: signals are sent on Unix alone");
}
