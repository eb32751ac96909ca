//! Identifiers as SQLite compares them: without their quotes, ASCII letters in lower case.

use std::borrow::Cow;

/// An identifier's comparable form. `"A""b"`, `[x]`, `` `x` `` and `'x'` lose their quotes; ASCII letters fold, other
/// scripts stay as they are, which is what SQLite does.
pub(super) fn fold(raw: &str) -> Cow<'_, str> {
    let bare = unquote(raw);
    if bare.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(bare.to_ascii_lowercase())
    } else {
        bare
    }
}

/// Whether an identifier was written in double quotes: the one form that SQLite takes for a string when no column
/// has that name.
pub(super) fn is_double_quoted(raw: &str) -> bool {
    raw.starts_with('"')
}

/// An identifier without its quotes, letters as they are.
pub(super) fn unquote(raw: &str) -> Cow<'_, str> {
    let mut chars = raw.chars();
    let (close, doubled) = match chars.next() {
        Some('"') => ('"', "\"\""),
        Some('`') => ('`', "``"),
        Some('\'') => ('\'', "''"),
        Some('[') => (']', ""),
        _ => return Cow::Borrowed(raw),
    };
    let Some(inner) = chars.as_str().strip_suffix(close) else { return Cow::Borrowed(raw) };
    if !doubled.is_empty() && inner.contains(doubled) {
        Cow::Owned(inner.replace(doubled, &doubled[1..]))
    } else {
        Cow::Borrowed(inner)
    }
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn quotes_fall_and_ascii_folds() {
        for (raw, folded) in [
            ("Okta_User", "okta_user"),
            ("\"Say \"\"hi\"\"\"", "say \"hi\""),
            ("[App Name]", "app name"),
            ("`x``y`", "x`y"),
            ("'it''s'", "it's"),
            ("ÄB", "Äb"),
            ("\"", "\""),
        ] {
            assert_eq!(fold(raw), folded, "{raw}");
        }
    }
}
