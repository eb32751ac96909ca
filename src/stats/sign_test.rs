//! The exact sign test: are wins more than luck?

use super::number::real;
use super::undefined::{Estimate, Undefined};

/// The two-sided p-value of `wins` against `losses`, ties left out: how probable so uneven a split is if both were
/// equally likely.
///
/// # Errors
/// [`Undefined::NoSpread`] when there are neither wins nor losses.
pub fn sign_test(wins: usize, losses: usize) -> Estimate {
    let n = wins + losses;
    if n == 0 {
        return Err(Undefined::NoSpread);
    }
    // ln C(n, i) grows by ln((n − i + 1) / i): no overflow, and no library.
    let mut ln_term = -real(n) * std::f64::consts::LN_2;
    let mut tail = ln_term.exp();
    for i in 1..=wins.min(losses) {
        ln_term += (real(n - i + 1) / real(i)).ln();
        tail += ln_term.exp();
    }
    Ok((2.0 * tail).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::{Undefined, sign_test};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_the_share_of_coin_throws(wins in 0_u32..8, losses in 0_u32..8) {
            prop_assume!(wins + losses > 0);
            let n = wins + losses;
            let throws = (0_u32..1 << n).filter(|throw| throw.count_ones() <= wins.min(losses)).count();
            let wanted = (2.0 * f64::from(u32::try_from(throws).unwrap()) / f64::from(1_u32 << n)).min(1.0);
            let found = sign_test(wins as usize, losses as usize).unwrap();
            prop_assert!((found - wanted).abs() < 1e-12);
            prop_assert_eq!(sign_test(losses as usize, wins as usize), Ok(found));
        }
    }

    #[test]
    fn large_and_empty() {
        assert_eq!(sign_test(0, 0), Err(Undefined::NoSpread));
        assert_eq!(sign_test(5000, 5000), Ok(1.0));
        // The same with whole numbers of any size in another program.
        let found = sign_test(4900, 5100).unwrap();
        assert!((found - 0.046_585_527_704_947).abs() < 1e-9, "{found}");
    }
}
