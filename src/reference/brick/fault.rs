//! Faults and warnings: their codes, their places, and bounded lists of them in document order.
//!
//! Depends on the answer types of `reference`.

use crate::reference::answer;

/// How many faults, and how many warnings, one report lists. A manifest with more is told so at the list's end: a list
/// as long as a hostile manifest can make it would be many times as large as the manifest.
pub const LISTED: usize = 1_000;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// What can be wrong with a manifest, or worth a warning, or in the way of a runtime. The draft has no codes:
        /// these are this implementation's.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code { $($(#[$doc])* $name,)* }

        impl Code {
            /// Every code.
            pub const ALL: &[Code] = &[$(Code::$name,)*];

            /// Its name on the wire.
            pub fn name(self) -> &'static str {
                match self { $(Code::$name => $text,)* }
            }
        }
    };
}

codes! {
    /// The bytes are not UTF-8 (section 5).
    InvalidUtf8 = "invalid-utf8",
    /// The text begins with a byte order mark.
    ByteOrderMark = "byte-order-mark",
    /// The text is not JSON (RFC 8259).
    Syntax = "syntax",
    /// A `\u` escape names half a surrogate pair.
    LoneSurrogate = "lone-surrogate",
    /// Something follows the manifest.
    TrailingData = "trailing-data",
    /// A name stands twice in one object.
    DuplicateMember = "duplicate-member",
    /// More arrays and objects stand in one another than are read.
    TooDeep = "too-deep",
    /// The text is longer than what is read.
    TooLarge = "too-large",
    /// A value is not of the type that the format asks for.
    WrongType = "wrong-type",
    /// A null stands in place of an optional member.
    NullMember = "null-member",
    /// A member that must be there is not (sections 4, 7 and 8).
    MissingMember = "missing-member",
    /// A member that the format does not have: a fault at the top level (section 5), elsewhere a warning.
    UnknownMember = "unknown-member",
    /// A string or array that must hold something holds nothing.
    Empty = "empty",
    /// A `brickVersion` other than 0.5 (section 5).
    UnsupportedVersion = "unsupported-version",
    /// `agent.id` is no URI (section 4).
    AgentIdNotAUri = "agent-id-not-a-uri",
    /// An id stands twice in one collection (section 5).
    DuplicateId = "duplicate-id",
    /// An id with control characters, a fault; or with other characters than `A-Za-z0-9._-`, a warning.
    IdCharacters = "id-characters",
    /// A `skillRefs` entry is the id of no skill (section 4).
    UnresolvedSkill = "unresolved-skill",
    /// A `toolRefs` entry is not of the form `server-id:tool-name` (section 4).
    MalformedToolReference = "malformed-tool-reference",
    /// A `toolRefs` entry names no tool that a declared server allows (section 4).
    UnresolvedTool = "unresolved-tool",
    /// A `toolRefs` entry can be read in two ways (section 4).
    AmbiguousToolReference = "ambiguous-tool-reference",
    /// A warning: a `toolRefs` entry has several colons, and one way to read it.
    ColonsInToolReference = "colons-in-tool-reference",
    /// A warning: a list has an entry twice.
    RepeatedEntry = "repeated-entry",
    /// An endpoint that the endpoint policy turns down (section 5).
    Endpoint = "endpoint",
    /// A warning: a host that is easily taken for another, or a port that nothing listens at.
    OddEndpoint = "odd-endpoint",
    /// A warning: an endpoint's query has a member that looks like a credential (section 9).
    CredentialInEndpoint = "credential-in-endpoint",
    /// A warning: a transport that is not one of the two baseline values (section 7).
    UnknownTransport = "unknown-transport",
    /// A `sha256` that is not 64 hexadecimal digits.
    DigestForm = "sha256-form",
    /// The resource at hand has another SHA-256 digest than declared (section 9).
    DigestMismatch = "sha256-mismatch",
    /// A resource's URI leads out of the manifest's folder: a warning, to a runtime and a projection a fault.
    UriEscapes = "uri-escapes",
    /// A warning: a resource's `uri` is no URI reference (RFC 3986).
    UriSyntax = "uri-syntax",
    /// A resource is known to be missing (section 6): a warning, to a runtime a fault.
    ResourceMissing = "resource-missing",
    /// A warning: a SKILL.md does not hold to the Agent Skills rules.
    SkillFile = "skill-file",
    /// A text that an Agent Card would show holds a private string (sections 5 and 9): a warning, to a projection a
    /// fault.
    Discloses = "discloses",
    /// A warning: `a2a.endpoint` can be in no Agent Card.
    A2aEndpoint = "a2a-endpoint",
    /// The manifest has no capability of that id.
    UnknownCapability = "unknown-capability",
    /// The tool is none that this capability has on that server (section 7).
    ToolNotAllowed = "tool-not-allowed",
    /// A2A is not enabled (section 8).
    A2aOff = "a2a-off",
    /// The A2A version is none that cards can be made for (section 8).
    A2aVersion = "a2a-version",
    /// No capability is advertised (section 8).
    NothingAdvertised = "nothing-advertised",
    /// The card would not be valid by A2A's own rules (section 8).
    CardInvalid = "card-invalid",
    /// More faults or warnings were found than are listed.
    More = "more",
}

