//! Which strings look like a credential.
//!
//! A manifest may say anything in `runtime` and `extensions`, and saying it must change no card (section 10): a common
//! word in there must not make a public text private. What is no word by its looks may.
//!
//! Depends on nothing.

use super::needles::SHORT;

/// The shortest token under a name that says nothing, in bytes.
pub(super) const TOKEN: usize = 8;

/// A string of letters that is longer than this is no word.
const WORD: usize = 24;

/// How issuers of tokens begin them.
const ISSUED: [&str; 14] = [
    "aiza",
    "akia",
    "eyj",
    "ghp_",
    "gho_",
    "github_pat_",
    "glpat-",
    "hf_",
    "pk_",
    "rk_",
    "sk-",
    "sk_",
    "xoxb-",
    "xoxp-",
];

/// Whether all is letters.
pub(super) fn is_letters(text: &str) -> bool {
    text.chars().all(char::is_alphabetic)
}

/// Whether a string is a plain word: letters, all of them capitals or none behind the first.
pub(super) fn is_plain(text: &str) -> bool {
    let no_capital = !text.chars().skip(1).any(char::is_uppercase);
    is_letters(text) && (no_capital || !text.chars().any(char::is_lowercase))
}

/// Whether a string is by its looks a token, under whatever name it stands: it has a run of letters and digits that
/// change places too often for a word with a number (`9d4e`, but not `oauth2`), or begins as tokens of a known issuer
/// do and has a digit.
pub(super) fn looks_like_token(text: &str) -> bool {
    if text.len() < TOKEN {
        return false;
    }
    let is_digit = |character: char| character.is_ascii_digit();
    let lower = text.get(..16.min(text.len())).unwrap_or_default().to_ascii_lowercase();
    if ISSUED.iter().any(|start| lower.starts_with(start)) && text.contains(is_digit) {
        return true;
    }
    text.split(|character: char| !character.is_alphanumeric()).any(|run| {
        let changes = run.chars().zip(run.chars().skip(1));
        let changes = changes.filter(|&(a, b)| is_digit(a) != is_digit(b)).take(3).count();
        match changes {
            0 => run.len() >= 32,
            1 => run.len() >= 16,
            2 => run.len() >= 8,
            _ => run.len() >= 4,
        }
    })
}

/// Whether a string that stands under a name such as `password` is taken at that word: it is no plain word, and long
/// enough to be found by no accident.
pub(super) fn is_secret(text: &str) -> bool {
    let has_letter = text.contains(char::is_alphabetic);
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    match text.len() {
        WORD.. => true,
        SHORT.. => !is_plain(text) && (has_letter || is_number),
        4.. => has_letter && !is_letters(text),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_token() {
        for token in [
            "zz-canary-9d4e",
            "sk-live-4711",
            "k9f3b1c7d2e8a6",
            "AKIAIOSFODNN7EXAMPLE",
            "550e8400-e29b-41d4-a716-446655440000",
            "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        ] {
            assert!(looks_like_token(token), "{token}");
        }
        for other in [
            "oauth2",
            "subscription",
            "subscription-help",
            "gpt-4-turbo",
            "gpt-4o-mini-2024-07-18",
            "text/plain;charset=utf-8",
            "2026-11-30T10:15:00Z",
            "https://docs.example.org/v1/guide",
            "sk-learn",
            "iso-8859-1",
            "customerReferenceNumber",
        ] {
            assert!(!looks_like_token(other), "{other}");
        }
    }

    #[test]
    fn what_is_secret_by_its_name() {
        for secret in ["CANARY-77", "hunter2", "918273645", "q7#z", "sEcReT", "open-sesame"] {
            assert!(is_secret(secret), "{secret}");
        }
        for other in ["channels", "Channel", "CHANNEL", "none", "2024", "1.0.0", "2026.11.30", ""] {
            assert!(!is_secret(other), "{other}");
        }
    }
}
