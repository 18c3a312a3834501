//! The binding of the profile to the adapter protocol: every `federation.` operation but those on agent cards.
//!
//! Depends on `serde_json`, on the document binding of `reference`, on `binding` and on the profile.

use serde_json::{Value, json};

use super::binding::{bounds, bytes, context, envelope, refusal, seed, spelled, text};
use super::carrier::{from_carrier, to_carrier};
use super::digest::{Digest, Domain};
use super::envelope::TaskEnvelope;
use super::error::Code;
use super::issue::{Outcome, Signing};
use super::mapping::{LANES, PINS, rows};
use super::signature::Purpose;
use super::state::{State, TerminalState, Transport};
use super::timestamp::Timestamp;
use crate::reference::answer::{Operation, Refusal};
use crate::reference::document::document_to_json;

/// The roles that these operations, with those on agent cards, make up.
pub const ROLES: &[&str] =
    &["federation/codec", "federation/issuer", "federation/receiver", "federation/host"];

/// The operations, by their names on the wire.
pub const OPERATIONS: &[Operation] = &[
    Operation { name: "federation.decode", run: |params| decode(params).into() },
    Operation { name: "federation.to_a2a", run: |params| carry(params, Transport::A2a).into() },
    Operation { name: "federation.to_mcp", run: |params| carry(params, Transport::Mcp).into() },
    Operation { name: "federation.from_a2a", run: |params| rebuild(params, Transport::A2a).into() },
    Operation { name: "federation.from_mcp", run: |params| rebuild(params, Transport::Mcp).into() },
    Operation { name: "federation.map_state", run: |params| map_state(params).into() },
    Operation { name: "federation.digest", run: |params| digest(params).into() },
    Operation { name: "federation.commit", run: |params| commit(params).into() },
    Operation { name: "federation.issue", run: |params| issue(params).into() },
    Operation {
        name: "federation.verify_commitment",
        run: |params| verify_commitment(params).into(),
    },
    Operation { name: "federation.mapping", run: |_| Ok(mapping()).into() },
    Operation { name: "federation.observe", run: |params| observe(params).into() },
];

fn canonical(envelope: &TaskEnvelope) -> Value {
    document_to_json(envelope.canonical_bytes())
}

fn decode(params: &Value) -> Result<Value, Refusal> {
    let bounds = bounds(params)?;
    let envelope = TaskEnvelope::decode(&bytes(params, "document")?, &bounds)?;
    Ok(json!({ "canonical": canonical(&envelope) }))
}

fn carry(params: &Value, transport: Transport) -> Result<Value, Refusal> {
    let carrier = to_carrier(&envelope(params, "envelope")?, transport)?;
    Ok(json!({ "carrier": document_to_json(carrier) }))
}

fn rebuild(params: &Value, transport: Transport) -> Result<Value, Refusal> {
    let envelope = from_carrier(&bytes(params, "carrier")?, transport)?;
    Ok(json!({ "canonical": canonical(&envelope) }))
}

/// Whose spelling of a state is meant.
#[derive(Clone, Copy)]
enum Side {
    Logical,
    On(Transport),
}

impl Side {
    fn from_name(name: &str) -> Option<Self> {
        match name {
            "logical" => Some(Side::Logical),
            _ => Transport::from_name(name).map(Side::On),
        }
    }
}

fn map_state(params: &Value) -> Result<Value, Refusal> {
    let from = spelled(params, "from", Side::from_name)?;
    let to = spelled(params, "to", Side::from_name)?;
    let spelling = text(params, "state")?;
    let state = match from {
        Side::On(transport) => transport.read(spelling)?,
        Side::Logical => State::from_name(spelling)
            .ok_or_else(|| refusal(Code::InvalidType, "state", "is no state of the profile"))?,
    };
    let spelling = match to {
        Side::On(transport) => transport.spell(state)?,
        Side::Logical => state.name(),
    };
    Ok(json!({ "state": spelling }))
}

fn digest(params: &Value) -> Result<Value, Refusal> {
    let domain = spelled(params, "domain", Domain::from_name)?;
    let document = bytes(params, "document")?;
    let at = |code| refusal(code, "declared", "is not the document's digest");
    let declared = match params.get("declared") {
        Some(_) => Some(Digest::parse(text(params, "declared")?).map_err(at)?),
        None => None,
    };
    let digest = Digest::of(domain, &document);
    if let Some(declared) = declared {
        digest.matches(&declared).map_err(at)?;
    }
    Ok(json!({ "digest": digest.to_string() }))
}

fn outcome(params: &Value) -> Result<Outcome, Refusal> {
    let digest = |name| spelled(params, name, |text| Digest::parse(text).ok());
    Ok(Outcome {
        terminal_state: spelled(params, "terminal_state", TerminalState::from_name)?,
        result_digest: digest("result_digest")?,
        checkpoint_history_commitment: digest("checkpoint_history_commitment")?,
    })
}

fn commit(params: &Value) -> Result<Value, Refusal> {
    let commitment = super::issue::commit(&envelope(params, "envelope")?, &outcome(params)?)?;
    Ok(json!({
        "terminal_commitment": commitment.terminal_commitment.to_string(),
        "content_digest": commitment.content_digest.to_string(),
    }))
}

fn issue(params: &Value) -> Result<Value, Refusal> {
    let envelope = envelope(params, "envelope")?;
    let outcome = outcome(params)?;
    let signing = Signing {
        seed: &seed(params, "seed")?,
        key_id: text(params, "key_id")?,
        created_at: &spelled(params, "created_at", Timestamp::parse)?,
        purpose: match params.get("purpose") {
            Some(_) => spelled(params, "purpose", Purpose::from_name)?,
            None => Purpose::FederationEnvelope,
        },
    };
    Ok(json!({ "envelope": canonical(&super::issue::issue(&envelope, &outcome, &signing)?) }))
}

fn verify_commitment(params: &Value) -> Result<Value, Refusal> {
    let envelope = envelope(params, "envelope")?;
    let fact = super::receive::verify_commitment(&envelope, &context(params)?)?;
    Ok(json!({
        "task_identity": fact.task_identity,
        "terminal_state": fact.terminal_state,
        "terminal_commitment": fact.terminal_commitment.to_string(),
    }))
}

fn mapping() -> Value {
    let rows = rows().map(|row| {
        json!({
            "number": row.number,
            "field": row.field,
            "verdict": row.verdict.name(),
            "a2a": row.a2a,
            "mcp": row.mcp,
        })
    });
    let lanes: serde_json::Map<_, _> =
        LANES.into_iter().map(|(name, lane)| (name.to_owned(), Value::from(lane))).collect();
    let pins =
        PINS.map(|pin| json!({ "source": pin.source, "sha1": pin.sha1, "commit": pin.commit }));
    json!({ "rows": rows, "lanes": lanes, "pins": pins })
}

fn observe(params: &Value) -> Result<Value, Refusal> {
    let transport = spelled(params, "transport", Transport::from_name)?;
    let event = bytes(params, "event")?;
    let held = match params.get("envelope") {
        Some(_) => Some(envelope(params, "envelope")?),
        None => None,
    };
    let observation = super::observe::observe(transport, &event, held.as_ref())?;
    Ok(json!({
        "authorizes": observation.authorizes,
        "terminal_receipt": observation.terminal_receipt,
        "interrupted": observation.interrupted,
        "execution_bound_ms": observation.execution_bound_ms,
    }))
}
