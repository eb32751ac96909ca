//! Files of Workspace that are open to more than they should be (V-GWS-10, 11, 12, 14).

use super::Derivation;
use super::group_walk::Groups;
use super::sharing::{Permission, kept_files, live_permissions};
use super::world::{Row, World};
use crate::synth::schema::Table;
use std::collections::BTreeSet;

pub(super) const DERIVATIONS: &[(&str, Derivation)] = &[
    ("V-GWS-10", editable_by_anyone),
    ("V-GWS-11", open_to_outsiders),
    ("V-GWS-12", found_by_search),
    ("V-GWS-14", owned_by_suspended),
];

/// Files outside of the trash with a live permission of this sort.
fn shared(world: &World<'_>, sort: impl Fn(&Permission) -> bool) -> BTreeSet<String> {
    kept_files(world)
        .filter(|file| live_permissions(world, file).iter().any(&sort))
        .map(|file| file.word("id").to_owned())
        .collect()
}

/// V-GWS-10: anyone may write, whether they need the link or can find the file.
fn editable_by_anyone(world: &World<'_>) -> BTreeSet<String> {
    shared(world, |permission| permission.kind() == "anyone" && permission.role() == "writer")
}

/// V-GWS-11: somebody outside may open the file by name, or as a member of a group at any depth; a group whose own
/// address is outside counts as somebody outside.
fn open_to_outsiders(world: &World<'_>) -> BTreeSet<String> {
    let groups = Groups::of_workspace(world);
    let is_outsider = |row: &Row<'_>| row.text("email").is_some_and(|address| world.is_outside(address));
    shared(world, |permission| match permission.kind() {
        "user" => world.is_outside(permission.address()),
        "group" => {
            world.is_outside(permission.address())
                || groups.everything_in(permission.address()).iter().any(is_outsider)
        }
        _ => false,
    })
}

/// V-GWS-12: anyone may find the file by search, whatever they may do with it.
fn found_by_search(world: &World<'_>) -> BTreeSet<String> {
    shared(world, |permission| permission.kind() == "anyone" && permission.is_found_by_search())
}

/// V-GWS-14: the owner, under whichever address the file shows, has a suspended account.
fn owned_by_suspended(world: &World<'_>) -> BTreeSet<String> {
    let accounts = world.accounts(Table::GoogleworkspaceUser);
    let is_suspended = |address: &str| {
        world
            .person_at(address)
            .and_then(|person| accounts.get(&person))
            .is_some_and(|accounts| accounts.iter().any(|account| account.flag("suspended")))
    };
    kept_files(world)
        .filter(|file| file.text("owner_email").is_some_and(is_suspended))
        .map(|file| file.word("id").to_owned())
        .collect()
}
