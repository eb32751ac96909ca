//! Success over several attempts: at least once (pass@k), and every time (pass^k).

use super::number::real;
use super::undefined::{Estimate, Undefined, at_least};

/// How probable it is that at least one of `k` attempts succeeds, unbiased from `successes` of `attempts` (Chen and
/// others 2021): 1 − C(n−c, k) / C(n, k).
///
/// # Errors
/// [`Undefined::TooFew`] when there were fewer than `k` attempts; [`Undefined::Malformed`] for `k` of 0 or more successes
/// than attempts.
pub fn pass_at(k: usize, successes: usize, attempts: usize) -> Estimate {
    checked(k, successes, attempts)?;
    Ok(1.0 - chosen(k, attempts - successes, attempts))
}

/// How probable it is that all of `k` attempts succeed, unbiased (Yao and others 2024): C(c, k) / C(n, k).
///
/// # Errors
/// As [`pass_at`].
pub fn pass_all(k: usize, successes: usize, attempts: usize) -> Estimate {
    checked(k, successes, attempts)?;
    Ok(chosen(k, successes, attempts))
}

/// C(part, k) / C(whole, k), as a product that can't overflow.
fn chosen(k: usize, part: usize, whole: usize) -> f64 {
    if part < k {
        return 0.0;
    }
    (0..k).map(|i| real(part - i) / real(whole - i)).product()
}

fn checked(k: usize, successes: usize, attempts: usize) -> Result<(), Undefined> {
    if k == 0 || successes > attempts {
        return Err(Undefined::Malformed("k is at least 1, and successes are among the attempts"));
    }
    at_least(k, attempts)
}

#[cfg(test)]
mod tests {
    use super::{Undefined, pass_all, pass_at};
    use proptest::prelude::*;

    /// Counts the choices of `k` of the attempts that `holds` is true of.
    fn counted(k: usize, successes: usize, attempts: usize, holds: fn(u32, u32) -> bool) -> f64 {
        let (mut good, mut all) = (0.0, 0.0);
        for set in 0_u32..1 << attempts {
            if set.count_ones() as usize == k {
                all += 1.0;
                let hits = (set & ((1 << successes) - 1)).count_ones();
                good += f64::from(u8::from(holds(hits, u32::try_from(k).unwrap())));
            }
        }
        good / all
    }

    proptest! {
        #[test]
        fn both_count_the_choices(attempts in 1_usize..9, c in 0_usize..9, k in 1_usize..9) {
            let (successes, k) = (c % (attempts + 1), 1 + k % attempts);
            let any = counted(k, successes, attempts, |hits, _| hits > 0);
            let every = counted(k, successes, attempts, |hits, k| hits == k);
            prop_assert!((pass_at(k, successes, attempts).unwrap() - any).abs() < 1e-12);
            prop_assert!((pass_all(k, successes, attempts).unwrap() - every).abs() < 1e-12);
        }
    }

    #[test]
    fn more_attempts_are_needed_than_asked_for() {
        assert_eq!(pass_at(4, 1, 3), Err(Undefined::TooFew { needed: 4, found: 3 }));
        assert!(pass_all(0, 1, 3).is_err() && pass_all(1, 4, 3).is_err());
    }
}
