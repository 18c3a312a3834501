//! Reading a JSON text onto a tape: one pass to bound the tape, one to fill it.
//!
//! Refused are, beside what is not JSON (RFC 8259): a byte order mark, lone surrogate escapes, and names that stand
//! twice in one object, compared after unescaping. Nesting is bounded by [`DEPTH`], and nothing recurses. Numbers are
//! held against the grammar and otherwise left as they are spelled.
//!
//! Depends on `tape`, `fault` and `pointer`.

use super::fault::{Code, Fault};
use super::pointer::shown;
use super::tape::{ESCAPED, Entry, Tape, unit};

/// How many arrays and objects may be open at once.
pub const DEPTH: usize = 1_000;

/// How long a manifest may be, in bytes: an entry has 31 bits for a place in the text.
pub const LONGEST: usize = (1 << 31) - 1;

impl<'a> Tape<'a> {
    /// Reads a JSON text.
    ///
    /// # Errors
    ///
    /// The first fault of the text; see the module's documentation.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Fault> {
        let fail = |code, message: String| Err(Fault { code, at: String::new(), message });
        if bytes.len() > LONGEST {
            return fail(Code::TooLarge, format!("The text is longer than {LONGEST} bytes."));
        }
        if bytes.starts_with(b"\xEF\xBB\xBF") {
            return fail(Code::ByteOrderMark, "The text begins with a byte order mark.".into());
        }
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let message = format!("Invalid UTF-8 at byte {} (section 5).", error.valid_up_to());
                return fail(Code::InvalidUtf8, message);
            }
        };
        let Some(count) = measure(bytes) else {
            let message = format!("More than {DEPTH} arrays and objects stand in one another.");
            return fail(Code::TooDeep, message);
        };
        let tape = Tape { text, entries: Vec::with_capacity(count) };
        let mut reader = Reader { tape, at: 0, open: Vec::new(), names: Vec::new() };
        match reader.document() {
            Ok(()) => Ok(reader.tape),
            Err(stop) => Err(reader.fault(&stop)),
        }
    }
}

/// At most how many entries the text has; `None` where it nests too deeply.
fn measure(bytes: &[u8]) -> Option<usize> {
    let (mut count, mut depth, mut at) = (1, 0_usize, 0);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at += 1;
                while let Some(&inner) = bytes.get(at) {
                    match inner {
                        b'"' => break,
                        b'\\' => at += 2,
                        _ => at += 1,
                    }
                }
            }
            b'[' | b'{' => {
                depth += 1;
                count += 1;
                if depth > DEPTH {
                    return None;
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b',' | b':' => count += 1,
            _ => {}
        }
        at += 1;
    }
    Some(count)
}

/// Why reading stopped.
enum Stop {
    /// What was to stand there.
    Syntax(&'static str),
    LoneSurrogate,
    Trailing,
    /// The number of the name that stands there a second time.
    Duplicate(u32),
}

struct Reader<'a> {
    tape: Tape<'a>,
    at: usize,
    /// The numbers of the arrays and objects that are open.
    open: Vec<u32>,
    /// Room for comparing names.
    names: Vec<u32>,
}

