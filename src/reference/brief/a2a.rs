//! Briefs over A2A v1.0: a document as the text of a message's first part, the trace in the next one, and back; and
//! finding the agents that a brief can go to by their cards.
//!
//! A message is the ProtoJSON of a `SendMessageRequest` with one `message` that has a new `messageId`, a `role` and
//! `parts`; each part has a `filename` where the document's id is safe as one, and a `mediaType`. Members that are not
//! named here are ignored when a message is read, as A2A (section 5.7) has it.
//!
//! Depends on `document`, `response`, `trace`, `json` and `serde_json`.

use serde_json::{Value, json};

use super::document::Brief;
use super::error::{BriefError, Fault};
use super::identity::{capability, check_delegatee, new_message_id};
use super::json;
use super::response::Response;
use super::trace::Trace;

/// What a card says where its agent understands this version of Brief.
pub const SUPPORT: &str = "brief-protocol-v1.2";

const TRACE_FILE: &str = "trace.md";

/// What a message carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Carried {
    /// The document: a brief or a response. It is not judged here.
    pub document: String,
    /// The trace, where one came along.
    pub trace: Option<String>,
}

/// The document of a message, as it is sent.
#[derive(Debug, Clone, Copy)]
pub enum Outgoing<'a> {
    /// A brief, with role `ROLE_USER`.
    Brief(&'a Brief),
    /// A response, with role `ROLE_AGENT`.
    Response(&'a Response),
}

/// A `SendMessageRequest` that carries the document, and the trace where there is one.
///
/// # Errors
///
/// [`Fault::NoRandomness`].
pub fn to_a2a(document: Outgoing<'_>, trace: Option<&Trace>) -> Result<Value, BriefError> {
    let (role, content, file_name) = match document {
        Outgoing::Brief(brief) => ("ROLE_USER", brief.content(), brief.file_name()),
        Outgoing::Response(response) => ("ROLE_AGENT", response.content(), response.file_name()),
    };
    let mut parts = vec![part(content, file_name.as_deref())];
    parts.extend(trace.map(|trace| part(trace.content(), Some(TRACE_FILE))));
    Ok(json!({ "message": { "messageId": new_message_id()?, "role": role, "parts": parts } }))
}

fn part(text: &str, file_name: Option<&str>) -> Value {
    let mut part = json!({ "text": text, "mediaType": "text/markdown" });
    if let (Some(name), Some(part)) = (file_name, part.as_object_mut()) {
        part.insert("filename".to_owned(), name.into());
    }
    part
}

/// What a `SendMessageRequest` carries. The second part is the trace if it is a text, whatever its file name: what goes
/// along is not dropped unsaid, and whoever reads it as a trace finds out what it is.
///
/// # Errors
///
/// [`Fault::NotARequest`]: no JSON, or a name twice; no message; no `messageId`; no role of A2A v1.0; no part; a part
/// without exactly one of `text`, `raw`, `url` and `data`; a first part that is no text.
pub fn from_a2a(request: &[u8]) -> Result<Carried, BriefError> {
    let not = |reason: &str| BriefError::from(Fault::NotARequest(reason.to_owned()));
    let request = json::read(request).map_err(Fault::NotARequest)?;
    let message = request.get("message").ok_or_else(|| not("it has no `message`"))?;
    let id = message.get("messageId").and_then(Value::as_str);
    if id.is_none_or(str::is_empty) {
        return Err(not("the message has no `messageId`"));
    }
    if !message.get("role").is_some_and(is_role) {
        return Err(not("the message's role is neither ROLE_USER nor ROLE_AGENT"));
    }
    let parts = message.get("parts").and_then(Value::as_array);
    let parts = parts.ok_or_else(|| not("the message has no `parts`"))?;
    if !parts.iter().all(is_part) {
        return Err(not("a part has not exactly one of `text`, `raw`, `url` and `data`"));
    }
    let text = |part: &Value| part.get("text").and_then(Value::as_str).map(str::to_owned);
    let document = parts.first().and_then(text);
    let document = document.ok_or_else(|| not("the message's first part is no text"))?;
    let trace = parts.get(1).and_then(text);
    Ok(Carried { document, trace })
}

/// ProtoJSON has an enum's value by its name or its number.
fn is_role(role: &Value) -> bool {
    matches!(role.as_str(), Some("ROLE_USER" | "ROLE_AGENT"))
        || matches!(role.as_i64(), Some(1 | 2))
}

fn is_part(part: &Value) -> bool {
    let filled = |name: &&str| part.get(name).is_some_and(|value| !value.is_null());
    let content: Vec<&str> = ["text", "raw", "url", "data"].into_iter().filter(filled).collect();
    match content.as_slice() {
        ["data"] => true,
        [name] => part.get(name).is_some_and(Value::is_string),
        _ => false,
    }
}

/// The cards, by index, whose agents a brief for this delegatee can go to.
///
/// A card matches `capability:X` where it lists a skill whose id is `X` and says [`SUPPORT`]; and an agent's name
/// where it is the card's and the card says so. It says so as an extension (the URI, or its last part after `/`, `:`
/// or `#`) or as a tag of any skill. What is no card matches nothing: one bad entry does not close a directory.
///
/// # Errors
///
/// [`Fault::Empty`], and [`Fault::NoCapability`] for `capability:` without a name.
pub fn matching(delegatee: &str, cards: &[&[u8]]) -> Result<Vec<usize>, BriefError> {
    if delegatee.is_empty() {
        return Err(Fault::Empty.of("delegatee"));
    }
    check_delegatee(delegatee)?;
    let fits = |bytes: &[u8]| {
        json::read(bytes).is_ok_and(|card| is_meant(delegatee, &card) && says_support(&card))
    };
    Ok(cards.iter().zip(0..).filter(|(card, _)| fits(card)).map(|(_, index)| index).collect())
}

fn is_meant(delegatee: &str, card: &Value) -> bool {
    match capability(delegatee) {
        Some(capability) => items(card, "skills").any(|skill| is(skill, "id", capability)),
        None => is(card, "name", delegatee),
    }
}

fn says_support(card: &Value) -> bool {
    let named = |uri: &str| {
        uri.strip_suffix(SUPPORT)
            .is_some_and(|before| before.is_empty() || before.ends_with(['/', ':', '#']))
    };
    let mut extensions = card.get("capabilities").into_iter().flat_map(|c| items(c, "extensions"));
    let mut tags = items(card, "skills").flat_map(|skill| items(skill, "tags"));
    extensions.any(|extension| extension.get("uri").and_then(Value::as_str).is_some_and(named))
        || tags.any(|tag| tag.as_str() == Some(SUPPORT))
}

fn items<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    value.get(name).and_then(Value::as_array).into_iter().flatten()
}

