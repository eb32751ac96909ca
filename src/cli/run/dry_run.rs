//! What a run would do: its plan, its actor with all settings, and what the first trial would be told. Nothing is written or sent.

use super::super::failure::Failure;
use super::Arguments;
use super::beginning::with_actor;
use crate::archive::Secrets;
use crate::domain::trial::ActorKind;
use crate::harness::{Prompts, brief_text, system_prompt};
use crate::text::visible::visible;
use std::io::Write;

/// Says what would be done.
pub(super) fn dry_run(arguments: &Arguments, secrets: &Secrets, out: &mut dyn Write) -> Result<(), Failure> {
    let (plan, chosen) = with_actor(arguments, secrets)?;
    let record = chosen.actor.record();
    let trials = plan.tasks.len() as u64 * u64::from(plan.trials);
    writeln!(
        out,
        "{trials} trials: {} tasks on snapshots, {} attempt(s) each",
        plan.tasks.len(),
        plan.trials
    )?;
    writeln!(out, "actor: {}", visible(&format!("{} {}", chosen.word, record.name)))?;
    if record.kind == ActorKind::Model && !record.settings.contains_key("price") {
        writeln!(out, "cost: unknown, there is no price for the model")?;
    }
    for file in &chosen.contexts {
        let kept = file.record();
        writeln!(out, "file: {}, {} bytes, {}", visible(&kept.name), kept.bytes, kept.sha256)?;
    }
    let settings = serde_json::to_string_pretty(&record.settings)?;
    say(out, "settings", &settings)?;
    if !chosen.actor.reads_prompts() {
        return Ok(());
    }
    let first = plan.tasks.first().and_then(|first| {
        let pack = plan.packs.iter().find(|pack| pack.id == first.pack)?;
        let snapshot = plan.snapshots.iter().find(|it| it.manifest.revision == first.revision)?;
        Some((first, pack, pack.task(&first.task)?, snapshot))
    });
    if let Some((first, pack, task, snapshot)) = first {
        let prompts = Prompts { system: system_prompt(pack, plan.tools), brief: brief_text(pack, task) };
        let prompts = chosen.actor.prompts(prompts, snapshot);
        say(out, &format!("system prompt of {}", first.task), &prompts.system)?;
        say(out, &format!("brief of {}", first.task), &prompts.brief)?;
    }
    Ok(())
}

fn say(out: &mut dyn Write, what: &str, text: &str) -> Result<(), Failure> {
    writeln!(out, "\n== {}", visible(what))?;
    for line in text.lines() {
        writeln!(out, "{}", visible(line))?;
    }
    Ok(())
}
