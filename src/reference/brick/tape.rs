//! A JSON text that has been read: a tape of eight bytes for each value and each member name. `reader` fills it.
//!
//! A manifest may have a million capabilities, so there is no tree of owned values: an entry says where a value begins
//! in the text and where it ends, strings are unescaped when somebody asks for them, and what nobody asks for costs
//! nothing more. Entries stand in document order, so an entry's number orders faults, too.
//!
//! Depends on `pointer`.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::pointer::push as push_name;

/// Set in the link of a string that has escapes.
pub(super) const ESCAPED: u32 = 1 << 31;

/// One value or member name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    /// Where it begins in the text.
    pub start: u32,
    /// Of an array or object: the number of the entry behind it and all that it holds; 0 while it is open. Of anything
    /// else: where it ends in the text, for a string at its closing quote.
    pub link: u32,
}

/// A text that has been read.
#[derive(Debug)]
pub(super) struct Tape<'a> {
    pub text: &'a str,
    pub entries: Vec<Entry>,
}

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

/// One value of a tape, or one name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Value<'t> {
    tape: &'t Tape<'t>,
    at: u32,
}

impl<'a> Tape<'a> {
    /// The outermost value.
    pub fn root(&self) -> Value<'_> {
        Value { tape: self, at: 0 }
    }

    /// The value of an entry's number.
    pub fn value(&self, at: u32) -> Value<'_> {
        Value { tape: self, at }
    }

    fn entry(&self, at: u32) -> Entry {
        self.entries.get(at as usize).copied().unwrap_or(Entry { start: 0, link: 0 })
    }

    pub fn byte(&self, at: u32) -> u8 {
        self.text.as_bytes().get(self.entry(at).start as usize).copied().unwrap_or_default()
    }

    /// The number of the entry behind a value.
    fn behind(&self, at: u32) -> u32 {
        match self.byte(at) {
            b'[' | b'{' => match self.entry(at).link {
                0 => u32::try_from(self.entries.len()).unwrap_or(u32::MAX),
                link => link,
            },
            _ => at + 1,
        }
    }
}

impl Tape<'_> {
    /// The JSON Pointer to the value of that number, or to the member whose name has it. The walk looks at all that
    /// stands before it in the arrays and objects around it.
    pub fn pointer(&self, target: u32) -> String {
        let mut path = String::new();
        let mut around = self.root();
        // Each turn goes one level down, and levels are bounded.
        while around.at < target {
            let before = |at: u32| at <= target;
            let named = around.members().take_while(|(name, _)| before(name.at)).last();
            let counted = around.items().take_while(|item| before(item.at)).enumerate().last();
            around = match (named, counted) {
                (Some((name, value)), _) => {
                    push_name(&mut path, &name.string().unwrap_or_default());
                    value
                }
                (None, Some((index, item))) => {
                    path.push_str(&format!("/{index}"));
                    item
                }
                (None, None) => break,
            };
        }
        path
    }
}

impl<'t> Value<'t> {
    /// Its number on the tape; numbers ascend in document order.
    pub fn number(self) -> u32 {
        self.at
    }

    /// The tape that it stands on, as an address.
    pub fn tape_address(self) -> usize {
        std::ptr::from_ref(self.tape) as usize
    }

    pub fn kind(self) -> Kind {
        match self.tape.byte(self.at) {
            b'{' => Kind::Object,
            b'[' => Kind::Array,
            b'"' => Kind::String,
            b't' | b'f' => Kind::Boolean,
            b'n' => Kind::Null,
            _ => Kind::Number,
        }
    }

