//! The Agent Skills rules for a SKILL.md, where its bytes are at hand (section 6).
//!
//! The frontmatter stands between `---` lines at the start. Names may be of any lower-case letters and digits, as the
//! words of the rules have it. Nothing that the file says is acted on, `allowed-tools` least of all (section 4).
//!
//! Depends on `saphyr-parser`.

use std::collections::HashSet;

use saphyr_parser::{Event, Parser};

use super::percent::decode;

/// How long a frontmatter may be to be looked at, in bytes.
const LONGEST: usize = 64 * 1024;

/// How many problems of one file are listed.
const LISTED: usize = 20;

/// A value at the top level of the frontmatter.
enum Field {
    Scalar(String),
    /// A mapping; whether all its values are scalars.
    Mapping(bool),
    Other,
}

/// Whether a URI is that of a SKILL.md.
pub(super) fn is_skill_file(uri: &str) -> bool {
    segments(uri).last().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"))
}

fn segments(uri: &str) -> Vec<String> {
    let path = uri.split(['?', '#']).next().unwrap_or_default();
    decode(path).split('/').map(str::to_owned).collect()
}

/// What the file does not hold to, each as a sentence without its full stop; the first [`LISTED`] and what is missing.
pub(super) fn problems(uri: &str, bytes: &[u8]) -> Vec<String> {
    let fields = match frontmatter(bytes).and_then(fields) {
        Ok(fields) => fields,
        Err(problem) => return vec![problem],
    };
    let mut problems = Vec::new();
    let mut names = HashSet::new();
    for (name, field) in &fields {
        let is_new = names.insert(name.as_str());
        if problems.len() >= LISTED {
            continue;
        }
        if !is_new {
            problems.push(format!("`{name}` stands twice"));
        }
        match (name.as_str(), field) {
            ("name", Field::Scalar(text)) => problems.extend(name_problem(text, uri)),
            ("description", Field::Scalar(text)) => {
                problems.extend(length("description", text, 1024))
            }
            ("compatibility", Field::Scalar(text)) => {
                problems.extend(length("compatibility", text, 500));
            }
            ("license" | "allowed-tools", Field::Scalar(_))
            | ("metadata", Field::Mapping(true)) => {}
            ("metadata", _) => problems.push("`metadata` is no map from strings to strings".into()),
            ("name" | "description" | "license" | "compatibility" | "allowed-tools", _) => {
                problems.push(format!("`{name}` is no string"));
            }
            _ => {
                problems.push(format!("{} is no field of a SKILL.md", super::pointer::shown(name)))
            }
        }
    }
    for required in ["name", "description"] {
        if !names.contains(required) {
            problems.push(format!("`{required}` is missing"));
        }
    }
    problems
}

/// The text between the two `---` lines.
fn frontmatter(bytes: &[u8]) -> Result<&str, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "The file is not UTF-8".to_owned())?;
    let start = text
        .strip_prefix("---")
        .and_then(|rest| rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n')));
    let start = start.ok_or_else(|| "The file has no frontmatter".to_owned())?;
    let mut end = 0;
    for line in start.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return start.get(..end).ok_or_else(String::new);
        }
        end += line.len();
        if end > LONGEST {
            return Err(format!("The frontmatter is longer than {LONGEST} bytes"));
        }
    }
    Err("The frontmatter does not end".to_owned())
}

