//! Does the repository keep its own rules, those that a machine can hold?

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use proofmark::suite::load;
use proofmark::suite::requirement::Level;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file of the repository, and those about to be in it; without Git (in a packaged crate)
/// every file of the folders that hold sources.
fn files() -> Vec<PathBuf> {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output();
    if let Ok(output) = listed
        && output.status.success()
    {
        let text = String::from_utf8(output.stdout).expect("paths in UTF-8");
        return text.split('\0').filter(|path| !path.is_empty()).map(PathBuf::from).collect();
    }
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> =
        ["src", "tests", "suites", "corpus", "docs"].into_iter().map(PathBuf::from).collect();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(root().join(&folder)).into_iter().flatten().flatten() {
            let below = folder.join(entry.file_name());
            if entry.path().is_dir() { open.push(below) } else { found.push(below) }
        }
    }
    found
}

/// Texts by path; files that are not UTF-8, or gone, are passed over.
fn texts() -> Vec<(String, String)> {
    files()
        .into_iter()
        .filter_map(|path| {
            let text = fs::read_to_string(root().join(&path)).ok()?;
            Some((path.to_string_lossy().replace('\\', "/"), text))
        })
        .collect()
}

/// Lines of a text that name a folder of the machine on which somebody wrote it.
fn machine_paths(text: &str) -> Vec<usize> {
    // Put together here, so that this file does not name them.
    let paths = ["root", "home", "Users"].map(|name| format!("/{name}/"));
    let plans = ["work/", "tmp/plan", "tmp/target-"].map(|name| format!("/{name}"));
    let starts = |before: Option<char>| {
        before.is_none_or(|c| !c.is_alphanumeric() && !"._-/~}*".contains(c))
    };
    text.lines()
        .enumerate()
        .filter(|(_, line)| {
            paths.iter().chain(&plans).any(|path| {
                line.match_indices(path.as_str())
                    .any(|(at, _)| starts(line[..at].chars().next_back()))
            })
        })
        .map(|(index, _)| index + 1)
        .collect()
}

#[test]
fn does_no_file_name_a_folder_of_somebodys_machine() {
    let texts = texts();
    assert!(texts.len() > 100, "{} files", texts.len());
    let found: Vec<String> = texts
        .iter()
        .filter(|(path, _)| !path.ends_with(".lock") && !path.ends_with("package-lock.json"))
        .flat_map(|(path, text)| {
            machine_paths(text).into_iter().map(move |line| format!("{path}:{line}"))
        })
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn would_a_machine_path_be_seen() {
    for name in ["root/x", "home/x", "work/x", "tmp/plan/x"] {
        assert_eq!(machine_paths(&format!("fine\nsee /{name}")), [2], "{name}");
        assert_eq!(machine_paths(&format!("\"/{name}\"")), [1], "{name}");
    }
    assert!(
        machine_paths("https://example.org/home/x and docs/home/x, framework/root/").is_empty()
    );
}

#[test]
fn has_every_source_a_word_on_what_it_is_for() {
    let without: Vec<String> = texts()
        .into_iter()
        .filter(|(path, _)| path.starts_with("src/") && path.ends_with(".rs"))
        .filter(|(path, _)| !path.contains("/templates/"))
        .filter(|(_, text)| !text.starts_with("//! "))
        .map(|(path, _)| path)
        .collect();
    assert!(without.is_empty(), "{}", without.join("\n"));
}

/// The program reads what it carries without the checks of a corpus from elsewhere.
#[test]
fn is_the_corpus_that_is_compiled_in_sound() {
    let checked = load::embedded_and_checked().unwrap_or_else(|faults| panic!("{faults}"));
    let carried = load::embedded().expect("the embedded corpus");
    assert_eq!(checked.digest, carried.digest);
    assert_eq!(checked.cases.len(), carried.cases.len());
}

#[test]
fn is_every_reading_described_for_people() {
    let corpus = load::embedded().expect("the embedded corpus");
    let text = fs::read_to_string(root().join("docs/readings.md")).expect("docs/readings.md");
    let readings = corpus
        .suites
        .values()
        .flat_map(|suite| &suite.requirements)
        .filter(|requirement| requirement.level == Level::Reading);
    let mut count = 0;
    for reading in readings {
        count += 1;
        let section = text
            .split("\n### ")
            .find(|section| section.starts_with(&format!("{}:", reading.id)))
            .unwrap_or_else(|| panic!("docs/readings.md has no section on {}", reading.id));
        let named = |name: &String| section.contains(&format!("`{name}`"));
        // Many cases' answers may be summed up in profiles, and those are what people look for.
        let mut profiles = reading.profiles.iter().map(|profile| &profile.name);
        let summed_up = !reading.profiles.is_empty() && profiles.all(named);
        assert!(
            summed_up || reading.readings.keys().all(named),
            "docs/readings.md does not name every answer of {}",
            reading.id
        );
    }
    assert!(count > 0);
}

#[test]
fn does_the_readme_say_how_to_run_the_tests() {
    let text = fs::read_to_string(root().join("README.md")).expect("README.md");
    let (_, after) = text.split_once("<!-- test command -->").expect("the marker");
    let command = after
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty() && !line.starts_with("```"))
        .expect("a line after the marker");
    assert!(command.starts_with("cargo test"), "{command}");
}
