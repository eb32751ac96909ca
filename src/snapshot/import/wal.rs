//! Whether a write-ahead log holds together, before SQLite is asked to fold it in.
//!
//! SQLite reads a log up to the first frame that does not check and ignores the rest without a word: right after a
//! crash, and a silent loss of rows in a damaged copy. So whatever still belongs to the log behind a frame that does not
//! check is a reason to refuse. The format is <https://www.sqlite.org/fileformat.html>, section 4.

use std::io::{self, Read};

const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;
/// Where the index (`-shm`) has its salts, its count of frames and its count of those folded in already.
const INDEX_FRAMES: usize = 16;
const INDEX_SALTS: usize = 32;
const INDEX_FOLDED: usize = 96;

/// What a sound log holds.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Frames {
    /// Frames up to the last commit.
    pub(super) committed: u64,
    /// Frames behind the last commit: a transaction that was never finished, which SQLite leaves out.
    pub(super) unfinished: u64,
    salts: [u8; 8],
}

/// Checks the log of a database with this page size. The outer error is that of reading; the inner one says what is
/// wrong.
pub(super) fn check(mut log: impl Read, page_size: u64) -> io::Result<Result<Frames, &'static str>> {
    let mut header = Vec::with_capacity(HEADER);
    log.by_ref().take(HEADER as u64).read_to_end(&mut header)?;
    if header.len() < HEADER {
        return Ok(Err("its header is cut off"));
    }
    let big_endian = match word(&header, 0) {
        0x377f_0682 => false,
        0x377f_0683 => true,
        _ => return Ok(Err("its header is no header of a write-ahead log")),
    };
    let mut sum = Sum { state: (0, 0), big_endian };
    sum.add(&header[..24]);
    if sum.state != (word(&header, 24), word(&header, 28)) {
        return Ok(Err("its header does not fit its checksum"));
    }
    if u64::from(word(&header, 8)) != page_size {
        return Ok(Err("its pages have another size than those of the database"));
    }
    let mut salts = [0; 8];
    salts.copy_from_slice(&header[16..24]);
    let mut found = Frames { committed: 0, unfinished: 0, salts };
    let size = FRAME_HEADER as u64 + page_size;
    let mut frame = Vec::new();
    loop {
        frame.clear();
        log.by_ref().take(size).read_to_end(&mut frame)?;
        if frame.is_empty() {
            return Ok(Ok(found));
        }
        if (frame.len() as u64) < size {
            // Behind frames of an older log a cut loses nothing; but fewer bytes than the salts could be anything.
            let older = frame.len() >= 16 && frame[8..16] != salts;
            return Ok(if older { Ok(found) } else { Err("it ends inside a frame") });
        }
        let fits = sum.after(&frame) == (word(&frame, 16), word(&frame, 20)) && word(&frame, 0) != 0;
        match (fits, frame[8..16] == salts) {
            (true, true) => {
                sum.state = (word(&frame, 16), word(&frame, 20));
                found.unfinished += 1;
                // The size of the database after a commit; 0 in every other frame.
                if word(&frame, 4) != 0 {
                    found.committed += found.unfinished;
                    found.unfinished = 0;
                }
            }
            (false, true) => return Ok(Err("a frame does not fit its checksum")),
            (true, false) => return Ok(Err("a frame has lost its salt")),
            (false, false) => return rest(&mut log, found, size),
        }
    }
}

/// Reads the frames that an older log left behind the end of this one. One of this log among them shows that the
/// frame before it was damaged.
fn rest(log: &mut impl Read, found: Frames, size: u64) -> io::Result<Result<Frames, &'static str>> {
    let mut frame = Vec::new();
    loop {
        frame.clear();
        log.by_ref().take(size).read_to_end(&mut frame)?;
        if frame.len() < 16 {
            return Ok(Ok(found));
        }
        if frame[8..16] == found.salts {
            return Ok(Err("a frame is damaged and others follow it"));
        }
    }
}

/// Frames that the log's index (the `-shm` file) counts and the log does not hold; `None` if it is of another log or
/// no index. `frames` is `None` where there is no log at all.
pub(super) fn missing(index: &[u8], frames: Option<&Frames>) -> Option<u64> {
    let native = |at: usize| index.get(at..at + 4).map(|it| u32::from_ne_bytes([it[0], it[1], it[2], it[3]]));
    let (counted, folded) = (native(INDEX_FRAMES)?, native(INDEX_FOLDED)?);
    // The index is kept twice; if the two differ, a writer was in the middle of it.
    if index.get(..48)? != index.get(48..96)? || native(0)? != 3_007_000 {
        return None;
    }
    let held = match frames {
        Some(frames) if index.get(INDEX_SALTS..INDEX_SALTS + 8)? != frames.salts => return None,
        Some(frames) => frames.committed,
        None => u64::from(folded),
    };
    u64::from(counted).checked_sub(held).filter(|missing| *missing > 0)
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// The running checksum of a log.
struct Sum {
    state: (u32, u32),
    big_endian: bool,
}

impl Sum {
    fn add(&mut self, bytes: &[u8]) {
        let read = |at: &[u8]| {
            let at = [at[0], at[1], at[2], at[3]];
            if self.big_endian { u32::from_be_bytes(at) } else { u32::from_le_bytes(at) }
        };
        let (mut first, mut second) = self.state;
        for pair in bytes.chunks_exact(8) {
            first = first.wrapping_add(read(&pair[..4])).wrapping_add(second);
            second = second.wrapping_add(read(&pair[4..])).wrapping_add(first);
        }
        self.state = (first, second);
    }

    /// The checksum if this frame comes next.
    fn after(&self, frame: &[u8]) -> (u32, u32) {
        let mut next = Self { state: self.state, big_endian: self.big_endian };
        next.add(&frame[..8]);
        next.add(&frame[FRAME_HEADER..]);
        next.state
    }
}
