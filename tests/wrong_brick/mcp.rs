//! An MCP client of its own, over plain HTTP: right as it stands, and with a manner that can be bad.
//! What it knows of both revisions is what the documentation of `proofmark::live` tells.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use crate::http::{self, Response};

/// The revision without `initialize`.
const LATER: &str = "2026-07-28";

/// The one with it, and its forerunners.
const EARLIER: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];

/// What names of `_meta` begin with.
const META: &str = "io.modelcontextprotocol/";

/// JSON-RPC: the server lacks the version.
const UNSUPPORTED_VERSION: i64 = -32022;

/// How the client behaves. All `false` is right.
#[derive(Clone, Copy, Default)]
pub struct Manner {
    /// Sends a request again to where a redirect leads, with all its headers.
    pub follows_redirects: bool,
    /// Opens every connection with `initialize`, as if there were no later revision.
    pub always_initialises: bool,
    /// Goes on without `initialize` where it falls back on the earlier revision.
    pub never_initialises: bool,
    /// Knows the later revision alone.
    pub later_alone: bool,
    /// Speaks whatever version the server names, whether it knows it or not.
    pub any_version: bool,
}

/// What a server said of one of its tools.
#[derive(Clone)]
pub struct Tool {
    pub name: String,
    pub description: String,
}

/// A server that was reached.
pub struct Server {
    endpoint: String,
    token: Option<String>,
    manner: Manner,
    version: String,
    /// Whether it was opened with `initialize`.
    initialised: bool,
    session: Option<String>,
    last_id: u64,
    /// What it listed first.
    pub tools: Vec<Tool>,
}

/// Why there is no result.
struct Failure {
    /// The server's error, where it gave one.
    code: Option<i64>,
    data: Value,
    status: u16,
    message: String,
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure { code: None, data: Value::Null, status: 0, message }
    }
}

impl Server {
    /// Connects, agrees on a version and lists.
    pub fn open(endpoint: &str, token: Option<&str>, manner: Manner) -> Result<Server, String> {
        let mut server = Server {
            endpoint: endpoint.to_owned(),
            token: token.map(str::to_owned),
            manner,
            version: LATER.to_owned(),
            initialised: false,
            session: None,
            last_id: 0,
            tools: Vec::new(),
        };
        if manner.always_initialises {
            server.initialise()?;
        } else {
            server.discover()?;
        }
        server.tools = server.list()?;
        Ok(server)
    }

    /// Tries the later revision, and falls back on the earlier one.
    fn discover(&mut self) -> Result<(), String> {
        let Err(failure) = self.request("server/discover", Map::new()) else { return Ok(()) };
        if failure.code == Some(UNSUPPORTED_VERSION) {
            let named = failure.data["supported"][0].as_str().map(str::to_owned);
            if let (true, Some(version)) = (self.manner.any_version, named) {
                self.version = version;
                return Ok(());
            }
            return Err(failure.message);
        }
        if failure.status == 400 && self.manner.never_initialises {
            self.initialised = true;
            self.version = EARLIER[0].to_owned();
            return Ok(());
        }
        if failure.status == 400 && !self.manner.later_alone {
            return self.initialise();
        }
        Err(failure.message)
    }

    fn initialise(&mut self) -> Result<(), String> {
        self.initialised = true;
        self.version = EARLIER[0].to_owned();
        self.last_id += 1;
        let params = json!({
            "protocolVersion": EARLIER[0],
            "capabilities": {},
            "clientInfo": {"name": "trial", "version": "1"},
        });
        let message =
            json!({"jsonrpc": "2.0", "id": self.last_id, "method": "initialize", "params": params});
        let response = self.post(&message)?;
        let session = response.header("mcp-session-id").map(str::to_owned);
        let result = self.result(&response).map_err(|failure| failure.message)?;
        let version = result["protocolVersion"].as_str().unwrap_or_default().to_owned();
        if !EARLIER.contains(&version.as_str()) && !self.manner.any_version {
            return Err(format!("the server speaks {version}, which this client does not"));
        }
        (self.session, self.version) = (session, version);
        self.post(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(())
    }

    /// The whole list, page by page.
    pub fn list(&mut self) -> Result<Vec<Tool>, String> {
        let mut tools = Vec::new();
        let mut params = Map::new();
        for _ in 0..50 {
            let page = self.request("tools/list", params).map_err(|failure| failure.message)?;
            let listed = page["tools"].as_array().ok_or("the list of tools is no list")?;
            let text =
                |tool: &Value, name: &str| tool[name].as_str().unwrap_or_default().to_owned();
            tools.extend(listed.iter().map(|tool| Tool {
                name: text(tool, "name"),
                description: text(tool, "description"),
            }));
            let Some(cursor) = page.get("nextCursor") else { return Ok(tools) };
            params = Map::from_iter([("cursor".to_owned(), cursor.clone())]);
        }
        Err("the list of tools has no end".to_owned())
    }

    /// Whether it listed this tool.
    pub fn lists(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool.name == name)
    }

