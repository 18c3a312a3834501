//! An invocation from beginning to end: connections side by side, then the calls in order.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;

use super::client::Connection;
use super::{Binding, Call, Invocation, Outcome};

/// All of it takes no longer.
const ALL: Duration = Duration::from_secs(8);

/// The results of all calls together are no longer than this, as JSON.
const MAX_RESULTS: usize = 8 * 1024 * 1024;

/// The only transport that this adapter has.
const HTTP: &str = "streamable-http";

/// Invokes `calls` for a capability that holds `bindings`; `credentials` are bearer tokens by server id, each for its
/// own server. It takes a thread with a runtime of its own, so it may be called from within another runtime.
///
/// # Errors
/// Where the system gives no thread or runtime. Whatever servers do is in the outcomes.
///
/// # Panics
/// Only if the client panics: its panic is passed on.
pub fn invoke(
    bindings: Vec<Binding>,
    calls: Vec<Call>,
    credentials: BTreeMap<String, String>,
) -> io::Result<Invocation> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let thread = std::thread::Builder::new().name("brick.invoke".to_owned()).spawn(move || {
        let invocation = runtime.block_on(run(bindings, calls, credentials));
        // A name look-up may hang: it is not waited for.
        runtime.shutdown_background();
        invocation
    })?;
    thread.join().or_else(|panic| std::panic::resume_unwind(panic))
}

async fn run(
    bindings: Vec<Binding>,
    calls: Vec<Call>,
    credentials: BTreeMap<String, String>,
) -> Invocation {
    let until = Instant::now() + ALL;
    let mut connections = connect(&bindings, &credentials, until).await;
    let mut invocation = Invocation::default();
    for binding in &bindings {
        let Some(Ok(connection)) = connections.get(&binding.server_id) else { continue };
        for tool in &binding.tools {
            let listed = connection.lists(tool);
            let list = if listed { &mut invocation.offered } else { &mut invocation.missing };
            list.push(format!("{}:{tool}", binding.server_id));
        }
    }
    let mut length = 0;
    for call in &calls {
        let outcome = make(call, &bindings, &connections, until).await;
        if let Outcome::Result(result) = &outcome {
            length += result.to_string().len();
        }
        invocation.outcomes.push(match outcome {
            Outcome::Result(_) if length > MAX_RESULTS => {
                Outcome::Error("the results together are too long".to_owned())
            }
            outcome => outcome,
        });
    }
    let mut farewells = JoinSet::new();
    while let Some((_, connection)) = connections.pop_first() {
        if let Ok(connection) = connection {
            farewells.spawn(connection.close());
        }
    }
    farewells.join_all().await;
    invocation
}

/// A connection to each server, or why there is none. None waits for another.
async fn connect(
    bindings: &[Binding],
    credentials: &BTreeMap<String, String>,
    until: Instant,
) -> BTreeMap<String, Result<Connection, String>> {
    let mut opening = JoinSet::new();
    for binding in bindings {
        let Binding { server_id, endpoint, transport, .. } = binding.clone();
        let token = credentials.get(&server_id).cloned();
        opening.spawn(async move {
            let connection = if transport == HTTP {
                Connection::open(&endpoint, token.as_deref(), until).await
            } else {
                Err(format!("this adapter has no transport `{transport}`"))
            };
            (server_id, connection)
        });
    }
    opening.join_all().await.into_iter().collect()
}

async fn make(
    call: &Call,
    bindings: &[Binding],
    connections: &BTreeMap<String, Result<Connection, String>>,
    until: Instant,
) -> Outcome {
    let held = bindings
        .iter()
        .any(|binding| binding.server_id == call.server && binding.tools.contains(&call.tool));
    if !held {
        let message = format!("the capability does not hold `{}:{}`", call.server, call.tool);
        return Outcome::Refused(message);
    }
    let connection = match connections.get(&call.server) {
        Some(Ok(connection)) => connection,
        Some(Err(error)) => return Outcome::Error(error.clone()),
        None => return Outcome::Error("there is no connection".to_owned()),
    };
    if !connection.lists(&call.tool) {
        return Outcome::Error("the server does not list this tool".to_owned());
    }
    match connection.call(call, until).await {
        Ok(result) => Outcome::Result(result),
        Err(error) => Outcome::Error(error),
    }
}
