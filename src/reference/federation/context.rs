//! What a receiver compares a receipt with.
//!
//! Depends on `digest`, `signature` and `state`.

use std::collections::BTreeMap;

use super::digest::Digest;
use super::signature::TrustedKey;

/// The receiver's side of a verification. The default trusts nobody and pins nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Context {
    /// Keys trusted for every issuer, told apart by key id alone. Of no effect beside `issuer_key_sets`.
    pub keys: Given<Vec<TrustedKey>>,
    /// Keys by issuer. Where they are given, a receipt's issuer has these keys and no others; an empty map trusts
    /// nobody.
    pub issuer_key_sets: Given<BTreeMap<String, Vec<TrustedKey>>>,
    /// The only issuer admitted.
    pub issuer: Given<String>,
    /// The only subject admitted.
    pub subject: Given<String>,
    /// The only audience admitted.
    pub audience: Given<String>,
    /// The earliest signing time admitted, spelled as in the receipt.
    pub created_after: Given<String>,
    /// The latest signing time admitted, spelled as in the receipt.
    pub created_before: Given<String>,
    /// What has been verified before.
    pub prior_receipts: Given<Vec<ReceiptFact>>,
}

/// A part of the context as it was handed over.
///
/// What has another type than it should is refused when verification comes to it, and never taken as absent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Given<T> {
    /// Left out.
    #[default]
    Absent,
    /// Given.
    Value(T),
    /// Given, but as something else.
    Malformed,
}

impl<T> From<T> for Given<T> {
    fn from(value: T) -> Self {
        Given::Value(value)
    }
}

/// What a verified receipt establishes, to be kept and compared with later ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiptFact {
    /// Which task.
    pub task_identity: String,
    /// How it ended, in the profile's spelling.
    pub terminal_state: String,
    /// The commitment to everything that may not differ.
    pub terminal_commitment: Digest,
}
