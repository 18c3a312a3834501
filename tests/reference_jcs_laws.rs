//! Does the reference canonicaliser hold its laws on generated documents, and agree with `serde_jcs` on all of them?
//!
//! A document is generated as a tree and written in a spelling drawn from a seed: white space, order of members,
//! escapes and the form of numbers all vary, and none of it may show in the canonical form.

use std::cmp::Ordering;
use std::fmt::Write as _;

use proofmark::reference::jcs::{JcsErrorKind, canonicalise};
use proptest::prelude::*;

#[derive(Debug, Clone)]
enum Tree {
    Literal(&'static str),
    Number(f64),
    String(String),
    Array(Vec<Tree>),
    /// Names differ.
    Object(Vec<(String, Tree)>),
}

fn character() -> impl Strategy<Value = char> {
    prop_oneof![
        8 => prop::char::range('a', 'd'),
        2 => prop::char::range(' ', '~'),
        2 => prop::char::range('\0', '\u{1f}'),
        1 => prop::char::range('\u{7f}', '\u{7ff}'),
        1 => prop::char::range('\u{800}', '\u{d7ff}'),
        2 => prop::char::range('\u{e000}', '\u{ffff}'),
        2 => prop::char::range('\u{10000}', '\u{10ffff}'),
        1 => prop::sample::select(vec!['"', '\\', '/', '\u{d7ff}', '\u{e000}', '\u{ffff}', '\u{10000}', '\u{2028}', '\u{feff}']),
    ]
}

fn text(longest: usize) -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::collection::vec(character(), 0..=longest),
        // Names that share their first eight bytes, or more.
        1 => prop::collection::vec(character(), 0..3).prop_map(|end| "shared prefix".chars().chain(end).collect()),
    ]
    .prop_map(|characters: Vec<char>| characters.into_iter().collect())
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        (-1000i32..1000).prop_map(f64::from),
        any::<i64>().prop_map(|integer| integer as f64),
        (any::<i32>(), -30i32..30)
            .prop_map(|(digits, exponent)| format!("{digits}e{exponent}").parse().unwrap_or(0.0)),
        any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |value| value.is_finite()),
        Just(-0.0),
    ]
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        prop::sample::select(vec!["null", "true", "false"]).prop_map(Tree::Literal),
        number().prop_map(Tree::Number),
        text(40).prop_map(Tree::String),
    ];
    leaf.prop_recursive(5, 60, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Tree::Array),
            prop::collection::btree_map(text(6), inner, 0..8)
                .prop_map(|members| Tree::Object(members.into_iter().collect())),
        ]
    })
}

/// A way of writing documents down.
struct Spelling {
    state: u64,
    text: String,
}

impl Spelling {
    fn of(tree: &Tree, seed: u64) -> String {
        let mut spelling = Spelling { state: seed, text: String::new() };
        spelling.space();
        spelling.value(tree);
        spelling.space();
        spelling.text
    }

    fn draw(&mut self, bound: u64) -> u64 {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.state >> 33) % bound
    }

    fn space(&mut self) {
        for _ in 0..self.draw(12).saturating_sub(8) * 4 {
            let character = [' ', ' ', ' ', '\n', '\r', '\t'][self.draw(6) as usize];
            self.text.push(character);
        }
    }

    fn value(&mut self, tree: &Tree) {
        match tree {
            Tree::Literal(literal) => self.text.push_str(literal),
            Tree::Number(value) => self.number(*value),
            Tree::String(string) => self.string(string),
            Tree::Array(elements) => {
                self.text.push('[');
                for (i, element) in elements.iter().enumerate() {
                    self.separator(i);
                    self.value(element);
                }
                self.space();
                self.text.push(']');
            }
            Tree::Object(members) => {
                let mut order: Vec<_> = members.iter().collect();
                for i in (1..order.len()).rev() {
                    let j = self.draw(i as u64 + 1) as usize;
                    order.swap(i, j);
                }
                self.object(order.into_iter());
            }
        }
    }

    fn object<'a>(&mut self, members: impl Iterator<Item = &'a (String, Tree)>) {
        self.text.push('{');
        for (i, (name, value)) in members.enumerate() {
            self.separator(i);
            self.string(name);
            self.space();
            self.text.push(':');
            self.space();
            self.value(value);
        }
        self.space();
        self.text.push('}');
    }

    fn separator(&mut self, index: usize) {
        self.space();
        if index > 0 {
            self.text.push(',');
            self.space();
        }
    }

    fn number(&mut self, value: f64) {
        let _ = match self.draw(7) {
            0 => write!(self.text, "{value}"),
            1 => write!(self.text, "{value:.17e}"),
            2 => write!(self.text, "{value:E}"),
            3 => write!(self.text, "{value:.25e}"),
            4 => write!(self.text, "{}", format!("{value:e}").replace("e-", "E-00")),
            5 => {
                write!(self.text, "{}", format!("{value:e}").replace('e', "e+").replace("+-", "-"))
            }
            _ => write!(self.text, "{value:?}"),
        };
    }

    fn string(&mut self, string: &str) {
        self.text.push('"');
        for character in string.chars() {
            let must = matches!(character, '"' | '\\' | '\0'..='\u{1f}');
            if !must && self.draw(8) != 0 {
                self.text.push(character);
                continue;
            }
            let short = "\"\"\\\\//\u{8}b\u{c}f\nn\rr\tt";
            let letter = short
                .chars()
                .zip(short.chars().skip(1))
                .step_by(2)
                .find(|(known, _)| *known == character);
            match letter {
                Some((_, letter)) if self.draw(2) == 0 => {
                    self.text.push('\\');
                    self.text.push(letter);
                }
                _ => {
                    for unit in character.encode_utf16(&mut [0; 2]) {
                        let _ = match self.draw(2) {
                            0 => write!(self.text, "\\u{unit:04x}"),
                            _ => write!(self.text, "\\u{unit:04X}"),
                        };
                    }
                }
            }
        }
        self.text.push('"');
    }
}

