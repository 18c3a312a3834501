//! Strings: finding their end, and what becomes of their escapes (RFC 8785 section 3.2.2.2).
//!
//! The canonical spelling of a character is fixed: `"`, `\` and U+0000 to U+001F are escaped, by the two-character
//! escape where JSON has one and else by a lower-case `\u00xx`; everything else stands for itself. A string without a
//! backslash is therefore canonical as it stands, and so is one whose escapes are all of the two-character kind, save
//! for `\/`.
//!
//! Depends on nothing.

/// How many bytes are examined at once.
const BLOCK: usize = 16;

/// The index of the first quote, backslash, control character or byte beyond ASCII at or after `at`; the text's
/// length if there is none.
#[inline]
pub(super) fn find_special(text: &[u8], mut at: usize) -> usize {
    while let Some(block) = text.get(at..).and_then(|rest| rest.first_chunk::<BLOCK>()) {
        // By a branch, not by adding a count that may be the whole block: the next load need not wait for it.
        if let Some(place) = first_special(block) {
            return at + place;
        }
        at += BLOCK;
    }
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().position(|&byte| is_special(byte)).unwrap_or(rest.len())
}

#[inline]
fn is_special(byte: u8) -> bool {
    !(0x20..0x80).contains(&byte) || byte == b'"' || byte == b'\\'
}

/// The place of the first special byte of the block.
#[inline]
fn first_special(block: &[u8; BLOCK]) -> Option<usize> {
    let word = u128::from_le_bytes(*block);
    first_special_of_eight(word as u64)
        .or_else(|| Some(8 + first_special_of_eight((word >> 64) as u64)?))
}

/// The same for eight bytes in a register, the first one lowest.
///
/// Vector instructions would gain a tenth on long strings and nothing elsewhere: not worth `unsafe`.
#[inline]
fn first_special_of_eight(word: u64) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // A subtraction sets the top bit of a byte that is too small for it. It may then be wrong about those above, but
    // the lowest one set is right; bytes beyond ASCII have it set from the start.
    let control = word.wrapping_sub(ONES * 0x20);
    let quote = (word ^ (ONES * 0x22)).wrapping_sub(ONES);
    let backslash = (word ^ (ONES * 0x5C)).wrapping_sub(ONES);
    let special = (control | quote | backslash | word) & (ONES * 0x80);
    (special != 0).then(|| special.trailing_zeros() as usize / 8)
}

/// The index behind the characters beyond ASCII that begin at `at`; the index of the first byte that belongs to no
/// well-formed one if there is such a byte (RFC 3629 section 4).
#[inline]
pub(super) fn skip_beyond_ascii(text: &[u8], mut at: usize) -> Result<usize, usize> {
    while let Some(&lead) = text.get(at)
        && lead >= 0x80
    {
        let rest = text.get(at + 1..).unwrap_or_default();
        let follow = |i: usize| matches!(rest.get(i), Some(0x80..=0xBF));
        let (well_formed, len) = match (lead, rest.first()) {
            (0xC2..=0xDF, _) => (follow(0), 2),
            (0xE1..=0xEC | 0xEE | 0xEF, _) => (follow(0) && follow(1), 3),
            (0xE0, Some(0xA0..=0xBF)) | (0xED, Some(0x80..=0x9F)) => (follow(1), 3),
            (0xF1..=0xF3, _) => (follow(0) && follow(1) && follow(2), 4),
            (0xF0, Some(0x90..=0xBF)) | (0xF4, Some(0x80..=0x8F)) => (follow(1) && follow(2), 4),
            _ => (false, 0),
        };
        if !well_formed {
            return Err(at);
        }
        at += len;
    }
    Ok(at)
}

/// Why an escape cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BadEscape {
    /// The text ends inside it.
    End,
    /// The byte after the backslash begins no escape.
    Unknown,
    /// One of the four places after `\u` holds no hexadecimal digit; its index.
    NotHex(usize),
    /// Half of a surrogate pair alone, or the halves in the wrong order.
    LoneSurrogate,
}

/// What an escape is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escape {
    /// A two-character escape that the canonical form spells in the same way.
    Canonical(char),
    /// Any other; `end` is the index behind it.
    Other { character: char, end: usize },
}

