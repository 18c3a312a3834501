//! Loading: from files to a checked [`Corpus`]. Faults are collected, so that an author sees all.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;

use crate::suite::case::{Case, MAX_TIMES, RawCase, RawStep, RawTopic, Step};
use crate::suite::fault::{Fault, Faults};
use crate::suite::lint;
use crate::suite::operation::Operations;
use crate::suite::params::Params;
use crate::suite::requirement::{RawRequirements, Requirement};
use crate::suite::role::{RawRoles, Role};
use crate::suite::source::{self, Files};
use crate::suite::toml_json;
use crate::suite::{Corpus, Suite};

/// The file of ids that must not be used again, at the corpus's root.
const RETIRED: &str = "retired.toml";

/// A case with the place where it was read.
pub(super) struct Placed {
    pub case: Arc<Case>,
    pub file: String,
    pub offset: usize,
}

/// A requirement with the place where it was read.
pub(super) struct PlacedRequirement {
    pub requirement: Requirement,
    pub file: String,
    pub offset: usize,
}

/// Loads the embedded suites with the embedded corpus. It reads them without the checks of [`load`],
/// which take half of a start: what is embedded was checked when it was tested, by
/// [`embedded_and_checked`].
///
/// # Errors
/// Never in a released program.
pub fn embedded() -> Result<Corpus, Faults> {
    read(&source::embedded_suites(), &source::embedded_corpus(), "corpus", false)
}

/// [`embedded`], with all checks.
///
/// # Errors
/// All faults found, each with file, line and column.
pub fn embedded_and_checked() -> Result<Corpus, Faults> {
    read(&source::embedded_suites(), &source::embedded_corpus(), "corpus", true)
}

/// Loads the embedded suites with the corpus of a folder, laid out as `corpus/` is.
///
/// A suite without a folder there has no cases. One with a folder must be whole.
///
/// # Errors
/// All faults found, each with file, line and column.
pub fn from_folder(root: &Path) -> Result<Corpus, Faults> {
    let files = source::folder(root)?;
    let name = root.display().to_string();
    if !files.keys().any(|path| path.contains('/')) {
        let what = "no case files in it: they are expected as SUITE/ROLE/TOPIC.toml";
        return Err(Faults(vec![Fault::of_file(&name, what)]));
    }
    load(&source::embedded_suites(), &files, &name)
}

/// Loads and checks. `root` is how the corpus is named in faults.
///
/// # Errors
/// All faults found, each with file, line and column.
pub fn load(suite_files: &Files, corpus_files: &Files, root: &str) -> Result<Corpus, Faults> {
    read(suite_files, corpus_files, root, true)
}

fn read(
    suite_files: &Files,
    corpus_files: &Files,
    root: &str,
    checked: bool,
) -> Result<Corpus, Faults> {
    let mut faults = Vec::new();
    let mut suites = BTreeMap::new();
    let mut placed_requirements = Vec::new();
    let names: BTreeSet<&str> =
        suite_files.keys().filter_map(|path| path.split_once('/')).map(|(name, _)| name).collect();
    for name in names {
        match read_suite(name, suite_files) {
            Ok((suite, mut requirements)) => {
                suites.insert(suite.name.clone(), suite);
                placed_requirements.append(&mut requirements);
            }
            Err(fault) => faults.push(fault),
        }
    }
    let mut cases = Vec::new();
    let mut retired = BTreeSet::new();
    for (path, text) in corpus_files {
        let file = format!("{root}/{path}");
        if path == RETIRED {
            match toml::from_str::<Retired>(text) {
                Ok(read) => retired.extend(read.retired),
                Err(error) => faults.push(Fault::of_toml(&file, text, &error)),
            }
            continue;
        }
        read_topic(path, &file, text, &suites, &mut cases, &mut faults);
    }
    if checked {
        let texts = [("suites", suite_files), (root, corpus_files)]
            .into_iter()
            .flat_map(|(root, files)| {
                files.iter().map(move |(path, text)| (format!("{root}/{path}"), text.as_str()))
            })
            .collect();
        lint::check(&suites, &placed_requirements, &cases, &retired, &texts, &mut faults);
    }
    if !faults.is_empty() {
        return Err(Faults(faults));
    }
    let mut cases: Vec<Arc<Case>> = cases.into_iter().map(|placed| placed.case).collect();
    cases.sort_by(|one, other| one.id.cmp(&other.id));
    Ok(Corpus { suites, cases, digest: source::digest(suite_files, corpus_files) })
}

