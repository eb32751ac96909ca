//! The truth of the built-in packs, derived a second time: from the organisation and the rows as they were made, in plain
//! code. It knows nothing of the reference queries; `tests/packs` and the check of the built-in packs compare the two.

mod access;
mod accounts;
mod aws;
mod aws_accounts;
mod aws_policies;
mod aws_roles;
mod aws_users;
mod cross_walks;
mod drive;
mod factors;
mod group_walk;
mod identity_center;
mod inventory;
mod leavers;
mod okta;
mod policy_documents;
mod sharing;
mod workspace;
mod world;

pub(super) use world::Witness;

use super::organisation::Organisation;
use super::output::Output;
use super::{GenerateError, Parameters, vendors};
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};
use world::World;

/// The subjects of one task, each as the first column of the reference has it.
type Derivation = fn(&World<'_>) -> BTreeSet<String>;

/// All derivations, by task.
const ALL: &[&[(&str, Derivation)]] = &[
    access::DERIVATIONS,
    accounts::DERIVATIONS,
    aws_accounts::DERIVATIONS,
    aws_policies::DERIVATIONS,
    aws_roles::DERIVATIONS,
    aws_users::DERIVATIONS,
    drive::DERIVATIONS,
    factors::DERIVATIONS,
    identity_center::DERIVATIONS,
    inventory::DERIVATIONS,
    leavers::DERIVATIONS,
    okta::DERIVATIONS,
    workspace::DERIVATIONS,
];

/// The subjects of every task of the built-in packs in the enterprise of these parameters.
///
/// # Errors
/// [`GenerateError`].
pub fn derive(parameters: &Parameters) -> Result<BTreeMap<&'static str, BTreeSet<String>>, GenerateError> {
    let organisation = Organisation::new(parameters);
    let scratch = Connection::open_in_memory()?;
    let mut watch = |_: &str, _: u64| true;
    let mut out = Output::with_witness(&scratch, &mut watch)?;
    vendors::write(&organisation, &mut out)?;
    let world = World::new(&organisation, out.into_witness());
    Ok(ALL.iter().flat_map(|some| some.iter()).map(|(task, derive)| (*task, derive(&world))).collect())
}
