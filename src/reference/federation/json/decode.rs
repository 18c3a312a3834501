//! The profile's decoder: RFC 8259 within ceilings, in one pass from left to right.
//!
//! Of several faults the first to be met is reported. Depth is judged where a container opens. A value is judged when
//! the comma or bracket behind it has been seen: first how many elements or members its container has, then the
//! length of its name, then the number of values, then the number or string itself. Names given twice are reported
//! where the object closes, and what follows the root before the root's own number or string.
//!
//! Depends on the canonical JSON layer for the spelling of doubles.

use super::{Object, Value, string};
use crate::reference::federation::bounds::{Bounds, Ceiling};
use crate::reference::federation::error::Code;
use crate::reference::jcs;

/// What becomes of a number that the profile turns down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Numbers {
    /// The document is refused.
    Judged,
    /// It is kept as [`Value::Unfit`], since it may stand where nobody looks.
    Left,
}

/// Reads a document.
pub(in super::super) fn decode(
    input: &[u8],
    bounds: &Bounds,
    numbers: Numbers,
) -> Result<Value, Code> {
    bounds.hold(Ceiling::Bytes, input.len())?;
    let mut decoder = Decoder { input, at: 0, bounds, numbers, nodes: 0, open: Vec::new() };
    decoder.document().map_err(|fault| match fault {
        Fault::Code(code) => code,
        Fault::Grammar if std::str::from_utf8(input).is_err() => Code::InvalidEncoding,
        Fault::Grammar => Code::InvalidSyntax,
    })
}

/// Why reading stopped.
enum Fault {
    /// What stands there is no JSON.
    Grammar,
    Code(Code),
}

impl From<Code> for Fault {
    fn from(code: Code) -> Self {
        Fault::Code(code)
    }
}

/// Room for how much a container is opened with. It keeps nests of containers with one element each small.
const FIRST: usize = 1;

/// An open container, and what it holds so far.
enum Open {
    Array(Vec<Value>),
    /// With the name of the member being read.
    Object(Object, String),
}

/// A value that has been read and not yet been judged.
enum Read<'a> {
    Value(Value),
    /// A number, as spelled.
    Integer(&'a str),
    Decimal(&'a str),
}

struct Decoder<'a> {
    input: &'a [u8],
    at: usize,
    bounds: &'a Bounds,
    numbers: Numbers,
    nodes: usize,
    open: Vec<Open>,
}

impl<'a> Decoder<'a> {
    fn document(&mut self) -> Result<Value, Fault> {
        loop {
            self.skip_space();
            let Some(read) = self.begin()? else {
                continue;
            };
            if let Some(root) = self.settle(read)? {
                return Ok(root);
            }
        }
    }

