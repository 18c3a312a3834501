//! One worker keeps one subject busy: it pipelines requests, keeps the time, starts the subject
//! anew when it is gone, and finds out which of several requests broke it.
//!
//! * A breach that names its request condemns that request alone; the others are asked again.
//! * A subject that ended, kept silent, or sent a line that belongs to no request leaves all
//!   requests under way as suspects. Each is asked again alone: the one that breaks the subject
//!   again has its verdict. If none does, the oldest, which was being worked on, is `flaky`.
//! * A single request that got no answer in time is a `timeout` without a second try.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use serde_json::Value;

use crate::adapter::message::Reply;
use crate::adapter::{Incoming, Launcher};
use crate::engine::compare;
use crate::engine::event::{CaseResult, Event};
use crate::engine::exchange;
use crate::engine::judge::Judgement;
use crate::engine::session::{Brief, Broken, NoSession, Session, Timing, not_under_way};
use crate::engine::verdict::Verdict;
use crate::suite::Corpus;
use crate::suite::case::{Case, Step};

/// However much a subject says that it takes at once, it gets no more.
const MAX_IN_FLIGHT: u64 = 1024;

/// Requests under way hold no more than this many bytes of built documents, but always one.
const MAX_BYTES_IN_FLIGHT: usize = 64 * 1024 * 1024;

/// How often a waiting worker looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(100);

/// While others are answered, a request may wait so many time-outs.
const PATIENCE: u32 = 10;

/// Why a subject that answers `fault` is started again.
const SAID_FAULT: &str = "the adapter said that it failed";

/// What all workers of a run share.
pub(super) struct Shared<'a> {
    pub corpus: &'a Corpus,
    pub launcher: &'a dyn Launcher,
    pub suites: std::collections::BTreeMap<String, String>,
    pub timing: Timing,
    /// Restarts in a row without a good answer before the adapter is given up.
    pub restarts: u32,
    /// When the whole run must be over, and how long that was.
    pub until: Option<(Instant, Duration)>,
    pub cases: Vec<Arc<Case>>,
    pub next: AtomicUsize,
    pub in_a_row: AtomicU32,
    pub gave_up: std::sync::OnceLock<String>,
    pub stop: Arc<AtomicBool>,
    pub events: Sender<Event>,
}

impl Shared<'_> {
    fn take(&self) -> Option<usize> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        (index < self.cases.len()).then_some(index)
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn time_is_over(&self) -> Option<Duration> {
        self.until.filter(|(until, _)| Instant::now() >= *until).map(|(_, allowed)| allowed)
    }
}

/// A request under way.
struct UnderWay {
    id: u64,
    index: usize,
    sent: Instant,
    bytes: usize,
}

/// What came of asking one case alone.
struct Alone {
    judgement: Judgement,
    got: Value,
    micros: u64,
    step: Option<usize>,
    standard_error: Option<String>,
    /// The subject broke.
    broke: bool,
}

pub(super) struct Worker<'a> {
    shared: &'a Shared<'a>,
    session: Option<Session>,
    started_before: bool,
    window: VecDeque<UnderWay>,
    again: VecDeque<usize>,
    last_reply: Instant,
}

