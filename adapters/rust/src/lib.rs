//! Proofmark's adapter protocol, version 1, for implementations in Rust.
//!
//! An adapter says who it is, which roles it claims and which operations it offers:
//!
//! ```no_run
//! use proofmark_adapter::{Adapter, canonicalizer};
//!
//! let my_library = |document: &[u8]| -> Result<Vec<u8>, String> { Ok(document.to_vec()) };
//! Adapter::new("my-library", "1.2.3", &["jcs/canonicalizer"])
//!     .operation("jcs.canonicalize", canonicalizer(my_library))
//!     .serve()
//!     .unwrap();
//! ```
//!
//! An operation is a function from the request's params to the value of `ok`. It answers [`Answer::Refused`] where the
//! implementation read the input and turned it down, and [`Answer::Fault`] where the adapter itself failed. A panic is
//! not caught: it ends the process, and is seen as the crash that it is. Never judge or correct in an adapter: what the
//! implementation does is the answer.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, BufRead, Write};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

/// Why an operation has no result.
#[derive(Debug)]
pub enum Answer {
    /// The implementation read the input and turned it down.
    Refused(String),
    /// The adapter itself failed.
    Fault(String),
}

/// One operation: params to the value of `ok`.
pub type Operation = Box<dyn FnMut(&Value) -> Result<Value, Answer>>;

/// An implementation behind the adapter protocol.
pub struct Adapter {
    hello: Value,
    operations: BTreeMap<String, Operation>,
}

impl Adapter {
    /// An adapter that offers `echo` and nothing else yet.
    pub fn new(name: &str, version: &str, roles: &[&str]) -> Self {
        let hello = json!({
            "protocol": 1,
            "implementation": {"name": name, "version": version, "language": "Rust"},
            "roles": roles,
            // One thread that answers line by line can promise any number: what it has not read yet waits in the pipe.
            "in_flight": 32,
        });
        let adapter = Self {
            hello,
            operations: BTreeMap::new(),
        };
        adapter.operation("echo", |params| {
            Ok(json!({"document": write_document(read_document(params)?)}))
        })
    }

    /// Where the implementation is to be found.
    #[must_use]
    pub fn url(mut self, url: &str) -> Self {
        self.hello["implementation"]["url"] = json!(url);
        self
    }

    /// Offers an operation.
    #[must_use]
    pub fn operation(
        mut self,
        name: &str,
        operation: impl FnMut(&Value) -> Result<Value, Answer> + 'static,
    ) -> Self {
        self.operations.insert(name.to_owned(), Box::new(operation));
        self
    }

    /// Answers requests, one a line, until standard input closes.
    ///
    /// # Errors
    ///
    /// Standard input or output failed.
    pub fn serve(mut self) -> io::Result<()> {
        let mut requests = io::stdin().lock();
        let mut replies = io::stdout().lock();
        let mut line = Vec::new();
        while requests.read_until(b'\n', &mut line)? > 0 {
            let mut reply = self.answer(&line).to_string();
            reply.push('\n');
            replies.write_all(reply.as_bytes())?;
            // At once: an answer held back behind a slow request would look slow itself.
            replies.flush()?;
            line.clear();
        }
        Ok(())
    }

    fn answer(&mut self, line: &[u8]) -> Value {
        let no_request =
            |why: &str| json!({"id": null, "fault": {"message": format!("no request: {why}")}});
        let request: Value = match serde_json::from_slice(line) {
            Ok(request) => request,
            Err(error) => return no_request(&error.to_string()),
        };
        let (id, Some(op)) = (&request["id"], request["op"].as_str()) else {
            return no_request("op is a string");
        };
        if !(id.is_u64() || id.is_i64()) {
            return no_request("id is a number");
        }
        if op == "hello" {
            return json!({"id": id, "ok": self.hello});
        }
        let Some(operation) = self.operations.get_mut(op) else {
            return json!({"id": id, "unsupported": {"what": op}});
        };
        match operation(&request["params"]) {
            Ok(value) => json!({"id": id, "ok": value}),
            Err(Answer::Refused(message)) => json!({"id": id, "refused": {"message": message}}),
            Err(Answer::Fault(message)) => json!({"id": id, "fault": {"message": message}}),
        }
    }
}

/// The operation `jcs.canonicalize`, from a function that takes bytes and gives bytes.
pub fn canonicalizer<E: Display>(
    canonicalize: impl Fn(&[u8]) -> Result<Vec<u8>, E>,
) -> impl FnMut(&Value) -> Result<Value, Answer> {
    move |params| {
        let document = read_document(params)?;
        // `repeat` is asked for by benchmarks alone: do the whole work that often, answer once.
        let mut canonical = Vec::new();
        for _ in 0..params["repeat"].as_u64().unwrap_or(1) {
            canonical =
                canonicalize(&document).map_err(|error| Answer::Refused(error.to_string()))?;
        }
        Ok(json!({"document": write_document(canonical)}))
    }
}

/// The bytes of `params.document`, which travels as `{"text": …}` or `{"base64": …}`.
///
/// # Errors
///
/// [`Answer::Fault`] where the params hold no document.
pub fn read_document(params: &Value) -> Result<Vec<u8>, Answer> {
    let document = &params["document"];
    if let Some(text) = document["text"].as_str() {
        return Ok(text.as_bytes().to_vec());
    }
    let base64 = document["base64"]
        .as_str()
        .ok_or_else(|| Answer::Fault("params hold no document".into()))?;
    BASE64_STANDARD
        .decode(base64)
        .map_err(|error| Answer::Fault(error.to_string()))
}

/// A document for a reply, from bytes: as text where they are UTF-8, else as base64.
#[must_use]
pub fn write_document(content: Vec<u8>) -> Value {
    match String::from_utf8(content) {
        Ok(text) => json!({"text": text}),
        Err(error) => json!({"base64": BASE64_STANDARD.encode(error.as_bytes())}),
    }
}

/// The version of a package in the text of a `Cargo.lock`: what was really built in, for `hello`.
///
/// ```
/// let lock = "[[package]]\nname = \"a\"\nversion = \"1.0.2\"\n";
/// assert_eq!(proofmark_adapter::locked_version(lock, "a"), Some("1.0.2"));
/// assert_eq!(proofmark_adapter::locked_version(lock, "b"), None);
/// ```
#[must_use]
pub fn locked_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name).skip(1);
    lines
        .next()?
        .strip_prefix("version = \"")?
        .strip_suffix('"')
}
