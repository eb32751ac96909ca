//! AWS IAM Identity Center: users pushed from Okta, groups of the same names, permission sets and who has them where.

use super::aws_organization::Account;
use super::okta::{login, okta_id};
use super::okta_groups::{AWS_ADMINS, AWS_BILLING, AWS_DEVELOPERS, AWS_READERS, Groups};
use super::policy_document::{allow, document};
use crate::synth::GenerateError;
use crate::synth::archetype::copy;
use crate::synth::dice::Dice;
use crate::synth::moment::{Day, Moment, day_of};
use crate::synth::organisation::{Kind, Organisation, Person, Standing, Trait};
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;
use crate::synth::workdays::{office_day, working_day};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};

/// A permission set.
struct PermissionSet {
    arn: String,
    name: String,
    description: Option<&'static str>,
    session: &'static str,
    managed: Vec<String>,
    inline: Option<Value>,
}

/// From this day on the product could be had.
const INSTANCES: jiff::civil::Date = jiff::civil::date(2017, 12, 7);

/// So many permission sets every organisation has; the others are of a system.
const USUAL: usize = 8;

struct Store {
    id: String,
    instance: String,
}

struct Group {
    id: String,
    name: String,
    /// Members by index of the person.
    members: BTreeSet<u32>,
    /// Members made by hand, by their place.
    hand_made: Vec<usize>,
}

/// Users that nobody pushed: name, display name.
const HAND_MADE: &[(&str, &str)] = &[
    ("emergency-admin", "Emergency Administrator"),
    ("audit-readonly", "External Audit"),
    ("migration-team", "Migration Team"),
    ("aws-partner", "Partner Access"),
    ("poc-user", "Proof of Concept"),
    ("training", "Training Account"),
];

fn store(organisation: &Organisation) -> Store {
    let mut dice = organisation.dice("identity store", 0);
    Store {
        id: format!("d-{}", dice.hex(10)),
        instance: format!("arn:aws:sso:::instance/ssoins-{}", dice.hex(16)),
    }
}

/// The id of a person's user.
fn user_id(store: &Store, organisation: &Organisation, index: u32) -> String {
    format!("{}-{}", &store.id[2..], organisation.dice("identity center id", index as usize).guid())
}

fn hand_made_id(store: &Store, organisation: &Organisation, nth: usize) -> String {
    format!("{}-{}", &store.id[2..], organisation.dice("identity center by hand", nth).guid())
}

/// What the user is called: the log-in, in its own spelling; the old one where a change of name never arrived.
fn user_name(organisation: &Organisation, person: &Person, index: u32) -> String {
    organisation
        .alias(index)
        .filter(|_| person.has(Trait::Renamed))
        .map_or_else(|| organisation.address_in(person, "identity center", index), str::to_owned)
}

pub(super) fn write(
    organisation: &Organisation,
    okta: &Groups,
    accounts: &[Account],
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let store = store(organisation);
    let by_hand = organisation.count([2, 6, 14]);
    users(organisation, &store, by_hand, out)?;
    let groups = groups(organisation, &store, okta, by_hand);
    let mut dice = organisation.dice("identity center groups", 0);
    let namesakes: HashMap<&str, &super::okta_groups::Group> =
        okta.all.iter().map(|group| (group.name.as_str(), group)).collect();
    for group in &groups {
        let namesake = namesakes.get(group.name.as_str());
        let pushed = namesake.is_some();
        let external = pushed.then(|| json!([{"Id": dice.guid(), "Issuer": "https://scim.okta.example"}]));
        out.row(
            Table::AwsIdentitystoreGroup,
            row![
                &group.id,
                &store.id,
                &group.name,
                (!pushed).then_some("Made in the console"),
                external.unwrap_or_else(|| json!([])),
            ],
        )?;
        for index in &group.members {
            membership(&store, group, user_id(&store, organisation, *index), &mut dice, out)?;
            if namesake.is_some_and(|it| !it.members.contains(index)) {
                out.plant(
                    "identity-center-membership-drift",
                    format!(
                        "{} {}",
                        group.name,
                        user_name(organisation, organisation.person(*index), *index)
                    ),
                );
            }
        }
        for nth in &group.hand_made {
            membership(&store, group, hand_made_id(&store, organisation, *nth), &mut dice, out)?;
        }
    }
    let sets = permission_sets(organisation, &store);
    for (nth, set) in sets.iter().enumerate() {
        let mut dice = organisation.dice("permission set", nth);
        let created = set_created(organisation, accounts, &set.name, nth, &mut dice);
        out.row(
            Table::AwsSsoadminPermissionSet,
            row![
                &set.arn,
                &store.instance,
                &set.name,
                set.description,
                Moment::at_work(created, &mut dice).seconds(),
                set.session,
                json!(set.managed),
                set.inline.clone(),
            ],
        )?;
    }
    assignments(organisation, &store, &groups, &sets, accounts, by_hand, out)
}

