//! Counterexamples of laws on disk: a run keeps those that it finds, tries them first the next time,
//! and `replay` shows one again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::engine::event::LawResult;

/// The folder, below the working folder.
pub const FOLDER: &str = ".proofmark/laws";

/// A file of more bytes than this is none of ours.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// One file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Counterexample {
    /// The law's id.
    pub law: String,
    /// The input that breaks it.
    pub input: Value,
    /// How it broke when it was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The file of a law, in the folder.
pub fn path(law: &str) -> PathBuf {
    Path::new(FOLDER).join(format!("{}.json", law.replace('/', "-")))
}

/// Reads one file. `None` where it is no counterexample: it may be anybody's.
pub fn read(path: &Path) -> Option<Counterexample> {
    if std::fs::metadata(path).ok()?.len() > MAX_BYTES {
        return None;
    }
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

/// All that are kept, by the law's id.
pub fn kept() -> BTreeMap<String, Value> {
    let files = std::fs::read_dir(FOLDER).into_iter().flatten().flatten();
    files.filter_map(|file| read(&file.path())).map(|found| (found.law, found.input)).collect()
}

/// Keeps the counterexample of a law that does not hold.
///
/// # Errors
/// Where the file can't be written.
pub fn keep(result: &LawResult) -> Result<(), String> {
    let Some(input) = &result.counterexample else { return Ok(()) };
    let path = path(&result.id);
    let found = Counterexample {
        law: result.id.clone(),
        input: input.clone(),
        reason: result.reason.clone(),
    };
    let text = serde_json::to_string_pretty(&found).map_err(|error| error.to_string())?;
    std::fs::create_dir_all(FOLDER)
        .and_then(|()| std::fs::write(&path, text + "\n"))
        .map_err(|error| format!("{}: {error}", path.display()))
}
