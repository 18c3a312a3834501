//! The report as people read it: what failed first, then the marks, then what to do next.
//!
//! Failures are grouped by requirement, and of each group the case with the smallest input is shown
//! in full: a hundred cases that fail for one reason are one thing to mend. Colour is styling that
//! the stream strips where it goes to no terminal; all words of a subject pass through `escape`.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use anstyle::{AnsiColor, Style};
use serde_json::Value;

use crate::adapter::document;
use crate::engine::verdict::{Mark, Verdict};
use crate::report::escape::plain;
use crate::report::model::{CaseReport, Failure, LawReport, Report, RoleReport};
use crate::report::wrap::{self, Width};
use crate::suite::requirement::Level;

const RED: Style = AnsiColor::Red.on_default();
const GREEN: Style = AnsiColor::Green.on_default();
const YELLOW: Style = AnsiColor::Yellow.on_default();
const DIM: Style = Style::new().dimmed();
const BOLD: Style = Style::new().bold();

/// So many further ids of a group are named.
const NAMED: usize = 4;

/// A value is shown in so many characters.
const WIDE: usize = 240;

/// What is said of a failure stands in this column.
const INDENT: usize = 14;

const REFERENCE: &str = "reference (self-test)";
const SELF_TEST: &str = "reference (self-test): this shows that Proofmark works, and says nothing of another implementation";

/// Renders a report with ANSI styling, in lines that fit `width`.
pub fn render(report: &Report, width: Width) -> String {
    let mut out = String::new();
    // Writing to a string can't fail.
    let _ = write_report(&mut out, report, width);
    out
}

fn write_report(out: &mut String, report: &Report, width: Width) -> fmt::Result {
    for (role, group) in groups(report) {
        write_group(out, role, &group, width)?;
    }
    for role in &report.roles {
        for law in role.laws.iter().filter(|law| !law.verdict.is_good()) {
            write_law(out, role, law, width)?;
        }
    }
    write_head(out, report, width)?;
    write_marks(out, report, width)?;
    write_readings(out, report, width)?;
    write_end(out, report, width)
}

/// Writes lines of one style, `first` before the first of them and as many blanks before the rest.
fn styled(out: &mut String, first: &str, style: Style, lines: &[String]) -> fmt::Result {
    let indent = first.chars().count();
    for (index, line) in lines.iter().enumerate() {
        let before = if index == 0 { first } else { "" };
        writeln!(out, "{before}{:1$}{style}{line}{style:#}", "", indent - before.chars().count())?;
    }
    Ok(())
}

fn write_head(out: &mut String, report: &Report, width: Width) -> fmt::Result {
    if report.subject.self_test {
        let rest = wrap::prose(SELF_TEST, 0, width);
        let rest = rest.join("\n");
        let rest = rest.strip_prefix(REFERENCE).unwrap_or(&rest);
        writeln!(out, "{BOLD}{REFERENCE}{BOLD:#}{rest}")?;
    } else {
        let implementation = &report.subject.implementation;
        writeln!(
            out,
            "{BOLD}{} {}{BOLD:#} ({})",
            clip(&plain(&implementation.name)),
            clip(&plain(&implementation.version)),
            clip(&plain(&implementation.language))
        )?;
    }
    let digest = report.corpus.digest.get(..20).unwrap_or(&report.corpus.digest);
    let by = format!(
        "proofmark {}, corpus {digest}… of {} cases, seed {}, {:.1} s",
        report.proofmark,
        report.corpus.cases,
        report.seed,
        report.millis as f64 / 1000.0
    );
    styled(out, "", DIM, &wrap::prose(&plain(&by), 0, width))?;
    writeln!(out)
}

fn write_marks(out: &mut String, report: &Report, width: Width) -> fmt::Result {
    let names = report.roles.iter().map(|role| role.role.chars().count()).max().unwrap_or(0);
    for role in &report.roles {
        let style = match role.mark {
            Mark::Conformant => GREEN,
            Mark::NonConformant => RED,
            Mark::Incomplete => YELLOW,
        };
        let indent = names + 20;
        // A number stays with its word.
        let counts = counts(role).replace(' ', "\u{a0}").replace(",\u{a0}", ", ");
        let counts = wrap::prose(&counts, indent, width).join(&format!("\n{:indent$}", ""));
        let counts = counts.replace('\u{a0}', " ");
        let mark = role.mark.to_string();
        writeln!(out, "  {:names$}  {style}{mark:14}{style:#}  {counts}", role.role)?;
        let before = format!("  {:names$}  ", "");
        for reason in &role.reasons {
            styled(out, &before, DIM, &wrap::prose(&plain(reason), names + 4, width))?;
        }
    }
    for role in &report.unknown_roles {
        let text = format!("{} is claimed, not known here, and not judged", clip(&plain(role)));
        styled(out, "  ", Style::new(), &wrap::prose(&text, 2, width))?;
    }
    Ok(())
}

