//! `proofmark export`: the corpus as JSON lines, for those who bring their own harness.

use std::io::{BufWriter, Write};

use serde_json::{Map, Value, json};

use crate::cli::config;
use crate::cli::subject::CorpusArgs;
use crate::cli::{Failure, written};
use crate::engine::status::ExitStatus;
use crate::suite::Corpus;
use crate::suite::case::Case;
use crate::suite::select::{Globs, near_it};

/// Print the corpus as JSON lines, one case a line, documents built
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  proofmark export > corpus.ndjson
  proofmark export --case 'jcs/canonicalizer/ordering/*'")]
pub struct Args {
    /// Only cases that match this glob (repeatable)
    #[arg(long, value_name = "GLOB")]
    case: Vec<String>,
    #[command(flatten)]
    corpus: CorpusArgs,
}

pub fn run(args: Args) -> Result<ExitStatus, Failure> {
    let corpus = args.corpus.load(&config::read()?)?;
    let globs = Globs::new(&args.case).map_err(Failure::usage)?;
    let ids = corpus.cases.iter().map(|case| case.id.as_str());
    if let Some(idle) = globs.idle(ids.clone()) {
        let message = format!("--case {idle} matches no case{}", near_it(idle, ids));
        return Err(Failure::with(ExitStatus::Nothing, message));
    }
    let mut out = BufWriter::new(std::io::stdout().lock());
    for case in corpus.cases.iter().filter(|case| globs.selects(&case.id)) {
        if let Err(error) = writeln!(out, "{}", line(&corpus, case)) {
            // The reader may have gone away: it has what it wanted.
            written(Err(error));
            return Ok(ExitStatus::Success);
        }
    }
    written(out.flush());
    Ok(ExitStatus::Success)
}

/// One case as `export` writes it.
pub fn line(corpus: &Corpus, case: &Case) -> Value {
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| {
        object.insert(name.to_owned(), value);
    };
    put("id", json!(case.id));
    put("suite", json!(case.suite));
    put("role", json!(case.role));
    put("level", json!(corpus.level(case)));
    put("requirements", json!(case.requirements));
    put("why", json!(case.why));
    put("source", json!(case.source));
    if let Some(twin) = &case.twin {
        put("twin", json!(twin));
    }
    if let Some(reason) = &case.no_twin {
        put("no_twin", json!(reason));
    }
    match case.steps.as_slice() {
        [step] => {
            put("operation", json!(step.operation));
            put("params", step.params.value().into_owned());
            put("expect", step.expect.to_value());
        }
        steps => {
            let steps: Vec<Value> = steps
                .iter()
                .map(|step| {
                    let mut exported = json!({
                        "operation": step.operation,
                        "params": *step.params.value(),
                        "expect": step.expect.to_value(),
                        "save": step.save,
                    });
                    if step.restart {
                        exported["restart"] = json!(true);
                    }
                    if step.times > 1 {
                        exported["times"] = json!(step.times);
                        exported["distinct"] = json!(step.distinct);
                    }
                    exported
                })
                .collect();
            put("steps", Value::Array(steps));
        }
    }
    if !case.claims.is_empty() {
        put("claims", json!(case.claims));
    }
    if !case.servers.is_empty() {
        put("servers", json!(case.servers));
    }
    if let Some(witness) = &case.witness {
        put("witness", witness.clone());
    }
    Value::Object(object)
}
