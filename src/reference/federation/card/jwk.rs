//! JSON Web Keys (RFC 7517) of the two kinds that cards are signed with, and raw signatures by them.
//!
//! `OKP` with `Ed25519` (RFC 8037 section 2) goes with `EdDSA`, `EC` with `P-256` (RFC 7518 section 6.2) with `ES256`.
//! Coordinates are base64url, read strictly, and of full length. Of a private key the public part is checked as well.
//!
//! Depends on `jcs`, `p256`, `serde_json` and `base64`.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::Sec1Point;
use p256::ecdsa::signature::{Signer, Verifier};
use p256::ecdsa::{Signature, SigningKey, VerifyingKey};
use serde_json::{Map, Value};

use super::error::KeyError;
use crate::reference::jcs;

/// A signature algorithm of JWS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Algorithm {
    /// Ed25519 (RFC 8037 section 3.1, RFC 8032).
    EdDsa,
    /// ECDSA on P-256 with SHA-256, R and S as 32 bytes each (RFC 7518 section 3.4).
    Es256,
}

impl Algorithm {
    /// Its name in `alg`.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::EdDsa => "EdDSA",
            Algorithm::Es256 => "ES256",
        }
    }

    /// The algorithm of that name; names are case-sensitive.
    pub fn named(name: &str) -> Option<Algorithm> {
        [Algorithm::EdDsa, Algorithm::Es256].into_iter().find(|known| known.name() == name)
    }
}

/// A key to sign with. Its `Debug` form does not show it.
pub struct PrivateKey(Private);

enum Private {
    Ed25519 { seed: [u8; 32], public: [u8; 32] },
    P256(SigningKey),
}

impl PrivateKey {
    /// Reads a private JWK.
    ///
    /// # Errors
    ///
    /// Where it is ill-formed, of another kind, not meant for signing, or its two parts do not belong together.
    pub fn from_json(jwk: &Value) -> Result<PrivateKey, KeyError> {
        let jwk = jwk.as_object().ok_or(KeyError::NotAnObject)?;
        let algorithm = algorithm(jwk)?;
        check_purpose(jwk, algorithm, "sign")?;
        let private = coordinate(jwk, "d")?;
        match algorithm {
            Algorithm::EdDsa => {
                let public = jcs::sign_message(&[], &private).public_key;
                if coordinate(jwk, "x")? != public {
                    return Err(KeyError::Inconsistent);
                }
                Ok(PrivateKey(Private::Ed25519 { seed: private, public }))
            }
            Algorithm::Es256 => {
                let key = SigningKey::from_slice(&private).map_err(|_| KeyError::Member("d"))?;
                if p256_public(jwk)? != *key.verifying_key() {
                    return Err(KeyError::Inconsistent);
                }
                Ok(PrivateKey(Private::P256(key)))
            }
        }
    }

    /// The algorithm that it signs with.
    pub fn algorithm(&self) -> Algorithm {
        match self.0 {
            Private::Ed25519 { .. } => Algorithm::EdDsa,
            Private::P256(_) => Algorithm::Es256,
        }
    }

    /// The key that verifies what this one signs, under `kid`.
    pub fn public_key(&self, kid: Option<String>) -> PublicKey {
        let public = match &self.0 {
            Private::Ed25519 { public, .. } => Public::Ed25519(*public),
            Private::P256(key) => Public::P256(*key.verifying_key()),
        };
        PublicKey { kid, public }
    }

    /// Signs bytes as they are. Deterministic for both algorithms (RFC 8032; RFC 6979 for ECDSA).
    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        match &self.0 {
            Private::Ed25519 { seed, .. } => jcs::sign_message(message, seed).signature,
            Private::P256(key) => {
                let signature: Signature = key.sign(message);
                signature.to_bytes().into()
            }
        }
    }
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PrivateKey").field(&self.algorithm()).finish_non_exhaustive()
    }
}

/// A key to verify with, and the `kid` that it goes by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey {
    /// The name by which a protected header calls it; a key without one verifies no card.
    pub kid: Option<String>,
    public: Public,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Public {
    Ed25519([u8; 32]),
    P256(VerifyingKey),
}

