//! What does each command do, print and end with, as somebody at a shell sees it?

mod workplace;

use std::collections::BTreeSet;

use serde_json::{Value, json};
use workplace::{PROGRAM, Workplace};

/// The reference with every digest wrong: a subject that fails cases, and nothing else.
fn wrong_digests() -> String {
    format!("'{PROGRAM}' serve | sed -u 's/\"sha256\":\"./\"sha256\":\"_/'")
}

/// The reference without `jcs.digest`.
fn no_digests() -> String {
    format!("sed -u 's/\"op\":\"jcs.digest\"/\"op\":\"jcs.none\"/' | '{PROGRAM}' serve")
}

fn failed_ids(report: &Value) -> Vec<String> {
    let roles = report["roles"].as_array().expect("roles");
    let told = ["cases", "laws"];
    let told = told.iter().flat_map(|all| {
        roles.iter().flat_map(|role| role[*all].as_array().expect("an array of them"))
    });
    told.filter(|case| case["verdict"] == "fail")
        .map(|case| case["id"].as_str().expect("an id").to_owned())
        .collect()
}

// The command line.

#[test]
fn is_a_wrong_command_line_answered_with_2_and_a_hint() {
    let place = Workplace::new();
    let asked = |args: &[&str], hint: &str| {
        let outcome = place.proofmark(args).ends_with(2).says(hint);
        assert_eq!(outcome.out, "", "{args:?}");
    };
    asked(&["run", "--partiton", "1/2"], "'--partition'");
    asked(&["runn"], "'run'");
    asked(&["run", "--http", "http://127.0.0.1:1/", "--", "cat"], "cannot be used with");
    asked(&["run", "--timeout", "5"], "they are written 100ms, 60s, 10m, 8h");
    asked(&["run", "--timeout", "0s"], "a duration must be more than nothing");
    asked(&["run", "--partition", "3/2"], "a partition is K/N with K from 1 to N, as 2/8");
    asked(&["run", "--partition", "0/2"], "a partition is K/N with K from 1 to N, as 2/8");
    asked(&["run", "--jobs", "0"], "--jobs is from 1 to 256");
    asked(&["run", "--jobs", "257"], "--jobs is from 1 to 256");
    asked(&["run", "--jobs", "two"], "--jobs");
    asked(&["run", "--format", "yaml"], "[possible values: text, json, junit]");
    asked(&["run", "--case", "a[b"], "a[b");
    asked(&["run", "--"], "no command follows the `--`");
    asked(&["check", "--"], "no command follows the `--`");
    asked(&["replay"], "<CASE or FILE>");
    asked(&["init", "cobol"], "[possible values: python, node, rust, go, shell]");
    asked(&[], "Usage: proofmark");
}

#[test]
fn has_every_command_examples_in_help_that_fits_100_columns() {
    let place = Workplace::new();
    let help = place.proofmark(&["--help"]).ends_with(0).out;
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        // A description of two lines goes on further to the right.
        .filter(|line| !line.starts_with("    "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.contains(&"run") && commands.len() >= 9, "{commands:?}");
    for command in commands.into_iter().map(Some).chain([None]) {
        let args: Vec<&str> = command.into_iter().chain(["--help"]).collect();
        let text = place.proofmark(&args).ends_with(0).prints("\nExamples:\n").out;
        let examples = text.split("\nExamples:\n").nth(1).unwrap_or_default();
        let own = format!("  proofmark {}", command.unwrap_or("run"));
        assert!(examples.starts_with(&own), "{args:?}: {examples}");
        if let Some(wide) = text.lines().find(|line| line.chars().count() > 100) {
            panic!("{args:?}: {wide}");
        }
    }
}

#[test]
fn are_there_completions_for_every_shell() {
    let place = Workplace::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = place.proofmark(&["completions", shell]).ends_with(0).out;
        for word in ["run", "replay", "partition"] {
            assert!(text.contains(word), "{shell}: {word}");
        }
    }
}

// proofmark.toml.

#[test]
fn is_proofmark_toml_honoured() {
    let place = Workplace::new();
    let subject = json!(["sh", "-c", wrong_digests()]);
    place.write("proofmark.toml", format!("subject = {subject}\nrole = [\"jcs/signer\"]\n"));
    let report = place.proofmark(&["run", "--format", "json"]).ends_with(1).json();
    assert_eq!(report["subject"]["command"], subject);
    assert_eq!(report["subject"]["self_test"], false);
    let roles = report["roles"].as_array().expect("roles");
    assert_eq!(roles.len(), 1);
    assert_eq!(roles[0]["role"], "jcs/signer");
    // What the command line says goes before it.
    let report = place
        .proofmark(&["run", "--reference", "--role", "jcs/verifier", "--format", "json"])
        .ends_with(0)
        .json();
    assert_eq!(report["subject"]["self_test"], true);
    assert_eq!(report["roles"][0]["role"], "jcs/verifier");
}

