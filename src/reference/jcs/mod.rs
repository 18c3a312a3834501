//! Canonical JSON by the JSON Canonicalization Scheme (RFC 8785), SHA-256 digests and detached Ed25519 signatures over it.
//!
//! ```
//! use proofmark::reference::jcs;
//!
//! let canonical = jcs::canonicalise(br#"{ "b": 1e2, "a": "\u0041" }"#)?;
//! assert_eq!(canonical, br#"{"a":"A","b":100}"#);
//! # Ok::<(), jcs::JcsError>(())
//! ```
//!
//! # What is refused
//!
//! RFC 8785 section 3.1 takes its input to be I-JSON (RFC 7493). So, beside what is not JSON (RFC 8259) or not UTF-8:
//! lone surrogates, duplicate names (compared after unescaping, at any depth), and numbers that overflow a double.
//!
//! # Where the texts leave room
//!
//! Noncharacters such as U+FFFF are kept (RFC 7493 section 2.1 would have them avoided, RFC 8785 is silent). A byte
//! order mark is refused. A number that underflows is 0, an integer that no double equals is rounded to the nearest,
//! ties to even. Signatures are verified by the profile `strict`, see [`verify`].
//!
//! # Cost
//!
//! Time and memory are linear in the input, except that sorting n names takes n log n comparisons. No input makes it
//! recurse. Nesting is bounded by [`Limits`].
//!
//! Depends on `zmij` (shortest digits of a double), `sha2`, `ed25519-dalek`, and, for the operations, on `serde_json`
//! and `base64`.

mod arrange;
mod decimal;
mod error;
mod name;
mod number;
mod operations;
mod pass;
mod signature;
mod string;

pub use error::{JcsError, JcsErrorKind};
pub use operations::{OPERATIONS, ROLES};
pub use signature::{Signed, VerifyError, digest, sign, sign_message, verify, verify_message};

/// Bounds on what is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// How many arrays and objects may be open at once. 1,000 by default; a level costs about 100 bytes of heap while
    /// it is open, and no stack.
    pub depth: usize,
}

impl Limits {
    /// The default depth.
    pub const DEPTH: usize = 1_000;

    /// The default limits with another depth.
    pub fn with_depth(depth: usize) -> Self {
        Limits { depth }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits { depth: Self::DEPTH }
    }
}

/// The canonical form of a JSON text (RFC 8785 section 3.2), within the default [`Limits`].
///
/// # Errors
///
/// See the [module's documentation](self) for what is refused.
pub fn canonicalise(input: &[u8]) -> Result<Vec<u8>, JcsError> {
    let mut out = Vec::new();
    canonicalise_into(input, &mut out)?;
    Ok(out)
}

/// Appends the canonical form of a JSON text to `out`, within the default [`Limits`]. On an error `out` is as before.
///
/// # Errors
///
/// As [`canonicalise`].
pub fn canonicalise_into(input: &[u8], out: &mut Vec<u8>) -> Result<(), JcsError> {
    canonicalise_with(input, &Limits::default(), out)
}

/// As [`canonicalise_into`], within limits of the caller's.
///
/// # Errors
///
/// As [`canonicalise`].
pub fn canonicalise_with(input: &[u8], limits: &Limits, out: &mut Vec<u8>) -> Result<(), JcsError> {
    pass::canonicalise(input, limits, out)
}
