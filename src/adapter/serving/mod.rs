//! The other side of the protocol: an [`Offer`] behind standard
//! input and output, or behind HTTP. Depends on the protocol's messages.

use crate::adapter::in_process::Offer;
use crate::adapter::message::{self, Reply};

pub mod http;
pub mod stdio;

/// Answers one request text with one reply line. A text that is no request gets a `fault` with the
/// id `null`; a panic in an operation becomes a `fault`, since the process goes on.
fn answer(offer: &Offer, text: &[u8], out: &mut Vec<u8>) {
    match message::read_request(text) {
        Ok(request) => {
            let reply = offer.answer(&request.op, &request.params).unwrap_or_else(Reply::Fault);
            reply.write_line(Some(request.id), out);
        }
        Err(message) => Reply::Fault(message).write_line(None, out),
    }
}
