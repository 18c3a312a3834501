//! How fast the reference canonicaliser is, beside parsing with serde_json and writing with serde_jcs.
//!
//! Four classes of input: a manifest of 1 KB as an editor writes it, 100 KB of nested objects whose members are not
//! in order, 10 MB of numbers, 10 MB of strings; all but the first are generated from a fixed seed. Throughput is in
//! bytes of canonical output. Two limits give context: a scan that keeps nothing (serde's `IgnoredAny`), and
//! serde_json's own round trip, which is not canonical.
//!
//! On a machine with other work times drift, so that figures taken minutes apart do not compare. Therefore the ratios
//! at the end come from runs in alternation, ours and theirs in turn; what is printed is the median of their paired
//! ratios, with the quartiles.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput};
use proofmark::reference::jcs;
use serde::de::IgnoredAny;
use serde_json::Value;

const MANIFEST: &str = include_str!("data/manifest.json");

/// A class of input, and the ratio to the second opinion that it must reach.
struct Class {
    name: &'static str,
    input: Vec<u8>,
    must_reach: f64,
}

fn classes() -> Vec<Class> {
    let class =
        |name, input: String, must_reach| Class { name, input: input.into_bytes(), must_reach };
    vec![
        class("manifest-1KB", MANIFEST.to_owned(), 5.0),
        class("nested-100KB", nested(100_000), 5.0),
        class("numbers-10MB", numbers(10_000_000), 2.0),
        class("strings-10MB", strings(10_000_000), 4.0),
    ]
}

/// SplitMix64: small, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

const WORDS: &[&str] = &[
    "anchor",
    "berth",
    "cargo",
    "draught",
    "estuary",
    "fender",
    "gangway",
    "hawser",
    "inlet",
    "jetty",
    "keel",
    "lighthouse",
    "mooring",
    "navigation",
    "outrigger",
    "pier",
    "quay",
    "rudder",
    "sluice",
    "tonnage",
];

/// Objects and arrays down to seven levels, names in no order, written compactly.
fn nested(size: usize) -> String {
    let mut random = Random(1);
    let mut text = String::from("[");
    while text.len() < size {
        if text.len() > 1 {
            text.push(',');
        }
        branch(&mut random, &mut text, 7);
    }
    text.push(']');
    text
}

fn branch(random: &mut Random, text: &mut String, levels: u64) {
    match random.below(10) {
        _ if levels == 0 => leaf(random, text),
        0..=1 => leaf(random, text),
        2..=3 => {
            text.push('[');
            for i in 0..1 + random.below(4) {
                text.push_str(if i == 0 { "" } else { "," });
                branch(random, text, levels - 1);
            }
            text.push(']');
        }
        _ => {
            text.push('{');
            let first = random.below(20);
            for i in 0..1 + random.below(6) {
                text.push_str(if i == 0 { "" } else { "," });
                // 7 and 20 have no common factor: all names of an object differ.
                let word = WORDS[((first + 7 * i) % 20) as usize];
                let _ = write!(text, "\"{word}\":");
                branch(random, text, levels - 1);
            }
            text.push('}');
        }
    }
}

fn leaf(random: &mut Random, text: &mut String) {
    let _ = match random.below(6) {
        0 => write!(text, "{}", random.below(100_000)),
        1 => write!(text, "{}.{}", random.below(1000), 1 + random.below(9)),
        2 => write!(text, "{}", random.below(2) == 0),
        3 => write!(text, "null"),
        _ => write!(
            text,
            "\"{} {}\"",
            WORDS[random.below(20) as usize],
            WORDS[random.below(20) as usize]
        ),
    };
}

/// An array of numbers: integers, prices, measurements of 17 digits, and other spellings.
fn numbers(size: usize) -> String {
    let mut random = Random(2);
    let mut text = String::from("[");
    while text.len() < size {
        if text.len() > 1 {
            text.push(',');
        }
        let _ = match random.below(8) {
            0 => write!(text, "{}", random.below(1000)),
            1 => write!(text, "{}", random.below(1 << 50)),
            2 => write!(text, "-{}.{:02}", random.below(10_000), random.below(100)),
            3 => write!(text, "{}e{}", random.below(1000), random.below(30)),
            4 => write!(text, "{:e}", f64::from_bits(random.next() >> 2)),
            _ => write!(text, "{}", (random.next() >> 11) as f64 / (1u64 << 53) as f64),
        };
    }
    text.push(']');
    text
}

