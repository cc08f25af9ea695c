//! What this process's calls to one register came to, added up until they are written; and the probe that it may hold.
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use domain::ids::JobId;
use domain::registers::Outcomes;
use registers::{CallError, Kind};

#[derive(Default)]
pub struct Told(Mutex<State>);

#[derive(Default)]
struct State {
    outcomes: Outcomes,
    probe: Option<(JobId, Probe)>,
    /// What is still to be written about a probe.
    verdict: Option<Verdict>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Probe {
    /// Nothing has been called yet.
    Ready,
    Called,
    Answered,
}

/// What came of a probe, for the breaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Answered,
    /// Nothing was called.
    Unused,
}

impl Told {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// This job's call will try the register.
    pub fn probes(&self, job: JobId) {
        self.state().probe = Some((job, Probe::Ready));
    }

    /// The probing run is over: true when its call was in vain.
    pub fn probed(&self, job: JobId) -> bool {
        let mut state = self.state();
        match state.probe.take_if(|(prober, _)| *prober == job) {
            Some((_, Probe::Ready)) => {
                state.verdict = Some(Verdict::Unused);
                false
            }
            Some((_, Probe::Called)) => true,
            Some((_, Probe::Answered)) | None => false,
        }
    }

    /// Whether this job is about to try the register, or has tried it well.
    pub fn leads(&self, job: JobId) -> bool {
        let probe = self.state().probe;
        probe.is_some_and(|(prober, probe)| prober == job && probe != Probe::Called)
    }

    /// A call leaves.
    pub fn begin(&self, job: JobId) -> Call<'_> {
        self.advance(job, Probe::Ready, Probe::Called);
        Call {
            told: self,
            job,
            since: Instant::now(),
            error: Some(NO_ANSWER.to_owned()),
        }
    }

    fn advance(&self, job: JobId, from: Probe, to: Probe) -> bool {
        match &mut self.state().probe {
            Some((prober, probe)) if *prober == job && *probe == from => {
                *probe = to;
                true
            }
            _ => false,
        }
    }

    pub fn take(&self) -> (Outcomes, Option<Verdict>) {
        let mut state = self.state();
        (std::mem::take(&mut state.outcomes), state.verdict.take())
    }

    /// What was taken and could not be written.
    pub fn put_back(&self, outcomes: Outcomes, verdict: Option<Verdict>) {
        let mut state = self.state();
        let sum = &mut state.outcomes;
        sum.calls += outcomes.calls;
        sum.failures += outcomes.failures;
        sum.ms += outcomes.ms;
        sum.last_error = sum.last_error.take().or(outcomes.last_error);
        state.verdict = state.verdict.or(verdict);
    }
}

/// A call under way; dropped before its end it counts as one without an answer.
pub struct Call<'a> {
    told: &'a Told,
    job: JobId,
    since: Instant,
    error: Option<String>,
}

impl Call<'_> {
    /// The end of the call. A refusal in the register's own words is an answer.
    pub fn end(mut self, error: Option<&CallError>) {
        self.error = error.filter(|error| error.is_technical()).map(sentence);
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        let answered = self.error.is_none();
        let closes = answered && self.told.advance(self.job, Probe::Called, Probe::Answered);
        let mut state = self.told.state();
        let sum = &mut state.outcomes;
        sum.calls += 1;
        sum.ms += i64::try_from(self.since.elapsed().as_millis()).unwrap_or(0);
        if let Some(error) = self.error.take() {
            sum.failures += 1;
            sum.last_error = Some(error);
        }
        if closes {
            state.verdict = Some(Verdict::Answered);
        }
    }
}

const NO_ANSWER: &str = "Vastus jäi saamata.";

/// A failure as it is shown: by its kind and status alone.
fn sentence(error: &CallError) -> String {
    match (&error.kind, error.exchange.http_status) {
        (Kind::NotSent { .. }, None) => "Ühendust ei saadud.".into(),
        (_, None) => NO_ANSWER.into(),
        (_, Some(200)) => "Vastusest ei saadud aru (HTTP 200).".into(),
        (_, Some(status)) => format!("Register vastas veaga (HTTP {status})."),
    }
}

#[cfg(test)]
mod tests {
    use registers::Exchange;

    use super::*;

    const JOB: JobId = JobId(7);

    fn error(kind: Kind, http_status: Option<u16>) -> CallError {
        CallError {
            kind,
            exchange: Box::new(Exchange {
                http_status,
                ..Exchange::default()
            }),
        }
    }

    fn unknown(status: Option<u16>) -> CallError {
        let why = "Mari Maasikas 46709049932".into();
        error(Kind::Unknown { why }, status)
    }

    #[test]
    fn what_failed_is_said_by_kind_and_status_alone() {
        let why = || "10.0.0.7".to_owned();
        for (error, said) in [
            (
                error(Kind::NotSent { why: why() }, None),
                "Ühendust ei saadud.",
            ),
            (
                error(Kind::Transient { why: why() }, None),
                "Vastus jäi saamata.",
            ),
            (unknown(None), "Vastus jäi saamata."),
            (unknown(Some(500)), "Register vastas veaga (HTTP 500)."),
            (unknown(Some(200)), "Vastusest ei saadud aru (HTTP 200)."),
        ] {
            let told = Told::default();
            told.begin(JOB).end(Some(&error));
            assert_eq!(told.take().0.last_error.as_deref(), Some(said));
        }
    }

    #[test]
    fn refusals_are_answers_and_broken_off_calls_are_not() {
        let told = Told::default();
        let (code, text) = (String::from("Viga"), String::from("Ei sobi"));
        told.begin(JOB).end(None);
        told.begin(JOB)
            .end(Some(&error(Kind::Refused { code, text }, Some(200))));
        drop(told.begin(JOB));
        told.begin(JOB).end(Some(&unknown(Some(502))));
        let (first, verdict) = told.take();
        assert_eq!((first.calls, first.failures, verdict), (4, 2, None));
        told.begin(JOB).end(None);
        told.put_back(first.clone(), None);
        let (sum, _) = told.take();
        assert_eq!((sum.calls, sum.failures), (5, 2), "nothing is lost");
        assert_eq!(sum.last_error, first.last_error);
        assert_eq!(told.take().0, Outcomes::default());
    }

    #[test]
    fn a_probe_is_judged_by_its_own_call() {
        let told = Told::default();
        told.probes(JOB);
        told.begin(JobId(8)).end(None);
        assert_eq!(told.take().1, None, "another's answer was under way before");
        assert!(told.leads(JOB) && !told.leads(JobId(8)));
        assert!(!told.probed(JOB));
        assert_eq!(told.take().1, Some(Verdict::Unused));

        told.probes(JOB);
        told.begin(JOB).end(Some(&unknown(Some(500))));
        assert!(!told.leads(JOB));
        assert!(told.probed(JOB), "in vain");
        assert_eq!(told.take().1, None);

        told.probes(JOB);
        told.begin(JOB).end(None);
        assert!(told.leads(JOB), "it may go on");
        assert!(!told.probed(JOB));
        assert_eq!(told.take().1, Some(Verdict::Answered));
    }
}
