//! A brief: the task order that one agent writes and another works by.
//!
//! Depends on `front_matter` and what reads its members, on `sections`, and on the makers of briefs and responses
//! beside it.

use serde_json::{Map, Value};

use super::builder::Builder;
use super::error::{BriefError, Fault};
use super::front_matter::{self, Parts};
use super::identity::{capability, check_delegatee, check_version, file_name};
use super::members::Members;
use super::sections::{self, Outline};
use super::timestamp::Timestamp;
use super::warning::Warning;

/// The sections that a brief has, by the specification's example.
const SECTIONS: [&str; 5] = [
    "Objective",
    "Context & History",
    "Key Constraints",
    "Required Artifacts",
    "Expected Deliverables",
];

/// A brief that was read, or written.
///
/// It is read-only: what it says is what its document says.
#[derive(Debug, Clone, PartialEq)]
pub struct Brief {
    pub(super) id: String,
    pub(super) protocol_version: String,
    pub(super) delegator: String,
    pub(super) delegatee: String,
    pub(super) timestamp: Timestamp,
    pub(super) parent_id: Option<String>,
    pub(super) max_depth: Option<u64>,
    pub(super) current_depth: Option<u64>,
    pub(super) extra: Map<String, Value>,
    /// The whole document.
    content: String,
    /// Where the body begins in it.
    body: usize,
    breaks_differ: bool,
}

impl Brief {
    /// The version that is written.
    pub const PROTOCOL_VERSION: &'static str = "1.2.0";

    /// The names of the members that Brief gives a meaning to.
    pub const MEMBERS: [&'static str; 8] = [
        "id",
        "parentId",
        "protocolVersion",
        "delegator",
        "delegatee",
        "timestamp",
        "maxDepth",
        "currentDepth",
    ];

    /// Reads a `.brief.md` document.
    ///
    /// # Errors
    ///
    /// What is no document of front matter and body; a member that is missing or is not what it should be; a brief
    /// that is its own parent; a blank body.
    pub fn parse(document: &[u8]) -> Result<Self, BriefError> {
        let Parts { members, body, breaks_differ, text } = front_matter::read(document)?;
        let mut members = Members::new(members);
        let brief = Brief {
            id: members.required("id")?,
            protocol_version: members.required("protocolVersion")?,
            delegator: members.required("delegator")?,
            delegatee: members.required("delegatee")?,
            timestamp: members.timestamp()?,
            parent_id: members.optional("parentId")?,
            max_depth: members.count("maxDepth")?,
            current_depth: members.count("currentDepth")?,
            extra: members.extra(),
            content: text.to_owned(),
            body: text.len() - body.len(),
            breaks_differ,
        };
        check_version(&brief.protocol_version)?;
        check_delegatee(&brief.delegatee)?;
        if brief.parent_id.as_ref() == Some(&brief.id) {
            return Err(Fault::OwnParent.of("parentId"));
        }
        if body.trim().is_empty() {
            return Err(Fault::BlankBody.into());
        }
        Ok(brief)
    }

    /// Begins a new brief.
    pub fn builder(
        delegator: impl Into<String>,
        delegatee: impl Into<String>,
        body: impl Into<String>,
    ) -> Builder {
        Builder::new(delegator.into(), delegatee.into(), body.into())
    }

    /// The brief's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The version of Brief that it was written for.
    pub fn protocol_version(&self) -> &str {
        &self.protocol_version
    }

    /// Who delegates; responses go there.
    pub fn delegator(&self) -> &str {
        &self.delegator
    }

    /// To whom: an agent's name, or `capability:` and a name.
    pub fn delegatee(&self) -> &str {
        &self.delegatee
    }

    /// The name of the capability that is asked for, where it is one.
    pub fn capability(&self) -> Option<&str> {
        capability(&self.delegatee)
    }

    /// When it was written.
    pub fn timestamp(&self) -> &Timestamp {
        &self.timestamp
    }

    /// The id of the brief, or of the user's request, that it is part of; a root has none.
    pub fn parent_id(&self) -> Option<&str> {
        self.parent_id.as_deref()
    }

    /// Whether it is a root brief.
    pub fn is_root(&self) -> bool {
        self.parent_id.is_none()
    }

    /// The depth that must not be exceeded.
    pub fn max_depth(&self) -> Option<u64> {
        self.max_depth
    }

    /// How deep it says that it lies.
    pub fn current_depth(&self) -> Option<u64> {
        self.current_depth
    }

    /// How deep it lies: what it says, else 0 for a root and 1 for a sub-brief.
    pub fn depth(&self) -> u64 {
        self.current_depth.unwrap_or(u64::from(!self.is_root()))
    }

    /// The members that Brief does not name. Scalars are the text that they were written as.
    pub fn extra(&self) -> &Map<String, Value> {
        &self.extra
    }

    /// The body, to the byte.
    pub fn body(&self) -> &str {
        self.content.get(self.body..).unwrap_or_default()
    }

    /// The whole document, to the byte.
    pub fn content(&self) -> &str {
        &self.content
    }

    /// The title and sections of the body.
    pub fn outline(&self) -> Outline {
        Outline::of(self.body())
    }

    /// `<id>.brief.md`, where the id is safe as part of a path.
    pub fn file_name(&self) -> Option<String> {
        file_name(&self.id, "brief")
    }

    /// What should not be, and is read all the same.
    pub fn warnings(&self) -> Vec<Warning> {
        self.warnings_given(&self.outline())
    }

    /// The warnings, where the outline is at hand.
    pub(super) fn warnings_given(&self, outline: &Outline) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if self.breaks_differ {
            warnings.push(Warning::BreaksDiffer);
        }
        if !self.protocol_version.starts_with("1.2.") {
            warnings.push(Warning::OtherVersion);
        }
        if !sections::is_looked_through(self.body()) {
            warnings.push(Warning::SectionsNotRead);
            return warnings;
        }
        if !outline.title.as_ref().is_some_and(|title| title.starts_with("Briefing:")) {
            warnings.push(Warning::NoTitle);
        }
        let missing = SECTIONS.into_iter().filter(|name| outline.section(name).is_none());
        warnings.extend(missing.map(Warning::SectionMissing));
        warnings
    }
}