/// Reads the escape whose backslash is at `at`; two `\u` escapes that form a surrogate pair are one.
pub(super) fn read_escape(text: &[u8], at: usize) -> Result<Escape, BadEscape> {
    let canonical = |character| Ok(Escape::Canonical(character));
    match text.get(at + 1) {
        None => Err(BadEscape::End),
        Some(b'"') => canonical('"'),
        Some(b'\\') => canonical('\\'),
        Some(b'b') => canonical('\u{8}'),
        Some(b't') => canonical('\t'),
        Some(b'n') => canonical('\n'),
        Some(b'f') => canonical('\u{C}'),
        Some(b'r') => canonical('\r'),
        Some(b'/') => Ok(Escape::Other { character: '/', end: at + 2 }),
        Some(b'u') => read_unicode(text, at),
        Some(_) => Err(BadEscape::Unknown),
    }
}

fn read_unicode(text: &[u8], at: usize) -> Result<Escape, BadEscape> {
    let first = read_hex(text, at + 2)?;
    if let Some(character) = char::from_u32(first) {
        let end = at + 6;
        return Ok(Escape::Other { character, end });
    }
    // What is left is D800 to DFFF: it must be a high half with a low one right behind it.
    if first >= 0xDC00 || text.get(at + 6) != Some(&b'\\') || text.get(at + 7) != Some(&b'u') {
        return Err(BadEscape::LoneSurrogate);
    }
    let second = read_hex(text, at + 8)?;
    if !(0xDC00..=0xDFFF).contains(&second) {
        return Err(BadEscape::LoneSurrogate);
    }
    let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
    let character = char::from_u32(code).ok_or(BadEscape::LoneSurrogate)?;
    let end = at + 12;
    Ok(Escape::Other { character, end })
}

fn read_hex(text: &[u8], at: usize) -> Result<u32, BadEscape> {
    let mut value = 0;
    for i in at..at + 4 {
        let byte = *text.get(i).ok_or(BadEscape::End)?;
        let digit = char::from(byte).to_digit(16).ok_or(BadEscape::NotHex(i))?;
        value = value << 4 | digit;
    }
    Ok(value)
}

/// Appends the canonical spelling of a character.
pub(super) fn write_character(character: char, out: &mut Vec<u8>) {
    let short = match character {
        '"' => b'"',
        '\\' => b'\\',
        '\u{8}' => b'b',
        '\t' => b't',
        '\n' => b'n',
        '\u{C}' => b'f',
        '\r' => b'r',
        '\0'..='\u{1F}' => {
            const HEX: &[u8; 16] = b"0123456789abcdef";
            let code = character as usize;
            out.extend_from_slice(b"\\u00");
            out.extend_from_slice(&[HEX[code >> 4 & 15], HEX[code & 15]]);
            return;
        }
        _ => {
            out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

/// Appends the characters of a string that has been read without a fault; `raw` is what stands between its quotes.
pub(super) fn unescape(raw: &[u8], out: &mut Vec<u8>) {
    let mut at = 0;
    while let Some(&byte) = raw.get(at) {
        if byte != b'\\' {
            out.push(byte);
            at += 1;
            continue;
        }
        let (character, end) = match read_escape(raw, at) {
            Ok(Escape::Canonical(character)) => (character, at + 2),
            Ok(Escape::Other { character, end }) => (character, end),
            Err(_) => return,
        };
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, first_special, first_special_of_eight, is_special};

    #[test]
    fn every_byte_is_told_special_or_not_at_every_place() {
        for byte in 0..=u8::MAX {
            for place in 0..BLOCK {
                // What follows a special byte must not matter.
                for after in [b' ', b'"', 0x00, 0xFF] {
                    let mut block = [after; BLOCK];
                    block[..place].fill(b'~');
                    block[place] = byte;
                    let expected = block.iter().position(|&byte| is_special(byte));
                    assert_eq!(first_special(&block), expected, "{block:?}");
                    let word = u128::from_le_bytes(block);
                    let of_eight = expected.filter(|&place| place < 8);
                    assert_eq!(first_special_of_eight(word as u64), of_eight, "{block:?}");
                }
            }
        }
    }
}
