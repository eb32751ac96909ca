//! A scripted model works on a real case, from the schema to the right answer, in both wire shapes.

use crate::server::{Reply, Server};
use crate::support::Desk;
use crate::words::{Said, WIRES, Wire, results};
use casebook::agent::ScriptLine;
use casebook::domain::trace::EventBody;
use casebook::domain::trial::{Answer, ToolSet};
use serde_json::json;
use std::fs;

/// What the pack holds for right.
fn truth(task: &str) -> Vec<String> {
    let pack = casebook::pack::find("visibility").unwrap();
    let small = casebook::snapshot::embedded().into_iter().find(|it| it.manifest.name == "small").unwrap();
    let told = [(small.manifest.revision, small.manifest.schema_document())];
    let oracle = casebook::scoring::oracle(&[pack], &told, ToolSet::Three).unwrap();
    let part = oracle.parts.iter().find(|part| part.target.task.as_deref() == Some(task)).unwrap();
    let Some(ScriptLine::Call { arguments, .. }) = part.lines.last() else { panic!("no answer") };
    let subjects = arguments["subjects"].as_array().unwrap();
    subjects.iter().map(|subject| subject.as_str().unwrap().to_owned()).collect()
}

/// A model that looks at the schema, reads today from it, asks, and answers with what it got. It knows no truth.
fn play(wire: Wire, stream: bool) -> impl Fn(usize, &crate::server::Request) -> Reply + Send + Sync {
    move |nth, request| {
        let shown = || results(wire, &request.body);
        let said = match nth {
            0 => Said::call("get_schema", &json!({}))
                .and("run-query", &json!({"sql": "SELECT DISTINCT status FROM aws_iam_access_key"}))
                .thinking("I need the tables and the words for active."),
            1 => {
                let shown = shown();
                let (schema, words) = (&shown[0].1, &shown[1].1);
                assert!(words.contains("Active"), "{words}");
                let words: Vec<&str> = schema.split(|c: char| !c.is_ascii_digit() && c != '-').collect();
                let today = words.iter().find(|word| word.len() == 10 && word.starts_with("20")).unwrap();
                Said::query(&format!(
                    "SELECT access_key_id FROM aws_iam_access_key WHERE status = 'Active' AND date(create_date) < date('{today}', '-90 days')"
                ))
            }
            2 => {
                let shown = shown();
                let keys: Vec<&str> =
                    shown[0].1.lines().skip(1).filter(|line| line.starts_with("AKIA")).collect();
                Said::call("submit_answer", &json!({"verdict": "yes", "subjects": keys, "answer": "These."}))
            }
            _ => Said::text("Is anybody there?"),
        };
        said.reply(wire, stream)
    }
}

#[test]
fn a_case_is_solved_verified_and_repeated_in_both_shapes() {
    for (wire, stream) in WIRES.into_iter().flat_map(|wire| [(wire, false), (wire, true)]) {
        let server = Server::playing(play(wire, stream));
        let price = "price = { input = 2.0, cached_input = 1.0, cache_write = 3.0, output = 10.0 }";
        let desk = Desk::new(wire, &server.url, &format!("stream = {stream}\n{price}"), "");
        let printed = desk.run(&["--max-cost", "1", "--max-tokens", "100000"]);
        assert_eq!((printed.code, printed.err.as_str()), (0, ""), "{printed:?}");
        assert!(printed.out.contains(": 1 answered\n"), "{}", printed.out);
        // Three steps: 600 and 400 cached, or 500, 400 cached and 100 written; 50 out.
        let cost = if wire == Wire::OpenAi { "$0.0063" } else { "$0.0066" };
        assert!(printed.out.contains(&format!("tokens: 3000 in, 150 out; {cost}\n")), "{}", printed.out);
        let archive = desk.archive();
        let place = archive.trials[0].name.to_string();
        let text = fs::read(desk.run_folder().join("trials").join(place).join("answer.json")).unwrap();
        let answer: Answer = serde_json::from_slice(&text).unwrap();
        let mut found = answer.subjects.unwrap();
        let mut right = truth("V-AWS-01");
        found.sort();
        right.sort();
        assert!(!right.is_empty() && found == right, "{found:?} is not {right:?}");
        let thought = if wire == Wire::OpenAi { vec!["reasoning"] } else { vec!["reasoning", "reasoning"] };
        let expected = [
            vec!["brief", "system_prompt", "user_message", "model_step"],
            thought,
            vec![
                "tool_call",
                "tool_result",
                "tool_call",
                "tool_result",
                "model_step",
                "tool_call",
                "tool_result",
            ],
            vec!["model_step", "tool_call", "answer", "tool_result", "ended"],
        ];
        assert_eq!(desk.kinds(), expected.concat());
        assert_eq!(server.requests().len(), 3);
        exchanges_are_kept(&desk, &server);
        desk.assert_sound();
    }
}

