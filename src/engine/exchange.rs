//! Playing one case to a session of its own, with every exchange kept: what `replay` shows, and what
//! a worker does with a case that needs the subject for itself.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::adapter::document;
use crate::adapter::message::Reply;
use crate::engine::judge::{Judgement, judge};
use crate::engine::script::{self, Saved};
use crate::engine::session::{Broken, Session};
use crate::engine::verdict::Verdict;
use crate::suite::Corpus;
use crate::suite::case::{Case, Step};

/// One request with what came of it.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The request's id.
    pub id: u64,
    /// The params as they were sent.
    pub params: Value,
    /// The reply, or how the exchange broke.
    pub outcome: Result<Reply, Broken>,
    /// The verdict on it.
    pub judgement: Judgement,
    /// From sending to the reply.
    pub took: Duration,
}

/// Asks a case's steps in order, until one is not as it must be. The last exchange decides; where it
/// passes, a reading that an earlier one recorded is not lost.
pub fn play(
    corpus: &Corpus,
    case: &Case,
    session: &mut Session,
    within: Duration,
) -> Vec<Exchange> {
    let mut saved = Saved::new();
    let mut recorded: Option<Judgement> = None;
    let mut exchanges = Vec::new();
    for step in &case.steps {
        let params = if case.steps.len() > 1 {
            script::fill(&step.params, &saved)
        } else {
            Ok(step.params.value().into_owned())
        };
        let params = match params {
            Ok(params) => params,
            Err(what) => {
                let reason = format!("an earlier answer lacks what this step needs: {what}");
                exchanges.push(Exchange {
                    id: session.next_id(),
                    params: Value::Null,
                    outcome: Ok(Reply::Ok(Value::Null)),
                    judgement: Judgement::of(Verdict::Fail, reason),
                    took: Duration::ZERO,
                });
                return exchanges;
            }
        };
        let id = session.next_id();
        let began = Instant::now();
        let outcome = session.ask(&step.operation, &params, within);
        let judgement = match &outcome {
            Ok(reply) => judge_step(corpus, case, step, reply),
            Err(broken) => broken.judgement(),
        };
        let judgement = match (judgement.verdict, &recorded) {
            (Verdict::Recorded, _) => {
                recorded = Some(judgement.clone());
                judgement
            }
            (Verdict::Pass, Some(earlier)) => earlier.clone(),
            _ => judgement,
        };
        if let (Some(name), Ok(Reply::Ok(value))) = (&step.save, &outcome) {
            // An adapter may answer in either form of a document; a later step sends the one.
            saved.insert(name.clone(), document::as_sent(value));
        }
        let good = judgement.verdict.is_good();
        exchanges.push(Exchange { id, params, outcome, judgement, took: began.elapsed() });
        if !good {
            break;
        }
    }
    exchanges
}

/// Judges a reply to a step by the step's expectation and its operation's shape.
pub fn judge_step(corpus: &Corpus, case: &Case, step: &Step, reply: &Reply) -> Judgement {
    let suite = corpus.suites.get(&case.suite);
    let operation = suite.and_then(|suite| suite.operations.get(&step.operation));
    judge(&step.expect, reply, operation)
}
