//! Why a theme can't be used. Each message names the file, the key and the next step.

/// A fault in a theme file, or a theme that is not there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ThemeError {
    /// The file is no TOML.
    #[error("theme file {file}, line {line}: {reason}; correct the TOML there")]
    Syntax {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What the parser said.
        reason: String,
    },
    /// A value is of a kind that the key does not take.
    #[error("theme file {file}: '{key}' is {found}; write {wanted}")]
    WrongType {
        /// The file.
        file: String,
        /// The key, with dots.
        key: String,
        /// What stands there.
        found: String,
        /// What may stand there.
        wanted: String,
    },
    /// A key that the file must have is not there.
    #[error("theme file {file}: '{key}' is missing; add {wanted}")]
    MissingKey {
        /// The file.
        file: String,
        /// The key.
        key: String,
        /// What to add.
        wanted: String,
    },
    /// A key that means nothing.
    #[error("theme file {file}: there is no key '{key}'; {hint}")]
    UnknownKey {
        /// The file.
        file: String,
        /// The key, with dots.
        key: String,
        /// What it may have meant, or what there is.
        hint: String,
    },
    /// A role that does not exist.
    #[error("theme file {file}: there is no role '{role}'; {hint}")]
    UnknownRole {
        /// The file.
        file: String,
        /// The name.
        role: String,
        /// What it may have meant.
        hint: String,
    },
    /// A colour that is neither in the palette nor a colour.
    #[error("theme file {file}: '{key}' names the colour '{colour}', which there is not; {hint}")]
    UnknownColour {
        /// The file whose value it is.
        file: String,
        /// The key, with dots.
        key: String,
        /// The colour as it is written.
        colour: String,
        /// What may stand there.
        hint: String,
    },
    /// A modifier that does not exist.
    #[error(
        "theme file {file}: '{key}' has the modifier '{modifier}'; there are bold, dim, italic, underline and reverse"
    )]
    UnknownModifier {
        /// The file.
        file: String,
        /// The key, with dots.
        key: String,
        /// The modifier as it is written.
        modifier: String,
    },
    /// Roles have no style, after everything that is inherited.
    #[error(
        "theme file {file}: no style for {}; add them under [role], or write inherits = \"default-dark\"",
        roles.join(", ")
    )]
    MissingRoles {
        /// The file of the theme that was asked for.
        file: String,
        /// Their names.
        roles: Vec<String>,
    },
    /// A theme inherits from one that does not exist.
    #[error("theme file {file}: 'inherits' names the theme '{parent}', which there is not; {hint}")]
    UnknownParent {
        /// The file.
        file: String,
        /// The name.
        parent: String,
        /// What it may have meant, and what there is.
        hint: String,
    },
    /// A theme inherits from itself, by way of others or not.
    #[error(
        "theme file {file}: 'inherits' goes in a circle: {}; remove one of them, or let it inherit default-dark",
        circle.join(" > ")
    )]
    Circle {
        /// The file where the circle was met.
        file: String,
        /// The names, the first again at the end.
        circle: Vec<String>,
    },
    /// Two files have the same name.
    #[error("theme file {file}: there is already a theme '{name}' ({other}); write another name")]
    NameTaken {
        /// The file that is left out.
        file: String,
        /// The name.
        name: String,
        /// The file that has it.
        other: String,
    },
    /// A theme that does not exist.
    #[error("there is no theme '{name}'; {hint}")]
    UnknownTheme {
        /// The name.
        name: String,
        /// What it may have meant, and what there is.
        hint: String,
    },
}

/// `did you mean 'x'?` for the nearest of some names, if one is near enough to be a slip, and all of them otherwise.
pub(super) fn hint<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    let nearest = names.iter().map(|name| (slips(wrong, name), *name)).min();
    match nearest {
        Some((distance, name)) if distance <= 2.max(wrong.chars().count() / 3) => {
            format!("did you mean '{name}'?")
        }
        _ => format!("there are {}", names.join(", ")),
    }
}

/// The number of letters to add, drop or change to make one word of another (Levenshtein's distance).
fn slips(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (column, against) in other.iter().enumerate() {
            let change = diagonal + usize::from(letter != *against);
            diagonal = row[column + 1];
            row[column + 1] = change.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_slips_and_offers_the_nearest() {
        for (one, other, distance) in
            [("", "abc", 3), ("kitten", "sitting", 3), ("text", "text", 0), ("ab", "ba", 2)]
        {
            assert_eq!(slips(one, other), distance, "{one} {other}");
            assert_eq!(slips(other, one), distance, "{other} {one}");
        }
        let names = || ["danger", "warning"].into_iter();
        assert_eq!(hint("dangre", names()), "did you mean 'danger'?");
        assert_eq!(hint("something", names()), "there are danger, warning");
    }
}
