//! Envelope members as values: read from a value that the walk has passed, and written in the order of the table.
//!
//! Depends on `members`, `json`, `digest`, `signature`, `state` and `error`.

use super::digest::Digest;
use super::error::Code;
use super::json::Value;
use super::members::{
    CheckpointKind, CheckpointRequest, Claim, ClaimKind, Classification, Compatibility, Level,
    Marker, Members, Receipt, ResourcePolicy, TimePolicy,
};
use super::signature::SignatureEntry;
use super::state::{CheckpointStatus, TerminalState};

/// The largest integer that an envelope may hold.
const LARGEST: u64 = (1 << 53) - 1;

impl Members {
    /// Reads a value that has passed the walk.
    pub(super) fn read(envelope: &Value) -> Result<Self, Code> {
        let all = Reader(envelope);
        let policy = all.inside("resource_policy")?;
        let ceiling = all.inside("result_classification_ceiling")?;
        Ok(Members {
            task_identity: all.text("task_identity")?,
            idempotency_identity: all.text("idempotency_identity")?,
            parent_execution_reference: all.optional("parent_execution_reference", Reader::text)?,
            initiating_subject: all.optional("initiating_subject", Reader::text)?,
            blueprint_digest: all.digest("blueprint_digest")?,
            deployment_digest: all.digest("deployment_digest")?,
            input_commitment: all.digest("input_commitment")?,
            result_schema: all.digest("result_schema")?,
            result_classification_ceiling: Classification {
                level: ceiling.named("level", Level::from_name)?,
                markers: ceiling.each("markers", |item| Marker::from_name(item.0.as_str()?))?,
            },
            time_policy: TimePolicy {
                elapsed_ms: all.inside("time_policy")?.integer("elapsed_ms")?,
            },
            resource_policy: ResourcePolicy {
                attempts: policy.integer("attempts")?,
                concurrency: policy.integer("concurrency")?,
                tokens: policy.integer("tokens")?,
                cost: policy.integer("cost")?,
            },
            recovery_handle: all.text("recovery_handle")?,
            issuer: all.text("issuer")?,
            subject: all.text("subject")?,
            audience: all.text("audience")?,
            identity_mapping_evidence: all
                .inside("identity_mapping_evidence")?
                .each("claims", |claim| Claim::read(claim).ok())?,
            checkpoint_request: all.optional("checkpoint_request", |all, name| {
                let request = all.inside(name)?;
                Ok(CheckpointRequest {
                    kind: request.named("kind", CheckpointKind::from_name)?,
                    request_digest: request.digest("request_digest")?,
                })
            })?,
            checkpoint_status: all.optional("checkpoint_status", |all, name| {
                all.named(name, CheckpointStatus::from_name)
            })?,
            checkpoint_commitment: all.optional("checkpoint_commitment", Reader::digest)?,
            terminal_state: all.optional("terminal_state", |all, name| {
                all.named(name, TerminalState::from_name)
            })?,
            evidence_receipt: all
                .optional("evidence_receipt", |all, name| Receipt::read(all.inside(name)?))?,
            compatibility_reference: all
                .each("compatibility_reference", |item| Compatibility::read(item).ok())?,
            authority_proof_references: all
                .each("authority_proof_references", |item| Digest::parse(item.0.as_str()?).ok())?,
        })
    }

    /// The members as a value, in the order of the table. An integer that JSON cannot carry is refused.
    pub(super) fn to_value(&self) -> Result<Value, Code> {
        let text = |text: &String| Some(Value::string(text.as_str()));
        let maybe = |text: &Option<String>| text.as_deref().map(Value::string);
        let resources = &self.resource_policy;
        let members = [
            ("task_identity", text(&self.task_identity)),
            ("idempotency_identity", text(&self.idempotency_identity)),
            ("parent_execution_reference", maybe(&self.parent_execution_reference)),
            ("initiating_subject", maybe(&self.initiating_subject)),
            ("blueprint_digest", Some(digest(&self.blueprint_digest))),
            ("deployment_digest", Some(digest(&self.deployment_digest))),
            ("input_commitment", Some(digest(&self.input_commitment))),
            ("result_schema", Some(digest(&self.result_schema))),
            ("result_classification_ceiling", Some(self.result_classification_ceiling.to_value())),
            (
                "time_policy",
                Some(Value::object([("elapsed_ms", integer(self.time_policy.elapsed_ms)?)])),
            ),
            (
                "resource_policy",
                Some(Value::object([
                    ("attempts", integer(resources.attempts)?),
                    ("concurrency", integer(resources.concurrency)?),
                    ("tokens", integer(resources.tokens)?),
                    ("cost", integer(resources.cost)?),
                ])),
            ),
            ("recovery_handle", text(&self.recovery_handle)),
            ("issuer", text(&self.issuer)),
            ("subject", text(&self.subject)),
            ("audience", text(&self.audience)),
            (
                "identity_mapping_evidence",
                Some(Value::object([(
                    "claims",
                    array(&self.identity_mapping_evidence, Claim::to_value),
                )])),
            ),
            ("checkpoint_request", self.checkpoint_request.map(CheckpointRequest::to_value)),
            (
                "checkpoint_status",
                self.checkpoint_status.map(|status| Value::string(status.name())),
            ),
            ("checkpoint_commitment", self.checkpoint_commitment.as_ref().map(digest)),
            ("terminal_state", self.terminal_state.map(|state| Value::string(state.name()))),
            ("evidence_receipt", self.evidence_receipt.as_ref().map(Receipt::to_value)),
            (
                "compatibility_reference",
                Some(array(&self.compatibility_reference, Compatibility::to_value)),
            ),
            ("authority_proof_references", Some(array(&self.authority_proof_references, digest))),
        ];
        let present =
            members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Ok(Value::Object(present.collect()))
    }
}

