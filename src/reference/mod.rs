//! The reference implementation of every suite's roles, usable as a library of its own.
//!
//! Each suite has a module here with a plain Rust interface, and beside it an `operations` module that binds that
//! interface to the adapter protocol: JSON params in, [`Answer`] out. The in-process adapter and `proofmark serve`
//! both go through those tables, so what is certified as `reference (self-test)` is what a library user calls.
//!
//! This module and everything below it may depend on the standard library and on external crates, and on nothing
//! else in this crate: no engine, no corpus, no adapter. It holds no `unsafe` code.
#![forbid(unsafe_code)]

mod answer;
pub mod brick;
pub mod brief;
mod document;
pub mod federation;
pub mod jcs;

pub use answer::{Answer, ECHO, Fault, Operation, Refusal};
pub use document::{DocumentError, document_from_json, document_to_json};
