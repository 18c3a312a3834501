//! Running: subjects are started and asked, their answers judged, and everything told as events.
//!
//! The spine is [`event`]: the engine emits, and the terminal, the reports and the recording are
//! independent consumers. [`run`] plans and drives; `worker` keeps one subject busy and finds out
//! who broke it; [`judge`] makes verdicts of answers, and nothing else does.
//!
//! May depend on: [`crate::adapter`], [`crate::suite`].

pub mod check;
pub mod compare;
pub mod event;
pub mod exchange;
mod front_matter;
pub mod judge;
mod lacks;
pub mod law;
mod pairing;
pub mod plan;
pub mod run;
mod script;
pub mod session;
pub mod status;
pub mod verdict;
pub mod waiver;
mod worker;
