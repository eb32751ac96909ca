//! What a colour can mean. Pages ask for a meaning; only themes know colours.
//!
//! A role is never a widget: the same `danger` serves a notice, a failed call and a lost field.

/// Writes the roles once, as the enum, the list, the names and the meanings.
macro_rules! roles {
    ($($role:ident $name:literal $meaning:literal)*) => {
        /// A meaning that a theme gives a style to.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Role {
            $(#[doc = $meaning] $role,)*
        }

        impl Role {
            /// Every role, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$role,)*];

            /// Its name in a theme file.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$role => $name,)*
                }
            }

            /// What it is for, in one sentence.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$role => $meaning,)*
                }
            }
        }
    };
}

roles! {
    Text "text" "Body text."
    Muted "muted" "Text of second rank: hints, units, what stands beside the matter."
    Faint "faint" "Text of third rank: placeholders, what is switched off."
    Strong "strong" "Words that stand out of body text."
    Title "title" "Titles of areas and popups."
    Accent "accent" "The one colour of the theme, where the eye should go first."
    AccentText "accent_text" "Text on a ground of the accent."
    Heading "heading" "Heads of columns and of groups."
    Border "border" "Lines around and between areas. Quiet: they only divide."
    FocusBorder "focus_border" "The line around the area that has the keys."
    Selection "selection" "The selected row or item, in the area that has the keys."
    SelectionUnfocused "selection_unfocused" "The selected row or item, in any other area."
    CursorLine "cursor_line" "The line of the editor that holds the cursor."
    Cursor "cursor" "The cursor, where the screen draws it."
    Marked "marked" "Rows that were marked as subjects of the answer."
    Chip "chip" "A small label, such as a platform or a filter that is off."
    ChipActive "chip_active" "A small label that is chosen, or a filter that is on."
    KeyHint "key_hint" "Keys in the status line and in menus."
    Match "match" "Letters that a fuzzy search found."
    SearchHit "search_hit" "Text that a search found in a page."
    Danger "danger" "Failure, loss, a wrong answer, what can't be taken back."
    Warning "warning" "What needs a look before going on."
    Success "success" "Passed, right, done."
    Info "info" "News without a judgement."
    Added "added" "What is only in the later of two things."
    Removed "removed" "What is only in the earlier of two things."
    Agree "agree" "Raters, judges or replays that agree."
    Disagree "disagree" "Raters, judges or replays that disagree."
    NullValue "null_value" "NULL in a result."
    NumberValue "number_value" "Integers and reals in a result."
    TextValue "text_value" "Text in a result."
    BlobValue "blob_value" "Bytes in a result."
    EmptyValue "empty_value" "The empty text in a result."
    LineNumber "line_number" "Numbers of lines, rows and steps."
    Scrollbar "scrollbar" "The groove of a scrollbar."
    ScrollbarThumb "scrollbar_thumb" "The part of a scrollbar that shows the place."
    Overlay "overlay" "The ground of popups."
    Notice "notice" "A notice that can wait."
    NoticeError "notice_error" "A notice of something that failed."
    ErrorUnderline "error_underline" "The piece of a statement that an error is about."
    BracketMatch "bracket_match" "The bracket that belongs to the one at the cursor."
    SyntaxKeyword "syntax_keyword" "SQL keywords; keywords of other languages."
    SyntaxFunction "syntax_function" "Names of functions."
    SyntaxName "syntax_name" "Names of tables, columns and aliases."
    SyntaxQuotedName "syntax_quoted_name" "Names in quotation marks."
    SyntaxString "syntax_string" "Text literals."
    SyntaxNumber "syntax_number" "Number literals."
    SyntaxComment "syntax_comment" "Comments."
    SyntaxOperator "syntax_operator" "Operators, commas and semicolons."
    SyntaxBracket "syntax_bracket" "Brackets."
    SyntaxParameter "syntax_parameter" "Parameters, such as `?1` or `:name`."
    SyntaxJsonKey "syntax_json_key" "Keys of JSON objects."
}

impl Role {
    /// How many there are.
    pub const COUNT: usize = Self::ALL.len();

    /// The role of a name in a theme file.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|role| role.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_snake_case_and_lead_back() {
        for (index, role) in Role::ALL.iter().enumerate() {
            assert_eq!(*role as usize, index, "the place in ALL is the place of the style");
            assert_eq!(Role::named(role.name()), Some(*role));
            let mut snake = String::new();
            for (at, character) in format!("{role:?}").chars().enumerate() {
                if character.is_uppercase() && at > 0 {
                    snake.push('_');
                }
                snake.extend(character.to_lowercase());
            }
            assert_eq!(role.name(), snake);
            assert!(role.meaning().ends_with('.'), "{role:?}");
        }
        assert_eq!(Role::named("Text"), None);
    }
}
