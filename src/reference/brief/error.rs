//! Why a document, a trace or a set of them was turned down: what, and where.
//!
//! Depends on nothing.

use std::fmt;

/// A refusal: the fault, and the place of it as far as it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BriefError {
    /// What is wrong.
    pub fault: Fault,
    /// The member of the front matter, or the id of the brief, that it is wrong with.
    pub member: Option<String>,
    /// The line of the document or trace, counted from 1.
    pub line: Option<usize>,
}

/// What can be wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The bytes are not UTF-8.
    NotUtf8,
    /// The first line is not `---`.
    NoOpeningFence,
    /// No line `---` ends the front matter.
    NoClosingFence,
    /// The front matter is longer than this many bytes.
    FrontMatterTooLong(usize),
    /// The front matter is not YAML 1.2; the reason in words.
    NotYaml(String),
    /// The front matter is nothing, a scalar or a sequence.
    NotAMapping,
    /// Something follows the mapping in the front matter.
    SecondDocument,
    /// An alias stands for something written elsewhere.
    Alias,
    /// A tag asks for a type.
    Tag,
    /// A merge key (`<<`) takes in another mapping.
    MergeKey,
    /// A key is a mapping or a sequence.
    ComplexKey,
    /// A mapping has one key twice.
    DuplicateKey,
    /// Collections are nested deeper than this.
    TooDeep(usize),
    /// A required member is missing.
    Missing,
    /// A member is a list or a mapping where a string belongs.
    NotAString,
    /// A string is empty.
    Empty,
    /// A text is no date and time with an offset.
    NotATime,
    /// A text is no version.
    NotAVersion,
    /// A version of another major number than 1, or with too few numbers.
    UnknownVersion,
    /// A member is no integer from 0 on.
    NotACount,
    /// `capability:` names no capability.
    NoCapability,
    /// A brief names itself as its parent.
    OwnParent,
    /// The body is empty or white space alone.
    BlankBody,
    /// A status is no single token.
    NotAToken,
    /// A name that Brief itself gives a meaning to is used for a member beside its own.
    ReservedName,
    /// A response answers another brief.
    OtherBrief,
    /// A response is dated before its brief.
    BeforeItsBrief,
    /// The bound on delegation is spent.
    BoundSpent {
        /// The depth of the brief that is held.
        depth: u64,
        /// The depth that must not be exceeded.
        bound: u64,
    },
    /// A trace has a line that belongs to no entry.
    NotATraceLine,
    /// A trace's entry lacks its action.
    NoAction,
    /// A text can't stand in an entry of a trace without ending or forging one.
    Forging,
    /// A returned trace does not begin with what was handed down.
    NotAContinuation,
    /// What was handed down is not of the trace that it is merged into.
    ForeignTrace,
    /// Two traces came back for one branch and neither continues the other.
    BranchesDisagree,
    /// Two briefs have one id.
    TwoBriefs,
    /// Briefs are one another's ancestors.
    Cycle,
    /// A sub-brief's bound is above its parent's, or gone.
    BoundRaised,
    /// A sub-brief's depth is not above its parent's, or gone.
    DepthLowered,
    /// Two different responses to one brief.
    TwoResponses,
    /// The bytes are no A2A request; the reason in words.
    NotARequest(String),
    /// A document is sent as what it is not.
    OtherKind,
    /// The system gave no random bytes for an id.
    NoRandomness,
}

impl Fault {
    /// A short name, in kebab case.
    pub fn name(&self) -> &'static str {
        match self {
            Fault::NotUtf8 => "not-utf-8",
            Fault::NoOpeningFence => "no-opening-fence",
            Fault::NoClosingFence => "no-closing-fence",
            Fault::FrontMatterTooLong(_) => "front-matter-too-long",
            Fault::NotYaml(_) => "not-yaml",
            Fault::NotAMapping => "not-a-mapping",
            Fault::SecondDocument => "second-document",
            Fault::Alias => "alias",
            Fault::Tag => "tag",
            Fault::MergeKey => "merge-key",
            Fault::ComplexKey => "complex-key",
            Fault::DuplicateKey => "duplicate-key",
            Fault::TooDeep(_) => "too-deep",
            Fault::Missing => "missing",
            Fault::NotAString => "not-a-string",
            Fault::Empty => "empty",
            Fault::NotATime => "not-a-time",
            Fault::NotAVersion => "not-a-version",
            Fault::UnknownVersion => "unknown-version",
            Fault::NotACount => "not-a-count",
            Fault::NoCapability => "no-capability",
            Fault::OwnParent => "own-parent",
            Fault::BlankBody => "blank-body",
            Fault::NotAToken => "not-a-token",
            Fault::ReservedName => "reserved-name",
            Fault::OtherBrief => "other-brief",
            Fault::BeforeItsBrief => "before-its-brief",
            Fault::BoundSpent { .. } => "bound-spent",
            Fault::NotATraceLine => "not-a-trace-line",
            Fault::NoAction => "no-action",
            Fault::Forging => "forging",
            Fault::NotAContinuation => "not-a-continuation",
            Fault::ForeignTrace => "foreign-trace",
            Fault::BranchesDisagree => "branches-disagree",
            Fault::TwoBriefs => "two-briefs",
            Fault::Cycle => "cycle",
            Fault::BoundRaised => "bound-raised",
            Fault::DepthLowered => "depth-lowered",
            Fault::TwoResponses => "two-responses",
            Fault::NotARequest(_) => "not-a-request",
            Fault::OtherKind => "other-kind",
            Fault::NoRandomness => "no-randomness",
        }
    }

    pub(super) fn of(self, member: impl Into<String>) -> BriefError {
        BriefError { fault: self, member: Some(member.into()), line: None }
    }

    pub(super) fn on_line(self, line: usize) -> BriefError {
        BriefError { fault: self, member: None, line: Some(line) }
    }
}

