//! What tokens cost: a dated table, and the cost of one answer. What is not in it is not known, which is not the same as 0.

use crate::domain::trace::Usage;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const EMBEDDED: &str = include_str!("prices.toml");
const LONGEST: u64 = 1 << 20;

/// US dollars for a million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Tokens in.
    pub input: f64,
    /// Tokens in that came from a cache; as `input` where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<f64>,
    /// Tokens in that were written into a cache; as `input` where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<f64>,
    /// Tokens out, reasoning included.
    pub output: f64,
}

/// Prices by provider and model.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceTable {
    /// The day they are of.
    pub as_of: String,
    /// By host, then by model. A host `*` stands for every one.
    hosts: BTreeMap<String, BTreeMap<String, Price>>,
}

/// Why a table can't be used.
#[derive(Debug, thiserror::Error)]
pub enum PricesError {
    /// The file can't be read.
    #[error("can't read the prices in {path}: {source}", path = .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It holds no prices.
    #[error("{name} holds no prices: {reason}; docs/agents.md shows the form")]
    Wrong {
        /// The file.
        name: String,
        /// Why.
        reason: String,
    },
}

impl Price {
    pub(super) fn check(&self) -> Result<(), String> {
        let all = [Some(self.input), self.cached_input, self.cache_write, Some(self.output)];
        match all.into_iter().flatten().find(|price| !(0.0..=1e6).contains(price)) {
            Some(price) => Err(format!("{price} is no price in US dollars for a million tokens")),
            None => Ok(()),
        }
    }

    /// The cost in US dollars, where input and output are known.
    pub fn cost(&self, usage: &Usage, cache_written: Option<u64>) -> Option<f64> {
        let (input, output) = (usage.input?, usage.output?);
        let cached = usage.cached.unwrap_or(0).min(input);
        let written = cache_written.unwrap_or(0).min(input - cached);
        #[allow(clippy::cast_precision_loss)] // counts of tokens are far below 2^53
        let cost = |tokens: u64, price: f64| tokens as f64 * price / 1e6;
        Some(
            cost(input - cached - written, self.input)
                + cost(cached, self.cached_input.unwrap_or(self.input))
                + cost(written, self.cache_write.unwrap_or(self.input))
                + cost(output, self.output),
        )
    }
}

impl PriceTable {
    /// The table of this program.
    ///
    /// # Errors
    /// None: a test reads it.
    pub fn embedded() -> Result<Self, PricesError> {
        Self::parse("the built-in table", EMBEDDED)
    }

    /// The table in a file.
    ///
    /// # Errors
    /// [`PricesError`].
    pub fn load(path: &Path) -> Result<Self, PricesError> {
        use std::io::Read as _;
        let unreadable = |source| PricesError::Unreadable { path: path.to_owned(), source };
        let mut text = String::new();
        let file = std::fs::File::open(path).map_err(unreadable)?;
        file.take(LONGEST).read_to_string(&mut text).map_err(unreadable)?;
        Self::parse(&path.display().to_string(), &text)
    }

    fn parse(name: &str, text: &str) -> Result<Self, PricesError> {
        let wrong = |reason: String| PricesError::Wrong { name: name.to_owned(), reason };
        let table: Self =
            toml::from_str(text).map_err(|error| wrong(error.to_string().trim_end().to_owned()))?;
        if table.as_of.parse::<jiff::civil::Date>().is_err() {
            return Err(wrong(format!("as_of '{}' is no day; for example \"2026-05-25\"", table.as_of)));
        }
        for (host, models) in &table.hosts {
            for (model, price) in models {
                price.check().map_err(|reason| wrong(format!("{host}, {model}: {reason}")))?;
            }
        }
        Ok(table)
    }

    /// The price of a model at a provider. A model with a date behind its name is the model.
    pub fn price(&self, base_url: &str, model: &str) -> Option<Price> {
        let host = reqwest::Url::parse(base_url).ok()?.host_str()?.to_owned();
        let undated = undated(model);
        [host.as_str(), "*"].into_iter().find_map(|host| {
            let models = self.hosts.get(host)?;
            models.get(model).or_else(|| models.get(undated)).copied()
        })
    }
}

/// A model's name without `-20260131`, `-2026-01-31` or `-latest` behind it.
fn undated(model: &str) -> &str {
    if let Some(name) = model.strip_suffix("-latest") {
        return name;
    }
    for shape in ["-dddddddd", "-dddd-dd-dd"] {
        if let Some(at) = model.len().checked_sub(shape.len())
            && let Some(end) = model.get(at..)
            && end.bytes().zip(shape.bytes()).all(|(byte, wanted)| match wanted {
                b'd' => byte.is_ascii_digit(),
                _ => byte == wanted,
            })
        {
            return &model[..at];
        }
    }
    model
}

#[cfg(test)]
mod tests {
    use super::{Price, PriceTable, undated};
    use crate::domain::trace::Usage;

    #[test]
    fn the_built_in_table_is_one_and_knows_dated_names_of_its_hosts_only() {
        let table = PriceTable::embedded().unwrap();
        let price = |host: &str, model: &str| table.price(&format!("https://{host}/v1"), model);
        let sonnet = price("api.anthropic.com", "claude-sonnet-4-5").unwrap();
        assert_eq!(price("api.anthropic.com", "claude-sonnet-4-5-20250929"), Some(sonnet));
        assert_eq!(price("elsewhere.example", "claude-sonnet-4-5"), None);
        assert_ne!(price("api.openai.com", "gpt-4o-2024-08-06"), price("api.openai.com", "gpt-4o-mini"));
        assert_eq!(price("api.openai.com", "gpt-4o-maxi"), None);
        for (name, without) in
            [("a-20250101", "a"), ("a-2025-01-01", "a"), ("a-latest", "a"), ("a-2025", "a-2025"), ("ä", "ä")]
        {
            assert_eq!(undated(name), without);
        }
    }

    #[test]
    fn cached_and_written_tokens_cost_what_they_cost() {
        let price = Price { input: 3.0, cached_input: Some(0.3), cache_write: Some(3.75), output: 15.0 };
        let usage = Usage {
            input: Some(1_000_000),
            output: Some(100_000),
            cached: Some(600_000),
            ..Usage::default()
        };
        let cost = price.cost(&usage, Some(200_000)).unwrap();
        assert!((cost - (0.6 + 0.18 + 0.75 + 1.5)).abs() < 1e-9, "{cost}");
        let plain = Price { cached_input: None, cache_write: None, ..price };
        assert!((plain.cost(&usage, Some(200_000)).unwrap() - 4.5).abs() < 1e-9);
        assert_eq!(price.cost(&Usage { input: Some(1), ..Usage::default() }, None), None);
    }

    #[test]
    fn a_wrong_table_is_refused_with_the_reason() {
        for (text, says) in [
            ("as_of = \"soon\"\n[hosts]", "as_of 'soon' is no day"),
            ("as_of = \"2026-01-01\"\n[hosts.\"*\"]\nm = { input = 1 }", "missing field `output`"),
            ("as_of = \"2026-01-01\"\n[hosts.\"*\"]\nm = { input = -1, output = 1 }", "*, m: -1 is no price"),
            ("as_of = \"2026-01-01\"\nhost = 1\n[hosts]", "unknown field `host`"),
        ] {
            let error = PriceTable::parse("p", text).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
        let any =
            PriceTable::parse("p", "as_of = \"2026-01-01\"\n[hosts.\"*\"]\nm = { input = 1, output = 2 }");
        assert!(any.unwrap().price("http://localhost:1", "m").is_some());
    }
}
