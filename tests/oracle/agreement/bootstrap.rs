//! The bootstrap on the oracle's own resamples.

use super::pairs::as_real;
use super::{Found, ends, full, many, one};
use casebook::stats::bootstrap::{jackknife, replicate};
use casebook::stats::clusters::Clusters;
use casebook::stats::{Confusion, Estimate, Scale, Weights, bca, kappa, moments};
use serde_json::Value;

/// A figure of a bootstrap case.
pub(super) fn figure(case: &Value, metric: &str) -> Option<Found> {
    let columns = &case["columns"];
    let name = case["statistic"].as_str().unwrap();
    let statistic = |rows: &[usize]| -> Estimate {
        let picked = |name: &str| {
            let values = full(columns, name);
            rows.iter().map(|row| values[*row]).collect::<Vec<f64>>()
        };
        match name {
            "mean(score)" => moments::mean(&picked("score")),
            "mean(judge - expert)" => {
                let pairs = picked("judge").into_iter().zip(picked("expert"));
                moments::mean(&pairs.map(|(judge, expert)| judge - expert).collect::<Vec<_>>())
            }
            "cohen kappa, unweighted, levels 0/0.5/1" => {
                let scale = Scale::new(&[0.0, 0.5, 1.0]).unwrap();
                let levels =
                    |name| picked(name).into_iter().map(|value| scale.level(value)).collect::<Vec<_>>();
                kappa::kappa(&Confusion::count(3, &levels("expert"), &levels("judge"))?, Weights::Identity)
            }
            other => panic!("unknown statistic {other}"),
        }
    };
    let rows = columns.as_object().unwrap().values().next().unwrap().as_array().unwrap().len();
    let clusters = match &case["cluster"] {
        Value::Null => Clusters::each(rows),
        keys => Clusters::by_key(keys.as_array().unwrap()),
    };
    let index = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let resamples = case["resamples"].as_array().unwrap().iter();
    let resamples = resamples.map(|row| row.as_array().unwrap().iter().map(index).collect());
    let all: Vec<usize> = (0..rows).collect();
    let estimate = statistic(&all);
    let replicates = replicate(&clusters, resamples, statistic).unwrap();
    let left_out = jackknife(&clusters, statistic).unwrap();
    let confidence = case["confidence"].as_f64().unwrap();
    Some(match metric {
        "estimate" => one(estimate),
        "replicates" => many(Ok(replicates.values)),
        "undefined_replicates" => one(Ok(as_real(replicates.undefined))),
        "bootstrap_se" => one(replicates.standard_error()),
        "percentile_ci" => ends(replicates.percentile(confidence)),
        "bca_ci" => ends(bca::interval(estimate.unwrap(), &replicates, &left_out, confidence)),
        "bca_z0_a" => Ok(vec![
            bca::bias_correction(estimate.unwrap(), &replicates).ok(),
            bca::acceleration(&left_out).ok(),
        ]),
        "jackknife" => Ok(left_out.iter().map(|value| value.ok()).collect()),
        _ => return None,
    })
}
