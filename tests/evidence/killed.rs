//! A run that is killed at any moment leaves what can be read, and can be gone on with.

use casebook::archive::{Archive, FindingKind, Trace, verify};
use casebook::domain::trial::Ending;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const POINTS: u32 = 200;

/// The run that is killed: seven tasks, three times, a few at once.
fn begin(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_casebook"));
    command.args(["run", "--actor", "oracle", "--pack", "visibility", "--trials", "3", "--jobs", "2"]);
    command.args(["--task", "V-AWS-01,V-AWS-02,V-AWS-04,V-GWS-02,V-INV-01,V-INV-02,V-OKTA-01", "--out"]);
    command.arg(folder).env("CASEBOOK_DATA_DIR", folder.with_extension("data"));
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// How long a run takes here, and from when on there is anything to look at.
fn length() -> Duration {
    let folder = tempfile::tempdir().unwrap();
    let started = std::time::Instant::now();
    assert!(begin(&folder.path().join("run")).status().unwrap().success());
    started.elapsed()
}

#[test]
fn every_finished_line_is_readable_and_what_is_missing_is_said() {
    let whole = length();
    let (mut interrupted, mut cut_inside) = (0, 0);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2)
            .map(|half| {
                scope.spawn(move || {
                    let (mut interrupted, mut cut_inside) = (0, 0);
                    for point in (half..POINTS).step_by(2) {
                        // Spread over the whole run, in an order that has nothing to do with it.
                        let share = f64::from(point * 89 % POINTS) / f64::from(POINTS);
                        let (one, two) = killed_after(whole.mul_f64(share * 1.05), point % 10 == 0);
                        interrupted += one;
                        cut_inside += two;
                    }
                    (interrupted, cut_inside)
                })
            })
            .collect();
        for thread in threads {
            let (one, two) = thread.join().unwrap();
            interrupted += one;
            cut_inside += two;
        }
    });
    assert!(
        interrupted > 20 && cut_inside > 5,
        "{interrupted} runs were killed, {cut_inside} inside of a trial"
    );
}

/// Kills a run after so long and looks at it: whether it was killed, and whether inside of a trial.
fn killed_after(delay: Duration, and_resume: bool) -> (u32, u32) {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("run");
    let mut child = begin(&folder).spawn().unwrap();
    std::thread::sleep(delay);
    let _ = child.kill();
    child.wait().unwrap();
    if !folder.join("run.json").exists() {
        return (0, 0);
    }
    let report = verify(&folder, &|_| true).unwrap().unwrap();
    let archive = Archive::open(&folder).unwrap();
    for trial in &archive.trials {
        for segment in &trial.segments {
            let trace = Trace::open(&segment.path).unwrap();
            assert_eq!(trace.events().unwrap().len() as u64, trace.len());
        }
    }
    // Nothing was changed, and no event claims a result that is not there.
    for finding in &report.findings {
        assert_eq!(finding.kind, FindingKind::Incomplete, "{finding:?}");
    }
    if archive.run.end.is_some() {
        assert_eq!(report.findings, []);
        return (0, 0);
    }
    let open: u64 = report
        .findings
        .iter()
        .filter_map(|finding| finding.reason.split_once(" of 3 trials are still to be made"))
        .map(|(count, _)| count.parse::<u64>().unwrap())
        .sum();
    assert_eq!(open, archive.open_trials());
    let inside =
        archive.trials.iter().any(|trial| trial.segments.iter().any(|segment| segment.ended.is_none()));
    if and_resume {
        resume(&folder, &archive);
    }
    (1, u32::from(inside))
}

/// Goes on: what was finished stays, byte for byte; the rest is made.
fn resume(folder: &Path, before: &Archive) {
    let finished: Vec<_> = before
        .trials
        .iter()
        .filter(|trial| trial.ending() != Ending::Interrupted)
        .map(|trial| (trial.segments[0].path.clone(), std::fs::read(&trial.segments[0].path).unwrap()))
        .collect();
    let mut command = Command::new(env!("CARGO_BIN_EXE_casebook"));
    command.args(["run", "--resume"]).arg(folder).env("CASEBOOK_DATA_DIR", folder.with_extension("data"));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for (path, bytes) in finished {
        assert_eq!(std::fs::read(&path).unwrap(), bytes, "{}", path.display());
    }
    assert_eq!(verify(folder, &|_| true).unwrap().unwrap().findings, []);
    let after = Archive::open(folder).unwrap();
    let answered = after.trials.iter().filter(|trial| trial.ending() == Ending::Answered).count();
    assert_eq!((answered, after.open_trials()), (21, 0));
}
