//! Why a card, a key or a signature was turned down.
//!
//! Depends on the errors of `jcs`.

use std::fmt;

use crate::reference::jcs::JcsError;

/// Why a card was turned down.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CardError {
    /// The text is not JSON, or has no canonical form (RFC 8785).
    Document(JcsError),
    /// The text is no JSON object.
    NotAnObject,
    /// `signatures` is neither an array nor null.
    Signatures,
    /// Under the profile `sdk`: a value is not of its field's type.
    Type {
        /// JSON Pointer (RFC 6901) to the value.
        at: String,
        /// What the field takes.
        expected: &'static str,
    },
    /// Under the profile `sdk`: two members of a oneof are set.
    Oneof {
        /// JSON Pointer (RFC 6901) to the second of them.
        at: String,
        /// The oneof's name.
        oneof: &'static str,
    },
}

impl CardError {
    pub(super) fn of_type(expected: &'static str) -> Self {
        CardError::Type { at: String::new(), expected }
    }

    pub(super) fn oneof(oneof: &'static str) -> Self {
        CardError::Oneof { at: String::new(), oneof }
    }

    /// The same, seen from one level further out: the value stands under `name`, spelled as in canonical JSON.
    pub(super) fn within(mut self, name: &[u8]) -> Self {
        if let CardError::Type { at, .. } | CardError::Oneof { at, .. } = &mut self {
            let quoted = [b"\"", name, b"\""].concat();
            let name = serde_json::from_slice::<String>(&quoted)
                .unwrap_or_else(|_| String::from_utf8_lossy(name).into_owned());
            at.insert_str(0, &format!("/{}", name.replace('~', "~0").replace('/', "~1")));
        }
        self
    }
}

impl From<JcsError> for CardError {
    fn from(error: JcsError) -> Self {
        CardError::Document(error)
    }
}

impl fmt::Display for CardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CardError::Document(error) => write!(f, "the card has no canonical form: {error}"),
            CardError::NotAnObject => f.write_str("the card is no JSON object"),
            CardError::Signatures => f.write_str("`signatures` is no array"),
            CardError::Type { at, expected } => write!(f, "{at} is not {expected}"),
            CardError::Oneof { at, oneof } => {
                write!(f, "{at}: a second member of the oneof `{oneof}` is set")
            }
        }
    }
}

impl std::error::Error for CardError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            CardError::Document(error) => Some(error),
            _ => None,
        }
    }
}

/// Why a JSON Web Key (RFC 7517) was turned down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// It is no JSON object.
    NotAnObject,
    /// The member is absent, or not what RFC 7517, RFC 7518 section 6.2 or RFC 8037 section 2 asks for.
    Member(&'static str),
    /// It is of another kind than `OKP` with `Ed25519` and `EC` with `P-256`.
    Unsupported,
    /// Its `alg`, `use` or `key_ops` keep it from this purpose.
    Purpose(&'static str),
    /// The public coordinates are those of no point of the curve.
    NotAPoint,
    /// The public part is not that of the private part.
    Inconsistent,
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyError::NotAnObject => f.write_str("the key is no JSON object"),
            KeyError::Member(name) => {
                write!(f, "the key's `{name}` is missing or ill-formed")
            }
            KeyError::Unsupported => f.write_str("the key is neither Ed25519 nor P-256"),
            KeyError::Purpose(name) => {
                write!(f, "the key's `{name}` keeps it from this purpose")
            }
            KeyError::NotAPoint => f.write_str("the key is no point of the curve"),
            KeyError::Inconsistent => {
                f.write_str("the key's public part is not that of its private part")
            }
        }
    }
}

impl std::error::Error for KeyError {}

/// Why one signature of a card is not verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignatureFault {
    /// It is no object with the strings `protected` and `signature`, or its `header` is no object.
    NotASignature,
    /// The named member is not strict base64url without padding (RFC 7515 section 2).
    Base64(&'static str),
    /// The protected header is no JSON object, or a name stands in it twice (RFC 7515 section 4).
    Protected,
    /// The protected header has no such string.
    Missing(&'static str),
    /// A name stands in the protected and in the unprotected header (RFC 7515 section 7.2.1).
    NotDisjoint,
    /// The unprotected header has a member that only the protected one can have (RFC 7515 section 4.1.11, RFC 7797
    /// section 3).
    Unprotected(&'static str),
    /// There is a `crit`: no extension is understood here (RFC 7515 section 4.1.11).
    Critical,
    /// `b64` is not true: A2A section 8.4.2 signs the encoded payload (RFC 7797).
    Unencoded,
    /// The algorithm is neither `EdDSA` nor `ES256`; `none` is among these.
    Algorithm,
    /// None of the caller's keys has that `kid`.
    UnknownKey,
    /// Keys with that `kid` were given, but none is of the algorithm's kind.
    OtherKey,
    /// The signature is not that of the key over the card.
    Mismatch,
}

impl fmt::Display for SignatureFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SignatureFault::NotASignature => {
                f.write_str("it is no object with `protected`, `signature` and perhaps `header`")
            }
            SignatureFault::Base64(name) => {
                write!(f, "`{name}` is not base64url without padding")
            }
            SignatureFault::Protected => {
                f.write_str("the protected header is no JSON object with distinct names")
            }
            SignatureFault::Missing(name) => write!(f, "the protected header lacks `{name}`"),
            SignatureFault::NotDisjoint => f.write_str("the two headers share a name"),
            SignatureFault::Unprotected(name) => {
                write!(f, "`{name}` stands outside the protected header")
            }
            SignatureFault::Critical => f.write_str("no extension named in `crit` is understood"),
            SignatureFault::Unencoded => f.write_str("the payload is not signed in base64url"),
            SignatureFault::Algorithm => f.write_str("the algorithm is neither EdDSA nor ES256"),
            SignatureFault::UnknownKey => f.write_str("no key of that `kid` was given"),
            SignatureFault::OtherKey => f.write_str("the key is not of the algorithm's kind"),
            SignatureFault::Mismatch => f.write_str("the signature does not verify"),
        }
    }
}

impl std::error::Error for SignatureFault {}
