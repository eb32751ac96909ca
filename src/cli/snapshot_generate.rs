//! `casebook snapshot generate`: invent an enterprise.

use super::failure::Failure;
use super::interrupt::Interrupt;
use super::progress::ProgressLine;
use crate::synth::{
    GenerateError, PEOPLE, Parameters, REFERENCE_DATE, REFERENCE_SEED, REFERENCE_SIZES, archetype_names,
    generate_package,
};
use crate::text::json;
use crate::text::visible::visible;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `casebook snapshot generate`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A reference size: small (75 HR records), medium (400) or large (2,000)
    #[arg(long, value_parser = REFERENCE_SIZES.map(|(name, _)| name), required_unless_present = "people")]
    size: Option<String>,
    /// HR records, 25 to 1,000,000, instead of a size
    #[arg(long, conflicts_with = "size", value_parser = clap::value_parser!(u64).range(*PEOPLE.start() as u64..=*PEOPLE.end() as u64))]
    people: Option<u64>,
    /// Seed of all chance: another seed, other people
    #[arg(long, default_value_t = REFERENCE_SEED)]
    seed: u64,
    /// "Today" of the data, YYYY-MM-DD
    #[arg(long, value_name = "DATE", default_value_t = REFERENCE_DATE)]
    release_date: jiff::civil::Date,
    /// Kind of organisation
    #[arg(long, default_value = "software", value_parser = clap::builder::PossibleValuesParser::new(archetype_names()))]
    archetype: String,
    /// Short name of the snapshot [default: the size, or the kind and the number of people]
    #[arg(long)]
    name: Option<String>,
    /// Folder of the package; it must not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// For evaluators: also write who each person is in every system, and what was planted
    #[arg(long, value_name = "FILE.jsonl")]
    person_map: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Generates the package.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let of_size =
        |size: &str| REFERENCE_SIZES.iter().find(|(name, _)| *name == size).map(|(_, people)| *people);
    let people = match arguments.people {
        Some(people) => usize::try_from(people).unwrap_or(usize::MAX),
        None => arguments.size.as_deref().and_then(of_size).unwrap_or_default(),
    };
    let parameters = Parameters::new(people, arguments.seed, arguments.release_date, &arguments.archetype)
        .map_err(|error| Failure::input(&error))?;
    let name = arguments
        .name
        .clone()
        .or_else(|| arguments.size.clone())
        .unwrap_or_else(|| format!("{}-{people}", arguments.archetype));
    crate::snapshot::check_name(&name).map_err(Failure::Input)?;
    let interrupt = Interrupt::listen();
    let mut line = ProgressLine::new();
    let generated = generate_package(
        &parameters,
        &name,
        &arguments.out,
        arguments.person_map.as_deref(),
        &mut |step, done| {
            match step {
                "compressing" => line.show(&format!("compressing, {} MiB", done >> 20)),
                "people" => line.show("people"),
                _ => line.show(&format!("{step}, {done} rows")),
            }
            !interrupt.came()
        },
    );
    drop(line);
    let manifest = generated.map_err(|error| match error {
        GenerateError::Cancelled => Failure::Interrupted(error.to_string()),
        other => Failure::input(&other),
    })?;
    let rows: u64 = manifest.tables.iter().map(|table| table.rows).sum();
    if arguments.json {
        let object = json!({"name": manifest.name, "organisation": manifest.organisation, "revision": manifest.revision,
            "tables": manifest.tables.len(), "rows": rows, "bytes": manifest.sqlite.bytes, "path": arguments.out});
        out.write_all(json::pretty(&object)?.as_bytes())?;
        return Ok(());
    }
    writeln!(
        out,
        "generated: {} ({}), revision {}, tables: {}, rows: {rows}\nin {}; casebook snapshot import takes it into the store",
        manifest.name,
        visible(&manifest.organisation),
        manifest.revision.short(),
        manifest.tables.len(),
        visible(&arguments.out.to_string_lossy()),
    )?;
    Ok(())
}
