//! Dates and times: RFC 3339 with an offset, kept as they were written, compared as points in time.
//!
//! Depends on `jiff` for the calendar.

use std::cmp::Ordering;
use std::fmt;

use jiff::civil::{DateTime, date};

use super::error::{BriefError, Fault};

/// A date and time with an offset, in its own spelling.
///
/// Read is the grammar of RFC 3339 section 5.6: `T` and `Z` in either case, or a blank for the `T`, and any number of
/// digits of a fraction. Refused are a time without an offset, a date alone, no such day or hour, a leap second (no
/// table says which were real), and text after the time.
///
/// Two timestamps are equal where they are spelled alike; for their order in time there is
/// [`cmp_in_time`](Timestamp::cmp_in_time).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Timestamp {
    text: String,
    /// Seconds from 1970 on.
    seconds: i64,
    /// The digits of the fraction without zeros at their end: in this form their order is that of their values.
    fraction: String,
}

impl Timestamp {
    /// Reads a date and time.
    ///
    /// # Errors
    ///
    /// [`Fault::NotATime`].
    pub fn parse(text: &str) -> Result<Self, BriefError> {
        Self::read(text).ok_or_else(|| Fault::NotATime.into())
    }

    fn read(text: &str) -> Option<Self> {
        let (local, rest) = text.split_at_checked(19)?;
        let form = b"dddd-dd-ddTdd:dd:dd";
        let fits = |(byte, form): (&u8, &u8)| match form {
            b'd' => byte.is_ascii_digit(),
            b'T' => matches!(byte, b'T' | b't' | b' '),
            _ => byte == form,
        };
        if !local.as_bytes().iter().zip(form).all(fits) {
            return None;
        }
        let field = |from: usize, to: usize| local.get(from..to)?.parse::<i16>().ok();
        let small = |from, to| i8::try_from(field(from, to)?).ok();
        let (hour, minute, second) = (small(11, 13)?, small(14, 16)?, small(17, 19)?);
        let day = jiff::civil::Date::new(field(0, 4)?, small(5, 7)?, small(8, 10)?).ok()?;
        let time = jiff::civil::Time::new(hour, minute, second, 0).ok()?;
        let (fraction, offset) = match rest.strip_prefix('.') {
            None => ("", rest),
            Some(rest) => {
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                let (fraction, offset) = rest.split_at_checked(digits).filter(|_| digits > 0)?;
                (fraction, offset)
            }
        };
        let epoch: DateTime = date(1970, 1, 1).at(0, 0, 0, 0);
        let seconds = DateTime::from_parts(day, time).duration_since(epoch).as_secs();
        Some(Timestamp {
            text: text.to_owned(),
            seconds: seconds - offset_seconds(offset)?,
            fraction: fraction.trim_end_matches('0').to_owned(),
        })
    }

    /// The present, in whole seconds of UTC.
    pub fn now() -> Self {
        let text = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        Self::read(&text).unwrap_or_else(|| Timestamp {
            // A clock set beyond the year 9999.
            text: "9999-12-31T23:59:59Z".to_owned(),
            seconds: 253_402_300_799,
            fraction: String::new(),
        })
    }

    /// The present, or the latest of the times given where a clock has them later than that.
    pub(super) fn now_after<'a>(times: impl IntoIterator<Item = &'a Timestamp>) -> Self {
        times.into_iter().fold(Self::now(), |latest, time| match time.cmp_in_time(&latest) {
            Ordering::Greater => time.clone(),
            _ => latest,
        })
    }

    /// The text as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The order in time, whatever the offsets and spellings.
    pub fn cmp_in_time(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }

    /// What the order in time goes by.
    pub(super) fn key(&self) -> (i64, &str) {
        (self.seconds, &self.fraction)
    }
}

/// The seconds that an offset is ahead of UTC.
fn offset_seconds(text: &str) -> Option<i64> {
    let (sign, digits) = match text.as_bytes() {
        [b'Z' | b'z'] => return Some(0),
        [b'+', rest @ ..] => (1, rest),
        [b'-', rest @ ..] => (-1, rest),
        _ => return None,
    };
    let &[a, b, b':', c, d] = digits else { return None };
    if ![a, b, c, d].iter().all(u8::is_ascii_digit) {
        return None;
    }
    let two = |a: u8, b: u8| i64::from(a - b'0') * 10 + i64::from(b - b'0');
    let (hours, minutes) = (two(a, b), two(c, d));
    (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes) * 60)
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap_or_else(|_| panic!("{text}"))
    }

    #[test]
    fn are_the_spellings_of_rfc_3339_read() {
        for text in [
            "2026-02-06T03:55:00Z",
            "2026-02-06t03:55:00z",
            "2026-02-06 03:55:00+02:00",
            "2024-02-29T23:59:59.123456789012345678-23:59",
            "0000-01-01T00:00:00-00:00",
            "9999-12-31T23:59:59Z",
        ] {
            assert_eq!(time(text).as_str(), text);
        }
    }

    #[test]
    fn is_what_is_no_time_refused() {
        for text in [
            "",
            "yesterday",
            "2026-02-06",
            "2026-02-06T03:55Z",
            "2026-02-06T03:55:00",
            "2026-02-30T03:55:00Z",
            "2025-02-29T03:55:00Z",
            "2026-00-01T03:55:00Z",
            "2026-02-06T24:00:00Z",
            "2026-02-06T25:00:00Z",
            "2026-02-06T03:60:00Z",
            "2016-12-31T23:59:60Z",
            "2026-02-06T03:55:00.Z",
            "2026-02-06T03:55:00+0200",
            "2026-02-06T03:55:00+24:00",
            "2026-02-06T03:55:00+02:60",
            "2026-02-06T03:55:00Z ",
            " 2026-02-06T03:55:00Z",
            "2026-02-06T03:55:00Zulu",
            "2026-02-06T03:55:0éZ",
            "٢٠٢٦-02-06T03:55:00Z",
        ] {
            assert!(Timestamp::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn does_the_order_follow_time_and_not_spelling() {
        let order = |a: &str, b: &str| time(a).cmp_in_time(&time(b));
        let noon = "2026-02-06T12:00:00Z";
        assert_eq!(order(noon, "2026-02-06T14:00:00.000+02:00"), Ordering::Equal);
        assert_eq!(order(noon, "2026-02-06T12:30:00+02:00"), Ordering::Greater);
        assert_eq!(order(noon, "2026-02-06T12:00:00.05Z"), Ordering::Less);
        assert_eq!(order("2026-02-06T12:00:00.5Z", "2026-02-06T12:00:00.05Z"), Ordering::Greater);
    }

    #[test]
    fn is_the_present_never_before_a_time_that_was_seen() {
        let late = time("9999-01-01T00:00:00Z");
        let early = time("2000-01-01T00:00:00Z");
        assert_eq!(Timestamp::now_after([&early, &late, &early]), late);
        assert_eq!(Timestamp::now_after([&early]).cmp_in_time(&early), Ordering::Greater);
    }
}
