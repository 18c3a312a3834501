//! Waiting for several responses, on no runtime at all: the future is polled by hand.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use futures_core::Stream;
use proofmark::reference::brief::{
    Answering, Brief, BriefError, FanIn, Fault, Response, WaitError, wait_for_all,
};

/// A stream that gives what it has, then ends or stays silent.
struct Responses {
    queue: VecDeque<Response>,
    open: bool,
}

impl Responses {
    fn of(responses: &[Response]) -> Self {
        Responses { queue: responses.iter().cloned().collect(), open: true }
    }
}

impl Stream for Responses {
    type Item = Response;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Response>> {
        match self.queue.pop_front() {
            Some(response) => Poll::Ready(Some(response)),
            None if self.open => Poll::Pending,
            None => Poll::Ready(None),
        }
    }
}

fn response(id: &str, status: &str) -> Response {
    let brief = Brief::builder("a", "b", "x").id(id).timestamp("2026-02-06T03:55:00Z").build();
    let answering = Answering {
        timestamp: Some("2026-02-06T04:30:00Z".to_owned()),
        ..Answering::new(status, "# Response: x")
    };
    brief.and_then(|brief| brief.respond(answering)).expect("a response")
}

fn poll<F: Future>(future: F) -> Poll<F::Output> {
    pin!(future).poll(&mut Context::from_waker(Waker::noop()))
}

/// What waiting comes to when all that will ever come is there.
fn wait(fan_in: &mut FanIn, responses: &mut Responses) -> Poll<Result<(), WaitError>> {
    poll(wait_for_all(fan_in, responses))
}

fn received(fan_in: &FanIn) -> Vec<(&str, &str)> {
    fan_in.received().map(|response| (response.id(), response.status())).collect()
}

#[test]
fn does_the_last_one_complete_the_wait() {
    let mut fan_in = FanIn::new(["brief-002", "brief-003"]);
    let mut responses = Responses::of(&[response("brief-003", "failure")]);
    assert_eq!(wait(&mut fan_in, &mut responses), Poll::Pending);
    assert!(!fan_in.is_complete());
    assert_eq!(fan_in.missing(), ["brief-002"]);
    responses.queue.push_back(response("brief-002", "success"));
    assert_eq!(wait(&mut fan_in, &mut responses), Poll::Ready(Ok(())));
    assert_eq!(received(&fan_in), [("brief-003", "failure"), ("brief-002", "success")]);
    assert!(fan_in.response("brief-002").is_some_and(Response::is_success));
}

#[test]
fn do_early_ones_count_and_late_ones_stay_in_the_stream() {
    let mut fan_in = FanIn::new(["b", "c"]);
    fan_in.receive(response("c", "success")).expect("an early one");
    let late = response("d", "success");
    let mut responses = Responses::of(&[response("b", "success"), late.clone()]);
    assert_eq!(wait(&mut fan_in, &mut responses), Poll::Ready(Ok(())));
    assert_eq!(responses.queue, [late]);
    assert!(fan_in.unexpected().is_empty());
}

#[test]
fn does_one_that_comes_twice_count_once() {
    let mut fan_in = FanIn::new(["b", "c"]);
    let again = response("b", "success");
    let mut responses = Responses::of(&[again.clone(), again.clone()]);
    assert_eq!(wait(&mut fan_in, &mut responses), Poll::Pending);
    assert_eq!(fan_in.missing(), ["c"]);
    responses.queue.push_back(response("b", "failure"));
    let result = wait(&mut fan_in, &mut responses);
    let Poll::Ready(Err(WaitError::Refused(BriefError { fault, member, .. }))) = result else {
        panic!("{result:?}");
    };
    assert_eq!((fault, member.as_deref()), (Fault::TwoResponses, Some("b")));
    assert_eq!(received(&fan_in), [("b", "success")]);
}

