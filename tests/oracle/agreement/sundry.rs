//! Corrected means, pooled votes, self-preference.

use super::{Found, ends, full, one};
use casebook::stats::ppi::{Power, mean_corrected};
use casebook::stats::{Scale, moments, self_preference as preference, votes};
use serde_json::Value;

/// A figure of a corrected mean.
pub(super) fn corrected_mean(case: &Value, metric: &str) -> Option<Found> {
    let (expert, judge, others) =
        (full(case, "expert_labeled"), full(case, "judge_labeled"), full(case, "judge_unlabeled"));
    let with = |power| mean_corrected(&expert, &judge, &others, power).unwrap();
    Some(match metric {
        "estimate.power_tuned" => one(Ok(with(Power::Tuned).estimate)),
        "ci95.power_tuned" => ends(with(Power::Tuned).interval(0.95)),
        "estimate.lambda_1" => one(Ok(with(Power::Fixed(1.0)).estimate)),
        "ci95.lambda_1" => ends(with(Power::Fixed(1.0)).interval(0.95)),
        "estimate.lambda_0" => one(Ok(with(Power::Fixed(0.0)).estimate)),
        "ci95.lambda_0" | "classical_ci95" => ends(with(Power::Fixed(0.0)).interval(0.95)),
        "judge_only_mean" => one(moments::mean(&[judge, others].concat())),
        "expert_only_mean" => one(moments::mean(&expert)),
        "lambda" => one(Ok(with(Power::Tuned).lambda)),
        _ => return None,
    })
}

/// A figure of pooled votes.
pub(super) fn pooled_votes(case: &Value, metric: &str) -> Option<Found> {
    let scale = Scale::new(&[0.0, 0.5, 1.0]).unwrap();
    let values = full(case, "votes");
    let levels: Vec<usize> = values.iter().map(|value| scale.level(*value).unwrap()).collect();
    let worth = |level: usize| scale.values()[level];
    let mode = votes::mode(&levels).unwrap();
    Some(match metric {
        "mode_tie_lower" => one(Ok(worth(mode.level))),
        "tie" => one(Ok(f64::from(u8::from(mode.tie)))),
        // Inspect takes the first seen of a tie, where ours does not depend on the order of votes.
        "inspect.mode" => {
            let first = levels.iter().find(|level| count(&levels, **level) == mode.votes).unwrap();
            one(Ok(worth(*first)))
        }
        "inspect.majority" => one(votes::strict_majority(&levels).map(worth)),
        "inspect.mean" => one(votes::mean(&values)),
        "inspect.median" => one(votes::median(&values)),
        "inspect.max" => one(votes::highest(&levels).map(worth)),
        _ => return None,
    })
}

fn count(levels: &[usize], level: usize) -> usize {
    levels.iter().filter(|other| **other == level).count()
}

/// A figure of self-preference.
pub(super) fn self_preference(case: &Value, metric: &str) -> Option<Found> {
    let providers: Vec<&str> = case["answer_provider"]
        .as_array()
        .unwrap()
        .iter()
        .map(|provider| provider.as_str().unwrap())
        .collect();
    let of = |judge: &str, provider: &str| {
        let own: Vec<bool> = providers.iter().map(|answer| *answer == provider).collect();
        preference::self_preference(&own, &full(case, "expert"), &full(case, judge)).unwrap()
    };
    let (p, q) = (of("judge_p", "p"), of("judge_q", "q"));
    Some(one(Ok(match metric {
        "bias.p_on_p" => p.on_own,
        "bias.p_on_q" => p.on_other,
        "bias.q_on_p" => q.on_other,
        "bias.q_on_q" => q.on_own,
        "self_preference.p" => p.difference(),
        "self_preference.q" => q.difference(),
        "interaction" => p.interaction(q),
        _ => return None,
    })))
}