/// Reads one file of cases from anywhere, to be replayed. The suite and the role of each are those
/// that its operation belongs to.
///
/// # Errors
/// All faults found, each with file, line and column.
pub fn file(corpus: &Corpus, path: &Path) -> Result<Vec<Arc<Case>>, Faults> {
    let name = path.display().to_string();
    let one = |fault| Faults(vec![fault]);
    let text = std::fs::read_to_string(path)
        .map_err(|error| one(Fault::of_file(&name, error.to_string())))?;
    let raw: RawTopic =
        toml::from_str(&text).map_err(|error| one(Fault::of_toml(&name, &text, &error)))?;
    let topic =
        path.file_stem().map_or("file".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let mut cases = Vec::new();
    for spanned in raw.case {
        let offset = spanned.span().start;
        let case = spanned.into_inner();
        let first = case.step.first().and_then(|step| step.operation.as_deref());
        let operation = case.operation.as_deref().or(raw.operation.as_deref()).or(first);
        let role = operation.and_then(|operation| {
            corpus
                .suites
                .values()
                .flat_map(|suite| &suite.roles)
                .find(|role| role.operations.iter().any(|own| own == operation))
        });
        let read = match role {
            None => Err("no role has its operation".to_owned()),
            Some(role) => {
                let suite = role.name.split('/').next().unwrap_or_default();
                read_case(case, raw.operation.as_deref(), suite, &role.name, &topic)
            }
        };
        let case = read.map_err(|what| one(Fault::at(&name, &text, offset, what)))?;
        let known = |id: &&String| corpus.requirement(id).is_none();
        if let Some(unknown) = case.requirements.iter().find(known) {
            let what = format!("there is no requirement {unknown}");
            return Err(one(Fault::at(&name, &text, offset, what)));
        }
        if let Some(what) = lint::alone(&corpus.suites, &case) {
            let what = format!("case {}: {what}", case.short_id());
            return Err(one(Fault::at(&name, &text, offset, what)));
        }
        cases.push(Arc::new(case));
    }
    if cases.is_empty() {
        return Err(one(Fault::of_file(&name, "there is no case in it")));
    }
    Ok(cases)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Retired {
    retired: Vec<String>,
}

fn read_suite(name: &str, files: &Files) -> Result<(Suite, Vec<PlacedRequirement>), Fault> {
    let read = |file: &str| {
        let path = format!("{name}/{file}");
        files
            .get(&path)
            .map(|text| (format!("suites/{path}"), text.as_str()))
            .ok_or_else(|| Fault::of_file(&format!("suites/{path}"), "the file is missing"))
    };
    let (file, text) = read("roles.toml")?;
    let roles: RawRoles =
        toml::from_str(text).map_err(|error| Fault::of_toml(&file, text, &error))?;
    if roles.suite != name {
        let what = format!("`suite` is {:?}, and the folder is {name:?}", roles.suite);
        return Err(Fault::of_file(&file, what));
    }
    let (file, text) = read("requirements.toml")?;
    let requirements: RawRequirements =
        toml::from_str(text).map_err(|error| Fault::of_toml(&file, text, &error))?;
    let placed: Vec<PlacedRequirement> = requirements
        .requirement
        .into_iter()
        .map(|spanned| PlacedRequirement {
            file: file.clone(),
            offset: spanned.span().start,
            requirement: spanned.into_inner(),
        })
        .collect();
    let (file, text) = read("operations.schema.json")?;
    let operations = Operations::read(text).map_err(|what| Fault::of_file(&file, what))?;
    let suite = Suite {
        name: name.to_owned(),
        version: roles.version,
        title: roles.title,
        about: roles.about,
        roles: roles
            .role
            .into_iter()
            .map(|role| Role {
                name: format!("{name}/{}", role.id),
                title: role.title,
                about: role.about,
                operations: role.operations,
                requires: role.requires,
            })
            .collect(),
        requirements: placed.iter().map(|placed| placed.requirement.clone()).collect(),
        operations,
    };
    Ok((suite, placed))
}

fn read_topic(
    path: &str,
    file: &str,
    text: &str,
    suites: &BTreeMap<String, Suite>,
    cases: &mut Vec<Placed>,
    faults: &mut Vec<Fault>,
) {
    let parts: Vec<&str> = path.trim_end_matches(".toml").split('/').collect();
    let [suite, role, topic] = parts.as_slice() else {
        faults.push(Fault::of_file(file, "a case file is SUITE/ROLE/TOPIC.toml"));
        return;
    };
    let role_name = format!("{suite}/{role}");
    let known = suites
        .get(*suite)
        .is_some_and(|suite| suite.roles.iter().any(|role| role.name == role_name));
    if !known {
        faults.push(Fault::of_file(file, format!("there is no role {role_name}")));
        return;
    }
    let raw: RawTopic = match toml::from_str(text) {
        Ok(raw) => raw,
        Err(error) => {
            faults.push(Fault::of_toml(file, text, &error));
            return;
        }
    };
    if raw.about.trim().is_empty() {
        faults.push(Fault::of_file(file, "`about` is empty"));
    }
    for spanned in raw.case {
        let offset = spanned.span().start;
        let id = spanned.get_ref().id.clone();
        match read_case(spanned.into_inner(), raw.operation.as_deref(), suite, &role_name, topic) {
            Ok(case) => {
                cases.push(Placed { case: Arc::new(case), file: file.to_owned(), offset });
            }
            Err(what) => faults.push(Fault::at(file, text, offset, format!("case {id}: {what}"))),
        }
    }
}

fn read_case(
    raw: RawCase,
    topic_operation: Option<&str>,
    suite: &str,
    role: &str,
    topic: &str,
) -> Result<Case, String> {
    let default = raw.operation.as_deref().or(topic_operation).map(str::to_owned);
    let alone = |params, expect| RawStep {
        operation: None,
        params,
        expect,
        save: None,
        restart: false,
        times: None,
        distinct: None,
    };
    let steps = match (raw.params, raw.expect, raw.step.is_empty()) {
        (Some(params), Some(expect), true) => {
            vec![read_step(alone(params, expect), default.as_deref())?]
        }
        (None, None, false) => raw
            .step
            .into_iter()
            .enumerate()
            .map(|(index, raw)| {
                read_step(raw, default.as_deref())
                    .map_err(|what| format!("step {}: {what}", index + 1))
            })
            .collect::<Result<_, String>>()?,
        _ => return Err("a case has either `params` and `expect`, or `step` tables".to_owned()),
    };
    let in_full = |id: String| {
        if id.contains('/') { id } else { format!("{role}/{topic}/{id}") }
    };
    Ok(Case {
        id: format!("{role}/{topic}/{}", raw.id),
        suite: suite.to_owned(),
        role: role.to_owned(),
        topic: topic.to_owned(),
        requirements: raw.requirements,
        why: raw.why,
        twin: raw.twin.map(in_full),
        no_twin: raw.no_twin,
        source: raw.source,
        steps,
        claims: raw.claims,
        servers: raw
            .servers
            .iter()
            .map(|(name, value)| Ok((name.clone(), toml_json::to_json(value)?)))
            .collect::<Result<_, String>>()?,
        witness: raw.witness.as_ref().map(toml_json::to_json).transpose()?,
    })
}

fn read_step(raw: RawStep, default: Option<&str>) -> Result<Step, String> {
    let params = toml_json::to_json(&raw.params).map_err(|what| format!("params: {what}"))?;
    if !params.is_object() {
        return Err("`params` is no table".to_owned());
    }
    let times = raw.times.unwrap_or(1);
    if times == 0 || times > MAX_TIMES {
        return Err(format!("`times` is between 1 and {MAX_TIMES}"));
    }
    if raw.distinct.as_ref().is_some_and(|at| times < 2 || !at.starts_with('/')) {
        return Err("`distinct` is a JSON Pointer, of a step that is asked several times".into());
    }
    Ok(Step {
        operation: raw.operation.as_deref().or(default).ok_or("no operation is named")?.to_owned(),
        params: Params::new(params).map_err(|what| format!("params: {what}"))?,
        expect: raw.expect.read().map_err(|what| format!("expect: {what}"))?,
        save: raw.save,
        restart: raw.restart,
        times,
        distinct: raw.distinct,
    })
}
