//! Percent-encoding (RFC 3986 section 2.1), undone.
//!
//! Depends on nothing.

use std::borrow::Cow;

/// The text with each percent-encoded byte put in its place, once. What is no percent-encoding stays; bytes that make no
/// UTF-8 become U+FFFD.
pub(super) fn decode(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        match (first, behind) {
            (b'%', [high, low, after @ ..])
                if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() =>
            {
                let digit = |byte: u8| char::from(byte).to_digit(16).unwrap_or_default();
                bytes.push(u8::try_from(digit(*high) << 4 | digit(*low)).unwrap_or_default());
                rest = after;
            }
            _ => {
                bytes.push(first);
                rest = behind;
            }
        }
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}
