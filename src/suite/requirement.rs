//! Requirements: one normative statement each, from `suites/<suite>/requirements.toml`.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// How much hangs on a requirement. Ordered from the strictest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Fails the mark.
    Must,
    /// Counted and shown, changes no mark.
    Should,
    /// The text admits several answers: recorded, never failed but by an answer that fits none.
    Reading,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::Must => "must",
            Level::Should => "should",
            Level::Reading => "reading",
        })
    }
}

/// Who asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The specification's own words.
    Text,
    /// A standard that the specification stands on.
    Rfc,
    /// The specification's public implementation, for detail that its text leaves out.
    Profile,
    /// This project's own hardening; never a MUST.
    Suite,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Origin::Text => "text",
            Origin::Rfc => "rfc",
            Origin::Profile => "profile",
            Origin::Suite => "suite",
        })
    }
}

/// A requirement of a special kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// "Bounded, no crash": accepting and refusing are both right.
    Robustness,
}

/// One normative statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Requirement {
    /// Stable for ever.
    pub id: String,
    /// How much hangs on it.
    pub level: Level,
    /// Who asks for it.
    pub origin: Origin,
    /// Where it is asked for.
    pub section: String,
    /// Robustness, or nothing special.
    #[serde(default)]
    pub kind: Option<Kind>,
    /// A short title.
    pub title: String,
    /// The statement, in this project's words.
    pub text: String,
    /// The roles that it binds.
    pub roles: Vec<String>,
    /// Of a reading: the answers that the text admits, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub readings: BTreeMap<String, String>,
    /// Of a reading: the answer that the reference gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Of a reading that is told by several cases together: known combinations.
    #[serde(default, rename = "profile", skip_serializing_if = "Vec::is_empty")]
    pub profiles: Vec<Profile>,
}

/// A known combination of answers to a reading's cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The combination's name.
    pub name: String,
    /// What it means, and who does so.
    pub about: String,
    /// From case ids (full, or the last part) to the reading's name there.
    pub answers: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRequirements {
    pub requirement: Vec<toml::Spanned<Requirement>>,
}

impl Requirement {
    /// Whether the requirement says "bounded, no crash".
    pub fn is_robustness(&self) -> bool {
        self.kind == Some(Kind::Robustness)
    }

    /// What its readings' answers come to: one name where the cases agree or fit a profile,
    /// `other` where they fit none of the profiles, and else each distinct answer.
    ///
    /// `answers`: the full case id and the reading recorded there.
    pub fn reading(&self, answers: &[(&str, &str)]) -> Vec<String> {
        if answers.is_empty() {
            return Vec::new();
        }
        if !self.profiles.is_empty() {
            let fits = |profile: &&Profile| {
                answers.iter().all(|(case, reading)| {
                    let last = case.rsplit('/').next().unwrap_or(case);
                    let wanted = profile.answers.get(*case).or_else(|| profile.answers.get(last));
                    wanted.is_some_and(|wanted| wanted == reading)
                })
            };
            let name = self.profiles.iter().find(fits).map_or("other", |profile| &profile.name);
            return vec![name.to_owned()];
        }
        let mut distinct: Vec<String> =
            answers.iter().map(|(_, reading)| (*reading).to_owned()).collect();
        distinct.sort();
        distinct.dedup();
        distinct
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(profiles: Vec<Profile>) -> Requirement {
        Requirement {
            id: "X-R-1".into(),
            level: Level::Reading,
            origin: Origin::Rfc,
            section: "1".into(),
            kind: None,
            title: "t".into(),
            text: "t".into(),
            roles: vec![],
            readings: BTreeMap::new(),
            reference: None,
            profiles,
        }
    }

    #[test]
    fn what_do_several_answers_come_to() {
        let plain = reading(vec![]);
        assert_eq!(plain.reading(&[("a", "kept"), ("b", "kept")]), ["kept"]);
        assert_eq!(plain.reading(&[("a", "kept"), ("b", "refused")]), ["kept", "refused"]);
        let answers = [("one", "yes"), ("two", "no")];
        let strict = Profile {
            name: "strict".into(),
            about: String::new(),
            answers: answers.iter().map(|(a, b)| ((*a).into(), (*b).into())).collect(),
        };
        let profiled = reading(vec![strict]);
        assert_eq!(profiled.reading(&[("s/r/t/one", "yes"), ("s/r/t/two", "no")]), ["strict"]);
        assert_eq!(profiled.reading(&[("s/r/t/one", "no")]), ["other"]);
    }
}
