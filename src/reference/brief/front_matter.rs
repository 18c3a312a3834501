//! The front matter of a document, read from the events of a YAML 1.2 parser, and the body left as it is.
//!
//! No tree of typed values is built on the way: a scalar stays the text that it was, with the one bit of whether it
//! was plain. Refused are aliases, tags, merge keys, duplicate keys, keys that are no scalars, a second YAML document
//! and a `---` of its own inside; an anchor that nothing refers to changes nothing and is read over. YAML knows no
//! recursion here but [`DEPTH`] levels, and no text longer than [`LONGEST`].
//!
//! # Fences
//!
//! A fence is a line of `---` and nothing but blanks and tabs after it, ended by LF, CRLF or the end of the document.
//! The first line is one, and the next one ends the front matter: YAML itself admits no line `---` inside a mapping,
//! so that no value, comment or block can hold one back. `---js`, `----` and a byte order mark before the first fence
//! make no fence. `...` may end the mapping before the closing fence; anything but comments after it is refused, and a
//! mapping after a `...` as well: these are two documents. A directive (`%YAML`) has no place: the fence stands before
//! it.
//!
//! # Characters
//!
//! YAML (section 5.1) has C0 controls but tab, LF and CR nowhere; DEL, C1 controls, U+FEFF, U+FFFE and U+FFFF only
//! inside quotes. NEL, U+2028 and U+2029 are characters to YAML 1.2 and line breaks to YAML 1.1: read, and warned of.
//!
//! Depends on `saphyr-parser`.

use std::collections::HashSet;
use std::iter::{Enumerate, Peekable};
use std::str::Chars;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Span};

use super::error::{BriefError, Fault};

/// How long front matter may be, in bytes.
///
/// The parser looks ahead to the end of a list that might turn out to be a key: on text that is made for it, that takes
/// up to 260 bytes of memory a byte, while it lasts; a list of short items takes 110, a long text 1.
pub const LONGEST: usize = 2 << 20;

/// How deep collections may be nested in front matter.
pub const DEPTH: usize = 64;

/// A document, taken apart.
#[derive(Debug)]
pub(super) struct Parts<'a> {
    /// The members of the front matter in their order.
    pub members: Vec<(String, Node)>,
    /// Whatever follows the closing fence's line.
    pub body: &'a str,
    /// Whether a YAML 1.1 reader sees line breaks in the front matter that YAML 1.2 doesn't.
    pub breaks_differ: bool,
    /// The whole document.
    pub text: &'a str,
}

/// A value in front matter.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    /// Plain `null`, `~` or nothing.
    Null,
    /// A plain scalar: the text, whatever type a reader may see in it.
    Plain(String),
    /// A quoted or block scalar.
    Text(String),
    /// A sequence.
    List(Vec<Node>),
    /// A mapping.
    Map(Vec<(String, Node)>),
}

/// Takes a document apart.
///
/// # Errors
///
/// The faults of encoding, of the fences, of YAML, and those that the module names.
pub(super) fn read(document: &[u8]) -> Result<Parts<'_>, BriefError> {
    let text = std::str::from_utf8(document).map_err(|_| Fault::NotUtf8)?;
    let (front, body) = split(text)?;
    if front.len() > LONGEST {
        return Err(Fault::FrontMatterTooLong(LONGEST).into());
    }
    let characters = Characters::of(front)?;
    let members = Reader::new(front, characters.odd).read()?;
    Ok(Parts { members, body, breaks_differ: characters.breaks_differ, text })
}

/// The front matter and the body.
fn split(text: &str) -> Result<(&str, &str), BriefError> {
    let (first, rest) = cut_line(text);
    if !is_fence(first) {
        return Err(Fault::NoOpeningFence.on_line(1));
    }
    let mut left = rest;
    while !left.is_empty() {
        let (line, after) = cut_line(left);
        if is_fence(line) {
            let front = rest.get(..rest.len() - left.len()).unwrap_or_default();
            return Ok((front, after));
        }
        left = after;
    }
    Err(Fault::NoClosingFence.into())
}

/// The first line without its LF, and the rest.
fn cut_line(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}

