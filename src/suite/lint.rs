//! The rules that every suite and every corpus must keep, one function a rule.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::live;
use crate::suite::Suite;
use crate::suite::case::Case;
use crate::suite::expect::{Expect, Output};
use crate::suite::fault::Fault;
use crate::suite::load::{Placed, PlacedRequirement};
use crate::suite::params;
use crate::suite::requirement::{Level, Origin, Requirement};

/// Built params up to so many bytes are compared as they are sent, larger ones as written.
const COMPARED: usize = 64 * 1024;

/// What the rules look at.
struct Context<'a> {
    suites: &'a BTreeMap<String, Suite>,
    requirements: HashMap<&'a str, &'a Requirement>,
    cases: &'a [Placed],
    by_id: HashMap<&'a str, &'a Placed>,
    retired: &'a BTreeSet<String>,
    /// Whether every file and every case could be read: only then is something missing.
    whole: bool,
}

/// What is wrong with a case that stands in a file of its own, where no other case is at hand.
pub(super) fn alone(suites: &BTreeMap<String, Suite>, case: &Case) -> Option<String> {
    let context = Context {
        suites,
        requirements: HashMap::new(),
        cases: &[],
        by_id: HashMap::new(),
        retired: &BTreeSet::new(),
        whole: false,
    };
    let rules: [CaseRule; 5] = [
        operations_are_known,
        outputs_are_named,
        schemas_are_sound,
        saved_names_are_used_later,
        servers_are_sound,
    ];
    rules.iter().find_map(|rule| rule(&context, case))
}

