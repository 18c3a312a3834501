//! An HTTP server that can be made to misbehave: as much of HTTP as a subject needs.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use proofmark::adapter::message::{Request, read_request};

use crate::subject::Subject;

/// What a server does with a request: whether the connection stays open.
pub type Behaviour = fn(&mut TcpStream, &Request) -> bool;

/// A server on a free port, for as long as this program runs.
pub struct Endpoint {
    pub url: String,
    /// How many requests came.
    pub requests: Arc<AtomicUsize>,
}

impl Endpoint {
    /// Answers hello rightly, and leaves the rest to the behaviour.
    pub fn after_hello(behaviour: Behaviour) -> Endpoint {
        Endpoint::new(move |stream, request| {
            if request.op == "hello" { right(stream, request) } else { behaviour(stream, request) }
        })
    }

    /// Leaves everything to the behaviour.
    pub fn new(
        behaviour: impl Fn(&mut TcpStream, &Request) -> bool + Send + Sync + 'static,
    ) -> Endpoint {
        let requests = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&requests);
        let behaviour = Arc::new(behaviour);
        let url = listen(move |mut stream| {
            while let Some(request) = read(&mut stream) {
                counter.fetch_add(1, Ordering::Relaxed);
                if !behaviour(&mut stream, &request) {
                    return;
                }
            }
        });
        Endpoint { url, requests }
    }
}

/// Listens on a free port and hands every connection over on a thread of its own.
pub fn listen(connection: impl Fn(TcpStream) + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port can be had");
    let address = listener.local_addr().expect("a listener has an address");
    let connection = Arc::new(connection);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let connection = Arc::clone(&connection);
            std::thread::spawn(move || connection(stream));
        }
    });
    format!("http://{address}/")
}

/// The next request of a connection; `None` where it closed.
pub fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(1) => head.push(byte[0]),
            _ => return None,
        }
    }
    let head = String::from_utf8_lossy(&head).to_lowercase();
    assert!(head.starts_with("post / "), "{head}");
    assert!(head.contains("content-type: application/json"), "{head}");
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"))
        .and_then(|length| length.trim().parse().ok())?;
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    Some(read_request(&body).expect("requests are well-formed"))
}

/// The right reply as a body.
pub fn body(request: &Request) -> Vec<u8> {
    let mut subject = Subject::new(4);
    subject.offer.roles.retain(|role| role == crate::harness::ROLE);
    let mut line = subject.line(request);
    line.pop();
    line
}

/// A response of this status with these headers, each with its CR LF.
pub fn respond(stream: &mut TcpStream, status: &str, headers: &str, body: &[u8]) -> bool {
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n{headers}\r\n", body.len());
    stream.write_all(&[head.as_bytes(), body].concat()).is_ok()
}

/// The right response, over a connection that stays open.
pub fn right(stream: &mut TcpStream, request: &Request) -> bool {
    respond(stream, "200 OK", "content-type: application/json\r\n", &body(request))
}
