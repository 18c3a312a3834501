//! The protocol's messages: requests, replies and hello. `docs/adapter-protocol.md` describes them
//! for people, `docs/protocol.schema.json` for machines.
//!
//! Reading is strict about shape (exactly one result member, no member twice) and ignores members
//! that it does not know. Depends on nothing in this crate but the transports' shared types.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::adapter::{Ask, Breach, PROTOCOL, quote};

/// A reply's content.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// Done, with the operation's output.
    Ok(Value),
    /// The input was read and turned down.
    Refused(Refusal),
    /// The adapter does not offer the operation.
    Unsupported(Option<String>),
    /// The adapter itself failed.
    Fault(String),
}

/// What a refusal says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The specification's code where it has codes; free otherwise, and then not judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// A JSON Pointer into the input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Free text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Every fault that was found, `[{code, at, message?}]`, where an operation tells them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faults: Option<Value>,
}

impl Reply {
    /// The reply's one result member, as `{"ok": …}`.
    pub fn to_value(&self) -> Value {
        self.clone().into_value()
    }

    /// The same, of a reply that is needed no more.
    pub fn into_value(self) -> Value {
        let (name, value) = match self {
            Reply::Ok(value) => ("ok", value),
            Reply::Refused(refusal) => ("refused", serde_json::json!(refusal)),
            Reply::Unsupported(None) => ("unsupported", serde_json::json!({})),
            Reply::Unsupported(Some(what)) => ("unsupported", serde_json::json!({ "what": what })),
            Reply::Fault(message) => ("fault", serde_json::json!({ "message": message })),
        };
        Value::Object([(name.to_owned(), value)].into_iter().collect())
    }

    /// The reply line for request `id` (`None`: the line was no request), with its line feed.
    pub fn write_line(&self, id: Option<u64>, out: &mut Vec<u8>) {
        let mut line = match self.to_value() {
            Value::Object(members) => members,
            _ => serde_json::Map::new(),
        };
        line.insert("id".to_owned(), id.map_or(Value::Null, Value::from));
        write_json(&Value::Object(line), out);
        out.push(b'\n');
    }
}

/// Writes a value as JSON text. Serialising a `Value` into memory can't fail.
fn write_json<T: Serialize>(value: &T, out: &mut Vec<u8>) {
    if serde_json::to_writer(&mut *out, value).is_err() {
        out.extend_from_slice(b"null");
    }
}

/// Writes a request as one line, with its line feed.
pub fn write_request(ask: &Ask<'_>, out: &mut Vec<u8>) {
    #[derive(Serialize)]
    struct Line<'a> {
        id: u64,
        op: &'a str,
        params: &'a Value,
    }
    let line = Line { id: ask.id, op: ask.operation, params: ask.params };
    write_json(&line, out);
    out.push(b'\n');
}

/// A request as an adapter reads it.
#[derive(Clone, Debug, Deserialize)]
pub struct Request {
    /// Comes back in the reply.
    pub id: u64,
    /// The operation's name.
    pub op: String,
    /// The operation's params; `null` where the request has none.
    #[serde(default)]
    pub params: Value,
}

/// Reads one request line.
///
/// # Errors
/// A sentence on what is wrong with the line.
pub fn read_request(line: &[u8]) -> Result<Request, String> {
    serde_json::from_slice(line).map_err(|error| format!("this line is no request: {error}"))
}

/// A member that tells "absent" from "null".
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

#[derive(Deserialize)]
struct RawReply {
    #[serde(default, deserialize_with = "present")]
    id: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    ok: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    refused: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    unsupported: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    fault: Option<Value>,
}

