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
use crate::report::escape::{plain, plain_lines};
use crate::report::model::{CaseReport, Failure, Report, RequirementReport, RoleReport};
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

/// Renders a report for a terminal, with ANSI styling.
pub fn render(report: &Report) -> String {
    let mut out = String::new();
    // Writing to a string can't fail.
    let _ = write_report(&mut out, report);
    out
}

fn write_report(out: &mut String, report: &Report) -> fmt::Result {
    for role in &report.roles {
        write_failures(out, role)?;
    }
    write_head(out, report)?;
    write_marks(out, report)?;
    write_readings(out, report)?;
    write_end(out, report)
}

fn write_head(out: &mut String, report: &Report) -> fmt::Result {
    if report.subject.self_test {
        writeln!(
            out,
            "{BOLD}reference (self-test){BOLD:#}: this shows that Proofmark works, and says nothing of another implementation"
        )?;
    } else {
        let implementation = &report.subject.implementation;
        writeln!(
            out,
            "{BOLD}{} {}{BOLD:#} ({})",
            plain(&implementation.name),
            plain(&implementation.version),
            plain(&implementation.language)
        )?;
    }
    let digest = report.corpus.digest.get(..20).unwrap_or(&report.corpus.digest);
    writeln!(
        out,
        "{DIM}proofmark {}, corpus {digest}… of {} cases, seed {}, {:.1} s{DIM:#}\n",
        report.proofmark,
        report.corpus.cases,
        report.seed,
        report.millis as f64 / 1000.0
    )
}

