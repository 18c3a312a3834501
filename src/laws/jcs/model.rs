//! What canonical bytes have to be, written down a second time and as plainly as can be: RFC 8785 over
//! a tree, without a thought of speed. Laws judge by it; it shares nothing with any subject.

use crate::laws::jcs::spelling;
use crate::laws::json::Tree;

/// The canonical form of a JSON text that has one; `None` where it is no JSON.
pub fn of_text(text: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    Some(of_value(&value))
}

/// The canonical form of a JSON value.
pub fn of_value(value: &serde_json::Value) -> String {
    of_tree(&spelling::tree_of(value))
}

/// The canonical form of a tree.
pub fn of_tree(tree: &Tree) -> String {
    match tree {
        Tree::Word(word) => (*word).to_owned(),
        Tree::Number(number) => of_number(*number),
        Tree::Text(text) => of_string(text),
        Tree::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(of_tree).collect();
            format!("[{}]", elements.join(","))
        }
        Tree::Object(members) => {
            let mut members: Vec<&(String, Tree)> = members.iter().collect();
            members.sort_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
            let members: Vec<String> = members
                .into_iter()
                .map(|(name, member)| format!("{}:{}", of_string(name), of_tree(member)))
                .collect();
            format!("{{{}}}", members.join(","))
        }
    }
}

fn of_string(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            control if control < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(control))),
            plain => out.push(plain),
        }
    }
    out.push('"');
    out
}

/// ECMA-262, Number::toString, by its own steps: k digits, and n where the decimal point stands.
fn of_number(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    // The fewest digits that read back as the number, the closest of those, the even one of two.
    let scientific = format!("{:e}", number.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits = even_of_two(number.abs(), mantissa.replace('.', ""));
    let k = i32::try_from(digits.len()).unwrap_or(0);
    let n = exponent.parse::<i32>().unwrap_or(0) + 1;
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
    let (whole, rest) = digits.split_at(usize::try_from(n.clamp(1, k)).unwrap_or(1));
    let sign = if number < 0.0 { "-" } else { "" };
    match n {
        _ if k <= n && n <= 21 => format!("{sign}{digits}{}", zeros(n - k)),
        1..=21 => format!("{sign}{whole}.{rest}"),
        -5..=0 => format!("{sign}0.{}{digits}", zeros(-n)),
        _ => {
            let (first, rest) = digits.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            format!("{sign}{first}{point}{rest}e{:+}", n - 1)
        }
    }
}

/// The digits that end in an even one, where the number is just between two that are as short: RFC 8785
/// asks for what note 2 of ECMA-262's section says.
fn even_of_two(number: f64, digits: String) -> String {
    // More digits than two neighbouring doubles of equally many share.
    let exact = format!("{number:.60e}");
    let (mantissa, exponent) = exact.split_once('e').unwrap_or((&exact, "0"));
    let exact = mantissa.replace('.', "");
    let (below, rest) = exact.split_at(digits.len().min(exact.len()));
    if rest.trim_end_matches('0') != "5" {
        return digits;
    }
    let below: u64 = below.parse().unwrap_or(0);
    let even = (below + below % 2).to_string();
    let places = i32::try_from(digits.len()).unwrap_or(1) - 1;
    let power = exponent.parse::<i32>().unwrap_or(0) - places;
    let reads_back = format!("{even}e{power}").parse() == Ok(number);
    if reads_back && even.len() == digits.len() { even } else { digits }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8785, appendix B, and the edges of the rules.
    #[test]
    fn does_the_model_write_numbers_as_the_appendix_does() {
        for (bits, expected) in [
            (0x0000_0000_0000_0001, "5e-324"),
            (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
            (0x4340_0000_0000_0000, "9007199254740992"),
            (0x4430_0000_0000_0000, "295147905179352830000"),
            (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
            (0x44b5_2d02_c7e1_4af6, "1e+23"),
            (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
            (0x444b_1ae4_d6e2_ef50, "1e+21"),
            (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
            (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
            (0x41b3_de43_5555_5554, "333333333.33333325"),
            (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
            (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
            (0x8000_0000_0000_0000, "0"),
            // Just between .2 and .3.
            (
                "-780667035078206.25".parse::<f64>().expect("a number").to_bits(),
                "-780667035078206.2",
            ),
        ] {
            assert_eq!(of_number(f64::from_bits(bits)), expected);
        }
    }
}