    /// Reads a scalar, or an empty container; or opens one that is not empty, up to where its first value begins.
    fn begin(&mut self) -> Result<Option<Read<'a>>, Fault> {
        let read = match self.peek().ok_or(Fault::Grammar)? {
            b'{' => {
                self.enter()?;
                if !self.take(b'}') {
                    let name = self.name()?;
                    self.open.push(Open::Object(Vec::with_capacity(FIRST), name));
                    return Ok(None);
                }
                Read::Value(Value::Object(Vec::new()))
            }
            b'[' => {
                self.enter()?;
                if !self.take(b']') {
                    self.open.push(Open::Array(Vec::with_capacity(FIRST)));
                    return Ok(None);
                }
                Read::Value(Value::Array(Vec::new()))
            }
            b'"' => Read::Value(Value::String(self.string()?)),
            b't' => self.literal(b"true", Value::Boolean(true))?,
            b'f' => self.literal(b"false", Value::Boolean(false))?,
            b'n' => self.literal(b"null", Value::Null)?,
            b'-' | b'0'..=b'9' => self.number()?,
            _ => return Err(Fault::Grammar),
        };
        Ok(Some(read))
    }

    /// Puts a value into its container and closes what ends there. The root, once it is complete; `None` where another
    /// value begins.
    fn settle(&mut self, read: Read<'a>) -> Result<Option<Value>, Fault> {
        let mut read = read;
        loop {
            self.skip_space();
            let next = self.peek();
            let Some(open) = self.open.pop() else {
                if next.is_some() {
                    return Err(Code::TrailingBytes.into());
                }
                return Ok(Some(self.judge(read)?));
            };
            let closing = match (&open, next) {
                (_, Some(b',')) => false,
                (Open::Array(_), Some(b']')) | (Open::Object(..), Some(b'}')) => true,
                _ => return Err(Fault::Grammar),
            };
            self.at += 1;
            let mut open = self.push(open, read)?;
            if !closing {
                self.skip_space();
                if let Open::Object(_, name) = &mut open {
                    *name = self.name()?;
                }
                self.open.push(open);
                return Ok(None);
            }
            read = Read::Value(match open {
                Open::Array(items) => Value::Array(items),
                Open::Object(members, _) => {
                    names_differ(&members)?;
                    Value::Object(members)
                }
            });
        }
    }

    fn push(&mut self, open: Open, read: Read<'a>) -> Result<Open, Fault> {
        match open {
            Open::Array(mut items) => {
                self.bounds.hold(Ceiling::Items, items.len() + 1)?;
                items.push(self.judge(read)?);
                Ok(Open::Array(items))
            }
            Open::Object(mut members, name) => {
                self.bounds.hold(Ceiling::Members, members.len() + 1)?;
                self.bounds.hold(Ceiling::Key, name.len())?;
                members.push((name, self.judge(read)?));
                Ok(Open::Object(members, String::new()))
            }
        }
    }

    /// Counts a value, and judges it if it is a number or a string.
    fn judge(&mut self, read: Read<'_>) -> Result<Value, Fault> {
        self.nodes += 1;
        self.bounds.hold(Ceiling::Nodes, self.nodes)?;
        let number = match read {
            Read::Value(value) => {
                if let Value::String(text) = &value {
                    self.bounds.hold(Ceiling::String, text.len())?;
                }
                return Ok(value);
            }
            Read::Integer(lexeme) => {
                self.bounds.hold(Ceiling::NumberLexeme, lexeme.len()).and_then(|()| integer(lexeme))
            }
            Read::Decimal(lexeme) => {
                self.bounds.hold(Ceiling::NumberLexeme, lexeme.len()).and_then(|()| decimal(lexeme))
            }
        };
        match number {
            Err(code) if self.numbers == Numbers::Left => Ok(Value::Unfit(code)),
            number => Ok(number?),
        }
    }

    fn enter(&mut self) -> Result<(), Fault> {
        self.bounds.hold(Ceiling::Depth, self.open.len() + 1)?;
        self.at += 1;
        self.skip_space();
        Ok(())
    }

    /// A member's name and the colon behind it.
    fn name(&mut self) -> Result<String, Fault> {
        let name = self.string()?;
        self.skip_space();
        match self.take(b':') {
            true => Ok(name),
            false => Err(Fault::Grammar),
        }
    }

    fn string(&mut self) -> Result<String, Fault> {
        if !self.take(b'"') {
            return Err(Fault::Grammar);
        }
        let (text, end) = string::read(self.input, self.at).ok_or(Fault::Grammar)?;
        self.at = end;
        Ok(text)
    }

    fn literal(&mut self, literal: &[u8], value: Value) -> Result<Read<'a>, Fault> {
        match self.rest().starts_with(literal) {
            true => {
                self.at += literal.len();
                Ok(Read::Value(value))
            }
            false => Err(Fault::Grammar),
        }
    }

    /// A number; what follows it is not looked at, so that `01` is a zero and something behind it.
    fn number(&mut self) -> Result<Read<'a>, Fault> {
        let start = self.at;
        let mut is_decimal = false;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            is_decimal = true;
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            is_decimal = true;
            if !self.take(b'+') {
                self.take(b'-');
            }
            self.digits()?;
        }
        let lexeme = self.input.get(start..self.at).unwrap_or_default();
        let lexeme = std::str::from_utf8(lexeme).map_err(|_| Fault::Grammar)?;
        Ok(if is_decimal { Read::Decimal(lexeme) } else { Read::Integer(lexeme) })
    }

    /// One digit or more.
    fn digits(&mut self) -> Result<(), Fault> {
        let count = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        match count {
            0 => Err(Fault::Grammar),
            _ => Ok(()),
        }
    }

    fn skip_space(&mut self) {
        let space = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.at += self.rest().iter().take_while(space).count();
    }

    fn rest(&self) -> &'a [u8] {
        self.input.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.input.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }
}

/// Refuses an object that names a member twice.
fn names_differ(members: &Object) -> Result<(), Code> {
    // Most objects come sorted.
    if members.is_sorted_by(|(a, _), (b, _)| a < b) {
        return Ok(());
    }
    let mut names: Vec<_> = members.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    match names.windows(2).any(|pair| pair.first() == pair.last()) {
        true => Err(Code::DuplicateMember),
        false => Ok(()),
    }
}

/// The largest integer up to which all integers are doubles.
const LARGEST: u64 = (1 << 53) - 1;

/// An integer lexeme; beyond [`LARGEST`] only if it spells a double as ECMAScript does.
fn integer(lexeme: &str) -> Result<Value, Code> {
    match lexeme.parse::<i64>() {
        Ok(integer) if integer.unsigned_abs() <= LARGEST => return Ok(Value::Integer(integer)),
        _ => {}
    }
    match (lexeme.parse::<f64>(), jcs::canonicalise(lexeme.as_bytes())) {
        (Ok(float), Ok(spelling)) if spelling == lexeme.as_bytes() => Ok(Value::Float(float)),
        _ => Err(Code::NumberNotDoubleExpressible),
    }
}

/// A lexeme with a fraction or an exponent, correctly rounded; underflow is 0.
fn decimal(lexeme: &str) -> Result<Value, Code> {
    match lexeme.parse::<f64>() {
        Ok(float) if float.is_finite() => Ok(Value::Float(float)),
        _ => Err(Code::InvalidNumber),
    }
}
