//! Whatever a subject says is data: the one way by which it reaches a terminal or a shell line.

use std::fmt::Write as _;

/// Text without anything that a terminal would obey or that would show it in another order:
/// control characters (C0, DEL, C1), line separators and bidirectional controls become `\u{…}`.
pub fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            '\r' => shown.push_str("\\r"),
            _ if character.is_control() || reorders(character) => {
                // Writing to a string can't fail.
                let _ = write!(shown, "\\u{{{:x}}}", u32::from(character));
            }
            _ => shown.push(character),
        }
    }
    shown
}

/// The same for text of several lines: line feeds stay.
pub fn plain_lines(text: &str) -> String {
    text.lines().map(plain).collect::<Vec<_>>().join("\n")
}

fn reorders(character: char) -> bool {
    matches!(
        character,
        '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
    )
}

/// A word quoted for a POSIX shell, where it needs it.
pub fn shell(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn does_an_escape_sequence_reach_the_terminal() {
        for hostile in ["\u{1b}[2J", "\u{9b}31m", "\u{7}", "\u{202e}gnp", "a\rb", "\u{7f}"] {
            let shown = plain(hostile);
            assert!(shown.chars().all(|c| !c.is_control() && !reorders(c)), "{shown:?}");
        }
        assert_eq!(plain("é 😀 \\"), "é 😀 \\");
        assert_eq!(plain_lines("a\nb\u{1b}"), "a\nb\\u{1b}");
    }

    #[test]
    fn is_a_word_quoted_where_it_must_be() {
        assert_eq!(shell("python3"), "python3");
        assert_eq!(shell("it's"), "'it'\\''s'");
        assert_eq!(shell(""), "''");
        assert_eq!(shell("$(x)"), "'$(x)'");
    }
}
