//! `proofmark serve`: one request a line on standard input, one reply a line on standard output.
//!
//! Replies are written when no whole request waits any more, so that a pipelining caller is
//! answered in few writes. Memory is bounded by the longest request line.

use std::io::{self, BufRead, BufReader, Read, Write};

use crate::adapter::in_process::Offer;
use crate::adapter::message::Reply;

/// A request line may be this long: 1 GiB.
const MAX_REQUEST: u64 = 1024 * 1024 * 1024;

/// Replies are written at the latest when so many bytes of them wait.
const BLOCK: usize = 64 * 1024;

/// Serves until the input ends.
///
/// # Errors
/// Where reading or writing fails; a closed output (`BrokenPipe`) among them.
pub fn serve(offer: &Offer, input: impl Read, mut output: impl Write) -> io::Result<()> {
    let mut input = BufReader::with_capacity(256 * 1024, input);
    let mut line = Vec::new();
    let mut replies = Vec::new();
    loop {
        line.clear();
        let count = input.by_ref().take(MAX_REQUEST + 1).read_until(b'\n', &mut line)?;
        if count == 0 {
            break;
        }
        if line.len() as u64 > MAX_REQUEST {
            let message = format!("a request line of more than {MAX_REQUEST} bytes");
            Reply::Fault(message).write_line(None, &mut replies);
            break;
        }
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        super::answer(offer, text.strip_suffix(b"\r").unwrap_or(text), &mut replies);
        if line.capacity() > 1024 * 1024 {
            line = Vec::new();
        }
        if replies.len() >= BLOCK || !input.buffer().contains(&b'\n') {
            output.write_all(&replies)?;
            output.flush()?;
            replies.clear();
        }
    }
    output.write_all(&replies)?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapter::message::Implementation;

    #[test]
    fn does_a_line_that_is_no_request_leave_the_others_answered() {
        let offer = Offer {
            implementation: Implementation::default(),
            roles: vec![],
            in_flight: 1,
            operations: vec![],
        };
        let mut output = Vec::new();
        let input = b"{\"id\":1,\"op\":\"x\",\"params\":{}}\nnonsense\n{\"id\":2,\"op\":\"y\"}";
        serve(&offer, &input[..], &mut output).expect("memory does not fail");
        let lines: Vec<serde_json::Value> = String::from_utf8(output)
            .expect("replies are UTF-8")
            .lines()
            .map(|line| serde_json::from_str(line).expect("replies are JSON"))
            .collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0], serde_json::json!({"id": 1, "unsupported": {}}));
        assert_eq!(lines[1]["id"], serde_json::Value::Null);
        assert!(lines[1]["fault"]["message"].is_string());
        assert_eq!(lines[2]["id"], 2);
    }
}
