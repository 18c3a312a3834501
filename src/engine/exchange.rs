//! Playing one case with the subject for itself, with every exchange kept: what `replay` shows, and
//! what a worker does with a case that is more than one request.

use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::adapter::Launcher;
use crate::adapter::document;
use crate::adapter::message::Reply;
use crate::engine::compare::{self, Difference};
use crate::engine::judge::{Judgement, fitting, judge};
use crate::engine::script::{self, Saved};
use crate::engine::session::{Broken, NoSession, Session, Timing};
use crate::engine::verdict::Verdict;
use crate::live::{Breach, Live, Script};
use crate::suite::Corpus;
use crate::suite::case::{Case, Step};
use crate::suite::expect::Expect;
use crate::suite::operation::Operation;

/// One request with what came of it.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The request's id.
    pub id: u64,
    /// Which of the case's steps it was.
    pub step: usize,
    /// The params as they were sent.
    pub params: Value,
    /// The reply, or how the exchange broke.
    pub outcome: Result<Reply, Broken>,
    /// The verdict on it.
    pub judgement: Judgement,
    /// From sending to the reply.
    pub took: Duration,
}

/// A case that was played.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// What was asked, in order. The last exchange decides.
    pub exchanges: Vec<Exchange>,
    /// Whether it was cut short, since no subject could be had any more.
    pub cut_short: bool,
    /// What the case's live servers received, in order, for people; `None` where it has none.
    pub witnessed: Option<Value>,
}

/// Where a case's requests go.
pub trait Subject {
    /// The subject, started where there is none; `None` where there can't be one any more.
    fn session(&mut self) -> Option<&mut Session>;
    /// Ends the subject in good order, so that the next request is to a new one.
    fn restart(&mut self);
}

/// A subject for one case, started when it is needed.
pub struct Lone<'a> {
    launcher: &'a dyn Launcher,
    timing: &'a Timing,
    suites: BTreeMap<String, String>,
    session: Option<Session>,
    failed: Option<NoSession>,
}

impl<'a> Lone<'a> {
    /// Nothing is started yet. `suites`: the versions that hello names.
    pub fn new(
        launcher: &'a dyn Launcher,
        timing: &'a Timing,
        suites: BTreeMap<String, String>,
    ) -> Lone<'a> {
        Lone { launcher, timing, suites, session: None, failed: None }
    }

    /// What the subject wrote to standard error.
    ///
    /// # Errors
    /// Why it could not be started.
    pub fn standard_error(self) -> Result<String, NoSession> {
        match self.failed {
            Some(failed) => Err(failed),
            None => Ok(self.session.map(|session| session.standard_error()).unwrap_or_default()),
        }
    }
}

impl Subject for Lone<'_> {
    fn session(&mut self) -> Option<&mut Session> {
        if self.session.is_none() && self.failed.is_none() {
            match Session::open(self.launcher, self.timing, &self.suites) {
                Ok(session) => self.session = Some(session),
                Err(error) => self.failed = Some(error),
            }
        }
        self.session.as_mut()
    }

    fn restart(&mut self) {
        if let Some(session) = self.session.take() {
            session.close(self.timing.grace);
        }
    }
}

/// A case that is being played.
struct Play<'a> {
    corpus: &'a Corpus,
    case: &'a Case,
    within: Duration,
    saved: Saved,
    /// Readings that fit every step so far that has some; `None` before the first.
    readings: Option<Vec<String>>,
    /// The last judgement that recorded a reading.
    recorded: Option<Judgement>,
}

/// Asks a case's steps in order, until one is not as it must be, or one that saves its output for
/// later ones is refused and may be. The last exchange decides; where it passes, a reading that an
/// earlier one recorded is not lost. Of a step that is asked many times the last exchange is kept.
///
/// A case with live servers has them from before the first step until after the last; then what they
/// saw is held against the case's witness, and against the last exchange.
pub fn play(corpus: &Corpus, case: &Case, subject: &mut dyn Subject, within: Duration) -> Played {
    let mut played = Played::default();
    let live = match start_servers(case) {
        Ok(live) => live,
        Err(what) => {
            let judgement = Judgement::of(Verdict::NotRun, what);
            played.exchanges.push(Exchange::unsent(0, 0, judgement));
            return played;
        }
    };
    let mut saved = Saved::new();
    if let Some(live) = &live {
        saved.insert("servers".to_owned(), live.urls());
    }
    let mut play = Play { corpus, case, within, saved, readings: None, recorded: None };
    for (index, step) in case.steps.iter().enumerate() {
        if step.restart {
            subject.restart();
        }
        let Some(exchange) = play.step(index, step, subject) else {
            played.cut_short = true;
            break;
        };
        let ends = !exchange.judgement.verdict.is_good()
            || step.save.is_some() && !matches!(exchange.outcome, Ok(Reply::Ok(_)));
        played.exchanges.push(exchange);
        if ends {
            break;
        }
    }
    if let Some(mut live) = live {
        live.end();
        played.witnessed = Some(live.recorded());
        let breaches = live.finish();
        if let Some(last) = played.exchanges.last_mut() {
            hold_against(&mut last.judgement, breaches);
        }
    }
    played
}

/// The case's live servers, started; `None` where it has none.
fn start_servers(case: &Case) -> Result<Option<Live>, String> {
    if case.servers.is_empty() {
        return Ok(None);
    }
    Script::read(&case.servers, case.witness.as_ref())
        .and_then(|script| script.start().map_err(|error| error.to_string()))
        .map(Some)
}

