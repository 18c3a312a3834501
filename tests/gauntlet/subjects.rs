//! The misbehaving subjects, by the name that `--subject` gives.

use std::io::{self, Write};
use std::process::{Command, Stdio, abort, exit};
use std::thread::sleep;
use std::time::Duration;

use proofmark::adapter::message::{Refusal, Reply, Request};
use serde_json::{Value, json};

use crate::subject::{Subject, is, next, say_hello, write};

const FOR_EVER: Duration = Duration::from_secs(3600);

/// Misbehaves as the words say.
pub fn play(words: &[String]) {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match *words.as_slice() {
        ["honest", in_flight] => honest(number(in_flight)),
        ["template", whom, in_flight, template] => of_template(whom, number(in_flight), template),
        ["degenerate", how] => degenerate(how),
        ["out-of-order"] => out_of_order(),
        ["dies", how, whom, in_flight] => dies(how, whom, number(in_flight)),
        ["dies-at-request", at, in_flight] => dies_at_request(number(at), number(in_flight)),
        ["answers-and-exits", whom, in_flight] => answers_and_exits(whom, number(in_flight)),
        ["half-a-line", whom] => half_a_line(whom),
        ["exits-at-once", status, message] => {
            eprint!("{message}");
            exit(number(status) as i32);
        }
        ["starts-by-turns", counter, whom] => starts_by_turns(counter, whom),
        ["changes-its-name", counter, whom] => changes_its_name(counter, whom),
        ["says-goodbye"] => {
            honest(1);
            write(b"goodbye\n");
        }
        ["ignores-its-closed-input"] => {
            honest(1);
            sleep(FOR_EVER);
        }
        ["leaves-a-child", whom] => {
            start_a_child();
            dies("exit", whom, 4);
        }
        ["hangs-with-a-child", whom] => {
            start_a_child();
            sleeps(whom, 1);
        }
        ["sleeper"] => sleep(FOR_EVER),
        ["closes", stream] => closes(stream),
        ["silent"] => while next().is_some() {},
        ["never-reads"] => sleep(FOR_EVER),
        ["stops-reading"] => {
            hello(1);
            sleep(FOR_EVER);
        }
        ["drips", at_hello] => drips(at_hello == "hello"),
        ["sleeps", whom, in_flight] => sleeps(whom, number(in_flight)),
        ["sleeps-apart", whom, in_flight] => sleeps_apart(whom, number(in_flight)),
        ["takes", millis] => takes(Duration::from_millis(number(millis))),
        ["hoards", count] => hoards(number(count) as usize),
        ["floods-standard-error"] => floods_standard_error(),
        ["floods-standard-output", what] => floods_standard_output(what),
        ["long-line", bytes] => long_line(number(bytes) as usize),
        ["padded", whom, bytes] => padded(whom, number(bytes) as usize),
        ["deep", levels] => deep(number(levels) as usize),
        ["long-words", how] => long_words(how),
        ["hello", value] => {
            say_hello(&serde_json::from_str(value).expect("the trial gives JSON"));
            Subject::new(1).serve(|subject, request| subject.line(request));
        }
        ["hello-line", template] => {
            if let Some(request) = next() {
                write(&filled(template, &Subject::new(1), &request));
            }
            Subject::new(1).serve(|subject, request| subject.line(request));
        }
        ["big-hello", what] => big_hello(what),
        ["escapes", where_to] => escapes(where_to),
        _ => panic!("no such subject: {words:?}"),
    }
}

fn number(word: &str) -> u64 {
    word.parse().expect("the trial gives a number")
}

fn hello(in_flight: u64) -> Subject {
    let subject = Subject::new(in_flight);
    if let Some(request) = next() {
        write(&subject.line(&request));
    }
    subject
}

fn honest(in_flight: u64) {
    Subject::new(in_flight).serve(|subject, request| subject.line(request));
}

