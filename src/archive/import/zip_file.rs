//! The members of a zip, by its directory; each is unpacked when it is asked for, within bounds.
//!
//! Read here and not through the `zip` crate, because a log may be hostile and may be large: a name that comes twice must be
//! seen (there the last one wins in silence), and 200,000 members must take tens of megabytes, not hundreds. Methods: stored,
//! deflate, zstd of one or more frames. No member is ever written to disk, so a name that leads elsewhere leads nowhere; it is
//! refused all the same, since no log has one.

use super::error::ImportError;
use super::limits::{MAX_DIRECTORY, MAX_DOCUMENT, MAX_MEMBERS, MAX_RATIO, RATIO_FROM};
use super::source::Source;
use std::collections::HashSet;
use std::io::Read;

const END: [u8; 4] = *b"PK\x05\x06";
const END_LENGTH: u64 = 22;
const END64_LOCATOR: [u8; 4] = *b"PK\x06\x07";
const END64: [u8; 4] = *b"PK\x06\x06";
const ENTRY: [u8; 4] = *b"PK\x01\x02";
const ENTRY_LENGTH: usize = 46;
const LOCAL: [u8; 4] = *b"PK\x03\x04";
const LOCAL_LENGTH: u64 = 30;
/// The longest comment that may stand behind the end record.
const MAX_COMMENT: u64 = 65_535;
/// Names longer than this are no member of a log.
const MAX_NAME: usize = 4096;

/// A member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) name: Box<str>,
    method: u16,
    encrypted: bool,
    crc: u32,
    packed: u64,
    pub(super) bytes: u64,
    header: u64,
}

/// A zip's directory.
#[derive(Debug)]
pub(super) struct ZipFile {
    pub(super) members: Vec<Member>,
    /// Names that come twice; the last member of the name counts.
    pub(super) twice: Vec<String>,
}

/// Numbers of a record.
struct Fields<'b>(&'b [u8]);

impl Fields<'_> {
    fn u16(&self, at: usize) -> u16 {
        self.0.get(at..at + 2).map_or(0, |it| u16::from_le_bytes([it[0], it[1]]))
    }

    fn u32(&self, at: usize) -> u32 {
        u32::from(self.u16(at)) | u32::from(self.u16(at + 2)) << 16
    }

    fn u64(&self, at: usize) -> u64 {
        u64::from(self.u32(at)) | u64::from(self.u32(at + 4)) << 32
    }
}

impl ZipFile {
    /// Reads the directory.
    pub(super) fn open(source: &Source) -> Result<Self, ImportError> {
        let (start, length, count) = find_directory(source)?;
        if length > MAX_DIRECTORY || count > MAX_MEMBERS as u64 {
            return Err(source.zip_error(format!(
                "its directory names {count} members in {length} bytes, which is more than a log can have"
            )));
        }
        if start.checked_add(length).is_none_or(|end| end > source.bytes) {
            return Err(
                source.zip_error("its directory lies outside of the file; the file was cut or changed")
            );
        }
        let bytes = read_directory(source, start, length)?;
        let mut members = Vec::new();
        let mut rest = bytes.as_slice();
        while rest.len() >= ENTRY_LENGTH && rest[..4] == ENTRY {
            let (member, used) = entry(source, rest)?;
            members.push(member);
            if members.len() > MAX_MEMBERS {
                return Err(source.zip_error(format!("it has more than {MAX_MEMBERS} members")));
            }
            rest = rest.get(used..).unwrap_or_default();
        }
        if members.len() as u64 != count {
            return Err(source.zip_error(format!(
                "its directory names {count} members but holds {}; the file was cut or changed",
                members.len()
            )));
        }
        let twice = repeated(&mut members);
        Ok(Self { members, twice })
    }

    /// The member of this name.
    pub(super) fn member(&self, name: &str) -> Option<&Member> {
        self.members.iter().find(|member| &*member.name == name)
    }

