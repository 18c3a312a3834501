//! What does a runtime get, and what not?

use super::*;

#[test]
fn what_digests_and_missing_resources_do() {
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let skill = "./skills/subscription-help/SKILL.md";
    for spelled in [digest.to_owned(), digest.to_uppercase()] {
        let manifest = bytes(&with("/skills/0/sha256", json!(spelled)));
        let other = resources([(skill, Some("abd"))]);
        let same = resources([(skill, Some("abc"))]);
        assert_eq!(
            refused(validate(&manifest, &other)),
            is(Code::DigestMismatch, "/skills/0/sha256")
        );
        assert_eq!(refused(expose(&manifest, &other, "subscription-help")).0, "sha256-mismatch");
        assert!(validate(&manifest, &same).is_ok());
        let plain = expose(APPENDIX_A.as_bytes(), &none(), "subscription-help");
        assert_eq!(expose(&manifest, &same, "subscription-help"), plain);
        let supports = Supports::default();
        let card = project(APPENDIX_A.as_bytes(), &none(), &supports);
        assert_eq!(project(&manifest, &same, &supports), card);
    }
    let missing = resources([(skill, None)]);
    let manifest = APPENDIX_A.as_bytes();
    let report = validate(manifest, &missing).expect("it is valid");
    assert_eq!(report.warnings[0].code, Code::ResourceMissing);
    let loaded = load(manifest, &missing, &Supports::default()).expect("it loads");
    assert_eq!(loaded.unavailable[0].capability, "subscription-help");
    assert_eq!(loaded.unavailable[0].at, "/capabilities/0/skillRefs/0");
    let at = is(Code::ResourceMissing, "/capabilities/0/skillRefs/0");
    assert_eq!(refused(expose(manifest, &missing, "subscription-help")), at);
    assert_eq!(refused(project(manifest, &missing, &Supports::default())), at);
    let guidance = resources([("./AGENTS.md", None)]);
    assert!(expose(manifest, &guidance, "subscription-help").is_ok());
}

#[test]
fn is_a_skill_file_held_to_its_rules() {
    let skill = "./skills/subscription-help/SKILL.md";
    let report = |text| validate(APPENDIX_A.as_bytes(), &resources([(skill, Some(text))]));
    let good = "---\nname: subscription-help\ndescription: Helps.\nallowed-tools: Bash\n---\nCall billing:refund.\n";
    assert_eq!(report(good).expect("it is valid").warnings, []);
    let report = report("---\nname: other\n---\n").expect("it is valid");
    assert_eq!(report.warnings.len(), 2);
    assert!(
        report
            .warnings
            .iter()
            .all(|own| (own.code, own.at.as_str()) == (Code::SkillFile, "/skills/0/uri"))
    );
    let exposed = |resources| expose(APPENDIX_A.as_bytes(), &resources, "subscription-help");
    assert_eq!(exposed(resources([(skill, Some(good))])), exposed(none()));
}

#[test]
fn does_a_runtime_refuse_what_leads_out_of_the_folder() {
    for uri in [
        "../AGENTS.md",
        "%2e%2e/AGENTS.md",
        "..\\AGENTS.md",
        "/etc/passwd",
        "file:///x",
        "C%3A/x",
        "%66ile:/x",
    ] {
        let manifest = bytes(&with("/instructions/0/uri", json!(uri)));
        let at = is(Code::UriEscapes, "/instructions/0/uri");
        assert_eq!(refused(load(&manifest, &none(), &Supports::default())), at, "{uri}");
        assert_eq!(refused(project(&manifest, &none(), &Supports::default())), at, "{uri}");
        assert_eq!(refused(expose(&manifest, &none(), "subscription-help")), at, "{uri}");
    }
}

#[test]
fn what_a_runtime_does_not_support() {
    let mut manifest = with(
        "/extensions",
        json!({ "b/c": { "required": true }, "a": { "required": "true" }, "d": { "required": true } }),
    );
    set(&mut manifest, "/mcpServers/1/transport", json!("stdio"));
    set(&mut manifest, "/mcpServers/1/endpoint", json!("catalog"));
    set(&mut manifest, "/mcpServers/0/transport", json!("carrier-pigeon"));
    set(&mut manifest, "/a2a/protocolVersion", json!("0.3"));
    set(&mut manifest, "/runtime", json!({ "supports": ["carrier-pigeon"] }));
    let manifest = bytes(&manifest);
    let found = |supports: &Supports| -> Vec<(Requirement, String, String)> {
        let loaded = load(&manifest, &none(), supports).expect("it loads");
        loaded.unsupported.into_iter().map(|own| (own.kind, own.name, own.at)).collect()
    };
    let entry = |kind, name: &str, at: &str| (kind, name.to_owned(), at.to_owned());
    let pigeon = entry(Requirement::Transport, "carrier-pigeon", "/mcpServers/0/transport");
    let a2a = entry(Requirement::A2a, "0.3", "/a2a/protocolVersion");
    let first = entry(Requirement::Extension, "b/c", "/extensions/b~1c");
    let second = entry(Requirement::Extension, "d", "/extensions/d");
    assert_eq!(found(&Supports::default()), [pigeon.clone(), a2a, first, second.clone()]);
    let supports = Supports {
        transports: vec!["streamable-http".to_owned()],
        a2a: vec!["0.3".to_owned()],
        extensions: vec!["b/c".to_owned()],
    };
    let stdio = entry(Requirement::Transport, "stdio", "/mcpServers/1/transport");
    assert_eq!(found(&supports), [pigeon, stdio, second]);
    let report = validate(&manifest, &none()).expect("it is valid");
    assert_eq!(report.unsupported_extensions, ["a", "b/c", "d"]);
    assert_eq!(refused(project(&manifest, &none(), &supports)).0, "a2a-version");
}

#[test]
fn who_may_call_what() {
    let mut manifest = with(
        "/capabilities/1",
        json!({ "id": "other", "description": "d",
        "toolRefs": ["catalog:find_channel", "catalog:find_channel"] }),
    );
    set(&mut manifest, "/mcpServers/0/allowedTools/1", json!("find_channel"));
    let manifest = bytes(&manifest);
    let may =
        |capability, server, tool| authorise(&manifest, &none(), capability, server, tool).is_ok();
    assert!(may("other", "catalog", "find_channel"));
    assert!(may("subscription-help", "billing", "lookup_subscription"));
    for (capability, server, tool) in [
        ("other", "billing", "lookup_subscription"),
        ("other", "billing", "find_channel"),
        ("other", "catalog", "Find_channel"),
        ("other", "Catalog", "find_channel"),
        ("Other", "catalog", "find_channel"),
        ("other", "subscription-help", "find_channel"),
        ("other", "", "find_channel"),
        ("other", "catalog", ""),
    ] {
        assert!(!may(capability, server, tool), "{capability} {server} {tool}");
    }
    let found = bindings(&manifest, &none(), "other").expect("it is bound");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].endpoint, "https://catalog.example.org/mcp");
    assert_eq!(found[0].tools, ["find_channel"]);
    let unknown = refused(bindings(&manifest, &none(), "nobody"));
    assert_eq!(unknown, is(Code::UnknownCapability, "/capabilities"));
}
