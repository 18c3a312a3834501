//! A run: hello, plan, ask and judge, tell.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::bounded;
use serde_json::Value;

use crate::adapter::Launcher;
use crate::engine::event::{Event, Finished, Started};
use crate::engine::law::{self, Trial};
use crate::engine::plan::{Nothing, Plan, Selection, plan};
use crate::engine::session::{Halt, NoSession, Session, Timing};
use crate::engine::waiver::Waivers;
use crate::engine::worker::{Shared, Worker};
use crate::laws::Law;
use crate::suite::Corpus;

/// What a run is given beside the corpus and the subject.
#[derive(Clone, Debug)]
pub struct Options {
    /// What to ask.
    pub selection: Selection,
    /// How long things may take.
    pub timing: Timing,
    /// How long the whole run may take.
    pub run_timeout: Option<Duration>,
    /// Restarts in a row without a good answer before the adapter is given up.
    pub restarts: u32,
    /// Subject processes side by side; at least 1.
    pub jobs: usize,
    /// The seed of generated inputs.
    pub seed: String,
    /// The laws.
    pub laws: Vec<&'static Law>,
    /// How many inputs each law is tried on; none where 0.
    pub law_cases: usize,
    /// Earlier counterexamples, by the law's id: they are tried first.
    pub counterexamples: BTreeMap<String, Value>,
    /// The options that a replay of one of its cases needs, word by word.
    pub replay: Vec<String>,
    /// Whether the subject is the embedded reference.
    pub self_test: bool,
    /// Known failures.
    pub waivers: Waivers,
    /// Set by a signal.
    pub stop: Arc<AtomicBool>,
}

/// Why there was no run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoRun {
    /// The subject could not be started or said no hello: exit status 3.
    Subject(NoSession),
    /// Nothing was selected: exit status 4.
    Nothing(Nothing),
}

impl fmt::Display for NoRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoRun::Subject(error) => write!(f, "{error}"),
            NoRun::Nothing(nothing) => write!(f, "{nothing}"),
        }
    }
}

impl std::error::Error for NoRun {}

/// The suites' versions, as hello sends them.
pub fn versions(corpus: &Corpus) -> BTreeMap<String, String> {
    corpus.suites.values().map(|suite| (suite.name.clone(), suite.version.clone())).collect()
}

/// Runs the selected cases and tells `consume` every event, in order, on the calling thread.
///
/// # Errors
/// Where the subject can't be started, or nothing is selected; then no event is told.
pub fn run(
    corpus: &Corpus,
    launcher: &dyn Launcher,
    options: &Options,
    mut consume: impl FnMut(&Event),
) -> Result<(), NoRun> {
    let began = Instant::now();
    let suites = versions(corpus);
    let until = options.run_timeout.map(|allowed| (began + allowed, allowed));
    let halt = Halt { stop: Arc::clone(&options.stop), until: until.map(|(until, _)| until) };
    let session =
        Session::open_until(launcher, &options.timing, &suites, halt).map_err(NoRun::Subject)?;
    let laws: &[&'static Law] = if options.law_cases > 0 { &options.laws } else { &[] };
    let plan =
        plan(corpus, laws, &session.hello().roles, &options.selection).map_err(NoRun::Nothing)?;
    consume(&Event::Started(Box::new(started(corpus, launcher, options, &session, &plan))));
    let (events, told) = bounded(1024);
    let shared = Shared {
        corpus,
        launcher,
        suites,
        hello: session.hello().clone(),
        timing: options.timing,
        restarts: options.restarts,
        until,
        cases: plan.cases,
        next: AtomicUsize::new(0),
        in_a_row: AtomicU32::new(0),
        gave_up: std::sync::OnceLock::new(),
        at_the_end: std::sync::OnceLock::new(),
        stop: Arc::clone(&options.stop),
        events,
    };
    let mut waivers = options.waivers.clone();
    let next_law = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (shared, laws, next_law) = (&shared, &plan.laws, &next_law);
        let workers: Vec<_> = (0..options.jobs.max(1))
            .scan(Some(session), |session, _| Some(session.take()))
            .map(|session| {
                scope.spawn(move || {
                    Worker::new(shared, session).work();
                    try_laws(shared, options, laws, next_law);
                })
            })
            .collect();
        // Events end when the last worker has: the channel itself stays open, with `shared`.
        loop {
            let over = workers.iter().all(thread::ScopedJoinHandle::is_finished);
            match told.recv_timeout(if over { Duration::ZERO } else { Duration::from_millis(5) }) {
                Ok(mut event) => {
                    match &mut event {
                        Event::Case(result) => waivers.apply(result),
                        Event::Law(result) => waivers.apply_to_law(result),
                        _ => {}
                    }
                    consume(&event);
                }
                Err(_) if over => break,
                Err(_) => {}
            }
        }
    });
    let interrupted = options.stop.load(Ordering::Relaxed);
    consume(&Event::Finished(Finished {
        interrupted,
        gave_up: shared.gave_up.get().or(shared.at_the_end.get()).cloned(),
        waivers: waivers.faults(
            corpus
                .cases
                .iter()
                .map(|case| case.id.as_str())
                .chain(options.laws.iter().map(|law| law.id)),
            !interrupted && options.selection.is_whole(),
        ),
        millis: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
    }));
    Ok(())
}

/// Tries laws, one after the other from a shared counter, until none is left.
fn try_laws(shared: &Shared<'_>, options: &Options, laws: &[&'static Law], next: &AtomicUsize) {
    let mut worker = Worker::new(shared, None);
    while let Some(law) = laws.get(next.fetch_add(1, Ordering::Relaxed)) {
        let trial = Trial {
            seed: &options.seed,
            inputs: options.law_cases,
            within: options.timing.request,
            earlier: options.counterexamples.get(law.id),
        };
        let Some(result) = law::attempt(law, &trial, &mut worker) else { return };
        // The receiver is gone only where the run is torn down.
        let _ = shared.events.send(Event::Law(result));
    }
}

fn started(
    corpus: &Corpus,
    launcher: &dyn Launcher,
    options: &Options,
    session: &Session,
    plan: &Plan,
) -> Started {
    let hello = session.hello();
    Started {
        proofmark: env!("CARGO_PKG_VERSION").to_owned(),
        seed: options.seed.clone(),
        corpus_digest: corpus.digest.clone(),
        corpus_cases: corpus.cases.len(),
        command: launcher.command(),
        replay: options.replay.clone(),
        self_test: options.self_test,
        implementation: hello.implementation.clone(),
        in_flight: hello.in_flight.unwrap_or(1),
        roles: plan.roles.clone(),
        unknown_roles: plan.unknown_roles.clone(),
        narrowed: plan.narrowed.clone(),
    }
}
