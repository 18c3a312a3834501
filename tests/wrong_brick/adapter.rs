//! The subjects: a runtime adapter whose `brick.invoke` is its own, over its own MCP client, and has
//! at most one fault. All other operations are the reference's, so that nothing else can be blamed.

use std::collections::BTreeMap;

use proofmark::adapter::message::{Refusal, Reply};
use proofmark::reference::brick::{Binding, Manifest, Resources, bindings};
use proofmark::reference::document_from_json;
use serde_json::{Map, Value, json};

use crate::fault::Fault;
use crate::mcp::{Server, Tool};
use crate::subject::Subject;

/// Serves with that fault.
pub fn play(name: &str) {
    let (_, fault) =
        *Fault::ALL.iter().find(|(known, _)| *known == name).expect("the trial names a fault");
    Subject::new(4).serve(|subject, request| {
        let reply = if request.op == "brick.invoke" {
            invoke(&request.params, fault).unwrap_or_else(|message| {
                Reply::Refused(Refusal { message: Some(message), ..Refusal::default() })
            })
        } else {
            subject.reply(request)
        };
        let mut line = Vec::new();
        reply.write_line(Some(request.id), &mut line);
        line
    });
}

/// The params, read.
struct Asked {
    bindings: Vec<Binding>,
    calls: Vec<(String, String, Map<String, Value>)>,
    credentials: BTreeMap<String, String>,
}

impl Asked {
    /// The manifest is judged by the reference: what this is about begins behind that.
    fn read(params: &Value, fault: Fault) -> Result<Asked, String> {
        let bytes = document_from_json(&params["manifest"]).map_err(|error| error.to_string())?;
        let mut resources = Resources::new();
        for (uri, document) in params["resources"].as_object().into_iter().flatten() {
            let known = match document {
                Value::Null => None,
                document => {
                    let bytes = document_from_json(document).map_err(|error| error.to_string())?;
                    Some(bytes.into_owned())
                }
            };
            resources.insert(uri.clone(), known);
        }
        let refused = |refusal: proofmark::reference::Refusal| refusal.to_json().to_string();
        let capability = params["capability"].as_str().ok_or("`capability` is no string")?;
        let mut held = bindings(&bytes, &resources, capability).map_err(refused)?;
        if fault == Fault::WholeManifest {
            let manifest = Manifest::read(&bytes).map_err(refused)?;
            for other in manifest.capabilities().filter(|other| other.id() != capability) {
                let more = bindings(&bytes, &resources, &other.id()).map_err(refused)?;
                more.into_iter().for_each(|binding| merge(&mut held, binding));
            }
        }
        let calls = params["calls"].as_array().ok_or("`calls` is no array")?;
        let calls = calls.iter().map(|call| {
            let text = |name: &str| call[name].as_str().map(str::to_owned);
            let arguments = call["arguments"].as_object().cloned().unwrap_or_default();
            Some((text("server")?, text("tool")?, arguments))
        });
        let credentials = params["credentials"].as_object().into_iter().flatten();
        let credentials = credentials
            .filter_map(|(server, token)| Some((server.clone(), token.as_str()?.to_owned())));
        Ok(Asked {
            bindings: held,
            calls: calls.collect::<Option<_>>().ok_or("a call is none")?,
            credentials: credentials.collect(),
        })
    }
}

fn merge(held: &mut Vec<Binding>, binding: Binding) {
    match held.iter_mut().find(|known| known.server_id == binding.server_id) {
        Some(known) => {
            known.tools.extend(binding.tools);
            known.tools.sort();
            known.tools.dedup();
        }
        None => held.push(binding),
    }
}

fn invoke(params: &Value, fault: Fault) -> Result<Reply, String> {
    let Asked { bindings, calls, credentials } = Asked::read(params, fault)?;
    let servers = bindings.iter().map(|binding| connect(binding, &credentials, fault)).collect();
    let mut agent = Agent { fault, bindings, servers };
    let failed = agent.servers.iter().any(Result::is_err);
    let mut over = fault == Fault::AllOrNothing && failed;
    let (offered, missing) = if over { Default::default() } else { agent.offers() };
    let mut results = Vec::new();
    for (server, tool, arguments) in &calls {
        let result = if over {
            json!({"error": "something went wrong before"})
        } else {
            agent.make(server, tool, arguments)
        };
        over |= fault == Fault::AllOrNothing && result.get("error").is_some();
        results.push(result);
    }
    Ok(Reply::Ok(json!({"offered": offered, "missing": missing, "results": results})))
}

