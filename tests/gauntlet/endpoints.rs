//! Subjects behind HTTP.

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::Duration;

use proofmark::adapter::message::Request;

use crate::Named;
use crate::endpoint::{Behaviour, Endpoint, body, listen, read, respond, right};
use crate::harness::{Outcome, Run, culprit};

pub const TRIALS: &[Named] = &[
    ("HTTP: honest: conformant", || conformant(right)),
    ("HTTP: connection: close after every reply: conformant", || conformant(closing)),
    ("HTTP: connections close without a word: conformant", || conformant(closing_silently)),
    ("HTTP: chunked: conformant", || conformant(chunked)),
    ("HTTP: no content type: conformant", || conformant(untyped)),
    ("HTTP: status 500", || {
        at_fault("HTTP status 500", |stream, request| {
            respond(stream, "500 Oh no", JSON, &body(request))
        })
    }),
    ("HTTP: status 404", || {
        at_fault("HTTP status 404", |stream, _| {
            respond(stream, "404 Not Found", "", b"nothing here")
        })
    }),
    ("HTTP: status 204", || {
        at_fault("HTTP status 204", |stream, _| {
            stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").is_ok()
        })
    }),
    ("HTTP: status 400 with an endless body", || at_fault("HTTP status 400", endless_error)),
    ("HTTP: another content type", || {
        at_fault("text/html", |stream, request| {
            respond(stream, "200 OK", "content-type: text/html\r\n", &body(request))
        })
    }),
    ("HTTP: half a body", || at_fault("a body that breaks off", half_a_body)),
    ("HTTP: an endless body", || at_fault("a body of more than", endless_body)),
    ("HTTP: an empty body", || {
        at_fault("an empty line", |stream, _| respond(stream, "200 OK", JSON, b""))
    }),
    ("HTTP: the id of another request", || {
        at_fault("another request", |stream, _| {
            respond(stream, "200 OK", JSON, br#"{"id":900000,"ok":null}"#)
        })
    }),
    ("HTTP: no HTTP at all", || {
        at_fault("not HTTP", |stream, _| last(stream.write_all(b"SSH-2.0-OpenSSH_9.9\r\n").is_ok()))
    }),
    ("HTTP: a redirect is not followed", redirect),
    ("HTTP: closes at one input", closes_at_one),
    ("HTTP: closes at every request", closes_always),
    ("HTTP: closes at accept", closes_at_accept),
    ("HTTP: never answers", || {
        silent(|stream, _| {
            sleep(Duration::from_secs(60));
            stream.flush().is_ok()
        })
    }),
    ("HTTP: the headers never end", || {
        silent(|stream, _| {
            let mut going = stream.write_all(b"HTTP/1.1 200 OK\r\n").is_ok();
            while going {
                going = stream.write_all(b"x-more: of it\r\n").is_ok();
                sleep(Duration::from_millis(100));
            }
            false
        })
    }),
    ("HTTP: the body drips", || {
        silent(|stream, request| {
            let body = body(request);
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
            let mut going = stream.write_all(head.as_bytes()).is_ok();
            for byte in body {
                going = going && stream.write_all(&[byte]).is_ok();
                sleep(Duration::from_millis(50));
            }
            going
        })
    }),
    ("HTTP: one input is never answered", never_answers_one),
    ("HTTP: is gone for good at one input", gone_at_one),
    ("HTTP: nobody listens", nobody),
    ("HTTP: an address that is no URL", no_url),
];

const JSON: &str = "content-type: application/json\r\n";

fn run(url: &str) -> Run {
    Run::of(&["run", "--format", "json", "--http", url], vec![])
}

fn conformant(behaviour: Behaviour) {
    let endpoint = Endpoint::new(behaviour);
    run(&endpoint.url).go().ends_with(0).report().is("conformant");
}

/// Whatever was sent, the connection closes after it.
fn last(_sent: bool) -> bool {
    false
}

fn closing(stream: &mut TcpStream, request: &Request) -> bool {
    let headers = format!("{JSON}connection: close\r\n");
    last(respond(stream, "200 OK", &headers, &body(request)))
}

fn closing_silently(stream: &mut TcpStream, request: &Request) -> bool {
    last(right(stream, request))
}

fn chunked(stream: &mut TcpStream, request: &Request) -> bool {
    let body = body(request);
    let (first, second) = body.split_at(body.len() / 2);
    let head = format!("HTTP/1.1 200 OK\r\n{JSON}transfer-encoding: chunked\r\n\r\n");
    let chunk =
        |bytes: &[u8]| [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat();
    let whole = [head.as_bytes(), &chunk(first), &chunk(second), b"0\r\n\r\n"].concat();
    stream.write_all(&whole).is_ok()
}

fn untyped(stream: &mut TcpStream, request: &Request) -> bool {
    respond(stream, "200 OK", "", &body(request))
}

/// After hello every answer is the same breach: every case is the adapter's fault; and so it is
/// where hello is answered that way.
#[track_caller]
fn at_fault(words: &str, behaviour: Behaviour) {
    let endpoint = Endpoint::after_hello(behaviour);
    let outcome = run(&endpoint.url).with(&["--restarts", "3"]).go().ends_with(3).within(50);
    let report = outcome.report();
    report.all_are("adapter-fault");
    let reasons = report.others("").join("\n");
    assert!(reasons.contains(words), "{reasons}");
    let endpoint = Endpoint::new(behaviour);
    run(&endpoint.url).go().ends_with(3).says(words).says("nothing was judged").within(50);
}

fn endless_error(stream: &mut TcpStream, _: &Request) -> bool {
    let head = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 1000000000\r\n\r\n";
    stream.write_all(head).is_ok() && pour(stream, &[b'x'; 65536])
}

fn endless_body(stream: &mut TcpStream, _: &Request) -> bool {
    let head = format!("HTTP/1.1 200 OK\r\n{JSON}transfer-encoding: chunked\r\n\r\n");
    let chunk = [&b"10000\r\n"[..], &[b'x'; 65536], b"\r\n"].concat();
    stream.write_all(head.as_bytes()).is_ok() && pour(stream, &chunk)
}

/// Writes until nobody reads any more.
fn pour(stream: &mut TcpStream, bytes: &[u8]) -> bool {
    while stream.write_all(bytes).is_ok() {}
    false
}

fn half_a_body(stream: &mut TcpStream, request: &Request) -> bool {
    let body = body(request);
    let head = format!("HTTP/1.1 200 OK\r\n{JSON}content-length: {}\r\n\r\n", body.len());
    let half = body.get(..body.len() / 2).unwrap_or_default();
    last(stream.write_all(&[head.as_bytes(), half].concat()).is_ok())
}

fn redirect() {
    let target = Endpoint::new(right);
    let to = format!("location: {}\r\n", target.url);
    for status in ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"] {
        let to = to.clone();
        let endpoint = Endpoint::new(move |stream, _| respond(stream, status, &to, b""));
        let words = format!("HTTP status {}", status.get(..3).unwrap_or_default());
        run(&endpoint.url).go().ends_with(3).says(&words).within(20);
    }
    assert_eq!(target.requests.load(Ordering::Relaxed), 0, "a redirect was followed");
}

fn closes_at_one() {
    let (id, params) = culprit();
    let endpoint = Endpoint::new(move |stream, request| {
        !crate::subject::is(request, &params) && right(stream, request)
    });
    let report = run(&endpoint.url).go().ends_with(1).within(50).report();
    report.condemns_alone(id, "crash");
}

fn closes_always() {
    let endpoint = Endpoint::after_hello(|_, _| false);
    let outcome = run(&endpoint.url).with(&["--restarts", "3"]).go().ends_with(3).within(50);
    let report = outcome.report();
    assert!(report.count("crash") >= 1);
    assert_eq!(report.count("crash") + report.count("adapter-fault"), report.others("").len());
}

fn closes_at_accept() {
    let url = listen(drop);
    run(&url).go().ends_with(3).says("did not say hello").within(50);
}

/// No whole answer comes in time.
fn silent(behaviour: Behaviour) {
    let endpoint = Endpoint::after_hello(behaviour);
    let limits = ["--timeout", "300ms", "--hello-timeout", "20s", "--restarts", "2"];
    let outcome = run(&endpoint.url).with(&limits).go().ends_with(3).within(30);
    let report = outcome.report();
    // Several were under way at first, and each is asked alone as long as it may be started again.
    assert_eq!(report.count("timeout"), 2, "{:?}", report.others("adapter-fault"));
    assert_eq!(report.count("timeout") + report.count("adapter-fault"), report.others("").len());
    let endpoint = Endpoint::new(behaviour);
    let outcome = run(&endpoint.url).with(&["--hello-timeout", "300ms"]).go().ends_with(3);
    outcome.says("no answer within 300ms").within(30);
}

fn never_answers_one() {
    let (id, params) = culprit();
    let endpoint = Endpoint::new(move |stream, request| {
        if crate::subject::is(request, &params) {
            sleep(Duration::from_secs(60));
        }
        right(stream, request)
    });
    let report = run(&endpoint.url).with(&["--timeout", "1500ms"]).go().ends_with(1).report();
    report.condemns_alone(id, "timeout");
}

fn gone_at_one() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port can be had");
    let address = listener.local_addr().expect("a listener has an address");
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            while let Some(request) = read(&mut stream) {
                if request.op != "hello" {
                    return;
                }
                right(&mut stream, &request);
            }
        }
    });
    let (id, _) = culprit();
    let run = run(&format!("http://{address}/")).with(&["--case", id]);
    let report = run.go().ends_with(3).within(50).report();
    assert_eq!(report.verdict(id), "crash");
    let reason = report.case(id)["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("could not be asked again"), "{reason}");
}

