//! Is each skeleton that `init` writes a sound adapter as it stands, and are its answers real ones?
//! Where a language is not installed, its test says so on standard error.

mod workplace;

use std::process::{Command, Stdio};

use workplace::Workplace;

/// Whether a command is there; else a word about what is not tested.
fn is_there(command: &str, version: &str) -> bool {
    let there = Command::new(command)
        .arg(version)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !there {
        eprintln!("skipped: no {command}");
    }
    there
}

/// `init`, the build, `check`, and a few cases.
fn is_sound(language: &str, build: &[&str], subject: &[&str], cases: &str) {
    let place = Workplace::new();
    place.proofmark(&["init", language]).ends_with(0);
    if let Some((program, args)) = build.split_first() {
        let mut command = assert_cmd::Command::new(program);
        let built = place
            .run(command.args(args).env("GOFLAGS", "-mod=mod").env("CARGO_TARGET_DIR", "target"));
        // The registry may be out of reach here; anything else is a fault of the skeleton.
        let unreachable = ["--offline", "offline", "no matching package", "failed to download"];
        if built.status != 0 && unreachable.iter().any(|words| built.err.contains(words)) {
            eprintln!("skipped: {language} cannot be built offline here: {}", built.err.trim());
            return;
        }
        built.ends_with(0);
    }
    let subject = [&["--"], subject].concat();
    let check = place.proofmark(&[&["check"][..], &subject].concat()).ends_with(0);
    assert!(!check.out.contains("FAULT") && !check.out.contains("n/a"), "{}", check.out);
    let run = ["run", "--case", cases, "--format", "json"];
    let report = place.proofmark(&[&run[..], &subject].concat()).json();
    assert!(matches!(report["exit_status"].as_u64(), Some(0 | 1)), "{}", report["exit_status"]);
    assert_eq!(report["roles"].as_array().map(Vec::len), Some(1));
    let role = &report["roles"][0];
    assert_eq!(role["role"], "jcs/canonicalizer");
    for (verdict, count) in role["counts"].as_object().expect("counts") {
        if !matches!(verdict.as_str(), "pass" | "fail" | "recorded") {
            assert_eq!(*count, 0, "{language}: {verdict}");
        }
    }
    assert!(role["counts"]["pass"].as_u64() > Some(0), "{language} passes nothing");
}

#[test]
fn is_the_python_skeleton_sound() {
    if is_there("python3", "--version") {
        let cases = "jcs/canonicalizer/{whitespace,duplicates}/*";
        is_sound("python", &[], &["python3", "adapter.py"], cases);
    }
}

#[test]
fn is_the_node_skeleton_sound() {
    if is_there("node", "--version") {
        let cases = "jcs/canonicalizer/{whitespace,duplicates}/*";
        is_sound("node", &[], &["node", "adapter.mjs"], cases);
    }
}

#[test]
fn is_the_go_skeleton_sound() {
    if is_there("go", "version") {
        let build = ["go", "build", "-o", "adapter", "adapter.go"];
        is_sound("go", &build, &["./adapter"], "jcs/canonicalizer/whitespace/*");
    }
}

#[test]
fn is_the_rust_skeleton_sound() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    if is_there(&cargo, "--version") {
        let build = [cargo.as_str(), "build", "--quiet", "--offline"];
        is_sound("rust", &build, &["target/debug/adapter"], "jcs/canonicalizer/whitespace/*");
    }
}

#[test]
fn is_the_shell_skeleton_sound() {
    if is_there("jq", "--version") && is_there("base64", "--version") {
        let cases = "jcs/canonicalizer/whitespace/t*";
        is_sound("shell", &[], &["sh", "adapter.sh"], cases);
    }
}
