//! Where a program is: it is started from another folder, so a path must not depend on this one.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// The program of this name in PATH, or at this path.
pub(super) fn find_program(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        // Absolute, but not through its links: some programs look at what they are called by.
        let path = std::path::absolute(name).ok()?;
        return can_be_run(&path).then_some(path);
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .filter(|folder| !folder.as_os_str().is_empty())
        .map(|folder| folder.join(name))
        .find(|path| can_be_run(path))
}

fn can_be_run(path: &Path) -> bool {
    path.metadata().is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::find_program;

    #[test]
    fn names_are_looked_up_and_paths_are_made_absolute() {
        assert!(find_program("sh").unwrap().is_absolute());
        assert!(find_program("/bin/sh").is_some());
        assert_eq!(find_program("no-such-program-here"), None);
        assert_eq!(find_program("./Cargo.toml"), None, "it can't be run");
    }
}
