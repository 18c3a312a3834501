//! What a case expects. There is no default: a case without an expectation is no case.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::suite::params::{Params, from_hex};
use crate::suite::toml_json;

/// An expectation.
#[derive(Clone, Debug)]
pub enum Expect {
    /// The input is read, and this comes out.
    Ok(Accepted),
    /// The input is turned down.
    Refused(Refused),
    /// The text admits several answers: by name, what each is like.
    Readings(BTreeMap<String, Expect>),
}

/// What an `ok` must give.
#[derive(Clone, Debug)]
pub struct Accepted {
    /// How the output is held against the case.
    pub output: Output,
    /// Strings that are nowhere in the output.
    pub lacks: Vec<String>,
    /// What a document with front matter must be like.
    pub front_matter: FrontMatter,
}

/// What the front matter of the output's document must be like, as any reader of YAML 1.2 reads it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrontMatter {
    /// A recursive subset of the mapping.
    pub includes: Option<Value>,
    /// Keys that it does not have.
    pub lacks: Vec<String>,
    /// The text behind it; blank lines at both ends do not count.
    pub body: Option<String>,
}

impl FrontMatter {
    /// Whether nothing is expected.
    pub fn is_free(&self) -> bool {
        *self == FrontMatter::default()
    }
}

/// What a refusal must say.
#[derive(Clone, Debug, Default)]
pub struct Refused {
    /// The codes that the specification admits; empty where it has none.
    pub codes: Vec<String>,
    /// The JSON Pointer that the refusal, or one of its `faults`, must have.
    pub at: Option<String>,
}

impl From<Output> for Expect {
    fn from(output: Output) -> Expect {
        Expect::Ok(Accepted { output, lacks: Vec::new(), front_matter: FrontMatter::default() })
    }
}