fn second_opinion(text: &str) -> Vec<u8> {
    let value: serde_json::Value =
        serde_json::from_str(text).expect("a generated document is JSON");
    serde_jcs::to_vec(&value).expect("a value that has been read can be written")
}

/// By code units, as RFC 8785 section 3.2.3 words it.
fn by_code_units(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn two_implementations_agree_on_every_spelling(tree in tree(), one in any::<u64>(), other in any::<u64>()) {
        let text = Spelling::of(&tree, one);
        let canonical = canonicalise(text.as_bytes());
        let expected = second_opinion(&text);
        prop_assert_eq!(canonical.as_deref(), Ok(&expected[..]), "{}", text);
        let text = Spelling::of(&tree, other);
        let canonical = canonicalise(text.as_bytes());
        prop_assert_eq!(canonical.as_deref(), Ok(&expected[..]), "{}", text);
    }

    #[test]
    fn canonical_bytes_stay_as_they_are(tree in tree(), seed in any::<u64>()) {
        let once = canonicalise(Spelling::of(&tree, seed).as_bytes()).expect("a generated document is JSON");
        let twice = canonicalise(&once);
        prop_assert_eq!(twice.as_deref(), Ok(&once[..]));
    }

    #[test]
    fn names_are_in_the_order_of_their_code_units(names in prop::collection::btree_set(text(6), 0..30), seed in any::<u64>()) {
        let members: Vec<_> = names.into_iter().map(|name| (name, Tree::Literal("0"))).collect();
        let mut sorted = members.clone();
        sorted.sort_by(|(a, _), (b, _)| by_code_units(a, b));
        let canonical = canonicalise(Spelling::of(&Tree::Object(members), seed).as_bytes()).expect("JSON");
        // An array keeps its order: the strings in it are the names as they must stand.
        let strings = sorted.into_iter().map(|(name, _)| Tree::String(name)).collect();
        let expected = canonicalise(Spelling::of(&Tree::Array(strings), seed).as_bytes()).expect("JSON");
        let names = String::from_utf8(canonical).expect("UTF-8").replace("\":0", "\"");
        let expected = String::from_utf8(expected).expect("UTF-8").replace("\":0", "\"");
        prop_assert_eq!(&names[1..names.len() - 1], &expected[1..expected.len() - 1]);
    }

    #[test]
    fn a_duplicate_is_found_wherever_it_is(
        mut members in prop::collection::btree_map(text(6), Just(Tree::Literal("0")), 1..8)
            .prop_map(|members| members.into_iter().collect::<Vec<_>>()),
        which in any::<prop::sample::Index>(),
        around in prop::collection::vec(any::<bool>(), 0..6),
        seed in any::<u64>(),
    ) {
        let again = members[which.index(members.len())].clone();
        members.push(again.clone());
        let mut tree = Tree::Object(members);
        for array in around {
            tree = if array {
                Tree::Array(vec![Tree::Literal("null"), tree])
            } else {
                Tree::Object(vec![("z".to_owned(), Tree::Literal("true")), ("a".to_owned(), tree)])
            };
        }
        let error = canonicalise(Spelling::of(&tree, seed).as_bytes()).expect_err("a duplicate");
        prop_assert_eq!(error.kind, JcsErrorKind::DuplicateName(again.0));
    }

    #[test]
    fn no_bytes_make_it_panic_and_what_it_refuses_leaves_no_trace(
        tree in tree(),
        seed in any::<u64>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3), 1..6),
    ) {
        let mut bytes = Spelling::of(&tree, seed).into_bytes();
        for (place, byte, edit) in edits {
            let at = place.index(bytes.len() + 1);
            match (edit, bytes.get_mut(at)) {
                (0, Some(old)) => *old = byte,
                (1, Some(_)) => drop(bytes.remove(at)),
                _ => bytes.insert(at, byte),
            }
        }
        let mut out = b"kept".to_vec();
        match proofmark::reference::jcs::canonicalise_into(&bytes, &mut out) {
            Ok(()) => {
                // Accepted, so it is JSON and the second opinion agrees.
                let text = std::str::from_utf8(&bytes).expect("what is accepted is UTF-8");
                prop_assert_eq!(&out[4..], &second_opinion(text)[..]);
            }
            Err(error) => {
                prop_assert_eq!(&out[..], b"kept");
                prop_assert!(error.offset <= bytes.len(), "{}", error);
            }
        }
    }
}
