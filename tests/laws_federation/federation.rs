//! The federation profile gone wrong.

use std::sync::LazyLock;

use proofmark::reference::{Answer, Refusal, jcs};
use serde_json::{Value, json};

use crate::{Wrong, never, right, text, then, with_text};

const DECODE: &str = "federation.decode";
const FROM_A2A: &str = "federation.from_a2a";
const FROM_MCP: &str = "federation.from_mcp";
const TO_MCP: &str = "federation.to_mcp";
const MAP_STATE: &str = "federation.map_state";
const DIGEST: &str = "federation.digest";
const VERIFY: &str = "federation.verify_commitment";
const COMMIT: &str = "federation.commit";
const ISSUE: &str = "federation.issue";
const PREIMAGE: &str = "federation.card_preimage";
const CARD_VERIFY: &str = "federation.card_verify";
const OBSERVE: &str = "federation.observe";
const A2A_KEY: &str = "https://example.com/extensions/federation";

fn refused(code: &str) -> Answer {
    Answer::Refused(Refusal { code: Some(code.to_owned()), ..Refusal::default() })
}

fn value(params: &Value, name: &str) -> Value {
    serde_json::from_str(text(params, name)).unwrap_or_default()
}

fn wrong(
    law: &'static str,
    what: &'static str,
    operation: &'static str,
    run: fn(&Value) -> Answer,
) -> Wrong {
    Wrong { law, what, operation, run }
}

pub static WRONG: LazyLock<Vec<Wrong>> =
    LazyLock::new(|| codec().into_iter().chain(receiver()).chain(issuer()).chain(host()).collect());

