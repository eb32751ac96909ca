//! One segment of a trial: its limits, its counts, its recorder. All that an actor does goes through here.

use super::cancel::Watched;
use super::{Cancel, Clock, Prompts};
use crate::archive::{ArchiveError, Exchange, LedgerLine, RunWriter, Secrets, TrialWriter};
use crate::domain::trace::{
    AnswerTaken, Brief, Counts, Ended, EventBody, LimitReached, ModelStep, Reasoning, Usage, Words,
};
use crate::domain::trial::{Answer, Ending, LimitKind, Mode, ToolSet, TrialName};
use crate::domain::trial_limits::TrialLimits;
use crate::query::{Engine, EngineHost, Limits, OpenError, OpenSnapshot};
use std::sync::Arc;
use std::time::Duration;

/// Why an actor can't go on.
#[derive(Debug, thiserror::Error)]
pub enum Over {
    /// The trial has ended. That is no error.
    #[error("the trial is over: {}", .0.word())]
    Ended(Ending),
    /// It can't be recorded any more.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// Its copy could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A service outside fails, and would fail every other trial of the run as well.
    #[error("an outside service fails: {0}")]
    Outside(String),
}

/// What a trial is made of.
#[derive(Debug, Clone)]
pub struct TrialSetup {
    /// Which one it is.
    pub name: TrialName,
    /// Whether help is given.
    pub mode: Mode,
    /// The tools.
    pub tools: ToolSet,
    /// Its limits.
    pub limits: TrialLimits,
    /// Seed of `random()`.
    pub seed: u64,
    /// The question; `None` in an investigation.
    pub question: Option<String>,
    /// What it works on.
    pub snapshot: Arc<OpenSnapshot>,
    /// Where its statements run.
    pub host: EngineHost,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// What stops it.
    pub cancel: Cancel,
}

impl TrialSetup {
    /// A fresh copy for its statements.
    pub(super) fn open_engine(&self) -> Result<Box<dyn Engine>, OpenError> {
        self.snapshot.engine(&self.host, self.seed, &Limits::from(&self.limits.statement))
    }
}

/// What a model, or another actor, said in one step.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StepWords {
    /// The model, where one spoke.
    pub model: Option<String>,
    /// The text.
    pub text: String,
    /// Why it stopped.
    pub stop_reason: Option<String>,
    /// What it took.
    pub usage: Option<Usage>,
    /// The exchange with the provider; secrets are taken out of it before it is kept.
    pub exchange: Option<Exchange>,
}

/// A segment of a trial that is under way.
#[derive(Debug)]
pub struct Trial<'r> {
    pub(super) writer: TrialWriter<'r>,
    pub(super) setup: TrialSetup,
    pub(super) engine: Box<dyn Engine>,
    run: &'r RunWriter,
    _watched: Watched,
    started: Duration,
    pub(super) counts: Counts,
    /// Statements so far: the number of the next is one more.
    pub(super) statements: u64,
    /// Calls so far.
    pub(super) calls: u64,
    /// The step that calls belong to.
    step: Option<u64>,
    prompts: Option<Prompts>,
    ending: Option<Ending>,
}

/// Where an earlier segment stopped.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Before {
    pub(super) segments: u32,
    pub(super) counts: Counts,
    pub(super) statements: u64,
    pub(super) calls: u64,
}

impl<'r> Trial<'r> {
    /// Begins a trial.
    ///
    /// # Errors
    /// [`Over::Open`] where there is no memory for its copy, [`Over::Archive`] where it can't be recorded.
    pub fn begin(run: &'r RunWriter, setup: TrialSetup) -> Result<Self, Over> {
        let engine = setup.open_engine()?;
        Self::begin_segment(run, setup, engine, Before::default())
    }

    pub(super) fn begin_segment(
        run: &'r RunWriter,
        setup: TrialSetup,
        engine: Box<dyn Engine>,
        before: Before,
    ) -> Result<Self, Over> {
        let segment = before.segments + 1;
        let writer = TrialWriter::begin(run, setup.name.clone(), segment)?;
        let brief = Brief {
            started: setup.clock.wall().to_string(),
            trial: setup.name.clone(),
            segment,
            mode: setup.mode,
            tools: setup.tools,
            seed: setup.seed,
            question: setup.question.clone(),
        };
        let mut trial = Self {
            writer,
            run,
            _watched: setup.cancel.watch(engine.interrupter()),
            started: setup.clock.now(),
            setup,
            engine,
            counts: before.counts,
            statements: before.statements,
            calls: before.calls,
            step: None,
            prompts: None,
            ending: None,
        };
        trial.record(None, EventBody::Brief(brief))?;
        trial.note_engine()?;
        Ok(trial)
    }

    /// What the trial is made of.
    pub const fn setup(&self) -> &TrialSetup {
        &self.setup
    }

    /// What was done so far.
    pub const fn counts(&self) -> &Counts {
        &self.counts
    }

