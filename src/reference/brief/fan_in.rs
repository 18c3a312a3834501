//! Waiting for the responses to several briefs.
//!
//! [`FanIn`] counts what comes in; [`wait_for_all`] feeds it from a stream, on whatever runtime there is.
//!
//! Depends on `response` and `futures-core`.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::future::poll_fn;
use std::pin::pin;
use std::task::{Poll, ready};

use futures_core::Stream;

use super::error::{BriefError, Fault};
use super::response::Response;

/// The responses to briefs that are awaited.
///
/// A response completes its wait whatever its status: a failure is an answer as well. The same response twice counts
/// once. One that nobody awaits completes nothing and is named: of it nothing but its id is kept. These ids are kept as
/// long as the wait is, each once, without a bound of their number: where anybody may send responses, let in those only
/// that are expected.
#[derive(Debug, Clone, Default)]
pub struct FanIn {
    awaiting: Vec<String>,
    /// By awaited id: the response, once it is there.
    responses: HashMap<String, Option<Response>>,
    /// The awaited ids in the order in which they were answered.
    answered: Vec<String>,
    unexpected: Vec<String>,
    /// The ids in `unexpected`.
    named: HashSet<String>,
}

impl FanIn {
    /// Awaits the responses to these briefs; an id named twice is awaited once.
    pub fn new<I: IntoIterator<Item = S>, S: Into<String>>(ids: I) -> Self {
        let mut fan_in = FanIn::default();
        for id in ids {
            let id: String = id.into();
            if fan_in.responses.insert(id.clone(), None).is_none() {
                fan_in.awaiting.push(id);
            }
        }
        fan_in
    }

    /// Takes a response in.
    ///
    /// # Errors
    ///
    /// [`Fault::TwoResponses`] where another response to the same awaited brief was taken in before. That one stands.
    pub fn receive(&mut self, response: Response) -> Result<(), BriefError> {
        let id = response.id().to_owned();
        match self.responses.get_mut(&id) {
            Some(Some(known)) if known.content() == response.content() => {}
            Some(Some(_)) => return Err(Fault::TwoResponses.of(id)),
            Some(awaited) => {
                *awaited = Some(response);
                self.answered.push(id);
            }
            None if self.named.insert(id.clone()) => self.unexpected.push(id),
            None => {}
        }
        Ok(())
    }

    /// Whether each awaited brief has its response.
    pub fn is_complete(&self) -> bool {
        self.answered.len() == self.awaiting.len()
    }

    /// The awaited briefs that have no response, in the order in which they were asked for.
    pub fn missing(&self) -> Vec<&str> {
        let missing = self.awaiting.iter().filter(|id| self.response(id).is_none());
        missing.map(String::as_str).collect()
    }

    /// The ids of responses that nobody awaits, in the order in which they came.
    pub fn unexpected(&self) -> &[String] {
        &self.unexpected
    }

    /// The responses to awaited briefs, in the order in which they came.
    pub fn received(&self) -> impl Iterator<Item = &Response> {
        self.answered.iter().filter_map(|id| self.response(id))
    }

    /// The response to a brief.
    pub fn response(&self, id: &str) -> Option<&Response> {
        self.responses.get(id)?.as_ref()
    }
}

/// Why a wait ended without all responses.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum WaitError {
    /// The stream ended; these are missing.
    Ended {
        /// The awaited ids without a response, in the order in which they were asked for.
        missing: Vec<String>,
    },
    /// A response was turned down.
    Refused(BriefError),
}

impl fmt::Display for WaitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WaitError::Ended { missing } => {
                write!(f, "no response to {} of the briefs: {missing:?}", missing.len())
            }
            WaitError::Refused(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WaitError {}

/// How many responses are taken in without letting others run.
const AT_ONCE: usize = 64;

/// Takes responses from the stream until each awaited brief has one.
///
/// A stream that always has another one does not hold the runtime's thread: every 64 responses, others get their turn.
///
/// It can be cancelled at any time by dropping it (a time-out of any runtime does so): what came in until then is in
/// `fan_in`, and a later call goes on from there. Nothing is taken from the stream once all is there, so later
/// responses stay in it; give `&mut stream` to keep it.
///
/// # Errors
///
/// [`WaitError::Ended`] where the stream ends before; [`WaitError::Refused`] where a second, different response to a
/// brief comes in. That one is gone from the stream, the first one stands, and a further call waits on for what is
/// missing.
pub async fn wait_for_all<S: Stream<Item = Response>>(
    fan_in: &mut FanIn,
    responses: S,
) -> Result<(), WaitError> {
    let mut responses = pin!(responses);
    poll_fn(|context| {
        for _ in 0..AT_ONCE {
            if fan_in.is_complete() {
                return Poll::Ready(Ok(()));
            }
            match ready!(responses.as_mut().poll_next(context)) {
                Some(response) => fan_in.receive(response).map_err(WaitError::Refused)?,
                None => {
                    let missing = fan_in.missing().into_iter().map(str::to_owned).collect();
                    return Poll::Ready(Err(WaitError::Ended { missing }));
                }
            }
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await
}
