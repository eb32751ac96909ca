//! A key goes to the provider and nowhere else.

use crate::server::{Reply, Server};
use crate::support::{Desk, contents, refusal};
use crate::words::{Said, WIRES, Wire};
use serde_json::json;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// With characters that JSON spells in its own way.
const CANARY: &str = "sk-canary/0123\"45\\6789";

fn key_file(desk: &Desk, mode: u32) -> String {
    let path = desk.path().join("the.key");
    fs::write(&path, format!("{CANARY}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    path.display().to_string()
}

/// Says the key back in every place that there is, then answers.
fn echo(wire: Wire) -> impl Fn(usize, &crate::server::Request) -> Reply + Send + Sync {
    move |nth, request| {
        let header = if wire == Wire::OpenAi { "authorization" } else { "x-api-key" };
        let given = request.header(header).unwrap().trim_start_matches("Bearer ").to_owned();
        assert_eq!(given, CANARY);
        match nth {
            0 => refusal(429, "rate_limit_error", &format!("{given} is too fast"))
                .with("retry-after", "0")
                .with("x-echo", &given),
            1 => Reply::new(503, "text/plain", format!("no {given}")).with("set-cookie", "session=abcdefgh"),
            2 => Said::query(&format!("SELECT '{given}' AS k"))
                .and("note", &json!({"k": given}))
                .thinking(&given)
                .reply(wire, true),
            3 => {
                Said::call("submit_answer", &json!({"answer": given, "subjects": [given]})).reply(wire, true)
            }
            _ => refusal(401, "authentication_error", &format!("Incorrect API key provided: {given}")),
        }
    }
}

fn assert_nowhere(folder: &Path, but: &Path) {
    let json = serde_json::Value::from(CANARY).to_string();
    let inner = json[1..json.len() - 1].to_owned();
    let twice = serde_json::Value::from(inner.as_str()).to_string();
    let mut seen = 0;
    for (path, bytes) in contents(folder) {
        if path == but {
            continue;
        }
        let text = String::from_utf8_lossy(&bytes);
        for spelling in [CANARY, &inner, &twice[1..twice.len() - 1], "session=abcdefgh"] {
            assert!(!text.contains(spelling), "{} holds the key: {text}", path.display());
        }
        seen += 1;
    }
    assert!(seen > 8, "{seen} files");
}

#[test]
fn a_key_that_the_provider_says_back_is_written_nowhere() {
    for wire in WIRES {
        for from_file in [false, true] {
            let server = Server::playing(echo(wire));
            // A name that does not give itself away.
            let desk = Desk::new(wire, &server.url, "stream = true\nkey = KEYSOURCE", "")
                .variable("MY_MODEL", CANARY);
            let file = key_file(&desk, 0o600);
            let source = if from_file {
                format!("{{ file = \"{file}\" }}")
            } else {
                "{ env = \"MY_MODEL\" }".to_owned()
            };
            let agent = desk.path().join("agent.toml");
            let text = fs::read_to_string(&agent).unwrap().replace("KEYSOURCE", &source);
            fs::write(&agent, text).unwrap();
            let printed = desk.run(&["--record", "kept", "--trials", "2"]);
            // The second trial is refused for its key, which would fail all others too.
            assert!(printed.code == 4 && printed.err.contains("status 401"), "{printed:?}");
            assert!(!printed.err.contains("canary") && !printed.out.contains("canary"), "{printed:?}");
            assert_nowhere(desk.path(), Path::new(&file));
            let trace =
                contents(&desk.run_folder()).into_iter().find(|(path, _)| path.ends_with("1/trace.1.jsonl"));
            let trace = String::from_utf8(trace.unwrap().1).unwrap();
            assert!(
                trace.contains("[secret removed]") && trace.contains("\"secret_removed\":true"),
                "{trace}"
            );
        }
    }
}

#[test]
fn a_key_file_that_others_can_read_is_refused() {
    let server = Server::of(Vec::new());
    let desk = Desk::new(Wire::OpenAi, &server.url, "key = KEYSOURCE", "");
    let file = key_file(&desk, 0o644);
    let agent = desk.path().join("agent.toml");
    let text = fs::read_to_string(&agent).unwrap().replace("KEYSOURCE", &format!("{{ file = \"{file}\" }}"));
    fs::write(&agent, text).unwrap();
    let printed = desk.run(&[]);
    assert!(printed.code == 3 && printed.err.contains("chmod 600"), "{printed:?}");
    assert!(server.requests().is_empty() && !desk.run_folder().exists());
}

#[test]
fn a_key_in_the_agent_file_is_refused() {
    let server = Server::of(Vec::new());
    for (variable, more) in [("SOME_API_KEY", ""), ("MY_MODEL", "key = { env = \"MY_MODEL\" }")] {
        let more = format!("{more}\nextra = {{ note = \"sk-canary-0123456789\" }}");
        let desk = Desk::new(Wire::OpenAi, &server.url, &more, "").variable(variable, "sk-canary-0123456789");
        let printed = desk.run(&[]);
        assert!(printed.code == 3 && printed.err.contains("agent.toml holds the"), "{printed:?}");
        assert!(!printed.err.contains("canary"), "{printed:?}");
    }
    let desk = Desk::new(Wire::OpenAi, &server.url, "key = { env = \"MY_MODEL\" }", "");
    let printed = desk.run(&[]);
    assert!(printed.code == 3 && printed.err.contains("MY_MODEL holds no key"), "{printed:?}");
}
