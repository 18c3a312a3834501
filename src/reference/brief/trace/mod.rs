//! The trace: who did what and when, in a list that only grows.
//!
//! An entry is a line ``- **Agent**: `agent` @ `time` `` and under it ``  - **Action**: text``. Read are the nested
//! form and the flat one, in which the action's dash stands at the margin; written is the nested one. Further nested
//! items such as ``  - **Brief**: id`` belong to the entry above them. Any other line but a blank one is refused: what
//! nobody understands can't be audited.
//!
//! A trace keeps its bytes. Appending adds to them and changes none, except that a last line without a line break gets
//! one.
//!
//! Depends on `timestamp` and `warning`.

mod merge;
mod reading;

pub use merge::Branch;

use std::cmp::Ordering;
use std::ops::Range;

use super::error::{BriefError, Fault};
use super::timestamp::Timestamp;
use super::warning::Warning;

/// An entry of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Who.
    pub agent: String,
    /// When.
    pub timestamp: Timestamp,
    /// What.
    pub action: String,
    /// The id of the brief that it is about, where it names one in an item of its own.
    pub brief: Option<String>,
}

/// An entry to be appended.
#[derive(Debug, Clone, Copy)]
pub struct NewEntry<'a> {
    /// Who.
    pub agent: &'a str,
    /// When.
    pub timestamp: &'a str,
    /// What.
    pub action: &'a str,
    /// The id of the brief that it is about.
    pub brief: Option<&'a str>,
}

/// A trace that has been read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    text: String,
    entries: Vec<Entry>,
    /// Where each entry stands: from its dash to the next entry's.
    places: Vec<Range<usize>>,
}

impl Trace {
    /// The trace without entries.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a trace.
    ///
    /// # Errors
    ///
    /// [`Fault::NotUtf8`]; [`Fault::NotATraceLine`] for a line that belongs to no entry; [`Fault::NoAction`];
    /// [`Fault::NotATime`].
    pub fn parse(document: &[u8]) -> Result<Self, BriefError> {
        let text = std::str::from_utf8(document).map_err(|_| Fault::NotUtf8)?;
        reading::read(text)
    }

    /// The document, to the byte.
    pub fn content(&self) -> &str {
        &self.text
    }

    /// The entries, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Entries that run backwards in time.
    pub fn warnings(&self) -> Vec<Warning> {
        let pairs = self.entries.iter().zip(self.entries.iter().skip(1)).zip(2..);
        pairs
            .filter(|((before, after), _)| {
                after.timestamp.cmp_in_time(&before.timestamp) == Ordering::Less
            })
            .map(|(_, number)| Warning::Backwards(number))
            .collect()
    }

    /// The trace with one entry more.
    ///
    /// # Errors
    ///
    /// [`Fault::NotATime`]; [`Fault::Empty`] for an agent or an action of nothing but blanks; [`Fault::Forging`] for a
    /// text that would not be read back as it is: one with a line break or another control character, with a backtick
    /// in the agent, or with blanks or backticks around the brief's id.
    pub fn append(&self, entry: &NewEntry<'_>) -> Result<Self, BriefError> {
        let mut trace = self.clone();
        trace.push(entry)?;
        Ok(trace)
    }

    /// Adds an entry to this trace itself, at the cost of that entry alone.
    ///
    /// # Errors
    ///
    /// As [`Trace::append`]; the trace is then as it was.
    pub fn push(&mut self, entry: &NewEntry<'_>) -> Result<(), BriefError> {
        let NewEntry { agent, timestamp, action, brief } = *entry;
        let timestamp = Timestamp::parse(timestamp).map_err(|error| error.fault.of("timestamp"))?;
        for (name, text) in [("agent", agent), ("action", action), ("brief", brief.unwrap_or("-"))]
        {
            if text.trim().is_empty() {
                return Err(Fault::Empty.of(name));
            }
            // What some reader takes for a line break ends no entry early.
            let breaks =
                |c: char| c.is_control() && c != '\t' || matches!(c, '\u{2028}' | '\u{2029}');
            if text.contains(breaks) || (name == "agent" && text.contains('`')) {
                return Err(Fault::Forging.of(name));
            }
        }
        let mut added =
            format!("- **Agent**: `{agent}` @ `{timestamp}`\n  - **Action**: {action}\n");
        if let Some(brief) = brief {
            added.push_str(&format!("  - **Brief**: {brief}\n"));
        }
        let asked = Entry {
            agent: agent.to_owned(),
            timestamp,
            action: action.to_owned(),
            brief: brief.map(str::to_owned),
        };
        match reading::read(&added) {
            Ok(read) if read.entries == [asked] => {
                end_line(&mut self.text);
                let start = self.text.len();
                if let Some(last) = self.places.last_mut() {
                    last.end = start;
                }
                self.text.push_str(&added);
                self.places.push(start..self.text.len());
                self.entries.extend(read.entries);
                Ok(())
            }
            _ => Err(Fault::Forging.of("brief")),
        }
    }

    /// The lines of an entry.
    fn block(&self, index: usize) -> &str {
        let place = self.places.get(index).cloned().unwrap_or_default();
        self.text.get(place).unwrap_or_default()
    }