fn is(value: &Value, name: &str, text: &str) -> bool {
    value.get(name).and_then(Value::as_str) == Some(text)
}

#[cfg(test)]
mod tests {
    use super::super::response::Answering;
    use super::*;

    fn request(message: &Value) -> Vec<u8> {
        json!({ "message": message }).to_string().into_bytes()
    }

    fn message(parts: &Value) -> Value {
        json!({ "messageId": "m", "role": "ROLE_USER", "parts": parts })
    }

    #[test]
    fn do_document_and_trace_come_back_to_the_byte() {
        let body = "# Briefing: \u{FEFF}\u{2028}\0 \"x\" \\ 🎉\r\n\r\n---\n";
        let brief = Brief::builder("a", "b", body).build().expect("a brief");
        let response = brief.respond(Answering::new("failure", "")).expect("a response");
        for text in ["", "- **Agent**: `a` @ `2026-02-06T03:50:00Z`\r\n- **Action**: x"] {
            let trace = Trace::parse(text.as_bytes()).expect(text);
            for (document, content, role) in [
                (Outgoing::Brief(&brief), brief.content(), "ROLE_USER"),
                (Outgoing::Response(&response), response.content(), "ROLE_AGENT"),
            ] {
                let sent = to_a2a(document, Some(&trace)).expect("a request");
                assert_eq!(sent.pointer("/message/role"), Some(&json!(role)));
                let carried = from_a2a(sent.to_string().as_bytes()).expect("a document");
                assert_eq!(carried.document, content);
                assert_eq!(carried.trace.as_deref(), Some(text));
            }
        }
        let sent = to_a2a(Outgoing::Brief(&brief), None).expect("a request");
        assert_eq!(from_a2a(sent.to_string().as_bytes()).expect("a document").trace, None);
    }

