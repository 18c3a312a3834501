//! Generated JSON: trees of every shape that RFC 8259 allows within I-JSON, and their spellings.
//!
//! A tree is a [`Tree`], not a `serde_json::Value`, since a spelling keeps what a value forgets: the
//! order of members and the way in which a number or a string is written.

use proptest::collection::vec;
use proptest::prelude::*;

/// A JSON value with members in an order.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// `null`, `true`, `false`.
    Word(&'static str),
    /// A finite number.
    Number(f64),
    /// A string without lone surrogates.
    Text(String),
    /// An array.
    Array(Vec<Tree>),
    /// An object without duplicate names.
    Object(Vec<(String, Tree)>),
}

/// Trees up to some 64 values.
pub fn tree() -> BoxedStrategy<Tree> {
    let leaf = prop_oneof![
        prop::sample::select(vec!["null", "true", "false"]).prop_map(Tree::Word),
        number().prop_map(Tree::Number),
        text().prop_map(Tree::Text),
    ];
    leaf.prop_recursive(4, 64, 8, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Tree::Array),
            vec((text(), inner), 0..6).prop_map(|members| Tree::Object(distinct(members))),
        ]
    })
    .boxed()
}

/// Trees that are objects.
pub fn object() -> BoxedStrategy<Tree> {
    vec((text(), tree()), 0..6).prop_map(|members| Tree::Object(distinct(members))).boxed()
}

fn distinct(members: Vec<(String, Tree)>) -> Vec<(String, Tree)> {
    let mut seen = std::collections::HashSet::new();
    members.into_iter().filter(|(name, _)| seen.insert(name.clone())).collect()
}

/// Finite doubles, with those in the neighbourhood of every rule of number formatting.
pub fn number() -> BoxedStrategy<f64> {
    prop_oneof![
        (-1000i32..1000).prop_map(f64::from),
        (-(1i64 << 53) + 1..(1i64 << 53)).prop_map(|integer| integer as f64),
        any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |number| number.is_finite()),
        (-30i32..30, 1u32..10_000)
            .prop_map(|(power, digits)| { format!("{digits}e{power}").parse().unwrap_or(0.0) }),
        prop::sample::select(vec![
            0.0,
            -0.0,
            1e21,
            1e-7,
            1e-6,
            999_999_999_999_999_900_000.0,
            5e-324,
            f64::MAX,
            f64::MIN_POSITIVE,
            0.1,
            1.0 / 3.0,
            9_007_199_254_740_991.0,
        ]),
    ]
    .boxed()
}

/// Strings of characters from every range that a rule speaks of.
pub fn text() -> BoxedStrategy<String> {
    let character = prop_oneof![
        8 => prop::char::range('a', 'z'),
        2 => prop::char::range('\u{0}', '\u{1f}'),
        2 => prop::sample::select(vec!['"', '\\', '/', '\u{7f}', ' ', '0', '_', 'Z', '\u{2028}', '\u{feff}']),
        2 => prop::char::range('\u{80}', '\u{7ff}'),
        2 => prop::char::range('\u{e000}', '\u{ffff}'),
        2 => prop::char::range('\u{10000}', '\u{10ffff}'),
    ];
    let character = character.prop_filter("no noncharacter: see JCS-R-1", |c| !is_noncharacter(*c));
    vec(character, 0..8).prop_map(|characters| characters.into_iter().collect()).boxed()
}

fn is_noncharacter(character: char) -> bool {
    let code = u32::from(character);
    code & 0xfffe == 0xfffe || (0xfdd0..=0xfdef).contains(&code)
}

/// Choices that a spelling takes, one after the other, round and round.
#[derive(Clone, Debug)]
pub struct Choices {
    given: Vec<u8>,
    next: usize,
}

impl Choices {
    /// The choices of a seed; of 0 all are the plainest.
    pub fn new(given: Vec<u8>) -> Choices {
        Choices { given, next: 0 }
    }

