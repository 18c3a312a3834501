//! Private strings of a manifest, and whether a public text holds one (sections 5, 8 and 9).
//!
//! A card is built from public fields only, so a private string can reach it in one way: the author wrote it into a text
//! that is public. This is looked for before a card is made, and warned of by the validator.
//!
//! # What is private
//!
//! | sort | from | counts if |
//! |---|---|---|
//! | address | a server's endpoint, the same without its scheme and user, its host | it has 6 bytes, and the host more than letters |
//! | resource | `uri` and `sha256` of instructions and skills | it has 6 bytes, and more than letters |
//! | name | ids of servers, skills, instructions and capabilities not advertised, tools, references, inputs and outputs of capabilities not advertised | it is no plain word: it holds more than letters, or small letters and capitals behind its first |
//! | text | descriptions of capabilities not advertised | it has 6 bytes, and more than letters |
//! | credential | user and password of an endpoint, credential-like members of its query; and what stands under a name such as `token` or `password` in `runtime`, `extensions` and members that the format does not have | it is no plain word, see `token` |
//! | token | other strings in `runtime` and `extensions`; other strings in members that the format does not have | it looks like a token, see `token`; it has 8 bytes and more than letters |
//!
//! Credentials and tokens are taken apart at white space; a number counts under a name such as `token` if it has six
//! digits. `runtime` and `extensions` are read more strictly than the rest, since what they say must change no card: of
//! them only credentials and tokens are private (section 9).
//!
//! Plain words do not count: the id `billing` in "Answers billing questions" discloses nothing. A string that is public
//! as well does not count either: a name, URI, digest or token that equals the agent's name or version, or the id, an
//! input or an output of an advertised capability; a text that is an advertised capability's, too; an address, URI or
//! token that `agent.id` or `a2a.endpoint` holds. A credential always counts.
//!
//! # How it is looked for
//!
//! Everything is compared in one form: percent-encoding undone, up to eight layers, letters of ASCII without case. A name
//! or credential of fewer than 6 bytes or of letters only is found as a word of its own, between any characters but
//! letters and digits; one of letters and digits under a name such as `password` likewise. Anything else is found
//! wherever it stands. Of a long string its first 256 bytes are looked for. The texts of resources are not looked at:
//! they change nothing (section 4).
//!
//! Time is linear in the manifest but for sorting and searching; memory is a copy of the private strings and of the
//! public names, and some 50 bytes for each.
//!
//! Depends on `manifest`, `endpoint`, `percent` and `tape`.

mod needles;
mod token;

use std::collections::HashSet;

use self::needles::{Needles, SHORT, normal};
use self::token::{TOKEN, is_letters, is_plain, is_secret, looks_like_token};
use super::endpoint::{self, is_credential_name, is_secret_name};
use super::manifest::{Manifest, strings};
use super::rules::known;
use super::tape::Value;

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

/// The private strings of a manifest.
#[derive(Debug, Default)]
pub(super) struct Private {
    /// Credentials and tokens.
    tokens: Needles,
    others: Needles,
}

impl Private {
    /// Collects the private strings of a manifest.
    pub fn of(manifest: &Manifest<'_>) -> Self {
        let mut collector = Collector::new(manifest);
        collector.resources();
        collector.servers();
        collector.capabilities();
        collector.others();
        let mut private = collector.private;
        private.tokens.settle();
        private.others.settle();
        private
    }

    /// A private string that the text holds.
    pub fn find(&self, text: &str) -> Option<Sort> {
        search(text, |text| self.tokens.find(text).or_else(|| self.others.find(text)))
    }

    /// A credential or token that the text holds.
    pub fn find_token(&self, text: &str) -> Option<Sort> {
        search(text, |text| self.tokens.find(text))
    }
}

/// Looks in a text with percent-encoding undone, and in the text as it stands: `50%9d4e` is no encoding to its reader.
fn search(text: &str, find: impl Fn(&str) -> Option<Sort>) -> Option<Sort> {
    let as_it_stands = || text.contains('%').then(|| text.to_ascii_lowercase());
    find(&normal(text)).or_else(|| find(&as_it_stands()?))
}

struct Collector<'m> {
    manifest: &'m Manifest<'m>,
    /// Names that are public, and the texts of advertised capabilities.
    public: HashSet<String>,
    texts: HashSet<String>,
    /// `agent.id` and `a2a.endpoint`.
    addresses: Vec<String>,
    private: Private,
}

