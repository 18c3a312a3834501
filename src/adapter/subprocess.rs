//! The subprocess transport: requests on standard input, replies on standard output.
//!
//! Three threads a subject: one writes, so that a subject that does not read can't block the
//! engine; one reads and splits lines, bounded in length; one keeps the ends of standard error.
//! Depends on the protocol's messages and on `process_group`.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};

use crate::adapter::{
    Ask, Breach, Closing, Connection, Ending, Incoming, Launcher, StartError, message,
    process_group, quote,
};

/// How often a silent subject is looked at, to see whether it still runs.
const LOOK: Duration = Duration::from_millis(20);

/// After a subject exited its pipe may still hold replies; this long is waited for them.
const DRAIN: Duration = Duration::from_millis(200);

/// Replies that may wait between the reader and the engine: past them the subject's pipe fills.
const WAITING: usize = 4096;

/// How a subprocess is started.
#[derive(Clone, Debug)]
pub struct Subprocess {
    /// The program and its arguments; never empty.
    pub command: Vec<String>,
    /// Variables set beside the inherited environment.
    pub environment: Vec<(String, String)>,
    /// The longest reply line, in bytes.
    pub max_line: usize,
}

impl Launcher for Subprocess {
    fn open(&self) -> Result<Box<dyn Connection>, StartError> {
        let failed = |why: String| StartError { subject: self.describe(), why };
        let (program, arguments) =
            self.command.split_first().ok_or_else(|| failed("the command is empty".to_owned()))?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        process_group::lead(&mut command);
        let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
        match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
            (Some(stdin), Some(stdout), Some(stderr)) => {
                Ok(Box::new(Running::new(child, stdin, stdout, stderr, self.max_line)))
            }
            _ => {
                process_group::end(&mut child);
                Err(failed("its pipes could not be opened".to_owned()))
            }
        }
    }

    fn describe(&self) -> String {
        self.command.join(" ")
    }

    fn command(&self) -> Vec<String> {
        self.command.clone()
    }
}

struct Running {
    child: Child,
    /// `None` once the input is closed.
    writer: Option<Sender<Vec<u8>>>,
    incoming: Receiver<Incoming>,
    errors: Arc<Mutex<Tail>>,
    /// When the leader was first seen to have exited.
    exited: Option<Instant>,
    ended: bool,
}

impl Running {
    fn new(
        child: Child,
        stdin: ChildStdin,
        stdout: impl Read + Send + 'static,
        stderr: impl Read + Send + 'static,
        max_line: usize,
    ) -> Running {
        let (writer, to_write) = unbounded();
        let (seen, incoming) = bounded(WAITING);
        let errors = Arc::new(Mutex::new(Tail::default()));
        let tail = Arc::clone(&errors);
        // The threads end by themselves when their pipes do, and are not waited for: a pipe may be
        // held by a process that left the group.
        thread::spawn(move || write_all(stdin, &to_write));
        thread::spawn(move || read_lines(stdout, max_line, &seen));
        thread::spawn(move || keep_tail(stderr, &tail));
        Running { child, writer: Some(writer), incoming, errors, exited: None, ended: false }
    }

    /// What ended: the process, or its standard output alone.
    fn ending(&mut self) -> Incoming {
        self.ended = true;
        let until = Instant::now() + DRAIN;
        while !process_group::has_exited(&mut self.child) && Instant::now() < until {
            thread::sleep(Duration::from_millis(2));
        }
        let what = if process_group::has_exited(&mut self.child) {
            process_group::end(&mut self.child)
                .map_or_else(|| "ended".to_owned(), process_group::describe)
        } else {
            "closed its standard output and went on running".to_owned()
        };
        Incoming::Ended(Ending { what })
    }
}