/// `405 of 412 pass, 7 fail`: numerator, denominator, and every other verdict that occurs.
fn counts(role: &RoleReport) -> String {
    let count = |verdict| role.counts.get(&verdict).copied().unwrap_or(0);
    let mut text = format!("{} of {} pass", count(Verdict::Pass), role.selected);
    for verdict in Verdict::ALL.into_iter().chain([Verdict::NotRun]) {
        if verdict != Verdict::Pass && count(verdict) > 0 {
            let _ = write!(text, ", {} {verdict}", count(verdict));
        }
    }
    if !role.laws.is_empty() {
        let hold = role.laws.iter().filter(|law| law.verdict.is_good()).count();
        let _ = write!(text, ", {hold} of {} laws hold", role.laws.len());
    }
    if role.selected != role.corpus_cases {
        let _ = write!(text, " ({} in the corpus)", role.corpus_cases);
    }
    text
}

fn write_readings(out: &mut String, report: &Report, width: Width) -> fmt::Result {
    let mut readings: Vec<String> = Vec::new();
    for reading in report.roles.iter().flat_map(|role| &role.readings) {
        let text = format!("{} {}", reading.requirement, reading.reading);
        // A requirement may bind several roles.
        if !readings.contains(&text) {
            readings.push(text);
        }
    }
    if readings.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let text = format!("readings recorded: {}", readings.join(", "));
    styled(out, "  ", DIM, &wrap::prose(&text, 2, width))
}

fn write_end(out: &mut String, report: &Report, width: Width) -> fmt::Result {
    let mut notes: Vec<String> = Vec::new();
    if let Some(why) = &report.gave_up {
        notes.push(format!("the adapter was given up: {}", plain(why)));
    }
    notes.extend(report.waivers.iter().map(|what| plain(what)));
    match report.notes.as_slice() {
        [] => {}
        [one] => notes.push(plain(one)),
        [first, rest @ ..] => {
            let more = if rest.len() == 1 { "note" } else { "notes" };
            notes.push(format!("{} (and {} {more} more)", plain(first), rest.len()))
        }
    }
    if report.interrupted {
        notes.push("interrupted: what was judged until then is above".to_owned());
    }
    if !notes.is_empty() {
        writeln!(out)?;
    }
    for note in notes {
        let lines = wrap::prose(&note, 4, width).join("\n    ");
        writeln!(out, "  {YELLOW}!{YELLOW:#} {lines}")?;
    }
    if let Some(next) = next_step(report) {
        writeln!(out, "\n{next}")?;
    }
    Ok(())
}

/// The one thing to do next: about the first case that is shown.
fn next_step(report: &Report) -> Option<String> {
    let groups = groups(report);
    let (_, group) = groups.first()?;
    let (case, failure) = smallest(group)?;
    // A command is one line, however long, so that it can be copied.
    let command: String = plain(&failure.replay);
    Some(match case.verdict {
        Verdict::Unsupported => format!(
            "Next: offer {} in the adapter, or stop claiming the role.",
            plain(&case.operation)
        ),
        Verdict::AdapterFault => {
            format!("Next: `proofmark check` with the same subject, then\n  {command}")
        }
        _ => {
            let id = case.requirements.first().map_or("", String::as_str);
            format!("Next: mend {id}.\n  {command}\n  proofmark explain {id}")
        }
    })
}

