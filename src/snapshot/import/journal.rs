//! Whether a rollback journal can undo all that it says it can, before SQLite is asked to play it back.
//!
//! SQLite stops without a word at the first record that does not check, and takes a journal with a damaged head for a
//! finished one: in a damaged copy either leaves half a transaction in the data. The format is
//! <https://www.sqlite.org/fileformat.html>, section 3.

use std::collections::HashSet;
use std::io::{self, Read};

const MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
/// What a journal of unknown length counts: all records up to its end.
const TO_THE_END: u32 = u32::MAX;
/// Every how many bytes, from the end of a page, the checksum looks.
const STEP: usize = 200;
/// A name of a super-journal has at most this many bytes behind the records; so does what an older journal left there.
const LARGEST_SECTOR: u64 = 65_536;

/// Checks the journal of a database with this page size. The outer error is that of reading; the inner one says what
/// is wrong.
pub(super) fn check(journal: &mut impl Read, page_size: u64) -> io::Result<Result<(), &'static str>> {
    let mut at = 0_u64;
    let mut first = true;
    let (mut size, mut pages) = (0, HashSet::new());
    loop {
        let mut head = Vec::with_capacity(28);
        journal.by_ref().take(28).read_to_end(&mut head)?;
        if !head.starts_with(&MAGIC) {
            // A journal that was finished has zeros here; behind a segment anything may follow.
            let finished = !first || head.first() == Some(&0);
            return Ok(if finished { Ok(()) } else { Err("its head is damaged") });
        }
        if head.len() < 28 {
            return Ok(Err("its head is cut off"));
        }
        let (records, nonce) = (word(&head, 8), word(&head, 12));
        let sector = u64::from(word(&head, 20));
        let sound_sector = sector.is_power_of_two() && (32..=LARGEST_SECTOR).contains(&sector);
        // A SQLite of before 2008 left the page size out.
        let sound_pages = word(&head, 24) == 0 || u64::from(word(&head, 24)) == page_size;
        if first && !(sound_sector && sound_pages) {
            return Ok(Err("its head is damaged"));
        }
        if first {
            size = word(&head, 16);
        }
        skip(journal, sector.saturating_sub(28))?;
        at += sector;
        let mut record = Vec::new();
        let mut read = 0;
        while read < records {
            record.clear();
            journal.by_ref().take(page_size + 8).read_to_end(&mut record)?;
            if (record.len() as u64) < page_size + 8 {
                let whole = records == TO_THE_END && !record.ends_with(&MAGIC);
                return Ok(if whole { Ok(()) } else { Err("it ends before its last record") });
            }
            let page = &record[4..record.len() - 4];
            // Each page that the database had is there at most once.
            if !(1..=size).contains(&word(&record, 0)) || !pages.insert(word(&record, 0)) {
                return Ok(Err("a record names a wrong page"));
            }
            if checksum(nonce, page) != word(&record, record.len() - 4) {
                return Ok(Err("a record does not fit its checksum"));
            }
            read += 1;
            at += page_size + 8;
        }
        // The next segment begins on a sector.
        let gap = at.next_multiple_of(sector.max(1)) - at;
        skip(journal, gap)?;
        at += gap;
        first = false;
    }
}

/// Whether the journal is one of several that a transaction over several databases wrote. Then only the place where
/// they lie can say whether it was finished.
pub(super) fn has_super_journal(tail: &[u8]) -> bool {
    tail.ends_with(&MAGIC)
}

fn skip(reader: &mut impl Read, bytes: u64) -> io::Result<u64> {
    io::copy(&mut reader.by_ref().take(bytes), &mut io::sink())
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn checksum(nonce: u32, page: &[u8]) -> u32 {
    let looked_at = (1..=page.len() / STEP).map(|step| page.len() - step * STEP).filter(|at| *at > 0);
    looked_at.fold(nonce, |sum, at| sum.wrapping_add(u32::from(page[at])))
}
