//! From events to the report: a fold that any consumer of events can do.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde_json::Value;

use crate::adapter::PROTOCOL;
use crate::engine::compare;
use crate::engine::event::{CaseResult, Event, Finished, LawResult, Started};
use crate::engine::verdict::{Mark, Verdict};
use crate::laws::Law;
use crate::report::escape;
use crate::report::mark;
use crate::report::model::{
    CaseReport, CorpusReport, Failure, Hostile, LawReport, ReadingReport, Report,
    RequirementReport, RoleReport, Subject, Twin,
};
use crate::suite::Corpus;
use crate::suite::case::Case;
use crate::suite::requirement::Level;

/// At most so many notes are kept.
const NOTES: usize = 50;

/// Collects a run's events.
pub struct Fold<'a> {
    corpus: &'a Corpus,
    table: &'a [&'static Law],
    started: Option<Started>,
    laws: HashMap<String, LawResult>,
    results: HashMap<String, CaseResult>,
    notes: Vec<String>,
    finished: Finished,
}

impl<'a> Fold<'a> {
    /// An empty fold over the corpus and the table of laws that the run judges by.
    pub fn new(corpus: &'a Corpus, table: &'a [&'static Law]) -> Fold<'a> {
        Fold {
            corpus,
            table,
            started: None,
            laws: HashMap::new(),
            results: HashMap::new(),
            notes: Vec::new(),
            finished: Finished::default(),
        }
    }

    /// Takes the next event.
    pub fn take(&mut self, event: &Event) {
        match event {
            Event::Started(started) => self.started = Some((**started).clone()),
            Event::Case(result) => {
                self.results.insert(result.id.clone(), (**result).clone());
            }
            Event::Law(result) => {
                self.laws.insert(result.id.clone(), result.clone());
            }
            Event::Restarted { why } => self.note(format!("the subject was started again: {why}")),
            Event::Note { what } => self.note(what.clone()),
            Event::Finished(finished) => self.finished = finished.clone(),
        }
    }

    fn note(&mut self, what: String) {
        if self.notes.len() < NOTES {
            self.notes.push(what);
        }
    }

    /// The report; `None` where the run never started.
    pub fn report(self) -> Option<Report> {
        let started = self.started.as_ref()?;
        let mut roles: Vec<RoleReport> =
            started.roles.iter().map(|planned| self.role(started, &planned.role)).collect();
        mark::required(&mut roles, |name| {
            self.corpus.role(name).map(|role| role.requires.as_slice()).unwrap_or_default()
        });
        if self.finished.gave_up.is_some() {
            mark::given_up(&mut roles);
        }
        let mut report = Report {
            proofmark: started.proofmark.clone(),
            protocol: PROTOCOL,
            seed: started.seed.clone(),
            corpus: CorpusReport {
                digest: started.corpus_digest.clone(),
                cases: started.corpus_cases,
            },
            subject: Subject {
                command: started.command.clone(),
                implementation: started.implementation.clone(),
                self_test: started.self_test,
            },
            roles,
            unknown_roles: started.unknown_roles.clone(),
            narrowed: started.narrowed.clone(),
            notes: self.notes.clone(),
            gave_up: self.finished.gave_up.clone(),
            waivers: self.finished.waivers.clone(),
            interrupted: self.finished.interrupted,
            millis: self.finished.millis,
            exit_status: 0,
        };
        report.exit_status = mark::exit_status(&report).code();
        Some(report)
    }

    fn role(&self, started: &Started, name: &str) -> RoleReport {
        let cases: Vec<CaseReport> = self
            .corpus
            .cases
            .iter()
            .filter(|case| case.role == name)
            .filter_map(|case| Some(self.case(started, case, self.results.get(&case.id)?)))
            .collect();
        let planned = started.roles.iter().find(|planned| planned.role == name);
        let (selected, corpus_cases) =
            planned.map_or((cases.len(), cases.len()), |planned| (planned.selected, planned.cases));
        // `--case '*'` narrows too: a mark must not hang on which cases a glob happens to match.
        let complete =
            started.narrowed.is_empty() && selected == corpus_cases && cases.len() == selected;
        let mut counts: BTreeMap<Verdict, usize> =
            Verdict::ALL.into_iter().map(|verdict| (verdict, 0)).collect();
        for case in &cases {
            *counts.entry(case.verdict).or_default() += 1;
        }
        counts.insert(Verdict::NotRun, selected.saturating_sub(cases.len()));
        let operations =
            self.corpus.role(name).map(|role| role.operations.as_slice()).unwrap_or_default();
        let laws = self.laws(started, name);
        let (mut mark, mut reasons) = mark::mark(operations, &cases, &laws, complete);
        let untried = planned.map_or(0, |planned| planned.laws.saturating_sub(laws.len()));
        if untried > 0 && mark == Mark::Conformant {
            mark = Mark::Incomplete;
            reasons.push("not every law was tried".to_owned());
        }
        RoleReport {
            role: name.to_owned(),
            mark,
            reasons,
            complete,
            corpus_cases,
            selected,
            counts,
            requirements: self.requirements(name, &cases, &laws),
            readings: self.readings(name, &cases),
            cases,
            laws,
            hostile: Hostile::default(),
        }
    }

    /// The laws of a role that were tried, in the order of their table.
    fn laws(&self, started: &Started, role: &str) -> Vec<LawReport> {
        let of_role = self.table.iter().filter(|law| law.role == role);
        of_role
            .filter_map(|law| {
                let result = self.laws.get(law.id)?;
                let levels = law
                    .requirements
                    .iter()
                    .filter_map(|id| self.corpus.requirement(id))
                    .map(|requirement| requirement.level);
                let broken = !result.verdict.is_good();
                Some(LawReport {
                    id: law.id.to_owned(),
                    verdict: result.verdict,
                    level: levels.min().unwrap_or(Level::Must),
                    sentence: law.sentence.to_owned(),
                    requirements: law.requirements.iter().map(|id| (*id).to_owned()).collect(),
                    inputs: result.inputs,
                    counterexample: result.counterexample.clone(),
                    reason: result.reason.clone(),
                    replay: broken.then(|| replay_command(&law.file(), started)),
                })
            })
            .collect()
    }

    fn requirements(
        &self,
        role: &str,
        cases: &[CaseReport],
        laws: &[LawReport],
    ) -> Vec<RequirementReport> {
        self.corpus
            .suites
            .values()
            .flat_map(|suite| &suite.requirements)
            .filter(|requirement| requirement.roles.iter().any(|bound| bound == role))
            .map(|requirement| {
                let of_it =
                    || cases.iter().filter(|case| case.requirements.contains(&requirement.id));
                RequirementReport {
                    id: requirement.id.clone(),
                    level: requirement.level,
                    origin: requirement.origin,
                    section: requirement.section.clone(),
                    title: requirement.title.clone(),
                    kind: requirement.kind,
                    verdict: of_it()
                        .map(|case| counted(case.verdict, requirement.level))
                        .chain(
                            laws.iter()
                                .filter(|law| law.requirements.contains(&requirement.id))
                                .map(|law| law.verdict),
                        )
                        .min()
                        .unwrap_or(Verdict::NotRun),
                    cases: of_it().count(),
                    failed: of_it().filter(|case| case.verdict.is_failure()).count(),
                }
            })
            .collect()
    }

    fn readings(&self, role: &str, cases: &[CaseReport]) -> Vec<ReadingReport> {
        let mut readings = Vec::new();
        let requirements = self.corpus.suites.values().flat_map(|suite| &suite.requirements);
        for requirement in requirements.filter(|requirement| {
            requirement.level == Level::Reading
                && requirement.roles.iter().any(|bound| bound == role)
        }) {
            let answers: Vec<(&str, &str)> = cases
                .iter()
                .filter(|case| case.requirements.contains(&requirement.id))
                .filter_map(|case| Some((case.id.as_str(), case.reading.as_deref()?)))
                .collect();
            readings.extend(
                requirement
                    .reading(&answers)
                    .into_iter()
                    .map(|reading| ReadingReport { requirement: requirement.id.clone(), reading }),
            );
        }
        readings
    }

    fn case(&self, started: &Started, case: &Arc<Case>, result: &CaseResult) -> CaseReport {
        let step = result.step.map_or(0, |step| step.saturating_sub(1));
        let decided = case.steps.get(step).or(case.steps.first());
        let failure = (!result.verdict.is_good()).then(|| {
            let params =
                decided.map(|step| step.params.value().into_owned()).unwrap_or(Value::Null);
            Failure {
                reason: result.reason.clone().unwrap_or_default(),
                why: case.why.clone(),
                source: case.source.clone(),
                step: result.step,
                input_bytes: params.to_string().len(),
                input: compare::shorten(&params),
                expected: decided
                    .map(|step| compare::shorten(&step.expect.to_value()))
                    .unwrap_or(Value::Null),
                got: result.got.clone().unwrap_or(Value::Null),
                differences: result.differences.clone(),
                twin: case.twin.as_ref().map(|id| Twin {
                    id: id.clone(),
                    verdict: self.results.get(id).map_or(Verdict::NotRun, |twin| twin.verdict),
                }),
                replay: replay_command(&case.id, started),
                standard_error: result.standard_error.clone(),
            }
        });
        CaseReport {
            id: case.id.clone(),
            verdict: result.verdict,
            level: self.corpus.level(case),
            requirements: case.requirements.clone(),
            operation: decided.map(|step| step.operation.clone()).unwrap_or_default(),
            micros: result.micros,
            reading: result.reading.clone(),
            waiver: result.waiver.clone(),
            failure,
        }
    }
}

/// What a case's verdict is for a requirement. An answer that a reading admits is what a MUST beside
/// it asks for, and a waiver that nothing needs any more takes nothing from a case that passes.
fn counted(verdict: Verdict, level: Level) -> Verdict {
    match verdict {
        Verdict::StaleWaiver => Verdict::Pass,
        Verdict::Recorded if level != Level::Reading => Verdict::Pass,
        other => other,
    }
}

/// The command that shows one case again, quoted for a POSIX shell.
fn replay_command(id: &str, started: &Started) -> String {
    let mut words = vec!["proofmark".to_owned(), "replay".to_owned(), id.to_owned()];
    words.extend(started.replay.iter().map(|word| escape::shell(word)));
    match started.command.as_slice() {
        [] => {}
        [url] if url.starts_with("http://") || url.starts_with("https://") => {
            words.push("--http".to_owned());
            words.push(escape::shell(url));
        }
        command => {
            words.push("--".to_owned());
            words.extend(command.iter().map(|word| escape::shell(word)));
        }
    }
    words.join(" ")
}