fn is_fence(line: &str) -> bool {
    let line = line.strip_suffix('\r').unwrap_or(line);
    line.trim_end_matches([' ', '\t']) == "---"
}

/// What the characters of front matter tell before it is parsed.
struct Characters {
    /// Where characters are that YAML has only inside quotes, counted in characters.
    odd: Vec<usize>,
    breaks_differ: bool,
}

impl Characters {
    fn of(front: &str) -> Result<Self, BriefError> {
        let mut found = Characters { odd: Vec::new(), breaks_differ: false };
        let mut line = 2;
        for (index, c) in front.chars().enumerate() {
            match c {
                '\n' => line += 1,
                '\t' | '\r' => {}
                '\u{85}' | '\u{2028}' | '\u{2029}' => found.breaks_differ = true,
                '\0'..'\u{20}' => {
                    let reason = format!("the control character U+{:04X}", u32::from(c));
                    return Err(Fault::NotYaml(reason).on_line(line));
                }
                '\u{7F}'..'\u{A0}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}' => found.odd.push(index),
                _ => {}
            }
        }
        Ok(found)
    }
}

/// A collection that is being read.
enum Open {
    List(Vec<Node>),
    Map { members: Vec<(String, Node)>, keys: HashSet<String>, key: Option<String> },
}

/// Whether a `...` stands before all content. Behind the fence it ends a document that is empty, and what follows is
/// another one; the parser, which is not told of the fence, takes no notice.
fn is_ended_before_it_begins(front: &str) -> bool {
    let mut lines = front.split(['\n', '\r']);
    let passed = |line: &&str| {
        let text = line.trim_start_matches([' ', '\t']);
        !text.is_empty() && !text.starts_with('#')
    };
    let end = lines.find(passed).and_then(|line| line.strip_prefix("..."));
    end.is_some_and(|after| after.is_empty() || after.starts_with([' ', '\t']))
}

/// Puts events together to members.
struct Reader<'a> {
    front: &'a str,
    open: Vec<Open>,
    done: Option<Vec<(String, Node)>>,
    /// The characters that have to be inside quotes, and were not yet.
    odd: Peekable<std::vec::IntoIter<usize>>,
    /// The front matter from the last quoted scalar on.
    ahead: Enumerate<Chars<'a>>,
}

impl<'a> Reader<'a> {
    fn new(front: &'a str, odd: Vec<usize>) -> Self {
        let odd = odd.into_iter().peekable();
        let ahead = front.chars().enumerate();
        Reader { front, open: Vec::new(), done: None, odd, ahead }
    }

    fn read(mut self) -> Result<Vec<(String, Node)>, BriefError> {
        for event in Parser::new_from_str(self.front) {
            let (event, span) = event.map_err(|error| not_yaml(&error))?;
            let line = line_of(&span.start);
            self.take(event, span).map_err(|fault| {
                let key = self.key().map(str::to_owned);
                BriefError { fault, member: key, line: Some(line) }
            })?;
        }
        if self.odd.next().is_some() {
            let reason = "a character that YAML has only inside quotes".to_owned();
            return Err(Fault::NotYaml(reason).into());
        }
        match self.done {
            Some(_) if is_ended_before_it_begins(self.front) => Err(Fault::SecondDocument.into()),
            Some(members) => Ok(members),
            None => Err(Fault::NotAMapping.into()),
        }
    }

