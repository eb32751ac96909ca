//! A model at work: the loop between it and the tools.
//!
//! It is told the prompts and the tools, and asked; its calls are made in order, their results go back, until it answers,
//! ends without a call, or reaches a limit of the trial. Whatever it says is recorded before it is acted on, with the whole
//! exchange. What its calls return is data: nothing in it is read for instructions here.
//!
//! Not here: the wire (`provider`), what tools do and what limits are (`harness`).

mod call_ids;
mod file;

pub use file::{AgentFile, AgentFileError, ContextChoice};

use crate::archive::{ActorRecord, Exchange, HttpMessage};
use crate::domain::trace::Usage;
use crate::domain::trial::ActorKind;
use crate::harness::{Actor, Over, Prompts, StepWords, Trial, definitions};
use crate::provider::{
    Abort, Asked, Asking, ChatAnswer, ChatClient, ChatRequest, Exchanges, Key, Message, Part, Price,
    ProviderError, RawExchange, RawMessage, SettingsError, Stop, ToolOutcome, ToolSpec,
};
use crate::query::OpenSnapshot;
use call_ids::CallIds;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

/// So many trials in a row that a provider gave no answer to are its failure, not theirs: the run stops then.
const GIVEN_UP: u32 = 3;

/// A price, and when it was one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DatedPrice {
    /// The day; `None` where the agent file says it.
    pub as_of: Option<String>,
    /// The price.
    pub price: Price,
}

/// A file that the model is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextText {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// What a model is made of, beside its file.
#[derive(Debug, Clone, Default)]
pub struct ModelParts {
    /// SHA-256 of the agent file.
    pub agent_sha256: String,
    /// The files that it names, in its order.
    pub contexts: Vec<ContextText>,
    /// The key.
    pub key: Option<Key>,
    /// Where exchanges are recorded, or come from.
    pub exchanges: Option<Exchanges>,
    /// What it costs; `None` where nobody knows.
    pub price: Option<DatedPrice>,
}

/// A model as an actor.
#[derive(Debug)]
pub struct Model {
    record: ActorRecord,
    client: ChatClient,
    contexts: Vec<ContextText>,
    schema_in_prompt: bool,
    price: Option<Price>,
    /// Trials in a row without an answer from the provider.
    given_up: AtomicU32,
}

impl Model {
    /// The model of an agent file.
    ///
    /// # Errors
    /// [`SettingsError`].
    pub fn new(file: AgentFile, parts: ModelParts) -> Result<Self, SettingsError> {
        let AgentFile { name, provider, context } = file;
        let mut settings = BTreeMap::from([
            ("agent_sha256".to_owned(), parts.agent_sha256.into()),
            ("provider".to_owned(), serde_json::to_value(&provider).unwrap_or_default()),
            ("schema_in_prompt".to_owned(), context.schema.into()),
        ]);
        if let Some(price) = &parts.price {
            settings.insert("price".to_owned(), serde_json::to_value(price).unwrap_or_default());
        }
        if parts.exchanges.as_ref().is_some_and(Exchanges::is_replay) {
            // Nobody was asked: what it took and cost was so once.
            settings.insert("replayed".to_owned(), true.into());
        }
        let name = name.unwrap_or_else(|| provider.model.clone());
        let record = ActorRecord { kind: ActorKind::Model, name, confined: true, settings };
        Ok(Self {
            record,
            client: ChatClient::new(provider, parts.key, parts.exchanges)?,
            contexts: parts.contexts,
            schema_in_prompt: context.schema,
            price: parts.price.map(|price| price.price),
            given_up: AtomicU32::new(0),
        })
    }

    /// Asks for the next step and records it. `None` if the trial is over.
    fn next_step(
        &self,
        trial: &mut Trial<'_>,
        request: &ChatRequest,
        abort: &Abort,
    ) -> Result<Option<ChatAnswer>, Over> {
        trial.may_step()?;
        let scope = trial.setup().name.to_string();
        let seed = trial.setup().seed ^ trial.counts().steps.rotate_left(48);
        let asking = Asking { scope: &scope, seed, left: trial.time_left(), abort };
        let Asked { outcome, attempts } = self.client.ask(request, &asking);
        for again in attempts.iter().filter_map(|attempt| attempt.again.as_ref()) {
            trial.note(&format!("provider: {again}"))?;
        }
        let last = attempts.into_iter().next_back().map(|attempt| kept(attempt.exchange));
        match outcome {
            Ok(answer) => {
                self.given_up.store(0, Ordering::Relaxed);
                self.record_step(trial, &answer, last)?;
                Ok(Some(answer))
            }
            Err(error) => {
                self.no_answer(trial, &error, last.as_ref())?;
                Ok(None)
            }
        }
    }

    fn record_step(
        &self,
        trial: &mut Trial<'_>,
        answer: &ChatAnswer,
        exchange: Option<Exchange>,
    ) -> Result<(), Over> {
        let usage = answer.usage.map(|usage| Usage {
            cost: self.price.and_then(|price| price.cost(&usage, answer.cache_written)),
            ..usage
        });
        let step = trial.step(&StepWords {
            model: Some(answer.model.clone().unwrap_or_else(|| self.client.settings().model.clone())),
            text: answer.text(),
            stop_reason: answer.stop_word.clone(),
            usage,
            exchange,
        });
        step?;
        for part in &answer.parts {
            if let Part::Reasoning { text, redacted } = part {
                trial.reasoning(text, *redacted)?;
            }
        }
        Ok(())
    }

