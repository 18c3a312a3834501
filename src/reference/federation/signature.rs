//! The signature entry of a receipt: a detached JWS (RFC 7515, RFC 7797 with `b64` false) by Ed25519.
//!
//! What is signed is the base64url of the canonical protected header, a full stop, and the canonical signed attributes.
//!
//! Depends on `ed25519-dalek`, on the canonical JSON layer for signing, and on `json`, `digest`, `timestamp`,
//! `base64url` and `error`.

use ed25519_dalek::{Signature, VerifyingKey};

use super::base64url;
use super::digest::Digest;
use super::error::Code;
use super::json::{self, Value};
use super::spelled::spelled;
use super::timestamp::Timestamp;
use crate::reference::jcs;

spelled! {
    /// What a signature was made for.
    Purpose {
        /// A blueprint.
        Blueprint = "blueprint",
        /// A deployment.
        Deployment = "deployment",
        /// A federation envelope: the only purpose that verifies a receipt.
        FederationEnvelope = "federation-envelope",
    }
}

/// What a signature says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedAttributes {
    /// The digest of what is signed.
    pub content_digest: Digest,
    /// When the signer says it signed.
    pub created_at: Timestamp,
    /// The label of the key: not empty, without a full stop.
    pub key_id: String,
    /// What the signature was made for.
    pub purpose: Purpose,
}

/// A well-formed signature entry. That it is one says nothing about whether it verifies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureEntry {
    /// What is said. The header's `kid` is its `key_id`; everything else in the header is fixed.
    pub attributes: SignedAttributes,
    /// R and S as in RFC 8032 section 5.1.6.
    pub signature: [u8; 64],
}

/// A public key that the receiver has decided to trust.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustedKey {
    /// The label that signatures name it by. Several keys may share one.
    pub key_id: String,
    /// The key's encoding (RFC 8032 section 5.1.2).
    pub key: Vec<u8>,
}

impl SignedAttributes {
    fn to_value(&self) -> Value {
        Value::object([
            ("algorithm", Value::string("Ed25519")),
            ("content_digest", Value::string(self.content_digest.to_string())),
            ("created_at", Value::string(self.created_at.as_str())),
            ("key_id", Value::string(self.key_id.as_str())),
            ("purpose", Value::string(self.purpose.name())),
        ])
    }

    fn header(&self) -> Value {
        Value::object([
            ("alg", Value::string("EdDSA")),
            ("b64", Value::Boolean(false)),
            ("crit", Value::Array(vec![Value::string("b64")])),
            ("kid", Value::string(self.key_id.as_str())),
        ])
    }

    /// The bytes that are signed.
    pub fn signing_input(&self) -> Vec<u8> {
        let mut input = base64url::encode(&json::encode(&self.header())).into_bytes();
        input.push(b'.');
        input.extend(json::encode(&self.to_value()));
        input
    }

    /// Signs with the seed of an Ed25519 key (RFC 8032 section 5.1.5).
    pub fn sign(self, seed: &[u8; 32]) -> SignatureEntry {
        let signature = jcs::sign_message(&self.signing_input(), seed).signature;
        SignatureEntry { attributes: self, signature }
    }
}

impl SignatureEntry {
    /// Reads an entry: its members, the header, the attributes, that both name one key, the signature.
    pub(super) fn parse(entry: &Value) -> Result<Self, Code> {
        let [protected, signature, attributes] =
            closed(entry, ["protected", "signature", "signed_attributes"])?;
        let kid = parse_header(protected)?;
        let attributes = parse_attributes(attributes)?;
        well_formed(kid == attributes.key_id)?;
        let signature =
            base64url::decode(text(signature)?).map_err(|_| Code::SignatureMalformed)?;
        let signature = signature.try_into().map_err(|_| Code::SignatureMalformed)?;
        Ok(SignatureEntry { attributes, signature })
    }

    pub(super) fn to_value(&self) -> Value {
        Value::object([
            ("protected", self.attributes.header()),
            ("signature", Value::string(base64url::encode(&self.signature))),
            ("signed_attributes", self.attributes.to_value()),
        ])
    }

    /// The detached compact serialisation (RFC 7515 appendix F): header and signature with nothing in between.
    pub fn compact(&self) -> String {
        let header = base64url::encode(&json::encode(&self.attributes.header()));
        format!("{header}..{}", base64url::encode(&self.signature))
    }

