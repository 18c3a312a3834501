//! Runs the program on a subject and holds what every trial must hold.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use proofmark::suite::Corpus;
use proofmark::suite::case::Case;
use serde_json::Value;

/// However slow the machine is: longer than this is a hang.
const HANGS: Duration = Duration::from_secs(240);

/// How much memory the program may have used at its peak, in KiB, however much a subject sends.
pub const MEMORY: u64 = 400 * 1024;

/// The variable by which the processes of a trial are known.
const MARK: &str = "PROOFMARK_GAUNTLET";

/// The role that is asked where one is enough: few cases, two operations.
pub const ROLE: &str = "jcs/signer";

/// Whether the system shows its processes as files.
pub fn has_proc() -> bool {
    std::path::Path::new("/proc/self/status").exists()
}

/// The command of a misbehaving subject: this program itself.
pub fn subject(words: &[&str]) -> Vec<String> {
    let program = std::env::current_exe().expect("this program has a path");
    [program.to_str().expect("the path is UTF-8"), "--subject"]
        .iter()
        .chain(words)
        .map(|word| (*word).to_owned())
        .collect()
}

/// What came of a run.
pub struct Outcome {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    pub took: Duration,
    /// Peak memory in KiB, where the system tells.
    pub peak: Option<u64>,
}

/// A run that is not started yet.
pub struct Run {
    words: Vec<String>,
    subject: Vec<String>,
    /// Called now and then with the program's process id while it runs.
    pub meanwhile: Box<dyn FnMut(u32, Duration)>,
}

impl Run {
    /// `proofmark run` of [`ROLE`] with a JSON report.
    pub fn new(subject: Vec<String>) -> Run {
        Run::of(&["run", "--role", ROLE, "--format", "json"], subject)
    }

    /// Any command, with a subject after `--`.
    pub fn of(words: &[&str], subject: Vec<String>) -> Run {
        Run {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            subject,
            meanwhile: Box::new(|_, _| {}),
        }
    }

    /// With more options.
    pub fn with(mut self, words: &[&str]) -> Run {
        self.words.extend(words.iter().map(|word| (*word).to_owned()));
        self
    }

    /// Runs it, and holds what must be so of every run.
    #[expect(clippy::zombie_processes, reason = "it is waited for unless the trial panics")]
    pub fn go(mut self) -> Outcome {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let mark = format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let place = tempfile::tempdir().expect("a temporary folder can be made");
        let mut command = Command::new(env!("CARGO_BIN_EXE_proofmark"));
        command.args(&self.words).current_dir(place.path()).env(MARK, &mark);
        if !self.subject.is_empty() {
            command.arg("--").args(&self.subject);
        }
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdout = collect(child.stdout.take().expect("standard output is a pipe"));
        let stderr = collect(child.stderr.take().expect("standard error is a pipe"));
        let began = Instant::now();
        let (mut peak, mut status) = (None, None);
        while status.is_none() {
            if began.elapsed() > HANGS {
                child.kill().expect("a child can be killed");
                child.wait().expect("a child can be waited for");
                panic!("proofmark {:?} hangs with {:?}", self.words, self.subject);
            }
            peak = peak_of(&child).or(peak);
            (self.meanwhile)(child.id(), began.elapsed());
            thread::sleep(Duration::from_millis(3));
            status = child.try_wait().expect("a child can be waited for");
        }
        let outcome = Outcome {
            status: status.and_then(|status| status.code()),
            stdout: text(stdout),
            stderr: text(stderr),
            took: began.elapsed(),
            peak,
        };
        outcome.shows_no_control_character();
        if let Some(peak) = outcome.peak {
            assert!(peak < MEMORY, "it used {peak} KiB at its peak");
        }
        nothing_is_left(&mark);
        outcome
    }
}

fn collect(mut pipe: impl Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).expect("a pipe can be read");
        bytes
    })
}

fn text(collected: thread::JoinHandle<Vec<u8>>) -> String {
    let bytes = collected.join().expect("reading does not panic");
    String::from_utf8(bytes).expect("the program writes UTF-8")
}

