//! Judging the adapter, not the implementation: what `check` does before anything else.
//!
//! Each check is a row of [`CHECKS`] and starts a subject of its own, so that none depends on
//! another. A check that does not apply says why; it is never passed over in silence.

use std::collections::BTreeSet;
use std::time::Instant;

use serde_json::{Value, json};

use crate::adapter::document;
use crate::adapter::message::{self, Reply};
use crate::adapter::{Incoming, Launcher};
use crate::engine::compare;
use crate::engine::run::versions;
use crate::engine::session::{Session, Timing};
use crate::suite::Corpus;

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// As it must be.
    Fine,
    /// The adapter is at fault.
    Fault(String),
    /// It does not apply, and why.
    NotApplicable(String),
}

/// What the checks have to work with.
pub struct Context<'a> {
    /// How the subject is started.
    pub launcher: &'a dyn Launcher,
    /// The same with another locale and time zone: the names of the variables, and the way.
    pub elsewhere: Vec<(String, Box<dyn Launcher>)>,
    /// The times.
    pub timing: Timing,
    /// The cases, for a few real requests.
    pub corpus: &'a Corpus,
}

/// One check.
pub struct Check {
    /// A short name.
    pub name: &'static str,
    /// What must be so.
    pub about: &'static str,
    run: fn(&Context<'_>) -> Found,
}

/// All checks, in the order in which they are made.
pub const CHECKS: &[Check] = &[
    Check { name: "hello", about: "it starts and says a well-formed hello", run: hello },
    Check {
        name: "hello-again",
        about: "hello asked twice is answered the same",
        run: hello_again,
    },
    Check {
        name: "unknown-operation",
        about: "a made-up operation is `unsupported`",
        run: unknown_operation,
    },
    Check { name: "bytes", about: "all 256 byte values come back through `echo`", run: bytes },
    Check { name: "text", about: "text of every plane comes back through `echo`", run: text },
    Check { name: "large", about: "1 MiB comes back through `echo`", run: large },
    Check {
        name: "in-flight",
        about: "as many requests at once as it says it takes are all answered",
        run: in_flight,
    },
    Check {
        name: "malformed",
        about: "a line that is no request gets a fault with the id null and kills nothing",
        run: malformed,
    },
    Check {
        name: "elsewhere",
        about: "another locale and time zone change no answer",
        run: elsewhere,
    },
    Check { name: "ends", about: "it ends when its input closes", run: ends },
];

impl Check {
    /// Makes the check.
    pub fn make(&self, context: &Context<'_>) -> Found {
        (self.run)(context)
    }
}

const ECHO: &str = "echo";
const MADE_UP: &str = "proofmark.no-such-operation";

impl Context<'_> {
    fn session(&self) -> Result<Session, Found> {
        self.session_of(self.launcher)
    }

    fn session_of(&self, launcher: &dyn Launcher) -> Result<Session, Found> {
        Session::open(launcher, &self.timing, &versions(self.corpus))
            .map_err(|error| Found::Fault(error.to_string()))
    }

    fn ask(&self, session: &mut Session, operation: &str, params: &Value) -> Result<Reply, Found> {
        session
            .ask(operation, params, self.timing.request)
            .map_err(|broken| Found::Fault(format!("{operation}: {broken}")))
    }
}

fn told(outcome: Result<Found, Found>) -> Found {
    outcome.unwrap_or_else(|found| found)
}

fn hello(context: &Context<'_>) -> Found {
    told(context.session().map(|_| Found::Fine))
}

fn hello_again(context: &Context<'_>) -> Found {
    told((|| {
        let mut session = context.session()?;
        let params = message::hello_params(&versions(context.corpus));
        let reply = context.ask(&mut session, "hello", &params)?;
        let again = message::read_hello(&reply).map_err(|error| Found::Fault(error.to_string()))?;
        if again == *session.hello() {
            Ok(Found::Fine)
        } else {
            Err(Found::Fault("the second hello is another".to_owned()))
        }
    })())
}

