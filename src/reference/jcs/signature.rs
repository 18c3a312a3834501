//! Digests and detached signatures over canonical bytes: SHA-256 (FIPS 180-4) and Ed25519 (RFC 8032 section 5.1).
//!
//! Depends on `sha2` and `ed25519-dalek`.

use std::fmt;

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};

use super::{JcsError, canonicalise};

/// A signature and the key that verifies it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signed {
    /// R and S as in RFC 8032 section 5.1.6.
    pub signature: [u8; 64],
    /// The public key that belongs to the seed.
    pub public_key: [u8; 32],
}

/// Why a signature was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// The document has no canonical form.
    Document(JcsError),
    /// The signature is not 64 bytes; holds the number that it is.
    SignatureLength(usize),
    /// The public key is not 32 bytes; holds the number that it is.
    PublicKeyLength(usize),
    /// The public key encodes no point of the curve.
    PublicKeyNotAPoint,
    /// The public key's y coordinate is not reduced modulo p (RFC 8032 section 5.1.3, step 1).
    PublicKeyNotCanonical,
    /// The public key is a point of small order: such a key has signatures that fit many messages.
    PublicKeySmallOrder,
    /// The signature is not that of this key over these bytes, or R or S is malformed or R of small order.
    Mismatch,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VerifyError::Document(error) => {
                write!(f, "the document has no canonical form: {error}")
            }
            VerifyError::SignatureLength(len) => {
                write!(f, "the signature has {len} bytes instead of 64")
            }
            VerifyError::PublicKeyLength(len) => {
                write!(f, "the public key has {len} bytes instead of 32")
            }
            VerifyError::PublicKeyNotAPoint => {
                f.write_str("the public key is no point of the curve")
            }
            VerifyError::PublicKeyNotCanonical => {
                f.write_str("the public key is not encoded canonically")
            }
            VerifyError::PublicKeySmallOrder => f.write_str("the public key is of small order"),
            VerifyError::Mismatch => f.write_str("the signature does not verify"),
        }
    }
}

impl std::error::Error for VerifyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            VerifyError::Document(error) => Some(error),
            _ => None,
        }
    }
}

/// SHA-256 over the canonical form of a JSON text.
///
/// # Errors
///
/// Where the text has no canonical form.
pub fn digest(input: &[u8]) -> Result<[u8; 32], JcsError> {
    Ok(Sha256::digest(canonicalise(input)?).into())
}

/// Signs the canonical form of a JSON text with Ed25519. Deterministic: the same seed and document, in any spelling,
/// give the same bytes.
///
/// # Errors
///
/// Where the text has no canonical form.
pub fn sign(input: &[u8], seed: &[u8; 32]) -> Result<Signed, JcsError> {
    Ok(sign_message(&canonicalise(input)?, seed))
}

/// Signs bytes as they are (RFC 8032 section 5.1.6).
pub fn sign_message(message: &[u8], seed: &[u8; 32]) -> Signed {
    let key = SigningKey::from_bytes(seed);
    Signed { signature: key.sign(message).to_bytes(), public_key: key.verifying_key().to_bytes() }
}

/// Verifies a detached signature over the canonical form of a JSON text, by the profile `strict`:
///
/// - the signature has 64 bytes, the key 32;
/// - S is less than L, and R and the key are canonical encodings of points of the curve, none of them of small order;
/// - R equals S·B − k·A as a point, without multiplying by the cofactor.
///
/// RFC 8032 section 5.1.7 asks for the first, for S < L and for decodable points, and leaves open whether the cofactor
/// takes part; refusing small order goes beyond it. Points of mixed order are not refused as such: where the equation
/// holds without the cofactor, it holds.
///
/// # Errors
///
/// Where the text has no canonical form, or the signature is refused.
pub fn verify(input: &[u8], signature: &[u8], public_key: &[u8]) -> Result<(), VerifyError> {
    let message = canonicalise(input).map_err(VerifyError::Document)?;
    verify_message(&message, signature, public_key)
}

/// Verifies a signature over bytes as they are, by the same profile as [`verify`].
///
/// # Errors
///
/// Where the signature is refused.
pub fn verify_message(
    message: &[u8],
    signature: &[u8],
    public_key: &[u8],
) -> Result<(), VerifyError> {
    let signature: &[u8; 64] =
        signature.try_into().map_err(|_| VerifyError::SignatureLength(signature.len()))?;
    let public_key: &[u8; 32] =
        public_key.try_into().map_err(|_| VerifyError::PublicKeyLength(public_key.len()))?;
    // `from_bytes` reduces y silently.
    if !is_reduced(public_key) {
        return Err(VerifyError::PublicKeyNotCanonical);
    }
    let key = VerifyingKey::from_bytes(public_key).map_err(|_| VerifyError::PublicKeyNotAPoint)?;
    if key.is_weak() {
        return Err(VerifyError::PublicKeySmallOrder);
    }
    // Compares the encoding of S·B − k·A with R's bytes, which no other encoding of the same point equals; S ≥ L and
    // R of small order are refused in there as well.
    key.verify_strict(message, &Signature::from_bytes(signature)).map_err(|_| VerifyError::Mismatch)
}

/// Whether the y coordinate of an encoded point, its low 255 bits, is less than p = 2^255 − 19.
fn is_reduced(point: &[u8; 32]) -> bool {
    let [low, middle @ .., high] = point;
    *low < 0xED || high & 0x7F != 0x7F || middle.iter().any(|&byte| byte != 0xFF)
}
