//! Files that mean harm, or are broken: each is refused or read in part, with what and where; none takes the memory.

use crate::support::{fixture, of_bytes};
use casebook::archive::import::{ForeignFile, Strictness};
use std::io::{Cursor, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

fn refused(bytes: &[u8]) -> String {
    match of_bytes(bytes, Strictness::Lenient) {
        Err(error) => error.to_string(),
        Ok(file) => {
            let read = (0..file.log().trials.len()).find_map(|nth| file.trial(nth).err());
            read.expect("nothing was refused").to_string()
        }
    }
}

/// A zip of members, with this method.
fn zip_of(members: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, bytes) in members {
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

const HEADER: &[u8] = br#"{"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}}"#;
const SAMPLE: &[u8] = br#"{"id": "a", "epoch": 1, "messages": [{"role": "user", "content": "q"}], "output": {"completion": "x"}}"#;

/// Changes every place where a number stands in the directory and the local header of a member.
fn patched(mut bytes: Vec<u8>, from: u32, to: u32) -> Vec<u8> {
    let (from, to) = (from.to_le_bytes(), to.to_le_bytes());
    let at: Vec<usize> =
        bytes.windows(4).enumerate().filter(|(_, it)| *it == from).map(|(at, _)| at).collect();
    assert!(!at.is_empty());
    for at in at {
        bytes[at..at + 4].copy_from_slice(&to);
    }
    bytes
}

#[test]
fn what_is_no_trace_is_told_apart() {
    for (bytes, told) in [
        (&b""[..], "it is empty"),
        (b"   \n\n", "the document ends here"),
        (b"hello", "a value was to come"),
        (b"SQLite format 3\0...", "casebook snapshot import"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"\x28\xb5\x2f\xfd", "zstd"),
        (b"{\"a\": 1, \"b\": 2}", "it is JSON with a, b"),
        (b"[]", "without any of the names"),
        (b"7", "without any of the names"),
        (b"{\"messages\": [\"\xff\xfe\"]}", "not UTF-8"),
        (b"PK\x03\x04 and nothing else", "has no directory at its end"),
        (b"{\"schema_version\": \"ATIF-v1.7\", \"steps\": [", "line 1, column 43"),
    ] {
        let error = refused(bytes);
        assert!(error.contains(told), "{told}: {error}");
    }
    let other = zip_of(&[("notes.txt", b"x")], CompressionMethod::Deflated);
    assert!(refused(&other).contains("neither header.json nor samples"));
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path().to_owned(), folder.path().join("nothing"), Path::new("/dev/zero").to_owned()] {
        let error = ForeignFile::open(&path, Strictness::Lenient).unwrap_err().to_string();
        assert!(error.contains("can't read"), "{error}");
    }
}

#[test]
fn nesting_is_bounded_wherever_it_stands() {
    let deep = "[".repeat(100_000);
    let closed = deep.clone() + &"]".repeat(100_000);
    for text in [
        format!("{{\"messages\": {deep}"),
        format!("{{\"messages\": [{{\"role\": \"user\", \"content\": {closed}}}]}}"),
        format!("{{\"resourceSpans\": {closed}}}"),
        format!("{{\"schema_version\": \"ATIF-v1.7\", \"steps\": {closed}}}"),
        format!("{{\"version\": 2, \"eval\": {closed}, \"samples\": []}}"),
        format!("{{\"trajectory\": {closed}}}"),
        closed.clone(),
        "{\"a\":".repeat(100_000),
    ] {
        let error = refused(text.as_bytes());
        assert!(
            error.contains("nested deeper than 200") || error.contains("without any of the names"),
            "{error}"
        );
    }
    // In a text that holds JSON it is no JSON, and kept as it is.
    let arguments = serde_json::to_string(&closed).unwrap();
    let text = format!(
        "{{\"messages\": [{{\"role\": \"assistant\", \"content\": null, \"tool_calls\": [{{\"id\": \"c\", \"function\": {{\"name\": \"f\", \"arguments\": {arguments}}}}}]}}]}}"
    );
    let (trial, _) = of_bytes(text.as_bytes(), Strictness::Lenient).unwrap().trial(0).unwrap();
    assert_eq!(trial.tool_calls().next().unwrap().raw_arguments.as_deref(), Some(closed.as_str()));
}

#[test]
fn numbers_beyond_all_bounds_are_read_and_told() {
    let digits = "9".repeat(400);
    let text = format!(
        "{{\"messages\": [{{\"role\": \"assistant\", \"content\": \"a\", \"usage\": {{\"prompt_tokens\": {digits}, \"completion_tokens\": 1e999}}, \"timestamp\": 1e308}}], \"metadata\": {{\"epoch\": -1e400}}}}"
    );
    let (trial, loss) = of_bytes(text.as_bytes(), Strictness::Lenient).unwrap().trial(0).unwrap();
    crate::support::is_sound(&trial);
    assert_eq!((trial.usage().input, trial.facts.epoch), (None, None));
    assert!(loss.deviations.iter().any(|it| it.what.contains("beyond a float")), "{loss:?}");
}

#[test]
fn zips_that_lie_or_lead_elsewhere_are_refused() {
    let good = |members: &[(&str, &[u8])]| zip_of(members, CompressionMethod::Deflated);
    assert_eq!(
        of_bytes(&good(&[("header.json", HEADER), ("samples/a_epoch_1.json", SAMPLE)]), Strictness::Strict)
            .unwrap()
            .log()
            .trials
            .len(),
        1
    );
    for name in
        ["samples/../../etc/cron.d/x.json", "/samples/a.json", "samples\\..\\a.json", "../samples/a.json"]
    {
        let error = refused(&good(&[("header.json", HEADER), (name, SAMPLE)]));
        assert!(error.contains("leads out of the archive"), "{name}: {error}");
    }
    // A member that unpacks to more than it says, and to less.
    let zip = good(&[("header.json", HEADER), ("samples/a_epoch_1.json", SAMPLE)]);
    let length = u32::try_from(SAMPLE.len()).unwrap();
    for lie in [length - 1, length + 1, 10] {
        let error = refused(&patched(zip.clone(), length, lie));
        assert!(error.contains("samples/a_epoch_1.json") && error.contains("the directory says"), "{error}");
    }
    // One that says it is enormous, and one that is.
    assert!(refused(&patched(zip.clone(), length, 0xf000_0000)).contains("more than an import takes"));
    let zeros = vec![b' '; 64 << 20];
    for method in [CompressionMethod::Deflated, CompressionMethod::Zstd] {
        let bomb = zip_of(&[("header.json", HEADER), ("samples/a_epoch_1.json", &zeros)], method);
        let error = refused(&bomb);
        let told = ["zip bomb", "the document ends here"];
        assert!(told.iter().any(|told| error.contains(told)), "{error}");
    }
    let error = refused(&zip_of(
        &[("header.json", HEADER), ("samples/a_epoch_1.json", &zeros)],
        CompressionMethod::Zstd,
    ));
    assert!(error.contains("zip bomb"), "{error}");
    // Changed bytes in a member.
    let at = zip.windows(SAMPLE.len().min(8)).position(|it| it == b"PK\x01\x02".repeat(2)).unwrap_or(60);
    let mut changed =
        zip_of(&[("header.json", HEADER), ("samples/a_epoch_1.json", SAMPLE)], CompressionMethod::Stored);
    let place = changed.windows(9).position(|it| it == b"\"content\"").unwrap();
    changed[place + 1] = b'C';
    assert!(refused(&changed).contains("checksum"), "{at}");
}

#[test]
fn a_member_that_comes_twice_is_told() {
    let other: &[u8] = br#"{"id": "b", "epoch": 1, "messages": []}"#;
    // The writer of zips takes no name twice: another of the same length is changed into it.
    let zip = zip_of(
        &[("header.json", HEADER), ("samples/a_epoch_1.json", SAMPLE), ("samples/b_epoch_1.json", other)],
        CompressionMethod::Stored,
    );
    let (from, to) = (b"samples/b_epoch_1.json", b"samples/a_epoch_1.json");
    let mut bytes = zip;
    while let Some(at) = bytes.windows(from.len()).position(|it| it == from) {
        bytes[at..at + to.len()].copy_from_slice(to);
    }
    let file = of_bytes(&bytes, Strictness::Lenient).unwrap();
    assert_eq!(file.log().trials.len(), 1);
    assert!(file.loss().deviations[0].what.contains("twice"), "{:?}", file.loss());
    assert_eq!(file.trial(0).unwrap().0.facts.task_id.as_deref(), Some("b"));
    assert!(of_bytes(&bytes, Strictness::Strict).unwrap_err().to_string().contains("twice"));
}

#[test]
fn references_that_expand_without_end_are_bounded() {
    // One long text, referred to again and again.
    let long = "x".repeat(1 << 20);
    let message = r#"{"role": "user", "content": "attachment://aa"}"#;
    let messages = vec![message; 400].join(",");
    let messages: String = (0..400)
        .map(|nth| message.replacen('{', &format!("{{\"id\": \"m{nth}\", "), 1) + ",")
        .collect::<String>()
        + &messages;
    let sample =
        format!(r#"{{"id": "a", "epoch": 1, "messages": [{messages}], "attachments": {{"aa": "{long}"}}}}"#);
    let zip = zip_of(
        &[("header.json", HEADER), ("samples/a_epoch_1.json", sample.as_bytes())],
        CompressionMethod::Deflated,
    );
    assert!(refused(&zip).contains("one trial is more than an import takes"));
    // Spans whose parents are each other, ranges that repeat all messages in every event.
    let events: Vec<String> = (0..2000)
        .map(|nth| format!(r#"{{"event": "model", "span_id": "s1", "input_refs": [{}], "output": {{"choices": []}}, "uuid": "{nth}"}}"#, vec!["[0, 2000]"; 50].join(",")))
        .collect();
    let pool: Vec<String> =
        (0..2000).map(|nth| format!(r#"{{"id": "p{nth}", "role": "user", "content": "x"}}"#)).collect();
    let sample = format!(
        r#"{{"id": "a", "epoch": 1, "events": [{{"event": "span_begin", "id": "s1", "parent_id": "s2"}}, {{"event": "span_begin", "id": "s2", "parent_id": "s1"}}, {}], "events_data": {{"messages": [{}]}}}}"#,
        events.join(","),
        pool.join(",")
    );
    let zip = zip_of(
        &[("header.json", HEADER), ("samples/a_epoch_1.json", sample.as_bytes())],
        CompressionMethod::Deflated,
    );
    let (trial, _) = of_bytes(&zip, Strictness::Lenient).unwrap().trial(0).unwrap();
    assert_eq!(trial.model_steps().count(), 2000);
}

#[test]
fn a_hundred_thousand_calls_of_one_id_take_no_time() {
    let call = r#"{"id": "c", "function": {"name": "f", "arguments": "{}"}}"#;
    let result = r#"{"role": "tool", "tool_call_id": "c", "content": ""}"#;
    let text = format!(
        "{{\"messages\": [{{\"role\": \"assistant\", \"content\": \"\", \"tool_calls\": [{}]}}, {}]}}",
        vec![call; 100_000].join(","),
        vec![result; 100_001].join(",")
    );
    let started = std::time::Instant::now();
    let (trial, loss) = of_bytes(text.as_bytes(), Strictness::Lenient).unwrap().trial(0).unwrap();
    // Comparing each with each would take minutes.
    assert!(started.elapsed().as_secs() < 60);
    assert_eq!(
        trial.events.iter().filter(|it| it.body.kind() == "tool_result" && it.parent.is_some()).count(),
        100_001
    );
    assert_eq!(loss.deviation_count(), 99_999 + 1);
}

#[test]
fn files_that_are_cut_anywhere_never_panic_and_say_so() {
    for path in [
        "inspect/osb-mini_one-sample.eval",
        "inspect/osb-mini_one-sample_deflate.eval",
        "inspect/osb-mini_one-sample.json",
        "atif/vis-002-e1.trajectory.json",
        "otel/traces.otlp.jsonl",
        "openai/chat.jsonl",
        "openai/responses.jsonl",
        "sweagent/swe-agent_test-repo.traj",
        "sweagent/mini-swe-agent_submitted.traj.json",
    ] {
        let bytes = std::fs::read(fixture(path)).unwrap();
        let whole = ForeignFile::open(&fixture(path), Strictness::Lenient).unwrap().log().trials.len();
        for cut in (0..40).map(|nth| bytes.len() * nth / 40).chain([bytes.len() - 2]) {
            match of_bytes(&bytes[..cut], Strictness::Lenient) {
                Err(error) => assert!(error.to_string().len() > 20, "{path} at {cut}"),
                Ok(file) => {
                    let trials = file.log().trials.len();
                    let broken = (0..trials).filter(|nth| file.trial(*nth).is_err()).count();
                    let told = file.loss().deviation_count() > 0 || broken > 0;
                    assert!(
                        trials <= whole && (told || trials < whole || bytes[cut] == b'\n'),
                        "{path} at {cut}"
                    );
                }
            }
        }
    }
}

/// Runs the binary, and gives its exit code, what it said, and the most memory that it held, in MiB.
#[cfg(target_os = "linux")]
fn watched(path: &Path) -> (Option<i32>, String, u64) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_casebook"))
        .args(["import", "--check"])
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    // The kernel keeps the peak itself; it can be read for as long as the process runs.
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
        most = most.max(line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) >> 10);
        std::thread::yield_now();
    }
    let output = child.wait_with_output().unwrap();
    let said =
        String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    (output.status.code(), said, most)
}

#[cfg(target_os = "linux")]
#[test]
fn the_worst_files_stay_under_512_mib() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let maps = format!("{{\"messages\": [{}1]}}", "{\"a\":{}},".repeat(4_000_000));
    let empties = format!("{{\"messages\": [{}1]}}", "[],".repeat(12_000_000));
    let text =
        format!("{{\"messages\": [{{\"role\": \"user\", \"content\": \"{}\"}}]}}", "x".repeat(150 << 20));
    let roles = format!(
        "{{\"messages\": [{}{{\"role\": \"user\", \"content\": \"\"}}]}}",
        "{\"role\":\"user\"},".repeat(300_000)
    );
    let attributes =
        "{\"key\":\"gen_ai.input.messages\",\"value\":{\"arrayValue\":{\"values\":[{}]}}},".repeat(60_000);
    let spans = format!(
        "{{\"resourceSpans\":[{{\"scopeSpans\":[{{\"spans\":[{{\"traceId\":\"t\",\"spanId\":\"s\",\"attributes\":[{attributes}{{}}]}}]}}]}}]}}"
    );
    let inner = serde_json::to_string(&"[{}],".repeat(25_000_000)).unwrap();
    let arguments = format!(
        "{{\"messages\":[{{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[{{\"function\":{{\"name\":\"f\",\"arguments\":{inner}}}}}]}}]}}"
    );
    let spaces = zip_of(&[("header.json", &vec![b' '; 150 << 20])], CompressionMethod::Deflated);
    for (path, code) in [
        (file("maps", maps.as_bytes()), 1),
        (file("empties", empties.as_bytes()), 1),
        (file("text", text.as_bytes()), 0),
        (file("roles", roles.as_bytes()), 0),
        (file("spaces", &spaces), 3),
        (file("spans", spans.as_bytes()), 0),
        (file("arguments", arguments.as_bytes()), 0),
    ] {
        let (found, said, most) = watched(&path);
        let said: String = said.chars().take(300).collect();
        assert_eq!(found, Some(code), "{}: {said}", path.display());
        assert!((1..512).contains(&most), "{}: {most} MiB", path.display());
    }
}