impl From<Fault> for BriefError {
    fn from(fault: Fault) -> Self {
        BriefError { fault, member: None, line: None }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NotUtf8 => f.write_str("not UTF-8"),
            Fault::NoOpeningFence => f.write_str("the first line is not `---`"),
            Fault::NoClosingFence => f.write_str("no line `---` ends the front matter"),
            Fault::FrontMatterTooLong(bytes) => {
                write!(f, "the front matter is longer than {bytes} bytes")
            }
            Fault::NotYaml(reason) => write!(f, "the front matter is not YAML 1.2: {reason}"),
            Fault::NotAMapping => f.write_str("the front matter is not a mapping"),
            Fault::SecondDocument => f.write_str("the front matter holds more than one mapping"),
            Fault::Alias => f.write_str("an alias stands for something written elsewhere"),
            Fault::Tag => f.write_str("a tag asks for a type"),
            Fault::MergeKey => f.write_str("a merge key takes in another mapping"),
            Fault::ComplexKey => f.write_str("a key is not a scalar"),
            Fault::DuplicateKey => f.write_str("the key is there twice"),
            Fault::TooDeep(levels) => write!(f, "nested deeper than {levels} levels"),
            Fault::Missing => f.write_str("missing"),
            Fault::NotAString => f.write_str("not a string"),
            Fault::Empty => f.write_str("empty"),
            Fault::NotATime => f.write_str("no date and time with an offset"),
            Fault::NotAVersion => f.write_str("no version"),
            Fault::UnknownVersion => f.write_str("no version 1 of three numbers"),
            Fault::NotACount => f.write_str("no integer from 0 on"),
            Fault::NoCapability => f.write_str("names no capability"),
            Fault::OwnParent => f.write_str("the brief is its own parent"),
            Fault::BlankBody => f.write_str("the body is blank"),
            Fault::NotAToken => f.write_str("no single token"),
            Fault::ReservedName => f.write_str("the name belongs to Brief itself"),
            Fault::OtherBrief => f.write_str("the response answers another brief"),
            Fault::BeforeItsBrief => f.write_str("the response is dated before its brief"),
            Fault::BoundSpent { depth, bound } => {
                write!(f, "no sub-brief below depth {depth}: the bound is {bound}")
            }
            Fault::NotATraceLine => f.write_str("the line belongs to no entry of a trace"),
            Fault::NoAction => f.write_str("the entry has no action"),
            Fault::Forging => f.write_str("the text can't stand in one entry of a trace"),
            Fault::NotAContinuation => {
                f.write_str("the returned trace does not begin with what was handed down")
            }
            Fault::ForeignTrace => {
                f.write_str("what was handed down is not of the trace that it is merged into")
            }
            Fault::BranchesDisagree => f.write_str("two returned traces of one branch disagree"),
            Fault::TwoBriefs => f.write_str("two briefs have this id"),
            Fault::Cycle => f.write_str("the brief is its own ancestor"),
            Fault::BoundRaised => f.write_str("`maxDepth` is above the parent's, or gone"),
            Fault::DepthLowered => f.write_str("`currentDepth` is not above the parent's, or gone"),
            Fault::TwoResponses => f.write_str("two different responses to one brief"),
            Fault::NotARequest(reason) => write!(f, "no A2A request: {reason}"),
            Fault::OtherKind => f.write_str("the document is not of the kind that it is sent as"),
            Fault::NoRandomness => f.write_str("the system gave no random bytes"),
        }
    }
}

impl fmt::Display for BriefError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(member) = &self.member {
            // As a debug string: a name from outside can hold anything.
            write!(f, "{member:?}: ")?;
        }
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        self.fault.fmt(f)
    }
}

impl std::error::Error for BriefError {}
