//! The headings of a body, found by a Markdown parser: the title, and the sections of level 2 by name.
//!
//! What looks like a heading inside a fenced or indented code block, an HTML block or comment, a quotation or a list
//! is none. A heading underlined by `---` is one (CommonMark 0.31 section 4.3). Numbering before a name (`1.`, `2)`,
//! `3.1.`) is left off.
//!
//! # Bounds
//!
//! On every line, the parser walks the lists and quotations that are open, and a line that continues a paragraph lazily
//! keeps them all open (CommonMark 0.31 sections 5.1 and 5.2): depth times lines, quadratic on a text that is made for
//! it. So no body longer than [`LONGEST`] or deeper than [`DEEPEST`] is given to the parser.
//!
//! Depends on `pulldown-cmark`.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// How long a body may be for its sections to be looked for, in bytes.
///
/// Whatever is longer is handed over as a body alone, and warned of.
pub const LONGEST: usize = 4 << 20;

/// How deep lists and quotations may be nested in a body for its sections to be looked for.
///
/// It is counted by what stands in front of a line: markers, and two columns of indentation for one of them. So a rule
/// of more than a hundred hyphens with blanks between them counts as well.
pub const DEEPEST: usize = 100;

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
    /// The outline of a body; empty where it is longer than [`LONGEST`] or deeper than [`DEEPEST`].
    pub fn of(body: &str) -> Self {
        if !is_looked_through(body) {
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

/// Whether sections are looked for in a body.
pub(super) fn is_looked_through(body: &str) -> bool {
    body.len() <= LONGEST && body.split(['\n', '\r']).all(|line| depth(line) <= DEEPEST)
}

/// How many lists and quotations may be open behind what a line begins with; 0 where it opens none. Never too few: a
/// container that stays open takes its `>` or, of a list, two columns at least.
fn depth(line: &str) -> usize {
    let mut rest = line;
    let (mut markers, mut columns) = (0, 0);
    while markers <= DEEPEST {
        let text = rest.trim_start_matches([' ', '\t']);
        let blanks = rest.get(..rest.len() - text.len()).unwrap_or_default();
        columns += blanks.bytes().map(|blank| if blank == b'\t' { 4 } else { 1 }).sum::<usize>();
        let Some(after) = after_marker(text) else { break };
        markers += 1;
        // The blank behind a marker is the marker's own.
        rest = after.strip_prefix([' ', '\t']).unwrap_or(after);
    }
    if markers == 0 { 0 } else { markers + columns / 2 }
}

/// What stands behind the marker of a quotation or a list.
fn after_marker(text: &str) -> Option<&str> {
    if let Some(after) = text.strip_prefix('>') {
        return Some(after);
    }
    let number = text.bytes().take_while(u8::is_ascii_digit).count();
    let after = match number {
        0 => text.strip_prefix(['-', '+', '*']),
        // CommonMark (section 5.2) has no more digits.
        1..=9 => text.get(number..).and_then(|text| text.strip_prefix(['.', ')'])),
        _ => None,
    }?;
    (after.is_empty() || after.starts_with([' ', '\t'])).then_some(after)
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

/// A text without blank lines at its ends (those of blanks and tabs alone) and without its last line break; the
/// indentation of its first line stays.
fn without_blank_lines(text: &str) -> &str {
    const BLANK: [char; 4] = [' ', '\t', '\r', '\n'];
    const BREAK: [char; 2] = ['\r', '\n'];
    let written = text.trim_end_matches(BLANK).len();
    if written == 0 {
        return "";
    }
    let end = text.get(written..).and_then(|blank| blank.find(BREAK));
    let text = text.get(..end.map_or(text.len(), |end| written + end)).unwrap_or_default();
    let blank = text.len() - text.trim_start_matches(BLANK).len();
    let start = text.get(..blank).and_then(|blank| blank.rfind(BREAK)).map_or(0, |at| at + 1);
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

    #[test]
    fn is_what_is_nested_beyond_the_bound_left_alone() {
        let stairs = |levels: usize, indent: &str| -> String {
            (0..levels).map(|level| format!("{}- a\n", indent.repeat(level))).collect()
        };
        let nested = |n: usize| -> Vec<String> {
            let runs = ["> ", ">", "- ", "-\t", "+ ", "* ", "1. ", "1) ", "123456789. ", "> - "];
            let times = |run: &str| n.div_ceil(run.split_whitespace().count());
            let runs = runs.map(|run| format!("{}a\n", run.repeat(times(run))));
            let stairs = [stairs(n + 1, "  "), stairs(n + 1, "    "), stairs(n / 2 + 1, "\t")];
            runs.into_iter().chain(stairs).collect()
        };
        for text in nested(DEEPEST + 1) {
            assert_eq!(names(&format!("## A\n\n{text}")), [""; 0], "{text}");
        }
        for text in nested(DEEPEST / 4) {
            assert_eq!(names(&format!("## A\n\n{text}")), ["A"], "{text}");
        }
        for plain in ["-", "*", "#", "a ", " ", "    ", "\t", "1.", "--- ", "**a** "] {
            let line = plain.repeat(2 * DEEPEST);
            assert_eq!(names(&format!("## A\n\n    {line}\n{line}")).len(), 1, "{plain:?}");
        }
    }

    #[test]
    fn are_blank_lines_alone_left_off() {
        for (text, left) in [
            ("\n \n\t\n  a  \n\n", "  a  "),
            ("\r\n\r\na\r\n \r\n", "a"),
            ("\u{A0}\na\n\u{3000}\n", "\u{A0}\na\n\u{3000}"),
            ("a\u{2028}\n", "a\u{2028}"),
            ("\u{2028}a", "\u{2028}a"),
            (" \n\n", ""),
            ("", ""),
            ("  a", "  a"),
        ] {
            assert_eq!(without_blank_lines(text), left, "{text:?}");
        }
    }
}
