//! Any bytes as a sample of an Inspect log: the zip around it is sound.

#![no_main]

use casebook::archive::import::{ForeignFile, Strictness};
use libfuzzer_sys::fuzz_target;

/// A zip of one stored member.
fn zip(name: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut crc = !0_u32;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xedb8_8320 & (0_u32.wrapping_sub(crc & 1)));
        }
    }
    let length = (bytes.len() as u32).to_le_bytes();
    let sizes = [(!crc).to_le_bytes(), length, length].concat();
    let length = (name.len() as u16).to_le_bytes();
    let local = [b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0".as_slice(), sizes.as_slice(), &length, b"\0\0", name, bytes].concat();
    let entry = [
        b"PK\x01\x02\x14\0\x14\0\0\0\0\0\0\0\0\0".as_slice(), sizes.as_slice(), &length, &[0; 16], name,
    ]
    .concat();
    let (start, size) = ((local.len() as u32).to_le_bytes(), (entry.len() as u32).to_le_bytes());
    let end = [b"PK\x05\x06\0\0\0\0\x01\0\x01\0".as_slice(), &size, &start, b"\0\0"].concat();
    [local, entry, end].concat()
}

fuzz_target!(|bytes: &[u8]| {
    let path = std::env::temp_dir().join(format!("casebook-fuzz-zip-{}", std::process::id()));
    std::fs::write(&path, zip(b"samples/a_epoch_1.json", bytes)).expect("the temporary folder can be written");
    let file = ForeignFile::open(&path, Strictness::Lenient).expect("the zip is sound");
    assert_eq!(file.log().trials.len(), 1);
    let _ = file.trial(0);
});
