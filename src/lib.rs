//! Proofmark certifies implementations of protocols that describe agents and delegate work between
//! them: it drives any implementation through a small adapter protocol, judges its answers by golden
//! corpora, and reports on each role that it claims.
//!
//! # Layers
//!
//! Dependencies point one way, and `tests/layers.rs` holds it:
//!
//! | layer | may use |
//! |---|---|
//! | `reference` | nothing else in here: it is a library of its own |
//! | [`adapter`] | `reference` |
//! | [`live`] | nothing else in here |
//! | [`suite`] | `live`, `adapter` |
//! | [`laws`] | `suite`, `adapter` |
//! | [`engine`] | `laws`, `suite`, `live`, `adapter` |
//! | [`report`] | `engine`, `laws`, `suite`, `adapter` |
//! | [`registry`] | everything above: the one table of suites |
//! | [`cli`] | everything |
//!
//! # As a library
//!
//! ```
//! let canonical = proofmark::reference::jcs::canonicalise(br#"{"b": 1.0, "a": "\u00e9"}"#)?;
//! assert_eq!(canonical, r#"{"a":"é","b":1}"#.as_bytes());
//! # Ok::<(), proofmark::reference::jcs::JcsError>(())
//! ```

pub mod adapter;
pub mod cli;
pub mod engine;
pub mod laws;
pub mod live;
pub mod reference;
pub mod registry;
pub mod report;
pub mod suite;
