//! Numbers about agreement, chance and difference: plain slices in, plain numbers out.
//!
//! Levels are positions in the full list of a criterion's levels, lowest first; a missing rating is `None`. What can't
//! be calculated is [`Undefined`] with its reason, never 0, 1 or NaN. Formulas follow the published ones that each file
//! names, and `tests/oracle/agreement.rs` compares them with scikit-learn, statsmodels, scipy, irrCAC, krippendorff and
//! `ppi_py` at 1e-9.
//!
//! Not here: trials, criteria, labels, files, clocks, hidden seeds. Drawing is seeded by the caller.

pub mod agreement;
pub mod alpha;
pub mod bca;
pub mod bias;
pub mod bootstrap;
pub mod clusters;
pub mod confusion;
pub mod conger;
pub mod correlation;
pub mod distribution;
pub mod effect;
pub mod f1;
pub mod fleiss;
pub mod gwet;
pub mod holm;
pub mod interval;
pub mod kappa;
pub mod moments;
mod number;
pub mod paired;
pub mod pairwise;
pub mod pass;
pub mod ppi;
pub mod quantile;
pub mod scale;
pub mod self_preference;
pub mod sign_test;
pub mod tally;
pub mod undefined;
pub mod votes;
pub mod warning;
pub mod weights;
pub mod welch;
pub mod wilson;
pub mod zone;

pub use confusion::Confusion;
pub use interval::Interval;
pub use scale::Scale;
pub use tally::Tally;
pub use undefined::{Estimate, Undefined};
pub use weights::Weights;