    /// A string's text.
    pub fn string(self) -> Option<Cow<'t, str>> {
        if self.kind() != Kind::String {
            return None;
        }
        let raw = self.raw();
        let escaped = self.tape.entry(self.at).link & ESCAPED != 0;
        Some(if escaped { Cow::Owned(unescape(raw)) } else { Cow::Borrowed(raw) })
    }

    /// What stands in the text: of a string between the quotes, of an array or object its bracket.
    pub fn raw(self) -> &'t str {
        let entry = self.tape.entry(self.at);
        let start = entry.start as usize;
        let range = match self.kind() {
            Kind::String => start + 1..(entry.link & !ESCAPED) as usize,
            Kind::Array | Kind::Object => start..start + 1,
            _ => start..entry.link as usize,
        };
        self.tape.text.get(range).unwrap_or_default()
    }

    pub fn boolean(self) -> Option<bool> {
        match self.kind() {
            Kind::Boolean => Some(self.tape.byte(self.at) == b't'),
            _ => None,
        }
    }

    /// An array's elements; none of anything else.
    pub fn items(self) -> Items<'t> {
        let end = if self.kind() == Kind::Array { self.tape.behind(self.at) } else { self.at };
        Items { tape: self.tape, next: self.at + 1, end }
    }

    /// An object's members, each with its name; none of anything else.
    pub fn members(self) -> Members<'t> {
        let end = if self.kind() == Kind::Object { self.tape.behind(self.at) } else { self.at };
        Members { tape: self.tape, next: self.at + 1, end }
    }

    /// The member of that name.
    pub fn get(self, name: &str) -> Option<Value<'t>> {
        self.members().find(|(own, _)| own.is(name)).map(|(_, value)| value)
    }

    /// Whether this is the string `text`.
    pub fn is(self, text: &str) -> bool {
        match self.tape.entry(self.at).link & ESCAPED {
            0 => self.kind() == Kind::String && self.raw() == text,
            _ => self.kind() == Kind::String && self.compare_text(text).is_eq(),
        }
    }

    /// Compares two strings code point by code point.
    pub fn compare(self, other: Value<'_>) -> Ordering {
        match (self.spelled(), other.spelled()) {
            ((own, false), (other, false)) => own.cmp(other),
            ((own, false), _) => other.compare_text(own).reverse(),
            (_, (other, false)) => self.compare_text(other),
            ((own, true), (other, true)) => Characters(own).cmp(Characters(other)),
        }
    }

    /// Compares a string with a text likewise. It is unescaped up to the first difference and no further: who looks
    /// something up beside a long string with escapes does not pay for its length.
    pub fn compare_text(self, text: &str) -> Ordering {
        match self.spelled() {
            (own, false) => own.cmp(text),
            (own, true) => Characters(own).cmp(text.chars()),
        }
    }

    /// A string between its quotes, and whether it has escapes; of anything else nothing.
    fn spelled(self) -> (&'t str, bool) {
        match self.kind() {
            Kind::String => (self.raw(), self.tape.entry(self.at).link & ESCAPED != 0),
            _ => ("", false),
        }
    }

    /// The strings and numbers in it, itself among them, in document order; each with the member name that was met last.
    pub fn scalars_within(self) -> impl Iterator<Item = (Option<Value<'t>>, Value<'t>)> {
        let tape = self.tape;
        let mut last = None;
        (self.at..tape.behind(self.at)).filter_map(move |at| {
            let value = Value { tape, at };
            if value.is_name() {
                last = Some(value);
                return None;
            }
            matches!(value.kind(), Kind::String | Kind::Number).then_some((last, value))
        })
    }

    /// Whether this is a member's name: a colon follows it, as it follows no value.
    fn is_name(self) -> bool {
        if self.kind() != Kind::String {
            return false;
        }
        let end = (self.tape.entry(self.at).link & !ESCAPED) as usize + 1;
        let rest = self.tape.text.as_bytes().get(end..).unwrap_or_default();
        rest.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':')
    }
}

/// The elements of an array.
#[derive(Debug, Clone)]
pub(super) struct Items<'t> {
    tape: &'t Tape<'t>,
    next: u32,
    end: u32,
}

impl<'t> Iterator for Items<'t> {
    type Item = Value<'t>;

    fn next(&mut self) -> Option<Value<'t>> {
        if self.next >= self.end {
            return None;
        }
        let value = Value { tape: self.tape, at: self.next };
        self.next = self.tape.behind(self.next);
        Some(value)
    }
}

/// The members of an object.
#[derive(Debug, Clone)]
pub(super) struct Members<'t> {
    tape: &'t Tape<'t>,
    next: u32,
    end: u32,
}

impl<'t> Iterator for Members<'t> {
    type Item = (Value<'t>, Value<'t>);

    fn next(&mut self) -> Option<(Value<'t>, Value<'t>)> {
        if self.next.saturating_add(1) >= self.end {
            return None;
        }
        let name = Value { tape: self.tape, at: self.next };
        let value = Value { tape: self.tape, at: self.next + 1 };
        self.next = self.tape.behind(self.next + 1);
        Some((name, value))
    }
}

/// The code unit of the `\u` escape that `bytes` begin with.
pub(super) fn unit(bytes: &[u8]) -> Option<u32> {
    let digits = bytes.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |unit, &digit| Some(unit << 4 | char::from(digit).to_digit(16)?))
}

/// The character of the escape that `rest` begins with, and how many bytes it takes. Escapes have been checked.
fn escape(rest: &str) -> (char, usize) {
    match rest.as_bytes().get(1) {
        Some(b'b') => ('\u{8}', 2),
        Some(b'f') => ('\u{c}', 2),
        Some(b'n') => ('\n', 2),
        Some(b'r') => ('\r', 2),
        Some(b't') => ('\t', 2),
        Some(b'u') => {
            let first = unit(rest.as_bytes()).unwrap_or_default();
            match (char::from_u32(first), rest.as_bytes().get(6..).and_then(unit)) {
                (Some(character), _) => (character, 6),
                (None, Some(second)) => {
                    let scalar = 0x1_0000 + ((first & 0x3FF) << 10) + (second & 0x3FF);
                    (char::from_u32(scalar).unwrap_or('\u{FFFD}'), 12)
                }
                (None, None) => ('\u{FFFD}', 6),
            }
        }
        Some(&other) => (char::from(other), 2),
        None => ('\\', 1),
    }
}

/// The characters of a string whose escapes have been checked.
struct Characters<'t>(&'t str);

impl Iterator for Characters<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let (character, length) = match self.0.chars().next()? {
            '\\' => escape(self.0),
            plain => (plain, plain.len_utf8()),
        };
        self.0 = self.0.get(length..).unwrap_or_default();
        Some(character)
    }
}

/// The text of a string whose escapes have been checked.
fn unescape(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        let (plain, behind) = rest.split_at(at);
        text.push_str(plain);
        let (character, length) = escape(behind);
        text.push(character);
        rest = behind.get(length..).unwrap_or_default();
    }
    text.push_str(rest);
    text
}