fn codec() -> Vec<Wrong> {
    vec![
        wrong("federation/keeps-its-bytes", "markers have to be in order", DECODE, |params| {
            match text(params, "document").contains(r#"["phi","pci"]"#) {
                true => refused("invalid_constraint"),
                false => right(DECODE, params),
            }
        }),
        wrong("federation/one-fault-is-enough", "claims of authority pass", DECODE, |params| {
            let output = json!({ "canonical": params["document"] });
            never(&["nonportable_content"], DECODE, params, output)
        }),
        wrong("federation/one-fault-is-enough", "nothing has to be unique", DECODE, |params| {
            let output = json!({ "canonical": params["document"] });
            never(&["invalid_cardinality"], DECODE, params, output)
        }),
        wrong("federation/one-spelling", "any spelling will do", DECODE, |params| {
            let canonical = jcs::canonicalise(text(params, "document").as_bytes()).expect("JSON");
            let canonical = String::from_utf8(canonical).expect("UTF-8");
            right(DECODE, &with_text(params, "document", &canonical))
        }),
        wrong("federation/ceilings", "a ceiling lets one more pass", DECODE, |params| {
            let mut params = params.clone();
            if let Some(nodes) = params["bounds"].get("nodes").and_then(Value::as_u64) {
                params["bounds"]["nodes"] = json!(nodes + 1);
            }
            right(DECODE, &params)
        }),
        wrong("federation/digest-in-its-domain", "there is but one domain", DIGEST, |params| {
            let mut params = params.clone();
            params["domain"] = json!("federation-envelope");
            right(DIGEST, &params)
        }),
        wrong("federation/carried-as-told", "rejected becomes failed", TO_MCP, |params| {
            let failed = text(params, "envelope").replace("\"rejected\"", "\"failed\"");
            right(TO_MCP, &with_text(params, "envelope", &failed))
        }),
        wrong(
            "federation/through-both-transports",
            "cancelled becomes failed",
            FROM_MCP,
            |params| {
                then(right(FROM_MCP, params), "canonical", |text| {
                    text.replace(r#""terminal_state":"canceled""#, r#""terminal_state":"failed""#)
                })
            },
        ),
        wrong(
            "federation/any-spelling-of-a-carrier",
            "a task has to be canonical",
            FROM_A2A,
            |params| match jcs::canonicalise(text(params, "carrier").as_bytes()) {
                Ok(canonical) if canonical == text(params, "carrier").as_bytes() => {
                    right(FROM_A2A, params)
                }
                _ => refused("non_canonical_bytes"),
            },
        ),
        wrong(
            "federation/strangers-are-passed-over",
            "ttlMs becomes the time policy",
            FROM_MCP,
            |params| {
                let mut carrier = value(params, "carrier");
                if let Some(ttl) =
                    carrier.get("ttlMs").and_then(Value::as_u64).filter(|ttl| *ttl > 0)
                {
                    carrier["_meta"]["com.example/federation"]["time_policy"]["elapsed_ms"] =
                        json!(ttl);
                }
                right(FROM_MCP, &with_text(params, "carrier", &carrier.to_string()))
            },
        ),
        wrong(
            "federation/no-native-member-twice",
            "the task's own fields win",
            FROM_A2A,
            |params| {
                let mut carrier = value(params, "carrier");
                if let Some(body) = carrier["metadata"][A2A_KEY].as_object_mut() {
                    body.remove("terminal_state");
                }
                right(FROM_A2A, &with_text(params, "carrier", &carrier.to_string()))
            },
        ),
        wrong("federation/under-its-own-key", "either key will do", FROM_MCP, |params| {
            let carrier = text(params, "carrier").replace(A2A_KEY, "com.example/federation");
            right(FROM_MCP, &with_text(params, "carrier", &carrier))
        }),
        wrong("federation/refused-through-both", "claims are not looked at", FROM_A2A, |params| {
            let output = json!({ "canonical": { "text": "{}" } });
            never(&["nonportable_content"], FROM_A2A, params, output)
        }),
        wrong("federation/ceilings-on-carriers", "characters are counted", FROM_A2A, |params| {
            let carrier = text(params, "carrier");
            match carrier.chars().count() < 100_000 {
                true => never(&["ceiling:string"], FROM_A2A, params, json!({})),
                false => right(FROM_A2A, params),
            }
        }),
        wrong(
            "federation/status-needs-its-evidence",
            "canceled needs no receipt",
            FROM_A2A,
            |params| match text(params, "carrier").contains("CANCELED") {
                true => never(&["invalid_constraint"], FROM_A2A, params, json!({})),
                false => right(FROM_A2A, params),
            },
        ),
        wrong(
            "federation/state-there-and-back",
            "auth_required becomes input_required",
            MAP_STATE,
            |params| {
                let output = json!({ "state": "input_required" });
                never(&["federation_state_unmappable"], MAP_STATE, params, output)
            },
        ),
        wrong("federation/unknown-state", "case does not matter", MAP_STATE, |params| {
            let mut upper = params.clone();
            upper["state"] = json!(params["state"].as_str().unwrap_or_default().to_uppercase());
            right(MAP_STATE, if params["from"] == "a2a" { &upper } else { params })
        }),
    ]
}

fn receiver() -> Vec<Wrong> {
    vec![
        wrong("federation/true-receipt", "a replay is a conflict", VERIFY, |params| {
            match params["context"].get("prior_receipts") {
                Some(_) => refused("federation_terminal_conflict"),
                None => right(VERIFY, params),
            }
        }),
        wrong(
            "federation/changed-content",
            "the content digest is not compared",
            VERIFY,
            |params| never(&["digest_mismatch"], VERIFY, params, json!({})),
        ),
        wrong("federation/changed-attributes", "the signature is not checked", VERIFY, |params| {
            never(&["signature_not_verified"], VERIFY, params, json!({}))
        }),
        wrong("federation/one-bit", "the signature is not checked", VERIFY, |params| {
            never(&["signature_not_verified"], VERIFY, params, json!({}))
        }),
        wrong(
            "federation/commitment-is-recomputed",
            "the declared one is believed",
            VERIFY,
            |params| never(&["digest_mismatch"], VERIFY, params, json!({})),
        ),
        wrong("federation/only-its-purpose", "any purpose will do", VERIFY, |params| {
            never(&["invalid_constraint"], VERIFY, params, json!({}))
        }),
        wrong("federation/key-ids-are-labels", "key ids are not scanned", VERIFY, |params| {
            never(&["forbidden_portable_value"], VERIFY, params, json!({}))
        }),
        wrong(
            "federation/receipt-through-either-transport",
            "the state is not covered",
            VERIFY,
            |params| never(&["digest_mismatch"], VERIFY, params, json!({})),
        ),
        wrong(
            "federation/issuers-own-keys",
            "the flat pool is the last resort",
            VERIFY,
            |params| match right(VERIFY, params) {
                Answer::Refused(_) => {
                    let mut params = params.clone();
                    if let Some(context) = params["context"].as_object_mut() {
                        context.remove("issuer_key_sets");
                    }
                    right(VERIFY, &params)
                }
                answer => answer,
            },
        ),
        wrong("federation/window", "the end is not included", VERIFY, |params| {
            let signed = &value(params, "envelope")["evidence_receipt"]["signature"]["signed_attributes"]
                ["created_at"];
            match params["context"].get("created_before") == Some(signed) {
                true => refused("invalid_constraint"),
                false => right(VERIFY, params),
            }
        }),
        wrong("federation/earlier-receipts", "states alone are compared", VERIFY, |params| {
            let state = &value(params, "envelope")["terminal_state"];
            let mut params = params.clone();
            if let Some(priors) = params["context"]["prior_receipts"].as_array_mut() {
                priors.retain(|prior| prior["terminal_state"] != *state);
            }
            right(VERIFY, &params)
        }),
        wrong("federation/earlier-receipts", "age is asked about first", VERIFY, |params| {
            let mut alone = params.clone();
            alone["context"]["prior_receipts"] = json!([]);
            match right(VERIFY, &alone) {
                Answer::Ok(_) => right(VERIFY, params),
                refused => refused,
            }
        }),
        wrong("federation/pins", "the audience is not compared", VERIFY, |params| {
            let mut params = params.clone();
            if let Some(context) = params["context"].as_object_mut() {
                context.remove("audience");
            }
            right(VERIFY, &params)
        }),
    ]
}

fn issuer() -> Vec<Wrong> {
    vec![
        wrong("federation/issued-to-the-byte", "a line feed at the end", ISSUE, |params| {
            then(right(ISSUE, params), "envelope", |text| format!("{text}\n"))
        }),
        wrong(
            "federation/committed-as-issued",
            "the history is not committed to",
            COMMIT,
            |params| {
                let mut params = params.clone();
                params["checkpoint_history_commitment"] = params["result_digest"].clone();
                right(COMMIT, &params)
            },
        ),
        wrong("federation/issued-then-verified", "another key signs", ISSUE, |params| {
            let mut params = params.clone();
            params["seed"] = json!("A".repeat(43));
            right(ISSUE, &params)
        }),
        wrong("federation/seven-components", "proofs are not committed to", COMMIT, |params| {
            let mut envelope = value(params, "envelope");
            envelope["authority_proof_references"] = json!([]);
            right(COMMIT, &with_text(params, "envelope", &envelope.to_string()))
        }),
        wrong("federation/no-secret-as-key-id", "key ids are not scanned", ISSUE, |params| {
            never(&["forbidden_portable_value"], ISSUE, params, json!({}))
        }),
    ]
}

fn host() -> Vec<Wrong> {
    vec![
        wrong("federation/preimage-by-the-table", "as the SDKs do", PREIMAGE, |params| {
            let mut params = params.clone();
            params["profile"] = json!("sdk");
            right(PREIMAGE, &params)
        }),
        wrong("federation/preimage-by-the-table", "plain canonical JSON", PREIMAGE, |params| {
            let mut card = value(params, "card");
            if let Some(card) = card.as_object_mut() {
                card.remove("signatures");
            }
            let canonical = jcs::canonicalise(card.to_string().as_bytes()).expect("JSON");
            Answer::Ok(json!({ "canonical": { "text": String::from_utf8_lossy(&canonical) } }))
        }),
        wrong("federation/preimage-of-any-spelling", "the card as it came", PREIMAGE, |params| {
            Answer::Ok(json!({ "canonical": params["card"] }))
        }),
        wrong(
            "federation/card-signed-then-verified",
            "the card as it came",
            CARD_VERIFY,
            |params| match jcs::canonicalise(text(params, "card").as_bytes()) {
                Ok(canonical) if canonical == text(params, "card").as_bytes() => {
                    right(CARD_VERIFY, params)
                }
                _ => refused("signature_not_verified"),
            },
        ),
        wrong("federation/changed-card", "the signature is not checked", CARD_VERIFY, all_verifies),
        wrong(
            "federation/one-bit-of-a-card",
            "the signature is not checked",
            CARD_VERIFY,
            all_verifies,
        ),
        wrong(
            "federation/only-the-callers-keys",
            "the header's key is taken",
            CARD_VERIFY,
            all_verifies,
        ),
        wrong("federation/nothing-is-authorised", "canceled is a receipt", OBSERVE, |params| {
            observed(params, |output, event| {
                if event.contains("TASK_STATE_CANCELED") {
                    output["terminal_receipt"] = json!(true);
                }
            })
        }),
        wrong("federation/nothing-is-authorised", "auth_required authorises", OBSERVE, |params| {
            observed(params, |output, event| {
                if event.contains("TASK_STATE_AUTH_REQUIRED") {
                    output["authorizes"] = json!(true);
                }
            })
        }),
        wrong("federation/time-policy-is-the-bound", "ttlMs bounds the work", OBSERVE, |params| {
            let ttl = value(params, "event").get("ttlMs").cloned();
            match right(OBSERVE, params) {
                Answer::Ok(mut output) => {
                    if let Some(ttl) = ttl {
                        output["execution_bound_ms"] = ttl;
                    }
                    Answer::Ok(output)
                }
                refused => refused,
            }
        }),
    ]
}

fn all_verifies(params: &Value) -> Answer {
    never(&[], CARD_VERIFY, params, json!({ "verified": [0] }))
}

fn observed(params: &Value, change: fn(&mut Value, &str)) -> Answer {
    match right(OBSERVE, params) {
        Answer::Ok(mut output) => {
            change(&mut output, text(params, "event"));
            Answer::Ok(output)
        }
        refused => refused,
    }
}
