//! Groups of IAM: which an account has, and who is in them.

use super::aws_iam::{User, costs, everything, harmless};
use super::aws_organization::Account;
use crate::synth::archetype::copy;
use crate::synth::moment::Day;
use crate::synth::organisation::Organisation;
use crate::synth::workdays::office_day;
use serde_json::Value;
use std::collections::{BTreeSet, HashSet};

/// A group.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) account: usize,
    pub(super) name: String,
    pub(super) members: BTreeSet<usize>,
    pub(super) inline: Vec<(&'static str, Value)>,
    /// The day on which it was made.
    pub(super) made: Day,
}

/// What an account with many groups has besides.
const MORE_GROUPS: &[&str] =
    &["ReadOnly", "Deployers", "OnCall", "DataReaders", "NetworkOperators", "KeyRotation"];

/// The groups with their members.
pub(super) fn groups(organisation: &Organisation, accounts: &[Account], users: &[User]) -> Vec<Group> {
    let systems = organisation.archetype.systems;
    let mut rounds = vec![0; accounts.len()];
    let mut groups: Vec<Group> = (0..organisation.count([8, 22, 70]))
        .map(|nth| {
            // Each has one; old accounts have come to have more than young ones.
            let mut dice = organisation.dice("iam group account", nth);
            let account = match nth {
                nth if nth < accounts.len() => nth,
                _ => dice.below(accounts.len()).min(dice.below(accounts.len())),
            };
            let round: usize = rounds[account];
            rounds[account] += 1;
            let name = match round {
                0 => "Administrators".to_owned(),
                // Nobody develops in the accounts that hold up the others.
                1 if account == 0 => "Billing".to_owned(),
                1 if accounts[account].is_foundation() => "Auditors".to_owned(),
                1 => "Developers".to_owned(),
                2 if account.is_multiple_of(2) => "Automation".to_owned(),
                2 => ["Support", "Billing", "Auditors"][account / 2 % 3].to_owned(),
                3 => {
                    format!("{}-operators", accounts[account].system.unwrap_or(systems[nth % systems.len()]))
                }
                _ => MORE_GROUPS.get(round - 4).map_or_else(
                    || format!("team-{}", copy(round - 4 - MORE_GROUPS.len(), account)),
                    |name| (*name).to_owned(),
                ),
            };
            let made = group_made(organisation, nth, &accounts[account]);
            Group { account, name, members: BTreeSet::new(), inline: Vec::new(), made }
        })
        .collect();
    // The last two have nobody in them; two carry policies of their own.
    let count = groups.len();
    let empty: HashSet<usize> = (0..count).filter(|at| *at + 2 >= count || at % 17 == 11).collect();
    let wanted = organisation.count([22, 100, 380]);
    let mut dice = organisation.dice("iam membership", 0);
    let mut left = wanted;
    let mut tries = wanted * 6;
    let mut by_account: Vec<Vec<usize>> = vec![Vec::new(); accounts.len()];
    for nth in (0..count).filter(|nth| !empty.contains(nth)) {
        by_account[groups[nth].account].push(nth);
    }
    while left > 0 && tries > 0 && !users.is_empty() {
        tries -= 1;
        let at = dice.below(users.len());
        let user = &users[at];
        let fitting: Vec<usize> = by_account[user.account]
            .iter()
            .copied()
            .filter(|nth| belongs(organisation, user, at, &groups[*nth]))
            .collect();
        if fitting.is_empty() || at % 7 == 6 {
            continue;
        }
        if groups[*dice.pick(&fitting)].members.insert(at) {
            left -= 1;
        }
    }
    let with_inline = organisation.count([3, 5, 14]);
    for nth in 0..with_inline.min(count) {
        let mut dice = organisation.dice("inline group", nth);
        let policy = if nth < 2 { everything(nth + 1) } else { harmless(&mut dice, organisation.stem) };
        let at = (nth * 5 + 1) % count;
        // Nobody gives administrators' rights to who looks at bills, not even with a second factor.
        let policy =
            if policy.0 == "admin-with-mfa" && groups[at].name == "Billing" { costs() } else { policy };
        groups[at].inline.push(policy);
    }
    groups
}

/// When a group was made: mostly soon after its account, some when somebody came to need it.
fn group_made(organisation: &Organisation, nth: usize, account: &Account) -> Day {
    let mut dice = organisation.dice("iam group made", nth);
    let first = account.joined.day() + 1;
    let latest = account.last_day(organisation.today).max(first);
    let span = if dice.percent(25) { i64::from(latest - first).max(300) } else { 300 };
    let made = first + Day::try_from(dice.fading(span, 3)).unwrap_or(0);
    office_day(made.min(latest), first, latest, &mut dice)
}

/// Whether a user has a place in a group of this name: people by what they do, machines among machines.
fn belongs(organisation: &Organisation, user: &User, at: usize, group: &Group) -> bool {
    let made = group.made;
    let group = group.name.as_str();
    let Some(person) = user.person.map(|index| organisation.person(index)) else {
        return group == "Automation" || group.contains("-operators");
    };
    let department = organisation.department(person).name;
    match group {
        // Nobody comes into it after they have left.
        _ if !person.was_here_after(made) => false,
        "Automation" => false,
        // Few are administrators.
        "Administrators" => at.is_multiple_of(4),
        "Billing" => department == "Finance" || person.leads,
        "Auditors" => ["Security", "IT", "Legal", "Risk", "Compliance"].contains(&department) || person.leads,
        _ => true,
    }
}
