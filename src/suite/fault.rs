//! What is wrong with a suite's or a corpus's files, and where.

use std::fmt;

/// One fault in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file, as it was named.
    pub file: String,
    /// Line and column, both from 1; `None` where the file as a whole is meant.
    pub position: Option<(usize, usize)>,
    /// What is wrong, a clause.
    pub what: String,
}

impl Fault {
    /// A fault of a file as a whole.
    pub fn of_file(file: &str, what: impl Into<String>) -> Fault {
        Fault { file: file.to_owned(), position: None, what: what.into() }
    }

    /// A fault at a byte offset of a file's text.
    pub fn at(file: &str, text: &str, offset: usize, what: impl Into<String>) -> Fault {
        Fault {
            file: file.to_owned(),
            position: Some(line_and_column(text, offset)),
            what: what.into(),
        }
    }

    /// A fault that the TOML reader found.
    pub fn of_toml(file: &str, text: &str, error: &toml::de::Error) -> Fault {
        let what = error.message().replace('\n', ", ");
        match error.span() {
            Some(span) => Fault::at(file, text, span.start, what),
            None => Fault::of_file(file, what),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Some((line, column)) => write!(f, "{}:{line}:{column}: {}", self.file, self.what),
            None => write!(f, "{}: {}", self.file, self.what),
        }
    }
}

/// All that is wrong with a corpus; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults(pub Vec<Fault>);

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 10;
        for (index, fault) in self.0.iter().take(SHOWN).enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{fault}")?;
        }
        match self.0.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "\n… and {more} faults more"),
        }
    }
}

impl std::error::Error for Faults {}

/// Line and column (in characters), both from 1, of a byte offset.
pub fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset.min(text.len())).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}