/// Reads one reply line (without its line feed).
///
/// The id is `None` where the reply says that a line was no request: `{"id": null, "fault": …}`.
///
/// # Errors
/// A [`Breach`] that quotes the line, with the request's id where the line has a usable one.
pub fn read_reply(line: &[u8]) -> Result<(Option<u64>, Reply), Breach> {
    let breach = |id: Option<u64>, what: String| Breach { id, what, seen: quote(line) };
    if std::str::from_utf8(line).is_err() {
        return Err(breach(None, "a line that is not UTF-8".to_owned()));
    }
    let raw: RawReply =
        serde_json::from_slice(line).map_err(|error| breach(None, no_reply(line, &error)))?;
    let id = match raw.id {
        Some(Value::Number(number)) if number.as_u64().is_some() => number.as_u64(),
        Some(Value::Null) => None,
        Some(_) => return Err(breach(None, "a reply whose id is no request's".to_owned())),
        None => return Err(breach(None, "a reply without an id".to_owned())),
    };
    let mut results = [
        ("ok", raw.ok),
        ("refused", raw.refused),
        ("unsupported", raw.unsupported),
        ("fault", raw.fault),
    ]
    .into_iter()
    .filter_map(|(name, value)| value.map(|value| (name, value)));
    let (name, value) =
        results.next().ok_or_else(|| breach(id, "a reply with no result member".to_owned()))?;
    if let Some((second, _)) = results.next() {
        return Err(breach(id, format!("a reply with both `{name}` and `{second}`")));
    }
    let reply = match name {
        "ok" => Ok(Reply::Ok(value)),
        "refused" => serde_json::from_value(value).map(Reply::Refused),
        "unsupported" => serde_json::from_value::<Unsupported>(value)
            .map(|unsupported| Reply::Unsupported(unsupported.what)),
        _ => serde_json::from_value::<Fault>(value).map(|fault| Reply::Fault(fault.message)),
    };
    let reply = reply.map_err(|error| {
        breach(id, format!("a reply whose `{name}` is of another shape ({})", brief(&error)))
    })?;
    match (id, &reply) {
        (None, Reply::Ok(_) | Reply::Refused(_) | Reply::Unsupported(_)) => {
            Err(breach(None, "a reply with the id null that is no fault".to_owned()))
        }
        _ => Ok((id, reply)),
    }
}

/// What is wrong with a line that is no reply: what adapters do most is told in plain words.
fn no_reply(line: &[u8], error: &serde_json::Error) -> String {
    if line.is_empty() {
        "an empty line".to_owned()
    } else if line.starts_with(b"\xef\xbb\xbf") {
        "a line that begins with a byte order mark".to_owned()
    } else {
        format!("a line that is no reply ({})", brief(error))
    }
}

/// An error's message, bounded: it may quote a value of the subject's in full.
fn brief(error: &serde_json::Error) -> String {
    quote(error.to_string().as_bytes())
}

#[derive(Deserialize)]
struct Unsupported {
    #[serde(default)]
    what: Option<String>,
}

#[derive(Deserialize)]
struct Fault {
    message: String,
}

/// What hello asks: the params of the first request.
pub fn hello_params(suites: &BTreeMap<String, String>) -> Value {
    serde_json::json!({
        "protocol": PROTOCOL,
        "proofmark": env!("CARGO_PKG_VERSION"),
        "suites": suites,
    })
}

/// Who the subject says that it is. All of it is the subject's word: data, to be escaped wherever
/// it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Implementation {
    /// The implementation's name.
    pub name: String,
    /// The implementation's version.
    pub version: String,
    /// The language that it is written in.
    pub language: String,
    /// Where it is published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// The answer to hello.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// The protocol's version that the adapter speaks.
    pub protocol: u64,
    /// Who the subject is.
    pub implementation: Implementation,
    /// The roles that it claims, as `jcs/canonicalizer`.
    pub roles: Vec<String>,
    /// How many requests it takes at once; 1 where it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_flight: Option<u64>,
}

/// Why a hello can't be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HelloError {
    /// The reply is not the output of hello.
    Shape(String),
    /// The adapter speaks another version of the protocol.
    Protocol(u64),
    /// The reply was no `ok`.
    NotOk(String),
}

