//! Waits that end too early, or never.

use crate::asked::with_output;
use crate::document::bytes_of;
use crate::wrong::Wrong;
use proofmark::reference::brief::Response;

const ROLE: &str = "brief/delegator";
const FAN_IN: &str = "brief.fan_in";

pub const WRONG: &[Wrong] = &[
    Wrong {
        name: "counts responses instead of looking at whom they answer",
        role: ROLE,
        operation: FAN_IN,
        breaks: &["BRF-FAN-1", "BRF-FAN-2"],
        touches: &[],
        is_a_gap: false,
        answer: |asked| {
            let count = |name: &str| asked.params()[name].as_array().map_or(0, Vec::len);
            let complete = count("responses") >= count("awaiting");
            with_output(asked.right(), |output| output["complete"] = complete.into())
        },
    },
    Wrong {
        name: "passes over responses that failed",
        role: ROLE,
        operation: FAN_IN,
        breaks: &["BRF-FAN-3"],
        touches: &["BRF-R-16"],
        is_a_gap: false,
        answer: |asked| {
            asked.right_with(|params| {
                if let Some(responses) = params["responses"].as_array_mut() {
                    responses.retain(|document| {
                        let response = bytes_of(document).map(|bytes| Response::parse(&bytes));
                        !matches!(response, Some(Ok(response)) if !response.is_success())
                    });
                }
            })
        },
    },
];
