//! The runtime adapter (sections 4, 6, 7 and 10): what a manifest gives a runtime, and what it does not.
//!
//! Everything goes through the validator first. What a resource's text says is never looked at, and what `runtime` and
//! `extensions` say grants nothing.
//!
//! Depends on `manifest`, `references`, `rules` and `fault`.

use super::fault::{Code, Fault, refusal, refuse};
use super::manifest::{Capability, Manifest};
use super::pointer::{shown, to};
use super::references::{Resolution, Resolver};
use super::resource::{self, Resources};
use super::rules;
use crate::reference::answer::Refusal;

/// What the runtime around the adapter supports. By default, and where a caller says nothing, what this implementation
/// has itself: both baseline transports, A2A 1.0, no extension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Supports {
    /// MCP transports, by the manifest's names.
    pub transports: Vec<String>,
    /// A2A versions.
    pub a2a: Vec<String>,
    /// Keys of `extensions`.
    pub extensions: Vec<String>,
}

impl Default for Supports {
    fn default() -> Self {
        Supports {
            transports: vec!["streamable-http".to_owned(), "stdio".to_owned()],
            a2a: vec!["1.0".to_owned()],
            extensions: Vec::new(),
        }
    }
}

/// What the validator has to say about a valid manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// In document order; at most [`LISTED`](super::LISTED) and a last one that says so.
    pub warnings: Vec<Fault>,
    /// The keys of `extensions`, sorted: this implementation knows none (section 10).
    pub unsupported_extensions: Vec<String>,
}

/// A manifest and the warnings of it.
pub(super) struct Valid<'a> {
    pub manifest: Manifest<'a>,
    pub warnings: Vec<Fault>,
}

/// Reads and validates.
pub(super) fn valid<'a>(bytes: &'a [u8], resources: &Resources) -> Result<Valid<'a>, Refusal> {
    let manifest = Manifest::read(bytes)?;
    let found = rules::check(&manifest, resources);
    if !found.faults.is_empty() {
        return Err(refusal(&found.faults.finish()));
    }
    Ok(Valid { manifest, warnings: found.warnings.finish() })
}

/// Validates a manifest (section 10, Manifest Validator).
///
/// # Errors
///
/// Every fault that was found, in document order, up to [`LISTED`](super::LISTED); the refusal is the first.
pub fn validate(manifest: &[u8], resources: &Resources) -> Result<Report, Refusal> {
    let valid = valid(manifest, resources)?;
    let mut keys: Vec<String> =
        valid.manifest.extensions().map(|(key, _)| key.into_owned()).collect();
    keys.sort_unstable();
    Ok(Report { warnings: valid.warnings, unsupported_extensions: keys })
}

/// Validates for a runtime or a projection: beside the validator's rules, no resource may be outside the manifest's
/// folder.
pub(super) fn admitted<'a>(bytes: &'a [u8], resources: &Resources) -> Result<Valid<'a>, Refusal> {
    let valid = valid(bytes, resources)?;
    for name in ["instructions", "skills"] {
        for (index, value) in valid.manifest.list(name).enumerate() {
            let uri = value.get("uri").and_then(|uri| uri.string()).unwrap_or_default();
            if resource::escapes(&uri) {
                let message = format!("{} leads out of the manifest's folder.", shown(&uri));
                return Err(refuse(Code::UriEscapes, &format!("/{name}/{index}/uri"), message));
            }
        }
    }
    Ok(valid)
}

/// A manifest as a runtime takes it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loaded {
    /// The ids of all capabilities, in order.
    pub capabilities: Vec<String>,
    /// Those that depend on a resource known to be missing (section 6).
    pub unavailable: Vec<Unavailable>,
    /// Declared requirements that the runtime does not support (section 10).
    pub unsupported: Vec<Unsupported>,
    /// Instructions and skills: all of them external, and of no trust (section 6).
    pub resources: Vec<External>,
    /// As of [`Report`].
    pub warnings: Vec<Fault>,
}

