//! The subject as commands name it, and how long things may take.

use std::path::PathBuf;
use std::time::Duration;

use crate::adapter::http::{self, Http};
use crate::adapter::subprocess::Subprocess;
use crate::adapter::{Launcher, MAX_LINE};
use crate::cli::config::{self, Config};
use crate::cli::{Failure, duration};
use crate::engine::session::{Brief, Timing};
use crate::registry;
use crate::suite::{Corpus, load};

/// The subject.
#[derive(Clone, Debug, clap::Args)]
pub struct SubjectArgs {
    /// The subject's adapter: a command and its arguments, after `--`
    #[arg(last = true, value_name = "CMD")]
    command: Vec<String>,
    /// The subject's adapter: a URL that requests are posted to
    #[arg(long, value_name = "URL", conflicts_with = "command", value_parser = http::read_url)]
    http: Option<String>,
    /// The embedded reference; proofmark.toml is then not read
    #[arg(long, conflicts_with_all = ["command", "http"])]
    reference: bool,
}

/// How long things may take, and how long lines may be.
#[derive(Clone, Debug, clap::Args)]
pub struct LimitArgs {
    /// How long a request may take [default: 10s]
    #[arg(long, value_name = "DURATION", value_parser = duration::parse)]
    timeout: Option<Duration>,
    /// How long hello may take
    #[arg(long, value_name = "DURATION", value_parser = duration::parse, default_value = "30s")]
    hello_timeout: Duration,
    /// The longest reply, in bytes [default: 16777216]
    #[arg(long, value_name = "BYTES")]
    max_line: Option<usize>,
}

/// Where the cases come from.
#[derive(Clone, Debug, clap::Args)]
pub struct CorpusArgs {
    /// Cases from this folder instead of those compiled in
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
}

impl LimitArgs {
    /// The times, those of proofmark.toml where the command line names none.
    ///
    /// # Errors
    /// Where proofmark.toml's are no durations.
    pub fn timing(&self, config: &Config) -> Result<Timing, Failure> {
        let request = match (self.timeout, &config.timeout) {
            (Some(timeout), _) => timeout,
            (None, Some(text)) => duration::parse(text).map_err(Failure::usage)?,
            (None, None) => Timing::default().request,
        };
        Ok(Timing { hello: self.hello_timeout, request, ..Timing::default() })
    }
}

impl LimitArgs {
    /// What the command line says of them, word by word.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        if let Some(timeout) = self.timeout {
            words.extend(["--timeout".to_owned(), Brief(timeout).to_string()]);
        }
        if self.hello_timeout != Timing::default().hello {
            words.extend(["--hello-timeout".to_owned(), Brief(self.hello_timeout).to_string()]);
        }
        if let Some(max_line) = self.max_line {
            words.extend(["--max-line".to_owned(), max_line.to_string()]);
        }
        words
    }
}

/// The subject, and whether it is the embedded reference.
pub struct Chosen {
    /// How to start it.
    pub launcher: Box<dyn Launcher>,
    /// Whether it is the embedded reference.
    pub self_test: bool,
}

impl SubjectArgs {
    /// What proofmark.toml says; nothing where the reference is asked for by name.
    ///
    /// # Errors
    /// Where the file can't be read, or the command line ends where the subject should stand.
    pub fn config(&self) -> Result<Config, Failure> {
        // `-- $ADAPTER` with an empty variable: the reference in its place would pass unasked.
        if self.command.is_empty() && std::env::args_os().last().is_some_and(|word| word == "--") {
            return Err(Failure::usage("no command follows the `--`"));
        }
        if self.reference { Ok(Config::default()) } else { config::read() }
    }

    /// The reference, where the command line asks for it by name.
    pub fn words(&self) -> Vec<String> {
        if self.reference { vec!["--reference".to_owned()] } else { Vec::new() }
    }

    /// The subject that the command line names, or proofmark.toml, or else the embedded reference.
    pub fn choose(&self, limits: &LimitArgs, timing: &Timing, config: &Config) -> Chosen {
        let max_line = limits.max_line.or(config.max_line).unwrap_or(MAX_LINE);
        let named = if !self.command.is_empty() {
            Some(Named::Command(self.command.clone()))
        } else if let Some(url) = &self.http {
            Some(Named::Url(url.clone()))
        } else if self.reference {
            None
        } else if let Some(command) = &config.subject {
            Some(Named::Command(command.clone()))
        } else {
            config.http.clone().map(Named::Url)
        };
        match named {
            None => Chosen { launcher: Box::new(registry::reference()), self_test: true },
            Some(Named::Command(command)) => Chosen {
                launcher: Box::new(Subprocess { command, environment: vec![], max_line }),
                self_test: false,
            },
            Some(Named::Url(url)) => {
                let limit = timing.request.max(timing.hello) + Duration::from_secs(5);
                let launcher = Http { url, max_line, limit, connections: 256 };
                Chosen { launcher: Box::new(launcher), self_test: false }
            }
        }
    }

    /// The subject's command with other variables in its environment; `None` for other transports.
    pub fn with_environment(
        &self,
        limits: &LimitArgs,
        config: &Config,
        environment: &[(&str, &str)],
    ) -> Option<Subprocess> {
        let command = if self.command.is_empty() {
            config.subject.clone().filter(|_| self.http.is_none() && !self.reference)?
        } else {
            self.command.clone()
        };
        let environment =
            environment.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let max_line = limits.max_line.or(config.max_line).unwrap_or(MAX_LINE);
        Some(Subprocess { command, environment, max_line })
    }
}

enum Named {
    Command(Vec<String>),
    Url(String),
}

impl CorpusArgs {
    /// What the command line says of it, word by word.
    pub fn words(&self) -> Vec<String> {
        match &self.corpus {
            None => Vec::new(),
            Some(folder) => vec!["--corpus".to_owned(), folder.display().to_string()],
        }
    }

    /// Loads the corpus.
    ///
    /// # Errors
    /// All that is wrong with it, with file, line and column.
    pub fn load(&self, config: &Config) -> Result<Corpus, Failure> {
        match self.corpus.as_ref().or(config.corpus.as_ref()) {
            None => load::embedded().map_err(Failure::usage),
            Some(folder) => load::from_folder(folder).map_err(|faults| {
                let partial = faults.0.iter().any(|fault| fault.what.starts_with("no case tests"));
                let hint = if partial {
                    "\nA corpus is whole or refused. To ask the cases of one file: proofmark replay FILE"
                } else {
                    ""
                };
                Failure::usage(format!("{faults}{hint}"))
            }),
        }
    }
}