impl<'m> Collector<'m> {
    fn new(manifest: &'m Manifest<'m>) -> Self {
        let form = |value: Value<'m>| value.string().map(|text| normal(&text));
        let string =
            |of: Option<Value<'m>>, name: &str| of.and_then(|of| of.get(name)).and_then(form);
        let (mut public, mut texts) = (HashSet::new(), HashSet::new());
        let agent = manifest.root().get("agent");
        public.extend(["name", "version"].iter().filter_map(|name| string(agent, name)));
        for capability in manifest.capabilities().filter(|capability| capability.is_advertised()) {
            let value = capability.value();
            public.extend(string(Some(value), "id"));
            texts.extend(string(Some(value), "description"));
            public.extend(strings(value, "inputs").filter_map(form));
            public.extend(strings(value, "outputs").filter_map(form));
        }
        let endpoint = manifest.a2a().map(|a2a| a2a.endpoint()).unwrap_or_default();
        let addresses = [manifest.agent("id"), endpoint]
            .iter()
            .filter(|address| address.len() <= ADDRESS)
            .map(|address| normal(address))
            .collect();
        Collector { manifest, public, texts, addresses, private: Private::default() }
    }

    fn is_public(&self, form: &str, sort: Sort) -> bool {
        let in_address = || self.addresses.iter().any(|address| address.contains(form));
        match sort {
            Sort::Credential => false,
            Sort::Name => self.public.contains(form),
            Sort::Text => self.texts.contains(form),
            Sort::Address => in_address(),
            Sort::Resource | Sort::Token => self.public.contains(form) || in_address(),
        }
    }

    fn add(&mut self, text: &str, sort: Sort) {
        let form = normal(text);
        if form.len() < 2 || self.is_public(&form, sort) {
            return;
        }
        let is_word = form.chars().all(char::is_alphanumeric);
        match sort {
            Sort::Credential if form.len() < SHORT || (is_word && !looks_like_token(text)) => {
                self.private.tokens.word(&form, sort);
            }
            Sort::Credential | Sort::Token => self.private.tokens.anywhere(&form, sort),
            Sort::Name if is_plain(text) => {}
            Sort::Name if form.len() < SHORT || is_letters(&form) => {
                self.private.others.word(&form, sort);
            }
            Sort::Name => self.private.others.anywhere(&form, sort),
            _ if form.len() >= SHORT && !is_letters(text) => {
                self.private.others.anywhere(&form, sort);
            }
            _ => {}
        }
    }

    /// The strings in a value that the format knows nothing of. Of what `is_free` to say anything only what looks like
    /// a token is private, whatever its name.
    fn tokens(&mut self, name: Option<Value<'m>>, value: Value<'m>, is_free: bool) {
        for (inner, scalar) in value.scalars_within() {
            let name = inner.or(name).and_then(Value::string).unwrap_or_default();
            let is_secret_name = is_secret_name(&name);
            let text = scalar.string();
            let Some(text) = text else {
                // A number of tokens is no token.
                if is_secret_name && !name.ends_with(['s', 'S']) && is_secret(scalar.raw()) {
                    self.add(scalar.raw(), Sort::Credential);
                }
                continue;
            };
            for part in text.split_whitespace() {
                if is_secret_name && is_secret(part) {
                    self.add(part, Sort::Credential);
                } else if looks_like_token(part)
                    || (!is_free && part.len() >= TOKEN && !is_letters(part))
                {
                    self.add(part, Sort::Token);
                }
                self.credentials(part);
            }
        }
    }

    /// The credentials that an address holds, whatever its scheme.
    fn credentials(&mut self, address: &str) {
        if let Some((user, password)) = endpoint::address(address).and_then(|own| own.user) {
            for text in [user, password].map(normal) {
                if is_secret(&text) {
                    self.add(&text, Sort::Credential);
                }
            }
        }
        for (name, value) in endpoint::query(address) {
            if is_credential_name(&name) && is_secret(&value) {
                self.add(&value, Sort::Credential);
            }
        }
    }

    /// Whatever stands in an object under names that the format does not have.
    fn unknown(&mut self, value: Value<'m>, names: &[&str]) {
        for (name, value) in value.members() {
            if !names.iter().any(|own| name.is(own)) {
                self.tokens(Some(name), value, false);
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
            if let Some(address) = endpoint::address(&endpoint) {
                self.add(address.place.trim_end_matches('/'), Sort::Address);
                if !address.host.eq_ignore_ascii_case("localhost") {
                    self.add(address.host, Sort::Address);
                }
            }
            self.credentials(&endpoint);
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
                self.tokens(None, value, true);
            }
        }
        for (name, names) in [("agent", known::AGENT), ("a2a", known::A2A)] {
            if let Some(value) = root.get(name) {
                self.unknown(value, names);
            }
        }
    }
}
