//! `proofmark completions`: shell completions.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::{Cli, Failure};
use crate::engine::status::ExitStatus;

/// Print completions for a shell
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  proofmark completions bash > ~/.local/share/bash-completion/completions/proofmark
  proofmark completions zsh > \"${fpath[1]}/_proofmark\"")]
pub struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub fn run(args: Args) -> Result<ExitStatus, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "proofmark", &mut text);
    super::print(&String::from_utf8_lossy(&text));
    Ok(ExitStatus::Success)
}