/// A capability that can't be had.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unavailable {
    /// Its id.
    pub capability: String,
    /// JSON Pointer to the reference to what is missing.
    pub at: String,
}

/// A declared requirement that is not supported.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unsupported {
    /// What is required.
    pub kind: Requirement,
    /// Which.
    pub name: String,
    /// JSON Pointer to where it is declared.
    pub at: String,
}

/// A sort of requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Requirement {
    /// A server's transport.
    Transport,
    /// An extension that is marked as required.
    Extension,
    /// A version of A2A, where A2A is enabled.
    A2a,
}

impl Requirement {
    /// Its name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Requirement::Transport => "transport",
            Requirement::Extension => "extension",
            Requirement::A2a => "a2a",
        }
    }
}

/// A text from outside, by reference.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct External {
    /// Its id.
    pub id: String,
    /// Where it is.
    pub uri: String,
    /// Its digest, as declared. It tells of changes and confers no trust (section 9).
    pub sha256: Option<String>,
}

/// Loads a manifest.
///
/// # Errors
///
/// As [`validate`]; and where a resource's URI leads out of the manifest's folder.
pub fn load(
    manifest: &[u8],
    resources: &Resources,
    supports: &Supports,
) -> Result<Loaded, Refusal> {
    let Valid { manifest, warnings } = admitted(manifest, resources)?;
    let resolver = Resolver::new(&manifest);
    let has = |list: &[String], name: &str| list.iter().any(|own| own == name);
    let mut unsupported = Vec::new();
    for (index, server) in manifest.servers().enumerate() {
        let name = server.transport();
        if !has(&supports.transports, &name) {
            let at = format!("/mcpServers/{index}/transport");
            unsupported.push(Unsupported {
                kind: Requirement::Transport,
                name: name.into_owned(),
                at,
            });
        }
    }
    if let Some(a2a) = manifest.a2a().filter(|a2a| a2a.is_enabled()) {
        let name = a2a.protocol_version();
        if !has(&supports.a2a, &name) {
            let at = "/a2a/protocolVersion".to_owned();
            unsupported.push(Unsupported { kind: Requirement::A2a, name: name.into_owned(), at });
        }
    }
    for (name, required) in manifest.extensions() {
        if required && !has(&supports.extensions, &name) {
            let (at, name) = (to("/extensions", &name), name.into_owned());
            unsupported.push(Unsupported { kind: Requirement::Extension, name, at });
        }
    }
    let external = manifest.resources().map(|resource| External {
        id: resource.id().into_owned(),
        uri: resource.uri().into_owned(),
        sha256: resource.sha256().map(std::borrow::Cow::into_owned),
    });
    Ok(Loaded {
        capabilities: manifest.capabilities().map(|own| own.id().into_owned()).collect(),
        unavailable: unavailable(&manifest, &resolver, resources),
        unsupported,
        resources: external.collect(),
        warnings,
    })
}

/// The capabilities that lead to a missing resource, each with the first reference that does.
fn unavailable(
    manifest: &Manifest<'_>,
    resolver: &Resolver<'_>,
    resources: &Resources,
) -> Vec<Unavailable> {
    let missing = missing_skills(manifest, resources);
    if !missing.contains(&true) {
        return Vec::new();
    }
    let unavailable = |capability: Capability<'_>| {
        let at = missing_reference(capability, resolver, &missing)?;
        Some(Unavailable { capability: capability.id().into_owned(), at })
    };
    manifest.capabilities().filter_map(unavailable).collect()
}

/// For each skill, whether its resource is known to be missing.
pub(super) fn missing_skills(manifest: &Manifest<'_>, resources: &Resources) -> Vec<bool> {
    manifest.skills().map(|skill| resources.get(skill.uri().as_ref()) == Some(&None)).collect()
}

/// A pointer to a capability's first reference to a missing skill.
pub(super) fn missing_reference(
    capability: Capability<'_>,
    resolver: &Resolver<'_>,
    missing: &[bool],
) -> Option<String> {
    let is_missing = |id: &str| {
        resolver.skill(id).and_then(|place| missing.get(place)).copied().unwrap_or_default()
    };
    let place = capability.skill_refs().position(|id| is_missing(&id))?;
    Some(format!("/capabilities/{}/skillRefs/{place}", capability.index()))
}