#[test]
fn does_what_nobody_awaits_complete_nothing() {
    let mut fan_in = FanIn::new(["b"]);
    let stranger = response("x", "success");
    let mut responses = Responses::of(&[stranger.clone(), stranger, response("x", "failure")]);
    assert_eq!(wait(&mut fan_in, &mut responses), Poll::Pending);
    assert_eq!(fan_in.unexpected(), ["x"]);
    assert_eq!(received(&fan_in), []);
}

#[test]
fn is_one_that_never_comes_named_when_the_stream_ends() {
    let mut fan_in = FanIn::new(["d", "b", "c"]);
    let mut responses = Responses::of(&[response("b", "success")]);
    responses.open = false;
    let missing = ["d", "c"].map(str::to_owned).into();
    let ended = Poll::Ready(Err(WaitError::Ended { missing }));
    assert_eq!(wait(&mut fan_in, &mut responses), ended);
}

#[test]
fn is_what_came_before_a_cancellation_kept() {
    let mut fan_in = FanIn::new(["b", "c"]);
    let mut responses = Responses::of(&[response("b", "success")]);
    {
        let mut wait = pin!(wait_for_all(&mut fan_in, &mut responses));
        let context = &mut Context::from_waker(Waker::noop());
        assert_eq!(wait.as_mut().poll(context), Poll::Pending);
        // A time-out drops it here.
    }
    assert_eq!(received(&fan_in), [("b", "success")]);
    responses.queue.push_back(response("c", "success"));
    assert_eq!(wait(&mut fan_in, &mut responses), Poll::Ready(Ok(())));
}

#[test]
fn is_nothing_awaited_complete_at_once() {
    let mut fan_in = FanIn::new([""; 0]);
    let mut responses = Responses::of(&[response("b", "success")]);
    assert_eq!(wait(&mut fan_in, &mut responses), Poll::Ready(Ok(())));
    assert_eq!(responses.queue.len(), 1);
    assert!(!FanIn::new(["b", "b"]).is_complete());
    assert_eq!(FanIn::new(["b", "b"]).missing(), ["b"]);
}

/// A stream that never has to be waited for.
struct Endless(Response);

impl Stream for Endless {
    type Item = Response;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Response>> {
        Poll::Ready(Some(self.0.clone()))
    }
}

#[test]
fn does_a_stream_that_is_always_ready_let_others_run() {
    let mut fan_in = FanIn::new(["b"]);
    let strangers = Endless(response("x", "success"));
    assert_eq!(poll(wait_for_all(&mut fan_in, strangers)), Poll::Pending);
    let ids: Vec<String> = (0..1_000).map(|n| n.to_string()).collect();
    let mut fan_in = FanIn::new(ids.clone());
    let responses: Vec<Response> = ids.iter().map(|id| response(id, "success")).collect();
    let mut responses = Responses::of(&responses);
    while wait(&mut fan_in, &mut responses) == Poll::Pending {}
    assert!(fan_in.is_complete());
}

#[test]
fn does_a_wait_go_on_after_a_second_answer_was_refused() {
    let mut fan_in = FanIn::new(["b", "c"]);
    let answers = [response("b", "success"), response("b", "failure"), response("c", "success")];
    let mut responses = Responses::of(&answers);
    assert!(matches!(wait(&mut fan_in, &mut responses), Poll::Ready(Err(WaitError::Refused(_)))));
    assert_eq!(wait(&mut fan_in, &mut responses), Poll::Ready(Ok(())));
    assert_eq!(received(&fan_in), [("b", "success"), ("c", "success")]);
}

#[test]
fn does_a_response_know_to_whom_it_goes() {
    let brief = Brief::builder("agent-root", "b", "x").build().expect("a brief");
    let made = brief.respond(Answering::new("success", "# Response: x")).expect("a response");
    assert_eq!(made.to(), Some("agent-root"));
    let read = Response::parse(made.content().as_bytes()).expect("a response");
    assert_eq!(read.to(), None);
}
