//! Does the loader turn down every corpus that is ambiguous or wrong, and say where? Each refusal
//! differs from a corpus that loads in one place.

mod workplace;

use workplace::Workplace;

const TOPIC: &str = "corpus/jcs/canonicalizer/added.toml";

/// A topic with one case of each kind; with the compiled-in corpus around it, it loads.
const SOUND: &str = r#"operation = "jcs.canonicalize"
about = "Made for a test."

[[case]]
id = "accepted"
requirements = ["JCS-WS-1"]
why = "White space goes."
source = "hand: made for a test"
params.document.text = '{"added": 1}'
expect.ok.bytes.text = '{"added":1}'

[[case]]
id = "turned-down"
requirements = ["JCS-SYN-1"]
why = "A brace is missing."
twin = "accepted"
source = "hand: made for a test"
params.document.text = '{"added": 1'
expect.refused = {}

[[case]]
id = "read-either-way"
requirements = ["JCS-R-1"]
why = "The text admits both."
source = "hand: made for a test"
params.document.text = '{"added": "\uffff"}'
expect.readings.kept.ok.any = true
expect.readings.refused.refused = {}

[[case]]
id = "built"
requirements = ["JCS-BIG-1"]
why = "Pieces make a document."
source = "hand: made for a test"
params.document.build = [{text = '{"added": ['}, {repeat = "1", times = 3, join = ","}, {text = "]}"}]
expect.ok.bytes.text = '{"added":[1,1,1]}'
"#;

/// The corpus with `SOUND`, in which `from` is replaced by `to`.
fn changed(from: &str, to: &str) -> Workplace {
    let place = Workplace::with_corpus();
    assert!(SOUND.contains(from), "{from:?} is not in the topic");
    place.write(TOPIC, SOUND.replacen(from, to, 1));
    place
}

/// Holds the whole message of a corpus that is turned down against what it must be.
#[track_caller]
fn refused(place: &Workplace, message: &str) {
    let outcome = place.proofmark(&["list", "--corpus", "corpus"]).ends_with(2);
    assert_eq!(outcome.err.trim_end(), format!("proofmark: {message}"));
    assert_eq!(outcome.out, "", "nothing is printed of a corpus that is turned down");
}

#[track_caller]
fn refuses(from: &str, to: &str, message: &str) {
    refused(&changed(from, to), &format!("{TOPIC}:{message}"));
}

#[test]
fn does_the_unchanged_copy_load() {
    let place = Workplace::with_corpus();
    let list = ["list", "roles", "jcs/*"];
    let listed = place.proofmark(&[&list[..], &["--corpus", "corpus"]].concat()).ends_with(0);
    assert_eq!(listed.out, place.proofmark(&list).ends_with(0).out);
    place.write(TOPIC, SOUND);
    let ids = place.proofmark(&["list", "cases", "*/added/*", "--corpus", "corpus"]).ends_with(0);
    assert_eq!(ids.out.lines().count(), 4, "{}", ids.out);
    place.proofmark(&["run", "--case", "*/added/*", "--corpus", "corpus"]).ends_with(0);
}

#[test]
fn is_an_unknown_key_refused_wherever_it_stands() {
    refuses(
        "about =",
        "abuot = \"x\"\nabout =",
        "2:1: unknown field `abuot`, expected one of `operation`, `about`, `case`",
    );
    refuses(
        "why = \"White",
        "wy = \"x\"\nwhy = \"White",
        "7:1: unknown field `wy`, expected one of `id`, `requirements`, `why`, `source`, `twin`, `no_twin`, `operation`, `params`, `expect`, `step`, `claims`, `servers`, `witness`",
    );
    refuses(
        "expect.refused = {}",
        "expect.refusd = {}",
        "19:8: unknown field `refusd`, expected one of `ok`, `refused`, `readings`",
    );
    refuses(
        "expect.ok.bytes.text = '{\"added\":1}'",
        "expect.ok.byte.text = '{\"added\":1}'",
        "10:11: unknown field `byte`, expected one of `equals`, `includes`, `bytes`, `sha256`, `schema`, `any`, `lacks`, `front_matter`, `front_matter_lacks`, `front_matter_body`",
    );
    refuses(
        "expect.refused = {}",
        "expect.refused = {cod = \"x\"}",
        "19:19: unknown field `cod`, expected one of `code`, `codes`, `at`",
    );
    refuses(
        "times = 3,",
        "tims = 3,",
        "30:1: case built: params: piece 1: unknown field `tims`, expected one of `text`, `base64`, `hex`, `repeat`, `count`, `times`, `join`, `width`, `from`, at /document/build",
    );
}

