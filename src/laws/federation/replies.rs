//! What the laws read in replies.

use serde_json::Value;

use crate::adapter::document;
use crate::adapter::message::Reply;
use crate::laws::Next;

/// Holds where the operation succeeded and its output has this document under a name.
pub fn gives(reply: &Reply, name: &str, expected: &str) -> Result<(), Next> {
    let got = document_of(reply, name)?;
    if got == expected.as_bytes() {
        return Ok(());
    }
    Err(Next::Broken(format!(
        "it gave {}, and must give {}",
        shown(&String::from_utf8_lossy(&got)),
        shown(expected)
    )))
}

/// The bytes of the document that the output has under a name.
pub fn document_of(reply: &Reply, name: &str) -> Result<Vec<u8>, Next> {
    match output(reply)?.get(name).and_then(document::bytes) {
        Some(bytes) => Ok(bytes.into_owned()),
        None => Err(Next::Broken(format!("the answer has no document {name:?}"))),
    }
}

/// The output of an operation that has to succeed.
pub fn output(reply: &Reply) -> Result<&Value, Next> {
    match reply {
        Reply::Ok(value) => Ok(value),
        Reply::Refused(refusal) => {
            let code = refusal.code.as_deref().unwrap_or("no code");
            Err(Next::Broken(format!("it was refused ({code}), and is valid")))
        }
        _ => Err(Next::Silent),
    }
}

/// Holds where the operation refused with this code. What is wrong is said in the sentence if it did not.
pub fn refused_as(reply: &Reply, code: &str, what: &str) -> Result<(), Next> {
    match reply {
        Reply::Refused(refusal) if refusal.code.as_deref() == Some(code) => Ok(()),
        Reply::Refused(refusal) => {
            let got = refusal
                .code
                .as_deref()
                .map_or("without a code".to_owned(), |got| format!("as {got}"));
            Err(Next::Broken(format!("{what} was refused {got}, and must be as {code}")))
        }
        Reply::Ok(_) => Err(Next::Broken(format!("{what} was accepted"))),
        _ => Err(Next::Silent),
    }
}

/// Holds where the operation refused.
pub fn refused(reply: &Reply, what: &str) -> Result<(), Next> {
    match reply {
        Reply::Refused(_) => Ok(()),
        Reply::Ok(_) => Err(Next::Broken(format!("{what} was accepted"))),
        _ => Err(Next::Silent),
    }
}

/// What comes of a law's steps.
pub fn judged(steps: Result<(), Next>) -> Next {
    match steps {
        Ok(()) => Next::Holds,
        Err(next) => next,
    }
}

/// As much of a text as a reason can hold.
pub fn shown(text: &str) -> String {
    text.chars().take(400).collect()
}
