//! Where sequences end, whole and in pieces.

use super::{Cutter, ESCAPE_PATIENCE, PATIENCE, Piece};
use proptest::prelude::*;

/// A piece with its kind: `s` sequence, `p` paste, `b` broken.
type Owned = (char, Vec<u8>);

fn owned(piece: Piece<'_>) -> Owned {
    match piece {
        Piece::Sequence(bytes) => ('s', bytes.to_vec()),
        Piece::Paste(bytes) => ('p', bytes.to_vec()),
        Piece::Broken(bytes) => ('b', bytes.to_vec()),
    }
}

fn cut_in_chunks<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Vec<Owned> {
    let mut cutter = Cutter::new();
    let mut pieces = Vec::new();
    for chunk in chunks {
        cutter.feed(chunk, |piece| pieces.push(owned(piece)));
    }
    cutter.give_up(|piece| pieces.push(owned(piece)));
    cutter.end_paste(|piece| pieces.push(owned(piece)));
    pieces
}

fn shown(pieces: &[Owned]) -> Vec<String> {
    pieces.iter().map(|(kind, bytes)| format!("{kind} {}", bytes.escape_ascii())).collect()
}

#[test]
fn sequences_are_cut_where_they_end_in_any_chunks() {
    let cases: &[(&[u8], &[&str])] = &[
        (b"ab\r", &["s a", "s b", "s \\r"]),
        ("é名😀".as_bytes(), &["s \\xc3\\xa9", "s \\xe5\\x90\\x8d", "s \\xf0\\x9f\\x98\\x80"]),
        (b"\x1b[A\x1b[1;5Cx", &["s \\x1b[A", "s \\x1b[1;5C", "s x"]),
        (b"\x1bOPj", &["s \\x1bOP", "s j"]),
        (b"\x1bx\x1b\xc3\xa9", &["s \\x1bx", "s \\x1b\\xc3\\xa9"]),
        (b"\x1b\x1b[A", &["s \\x1b", "s \\x1b[A"]),
        (b"\x1b[[A\x1b[M !!q", &["s \\x1b[[A", "s \\x1b[M !!", "s q"]),
        (
            b"a\x1b]11;rgb:1/2/3\x07b\x1b]10;rgb:1/2/3\x1b\\c",
            &["s a", "s \\x1b]11;rgb:1/2/3\\x07", "s b", "s \\x1b]10;rgb:1/2/3\\x1b\\\\", "s c"],
        ),
        (b"\x1bP1$r0m\x1b\\\x1b_Gi=1;OK\x1b\\", &["s \\x1bP1$r0m\\x1b\\\\", "s \\x1b_Gi=1;OK\\x1b\\\\"]),
        (b"\x1b[200~two\rlines \x1b[A\x1b[201~q", &["p two\\rlines \\x1b[A", "s q"]),
        (b"\x1b[200~\x1b[201~\x1b[200~x\x1b[201~", &["p ", "p x"]),
        // Alt with the letters that begin sequences, and keys after it.
        (
            b"\x1b]a\x1bPa\x1b_a\x1bO1",
            &["s \\x1b]", "s a", "s \\x1bP", "s a", "s \\x1b_", "s a", "s \\x1bO", "s 1"],
        ),
        // Sequences that are cut off by another, by a control character, by the end.
        (b"\x1b[1;\x1b[A", &["b \\x1b[1;", "s \\x1b[A"]),
        (b"\x1b[1\rx", &["b \\x1b[1", "s \\r", "s x"]),
        (b"\x1b]11;rgb\x1b[A", &["b \\x1b]11;rgb", "s \\x1b[A"]),
        (b"\x1b]11;rgb\rx", &["b \\x1b]11;rgb", "s \\r", "s x"]),
        (b"\xff\x80a\xc3(\x1b\xff", &["b \\xff", "b \\x80", "s a", "b \\xc3", "s (", "b \\x1b\\xff"]),
        (b"\x1b[1;5", &["b \\x1b[1;5"]),
        (b"x\x1b", &["s x", "s \\x1b"]),
        (b"\x1b[", &["s \\x1b["]),
    ];
    for (bytes, wanted) in cases {
        for size in 1..=bytes.len() {
            let pieces = cut_in_chunks(bytes.chunks(size));
            assert_eq!(shown(&pieces), *wanted, "{} in chunks of {size}", bytes.escape_ascii());
        }
    }
}

#[test]
fn what_is_held_back_has_its_patience() {
    for (bytes, patience) in [
        (&b"x"[..], None),
        (b"\x1b[A", None),
        (b"\x1b", Some(ESCAPE_PATIENCE)),
        (b"\x1b[", Some(ESCAPE_PATIENCE)),
        (b"\x1b]", Some(ESCAPE_PATIENCE)),
        (b"\x1b]1", Some(PATIENCE)),
        (b"\x1b[1;", Some(PATIENCE)),
        (b"\xc3", Some(PATIENCE)),
        (b"\x1b[200~ab", None),
        (b"\x1b[200~ab\x1b", None),
    ] {
        let mut cutter = Cutter::new();
        cutter.feed(bytes, |_| {});
        assert_eq!(cutter.patience(), patience, "{}", bytes.escape_ascii());
    }
}

#[test]
fn an_answer_without_an_end_is_let_go() {
    let mut bytes = b"\x1b]11;".to_vec();
    bytes.resize(10_000, b'a');
    let pieces = cut_in_chunks([&bytes[..]]);
    assert_eq!(pieces[0].0, 'b');
    assert_eq!(pieces[0].1.len(), 4096);
    assert_eq!(pieces.len(), 1 + 10_000 - 4096);
}

/// Bytes that are likely to be taken for something.
fn tricky() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        Just(b"\x1b".to_vec()),
        Just(b"\x1b[".to_vec()),
        Just(b"\x1b]11;rgb:".to_vec()),
        Just(b"\x1b\\".to_vec()),
        Just(b"\x07".to_vec()),
        Just(b"\x1b[200~".to_vec()),
        Just(b"\x1b[201~".to_vec()),
        Just(b"\x1b[<0;1;1M".to_vec()),
        Just("é".as_bytes().to_vec()),
        proptest::collection::vec(any::<u8>(), 0..4),
    ];
    proptest::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn no_byte_is_lost_and_chunks_make_no_difference(
        bytes in tricky(),
        ends in proptest::collection::vec(1_usize..9, 1..40),
    ) {
        let whole = cut_in_chunks([&bytes[..]]);
        let mut rest = &bytes[..];
        let mut chunks = Vec::new();
        for end in ends {
            let (chunk, after) = rest.split_at(end.min(rest.len()));
            chunks.push(chunk);
            rest = after;
        }
        chunks.push(rest);
        prop_assert_eq!(&cut_in_chunks(chunks), &whole);
        let mut seen: Vec<u8> = Vec::new();
        for (at, (kind, piece)) in whole.iter().enumerate() {
            if *kind == 'p' {
                seen.extend_from_slice(b"\x1b[200~");
                seen.extend_from_slice(piece);
                let is_ended = at + 1 < whole.len() || bytes.ends_with(b"\x1b[201~");
                if is_ended {
                    seen.extend_from_slice(b"\x1b[201~");
                }
            } else {
                seen.extend_from_slice(piece);
            }
        }
        prop_assert_eq!(seen, bytes);
    }
}
