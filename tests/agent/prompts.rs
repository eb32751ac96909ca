//! What a model is told: the pack's prompts, and what its agent file adds.

use crate::server::Server;
use crate::support::{Desk, saying};
use crate::words::{Said, WIRES, Wire};
use serde_json::Value;
use std::fs;

fn system(wire: Wire, body: &Value) -> String {
    let text = match wire {
        Wire::OpenAi => &body["messages"][0]["content"],
        Wire::Anthropic => &body["system"][0]["text"],
    };
    text.as_str().unwrap().to_owned()
}

#[test]
fn context_files_and_the_schema_are_told_named_hashed_and_kept() {
    for wire in WIRES {
        let server = saying(wire, false, &[Said::text("Done.")]);
        let desk = Desk::new(
            wire,
            &server.url,
            "",
            "[context]\nschema = true\nfiles = [\"notes/joins.md\", \"more.txt\"]",
        );
        fs::create_dir(desk.path().join("notes")).unwrap();
        fs::write(desk.path().join("notes/joins.md"), "Mail addresses join.\n").unwrap();
        fs::write(desk.path().join("more.txt"), "Dates are UTC.").unwrap();
        let printed = desk.run(&[]);
        assert_eq!(printed.code, 0, "{printed:?}");
        let told = system(wire, &server.requests()[0].body);
        let (before, context) = told.split_once("\n\n# What get_schema returns\n\n").unwrap();
        assert!(before.starts_with("You investigate the security posture"), "{before}");
        assert!(context.contains("aws_iam_access_key"));
        assert!(
            context
                .contains("\n\n# notes/joins.md\n\nMail addresses join.\n\n# more.txt\n\nDates are UTC.\n"),
            "{context}"
        );
        assert_eq!(desk.words("system_prompt"), [told]);
        let archive = desk.archive();
        let names: Vec<&str> = archive.run.contexts.iter().map(|context| context.name.as_str()).collect();
        assert_eq!(names, ["agent.toml", "notes/joins.md", "more.txt"]);
        assert_eq!(archive.blobs().get(&archive.run.contexts[1].sha256).unwrap(), b"Mail addresses join.\n");
        assert_eq!(archive.run.actor.settings["schema_in_prompt"], true);
        desk.assert_sound();
    }
}

#[test]
fn without_context_a_model_is_told_the_pack_s_prompts_alone() {
    let server = saying(Wire::OpenAi, false, &[Said::text("Done.")]);
    let desk = Desk::new(Wire::OpenAi, &server.url, "", "");
    assert_eq!(desk.run(&[]).code, 0);
    let body = &server.requests()[0].body;
    let pack = casebook::pack::find("visibility").unwrap();
    assert_eq!(system(Wire::OpenAi, body), pack.system_prompt);
    assert_eq!(body["messages"][1]["content"], desk.words("user_message")[0]);
    assert_eq!(desk.archive().run.actor.settings["schema_in_prompt"], false);
}

#[test]
fn a_dry_run_says_what_would_be_done_and_does_nothing() {
    let server = Server::of(Vec::new());
    let desk =
        Desk::new(Wire::OpenAi, &server.url, "key = { env = \"MY_MODEL\" }", "[context]\nfiles = [\"a.md\"]")
            .variable("MY_MODEL", "sk-canary-0123456789");
    fs::write(desk.path().join("a.md"), "Look twice.").unwrap();
    let printed = desk.run(&["--dry-run", "--trials", "4"]);
    assert_eq!(printed.code, 0, "{printed:?}");
    for says in [
        "4 trials: 1 tasks",
        "actor: model model",
        "cost: unknown",
        "file: a.md, 11 bytes",
        "\"env\": \"MY_MODEL\"",
        "Which active access keys",
        "Look twice.",
    ] {
        assert!(printed.out.contains(says), "{says}: {}", printed.out);
    }
    assert!(!printed.out.contains("canary"));
    assert!(server.requests().is_empty() && !desk.run_folder().exists());
}

#[test]
fn mistakes_in_an_agent_file_are_named_before_anything_is_begun() {
    let server = Server::of(Vec::new());
    for (more, context, says) in [
        ("temperature = 1.0", "", "unknown field `temperature`"),
        ("[provider.sampling]\ntemprature = 1.0", "", "unknown field `temprature`"),
        ("sampling = { temperature = 9.0 }", "", "provider.sampling.temperature: 9 is not in 0 to 2"),
        ("headers = { Authorization = \"x\" }", "", "provider.headers.Authorization"),
        ("", "[context]\nfiles = [\"none.md\"]", "can't read none.md"),
        ("", "[contexts]", "unknown field `contexts`"),
    ] {
        let desk = Desk::new(Wire::OpenAi, &server.url, more, context);
        let printed = desk.run(&[]);
        assert!(printed.code == 3 && printed.err.contains(says), "{says}: {printed:?}");
        assert!(!desk.run_folder().exists());
    }
    let desk = Desk::new(Wire::OpenAi, "http://model.example/v1", "", "");
    let printed = desk.run(&[]);
    assert!(
        printed.code == 3
            && printed.err.contains("agent.toml: provider.base_url: http:// to another machine"),
        "{printed:?}"
    );
    let printed = desk.call(&["run", "--actor", "model"]);
    assert!(printed.code == 2 && printed.err.contains("--agent"), "{printed:?}");
}
