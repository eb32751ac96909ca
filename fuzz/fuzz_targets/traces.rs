//! Any bytes as a trace of another program: no panic, and what is read has its events in order.

#![no_main]

use casebook::archive::import::{ForeignFile, Strictness};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let path = std::env::temp_dir().join(format!("casebook-fuzz-trace-{}", std::process::id()));
    std::fs::write(&path, bytes).expect("the temporary folder can be written");
    for strictness in [Strictness::Lenient, Strictness::Strict] {
        let Ok(file) = ForeignFile::open(&path, strictness) else { continue };
        for nth in 0..file.log().trials.len().min(100) {
            let Ok((trial, _)) = file.trial(nth) else { continue };
            for (event, seq) in trial.events.iter().zip(1..) {
                assert!(event.seq == seq && event.parent.is_none_or(|parent| parent < seq));
            }
        }
        let _ = file.reductions();
    }
});