/// How the output of an `ok` is held against the case.
#[derive(Clone, Debug)]
pub enum Output {
    /// Equal as JSON, documents by bytes.
    Equals(Params),
    /// A recursive subset.
    Includes(Params),
    /// The output's one document has these bytes.
    Bytes(Params),
    /// The output's one document has this SHA-256.
    Sha256([u8; 32]),
    /// The output fits a JSON Schema.
    Schema(Value),
    /// Any output of the operation's shape.
    Any,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawExpect {
    ok: Option<RawOutput>,
    refused: Option<RawRefused>,
    readings: Option<BTreeMap<String, RawExpect>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawOutput {
    equals: Option<toml::Value>,
    includes: Option<toml::Value>,
    bytes: Option<toml::Value>,
    sha256: Option<String>,
    schema: Option<toml::Value>,
    any: Option<bool>,
    #[serde(default)]
    lacks: Vec<String>,
    front_matter: Option<toml::Value>,
    #[serde(default)]
    front_matter_lacks: Vec<String>,
    front_matter_body: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRefused {
    code: Option<String>,
    codes: Option<Vec<String>>,
    at: Option<String>,
}

impl RawExpect {
    pub(super) fn read(self) -> Result<Expect, String> {
        match (self.ok, self.refused, self.readings) {
            (Some(output), None, None) => output.read_accepted().map(Expect::Ok),
            (None, Some(refused), None) => refused.read().map(Expect::Refused),
            (None, None, Some(readings)) if readings.len() >= 2 => readings
                .into_iter()
                .map(|(name, expect)| {
                    let expect = expect.read().map_err(|what| format!("reading {name}: {what}"))?;
                    if matches!(expect, Expect::Readings(_)) {
                        return Err(format!("reading {name} has readings of its own"));
                    }
                    Ok((name, expect))
                })
                .collect::<Result<_, _>>()
                .map(Expect::Readings),
            (None, None, Some(_)) => Err("`expect.readings` needs at least two".to_owned()),
            _ => Err("`expect` is exactly one of ok, refused, readings".to_owned()),
        }
    }
}

impl RawOutput {
    fn read_accepted(mut self) -> Result<Accepted, String> {
        let lacks = std::mem::take(&mut self.lacks);
        if lacks.iter().any(String::is_empty) {
            return Err("`lacks` has an empty string, which is in every output".to_owned());
        }
        let includes = self.front_matter.take().as_ref().map(toml_json::to_json).transpose()?;
        if includes.as_ref().is_some_and(|includes| !includes.is_object()) {
            return Err("`front_matter` is no table".to_owned());
        }
        let front_matter = FrontMatter {
            includes,
            lacks: std::mem::take(&mut self.front_matter_lacks),
            body: self.front_matter_body.take(),
        };
        Ok(Accepted { output: self.read()?, lacks, front_matter })
    }

    fn read(self) -> Result<Output, String> {
        let params = |value: &toml::Value| toml_json::to_json(value).and_then(Params::new);
        match (self.equals, self.includes, self.bytes, self.sha256, self.schema, self.any) {
            (Some(value), None, None, None, None, None) => params(&value).map(Output::Equals),
            (None, Some(value), None, None, None, None) => params(&value).map(Output::Includes),
            (None, None, Some(value), None, None, None) => {
                let document = params(&value)?;
                if crate::adapter::document::sole_bytes(&document.value()).is_none() {
                    return Err("`bytes` is a document: text, base64 or build".to_owned());
                }
                Ok(Output::Bytes(document))
            }
            (None, None, None, Some(text), None, None) => read_sha256(&text).map(Output::Sha256),
            (None, None, None, None, Some(value), None) => {
                toml_json::to_json(&value).map(Output::Schema)
            }
            (None, None, None, None, None, Some(true)) => Ok(Output::Any),
            _ => Err("`ok` is exactly one of equals, includes, bytes, sha256, schema, \
                      any = true"
                .to_owned()),
        }
    }
}

impl RawRefused {
    fn read(self) -> Result<Refused, String> {
        let codes = match (self.code, self.codes) {
            (None, None) => Vec::new(),
            (Some(code), None) => vec![code],
            (None, Some(codes)) if !codes.is_empty() => codes,
            _ => return Err("`refused` has a code, or codes, or neither".to_owned()),
        };
        if self.at.as_ref().is_some_and(|at| !at.is_empty() && !at.starts_with('/')) {
            return Err("`at` is no JSON Pointer".to_owned());
        }
        Ok(Refused { codes, at: self.at })
    }
}

/// 64 hexadecimal digits, or 43 characters of base64url.
fn read_sha256(text: &str) -> Result<[u8; 32], String> {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    let bytes = match text.len() {
        64 => from_hex(text).ok(),
        _ => URL_SAFE_NO_PAD.decode(text).ok(),
    };
    bytes
        .and_then(|bytes| bytes.try_into().ok())
        .ok_or_else(|| "`sha256` is 32 bytes, in hexadecimal or base64url".to_owned())
}

impl Expect {
    /// Whether the case wants the input turned down, and nothing else.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Expect::Refused(_))
    }

    /// Whether the case wants the input accepted, and nothing else.
    pub fn is_acceptance(&self) -> bool {
        matches!(self, Expect::Ok(_))
    }

    /// Whether the case admits that the input is accepted.
    pub fn may_be_accepted(&self) -> bool {
        match self {
            Expect::Ok(_) => true,
            Expect::Refused(_) => false,
            Expect::Readings(readings) => readings.values().any(Expect::may_be_accepted),
        }
    }

    /// Calls `look` with each value that an output must equal or include, as written.
    pub(super) fn for_each_value(&self, look: &mut impl FnMut(&Value)) {
        match self {
            Expect::Ok(Accepted {
                output: Output::Equals(value) | Output::Includes(value),
                ..
            }) => {
                look(value.written());
            }
            Expect::Readings(readings) => {
                readings.values().for_each(|expect| expect.for_each_value(look));
            }
            _ => {}
        }
    }

    /// The expectation as reports and `export` show it, documents built.
    pub fn to_value(&self) -> Value {
        match self {
            Expect::Ok(accepted) => {
                let mut value = accepted.output.to_value();
                if !accepted.lacks.is_empty() {
                    value["lacks"] = json!(accepted.lacks);
                }
                let front_matter = &accepted.front_matter;
                if let Some(includes) = &front_matter.includes {
                    value["front_matter"] = includes.clone();
                }
                if !front_matter.lacks.is_empty() {
                    value["front_matter_lacks"] = json!(front_matter.lacks);
                }
                if let Some(body) = &front_matter.body {
                    value["front_matter_body"] = json!(body);
                }
                json!({ "ok": value })
            }
            Expect::Refused(refused) => {
                let mut value = match refused.codes.as_slice() {
                    [] => json!({}),
                    [code] => json!({ "code": code }),
                    codes => json!({ "codes": codes }),
                };
                if let Some(at) = &refused.at {
                    value["at"] = json!(at);
                }
                json!({ "refused": value })
            }
            Expect::Readings(readings) => {
                let readings: serde_json::Map<String, Value> = readings
                    .iter()
                    .map(|(name, expect)| (name.clone(), expect.to_value()))
                    .collect();
                json!({ "readings": readings })
            }
        }
    }
}

impl Output {
    fn to_value(&self) -> Value {
        match self {
            Output::Equals(value) => json!({ "equals": *value.value() }),
            Output::Includes(value) => json!({ "includes": *value.value() }),
            Output::Bytes(value) => json!({ "bytes": *value.value() }),
            Output::Sha256(digest) => json!({ "sha256": crate::suite::source::hex(digest) }),
            Output::Schema(schema) => json!({ "schema": schema }),
            Output::Any => json!({ "any": true }),
        }
    }
}