    /// The key at hand, for errors.
    fn key(&self) -> Option<&str> {
        self.open.iter().find_map(|open| match open {
            Open::Map { key, .. } => key.as_deref(),
            Open::List(_) => None,
        })
    }

    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), Fault> {
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => Ok(()),
            // The fence has been the one marker; any other begins a document of its own.
            Event::DocumentStart(true) => Err(Fault::SecondDocument),
            Event::DocumentStart(false) if self.done.is_some() => Err(Fault::SecondDocument),
            Event::DocumentStart(false) => Ok(()),
            Event::Alias(_) => Err(Fault::Alias),
            Event::Scalar(_, _, _, Some(_))
            | Event::SequenceStart(_, Some(_))
            | Event::MappingStart(_, Some(_)) => Err(Fault::Tag),
            Event::Scalar(text, style, _, None) => self.scalar(text.into_owned(), style, span),
            Event::SequenceStart(_, None) => self.begin(Open::List(Vec::new())),
            Event::MappingStart(_, None) => {
                self.begin(Open::Map { members: Vec::new(), keys: HashSet::new(), key: None })
            }
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(Open::List(items)) => self.value(Node::List(items)),
                Some(Open::Map { members, .. }) if self.open.is_empty() => {
                    self.done = Some(members);
                    Ok(())
                }
                Some(Open::Map { members, .. }) => self.value(Node::Map(members)),
                None => Err(Fault::NotAMapping),
            },
        }
    }

    fn begin(&mut self, collection: Open) -> Result<(), Fault> {
        match (self.open.last(), &collection) {
            (None, Open::List(_)) => return Err(Fault::NotAMapping),
            (Some(Open::Map { key: None, .. }), _) => return Err(Fault::ComplexKey),
            _ => {}
        }
        if self.open.len() >= DEPTH {
            return Err(Fault::TooDeep(DEPTH));
        }
        self.open.push(collection);
        Ok(())
    }

    fn scalar(&mut self, text: String, style: ScalarStyle, span: Span) -> Result<(), Fault> {
        if matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted) {
            self.pass_quoted(span.start.index());
        }
        let plain = style == ScalarStyle::Plain;
        match self.open.last_mut() {
            None => Err(Fault::NotAMapping),
            Some(Open::Map { key: slot @ None, keys, .. }) => {
                if plain && text == "<<" {
                    return Err(Fault::MergeKey);
                }
                let new = keys.insert(text.clone());
                *slot = Some(text);
                if new { Ok(()) } else { Err(Fault::DuplicateKey) }
            }
            Some(_) => self.value(match text.as_str() {
                "" | "~" | "null" | "Null" | "NULL" if plain => Node::Null,
                _ if plain => Node::Plain(text),
                _ => Node::Text(text),
            }),
        }
    }

    /// Takes note of the odd characters in the quoted scalar that starts here. (Where it ends the parser does not tell:
    /// its span goes on to what follows.)
    fn pass_quoted(&mut self, start: usize) {
        if self.odd.peek().is_none() {
            return;
        }
        let Some((_, quote)) = self.ahead.find(|(index, _)| *index == start) else { return };
        let mut end = start;
        while let Some((index, c)) = self.ahead.next() {
            if c == '\\' && quote == '"' {
                self.ahead.next();
            } else if c == quote {
                // In single quotes, two of them stand for one.
                let next = self.ahead.clone().next().map(|(_, next)| next);
                if quote == '"' || next != Some(quote) {
                    end = index;
                    break;
                }
                self.ahead.next();
            }
        }
        let quotes = start..end;
        while self.odd.next_if(|at| quotes.contains(at)).is_some() {}
    }

    fn value(&mut self, node: Node) -> Result<(), Fault> {
        match self.open.last_mut() {
            Some(Open::List(items)) => items.push(node),
            Some(Open::Map { members, key, .. }) => match key.take() {
                Some(key) => members.push((key, node)),
                None => return Err(Fault::ComplexKey),
            },
            None => return Err(Fault::NotAMapping),
        }
        Ok(())
    }
}

/// The line of the document, given that the first fence stands before the front matter.
fn line_of(mark: &Marker) -> usize {
    mark.line() + 1
}

