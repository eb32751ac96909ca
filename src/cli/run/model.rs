//! A model as the actor of a run: its agent file, the files that names, its key, its price; and the same from a run's record.

use super::super::failure::Failure;
use super::actor::{ChosenActor, ContextFile, file_name, read_text};
use crate::agent::{AgentFile, ContextText, DatedPrice, Model, ModelParts};
use crate::archive::{RunFile, Secrets};
use crate::harness::RunPlan;
use crate::provider::{Exchanges, Key, PriceTable};
use sha2::{Digest as _, Sha256};
use std::path::{Path, PathBuf};

/// What a model needs.
#[derive(Debug, clap::Args)]
pub(super) struct ModelArguments {
    /// The agent file of the actor `model`: provider, model, key source, context (docs/agents.md)
    #[arg(long, value_name = "FILE", required_if_eq("actor", "model"))]
    agent: Option<PathBuf>,
    /// Prices of models in place of the built-in table
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
    /// Keep every exchange with the provider in this folder, too, to be given again later
    #[arg(long, value_name = "DIR", conflicts_with = "replay_exchanges")]
    record: Option<PathBuf>,
    /// Take every answer of the provider from this folder: nothing is sent
    #[arg(long, value_name = "DIR")]
    replay_exchanges: Option<PathBuf>,
}

/// No context file is longer.
const LONGEST: usize = 4 << 20;

impl ModelArguments {
    fn exchanges(&self) -> Option<Exchanges> {
        let record = self.record.clone().map(Exchanges::Record);
        record.or_else(|| self.replay_exchanges.clone().map(Exchanges::Replay))
    }
}

/// The model that the command line chooses.
pub(super) fn chosen(
    arguments: &ModelArguments,
    plan: &RunPlan,
    secrets: &Secrets,
) -> Result<ChosenActor, Failure> {
    let path = arguments.agent.as_ref().ok_or_else(|| Failure::Input("give --agent FILE".to_owned()))?;
    let text = read_text(path)?;
    if secrets.are_in(&text) {
        return Err(Failure::Input(format!(
            "{} holds the value of an environment variable that is a secret; name the variable in [provider.key] instead",
            path.display()
        )));
    }
    let file = parse(&path.display().to_string(), &text)?;
    let price = price(&file, arguments.prices.as_deref())?;
    if plan.limits.cost.is_some() && price.is_none() {
        return Err(Failure::Input(format!(
            "--max-cost can't be held: no price is known for {} at {}; say it in [provider.price] of the agent file, or in a table with --prices",
            file.provider.model, file.provider.base_url
        )));
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut contexts = vec![ContextFile { name: file_name(path), text }];
    for name in &file.context.files {
        let text = read_text(&folder.join(name))?;
        if text.len() > LONGEST {
            return Err(Failure::Input(format!(
                "the context file {name} is longer than {} MiB",
                LONGEST >> 20
            )));
        }
        // A secret in it is taken out before anything is done with it, so that going on does the same.
        contexts.push(ContextFile { name: name.clone(), text: secrets.remove(&text).into_owned() });
    }
    build(arguments, file, contexts, price)
}

/// The model that a run began with.
pub(super) fn of_run(
    arguments: &ModelArguments,
    run: &RunFile,
    contexts: Vec<ContextFile>,
) -> Result<ChosenActor, Failure> {
    let agent = contexts.first();
    let agent = agent
        .ok_or_else(|| Failure::Input("the run names no agent file: it can't be gone on with".to_owned()))?;
    let file = parse(&agent.name, &agent.text)?;
    // The price that it began with, whatever the table says by now.
    let price = run.actor.settings.get("price").map(|price| serde_json::from_value(price.clone()));
    let price =
        price.transpose().map_err(|error| Failure::Input(format!("the run's price is none: {error}")))?;
    build(arguments, file, contexts, price)
}

fn parse(name: &str, text: &str) -> Result<AgentFile, Failure> {
    AgentFile::parse(text).map_err(|error| Failure::Input(format!("{name}: {error}")))
}

fn price(file: &AgentFile, table: Option<&Path>) -> Result<Option<DatedPrice>, Failure> {
    if let Some(price) = file.provider.price {
        return Ok(Some(DatedPrice { as_of: None, price }));
    }
    let table = table.map_or_else(PriceTable::embedded, PriceTable::load);
    let table = table.map_err(|error| Failure::input(&error))?;
    let price = table.price(&file.provider.base_url, &file.provider.model);
    Ok(price.map(|price| DatedPrice { as_of: Some(table.as_of), price }))
}

/// Builds the model. `contexts` begin with the agent file.
fn build(
    arguments: &ModelArguments,
    file: AgentFile,
    contexts: Vec<ContextFile>,
    price: Option<DatedPrice>,
) -> Result<ChosenActor, Failure> {
    let exchanges = arguments.exchanges();
    let key = match &file.provider.key {
        // Nobody is asked, so nobody wants a key.
        Some(_) if exchanges.as_ref().is_some_and(Exchanges::is_replay) => None,
        Some(source) => {
            Some(source.read(|name| std::env::var_os(name)).map_err(|error| Failure::input(&error))?)
        }
        None => None,
    };
    if let Some(key) = &key
        && let Some(file) = contexts.iter().find(|file| file.text.contains(key.reveal()))
    {
        let reason =
            format!("{} holds the key itself; take it out, and make a new key if others saw it", file.name);
        return Err(Failure::Input(reason));
    }
    let secrets = key.iter().map(|key: &Key| key.reveal().to_owned()).collect();
    let (agent, files) = contexts.split_at(1.min(contexts.len()));
    let parts = ModelParts {
        agent_sha256: agent.iter().map(|agent| hex::encode(Sha256::digest(&agent.text))).collect(),
        contexts: files
            .iter()
            .map(|file| ContextText { name: file.name.clone(), text: file.text.clone() })
            .collect(),
        key,
        exchanges,
        price,
    };
    let model = Model::new(file, parts).map_err(|error| Failure::Input(format!("provider.{error}")))?;
    let chosen = ChosenActor::new("model", model);
    Ok(ChosenActor { contexts, secrets, ..chosen })
}
