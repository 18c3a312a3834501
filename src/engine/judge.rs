//! Judging: an expectation and a reply make a verdict. Nothing else in the program does.

use std::collections::BTreeMap;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::adapter::document;
use crate::adapter::message::{Refusal, Reply};
use crate::engine::compare::{self, Difference, Scope};
use crate::engine::verdict::Verdict;
use crate::engine::{front_matter, lacks};
use crate::suite::expect::{Accepted, Expect, FrontMatter, Output, Refused};
use crate::suite::operation::{Operation, Places};

/// A verdict with its reasons.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// The reading that the answer fits.
    pub reading: Option<String>,
    /// Why it is no pass, one sentence without a full stop.
    pub reason: Option<String>,
    /// Where the answer differs.
    pub differences: Vec<Difference>,
}

impl Judgement {
    fn pass() -> Judgement {
        Judgement { verdict: Verdict::Pass, reading: None, reason: None, differences: vec![] }
    }

    pub(super) fn of(verdict: Verdict, reason: impl Into<String>) -> Judgement {
        Judgement { verdict, reading: None, reason: Some(reason.into()), differences: vec![] }
    }

    fn differs(differences: Vec<Difference>) -> Judgement {
        if differences.is_empty() {
            return Judgement::pass();
        }
        let reason = match differences.first() {
            Some(first) if first.at.is_empty() => first.what.clone(),
            Some(first) => format!("at {}: {}", first.at, first.what),
            None => String::new(),
        };
        Judgement { verdict: Verdict::Fail, reading: None, reason: Some(reason), differences }
    }
}

/// Judges one reply. `operation` has the shape that its output must have.
///
/// Only `refused` satisfies a case that expects a refusal; only `ok` one that expects an output.
pub fn judge(expect: &Expect, reply: &Reply, operation: Option<&Operation>) -> Judgement {
    match reply {
        Reply::Unsupported(what) => {
            let what = what.as_deref().map(|what| format!(" ({what})")).unwrap_or_default();
            return Judgement::of(
                Verdict::Unsupported,
                format!("the adapter does not offer the operation{what}"),
            );
        }
        Reply::Fault(message) => {
            return Judgement::of(Verdict::AdapterFault, format!("the adapter failed: {message}"));
        }
        Reply::Ok(_) | Reply::Refused(_) => {}
    }
    match expect {
        Expect::Ok(accepted) => match reply {
            Reply::Ok(value) => judge_accepted(accepted, value, operation),
            _ => Judgement::of(Verdict::Fail, "it was refused, and must be accepted"),
        },
        Expect::Refused(refused) => match reply {
            Reply::Refused(refusal) => judge_refusal(refused, refusal),
            _ => Judgement::of(Verdict::Fail, "it was accepted, and must be refused"),
        },
        Expect::Readings(readings) => match fitting(readings, reply, operation).first() {
            Some(name) => Judgement {
                verdict: Verdict::Recorded,
                reading: Some((*name).to_owned()),
                reason: None,
                differences: vec![],
            },
            None => fits_none(readings, reply, operation),
        },
    }
}

/// Says of every reading of the reply's own kind (an output, a refusal) what it does not fit.
fn fits_none(
    readings: &BTreeMap<String, Expect>,
    reply: &Reply,
    operation: Option<&Operation>,
) -> Judgement {
    let names: Vec<&str> = readings.keys().map(String::as_str).collect();
    let mut reason =
        format!("the answer fits none of the admitted readings ({})", names.join(", "));
    let mut differences = Vec::new();
    for (name, expect) in readings {
        let alike = match expect {
            Expect::Ok(_) => matches!(reply, Reply::Ok(_)),
            Expect::Refused(_) => matches!(reply, Reply::Refused(_)),
            Expect::Readings(_) => false,
        };
        if alike {
            let judgement = judge(expect, reply, operation);
            reason += &format!("; not {name}: {}", judgement.reason.unwrap_or_default());
            if differences.is_empty() {
                differences = judgement.differences;
            }
        }
    }
    Judgement { verdict: Verdict::Fail, reading: None, reason: Some(reason), differences }
}

/// The names of the readings that a reply fits.
pub(super) fn fitting<'a>(
    readings: &'a BTreeMap<String, Expect>,
    reply: &Reply,
    operation: Option<&Operation>,
) -> Vec<&'a str> {
    readings
        .iter()
        .filter(|(_, expect)| judge(expect, reply, operation).verdict == Verdict::Pass)
        .map(|(name, _)| name.as_str())
        .collect()
}

