//! Ending a subject with everything that it started: the one place that knows about platforms.
//!
//! On Unix each subject leads a process group of its own, and the whole group is killed. The group
//! is killed before its leader is reaped, so that the number can't belong to somebody else by then.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The leaders that run, so that a signal can end them. A number leaves it before it is reaped.
static LEADERS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn leaders() -> MutexGuard<'static, BTreeSet<u32>> {
    LEADERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts the command as the leader of a new process group.
pub(super) fn start(command: &mut Command) -> io::Result<Child> {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        command.process_group(0);
    }
    // Held meanwhile: nobody is started unseen by `end_all`.
    let mut leaders = leaders();
    let child = command.spawn()?;
    leaders.insert(child.id());
    Ok(child)
}

/// Ends all groups. None can be started, and none is reaped, from then on: the process is to end.
pub(super) fn end_all() {
    let leaders = leaders();
    #[cfg(unix)]
    for id in leaders.iter() {
        kill(*id);
    }
    std::mem::forget(leaders);
}

/// Fails where nobody is left in the group, which is what is wanted.
#[cfg(unix)]
fn kill(leader: u32) {
    if let Some(pid) = rustix::process::Pid::from_raw(leader.cast_signed()) {
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
}

/// Whether the leader has exited. It stays unreaped.
pub(super) fn has_exited(child: &mut Child) -> bool {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let Some(pid) = Pid::from_raw(child.id().cast_signed()) else {
            return true;
        };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(pid), options), Ok(None))
    }
    #[cfg(not(unix))]
    {
        !matches!(child.try_wait(), Ok(None))
    }
}

/// Kills the whole group and reaps its leader.
pub(super) fn end(child: &mut Child) -> Option<ExitStatus> {
    // Whoever was ended already is not in it, and the number may be somebody else's by now.
    if leaders().remove(&child.id()) {
        #[cfg(unix)]
        kill(child.id());
    }
    let _ = child.kill();
    child.wait().ok()
}

/// How a process ended, for people.
pub(super) fn describe(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt as _;
        if let Some(signal) = status.signal() {
            return format!("killed by signal {signal}{}", signal_name(signal));
        }
    }
    match status.code() {
        Some(code) => format!("exit status {code}"),
        None => "ended without an exit status".to_owned(),
    }
}

#[cfg(unix)]
fn signal_name(signal: i32) -> &'static str {
    const NAMES: &[(i32, &str)] = &[
        (4, " (SIGILL)"),
        (6, " (SIGABRT)"),
        (8, " (SIGFPE)"),
        (9, " (SIGKILL)"),
        (11, " (SIGSEGV)"),
        (13, " (SIGPIPE)"),
        (15, " (SIGTERM)"),
    ];
    NAMES.iter().find(|(number, _)| *number == signal).map_or("", |(_, name)| name)
}
