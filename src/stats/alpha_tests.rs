//! Properties of the coefficients over many raters: each against its definition over pairs of ratings.

use super::{Metric, Tally, Undefined, alpha};
use crate::stats::{Weights, fleiss, gwet};
use proptest::prelude::*;

const VALUES: [f64; 3] = [0.0, 0.5, 1.0];

fn tables() -> impl Strategy<Value = Vec<Vec<Option<usize>>>> {
    prop::collection::vec(prop::collection::vec(prop::option::of(0_usize..3), 4), 0..15)
}

/// Alpha as its author defines it: mean squared difference within items over that between all ratings.
fn by_definition(ratings: &[Vec<Option<usize>>], metric: Metric) -> f64 {
    let units: Vec<Vec<usize>> = ratings
        .iter()
        .map(|row| row.iter().flatten().copied().collect::<Vec<_>>())
        .filter(|unit| unit.len() >= 2)
        .collect();
    let all = units.concat();
    let n = f64::from(u32::try_from(all.len()).unwrap());
    let difference = |a: usize, b: usize| {
        let (low, high) = (a.min(b), a.max(b));
        let half = |level: usize| all.iter().filter(|x| **x == level).map(|_| 0.5).sum::<f64>();
        match metric {
            Metric::Nominal => f64::from(u8::from(a != b)),
            Metric::Ordinal => {
                let within: f64 = all.iter().filter(|x| (low..=high).contains(*x)).map(|_| 1.0).sum();
                (within - half(a) - half(b)).powi(2)
            }
            Metric::Interval(values) => (values[a] - values[b]).powi(2),
        }
    };
    let pairs = |ratings: &[usize]| {
        let mut sum = 0.0;
        for (at, a) in ratings.iter().enumerate() {
            for b in ratings[..at].iter().chain(&ratings[at + 1..]) {
                sum += difference(*a, *b);
            }
        }
        sum
    };
    let within: f64 =
        units.iter().map(|unit| pairs(unit) / (f64::from(u32::try_from(unit.len()).unwrap()) - 1.0)).sum();
    1.0 - (within / n) / (pairs(&all) / (n * (n - 1.0)))
}

proptest! {
    #[test]
    fn alpha_is_what_its_definition_says_and_forgets_order(ratings in tables(), turn in 0_usize..15) {
        let tally = Tally::count(3, &ratings).unwrap();
        let mut turned = ratings.clone();
        if !turned.is_empty() {
            let by = turn % turned.len();
            turned.rotate_left(by);
        }
        for row in &mut turned {
            row.reverse();
        }
        let turned = Tally::count(3, &turned).unwrap();
        for metric in [Metric::Nominal, Metric::Ordinal, Metric::Interval(&VALUES)] {
            match alpha(&tally, metric) {
                Ok(value) => {
                    prop_assert!((value - by_definition(&ratings, metric)).abs() < 1e-9);
                    prop_assert!((value - alpha(&turned, metric).unwrap()).abs() < 1e-12);
                    prop_assert!(value <= 1.0);
                }
                Err(reason) => {
                    prop_assert!(!matches!(reason, Undefined::Malformed(_) | Undefined::NoSpread));
                    prop_assert_eq!(alpha(&turned, metric), Err(reason));
                }
            }
        }
    }

    #[test]
    fn chance_corrected_agreement_has_bounds(ratings in tables()) {
        let tally = Tally::count(3, &ratings).unwrap();
        // The lowest value, when nobody agrees and shares are equal, is -c/(1 - c) with c the greatest chance: 1/3, 5/9, 2/3.
        for (weights, lowest) in
            [(Weights::Identity, -0.5), (Weights::Linear, -1.25), (Weights::Quadratic, -2.0)]
        {
            if let Ok(value) = gwet::gwet(&tally, weights) {
                prop_assert!((lowest - 1e-12..=1.0 + 1e-12).contains(&value));
                prop_assert!(gwet::standard_error(&tally, weights).unwrap() >= 0.0);
            }
        }
        let full = ratings.iter().all(|row| row.iter().all(Option::is_some));
        match fleiss::fleiss(&tally) {
            Ok(value) => {
                prop_assert!(value <= 1.0);
                prop_assert!((value - fleiss::with_missing(&tally).unwrap()).abs() < 1e-12);
            }
            Err(Undefined::MissingRatings) => prop_assert!(!full),
            Err(_) => {}
        }
    }
}

#[test]
fn nothing_to_pair_is_a_reason() {
    let tally = |rows: &[Vec<Option<usize>>]| Tally::count(3, rows).unwrap();
    let nominal = |rows: &[Vec<Option<usize>>]| alpha(&tally(rows), Metric::Nominal);
    assert_eq!(nominal(&[]), Err(Undefined::NoPairs));
    assert_eq!(nominal(&[vec![Some(1), None], vec![None, Some(1)]]), Err(Undefined::NoPairs));
    assert_eq!(nominal(&[vec![Some(1), Some(2)]]), Err(Undefined::TooFew { needed: 2, found: 1 }));
    assert_eq!(nominal(&[vec![Some(1), Some(1)], vec![Some(1), Some(1)]]), Err(Undefined::OneLevel));
    assert!(Tally::count(2, &[vec![Some(2)]]).is_err());
}
