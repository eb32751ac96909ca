//! `casebook snapshot rates`: the mess of a generated enterprise, counted.

use super::choose_snapshot::store;
use super::failure::Failure;
use crate::snapshot::Snapshot;
use crate::synth::{REFERENCE_SIZES, Rate, Wanted, rates};
use std::io::Write;

/// Arguments of `casebook snapshot rates`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Generated snapshots, by name or revision
    #[arg(required = true)]
    names: Vec<String>,
}

/// Prints a Markdown table with a column for each snapshot.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let mut counted: Vec<(Snapshot, Vec<Rate>)> = Vec::new();
    for name in &arguments.names {
        let snapshot = store().find(name).map_err(|error| Failure::input(&error))?;
        let rates = count(&snapshot)?;
        counted.push((snapshot, rates));
    }
    let Some((_, first)) = counted.first() else { return Ok(()) };
    let names: Vec<&str> = counted.iter().map(|(snapshot, _)| snapshot.manifest.name.as_str()).collect();
    writeln!(out, "| what | wanted | {} |", names.join(" | "))?;
    writeln!(out, "|---|--:|{}", "--:|".repeat(counted.len()))?;
    for (at, rate) in first.iter().enumerate() {
        let wanted = match rate.wanted {
            Wanted::Percent(percent) => format!("{percent} %"),
            Wanted::Counts(counts) => counts.map(|count| count.to_string()).join(" / "),
        };
        let got: Vec<String> = counted.iter().map(|(snapshot, rates)| cell(snapshot, &rates[at])).collect();
        writeln!(out, "| {} | {wanted} | {} |", rate.name, got.join(" | "))?;
    }
    Ok(())
}

/// Count and share, with a mark where the figure is off at a size that has a wanted one.
#[allow(clippy::cast_precision_loss)] // populations are far below 2^52
fn cell(snapshot: &Snapshot, rate: &Rate) -> String {
    let size = REFERENCE_SIZES.iter().position(|(name, _)| Some(*name) == snapshot.manifest.size.as_deref());
    let mark = if size.is_some_and(|size| !rate.holds(size)) { " !" } else { "" };
    if rate.of == 0 {
        return format!("{}{mark}", rate.got);
    }
    format!("{} ({:.1} %){mark}", rate.got, 100.0 * rate.got as f64 / rate.of as f64)
}

/// Counts over a copy of the data in memory.
fn count(snapshot: &Snapshot) -> Result<Vec<Rate>, Failure> {
    let data = snapshot.data().map_err(|error| Failure::input(&error))?;
    rates(&data, snapshot.manifest.release_date).map_err(|error| {
        Failure::Input(format!(
            "the rates of '{}' can't be counted: {error}; rates are of generated snapshots only",
            snapshot.manifest.name
        ))
    })
}
