//! Does the reference's `brick.invoke` stay within its bounds, whatever a server does?

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use proofmark::live::{Live, Script};
use proofmark::reference::brick::Binding;
use proofmark::reference::brick::invoke::{Call, Invocation, Outcome, invoke};
use serde_json::{Value, json};

fn start(servers: Value) -> Live {
    let servers: BTreeMap<String, Value> = serde_json::from_value(servers).expect("tables by name");
    Script::read(&servers, None).expect("the tables read").start().expect("the loopback has ports")
}

fn endpoint(live: &Live, name: &str) -> String {
    live.urls()[name]["url"].as_str().expect("a URL").to_owned()
}

fn binding(id: &str, endpoint: String) -> Binding {
    Binding {
        server_id: id.to_owned(),
        endpoint,
        transport: "streamable-http".to_owned(),
        tools: vec!["find".to_owned()],
    }
}

fn find(server: &str) -> Call {
    Call { server: server.to_owned(), tool: "find".to_owned(), arguments: serde_json::Map::new() }
}

/// Calls `find` at every server of the case, in the order of their names.
fn call_all(live: &Live) -> (Invocation, Duration) {
    let names: Vec<String> = live.urls().as_object().expect("by name").keys().cloned().collect();
    let bindings = names.iter().map(|name| binding(name, endpoint(live, name))).collect();
    let calls = names.iter().map(|name| find(name)).collect();
    let began = Instant::now();
    let invocation = invoke(bindings, calls, BTreeMap::new()).expect("threads are to be had");
    (invocation, began.elapsed())
}

fn errors(invocation: &Invocation) -> Vec<bool> {
    invocation.outcomes.iter().map(|outcome| matches!(outcome, Outcome::Error(_))).collect()
}

#[test]
fn does_a_stalled_server_cost_its_own_calls_and_a_bounded_time() {
    let tools = json!([{"name": "find"}]);
    let live = start(json!({
        "a": {"kind": "mcp", "always": {"stall": true}},
        "b": {"kind": "mcp", "always": {"stall": true}},
        "c": {"kind": "mcp", "tools": [{"name": "find", "answer": {"stall": true}}]},
        "d": {"kind": "mcp", "tools": tools},
    }));
    let (invocation, took) = call_all(&live);
    assert_eq!(errors(&invocation), [true, true, true, false]);
    assert_eq!(invocation.offered, ["c:find", "d:find"]);
    assert!(took < Duration::from_secs(8), "{took:?}");
}

#[test]
fn is_an_endless_list_given_up() {
    let live = start(json!({
        "a": {"kind": "mcp", "endless": true, "tools": [{"name": "find"}]},
        "b": {"kind": "mcp", "tools": [{"name": "find"}]},
    }));
    let (invocation, _) = call_all(&live);
    assert_eq!(errors(&invocation), [true, false]);
    let lists = live.recorded().to_string().matches("\"method\":\"tools/list\"").count();
    assert!(lists <= 102, "{lists}");
}

#[test]
fn is_an_answer_that_is_too_long_an_error() {
    let long = "x".repeat(2 * 1024 * 1024);
    let live = start(json!({
        "a": {"kind": "mcp", "tools": [{"name": "find", "answer": {"text": long}}]},
        "b": {"kind": "mcp", "sse": true, "tools": [{"name": "find", "answer": {"text": long}}]},
        "c": {"kind": "mcp", "tools": [{"name": "find"}]},
    }));
    let (invocation, took) = call_all(&live);
    assert_eq!(errors(&invocation), [true, true, false]);
    assert!(took < Duration::from_secs(8), "{took:?}");
}

#[test]
fn is_what_it_can_not_reach_an_error_of_that_server() {
    let live = start(json!({"z": {"kind": "mcp", "tools": [{"name": "find"}]}}));
    let local = Binding { transport: "stdio".to_owned(), ..binding("local", "rm".to_owned()) };
    let bindings = vec![
        binding("tls", "https://127.0.0.1:1/mcp".to_owned()),
        binding("closed", "http://127.0.0.1:1/mcp".to_owned()),
        binding("nonsense", "http://[::1/mcp".to_owned()),
        local,
        binding("z", endpoint(&live, "z")),
    ];
    let calls = ["tls", "closed", "nonsense", "local", "z"].map(find).to_vec();
    let invocation = invoke(bindings, calls, BTreeMap::new()).expect("threads are to be had");
    assert_eq!(errors(&invocation), [true, true, true, true, false]);
    assert_eq!(invocation.offered, ["z:find"]);
    assert_eq!(invocation.missing, Vec::<String>::new());
}

#[test]
fn may_it_be_called_from_within_a_runtime() {
    let live = start(json!({"a": {"kind": "mcp", "tools": [{"name": "find"}]}}));
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let invocation = runtime.block_on(async { call_all(&live).0 });
    assert_eq!(errors(&invocation), [false]);
}

#[test]
fn is_a_credential_that_would_break_a_header_refused() {
    let manifest = json!({
        "brickVersion": "0.5",
        "agent": {"id": "urn:agent:1", "name": "n", "description": "d", "version": "1"},
        "goals": ["g"],
        "capabilities": [{"id": "c", "description": "d"}],
    });
    let params = |token: Value| json!({"manifest": {"text": manifest.to_string()}, "capability": "c", "calls": [], "credentials": {"a": token}});
    let run = proofmark::reference::brick::invoke::OPERATION.run;
    for token in [json!("x\r\nX-Other: 1"), json!(""), json!("a b"), json!("é"), json!(7)] {
        let answer = run(&params(token.clone()));
        assert!(matches!(answer, proofmark::reference::Answer::Refused(_)), "{token}: {answer:?}");
    }
    assert!(matches!(run(&params(json!("x"))), proofmark::reference::Answer::Ok(_)));
}
