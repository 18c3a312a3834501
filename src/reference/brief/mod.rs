//! Brief 1.2: explicit delegation between agents by documents of front matter and Markdown, and the trace of it.
//!
//! ```
//! use proofmark::reference::brief::{Answering, Brief, Response};
//!
//! let brief = Brief::builder("agent-openclaw-prod", "capability:code-refactoring", "# Briefing: …").build()?;
//! let received = Brief::parse(brief.content().as_bytes())?;
//! let response = received.respond(Answering::new("success", "# Response: Refactoring complete"))?;
//! assert_eq!(Response::parse_to(response.content().as_bytes(), &brief)?.status(), "success");
//! # Ok::<(), proofmark::reference::brief::BriefError>(())
//! ```
//!
//! Values are plain and read-only: nothing is kept between calls, and nothing of one brief is in another. There is no
//! network and no file in here; a clock and random bytes are asked only for what is left out when documents are made.
//!
//! # What is read, and how
//!
//! A document is front matter and a body ([`Brief::parse`] says what is refused). Front matter is read as text, never
//! as typed values, and without whatever could let two readers see two things; a body is kept to the byte. A trace
//! keeps its bytes, too, and has only entries.
//!
//! # What is written
//!
//! One function quotes every text that goes into front matter, and whatever is made is read back before it is given
//! out. Rust strings are Unicode, so that nothing is left that could not be written: unpaired surrogates can't occur.
//! Texts that can't stand in one line of a trace are refused.
//!
//! # Where the text leaves room
//!
//! - A version is three numbers, the first of them 1, and what Semantic Versioning lets follow them.
//! - A status is any token. A blank response is read, with a warning; a blank brief is not.
//! - A response that is dated before its brief is read, with a warning, and not written.
//! - A level of a chain counts: a sub-brief whose `currentDepth` is not above its parent's is refused by [`tree()`].
//! - Numbers and truth values among the members that Brief does not name are given as the text that they were.
//!
//! # Cost
//!
//! Time and memory are linear in the input, but for sorting, and nothing recurses deeper than [`DEPTH`]. Front matter
//! is bounded by [`LONGEST_FRONT_MATTER`]. Sections are looked for in bodies of up to [`LONGEST_OUTLINED_BODY`] whose
//! lists and quotations are no deeper than [`DEEPEST_OUTLINED_BODY`]: a Markdown parser takes a body's depth times its
//! lines.
//!
//! Depends on `saphyr-parser` (YAML events), `pulldown-cmark` (headings), `jiff` (the calendar and the clock),
//! `getrandom`, `futures-core`, `serde` and `serde_json`.

mod a2a;
mod binding;
mod builder;
mod document;
mod error;
mod fan_in;
mod front_matter;
mod identity;
mod json;
mod members;
mod operations;
mod quoted;
mod response;
mod sections;
mod timestamp;
mod trace;
mod tree;
mod warning;
mod writing;

pub use a2a::{Carried, Outgoing, SUPPORT, from_a2a, matching, to_a2a};
pub use builder::{Builder, Delegation};
pub use document::Brief;
pub use error::{BriefError, Fault};
pub use fan_in::{FanIn, WaitError, wait_for_all};
pub use front_matter::{DEPTH, LONGEST as LONGEST_FRONT_MATTER};
pub use operations::{OPERATIONS, ROLES};
pub use response::{Answering, Response};
pub use sections::{
    DEEPEST as DEEPEST_OUTLINED_BODY, LONGEST as LONGEST_OUTLINED_BODY, Outline, Section,
};
pub use timestamp::Timestamp;
pub use trace::{Branch, Entry, NewEntry, Trace};
pub use tree::{Node, tree};
pub use warning::Warning;
