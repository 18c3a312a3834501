//! Does everything that is sent and answered have the shape that the schemas promise?

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

use jsonschema::Validator;
use proofmark::adapter::Ask;
use proofmark::adapter::message::{self, Reply};
use proofmark::engine::exchange::{self, Lone};
use proofmark::engine::run::versions;
use proofmark::engine::session::Timing;
use proofmark::registry;
use proofmark::suite::load;
use serde_json::{Value, json};

const PROTOCOL: &str = include_str!("../docs/protocol.schema.json");

/// The schema of one kind of message.
fn schema(of: &str) -> Validator {
    let mut schema: Value = serde_json::from_str(PROTOCOL).expect("the schema is JSON");
    let object = schema.as_object_mut().expect("an object");
    object.remove("anyOf");
    object.insert("$ref".to_owned(), json!(format!("#/$defs/{of}")));
    jsonschema::draft202012::new(&schema).expect("the schema is a schema")
}

#[track_caller]
fn fits(validator: &Validator, message: &Value) {
    if let Err(error) = validator.validate(message) {
        let shown: String = message.to_string().chars().take(300).collect();
        panic!("{error}, at {}: {shown}", error.instance_path());
    }
}

#[test]
fn does_every_request_and_every_reply_of_the_reference_fit_its_schema() {
    let corpus = load::embedded().expect("the embedded corpus");
    let (request, reply) = (schema("request"), schema("reply"));
    let reference = registry::reference();
    let timing = Timing::default();
    let mut subject = Lone::new(&reference, &timing, versions(&corpus));
    let (mut asked, mut answered, mut refused) = (0, 0, 0);
    let mut operations = BTreeSet::new();
    for case in &corpus.cases {
        let suite = &corpus.suites[&case.suite];
        let exchanges = exchange::play(&corpus, case, &mut subject, timing.request).exchanges;
        // A step that saves for later ones may be one that is refused: the case then ends there.
        let refused_early = exchanges.last().is_some_and(|last| {
            case.steps[last.step].save.is_some() && matches!(last.outcome, Ok(Reply::Refused(_)))
        });
        assert!(exchanges.len() == case.steps.len() || refused_early, "{}", case.id);
        for exchange in &exchanges {
            let step = &case.steps[exchange.step];
            let operation = suite.operations.get(&step.operation).expect("a known operation");
            operations.insert(step.operation.as_str());
            let checked = operation.check_params(&exchange.params);
            assert_eq!(checked, Ok(()), "{}", case.id);
            let mut line = Vec::new();
            let ask = Ask { id: exchange.id, operation: &step.operation, params: &exchange.params };
            message::write_request(&ask, &mut line);
            fits(&request, &serde_json::from_slice(&line).expect("a line of JSON"));
            asked += 1;
            let answer = exchange.outcome.as_ref().expect("the reference answers");
            match answer {
                Reply::Ok(output) => {
                    assert_eq!(operation.check_output(output), Ok(()), "{}", case.id);
                    answered += 1;
                }
                Reply::Refused(_) => refused += 1,
                other => panic!("{}: {other:?}", case.id),
            }
            let mut line = Vec::new();
            answer.write_line(Some(exchange.id), &mut line);
            fits(&reply, &serde_json::from_slice(&line).expect("a line of JSON"));
        }
    }
    assert!(asked >= corpus.cases.len() && answered > 100 && refused > 100);
    let all: BTreeSet<&str> =
        corpus.suites.values().flat_map(|suite| suite.operations.names()).collect();
    assert_eq!(operations, all, "every operation is asked for");
}

#[test]
fn does_the_schema_of_an_operation_turn_anything_down() {
    let corpus = load::embedded().expect("the embedded corpus");
    let operations = &corpus.suites["jcs"].operations;
    let canonicalize = operations.get("jcs.canonicalize").expect("the operation");
    for params in [
        json!({}),
        json!({"document": "{}"}),
        json!({"document": {}}),
        json!({"document": {"text": "", "base64": ""}}),
        json!({"document": {"base64": "e30"}}),
        json!({"document": {"text": "{}"}, "repeat": 0}),
    ] {
        assert!(canonicalize.check_params(&params).is_err(), "{params}");
    }
    let sign = operations.get("jcs.sign").expect("the operation");
    assert!(sign.check_output(&json!({"signature": "A", "public_key": "A"})).is_err());
    assert!(operations.get("jcs.verify").expect("it").check_output(&json!({})).is_err());
}

