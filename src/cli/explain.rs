//! `proofmark explain`: what a requirement, case, role, operation or suite is about.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::cli::config;
use crate::cli::subject::CorpusArgs;
use crate::cli::{Failure, Format, export, print, print_json};
use crate::engine::status::ExitStatus;
use crate::laws::Law;
use crate::registry;
use crate::report::{terminal, wrap};
use crate::suite::Corpus;
use crate::suite::case::Case;
use crate::suite::requirement::{Level, Requirement};
use crate::suite::role::Role;
use crate::suite::select::near_it;

/// Explain a requirement, reading, case, law, role, operation or suite: its text, its source, who tests it
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

/// Prose is read in narrow lines, wherever it goes.
const WIDTH: wrap::Width = Some(80);

pub fn run(args: Args) -> Result<ExitStatus, Failure> {
    let corpus = args.corpus.load(&config::read()?)?;
    let Some((text, json)) = explain(&corpus, &args.id) else {
        let near = near_it(&args.id, names(&corpus).iter().map(String::as_str));
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
    names.extend(registry::laws().into_iter().map(|law| law.id.to_owned()));
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
    if let Some(law) = registry::laws().into_iter().find(|law| law.id == id) {
        return Some(explain_law(law));
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
    let (params, output) = (operation.params_schema(), operation.output_schema());
    let text = format!(
        "{id}\n{}\n\nparams (JSON Schema):\n{params:#}\n\noutput (JSON Schema):\n{output:#}\n",
        fill(&operation.about)
    );
    let json = json!({
        "operation": id, "about": operation.about, "params": params, "output": output,
    });
    Some((text, json))
}

fn explain_law(law: &Law) -> (String, Value) {
    let text = format!(
        "law {}\n{}\n\nfor          {}\nrole         {}\noperations   {}\n",
        law.id,
        fill(law.sentence),
        law.requirements.join(", "),
        law.role,
        law.operations.join(", ")
    );
    let json = json!({
        "law": law.id, "sentence": law.sentence, "role": law.role,
        "requirements": law.requirements, "operations": law.operations,
    });
    (text, json)
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
        let about = requirement.readings.iter().map(|(name, about)| (name.clone(), about));
        let profiles = requirement.profiles.iter();
        let profiles =
            profiles.map(|profile| (format!("profile {}", profile.name), &profile.about));
        let rows: Vec<(String, &String)> = about.chain(profiles).collect();
        let names = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        for (name, about) in rows {
            let about =
                wrap::prose(about, names + 4, WIDTH).join(&format!("\n{:1$}", "", names + 4));
            let _ = writeln!(text, "  {name:names$}  {about}");
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
    wrap::prose(text, 0, WIDTH).join("\n")
}
