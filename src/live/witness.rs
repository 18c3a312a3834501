//! What a server must have seen, held against what it recorded.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;

use super::connection::Connection;
use super::decode::{place, spelled};
use super::mcp::{bearer, check_headers, check_meta, is_stateless};
use super::record::{Ledger, Request, clip, shown};

/// Something that a server saw, or did not see, against the case's witness.
#[derive(Clone, Debug, PartialEq)]
pub struct Breach {
    /// The server's name in the case.
    pub server: String,
    /// What is wrong, a sentence.
    pub sentence: String,
    /// The recorded requests concerned, as JSON; a bounded number of them.
    pub requests: Value,
}

/// One server's table of a witness.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expected {
    contacted: Option<bool>,
    calls: Option<Vec<Call>>,
    #[serde(default)]
    any_order: bool,
    only: Option<BTreeSet<String>>,
    #[serde(default)]
    without: BTreeSet<String>,
    credentials: Option<BTreeSet<String>>,
    #[serde(default)]
    lacks: Vec<String>,
    initialised: Option<bool>,
    uninitialised: Option<bool>,
    metadata: Option<bool>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    tool: String,
    arguments: Option<Value>,
}

impl Call {
    fn is(&self, request: &Request) -> bool {
        let given = request
            .param("arguments")
            .cloned()
            .unwrap_or_else(|| Value::Object(serde_json::Map::new()));
        request.tool() == Some(&self.tool)
            && self.arguments.as_ref().is_none_or(|wanted| same(wanted, &given))
    }
}

impl Expected {
    /// What `serde` can't see.
    ///
    /// # Errors
    /// Says what asserts nothing or can't be meant.
    pub fn check(&self) -> Result<(), String> {
        if self.any_order && self.calls.is_none() {
            return Err("`any_order` goes with `calls`".to_owned());
        }
        if self.metadata == Some(false) {
            return Err("`metadata` is `true` or left out".to_owned());
        }
        if self.uninitialised == Some(true) {
            return Err("`uninitialised` is `false` or left out".to_owned());
        }
        if self.lacks.iter().any(String::is_empty) {
            return Err("`lacks` holds an empty string, which is everywhere".to_owned());
        }
        let asserts = self.contacted.is_some()
            || self.calls.is_some()
            || self.only.is_some()
            || !self.without.is_empty()
            || self.credentials.is_some()
            || !self.lacks.is_empty()
            || self.initialised.is_some()
            || self.uninitialised.is_some()
            || self.metadata.is_some();
        if asserts { Ok(()) } else { Err("asserts nothing".to_owned()) }
    }
}

/// Holds every server's requests against its witness.
pub(super) fn judge(witness: &BTreeMap<String, Expected>, ledger: &Ledger) -> Vec<Breach> {
    let mut breaches = Vec::new();
    for (server, expected) in witness {
        let requests: Vec<&Request> = ledger.of(server).collect();
        let mut bench = Bench { server, breaches: &mut breaches };
        if ledger.left_out() > 0 {
            let sentence =
                format!("the servers got {} requests more than a case can need", ledger.left_out());
            bench.breach(sentence, &[]);
        }
        let connections: Vec<&Connection> = ledger.connections_of(server).collect();
        bench.contact(expected, &requests, &connections);
        bench.unread(expected, &requests, &connections);
        bench.calls(expected, &requests);
        bench.secrets(expected, &requests);
        match expected.initialised {
            Some(true) => bench.initialised(&requests),
            Some(false) => bench.never(&requests, "initialize"),
            None => {}
        }
        if expected.uninitialised == Some(false) {
            bench.never_before_initialize(&requests);
        }
        if expected.metadata == Some(true) {
            bench.metadata(&requests);
        }
    }
    breaches
}

struct Bench<'a> {
    server: &'a str,
    breaches: &'a mut Vec<Breach>,
}

