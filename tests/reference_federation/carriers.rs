//! Carriers: building, rebuilding, what is ignored, what comes first, and the ceilings of the rebuilt envelope.

use proofmark::reference::federation::{
    TaskEnvelope, TerminalState, Transport, from_carrier, to_carrier,
};
use serde_json::{Value, json};

use crate::sample::*;

const A2A_KEY: &str = "https://example.com/extensions/federation";
const MCP_KEY: &str = "com.example/federation";

fn carrier(value: &Value, transport: Transport) -> Value {
    let bytes = to_carrier(&decode(value).expect("an envelope"), transport).expect("a carrier");
    serde_json::from_slice(&bytes).expect("JSON")
}

fn rebuilt(carrier: &Value, transport: Transport) -> (&'static str, String) {
    let result = from_carrier(carrier.to_string().as_bytes(), transport);
    (verdict(&result), result.err().map(|error| error.pointer()).unwrap_or_default())
}

/// A carrier with this body.
fn carrying(transport: Transport, state: &str, body: &Value) -> Value {
    match transport {
        Transport::A2a => {
            json!({ "id": "t", "status": { "state": state }, "metadata": { A2A_KEY: body } })
        }
        Transport::Mcp => json!({ "taskId": "t", "status": state, "_meta": { MCP_KEY: body } }),
    }
}

fn body() -> Value {
    let native = ["task_identity", "recovery_handle"];
    let mut body = open();
    body.as_object_mut().expect("an object").retain(|name, _| !native.contains(&name.as_str()));
    set(body, "/checkpoint_commitment", json!(HISTORY))
}

#[test]
fn where_things_lie() {
    let a2a = carrier(&terminal(), Transport::A2a);
    let mcp = carrier(&terminal(), Transport::Mcp);
    let mut body = terminal();
    let native = ["task_identity", "recovery_handle", "terminal_state"];
    body.as_object_mut().expect("an object").retain(|name, _| !native.contains(&name.as_str()));
    assert_eq!(
        a2a,
        json!({ "id": "task-7f3a2c", "status": { "state": "TASK_STATE_COMPLETED" }, "metadata": { A2A_KEY: body } })
    );
    assert_eq!(
        mcp,
        json!({ "taskId": "task-7f3a2c", "status": "completed", "_meta": { MCP_KEY: body } })
    );
    assert_eq!(Transport::A2a.carrier_key(), A2A_KEY);
    assert_eq!(Transport::Mcp.carrier_key(), MCP_KEY);
}

#[test]
fn from_one_transport_to_the_other() {
    let mut envelopes: Vec<Value> =
        ["submitted", "working", "input_required", "auth_required"].map(at_checkpoint).into();
    envelopes.extend(TerminalState::ALL.iter().map(|&state| {
        serde_json::from_slice::<Value>(&signed(&open(), state).canonical_bytes()).expect("JSON")
    }));
    let mut crossed = 0;
    for value in envelopes {
        let envelope = decode(&value).expect("an envelope");
        let a2a = to_carrier(&envelope, Transport::A2a).expect("every state is one of A2A");
        let back = from_carrier(&a2a, Transport::A2a).expect("an envelope");
        assert_eq!(back.canonical_bytes(), envelope.canonical_bytes());
        match to_carrier(&back, Transport::Mcp) {
            Ok(mcp) => {
                crossed += 1;
                let back = from_carrier(&mcp, Transport::Mcp).expect("an envelope");
                assert_eq!(back.canonical_bytes(), envelope.canonical_bytes());
            }
            Err(error) => {
                assert_eq!(error.code.name(), "federation_state_unmappable");
                let state = envelope.state().expect("a state").name();
                assert!(["submitted", "auth_required", "rejected"].contains(&state));
            }
        }
    }
    assert_eq!(crossed, 5);
}

#[test]
fn what_cannot_be_carried() {
    let attempt = |value: &Value, transport| {
        let error =
            to_carrier(&decode(value).expect("an envelope"), transport).expect_err("a refusal");
        (error.code.name(), error.pointer())
    };
    for transport in [Transport::A2a, Transport::Mcp] {
        let handle = set(terminal(), "/recovery_handle", json!("another"));
        assert_eq!(
            attempt(&handle, transport),
            ("federation_mapping_conflict", "/recovery_handle".to_owned())
        );
        assert_eq!(attempt(&open(), transport), ("invalid_constraint", "/status/state".to_owned()));
        // The handle before the state.
        assert_eq!(
            attempt(&set(open(), "/recovery_handle", json!("another")), transport).0,
            "federation_mapping_conflict"
        );
    }
}

