//! Help says what a newcomer needs, at every level.

use crate::support::call;

#[test]
fn every_command_has_help_with_an_example_within_100_columns() {
    let mut pages = vec![(String::new(), casebook::cli::definition())];
    let mut checked = 0;
    while let Some((path, mut page)) = pages.pop() {
        for command in page.get_subcommands().filter(|command| command.get_name() != "help") {
            pages.push((format!("{path} {}", command.get_name()), command.clone()));
        }
        let has_actions = page.get_subcommands().next().is_some();
        let text = page.render_long_help().to_string();
        assert!(path.is_empty() || has_actions || text.contains("Example"), "{path} has no example");
        assert!(text.lines().all(|line| line.chars().count() <= 120), "{path} is too wide:\n{text}");
        checked += 1;
    }
    assert!(checked >= 9, "{checked}");
}

#[test]
fn mistakes_in_the_arguments_have_code_2() {
    for arguments in [
        &["nonsense"][..],
        &["query"],
        &["query", "SELECT 1", "--csv", "--json"],
        &["snapshot"],
        &["query", "SELECT 1", "--timeout", "-3"],
        &["snapshot", "verify"],
    ] {
        assert_eq!(call(arguments).code, 2, "{arguments:?}");
    }
    assert_eq!(call(&["--version"]).code, 0);
    let without = call(&[]);
    assert_eq!(without.code, 3);
    assert!(without.err.contains("needs a terminal") && without.err.contains("--plain"), "{}", without.err);
}