impl Classification {
    pub(super) fn to_value(&self) -> Value {
        Value::object([
            ("level", Value::string(self.level.name())),
            ("markers", array(&self.markers, |marker| Value::string(marker.name()))),
        ])
    }
}

impl Claim {
    fn read(claim: Reader<'_>) -> Result<Self, Code> {
        Ok(Claim { kind: claim.named("kind", ClaimKind::from_name)?, value: claim.text("value")? })
    }

    fn to_value(&self) -> Value {
        Value::object([
            ("kind", Value::string(self.kind.name())),
            ("value", Value::string(self.value.as_str())),
        ])
    }
}

impl CheckpointRequest {
    fn to_value(self) -> Value {
        Value::object([
            ("kind", Value::string(self.kind.name())),
            ("request_digest", digest(&self.request_digest)),
        ])
    }
}

impl Receipt {
    fn read(receipt: Reader<'_>) -> Result<Self, Code> {
        Ok(Receipt {
            result_digest: receipt.digest("result_digest")?,
            checkpoint_history_commitment: receipt.digest("checkpoint_history_commitment")?,
            terminal_commitment: receipt.digest("terminal_commitment")?,
            signature: SignatureEntry::parse(receipt.value("signature")?)?,
        })
    }

    fn to_value(&self) -> Value {
        Value::object([
            ("result_digest", digest(&self.result_digest)),
            ("checkpoint_history_commitment", digest(&self.checkpoint_history_commitment)),
            ("terminal_commitment", digest(&self.terminal_commitment)),
            ("signature", self.signature.to_value()),
        ])
    }
}

impl Compatibility {
    fn read(item: Reader<'_>) -> Result<Self, Code> {
        Ok(Compatibility { name: item.text("name")?, identity: item.text("identity")? })
    }

    pub(super) fn to_value(&self) -> Value {
        Value::object([
            ("name", Value::string(self.name.as_str())),
            ("identity", Value::string(self.identity.as_str())),
        ])
    }
}

/// A digest as a value.
pub(super) fn digest(digest: &Digest) -> Value {
    Value::string(digest.to_string())
}

/// An array as a value.
pub(super) fn array<T>(items: &[T], to_value: impl Fn(&T) -> Value) -> Value {
    Value::Array(items.iter().map(to_value).collect())
}

fn integer(integer: u64) -> Result<Value, Code> {
    match i64::try_from(integer) {
        Ok(value) if integer <= LARGEST => Ok(Value::Integer(value)),
        _ => Err(Code::IntegerMagnitude),
    }
}

/// Takes a value that has passed the walk apart. What the walk has made sure of is asked for again, not assumed.
#[derive(Clone, Copy)]
struct Reader<'a>(&'a Value);

impl<'a> Reader<'a> {
    fn value(self, name: &str) -> Result<&'a Value, Code> {
        self.0.get(name).ok_or(Code::MissingRequiredField)
    }

    fn inside(self, name: &str) -> Result<Reader<'a>, Code> {
        self.value(name).map(Reader)
    }

    fn optional<T>(
        self,
        name: &str,
        read: impl Fn(Reader<'a>, &str) -> Result<T, Code>,
    ) -> Result<Option<T>, Code> {
        self.0.get(name).map(|_| read(self, name)).transpose()
    }

    fn str(self, name: &str) -> Result<&'a str, Code> {
        self.value(name)?.as_str().ok_or(Code::InvalidType)
    }

    fn text(self, name: &str) -> Result<String, Code> {
        self.str(name).map(str::to_owned)
    }

    fn named<T>(self, name: &str, from_name: impl Fn(&str) -> Option<T>) -> Result<T, Code> {
        from_name(self.str(name)?).ok_or(Code::InvalidConstraint)
    }

    fn digest(self, name: &str) -> Result<Digest, Code> {
        Digest::parse(self.str(name)?).map_err(|_| Code::InvalidConstraint)
    }

    fn integer(self, name: &str) -> Result<u64, Code> {
        match self.value(name)? {
            Value::Integer(integer) => u64::try_from(*integer).map_err(|_| Code::InvalidConstraint),
            _ => Err(Code::InvalidType),
        }
    }

    fn each<T>(self, name: &str, read: impl Fn(Reader<'a>) -> Option<T>) -> Result<Vec<T>, Code> {
        let items = self.value(name)?.as_array().ok_or(Code::InvalidType)?;
        items.iter().map(|item| read(Reader(item)).ok_or(Code::InvalidConstraint)).collect()
    }
}
