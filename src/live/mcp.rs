//! What a server of a script answers: MCP over streamable HTTP, in the versions that its table names.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::body::event;
use super::decode::header_text;
use super::record::Request;
use super::script::{Answer, Server};

/// Names of `_meta` members start so.
const META: &str = "io.modelcontextprotocol/";

/// JSON-RPC's and MCP's error codes.
const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const HEADER_MISMATCH: i64 = -32020;
const UNSUPPORTED_VERSION: i64 = -32022;
/// What servers with sessions commonly give for a request outside of one.
const NO_SESSION: i64 = -32000;

/// What goes back.
#[derive(Debug)]
pub(super) enum Action {
    /// A whole answer.
    Answer { status: u16, headers: Vec<(&'static str, String)>, body: String },
    /// An event stream that begins with these messages, and gets `changed` once the tools were listed.
    Listen { first: Option<Value>, changed: Value },
    /// Nothing, and the connection stays.
    Stall,
    /// Nothing, and the connection goes.
    Drop,
}

/// What a server remembers.
#[derive(Debug, Default)]
pub(super) struct Memory {
    sessions: Vec<String>,
    /// How many listings were begun.
    pub listings: usize,
}

/// Answers one request, and notes on it what became of it.
pub(super) fn answer(
    server: &Server,
    memory: &mut Memory,
    urls: &BTreeMap<String, String>,
    request: &mut Request,
) -> Action {
    let exchange =
        Exchange { server, urls, id: request.message.as_ref().and_then(|m| m.get("id")).cloned() };
    let action = exchange.run(memory, request);
    request.outcome = match &action {
        Action::Answer { status, .. } => status.to_string(),
        Action::Listen { .. } => "200".to_owned(),
        Action::Stall => "stall".to_owned(),
        Action::Drop => "drop".to_owned(),
    };
    action
}

/// The token of an `Authorization` of the scheme Bearer, whose case does not matter (RFC 9110, section
/// 11.1).
pub(super) fn bearer(authorization: &str) -> Option<&str> {
    let (scheme, token) = authorization.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Whether a request is of a revision without sessions.
pub(super) fn is_stateless(request: &Request) -> bool {
    request.param("_meta").is_some_and(|meta| meta.get(format!("{META}protocolVersion")).is_some())
        || request
            .header("mcp-protocol-version")
            .is_some_and(|version| version >= super::script::STATELESS)
}

/// How a request's answer is dressed: with session or without.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Era {
    Sessions,
    Stateless,
}

struct Exchange<'a> {
    server: &'a Server,
    urls: &'a BTreeMap<String, String>,
    id: Option<Value>,
}

impl Exchange<'_> {
    fn run(&self, memory: &mut Memory, request: &mut Request) -> Action {
        if let Some(answer) = &self.server.always {
            return self.give(answer, Era::Sessions, &[]);
        }
        if request.target.split('?').next() != Some("/mcp") {
            return bare(404, "");
        }
        if let Some(token) = &self.server.token
            && bearer(request.header("authorization").unwrap_or_default()) != Some(token)
        {
            let challenge = vec![("www-authenticate", "Bearer".to_owned())];
            return Action::Answer { status: 401, headers: challenge, body: String::new() };
        }
        match request.method.as_str() {
            "POST" => {}
            "GET" if self.server.announce && self.session_of(memory, request) => {
                return Action::Listen { first: None, changed: changed(None) };
            }
            "DELETE" if self.session_of(memory, request) => {
                let gone = request.header("mcp-session-id");
                memory.sessions.retain(|known| Some(known.as_str()) != gone);
                return bare(200, "");
            }
            _ => return bare(405, ""),
        }
        let Some(Value::Object(message)) = &request.message else {
            let code = if request.message.is_some() { INVALID_REQUEST } else { PARSE_ERROR };
            return self.error(400, code, "not one JSON-RPC message", None);
        };
        let stateless = is_stateless(request);
        let method = message.get("method").and_then(Value::as_str).map(str::to_owned);
        match (method.as_deref(), self.id.is_some()) {
            (Some("initialize"), true) => self.initialize(memory, request),
            (Some(method), true) if stateless => self.stateless(method, memory, request),
            (Some(method), true) => self.in_session(method, memory, request),
            // A notification, or an answer to something that this server asked.
            _ if stateless || self.session_of(memory, request) => bare(202, ""),
            _ => self.error(400, NO_SESSION, "no session", None),
        }
    }

