//! What the validator checks beyond the schema (sections 4 to 9): every fault and every warning of a manifest.
//!
//! Depends on everything beside it but `runtime` and `project`.

use std::collections::HashMap;

use super::endpoint;
use super::fault::{Code, Findings, LISTED};
use super::manifest::{Manifest, Server};
use super::pointer::{shown, to};
use super::privacy::Private;
use super::references::{COLONS, Named, Resolution, Resolver, ids, repeated, sorted};
use super::resource::{self, Resources};
use super::tape::{Kind, Value};
use super::{schema, skill_file};

/// The members that the format has.
pub(super) mod known {
    pub const TOP: &[&str] = &[
        "brickVersion",
        "agent",
        "goals",
        "instructions",
        "skills",
        "mcpServers",
        "capabilities",
        "a2a",
        "runtime",
        "extensions",
    ];
    pub const AGENT: &[&str] = &["id", "name", "description", "version"];
    pub const RESOURCE: &[&str] = &["id", "uri", "sha256"];
    pub const SERVER: &[&str] = &["id", "transport", "endpoint", "allowedTools"];
    pub const CAPABILITY: &[&str] =
        &["id", "description", "inputs", "outputs", "skillRefs", "toolRefs", "advertise"];
    pub const A2A: &[&str] = &["enabled", "endpoint", "protocolVersion"];
}

/// Checks a manifest.
pub(super) fn check(manifest: &Manifest<'_>, resources: &Resources) -> Findings {
    let mut rules = Rules {
        manifest,
        resources,
        digests: HashMap::new(),
        skill_files: HashMap::new(),
        found: Findings::default(),
    };
    let root = manifest.root();
    // With so many members the top level holds unknown ones, which are told one by one below.
    if root.members().take(LISTED + 1).count() <= LISTED {
        schema::check(root, &mut rules.found.faults);
    }
    rules.top();
    rules.agent();
    rules.collection("instructions", known::RESOURCE);
    rules.collection("skills", known::RESOURCE);
    rules.collection("mcpServers", known::SERVER);
    rules.collection("capabilities", known::CAPABILITY);
    rules.resources("instructions");
    rules.resources("skills");
    rules.servers();
    rules.capabilities();
    rules.a2a();
    rules.disclosure();
    rules.found
}

struct Rules<'r> {
    manifest: &'r Manifest<'r>,
    resources: &'r Resources,
    /// By URI, as several entries may name one resource: its digest, and what is wrong with it as a SKILL.md.
    digests: HashMap<&'r str, String>,
    skill_files: HashMap<&'r str, Vec<String>>,
    found: Findings,
}

impl<'r> Rules<'r> {
    fn fault(
        &mut self,
        value: Value<'_>,
        code: Code,
        at: impl Into<String>,
        message: impl Into<String>,
    ) {
        self.found.faults.add(value.number(), code, at, message);
    }

    fn warn(
        &mut self,
        value: Value<'_>,
        code: Code,
        at: impl Into<String>,
        message: impl Into<String>,
    ) {
        self.found.warnings.add(value.number(), code, at, message);
    }

    fn top(&mut self) {
        let root = self.manifest.root();
        for (name, value) in root.members() {
            if !known::TOP.iter().any(|own| name.is(own)) {
                let name = name.string().unwrap_or_default();
                let message = format!("The top level has no member {} (section 5).", shown(&name));
                self.fault(value, Code::UnknownMember, to("", &name), message);
            }
        }
        let optional = ["instructions", "skills", "mcpServers", "a2a", "runtime", "extensions"];
        self.nulls(root, "", &optional);
        for name in ["runtime", "extensions"] {
            if let Some(value) = root.get(name)
                && !matches!(value.kind(), Kind::Object | Kind::Null)
            {
                let message = format!("`{name}` is no object.");
                self.fault(value, Code::WrongType, format!("/{name}"), message);
            }
        }
        for (index, goal) in self.manifest.list("goals").enumerate() {
            match goal.string() {
                None => {
                    let message = "A goal is a string.";
                    self.fault(goal, Code::WrongType, format!("/goals/{index}"), message);
                }
                Some(text) if text.is_empty() => {
                    let message = "A goal must not be empty.";
                    self.fault(goal, Code::Empty, format!("/goals/{index}"), message);
                }
                Some(_) => {}
            }
        }
    }

    /// Optional members that are null.
    fn nulls(&mut self, value: Value<'_>, at: &str, names: &[&str]) {
        for (name, member) in value.members() {
            if member.kind() == Kind::Null
                && let Some(name) = names.iter().find(|own| name.is(own))
            {
                let message = format!("`{name}` is null; a member without a value is left out.");
                self.fault(member, Code::NullMember, format!("{at}/{name}"), message);
            }
        }
    }