#[test]
fn what_is_ignored() {
    for (transport, extensions) in [(Transport::A2a, "metadata"), (Transport::Mcp, "_meta")] {
        let plain = carrier(&terminal(), transport);
        let mut value = set(plain.clone(), "/history", json!([{ "a": [1.5, null], "b": 1e300 }]));
        value = set(value, &format!("/{extensions}/other"), json!({ "task_identity": "x" }));
        value = set(
            value,
            "/artifacts",
            json!([{ "text": "x".repeat(200_000), "deep": [[[[[[]]]]]] }]),
        );
        value = set(value, "/many", json!(vec![0; 20_000]));
        value = set(value, "/ttlMs", json!(1));
        if transport == Transport::A2a {
            value = set(value, "/status/message", json!({ "parts": [] }));
            value = set(value, "/status/timestamp", json!("2026-08-23T00:00:00Z"));
        }
        let back = from_carrier(value.to_string().as_bytes(), transport).expect("an envelope");
        assert_eq!(back.canonical_bytes(), EXAMPLE.as_bytes());
        // White space, escapes, and a number of which nothing depends that no double spells.
        let text = plain.to_string().replace("task-7f3a2c", "task\\u002d7f3a2c").replacen(
            '{',
            " {\n\"n\" : 9007199254740993, \"o\":1e999,",
            1,
        );
        let back = from_carrier(text.as_bytes(), transport).expect("an envelope");
        assert_eq!(back.canonical_bytes(), EXAMPLE.as_bytes());
        // Members in the opposite order.
        let reversed = format!(
            "{{{}}}",
            plain
                .as_object()
                .unwrap()
                .iter()
                .rev()
                .map(|(name, value)| format!("\"{name}\":{value}"))
                .collect::<Vec<_>>()
                .join(",")
        );
        assert_ne!(reversed, plain.to_string());
        assert_eq!(
            from_carrier(reversed.as_bytes(), transport).expect("an envelope").canonical_bytes(),
            EXAMPLE.as_bytes()
        );
    }
}