/// Cases that are no pass, by their first requirement: what must be first, else in the order of
/// the catalogue, which goes from the ground up.
fn groups(report: &Report) -> Vec<(&RoleReport, Vec<&CaseReport>)> {
    let mut groups: Vec<(&RoleReport, Vec<&CaseReport>)> = Vec::new();
    for role in &report.roles {
        let mut of_role: BTreeMap<&str, usize> = BTreeMap::new();
        for case in role.cases.iter().filter(|case| shown(case)) {
            let id = case.requirements.first().map_or("", String::as_str);
            let place = *of_role.entry(id).or_insert(groups.len());
            match groups.get_mut(place) {
                Some((_, group)) => group.push(case),
                None => groups.push((role, vec![case])),
            }
        }
    }
    let place = |role: &RoleReport, group: &[&CaseReport]| {
        let first = group.first().and_then(|case| case.requirements.first());
        role.requirements.iter().position(|requirement| Some(&requirement.id) == first)
    };
    // The sort is stable: roles stay in their order.
    groups.sort_by_cached_key(|(role, group)| {
        let only_should = group.iter().all(|case| case.level == Level::Should);
        let nth = report.roles.iter().position(|other| other.role == role.role);
        (only_should, nth, place(role, group))
    });
    groups
}

fn shown(case: &CaseReport) -> bool {
    case.failure.is_some() && case.verdict != Verdict::Waived
}

/// The case of a group that says most in the least room.
fn smallest<'a>(group: &[&'a CaseReport]) -> Option<(&'a CaseReport, &'a Failure)> {
    group
        .iter()
        .filter_map(|case| case.failure.as_ref().map(|failure| (*case, failure)))
        .min_by_key(|(case, failure)| (case.verdict, failure.input_bytes, &case.id))
}

fn write_group(
    out: &mut String,
    role: &RoleReport,
    group: &[&CaseReport],
    width: Width,
) -> fmt::Result {
    let Some((case, failure)) = smallest(group) else { return Ok(()) };
    let id = case.requirements.first().map_or("", String::as_str);
    if let Some(requirement) = role.requirements.iter().find(|requirement| requirement.id == id) {
        let style = if requirement.level == Level::Should { YELLOW } else { RED };
        let indent = id.chars().count() + 3;
        let title = wrap::prose(&requirement.title, indent, width);
        let title = title.join(&format!("\n{:indent$}", ""));
        writeln!(out, "{style}{BOLD}✗ {id}{BOLD:#}{style:#} {BOLD}{title}{BOLD:#}")?;
        let about = format!(
            "{}, {} ({}); {} of {} cases in {}",
            requirement.level,
            requirement.section,
            requirement.origin,
            group.len(),
            requirement.cases,
            role.role
        );
        styled(out, "  ", DIM, &wrap::prose(&about, 2, width))?;
    }
    writeln!(out, "  {}  {RED}{}{RED:#}", case.id, case.verdict)?;
    write_failure(out, failure, width)?;
    let others: Vec<String> = group
        .iter()
        .filter(|other| other.id != case.id)
        .map(|other| {
            let name = other.id.rsplit('/').next().unwrap_or(&other.id);
            let same = other.verdict == case.verdict;
            if same { name.to_owned() } else { format!("{name} ({})", other.verdict) }
        })
        .collect();
    if !others.is_empty() {
        let more = match others.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let named = others.get(..NAMED).unwrap_or(&others);
        let text = format!("{}{more}", named.join(", "));
        field(out, "also", &wrap::prose(&text, INDENT, width))?;
    }
    writeln!(out)
}

/// A law that does not hold, with the smallest input that was found.
fn write_law(out: &mut String, role: &RoleReport, law: &LawReport, width: Width) -> fmt::Result {
    let style = if law.level == Level::Should { YELLOW } else { RED };
    let sentence = wrap::prose(law.sentence.trim_end_matches('.'), law.id.len() + 7, width);
    let sentence = sentence.join(&format!("\n{:1$}", "", law.id.len() + 7));
    writeln!(out, "{style}{BOLD}✗ law {}{BOLD:#}{style:#} {BOLD}{sentence}{BOLD:#}", law.id)?;
    let inputs = if law.inputs == 1 { "input" } else { "inputs" };
    let about = format!(
        "{}, {}; found after {} {inputs} of {}",
        law.level,
        law.requirements.join(", "),
        law.inputs,
        role.role
    );
    styled(out, "  ", DIM, &wrap::prose(&about, 2, width))?;
    writeln!(out, "  {}  {RED}{}{RED:#}", role.role, law.verdict)?;
    if let Some(input) = &law.counterexample {
        field(out, "input", &wrap::value(&summary(input), INDENT, width))?;
    }
    if let Some(reason) = &law.reason {
        field(out, "reason", &wrap::prose(&clip(&plain(reason)), INDENT, width))?;
    }
    if let Some(replay) = &law.replay {
        field(out, "replay", &[plain(replay)])?;
    }
    writeln!(out)
}