#[test]
fn where_is_an_ill_formed_proofmark_toml_ill_formed() {
    let place = Workplace::new();
    let told = |text: &str, message: &str| {
        place.write("proofmark.toml", text);
        let outcome = place.proofmark(&["run"]).ends_with(2);
        assert_eq!(outcome.err.trim_end(), format!("proofmark: proofmark.toml{message}"));
        assert_eq!(outcome.out, "");
    };
    told("role = [\n\"a\"\nseed = 1", ":3:1: missing comma between array elements, expected `,`");
    told("subject = \"cat\"", ":1:11: invalid type: string \"cat\", expected a sequence");
    told("subject = []", ": `subject` is empty");
    told("subject = [\"cat\"]\nhttp = \"x\"", ": it has both `subject` and `http`");
    place.write("proofmark.toml", "\n  rolle = []");
    place.proofmark(&["run"]).ends_with(2).says("proofmark.toml:2:3: unknown field `rolle`");
    place.write("proofmark.toml", "timeout = \"5\"");
    place.proofmark(&["run"]).ends_with(2).says("\"5\" is no duration");
}

// The subject.

#[test]
fn is_a_subject_that_cannot_be_started_named_with_the_systems_error() {
    let place = Workplace::new();
    for format in ["text", "json", "junit"] {
        let outcome = place
            .proofmark(&["run", "--format", format, "--", "./no-such-adapter", "x"])
            .ends_with(3)
            .says("cannot start ./no-such-adapter")
            .says("No such file or directory")
            .says("nothing was judged");
        assert_eq!(outcome.out, "");
    }
    let outcome = place
        .proofmark(&["run", "--http", "http://127.0.0.1:1/"])
        .ends_with(3)
        .says("http://127.0.0.1:1/")
        .says("nothing was judged");
    assert_eq!(outcome.out, "");
    place
        .proofmark(&["run", "--", "sh", "-c", "echo no config >&2; exit 7"])
        .ends_with(3)
        .says("exit status 7")
        .says("no config");
    place.proofmark(&["check", "--", "./no-such-adapter"]).ends_with(3).prints("FAULT  hello");
}

#[test]
fn what_is_said_of_a_role_that_cannot_be_judged() {
    let place = Workplace::new();
    let outcome = place.proofmark(&["run", "--role", "jcs/canonicaliser"]).ends_with(4);
    assert_eq!(outcome.out, "");
    outcome.says("--role jcs/canonicaliser matches no role").says("near it: jcs/canonicalizer");
    let signer_only = format!("'{PROGRAM}' serve | sed -u 's/\"jcs.canonicalizer\",//'");
    place
        .proofmark(&["run", "--role", "jcs/canonicalizer", "--", "sh", "-c", &signer_only])
        .ends_with(4)
        .says("the subject does not claim the role jcs/canonicalizer")
        .says("jcs/signer, jcs/verifier");
    // A role claimed and not known here is named, and the others are judged.
    let foreign = format!("'{PROGRAM}' serve | sed -u 's/\"jcs.canonicalizer\"/\"tea.pot\"/'");
    let report = place
        .proofmark(&["run", "--case", "*/digest/*", "--format", "json", "--", "sh", "-c", &foreign])
        .ends_with(0)
        .json();
    assert_eq!(report["unknown_roles"], json!(["tea.pot"]));
}

#[test]
fn is_a_role_with_a_missing_operation_incomplete() {
    let place = Workplace::new();
    let report = place
        .proofmark(&[
            "run",
            "--role",
            "jcs/signer",
            "--format",
            "json",
            "--",
            "sh",
            "-c",
            &no_digests(),
        ])
        .ends_with(1)
        .json();
    let role = &report["roles"][0];
    assert_eq!(role["mark"], "incomplete");
    assert_eq!(role["reasons"], json!(["the operation jcs.digest is not offered"]));
    assert!(role["counts"]["unsupported"].as_u64() > Some(0));
    assert_eq!(role["counts"]["fail"], 0);
}

// Selecting.

#[test]
fn what_is_near_a_case_that_matches_nothing() {
    let place = Workplace::new();
    for command in ["run", "export"] {
        let outcome = place.proofmark(&[command, "--case", "astral-before-fulwidth"]).ends_with(4);
        assert_eq!(outcome.out, "");
        outcome.says("astral-before-fullwidth");
    }
    // One idle glob is one too many, even beside one that matches.
    place.proofmark(&["run", "--case", "*/digest/*", "--case", "*/dijest/*"]).ends_with(4);
    place.proofmark(&["list", "cases", "*/dijest/*"]).ends_with(4);
    for command in [&["list", "cases"][..], &["export", "--case"], &["explain"], &["replay"]] {
        let outcome = place.proofmark(&[command, &["qqqqqqqq"]].concat()).ends_with(4);
        assert!(!outcome.err.contains("near it"), "nothing is near it: {}", outcome.err);
    }
    place.proofmark(&["explain", "JCS-ORD-9"]).ends_with(4).says("near it: JCS-ORD-1");
    place
        .proofmark(&["replay", "jcs/canonicalizer/ordering/astral-before-fulwidth"])
        .ends_with(4)
        .says("near it: jcs/canonicalizer/ordering/astral-before-fullwidth");
}

