//! The thread that reads the terminal.
//!
//! It sleeps in the kernel until bytes come or it is told to end; it has a timer only while it holds the begin of a
//! sequence back. Ending it is prompt and leaves nothing behind that would take bytes from the program that reads the
//! terminal next.

use super::cutter::{Cutter, Piece};
use super::decode::Decoder;
use super::{Input, pasted};
use crate::terminal::tty::Tty;
use crossbeam_channel::{Receiver, Sender, select};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::io::{self, PipeReader, PipeWriter};
use std::ops::ControlFlow;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A paste that has been silent for so long is ended by Escape or Ctrl-C: its end was lost, and every key since would be
/// pasted.
const PASTE_SILENCE: Duration = Duration::from_secs(2);
/// Escape and Ctrl-C, plain and as terminals with keyboard flags send them.
const WAYS_OUT: [&[u8]; 4] = [b"\x1b", b"\x03", b"\x1b[27u", b"\x1b[99;5u"];
/// Reads that give nothing, one after the other, before the terminal counts as gone.
const MOST_EMPTY_READS: u32 = 16;

/// The thread. Dropping it ends it.
#[derive(Debug)]
pub struct InputThread {
    /// Its other end is polled beside the terminal: dropping it wakes the thread.
    wake: Option<PipeWriter>,
    /// The same for a thread that waits for room in the channel.
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl InputThread {
    /// Starts reading a terminal, which is in raw mode.
    ///
    /// # Errors
    /// When no more files can be opened or no thread can be started.
    pub fn spawn(tty: &Tty, sender: Sender<Input>) -> io::Result<Self> {
        Self::spawn_named("input", tty, sender)
    }

    pub(super) fn spawn_named(name: &str, tty: &Tty, sender: Sender<Input>) -> io::Result<Self> {
        let tty = tty.try_clone()?;
        let (woken, wake) = io::pipe()?;
        let (stop, stopped) = crossbeam_channel::bounded(0);
        let reader = Reader { tty, woken, decoder: Decoder::new(), sender, stopped };
        let thread = std::thread::Builder::new().name(name.into()).spawn(move || reader.run())?;
        Ok(Self { wake: Some(wake), stop: Some(stop), thread: Some(thread) })
    }

    /// Ends the thread and waits for it: nothing of the terminal is read after that. For a suspension, and before another
    /// program gets the terminal.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.wake = None;
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // A panic of it has been reported by the hook.
            let _ = thread.join();
        }
    }
}

impl Drop for InputThread {
    fn drop(&mut self) {
        self.end();
    }
}

struct Reader {
    tty: Tty,
    woken: PipeReader,
    decoder: Decoder,
    sender: Sender<Input>,
    stopped: Receiver<()>,
}

/// Why the thread wakes up.
enum Wake {
    Bytes,
    /// The terminal is gone.
    Gone,
    Told,
    Timeout,
}

impl Reader {
    fn run(mut self) {
        let mut cutter = Cutter::new();
        let mut buffer = vec![0; 64 * 1024];
        let mut empty_reads = 0;
        let mut last_bytes = Instant::now();
        loop {
            let mut flow = ControlFlow::Continue(());
            match self.wait(cutter.patience()) {
                Ok(Wake::Told) => return,
                Ok(Wake::Timeout) => cutter.give_up(|piece| flow = self.follow(flow, piece)),
                Ok(Wake::Bytes) => match rustix::io::read(self.tty.input(), &mut buffer) {
                    Err(Errno::INTR | Errno::AGAIN) => {}
                    // Another has taken what there was; but what stays readable without bytes is at its end.
                    Ok(0) if empty_reads < MOST_EMPTY_READS => empty_reads += 1,
                    Ok(0) | Err(_) => return self.close(),
                    Ok(read) => {
                        empty_reads = 0;
                        let bytes = &buffer[..read];
                        let is_lost = cutter.is_in_paste() && last_bytes.elapsed() >= PASTE_SILENCE;
                        if is_lost && WAYS_OUT.contains(&bytes) {
                            cutter.end_paste(|piece| flow = self.follow(flow, piece));
                        }
                        last_bytes = Instant::now();
                        cutter.feed(bytes, |piece| flow = self.follow(flow, piece));
                    }
                },
                Ok(Wake::Gone) | Err(_) => return self.close(),
            }
            if flow.is_break() {
                return;
            }
        }
    }

    fn close(&self) {
        let _ = self.send(Input::Closed);
    }

    fn wait(&self, patience: Option<Duration>) -> io::Result<Wake> {
        let timeout = patience.and_then(|patience| Timespec::try_from(patience).ok());
        let terminal = self.tty.input();
        let mut ends = [PollFd::new(&terminal, PollFlags::IN), PollFd::new(&self.woken, PollFlags::IN)];
        loop {
            match poll(&mut ends, timeout.as_ref()) {
                Ok(0) => return Ok(Wake::Timeout),
                Ok(_) => break,
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let [terminal, woken] = [ends[0].revents(), ends[1].revents()];
        Ok(if !woken.is_empty() {
            Wake::Told
        } else if terminal.contains(PollFlags::IN) {
            Wake::Bytes
        } else {
            Wake::Gone
        })
    }

    /// Sends what a piece means, unless sending has ended.
    fn follow(&mut self, flow: ControlFlow<()>, piece: Piece<'_>) -> ControlFlow<()> {
        flow?;
        let input = match piece {
            Piece::Sequence(bytes) => self.decoder.decode(bytes),
            Piece::Paste(bytes) => Some(Input::Paste(pasted(bytes))),
            Piece::Broken(bytes) => Some(Input::Unknown(bytes.to_vec())),
        };
        input.map_or(ControlFlow::Continue(()), |input| self.send(input))
    }

    fn send(&self, input: Input) -> ControlFlow<()> {
        select! {
            send(self.sender, input) -> sent => if sent.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) },
            recv(self.stopped) -> _ => ControlFlow::Break(()),
        }
    }
}