#[test]
fn is_an_id_used_twice_refused() {
    refuses("id = \"built\"", "id = \"accepted\"", "30:1: case accepted: another case has this id");
    refuses(
        "id = \"built\"",
        "id = \"Built\"",
        "30:1: case Built: ids and topics are lower-case letters, digits and hyphens",
    );
}

#[test]
fn is_a_requirement_refused_that_is_unknown_or_of_another_role() {
    refuses("JCS-WS-1", "JCS-WS-9", "4:1: case accepted: there is no requirement JCS-WS-9");
    refuses(
        "JCS-WS-1",
        "JCS-SIG-1",
        "4:1: case accepted: JCS-SIG-1 does not bind the role jcs/canonicalizer",
    );
    refuses("[\"JCS-WS-1\"]", "[]", "4:1: case accepted: it tests no requirement");
}

#[test]
fn does_a_refusal_need_a_twin_that_is_accepted() {
    const LACKS: &str =
        "a refusal needs a `twin` that must be accepted, or `no_twin` with the reason";
    refuses("twin = \"accepted\"\n", "", &format!("12:1: case turned-down: {LACKS}"));
    refuses("twin = \"accepted\"", "no_twin = \" \"", "12:1: case turned-down: `no_twin` is empty");
    refuses(
        "twin = \"accepted\"",
        "twin = \"acepted\"",
        "12:1: case turned-down: its twin jcs/canonicalizer/added/acepted is no case",
    );
    refuses(
        "twin = \"accepted\"",
        "twin = \"turned-down\"",
        "12:1: case turned-down: its twin jcs/canonicalizer/added/turned-down is not one that must be accepted",
    );
    refuses(
        "twin = \"accepted\"",
        "twin = \"accepted\"\nno_twin = \"x\"",
        "12:1: case turned-down: it has both `twin` and `no_twin`",
    );
    let place = changed("twin = \"accepted\"", "no_twin = \"There can't be one.\"");
    place.proofmark(&["list", "--corpus", "corpus"]).ends_with(0);
}

#[test]
fn must_the_words_be_there() {
    refuses(
        "source = \"hand: made for a test\"",
        "source = \"\"",
        "4:1: case accepted: `source` is empty",
    );
    refuses("why = \"White space goes.\"", "why = \" \"", "4:1: case accepted: `why` is empty");
    refuses("why = \"White space goes.\"\n", "", "4:1: missing field `why`");
    refused(&changed("Made for a test.", ""), &format!("{TOPIC}: `about` is empty"));
}

#[test]
fn is_a_must_without_a_case_noticed() {
    let place = Workplace::with_corpus();
    std::fs::remove_file(place.path("corpus/jcs/canonicalizer/magic-names.toml")).expect("a topic");
    let outcome = place.proofmark(&["list", "--corpus", "corpus"]).ends_with(2);
    let line = include_str!("../suites/jcs/requirements.toml")
        .lines()
        .position(|line| line == "id = \"JCS-MAG-1\"")
        .expect("the requirement");
    // The table's header stands one line above the id, and lines count from 1.
    let message = format!("suites/jcs/requirements.toml:{line}:1: no case tests JCS-MAG-1 (");
    assert!(outcome.err.contains(&message), "{message}\n{}", outcome.err);
}

#[test]
fn are_two_cases_with_the_same_request_refused() {
    let same = "case built: the same operation and params as jcs/canonicalizer/added/accepted";
    refuses(
        r#"params.document.build = [{text = '{"added": ['}, {repeat = "1", times = 3, join = ","}, {text = "]}"}]"#,
        r#"params.document.text = '{"added": 1}'"#,
        &format!("30:1: {same}"),
    );
    // What counts is what is sent, not how it is written.
    refuses(
        r#"params.document.build = [{text = '{"added": ['}, {repeat = "1", times = 3, join = ","}, {text = "]}"}]"#,
        r#"params.document.build = [{text = '{"added"'}, {hex = "3a 20"}, {text = "1}"}]"#,
        &format!("30:1: {same}"),
    );
    refuses(
        r#"params.document.build = [{text = '{"added": ['}, {repeat = "1", times = 3, join = ","}, {text = "]}"}]"#,
        r#"params.document.base64 = "eyJhZGRlZCI6IDF9""#,
        &format!("30:1: {same}"),
    );
}

