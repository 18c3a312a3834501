//! Durations on the command line: `100ms`, `60s`, `10m`, `8h`.

use std::time::Duration;

/// Reads a duration.
///
/// # Errors
/// Where the text is no whole number with one of the units.
pub fn parse(text: &str) -> Result<Duration, String> {
    const UNITS: &[(&str, u64)] = &[("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)];
    let wrong = || format!("{text:?} is no duration: they are written 100ms, 60s, 10m, 8h");
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let (_, millis) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(wrong)?;
    match number.checked_mul(*millis) {
        Some(0) => Err("a duration must be more than nothing".to_owned()),
        // Longer than a century is a slip, and would overflow a deadline.
        Some(millis) if millis <= 3_200_000_000_000 => Ok(Duration::from_millis(millis)),
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_duration() {
        assert_eq!(parse("100ms"), Ok(Duration::from_millis(100)));
        assert_eq!(parse("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(parse("8h"), Ok(Duration::from_secs(8 * 3600)));
        for wrong in
            ["", "5", "s", "-1s", "1.5s", "0s", "1 s", "99999999999999999999h", "9999999999h"]
        {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
