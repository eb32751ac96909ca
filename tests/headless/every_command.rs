//! Whatever is pressed or given, in whatever order: nothing panics, and the state stays whole.

use crate::support::Bench;
use casebook::workbench::command::{Kind, all};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Arguments that fit a command, one way of many.
fn arguments(command: &casebook::workbench::command::Command, choice: u64) -> Value {
    let mut given = Map::new();
    for argument in command.arguments {
        if !argument.required && choice.is_multiple_of(3) {
            continue;
        }
        let value = match argument.kind {
            Kind::Text => json!(
                ["", "small", "P-01", "name = 1", "SELECT 1 AS a, NULL AS b, 'x' AS c", "\u{202e}x\u{1b}[2J"]
                    [usize::try_from(choice % 6).unwrap()]
            ),
            Kind::Integer => json!([0, 1, -1, 7, i64::MAX, i64::MIN][usize::try_from(choice % 6).unwrap()]),
            Kind::Boolean => json!(choice.is_multiple_of(2)),
            Kind::Choice(choices) => json!(choices[usize::try_from(choice).unwrap_or(0) % choices.len()]),
            Kind::Texts => json!(["a@x", "b@x", "a@x"]),
        };
        given.insert(argument.name.to_owned(), value);
    }
    Value::Object(given)
}

fn whole(bench: &mut Bench) {
    let state = bench.state("");
    // What is chosen is there, and the focus is on a page that shows.
    let rows = state["cases"]["rows"].as_array().unwrap().len();
    assert!(rows == 0 || state["cases"]["chosen"].as_u64().unwrap() < rows as u64);
    if let Some(results) = state["workspace"]["results"].as_array()
        && !results.is_empty()
    {
        assert!(state["workspace"]["shown"].as_u64().unwrap() < results.len() as u64);
    }
    assert!(state["outstanding"].as_array().unwrap().is_empty());
}

/// Left out: they end the workbench, or write files where the test is run.
const NOT_AT_RANDOM: [&str; 5] =
    ["workbench.quit", "export.rows", "trial.save_task", "trial.report", "buffer.write"];

#[test]
fn the_greatest_and_the_least_numbers_are_only_numbers() {
    let mut bench = Bench::new();
    bench.give("cases.start", json!({"task": "P-02"}));
    for command in all().iter().flat_map(|group| group.commands) {
        for argument in command.arguments.iter().filter(|it| matches!(it.kind, Kind::Integer)) {
            let choices = command.arguments.iter().find_map(|it| match it.kind {
                Kind::Choice(choices) if it.required => Some((it.name, choices)),
                _ => None,
            });
            for number in [i64::MIN, i64::MIN + 1, -32_768, -1, 0, 32_767, i64::MAX] {
                for choice in choices.map_or(&[""][..], |(_, choices)| choices) {
                    for page in ["page.cases", "page.investigate"] {
                        bench.ask(json!({"command": page}));
                        bench.ask(
                            json!({"command": "query.run", "arguments": {"sql": "SELECT 1 AS a, 2 AS b"}}),
                        );
                        let opened = ["palette.open", "grid.cell", "page.cases"]
                            [usize::try_from(number.rem_euclid(3)).unwrap()];
                        bench.ask(json!({"command": opened}));
                        let mut arguments = json!({argument.name: number});
                        if let Some((name, _)) = choices {
                            arguments[name] = json!(choice);
                        }
                        bench.ask(json!({"command": command.id, "arguments": arguments}));
                        bench.ask(json!({"command": "overlay.close"}));
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, max_shrink_iters: 40, ..ProptestConfig::default() })]

    #[test]
    fn any_commands_in_any_order(choices in proptest::collection::vec((any::<prop::sample::Index>(), any::<u64>()), 60)) {
        let mut bench = Bench::new();
        bench.give("cases.start", json!({"task": "P-02"}));
        let commands: Vec<_> = all()
            .iter()
            .flat_map(|group| group.commands)
            .filter(|command| !NOT_AT_RANDOM.contains(&command.id))
            .collect();
        for (command, choice) in choices {
            let command = commands[command.index(commands.len())];
            bench.ask(json!({"command": command.id, "arguments": arguments(command, choice)}));
            whole(&mut bench);
        }
        bench.screen(80, 24);
        bench.screen(200, 60);
    }

    #[test]
    fn any_keys_in_any_order(keys in proptest::collection::vec(prop::sample::select(vec![
        "esc", "enter", "tab", "shift-tab", "up", "down", "left", "right", "pageup", "pagedown", "home", "end", "space",
        "backspace", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j",
        "k", "l", "m", "M", "n", "o", "p", "r", "s", "t", "u", "v", "x", "y", "z", "/", ":", "?", "1", "2", "%", "[", "]",
        "ctrl-p", "ctrl-w", "ctrl-space", "I", "S", "T", "G", ".", "名",
    ]), 80)) {
        let mut bench = Bench::new();
        bench.give("cases.start", json!({"task": "P-02"}));
        bench.give("query.run", json!({"sql": "SELECT * FROM okta_user"}));
        for key in keys {
            bench.ask(json!({"keys": key}));
            whole(&mut bench);
        }
        bench.screen(60, 16);
        bench.screen(120, 36);
    }
}

#[test]
fn every_command_is_reached_by_a_key_or_the_palette_and_can_be_given() {
    let mut bench = Bench::new();
    bench.give("cases.start", json!({"task": "P-02"}));
    bench.give("query.run", json!({"sql": "SELECT * FROM okta_user"}));
    let keys = bench.ask(json!({"get": "keys"}))["value"].clone();
    let bound: Vec<&str> = keys.as_array().unwrap().iter().filter_map(|it| it["command"].as_str()).collect();
    for command in all().iter().flat_map(|group| group.commands) {
        let is_bound = bound.contains(&command.id);
        let is_low =
            ["text.", "picker.", "prompt.", "confirm.", "reader.", "overlay.", "completion.", "find."]
                .iter()
                .any(|area| command.id.starts_with(area));
        let is_for_mouse_or_scripts =
            ["select", "place", "set", "insert"].iter().any(|it| command.id.ends_with(it));
        assert!(
            is_bound || !is_low || is_for_mouse_or_scripts,
            "{} is neither bound nor in the palette",
            command.id
        );
    }
}
