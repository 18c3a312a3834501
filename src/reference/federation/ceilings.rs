//! The decoder's ceilings on a value that did not come through the decoder as an envelope.
//!
//! Members, elements, nesting and the number of values are counted as the decoder counts them: members and elements
//! in each container for itself, values in the whole envelope, nesting in containers. What the closed world turns
//! down anyway (long names) is left to it, and how a carrier spelled its numbers does not matter.
//!
//! Depends on `bounds`, `json` and `error`.

use super::bounds::{Bounds, Ceiling};
use super::error::{Code, FederationError};
use super::json::Value;

/// Where the ceilings of an envelope are reported.
const PATH: &[&str] = &["federation_envelope"];

/// Imposes the ceilings, in the order of the document, and turns down numbers that the decoder would have.
pub(super) fn check(envelope: &Value) -> Result<(), FederationError> {
    within(envelope, &Bounds::maximum()).map_err(|code| code.at(PATH))
}

fn within(envelope: &Value, bounds: &Bounds) -> Result<(), Code> {
    let mut nodes = 0;
    // Values yet to be seen, the next one last, with the number of containers around them.
    let mut stack = vec![(envelope, 0)];
    while let Some((value, depth)) = stack.pop() {
        nodes += 1;
        bounds.hold(Ceiling::Nodes, nodes)?;
        match value {
            Value::Object(members) => {
                bounds.hold(Ceiling::Members, members.len())?;
                bounds.hold(Ceiling::Depth, depth + 1)?;
                stack.extend(members.iter().rev().map(|(_, value)| (value, depth + 1)));
            }
            Value::Array(items) => {
                bounds.hold(Ceiling::Items, items.len())?;
                bounds.hold(Ceiling::Depth, depth + 1)?;
                stack.extend(items.iter().rev().map(|item| (item, depth + 1)));
            }
            Value::String(text) => bounds.hold(Ceiling::String, text.len())?,
            Value::Unfit(code) => return Err(*code),
            Value::Null | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => {}
        }
    }
    Ok(())
}
