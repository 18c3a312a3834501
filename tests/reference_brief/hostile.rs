//! Documents that are made to harm: each is answered, in bounded time.

use std::time::{Duration, Instant};

use proofmark::reference::brief::{
    Branch, Brief, Fault, LONGEST_FRONT_MATTER, Outline, Response, Trace, Warning, from_a2a,
};

const MEMBERS: &str = "id: \"i\"\nprotocolVersion: \"1.2.0\"\ndelegator: \"a\"\ndelegatee: \"b\"\ntimestamp: \"2026-02-06T03:55:00Z\"\n";

/// What even a debug build on a busy machine stays far below.
const BOUND: Duration = Duration::from_secs(20);

/// The fault of a brief with this in its front matter; `None` where it is read.
#[track_caller]
fn with_front(what: &str, front: &str) -> Option<Fault> {
    whole(what, format!("---\n{MEMBERS}{front}\n---\nx").as_bytes())
}

#[track_caller]
fn whole(what: &str, document: &[u8]) -> Option<Fault> {
    let started = Instant::now();
    let fault = Brief::parse(document).err().map(|error| error.fault);
    let took = started.elapsed();
    println!("{what}: {} bytes, {took:?}, {fault:?}", document.len());
    assert!(took < BOUND, "{what}: {took:?}");
    fault
}

#[test]
fn does_a_billion_laughs_expand() {
    let mut front = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for n in 1..10 {
        let aliases = vec![format!("*a{}", n - 1); 10].join(", ");
        front.push_str(&format!("a{n}: &a{n} [{aliases}]\n"));
    }
    assert_eq!(with_front("billion laughs", &front), Some(Fault::Alias));
    assert_eq!(with_front("merge", "b: &b {x: 1}\nc:\n  <<: *b"), Some(Fault::MergeKey));
    assert_eq!(with_front("itself", "b: &b [*b]"), Some(Fault::Alias));
}

#[test]
fn is_anything_run() {
    for tag in ["!!python/object/apply:os.system [id]", "!!js/function 'x'", "!ruby/object:X {}"] {
        assert_eq!(with_front(tag, &format!("x: {tag}")), Some(Fault::Tag));
    }
    for fence in ["---js", "---json", "--- js", "---\u{A0}"] {
        let text = format!("{fence}\n{MEMBERS}---\nx");
        assert_eq!(whole(fence, text.as_bytes()), Some(Fault::NoOpeningFence));
    }
}

#[test]
fn are_large_documents_answered() {
    let key = "k".repeat(1 << 20);
    assert!(matches!(with_front("long key", &format!("{key}: 1")), Some(Fault::NotYaml(_))));
    assert_eq!(with_front("long quoted key", &format!("? \"{key}\"\n: 1")), None);
    let keys: String = (0..100_000).map(|n| format!("k{n}: v\n")).collect();
    assert_eq!(with_front("100,000 keys", &keys), None);
    let same: String = (0..100_000).map(|n| format!("k{}: v\n", n % 99_999)).collect();
    assert_eq!(with_front("100,000 keys, one twice", &same), Some(Fault::DuplicateKey));
    let flow: String = (0..100_000).map(|n| format!("k{n}: v, ")).collect();
    assert_eq!(with_front("100,000 keys in braces", &format!("m: {{{flow}}}")), None);
    let long = format!("x: \"{}\"", "y".repeat(64 << 20));
    let too_long = Some(Fault::FrontMatterTooLong(LONGEST_FRONT_MATTER));
    assert_eq!(with_front("64 MiB", &long), too_long);
    assert_eq!(with_front("64 MiB of comments", &"#\n".repeat(32 << 20)), too_long);
    let fences = "---\n".repeat(1_000_000);
    assert_eq!(whole("a million fences", fences.as_bytes()), Some(Fault::NotAMapping));
    let body = format!("---\n{MEMBERS}---\n{fences}");
    assert_eq!(whole("a million fences in the body", body.as_bytes()), None);
}

#[test]
fn is_front_matter_as_long_as_it_may_be_answered() {
    let room = LONGEST_FRONT_MATTER - MEMBERS.len() - 16;
    for (what, piece) in [
        ("items in a flow sequence", "a,"),
        ("nothing in a flow sequence", "[],"),
        ("pairs in a flow mapping", "? a : b,"),
        ("flow pairs", "a: b,"),
        ("quotes", "'',"),
        ("breaks", "\n"),
        ("blanks", " "),
        ("characters", "é"),
    ] {
        for (kind, start) in [("", "x: ["), (" on its own line", "x:\n  ["), (" as a key", "? [")] {
            let text = format!("{start}{}", piece.repeat(room / piece.len()));
            assert!(with_front(&format!("{what}{kind}"), &text).is_some());
        }
    }
    for (what, piece) in [
        ("block items", "- a\n"),
        ("nested block items", "- "),
        ("tabs", "\t"),
        ("colons", ":"),
        ("questions", "? "),
        ("quotes", "\""),
        ("escapes", "\\"),
        ("comments", "#\n"),
        ("anchors", "&a "),
        ("anchors on keys", "&a a: b\n"),
        ("commas", ","),
        ("percents", "%\n"),
        ("literals", "|\n"),
        ("carriage returns", "\r"),
        ("documents", "--- a\n"),
        ("ends", "...\n"),
        ("line separators", "\u{2028}"),
        ("byte order marks", "\u{FEFF}"),
    ] {
        for start in ["", "x: ", "x: |\n  "] {
            let text = format!("{start}{}", piece.repeat(room / piece.len()));
            with_front(&format!("{what} after {start:?}"), &text);
        }
    }
}

