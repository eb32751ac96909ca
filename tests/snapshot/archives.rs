//! A tar or zip of a package: taken if it is one, refused if it tries anything else.

use crate::support::{Place, sample};
use casebook::snapshot::{DATA_FILE, MANIFEST_FILE};
use std::io::Write as _;
use tar::{EntryType, Header};

fn files() -> [(&'static str, Vec<u8>); 2] {
    [MANIFEST_FILE, DATA_FILE].map(|name| (name, std::fs::read(sample().join(name)).unwrap()))
}

/// A tar of these entries. The name is written raw, so that paths can be as hostile as they like.
fn tar_of(entries: &[(EntryType, &str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (kind, name, content) in entries {
        let mut header = Header::new_ustar();
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        if matches!(kind, EntryType::Symlink | EntryType::Link) {
            header.set_link_name("/etc/passwd").unwrap();
        }
        header.set_cksum();
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(content);
        bytes.resize(bytes.len().next_multiple_of(512), 0);
    }
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}

fn zip_of(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in entries {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A zip in which a second file has taken the name of the first, in both of its directories.
fn zip_twice(manifest: &[u8], data: &[u8]) -> Vec<u8> {
    let other = "manifest.jsoN";
    let mut bytes = zip_of(&[(MANIFEST_FILE, manifest), (other, b"{}"), (DATA_FILE, data)]);
    while let Some(at) = bytes.windows(other.len()).position(|it| it == other.as_bytes()) {
        bytes[at..at + other.len()].copy_from_slice(MANIFEST_FILE.as_bytes());
    }
    bytes
}

/// A PAX record of these keys and values.
fn pax(pairs: &[(&str, &str)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (key, value) in pairs {
        let rest = format!(" {key}={value}\n");
        let length =
            (1..1000).find(|length: &usize| length.to_string().len() + rest.len() == *length).unwrap();
        bytes.extend_from_slice(format!("{length}{rest}").as_bytes());
    }
    bytes
}

/// Tools write times and owners in records of their own; that is no attack. Names and sizes there could be.
#[test]
fn records_beside_a_file_are_read_with_a_bound() {
    let [(_, manifest), (_, data)] = files();
    let regular = EntryType::Regular;
    let package = [(regular, MANIFEST_FILE, manifest.as_slice()), (regular, DATA_FILE, data.as_slice())];
    let with = |kind: EntryType, record: &[u8]| {
        tar_of(&[(kind, "PaxHeaders/manifest.json", record), package[0], package[1]])
    };
    let place = Place::new();
    let times = pax(&[("mtime", "1750000000.25"), ("uname", "somebody")]);
    place.import(&place.file("times.tar", with(EntryType::XHeader, &times))).unwrap();
    place.import(&place.file("global.tar", with(EntryType::XGlobalHeader, &times))).unwrap();
    let place = Place::new();
    let long = vec![b'a'; 2 << 20];
    for (name, kind, record, wanted) in [
        (
            "path.tar.zst",
            EntryType::XHeader,
            pax(&[("path", "../../x")]),
            "gives another path than the header",
        ),
        ("size.tar.zst", EntryType::XHeader, pax(&[("size", "99999999999")]), "gives another size"),
        ("gnu.tar.zst", EntryType::GNULongName, b"../x\0".to_vec(), "a longer name than those of a package"),
        ("long-gnu.tar.zst", EntryType::GNULongName, long.clone(), "a longer name"),
        ("long-pax.tar.zst", EntryType::XHeader, long.clone(), "longer than 1 MiB"),
        ("long-global.tar.zst", EntryType::XGlobalHeader, long, "longer than 1 MiB"),
    ] {
        let tar = with(kind, &record);
        let error = place.refused(&place.file(name, zstd::encode_all(&tar[..], 1).unwrap()));
        assert!(error.contains(wanted), "{name}: {error}");
    }
}

#[test]
fn a_tar_or_zip_of_a_package_is_imported() {
    let [(manifest_name, manifest), (data_name, data)] = files();
    let regular = EntryType::Regular;
    let flat = tar_of(&[(regular, manifest_name, &manifest), (regular, data_name, &data)]);
    let nested = tar_of(&[
        (EntryType::Directory, "./acme/", b""),
        (regular, "./acme/data.sqlite.zst", &data),
        (regular, "./acme/manifest.json", &manifest),
    ]);
    let zip = zip_of(&[(manifest_name, &manifest), (data_name, &data)]);
    for (name, bytes) in [
        ("flat.tar", flat.clone()),
        ("nested.tar", nested),
        ("packed.tar.zst", zstd::encode_all(&flat[..], 3).unwrap()),
        ("package.zip", zip),
    ] {
        let place = Place::new();
        let outcome =
            place.import(&place.file(name, bytes)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(outcome.snapshot.manifest.name, "sample");
        assert_eq!(outcome.snapshot.problems(), Vec::new());
    }
}

#[test]
fn an_archive_that_tries_anything_else_is_refused() {
    let [(_, manifest), (_, data)] = files();
    let (manifest, data) = (manifest.as_slice(), data.as_slice());
    let regular = EntryType::Regular;
    let good = [(regular, MANIFEST_FILE, manifest), (regular, DATA_FILE, data)];
    let plus = |entry: (EntryType, &'static str, &'static [u8])| tar_of(&[good[0], good[1], entry]);
    let place = Place::new();
    for (name, bytes, wanted) in [
        ("up", plus((regular, "../manifest.json", b"x")), "'../manifest.json' leaves the archive"),
        ("deep-up", plus((regular, "a/../../x", b"x")), "leaves the archive"),
        ("absolute", plus((regular, "/etc/cron.d/x", b"x")), "leaves the archive"),
        ("backslash", plus((regular, "..\\manifest.json", b"x")), "leaves the archive"),
        ("drive", plus((regular, "C:manifest.json", b"x")), "leaves the archive"),
        ("symlink", plus((EntryType::Symlink, "manifest.json", b"")), "is a link or a device"),
        ("hardlink", plus((EntryType::Link, "data.sqlite.zst", b"")), "is a link or a device"),
        ("device", plus((EntryType::Char, "manifest.json", b"")), "is a link or a device"),
        ("pipe", plus((EntryType::Fifo, "manifest.json", b"")), "is a link or a device"),
        ("twice", plus((regular, "./manifest.json", b"x")), "manifest.json is there twice"),
        ("stranger", plus((regular, "run.sh", b"x")), "'run.sh' is no part of a package"),
        ("escape", plus((regular, "\u{1b}[2Jx", b"x")), "'␛[2Jx' is no part of a package"),
        ("deep", plus((regular, "a/b/manifest.json", b"x")), "is no part of a package"),
        (
            "two-folders",
            tar_of(&[(regular, "a/manifest.json", manifest), (regular, "b/data.sqlite.zst", data)]),
            "its files lie in different folders",
        ),
        ("missing", tar_of(&good[..1]), "data.sqlite.zst is missing"),
        ("nothing", tar_of(&[(EntryType::Directory, "acme/", b"")]), "manifest.json is missing"),
        ("cut", tar_of(&good)[..2000].to_vec(), "it is damaged"),
        ("other.zst", zstd::encode_all(&b"no tar"[..], 3).unwrap(), "refused"),
        ("zip-up", zip_of(&[("../manifest.json", manifest)]), "leaves the archive"),
        ("zip-absolute", zip_of(&[("/manifest.json", manifest)]), "leaves the archive"),
        ("zip-stranger", zip_of(&[(MANIFEST_FILE, manifest), ("x", b"x")]), "'x' is no part of a package"),
        ("zip-twice", zip_twice(manifest, data), "a name is there twice"),
        ("zip-cut", zip_of(&[(MANIFEST_FILE, manifest)])[..50].to_vec(), "is refused"),
    ] {
        let error = place.refused(&place.file(name, bytes));
        assert!(error.contains(wanted), "{name}: {error}");
    }
}

/// A zip can hold a symbolic link too, told by its mode.
#[test]
fn a_link_in_a_zip_is_refused() {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    writer.add_symlink(MANIFEST_FILE, "/etc/passwd", zip::write::SimpleFileOptions::default()).unwrap();
    let place = Place::new();
    let error = place.refused(&place.file("link.zip", writer.finish().unwrap().into_inner()));
    assert!(error.contains("'manifest.json' is a link"), "{error}");
}

#[test]
fn an_archive_that_unpacks_to_far_more_than_its_size_is_refused() {
    let place = Place::new();
    let zeros = vec![0; 64 << 20];
    let bomb = zip_of(&[(DATA_FILE, &zeros)]);
    assert!(bomb.len() < 1 << 20, "{}", bomb.len());
    let error = place.refused(&place.file("bomb.zip", bomb));
    assert!(error.contains("it is no honest package"), "{error}");
    let tar = tar_of(&[(EntryType::Regular, DATA_FILE, &zeros)]);
    let error = place.refused(&place.file("bomb.tar.zst", zstd::encode_all(&tar[..], 3).unwrap()));
    assert!(error.contains("it is no honest package"), "{error}");
}
