//! `casebook mcp --attach`: the protocol between standard streams and the socket of a trial in another process.

use super::failure::Failure;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::net::Shutdown;
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::path::Path;

/// Carries bytes both ways until the trial's side is closed. The end of stdin is passed on; answers still under way arrive.
pub(super) fn attach(socket: &Path) -> Result<(), Failure> {
    let unreachable = |error: io::Error| {
        let place = socket.display();
        Failure::Input(format!(
            "there is no trial at {place} ({error}): this is for programs that `casebook run --actor command` started, while their trial lasts"
        ))
    };
    let mut answers = UnixStream::connect(socket).map_err(unreachable)?;
    let mut requests = answers.try_clone().map_err(unreachable)?;
    let mut stdout = unlocked_stdout()?;
    std::thread::spawn(move || {
        // Where the other side is gone, its end is seen below.
        let _ = carry(&mut io::stdin(), &mut requests);
        let _ = requests.shutdown(Shutdown::Write);
    });
    Ok(carry(&mut answers, &mut stdout)?)
}

/// Hands on what is read as soon as it is there. `io::copy` leaves that to the kernel, which may wait until there is more.
fn carry(from: &mut impl Read, to: &mut impl Write) -> io::Result<()> {
    let mut buffer = vec![0; 64 << 10];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(length) => to.write_all(buffer.get(..length).unwrap_or_default())?,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The same file as stdout, without its lock: whoever prints the answers of commands holds that.
pub(super) fn unlocked_stdout() -> Result<File, Failure> {
    let stdout = io::stdout().as_fd().try_clone_to_owned();
    let stdout = stdout.map_err(|error| Failure::Input(format!("stdout can't be written: {error}")))?;
    Ok(File::from(stdout))
}
