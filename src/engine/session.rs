//! One started subject that has said hello.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::adapter::message::{self, Hello, Reply};
use crate::adapter::{
    Ask, Breach, Closing, Connection, Ending, Incoming, Launcher, StartError, quote,
};
use crate::engine::compare;
use crate::engine::judge::Judgement;
use crate::engine::verdict::Verdict;

/// How long things may take.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Hello.
    pub hello: Duration,
    /// A request.
    pub request: Duration,
    /// From the closing of its input to the subject's end.
    pub grace: Duration,
}

impl Default for Timing {
    fn default() -> Timing {
        Timing {
            hello: Duration::from_secs(30),
            request: Duration::from_secs(10),
            grace: Duration::from_secs(1),
        }
    }
}

/// How often a waiting session looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(100);

/// What ends all waiting, whatever its own time-out: a signal, or the end of the whole run's time.
#[derive(Clone, Debug, Default)]
pub struct Halt {
    /// Set by a signal.
    pub stop: Arc<AtomicBool>,
    /// When the whole run must be over.
    pub until: Option<Instant>,
}

impl Halt {
    /// Whether it is time to stop.
    pub fn is_due(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// How an exchange broke. The subject is of no further use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// The subject ended.
    Ended(Ending),
    /// No answer came in time.
    Timeout(Duration),
    /// The protocol was broken.
    Breach(Breach),
    /// The run was halted before an answer came.
    Halted,
}

impl Broken {
    /// The verdict on a request that broke the exchange.
    pub fn judgement(&self) -> Judgement {
        let verdict = match self {
            Broken::Ended(_) => Verdict::Crash,
            Broken::Timeout(_) => Verdict::Timeout,
            Broken::Breach(_) => Verdict::AdapterFault,
            Broken::Halted => Verdict::NotRun,
        };
        Judgement::of(verdict, self.to_string())
    }

    /// What is shown in the place of an answer.
    pub fn to_value(&self) -> Value {
        match self {
            Broken::Ended(ending) => json!({ "crash": ending.what }),
            Broken::Timeout(after) => json!({ "timeout": Brief(*after).to_string() }),
            Broken::Breach(breach) => {
                json!({ "breach": { "what": breach.what, "seen": breach.seen } })
            }
            Broken::Halted => Value::Null,
        }
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Broken::Ended(ending) => write!(f, "the subject ended: {ending}"),
            Broken::Timeout(after) => write!(f, "no answer within {}", Brief(*after)),
            Broken::Breach(breach) => write!(f, "the adapter broke the protocol: {breach}"),
            Broken::Halted => write!(f, "the run was stopped before it answered"),
        }
    }
}

/// A duration in the spelling of the command line.
#[derive(Clone, Copy, Debug)]
pub struct Brief(pub Duration);

impl fmt::Display for Brief {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = self.0.as_millis();
        if millis.is_multiple_of(1000) {
            write!(f, "{}s", millis / 1000)
        } else {
            write!(f, "{millis}ms")
        }
    }
}

/// Why there is no session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSession {
    /// The subject can't be started or reached.
    Start(StartError),
    /// It was started and did not say a usable hello.
    Hello {
        /// What happened instead.
        why: String,
        /// What it wrote to standard error.
        standard_error: String,
    },
    /// The run was halted before it said hello.
    Halted,
}

impl fmt::Display for NoSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoSession::Start(error) => write!(f, "{error}"),
            NoSession::Hello { why, .. } => write!(f, "the subject did not say hello: {why}"),
            NoSession::Halted => write!(f, "the run was stopped before the subject said hello"),
        }
    }
}

impl std::error::Error for NoSession {}

/// A started subject.
pub struct Session {
    connection: Box<dyn Connection>,
    hello: Hello,
    next_id: u64,
    halt: Halt,
}

impl Session {
    /// Starts a subject and says hello.
    ///
    /// # Errors
    /// Where it can't be started, or says no usable hello in time.
    pub fn open(
        launcher: &dyn Launcher,
        timing: &Timing,
        suites: &BTreeMap<String, String>,
    ) -> Result<Session, NoSession> {
        Session::open_until(launcher, timing, suites, Halt::default())
    }

