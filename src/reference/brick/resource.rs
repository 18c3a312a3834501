//! Referenced resources: digests of them, and URIs that lead out of the manifest's folder.
//!
//! Depends on `sha2`.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::percent::decode;

/// What is known of the resources that a manifest refers to: by the URI as the manifest spells it, the bytes, or
/// `None` where the resource is known to be missing. One that is not here is not at hand, and nothing is said of it.
pub type Resources = BTreeMap<String, Option<Vec<u8>>>;

/// Whether a string is a SHA-256 digest in hexadecimal, in either case.
pub(super) fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether `declared`, a digest in hexadecimal, is that of the bytes.
pub(super) fn matches(declared: &str, bytes: &[u8]) -> bool {
    let digest = Sha256::digest(bytes);
    let spelled: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    spelled.eq_ignore_ascii_case(declared)
}

/// Whether a URI leads out of the folder that the manifest is in: by `..`, an absolute path, a backslash, a drive or
/// `file:`, also percent-encoded (once, as RFC 3986 section 2.4 has it). `skills/../AGENTS.md` does not. A URI of
/// another scheme is no path at all.
pub(super) fn escapes(uri: &str) -> bool {
    let uri = uri.trim();
    let path = uri.split(['?', '#']).next().unwrap_or_default();
    if let Some((scheme, _)) = path.split_once(':')
        && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    {
        return scheme.len() == 1 || scheme.eq_ignore_ascii_case("file");
    }
    let path = decode(path);
    if path.starts_with('/') || path.contains('\\') {
        return true;
    }
    let mut depth = 0_usize;
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." if depth == 0 => return true,
            ".." => depth -= 1,
            _ => depth += 1,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_uris_lead_out_of_the_folder() {
        for out in [
            "../AGENTS.md",
            "./../x",
            "a/../../x",
            "%2e%2e/x",
            "a/%2E./%2e%2E/x",
            "..%2fx",
            "..\\x",
            "a%5cx",
            "/etc/passwd",
            "%2fetc/passwd",
            "//host/x",
            "file:x",
            "FILE:///x",
            "C:/x",
            "c:\\x",
            "..?q",
            "..#f",
            " ../x",
        ] {
            assert!(escapes(out), "{out}");
        }
        for inside in [
            "./AGENTS.md",
            "AGENTS.md",
            "a/../b",
            "a/b/../../c",
            "..a/x",
            ".../x",
            "a?x=../..",
            "%252e%252e/x",
            "https://example.org/../x",
            "urn:example:skill",
            "",
        ] {
            assert!(!escapes(inside), "{inside}");
        }
    }

    #[test]
    fn does_a_digest_match_in_either_case() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert!(is_digest(empty) && matches(empty, b"") && matches(&empty.to_uppercase(), b""));
        assert!(!matches(empty, b"x"));
        assert!(!is_digest(&empty[1..]) && !is_digest(&empty.replace('e', "g")));
    }
}