impl Reader<'_> {
    fn document(&mut self) -> Result<(), Stop> {
        self.skip_space();
        loop {
            // A value begins here.
            if self.value()? {
                continue;
            }
            // A value has ended: another begins behind a comma, or what is around it ends, too.
            loop {
                self.skip_space();
                let Some(&innermost) = self.open.last() else {
                    return if self.peek().is_none() { Ok(()) } else { Err(Stop::Trailing) };
                };
                let is_object = self.tape.byte(innermost) == b'{';
                if self.take(b',') {
                    self.skip_space();
                    if is_object {
                        self.name()?;
                    }
                    break;
                }
                match (is_object, self.peek()) {
                    (true, Some(b'}')) | (false, Some(b']')) => self.close(innermost)?,
                    (true, _) => return Err(Stop::Syntax("`,` or `}`")),
                    (false, _) => return Err(Stop::Syntax("`,` or `]`")),
                }
            }
        }
    }

    /// Reads a scalar or an empty container, or opens another up to where its first value begins; then `true`.
    fn value(&mut self) -> Result<bool, Stop> {
        match self.peek() {
            Some(byte @ (b'{' | b'[')) => {
                let number = self.push(0);
                self.open.push(number);
                self.at += 1;
                self.skip_space();
                match (byte, self.peek()) {
                    (b'{', Some(b'}')) | (b'[', Some(b']')) => self.close(number)?,
                    (b'{', _) => {
                        self.name()?;
                        return Ok(true);
                    }
                    _ => return Ok(true),
                }
            }
            Some(b'"') => self.string()?,
            Some(b't') => self.literal("true")?,
            Some(b'f') => self.literal("false")?,
            Some(b'n') => self.literal("null")?,
            Some(b'-' | b'0'..=b'9') => self.numeral()?,
            _ => return Err(Stop::Syntax("a value")),
        }
        Ok(false)
    }

    /// Adds an entry that begins here.
    fn push(&mut self, link: u32) -> u32 {
        let number = u32::try_from(self.tape.entries.len()).unwrap_or(u32::MAX);
        self.tape.entries.push(Entry { start: place(self.at), link });
        number
    }

    /// Ends the innermost array or object at its bracket.
    fn close(&mut self, number: u32) -> Result<(), Stop> {
        let end = u32::try_from(self.tape.entries.len()).unwrap_or(u32::MAX);
        if let Some(entry) = self.tape.entries.get_mut(number as usize) {
            entry.link = end;
        }
        self.open.pop();
        self.at += 1;
        if self.tape.byte(number) == b'{' { self.names_differ(number) } else { Ok(()) }
    }

    fn names_differ(&mut self, number: u32) -> Result<(), Stop> {
        let tape = &self.tape;
        self.names.clear();
        self.names.extend(tape.value(number).members().map(|(name, _)| name.number()));
        self.names.sort_by(|&a, &b| tape.value(a).compare(tape.value(b)));
        let same = |pair: &[u32]| match pair {
            &[a, b] => tape.value(a).compare(tape.value(b)).is_eq().then_some(b),
            _ => None,
        };
        match self.names.windows(2).filter_map(same).min() {
            Some(second) => Err(Stop::Duplicate(second)),
            None => Ok(()),
        }
    }

    /// A name, the colon behind it, and white space.
    fn name(&mut self) -> Result<(), Stop> {
        if self.peek() != Some(b'"') {
            return Err(Stop::Syntax("a member name"));
        }
        self.string()?;
        self.skip_space();
        if !self.take(b':') {
            return Err(Stop::Syntax("`:`"));
        }
        self.skip_space();
        Ok(())
    }

    fn string(&mut self) -> Result<(), Stop> {
        let number = self.push(0);
        self.at += 1;
        let mut escaped = 0;
        loop {
            let plain = |byte: &u8| *byte == b'"' || *byte == b'\\' || *byte < b' ';
            let Some(run) = self.rest().iter().position(plain) else {
                self.at = self.tape.text.len();
                return Err(Stop::Syntax("`\"`"));
            };
            self.at += run;
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = ESCAPED;
                    self.escape()?;
                }
                _ => return Err(Stop::Syntax("no control character in a string")),
            }
        }
        if let Some(entry) = self.tape.entries.get_mut(number as usize) {
            entry.link = place(self.at) | escaped;
        }
        self.at += 1;
        Ok(())
    }

    /// Checks an escape and goes behind it.
    fn escape(&mut self) -> Result<(), Stop> {
        match self.rest().get(1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 2;
                Ok(())
            }
            Some(b'u') => {
                let bad = Stop::Syntax("four hexadecimal digits behind `\\u`");
                let first = unit(self.rest()).ok_or(bad)?;
                let length = match first {
                    0xD800..0xDC00 => {
                        let second = self.rest().get(6..).and_then(unit);
                        match second {
                            Some(0xDC00..0xE000) => 12,
                            _ => return Err(Stop::LoneSurrogate),
                        }
                    }
                    0xDC00..0xE000 => return Err(Stop::LoneSurrogate),
                    _ => 6,
                };
                self.at += length;
                Ok(())
            }
            _ => Err(Stop::Syntax("one of `\"\\/bfnrtu` behind a backslash")),
        }
    }

    fn literal(&mut self, literal: &'static str) -> Result<(), Stop> {
        if !self.rest().starts_with(literal.as_bytes()) {
            return Err(Stop::Syntax("a value"));
        }
        self.push(place(self.at + literal.len()));
        self.at += literal.len();
        Ok(())
    }

    fn numeral(&mut self) -> Result<(), Stop> {
        let number = self.push(0);
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            if !self.take(b'+') {
                self.take(b'-');
            }
            self.digits()?;
        }
        let end = place(self.at);
        if let Some(entry) = self.tape.entries.get_mut(number as usize) {
            entry.link = end;
        }
        Ok(())
    }

    /// One digit or more.
    fn digits(&mut self) -> Result<(), Stop> {
        let count = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        if count == 0 { Err(Stop::Syntax("a digit")) } else { Ok(()) }
    }

    fn skip_space(&mut self) {
        let space = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.at += self.rest().iter().take_while(space).count();
    }

    fn rest(&self) -> &[u8] {
        self.tape.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.tape.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn fault(&self, stop: &Stop) -> Fault {
        let at = self.at;
        let (code, message) = match stop {
            Stop::Syntax(expected) if self.peek().is_none() => {
                (Code::Syntax, format!("The text ends where {expected} was to stand."))
            }
            Stop::Syntax(expected) => {
                (Code::Syntax, format!("At byte {at} {expected} was to stand."))
            }
            Stop::LoneSurrogate => {
                (Code::LoneSurrogate, format!("A lone surrogate escape stands at byte {at}."))
            }
            Stop::Trailing => {
                (Code::TrailingData, format!("More follows the manifest at byte {at}."))
            }
            Stop::Duplicate(name) => {
                let name = self.tape.value(*name);
                let shown = shown(&name.string().unwrap_or_default());
                let message = format!("The member {shown} stands twice in one object.");
                let at = self.tape.pointer(name.number());
                return Fault { code: Code::DuplicateMember, at, message };
            }
        };
        Fault { code, at: String::new(), message }
    }
}

/// A place in the text; texts are no longer than [`LONGEST`].
fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
