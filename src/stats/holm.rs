//! Holm's correction of several p-values (Holm 1979).

use super::number::real;
use super::undefined::Undefined;

/// Adjusted p-values in the order given: reject where they are at most the level wanted for the whole family.
///
/// # Errors
/// [`Undefined::Malformed`] for a p-value outside 0..=1.
pub fn holm(p_values: &[f64]) -> Result<Vec<f64>, Undefined> {
    if p_values.iter().any(|p| !(0.0..=1.0).contains(p)) {
        return Err(Undefined::Malformed("a p-value is between 0 and 1"));
    }
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    let (mut adjusted, mut so_far) = (vec![0.0; p_values.len()], 0.0_f64);
    for (rank, at) in order.iter().enumerate() {
        so_far = so_far.max((real(p_values.len() - rank) * p_values[*at]).min(1.0));
        adjusted[*at] = so_far;
    }
    Ok(adjusted)
}

#[cfg(test)]
mod tests {
    use super::holm;
    use proptest::prelude::*;

    #[test]
    fn a_worked_family() {
        let found = holm(&[0.01, 0.04, 0.03, 0.005]).unwrap();
        let wanted = [0.03, 0.06, 0.06, 0.02];
        assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
        assert_eq!(holm(&[]), Ok(Vec::new()));
        assert!(holm(&[f64::NAN]).is_err() && holm(&[1.5]).is_err());
    }

    proptest! {
        #[test]
        fn keeps_the_order_and_begins_with_bonferroni(p in prop::collection::vec(0.0_f64..=1.0, 1..12)) {
            let found = holm(&p).unwrap();
            let lowest = p.iter().copied().fold(1.0, f64::min);
            let bonferroni = (lowest * f64::from(u8::try_from(p.len()).unwrap())).min(1.0);
            prop_assert!(found.iter().any(|adjusted| (adjusted - bonferroni).abs() < 1e-12));
            for (at, adjusted) in found.iter().enumerate() {
                prop_assert!(*adjusted >= p[at] && *adjusted <= 1.0);
                for (other, of_other) in found.iter().enumerate() {
                    prop_assert!(p[at] > p[other] || adjusted <= of_other);
                }
            }
        }
    }
}
