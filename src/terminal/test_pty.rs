//! A pseudo-terminal for the tests of this room: the master's end is read and written by the test.

use super::Tty;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Termios, Winsize, tcgetattr, tcsetwinsize};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// The two ends.
pub(super) struct Pair {
    pub(super) master: OwnedFd,
    pub(super) slave: OwnedFd,
}

impl Pair {
    pub(super) fn open() -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let slave = rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
        Self { master, slave }
    }

    pub(super) fn tty(&self) -> Tty {
        Tty::from_ends(self.slave.try_clone().unwrap(), self.slave.try_clone().unwrap())
    }

    pub(super) fn resize(&self, columns: u16, rows: u16) {
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&self.slave, size).unwrap();
    }

    pub(super) fn termios(&self) -> Termios {
        tcgetattr(&self.slave).unwrap()
    }

    /// What has been written to the terminal since the last call. The kernel hands it over a moment after the write.
    pub(super) fn written(&self) -> String {
        let mut all = Vec::new();
        let mut buffer = [0; 4096];
        let a_moment = Timespec::try_from(Duration::from_millis(100)).unwrap();
        while poll(&mut [PollFd::new(&self.master, PollFlags::IN)], Some(&a_moment)).unwrap() > 0 {
            match rustix::io::read(&self.master, &mut buffer) {
                Ok(0) | Err(_) => break,
                Ok(read) => all.extend_from_slice(&buffer[..read]),
            }
        }
        String::from_utf8(all).unwrap()
    }

    /// Types bytes at the terminal.
    pub(super) fn typed(&self, mut bytes: &[u8]) {
        let deadline = Instant::now() + Duration::from_secs(20);
        while !bytes.is_empty() {
            assert!(Instant::now() < deadline, "nobody reads the terminal");
            let written = rustix::io::write(&self.master, bytes).unwrap();
            bytes = &bytes[written..];
        }
    }
}
