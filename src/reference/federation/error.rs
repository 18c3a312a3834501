//! The profile's errors: one enum of codes in the profile's spelling, and with a code the path to what was turned down.
//!
//! A path is made of the profile's own names and of indices, never of values or names found in the input.
//!
//! Depends on the names of the ceilings in `bounds`.

use std::fmt;

use super::bounds::Ceiling;

/// Why the profile turns something down. [`Code::name`] is the spelling that goes over the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Code {
    /// `audience_mismatch`: a pinned issuer, subject or audience is another.
    AudienceMismatch,
    /// `base64url_invalid`: a foreign character, an impossible length, or spare bits that are not zero.
    Base64urlInvalid,
    /// `base64url_padded`: an equals sign.
    Base64urlPadded,
    /// `ceiling:<key>`: more than a ceiling admits, or a ceiling that cannot be set so.
    Ceiling(Ceiling),
    /// `digest_algorithm_unsupported`: the tag is not `sha-256`.
    DigestAlgorithmUnsupported,
    /// `digest_encoding_invalid`: no tag, or a body that is not 32 bytes in strict base64url.
    DigestEncodingInvalid,
    /// `digest_mismatch`: a declared digest is not the one that was computed.
    DigestMismatch,
    /// `duplicate_member`: an object names a member twice.
    DuplicateMember,
    /// `federation_mapping_conflict`: a member's home on a transport and its value disagree.
    FederationMappingConflict,
    /// `federation_state_unmappable`: the state has no counterpart on the other side.
    FederationStateUnmappable,
    /// `federation_terminal_conflict`: two terminal receipts for one task differ.
    FederationTerminalConflict,
    /// `forbidden_portable_value`: a value has the shape of a secret or of an address.
    ForbiddenPortableValue,
    /// `integer_magnitude`: an integer beyond 2^53 − 1 in an envelope made by hand.
    IntegerMagnitude,
    /// `invalid_cardinality`: too few elements, or one twice.
    InvalidCardinality,
    /// `invalid_constraint`: of the right type, and not admitted.
    InvalidConstraint,
    /// `invalid_encoding`: bytes that are not UTF-8.
    InvalidEncoding,
    /// `invalid_number`: beyond the range of a double.
    InvalidNumber,
    /// `invalid_syntax`: not JSON.
    InvalidSyntax,
    /// `invalid_type`: of another type than the profile asks for.
    InvalidType,
    /// `missing_required_field`: a member is absent that has to be there.
    MissingRequiredField,
    /// `non_canonical_bytes`: another spelling than the canonical one.
    NonCanonicalBytes,
    /// `nonportable_content`: a claim of authority.
    NonportableContent,
    /// `number_not_double_expressible`: an integer that no double spells.
    NumberNotDoubleExpressible,
    /// `signature_algorithm_unsupported`: another algorithm, or no usable key under the key id.
    SignatureAlgorithmUnsupported,
    /// `signature_key_unsupported`: no key was given under the key id.
    SignatureKeyUnsupported,
    /// `signature_malformed`: the signature entry is not one.
    SignatureMalformed,
    /// `signature_not_verified`: no usable key verifies the signature.
    SignatureNotVerified,
    /// `trailing_bytes`: something follows the document's value.
    TrailingBytes,
    /// `unknown_bound`: there is no ceiling of that name.
    UnknownBound,
    /// `unknown_member`: an object has a member that the profile does not know.
    UnknownMember,
}

impl Code {
    /// The code as the profile spells it.
    pub fn name(self) -> &'static str {
        match self {
            Code::AudienceMismatch => "audience_mismatch",
            Code::Base64urlInvalid => "base64url_invalid",
            Code::Base64urlPadded => "base64url_padded",
            Code::Ceiling(ceiling) => ceiling.code(),
            Code::DigestAlgorithmUnsupported => "digest_algorithm_unsupported",
            Code::DigestEncodingInvalid => "digest_encoding_invalid",
            Code::DigestMismatch => "digest_mismatch",
            Code::DuplicateMember => "duplicate_member",
            Code::FederationMappingConflict => "federation_mapping_conflict",
            Code::FederationStateUnmappable => "federation_state_unmappable",
            Code::FederationTerminalConflict => "federation_terminal_conflict",
            Code::ForbiddenPortableValue => "forbidden_portable_value",
            Code::IntegerMagnitude => "integer_magnitude",
            Code::InvalidCardinality => "invalid_cardinality",
            Code::InvalidConstraint => "invalid_constraint",
            Code::InvalidEncoding => "invalid_encoding",
            Code::InvalidNumber => "invalid_number",
            Code::InvalidSyntax => "invalid_syntax",
            Code::InvalidType => "invalid_type",
            Code::MissingRequiredField => "missing_required_field",
            Code::NonCanonicalBytes => "non_canonical_bytes",
            Code::NonportableContent => "nonportable_content",
            Code::NumberNotDoubleExpressible => "number_not_double_expressible",
            Code::SignatureAlgorithmUnsupported => "signature_algorithm_unsupported",
            Code::SignatureKeyUnsupported => "signature_key_unsupported",
            Code::SignatureMalformed => "signature_malformed",
            Code::SignatureNotVerified => "signature_not_verified",
            Code::TrailingBytes => "trailing_bytes",
            Code::UnknownBound => "unknown_bound",
            Code::UnknownMember => "unknown_member",
        }
    }

    /// The code at a path of names.
    pub(super) fn at(self, path: &[&'static str]) -> FederationError {
        FederationError { code: self, path: path.iter().map(|name| Step::Name(name)).collect() }
    }
}

/// One step of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// Into the member of this name.
    Name(&'static str),
    /// Into the element of this index, from 0.
    Index(usize),
}

/// A refusal by the profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FederationError {
    /// Why.
    pub code: Code,
    /// Where; empty where the profile names no place, as for the shape of an envelope.
    pub path: Vec<Step>,
}

impl FederationError {
    /// The path as a JSON Pointer (RFC 6901); the empty one points to the whole document.
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.path {
            pointer.push('/');
            match step {
                Step::Name(name) => pointer.push_str(&name.replace('~', "~0").replace('/', "~1")),
                Step::Index(index) => pointer.push_str(&index.to_string()),
            }
        }
        pointer
    }
}

impl From<Code> for FederationError {
    fn from(code: Code) -> Self {
        FederationError { code, path: Vec::new() }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for FederationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.is_empty() {
            true => write!(f, "refused as {}", self.code),
            false => write!(f, "refused as {} at {}", self.code, self.pointer()),
        }
    }
}

impl std::error::Error for FederationError {}
