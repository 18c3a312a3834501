//! The headings of a body, found by a Markdown parser: the title, and the sections of level 2 by name.
//!
//! What looks like a heading inside a fenced or indented code block, an HTML block or comment, a quotation or a list
//! is none. A heading underlined by `---` is one (CommonMark 0.31 section 4.3). Numbering before a name (`1.`, `2)`,
//! `3.1.`) is left off.
//!
//! Depends on `pulldown-cmark`.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// How long a body may be for its sections to be looked for, in bytes.
///
/// On text that is made for it, the Markdown parser takes up to a microsecond a byte. Whatever is longer is handed over
/// as a body alone, and warned of.
pub const LONGEST: usize = 4 << 20;

/// A section of level 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The heading's text without numbering.
    pub name: String,
    /// The Markdown source from under the heading to the next one of level 1 or 2, without blank lines around it.
    pub text: String,
}

/// What a body's headings tell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// The text of the first heading of level 1.
    pub title: Option<String>,
    /// The sections, in order; two of one name are two.
    pub sections: Vec<Section>,
}

/// A heading of level 1 or 2.
struct Heading {
    level: HeadingLevel,
    text: String,
    start: usize,
    end: usize,
}

impl Outline {
    /// The outline of a body; empty where it is longer than [`LONGEST`].
    pub fn of(body: &str) -> Self {
        if body.len() > LONGEST {
            return Outline::default();
        }
        let headings = headings(body);
        let title = headings.iter().find(|heading| heading.level == HeadingLevel::H1);
        let ends = headings.iter().skip(1).map(|next| next.start).chain([body.len()]);
        let sections = headings.iter().zip(ends);
        let sections = sections.filter(|(heading, _)| heading.level == HeadingLevel::H2);
        let sections = sections.map(|(heading, end)| Section {
            name: without_numbering(&heading.text).to_owned(),
            text: without_blank_lines(body.get(heading.end..end).unwrap_or_default()).to_owned(),
        });
        Outline { title: title.map(|title| title.text.clone()), sections: sections.collect() }
    }

    /// The text of the first section of this name.
    pub fn section(&self, name: &str) -> Option<&str> {
        self.sections.iter().find(|section| section.name == name).map(|found| found.text.as_str())
    }
}

fn headings(body: &str) -> Vec<Heading> {
    let mut headings: Vec<Heading> = Vec::new();
    let mut containers = 0_usize;
    let mut open: Option<Heading> = None;
    for (event, range) in Parser::new_ext(body, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(Tag::BlockQuote(_) | Tag::List(_)) => containers += 1,
            Event::End(TagEnd::BlockQuote(_) | TagEnd::List(_)) => {
                containers = containers.saturating_sub(1);
            }
            Event::Start(Tag::Heading { level, .. })
                if containers == 0 && matches!(level, HeadingLevel::H1 | HeadingLevel::H2) =>
            {
                let (start, end) = (range.start, range.end);
                open = Some(Heading { level, text: String::new(), start, end });
            }
            Event::End(TagEnd::Heading(_)) => headings.extend(open.take()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut open {
                    heading.text.push_str(&text);
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some(heading) = &mut open {
                    heading.text.push(' ');
                }
            }
            _ => {}
        }
    }
    headings
}

/// The name after numbering such as `1. `, `2) ` or `3.1. `; the whole where nothing else is left.
fn without_numbering(heading: &str) -> &str {
    let numbering = |c: char| c.is_ascii_digit() || c == '.';
    let rest = heading.trim_start_matches(numbering);
    let number = heading.strip_suffix(rest).unwrap_or_default();
    let (number, rest) = match rest.strip_prefix(')') {
        Some(after) if number.ends_with(|c: char| c.is_ascii_digit()) => (true, after),
        _ => (number.contains('.') && number.starts_with(|c: char| c.is_ascii_digit()), rest),
    };
    match rest.trim_start() {
        name if number && !name.is_empty() && name.len() < rest.len() => name,
        _ => heading,
    }
}

/// A text without blank lines at its ends; the indentation of its first line stays.
fn without_blank_lines(text: &str) -> &str {
    let text = text.trim_end();
    let blank = text.len() - text.trim_start().len();
    let start = text.get(..blank).and_then(|blank| blank.rfind('\n')).map_or(0, |at| at + 1);
    text.get(start..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(body: &str) -> Vec<String> {
        Outline::of(body).sections.into_iter().map(|section| section.name).collect()
    }

    #[test]
    fn are_sections_given_by_name_with_their_text() {
        let body = "# Briefing: X\n## 1. Objective\nDo it.\n\n### More\nWell.\n\n## Context & History\n\n    code\n\n# End\nno section\n";
        let outline = Outline::of(body);
        assert_eq!(outline.title.as_deref(), Some("Briefing: X"));
        assert_eq!(outline.section("Objective"), Some("Do it.\n\n### More\nWell."));
        assert_eq!(outline.section("Context & History"), Some("    code"));
        assert_eq!(outline.sections.len(), 2);
    }

    #[test]
    fn is_what_only_looks_like_a_heading_no_section() {
        assert_eq!(names("```\n## A\n```\n~~~md\n## B\n~~~\n"), [""; 0]);
        assert_eq!(names("<!--\n## A\n-->\n"), [""; 0]);
        assert_eq!(names("<!-- x --> \n## A\n"), ["A"]);
        assert_eq!(names("    ## A\n"), [""; 0]);
        assert_eq!(names("> ## A\n\n- ## B\n"), [""; 0]);
        assert_eq!(names("##A\n\n\\## B\n"), [""; 0]);
        assert_eq!(names("```\n## A"), [""; 0]);
    }

    #[test]
    fn is_numbering_left_off_and_nothing_else() {
        for (heading, name) in [
            ("1. Objective", "Objective"),
            ("12) Objective", "Objective"),
            ("3.1. A", "A"),
            ("3.1 A", "A"),
            ("2026 plans", "2026 plans"),
            ("1.", "1."),
            ("1.0", "1.0"),
            (".5 A", ".5 A"),
            ("1.A", "1.A"),
            ("Objective", "Objective"),
            ("", ""),
        ] {
            assert_eq!(without_numbering(heading), name);
        }
    }

    #[test]
    fn are_other_spellings_of_headings_seen() {
        assert_eq!(names("Objective\n---\ntext\n"), ["Objective"]);
        assert_eq!(names("## The *very* `code` ##\r\ntext\r\n"), ["The very code"]);
        assert_eq!(names("text\n\n---\n\ntext\n"), [""; 0]);
    }

    #[test]
    fn is_a_body_beyond_the_bound_left_alone() {
        let body = format!("## A\n{}", "x".repeat(LONGEST));
        assert_eq!(Outline::of(&body), Outline::default());
        assert_eq!(names(body.get(..LONGEST).unwrap_or_default()), ["A"]);
    }
}
