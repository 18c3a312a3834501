//! The adapter protocol, version 1: one JSON object in, one out.
//!
//! [`message`] has the protocol's words, [`document`] the way bytes travel in them. A [`Connection`]
//! is one started subject, whatever the transport: [`subprocess`], [`http`] or [`in_process`].
//! [`serving`] is the other side: it offers operations to whoever asks.
//!
//! Nothing here judges: a connection reports what it saw, and the engine makes a verdict of it.
//!
//! May depend on: nothing else in this crate but [`crate::reference`], whose operations the
//! in-process transport calls.

use std::fmt;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::adapter::message::Reply;

pub mod document;
pub mod http;
pub mod in_process;
pub mod message;
mod process_group;
pub mod serving;
pub mod subprocess;

/// The version of the adapter protocol that this crate speaks.
pub const PROTOCOL: u64 = 1;

/// A reply line may be this long unless `--max-line` says otherwise: 16 MiB.
pub const MAX_LINE: usize = 16 * 1024 * 1024;

/// One request as it is handed to a connection.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The id that the reply will carry; unique within a connection.
    pub id: u64,
    /// The operation's name, as `jcs.canonicalize`.
    pub operation: &'a str,
    /// The operation's params, a JSON object.
    pub params: &'a Value,
}

/// What a connection saw.
#[derive(Clone, Debug)]
pub enum Incoming {
    /// A well-formed reply.
    Reply {
        /// The id of the request that it answers; `None` where it says that a line was no request.
        id: Option<u64>,
        /// What was answered.
        reply: Reply,
        /// When the reply was complete.
        at: Instant,
    },
    /// Something that the protocol does not allow. The connection is of no further use.
    Breach(Breach),
    /// The subject went away. The connection is of no further use.
    Ended(Ending),
}

/// A breach of the adapter protocol, quoted as seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The request that it answers, where that can be told.
    pub id: Option<u64>,
    /// What is wrong, one sentence without a full stop.
    pub what: String,
    /// The beginning of what was seen (bounded), as text; empty where nothing can be quoted.
    pub seen: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.seen.is_empty() {
            write!(f, "{}", self.what)
        } else {
            write!(f, "{}: {}", self.what, self.seen)
        }
    }
}

/// How a subject ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// What happened, as `exit status 3`, `killed by signal 11 (SIGSEGV)`, `panicked: …`.
    pub what: String,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

/// A subject that could not be started or reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartError {
    /// The command or the URL.
    pub subject: String,
    /// The system's own words.
    pub why: String,
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot start {}: {}", self.subject, self.why)
    }
}

impl std::error::Error for StartError {}

/// One started subject. Dropping it ends the subject at once, with all the processes of its group.
pub trait Connection: Send {
    /// Hands over requests, all of them in one write where the transport allows it. Never blocks
    /// on a subject that does not read. What goes wrong is seen by [`Connection::receive`].
    fn send(&mut self, requests: &[Ask<'_>]);

    /// Sends a text as it stands in the place of a request: what `check` does to see whether a
    /// malformed one is survived. False where the transport has no text.
    fn send_text(&mut self, text: &str) -> bool;

    /// Waits for what comes next; `None` when nothing came until `deadline`.
    fn receive(&mut self, deadline: Instant) -> Option<Incoming>;

    /// What the subject wrote to its standard error, bounded: its beginning and its end.
    fn standard_error(&self) -> String;

    /// Ends the subject in good order: closes its input and waits up to `grace`, then ends its
    /// whole process group. Gives back what still came unasked, and whether it had to be killed.
    fn close(self: Box<Self>, grace: Duration) -> Closing;
}

/// How a connection closed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Closing {
    /// A line that came although nothing was asked.
    pub unasked: Option<String>,
    /// The subject did not end when its input closed, and was killed.
    pub killed: bool,
}

/// A way to start a subject, as often as needed.
pub trait Launcher: Send + Sync {
    /// Starts the subject.
    ///
    /// # Errors
    /// Where the system can't start it, with the system's own words.
    fn open(&self) -> Result<Box<dyn Connection>, StartError>;

    /// The subject as it was named: the command line or the URL, for people.
    fn describe(&self) -> String;

    /// The command's words, or the URL alone; empty for the embedded reference.
    fn command(&self) -> Vec<String>;
}

/// Ends all subjects with everything that they started, for a process that is about to end itself.
pub fn end_subjects() {
    process_group::end_all();
}

/// At most this many bytes of something strange are quoted.
const QUOTED: usize = 400;

/// Quotes the beginning of what a subject sent, as text.
pub(crate) fn quote(bytes: &[u8]) -> String {
    let head = bytes.get(..QUOTED).unwrap_or(bytes);
    let mut text = String::from_utf8_lossy(head).into_owned();
    if bytes.len() > QUOTED {
        text.push_str(&format!("… ({} bytes)", bytes.len()));
    }
    text
}
