//! A folder of its own for each test, and the program run in it. Shared by the tests that go
//! through the binary; it may depend on nothing of the crate but the files that it has compiled in.

#![allow(dead_code, reason = "no test file needs all of it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use proofmark::suite::source;
use serde_json::Value;
use tempfile::TempDir;

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_proofmark");

/// No command of these tests takes nearly as long, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A temporary folder, in which the program runs.
pub struct Workplace {
    folder: TempDir,
}

/// What came of running the program.
#[derive(Debug)]
pub struct Outcome {
    /// The exit status.
    pub status: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Workplace {
    /// An empty folder.
    pub fn new() -> Workplace {
        Workplace { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    /// A folder with a copy of the compiled-in corpus of `jcs` in `corpus/`: one suite is enough to
    /// see what is refused.
    pub fn with_corpus() -> Workplace {
        let place = Workplace::new();
        for (path, text) in source::embedded_corpus() {
            if path.starts_with("jcs/") {
                place.write(&format!("corpus/{path}"), text);
            }
        }
        place
    }

    /// The full path of something in the folder.
    pub fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    /// Writes a file, and the folders on the way to it.
    pub fn write(&self, below: &str, content: impl AsRef<[u8]>) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).expect("a folder");
        fs::write(&path, content).expect("a file");
    }

    /// Reads a file.
    pub fn read(&self, below: &str) -> String {
        fs::read_to_string(self.path(below)).unwrap_or_else(|error| panic!("{below}: {error}"))
    }

    /// Runs the program in the folder.
    pub fn proofmark(&self, args: &[&str]) -> Outcome {
        self.run(assert_cmd::Command::new(PROGRAM).args(args))
    }

    /// Runs any command in the folder.
    pub fn run(&self, command: &mut assert_cmd::Command) -> Outcome {
        let output = command
            .current_dir(self.folder.path())
            .timeout(PATIENCE)
            .output()
            .expect("the command starts");
        Outcome {
            status: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).expect("standard output is UTF-8"),
            err: String::from_utf8(output.stderr).expect("standard error is UTF-8"),
        }
    }
}

impl Outcome {
    /// The same, having ended with this status.
    #[track_caller]
    pub fn ends_with(self, status: i32) -> Outcome {
        assert_eq!(self.status, status, "out:\n{}\nerr:\n{}", self.out, self.err);
        self
    }

    /// The same, with this on standard error.
    #[track_caller]
    pub fn says(self, words: &str) -> Outcome {
        assert!(self.err.contains(words), "{words:?} is not in standard error:\n{}", self.err);
        self
    }

    /// The same, with this on standard output.
    #[track_caller]
    pub fn prints(self, words: &str) -> Outcome {
        assert!(self.out.contains(words), "{words:?} is not in standard output:\n{}", self.out);
        self
    }

    /// Standard output as the one JSON document that it must be.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("no JSON document ({error}):\n{}", self.out))
    }
}
