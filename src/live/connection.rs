//! What came over each connection, as bytes: what never became a request is witnessed as well.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// So much of what a connection brings is kept.
const MAX_RECEIVED: usize = 64 * 1024;

/// One connection to a server. Clones tell of the same one.
#[derive(Clone, Debug, Default)]
pub(super) struct Connection {
    pub server: String,
    received: Arc<Mutex<Vec<u8>>>,
    begun: Arc<AtomicUsize>,
    whole: Arc<AtomicUsize>,
    garbled: Arc<AtomicBool>,
}

impl Connection {
    /// A new one to this server.
    pub fn to(server: &str) -> Connection {
        Connection { server: server.to_owned(), ..Connection::default() }
    }

    /// The head of a request has come.
    pub fn begin(&self) {
        self.begun.fetch_add(1, Ordering::Relaxed);
    }

    /// All of it has.
    pub fn complete(&self) {
        self.whole.fetch_add(1, Ordering::Relaxed);
    }

    /// What came can't be read as HTTP.
    pub fn garble(&self) {
        self.garbled.store(true, Ordering::Relaxed);
    }

    /// The beginning of all that came.
    pub fn received(&self) -> String {
        String::from_utf8_lossy(&lock(&self.received)).into_owned()
    }

    /// Whether something came that is no whole request. A connection that is opened and not used is
    /// none: clients do that.
    pub fn is_broken(&self) -> bool {
        let (begun, whole) =
            (self.begun.load(Ordering::Relaxed), self.whole.load(Ordering::Relaxed));
        let silent = lock(&self.received).is_empty();
        !silent && (begun == 0 || begun > whole || self.garbled.load(Ordering::Relaxed))
    }
}

/// A stream whose bytes are kept as they are read.
pub(super) struct Overheard {
    stream: TcpStream,
    connection: Connection,
}

impl Overheard {
    /// Keeps what the stream brings.
    pub fn new(stream: TcpStream, connection: Connection) -> Overheard {
        Overheard { stream, connection }
    }
}

impl AsyncRead for Overheard {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        let mut received = lock(&self.connection.received);
        let room = MAX_RECEIVED - received.len();
        let new = buffer.filled().get(before..).unwrap_or_default();
        received.extend(new.iter().take(room));
        drop(received);
        polled
    }
}

impl AsyncWrite for Overheard {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
