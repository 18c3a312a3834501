//! The in-process transport: an [`Offer`] of operations called directly, and what `serve` serves.
//!
//! A panic in an operation is caught and reported as the subject's end, so that the embedded
//! reference is judged as any other subject. Depends on the protocol's messages and on the
//! reference's operation type.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::adapter::message::{Hello, Implementation, Refusal, Reply};
use crate::adapter::{Ask, Closing, Connection, Ending, Incoming, Launcher, PROTOCOL, StartError};
use crate::reference::{Answer, Operation};

/// What a subject offers: who it is, and its operations.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Who it is.
    pub implementation: Implementation,
    /// The roles that it claims.
    pub roles: Vec<String>,
    /// How many requests it takes at once.
    pub in_flight: u64,
    /// The operations by name.
    pub operations: Vec<Operation>,
}

impl Offer {
    /// Answers one request. An operation that is not offered is `unsupported`.
    ///
    /// # Errors
    /// Where the operation panicked, with the panic's message.
    pub fn answer(&self, operation: &str, params: &Value) -> Result<Reply, String> {
        if operation == "hello" {
            return Ok(Reply::Ok(serde_json::json!(self.hello())));
        }
        let Some(found) = self.operations.iter().find(|offered| offered.name == operation) else {
            return Ok(Reply::Unsupported(None));
        };
        match catch_unwind(AssertUnwindSafe(|| (found.run)(params))) {
            Ok(Answer::Ok(value)) => Ok(Reply::Ok(value)),
            Ok(Answer::Refused(refusal)) => Ok(Reply::Refused(Refusal {
                faults: refusal.faults_json(),
                code: refusal.code,
                at: refusal.at,
                message: refusal.message,
            })),
            Err(panic) => Err(panic_message(panic.as_ref())),
        }
    }

    fn hello(&self) -> Hello {
        Hello {
            protocol: PROTOCOL,
            implementation: self.implementation.clone(),
            roles: self.roles.clone(),
            in_flight: Some(self.in_flight),
        }
    }
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    format!("panicked: {}", text.unwrap_or("without a message"))
}

impl Launcher for Offer {
    fn open(&self) -> Result<Box<dyn Connection>, StartError> {
        Ok(Box::new(Direct { offer: self.clone(), answers: VecDeque::new() }))
    }

    fn describe(&self) -> String {
        "the embedded reference".to_owned()
    }

    fn command(&self) -> Vec<String> {
        Vec::new()
    }
}

struct Direct {
    offer: Offer,
    answers: VecDeque<Incoming>,
}

impl Connection for Direct {
    fn send(&mut self, requests: &[Ask<'_>]) {
        for request in requests {
            let incoming = match self.offer.answer(request.operation, request.params) {
                Ok(reply) => Incoming::Reply { id: Some(request.id), reply, at: Instant::now() },
                Err(what) => Incoming::Ended(Ending { what }),
            };
            let ended = matches!(incoming, Incoming::Ended(_));
            self.answers.push_back(incoming);
            if ended {
                return;
            }
        }
    }

    fn send_text(&mut self, _text: &str) -> bool {
        false
    }

    fn receive(&mut self, _deadline: Instant) -> Option<Incoming> {
        self.answers.pop_front()
    }

    fn standard_error(&self) -> String {
        String::new()
    }

    fn close(self: Box<Self>, _grace: Duration) -> Closing {
        Closing::default()
    }
}
