//! Looking for many strings in a text at once.
//!
//! Everything is in its normal form, see [`normal`]. Time is linear in the texts but for sorting and searching; memory
//! is the strings and 12 bytes for each.
//!
//! Depends on `percent`.

use std::borrow::Cow;

use super::super::percent::decode;
use super::Sort;

/// The shortest string that is looked for anywhere in a text, in bytes.
pub(super) const SHORT: usize = 6;

/// How much of a string is looked for anywhere, in bytes.
const LONG: usize = 256;

/// How many layers of percent-encoding are undone.
const LAYERS: usize = 8;

/// A string in the arena.
#[derive(Debug, Clone, Copy)]
struct Held {
    start: u32,
    length: u32,
    sort: Sort,
}

/// What is looked for.
#[derive(Debug, Default)]
pub(super) struct Needles {
    /// All strings, one behind the other.
    arena: String,
    /// What is looked for anywhere: sorted, and none begins with another.
    anywhere: Vec<Held>,
    /// What is looked for as a word: sorted.
    words: Vec<Held>,
    /// Whether a word is shorter than [`SHORT`].
    short: bool,
    /// Which first two bytes those of `anywhere` have.
    starts: Vec<bool>,
}

/// A text as it is compared: percent-encoding undone, layer by layer, and letters of ASCII in lower case.
pub(super) fn normal(text: &str) -> String {
    let mut text = Cow::Borrowed(text);
    for _ in 0..LAYERS {
        let inner = decode(&text);
        if inner == text {
            break;
        }
        text = Cow::Owned(inner.into_owned());
    }
    let mut text = text.into_owned();
    text.make_ascii_lowercase();
    text
}

/// A pair of bytes as an index.
fn pair(first: u8, second: u8) -> usize {
    usize::from(first) << 8 | usize::from(second)
}

/// Whether between two characters a word can begin or end.
fn is_edge(before: Option<char>, behind: Option<char>) -> bool {
    let inner = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    !inner(before) || !inner(behind)
}

impl Needles {
    /// Adds a string that is looked for wherever it stands; of a long one its first 256 bytes.
    pub fn anywhere(&mut self, text: &str, sort: Sort) {
        let cut = text.floor_char_boundary(LONG.min(text.len()));
        let held = self.push(text.get(..cut).unwrap_or(text), sort);
        self.anywhere.extend(held);
    }

    /// Adds a string that is looked for as a word. Where it is long, it has letters and digits only.
    pub fn word(&mut self, text: &str, sort: Sort) {
        self.short |= text.len() < SHORT;
        let held = self.push(text, sort);
        self.words.extend(held);
    }

    fn push(&mut self, text: &str, sort: Sort) -> Option<Held> {
        let start = u32::try_from(self.arena.len()).ok()?;
        let length = u32::try_from(text.len()).ok()?;
        self.arena.push_str(text);
        Some(Held { start, length, sort })
    }

    /// Sorts what has been added; nothing is found before.
    pub fn settle(&mut self) {
        let mut words = std::mem::take(&mut self.words);
        words.sort_unstable_by(|a, b| self.text(*a).cmp(self.text(*b)));
        words.dedup_by(|a, b| self.text(*a) == self.text(*b));
        self.words = words;
        let mut anywhere = std::mem::take(&mut self.anywhere);
        anywhere.sort_unstable_by(|a, b| {
            self.text(*a).cmp(self.text(*b)).then_with(|| a.sort.cmp(&b.sort))
        });
        anywhere.dedup_by(|later, kept| self.text(*later).starts_with(self.text(*kept)));
        self.starts = vec![false; 1 << 16];
        for held in &anywhere {
            if let &[first, second, ..] = self.text(*held).as_bytes()
                && let Some(start) = self.starts.get_mut(pair(first, second))
            {
                *start = true;
            }
        }
        self.anywhere = anywhere;
    }

    /// The first string that a text in its normal form holds.
    pub fn find(&self, text: &str) -> Option<Sort> {
        self.find_anywhere(text).or_else(|| self.find_word(text))
    }

    fn text(&self, held: Held) -> &str {
        let start = held.start as usize;
        self.arena.get(start..start + held.length as usize).unwrap_or_default()
    }

    fn find_anywhere(&self, text: &str) -> Option<Sort> {
        for (at, window) in text.as_bytes().windows(2).enumerate() {
            let &[first, second] = window else { continue };
            if !self.starts.get(pair(first, second)).copied().unwrap_or_default() {
                continue;
            }
            let rest = text.as_bytes().get(at..).unwrap_or_default();
            // None begins with another, so only the last that sorts before the rest can be its beginning.
            let behind = self.anywhere.partition_point(|held| self.text(*held).as_bytes() <= rest);
            let held = behind.checked_sub(1).and_then(|index| self.anywhere.get(index));
            if let Some(held) = held
                && rest.starts_with(self.text(*held).as_bytes())
            {
                return Some(held.sort);
            }
        }
        None
    }

    fn find_word(&self, text: &str) -> Option<Sort> {
        if self.words.is_empty() {
            return None;
        }
        let is = |word: &str| {
            let found = self.words.binary_search_by(|held| self.text(*held).cmp(word)).ok()?;
            self.words.get(found).map(|held| held.sort)
        };
        let found = text.split(|character: char| !character.is_alphanumeric()).find_map(is);
        if found.is_some() || !self.short {
            return found;
        }
        // Short ones may hold other characters, too.
        let mut before = None;
        for (at, first) in text.char_indices() {
            if is_edge(before, Some(first)) {
                let rest = text.get(at..).unwrap_or_default();
                let ends = (2..SHORT).filter(|&end| {
                    let around = rest.get(..end).zip(rest.get(end..));
                    around.is_some_and(|(word, behind)| {
                        is_edge(word.chars().next_back(), behind.chars().next())
                    })
                });
                let found = ends.filter_map(|end| rest.get(..end)).find_map(is);
                if found.is_some() {
                    return found;
                }
            }
            before = Some(first);
        }
        None
    }
}
