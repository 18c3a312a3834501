//! Numbers: reading them as IEEE 754 doubles and writing them as ECMAScript does (RFC 8785 section 3.2.2.3).
//!
//! # Numbers that stay as they stand
//!
//! A decimal of at most 15 significant digits is told from every other such decimal by the double nearest to it, so
//! where it has no superfluous zeros no shorter one reads as the same double, and it is what `Number::toString`
//! prints, provided that it is spelled without an exponent and lies in the range in which ECMAScript does so too
//! (10^-6 to 10^21). An integer of at most 2^53 is a double, and no decimal with fewer digits before its zeros is near
//! enough to read as the same one. Such numbers need no arithmetic.
//!
//! # All others
//!
//! [`decimal::to_double`] or, where it declines, the standard library's conversion rounds correctly, and `zmij` gives the shortest digits that read back as the
//! same double, the closest such where there are several: what ECMAScript asks for (note 2 of `Number::toString`
//! included). What is left is layout.
//!
//! Depends on `zmij`.

use super::decimal;

/// A number as found in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    /// The index behind its last character.
    pub end: usize,
    pub form: Form,
}

/// What a number is found to be while it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Canonical as it stands.
    Canonical,
    /// Without its sign, `digits` times ten to `exponent`.
    Decimal { digits: u64, exponent: i32 },
    /// Too long to tell in passing.
    Long,
}

/// Why there is no number: what had to stand at which index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BadNumber {
    pub at: usize,
    pub expected: &'static str,
}

/// Less than this is a decimal of so few significant digits that it survives being read as a double.
const SAFE: u64 = 1_000_000_000_000_000;

/// 2^53: up to here every integer is a double.
const LAST_EXACT: u64 = 1 << 53;

/// So many digits always fit 64 bits.
const COUNTED_DIGITS: usize = 19;

/// So many digits of an exponent always fit 32 bits.
const EXPONENT_DIGITS: usize = 8;

/// ECMAScript writes 10^-6 without an exponent and 10^-7 with one.
const PLAIN_PLACES: usize = 6;

/// Finds the end of the number that begins at `start` with a digit or a minus sign, by the grammar of RFC 8259
/// section 6.
#[inline]
pub(super) fn read(text: &[u8], start: usize) -> Result<Token, BadNumber> {
    let negative = text.get(start) == Some(&b'-');
    let whole = start + usize::from(negative);
    let (mut end, mut digits) = read_digits(text, whole, 0);
    if end == whole {
        return Err(bad(whole, "a digit"));
    }
    let zero = text.get(whole) == Some(&b'0');
    if zero && end - whole > 1 {
        return Err(bad(whole + 1, "no digit after a leading zero"));
    }
    let mut counted = if zero { 0 } else { end - whole };
    let mut places = 0;
    let mut canonical = digits <= LAST_EXACT && !(zero && negative);
    if text.get(end) == Some(&b'.') {
        let fraction = end + 1;
        (end, digits) = read_digits(text, fraction, digits);
        places = end - fraction;
        counted += places;
        if places == 0 {
            return Err(bad(fraction, "a digit after the decimal point"));
        }
        canonical = digits < SAFE
            && text.get(end - 1) != Some(&b'0')
            && (!zero
                || places <= PLAIN_PLACES
                || decimal::has_more_digits(digits, places - PLAIN_PLACES));
    }
    let mut exponent = 0;
    let mut long = counted > COUNTED_DIGITS;
    if let Some(b'e' | b'E') = text.get(end) {
        let sign = text.get(end + 1);
        let first = end + 1 + usize::from(matches!(sign, Some(b'+' | b'-')));
        let size;
        (end, size) = read_digits(text, first, 0);
        if end == first {
            return Err(bad(first, "a digit in the exponent"));
        }
        long |= end - first > EXPONENT_DIGITS;
        exponent = if sign == Some(&b'-') { -(size as i64) } else { size as i64 };
        canonical = false;
    }
    let form = if long {
        Form::Long
    } else if canonical {
        Form::Canonical
    } else {
        // Both are far within 32 bits where nothing is too long.
        let exponent = (exponent - places as i64) as i32;
        Form::Decimal { digits, exponent }
    };
    Ok(Token { end, form })
}

#[cold]
fn bad(at: usize, expected: &'static str) -> BadNumber {
    BadNumber { at, expected }
}

/// Skips digits and appends them to `value`, which means nothing once it has left 64 bits.
#[inline]
fn read_digits(text: &[u8], mut at: usize, mut value: u64) -> (usize, u64) {
    while let Some(eight) = text.get(at..).and_then(decimal::eight_digits) {
        value = value.wrapping_mul(100_000_000).wrapping_add(eight);
        at += 8;
    }
    while let Some(&digit @ b'0'..=b'9') = text.get(at) {
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
        at += 1;
    }
    (at, value)
}

