//! What does somebody at a terminal read of a run? Snapshots over a made-up suite, which nothing
//! else changes; and whatever a subject says, does it stay words?

mod workplace;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use proofmark::adapter::in_process::Offer;
use proofmark::adapter::message::Implementation;
use proofmark::engine::plan::Selection;
use proofmark::engine::run::{Options, run};
use proofmark::engine::session::Timing;
use proofmark::engine::waiver::Waivers;
use proofmark::reference::{Answer, Operation, Refusal, document_from_json, document_to_json};
use proofmark::report::fold::Fold;
use proofmark::report::model::Report;
use proofmark::report::{junit, terminal};
use proofmark::suite::source::Files;
use proofmark::suite::{Corpus, load, select::Globs};
use serde_json::{Value, json};
use workplace::{PROGRAM, Workplace};

fn tea() -> Corpus {
    let files = |files: &[(&str, &str)]| -> Files {
        files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    };
    let suites = files(&[
        ("tea/roles.toml", include_str!("fixtures/tea/suites/roles.toml")),
        ("tea/requirements.toml", include_str!("fixtures/tea/suites/requirements.toml")),
        ("tea/operations.schema.json", include_str!("fixtures/tea/suites/operations.schema.json")),
    ]);
    let corpus = files(&[
        ("tea/brewer/leaves.toml", include_str!("fixtures/tea/corpus/brewer.toml")),
        ("tea/taster/cups.toml", include_str!("fixtures/tea/corpus/taster.toml")),
    ]);
    load::load(&suites, &corpus, "corpus").unwrap_or_else(|faults| panic!("{faults}"))
}

fn leaves(params: &Value) -> String {
    let bytes = document_from_json(&params["document"]).expect("a document");
    String::from_utf8(bytes.into_owned()).expect("UTF-8")
}

fn brew(params: &Value) -> Answer {
    match leaves(params).as_str() {
        "1" => Answer::Refused(Refusal::default()),
        "warm?" => Answer::Ok(json!({"warmed": true})),
        leaves => {
            let document = document_to_json(leaves.to_uppercase().into_bytes());
            Answer::Ok(json!({ "document": document }))
        }
    }
}

fn taste(params: &Value) -> Answer {
    match leaves(params).as_str() {
        "tea" => Answer::Ok(Value::Null),
        other => {
            Answer::Refused(Refusal { message: Some(format!("no {other}")), ..Default::default() })
        }
    }
}

/// Gives back what it got, accepts whatever comes, and panics on a blend.
fn echo(params: &Value) -> Answer {
    assert!(!leaves(params).starts_with("darjeeling"), "cannot brew two kinds");
    Answer::Ok(json!({"document": params["document"]}))
}

const SOUND: &[Operation] = &[
    Operation { name: "tea.brew", run: brew },
    Operation { name: "tea.pour", run: |_| Answer::Ok(Value::Null) },
    Operation { name: "tea.taste", run: taste },
];

const WRONG: &[Operation] =
    &[Operation { name: "tea.brew", run: echo }, Operation { name: "tea.taste", run: echo }];

fn judged(name: &str, operations: &[Operation], roles: &[&str], case: &[&str]) -> Report {
    let corpus = tea();
    let offer = Offer {
        implementation: Implementation {
            name: name.to_owned(),
            version: "1.2.3".to_owned(),
            language: "Rust".to_owned(),
            url: None,
        },
        roles: roles.iter().map(|role| (*role).to_owned()).collect(),
        in_flight: 1,
        operations: operations.to_vec(),
    };
    let globs = |globs: &[&str]| {
        let globs: Vec<String> = globs.iter().map(|glob| (*glob).to_owned()).collect();
        Globs::new(&globs).expect("globs")
    };
    let options = Options {
        laws: Vec::new(),
        law_cases: 0,
        counterexamples: std::collections::BTreeMap::new(),
        selection: Selection { roles: globs(&[]), cases: globs(case), partition: None },
        timing: Timing::default(),
        run_timeout: None,
        restarts: 20,
        jobs: 1,
        seed: "1".to_owned(),
        replay: vec![],
        self_test: false,
        waivers: Waivers::default(),
        stop: Arc::new(AtomicBool::new(false)),
    };
    let mut fold = Fold::new(&corpus, &[]);
    run(&corpus, &offer, &options, |event| fold.take(event)).expect("a run");
    let mut report = fold.report().expect("a report");
    // What changes from day to day and machine to machine.
    report.proofmark = "0.0.0".to_owned();
    report.corpus.digest = format!("sha-256:{}", "0".repeat(64));
    report.millis = 100;
    report
}