/// One fault, or one warning.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// What is wrong.
    pub code: Code,
    /// JSON Pointer (RFC 6901) to the offending value; to the object where a member is missing; empty where the text
    /// as a whole is meant. A member name of more than 256 bytes is cut in it.
    pub at: String,
    /// The same in a sentence.
    pub message: String,
}

impl Fault {
    /// As the adapter protocol's answer has it.
    pub(super) fn to_answer(&self) -> answer::Fault {
        answer::Fault {
            code: self.code.name().to_owned(),
            at: self.at.clone(),
            message: Some(self.message.clone()),
        }
    }

    /// The refusal for this one reason.
    pub(super) fn refusal(&self) -> answer::Refusal {
        refusal(std::slice::from_ref(self))
    }
}

/// A refusal of one kind, with no place in the manifest.
pub(super) fn refuse(code: Code, at: &str, message: impl Into<String>) -> answer::Refusal {
    Fault { code, at: at.to_owned(), message: message.into() }.refusal()
}

/// The refusal for these reasons, in their order.
pub(super) fn refusal(faults: &[Fault]) -> answer::Refusal {
    let first = faults.first();
    answer::Refusal {
        code: first.map(|fault| fault.code.name().to_owned()),
        at: first.map(|fault| fault.at.clone()),
        message: first.map(|fault| fault.message.clone()),
        faults: faults.iter().map(Fault::to_answer).collect(),
    }
}

/// What has been found so far.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub faults: List,
    pub warnings: List,
}

/// A list that keeps the first [`LISTED`] findings of the document.
#[derive(Debug, Default)]
pub(super) struct List {
    found: Vec<(u32, Fault)>,
    dropped: usize,
}

impl List {
    /// Whether nothing has been found.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Adds what has been found at the value of that number on the tape.
    pub fn add(
        &mut self,
        number: u32,
        code: Code,
        at: impl Into<String>,
        message: impl Into<String>,
    ) {
        if self.found.len() >= 2 * LISTED {
            self.settle();
        }
        self.found.push((number, Fault { code, at: at.into(), message: message.into() }));
    }

    /// Notes that there was more that was not looked at.
    pub fn cut(&mut self) {
        self.dropped += 1;
    }

    fn settle(&mut self) {
        // A stable sort: of several faults of one value the one found first comes first.
        self.found.sort_by_key(|(number, _)| *number);
        self.dropped += self.found.len().saturating_sub(LISTED);
        self.found.truncate(LISTED);
    }

    /// What was found, in document order.
    pub fn finish(mut self) -> Vec<Fault> {
        self.settle();
        let mut faults: Vec<Fault> = self.found.into_iter().map(|(_, fault)| fault).collect();
        if self.dropped > 0 {
            let message = format!("More was found than these {LISTED}.");
            faults.push(Fault { code: Code::More, at: String::new(), message });
        }
        faults
    }
}
