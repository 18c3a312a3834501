//! Lines that fit a terminal. Prose is broken between words; values are broken anywhere, since
//! their blanks count. Depends on nothing.

use std::io::{IsTerminal, stdout};

/// No layout makes sense in less.
const LEAST: usize = 60;

/// How wide lines may be; `None` where nobody would wrap them: in a file, a pipe, a log.
pub type Width = Option<usize>;

/// The width of the terminal that standard output goes to; `None` where it goes to none.
pub fn of_stdout() -> Width {
    if !stdout().is_terminal() {
        return None;
    }
    #[cfg(unix)]
    if let Ok(size) = rustix::termios::tcgetwinsize(stdout())
        && size.ws_col > 0
    {
        return Some(usize::from(size.ws_col).max(LEAST));
    }
    Some(80)
}

/// Prose in lines that fit beside `indent`, broken between words; a word that is longer than a
/// line stays whole.
pub fn prose(text: &str, indent: usize, width: Width) -> Vec<String> {
    let Some(room) = room(indent, width) else { return vec![text.to_owned()] };
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > room {
            lines.push(String::new());
            used = 0;
        }
        if let Some(line) = lines.last_mut() {
            if used > 0 {
                line.push(' ');
                used += 1;
            }
            line.push_str(word);
            used += length;
        }
    }
    lines
}

/// A value in lines that fit beside `indent`, broken wherever a line is full.
pub fn value(text: &str, indent: usize, width: Width) -> Vec<String> {
    let Some(room) = room(indent, width) else { return vec![text.to_owned()] };
    let characters: Vec<char> = text.chars().collect();
    if characters.is_empty() {
        return vec![String::new()];
    }
    characters.chunks(room).map(|line| line.iter().collect()).collect()
}

fn room(indent: usize, width: Width) -> Option<usize> {
    width.map(|width| width.max(LEAST).saturating_sub(indent).max(LEAST / 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn does_prose_break_between_words() {
        let text = "ten letters ".repeat(6);
        let lines = prose(&text, 20, Some(60));
        assert_eq!(
            lines,
            ["ten letters ten letters ten letters ten", "letters ten letters ten letters"]
        );
        assert_eq!(prose(&text, 0, None), [text.as_str()]);
        assert_eq!(prose("", 0, Some(60)), [""]);
        let long = "x".repeat(70);
        assert_eq!(prose(&format!("a {long} b"), 0, Some(60)), ["a", long.as_str(), "b"]);
    }

    #[test]
    fn does_a_value_keep_every_blank() {
        let text = format!("{}  {}", "a".repeat(59), "é".repeat(90));
        let lines = value(&text, 0, Some(60));
        assert!(lines.iter().all(|line| line.chars().count() <= 60), "{lines:?}");
        assert_eq!(lines.concat(), text);
        assert_eq!(value("", 0, Some(60)), [""]);
    }
}
