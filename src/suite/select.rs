//! Selecting roles and cases by glob, and a stable slice of the cases.
//!
//! `*` also crosses `/`: `jcs/*` is everything of the suite.

use std::fmt;
use std::str::FromStr;

use globset::{Glob, GlobSet, GlobSetBuilder};
use sha2::{Digest, Sha256};

/// A set of globs that remembers how each was written.
#[derive(Clone, Debug)]
pub struct Globs {
    written: Vec<String>,
    set: GlobSet,
}

impl Globs {
    /// Compiles the globs.
    ///
    /// # Errors
    /// On one that is ill-formed, naming it.
    pub fn new(written: &[String]) -> Result<Globs, String> {
        let mut builder = GlobSetBuilder::new();
        for text in written {
            builder.add(Glob::new(text).map_err(|error| error.to_string())?);
        }
        let set = builder.build().map_err(|error| error.to_string())?;
        Ok(Globs { written: written.to_vec(), set })
    }

    /// Whether there is none, which selects everything.
    pub fn is_empty(&self) -> bool {
        self.written.is_empty()
    }

    /// Whether a name is selected.
    pub fn selects(&self, name: &str) -> bool {
        self.is_empty() || self.set.is_match(name)
    }

    /// The first glob, as written, that matches none of the names.
    pub fn idle<'a>(&self, names: impl Iterator<Item = &'a str> + Clone) -> Option<&str> {
        let matched: std::collections::BTreeSet<usize> =
            names.flat_map(|name| self.set.matches(name)).collect();
        self.written
            .iter()
            .enumerate()
            .find(|(index, _)| !matched.contains(index))
            .map(|(_, text)| text.as_str())
    }
}

/// One of `n` stable slices of the cases, as `2/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    /// From 1.
    pub part: u64,
    /// At least 1.
    pub of: u64,
}

impl Partition {
    /// Whether a case is in this slice. Depends on nothing but its id.
    pub fn contains(&self, id: &str) -> bool {
        let digest: [u8; 32] = Sha256::digest(id.as_bytes()).into();
        let number =
            digest.iter().take(8).fold(0u64, |number, byte| number << 8 | u64::from(*byte));
        number % self.of == self.part - 1
    }
}

impl FromStr for Partition {
    type Err = String;

    fn from_str(text: &str) -> Result<Partition, String> {
        let parts = text
            .split_once('/')
            .and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((part, of)) if part >= 1 && part <= of => Ok(Partition { part, of }),
            _ => Err("a partition is K/N with K from 1 to N, as 2/8".to_owned()),
        }
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

/// The names nearest to what somebody wrote, best first, at most three.
pub fn near_misses<'a>(written: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let written = written.to_lowercase();
    let wanted = written.trim_matches('*');
    let mut scored: Vec<(f64, &str)> = names
        .map(|name| {
            // An id's last part alone is often what somebody remembers.
            let lower = name.to_lowercase();
            let last = lower.rsplit('/').next().unwrap_or(&lower);
            let near = strsim::jaro_winkler(wanted, &lower).max(strsim::jaro_winkler(wanted, last));
            let inside = if !wanted.is_empty() && lower.contains(wanted) { 1.0 } else { 0.0 };
            (near.max(inside), name)
        })
        .filter(|(score, _)| *score > 0.75)
        .collect();
    scored.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(other.1)));
    scored.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
}

/// The near misses as the end of a message, `; near it: …`; empty where there is none.
pub fn near_it<'a>(written: &str, names: impl Iterator<Item = &'a str>) -> String {
    match near_misses(written, names).as_slice() {
        [] => String::new(),
        near => format!("; near it: {}", near.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn does_a_star_cross_the_slashes() {
        let globs = Globs::new(&["jcs/*".to_owned()]).expect("a glob");
        assert!(globs.selects("jcs/canonicalizer/ordering/x"));
        assert!(!globs.selects("brief/carrier"));
        assert_eq!(globs.idle(["brief/carrier"].into_iter()), Some("jcs/*"));
    }

    #[test]
    fn is_every_id_in_exactly_one_slice() {
        for index in 0..200 {
            let id = format!("jcs/canonicalizer/topic/case-{index}");
            let slices = (1..=7).filter(|part| Partition { part: *part, of: 7 }.contains(&id));
            assert_eq!(slices.count(), 1);
        }
        assert!("0/3".parse::<Partition>().is_err());
        assert!("4/3".parse::<Partition>().is_err());
        assert!("1/0".parse::<Partition>().is_err());
    }

    #[test]
    fn what_was_meant() {
        let names = ["jcs/canonicalizer", "jcs/signer", "jcs/verifier"];
        assert_eq!(near_misses("jcs/canonicaliser", names.into_iter())[0], "jcs/canonicalizer");
        assert!(near_misses("zzzzzz", names.into_iter()).is_empty());
        assert_eq!(
            near_it("jcs/sinner", names.into_iter().take(2)),
            "; near it: jcs/signer, jcs/canonicalizer"
        );
        assert_eq!(near_it("zzzzzz", names.into_iter()), "");
    }
}
