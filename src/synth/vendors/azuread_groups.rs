//! Entra ID groups, who is in them, directory roles, and conditional access.

use super::azuread::{Guest, emergencies, emergency_id, entra_id, guests};
use crate::synth::GenerateError;
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::{Organisation, Person, Standing, Trait};
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Well-known role templates: GUID and name.
const ROLES: &[(&str, &str)] = &[
    ("62e90394-69f5-4237-9190-012177145e10", "Global Administrator"),
    ("fe930be7-5e62-47db-91af-98c3a49a38b1", "User Administrator"),
    ("29232cdf-9323-42fd-ade2-1d097af3e4de", "Exchange Administrator"),
    ("9b895d92-2cd3-44c7-9d02-a6ac2d5ea5c3", "Application Administrator"),
    ("194ae4cb-b126-40b2-bd5b-6091b380977d", "Security Administrator"),
    ("729827e3-9c14-49f7-bb1b-9608f156bbb8", "Helpdesk Administrator"),
    ("f2ef992c-3afb-46b9-b7cf-a126ee74c451", "Global Reader"),
    ("e8611ab8-c189-46e8-94e1-60213ab1f814", "Privileged Role Administrator"),
];

struct Group {
    id: String,
    name: String,
    description: Option<&'static str>,
    unified: bool,
    rule: Option<String>,
    assignable: bool,
    owners: Vec<String>,
    people: BTreeSet<u32>,
    /// Ids of groups, guests and emergency administrators in it, with their type.
    others: Vec<(String, &'static str)>,
}

const EXCLUDED: &str = "CA-Exclusions";
const EXCLUDED_NESTED: &str = "CA-Exclusions-Service";
const EXCLUDED_DEEP: &str = "CA-Exclusions-Legacy";

pub(super) fn write(organisation: &Organisation, out: &mut Output<'_>) -> Result<(), GenerateError> {
    let groups = groups(organisation);
    for (nth, group) in groups.iter().enumerate() {
        let mut dice = organisation.dice("entra group row", nth);
        let created = organisation.today - Day::try_from(dice.between(120, 2400)).unwrap_or(120);
        let mail = group
            .unified
            .then(|| format!("{}@{}", group.name.to_lowercase().replace(' ', "-"), organisation.domains[0]));
        let mut kinds: Vec<&str> = Vec::new();
        if group.rule.is_some() {
            kinds.push("DynamicMembership");
        }
        if group.unified {
            kinds.push("Unified");
        }
        if group.owners.is_empty() {
            out.plant("entra-group-without-owner", group.name.as_str());
        }
        out.row(
            Table::AzureadGroup,
            row![
                &group.id,
                &group.name,
                group.description,
                mail,
                group.unified,
                !group.unified || dice.percent(20),
                json!(kinds),
                group.rule.clone(),
                group.assignable.then_some(true),
                if group.unified { Some(*dice.pick(&["Private", "Private", "Public"])) } else { None },
                json!(group.owners),
                Moment::at_work(created, &mut dice).seconds(),
            ],
        )?;
        for index in &group.people {
            out.row(Table::AzureadGroupMember, row![&group.id, entra_id(organisation, *index), "User"])?;
        }
        for (id, kind) in &group.others {
            out.row(Table::AzureadGroupMember, row![&group.id, id, *kind])?;
        }
    }
    let find = |name: &str| groups.iter().find(|group| group.name == name).map(|group| group.id.clone());
    roles(organisation, &groups, out)?;
    conditional_access(organisation, &find, out)
}

fn group(organisation: &Organisation, nth: usize, name: &str) -> Group {
    Group {
        id: organisation.dice("entra group", nth).guid(),
        name: name.to_owned(),
        description: None,
        unified: false,
        rule: None,
        assignable: false,
        owners: Vec::new(),
        people: BTreeSet::new(),
        others: Vec::new(),
    }
}

fn groups(organisation: &Organisation) -> Vec<Group> {
    let target = organisation.count([14, 48, 150]);
    let mut groups: Vec<Group> = Vec::new();
    let live = |person: &Person| person.entra == Standing::Live;
    let steady = |person: &Person| live(person) && person.is_staff() && !person.is_leaver();
    // Role-assignable: administrators, and who should be none any more.
    let mut admins = group(organisation, 0, "role-tenant-admins");
    admins.assignable = true;
    admins.description = Some("Holds Global Administrator");
    admins.people.extend(organisation.some("tenant admins", organisation.count([2, 3, 5]), |person| {
        person.has(Trait::GlobalAdmin) && live(person)
    }));
    admins
        .others
        .extend((0..emergencies(organisation).min(2)).map(|nth| (emergency_id(organisation, nth), "User")));
    let mut desk = group(organisation, 1, "role-service-desk");
    desk.assignable = true;
    desk.description = Some("Holds Helpdesk Administrator");
    desk.people = service_desk(organisation);
    desk.others.extend(service_desk_guest(&guests(organisation)).map(|id| (id, "User")));
    groups.extend([admins, desk]);
    // Exclusions from conditional access, in a chain; at large the chain bites its tail.
    let mut excluded = group(organisation, 2, EXCLUDED);
    let mut nested = group(organisation, 3, EXCLUDED_NESTED);
    let mut deep = group(organisation, 4, EXCLUDED_DEEP);
    for (group, count, purpose) in [
        (&mut excluded, [2, 3, 8], "excluded"),
        (&mut nested, [2, 3, 8], "excluded nested"),
        (&mut deep, [1, 2, 6], "excluded deep"),
    ] {
        group.people.extend(organisation.some(purpose, organisation.count(count), steady));
        group.description = Some("Reviewed each quarter");
    }
    nested.people.extend(organisation.some("excluded disabled", 1, |person| person.entra == Standing::Off));
    excluded.others.push((nested.id.clone(), "Group"));
    nested.others.push((deep.id.clone(), "Group"));
    if organisation.count([0, 0, 1]) > 0 {
        deep.others.push((excluded.id.clone(), "Group"));
    }
    groups.extend([excluded, nested, deep]);
    let departments = organisation.archetype.departments;
    let systems = organisation.archetype.systems;
    for nth in groups.len()..target {
        let at = nth - 5;
        let mut made = if at < departments.len() && (nth + 3 < target || at < 5) {
            let mut made = group(organisation, nth, &format!("All {}", departments[at].name));
            made.unified = true;
            // The directory has either name of a department, so the rule asks for both.
            let department = &departments[at];
            made.rule = Some(if department.name == department.elsewhere {
                format!("(user.department -eq \"{}\")", department.name)
            } else {
                format!("(user.department -in [\"{}\", \"{}\"])", department.name, department.elsewhere)
            });
            made
        } else {
            let system = systems[at % systems.len()];
            let round = at / systems.len();
            let more = if round < 3 { String::new() } else { format!(" {}", round - 1) };
            let name = match round % 3 {
                0 => format!("sg-{system}-users{more}"),
                1 => format!("Project {system}{more}"),
                _ => format!("sg-{system}-readers{more}"),
            };
            let mut made = group(organisation, nth, &name);
            made.unified = round % 3 == 1;
            made
        };
        let mut dice = organisation.dice("entra group owners", nth);
        made.owners = owners(organisation, &mut dice);
        groups.push(made);
    }
    for (nth, group) in groups.iter_mut().take(5).enumerate() {
        let mut dice = organisation.dice("entra special owners", nth);
        group.owners = owners(organisation, &mut dice);
    }
    fill(organisation, &mut groups);
    groups
}

/// Who holds the role of the service desk through its group: some who should not any more.
pub(super) fn service_desk(organisation: &Organisation) -> BTreeSet<u32> {
    let live = |person: &Person| person.entra == Standing::Live;
    let mut people = BTreeSet::new();
    people.extend(organisation.some("service desk", organisation.count([2, 5, 14]), |person| {
        person.has(Trait::DirectoryRole) && live(person)
    }));
    people
        .extend(organisation.some("desk leavers", organisation.count([1, 1, 3]), |person| {
            person.is_leaver() && live(person)
        }));
    people.extend(organisation.some("desk ghosts", organisation.count([1, 1, 3]), |person| {
        person.kind == crate::synth::organisation::Kind::Ghost && live(person)
    }));
    people
}

/// The guest among them.
pub(super) fn service_desk_guest(guests: &[Guest]) -> Option<String> {
    guests.iter().find(|guest| guest.enabled).map(|guest| guest.id.clone())
}

/// Who answers for a group: nobody for some, somebody whose account is shut for others.
fn owners(organisation: &Organisation, dice: &mut crate::synth::dice::Dice) -> Vec<String> {
    let people = &organisation.people;
    let mut pick = |fits: &dyn Fn(&Person) -> bool| {
        (0..200).find_map(|_| {
            let at = dice.below(people.len());
            fits(&people[at]).then(|| entra_id(organisation, u32::try_from(at).unwrap_or(0)))
        })
    };
    let live =
        pick(&|person: &Person| person.entra == Standing::Live && person.is_staff() && !person.is_leaver());
    let off = pick(&|person: &Person| person.entra == Standing::Off);
    match dice.below(10) {
        0..2 => Vec::new(),
        2 => off.into_iter().collect(),
        3 => off.into_iter().chain(live).collect(),
        _ => live.into_iter().collect(),
    }
}

fn fill(organisation: &Organisation, groups: &mut [Group]) {
    let target = organisation.count([60, 330, 1400]);
    let fixed: usize = groups.iter().map(|group| group.people.len() + group.others.len()).sum();
    let mut left = target.saturating_sub(fixed);
    let pool = organisation.all(|person| person.entra == Standing::Live && person.is_staff());
    let outsiders = guests(organisation);
    // The groups by rule hold their department where it is small enough; no rule can be half obeyed.
    for group in groups.iter_mut().skip(5) {
        let Some(rule) = group.rule.clone() else { continue };
        let members = organisation.all(|person| {
            person.entra != Standing::None
                && person.is_staff()
                && rule.contains(&format!("\"{}\"", organisation.department(person).name))
        });
        if members.len() <= left / 8 {
            left -= members.len();
            group.people.extend(members);
        } else {
            // Too large to be ruled by department: a hand-picked group instead.
            group.rule = None;
            group.name = group.name.replacen("All ", "", 1) + " leads";
        }
    }
    let open: Vec<usize> = (5..groups.len()).filter(|nth| groups[*nth].rule.is_none()).collect();
    let mut dice = organisation.dice("entra members", 0);
    for (at, guest) in outsiders.iter().enumerate().filter(|(at, _)| at % 3 == 0) {
        if left > 0 && !open.is_empty() {
            groups[open[at % open.len()]].others.push((guest.id.clone(), "User"));
            left -= 1;
        }
    }
    let mut tries = left * 8;
    while left > 0 && tries > 0 && !open.is_empty() && !pool.is_empty() {
        tries -= 1;
        if groups[*dice.pick(&open)].people.insert(*dice.pick(&pool)) {
            left -= 1;
        }
    }
}

fn roles(organisation: &Organisation, groups: &[Group], out: &mut Output<'_>) -> Result<(), GenerateError> {
    let target = organisation.count([8, 20, 50]);
    let mut given: Vec<(String, &str, usize, String)> = Vec::new();
    given.push((groups[0].id.clone(), "Group", 0, "/".to_owned()));
    given.push((groups[1].id.clone(), "Group", 5, "/".to_owned()));
    for nth in 0..emergencies(organisation) {
        if nth != 0 {
            given.push((emergency_id(organisation, nth), "User", 0, "/".to_owned()));
        }
    }
    for index in organisation.all(|person| person.has(Trait::GlobalAdmin)) {
        if !groups[0].people.contains(&index) || index % 3 == 0 {
            given.push((entra_id(organisation, index), "User", 0, "/".to_owned()));
        }
    }
    let units = organisation.dice("administrative unit", 0).guid();
    for (nth, index) in organisation.all(|person| person.has(Trait::DirectoryRole)).into_iter().enumerate() {
        let scope = if nth % 5 == 4 { format!("/administrativeUnits/{units}") } else { "/".to_owned() };
        given.push((entra_id(organisation, index), "User", 1 + nth % (ROLES.len() - 1), scope));
    }
    let mut nth = 0;
    while given.len() < target {
        given.push((
            super::azuread_apps::application_id(organisation, nth),
            "ServicePrincipal",
            [3, 6, 1][nth % 3],
            "/".to_owned(),
        ));
        nth += 1;
    }
    for (nth, (principal, kind, role, scope)) in given.into_iter().enumerate() {
        let id = format!("{}-1", organisation.dice("role assignment", nth).base62(42));
        let (template, name) = ROLES[role];
        if name == "Global Administrator" && kind == "User" {
            out.plant("global-administrator", principal.as_str());
        }
        out.row(Table::AzureadDirectoryRoleAssignment, row![id, principal, kind, template, name, scope])?;
    }
    Ok(())
}

/// Name, state, users, client applications, controls, operator.
type Policy<'p> = (&'p str, &'p str, Value, Value, Value, Option<&'p str>);

