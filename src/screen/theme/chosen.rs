//! The theme to draw with, built anew only when something it follows from has changed.

use super::choose::{Mode, Wanted, choose};
use super::{Depth, Environment, Library, Symbols, Theme};

/// The theme in use.
#[derive(Debug, Clone)]
pub struct ChosenTheme {
    library: Library,
    wanted: Wanted,
    depth: Depth,
    symbols: Symbols,
    environment: Environment,
    /// What the theme was chosen for: the person's choice and the terminal's answer.
    chosen_for: Option<(String, Option<Mode>)>,
    theme: Theme,
}

impl ChosenTheme {
    /// A theme of a library, by the settings and the environment.
    pub fn new(
        library: Library,
        wanted: Wanted,
        depth: Depth,
        symbols: Symbols,
        environment: Environment,
    ) -> Self {
        let theme = Theme::plain(symbols);
        Self { library, wanted, depth, symbols, environment, chosen_for: None, theme }
    }

    /// How many colours the terminal has.
    pub const fn depth(&self) -> Depth {
        self.depth
    }

    /// The theme for what the person chose (`auto` leaves it to the settings) and what the terminal answered.
    pub fn get(&mut self, choice: &str, answer: Option<Mode>) -> &Theme {
        let wanted_for = (choice.to_owned(), answer);
        if self.chosen_for.as_ref() != Some(&wanted_for) {
            let theme = if choice == "auto" { self.wanted.theme.clone() } else { Some(choice.to_owned()) };
            let name = choose(&Wanted { theme, ..self.wanted.clone() }, answer, &self.environment);
            // A theme that is broken was named when the library was read.
            (self.theme, _) = self.library.theme_or_default(&name, self.depth, self.symbols);
            self.chosen_for = Some(wanted_for);
        }
        &self.theme
    }
}

#[cfg(test)]
mod tests {
    use super::ChosenTheme;
    use crate::screen::theme::{Depth, Environment, Library, Mode, Symbols, Wanted};

    #[test]
    fn the_theme_follows_the_choice_and_the_terminal() {
        let mut chosen = ChosenTheme::new(
            Library::embedded(),
            Wanted::default(),
            Depth::TrueColour,
            Symbols::UNICODE,
            Environment::new(),
        );
        assert_eq!(chosen.get("auto", None).name, "slate");
        assert_eq!(chosen.get("auto", Some(Mode::Light)).name, "default-light");
        assert_eq!(chosen.get("ledger", Some(Mode::Dark)).name, "ledger");
        assert_eq!(chosen.get("no-such", Some(Mode::Dark)).name, "slate");
    }
}