    /// The same, with all waiting of the session ended when the run is halted.
    ///
    /// # Errors
    /// Where it can't be started, or says no usable hello in time.
    pub fn open_until(
        launcher: &dyn Launcher,
        timing: &Timing,
        suites: &BTreeMap<String, String>,
        halt: Halt,
    ) -> Result<Session, NoSession> {
        let connection = launcher.open().map_err(NoSession::Start)?;
        let hello = Hello {
            protocol: 0,
            implementation: message::Implementation::default(),
            roles: vec![],
            in_flight: None,
        };
        let mut session = Session { connection, hello, next_id: 1, halt };
        let failed = |session: &Session, why: String| NoSession::Hello {
            why,
            standard_error: session.connection.standard_error(),
        };
        let reply = session.ask("hello", &message::hello_params(suites), timing.hello).map_err(
            |broken| match broken {
                Broken::Halted => NoSession::Halted,
                broken => failed(&session, broken.to_string()),
            },
        )?;
        session.hello =
            message::read_hello(&reply).map_err(|error| failed(&session, error.to_string()))?;
        Ok(session)
    }

    /// Whether it was asked nothing but hello.
    pub fn is_fresh(&self) -> bool {
        self.next_id == 2
    }

    /// The id of the next request.
    pub fn next_id(&self) -> u64 {
        self.next_id
    }

    /// What it said at first.
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// Asks one thing and waits for the answer; nothing else may be under way.
    ///
    /// # Errors
    /// Where no well-formed answer to it comes in time.
    pub fn ask(
        &mut self,
        operation: &str,
        params: &Value,
        within: Duration,
    ) -> Result<Reply, Broken> {
        let id = self.send_all(&[(operation, params)]);
        let deadline = Instant::now() + within;
        loop {
            let now = Instant::now();
            return match self.connection.receive(deadline.min(now + LOOK)) {
                None if self.halt.is_due() => Err(Broken::Halted),
                None if now < deadline => continue,
                None => Err(Broken::Timeout(within)),
                Some(Incoming::Reply { id: answered, reply, .. }) if answered == Some(id) => {
                    Ok(reply)
                }
                Some(Incoming::Reply { id: answered, reply, .. }) => {
                    Err(Broken::Breach(not_under_way(answered, &reply)))
                }
                Some(Incoming::Breach(breach)) => Err(Broken::Breach(breach)),
                Some(Incoming::Ended(ending)) => Err(Broken::Ended(ending)),
            };
        }
    }

    /// Sends several requests at once and gives back the id of the first; the others follow on.
    pub fn send_all(&mut self, requests: &[(&str, &Value)]) -> u64 {
        let first = self.next_id;
        let asks: Vec<Ask<'_>> = requests
            .iter()
            .zip(first..)
            .map(|((operation, params), id)| Ask { id, operation, params })
            .collect();
        self.next_id += asks.len() as u64;
        self.connection.send(&asks);
        first
    }

    /// Sends a text as it stands in the place of a request; false where the transport has none.
    pub fn send_text(&mut self, text: &str) -> bool {
        self.connection.send_text(text)
    }

    /// Waits for what comes next.
    pub fn receive(&mut self, deadline: Instant) -> Option<Incoming> {
        self.connection.receive(deadline)
    }

    /// What the subject wrote to standard error, bounded.
    pub fn standard_error(&self) -> String {
        self.connection.standard_error()
    }

    /// Ends the subject in good order.
    pub fn close(self, grace: Duration) -> Closing {
        self.connection.close(grace)
    }
}

/// A reply that nobody waits for.
pub(super) fn not_under_way(id: Option<u64>, reply: &Reply) -> Breach {
    let what = match id {
        Some(id) => format!("a reply to request {id}, which was not under way"),
        None => "a fault that names no request".to_owned(),
    };
    // Shortened first: the whole may be of many megabytes.
    let reply = match reply {
        Reply::Ok(value) => Reply::Ok(compare::shorten(value)),
        other => other.clone(),
    };
    Breach { id: None, what, seen: quote(reply.into_value().to_string().as_bytes()) }
}
