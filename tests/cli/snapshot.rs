//! `casebook snapshot`: the life of a package, as a user goes through it.

use crate::support::{Printed, casebook, data};
use std::path::Path;

fn call(data: &Path, arguments: &[&str]) -> Printed {
    Printed::of(casebook(data).args(arguments).output().unwrap())
}

#[test]
fn import_list_show_verify_query_export() {
    let folder = data();
    let source = folder.path().join("tenant.sqlite");
    let connection = rusqlite::Connection::open(&source).unwrap();
    connection
        .execute_batch("CREATE TABLE account(id, owner); INSERT INTO account VALUES (1, 'a'), (2, 'b')")
        .unwrap();
    connection.close().unwrap();
    let source = source.to_str().unwrap();
    let call = |arguments: &[&str]| call(folder.path(), arguments);

    let printed = call(&["snapshot", "import", source]);
    assert_eq!(printed.code, 3);
    assert!(printed.err.contains("--release-date YYYY-MM-DD"), "{}", printed.err);
    let printed = call(&["snapshot", "import", source, "--release-date", "2026-02-30"]);
    assert_eq!(printed.code, 2);
    let given =
        ["snapshot", "import", source, "--release-date", "2026-05-01", "--organisation", "Tenant Ltd"];
    let printed = call(&given);
    assert!(
        printed.out.starts_with("imported: tenant (Tenant Ltd), revision "),
        "{}{}",
        printed.out,
        printed.err
    );
    assert!(call(&given).out.starts_with("was there already: tenant"));

    let list = call(&["snapshot", "list"]).out;
    assert!(list.contains("sample") && list.contains("built in") && list.contains("Tenant Ltd"), "{list}");
    let list: serde_json::Value = serde_json::from_str(&call(&["snapshot", "list", "--json"]).out).unwrap();
    assert_eq!((&list[1]["name"], &list[1]["rows"]), (&"tenant".into(), &2.into()));
    let revision = list[1]["revision"].as_str().unwrap();

    assert!(call(&["snapshot", "show", &revision[..8]]).out.contains("today         2026-05-01"));
    let manifest: serde_json::Value =
        serde_json::from_str(&call(&["snapshot", "show", "tenant", "--json"]).out).unwrap();
    assert_eq!(manifest["revision"], revision);
    let query =
        ["query", "--snapshot", "tenant", "--csv", "SELECT date('now') AS d, count(*) AS n FROM account"];
    assert_eq!(call(&query).out, "d,n\r\n2026-05-01,2\r\n");
    let target = folder.path().join("out.zip");
    let printed = call(&["snapshot", "export", "tenant", target.to_str().unwrap()]);
    assert_eq!(printed.code, 0, "{}", printed.err);
    assert_eq!(call(&["snapshot", "export", "tenant", target.to_str().unwrap()]).code, 3);

    assert_eq!(call(&["snapshot", "verify", "--all"]).code, 0);
    let data_file = folder.path().join("snapshots").join(revision).join("data.sqlite.zst");
    let mut bytes = std::fs::read(&data_file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&data_file, bytes).unwrap();
    let printed = call(&["snapshot", "verify", "tenant"]);
    assert_eq!(printed.code, 1);
    assert!(printed.out.starts_with("tenant: data.sqlite.zst: "), "{}", printed.out);
    assert_eq!(call(&["snapshot", "verify", "--all"]).code, 1);
    assert_eq!(call(&["query", "--snapshot", "tenant", "SELECT 1"]).code, 3);
    let report: serde_json::Value =
        serde_json::from_str(&call(&["snapshot", "verify", "tenant", "--json"]).out).unwrap();
    assert_eq!(report[0]["sound"], false);

    // A package folder, sound or not, can be verified without importing it.
    let package = folder.path().join("snapshots").join(revision);
    assert_eq!(call(&["snapshot", "verify", package.to_str().unwrap()]).code, 1);
    assert_eq!(call(&["snapshot", "verify", "./no-such-folder"]).code, 3);
}

#[test]
fn without_a_data_folder_the_built_in_snapshot_still_works() {
    let folder = data();
    let mut command = casebook(folder.path());
    command.env_remove("CASEBOOK_DATA_DIR").env_remove("HOME").env_remove("XDG_DATA_HOME");
    let printed = Printed::of(command.args(["snapshot", "list"]).output().unwrap());
    assert!(printed.out.contains("sample"), "{}", printed.err);
    let mut command = casebook(folder.path());
    command.env_remove("CASEBOOK_DATA_DIR").env_remove("HOME").env_remove("XDG_DATA_HOME");
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/packages/sample");
    let printed = Printed::of(command.args(["snapshot", "import"]).arg(sample).output().unwrap());
    assert!(printed.err.contains("set CASEBOOK_DATA_DIR or HOME"), "{}", printed.err);
}
