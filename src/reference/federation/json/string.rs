//! Strings: unescaping them and writing them canonically (RFC 8785 section 3.2.2.2).
//!
//! Depends on nothing.

/// Reads the string whose opening quote is just before `at`: its text, and the index behind its closing quote. `None`
/// where no string of the grammar, in UTF-8, stands there.
pub(super) fn read(input: &[u8], at: usize) -> Option<(String, usize)> {
    let mut text = Vec::new();
    let mut at = at;
    loop {
        let rest = input.get(at..)?;
        let plain = rest.iter().position(|&byte| byte == b'"' || byte == b'\\' || byte < b' ')?;
        let (run, stop) = rest.split_at_checked(plain)?;
        at += plain + 1;
        match stop.first()? {
            b'"' if text.is_empty() => {
                return Some((std::str::from_utf8(run).ok()?.to_owned(), at));
            }
            b'"' => {
                text.extend_from_slice(run);
                return Some((String::from_utf8(text).ok()?, at));
            }
            b'\\' => {
                text.extend_from_slice(run);
                let (character, end) = escape(input, at)?;
                text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                at = end;
            }
            _ => return None,
        }
    }
}

/// Reads what follows a backslash at `at`. A surrogate counts as half of a pair in the right order only.
fn escape(input: &[u8], at: usize) -> Option<(char, usize)> {
    let plain = match input.get(at)? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return hexadecimal(input, at + 1),
        _ => return None,
    };
    Some((plain, at + 1))
}

/// The character of the `\u` escape whose digits begin at `at`, or of the pair of escapes.
fn hexadecimal(input: &[u8], at: usize) -> Option<(char, usize)> {
    let first = unit(input, at)?;
    if let Some(character) = char::from_u32(u32::from(first)) {
        return Some((character, at + 4));
    }
    if input.get(at + 4..at + 6)? != b"\\u" {
        return None;
    }
    let second = unit(input, at + 6)?;
    let character = char::decode_utf16([first, second]).next()?.ok()?;
    Some((character, at + 10))
}

/// The four hexadecimal digits at `at`.
fn unit(input: &[u8], at: usize) -> Option<u16> {
    let digits = input.get(at..at + 4)?;
    digits.iter().try_fold(0, |unit, &digit| {
        let value = char::from(digit).to_digit(16)?;
        Some(unit << 4 | u16::try_from(value).ok()?)
    })
}

/// Appends a string in its canonical spelling.
pub(super) fn write(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    for &byte in text.as_bytes() {
        let short = match byte {
            b'"' | b'\\' => byte,
            0x08 => b'b',
            b'\t' => b't',
            b'\n' => b'n',
            0x0C => b'f',
            b'\r' => b'r',
            0x00..0x20 => {
                out.extend_from_slice(format!("\\u{byte:04x}").as_bytes());
                continue;
            }
            _ => {
                out.push(byte);
                continue;
            }
        };
        out.extend_from_slice(&[b'\\', short]);
    }
    out.push(b'"');
}