/// Answers with a text: `$id` and `$result` stand for what would be right, `%FF` for any byte.
/// All requests, or the one with these params.
fn of_template(whom: &str, in_flight: u64, template: &str) {
    Subject::new(in_flight).serve(|subject, request| {
        if whom == "all" || is(request, whom) {
            filled(template, subject, request)
        } else {
            subject.line(request)
        }
    });
}

fn filled(template: &str, subject: &Subject, request: &Request) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        let (digits, after) = after.split_at(2);
        bytes.push(u8::from_str_radix(digits, 16).expect("the trial gives two digits"));
        rest = after;
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes.push(b'\n');
    let result = subject.result(request).to_string();
    let member = result.trim_start_matches('{').strip_suffix('}').unwrap_or_default();
    let bytes = replaced(&bytes, b"$id", request.id.to_string().as_bytes());
    replaced(&bytes, b"$result", member.as_bytes())
}

fn replaced(text: &[u8], wanted: &[u8], by: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.windows(wanted.len()).position(|window| window == wanted) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(by);
        rest = &rest[at + wanted.len()..];
    }
    out.extend_from_slice(rest);
    out
}

/// Follows the protocol to the letter, and implements nothing.
fn degenerate(how: &str) {
    let mut previous = Reply::Ok(Value::Null);
    Subject::new(4).serve(|subject, request| {
        let accepted = || {
            let text = request.params.get("document").cloned().unwrap_or(Value::Null);
            Reply::Ok(json!({ "document": text }))
        };
        let reply = match how {
            "accepts" => accepted(),
            "null" => Reply::Ok(Value::Null),
            "refuses" => Reply::Refused(Refusal::default()),
            "echoes" => Reply::Ok(request.params.clone()),
            "unsupported" => Reply::Unsupported(None),
            "constant" => Reply::Ok(json!({ "document": { "text": "{}" } })),
            "previous" => std::mem::replace(&mut previous, subject.reply(request)),
            _ => panic!("no such way: {how}"),
        };
        let mut line = Vec::new();
        reply.write_line(Some(request.id), &mut line);
        line
    });
}

/// Reads on another thread, and hands over what came until nothing more does.
fn read_apart() -> std::sync::mpsc::Receiver<Request> {
    let (sender, requests) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        while let Some(request) = next() {
            let _ = sender.send(request);
        }
    });
    requests
}

fn out_of_order() {
    let subject = hello(8);
    let requests = read_apart();
    while let Ok(first) = requests.recv() {
        let mut waiting = vec![first];
        while let Ok(request) = requests.recv_timeout(Duration::from_millis(5)) {
            waiting.push(request);
        }
        for request in waiting.iter().rev() {
            write(&subject.line(request));
        }
    }
}

fn die(how: &str) -> ! {
    match how {
        "exit" => exit(3),
        "panic" => panic!("this subject panics"),
        "abort" => abort(),
        signal => {
            #[cfg(unix)]
            {
                use rustix::process::{Signal, getpid, kill_process};
                let signal = if signal == "kill" { Signal::KILL } else { Signal::SEGV };
                // The first SIGSEGV is taken by the handler for overflows of the stack.
                for _ in 0..2 {
                    kill_process(getpid(), signal).expect("a process may end itself");
                    sleep(Duration::from_millis(50));
                }
            }
            unreachable!("{signal} ends it");
        }
    }
}

fn dies(how: &str, whom: &str, in_flight: u64) {
    Subject::new(in_flight).serve(|subject, request| {
        if whom == "all" || is(request, whom) {
            die(how);
        }
        subject.line(request)
    });
}

fn dies_at_request(at: u64, in_flight: u64) {
    Subject::new(in_flight).serve(|subject, request| {
        if subject.asked == at {
            exit(1);
        }
        subject.line(request)
    });
}

fn answers_and_exits(whom: &str, in_flight: u64) {
    Subject::new(in_flight).serve(|subject, request| {
        let line = subject.line(request);
        if is(request, whom) {
            write(&line);
            exit(4);
        }
        line
    });
}

