//! Properties of kappa: symmetry, order of items, bounds, and its definition spelled out.

use super::{Confusion, Undefined, Weights, highest, kappa, scott_pi, standard_error};
use proptest::prelude::*;

const ALL: [Weights; 3] = [Weights::Identity, Weights::Linear, Weights::Quadratic];

/// Kappa as the books write it: (po − pe) / (1 − pe), with both taken over pairs of items.
fn by_definition(expert: &[usize], judge: &[usize], levels: usize, weights: Weights) -> f64 {
    let n = f64::from(u32::try_from(expert.len()).unwrap());
    let observed: f64 =
        expert.iter().zip(judge).map(|(a, b)| weights.agreement(*a, *b, levels)).sum::<f64>() / n;
    let mut expected = 0.0;
    for a in expert {
        expected += judge.iter().map(|b| weights.agreement(*a, *b, levels)).sum::<f64>();
    }
    expected /= n * n;
    (observed - expected) / (1.0 - expected)
}

fn table(expert: &[usize], judge: &[usize], levels: usize) -> Confusion {
    let some = |side: &[usize]| side.iter().copied().map(Some).collect::<Vec<_>>();
    Confusion::count(levels, &some(expert), &some(judge)).unwrap()
}

proptest! {
    #[test]
    fn is_what_its_definition_says(
        pairs in prop::collection::vec((0_usize..4, 0_usize..4), 2..40), turn in 0_usize..40,
    ) {
        let (expert, judge): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
        let found = table(&expert, &judge, 4);
        let mut turned = pairs.clone();
        turned.rotate_left(turn % pairs.len());
        let (turned_expert, turned_judge): (Vec<_>, Vec<_>) = turned.into_iter().unzip();
        for weights in ALL {
            match kappa(&found, weights) {
                Ok(value) => {
                    prop_assert!((value - by_definition(&expert, &judge, 4, weights)).abs() < 1e-9);
                    prop_assert!((-1.0 - 1e-12..=1.0).contains(&value));
                    prop_assert!((value - kappa(&table(&judge, &expert, 4), weights).unwrap()).abs() < 1e-12);
                    prop_assert_eq!(kappa(&table(&turned_expert, &turned_judge, 4), weights), Ok(value));
                    prop_assert!(standard_error(&found, weights).unwrap() >= 0.0);
                    prop_assert!(kappa(&found, Weights::Identity).unwrap() <= highest(&found).unwrap() + 1e-12);
                    prop_assert!(scott_pi(&found).unwrap() <= kappa(&found, Weights::Identity).unwrap() + 1e-12);
                }
                Err(reason) => {
                    prop_assert_eq!(reason, Undefined::OneLevel);
                    prop_assert!(pairs.iter().all(|pair| *pair == (expert[0], expert[0])));
                }
            }
        }
    }

    #[test]
    fn a_constant_rater_has_exactly_none(judge in prop::collection::vec(0_usize..5, 2..60)) {
        let expert = vec![4; judge.len()];
        prop_assume!(judge.iter().any(|level| *level != 4));
        for weights in ALL {
            prop_assert_eq!(kappa(&table(&expert, &judge, 5), weights), Ok(0.0));
        }
    }
}

#[test]
fn unused_levels_are_steps_all_the_same() {
    let full = kappa(&table(&[0, 1, 4, 4, 0], &[0, 1, 4, 1, 0], 5), Weights::Linear).unwrap();
    let closed_up = kappa(&table(&[0, 1, 2, 2, 0], &[0, 1, 2, 1, 0], 3), Weights::Linear).unwrap();
    assert!((full - closed_up).abs() > 0.05, "{full} {closed_up}");
}
