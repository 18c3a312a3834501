//! One worker keeps one subject busy: it pipelines requests, keeps the time, starts the subject
//! anew when it is gone, and finds out which of several requests broke it.
//!
//! * A breach that names its request condemns that request alone; the others are asked again.
//! * A subject that ended, kept silent, or sent a line that belongs to no request leaves all
//!   requests under way as suspects, and the one that was answered last with them: a subject that
//!   answers twice, or falls over when it has answered, is seen to do so only after the answer. So
//!   a verdict is held back until the next good answer, or the subject's end, has come.
//! * Each suspect is asked again alone, and hello after it: the one that breaks the subject again,
//!   on a new subject too, has its verdict. If none does, the oldest request under way, which was
//!   being worked on, is `flaky`.
//! * A single request that got no answer in time is a `timeout` without a second try.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use serde_json::Value;

use crate::adapter::message::{Hello, Reply};
use crate::adapter::{Incoming, Launcher};
use crate::engine::compare;
use crate::engine::event::{CaseResult, Event};
use crate::engine::exchange;
use crate::engine::judge::Judgement;
use crate::engine::session::{Brief, Broken, Halt, NoSession, Session, Timing, not_under_way};
use crate::engine::verdict::Verdict;
use crate::suite::Corpus;
use crate::suite::case::{Case, Step};

use alone::Alone;

mod alone;

/// However much a subject says that it takes at once, it gets no more.
const MAX_IN_FLIGHT: u64 = 1024;

/// Requests under way hold no more than this many bytes of built documents, but always one.
const MAX_BYTES_IN_FLIGHT: usize = 64 * 1024 * 1024;

/// How often a waiting worker looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(100);

/// While others are answered, a request may wait so many time-outs.
const PATIENCE: u32 = 10;

/// A reason is kept up to so many bytes: it may quote what a subject says.
const MAX_REASON: usize = 2000;

/// Why a subject that answers `fault` is started again.
const SAID_FAULT: &str = "the adapter said that it failed";

/// What all workers of a run share.
pub(super) struct Shared<'a> {
    pub corpus: &'a Corpus,
    pub launcher: &'a dyn Launcher,
    pub suites: std::collections::BTreeMap<String, String>,
    /// What the subject said at first: it must say the same whenever it is started.
    pub hello: Hello,
    pub timing: Timing,
    /// Restarts in a row without a good answer before the adapter is given up.
    pub restarts: u32,
    /// When the whole run must be over, and how long that was.
    pub until: Option<(Instant, Duration)>,
    pub cases: Vec<Arc<Case>>,
    pub next: AtomicUsize,
    pub in_a_row: AtomicU32,
    pub gave_up: std::sync::OnceLock<String>,
    /// What an adapter did when all was answered, which makes it an adapter at fault.
    pub at_the_end: std::sync::OnceLock<String>,
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

    fn halt(&self) -> Halt {
        Halt { stop: Arc::clone(&self.stop), until: self.until.map(|(until, _)| until) }
    }
}

/// A request under way.
struct UnderWay {
    id: u64,
    index: usize,
    sent: Instant,
    bytes: usize,
}

/// A case that was answered, with its verdict held back.
struct Unsettled {
    index: usize,
    result: Box<CaseResult>,
}

