//! The receiver's side: does an envelope's receipt verify, and does it fit what the receiver knows?
//!
//! The answer is a fact and grants nothing. No clock is read: the window for the signing time is the receiver's.
//!
//! Depends on `envelope`, `context`, `signature`, `timestamp` and `error`.

use super::context::{Context, Given, ReceiptFact};
use super::digest::Digest;
use super::envelope::TaskEnvelope;
use super::error::{Code, FederationError};
use super::members::Receipt;
use super::signature::{Purpose, TrustedKey};
use super::state::TerminalState;
use super::timestamp::Timestamp;

/// An envelope, and what it is compared with.
struct Attempt<'a> {
    envelope: &'a TaskEnvelope,
    context: &'a Context,
}

/// One step of verification.
type Step = fn(&Attempt<'_>) -> Result<(), FederationError>;

/// The steps, in order: the first that fails is the answer. Integrity comes before consistency, and both before the
/// receiver's policy on age.
const STEPS: [(&str, Step); 10] = [
    ("the envelope is terminal", |attempt| attempt.terminal_state().map(drop)),
    ("it has a receipt", |attempt| attempt.receipt().map(drop)),
    ("the keys to verify with", |attempt| attempt.pool().map(drop)),
    ("the signature", signature),
    ("the signed purpose", purpose),
    ("the signed content digest", content_digest),
    ("the terminal commitment", terminal_commitment),
    ("pinned issuer, subject and audience", pins),
    ("receipts verified before", prior_receipts),
    ("the time of signing", freshness),
];

const SIGNATURE: &[&str] = &["evidence_receipt", "signature"];

/// Verifies the receipt of a terminal envelope. The same receipt verifies again as often as it is asked for.
///
/// # Errors
///
/// After a decoded envelope these codes can come: [`Code::MissingRequiredField`] where it is not terminal;
/// [`Code::SignatureKeyUnsupported`], [`Code::SignatureAlgorithmUnsupported`], [`Code::SignatureNotVerified`];
/// [`Code::InvalidConstraint`] for another purpose, or a signing time outside the window; [`Code::DigestMismatch`];
/// [`Code::AudienceMismatch`]; [`Code::FederationTerminalConflict`]; and [`Code::InvalidType`] for the context.
pub fn verify_commitment(
    envelope: &TaskEnvelope,
    context: &Context,
) -> Result<ReceiptFact, FederationError> {
    let attempt = Attempt { envelope, context };
    STEPS.iter().try_for_each(|(_, step)| step(&attempt))?;
    attempt.fact()
}

/// The keys to verify with.
struct Pool<'a> {
    keys: &'a [TrustedKey],
    /// Whether they are the claimed issuer's own.
    attributed: bool,
}

impl<'a> Attempt<'a> {
    fn terminal_state(&self) -> Result<TerminalState, FederationError> {
        let missing = || Code::MissingRequiredField.at(&["terminal_state"]);
        self.envelope.terminal_state.ok_or_else(missing)
    }

    fn receipt(&self) -> Result<&'a Receipt, FederationError> {
        let missing = || Code::MissingRequiredField.at(&["evidence_receipt"]);
        self.envelope.evidence_receipt.as_ref().ok_or_else(missing)
    }

    fn commitment(&self) -> Result<Digest, FederationError> {
        let missing = || Code::MissingRequiredField.at(&["evidence_receipt"]);
        self.envelope.terminal_commitment().ok_or_else(missing)
    }

    fn pool(&self) -> Result<Pool<'a>, FederationError> {
        match (&self.context.issuer_key_sets, &self.context.keys) {
            (Given::Value(sets), _) => {
                let own = sets.get(&self.envelope.issuer);
                Ok(Pool { keys: own.map(Vec::as_slice).unwrap_or_default(), attributed: true })
            }
            (Given::Malformed, _) => Err(Code::InvalidType.at(&["issuer_key_sets"])),
            (Given::Absent, Given::Malformed) => Err(Code::InvalidType.at(&["keys"])),
            (Given::Absent, Given::Absent) => Ok(Pool { keys: &[], attributed: false }),
            (Given::Absent, Given::Value(keys)) => Ok(Pool { keys, attributed: false }),
        }
    }

    fn fact(&self) -> Result<ReceiptFact, FederationError> {
        Ok(ReceiptFact {
            task_identity: self.envelope.task_identity.clone(),
            terminal_state: self.terminal_state()?.name().to_owned(),
            terminal_commitment: self.commitment()?,
        })
    }
}