#[test]
fn is_nesting_of_any_depth_answered() {
    for depth in [1_000, 10_000, 1_000_000] {
        assert!(with_front("brackets", &format!("x: {}", "[".repeat(depth))).is_some());
        assert!(with_front("braces", &format!("x: {}", "{a: ".repeat(depth))).is_some());
        assert!(with_front("dashes", &format!("x:\n  {}y", "- ".repeat(depth))).is_some());
    }
    let mappings: String = (0..1_000).map(|n| format!("{}a:\n", " ".repeat(n))).collect();
    assert!(with_front("mappings", &format!("x:\n{mappings}")).is_some());
}

#[test]
fn are_odd_bytes_answered() {
    let document = format!("---\n{MEMBERS}---\nx");
    for (what, bytes) in [
        ("UTF-16", document.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()),
        ("Latin-1 in the body", [document.as_bytes(), b"\xE9"].concat()),
        ("a surrogate in the body", [document.as_bytes(), b"\xED\xA0\x80"].concat()),
        ("an overlong form", document.replace('x', "").bytes().chain(*b"\xC0\xAF").collect()),
    ] {
        let fault = whole(what, &bytes);
        assert!(matches!(fault, Some(Fault::NotUtf8 | Fault::NoOpeningFence)), "{what}");
        assert!(Response::parse(&bytes).is_err() && Trace::parse(&bytes).is_err(), "{what}");
    }
    for front in ["x: \"\\ud800\"", "x: \"\\udc00\\ud800\"", "x: \0", "x:\n\ty: z", "\tx: y"] {
        assert!(matches!(with_front(front, front), Some(Fault::NotYaml(_))), "{front:?}");
    }
}

#[test]
fn is_half_a_document_refused() {
    let document = format!("---\n{MEMBERS}---\nx");
    for end in 0..document.len() {
        assert!(Brief::parse(&document.as_bytes()[..end]).is_err(), "{end}");
    }
    assert!(Brief::parse(document.as_bytes()).is_ok());
}

#[test]
fn does_a_comment_hide_a_fence() {
    let text = format!("---\n{MEMBERS}# the end is not here: ---\n---\nx");
    assert_eq!(Brief::parse(text.as_bytes()).expect("a brief").body(), "x");
    let text = format!("---\n{MEMBERS}x: |\n  text\n---\nid: evil\n---\n");
    assert_eq!(Brief::parse(text.as_bytes()).expect("a brief").body(), "id: evil\n---\n");
    assert_eq!(
        with_front("a comment on a fence", "--- # not a fence\nid: evil"),
        Some(Fault::SecondDocument)
    );
}

#[test]
fn are_bodies_of_any_kind_outlined() {
    for piece in [
        "[",
        "![",
        "`",
        "``` \n",
        "> ",
        ">",
        "- ",
        "* ",
        "*a ",
        "**a",
        "_a ",
        "<!--",
        "<",
        "&",
        "\\",
        "|a|\n",
        "# ",
        "## a\n",
        "a\n---\n",
        "[a]: b\n",
        "[a]:",
        "[a](",
        "<a href=\"",
        "a**b_c",
        "1. ",
        "\t",
        "~~~\n",
        "&#",
        "<?",
        "<![CDATA[",
        "- a\n",
        " - a\n",
        "> a\n\n",
        "\r",
        "$$",
        "[[",
        "*_",
        "![[]()",
        "a\n\n",
        "<x>\n",
        "``a`",
        "(",
        "[](",
        "\n>",
        "-\n\n  a\n",
        "![a][",
        "</",
    ] {
        let body = piece.repeat((1 << 20) / piece.len());
        let started = Instant::now();
        let sections = Outline::of(&body).sections.len();
        let took = started.elapsed();
        println!("{piece:?}: {sections} sections, {took:?}");
        assert!(took < BOUND, "{piece:?}: {took:?}");
    }
}

