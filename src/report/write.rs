//! Writing files whole or not at all: a temporary file beside the place, then a rename.

use std::fmt;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::engine::event::Event;
use crate::report::junit;
use crate::report::model::Report;

/// A file that could not be written.
#[derive(Debug)]
pub struct WriteError {
    /// The file or folder.
    pub path: PathBuf,
    /// The system's error.
    pub error: std::io::Error,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write {}: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for WriteError {}

/// Writes a file whole or not at all.
///
/// # Errors
/// With the path and the system's error; what was there before is then untouched.
pub fn whole(path: &Path, content: &[u8]) -> Result<(), WriteError> {
    let failed = |error| WriteError { path: path.to_path_buf(), error };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut file = NamedTempFile::new_in(folder.unwrap_or(Path::new("."))).map_err(failed)?;
    file.write_all(content).map_err(failed)?;
    share(file, path)
}

/// A temporary file is for its owner's eyes; a report is a file like any other.
fn share(file: NamedTempFile, path: &Path) -> Result<(), WriteError> {
    let failed = |error| WriteError { path: path.to_path_buf(), error };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let readable = fs::Permissions::from_mode(0o644);
        file.as_file().set_permissions(readable).map_err(failed)?;
    }
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// The files of a report.
const FILES: [&str; 3] = ["report.json", "junit.xml", "events.ndjson"];

/// The folder that `--report` names, and the recording of events in it while the run goes on.
pub struct Folder {
    path: PathBuf,
    events: Option<BufWriter<NamedTempFile>>,
    failed: Option<std::io::Error>,
}

impl Folder {
    /// Makes the folder where it is missing, and begins the recording.
    ///
    /// # Errors
    /// Where it can't be made or written to: known before the run, not after it.
    pub fn new(path: &Path) -> Result<Folder, WriteError> {
        let wrong = |error| WriteError { path: path.to_path_buf(), error };
        fs::create_dir_all(path).map_err(wrong)?;
        // What an earlier run left here must not be taken for this one's, should this one fail.
        for name in FILES {
            match fs::remove_file(path.join(name)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(WriteError { path: path.join(name), error });
                }
                _ => {}
            }
        }
        let events = NamedTempFile::new_in(path).map_err(wrong)?;
        Ok(Folder { path: path.to_path_buf(), events: Some(BufWriter::new(events)), failed: None })
    }

    /// Records an event. An error is kept for [`Folder::finish`].
    pub fn record(&mut self, event: &Event) {
        let Some(events) = &mut self.events else { return };
        let written = serde_json::to_writer(&mut *events, event)
            .map_err(std::io::Error::other)
            .and_then(|()| events.write_all(b"\n"));
        if let Err(error) = written {
            self.failed = Some(error);
            self.events = None;
        }
    }

    /// Writes all the files of the report, and gives back their paths.
    ///
    /// # Errors
    /// At the first file that can't be written.
    pub fn finish(self, report: &Report) -> Result<Vec<PathBuf>, WriteError> {
        let events_path = self.path.join("events.ndjson");
        let failed = |error| WriteError { path: events_path.clone(), error };
        if let Some(error) = self.failed {
            return Err(failed(error));
        }
        if let Some(events) = self.events {
            let file = events.into_inner().map_err(|error| failed(error.into_error()))?;
            share(file, &events_path)?;
        }
        let json = self.path.join("report.json");
        whole(&json, json_text(report).as_bytes())?;
        let junit_path = self.path.join("junit.xml");
        let xml = junit::render(report).map_err(|error| WriteError {
            path: junit_path.clone(),
            error: std::io::Error::other(error),
        })?;
        whole(&junit_path, xml.as_bytes())?;
        Ok(vec![json, junit_path, events_path])
    }
}

/// The text of `report.json`.
pub fn json_text(report: &Report) -> String {
    // A report has no map with keys that are no strings, and no failing serialiser.
    let text = serde_json::to_string_pretty(report).unwrap_or_default();
    // DEL and the C1 controls are legal in JSON, and some terminals obey them. They can only stand
    // in strings, where an escape means the same.
    let mut safe = String::with_capacity(text.len() + 1);
    for character in text.chars() {
        if matches!(character, '\u{7f}'..='\u{9f}') {
            safe.push_str(&format!("\\u{:04x}", u32::from(character)));
        } else {
            safe.push(character);
        }
    }
    safe.push('\n');
    safe
}
