//! Trying a law on generated inputs: many under way at once, and a failure shrunk to a smallest
//! counterexample by asking the subject again.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use proptest::strategy::{BoxedStrategy, Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::adapter::Incoming;
use crate::adapter::message::Reply;
use crate::engine::event::LawResult;
use crate::engine::exchange::Subject;
use crate::engine::session::Broken;
use crate::engine::verdict::Verdict;
use crate::laws::{Law, Next, Request};

/// So many inputs are worked on at once.
const AT_ONCE: usize = 64;

/// A counterexample is shrunk by so many questions at most, and for so long.
const SHRINKS: usize = 2000;
const SHRINKING: Duration = Duration::from_secs(20);

/// A law asks no more often than this of one input: it is a defect of the law if it does.
const STAGES: usize = 32;

/// How a law is to be tried.
#[derive(Clone, Copy, Debug)]
pub struct Trial<'a> {
    /// The run's seed.
    pub seed: &'a str,
    /// How many inputs.
    pub inputs: usize,
    /// The time of a request.
    pub within: Duration,
    /// An earlier counterexample, which is tried first.
    pub earlier: Option<&'a Value>,
}

/// What came of one input.
#[derive(Clone, Debug, PartialEq)]
enum Outcome {
    Good,
    Bad(Verdict, String),
}

type Tree = Box<dyn ValueTree<Value = Value>>;

/// Tries a law on its inputs until one breaks it. `None` where no subject can be had any more.
pub fn attempt(law: &Law, trial: &Trial<'_>, subject: &mut dyn Subject) -> Option<LawResult> {
    let mut result = LawResult {
        id: law.id.to_owned(),
        role: law.role.to_owned(),
        verdict: Verdict::Pass,
        inputs: 0,
        reason: None,
        counterexample: None,
    };
    if let Some(input) = trial.earlier {
        result.inputs += 1;
        if let Outcome::Bad(verdict, reason) = alone(law, input, trial.within, subject)? {
            tell(&mut result, verdict, reason, input.clone());
            return Some(result);
        }
    }
    let mut generator = Generator::new(law, trial.seed);
    while result.inputs < trial.inputs {
        let batch: Vec<Tree> = (0..AT_ONCE.min(trial.inputs - result.inputs))
            .map_while(|_| generator.next())
            .collect();
        if batch.is_empty() {
            let reason = "its generator makes no inputs".to_owned();
            tell(&mut result, Verdict::NotRun, reason, Value::Null);
            return Some(result);
        }
        let inputs: Vec<Value> = batch.iter().map(|tree| tree.current()).collect();
        let bad = match together(law, &inputs, trial.within, subject)? {
            Ok(bad) => bad,
            Err(broken) => find_culprit(law, &inputs, trial.within, subject, &broken)?,
        };
        match bad {
            None => result.inputs += inputs.len(),
            Some((index, verdict, reason)) => {
                result.inputs += index + 1;
                let tree = batch.into_iter().nth(index)?;
                let found = Found { verdict, reason, input: tree.current() };
                let least = shrink(law, tree, found, trial.within, subject);
                tell(&mut result, least.verdict, least.reason, least.input);
                return Some(result);
            }
        }
    }
    Some(result)
}

fn tell(result: &mut LawResult, verdict: Verdict, reason: String, input: Value) {
    result.verdict = verdict;
    result.reason = Some(reason);
    result.counterexample = Some(input);
}

/// Inputs in an order that the seed and the law's id decide alone.
struct Generator {
    strategy: BoxedStrategy<Value>,
    runner: TestRunner,
}

impl Generator {
    fn new(law: &Law, seed: &str) -> Generator {
        let seed = Sha256::digest(format!("{seed}\n{}", law.id));
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        Generator {
            strategy: (law.inputs)(),
            runner: TestRunner::new_with_rng(Config::default(), rng),
        }
    }

    fn next(&mut self) -> Option<Tree> {
        let tree = self.strategy.new_tree(&mut self.runner).ok()?;
        Some(Box::new(tree))
    }
}

/// An input that is worked on.
struct Active {
    replies: Vec<Reply>,
    /// Replies of this stage, by their place.
    stage: Vec<Option<Reply>>,
    stages: usize,
}

