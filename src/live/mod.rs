//! Live servers on the loopback interface that a case asks for, and what they saw.
//!
//! Some requirements are about what leaves a subject, and no answer of the subject proves that. A case then has
//! `[case.servers.NAME]` tables, each a server with a script, and `[case.witness.NAME]` tables that say what the
//! server must have seen. The servers of a case live as long as the case, each on a free port of `127.0.0.1`; no
//! other address is ever bound. This module depends on nothing else in this crate.
//!
//! # A server: `[case.servers.NAME]`
//!
//! | key | |
//! |---|---|
//! | `kind` | `"mcp"`: MCP over streamable HTTP at the path `/mcp` |
//! | `versions` | the protocol versions that it has. Those before `2026-07-28` open with `initialize`, later ones do not; with both it serves each client as that client opens. Default: `2026-07-28`, `2025-11-25`, `2025-06-18`, `2025-03-26`. A version that no client has may stand here |
//! | `tools` | its tools, an array of tables (below) |
//! | `token` | every request must bring `Authorization: Bearer TOKEN`; others get 401 |
//! | `page` | so many tools a page of `tools/list` |
//! | `endless` | `true`: the last page names a further one, for ever |
//! | `sse` | `true`: answers come as an event stream, else as JSON |
//! | `before` | JSON-RPC messages that go ahead of the answer of each `tools/call`; they need `sse` |
//! | `session` | `false`: `initialize` gives no session id |
//! | `announce` | `true`: it says that its tools changed once they were listed, on the stream that the version has for it |
//! | `instructions` | the server's text for models |
//! | `list` | what `tools/list` gets instead of the tools: an answer (below) |
//! | `always` | what every request gets: an answer |
//!
//! A tool has `name`, `description?`, `input?` (its schema; any object where silent), `more?` (further members of its
//! definition), `listed?` (`false`: it works, and no list names it), `since?` and `until?` (it is listed from, or up to,
//! the n-th listing: that is how a list changes), and `answer?`.
//!
//! An answer is a table with one of
//!
//! | key | |
//! |---|---|
//! | `text` | a result with this text. A tool that says nothing else answers `done` |
//! | `result` | the result, as it stands |
//! | `error` | a JSON-RPC error, `{code, message, data?}` |
//! | `status` | a bare HTTP status, with `body?` as text |
//! | `redirect` | `{to, status?, host?}`: to the server `to` of the case, 307 where silent, with `localhost` for its address where `host` says so |
//! | `stall` | `true`: no answer, ever; the connection stays open |
//! | `drop` | `true`: no answer; the connection is closed |
//!
//! `{{servers.NAME.url}}` in any string of a server stands for the URL of that server.
//!
//! # A witness: `[case.witness.NAME]`
//!
//! | key | |
//! |---|---|
//! | `contacted` | `false`: no connection at all; `true`: at least one request |
//! | `calls` | the tool calls that reached their tool are exactly these, in this order: `[{tool, arguments?}]`. A request that was turned down before (401, a missing header) is none |
//! | `any_order` | `true`: `calls` in any order |
//! | `only` | no `tools/call` names a tool that is not here, whether it was answered or not; where it is left out, the tools of `calls` |
//! | `without` | JSON-RPC methods that never came |
//! | `credentials` | no `Authorization` but `Bearer` with one of these; `[]`: none at all |
//! | `lacks` | strings that are nowhere in what it received: target, headers, body; in whatever case, percent-encoding, JSON escapes and base64 undone; nor in what came outside of a request |
//! | `initialised` | `true`: opened as 2025-11-25 says (below); `false`: no `initialize` came |
//! | `uninitialised` | `false`: nothing was asked by the rules of a revision with sessions before an `initialize` was answered; not being asked at all is fine |
//! | `metadata` | `true`: each request that was not turned down is one of 2026-07-28 (below) |
//!
//! # The protocol facts relied on
//!
//! From the specification's pages (<https://modelcontextprotocol.io/specification>), revision 2025-11-25, *Lifecycle*
//! and *Transports*: `initialize` comes first, with `protocolVersion`, `capabilities` and `clientInfo`; the server answers
//! with the same version if it has it, else with another; `notifications/initialized` follows; the server may give an
//! `MCP-Session-Id`, which every later request carries (without: 400, unknown: 404); every later request carries
//! `MCP-Protocol-Version` (an unsupported one: 400); a POST accepts both `application/json` and `text/event-stream`; a
//! notification is answered with 202; GET is a stream for messages of the server, or 405; DELETE ends a session.
//!
//! Revision 2026-07-28, *Versioning*, *Overview* (`_meta`), *Streamable HTTP*, *Discovery*, *Tools*, *Subscriptions*: no
//! `initialize`, no session; `_meta` of each request has `io.modelcontextprotocol/protocolVersion` and
//! `…/clientCapabilities` (required: without them -32602 and status 400) and should have `…/clientInfo`; the headers
//! `MCP-Protocol-Version`, `Mcp-Method` and, for `tools/call`, `Mcp-Name` repeat the body (missing or different: -32020,
//! 400; a name that is no plain header text comes as `=?base64?…?=`); a version that the server lacks gets -32022 with
//! `data.supported`, 400; an unknown method -32601, 404; `server/discover` is there, and need not be used; results have
//! `resultType`, lists `ttlMs` and `cacheScope`; GET and DELETE get 405; changes are told on `subscriptions/listen`. A
//! client for both eras tries the later one first and falls back on a 400 whose body is no such error.
//!
//! Where the revisions leave a client free, so does this module: `Accept` is judged and not enforced, `server/discover`
//! and repeated listings are as good as none, and an `initialize` that is turned down is a probe.
#![forbid(unsafe_code)]

mod body;
mod connection;
mod decode;
mod host;
mod mcp;
mod record;
mod script;
mod witness;

pub use host::{Live, StartError};
pub use script::Script;
pub use witness::Breach;
