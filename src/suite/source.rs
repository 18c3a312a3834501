//! Where the files of a corpus come from: compiled in, or a folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use include_dir::{Dir, include_dir};
use sha2::{Digest, Sha256};

use crate::suite::fault::{Fault, Faults};

static SUITES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/suites");
static CORPUS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/corpus");

/// Text files by their path below a root, with `/` between the parts.
pub type Files = BTreeMap<String, String>;

/// The suites compiled in.
pub fn embedded_suites() -> Files {
    collect(&SUITES)
}

/// The corpus compiled in.
pub fn embedded_corpus() -> Files {
    collect(&CORPUS)
}

fn collect(dir: &Dir<'_>) -> Files {
    let mut files = Files::new();
    let mut open = vec![dir];
    while let Some(dir) = open.pop() {
        open.extend(dir.dirs());
        for file in dir.files() {
            if let (Some(path), Some(text)) = (file.path().to_str(), file.contents_utf8()) {
                files.insert(path.replace('\\', "/"), text.to_owned());
            }
        }
    }
    files
}

/// Every `.toml` file below a folder. Hidden files and folders are passed over.
///
/// # Errors
/// Where the folder or a file can't be read, or a file is not UTF-8.
pub fn folder(root: &Path) -> Result<Files, Faults> {
    let mut files = Files::new();
    let mut open = vec![root.to_path_buf()];
    let failed = |path: &Path, error: &dyn std::fmt::Display| {
        Faults(vec![Fault::of_file(&path.display().to_string(), error.to_string())])
    };
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).map_err(|error| failed(&dir, &error))? {
            let path = entry.map_err(|error| failed(&dir, &error))?.path();
            let hidden =
                path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            if hidden {
                continue;
            }
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "toml") {
                let bytes = fs::read(&path).map_err(|error| failed(&path, &error))?;
                let text = String::from_utf8(bytes).map_err(|error| not_utf_8(&path, &error))?;
                let below = path.strip_prefix(root).unwrap_or(&path);
                files.insert(below.to_string_lossy().replace('\\', "/"), text);
            }
        }
    }
    Ok(files)
}

fn not_utf_8(path: &Path, error: &std::string::FromUtf8Error) -> Faults {
    // What comes before the offset is valid, and stays as it is.
    let text = String::from_utf8_lossy(error.as_bytes());
    let offset = error.utf8_error().valid_up_to();
    Faults(vec![Fault::at(&path.display().to_string(), &text, offset, "the file is not UTF-8")])
}

/// The digest that reports carry: SHA-256 over a line for each file, `HEX  PATH`, ordered by path,
/// those of the suites under `suites/` and those of the corpus under `corpus/`. `sha256sum` over
/// the same files and once more over its output gives the same.
pub fn digest(suites: &Files, corpus: &Files) -> String {
    let mut lines: Vec<(String, String)> = Vec::new();
    for (root, files) in [("suites", suites), ("corpus", corpus)] {
        for (path, text) in files {
            lines.push((format!("{root}/{path}"), hex(&Sha256::digest(text.as_bytes()))));
        }
    }
    lines.sort();
    let mut hasher = Sha256::new();
    for (path, digest) in lines {
        hasher.update(format!("{digest}  {path}\n"));
    }
    format!("sha-256:{}", hex(&hasher.finalize()))
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