/// The first input, in their order, that is bad.
type Bad = Option<(usize, Verdict, String)>;

/// Works on all inputs at once. `Err` where the exchange broke: then nothing is known of any.
fn together(
    law: &Law,
    inputs: &[Value],
    within: Duration,
    subject: &mut dyn Subject,
) -> Option<Result<Bad, Broken>> {
    let session = subject.session()?;
    let limit = session.hello().in_flight.unwrap_or(1).clamp(1, 256) as usize;
    let mut active: Vec<Active> = inputs
        .iter()
        .map(|_| Active { replies: Vec::new(), stage: Vec::new(), stages: 0 })
        .collect();
    let mut waiting: VecDeque<(usize, usize, Request)> = VecDeque::new();
    let mut under_way: BTreeMap<u64, (usize, usize)> = BTreeMap::new();
    let mut bad: BTreeMap<usize, (Verdict, String)> = BTreeMap::new();
    for index in 0..inputs.len() {
        go_on(law, inputs, index, &mut active, &mut waiting, &mut bad);
    }
    let mut deadline = Instant::now() + within;
    loop {
        let room = limit.saturating_sub(under_way.len()).min(waiting.len());
        let batch: Vec<_> = waiting.drain(..room).collect();
        if !batch.is_empty() {
            let requests: Vec<(&str, &Value)> =
                batch.iter().map(|(.., request)| (request.operation, &request.params)).collect();
            let first = session.send_all(&requests);
            under_way.extend(
                batch.iter().zip(first..).map(|((index, place, _), id)| (id, (*index, *place))),
            );
        }
        if under_way.is_empty() {
            let first = bad.into_iter().next();
            return Some(Ok(first.map(|(index, (verdict, reason))| (index, verdict, reason))));
        }
        match session.receive(deadline) {
            Some(Incoming::Reply { id: Some(id), reply, .. }) if under_way.contains_key(&id) => {
                deadline = Instant::now() + within;
                let Some((index, place)) = under_way.remove(&id) else { continue };
                let Some(one) = active.get_mut(index) else { continue };
                if let Some(slot) = one.stage.get_mut(place) {
                    *slot = Some(reply);
                }
                if one.stage.iter().all(Option::is_some) {
                    let stage = std::mem::take(&mut one.stage);
                    one.replies.extend(stage.into_iter().flatten());
                    go_on(law, inputs, index, &mut active, &mut waiting, &mut bad);
                }
            }
            Some(Incoming::Reply { id, reply, .. }) => {
                return Some(Err(Broken::Breach(super::session::not_under_way(id, &reply))));
            }
            Some(Incoming::Breach(breach)) => return Some(Err(Broken::Breach(breach))),
            Some(Incoming::Ended(ending)) => return Some(Err(Broken::Ended(ending))),
            None => return Some(Err(Broken::Timeout(within))),
        }
    }
}

fn go_on(
    law: &Law,
    inputs: &[Value],
    index: usize,
    active: &mut [Active],
    waiting: &mut VecDeque<(usize, usize, Request)>,
    bad: &mut BTreeMap<usize, (Verdict, String)>,
) {
    let (Some(input), Some(one)) = (inputs.get(index), active.get_mut(index)) else { return };
    if let Some(fault) = one.replies.iter().find_map(fault) {
        bad.insert(index, fault);
        return;
    }
    match (law.next)(input, &one.replies) {
        Next::Ask(requests) if one.stages < STAGES && !requests.is_empty() => {
            one.stages += 1;
            one.stage = requests.iter().map(|_| None).collect();
            let placed = requests.into_iter().enumerate();
            waiting.extend(placed.map(|(place, request)| (index, place, request)));
        }
        Next::Ask(_) => {
            bad.insert(index, (Verdict::NotRun, "the law asks on and on".to_owned()));
        }
        Next::Holds | Next::Silent => {}
        Next::Broken(reason) => {
            bad.insert(index, (Verdict::Fail, reason));
        }
    }
}