    /// How it ended, once it has.
    pub const fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The engine of its copy, to look at plans and completions without a call.
    pub fn engine(&mut self) -> &mut dyn Engine {
        self.engine.as_mut()
    }

    /// Records the prompts that the actor is given.
    ///
    /// # Errors
    /// [`Over`].
    pub fn tell(&mut self, prompts: &Prompts) -> Result<(), Over> {
        self.go_on()?;
        let text = self.writer.text(&prompts.system)?;
        self.record(None, EventBody::SystemPrompt(Words { text }))?;
        let text = self.writer.text(&prompts.brief)?;
        self.record(None, EventBody::UserMessage(Words { text }))?;
        self.prompts = Some(prompts.clone());
        Ok(())
    }

    /// What the actor was told; `None` for one that reads no prompts.
    pub const fn prompts(&self) -> Option<&Prompts> {
        self.prompts.as_ref()
    }

    /// How much of its time is left; `None` without a limit.
    pub fn time_left(&self) -> Option<Duration> {
        let most = Duration::try_from_secs_f64(self.setup.limits.seconds?).unwrap_or(Duration::MAX);
        Some(most.saturating_sub(self.active()))
    }

    /// Ends the trial because its time is over, as somebody noticed who waited for something else.
    pub fn out_of_time(&mut self) -> Over {
        match (self.go_on(), self.setup.limits.seconds) {
            (Ok(()), Some(most)) => self.limit(LimitKind::Time, most),
            (Err(over), _) => over,
            // Without a limit there is nothing that could be over; nobody comes here then.
            (Ok(()), None) => {
                self.stop(Ending::Interrupted);
                Over::Ended(Ending::Interrupted)
            }
        }
    }

    /// Whether a model may be asked for one more step. Ask before it is asked: a step that may not be made need not be paid for.
    ///
    /// # Errors
    /// [`Over`].
    pub fn may_step(&mut self) -> Result<(), Over> {
        self.go_on()?;
        match self.setup.limits.steps {
            Some(most) if self.counts.steps >= most => {
                #[allow(clippy::cast_precision_loss)] // a limit is far below 2^53
                Err(self.limit(LimitKind::Steps, most as f64))
            }
            _ => Ok(()),
        }
    }

    /// Records what a model said. Calls that follow belong to it.
    ///
    /// # Errors
    /// [`Over`]: the step was the one too many, or took the last of the tokens or the money.
    pub fn step(&mut self, words: &StepWords) -> Result<(), Over> {
        self.may_step()?;
        let limits = self.setup.limits;
        let exchange = match &words.exchange {
            Some(exchange) => Some(self.run.blobs().put(self.clean(exchange).as_bytes())?),
            None => None,
        };
        let step = ModelStep {
            model: words.model.clone(),
            text: self.writer.text(&words.text)?,
            stop_reason: words.stop_reason.clone(),
            usage: words.usage,
            exchange,
        };
        self.step = Some(self.record(None, EventBody::ModelStep(step))?);
        self.counts.steps += 1;
        if let Some(usage) = &words.usage {
            self.counts.add_usage(usage);
        }
        if let Some(most) = limits.tokens
            && self.counts.tokens() >= most
        {
            #[allow(clippy::cast_precision_loss)]
            return Err(self.limit(LimitKind::Tokens, most as f64));
        }
        if let Some(most) = limits.cost
            && self.counts.cost.unwrap_or(0.0) >= most
        {
            return Err(self.limit(LimitKind::Cost, most));
        }
        Ok(())
    }

    /// Records thinking that belongs to the step before.
    ///
    /// # Errors
    /// [`Over`].
    pub fn reasoning(&mut self, text: &str, redacted: bool) -> Result<(), Over> {
        self.go_on()?;
        let text = self.writer.text(text)?;
        self.record(self.step, EventBody::Reasoning(Reasoning { text, redacted }))?;
        Ok(())
    }

    /// Records a remark.
    ///
    /// # Errors
    /// [`Over`].
    pub fn note(&mut self, text: &str) -> Result<(), Over> {
        self.go_on()?;
        let text = self.writer.text(text)?;
        self.record(None, EventBody::Note(Words { text }))?;
        Ok(())
    }

    /// Records what happened to the engine, if anything did.
    pub(super) fn note_engine(&mut self) -> Result<(), ArchiveError> {
        for notice in self.engine.take_notices() {
            let text = self.writer.text(&notice)?;
            self.record(None, EventBody::Note(Words { text }))?;
        }
        Ok(())
    }

    /// Records an exchange with a provider that came to nothing, with a remark on it.
    ///
    /// # Errors
    /// [`Over`].
    pub fn note_exchange(&mut self, remark: &str, exchange: &Exchange) -> Result<(), Over> {
        let exchange = self.clean(exchange);
        self.note(&format!("{remark}\n{exchange}"))
    }