impl fmt::Display for HelloError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HelloError::Shape(what) => write!(f, "its hello is of another shape: {what}"),
            HelloError::Protocol(version) => {
                write!(f, "it speaks protocol {version}, and this Proofmark protocol {PROTOCOL}")
            }
            HelloError::NotOk(reply) => write!(f, "it answered hello with {reply}"),
        }
    }
}

impl std::error::Error for HelloError {}

/// Reads the reply to hello.
///
/// # Errors
/// Where it is no `ok`, of another shape, or of another protocol version.
pub fn read_hello(reply: &Reply) -> Result<Hello, HelloError> {
    let Reply::Ok(value) = reply else {
        return Err(HelloError::NotOk(quote(reply.to_value().to_string().as_bytes())));
    };
    // The version first: a later protocol may have another shape, and that is the better message.
    match value.get("protocol").and_then(Value::as_u64) {
        Some(version) if version != PROTOCOL => return Err(HelloError::Protocol(version)),
        _ => {}
    }
    let mut hello = Hello::deserialize(value).map_err(|error| HelloError::Shape(brief(&error)))?;
    if hello.in_flight == Some(0) {
        return Err(HelloError::Shape("`in_flight` is 0".to_owned()));
    }
    if hello.roles.len() > MAX_ROLES {
        return Err(HelloError::Shape(format!("it claims more than {MAX_ROLES} roles")));
    }
    let Implementation { name, version, language, url } = &mut hello.implementation;
    [name, version, language].into_iter().chain(url).chain(&mut hello.roles).for_each(clip);
    Ok(hello)
}

/// A hello claims no more roles than this.
const MAX_ROLES: usize = 1000;

/// A name in hello is kept up to so many characters: it is shown in every report.
const MAX_NAME: usize = 200;

fn clip(name: &mut String) {
    if let Some((end, _)) = name.char_indices().nth(MAX_NAME) {
        name.truncate(end);
        name.push('…');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn breach_of(line: &str) -> String {
        match read_reply(line.as_bytes()) {
            Err(breach) => format!("{:?} {}", breach.id, breach.what),
            Ok(reply) => panic!("{line} was taken as {reply:?}"),
        }
    }

    #[test]
    fn what_is_a_reply() {
        let cases = [
            (r#"{"id":1,"ok":null}"#, Reply::Ok(Value::Null)),
            (r#"{"ok":{"a":1},"id":1,"later":true}"#, Reply::Ok(json!({"a": 1}))),
            (r#"{"id":1,"refused":{}}"#, Reply::Refused(Refusal::default())),
            (r#"{"id":1,"unsupported":{"what":"x"}}"#, Reply::Unsupported(Some("x".into()))),
            (r#"{"id":1,"fault":{"message":"m"}}"#, Reply::Fault("m".into())),
        ];
        for (line, reply) in cases {
            assert_eq!(read_reply(line.as_bytes()), Ok((Some(1), reply)), "{line}");
        }
    }

    #[test]
    fn what_is_no_reply_and_is_its_request_known() {
        assert!(breach_of(r#"{"id":1}"#).starts_with("Some(1) a reply with no result"));
        assert!(
            breach_of(r#"{"id":1,"ok":1,"refused":{}}"#).starts_with("Some(1) a reply with both")
        );
        assert!(breach_of(r#"{"id":1,"ok":1,"ok":2}"#).contains("duplicate field"));
        assert!(breach_of(r#"{"id":1,"fault":{}}"#).starts_with("Some(1)"));
        assert!(breach_of(r#"{"id":1,"refused":true}"#).starts_with("Some(1)"));
        assert!(breach_of(r#"{"id":"1","ok":1}"#).starts_with("None"));
        assert!(breach_of(r#"{"id":null,"ok":1}"#).starts_with("None"));
        assert!(breach_of(r#"{"id":1,"ok":NaN}"#).starts_with("None"));
        assert!(breach_of("[]").starts_with("None"));
        assert!(breach_of("").starts_with("None"));
    }
}
