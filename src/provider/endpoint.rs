//! Where requests go, with what headers: the address and the headers of the settings, checked.
//!
//! No key in an address or a header: those are kept with the evidence.

use super::error::SettingsError;
use super::settings::{ProviderSettings, Shape};
use reqwest::Url;
use reqwest::header::{HeaderName, HeaderValue};

/// Headers that carry a key, or are ours to set.
const NOT_GIVEN: &[&str] = &[
    "authorization",
    "proxy-authorization",
    "x-api-key",
    "api-key",
    "x-goog-api-key",
    "cookie",
    "content-type",
    "content-length",
    "transfer-encoding",
    "host",
    "accept",
    "accept-encoding",
    "connection",
];

/// Names of query parameters that carry a key.
const KEYS_IN_QUERY: &[&str] = &["key", "api_key", "api-key", "apikey", "token", "access_token", "sig"];

/// Where requests go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Endpoint {
    /// The whole address.
    pub(super) url: Url,
    /// Headers without the key, names in lower case.
    pub(super) headers: Vec<(String, String)>,
    /// Whether it is this machine.
    pub(super) is_loopback: bool,
}

impl Endpoint {
    pub(super) fn of(settings: &ProviderSettings) -> Result<Self, SettingsError> {
        let wrong = |reason: String| SettingsError::new("base_url", reason);
        let mut url = Url::parse(settings.base_url.trim()).map_err(|error| {
            wrong(format!("it is no address ({error}); for example https://api.example/v1"))
        })?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(wrong("it holds a user or a password; name a key with `key`".to_owned()));
        }
        if let Some((name, _)) =
            url.query_pairs().find(|(name, _)| KEYS_IN_QUERY.contains(&name.to_lowercase().as_str()))
        {
            return Err(wrong(format!("its `{name}` would carry a key; name the key with `key`")));
        }
        if url.fragment().is_some() {
            return Err(wrong("it has a part behind #, which is never sent; take it out".to_owned()));
        }
        let is_loopback = is_loopback(&url);
        match url.scheme() {
            "https" => {}
            "http" if is_loopback || settings.allow_plain_http => {}
            "http" => {
                return Err(wrong(
                    "http:// to another machine can be read on the way, key and data; use https://, or say allow_plain_http = true"
                        .to_owned(),
                ));
            }
            other => return Err(wrong(format!("{other}:// is neither https nor http"))),
        }
        let path = url.path().trim_end_matches('/').to_owned();
        let path = match settings.shape {
            Shape::OpenAi => format!("{path}/chat/completions"),
            Shape::Anthropic if path.ends_with("/v1") => format!("{path}/messages"),
            Shape::Anthropic => format!("{path}/v1/messages"),
        };
        url.set_path(&path);
        Ok(Self { url, headers: headers(settings)?, is_loopback })
    }

    /// Method and address, as they are recorded.
    pub(super) fn target(&self) -> String {
        format!("POST {}", self.url)
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host_str() {
        Some("localhost") => true,
        Some(host) => {
            let address = host.trim_start_matches('[').trim_end_matches(']');
            address.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
        }
        None => false,
    }
}

fn headers(settings: &ProviderSettings) -> Result<Vec<(String, String)>, SettingsError> {
    let accept = if settings.stream { "text/event-stream" } else { "application/json" };
    let mut headers = vec![
        ("content-type".to_owned(), "application/json".to_owned()),
        ("accept".to_owned(), accept.to_owned()),
        ("user-agent".to_owned(), concat!("casebook/", env!("CARGO_PKG_VERSION")).to_owned()),
    ];
    if settings.shape == Shape::Anthropic {
        headers.push(("anthropic-version".to_owned(), "2023-06-01".to_owned()));
    }
    for (given, value) in &settings.headers {
        let setting = format!("headers.{given}");
        let name = given.to_ascii_lowercase();
        if NOT_GIVEN.contains(&name.as_str()) {
            let reason = "this header carries a key or is ours to set; a key is named with `key`, in another header with key.header";
            return Err(SettingsError::new(setting, reason));
        }
        if HeaderName::from_bytes(name.as_bytes()).is_err() || HeaderValue::from_str(value).is_err() {
            return Err(SettingsError::new(setting, "name or value can't be in a header"));
        }
        headers.retain(|(ours, _)| *ours != name);
        headers.push((name, value.clone()));
    }
    Ok(headers)
}

