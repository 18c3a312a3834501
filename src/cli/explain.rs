//! `proofmark explain`: what a requirement, case, role, operation or suite is about.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::cli::config;
use crate::cli::subject::CorpusArgs;
use crate::cli::{Failure, Format, export, print, print_json};
use crate::engine::status::ExitStatus;
use crate::report::terminal;
use crate::suite::Corpus;
use crate::suite::case::Case;
use crate::suite::requirement::{Level, Requirement};
use crate::suite::role::Role;
use crate::suite::select::near_misses;

/// Explain a requirement, reading, case, role, operation or suite: its text, its source, who tests it
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  proofmark explain JCS-ORD-1
  proofmark explain jcs/canonicalizer/ordering/astral-before-fullwidth
  proofmark explain jcs/verifier")]
pub struct Args {
    /// The id
    id: String,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    corpus: CorpusArgs,
}

pub fn run(args: Args) -> Result<ExitStatus, Failure> {
    let corpus = args.corpus.load(&config::read()?)?;
    let Some((text, json)) = explain(&corpus, &args.id) else {
        let near = near_misses(&args.id, names(&corpus).iter().map(String::as_str));
        let near =
            if near.is_empty() { String::new() } else { format!("; near it: {}", near.join(", ")) };
        let message = format!("there is no {}{near}", args.id);
        return Err(Failure::with(ExitStatus::Nothing, message));
    };
    match args.format {
        Format::Text => print(&text),
        Format::Json => print_json(&json)?,
    }
    Ok(ExitStatus::Success)
}

fn names(corpus: &Corpus) -> Vec<String> {
    let mut names: Vec<String> = corpus.cases.iter().map(|case| case.id.clone()).collect();
    for suite in corpus.suites.values() {
        names.push(suite.name.clone());
        names.extend(suite.roles.iter().map(|role| role.name.clone()));
        names.extend(suite.requirements.iter().map(|requirement| requirement.id.clone()));
        names.extend(suite.operations.names().map(str::to_owned));
    }
    names
}

fn explain(corpus: &Corpus, id: &str) -> Option<(String, Value)> {
    let by_upper = id.to_uppercase();
    if let Some(found) = corpus.requirement(id).or_else(|| corpus.requirement(&by_upper)) {
        return Some(requirement(corpus, found));
    }
    if let Some(found) = corpus.case(id) {
        return Some((case(corpus, found), export::line(corpus, found)));
    }
    if let Some(found) = corpus.role(id) {
        return Some(role(corpus, found));
    }
    if let Some(suite) = corpus.suites.get(id) {
        let roles: Vec<&str> = suite.roles.iter().map(|role| role.name.as_str()).collect();
        let text = format!(
            "{} (version {})\n{}\n\n{}\n\nRoles: {}\n",
            suite.name,
            suite.version,
            suite.title,
            fill(&suite.about),
            roles.join(", ")
        );
        let json = json!({
            "suite": suite.name, "version": suite.version, "title": suite.title,
            "about": suite.about, "roles": roles,
        });
        return Some((text, json));
    }
    let operation = corpus.suites.values().find_map(|suite| suite.operations.get(id))?;
    let text = format!("{id}\n{}\n", fill(&operation.about));
    Some((text, json!({ "operation": id, "about": operation.about })))
}

fn requirement(corpus: &Corpus, requirement: &Requirement) -> (String, Value) {
    let cases: Vec<&str> = corpus
        .cases
        .iter()
        .filter(|case| case.requirements.contains(&requirement.id))
        .map(|case| case.id.as_str())
        .collect();
    let mut text = String::new();
    // Writing to a string can't fail.
    let _ = writeln!(text, "{}  {}", requirement.id, requirement.title);
    let robustness = if requirement.is_robustness() { ", robustness" } else { "" };
    let _ = writeln!(
        text,
        "{}{robustness}; {} ({})\n",
        requirement.level, requirement.section, requirement.origin
    );
    let _ = writeln!(text, "{}\n", fill(&requirement.text));
    if requirement.level == Level::Reading {
        let _ = writeln!(text, "The text admits several answers; the one given is recorded:");
        for (name, about) in &requirement.readings {
            let _ = writeln!(text, "  {name:12} {about}");
        }
        for profile in &requirement.profiles {
            let _ = writeln!(text, "  profile {:12} {}", profile.name, profile.about);
        }
        let reference = requirement.reference.as_deref().unwrap_or_default();
        let _ = writeln!(text, "The reference: {reference}\n");
    }
    let _ =
        writeln!(text, "Binds {}. Tested by {} cases:", requirement.roles.join(", "), cases.len());
    for id in &cases {
        let _ = writeln!(text, "  {id}");
    }
    let mut json = json!(requirement);
    if let Value::Object(members) = &mut json {
        members.insert("cases".to_owned(), json!(cases));
    }
    (text, json)
}

fn case(corpus: &Corpus, case: &Case) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}\n\n{}\n", case.id, fill(&case.why));
    for id in &case.requirements {
        if let Some(found) = corpus.requirement(id) {
            let _ = writeln!(text, "{id} ({}; {}): {}", found.level, found.section, found.title);
        }
    }
    let several = case.steps.len() > 1;
    for (index, step) in case.steps.iter().enumerate() {
        if several {
            let _ = writeln!(text, "\nstep {}", index + 1);
        }
        let _ = writeln!(text, "\noperation  {}", step.operation);
        let _ = writeln!(text, "input      {}", terminal::summary(&step.params.value()));
        let _ = writeln!(text, "expected   {}", terminal::summary(&step.expect.to_value()));
    }
    let _ = writeln!(text, "source     {}", case.source);
    if let Some(twin) = &case.twin {
        let _ = writeln!(text, "twin       {twin}");
    }
    if let Some(reason) = &case.no_twin {
        let _ = writeln!(text, "no twin    {reason}");
    }
    text
}

fn role(corpus: &Corpus, role: &Role) -> (String, Value) {
    let requirements: Vec<&Requirement> = corpus
        .suites
        .values()
        .flat_map(|suite| &suite.requirements)
        .filter(|requirement| requirement.roles.contains(&role.name))
        .collect();
    let mut text = format!("{}  {}\n\n{}\n\n", role.name, role.title, fill(&role.about));
    let _ = writeln!(text, "Operations: {}", role.operations.join(", "));
    if !role.requires.is_empty() {
        let _ = writeln!(text, "Requires: {}", role.requires.join(", "));
    }
    let _ = writeln!(text, "Requirements:");
    for requirement in &requirements {
        let level = requirement.level.to_string();
        let _ = writeln!(text, "  {:12} {level:8} {}", requirement.id, requirement.title);
    }
    let ids: Vec<&str> = requirements.iter().map(|found| found.id.as_str()).collect();
    let json = json!({
        "role": role.name, "title": role.title, "about": role.about,
        "operations": role.operations, "requires": role.requires, "requirements": ids,
    });
    (text, json)
}

/// Prose in lines of at most 80 characters.
fn fill(text: &str) -> String {
    let mut filled = String::new();
    let mut width = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > 80 {
            filled.push('\n');
            width = 0;
        } else if width > 0 {
            filled.push(' ');
            width += 1;
        }
        filled.push_str(word);
        width += length;
    }
    filled
}
