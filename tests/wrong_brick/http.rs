//! As much of an HTTP client as an MCP client of one's own needs: one POST a connection, to a
//! server of this machine.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A server that says nothing for so long has said all it will.
const PATIENCE: Duration = Duration::from_secs(2);

/// An answer may be so long.
const LONGEST: u64 = 4 * 1024 * 1024;

/// What came back.
pub struct Response {
    pub status: u16,
    headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Response {
    /// The first header of that name, which is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Posts a body, with these headers and no others that say anything of the caller.
///
/// # Errors
/// In words: the URL is none of a server here, or there is no whole answer.
pub fn post(url: &str, headers: &[(&str, String)], body: &[u8]) -> Result<Response, String> {
    let rest = url.strip_prefix("http://").ok_or("this client has plain http only")?;
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let (host, port) = authority.split_once(':').unwrap_or((authority, "80"));
    if !["127.0.0.1", "localhost"].contains(&host) {
        return Err(format!("{host} is not on this machine"));
    }
    let port: u16 = port.parse().map_err(|error| format!("the port: {error}"))?;
    let failed = |error: std::io::Error| format!("the connection failed: {error}");
    let mut stream = TcpStream::connect((host, port)).map_err(failed)?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
    let mut request =
        format!("POST /{path} HTTP/1.1\r\nhost: {authority}\r\nconnection: close\r\n");
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
    stream.write_all(&[request.as_bytes(), body].concat()).map_err(failed)?;
    let mut answer = Vec::new();
    stream.take(LONGEST).read_to_end(&mut answer).map_err(failed)?;
    read(&answer).ok_or_else(|| "the connection ended before the answer did".to_owned())
}

/// A whole answer: its length is told, since the servers of a case send no body in chunks that is
/// not a stream for ever.
fn read(answer: &[u8]) -> Option<Response> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let mut lines = head.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let mut response = Response { status, headers, body: answer[end + 4..].to_vec() };
    let length = response.header("content-length").and_then(|length| length.parse().ok());
    let length: usize = length.unwrap_or(response.body.len());
    if response.body.len() < length {
        return None;
    }
    response.body.truncate(length);
    Some(response)
}
