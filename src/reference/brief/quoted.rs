//! The one function that puts a text into YAML, as a double-quoted scalar that ends where it should.
//!
//! Every value and every key that is written goes through it, whatever it holds; so that no value can end its line,
//! add a key or be taken for another type. Plain ASCII and letters, digits and signs of all scripts stand as they are;
//! the two characters that mean something inside the quotes, and whatever is a control, a line break to some reader, a
//! blank other than the common one, or invisible (bidirectional marks among it) is escaped. The escapes are those that
//! YAML 1.1 and 1.2 have in common (1.2.2 section 5.7).
//!
//! Depends on nothing.

use std::fmt::Write;

/// Adds the text to the line as a double-quoted scalar.
pub(super) fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if stands_for_itself(c) => out.push(c),
            c => {
                let code = u32::from(c);
                // Writing to a string does not fail.
                let _ = match code {
                    0..=0xFF => write!(out, "\\x{code:02X}"),
                    0x100..=0xFFFF => write!(out, "\\u{code:04X}"),
                    _ => write!(out, "\\U{code:08X}"),
                };
            }
        }
    }
    out.push('"');
}

/// Whether a character is seen as itself and means nothing to any reader of YAML.
fn stands_for_itself(c: char) -> bool {
    if c.is_ascii() {
        return (' '..='~').contains(&c);
    }
    // Noncharacters are the last two of each plane, and U+FDD0 to U+FDEF.
    let noncharacter = u32::from(c) & 0xFFFE == 0xFFFE || ('\u{FDD0}'..='\u{FDEF}').contains(&c);
    !c.is_control() && !c.is_whitespace() && !noncharacter && !is_invisible(c)
}

/// Format characters and those that may be shown as nothing (the Unicode properties `Cf` and
/// `Default_Ignorable_Code_Point`).
fn is_invisible(c: char) -> bool {
    const RANGES: [(char, char); 30] = [
        ('\u{AD}', '\u{AD}'),
        ('\u{34F}', '\u{34F}'),
        ('\u{600}', '\u{605}'),
        ('\u{61C}', '\u{61C}'),
        ('\u{6DD}', '\u{6DD}'),
        ('\u{70F}', '\u{70F}'),
        ('\u{890}', '\u{891}'),
        ('\u{8E2}', '\u{8E2}'),
        ('\u{115F}', '\u{1160}'),
        ('\u{17B4}', '\u{17B5}'),
        ('\u{180B}', '\u{180F}'),
        ('\u{200B}', '\u{200F}'),
        ('\u{2028}', '\u{202E}'),
        ('\u{2060}', '\u{206F}'),
        ('\u{2800}', '\u{2800}'),
        ('\u{3164}', '\u{3164}'),
        ('\u{FE00}', '\u{FE0F}'),
        ('\u{FEFF}', '\u{FEFF}'),
        ('\u{FFA0}', '\u{FFA0}'),
        ('\u{FFF0}', '\u{FFFB}'),
        ('\u{110BD}', '\u{110BD}'),
        ('\u{110CD}', '\u{110CD}'),
        ('\u{13430}', '\u{1345F}'),
        ('\u{1BCA0}', '\u{1BCA3}'),
        ('\u{1D173}', '\u{1D17A}'),
        ('\u{E0000}', '\u{E0FFF}'),
        ('\u{E000}', '\u{F8FF}'),
        ('\u{F0000}', '\u{FFFFD}'),
        ('\u{100000}', '\u{10FFFD}'),
        ('\u{FFFC}', '\u{FFFD}'),
    ];
    RANGES.iter().any(|&(from, to)| (from..=to).contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str) -> String {
        let mut out = String::new();
        push_quoted(&mut out, text);
        out
    }

    #[test]
    fn is_every_character_that_some_reader_trips_over_escaped() {
        assert_eq!(quoted("a \"b\"\\\n\r\t"), r#""a \"b\"\\\n\r\t""#);
        assert_eq!(quoted("\0\u{7F}\u{85}\u{A0}"), r#""\x00\x7F\x85\xA0""#);
        assert_eq!(quoted("\u{2028}\u{202E}\u{FEFF}"), r#""\u2028\u202E\uFEFF""#);
        assert_eq!(quoted("\u{FFFE}\u{1FFFF}\u{E0041}"), r#""\uFFFE\U0001FFFF\U000E0041""#);
    }

    #[test]
    fn does_what_people_read_stay_readable() {
        let text = "Größe: 日本語 – „ja“ 🎉 # ---";
        assert_eq!(quoted(text), format!("\"{text}\""));
    }

    #[test]
    fn does_every_character_give_one_line_of_what_all_readers_print() {
        for c in (0..=0x10_FFFF).filter_map(char::from_u32) {
            let line = quoted(&c.to_string());
            assert!(line.chars().all(stands_for_itself), "U+{:04X}", u32::from(c));
            let inner = line.get(1..line.len() - 1).unwrap_or_default();
            let free = inner.strip_prefix('\\').map_or(inner, |rest| rest.get(1..).unwrap_or(""));
            assert!(!free.contains(['"', '\\']), "U+{:04X}", u32::from(c));
        }
    }
}