#[cfg(test)]
mod tests {
    use super::Endpoint;
    use crate::provider::ProviderSettings;

    fn endpoint(toml: &str) -> Result<Endpoint, String> {
        let settings: ProviderSettings = toml::from_str(toml).map_err(|error| error.to_string())?;
        settings.endpoint().map_err(|error| error.to_string())
    }

    #[test]
    fn addresses_are_completed_or_refused_with_the_reason() {
        let of = |shape: &str, url: &str| {
            endpoint(&format!("shape = \"{shape}\"\nbase_url = \"{url}\"\nmodel = \"m\""))
                .map(|it| it.target())
        };
        for (shape, url, target) in [
            ("openai", "https://api.openai.com/v1/", "POST https://api.openai.com/v1/chat/completions"),
            (
                "openai",
                "https://x.example/o?api-version=1",
                "POST https://x.example/o/chat/completions?api-version=1",
            ),
            ("anthropic", "https://api.anthropic.com", "POST https://api.anthropic.com/v1/messages"),
            ("anthropic", "http://[::1]:80/v1", "POST http://[::1]/v1/messages"),
            ("openai", "http://localhost:8080", "POST http://localhost:8080/chat/completions"),
            ("openai", "http://127.9.9.9", "POST http://127.9.9.9/chat/completions"),
        ] {
            assert_eq!(of(shape, url).unwrap(), target);
        }
        for (url, says) in [
            ("http://api.example/v1", "allow_plain_http"),
            ("http://localhost.example/v1", "allow_plain_http"),
            ("ftp://localhost/", "neither https nor http"),
            ("https://me:word@api.example", "password"),
            ("https://api.example?api_key=1", "`api_key` would carry a key"),
            ("api.example", "it is no address"),
        ] {
            let error = of("openai", url).unwrap_err();
            assert!(error.starts_with("base_url: ") && error.contains(says), "{error}");
        }
    }

    #[test]
    fn settings_that_make_no_sense_are_named() {
        let base = "shape = \"openai\"\nbase_url = \"https://api.example\"\nmodel = \"m\"\n";
        for (more, says) in [
            ("modell = 1", "unknown field `modell`"),
            ("[headers]\nAuthorization = \"x\"", "headers.Authorization: this header carries a key"),
            ("[headers]\n\"a b\" = \"x\"", "headers.a b: name or value"),
            ("[extra]\nmodel = 1", "extra.model: it is set by its own setting"),
            ("[extra]\nday = 2026-01-01", "extra: a date can't be sent"),
            ("[sampling]\ntemperature = 3.0", "sampling.temperature: 3 is not"),
            ("[sampling]\nthinking_tokens = 3", "sampling.thinking_tokens: only for shape \"anthropic\""),
            ("[sampling]\ntop = 3", "unknown field `top`"),
            ("[timeouts]\nidle_seconds = -1.0", "timeouts.idle_seconds: -1"),
            ("[retry]\nattempts = 0", "retry.attempts: 0"),
            ("key = { }", "key: name the variable"),
            ("key = { env = \"A\", file = \"/b\" }", "key: give either"),
            ("key = { file = \"keys/a\" }", "key.file: "),
            ("key = { value = \"sk\" }", "unknown field `value`"),
            ("cache_prompt = true", "cache_prompt: only for"),
            ("price = { input = -1.0, output = 1.0 }", "price: "),
        ] {
            let error = endpoint(&format!("{base}{more}")).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
        assert!(endpoint(&base.replace("\"m\"", "\" \"")).unwrap_err().starts_with("model: it is empty"));
        assert!(endpoint(&format!("{base}key = {{ env = \"A\", header = \"api-key\" }}")).is_ok());
    }
}
