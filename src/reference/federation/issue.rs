//! The issuer's side: the commitment to how a task ended, and the signed receipt.
//!
//! Depends on `envelope`, `members`, `signature` and `error`.

use super::digest::{Digest, Domain};
use super::envelope::TaskEnvelope;
use super::error::{Code, FederationError};
use super::members::Receipt;
use super::signature::{Purpose, SignatureEntry, SignedAttributes};
use super::state::TerminalState;
use super::timestamp::Timestamp;

/// How a task ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// The state.
    pub terminal_state: TerminalState,
    /// The exact result.
    pub result_digest: Digest,
    /// The checkpoints on the way.
    pub checkpoint_history_commitment: Digest,
}

/// The two digests of an envelope with an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Commitment {
    /// What receipts for one task have to agree on.
    pub terminal_commitment: Digest,
    /// What the receipt's signature binds.
    pub content_digest: Digest,
}

/// Who signs, and what the signature says.
#[derive(Clone, Copy)]
pub struct Signing<'a> {
    /// The seed of the Ed25519 key (RFC 8032 section 5.1.5).
    pub seed: &'a [u8; 32],
    /// The key's label.
    pub key_id: &'a str,
    /// When it is signed; the caller has the clock.
    pub created_at: &'a Timestamp,
    /// What for.
    pub purpose: Purpose,
}

/// What an envelope and an outcome come to, without a signature.
///
/// # Errors
///
/// [`Code::InvalidConstraint`] where the envelope has a terminal state, a receipt, or a checkpoint.
pub fn commit(envelope: &TaskEnvelope, outcome: &Outcome) -> Result<Commitment, FederationError> {
    // Nothing in either digest depends on the signature.
    let placeholder = SignatureEntry {
        attributes: SignedAttributes {
            content_digest: outcome.result_digest,
            created_at: Timestamp::epoch(),
            key_id: "none".to_owned(),
            purpose: Purpose::FederationEnvelope,
        },
        signature: [0; 64],
    };
    let (terminal, commitment) = conclude(envelope, outcome, placeholder)?;
    Ok(Commitment { terminal_commitment: commitment, content_digest: terminal.content_digest() })
}

/// Issues the terminal envelope: the one given, the outcome, and a signed receipt.
///
/// # Errors
///
/// As [`commit`], and whatever decoding the issued envelope would be refused for: a key id with a full stop, or one
/// in the shape of a secret.
pub fn issue(
    envelope: &TaskEnvelope,
    outcome: &Outcome,
    signing: &Signing<'_>,
) -> Result<TaskEnvelope, FederationError> {
    let attributes = SignedAttributes {
        content_digest: commit(envelope, outcome)?.content_digest,
        created_at: signing.created_at.clone(),
        key_id: signing.key_id.to_owned(),
        purpose: signing.purpose,
    };
    Ok(conclude(envelope, outcome, attributes.sign(signing.seed))?.0)
}

/// The envelope with the outcome and a receipt of this signature, judged as a whole; and its commitment.
fn conclude(
    envelope: &TaskEnvelope,
    outcome: &Outcome,
    signature: SignatureEntry,
) -> Result<(TaskEnvelope, Digest), FederationError> {
    if envelope.state().is_some() {
        return Err(Code::InvalidConstraint.into());
    }
    let Outcome { terminal_state, result_digest, checkpoint_history_commitment } = *outcome;
    let terminal_commitment = Digest::of(
        Domain::FederationEnvelope,
        &envelope.commitment_bytes_for(
            terminal_state,
            &result_digest,
            &checkpoint_history_commitment,
        ),
    );
    let mut members = envelope.members().clone();
    members.terminal_state = Some(terminal_state);
    members.evidence_receipt = Some(Receipt {
        result_digest,
        checkpoint_history_commitment,
        terminal_commitment,
        signature,
    });
    Ok((TaskEnvelope::new(&members)?, terminal_commitment))
}
