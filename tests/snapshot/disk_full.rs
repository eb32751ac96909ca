//! A full disk: the import is refused, and nothing is left.
//!
//! As root on a file system of 1 MiB that the test mounts; elsewhere under a limit on the size of a file, which fails the
//! same writes. Both run in a child process, so that neither outlives the test.

use crate::support::{Place, facts};
use casebook::snapshot::{ImportError, Store, import};
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

const STORE: &str = "CASEBOOK_TEST_FULL_STORE";

#[test]
fn a_full_disk_is_named_and_nothing_is_left() {
    if let Some(store) = std::env::var_os(STORE) {
        return import_into(Path::new(&store));
    }
    let place = Place::new();
    // 3 MB that do not compress.
    place.database(
        "big.sqlite",
        "CREATE TABLE t(x); WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c
        WHERE n < 300) INSERT INTO t SELECT randomblob(10000) FROM c",
    );
    let store = place.path("small");
    std::fs::create_dir(&store).unwrap();
    let me = std::env::current_exe().unwrap();
    let name = "disk_full::a_full_disk_is_named_and_nothing_is_left";
    let tiny = format!("mount -t tmpfs -o size=1m tmpfs '{}'", store.display());
    let can_mount =
        Command::new("unshare").args(["-m", "sh", "-c", &tiny]).output().is_ok_and(|it| it.status.success());
    let prepare = if can_mount { tiny } else { "trap '' XFSZ; ulimit -f 1024".to_owned() };
    let shell = format!("{prepare} && exec '{}' --exact {name} --nocapture", me.display());
    let mut command = if can_mount { Command::new("unshare") } else { Command::new("sh") };
    if can_mount {
        command.args(["-m", "sh"]);
    }
    let output = command.args(["-c", &shell]).env(STORE, &store).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "mounted: {can_mount}\n{text}");
}

fn import_into(data: &Path) {
    let store = Store::new(Some(data));
    let source = data.parent().unwrap().join("big.sqlite");
    let error = import(&store, &source, &facts(), SystemTime::now(), &mut |_| true).unwrap_err();
    assert!(matches!(error, ImportError::Store { .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("No space left") || text.contains("File too large"), "{text}");
    let left: Vec<_> = std::fs::read_dir(store.folder().unwrap()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}
