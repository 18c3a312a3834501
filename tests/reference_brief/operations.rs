//! The operations as adapters see them.

use proofmark::reference::Answer;
use proofmark::reference::brief::{OPERATIONS, ROLES};
use serde_json::{Value, json};

fn run(name: &str, params: &Value) -> Answer {
    let operation = OPERATIONS.iter().find(|operation| operation.name == name).expect(name);
    (operation.run)(params)
}

#[track_caller]
fn ok(name: &str, params: Value) -> Value {
    match run(name, &params) {
        Answer::Ok(value) => value,
        Answer::Refused(refusal) => panic!("{name}: {refusal:?}"),
    }
}

#[track_caller]
fn code(name: &str, params: Value) -> String {
    match run(name, &params) {
        Answer::Ok(value) => panic!("{name}: {value}"),
        Answer::Refused(refusal) => refusal.code.expect("a code"),
    }
}

fn brief() -> Value {
    let params = json!({
        "delegator": "a", "delegatee": "b", "body": "# Briefing: x\n## 1. Objective\ny\n",
        "id": "i", "timestamp": "2026-02-06T03:55:00Z", "maxDepth": 2.0, "extra": { "k": "v" },
    });
    let output = ok("brief.create", params);
    assert_eq!(output["id"], "i");
    assert_eq!(output["filename"], "i.brief.md");
    output["document"].clone()
}

#[test]
fn is_every_operation_offered_and_every_param_held_to_its_type() {
    assert_eq!((OPERATIONS.len(), ROLES.len()), (13, 3));
    for operation in OPERATIONS {
        for params in [json!({}), json!(null), json!({ "document": 1, "brief": [], "trace": "x" })]
        {
            let answer = (operation.run)(&params);
            assert!(matches!(answer, Answer::Refused(_)), "{} {params}", operation.name);
        }
    }
    let create = |more: Value| {
        let mut params = json!({ "delegator": "a", "delegatee": "b", "body": "x" });
        let members = params.as_object_mut().expect("an object");
        members.extend(more.as_object().expect("an object").clone());
        code("brief.create", params)
    };
    for more in [
        json!({ "id": 1 }),
        json!({ "maxDepth": -1 }),
        json!({ "maxDepth": 1.5 }),
        json!({ "maxDepth": "1" }),
        json!({ "extra": [] }),
        json!({ "extra": { "k": 1 } }),
        json!({ "timestamp": null }),
    ] {
        assert_eq!(create(more.clone()), "params", "{more}");
    }
}

#[test]
fn what_parsing_gives() {
    let output = ok("brief.parse", json!({ "document": brief() }));
    let expected = json!({
        "fields": {
            "id": "i", "protocolVersion": "1.2.0", "delegator": "a", "delegatee": "b",
            "timestamp": "2026-02-06T03:55:00Z", "maxDepth": 2,
        },
        "extra": { "k": "v" },
        "root": true,
        "body": { "text": "# Briefing: x\n## 1. Objective\ny\n" },
        "title": "Briefing: x",
        "sections": [{ "name": "Objective", "text": "y" }],
        "warnings": output["warnings"],
    });
    assert_eq!(output, expected);
    assert_eq!(output["warnings"].as_array().map(Vec::len), Some(4));
    let untitled = json!({ "text": "---\nid: i\nprotocolVersion: 1.2.0\ndelegator: a\ndelegatee: b\ntimestamp: 2026-02-06T03:55:00Z\nk: [1, null, {a: no}]\n---\nx" });
    let output = ok("brief.parse", json!({ "document": untitled }));
    assert_eq!(output["extra"], json!({ "k": ["1", null, { "a": "no" }] }));
    assert_eq!(output.get("title"), None);
}

