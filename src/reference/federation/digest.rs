//! Tagged digests, and SHA-256 with domain separation: the separator, one zero byte, the bytes.
//!
//! Depends on `sha2`, `base64url` and `error`.

use std::fmt;

use sha2::{Digest as _, Sha256};

use super::base64url;
use super::error::Code;

/// What a digest is about; digests of different domains never coincide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Domain {
    /// The content of a blueprint.
    BlueprintContent,
    /// The content of a deployment.
    DeploymentContent,
    /// Envelopes, commitments and what they name.
    FederationEnvelope,
    /// Reserved by the profile; signing does not use it.
    Signature,
    /// The schema of an extension.
    ExtensionSchema,
    /// The registry of extensions.
    ExtensionRegistry,
    /// A report on conformance.
    ConformanceReport,
    /// The index of a corpus.
    CorpusIndex,
}

impl Domain {
    /// All of them.
    pub const ALL: [Domain; 8] = [
        Domain::BlueprintContent,
        Domain::DeploymentContent,
        Domain::FederationEnvelope,
        Domain::Signature,
        Domain::ExtensionSchema,
        Domain::ExtensionRegistry,
        Domain::ConformanceReport,
        Domain::CorpusIndex,
    ];

    /// The domain's name: the separator without its prefix.
    pub fn name(self) -> &'static str {
        match self {
            Domain::BlueprintContent => "blueprint-content",
            Domain::DeploymentContent => "deployment-content",
            Domain::FederationEnvelope => "federation-envelope",
            Domain::Signature => "signature",
            Domain::ExtensionSchema => "extension-schema",
            Domain::ExtensionRegistry => "extension-registry",
            Domain::ConformanceReport => "conformance-report",
            Domain::CorpusIndex => "corpus-index",
        }
    }

    /// The domain of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Domain::ALL.into_iter().find(|domain| domain.name() == name)
    }
}

/// A SHA-256 digest under some domain, spelled `sha-256:` and 43 digits of base64url.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

/// The only tag.
const TAG: &str = "sha-256";

impl Digest {
    /// The digest of bytes under a domain.
    pub fn of(domain: Domain, bytes: &[u8]) -> Self {
        let mut hash = Sha256::new();
        hash.update("agent-blueprint-protocol/");
        hash.update(domain.name());
        hash.update([0]);
        hash.update(bytes);
        Digest(hash.finalize().into())
    }

    /// Reads a tagged digest.
    ///
    /// # Errors
    ///
    /// [`Code::DigestEncodingInvalid`] without a colon or with an ill-formed body,
    /// [`Code::DigestAlgorithmUnsupported`] where anything but `sha-256` precedes the first colon.
    pub fn parse(tagged: &str) -> Result<Self, Code> {
        let (tag, body) = tagged.split_once(':').ok_or(Code::DigestEncodingInvalid)?;
        if tag != TAG {
            return Err(Code::DigestAlgorithmUnsupported);
        }
        let bytes = base64url::decode(body).map_err(|_| Code::DigestEncodingInvalid)?;
        bytes.try_into().map(Digest).map_err(|_| Code::DigestEncodingInvalid)
    }

    /// Compares with a declared digest, in time that does not depend on where they differ.
    ///
    /// # Errors
    ///
    /// [`Code::DigestMismatch`] where they differ.
    pub fn matches(&self, declared: &Digest) -> Result<(), Code> {
        let difference = self.0.iter().zip(declared.0).fold(0, |all, (a, b)| all | (a ^ b));
        match std::hint::black_box(difference) {
            0 => Ok(()),
            _ => Err(Code::DigestMismatch),
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{TAG}:{}", base64url::encode(&self.0))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}