    /// Members of a nested object that the format does not have. They are never acted on.
    fn unknown(&mut self, value: Value<'_>, at: &str, names: &[&str]) {
        for (name, member) in value.members() {
            if !names.iter().any(|own| name.is(own)) {
                let name = name.string().unwrap_or_default();
                let message =
                    format!("The format has no member {} here; it is ignored.", shown(&name));
                self.warn(member, Code::UnknownMember, to(at, &name), message);
            }
        }
    }

    fn agent(&mut self) {
        let Some(agent) = self.manifest.root().get("agent") else { return };
        self.unknown(agent, "/agent", known::AGENT);
        for name in ["name", "description", "version"] {
            if let Some(value) = agent.get(name)
                && value.is("")
            {
                let message = format!("The agent's {name} must not be empty (section 4).");
                self.fault(value, Code::Empty, format!("/agent/{name}"), message);
            }
        }
    }

    /// What holds for the entries of every collection: ids, known members.
    fn collection(&mut self, name: &str, names: &[&str]) {
        let manifest = self.manifest;
        for (index, value) in manifest.list(name).enumerate() {
            let at = || format!("/{name}/{index}");
            if value.members().any(|(name, _)| !names.iter().any(|own| name.is(own))) {
                self.unknown(value, &at(), names);
            }
            if let Some(id) = value.get("id") {
                self.id(name, id, || at() + "/id");
            }
        }
        let tape = manifest.tape();
        let ids = ids(tape, manifest.list(name));
        for Named { number, index } in repeated(tape, &ids) {
            let id = tape.value(number);
            let message = format!(
                "The id {} stands twice in `{name}` (section 5).",
                shown(&id.string().unwrap_or_default())
            );
            self.fault(id, Code::DuplicateId, format!("/{name}/{index}/id"), message);
        }
    }

    fn id(&mut self, name: &str, value: Value<'_>, at: impl Fn() -> String) {
        let Some(id) = value.string() else { return };
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        if id.bytes().all(plain) {
            // The schema speaks of those of capabilities and resources.
            if id.is_empty() && name == "mcpServers" {
                let message = "A server's id must not be empty: no reference could name it.";
                self.fault(value, Code::Empty, at(), message);
            }
            return;
        }
        if id.chars().any(char::is_control) {
            let message = format!("The id {} holds control characters.", shown(&id));
            self.fault(value, Code::IdCharacters, at(), message);
        } else {
            let message = format!(
                "The id {} holds other characters than letters and digits of ASCII and `._-`.",
                shown(&id)
            );
            self.warn(value, Code::IdCharacters, at(), message);
        }
    }

    fn resources(&mut self, name: &str) {
        let (manifest, resources) = (self.manifest, self.resources);
        for (index, value) in manifest.list(name).enumerate() {
            let at = |member: &str| format!("/{name}/{index}/{member}");
            self.null_members(value, || format!("/{name}/{index}"), &["sha256"]);
            let digest = value.get("sha256").and_then(|own| Some((own, own.string()?)));
            if let Some((own, text)) = &digest
                && !resource::is_digest(text)
            {
                let message = "A SHA-256 digest is written as 64 hexadecimal digits.";
                self.fault(*own, Code::DigestForm, at("sha256"), message);
            }
            let Some(own) = value.get("uri") else { continue };
            let Some(uri) = own.string() else { continue };
            if resource::escapes(&uri) {
                let message = "The URI leads out of the manifest's folder.";
                self.warn(own, Code::UriEscapes, at("uri"), message);
            }
            if !uri.is_empty() && fluent_uri::UriRef::parse(uri.as_ref()).is_err() {
                let message = "This is no URI reference by RFC 3986.";
                self.warn(own, Code::UriSyntax, at("uri"), message);
            }
            match resources.get_key_value(uri.as_ref()) {
                None => {}
                Some((_, None)) => {
                    let message = "The resource is known to be missing (section 6).";
                    self.warn(own, Code::ResourceMissing, at("uri"), message);
                }
                Some((uri, Some(bytes))) => {
                    if let Some((own, text)) = digest
                        && resource::is_digest(&text)
                        && !self
                            .digests
                            .entry(uri)
                            .or_insert_with(|| resource::digest(bytes))
                            .eq_ignore_ascii_case(&text)
                    {
                        let message = "The resource at hand has another digest (section 9).";
                        self.fault(own, Code::DigestMismatch, at("sha256"), message);
                    }
                    if name == "skills" && skill_file::is_skill_file(uri) {
                        let problems = self
                            .skill_files
                            .entry(uri)
                            .or_insert_with(|| skill_file::problems(uri, bytes));
                        for problem in problems {
                            let message = format!("{problem} (Agent Skills; section 6).");
                            let warnings = &mut self.found.warnings;
                            warnings.add(own.number(), Code::SkillFile, at("uri"), message);
                        }
                    }
                }
            }
        }
    }

