//! Does a card's preimage follow section 8.4.1 of A2A v1.0, field by field?

use proofmark::reference::federation::card::{CardError, Profile, preimage};
use proofmark::reference::jcs::JcsErrorKind;

#[track_caller]
fn is(profile: Profile, card: &str, expected: &str) {
    match preimage(card.as_bytes(), profile) {
        Ok(bytes) => assert_eq!(String::from_utf8_lossy(&bytes), expected, "of {card}"),
        Err(error) => panic!("{card}: {error}"),
    }
}

#[track_caller]
fn spec(card: &str, expected: &str) {
    is(Profile::Spec, card, expected);
}

#[track_caller]
fn sdk(card: &str, expected: &str) {
    is(Profile::Sdk, card, expected);
}

#[track_caller]
fn keeps(card: &str) {
    spec(card, card);
}

/// The example of section 8.4.1.
const EXAMPLE: &str = r#"{
  "name": "Example Agent",
  "description": "",
  "capabilities": { "streaming": false, "pushNotifications": false, "extensions": [] },
  "skills": []
}"#;

#[test]
fn the_example_of_the_specification() {
    spec(
        EXAMPLE,
        r#"{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[]}"#,
    );
    // What both first-party SDKs make of it.
    sdk(
        EXAMPLE,
        r#"{"capabilities":{"pushNotifications":false,"streaming":false},"name":"Example Agent"}"#,
    );
}

/// A row of the table as the data has it.
struct Row {
    message: &'static str,
    name: &'static str,
    of: &'static str,
    repeated: bool,
    map: bool,
    required: bool,
    optional: bool,
    oneof: bool,
}

fn rows() -> Vec<Row> {
    let text = include_str!("../src/reference/federation/card/fields.tsv");
    let row = |line: &'static str| {
        let columns: Vec<&str> = line.split('\t').collect();
        assert_eq!(columns.len(), 12);
        let of = columns[4].strip_prefix("map<string,").and_then(|of| of.strip_suffix('>'));
        Row {
            message: columns[0],
            name: columns[3],
            of: of.unwrap_or(columns[4]),
            repeated: columns[5] == "true",
            map: columns[6] == "true",
            required: columns[7] == "true",
            optional: columns[8] == "true",
            oneof: !columns[9].is_empty(),
        }
    };
    text.lines().skip(1).map(row).collect()
}

impl Row {
    fn is_single_message(&self) -> bool {
        !self.repeated && !self.map && !matches!(self.of, "string" | "bool")
    }

    /// The field set to its default, and set to something else.
    fn values(&self) -> (&'static str, &'static str) {
        match (self.repeated, self.map, self.of) {
            (true, _, "string") => ("[]", "[\"\"]"),
            (true, ..) => ("[]", "[{}]"),
            (_, true, "string") => ("{}", "{\"\":\"\"}"),
            (_, true, _) => ("{}", "{\"\":{}}"),
            (.., "string") => ("\"\"", "\"0\""),
            (.., "bool") => ("false", "true"),
            _ => ("{}", "{\"other\":null}"),
        }
    }

    /// Section 8.4.1, rule 1: what stays at its default.
    fn stays(&self) -> bool {
        self.required || self.optional || self.oneof || self.is_single_message()
    }

    /// A card that has `object` where this field's message stands.
    fn card(&self, rows: &[Row], object: &str) -> String {
        if self.message == "AgentCard" {
            return object.to_owned();
        }
        let outer = rows.iter().find(|row| row.of == self.message).expect("a field of that type");
        let object = match (outer.repeated, outer.map) {
            (true, _) => format!("[{object}]"),
            (_, true) => format!("{{\"x\":{object}}}"),
            _ => object.to_owned(),
        };
        outer.card(rows, &format!("{{\"{}\":{object}}}", outer.name))
    }
}

#[test]
fn every_field_unset_at_its_default_and_at_another_value() {
    let rows = rows();
    let mut left_out = 0;
    for row in &rows {
        let of = |object: &str| row.card(&rows, object);
        let member = |value: &str| format!("{{\"{}\":{value}}}", row.name);
        let (default, other) = row.values();
        let signatures = row.name == "signatures" || row.message == "AgentCardSignature";
        let expect = |object: &str| if signatures { "{}".to_owned() } else { of(object) };

        spec(&of("{}"), &expect("{}"));
        spec(&of(&member("null")), &expect("{}"));
        spec(&of(&member(other)), &expect(&member(other)));
        let stays = row.stays();
        left_out += usize::from(!stays);
        spec(
            &of(&member(default)),
            &expect(&if stays { member(default) } else { "{}".to_owned() }),
        );
    }
    assert_eq!(rows.len(), 81);
    // 32 REQUIRED, 5 optional, 10 in oneofs, and provider, params and header.
    assert_eq!(left_out, 81 - 50);
}

