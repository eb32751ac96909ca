//! One request over the network: sent, and its answer received piece by piece, bounded in size and time, stopped when told to.

use super::abort::Abort;
use super::exchange::{Fault, RawExchange, RawMessage};
use super::settings::{Timeouts, duration};
use super::sse::{SseEvent, SseParser};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response, Url};
use std::error::Error as _;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// No answer is longer.
pub(super) const LONGEST: usize = 32 << 20;

/// What is sent.
#[derive(Debug, Clone)]
pub(super) struct Outgoing {
    pub(super) url: Url,
    /// Headers, the one with the key among them.
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: String,
}

/// How it is received.
#[derive(Debug, Clone)]
pub(super) struct Receiving {
    pub(super) timeouts: Timeouts,
    /// What is left of the time that somebody else gave.
    pub(super) left: Option<Duration>,
    /// Whether nothing comes behind an event of a stream, though the connection may stay open.
    pub(super) is_last: Option<fn(&SseEvent) -> bool>,
    pub(super) abort: Abort,
}

/// The client of this room. The only place that makes one: its TLS goes through ring, it follows nobody and tries nothing twice.
pub(super) fn http_client(timeouts: &Timeouts, is_tls: bool, is_loopback: bool) -> Result<Client, String> {
    // Somebody else in this process may have been first; one is as good as another.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .connect_timeout(duration(timeouts.connect_seconds));
    if is_loopback {
        // A proxy is for the way out.
        builder = builder.no_proxy();
    }
    if !is_tls {
        // Without it the machine's certificates are read, and must be there, for nothing.
        builder = builder.tls_certs_only([]);
    }
    builder.build().map_err(|error| words(&error))
}

/// Sends, and receives what comes.
pub(super) async fn exchange(client: Client, out: Outgoing, how: Receiving) -> RawExchange {
    let mut raw = RawExchange {
        target: format!("POST {}", out.url),
        request: RawMessage { status: None, headers: out.headers.clone(), body: out.body.clone() },
        ..RawExchange::default()
    };
    let abort = how.abort.clone();
    let received = receive(client, out, &how, &mut raw.response);
    // What was received until then stays in the record.
    let fault = tokio::select! {
        biased;
        () = abort.stopped() => Err(Fault::Stopped),
        received = received => received,
    };
    raw.fault = fault.err();
    raw
}

async fn receive(
    client: Client,
    out: Outgoing,
    how: &Receiving,
    kept: &mut Option<RawMessage>,
) -> Result<(), Fault> {
    let begun = Instant::now();
    let total = duration(how.timeouts.total_seconds);
    // Whichever is first.
    let (end, at_end) = match how.left {
        Some(left) if left < total => (begun + left, Fault::OutOfTime),
        _ => (
            begun + total,
            Fault::Timeout(format!("no whole answer within {} s", how.timeouts.total_seconds)),
        ),
    };
    let request = client.post(out.url).headers(headers(&out.headers)).body(out.body);
    let response = match timeout_at(end, request.send()).await {
        Err(_) => return Err(at_end),
        Ok(Err(error)) if error.is_timeout() => {
            return Err(Fault::Timeout(format!("no connection within {} s", how.timeouts.connect_seconds)));
        }
        Ok(Err(error)) if error.is_connect() => return Err(Fault::Connect(words(&error))),
        Ok(Err(error)) => return Err(Fault::Cut(words(&error))),
        Ok(Ok(response)) => response,
    };
    *kept = Some(head(&response));
    let mut body = Vec::new();
    let ended = receive_body(response, how, (end, at_end), &mut body).await;
    let text = String::from_utf8(body);
    let is_text = text.is_ok();
    if let Some(kept) = kept {
        kept.body = text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    }
    ended?;
    if is_text { Ok(()) } else { Err(Fault::NotText) }
}

async fn receive_body(
    mut response: Response,
    how: &Receiving,
    (end, at_end): (Instant, Fault),
    body: &mut Vec<u8>,
) -> Result<(), Fault> {
    let idle = duration(how.timeouts.idle_seconds);
    let is_stream = response.status().is_success();
    let mut stream = how.is_last.filter(|_| is_stream).map(|is_last| (SseParser::default(), is_last));
    loop {
        let next = Instant::now() + idle;
        let chunk = match timeout_at(next.min(end), response.chunk()).await {
            Err(_) if end <= next => return Err(at_end),
            Err(_) => {
                return Err(Fault::Timeout(format!("nothing more within {} s", how.timeouts.idle_seconds)));
            }
            Ok(Err(error)) => return Err(Fault::Cut(words(&error))),
            Ok(Ok(None)) => return Ok(()),
            Ok(Ok(Some(chunk))) => chunk,
        };
        if body.len() + chunk.len() > LONGEST {
            return Err(Fault::TooLarge(LONGEST as u64));
        }
        body.extend_from_slice(&chunk);
        if let Some((parser, is_last)) = &mut stream
            && parser.feed(&chunk).iter().any(is_last)
        {
            return Ok(());
        }
    }
}

fn headers(given: &[(String, String)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in given {
        // They were checked where they were given.
        if let (Ok(name), Ok(value)) = (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value))
        {
            headers.insert(name, value);
        }
    }
    headers
}

fn head(response: &Response) -> RawMessage {
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    RawMessage {
        status: Some(response.status().as_u16()),
        headers: response
            .headers()
            .iter()
            .map(|(name, value)| (name.as_str().to_owned(), text(value)))
            .collect(),
        body: String::new(),
    }
}

/// An error with its reasons, without the address.
fn words(error: &reqwest::Error) -> String {
    let mut words = error.to_string();
    if let Some(url) = error.url() {
        words = words.replace(&format!(" for url ({url})"), "");
    }
    let mut source = error.source();
    while let Some(reason) = source {
        let text = reason.to_string();
        if !words.contains(&text) {
            words = format!("{words}: {text}");
        }
        source = reason.source();
    }
    words
}
