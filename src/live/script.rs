//! The tables of a case, read: what each server does and what it must have seen.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::witness::Expected;

/// The first protocol version without `initialize`. Versions are dates, so text order is their order.
pub(super) const STATELESS: &str = "2026-07-28";

/// What a server does, and what it must have seen: the tables of one case, checked.
#[derive(Clone, Debug)]
pub struct Script {
    servers: BTreeMap<String, Value>,
    pub(super) witness: BTreeMap<String, Expected>,
}

/// One server's table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Server {
    #[serde(rename = "kind")]
    _kind: Kind,
    #[serde(default = "known_versions")]
    pub versions: Vec<String>,
    #[serde(default)]
    pub tools: Vec<Tool>,
    pub token: Option<String>,
    pub page: Option<std::num::NonZeroUsize>,
    #[serde(default)]
    pub endless: bool,
    #[serde(default)]
    pub sse: bool,
    #[serde(default)]
    pub before: Vec<Map<String, Value>>,
    #[serde(default = "yes")]
    pub session: bool,
    #[serde(default)]
    pub announce: bool,
    pub instructions: Option<String>,
    pub list: Option<Answer>,
    pub always: Option<Answer>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Mcp,
}

/// One tool of a server.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tool {
    pub name: String,
    pub description: Option<String>,
    pub input: Option<Map<String, Value>>,
    #[serde(default)]
    pub more: Map<String, Value>,
    #[serde(default = "yes")]
    pub listed: bool,
    pub since: Option<usize>,
    pub until: Option<usize>,
    #[serde(default)]
    pub answer: Answer,
}

/// What a request gets.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "RawAnswer")]
pub(super) enum Answer {
    Result(Map<String, Value>),
    Error(Map<String, Value>),
    Status { status: u16, body: String },
    Redirect(Redirect),
    Stall,
    Drop,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Redirect {
    pub to: String,
    #[serde(default = "temporary")]
    pub status: u16,
    pub host: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAnswer {
    text: Option<String>,
    result: Option<Map<String, Value>>,
    error: Option<Map<String, Value>>,
    status: Option<u16>,
    body: Option<String>,
    redirect: Option<Redirect>,
    stall: Option<bool>,
    drop: Option<bool>,
}

impl Default for Answer {
    fn default() -> Self {
        Self::Result(text_result("done"))
    }
}

impl TryFrom<RawAnswer> for Answer {
    type Error = String;

    fn try_from(raw: RawAnswer) -> Result<Self, String> {
        if raw.body.is_some() && raw.status.is_none() {
            return Err("an answer's `body` goes with `status`".to_owned());
        }
        if raw.stall == Some(false) || raw.drop == Some(false) {
            return Err("an answer's `stall` and `drop` are `true` or left out".to_owned());
        }
        if raw.status.is_some_and(|status| !(200..=599).contains(&status)) {
            return Err("an answer's `status` is from 200 to 599".to_owned());
        }
        let body = raw.body.unwrap_or_default();
        let mut answers = [
            raw.text.map(|text| Self::Result(text_result(&text))),
            raw.result.map(Self::Result),
            raw.error.map(Self::Error),
            raw.status.map(|status| Self::Status { status, body }),
            raw.redirect.map(Self::Redirect),
            raw.stall.map(|_| Self::Stall),
            raw.drop.map(|_| Self::Drop),
        ]
        .into_iter()
        .flatten();
        match (answers.next(), answers.next()) {
            (Some(answer), None) => Ok(answer),
            _ => Err(
                "an answer has exactly one of text, result, error, status, redirect, stall, drop"
                    .to_owned(),
            ),
        }
    }
}

impl Script {
    /// Reads the tables of a case: `servers` by name, and the `witness` table, by name as well.
    ///
    /// # Errors
    /// Says which table holds an unknown key, a value of another type, an answer of no kind or of two, a witness or a
    /// redirect for a server that is not there, or a name in `{{servers.NAME.url}}` that is none.
    pub fn read(
        servers: &BTreeMap<String, Value>,
        witness: Option<&Value>,
    ) -> Result<Self, String> {
        let urls = servers
            .keys()
            .map(|name| (name.clone(), "http://127.0.0.1:1/mcp".to_owned()))
            .collect();
        // A name becomes part of session ids, which are header text.
        if let Some(name) = servers.keys().find(|name| !is_name(name)) {
            return Err(format!("servers.{name}: a name is of ASCII letters, digits and hyphens"));
        }
        let script = Self { servers: servers.clone(), witness: read_witness(witness)? };
        if let Some(name) = script.witness.keys().find(|name| !servers.contains_key(*name)) {
            return Err(format!("witness.{name}: the case has no server `{name}`"));
        }
        script.servers_at(&urls)?;
        Ok(script)
    }

    /// The servers, with every `{{servers.NAME.url}}` replaced.
    ///
    /// # Errors
    /// As [`Script::read`].
    pub(super) fn servers_at(
        &self,
        urls: &BTreeMap<String, String>,
    ) -> Result<BTreeMap<String, Server>, String> {
        let mut read = BTreeMap::new();
        for (name, table) in &self.servers {
            let blame = |message: String| format!("servers.{name}: {message}");
            let table = fill_in(table, urls).map_err(blame)?;
            let server: Server =
                serde_json::from_value(table).map_err(|error| blame(error.to_string()))?;
            check(&server, urls).map_err(blame)?;
            read.insert(name.clone(), server);
        }
        Ok(read)
    }

    /// The names of the servers.
    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.servers.keys()
    }
}

impl Server {
    /// The versions that open with `initialize`, in the order of the table.
    pub fn with_sessions(&self) -> impl Iterator<Item = &str> {
        self.versions.iter().map(String::as_str).filter(|version| *version < STATELESS)
    }

