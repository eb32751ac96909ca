//! Asking a model: attempts until there is an answer, an error that asking again would not mend, or no attempt left.

use super::abort::Abort;
use super::endpoint::Endpoint;
use super::error::{ProviderError, SettingsError, excerpt};
use super::exchange::{Fault, RawExchange, RawMessage};
use super::exchanges::Exchanges;
use super::key::Key;
use super::message::{ChatAnswer, ChatRequest};
use super::receive::{Outgoing, Receiving, exchange, http_client};
use super::retry::retry_after;
use super::settings::{ProviderSettings, Shape};
use super::sse::events;
use super::wire::{Unread, error_of};
use super::worker::Worker;
use std::time::{Duration, Instant};

/// A model that can be asked, by many threads at once.
#[derive(Debug)]
pub struct ChatClient {
    settings: ProviderSettings,
    endpoint: Endpoint,
    key: Option<Key>,
    exchanges: Option<Exchanges>,
    /// Absent where nothing is ever sent.
    network: Option<(Worker, reqwest::Client)>,
}

/// How one request is asked.
#[derive(Debug, Clone, Copy)]
pub struct Asking<'a> {
    /// What the request belongs to, for the record: the same question in another trial is another one.
    pub scope: &'a str,
    /// Where the waits between attempts come from.
    pub seed: u64,
    /// How long it may take in all, waits included.
    pub left: Option<Duration>,
    /// What stops it.
    pub abort: &'a Abort,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The answer, or why there is none.
    pub outcome: Result<ChatAnswer, ProviderError>,
    /// All attempts; the last is the one that the outcome speaks of.
    pub attempts: Vec<Attempt>,
}

/// One attempt.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    /// What went over the wire.
    pub exchange: RawExchange,
    /// Why it was tried again, and after which wait; `None` for the last.
    pub again: Option<String>,
}

/// What an attempt came to.
enum Came {
    Answer(ChatAnswer),
    /// Asking again would not help.
    Failed(ProviderError),
    /// It may be better next time.
    Again {
        reason: String,
        asked: Option<Duration>,
    },
}

impl ChatClient {
    /// A client with these settings. Nothing is sent yet.
    ///
    /// # Errors
    /// [`SettingsError`]: a setting that can't be, or this machine gives no network client.
    pub fn new(
        settings: ProviderSettings,
        key: Option<Key>,
        exchanges: Option<Exchanges>,
    ) -> Result<Self, SettingsError> {
        let endpoint = settings.endpoint()?;
        let network = if exchanges.as_ref().is_some_and(Exchanges::is_replay) {
            None
        } else {
            let client =
                http_client(&settings.timeouts, endpoint.url.scheme() == "https", endpoint.is_loopback)
                    .map_err(|reason| {
                        SettingsError::new("base_url", format!("no client for it: {reason}"))
                    })?;
            let worker = Worker::start().map_err(|error| {
                SettingsError::new("base_url", format!("no thread for requests: {error}"))
            })?;
            Some((worker, client))
        };
        Ok(Self { settings, endpoint, key, exchanges, network })
    }

    /// The settings.
    pub const fn settings(&self) -> &ProviderSettings {
        &self.settings
    }

    /// The body that a request would have.
    pub fn body(&self, request: &ChatRequest) -> String {
        self.settings.shape.body(&self.settings, request).to_string()
    }

    /// Asks, and waits for the answer.
    pub fn ask(&self, request: &ChatRequest, asking: &Asking<'_>) -> Asked {
        let body = self.body(request);
        let key = Exchanges::key(asking.scope, &self.endpoint.target(), &body);
        let end = asking.left.and_then(|left| Instant::now().checked_add(left));
        let mut attempts = Vec::new();
        for attempt in 1.. {
            let raw = match self.attempt(&body, &key, attempt, end, asking.abort) {
                Ok(raw) => raw,
                Err(error) => return Asked { outcome: Err(error), attempts },
            };
            let came = self.came(&raw);
            let (outcome, again) = match came {
                Came::Answer(answer) => (Some(Ok(answer)), None),
                Came::Failed(error) => (Some(Err(error)), None),
                Came::Again { reason, .. } if attempt >= self.settings.retry.attempts => {
                    (Some(Err(ProviderError::GaveUp { attempts: attempt, last: reason })), None)
                }
                Came::Again { reason, asked } => {
                    let wait = self.settings.retry.wait(attempt, asking.seed, asked);
                    let words = format!("attempt {attempt}: {reason}; asked again after {}", wait.words());
                    (self.wait(wait.time, end, asking.abort).err().map(Err), Some(words))
                }
            };
            attempts.push(Attempt { exchange: raw, again });
            if let Some(outcome) = outcome {
                return Asked { outcome, attempts };
            }
        }
        // The loop ends by itself: attempts are bounded.
        Asked { outcome: Err(ProviderError::Stopped), attempts }
    }

    /// Waits for the next attempt; a record needs no patience.
    fn wait(&self, time: Duration, end: Option<Instant>, abort: &Abort) -> Result<(), ProviderError> {
        let Some((worker, _)) = &self.network else { return Ok(()) };
        let left = end.map(|end| end.saturating_duration_since(Instant::now()));
        let stopped = worker.sleep(left.map_or(time, |left| left.min(time)), abort);
        match left {
            _ if stopped => Err(ProviderError::Stopped),
            Some(left) if left <= time => Err(ProviderError::OutOfTime),
            _ => Ok(()),
        }
    }

