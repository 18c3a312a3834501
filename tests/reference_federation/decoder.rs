//! The decoder: grammar, encoding, numbers, names given twice, canonicality, every ceiling, and what comes first.

use proofmark::reference::federation::{Bounds, Ceiling, TaskEnvelope};
use serde_json::json;

use crate::sample::*;

fn code(bytes: &[u8]) -> &'static str {
    verdict(&TaskEnvelope::decode(bytes, &Bounds::maximum()))
}

fn code_within(bytes: &[u8], bounds: &[(&str, u64)]) -> &'static str {
    let mut all = Bounds::maximum();
    for (key, value) in bounds {
        all.tighten(key, Some(*value)).expect("a bound");
    }
    verdict(&TaskEnvelope::decode(bytes, &all))
}

/// A document of some size.
type Document<'a> = &'a dyn Fn(usize) -> String;

/// What a document is answered that is JSON and canonical and no envelope.
const NO_ENVELOPE: [&str; 4] =
    ["invalid_type", "unknown_member", "missing_required_field", "non_canonical_bytes"];

#[test]
fn grammar() {
    for text in [
        "",
        " ",
        "\u{feff}{}",
        "{",
        "[",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,}",
        "{a:1}",
        "{'a':1}",
        "'a'",
        "{\"a\" 1}",
        "{\"a\":1 \"b\":2}",
        "[1 2]",
        "[01]",
        "[1.]",
        "[.5]",
        "[+1]",
        "[1e]",
        "[1e+]",
        "-",
        "1.",
        "1e",
        "NaN",
        "Infinity",
        "[NaN]",
        "nul",
        "tru",
        "True",
        "\"",
        "\"a",
        "\"\t\"",
        "\"\u{0}\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"\\",
        "/* */1",
        "//\n1",
        "]",
        "}",
        ",",
        "[}",
        "{]",
        "[1}",
        "{\"a\":1]",
        // A lone surrogate, and a pair the wrong way round or broken off.
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\udc00\\ud800\"",
        "\"\\ud800a\"",
        "\"\\ud800\\n\"",
        "\"\\ud800\\u0041\"",
        "{\"\\ud800\":1}",
    ] {
        assert_eq!(code(text.as_bytes()), "invalid_syntax", "{text:?}");
    }
    for text in [
        "01",
        "-01",
        "0x1",
        "1 1",
        "{}{}",
        "{} x",
        "[]]",
        "nullnull",
        "\"a\"\"b\"",
        "1.5.2",
        "1e5e5",
        "{},",
    ] {
        assert_eq!(code(text.as_bytes()), "trailing_bytes", "{text:?}");
    }
    for text in [
        "null",
        "true",
        "false",
        "0",
        "-1",
        "1.5",
        "1e-7",
        "\"\"",
        "[]",
        "{}",
        "\"\\u0000\"",
        "\"\u{7f}\u{2028}\"",
        "\"😀\"",
        "[[],{},[{}],\"/\"]",
        "{\"a\":[1,2.5,null]}",
    ] {
        assert!(NO_ENVELOPE[..3].contains(&code(text.as_bytes())), "{text:?}");
    }
}

#[test]
fn encoding() {
    let cases: [&[u8]; 10] = [
        b"\"\xff\"",
        b"\"\xc0\x80\"",
        b"\"\xed\xa0\x80\"",
        b"\"\xf4\x90\x80\x80\"",
        b"\"\xe2\x82\"",
        b"\"\xe2\x82",
        b"\xff",
        b"{\"\xff\":1}",
        b"[1,\xff]",
        // The first fault is one of grammar, but the input as a whole is not UTF-8.
        b"[1,]\xff",
    ];
    for bytes in cases {
        assert_eq!(code(bytes), "invalid_encoding", "{bytes:?}");
    }
    assert_eq!(code(b"{}\xff"), "trailing_bytes");
}

#[test]
fn names_given_twice() {
    for text in [
        "{\"a\":1,\"a\":1}",
        "{\"a\":1,\"b\":2,\"a\":3}",
        "{\"a\":1,\"\\u0061\":2}",
        "[{\"x\":{\"é\":1,\"\\u00e9\":2}}]",
    ] {
        assert_eq!(code(text.as_bytes()), "duplicate_member", "{text}");
    }
    // Judged where the object closes.
    assert_eq!(code(b"{\"a\":1,\"a\":1"), "invalid_syntax");
    assert_eq!(code(b"{\"a\":1,\"a\":1e400}"), "invalid_number");
    assert_eq!(code(b"[{\"a\":1,\"a\":1},1e400]"), "duplicate_member");
}

