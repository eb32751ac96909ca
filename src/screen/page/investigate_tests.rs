use crate::domain::trial::{Answer, Verdict};
use crate::domain::{Cut, ResultSet, Value};
use crate::screen::test_workspace::{Desk, lines, place_of, schema, task};
use crate::screen::theme::{Depth, Library, Symbols, Theme};
use crate::workbench::command::Invocation;
use crate::workbench::effect::Ask;
use crate::workbench::event::{Event, Moment, Size};
use crate::workbench::focus::Focus;
use proptest::prelude::*;
use ratatui::style::Modifier;

fn plain() -> Theme {
    Theme::plain(Symbols::UNICODE)
}

fn picture(desk: &Desk) -> String {
    lines(&desk.draw(&plain()).0).join("\n")
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

#[test]
fn sorts_of_values_differ_without_colours() {
    let mut desk = Desk::with_case(120, 36);
    let rows = vec![vec![Value::Null], vec![text("")], vec![text("NULL")], vec![Value::Blob(vec![0xab])]];
    desk.gives_rows(&["value"], rows, None);
    let shown = picture(&desk);
    for wanted in ["1  NULL ", "2  '' ", "3  'NULL' ", "4  x'ab' "] {
        assert!(shown.contains(wanted), "{wanted}\n{shown}");
    }
}

#[test]
fn numbers_stand_right_and_text_left() {
    let mut desk = Desk::with_case(120, 36);
    let rows = vec![vec![Value::Integer(7), text("7")], vec![Value::Integer(1_234_567), text("1234567")]];
    desk.gives_rows(&["number", "text"], rows, None);
    let shown = picture(&desk);
    assert!(shown.contains("1        7  7      "), "{shown}");
    assert!(shown.contains("2  1234567  1234567"), "{shown}");
}

#[test]
fn a_click_on_a_name_sorts_and_one_on_a_cell_selects() {
    let mut desk = Desk::with_case(120, 36);
    desk.gives_rows(&["email", "n"], vec![vec![text("a@x"), Value::Integer(5)]; 9], None);
    let sorts = desk.click(&plain(), "email");
    assert_eq!(sorts, Some(Invocation::of("grid.sort").with("column", "email")));
    assert!(matches!(desk.last_asked(), Some(Ask::Arrange(it)) if it.sort == Some((0, false))));
    assert!(picture(&desk).contains("email▲"), "the sign shows at once");
    let selects = desk.click(&plain(), "a@x");
    assert_eq!(selects, Some(Invocation::of("grid.select").with("row", 0).with("column", 0)));
    assert_eq!(desk.state.focus, Focus::Grid);
}

#[test]
fn rows_that_were_marked_have_a_sign() {
    let mut desk = Desk::with_case(120, 36);
    desk.gives_rows(&["email"], vec![vec![text("a@x")], vec![text("b@x")]], None);
    desk.command("answer.mark");
    let shown = picture(&desk);
    assert!(shown.contains("◆ 1  a@x") && !shown.contains("◆ 2"), "{shown}");
}

#[test]
fn a_frame_does_not_depend_on_how_many_rows_there_are() {
    // The same cells and the same places to click: nothing is done for rows that don't show.
    let places = |rows: usize| {
        let mut desk = Desk::with_case(120, 36);
        desk.gives_rows(&["n"], vec![vec![Value::Integer(1)]; rows], None);
        let (buffer, drawn) = desk.draw(&plain());
        let hits = format!("{:?}", drawn.hits).matches("grid.select").count();
        (hits, lines(&buffer).iter().filter(|line| line.contains(" 1 ")).count())
    };
    assert_eq!(places(100).0, places(100_000).0);
    assert!(places(100_000).0 < 2 * 36);
}

#[test]
fn a_cut_result_says_so() {
    let mut desk = Desk::with_case(120, 36);
    desk.gives_rows(&["n"], vec![vec![Value::Integer(1)]; 1_000], Some(Cut::Rows(1_000)));
    assert!(picture(&desk).contains("first 1,000 rows: cut by the limit"));
}

#[test]
fn results_without_rows_say_why() {
    let mut desk = Desk::with_case(120, 36);
    assert!(picture(&desk).contains("No result yet."));
    desk.gives_rows(&["n"], Vec::new(), None);
    assert!(picture(&desk).contains("No rows."));
    desk.gives(ResultSet { columns: Vec::new(), rows: Vec::new(), changed_rows: 3, cut: None });
    assert!(picture(&desk).contains("Done; 3 rows changed."));
}

#[test]
fn hostile_text_is_shown_by_its_marks() {
    let mut desk = Desk::with_case(120, 36);
    let hostile = "a\u{1b}[2J\u{202e}b\r\n\u{9b}";
    desk.gives_rows(&[hostile], vec![vec![text(hostile)]], None);
    desk.writes(hostile);
    desk.give(Invocation::of("answer.add").with("subjects", vec![hostile]));
    desk.fails(hostile, Some(0));
    for focus in ["focus.grid", "focus.answer", "focus.schema"] {
        desk.command(focus);
        let (buffer, _) = desk.draw(&plain());
        for cell in buffer.content() {
            assert!(
                cell.symbol().chars().all(|c| !c.is_control() && !matches!(c, '\u{202e}' | '\u{9b}')),
                "{cell:?}"
            );
        }
    }
}

#[test]
fn an_error_is_underlined_and_said() {
    let mut desk = Desk::with_case(120, 36);
    desk.writes("SELECT emial FROM okta_user");
    desk.fails("no such column: emial", Some(7));
    let (buffer, _) = desk.draw(&plain());
    let (x, y) = place_of(&buffer, "emial FROM").unwrap();
    for cell in x..x + 5 {
        assert!(buffer[(cell, y)].modifier.contains(Modifier::UNDERLINED));
    }
    assert!(!buffer[(x + 5, y)].modifier.contains(Modifier::UNDERLINED));
    assert!(picture(&desk).contains("✗ no such column: emial"));
    desk.keys("left");
    let (buffer, _) = desk.draw(&plain());
    assert!(buffer[(x, y)].modifier.contains(Modifier::UNDERLINED), "moving the cursor leaves it");
    desk.types("x");
    let (buffer, _) = desk.draw(&plain());
    let (x, y) = place_of(&buffer, "emial FROM").unwrap_or((x, y));
    assert!(!buffer[(x, y)].modifier.contains(Modifier::UNDERLINED), "editing takes it away");
}

#[test]
fn the_cursor_stands_where_one_writes() {
    let mut desk = Desk::with_case(120, 36);
    desk.writes("");
    desk.types("名前 x");
    let (buffer, drawn) = desk.draw(&plain());
    let (x, y) = place_of(&buffer, "名前 x").unwrap();
    assert_eq!(drawn.cursor, Some((x + 6, y)));
    desk.keys("esc");
    assert_eq!(desk.draw(&plain()).1.cursor, None, "keys are commands");
    desk.command("answer.write");
    desk.types("words");
    let (buffer, drawn) = desk.draw(&plain());
    let (x, y) = place_of(&buffer, "words").filter(|_| true).unwrap();
    assert!(drawn.cursor.is_some_and(|(at, row)| (at, row) >= (x, y)));
    desk.keys("esc");
    desk.command("schema.find");
    desk.types("okta");
    let (buffer, drawn) = desk.draw(&plain());
    let (x, y) = place_of(&buffer, "/okta").unwrap();
    assert_eq!(drawn.cursor, Some((x + 5, y)));
}

#[test]
fn clicks_go_to_the_place_in_the_editor() {
    let mut desk = Desk::with_case(120, 36);
    desk.writes("SELECT a\nFROM okta_user");
    let gives = desk.click(&plain(), "FROM okta_user");
    assert_eq!(gives, Some(Invocation::of("editor.place").with("line", 1).with("cell", 0)));
    desk.command("buffer.new");
    assert_eq!(desk.click(&plain(), "query 1"), Some(Invocation::of("buffer.show").with("index", 0)));
}

#[test]
fn tables_open_by_their_sign() {
    let mut desk = Desk::with_case(120, 36);
    let select = Invocation::of("schema.select").with("index", 1);
    assert_eq!(desk.click(&plain(), "okta_user"), Some(select));
    let (buffer, drawn) = desk.draw(&plain());
    let (x, y) = place_of(&buffer, "▸ okta_user").unwrap();
    assert_eq!(drawn.hits.at(x, y).unwrap().press, Some(Invocation::of("schema.toggle")));
    desk.command("schema.toggle");
    let shown = picture(&desk);
    assert!(shown.contains("▾ okta_user") && shown.contains("╰─ status"), "{shown}");
}

#[test]
fn names_that_are_too_long_are_cut_in_the_middle_and_said_in_full() {
    let mut desk = Desk::with_case(80, 24);
    desk.give(Invocation::of("schema.select").with("index", 2));
    let shown = picture(&desk);
    assert!(shown.contains("▸ azuread…ails_report"), "{shown}");
    assert!(shown.contains("1,234"), "{shown}");
}

#[test]
fn what_runs_shows_its_time_and_how_to_stop_it() {
    let mut desk = Desk::with_case(120, 36);
    desk.writes("SELECT 1");
    desk.command("query.run");
    assert!(!picture(&desk).contains("cancels"), "what is over soon does not flicker");
    desk.later(Moment::from_millis(1_400), Event::Tick);
    assert!(
        picture(&desk).contains("1.4 s, Esc cancels") || picture(&desk).contains("1.4 s, Ctrl-C cancels")
    );
}

#[test]
fn an_answer_shows_and_is_read_only_once_it_was_given() {
    let mut desk = Desk::new(200, 60);
    let answer = Answer {
        verdict: Some(Verdict::Yes),
        subjects: Some(vec!["a@x".to_owned(), "A@x".to_owned()]),
        facts: None,
        answer: "It is so.".to_owned(),
    };
    desk.open(schema(), Some(task()), Some(answer));
    let shown = picture(&desk);
    for wanted in
        ["✓ answered: yes, 2 subjects, 3 words", "● yes", "2, 1 twice", "It is so.", "nothing can be changed"]
    {
        assert!(shown.contains(wanted), "{wanted}\n{shown}");
    }
    assert!(!shown.contains("Submit"));
}

#[test]
fn verdicts_are_chosen_by_the_mouse() {
    let mut desk = Desk::with_case(200, 60);
    let gives = desk.click(&plain(), "○ no");
    assert_eq!(gives, Some(Invocation::of("answer.verdict").with("verdict", "no")));
    assert!(picture(&desk).contains("● no"));
}

#[test]
fn the_question_folds_and_hints_stay() {
    let mut desk = Desk::with_case(80, 24);
    desk.command("trial.hint");
    desk.state.notices.hide();
    let shown = picture(&desk);
    assert!(shown.contains("hint 1") && shown.contains("Look at password_enabled."), "{shown}");
    assert_eq!(desk.click(&plain(), "Which IAM users"), Some(Invocation::of("question.fold")));
    let shown = picture(&desk);
    assert!(shown.contains("P-01") && !shown.contains("hint 1"), "{shown}");
}

#[test]
fn borders_are_dragged() {
    let desk = Desk::with_case(120, 36);
    let (buffer, drawn) = desk.draw(&plain());
    let (x, _) = place_of(&buffer, "query 1").unwrap();
    let border = drawn.hits.at(x - 3, 20).unwrap().surface.clone().unwrap();
    let gives = border.at(40, 20, true).unwrap();
    assert_eq!((gives.arguments["pane"].as_str(), gives.arguments["to"].as_u64()), (Some("side"), Some(33)));
}

#[test]
fn a_line_of_a_megabyte_is_drawn_as_far_as_it_shows() {
    let mut desk = Desk::with_case(120, 36);
    desk.writes(&"x".repeat(1 << 20));
    let shown = picture(&desk);
    assert!(shown.contains("xxxx"));
    desk.keys("home");
    assert!(picture(&desk).contains(&format!(" 1 {}", "x".repeat(40))));
}

#[test]
fn ascii_is_enough() {
    let mut desk = Desk::with_case(120, 36);
    desk.gives_rows(&["email"], vec![vec![text("a@x")], vec![Value::Null]], None);
    desk.command("answer.mark");
    desk.command("schema.expand");
    let (buffer, _) = desk.draw(&Theme::plain(Symbols::ASCII));
    for line in lines(&buffer) {
        assert!(line.is_ascii(), "{line}");
    }
}

#[test]
fn every_theme_draws_it() {
    let mut desk = Desk::with_case(120, 36);
    desk.gives_rows(&["email"], vec![vec![text("a@x")]], None);
    let library = Library::embedded();
    for theme in library.all() {
        for depth in Depth::ALL {
            let theme = library.theme(&theme.name, depth, Symbols::UNICODE).unwrap();
            desk.draw(&theme);
        }
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::Integer),
        any::<f64>().prop_filter("no NaN", |it| !it.is_nan()).prop_map(Value::Real),
        "\\PC{0,30}|[a-z]{0,80}|(\\p{Any}){0,12}".prop_map(Value::Text),
        proptest::collection::vec(any::<u8>(), 0..40).prop_map(Value::Blob),
        Just(Value::InvalidText(vec![0xff, b'a'])),
    ]
}