#[test]
fn are_partitions_disjoint_and_complete() {
    let place = Workplace::new();
    let ids = |report: &Value| -> Vec<String> {
        let roles = report["roles"].as_array().expect("roles");
        roles
            .iter()
            .flat_map(|role| role["cases"].as_array().expect("cases"))
            .map(|case| case["id"].as_str().expect("an id").to_owned())
            .collect()
    };
    let whole = place.proofmark(&["run", "--format", "json"]).ends_with(0).json();
    assert!(
        whole["roles"].as_array().expect("roles").iter().all(|role| role["mark"] == "conformant")
    );
    let mut joined = Vec::new();
    for part in 1..=3 {
        let partition = format!("{part}/3");
        let report = place
            .proofmark(&["run", "--partition", &partition, "--format", "json"])
            .ends_with(0)
            .json();
        for role in report["roles"].as_array().expect("roles") {
            assert_eq!(role["mark"], "incomplete");
            assert_eq!(role["complete"], false);
        }
        assert_eq!(report["narrowed"], json!([format!("--partition {partition}")]));
        joined.extend(ids(&report));
    }
    let distinct: BTreeSet<&String> = joined.iter().collect();
    assert_eq!(distinct.len(), joined.len(), "no case is in two parts");
    let whole = ids(&whole);
    assert_eq!(distinct, whole.iter().collect(), "and none in no part");
}

#[test]
fn do_the_counts_add_up() {
    let place = Workplace::new();
    for args in [
        vec!["run", "--format", "json"],
        vec!["run", "--format", "json", "--case", "*/ordering/*"],
        vec!["run", "--format", "json", "--role", "jcs/signer", "--", "sh", "-c"],
    ] {
        let digests = wrong_digests();
        let subject = (args.last() == Some(&"-c")).then_some(digests.as_str());
        let args: Vec<&str> = args.into_iter().chain(subject).collect();
        let report = place.proofmark(&args).json();
        for role in report["roles"].as_array().expect("roles") {
            let counts = role["counts"].as_object().expect("counts");
            let sum: u64 = counts.values().filter_map(Value::as_u64).sum();
            assert_eq!(role["selected"], sum, "{args:?} {}", role["role"]);
            let cases = role["cases"].as_array().expect("cases");
            for (verdict, count) in counts.iter().filter(|(verdict, _)| *verdict != "not-run") {
                let having = cases.iter().filter(|case| case["verdict"] == **verdict).count();
                assert_eq!(*count, having, "{args:?} {verdict}");
            }
        }
    }
}

// Waivers.

#[test]
fn does_a_waived_failure_end_with_0_and_no_conformance() {
    let place = Workplace::new();
    let subject = ["--", "sh", "-c", &wrong_digests()];
    let run = ["run", "--role", "jcs/signer", "--format", "json"];
    let failing = place.proofmark(&[&run[..], &subject].concat()).ends_with(1).json();
    let failed = failed_ids(&failing);
    assert!(failed.len() > 10);
    let table = |id: &String| {
        format!(
            "[[waiver]]\ncase = \"{id}\"\nreason = \"known\"\nexpires = 2999-12-31\nowner = \"us\"\n"
        )
    };
    let waivers: String = failed.iter().map(table).collect();
    place.write("waivers.toml", &waivers);
    let waived = [&run[..], &["--waivers", "waivers.toml"], &subject].concat();
    let report = place.proofmark(&waived).ends_with(0).json();
    let role = &report["roles"][0];
    assert_eq!(role["mark"], "non-conformant");
    let laws = failed.iter().filter(|id| id.matches('/').count() == 1).count();
    assert!(laws > 0, "laws are waived as cases are");
    assert_eq!(role["counts"]["waived"], failed.len() - laws);
    assert_eq!(role["counts"]["fail"], 0);
    // One waiver fewer, and one failure is left.
    let waivers: String = failed.iter().skip(1).map(table).collect();
    place.write("waivers.toml", waivers);
    let report = place.proofmark(&waived).ends_with(1).json();
    assert_eq!(failed_ids(&report), failed[..1]);
}