#[test]
fn numbers() {
    for (text, expected) in [
        ("9007199254740991", "invalid_type"),
        ("-9007199254740991", "invalid_type"),
        ("9007199254740992", "invalid_type"),
        ("-9007199254740992", "invalid_type"),
        ("9007199254740993", "number_not_double_expressible"),
        ("9007199254740994", "invalid_type"),
        ("295147905179352830000", "invalid_type"),
        ("295147905179352825856", "number_not_double_expressible"),
        ("73639773945516200000", "invalid_type"),
        ("1000000000000000000000", "number_not_double_expressible"),
        ("9223372036854775808", "number_not_double_expressible"),
        ("9223372036854776000", "invalid_type"),
        ("1e400", "invalid_number"),
        ("-1e400", "invalid_number"),
        ("1e-400", "non_canonical_bytes"),
        ("1e+21", "invalid_type"),
        ("1e21", "non_canonical_bytes"),
        ("1E3", "non_canonical_bytes"),
        ("-0", "non_canonical_bytes"),
        ("1.0", "non_canonical_bytes"),
        ("1e3", "non_canonical_bytes"),
        ("0.000001", "invalid_type"),
        ("1e-7", "invalid_type"),
        ("0.0000001", "non_canonical_bytes"),
        ("5e-324", "invalid_type"),
    ] {
        // At the root and in a container alike.
        assert_eq!(code(text.as_bytes()), expected, "{text}");
        assert_eq!(code(format!("[{text}]").as_bytes()), expected, "[{text}]");
    }
    // Trailing bytes come before the root's own number, and the lexeme's length before its value.
    assert_eq!(code(b"1e400 x"), "trailing_bytes");
    let long = |digits: usize| format!("0.{}", "1".repeat(digits - 2));
    assert_eq!(code(long(64).as_bytes()), "non_canonical_bytes");
    assert_eq!(code(long(65).as_bytes()), "ceiling:number_lexeme");
    assert_eq!(code(format!("1{}", "0".repeat(64)).as_bytes()), "ceiling:number_lexeme");
    assert_eq!(code(format!("1e{}", "9".repeat(63)).as_bytes()), "ceiling:number_lexeme");
    assert_eq!(code(format!("1e{}", "9".repeat(62)).as_bytes()), "invalid_number");
}

#[test]
fn any_other_spelling_of_an_envelope() {
    assert_eq!(code(EXAMPLE.as_bytes()), "ok");
    let (first, rest) = EXAMPLE[1..EXAMPLE.len() - 1].split_once(',').unwrap();
    for text in [
        format!(" {EXAMPLE}"),
        format!("{EXAMPLE}\n"),
        EXAMPLE.replace("\":\"", "\": \""),
        format!("{{{rest},{first}}}"),
        EXAMPLE.replace("task-7f3a2c", "task\\u002d7f3a2c"),
        EXAMPLE.replace("60000", "60000.0"),
        EXAMPLE.replace("60000", "6e4"),
        EXAMPLE.replace("\"cost\":500,\"tokens\":1000", "\"tokens\":1000,\"cost\":500"),
    ] {
        assert_ne!(text, EXAMPLE);
        assert_eq!(code(text.as_bytes()), "non_canonical_bytes", "{text}");
    }
    // The order is that of UTF-16 units: U+10000 before U+E000 and U+FF3A.
    assert_eq!(
        code("{\"\u{10000}\":1,\"\u{e000}\":1,\"\u{ff3a}\":1}".as_bytes()),
        "unknown_member"
    );
    assert_eq!(code("{\"\u{e000}\":1,\"\u{10000}\":1}".as_bytes()), "non_canonical_bytes");
    // Escapes: the short ones, lower-case hexadecimal, and nothing else.
    assert_eq!(code(b"\"\\\"\\\\\\b\\t\\n\\f\\r\\u001f\\u000b\""), "invalid_type");
    for text in ["\"\\/\"", "\"\\u0008\"", "\"\\u001F\"", "\"\\u00e9\"", "\"\\u007f\""] {
        assert_eq!(code(text.as_bytes()), "non_canonical_bytes", "{text}");
    }
}

#[test]
fn every_ceiling_at_its_maximum_and_one_over() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let members = |count: usize| {
        let members: Vec<_> = (0..count).map(|index| format!("\"{index:05}\":0")).collect();
        format!("{{{}}}", members.join(","))
    };
    let items = |count: usize| format!("[{}]", vec!["0"; count].join(","));
    // The root, 20 arrays, and what is in them.
    let nodes = |count: usize| {
        let full = items(9_999);
        let rest = items(count - 1 - 19 * 10_000 - 1);
        format!("[{}{rest}]", format!("{full},").repeat(19))
    };
    let string = |count: usize| format!("\"{}\"", "a".repeat(count));
    let escaped = |count: usize| format!("\"{}\"", "\\n".repeat(count));
    let key = |count: usize| format!("{{\"{}\":0}}", "k".repeat(count));
    let cases: [(Document<'_>, usize, &str); 7] = [
        (&nested, 64, "ceiling:depth"),
        (&members, 1_000, "ceiling:members"),
        (&items, 10_000, "ceiling:items"),
        (&nodes, 200_000, "ceiling:nodes"),
        (&string, 100_000, "ceiling:string"),
        (&escaped, 100_000, "ceiling:string"),
        (&key, 1_000, "ceiling:key"),
    ];
    for (document, maximum, ceiling) in cases {
        assert!(NO_ENVELOPE.contains(&code(document(maximum).as_bytes())), "{ceiling}");
        assert_eq!(code(document(maximum + 1).as_bytes()), ceiling);
    }
    // Depth counts containers only.
    assert_eq!(
        code(format!("{}\"a\"{}", "[".repeat(64), "]".repeat(64)).as_bytes()),
        "invalid_type"
    );
    let bytes = |count: usize| format!("{}1", " ".repeat(count - 1));
    assert_eq!(code(bytes(5_000_000).as_bytes()), "non_canonical_bytes");
    assert_eq!(code(bytes(5_000_001).as_bytes()), "ceiling:bytes");
    assert_eq!(code(&vec![0xFF; 5_000_001]), "ceiling:bytes");
}

