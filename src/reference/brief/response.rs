//! A response: what came of a brief.
//!
//! Depends on `document`, `front_matter` and what reads its members, `writing`, and `trace`.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::document::Brief;
use super::error::{BriefError, Fault};
use super::front_matter::{self, Parts};
use super::identity::{capability, file_name};
use super::members::Members;
use super::sections::{self, Outline};
use super::timestamp::Timestamp;
use super::trace::{NewEntry, Trace};
use super::warning::Warning;
use super::writing::Writing;

/// A response that was read, or written.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    id: String,
    status: String,
    timestamp: Timestamp,
    extra: Map<String, Value>,
    /// The whole document.
    content: String,
    /// Where the body begins in it.
    body: usize,
    breaks_differ: bool,
    to: Option<String>,
}

impl Response {
    /// Reads a `.response.md` document. The status may be any token: characters without blanks and controls.
    ///
    /// # Errors
    ///
    /// What is no document of front matter and body; a member that is missing or is not what it should be.
    pub fn parse(document: &[u8]) -> Result<Self, BriefError> {
        let Parts { members, body, breaks_differ, text } = front_matter::read(document)?;
        let mut members = Members::new(members);
        let response = Response {
            id: members.required("id")?,
            status: members.required("status")?,
            timestamp: members.timestamp()?,
            extra: members.extra(),
            content: text.to_owned(),
            body: text.len() - body.len(),
            breaks_differ,
            to: None,
        };
        if response.status.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return Err(Fault::NotAToken.of("status"));
        }
        Ok(response)
    }

    /// Reads the response to a brief.
    ///
    /// # Errors
    ///
    /// As [`Response::parse`], and [`Fault::OtherBrief`] where it answers another one.
    pub fn parse_to(document: &[u8], brief: &Brief) -> Result<Self, BriefError> {
        let response = Self::parse(document)?;
        if response.id == brief.id { Ok(response) } else { Err(Fault::OtherBrief.of("id")) }
    }

    /// The id of the brief that is answered.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// To whom it goes: the delegator of the brief, where it was made by [`Brief::respond`]. A document does not say it.
    pub fn to(&self) -> Option<&str> {
        self.to.as_deref()
    }

    /// The status; `success` is the one that the specification names.
    pub fn status(&self) -> &str {
        &self.status
    }

    /// Whether the status is `success`.
    pub fn is_success(&self) -> bool {
        self.status == "success"
    }

    /// When it was written.
    pub fn timestamp(&self) -> &Timestamp {
        &self.timestamp
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

    /// `<id>.response.md`, where the id is safe as part of a path.
    pub fn file_name(&self) -> Option<String> {
        file_name(&self.id, "response")
    }

    /// Whether it is dated before the brief that it answers.
    pub fn is_before(&self, brief: &Brief) -> bool {
        self.timestamp.cmp_in_time(&brief.timestamp) == Ordering::Less
    }

    /// What should not be, and is read all the same. A response's sections are its own affair: they are not missed.
    pub fn warnings(&self) -> Vec<Warning> {
        self.warnings_given(&self.outline())
    }

    /// The warnings, where the outline is at hand.
    pub(super) fn warnings_given(&self, outline: &Outline) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if self.breaks_differ {
            warnings.push(Warning::BreaksDiffer);
        }
        if self.body().trim().is_empty() {
            warnings.push(Warning::BlankBody);
        } else if !sections::is_looked_through(self.body()) {
            warnings.push(Warning::SectionsNotRead);
        } else if !outline.title.as_ref().is_some_and(|title| title.starts_with("Response:")) {
            warnings.push(Warning::NoTitle);
        }
        warnings
    }
}

/// What a response is made of.
#[derive(Debug, Clone)]
pub struct Answering {
    /// The status: a token, such as `success` or `failure`.
    pub status: String,
    /// The body.
    pub body: String,
    /// The date and time. Where absent the present, or the brief's where that is later.
    pub timestamp: Option<String>,
}

impl Answering {
    /// A response with this status and body, dated at the present.
    pub fn new(status: impl Into<String>, body: impl Into<String>) -> Self {
        Answering { status: status.into(), body: body.into(), timestamp: None }
    }
}

impl Brief {
    /// Answers the brief. The response goes to the brief's [`delegator`](Brief::delegator), and knows it
    /// ([`Response::to`]).
    ///
    /// # Errors
    ///
    /// What [`Response::parse`] would turn down, and [`Fault::BeforeItsBrief`].
    pub fn respond(&self, answering: Answering) -> Result<Response, BriefError> {
        let timestamp = answering
            .timestamp
            .unwrap_or_else(|| Timestamp::now_after([&self.timestamp]).to_string());
        let document = Writing::begin()
            .text("id", &self.id)
            .text("status", &answering.status)
            .text("timestamp", &timestamp)
            .end(&answering.body)?;
        let mut response = Response::parse(document.as_bytes())?;
        response.to = Some(self.delegator.clone());
        if response.is_before(self) {
            return Err(Fault::BeforeItsBrief.of("timestamp"));
        }
        Ok(response)
    }

    /// Answers the brief, and says so in the trace that goes back with the response.
    ///
    /// Where no agent is named it is the brief's delegatee.
    ///
    /// # Errors
    ///
    /// As [`Brief::respond`] and [`Trace::append`]; [`Fault::Missing`] where no agent is named and the delegatee is
    /// a capability.
    pub fn respond_with_trace(
        &self,
        answering: Answering,
        trace: &Trace,
        agent: Option<&str>,
    ) -> Result<(Response, Trace), BriefError> {
        let by_name = capability(&self.delegatee).is_none().then_some(self.delegatee.as_str());
        let agent = agent.or(by_name).ok_or_else(|| Fault::Missing.of("agent"))?;
        let given = answering.timestamp.is_some();
        let mut answering = answering;
        if !given {
            let seen = trace.entries().iter().map(|entry| &entry.timestamp);
            let now = Timestamp::now_after(seen.chain([&self.timestamp]));
            answering.timestamp = Some(now.to_string());
        }
        let response = self.respond(answering)?;
        let name = response.file_name();
        let action = match &name {
            Some(name) => format!("Responded with `{name}`."),
            None => "Responded.".to_owned(),
        };
        let trace = trace.append(&NewEntry {
            agent,
            timestamp: response.timestamp.as_str(),
            action: &action,
            brief: name.is_some().then_some(self.id.as_str()),
        })?;
        Ok((response, trace))
    }
}