#[test]
fn what_is_said_of_waivers_that_are_stale_expired_or_dangling() {
    let place = Workplace::new();
    let run = ["run", "--role", "jcs/signer", "--waivers", "waivers.toml"];
    let waiver = |case: &str, more: &str| {
        place.write(
            "waivers.toml",
            format!("[[waiver]]\ncase = \"{case}\"\nreason = \"r\"\n{more}"),
        );
    };
    waiver("jcs/signer/sign/test-1", "");
    place.proofmark(&run).ends_with(5).prints("1 stale-waiver");
    waiver("jcs/signer/sign/test-1", "expires = \"2020-01-31\"");
    place
        .proofmark(&run)
        .ends_with(5)
        .prints("the waiver for jcs/signer/sign/test-1 expired on 2020-01-31");
    waiver("jcs/signer/sign/test-none", "");
    place
        .proofmark(&run)
        .ends_with(5)
        .prints("the waiver for jcs/signer/sign/test-none matches no case");
    // An expired waiver covers nothing: the failure counts.
    waiver("jcs/signer/digest/*", "expires = 2020-01-31");
    let subject = ["--", "sh", "-c", &wrong_digests()];
    place.proofmark(&[&run[..], &subject].concat()).ends_with(1).prints("expired on 2020-01-31");
}

#[test]
fn does_a_waiver_dangle_only_where_it_matches_no_case_at_all() {
    let place = Workplace::new();
    let waivers = "[[waiver]]\ncase = \"jcs/signer/digest/*\"\nreason = \"r\"\n";
    place.write("waivers.toml", waivers);
    let subject = ["--", "sh", "-c", &wrong_digests()];
    let run = ["run", "--waivers", "waivers.toml"];
    for narrowed in [["--partition", "1/2"], ["--partition", "2/2"], ["--role", "jcs/verifier"]] {
        // The failures of jcs/signer/digest are waived where they are asked, and nothing dangles.
        let reference = ["--role", "jcs/verifier"];
        let args = if narrowed == reference {
            [&run[..], &narrowed].concat()
        } else {
            [&run[..], &narrowed, &["--role", "jcs/signer", "--case", "*/digest/*"], &subject]
                .concat()
        };
        let outcome = place.proofmark(&args).ends_with(0);
        assert!(!outcome.out.contains("matches no case"), "{}", outcome.out);
    }
    // A pattern is stale where none of its cases fails, and only a whole run can tell.
    place.proofmark(&[&run[..], &["--role", "jcs/signer"]].concat()).ends_with(0);
    place.proofmark(&run).ends_with(5).prints("is stale: none of its cases fails");
}

#[test]
fn where_is_an_ill_formed_waiver_file_ill_formed() {
    let place = Workplace::new();
    let told = |text: &str, message: &str| {
        place.write("waivers.toml", text);
        let outcome = place.proofmark(&["run", "--waivers", "waivers.toml"]).ends_with(2);
        assert_eq!(outcome.out, "");
        assert!(
            outcome.err.starts_with(&format!("proofmark: waivers.toml{message}")),
            "{message}: {}",
            outcome.err
        );
    };
    told("[[waiver]]\ncase = \"a\"\n", ":1:1: missing field `reason`");
    told("[[waiver]]\ncase = \"a\"\nreason = \" \"\n", ":1:1: `reason` is empty");
    told("[[waiver]]\ncase = \"a\"\nresaon = \"r\"\n", ":3:1: unknown field `resaon`");
    told("[[waiver]]\ncase = \"a[\"\nreason = \"r\"\n", ":1:1: ");
    told(
        "[[waiver]]\ncase = \"a\"\nreason = \"r\"\nexpires = \"soon\"\n",
        ":1:1: `expires` is a date, as 2027-01-31, and not \"soon\"",
    );
    told("[[waiver]]\ncase = \"a\"\nreason = \"r\"\nexpires = 3\n", ":1:1: `expires` is a date");
    told("\n[[waver]]\n", ":2:3: unknown field `waver`");
    place
        .proofmark(&["run", "--waivers", "none.toml"])
        .ends_with(2)
        .says("none.toml: No such file");
}

// Reports.

#[test]
fn is_json_the_one_document_on_standard_output() {
    let place = Workplace::new();
    let outcome =
        place.proofmark(&["run", "--format", "json", "--case", "*/ordering/*"]).ends_with(0);
    let report = outcome.json();
    assert!(outcome.out.starts_with('{') && outcome.out.ends_with("}\n"));
    for member in ["proofmark", "protocol", "seed", "corpus", "subject", "roles", "exit_status"] {
        assert!(report.get(member).is_some(), "{member}");
    }
    assert_eq!(report["exit_status"], 0);
    let digest = report["corpus"]["digest"].as_str().expect("a digest");
    assert!(digest.starts_with("sha-256:") && digest.len() == 72, "{digest}");
    let failing = place
        .proofmark(&[
            "run",
            "--role",
            "jcs/signer",
            "--format",
            "json",
            "--",
            "sh",
            "-c",
            &wrong_digests(),
        ])
        .ends_with(1)
        .json();
    assert_eq!(failing["exit_status"], 1);
}

