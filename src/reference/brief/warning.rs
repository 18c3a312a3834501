//! What is read all the same, and worth a word.
//!
//! Depends on nothing.

use std::fmt;

/// Something that a document or a trace should not do, and that is no ground to turn it down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Warning {
    /// No heading of level 1 begins `Briefing:`, or in a response `Response:`.
    NoTitle,
    /// A section that every brief should have is missing: Objective and the others.
    SectionMissing(&'static str),
    /// The body is too long, or lists and quotations in it are too deep, for its sections to be looked for.
    SectionsNotRead,
    /// A response's body is blank.
    BlankBody,
    /// A reader of YAML 1.1 sees line breaks in the front matter where YAML 1.2 has none.
    BreaksDiffer,
    /// The version is another than 1.2.
    OtherVersion,
    /// A response is dated before its brief.
    BeforeItsBrief,
    /// An entry of a trace, counted from 1, is dated before the one before it.
    Backwards(usize),
}

impl Warning {
    /// A short name, in kebab case.
    pub fn name(self) -> &'static str {
        match self {
            Warning::NoTitle => "no-title",
            Warning::SectionMissing(_) => "section-missing",
            Warning::SectionsNotRead => "sections-not-read",
            Warning::BlankBody => "blank-body",
            Warning::BreaksDiffer => "breaks-differ",
            Warning::OtherVersion => "other-version",
            Warning::BeforeItsBrief => "before-its-brief",
            Warning::Backwards(_) => "backwards",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::NoTitle => f.write_str("the body has no title of its kind"),
            Warning::SectionMissing(name) => write!(f, "the section {name} is missing"),
            Warning::SectionsNotRead => {
                f.write_str("the body is too long or too deep to look for sections")
            }
            Warning::BlankBody => f.write_str("the body is blank"),
            Warning::BreaksDiffer => {
                f.write_str("YAML 1.1 and 1.2 see different lines in the front matter")
            }
            Warning::OtherVersion => f.write_str("written for another version than 1.2"),
            Warning::BeforeItsBrief => f.write_str("the response is dated before its brief"),
            Warning::Backwards(entry) => {
                write!(f, "entry {entry} is dated before the one before it")
            }
        }
    }
}
