//! The HTTP transport: the same objects as bodies of `POST` to one URL.
//!
//! One worker thread a connection, as many as the subject takes requests at once. A reply is always
//! status 200; redirects are not followed, environment proxies not used. Time is kept by the engine;
//! a worker's own limit only ends what the engine has given up. Depends on the protocol's messages.

use std::io::{self, Read};
use std::net::{TcpStream, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use crate::adapter::message;
use crate::adapter::{
    Ask, Breach, Closing, Connection, Ending, Incoming, Launcher, StartError, quote,
};

/// Tries before an endpoint counts as out of reach.
const TRIES: u32 = 3;

/// How long a try may take.
const CONNECT: Duration = Duration::from_secs(5);

/// Of a body that is no reply so much is read, to be quoted.
const QUOTED: u64 = 4096;

/// An endpoint.
#[derive(Clone, Debug)]
pub struct Http {
    /// The URL that every request is posted to.
    pub url: String,
    /// The longest reply body, in bytes.
    pub max_line: usize,
    /// When a worker gives up; longer than any time-out of the engine.
    pub limit: Duration,
    /// At most this many connections are used.
    pub connections: usize,
}

impl Http {
    /// An agent for one worker: it keeps one connection, and only its worker uses it.
    fn agent(&self) -> ureq::Agent {
        ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .timeout_global(Some(self.limit))
            .timeout_connect(Some(CONNECT.min(self.limit)))
            .max_idle_connections(1)
            .user_agent(concat!("proofmark/", env!("CARGO_PKG_VERSION")))
            .build()
            .into()
    }
}

/// Reads the URL of an endpoint, as the command line and proofmark.toml give it.
///
/// # Errors
/// Where it is no URL with a host, or neither `http` nor `https`.
pub fn read_url(text: &str) -> Result<String, String> {
    uri(text).map(|_| text.to_owned())
}

fn uri(text: &str) -> Result<ureq::http::Uri, String> {
    let url: ureq::http::Uri =
        text.parse().map_err(|error| format!("{text:?} is no URL ({error})"))?;
    if !matches!(url.scheme_str(), Some("http" | "https")) || url.host().is_none() {
        return Err("the URL must begin with http:// or https:// and name a host".to_owned());
    }
    Ok(url)
}

impl Launcher for Http {
    fn open(&self) -> Result<Box<dyn Connection>, StartError> {
        let failed = |why: String| StartError { subject: self.url.clone(), why };
        reach(&uri(&self.url).map_err(failed)?).map_err(failed)?;
        let (jobs, to_do) = unbounded();
        let (seen, incoming) = unbounded();
        Ok(Box::new(Endpoint {
            http: self.clone(),
            workers: 0,
            under_way: 0,
            jobs: Some(jobs),
            to_do,
            seen,
            incoming,
        }))
    }

    fn describe(&self) -> String {
        self.url.clone()
    }

    fn command(&self) -> Vec<String> {
        vec![self.url.clone()]
    }
}

/// Whether somebody listens: a connection is made and closed again, three tries at most.
fn reach(url: &ureq::http::Uri) -> Result<(), String> {
    let host = url.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    let port = url.port_u16().unwrap_or(if url.scheme_str() == Some("https") { 443 } else { 80 });
    let mut last = "its name has no address".to_owned();
    for attempt in 0..TRIES {
        thread::sleep(Duration::from_millis(250 * u64::from(attempt)));
        match (host, port).to_socket_addrs() {
            Err(error) => last = error.to_string(),
            Ok(addresses) => {
                for address in addresses {
                    match TcpStream::connect_timeout(&address, CONNECT) {
                        Ok(_) => return Ok(()),
                        Err(error) => last = error.to_string(),
                    }
                }
            }
        }
    }
    Err(format!("not reached in {TRIES} tries: {last}"))
}

struct Job {
    /// `None` for a text that is no request.
    id: Option<u64>,
    body: Vec<u8>,
}

struct Endpoint {
    http: Http,
    workers: usize,
    under_way: usize,
    jobs: Option<Sender<Job>>,
    to_do: Receiver<Job>,
    seen: Sender<Incoming>,
    incoming: Receiver<Incoming>,
}

impl Endpoint {
    fn post(&mut self, job: Job) {
        self.under_way += 1;
        if self.workers < self.under_way.min(self.http.connections.max(1)) {
            self.add_worker();
        }
        if let Some(jobs) = &self.jobs {
            let _ = jobs.send(job);
        }
    }

    fn add_worker(&mut self) {
        self.workers += 1;
        let http = self.http.clone();
        let (to_do, seen) = (self.to_do.clone(), self.seen.clone());
        thread::spawn(move || {
            let agent = http.agent();
            // Whether a connection may have been kept from the exchange before.
            let mut kept = false;
            while let Ok(job) = to_do.recv() {
                let mut sent = send(&agent, &http.url, &job);
                // A server may close a connection that idles, at any time and without a word. That
                // can't be told from one that fell over this request: once more on a new one.
                if kept && sent.as_ref().is_err_and(is_hung_up) {
                    sent = send(&agent, &http.url, &job);
                }
                let incoming = receive(sent, http.max_line, &job);
                kept = !matches!(incoming, Incoming::Ended(_));
                if seen.send(incoming).is_err() {
                    return;
                }
            }
        });
    }
}

impl Connection for Endpoint {
    fn send(&mut self, requests: &[Ask<'_>]) {
        for request in requests {
            let mut body = Vec::new();
            message::write_request(request, &mut body);
            body.pop();
            self.post(Job { id: Some(request.id), body });
        }
    }

    fn send_text(&mut self, text: &str) -> bool {
        self.post(Job { id: None, body: text.as_bytes().to_vec() });
        true
    }

    fn receive(&mut self, deadline: Instant) -> Option<Incoming> {
        match self.incoming.recv_deadline(deadline) {
            Ok(incoming) => {
                self.under_way = self.under_way.saturating_sub(1);
                Some(incoming)
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                Some(Incoming::Ended(Ending { what: "the connection is gone".to_owned() }))
            }
        }
    }

    fn standard_error(&self) -> String {
        String::new()
    }

    fn close(mut self: Box<Self>, _grace: Duration) -> Closing {
        self.jobs = None;
        Closing::default()
    }
}

type Response = ureq::http::Response<ureq::Body>;

fn send(agent: &ureq::Agent, url: &str, job: &Job) -> Result<Response, ureq::Error> {
    agent
        .post(url)
        .header("content-type", "application/json")
        .header("accept", "application/json")
        .send(job.body.as_slice())
}

/// Whether the other side closed the connection before it answered anything.
fn is_hung_up(error: &ureq::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    matches!(error, ureq::Error::Io(error) if matches!(
        error.kind(),
        BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof
    ))
}

/// What came of one exchange: a reply, a breach, or the end of a connection in the middle.
fn receive(sent: Result<Response, ureq::Error>, max_line: usize, job: &Job) -> Incoming {
    let breach = |what: String, seen: &[u8]| {
        Incoming::Breach(Breach { id: job.id, what, seen: quote(seen) })
    };
    let mut response = match sent {
        Ok(response) => response,
        Err(ureq::Error::Timeout(_)) => {
            return breach("no answer in all the time there was".to_owned(), b"");
        }
        Err(
            error @ (ureq::Error::Protocol(_)
            | ureq::Error::Http(_)
            | ureq::Error::LargeResponseHeader(..)),
        ) => {
            return breach(format!("an answer that is not HTTP ({error})"), b"");
        }
        Err(error) => return Incoming::Ended(Ending { what: format!("{error}") }),
    };
    let status = response.status();
    let mut body = Vec::new();
    if status != 200 {
        // Read or broken off, what there is of it is quoted.
        let _ = response.body_mut().as_reader().take(QUOTED).read_to_end(&mut body);
        return breach(format!("HTTP status {status}, where a reply is always 200"), &body);
    }
    let content_type = response
        .headers()
        .get("content-type")
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let limit = u64::try_from(max_line).unwrap_or(u64::MAX).saturating_add(1);
    let read = response.body_mut().as_reader().take(limit).read_to_end(&mut body);
    let at = Instant::now();
    if let Err(error) = read {
        return breach(format!("a body that breaks off ({error})"), &body);
    }
    if body.len() > max_line {
        return breach(format!("a body of more than {max_line} bytes"), &body);
    }
    if let Some(content_type) = content_type.filter(|value| !is_json(value)) {
        let what =
            format!("the content type {:?}, not application/json", quote(content_type.as_bytes()));
        return breach(what, &body);
    }
    match message::read_reply(trim(&body)) {
        Ok((id, reply)) if id == job.id => Incoming::Reply { id, reply, at },
        Ok(_) => breach("a reply to another request than the body's".to_owned(), &body),
        Err(found) => Incoming::Breach(Breach { id: job.id, ..found }),
    }
}

/// A body may end as a line does.
fn trim(body: &[u8]) -> &[u8] {
    let body = body.strip_suffix(b"\n").unwrap_or(body);
    body.strip_suffix(b"\r").unwrap_or(body)
}

fn is_json(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}
