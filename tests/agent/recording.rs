//! Exchanges that were recorded come again without a network, failures included.

use crate::server::{Reply, Server};
use crate::support::{Desk, ask, client_with, contents, error, refusal, saying};
use crate::words::{Said, WIRES, Wire};
use casebook::provider::{Exchanges, ProviderError};
use serde_json::json;
use std::fs;

const KEY: &str = "sk-canary-recording-1";

#[test]
fn what_was_recorded_comes_again_and_nothing_is_sent() {
    for wire in WIRES {
        let folder = tempfile::tempdir().unwrap();
        let record = || Some(Exchanges::Record(folder.path().to_owned()));
        let replay = || Some(Exchanges::Replay(folder.path().to_owned()));
        let server = Server::of(vec![
            refusal(429, "rate_limit_error", &format!("key {KEY} is too fast")).with("retry-after", "0"),
            Said::query("SELECT 1").thinking("Hm.").reply(wire, true),
        ]);
        let first = ask(&client_with(wire, &server.url, "stream = true", Some(KEY), record()));
        let url = server.url.clone();
        drop(server);
        let again = ask(&client_with(wire, &url, "stream = true", Some(KEY), replay()));
        assert_eq!(again, first);
        // A replay needs no key.
        assert_eq!(ask(&client_with(wire, &url, "stream = true", None, replay())).outcome, first.outcome);
        let other = ask(&client_with(wire, &url, "stream = true\nextra = { top_p = 0.1 }", None, replay()));
        assert!(matches!(other.outcome, Err(ProviderError::NotRecorded { .. })), "{other:?}");
        assert!(error(&other).contains("differs from what was recorded"));
        let files = contents(folder.path());
        assert_eq!(files.len(), 2);
        for (path, bytes) in files {
            let text = String::from_utf8_lossy(&bytes);
            assert!(!text.contains(KEY), "{} holds the key: {text}", path.display());
        }
    }
}

#[test]
fn a_whole_run_is_repeated_offline() {
    for wire in WIRES {
        let said = vec![
            Said::query("SELECT count(*) FROM okta_user").thinking("First."),
            Said::call("submit_answer", &json!({"answer": "Some.", "verdict": "yes"})),
        ];
        let server = saying(wire, false, &said);
        let desk = Desk::new(wire, &server.url, "", "");
        let printed = desk.run(&["--record", "kept"]);
        assert_eq!(printed.code, 0, "{printed:?}");
        let bodies = |desk: &Desk| -> Vec<serde_json::Value> {
            let bodies = desk.events().into_iter().map(|event| serde_json::to_value(event.body).unwrap());
            bodies
                .map(|mut body| {
                    // What the clock says is another matter.
                    for member in ["started", "elapsed_us"] {
                        body["body"].as_object_mut().unwrap().remove(member);
                    }
                    body
                })
                .collect()
        };
        let first = bodies(&desk);
        fs::rename(desk.run_folder(), desk.path().join("first")).unwrap();
        drop(server);
        let printed = desk.run(&["--replay-exchanges", "kept"]);
        assert_eq!(printed.code, 0, "{printed:?}");
        assert_eq!(bodies(&desk), first);
        desk.assert_sound();
        assert_eq!(desk.archive().run.actor.settings["replayed"], true);
        // Another task was never asked.
        fs::rename(desk.run_folder(), desk.path().join("second")).unwrap();
        let printed = desk.run(&["--replay-exchanges", "kept", "--pack", "visibility", "--task", "V-AWS-02"]);
        assert!(printed.out.contains("kept has no exchange"), "{printed:?}");
    }
}

#[test]
fn a_folder_that_can_t_be_written_stops_the_run() {
    let server = Server::playing(|_, _| Reply::json(200, &json!({})));
    let desk = Desk::new(Wire::OpenAi, &server.url, "", "");
    fs::write(desk.path().join("kept"), "a file").unwrap();
    let printed = desk.run(&["--record", "kept"]);
    assert!(printed.code == 4 && printed.err.contains("it can't be written"), "{printed:?}");
}
