//! What is said of a run: a line while it goes, and its endings.

use super::super::choose_run::failure;
use super::super::failure::Failure;
use super::super::runs;
use crate::archive::{Archive, RunFile};
use crate::domain::trace::{Counts, Usage};
use crate::domain::trial::ActorKind;
use crate::harness::RunProgress;
use crate::text::visible::visible;
use std::io::Write;
use std::path::Path;

/// How far the run is, in a line.
pub(super) fn progress_text(progress: &RunProgress) -> String {
    use std::fmt::Write as _;
    // Writing to a String can't fail.
    let RunProgress { total, done, running, failed, cost, left, .. } = progress;
    let mut text = format!("{done} of {total} trials, {running} running");
    if *failed > 0 {
        let _ = write!(text, ", {failed} failed");
    }
    if let Some(cost) = cost {
        let _ = write!(text, ", ${cost:.2}");
    }
    if let Some(left) = left {
        let _ = write!(text, ", {} s left", left.as_secs());
    }
    text
}

/// The end of a run.
pub(super) fn finished(run: &RunFile, folder: &Path, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    if json {
        out.write_all(crate::text::json::pretty(run)?.as_bytes())?;
        return Ok(());
    }
    let end = run.end.iter().flat_map(|end| &end.endings);
    let endings: Vec<String> = end.map(|(word, count)| format!("{count} {word}")).collect();
    let place = folder.display().to_string();
    writeln!(out, "{}", visible(&format!("{}: {}", run.run, endings.join(", "))))?;
    say_errors(folder, out)?;
    if run.actor.kind == ActorKind::Model {
        writeln!(out, "{}", visible(&usage(run)))?;
    }
    writeln!(
        out,
        "{}",
        visible(&format!(
            "in {place}; casebook verify {place} checks it, casebook replay {place} --check repeats it"
        ))
    )?;
    Ok(())
}

/// What the model took in all, where its provider said.
fn usage(run: &RunFile) -> String {
    let mut all = Counts::default();
    let segments = run.end.iter().flat_map(|end| &end.segments);
    for segment in segments {
        let Counts { input_tokens: input, output_tokens: output, cost, .. } = segment.counts;
        all.add_usage(&Usage { input, output, cost, ..Usage::default() });
    }
    let count = |tokens: Option<u64>| tokens.map_or_else(|| "unknown".to_owned(), |count| count.to_string());
    let cost = all.cost.map_or_else(
        || "cost unknown: no price for the model (docs/agents.md, Prices)".to_owned(),
        |cost| format!("${cost:.4}"),
    );
    format!("tokens: {} in, {} out; {cost}", count(all.input_tokens), count(all.output_tokens))
}

/// Failed trials that are named at the end of a run; `casebook runs show` names them all.
const NAMED: usize = 5;

/// Why trials failed.
fn say_errors(folder: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let archive = Archive::open(folder).map_err(|error| failure(&error))?;
    let errors =
        archive.trials.iter().filter_map(|trial| Some((&trial.name, runs::failure(&archive, trial)?)));
    let errors: Vec<String> = errors
        .map(|(name, error)| format!("{name} failed: {}", error.lines().collect::<Vec<_>>().join(" ")))
        .collect();
    for text in errors.iter().take(NAMED) {
        writeln!(out, "{}", visible(text))?;
    }
    if errors.len() > NAMED {
        writeln!(out, "and {} more; casebook runs show names them", errors.len() - NAMED)?;
    }
    Ok(())
}