fn half_a_line(whom: &str) {
    Subject::new(1).serve(|subject, request| {
        let line = subject.line(request);
        if is(request, whom) {
            write(&line[..line.len() / 2]);
            exit(5);
        }
        line
    });
}

/// Counts its starts in a file.
fn starts(counter: &str) -> u64 {
    let text = std::fs::read_to_string(counter).unwrap_or_default();
    let count = text.trim().parse().unwrap_or(0) + 1;
    std::fs::write(counter, format!("{count}")).expect("the counter can be written");
    count
}

fn starts_by_turns(counter: &str, whom: &str) {
    if starts(counter).is_multiple_of(2) {
        exit(6);
    }
    dies("exit", whom, 1);
}

fn changes_its_name(counter: &str, whom: &str) {
    let mut subject = Subject::new(1);
    subject.offer.implementation.version = format!("start {}", starts(counter));
    subject.serve(|subject, request| {
        if is(request, whom) {
            exit(3);
        }
        subject.line(request)
    });
}

/// Starts a child that holds the pipes and goes on running.
#[expect(clippy::zombie_processes, reason = "leaving it behind is what this subject does wrong")]
fn start_a_child() {
    Command::new(std::env::current_exe().expect("this program has a path"))
        .args(["--subject", "sleeper"])
        .stdin(Stdio::inherit())
        .spawn()
        .expect("a child can be started");
}

/// Closes one of its streams after hello, and goes on running.
fn closes(stream: &str) {
    hello(1);
    #[cfg(unix)]
    {
        use std::os::fd::FromRawFd as _;
        let descriptor = if stream == "output" { 1 } else { 0 };
        // SAFETY: nothing in this process uses the descriptor from here on.
        drop(unsafe { std::fs::File::from_raw_fd(descriptor) });
    }
    sleep(FOR_EVER);
}

fn drips(at_hello: bool) {
    let subject = Subject::new(1);
    while let Some(request) = next() {
        for byte in subject.line(&request) {
            write(&[byte]);
            if at_hello || request.op != "hello" {
                sleep(Duration::from_millis(50));
            }
        }
    }
}

/// One request stops everything.
fn sleeps(whom: &str, in_flight: u64) {
    Subject::new(in_flight).serve(|subject, request| {
        if is(request, whom) {
            sleep(FOR_EVER);
        }
        subject.line(request)
    });
}

/// One request is never answered; the others are.
fn sleeps_apart(whom: &str, in_flight: u64) {
    Subject::new(in_flight).serve(|subject, request| {
        if is(request, whom) { Vec::new() } else { subject.line(request) }
    });
}

fn takes(time: Duration) {
    Subject::new(1).serve(|subject, request| {
        sleep(time);
        subject.line(request)
    });
}

/// Says that it takes one at a time, and answers only when it has many.
fn hoards(count: usize) {
    let mut waiting = Vec::new();
    Subject::new(1).serve(|subject, request| {
        waiting.extend(subject.line(request));
        if subject.asked.is_multiple_of(count as u64) {
            std::mem::take(&mut waiting)
        } else {
            Vec::new()
        }
    });
}

fn floods_standard_error() {
    std::thread::spawn(|| {
        let noise = [b'!'; 64 * 1024];
        while io::stderr().write_all(&noise).is_ok() {}
    });
    honest(4);
}

fn floods_standard_output(what: &str) {
    let subject = hello(16);
    let piece = match what {
        "nothing" => vec![b'x'; 64 * 1024],
        "lines" => b"noise\n".repeat(10_000),
        "replies" => b"{\"id\":2,\"ok\":null}\n".repeat(5_000),
        _ => b"{\"id\":2,\"ok\":[0".iter().copied().chain(*b"]}\n").collect(),
    };
    if what == "big-replies" {
        let mut line = b"{\"id\":2,\"ok\":[0".to_vec();
        line.extend(b",0".repeat(2 * 1024 * 1024));
        line.extend_from_slice(b"]}\n");
        loop {
            write(&line);
        }
    }
    drop(subject);
    loop {
        write(&piece);
    }
}

