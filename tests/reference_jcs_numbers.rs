//! Does the reference write every number as ECMAScript does?
//!
//! The long comparison with `ryu-js` is ignored by default: `cargo test --release -- --ignored doubles`.

use std::fmt::Write as _;

use proofmark::reference::jcs::{JcsErrorKind, canonicalise};

#[track_caller]
fn same(input: &str, expected: &str) {
    let canonical = canonicalise(input.as_bytes()).map_err(|error| error.to_string());
    let canonical = canonical.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert_eq!(canonical.as_deref(), Ok(expected), "{:.60}", input);
}

/// RFC 8785, Appendix B. The rows for NaN and Infinity have no spelling in JSON; they are tested below.
const APPENDIX_B: &[(u64, &str)] = &[
    (0x0000000000000000, "0"),
    (0x8000000000000000, "0"),
    (0x0000000000000001, "5e-324"),
    (0x8000000000000001, "-5e-324"),
    (0x7fefffffffffffff, "1.7976931348623157e+308"),
    (0xffefffffffffffff, "-1.7976931348623157e+308"),
    (0x4340000000000000, "9007199254740992"),
    (0xc340000000000000, "-9007199254740992"),
    (0x4430000000000000, "295147905179352830000"),
    (0x44b52d02c7e14af5, "9.999999999999997e+22"),
    (0x44b52d02c7e14af6, "1e+23"),
    (0x44b52d02c7e14af7, "1.0000000000000001e+23"),
    (0x444b1ae4d6e2ef4e, "999999999999999700000"),
    (0x444b1ae4d6e2ef4f, "999999999999999900000"),
    (0x444b1ae4d6e2ef50, "1e+21"),
    (0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"),
    (0x3eb0c6f7a0b5ed8d, "0.000001"),
    (0x41b3de4355555553, "333333333.3333332"),
    (0x41b3de4355555554, "333333333.33333325"),
    (0x41b3de4355555555, "333333333.3333333"),
    (0x41b3de4355555556, "333333333.3333334"),
    (0x41b3de4355555557, "333333333.33333343"),
    (0xbecbf647612f3696, "-0.0000033333333333333333"),
    (0x43143ff3c1cb0959, "1424953923781206.2"),
];

#[test]
fn every_row_of_appendix_b_in_every_spelling() {
    for &(bits, expected) in APPENDIX_B {
        let value = f64::from_bits(bits);
        same(expected, expected);
        // The shortest digits with an exponent, and all digits of the exact value, with and without one.
        same(&format!("{value:e}"), expected);
        same(&format!("{value:E}"), expected);
        same(&format!("{value:.1100}"), expected);
        same(&format!("{value:.800e}"), expected);
    }
    for word in ["NaN", "Infinity", "-Infinity", "-NaN"] {
        let error = canonicalise(word.as_bytes()).expect_err(word);
        assert!(matches!(error.kind, JcsErrorKind::Syntax(_)), "{word}: {error}");
    }
}

#[test]
fn the_bounds_between_the_layouts() {
    for (input, expected) in [
        ("-0", "0"),
        ("-0.0", "0"),
        ("0e5", "0"),
        ("-0E-5", "0"),
        ("0.000", "0"),
        ("1.0", "1"),
        ("-1.50", "-1.5"),
        ("10", "10"),
        ("1e0", "1"),
        ("1e21", "1e+21"),
        ("1e20", "100000000000000000000"),
        ("999999999999999999999", "1e+21"),
        ("123456789012345678901", "123456789012345680000"),
        ("1e-6", "0.000001"),
        ("1e-7", "1e-7"),
        ("0.0000001", "1e-7"),
        ("0.00000123", "0.00000123"),
        ("0.000000123", "1.23e-7"),
        ("0.00000123456789012345", "0.00000123456789012345"),
        ("1e15", "1000000000000000"),
        ("1e16", "10000000000000000"),
        ("1.5e16", "15000000000000000"),
        ("123456789012345.6", "123456789012345.6"),
        ("0.1234567890123456", "0.1234567890123456"),
        ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ("-2.2250738585072014E-308", "-2.2250738585072014e-308"),
        ("9007199254740992", "9007199254740992"),
        ("9007199254740993", "9007199254740992"),
        ("9007199254740994", "9007199254740994"),
        ("9007199254740995", "9007199254740996"),
        ("295147905179352825856", "295147905179352830000"),
        ("18446744073709551615", "18446744073709552000"),
        ("18446744073709551616", "18446744073709552000"),
        ("99999999999999999999", "100000000000000000000"),
        ("1e000000000000000000001", "10"),
        ("1e-00000000000000000000", "1"),
        ("2.5e-324", "5e-324"),
        ("2.4e-324", "0"),
        ("1e-400", "0"),
        ("-1e-400", "0"),
        ("1e-99999999999999999999999", "0"),
        ("0e99999999999999999999999", "0"),
        ("0.00000000000000000000000000001", "1e-29"),
        ("4.9406564584124654e-324", "5e-324"),
        ("2.225073858507201136057e-308", "2.225073858507201e-308"),
        ("8.5", "8.5"),
        ("5e-1", "0.5"),
        ("0.30000000000000004", "0.30000000000000004"),
        ("0.9999999999999999", "0.9999999999999999"),
        ("1E+2", "100"),
    ] {
        same(input, expected);
        same(&format!("[{input}, {input}]"), &format!("[{expected},{expected}]"));
    }
}

/// 2^1024 − 2^970: half-way from the largest double to the next one, were there one. It rounds to even, upwards.
const FIRST_OVERFLOW: &str = "1797693134862315807937289714053034150799341327100378269361737789804449682927647509466490179775872070\
     9633028641669288791094655554785194040263065748867150582068190890200070838367627385484581771153176447\
     5730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880177904174497792";

#[test]
fn what_overflows_is_refused() {
    for input in [
        "1e400",
        "-1e400",
        "1.7976931348623159e308",
        "1e309",
        FIRST_OVERFLOW,
        "1e99999999999999999999999",
    ] {
        let error = canonicalise(format!("[0, {input}]").as_bytes()).expect_err(input);
        assert_eq!((error.kind, error.offset), (JcsErrorKind::NumberOverflow, 4), "{input}");
        assert_eq!(error.path, "/1");
    }
    let below = format!("{}1", FIRST_OVERFLOW.strip_suffix('2').expect("its last digit"));
    same(&below, "1.7976931348623157e+308");
    same("1.797693134862315807e308", "1.7976931348623157e+308");
}

#[test]
fn numbers_of_a_megabyte() {
    let zeros = "0".repeat(1_000_000);
    same(&format!("0.{zeros}1"), "0");
    same(&format!("0.{zeros}1e1000001"), "1");
    same(&format!("1{zeros}e-1000000"), "1");
    same(&format!("-1{zeros}.{zeros}e-999999"), "-10");
    same(&format!("1e{zeros}5"), "100000");
    same(&format!("1e-{zeros}5"), "0.00001");
    same(&format!("1.{zeros}"), "1");
    // A tie is one only if nothing follows.
    same(&format!("9007199254740993.{zeros}"), "9007199254740992");
    same(&format!("9007199254740993.{zeros}1"), "9007199254740994");
    let error = canonicalise(format!("1{zeros}").as_bytes()).expect_err("a huge number");
    assert_eq!(error.kind, JcsErrorKind::NumberOverflow);
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

/// One double of the kinds that tell implementations apart.
fn double(random: &mut Random) -> f64 {
    let bits = random.next();
    match random.next() % 4 {
        // Any bit pattern.
        0 => f64::from_bits(bits),
        // Next to a power of two.
        1 => f64::from_bits(
            (bits & 0xFFF0_0000_0000_0000).wrapping_add(random.next() % 17).wrapping_sub(8),
        ),
        // Integers around 2^53 and further up.
        2 => {
            ((1u64 << 53).wrapping_sub(1 << 20).wrapping_add(bits % (1 << 21))
                << (random.next() % 11)) as f64
        }
        // Short decimals.
        _ => {
            let digits = bits % 10u64.pow(1 + (random.next() % 16) as u32);
            let exponent = (random.next() % 60) as i32 - 40;
            format!("{digits}e{exponent}").parse().unwrap_or(0.0)
        }
    }
}

/// Writes a value in one of several ways that all read back as it.
fn spell(value: f64, random: &mut Random, text: &mut String) {
    let _ = match random.next() % 8 {
        0 => write!(text, "{value}"),
        1 => write!(text, "{value:.16e}"),
        2 => write!(text, "{value:.20E}"),
        3 => write!(text, "{value:?}"),
        4 => write!(text, "{value:.18e}"),
        _ => write!(text, "{value:e}"),
    };
}

/// `count` doubles, in documents of a thousand, against what `ryu-js` prints.
fn compare_doubles(count: usize, seed: u64) {
    let mut random = Random(seed);
    let mut buffer = ryu_js::Buffer::new();
    for _ in 0..count / 1000 {
        let (mut input, mut expected) = (String::from("["), String::from("["));
        for i in 0..1000 {
            let value =
                std::iter::repeat_with(|| double(&mut random)).find(|value| value.is_finite());
            let value = value.unwrap_or_default();
            let separator = if i == 0 { "" } else { "," };
            input.push_str(separator);
            expected.push_str(separator);
            spell(value, &mut random, &mut input);
            expected.push_str(buffer.format(value));
        }
        input.push(']');
        expected.push(']');
        let canonical = canonicalise(input.as_bytes()).expect("numbers only");
        if canonical != expected.as_bytes() {
            let canonical = String::from_utf8_lossy(&canonical).into_owned();
            let numbers = canonical.split(',').zip(expected.split(',')).zip(input.split(','));
            for ((ours, theirs), spelling) in numbers {
                assert_eq!(ours, theirs, "{spelling}");
            }
            panic!("the documents differ");
        }
        // What ryu-js writes is canonical, and stays as it is.
        assert!(canonicalise(expected.as_bytes()).as_deref() == Ok(expected.as_bytes()));
    }
}

#[test]
fn a_hundred_thousand_doubles_are_written_as_by_ryu_js() {
    compare_doubles(100_000, 1);
}

#[test]
#[ignore = "ten million doubles; run with --release"]
fn doubles() {
    compare_doubles(10_000_000, 2);
}

/// Decimals of up to 20 digits with any exponent, read as the standard library reads them: what decides near ties.
#[test]
fn decimals_are_rounded_correctly() {
    let mut random = Random(3);
    let mut buffer = ryu_js::Buffer::new();
    for _ in 0..200_000 {
        let digits = random.next() >> (random.next() % 64);
        let exponent = (random.next() % 700) as i64 - 360;
        let spelling = match random.next() % 3 {
            0 => format!("{digits}e{exponent}"),
            1 => format!("{digits}.{}e{exponent}", random.next() % 100),
            // Half-way between two doubles, and a unit to either side in the last of 17 to 19 digits.
            _ => format!("{}e{}", (digits | 1).saturating_add(random.next() % 3), exponent % 30),
        };
        let value: f64 = spelling.parse().expect("a number");
        if value.is_finite() {
            same(&spelling, buffer.format(value));
        } else {
            assert!(canonicalise(spelling.as_bytes()).is_err(), "{spelling}");
        }
    }
    // Exact ties: odd multiples of half a unit, of integers between 2^53 and 2^63.
    for _ in 0..100_000 {
        let bits = random.next();
        let shift = 1 + bits % 10;
        let tie = (((1u64 << 53) | (bits >> 12)) << shift) + (1 << (shift - 1));
        for near in [tie - 1, tie, tie + 1] {
            same(&near.to_string(), buffer.format(near as f64));
        }
    }
}