/// What the servers saw, and must not have seen, fails a case whatever the answers were.
fn hold_against(judgement: &mut Judgement, breaches: Vec<Breach>) {
    // A subject that gave no answer is not told as well what it should have sent.
    let silent = matches!(
        judgement.verdict,
        Verdict::Unsupported | Verdict::Crash | Verdict::Timeout | Verdict::AdapterFault
    );
    let blames = |breach: &Breach| breach.requests.as_array().is_some_and(|all| !all.is_empty());
    let mut breaches = breaches.into_iter().filter(|breach| !silent || blames(breach)).peekable();
    let Some(first) = breaches.peek() else { return };
    let reason = format!("the server {}: {}", first.server, first.sentence);
    if judgement.verdict.is_good() {
        *judgement = Judgement::of(Verdict::Fail, reason);
    } else if let Some(told) = &mut judgement.reason {
        told.push_str("; and ");
        told.push_str(&reason);
    }
    judgement.differences.extend(breaches.map(|breach| Difference {
        at: format!("the server {}", breach.server),
        what: breach.sentence,
        expected: None,
        got: Some(compare::shorten(&breach.requests)),
    }));
}

impl Exchange {
    /// A request that could not be made, with the judgement that says why.
    fn unsent(id: u64, step: usize, judgement: Judgement) -> Exchange {
        Exchange {
            id,
            step,
            params: Value::Null,
            outcome: Ok(Reply::Ok(Value::Null)),
            judgement,
            took: Duration::ZERO,
        }
    }
}

impl Play<'_> {
    /// Asks one step as often as it wants. `None` where there is no subject.
    fn step(&mut self, index: usize, step: &Step, subject: &mut dyn Subject) -> Option<Exchange> {
        let mut seen = HashSet::new();
        let mut last = None;
        for turn in 0..step.times {
            let mut exchange = self.once(index, step, subject.session()?);
            if let (Some(at), Ok(Reply::Ok(value))) = (&step.distinct, &exchange.outcome)
                && exchange.judgement.verdict.is_good()
            {
                self.hold_distinct(at, value, turn, &mut seen, &mut exchange.judgement);
            }
            let good = exchange.judgement.verdict.is_good();
            last = Some(exchange);
            if !good {
                break;
            }
        }
        last
    }

    fn hold_distinct(
        &self,
        at: &str,
        value: &Value,
        turn: usize,
        seen: &mut HashSet<String>,
        judgement: &mut Judgement,
    ) {
        let what = match value.pointer(at) {
            None => format!("there is no {at} in the output"),
            Some(found) if seen.insert(found.to_string()) => return,
            Some(_) => format!("asked {} times, the output had the same {at} again", turn + 1),
        };
        *judgement = Judgement::of(Verdict::Fail, what);
    }

    fn once(&mut self, index: usize, step: &Step, session: &mut Session) -> Exchange {
        let prepared = if self.case.has_references() {
            script::fill(&step.params, &self.saved).and_then(|params| {
                Ok((params, Some(script::fill_expect(&step.expect, &self.saved)?)))
            })
        } else {
            Ok((step.params.value().into_owned(), None))
        };
        let id = session.next_id();
        let (params, filled) = match prepared {
            Ok(prepared) => prepared,
            Err(what) => {
                let reason = format!("an earlier answer lacks what this step needs: {what}");
                return Exchange::unsent(id, index, Judgement::of(Verdict::Fail, reason));
            }
        };
        let began = Instant::now();
        let outcome = session.ask(&step.operation, &params, self.within);
        let took = began.elapsed();
        let judgement = match &outcome {
            Ok(reply) => self.judge(step, filled.as_ref().unwrap_or(&step.expect), reply),
            Err(broken) => broken.judgement(),
        };
        if let (Some(name), Ok(Reply::Ok(value))) = (&step.save, &outcome) {
            // An adapter may answer in either form of a document; a later step sends the one.
            self.saved.insert(name.clone(), document::as_sent(value));
        }
        Exchange { id, step: index, params, outcome, judgement, took }
    }

    fn judge(&mut self, step: &Step, expect: &Expect, reply: &Reply) -> Judgement {
        let operation = operation(self.corpus, self.case, step);
        let judgement = judge(expect, reply, operation);
        match (judgement.verdict, expect) {
            (Verdict::Recorded, Expect::Readings(readings)) => {
                let fit = fitting(readings, reply, operation);
                let judgement = self.agree(&fit, judgement);
                self.recorded = Some(judgement.clone());
                judgement
            }
            (Verdict::Pass, _) => self.recorded.clone().unwrap_or(judgement),
            _ => judgement,
        }
    }

    /// One and the same reading must fit every step that has some.
    fn agree(&mut self, fit: &[&str], mut judgement: Judgement) -> Judgement {
        let before = self.readings.take();
        let agreed: Vec<String> = fit
            .iter()
            .filter(|name| {
                before.as_ref().is_none_or(|before| before.iter().any(|earlier| earlier == *name))
            })
            .map(|name| (*name).to_owned())
            .collect();
        match agreed.first() {
            Some(reading) => judgement.reading = Some(reading.clone()),
            None => {
                let reason = format!(
                    "this answer fits the reading {}, and an earlier one {}: they are not of one mind",
                    fit.join(" or "),
                    before.unwrap_or_default().join(" or ")
                );
                judgement = Judgement::of(Verdict::Fail, reason);
            }
        }
        self.readings = Some(agreed);
        judgement
    }
}

/// Judges a reply to a step by the step's expectation and its operation's shape.
pub fn judge_step(corpus: &Corpus, case: &Case, step: &Step, reply: &Reply) -> Judgement {
    judge(&step.expect, reply, operation(corpus, case, step))
}

fn operation<'a>(corpus: &'a Corpus, case: &Case, step: &Step) -> Option<&'a Operation> {
    corpus.suites.get(&case.suite)?.operations.get(&step.operation)
}