#[test]
fn is_junit_well_formed_and_does_it_say_what_failed() {
    let place = Workplace::new();
    let outcome = place
        .proofmark(&[
            "run",
            "--role",
            "jcs/signer",
            "--format",
            "junit",
            "--",
            "sh",
            "-c",
            &wrong_digests(),
        ])
        .ends_with(1);
    let junit = quick_junit::Report::deserialize_from_str(&outcome.out).expect("JUnit XML");
    let [suite] = junit.test_suites.as_slice() else {
        panic!("{} suites", junit.test_suites.len())
    };
    assert_eq!(suite.name.as_str(), "jcs/signer");
    let failures = suite.test_cases.iter().filter(|test| {
        matches!(
            test.status,
            quick_junit::TestCaseStatus::NonSuccess {
                kind: quick_junit::NonSuccessKind::Failure,
                ..
            }
        )
    });
    let failures = failures.count();
    assert!(failures > 10 && failures < suite.test_cases.len());
    assert_eq!(suite.failures, failures);
    let passing = place.proofmark(&["run", "--format", "junit"]).ends_with(0);
    let junit = quick_junit::Report::deserialize_from_str(&passing.out).expect("JUnit XML");
    let roles = proofmark::registry::reference().roles.len();
    assert_eq!((junit.test_suites.len(), junit.failures, junit.errors), (roles, 0, 0));
}

#[test]
fn is_an_older_report_taken_for_that_of_a_run_that_failed() {
    let place = Workplace::new();
    let run = ["run", "--role", "jcs/signer", "--report", "out"];
    place.proofmark(&run).ends_with(0);
    assert!(place.path("out/report.json").exists());
    place.proofmark(&[&run[..], &["--", "./no-such-adapter"]].concat()).ends_with(3);
    for name in ["report.json", "junit.xml", "events.ndjson"] {
        assert!(!place.path(&format!("out/{name}")).exists(), "{name}");
    }
}

#[test]
fn does_report_write_whole_files_into_a_new_folder() {
    let place = Workplace::new();
    let outcome = place
        .proofmark(&["run", "--role", "jcs/signer", "--report", "out/here"])
        .ends_with(0)
        .prints("Written: out/here/report.json");
    let mut names: Vec<String> = std::fs::read_dir(place.path("out/here"))
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["events.ndjson", "junit.xml", "report.json"], "{}", outcome.out);
    let report: Value = serde_json::from_str(&place.read("out/here/report.json")).expect("JSON");
    quick_junit::Report::deserialize_from_str(&place.read("out/here/junit.xml")).expect("JUnit");
    let events: Vec<Value> = place
        .read("out/here/events.ndjson")
        .lines()
        .map(|line| serde_json::from_str(line).expect("an event"))
        .collect();
    let count = |name: &str| events.iter().filter(|event| event["event"] == name).count();
    assert_eq!((count("started"), count("finished")), (1, 1));
    assert_eq!(report["roles"][0]["selected"], count("case"));
    assert_eq!(events[0]["event"], "started");
    assert_eq!(events[events.len() - 1]["event"], "finished");
}

#[test]
fn is_a_report_that_cannot_be_written_known_before_the_run() {
    let place = Workplace::new();
    place.write("file", "");
    let outcome = place
        .proofmark(&["run", "--report", "file/out", "--", "sh", "-c", "touch started; cat"])
        .ends_with(2)
        .says("cannot write file/out");
    assert_eq!(outcome.out, "");
    assert!(!place.path("started").exists(), "the subject was not started");
}

// replay, explain, list, export.

#[test]
fn does_replay_end_with_what_came_of_the_case() {
    let place = Workplace::new();
    let id = "jcs/signer/digest/empty-array";
    let passing = place.proofmark(&["replay", id]).ends_with(0).prints("verdict   pass").out;
    assert!(passing.contains("\n→ {\"id\":2,\"op\":\"jcs.digest\",\"params\":"), "{passing}");
    assert!(passing.contains("\n← {\"id\":2,\"ok\":{\"sha256\":"), "{passing}");
    place
        .proofmark(&["replay", id, "--", "sh", "-c", &wrong_digests()])
        .ends_with(1)
        .prints("differs   /sha256: another value")
        .prints("verdict   fail");
    place.proofmark(&["replay", "no/such/case"]).ends_with(4);
}

