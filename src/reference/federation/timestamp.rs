//! Points in time as the profile spells them: `YYYY-MM-DDThh:mm:ssZ`, a real date, whole seconds.
//!
//! Depends on nothing. No clock is read.

use std::fmt;

/// A point in time. The spelling is of fixed width, so that its order is that of time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(String);

impl Timestamp {
    /// Reads a point in time; `None` where the text is not of the one form or names no real date. The year 0000 is
    /// one, hour 24 and second 60 are not.
    pub fn parse(text: &str) -> Option<Self> {
        let form = b"dddd-dd-ddTdd:dd:ddZ";
        let fits = |(byte, form): (&u8, &u8)| match form {
            b'd' => byte.is_ascii_digit(),
            _ => byte == form,
        };
        if text.len() != form.len() || !text.as_bytes().iter().zip(form).all(fits) {
            return None;
        }
        let field = |from: usize, to: usize| text.get(from..to)?.parse::<u32>().ok();
        let (year, month, day) = (field(0, 4)?, field(5, 7)?, field(8, 10)?);
        let (hour, minute, second) = (field(11, 13)?, field(14, 16)?, field(17, 19)?);
        let real =
            (1..=days(year, month)?).contains(&day) && hour < 24 && minute < 60 && second < 60;
        real.then(|| Timestamp(text.to_owned()))
    }

    /// The beginning of 1970.
    pub(super) fn epoch() -> Self {
        Timestamp("1970-01-01T00:00:00Z".to_owned())
    }

    /// The spelling.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How many days a month has in the proleptic Gregorian calendar; `None` where there is no such month.
fn days(year: u32, month: u32) -> Option<u32> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        4 | 6 | 9 | 11 => Some(30),
        2 if leap => Some(29),
        2 => Some(28),
        _ => None,
    }
}
