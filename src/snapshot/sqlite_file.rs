//! A SQLite file that somebody hands us: is it one, is it whole, what is in it.

use crate::domain::TableDescription;
use rusqlite::{Connection, OpenFlags};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// What the first bytes of a file say it is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum FileKind {
    /// A SQLite database.
    Sqlite {
        /// In WAL mode (header bytes 18 and 19).
        wal: bool,
        /// Page size in bytes.
        page_size: u64,
        /// Pages that the header counts; `None` where it does not say.
        pages: Option<u64>,
    },
    /// The write-ahead log of a database.
    WriteAheadLog,
    /// A zip archive.
    Zip,
    /// A tar archive.
    Tar,
    /// Something compressed with Zstandard.
    Zstandard,
    /// Nothing known: an empty file, text, or bytes that look random.
    Other(&'static str),
}

/// Recognises a file by its first bytes.
pub(super) fn kind(path: &Path) -> io::Result<FileKind> {
    let mut head = Vec::new();
    File::open(path)?.take(4096).read_to_end(&mut head)?;
    Ok(kind_of(&head))
}

fn kind_of(head: &[u8]) -> FileKind {
    if head.len() >= 100 && head.starts_with(b"SQLite format 3\0") {
        let number =
            |at: usize| u64::from(u32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]));
        let page_size = match u16::from_be_bytes([head[16], head[17]]) {
            1 => 65_536,
            size => u64::from(size),
        };
        // The count is valid only if the last writer knew of it (sqlite.org/fileformat2.html, 1.3.7).
        let pages = (number(24) == number(92) && number(28) > 0).then(|| number(28));
        return FileKind::Sqlite { wal: head[18] == 2 || head[19] == 2, page_size, pages };
    }
    match head {
        [] => FileKind::Other("empty"),
        _ if head.starts_with(b"SQLite format 3\0") => {
            FileKind::Other("the beginning of a SQLite database only")
        }
        [0x37, 0x7f, 0x06, 0x82 | 0x83, ..] => FileKind::WriteAheadLog,
        [b'P', b'K', 3 | 5, 4 | 6, ..] => FileKind::Zip,
        [0x28, 0xb5, 0x2f, 0xfd, ..] => FileKind::Zstandard,
        _ if head.get(257..262) == Some(b"ustar") => FileKind::Tar,
        _ if std::str::from_utf8(head).is_ok() => FileKind::Other("a text file"),
        _ if looks_random(head) => FileKind::Other(
            "no SQLite database as it stands: its bytes look encrypted (SQLCipher, say). Decrypt it and try again",
        ),
        _ => FileKind::Other("no SQLite database"),
    }
}

/// Whether bytes have the entropy of a cipher or a compressor: over 7.5 bits of 8 in at least 1 KiB.
#[allow(clippy::cast_precision_loss)] // counts below 4096
fn looks_random(bytes: &[u8]) -> bool {
    if bytes.len() < 1024 {
        return false;
    }
    let mut counts = [0_u32; 256];
    for byte in bytes {
        counts[usize::from(*byte)] += 1;
    }
    let total = bytes.len() as f64;
    let bits = |count: &u32| {
        let share = f64::from(*count) / total;
        if *count == 0 { 0.0 } else { -share * share.log2() }
    };
    counts.iter().map(bits).sum::<f64>() > 7.5
}

/// The name of the file that belongs to a database: `x.db-wal`, `x.db-journal`.
pub(super) fn beside(database: &Path, suffix: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Opens a database that nobody else uses, without following URIs.
pub(super) fn open(path: &Path, writable: bool) -> rusqlite::Result<Connection> {
    let access = if writable { OpenFlags::SQLITE_OPEN_READ_WRITE } else { OpenFlags::SQLITE_OPEN_READ_ONLY };
    let connection = Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    Ok(connection)
}

/// What a database holds besides ordinary tables.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// Ordinary tables in the order of the schema, with rows and columns; no descriptions.
    pub(super) tables: Vec<TableDescription>,
    /// Names of virtual tables.
    pub(super) virtual_tables: Vec<String>,
    /// Names of triggers.
    pub(super) triggers: Vec<String>,
}

/// Reads tables, row counts and columns; `step` hears each table's name first and may stop it.
pub(super) fn contents(
    connection: &Connection,
    step: &mut dyn FnMut(&str) -> bool,
) -> rusqlite::Result<Option<Contents>> {
    let mut contents = Contents::default();
    let mut objects =
        connection.prepare("SELECT type, name, coalesce(sql, '') FROM sqlite_schema ORDER BY rowid")?;
    let objects: Vec<(String, String, String)> = objects
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (kind, name, sql) in objects {
        if name.starts_with("sqlite_") {
            continue;
        }
        if kind == "trigger" {
            contents.triggers.push(name);
        } else if kind == "table" && sql.trim_start().to_ascii_uppercase().starts_with("CREATE VIRTUAL") {
            contents.virtual_tables.push(name);
        } else if kind == "table" {
            if !step(&name) {
                return Ok(None);
            }
            let quoted = format!("\"{}\"", name.replace('"', "\"\""));
            let rows: i64 =
                connection.query_row(&format!("SELECT count(*) FROM {quoted}"), [], |row| row.get(0))?;
            let mut columns =
                connection.prepare("SELECT name FROM pragma_table_xinfo(?1) WHERE hidden <> 1")?;
            let columns = columns.query_map([&name], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
            let rows = u64::try_from(rows).unwrap_or(0);
            contents.tables.push(TableDescription { name, description: String::new(), rows, columns });
        }
    }
    Ok(Some(contents))
}

/// What `PRAGMA quick_check` says is wrong, at most the first finding; `None` where the file is sound.
pub(super) fn damage(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let finding: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    Ok((finding != "ok").then_some(finding))
}

#[cfg(test)]
mod tests {
    use super::{FileKind, kind_of};

    #[test]
    fn files_are_told_by_their_first_bytes() {
        let mut state = 1_u64;
        let random: Vec<u8> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state.to_be_bytes()[0]
        })
        .take(4096)
        .collect();
        assert!(matches!(kind_of(&random), FileKind::Other(text) if text.contains("encrypted")));
        assert_eq!(kind_of(b""), FileKind::Other("empty"));
        assert_eq!(kind_of(b"hello"), FileKind::Other("a text file"));
        assert_eq!(
            kind_of(b"SQLite format 3\0abc"),
            FileKind::Other("the beginning of a SQLite database only")
        );
        assert_eq!(kind_of(&[0x37, 0x7f, 6, 0x83, 0, 0]), FileKind::WriteAheadLog);
        assert_eq!(kind_of(&[0xff; 4096]), FileKind::Other("no SQLite database"));
        assert_eq!(kind_of(b"PK\x03\x04...."), FileKind::Zip);
    }
}
