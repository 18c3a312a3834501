//! The one pass: JSON text in, canonical text out, no tree in between.
//!
//! The pass walks the text once and keeps track of the longest stretch behind it that is canonical as it stands, the
//! *run*. Only where the canonical form departs from the text (white space, an escape, a number) the run is copied
//! out and a new one begun. What a member holds and where it stands is noted as its object is read; an object whose
//! members turn out not to be in order is recorded for [`Arrangement`], which puts all of them in order at the end.
//! Open arrays and objects are kept on a stack of their own, so that depth costs memory in the heap only.
//!
//! Time is linear in the text, but for the sorting of names, and so is memory.
//!
//! Depends on the other files of this folder.

use std::cmp::Ordering;

use super::arrange::{Arrangement, Span};
use super::error::{JcsError, JcsErrorKind};
use super::number::{self, Form, Token};
use super::string::{self, BadEscape, Escape};
use super::{Limits, name};

/// The byte order mark in UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// A fault has been seen; the pass holds its description.
struct Stop;

/// What is being read at one level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Document,
    Array,
    Object,
}

/// An open array or object, or the document around everything.
#[derive(Debug, Clone, Copy)]
struct Frame {
    level: Level,
    /// Of an object: whether the names met so far ascend.
    sorted: bool,
    /// Where its text begins in the output.
    start: usize,
    /// Of an object: where its members begin in the list of members.
    members: usize,
    /// Of an array: the index of the element being read.
    index: usize,
    /// How many unsorted objects had been recorded when it began.
    inner: usize,
}

/// A member of an open object.
#[derive(Debug, Clone, Copy)]
struct Member {
    /// The name's first bytes, as [`name::prefix`] orders them.
    prefix: u64,
    /// Where the name stands in the input, between its quotes.
    name: usize,
    name_len: usize,
    /// If the name has escapes, one more than its index in the list of unescaped names; else 0.
    unescaped: usize,
    /// Where the member begins in the output.
    start: usize,
    /// How many unsorted objects had been recorded when it began.
    inner: usize,
}

/// Names that had escapes, without them.
#[derive(Debug, Default)]
struct Unescaped {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Unescaped {
    fn add(&mut self, raw: &[u8]) -> usize {
        string::unescape(raw, &mut self.bytes);
        self.ends.push(self.bytes.len());
        self.ends.len()
    }

    /// The name that [`add`](Self::add) gave `number`.
    fn get(&self, number: usize) -> &[u8] {
        let end = self.ends[number - 1];
        let start = if number == 1 { 0 } else { self.ends[number - 2] };
        &self.bytes[start..end]
    }
}

/// Appends the canonical form of `input` to `out`; on a fault `out` is left as it was.
pub(super) fn canonicalise(
    input: &[u8],
    limits: &Limits,
    out: &mut Vec<u8>,
) -> Result<(), JcsError> {
    let base = out.len();
    out.reserve(input.len());
    let mut pass = Pass {
        input,
        run: 0,
        out,
        limit: limits.depth,
        frame: Frame {
            level: Level::Document,
            sorted: true,
            start: base,
            members: 0,
            index: 0,
            inner: 0,
        },
        outer: Vec::with_capacity(8),
        members: Vec::with_capacity(input.len().div_ceil(32).min(64)),
        unescaped: Unescaped::default(),
        arrangement: Arrangement::default(),
        order: Vec::new(),
        fault: (0, JcsErrorKind::UnexpectedEnd),
    };
    match pass.document() {
        Ok(()) => {
            pass.arrange(base);
            Ok(())
        }
        Err(Stop) => {
            let error = pass.error();
            out.truncate(base);
            Err(error)
        }
    }
}

struct Pass<'a> {
    input: &'a [u8],
    /// Where the run begins in the input.
    run: usize,
    out: &'a mut Vec<u8>,
    limit: usize,
    /// The innermost level, and those around it.
    frame: Frame,
    outer: Vec<Frame>,
    members: Vec<Member>,
    unescaped: Unescaped,
    arrangement: Arrangement,
    /// Room for sorting: prefix and index of each member of an object.
    order: Vec<(u64, usize)>,
    fault: (usize, JcsErrorKind),
}

