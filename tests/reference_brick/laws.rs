//! What holds for whatever manifest?

use proptest::prelude::*;

use super::*;

fn shuffled(value: &Value, order: &mut dyn FnMut(usize) -> usize) -> String {
    match value {
        Value::Object(members) => {
            let mut left: Vec<_> = members.iter().collect();
            let mut parts = Vec::new();
            while !left.is_empty() {
                let (name, inner) = left.remove(order(left.len()));
                parts.push(format!("{}: {}", json!(name), shuffled(inner, order)));
            }
            format!("{{ {} }}", parts.join(" , "))
        }
        Value::Array(items) => {
            let parts: Vec<_> = items.iter().map(|item| shuffled(item, order)).collect();
            format!("[\n{}\t]", parts.join(","))
        }
        other => other.to_string(),
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z~/]{0,4}", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// The order of members and white space mean nothing.
    #[test]
    fn is_a_reordered_manifest_the_same(seed in any::<u64>()) {
        let mut state = seed;
        let text = shuffled(&appendix(), &mut |length| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % length
        });
        prop_assert!(validate(text.as_bytes(), &none()).is_ok());
        prop_assert_eq!(card(&serde_json::from_str(&text).unwrap()), card(&appendix()));
        let direct = project(text.as_bytes(), &none(), &Supports::default());
        let plain = project(APPENDIX_A.as_bytes(), &none(), &Supports::default());
        prop_assert_eq!(direct, plain);
    }

    /// Whatever stands anywhere, there is an answer; and a refusal's places exist.
    #[test]
    fn is_any_manifest_answered(value in any_json(), which in 0_usize..24) {
        let places = [
            "/agent", "/agent/id", "/goals", "/goals/0", "/instructions", "/instructions/0", "/skills/0/uri",
            "/skills/0/sha256", "/skills/0/x", "/mcpServers", "/mcpServers/0", "/mcpServers/0/id",
            "/mcpServers/0/transport", "/mcpServers/0/endpoint", "/mcpServers/0/allowedTools", "/capabilities",
            "/capabilities/0", "/capabilities/0/id", "/capabilities/0/skillRefs", "/capabilities/0/toolRefs",
            "/capabilities/0/toolRefs/0", "/a2a", "/extensions", "/runtime",
        ];
        let manifest = with(places[which], value);
        let text = bytes(&manifest);
        let _ = project(&text, &none(), &Supports::default());
        match validate(&text, &none()) {
            Ok(report) => {
                for warning in &report.warnings {
                    prop_assert!(manifest.pointer(&warning.at).is_some(), "{}", warning.at);
                }
                let leads_out = report.warnings.iter().any(|own| own.code == Code::UriEscapes);
                prop_assert_eq!(load(&text, &none(), &Supports::default()).is_ok(), !leads_out);
            }
            Err(refusal) => {
                for fault in &refusal.faults {
                    prop_assert!(manifest.pointer(&fault.at).is_some(), "{}", fault.at);
                }
                prop_assert_eq!(load(&text, &none(), &Supports::default()).unwrap_err(), refusal.clone());
                prop_assert_eq!(expose(&text, &none(), "x").unwrap_err(), refusal);
            }
        }
    }

    /// What serde_json reads without finding a name twice, this reads; what it does not read, this refuses.
    #[test]
    fn is_json_what_it_is_elsewhere(text in "[\\[\\]{},:\" a1e.+\\\\-]{0,12}") {
        let read = Manifest::read(text.as_bytes());
        let is_object = serde_json::from_str::<Value>(&text).is_ok_and(|value| value.is_object());
        match read {
            Ok(_) => prop_assert!(is_object, "{}", text),
            Err(refusal) if refusal.code.as_deref() == Some("duplicate-member") => prop_assert!(is_object),
            Err(_) => prop_assert!(!is_object, "{}", text),
        }
    }
}
