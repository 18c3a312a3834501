//! Is a case of many requests played as its format promises? A made-up suite, and a subject that
//! counts what it was asked since it was started.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use proofmark::adapter::message::{Refusal, Reply};
use proofmark::adapter::{Ask, Closing, Connection, Incoming, Launcher, StartError};
use proofmark::engine::exchange::{self, Exchange, Lone};
use proofmark::engine::session::Timing;
use proofmark::engine::verdict::Verdict;
use proofmark::suite::load;
use serde_json::{Value, json};

const ROLES: &str = r#"
suite = "count"
version = "1"
title = "Counting"
about = "Made for a test."
[[role]]
id = "counter"
title = "Counter"
about = "It counts."
operations = ["count.next"]
[[role]]
id = "teller"
title = "Teller"
about = "It tells."
operations = ["count.tell"]
"#;

const REQUIREMENTS: &str = r#"
[[requirement]]
id = "CNT-1"
level = "must"
origin = "text"
section = "1"
title = "It counts"
text = "It counts."
roles = ["count/counter"]
[[requirement]]
id = "CNT-R-1"
level = "reading"
origin = "text"
section = "2"
title = "Up or down"
text = "It may count up or down."
roles = ["count/counter"]
reference = "up"
[requirement.readings]
up = "Up."
down = "Down."
refused = "Not at all."
"#;

const OPERATIONS: &str = r#"{"operations": {
    "count.next": {"about": "", "params": {"type": "object"}, "output": {"properties": {
        "count": {"type": "integer"}, "said": {}}}},
    "count.tell": {"about": "", "params": {"type": "object"}, "output": {"properties": {
        "count": {"type": "integer"}}}}}}"#;

/// What the subject does: it gets the params and how often it was asked before.
type Behaviour = fn(&Value, usize) -> Reply;

struct Counting {
    behaviour: Behaviour,
    started: Arc<AtomicUsize>,
}

struct Counter {
    behaviour: Behaviour,
    count: usize,
    replies: VecDeque<Incoming>,
}

impl Launcher for Counting {
    fn open(&self) -> Result<Box<dyn Connection>, StartError> {
        self.started.fetch_add(1, Ordering::Relaxed);
        let replies = VecDeque::new();
        Ok(Box::new(Counter { behaviour: self.behaviour, count: 0, replies }))
    }

    fn describe(&self) -> String {
        "a counter".to_owned()
    }

    fn command(&self) -> Vec<String> {
        Vec::new()
    }
}

