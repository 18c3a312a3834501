//! Is a subject judged the same, whichever way it is reached?

mod workplace;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use workplace::{PROGRAM, Workplace};

/// A process that ends with the test.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start() -> Server {
        let mut child = Command::new(PROGRAM)
            .args(["serve", "--http", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut url = String::new();
        let out = child.stdout.take().expect("its standard output");
        BufReader::new(out).read_line(&mut url).expect("its first line");
        Server { child, url: url.trim().to_owned() }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// From case to verdict and reading.
fn verdicts(place: &Workplace, args: &[&str]) -> BTreeMap<String, (Value, Value)> {
    let report = place
        .proofmark(&[&["run", "--quiet", "--format", "json"], args].concat())
        .ends_with(0)
        .json();
    let roles = report["roles"].as_array().expect("roles");
    let cases = roles.iter().flat_map(|role| role["cases"].as_array().expect("cases"));
    cases
        .map(|case| {
            let id = case["id"].as_str().expect("an id").to_owned();
            (id, (case["verdict"].clone(), case["reading"].clone()))
        })
        .collect()
}

#[test]
fn is_every_case_judged_the_same_over_every_transport() {
    let place = Workplace::new();
    let server = Server::start();
    assert!(server.url.starts_with("http://127.0.0.1:"), "{}", server.url);
    let direct = verdicts(&place, &[]);
    assert!(direct.len() > 500);
    let recorded = direct.values().filter(|(_, reading)| reading.is_string()).count();
    assert!(recorded > 10, "readings are compared too");
    let ways: &[(&str, &[&str])] = &[
        ("a pipe", &["--", PROGRAM, "serve"]),
        ("HTTP", &["--http", &server.url]),
        ("two processes", &["--jobs", "2", "--", PROGRAM, "serve"]),
        ("two in-process subjects", &["--jobs", "2"]),
        ("HTTP from two workers", &["--jobs", "2", "--http", &server.url]),
    ];
    for (name, args) in ways {
        let there = verdicts(&place, args);
        let other: Vec<_> =
            direct.iter().filter(|(id, found)| there.get(*id) != Some(*found)).collect();
        assert!(other.is_empty(), "over {name}: {other:?}");
        assert_eq!(direct.len(), there.len(), "over {name}");
    }
}

#[test]
fn does_the_reference_pass_its_own_check() {
    let place = Workplace::new();
    let server = Server::start();
    for args in [&["check", "--", PROGRAM, "serve"][..], &["check", "--http", &server.url]] {
        let outcome = place.proofmark(args).ends_with(0).prints("The adapter is sound.");
        assert!(!outcome.out.contains("FAULT"), "{}", outcome.out);
    }
}
