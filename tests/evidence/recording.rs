//! What a trial records: every call before and after it is made, limits, endings, answers.

use crate::support::{NOON, begin, clock, plan, run, run_with, script, small};
use casebook::agent::Noop;
use casebook::archive::Secrets;
use casebook::domain::trace::{Event, EventBody, Text, ToolErrorKind};
use casebook::domain::trial::{Ending, INVESTIGATION, LimitKind, Mode, ToolSet, TrialName, Verdict};
use casebook::domain::trial_limits::TrialLimits;
use casebook::harness::{Cancel, Over, ReplyKind, Trial, TrialSetup, execute};
use casebook::query::EngineHost;
use serde_json::json;

fn kinds(events: &[Event]) -> Vec<&'static str> {
    events.iter().map(|event| event.body.kind()).collect()
}

#[test]
fn a_trial_is_told_in_order() {
    let ran = run(r#"
{"say": "Let me look.", "model": "m-1", "usage": {"input": 900, "output": 20, "cost": 0.01}}
{"think": "Keys are in aws_iam_access_key."}
{"tool": "get_schema"}
{"tool": "run_query", "arguments": {"sql": "SELECT status, count(*) AS n FROM aws_iam_access_key GROUP BY status"}}
{"note": "two statuses"}
{"tool": "submit_answer", "arguments": {"verdict": "yes", "subjects": ["AKIA1"], "facts": {"n": 1}, "answer": "One."}}
{"tool": "get_schema"}
"#);
    let events = ran.events();
    assert_eq!(
        kinds(&events),
        [
            "brief",
            "system_prompt",
            "user_message",
            "model_step",
            "reasoning",
            "tool_call",
            "tool_result",
            "tool_call",
            "tool_result",
            "note",
            "tool_call",
            "answer",
            "tool_result",
            "ended"
        ]
    );
    assert_eq!(events.iter().map(|event| event.seq).collect::<Vec<_>>(), (1..=14).collect::<Vec<_>>());
    let EventBody::Brief(brief) = &events[0].body else { panic!() };
    assert_eq!((brief.mode, brief.tools, brief.segment), (Mode::Scored, ToolSet::Three, 1));
    assert_eq!(brief.question.as_deref(), Some("Which active access keys are more than 90 days old?"));
    // A call belongs to the step, its result to the call.
    assert_eq!((events[5].parent, events[6].parent), (Some(4), Some(6)));
    let EventBody::ToolResult(result) = &events[8].body else { panic!() };
    let record = result.result.as_ref().unwrap();
    assert_eq!((record.rows, record.wrote, record.truncated), (2, false, None));
    let analysis = result.analysis.as_ref().unwrap();
    assert_eq!(analysis.tables.iter().collect::<Vec<_>>(), ["aws_iam_access_key"]);
    let Text::Inline(text) = &result.text else { panic!() };
    assert!(text.starts_with("status\tn\nActive\t") && text.ends_with("(2 rows)"), "{text}");
    let answer = ran.archive().answer(&ran.name()).unwrap().unwrap();
    assert_eq!((answer.verdict, answer.answer.as_str()), (Some(Verdict::Yes), "One."));
    let EventBody::Ended(ended) = events[13].body else { panic!() };
    assert_eq!(ended.ending, Ending::Answered);
    assert_eq!((ended.counts.steps, ended.counts.tool_calls, ended.counts.queries), (1, 3, 1));
    assert_eq!((ended.counts.input_tokens, ended.counts.cost), (Some(900), Some(0.01)));
    assert_eq!(ran.run.end.unwrap().endings["answered"], 1);
}

#[test]
fn the_prompts_are_kept_word_for_word() {
    let ran = run("{\"say\": \"x\"}\n{\"final\": \"none\"}");
    let pack = casebook::pack::find("visibility").unwrap();
    let archive = ran.archive();
    let words: Vec<String> = ran
        .events()
        .iter()
        .filter_map(|event| match &event.body {
            EventBody::SystemPrompt(words) | EventBody::UserMessage(words) => {
                Some(archive.blobs().words(&words.text).unwrap())
            }
            _ => None,
        })
        .collect();
    assert_eq!(words[0], pack.system_prompt);
    assert!(words[1].starts_with("Which active access keys are more than 90 days old?"), "{}", words[1]);
}

#[test]
fn what_an_actor_can_mend_is_a_reply() {
    let ran = run(r#"
{"tool": "run-query", "arguments": {"sql": "SELECT nothing FROM nowhere"}}
{"tool": "run_query", "arguments": {"sql": "ATTACH 'x' AS y"}}
{"tool": "run_query", "arguments": {"query": "SELECT 1"}}
{"tool": "read_file", "arguments": {"path": "/etc/passwd"}}
{"tool": "submit_answer", "arguments": {"verdict": "perhaps", "answer": "x"}}
{"tool": "run_query", "arguments": "{\"sql\": \"SELECT 1\"}"}
{"final": "gave up"}
"#);
    let errors: Vec<ToolErrorKind> = ran
        .events()
        .iter()
        .filter_map(|event| match &event.body {
            EventBody::ToolError(error) => Some(error.error),
            _ => None,
        })
        .collect();
    assert_eq!(
        errors,
        [
            ToolErrorKind::Sql,
            ToolErrorKind::Refused,
            ToolErrorKind::BadArguments,
            ToolErrorKind::UnknownTool,
            ToolErrorKind::BadArguments
        ]
    );
    let EventBody::Ended(ended) = ran.events().last().unwrap().body else { panic!() };
    assert_eq!((ended.counts.errors, ended.counts.queries, ended.counts.tool_calls), (5, 3, 6));
}

#[test]
fn the_paper_s_two_tools_end_with_words() {
    let mut plan = plan("V-AWS-01");
    plan.tools = ToolSet::Two;
    let lines = r#"
{"say": "x"}
{"tool": "submit_answer", "arguments": {"answer": "x"}}
{"final": "There are two."}
"#;
    let ran = run_with(&plan, &script(lines), Secrets::default(), NOON);
    let events = ran.events();
    let EventBody::ToolError(error) = &events[5].body else { panic!("{:?}", kinds(&events)) };
    assert_eq!(error.error, ToolErrorKind::UnknownTool);
    let archive = ran.archive();
    let EventBody::SystemPrompt(words) = &events[1].body else { panic!() };
    let prompt = archive.blobs().words(&words.text).unwrap();
    assert!(!prompt.contains("submit_answer") && prompt.contains("your final message"), "{prompt}");
    assert_eq!(archive.answer(&ran.name()).unwrap().unwrap().answer, "There are two.");
}

/// A limit, what runs into it, and how it is set.
type LimitCase = (LimitKind, String, fn(&mut TrialLimits));

#[test]
fn limits_are_endings() {
    let call = "{\"tool\": \"run_query\", \"arguments\": {\"sql\": \"SELECT 1\"}}\n";
    let say = "{\"say\": \"x\", \"usage\": {\"input\": 60, \"output\": 1, \"cost\": 0.3}}\n";
    let limits: [LimitCase; 5] = [
        (LimitKind::ToolCalls, call.repeat(9), |limits| limits.tool_calls = Some(3)),
        (LimitKind::Steps, say.repeat(9), |limits| limits.steps = Some(3)),
        (LimitKind::Tokens, say.repeat(9), |limits| limits.tokens = Some(122)),
        (LimitKind::Cost, say.repeat(9), |limits| limits.cost = Some(0.5)),
        // The clock goes on by a millisecond whenever it is read.
        (LimitKind::Time, call.repeat(99), |limits| limits.seconds = Some(0.02)),
    ];
    for (kind, lines, set) in limits {
        let mut plan = plan("V-AWS-01");
        set(&mut plan.limits);
        let ran = run_with(&plan, &script(&lines), Secrets::default(), NOON);
        let events = ran.events();
        let [.., limit, end] = events.as_slice() else { panic!() };
        let EventBody::Limit(reached) = &limit.body else { panic!("{kind:?}: {:?}", kinds(&events)) };
        assert_eq!(reached.limit, kind);
        let EventBody::Ended(ended) = end.body else { panic!() };
        assert_eq!(ended.ending, Ending::Limit(kind));
        if kind == LimitKind::ToolCalls {
            assert_eq!(ended.counts.tool_calls, 3);
        }
    }
}

#[test]
fn a_statement_is_cut_where_it_is_shown_and_whole_where_it_is_kept() {
    let ran = run(r#"
{"tool": "run_query", "arguments": {"sql": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT i FROM n"}}
{"final": "x"}
"#);
    let events = ran.events();
    let EventBody::ToolResult(result) = &events[2].body else { panic!() };
    let record = result.result.as_ref().unwrap();
    assert_eq!((record.rows, record.truncated), (1000, None));
    let Text::Inline(text) = &result.text else { panic!() };
    assert!(
        text.ends_with(
            "(1000 rows; the first 200 are shown: aggregate, filter, or page with LIMIT and OFFSET)"
        )
    );
    let lines = ran.archive().blobs().get(&record.sha256).unwrap();
    assert_eq!(lines.split(|byte| *byte == b'\n').count(), 1002);
}

#[test]
fn a_failure_and_a_script_that_stops_are_errors_and_nobody_answers_nothing() {
    for (lines, words) in [
        ("{\"fail\": \"provider: 529 overloaded\"}", "provider: 529 overloaded"),
        ("{\"note\": \"hm\"}", "the actor came to its end without an answer"),
    ] {
        let events = run(lines).events();
        let [.., error, end] = events.as_slice() else { panic!() };
        let EventBody::Error(said) = &error.body else { panic!("{:?}", kinds(&events)) };
        assert_eq!(said.text, Text::Inline(words.to_owned()));
        assert!(matches!(end.body, EventBody::Ended(ended) if ended.ending == Ending::Error));
    }
    let ran = run_with(&plan("V-AWS-01"), &Noop, Secrets::default(), NOON);
    assert_eq!(kinds(&ran.events()), ["brief", "answer", "ended"]);
    assert_eq!(ran.archive().answer(&ran.name()).unwrap().unwrap().answer, "");
}

#[test]
fn writes_stay_in_the_copy_of_their_trial() {
    let lines = r#"
{"tool": "run_query", "arguments": {"sql": "DELETE FROM okta_user"}}
{"tool": "run_query", "arguments": {"sql": "SELECT count(*) FROM okta_user"}}
{"final": "x"}
"#;
    let mut plan = plan("V-AWS-01");
    plan.trials = 2;
    let ran = run_with(&plan, &script(lines), Secrets::default(), NOON);
    let archive = ran.archive();
    assert_eq!(archive.trials.len(), 2);
    for trial in &archive.trials {
        let events = archive.traces(trial).unwrap()[0].events().unwrap();
        let [EventBody::ToolResult(first), EventBody::ToolResult(second)] =
            [&events[2].body, &events[4].body]
        else {
            panic!()
        };
        let first = first.result.as_ref().unwrap();
        assert!(first.wrote && first.changed_rows > 60, "{first:?}");
        assert_eq!(second.text, Text::Inline("count(*)\n0\n(1 row)".to_owned()));
    }
}

/// What could not be read again is refused, and the trace stays readable.
#[test]
fn a_call_that_no_line_could_hold_is_refused() {
    let deep = format!("{}1{}", "[".repeat(120), "]".repeat(120));
    let long = "x".repeat(5 << 20);
    let ran = run(&format!(
        r#"
{{"tool": "submit_answer", "arguments": {{"answer": "x", "facts": {{"deep": {deep}}}}}}}
{{"tool": "run_query", "arguments": {{"sql": "SELECT '{long}'"}}}}
{{"tool": "{long}"}}
{{"final": "{long}"}}
"#
    ));
    let said: Vec<String> = ran
        .events()
        .into_iter()
        .filter_map(|event| match event.body {
            EventBody::ToolError(error) => match error.text {
                Text::Inline(text) => Some(text),
                Text::Blob(_) => None,
            },
            _ => None,
        })
        .collect();
    assert_eq!(said.len(), 3, "{said:?}");
    assert!(
        said[0].contains("nested more than 64 deep") && said[1].contains("longer than 4 MiB"),
        "{said:?}"
    );
    assert_eq!(ran.archive().answer(&ran.name()).unwrap().unwrap().answer.len(), 5 << 20);
}

/// An investigation without a task, and what a person only looks at.
#[test]
fn free_work_is_recorded_and_looking_is_not_counted() {
    let begun = begin(&plan("V-AWS-01"), &Noop, Secrets::default());
    let name = TrialName {
        revision: small().manifest.revision,
        pack: INVESTIGATION.to_owned(),
        task: "odd-admins".to_owned(),
        number: 1,
    };
    let setup = TrialSetup {
        name: name.clone(),
        mode: Mode::Practice,
        tools: ToolSet::Three,
        limits: TrialLimits::of_person(),
        seed: 7,
        question: None,
        snapshot: small(),
        host: EngineHost::InProcess,
        clock: clock(NOON),
        cancel: Cancel::default(),
    };
    let mut trial = Trial::begin(&begun.writer, setup).unwrap();
    let reply = trial.look("SELECT count(*) FROM okta_user").unwrap();
    assert!(matches!(reply.kind, ReplyKind::Result { .. }));
    trial.call("run_query", &json!({"sql": "SELECT 1"})).unwrap();
    assert_eq!((trial.counts().tool_calls, trial.counts().queries), (1, 1));
    trial.stop(Ending::Cancelled);
    assert!(matches!(trial.call("get_schema", &json!({})), Err(Over::Ended(Ending::Cancelled))));
    let line = trial.end().unwrap();
    assert_eq!((line.trial, line.ending), (name, Ending::Cancelled));
}

#[test]
fn a_run_that_is_stopped_stops_its_statements() {
    let plan = plan("V-AWS-01");
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    let lines = format!("{{\"tool\": \"run_query\", \"arguments\": {{\"sql\": \"{endless}\"}}}}");
    let script = script(&lines);
    let begun = begin(&plan, &script, Secrets::default());
    let cancel = Cancel::default();
    let stopper = cancel.clone();
    let started = std::time::Instant::now();
    let clock: std::sync::Arc<dyn casebook::harness::Clock> =
        std::sync::Arc::new(casebook::harness::SystemClock::default());
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(300));
            stopper.stop();
        });
        execute(&begun.writer, &plan, &script, 2, &clock, &cancel, &|_| {}).unwrap();
    });
    assert!(started.elapsed().as_secs() < 15, "the statement ran to its deadline");
    assert_eq!(begun.writer.segments()[0].ending, Ending::Interrupted);
}