    fn null_members(&mut self, value: Value<'_>, at: impl Fn() -> String, names: &[&str]) {
        if value.members().any(|(_, member)| member.kind() == Kind::Null) {
            self.nulls(value, &at(), names);
        }
    }

    fn servers(&mut self) {
        let manifest = self.manifest;
        for (index, server) in manifest.servers().enumerate() {
            let at = format!("/mcpServers/{index}");
            self.server(server, &at);
            self.repeated_strings(server.value(), "allowedTools", &at);
        }
    }

    fn server(&mut self, server: Server<'_>, at: &str) {
        let member = |name| server.value().get(name).and_then(|own| Some((own, own.string()?)));
        let Some((transport, kind)) = member("transport") else { return };
        let judge: fn(&str) -> _ = match kind.as_ref() {
            "streamable-http" => endpoint::streamable_http,
            "stdio" => endpoint::stdio,
            other => {
                let message = format!(
                    "The transport {} is none of the baseline values (section 7).",
                    shown(other)
                );
                self.warn(transport, Code::UnknownTransport, format!("{at}/transport"), message);
                |endpoint: &str| Ok(endpoint::credential(endpoint))
            }
        };
        let Some((own, text)) = member("endpoint") else { return };
        let at = format!("{at}/endpoint");
        match judge(&text) {
            Err(why) => {
                let message = format!("The endpoint of a {kind} server {why} (sections 5 and 9).");
                self.fault(own, Code::Endpoint, at, message);
            }
            Ok(oddities) => {
                for (code, what) in oddities {
                    self.warn(own, code, at.clone(), format!("The endpoint {what}."));
                }
            }
        }
    }

    /// Entries that stand twice in one list of strings.
    fn repeated_strings(&mut self, value: Value<'_>, name: &str, at: &str) {
        let Some(list) = value.get(name) else { return };
        if list.items().nth(1).is_none() {
            return;
        }
        let tape = self.manifest.tape();
        let sorted = sorted(tape, list.items().filter(|item| item.kind() == Kind::String));
        let indices = list.items().enumerate().filter(|(_, item)| item.kind() == Kind::String);
        let exact = sorted.len() == list.items().count();
        // Where other values stand between the strings, places are looked up.
        let place = |index: u32| match exact {
            true => index as usize,
            false => indices.clone().nth(index as usize).map_or(0, |(place, _)| place),
        };
        for Named { number, index } in repeated(tape, &sorted).take(LISTED) {
            let at = format!("{at}/{name}/{}", place(index));
            self.warn(
                tape.value(number),
                Code::RepeatedEntry,
                at,
                "The entry stands twice in its list.",
            );
        }
    }

    fn capabilities(&mut self) {
        let manifest = self.manifest;
        let resolver = Resolver::new(manifest);
        for capability in manifest.capabilities() {
            let (index, value) = (capability.index(), capability.value());
            let at = || format!("/capabilities/{index}");
            let optional = ["inputs", "outputs", "skillRefs", "toolRefs", "advertise"];
            self.null_members(value, at, &optional);
            if let Some(description) = value.get("description")
                && description.is("")
            {
                let message = "The description is empty.";
                self.warn(description, Code::Empty, at() + "/description", message);
            }
            for name in ["inputs", "outputs"] {
                let list = value.get(name).into_iter().flat_map(Value::items);
                for (place, item) in
                    list.enumerate().filter(|(_, item)| item.kind() != Kind::String)
                {
                    let at = format!("{}/{name}/{place}", at());
                    self.fault(
                        item,
                        Code::WrongType,
                        at,
                        format!("An entry of `{name}` is a string."),
                    );
                }
            }
            self.skill_refs(value, index, &resolver);
            self.tool_refs(value, index, &resolver);
            for name in ["skillRefs", "toolRefs"] {
                if value.get(name).is_some() {
                    self.repeated_strings(value, name, &at());
                }
            }
        }
    }