    /// The contents of a member.
    pub(super) fn read(source: &Source, member: &Member) -> Result<Vec<u8>, ImportError> {
        let name = &member.name;
        let wrong = |reason: String| source.zip_error(format!("member {name} {reason}"));
        if member.encrypted {
            return Err(wrong("is encrypted; take the log without a password".to_owned()));
        }
        if member.bytes > MAX_DOCUMENT {
            return Err(source.too_large(Some(name), &format!("a member of {} MiB", member.bytes >> 20)));
        }
        if member.bytes > RATIO_FROM && member.bytes / member.packed.max(1) > MAX_RATIO {
            return Err(wrong(format!(
                "says that it unpacks to more than {MAX_RATIO} times its size; that is how a zip bomb looks"
            )));
        }
        let end = member.header.checked_add(LOCAL_LENGTH).filter(|end| *end <= source.bytes);
        let end =
            end.ok_or_else(|| wrong("lies outside of the file; the file was cut or changed".to_owned()))?;
        let local = source.range(member.header..end)?;
        if local[..4] != LOCAL {
            return Err(wrong("is not where the directory says; the file was cut or changed".to_owned()));
        }
        let fields = Fields(&local);
        let start = end + u64::from(fields.u16(26)) + u64::from(fields.u16(28));
        if start.checked_add(member.packed).is_none_or(|end| end > source.bytes) {
            return Err(wrong("goes beyond the end of the file; the file was cut or changed".to_owned()));
        }
        let packed = source.range(start..start + member.packed)?;
        let bytes =
            unpack(&packed, member).map_err(|reason| wrong(format!("can't be unpacked: {reason}")))?;
        if bytes.len() as u64 != member.bytes {
            return Err(wrong(format!(
                "unpacks to {} bytes, but the directory says {}",
                bytes.len(),
                member.bytes
            )));
        }
        let mut crc = flate2::Crc::new();
        crc.update(&bytes);
        if crc.sum() != member.crc {
            return Err(wrong("is damaged: its checksum is another one".to_owned()));
        }
        Ok(bytes)
    }
}

