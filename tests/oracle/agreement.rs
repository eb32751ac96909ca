//! Statistics against `tests/fixtures/oracles/agreement/cases.json`: 56 cases whose values scikit-learn 1.9.1,
//! statsmodels 0.15.0, scipy 1.12.0, krippendorff 0.9.0, irrCAC 0.4.4, `ppi_py` 0.2.3 and Inspect 0.3.285 calculated, at
//! 1e-9 absolute plus relative. Every expected figure must be one that this file knows, and where ours is meant to differ
//! it says so with the reason that must come instead.

mod bootstrap;
mod groups;
mod pairs;
mod sundry;

use casebook::stats::{Estimate, Interval, Undefined};
use serde_json::Value;
use std::collections::BTreeMap;

/// What we calculate for an expected figure: numbers, some of which may be missing, or the reason why there are none.
type Found = Result<Vec<Option<f64>>, Undefined>;

fn one(estimate: Estimate) -> Found {
    estimate.map(|value| vec![Some(value)])
}

fn ends(interval: Result<Interval, Undefined>) -> Found {
    interval.map(|interval| vec![Some(interval.low), Some(interval.high)])
}

fn many(values: Result<Vec<f64>, Undefined>) -> Found {
    values.map(|values| values.into_iter().map(Some).collect())
}

/// Figures where the libraries give a number, or none, and ours is another by the oracle's own rules (its README: "Where
/// libraries disagree, and what our tool should return"). One item has no agreement beyond chance; one level neither.
const OURS: &[(&str, &str, &str)] = &[
    ("two-edge-single-item-disagree", "cohen_kappa.", "n<2"),
    ("two-edge-single-item-disagree", "cohen_kappa_", "n<2"),
    ("two-edge-single-item-disagree", "krippendorff_alpha.", "n<2"),
    ("two-edge-one-class-binary", "scott_pi", "one_level"),
    ("multi-edge-all-same", "fleiss_kappa.irrcac", "one_level"),
    ("multi-edge-all-same", "krippendorff_alpha.nominal.irrcac", "one_level"),
];

/// The only figure of a library that is rounding alone: 4.7e-8 where reversed extremes leave no error.
const ROUNDED: (&str, &str) = ("two-edge-systematic-reversal", "cohen_kappa_se.quadratic");

/// The reason that must come where no figure exists, by case.
const REASONS: &[(&str, &str)] = &[
    ("two-edge-one-class-both", "one_level"),
    ("two-edge-one-class-binary", "one_level"),
    ("two-edge-single-item", "n<2"),
    ("two-edge-no-pairs", "no_pairs"),
    ("multi-edge-all-same", "one_level"),
];

