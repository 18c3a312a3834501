//! `proofmark.toml` in the working folder: the subject and the options, so that `proofmark run`
//! alone does. What the command line says goes before it.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::adapter::http;
use crate::cli::Failure;
use crate::suite::fault::Fault;

/// The file's name.
const NAME: &str = "proofmark.toml";

/// What the file can say.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// The subject's command, word by word.
    pub subject: Option<Vec<String>>,
    /// The subject's URL.
    pub http: Option<String>,
    /// As `--role`.
    #[serde(default)]
    pub role: Vec<String>,
    /// As `--case`.
    #[serde(default)]
    pub case: Vec<String>,
    /// As `--waivers`.
    pub waivers: Option<PathBuf>,
    /// As `--corpus`.
    pub corpus: Option<PathBuf>,
    /// As `--report`.
    pub report: Option<PathBuf>,
    /// As `--jobs`.
    pub jobs: Option<usize>,
    /// As `--seed`.
    pub seed: Option<String>,
    /// As `--law-cases`.
    pub law_cases: Option<usize>,
    /// As `--timeout`.
    pub timeout: Option<String>,
    /// As `--run-timeout`.
    pub run_timeout: Option<String>,
    /// As `--restarts`.
    pub restarts: Option<u32>,
    /// As `--max-line`.
    pub max_line: Option<usize>,
}

/// Reads the file of the working folder, if there is one.
///
/// # Errors
/// Where it can't be read, with line and column where they are known.
pub fn read() -> Result<Config, Failure> {
    read_from(Path::new(NAME))
}

fn read_from(path: &Path) -> Result<Config, Failure> {
    let name = path.display().to_string();
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Config::default()),
        Err(error) => return Err(Failure::usage(Fault::of_file(&name, error.to_string()))),
    };
    let config: Config = toml::from_str(&text)
        .map_err(|error| Failure::usage(Fault::of_toml(&name, &text, &error)))?;
    if config.subject.is_some() && config.http.is_some() {
        return Err(Failure::usage(Fault::of_file(&name, "it has both `subject` and `http`")));
    }
    if let Some(Err(what)) = config.http.as_deref().map(http::read_url) {
        return Err(Failure::usage(Fault::of_file(&name, format!("`http`: {what}"))));
    }
    if config.subject.as_ref().is_some_and(Vec::is_empty) {
        return Err(Failure::usage(Fault::of_file(&name, "`subject` is empty")));
    }
    Ok(config)
}