/// Replies that are no answer at all.
fn fault(reply: &Reply) -> Option<(Verdict, String)> {
    match reply {
        Reply::Fault(message) => {
            Some((Verdict::AdapterFault, format!("the adapter failed: {message}")))
        }
        Reply::Unsupported(_) => {
            Some((Verdict::Unsupported, "the adapter does not offer the operation".to_owned()))
        }
        Reply::Ok(_) | Reply::Refused(_) => None,
    }
}

/// Which of several inputs broke the exchange: each is asked alone. If none does, the first is
/// `flaky`.
fn find_culprit(
    law: &Law,
    inputs: &[Value],
    within: Duration,
    subject: &mut dyn Subject,
    broken: &Broken,
) -> Option<Bad> {
    subject.restart();
    for (index, input) in inputs.iter().enumerate() {
        if let Outcome::Bad(verdict, reason) = alone(law, input, within, subject)? {
            return Some(Some((index, verdict, reason)));
        }
    }
    let reason = format!("{broken}; asked again one at a time, every input was answered");
    Some(Some((0, Verdict::Flaky, reason)))
}

/// One input, asked with nothing else under way.
#[derive(Clone, Debug)]
pub struct Played {
    /// What was asked, and what came.
    pub exchanges: Vec<(u64, Request, Result<Reply, Broken>)>,
    /// Pass where the law holds or says nothing.
    pub verdict: Verdict,
    /// Why it is no pass.
    pub reason: Option<String>,
}

/// Asks one input with nothing else under way. `None` where no subject can be had any more.
pub fn play(
    law: &Law,
    input: &Value,
    within: Duration,
    subject: &mut dyn Subject,
) -> Option<Played> {
    let mut played = Played { exchanges: Vec::new(), verdict: Verdict::Pass, reason: None };
    let mut replies: Vec<Reply> = Vec::new();
    let ends = |played: &mut Played, verdict, reason| {
        played.verdict = verdict;
        played.reason = Some(reason);
    };
    for _ in 0..STAGES {
        let requests = match (law.next)(input, &replies) {
            Next::Holds | Next::Silent => return Some(played),
            Next::Broken(reason) => {
                ends(&mut played, Verdict::Fail, reason);
                return Some(played);
            }
            Next::Ask(requests) => requests,
        };
        for request in requests {
            let session = subject.session()?;
            let id = session.next_id();
            let outcome = session.ask(request.operation, &request.params, within);
            let ended = match &outcome {
                Ok(reply) => {
                    replies.push(reply.clone());
                    fault(reply)
                }
                Err(Broken::Halted) => return None,
                Err(broken) => {
                    subject.restart();
                    Some((broken.judgement().verdict, broken.to_string()))
                }
            };
            played.exchanges.push((id, request, outcome));
            if let Some((verdict, reason)) = ended {
                ends(&mut played, verdict, reason);
                return Some(played);
            }
        }
    }
    ends(&mut played, Verdict::NotRun, "the law asks on and on".to_owned());
    Some(played)
}

fn alone(law: &Law, input: &Value, within: Duration, subject: &mut dyn Subject) -> Option<Outcome> {
    let played = play(law, input, within, subject)?;
    Some(match played.reason {
        None => Outcome::Good,
        Some(reason) => Outcome::Bad(played.verdict, reason),
    })
}

struct Found {
    verdict: Verdict,
    reason: String,
    input: Value,
}

/// The smallest input that still fails in the same way, as far as the bounds on questions and time
/// let it be found.
fn shrink(
    law: &Law,
    mut tree: Tree,
    mut least: Found,
    within: Duration,
    subject: &mut dyn Subject,
) -> Found {
    let until = Instant::now() + SHRINKING;
    if matches!(least.verdict, Verdict::Flaky | Verdict::Timeout | Verdict::NotRun) {
        return least;
    }
    if !tree.simplify() {
        return least;
    }
    for _ in 0..SHRINKS {
        let input = tree.current();
        let outcome =
            if Instant::now() < until { alone(law, &input, within, subject) } else { None };
        let more = match outcome {
            Some(Outcome::Bad(verdict, reason)) if verdict == least.verdict => {
                least = Found { verdict, reason, input };
                tree.simplify()
            }
            Some(_) => tree.complicate(),
            None => false,
        };
        if !more {
            break;
        }
    }
    least
}
