//! The portability pass: which strings travel, where, and which offender is reported.

use serde_json::{Value, json};

use crate::sample::*;

fn claim(text: &str) -> Value {
    set(open(), "/identity_mapping_evidence/claims/0/value", json!(text))
}

fn at(value: &Value) -> (&'static str, String) {
    let result = decode(value);
    (verdict(&result), result.err().map(|error| error.pointer()).unwrap_or_default())
}

/// `length` characters, as the pattern repeats.
fn long(pattern: &str, length: usize) -> String {
    pattern.chars().cycle().take(length).collect()
}

#[test]
fn shapes() {
    let signature = long("Ab9_", 43);
    let bytes = |count: usize| vec!["aB"; count].join(":");
    let passes = [
        "local-subject-42",
        "a",
        " ",
        "0.1.0-dev.abc",
        "com.example.commerce",
        "----BEGIN",
        "-----begin x",
        "BEGIN-----",
        "123e4567-e89b-12d3-a456-426614174000",
        "123E4567-E89B-12D3-A456-426614174000",
        // Addresses without an authority.
        "file:///x",
        "a//b",
        "://x",
        "1://x",
        "https://",
        "https:// x",
        "https://?x",
        "https://#x",
        "https:///x",
        "//",
        "///x",
        "// x",
        "https:/x",
        "+.-://x",
        "mailto:a@b.example",
        // Three parts that are no signature.
        "a.b.c",
        &format!("a.b.{}", &signature[..42]),
        &format!(".b.{signature}"),
        &format!("a.b!.{signature}"),
        &format!("a.b.c.{signature}"),
        // Keys that are too short.
        &long("aB3", 31),
        &long("Ab9_", 42),
        &long("a-b", 42),
        &long("a/b", 42),
        &format!("{}=", long("a/b", 31)),
        &format!("{}=======", long("a/b", 40)),
        &format!("{}=a", long("a/b", 40)),
        &format!("{} x", long("a", 50)),
        &bytes(23),
        &format!("{}:", bytes(23)),
        &format!("{}:xyz", bytes(24)),
        &format!("{}:123", bytes(24)),
        "aa:bb:cc:dd:ee:ff",
        // Not of the alphabet as a whole.
        &format!("{}é", long("a", 50)),
        &format!("{}\n", long("a", 50)),
        &format!("{}\n", long("a_B", 50)),
    ];
    for text in passes {
        assert_eq!(at(&claim(text)).0, "ok", "{text:?}");
    }
    let denied = [
        "-----BEGIN PRIVATE KEY-----",
        "x -----BEGIN",
        "-----BEGIN",
        "https://a",
        "x https://a y",
        "a+b.c-d://x",
        "0a://x",
        "h://é",
        "file://host/x",
        "//a",
        "//a/b",
        "http:////x http://a",
        &format!("a.b.{signature}"),
        &format!("a..{signature}"),
        &format!("A-_.b.{signature}"),
        &long("a", 32),
        &long("aB3", 34),
        &long("aB3", 35),
        &long("aB3", 36),
        &long("0123456789abcdef", 64),
        &long("Ab9_", 43),
        &long("Ab9-", 44),
        &long("Ab9_", 46),
        &long("a-b", 50),
        // Lengths that encode no whole number of bytes.
        &long("aB3", 33),
        &long("aB3", 37),
        &long("aB3", 41),
        &long("Ab9_", 45),
        &long("Ab9_", 49),
        &long("Ab9_", 53),
        &format!("{}=", long("a/b", 32)),
        &format!("{}======", long("a", 32)),
        &long("a/b", 43),
        &long("a+b", 60),
        &bytes(24),
        &bytes(40),
        &vec!["0"; 24].join(":"),
        "123e4567-e89b-12d3-a456-426614174000-123e4567-e89b-12d3-a456",
    ];
    for text in denied {
        let expected =
            ("forbidden_portable_value", "/identity_mapping_evidence/claims/0".to_owned());
        assert_eq!(at(&claim(text)), expected, "{text:?}");
    }
}

#[test]
fn identifiers_may_be_long_labels() {
    for name in [
        "task_identity",
        "idempotency_identity",
        "recovery_handle",
        "issuer",
        "subject",
        "audience",
        "initiating_subject",
    ] {
        let with = |text: &str| set(open(), &format!("/{name}"), json!(text));
        for text in [
            &long("ab-", 60),
            &long("a_b", 512),
            &long("a", 31),
            "123e4567-e89b-12d3-a456-426614174000",
        ] {
            assert_eq!(at(&with(text)).0, "ok", "{name} {text}");
        }
        let signature = long("ab9_", 43);
        for text in [
            &long("a", 32),
            &long("0123456789abcdef", 64),
            &format!("a.b.{signature}"),
            &long("a", 33),
        ] {
            assert_eq!(at(&with(text)), ("forbidden_portable_value", format!("/{name}")), "{text}");
        }
    }
    let parent = set(open(), "/initiating_subject", json!("subject-0"));
    let parent = set(parent, "/parent_execution_reference", json!(long("a", 40)));
    assert_eq!(at(&parent), ("forbidden_portable_value", "/parent_execution_reference".to_owned()));
    // Elsewhere a label is held to the strict mode.
    assert_eq!(at(&claim(&long("ab-", 60))).0, "forbidden_portable_value");
}

#[test]
fn positions() {
    let build = |member: &str, text: &str| {
        set(open(), &format!("/compatibility_reference/0/{member}"), json!(text))
    };
    let secret = long("0123456789abcdef", 64);
    assert_eq!(
        at(&build("identity", &secret)),
        ("forbidden_portable_value", "/compatibility_reference/identity".to_owned())
    );
    // The name is not looked at, nor is a digest.
    assert_eq!(at(&build("name", &secret)).0, "ok");
    let key_id = |id: &str| {
        let value = set(terminal(), "/evidence_receipt/signature/protected/kid", json!(id));
        set(value, "/evidence_receipt/signature/signed_attributes/key_id", json!(id))
    };
    for id in [secret.as_str(), "-----BEGIN PRIVATE KEY-----", &long("ab-", 43), "https://a"] {
        assert_eq!(
            at(&key_id(id)),
            ("forbidden_portable_value", "/evidence_receipt/signature/kid".to_owned()),
            "{id}"
        );
    }
    assert_eq!(at(&key_id("123e4567-e89b-12d3-a456-426614174000")).0, "ok");
}

#[test]
fn authority() {
    let claims = json!([
        { "kind": "correlation", "value": "fine" },
        { "kind": "authority", "value": "-----BEGIN" },
    ]);
    let value = set(open(), "/identity_mapping_evidence/claims", claims);
    assert_eq!(
        at(&value),
        ("nonportable_content", "/identity_mapping_evidence/claims/1".to_owned())
    );
}

#[test]
fn the_first_offender_in_the_document() {
    let secret = json!(long("a", 40));
    let authority = set(open(), "/identity_mapping_evidence/claims/0/kind", json!("authority"));
    // Canonical order: audience, compatibility, receipt, idempotency, evidence, initiating subject, issuer.
    assert_eq!(at(&set(authority.clone(), "/audience", secret.clone())).1, "/audience");
    assert_eq!(
        at(&set(authority.clone(), "/idempotency_identity", secret.clone())).1,
        "/idempotency_identity"
    );
    assert_eq!(at(&set(authority.clone(), "/issuer", secret.clone())).0, "nonportable_content");
    assert_eq!(at(&set(authority, "/task_identity", secret)).0, "nonportable_content");
}