fn unpack(packed: &[u8], member: &Member) -> Result<Vec<u8>, String> {
    // One byte more than it says is enough to see that it lies.
    let most = member.bytes + 1;
    let mut bytes = Vec::with_capacity(usize::try_from(member.bytes).unwrap_or(0));
    let read = match member.method {
        0 => packed.take(most).read_to_end(&mut bytes),
        8 => flate2::read::DeflateDecoder::new(packed).take(most).read_to_end(&mut bytes),
        93 => zstd::Decoder::new(packed).and_then(|mut decoder| {
            // A window of more than 128 MiB is a way to fill the memory.
            decoder.window_log_max(27)?;
            decoder.take(most).read_to_end(&mut bytes)
        }),
        other => return Err(format!("its method {other} is not known; deflate and zstd are")),
    };
    read.map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// Where the directory stands, its length, and how many members it names.
fn find_directory(source: &Source) -> Result<(u64, u64, u64), ImportError> {
    let tail_start = source.bytes.saturating_sub(END_LENGTH + MAX_COMMENT);
    let tail = source.range(tail_start..source.bytes)?;
    let found = (0..tail.len().saturating_sub(3)).rev().find(|at| {
        let comment = Fields(&tail[*at..]).u16(20);
        tail[*at..*at + 4] == END && tail.len() - at >= 22 && usize::from(comment) <= tail.len() - at - 22
    });
    let Some(at) = found else {
        return Err(source.zip_error(
            "it begins as a zip but has no directory at its end: it was cut; copy it again, or let Inspect recover it \
             (`inspect log recover`)",
        ));
    };
    let end = Fields(&tail[at..]);
    let (count, length, start) = (u64::from(end.u16(10)), u64::from(end.u32(12)), u64::from(end.u32(16)));
    let needs_64 = count == 0xffff || length == 0xffff_ffff || start == 0xffff_ffff;
    let place = tail_start + at as u64;
    if !needs_64 || place < 20 {
        return Ok((start, length, count));
    }
    let locator = source.range(place - 20..place)?;
    if locator[..4] != END64_LOCATOR {
        return Ok((start, length, count));
    }
    let at = Fields(&locator).u64(8);
    let wrong = || source.zip_error("its directory can't be found; the file was cut or changed");
    let end = at.checked_add(56).filter(|end| *end <= place).ok_or_else(wrong)?;
    let record = source.range(at..end)?;
    if record[..4] != END64 {
        return Err(wrong());
    }
    let fields = Fields(&record);
    Ok((fields.u64(48), fields.u64(40), fields.u64(32)))
}

/// The bytes of the directory, which may be longer than a document.
fn read_directory(source: &Source, start: u64, length: u64) -> Result<Vec<u8>, ImportError> {
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    let mut at = start;
    while at < start + length {
        let end = (start + length).min(at + MAX_DOCUMENT);
        bytes.extend(source.range(at..end)?);
        at = end;
    }
    Ok(bytes)
}

/// A member and the bytes that its entry takes.
fn entry(source: &Source, bytes: &[u8]) -> Result<(Member, usize), ImportError> {
    let fields = Fields(bytes);
    let lengths = [fields.u16(28), fields.u16(30), fields.u16(32)].map(usize::from);
    let used = ENTRY_LENGTH + lengths.iter().sum::<usize>();
    let cut = || source.zip_error("its directory is cut");
    let name = bytes.get(ENTRY_LENGTH..ENTRY_LENGTH + lengths[0]).ok_or_else(cut)?;
    let extra =
        bytes.get(ENTRY_LENGTH + lengths[0]..ENTRY_LENGTH + lengths[0] + lengths[1]).ok_or_else(cut)?;
    let name = String::from_utf8_lossy(name);
    let leads_out = name.starts_with('/')
        || name.contains('\\')
        || name.contains('\0')
        || name.len() > MAX_NAME
        || name.split('/').any(|part| part == "..");
    if leads_out {
        let shown: String = name.chars().take(80).collect();
        return Err(source.zip_error(format!(
            "member '{shown}' has a name that leads out of the archive; no log has one, so this one is not read"
        )));
    }
    let mut member = Member {
        name: name.into(),
        method: fields.u16(10),
        encrypted: fields.u16(8) & 1 == 1,
        crc: fields.u32(16),
        packed: u64::from(fields.u32(20)),
        bytes: u64::from(fields.u32(24)),
        header: u64::from(fields.u32(42)),
    };
    large_sizes(extra, &mut member);
    Ok((member, used))
}

/// Sizes that do not fit into 32 bits stand in an extra field, those that need it only, in this order.
fn large_sizes(mut extra: &[u8], member: &mut Member) {
    while extra.len() >= 4 {
        let fields = Fields(extra);
        let (kind, length) = (fields.u16(0), usize::from(fields.u16(2)));
        let Some(body) = extra.get(4..4 + length) else { return };
        if kind == 1 {
            let mut at = 0;
            for size in [&mut member.bytes, &mut member.packed, &mut member.header] {
                if *size == 0xffff_ffff && body.len() >= at + 8 {
                    *size = Fields(body).u64(at);
                    at += 8;
                }
            }
            return;
        }
        extra = &extra[4 + length..];
    }
}

/// Takes out all but the last member of each name, and gives the names that came twice.
fn repeated(members: &mut Vec<Member>) -> Vec<String> {
    let mut twice = Vec::new();
    let mut kept = vec![true; members.len()];
    {
        let mut seen: HashSet<&str> = HashSet::with_capacity(members.len());
        for (nth, member) in members.iter().enumerate().rev() {
            if !seen.insert(&member.name) {
                kept[nth] = false;
                if twice.len() < 100 {
                    twice.push(member.name.to_string());
                }
            }
        }
    }
    let mut kept = kept.into_iter();
    members.retain(|_| kept.next().unwrap_or(true));
    twice
}