    /// One exchange, from the network or from the record.
    fn attempt(
        &self,
        body: &str,
        key: &str,
        attempt: u32,
        end: Option<Instant>,
        abort: &Abort,
    ) -> Result<RawExchange, ProviderError> {
        if abort.is_stopped() {
            return Err(ProviderError::Stopped);
        }
        let (worker, client) = match (&self.exchanges, &self.network) {
            (Some(Exchanges::Replay(folder)), _) => return Exchanges::again(folder, key, attempt),
            (_, Some(network)) => network,
            (_, None) => return Err(ProviderError::Stopped),
        };
        let mut headers = self.endpoint.headers.clone();
        if let (Some(source), Some(key)) = (&self.settings.key, &self.key) {
            headers.push(source.header(self.settings.shape, key));
        }
        let secret = self.settings.key.as_ref().zip(self.key.as_ref()).map(|_| headers.len() - 1);
        let out = Outgoing { url: self.endpoint.url.clone(), headers, body: body.to_owned() };
        let is_last: fn(&super::sse::SseEvent) -> bool = match self.settings.shape {
            Shape::OpenAi => |event| Shape::OpenAi.is_last(event),
            Shape::Anthropic => |event| Shape::Anthropic.is_last(event),
        };
        let how = Receiving {
            timeouts: self.settings.timeouts,
            left: end.map(|end| end.saturating_duration_since(Instant::now())),
            is_last: self.settings.stream.then_some(is_last),
            abort: abort.clone(),
        };
        let raw = worker.run(exchange(client.clone(), out, how));
        let mut raw = raw.ok_or_else(|| ProviderError::GaveUp {
            attempts: attempt,
            last: "the thread for requests failed".to_owned(),
        })?;
        if let Some(secret) = secret {
            "[withheld]".clone_into(&mut raw.request.headers[secret].1);
        }
        let raw = raw.without(self.key.as_ref());
        match (&self.exchanges, &raw.fault) {
            // What we ended ourselves says nothing of the provider.
            (_, Some(Fault::Stopped | Fault::OutOfTime)) | (None, _) => {}
            (Some(Exchanges::Record(folder) | Exchanges::Replay(folder)), _) => {
                Exchanges::keep(folder, key, attempt, &raw)?;
            }
        }
        Ok(raw)
    }

    fn came(&self, raw: &RawExchange) -> Came {
        let again = |reason: String| Came::Again { reason, asked: None };
        match (&raw.fault, &raw.response) {
            (Some(Fault::Stopped), _) => Came::Failed(ProviderError::Stopped),
            (Some(Fault::OutOfTime), _) => Came::Failed(ProviderError::OutOfTime),
            (Some(Fault::Connect(why)), _) => again(format!("no connection to {}: {why}", self.endpoint.url)),
            (Some(Fault::Timeout(why)), _) => again(format!("timeout: {why}")),
            (Some(Fault::Cut(why)), _) => again(format!("the connection was cut: {why}")),
            (Some(Fault::TooLarge(limit)), _) => Came::Failed(ProviderError::TooLarge { limit: *limit }),
            (Some(Fault::NotText), response) => Came::Failed(ProviderError::Malformed {
                reason: "it is no UTF-8".to_owned(),
                excerpt: excerpt(response.as_ref().map_or("", |response| &response.body)),
            }),
            (None, None) => again("nothing came".to_owned()),
            (None, Some(response)) => match response.status.unwrap_or(0) {
                200..=299 => self.read(response),
                status @ 300..=399 => Came::Failed(ProviderError::Redirected {
                    target: raw.target.clone(),
                    status,
                    location: excerpt(response.header("location").unwrap_or("nowhere")),
                }),
                status => self.refused(status, response, &error_of(&response.body)),
            },
        }
    }

    /// A status, of the response or of an error in its body, that is not a good one.
    fn refused(&self, status: u16, response: &RawMessage, error: &super::wire::ErrorBody) -> Came {
        let message = excerpt(&error.message);
        if error.is_overflow() && !matches!(status, 401..=404 | 429 | 500..) {
            return Came::Failed(ProviderError::ContextOverflow { message });
        }
        if matches!(status, 408 | 429 | 500..) && !error.is_for_good() {
            let date = response.header("date");
            let asked = response
                .header("retry-after")
                .and_then(|value| retry_after(value, date, jiff::Timestamp::now()));
            return Came::Again { reason: format!("status {status}: {message}"), asked };
        }
        Came::Failed(ProviderError::Refused { target: self.endpoint.target(), status, message })
    }

    fn read(&self, response: &RawMessage) -> Came {
        let settings = &self.settings;
        let wanted = if settings.stream { "text/event-stream" } else { "application/json" };
        let given = response.header("content-type").unwrap_or(wanted);
        let kind = given.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let is_json = kind == "application/json" || kind.ends_with("+json");
        let answer = if settings.stream && kind == "text/event-stream" {
            settings.shape.read_events(settings, &events(&response.body))
        } else if is_json {
            // Some servers do not stream, whatever they were asked.
            settings.shape.read(settings, &response.body)
        } else {
            return Came::Failed(ProviderError::ContentType {
                target: self.endpoint.target(),
                found: excerpt(given),
                wanted: wanted.to_owned(),
                excerpt: excerpt(&response.body),
            });
        };
        match answer {
            Ok(answer) => Came::Answer(answer),
            Err(Unread::Cut(reason)) => Came::Again { reason, asked: None },
            Err(Unread::Malformed(reason)) => {
                Came::Failed(ProviderError::Malformed { reason, excerpt: excerpt(&response.body) })
            }
            Err(Unread::Reported(error)) => self.refused(error.status().unwrap_or(400), response, &error),
        }
    }
}
