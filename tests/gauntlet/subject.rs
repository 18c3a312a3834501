//! What all misbehaving subjects are made of: the reference behind a loop that can be meddled with.

use std::io::{self, BufRead, Write};

use proofmark::adapter::in_process::Offer;
use proofmark::adapter::message::{Reply, Request, read_request};
use serde_json::{Value, json};

/// A subject at work.
pub struct Subject {
    pub offer: Offer,
    /// Requests so far, hello not counted.
    pub asked: u64,
}

impl Subject {
    /// A subject that answers rightly and claims to take so many requests at once.
    pub fn new(in_flight: u64) -> Subject {
        let mut offer = proofmark::registry::reference();
        offer.in_flight = in_flight;
        offer.implementation.name = "gauntlet".to_owned();
        Subject { offer, asked: 0 }
    }

    /// The right reply.
    pub fn reply(&self, request: &Request) -> Reply {
        self.offer.answer(&request.op, &request.params).unwrap_or_else(Reply::Fault)
    }

    /// The right reply as a line, with its line feed.
    pub fn line(&self, request: &Request) -> Vec<u8> {
        let mut line = Vec::new();
        self.reply(request).write_line(Some(request.id), &mut line);
        line
    }

    /// The right reply's result member, as `{"ok": …}`.
    pub fn result(&self, request: &Request) -> Value {
        self.reply(request).to_value()
    }

    /// Answers hello rightly and leaves every other request to `answer`, whose bytes are written.
    pub fn serve(mut self, mut answer: impl FnMut(&mut Subject, &Request) -> Vec<u8>) {
        while let Some(request) = next() {
            let line = if request.op == "hello" {
                self.line(&request)
            } else {
                self.asked += 1;
                answer(&mut self, &request)
            };
            write(&line);
        }
    }
}

/// The next request; `None` where the input has closed. A line that is none gets its fault.
pub fn next() -> Option<Request> {
    loop {
        let mut line = Vec::new();
        let count = io::stdin().lock().read_until(b'\n', &mut line).unwrap_or(0);
        if count == 0 {
            return None;
        }
        match read_request(&line) {
            Ok(request) => return Some(request),
            Err(what) => {
                let mut fault = Vec::new();
                Reply::Fault(what).write_line(None, &mut fault);
                write(&fault);
            }
        }
    }
}

/// Writes to standard output at once; ends the subject where nobody reads any more.
pub fn write(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

/// Answers hello with this value.
pub fn say_hello(value: &Value) {
    if let Some(request) = next() {
        write(format!("{}\n", json!({ "id": request.id, "ok": value })).as_bytes());
    }
}

/// Whether the request is the one with these params.
pub fn is(request: &Request, params: &str) -> bool {
    let text = request.params.to_string();
    request.op != "hello" && text == params
}
