//! A live consumer of events: a bar on a terminal, a plain line now and then elsewhere. It writes to
//! standard error, so that standard output holds the report alone.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::engine::event::Event;

/// How often a plain line is written.
const EVERY: Duration = Duration::from_secs(5);

/// Progress of a run.
pub struct Progress {
    bar: Option<ProgressBar>,
    quiet: bool,
    total: usize,
    done: usize,
    failed: usize,
    told: Instant,
}

impl Progress {
    /// Progress on standard error; none where `quiet`.
    pub fn new(quiet: bool) -> Progress {
        Progress { bar: None, quiet, total: 0, done: 0, failed: 0, told: Instant::now() }
    }

    /// Takes the next event.
    pub fn take(&mut self, event: &Event) {
        if self.quiet {
            return;
        }
        match event {
            Event::Started(started) => {
                self.total = started.roles.iter().map(|role| role.selected).sum();
                if stderr().is_terminal() {
                    let bar = ProgressBar::new(self.total as u64);
                    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len}  {msg}") {
                        bar.set_style(style);
                    }
                    self.bar = Some(bar);
                } else {
                    let roles: Vec<&str> =
                        started.roles.iter().map(|role| role.role.as_str()).collect();
                    say(&format!("{} cases of {}", self.total, roles.join(", ")));
                }
            }
            Event::Case(result) => {
                self.done += 1;
                if result.verdict.is_failure() {
                    self.failed += 1;
                }
                self.tell();
            }
            Event::Law(_) | Event::Restarted { .. } | Event::Note { .. } => {}
            Event::Finished(_) => {
                if let Some(bar) = &self.bar {
                    bar.finish_and_clear();
                }
            }
        }
    }

    fn tell(&mut self) {
        if let Some(bar) = &self.bar {
            bar.set_position(self.done as u64);
            if self.failed > 0 {
                bar.set_message(format!("{} not passed", self.failed));
            }
        } else if self.told.elapsed() >= EVERY {
            self.told = Instant::now();
            say(&format!("{}/{} cases, {} not passed", self.done, self.total, self.failed));
        }
    }
}

/// A line on standard error; a run does not end because nobody can read how far it is.
fn say(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}
