//! The program: parse, run, map the outcome to an exit status.

use std::process::ExitCode;

fn main() -> ExitCode {
    proofmark::cli::main().into()
}