    /// Whether a request belongs to a session, where the server has versions with sessions and wants one.
    fn session_of(&self, memory: &Memory, request: &Request) -> bool {
        self.server.with_sessions().next().is_some()
            && (!self.server.session
                || request
                    .header("mcp-session-id")
                    .is_some_and(|id| memory.sessions.iter().any(|known| known == id)))
    }

    fn initialize(&self, memory: &mut Memory, request: &mut Request) -> Action {
        let asked = request.param("protocolVersion").and_then(Value::as_str);
        let Some(newest) = self.server.with_sessions().max() else {
            return self.unsupported(asked.unwrap_or_default());
        };
        let Some(asked) = asked else {
            return self.error(200, INVALID_PARAMS, "initialize without a protocolVersion", None);
        };
        let version =
            self.server.with_sessions().find(|version| *version == asked).unwrap_or(newest);
        let mut result = self.about();
        result.insert("protocolVersion".to_owned(), json!(version));
        result.insert("serverInfo".to_owned(), identity());
        let mut headers = Vec::new();
        if self.server.session {
            let session = format!("session-{}-of-{}", memory.sessions.len() + 1, request.server);
            memory.sessions.push(session.clone());
            request.opened = Some(session.clone());
            headers.push(("mcp-session-id", session));
        }
        self.dress(200, headers, &[], json!({"jsonrpc": "2.0", "id": self.id, "result": result}))
    }

    /// A request of a version with sessions.
    fn in_session(&self, method: &str, memory: &mut Memory, request: &mut Request) -> Action {
        if self.server.with_sessions().next().is_none() {
            return self.error(400, HEADER_MISMATCH, "MCP-Protocol-Version is missing", None);
        }
        if !self.session_of(memory, request) {
            let unknown = request.header("mcp-session-id").is_some();
            return self.error(
                if unknown { 404 } else { 400 },
                NO_SESSION,
                "no such session",
                None,
            );
        }
        if let Some(version) = request.header("mcp-protocol-version")
            && !self.server.with_sessions().any(|known| known == version)
        {
            return self.error(400, NO_SESSION, "unsupported MCP-Protocol-Version", None);
        }
        match method {
            "ping" => self.result(Era::Sessions, Map::new(), &[]),
            "tools/list" => self.list(Era::Sessions, memory, request),
            "tools/call" => self.call(Era::Sessions, request),
            _ => self.error(200, METHOD_NOT_FOUND, "Method not found", None),
        }
    }

    /// A request of a version that says everything in each request.
    fn stateless(&self, method: &str, memory: &mut Memory, request: &mut Request) -> Action {
        if self.server.stateless().next().is_none() {
            return self.error(
                400,
                NO_SESSION,
                "unsupported MCP-Protocol-Version, or no session",
                None,
            );
        }
        if let Err(message) = check_headers(request) {
            return self.error(400, HEADER_MISMATCH, &message, None);
        }
        let meta =
            |name: &str| request.param("_meta").and_then(|meta| meta.get(format!("{META}{name}")));
        let Some(version) = meta("protocolVersion").and_then(Value::as_str) else {
            return self.error(400, INVALID_PARAMS, "_meta without protocolVersion", None);
        };
        if !meta("clientCapabilities").is_some_and(Value::is_object) {
            return self.error(400, INVALID_PARAMS, "_meta without clientCapabilities", None);
        }
        if !self.server.stateless().any(|known| known == version) {
            return self.unsupported(version);
        }
        match method {
            "server/discover" => {
                let mut result = self.about();
                result.insert("supportedVersions".to_owned(), json!(self.server.versions));
                result.insert("serverInfo".to_owned(), identity());
                cacheable(&mut result);
                self.result(Era::Stateless, result, &[])
            }
            "tools/list" => self.list(Era::Stateless, memory, request),
            "tools/call" => self.call(Era::Stateless, request),
            "subscriptions/listen" if self.server.announce => {
                let id = self.id.clone().unwrap_or_default();
                let acknowledged = json!({
                    "jsonrpc": "2.0",
                    "method": "notifications/subscriptions/acknowledged",
                    "params": {
                        "_meta": {format!("{META}subscriptionId"): id},
                        "notifications": {"toolsListChanged": true},
                    },
                });
                Action::Listen { first: Some(acknowledged), changed: changed(Some(&id)) }
            }
            _ => self.error(404, METHOD_NOT_FOUND, "Method not found", None),
        }
    }