#[test]
fn every_field_at_its_default_as_the_sdks_have_it() {
    let rows = rows();
    for row in &rows {
        let member = |value: &str| row.card(&rows, &format!("{{\"{}\":{value}}}", row.name));
        let (default, _) = row.values();
        // Only an `optional` boolean outlives protobuf and the stripping.
        let kept = row.optional && row.of == "bool";
        sdk(&member(default), &if kept { member(default) } else { "{}".to_owned() });
        sdk(&member("null"), "{}");
        if row.of == "bool" {
            sdk(&member("true"), &member("true"));
        }
        if row.of == "string" && !row.repeated && !row.map && row.message != "AgentCardSignature" {
            sdk(&member("\"0\""), &member("\"0\""));
        }
    }
}

#[test]
fn messages_that_are_empty_stay() {
    keeps(r#"{"capabilities":{},"provider":{}}"#);
    keeps(r#"{"securitySchemes":{"m":{"mtlsSecurityScheme":{}},"n":{}}}"#);
    keeps(r#"{"securitySchemes":{"o":{"oauth2SecurityScheme":{"flows":{"implicit":{}}}}}}"#);
    // Nor does what becomes empty go.
    spec(r#"{"capabilities":{"extensions":[]}}"#, r#"{"capabilities":{}}"#);
}

#[test]
fn elements_and_entries_stay() {
    keeps(r#"{"defaultInputModes":["",""],"securityRequirements":[{}]}"#);
    keeps(r#"{"securitySchemes":{"":{}}}"#);
    keeps(
        r#"{"securitySchemes":{"o":{"oauth2SecurityScheme":{"flows":{"password":{"scopes":{"a":""}}}}}}}"#,
    );
    // The entry stays, the list in it is at its default.
    spec(
        r#"{"securityRequirements":[{"schemes":{"o":{"list":[]}}}]}"#,
        r#"{"securityRequirements":[{"schemes":{"o":{}}}]}"#,
    );
}

const PARAMS: &str =
    r#"{"a":null,"b":"","c":[],"d":{},"e":[null,"",[],{},false,0],"f":{"g":{"h":[]}},"i":false}"#;

#[test]
fn a_struct_is_data() {
    let card = |params: &str| {
        format!(r#"{{"capabilities":{{"extensions":[{{"params":{params},"uri":"u"}}]}}}}"#)
    };
    keeps(&card(PARAMS));
    keeps(&card("{}"));
    sdk(&card(PARAMS), &card(r#"{"e":[false,0],"i":false}"#));
    // Numbers are doubles, and names of fields are not names of fields there.
    spec(
        &card(
            r#"{"required":false,"signatures":[],"description":"","n":[1.0,-0,1e2,333333333.33333329,1e21]}"#,
        ),
        &card(
            r#"{"description":"","n":[1,0,100,333333333.3333333,1e+21],"required":false,"signatures":[]}"#,
        ),
    );
    // Sorting is by UTF-16 code units, on every level.
    spec(
        &card("{\"\u{ff01}\":{\"b\":1,\"a\":2},\"\u{1f600}\":1}"),
        &card("{\"\u{1f600}\":1,\"\u{ff01}\":{\"a\":2,\"b\":1}}"),
    );
}

#[test]
fn signatures_are_left_out_whatever_they_are() {
    for signatures in ["[]", "[{\"protected\":\"x\",\"signature\":\"y\"}]", "null", "7", "{}"] {
        spec(&format!(r#"{{"name":"a","signatures":{signatures}}}"#), r#"{"name":"a"}"#);
        sdk(&format!(r#"{{"name":"a","signatures":{signatures}}}"#), r#"{"name":"a"}"#);
    }
    // Elsewhere it is a name like any other.
    keeps(r#"{"provider":{"signatures":[]},"skills":[{"signatures":""}]}"#);
}

#[test]
fn unknown_members_are_signed_as_received() {
    keeps(r#"{"x-a":null,"x-b":"","x-c":[],"x-d":{},"x-e":false}"#);
    keeps(r#"{"capabilities":{"stateTransitionHistory":false},"default_input_modes":[]}"#);
    sdk(
        r#"{"name":"a","x":1,"provider":{"name":"b"},"default_input_modes":["c"]}"#,
        r#"{"name":"a"}"#,
    );
}

#[test]
fn a_value_of_another_type_is_carried() {
    let card = r#"{"capabilities":[],"defaultInputModes":"","name":0,"provider":"","securitySchemes":[],"skills":{},"version":false}"#;
    keeps(card);
    for (card, at) in [
        (r#"{"name":1}"#, "/name"),
        (r#"{"capabilities":{"streaming":"false"}}"#, "/capabilities/streaming"),
        (r#"{"skills":[{},{"tags":[null]}]}"#, "/skills/1/tags/0"),
        (r#"{"securitySchemes":{"a/~\"":[]}}"#, "/securitySchemes/a~1~0\""),
        (r#"{"capabilities":{"extensions":[{"params":[]}]}}"#, "/capabilities/extensions/0/params"),
        (r#"{"securityRequirements":{}}"#, "/securityRequirements"),
        (r#"{"securitySchemes":[]}"#, "/securitySchemes"),
    ] {
        match preimage(card.as_bytes(), Profile::Sdk) {
            Err(CardError::Type { at: found, .. }) => assert_eq!(found, at, "{card}"),
            other => panic!("{card} gave {other:?}"),
        }
    }
}

#[test]
fn two_members_of_a_oneof() {
    let card = r#"{"securitySchemes":{"a":{"apiKeySecurityScheme":{},"mtlsSecurityScheme":{}}}}"#;
    keeps(card);
    match preimage(card.as_bytes(), Profile::Sdk) {
        Err(CardError::Oneof { at, oneof }) => {
            assert_eq!((at.as_str(), oneof), ("/securitySchemes/a/mtlsSecurityScheme", "scheme"));
        }
        other => panic!("{other:?}"),
    }
    // Null sets nothing.
    let one = card.replacen("{}", "null", 1);
    spec(&one, r#"{"securitySchemes":{"a":{"mtlsSecurityScheme":{}}}}"#);
    sdk(&one, "{}");
}

/// Inputs on which a2a-sdk 1.3.0 and @a2a-js/sdk 1.3.0 give the same bytes, and those bytes.
#[test]
fn what_the_sdks_sign() {
    sdk(
        r#"{"description":"","iconUrl":"","name":"a","capabilities":{},"skills":[]}"#,
        r#"{"name":"a"}"#,
    );
    sdk(
        r#"{"name":"a","securityRequirements":[{"schemes":{"o":{"list":[]}}}]}"#,
        r#"{"name":"a"}"#,
    );
    sdk(r#"{"name":"a","securitySchemes":{"m":{"mtlsSecurityScheme":{}}}}"#, r#"{"name":"a"}"#);
    sdk(r#"{"defaultInputModes":["","a",""]}"#, r#"{"defaultInputModes":["a"]}"#);
    sdk(
        r#"{"capabilities":{"extensions":[{"uri":"u","required":false,"description":""}],"streaming":false}}"#,
        r#"{"capabilities":{"extensions":[{"uri":"u"}],"streaming":false}}"#,
    );
    sdk(
        r#"{"securitySchemes":{"o":{"oauth2SecurityScheme":{"flows":{"authorizationCode":{"pkceRequired":false,"scopes":{"a":"","b":"c"},"tokenUrl":""}}}}}}"#,
        r#"{"securitySchemes":{"o":{"oauth2SecurityScheme":{"flows":{"authorizationCode":{"scopes":{"b":"c"}}}}}}}"#,
    );
    sdk("{}", "{}");
}

#[test]
fn cards_without_a_canonical_form_are_refused() {
    for profile in [Profile::Spec, Profile::Sdk] {
        for root in ["[]", "null", "\"\"", "7"] {
            assert_eq!(preimage(root.as_bytes(), profile), Err(CardError::NotAnObject), "{root}");
        }
        let deep = format!(r#"{{"x":{}{}}}"#, "[".repeat(1000), "]".repeat(1000));
        for (card, code) in [
            (r#"{"name":"a","\u006eame":"b"}"#, "duplicate-name"),
            (r#"{"signatures":[],"signatures":[]}"#, "duplicate-name"),
            (r#"{"name":"\ud800"}"#, "lone-surrogate"),
            (r#"{"x":1e400}"#, "number-overflow"),
            (r#"{"x":01}"#, "syntax"),
            (r#"{} {}"#, "trailing-data"),
            (r#"{"name":"#, "unexpected-end"),
            (deep.as_str(), "depth-exceeded"),
        ] {
            match preimage(card.as_bytes(), profile) {
                Err(CardError::Document(error)) => assert_eq!(error.kind.code(), code, "{card}"),
                other => panic!("{card} gave {other:?}"),
            }
        }
        let error = preimage(b"{\"a\":\"\xff\"}", profile).expect_err("no UTF-8");
        let CardError::Document(error) = error else { panic!("{error}") };
        assert_eq!(error.kind, JcsErrorKind::InvalidUtf8);
    }
}

#[test]
fn deep_documents_up_to_the_bound() {
    let deep = format!("{}{}", "[".repeat(999), "]".repeat(999));
    keeps(&format!(r#"{{"x":{deep}}}"#));
    let deep = format!("{}7{}", "[".repeat(995), "]".repeat(995));
    let card = format!(r#"{{"capabilities":{{"extensions":[{{"params":{{"x":{deep}}}}}]}}}}"#);
    keeps(&card);
    sdk(&card, &card);
    sdk(&card.replace('7', "null"), "{}");
}
