//! A2A AgentCards: the bytes that a signature covers, and signing and verifying them (A2A v1.0, section 8.4).
//!
//! ```
//! use proofmark::reference::federation::card::{Profile, preimage};
//!
//! let card = br#"{ "name": "Example", "description": "", "iconUrl": "", "provider": null, "signatures": [] }"#;
//! let canonical = preimage(card, Profile::Spec)?;
//! assert_eq!(canonical, br#"{"description":"","iconUrl":"","name":"Example"}"#);
//! # Ok::<(), proofmark::reference::federation::card::CardError>(())
//! ```
//!
//! # The preimage
//!
//! Section 8.4.1 asks for protobuf's view of a field's presence first and for RFC 8785 after it. What each field is,
//! [`FIELDS`] says; [`Profile`] says what is done about it.
//!
//! A preimage is not a verdict on the card. Under [`Profile::Spec`] a member whose value is not of its field's type is
//! carried as it stands, an unknown member too, and a REQUIRED field that is absent stays absent: section 8.4.1 lets a
//! REQUIRED field not be *dropped*, and its own worked example has none of `version`, `supportedInterfaces`,
//! `defaultInputModes` and `defaultOutputModes`, before and after.
//!
//! # Signatures
//!
//! Section 8.4.2: a JWS (RFC 7515) with its payload detached, over `BASE64URL(protected) . BASE64URL(preimage)`, by
//! `EdDSA` with Ed25519 (RFC 8037) or `ES256` (RFC 7518 section 3.4). Keys come from the caller and from nowhere else;
//! the headers `jku`, `jwk`, `x5u` and `x5c` are neither fetched nor believed. See [`verify`].
//!
//! # Cost
//!
//! Time and memory are linear in the card. Nesting is bounded as in [`jcs`](crate::reference::jcs): what recurses here
//! follows the field table, which is a few levels deep and has no cycle.
//!
//! Depends on `reference::jcs`, `p256`, `serde_json` and `base64`, and, for the operations, on the bindings of `reference`.

mod error;
mod jwk;
mod jws;
mod operations;
mod preimage;
mod signing;
mod strip;
mod table;
mod text;

pub use error::{CardError, KeyError, SignatureFault};
pub use jwk::{Algorithm, PrivateKey, PublicKey};
pub use operations::OPERATIONS;
pub use preimage::{Profile, preimage};
pub use signing::{Signer, sign, verify};
pub use table::{Cardinality, FIELDS, Field, Kind, MESSAGES, Message};