fn not_yaml(error: &ScanError) -> BriefError {
    Fault::NotYaml(error.info().to_owned()).on_line(line_of(error.marker()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(front: &str) -> Result<Vec<(String, Node)>, Fault> {
        let document = format!("---\n{front}\n---\nbody");
        read(document.as_bytes()).map(|parts| parts.members).map_err(|error| error.fault)
    }

    fn value(text: &str) -> Result<Node, Fault> {
        let mut members = members(&format!("k: {text}"))?;
        assert_eq!(members.len(), 1);
        Ok(members.remove(0).1)
    }

    #[test]
    fn does_no_scalar_become_another_type_on_the_way() {
        for text in ["no", "123", "1.0", "0x1f", "2026-02-06", "010", ".inf", "true", "1_000"] {
            assert_eq!(value(text), Ok(Node::Plain(text.to_owned())));
            assert_eq!(value(&format!("\"{text}\"")), Ok(Node::Text(text.to_owned())));
            assert_eq!(value(&format!("'{text}'")), Ok(Node::Text(text.to_owned())));
        }
        for text in ["", "~", "null", "Null", "NULL"] {
            assert_eq!(value(text), Ok(Node::Null), "{text:?}");
        }
        for text in ["\"\"", "''", "\"null\"", "nUll"] {
            assert_ne!(value(text), Ok(Node::Null), "{text:?}");
        }
    }

    #[test]
    fn is_what_lets_two_readers_differ_refused() {
        assert_eq!(members("a: &x 1\nb: *x"), Err(Fault::Alias));
        assert_eq!(members("a: !!str 1"), Err(Fault::Tag));
        assert_eq!(members("a: !!python/object/apply:os.system [id]"), Err(Fault::Tag));
        assert_eq!(members("a: !local {}"), Err(Fault::Tag));
        assert_eq!(members("<<: {a: 1}"), Err(Fault::MergeKey));
        assert_eq!(members("a: {<<: {b: 1}}"), Err(Fault::MergeKey));
        assert_eq!(members("a: 1\n\"a\": 2"), Err(Fault::DuplicateKey));
        assert_eq!(members("a: 1\n\"\\x61\": 2"), Err(Fault::DuplicateKey));
        assert_eq!(members("a: {b: 1, b: 2}"), Err(Fault::DuplicateKey));
        assert_eq!(members("? [a]\n: 1"), Err(Fault::ComplexKey));
        assert_eq!(members("? {a: b}\n: 1"), Err(Fault::ComplexKey));
        assert_eq!(members("{{a: b}: c}"), Err(Fault::ComplexKey));
    }

    #[test]
    fn are_the_twins_of_those_read() {
        assert_eq!(members("a: &x 1").map(|m| m.len()), Ok(1));
        assert_eq!(members("\"<<\": 1").map(|m| m.len()), Ok(1));
        assert_eq!(members("a: 1\nA: 2").map(|m| m.len()), Ok(2));
        assert_eq!(members("a: {b: 1}\nc: {b: 1}").map(|m| m.len()), Ok(2));
        assert_eq!(members("? a\n: 1").map(|m| m.len()), Ok(1));
        assert_eq!(members("{a: 1, b: 2}").map(|m| m.len()), Ok(2));
        assert_eq!(members("a: 1 # a comment\n# another").map(|m| m.len()), Ok(1));
        assert_eq!(members("a: 1\n...\n# a comment").map(|m| m.len()), Ok(1));
    }

    #[test]
    fn is_the_front_matter_one_mapping() {
        for front in ["", "# only a comment", "text", "- a", "[a]", "\"a: b\"", "..."] {
            assert_eq!(members(front), Err(Fault::NotAMapping), "{front:?}");
        }
        assert_eq!(members("a: 1\n...\nb: 2"), Err(Fault::SecondDocument));
        for end in ["...", "... # end", "# empty\n\n...", "...\r", "...\n# empty\n..."] {
            assert_eq!(members(&format!("{end}\na: 1")), Err(Fault::SecondDocument), "{end:?}");
        }
        assert_eq!(members("...a: 1").map(|m| m.len()), Ok(1));
        assert_eq!(members("--- # again\na: 1"), Err(Fault::SecondDocument));
        assert_eq!(members("a: 1\n--- # again\na: 1"), Err(Fault::SecondDocument));
        assert_eq!(members("%YAML 1.2\n--- # again\na: 1"), Err(Fault::SecondDocument));
        assert!(matches!(members("%YAML 1.2\na: 1"), Err(Fault::NotYaml(_))));
    }

    #[test]
    fn what_is_a_fence() {
        let split_of = |text| split(text).map_err(|error| error.fault);
        assert_eq!(split_of("---\na: 1\n---\nbody\n"), Ok(("a: 1\n", "body\n")));
        assert_eq!(split_of("---\r\na: 1\r\n---\r\nbody\r\n"), Ok(("a: 1\r\n", "body\r\n")));
        assert_eq!(split_of("--- \t\na: 1\n---\t \r\n"), Ok(("a: 1\n", "")));
        assert_eq!(split_of("---\na: 1\n---"), Ok(("a: 1\n", "")));
        assert_eq!(split_of("---\n---\n---\n"), Ok(("", "---\n")));
        for text in ["", "\n---\na: 1\n---\n", "\u{FEFF}---\na: 1\n---\n", " ---\n---\n"] {
            assert_eq!(split_of(text), Err(Fault::NoOpeningFence), "{text:?}");
        }
        for text in ["---js\n---\n", "----\n---\n", "---\ra: 1\r---\r", "--- #\n---\n", "—\n---\n"]
        {
            assert_eq!(split_of(text), Err(Fault::NoOpeningFence), "{text:?}");
        }
        for text in ["---", "---\n", "---\na: 1\n", "---\n ---\n", "---\n----\n--- x\n...\n"] {
            assert_eq!(split_of(text), Err(Fault::NoClosingFence), "{text:?}");
        }
    }

    #[test]
    fn are_characters_read_where_yaml_has_them() {
        for c in ['\u{7F}', '\u{80}', '\u{9F}', '\u{FEFF}', '\u{FFFE}', '\u{FFFF}'] {
            assert_eq!(value(&format!("\"a{c}b\"")), Ok(Node::Text(format!("a{c}b"))), "{c:?}");
            assert_eq!(value(&format!("'a{c}b'")), Ok(Node::Text(format!("a{c}b"))), "{c:?}");
            assert_eq!(value(&format!("'a''{c}b'")), Ok(Node::Text(format!("a'{c}b"))), "{c:?}");
            assert_eq!(value(&format!("\"\\\"{c}\"")), Ok(Node::Text(format!("\"{c}"))), "{c:?}");
            assert!(matches!(value(&format!("a{c}b")), Err(Fault::NotYaml(_))), "{c:?}");
            assert!(matches!(value(&format!("\"a\" # {c}")), Err(Fault::NotYaml(_))), "{c:?}");
            assert!(matches!(value(&format!("\"é\" # {c} \"a\"")), Err(Fault::NotYaml(_))));
            assert!(matches!(members(&format!("{c}a: 1")), Err(Fault::NotYaml(_))), "{c:?}");
        }
        for c in ['\0', '\u{1}', '\u{8}', '\u{B}', '\u{C}', '\u{1F}'] {
            assert!(matches!(value(&format!("\"a{c}b\"")), Err(Fault::NotYaml(_))), "{c:?}");
        }
        for c in ['\u{85}', '\u{2028}', '\u{2029}', '\u{A0}', '\u{E000}', '🎉'] {
            assert_eq!(value(&format!("\"a{c}b\"")), Ok(Node::Text(format!("a{c}b"))), "{c:?}");
            assert_eq!(value(&format!("a{c}b")), Ok(Node::Plain(format!("a{c}b"))), "{c:?}");
        }
        assert!(matches!(value(r#""\ud800""#), Err(Fault::NotYaml(_))));
        assert!(matches!(members("a:\n\tb: 1"), Err(Fault::NotYaml(_))));
    }

    #[test]
    fn does_nesting_end_at_its_bound() {
        let lists = |n: usize| format!("a: {}{}", "[".repeat(n), "]".repeat(n));
        assert!(members(&lists(DEPTH - 1)).is_ok());
        assert_eq!(members(&lists(DEPTH)), Err(Fault::TooDeep(DEPTH)));
        let blocks = |n: usize| format!("a:\n  {}x", "- ".repeat(n));
        assert!(members(&blocks(DEPTH - 1)).is_ok());
        assert_eq!(members(&blocks(10_000)), Err(Fault::TooDeep(DEPTH)));
    }

    #[test]
    fn is_the_place_of_a_fault_named() {
        let error = read(b"---\na: 1\nb:\n  - c\n  - *x\n---\n").unwrap_err();
        assert_eq!((error.line, error.fault.name()), (Some(5), "not-yaml"));
        let error = read(b"---\na: 1\nb:\n  - !c x\n---\n").unwrap_err();
        assert_eq!((error.line, error.member.as_deref()), (Some(4), Some("b")));
    }
}
