//! The bootstrap: its draws are fair and repeat, its intervals hold what they must.

use super::{Clusters, Undefined, jackknife, replicate, resamples};
use crate::stats::{bca, moments};
use proptest::prelude::*;

#[test]
fn the_same_seed_draws_the_same_rows_for_good() {
    let drawn = |seed| resamples(10, 2, seed).collect::<Vec<_>>();
    assert_eq!(drawn(7), drawn(7));
    assert_ne!(drawn(7), drawn(8));
    // Stored intervals depend on these very rows, which another program's ChaCha8 gave.
    assert_eq!(drawn(20_261_130), FIRST_ROWS);
}

const FIRST_ROWS: [[usize; 10]; 2] = [[3, 9, 7, 9, 8, 5, 3, 1, 7, 5], [1, 3, 2, 8, 4, 0, 8, 0, 3, 6]];

#[test]
fn every_unit_is_drawn_as_often() {
    let mut seen = [0_u32; 7];
    for unit in resamples(7, 10_000, 1).flatten() {
        seen[unit] += 1;
    }
    assert_eq!(seen.iter().sum::<u32>(), 70_000);
    // Five standard deviations of a binomial with p = 1/7 are about 463.
    assert!(seen.iter().all(|count| count.abs_diff(10_000) < 463), "{seen:?}");
}

#[test]
fn an_undefined_resample_is_counted_and_left_out() {
    let clusters = Clusters::each(2);
    let only_mixed = |rows: &[usize]| if rows[0] == rows[1] { Err(Undefined::OneLevel) } else { Ok(3.0) };
    let found = replicate(&clusters, [vec![0, 1], vec![1, 1], vec![1, 0]], only_mixed).unwrap();
    assert_eq!((found.values, found.undefined), (vec![3.0, 3.0], 1));
    let none = replicate(&clusters, [vec![1, 1]], only_mixed).unwrap();
    assert_eq!(none.percentile(0.95), Err(Undefined::NoneDefined));
    assert_eq!(none.standard_error(), Err(Undefined::NoneDefined));
    assert_eq!(jackknife(&Clusters::each(1), |_| Ok(0.0)), Err(Undefined::TooFew { needed: 2, found: 1 }));
}

#[test]
fn bca_says_why_it_has_no_interval() {
    let clusters = Clusters::each(3);
    let all = replicate(&clusters, [vec![0, 1, 2], vec![1, 1, 1]], |_| Ok(1.0)).unwrap();
    let undefined = [Ok(1.0), Err(Undefined::OneLevel), Ok(1.0)];
    assert_eq!(bca::interval(1.0, &all, &undefined, 0.95), Err(Undefined::Jackknife));
    assert_eq!(bca::interval(1.0, &all, &[Ok(1.0); 3], 0.95), Err(Undefined::NoSpread));
    assert_eq!(bca::interval(2.0, &all, &[Ok(1.0), Ok(2.0), Ok(4.0)], 0.95), Err(Undefined::OneSided));
}

proptest! {
    #[test]
    fn intervals_are_ordered_nested_and_in_the_unit_of_the_data(
        values in prop::collection::vec(-5.0_f64..5.0, 4..25), seed in any::<u64>(),
    ) {
        let clusters = Clusters::each(values.len());
        // Doubling is exact, so that replicates equal to the estimate stay so.
        let doubled: Vec<f64> = values.iter().map(|value| value * 2.0).collect();
        let run = |values: &[f64]| {
            let statistic =
                |rows: &[usize]| moments::mean(&rows.iter().map(|row| values[*row]).collect::<Vec<_>>());
            let found = replicate(&clusters, resamples(values.len(), 300, seed), statistic).unwrap();
            let left_out = jackknife(&clusters, statistic).unwrap();
            let bca = bca::interval(moments::mean(values).unwrap(), &found, &left_out, 0.9);
            (found.percentile(0.9).unwrap(), found.percentile(0.5).unwrap(), bca)
        };
        let (wide, narrow, corrected) = run(&values);
        prop_assert!(wide.low <= narrow.low && narrow.low <= narrow.high && narrow.high <= wide.high);
        let (moved, _, moved_corrected) = run(&doubled);
        prop_assert!((moved.low - (wide.low * 2.0)).abs() < 1e-9);
        if let (Ok(a), Ok(b)) = (corrected, moved_corrected) {
            prop_assert!(a.low <= a.high);
            prop_assert!((b.high - (a.high * 2.0)).abs() < 1e-6);
        }
    }
}