    /// Verifies with the keys of the entry's key id.
    ///
    /// # Errors
    ///
    /// [`Code::SignatureKeyUnsupported`] where there is none, [`Code::SignatureAlgorithmUnsupported`] where none of
    /// them is usable, [`Code::SignatureNotVerified`] where no usable one verifies.
    pub fn verify(&self, keys: &[TrustedKey]) -> Result<(), Code> {
        let named: Vec<_> =
            keys.iter().filter(|key| key.key_id == self.attributes.key_id).collect();
        if named.is_empty() {
            return Err(Code::SignatureKeyUnsupported);
        }
        let usable: Vec<_> = named.into_iter().filter_map(|key| usable(&key.key)).collect();
        if usable.is_empty() {
            return Err(Code::SignatureAlgorithmUnsupported);
        }
        let input = self.attributes.signing_input();
        let signature = Signature::from_bytes(&self.signature);
        match usable.iter().any(|key| verifies(key, &input, &signature)) {
            true => Ok(()),
            false => Err(Code::SignatureNotVerified),
        }
    }
}

/// A key that may verify: 32 bytes, y below p, on the curve, not of small order. Points of mixed order pass.
fn usable(encoding: &[u8]) -> Option<VerifyingKey> {
    let encoding: &[u8; 32] = encoding.try_into().ok()?;
    let [low, middle @ .., high] = encoding;
    // p is 2^255 − 19; the top bit is the sign of x.
    let reduced = *low < 0xED || high & 0x7F != 0x7F || middle.iter().any(|&byte| byte != 0xFF);
    let key = VerifyingKey::from_bytes(encoding).ok()?;
    (reduced && !key.is_weak()).then_some(key)
}

/// The profile's verification: S below L, and the encoding of S·B − k·A is R's, byte for byte, without a cofactor.
/// It asks nothing about the order of R, so it is not [`jcs::verify_message`], which does.
fn verifies(key: &VerifyingKey, input: &[u8], signature: &Signature) -> bool {
    ed25519_dalek::Verifier::verify(key, input, signature).is_ok()
}

fn parse_header(header: &Value) -> Result<&str, Code> {
    let [alg, b64, crit, kid] = closed(header, ["alg", "b64", "crit", "kid"])?;
    algorithm(alg, "EdDSA")?;
    well_formed(*b64 == Value::Boolean(false))?;
    well_formed(matches!(crit.as_array(), Some([only]) if only.as_str() == Some("b64")))?;
    let kid = text(kid)?;
    well_formed(!kid.is_empty())?;
    Ok(kid)
}

fn parse_attributes(attributes: &Value) -> Result<SignedAttributes, Code> {
    let [name, content_digest, created_at, key_id, purpose] =
        closed(attributes, ["algorithm", "content_digest", "created_at", "key_id", "purpose"])?;
    algorithm(name, "Ed25519")?;
    let content_digest =
        Digest::parse(text(content_digest)?).map_err(|_| Code::SignatureMalformed)?;
    let created_at = Timestamp::parse(text(created_at)?).ok_or(Code::SignatureMalformed)?;
    let key_id = text(key_id)?;
    well_formed(!key_id.is_empty() && !key_id.contains('.'))?;
    let purpose = Purpose::from_name(text(purpose)?).ok_or(Code::SignatureMalformed)?;
    Ok(SignedAttributes { content_digest, created_at, key_id: key_id.to_owned(), purpose })
}

/// The members of an object that has these and no others.
fn closed<'a, const N: usize>(value: &'a Value, names: [&str; N]) -> Result<[&'a Value; N], Code> {
    let members = value.as_object().ok_or(Code::SignatureMalformed)?;
    well_formed(members.len() == N)?;
    let found: Vec<_> = names.iter().filter_map(|name| json::get(members, name)).collect();
    found.try_into().map_err(|_| Code::SignatureMalformed)
}

fn algorithm(value: &Value, only: &str) -> Result<(), Code> {
    match text(value)? == only {
        true => Ok(()),
        false => Err(Code::SignatureAlgorithmUnsupported),
    }
}

fn text(value: &Value) -> Result<&str, Code> {
    value.as_str().ok_or(Code::SignatureMalformed)
}

fn well_formed(holds: bool) -> Result<(), Code> {
    match holds {
        true => Ok(()),
        false => Err(Code::SignatureMalformed),
    }
}