fn write_marks(out: &mut String, report: &Report) -> fmt::Result {
    let width = report.roles.iter().map(|role| role.role.chars().count()).max().unwrap_or(0);
    for role in &report.roles {
        let style = match role.mark {
            Mark::Conformant => GREEN,
            Mark::NonConformant => RED,
            Mark::Incomplete => YELLOW,
        };
        writeln!(
            out,
            "  {:width$}  {style}{:14}{style:#}  {}",
            role.role,
            role.mark.to_string(),
            counts(role)
        )?;
        for reason in &role.reasons {
            writeln!(out, "  {:width$}  {DIM}{}{DIM:#}", "", plain(reason))?;
        }
    }
    for role in &report.unknown_roles {
        writeln!(out, "  {} is claimed, not known here, and not judged", plain(role))?;
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
    if role.selected != role.corpus_cases {
        let _ = write!(text, " ({} in the corpus)", role.corpus_cases);
    }
    text
}

fn write_readings(out: &mut String, report: &Report) -> fmt::Result {
    let readings: Vec<String> = report
        .roles
        .iter()
        .flat_map(|role| &role.readings)
        .map(|reading| format!("{} {}", reading.requirement, reading.reading))
        .collect();
    if !readings.is_empty() {
        writeln!(out, "\n  {DIM}readings recorded: {}{DIM:#}", readings.join(", "))?;
    }
    Ok(())
}

fn write_end(out: &mut String, report: &Report) -> fmt::Result {
    let mut notes: Vec<String> = Vec::new();
    if let Some(why) = &report.gave_up {
        notes.push(format!("the adapter was given up: {}", plain(why)));
    }
    notes.extend(report.waivers.iter().map(|what| plain(what)));
    match report.notes.as_slice() {
        [] => {}
        [one] => notes.push(plain(one)),
        [first, rest @ ..] => {
            notes.push(format!("{} (and {} notes more)", plain(first), rest.len()))
        }
    }
    if report.interrupted {
        notes.push("interrupted: what was judged until then is above".to_owned());
    }
    if !notes.is_empty() {
        writeln!(out)?;
    }
    for note in notes {
        writeln!(out, "  {YELLOW}!{YELLOW:#} {note}")?;
    }
    if let Some(next) = next_step(report) {
        writeln!(out, "\n{next}")?;
    }
    Ok(())
}

/// The one thing to do next.
fn next_step(report: &Report) -> Option<String> {
    let failing = report
        .roles
        .iter()
        .flat_map(|role| &role.cases)
        .find_map(|case| case.failure.as_ref().map(|failure| (case, failure)))?;
    let (case, failure) = failing;
    let command: String = plain(&failure.replay);
    Some(match case.verdict {
        Verdict::Unsupported => format!(
            "Next: offer {} in the adapter, or stop claiming the role.",
            plain(&case.operation)
        ),
        Verdict::AdapterFault => {
            format!(
                "Next: judge the adapter itself first, with `proofmark check`, then\n  {command}"
            )
        }
        _ => format!(
            "Next: mend the first group above, see it again with\n  {command}\nand read `proofmark explain {}`.",
            case.requirements.first().map_or("", String::as_str)
        ),
    })
}

fn write_failures(out: &mut String, role: &RoleReport) -> fmt::Result {
    let mut groups: BTreeMap<&str, Vec<&CaseReport>> = BTreeMap::new();
    let mut order = Vec::new();
    for case in role.cases.iter().filter(|case| shown(case)) {
        let id = case.requirements.first().map_or("", String::as_str);
        let group = groups.entry(id).or_default();
        if group.is_empty() {
            order.push(id);
        }
        group.push(case);
    }
    for id in order {
        let Some(group) = groups.get(id) else { continue };
        let requirement = role.requirements.iter().find(|requirement| requirement.id == id);
        write_group(out, role, requirement, group)?;
    }
    Ok(())
}

fn shown(case: &CaseReport) -> bool {
    case.failure.is_some() && case.verdict != Verdict::Waived
}

fn write_group(
    out: &mut String,
    role: &RoleReport,
    requirement: Option<&RequirementReport>,
    group: &[&CaseReport],
) -> fmt::Result {
    let smallest = group
        .iter()
        .filter_map(|case| case.failure.as_ref().map(|failure| (*case, failure)))
        .min_by_key(|(case, failure)| (case.verdict, failure.input_bytes, &case.id));
    let Some((case, failure)) = smallest else { return Ok(()) };
    if let Some(requirement) = requirement {
        let style = if requirement.level == Level::Should { YELLOW } else { RED };
        writeln!(
            out,
            "{style}{BOLD}✗ {}{BOLD:#}{style:#} {BOLD}{}{BOLD:#}",
            requirement.id, requirement.title
        )?;
        writeln!(
            out,
            "  {DIM}{}, {} ({}); {} of {} cases in {}{DIM:#}",
            requirement.level,
            requirement.section,
            requirement.origin,
            group.len(),
            requirement.cases,
            role.role
        )?;
    }
    writeln!(out, "  {}  {RED}{}{RED:#}", case.id, case.verdict)?;
    write_failure(out, failure)?;
    let others: Vec<&str> =
        group.iter().map(|other| other.id.as_str()).filter(|id| *id != case.id).collect();
    if !others.is_empty() {
        let named: Vec<&str> =
            others.iter().take(NAMED).map(|id| id.rsplit('/').next().unwrap_or(id)).collect();
        let more = match others.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        writeln!(out, "    {DIM}also      {}{more}{DIM:#}", named.join(", "))?;
    }
    writeln!(out)
}

/// Why it matters, what went in, what was expected, what came, and how to see it again.
pub fn write_failure(out: &mut String, failure: &Failure) -> fmt::Result {
    let mut line = |name: &str, text: &str| writeln!(out, "    {DIM}{name:9}{DIM:#} {text}");
    line("why", &failure.why)?;
    let input = summary(&failure.input);
    match failure.input_bytes {
        bytes if bytes > WIDE => line("input", &format!("{input} {DIM}({bytes} bytes){DIM:#}"))?,
        _ => line("input", &input)?,
    }
    if let Some(step) = failure.step {
        line("step", &step.to_string())?;
    }
    line("expected", &summary(&failure.expected))?;
    line("got", &summary(&failure.got))?;
    if failure.differences.is_empty() {
        line("reason", &clip(&plain(&failure.reason)))?;
    }
    for difference in failure.differences.iter().take(3) {
        let at = if difference.at.is_empty() { "the output" } else { &difference.at };
        line("differs", &clip(&plain(&format!("{at}: {}", difference.what))))?;
        // Where the whole was too long to show above, the part that differs is shown here.
        if summary(&failure.expected).ends_with('…') || summary(&failure.got).ends_with('…') {
            for (sign, side) in [("  -", &difference.expected), ("  +", &difference.got)] {
                if let Some(side) = side {
                    line(sign, &clip(&plain(&text_of(side))))?;
                }
            }
        }
    }
    if let Some(twin) = &failure.twin {
        let name = twin.id.rsplit('/').next().unwrap_or(&twin.id);
        line("twin", &format!("{name}: {}", twin.verdict))?;
    }
    if let Some(standard_error) =
        failure.standard_error.as_ref().filter(|text| !text.trim().is_empty())
    {
        let shown: Vec<&str> = standard_error.trim().lines().rev().take(5).collect();
        let lines: Vec<String> = shown.iter().rev().map(|text| clip(&plain_lines(text))).collect();
        line("stderr", &lines.join(&format!("\n{:14}", "")))?;
    }
    line("replay", &plain(&failure.replay))
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A value in one line: a lone document as its text, anything else as JSON.
pub fn summary(value: &Value) -> String {
    if let Some(text) = lone_document(value) {
        return clip(&plain(&text));
    }
    clip(&plain(&value.to_string()))
}

/// `{"document": {"text": …}}`, `{"ok": {"bytes": {"text": …}}}` and the like are shown as the
/// words around the text.
fn lone_document(value: &Value) -> Option<String> {
    if let Some(bytes) = document::sole_bytes(value) {
        return std::str::from_utf8(&bytes).ok().map(str::to_owned);
    }
    let object = value.as_object()?;
    let (name, inner) = object.iter().next().filter(|_| object.len() == 1)?;
    let text = lone_document(inner)?;
    match name.as_str() {
        "document" | "bytes" | "equals" => Some(text),
        name => Some(format!("{name} {text}")),
    }
}

fn clip(text: &str) -> String {
    if text.chars().count() <= WIDE {
        return text.to_owned();
    }
    let head: String = text.chars().take(WIDE).collect();
    format!("{head}…")
}