fn unknown_operation(context: &Context<'_>) -> Found {
    told((|| {
        let mut session = context.session()?;
        match context.ask(&mut session, MADE_UP, &json!({}))? {
            Reply::Unsupported(_) => Ok(Found::Fine),
            other => Err(Found::Fault(format!("{MADE_UP} was answered with {}", other.to_value()))),
        }
    })())
}

/// Sends bytes through `echo` and holds what comes back against them.
fn echoed(context: &Context<'_>, bytes: &[u8]) -> Found {
    told((|| {
        let mut session = context.session()?;
        let params = json!({ "document": document::to_value(bytes.to_vec()) });
        let value = match context.ask(&mut session, ECHO, &params)? {
            Reply::Ok(value) => value,
            Reply::Unsupported(_) => {
                return Ok(Found::NotApplicable("the adapter does not offer `echo`".to_owned()));
            }
            other => {
                let other = crate::adapter::quote(other.to_value().to_string().as_bytes());
                return Err(Found::Fault(format!("echo was answered with {other}")));
            }
        };
        let came = value.get("document").and_then(document::bytes);
        let came = came.ok_or_else(|| Found::Fault("echo gave back no document".to_owned()))?;
        match compare::different_bytes("", bytes, &came) {
            None => Ok(Found::Fine),
            Some(difference) => Err(Found::Fault(format!("of the document {}", difference.what))),
        }
    })())
}

fn bytes(context: &Context<'_>) -> Found {
    let all: Vec<u8> = (0..=u8::MAX).collect();
    echoed(context, &all)
}

fn text(context: &Context<'_>) -> Found {
    let text =
        "\u{0}\u{1b}\n\r\t\"\\/ é e\u{301} \u{7f}\u{85}\u{2028}\u{feff}\u{ffff} 😀 \u{10ffff}";
    echoed(context, text.as_bytes())
}

fn large(context: &Context<'_>) -> Found {
    let piece = "0123456789 äöü 😀 \"\\\n";
    let mut text = piece.repeat(1024 * 1024 / piece.len() + 1);
    while text.len() > 1024 * 1024 {
        text.pop();
    }
    echoed(context, text.as_bytes())
}

fn in_flight(context: &Context<'_>) -> Found {
    told((|| {
        let mut session = context.session()?;
        let count = session.hello().in_flight.unwrap_or(1).min(64) as usize;
        let params: Vec<Value> = (0..count)
            .map(|index| json!({ "document": { "text": format!("document {index}") } }))
            .collect();
        let requests: Vec<(&str, &Value)> = params.iter().map(|params| (ECHO, params)).collect();
        let first = session.send_all(&requests);
        let mut waiting: BTreeSet<u64> = (first..first + count as u64).collect();
        while !waiting.is_empty() {
            let id = match session.receive(Instant::now() + context.timing.request) {
                Some(Incoming::Reply { id: Some(id), reply, .. }) => {
                    let sent = id.checked_sub(first).and_then(|index| params.get(index as usize));
                    // As bytes: what went as text may come back in base64.
                    let same = |value| {
                        sent.is_some_and(|sent| compare::not_included(sent, value).is_empty())
                    };
                    if matches!(&reply, Reply::Ok(value) if !same(value)) {
                        let what = format!("request {id} was answered with another's document");
                        return Err(Found::Fault(what));
                    }
                    id
                }
                Some(Incoming::Reply { id: None, .. }) => {
                    return Err(Found::Fault("it took a request for none".to_owned()));
                }
                Some(Incoming::Breach(breach)) => return Err(Found::Fault(breach.to_string())),
                Some(Incoming::Ended(ending)) => {
                    return Err(Found::Fault(format!("it ended: {ending}")));
                }
                None => {
                    let what = format!("{} of {count} requests got no answer", waiting.len());
                    return Err(Found::Fault(what));
                }
            };
            if !waiting.remove(&id) {
                return Err(Found::Fault(format!("an answer to {id}, which was not under way")));
            }
        }
        Ok(Found::Fine)
    })())
}

