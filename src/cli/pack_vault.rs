//! `casebook pack check` and `casebook pack new`: what an evaluator does with a pack. A build without vaults has neither.

use super::choose_snapshot::store;
use super::failure::Failure;
use super::interrupt::Interrupt;
use super::pack::open;
use super::progress::ProgressLine;
use crate::pack::vault::truth_file;
use crate::pack::{Pack, PackFiles, write_skeleton};
use crate::scoring::{CheckReport, check_pack};
use crate::text::json;
use crate::text::visible::visible;
use serde_json::json;
use std::io::{self, Write};
use std::path::Path;

/// Writes the beginning of a pack.
pub(super) fn begin(folder: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    write_skeleton(folder).map_err(|error| {
        Failure::Input(format!("can't write the pack '{}': {error}; choose a new folder", folder.display()))
    })?;
    let shown = folder.to_string_lossy();
    let shown = visible(&shown);
    writeln!(
        out,
        "wrote a pack of one task to {shown}; casebook pack check {shown} --write-truth proves it"
    )?;
    Ok(())
}

/// Proves a pack, and keeps its truth if that is wanted.
pub(super) fn check(
    asked: &str,
    write_truth: bool,
    as_json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let pack = &open(asked)?;
    let interrupt = Interrupt::listen();
    let mut line = ProgressLine::new();
    let report = check_pack(pack, &store(), !write_truth, &mut |snapshot, task| {
        line.show(&format!("{snapshot}: {task}"));
        !interrupt.came()
    });
    drop(line);
    if interrupt.came() {
        return Err(Failure::Interrupted("the check was cancelled".to_owned()));
    }
    if write_truth && report.problems.is_empty() {
        store_truth(pack, &report)?;
    }
    if as_json {
        let snapshots: Vec<_> = report
            .snapshots
            .iter()
            .map(|it| {
                json!({"snapshot": it.manifest.name, "revision": it.manifest.revision, "tasks": it.truth.tasks.len(),
                    "truth": it.truth.digest, "slowest": it.slowest,
                    "ways": {"followed": it.ways.followed, "unfollowed": it.ways.unfollowed}})
            })
            .collect();
        let object = json!({"pack": pack.id, "version": pack.version, "right": report.problems.is_empty(),
            "keeps_truth": report.keeps_truth || write_truth, "problems": report.problems, "snapshots": snapshots});
        out.write_all(json::pretty(&object)?.as_bytes())?;
    } else {
        for problem in &report.problems {
            writeln!(out, "{}", visible(&problem.to_string()))?;
        }
        for it in &report.snapshots {
            let subjects: usize = it.truth.tasks.values().map(|truth| truth.subjects().len()).sum();
            let slowest = it
                .slowest
                .as_ref()
                .map_or_else(String::new, |(task, took)| format!(", slowest {task} {took} ms"));
            let ways = match (it.ways.followed, it.ways.unfollowed.len()) {
                (0, 0) => String::new(),
                (followed, 0) => format!(", {followed} other ways"),
                (followed, not) => format!(", {followed} other ways, {not} not followed"),
            };
            writeln!(
                out,
                "{} on {} ({}): {} reference{}, {subjects} subject{}{ways}{slowest}",
                visible(&pack.id),
                visible(&it.manifest.name),
                it.manifest.revision.short(),
                it.truth.tasks.len(),
                plural(it.truth.tasks.len()),
                plural(subjects)
            )?;
        }
        if !report.keeps_truth && !write_truth {
            writeln!(out, "{}: it keeps no answers yet; --write-truth keeps these", visible(&pack.id))?;
        }
        match report.problems.len() {
            0 => writeln!(out, "{}: right", visible(&pack.id))?,
            count => writeln!(out, "{}: {count} problem(s)", visible(&pack.id))?,
        }
    }
    if report.problems.is_empty() { Ok(()) } else { Err(Failure::Check) }
}

const fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Writes the truth beside the pack's other files.
fn store_truth(pack: &Pack, report: &CheckReport) -> Result<(), Failure> {
    let PackFiles::Folder(folder) = &pack.files else {
        return Err(Failure::Input(
            "the truth of a built-in pack is part of the program: give the pack's folder".to_owned(),
        ));
    };
    for it in &report.snapshots {
        let path = folder.join(truth_file(it.manifest.revision));
        let written =
            it.truth.to_file(pack, it.manifest.revision).and_then(|bytes| write_whole(&path, &bytes));
        written.map_err(|error| Failure::Input(format!("can't write '{}': {error}", path.display())))?;
    }
    Ok(())
}

/// Writes a file in one step: it is there whole, or as it was.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    // As readable as the pack's other files, not as private as a temporary one.
    let mut file = tempfile::Builder::new()
        .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))
        .tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