#[test]
fn is_a_file_of_cases_replayed() {
    let place = Workplace::new();
    let case = |expect: &str| {
        format!(
            "operation = \"jcs.canonicalize\"\nabout = \"Mine.\"\n\n[[case]]\nid = \"mine\"\n\
             requirements = [\"JCS-WS-1\"]\nwhy = \"w\"\nsource = \"s\"\n\
             params.document.text = \"[ 1]\"\n{expect}\n"
        )
    };
    place.write("mine.toml", case("expect.ok.bytes.text = \"[1]\""));
    place.proofmark(&["replay", "mine.toml"]).ends_with(0).prints("jcs/canonicalizer/mine/mine");
    place.write("mine.toml", case("expect.ok.bytes.text = \"[2]\""));
    place
        .proofmark(&["replay", "mine.toml"])
        .ends_with(1)
        .prints("byte 1 is 0x31 `1` where 0x32 `2` was expected");
    place.write("mine.toml", case("expect.okay = 1"));
    place
        .proofmark(&["replay", "mine.toml"])
        .ends_with(2)
        .says("mine.toml:10:8: unknown field `okay`");
    place.write("mine.toml", "about = \"Nothing.\"");
    place
        .proofmark(&["replay", "mine.toml"])
        .ends_with(2)
        .says("mine.toml: there is no case in it");
}

#[test]
fn is_everything_that_has_a_name_explained() {
    let place = Workplace::new();
    for (id, word) in [
        ("JCS-ORD-1", "UTF-16"),
        ("jcs-ord-1", "UTF-16"),
        ("JCS-R-2", "rounded"),
        ("jcs/canonicalizer/ordering/astral-before-fullwidth", "jcs.canonicalize"),
        ("jcs/verifier", "jcs.verify"),
        ("jcs.digest", "SHA-256"),
        ("jcs", "jcs/signer"),
    ] {
        place.proofmark(&["explain", id]).ends_with(0).prints(word);
        let json = place.proofmark(&["explain", id, "--format", "json"]).ends_with(0).json();
        assert!(json.is_object(), "{id}");
    }
    let json = place.proofmark(&["explain", "JCS-ORD-1", "--format", "json"]).json();
    assert_eq!(json["level"], "must");
    assert!(json["cases"].as_array().is_some_and(|cases| cases.len() > 10));
}

#[test]
fn what_is_read_of_an_explanation() {
    let corpus = Workplace::with_corpus();
    let told = |id: &str| corpus.proofmark(&["explain", id]).ends_with(0).out;
    for id in ["JCS-R-2", "jcs/verifier", "jcs", "JCS-ORD-1"] {
        for line in told(id).lines().take_while(|line| !line.contains("Tested by")) {
            let title = line.contains("  must  ") || line.contains("reading");
            assert!(line.chars().count() <= 100 || title, "{id}: {line}");
        }
    }
    let text = told("JCS-R-2");
    let answers = text.split("is recorded:\n").nth(1).expect("the answers");
    let column = |name: &str| {
        let line = answers.lines().find(|line| line.trim_start().starts_with(name));
        let line = line.unwrap_or_else(|| panic!("{name}: {answers}"));
        let after = line.find(name).expect("it") + name.len();
        after + line[after..].find(|c: char| c != ' ').expect("what it means")
    };
    assert_eq!(column("rounded"), column("profile rounded"), "{answers}");
}

#[test]
fn is_everything_listed() {
    let place = Workplace::new();
    for what in ["suites", "roles", "requirements", "readings", "operations", "cases"] {
        let text = place.proofmark(&["list", what]).ends_with(0).out;
        let json = place.proofmark(&["list", what, "--format", "json"]).ends_with(0).json();
        assert_eq!(text.lines().count(), json.as_array().expect("an array").len(), "{what}");
        assert!(text.lines().count() >= 1, "{what}");
    }
    let readings = place.proofmark(&["list", "readings"]).out;
    assert!(readings.lines().all(|line| line.contains("reading")), "{readings}");
    let some = place.proofmark(&["list", "requirements", "JCS-NUM-*"]).ends_with(0).out;
    assert!(some.lines().count() >= 3 && some.lines().all(|line| line.starts_with("JCS-NUM-")));
}

#[test]
fn is_the_exported_corpus_whole_built_and_the_same_every_time() {
    let place = Workplace::with_corpus();
    let lines = place.proofmark(&["export"]).ends_with(0).out;
    let cases: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    let listed = place.proofmark(&["list", "cases"]).out;
    let ids: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(ids.len() > 500);
    assert_eq!(cases.iter().filter_map(|case| case["id"].as_str()).collect::<Vec<_>>(), ids);
    for case in &cases {
        assert!(!case["params"].to_string().contains("{\"build\":"), "{}", case["id"]);
        let steps = case["steps"].as_array().cloned().unwrap_or_else(|| vec![case.clone()]);
        for step in steps {
            let expect = step["expect"].as_object().expect("an expectation");
            assert_eq!(expect.len(), 1, "{}", case["id"]);
        }
    }
    let again = place.proofmark(&["export", "--corpus", "corpus"]).ends_with(0).out;
    let jcs = place.proofmark(&["export", "--case", "jcs/*"]).ends_with(0).out;
    assert!(jcs == again, "the folder's copy is exported as another corpus");
    let some = place.proofmark(&["export", "--case", "*/ordering/*"]).ends_with(0).out;
    let all: BTreeSet<&str> = lines.lines().collect();
    assert!(some.lines().count() > 10 && some.lines().all(|line| all.contains(line)));
}

