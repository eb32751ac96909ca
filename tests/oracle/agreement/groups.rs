//! Any number of raters.

use super::pairs::as_real;
use super::{Found, full, one};
use casebook::stats::{Scale, Tally, Weights, alpha, conger, fleiss, gwet, pairwise};
use serde_json::Value;

/// A figure of a case of many raters.
pub(super) fn figure(case: &Value, metric: &str) -> Option<Found> {
    let scale = Scale::new(&full(case, "levels")).unwrap();
    let rating = |value: &Value| value.as_f64().map(|value| scale.level(value).unwrap());
    let ratings: Vec<Vec<Option<usize>>> = case["ratings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row.as_array().unwrap().iter().map(rating).collect())
        .collect();
    let tally = Tally::count(scale.levels(), &ratings).unwrap();
    let pairs = pairwise::pairwise(scale.levels(), &ratings, Weights::Identity).unwrap();
    Some(match metric {
        "fleiss_kappa" => one(fleiss::fleiss(&tally)),
        "fleiss_kappa.irrcac" => one(fleiss::with_missing(&tally)),
        "conger_kappa" => one(conger::conger(scale.levels(), &ratings)),
        "gwet_ac1" => one(gwet::gwet(&tally, Weights::Identity)),
        "gwet_ac2.linear" => one(gwet::gwet(&tally, Weights::Linear)),
        "gwet_ac2.quadratic" => one(gwet::gwet(&tally, Weights::Quadratic)),
        "krippendorff_alpha.nominal" | "krippendorff_alpha.nominal.irrcac" => {
            one(alpha::alpha(&tally, alpha::Metric::Nominal))
        }
        "krippendorff_alpha.ordinal" => one(alpha::alpha(&tally, alpha::Metric::Ordinal)),
        "krippendorff_alpha.interval" => one(alpha::alpha(&tally, alpha::Metric::Interval(scale.values()))),
        "pairwise_cohen_kappa" => Ok(pairs
            .iter()
            .flat_map(|pair| {
                let counts = [pair.raters.0, pair.raters.1, pair.items].map(|count| Some(as_real(count)));
                counts.into_iter().chain([pair.kappa.ok()])
            })
            .collect()),
        "mean_pairwise_cohen_kappa" => one(pairwise::mean(&pairs)),
        "mean_pairwise_agreement" => one(fleiss::mean_agreement(&tally)),
        _ => return None,
    })
}
