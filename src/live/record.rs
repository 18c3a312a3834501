//! What the servers of a case received, in order, within bounds.

use serde_json::{Map, Value, json};

use super::connection::Connection;

/// So many requests are kept a case; a subject that sends more is told to stop.
const MAX_REQUESTS: usize = 500;

/// So many bytes of bodies are kept a case.
const MAX_BODIES: usize = 16 * 1024 * 1024;

/// So many requests are shown.
const MAX_SHOWN: usize = 100;

/// So much of a text is shown.
const MAX_TEXT: usize = 2000;

/// So many headers of a request are shown.
const MAX_HEADERS: usize = 32;

/// Headers that every request has and that tell nothing: kept and not shown.
const DULL_HEADERS: [&str; 7] = [
    "host",
    "user-agent",
    "connection",
    "content-length",
    "transfer-encoding",
    "accept-encoding",
    "accept-language",
];

/// One HTTP request.
#[derive(Clone, Debug, Default)]
pub(super) struct Request {
    pub server: String,
    pub method: String,
    pub target: String,
    /// Names in lower case, in the order of arrival.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// The body, where it is JSON.
    pub message: Option<Value>,
    /// Whether its body was not read: too long, broken off, compressed.
    pub unread: bool,
    /// What became of it: an HTTP status, `stall` or `drop`.
    pub outcome: String,
    /// Whether it was a tool call that reached its tool.
    pub reached: bool,
    /// The session that this request opened.
    pub opened: Option<String>,
}

impl Request {
    /// The first header of that name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The JSON-RPC method.
    pub fn rpc(&self) -> Option<&str> {
        self.message.as_ref()?.get("method")?.as_str()
    }

    /// A member of the JSON-RPC params.
    pub fn param(&self, name: &str) -> Option<&Value> {
        self.message.as_ref()?.get("params")?.get(name)
    }

    /// The tool that a `tools/call` names.
    pub fn tool(&self) -> Option<&str> {
        (self.rpc()? == "tools/call").then(|| self.param("name")?.as_str()).flatten()
    }

    /// Every tool that it asks for, however: in a batch, or in the headers above a body that does not
    /// read.
    pub fn tools(&self) -> Vec<&str> {
        fn tool(message: &Value) -> Option<&str> {
            let is_call = message.get("method")?.as_str()? == "tools/call";
            is_call.then(|| message.get("params")?.get("name")?.as_str()).flatten()
        }
        let mut tools = Vec::new();
        match &self.message {
            Some(Value::Array(batch)) => tools.extend(batch.iter().filter_map(tool)),
            Some(message) => tools.extend(tool(message)),
            None if self.header("mcp-method") == Some("tools/call") => {
                tools.extend(self.header("mcp-name"));
            }
            None => {}
        }
        tools
    }

    /// Whether it is a JSON-RPC request, as opposed to a notification, an answer or no JSON-RPC at all.
    pub fn is_call(&self) -> bool {
        self.rpc().is_some()
            && self.message.as_ref().is_some_and(|message| message.get("id").is_some())
    }

    /// Whether the server turned it down.
    pub fn turned_down(&self) -> bool {
        self.outcome.starts_with('4')
    }

    /// As it is shown: method, tool, arguments, headers that tell something, outcome.
    pub fn show(&self) -> Value {
        let mut shown = Map::new();
        shown.insert("server".to_owned(), json!(self.server));
        shown.insert("http".to_owned(), json!(format!("{} {}", self.method, clip(&self.target))));
        if let Some(method) = self.rpc() {
            shown.insert("method".to_owned(), json!(clip(method)));
        }
        if let Some(tool) = self.tool() {
            shown.insert("tool".to_owned(), json!(clip(tool)));
            if let Some(arguments) = self.param("arguments") {
                let text = arguments.to_string();
                let small = text.len() <= MAX_TEXT;
                let arguments = if small { arguments.clone() } else { json!(clip(&text)) };
                shown.insert("arguments".to_owned(), arguments);
            }
        } else if self.rpc().is_none() && !self.body.is_empty() {
            shown.insert("body".to_owned(), json!(clip(&String::from_utf8_lossy(&self.body))));
        }
        let headers: Map<String, Value> = self
            .headers
            .iter()
            .filter(|(name, _)| !DULL_HEADERS.contains(&name.as_str()))
            .take(MAX_HEADERS)
            .map(|(name, value)| (name.clone(), json!(clip(value))))
            .collect();
        shown.insert("headers".to_owned(), Value::Object(headers));
        shown.insert("outcome".to_owned(), json!(self.outcome));
        Value::Object(shown)
    }
}

/// All requests of a case.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    requests: Vec<Request>,
    connections: Vec<Connection>,
    /// The bytes of their bodies.
    bytes: usize,
    /// How many came and were not kept.
    left_out: usize,
}

impl Ledger {
    /// Keeps a request. Gives false where there are too many already.
    pub fn keep(&mut self, request: Request) -> bool {
        let bytes = self.bytes.saturating_add(request.body.len());
        let room = self.requests.len() < MAX_REQUESTS && bytes <= MAX_BODIES;
        if room {
            self.bytes = bytes;
            self.requests.push(request);
        } else {
            self.left_out += 1;
        }
        room
    }

    /// Keeps a connection, where there are not too many.
    pub fn connect(&mut self, connection: Connection) {
        if self.connections.len() < MAX_REQUESTS {
            self.connections.push(connection);
        }
    }

    /// The connections to one server.
    pub fn connections_of<'a>(&'a self, server: &'a str) -> impl Iterator<Item = &'a Connection> {
        self.connections.iter().filter(move |connection| connection.server == server)
    }

    /// The requests of one server, in order.
    pub fn of<'a>(&'a self, server: &'a str) -> impl Iterator<Item = &'a Request> {
        self.requests.iter().filter(move |request| request.server == server)
    }

    /// How many requests were too many.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// All requests, as they are shown.
    pub fn show(&self) -> Value {
        shown(&self.requests.iter().collect::<Vec<_>>(), self.left_out)
    }
}

/// Requests as they are shown; the last element counts those that are not.
pub(super) fn shown(requests: &[&Request], left_out: usize) -> Value {
    let mut shown: Vec<Value> =
        requests.iter().take(MAX_SHOWN).map(|request| request.show()).collect();
    let more = requests.len().saturating_sub(MAX_SHOWN) + left_out;
    if more > 0 {
        shown.push(json!({"further_requests": more}));
    }
    Value::Array(shown)
}

/// The beginning of a text.
pub(super) fn clip(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => {
            format!("{}… ({} bytes)", text.get(..end).unwrap_or_default(), text.len())
        }
        None => text.to_owned(),
    }
}