fn judge_refusal(refused: &Refused, refusal: &Refusal) -> Judgement {
    let judgement = judge_code(&refused.codes, refusal.code.as_deref());
    let Some(wanted) = refused.at.as_deref().filter(|_| judgement.verdict == Verdict::Pass) else {
        return judgement;
    };
    let faults = refusal.faults.as_ref().and_then(Value::as_array).into_iter().flatten();
    let faults = faults.filter_map(|fault| fault.get("at")?.as_str());
    let mut places = refusal.at.as_deref().into_iter().chain(faults);
    if places.any(|at| at == wanted) {
        return judgement;
    }
    let got = refusal.at.as_deref().map_or("nowhere".to_owned(), |at| format!("at {at:?}"));
    Judgement::of(Verdict::Fail, format!("it was refused {got}, and the fault is at {wanted:?}"))
}

fn judge_code(codes: &[String], code: Option<&str>) -> Judgement {
    if codes.is_empty() || code.is_some_and(|code| codes.iter().any(|wanted| wanted == code)) {
        return Judgement::pass();
    }
    let got = code.map_or("without a code".to_owned(), |code| format!("with the code {code:?}"));
    Judgement::of(
        Verdict::Fail,
        format!("it was refused {got}, and must be with {}", codes.join(" or ")),
    )
}

fn judge_accepted(accepted: &Accepted, value: &Value, operation: Option<&Operation>) -> Judgement {
    let mut judgement = judge_output(&accepted.output, value, operation);
    if judgement.verdict == Verdict::Pass && !accepted.lacks.is_empty() {
        judgement = Judgement::differs(lacks::found(&accepted.lacks, value));
    }
    if judgement.verdict == Verdict::Pass && !accepted.front_matter.is_free() {
        judgement = judge_front_matter(&accepted.front_matter, value, operation);
    }
    judgement
}

/// Judges the front matter of the output's member `document`, or of its one document.
fn judge_front_matter(
    expected: &FrontMatter,
    value: &Value,
    operation: Option<&Operation>,
) -> Judgement {
    let named = value.get("document").and_then(document::bytes);
    let judge = |at: &str, bytes: &[u8]| match front_matter::read(bytes) {
        Err(what) => Judgement::of(Verdict::Fail, format!("the document can't be read: {what}")),
        Ok(read) => {
            let members = Value::Object(read.members);
            let mut differences = match &expected.includes {
                Some(includes) => compare::not_included(includes, &members),
                None => Vec::new(),
            };
            differences.extend(expected.lacks.iter().filter_map(|key| {
                Some(Difference {
                    at: document::pointer_to("", key),
                    what: "this key was not expected in the front matter".to_owned(),
                    expected: None,
                    got: Some(compare::shorten(members.get(key)?)),
                })
            }));
            if let Some(body) = &expected.body {
                let (wanted, got) = (trimmed(body), trimmed(&read.body));
                differences.extend(compare::different_bytes(at, wanted.as_bytes(), got.as_bytes()));
            }
            Judgement::differs(differences)
        }
    };
    match named {
        Some(bytes) => judge("/document", &bytes),
        None => one_document(value, operation, judge),
    }
}

/// A body without blank lines at its ends.
fn trimmed(body: &str) -> &str {
    let is_blank = |line: &str| line.trim_matches([' ', '\t', '\r', '\n']).is_empty();
    let mut rest = body;
    while let Some(line) = rest.split_inclusive('\n').next().filter(|line| is_blank(line)) {
        rest = rest.get(line.len()..).unwrap_or_default();
    }
    while let Some(line) = rest.split_inclusive('\n').next_back().filter(|line| is_blank(line)) {
        rest = rest.get(..rest.len() - line.len()).unwrap_or_default();
    }
    rest.strip_suffix('\n').map_or(rest, |rest| rest.strip_suffix('\r').unwrap_or(rest))
}