impl Bench<'_> {
    fn breach(&mut self, sentence: impl Into<String>, requests: &[&Request]) {
        self.breaches.push(Breach {
            server: self.server.to_owned(),
            sentence: sentence.into(),
            requests: shown(requests, 0),
        });
    }

    /// A breach, where there are requests to blame.
    fn blame(&mut self, sentence: impl Into<String>, requests: &[&Request]) {
        if !requests.is_empty() {
            self.breach(sentence, requests);
        }
    }

    fn contact(&mut self, expected: &Expected, requests: &[&Request], connections: &[&Connection]) {
        match expected.contacted {
            Some(false) if !(requests.is_empty() && connections.is_empty()) => {
                self.breach(format!("`{}` must not be contacted, and was", self.server), requests);
            }
            Some(true) if requests.is_empty() => {
                self.breach(format!("`{}` must be contacted, and was not", self.server), &[]);
            }
            _ => {}
        }
        for method in &expected.without {
            self.never(requests, method);
        }
    }

    /// What can't be looked into could hold anything, where it matters what came.
    fn unread(&mut self, expected: &Expected, requests: &[&Request], connections: &[&Connection]) {
        let server = self.server;
        let looked_into =
            expected.only.is_some() || expected.calls.is_some() || !expected.lacks.is_empty();
        if looked_into {
            let unread = those(requests, |request| request.unread);
            let sentence = format!(
                "`{server}` got a body of more than 1 MiB, a compressed one, or one that broke off"
            );
            self.blame(sentence, &unread);
        }
        let broken = connections.iter().find(|connection| connection.is_broken());
        if let Some(broken) = broken
            && (looked_into || expected.credentials.is_some())
        {
            let received = clip(&broken.received());
            self.breach(format!("`{server}` got what is no whole request: {received:?}"), &[]);
        }
        for text in &expected.lacks {
            if !requests.iter().any(|request| place(request, text).is_some())
                && connections.iter().any(|connection| spelled(&connection.received(), text))
            {
                let sentence = format!(
                    "`{server}` received `{text}`, which must not reach it, outside of a request"
                );
                self.breach(sentence, &[]);
            }
        }
    }

    fn never(&mut self, requests: &[&Request], method: &str) {
        let came = those(requests, |request| request.rpc() == Some(method));
        self.blame(format!("`{}` must never get `{method}`, and did", self.server), &came);
    }

    fn calls(&mut self, expected: &Expected, requests: &[&Request]) {
        let server = self.server;
        // Where it is said what is called, nothing else is, whatever the server made of it.
        let called =
            || Some(expected.calls.as_ref()?.iter().map(|call| call.tool.clone()).collect());
        if let Some(only) = expected.only.clone().or_else(called) {
            let others =
                those(requests, |request| request.tools().iter().any(|tool| !only.contains(*tool)));
            self.blame(
                format!("`{server}` got a call of a tool that is not to be called there"),
                &others,
            );
            let unanswerable =
                those(requests, |request| !request.tools().is_empty() && !request.is_call());
            let sentence = format!("`{server}` got a tool call that is not one request with an id");
            self.blame(sentence, &unanswerable);
        }
        let Some(wanted) = &expected.calls else { return };
        let reached = those(requests, |request| request.reached);
        let fits = wanted.len() == reached.len()
            && if expected.any_order {
                matched(wanted, &reached)
            } else {
                wanted.iter().zip(&reached).all(|(call, request)| call.is(request))
            };
        if !fits {
            let names: Vec<&str> = wanted.iter().map(|call| call.tool.as_str()).collect();
            let order = if expected.any_order { "in any order" } else { "in this order" };
            let sentence = if names.is_empty() {
                format!("no tool call may reach `{server}`, and {} did", reached.len())
            } else {
                let calls = if names.len() == 1 { "call" } else { "calls" };
                format!(
                    "exactly {} tool {calls} must reach `{server}` ({}, {order}, with the arguments given), and {} did",
                    names.len(),
                    names.join(", "),
                    reached.len()
                )
            };
            self.breach(sentence, &reached);
        }
    }

    fn secrets(&mut self, expected: &Expected, requests: &[&Request]) {
        let server = self.server;
        if let Some(known) = &expected.credentials {
            let foreign = those(requests, |request| {
                request
                    .headers
                    .iter()
                    .filter(|(name, _)| name == "authorization")
                    .any(|(_, value)| !bearer(value).is_some_and(|token| known.contains(token)))
            });
            self.blame(format!("`{server}` got a credential that was not given for it"), &foreign);
        }
        for text in &expected.lacks {
            let holding = those(requests, |request| place(request, text).is_some());
            if let Some(found) = holding.first().and_then(|request| place(request, text)) {
                let sentence =
                    format!("`{server}` received `{text}`, which must not reach it, in {found}");
                self.breach(sentence, &holding);
            }
        }
    }

    /// As 2025-11-25 says: `initialize`, `notifications/initialized`, then the rest, in the session and with the version.
    fn initialised(&mut self, requests: &[&Request]) {
        let server = self.server;
        let posts = those(requests, |request| request.method == "POST" && request.target == "/mcp");
        let opening = posts
            .iter()
            .position(|request| request.rpc() == Some("initialize") && !request.turned_down());
        let Some(opening) = opening else {
            self.breach(
                format!("`{server}` never got an `initialize` that it could answer"),
                &posts,
            );
            return;
        };
        // What was turned down before is a probe for a later version, which a client may make.
        let (before, after) = posts.split_at(opening);
        let early = those(before, |request| !request.turned_down());
        self.blame(format!("`{server}` was asked before it was initialised"), &early);
        let malformed = those(after, |request| {
            request.rpc() == Some("initialize")
                && !(request.param("protocolVersion").is_some_and(Value::is_string)
                    && request.param("capabilities").is_some_and(Value::is_object)
                    && request.param("clientInfo").is_some_and(|info| {
                        info.get("name").is_some_and(Value::is_string)
                            && info.get("version").is_some_and(Value::is_string)
                    }))
        });
        let sentence = "an `initialize` lacks protocolVersion, capabilities or a clientInfo with name and version";
        self.blame(sentence, &malformed);
        let rest = those(after, |request| request.rpc() != Some("initialize"));
        let unversioned = those(&rest, |request| request.header("mcp-protocol-version").is_none());
        self.blame("requests after `initialize` have no MCP-Protocol-Version", &unversioned);
        let with_sessions = after.iter().any(|request| request.opened.is_some());
        let astray = those(&rest, |request| {
            with_sessions && request.header("mcp-session-id").is_none() && !probe(request)
        });
        self.blame("requests after `initialize` have no Mcp-Session-Id", &astray);
        // Two requests sent at once may come in either order: that it came at all is what is asked.
        let ready: BTreeSet<Option<&str>> = rest
            .iter()
            .filter(|request| request.rpc() == Some("notifications/initialized"))
            .map(|request| request.header("mcp-session-id"))
            .collect();
        let unready = those(&rest, |request| {
            !matches!(request.rpc(), Some("ping" | "notifications/initialized") | None)
                && !request.turned_down()
                && !ready.contains(&request.header("mcp-session-id"))
        });
        self.blame("requests came in a session without `notifications/initialized`", &unready);
        let mut used = BTreeSet::new();
        let again = those(after, |request| request.is_call() && !request.turned_down())
            .into_iter()
            .filter(|request| {
                let id = request.message.as_ref().and_then(|message| message.get("id"));
                let session = request.header("mcp-session-id");
                !used.insert((session, id.map(Value::to_string)))
            })
            .collect::<Vec<_>>();
        self.blame("requests of a session have an id that was used before in it", &again);
        self.json_rpc(after);
        self.accept(after);
    }

    /// As both revisions say: JSON-RPC 2.0, and the id of a request is a string or a number.
    fn json_rpc(&mut self, requests: &[&Request]) {
        let malformed = those(requests, |request| {
            request.rpc().is_some()
                && request.message.as_ref().is_some_and(|message| {
                    let id = message.get("id");
                    message.get("jsonrpc").and_then(Value::as_str) != Some("2.0")
                        || id.is_some_and(|id| !id.is_string() && !id.is_number())
                })
        });
        let sentence =
            "messages are no JSON-RPC 2.0: jsonrpc is \"2.0\", an id a string or a number";
        self.blame(sentence, &malformed);
    }

    /// Where a session is needed, nothing else is asked first. A try at a revision without sessions is
    /// none of these.
    fn never_before_initialize(&mut self, requests: &[&Request]) {
        let opened =
            |request: &&Request| request.rpc() == Some("initialize") && !request.turned_down();
        let before = requests.iter().position(opened).unwrap_or(requests.len());
        let early = those(requests.get(..before).unwrap_or_default(), |request| {
            request.rpc().is_some_and(|method| method.starts_with("tools/"))
                && !is_stateless(request)
        });
        self.blame(format!("`{}` was asked before it was initialised", self.server), &early);
    }

    /// As 2026-07-28 says: `_meta` and the headers that repeat the body, on every request that was not turned down.
    fn metadata(&mut self, requests: &[&Request]) {
        let server = self.server;
        let calls = those(requests, |request| {
            request.method == "POST" && request.is_call() && !request.turned_down()
        });
        if calls.is_empty() {
            self.breach(format!("`{server}` never got a request that it could answer"), requests);
        }
        for request in &calls {
            if let Err(message) = check_meta(request).and_then(|()| check_headers(request)) {
                self.breach(
                    format!("a request to `{server}` is none of 2026-07-28: {message}"),
                    &[request],
                );
            }
        }
        self.json_rpc(&calls);
        self.accept(&calls);
    }

    fn accept(&mut self, requests: &[&Request]) {
        let narrow = those(requests, |request| {
            let accepted = request
                .headers
                .iter()
                .filter(|(name, _)| name == "accept")
                .map(|(_, value)| value.to_ascii_lowercase())
                .collect::<Vec<_>>()
                .join(",");
            !(accepted.contains("application/json") && accepted.contains("text/event-stream"))
        });
        self.blame(
            "requests whose Accept does not list application/json and text/event-stream",
            &narrow,
        );
    }
}

/// Whether it was a try at a version that the server lacks.
fn probe(request: &Request) -> bool {
    request.turned_down() && request.header("mcp-method").is_some()
}

fn those<'a>(requests: &[&'a Request], is: impl Fn(&Request) -> bool) -> Vec<&'a Request> {
    requests.iter().copied().filter(|request| is(request)).collect()
}

/// Whether each call has a request of its own. Calls with arguments choose first, since others take any.
fn matched(calls: &[Call], requests: &[&Request]) -> bool {
    let mut left: Vec<&Request> = requests.to_vec();
    let (exact, any): (Vec<&Call>, Vec<&Call>) =
        calls.iter().partition(|call| call.arguments.is_some());
    exact.into_iter().chain(any).all(|call| {
        match left.iter().position(|request| call.is(request)) {
            Some(place) => {
                left.swap_remove(place);
                true
            }
            None => false,
        }
    })
}

/// Equal as JSON: 1 is 1.0.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => left == right,
    }
}
