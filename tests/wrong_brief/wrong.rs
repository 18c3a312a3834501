//! What a wrong subject is, how it is played, and how it is caught.
//!
//! Depends on `asked` and on the gauntlet's harness.

use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, io};

use proofmark::adapter::message::Reply;
use proofmark::suite::requirement::Level;
use serde_json::Value;

use crate::asked::{Asked, Memory, is_too_long, refused};
use crate::harness::{Report, Run, corpus, subject};
use crate::subject::Subject;

/// The right implementation with one operation made wrong.
pub struct Wrong {
    /// What it does, in words.
    pub name: &'static str,
    /// The role in which it is judged.
    pub role: &'static str,
    /// The operation that is wrong; all others are right.
    pub operation: &'static str,
    /// What the fault is about: each of these is failed.
    pub breaks: &'static [&'static str],
    /// What else a failing case may cite. A case that cites none of both has nothing to do with the fault, and passes.
    pub touches: &'static [&'static str],
    /// Whether no case notices it yet. Its trial is then listed as ignored, not left out.
    pub is_a_gap: bool,
    /// Its answers to the operation.
    pub answer: fn(&mut Asked<'_>) -> Reply,
}

impl Wrong {
    /// Serves as this subject, which may keep things in the file.
    pub fn play(&self, file: &Path) {
        let mut memory = Memory::of(file);
        Subject::new(1).serve(|subject, request| {
            let reply = if is_too_long(request) {
                refused("too long")
            } else if request.op == self.operation {
                (self.answer)(&mut Asked { subject, request, memory: &mut memory })
            } else {
                subject.reply(request)
            };
            let mut line = Vec::new();
            reply.write_line(Some(request.id), &mut line);
            line
        });
    }

    /// Judges it, and holds that it is caught by what it breaks and by nothing else.
    pub fn is_caught(&self) {
        let place = tempfile::tempdir().expect("a temporary folder can be made");
        let file = place.path().join("memory");
        let file = file.to_str().expect("the path is UTF-8");
        let level = |id: &str| corpus().requirement(id).expect("there is such a requirement").level;
        // A fault against what ought to be is counted, and changes no mark.
        let binds = self.breaks.iter().any(|id| level(id) == Level::Must);
        let (status, mark) = if binds { (1, "non-conformant") } else { (0, "conformant") };
        let report = judged(self.role, &[self.role, self.name, file], status);
        report.is(mark);
        let failed = failed(&report);
        let cited: BTreeSet<&str> = failed.iter().flat_map(|case| requirements(case)).collect();
        for id in self.breaks {
            assert!(cited.contains(id), "{id} is not failed; those that are: {cited:?}");
            let all = report.roles()[0]["requirements"].as_array().expect("an array");
            let judged = all.iter().find(|judged| judged["id"] == *id).expect("it is judged");
            assert_ne!(judged["verdict"], "pass", "{judged}");
        }
        let about = |id: &str| self.breaks.contains(&id) || self.touches.contains(&id);
        let others: Vec<String> = failed
            .iter()
            .filter(|case| !requirements(case).any(about))
            .map(|case| format!("{} {} {}", case["id"], case["verdict"], case["requirements"]))
            .collect();
        assert!(others.is_empty(), "these have nothing to do with it: {others:#?}");
    }
}

/// The report on a subject of this program, judged in the roles that match.
pub fn judged(roles: &str, words: &[&str], status: i32) -> Report {
    let options = ["run", "--role", roles, "--format", "json", "--timeout", "30s"];
    let run = Run::of(&options, subject(words)).with(&["--corpus", CORPUS]);
    run.go().ends_with(status).report()
}

/// The cases of Brief alone: reading those of all suites takes longer than judging most subjects here.
const CORPUS: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/corpus-of-brief");

/// Puts the corpus there.
pub fn prepare() -> io::Result<()> {
    let (from, to) =
        (Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/brief"), Path::new(CORPUS));
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    for role in fs::read_dir(from)? {
        let role = role?;
        let folder = to.join("brief").join(role.file_name());
        fs::create_dir_all(&folder)?;
        for topic in fs::read_dir(role.path())? {
            let topic = topic?;
            fs::copy(topic.path(), folder.join(topic.file_name()))?;
        }
    }
    Ok(())
}

/// The cases that did not pass.
fn failed(report: &Report) -> Vec<&Value> {
    let cases = report.roles().iter().filter_map(|role| role["cases"].as_array()).flatten();
    cases.filter(|case| case["verdict"] != "pass" && case["verdict"] != "recorded").collect()
}

fn requirements(case: &Value) -> impl Iterator<Item = &str> {
    case["requirements"].as_array().into_iter().flatten().filter_map(Value::as_str)
}
