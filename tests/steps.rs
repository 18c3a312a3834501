//! Is a case of several requests asked, judged, shown and exported step by step?

mod workplace;

use serde_json::Value;
use workplace::Workplace;

const ID: &str = "jcs/verifier/round-trip/signs-and-verifies";

/// Signs a document and verifies its other spelling by what was signed.
const TOPIC: &str = r#"about = "What was signed is verified."

[[case]]
id = "signs-and-verifies"
requirements = ["JCS-VER-1"]
claims = ["jcs/signer"]
why = "One process signs and verifies."
source = "hand: made for a test"

[[case.step]]
operation = "jcs.sign"
params.document.text = '{"steps": 2, "a": "é"}'
params.seed = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"
expect.ok.includes.public_key = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
save = "signed"

[[case.step]]
operation = "jcs.verify"
params.document.text = '{"a":"é","steps":2}'
params.signature = "{{signed.signature}}"
params.public_key = "{{signed.public_key}}"
expect.ok.equals."$json" = "null"
"#;

fn place(topic: &str) -> Workplace {
    let place = Workplace::with_corpus();
    place.write("corpus/jcs/verifier/round-trip.toml", topic);
    place
}

fn turned() -> Workplace {
    let turned = TOPIC.replace("expect.ok.equals.\"$json\" = \"null\"", "expect.refused = {}");
    assert_ne!(turned, TOPIC);
    place(&turned.replace("why =", "no_twin = \"It is a test.\"\nwhy ="))
}

fn verifier(report: &Value) -> &Value {
    let roles = report["roles"].as_array().expect("roles");
    roles.iter().find(|role| role["role"] == "jcs/verifier").expect("the role")
}

#[test]
fn does_the_reference_pass_a_case_of_two_steps() {
    let place = place(TOPIC);
    let report = place
        .proofmark(&["run", "--corpus", "corpus", "--case", ID, "--format", "json"])
        .ends_with(0)
        .json();
    let verifier = verifier(&report);
    assert_eq!(verifier["counts"]["pass"], 1);
    assert_eq!(verifier["cases"][0]["id"], ID);
    // Over a pipe as well as in process.
    let subject = ["--", workplace::PROGRAM, "serve"];
    place
        .proofmark(&[&["run", "--corpus", "corpus", "--case", ID][..], &subject].concat())
        .ends_with(0)
        .prints("1 of 1 pass");
}

#[test]
fn is_the_step_named_that_is_not_as_it_must_be() {
    let place = turned();
    let run = ["run", "--corpus", "corpus", "--case", ID];
    let report = place.proofmark(&[&run[..], &["--format", "json"]].concat()).ends_with(1).json();
    let case = &verifier(&report)["cases"][0];
    assert_eq!(case["verdict"], "fail");
    assert_eq!(case["step"], 2);
    assert_eq!(case["operation"], "jcs.verify");
    assert_eq!(case["reason"], "it was accepted, and must be refused");
    place.proofmark(&run).ends_with(1).prints("step      2");
}

#[test]
fn does_a_wrong_first_step_end_the_case() {
    let place = place(&TOPIC.replace("11qYAYKxCrfV", "21qYAYKxCrfV"));
    let report = place
        .proofmark(&["run", "--corpus", "corpus", "--case", ID, "--format", "json"])
        .ends_with(1)
        .json();
    let case = &verifier(&report)["cases"][0];
    assert_eq!((&case["step"], &case["operation"]), (&1.into(), &"jcs.sign".into()));
    let shown = place.proofmark(&["replay", "--corpus", "corpus", ID]).ends_with(1);
    assert_eq!(shown.out.matches("\n→ ").count(), 1, "{}", shown.out);
}

#[test]
fn does_replay_show_every_request_with_what_was_saved_filled_in() {
    let place = place(TOPIC);
    let shown = place.proofmark(&["replay", "--corpus", "corpus", ID]).ends_with(0).out;
    assert_eq!(shown.matches("\n→ ").count(), 2, "{shown}");
    assert_eq!(shown.matches("\n← ").count(), 2, "{shown}");
    assert!(!shown.contains("{{"), "{shown}");
    let key = "\"public_key\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"";
    let with_key: Vec<char> = shown
        .lines()
        .filter(|line| line.contains(key))
        .filter_map(|line| line.chars().next())
        .collect();
    assert_eq!(with_key, ['←', ' ', '→'], "answered, expected, and asked with: {shown}");
    turned().proofmark(&["replay", "--corpus", "corpus", ID]).ends_with(1).prints("verdict   fail");
}

