//! Ids: new ones, and whether one may name a file; delegatees and versions.
//!
//! Depends on `getrandom`.

use super::error::{BriefError, Fault};

/// A new id for a brief: `brief-` and 32 hexadecimal digits, 128 random bits.
pub(super) fn new_brief_id() -> Result<String, BriefError> {
    Ok(format!("brief-{:032x}", random()?))
}

/// A new id for an A2A message: a UUID of version 4 (RFC 9562 section 5.4).
pub(super) fn new_message_id() -> Result<String, BriefError> {
    const VERSION: u128 = 0x4 << 76;
    const VARIANT: u128 = 0b10 << 62;
    let bits = random()? & !(0xF << 76) & !(0b11 << 62) | VERSION | VARIANT;
    let digits = format!("{bits:032x}");
    let groups = [(0, 8), (8, 12), (12, 16), (16, 20), (20, 32)];
    let groups = groups.map(|(from, to)| digits.get(from..to).unwrap_or_default());
    Ok(groups.join("-"))
}

fn random() -> Result<u128, BriefError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|_| Fault::NoRandomness)?;
    Ok(u128::from_be_bytes(bytes))
}

/// The file name of a document; `None` where the id is no safe part of a path.
///
/// Safe are 1 to 200 ASCII letters, digits, `-`, `_` and `.`, beginning with a letter or a digit, and no name that
/// Windows keeps for a device.
pub(super) fn file_name(id: &str, kind: &str) -> Option<String> {
    const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let first = id.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let numbered = |name: &str| {
        first
            .strip_prefix(name)
            .is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|digit| digit.is_ascii_digit()))
    };
    let device = DEVICES.contains(&first.as_str()) || numbered("com") || numbered("lpt");
    let safe = id.len() <= 200
        && id.starts_with(|c: char| c.is_ascii_alphanumeric())
        && id.chars().all(allowed)
        && !device;
    safe.then(|| format!("{id}.{kind}.md"))
}

/// The capability that a delegatee asks for, or `None` where it is an agent's name.
pub(super) fn capability(delegatee: &str) -> Option<&str> {
    delegatee.strip_prefix("capability:")
}

/// Refuses a delegatee that asks for a capability and names none.
pub(super) fn check_delegatee(delegatee: &str) -> Result<(), BriefError> {
    match capability(delegatee) {
        Some(name) if name.trim().is_empty() => Err(Fault::NoCapability.of("delegatee")),
        _ => Ok(()),
    }
}

/// Refuses what is no version 1 of Brief: three numbers without leading zeros and, as in Semantic Versioning, what may
/// follow `-` or `+`.
pub(super) fn check_version(text: &str) -> Result<(), BriefError> {
    let refused = |fault: Fault| Err(fault.of("protocolVersion"));
    let (core, build) = text.split_once('+').map_or((text, None), |(core, b)| (core, Some(b)));
    let (core, pre) = core.split_once('-').map_or((core, None), |(core, p)| (core, Some(p)));
    let identifier = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    let numeric = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let number = |part: &str| numeric(part) && (part == "0" || !part.starts_with('0'));
    let numbers: Vec<&str> = core.split('.').collect();
    let well_formed = numbers.iter().all(|part| number(part))
        && pre.is_none_or(|pre| {
            pre.split('.').all(|part| identifier(part) && (!numeric(part) || number(part)))
        })
        && build.is_none_or(|build| build.split('.').all(identifier));
    match numbers.as_slice() {
        _ if !well_formed => refused(Fault::NotAVersion),
        ["1", _, _] => Ok(()),
        _ => refused(Fault::UnknownVersion),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn are_no_two_ids_alike() {
        let ids: HashSet<String> = (0..10_000).filter_map(|_| new_brief_id().ok()).collect();
        assert_eq!(ids.len(), 10_000);
        assert!(ids.iter().all(|id| file_name(id, "brief").is_some()));
    }

    #[test]
    fn is_a_message_id_a_uuid_of_version_4() {
        for _ in 0..100 {
            let id = new_message_id().expect("random bytes");
            let lengths: Vec<usize> = id.split('-').map(str::len).collect();
            assert_eq!(lengths, [8, 4, 4, 4, 12]);
            assert_eq!(id.get(14..15), Some("4"));
            assert!(matches!(id.get(19..20), Some("8" | "9" | "a" | "b")), "{id}");
        }
    }

    #[test]
    fn which_ids_name_files() {
        assert_eq!(file_name("brief-a4b1c8", "brief").as_deref(), Some("brief-a4b1c8.brief.md"));
        assert_eq!(file_name("a.b_C", "response").as_deref(), Some("a.b_C.response.md"));
        assert!(file_name("con1", "brief").is_some());
        for id in [
            "",
            ".",
            "..",
            "../x",
            "a/b",
            "a\\b",
            "/etc/passwd",
            ".hidden",
            "-rf",
            "a b",
            "a\nb",
            "a\0",
            "a:b",
            "é",
            "CON",
            "nul.txt",
            "com1",
        ] {
            assert_eq!(file_name(id, "brief"), None, "{id:?}");
        }
        assert_eq!(file_name(&"a".repeat(201), "brief"), None);
    }

    #[test]
    fn which_versions_are_read() {
        for text in ["1.2.0", "1.0.0", "1.3.7", "1.10.20", "1.3.0-rc.1", "1.2.0+build.05"] {
            assert!(check_version(text).is_ok(), "{text}");
        }
        for text in ["1.2", "1", "2.0.0", "0.9.0", "1.2.0.0", "10.2.0"] {
            let fault = check_version(text).unwrap_err().fault;
            assert_eq!(fault, Fault::UnknownVersion, "{text}");
        }
        for text in
            ["one", "", "1.2.0junk", "v1.2.0", "1.2.0 ", "1.02.0", "1..0", "1.2.0-", "1.2.0-01"]
        {
            let fault = check_version(text).unwrap_err().fault;
            assert_eq!(fault, Fault::NotAVersion, "{text}");
        }
    }

    #[test]
    fn does_a_capability_have_a_name() {
        assert!(check_delegatee("capability:x").is_ok());
        assert!(check_delegatee("agent").is_ok());
        assert!(check_delegatee("Capability:").is_ok());
        assert!(check_delegatee("capability:").is_err());
        assert!(check_delegatee("capability: ").is_err());
        assert_eq!(capability("capability:a:b"), Some("a:b"));
    }
}