    #[test]
    fn is_what_is_no_request_refused() {
        let good = message(&json!([{ "text": "x" }]));
        assert!(from_a2a(&request(&good)).is_ok());
        for (name, value) in [
            ("messageId", json!("")),
            ("messageId", json!(1)),
            ("role", json!("user")),
            ("role", json!("ROLE_UNSPECIFIED")),
            ("role", json!(0)),
            ("parts", json!([])),
            ("parts", json!({ "text": "x" })),
            ("parts", json!([{}])),
            ("parts", json!([{ "text": "x", "url": "y" }])),
            ("parts", json!([{ "text": 1 }])),
            ("parts", json!([{ "url": "x" }])),
            ("parts", json!([{ "text": "x" }, {}])),
            ("parts", json!(["x"])),
        ] {
            let mut bad = good.clone();
            if let Some(members) = bad.as_object_mut() {
                members.insert(name.to_owned(), value.clone());
            }
            assert!(from_a2a(&request(&bad)).is_err(), "{name} {value}");
        }
        for text in ["", "{}", "[]", "{\"message\": null}", "{\"message\": 1}", "{\"a\":1,\"a\":1}"]
        {
            assert!(from_a2a(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn is_a_text_in_the_second_part_the_trace() {
        let second = |part: Value| {
            let parts = json!([{ "text": "x" }, part]);
            from_a2a(&request(&message(&parts))).expect("a document").trace
        };
        assert_eq!(second(json!({ "text": "t" })).as_deref(), Some("t"));
        for name in ["trace.md", "TRACE.md", "brief-1.trace.md", "notes.md", ""] {
            let part = json!({ "text": "t", "filename": name });
            assert_eq!(second(part).as_deref(), Some("t"), "{name}");
        }
        assert_eq!(second(json!({ "raw": "dA==" })), None);
        assert_eq!(second(json!({ "data": { "text": "t" } })), None);
    }

    #[test]
    fn which_cards_match() {
        let by_extension = json!({
            "skills": [{ "id": "x", "tags": [] }],
            "capabilities": { "extensions": [{ "uri": SUPPORT }] },
        });
        let by_uri = json!({
            "name": "agent",
            "skills": [{ "id": "y" }, { "id": "x" }],
            "capabilities": { "extensions": [{ "uri": format!("https://example.com/{SUPPORT}") }] },
        });
        let by_tag = json!({ "skills": [{ "id": "x", "tags": ["a", SUPPORT] }] });
        let no_support = json!({ "skills": [{ "id": "x", "tags": ["brief-protocol-v1.1"] }] });
        let no_skill = json!({ "skills": [{ "id": "X", "name": "x", "tags": [SUPPORT, "x"] }] });
        let near = json!({
            "skills": [{ "id": "x" }],
            "capabilities": { "extensions": [{ "uri": format!("not-{SUPPORT}") }] },
        });
        let cards = [by_extension, by_uri, by_tag, no_support, no_skill, near];
        let mut cards: Vec<Vec<u8>> =
            cards.iter().map(|card| card.to_string().into_bytes()).collect();
        cards.push(b"no card".to_vec());
        let cards: Vec<&[u8]> = cards.iter().map(Vec::as_slice).collect();
        assert_eq!(matching("capability:x", &cards), Ok(vec![0, 1, 2]));
        assert_eq!(matching("capability:y", &cards), Ok(vec![1]));
        assert_eq!(matching("agent", &cards), Ok(vec![1]));
        assert_eq!(matching("x", &cards), Ok(vec![]));
        assert!(matching("capability:", &cards).is_err());
        assert!(matching("", &cards).is_err());
    }
}
