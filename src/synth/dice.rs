//! Chance, made repeatable: every entity throws its own dice, so that a new table or column reshuffles no other.
//!
//! The arithmetic is written out here, not left to a library's distributions: the bytes of a snapshot depend on it.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

/// Dice of one entity.
#[derive(Debug)]
pub(super) struct Dice(ChaCha8Rng);

pub(super) const BASE32: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const BASE62: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

impl Dice {
    /// The dice of entity `index` for one purpose.
    pub(super) fn new(seed: u64, purpose: &str, index: u64) -> Self {
        // Two FNV-1a hashes of the purpose: short texts, no adversary.
        let fnv = |start: u64| {
            purpose.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
        };
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&fnv(0xcbf2_9ce4_8422_2325).to_le_bytes());
        key[16..24].copy_from_slice(&fnv(0x9e37_79b9_7f4a_7c15).to_le_bytes());
        key[24..].copy_from_slice(&index.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// A number below `limit`, which is at least 1.
    #[allow(clippy::cast_possible_truncation)] // the product's upper half is below the limit
    pub(super) fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.0.next_u64()) * limit as u128) >> 64) as usize
    }

    /// A number from `low` to `high`, both included.
    #[allow(clippy::cast_possible_wrap)]
    pub(super) fn between(&mut self, low: i64, high: i64) -> i64 {
        let span = usize::try_from(high - low + 1).unwrap_or(1);
        low + self.below(span) as i64
    }

    /// A number from 0 to `most`: small ones are likely, large ones rare, and there is no step between. The more throws, the
    /// rarer the large ones.
    pub(super) fn fading(&mut self, most: i64, throws: usize) -> i64 {
        const PARTS: i64 = 1_000_000;
        (0..throws).fold(most * 1000 + 999, |left, _| left * self.between(0, PARTS) / PARTS) / 1000
    }

    /// The same, from `low` to `high`; where those are hardly ever thrown, all of them alike.
    pub(super) fn fading_in(&mut self, low: i64, high: i64, (most, throws): (i64, usize)) -> i64 {
        if high <= low {
            return low;
        }
        let fits = (0..200).map(|_| self.fading(most, throws)).find(|thrown| (low..=high).contains(thrown));
        if let Some(thrown) = fits {
            return thrown;
        }
        self.between(low, high)
    }

    /// Heads with a chance of `percent` in a hundred.
    pub(super) fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of these.
    pub(super) fn pick<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.below(of.len())]
    }

    /// One of these by weight.
    pub(super) fn weighted<'t, T>(&mut self, of: &'t [(usize, T)]) -> &'t T {
        let total = of.iter().map(|(weight, _)| weight).sum();
        let mut at = self.below(total);
        for (weight, item) in of {
            if at < *weight {
                return item;
            }
            at -= weight;
        }
        &of[0].1
    }

    /// These in another order.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    fn letters(&mut self, alphabet: &[u8], length: usize) -> String {
        (0..length).map(|_| char::from(*self.pick(alphabet))).collect()
    }

    /// Lower-case hexadecimal digits.
    pub(super) fn hex(&mut self, length: usize) -> String {
        self.letters(b"0123456789abcdef", length)
    }

    /// Letters and digits.
    pub(super) fn base62(&mut self, length: usize) -> String {
        self.letters(BASE62, length)
    }

    /// Capitals and the digits 2 to 7, as AWS ids have them.
    pub(super) fn base32(&mut self, length: usize) -> String {
        self.letters(BASE32, length)
    }

    /// Lower-case letters and digits.
    pub(super) fn base36(&mut self, length: usize) -> String {
        self.letters(&BASE62[..36], length)
    }

    /// Decimal digits, the first of them not 0.
    pub(super) fn digits(&mut self, length: usize) -> String {
        self.letters(b"123456789", 1) + &self.letters(b"0123456789", length - 1)
    }

    /// A number of 64 bits in twenty decimal digits, as Google's products number people and programs.
    pub(super) fn twenty_digits(&mut self) -> String {
        format!("{:020}", self.0.next_u64())
    }

    /// A random UUID (version 4).
    pub(super) fn guid(&mut self) -> String {
        let hex = self.hex(32);
        let variant = char::from(*self.pick(b"89ab"));
        format!("{}-{}-4{}-{variant}{}-{}", &hex[..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..])
    }
}

/// `count` of these, without repetition, in the order in which they were given.
pub(super) fn choose(seed: u64, purpose: &str, from: &[u32], count: usize) -> Vec<u32> {
    let mut places: Vec<usize> = (0..from.len()).collect();
    let mut dice = Dice::new(seed, purpose, 0);
    let count = count.min(from.len());
    for at in 0..count {
        let other = at + dice.below(places.len() - at);
        places.swap(at, other);
    }
    places.truncate(count);
    places.sort_unstable();
    places.into_iter().map(|place| from[place]).collect()
}

#[cfg(test)]
mod tests {
    use super::{Dice, choose};

    #[test]
    fn the_same_entity_throws_the_same_and_others_differ() {
        let throw = |seed, purpose, index| Dice::new(seed, purpose, index).base62(20);
        assert_eq!(throw(1, "okta", 3), throw(1, "okta", 3));
        for other in [throw(2, "okta", 3), throw(1, "oktb", 3), throw(1, "okta", 4)] {
            assert_ne!(throw(1, "okta", 3), other);
        }
    }

    #[test]
    fn what_fades_has_no_step() {
        let mut dice = Dice::new(9, "fading", 0);
        let mut counts = [0; 10];
        for _ in 0..10_000 {
            counts[usize::try_from(dice.fading(99, 3) / 10).unwrap()] += 1;
        }
        assert!(counts.windows(2).all(|pair| pair[0] > pair[1] && pair[0] < pair[1] * 8), "{counts:?}");
        for _ in 0..200 {
            assert!((40..=60).contains(&dice.fading_in(40, 60, (99, 3))));
            assert!((98..=99).contains(&dice.fading_in(98, 99, (99, 6))));
        }
        assert_eq!(dice.fading_in(5, 3, (99, 3)), 5);
    }

    #[test]
    fn ids_have_their_shapes() {
        let mut dice = Dice::new(7, "shape", 0);
        for _ in 0..200 {
            let guid = dice.guid();
            let parts: Vec<usize> = guid.split('-').map(str::len).collect();
            assert_eq!(parts, [8, 4, 4, 4, 12]);
            assert_eq!(&guid[14..15], "4");
            assert!("89ab".contains(&guid[19..20]));
            assert_ne!(dice.digits(21).as_bytes()[0], b'0');
        }
    }

    #[test]
    fn a_choice_has_no_repetition_and_covers_all_in_the_end() {
        let from: Vec<u32> = (10..30).collect();
        let chosen = choose(3, "x", &from, 7);
        assert_eq!(chosen.len(), 7);
        assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(choose(3, "x", &from, 99), from);
        assert!(choose(3, "x", &[], 2).is_empty());
    }
}
