//! Hellos that are none, and hellos that are odd.

use serde_json::{Value, json};

use crate::Named;
use crate::harness::{Run, subject};

pub const TRIALS: &[Named] = &[
    ("a banner before hello", banner),
    ("hello refused, unsupported, at fault", not_ok),
    ("hello with another id, no id, no JSON", not_hello),
    ("hello with members missing or of another type", shapes),
    ("hello of another protocol", protocols),
    ("in_flight of 0, less, more and none", in_flights),
    ("a nested hello, deep", nested),
    ("no role, and roles that are not known", roles),
    ("a role twice", role_twice),
    ("a name of 1 MiB", || big("name")),
    ("a role's name of 1 MiB", || big("role")),
    ("a hundred thousand roles", many_roles),
    ("check finds hello wanting", check),
];

fn hello() -> Value {
    json!({
        "protocol": 1,
        "implementation": { "name": "gauntlet", "version": "1", "language": "Rust" },
        "roles": ["jcs/signer"],
    })
}

fn says(value: &Value) -> Run {
    Run::of(&["run", "--format", "json"], subject(&["hello", &value.to_string()]))
}

fn line(template: &str) -> Run {
    Run::new(subject(&["hello-line", template]))
}

fn banner() {
    line("Adapter 1.0 ready%0A{\"id\":$id,$result}")
        .go()
        .ends_with(3)
        .says("did not say hello")
        .says("Adapter 1.0 ready")
        .within(20);
}

fn not_ok() {
    let replies = [
        (r#"{"id":$id,"refused":{"message":"not you"}}"#, "not you"),
        (r#"{"id":$id,"unsupported":{}}"#, "unsupported"),
        (r#"{"id":$id,"fault":{"message":"no database"}}"#, "no database"),
    ];
    for (reply, words) in replies {
        line(reply).go().ends_with(3).says("it answered hello with").says(words).within(20);
    }
}

fn not_hello() {
    for reply in [r#"{"id":7,$result}"#, "{$result}", "hello!", "", "%FF%FE"] {
        line(reply).go().ends_with(3).says("the adapter broke the protocol").within(20);
    }
}

fn shapes() {
    for member in ["implementation", "roles", "protocol"] {
        let mut lacking = hello();
        lacking.as_object_mut().expect("hello is an object").remove(member);
        says(&lacking).go().ends_with(3).says("another shape").says(member);
    }
    for (member, wrong) in [
        ("protocol", json!("1")),
        ("protocol", json!(1.5)),
        ("roles", json!("jcs/signer")),
        ("roles", json!([1])),
        ("implementation", json!("gauntlet")),
        ("implementation", json!({ "name": "gauntlet", "version": 1, "language": "Rust" })),
        ("in_flight", json!("4")),
    ] {
        let mut odd = hello();
        odd[member] = wrong;
        says(&odd).go().ends_with(3).says("another shape");
    }
    for whole in [json!(null), json!([]), json!(true)] {
        says(&whole).go().ends_with(3).says("another shape");
    }
}

fn protocols() {
    for version in [0, 2, 4_000_000_000_u64] {
        let mut other = hello();
        other["protocol"] = json!(version);
        other.as_object_mut().expect("hello is an object").remove("roles");
        says(&other).go().ends_with(3).says(&format!("it speaks protocol {version}"));
    }
}

fn in_flights() {
    for wrong in [json!(0), json!(-1), json!(1.5)] {
        let mut odd = hello();
        odd["in_flight"] = wrong;
        says(&odd).go().ends_with(3).says("another shape");
    }
    for right in [json!(null), json!(1), json!(10_000), json!(u64::MAX)] {
        let mut odd = hello();
        odd["in_flight"] = right;
        says(&odd).go().ends_with(0).report().is("conformant");
    }
}

fn nested() {
    let deep = format!("{{\"id\":$id,\"ok\":{}{}}}", "[".repeat(5000), "]".repeat(5000));
    line(&deep).go().ends_with(3).says("the adapter broke the protocol").within(20);
}

fn roles() {
    let mut none = hello();
    none["roles"] = json!([]);
    says(&none).go().ends_with(4).says("claims no role");
    let mut unknown = hello();
    unknown["roles"] = json!(["jcs/juggler"]);
    says(&unknown).go().ends_with(4).says("jcs/juggler");
    let mut among = hello();
    among["roles"] = json!(["jcs/juggler", "jcs/signer", "", "signer"]);
    let report = says(&among).go().ends_with(0).report();
    assert_eq!(report.roles().len(), 1);
    report.is("conformant");
    assert_eq!(report.value["unknown_roles"], json!(["jcs/juggler", "", "signer"]));
}

fn role_twice() {
    let mut twice = hello();
    twice["roles"] = json!(["jcs/signer", "jcs/signer"]);
    let report = says(&twice).go().ends_with(0).report();
    assert_eq!(report.roles().len(), 1);
}

fn big(what: &str) {
    for format in ["json", "text", "junit"] {
        let words = ["run", "--role", "jcs/signer", "--format", format];
        let outcome = Run::of(&words, subject(&["big-hello", what])).go().ends_with(0);
        let long = outcome.stdout.len() + outcome.stderr.len();
        assert!(long < 500_000, "{format} of {long} bytes");
    }
}

fn many_roles() {
    Run::new(subject(&["big-hello", "roles"])).go().ends_with(3).says("more than 1000 roles");
}

fn check() {
    for reply in [r#"{"id":$id,"refused":{}}"#, "hello!"] {
        let outcome = Run::of(&["check"], subject(&["hello-line", reply])).go().ends_with(3);
        assert!(outcome.stdout.contains("FAULT  hello"), "{}", outcome.stdout);
    }
    let outcome = Run::of(&["check"], subject(&["honest", "8"])).go().ends_with(0);
    assert!(outcome.stdout.contains("The adapter is sound"), "{}", outcome.stdout);
}