fn signature(attempt: &Attempt<'_>) -> Result<(), FederationError> {
    let pool = attempt.pool()?;
    attempt.receipt()?.signature.verify(pool.keys).map_err(|code| match code {
        // Here it is the issuer that has no such key.
        Code::SignatureKeyUnsupported if pool.attributed => code.at(&["issuer"]),
        _ => code.at(SIGNATURE),
    })
}

fn purpose(attempt: &Attempt<'_>) -> Result<(), FederationError> {
    match attempt.receipt()?.signature.attributes.purpose {
        Purpose::FederationEnvelope => Ok(()),
        Purpose::Blueprint | Purpose::Deployment => Err(Code::InvalidConstraint.at(SIGNATURE)),
    }
}

fn content_digest(attempt: &Attempt<'_>) -> Result<(), FederationError> {
    let signed = &attempt.receipt()?.signature.attributes.content_digest;
    attempt.envelope.content_digest().matches(signed).map_err(|code| code.at(SIGNATURE))
}

fn terminal_commitment(attempt: &Attempt<'_>) -> Result<(), FederationError> {
    let declared = &attempt.receipt()?.terminal_commitment;
    let path = &["evidence_receipt", "terminal_commitment"];
    attempt.commitment()?.matches(declared).map_err(|code| code.at(path))
}

fn pins(attempt: &Attempt<'_>) -> Result<(), FederationError> {
    let Attempt { envelope, context } = attempt;
    let pins = [
        ("issuer", &context.issuer, &envelope.issuer),
        ("subject", &context.subject, &envelope.subject),
        ("audience", &context.audience, &envelope.audience),
    ];
    pins.into_iter().try_for_each(|(member, pin, own)| match pin {
        Given::Absent => Ok(()),
        Given::Value(pinned) if pinned == own => Ok(()),
        // A pin of another type is a pin, and no identifier meets it.
        Given::Value(_) | Given::Malformed => Err(Code::AudienceMismatch.at(&[member])),
    })
}

fn prior_receipts(attempt: &Attempt<'_>) -> Result<(), FederationError> {
    let priors = match &attempt.context.prior_receipts {
        Given::Absent => return Ok(()),
        Given::Value(priors) => priors,
        Given::Malformed => return Err(Code::InvalidType.at(&["prior_receipts"])),
    };
    let fact = attempt.fact()?;
    let conflict = |prior: &ReceiptFact| {
        prior.task_identity == fact.task_identity
            && (prior.terminal_state != fact.terminal_state
                || fact.terminal_commitment.matches(&prior.terminal_commitment).is_err())
    };
    match priors.iter().any(conflict) {
        true => Err(Code::FederationTerminalConflict.at(&["evidence_receipt"])),
        false => Ok(()),
    }
}

fn freshness(attempt: &Attempt<'_>) -> Result<(), FederationError> {
    let after = end_of_window("created_after", &attempt.context.created_after)?;
    let before = end_of_window("created_before", &attempt.context.created_before)?;
    let signed = &attempt.receipt()?.signature.attributes.created_at;
    let in_window =
        after.is_none_or(|after| after <= *signed) && before.is_none_or(|before| *signed <= before);
    match in_window {
        true => Ok(()),
        false => Err(Code::InvalidConstraint.at(&["evidence_receipt", "signature", "created_at"])),
    }
}

fn end_of_window(
    name: &'static str,
    given: &Given<String>,
) -> Result<Option<Timestamp>, FederationError> {
    let malformed = || Code::InvalidType.at(&[name]);
    match given {
        Given::Absent => Ok(None),
        Given::Value(text) => Timestamp::parse(text).map(Some).ok_or_else(malformed),
        Given::Malformed => Err(malformed()),
    }
}
