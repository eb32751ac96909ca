//! `casebook snapshot`: the life of a package, as a user goes through it.

use crate::support::{Printed, casebook, data};
use std::io::{Read as _, Write as _};
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
    assert!(list.contains("medium") && list.contains("built in") && list.contains("Tenant Ltd"), "{list}");
    let list: serde_json::Value = serde_json::from_str(&call(&["snapshot", "list", "--json"]).out).unwrap();
    assert_eq!((&list[3]["name"], &list[3]["rows"]), (&"tenant".into(), &2.into()));
    let revision = list[3]["revision"].as_str().unwrap();

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
    assert!(printed.out.contains("medium"), "{}", printed.err);
    let mut command = casebook(folder.path());
    command.env_remove("CASEBOOK_DATA_DIR").env_remove("HOME").env_remove("XDG_DATA_HOME");
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/packages/sample");
    let printed = Printed::of(command.args(["snapshot", "import"]).arg(sample).output().unwrap());
    assert!(printed.err.contains("set CASEBOOK_DATA_DIR or HOME"), "{}", printed.err);
}

/// Data of a tenant must not steer the terminal of who looks at it, in JSON neither.
#[test]
fn json_spells_out_what_could_steer_a_terminal() {
    let folder = data();
    let source = folder.path().join("tenant.sqlite");
    let odd = "a\u{202e}b\u{9b}2Jc\u{200b}";
    let connection = rusqlite::Connection::open(&source).unwrap();
    connection
        .execute_batch(&format!("CREATE TABLE \"{odd}\"(x); INSERT INTO \"{odd}\" VALUES ('{odd}')"))
        .unwrap();
    connection.close().unwrap();
    let source = source.to_str().unwrap();
    let call = |arguments: &[&str]| call(folder.path(), arguments);
    let import = call(&[
        "snapshot",
        "import",
        source,
        "--release-date",
        "2026-05-01",
        "--organisation",
        odd,
        "--json",
    ]);
    let from = format!("SELECT * FROM \"{odd}\"");
    for printed in [
        import,
        call(&["snapshot", "list", "--json"]),
        call(&["snapshot", "show", "tenant", "--json"]),
        call(&["snapshot", "verify", "--all", "--json"]),
        call(&["schema", "--snapshot", "tenant", "--json"]),
        call(&["query", "--snapshot", "tenant", "--json", &from]),
        call(&["analyze", "--snapshot", "tenant", &from]),
    ] {
        assert_eq!(printed.code, 0, "{}", printed.err);
        let hidden = |it: char| matches!(it, '\u{202e}' | '\u{9b}' | '\u{200b}');
        assert!(!printed.out.contains(hidden), "{:?}", printed.out);
        serde_json::from_str::<serde_json::Value>(&printed.out).unwrap();
    }
}

/// A record of a gigabyte, packed to some kilobytes, meets a process that may have 300 MB.
#[test]
fn a_record_that_unpacks_to_a_gigabyte_takes_no_memory() {
    let folder = data();
    for (kind, wanted) in [(tar::EntryType::GNULongName, "a longer name"), (tar::EntryType::XHeader, "1 MiB")]
    {
        let path = folder.path().join("bomb.tar.zst");
        let mut packed = zstd::Encoder::new(std::fs::File::create(&path).unwrap(), 1).unwrap();
        let mut header = tar::Header::new_ustar();
        header.set_entry_type(kind);
        header.set_size(1 << 30);
        header.set_cksum();
        packed.write_all(header.as_bytes()).unwrap();
        std::io::copy(&mut std::io::repeat(b'a').take(1 << 30), &mut packed).unwrap();
        packed.finish().unwrap();
        let output = std::process::Command::new("sh")
            .args([
                "-c",
                "ulimit -v 300000; exec \"$0\" snapshot import \"$1\"",
                env!("CARGO_BIN_EXE_casebook"),
            ])
            .arg(&path)
            .env("CASEBOOK_DATA_DIR", folder.path())
            .output()
            .unwrap();
        let printed = Printed::of(output);
        assert_eq!(printed.code, 3, "{}", printed.err);
        assert!(printed.err.contains(wanted), "{}", printed.err);
    }
}

#[test]
fn a_generated_snapshot_is_imported_and_its_rates_are_counted() {
    let folder = data();
    let call = |arguments: &[&str]| call(folder.path(), arguments);
    let target = folder.path().join("bank");
    let generate = ["snapshot", "generate", "--people", "60", "--seed", "5", "--archetype", "bank", "--out"];
    let arguments: Vec<&str> = generate.into_iter().chain([target.to_str().unwrap()]).collect();
    let printed = call(&arguments);
    assert!(printed.out.starts_with("generated: bank-60 ("), "{}{}", printed.out, printed.err);
    let printed = call(&arguments);
    assert_eq!(printed.code, 3);
    assert!(printed.err.contains("exists already; choose another folder"), "{}", printed.err);
    for (wrong, wanted) in [
        (["--people", "24"], "24 is not in 25..=1000000"),
        (["--archetype", "circus"], "possible values: software, hospital, bank"),
        (["--release-date", "1999-01-01"], "the release date 1999-01-01 is outside"),
        (["--name", "../up"], "is no snapshot name"),
    ] {
        let mut arguments = vec!["snapshot", "generate", "--out", "/nowhere/x"];
        arguments.extend(wrong);
        if wrong[0] != "--people" {
            arguments.extend(["--size", "small"]);
        }
        let printed = call(&arguments);
        assert!(printed.code == 2 || printed.code == 3, "{wrong:?}: {}", printed.code);
        assert!(printed.err.contains(wanted), "{wrong:?}: {}", printed.err);
    }
    assert_eq!(call(&["snapshot", "import", target.to_str().unwrap()]).code, 0);
    let rates = call(&["snapshot", "rates", "small", "bank-60"]).out;
    assert!(rates.starts_with("| what | wanted | small | bank-60 |\n|---|--:|--:|--:|\n"), "{rates}");
    assert!(rates.contains("\n| HR: employed | 80 % | "), "{rates}");
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/packages/sample");
    assert_eq!(call(&["snapshot", "import", sample.to_str().unwrap()]).code, 0);
    let printed = call(&["snapshot", "rates", "sample"]);
    assert_eq!(printed.code, 3);
    assert!(printed.err.contains("rates are of generated snapshots only"), "{}", printed.err);
}
