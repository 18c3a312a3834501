//! What the first-party SDKs do before they canonicalise: take out everything that is empty, at any depth.
//!
//! Depends on `text`.

use super::text;

/// An open array or object.
struct Open {
    /// Where the output ended before it, its name and its comma.
    before: usize,
    /// Where the output ended after its opening bracket.
    body: usize,
}

/// The text without null, empty strings, empty arrays and empty objects, and without what becomes empty by that.
/// Nothing at all remains of a text that is empty throughout.
pub(super) fn strip(canonical: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(canonical.len());
    let mut open: Vec<Open> = Vec::new();
    // Where the output ended before the value that comes next, its name and its comma.
    let mut before = None;
    let mut rest = canonical;
    while let Some(&byte) = rest.first() {
        let start = before.unwrap_or(out.len());
        let comma = |out: &mut Vec<u8>| {
            if before.is_none() && open.last().is_some_and(|open| out.len() > open.body) {
                out.push(b',');
            }
        };
        let len = match byte {
            b',' => 1,
            b'{' | b'[' => {
                comma(&mut out);
                out.push(byte);
                open.push(Open { before: start, body: out.len() });
                before = None;
                1
            }
            b'}' | b']' => {
                if let Some(open) = open.pop() {
                    if out.len() == open.body {
                        out.truncate(open.before);
                    } else {
                        out.push(byte);
                    }
                }
                1
            }
            _ => {
                let len = token_len(rest);
                let (token, behind) = rest.split_at_checked(len).unwrap_or((rest, &[]));
                comma(&mut out);
                if behind.first() == Some(&b':') {
                    out.extend_from_slice(token);
                    out.push(b':');
                    before = Some(start);
                    len + 1
                } else {
                    if matches!(token, b"null" | b"\"\"") {
                        out.truncate(start);
                    } else {
                        out.extend_from_slice(token);
                    }
                    before = None;
                    len
                }
            }
        };
        rest = rest.get(len..).unwrap_or_default();
    }
    out
}

/// The length of the string, number or literal at the beginning; at least 1.
fn token_len(text: &[u8]) -> usize {
    let end = || text.iter().position(|byte| matches!(byte, b',' | b':' | b'}' | b']'));
    text::string_len(text).or_else(end).unwrap_or(text.len()).max(1)
}