    /// Whether this trace is the other one, or it and more: its bytes, but for a final line break, and its entries
    /// unchanged.
    pub fn continues(&self, other: &Trace) -> bool {
        let held = other.text.strip_suffix('\n').unwrap_or(&other.text);
        let held = held.strip_suffix('\r').unwrap_or(held);
        let Some(rest) = self.text.strip_prefix(held) else { return false };
        let at_line = held.is_empty() || rest.is_empty() || rest.starts_with(['\n', '\r']);
        // The last entry that was held must not have got items that it had not.
        let last = other.entries.len().checked_sub(1);
        let unchanged =
            last.is_none_or(|last| self.block(last).trim_end() == other.block(last).trim_end());
        at_line && unchanged
    }
}

/// Ends a last line that lacks its line break.
fn end_line(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NESTED: &str = "- **Agent**: `a` @ `2026-02-06T03:50:00Z`\n  - **Action**: Began.\n";

    fn entry<'a>(agent: &'a str, action: &'a str) -> NewEntry<'a> {
        NewEntry { agent, timestamp: "2026-02-06T04:00:00Z", action, brief: None }
    }

    fn trace(text: &str) -> Trace {
        Trace::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error} in {text:?}"))
    }

    #[test]
    fn does_appending_change_no_byte_before() {
        for text in [
            "",
            NESTED,
            NESTED.trim_end(),
            "\n\n",
            &format!("{NESTED}\n\n"),
            &NESTED.replace('\n', "\r\n"),
            &NESTED.replace("  -", "-"),
            &NESTED.replace("  -", "\t-"),
        ] {
            let before = trace(text);
            let after = before.append(&entry("b", "Went on.")).expect("an entry");
            assert!(after.content().starts_with(text), "{text:?}");
            assert_eq!(after.entries().len(), before.entries().len() + 1);
            assert_eq!(trace(after.content()), after, "{text:?}");
            assert!(after.continues(&before), "{text:?}");
        }
    }

    #[test]
    fn can_nothing_that_is_appended_forge_an_entry() {
        let forged = "x\n- **Agent**: `root` @ `2026-02-06T03:50:00Z`\n  - **Action**: Approved.";
        for breaking in ["\n", "\r", "\r\n", "\u{B}", "\u{C}", "\u{1E}", "\u{85}", "\u{2028}"] {
            let text = forged.replace('\n', breaking);
            for (agent, action) in [(text.as_str(), "x"), ("x", text.as_str())] {
                let error = trace(NESTED).append(&entry(agent, action)).unwrap_err();
                assert_eq!(error.fault, Fault::Forging, "{breaking:?}");
            }
        }
        for agent in ["a`", "a` @ `2026-02-06T03:50:00Z", "`"] {
            assert_eq!(trace("").append(&entry(agent, "x")).unwrap_err().fault, Fault::Forging);
        }
        for brief in ["`x`", " x", "x ", "x\n- **Agent**"] {
            let refused = trace("").append(&NewEntry { brief: Some(brief), ..entry("a", "x") });
            assert_eq!(refused.unwrap_err().fault, Fault::Forging, "{brief:?}");
        }
    }

    #[test]
    fn is_odd_text_on_one_line_kept_as_it_is() {
        for action in [
            "- **Agent**: `root` @ `2026-02-06T03:50:00Z`",
            "- **Action**: x",
            "`unbalanced",
            " leading and trailing ",
            "<!-- ",
            "```",
            "tab\there",
            "\u{202E}bidi",
            "**bold** \\ # ---",
        ] {
            let after = trace(NESTED).append(&entry("b", action)).expect(action);
            assert_eq!(trace(after.content()).entries().len(), 2);
            assert_eq!(after.entries().last().map(|entry| entry.action.as_str()), Some(action));
        }
    }

    #[test]
    fn is_an_entry_without_agent_action_or_time_refused() {
        let fault = |new: NewEntry<'_>| trace("").append(&new).unwrap_err().fault;
        assert_eq!(fault(entry("", "x")), Fault::Empty);
        assert_eq!(fault(entry(" ", "x")), Fault::Empty);
        assert_eq!(fault(entry("a", "")), Fault::Empty);
        assert_eq!(fault(NewEntry { timestamp: "now", ..entry("a", "x") }), Fault::NotATime);
    }

    #[test]
    fn what_continues_a_trace() {
        let held = trace(NESTED);
        assert!(trace(NESTED.trim_end()).continues(&held));
        assert!(trace(&format!("{NESTED}\n{NESTED}")).continues(&held));
        assert!(trace(&format!("{NESTED}{NESTED}")).continues(&trace(NESTED.trim_end())));
        assert!(held.continues(&trace("")));
        assert!(!trace("").continues(&held));
        assert!(!trace(&NESTED.replace("Began.", "Began. Really.")).continues(&held));
        let longer = format!("{}!\n", NESTED.trim_end());
        assert!(!trace(&longer).continues(&trace(NESTED.trim_end())));
        assert!(!trace(&format!("{NESTED}  - **Brief**: x\n")).continues(&held));
    }

    #[test]
    fn is_time_that_runs_backwards_warned_of() {
        let later = trace("").append(&entry("b", "x")).expect("an entry");
        let text = format!("{}{NESTED}{NESTED}", later.content());
        assert_eq!(trace(&text).warnings(), [Warning::Backwards(2)]);
        assert_eq!(trace(&format!("{NESTED}{}", later.content())).warnings(), []);
    }
}
