//! The task envelope: decoding bytes, judging members made by hand, and the digests over an envelope.
//!
//! Depends on the rest of the codec: `json`, `walk`, `portability`, `members`, `ceilings`, `digest`.

use std::ops::Deref;

use super::bounds::{Bounds, Ceiling};
use super::ceilings;
use super::digest::{Digest, Domain};
use super::error::{Code, FederationError};
use super::json::{self, Numbers, Value};
use super::members::Members;
use super::portability;
use super::state::TerminalState;
use super::walk;

/// An envelope that the profile admits. Its members are read through [`Members`].
///
/// That it is admitted says nothing about who wrote it: see [`verify_commitment`](super::verify_commitment).
#[derive(Debug, Clone, PartialEq)]
pub struct TaskEnvelope {
    members: Members,
    /// The same as a value, in the order in which it came.
    value: Value,
}

/// Judges a whole envelope.
type Check = fn(&Value) -> Result<(), FederationError>;

/// How every envelope is judged, wherever it comes from.
const CHECKS: [(&str, Check); 2] =
    [("the table", walk::check), ("the portability pass", portability::scan)];

/// What bytes have gone through before, in the decoder.
const CHECKS_OF_PARTS: [(&str, Check); 1] = [("the decoder's ceilings", ceilings::check)];

/// What makes sure that the canonical bytes can be decoded again.
const CHECKS_OF_BYTES: [(&str, Check); 1] = [("the size", size)];

impl TaskEnvelope {
    /// Decodes canonical bytes, within the ceilings given.
    ///
    /// # Errors
    ///
    /// The codes of the decoder; [`Code::NonCanonicalBytes`] for any other spelling than the canonical one; those of
    /// the table walk, of the rules across members, and of the portability pass; in this order.
    pub fn decode(bytes: &[u8], bounds: &Bounds) -> Result<Self, FederationError> {
        let value = json::decode(bytes, bounds, Numbers::Judged)?;
        let canonical = json::encode(&value);
        // A short spelling can have a long canonical form: 1e20 has 21 digits.
        bounds.hold(Ceiling::Bytes, canonical.len())?;
        if canonical != bytes {
            return Err(Code::NonCanonicalBytes.into());
        }
        TaskEnvelope::judged(value, &[&CHECKS])
    }

    /// Judges members that were put together by hand.
    ///
    /// # Errors
    ///
    /// [`Code::IntegerMagnitude`], and otherwise as for the members of a carrier.
    pub fn new(members: &Members) -> Result<Self, FederationError> {
        TaskEnvelope::from_value(members.to_value()?)
    }

    /// Judges a value that did not come as an envelope's bytes: the decoder's ceilings are imposed on it first.
    pub(super) fn from_value(value: Value) -> Result<Self, FederationError> {
        TaskEnvelope::judged(value, &[&CHECKS_OF_PARTS, &CHECKS, &CHECKS_OF_BYTES])
    }

    fn judged(value: Value, checks: &[&[(&str, Check)]]) -> Result<Self, FederationError> {
        checks.iter().copied().flatten().try_for_each(|(_, check)| check(&value))?;
        Ok(TaskEnvelope { members: Members::read(&value)?, value })
    }

    /// The canonical bytes.
    pub fn canonical_bytes(&self) -> Vec<u8> {
        json::encode(&self.value)
    }

    /// The digest that the receipt's signature binds: over everything but the signature itself.
    pub fn content_digest(&self) -> Digest {
        Digest::of(Domain::FederationEnvelope, &self.covered_bytes())
    }

    /// The bytes under [`content_digest`](Self::content_digest).
    pub fn covered_bytes(&self) -> Vec<u8> {
        let mut covered = self.value.clone();
        if let Some(Value::Object(receipt)) = covered.get_mut("evidence_receipt") {
            receipt.retain(|(name, _)| name != "signature");
        }
        json::encode(&covered)
    }

    /// The terminal commitment, recomputed; `None` for an envelope that is not terminal.
    pub fn terminal_commitment(&self) -> Option<Digest> {
        Some(Digest::of(Domain::FederationEnvelope, &self.commitment_bytes()?))
    }

    /// The bytes under [`terminal_commitment`](Self::terminal_commitment): the canonical object of the seven members
    /// that two receipts for one task have to agree on.
    pub fn commitment_bytes(&self) -> Option<Vec<u8>> {
        let receipt = self.evidence_receipt.as_ref()?;
        Some(self.commitment_bytes_for(
            self.terminal_state?,
            &receipt.result_digest,
            &receipt.checkpoint_history_commitment,
        ))
    }

    /// As [`commitment_bytes`](Self::commitment_bytes), for an end that the envelope does not tell of yet.
    pub(super) fn commitment_bytes_for(
        &self,
        terminal_state: TerminalState,
        result_digest: &Digest,
        checkpoint_history_commitment: &Digest,
    ) -> Vec<u8> {
        let own = |name: &str| self.value.get(name).cloned().unwrap_or(Value::Null);
        json::encode(&Value::object([
            ("task_identity", own("task_identity")),
            ("terminal_state", Value::string(terminal_state.name())),
            ("result_digest", Value::string(result_digest.to_string())),
            ("result_classification_ceiling", own("result_classification_ceiling")),
            ("compatibility_reference", own("compatibility_reference")),
            ("authority_proof_references", own("authority_proof_references")),
            (
                "checkpoint_history_commitment",
                Value::string(checkpoint_history_commitment.to_string()),
            ),
        ]))
    }

    /// The members.
    pub fn members(&self) -> &Members {
        &self.members
    }

    pub(super) fn value(&self) -> &Value {
        &self.value
    }
}

impl Deref for TaskEnvelope {
    type Target = Members;

    fn deref(&self) -> &Members {
        &self.members
    }
}

fn size(envelope: &Value) -> Result<(), FederationError> {
    Ok(Bounds::maximum().hold(Ceiling::Bytes, json::encode(envelope).len())?)
}