fn nobody() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port can be had");
    let address = listener.local_addr().expect("a listener has an address");
    drop(listener);
    let url = format!("http://{address}/");
    let outcome: Outcome = run(&url).go().ends_with(3).within(50);
    outcome.says(&url).says("3 tries").says("refused");
    // One that comes up while it is tried is reached.
    let late = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&late);
    std::thread::spawn(move || {
        sleep(Duration::from_millis(350));
        if let Ok(listener) = TcpListener::bind(address) {
            seen.fetch_add(1, Ordering::Relaxed);
            for stream in listener.incoming().flatten().take(1) {
                drop(stream);
            }
        }
    });
    let outcome = run(&url).go().ends_with(3);
    let reached = late.load(Ordering::Relaxed) == 1 && outcome.stderr.contains("hello");
    assert!(reached || outcome.stderr.contains("3 tries"), "{}", outcome.stderr);
}

fn no_url() {
    for wrong in ["not a url", "127.0.0.1:8080", "ftp://127.0.0.1/", "http://", "file:///etc", ""] {
        let outcome = run(wrong).go().ends_with(2).within(20);
        assert!(outcome.stdout.is_empty(), "{}", outcome.stdout);
        assert!(outcome.stderr.contains("URL"), "{}", outcome.stderr);
    }
}
