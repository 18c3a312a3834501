//! The order of member names: by UTF-16 code units (RFC 8785 section 3.2.3), worked out on their UTF-8 bytes.
//!
//! # Why bytes suffice
//!
//! UTF-8 bytes compare as code points do. UTF-16 code units do so too, but for one pair of classes: a character
//! above U+FFFF begins with a surrogate, D800 to DBFF, and so sorts *below* U+E000 to U+FFFF although its code point
//! is greater. Two strings that differ do so first at one character of each (or one ends), and everything before it
//! is equal in both encodings, so that pair of characters decides:
//!
//! - Neither or both above U+FFFF: code units order them as code points, hence as UTF-8 bytes. (Two surrogate pairs:
//!   the high unit grows with the code point, and where it is equal the low one does. One in U+0000 to U+D7FF against
//!   a surrogate pair: below it in either encoding.)
//! - One above U+FFFF, the other in U+E000 to U+FFFF: the order is turned.
//!
//! In UTF-8 the first class begins with F0 to F4 and the second with EE or EF (U+E000 is EE 80 80; U+D7FF, the last
//! one before the surrogates, is ED 9F BF). In valid UTF-8 none of these bytes ever is a continuation byte (80 to
//! BF). So mapping EE and EF to two values above F4, and comparing mapped bytes, gives the order of UTF-16 code
//! units: where the first differing bytes are continuation bytes the characters share their lead byte and thus
//! their class, and where they are lead bytes the map puts the classes in the order that UTF-16 has.
//!
//! Depends on nothing.

use std::cmp::Ordering;

const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// The rank of a UTF-8 byte in the order of UTF-16 code units.
#[inline]
fn rank(byte: u8) -> u8 {
    match byte {
        0xEE => 0xFE,
        0xEF => 0xFF,
        other => other,
    }
}

/// The ranks of the name's first eight bytes as one number, padded with zeros: `prefix(a) < prefix(b)` implies that
/// `a` sorts before `b`; equal prefixes decide nothing (a name may hold U+0000).
#[inline]
pub(super) fn prefix(name: &[u8]) -> u64 {
    let word = match name.first_chunk::<8>() {
        Some(chunk) => u64::from_be_bytes(*chunk),
        None => name
            .iter()
            .enumerate()
            .fold(0, |word, (i, &byte)| word | u64::from(byte) << (56 - 8 * i)),
    };
    ranked(word)
}

/// [`prefix`] of `text[at..at + len]`, loading past its end where `text` goes on.
#[inline]
pub(super) fn prefix_within(text: &[u8], at: usize, len: usize) -> u64 {
    match text.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        Some(chunk) if len < 8 => ranked(u64::from_be_bytes(*chunk) & !(u64::MAX >> (8 * len))),
        Some(chunk) => ranked(u64::from_be_bytes(*chunk)),
        None => prefix(text.get(at..at + len).unwrap_or_default()),
    }
}

#[inline]
fn ranked(word: u64) -> u64 {
    if word & HIGH_BITS == 0 { word } else { u64::from_be_bytes(word.to_be_bytes().map(rank)) }
}

/// Compares two names, given as valid UTF-8, by UTF-16 code units.
pub(super) fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let words = a.chunks_exact(8).zip(b.chunks_exact(8));
    let same = 8 * words.take_while(|(x, y)| x == y).count();
    let (a_rest, b_rest) = (a.iter().skip(same), b.iter().skip(same));
    match a_rest.zip(b_rest).map(|(&x, &y)| rank(x).cmp(&rank(y))).find(|order| order.is_ne()) {
        Some(order) => order,
        None => a.len().cmp(&b.len()),
    }
}
