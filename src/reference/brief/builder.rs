//! Making briefs: new ones, and sub-briefs of one that is held.
//!
//! Whatever is written is read back before it is given out, by the same function that reads foreign briefs: so nothing
//! is made that would be turned down.
//!
//! Depends on `document`, `writing`, `identity` and `trace`.

use super::document::Brief;
use super::error::{BriefError, Fault};
use super::identity::new_brief_id;
use super::timestamp::Timestamp;
use super::trace::{NewEntry, Trace};
use super::writing::Writing;

/// A brief in the making; begun by [`Brief::builder`].
///
/// ```
/// use proofmark::reference::brief::Brief;
///
/// let brief = Brief::builder("agent-a", "capability:code-refactoring", "# Briefing: …")
///     .parent_id("request-7")
///     .max_depth(3)
///     .build()?;
/// assert_eq!(Brief::parse(brief.content().as_bytes())?, brief);
/// # Ok::<(), proofmark::reference::brief::BriefError>(())
/// ```
#[derive(Debug, Clone)]
#[must_use = "nothing is made before `build`"]
pub struct Builder {
    delegator: String,
    delegatee: String,
    body: String,
    id: Option<String>,
    timestamp: Option<String>,
    protocol_version: Option<String>,
    parent_id: Option<String>,
    max_depth: Option<u64>,
    current_depth: Option<u64>,
    extra: Vec<(String, String)>,
}

impl Builder {
    pub(super) fn new(delegator: String, delegatee: String, body: String) -> Self {
        Builder {
            delegator,
            delegatee,
            body,
            id: None,
            timestamp: None,
            protocol_version: None,
            parent_id: None,
            max_depth: None,
            current_depth: None,
            extra: Vec::new(),
        }
    }

    /// Sets the id; else it is a new random one.
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Sets the date and time, kept in this spelling; else it is the present.
    pub fn timestamp(mut self, timestamp: impl Into<String>) -> Self {
        self.timestamp = Some(timestamp.into());
        self
    }

    /// Sets the version; else it is [`Brief::PROTOCOL_VERSION`].
    pub fn protocol_version(mut self, version: impl Into<String>) -> Self {
        self.protocol_version = Some(version.into());
        self
    }

    /// Makes it part of a brief, or of a user's request.
    pub fn parent_id(mut self, id: impl Into<String>) -> Self {
        self.parent_id = Some(id.into());
        self
    }

    /// Bounds the depth of delegation.
    pub fn max_depth(mut self, depth: u64) -> Self {
        self.max_depth = Some(depth);
        self
    }

    /// Says how deep the brief lies.
    pub fn current_depth(mut self, depth: u64) -> Self {
        self.current_depth = Some(depth);
        self
    }

    /// Adds a member that Brief does not name.
    pub fn extra(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.extra.push((name.into(), value.into()));
        self
    }

    /// Makes the brief.
    ///
    /// # Errors
    ///
    /// What [`Brief::parse`] would turn down, [`Fault::ReservedName`] for an extra member with a name of Brief's own,
    /// and [`Fault::FrontMatterTooLong`].
    pub fn build(self) -> Result<Brief, BriefError> {
        if let Some((name, _)) =
            self.extra.iter().find(|(name, _)| Brief::MEMBERS.contains(&name.as_str()))
        {
            return Err(Fault::ReservedName.of(name));
        }
        let id = self.id.map_or_else(new_brief_id, Ok)?;
        let timestamp = self.timestamp.unwrap_or_else(|| Timestamp::now().to_string());
        let version = self.protocol_version.as_deref().unwrap_or(Brief::PROTOCOL_VERSION);
        let writing = Writing::begin()
            .text("id", &id)
            .maybe_text("parentId", self.parent_id.as_deref())
            .text("protocolVersion", version)
            .text("delegator", &self.delegator)
            .text("delegatee", &self.delegatee)
            .text("timestamp", &timestamp)
            .maybe_count("maxDepth", self.max_depth)
            .maybe_count("currentDepth", self.current_depth);
        let writing =
            self.extra.iter().fold(writing, |writing, (name, value)| writing.extra(name, value));
        Brief::parse(writing.end(&self.body)?.as_bytes())
    }
}

/// What a sub-brief is made of.
#[derive(Debug, Clone)]
pub struct Delegation {
    /// The agent that delegates.
    pub delegator: String,
    /// To whom: an agent's name, or `capability:` and a name.
    pub delegatee: String,
    /// The body.
    pub body: String,
    /// The id; a new one where absent.
    pub id: Option<String>,
    /// The date and time of the sub-brief and of the entry in the trace. Where absent the present, or the latest time
    /// that the held brief and the trace tell of.
    pub timestamp: Option<String>,
    /// What the entry in the trace says; a sentence about the delegation where absent.
    pub action: Option<String>,
}

impl Brief {
    /// Delegates part of the task of this brief, which is held: the sub-brief, and the trace to send with it.
    ///
    /// The trace is the one held, to the byte, and one entry more. The delegator goes on with it as its own.
    ///
    /// # Depth
    ///
    /// Where the held brief has `maxDepth` or `currentDepth`, the sub-brief has `currentDepth`, one more than
    /// [`depth`](Brief::depth); `maxDepth` goes down unchanged. Of a brief that lies as deep as `maxDepth` there is no
    /// sub-brief: its `currentDepth` would exceed the bound.
    ///
    /// # Errors
    ///
    /// [`Fault::BoundSpent`]; what [`Builder::build`] or [`Trace::append`] turns down.
    pub fn delegate(
        &self,
        trace: &Trace,
        delegation: Delegation,
    ) -> Result<(Brief, Trace), BriefError> {
        let depth = self.depth();
        if let Some(bound) = self.max_depth
            && depth >= bound
        {
            return Err(Fault::BoundSpent { depth, bound }.of("currentDepth"));
        }
        let timestamp = delegation.timestamp.unwrap_or_else(|| {
            let seen = trace.entries().iter().map(|entry| &entry.timestamp);
            Timestamp::now_after(seen.chain([&self.timestamp])).to_string()
        });
        let mut builder =
            Brief::builder(delegation.delegator.as_str(), delegation.delegatee, delegation.body)
                .parent_id(&self.id)
                .timestamp(timestamp);
        builder.id = delegation.id;
        builder.max_depth = self.max_depth;
        if self.max_depth.is_some() || self.current_depth.is_some() {
            let next = depth.checked_add(1);
            builder.current_depth = Some(next.ok_or_else(|| Fault::NotACount.of("currentDepth"))?);
        }
        let brief = builder.build()?;
        let action = delegation.action.unwrap_or_else(|| match brief.file_name() {
            Some(name) => format!("Delegating a part of the task. Created `{name}`."),
            None => "Delegating a part of the task.".to_owned(),
        });
        let trace = trace.append(&NewEntry {
            agent: &delegation.delegator,
            timestamp: brief.timestamp.as_str(),
            action: &action,
            brief: brief.file_name().is_some().then_some(brief.id.as_str()),
        })?;
        Ok((brief, trace))
    }
}
