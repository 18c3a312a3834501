//! Waivers: failures that somebody knows of and answers for, until a date.
//!
//! A waiver file has `[[waiver]]` tables: `case` (an id of a case or of a law, or a glob), `reason`, and where wanted
//! `link`, `owner`, `expires` (a date, `YYYY-MM-DD`; the waiver holds to the end of that day, UTC).
//! Waived cases still run. A waiver whose case passes is stale (one with a glob: whose cases all
//! pass), one past its date is expired (and covers nothing), one that matches no case of the run is
//! dangling: each is named.

use std::path::Path;

use globset::{Glob, GlobMatcher};
use serde::Deserialize;

use crate::engine::event::{CaseResult, LawResult};
use crate::engine::verdict::Verdict;
use crate::suite::fault::Fault;

/// The waivers of a run.
#[derive(Clone, Debug, Default)]
pub struct Waivers {
    waivers: Vec<Waiver>,
}

#[derive(Clone, Debug)]
struct Waiver {
    written: String,
    matcher: GlobMatcher,
    reason: String,
    expired: Option<String>,
    /// It names one case, and no pattern.
    exact: bool,
    matched: bool,
    needed: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    #[serde(default)]
    waiver: Vec<toml::Spanned<RawWaiver>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawWaiver {
    case: String,
    reason: String,
    #[serde(default)]
    #[allow(dead_code, reason = "for the people who read the file")]
    link: Option<String>,
    #[serde(default)]
    #[allow(dead_code, reason = "for the people who read the file")]
    owner: Option<String>,
    #[serde(default)]
    expires: Option<toml::Value>,
}

impl Waivers {
    /// Reads a waiver file. `today` is the date that `expires` is held against, in UTC.
    ///
    /// # Errors
    /// Where the file can't be read or is not of the shape above, with line and column.
    pub fn read(path: &Path, today: jiff::civil::Date) -> Result<Waivers, Fault> {
        let file = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Fault::of_file(&file, error.to_string()))?;
        let raw: RawFile =
            toml::from_str(&text).map_err(|error| Fault::of_toml(&file, &text, &error))?;
        let mut waivers = Vec::new();
        for spanned in raw.waiver {
            let offset = spanned.span().start;
            let read = read_waiver(spanned.into_inner(), today);
            waivers.push(read.map_err(|what| Fault::at(&file, &text, offset, what))?);
        }
        Ok(Waivers { waivers })
    }

    /// Applies the waivers to a case's outcome.
    pub fn apply(&mut self, result: &mut CaseResult) {
        if let Some(reason) = self.cover(&result.id, &mut result.verdict) {
            result.waiver = Some(reason);
        }
    }

    /// Applies them to a law's, which is waived by its id as a case is.
    pub fn apply_to_law(&mut self, result: &mut LawResult) {
        if let Some(waived) = self.cover(&result.id, &mut result.verdict) {
            let broken = result.reason.take().map(|reason| reason + "; ").unwrap_or_default();
            result.reason = Some(format!("{broken}waived: {waived}"));
        }
    }

    /// Changes a verdict as the waivers of this id want. Gives the reason of the last that does.
    fn cover(&mut self, id: &str, verdict: &mut Verdict) -> Option<String> {
        let mut reason = None;
        for waiver in &mut self.waivers {
            if !waiver.matcher.is_match(id) {
                continue;
            }
            waiver.matched = true;
            if waiver.expired.is_some() {
                continue;
            }
            if verdict.is_failure() || *verdict == Verdict::Waived {
                waiver.needed = true;
                *verdict = Verdict::Waived;
                reason = Some(waiver.reason.clone());
            } else if waiver.exact && *verdict == Verdict::Pass {
                *verdict = Verdict::StaleWaiver;
                reason = Some(waiver.reason.clone());
            }
        }
        reason
    }

    /// What is wrong with the waivers themselves, a sentence each. `corpus`: the ids of all cases,
    /// asked or not; a waiver that covers none of them is dangling. A waiver of several cases can be
    /// called stale only where the run was `whole`.
    pub fn faults<'a>(
        &self,
        corpus: impl Iterator<Item = &'a str> + Clone,
        whole: bool,
    ) -> Vec<String> {
        let fault = |waiver: &Waiver| {
            if let Some(date) = &waiver.expired {
                Some(format!("expired on {date}"))
            } else if !corpus.clone().any(|id| waiver.matcher.is_match(id)) {
                Some("matches no case".to_owned())
            } else if !waiver.matched || waiver.needed {
                None
            } else if waiver.exact {
                Some("is stale: the case passes".to_owned())
            } else {
                whole.then(|| "is stale: none of its cases fails".to_owned())
            }
        };
        self.waivers
            .iter()
            .filter_map(|waiver| Some((waiver, fault(waiver)?)))
            .map(|(waiver, what)| format!("the waiver for {} {what}", waiver.written))
            .collect()
    }
}

fn read_waiver(raw: RawWaiver, today: jiff::civil::Date) -> Result<Waiver, String> {
    if raw.reason.trim().is_empty() {
        return Err("`reason` is empty".to_owned());
    }
    let glob = Glob::new(&raw.case).map_err(|error| error.to_string())?;
    let expires = match raw.expires {
        None => None,
        Some(toml::Value::Datetime(date)) => Some(date.to_string()),
        Some(toml::Value::String(date)) => Some(date),
        Some(_) => return Err("`expires` is a date, as 2027-01-31".to_owned()),
    };
    let expired = match expires {
        None => None,
        Some(text) => {
            let date: jiff::civil::Date = text
                .parse()
                .map_err(|_| format!("`expires` is a date, as 2027-01-31, and not {text:?}"))?;
            (date < today).then_some(text)
        }
    };
    let exact = !raw.case.contains(['*', '?', '[', '{']);
    Ok(Waiver {
        written: raw.case,
        matcher: glob.compile_matcher(),
        reason: raw.reason,
        expired,
        exact,
        matched: false,
        needed: false,
    })
}