#[test]
fn is_what_json_has_no_word_for_refused() {
    refuses(
        r#"params.document.text = '{"added": 1}'"#,
        "params.when = 2027-01-31",
        "4:1: case accepted: params: the date 2027-01-31 at /when must be a string",
    );
    refuses(
        r#"params.document.text = '{"added": 1}'"#,
        "params.odd = [1, nan]",
        "4:1: case accepted: params: NaN at /odd/1 is no JSON number",
    );
    refuses(
        r#"params.document.text = '{"added": 1}'"#,
        "params.odd = -inf",
        "4:1: case accepted: params: -inf at /odd is no JSON number",
    );
    refuses(
        r#"params.document.text = '{"added": 1}'"#,
        "params.odd.\"$json\" = \"nul\"",
        "4:1: case accepted: params: `$json` at /odd is not JSON: EOF while parsing a value at line 1 column 3",
    );
}

#[test]
fn is_an_expectation_exactly_one_thing() {
    refuses(
        "expect.refused = {}",
        "expect.refused = {}\nexpect.ok.any = true",
        "12:1: case turned-down: expect: `expect` is exactly one of ok, refused, readings",
    );
    refuses(
        "expect.refused = {}",
        "expect = {}",
        "12:1: case turned-down: expect: `expect` is exactly one of ok, refused, readings",
    );
    refuses(
        "expect.refused = {}\n",
        "",
        "12:1: case turned-down: a case has either `params` and `expect`, or `step` tables",
    );
    refuses(
        "expect.ok.bytes.text = '{\"added\":1}'",
        "expect.ok.any = false",
        "4:1: case accepted: expect: `ok` is exactly one of equals, includes, bytes, sha256, schema, any = true",
    );
    refuses(
        "expect.ok.bytes.text = '{\"added\":1}'",
        "expect.ok.sha256 = \"00\"",
        "4:1: case accepted: expect: `sha256` is 32 bytes, in hexadecimal or base64url",
    );
    refuses(
        "expect.ok.bytes.text = '{\"added\":1}'",
        "expect.ok.bytes = \"{}\"",
        "4:1: case accepted: expect: `bytes` is a document: text, base64 or build",
    );
}

#[test]
fn is_a_member_refused_that_the_operation_does_not_name() {
    for expect in ["equals", "includes"] {
        refuses(
            "expect.ok.bytes.text = '{\"added\":1}'",
            &format!("expect.ok.{expect}.documnet.text = '{{\"added\":1}}'"),
            "4:1: case accepted: the output of jcs.canonicalize has no member /documnet",
        );
    }
}

#[test]
fn is_a_schema_refused_that_is_none() {
    changed("expect.ok.bytes.text = '{\"added\":1}'", "expect.ok.schema.type = 'strin'")
        .proofmark(&["list", "--corpus", "corpus"])
        .ends_with(2)
        .says("4:1: case accepted: `schema`: ");
}

#[test]
fn are_the_names_of_readings_those_of_the_requirement() {
    refuses(
        "readings.kept",
        "readings.keeps",
        "21:1: case read-either-way: JCS-R-1 has no reading keeps",
    );
    refuses(
        "expect.readings.kept.ok.any = true\n",
        "",
        "21:1: case read-either-way: expect: `expect.readings` needs at least two",
    );
    refuses(
        "[\"JCS-R-1\"]",
        "[\"JCS-STR-1\"]",
        "21:1: case read-either-way: it expects readings and cites no reading",
    );
    refuses(
        "[\"JCS-WS-1\"]",
        "[\"JCS-R-1\"]",
        "4:1: case accepted: it cites a reading and expects none",
    );
}

#[test]
fn where_is_ill_formed_toml_ill_formed() {
    refuses(
        "id = \"accepted\"",
        "id = accepted",
        "5:6: string values must be quoted, expected literal string",
    );
    refuses(
        "[[case]]\nid = \"built\"",
        "[[case]\nid = \"built\"",
        "30:8: unclosed array table, expected `]`",
    );
    // Columns count characters, not bytes.
    refuses("White space goes.\"", "é\" ä", "7:11: unexpected key or value, expected newline, `#`");
}

