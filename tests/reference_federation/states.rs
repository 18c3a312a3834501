//! The state maps, both ways.

use proofmark::reference::federation::{State, Transport};

use crate::sample::verdict;

#[test]
fn every_state_and_its_counterparts() {
    for (name, a2a, mcp) in [
        ("submitted", "TASK_STATE_SUBMITTED", None),
        ("working", "TASK_STATE_WORKING", Some("working")),
        ("input_required", "TASK_STATE_INPUT_REQUIRED", Some("input_required")),
        ("auth_required", "TASK_STATE_AUTH_REQUIRED", None),
        ("completed", "TASK_STATE_COMPLETED", Some("completed")),
        ("failed", "TASK_STATE_FAILED", Some("failed")),
        ("canceled", "TASK_STATE_CANCELED", Some("cancelled")),
        ("rejected", "TASK_STATE_REJECTED", None),
    ] {
        let state = State::from_name(name).expect("a state");
        assert_eq!(
            state.is_terminal(),
            ["completed", "failed", "canceled", "rejected"].contains(&name)
        );
        assert_eq!(state.is_interrupted(), ["input_required", "auth_required"].contains(&name));
        assert_eq!(Transport::A2a.spell(state), Ok(a2a));
        assert_eq!(Transport::A2a.read(a2a), Ok(state));
        match mcp {
            Some(mcp) => {
                assert_eq!(Transport::Mcp.spell(state), Ok(mcp));
                assert_eq!(Transport::Mcp.read(mcp), Ok(state));
            }
            None => {
                let error = Transport::Mcp.spell(state).expect_err("no counterpart");
                assert_eq!(
                    (error.code.name(), error.pointer().as_str()),
                    ("federation_state_unmappable", "/status")
                );
            }
        }
    }
}

#[test]
fn spellings_that_stand_for_no_state() {
    let error = Transport::A2a.read("TASK_STATE_UNSPECIFIED").expect_err("no state");
    assert_eq!(
        (error.code.name(), error.pointer().as_str()),
        ("federation_state_unmappable", "/status/state")
    );
    for spelling in [
        "TASK_STATE_CANCELLED",
        "task_state_working",
        "working",
        "UNKNOWN",
        "TASK_STATE_UNKNOWN",
        "",
        "TASK_STATE_WORKING ",
    ] {
        assert_eq!(verdict(&Transport::A2a.read(spelling)), "invalid_constraint", "{spelling}");
    }
    for spelling in [
        "canceled",
        "rejected",
        "submitted",
        "auth_required",
        "Working",
        "",
        "TASK_STATE_UNSPECIFIED",
    ] {
        assert_eq!(verdict(&Transport::Mcp.read(spelling)), "invalid_constraint", "{spelling}");
    }
}