fn long_line(bytes: usize) {
    Subject::new(1).serve(|_, request| {
        let mut line = format!("{{\"id\":{},\"ok\":\"", request.id).into_bytes();
        line.resize(bytes, b'x');
        line.extend_from_slice(b"\"}\n");
        line
    });
}

/// The right reply, made exactly so long by a member that nobody reads.
fn padded(whom: &str, bytes: usize) {
    Subject::new(1).serve(|subject, request| {
        let line = subject.line(request);
        if !is(request, whom) {
            return line;
        }
        let (head, pad) = (&line[..line.len() - 2], b",\"pad\":\"\"}");
        let filler = bytes - head.len() - pad.len();
        [head, b",\"pad\":\"", &vec![b'x'; filler], b"\"}\n"].concat()
    });
}

fn deep(levels: usize) {
    Subject::new(1).serve(|_, request| {
        let (open, close) = ("[".repeat(levels), "]".repeat(levels));
        format!("{{\"id\":{},\"ok\":{open}{close}}}\n", request.id).into_bytes()
    });
}

/// Replies of another kind with words of many megabytes.
fn long_words(how: &str) {
    let words = "w".repeat(8 * 1024 * 1024);
    Subject::new(1).serve(|_, request| {
        let result = match how {
            "refused" => json!({ "code": words, "message": words }),
            "fault" => json!({ "message": words }),
            "unsupported" => json!({ "what": words }),
            _ => json!(words),
        };
        format!("{}\n", json!({ "id": request.id, how: result })).into_bytes()
    });
}

fn big_hello(what: &str) {
    let mut subject = Subject::new(1);
    match what {
        "name" => subject.offer.implementation.name = "n".repeat(1024 * 1024),
        "role" => subject.offer.roles.push("r".repeat(1024 * 1024)),
        _ => subject.offer.roles.extend((0..100_000).map(|n| format!("made/up-{n}"))),
    }
    subject.serve(|subject, request| subject.line(request));
}

/// Sequences that a terminal would obey, wherever words of a subject are shown.
const ESCAPE: &str = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\r\u{7f}\u{8}\u{0}";

fn escapes(where_to: &str) {
    let mut subject = Subject::new(1);
    eprintln!("{ESCAPE}");
    if where_to == "stderr-and-exit" {
        exit(7);
    }
    let implementation = &mut subject.offer.implementation;
    implementation.name = format!("name {ESCAPE}");
    implementation.version = format!("version {ESCAPE}");
    implementation.language = format!("language {ESCAPE}");
    implementation.url = Some(format!("url {ESCAPE}"));
    subject.offer.roles.push(format!("role {ESCAPE}"));
    if where_to == "stray-at-hello" {
        write(format!("stray {ESCAPE}\n").as_bytes());
    }
    if where_to == "hello-refused" {
        if let Some(request) = next() {
            let refused = json!({ "id": request.id, "refused": { "message": ESCAPE } });
            write(format!("{refused}\n").as_bytes());
        }
        exit(0);
    }
    subject.serve(|subject, request| {
        let id = request.id;
        let line = match subject.asked % 6 {
            0 => json!({ "id": id, "ok": ESCAPE }).to_string(),
            1 => json!({ "id": id, "ok": { ESCAPE: ESCAPE } }).to_string(),
            2 => json!({ "id": id, "refused": { "code": ESCAPE, "message": ESCAPE } }).to_string(),
            3 => json!({ "id": id, "unsupported": { "what": ESCAPE } }).to_string(),
            4 if where_to == "replies" => {
                json!({ "id": id, "fault": { "message": ESCAPE } }).to_string()
            }
            5 if where_to == "replies" => format!("stray {ESCAPE}"),
            _ => return subject.line(request),
        };
        format!("{line}\n").into_bytes()
    });
}
