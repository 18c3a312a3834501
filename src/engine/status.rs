//! The exit status: a documented, public part of the command line.

/// What a run of the program came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitStatus {
    /// Every claimed role conformant, or nothing but waived failures; nothing that was selected failed.
    Success = 0,
    /// Not conformant.
    NotConformant = 1,
    /// Wrong usage, or input that can't be read.
    Usage = 2,
    /// The subject could not be started, or never said hello, or its adapter is at fault.
    Subject = 3,
    /// Nothing was selected, or nothing ran.
    Nothing = 4,
    /// Nothing but stale, expired or dangling waivers.
    Waivers = 5,
    /// Interrupted by a signal, with everything saved.
    Interrupted = 130,
}

impl ExitStatus {
    /// The number that the process ends with.
    pub fn code(self) -> u8 {
        self as u8
    }
}

impl From<ExitStatus> for std::process::ExitCode {
    fn from(status: ExitStatus) -> std::process::ExitCode {
        std::process::ExitCode::from(status.code())
    }
}
