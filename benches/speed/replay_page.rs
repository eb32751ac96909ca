//! The Replay page on a trace of 50,000 steps.
//!
//! Target: it scrolls at 2 ms a picture at most, as a short one does; opening it is measured beside it.

use crate::workbench::{measure_each, session, settle, theme};
use casebook::agent::Script;
use casebook::archive::{RunWriter, Secrets};
use casebook::harness::{Cancel, Clock, RunPlan, SystemClock, execute};
use casebook::pack;
use casebook::query::OpenSnapshot;
use casebook::screen::view;
use casebook::snapshot::embedded;
use casebook::workbench::command::Invocation;
use casebook::workbench::event::{Event, Size};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) fn run() {
    let folder = tempfile::tempdir().unwrap();
    for steps in [50, 50_000] {
        let run = folder.path().join(format!("run-{steps}"));
        record(&run, steps);
        scroll(&run, steps);
    }
}

/// A run of one trial: every tenth step a statement, the others words.
fn record(folder: &Path, steps: u32) {
    let mut script = String::new();
    for step in 0..steps {
        if step % 10 == 9 {
            let sql = format!("SELECT name, {step} AS step FROM okta_group ORDER BY name LIMIT 20");
            writeln!(script, "{{\"tool\":\"run_query\",\"arguments\":{{\"sql\":\"{sql}\"}}}}").unwrap();
        } else {
            let words = "I look at the groups again, and at what they give to whom.";
            writeln!(script, "{{\"say\":\"{words} ({step})\",\"model\":\"m\"}}").unwrap();
        }
    }
    script.push_str("{\"final\":\"nothing\"}\n");
    let small = embedded().into_iter().find(|it| it.manifest.name == "small").unwrap();
    let snapshot = Arc::new(OpenSnapshot::open(&small).unwrap());
    let task = ["V-AWS-01".to_owned()];
    let mut plan = RunPlan::new(vec![pack::find("visibility").unwrap()], vec![snapshot], &task).unwrap();
    (plan.limits.steps, plan.limits.tool_calls, plan.limits.seconds) = (None, None, None);
    let actor = Script::parse("bench", &script, "").unwrap();
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::default());
    let head = plan.head("bench".into(), &actor, Vec::new(), clock.as_ref());
    let writer = RunWriter::create(folder, head, Secrets::new([])).unwrap();
    execute(&writer, &plan, &actor, 1, &clock, &Cancel::default(), &|_| {}).unwrap();
    writer.finish(clock.wall().to_string()).unwrap();
}

fn scroll(folder: &Path, steps: u32) {
    let mut session = session();
    session.dispatch(Duration::ZERO, Event::Resized(Size { width: 200, height: 60 }));
    let began = Instant::now();
    let open = Invocation::of("replay.open").with("path", folder.display().to_string());
    session.dispatch(Duration::ZERO, Event::Command(open));
    while session.state.replay.as_ref().is_none_or(|replay| replay.steps().is_empty()) {
        let (request, reply) = session.answers().recv().unwrap();
        session.dispatch(Duration::ZERO, Event::Reply { request, reply });
    }
    println!("open a trace of {steps} steps, to its timeline: {:.2?}", began.elapsed());
    settle(&mut session);
    println!("the same, all its statements run again: {:.2?}", began.elapsed());
    let theme = theme();
    let mut buffer = Buffer::empty(Rect::new(0, 0, 200, 60));
    let by = i64::from(steps / 50).max(1);
    let times = measure_each(40, || {
        let down = Invocation::of("replay.move").with("by", by);
        session.dispatch(Duration::ZERO, Event::Command(down));
        buffer.reset();
        std::hint::black_box(view(&mut buffer, &session.state, &theme));
    });
    println!(
        "a key and its picture at 200 × 60, {steps} steps: median {:.2?}, 95 of 100 {:.2?} (2 ms)",
        times[times.len() / 2],
        times[times.len() * 95 / 100]
    );
    settle(&mut session);
    session.close();
}