/// The double nearest to a number that [`read`] has found; infinite where it overflows.
#[inline]
pub(super) fn value(token: &[u8], form: Form) -> f64 {
    if let Form::Decimal { digits, exponent } = form
        && let Some(value) = decimal::to_double(digits, exponent)
    {
        return if token.first() == Some(&b'-') { -value } else { value };
    }
    if token.len() > LONG {
        return value_of_long(token);
    }
    // A number is ASCII and keeps to a grammar that is part of Rust's, so neither step fails.
    std::str::from_utf8(token).map_or(f64::NAN, |text| text.parse().unwrap_or(f64::NAN))
}

/// Longer numbers are shortened before they are read.
const LONG: usize = 1000;

/// So many digits, and a last one that tells whether any that follow are not zero, round as all of them do: a number
/// half-way between two doubles has at most 767.
const DECISIVE_DIGITS: usize = 800;

/// As [`value`], in linear time and without relying on how the standard library treats exponents of many digits and
/// runs of a million zeros.
fn value_of_long(token: &[u8]) -> f64 {
    let (negative, token) = match token.strip_prefix(b"-") {
        Some(rest) => (true, rest),
        None => (false, token),
    };
    let split = token.iter().position(|byte| matches!(byte, b'e' | b'E'));
    let (mantissa, exponent) = match split {
        Some(at) => (&token[..at], read_exponent(&token[at + 1..])),
        None => (token, 0),
    };
    let point = mantissa.iter().position(|&byte| byte == b'.');
    let whole_digits = point.unwrap_or(mantissa.len());
    let digits = mantissa.iter().copied().filter(|&byte| byte != b'.');
    let zeros = digits.clone().take_while(|&byte| byte == b'0').count();
    let mut significant = digits.skip(zeros);

    let mut text = String::with_capacity(DECISIVE_DIGITS + 32);
    text.push_str(if negative { "-0." } else { "0." });
    text.extend(significant.by_ref().take(DECISIVE_DIGITS).map(char::from));
    if significant.any(|byte| byte != b'0') {
        text.push('1');
    }
    // The number is 0.DIGITS times ten to this power; lengths in memory are far below the range of i64.
    let power = exponent + whole_digits as i64 - zeros as i64;
    text.push_str(&format!("0e{}", power.clamp(-9999, 9999)));
    text.parse().unwrap_or(f64::NAN)
}

/// An exponent, its sign included, held within bounds that no text's length makes up for.
fn read_exponent(digits: &[u8]) -> i64 {
    const BOUND: i64 = 1 << 60;
    let (negative, digits) = match digits.split_first() {
        Some((b'-', rest)) => (true, rest),
        Some((b'+', rest)) => (false, rest),
        _ => (false, digits),
    };
    let size = digits.iter().fold(0i64, |size, byte| {
        size.saturating_mul(10).saturating_add(i64::from(byte & 15)).min(BOUND)
    });
    if negative { -size } else { size }
}

/// Appends a finite double as ECMAScript's `Number::toString` writes it.
pub(super) fn write(value: f64, out: &mut Vec<u8>) {
    if value == 0.0 {
        // Both zeros.
        out.push(b'0');
        return;
    }
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(value).as_bytes();
    if (1e-5..1e16).contains(&value.abs()) {
        // Here both write without an exponent, and differ in a final `.0` only.
        out.extend_from_slice(text.strip_suffix(b".0").unwrap_or(text));
        return;
    }
    match text.iter().rposition(|&byte| byte == b'e') {
        Some(at) => write_scientific(&text[..at], read_exponent(&text[at + 1..]), out),
        None => out.extend_from_slice(text.strip_suffix(b".0").unwrap_or(text)),
    }
}

/// Lays out `d.ddd` times ten to `exponent`, which has the shortest digits already.
fn write_scientific(mantissa: &[u8], exponent: i64, out: &mut Vec<u8>) {
    let (negative, mantissa) = match mantissa.strip_prefix(b"-") {
        Some(rest) => (true, rest),
        None => (false, mantissa),
    };
    if negative {
        out.push(b'-');
    }
    let digits = mantissa.iter().filter(|&&byte| byte != b'.');
    let count = digits.clone().count() as i64;
    match exponent {
        // Up to 21 digits before the point: an integer, since at most 17 are significant.
        16..=20 => {
            out.extend(digits);
            out.extend((count..=exponent).map(|_| b'0'));
        }
        -6 => {
            out.extend_from_slice(b"0.00000");
            out.extend(digits);
        }
        _ => {
            out.extend_from_slice(mantissa);
            out.extend_from_slice(if exponent < 0 { b"e-" } else { b"e+" });
            out.extend_from_slice(exponent.unsigned_abs().to_string().as_bytes());
        }
    }
}