#[test]
fn are_traces_and_requests_of_any_size_answered() {
    let entry = "- **Agent**: `a` @ `2026-02-06T03:50:00Z`\n  - **Action**: x\n";
    let started = Instant::now();
    let trace = Trace::parse(entry.repeat(200_000).as_bytes()).expect("a trace");
    assert_eq!(trace.entries().len(), 200_000);
    let blank = Trace::parse("\n".repeat(10_000_000).as_bytes()).expect("a trace");
    assert_eq!(blank.entries().len(), 0);
    assert!(Trace::parse("- **".repeat(1_000_000).as_bytes()).is_err());
    assert!(from_a2a("[".repeat(1_000_000).as_bytes()).is_err());
    assert!(from_a2a(format!("{{{}", "\"a\":{".repeat(1_000_000)).as_bytes()).is_err());
    println!("{:?}", started.elapsed());
    assert!(started.elapsed() < BOUND);
}

#[test]
fn are_lazy_lines_under_deep_nesting_answered() {
    for run in ["- ", "> ", "1. ", "-\t", "* ", "> - "] {
        for size in [128 << 10, 512 << 10] {
            let half = size / 2;
            let (deep, lazy) = (run.repeat(half / run.len()), "b\n".repeat(half / 2));
            let body = format!("{deep}a\n{lazy}");
            let started = Instant::now();
            assert_eq!(Outline::of(&body), Outline::default());
            let brief = Brief::parse(format!("---\n{MEMBERS}---\n{body}").as_bytes());
            assert_eq!(brief.expect("a brief").warnings(), [Warning::SectionsNotRead]);
            assert!(started.elapsed() < BOUND / 10, "{run:?}: {:?}", started.elapsed());
        }
    }
    let stairs: String = (0..2_000).map(|n| format!("{}- a\n", "  ".repeat(n))).collect();
    let started = Instant::now();
    assert_eq!(Outline::of(&format!("{stairs}{}", "b\n".repeat(10_000))), Outline::default());
    assert!(started.elapsed() < BOUND / 10, "{:?}", started.elapsed());
}

#[test]
fn is_the_deepest_body_that_is_outlined_answered() {
    for run in ["- ", "> ", "-\t"] {
        let mut took = Vec::new();
        for size in [256 << 10, 512 << 10, 1 << 20] {
            let body = format!("{}a\n{}", run.repeat(60), "b\n".repeat(size / 2));
            let started = Instant::now();
            assert!(Outline::of(&body).sections.is_empty());
            took.push(started.elapsed());
        }
        println!("{run:?}: {took:?}");
        assert!(took.iter().all(|took| *took < BOUND), "{run:?}: {took:?}");
    }
}

#[test]
fn is_a_mapping_behind_an_empty_document_refused() {
    let text = format!("---\n...\n{MEMBERS}---\nx");
    assert_eq!(whole("dots first", text.as_bytes()), Some(Fault::SecondDocument));
    let text = format!("---\n{MEMBERS}...\n---\nx");
    assert_eq!(whole("dots last", text.as_bytes()), None);
}

#[test]
fn is_a_trace_under_any_name_carried_whole() {
    for name in ["trace.md", "TRACE.md", "brief-1.trace.md", "notes.md"] {
        let request = serde_json::json!({ "message": {
            "messageId": "m", "role": "ROLE_USER",
            "parts": [{ "text": "x" }, { "text": "t\n", "filename": name }],
        } });
        let carried = from_a2a(request.to_string().as_bytes()).expect("a request");
        assert_eq!(carried.trace.as_deref(), Some("t\n"), "{name}");
    }
}

#[test]
fn does_merging_lose_or_double_an_entry() {
    let entry = |minute: u8, brief: &str| {
        let item =
            if brief.is_empty() { String::new() } else { format!("  - **Brief**: {brief}\n") };
        format!("- **Agent**: `a` @ `2026-02-06T04:0{minute}:00Z`\n  - **Action**: x\n{item}")
    };
    let trace = |entries: &[String]| Trace::parse(entries.concat().as_bytes()).expect("a trace");
    let (begun, alike) = (entry(1, ""), entry(2, ""));
    let (named, more) = (entry(2, "1"), entry(5, "1"));
    let merge = |held: &[String], returned: &[String]| {
        let (handed_down, returned) = (trace(std::slice::from_ref(&begun)), trace(returned));
        let merged = trace(held).merge(&[Branch { brief: "1".to_owned(), handed_down, returned }]);
        merged.expect("a trace").content().to_owned()
    };
    // An entry of the parent's own that is like the child's.
    let own = [begun.clone(), alike.clone()];
    assert_eq!(merge(&own, &own), [begun.clone(), alike.clone(), alike.clone()].concat());
    // A branch that comes back again, with more.
    let first = [begun.clone(), named.clone()];
    let second = [begun.clone(), named.clone(), more.clone()];
    assert_eq!(merge(&first, &second), second.concat());
    assert_eq!(merge(&second, &second), second.concat());
}