#[test]
fn do_the_lines_of_a_real_conversation_fit() {
    let corpus = load::embedded().expect("the embedded corpus");
    let params = message::hello_params(&versions(&corpus));
    fits(&schema("hello_params"), &params);
    let no_suites = message::hello_params(&std::collections::BTreeMap::new());
    fits(&schema("hello_params"), &no_suites);
    let requests = [
        json!({"id": 1, "op": "hello", "params": params}),
        json!({"id": 2, "op": "echo", "params": {"document": {"base64": "/w=="}}}),
        json!({"id": 3, "op": "jcs.canonicalize", "params": {"document": {"text": "{"}}}),
        json!({"id": 4, "op": "proofmark.no-such-operation", "params": {}}),
    ];
    for message in &requests {
        fits(&schema("request"), message);
    }
    let mut lines: Vec<String> = requests.iter().map(Value::to_string).collect();
    lines.push("this is no request".to_owned());
    let mut child = Command::new(env!("CARGO_BIN_EXE_proofmark"))
        .arg("serve")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the reference starts");
    let mut input = child.stdin.take().expect("its standard input");
    input.write_all((lines.join("\n") + "\n").as_bytes()).expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let mut replies: Vec<Value> = String::from_utf8(output.stdout)
        .expect("UTF-8")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect();
    assert_eq!(replies.len(), 5);
    replies.sort_by_key(|reply| reply["id"].as_u64());
    for message in &replies {
        fits(&schema("reply"), message);
        fits(
            &jsonschema::draft202012::new(&serde_json::from_str(PROTOCOL).expect("JSON"))
                .expect("a schema"),
            message,
        );
    }
    assert!(replies[0]["id"].is_null() && replies[0]["fault"].is_object());
    fits(&schema("hello_ok"), &replies[1]["ok"]);
    fits(&schema("echo_ok"), &replies[2]["ok"]);
    assert!(replies[3]["refused"].is_object() && replies[4]["unsupported"].is_object());
}

/// What the schema and the program's own reader say of a reply must be the same.
#[test]
fn is_an_ill_formed_reply_turned_down_by_schema_and_reader_alike() {
    let reply = schema("reply");
    for (line, well_formed) in [
        (r#"{"id":1,"ok":null}"#, true),
        (r#"{"id":1,"ok":{"a":[]},"later":1}"#, true),
        (r#"{"id":1,"refused":{}}"#, true),
        (r#"{"id":1,"refused":{"code":"c","at":"/a","message":"m","later":1}}"#, true),
        (r#"{"id":1,"unsupported":{"what":"w"}}"#, true),
        (r#"{"id":1,"fault":{"message":"m"}}"#, true),
        (r#"{"id":null,"fault":{"message":"m"}}"#, true),
        (r#"{"ok":1}"#, false),
        (r#"{"id":1}"#, false),
        (r#"{"id":"1","ok":1}"#, false),
        (r#"{"id":-1,"ok":1}"#, false),
        (r#"{"id":1.5,"ok":1}"#, false),
        (r#"{"id":null,"ok":1}"#, false),
        (r#"{"id":null,"refused":{}}"#, false),
        (r#"{"id":1,"ok":1,"refused":{}}"#, false),
        (r#"{"id":1,"ok":null,"fault":{"message":"m"}}"#, false),
        (r#"{"id":1,"refused":true}"#, false),
        (r#"{"id":1,"refused":{"code":1}}"#, false),
        (r#"{"id":1,"unsupported":"no"}"#, false),
        (r#"{"id":1,"fault":{}}"#, false),
        (r#"{"id":1,"fault":"m"}"#, false),
        (r#"[1]"#, false),
    ] {
        let value: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(reply.is_valid(&value), well_formed, "the schema on {line}");
        assert_eq!(
            message::read_reply(line.as_bytes()).is_ok(),
            well_formed,
            "the reader on {line}"
        );
    }
}

#[test]
fn is_an_ill_formed_request_or_hello_turned_down_alike() {
    let request = schema("request");
    for (line, well_formed) in [
        (r#"{"id":1,"op":"echo","params":{}}"#, true),
        (r#"{"id":1,"op":"echo","params":{},"later":1}"#, true),
        (r#"{"op":"echo","params":{}}"#, false),
        (r#"{"id":1,"params":{}}"#, false),
        (r#"{"id":"1","op":"echo","params":{}}"#, false),
        (r#"{"id":1,"op":7,"params":{}}"#, false),
    ] {
        let value: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(request.is_valid(&value), well_formed, "the schema on {line}");
        let read = message::read_request(line.as_bytes());
        assert_eq!(read.is_ok(), well_formed, "the reader on {line}");
    }
    let hello = schema("hello_ok");
    let sound = json!({
        "protocol": 1,
        "implementation": {"name": "n", "version": "v", "language": "l", "url": "https://n.example"},
        "roles": ["jcs/signer"], "in_flight": 4,
    });
    let changed = |at: &str, value: Value| {
        let mut changed = sound.clone();
        *changed.pointer_mut(at).expect("the place") = value;
        changed
    };
    let mut silent = sound.clone();
    silent.as_object_mut().expect("an object").remove("in_flight");
    for (value, well_formed) in [
        (sound.clone(), true),
        (silent, true),
        (changed("/roles", json!([])), true),
        (changed("/protocol", json!(2)), false),
        (changed("/protocol", json!("1")), false),
        (changed("/implementation", json!({"name": "n", "version": "v"})), false),
        (changed("/implementation/version", json!(1)), false),
        (changed("/roles", json!("jcs/signer")), false),
        (changed("/roles", json!([1])), false),
        (changed("/in_flight", json!(0)), false),
        (changed("/in_flight", json!(1.5)), false),
    ] {
        assert_eq!(hello.is_valid(&value), well_formed, "the schema on {value}");
        let read = message::read_hello(&Reply::Ok(value.clone()));
        assert_eq!(read.is_ok(), well_formed, "the reader on {value}");
    }
}