#[test]
fn are_all_steps_exported_and_explained() {
    let place = place(TOPIC);
    let line = place.proofmark(&["export", "--corpus", "corpus", "--case", ID]).ends_with(0).json();
    let steps = line["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 2);
    assert_eq!(steps[0]["save"], "signed");
    assert_eq!(steps[1]["params"]["signature"], "{{signed.signature}}");
    assert!(line.get("operation").is_none() && line.get("expect").is_none());
    place
        .proofmark(&["explain", "--corpus", "corpus", ID])
        .ends_with(0)
        .prints("step 1")
        .prints("jcs.sign")
        .prints("step 2")
        .prints("jcs.verify");
}

#[test]
fn is_a_name_that_nobody_saved_refused() {
    let message = "corpus/jcs/verifier/round-trip.toml:3:1: case signs-and-verifies: ";
    let unsaved = format!("{message}`{{{{sigend…}}}}` was not saved by an earlier step");
    place(&TOPIC.replace("{{signed.s", "{{sigend.s"))
        .proofmark(&["list", "--corpus", "corpus"])
        .ends_with(2)
        .says(&unsaved);
    // Not by a later one either.
    let step = TOPIC.find("[[case.step]]").expect("the first step");
    let (head, steps) = TOPIC.split_at(step);
    let second = steps.rfind("[[case.step]]").expect("the second step");
    let (first, second) = steps.split_at(second);
    place(&format!("{head}{second}\n{first}"))
        .proofmark(&["list", "--corpus", "corpus"])
        .ends_with(2)
        .says(&format!("{message}`{{{{signed…}}}}` was not saved by an earlier step"));
}

#[test]
fn is_a_case_either_one_request_or_steps() {
    let both = TOPIC.replace("source =", "expect.ok.any = true\nsource =");
    place(&both).proofmark(&["list", "--corpus", "corpus"]).ends_with(2).says(
        ":3:1: case signs-and-verifies: a case has either `params` and `expect`, or `step` tables",
    );
    place(&TOPIC.replacen("save = \"signed\"", "svae = \"signed\"", 1))
        .proofmark(&["list", "--corpus", "corpus"])
        .ends_with(2)
        .says("round-trip.toml:15:1: unknown field `svae`");
}

#[test]
fn may_an_adapter_answer_in_base64_what_a_later_step_uses_as_text() {
    let place = Workplace::with_corpus();
    let id = "jcs/canonicalizer/again/twice";
    place.write(
        "corpus/jcs/canonicalizer/again.toml",
        r#"operation = "jcs.canonicalize"
about = "What is canonical stays so."

[[case]]
id = "twice"
requirements = ["JCS-WS-1"]
why = "Canonical bytes are a document like any other."
source = "hand: made for a test"

[[case.step]]
params.document.text = '{"again": 1}'
expect.ok.any = true
save = "first"

[[case.step]]
params.document.text = " {{first.document.text}} "
expect.ok.bytes.text = '{"again":1}'
"#,
    );
    // {"again":1}
    let answer = r#"s/{"text":"{\\"again\\":1}"}/{"base64":"eyJhZ2FpbiI6MX0="}/"#;
    let subject = format!("'{}' serve | sed -u '{answer}'", workplace::PROGRAM);
    let run = ["run", "--corpus", "corpus", "--case", id, "--format", "json", "--"];
    place.proofmark(&[&run[..], &["sh", "-c", &subject]].concat()).ends_with(0);
    let replay = ["replay", "--corpus", "corpus", id, "--", "sh", "-c", &subject];
    place.proofmark(&replay).ends_with(0).prints(r#"← {"id":2,"ok":{"document":{"base64":"#);
}

#[test]
fn is_a_reading_recorded_that_an_earlier_step_told() {
    let place = Workplace::with_corpus();
    let id = "jcs/canonicalizer/again/reads-then-passes";
    place.write(
        "corpus/jcs/canonicalizer/again.toml",
        r#"operation = "jcs.canonicalize"
about = "A reading first."

[[case]]
id = "reads-then-passes"
requirements = ["JCS-R-1"]
why = "What was recorded stays recorded."
source = "hand: made for a test"

[[case.step]]
params.document.text = '{"again": "\uffff"}'
expect.readings.kept.ok.any = true
expect.readings.refused.refused = {}

[[case.step]]
params.document.text = '{"again": 1}'
expect.ok.bytes.text = '{"again":1}'
"#,
    );
    let run = ["run", "--corpus", "corpus", "--case", id, "--format", "json"];
    let report = place.proofmark(&run).ends_with(0).json();
    let role = &report["roles"][0];
    assert_eq!(
        (&role["cases"][0]["verdict"], &role["cases"][0]["reading"]),
        (&"recorded".into(), &"kept".into())
    );
    assert_eq!(role["readings"][0]["reading"], "kept");
}

#[test]
fn is_a_refusal_saved() {
    place(&TOPIC.replacen(
        "expect.ok.includes.public_key = \"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"",
        "expect.refused = {}",
        1,
    ))
    .proofmark(&["list", "--corpus", "corpus"])
    .ends_with(2)
    .says("case signs-and-verifies: it saves the output of a step that is never accepted");
}
