//! `proofmark serve`: the reference as an adapter.

use std::net::SocketAddr;

use crate::adapter::serving;
use crate::cli::{Failure, print};
use crate::engine::status::ExitStatus;
use crate::registry;

/// Offer the reference as an adapter, on standard input and output or over HTTP
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  proofmark serve
  proofmark serve --http 127.0.0.1:8080
  proofmark run -- proofmark serve")]
pub struct Args {
    /// Listen here; port 0 takes a free one. The URL is printed on standard output
    #[arg(long, value_name = "ADDR")]
    http: Option<SocketAddr>,
}

pub fn run(args: Args) -> Result<ExitStatus, Failure> {
    // A panic in an operation is answered as a fault; its message belongs to standard error.
    let offer = registry::reference();
    let served = match args.http {
        None => serving::stdio::serve(&offer, std::io::stdin(), std::io::stdout().lock()),
        Some(address) => {
            serving::http::serve(offer, address, |bound| print(&format!("http://{bound}/\n")))
        }
    };
    match served {
        Ok(()) => Ok(ExitStatus::Success),
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(ExitStatus::Success),
        Err(error) => Err(Failure::usage(error)),
    }
}
