//! Golden cases, and the full description of their format.
//!
//! # The format
//!
//! A case lives in `corpus/<suite>/<role>/<topic>.toml`. Its full id is
//! `<suite>/<role>/<topic>/<id>`; ids never change their meaning, and a retired one is listed in
//! `corpus/retired.toml` (`retired = ["…"]`) for ever. A topic file has
//!
//! | key | |
//! |---|---|
//! | `operation` | the operation of its cases, unless a case names its own |
//! | `about` | what the topic is about, one sentence |
//! | `case` | the cases, an array of tables |
//!
//! and a case has
//!
//! | key | |
//! |---|---|
//! | `id` | lower-case letters, digits and hyphens; unique in the topic |
//! | `requirements` | the requirements that it tests, at least one. Its level is the strictest of theirs |
//! | `why` | why it matters, a sentence that an implementer understands |
//! | `source` | where the expected value comes from; never empty, never the reference |
//! | `twin` | of a refusal: the case that differs in the fault alone and must be accepted; an id of the same topic, or a full one |
//! | `no_twin` | of a refusal: why there can't be such a case |
//! | `operation` | instead of the topic's |
//! | `params` | the operation's params |
//! | `expect` | what must come of it |
//! | `step` | instead of `params` and `expect`: several requests to one process, in order |
//! | `claims` | further roles: the case is asked only of a subject that claims them too |
//! | `servers`, `witness` | live servers, and what they must have seen |
//!
//! Any other key is refused.
//!
//! **`params`** are a TOML table taken as JSON. At any depth a table with the single key
//! `text` or `base64` is a document; with the single key `build` a document put together from
//! pieces: `{text}`, `{base64}`, `{hex}`, `{repeat, times, join?}` and `{count, times, join?,
//! width?, from?}`, where `{n}` in `count` is the running number, zero-padded to `width`. With the
//! single key `$json` it is the JSON value spelled in the string (TOML has no null). Dates are
//! refused.
//!
//! **`expect`** has no default and is exactly one of
//! * `ok`, with exactly one of `equals` (as JSON, documents by bytes), `includes` (a recursive
//!   subset), `bytes` (a document: the output's one document has these bytes), `sha256` (of the
//!   output's one document, hexadecimal or base64url), `schema` (a JSON Schema, in which `$ref` finds
//!   the `$defs` of `operations.schema.json`; it sees documents that are compared as JSON as their
//!   values, others as `{text}`, or `{base64}` where they are not UTF-8), `any = true` (any output of
//!   the operation's shape). Beside it there may be `lacks`: strings of which none is anywhere in the
//!   output, in member names and strings, within documents and JSON in strings, percent-decoded too.
//!   And, where the output's document (its member `document`, or its only one) has front matter:
//!   `front_matter` (a recursive subset of the mapping, as YAML 1.2 reads it), `front_matter_lacks`
//!   (keys that it does not have), `front_matter_body` (the text behind it, but for blank lines at
//!   its ends);
//! * `refused`, with `code` or `codes` where the specification has codes, and `at` where it must say
//!   where: the refusal, or one of its `faults`, has this JSON Pointer;
//! * `readings`, a table from a reading's name to an `ok` or a `refused`: the one that fits is
//!   recorded, and an answer that fits none fails. Names are those of the reading cited, or free
//!   where the case cites no reading (robustness: accepting and refusing are both right).
//!
//! **`step`** tables have `operation`, `params`, `expect`, and `save = "name"`: a later step's
//! params, and what its expectation `equals` or `includes`, may use what was saved as
//! `"{{name.member}}"` (the whole string is replaced by the value) or within a longer string. All
//! steps go to one subject process in order; with `restart = true` a new process is started before
//! the step, where there is a process. With `times = n` a step is asked n times, and with `distinct`
//! the value at that JSON Pointer of the output is another each time. Where several steps have
//! `readings`, one and the same reading must fit them all.
//!
//! **`servers`** (`[case.servers.NAME]`) are live servers on loopback ports, started for the case and
//! ended with it; params use `{{servers.NAME.url}}`. **`witness`** says what they must have seen.
//! [`crate::live`] describes both.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::suite::expect::{Expect, RawExpect};
use crate::suite::params::Params;

/// One golden case.
#[derive(Clone, Debug)]
pub struct Case {
    /// The full id.
    pub id: String,
    /// The suite.
    pub suite: String,
    /// The role's full name.
    pub role: String,
    /// The topic.
    pub topic: String,
    /// The requirements that it tests.
    pub requirements: Vec<String>,
    /// Why it matters.
    pub why: String,
    /// The full id of its twin.
    pub twin: Option<String>,
    /// Why it has no twin.
    pub no_twin: Option<String>,
    /// Where the expected value comes from.
    pub source: String,
    /// Its requests, in order; at least one.
    pub steps: Vec<Step>,
    /// Further roles that a subject must claim to be asked it.
    pub claims: Vec<String>,
    /// The live servers that it needs, by name.
    pub servers: BTreeMap<String, Value>,
    /// What the servers must have seen.
    pub witness: Option<Value>,
}

/// One request and what must come of it.
#[derive(Clone, Debug)]
pub struct Step {
    /// The operation.
    pub operation: String,
    /// Its params.
    pub params: Params,
    /// What must come of it.
    pub expect: Expect,
    /// The name under which the output is kept for later steps.
    pub save: Option<String>,
    /// Whether a new process is started before it.
    pub restart: bool,
    /// How often it is asked; at least once.
    pub times: usize,
    /// The JSON Pointer to what is another in the output each time.
    pub distinct: Option<String>,
}

/// A step is asked no more often than this.
pub(super) const MAX_TIMES: usize = 100_000;

impl Case {
    /// Whether the case is one request, without servers: it can then be sent among others.
    pub fn is_single(&self) -> bool {
        self.servers.is_empty()
            && self.witness.is_none()
            && matches!(self.steps.as_slice(), [step] if step.times == 1)
    }

    /// Whether its params or expectations use what earlier steps or live servers gave.
    pub fn has_references(&self) -> bool {
        self.steps.len() > 1 || !self.servers.is_empty()
    }

    /// Whether the input must be turned down: the last step decides.
    pub fn is_refusal(&self) -> bool {
        self.steps.last().is_some_and(|step| step.expect.is_refusal())
    }

    /// Whether everything in it must be accepted.
    pub fn is_acceptance(&self) -> bool {
        self.steps.iter().all(|step| step.expect.is_acceptance())
    }

    /// The operations that it uses.
    pub fn operations(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().map(|step| step.operation.as_str())
    }

    /// The id's last part.
    pub fn short_id(&self) -> &str {
        self.id.rsplit('/').next().unwrap_or(&self.id)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawTopic {
    pub operation: Option<String>,
    pub about: String,
    #[serde(default)]
    pub case: Vec<toml::Spanned<RawCase>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawCase {
    pub id: String,
    pub requirements: Vec<String>,
    pub why: String,
    pub source: String,
    pub twin: Option<String>,
    pub no_twin: Option<String>,
    pub operation: Option<String>,
    pub params: Option<toml::Value>,
    pub expect: Option<RawExpect>,
    #[serde(default)]
    pub step: Vec<RawStep>,
    #[serde(default)]
    pub claims: Vec<String>,
    #[serde(default)]
    pub servers: BTreeMap<String, toml::Value>,
    pub witness: Option<toml::Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawStep {
    pub operation: Option<String>,
    pub params: toml::Value,
    pub expect: RawExpect,
    pub save: Option<String>,
    #[serde(default)]
    pub restart: bool,
    pub times: Option<usize>,
    pub distinct: Option<String>,
}