    fn below(&mut self, limit: usize) -> usize {
        let choice = self.given.get(self.next % self.given.len().max(1)).copied().unwrap_or(0);
        self.next += 1;
        usize::from(choice) % limit.max(1)
    }
}

/// Bytes for [`Choices`].
pub fn choices() -> BoxedStrategy<Vec<u8>> {
    vec(any::<u8>(), 0..32).boxed()
}

/// Writes a tree plainly: no white space, members as they stand, the shortest escapes.
pub fn plain(tree: &Tree) -> String {
    spell(tree, &mut Choices::new(vec![]))
}

/// Writes a tree in one of its many spellings: white space, escapes, number forms and the order of
/// members are as the choices say. The value is the same.
pub fn spell(tree: &Tree, choices: &mut Choices) -> String {
    let mut out = String::new();
    write(tree, choices, &mut out);
    out
}

fn blank(choices: &mut Choices, out: &mut String) {
    out.push_str(["", "", " ", "\n", "\t\r\n"][choices.below(5)]);
}

fn write(tree: &Tree, choices: &mut Choices, out: &mut String) {
    blank(choices, out);
    match tree {
        Tree::Word(word) => out.push_str(word),
        Tree::Number(number) => write_number(*number, choices, out),
        Tree::Text(text) => write_text(text, choices, out),
        Tree::Array(elements) => {
            out.push('[');
            for (index, element) in elements.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(element, choices, out);
            }
            out.push(']');
        }
        Tree::Object(members) => {
            out.push('{');
            let mut members: Vec<&(String, Tree)> = members.iter().collect();
            let turn = choices.below(members.len());
            members.rotate_left(turn);
            if choices.below(2) == 1 {
                members.reverse();
            }
            for (index, (name, member)) in members.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                blank(choices, out);
                write_text(name, choices, out);
                blank(choices, out);
                out.push(':');
                write(member, choices, out);
            }
            out.push('}');
        }
    }
    blank(choices, out);
}

/// The shortest digits that read back as the number, in one of several forms.
fn write_number(number: f64, choices: &mut Choices, out: &mut String) {
    let scientific = format!("{number:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let has_point = mantissa.contains('.');
    match choices.below(4) {
        // Plain decimals, where they are no inexact integers: see JCS-R-2.
        0 if number.abs() < 1e15 => out.push_str(&format!("{number}")),
        1 if !has_point => out.push_str(&format!("{mantissa}.0e{exponent}")),
        2 => out.push_str(&format!("{mantissa}E{exponent:+}")),
        3 if has_point => out.push_str(&format!("{mantissa}00e{exponent}")),
        _ => out.push_str(&scientific),
    }
}

fn write_text(text: &str, choices: &mut Choices, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        let must = matches!(character, '"' | '\\') || character < ' ';
        let escapes = choices.below(4) == 1;
        let short = match character {
            '"' => Some("\\\""),
            '\\' => Some("\\\\"),
            '/' => Some("\\/"),
            '\u{8}' => Some("\\b"),
            '\u{c}' => Some("\\f"),
            '\n' => Some("\\n"),
            '\r' => Some("\\r"),
            '\t' => Some("\\t"),
            _ => None,
        };
        match short {
            _ if !must && !escapes => out.push(character),
            Some(short) if !escapes || choices.below(2) == 0 => out.push_str(short),
            _ => {
                let upper = choices.below(2) == 1;
                let mut units = [0; 2];
                for unit in character.encode_utf16(&mut units) {
                    let escape =
                        if upper { format!("\\u{unit:04X}") } else { format!("\\u{unit:04x}") };
                    out.push_str(&escape);
                }
            }
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest! {
        #[test]
        fn is_every_spelling_the_same_value(tree in tree(), given in choices()) {
            let value = |text: &str| -> serde_json::Value {
                crate::laws::jcs::numbers(serde_json::from_str(text).expect("JSON"))
            };
            let spelled = spell(&tree, &mut Choices::new(given));
            prop_assert_eq!(value(&spelled), value(&plain(&tree)));
        }
    }
}
