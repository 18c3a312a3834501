//! Do live servers speak MCP as their tables say, write down what comes, notice what the witness forbids, and go?

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use proofmark::live::{Live, Script};
use serde_json::{Value, json};

/// A case's `servers` and `witness` tables, from TOML.
fn script(text: &str) -> Result<Script, String> {
    let tables: toml::Table = toml::from_str(text).expect("a test's tables are TOML");
    let tables = serde_json::to_value(tables).expect("TOML without dates is JSON");
    let servers: BTreeMap<String, Value> = tables
        .get("servers")
        .and_then(Value::as_object)
        .map(|servers| servers.clone().into_iter().collect())
        .unwrap_or_default();
    Script::read(&servers, tables.get("witness"))
}

fn start(text: &str) -> Live {
    script(text).expect("the tables read").start().expect("the loopback has ports")
}

/// `127.0.0.1:PORT` of a server.
fn address(live: &Live, name: &str) -> String {
    let urls = live.urls();
    let url = urls[name]["url"].as_str().expect("every server has a URL");
    url.strip_prefix("http://")
        .and_then(|rest| rest.strip_suffix("/mcp"))
        .expect("of this form")
        .to_owned()
}

/// Sends one request on a connection of its own; gives status, head and body. Nothing at all is status 0.
fn send(
    address: &str,
    method: &str,
    target: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> (u16, String, String) {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    stream.set_read_timeout(Some(Duration::from_secs(2))).expect("a time-out is set");
    let mut text =
        format!("{method} {target} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
    stream.write_all(text.as_bytes()).expect("the request is taken");
    let mut answer = Vec::new();
    // A dropped connection may end in an error; what came until then counts.
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8(answer).expect("the answer is text");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, head.to_owned(), body.to_owned())
}

const ACCEPT: (&str, &str) = ("Accept", "application/json, text/event-stream");

fn post(address: &str, headers: &[(&str, &str)], message: &Value) -> (u16, String, Value) {
    let headers: Vec<_> = headers.iter().copied().chain([ACCEPT]).collect();
    let (status, head, body) = send(address, "POST", "/mcp", &headers, &message.to_string());
    (status, head, serde_json::from_str(&body).unwrap_or(Value::Null))
}

fn message(method: &str, mut params: Value, stateless: bool) -> Value {
    if stateless {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
    }
    static LAST: AtomicU32 = AtomicU32::new(0);
    let id = LAST.fetch_add(1, Ordering::Relaxed);
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// A request of 2026-07-28, with its headers.
fn ask(address: &str, method: &str, params: Value) -> (u16, Value) {
    let name = params["name"].as_str().unwrap_or_default().to_owned();
    let mut headers = vec![("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method)];
    if method == "tools/call" {
        headers.push(("Mcp-Name", &name));
    }
    let (status, _, body) = post(address, &headers, &message(method, params, true));
    (status, body)
}

/// Opens a session of 2025-11-25; gives its id.
fn open(address: &str) -> String {
    let about = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
    let (status, head, body) = post(address, &[], &message("initialize", about, false));
    assert_eq!((status, &body["result"]["protocolVersion"]), (200, &json!("2025-11-25")));
    let id = head
        .lines()
        .find_map(|line| line.strip_prefix("mcp-session-id: "))
        .expect("a session id")
        .to_owned();
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let headers = [("Mcp-Session-Id", id.as_str()), ("MCP-Protocol-Version", "2025-11-25")];
    assert_eq!(post(address, &headers, &ready).0, 202);
    id
}

const LEDGER: &str = "servers.ledger.kind = 'mcp'\n\
     servers.ledger.tools = [{name = 'find'}, {name = 'file', answer = {text = 'filed'}}]\n";

#[test]
fn is_a_table_that_can_not_be_meant_refused() {
    for (text, word) in [
        ("servers.a = {kind = 'mcp', tolls = []}", "tolls"),
        ("servers.a = {kind = 'smtp'}", "smtp"),
        ("servers.a = {tools = []}", "kind"),
        ("servers.a = {kind = 'mcp', versions = []}", "versions"),
        (
            "servers.a = {kind = 'mcp', tools = [{name = 'x', answer = {text = 't', stall = true}}]}",
            "exactly one",
        ),
        ("servers.a = {kind = 'mcp', tools = [{name = 'x', answer = {}}]}", "exactly one"),
        ("servers.a = {kind = 'mcp', tools = [{name = 'x', answer = {stall = false}}]}", "stall"),
        ("servers.a = {kind = 'mcp', always = {redirect = {to = 'b'}}}", "no such server"),
        ("servers.a = {kind = 'mcp', always = {redirect = {to = 'a', status = 200}}}", "no status"),
        ("servers.a = {kind = 'mcp', list = {error = {message = 'x'}}}", "code"),
        ("servers.a = {kind = 'mcp', tools = [{name = 'x'}, {name = 'x'}]}", "two tools"),
        ("servers.a = {kind = 'mcp', before = [{method = 'x'}]}", "sse"),
        ("servers.a = {kind = 'mcp', instructions = 'see {{servers.b.url}}'}", "{{servers."),
        ("servers.a = {kind = 'mcp', page = 0}", "zero"),
        ("servers.'a b' = {kind = 'mcp'}", "a name is of"),
        ("servers.a = {kind = 'mcp'}\nwitness.b = {contacted = false}", "no server `b`"),
        ("servers.a = {kind = 'mcp'}\nwitness.a = {}", "asserts nothing"),
        ("servers.a = {kind = 'mcp'}\nwitness.a = {kalls = []}", "kalls"),
        (
            "servers.a = {kind = 'mcp'}\nwitness.a = {contacted = true, any_order = true}",
            "any_order",
        ),
        ("servers.a = {kind = 'mcp'}\nwitness.a = {lacks = ['']}", "empty"),
    ] {
        let error = script(text).expect_err(text);
        assert!(error.contains(word), "{text}: {error}");
    }
    assert!(script(LEDGER).is_ok());
    assert!(script("").is_ok());
}

#[test]
fn does_a_server_with_sessions_speak_2025_11_25() {
    let live = start(&format!(
        "{LEDGER}servers.ledger.versions = ['2025-11-25']\nwitness.ledger = {{initialised = true}}"
    ));
    let at = address(&live, "ledger");
    let list = message("tools/list", json!({}), false);
    assert_eq!(post(&at, &[], &list).0, 400, "no session");
    let id = open(&at);
    let session = ("Mcp-Session-Id", id.as_str());
    let version = ("MCP-Protocol-Version", "2025-11-25");
    assert_eq!(post(&at, &[("Mcp-Session-Id", "another"), version], &list).0, 404);
    assert_eq!(post(&at, &[session, ("MCP-Protocol-Version", "2024-01-01")], &list).0, 400);
    let (status, _, body) = post(&at, &[session, version], &list);
    assert_eq!((status, &body["result"]["tools"][1]["name"]), (200, &json!("file")));
    assert_eq!(body["result"]["tools"][1]["inputSchema"], json!({"type": "object"}));
    assert_eq!(body["result"].get("ttlMs"), None);
    let (_, _, body) =
        post(&at, &[session, version], &message("tools/call", json!({"name": "file"}), false));
    assert_eq!(body["result"]["content"][0]["text"], "filed");
    let (_, _, body) =
        post(&at, &[session, version], &message("tools/call", json!({"name": "burn"}), false));
    assert_eq!(body["error"]["code"], -32602);
    // A client for both revisions may have tried the later one.
    assert_eq!(ask(&at, "server/discover", json!({})).0, 400);
    assert_eq!(send(&at, "GET", "/mcp", &[session, version], "").0, 405);
    assert_eq!(send(&at, "DELETE", "/mcp", &[session, version], "").0, 200);
    assert_eq!(send(&at, "POST", "/elsewhere", &[], "{}").0, 404);
    let breaches = live.finish();
    // The requests of this test that had no session, or another's version, were turned down; one came before.
    assert_eq!(breaches, vec![], "{breaches:?}");
}

#[test]
fn does_a_server_without_sessions_speak_2026_07_28() {
    let live = start(&format!(
        "{LEDGER}servers.ledger.versions = ['2026-07-28']\nwitness.ledger = {{metadata = true, initialised = false}}"
    ));
    let at = address(&live, "ledger");
    let (status, body) = ask(&at, "server/discover", json!({}));
    assert_eq!((status, &body["result"]["supportedVersions"]), (200, &json!(["2026-07-28"])));
    let (_, body) = ask(&at, "tools/list", json!({}));
    assert_eq!(body["result"]["resultType"], "complete");
    assert_eq!(
        (&body["result"]["ttlMs"], &body["result"]["cacheScope"]),
        (&json!(0), &json!("private"))
    );
    assert_eq!(
        ask(&at, "tools/call", json!({"name": "file"})).1["result"]["content"][0]["text"],
        "filed"
    );
    let (status, body) = ask(&at, "ping", json!({}));
    assert_eq!((status, &body["error"]["code"]), (404, &json!(-32601)));

    let call = message("tools/call", json!({"name": "file"}), true);
    let version = ("MCP-Protocol-Version", "2026-07-28");
    let method = ("Mcp-Method", "tools/call");
    for headers in [
        vec![method, ("Mcp-Name", "file")],
        vec![version, ("Mcp-Name", "file")],
        vec![version, method],
        vec![version, method, ("Mcp-Name", "find")],
        vec![version, ("Mcp-Method", "tools/list"), ("Mcp-Name", "file")],
        vec![("MCP-Protocol-Version", "2026-12-31"), method, ("Mcp-Name", "file")],
    ] {
        let (status, _, body) = post(&at, &headers, &call);
        assert_eq!((status, &body["error"]["code"]), (400, &json!(-32020)), "{headers:?}");
    }
    let encoded = [version, method, ("Mcp-Name", "=?base64?ZmlsZQ==?=")];
    assert_eq!(post(&at, &encoded, &call).0, 200);
    let mut without = call.clone();
    without["params"]["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
    let (status, _, body) = post(&at, &[version, method, ("Mcp-Name", "file")], &without);
    assert_eq!((status, &body["error"]["code"]), (400, &json!(-32602)));
    let mut later = call.clone();
    later["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2999-01-01");
    let (status, _, body) =
        post(&at, &[("MCP-Protocol-Version", "2999-01-01"), method, ("Mcp-Name", "file")], &later);
    assert_eq!((status, &body["error"]["code"]), (400, &json!(-32022)));
    assert_eq!(
        body["error"]["data"],
        json!({"supported": ["2026-07-28"], "requested": "2999-01-01"})
    );
    assert_eq!(send(&at, "GET", "/mcp", &[], "").0, 405);
    assert_eq!(live.finish(), vec![]);
}

#[test]
fn do_pages_changes_and_streams_come_as_the_table_says() {
    let live = start(
        "[servers.ledger]\nkind = 'mcp'\npage = 1\nsse = true\nannounce = true\n\
         before = [{jsonrpc = '2.0', method = 'notifications/message'}]\n\
         tools = [{name = 'a', until = 1}, {name = 'b'}, {name = 'c', since = 2}, {name = 'd', listed = false}]",
    );
    let at = address(&live, "ledger");
    let page = |cursor: Option<&str>| {
        let params = cursor.map_or(json!({}), |cursor| json!({"cursor": cursor}));
        let headers =
            [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/list"), ACCEPT];
        let body = message("tools/list", params, true).to_string();
        let (_, head, body) = send(&at, "POST", "/mcp", &headers, &body);
        assert!(head.contains("text/event-stream"), "{head}");
        let data =
            body.strip_prefix("event: message\ndata: ").expect("one event").trim().to_owned();
        let result = serde_json::from_str::<Value>(&data).expect("JSON")["result"].clone();
        (result["tools"][0]["name"].clone(), result["nextCursor"].as_str().map(str::to_owned))
    };
    let (first, next) = page(None);
    let (second, end) = page(next.as_deref());
    assert_eq!((first, second, end), (json!("a"), json!("b"), None));
    let (first, next) = page(None);
    let (second, end) = page(next.as_deref());
    assert_eq!((first, second, end), (json!("b"), json!("c"), None));
    let headers = [
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "d"),
        ACCEPT,
    ];
    let (_, _, body) = send(
        &at,
        "POST",
        "/mcp",
        &headers,
        &message("tools/call", json!({"name": "d"}), true).to_string(),
    );
    assert_eq!(body.matches("event: message").count(), 2, "{body}");
    let id = open_stream(&at);
    assert!(id.contains("notifications/tools/list_changed"), "{id}");
}

/// What `subscriptions/listen` gives until nothing more comes.
fn open_stream(at: &str) -> String {
    let headers =
        [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "subscriptions/listen"), ACCEPT];
    let wanted = json!({"notifications": {"toolsListChanged": true}});
    send(at, "POST", "/mcp", &headers, &message("subscriptions/listen", wanted, true).to_string()).2
}

#[test]
fn are_failures_and_redirects_as_scripted() {
    let live = start(
        "servers.ledger = {kind = 'mcp', tools = [\n\
         {name = 'stall', answer = {stall = true}}, {name = 'drop', answer = {drop = true}},\n\
         {name = 'status', answer = {status = 503, body = 'later'}}, {name = 'error', answer = {error = {code = 7, message = 'no'}}},\n\
         {name = 'away', answer = {redirect = {to = 'other', status = 308}}}, {name = 'named', answer = {redirect = {to = 'other', host = 'localhost'}}}]}\n\
         servers.other = {kind = 'mcp', token = 'open-sesame'}",
    );
    let at = address(&live, "ledger");
    let call = |tool: &str| {
        let headers = [
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", tool),
            ACCEPT,
        ];
        send(
            &at,
            "POST",
            "/mcp",
            &headers,
            &message("tools/call", json!({"name": tool}), true).to_string(),
        )
    };
    assert_eq!(call("drop").0, 0);
    assert_eq!((call("status").0, call("status").2), (503, "later".to_owned()));
    assert!(call("error").2.contains("\"code\":7"));
    let other = address(&live, "other");
    let (status, head, _) = call("away");
    assert_eq!(status, 308);
    assert!(head.contains(&format!("location: http://{other}/mcp")), "{head}");
    let port = other.rsplit(':').next().expect("a port");
    assert!(call("named").1.contains(&format!("location: http://localhost:{port}/mcp")));
    let (status, head, _) = send(&other, "POST", "/mcp", &[("Authorization", "Bearer open")], "{}");
    assert_eq!(status, 401);
    assert!(head.contains("www-authenticate: Bearer"), "{head}");
    assert_ne!(
        send(&other, "POST", "/mcp", &[("Authorization", "Bearer open-sesame")], "{}").0,
        401
    );
    // A stalled request hangs until the servers go, and then it is over.
    let waiting = std::thread::spawn({
        let at = at.clone();
        move || {
            let headers = [
                ("MCP-Protocol-Version", "2026-07-28"),
                ("Mcp-Method", "tools/call"),
                ("Mcp-Name", "stall"),
                ACCEPT,
            ];
            send(
                &at,
                "POST",
                "/mcp",
                &headers,
                &message("tools/call", json!({"name": "stall"}), true).to_string(),
            )
            .0
        }
    });
    while !live.recorded().to_string().contains("\"stall\"") {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(live.finish(), vec![]);
    assert_eq!(waiting.join().expect("the client does not panic"), 0);
}

#[test]
fn are_the_ports_gone_when_the_case_is_over() {
    for finish in [true, false] {
        let live = start(&format!("{LEDGER}servers.archive = {{kind = 'mcp'}}"));
        let ports = [address(&live, "ledger"), address(&live, "archive")];
        assert_ne!(ports[0], ports[1]);
        let idle = ports.each_ref().map(|at| TcpStream::connect(at).expect("it listens"));
        if finish {
            assert_eq!(live.finish(), vec![]);
        } else {
            drop(live);
        }
        for (at, mut open) in ports.iter().zip(idle) {
            assert!(TcpStream::connect(at).is_err(), "{at} still listens");
            open.set_read_timeout(Some(Duration::from_secs(2))).expect("a time-out is set");
            let ended = open.read(&mut [0]);
            assert!(
                matches!(&ended, Ok(0))
                    || ended.is_err_and(|e| e.kind() == std::io::ErrorKind::ConnectionReset)
            );
        }
    }
}

/// What a witness says of: a list, a call of `find` with `{"n": 1}`, one of `file`, in 2026-07-28, all with a credential.
fn breaches(witness: &str) -> Vec<String> {
    let live = start(&format!("{LEDGER}witness.ledger = {witness}"));
    let at = address(&live, "ledger");
    for (method, params) in [
        ("tools/list", json!({})),
        ("tools/call", json!({"name": "find", "arguments": {"n": 1}})),
        ("tools/call", json!({"name": "file", "arguments": {"text": "caf\u{e9} \"key-1\""}})),
    ] {
        let name = params["name"].as_str().unwrap_or_default().to_owned();
        let mut headers = vec![
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", method),
            ("Authorization", "Bearer key-2"),
        ];
        if !name.is_empty() {
            headers.push(("Mcp-Name", &name));
        }
        assert_eq!(post(&at, &headers, &message(method, params, true)).0, 200);
    }
    assert_eq!(live.recorded().as_array().map(Vec::len), Some(3));
    live.finish()
        .into_iter()
        .map(|breach| format!("{} {}", breach.sentence, breach.requests))
        .collect()
}

#[test]
fn does_the_witness_notice_what_it_is_there_for() {
    for (passes, fails, word) in [
        ("contacted = true", "contacted = false", "must not be contacted"),
        (
            "calls = [{tool = 'find', arguments = {n = 1.0}}, {tool = 'file'}]",
            "calls = [{tool = 'file'}, {tool = 'find'}]",
            "in this order",
        ),
        (
            "any_order = true, calls = [{tool = 'file'}, {tool = 'find', arguments = {n = 1}}]",
            "any_order = true, calls = [{tool = 'find'}, {tool = 'find'}]",
            "in any order",
        ),
        (
            "calls = [{tool = 'find'}, {tool = 'file'}]",
            "calls = [{tool = 'find', arguments = {n = 2}}, {tool = 'file'}]",
            "arguments",
        ),
        ("calls = [{tool = 'find'}, {tool = 'file'}]", "calls = [{tool = 'find'}]", "exactly 1"),
        ("only = ['find', 'file', 'burn']", "only = ['find']", "not to be called"),
        ("without = ['initialize']", "without = ['tools/list']", "must never get `tools/list`"),
        ("credentials = ['key-2', 'key-3']", "credentials = ['key-1']", "not given for it"),
        ("lacks = ['key-3']", "lacks = ['key-2']", "key-2"),
        ("lacks = ['cafe']", "lacks = ['café \"key']", "must not reach"),
        ("initialised = false", "initialised = true", "never got an `initialize`"),
    ] {
        assert_eq!(breaches(&format!("{{{passes}}}")), Vec::<String>::new());
        let found = breaches(&format!("{{{fails}}}"));
        assert!(found.iter().any(|breach| breach.contains(word)), "{fails}: {found:?}");
    }
    assert_eq!(breaches("{metadata = true}"), Vec::<String>::new());
}

#[test]
fn does_the_witness_notice_a_sloppy_session() {
    let text = format!("{LEDGER}witness.ledger = {{initialised = true}}\n");
    let sentences = |act: &dyn Fn(&str)| {
        let live = start(&text);
        act(&address(&live, "ledger"));
        live.finish().into_iter().map(|breach| breach.sentence).collect::<Vec<_>>()
    };
    let list = message("tools/list", json!({}), false);
    let version = ("MCP-Protocol-Version", "2025-11-25");
    let good = sentences(&|at| {
        let id = open(at);
        assert_eq!(post(at, &[("Mcp-Session-Id", &id), version], &list).0, 200);
    });
    assert_eq!(good, Vec::<String>::new());
    let unversioned = sentences(&|at| {
        let id = open(at);
        assert_eq!(post(at, &[("Mcp-Session-Id", &id)], &list).0, 200);
    });
    assert!(unversioned.iter().any(|s| s.contains("MCP-Protocol-Version")), "{unversioned:?}");
    let astray = sentences(&|at| {
        open(at);
        assert_eq!(post(at, &[version], &list).0, 400);
    });
    assert!(astray.iter().any(|s| s.contains("Mcp-Session-Id")), "{astray:?}");
    let hasty = sentences(&|at| {
        let about = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        let (_, head, _) = post(at, &[], &message("initialize", about, false));
        let id = head
            .lines()
            .find_map(|line| line.strip_prefix("mcp-session-id: "))
            .expect("an id")
            .to_owned();
        assert_eq!(post(at, &[("Mcp-Session-Id", &id), version], &list).0, 200);
    });
    assert!(hasty.iter().any(|s| s.contains("without `notifications/initialized`")), "{hasty:?}");
}

#[test]
fn are_endless_requests_and_long_bodies_bounded() {
    let live = start(&format!("{LEDGER}witness.ledger = {{only = []}}"));
    let at = address(&live, "ledger");
    let long = "x".repeat(2 * 1024 * 1024);
    let mut stream = TcpStream::connect(&at).expect("it listens");
    let head =
        format!("POST /mcp HTTP/1.1\r\nHost: {at}\r\nContent-Length: {}\r\n\r\n", long.len());
    // The server may close before it has all of it.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(long.as_bytes()));
    drop(stream);
    let statuses: Vec<u16> = (0..600).map(|_| send(&at, "GET", "/mcp", &[], "").0).collect();
    assert_eq!((statuses[0], statuses[599]), (405, 429));
    assert!(live.recorded().to_string().len() < 100_000);
    let breaches = live.finish();
    assert!(
        breaches.iter().any(|breach| breach.sentence.contains("more than a case can need")),
        "{breaches:?}"
    );
}

/// What a ledger's witness says after one connection brought these bytes.
fn said_of(witness: &str, bytes: &[u8]) -> Vec<String> {
    let live = start(&format!("{LEDGER}witness.ledger = {{{witness}}}\n"));
    let mut stream = TcpStream::connect(address(&live, "ledger")).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_millis(300))).expect("a time-out is set");
    stream.write_all(bytes).expect("it is taken");
    // Some get an answer, some none: what the witness says is asked here.
    let _ = stream.read(&mut [0; 4096]);
    live.finish().into_iter().map(|breach| breach.sentence).collect()
}

#[test]
fn is_what_never_became_a_request_witnessed() {
    let half = b"POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\n{\"key-9\"";
    let junk = b"GET /key-9 HTTP/9.9\r\nAuthorization: Bearer key-9\r\n\r\n";
    let many: String = (0..120).map(|n| format!("X-{n}: KEY-9\r\n")).collect();
    let many = format!("GET /mcp HTTP/1.1\r\nHost: a\r\n{many}\r\n");
    let trailer = "POST /mcp HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTrailer: x-t\r\n\r\n\
                   2\r\n{}\r\n0\r\nx-t: key-9\r\n\r\n";
    for bytes in [half.as_slice(), junk, many.as_bytes(), trailer.as_bytes()] {
        let told = said_of("lacks = ['key-9']", bytes);
        assert!(told.iter().any(|sentence| sentence.contains("received `key-9`")), "{told:?}");
        let told = said_of("contacted = false", bytes);
        assert!(told.iter().any(|sentence| sentence.contains("must not be contacted")), "{told:?}");
    }
    for bytes in [half.as_slice(), junk, many.as_bytes()] {
        let told = said_of("only = ['find']", bytes);
        assert!(told.iter().any(|sentence| sentence.contains("no whole request")), "{told:?}");
    }
    // A connection that brings nothing is a contact, and nothing worse.
    assert!(!said_of("contacted = false", b"").is_empty());
    assert_eq!(said_of("only = ['find'], lacks = ['key-9']", b""), Vec::<String>::new());
}

#[test]
fn is_a_tool_call_seen_however_it_comes() {
    let call = |body: &str, more: &str| {
        let text = format!(
            "POST /mcp HTTP/1.1\r\nHost: a\r\n{more}Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        said_of("calls = [{tool = 'find'}]", text.as_bytes())
    };
    let burn = message("tools/call", json!({"name": "burn"}), false).to_string();
    let batch = format!("[{burn}]");
    let notification =
        json!({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "burn"}});
    let notification = notification.to_string();
    for (body, more, words) in [
        (burn.as_str(), "", "not to be called there"),
        (&batch, "", "not to be called there"),
        (&notification, "", "not to be called there"),
        (&batch, "", "not one request with an id"),
        ("?", "Mcp-Method: tools/call\r\nMcp-Name: burn\r\n", "not to be called there"),
        ("??", "Content-Encoding: gzip\r\n", "a compressed one"),
    ] {
        let told = call(body, more);
        assert!(told.iter().any(|sentence| sentence.contains(words)), "{body}: {told:?}");
    }
}

#[test]
fn is_a_call_behind_the_answer_witnessed() {
    let mut live = start(&format!("{LEDGER}witness.ledger = {{contacted = false}}\n"));
    let at = address(&live, "ledger");
    let late = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(15));
        TcpStream::connect(at).is_ok()
    });
    live.end();
    assert!(late.join().expect("it does not panic"));
    assert_eq!(live.finish().len(), 1);
}

#[test]
fn is_a_session_over_once_it_is_deleted_and_a_scheme_without_case() {
    let live = start(
        "servers.ledger = {kind = 'mcp', versions = ['2025-11-25'], token = 'key-1', tools = [{name = 'find'}]}\n",
    );
    let at = address(&live, "ledger");
    let key = ("Authorization", "bearer key-1");
    let about = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
    let (status, head, _) = post(&at, &[key], &message("initialize", about, false));
    assert_eq!(status, 200);
    let id = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).expect("an id");
    let session = [key, ("Mcp-Session-Id", id), ("MCP-Protocol-Version", "2025-11-25")];
    assert_eq!(send(&at, "DELETE", "/mcp", &session, "").0, 200);
    assert_ne!(post(&at, &session, &message("tools/list", json!({}), false)).0, 200);
}