fn conditional_access(
    organisation: &Organisation,
    find: &dyn Fn(&str) -> Option<String>,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let named: Vec<String> = organisation
        .some("excluded by name", organisation.count([2, 3, 7]), |person| {
            person.entra == Standing::Live && person.is_staff() && !person.is_leaver()
        })
        .into_iter()
        .map(|index| entra_id(organisation, index))
        .chain((0..emergencies(organisation)).map(|nth| emergency_id(organisation, nth)))
        .collect();
    let users = |include: &[&str], excluded: &[String], groups: &[String], roles: &[&str]| json!({"excludeGroups": groups, "excludeRoles": [], "excludeUsers": excluded, "includeGroups": [], "includeRoles": roles, "includeUsers": include});
    let exclusion: Vec<String> = find(EXCLUDED).into_iter().collect();
    let deep: Vec<String> = find(EXCLUDED_DEEP).into_iter().collect();
    let all: &[&str] = &["All"];
    let everything = json!({"excludeApplications": [], "includeApplications": ["All"]});
    let admin_roles: Vec<&str> = ROLES.iter().take(5).map(|(id, _)| *id).collect();
    let reporting = "enabledForReportingButNotEnforced";
    let any = json!(["all"]);
    let old = json!(["exchangeActiveSync", "other"]);
    let mfa = json!(["mfa"]);
    let block = json!(["block"]);
    let device = json!(["mfa", "compliantDevice"]);
    let mut list: Vec<Policy<'_>> = vec![
        (
            "CA001 Require MFA for all users",
            "enabled",
            users(all, &named, &exclusion, &[]),
            any.clone(),
            mfa.clone(),
            Some("OR"),
        ),
        (
            "CA002 Require MFA for administrators",
            "enabled",
            users(&[], &[], &[], &admin_roles),
            any.clone(),
            mfa.clone(),
            Some("OR"),
        ),
        (
            "CA003 Block legacy authentication",
            reporting,
            users(all, &[], &deep, &[]),
            old,
            block.clone(),
            Some("OR"),
        ),
        (
            "CA004 Compliant device for everybody",
            reporting,
            users(all, &[], &exclusion, &[]),
            any.clone(),
            device.clone(),
            Some("AND"),
        ),
        (
            "CA005 MFA for guests",
            "disabled",
            users(&["GuestsOrExternalUsers"], &[], &[], &[]),
            any.clone(),
            mfa.clone(),
            Some("OR"),
        ),
    ];
    let more: &[(&str, &str, bool)] = &[
        ("CA006 Block retired administrator roles", "enabled", false),
        ("CA007 Sign-in frequency for browsers", "enabled", true),
        ("CA008 MFA for privileged roles", "enabled", false),
        ("CA009 Terms of use", "disabled", true),
        ("CA010 Compliant device for administrators", reporting, false),
        ("CA011 Risky sign-ins", "enabled", false),
        ("CA012 Risky users", reporting, false),
        ("CA013 MFA for the service desk", "enabled", false),
        ("CA014 Session limits for unmanaged devices", "enabled", true),
        ("CA015 Require MFA for all users (old)", "disabled", false),
        ("CA016 MFA for directory writers", "enabled", false),
    ];
    let count = organisation.count([5, 9, 16]).min(list.len() + more.len());
    let extra = count.saturating_sub(list.len());
    for (name, state, session_only) in &more[..extra] {
        let excluded: &[String] = if name.contains("(old)") { &named } else { &[] };
        let controls = if *session_only {
            Value::Null
        } else if name.contains("Block") {
            block.clone()
        } else if name.contains("Compliant") {
            device.clone()
        } else {
            mfa.clone()
        };
        let who = if name.contains("(old)") || name.contains("frequency") {
            users(all, excluded, &[], &[])
        } else {
            users(&[], &[], &exclusion[..0], &admin_roles[1..3])
        };
        list.push((name, state, who, any.clone(), controls, if *session_only { None } else { Some("OR") }));
    }
    for (nth, (name, state, users, clients, controls, operator)) in list.into_iter().take(count).enumerate() {
        let mut dice = organisation.dice("conditional access", nth);
        let created = organisation.today - Day::try_from(dice.between(200, 1300)).unwrap_or(200);
        if state == reporting || users["excludeUsers"].as_array().is_some_and(|it| !it.is_empty()) {
            out.plant("conditional-access-with-holes", name);
        }
        out.row(
            Table::AzureadConditionalAccessPolicy,
            row![
                dice.guid(),
                name,
                state,
                Moment::at_work(created, &mut dice).seconds(),
                dice.percent(60).then(|| {
                    let later = Day::try_from(dice.between(5, 190)).unwrap_or(5);
                    Moment::at_work(created + later, &mut dice).seconds()
                }),
                users,
                everything.clone(),
                clients,
                controls,
                operator,
            ],
        )?;
    }
    Ok(())
}
