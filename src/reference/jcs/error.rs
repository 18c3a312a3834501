//! Why a text has no canonical form: the kind of fault, its place, and how it reads.
//!
//! Depends on nothing.

use std::fmt;

/// Why an input was refused, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JcsError {
    /// Offset of the byte at which the fault was seen; the input's length where it ended too early.
    pub offset: usize,
    /// What is wrong.
    pub kind: JcsErrorKind,
    /// JSON Pointer (RFC 6901) to the value or member being read at that offset; empty for the document itself.
    pub path: String,
}

/// What can be wrong with an input.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum JcsErrorKind {
    /// The text is not JSON (RFC 8259); says what had to stand at the offset.
    Syntax(&'static str),
    /// The bytes are not UTF-8 (RFC 8259 section 8.1, RFC 7493 section 2.1).
    InvalidUtf8,
    /// A `\u` escape names a surrogate that is not one half of a pair in the right order (RFC 8785 section 3.2.2.2,
    /// RFC 7493 section 2.1).
    LoneSurrogate,
    /// An object has two members of the same name, compared after unescaping (RFC 7493 section 2.3). The offset is
    /// that of the later one.
    DuplicateName(String),
    /// The number lies beyond the range of an IEEE 754 double (RFC 8785 section 3.2.2.3, RFC 7493 section 2.2).
    NumberOverflow,
    /// More arrays and objects are open at once than the limit given here admits.
    DepthExceeded(usize),
    /// Something other than white space follows the document's one value.
    TrailingData,
    /// The text begins with a byte order mark (RFC 8259 section 8.1 lets a reader refuse or ignore it; this one refuses).
    ByteOrderMark,
    /// The input ends inside a value, or holds none.
    UnexpectedEnd,
}

impl JcsErrorKind {
    /// A short stable name for the kind, such as `duplicate-name`.
    pub fn code(&self) -> &'static str {
        match self {
            JcsErrorKind::Syntax(_) => "syntax",
            JcsErrorKind::InvalidUtf8 => "invalid-utf8",
            JcsErrorKind::LoneSurrogate => "lone-surrogate",
            JcsErrorKind::DuplicateName(_) => "duplicate-name",
            JcsErrorKind::NumberOverflow => "number-overflow",
            JcsErrorKind::DepthExceeded(_) => "depth-exceeded",
            JcsErrorKind::TrailingData => "trailing-data",
            JcsErrorKind::ByteOrderMark => "byte-order-mark",
            JcsErrorKind::UnexpectedEnd => "unexpected-end",
        }
    }
}

/// How many characters of a duplicate name a message shows.
const NAME_SHOWN: usize = 64;

impl fmt::Display for JcsErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JcsErrorKind::Syntax(expected) => write!(f, "expected {expected}"),
            JcsErrorKind::InvalidUtf8 => f.write_str("invalid UTF-8"),
            JcsErrorKind::LoneSurrogate => f.write_str("lone surrogate escape"),
            JcsErrorKind::DuplicateName(name) => match name.char_indices().nth(NAME_SHOWN) {
                Some((cut, _)) => write!(f, "duplicate name {:?}…", &name[..cut]),
                None => write!(f, "duplicate name {name:?}"),
            },
            JcsErrorKind::NumberOverflow => f.write_str("number too large for a double"),
            JcsErrorKind::DepthExceeded(limit) => write!(f, "nesting deeper than {limit} levels"),
            JcsErrorKind::TrailingData => f.write_str("data after the end of the document"),
            JcsErrorKind::ByteOrderMark => f.write_str("byte order mark"),
            JcsErrorKind::UnexpectedEnd => f.write_str("unexpected end of input"),
        }
    }
}

impl fmt::Display for JcsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind, self.offset)
    }
}

impl std::error::Error for JcsError {}