pub(super) struct Worker<'a> {
    shared: &'a Shared<'a>,
    session: Option<Session>,
    started_before: bool,
    window: VecDeque<UnderWay>,
    again: VecDeque<usize>,
    unsettled: Option<Unsettled>,
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
            unsettled: None,
            last_reply: Instant::now(),
        }
    }

    /// Works until no case is left, or the run is stopped.
    pub fn work(mut self) {
        loop {
            if self.shared.stopped() {
                self.settle();
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
        let closing = self.session.take().map(|session| session.close(self.shared.timing.grace));
        let closing = closing.unwrap_or_default();
        if closing.killed {
            self.tell(Event::Note {
                what: "the adapter did not end when its input closed, and was killed".to_owned(),
            });
        }
        let Some(unasked) = closing.unasked else {
            self.settle();
            return;
        };
        // The last case's doing, or the adapter's whatever it is asked?
        if let Some(unsettled) = self.unsettled.take()
            && let Some(case) = self.case(unsettled.index)
        {
            match self.examine(&case) {
                Some(alone) if alone.broke.is_some() => {
                    self.record_answered(&case, unsettled, alone);
                    return;
                }
                _ => self.tell(Event::Case(unsettled.result)),
            }
        }
        let what = format!("after its last answer the adapter still sent {unasked}");
        let _ = self.shared.at_the_end.set(what);
    }

    /// What came after the last answer shows that the subject was fit for more.
    fn settle(&mut self) {
        if let Some(unsettled) = self.unsettled.take() {
            self.shared.in_a_row.store(0, Ordering::Relaxed);
            self.tell(Event::Case(unsettled.result));
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
            if self.shared.halt().is_due() || self.shared.gave_up.get().is_some() {
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
            let (launcher, timing) = (self.shared.launcher, &self.shared.timing);
            match Session::open_until(launcher, timing, &self.shared.suites, self.shared.halt()) {
                Ok(session) if is_another(session.hello(), &self.shared.hello) => {
                    let _ = self.shared.gave_up.set(another(session.hello()));
                }
                Ok(session) => self.session = Some(session),
                Err(NoSession::Start(error)) => {
                    let _ = self.shared.gave_up.set(error.to_string());
                }
                Err(failed @ NoSession::Hello { .. }) => {
                    self.tell(Event::Restarted { why: failed.to_string() });
                }
                Err(NoSession::Halted) => {}
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
                        Some(under_way) => self.answered(&under_way, reply, at),
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

    fn answered(&mut self, under_way: &UnderWay, reply: Reply, at: Instant) {
        self.last_reply = at;
        self.settle();
        let Some(case) = self.case(under_way.index) else { return };
        let Some(step) = case.steps.first() else { return };
        let judgement = exchange::judge_step(self.shared.corpus, &case, step, &reply);
        let micros = micros(at.saturating_duration_since(under_way.sent));
        let is_fault = matches!(reply, Reply::Fault(_));
        let standard_error = self.standard_error_unless_good(&judgement);
        let got = (!judgement.verdict.is_good()).then(|| reply.into_value());
        let result = result(&case, judgement, got, micros, None, standard_error);
        if is_fault {
            self.tell(Event::Case(result));
            // What came to the others is not their doing: they are asked again.
            self.again.extend(self.window.drain(..).map(|under_way| under_way.index));
            self.drop_subject(SAID_FAULT);
        } else {
            self.unsettled = Some(Unsettled { index: under_way.index, result });
        }
    }

    fn standard_error_unless_good(&self, judgement: &Judgement) -> Option<String> {
        if judgement.verdict.is_good() {
            return None;
        }
        self.session.as_ref().map(Session::standard_error)
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
        let culprit = match &broken {
            Broken::Breach(breach) => {
                breach.id.and_then(|id| under_way.iter().position(|request| request.id == id))
            }
            Broken::Timeout(_) if under_way.len() == 1 => Some(0),
            _ => None,
        };
        if let Some(position) = culprit {
            self.settle();
            let request = under_way.remove(position);
            self.again.extend(under_way.iter().map(|request| request.index));
            if let Some(case) = self.case(request.index) {
                let micros = micros(request.sent.elapsed());
                let got = Some(broken.to_value());
                let judgement = broken.judgement();
                self.tell(Event::Case(result(&case, judgement, got, micros, None, standard_error)));
            }
            return;
        }
        if matches!(broken, Broken::Timeout(_)) {
            self.settle();
        }
        let suspects: Vec<usize> = under_way.iter().map(|request| request.index).collect();
        self.isolate(&suspects, &broken, standard_error);
    }

    /// A case of several steps: with the subject for itself; a suspect as any other if it broke.
    fn ask_script(&mut self, index: usize) {
        let Some(case) = self.case(index) else { return };
        let Some(alone) = self.ask_alone(&case, false) else {
            self.again.push_front(index);
            return;
        };
        match &alone.broke {
            None => {
                self.settle();
                if alone.answered {
                    let result = alone.result(&case);
                    self.unsettled = Some(Unsettled { index, result });
                } else {
                    self.record_alone(&case, alone);
                }
            }
            Some(Broken::Timeout(_)) => {
                self.settle();
                self.record_alone(&case, alone);
            }
            Some(Broken::Breach(breach)) if breach.id.is_some() => {
                self.settle();
                self.record_alone(&case, alone);
            }
            Some(broken) => {
                let broken = broken.clone();
                self.isolate(&[index], &broken, alone.standard_error);
            }
        }
    }

    fn record_alone(&self, case: &Case, alone: Alone) {
        self.tell(Event::Case(alone.result(case)));
    }

    /// Gives every case that is left the same verdict.
    fn leave_the_rest(&mut self, verdict: Verdict, reason: &str) {
        self.settle();
        let standard_error = self.session.as_ref().map(Session::standard_error);
        self.session = None;
        let mut rest: Vec<usize> = self.window.drain(..).map(|request| request.index).collect();
        rest.extend(self.again.drain(..));
        rest.extend(std::iter::from_fn(|| self.shared.take()));
        for index in rest {
            if let Some(case) = self.case(index) {
                let judgement = Judgement::of(verdict, format!("not judged: {reason}"));
                let standard_error = standard_error.clone();
                self.tell(Event::Case(result(&case, judgement, None, 0, None, standard_error)));
            }
        }
    }
}

fn result(
    case: &Case,
    judgement: Judgement,
    got: Option<Value>,
    micros: u64,
    step: Option<usize>,
    standard_error: Option<String>,
) -> Box<CaseResult> {
    let good = judgement.verdict.is_good();
    Box::new(CaseResult {
        id: case.id.clone(),
        verdict: judgement.verdict,
        reading: judgement.reading,
        reason: judgement.reason.map(bounded),
        step,
        got: got.filter(|_| !good).map(|got| compare::shorten(&got)),
        differences: judgement.differences,
        micros,
        standard_error: standard_error.filter(|text| !good && !text.is_empty()),
        waiver: None,
    })
}

fn bounded(mut reason: String) -> String {
    if reason.len() > MAX_REASON {
        let mut end = MAX_REASON;
        while !reason.is_char_boundary(end) {
            end -= 1;
        }
        reason.truncate(end);
        reason.push('…');
    }
    reason
}

/// Whether two hellos are of two subjects. How many requests one takes at once may differ.
fn is_another(hello: &Hello, first: &Hello) -> bool {
    hello.implementation != first.implementation || hello.roles != first.roles
}

fn another(hello: &Hello) -> String {
    let implementation = &hello.implementation;
    format!(
        "started again, the adapter said another hello than at first: {} {} ({}), with the roles {}",
        implementation.name,
        implementation.version,
        implementation.language,
        hello.roles.join(", ")
    )
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