#[test]
fn tightened_ceilings() {
    let example = EXAMPLE.as_bytes();
    for (key, at) in [
        ("bytes", 1564),
        ("depth", 5),
        ("members", 18),
        ("items", 1),
        ("string", 86),
        ("key", 29),
        ("number_lexeme", 5),
    ] {
        assert_eq!(code_within(example, &[(key, at)]), "ok", "{key} {at}");
        let over = format!("ceiling:{key}");
        if at > 1 {
            assert_eq!(code_within(example, &[(key, at - 1)]), over, "{key} {}", at - 1);
        }
    }
    let nodes = |nodes| code_within(example, &[("nodes", nodes)]);
    let least = (1..200).find(|&least| nodes(least) == "ok").expect("a number of nodes");
    assert_eq!(nodes(least - 1), "ceiling:nodes");
    // The root, 18 members, and what is inside them: 1 proof, 1 + 2 of the build, 4 of the receipt, 3 + 5 + 5 of its
    // signature, 1 + 1 + 2 of the claim, 4 resources, 2 of the classification, 1 of the time.
    assert_eq!(least, 1 + 18 + 1 + 3 + 4 + 13 + 4 + 4 + 2 + 1);
    let mut bounds = Bounds::maximum();
    let name = |result: Result<(), _>| {
        result.map_or_else(|code: proofmark::reference::federation::Code| code.name(), |()| "ok")
    };
    for ceiling in Ceiling::ALL {
        let (key, maximum) = (ceiling.key(), ceiling.maximum() as u64);
        assert_eq!(name(bounds.tighten(key, Some(maximum))), "ok");
        for bad in [None, Some(0), Some(maximum + 1)] {
            assert_eq!(name(bounds.tighten(key, bad)), format!("ceiling:{key}"));
        }
    }
    for key in ["", "Depth", "ceiling:depth", "number-lexeme", "time"] {
        assert_eq!(name(bounds.tighten(key, Some(1))), "unknown_bound");
    }
    assert_eq!(bounds, Bounds::default());
}

#[test]
fn what_comes_first_in_a_container() {
    let tight = |text: &str, bounds: &[(&str, u64)]| code_within(text.as_bytes(), bounds);
    // The container's count, the name's length, the number of values, the value itself.
    let all = [("members", 1), ("key", 1), ("nodes", 1), ("string", 1)];
    assert_eq!(tight("{\"a\":0,\"bbb\":\"ccc\"}", &all), "ceiling:members");
    assert_eq!(tight("{\"aaa\":\"ccc\"}", &all), "ceiling:key");
    assert_eq!(tight("{\"a\":[],\"b\":\"ccc\"}", &[("nodes", 1), ("string", 1)]), "ceiling:nodes");
    assert_eq!(tight("[\"ccc\"]", &[("string", 1)]), "ceiling:string");
    // What is inside is met first, and depth where a container opens.
    assert_eq!(tight("{\"aaa\":[[\"ccc\"]]}", &[("key", 1), ("string", 1)]), "ceiling:string");
    assert_eq!(
        tight("{\"aaa\":[[\"ccc\"]]}", &[("key", 1), ("string", 1), ("depth", 2)]),
        "ceiling:depth"
    );
    assert_eq!(tight("[1e400", &[]), "invalid_syntax");
    assert_eq!(tight("[1e400,", &[]), "invalid_number");
    assert_eq!(tight("[[[", &[("depth", 2)]), "ceiling:depth");
    assert_eq!(tight("{\"a\":1,\"a\":2}", &[("depth", 1), ("members", 1)]), "ceiling:members");
    // The decoder before canonicality, canonicality before the table.
    assert_eq!(code(b"{ \"a\":1,\"a\":2}"), "duplicate_member");
    assert_eq!(code(b"{ \"a\":1}"), "non_canonical_bytes");
    assert_eq!(verdict(&decode(&json!({ "a": 1 }))), "unknown_member");
}
