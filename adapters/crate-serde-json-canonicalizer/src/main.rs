//! Adapter for `serde_json_canonicalizer` from crates.io.
//!
//! Text gets in as its users do it: the bytes are read by `serde_json`, with no feature of it asked for here (the library
//! itself turns on `float_roundtrip`), into a `serde_json::Value`, and that is canonicalised.

use std::error::Error;

use proofmark_adapter::{Adapter, canonicalizer, locked_version};

fn canonicalize(document: &[u8]) -> Result<Vec<u8>, serde_json::Error> {
    let value: serde_json::Value = serde_json::from_slice(document)?;
    serde_json_canonicalizer::to_vec(&value)
}

fn main() -> Result<(), Box<dyn Error>> {
    let version = locked_version(include_str!("../Cargo.lock"), "serde_json_canonicalizer")
        .ok_or("serde_json_canonicalizer is not in Cargo.lock")?;
    Adapter::new("serde_json_canonicalizer", version, &["jcs/canonicalizer"])
        .url("https://github.com/evik42/serde-json-canonicalizer")
        .operation("jcs.canonicalize", canonicalizer(canonicalize))
        .serve()?;
    Ok(())
}