fn membership(
    store: &Store,
    group: &Group,
    member: String,
    dice: &mut Dice,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let id = format!("{}-{}", &store.id[2..], dice.guid());
    out.row(Table::AwsIdentitystoreGroupMembership, row![id, &store.id, &group.id, member])
}

fn users(
    organisation: &Organisation,
    store: &Store,
    by_hand: usize,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    for (index, person) in (0_u32..).zip(&organisation.people) {
        if person.identity_center == Standing::None {
            continue;
        }
        let mut dice = organisation.dice("identity center user", index as usize);
        let id = user_id(store, organisation, index);
        let name = user_name(organisation, person, index);
        // Ghosts were typed in; everybody else was pushed.
        let pushed = person.kind == Kind::Staff || dice.percent(50);
        let address = login(organisation, person);
        let external = if pushed {
            json!([{"Id": okta_id(organisation, index), "Issuer": "https://scim.okta.example"}])
        } else if dice.percent(50) {
            json!([])
        } else {
            Value::Null
        };
        // Rows from before the column existed say nothing.
        let old = person.first_day() < organisation.today - 2600;
        let status = match person.identity_center {
            Standing::Live if old || (person.has(Trait::BehindIdentityCenter) && dice.percent(40)) => None,
            Standing::Live => Some("ENABLED"),
            _ => Some("DISABLED"),
        };
        out.identity(index, Table::AwsIdentitystoreUser, &id)?;
        if person.identity_center == Standing::Live && person.is_leaver() {
            out.plant("leaver-in-identity-center", name.as_str());
        }
        out.row(
            Table::AwsIdentitystoreUser,
            row![
                id,
                &store.id,
                name,
                Organisation::preferred(person),
                person.name.given(),
                person.name.family(),
                json!([{"Primary": true, "Type": "work", "Value": address}]),
                external,
                status,
                (person.is_staff() && dice.percent(70)).then(|| organisation.title(person)),
            ],
        )?;
    }
    for nth in 0..by_hand {
        let mut dice = organisation.dice("by hand", nth);
        let (name, display) = HAND_MADE[nth % HAND_MADE.len()];
        let more = nth / HAND_MADE.len();
        let name = if more == 0 {
            name.to_owned()
        } else {
            format!("{name}-{}", copy(more - 1, nth % HAND_MADE.len()))
        };
        out.plant("identity-center-user-by-hand", name.as_str());
        out.row(
            Table::AwsIdentitystoreUser,
            row![
                hand_made_id(store, organisation, nth),
                &store.id,
                &name,
                display,
                Some("AWS").filter(|_| dice.percent(50)),
                Some("Account").filter(|_| dice.percent(50)),
                json!([{"Primary": true, "Type": "work", "Value": format!("{name}@{}", organisation.domains[0])}]),
                if nth % 2 == 0 { Value::Null } else { json!([]) },
                if nth == 3 { Some("DISABLED") } else { Some("ENABLED").filter(|_| nth % 4 != 1) },
                Option::<&str>::None,
            ],
        )?;
    }
    Ok(())
}