/// The text without styling, each line held against the width. A command stays on one line, so that
/// it can be copied.
fn text(report: &Report, width: Option<usize>) -> String {
    let text = anstream::adapter::strip_str(&terminal::render(report, width)).to_string();
    for line in text.lines() {
        let fits = width.is_none_or(|width| line.chars().count() <= width);
        assert!(fits || line.contains("proofmark replay "), "{line}");
    }
    text
}

const BOTH: &[&str] = &["tea/brewer", "tea/taster"];

#[test]
fn what_is_read_of_a_conformant_subject() {
    let report = judged("Sound", SOUND, BOTH, &[]);
    assert_eq!(report.exit_status, 0);
    insta::assert_snapshot!("conformant", text(&report, Some(80)));
}

#[test]
fn what_is_read_of_failures_at_80_columns() {
    let report = judged("Wrong", WRONG, BOTH, &[]);
    assert_eq!(report.exit_status, 1);
    insta::assert_snapshot!("failures-80", text(&report, Some(80)));
}

#[test]
fn what_is_read_of_failures_in_a_log() {
    insta::assert_snapshot!("failures-log", text(&judged("Wrong", WRONG, BOTH, &[]), None));
}

#[test]
fn what_is_read_in_a_narrow_window() {
    let report = judged("Wrong", WRONG, BOTH, &["*/assam", "*/coffee"]);
    insta::assert_snapshot!("narrow", text(&report, Some(60)));
}

#[test]
fn what_is_read_of_long_values() {
    let long = judged("Wrong", WRONG, &["tea/brewer"], &["*/a-long-list"]);
    let crash = judged("Wrong", WRONG, &["tea/brewer"], &["*/two-kinds-in-one-pot"]);
    let both = text(&long, Some(80)) + "\n" + &text(&crash, Some(80));
    insta::assert_snapshot!("long-values", both);
}

#[test]
fn what_is_read_of_a_narrowed_run_with_a_role_nobody_knows() {
    let roles = ["tea/taster", "tea.pot\u{1b}[31m/brewer"];
    let report = judged("Sound", SOUND, &roles, &["*/coffee"]);
    assert_eq!(report.exit_status, 0);
    insta::assert_snapshot!("narrowed", text(&report, Some(80)));
}

#[test]
fn is_the_case_to_look_at_next_the_one_shown_first() {
    let report = judged("Wrong", WRONG, BOTH, &[]);
    let text = text(&report, None);
    let replay = |line: &&str| line.trim_start().starts_with("proofmark replay ");
    let next = text.lines().find(replay).expect("what to do next").trim();
    let shown =
        text.lines().find(|line| line.trim_start().starts_with("replay ")).expect("a replay");
    assert!(shown.ends_with(next), "{shown}\n{next}");
}

#[test]
fn does_the_reference_call_itself_a_self_test() {
    let place = Workplace::new();
    let text = place.proofmark(&["run", "--role", "jcs/signer", "--quiet"]).ends_with(0).out;
    assert!(text.starts_with("reference (self-test): "), "{text}");
    assert!(!text.contains('\u{1b}'), "no styling where no terminal is");
}

// Whatever a subject says.

/// Sequences that clear a screen, set a title or colours, and turn text round.
const HOSTILE: &str =
    "a\u{1b}[2J\u{1b}]0;t\u{7}\u{9b}31m\u{202e}gnp\r\u{2028}\u{7f}]]></failure>&lt;";