    fn list(&self, era: Era, memory: &mut Memory, request: &Request) -> Action {
        if let Some(answer) = &self.server.list {
            return self.give(answer, era, &[]);
        }
        let cursor = request.param("cursor").filter(|cursor| !cursor.is_null());
        let (listing, page) = match cursor.map(read_cursor) {
            None => {
                memory.listings += 1;
                (memory.listings, 0)
            }
            Some(Some((listing, page))) => (listing, page),
            Some(None) => return self.error(200, INVALID_PARAMS, "no such cursor", None),
        };
        let tools: Vec<Value> = self
            .server
            .tools
            .iter()
            .filter(|tool| {
                let begun = tool.since.is_none_or(|since| listing >= since);
                tool.listed && begun && tool.until.is_none_or(|until| listing <= until)
            })
            .map(|tool| {
                let mut shown = tool.more.clone();
                shown.insert("name".to_owned(), json!(tool.name));
                let described =
                    tool.description.clone().unwrap_or_else(|| format!("The tool {}.", tool.name));
                shown.insert("description".to_owned(), json!(described));
                let any_object = || [("type".to_owned(), json!("object"))].into_iter().collect();
                let input = tool.input.clone().unwrap_or_else(any_object);
                shown.insert("inputSchema".to_owned(), Value::Object(input));
                Value::Object(shown)
            })
            .collect();
        let size = self.server.page.map_or(tools.len().max(1), std::num::NonZeroUsize::get);
        let from = page.saturating_mul(size);
        let mut result = Map::new();
        let more = tools.len() > from.saturating_add(size) || self.server.endless;
        result.insert("tools".to_owned(), tools.into_iter().skip(from).take(size).collect());
        if more {
            result.insert("nextCursor".to_owned(), json!(format!("{listing}.{}", page + 1)));
        }
        if era == Era::Stateless {
            cacheable(&mut result);
        }
        self.result(era, result, &[])
    }

    fn call(&self, era: Era, request: &mut Request) -> Action {
        let tool =
            request.tool().and_then(|name| self.server.tools.iter().find(|tool| tool.name == name));
        let Some(tool) = tool else {
            return self.error(200, INVALID_PARAMS, "Unknown tool", None);
        };
        let action = self.give(&tool.answer, era, &self.server.before);
        request.reached = true;
        action
    }

    /// An answer of the script.
    fn give(&self, answer: &Answer, era: Era, before: &[Map<String, Value>]) -> Action {
        match answer {
            Answer::Result(result) => self.result(era, result.clone(), before),
            Answer::Error(error) => self.dress(
                200,
                Vec::new(),
                before,
                json!({"jsonrpc": "2.0", "id": self.id, "error": error}),
            ),
            Answer::Status { status, body } => bare(*status, body),
            Answer::Redirect(redirect) => {
                let url = self.urls.get(&redirect.to).cloned().unwrap_or_default();
                let location = match &redirect.host {
                    Some(host) => url.replacen("127.0.0.1", host, 1),
                    None => url,
                };
                Action::Answer {
                    status: redirect.status,
                    headers: vec![("location", location)],
                    body: String::new(),
                }
            }
            Answer::Stall => Action::Stall,
            Answer::Drop => Action::Drop,
        }
    }

    fn result(
        &self,
        era: Era,
        mut result: Map<String, Value>,
        before: &[Map<String, Value>],
    ) -> Action {
        if era == Era::Stateless {
            result.entry("resultType").or_insert_with(|| json!("complete"));
            result
                .entry("_meta")
                .or_insert_with(|| json!({format!("{META}serverInfo"): identity()}));
        }
        self.dress(
            200,
            Vec::new(),
            before,
            json!({"jsonrpc": "2.0", "id": self.id, "result": result}),
        )
    }

    fn unsupported(&self, asked: &str) -> Action {
        let data = json!({"supported": self.server.versions, "requested": asked});
        self.error(400, UNSUPPORTED_VERSION, "Unsupported protocol version", Some(data))
    }