    /// Calls a tool, and gives its result as MCP spells it.
    pub fn call(&mut self, tool: &str, arguments: &Map<String, Value>) -> Result<Value, String> {
        let params = Map::from_iter([
            ("name".to_owned(), json!(tool)),
            ("arguments".to_owned(), json!(arguments)),
        ]);
        let result = self.request("tools/call", params).map_err(|failure| failure.message)?;
        let kind = result.get("resultType").and_then(Value::as_str).unwrap_or("complete");
        let whole = result.is_object() && kind == "complete";
        if whole { Ok(result) } else { Err("that is no whole result".to_owned()) }
    }

    fn request(&mut self, method: &str, mut params: Map<String, Value>) -> Result<Value, Failure> {
        self.last_id += 1;
        if !self.initialised {
            let meta = json!({
                format!("{META}protocolVersion"): self.version,
                format!("{META}clientCapabilities"): {},
                format!("{META}clientInfo"): {"name": "trial", "version": "1"},
            });
            params.insert("_meta".to_owned(), meta);
        }
        let message =
            json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params});
        let response = self.post(&message)?;
        self.result(&response)
    }

    fn post(&self, message: &Value) -> Result<Response, String> {
        let mut headers = vec![
            ("content-type", "application/json".to_owned()),
            ("accept", "application/json, text/event-stream".to_owned()),
        ];
        let method = message["method"].as_str().unwrap_or_default();
        if method != "initialize" {
            headers.push(("mcp-protocol-version", self.version.clone()));
        }
        if let Some(token) = &self.token {
            headers.push(("authorization", format!("Bearer {token}")));
        }
        if let Some(session) = &self.session {
            headers.push(("mcp-session-id", session.clone()));
        }
        if !self.initialised {
            headers.push(("mcp-method", method.to_owned()));
            if let Some(name) = message["params"]["name"].as_str() {
                headers.push(("mcp-name", header_text(name)));
            }
        }
        let body = message.to_string();
        let mut url = self.endpoint.clone();
        for _ in 0..5 {
            let response = http::post(&url, &headers, body.as_bytes())?;
            match response.header("location") {
                Some(location) if self.manner.follows_redirects => url = location.to_owned(),
                _ => return Ok(response),
            }
        }
        Err("redirected without an end".to_owned())
    }

    /// The result in a response to the last request.
    fn result(&self, response: &Response) -> Result<Value, Failure> {
        let body = String::from_utf8_lossy(&response.body);
        let kind = response.header("content-type").unwrap_or_default();
        let messages: Vec<Value> = if kind.starts_with("text/event-stream") {
            let data = body.lines().filter_map(|line| line.strip_prefix("data:"));
            data.filter_map(|data| serde_json::from_str(data).ok()).collect()
        } else {
            serde_json::from_str(&body).into_iter().collect()
        };
        let own = messages
            .into_iter()
            .find(|message| message["id"] == self.last_id && (message.get("method").is_none()));
        let status = response.status;
        let message = format!("the server answered with status {status}");
        let Some(own) = own else {
            return Err(Failure { status, ..Failure::from(message) });
        };
        match (own.get("result"), own.get("error")) {
            (Some(result), None) if status == 200 => Ok(result.clone()),
            (_, error) => {
                let error = error.cloned().unwrap_or_default();
                let message = format!("{message} and {error}");
                let data = error["data"].clone();
                Err(Failure { code: error["code"].as_i64(), data, status, message })
            }
        }
    }
}

/// A text as a header may hold it, as 2026-07-28 has it.
fn header_text(text: &str) -> String {
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ')
        && text.trim() == text
        && !text.starts_with("=?");
    if plain { text.to_owned() } else { format!("=?base64?{}?=", STANDARD.encode(text)) }
}
