//! BRICK Core 0.5 (draft-sharaf-brick-agent-definition-00): validating a manifest, binding its tools for a runtime, and
//! projecting it to an A2A Agent Card.
//!
//! ```
//! use proofmark::reference::brick::{Resources, expose, validate};
//!
//! let manifest = br#"{
//!     "brickVersion": "0.5",
//!     "agent": { "id": "urn:example:a", "name": "A", "description": "An agent", "version": "1" },
//!     "goals": ["Sort the mail"],
//!     "mcpServers": [{ "id": "mail", "transport": "streamable-http",
//!         "endpoint": "https://mail.example/mcp", "allowedTools": ["move", "delete"] }],
//!     "capabilities": [{ "id": "sort", "description": "Sorts", "toolRefs": ["mail:move"] }]
//! }"#;
//! let nothing_at_hand = Resources::new();
//! assert!(validate(manifest, &nothing_at_hand).is_ok_and(|report| report.warnings.is_empty()));
//! assert_eq!(expose(manifest, &nothing_at_hand, "sort").unwrap(), ["mail:move"]);
//! ```
//!
//! Everything but [`invoke`] is a pure function over bytes: no clock, no network, no files.
//!
//! # How a manifest is judged
//!
//! It is read strictly, see [`Manifest::read`]; then held against [`SCHEMA`] and against the rules of sections 4 to 9.
//! All faults are reported, in document order, up to [`LISTED`]; so are warnings. A runtime adapter and a projection
//! take only what the validator takes, from the same reading of the same bytes.
//!
//! # Where the draft leaves room
//!
//! - Names given twice, lone surrogates and a byte order mark are refused, and so is a null in place of an optional
//!   member. Nesting is read to a depth of [`DEPTH`].
//! - `brickVersion` is the string `0.5` and no other spelling.
//! - Members that nested objects do not have are warned of and ignored.
//! - Empty names, descriptions and versions of the agent, and empty goals, are refused; an empty description of a
//!   capability is warned of. Goals, inputs and outputs are strings.
//! - Ids with control characters (Unicode category Cc) are refused; with anything else beyond `A-Za-z0-9._-` warned of.
//! - A tool reference is tried at each colon that has something on both sides. One way: accepted, with a warning if
//!   there are several colons. More than 32 colons are refused.
//! - `sha256` is 64 hexadecimal digits of either case; bytes at hand that contradict it are refused.
//! - The endpoint policy is that of the `endpoint` module: https, or http to loopback; no user information; no fragment.
//! - `a2a` without `enabled` is refused. What is wrong with the form of `a2a.endpoint` is warned of, and no card is made.
//! - A resource's URI that leads out of the manifest's folder is warned of by the validator and refused by a runtime and by
//!   the projection.
//! - `"required": true` in an extension's object marks it as required.
//! - What is private, and when a public text is said to hold it, the `privacy` module defines; the validator warns, the
//!   projection refuses.
//! - A card is refused where nothing is advertised, and where an advertised capability's resource is known to be
//!   missing.
//! - Where a caller does not say what its runtime supports, [`Supports::default`] holds, member by member.
//!
//! # Cost
//!
//! Time is linear in the manifest, but for sorting names and looking them up; memory is a small multiple of its size.
//! No input makes anything recurse on its depth, and texts longer than 2^31 − 1 bytes are refused.
//!
//! Depends on `jsonschema`, `fluent-uri`, `saphyr-parser`, `sha2` and `serde_json`, and on the table of card fields of
//! [`federation::card`](super::federation::card).

mod binding;
mod card_check;
mod endpoint;
mod fault;
mod instance;
pub mod invoke;
mod manifest;
mod operations;
mod percent;
mod pointer;
mod privacy;
mod project;
mod reader;
mod references;
mod resource;
mod rules;
mod runtime;
mod schema;
mod skill_file;
mod tape;

pub use fault::{Code, Fault, LISTED};
pub use manifest::{A2a, Capability, Manifest, Resource, Server};
pub use operations::{OPERATIONS, ROLES};
pub use project::{A2A_VERSION, project};
pub use reader::{DEPTH, LONGEST};
pub use resource::Resources;
pub use runtime::{
    Binding, External, Loaded, Report, Requirement, Supports, Unavailable, Unsupported, authorise,
    bindings, expose, load, validate,
};
pub use schema::SCHEMA;