/// Every step names a blob that holds what was asked, word for word, and what came.
fn exchanges_are_kept(desk: &Desk, server: &Server) {
    let archive = desk.archive();
    let steps: Vec<_> = desk
        .events()
        .into_iter()
        .filter_map(|event| match event.body {
            EventBody::ModelStep(step) => Some(step),
            _ => None,
        })
        .collect();
    for (step, request) in steps.iter().zip(server.requests()) {
        assert_eq!(step.model.as_deref(), Some("model-2026"));
        let blob = archive.blobs().get(&step.exchange.as_ref().unwrap().blob).unwrap();
        let exchange: casebook::archive::Exchange = serde_json::from_slice(&blob).unwrap();
        let sent: serde_json::Value = serde_json::from_str(&exchange.request.body).unwrap();
        assert_eq!(sent, request.body);
        let response = exchange.response.unwrap();
        assert!(response.status == Some(200) && response.body.contains("model-2026"));
    }
}

#[test]
fn with_two_tools_the_final_message_is_the_answer() {
    for wire in WIRES {
        let server = Server::of(vec![
            Said::call("submit_answer", &json!({"answer": "no such tool"})).reply(wire, false),
            Said::text("Nobody is.").reply(wire, false),
        ]);
        let desk = Desk::new(wire, &server.url, "", "");
        let printed = desk.run(&["--tools", "two"]);
        assert!(printed.out.contains("1 answered"), "{printed:?}");
        assert!(printed.out.contains("cost unknown"), "{printed:?}");
        assert_eq!(server.requests()[0].body["tools"].as_array().unwrap().len(), 2);
        assert_eq!(
            desk.words("tool_error"),
            [
                "there is no tool 'submit_answer'; there are get_schema and run_query; your final message is your answer"
            ]
        );
        desk.assert_sound();
    }
}

/// What an Anthropic model thought goes back as it came, signature and all; what an OpenAI-compatible one thought only where
/// that is wanted.
#[test]
fn thinking_goes_back_as_given() {
    let said = || vec![Said::query("SELECT 1").thinking("Hm."), Said::text("One.")];
    for (wire, more, expected) in [
        (Wire::Anthropic, "", Some("Hm.")),
        (Wire::OpenAi, "", None),
        (Wire::OpenAi, "send_reasoning_back = true", Some("Hm.")),
    ] {
        let server = crate::support::saying(wire, true, &said());
        let desk = Desk::new(wire, &server.url, &format!("stream = true\n{more}"), "");
        assert_eq!(desk.run(&[]).code, 0);
        let turn = server.requests()[1].body["messages"]
            .as_array()
            .unwrap()
            .iter()
            .find(|it| it["role"] == "assistant")
            .cloned()
            .unwrap();
        match wire {
            Wire::Anthropic => {
                assert_eq!(
                    turn["content"][0],
                    json!({"type": "thinking", "thinking": "Hm.", "signature": "c2lnbmF0dXJl"})
                );
                assert_eq!(turn["content"][1], json!({"type": "redacted_thinking", "data": "b3BhcXVl"}));
            }
            Wire::OpenAi => {
                assert_eq!(turn.get("reasoning_content").and_then(|it| it.as_str()), expected);
            }
        }
    }
}