fn judge_output(output: &Output, value: &Value, operation: Option<&Operation>) -> Judgement {
    match output {
        Output::Equals(expected) => compared(&expected.value(), value, operation, Scope::Whole),
        Output::Includes(expected) => compared(&expected.value(), value, operation, Scope::Subset),
        Output::Bytes(expected) => {
            let expected = expected.value();
            let wanted = document::sole_bytes(&expected).unwrap_or_default();
            one_document(value, operation, |at, bytes| {
                let as_json = operation.is_some_and(|operation| operation.is_json(at));
                match (as_json, serde_json::from_slice(&wanted), serde_json::from_slice(bytes)) {
                    (true, Ok(wanted), Ok(got)) => Judgement::differs(compare::differences(
                        &wanted,
                        &got,
                        Scope::Whole,
                        &Places { json: vec![String::new()], sets: vec![] },
                    )),
                    _ => Judgement::differs(
                        compare::different_bytes(at, &wanted, bytes).into_iter().collect(),
                    ),
                }
            })
        }
        Output::Sha256(wanted) => one_document(value, operation, |at, bytes| {
            let digest: [u8; 32] = Sha256::digest(bytes).into();
            if digest == *wanted {
                return Judgement::pass();
            }
            let hex = crate::suite::source::hex;
            let what = format!("the document's {} bytes have another SHA-256", bytes.len());
            Judgement::differs(vec![Difference {
                at: at.to_owned(),
                what,
                expected: Some(Value::String(hex(wanted))),
                got: Some(Value::String(hex(&digest))),
            }])
        }),
        Output::Schema(schema) => match operation.map(|operation| operation.fits(schema, value)) {
            Some(Ok(())) => Judgement::pass(),
            Some(Err(what)) => {
                Judgement::of(Verdict::Fail, format!("the output does not fit: {what}"))
            }
            None => Judgement::of(Verdict::Fail, "the operation's shape is not known"),
        },
        Output::Any => match operation.map(|operation| operation.check_output(value)) {
            Some(Err(what)) => {
                let what = format!("the output has not the operation's shape: {what}");
                Judgement::of(Verdict::Fail, what)
            }
            Some(Ok(())) | None => Judgement::pass(),
        },
    }
}

/// Most answers are the expected ones as they stand. Only for the others it is worked out what
/// counts of them: members that the operation does not name are ignored, some documents are compared
/// as JSON, and some arrays are sets.
fn compared(
    expected: &Value,
    value: &Value,
    operation: Option<&Operation>,
    scope: Scope,
) -> Judgement {
    let plainly = compare::differences(expected, value, scope, &Places::default());
    match operation {
        Some(operation) if !plainly.is_empty() => {
            let (expected, places) = operation.comparable(expected);
            let (value, _) = operation.comparable(value);
            Judgement::differs(compare::differences(&expected, &value, scope, &places))
        }
        _ => Judgement::differs(plainly),
    }
}