#[test]
fn is_a_file_that_is_not_utf_8_refused() {
    let place = changed("White space goes.", "White space goes");
    let mut bytes = place.read(TOPIC).into_bytes();
    let at = SOUND.find("goes").expect("the word");
    bytes[at] = 0xff;
    place.write(TOPIC, bytes);
    refused(&place, &format!("{TOPIC}:7:20: the file is not UTF-8"));
}

#[test]
fn is_a_folder_without_a_corpus_refused() {
    let place = Workplace::new();
    refused(&place, "corpus: No such file or directory (os error 2)");
    std::fs::create_dir(place.path("corpus")).expect("a folder");
    let empty = "corpus: no case files in it: they are expected as SUITE/ROLE/TOPIC.toml";
    refused(&place, empty);
    place.write("corpus/readme.md", "# no case");
    refused(&place, empty);
    place.write("corpus/.hidden/jcs/topic.toml", "");
    refused(&place, empty);
}

#[test]
fn is_a_file_in_the_wrong_place_refused() {
    for (below, what) in [
        ("jcs/added.toml", "a case file is SUITE/ROLE/TOPIC.toml"),
        ("jcs/canonicalizer/more/added.toml", "a case file is SUITE/ROLE/TOPIC.toml"),
        ("added.toml", "a case file is SUITE/ROLE/TOPIC.toml"),
        ("jcs/canonicaliser/added.toml", "there is no role jcs/canonicaliser"),
        ("jsc/canonicalizer/added.toml", "there is no role jsc/canonicalizer"),
    ] {
        let place = Workplace::with_corpus();
        place.write(&format!("corpus/{below}"), SOUND);
        refused(&place, &format!("corpus/{below}: {what}"));
    }
}

#[test]
fn does_a_retired_id_stay_retired() {
    let place = changed("", "");
    place.write("corpus/retired.toml", "retired = [\"jcs/canonicalizer/added/built\"]\n");
    refused(
        &place,
        &format!("{TOPIC}:30:1: case built: this id is retired and is never used again"),
    );
    place.write("corpus/retired.toml", "retired = [\"jcs/canonicalizer/added/gone\"]\n");
    place.proofmark(&["list", "--corpus", "corpus"]).ends_with(0);
    place.write("corpus/retired.toml", "retierd = []\n");
    refused(&place, "corpus/retired.toml:1:1: unknown field `retierd`, expected `retired`");
}

#[test]
fn is_an_operation_known_and_one_of_the_roles() {
    refuses(
        "operation = \"jcs.canonicalize\"",
        "operation = \"jcs.canonicalise\"",
        "4:1: case accepted: the suite has no operation jcs.canonicalise\n\
         corpus/jcs/canonicalizer/added.toml:12:1: case turned-down: the suite has no operation jcs.canonicalise\n\
         corpus/jcs/canonicalizer/added.toml:21:1: case read-either-way: the suite has no operation jcs.canonicalise\n\
         corpus/jcs/canonicalizer/added.toml:30:1: case built: the suite has no operation jcs.canonicalise",
    );
    refuses(
        "id = \"accepted\"",
        "id = \"accepted\"\noperation = \"jcs.digest\"",
        "4:1: case accepted: none of its operations is one of jcs/canonicalizer",
    );
}

#[test]
fn are_live_servers_and_witnesses_that_watch_nothing_refused() {
    let what = "4:1: case accepted: servers.one: unknown field `path`, expected one of `kind`, \
                `versions`, `tools`, `token`, `page`, `endless`, `sse`, `before`, `session`, \
                `announce`, `instructions`, `list`, `always`";
    refuses("id = \"accepted\"", "id = \"accepted\"\nservers.one.path = \"/\"", what);
    let what = "4:1: case accepted: witness.one: the case has no server `one`";
    refuses("id = \"accepted\"", "id = \"accepted\"\nwitness.one.contacted = true", what);
}

#[test]
fn are_all_faults_told_at_once() {
    let text = SOUND.replace("source = \"hand: made for a test\"", "source = \"\"");
    let place = Workplace::with_corpus();
    place.write(TOPIC, text);
    let outcome = place.proofmark(&["list", "--corpus", "corpus"]).ends_with(2);
    assert_eq!(outcome.err.matches("`source` is empty").count(), 4, "{}", outcome.err);
}