/// An array of strings of up to 300 characters: words, some of them with escapes or beyond ASCII.
fn strings(size: usize) -> String {
    let mut random = Random(3);
    let mut text = String::from("[");
    while text.len() < size {
        text.push_str(if text.len() > 1 { ",\"" } else { "\"" });
        for _ in 0..1 + random.below(40) {
            text.push_str(WORDS[random.below(20) as usize]);
            text.push_str(match random.below(100) {
                0 => "\\n",
                1 => "\\u00e9 ",
                2 => " naïve ",
                3 => " 港 ",
                _ => " ",
            });
        }
        text.push('"');
    }
    text.push(']');
    text
}

fn ours(input: &[u8]) -> Vec<u8> {
    jcs::canonicalise(input).expect("the inputs have a canonical form")
}

fn theirs(input: &[u8]) -> Vec<u8> {
    let value: Value = serde_json::from_slice(input).expect("the inputs are JSON");
    serde_jcs::to_vec(&value).expect("a value that has been read can be written")
}

fn round_trip(input: &[u8]) -> Vec<u8> {
    let value: Value = serde_json::from_slice(input).expect("the inputs are JSON");
    serde_json::to_vec(&value).expect("a value that has been read can be written")
}

fn scan(input: &[u8]) -> IgnoredAny {
    serde_json::from_slice(input).expect("the inputs are JSON")
}

fn benchmark(criterion: &mut Criterion, classes: &[Class]) {
    for class in classes {
        let mut group = criterion.benchmark_group(class.name);
        group.throughput(Throughput::Bytes(ours(&class.input).len() as u64));
        if class.input.len() > 1_000_000 {
            group.sample_size(10);
        }
        let mut add = |name, run: &dyn Fn(&[u8])| {
            group.bench_with_input(
                BenchmarkId::from_parameter(name),
                &class.input[..],
                |bencher, input| {
                    bencher.iter(|| run(black_box(input)));
                },
            );
        };
        add("reference", &|input| drop(black_box(ours(input))));
        add("serde_json+serde_jcs", &|input| drop(black_box(theirs(input))));
        add("limit: serde_json round trip", &|input| drop(black_box(round_trip(input))));
        add("limit: scan only", &|input| {
            black_box(scan(input));
        });
        group.finish();
    }
}

/// The time of `times` runs in a row.
fn time(times: u32, run: &dyn Fn()) -> Duration {
    let start = Instant::now();
    for _ in 0..times {
        run();
    }
    start.elapsed()
}

/// Prints the ratio of their time to ours, class by class, from runs in alternation.
fn ratios(classes: &[Class]) {
    println!("\ntimes of serde_json+serde_jcs over ours, runs in alternation");
    for class in classes {
        let a = || drop(black_box(ours(black_box(&class.input))));
        let b = || drop(black_box(theirs(black_box(&class.input))));
        // Enough runs for some 20 ms of theirs, and pairs for about four seconds.
        let times = (20_000_000 / time(3, &b).as_nanos().max(1) * 3).clamp(1, 10_000) as u32;
        let pairs = (4_000_000_000 / (time(times, &b).as_nanos().max(1) * 2)).clamp(11, 101);
        let mut paired = Vec::new();
        let mut our_times = Vec::new();
        for _ in 0..pairs {
            let (ours, theirs) = (time(times, &a), time(times, &b));
            paired.push(theirs.as_secs_f64() / ours.as_secs_f64());
            our_times.push(ours.as_secs_f64() / f64::from(times));
        }
        paired.sort_by(f64::total_cmp);
        our_times.sort_by(f64::total_cmp);
        let at = |share: f64| paired[(share * (paired.len() - 1) as f64) as usize];
        let speed = ours(&class.input).len() as f64 / our_times[our_times.len() / 2] / 1e6;
        println!(
            "{:14} median {:5.2} (quartiles {:5.2} to {:5.2}, {} pairs); ours {speed:6.0} MB/s; must reach {}: {}",
            class.name,
            at(0.5),
            at(0.25),
            at(0.75),
            paired.len(),
            class.must_reach,
            if at(0.5) >= class.must_reach { "reached" } else { "NOT REACHED" },
        );
    }
}

fn main() {
    let classes = classes();
    for class in &classes {
        assert_eq!(ours(&class.input), theirs(&class.input), "{}: the two disagree", class.name);
    }
    let mut criterion = Criterion::default().configure_from_args();
    benchmark(&mut criterion, &classes);
    criterion.final_summary();
    // `cargo test --benches` and `--list` only want to know that it runs.
    if !std::env::args().any(|arg| arg == "--test" || arg == "--list") {
        ratios(&classes);
    }
}
