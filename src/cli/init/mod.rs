//! `proofmark init`: a working adapter to start from.

use std::path::PathBuf;

use crate::cli::{Failure, print};
use crate::engine::status::ExitStatus;
use crate::report::escape;
use crate::report::write;

/// Write an adapter to start from: it works as it stands, and answers one operation
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  proofmark init python
  proofmark init go my-adapter")]
pub struct Args {
    /// The adapter's language
    #[arg(value_enum)]
    language: Language,
    /// The folder to write into; made where it is missing
    #[arg(default_value = ".")]
    folder: PathBuf,
    /// Replace files that are already there
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Language {
    Python,
    Node,
    Rust,
    Go,
    Shell,
}

/// One language's skeleton: its files, what to do before it runs, and the command that runs it.
struct Skeleton {
    language: Language,
    files: &'static [(&'static str, &'static str)],
    build: Option<&'static str>,
    command: &'static str,
}

const SKELETONS: &[Skeleton] = &[
    Skeleton {
        language: Language::Python,
        files: &[("adapter.py", include_str!("templates/python.py"))],
        build: None,
        command: "python3 adapter.py",
    },
    Skeleton {
        language: Language::Node,
        files: &[("adapter.mjs", include_str!("templates/node.mjs"))],
        build: None,
        command: "node adapter.mjs",
    },
    Skeleton {
        language: Language::Rust,
        files: &[
            ("Cargo.toml", include_str!("templates/rust-Cargo.toml")),
            ("src/main.rs", include_str!("templates/rust-main.rs")),
        ],
        build: Some("cargo build --release"),
        command: "target/release/adapter",
    },
    Skeleton {
        language: Language::Go,
        files: &[("adapter.go", include_str!("templates/go.go"))],
        build: Some("go build -o adapter adapter.go"),
        command: "./adapter",
    },
    Skeleton {
        language: Language::Shell,
        files: &[("adapter.sh", include_str!("templates/shell.sh"))],
        build: None,
        command: "sh adapter.sh",
    },
];

pub fn run(args: Args) -> Result<ExitStatus, Failure> {
    let Some(skeleton) = SKELETONS.iter().find(|skeleton| skeleton.language == args.language)
    else {
        return Err(Failure::usage("there is no skeleton for this language"));
    };
    let paths: Vec<PathBuf> =
        skeleton.files.iter().map(|(name, _)| args.folder.join(name)).collect();
    if let Some(there) = paths.iter().find(|path| path.exists())
        && !args.force
    {
        return Err(Failure::usage(format!(
            "{} is already there; --force replaces it",
            there.display()
        )));
    }
    for ((_, text), path) in skeleton.files.iter().zip(&paths) {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| {
                Failure::usage(format!("cannot make {}: {error}", folder.display()))
            })?;
        }
        write::whole(path, text.as_bytes()).map_err(Failure::usage)?;
    }
    let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    let mut text = format!("Written: {}\n\nNext:\n", names.join(", "));
    if args.folder != std::path::Path::new(".") {
        let folder = escape::shell(&args.folder.display().to_string());
        text.push_str(&format!("  cd {folder}\n"));
    }
    if let Some(build) = skeleton.build {
        text.push_str(&format!("  {build}\n"));
    }
    text.push_str(&format!(
        "  proofmark check -- {command}\n  proofmark run -- {command}\n",
        command = skeleton.command
    ));
    print(&text);
    Ok(ExitStatus::Success)
}