/// The fields of the frontmatter's one mapping.
fn fields(yaml: &str) -> Result<Vec<(String, Field)>, String> {
    let mut fields = Vec::new();
    let mut key: Option<String> = None;
    // Of the value being read: how deep we are in it, and what it is so far.
    let (mut depth, mut scalars, mut is_map) = (0_usize, true, false);
    for event in Parser::new_from_str(yaml) {
        let (event, _) = event.map_err(|error| format!("The frontmatter is no YAML: {error}"))?;
        match event {
            Event::MappingStart(..) | Event::SequenceStart(..) => {
                let map = matches!(event, Event::MappingStart(..));
                if depth == 0 && !map {
                    return Err("The frontmatter is no mapping".to_owned());
                }
                if depth == 1 {
                    (scalars, is_map) = (true, map);
                } else if depth == 2 {
                    scalars = false;
                }
                depth += 1;
                if depth == 2 && key.is_none() {
                    return Err("A name in the frontmatter is no string".to_owned());
                }
            }
            Event::MappingEnd | Event::SequenceEnd => {
                depth = depth.saturating_sub(1);
                if depth == 1
                    && let Some(name) = key.take()
                {
                    fields
                        .push((name, if is_map { Field::Mapping(scalars) } else { Field::Other }));
                }
            }
            Event::Scalar(text, ..) => match (depth, key.take()) {
                (0, _) => return Err("The frontmatter is no mapping".to_owned()),
                (1, None) => key = Some(text.into_owned()),
                (1, Some(name)) => fields.push((name, Field::Scalar(text.into_owned()))),
                (_, name) => key = name,
            },
            Event::Alias(_) => match (depth, key.take()) {
                (1, Some(name)) => fields.push((name, Field::Other)),
                (1, None) => return Err("A name in the frontmatter is no string".to_owned()),
                (_, name) => {
                    scalars = false;
                    key = name;
                }
            },
            _ => {}
        }
    }
    Ok(fields)
}

fn length(name: &str, text: &str, most: usize) -> Option<String> {
    match text.chars().count() {
        0 => Some(format!("`{name}` is empty")),
        count if count > most => Some(format!("`{name}` is longer than {most} characters")),
        _ => None,
    }
}

fn name_problem(name: &str, uri: &str) -> Option<String> {
    let fits = |character: char| {
        character == '-' || (character.is_alphanumeric() && !character.is_uppercase())
    };
    if let Some(problem) = length("name", name, 64) {
        return Some(problem);
    }
    if !name.chars().all(fits) {
        return Some("`name` is not of lower-case letters, digits and hyphens".to_owned());
    }
    if name.starts_with('-') || name.ends_with('-') || name.contains("--") {
        return Some("`name` has a hyphen at an end, or two in a row".to_owned());
    }
    let segments = segments(uri);
    let folder =
        segments.iter().rev().nth(1).filter(|folder| !["", ".", ".."].contains(&folder.as_str()));
    let other = folder.is_some_and(|folder| folder != name);
    other.then(|| "`name` is not the name of the file's folder".to_owned())
}

#[cfg(test)]
mod tests {
    use super::problems;

    fn count(front: &str) -> usize {
        problems("./skills/help/SKILL.md", format!("---\n{front}\n---\nBody\n").as_bytes()).len()
    }

    #[test]
    fn which_skill_files_hold_to_the_rules() {
        assert_eq!(count("name: help\ndescription: Helps."), 0);
        assert_eq!(
            count(
                "name: help\ndescription: >-\n  Helps\n  much.\nlicense: MIT\nmetadata:\n  a: b\n  c: \"1\"\nallowed-tools: Bash Read\ncompatibility: any"
            ),
            0
        );
    }

    #[test]
    fn what_each_rule_finds() {
        for bad in [
            "description: x",
            "name: help",
            "name: Help\ndescription: x",
            "name: -help\ndescription: x",
            "name: he--lp\ndescription: x",
            "name: other\ndescription: x",
            "name: help\ndescription: ''",
            "name: help\ndescription: x\ncompatibility: ''",
            "name: help\ndescription: x\nextra: y",
            "name: help\ndescription: x\nmetadata:\n  a: [b]",
            "name: help\ndescription: x\nmetadata: a",
            "name: help\nname: help\ndescription: x",
            "name: help\ndescription: [x]",
            "- name",
            "name: [",
        ] {
            assert_eq!(count(bad), 1, "{bad}");
        }
        for file in ["", "name: help", "---\nname: help\n", "----\n"] {
            assert_eq!(problems("help/SKILL.md", file.as_bytes()).len(), 1, "{file}");
        }
        assert_eq!(problems("SKILL.md", b"---\r\nname: any\r\ndescription: x\r\n---\r\n").len(), 0);
    }
}