impl PublicKey {
    /// Reads a public JWK. A private part is not looked at.
    ///
    /// # Errors
    ///
    /// Where it is ill-formed, of another kind, or not meant for verifying.
    pub fn from_json(jwk: &Value) -> Result<PublicKey, KeyError> {
        let jwk = jwk.as_object().ok_or(KeyError::NotAnObject)?;
        let kid = match jwk.get("kid") {
            None => None,
            Some(Value::String(kid)) => Some(kid.clone()),
            Some(_) => return Err(KeyError::Member("kid")),
        };
        let algorithm = algorithm(jwk)?;
        check_purpose(jwk, algorithm, "verify")?;
        let public = match algorithm {
            Algorithm::EdDsa => Public::Ed25519(coordinate(jwk, "x")?),
            Algorithm::Es256 => Public::P256(p256_public(jwk)?),
        };
        Ok(PublicKey { kid, public })
    }

    /// The algorithm whose signatures it verifies.
    pub fn algorithm(&self) -> Algorithm {
        match self.public {
            Public::Ed25519(_) => Algorithm::EdDsa,
            Public::P256(_) => Algorithm::Es256,
        }
    }

    /// Whether the signature is this key's over these bytes. Ed25519 goes by the strict profile of
    /// [`jcs::verify_message`]; ECDSA takes any R and S in range, high S included.
    pub fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        match &self.public {
            Public::Ed25519(key) => jcs::verify_message(message, signature, key).is_ok(),
            Public::P256(key) => Signature::from_slice(signature)
                .is_ok_and(|signature| key.verify(message, &signature).is_ok()),
        }
    }
}

/// The algorithm that the key's kind goes with.
fn algorithm(jwk: &Map<String, Value>) -> Result<Algorithm, KeyError> {
    let Some(Value::String(kind)) = jwk.get("kty") else {
        return Err(KeyError::Member("kty"));
    };
    let expected = match kind.as_str() {
        "OKP" => ("Ed25519", Algorithm::EdDsa),
        "EC" => ("P-256", Algorithm::Es256),
        _ => return Err(KeyError::Unsupported),
    };
    match jwk.get("crv") {
        Some(Value::String(curve)) if curve == expected.0 => Ok(expected.1),
        Some(Value::String(_)) => Err(KeyError::Unsupported),
        _ => Err(KeyError::Member("crv")),
    }
}

/// Holds a key to what it says it is for (RFC 7517 sections 4.2 to 4.4).
fn check_purpose(
    jwk: &Map<String, Value>,
    algorithm: Algorithm,
    operation: &str,
) -> Result<(), KeyError> {
    for (name, expected) in [("use", "sig"), ("alg", algorithm.name())] {
        match jwk.get(name) {
            None => {}
            Some(Value::String(value)) if value == expected => {}
            Some(Value::String(_)) => return Err(KeyError::Purpose(name)),
            Some(_) => return Err(KeyError::Member(name)),
        }
    }
    match jwk.get("key_ops") {
        None => Ok(()),
        Some(Value::Array(operations)) if operations.iter().any(|value| value == operation) => {
            Ok(())
        }
        Some(Value::Array(_)) => Err(KeyError::Purpose("key_ops")),
        Some(_) => Err(KeyError::Member("key_ops")),
    }
}

/// The 32 bytes of a member.
fn coordinate(jwk: &Map<String, Value>, name: &'static str) -> Result<[u8; 32], KeyError> {
    let digits = jwk.get(name).and_then(Value::as_str).ok_or(KeyError::Member(name))?;
    let bytes = URL_SAFE_NO_PAD.decode(digits).map_err(|_| KeyError::Member(name))?;
    bytes.try_into().map_err(|_| KeyError::Member(name))
}

fn p256_public(jwk: &Map<String, Value>) -> Result<VerifyingKey, KeyError> {
    let (x, y) = (coordinate(jwk, "x")?, coordinate(jwk, "y")?);
    let point = Sec1Point::from_affine_coordinates(&x.into(), &y.into(), false);
    VerifyingKey::from_sec1_point(&point).map_err(|_| KeyError::NotAPoint)
}
