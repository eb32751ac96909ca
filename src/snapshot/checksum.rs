//! SHA-256 of bytes, files and streams.

use super::FileDigest;
use sha2::{Digest as _, Sha256};
use std::io::{self, Read, Write};

/// SHA-256 in lower-case hex.
pub(super) fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Passes bytes on to a writer and counts and hashes them.
pub(super) struct HashingWriter<W> {
    inner: W,
    hash: Sha256,
    bytes: u64,
}

impl<W: Write> HashingWriter<W> {
    pub(super) fn new(inner: W) -> Self {
        Self { inner, hash: Sha256::new(), bytes: 0 }
    }

    /// The writer, and what went through.
    pub(super) fn finish(self) -> (W, FileDigest) {
        (self.inner, FileDigest { sha256: hex::encode(self.hash.finalize()), bytes: self.bytes })
    }
}

impl<W: Write> Write for HashingWriter<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(buffer)?;
        self.hash.update(&buffer[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Copies a stream and gives its digest; `step` hears after each block how many bytes were done and may stop it.
pub(super) fn copy(
    reader: &mut impl Read,
    writer: &mut impl Write,
    step: &mut dyn FnMut(u64) -> io::Result<()>,
) -> io::Result<FileDigest> {
    let mut writer = HashingWriter::new(writer);
    let mut buffer = vec![0; 1 << 18];
    loop {
        let count = match reader.read(&mut buffer) {
            Ok(0) => return Ok(writer.finish().1),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        writer.write_all(&buffer[..count])?;
        step(writer.bytes)?;
    }
}