const COMMANDS: &[&str] = &[
    "focus.schema",
    "focus.editor",
    "focus.grid",
    "focus.answer",
    "schema.expand",
    "grid.freeze",
    "grid.hide",
    "answer.mark",
    "answer.mark_all",
    "pane.side",
    "question.fold",
    "trial.hint",
    "buffer.new",
    "buffer.next",
    "answer.write",
    "query.run",
    "editor.leave",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn nothing_that_is_open_makes_it_panic(
        width in 60_u16..400, height in 16_u16..120,
        sql in "(\\PC|[a-z]{1,9}| |\n|;|名|\\(|\\)|'|\u{202e}|\t){0,60}",
        prose in "(\\PC|[a-z]{1,9}| |\n){0,60}",
        rows in proptest::collection::vec(proptest::collection::vec(any_value(), 6), 0..30),
        commands in proptest::collection::vec(0..COMMANDS.len(), 0..8),
        moves in proptest::collection::vec(-40_i64..40, 0..6),
        offset in 0_usize..80,
        then in (60_u16..400, 16_u16..120),
    ) {
        let mut desk = Desk::with_case(width, height);
        desk.gives_rows(&["a", "b", "名前", "d", "d", "a very long name of a column indeed"], rows, None);
        desk.writes(&sql);
        desk.give(Invocation::of("answer.prose").with("text", prose));
        for (nth, command) in commands.into_iter().enumerate() {
            desk.command(COMMANDS[command]);
            if let Some(by) = moves.get(nth) {
                desk.give(Invocation::of("grid.move").with("to", "down").with("by", *by));
                desk.give(Invocation::of("grid.move").with("to", "right").with("by", *by));
                desk.give(Invocation::of("schema.move").with("by", *by));
                desk.give(Invocation::of("editor.scroll").with("by", *by));
                desk.give(Invocation::of("answer.move").with("by", *by));
            }
            desk.draw(&plain());
        }
        if let Some(space) = &mut desk.state.workspace {
            space.editor.buffer_mut().error = Some(offset);
        }
        desk.draw(&plain());
        desk.event(Event::Resized(Size { width: then.0, height: then.1 }));
        let (buffer, drawn) = desk.draw(&plain());
        if let Some((x, y)) = drawn.cursor {
            prop_assert!(x < then.0 && y < then.1);
        }
        prop_assert_eq!(buffer.area.width, then.0);
    }
}