fn groups(organisation: &Organisation, store: &Store, okta: &Groups, by_hand: usize) -> Vec<Group> {
    let target = organisation.count([12, 36, 95]);
    let wanted_members = organisation.count([80, 520, 2600]);
    let in_store = |index: &u32| organisation.person(*index).identity_center != Standing::None;
    let vital = [AWS_ADMINS, AWS_DEVELOPERS, AWS_READERS, AWS_BILLING];
    let others = okta.all.iter().filter(|group| {
        !vital.contains(&group.name.as_str()) && !group.members.is_empty() && group.name.starts_with("AWS-")
    });
    let mut pushed: Vec<&super::okta_groups::Group> =
        vital.iter().filter_map(|name| okta.find(name)).chain(others).collect();
    // Made in the console, without a namesake at the identity provider.
    let own = organisation.count([3, 6, 14]);
    let rest: Vec<_> = okta
        .all
        .iter()
        .filter(|group| {
            group.name != "Everyone" && !group.name.starts_with("AWS-") && !group.members.is_empty()
        })
        .collect();
    let mut total: usize =
        pushed.iter().map(|group| group.members.iter().filter(|it| in_store(it)).count()).sum();
    // Departments first, then teams, until as many groups and members are there as an organisation of this size has.
    let by_size = {
        let mut sorted = rest;
        sorted.sort_by_key(|group| std::cmp::Reverse(group.members.len()));
        sorted
    };
    let spare = organisation.count([16, 60, 150]);
    for group in by_size {
        if pushed.len() + own < target && total + group.members.len() + spare < wanted_members {
            total += group.members.iter().filter(|it| in_store(it)).count();
            pushed.push(group);
        }
    }
    let mut groups: Vec<Group> = pushed
        .iter()
        .enumerate()
        .map(|(nth, group)| Group {
            id: group_id(organisation, store, nth),
            name: group.name.clone(),
            members: group.members.iter().copied().filter(in_store).collect(),
            hand_made: Vec::new(),
        })
        .collect();
    drift(organisation, &mut groups);
    for nth in 0..own {
        let mut dice = organisation.dice("console group", nth);
        let (name, most, fits) = CONSOLE[nth % CONSOLE.len()];
        let name = match nth / CONSOLE.len() {
            0 => name.to_owned(),
            round => format!("{name}-{}", copy(round - 1, nth % CONSOLE.len())),
        };
        let count = most.div_ceil(2) + dice.below(most / 2 + 1);
        let members = organisation
            .some(&format!("console group {name}"), count, |person| {
                person.identity_center == Standing::Live && !person.is_leaver() && fits(organisation, person)
            })
            .into_iter()
            .collect();
        let hand_made = (0..by_hand).filter(|hand| hand % own == nth % own).collect();
        groups.push(Group {
            id: group_id(organisation, store, pushed.len() + nth),
            name,
            members,
            hand_made,
        });
    }
    groups
}

