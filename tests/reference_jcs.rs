//! Does the reference canonicaliser keep to RFC 8785, and does it refuse what it must with the right reason and place?

use proofmark::reference::jcs::{
    JcsError, JcsErrorKind, Limits, canonicalise, canonicalise_into, canonicalise_with, digest,
};

#[track_caller]
fn same(input: &str, expected: &str) {
    let canonical = canonicalise(input.as_bytes()).expect(input);
    assert_eq!(String::from_utf8(canonical).expect(input), expected, "{input}");
}

#[track_caller]
fn refused(input: impl AsRef<[u8]>) -> JcsError {
    let input = input.as_ref();
    match canonicalise(input) {
        Err(error) => error,
        Ok(canonical) => panic!(
            "{:?} was accepted as {:?}",
            String::from_utf8_lossy(input),
            String::from_utf8_lossy(&canonical)
        ),
    }
}

#[test]
fn the_example_of_section_3_2_2() {
    same(
        r#"{
            "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
            "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
            "literals": [null, true, false]
        }"#,
        r#"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}"#,
    );
}

#[test]
fn the_example_of_section_3_2_3() {
    same(
        r#"{
            "\u20ac": "Euro Sign",
            "\r": "Carriage Return",
            "\ufb33": "Hebrew Letter Dalet With Dagesh",
            "1": "One",
            "\ud83d\ude00": "Emoji: Grinning Face",
            "\u0080": "Control",
            "\u00f6": "Latin Small Letter O With Diaeresis"
        }"#,
        "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u{80}\":\"Control\",\"ö\":\"Latin Small Letter O With Diaeresis\",\
         \"€\":\"Euro Sign\",\"😀\":\"Emoji: Grinning Face\",\"\u{fb33}\":\"Hebrew Letter Dalet With Dagesh\"}",
    );
}

#[test]
fn the_example_of_section_3_2_4_in_bytes() {
    let input = r#"{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],
        "string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}"#;
    let hex = "7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b\
               3333333333333333332e333333333333332c31652b33302c342e352c302e3030322c31652d32375d2c\
               22737472696e67223a22e282ac245c75303030665c6e4127425c225c5c5c5c5c222f227d";
    let canonical = canonicalise(input.as_bytes()).expect("the RFC's own example");
    let written: String = canonical.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(written, hex);
}