fn peak_of(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// No process of the trial is there any more, or will not be in a moment.
fn nothing_is_left(mark: &str) {
    let until = Instant::now() + Duration::from_secs(5);
    loop {
        let left = marked(mark);
        if left.is_empty() {
            return;
        }
        assert!(Instant::now() < until, "left behind: {left:?}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// The processes with the mark in their environment; none where there is no `/proc`.
fn marked(mark: &str) -> Vec<String> {
    let wanted = format!("{MARK}={mark}");
    let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
    processes
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().bytes().all(|b| b.is_ascii_digit()))
        .filter(|entry| {
            std::fs::read(entry.path().join("environ")).is_ok_and(|environment| {
                environment.split(|byte| *byte == 0).any(|pair| pair == wanted.as_bytes())
            })
        })
        .map(|entry| {
            let words = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&words).replace('\0', " ")
        })
        .collect()
}

impl Outcome {
    /// Nothing that a terminal obeys, in whatever format.
    fn shows_no_control_character(&self) {
        for (name, shown) in [("output", &self.stdout), ("error", &self.stderr)] {
            let found = shown.chars().find(|c| c.is_control() && !"\n\t".contains(*c));
            assert!(found.is_none(), "{found:?} on standard {name}: {shown:?}");
        }
    }

    /// Ends with this exit status.
    #[track_caller]
    pub fn ends_with(self, status: i32) -> Outcome {
        assert_eq!(
            self.status,
            Some(status),
            "the exit status; output:\n{:.3000}\nerror:\n{:.3000}",
            self.stdout,
            self.stderr
        );
        self
    }

    /// Says this on standard error.
    #[track_caller]
    pub fn says(self, words: &str) -> Outcome {
        assert!(self.stderr.contains(words), "no {words:?} in {:.3000}", self.stderr);
        self
    }

    /// Took no longer than this.
    #[track_caller]
    pub fn within(self, seconds: u64) -> Outcome {
        assert!(self.took < Duration::from_secs(seconds), "it took {:?}", self.took);
        self
    }

    /// Standard output as a report: one JSON document and nothing else.
    #[track_caller]
    pub fn report(&self) -> Report {
        let value: Value = serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("no report ({error}): {:.2000}", self.stdout));
        assert_eq!(value["exit_status"], Value::from(self.status));
        let report = Report { value };
        report.adds_up();
        report
    }
}

/// A report.
pub struct Report {
    pub value: Value,
}

impl Report {
    /// Every selected case has exactly one verdict.
    fn adds_up(&self) {
        for role in self.roles() {
            let counts = role["counts"].as_object().expect("counts are an object");
            let sum: u64 = counts.values().filter_map(Value::as_u64).sum();
            assert_eq!(Some(sum), role["selected"].as_u64(), "{}", role["role"]);
        }
    }

    pub fn roles(&self) -> &[Value] {
        self.value["roles"].as_array().expect("roles are an array")
    }

    fn cases(&self) -> impl Iterator<Item = &Value> {
        self.roles().iter().flat_map(|role| role["cases"].as_array().expect("cases are an array"))
    }

    /// The verdict on one case.
    #[track_caller]
    pub fn verdict(&self, id: &str) -> &str {
        self.case(id)["verdict"].as_str().expect("a verdict is a string")
    }

    /// One case.
    #[track_caller]
    pub fn case(&self, id: &str) -> &Value {
        self.cases().find(|case| case["id"] == id).expect("the case was judged")
    }

    /// How many cases have a verdict.
    pub fn count(&self, verdict: &str) -> usize {
        self.cases().filter(|case| case["verdict"] == verdict).count()
    }

    /// How many cases have another verdict than this or a reading's.
    pub fn others(&self, verdict: &str) -> Vec<String> {
        self.cases()
            .filter(|case| case["verdict"] != verdict && case["verdict"] != "recorded")
            .map(|case| format!("{} {} {}", case["id"], case["verdict"], case["reason"]))
            .collect()
    }

    /// All roles have this mark.
    #[track_caller]
    pub fn is(&self, mark: &str) {
        assert!(!self.roles().is_empty(), "no role was judged");
        for role in self.roles() {
            let (name, reasons) = (&role["role"], &role["reasons"]);
            assert_eq!(role["mark"], mark, "{name}: {reasons}; {:?}", self.others("pass"));
        }
    }

    /// The culprit alone has this verdict, and all others passed.
    #[track_caller]
    pub fn condemns_alone(&self, id: &str, verdict: &str) {
        assert_eq!(self.verdict(id), verdict, "{}", self.case(id));
        let others = self.others("pass");
        assert_eq!(others.len(), 1, "{others:#?}");
    }

    /// Every case has the one verdict.
    #[track_caller]
    pub fn all_are(&self, verdict: &str) {
        let others = self.others(verdict);
        assert!(others.is_empty(), "{others:#?}");
    }
}

/// The embedded corpus.
pub fn corpus() -> &'static Corpus {
    static CORPUS: OnceLock<Corpus> = OnceLock::new();
    CORPUS.get_or_init(|| proofmark::suite::load::embedded().expect("the embedded corpus loads"))
}

/// A case in the middle of [`ROLE`] whose params are no other's: its id, and the params as text.
pub fn culprit() -> (&'static str, String) {
    let cases: Vec<(&Case, String)> = corpus()
        .cases
        .iter()
        .filter(|case| case.role == ROLE && case.is_single() && case.is_acceptance())
        .map(|case| (&**case, case.steps[0].params.value().to_string()))
        .collect();
    let (case, params) = cases
        .iter()
        .skip(cases.len() / 2)
        .find(|(_, params)| {
            // An argument of a command can't be long.
            params.len() < 1000 && cases.iter().filter(|(_, other)| other == params).count() == 1
        })
        .expect("some case is alone with its params");
    (&case.id, params.clone())
}
