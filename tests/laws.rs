//! Are laws tried, shrunk, kept and shown as they promise?

mod workplace;

use std::collections::BTreeSet;

use proofmark::registry;
use proofmark::suite::load;
use serde_json::Value;
use workplace::Workplace;

#[test]
fn does_every_law_speak_for_known_requirements_of_its_role() {
    let corpus = load::embedded().expect("the embedded corpus is sound");
    let mut ids = BTreeSet::new();
    for law in registry::laws() {
        assert!(ids.insert(law.id), "{} is there twice", law.id);
        assert!(!law.requirements.is_empty(), "{} speaks for nothing", law.id);
        let (suite, _) = law.id.split_once('/').expect("SUITE/NAME");
        assert!(law.role.starts_with(&format!("{suite}/")), "{}: {}", law.id, law.role);
        for id in law.requirements {
            let requirement = corpus.requirement(id);
            let requirement = requirement.unwrap_or_else(|| panic!("{}: no {id}", law.id));
            assert!(requirement.roles.iter().any(|role| role == law.role), "{}: {id}", law.id);
        }
        let of_suite = &corpus.suites[suite].roles;
        let role = of_suite.iter().find(|role| role.name == law.role).expect("a known role");
        assert!(law.operations.iter().any(|one| role.operations.iter().any(|own| own == one)));
        for operation in law.operations {
            let offered = of_suite.iter().flat_map(|role| &role.operations);
            assert!(offered.into_iter().any(|own| own == operation), "{}: {operation}", law.id);
        }
    }
}

/// The laws of a report, by id.
fn laws(report: &Value) -> Vec<(String, Value)> {
    let roles = report["roles"].as_array().expect("roles");
    let laws = roles.iter().flat_map(|role| role["laws"].as_array().expect("laws"));
    laws.map(|law| (law["id"].as_str().expect("an id").to_owned(), law.clone())).collect()
}

#[test]
fn does_the_reference_keep_every_law() {
    let place = Workplace::new();
    let run =
        ["run", "--law-cases", "200", "--seed", "another", "--case", "*/*", "--format", "json"];
    let report = place.proofmark(&run).ends_with(0).json();
    let laws = laws(&report);
    assert_eq!(laws.len(), registry::laws().len());
    for (id, law) in laws {
        assert_eq!(law["verdict"], "pass", "{id}: {law:#}");
        assert_eq!(law["inputs"], 200, "{id}");
        assert_eq!(law["counterexample"], Value::Null, "{id}");
    }
}