#[test]
fn faults_of_a_carrier() {
    let a2a = carrier(&terminal(), Transport::A2a);
    let mcp = carrier(&terminal(), Transport::Mcp);
    let key = A2A_KEY.replace('/', "~1");
    let body = format!("/metadata/{key}");
    for (value, code, at) in [
        (json!([]), "invalid_type", "/carrier"),
        (json!(null), "invalid_type", "/carrier"),
        (unset(a2a.clone(), "/id"), "missing_required_field", "/id"),
        (set(a2a.clone(), "/id", json!(1)), "invalid_type", "/id"),
        (set(a2a.clone(), "/id", Value::Null), "invalid_type", "/id"),
        (unset(a2a.clone(), "/status"), "missing_required_field", "/status"),
        (
            set(a2a.clone(), "/status", json!("TASK_STATE_COMPLETED")),
            "invalid_type",
            "/status/state",
        ),
        (set(a2a.clone(), "/status", json!({})), "missing_required_field", "/status/state"),
        (set(a2a.clone(), "/status/state", json!(3)), "invalid_type", "/status/state"),
        (
            set(a2a.clone(), "/status/state", json!("TASK_STATE_UNSPECIFIED")),
            "federation_state_unmappable",
            "/status/state",
        ),
        (
            set(a2a.clone(), "/status/state", json!("completed")),
            "invalid_constraint",
            "/status/state",
        ),
        (unset(a2a.clone(), "/metadata"), "missing_required_field", "/metadata"),
        (set(a2a.clone(), "/metadata", json!([])), "invalid_type", "/metadata"),
        (set(a2a.clone(), "/metadata", json!({})), "missing_required_field", body.as_str()),
        (set(a2a.clone(), "/metadata", json!({ A2A_KEY: [] })), "invalid_type", body.as_str()),
        // The other transport's key is none.
        (
            set(a2a.clone(), "/metadata", json!({ MCP_KEY: {} })),
            "missing_required_field",
            body.as_str(),
        ),
        (set(a2a.clone(), "/metadata", json!({ A2A_KEY: {} })), "missing_required_field", ""),
    ] {
        assert_eq!(rebuilt(&value, Transport::A2a), (code, at.to_owned()), "{value}");
    }
    for (value, code, at) in [
        (unset(mcp.clone(), "/taskId"), "missing_required_field", "/taskId"),
        (set(mcp.clone(), "/taskId", json!({})), "invalid_type", "/taskId"),
        (unset(mcp.clone(), "/status"), "missing_required_field", "/status"),
        (set(mcp.clone(), "/status", json!({ "state": "completed" })), "invalid_type", "/status"),
        (set(mcp.clone(), "/status", json!("canceled")), "invalid_constraint", "/status"),
        (set(mcp.clone(), "/status", json!("rejected")), "invalid_constraint", "/status"),
        (unset(mcp.clone(), "/_meta"), "missing_required_field", "/_meta"),
        (
            set(mcp.clone(), "/_meta", json!({ A2A_KEY: {} })),
            "missing_required_field",
            "/_meta/com.example~1federation",
        ),
        (
            set(mcp.clone(), "/_meta", json!({ MCP_KEY: 1 })),
            "invalid_type",
            "/_meta/com.example~1federation",
        ),
    ] {
        assert_eq!(rebuilt(&value, Transport::Mcp), (code, at.to_owned()), "{value}");
    }
    for native in ["task_identity", "recovery_handle", "checkpoint_status", "terminal_state"] {
        let twice = set(a2a.clone(), &format!("{body}/{native}"), json!("task-7f3a2c"));
        assert_eq!(
            rebuilt(&twice, Transport::A2a),
            ("federation_mapping_conflict", format!("/{native}"))
        );
    }
    // The namesake that a blueprint declares is no envelope's body.
    let trio = json!({ "issuer": "issuer-alpha", "subject": "subject-beta", "audience": "audience-gamma" });
    assert_eq!(
        rebuilt(&carrying(Transport::A2a, "TASK_STATE_COMPLETED", &trio), Transport::A2a).0,
        "missing_required_field"
    );
    for text in ["", "{", "{}x", "{\"id\":1,\"id\":1}", "{\"x\":\"\\ud800\"}"] {
        assert!(from_carrier(text.as_bytes(), Transport::A2a).is_err());
    }
    assert_eq!(verdict(&from_carrier(b"{\"x\":\"\xff\"}", Transport::A2a)), "invalid_encoding");
}

#[test]
fn what_comes_first_on_a_carrier() {
    // Each row mends the fault that the row before was refused for.
    let mut value = json!({ "status": 1, "metadata": [] });
    let mut expect = |pointer: &str, member: Value, code: &str| {
        value = set(value.clone(), pointer, member);
        assert_eq!(rebuilt(&value, Transport::A2a).0, code, "{value}");
    };
    expect("/x", json!(1), "missing_required_field");
    expect("/id", json!("Upper"), "invalid_type");
    expect("/status", json!({ "state": "x" }), "invalid_constraint");
    expect("/status", json!({ "state": "TASK_STATE_WORKING" }), "invalid_type");
    let mut body = set(body(), "/terminal_state", json!(1));
    body = set(body, "/extra", json!("x".repeat(100_001)));
    expect("/metadata", json!({ A2A_KEY: body }), "federation_mapping_conflict");
    body = unset(body, "/terminal_state");
    expect("/metadata", json!({ A2A_KEY: body }), "ceiling:string");
    body = set(body, "/extra", json!("x"));
    body = set(body, "/identity_mapping_evidence/claims/0/kind", json!("authority"));
    expect("/metadata", json!({ A2A_KEY: body }), "unknown_member");
    body = unset(body, "/extra");
    expect("/metadata", json!({ A2A_KEY: body }), "invalid_constraint");
    expect("/id", json!("lower"), "nonportable_content");
    body = set(body, "/identity_mapping_evidence/claims/0/kind", json!("binding"));
    expect("/metadata", json!({ A2A_KEY: body }), "ok");
}

#[test]
fn the_order_of_offenders_on_a_carrier() {
    let secret = "a".repeat(40);
    let mut value =
        carrying(Transport::A2a, "TASK_STATE_WORKING", &set(body(), "/audience", json!(secret)));
    assert_eq!(rebuilt(&value, Transport::A2a).1, "/audience");
    value = set(value, "/id", json!(secret));
    assert_eq!(
        rebuilt(&value, Transport::A2a),
        ("forbidden_portable_value", "/task_identity".to_owned())
    );
}

