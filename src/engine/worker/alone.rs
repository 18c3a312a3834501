//! Asking cases alone: of several that were under way when the subject broke, which one did it?
//! The rules are told in the module above.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::Value;

use super::{SAID_FAULT, Unsettled, Worker, bounded, micros, result};
use crate::adapter::message::{self, Reply};
use crate::engine::compare;
use crate::engine::event::{CaseResult, Event};
use crate::engine::exchange;
use crate::engine::judge::Judgement;
use crate::engine::session::{Broken, Session};
use crate::engine::verdict::Verdict;
use crate::suite::case::Case;

/// What came of asking one case alone.
pub(super) struct Alone {
    judgement: Judgement,
    got: Value,
    micros: u64,
    step: Option<usize>,
    pub(super) standard_error: Option<String>,
    /// The subject broke, and how.
    pub(super) broke: Option<Broken>,
    /// It broke after the answer.
    pub(super) answered: bool,
}

impl Alone {
    pub(super) fn result(self, case: &Case) -> Box<CaseResult> {
        let Alone { judgement, got, micros, step, standard_error, .. } = self;
        result(case, judgement, Some(got), micros, step, standard_error)
    }
}

impl Worker<'_> {
    /// Asks each suspect again alone, to find the one that breaks the subject.
    pub(super) fn isolate(
        &mut self,
        suspects: &[usize],
        broken: &Broken,
        standard_error: Option<String>,
    ) {
        let mut found_one = false;
        if let Some(unsettled) = self.unsettled.take()
            && let Some(case) = self.case(unsettled.index)
        {
            match self.examine(&case) {
                Some(alone) if alone.broke.is_some() => {
                    found_one = true;
                    self.record_answered(&case, unsettled, alone);
                }
                Some(_) => self.tell(Event::Case(unsettled.result)),
                None if self.shared.halt().is_due() => self.tell(Event::Case(unsettled.result)),
                None => self.again.push_back(unsettled.index),
            }
        }
        let mut found = Vec::new();
        for index in suspects {
            let Some(case) = self.case(*index) else { continue };
            match self.examine(&case) {
                Some(alone) => found.push((case, alone)),
                None => self.cannot_ask(*index, suspects.len(), broken, &standard_error),
            }
        }
        found_one |= found.iter().any(|(_, alone)| alone.broke.is_some());
        for (position, (case, mut alone)) in found.into_iter().enumerate() {
            // A wrong answer is the worse of the two.
            if position == 0 && !found_one && alone.judgement.verdict.is_good() {
                let reason = format!("{broken}; asked again alone, it was answered");
                alone.judgement = Judgement::of(Verdict::Flaky, reason);
                alone.got = broken.to_value();
                alone.standard_error.clone_from(&standard_error);
            }
            self.record_alone(&case, alone);
        }
    }

    /// A suspect that can't be asked again, since no subject can be had any more: an endpoint that is
    /// gone. What it was part of must not be lost.
    fn cannot_ask(
        &mut self,
        index: usize,
        suspects: usize,
        broken: &Broken,
        standard_error: &Option<String>,
    ) {
        let (Some(why), Some(case)) = (self.shared.gave_up.get(), self.case(index)) else {
            // The run is halted: the main loop gives the verdict.
            self.again.push_back(index);
            return;
        };
        let judgement = if suspects == 1 {
            let mut judgement = broken.judgement();
            judgement.reason = Some(format!("{broken}; it could not be asked again: {why}"));
            judgement
        } else {
            let reason = format!(
                "not judged: one of {suspects} requests under way when {broken}; none could be \
                 asked again: {why}"
            );
            Judgement::of(Verdict::AdapterFault, reason)
        };
        let got = Some(broken.to_value());
        self.tell(Event::Case(result(&case, judgement, got, 0, None, standard_error.clone())));
    }

    /// Asks a suspect alone, and says hello after it: a subject that broke before it was new is
    /// given a second chance as a new one. `None` where there is no subject.
    pub(super) fn examine(&mut self, case: &Case) -> Option<Alone> {
        let fresh = self.subject()?.is_fresh();
        let mut first = self.ask_alone(case, true)?;
        let Some(broken) = &first.broke else { return Some(first) };
        if fresh || matches!(broken, Broken::Timeout(_)) {
            return Some(first);
        }
        let second = self.ask_alone(case, true)?;
        if second.broke.is_some() {
            return Some(second);
        }
        let reason = format!("{broken}; asked again of a new subject, it was answered");
        first.judgement = Judgement::of(Verdict::Flaky, reason);
        first.answered = false;
        Some(first)
    }

    /// Asks all of a case's steps with nothing else under way; `None` where there is no subject, or
    /// the run is halted. `hello_after`: whether the subject must then answer hello, too.
    pub(super) fn ask_alone(&mut self, case: &Case, hello_after: bool) -> Option<Alone> {
        let (corpus, timeout) = (self.shared.corpus, self.shared.timing.request);
        let played = exchange::play(corpus, case, self, timeout);
        if played.cut_short {
            return None;
        }
        let took: Duration = played.exchanges.iter().map(|exchange| exchange.took).sum();
        let last = played.exchanges.into_iter().next_back()?;
        let mut judgement = last.judgement;
        judgement.reason = judgement.reason.map(bounded);
        let is_fault = matches!(last.outcome, Ok(Reply::Fault(_)));
        // Shortened at once: many of these are kept until the last suspect was asked.
        let (mut got, mut broke) = match last.outcome {
            Ok(_) if judgement.verdict.is_good() => (Value::Null, None),
            Ok(reply) => (compare::shorten(&reply.into_value()), None),
            Err(broken) => (broken.to_value(), Some(broken)),
        };
        let answered = broke.is_none() && !is_fault;
        if answered && hello_after {
            let params = message::hello_params(&self.shared.suites);
            broke = self.subject()?.ask("hello", &params, timeout).err();
            if let Some(broken) = &broke
                && judgement.verdict.is_good()
            {
                let reason = format!("it was answered; then {broken}");
                judgement = Judgement::of(Verdict::AdapterFault, reason);
                got = broken.to_value();
            }
        }
        let standard_error = self.standard_error_unless_good(&judgement);
        match &broke {
            Some(broken) => self.drop_subject(&broken.to_string()),
            None if is_fault => self.drop_subject(SAID_FAULT),
            None => self.shared.in_a_row.store(0, Ordering::Relaxed),
        }
        if matches!(broke, Some(Broken::Halted)) {
            return None;
        }
        Some(Alone {
            judgement,
            got,
            micros: micros(took),
            step: (case.steps.len() > 1).then_some(last.step + 1),
            standard_error,
            broke,
            answered,
        })
    }

    /// A case that was answered under way, and broke the subject when it was asked again.
    pub(super) fn record_answered(&self, case: &Case, unsettled: Unsettled, mut alone: Alone) {
        if !unsettled.result.verdict.is_good() {
            self.tell(Event::Case(unsettled.result));
            return;
        }
        if !alone.answered && alone.judgement.verdict != Verdict::Flaky {
            let reason = alone.judgement.reason.unwrap_or_default();
            let reason = format!("it was answered; asked again, {reason}");
            alone.judgement = Judgement::of(Verdict::Flaky, reason);
        }
        self.record_alone(case, alone);
    }
}

impl exchange::Subject for Worker<'_> {
    fn session(&mut self) -> Option<&mut Session> {
        self.subject()
    }

    fn restart(&mut self) {
        if let Some(session) = self.session.take() {
            session.close(self.shared.timing.grace);
        }
        // Started anew because a case wants it: no restart that is held against the subject.
        self.started_before = false;
    }
}