    /// The versions that say everything in each request.
    pub fn stateless(&self) -> impl Iterator<Item = &str> {
        self.versions.iter().map(String::as_str).filter(|version| *version >= STATELESS)
    }
}

fn check(server: &Server, urls: &BTreeMap<String, String>) -> Result<(), String> {
    if server.versions.is_empty() {
        return Err("`versions` is empty".to_owned());
    }
    if !server.before.is_empty() && !server.sse {
        return Err("`before` needs `sse = true`".to_owned());
    }
    let mut names: Vec<&str> = server.tools.iter().map(|tool| tool.name.as_str()).collect();
    names.sort_unstable();
    if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("two tools are named `{}`", twice[0]));
    }
    let answers =
        server.tools.iter().map(|tool| &tool.answer).chain(&server.list).chain(&server.always);
    for answer in answers {
        match answer {
            Answer::Redirect(redirect) if !urls.contains_key(&redirect.to) => {
                return Err(format!(
                    "a redirect to `{}`, and the case has no such server",
                    redirect.to
                ));
            }
            Answer::Redirect(redirect) if !(300..=399).contains(&redirect.status) => {
                return Err(format!("{} is no status of a redirect", redirect.status));
            }
            Answer::Error(error) if !error.get("code").is_some_and(Value::is_i64) => {
                return Err("an `error` needs an integer `code`".to_owned());
            }
            _ => {}
        }
    }
    Ok(())
}

fn read_witness(witness: Option<&Value>) -> Result<BTreeMap<String, Expected>, String> {
    let Some(witness) = witness else { return Ok(BTreeMap::new()) };
    let Value::Object(tables) = witness else {
        return Err("witness: not a table of tables".to_owned());
    };
    let mut read = BTreeMap::new();
    for (name, table) in tables {
        let expected: Expected = serde_json::from_value(table.clone())
            .map_err(|error| format!("witness.{name}: {error}"))?;
        expected.check().map_err(|message| format!("witness.{name}: {message}"))?;
        read.insert(name.clone(), expected);
    }
    Ok(read)
}

/// `value` with the URL of each server put in. The depth is that of a table of the corpus, which its parser bounds.
fn fill_in(value: &Value, urls: &BTreeMap<String, String>) -> Result<Value, String> {
    Ok(match value {
        Value::String(text) => Value::String(fill_in_text(text, urls)?),
        Value::Array(items) => {
            Value::Array(items.iter().map(|item| fill_in(item, urls)).collect::<Result<_, _>>()?)
        }
        Value::Object(members) => Value::Object(
            members
                .iter()
                .map(|(name, member)| Ok((name.clone(), fill_in(member, urls)?)))
                .collect::<Result<_, String>>()?,
        ),
        other => other.clone(),
    })
}

fn fill_in_text(text: &str, urls: &BTreeMap<String, String>) -> Result<String, String> {
    const OPEN: &str = "{{servers.";
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(OPEN) {
        let named =
            after.split_once(".url}}").and_then(|(name, left)| Some((urls.get(name)?, left)));
        let Some((url, left)) = named else {
            return Err(format!("`{OPEN}` is not followed by the name of a server and `.url}}}}`"));
        };
        filled.push_str(before);
        filled.push_str(url);
        rest = left;
    }
    filled.push_str(rest);
    Ok(filled)
}

fn text_result(text: &str) -> Map<String, Value> {
    let mut result = Map::new();
    result.insert("content".to_owned(), serde_json::json!([{"type": "text", "text": text}]));
    result
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn known_versions() -> Vec<String> {
    [STATELESS, "2025-11-25", "2025-06-18", "2025-03-26"].map(str::to_owned).to_vec()
}

fn yes() -> bool {
    true
}

fn temporary() -> u16 {
    307
}
