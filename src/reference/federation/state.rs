//! The states of a task, and their counterparts on the two transports.
//!
//! A state that has no counterpart is refused, never replaced by a similar one. Depends on `error`.

use super::error::{Code, FederationError};
use super::spelled::spelled;

spelled! {
    /// A state of a task as the profile names it.
    State {
        /// Taken in, not begun.
        Submitted = "submitted",
        /// Being worked on.
        Working = "working",
        /// Interrupted until there is input.
        InputRequired = "input_required",
        /// Interrupted until there is authentication. By itself this authorises nothing.
        AuthRequired = "auth_required",
        /// Ended well.
        Completed = "completed",
        /// Ended badly.
        Failed = "failed",
        /// Ended by cancellation. A request to cancel, or its acknowledgement, is not this state.
        Canceled = "canceled",
        /// Ended before it began.
        Rejected = "rejected",
    }
}

spelled! {
    /// What an envelope can say of a task under way.
    CheckpointStatus {
        /// See [`State::Submitted`].
        Submitted = "submitted",
        /// See [`State::Working`].
        Working = "working",
        /// See [`State::InputRequired`].
        InputRequired = "input_required",
        /// See [`State::AuthRequired`].
        AuthRequired = "auth_required",
    }
}

spelled! {
    /// How a task can have ended.
    TerminalState {
        /// See [`State::Completed`].
        Completed = "completed",
        /// See [`State::Failed`].
        Failed = "failed",
        /// See [`State::Canceled`].
        Canceled = "canceled",
        /// See [`State::Rejected`].
        Rejected = "rejected",
    }
}

impl From<CheckpointStatus> for State {
    fn from(status: CheckpointStatus) -> Self {
        match status {
            CheckpointStatus::Submitted => State::Submitted,
            CheckpointStatus::Working => State::Working,
            CheckpointStatus::InputRequired => State::InputRequired,
            CheckpointStatus::AuthRequired => State::AuthRequired,
        }
    }
}

impl From<TerminalState> for State {
    fn from(state: TerminalState) -> Self {
        match state {
            TerminalState::Completed => State::Completed,
            TerminalState::Failed => State::Failed,
            TerminalState::Canceled => State::Canceled,
            TerminalState::Rejected => State::Rejected,
        }
    }
}

impl State {
    /// Whether the task has ended.
    pub fn is_terminal(self) -> bool {
        TerminalState::from_name(self.name()).is_some()
    }

    /// Whether the task waits for somebody else.
    pub fn is_interrupted(self) -> bool {
        matches!(self, State::InputRequired | State::AuthRequired)
    }
}

spelled! {
    /// A transport that carries envelopes.
    Transport {
        /// A2A, the primary lane.
        A2a = "a2a",
        /// MCP Tasks, a lane that tracks a draft.
        Mcp = "mcp",
    }
}

/// The one spelling of A2A that stands for no state.
const UNSPECIFIED: &str = "TASK_STATE_UNSPECIFIED";

/// Every state with its spelling on A2A and, where it has one, on MCP.
const COUNTERPARTS: [(State, &str, Option<&str>); 8] = [
    (State::Submitted, "TASK_STATE_SUBMITTED", None),
    (State::Working, "TASK_STATE_WORKING", Some("working")),
    (State::InputRequired, "TASK_STATE_INPUT_REQUIRED", Some("input_required")),
    (State::AuthRequired, "TASK_STATE_AUTH_REQUIRED", None),
    (State::Completed, "TASK_STATE_COMPLETED", Some("completed")),
    (State::Failed, "TASK_STATE_FAILED", Some("failed")),
    (State::Canceled, "TASK_STATE_CANCELED", Some("cancelled")),
    (State::Rejected, "TASK_STATE_REJECTED", None),
];

impl Transport {
    /// Where a task says its state.
    pub(super) fn state_path(self) -> &'static [&'static str] {
        match self {
            Transport::A2a => &["status", "state"],
            Transport::Mcp => &["status"],
        }
    }

    /// The transport's spelling of a state.
    ///
    /// # Errors
    ///
    /// [`Code::FederationStateUnmappable`] where the transport has no such state.
    pub fn spell(self, state: State) -> Result<&'static str, FederationError> {
        COUNTERPARTS
            .iter()
            .find(|(own, ..)| *own == state)
            .and_then(|&(_, a2a, mcp)| self.pick(a2a, mcp))
            .ok_or_else(|| Code::FederationStateUnmappable.at(self.state_path()))
    }

    /// The state that a spelling of the transport stands for.
    ///
    /// # Errors
    ///
    /// [`Code::FederationStateUnmappable`] for A2A's unspecified state, [`Code::InvalidConstraint`] for a spelling
    /// that the transport does not know.
    pub fn read(self, spelling: &str) -> Result<State, FederationError> {
        let known =
            COUNTERPARTS.iter().find(|&&(_, a2a, mcp)| self.pick(a2a, mcp) == Some(spelling));
        match known {
            Some(&(state, ..)) => Ok(state),
            None if self == Transport::A2a && spelling == UNSPECIFIED => {
                Err(Code::FederationStateUnmappable.at(self.state_path()))
            }
            None => Err(Code::InvalidConstraint.at(self.state_path())),
        }
    }

    fn pick(self, a2a: &'static str, mcp: Option<&'static str>) -> Option<&'static str> {
        match self {
            Transport::A2a => Some(a2a),
            Transport::Mcp => mcp,
        }
    }
}
