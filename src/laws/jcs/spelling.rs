//! Spellings of one JSON value that differ in the ways that a law chooses, and in no other.
//!
//! Beside [`crate::laws::json::spell`], which varies all at once: where a law turns one thing alone, its
//! counterexample says which one the subject is not blind to.

use serde_json::Value;

use crate::laws::json::Tree;

/// What a spelling may vary.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ways {
    /// White space between tokens.
    pub space: bool,
    /// The order of members.
    pub order: bool,
    /// How characters of strings and names are written.
    pub escapes: bool,
    /// The notation of numbers.
    pub numbers: bool,
}

impl Ways {
    /// White space alone.
    pub const SPACE: Ways = Ways { space: true, order: false, escapes: false, numbers: false };
    /// The order of members alone.
    pub const ORDER: Ways = Ways { space: false, order: true, escapes: false, numbers: false };
    /// Escapes alone.
    pub const ESCAPES: Ways = Ways { space: false, order: false, escapes: true, numbers: false };
    /// The notation of numbers alone.
    pub const NUMBERS: Ways = Ways { space: false, order: false, escapes: false, numbers: true };
    /// Everything.
    pub const ALL: Ways = Ways { space: true, order: true, escapes: true, numbers: true };
}

/// The tree of a JSON value.
pub fn tree_of(value: &Value) -> Tree {
    match value {
        Value::Null => Tree::Word("null"),
        Value::Bool(true) => Tree::Word("true"),
        Value::Bool(false) => Tree::Word("false"),
        Value::Number(number) => Tree::Number(number.as_f64().unwrap_or(0.0)),
        Value::String(text) => Tree::Text(text.clone()),
        Value::Array(elements) => Tree::Array(elements.iter().map(tree_of).collect()),
        Value::Object(members) => Tree::Object(
            members.iter().map(|(name, member)| (name.clone(), tree_of(member))).collect(),
        ),
    }
}

/// Writes a tree as the choices say, which are taken one after the other, round and round. With none
/// it is written plainly.
pub fn spell(tree: &Tree, ways: Ways, given: &[u8]) -> String {
    let mut spelling = Spelling { ways, given, next: 0, out: String::new() };
    spelling.write(tree);
    spelling.out
}

struct Spelling<'a> {
    ways: Ways,
    given: &'a [u8],
    next: usize,
    out: String,
}

impl Spelling<'_> {
    fn below(&mut self, limit: usize) -> usize {
        let choice = self.given.get(self.next % self.given.len().max(1)).copied().unwrap_or(0);
        self.next += 1;
        usize::from(choice) % limit.max(1)
    }

    fn blank(&mut self) {
        if self.ways.space {
            let blank = ["", " ", "\n", "\t", "\r", "\r\n  "][self.below(6)];
            self.out.push_str(blank);
        }
    }

    fn write(&mut self, tree: &Tree) {
        self.blank();
        match tree {
            Tree::Word(word) => self.out.push_str(word),
            Tree::Number(number) => self.number(*number),
            Tree::Text(text) => self.text(text),
            Tree::Array(elements) => {
                self.out.push('[');
                for (index, element) in elements.iter().enumerate() {
                    if index > 0 {
                        self.out.push(',');
                    }
                    self.write(element);
                }
                if elements.is_empty() {
                    self.blank();
                }
                self.out.push(']');
            }
            Tree::Object(members) => self.object(members),
        }
        self.blank();
    }

    fn object(&mut self, members: &[(String, Tree)]) {
        let mut left: Vec<&(String, Tree)> = members.iter().collect();
        self.out.push('{');
        if left.is_empty() {
            self.blank();
        }
        let mut first = true;
        while !left.is_empty() {
            let at = if self.ways.order { self.below(left.len()) } else { 0 };
            let (name, member) = left.remove(at);
            if !first {
                self.out.push(',');
            }
            first = false;
            self.blank();
            self.text(name);
            self.blank();
            self.out.push(':');
            self.write(member);
        }
        self.out.push('}');
    }

    fn number(&mut self, number: f64) {
        let scientific = format!("{number:e}");
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(0);
        let safe = number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0;
        let plain = if safe || (1e-7..1e15).contains(&number.abs()) {
            number.to_string()
        } else {
            scientific.clone()
        };
        let choice = if self.ways.numbers { self.below(6) } else { 0 };
        let written = match choice {
            1 if mantissa.contains('.') => format!("{mantissa}00e{exponent}"),
            1 => format!("{mantissa}.0e{exponent}"),
            2 => format!("{mantissa}E{exponent:+}"),
            3 if exponent >= 0 => format!("{mantissa}e+0{exponent}"),
            // An integer that is beyond the safe range is left in its notation: see JCS-R-2.
            4 if safe => format!("{plain}.00"),
            5 if plain.contains('.') && !plain.contains('e') => format!("{plain}0e-0"),
            _ => plain,
        };
        self.out.push_str(&written);
    }

    fn text(&mut self, text: &str) {
        self.out.push('"');
        for character in text.chars() {
            let must = matches!(character, '"' | '\\') || character < ' ';
            let escapes = self.ways.escapes && self.below(3) == 1;
            match short(character) {
                _ if !must && !escapes => self.out.push(character),
                Some(short) if !escapes || self.below(2) == 0 => self.out.push_str(short),
                _ => {
                    let upper = self.ways.escapes && self.below(2) == 1;
                    for unit in character.encode_utf16(&mut [0; 2]) {
                        let escape =
                            if upper { format!("\\u{unit:04X}") } else { format!("\\u{unit:04x}") };
                        self.out.push_str(&escape);
                    }
                }
            }
        }
        self.out.push('"');
    }
}

/// The escape of two characters that JSON has for a character.
fn short(character: char) -> Option<&'static str> {
    Some(match character {
        '"' => "\\\"",
        '\\' => "\\\\",
        '/' => "\\/",
        '\u{8}' => "\\b",
        '\u{c}' => "\\f",
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::laws::jcs::numbers;
    use crate::laws::json;

    proptest! {
        #[test]
        fn is_every_spelling_the_same_value(
            tree in json::tree(),
            given in json::choices(),
            way in prop::sample::select(vec![
                Ways::SPACE, Ways::ORDER, Ways::ESCAPES, Ways::NUMBERS, Ways::ALL,
            ]),
        ) {
            let value = |text: &str| -> Value { numbers(serde_json::from_str(text).expect("JSON")) };
            let plain = spell(&tree, Ways::default(), &[]);
            prop_assert_eq!(value(&spell(&tree, way, &given)), value(&plain), "{}", plain);
        }
    }
}
