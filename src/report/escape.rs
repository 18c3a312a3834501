//! Whatever a subject says is data: the one way by which it reaches a terminal or a shell line.

use std::fmt::Write as _;

/// Text without anything that a terminal would obey, that would show it in another order, or that
/// nobody would see. C0 controls and DEL become their pictures (`␊` for a line feed), which no JSON
/// escape is taken for; other controls, bidirectional and invisible characters and noncharacters
/// become `⟨U+202E⟩`, and so do the pictures themselves.
pub fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\0'..='\u{1f}' | '\u{7f}' => shown.push(picture(character)),
            _ if character.is_control() || is_unseen(character) => {
                // Writing to a string can't fail.
                let _ = write!(shown, "⟨U+{:04X}⟩", u32::from(character));
            }
            _ => shown.push(character),
        }
    }
    shown
}

/// The picture of a C0 control or of DEL, from Unicode's block of control pictures.
fn picture(control: char) -> char {
    let offset = if control == '\u{7f}' { 0x21 } else { u32::from(control) };
    char::from_u32(0x2400 + offset).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The same for text of several lines: line feeds stay.
pub fn plain_lines(text: &str) -> String {
    text.lines().map(plain).collect::<Vec<_>>().join("\n")
}

fn is_unseen(character: char) -> bool {
    matches!(
        character,
        '\u{00ad}' | '\u{061c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2400}'..='\u{2426}' | '\u{fdd0}'..='\u{fdef}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
    ) || u32::from(character) & 0xfffe == 0xfffe
}

/// A word quoted for a POSIX shell, where it needs it; with `$'…'` (POSIX 2024, bash, zsh, ksh)
/// where it has control characters, so that the whole command stays one line.
pub fn shell(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    if !word.chars().any(|c| c.is_control() || is_unseen(c)) {
        return format!("'{}'", word.replace('\'', "'\\''"));
    }
    let mut quoted = "$'".to_owned();
    for character in word.chars() {
        match character {
            '\'' | '\\' => quoted.extend(['\\', character]),
            _ if character.is_control() || is_unseen(character) => {
                for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                    // Three octal digits: no digit that follows can be taken for a part of them.
                    let _ = write!(quoted, "\\{byte:03o}");
                }
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('\'');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn does_an_escape_sequence_reach_the_terminal() {
        for hostile in ["\u{1b}[2J", "\u{9b}31m", "\u{7}", "\u{202e}gnp", "a\rb", "\u{7f}"] {
            let shown = plain(hostile);
            assert!(shown.chars().all(|c| !c.is_control()), "{shown:?}");
            assert!(!shown.contains('\u{202e}'), "{shown:?}");
        }
        assert_eq!(plain("é 😀 \\"), "é 😀 \\");
        assert_eq!(plain_lines("a\nb\u{1b}"), "a\nb␛");
        assert_eq!(plain("\n\u{7f}\u{feff}\u{ffff}␊\\n"), "␊␡⟨U+FEFF⟩⟨U+FFFF⟩⟨U+240A⟩\\n");
    }

    #[test]
    fn is_a_word_quoted_where_it_must_be() {
        assert_eq!(shell("python3"), "python3");
        assert_eq!(shell("it's"), "'it'\\''s'");
        assert_eq!(shell(""), "''");
        assert_eq!(shell("$(x)"), "'$(x)'");
        assert_eq!(shell("a\n'b\\7"), "$'a\\012\\'b\\\\7'");
    }
}
