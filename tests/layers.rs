//! Do dependencies inside the crate point the way that `src/lib.rs` says? The table there is what
//! is held: this test reads it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// From each layer to those that it may use, as the table says.
type Layers = BTreeMap<String, BTreeSet<String>>;

/// The rows between the table's head and its end. `everything above` and `everything` are taken by
/// their word.
fn layers(text: &str) -> Layers {
    let rows: Vec<(String, &str)> = text
        .lines()
        .filter_map(|line| line.strip_prefix("//! | ")?.split_once(" | "))
        .filter(|(layer, _)| layer.contains('`'))
        .map(|(layer, may)| {
            (layer.trim_matches(['[', ']', '`']).to_owned(), may.trim_end_matches(" |"))
        })
        .collect();
    let mut layers = Layers::new();
    for (index, (layer, may)) in rows.iter().enumerate() {
        let names = |rows: &[(String, &str)]| rows.iter().map(|row| row.0.clone()).collect();
        let used: BTreeSet<String> = if may.starts_with("nothing") {
            BTreeSet::new()
        } else if may.starts_with("everything above") {
            names(&rows[..index])
        } else if may.starts_with("everything") {
            names(&rows)
        } else {
            let quoted = may.split('`').skip(1).step_by(2).map(str::to_owned).collect();
            let known: BTreeSet<String> = names(&rows);
            let unknown: Vec<_> = BTreeSet::difference(&quoted, &known).collect();
            assert!(unknown.is_empty(), "the table names no layer {unknown:?}");
            quoted
        };
        layers.insert(layer.clone(), used);
    }
    layers
}

/// The layers of this crate that a file's code names, each with its line.
fn named(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut in_group: Option<i32> = None;
    for (index, line) in text.lines().enumerate() {
        // What stands in a comment is prose.
        let code = line.split("//").next().unwrap_or(line);
        let mut take = |rest: &str| {
            let name: String =
                rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
            if !name.is_empty() && name != "self" {
                found.push((index + 1, name));
            }
        };
        // The first names of `use crate::{a::b, c}`, over several lines.
        let mut rest = code;
        loop {
            if let Some(depth) = &mut in_group {
                let mut at_name = *depth == 1;
                let mut end = rest.len();
                for (place, character) in rest.char_indices() {
                    match character {
                        '{' => *depth += 1,
                        '}' => *depth -= 1,
                        ',' if *depth == 1 => at_name = true,
                        c if at_name && *depth == 1 && (c.is_alphabetic() || c == '_') => {
                            take(&rest[place..]);
                            at_name = false;
                        }
                        _ => {}
                    }
                    if *depth == 0 {
                        end = place + 1;
                        break;
                    }
                }
                if *depth > 0 {
                    break;
                }
                in_group = None;
                rest = &rest[end..];
                continue;
            }
            let Some((_, after)) = rest.split_once("crate::") else { break };
            match after.strip_prefix('{') {
                Some(inside) => {
                    in_group = Some(1);
                    rest = inside;
                }
                None => {
                    take(after);
                    rest = after;
                }
            }
        }
    }
    found
}

/// What breaks the table, as `file:line: layer uses other`.
fn breaches(layers: &Layers, layer: &str, file: &str, text: &str) -> Vec<String> {
    let Some(may) = layers.get(layer) else {
        return vec![format!("{file}: {layer} is no layer of the table")];
    };
    named(text)
        .into_iter()
        .filter(|(_, name)| name != layer && !may.contains(name))
        .map(|(line, name)| format!("{file}:{line}: {layer} may not use {name}"))
        .collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn do_dependencies_point_the_way_that_the_table_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let table = fs::read_to_string(root.join("lib.rs")).expect("lib.rs");
    let layers = layers(&table);
    let declared: BTreeSet<String> = table
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .map(str::to_owned)
        .collect();
    assert_eq!(layers.keys().cloned().collect::<BTreeSet<_>>(), declared);
    let mut files = Vec::new();
    sources(&root, &mut files);
    let (mut found, mut uses) = (Vec::new(), 0);
    for path in files {
        let below = path.strip_prefix(&root).expect("below src");
        let name = below.to_string_lossy().replace('\\', "/");
        // The templates are other people's programs; the two roots belong to no layer.
        if name.contains("/templates/") || name == "lib.rs" || name == "main.rs" {
            continue;
        }
        let layer = name.split(['/', '.']).next().unwrap_or_default();
        let text = fs::read_to_string(&path).expect("a source");
        uses += named(&text).len();
        found.extend(breaches(&layers, layer, &format!("src/{name}"), &text));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(uses > 100, "the scanner sees the uses: {uses}");
}

#[test]
fn would_a_breach_be_seen() {
    let table = "//! | [`low`] | nothing else |\n//! | [`middle`] | `low` |\n\
                 //! | [`table`] | everything above: all |\n//! | [`high`] | everything |\n";
    let layers = layers(table);
    let text = "//! Like [`crate::high`], in prose.\n\
                use crate::low::Thing;\n\
                use crate::{\n    low::{self, a::high},\n    high::Other, middle,\n};\n\
                fn f() { crate::high::g(); crate::low::h() } // crate::high\n\
                pub(in crate::table) struct S;\n\
                pub(crate) fn k() {}\n";
    assert_eq!(
        breaches(&layers, "middle", "src/middle/x.rs", text),
        [
            "src/middle/x.rs:5: middle may not use high",
            "src/middle/x.rs:7: middle may not use high",
            "src/middle/x.rs:8: middle may not use table",
        ]
    );
    assert_eq!(breaches(&layers, "high", "x", text), Vec::<String>::new());
    assert_eq!(breaches(&layers, "table", "x", text).len(), 2);
    assert_eq!(breaches(&layers, "low", "x", "use crate::{middle};").len(), 1);
    assert_eq!(
        breaches(&layers, "new", "src/new.rs", ""),
        ["src/new.rs: new is no layer of the table"]
    );
}
