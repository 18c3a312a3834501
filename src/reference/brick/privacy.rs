//! Private strings of a manifest, and whether a public text holds one (sections 5, 8 and 9).
//!
//! A card is built from public fields only, so a private string can reach it in one way: the author wrote it into a text
//! that is public. This is looked for before a card is made, and warned of by the validator.
//!
//! # What is private
//!
//! | sort | from | counts if |
//! |---|---|---|
//! | address | a server's endpoint, the same without its scheme, its host | it has 6 bytes, and the host more than letters |
//! | resource | `uri` and `sha256` of instructions and skills | it has 6 bytes, and more than letters |
//! | name | ids of servers, skills, instructions and capabilities not advertised, tools, references, inputs and outputs of capabilities not advertised | it is no plain word: it holds more than letters, or capitals behind its first letter |
//! | text | descriptions of capabilities not advertised | it has 6 bytes, and more than letters |
//! | token | strings in `runtime`, `extensions` and members that the format does not have, and credential-like members of an endpoint's query; taken apart at white space | it has 8 bytes and a character that is no letter, or 6 bytes under a name such as `token` or `password` |
//!
//! Plain words do not count: the id `billing` in "Answers billing questions" discloses nothing. A string that is public
//! as well does not count either: a name, URI, digest or token that equals the agent's name or version, or the id, an
//! input or an output of an advertised capability; a text that is an advertised capability's, too; an address, URI or
//! token that `agent.id` or `a2a.endpoint` holds. What stands under a name such as `password` always counts.
//!
//! # How it is looked for
//!
//! Percent-encoding is undone on both sides and letters of ASCII are compared without case. A name is found where it
//! stands as a word of its own, by itself or beside a colon or slash; anything else wherever it stands. Of a long
//! string its first 256 bytes are looked for. The texts of resources are not looked at: they change nothing (section 4).
//!
//! Time is linear in the manifest but for sorting and searching; memory is the private strings and 16 bytes for each.
//!
//! Depends on `manifest`, `endpoint`, `percent` and `tape`.

use super::endpoint::{self, is_credential_name};
use super::manifest::{Manifest, strings};
use super::percent::decode;
use super::rules::known;
use super::tape::{Kind, Tape, Value};

/// The shortest string that is looked for anywhere in a text, in bytes.
const SHORT: usize = 6;

/// The shortest token under a name that says nothing, in bytes.
const TOKEN: usize = 8;

/// How much of a string is looked for, in bytes.
const LONG: usize = 256;

/// The longest public address that private ones are looked for in.
const ADDRESS: usize = 4096;

/// What sort of private string it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    Credential,
    Token,
    Address,
    Resource,
    Name,
    Text,
}

impl Sort {
    /// The sort in words.
    pub fn described(self) -> &'static str {
        match self {
            Sort::Credential | Sort::Token => "a token, or what looks like one",
            Sort::Address => "an MCP server's address",
            Sort::Resource => "the URI or digest of an instruction or skill",
            Sort::Name => "a private id, or the name of a tool",
            Sort::Text => "the text of a capability that is not advertised",
        }
    }
}

/// A string in the arena.
#[derive(Debug, Clone, Copy)]
struct Held {
    start: u32,
    length: u32,
    sort: Sort,
}

/// The private strings of a manifest.
#[derive(Debug, Default)]
pub(super) struct Private {
    /// All of them, in their normal form, one behind the other.
    arena: String,
    /// What is looked for anywhere: sorted, and none begins with another.
    anywhere: Vec<Held>,
    /// What is looked for as a word: sorted.
    words: Vec<Held>,
    /// Which first two bytes those of `anywhere` have.
    starts: Vec<bool>,
}

/// A text as it is compared.
fn normal(text: &str) -> String {
    let mut text = decode(text).into_owned();
    text.make_ascii_lowercase();
    text
}

/// A pair of bytes as an index.
fn pair(first: u8, second: u8) -> usize {
    usize::from(first) << 8 | usize::from(second)
}

impl Private {
    /// Collects the private strings of a manifest.
    pub fn of(manifest: &Manifest<'_>) -> Self {
        let mut collector = Collector::new(manifest);
        collector.resources();
        collector.servers();
        collector.capabilities();
        collector.others();
        collector.private.settle();
        collector.private
    }

    /// The first private string that the text holds.
    pub fn find(&self, text: &str) -> Option<Sort> {
        self.search(text, |_| true)
    }