impl<'a> Worker<'a> {
    /// A worker, with a subject that has said hello already or with none.
    pub fn new(shared: &'a Shared<'a>, session: Option<Session>) -> Worker<'a> {
        Worker {
            shared,
            started_before: session.is_some(),
            session,
            window: VecDeque::new(),
            again: VecDeque::new(),
            last_reply: Instant::now(),
        }
    }

    /// Works until no case is left, or the run is stopped.
    pub fn work(mut self) {
        loop {
            if self.shared.stopped() {
                return;
            }
            if let Some(allowed) = self.shared.time_is_over() {
                let reason = format!("the whole run's time, {}, was over", Brief(allowed));
                self.leave_the_rest(Verdict::Timeout, &reason);
                return;
            }
            if let Some(why) = self.shared.gave_up.get() {
                self.leave_the_rest(Verdict::AdapterFault, why);
                return;
            }
            self.fill();
            if self.window.is_empty() {
                if self.shared.gave_up.get().is_none() && self.again.is_empty() && self.is_done() {
                    break;
                }
                continue;
            }
            self.listen();
        }
        self.finish();
    }

    fn is_done(&self) -> bool {
        self.shared.next.load(Ordering::Relaxed) >= self.shared.cases.len()
    }

    /// A well-behaved subject ends when its input closes, and has nothing more to say.
    fn finish(&mut self) {
        if let Some(session) = self.session.take() {
            let closing = session.close(self.shared.timing.grace);
            if let Some(unasked) = closing.unasked {
                let what = format!("after its last answer the adapter still sent {unasked}");
                let _ = self.shared.gave_up.set(what);
            }
            if closing.killed {
                self.tell(Event::Note {
                    what: "the adapter did not end when its input closed, and was killed"
                        .to_owned(),
                });
            }
        }
    }

    fn tell(&self, event: Event) {
        // The receiver is gone only where the run is torn down.
        let _ = self.shared.events.send(event);
    }

    fn case(&self, index: usize) -> Option<Arc<Case>> {
        self.shared.cases.get(index).cloned()
    }

    /// A subject, started where there is none; `None` where there can't be one any more.
    fn subject(&mut self) -> Option<&mut Session> {
        while self.session.is_none() {
            if self.shared.stopped() || self.shared.gave_up.get().is_some() {
                return None;
            }
            if self.started_before {
                let restarts = self.shared.in_a_row.fetch_add(1, Ordering::Relaxed) + 1;
                if restarts > self.shared.restarts {
                    let _ = self.shared.gave_up.set(format!(
                        "the subject was started again {} times in a row without a good answer",
                        self.shared.restarts
                    ));
                    return None;
                }
            }
            self.started_before = true;
            match Session::open(self.shared.launcher, &self.shared.timing, &self.shared.suites) {
                Ok(session) => self.session = Some(session),
                Err(NoSession::Start(error)) => {
                    let _ = self.shared.gave_up.set(error.to_string());
                    return None;
                }
                Err(failed @ NoSession::Hello { .. }) => {
                    self.tell(Event::Restarted { why: failed.to_string() });
                }
            }
        }
        self.session.as_mut()
    }

    /// Fills the window with requests, in one write.
    fn fill(&mut self) {
        if self.subject().is_none() {
            return;
        }
        let limit = self
            .session
            .as_ref()
            .and_then(|session| session.hello().in_flight)
            .unwrap_or(1)
            .min(MAX_IN_FLIGHT) as usize;
        let mut bytes: usize = self.window.iter().map(|under_way| under_way.bytes).sum();
        let mut batch: Vec<(usize, Arc<Case>)> = Vec::new();
        while self.window.len() + batch.len() < limit && bytes < MAX_BYTES_IN_FLIGHT {
            let Some(index) = self.again.pop_front().or_else(|| self.shared.take()) else { break };
            let Some(case) = self.case(index) else { continue };
            if !case.is_single() {
                if self.window.is_empty() && batch.is_empty() {
                    self.ask_script(index);
                    if self.session.is_none() {
                        return;
                    }
                    continue;
                }
                // It must have the subject for itself: it waits until nothing is under way.
                self.again.push_front(index);
                break;
            }
            bytes += case.steps.first().map_or(0, |step| step.params.built_bytes());
            batch.push((index, case));
        }
        self.send(&batch);
    }

    fn send(&mut self, batch: &[(usize, Arc<Case>)]) {
        let Some(session) = self.session.as_mut() else { return };
        let steps: Vec<(usize, &Step)> =
            batch.iter().filter_map(|(index, case)| Some((*index, case.steps.first()?))).collect();
        let values: Vec<_> = steps.iter().map(|(_, step)| step.params.value()).collect();
        let requests: Vec<(&str, &Value)> = steps
            .iter()
            .zip(&values)
            .map(|((_, step), value)| (step.operation.as_str(), value.as_ref()))
            .collect();
        if requests.is_empty() {
            return;
        }
        let first = session.send_all(&requests);
        let sent = Instant::now();
        self.window.extend(steps.iter().zip(first..).map(|((index, step), id)| UnderWay {
            id,
            index: *index,
            sent,
            bytes: step.params.built_bytes(),
        }));
    }

    /// Takes what comes, until half of the window is answered or nothing more waits.
    fn listen(&mut self) {
        let half = self.window.len() / 2;
        let mut deadline = self.deadline().min(Instant::now() + LOOK);
        loop {
            let Some(session) = self.session.as_mut() else { return };
            match session.receive(deadline) {
                Some(Incoming::Reply { id, reply, at }) => {
                    let found = self.window.iter().position(|under_way| Some(under_way.id) == id);
                    match found.and_then(|position| self.window.remove(position)) {
                        Some(under_way) => self.answered(&under_way, &reply, at),
                        None => self.broken(Broken::Breach(not_under_way(id, &reply))),
                    }
                }
                Some(Incoming::Breach(breach)) => self.broken(Broken::Breach(breach)),
                Some(Incoming::Ended(ending)) => self.broken(Broken::Ended(ending)),
                None => {
                    if self.window.front().is_some() && Instant::now() >= self.deadline() {
                        self.broken(Broken::Timeout(self.shared.timing.request));
                    }
                    return;
                }
            }
            if self.window.len() <= half {
                return;
            }
            deadline = Instant::now();
        }
    }

    /// When the oldest request has waited too long: a whole time-out in which nothing came, or
    /// many in which others were answered.
    fn deadline(&self) -> Instant {
        let timeout = self.shared.timing.request;
        match self.window.front() {
            Some(oldest) => {
                let quiet = oldest.sent.max(self.last_reply) + timeout;
                quiet.min(oldest.sent + timeout * PATIENCE)
            }
            None => Instant::now() + timeout,
        }
    }

    fn answered(&mut self, under_way: &UnderWay, reply: &Reply, at: Instant) {
        self.last_reply = at;
        let Some(case) = self.case(under_way.index) else { return };
        let Some(step) = case.steps.first() else { return };
        let judgement = exchange::judge_step(self.shared.corpus, &case, step, reply);
        let micros = micros(at.saturating_duration_since(under_way.sent));
        let is_fault = matches!(reply, Reply::Fault(_));
        let standard_error = self.standard_error_unless_good(&judgement);
        self.record(&case, judgement, Some(reply.to_value()), micros, None, standard_error);
        if is_fault {
            // What came to the others is not their doing: they are asked again.
            self.again.extend(self.window.drain(..).map(|under_way| under_way.index));
            self.drop_subject(SAID_FAULT);
        } else {
            self.shared.in_a_row.store(0, Ordering::Relaxed);
        }
    }

    fn standard_error_unless_good(&self, judgement: &Judgement) -> Option<String> {
        if judgement.verdict.is_good() {
            return None;
        }
        self.session.as_ref().map(Session::standard_error)
    }

    fn record(
        &self,
        case: &Case,
        judgement: Judgement,
        got: Option<Value>,
        micros: u64,
        step: Option<usize>,
        standard_error: Option<String>,
    ) {
        let good = judgement.verdict.is_good();
        self.tell(Event::Case(Box::new(CaseResult {
            id: case.id.clone(),
            verdict: judgement.verdict,
            reading: judgement.reading,
            reason: judgement.reason,
            step,
            got: got.filter(|_| !good).map(|got| compare::shorten(&got)),
            differences: judgement.differences,
            micros,
            standard_error: standard_error.filter(|text| !good && !text.is_empty()),
            waiver: None,
        })));
    }

    fn drop_subject(&mut self, why: &str) {
        self.session = None;
        self.tell(Event::Restarted { why: why.to_owned() });
    }

    /// The subject broke with the window's requests under way.
    fn broken(&mut self, broken: Broken) {
        let standard_error = self.session.as_ref().map(Session::standard_error);
        let mut under_way: Vec<UnderWay> = self.window.drain(..).collect();
        self.drop_subject(&broken.to_string());
        let named = match &broken {
            Broken::Breach(breach) => breach.id,
            _ => None,
        };
        let culprit = named
            .and_then(|id| under_way.iter().position(|request| request.id == id))
            .or((under_way.len() == 1 && matches!(broken, Broken::Timeout(_))).then_some(0));
        if let Some(position) = culprit {
            let request = under_way.remove(position);
            self.again.extend(under_way.iter().map(|request| request.index));
            if let Some(case) = self.case(request.index) {
                let micros = micros(request.sent.elapsed());
                let got = Some(broken.to_value());
                self.record(&case, broken.judgement(), got, micros, None, standard_error);
            }
            return;
        }
        self.isolate(&under_way, &broken, standard_error);
    }

    /// Asks each suspect again alone, to find the one that breaks the subject.
    fn isolate(&mut self, suspects: &[UnderWay], broken: &Broken, standard_error: Option<String>) {
        let mut found = Vec::new();
        for suspect in suspects {
            if self.shared.stopped() {
                return;
            }
            let Some(case) = self.case(suspect.index) else { continue };
            match self.ask_alone(&case) {
                Some(alone) => found.push((case, alone)),
                // No subject can be had any more: the main loop gives the verdict.
                None => self.again.push_back(suspect.index),
            }
        }
        let recurred = found.iter().any(|(_, alone)| alone.broke);
        for (position, (case, alone)) in found.into_iter().enumerate() {
            if position == 0 && !recurred {
                let reason = format!("{broken}; asked again alone, it was answered");
                let judgement = Judgement::of(Verdict::Flaky, reason);
                let got = Some(broken.to_value());
                self.record(&case, judgement, got, alone.micros, None, standard_error.clone());
            } else {
                self.record_alone(&case, alone);
            }
        }
    }

    /// Asks all of a case's steps with nothing else under way; `None` where there is no subject.
    fn ask_alone(&mut self, case: &Case) -> Option<Alone> {
        let (corpus, timeout) = (self.shared.corpus, self.shared.timing.request);
        let exchanges = exchange::play(corpus, case, self.subject()?, timeout);
        let position = exchanges.len().checked_sub(1)?;
        let took: Duration = exchanges.iter().map(|exchange| exchange.took).sum();
        let last = exchanges.into_iter().next_back()?;
        let standard_error = self.standard_error_unless_good(&last.judgement);
        let (got, broke) = match &last.outcome {
            Ok(reply) => (reply.to_value(), false),
            Err(broken) => (broken.to_value(), true),
        };
        match &last.outcome {
            Err(broken) => self.drop_subject(&broken.to_string()),
            Ok(Reply::Fault(_)) => self.drop_subject(SAID_FAULT),
            Ok(_) => self.shared.in_a_row.store(0, Ordering::Relaxed),
        }
        Some(Alone {
            judgement: last.judgement,
            got,
            micros: micros(took),
            step: (case.steps.len() > 1).then_some(position + 1),
            standard_error,
            broke,
        })
    }

    /// A case of several steps: with the subject for itself; once more on a new one if it broke.
    fn ask_script(&mut self, index: usize) {
        let Some(case) = self.case(index) else { return };
        let Some(first) = self.ask_alone(&case) else {
            self.again.push_front(index);
            return;
        };
        let mut alone = first;
        if alone.broke && alone.judgement.verdict != Verdict::Timeout {
            match self.ask_alone(&case) {
                None => {
                    self.again.push_front(index);
                    return;
                }
                Some(second) if second.judgement.verdict.is_good() => {
                    let reason = alone.judgement.reason.unwrap_or_default();
                    let reason = format!("{reason}; asked again, it was answered");
                    alone.judgement = Judgement::of(Verdict::Flaky, reason);
                }
                Some(second) => alone = second,
            }
        }
        self.record_alone(&case, alone);
    }

    fn record_alone(&self, case: &Case, alone: Alone) {
        let Alone { judgement, got, micros, step, standard_error, .. } = alone;
        self.record(case, judgement, Some(got), micros, step, standard_error);
    }

    /// Gives every case that is left the same verdict.
    fn leave_the_rest(&mut self, verdict: Verdict, reason: &str) {
        let standard_error = self.session.as_ref().map(Session::standard_error);
        self.session = None;
        let mut rest: Vec<usize> = self.window.drain(..).map(|request| request.index).collect();
        rest.extend(self.again.drain(..));
        rest.extend(std::iter::from_fn(|| self.shared.take()));
        for index in rest {
            if let Some(case) = self.case(index) {
                let judgement = Judgement::of(verdict, format!("not asked: {reason}"));
                self.record(&case, judgement, None, 0, None, standard_error.clone());
            }
        }
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