    /// An exchange as it is kept.
    fn clean(&self, exchange: &Exchange) -> String {
        let clean = exchange.clone().without_secrets(self.run.secrets());
        // Texts and numbers only: nothing in it is beyond JSON.
        let text = serde_json::to_string(&clean).unwrap_or_default();
        self.run.secrets().remove(&text).into_owned()
    }

    /// Records a remark of the harness on the actor, also behind the answer or the limit that ended the trial.
    ///
    /// # Errors
    /// [`Over::Archive`].
    pub fn remark(&mut self, text: &str) -> Result<(), Over> {
        let text = self.writer.text(text)?;
        self.record(None, EventBody::Note(Words { text }))?;
        Ok(())
    }

    /// Looks whether the actor may go on, between its calls: somebody may have stopped the trial, or its time may be over.
    ///
    /// # Errors
    /// [`Over`].
    pub fn look_up(&mut self) -> Result<(), Over> {
        self.go_on()
    }

    /// Ends the trial because nothing came from its actor for so many seconds. Gives what to pass on.
    pub fn idle(&mut self, seconds: f64) -> Over {
        match self.ending {
            Some(ending) => Over::Ended(ending),
            None => self.limit(LimitKind::Idle, seconds),
        }
    }

    /// Takes a final message as the answer, in words alone.
    ///
    /// # Errors
    /// [`Over::Archive`].
    pub fn final_message(&mut self, text: &str) -> Result<(), Over> {
        self.go_on()?;
        self.take_answer(self.step, &Answer { answer: text.to_owned(), ..Answer::default() })
    }

    pub(super) fn take_answer(&mut self, parent: Option<u64>, answer: &Answer) -> Result<(), Over> {
        let sha256 = self.writer.answer(answer)?;
        let subjects = answer.subjects.as_ref().map(|subjects| subjects.len() as u64);
        self.record(parent, EventBody::Answer(AnswerTaken { sha256, verdict: answer.verdict, subjects }))?;
        self.ending = Some(Ending::Answered);
        Ok(())
    }

    /// Records that the actor failed; the trial is over.
    ///
    /// # Errors
    /// [`Over::Archive`].
    pub fn fail(&mut self, message: &str) -> Result<(), Over> {
        if self.ending.is_none() {
            let text = self.writer.text(message)?;
            self.record(None, EventBody::Error(Words { text }))?;
            self.ending = Some(Ending::Error);
        }
        Ok(())
    }

    /// Ends the trial because somebody wants it to.
    pub const fn stop(&mut self, ending: Ending) {
        if self.ending.is_none() {
            self.ending = Some(ending);
        }
    }

    /// Ends the segment. Without an answer, a limit or a failure it was interrupted.
    ///
    /// # Errors
    /// [`Over::Archive`].
    pub fn end(self) -> Result<LedgerLine, Over> {
        let t = self.t();
        let ended = Ended { ending: self.ending.unwrap_or(Ending::Interrupted), counts: self.counts };
        Ok(self.writer.end(t, ended)?)
    }

    /// Whether the actor may go on.
    pub(super) fn go_on(&mut self) -> Result<(), Over> {
        if let Some(ending) = self.ending {
            return Err(Over::Ended(ending));
        }
        if self.setup.cancel.is_stopped() {
            self.ending = Some(Ending::Interrupted);
            return Err(Over::Ended(Ending::Interrupted));
        }
        match self.setup.limits.seconds {
            Some(most) if self.active().as_secs_f64() >= most => Err(self.limit(LimitKind::Time, most)),
            _ => Ok(()),
        }
    }

    /// The limits of the next statement: no longer than the trial may last.
    pub(super) fn statement_limits(&self) -> Limits {
        let mut limits = Limits::from(&self.setup.limits.statement);
        if let Some(most) = self.setup.limits.seconds {
            let left = Duration::try_from_secs_f64(most).unwrap_or_default().saturating_sub(self.active());
            limits.deadline = limits.deadline.min(left.max(Duration::from_millis(1)));
        }
        limits
    }

    /// Reaches a limit.
    pub(super) fn limit(&mut self, limit: LimitKind, value: f64) -> Over {
        self.ending = Some(Ending::Limit(limit));
        match self.record(None, EventBody::Limit(LimitReached { limit, value })) {
            Ok(_) => Over::Ended(Ending::Limit(limit)),
            Err(error) => error.into(),
        }
    }

    /// The step that calls belong to.
    pub(super) const fn current_step(&self) -> Option<u64> {
        self.step
    }

    pub(super) const fn run_secrets(&self) -> &Secrets {
        self.run.secrets()
    }

    pub(super) fn record(&mut self, parent: Option<u64>, body: EventBody) -> Result<u64, ArchiveError> {
        let t = self.t();
        self.writer.append(t, parent, body)
    }

    fn active(&self) -> Duration {
        self.setup.clock.now().saturating_sub(self.started)
    }

    fn t(&self) -> u64 {
        u64::try_from(self.active().as_millis()).unwrap_or(u64::MAX)
    }
}
