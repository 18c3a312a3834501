//! Walks canonical JSON text without building a tree: the members of an object, the elements of an array.
//!
//! What is walked comes from `jcs`, so it is well-formed and has no white space. On anything else the iterators end
//! early; nothing here fails or recurses.
//!
//! Depends on nothing.

/// A member of an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member<'a> {
    /// The name as it is spelled between its quotes.
    pub name: &'a [u8],
    /// The value's text.
    pub value: &'a [u8],
}

/// The members of an object; none where the text is no object.
pub(super) fn members(text: &[u8]) -> impl Iterator<Item = Member<'_>> {
    let mut rest = text.strip_prefix(b"{").unwrap_or_default();
    std::iter::from_fn(move || {
        rest = rest.strip_prefix(b",").unwrap_or(rest);
        let (name, behind) = rest.split_at_checked(string_len(rest)?)?;
        let (value, behind) = split_value(behind.strip_prefix(b":")?)?;
        rest = behind;
        Some(Member { name: name.get(1..name.len().checked_sub(1)?)?, value })
    })
}

/// The elements of an array; none where the text is no array.
pub(super) fn elements(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text.strip_prefix(b"[").unwrap_or_default();
    std::iter::from_fn(move || {
        rest = rest.strip_prefix(b",").unwrap_or(rest);
        let (value, behind) = split_value(rest)?;
        rest = behind;
        Some(value)
    })
}

pub(super) fn is_object(text: &[u8]) -> bool {
    text.first() == Some(&b'{')
}

pub(super) fn is_array(text: &[u8]) -> bool {
    text.first() == Some(&b'[')
}

pub(super) fn is_string(text: &[u8]) -> bool {
    text.first() == Some(&b'"')
}

/// The length of the string at the beginning of the text, quotes included.
pub(super) fn string_len(text: &[u8]) -> Option<usize> {
    let mut bytes = text.iter().enumerate();
    bytes.next().filter(|&(_, &byte)| byte == b'"')?;
    while let Some((at, &byte)) = bytes.next() {
        match byte {
            b'"' => return Some(at + 1),
            b'\\' => {
                bytes.next();
            }
            _ => {}
        }
    }
    None
}

/// The value at the beginning of the text, and what stands behind it.
fn split_value(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => {
                at += string_len(text.get(at..)?)?;
                if depth == 0 {
                    break;
                }
            }
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' if depth > 0 => {
                depth -= 1;
                at += 1;
                if depth == 0 {
                    break;
                }
            }
            b'}' | b']' | b',' if depth == 0 => break,
            _ => at += 1,
        }
    }
    if at == 0 {
        return None;
    }
    text.split_at_checked(at)
}
