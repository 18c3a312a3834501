//! The profile's mapping of the envelope onto the two transports, as data: rows, lanes, pinned sources.
//!
//! Depends on the table, whose names and order the rows share.

use super::spelled::spelled;
use super::table::ENVELOPE;

spelled! {
    /// How well a transport has room for a member.
    Verdict {
        /// A field of the transport means exactly this.
        Native = "native",
        /// There is a field, which loses or misplaces some of the meaning.
        Partial = "partial",
        /// There is none; the member rides in the extension's body.
        Extension = "extension",
    }
}

/// A row of the mapping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// From 1, by the order of the table.
    pub number: usize,
    /// The member's name.
    pub field: &'static str,
    /// How well there is room for it.
    pub verdict: Verdict,
    /// The dotted names of its homes on A2A.
    pub a2a: &'static [&'static str],
    /// The dotted names of its homes on MCP.
    pub mcp: &'static [&'static str],
}

/// A source that the mapping was made against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pin {
    /// What it is.
    pub source: &'static str,
    /// SHA-1 of the file.
    pub sha1: &'static str,
    /// The commit that has it.
    pub commit: &'static str,
}

/// A verdict, the homes on A2A and those on MCP.
type Placement = (Verdict, &'static [&'static str], &'static [&'static str]);

/// The placements, by the order of the table.
const PLACEMENTS: [Placement; ENVELOPE_LEN] = [
    (Verdict::Native, &["Task.id"], &["Task.taskId"]),
    (Verdict::Extension, &[], &[]),
    (Verdict::Partial, &["Message.reference_task_ids", "Task.context_id"], &[]),
    (Verdict::Extension, &[], &[]),
    (Verdict::Extension, &[], &[]),
    (Verdict::Extension, &[], &[]),
    (Verdict::Partial, &["Message.parts[].data", "Part.metadata"], &[]),
    (
        Verdict::Extension,
        &["Part.media_type", "AgentSkill.output_modes"],
        &["CompletedTask.result"],
    ),
    (Verdict::Extension, &[], &[]),
    (Verdict::Partial, &[], &["Task.ttlMs"]),
    (Verdict::Extension, &[], &[]),
    (Verdict::Native, &["Task.id"], &[]),
    (Verdict::Extension, &[], &[]),
    (Verdict::Extension, &[], &[]),
    (Verdict::Extension, &[], &[]),
    (Verdict::Extension, &[], &[]),
    (Verdict::Partial, &["TaskStatus.message"], &[]),
    (Verdict::Native, &["TaskStatus.state"], &["Task.status"]),
    (Verdict::Extension, &[], &[]),
    (Verdict::Partial, &[], &[]),
    (Verdict::Extension, &[], &[]),
    (Verdict::Extension, &["AgentCard.version"], &[]),
    (Verdict::Extension, &[], &[]),
];

const ENVELOPE_LEN: usize = 23;

/// The 23 rows.
pub fn rows() -> [Row; ENVELOPE_LEN] {
    std::array::from_fn(|index| {
        let (verdict, a2a, mcp) = PLACEMENTS[index];
        Row { number: index + 1, field: ENVELOPE[index].name, verdict, a2a, mcp }
    })
}

/// How each transport is meant: its name, and what kind of lane it is.
pub const LANES: [(&str, &str); 2] = [("a2a", "primary"), ("mcp", "draft-tracking")];

/// The four sources.
pub const PINS: [Pin; 4] = [
    Pin {
        source: "a2a.proto",
        sha1: "fc18e7c29777b64dc1b4119a02859fbfd5937383",
        commit: "cfc9d34bc41e368827eb6446d31f912e44f795c5",
    },
    Pin {
        source: "ext-tasks spec",
        sha1: "52dd19738a3dac86518c28344b18630e29b12999",
        commit: EXT_TASKS,
    },
    Pin {
        source: "ext-tasks schema",
        sha1: "edb18b6edeab2ebb9807c8c03cccd8984d1d0ebc",
        commit: EXT_TASKS,
    },
    Pin {
        source: "ext-tasks types",
        sha1: "4070c34bf3a88ebe3eff45809f91d805cf30c5b3",
        commit: EXT_TASKS,
    },
];

/// The commit of the three sources of the tasks extension.
const EXT_TASKS: &str = "0d0a6bd4c258b35caa3c810a1dd506cf105b1501";
