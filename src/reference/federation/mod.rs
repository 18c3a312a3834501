//! The federation profile of the Agent Blueprint Protocol: task envelopes, their carriers on A2A and MCP, and receipts.
//!
//! ```
//! use proofmark::reference::federation::{Bounds, Code, TaskEnvelope, Transport, to_carrier};
//!
//! let refused = TaskEnvelope::decode(b"{\"audience\":null}", &Bounds::maximum());
//! assert_eq!(refused.unwrap_err().code, Code::MissingRequiredField);
//! assert_eq!(Transport::Mcp.read("cancelled").unwrap().name(), "canceled");
//! ```
//!
//! Everything is a pure function over bytes: no clock, no network, no files. No input makes anything panic or recurse
//! on its depth. Time is linear in the input, but for sorting names, and so is memory.
//!
//! # The order of checks
//!
//! Where an input has several faults the profile says which one is reported. Each order is a list in the code: the
//! stages of an object in `walk`, what an envelope goes through in `envelope`, the stages of rebuilding in `carrier`,
//! the steps of verification in `receive`.
//!
//! # Where the profile leaves room
//!
//! - Ceilings on a rebuilt envelope count as the decoder counts: members and elements in each container, values in
//!   the whole envelope, nesting in containers. What lies around the body on a carrier is held to no ceiling but a
//!   nesting of 1,000.
//! - A lone surrogate escape is `invalid_syntax`.
//! - A long string of base64url digits whose length encodes no whole number of bytes is refused like its neighbours.
//!
//! Depends on `sha2`, `ed25519-dalek` and `base64`, on the canonical JSON layer beside it for the spelling of doubles
//! and for signing, and, for the operations, on `serde_json`.

mod base64url;
mod binding;
mod bounds;
pub mod card;
mod carrier;
mod ceilings;
mod context;
mod cross_field;
mod digest;
mod envelope;
mod error;
mod issue;
mod json;
mod mapping;
mod member_values;
mod members;
mod observe;
mod operations;
mod portability;
mod receive;
mod signature;
mod spelled;
mod state;
mod table;
mod timestamp;
mod walk;

pub use bounds::{Bounds, Ceiling};
pub use carrier::{from_carrier, to_carrier};
pub use context::{Context, Given, ReceiptFact};
pub use digest::{Digest, Domain};
pub use envelope::TaskEnvelope;
pub use error::{Code, FederationError, Step};
pub use issue::{Commitment, Outcome, Signing, commit, issue};
pub use mapping::{LANES, PINS, Pin, Row, Verdict, rows};
pub use members::{
    CheckpointKind, CheckpointRequest, Claim, ClaimKind, Classification, Compatibility, Level,
    Marker, Members, Receipt, ResourcePolicy, TimePolicy,
};
pub use observe::{Observation, observe};
pub use operations::{OPERATIONS, ROLES};
pub use receive::verify_commitment;
pub use signature::{Purpose, SignatureEntry, SignedAttributes, TrustedKey};
pub use state::{CheckpointStatus, State, TerminalState, Transport};
pub use timestamp::Timestamp;
