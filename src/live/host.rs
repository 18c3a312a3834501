//! The servers of a case, running: a thread with a runtime of its own, which ends with them.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use http_body_util::{BodyExt, Limited};
use hyper::Response;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

use super::body::Reply;
use super::connection::{Connection, Overheard};
use super::mcp::{self, Action, Memory};
use super::record::{Ledger, Request};
use super::script::{Script, Server};
use super::witness::{self, Breach, Expected};

/// A request body may be this long.
const MAX_BODY: usize = 1024 * 1024;

/// How long the servers stay after the last answer, for requests that should not come any more.
const LINGER: Duration = Duration::from_millis(50);

/// So many connections are open at once, over all servers of a case.
const MAX_CONNECTIONS: usize = 64;

/// Why the servers of a case did not start.
#[derive(Debug)]
pub enum StartError {
    /// The script does not read. [`Script::read`] has said so before.
    Script(String),
    /// No port for a server.
    Bind {
        /// The server's name.
        server: String,
        /// What the system said.
        source: io::Error,
    },
    /// No thread or runtime.
    Runtime(io::Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Script(message) => write!(f, "the servers of the case do not read: {message}"),
            Self::Bind { server, source } => {
                write!(f, "no port of 127.0.0.1 for the server `{server}`: {source}")
            }
            Self::Runtime(source) => write!(f, "the servers of the case did not start: {source}"),
        }
    }
}

impl std::error::Error for StartError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Script(_) => None,
            Self::Bind { source, .. } | Self::Runtime(source) => Some(source),
        }
    }
}

/// The running servers of a case. Dropping it ends them: thread, connections and ports.
#[derive(Debug)]
pub struct Live {
    urls: BTreeMap<String, String>,
    witness: BTreeMap<String, Expected>,
    ledger: Arc<Mutex<Ledger>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Script {
    /// Starts the servers, each on a free port of 127.0.0.1.
    ///
    /// # Errors
    /// Where a port, the thread or its runtime is not to be had.
    pub fn start(&self) -> Result<Live, StartError> {
        let mut listeners = BTreeMap::new();
        let mut urls = BTreeMap::new();
        for name in self.names() {
            let (listener, port) =
                listen().map_err(|source| StartError::Bind { server: name.clone(), source })?;
            urls.insert(name.clone(), format!("http://127.0.0.1:{port}/mcp"));
            listeners.insert(name.clone(), listener);
        }
        let servers = self.servers_at(&urls).map_err(StartError::Script)?;
        let ledger = Arc::new(Mutex::new(Ledger::default()));
        let hosts: Vec<(TcpListener, Arc<Host>)> = servers
            .into_iter()
            .filter_map(|(name, server)| {
                let host = Host {
                    name: name.clone(),
                    server,
                    urls: urls.clone(),
                    ledger: Arc::clone(&ledger),
                    state: Mutex::default(),
                };
                Some((listeners.remove(&name)?, Arc::new(host)))
            })
            .collect();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(StartError::Runtime)?;
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::Builder::new()
            .name("live servers".to_owned())
            .spawn(move || {
                runtime.block_on(serve(hosts, stopped));
                // The runtime goes here, and with it every task, connection and port.
            })
            .map_err(StartError::Runtime)?;
        Ok(Live {
            urls,
            witness: self.witness.clone(),
            ledger,
            stop: Some(stop),
            thread: Some(thread),
        })
    }
}

impl Live {
    /// `{NAME: {"url": "http://127.0.0.1:PORT/mcp"}}`.
    #[must_use]
    pub fn urls(&self) -> Value {
        self.urls.iter().map(|(name, url)| (name.clone(), json!({"url": url}))).collect()
    }

    /// What the servers received so far, in order: method, tool, arguments, headers that tell something, outcome.
    #[must_use]
    pub fn recorded(&self) -> Value {
        lock(&self.ledger).show()
    }

    /// Ends the servers, a moment after the subject's answer: what comes behind it is witnessed too.
    pub fn end(&mut self) {
        if self.thread.is_some() && !self.witness.is_empty() {
            std::thread::sleep(LINGER);
        }
        self.stop();
    }

    /// Ends the servers and holds what they received against the witness. Gives what is wrong, in the order of the
    /// servers' names; nothing where all is as it must be.
    #[must_use]
    pub fn finish(mut self) -> Vec<Breach> {
        self.end();
        witness::judge(&self.witness, &lock(&self.ledger))
    }

    fn stop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // A panic in there was of this module's own making; what was recorded until then still stands.
            let _ = thread.join();
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.stop();
    }
}

/// One server: its script, what it remembers, and where it writes down what came.
struct Host {
    name: String,
    server: Server,
    urls: BTreeMap<String, String>,
    ledger: Arc<Mutex<Ledger>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    memory: Memory,
    /// Open event streams, each with the message that says that the tools changed.
    streams: Vec<(UnboundedSender<Value>, Value)>,
}

