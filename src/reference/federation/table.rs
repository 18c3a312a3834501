//! The 23 members of the envelope as a table, with the tables of the objects inside it.
//!
//! The order of the rows is that of the profile, and the stages of `walk` go by it. Depends on nothing.

/// A member of an object.
#[derive(Debug)]
pub(super) struct Field {
    pub name: &'static str,
    pub presence: Presence,
    pub kind: Kind,
}

/// Whether a member has to be there. A `null` is present, and of the wrong type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    Required,
    Optional,
}

/// The type and grammar of a value.
#[derive(Debug)]
pub(super) enum Kind {
    /// At most 512 bytes of `[a-z0-9][a-z0-9._-]*`.
    Identifier,
    /// Any string but the empty one.
    Text,
    /// An integer lexeme from 1 to 2^53 − 1.
    Positive,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// A tagged digest. Its type is judged with the constraints.
    Digest,
    /// A signature entry. Everything about it is judged with the constraints.
    Signature,
    /// An object of these members and no others.
    Object(&'static [Field]),
    Array(Array),
}

/// An array: what its elements are, how many there are, and what tells them apart.
#[derive(Debug)]
pub(super) struct Array {
    pub element: &'static Kind,
    pub at_least: usize,
    pub unique: Unique,
}

/// What may not repeat among the elements of an array. Raw values are compared, fit or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unique {
    Nothing,
    Element,
    /// The elements' member of this name, in those that have it.
    Member(&'static str),
}

const fn required(name: &'static str, kind: Kind) -> Field {
    Field { name, presence: Presence::Required, kind }
}

const fn optional(name: &'static str, kind: Kind) -> Field {
    Field { name, presence: Presence::Optional, kind }
}

/// The envelope.
pub(super) static ENVELOPE: [Field; 23] = [
    required("task_identity", Kind::Identifier),
    required("idempotency_identity", Kind::Identifier),
    optional("parent_execution_reference", Kind::Identifier),
    optional("initiating_subject", Kind::Identifier),
    required("blueprint_digest", Kind::Digest),
    required("deployment_digest", Kind::Digest),
    required("input_commitment", Kind::Digest),
    required("result_schema", Kind::Digest),
    required("result_classification_ceiling", Kind::Object(&CLASSIFICATION)),
    required("time_policy", Kind::Object(&TIME_POLICY)),
    required("resource_policy", Kind::Object(&RESOURCE_POLICY)),
    required("recovery_handle", Kind::Identifier),
    required("issuer", Kind::Identifier),
    required("subject", Kind::Identifier),
    required("audience", Kind::Identifier),
    required("identity_mapping_evidence", Kind::Object(&EVIDENCE)),
    optional("checkpoint_request", Kind::Object(&CHECKPOINT_REQUEST)),
    optional(
        "checkpoint_status",
        Kind::OneOf(&["submitted", "working", "input_required", "auth_required"]),
    ),
    optional("checkpoint_commitment", Kind::Digest),
    optional("terminal_state", Kind::OneOf(&["completed", "failed", "canceled", "rejected"])),
    optional("evidence_receipt", Kind::Object(&RECEIPT)),
    required(
        "compatibility_reference",
        Kind::Array(Array {
            element: &Kind::Object(&COMPATIBILITY),
            at_least: 1,
            unique: Unique::Member("name"),
        }),
    ),
    required(
        "authority_proof_references",
        Kind::Array(Array { element: &Kind::Digest, at_least: 0, unique: Unique::Nothing }),
    ),
];

static CLASSIFICATION: [Field; 2] = [
    required("level", Kind::OneOf(&["public", "internal", "confidential", "restricted"])),
    required(
        "markers",
        Kind::Array(Array {
            element: &Kind::OneOf(&["pci", "phi"]),
            at_least: 0,
            unique: Unique::Element,
        }),
    ),
];

static TIME_POLICY: [Field; 1] = [required("elapsed_ms", Kind::Positive)];

static RESOURCE_POLICY: [Field; 4] = [
    required("attempts", Kind::Positive),
    required("concurrency", Kind::Positive),
    required("tokens", Kind::Positive),
    required("cost", Kind::Positive),
];

static EVIDENCE: [Field; 1] = [required(
    "claims",
    Kind::Array(Array {
        element: &Kind::Object(&CLAIM),
        at_least: 1,
        unique: Unique::Member("value"),
    }),
)];

static CLAIM: [Field; 2] = [
    required("kind", Kind::OneOf(&["correlation", "binding", "authority"])),
    required("value", Kind::Text),
];

static CHECKPOINT_REQUEST: [Field; 2] = [
    required("kind", Kind::OneOf(&["input_required", "auth_required"])),
    required("request_digest", Kind::Digest),
];

static RECEIPT: [Field; 4] = [
    required("result_digest", Kind::Digest),
    required("checkpoint_history_commitment", Kind::Digest),
    required("terminal_commitment", Kind::Digest),
    required("signature", Kind::Signature),
];

static COMPATIBILITY: [Field; 2] =
    [required("name", Kind::Identifier), required("identity", Kind::Text)];
