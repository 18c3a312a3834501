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

/// The SHA-256 digest of the bytes in lower-case hexadecimal.
pub(super) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether a URI leads out of the folder that the manifest is in: by `..`, an absolute path, a backslash, a drive or
/// `file:`, also percent-encoded (once, as RFC 3986 section 2.4 has it). `skills/../AGENTS.md` does not. A URI of
/// another scheme is no path at all; what a colon makes a scheme only once it is decoded, is a path.
pub(super) fn escapes(uri: &str) -> bool {
    let uri = uri.trim();
    let path = uri.split(['?', '#']).next().unwrap_or_default();
    let is_local = |scheme: &str| scheme.len() == 1 || scheme.eq_ignore_ascii_case("file");
    if let Some(scheme) = scheme(path) {
        return is_local(scheme);
    }
    let path = decode(path);
    if scheme(&path).is_some_and(is_local) || path.starts_with('/') || path.contains('\\') {
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

/// What stands before the first colon, if it has a scheme's form (RFC 3986 section 3.1).
fn scheme(path: &str) -> Option<&str> {
    let (scheme, _) = path.split_once(':')?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    let starts = scheme.starts_with(|first: char| first.is_ascii_alphabetic());
    (starts && scheme.bytes().all(plain)).then_some(scheme)
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
            "C%3A/x",
            "%43:/x",
            "%66ile:/x",
            "file%3a///x",
            "ab%3A/../../x",
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
            "ab%3A/x",
            "a/C%3A/x",
            "https://example.org/../x",
            "urn:example:skill",
            "",
        ] {
            assert!(!escapes(inside), "{inside}");
        }
    }

    #[test]
    fn what_a_digest_is() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert!(is_digest(empty) && is_digest(&empty.to_uppercase()));
        assert_eq!(digest(b""), empty);
        assert!(!is_digest(&empty[1..]) && !is_digest(&empty.replace('e', "g")));
    }
}