/// Groups made in the console: name, most members, whom they are for.
type Console = (&'static str, usize, fn(&Organisation, &Person) -> bool);

const CONSOLE: &[Console] = &[
    ("AWSAuditAccountAdmins", 4, |organisation, person| guards(organisation, person)),
    ("AWSLogArchiveViewers", 8, |organisation, person| guards(organisation, person)),
    ("BreakGlass", 4, |_, person| person.has(Trait::AwsAdmin)),
    ("Migration2023", 10, |_, person| person.has(Trait::AwsUser) && !person.has(Trait::AwsAdmin)),
    ("PartnerAccess", 6, |_, person| person.firm.is_some() && person.has(Trait::AwsUser)),
    ("Sandbox-Users", 24, |_, person| person.has(Trait::AwsUser)),
    ("AWSServiceCatalogAdmins", 3, |organisation, person| guards(organisation, person)),
    ("AWSControlTowerAdmins", 3, |_, person| person.has(Trait::AwsAdmin)),
    ("AWSSecurityAuditPowerUsers", 6, |organisation, person| guards(organisation, person)),
    ("FinOps-Pilot", 5, |_, person| person.has(Trait::AwsUser) && person.leads),
    ("DataLake-Trial", 14, |_, person| person.has(Trait::AwsUser)),
    ("Hackathon2024", 30, |_, person| person.has(Trait::AwsUser)),
    ("EKS-Evaluation", 9, |_, person| person.has(Trait::AwsUser)),
    ("GameDay", 18, |_, person| person.has(Trait::AwsUser)),
];

/// Whether a person works for security or IT.
fn guards(organisation: &Organisation, person: &Person) -> bool {
    ["Security", "IT"].contains(&organisation.department(person).name)
}

fn group_id(organisation: &Organisation, store: &Store, nth: usize) -> String {
    format!("{}-{}", &store.id[2..], organisation.dice("identity center group", nth).guid())
}

/// Where the groups and their namesakes at the identity provider have come apart: nobody took out who left.
fn drift(organisation: &Organisation, groups: &mut [Group]) {
    let mut into = |name: &str, index: u32| {
        if let Some(group) = groups.iter_mut().find(|group| group.name == name) {
            group.members.insert(index);
        }
    };
    // Leavers with an enabled user stay in a group that reaches accounts.
    let left = organisation.all(|person| person.is_leaver() && person.identity_center == Standing::Live);
    for (nth, index) in left.into_iter().enumerate() {
        let mut dice = organisation.dice("drift", index as usize);
        // One in six has a user and no access any more.
        if nth < 2 || !dice.percent(16) {
            into(
                if dice.percent(15) {
                    AWS_ADMINS
                } else if dice.percent(50) {
                    AWS_DEVELOPERS
                } else {
                    AWS_READERS
                },
                index,
            );
        }
    }
}

/// Name, description, session, managed policies, inline policy.
type Draft = (String, Option<&'static str>, &'static str, Vec<String>, Option<Value>);

fn permission_sets(organisation: &Organisation, store: &Store) -> Vec<PermissionSet> {
    let managed = |name: &str| format!("arn:aws:iam::aws:policy/{name}");
    let job = |name: &str| format!("arn:aws:iam::aws:policy/job-function/{name}");
    let star = document(&[allow(json!("*"), json!("*"))]);
    let mut sets: Vec<Draft> = vec![
        (
            "AdministratorAccess".to_owned(),
            Some("Full access"),
            "PT8H",
            vec![managed("AdministratorAccess")],
            None,
        ),
        (
            "BreakGlassAdmin".to_owned(),
            Some("Emergencies only"),
            "PT12H",
            vec![managed("AdministratorAccess")],
            None,
        ),
        (
            "DeveloperAccess".to_owned(),
            None,
            "PT8H",
            vec![managed("PowerUserAccess")],
            Some(document(&[
                json!({"Action": ["iam:*", "organizations:*"], "Effect": "Deny", "Resource": "*"}),
            ])),
        ),
        (
            "ReadOnlyAccess".to_owned(),
            Some("Look, don't touch"),
            "PT4H",
            vec![managed("ReadOnlyAccess")],
            None,
        ),
        ("Billing".to_owned(), None, "PT2H", vec![job("Billing")], None),
        ("SecurityAudit".to_owned(), None, "PT1H30M", vec![managed("SecurityAudit")], None),
        // Administrator in all but name: nobody attached the policy.
        ("PlatformOwner".to_owned(), None, "PT480M", Vec::new(), Some(star)),
        // Four hours exactly is not longer than four.
        (
            "AdminShortSession".to_owned(),
            Some("Administrator, four hours"),
            "PT4H",
            vec![managed("AdministratorAccess")],
            None,
        ),
    ];
    let systems = organisation.archetype.systems;
    let target = organisation.count([8, 15, 32]).max(USUAL);
    for nth in 0..target.saturating_sub(sets.len()) {
        let system = systems[nth % systems.len()];
        let round = nth / systems.len();
        let name = match round {
            0 => format!("{system}-operator"),
            _ => format!("{system}-operator-{}", copy(round - 1, nth % systems.len())),
        };
        let session = ["PT1H", "PT8H", "PT3H", "PT12H"][nth % 4];
        let resource = format!("arn:aws:s3:::{}-{system}*", organisation.stem);
        let inline =
            document(&[allow(json!(["s3:GetObject", "s3:ListBucket", "s3:PutObject"]), json!(resource))]);
        let attached = if nth % 3 == 2 { vec![managed("AmazonEC2ReadOnlyAccess")] } else { Vec::new() };
        sets.push((name, None, session, attached, Some(inline)));
    }
    sets.truncate(target);
    let instance = store.instance.rsplit('/').next().unwrap_or_default();
    sets.into_iter()
        .enumerate()
        .map(|(nth, (name, description, session, managed, inline))| {
            let hex = organisation.dice("permission set arn", nth).hex(16);
            let arn = format!("arn:aws:sso:::permissionSet/{instance}/ps-{hex}");
            PermissionSet { arn, name, description, session, managed, inline }
        })
        .collect()
}

/// From when on there can have been an instance.
pub(super) fn began(accounts: &[Account]) -> Day {
    working_day(accounts.first().map_or(0, |first| first.joined.day()).max(day_of(INSTANCES)) + 7)
}

/// The day on which a permission set was made: the usual ones with the instance, those of a system when it had an account.
fn set_created(
    organisation: &Organisation,
    accounts: &[Account],
    name: &str,
    nth: usize,
    dice: &mut Dice,
) -> Day {
    let begin = began(accounts);
    let last = (organisation.today - 20).max(begin);
    let some =
        |from: Day, days: i64, dice: &mut Dice| from + Day::try_from(dice.between(0, days)).unwrap_or(0);
    let first = match nth {
        0..2 => some(begin, 20, dice),
        2..5 => some(begin, 200, dice),
        5..USUAL => some(begin, i64::from(last - begin) * 2 / 3, dice),
        _ => {
            let system = name.split_once("-operator").map_or(name, |(system, _)| system);
            let own = accounts.iter().filter(|it| it.name.ends_with(&format!("-{system}")));
            match own.map(|it| it.joined.day()).min() {
                Some(joined) => some(joined.max(begin) + 3, 120, dice),
                None => some(begin + 60, i64::from(last - begin - 60).max(0), dice),
            }
        }
    };
    office_day(first.min(last), begin, last, dice)
}

/// The permission set that a group has in an account, if it has any business there.
fn fitting(
    organisation: &Organisation,
    group: &Group,
    account: &Account,
    sets: &[PermissionSet],
    dice: &mut Dice,
) -> Option<usize> {
    let set = |name: &str| sets.iter().position(|set| set.name == name);
    let name = group.name.as_str();
    let system =
        organisation.archetype.systems.iter().find(|system| name.split(['-', ' ']).any(|it| it == **system));
    if let Some(system) = system {
        // The last set is given to nobody.
        let own = set(&format!("{system}-operator")).filter(|at| at + 1 < sets.len());
        let there = account.name.contains(system) || account.name.split('-').count() == 1;
        return own.or_else(|| set("ReadOnlyAccess")).filter(|_| there || dice.percent(20));
    }
    match name {
        "BreakGlass" | "AWSControlTowerAdmins" => set("BreakGlassAdmin"),
        "Sandbox-Users" | "Hackathon2024" | "DataLake-Trial" | "EKS-Evaluation" | "GameDay" => {
            set("DeveloperAccess").filter(|_| ["sandbox", "dev"].contains(&account.env))
        }
        "PartnerAccess" | "Migration2023" => set("ReadOnlyAccess").filter(|_| account.env != "security"),
        "FinOps-Pilot" => set("Billing"),
        _ if name.starts_with("AWS") && !name.starts_with("AWS-") => set("SecurityAudit"),
        // Other departments and teams look, and not everywhere.
        _ => set("ReadOnlyAccess").filter(|_| ["dev", "staging", "sandbox"].contains(&account.env)),
    }
}

fn assignments(
    organisation: &Organisation,
    store: &Store,
    groups: &[Group],
    sets: &[PermissionSet],
    accounts: &[Account],
    by_hand: usize,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let mut given: BTreeSet<(usize, usize, &str, String)> = BTreeSet::new();
    let group = |name: &str| groups.iter().find(|group| group.name == name).map(|group| group.id.clone());
    let set = |name: &str| sets.iter().position(|set| set.name == name);
    // The vital groups everywhere; production for the billing group.
    for (nth, account) in accounts.iter().enumerate() {
        let mut add = |set: Option<usize>, principal: Option<String>| {
            if let (Some(set), Some(principal)) = (set, principal) {
                given.insert((nth, set, "GROUP", principal));
            }
        };
        add(set("AdministratorAccess"), group(AWS_ADMINS));
        if account.env != "security" && nth != 0 {
            add(set("DeveloperAccess"), group(AWS_DEVELOPERS));
        }
        if account.is_active() {
            add(set("ReadOnlyAccess"), group(AWS_READERS));
        }
        if account.env == "prod" && account.is_active() && nth < 8 {
            add(set("Billing"), group(AWS_BILLING));
        }
    }
    let target = organisation.count([30, 115, 450]);
    let direct = (target * 15 + 50) / 100;
    // Directly: administrators among them, and one made by hand.
    let steady = |person: &Person| person.identity_center == Standing::Live && person.has(Trait::AwsUser);
    let mut people = organisation
        .some("direct admins", (direct / 4).max(1), |person| steady(person) && person.has(Trait::AwsAdmin));
    people.extend(organisation.some("direct leavers", (direct / 12).max(1), |person| {
        person.is_leaver() && person.identity_center == Standing::Live
    }));
    people
        .extend(organisation.some("direct", direct, |person| steady(person) && !person.has(Trait::AwsAdmin)));
    let mut dice = organisation.dice("direct assignments", 0);
    // The last set is given to nobody; nor is the short session.
    let usable: Vec<usize> =
        (2..sets.len().saturating_sub(2)).filter(|at| sets[*at].name != "PlatformOwner").collect();
    for index in people.into_iter().take(direct.saturating_sub(1)) {
        let admin = organisation.person(index).has(Trait::AwsAdmin);
        let which = if admin { set("PlatformOwner").unwrap_or(0) } else { *dice.pick(&usable) };
        let principal = user_id(store, organisation, index);
        given.insert((dice.below(accounts.len()), which, "USER", principal));
    }
    if by_hand > 0 {
        given.insert((0, set("BreakGlassAdmin").unwrap_or(0), "USER", hand_made_id(store, organisation, 0)));
    }
    let rest: Vec<&Group> = groups
        .iter()
        .filter(|it| ![AWS_ADMINS, AWS_DEVELOPERS, AWS_READERS, AWS_BILLING].contains(&it.name.as_str()))
        .collect();
    let mut tries = target * 8;
    while given.len() < target && tries > 0 && !rest.is_empty() {
        tries -= 1;
        let group = *dice.pick(&rest);
        let at = dice.below(accounts.len());
        if let Some(set) = fitting(organisation, group, &accounts[at], sets, &mut dice) {
            given.insert((at, set, "GROUP", group.id.clone()));
        }
    }
    for (account, set, kind, principal) in given {
        if kind == "USER" {
            out.plant("direct-permission-set", principal.as_str());
        }
        out.row(
            Table::AwsSsoadminAccountAssignment,
            row![&store.instance, &accounts[account].id, &sets[set].arn, kind, principal],
        )?;
    }
    Ok(())
}