impl Pass<'_> {
    /// Reads everything.
    fn document(&mut self) -> Result<(), Stop> {
        if self.input.starts_with(MARK) {
            return Err(self.fail(0, JcsErrorKind::ByteOrderMark));
        }
        let mut at = self.skip_space(0);
        loop {
            // A value begins at `at`.
            let Some(&first) = self.input.get(at) else {
                return Err(self.fail(at, JcsErrorKind::UnexpectedEnd));
            };
            at = match first {
                b'"' => self.string(at)?.0,
                b'{' => {
                    self.open(Level::Object, at)?;
                    at = self.skip_space(at + 1);
                    if self.input.get(at) != Some(&b'}') {
                        at = self.name(at, "a member name or `}`")?;
                        continue;
                    }
                    self.close();
                    at + 1
                }
                b'[' => {
                    self.open(Level::Array, at)?;
                    at = self.skip_space(at + 1);
                    if self.input.get(at) != Some(&b']') {
                        continue;
                    }
                    self.close();
                    at + 1
                }
                b'-' | b'0'..=b'9' => self.number(at)?,
                b't' => self.literal(at, b"true")?,
                b'f' => self.literal(at, b"false")?,
                b'n' => self.literal(at, b"null")?,
                _ => return Err(self.unexpected(at, "a value")),
            };
            // A value has ended at `at`: another begins behind a comma, or levels end.
            loop {
                at = self.skip_space(at);
                match (self.frame.level, self.input.get(at)) {
                    (Level::Object, Some(b',')) => {
                        at = self.skip_space(at + 1);
                        at = self.name(at, "a member name")?;
                        break;
                    }
                    (Level::Object, Some(b'}')) => {
                        if !self.frame.sorted {
                            self.sort_members(at)?;
                        }
                        self.members.truncate(self.frame.members);
                        self.close();
                    }
                    (Level::Object, _) => return Err(self.unexpected(at, "`,` or `}`")),
                    (Level::Array, Some(b',')) => {
                        self.frame.index += 1;
                        at = self.skip_space(at + 1);
                        break;
                    }
                    (Level::Array, Some(b']')) => self.close(),
                    (Level::Array, _) => return Err(self.unexpected(at, "`,` or `]`")),
                    (Level::Document, None) => {
                        self.flush(at);
                        return Ok(());
                    }
                    (Level::Document, Some(_)) => {
                        return Err(self.fail(at, JcsErrorKind::TrailingData));
                    }
                }
                at += 1;
            }
        }
    }

    /// Where a byte of the run stands in the output once it has been copied.
    #[inline]
    fn position(&self, at: usize) -> usize {
        self.out.len() + (at - self.run)
    }

    /// Copies the run up to `end`; the caller says where the next one begins.
    #[inline]
    fn flush(&mut self, end: usize) {
        const SHORT: usize = 32;
        let len = end - self.run;
        let room = self.input.get(self.run..).and_then(|rest| rest.first_chunk::<SHORT>());
        match room {
            // A copy of known length is a few instructions, one of unknown length a call.
            Some(chunk) if len <= SHORT => {
                let len = self.out.len() + len;
                self.out.extend_from_slice(chunk);
                self.out.truncate(len);
            }
            _ => self.out.extend_from_slice(&self.input[self.run..end]),
        }
    }

    /// Leaves out the white space at `at`, if there is any, and returns the index behind it.
    #[inline]
    fn skip_space(&mut self, at: usize) -> usize {
        match self.input.get(at) {
            Some(&byte) if byte <= b' ' => self.leave_out_space(at),
            _ => at,
        }
    }

    fn leave_out_space(&mut self, at: usize) -> usize {
        let mut end = at;
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.input.get(end) {
            end += 1;
            // Indentation.
            while let Some(b"        ") =
                self.input.get(end..).and_then(|rest| rest.first_chunk::<8>())
            {
                end += 8;
            }
        }
        if end > at {
            self.flush(at);
            self.run = end;
        }
        end
    }

    #[inline]
    fn open(&mut self, level: Level, at: usize) -> Result<(), Stop> {
        if self.outer.len() >= self.limit {
            return Err(self.fail(at, JcsErrorKind::DepthExceeded(self.limit)));
        }
        let frame = Frame {
            level,
            sorted: true,
            start: self.position(at),
            members: self.members.len(),
            index: 0,
            inner: self.arrangement.len(),
        };
        self.outer.push(std::mem::replace(&mut self.frame, frame));
        Ok(())
    }

    #[inline]
    fn close(&mut self) {
        if let Some(frame) = self.outer.pop() {
            self.frame = frame;
        }
    }

    /// Reads a member's name and colon; returns where its value begins.
    #[inline]
    fn name(&mut self, at: usize, expected: &'static str) -> Result<usize, Stop> {
        if self.input.get(at) != Some(&b'"') {
            return Err(self.unexpected(at, expected));
        }
        let start = self.position(at);
        let (end, escaped) = self.string(at)?;
        let (name, name_len) = (at + 1, end - at - 2);
        let mut member = Member {
            prefix: 0,
            name,
            name_len,
            unescaped: 0,
            start,
            inner: self.arrangement.len(),
        };
        if escaped {
            member.unescaped = self.unescaped.add(&self.input[name..name + name_len]);
            member.prefix = name::prefix(self.unescaped.get(member.unescaped));
        } else {
            member.prefix = name::prefix_within(self.input, name, name_len);
        }
        if self.frame.sorted
            && let Some(before) = self.members[self.frame.members..].last()
            && before.prefix >= member.prefix
        {
            match self.compare(before, &member) {
                Ordering::Less => {}
                Ordering::Equal => return Err(self.duplicate(&member)),
                Ordering::Greater => self.frame.sorted = false,
            }
        }
        self.members.push(member);
        let colon = self.skip_space(end);
        if self.input.get(colon) != Some(&b':') {
            return Err(self.unexpected(colon, "`:`"));
        }
        Ok(self.skip_space(colon + 1))
    }

    fn compare(&self, a: &Member, b: &Member) -> Ordering {
        a.prefix.cmp(&b.prefix).then_with(|| name::compare(self.name_of(a), self.name_of(b)))
    }

    fn name_of(&self, member: &Member) -> &[u8] {
        match member.unescaped {
            0 => &self.input[member.name..member.name + member.name_len],
            number => self.unescaped.get(number),
        }
    }

    /// Records the order of the members of the innermost object, whose closing brace is at `at`.
    fn sort_members(&mut self, at: usize) -> Result<(), Stop> {
        let end = self.position(at) + 1;
        let members = &self.members[self.frame.members..];
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(members.iter().enumerate().map(|(i, member)| (member.prefix, i)));
        order.sort_unstable_by(|a, b| {
            a.0.cmp(&b.0).then_with(|| {
                name::compare(self.name_of(&members[a.1]), self.name_of(&members[b.1]))
            })
        });
        let twice = order.windows(2).filter_map(|pair| match pair {
            [a, b] if a.0 == b.0 && self.name_of(&members[a.1]) == self.name_of(&members[b.1]) => {
                Some(a.1.max(b.1))
            }
            _ => None,
        });
        if let Some(first) = twice.min() {
            let member = members[first];
            return Err(self.duplicate(&member));
        }
        let recorded = self.arrangement.len();
        let spans = order.iter().map(|&(_, i)| {
            let next = members.get(i + 1);
            Span {
                start: members[i].start,
                end: next.map_or(end, |next| next.start) - 1,
                inner: members[i].inner,
                inner_end: next.map_or(recorded, |next| next.inner),
            }
        });
        self.arrangement.record(self.frame.start, end, self.frame.inner, spans);
        self.order = order;
        Ok(())
    }

    /// Puts the output from `base` on in order.
    fn arrange(&mut self, base: usize) {
        if self.arrangement.len() == 0 {
            return;
        }
        let arranged = self.arrangement.apply(self.out, base);
        if base == 0 {
            *self.out = arranged;
        } else {
            self.out.truncate(base);
            self.out.extend_from_slice(&arranged);
        }
    }

    /// Reads the string whose opening quote is at `open`; returns the index behind it and whether it has escapes.
    #[inline]
    fn string(&mut self, open: usize) -> Result<(usize, bool), Stop> {
        let mut at = string::find_special(self.input, open + 1);
        let mut escaped = false;
        while self.input.get(at) != Some(&b'"') {
            let behind = self.special(at)?;
            escaped |= self.input[at] == b'\\';
            at = string::find_special(self.input, behind);
        }
        Ok((at + 1, escaped))
    }

    /// Reads what stands in a string at `at` and is neither an ordinary ASCII character nor the closing quote.
    fn special(&mut self, at: usize) -> Result<usize, Stop> {
        const CONTROL: &str = "control characters in strings to be escaped";
        match self.input.get(at) {
            Some(b'\\') => self.escape(at),
            Some(0x80..) => string::skip_beyond_ascii(self.input, at)
                .map_err(|bad| self.fail(bad, JcsErrorKind::InvalidUtf8)),
            Some(_) => Err(self.fail(at, JcsErrorKind::Syntax(CONTROL))),
            None => Err(self.fail(at, JcsErrorKind::UnexpectedEnd)),
        }
    }

    fn escape(&mut self, at: usize) -> Result<usize, Stop> {
        match string::read_escape(self.input, at) {
            Ok(Escape::Canonical(_)) => Ok(at + 2),
            Ok(Escape::Other { character, end }) => {
                self.flush(at);
                string::write_character(character, self.out);
                self.run = end;
                Ok(end)
            }
            Err(BadEscape::End) => Err(self.fail(self.input.len(), JcsErrorKind::UnexpectedEnd)),
            Err(BadEscape::Unknown) => {
                Err(self.unexpected(at + 1, "one of `\"\\/bfnrtu` after a backslash"))
            }
            Err(BadEscape::NotHex(place)) => {
                Err(self.unexpected(place, "four hexadecimal digits after `\\u`"))
            }
            Err(BadEscape::LoneSurrogate) => Err(self.fail(at, JcsErrorKind::LoneSurrogate)),
        }
    }

    #[inline]
    fn number(&mut self, at: usize) -> Result<usize, Stop> {
        let token = match number::read(self.input, at) {
            Ok(token) => token,
            Err(bad) => return Err(self.unexpected(bad.at, bad.expected)),
        };
        if token.form != Form::Canonical {
            self.rewrite_number(at, token)?;
        }
        Ok(token.end)
    }

    fn rewrite_number(&mut self, at: usize, token: Token) -> Result<(), Stop> {
        let value = number::value(&self.input[at..token.end], token.form);
        if !value.is_finite() {
            return Err(self.fail(at, JcsErrorKind::NumberOverflow));
        }
        self.flush(at);
        number::write(value, self.out);
        self.run = token.end;
        Ok(())
    }

    #[inline]
    fn literal(&mut self, at: usize, literal: &'static [u8]) -> Result<usize, Stop> {
        let end = at + literal.len();
        if self.input.get(at..end) == Some(literal) {
            return Ok(end);
        }
        let rest = &self.input[at..];
        let wrong = rest.iter().zip(literal).position(|(a, b)| a != b);
        Err(self.unexpected(at + wrong.unwrap_or(rest.len()), "`true`, `false` or `null`"))
    }

    #[cold]
    fn fail(&mut self, offset: usize, kind: JcsErrorKind) -> Stop {
        self.fault = (offset, kind);
        Stop
    }

    /// Something else than what is expected stands at `at`, or nothing, or no character.
    #[cold]
    fn unexpected(&mut self, at: usize, expected: &'static str) -> Stop {
        let rest = self.input.get(at..).unwrap_or_default();
        let start = &rest[..rest.len().min(4)];
        let kind = match std::str::from_utf8(start) {
            _ if rest.is_empty() => JcsErrorKind::UnexpectedEnd,
            Err(error) if error.valid_up_to() == 0 => JcsErrorKind::InvalidUtf8,
            _ => JcsErrorKind::Syntax(expected),
        };
        self.fail(at, kind)
    }

    #[cold]
    fn duplicate(&mut self, member: &Member) -> Stop {
        let name = String::from_utf8_lossy(self.name_of(member)).into_owned();
        // The path is that of the member even where the object has been read on to its end.
        self.members.push(*member);
        self.fail(member.name - 1, JcsErrorKind::DuplicateName(name))
    }

    /// The fault, with the path to it.
    fn error(&self) -> JcsError {
        let mut path = String::new();
        let frames = self.outer.iter().chain([&self.frame]);
        let ends = self.outer.iter().skip(1).chain([&self.frame]).map(|frame| frame.members);
        for (frame, end) in frames.zip(ends.chain([self.members.len()])) {
            match frame.level {
                Level::Document => {}
                Level::Array => path.push_str(&format!("/{}", frame.index)),
                Level::Object => {
                    if let Some(member) = self.members[frame.members..end].last() {
                        let name = String::from_utf8_lossy(self.name_of(member));
                        path.push('/');
                        path.push_str(&name.replace('~', "~0").replace('/', "~1"));
                    }
                }
            }
        }
        let (offset, kind) = self.fault.clone();
        JcsError { offset, kind, path }
    }
}
