//! Subjects that keep silent, at once, in the middle or for a while.

use std::time::Duration;

use crate::Named;
use crate::harness::{Run, culprit, subject};

pub const TRIALS: &[Named] = &[
    ("says nothing at hello", silent),
    ("never reads", never_reads),
    ("says nothing at hello, and the run is interrupted", interrupted_at_hello),
    ("drips hello byte by byte", drips_hello),
    ("drips replies byte by byte", drips),
    ("sleeps for ever at one input, all else stopped", sleeps),
    ("never answers one input, and goes on with the others", sleeps_apart),
    ("sleeps for ever at one input, one at a time", sleeps_alone),
    ("answers just before the time-out: conformant", just_in_time),
    ("answers only when eight are under way, and says that it takes one", hoards),
    ("takes longer than the whole run may", run_timeout),
    ("keeps silent until the whole run's time is over", silent_until_the_end),
    ("stops reading while large requests are sent", || large("stops-reading")),
    ("closes its input while large requests are sent", || large("closes")),
];

fn silent() {
    Run::new(subject(&["silent"]))
        .with(&["--hello-timeout", "500ms"])
        .go()
        .ends_with(3)
        .says("no answer within 500ms")
        .within(20);
}

fn never_reads() {
    Run::new(subject(&["never-reads"]))
        .with(&["--hello-timeout", "500ms"])
        .go()
        .ends_with(3)
        .says("no answer within 500ms")
        .within(20);
}

fn interrupted_at_hello() {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process};
        let mut run = Run::new(subject(&["silent"])).with(&["--hello-timeout", "50s"]);
        let mut sent = false;
        run.meanwhile = Box::new(move |pid, elapsed| {
            if !sent && elapsed > Duration::from_secs(4) {
                sent = true;
                let pid = Pid::from_raw(pid.cast_signed()).expect("a process id is not 0");
                kill_process(pid, Signal::INT).expect("a child can be sent a signal");
            }
        });
        run.go().ends_with(130).says("interrupted before the subject said hello").within(20);
    }
}

fn drips_hello() {
    Run::new(subject(&["drips", "hello"]))
        .with(&["--hello-timeout", "1s"])
        .go()
        .ends_with(3)
        .says("no answer within 1s")
        .within(20);
}

fn drips() {
    let report = Run::new(subject(&["drips", "replies"]))
        .with(&["--timeout", "400ms", "--restarts", "3"])
        .go()
        .ends_with(3)
        .within(30)
        .report();
    assert_eq!(report.count("timeout"), 4, "one for each life");
    assert_eq!(report.count("pass"), 0);
    assert_eq!(report.count("adapter-fault") + 4, report.others("").len());
}

fn sleeps() {
    let (id, params) = culprit();
    let run = Run::new(subject(&["sleeps", &params, "4"])).with(&["--timeout", "1500ms"]);
    let report = run.go().ends_with(1).within(30).report();
    report.condemns_alone(id, "timeout");
    assert_eq!(report.case(id)["got"]["timeout"], "1500ms");
}

fn sleeps_apart() {
    let (id, params) = culprit();
    let run = Run::new(subject(&["sleeps-apart", &params, "4"])).with(&["--timeout", "1500ms"]);
    run.go().ends_with(1).within(30).report().condemns_alone(id, "timeout");
}

fn sleeps_alone() {
    let (id, params) = culprit();
    let run = Run::new(subject(&["sleeps", &params, "1"])).with(&["--timeout", "1500ms"]);
    run.go().ends_with(1).within(30).report().condemns_alone(id, "timeout");
}

fn just_in_time() {
    // 82 cases of 150 ms each, to two subjects; the time-out leaves room for a busy machine.
    let run = Run::new(subject(&["takes", "150"])).with(&["--timeout", "3s", "--jobs", "4"]);
    run.go().ends_with(0).within(50).report().is("conformant");
}

fn hoards() {
    let run = Run::new(subject(&["hoards", "8"])).with(&["--timeout", "300ms", "--restarts", "3"]);
    let report = run.go().ends_with(3).within(30).report();
    assert_eq!(report.count("timeout"), 4, "one for each life");
    assert_eq!(report.count("pass"), 0);
}

fn run_timeout() {
    let run = Run::new(subject(&["takes", "100"])).with(&["--run-timeout", "2500ms"]);
    let report = run.go().ends_with(1).within(20).report();
    assert!(report.count("pass") > 0 && report.count("timeout") > 0);
    assert_eq!(report.others("pass").len(), report.count("timeout"));
    assert!(report.others("pass").join("\n").contains("the whole run's time, 2500ms, was over"));
    report.is("non-conformant");
}

/// The whole run's time ends all waiting, in the search for a culprit too.
fn silent_until_the_end() {
    for in_flight in ["1", "16"] {
        let (_, params) = culprit();
        let run = Run::new(subject(&["sleeps", &params, in_flight])).with(&[
            "--timeout",
            "50s",
            "--run-timeout",
            "2s",
        ]);
        let report = run.go().ends_with(1).within(20).report();
        assert!(report.count("timeout") > 0);
        assert_eq!(report.others("pass").len(), report.count("timeout"));
    }
}

fn large(how: &str) {
    let words: &[&str] = if how == "closes" { &["closes", "input"] } else { &["stops-reading"] };
    let run = Run::of(&["run", "--case", "*/large/*", "--format", "json"], subject(words));
    let report =
        run.with(&["--timeout", "400ms", "--restarts", "2"]).go().ends_with(3).within(30).report();
    assert_eq!(report.count("timeout"), 3, "one for each life");
    assert_eq!(report.count("timeout") + report.count("adapter-fault"), report.others("").len());
}