    fn skill_refs(&mut self, capability: Value<'_>, index: usize, resolver: &Resolver<'_>) {
        let list = capability.get("skillRefs").into_iter().flat_map(Value::items);
        for (place, own) in list.enumerate() {
            let Some(text) = own.string() else { continue };
            if resolver.skill(&text).is_none() {
                let message = format!("No skill has the id {} (section 4).", shown(&text));
                let at = format!("/capabilities/{index}/skillRefs/{place}");
                self.fault(own, Code::UnresolvedSkill, at, message);
            }
        }
    }

    fn tool_refs(&mut self, capability: Value<'_>, index: usize, resolver: &Resolver<'_>) {
        let list = capability.get("toolRefs").into_iter().flat_map(Value::items);
        for (place, own) in list.enumerate() {
            let Some(text) = own.string() else { continue };
            let (code, what) = match resolver.tool(&text) {
                Resolution::Tool { split, .. } => {
                    let single = text.find(':') == Some(split) && text.rfind(':') == Some(split);
                    if !single {
                        let at = format!("/capabilities/{index}/toolRefs/{place}");
                        let message =
                            format!("{} has several colons, and one way to read it.", shown(&text));
                        self.warn(own, Code::ColonsInToolReference, at, message);
                    }
                    continue;
                }
                Resolution::Malformed if text.matches(':').nth(COLONS).is_some() => {
                    (Code::MalformedToolReference, "has more colons than are read")
                }
                Resolution::Malformed => {
                    (Code::MalformedToolReference, "is not of the form server-id:tool-name")
                }
                Resolution::Nowhere { server: true } => {
                    (Code::UnresolvedTool, "names a tool that its server does not allow")
                }
                Resolution::Nowhere { server: false } => {
                    (Code::UnresolvedTool, "names a server that is not declared")
                }
                Resolution::Ambiguous => {
                    (Code::AmbiguousToolReference, "can be read in more than one way")
                }
            };
            let at = format!("/capabilities/{index}/toolRefs/{place}");
            self.fault(own, code, at, format!("{} {what} (section 4).", shown(&text)));
        }
    }

    fn a2a(&mut self) {
        let Some(a2a) = self.manifest.root().get("a2a").filter(|own| own.kind() == Kind::Object)
        else {
            return;
        };
        self.unknown(a2a, "/a2a", known::A2A);
        self.nulls(a2a, "/a2a", known::A2A);
        let Some(enabled) = a2a.get("enabled") else {
            let message = "`a2a` does not say whether it is enabled (section 8).";
            self.fault(a2a, Code::MissingMember, "/a2a", message);
            return;
        };
        if enabled.boolean() != Some(true) {
            return;
        }
        if let Some((own, text)) = a2a.get("endpoint").and_then(|own| Some((own, own.string()?))) {
            let what = match endpoint::read(&text) {
                Err(why) => why,
                Ok(read) if read.has_credential() => {
                    let message = "The endpoint has what looks like a credential in its query.";
                    self.warn(own, Code::CredentialInEndpoint, "/a2a/endpoint", message);
                    return;
                }
                Ok(read) if read.is_plain() => "is plain http to a host that is not loopback",
                Ok(_) => return,
            };
            let message = format!("The A2A endpoint {what} (A2A, section 7.1).");
            self.warn(own, Code::A2aEndpoint, "/a2a/endpoint", message);
        }
    }

    /// Section 5: whether any advertised capability can be projected without disclosing private configuration.
    fn disclosure(&mut self) {
        let manifest = self.manifest;
        let Some(first) = manifest.capabilities().find(|capability| capability.is_advertised())
        else {
            return;
        };
        let private = Private::of(manifest);
        let agent = manifest.root().get("agent");
        let of_agent = ["name", "description", "version"]
            .into_iter()
            .filter_map(|name| Some((agent?.get(name)?, format!("/agent/{name}"))));
        let rest = manifest.capabilities().skip(first.index());
        let of_capabilities =
            rest.filter(|capability| capability.is_advertised()).flat_map(|own| {
                let texts = ["id", "description"].into_iter();
                texts.filter_map(move |name| {
                    Some((own.value().get(name)?, format!("/capabilities/{}/{name}", own.index())))
                })
            });
        for (value, at) in of_agent.chain(of_capabilities) {
            if let Some(sort) = value.string().and_then(|text| private.find(&text)) {
                let message =
                    format!("This public text holds {} (sections 5 and 9).", sort.described());
                self.warn(value, Code::Discloses, at, message);
            }
        }
        if let Some(own) = manifest.root().get("a2a").and_then(|a2a| a2a.get("endpoint"))
            && own.string().is_some_and(|text| private.find_token(&text).is_some())
        {
            let message = "The A2A endpoint holds a token, or what looks like one (section 9).";
            self.warn(own, Code::Discloses, "/a2a/endpoint", message);
        }
    }
}
