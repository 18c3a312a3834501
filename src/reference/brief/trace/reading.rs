//! Reading a trace, line by line.
//!
//! Depends on the types of `trace`.

use std::ops::Range;

use super::{Entry, Trace};
use crate::reference::brief::error::{BriefError, Fault};
use crate::reference::brief::timestamp::Timestamp;

/// An entry whose action may still come.
struct Unfinished {
    line: usize,
    agent: String,
    timestamp: Timestamp,
    action: Option<String>,
    brief: Option<String>,
}

impl Unfinished {
    fn finish(self) -> Result<Entry, BriefError> {
        let Unfinished { line, agent, timestamp, action, brief } = self;
        let action = action.ok_or_else(|| Fault::NoAction.on_line(line))?;
        Ok(Entry { agent, timestamp, action, brief })
    }
}

/// Reads a trace.
pub(super) fn read(text: &str) -> Result<Trace, BriefError> {
    let mut entries = Vec::new();
    let mut places: Vec<Range<usize>> = Vec::new();
    let mut open: Option<Unfinished> = None;
    let mut at = 0;
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        let start = at;
        at += line.len();
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.trim_matches([' ', '\t']).is_empty() {
            continue;
        }
        let refused = || Fault::NotATraceLine.on_line(number);
        let item = Item::of(line).ok_or_else(refused)?;
        if item.name == "Agent" {
            if let Some(entry) = open.take() {
                entries.push(entry.finish()?);
            }
            if let Some(last) = places.last_mut() {
                last.end = start;
            }
            places.push(start..text.len());
            open = Some(agent(&item, number)?);
            continue;
        }
        let entry = open.as_mut().ok_or_else(refused)?;
        match item.name {
            "Action" if entry.action.is_none() => {
                if item.text.trim().is_empty() {
                    return Err(Fault::NoAction.on_line(number));
                }
                entry.action = Some(item.text.to_owned());
            }
            "Brief" if entry.brief.is_none() => {
                let id = item.text.trim();
                let bare = id.strip_prefix('`').and_then(|id| id.strip_suffix('`'));
                match bare.unwrap_or(id) {
                    "" => return Err(refused()),
                    id => entry.brief = Some(id.to_owned()),
                }
            }
            "Action" | "Brief" => return Err(refused()),
            // Of an item that nobody has named, only its place tells that it belongs to the entry.
            _ if !item.nested => return Err(refused()),
            _ => {}
        }
    }
    if let Some(entry) = open {
        entries.push(entry.finish()?);
    }
    Ok(Trace { text: text.to_owned(), entries, places })
}

/// A line `- **Name**: text`.
struct Item<'a> {
    nested: bool,
    name: &'a str,
    text: &'a str,
}

impl<'a> Item<'a> {
    /// The item on a line. A carriage return alone is a line break in Markdown, and what follows it another line.
    fn of(line: &'a str) -> Option<Self> {
        let item = line.trim_start_matches([' ', '\t']);
        let indent = line.strip_suffix(item)?;
        let (name, text) = item.strip_prefix("- **")?.split_once("**:")?;
        let text = if text.is_empty() { text } else { text.strip_prefix(' ')? };
        let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == ' ');
        let nested = indent.len() > 1 || indent == "\t";
        (plain && !line.contains('\r')).then_some(Item { nested, name, text })
    }
}

/// The beginning of an entry: the agent and the time, each in backticks.
fn agent(item: &Item<'_>, line: usize) -> Result<Unfinished, BriefError> {
    let parts = || {
        let (agent, rest) = item.text.strip_prefix('`')?.split_once('`')?;
        let (time, rest) = rest.strip_prefix(" @ `")?.split_once('`')?;
        let whole = !item.nested && !agent.is_empty() && rest.trim().is_empty();
        whole.then_some((agent, time))
    };
    let (agent, time) = parts().ok_or_else(|| Fault::NotATraceLine.on_line(line))?;
    let timestamp = Timestamp::parse(time).map_err(|error| error.fault.on_line(line))?;
    Ok(Unfinished { line, agent: agent.to_owned(), timestamp, action: None, brief: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    const AGENT: &str = "- **Agent**: `a` @ `2026-02-06T03:50:00Z`";

    fn fault(text: &str) -> Fault {
        read(text).expect_err(text).fault
    }

    #[test]
    fn are_both_forms_read_alike() {
        let flat = read(&format!("{AGENT}\n- **Action**: Did `x`: \"y\".\n")).expect("flat");
        let nested = read(&format!("{AGENT}\n  - **Action**: Did `x`: \"y\".")).expect("nested");
        assert_eq!(flat.entries(), nested.entries());
        assert_eq!(flat.entries().len(), 1);
        assert_eq!(flat.entries().first().map(|e| e.action.as_str()), Some("Did `x`: \"y\"."));
    }

    #[test]
    fn is_the_empty_trace_a_trace() {
        for text in ["", "\n", " \n\t\r\n"] {
            assert_eq!(read(text).expect(text).entries(), []);
        }
    }

    #[test]
    fn are_further_nested_items_the_entrys_own() {
        let text =
            format!("{AGENT}\n  - **Action**: x\n  - **Brief**: `b-1`\n    - **Cost**: 5 EUR\n");
        let trace = read(&text).expect("a trace");
        assert_eq!(trace.entries().first().and_then(|e| e.brief.as_deref()), Some("b-1"));
        assert_eq!(trace.block(0), text);
        let bare = read(&format!("{AGENT}\n  - **Brief**: b-1\n  - **Action**: x\n"));
        let bare = bare.expect("a trace");
        assert_eq!(bare.entries().first().and_then(|e| e.brief.as_deref()), Some("b-1"));
    }

    #[test]
    fn are_lines_that_belong_to_no_entry_refused() {
        let entry = format!("{AGENT}\n  - **Action**: x\n");
        for line in [
            "# Trace",
            "text",
            "  more text",
            "* **Agent**: `a` @ `2026-02-06T03:50:00Z`",
            "- **Note**: x",
            "  - **Action**: y",
            "  - **Agent**: `a` @ `2026-02-06T03:50:00Z`",
            "- **Agent**: a @ 2026-02-06T03:50:00Z",
            "- **Agent**: `` @ `2026-02-06T03:50:00Z`",
            "- **Agent**: `a` @ `2026-02-06T03:50:00Z` x",
            "- **Agent**: `a`",
            "- Agent: `a` @ `2026-02-06T03:50:00Z`",
            "<!-- x -->",
            "\u{FEFF}",
            "  - **Brief**: ",
            "  - **Cost**: x\r- **Agent**: `a`",
        ] {
            assert_eq!(fault(&format!("{entry}{line}\n")), Fault::NotATraceLine, "{line}");
        }
        assert_eq!(fault("  - **Action**: x\n"), Fault::NotATraceLine);
        assert_eq!(fault("\u{FEFF}- **Agent**"), Fault::NotATraceLine);
    }

    #[test]
    fn is_half_an_entry_refused() {
        assert_eq!(fault(AGENT), Fault::NoAction);
        assert_eq!(fault(&format!("{AGENT}\n{AGENT}\n  - **Action**: x")), Fault::NoAction);
        assert_eq!(fault(&format!("{AGENT}\n  - **Action**: ")), Fault::NoAction);
        assert_eq!(fault(&format!("{AGENT}\n  - **Action**:")), Fault::NoAction);
        assert_eq!(fault("- **Agent**: `a` @ `2026-02-30T03:50:00Z`"), Fault::NotATime);
    }
}
