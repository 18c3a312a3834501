//! JSON Pointers (RFC 6901), and how strings of a manifest are shown in sentences.
//!
//! Depends on nothing.

/// The longest member name that a pointer spells out. One that is longer is shown cut, so that a report stays small
/// beside the manifest.
const NAME: usize = 256;

/// How many characters of a string a sentence shows.
const SHOWN: usize = 64;

/// Appends a member's name to a pointer.
pub(super) fn push(pointer: &mut String, name: &str) {
    pointer.push('/');
    let cut = name.floor_char_boundary(NAME.min(name.len()));
    for character in name.get(..cut).unwrap_or(name).chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// A pointer to the member of that name.
pub(super) fn to(base: &str, name: &str) -> String {
    let mut pointer = base.to_owned();
    push(&mut pointer, name);
    pointer
}

/// A string in a sentence: quoted, control and invisible characters escaped, cut where it is long.
pub(super) fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{:?}…", text.get(..cut).unwrap_or_default()),
        None => format!("{text:?}"),
    }
}
