//! Where Casebook keeps its data on this machine.

use std::path::PathBuf;

/// `CASEBOOK_DATA_DIR`, else `$XDG_DATA_HOME/casebook`, else `~/.local/share/casebook`, else `None`. `variable` reads an
/// environment variable; it is a parameter so that this stays a function of its input.
pub fn data_folder(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Option<PathBuf> {
    let set = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("CASEBOOK_DATA_DIR")
        .or_else(|| set("XDG_DATA_HOME").filter(|path| path.is_absolute()).map(|path| path.join("casebook")))
        .or_else(|| set("HOME").map(|home| home.join(".local/share/casebook")))
}

#[cfg(test)]
mod tests {
    use super::data_folder;
    use std::path::PathBuf;

    #[test]
    fn the_first_that_is_set_counts() {
        let with = |set: &[(&str, &str)]| {
            data_folder(|name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into()))
        };
        assert_eq!(with(&[("CASEBOOK_DATA_DIR", "/d"), ("HOME", "/h")]), Some(PathBuf::from("/d")));
        assert_eq!(with(&[("XDG_DATA_HOME", "/x"), ("HOME", "/h")]), Some(PathBuf::from("/x/casebook")));
        assert_eq!(
            with(&[("CASEBOOK_DATA_DIR", ""), ("XDG_DATA_HOME", "relative"), ("HOME", "/h")]),
            Some(PathBuf::from("/h/.local/share/casebook"))
        );
        assert_eq!(with(&[]), None);
    }
}
