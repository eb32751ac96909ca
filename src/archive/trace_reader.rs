//! Reading a trace: an index of its lines first, an event when it is asked for.

use super::error::ArchiveError;
use super::whole_file::read_regular;
use crate::domain::trace::Event;
use std::io::{BufReader, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// Bytes read at once while lines are counted.
const CHUNK: usize = 1 << 20;
/// No line is longer: a text stands in a blob, and the arguments of a call are at most as long as a statement may be.
const MAX_LINE: u64 = 16 << 20;

/// No trace has more lines.
const MAX_LINES: usize = 20_000_000;

/// A trace by its lines.
#[derive(Debug)]
pub struct Trace {
    path: PathBuf,
    /// Where each whole line begins, and where the last one ends.
    offsets: Vec<u64>,
    size: u64,
}

impl Trace {
    /// Finds the lines of a trace.
    ///
    /// # Errors
    /// [`ArchiveError::Read`].
    pub fn open(path: &Path) -> Result<Self, ArchiveError> {
        let failed = ArchiveError::read(path);
        let mut file = read_regular(path).map_err(&failed)?;
        let (mut offsets, mut at, mut chunk) = (vec![0], 0_u64, vec![0; CHUNK]);
        loop {
            let read = file.read(&mut chunk).map_err(&failed)?;
            if read == 0 {
                break;
            }
            offsets.extend(memchr::memchr_iter(b'\n', &chunk[..read]).map(|end| at + end as u64 + 1));
            at += read as u64;
            if offsets.len() > MAX_LINES {
                return Err(ArchiveError::damaged(path, None, "it has more lines than a trace can have"));
            }
        }
        Ok(Self { path: path.to_owned(), offsets, size: at })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whole lines.
    pub fn len(&self) -> u64 {
        self.offsets.len() as u64 - 1
    }

    /// Whether there is no whole line.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes behind the last whole line: a line that was cut.
    pub fn rest(&self) -> u64 {
        self.size - self.offsets.last().copied().unwrap_or(0)
    }

    /// A line without its line end, counted from 1.
    ///
    /// # Errors
    /// [`ArchiveError`] where it can't be read, is not there, or is too long.
    pub fn line(&self, number: u64) -> Result<Vec<u8>, ArchiveError> {
        let place = usize::try_from(number).ok().filter(|at| *at > 0 && *at < self.offsets.len());
        let Some(place) = place else {
            return Err(ArchiveError::damaged(&self.path, Some(number), "there is no such line"));
        };
        let (from, to) = (self.offsets[place - 1], self.offsets[place] - 1);
        if to - from > MAX_LINE {
            let reason = format!("it is longer than {} MiB", MAX_LINE >> 20);
            return Err(ArchiveError::damaged(&self.path, Some(number), reason));
        }
        let failed = ArchiveError::read(&self.path);
        let mut file = read_regular(&self.path).map_err(&failed)?;
        file.seek(SeekFrom::Start(from)).map_err(&failed)?;
        let mut line = vec![0; usize::try_from(to - from).unwrap_or(0)];
        file.read_exact(&mut line).map_err(&failed)?;
        Ok(line)
    }

    /// The last whole line.
    ///
    /// # Errors
    /// As [`Trace::line`].
    pub fn last_line(&self) -> Result<Option<Vec<u8>>, ArchiveError> {
        if self.is_empty() { Ok(None) } else { self.line(self.len()).map(Some) }
    }

    /// The event of a line, counted from 1.
    ///
    /// # Errors
    /// [`ArchiveError`] where it can't be read or is none.
    pub fn event(&self, number: u64) -> Result<Event, ArchiveError> {
        parse(&self.path, number, &self.line(number)?)
    }

    /// All events, read in one go through the file.
    ///
    /// # Errors
    /// As [`Trace::event`].
    pub fn events(&self) -> Result<Vec<Event>, ArchiveError> {
        self.lines()?.zip(1..).map(|(line, number)| parse(&self.path, number, &line?)).collect()
    }

    /// All whole lines in order, without their line ends.
    ///
    /// # Errors
    /// [`ArchiveError::Read`].
    pub fn lines(&self) -> Result<impl Iterator<Item = Result<Vec<u8>, ArchiveError>> + '_, ArchiveError> {
        let failed = ArchiveError::read(&self.path);
        let mut file = BufReader::with_capacity(64 << 10, read_regular(&self.path).map_err(failed)?);
        Ok(self.offsets.windows(2).zip(1..).map(move |(ends, number)| {
            let length = ends[1] - ends[0];
            if length > MAX_LINE {
                let reason = format!("it is longer than {} MiB", MAX_LINE >> 20);
                return Err(ArchiveError::damaged(&self.path, Some(number), reason));
            }
            let mut line = vec![0; usize::try_from(length).unwrap_or(0)];
            file.read_exact(&mut line).map_err(ArchiveError::read(&self.path))?;
            line.pop();
            Ok(line)
        }))
    }
}

/// The event of a line.
pub(super) fn parse(path: &Path, number: u64, line: &[u8]) -> Result<Event, ArchiveError> {
    serde_json::from_slice(line)
        .map_err(|error| ArchiveError::damaged(path, Some(number), format!("it is no event: {error}")))
}
