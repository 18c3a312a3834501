//! The subprocess transport: requests on standard input, replies on standard output.
//!
//! Three threads a subject: one writes, so that a subject that does not read can't block the
//! engine; one reads and splits lines, bounded in length; one keeps the ends of standard error.
//! What one read brought is handed over in one piece, and few pieces may wait: a subject that
//! floods its output is slowed down by its pipe, and memory stays bounded.
//! Depends on the protocol's messages and on `process_group`.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
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

/// Reads that may wait between the reader and the engine: past them the subject's pipe fills.
const WAITING: usize = 2;

/// A line longer than this, in bytes, waits as it came.
const LONG: usize = 256 * 1024;

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
        let mut child =
            process_group::start(&mut command).map_err(|error| failed(error.to_string()))?;
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
    incoming: Receiver<Seen>,
    /// What came with an earlier read.
    ready: VecDeque<Incoming>,
    /// What its output ended with, where that was no line.
    unfinished: Option<String>,
    errors: Arc<Mutex<Tail>>,
    errors_reader: JoinHandle<()>,
    max_line: usize,
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
        let errors_reader = thread::spawn(move || keep_tail(stderr, &tail));
        Running {
            child,
            writer: Some(writer),
            incoming,
            ready: VecDeque::new(),
            unfinished: None,
            errors,
            errors_reader,
            max_line,
            exited: None,
            ended: false,
        }
    }

    /// Takes what the reader saw.
    fn take(&mut self, seen: Seen) {
        match seen {
            Seen::Lines(lines) => self.ready.extend(lines),
            Seen::Long(line, at) => self.ready.push_back(read_line(&line, self.max_line, at)),
            Seen::Unfinished(text) => self.unfinished = Some(text),
        }
    }

    /// What ended: the process, or its standard output alone.
    fn ending(&mut self) -> Incoming {
        self.ended = true;
        let until = Instant::now() + DRAIN;
        while !process_group::has_exited(&mut self.child) && Instant::now() < until {
            thread::sleep(Duration::from_millis(2));
        }
        let mut what = if process_group::has_exited(&mut self.child) {
            // Its last words are in the pipe, which may be held open by a process out of the group.
            let until = Instant::now() + DRAIN;
            let status = process_group::end(&mut self.child);
            while !self.errors_reader.is_finished() && Instant::now() < until {
                thread::sleep(Duration::from_millis(1));
            }
            status.map_or_else(|| "ended".to_owned(), process_group::describe)
        } else {
            "closed its standard output and went on running".to_owned()
        };
        if let Some(unfinished) = &self.unfinished {
            what.push_str(&format!(", in the middle of the line {unfinished}"));
        }
        Incoming::Ended(Ending { what })
    }
}

/// What the reader saw.
enum Seen {
    /// The lines of one read.
    Lines(Vec<Incoming>),
    /// A long line and when it came. It is read where it is taken: as a value it may need twenty
    /// times the memory, and none but the one that is judged should.
    Long(Vec<u8>, Instant),
    /// The output ended with something that was no line.
    Unfinished(String),
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
            if let Some(incoming) = self.ready.pop_front() {
                return Some(incoming);
            }
            let look = Instant::now() + LOOK;
            match self.incoming.recv_deadline(deadline.min(look)) {
                Ok(seen) => {
                    self.take(seen);
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return Some(self.ending()),
                Err(RecvTimeoutError::Timeout) if deadline <= look => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if process_group::has_exited(&mut self.child) {
                // A child of the subject may hold the pipe open for ever.
                let since = *self.exited.get_or_insert_with(Instant::now);
                if since.elapsed() >= DRAIN && self.incoming.is_empty() {
                    return Some(self.ending());
                }
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
            match self.ready.pop_front() {
                Some(Incoming::Reply { id, .. }) => {
                    unasked = Some(id.map_or("a fault without a request".to_owned(), |id| {
                        format!("a reply to request {id}, which was not under way")
                    }));
                }
                Some(Incoming::Breach(breach)) => unasked = Some(breach.to_string()),
                Some(Incoming::Ended(_)) => break,
                None => match self.incoming.recv_deadline(until) {
                    Ok(seen) => self.take(seen),
                    Err(_) => break,
                },
            }
        }
        let unfinished = self.unfinished.take().map(|text| format!("half a line: {text}"));
        Closing { unasked: unasked.or(unfinished), killed }
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
fn read_lines(mut stdout: impl Read, max_line: usize, seen: &Sender<Seen>) {
    let mut buffer = vec![0; 64 * 1024];
    // The beginning of a line whose end has not come.
    let mut line: Vec<u8> = Vec::new();
    loop {
        let count = match stdout.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let mut rest = buffer.get(..count).unwrap_or_default();
        let mut lines = Vec::new();
        let mut too_long = false;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let (head, tail) = rest.split_at(end);
            rest = tail.get(1..).unwrap_or_default();
            if line.is_empty() {
                lines.push(read_line(head, max_line, Instant::now()));
                continue;
            }
            line.extend_from_slice(head);
            too_long = line.len() > max_line;
            let whole = std::mem::take(&mut line);
            if whole.len() > LONG && !too_long {
                // No line of this read came before it.
                if seen.send(Seen::Long(whole, Instant::now())).is_err() {
                    return;
                }
            } else {
                lines.push(read_line(&whole, max_line, Instant::now()));
            }
        }
        line.extend_from_slice(rest);
        if line.len() > max_line {
            too_long = true;
            lines.push(read_line(&line, max_line, Instant::now()));
        }
        if !lines.is_empty() && seen.send(Seen::Lines(lines)).is_err() || too_long {
            return;
        }
    }
    if !line.is_empty() {
        let _ = seen.send(Seen::Unfinished(quote(&line)));
    }
}

/// Reads one line, without its line feed.
fn read_line(line: &[u8], max_line: usize, at: Instant) -> Incoming {
    if line.len() > max_line {
        let what = format!("a line of more than {max_line} bytes");
        return Incoming::Breach(Breach { id: None, what, seen: quote(line) });
    }
    match message::read_reply(line.strip_suffix(b"\r").unwrap_or(line)) {
        Ok((id, reply)) => Incoming::Reply { id, reply, at },
        Err(breach) => Incoming::Breach(breach),
    }
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