#[test]
fn ceilings_of_the_rebuilt_envelope() {
    let nested = |depth: usize| (1..depth).fold(json!([]), |inner, _| json!([inner]));
    let object = |count: usize| {
        Value::Object((0..count).map(|index| (format!("{index}"), json!(0))).collect())
    };
    // The root is one container, and has three members from the task's own fields.
    let in_extra = |extra: Value| set(body(), "/extra", extra);
    let own = body().as_object().unwrap().len();
    let with_members = |count: usize| {
        let mut value = body();
        let members = value.as_object_mut().unwrap();
        members.extend((0..count - own - 3).map(|index| (format!("{index}"), json!(0))));
        value
    };
    let nodes = |count: usize| json!(vec![vec![0; 9_999]; count]);
    let wide = |count: usize, length: usize| {
        let claim = |index: usize| json!({ "kind": "binding", "value": format!("{index:05}{}", " x".repeat(length)) });
        let claims: Vec<_> = (0..count).map(claim).collect();
        set(body(), "/identity_mapping_evidence/claims", json!(claims))
    };
    for (transport, state) in [(Transport::A2a, "TASK_STATE_WORKING"), (Transport::Mcp, "working")]
    {
        for (body, expected) in [
            (in_extra(nested(63)), "unknown_member"),
            (in_extra(nested(64)), "ceiling:depth"),
            (in_extra(nested(500)), "ceiling:depth"),
            (in_extra(object(1_000)), "unknown_member"),
            (in_extra(object(1_001)), "ceiling:members"),
            (with_members(1_000), "unknown_member"),
            (with_members(1_001), "ceiling:members"),
            (in_extra(json!(vec![0; 10_000])), "unknown_member"),
            (in_extra(json!(vec![0; 10_001])), "ceiling:items"),
            (in_extra(nodes(19)), "unknown_member"),
            (in_extra(nodes(20)), "ceiling:nodes"),
            (in_extra(json!("x".repeat(100_000))), "unknown_member"),
            (in_extra(json!("x".repeat(100_001))), "ceiling:string"),
            (wide(9_000, 100), "ok"),
            (wide(9_000, 300), "ceiling:bytes"),
        ] {
            assert_eq!(rebuilt(&carrying(transport, state, &body), transport).0, expected);
        }
        // A number that no double spells, where it counts.
        let text = carrying(transport, state, &in_extra(json!("NUMBER"))).to_string();
        for (number, expected) in [
            ("9007199254740993", "number_not_double_expressible"),
            ("1e999", "invalid_number"),
            ("1.50", "unknown_member"),
        ] {
            let text = text.replace("\"NUMBER\"", number);
            assert_eq!(verdict(&from_carrier(text.as_bytes(), transport)), expected);
        }
    }
}

#[test]
fn hostile_carriers_end_in_a_refusal() {
    let deep = |open: &str, close: &str, depth: usize| {
        format!("{}{}", open.repeat(depth), close.repeat(depth))
    };
    for text in [
        deep("[", "]", 1_000_000),
        "[".repeat(1_000_000),
        deep("{\"a\":", "}", 500_000),
        format!(
            "{{\"id\":\"t\",\"status\":{{\"state\":\"TASK_STATE_WORKING\"}},\"metadata\":{{\"{A2A_KEY}\":{}}}}}",
            deep("[", "]", 990)
        ),
        format!("{{\"id\":\"t\",\"x\":[{}]}}", vec!["0"; 2_000_000].join(",")),
        format!("\"{}\"", "\\u0041".repeat(1_000_000)),
        format!(
            "{{{}}}",
            (0..200_000).map(|index| format!("\"{index}\":0")).collect::<Vec<_>>().join(",")
        ),
        format!("[{}]", "9".repeat(3_000_000)),
        format!("[1e{}]", "9".repeat(3_000_000)),
    ] {
        for transport in [Transport::A2a, Transport::Mcp] {
            assert!(from_carrier(text.as_bytes(), transport).is_err());
        }
        assert!(TaskEnvelope::decode(text.as_bytes(), &Default::default()).is_err());
    }
}