fn malformed(context: &Context<'_>) -> Found {
    const LINES: &[&str] =
        &["this is no JSON", "[]", "{\"id\":1}", "{\"op\":\"hello\"", "null", ""];
    told((|| {
        let mut session = context.session()?;
        for line in LINES {
            if !session.send_text(line) {
                return Ok(Found::NotApplicable("requests are no text in process".to_owned()));
            }
            match session.receive(Instant::now() + context.timing.request) {
                Some(Incoming::Reply { id: None, reply: Reply::Fault(_), .. }) => {}
                Some(Incoming::Reply { reply, .. }) => {
                    let what = format!("the line {line:?} was answered with {}", reply.to_value());
                    return Err(Found::Fault(what));
                }
                Some(Incoming::Breach(breach)) => {
                    return Err(Found::Fault(format!("after the line {line:?}: {breach}")));
                }
                Some(Incoming::Ended(ending)) => {
                    return Err(Found::Fault(format!("the line {line:?} ended it: {ending}")));
                }
                None => {
                    let what = format!(
                        "the line {line:?} got no answer; {{\"id\": null, \"fault\": …}} must come"
                    );
                    return Err(Found::Fault(what));
                }
            }
        }
        context.ask(&mut session, MADE_UP, &json!({}))?;
        Ok(Found::Fine)
    })())
}

/// A few real requests: the first case of every operation that the claimed roles have.
fn answers(context: &Context<'_>, launcher: &dyn Launcher) -> Result<Vec<Value>, Found> {
    let mut session = context.session_of(launcher)?;
    let mut answers = vec![json!(session.hello())];
    let mut asked = BTreeSet::new();
    let echo = json!({ "document": { "text": "ıİ é 1.5 😀" } });
    answers.push(context.ask(&mut session, ECHO, &echo)?.to_value());
    for case in context.corpus.cases.iter().filter(|case| case.is_single() && case.is_acceptance())
    {
        let Some(step) = case.steps.first() else { continue };
        if session.hello().roles.contains(&case.role) && asked.insert(step.operation.clone()) {
            let reply = context.ask(&mut session, &step.operation, &step.params.value())?;
            answers.push(reply.to_value());
        }
    }
    Ok(answers)
}

fn elsewhere(context: &Context<'_>) -> Found {
    if context.elsewhere.is_empty() {
        return Found::NotApplicable("its environment is not ours to change".to_owned());
    }
    told((|| {
        let here = answers(context, context.launcher)?;
        // Some answers differ from one time to the next, as fresh ids and times do.
        let again = answers(context, context.launcher)?;
        let other = |there: &[Value]| {
            there.len() != here.len()
                || here
                    .iter()
                    .zip(&again)
                    .zip(there)
                    .any(|((here, again), there)| here == again && here != there)
        };
        for (name, launcher) in &context.elsewhere {
            let there = answers(context, launcher.as_ref()).map_err(|found| match found {
                Found::Fault(what) => Found::Fault(format!("with {name}: {what}")),
                other => other,
            })?;
            if other(&there) {
                return Err(Found::Fault(format!("with {name} it answers otherwise")));
            }
        }
        Ok(Found::Fine)
    })())
}

fn ends(context: &Context<'_>) -> Found {
    told((|| {
        let session = context.session()?;
        let closing = session.close(context.timing.grace.max(std::time::Duration::from_secs(3)));
        if let Some(unasked) = closing.unasked {
            return Err(Found::Fault(format!("it still sent {unasked}")));
        }
        if closing.killed {
            return Err(Found::Fault("it went on running and was killed".to_owned()));
        }
        Ok(Found::Fine)
    })())
}