    /// The first token that the text holds.
    pub fn find_token(&self, text: &str) -> Option<Sort> {
        self.search(text, |sort| matches!(sort, Sort::Credential | Sort::Token))
    }

    fn search(&self, text: &str, counts: impl Fn(Sort) -> bool) -> Option<Sort> {
        let once = normal(text);
        let find = |text: &str| {
            self.find_anywhere(text, &counts)
                .or_else(|| self.find_word(text).filter(|s| counts(*s)))
        };
        find(&once).or_else(|| if once.contains('%') { find(&normal(&once)) } else { None })
    }

    fn text(&self, held: Held) -> &str {
        let start = held.start as usize;
        self.arena.get(start..start + held.length as usize).unwrap_or_default()
    }

    fn find_anywhere(&self, text: &str, counts: &impl Fn(Sort) -> bool) -> Option<Sort> {
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
                && counts(held.sort)
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
        let is_edge = |character: char| !character.is_alphanumeric() && character != '_';
        let between = |character: char| is_edge(character) && !"._:/-".contains(character);
        text.split(between).map(|word| word.trim_matches(is_edge)).find_map(|word| {
            let parts = word.split([':', '/']).map(|part| part.trim_matches(is_edge));
            std::iter::once(word).chain(parts).find_map(|part| {
                let found = self.words.binary_search_by(|held| self.text(*held).cmp(part)).ok()?;
                self.words.get(found).map(|held| held.sort)
            })
        })
    }

    fn hold(&mut self, text: &str, sort: Sort, as_word: bool) {
        let cut = if as_word { text.len() } else { text.floor_char_boundary(LONG.min(text.len())) };
        let text = text.get(..cut).unwrap_or(text);
        let place = |at: usize| u32::try_from(at).ok();
        if let (Some(start), Some(length)) = (place(self.arena.len()), place(text.len())) {
            self.arena.push_str(text);
            let held = Held { start, length, sort };
            if as_word { self.words.push(held) } else { self.anywhere.push(held) }
        }
    }

    fn settle(&mut self) {
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
}

/// Whether a string is a plain word: letters, none of them a capital behind the first.
fn is_plain(text: &str) -> bool {
    text.chars().all(char::is_alphabetic) && !text.chars().skip(1).any(char::is_uppercase)
}

/// Whether all is letters.
fn is_letters(text: &str) -> bool {
    text.chars().all(char::is_alphabetic)
}

struct Collector<'m> {
    manifest: &'m Manifest<'m>,
    tape: &'m Tape<'m>,
    /// The numbers of names that are public, and of the texts of advertised capabilities; sorted by what they say.
    public: Vec<u32>,
    texts: Vec<u32>,
    /// `agent.id` and `a2a.endpoint` in their normal form, and the host of the latter.
    addresses: Vec<String>,
    private: Private,
}

