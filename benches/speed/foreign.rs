//! Opening and importing traces of other programs.
//!
//! Targets: an Inspect log of 1 GB opens by head and index in a second and in 100 MB, whether it has large samples or many; one
//! sample of it is read in the time of its own size. Importing is told in MB a second.

use casebook::archive::Secrets;
use casebook::archive::import::{ForeignFile, Strictness};
use casebook::archive::imported::{ImportPlan, import_run};
use casebook::snapshot::Store;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::time::Instant;
use zip::CompressionMethod;
use zip::write::SimpleFileOptions;

pub(crate) fn run() {
    let folder = tempfile::tempdir().unwrap();
    let large = folder.path().join("large.eval");
    // Tool results of letters that hardly pack: the file is as large as what is in it.
    generate(&large, 1400, 24, 42_000);
    opening("1,400 samples of 1 MB", &large);
    std::fs::remove_file(&large).unwrap();
    let many = folder.path().join("many.eval");
    generate(&many, 200_000, 2, 2_400);
    opening("200,000 samples", &many);
    std::fs::remove_file(&many).unwrap();
    let some = folder.path().join("some.eval");
    generate(&some, 100, 24, 42_000);
    importing(&some, &folder.path().join("run"));
}

/// A log of so many samples, each of so many steps with a result of so many bytes.
fn generate(path: &Path, samples: usize, steps: usize, bytes: usize) {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let letters: String =
        (0..1 << 22).map(|_| char::from(random.random_range(b'0'..=b'z'))).filter(|it| *it != '\\').collect();
    let mut zip = zip::ZipWriter::new(BufWriter::new(File::create(path).unwrap()));
    let options =
        SimpleFileOptions::default().compression_method(CompressionMethod::Zstd).compression_level(Some(1));
    for nth in 0..samples {
        zip.start_file(format!("samples/task-{nth}_epoch_1.json"), options).unwrap();
        let mut sample = format!("{{\"id\": \"task-{nth}\", \"epoch\": 1, \"input\": \"q\", \"events\": [");
        for step in 0..steps {
            let at = random.random_range(0..letters.len() - bytes);
            let result = &letters[at..at + bytes];
            let comma = if step == 0 { "" } else { ", " };
            let _ = write!(
                sample,
                "{comma}{{\"event\": \"model\", \"timestamp\": \"2026-11-30T02:52:35.580609+00:00\", \"model\": \"m\", \"output\": {{\"choices\": [{{\"message\": {{\"content\": \"step\", \"tool_calls\": [{{\"id\": \"c{step}\", \"function\": \"run_query\", \"arguments\": {{\"sql\": \"SELECT {step}\"}}}}]}}, \"stop_reason\": \"tool_calls\"}}]}}}}, {{\"event\": \"tool\", \"id\": \"c{step}\", \"function\": \"run_query\", \"arguments\": {{}}, \"result\": \"{result}\"}}"
            );
        }
        sample.push_str(
            "], \"output\": {\"completion\": \"done\"}, \"completed_at\": \"2026-11-30T02:52:36+00:00\"}",
        );
        zip.write_all(sample.as_bytes()).unwrap();
    }
    zip.start_file("header.json", options).unwrap();
    zip.write_all(br#"{"version": 2, "status": "success", "eval": {"task": "bench", "model": "m"}}"#)
        .unwrap();
    zip.finish().unwrap().flush().unwrap();
}

fn opening(what: &str, path: &Path) {
    let before = resident();
    let started = Instant::now();
    let file = ForeignFile::open(path, Strictness::Lenient).unwrap();
    let opened = started.elapsed();
    let memory = resident().saturating_sub(before) >> 20;
    let trials = file.log().trials.len();
    let started = Instant::now();
    let (trial, _) = file.trial(trials / 2).unwrap();
    let read = started.elapsed();
    println!(
        "opening {:.2} GB, {what}: {opened:.1?}, {memory} MB; a sample of {} events: {read:.1?}",
        gigabytes(path),
        trial.events.len()
    );
    let started = Instant::now();
    std::hint::black_box(file.sha256().unwrap());
    println!("its SHA-256: {:.1?}", started.elapsed());
}

fn importing(path: &Path, folder: &Path) {
    let store = Store::new(None);
    let files = [path.to_owned()];
    let plan = ImportPlan {
        files: &files,
        folder,
        name: "bench".to_owned(),
        pack: "imported".to_owned(),
        strictness: Strictness::Lenient,
        store: &store,
        secrets: Secrets::new((0..8).map(|n| format!("sk-bench-0123456789abcdef-{n}"))),
        now: "2026-12-01T00:00:00Z".to_owned(),
    };
    let started = Instant::now();
    let report = import_run(&plan, &|_| true).unwrap();
    let took = started.elapsed();
    let rate = gigabytes(path) * 1000.0 / took.as_secs_f64();
    println!("importing {} trials into an archive: {took:.1?}, {rate:.0} MB a second", report.trials);
}

#[allow(clippy::cast_precision_loss)] // about 1e9
fn gigabytes(path: &Path) -> f64 {
    std::fs::metadata(path).unwrap().len() as f64 / 1e9
}

fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0 kB");
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) << 10
}