fn listen() -> io::Result<(TcpListener, u16)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    listener.set_nonblocking(true)?;
    let port = listener.local_addr()?.port();
    Ok((listener, port))
}

async fn serve(hosts: Vec<(TcpListener, Arc<Host>)>, stopped: oneshot::Receiver<()>) {
    let open = Arc::new(AtomicUsize::new(0));
    for (listener, host) in hosts {
        let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { continue };
        tokio::spawn(accept(listener, host, Arc::clone(&open)));
    }
    // The sender never sends: it goes when the case is over.
    let _ = stopped.await;
}

async fn accept(listener: tokio::net::TcpListener, host: Arc<Host>, open: Arc<AtomicUsize>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // No file descriptor is left, say: that may pass.
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        let connection = Connection::to(&host.name);
        lock(&host.ledger).connect(connection.clone());
        if open.fetch_add(1, Ordering::Relaxed) >= MAX_CONNECTIONS {
            open.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let (host, open) = (Arc::clone(&host), Arc::clone(&open));
        tokio::spawn(async move {
            let service =
                service_fn(|request| answer(Arc::clone(&host), connection.clone(), request));
            let stream = TokioIo::new(Overheard::new(stream, connection.clone()));
            let served =
                hyper::server::conn::http1::Builder::new().serve_connection(stream, service).await;
            // Other errors are as a client or the script wanted.
            if served.is_err_and(|error| error.is_parse()) {
                connection.garble();
            }
            open.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

/// The script wants this connection dropped.
#[derive(Debug)]
struct Dropped;

impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("dropped by the script")
    }
}

impl std::error::Error for Dropped {}

async fn answer(
    host: Arc<Host>,
    connection: Connection,
    request: hyper::Request<Incoming>,
) -> Result<Response<Reply>, Dropped> {
    connection.begin();
    let (head, body) = request.into_parts();
    let mut headers = texts(&head.headers);
    let mut unread = head.headers.contains_key("content-encoding");
    let body = match Limited::new(body, MAX_BODY).collect().await {
        Ok(body) => {
            headers.extend(body.trailers().map(texts).unwrap_or_default());
            connection.complete();
            body.to_bytes().to_vec()
        }
        Err(_) => {
            unread = true;
            b"(a body of more than 1 MiB, or one that broke off)".to_vec()
        }
    };
    let mut request = Request {
        server: host.name.clone(),
        method: head.method.to_string(),
        target: head.uri.to_string(),
        headers,
        message: serde_json::from_slice(&body).ok(),
        body,
        unread,
        ..Request::default()
    };
    let action = host.take(&mut request);
    if !lock(&host.ledger).keep(request) {
        return Ok(plain(429, &HashMap::new(), Reply::whole("")));
    }
    match action {
        Step::Send(response) => Ok(*response),
        Step::Stall => std::future::pending().await,
        Step::Drop => Err(Dropped),
    }
}

fn texts(headers: &hyper::HeaderMap) -> Vec<(String, String)> {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    headers.iter().map(|(name, value)| (name.to_string(), text(value.as_bytes()))).collect()
}

enum Step {
    Send(Box<Response<Reply>>),
    Stall,
    Drop,
}

impl Host {
    fn take(&self, request: &mut Request) -> Step {
        let mut state = lock(&self.state);
        let listed_before = state.memory.listings > 0;
        let action = mcp::answer(&self.server, &mut state.memory, &self.urls, request);
        let response = match action {
            Action::Stall => return Step::Stall,
            Action::Drop => return Step::Drop,
            Action::Answer { status, headers, body } => {
                plain(status, &headers.into_iter().collect(), Reply::whole(body))
            }
            Action::Listen { first, changed } => {
                let (sender, receiver) = unbounded_channel();
                // A receiver that is gone has no use for the message.
                for message in first.into_iter().chain(listed_before.then(|| changed.clone())) {
                    let _ = sender.send(message);
                }
                state.streams.push((sender, changed));
                let headers = HashMap::from([("content-type", "text/event-stream".to_owned())]);
                plain(200, &headers, Reply::Open(receiver))
            }
        };
        if !listed_before && state.memory.listings > 0 {
            for (stream, changed) in &state.streams {
                let _ = stream.send(changed.clone());
            }
        }
        Step::Send(Box::new(response))
    }
}

fn plain(status: u16, headers: &HashMap<&'static str, String>, body: Reply) -> Response<Reply> {
    let mut response = Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(*name, value);
    }
    response.body(body).unwrap_or_else(|_| {
        let mut broken = Response::new(Reply::whole("the script's answer is no HTTP answer"));
        *broken.status_mut() = hyper::StatusCode::INTERNAL_SERVER_ERROR;
        broken
    })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