/// One server that a capability may use, and its tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// The server's id.
    pub server_id: String,
    /// Its endpoint, as declared; not to be trusted because it is (section 7).
    pub endpoint: String,
    /// Its transport, as declared.
    pub transport: String,
    /// The tools that the capability refers to and the server is declared to allow.
    pub tools: Vec<String>,
}

/// What a capability may use: servers, and tools of each, in the order in which its references first name them. Nothing
/// else may be offered or called for it.
///
/// # Errors
///
/// As [`load`]; and where there is no such capability, or it depends on a resource known to be missing (section 6).
pub fn bindings(
    manifest: &[u8],
    resources: &Resources,
    capability: &str,
) -> Result<Vec<Binding>, Refusal> {
    let Valid { manifest, .. } = admitted(manifest, resources)?;
    let capability = manifest.capability(capability).ok_or_else(|| {
        let message = format!("No capability has the id {}.", shown(capability));
        refuse(Code::UnknownCapability, "/capabilities", message)
    })?;
    let resolver = Resolver::new(&manifest);
    let missing = missing_skills(&manifest, resources);
    if let Some(at) = missing_reference(capability, &resolver, &missing) {
        let message = "The capability depends on a resource that is missing (section 6).";
        return Err(refuse(Code::ResourceMissing, &at, message));
    }
    let servers: Vec<_> = manifest.servers().collect();
    let mut bindings: Vec<Binding> = Vec::new();
    let mut places = std::collections::HashMap::new();
    let mut seen = std::collections::HashSet::new();
    for reference in capability.tool_refs() {
        let Resolution::Tool { server: place, split } = resolver.tool(&reference) else {
            let message = format!("{} leads to no one tool (section 4).", shown(&reference));
            return Err(refuse(Code::UnresolvedTool, "", message));
        };
        let (Some(server), Some(tool)) = (servers.get(place), reference.get(split + 1..)) else {
            continue;
        };
        if !seen.insert((place, tool.to_owned())) {
            continue;
        }
        let at = *places.entry(place).or_insert_with(|| {
            bindings.push(Binding {
                server_id: server.id().into_owned(),
                endpoint: server.endpoint().into_owned(),
                transport: server.transport().into_owned(),
                tools: Vec::new(),
            });
            bindings.len() - 1
        });
        if let Some(binding) = bindings.get_mut(at) {
            binding.tools.push(tool.to_owned());
        }
    }
    Ok(bindings)
}

/// A capability's own tools, each as `server-id:tool-name`, server by server.
///
/// # Errors
///
/// As [`bindings`].
pub fn expose(
    manifest: &[u8],
    resources: &Resources,
    capability: &str,
) -> Result<Vec<String>, Refusal> {
    let qualified = |binding: Binding| {
        let id = binding.server_id;
        binding.tools.into_iter().map(move |tool| format!("{id}:{tool}"))
    };
    Ok(bindings(manifest, resources, capability)?.into_iter().flat_map(qualified).collect())
}

/// Whether a capability may call a tool of a server.
///
/// # Errors
///
/// As [`bindings`]; and where the tool is none that the capability has on that server. Names are compared code point by
/// code point.
pub fn authorise(
    manifest: &[u8],
    resources: &Resources,
    capability: &str,
    server: &str,
    tool: &str,
) -> Result<(), Refusal> {
    let bindings = bindings(manifest, resources, capability)?;
    let own = bindings.iter().find(|binding| binding.server_id == server);
    if own.is_some_and(|binding| binding.tools.iter().any(|own| own == tool)) {
        return Ok(());
    }
    let message = format!(
        "The capability {} has no tool {} on a server {} (section 7).",
        shown(capability),
        shown(tool),
        shown(server)
    );
    Err(refuse(Code::ToolNotAllowed, "", message))
}
