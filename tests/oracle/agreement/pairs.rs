//! Two raters.

use super::{Found, column, ends, full, many, one};
use casebook::stats::{
    Confusion, Scale, Tally, Weights, agreement, alpha, bias, correlation, f1, fleiss, gwet, kappa,
};
use serde_json::Value;

/// A figure of a case of two raters.
pub(super) fn figure(case: &Value, metric: &str) -> Option<Found> {
    let scale = Scale::new(&full(case, "levels")).unwrap();
    let (expert, judge) = (column(case, "expert"), column(case, "judge"));
    let level = |value: &Option<f64>| value.map(|value| scale.level(value).unwrap());
    let (rows, columns): (Vec<_>, Vec<_>) =
        (expert.iter().map(level).collect(), judge.iter().map(level).collect());
    let table = Confusion::count(scale.levels(), &rows, &columns).unwrap();
    let items: Vec<_> = rows.iter().zip(&columns).map(|(a, b)| vec![*a, *b]).collect();
    let tally = Tally::count(scale.levels(), &items).unwrap();
    let both: Vec<(f64, f64)> = expert.iter().zip(&judge).filter_map(|(a, b)| (*a).zip(*b)).collect();
    let (x, y): (Vec<f64>, Vec<f64>) = both.into_iter().unzip();
    let differences = bias::differences(&expert, &judge).unwrap();
    Some(match metric {
        "n_pairs" => one(Ok(as_real(table.total()))),
        "confusion_matrix" if table.total() == 0 => Ok(vec![None]),
        "confusion_matrix" => Ok(table.rows().flatten().map(|count| Some(as_real(*count))).collect()),
        "percent_agreement" => one(agreement::percent_agreement(&table)),
        "adjacent_agreement" => one(agreement::adjacent_agreement(&table)),
        "wilson95_percent_agreement" => ends(agreement::percent_agreement_interval(&table, 0.95)),
        "cohen_kappa.unweighted" => one(kappa::kappa(&table, Weights::Identity)),
        "cohen_kappa.linear" => one(kappa::kappa(&table, Weights::Linear)),
        "cohen_kappa.quadratic" => one(kappa::kappa(&table, Weights::Quadratic)),
        "cohen_kappa.linear_observed_levels_only" => one(of_seen_levels(&table)),
        "cohen_kappa_se.unweighted" => one(kappa::standard_error(&table, Weights::Identity)),
        "cohen_kappa_se.linear" => one(kappa::standard_error(&table, Weights::Linear)),
        "cohen_kappa_se.quadratic" => one(kappa::standard_error(&table, Weights::Quadratic)),
        "cohen_kappa_se0.unweighted" => one(kappa::standard_error_of_chance(&table, Weights::Identity)),
        "cohen_kappa_ci95.unweighted" => ends(kappa::interval(&table, Weights::Identity, 0.95)),
        "cohen_kappa_max.unweighted" => one(kappa::highest(&table)),
        // irrCAC takes the shares of all ratings; on complete columns that is Scott's own definition.
        "scott_pi" if tally.complete() => one(kappa::scott_pi(&table)),
        "scott_pi" => one(fleiss::with_missing(&tally)),
        "gwet_ac1" => one(gwet::gwet(&tally, Weights::Identity)),
        "gwet_ac1_se" => one(gwet::standard_error(&tally, Weights::Identity)),
        "gwet_ac2.linear" => one(gwet::gwet(&tally, Weights::Linear)),
        "gwet_ac2.quadratic" => one(gwet::gwet(&tally, Weights::Quadratic)),
        "krippendorff_alpha.nominal" => one(alpha::alpha(&tally, alpha::Metric::Nominal)),
        "krippendorff_alpha.ordinal" => one(alpha::alpha(&tally, alpha::Metric::Ordinal)),
        "krippendorff_alpha.interval" => one(alpha::alpha(&tally, alpha::Metric::Interval(scale.values()))),
        "spearman" => one(correlation::spearman(&x, &y)),
        "kendall_tau_b" => one(correlation::kendall(&x, &y)),
        "pearson" => one(correlation::pearson(&x, &y)),
        "macro_f1.all_levels" => one(f1::macro_f1(&table)),
        "macro_f1.seen_levels" => one(f1::macro_f1_of_seen(&table)),
        "per_level_f1" => many(by_level(&table, |level| level.f1)),
        "per_level_precision" => many(by_level(&table, |level| level.precision)),
        "per_level_recall" => many(by_level(&table, |level| level.recall)),
        "bias" => one(bias::bias(&differences)),
        "bias_se" => one(bias::standard_error(&differences)),
        "bias_ci95_t" => ends(bias::interval(&differences, 0.95)),
        "mae" => one(bias::mean_absolute(&differences)),
        _ => return None,
    })
}

fn by_level(
    table: &Confusion,
    figure: fn(&f1::LevelF1) -> f64,
) -> Result<Vec<f64>, casebook::stats::Undefined> {
    Ok(f1::by_level(table)?.iter().map(figure).collect())
}

/// What comes out when unused levels are dropped first, as some libraries do: shows that ours must not.
fn of_seen_levels(table: &Confusion) -> casebook::stats::Estimate {
    let (rows, columns) = (table.expert_totals(), table.judge_totals());
    let seen: Vec<usize> = (0..table.levels()).filter(|at| rows[*at] + columns[*at] > 0).collect();
    let closed: Vec<Vec<usize>> =
        seen.iter().map(|i| seen.iter().map(|j| table.cell(*i, *j)).collect()).collect();
    kappa::kappa(&Confusion::from_rows(&closed)?, Weights::Linear)
}

#[allow(clippy::cast_precision_loss)] // small counts
pub(super) fn as_real(count: usize) -> f64 {
    count as f64
}
