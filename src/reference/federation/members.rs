//! The 23 members of an envelope as Rust types.
//!
//! Depends on `digest`, `signature` and `state`.

use super::digest::Digest;
use super::signature::SignatureEntry;
use super::spelled::spelled;
use super::state::{CheckpointStatus, State, TerminalState};

/// What an envelope holds. On its own it promises nothing; a [`TaskEnvelope`](super::TaskEnvelope) has been judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Members {
    /// 1: which task.
    pub task_identity: String,
    /// 2: which attempt at asking for it.
    pub idempotency_identity: String,
    /// 3: the execution that it is part of.
    pub parent_execution_reference: Option<String>,
    /// 4: who began it all.
    pub initiating_subject: Option<String>,
    /// 5: the exact blueprint.
    pub blueprint_digest: Digest,
    /// 6: the exact deployment.
    pub deployment_digest: Digest,
    /// 7: the exact input.
    pub input_commitment: Digest,
    /// 8: the schema of the result.
    pub result_schema: Digest,
    /// 9: how confidential the result may be.
    pub result_classification_ceiling: Classification,
    /// 10: how long the execution may take. No transport's time to live takes its place.
    pub time_policy: TimePolicy,
    /// 11: what it may use up.
    pub resource_policy: ResourcePolicy,
    /// 12: how to find the task again.
    pub recovery_handle: String,
    /// 13: who issued the envelope. Correlation only, as the next three.
    pub issuer: String,
    /// 14: whom it is about.
    pub subject: String,
    /// 15: whom it is for.
    pub audience: String,
    /// 16: claims on how identities correspond.
    pub identity_mapping_evidence: Vec<Claim>,
    /// 17: what the task waits for.
    pub checkpoint_request: Option<CheckpointRequest>,
    /// 18: how far it is.
    pub checkpoint_status: Option<CheckpointStatus>,
    /// 19: what was decided at the checkpoint.
    pub checkpoint_commitment: Option<Digest>,
    /// 20: how it ended.
    pub terminal_state: Option<TerminalState>,
    /// 21: the signed evidence of how it ended.
    pub evidence_receipt: Option<Receipt>,
    /// 22: the exact builds that were used, by name.
    pub compatibility_reference: Vec<Compatibility>,
    /// 23: digests of proofs of authority, held elsewhere.
    pub authority_proof_references: Vec<Digest>,
}

/// How confidential a result may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classification {
    /// The level.
    pub level: Level,
    /// The regimes that apply to it.
    pub markers: Vec<Marker>,
}

/// How long an execution may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimePolicy {
    /// Milliseconds from the beginning.
    pub elapsed_ms: u64,
}

/// What an execution may use up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResourcePolicy {
    /// How many attempts.
    pub attempts: u64,
    /// How many at once.
    pub concurrency: u64,
    /// How many tokens.
    pub tokens: u64,
    /// At what cost.
    pub cost: u64,
}

/// A claim on how identities correspond.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What kind of claim.
    pub kind: ClaimKind,
    /// The other identity.
    pub value: String,
}

/// What a task waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckpointRequest {
    /// Input or authentication.
    pub kind: CheckpointKind,
    /// The exact request.
    pub request_digest: Digest,
}

/// The evidence of how a task ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The exact result.
    pub result_digest: Digest,
    /// The checkpoints on the way.
    pub checkpoint_history_commitment: Digest,
    /// What two receipts for one task have to agree on; see [`super::TaskEnvelope::terminal_commitment`].
    pub terminal_commitment: Digest,
    /// The issuer's signature.
    pub signature: SignatureEntry,
}

/// An exact build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compatibility {
    /// Of what.
    pub name: String,
    /// Which one.
    pub identity: String,
}

spelled! {
    /// How confidential something is.
    Level {
        /// For everybody.
        Public = "public",
        /// For those inside.
        Internal = "internal",
        /// For those who need it.
        Confidential = "confidential",
        /// For those who are named.
        Restricted = "restricted",
    }
}

spelled! {
    /// A regime that applies to data.
    Marker {
        /// Payment cards.
        Pci = "pci",
        /// Health.
        Phi = "phi",
    }
}

spelled! {
    /// The kind of a claim.
    ClaimKind {
        /// Two names for one.
        Correlation = "correlation",
        /// Two things tied together.
        Binding = "binding",
        /// A right. The profile's portability pass turns it down.
        Authority = "authority",
    }
}

spelled! {
    /// What a checkpoint asks for.
    CheckpointKind {
        /// Input.
        InputRequired = "input_required",
        /// Authentication.
        AuthRequired = "auth_required",
    }
}

impl Members {
    /// The state that the envelope tells of; the terminal one before a checkpoint's.
    pub fn state(&self) -> Option<State> {
        self.terminal_state.map(State::from).or(self.checkpoint_status.map(State::from))
    }
}
