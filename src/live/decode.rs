//! Where a string may hide in a request: plain, percent-encoded, in JSON escapes, in base64.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::Value;

use super::record::{Request, clip};

/// The header value's text, where it is a plain one or in MCP's base64 form (`=?base64?…?=`).
pub(super) fn header_text(value: &str) -> Option<String> {
    match value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) {
        Some(encoded) => String::from_utf8(STANDARD.decode(encoded).ok()?).ok(),
        None => Some(value.to_owned()),
    }
}

/// Where `needle` is in what was received, for people; `None` where it is nowhere.
pub(super) fn place(request: &Request, needle: &str) -> Option<String> {
    if spelled(&request.target, needle) {
        return Some("its target".to_owned());
    }
    let mut headers = request.headers.iter();
    if let Some((name, _)) =
        headers.find(|(name, value)| spelled(name, needle) || spelled(value, needle))
    {
        return Some(format!("its header `{}`", clip(name)));
    }
    let body = String::from_utf8_lossy(&request.body);
    let in_body = spelled(&body, needle)
        || request.message.as_ref().is_some_and(|message| in_json(message, needle));
    in_body.then(|| "its body".to_owned())
}

/// Whether a text holds it, as it stands or encoded, in whatever case.
pub(super) fn spelled(text: &str, needle: &str) -> bool {
    let within = |text: &str| {
        text.contains(needle) || text.to_ascii_lowercase().contains(&needle.to_ascii_lowercase())
    };
    if within(text) || within(&percent_decoded(text)) {
        return true;
    }
    // Words that may be base64: of a header such as `Basic …`, of `=?base64?…?=`, of an argument.
    text.split(|c: char| !(c.is_ascii_alphanumeric() || "+/-_".contains(c)))
        .filter(|word| word.len() * 3 / 4 >= needle.len())
        .any(|word| {
            let url_safe = word.replace('+', "-").replace('/', "_");
            URL_SAFE_NO_PAD
                .decode(url_safe)
                .is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(needle))
        })
}

/// Member names and strings, their escapes undone. The depth is bounded by the JSON reader's.
fn in_json(value: &Value, needle: &str) -> bool {
    match value {
        Value::String(text) => spelled(text, needle),
        Value::Array(items) => items.iter().any(|item| in_json(item, needle)),
        Value::Object(members) => {
            members.iter().any(|(name, member)| spelled(name, needle) || in_json(member, needle))
        }
        _ => false,
    }
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let pair = (byte == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match pair.and_then(|pair| u8::from_str_radix(pair, 16).ok()) {
            Some(undone) => {
                decoded.push(undone);
                at += 3;
            }
            None => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_a_string_found_however_it_is_spelled() {
        let mut request = Request::default();
        assert_eq!(place(&request, "s3cret-token"), None);
        for target in ["/mcp?k=s3cret-token", "/mcp?k=%733cret%2dtoken", "/mcp?k=czNjcmV0LXRva2Vu"]
        {
            request.target = target.to_owned();
            assert!(place(&request, "s3cret-token").is_some(), "{target}");
        }
        request.target = "/mcp".to_owned();
        request.headers =
            vec![("authorization".to_owned(), "Basic dTpzM2NyZXQtdG9rZW4=".to_owned())];
        assert!(place(&request, "s3cret-token").is_some());
        request.headers.clear();
        request.body = br#"{"a":["\u00733cret-token"]}"#.to_vec();
        request.message = serde_json::from_slice(&request.body).ok();
        assert!(place(&request, "s3cret-token").is_some());
        assert_eq!(place(&request, "s3cret-tokens"), None);
    }
}
