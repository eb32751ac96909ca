//! The bytes of a snapshot's database, held once for all copies.

use super::memory;
use crate::query::OpenError;
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, fcntl_get_seals, memfd_create};
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::sync::Arc;

/// A database file in memory that nobody can change any more: the kernel refuses writes, growth and shrinking, also
/// through the file descriptor. Cloning shares it.
#[derive(Debug, Clone)]
pub struct FrozenDatabase {
    file: Arc<File>,
    size: usize,
}

impl FrozenDatabase {
    /// Freezes the bytes of one SQLite database.
    ///
    /// The caller has verified their digest. Here only what the copies rely on is checked: the header, a whole number
    /// of pages, rollback-journal mode (a WAL database would want files beside it).
    ///
    /// # Errors
    /// [`OpenError::NotADatabase`], or [`OpenError::Memory`] where the system has no room.
    pub fn seal(bytes: &[u8]) -> Result<Self, OpenError> {
        check_header(bytes)?;
        let descriptor = memfd_create("casebook-snapshot", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)
            .map_err(io::Error::from)?;
        let mut file = File::from(descriptor);
        file.write_all(bytes)?;
        fcntl_add_seals(&file, SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL)
            .map_err(io::Error::from)?;
        Ok(Self { file: Arc::new(file), size: bytes.len() })
    }

    /// Takes over what another process of this program froze.
    ///
    /// # Errors
    /// [`OpenError::NotADatabase`] where it is not sealed: the copies rely on that.
    pub(in crate::query) fn adopt(file: File) -> Result<Self, OpenError> {
        let sealed = fcntl_get_seals(&file).unwrap_or(SealFlags::empty());
        if !sealed.contains(SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK) {
            return Err(OpenError::NotADatabase("it is not sealed"));
        }
        let size = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
        Ok(Self { file: Arc::new(file), size })
    }

    /// Freezes an empty database with the tables and views of these statements, such as a schema file holds.
    ///
    /// # Errors
    /// [`OpenError::Sqlite`] where a statement fails; the statements can't attach or read files.
    pub fn from_statements(sql: &str) -> Result<Self, OpenError> {
        memory::count_by_thread();
        let mut connection = rusqlite::Connection::open_in_memory()?;
        connection.set_limit(rusqlite::limits::Limit::SQLITE_LIMIT_ATTACHED, 0)?;
        // Writing the header makes a database of no tables one page long, not none.
        connection.execute_batch("PRAGMA user_version = 1")?;
        connection.execute_batch(sql)?;
        let bytes = connection.serialize(rusqlite::MAIN_DB)?;
        Self::seal(&bytes)
    }

    /// Size in bytes.
    pub const fn size(&self) -> usize {
        self.size
    }

    /// SHA-256 of the frozen bytes as they are now, in hex: it never changes.
    ///
    /// # Errors
    /// Where the system can't read the memory file.
    pub fn sha256(&self) -> io::Result<String> {
        let mut file = self.file.try_clone()?;
        file.seek(SeekFrom::Start(0))?;
        let (mut hash, mut buffer) = (Sha256::new(), vec![0; 1 << 16]);
        loop {
            match file.read(&mut buffer)? {
                0 => return Ok(hex::encode(hash.finalize())),
                count => hash.update(&buffer[..count]),
            }
        }
    }

    /// The memory file.
    pub(in crate::query) fn file(&self) -> &File {
        &self.file
    }
}

fn check_header(bytes: &[u8]) -> Result<(), OpenError> {
    if bytes.len() < 512 || !bytes.starts_with(b"SQLite format 3\0") {
        return Err(OpenError::NotADatabase("it is not a SQLite database"));
    }
    let page_size = match u16::from_be_bytes([bytes[16], bytes[17]]) {
        1 => 65_536,
        size => usize::from(size),
    };
    if page_size < 512 || !page_size.is_power_of_two() || !bytes.len().is_multiple_of(page_size) {
        return Err(OpenError::NotADatabase("it is truncated: its size is no whole number of pages"));
    }
    if bytes[18] != 1 || bytes[19] != 1 {
        return Err(OpenError::NotADatabase("it is in WAL mode"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::FrozenDatabase;
    use std::io::Write as _;
    use std::os::unix::fs::FileExt as _;

    #[test]
    fn nobody_can_change_the_frozen_bytes_not_even_through_their_file() {
        let frozen = FrozenDatabase::from_statements("CREATE TABLE t(x)").unwrap();
        let before = frozen.sha256().unwrap();
        let mut file = frozen.file();
        assert!(file.write_at(b"x", 0).is_err());
        assert!(file.write_all(b"x").is_err());
        assert!(file.set_len(0).is_err());
        assert!(file.set_len(1 << 20).is_err());
        assert_eq!(frozen.sha256().unwrap(), before);
    }
}
