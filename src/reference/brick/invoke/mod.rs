//! Invoking the tools of a capability over MCP (draft, section 7): the part of a runtime adapter that leaves the machine.
//!
//! [`invoke`] connects to the servers that the capability's own references name, offers what both the manifest allows
//! for this capability and the server lists, and makes the calls in order. What the capability does not hold is
//! refused in here: no request is sent for it. Nothing that a server says is acted on: descriptions, instructions,
//! results and changed lists are data, the first listing is the only one, and redirects are not followed.
//!
//! Each server has a connection and, where one is given for it, a credential of its own; what goes wrong at one is an
//! error of the calls to it and of nothing else. The client is `rmcp`'s, over plain http: an `https` endpoint is an
//! error here, since this reference brings no TLS. Proxies of the environment are not used. Time, pages and sizes are
//! bounded (see the constants), whatever a server does.
//!
//! Depends on the bindings and params of the parent module, `rmcp`, `reqwest` and `tokio`.

mod client;
mod run;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Binding, binding, bindings};
use crate::reference::answer::{Operation, Refusal};

pub use run::invoke;

/// `brick.invoke`.
pub const OPERATION: Operation =
    Operation { name: "brick.invoke", run: |params| operation(params).into() };

/// A call that the agent asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The server's id in the manifest.
    pub server: String,
    /// The tool's bare name.
    pub tool: String,
    /// What the tool is given.
    pub arguments: Map<String, Value>,
}

/// What became of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The server's result, as MCP spells it.
    Result(Value),
    /// The capability does not hold this tool; no request was made.
    Refused(String),
    /// It was allowed, and there is no result: why.
    Error(String),
}

/// What an invocation gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Invocation {
    /// Qualified names (`server:tool`) of the tools that the capability holds and the server lists.
    pub offered: Vec<String>,
    /// Qualified names of those that the capability holds and the server, though it answered, does not list.
    pub missing: Vec<String>,
    /// One a call, in order.
    pub outcomes: Vec<Outcome>,
}

fn operation(params: &Value) -> Result<Value, Refusal> {
    let manifest = binding::manifest(params)?;
    let resources = binding::resources(params)?;
    let capability = binding::text(params, "capability")?;
    let calls = calls(params)?;
    let credentials = credentials(params)?;
    let bindings = bindings(&manifest, &resources, capability)?;
    let invocation = invoke(bindings, calls, credentials).map_err(|error| Refusal {
        code: Some("runtime".to_owned()),
        message: Some(format!("no thread or runtime for the connections: {error}")),
        ..Refusal::default()
    })?;
    let results: Vec<Value> = invocation
        .outcomes
        .into_iter()
        .map(|outcome| match outcome {
            Outcome::Result(result) => json!({"result": result}),
            Outcome::Refused(message) => json!({"refused": {"message": message}}),
            Outcome::Error(message) => json!({"error": {"message": message}}),
        })
        .collect();
    Ok(json!({"offered": invocation.offered, "missing": invocation.missing, "results": results}))
}

fn calls(params: &Value) -> Result<Vec<Call>, Refusal> {
    let Some(Value::Array(calls)) = params.get("calls") else {
        return Err(Refusal::of_params("`calls` is not an array"));
    };
    calls
        .iter()
        .map(|call| {
            let arguments = match call.get("arguments") {
                None => Map::new(),
                Some(Value::Object(arguments)) => arguments.clone(),
                Some(_) => {
                    return Err(Refusal::of_params("a call's `arguments` are not an object"));
                }
            };
            let server = binding::text(call, "server")?.to_owned();
            Ok(Call { server, tool: binding::text(call, "tool")?.to_owned(), arguments })
        })
        .collect()
}

fn credentials(params: &Value) -> Result<BTreeMap<String, String>, Refusal> {
    let given = match params.get("credentials") {
        None => return Ok(BTreeMap::new()),
        Some(Value::Object(given)) => given,
        Some(_) => return Err(Refusal::of_params("`credentials` is not an object")),
    };
    given
        .iter()
        .map(|(server, token)| match token.as_str() {
            // It becomes part of a header: what would end the header is no credential.
            Some(token)
                if !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic()) =>
            {
                Ok((server.clone(), token.to_owned()))
            }
            _ => Err(Refusal::of_params(format!(
                "the credential for `{server}` is not a string of visible ASCII characters"
            ))),
        })
        .collect()
}