#[track_caller]
fn is_harmless(text: &str) {
    for line in text.lines() {
        let harmful = |c: &char| {
            c.is_control()
                || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}')
        };
        if let Some(found) = line.chars().find(harmful) {
            panic!("{found:?} in {line:?}");
        }
    }
}

fn hostile(_: &Value) -> Answer {
    Answer::Refused(Refusal {
        code: Some(HOSTILE.to_owned()),
        at: Some(HOSTILE.to_owned()),
        message: Some(HOSTILE.to_owned()),
        ..Refusal::default()
    })
}

fn hostile_output(_: &Value) -> Answer {
    let members =
        [(HOSTILE.to_owned(), json!(HOSTILE)), ("document".to_owned(), json!({"text": HOSTILE}))];
    Answer::Ok(Value::Object(members.into_iter().collect()))
}

#[test]
fn do_hostile_words_stay_words_in_terminal_and_junit() {
    let operations = [
        Operation { name: "tea.brew", run: hostile_output },
        Operation { name: "tea.pour", run: |_| panic!("{HOSTILE}") },
        Operation { name: "tea.taste", run: hostile },
    ];
    let report = judged(HOSTILE, &operations, BOTH, &[]);
    for width in [None, Some(80)] {
        is_harmless(&anstream::adapter::strip_str(&terminal::render(&report, width)).to_string());
    }
    let xml = junit::render(&report).expect("JUnit XML");
    is_harmless(&xml);
    let junit = quick_junit::Report::deserialize_from_str(&xml).expect("well-formed");
    let tests: usize = junit.test_suites.iter().map(|suite| suite.test_cases.len()).sum();
    assert_eq!(tests, 10, "nothing said by the subject made an element");
}

#[test]
fn do_hostile_words_stay_words_through_the_program() {
    let place = Workplace::new();
    place.write(
        "hostile.sh",
        r#"printf '\033[31mred\007 \233 \342\200\256\n' >&2
while read -r line; do
  id=${line#*'"id":'}; id=${id%%,*}
  case $line in
  *'"op":"hello"'*) printf '{"id":%s,"ok":{"protocol":1,"implementation":{"name":"n\\u001b]0;t\\u0007","version":"\\u202e1","language":"\\u009b31m"},"roles":["jcs/canonicalizer"]}}\n' "$id" ;;
  *) printf '{"id":%s,"refused":{"message":"\\u001b[2J\\u009b31m\\u202egnp\\r"}}\n' "$id" ;;
  esac
done
"#,
    );
    let case = "jcs/canonicalizer/whitespace/tabs";
    let subject = ["--", "sh", "hostile.sh"];
    for format in ["text", "junit"] {
        let run = ["run", "--case", case, "--format", format];
        let outcome = place.proofmark(&[&run[..], &subject].concat()).ends_with(1);
        is_harmless(&outcome.out);
        is_harmless(&outcome.err);
    }
    let replay = place.proofmark(&[&["replay", case][..], &subject].concat()).ends_with(1);
    replay.out.lines().for_each(|line| assert!(!line.is_empty() || line.trim() == line));
    is_harmless(&replay.out);
    is_harmless(&replay.err);
    // A subject that says no hello is quoted on standard error.
    let outcome = place
        .proofmark(&[
            "run",
            "--",
            "sh",
            "-c",
            r"printf '\033[31mno\007\n' >&2; sleep 0.3; printf '\033[2J\n'",
        ])
        .ends_with(3);
    is_harmless(&outcome.err);
    assert!(outcome.err.contains("␛[31mno"), "{}", outcome.err);
    // The program's own file is no better.
    place.write("evil.toml", "about = \"x\"\n\"\\u001B[2J\" = 1\n");
    is_harmless(
        &place.proofmark(&["replay", "evil.toml", "--", PROGRAM, "serve"]).ends_with(2).err,
    );
}
