//! Observing events: what a host may conclude, and what it may not.

use serde_json::{Value, json};

use crate::operations::{document, no_documents, ok, refused};
use crate::sample::*;

const A2A_KEY: &str = "https://example.com/extensions/federation";

fn observed(transport: &str, event: &Value, envelope: Option<&Value>) -> Value {
    let mut params = json!({ "transport": transport, "event": { "text": event.to_string() } });
    if let Some(envelope) = envelope {
        params = set(params, "/envelope", document(envelope));
    }
    ok("federation.observe", params)
}

fn seen(terminal_receipt: bool, interrupted: bool, execution_bound_ms: Option<u64>) -> Value {
    json!({
        "authorizes": false,
        "terminal_receipt": terminal_receipt,
        "interrupted": interrupted,
        "execution_bound_ms": execution_bound_ms,
    })
}

fn on(transport: &str, envelope: &Value) -> Value {
    let name = format!("federation.to_{transport}");
    let carrier = ok(&name, json!({ "envelope": document(envelope) }));
    serde_json::from_str(carrier["carrier"]["text"].as_str().expect("text")).expect("JSON")
}

#[test]
fn observe() {
    // A task that carries a receipt, and one that only says that it has ended.
    for transport in ["a2a", "mcp"] {
        let task = on(transport, &terminal());
        assert_eq!(observed(transport, &task, None), seen(true, false, Some(60_000)));
        let extensions = if transport == "a2a" { "/metadata" } else { "/_meta" };
        let bare = unset(task.clone(), extensions);
        assert_eq!(observed(transport, &bare, None), seen(false, false, None));
        assert_eq!(observed(transport, &bare, Some(&terminal())), seen(false, false, Some(60_000)));
        // In an answer, and beside other things.
        let answer = json!({ "jsonrpc": "2.0", "id": 1, "result": { "task": task } });
        assert_eq!(observed(transport, &answer, None), seen(true, false, Some(60_000)));
        // Time to live is no bound, whatever it is and however it changes.
        for ttl in [json!(1), json!(90_000), Value::Null] {
            assert_eq!(
                observed(transport, &set(bare.clone(), "/ttlMs", ttl.clone()), None),
                seen(false, false, None)
            );
            assert_eq!(
                observed(transport, &set(task.clone(), "/ttlMs", ttl.clone()), None),
                seen(true, false, Some(60_000))
            );
            assert_eq!(
                observed(transport, &set(bare.clone(), "/ttlMs", ttl), Some(&open())),
                seen(false, false, Some(60_000))
            );
        }
        // A receipt that is not of its envelope is none.
        let another = match transport {
            "a2a" => set(task, "/status/state", json!("TASK_STATE_CANCELED")),
            _ => set(task, "/status", json!("cancelled")),
        };
        assert_eq!(observed(transport, &another, None), seen(false, false, Some(60_000)));
    }
    // Requests to cancel and their acknowledgements.
    let canceled =
        json!({ "id": "t", "contextId": "c", "status": { "state": "TASK_STATE_CANCELED" } });
    for (transport, event) in [
        (
            "a2a",
            json!({ "jsonrpc": "2.0", "id": 1, "method": "CancelTask", "params": { "id": "t" } }),
        ),
        (
            "a2a",
            json!({ "jsonrpc": "2.0", "id": 1, "method": "CancelTask", "params": on("a2a", &terminal()) }),
        ),
        ("a2a", json!({ "id": "t" })),
        ("a2a", canceled.clone()),
        ("a2a", json!({ "jsonrpc": "2.0", "id": 1, "result": canceled })),
        (
            "a2a",
            json!({ "statusUpdate": { "taskId": "t", "contextId": "c", "status": { "state": "TASK_STATE_CANCELED" } } }),
        ),
        (
            "mcp",
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tasks/cancel", "params": { "taskId": "t" } }),
        ),
        ("mcp", json!({ "jsonrpc": "2.0", "id": 1, "result": {} })),
        ("mcp", json!({ "jsonrpc": "2.0", "id": 1, "result": { "resultType": "complete" } })),
        (
            "mcp",
            json!({ "jsonrpc": "2.0", "id": 1, "result": { "taskId": "t", "status": "cancelled", "ttlMs": 5 } }),
        ),
        (
            "mcp",
            json!({ "jsonrpc": "2.0", "method": "notifications/tasks", "params": { "taskId": "t", "status": "cancelled" } }),
        ),
        (
            "mcp",
            json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": -32602, "message": "no such task" } }),
        ),
    ] {
        assert_eq!(observed(transport, &event, None), seen(false, false, None), "{event}");
        assert_eq!(
            observed(transport, &event, Some(&open())),
            seen(false, false, Some(60_000)),
            "{event}"
        );
    }
    // Interrupted is not terminal, and authorises nothing.
    for state in ["AUTH_REQUIRED", "INPUT_REQUIRED"] {
        let status = json!({ "state": format!("TASK_STATE_{state}") });
        assert_eq!(
            observed("a2a", &json!({ "id": "t", "status": status }), None),
            seen(false, true, None)
        );
        assert_eq!(
            observed("a2a", &json!({ "taskId": "t", "status": status }), None),
            seen(false, true, None)
        );
    }
    assert_eq!(
        observed("a2a", &on("a2a", &at_checkpoint("auth_required")), None),
        seen(false, true, Some(60_000))
    );
    assert_eq!(
        observed("mcp", &json!({ "taskId": "t", "status": "input_required" }), None),
        seen(false, true, None)
    );
    assert_eq!(
        observed(
            "mcp",
            &json!({ "jsonrpc": "2.0", "method": "notifications/tasks", "params": { "taskId": "t", "status": "working" } }),
            None
        ),
        seen(false, false, None)
    );
}

#[test]
fn what_is_not_observed() {
    let observe = |transport: Value, event: &Value| json!({ "transport": transport, "event": { "text": event.to_string() } });
    for (transport, event, code) in [
        (json!("a2a"), json!([]), "invalid_type"),
        (
            json!("a2a"),
            json!({ "id": "t", "status": { "state": "TASK_STATE_UNSPECIFIED" } }),
            "federation_state_unmappable",
        ),
        (json!("a2a"), json!({ "id": "t", "status": { "state": "done" } }), "invalid_constraint"),
        (json!("mcp"), json!({ "taskId": "t", "status": "auth_required" }), "invalid_constraint"),
        // A body that is none, and one that is the namesake's.
        (
            json!("a2a"),
            set(on("a2a", &terminal()), "/metadata", json!({ A2A_KEY: [] })),
            "invalid_type",
        ),
        (
            json!("a2a"),
            set(on("a2a", &terminal()), "/metadata", json!({ A2A_KEY: { "issuer": "x" } })),
            "missing_required_field",
        ),
        (json!("acp"), json!({}), "invalid_constraint"),
        (json!(1), json!({}), "invalid_type"),
    ] {
        assert_eq!(refused("federation.observe", observe(transport, &event)), code, "{event}");
    }
    no_documents("event", &json!({ "transport": "a2a" }), "federation.observe");
    let params = json!({ "transport": "a2a", "event": { "text": "{}" }, "envelope": null });
    assert_eq!(refused("federation.observe", params), "invalid_type");
}
