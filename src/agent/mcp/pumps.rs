//! Bytes between blocking streams and the protocol's asynchronous ones.
//!
//! Standard input may be a pipe, a socket, a file or a terminal; a thread that blocks on it does for all of them, and is left
//! behind when the process ends.

use std::io::{ErrorKind, Read, Write};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

/// Bytes under way.
pub(super) const ROOM: usize = 64 << 10;

/// Carries what is read, until its end or until nobody wants it.
pub(super) fn carry_in(mut from: impl Read, mut to: DuplexStream, runtime: &Handle) {
    let mut buffer = vec![0; ROOM];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return,
            Ok(length) => {
                let read = buffer.get(..length).unwrap_or_default();
                if runtime.block_on(to.write_all(read)).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// Carries what is to be written, until its end. Where nobody reads it any more, `broken` is told.
pub(super) fn carry_out(
    mut from: DuplexStream,
    mut to: impl Write,
    runtime: &Handle,
    broken: &CancellationToken,
) {
    let mut buffer = vec![0; ROOM];
    while let Ok(length) = runtime.block_on(from.read(&mut buffer)) {
        if length == 0 {
            return;
        }
        let written = buffer.get(..length).unwrap_or_default();
        if to.write_all(written).and_then(|()| to.flush()).is_err() {
            broken.cancel();
            return;
        }
    }
}
