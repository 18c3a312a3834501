//! Signing a card and verifying its signatures (A2A v1.0, sections 8.4.2 and 8.4.3).
//!
//! Depends on the preimage, the JWS layer and the text walker beside it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;

use super::error::{CardError, SignatureFault};
use super::jwk::{PrivateKey, PublicKey};
use super::preimage::{Profile, canonical_card, of_canonical};
use super::{jws, text};
use crate::reference::jcs;

/// What a signature is made with.
#[derive(Debug, Clone, Copy)]
pub struct Signer<'a> {
    /// The key; the algorithm goes with it.
    pub key: &'a PrivateKey,
    /// The name by which verifiers find the key.
    pub kid: &'a str,
    /// The header `typ`. Section 8.4.2 recommends [`Signer::TYP`], and a first-party SDK verifies nothing without one.
    pub typ: &'a str,
}

impl Signer<'_> {
    /// What `typ` should be.
    pub const TYP: &'static str = "JOSE";
}

/// The card with one signature more, as canonical JSON. What else stands in it is kept, other signatures included.
///
/// # Errors
///
/// Where the card has no preimage under [`Profile::Spec`], or its `signatures` is no array.
pub fn sign(card: &[u8], signer: &Signer<'_>) -> Result<Vec<u8>, CardError> {
    let card = canonical_card(card)?;
    let mut signatures: Vec<&[u8]> = signatures(&card)?.collect();
    let payload = of_canonical(&card, Profile::Spec)?;
    let made = jws::sign(&payload, signer.key, signer.kid, signer.typ)?;
    let made = json!({ "protected": made.protected, "signature": made.signature }).to_string();
    signatures.push(made.as_bytes());

    let mut out = Vec::with_capacity(card.len() + made.len() + 32);
    out.extend_from_slice(b"{\"signatures\":[");
    out.extend_from_slice(&signatures.join(&b','));
    out.push(b']');
    for member in text::members(&card).filter(|member| member.name != b"signatures") {
        out.extend_from_slice(b",\"");
        out.extend_from_slice(member.name);
        out.extend_from_slice(b"\":");
        out.extend_from_slice(member.value);
    }
    out.push(b'}');
    Ok(jcs::canonicalise(&out)?)
}

/// Verifies every signature of a card, in order, with keys of the caller's and no others.
///
/// A signature holds if its protected header names an algorithm of ours in `alg` and a key of the caller's in `kid`,
/// that key is of the algorithm's kind, and the signature is that key's over the card's preimage. A `kid` outside the
/// protected header does not count. `typ` is not looked at (section 8.4.2 only recommends one), and neither are `jku`,
/// `jwk`, `x5u` and `x5c`. Which of the keys are revoked or expired is the caller's to know.
///
/// Each signature that gets as far as its key costs a pass over the preimage.
///
/// # Errors
///
/// Where the card has no preimage under the profile, or its `signatures` is no array. A card without signatures is no
/// error: nothing in it is verified.
pub fn verify(
    card: &[u8],
    keys: &[PublicKey],
    profile: Profile,
) -> Result<Vec<Result<(), SignatureFault>>, CardError> {
    let card = canonical_card(card)?;
    let signatures = signatures(&card)?;
    let payload = URL_SAFE_NO_PAD.encode(of_canonical(&card, profile)?);
    Ok(signatures.map(|entry| jws::verify(entry, &payload, keys)).collect())
}

/// The entries of `signatures` of a canonical card; none where it is absent or null.
fn signatures(card: &[u8]) -> Result<impl Iterator<Item = &[u8]>, CardError> {
    let member = text::members(card).find(|member| member.name == b"signatures");
    match member.map(|member| member.value) {
        None | Some(b"null") => Ok(text::elements(b"[]")),
        Some(array) if text::is_array(array) => Ok(text::elements(array)),
        Some(_) => Err(CardError::Signatures),
    }
}
