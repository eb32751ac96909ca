//! What a candidate puts into the text, and the remark beside it.

use super::offer::{Offer, What};
use super::reading::Reading;
use super::scope::InSight;
use super::{Candidate, CandidateKind};
use crate::domain::TableDescription;
use crate::text::sql_words::{as_name, quoted};
use std::collections::HashSet;

/// The candidates of ordered offers.
pub(super) fn candidates(offers: &[Offer<'_>], reading: &Reading<'_>) -> Vec<Candidate> {
    let is_lower = reading.writes_lower_case();
    let mut bare = HashSet::new();
    let mut all = Vec::with_capacity(offers.len());
    for (index, offer) in offers.iter().enumerate() {
        if matches!(offer.what, What::Column { is_bare: true, .. })
            && !bare.insert(offer.name.to_ascii_lowercase())
        {
            continue;
        }
        // Offers of one name and rank stand side by side.
        let beside = [index.checked_sub(1), Some(index + 1)].into_iter().flatten();
        let is_ambiguous = beside.filter_map(|index| offers.get(index)).any(|other| clash(offer, other));
        let (kind, detail) = remark(offer.what);
        all.push(Candidate { text: text(offer, is_ambiguous, is_lower, reading), kind, detail });
    }
    all
}

/// Whether two offers are columns that a name alone would not tell apart.
fn clash(one: &Offer<'_>, other: &Offer<'_>) -> bool {
    matches!((one.what, other.what), (What::Column { .. }, What::Column { .. }))
        && one.name.eq_ignore_ascii_case(other.name)
}

fn text(offer: &Offer<'_>, is_ambiguous: bool, is_lower: bool, reading: &Reading<'_>) -> String {
    let name = || if reading.is_quoted { quoted(offer.name) } else { as_name(offer.name).into_owned() };
    match offer.what {
        What::Column { table: InSight { called: Some(called), is_outer, .. }, is_bare: false }
            if is_ambiguous || *is_outer =>
        {
            format!("{called}.{}", name())
        }
        What::Column { .. } | What::ColumnOf(_) | What::Table(_) => name(),
        // These are names as the statement writes them.
        What::Alias(_) | What::Cte if !reading.is_quoted => offer.name.to_owned(),
        What::Alias(_) | What::Cte => quoted(&super::output::spelled(offer.name)),
        What::Function(function) if reading.is_called() || !function.signature.contains('(') => {
            function.name().to_owned()
        }
        What::Function(function) if function.signature.ends_with("()") => function.signature.to_owned(),
        What::Function(function) => format!("{}(", function.name()),
        What::Keyword => {
            let word = if reading.is_called() { offer.name.trim_end_matches([' ', '(']) } else { offer.name };
            if is_lower { word.to_ascii_lowercase() } else { word.to_owned() }
        }
    }
}

fn remark(what: What<'_>) -> (CandidateKind, String) {
    match what {
        What::Table(table) => (CandidateKind::Table, about(table)),
        What::Column { table, .. } => (CandidateKind::Column, of(table)),
        What::ColumnOf(table) => (CandidateKind::Column, table.name.clone()),
        What::Alias(table) => (CandidateKind::Alias, of(table)),
        What::Cte => (CandidateKind::Cte, "WITH".to_owned()),
        What::Function(function) => {
            (CandidateKind::Function, format!("{}: {}", function.signature, function.gives))
        }
        What::Keyword => (CandidateKind::Keyword, String::new()),
    }
}

/// The table's own name; a query has none.
fn of(table: &InSight<'_>) -> String {
    match (table.table.as_str(), table.called) {
        ("", Some(called)) => called.to_owned(),
        ("", None) => "query".to_owned(),
        (name, _) => name.to_owned(),
    }
}

fn about(table: &TableDescription) -> String {
    let rows = if table.rows == 1 { "1 row".to_owned() } else { format!("{} rows", table.rows) };
    if table.description.is_empty() { rows } else { format!("{rows}: {}", table.description) }
}