#[test]
fn does_a_reader_that_goes_away_end_it_quietly() {
    let place = Workplace::new();
    for command in ["export", "list cases", "completions bash", "run --format json"] {
        let line = format!("{{ '{PROGRAM}' {command}; echo $? >&3; }} 3>status | head -c 1");
        let outcome = place.run(assert_cmd::Command::new("sh").args(["-c", &line])).ends_with(0);
        assert_eq!(outcome.out.len(), 1, "{command}");
        assert!(!outcome.err.contains("panic") && !outcome.err.contains("pipe"), "{}", outcome.err);
        assert_eq!(place.read("status").trim(), "0", "{command}: {}", outcome.err);
    }
}

// init.

#[test]
fn does_init_write_and_never_overwrite_unasked() {
    let place = Workplace::new();
    for (language, file) in [
        ("python", "adapter.py"),
        ("node", "adapter.mjs"),
        ("go", "adapter.go"),
        ("rust", "src/main.rs"),
        ("shell", "adapter.sh"),
    ] {
        let path = format!("{language}/{file}");
        place
            .proofmark(&["init", language, language])
            .ends_with(0)
            .prints(&path)
            .prints(&format!("cd {language}\n"))
            .prints("proofmark check -- ");
        let fresh = place.read(&path);
        assert!(fresh.contains("YOURS"), "{path}");
        place.write(&path, "mine");
        place
            .proofmark(&["init", language, language])
            .ends_with(2)
            .says(&format!("{language}/"))
            .says("is already there; --force replaces it");
        assert_eq!(place.read(&path), "mine");
        place.proofmark(&["init", language, language, "--force"]).ends_with(0);
        assert_eq!(place.read(&path), fresh);
    }
    place.proofmark(&["init", "python"]).ends_with(0);
    assert!(place.path("adapter.py").exists());
}

#[test]
fn is_a_mark_given_under_a_case_filter_that_matches_everything() {
    let place = Workplace::new();
    let report = place.proofmark(&["run", "--case", "*", "--format", "json"]).ends_with(0).json();
    for role in report["roles"].as_array().expect("roles") {
        assert_eq!((&role["mark"], &role["complete"]), (&json!("incomplete"), &json!(false)));
    }
}

#[test]
fn are_a_requirements_verdicts_those_of_requirements() {
    let place = Workplace::new();
    place.write("w.toml", "[[waiver]]\ncase = \"jcs/verifier/accepts/test-1\"\nreason = \"was\"\n");
    let run = ["run", "--waivers", "w.toml", "--format", "json"];
    let report = place.proofmark(&run).ends_with(5).json();
    let roles = report["roles"].as_array().expect("roles");
    let mut readings = 0;
    for requirement in
        roles.iter().flat_map(|role| role["requirements"].as_array().expect("requirements"))
    {
        let wanted = if requirement["level"] == "reading" { "recorded" } else { "pass" };
        assert_eq!(requirement["verdict"], wanted, "{requirement}");
        readings += usize::from(wanted == "recorded");
    }
    assert!(readings > 0);
}