impl<'m> Collector<'m> {
    fn new(manifest: &'m Manifest<'m>) -> Self {
        let tape = manifest.tape();
        let (mut public, mut texts) = (Vec::new(), Vec::new());
        let root = manifest.root();
        let agent = root.get("agent");
        let string = |of: Option<Value<'m>>, name: &str| {
            of.and_then(|of| of.get(name)).filter(|value| value.kind() == Kind::String)
        };
        let names = ["name", "version"];
        public.extend(names.iter().filter_map(|name| string(agent, name)).map(Value::number));
        for capability in manifest.capabilities().filter(|capability| capability.is_advertised()) {
            let value = capability.value();
            public.extend(string(Some(value), "id").map(Value::number));
            texts.extend(string(Some(value), "description").map(Value::number));
            public.extend(strings(value, "inputs").map(Value::number));
            public.extend(strings(value, "outputs").map(Value::number));
        }
        for list in [&mut public, &mut texts] {
            list.sort_unstable_by(|&a, &b| tape.value(a).compare(tape.value(b)));
        }
        let endpoint = manifest.a2a().map(|a2a| a2a.endpoint()).unwrap_or_default();
        let addresses = [manifest.agent("id"), endpoint]
            .iter()
            .filter(|address| address.len() <= ADDRESS)
            .map(|address| normal(address))
            .collect();
        Collector { manifest, tape, public, texts, addresses, private: Private::default() }
    }

    /// Whether a list of strings has the text.
    fn has(&self, list: &[u32], text: &str) -> bool {
        let compare =
            |number: &u32| self.tape.value(*number).string().unwrap_or_default().as_ref().cmp(text);
        list.binary_search_by(compare).is_ok()
    }

    fn is_public(&self, text: &str, form: &str, sort: Sort) -> bool {
        let in_address = || self.addresses.iter().any(|address| address.contains(form));
        match sort {
            Sort::Credential => false,
            Sort::Name => self.has(&self.public, text),
            Sort::Text => self.has(&self.texts, text),
            Sort::Address => in_address(),
            Sort::Resource | Sort::Token => self.has(&self.public, text) || in_address(),
        }
    }

    fn add(&mut self, text: &str, sort: Sort) {
        let form = normal(text);
        if self.is_public(text, &form, sort) {
            return;
        }
        let is_word = |form: &str| {
            form.chars().all(|character| character.is_alphanumeric() || "._:/-".contains(character))
        };
        let as_word = sort == Sort::Name && is_word(&form);
        let counts = match sort {
            Sort::Name if as_word => !is_plain(text),
            Sort::Credential | Sort::Token => form.len() >= SHORT,
            _ => form.len() >= SHORT && !is_letters(text),
        };
        if counts {
            let edges = |character: char| !character.is_alphanumeric() && character != '_';
            let form = if as_word { form.trim_matches(edges) } else { &form };
            if form.len() > 1 {
                self.private.hold(form, sort, as_word);
            }
        }
    }

    /// The strings in a value that the format knows nothing of, as tokens.
    fn tokens(&mut self, name: Option<Value<'m>>, value: Value<'m>) {
        for (inner, string) in value.strings_within() {
            let name = inner.or(name).and_then(Value::string);
            let is_credential = name.is_some_and(|name| is_credential_name(&name));
            let text = string.string().unwrap_or_default();
            for part in text.split_whitespace() {
                if is_credential {
                    self.add(part, Sort::Credential);
                } else if part.len() >= TOKEN && !is_letters(part) {
                    self.add(part, Sort::Token);
                }
            }
        }
    }

    /// Whatever stands in an object under names that the format does not have.
    fn unknown(&mut self, value: Value<'m>, names: &[&str]) {
        for (name, value) in value.members() {
            if !names.iter().any(|own| name.is(own)) {
                self.tokens(Some(name), value);
            }
        }
    }

    fn resources(&mut self) {
        for resource in self.manifest.resources() {
            self.add(&resource.id(), Sort::Name);
            self.add(&resource.uri(), Sort::Resource);
            if let Some(digest) = resource.sha256() {
                self.add(&digest, Sort::Resource);
            }
            self.unknown(resource.value(), known::RESOURCE);
        }
    }

    fn servers(&mut self) {
        for server in self.manifest.servers() {
            self.add(&server.id(), Sort::Name);
            let endpoint = server.endpoint();
            self.add(&endpoint, Sort::Address);
            if let Ok(read) = endpoint::read(&endpoint) {
                self.add(read.without_scheme().trim_end_matches('/'), Sort::Address);
                if !read.host().eq_ignore_ascii_case("localhost") {
                    self.add(read.host(), Sort::Address);
                }
                for (name, value) in read.query() {
                    if is_credential_name(&name) {
                        self.add(&value, Sort::Credential);
                    }
                }
            }
            for tool in strings(server.value(), "allowedTools") {
                self.add(&tool.string().unwrap_or_default(), Sort::Name);
            }
            self.unknown(server.value(), known::SERVER);
        }
    }

    fn capabilities(&mut self) {
        for capability in self.manifest.capabilities() {
            let value = capability.value();
            for reference in strings(value, "toolRefs") {
                self.add(&reference.string().unwrap_or_default(), Sort::Name);
            }
            self.unknown(value, known::CAPABILITY);
            if capability.is_advertised() {
                continue;
            }
            self.add(&capability.id(), Sort::Name);
            self.add(&capability.description(), Sort::Text);
            for text in strings(value, "inputs").chain(strings(value, "outputs")) {
                self.add(&text.string().unwrap_or_default(), Sort::Name);
            }
        }
    }

    fn others(&mut self) {
        let root = self.manifest.root();
        for name in ["runtime", "extensions"] {
            if let Some(value) = root.get(name) {
                self.tokens(None, value);
            }
        }
        for (name, names) in [("agent", known::AGENT), ("a2a", known::A2A)] {
            if let Some(value) = root.get(name) {
                self.unknown(value, names);
            }
        }
    }
}