    /// An error of the protocol. It is never an event stream: none was begun.
    fn error(&self, status: u16, code: i64, message: &str, data: Option<Value>) -> Action {
        let mut error = json!({"code": code, "message": message});
        if let (Some(error), Some(data)) = (error.as_object_mut(), data) {
            error.insert("data".to_owned(), data);
        }
        let mut body = json!({"jsonrpc": "2.0", "error": error});
        if let (Some(body), Some(id)) = (body.as_object_mut(), &self.id) {
            body.insert("id".to_owned(), id.clone());
        }
        Action::Answer { status, headers: vec![json_type()], body: body.to_string() }
    }

    fn dress(
        &self,
        status: u16,
        mut headers: Vec<(&'static str, String)>,
        before: &[Map<String, Value>],
        message: Value,
    ) -> Action {
        if !self.server.sse {
            headers.push(json_type());
            return Action::Answer { status, headers, body: message.to_string() };
        }
        headers.push(("content-type", "text/event-stream".to_owned()));
        let before = before.iter().map(|message| Value::Object(message.clone()));
        let body = before.chain([message]).map(|message| event(&message)).collect();
        Action::Answer { status, headers, body }
    }

    /// What `initialize` and `server/discover` both tell.
    fn about(&self) -> Map<String, Value> {
        let mut about = Map::new();
        about.insert(
            "capabilities".to_owned(),
            json!({"tools": {"listChanged": self.server.announce}}),
        );
        if let Some(text) = &self.server.instructions {
            about.insert("instructions".to_owned(), json!(text));
        }
        about
    }
}

/// The headers that repeat the body, as 2026-07-28 wants them on a request.
///
/// # Errors
/// Says which one is missing or different.
pub(super) fn check_headers(request: &Request) -> Result<(), String> {
    let version =
        request.param("_meta").and_then(|meta| meta.get(format!("{META}protocolVersion")));
    match (request.header("mcp-protocol-version"), version.and_then(Value::as_str)) {
        (None, _) => return Err("MCP-Protocol-Version is missing".to_owned()),
        (Some(header), Some(version)) if header != version => {
            return Err("MCP-Protocol-Version differs from the body".to_owned());
        }
        _ => {}
    }
    match request.header("mcp-method") {
        None => return Err("Mcp-Method is missing".to_owned()),
        method if method != request.rpc() => {
            return Err("Mcp-Method differs from the body".to_owned());
        }
        _ => {}
    }
    if let Some(tool) = request.tool() {
        match request.header("mcp-name").map(header_text) {
            None => return Err("Mcp-Name is missing".to_owned()),
            Some(name) if name.as_deref() != Some(tool) => {
                return Err("Mcp-Name differs from the body".to_owned());
            }
            _ => {}
        }
    }
    Ok(())
}

/// The names of `_meta` that 2026-07-28 wants on a request.
///
/// # Errors
/// Says which one is missing.
pub(super) fn check_meta(request: &Request) -> Result<(), String> {
    let meta =
        |name: &str| request.param("_meta").and_then(|meta| meta.get(format!("{META}{name}")));
    if !meta("protocolVersion").is_some_and(Value::is_string) {
        return Err("_meta has no protocolVersion".to_owned());
    }
    if !meta("clientCapabilities").is_some_and(Value::is_object) {
        return Err("_meta has no clientCapabilities".to_owned());
    }
    Ok(())
}

fn changed(subscription: Option<&Value>) -> Value {
    let mut message = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
    if let (Some(message), Some(id)) = (message.as_object_mut(), subscription) {
        message
            .insert("params".to_owned(), json!({"_meta": {format!("{META}subscriptionId"): id}}));
    }
    message
}

fn cacheable(result: &mut Map<String, Value>) {
    result.insert("ttlMs".to_owned(), json!(0));
    result.insert("cacheScope".to_owned(), json!("private"));
}

fn read_cursor(cursor: &Value) -> Option<(usize, usize)> {
    let (listing, page) = cursor.as_str()?.split_once('.')?;
    Some((listing.parse().ok()?, page.parse().ok()?))
}

fn identity() -> Value {
    json!({"name": "scripted server", "version": "1"})
}

fn json_type() -> (&'static str, String) {
    ("content-type", "application/json".to_owned())
}

fn bare(status: u16, body: &str) -> Action {
    let headers =
        if body.is_empty() { vec![] } else { vec![("content-type", "text/plain".to_owned())] };
    Action::Answer { status, headers, body: body.to_owned() }
}
