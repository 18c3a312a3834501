//! The projection: an Agent Card of A2A v1.0 (section 8), without anything private (section 9).
//!
//! | of the card | from |
//! |---|---|
//! | `name`, `description`, `version` | the agent's |
//! | `supportedInterfaces` | one: `a2a.endpoint` byte for byte, `JSONRPC`, `1.0` |
//! | `capabilities` | empty: the manifest says of no A2A feature that the runtime has it |
//! | `defaultInputModes`, `defaultOutputModes` | `text/plain`, for want of a source |
//! | `skills` | the advertised capabilities, in order: `id` and `description` theirs, `name` the id, `tags` one, `capability` |
//!
//! The card is canonical JSON (RFC 8785), so that one manifest has one card. It is held against A2A's own rules, see
//! `card_check`, before it is given out.
//!
//! Depends on `runtime`, `privacy`, `endpoint` and `card_check`.

use super::fault::{Code, refuse};
use super::manifest::{A2a, Manifest};
use super::privacy::Private;
use super::references::Resolver;
use super::resource::Resources;
use super::runtime::{Supports, Valid, admitted, missing_reference, missing_skills};
use super::{card_check, endpoint};
use crate::reference::answer::Refusal;

/// The one version of A2A that cards are made for.
pub const A2A_VERSION: &str = "1.0";

/// Makes the Agent Card of a manifest.
///
/// # Errors
///
/// As [`load`](super::load); and where A2A is off, the version is not 1.0 or not supported, nothing is
/// advertised, an advertised capability depends on a resource known to be missing, a public text holds something
/// private, or the card would not be valid.
pub fn project(
    manifest: &[u8],
    resources: &Resources,
    supports: &Supports,
) -> Result<Vec<u8>, Refusal> {
    let Valid { manifest, .. } = admitted(manifest, resources)?;
    let Some(a2a) = manifest.a2a().filter(A2a::is_enabled) else {
        return Err(refuse(Code::A2aOff, "/a2a", "A2A is not enabled (section 8)."));
    };
    let version = a2a.protocol_version();
    if version != A2A_VERSION || !supports.a2a.iter().any(|own| *own == version) {
        let message =
            "Cards are made for A2A 1.0, where the runtime supports it, and for no other version.";
        return Err(refuse(Code::A2aVersion, "/a2a/protocolVersion", message));
    }
    if !manifest.capabilities().any(|own| own.is_advertised()) {
        let message = "No capability is advertised, and a card has at least one skill (section 8).";
        return Err(refuse(Code::NothingAdvertised, "/capabilities", message));
    }
    available(&manifest, resources)?;
    public(&manifest, a2a)?;
    let card = write(&manifest, a2a);
    match card_check::check(&card) {
        Ok(()) => Ok(card),
        Err(why) => {
            let message = format!("The card would not be valid by A2A 1.0: {why}.");
            Err(refuse(Code::CardInvalid, "", message))
        }
    }
}

/// Refuses where an advertised capability can't be had: the card would claim it (section 6).
fn available(manifest: &Manifest<'_>, resources: &Resources) -> Result<(), Refusal> {
    let missing = missing_skills(manifest, resources);
    if !missing.contains(&true) {
        return Ok(());
    }
    let resolver = Resolver::new(manifest);
    let advertised = manifest.capabilities().filter(|own| own.is_advertised());
    match advertised.filter_map(|own| missing_reference(own, &resolver, &missing)).next() {
        Some(at) => {
            let message =
                "An advertised capability depends on a resource that is missing (section 6).";
            Err(refuse(Code::ResourceMissing, &at, message))
        }
        None => Ok(()),
    }
}

/// Refuses where a text of the card holds something private.
fn public(manifest: &Manifest<'_>, a2a: A2a<'_>) -> Result<(), Refusal> {
    let private = Private::of(manifest);
    let check = |text: &str, at: &dyn Fn() -> String| match private.find(text) {
        None => Ok(()),
        Some(sort) => {
            let message = format!(
                "The card would show {}, which this text holds (section 9).",
                sort.described()
            );
            Err(refuse(Code::Discloses, &at(), message))
        }
    };
    for name in ["name", "description", "version"] {
        check(&manifest.agent(name), &|| format!("/agent/{name}"))?;
    }
    for own in manifest.capabilities().filter(|own| own.is_advertised()) {
        check(&own.id(), &|| format!("/capabilities/{}/id", own.index()))?;
        check(&own.description(), &|| format!("/capabilities/{}/description", own.index()))?;
    }
    let url = a2a.endpoint();
    let refused = |code, message: String| Err(refuse(code, "/a2a/endpoint", message));
    match endpoint::read(&url) {
        Err(why) => {
            refused(Code::CardInvalid, format!("The A2A endpoint {why} (A2A, section 7.1)."))
        }
        Ok(read) if read.has_credential() || private.find_token(&url).is_some() => {
            refused(Code::Discloses, "The card would show a credential (section 9).".to_owned())
        }
        Ok(_) => Ok(()),
    }
}

/// Writes the card in canonical form: members sorted, no white space.
fn write(manifest: &Manifest<'_>, a2a: A2a<'_>) -> Vec<u8> {
    let mut card = Vec::new();
    let mut put = |text: &str| card.extend_from_slice(text.as_bytes());
    put(
        r#"{"capabilities":{},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"]"#,
    );
    put(r#","description":"#);
    put(&quoted(&manifest.agent("description")));
    put(r#","name":"#);
    put(&quoted(&manifest.agent("name")));
    put(r#","skills":["#);
    let mut comma = "";
    for capability in manifest.capabilities().filter(|own| own.is_advertised()) {
        let id = quoted(&capability.id());
        put(comma);
        put(r#"{"description":"#);
        put(&quoted(&capability.description()));
        put(r#","id":"#);
        put(&id);
        put(r#","name":"#);
        put(&id);
        put(r#","tags":["capability"]}"#);
        comma = ",";
    }
    put(r#"],"supportedInterfaces":[{"protocolBinding":"JSONRPC","protocolVersion":"#);
    put(&quoted(A2A_VERSION));
    put(r#","url":"#);
    put(&quoted(&a2a.endpoint()));
    put(r#"}],"version":"#);
    put(&quoted(&manifest.agent("version")));
    put("}");
    card
}

/// A string as RFC 8785 section 3.2.2.2 spells it.
fn quoted(text: &str) -> String {
    // This spelling is that of RFC 8785; a test compares them.
    serde_json::Value::from(text).to_string()
}
