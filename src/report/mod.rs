//! What people and machines read of a run.
//!
//! [`fold`] makes the [`model`] of a run's events; [`junit`], [`terminal`] and the JSON of
//! `report.json` render it. [`progress`] consumes events live. [`escape`] is the one way by which
//! what a subject says reaches a terminal, [`wrap`] fits it in there.
//!
//! May depend on: [`crate::engine`]'s events and verdicts, [`crate::suite`], [`crate::adapter`]'s
//! messages.

pub mod escape;
pub mod fold;
pub mod junit;
pub mod mark;
pub mod model;
pub mod progress;
pub mod terminal;
pub mod wrap;
pub mod write;
