//! Accounts and groups of Workspace (V-GWS-01 to 09, 13; V-INV-11, 14).

use super::Derivation;
use super::world::{Row, World};
use crate::synth::schema::Table;
use std::collections::BTreeSet;

pub(super) const DERIVATIONS: &[(&str, Derivation)] = &[
    ("V-GWS-01", without_two_steps),
    ("V-GWS-02", units_without_enforcement),
    ("V-GWS-03", super_administrators_without_two_steps),
    ("V-GWS-04", super_administrators),
    ("V-GWS-05", idle),
    ("V-GWS-06", never_used),
    ("V-GWS-07", shut_and_still_a_member),
    ("V-GWS-08", groups_of_the_whole_company),
    ("V-GWS-09", outsiders_who_run_groups),
    ("V-GWS-13", administrators_with_private_recovery),
    ("V-INV-11", administrators),
    ("V-INV-14", outside_domains_in_groups),
];

/// Accounts that are neither suspended nor archived.
fn live_accounts<'w>(world: &'w World<'_>) -> impl Iterator<Item = Row<'w>> {
    world.rows(Table::GoogleworkspaceUser).filter(|account| !is_shut(account))
}

fn is_shut(account: &Row<'_>) -> bool {
    account.flag("suspended") || account.flag("archived")
}

fn is_administrator(account: &Row<'_>) -> bool {
    account.flag("is_admin") || account.flag("is_delegated_admin")
}

/// Workspace says 1970 for never.
fn has_signed_in(account: &Row<'_>) -> bool {
    account.day("last_login_time").is_some_and(|day| day > 0)
}

/// Primary addresses of the live accounts that fit.
fn live_addresses(world: &World<'_>, fits: impl Fn(&Row<'_>) -> bool) -> BTreeSet<String> {
    live_accounts(world).filter(fits).map(|account| account.word("primary_email").to_owned()).collect()
}

/// Rows that put a person, of the company or not, into a group.
fn people_in_groups<'w>(world: &'w World<'_>) -> impl Iterator<Item = Row<'w>> {
    world
        .rows(Table::GoogleworkspaceGroupMember)
        .filter(|member| matches!(member.word("type"), "USER" | "EXTERNAL"))
}

/// Those of them from outside.
fn outsiders_in_groups<'w>(world: &'w World<'_>) -> impl Iterator<Item = Row<'w>> {
    people_in_groups(world)
        .filter(|member| member.text("email").is_some_and(|address| world.is_outside(address)))
}

/// V-GWS-01: live accounts of whatever kind that are not enrolled.
fn without_two_steps(world: &World<'_>) -> BTreeSet<String> {
    live_addresses(world, |account| !account.flag("is_enrolled_in_2sv"))
}

/// V-GWS-02: units, by their exact path, with a live account that is not held to two steps.
fn units_without_enforcement(world: &World<'_>) -> BTreeSet<String> {
    live_accounts(world)
        .filter(|account| !account.flag("is_enforced_in_2sv"))
        .map(|account| account.word("org_unit_path").to_owned())
        .collect()
}

/// V-GWS-03: live super administrators, not delegated ones, that are not enrolled.
fn super_administrators_without_two_steps(world: &World<'_>) -> BTreeSet<String> {
    live_addresses(world, |account| account.flag("is_admin") && !account.flag("is_enrolled_in_2sv"))
}

/// V-GWS-04: every live super administrator, however many there are.
fn super_administrators(world: &World<'_>) -> BTreeSet<String> {
    live_addresses(world, |account| account.flag("is_admin"))
}

/// V-GWS-05: live accounts last signed in to 90 days ago or earlier, but some time.
fn idle(world: &World<'_>) -> BTreeSet<String> {
    live_addresses(world, |account| {
        has_signed_in(account) && account.day("last_login_time").is_some_and(|day| world.today - day >= 90)
    })
}

/// V-GWS-06: live accounts made more than 30 days ago that nobody ever signed in to.
fn never_used(world: &World<'_>) -> BTreeSet<String> {
    live_addresses(world, |account| {
        !has_signed_in(account) && account.day("creation_time").is_some_and(|day| world.today - day > 30)
    })
}

/// V-GWS-07: suspended or archived accounts of people whom a group still lists, under any of their addresses or by id.
fn shut_and_still_a_member(world: &World<'_>) -> BTreeSet<String> {
    let people: BTreeSet<u32> =
        people_in_groups(world).filter_map(|member| world.person_at(member.text("email")?)).collect();
    let ids: BTreeSet<&str> = people_in_groups(world).filter_map(|member| member.text("member_id")).collect();
    world
        .rows(Table::GoogleworkspaceUser)
        .filter(is_shut)
        .filter(|account| {
            let listed = world.person(account).is_some_and(|person| people.contains(&person));
            listed || ids.contains(account.word("id"))
        })
        .map(|account| account.word("primary_email").to_owned())
        .collect()
}

/// V-GWS-08: groups with the company itself as a member.
fn groups_of_the_whole_company(world: &World<'_>) -> BTreeSet<String> {
    world
        .rows_with(Table::GoogleworkspaceGroupMember, "type", "CUSTOMER")
        .map(|member| member.word("group_email").to_owned())
        .collect()
}

/// V-GWS-09: outside addresses that own or manage a group made by an administrator, whatever their status in it.
fn outsiders_who_run_groups(world: &World<'_>) -> BTreeSet<String> {
    let official: BTreeSet<&str> = world
        .rows(Table::GoogleworkspaceGroup)
        .filter(|group| group.flag("admin_created"))
        .filter_map(|group| group.text("email"))
        .collect();
    outsiders_in_groups(world)
        .filter(|member| matches!(member.word("role"), "OWNER" | "MANAGER"))
        .filter(|member| official.contains(member.word("group_email")))
        .map(|member| member.word("email").to_owned())
        .collect()
}

/// V-GWS-13: live administrators of either kind whose way back in is an address outside; sub-domains are outside.
fn administrators_with_private_recovery(world: &World<'_>) -> BTreeSet<String> {
    live_addresses(world, |account| {
        is_administrator(account)
            && account.text("recovery_email").is_some_and(|address| world.is_outside(address))
    })
}

/// V-INV-11: live administrators of either kind.
fn administrators(world: &World<'_>) -> BTreeSet<String> {
    live_addresses(world, is_administrator)
}

/// V-INV-14: the domains of outsiders who are direct members of any group.
fn outside_domains_in_groups(world: &World<'_>) -> BTreeSet<String> {
    outsiders_in_groups(world)
        .filter_map(|member| member.word("email").rsplit_once('@'))
        .map(|(_, domain)| domain.to_lowercase())
        .collect()
}