/// Judges the one document of an output; documents in members that the operation does not name are
/// ignored.
fn one_document(
    output: &Value,
    operation: Option<&Operation>,
    judge: impl FnOnce(&str, &[u8]) -> Judgement,
) -> Judgement {
    let mut documents = document::within(output);
    if let Some(operation) = operation {
        documents.retain(|(at, _)| operation.names(at));
    }
    match documents.as_slice() {
        [(at, bytes)] => judge(at, bytes),
        [] => Judgement::of(Verdict::Fail, "the output has no document"),
        _ => Judgement::of(Verdict::Fail, "the output has more than one document"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::params::Params;
    use serde_json::json;

    fn bytes(text: &str) -> Expect {
        Output::Bytes(Params::new(json!({ "text": text })).expect("no recipe")).into()
    }

    fn verdict(expect: &Expect, reply: &Reply) -> Verdict {
        judge(expect, reply, None).verdict
    }

    #[test]
    fn does_anything_but_a_refusal_satisfy_a_refusal() {
        let refused = Expect::Refused(Refused::default());
        assert_eq!(verdict(&refused, &Reply::Refused(Refusal::default())), Verdict::Pass);
        assert_eq!(verdict(&refused, &Reply::Ok(Value::Null)), Verdict::Fail);
        assert_eq!(verdict(&refused, &Reply::Fault("x".into())), Verdict::AdapterFault);
        assert_eq!(verdict(&refused, &Reply::Unsupported(None)), Verdict::Unsupported);
    }

    #[test]
    fn does_a_code_count_where_the_specification_has_codes() {
        let codes = vec!["a".into(), "b".into()];
        let coded = Expect::Refused(Refused { codes, at: None });
        let with =
            |code: &str| Reply::Refused(Refusal { code: Some(code.into()), ..Refusal::default() });
        assert_eq!(verdict(&coded, &with("b")), Verdict::Pass);
        assert_eq!(verdict(&coded, &with("c")), Verdict::Fail);
        assert_eq!(verdict(&coded, &Reply::Refused(Refusal::default())), Verdict::Fail);
    }

    #[test]
    fn may_a_refusal_say_where_among_its_faults() {
        let expect = |at: &str| Expect::Refused(Refused { codes: vec![], at: Some(at.into()) });
        let refusal = Reply::Refused(Refusal {
            at: Some("/a".into()),
            faults: Some(json!([{"at": "/a"}, {"code": "x", "at": "/b"}, 1])),
            ..Refusal::default()
        });
        assert_eq!(verdict(&expect("/a"), &refusal), Verdict::Pass);
        assert_eq!(verdict(&expect("/b"), &refusal), Verdict::Pass);
        assert_eq!(verdict(&expect("/c"), &refusal), Verdict::Fail);
        assert_eq!(verdict(&expect("/c"), &Reply::Refused(Refusal::default())), Verdict::Fail);
    }

    #[test]
    fn does_the_right_output_pass_with_what_it_must_lack() {
        let lacks = vec!["secret".to_owned()];
        let front_matter = FrontMatter::default();
        let expect = Expect::Ok(Accepted { output: Output::Any, lacks, front_matter });
        assert_eq!(verdict(&expect, &Reply::Ok(json!({"a": "open"}))), Verdict::Pass);
        assert_eq!(verdict(&expect, &Reply::Ok(json!({"a": "a secret"}))), Verdict::Fail);
    }

    #[test]
    fn is_front_matter_held_against_what_any_reader_reads() {
        let front_matter = FrontMatter {
            includes: Some(json!({"to": "a: b"})),
            lacks: vec!["admin".to_owned()],
            body: Some("x".to_owned()),
        };
        let expect = Expect::Ok(Accepted { output: Output::Any, lacks: vec![], front_matter });
        let written =
            |text: &str| verdict(&expect, &Reply::Ok(json!({"document": {"text": text}})));
        assert_eq!(written("---\nto: \"a: b\"\nid: 1\n---\n\nx\n\n"), Verdict::Pass);
        assert_eq!(written("---\nto: 'a: b'\n---\nx"), Verdict::Pass);
        assert_eq!(written("---\nto: a: b\n---\nx\n"), Verdict::Fail);
        assert_eq!(written("---\nto: 'a: b'\nadmin: 1\n---\nx\n"), Verdict::Fail);
        assert_eq!(written("---\nto: 'a: b'\n---\nxy\n"), Verdict::Fail);
        assert_eq!(verdict(&expect, &Reply::Ok(Value::Null)), Verdict::Fail);
    }

    #[test]
    fn is_the_reading_that_fits_recorded_and_none_failed() {
        let readings = Expect::Readings(
            [
                ("kept".to_owned(), bytes("1")),
                ("refused".to_owned(), Expect::Refused(Refused::default())),
            ]
            .into(),
        );
        let kept = judge(&readings, &Reply::Ok(json!({"document": {"text": "1"}})), None);
        assert_eq!((kept.verdict, kept.reading.as_deref()), (Verdict::Recorded, Some("kept")));
        let other = judge(&readings, &Reply::Ok(json!({"document": {"text": "2"}})), None);
        assert_eq!(other.verdict, Verdict::Fail);
    }

    #[test]
    fn are_members_that_the_operation_does_not_name_ignored() {
        let corpus = crate::suite::load::embedded().expect("the embedded corpus is sound");
        let suite = corpus.suites.get("jcs").expect("it is there");
        let operation = suite.operations.get("jcs.canonicalize");
        let got = json!({"document": {"text": "1"}, "note": {"text": "2"}, "later": true});
        assert_eq!(judge(&bytes("1"), &Reply::Ok(got), operation).verdict, Verdict::Pass);
        let equals = json!({"document": {"text": "1"}});
        let equals = Output::Equals(Params::new(equals).expect("no recipe")).into();
        let got = json!({"document": {"text": "1"}, "later": true});
        assert_eq!(judge(&equals, &Reply::Ok(got), operation).verdict, Verdict::Pass);
        let other = json!({"document": {"text": "2"}, "later": true});
        assert_eq!(judge(&equals, &Reply::Ok(other), operation).verdict, Verdict::Fail);
    }

    #[test]
    fn does_the_right_document_in_a_wrong_member_pass() {
        let corpus = crate::suite::load::embedded().expect("the embedded corpus is sound");
        let operation = corpus.suites["jcs"].operations.get("jcs.canonicalize");
        assert!(operation.is_some());
        let got = Reply::Ok(json!({"result": {"text": "1"}}));
        let judgement = judge(&bytes("1"), &got, operation);
        assert_eq!(judgement.verdict, Verdict::Fail);
        assert_eq!(judgement.reason.as_deref(), Some("the output has no document"));
    }

    #[test]
    fn does_a_missing_document_pass() {
        assert_eq!(verdict(&bytes("1"), &Reply::Ok(Value::Null)), Verdict::Fail);
        assert_eq!(verdict(&bytes("1"), &Reply::Ok(json!({"document": "1"}))), Verdict::Fail);
    }
}
