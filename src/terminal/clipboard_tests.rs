//! Routes of copying, with environments that are made up and programs that are scripts.

use super::{ClipboardEnvironment, CopyRoute, MOST_BASE64, Program, copy, hand_over};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn environment(variables: &[(&str, &str)], programs: &[&str]) -> ClipboardEnvironment {
    let variable = |name: &str| {
        let found = variables.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned()).or_else(|| (name == "PATH").then(|| "/a:/b".to_owned()))
    };
    ClipboardEnvironment::from_variables(variable, |file: &Path| {
        programs.iter().any(|program| file == Path::new("/b").join(program))
    })
}

#[test]
fn the_program_fits_the_desktop() {
    let all = &["wl-copy", "xclip", "xsel"];
    for (variables, programs, wanted) in [
        (&[("WAYLAND_DISPLAY", "wayland-0"), ("DISPLAY", ":0")][..], &all[..], Some("wl-copy")),
        (&[("DISPLAY", ":0")], all, Some("xclip")),
        (&[("DISPLAY", ":0")], &["xsel"], Some("xsel")),
        (&[("DISPLAY", "")], all, None),
        (&[], all, None),
        (&[], &["pbcopy"], Some("pbcopy")),
        (&[], &["clip.exe"], Some("clip.exe")),
        (&[("DISPLAY", ":0")], &[], None),
    ] {
        let found = environment(variables, programs);
        assert_eq!(found.program.as_ref().map(|program| program.name), wanted, "{variables:?} {programs:?}");
        assert!(!found.is_remote);
        if let Some(program) = found.program {
            assert_eq!(program.path, Path::new("/b").join(program.name));
        }
    }
    assert!(environment(&[("SSH_TTY", "/dev/pts/1")], &[]).is_remote);
    assert!(environment(&[("SSH_CONNECTION", "1.2.3.4 5 6.7.8.9 22")], &[]).is_remote);
}

#[test]
fn the_terminal_is_asked_over_ssh_and_without_a_desktop() {
    let (failed, _) = crossbeam_channel::unbounded();
    let remote = environment(&[("SSH_TTY", "/dev/pts/1"), ("DISPLAY", ":10")], &["xclip"]);
    assert!(remote.program.is_some(), "it is there, and would reach the wrong machine");
    for environment in [remote, ClipboardEnvironment::default()] {
        let mut out = Vec::new();
        assert_eq!(copy("grüß\0\x1b", &environment, &mut out, &failed), CopyRoute::Terminal);
        assert_eq!(String::from_utf8(out).unwrap(), "\x1b]52;c;Z3LDvMOfABs=\x07");
    }
}

#[test]
fn what_a_terminal_would_cut_is_not_sent() {
    let (failed, _) = crossbeam_channel::unbounded();
    let environment = ClipboardEnvironment::default();
    let mut out = Vec::new();
    let longest = "x".repeat(MOST_BASE64 / 4 * 3);
    assert_eq!(copy(&longest, &environment, &mut out, &failed), CopyRoute::Terminal);
    assert_eq!(out.len(), MOST_BASE64 + "\x1b]52;c;\x07".len());
    out.clear();
    let route = copy(&(longest + "x"), &environment, &mut out, &failed);
    assert_eq!(route, CopyRoute::TooLong { base64: MOST_BASE64 + 4 });
    assert!(out.is_empty());
    assert!(route.to_string().contains("75 kB are more than the 74 kB"), "{route}");
    assert!(route.to_string().contains("export"), "{route}");
}

#[test]
fn a_terminal_that_takes_nothing_is_no_panic() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (failed, _) = crossbeam_channel::unbounded();
    let route = copy("x", &ClipboardEnvironment::default(), &mut Closed, &failed);
    assert_eq!(route, CopyRoute::Unwritable);
}

fn script(arguments: &'static [&'static str]) -> Program {
    Program { name: "a script", path: PathBuf::from("/bin/sh"), arguments, is_utf16: false }
}

/// A program that writes what it gets to a file. Arguments of programs are fixed, hence the leak.
fn to_file(command: &str, file: &Path) -> Program {
    let command: &'static str = Box::leak(format!("{command} > '{}'", file.display()).into_boxed_str());
    script(Box::leak(vec!["-c", command].into_boxed_slice()))
}

#[test]
fn a_program_gets_the_whole_text_and_the_interface_does_not_wait() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("copied");
    let program = to_file("sleep 0.3; cat", &file);
    let environment = ClipboardEnvironment { is_remote: false, program: Some(program) };
    let (failed, failures) = crossbeam_channel::unbounded();
    let text = "a long text ".repeat(100_000);
    let mut out = Vec::new();
    let start = Instant::now();
    let route = copy(&text, &environment, &mut out, &failed);
    assert!(start.elapsed() < Duration::from_millis(200), "{:?}", start.elapsed());
    assert_eq!((route, out.len()), (CopyRoute::Program("a script"), 0));
    assert_eq!(route.to_string(), "copied with a script");
    drop(failed);
    failures.recv().unwrap_err();
    assert_eq!(std::fs::read_to_string(file).unwrap(), text);
}

#[test]
fn a_program_that_fails_is_reported_with_its_text() {
    let environment =
        ClipboardEnvironment { is_remote: false, program: Some(script(&["-c", "cat > /dev/null; exit 3"])) };
    let (failed, failures) = crossbeam_channel::unbounded();
    copy("text", &environment, &mut Vec::new(), &failed);
    let failure = failures.recv_timeout(Duration::from_secs(20)).unwrap();
    assert_eq!((failure.name, failure.text.as_str()), ("a script", "text"));
    assert!(failure.reason.contains("exit status: 3"), "{}", failure.reason);
    let mut out = Vec::new();
    let route = copy(&failure.text, &environment.without_program(), &mut out, &failed);
    assert_eq!(route, CopyRoute::Terminal);

    let missing = Program { path: PathBuf::from("/nowhere/xclip"), ..script(&[]) };
    hand_over(&missing, "text", Duration::from_secs(5)).unwrap_err();
}

#[test]
fn a_program_that_hangs_is_ended() {
    let start = Instant::now();
    let text = "more than a pipe holds".repeat(100_000);
    let error = hand_over(&script(&["-c", "exec sleep 60"]), &text, Duration::from_millis(100)).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn windows_gets_utf_16() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("copied");
    let program = Program { is_utf16: true, ..to_file("cat", &path) };
    hand_over(&program, "é", Duration::from_secs(20)).unwrap();
    assert_eq!(std::fs::read(path).unwrap(), [0xff, 0xfe, 0xe9, 0]);
}
