//! A Proofmark adapter: puts your implementation in front of `proofmark`, one line in, one line out.
//!
//!     cargo build --release
//!     proofmark check -- target/release/adapter     is this adapter sound?
//!     proofmark run -- target/release/adapter       does the implementation conform?
//!
//! Change the parts marked YOURS. Print to standard error if you print at all.

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};

/// YOURS: who you are, and the roles you claim (`proofmark list` names them all).
fn hello() -> Value {
    json!({
        "protocol": 1,
        "implementation": {"name": "my-implementation", "version": "0.0.0", "language": "Rust"},
        "roles": ["jcs/canonicalizer"],
    })
}

/// Why an operation has no result.
enum Failure {
    /// The implementation read the input and turned it down: that is an answer.
    Refused(String),
    /// This adapter does not offer the operation.
    Unsupported,
    /// The adapter itself failed.
    Fault(&'static str),
}

/// Bytes in, bytes out, or a refusal.
fn canonicalize(document: &[u8]) -> Result<Vec<u8>, Failure> {
    // YOURS: call your implementation here. This stand-in is what people write first, and it fails many cases.
    serde_json::from_slice::<Value>(document)
        .and_then(|value| serde_json::to_vec(&value))
        .map_err(|error| Failure::Refused(error.to_string()))
}

/// YOURS: one arm for every operation of the roles you claim.
fn operation(name: &str, params: &Value) -> Result<Value, Failure> {
    match name {
        "hello" => Ok(hello()),
        "echo" => Ok(json!({"document": write_document(read_document(params)?)})),
        "jcs.canonicalize" => {
            let document = read_document(params)?;
            let mut canonical = canonicalize(&document)?;
            // Benchmarks ask for the same work several times over; everyone else asks once.
            for _ in 1..params["repeat"].as_u64().unwrap_or(1) {
                canonical = canonicalize(&document)?;
            }
            Ok(json!({"document": write_document(canonical)}))
        }
        _ => Err(Failure::Unsupported),
    }
}

fn main() -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        // One write for the whole line, at once.
        output.write_all(format!("{}\n", answer(&line)).as_bytes())?;
        output.flush()?;
        line.clear();
    }
    Ok(())
}

fn answer(line: &[u8]) -> Value {
    let request: Value = serde_json::from_slice(line).unwrap_or_default();
    let (id, Some(op), true) = (
        &request["id"],
        request["op"].as_str(),
        request["id"].is_number(),
    ) else {
        return json!({"id": null, "fault": {"message": "this line is no request"}});
    };
    match operation(op, &request["params"]) {
        Ok(value) => json!({"id": id, "ok": value}),
        Err(Failure::Refused(message)) => json!({"id": id, "refused": {"message": message}}),
        Err(Failure::Unsupported) => json!({"id": id, "unsupported": {"what": op}}),
        Err(Failure::Fault(message)) => json!({"id": id, "fault": {"message": message}}),
    }
}

// A document travels as {"text": …}, or as {"base64": …} where its bytes are not UTF-8. Always work on the bytes.

fn read_document(params: &Value) -> Result<Vec<u8>, Failure> {
    let document = &params["document"];
    match (document["text"].as_str(), document["base64"].as_str()) {
        (Some(text), _) => Ok(text.as_bytes().to_vec()),
        (None, Some(base64)) => decode(base64).ok_or(Failure::Fault("this is no base64")),
        (None, None) => Err(Failure::Fault("params hold no document")),
    }
}

fn write_document(bytes: Vec<u8>) -> Value {
    String::from_utf8(bytes).map_or_else(
        |e| json!({"base64": encode(e.as_bytes())}),
        |text| json!({"text": text}),
    )
}

// Base64, so that the adapter needs no other crate.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn encode(bytes: &[u8]) -> String {
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, i| {
            bits << 8 | usize::from(*group.get(i).unwrap_or(&0))
        });
        for i in 0..4 {
            text.push(if i > group.len() {
                '='
            } else {
                ALPHABET[bits >> (18 - 6 * i) & 63] as char
            });
        }
    }
    text
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for group in text.trim_end_matches('=').as_bytes().chunks(4) {
        let mut bits = 0;
        for byte in group {
            bits = bits << 6 | ALPHABET.iter().position(|letter| letter == byte)?;
        }
        bits <<= 6 * (4 - group.len());
        bytes.extend(
            [bits >> 16, bits >> 8, bits]
                .iter()
                .take(group.len() - 1)
                .map(|bits| *bits as u8),
        );
    }
    Some(bytes)
}
