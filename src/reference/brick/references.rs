//! What references resolve to (sections 4 and 7): the skills, servers and allowed tools of a manifest, indexed.
//!
//! An index is a sorted list of numbers on the tape, four bytes an entry, so that a million tools cost four megabytes.
//!
//! Depends on `tape` and `manifest`.

use super::manifest::{Manifest, Server, strings};
use super::tape::{Kind, Tape, Value};

/// How many colons a tool reference may have to be looked at in every way. Nothing has so many: the bound keeps the
/// work on hostile references linear.
pub(super) const COLONS: usize = 32;

/// Where a tool reference leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Resolution {
    /// It is not of the form `server-id:tool-name`.
    Malformed,
    /// No declared server allows such a tool; whether a server of such an id is declared.
    Nowhere {
        /// A server of that id is declared.
        server: bool,
    },
    /// To a tool: the place of its server among the servers, and the length of the server's id in the reference.
    Tool {
        /// The server's place in `mcpServers`.
        server: usize,
        /// How many bytes of the reference the server's id takes.
        split: usize,
    },
    /// To several tools.
    Ambiguous,
}

/// The number of a string on the tape, and a place in an array.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named {
    pub number: u32,
    pub index: u32,
}

/// The ids of a collection, sorted code point by code point and then by place. Entries without an id string are left out.
pub(super) fn ids<'m>(tape: &Tape<'_>, list: impl Iterator<Item = Value<'m>>) -> Vec<Named> {
    let mut ids: Vec<Named> = (0..)
        .zip(list)
        .filter_map(|(index, value)| {
            let id = value.get("id").filter(|id| id.kind() == Kind::String)?;
            Some(Named { number: id.number(), index })
        })
        .collect();
    ids.shrink_to_fit();
    ids.sort_unstable_by(|a, b| {
        tape.value(a.number).compare(tape.value(b.number)).then(a.number.cmp(&b.number))
    });
    ids
}

/// Those of a sorted list that have an equal before them.
pub(super) fn repeated<'l>(
    tape: &'l Tape<'_>,
    ids: &'l [Named],
) -> impl Iterator<Item = Named> + 'l {
    ids.windows(2).filter_map(|pair| match pair {
        [a, b] => tape.value(a.number).compare(tape.value(b.number)).is_eq().then_some(*b),
        _ => None,
    })
}

/// A list of strings, sorted likewise.
pub(super) fn sorted<'m>(tape: &Tape<'_>, list: impl Iterator<Item = Value<'m>>) -> Vec<Named> {
    let mut found: Vec<Named> =
        (0..).zip(list).map(|(index, value)| Named { number: value.number(), index }).collect();
    found.sort_unstable_by(|a, b| {
        tape.value(a.number).compare(tape.value(b.number)).then(a.number.cmp(&b.number))
    });
    found
}

fn find(tape: &Tape<'_>, ids: &[Named], text: &str) -> Option<Named> {
    let at = ids.binary_search_by(|own| tape.value(own.number).compare_text(text)).ok()?;
    ids.get(at).copied()
}

/// A server's tools among all tools.
#[derive(Debug, Clone, Copy)]
struct Range {
    start: usize,
    end: usize,
}

/// What references can lead to.
#[derive(Debug)]
pub(super) struct Resolver<'m> {
    tape: &'m Tape<'m>,
    skills: Vec<Named>,
    servers: Vec<Named>,
    /// By the server's place.
    ranges: Vec<Range>,
    /// The numbers of the allowed tools' names, server by server, sorted within each.
    tools: Vec<u32>,
}

impl<'m> Resolver<'m> {
    /// Indexes a manifest.
    pub fn new(manifest: &'m Manifest<'m>) -> Self {
        let tape = manifest.tape();
        let skills = ids(tape, manifest.list("skills"));
        let servers = ids(tape, manifest.list("mcpServers"));
        let mut ranges = Vec::with_capacity(manifest.servers().count());
        let count = manifest.servers().map(|server| allowed(server).count()).sum();
        let mut tools: Vec<u32> = Vec::with_capacity(count);
        for server in manifest.servers() {
            let start = tools.len();
            tools.extend(allowed(server).map(Value::number));
            if let Some(own) = tools.get_mut(start..) {
                own.sort_unstable_by(|&a, &b| tape.value(a).compare(tape.value(b)));
            }
            ranges.push(Range { start, end: tools.len() });
        }
        Resolver { tape, skills, servers, ranges, tools }
    }

    /// The place of the skill of that id.
    pub fn skill(&self, id: &str) -> Option<usize> {
        Some(find(self.tape, &self.skills, id)?.index as usize)
    }

    /// Where a tool reference leads. Every colon with something before and behind it is tried.
    pub fn tool(&self, reference: &str) -> Resolution {
        let colons = || reference.match_indices(':').map(|(at, _)| at);
        let fitting = |at: &usize| *at > 0 && at + 1 < reference.len();
        if !colons().any(|at| fitting(&at)) || colons().nth(COLONS).is_some() {
            return Resolution::Malformed;
        }
        let mut found = Resolution::Nowhere { server: false };
        for split in colons().filter(fitting) {
            let (id, tool) = (reference.get(..split), reference.get(split + 1..));
            let server = id.and_then(|id| find(self.tape, &self.servers, id));
            let (Some(server), Some(tool)) = (server, tool) else { continue };
            let index = server.index as usize;
            found = match (self.allows(index, tool), found) {
                (true, Resolution::Tool { .. } | Resolution::Ambiguous) => Resolution::Ambiguous,
                (true, _) => Resolution::Tool { server: index, split },
                (false, Resolution::Nowhere { .. }) => Resolution::Nowhere { server: true },
                (false, found) => found,
            };
        }
        found
    }

    /// Whether the server at that place allows the tool.
    fn allows(&self, server: usize, tool: &str) -> bool {
        let range = self.ranges.get(server).copied().unwrap_or(Range { start: 0, end: 0 });
        let tools = self.tools.get(range.start..range.end).unwrap_or_default();
        tools.binary_search_by(|&number| self.tape.value(number).compare_text(tool)).is_ok()
    }
}

/// The tools that a server allows.
fn allowed(server: Server<'_>) -> impl Iterator<Item = Value<'_>> {
    strings(server.value(), "allowedTools")
}
