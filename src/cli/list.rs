//! `proofmark list`: what there is.

use serde_json::{Value, json};

use crate::cli::config;
use crate::cli::subject::CorpusArgs;
use crate::cli::{Failure, Format, print, print_json};
use crate::engine::status::ExitStatus;
use crate::registry;
use crate::suite::Corpus;
use crate::suite::requirement::{Level, Requirement};
use crate::suite::select::{Globs, near_it};

/// List suites, roles, requirements, readings, operations, cases or laws
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  proofmark list
  proofmark list requirements 'JCS-NUM-*'
  proofmark list cases 'jcs/verifier/*' --format json")]
pub struct Args {
    /// What to list
    #[arg(value_enum, default_value_t)]
    what: What,
    /// Only names that match this glob
    #[arg(value_name = "GLOB")]
    glob: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    corpus: CorpusArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum What {
    Suites,
    #[default]
    Roles,
    Requirements,
    Readings,
    Operations,
    Cases,
    Laws,
}

/// A thing in a list: its name, what is said of it in text, and all that is known in JSON.
struct Row {
    name: String,
    text: String,
    json: Value,
}

pub fn run(args: Args) -> Result<ExitStatus, Failure> {
    let corpus = args.corpus.load(&config::read()?)?;
    let rows = match args.what {
        What::Suites => suites(&corpus),
        What::Roles => roles(&corpus),
        What::Requirements => requirements(&corpus, |_| true),
        What::Readings => requirements(&corpus, |found| found.level == Level::Reading),
        What::Operations => operations(&corpus),
        What::Cases => cases(&corpus),
        What::Laws => laws(),
    };
    let globs = Globs::new(args.glob.as_slice()).map_err(Failure::usage)?;
    let selected: Vec<&Row> = rows.iter().filter(|row| globs.selects(&row.name)).collect();
    if selected.is_empty() {
        let wanted = args.glob.unwrap_or_default();
        let near = near_it(&wanted, rows.iter().map(|row| row.name.as_str()));
        let message = format!("{wanted} matches nothing{near}");
        return Err(Failure::with(ExitStatus::Nothing, message));
    }
    if args.format == Format::Json {
        print_json(&selected.iter().map(|row| &row.json).collect::<Vec<_>>())?;
        return Ok(ExitStatus::Success);
    }
    let width = selected.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for row in selected {
        let line = format!("{:width$}  {}", row.name, row.text);
        text.push_str(line.trim_end());
        text.push('\n');
    }
    print(&text);
    Ok(ExitStatus::Success)
}

fn suites(corpus: &Corpus) -> Vec<Row> {
    corpus
        .suites
        .values()
        .map(|suite| Row {
            name: suite.name.clone(),
            text: suite.title.clone(),
            json: json!({
                "suite": suite.name, "version": suite.version, "title": suite.title,
                "about": suite.about,
            }),
        })
        .collect()
}

fn roles(corpus: &Corpus) -> Vec<Row> {
    corpus
        .suites
        .values()
        .flat_map(|suite| &suite.roles)
        .map(|role| {
            let cases = corpus.cases.iter().filter(|case| case.role == role.name).count();
            Row {
                name: role.name.clone(),
                text: format!("{cases:4} cases  {}", role.operations.join(", ")),
                json: json!({
                    "role": role.name, "title": role.title, "about": role.about,
                    "operations": role.operations, "requires": role.requires, "cases": cases,
                }),
            }
        })
        .collect()
}

fn requirements(corpus: &Corpus, keep: impl Fn(&Requirement) -> bool) -> Vec<Row> {
    corpus
        .suites
        .values()
        .flat_map(|suite| &suite.requirements)
        .filter(|requirement| keep(requirement))
        .map(|requirement| {
            let cases = corpus
                .cases
                .iter()
                .filter(|case| case.requirements.contains(&requirement.id))
                .count();
            let level = requirement.level.to_string();
            let mut json = json!(requirement);
            if let Value::Object(members) = &mut json {
                members.insert("cases".to_owned(), json!(cases));
            }
            Row {
                name: requirement.id.clone(),
                text: format!("{level:7} {cases:4} cases  {}", requirement.title),
                json,
            }
        })
        .collect()
}

fn operations(corpus: &Corpus) -> Vec<Row> {
    corpus
        .suites
        .values()
        .flat_map(|suite| {
            suite.operations.names().filter_map(|name| Some((name, suite.operations.get(name)?)))
        })
        .map(|(name, operation)| Row {
            name: name.to_owned(),
            text: operation.about.clone(),
            json: json!({ "operation": name, "about": operation.about }),
        })
        .collect()
}

fn cases(corpus: &Corpus) -> Vec<Row> {
    corpus
        .cases
        .iter()
        .map(|case| Row {
            name: case.id.clone(),
            text: case.requirements.join(", "),
            json: json!({
                "case": case.id, "level": corpus.level(case), "requirements": case.requirements,
                "why": case.why,
            }),
        })
        .collect()
}

fn laws() -> Vec<Row> {
    registry::laws()
        .into_iter()
        .map(|law| Row {
            name: law.id.to_owned(),
            text: law.sentence.to_owned(),
            json: json!({
                "law": law.id, "sentence": law.sentence, "role": law.role,
                "requirements": law.requirements, "operations": law.operations,
            }),
        })
        .collect()
}