#[test]
fn every_control_character_has_its_one_spelling() {
    let short = [(8, "b"), (9, "t"), (10, "n"), (12, "f"), (13, "r")];
    for code in 0..0x20 {
        let expected = match short.iter().find(|(known, _)| *known == code) {
            Some((_, letter)) => format!("\"\\{letter}\""),
            None => format!("\"\\u{code:04x}\""),
        };
        same(&format!("\"\\u{code:04x}\""), &expected);
        same(&format!("\"\\u{code:04X}\""), &expected);
        assert!(
            matches!(refused([b'"', code as u8, b'"']).kind, JcsErrorKind::Syntax(_)),
            "{code}"
        );
    }
    same(r#""\/\u007f\u2028\u2029\u0022\u005C""#, "\"/\u{7f}\u{2028}\u{2029}\\\"\\\\\"");
}

#[test]
fn noncharacters_are_kept_and_nothing_is_normalised() {
    same(r#""\uffff\ud83f\udffe""#, "\"\u{ffff}\u{1fffe}\"");
    same("\"A\u{30a}\u{212b}\"", "\"A\u{30a}\u{212b}\"");
}

#[test]
fn members_are_sorted_at_every_level_and_elements_are_not() {
    same(
        r#"{"b":[{"d":1,"c":[3,1,2]},0],"":{"z":{},"a":[]}}"#,
        r#"{"":{"a":[],"z":{}},"b":[{"c":[3,1,2],"d":1},0]}"#,
    );
    same(
        r#"{"b":1,"a":{"b":1,"a":{"b":{"y":[{"q":1,"p":2}],"x":0},"a":1}}}"#,
        r#"{"a":{"a":{"a":1,"b":{"x":0,"y":[{"p":2,"q":1}]}},"b":1},"b":1}"#,
    );
    same(
        r#"{"aaaaaaaab":1,"aaaaaaaaa":2,"aaaaaaaa":3,"a\u0000":4,"a":5}"#,
        r#"{"a":5,"a\u0000":4,"aaaaaaaa":3,"aaaaaaaaa":2,"aaaaaaaab":1}"#,
    );
    same(
        r##"{"\"":1,"#":0,"!":2,"\\":3,"\u0001":4}"##,
        r##"{"\u0001":4,"!":2,"\"":1,"#":0,"\\":3}"##,
    );
}

#[test]
fn names_that_some_serialisers_take_for_magic_are_plain() {
    same(
        r#"{"toJSON":1,"__proto__":2,"$serde_json::private::Number":"3"}"#,
        r#"{"$serde_json::private::Number":"3","__proto__":2,"toJSON":1}"#,
    );
    same(
        r#"{"$serde_json::private::RawValue":"[1, 2]"}"#,
        r#"{"$serde_json::private::RawValue":"[1, 2]"}"#,
    );
}

#[test]
fn duplicates_are_refused_by_what_they_spell_at_any_depth() {
    let cases = [
        (r#"{"a":1,"a":1}"#, "a", 7, "/a"),
        (r#"{"a":1,"\u0061":1}"#, "a", 7, "/a"),
        (r#"{"\n":1,"\u000a":1}"#, "\n", 8, "/\n"),
        (r#"{"b":1,"a":2,"b":3}"#, "b", 13, "/b"),
        (r#"[0,{"x":{"c":1,"b":2,"c/~":0,"c\u002f~":3}}]"#, "c/~", 29, "/1/x/c~1~0"),
        (r#"{"\ud83d\ude00":1,"😀":2}"#, "😀", 18, "/😀"),
        (r#"{"":1,"":1}"#, "", 6, "/"),
    ];
    for (input, name, offset, path) in cases {
        let error = refused(input);
        assert_eq!(error.kind, JcsErrorKind::DuplicateName(name.to_owned()), "{input}");
        assert_eq!((error.offset, error.path.as_str()), (offset, path), "{input}");
    }
    assert_eq!(refused(r#"{"b":{}, "a":1,"a":2}"#).to_string(), "duplicate name \"a\" at byte 15");
    same(r#"[{"a":1},{"a":{"a":2}}]"#, r#"[{"a":1},{"a":{"a":2}}]"#);
}

#[test]
fn lone_surrogates_are_refused_in_values_and_in_names() {
    for escapes in [
        r"\ud800",
        r"\udc00",
        r"\udc00\ud800",
        r"\ud800\ud800",
        r"\ud800x",
        r"\ud800\n",
        r"\uD83D\u0041",
        r"\ud800\\udc00",
    ] {
        let error = refused(format!("[\"{escapes}\"]"));
        assert_eq!(
            (error.kind, error.path.as_str()),
            (JcsErrorKind::LoneSurrogate, "/0"),
            "{escapes}"
        );
        assert_eq!(
            refused(format!("{{\"{escapes}\":1}}")).kind,
            JcsErrorKind::LoneSurrogate,
            "{escapes}"
        );
    }
}

#[test]
fn bytes_that_are_no_utf8_are_refused_where_they_stand() {
    let bad: [&[u8]; 14] = [
        b"\x80",
        b"\xBF",
        b"\xC0\x80",
        b"\xC1\xBF",
        b"\xE0\x9F\xBF",
        b"\xED\xA0\x80",
        b"\xED\xBF\xBF",
        b"\xF0\x8F\xBF\xBF",
        b"\xF4\x90\x80\x80",
        b"\xF5\x80\x80\x80",
        b"\xFF",
        b"\xC3",
        b"\xE2\x82",
        b"\xF0\x9F\x98",
    ];
    for bytes in bad {
        let error = refused([b"[\"ab", bytes, b"\"]"].concat());
        assert_eq!((&error.kind, error.offset), (&JcsErrorKind::InvalidUtf8, 4), "{bytes:?}");
        assert_eq!(refused([b"[\"", bytes].concat()).kind, JcsErrorKind::InvalidUtf8, "{bytes:?}");
        assert_eq!(
            refused([b"{\"", bytes, b"\":1}"].concat()).kind,
            JcsErrorKind::InvalidUtf8,
            "{bytes:?}"
        );
        assert_eq!(
            refused([b"[", bytes, b"]"].concat()).kind,
            JcsErrorKind::InvalidUtf8,
            "{bytes:?}"
        );
    }
}

#[test]
fn every_character_passes_through_a_string() {
    let all: Vec<char> = ('\u{20}'..=char::MAX).filter(|c| !matches!(c, '"' | '\\')).collect();
    for chunk in all.chunks(5000) {
        let text: String = chunk.iter().collect();
        same(&format!("\"{text}\""), &format!("\"{text}\""));
    }
}

#[test]
fn what_is_no_json_is_refused_at_the_byte_where_it_stops_being_json() {
    let cases: &[(&str, usize)] = &[
        ("[1,]", 3),
        ("[,1]", 1),
        ("[1 2]", 3),
        ("{\"a\":1,}", 7),
        ("{,}", 1),
        ("{a:1}", 1),
        ("{\"a\" 1}", 5),
        ("{\"a\":}", 5),
        ("{\"a\":1]", 6),
        ("[1}", 2),
        ("// x\n1", 0),
        ("[1/**/]", 2),
        ("tru3", 3),
        ("nul ", 3),
        ("True", 0),
        ("NaN", 0),
        ("Infinity", 0),
        ("-Infinity", 1),
        ("+1", 0),
        (".5", 0),
        ("1.e5", 2),
        ("01", 1),
        ("-01", 2),
        ("1e+x", 3),
        ("'a'", 0),
        ("\"\\x\"", 2),
        ("\"\\u12g4\"", 5),
        ("\"\\U0041\"", 2),
        ("[\u{a0}1]", 1),
        ("]", 0),
        (":", 0),
        ("{\"a\":1 \"b\":2}", 7),
        ("[1\u{c}]", 2),
        ("{1:2}", 1),
        ("-", 1),
        ("[-]", 2),
        ("\0", 0),
    ];
    for &(input, offset) in cases {
        let error = refused(input);
        let expected = if offset == input.len() { "end" } else { "syntax" };
        let kind = match error.kind {
            JcsErrorKind::Syntax(_) => "syntax",
            JcsErrorKind::UnexpectedEnd => "end",
            _ => "other",
        };
        assert_eq!((error.offset, kind), (offset, expected), "{input:?}: {error}");
    }
}

#[test]
fn every_beginning_of_a_document_is_refused_as_ended() {
    let whole = r#"{"a":[1.5e+3,true,null,"x\u00e9\n"],"b":{"c":false}}"#;
    for end in 0..whole.len() {
        let error = refused(&whole[..end]);
        assert_eq!(
            (error.kind, error.offset),
            (JcsErrorKind::UnexpectedEnd, end),
            "{:?}",
            &whole[..end]
        );
    }
    same(whole, "{\"a\":[1500,true,null,\"xé\\n\"],\"b\":{\"c\":false}}");
    assert_eq!(refused(" \t\r\n").kind, JcsErrorKind::UnexpectedEnd);
}

#[test]
fn what_follows_the_document_is_refused_and_white_space_around_it_is_not() {
    for input in ["1 2", "{}{}", "[]]", "null,", "\"a\"b", "{} \0"] {
        assert_eq!(refused(input).kind, JcsErrorKind::TrailingData, "{input}");
    }
    same(" \r\n\t{ \"a\" :\t[ ] ,\n\"b\"\r: { } }\n", r#"{"a":[],"b":{}}"#);
    same("\n\n          [\n                  1 ,            2\n]         ", "[1,2]");
}

#[test]
fn a_byte_order_mark_is_refused_before_the_document_only() {
    assert_eq!(refused("\u{feff}{}").kind, JcsErrorKind::ByteOrderMark);
    assert!(matches!(refused("[\u{feff}]").kind, JcsErrorKind::Syntax(_)));
    same("\"\u{feff}\"", "\"\u{feff}\"");
}

#[test]
fn a_thousand_levels_are_read_and_no_more_unless_asked() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let nest = |depth: usize| format!("{}0{}", open.repeat(depth), close.repeat(depth));
        same(&nest(1000), &nest(1000));
        let error = refused(nest(1001));
        assert_eq!(
            (error.kind, error.offset),
            (JcsErrorKind::DepthExceeded(1000), 1000 * open.len())
        );
        assert!(canonicalise(nest(1_000_000).as_bytes()).is_err());

        let mut out = Vec::new();
        let deep = nest(1_000_000);
        canonicalise_with(deep.as_bytes(), &Limits::with_depth(1_000_000), &mut out)
            .expect("deep enough");
        assert!(out == deep.as_bytes());
        let error = canonicalise_with(
            &deep.as_bytes()[..deep.len() - 1],
            &Limits::with_depth(1_000_000),
            &mut out,
        );
        assert!(error.is_err() && out == deep.as_bytes());
    }
    let mut out = Vec::new();
    assert!(canonicalise_with(b"0", &Limits::with_depth(0), &mut out).is_ok());
    assert!(canonicalise_with(b"[]", &Limits::with_depth(0), &mut out).is_err());
}

/// Were members moved object by object, this would take some 10^11 steps.
#[test]
fn deep_nesting_of_unsorted_objects_is_linear() {
    let depth = 200_000;
    let mut input = "{\"b\":0,\"a\":".repeat(depth);
    input.push_str("null");
    input.push_str(&"}".repeat(depth));
    let mut expected = "{\"a\":".repeat(depth);
    expected.push_str("null");
    expected.push_str(&",\"b\":0}".repeat(depth));
    let mut out = Vec::new();
    canonicalise_with(input.as_bytes(), &Limits::with_depth(depth), &mut out).expect("deep enough");
    assert!(out == expected.as_bytes());
}

#[test]
fn output_is_appended_and_an_error_leaves_it_alone() {
    let mut out = b"before".to_vec();
    canonicalise_into(br#"{"b":1,"a":{"d":2,"c":3}}"#, &mut out).expect("JSON");
    assert_eq!(out, br#"before{"a":{"c":3,"d":2},"b":1}"#);
    let kept = out.clone();
    assert!(canonicalise_into(br#"{"b":1,"a":{"d":2,"c":3}},"#, &mut out).is_err());
    assert_eq!(out, kept);
}

#[test]
fn a_hundred_thousand_members_and_a_string_of_a_megabyte() {
    let member = |i: usize| format!("\"k{i:06}\":{i}");
    let backwards: Vec<String> = (0..100_000).rev().map(member).collect();
    let forwards: Vec<String> = (0..100_000).map(member).collect();
    same(&format!("{{{}}}", backwards.join(", ")), &format!("{{{}}}", forwards.join(",")));
    let long = "é".repeat(500_000);
    same(&format!("\"{long}\\u0041\""), &format!("\"{long}A\""));
}

#[test]
fn a_path_leads_to_the_fault() {
    for (input, path) in [
        (r#"{"a":{"b":[1,{"c":x}]}}"#, "/a/b/1/c"),
        (r#"{"a":[[],[[]],1e999]}"#, "/a/2"),
        (r#"{"a":{"b":1},"c":tru}"#, "/c"),
        (r#"{"a":[{"x":1},{"y":2}],"b":[1,2,"#, "/b/2"),
        (r#"x"#, ""),
    ] {
        assert_eq!(refused(input).path, path, "{input}");
    }
}

#[test]
fn a_digest_is_sha_256_over_canonical_bytes() {
    // SHA-256 of the two bytes `{}`, as `printf '{}' | sha256sum` gives it.
    let hex: String =
        digest(b" { } ").expect("JSON").iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
    assert!(digest(b"{").is_err());
}
