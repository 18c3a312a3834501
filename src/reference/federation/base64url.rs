//! base64url (RFC 4648 section 5) without padding, read strictly: every byte string has one spelling.
//!
//! Depends on `base64` and `error`.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::error::Code;

/// The bytes that a text spells. An equals sign anywhere is reported first.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, Code> {
    if text.contains('=') {
        return Err(Code::Base64urlPadded);
    }
    URL_SAFE_NO_PAD.decode(text).map_err(|_| Code::Base64urlInvalid)
}

/// The spelling of bytes.
pub(super) fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