#[test]
fn does_a_task_go_down_a_chain_and_come_back() {
    let held = brief();
    let trace = ok(
        "brief.append_trace",
        json!({
            "trace": { "text": "" }, "agent": "a", "timestamp": "2026-02-06T03:56:00Z",
            "action": "Created.", "brief": "i",
        }),
    )["trace"]
        .clone();
    let down = ok(
        "brief.delegate",
        json!({
            "brief": held, "trace": trace, "delegator": "b", "delegatee": "c", "body": "# Briefing: z",
            "id": "j", "timestamp": "2026-02-06T04:00:00Z",
        }),
    );
    let sub = ok("brief.parse", json!({ "document": down["document"] }));
    assert_eq!(sub["fields"]["parentId"], "i");
    assert_eq!(
        (&sub["fields"]["maxDepth"], &sub["fields"]["currentDepth"]),
        (&json!(2), &json!(1))
    );

    let sent = ok("brief.to_a2a", json!({ "document": down["document"], "trace": down["trace"] }));
    let came = ok("brief.from_a2a", json!({ "request": sent["request"] }));
    assert_eq!(came, down);

    let back = ok(
        "brief.respond",
        json!({
            "brief": came["document"], "status": "success", "body": "# Response: z",
            "timestamp": "2026-02-06T04:05:00Z", "trace": came["trace"], "agent": "c",
        }),
    );
    assert_eq!(back["to"], "b");
    let response = ok(
        "brief.parse_response",
        json!({ "document": back["document"], "brief": came["document"] }),
    );
    assert_eq!(response["fields"]["status"], "success");
    assert_eq!(
        code("brief.parse_response", json!({ "document": back["document"], "brief": held })),
        "other-brief"
    );

    let branch = json!({ "brief": "j", "handed_down": down["trace"], "returned": back["trace"] });
    let merged = ok("brief.merge_trace", json!({ "trace": trace, "branches": [branch] }));
    assert_eq!(merged["trace"], back["trace"]);
    let entries = ok("brief.parse_trace", merged.clone());
    let agents: Vec<&str> = entries["entries"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|e| e["agent"].as_str())
        .collect();
    assert_eq!(agents, ["a", "b", "c"]);
    let again = ok("brief.merge_trace", json!({ "trace": merged["trace"], "branches": [branch] }));
    assert_eq!(again, merged);

    let tree = ok("brief.tree", json!({ "briefs": [down["document"], held] }));
    assert_eq!(
        tree,
        json!({ "nodes": [
            { "id": "i", "parent": null, "depth": 0, "outside": false },
            { "id": "j", "parent": "i", "depth": 1, "outside": false },
        ]})
    );
    let fan_in = ok(
        "brief.fan_in",
        json!({ "awaiting": ["k", "j"], "responses": [back["document"], back["document"]] }),
    );
    assert_eq!(
        fan_in,
        json!({
            "complete": false, "missing": ["k"], "unexpected": [],
            "received": [{ "id": "j", "status": "success" }],
        })
    );
}

#[test]
fn what_is_sent_as_what() {
    let document = brief();
    let response = ok("brief.respond", json!({ "brief": document, "status": "x", "body": "" }));
    let role = |params: Value| {
        let request = ok("brief.to_a2a", params)["request"]["text"].clone();
        let request: Value = serde_json::from_str(request.as_str().expect("a text")).expect("JSON");
        request["message"]["role"].clone()
    };
    let response = &response["document"];
    assert_eq!(role(json!({ "document": document })), "ROLE_USER");
    assert_eq!(role(json!({ "document": document, "response": false })), "ROLE_USER");
    assert_eq!(role(json!({ "document": response, "response": true })), "ROLE_AGENT");
    assert_eq!(role(json!({ "document": response })), "ROLE_AGENT");
    assert_eq!(
        code("brief.to_a2a", json!({ "document": document, "response": true })),
        "other-kind"
    );
    assert_eq!(code("brief.to_a2a", json!({ "document": response, "response": false })), "missing");
    assert_eq!(code("brief.to_a2a", json!({ "document": { "base64": "/w==" } })), "not-utf-8");
}

#[test]
fn which_agents_a_brief_can_go_to() {
    let card = json!({ "skills": [{ "id": "x", "tags": ["brief-protocol-v1.2"] }] }).to_string();
    let params =
        json!({ "delegatee": "capability:x", "cards": [{ "text": "{}" }, { "text": card }] });
    assert_eq!(ok("brief.match", params), json!({ "matches": [1] }));
    assert_eq!(
        code("brief.match", json!({ "delegatee": "capability:", "cards": [] })),
        "no-capability"
    );
}

#[test]
fn is_anything_of_one_brief_in_the_next() {
    let params = json!({
        "delegator": "canary-1", "delegatee": "canary-2", "body": "canary-3", "extra": { "canary-4": "canary-5" },
    });
    let first = ok("brief.create", params)["document"].clone();
    ok("brief.parse", json!({ "document": first }));
    let second = ok("brief.create", json!({ "delegator": "a", "delegatee": "b", "body": "x" }));
    let third = ok(
        "brief.delegate",
        json!({
            "brief": first, "trace": { "text": "" }, "delegator": "a", "delegatee": "b", "body": "x",
        }),
    );
    for output in [second, ok("brief.parse", json!({ "document": third["document"] })), third] {
        assert!(!output.to_string().contains("canary"), "{output}");
    }
}
