//! Names of snapshots and packs, as they are typed and as files are called.

/// Whether a text can be a short name: 1 to 64 of a-z, 0-9, `.`, `_` and `-`, not beginning with `.` or `-`.
pub fn is_short_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '_' | '-');
    (1..=64).contains(&name.len()) && name.chars().all(fits) && !name.starts_with(['.', '-'])
}

#[cfg(test)]
mod tests {
    use super::is_short_name;

    #[test]
    fn names_that_could_leave_their_folder_are_none() {
        for good in ["small", "cross-vendor", "a.b_c-1", "0", &"x".repeat(64)] {
            assert!(is_short_name(good), "{good}");
        }
        for bad in ["", ".", "..", ".a", "-a", "a/b", "a\\b", "A", "é", "a b", "a\0", &"x".repeat(65)] {
            assert!(!is_short_name(bad), "{bad:?}");
        }
    }
}
