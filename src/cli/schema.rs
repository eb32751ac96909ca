//! `casebook schema`: the document that `get_schema` gives an actor.

use super::choose_snapshot::SnapshotChoice;
use super::failure::Failure;
use crate::text::json;
use crate::text::visible::visible;
use std::io::Write;

/// Arguments of `casebook schema`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  casebook schema --json | jq -r '.tables[].name'")]
pub(super) struct Arguments {
    #[command(flatten)]
    snapshot: SnapshotChoice,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Prints the document. Only the manifest is read: no database is opened.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Failure> {
    let document = arguments.snapshot.open()?.manifest.schema_document();
    if arguments.json {
        out.write_all(json::pretty(&document)?.as_bytes())?;
    } else {
        for line in document.to_string().lines() {
            writeln!(out, "{}", visible(line))?;
        }
    }
    Ok(())
}