/// A rule on one case: what is wrong, if anything.
type CaseRule = fn(&Context<'_>, &Case) -> Option<String>;

const CASE_RULES: &[CaseRule] = &[
    id_is_plain,
    id_is_not_retired,
    words_are_there,
    requirements_are_known,
    operations_are_known,
    refusal_has_a_twin,
    twin_is_accepted,
    readings_are_named,
    outputs_are_named,
    schemas_are_sound,
    claims_are_known,
    operations_can_be_asked_for,
    saved_names_are_used_later,
    servers_are_sound,
];

/// Holds everything against every rule.
pub(super) fn check(
    suites: &BTreeMap<String, Suite>,
    requirements: &[PlacedRequirement],
    cases: &[Placed],
    retired: &BTreeSet<String>,
    texts: &BTreeMap<String, &str>,
    faults: &mut Vec<Fault>,
) {
    let text_of = |file: &str| texts.get(file).copied().unwrap_or_default();
    let place = |placed: &Placed, what: String| {
        let what = format!("case {}: {what}", placed.case.short_id());
        Fault::at(&placed.file, text_of(&placed.file), placed.offset, what)
    };
    let context = Context {
        suites,
        requirements: requirements
            .iter()
            .map(|placed| (placed.requirement.id.as_str(), &placed.requirement))
            .collect(),
        cases,
        by_id: cases.iter().map(|placed| (placed.case.id.as_str(), placed)).collect(),
        retired,
        whole: faults.is_empty(),
    };
    let place_requirement = |placed: &PlacedRequirement, what: String| {
        Fault::at(&placed.file, text_of(&placed.file), placed.offset, what)
    };
    requirements_are_sound(&context, requirements, |placed, what| {
        let what = format!("{}: {what}", placed.requirement.id);
        faults.push(place_requirement(placed, what));
    });
    for placed in cases {
        for rule in CASE_RULES {
            faults.extend(rule(&context, &placed.case).map(|what| place(placed, what)));
        }
    }
    let mut ids = BTreeSet::new();
    for placed in cases {
        if !ids.insert(placed.case.id.as_str()) {
            faults.push(place(placed, "another case has this id".to_owned()));
        }
    }
    same_params(cases, |placed, what| faults.push(place(placed, what)));
    if context.whole {
        every_must_has_a_case(&context, requirements, |placed, what| {
            faults.push(place_requirement(placed, what));
        });
    }
}

fn requirements_are_sound(
    context: &Context<'_>,
    requirements: &[PlacedRequirement],
    mut found: impl FnMut(&PlacedRequirement, String),
) {
    let mut ids = BTreeSet::new();
    for placed in requirements {
        let requirement = &placed.requirement;
        let mut wrong = |what: String| found(placed, what);
        if !ids.insert(requirement.id.as_str()) {
            wrong("another requirement has this id".to_owned());
        }
        // Robustness is the exception: what crashes is no implementation, whatever a text says.
        let exempt = requirement.is_robustness();
        if requirement.origin == Origin::Suite && requirement.level == Level::Must && !exempt {
            wrong("a rule of origin `suite` is never a must".to_owned());
        }
        for role in &requirement.roles {
            let known = context
                .suites
                .values()
                .flat_map(|suite| &suite.roles)
                .any(|known| known.name == *role);
            if !known {
                wrong(format!("there is no role {role}"));
            }
        }
        let is_reading = requirement.level == Level::Reading;
        if is_reading != (requirement.readings.len() >= 2) {
            wrong("a reading, and nothing else, has two or more `readings`".to_owned());
        }
        let reference = requirement.reference.as_ref();
        let named = requirement.profiles.iter().map(|profile| &profile.name);
        let known = reference.is_some_and(|reference| {
            requirement.readings.contains_key(reference)
                || named.clone().any(|name| name == reference)
        });
        if is_reading != known {
            wrong("a reading, and nothing else, says which one the `reference` takes".to_owned());
        }
    }
}

fn every_must_has_a_case(
    context: &Context<'_>,
    requirements: &[PlacedRequirement],
    mut found: impl FnMut(&PlacedRequirement, String),
) {
    let cited: BTreeSet<&str> = context
        .cases
        .iter()
        .flat_map(|placed| &placed.case.requirements)
        .map(String::as_str)
        .collect();
    for placed in requirements {
        let requirement = &placed.requirement;
        // A corpus without a folder for a suite does not judge that suite.
        let judged =
            context.cases.iter().any(|placed| requirement.roles.contains(&placed.case.role));
        let suite = requirement.roles.first().and_then(|role| role.split('/').next());
        let suite_judged = context.cases.iter().any(|placed| suite == Some(&placed.case.suite));
        if requirement.level == Level::Must
            && (judged || suite_judged)
            && !cited.contains(requirement.id.as_str())
        {
            found(placed, format!("no case tests {} ({})", requirement.id, requirement.title));
        }
    }
}

fn same_params(cases: &[Placed], mut wrong: impl FnMut(&Placed, String)) {
    let mut seen: HashMap<[u8; 32], &str> = HashMap::new();
    for placed in cases.iter().filter(|placed| placed.case.is_single()) {
        let Some(step) = placed.case.steps.first() else { continue };
        let params: String = if step.params.built_bytes() > COMPARED {
            step.params.written().to_string()
        } else {
            step.params.value().to_string()
        };
        let key = Sha256::digest(format!("{}\n{params}", step.operation)).into();
        if let Some(other) = seen.insert(key, &placed.case.id) {
            wrong(placed, format!("the same operation and params as {other}"));
        }
    }
}

fn id_is_plain(_: &Context<'_>, case: &Case) -> Option<String> {
    let plain = |part: &str| {
        !part.is_empty()
            && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    (!case.id.split('/').all(plain) || case.id.split('/').count() != 4)
        .then(|| "ids and topics are lower-case letters, digits and hyphens".to_owned())
}

fn id_is_not_retired(context: &Context<'_>, case: &Case) -> Option<String> {
    context.retired.contains(&case.id).then(|| "this id is retired and is never used again".into())
}

fn words_are_there(_: &Context<'_>, case: &Case) -> Option<String> {
    [("why", &case.why), ("source", &case.source)]
        .into_iter()
        .find(|(_, words)| words.trim().is_empty())
        .map(|(name, _)| format!("`{name}` is empty"))
}

fn requirements_are_known(context: &Context<'_>, case: &Case) -> Option<String> {
    if case.requirements.is_empty() {
        return Some("it tests no requirement".to_owned());
    }
    case.requirements.iter().find_map(|id| match context.requirements.get(id.as_str()) {
        None => Some(format!("there is no requirement {id}")),
        Some(requirement) if !requirement.roles.contains(&case.role) => {
            Some(format!("{id} does not bind the role {}", case.role))
        }
        Some(_) => None,
    })
}

fn operations_are_known(context: &Context<'_>, case: &Case) -> Option<String> {
    let suite = context.suites.get(&case.suite)?;
    if let Some(unknown) = case.operations().find(|name| suite.operations.get(name).is_none()) {
        return Some(format!("the suite has no operation {unknown}"));
    }
    let role = suite.roles.iter().find(|role| role.name == case.role)?;
    let of_role = case.operations().any(|name| role.operations.iter().any(|own| own == name));
    (!of_role).then(|| format!("none of its operations is one of {}", case.role))
}

fn is_robustness(context: &Context<'_>, case: &Case) -> bool {
    case.requirements.iter().all(|id| {
        context.requirements.get(id.as_str()).is_some_and(|requirement| requirement.is_robustness())
    })
}

fn refusal_has_a_twin(context: &Context<'_>, case: &Case) -> Option<String> {
    match (&case.twin, &case.no_twin) {
        (Some(_), Some(_)) => Some("it has both `twin` and `no_twin`".to_owned()),
        (None, Some(reason)) if reason.trim().is_empty() => Some("`no_twin` is empty".to_owned()),
        (None, None) if case.is_refusal() && !is_robustness(context, case) => Some(
            "a refusal needs a `twin` that must be accepted, or `no_twin` with the reason".into(),
        ),
        _ => None,
    }
}

fn twin_is_accepted(context: &Context<'_>, case: &Case) -> Option<String> {
    let id = case.twin.as_deref()?;
    match context.by_id.get(id) {
        None => context.whole.then(|| format!("its twin {id} is no case")),
        Some(twin) if !twin.case.is_acceptance() => {
            Some(format!("its twin {id} is not one that must be accepted"))
        }
        Some(_) => None,
    }
}

fn readings_are_named(context: &Context<'_>, case: &Case) -> Option<String> {
    let cited: Vec<&&Requirement> = case
        .requirements
        .iter()
        .filter_map(|id| context.requirements.get(id.as_str()))
        .filter(|requirement| requirement.level == Level::Reading)
        .collect();
    let names: Vec<&String> = case
        .steps
        .iter()
        .filter_map(|step| match &step.expect {
            Expect::Readings(readings) => Some(readings.keys()),
            _ => None,
        })
        .flatten()
        .collect();
    match (cited.as_slice(), names.is_empty()) {
        ([], true) => None,
        ([], false) => {
            let robust = case.requirements.iter().any(|id| {
                context.requirements.get(id.as_str()).is_some_and(|found| found.is_robustness())
            });
            (!robust).then(|| "it expects readings and cites no reading".to_owned())
        }
        ([_], true) => Some("it cites a reading and expects none".to_owned()),
        ([reading], false) => names
            .iter()
            .find(|name| !reading.readings.contains_key(name.as_str()))
            .map(|name| format!("{} has no reading {name}", reading.id)),
        _ => Some("it cites more than one reading".to_owned()),
    }
}

/// A misspelt member would be ignored like any that the operation does not name, and `includes` would
/// then hold of whatever comes.
fn outputs_are_named(context: &Context<'_>, case: &Case) -> Option<String> {
    let suite = context.suites.get(&case.suite)?;
    case.steps.iter().find_map(|step| {
        let operation = suite.operations.get(&step.operation)?;
        let unnamed = |expect: &Expect| match expect {
            Expect::Ok(accepted) => match &accepted.output {
                Output::Equals(value) | Output::Includes(value) => {
                    operation.unnamed(value.written())
                }
                _ => None,
            },
            _ => None,
        };
        let at = match &step.expect {
            Expect::Readings(readings) => readings.values().find_map(unnamed),
            expect => unnamed(expect),
        }?;
        Some(format!("the output of {} has no member {at}", step.operation))
    })
}

/// A schema that is none would fail whatever comes.
fn schemas_are_sound(context: &Context<'_>, case: &Case) -> Option<String> {
    let suite = context.suites.get(&case.suite)?;
    case.steps.iter().find_map(|step| {
        let operation = suite.operations.get(&step.operation)?;
        let wrong = |expect: &Expect| match expect {
            Expect::Ok(accepted) => match &accepted.output {
                Output::Schema(schema) => {
                    operation.check_schema(schema).err().map(|what| format!("`schema`: {what}"))
                }
                _ => None,
            },
            _ => None,
        };
        match &step.expect {
            Expect::Readings(readings) => readings.values().find_map(wrong),
            expect => wrong(expect),
        }
    })
}

/// Roles that a case wants claimed must be known, and further ones.
fn claims_are_known(context: &Context<'_>, case: &Case) -> Option<String> {
    case.claims.iter().find_map(|name| {
        let known =
            context.suites.values().flat_map(|suite| &suite.roles).any(|role| role.name == *name);
        match known {
            false => Some(format!("`claims`: there is no role {name}")),
            true if *name == case.role => Some("`claims` names the case's own role".to_owned()),
            true => None,
        }
    })
}

/// A subject that claims the role need not offer the operations of another.
fn operations_can_be_asked_for(context: &Context<'_>, case: &Case) -> Option<String> {
    let suite = context.suites.get(&case.suite)?;
    let offered = |operation: &str| {
        suite
            .roles
            .iter()
            .filter(|role| role.name == case.role || case.claims.contains(&role.name))
            .any(|role| role.operations.iter().any(|own| own == operation))
    };
    let role = suite.roles.iter().find(|role| role.name == case.role)?;
    if !case.operations().any(|name| role.operations.iter().any(|own| own == name)) {
        // Another rule says so.
        return None;
    }
    let known = |operation: &&str| suite.operations.get(operation).is_some();
    case.operations()
        .filter(known)
        .find(|operation| !offered(operation))
        .map(|operation| format!("{operation} belongs to another role: name that role in `claims`"))
}

/// Servers and witness are read when the corpus is loaded: a misspelt key would watch nothing.
fn servers_are_sound(_: &Context<'_>, case: &Case) -> Option<String> {
    if case.servers.is_empty() && case.witness.is_none() {
        return None;
    }
    live::Script::read(&case.servers, case.witness.as_ref()).err()
}

/// `{{name.…}}` in params must have been saved by an earlier step, or name a server.
fn saved_names_are_used_later(_: &Context<'_>, case: &Case) -> Option<String> {
    let mut saved: BTreeSet<&str> = BTreeSet::new();
    if !case.servers.is_empty() {
        saved.insert("servers");
    }
    for step in &case.steps {
        let mut unknown = None;
        let mut look = |value: &Value| {
            names_in(value, &mut |name| {
                if !saved.contains(name) {
                    unknown = Some(format!("`{{{{{name}…}}}}` was not saved by an earlier step"));
                }
            });
        };
        look(step.params.written());
        step.expect.for_each_value(&mut look);
        if case.has_references() && unknown.is_some() {
            return unknown;
        }
        if step.save.is_some() && !step.expect.may_be_accepted() {
            return Some("it saves the output of a step that is never accepted".to_owned());
        }
        saved.extend(step.save.as_deref());
    }
    None
}

/// Names in references, and what follows `{{` where it is closed nowhere.
fn names_in(value: &Value, found: &mut impl FnMut(&str)) {
    if params::is_put_together(value) {
        return;
    }
    match value {
        Value::String(text) => {
            let mut rest = text.as_str();
            while let Some((_, after)) = rest.split_once("{{") {
                let Some((name, after)) = after.split_once("}}") else { return found(after) };
                found(name.split('.').next().unwrap_or(name));
                rest = after;
            }
        }
        Value::Array(elements) => elements.iter().for_each(|element| names_in(element, found)),
        Value::Object(members) => members.values().for_each(|member| names_in(member, found)),
        _ => {}
    }
}