/// One named thing said of a failure.
fn field(out: &mut String, name: &str, lines: &[String]) -> fmt::Result {
    let lines = lines.join(&format!("\n{:INDENT$}", ""));
    writeln!(out, "    {DIM}{name:9}{DIM:#} {lines}")
}

/// Why it matters, what went in, what was expected, what came, and how to see it again.
fn write_failure(out: &mut String, failure: &Failure, width: Width) -> fmt::Result {
    let prose = |out: &mut String, name: &str, text: &str| {
        field(out, name, &wrap::prose(&clip(&plain(text)), INDENT, width))
    };
    let value = |out: &mut String, name: &str, text: &str| {
        field(out, name, &wrap::value(text, INDENT, width))
    };
    prose(out, "why", &failure.why)?;
    if let Some(step) = failure.step {
        prose(out, "step", &step.to_string())?;
    }
    let mut input = summary(&failure.input);
    if failure.input_bytes > WIDE {
        let _ = write!(input, " ({} bytes)", failure.input_bytes);
    }
    let (expected, got) = (summary(&failure.expected), summary(&failure.got));
    value(out, "input", &input)?;
    value(out, "expected", &expected)?;
    value(out, "got", &got)?;
    if failure.differences.is_empty() {
        prose(out, "reason", &failure.reason)?;
    }
    // Where the whole was too long to show, the part that differs is shown.
    let cut = expected.ends_with('…') || got.ends_with('…');
    for difference in failure.differences.iter().take(3) {
        let at = if difference.at.is_empty() { "the output" } else { &difference.at };
        prose(out, "differs", &format!("{at}: {}", difference.what))?;
        for (sign, side) in [("  -", &difference.expected), ("  +", &difference.got)] {
            if let Some(side) = side.as_ref().filter(|_| cut) {
                value(out, sign, &clip(&plain(&text_of(side))))?;
            }
        }
    }
    if let Some(twin) = &failure.twin {
        let name = twin.id.rsplit('/').next().unwrap_or(&twin.id);
        prose(out, "twin", &format!("{name}: {}", twin.verdict))?;
    }
    if let Some(text) = failure.standard_error.as_ref().filter(|text| !text.trim().is_empty()) {
        let last: Vec<&str> = text.trim().lines().rev().take(5).collect();
        let shown = last.iter().rev().map(|line| clip(&plain(line)));
        let lines: Vec<String> = shown.flat_map(|line| wrap::value(&line, INDENT, width)).collect();
        field(out, "stderr", &lines)?;
    }
    field(out, "replay", &[plain(&failure.replay)])
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A value in one line: a lone document as its text, an expectation or a result by its name and
/// what is in it, anything else as JSON.
pub fn summary(value: &Value) -> String {
    if let Some(text) = document::sole_bytes(value).and_then(|bytes| {
        let text = std::str::from_utf8(&bytes).ok()?;
        Some(if text.is_empty() { "(empty)".to_owned() } else { plain(text) })
    }) {
        return clip(&text);
    }
    let lone = value.as_object().filter(|members| members.len() == 1);
    match lone.and_then(|members| members.iter().next()) {
        Some((name, inner)) => match name.as_str() {
            "document" | "bytes" | "equals" => summary(inner),
            "ok" if *inner == serde_json::json!({ "any": true }) => "ok, whatever comes out".into(),
            "refused" | "unsupported" if *inner == serde_json::json!({}) => name.clone(),
            "ok" | "refused" | "unsupported" => clip(&format!("{name} {}", summary(inner))),
            "readings" => {
                let readings = inner.as_object().into_iter().flatten();
                let each = readings.map(|(name, expect)| format!("{name}: {}", summary(expect)));
                clip(&each.collect::<Vec<_>>().join("; or "))
            }
            _ => clip(&plain(&value.to_string())),
        },
        None => clip(&plain(&value.to_string())),
    }
}

fn clip(text: &str) -> String {
    if text.chars().count() <= WIDE {
        return text.to_owned();
    }
    let head: String = text.chars().take(WIDE).collect();
    format!("{head}…")
}