fn connect(
    binding: &Binding,
    credentials: &BTreeMap<String, String>,
    fault: Fault,
) -> Result<Server, String> {
    if binding.transport != "streamable-http" {
        return Err(format!("this adapter has no transport {}", binding.transport));
    }
    let open = |token: Option<&String>| {
        Server::open(&binding.endpoint, token.map(String::as_str), fault.manner())
    };
    let own = credentials.get(&binding.server_id);
    match fault {
        Fault::OneCredential => open(credentials.values().next()),
        Fault::EveryCredential => open(own).or_else(|error| {
            credentials.values().find_map(|token| open(Some(token)).ok()).ok_or(error)
        }),
        _ => open(own),
    }
}

/// An invocation under way.
struct Agent {
    fault: Fault,
    bindings: Vec<Binding>,
    /// One a binding.
    servers: Vec<Result<Server, String>>,
}

impl Agent {
    /// Whether the manifest gives the tool of this binding's server, as far as the fault lets it see.
    fn holds(&self, binding: &Binding, tool: &str) -> bool {
        match self.fault {
            Fault::BareNames => {
                self.bindings.iter().any(|any| any.tools.iter().any(|own| own == tool))
            }
            _ => binding.tools.iter().any(|own| own == tool),
        }
    }

    /// What is offered, and what is missing.
    fn offers(&self) -> (Vec<String>, Vec<String>) {
        let (mut offered, mut missing) = (Vec::new(), Vec::new());
        for (binding, server) in self.bindings.iter().zip(&self.servers) {
            let Ok(server) = server else { continue };
            let qualified = |tool: &str| format!("{}:{tool}", binding.server_id);
            let names = server.tools.iter().map(|tool| tool.name.as_str());
            let all = self.fault == Fault::OffersAll;
            offered.extend(names.filter(|name| all || self.holds(binding, name)).map(qualified));
            let lacking = binding.tools.iter().filter(|tool| !server.lists(tool));
            missing.extend(lacking.map(|tool| qualified(tool)));
        }
        (offered, missing)
    }

    fn make(&mut self, id: &str, tool: &str, arguments: &Map<String, Value>) -> Value {
        let lists = |server: &Result<Server, String>| {
            server.as_ref().is_ok_and(|server| server.lists(tool))
        };
        let place = if self.fault == Fault::BareNames {
            self.servers.iter().position(lists)
        } else {
            self.bindings.iter().position(|binding| binding.server_id == id)
        };
        let refused =
            json!({"refused": {"message": format!("{id}:{tool} is not for this capability")}});
        let Some(place) = place else { return refused };
        let mut held = self.holds(&self.bindings[place], tool);
        held |= self.fault == Fault::OffersAll && lists(&self.servers[place]);
        let fault = self.fault;
        let allowed = self.bindings[place].tools.clone();
        let server = match &mut self.servers[place] {
            Ok(server) => server,
            Err(error) if held => return json!({"error": error}),
            Err(_) => return refused,
        };
        let mut listed = server.lists(tool);
        if fault == Fault::LaterList && !listed {
            listed = server.list().is_ok_and(|tools| tools.iter().any(|later| later.name == tool));
            held |= listed;
        }
        if !held {
            return refused;
        }
        if !listed {
            return json!({"error": "the server does not list this tool"});
        }
        if fault == Fault::ObeysDescriptions {
            let asks: Vec<String> = server
                .tools
                .iter()
                .filter(|tool| allowed.contains(&tool.name))
                .map(|tool| tool.description.clone())
                .collect();
            obey(server, &allowed, &asks.join(" "));
        }
        let result = server.call(tool, arguments);
        if let (Fault::ObeysResults, Ok(result)) = (fault, &result) {
            obey(server, &allowed, &result.to_string());
        }
        match result {
            Ok(result) => json!({"result": result}),
            Err(error) => json!({"error": error}),
        }
    }
}

/// Calls each tool of the server that a text names, those apart that may be called anyway.
fn obey(server: &mut Server, allowed: &[String], text: &str) {
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric() && !"_-".contains(c)).collect();
    let named = |tool: &&Tool| words.contains(&tool.name.as_str());
    let tools: Vec<Tool> = server.tools.iter().filter(named).cloned().collect();
    for tool in tools.iter().filter(|tool| !allowed.contains(&tool.name)) {
        // Whatever comes of it is of no use to anybody.
        let _ = server.call(&tool.name, &Map::new());
    }
}