#[test]
fn is_a_file_replayed_whose_case_can_be_judged_in_part_only() {
    let place = Workplace::new();
    let case = |more: &str| {
        format!(
            r#"operation = "jcs.canonicalize"
about = "One case."
[[case]]
id = "mine"
requirements = ["JCS-WS-1"]
why = "It is mine."
source = "hand: made for a test"
params.document.text = " 1"
expect.ok.bytes.text = "1"
{more}
"#
        )
    };
    place.write("mine.toml", case(""));
    place.proofmark(&["replay", "mine.toml"]).ends_with(0).prints("verdict   pass");
    for more in ["witness.one.contacted = true", "servers.one.kind = \"smtp\""] {
        place.write("mine.toml", case(more));
        let words = "mine.toml:3:1: case mine: ";
        place.proofmark(&["replay", "mine.toml"]).ends_with(2).says(words);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn is_it_told_where_an_output_is_full() {
    let place = Workplace::new();
    let shell = |line: &str| {
        let line = line.replace("proofmark", &format!("'{PROGRAM}'"));
        place.run(assert_cmd::Command::new("sh").args(["-c", &line]))
    };
    for command in ["run --role jcs/signer --format json", "export", "list --format json"] {
        let told = "standard output can't be written: No space left on device";
        shell(&format!("proofmark {command} >/dev/full")).ends_with(2).says(told);
    }
    // Standard error may be full as well, and the status stays what it is.
    shell("proofmark run --role jcs/signer 2>/dev/full").ends_with(0).prints("82 of 82 pass");
    shell("proofmark run --case no/such 2>/dev/full").ends_with(4);
    shell("proofmark run --no-such 2>/dev/full").ends_with(2);
}

#[cfg(unix)]
#[test]
fn is_a_subject_left_behind_where_check_or_replay_is_interrupted() {
    use rustix::process::{Pid, Signal, kill_process, test_kill_process};
    use std::process::{Command, Stdio};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    let place = Workplace::new();
    let await_that = |what: &str, met: &dyn Fn() -> bool| {
        let until = Instant::now() + Duration::from_secs(60);
        while !met() {
            assert!(Instant::now() < until, "{what}");
            sleep(Duration::from_millis(20));
        }
    };
    for (command, signal) in [
        (&["check"][..], Signal::TERM),
        (&["replay", "jcs/verifier/accepts/test-1"], Signal::HUP),
        (&["check"], Signal::INT),
    ] {
        let _ = std::fs::remove_file(place.path("pid"));
        let mut program = Command::new(PROGRAM)
            .args(command)
            .args(["--", "sh", "-c", "echo $$ >pid.new; mv pid.new pid; exec sleep 600"])
            .current_dir(place.path(""))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        await_that("the subject starts", &|| place.path("pid").exists());
        let subject = place.read("pid").trim().parse().ok().and_then(Pid::from_raw);
        let subject = subject.expect("a process id");
        let id = Pid::from_raw(program.id().cast_signed()).expect("a process id");
        kill_process(id, signal).expect("a child can be sent a signal");
        assert_eq!(program.wait().expect("it ends").code(), Some(130), "{command:?}");
        // Whoever adopts it may take a moment to reap it.
        await_that("the subject is gone", &|| {
            test_kill_process(subject).is_err() || is_dead(subject.as_raw_nonzero().get())
        });
    }
}

/// Whether nobody has reaped a process that has ended.
#[cfg(unix)]
fn is_dead(pid: i32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| stat.contains(") Z "))
}

#[test]
fn does_the_command_that_replays_a_case_find_it_again() {
    let place = Workplace::with_corpus();
    let path = "corpus/jcs/canonicalizer/whitespace.toml";
    let text = place.read(path);
    let own = r#"
[[case]]
id = "of-mine"
requirements = ["JCS-WS-1"]
why = "It is in this corpus alone."
source = "hand: made for a test"
params.document.text = " [ 12 ] "
expect.ok.bytes.text = "[21]"
"#;
    place.write(path, text + own);
    std::fs::rename(place.path("corpus"), place.path("my corpus")).expect("a move");
    let case = "jcs/canonicalizer/whitespace/of-mine";
    let run = ["run", "--corpus", "my corpus", "--timeout", "59s", "--max-line", "99999"];
    let asked = ["--case", case, "--format", "json", "--", PROGRAM, "serve"];
    let report = place.proofmark(&[&run[..], &asked].concat()).ends_with(1).json();
    let replay = report["roles"][0]["cases"][0]["replay"].as_str().expect("a command");
    let options = "--corpus 'my corpus' --timeout 59s --max-line 99999";
    assert_eq!(replay, format!("proofmark replay {case} {options} -- {PROGRAM} serve"));
    let replay = replay.replacen("proofmark", PROGRAM, 1);
    place
        .run(assert_cmd::Command::new("sh").args(["-c", &replay]))
        .ends_with(1)
        .prints("verdict   fail");
    // In a folder with another subject the reference is asked for by name.
    let run = ["run", "--corpus", "my corpus", "--reference", "--case", case, "--format", "json"];
    let report = place.proofmark(&run).ends_with(1).json();
    let replay = report["roles"][0]["cases"][0]["replay"].as_str().expect("a command");
    assert!(replay.ends_with("--corpus 'my corpus' --reference"), "{replay}");
}

#[test]
fn may_an_answer_be_another_whenever_it_is_asked() {
    // As fresh ids are: the process's own number in every output with a document.
    let fresh = format!(
        "'{PROGRAM}' serve | sed -u \"s/\\\"ok\\\":{{\\\"document\\\"/\\\"ok\\\":{{\\\"by\\\":$$,\\\"document\\\"/\""
    );
    let place = Workplace::new();
    place.proofmark(&["check", "--", "sh", "-c", &fresh]).ends_with(0).prints("ok     elsewhere");
}