#[test]
fn every_figure_of_every_case() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/oracles/agreement/cases.json");
    let oracle: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let (mut wrong, mut differing) = (Vec::new(), Vec::new());
    let mut checked: BTreeMap<&str, usize> = BTreeMap::new();
    let mut cases = 0;
    for case in oracle["cases"].as_array().unwrap() {
        cases += 1;
        let (id, kind) = (case["id"].as_str().unwrap(), case["kind"].as_str().unwrap());
        for (metric, expected) in case["expected"].as_object().unwrap() {
            let found = match kind {
                "two_raters" => pairs::figure(case, metric),
                "multi_raters" => groups::figure(case, metric),
                "bootstrap" => bootstrap::figure(case, metric),
                "ppi_mean" => sundry::corrected_mean(case, metric),
                "vote_pool" => sundry::pooled_votes(case, metric),
                "self_preference" => sundry::self_preference(case, metric),
                _ => None,
            };
            let Some(found) = found else {
                wrong.push(format!("{id} {metric}: nobody calculates it"));
                continue;
            };
            *checked.entry(kind).or_default() += 1;
            if let Some(at) = OURS.iter().position(|ours| ours.0 == id && metric.starts_with(ours.1)) {
                differing.push(at);
                if found.as_ref().map_err(|reason| reason.code()) != Err(OURS[at].2.to_owned()) {
                    wrong.push(format!("{id} {metric}: wanted the reason {}, found {found:?}", OURS[at].2));
                }
            } else if (id, metric.as_str()) == ROUNDED {
                // A variance of 0, of which the library's rounding left 2e-15 before it took the root.
                if !found.as_ref().is_ok_and(|found| found[0].is_some_and(|error| error.abs() < 1e-9)) {
                    wrong.push(format!("{id} {metric}: wanted 0, found {found:?}"));
                }
            } else if let Some(problem) = difference(expected, &found) {
                wrong.push(format!("{id} {metric}: {problem}"));
            } else if let (Err(reason), Some((_, wanted))) =
                (&found, REASONS.iter().find(|(case, _)| *case == id))
                && !plainly_explained(metric, &reason.code())
                && reason.code() != *wanted
            {
                wrong.push(format!("{id} {metric}: wanted the reason {wanted}, found {reason:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} difference(s):\n{}", wrong.len(), wrong.join("\n"));
    differing.sort_unstable();
    differing.dedup();
    assert_eq!(differing.len(), OURS.len(), "a rule of ours that no case needs");
    assert_eq!((cases, checked), (56, BTreeMap::from(CHECKED)));
}

/// How many figures of each kind the oracle has.
const CHECKED: [(&str, usize); 6] = [
    ("two_raters", 875),
    ("multi_raters", 169),
    ("bootstrap", 48),
    ("ppi_mean", 30),
    ("vote_pool", 56),
    ("self_preference", 7),
];

/// Figures that lack a value for a reason of their own: no spread to correlate or to make an interval of, no pair of
/// raters with a kappa.
fn plainly_explained(metric: &str, code: &str) -> bool {
    match code {
        "no_spread" => ["spearman", "kendall_tau_b", "pearson", "bias_ci95_t"].contains(&metric),
        "none_defined" => metric == "mean_pairwise_cohen_kappa",
        // The caller hands over the levels that were seen, and one or none is not a scale.
        "malformed" => metric == "cohen_kappa.linear_observed_levels_only",
        // Columns without pairs have no observations.
        "n<2" => ["spearman", "kendall_tau_b", "pearson"].contains(&metric),
        _ => false,
    }
}

/// What is wrong with a figure.
fn difference(expected: &Value, found: &Found) -> Option<String> {
    let mut wanted = Vec::new();
    flatten(&expected["value"], &mut wanted);
    let nothing = wanted.iter().all(Option::is_none);
    match found {
        Err(_) if nothing => None,
        Err(reason) => Some(format!("wanted {wanted:?}, found {reason:?}")),
        Ok(found) if wanted.len() == found.len() && wanted.iter().zip(found).all(|(a, b)| same(*a, *b)) => {
            None
        }
        Ok(found) => Some(format!("wanted {wanted:?}, found {found:?}")),
    }
}

fn same(wanted: Option<f64>, found: Option<f64>) -> bool {
    match (wanted, found) {
        (Some(wanted), Some(found)) => (wanted - found).abs() <= 1e-9 + 1e-9 * wanted.abs(),
        (None, None) => true,
        _ => false,
    }
}

/// The numbers of a value in order; objects in the order that `groups` writes: raters, n, kappa.
fn flatten(value: &Value, into: &mut Vec<Option<f64>>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| flatten(item, into)),
        Value::Object(pair) => ["raters", "n", "kappa"].iter().for_each(|key| flatten(&pair[*key], into)),
        Value::Bool(flag) => into.push(Some(f64::from(u8::from(*flag)))),
        other => into.push(other.as_f64()),
    }
}

/// A column of a case.
fn column(case: &Value, name: &str) -> Vec<Option<f64>> {
    case[name].as_array().unwrap().iter().map(Value::as_f64).collect()
}

/// A column without gaps.
fn full(case: &Value, name: &str) -> Vec<f64> {
    column(case, name).into_iter().map(Option::unwrap).collect()
}
