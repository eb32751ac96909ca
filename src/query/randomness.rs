//! `random()` and `randomblob()` of the environment: the same call of the same trial gives the same numbers for ever.

use super::guard::MAX_VALUE_BYTES;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha20Rng;
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, Error, ffi};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The generator behind both functions of one copy.
#[derive(Debug, Clone)]
pub(super) struct Randomness {
    seed: u64,
    generator: Arc<Mutex<ChaCha20Rng>>,
}

impl Randomness {
    /// Replaces both functions on a connection. They are innocuous, so views may use them.
    pub(super) fn install(connection: &Connection, seed: u64) -> rusqlite::Result<Self> {
        let randomness = Self { seed, generator: Arc::new(Mutex::new(generator(seed, 0))) };
        let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS;
        let own = randomness.clone();
        connection.create_scalar_function("random", 0, flags, move |_| {
            Ok(own.generator().next_u64().cast_signed())
        })?;
        let own = randomness.clone();
        connection.create_scalar_function("randomblob", 1, flags, move |context| {
            // As SQLite has it: text counts as its number, and less than one byte is one byte.
            let wanted = match context.get_raw(0) {
                rusqlite::types::ValueRef::Integer(number) => number,
                #[allow(clippy::cast_possible_truncation)] // saturates, which is what is wanted
                rusqlite::types::ValueRef::Real(number) => number as i64,
                rusqlite::types::ValueRef::Text(text) => {
                    std::str::from_utf8(text).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0)
                }
                _ => 0,
            };
            let length = u64::try_from(wanted).unwrap_or(0).max(1);
            if length > MAX_VALUE_BYTES {
                return Err(Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_TOOBIG), None));
            }
            let mut blob = vec![0; usize::try_from(length).unwrap_or(1)];
            own.generator().fill_bytes(&mut blob);
            Ok(blob)
        })?;
        Ok(randomness)
    }

    /// Seeds the generator for a call.
    pub(super) fn begin(&self, call: u64) {
        *self.generator() = generator(self.seed, call);
    }

    fn generator(&self) -> MutexGuard<'_, ChaCha20Rng> {
        self.generator.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `ChaCha20` with a key of the trial's seed, the call's number (both little-endian) and zeros.
fn generator(seed: u64, call: u64) -> ChaCha20Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&call.to_le_bytes());
    ChaCha20Rng::from_seed(key)
}