impl Connection for Running {
    fn send(&mut self, requests: &[Ask<'_>]) {
        let mut block = Vec::new();
        for request in requests {
            message::write_request(request, &mut block);
        }
        if let Some(writer) = &self.writer {
            // Fails where the subject closed its input: its end will be seen on the other pipe.
            let _ = writer.send(block);
        }
    }

    fn send_text(&mut self, text: &str) -> bool {
        if let Some(writer) = &self.writer {
            let _ = writer.send(format!("{text}\n").into_bytes());
        }
        true
    }

    fn receive(&mut self, deadline: Instant) -> Option<Incoming> {
        if self.ended {
            return Some(Incoming::Ended(Ending { what: "it has ended".to_owned() }));
        }
        loop {
            let until = deadline.min(Instant::now() + LOOK);
            match self.incoming.recv_deadline(until) {
                Ok(incoming) => return Some(incoming),
                Err(RecvTimeoutError::Disconnected) => return Some(self.ending()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if process_group::has_exited(&mut self.child) {
                // A child of the subject may hold the pipe open for ever.
                let since = *self.exited.get_or_insert_with(Instant::now);
                if since.elapsed() >= DRAIN {
                    return Some(self.ending());
                }
            }
            if Instant::now() >= deadline {
                return None;
            }
        }
    }

    fn standard_error(&self) -> String {
        self.errors.lock().unwrap_or_else(PoisonError::into_inner).text()
    }

    fn close(mut self: Box<Self>, grace: Duration) -> Closing {
        self.writer = None;
        let until = Instant::now() + grace;
        while !process_group::has_exited(&mut self.child) && Instant::now() < until {
            thread::sleep(Duration::from_millis(1));
        }
        let killed = !process_group::has_exited(&mut self.child);
        let mut unasked = None;
        // Everything that an ended subject wrote is in its pipe: read on until the pipe's end, or
        // shortly where somebody else holds it.
        let until = Instant::now() + if killed { Duration::ZERO } else { DRAIN };
        while unasked.is_none() {
            match self.incoming.recv_deadline(until) {
                Ok(Incoming::Reply { id, .. }) => {
                    unasked = Some(id.map_or("a fault without a request".to_owned(), |id| {
                        format!("a reply to request {id}, which was not under way")
                    }));
                }
                Ok(Incoming::Breach(breach)) => unasked = Some(breach.to_string()),
                Ok(Incoming::Ended(_)) | Err(_) => break,
            }
        }
        Closing { unasked, killed }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        process_group::end(&mut self.child);
    }
}

fn write_all(mut stdin: ChildStdin, to_write: &Receiver<Vec<u8>>) {
    while let Ok(block) = to_write.recv() {
        if stdin.write_all(&block).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Splits standard output into lines until it ends or breaks the protocol's bounds.
fn read_lines(mut stdout: impl Read, max_line: usize, seen: &Sender<Incoming>) {
    let mut buffer = vec![0; 64 * 1024];
    let mut line: Vec<u8> = Vec::new();
    loop {
        let count = match stdout.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let mut rest = buffer.get(..count).unwrap_or_default();
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let (head, tail) = rest.split_at(end);
            rest = tail.get(1..).unwrap_or_default();
            let delivered = if line.is_empty() {
                deliver(head, max_line, seen)
            } else {
                line.extend_from_slice(head);
                let delivered = deliver(&line, max_line, seen);
                line = Vec::new();
                delivered
            };
            if !delivered {
                return;
            }
        }
        line.extend_from_slice(rest);
        if line.len() > max_line {
            deliver(&line, max_line, seen);
            return;
        }
    }
    if !line.is_empty() {
        let what = "a last line without a line feed".to_owned();
        let _ = seen.send(Incoming::Breach(Breach { id: None, what, seen: quote(&line) }));
    }
}

/// Reads one line and hands it on; false where reading must stop.
fn deliver(line: &[u8], max_line: usize, seen: &Sender<Incoming>) -> bool {
    let at = Instant::now();
    let (incoming, go_on) = if line.len() > max_line {
        let what = format!("a line of more than {max_line} bytes");
        (Incoming::Breach(Breach { id: None, what, seen: quote(line) }), false)
    } else {
        match message::read_reply(line.strip_suffix(b"\r").unwrap_or(line)) {
            Ok((id, reply)) => (Incoming::Reply { id, reply, at }, true),
            Err(breach) => (Incoming::Breach(breach), true),
        }
    };
    seen.send(incoming).is_ok() && go_on
}

/// The beginning and the end of a stream, in bounded memory.
#[derive(Default)]
struct Tail {
    head: Vec<u8>,
    tail: Vec<u8>,
    total: u64,
}

impl Tail {
    const HEAD: usize = 4 * 1024;
    const TAIL: usize = 12 * 1024;

    fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = Self::HEAD.saturating_sub(self.head.len()).min(bytes.len());
        let (first, rest) = bytes.split_at(room);
        self.head.extend_from_slice(first);
        self.tail.extend_from_slice(rest);
        if self.tail.len() > 2 * Self::TAIL {
            self.tail.drain(..self.tail.len() - Self::TAIL);
        }
    }

    fn text(&self) -> String {
        let tail = self.tail.get(self.tail.len().saturating_sub(Self::TAIL)..).unwrap_or_default();
        let left_out = self.total - (self.head.len() + tail.len()) as u64;
        if left_out == 0 {
            let whole = [self.head.as_slice(), tail].concat();
            return String::from_utf8_lossy(&whole).into_owned();
        }
        format!(
            "{}\n[… {left_out} bytes left out …]\n{}",
            String::from_utf8_lossy(&self.head),
            String::from_utf8_lossy(tail)
        )
    }
}

fn keep_tail(mut stderr: impl Read, tail: &Mutex<Tail>) {
    let mut buffer = vec![0; 16 * 1024];
    loop {
        match stderr.read(&mut buffer) {
            Ok(0) => return,
            Ok(count) => {
                let bytes = buffer.get(..count).unwrap_or_default();
                tail.lock().unwrap_or_else(PoisonError::into_inner).push(bytes);
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_a_flood_of_standard_error_kept_in_bounded_memory() {
        let mut tail = Tail::default();
        for _ in 0..10_000 {
            tail.push(&[b'x'; 1000]);
        }
        tail.push(b"the end");
        let text = tail.text();
        assert!(text.len() < 20_000);
        assert!(text.ends_with("the end"));
        assert!(text.contains("bytes left out"));
        assert!(tail.tail.capacity() < 100_000);
    }
}
