//! Looks for pieces of everything that only an evaluator may see in the bytes of a program.
//!
//! Texts are compared without regard to case and to how white space is laid out, in pieces of 32 bytes; compressed files as
//! they are. A piece that an actor may see anyway, in a question or a prompt, is none.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Bytes of a piece. Whatever is there of 63 bytes in a row holds a whole one.
const PIECE: usize = 32;
/// A subject of so many bytes or more is looked for by itself.
const LONG_SUBJECT: usize = 20;

/// Pieces by their bytes, with the file each comes from.
#[derive(Default)]
pub(crate) struct Secrets {
    texts: HashMap<[u8; PIECE], String>,
    raw: HashMap<[u8; PIECE], String>,
    subjects: HashMap<String, String>,
}

impl Secrets {
    /// The vaults of all packs, and the demo run.
    pub(crate) fn of_the_repository() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut secrets = Self::default();
        let mut visible = HashSet::new();
        for file in files(&root.join("packs")).into_iter().chain(files(&root.join("demo/run"))) {
            let name = file.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            let bytes = fs::read(&file).unwrap();
            let is_compressed = file.extension().is_some_and(|ending| ending == "zst");
            if is_compressed {
                secrets.add_raw(&name, &bytes);
            }
            let text = if is_compressed { zstd::decode_all(bytes.as_slice()).unwrap() } else { bytes };
            let is_secret =
                ["/reference/", "/truth/", "/links.toml", "demo/run/"].iter().any(|part| name.contains(part));
            if is_secret {
                secrets.add_text(&name, &text);
            } else {
                visible.extend(normal(&text).windows(PIECE).map(<[u8]>::to_vec));
            }
            if name.contains("/truth/") {
                secrets.add_subjects(&name, &text);
            }
        }
        // The schema document, the brief and the prompts are in traces of the demo too, and so is what the program says.
        for manifest in files(&root.join("snapshots")).iter().filter(|path| path.ends_with("manifest.json")) {
            visible.extend(normal(&fs::read(manifest).unwrap()).windows(PIECE).map(<[u8]>::to_vec));
        }
        let mut said = HashSet::new();
        for file in files(&root.join("src")) {
            said.extend(normal(&fs::read(file).unwrap()).windows(PIECE).map(<[u8]>::to_vec));
        }
        secrets.texts.retain(|piece, source| {
            let is_said = source.starts_with("demo/") && said.contains(piece.as_slice());
            !is_said && !visible.contains(piece.as_slice())
        });
        assert!(secrets.texts.len() > 10_000 && secrets.raw.len() > 500 && secrets.subjects.len() > 500);
        secrets
    }

    fn add_text(&mut self, name: &str, text: &[u8]) {
        for piece in normal(text).chunks_exact(PIECE).filter(|piece| is_telling(piece)) {
            self.texts.insert(piece.try_into().unwrap(), name.to_owned());
        }
    }

    fn add_raw(&mut self, name: &str, bytes: &[u8]) {
        // The head of a compressed file may be like that of another one.
        for piece in bytes.get(16..).unwrap_or_default().chunks_exact(PIECE) {
            self.raw.insert(piece.try_into().unwrap(), name.to_owned());
        }
    }

    fn add_subjects(&mut self, name: &str, truth: &[u8]) {
        for line in std::str::from_utf8(truth).unwrap().lines().skip(1) {
            let task: serde_json::Value = serde_json::from_str(line).unwrap();
            for row in task["rows"].as_array().unwrap() {
                if let Some(subject) = row[0].as_str().filter(|it| it.len() >= LONG_SUBJECT) {
                    self.subjects.insert(subject.to_owned(), name.to_owned());
                }
            }
        }
    }
}

/// What of the secrets is in these bytes: the file it comes from, and the pieces.
pub(crate) fn scan(binary: &[u8], secrets: &Secrets) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut take = |source: &String, piece: String| found.entry(source.clone()).or_default().push(piece);
    for (piece, source) in pieces_of(&normal(binary), &secrets.texts) {
        take(source, String::from_utf8_lossy(&piece).into_owned());
    }
    for (piece, source) in pieces_of(binary, &secrets.raw) {
        take(source, hex::encode(piece));
    }
    let words = binary.split(|byte| !byte.is_ascii_graphic() || b"\"',;()[]{}<>".contains(byte));
    for word in words.filter(|word| word.len() >= LONG_SUBJECT) {
        let subject = std::str::from_utf8(word).ok().and_then(|word| secrets.subjects.get_key_value(word));
        if let Some((subject, source)) = subject {
            take(source, subject.clone());
        }
    }
    found
}

/// The pieces that a text holds at any place.
fn pieces_of<'s>(text: &[u8], pieces: &'s HashMap<[u8; PIECE], String>) -> Vec<([u8; PIECE], &'s String)> {
    // A few bytes of each piece say at most places that there is none: hashing each of a hundred million would take minutes.
    let mut begins = vec![false; 1 << 24];
    let begin =
        |piece: &[u8]| usize::from(piece[0]) << 16 | usize::from(piece[1]) << 8 | usize::from(piece[2]);
    let mut ends = vec![false; 1 << 24];
    let end = |piece: &[u8]| begin(&piece[PIECE - 3..]);
    for piece in pieces.keys() {
        begins[begin(piece)] = true;
        ends[end(piece)] = true;
    }
    let mut found = Vec::new();
    for piece in text.windows(PIECE) {
        if begins[begin(piece)]
            && ends[end(piece)]
            && let Some((piece, source)) = pieces.get_key_value(piece)
        {
            found.push((*piece, source));
        }
    }
    found
}

/// Lower case, with one space for any white space.
fn normal(text: &[u8]) -> Vec<u8> {
    let mut all = Vec::with_capacity(text.len());
    for byte in text {
        if !byte.is_ascii_whitespace() {
            all.push(byte.to_ascii_lowercase());
        } else if all.last() != Some(&b' ') {
            all.push(b' ');
        }
    }
    all
}

/// Whether a piece is words, not rules, zeros and blanks.
fn is_telling(piece: &[u8]) -> bool {
    let letters = piece.iter().filter(|byte| byte.is_ascii_alphanumeric());
    letters.clone().count() > PIECE / 2 && letters.collect::<HashSet<_>>().len() > 6
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { all.extend(files(&path)) } else { all.push(path) }
    }
    all.sort();
    all
}