    /// Ends the trial, or the run, without an answer.
    fn no_answer(
        &self,
        trial: &mut Trial<'_>,
        error: &ProviderError,
        last: Option<&Exchange>,
    ) -> Result<(), Over> {
        match error {
            ProviderError::Stopped => {
                trial.may_step()?;
                return trial.fail("the request was stopped, and nobody stopped the trial");
            }
            ProviderError::OutOfTime => return Err(trial.out_of_time()),
            _ => {}
        }
        if let Some(last) = last {
            trial.note_exchange("provider: the exchange that failed", last)?;
        }
        let gave_up = matches!(error, ProviderError::GaveUp { .. })
            && self.given_up.fetch_add(1, Ordering::Relaxed) + 1 >= GIVEN_UP;
        if error.is_for_all() || gave_up {
            return Err(Over::Outside(error.to_string()));
        }
        trial.fail(&format!("provider: {error}"))
    }

    /// Why the trial can't go on behind an answer, if it can't.
    fn end_of(&self, trial: &Trial<'_>, answer: &ChatAnswer) -> Option<String> {
        let word = answer.stop_word.as_deref().unwrap_or("nothing");
        match answer.stop {
            Stop::Cut => {
                return Some(format!(
                    "the model's answer was cut (stop reason {word}): it reached the most tokens of one answer, or the end of its context; raise provider.sampling.max_tokens, or choose a model with a longer context"
                ));
            }
            Stop::ContextFull => {
                return Some(format!(
                    "the conversation filled the model's context (stop reason {word}); nothing was cut"
                ));
            }
            _ => {}
        }
        let (usage, limits) = (answer.usage.unwrap_or_default(), trial.setup().limits);
        if limits.tokens.is_some() && (usage.input.is_none() || usage.output.is_none()) {
            return Some(
                "the provider does not say how many tokens it took: a limit of tokens can't be held"
                    .to_owned(),
            );
        }
        if limits.cost.is_some() && self.price.and_then(|price| price.cost(&usage, None)).is_none() {
            return Some("what the step cost is not known: a limit of cost can't be held".to_owned());
        }
        None
    }
}

impl Actor for Model {
    fn record(&self) -> ActorRecord {
        self.record.clone()
    }

    fn reads_prompts(&self) -> bool {
        true
    }

    fn prompts(&self, mut prompts: Prompts, snapshot: &OpenSnapshot) -> Prompts {
        let mut add = |name: &str, text: &str| {
            prompts.system = format!("{}\n\n# {name}\n\n{}\n", prompts.system.trim_end(), text.trim_end());
        };
        if self.schema_in_prompt {
            add("What get_schema returns", snapshot.schema_text());
        }
        for context in &self.contexts {
            add(&context.name, &context.text);
        }
        prompts
    }

    fn attempt(&self, trial: &mut Trial<'_>) -> Result<(), Over> {
        let Some(prompts) = trial.prompts().cloned() else {
            return trial.fail("the model was told nothing");
        };
        let tools = definitions(trial.setup().tools).into_iter().map(|tool| ToolSpec {
            name: tool.name.to_owned(),
            description: tool.description.to_owned(),
            arguments: tool.arguments,
        });
        let mut request = ChatRequest {
            system: prompts.system,
            messages: vec![Message::User(prompts.brief)],
            tools: tools.collect(),
        };
        let abort = Abort::default();
        let stopping = abort.clone();
        let _watched = trial.setup().cancel.on_stop(move || stopping.stop());
        let mut ids = CallIds::default();
        while let Some(answer) = self.next_step(trial, &request, &abort)? {
            let calls: Vec<_> = answer.calls().cloned().collect();
            let goes_on = !calls.is_empty() || answer.stop == Stop::Pause;
            let cut = matches!(answer.stop, Stop::Cut | Stop::ContextFull);
            if (goes_on || cut)
                && let Some(reason) = self.end_of(trial, &answer)
            {
                return trial.fail(&reason);
            }
            if !goes_on {
                if answer.stop == Stop::Refused {
                    let word = answer.stop_word.as_deref().unwrap_or("refusal");
                    trial.note(&format!("provider: the model or its provider refused to go on ({word})"))?;
                }
                return trial.final_message(&answer.text());
            }
            request.messages.push(Message::Model(answer.turn));
            let mut outcomes = Vec::with_capacity(calls.len());
            for call in calls {
                let reply = trial.call_as(&ids.unique(&call.id), &call.name, &call.arguments)?;
                if trial.ending().is_some() {
                    return Ok(());
                }
                let is_error = reply.is_error();
                outcomes.push(ToolOutcome { id: call.id, text: reply.text, is_error });
            }
            if !outcomes.is_empty() {
                request.messages.push(Message::Tools(outcomes));
            }
        }
        Ok(())
    }
}

/// An exchange as the archive has it.
fn kept(raw: RawExchange) -> Exchange {
    let message = |raw: RawMessage| HttpMessage { status: raw.status, headers: raw.headers, body: raw.body };
    Exchange { target: raw.target, request: message(raw.request), response: raw.response.map(message) }
}
