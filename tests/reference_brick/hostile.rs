//! Are hostile manifests answered in time, and with bounded reports?

use std::time::{Duration, Instant};

use super::*;

/// The example with a hostile text in place of its capabilities.
fn hostile(capabilities: &str) -> String {
    let at = APPENDIX_A.find("\"capabilities\"").expect("it has capabilities");
    let behind = APPENDIX_A.find(", \"a2a\"").expect("it has a2a");
    format!("{}\"capabilities\": {capabilities}{}", &APPENDIX_A[..at], &APPENDIX_A[behind..])
}

/// Answers in time; what the answer is, is the caller's.
#[track_caller]
fn timely<T>(about: &str, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let answer = run();
    let taken = start.elapsed();
    assert!(taken < Duration::from_secs(60), "{about} took {taken:?}");
    answer
}

#[test]
fn are_hostile_manifests_answered_in_time() {
    let validated = |about: &str, text: &str| {
        timely(about, || validate(text.as_bytes(), &none()).map(drop).map_err(|own| own.code))
    };
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        for depth in [900, 100_000] {
            let nest = format!("{}0{}", open.repeat(depth), close.repeat(depth));
            let text =
                with("/extensions", json!({ "x": "NEST" })).to_string().replace("\"NEST\"", &nest);
            let deep = (depth > 1_000).then(|| "too-deep".to_owned());
            assert_eq!(validated("nesting", &text), deep.map_or(Ok(()), |code| Err(Some(code))));
        }
        let unclosed = open.repeat(1 << 20);
        assert_eq!(validated("unclosed", &unclosed), Err(Some("too-deep".to_owned())));
    }
    let many: Vec<String> = (0..100_000)
        .map(|number| format!(r#"{{"id":"c{number}","description":"d","advertise":true}}"#))
        .collect();
    let text = hostile(&format!("[{}]", many.join(",")));
    assert_eq!(validated("capabilities", &text), Ok(()));
    let card = timely("a large card", || project(text.as_bytes(), &none(), &Supports::default()));
    assert!(card.is_ok_and(|card| card.len() > 100_000 * 50));
    let same: Vec<_> = std::iter::repeat_n("\"billing:lookup_subscription\"", 1 << 16).collect();
    let text =
        hostile(&format!(r#"[{{"id":"a","description":"d","toolRefs":[{}]}}]"#, same.join(",")));
    assert_eq!(validated("references to one tool", &text), Ok(()));
    assert_eq!(expose(text.as_bytes(), &none(), "a").map(|tools| tools.len()), Ok(1));
    let digits = "9".repeat(10_000);
    let text = with("/extensions", json!({ "x": "NUMBER" })).to_string();
    for number in [digits.clone(), format!("-{digits}.{digits}e{digits}")] {
        assert_eq!(validated("digits", &text.replace("\"NUMBER\"", &number)), Ok(()));
    }
    let port = with("/mcpServers/0/endpoint", json!(format!("https://a.example:{digits}/")));
    assert_eq!(validated("a port", &port.to_string()), Err(Some("endpoint".to_owned())));
    let long = "a".repeat(10 << 20);
    assert_eq!(validated("a long name", &with("/agent/name", json!(long)).to_string()), Ok(()));
    let text = with("/agent/name", json!("ab".repeat(5 << 20)));
    assert_eq!(
        validated("a long name, and like a private one", &{
            let mut text = text;
            set(&mut text, "/skills/0/uri", json!("ab".repeat(1 << 20) + "."));
            text.to_string()
        }),
        Ok(())
    );
}

#[test]
fn is_a_report_bounded_however_much_is_wrong() {
    for capabilities in [
        format!("[{}]", vec!["1"; 200_000].join(",")),
        format!("[{}]", vec!["{}"; 200_000].join(",")),
        format!("[{}]", vec![r#"{"id":"a","description":"d"}"#; 100_000].join(",")),
        format!(
            r#"[{{"id":"a","description":"d","toolRefs":[{}]}}]"#,
            vec!["\"a\""; 200_000].join(",")
        ),
        format!(
            r#"[{{"id":"a","description":"d","toolRefs":[{}]}}]"#,
            vec!["1"; 200_000].join(",")
        ),
        format!(r#"[{{"id":"a","description":"d","inputs":[{}]}}]"#, vec!["1"; 200_000].join(",")),
    ] {
        let text = hostile(&capabilities);
        let refusal = timely("many faults", || validate(text.as_bytes(), &none()));
        let refusal = refusal.expect_err("it is refused");
        assert_eq!(refusal.faults.len(), LISTED + 1);
        assert_eq!(refusal.faults.last().map(|own| own.code.as_str()), Some("more"));
    }
    let names: Vec<String> = (0..200_000).map(|number| format!("\"x{number}\":1")).collect();
    let text = APPENDIX_A.replacen('{', &format!("{{{},", names.join(",")), 1);
    let refusal = validate(text.as_bytes(), &none()).expect_err("it is refused");
    assert_eq!(refusal.faults.len(), LISTED + 1);
    let nested =
        APPENDIX_A.replacen("\"agent\": {", &format!("\"agent\": {{{},", names.join(",")), 1);
    let report = validate(nested.as_bytes(), &none()).expect("it is valid");
    assert_eq!(report.warnings.len(), LISTED + 1);
    assert_eq!(report.warnings.last().map(|own| own.code), Some(Code::More));
}

#[test]
fn do_ids_of_every_plane_pass() {
    let ids = [
        "\u{20}",
        "\u{fffd}",
        "\u{10ffff}",
        "e\u{301}\u{301}",
        "\u{202e}\u{2066}",
        "__proto__",
        "<b>",
    ];
    let list: Value = ids.iter().map(|id| json!({ "id": id, "description": "<script>" })).collect();
    let mut manifest = with("/capabilities", list);
    set(&mut manifest, "/extensions", json!({ "__proto__": { "constructor": {} } }));
    for id in ids {
        assert_eq!(expose(&bytes(&manifest), &none(), id), Ok(vec![]), "{id:?}");
    }
}

/// How long a manifest takes to be validated.
fn taken(manifest: &str, resources: &Resources) -> Duration {
    let start = Instant::now();
    assert!(validate(manifest.as_bytes(), resources).is_ok());
    start.elapsed()
}

#[test]
fn is_a_resource_looked_at_once_however_often_it_is_named() {
    let uri = "./x/SKILL.md";
    let manifest = |count: usize, sha256: Option<&str>| {
        let entry = |number| match sha256 {
            Some(digest) => json!({ "id": format!("s{number}"), "uri": uri, "sha256": digest }),
            None => json!({ "id": format!("s{number}"), "uri": uri }),
        };
        let mut manifest = with("/skills", (0..count).map(entry).collect());
        set(&mut manifest, "/capabilities/0/skillRefs", json!([]));
        manifest.to_string()
    };
    let fields: String = (0..6_000).map(|number| format!("k{number}: v\n")).collect();
    let at_hand = resources([(uri, Some(&format!("---\n{fields}---\n")))]);
    // Read anew for each, and each field held against all before it, this takes more than a minute.
    let time = taken(&manifest(300, None), &at_hand);
    assert!(time < Duration::from_secs(15), "{time:?}");
    let report = validate(manifest(1, None).as_bytes(), &at_hand).expect("it is valid");
    assert!((20..30).contains(&report.warnings.len()), "{}", report.warnings.len());

    let text = format!("---\nname: x\ndescription: d\n---\n{}", "x".repeat(4 << 20));
    let at_hand = resources([(uri, Some(&text))]);
    let text = manifest(3_000, Some(&"5f".repeat(32)));
    let start = Instant::now();
    let refusal = validate(text.as_bytes(), &at_hand).expect_err("the digest is another");
    // Hashed anew for each, this is 12 gigabytes.
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!(refusal.code.as_deref(), Some("sha256-mismatch"));
}

#[test]
fn is_a_long_id_with_escapes_read_once_and_not_at_every_comparison() {
    let long = format!("\\u0061{}", "a".repeat(1 << 20));
    let server = |id: &str| {
        format!(r#"{{"id":"{id}","transport":"stdio","endpoint":"x","allowedTools":["t"]}}"#)
    };
    let mut manifest = with("/mcpServers", json!("SERVERS"));
    set(&mut manifest, "/capabilities/0/toolRefs", vec!["s:t"; 20_000].into());
    let servers = format!("[{},{},{}]", server("0"), server(&long), server("s"));
    let text = manifest.to_string().replace("\"SERVERS\"", &servers);
    let time = taken(&text, &none());
    assert!(time < Duration::from_secs(5), "references: {time:?}");

    let servers: Vec<String> = (0..20_000).map(|number| server(&format!("s{number}"))).collect();
    let capabilities =
        ["LONG", "b"].map(|id| json!({ "id": id, "description": "d", "advertise": true }));
    let mut manifest = with("/mcpServers", json!("SERVERS"));
    set(&mut manifest, "/capabilities", capabilities.to_vec().into());
    let text = manifest.to_string().replace("\"SERVERS\"", &format!("[{}]", servers.join(",")));
    let time = taken(&text.replace("LONG", &long), &none());
    assert!(time < Duration::from_secs(5), "public names: {time:?}");
}