impl Connection for Counter {
    fn send(&mut self, requests: &[Ask<'_>]) {
        for request in requests {
            let reply = if request.operation == "hello" {
                Reply::Ok(json!({
                    "protocol": 1, "roles": ["count/counter"],
                    "implementation": {"name": "counter", "version": "1", "language": "Rust"},
                }))
            } else {
                self.count += 1;
                (self.behaviour)(request.params, self.count - 1)
            };
            self.replies.push_back(Incoming::Reply {
                id: Some(request.id),
                reply,
                at: Instant::now(),
            });
        }
    }

    fn send_text(&mut self, _: &str) -> bool {
        false
    }

    fn receive(&mut self, _: Instant) -> Option<Incoming> {
        self.replies.pop_front()
    }

    fn standard_error(&self) -> String {
        String::new()
    }

    fn close(self: Box<Self>, _: Duration) -> Closing {
        Closing::default()
    }
}

fn corpus(case: &str) -> Result<proofmark::suite::Corpus, String> {
    let files = |files: &[(&str, &str)]| -> BTreeMap<String, String> {
        files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    };
    let suites = files(&[
        ("count/roles.toml", ROLES),
        ("count/requirements.toml", REQUIREMENTS),
        ("count/operations.schema.json", OPERATIONS),
    ]);
    let base = "operation = \"count.next\"\nabout = \"Made for a test.\"\n[[case]]\nid = \"plain\"\n\
                requirements = [\"CNT-1\"]\nwhy = \"x\"\nsource = \"hand: x\"\nparams.plain = 1\n\
                expect.ok.any = true\n";
    let topic =
        format!("{base}\n[[case]]\nid = \"played\"\nwhy = \"x\"\nsource = \"hand: x\"\n{case}");
    load::load(&suites, &files(&[("count/counter/play.toml", &topic)]), "corpus")
        .map_err(|faults| faults.to_string())
}

/// Plays a case to a subject: the exchanges, and how often the subject was started.
fn play(case: &str, behaviour: Behaviour) -> (Vec<Exchange>, usize) {
    let corpus = corpus(case).expect("the case is sound");
    let case = corpus.case("count/counter/play/played").expect("it is there");
    let counting = Counting { behaviour, started: Arc::default() };
    let timing = Timing::default();
    let mut subject = Lone::new(&counting, &timing, BTreeMap::new());
    let played = exchange::play(&corpus, case, &mut subject, timing.request);
    assert!(!played.cut_short);
    (played.exchanges, counting.started.load(Ordering::Relaxed))
}

fn count(_: &Value, before: usize) -> Reply {
    Reply::Ok(json!({ "count": before }))
}

const RESTART: &str = r#"
requirements = ["CNT-1"]
[[case.step]]
params = {}
expect.ok.equals.count = 0
[[case.step]]
restart = true
params = {}
expect.ok.equals.count = 0
"#;

#[test]
fn is_a_step_after_a_restart_asked_of_a_new_subject() {
    let (exchanges, started) = play(RESTART, count);
    assert_eq!(exchanges.last().map(|last| last.judgement.verdict), Some(Verdict::Pass));
    assert_eq!(started, 2);
    let (exchanges, started) = play(&RESTART.replace("restart = true", ""), count);
    assert_eq!(exchanges.last().map(|last| last.judgement.verdict), Some(Verdict::Fail));
    assert_eq!(started, 1);
}

const DISTINCT: &str = r#"
requirements = ["CNT-1"]
[[case.step]]
params = {}
times = 1000
distinct = "/count"
expect.ok.any = true
"#;

#[test]
fn is_a_value_that_comes_again_seen() {
    let (exchanges, _) = play(DISTINCT, count);
    assert_eq!(exchanges[0].judgement.verdict, Verdict::Pass);
    let (exchanges, _) = play(DISTINCT, |_, before| Reply::Ok(json!({ "count": before % 999 })));
    let reason = exchanges[0].judgement.reason.as_deref();
    assert_eq!(reason, Some("asked 1000 times, the output had the same /count again"));
    let (exchanges, _) = play(DISTINCT, |_, _| Reply::Ok(json!({})));
    let reason = exchanges[0].judgement.reason.as_deref();
    assert_eq!(reason, Some("there is no /count in the output"));
}

const READINGS: &str = r#"
requirements = ["CNT-R-1"]
[[case.step]]
params.at = 1
expect.readings.up.ok.equals.count = 1
expect.readings.down.ok.equals.count = -1
expect.readings.refused.refused = {}
[[case.step]]
params.at = 2
expect.readings.up.ok.equals.count = 2
expect.readings.down.ok.equals.count = -2
expect.readings.refused.refused = {}
"#;

#[test]
fn must_one_reading_fit_every_step() {
    let up = |params: &Value, _| Reply::Ok(json!({ "count": params["at"] }));
    let (exchanges, _) = play(READINGS, up);
    let last = &exchanges.last().expect("two").judgement;
    assert_eq!((last.verdict, last.reading.as_deref()), (Verdict::Recorded, Some("up")));
    let torn = |params: &Value, before| match before {
        0 => Reply::Ok(json!({ "count": params["at"] })),
        _ => Reply::Refused(Refusal::default()),
    };
    let (exchanges, _) = play(READINGS, torn);
    let last = &exchanges.last().expect("two").judgement;
    assert_eq!(last.verdict, Verdict::Fail);
    let reason =
        "this answer fits the reading refused, and an earlier one up: they are not of one mind";
    assert_eq!(last.reason.as_deref(), Some(reason));
}

const SAVED: &str = r#"
requirements = ["CNT-R-1"]
[[case.step]]
params.say = "a"
expect.readings.up.ok.any = true
expect.readings.refused.refused = {}
save = "first"
[[case.step]]
params.say = "{{first.count}}"
expect.ok.equals.said = "{{first.count}}"
"#;

#[test]
fn is_what_was_saved_expected_of_a_later_answer() {
    let echo = |params: &Value, before| match before {
        0 => Reply::Ok(json!({ "count": 7 })),
        _ => Reply::Ok(json!({ "said": params["say"] })),
    };
    let (exchanges, _) = play(SAVED, echo);
    let last = &exchanges.last().expect("two").judgement;
    assert_eq!((last.verdict, last.reading.as_deref()), (Verdict::Recorded, Some("up")));
    let (exchanges, _) = play(SAVED, count);
    assert_eq!(exchanges.last().map(|last| last.judgement.verdict), Some(Verdict::Fail));
    // Refused, and it may be: there is nothing to go on with.
    let (exchanges, _) = play(SAVED, |_, _| Reply::Refused(Refusal::default()));
    assert_eq!(exchanges.len(), 1);
    assert_eq!(exchanges[0].judgement.reading.as_deref(), Some("refused"));
}

#[test]
fn is_an_operation_of_another_role_asked_only_where_that_is_claimed() {
    let other = RESTART.replacen("params = {}", "operation = \"count.tell\"\nparams = {}", 1);
    let refused = corpus(&other).expect_err("count.tell is the teller's");
    assert!(refused.contains("count.tell belongs to another role: name that role in `claims`"));
    let corpus = corpus(&format!("claims = [\"count/teller\"]\n{other}")).expect("it is sound");
    let planned = |claimed: &[&str]| {
        let claimed: Vec<String> = claimed.iter().map(|role| (*role).to_owned()).collect();
        let selection = proofmark::engine::plan::Selection {
            roles: proofmark::suite::select::Globs::new(&[]).expect("no glob"),
            cases: proofmark::suite::select::Globs::new(&[]).expect("no glob"),
            partition: None,
        };
        let plan =
            proofmark::engine::plan::plan(&corpus, &[], &claimed, &selection).expect("a plan");
        (plan.cases.len(), plan.roles[0].cases)
    };
    assert_eq!(planned(&["count/counter"]), (1, 1));
    assert_eq!(planned(&["count/counter", "count/teller"]), (2, 2));
}
