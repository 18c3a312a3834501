//! A request as a wrong subject sees it: the right answer to it or to something else, and what was heard before.
//!
//! Depends on `document` and on the gauntlet's subject.

use std::path::{Path, PathBuf};

use proofmark::adapter::message::{Refusal, Reply, Request};
use serde_json::Value;

use crate::document::{bytes_of, text_of};
use crate::subject::Subject;

/// The longest document that is parsed here.
const LONGEST: usize = 64 * 1024;

/// Whether a request's document is turned down for its length. That is right, as a trial of its own shows, and keeps
/// dozens of runs short.
pub fn is_too_long(request: &Request) -> bool {
    let parses = request.op.contains("parse") || request.op == "brief.from_a2a";
    parses && bytes_of(&request.params["document"]).is_some_and(|bytes| bytes.len() > LONGEST)
}

/// A request, and who is asked.
pub struct Asked<'a> {
    pub subject: &'a Subject,
    pub request: &'a Request,
    pub memory: &'a mut Memory,
}

impl Asked<'_> {
    pub fn params(&self) -> &Value {
        &self.request.params
    }

    /// The right answer.
    pub fn right(&self) -> Reply {
        self.subject.reply(self.request)
    }

    /// The right answer to other params.
    pub fn right_with(&self, change: impl FnOnce(&mut Value)) -> Reply {
        let mut request = self.request.clone();
        change(&mut request.params);
        self.subject.reply(&request)
    }

    /// The text of a document among the params.
    pub fn text(&self, name: &str) -> Option<String> {
        text_of(&self.params()[name])
    }
}

/// The reply with another output, where it is one.
pub fn with_output(reply: Reply, change: impl FnOnce(&mut Value)) -> Reply {
    match reply {
        Reply::Ok(mut output) => {
            change(&mut output);
            Reply::Ok(output)
        }
        other => other,
    }
}

/// A refusal in these words.
pub fn refused(message: &str) -> Reply {
    Reply::Refused(Refusal { message: Some(message.to_owned()), ..Refusal::default() })
}

/// What a subject keeps of earlier requests, and of earlier processes where it has a file.
#[derive(Default)]
pub struct Memory {
    pub words: Vec<String>,
    /// The words of an earlier process.
    pub before: Vec<String>,
    file: PathBuf,
}

impl Memory {
    /// A memory that begins with what is in the file.
    pub fn of(file: &Path) -> Memory {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let before = text.lines().map(str::to_owned).collect();
        Memory { words: Vec::new(), before, file: file.to_owned() }
    }

    /// Keeps nothing but these words, for later processes too.
    pub fn keep(&mut self, words: Vec<String>) {
        std::fs::write(&self.file, words.join("\n")).expect("the file can be written");
        self.words = words;
    }
}
