//! Entra ID groups, who is in them, and directory roles.

use super::audience::{Audience, Pools};
use super::azuread::{Guest, emergencies, emergency_id, entra_id, guests};
use super::azuread_conditional_access;
use super::group_names::Names;
use crate::synth::GenerateError;
use crate::synth::archetype::slug;
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::{Organisation, Person, Standing, Trait};
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;
use crate::synth::workdays::office_day;
use serde_json::json;
use std::collections::BTreeSet;

/// Well-known role templates: GUID and name.
pub(super) const ROLES: &[(&str, &str)] = &[
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
    description: Option<String>,
    unified: bool,
    rule: Option<String>,
    assignable: bool,
    audience: Audience,
    /// The day on which it was made.
    made: Day,
    owners: Vec<String>,
    people: BTreeSet<u32>,
    /// Ids of groups, guests and emergency administrators in it, with their type.
    others: Vec<(String, &'static str)>,
}

pub(super) const SERVICE_DESK: &str = "role-service-desk";
pub(super) const EXCLUDED: &str = "CA-Exclusions";
const EXCLUDED_NESTED: &str = "CA-Exclusions-Service";
pub(super) const EXCLUDED_DEEP: &str = "CA-Exclusions-Legacy";

pub(super) fn write(organisation: &Organisation, out: &mut Output<'_>) -> Result<(), GenerateError> {
    let groups = groups(organisation);
    for (nth, group) in groups.iter().enumerate() {
        let mut dice = organisation.dice("entra group row", nth);
        let mail = group.unified.then(|| format!("{}@{}", slug(&group.name), organisation.domains[0]));
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
                group.description.clone(),
                mail,
                group.unified,
                !group.unified || dice.percent(20),
                json!(kinds),
                group.rule.clone(),
                group.assignable.then_some(true),
                if group.unified { Some(*dice.pick(&["Private", "Private", "Public"])) } else { None },
                json!(group.owners),
                Moment::at_work(group.made, &mut dice).seconds(),
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
    azuread_conditional_access::write(organisation, &find, out)
}

/// Who left longer ago is in no group any more.
const OLD_ENOUGH: Day = 1050;

/// A working day between these.
fn made_on(organisation: &Organisation, nth: usize, (first, last): (Day, Day)) -> Day {
    let mut dice = organisation.dice("entra group made", nth);
    let day = first + Day::try_from(dice.between(0, i64::from(last - first))).unwrap_or(0);
    office_day(day, first, last, &mut dice)
}

fn group(organisation: &Organisation, nth: usize, name: &str) -> Group {
    Group {
        id: organisation.dice("entra group", nth).guid(),
        name: name.to_owned(),
        description: None,
        unified: false,
        rule: None,
        assignable: false,
        audience: Audience::All,
        // Those with a part to play are old enough to have seen people go.
        made: made_on(organisation, nth, {
            (organisation.today - 2400, organisation.today - if nth < 5 { OLD_ENOUGH } else { 4 })
        }),
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
    admins.description = Some("Holds Global Administrator".to_owned());
    admins.people.extend(organisation.some("tenant admins", organisation.count([2, 3, 5]), |person| {
        person.has(Trait::GlobalAdmin) && live(person)
    }));
    admins
        .others
        .extend((0..emergencies(organisation).min(2)).map(|nth| (emergency_id(organisation, nth), "User")));
    let mut desk = group(organisation, 1, SERVICE_DESK);
    desk.assignable = true;
    desk.description = Some("Holds Helpdesk Administrator".to_owned());
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
        group.description = Some("Reviewed each quarter".to_owned());
    }
    nested.people.extend(organisation.some("excluded disabled", 1, |person| {
        person.entra == Standing::Off && person.was_here_after(organisation.today - OLD_ENOUGH)
    }));
    excluded.others.push((nested.id.clone(), "Group"));
    nested.others.push((deep.id.clone(), "Group"));
    if organisation.count([0, 0, 1]) > 0 {
        deep.others.push((excluded.id.clone(), "Group"));
    }
    groups.extend([excluded, nested, deep]);
    let departments = organisation.archetype.departments;
    let mut names = Names::new(organisation);
    for nth in groups.len()..target {
        let at = nth - 5;
        let mut made = if at < departments.len() && (nth + 3 < target || at < 5) {
            let mut made = group(organisation, nth, &format!("All {}", departments[at].name));
            made.unified = true;
            made.audience = Audience::Department(u8::try_from(at).unwrap_or(0));
            made.description = organisation
                .dice("entra group text", nth)
                .percent(55)
                .then(|| format!("Everybody in {}, by rule", departments[at].name));
            // The directory has either name of a department, so the rule asks for both.
            let department = &departments[at];
            made.rule = Some(if department.name == department.elsewhere {
                format!("(user.department -eq \"{}\")", department.name)
            } else {
                format!("(user.department -in [\"{}\", \"{}\"])", department.name, department.elsewhere)
            });
            made
        } else {
            let naming = names.directory(nth);
            let mut made = group(organisation, nth, &naming.name);
            made.unified = naming.unified;
            made.audience = naming.audience;
            made.made = naming.made.map_or(made.made, |days| made_on(organisation, nth, days));
            made.description =
                organisation.dice("entra group text", nth).percent(55).then_some(naming.purpose);
            made
        };
        let mut dice = organisation.dice("entra group owners", nth);
        made.owners = owners(organisation, nth, made.made, &mut dice);
        groups.push(made);
    }
    for (nth, group) in groups.iter_mut().take(5).enumerate() {
        let mut dice = organisation.dice("entra special owners", nth);
        group.owners = owners(organisation, nth, group.made, &mut dice);
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

/// Who answers for a group: of ten, two have nobody, one has somebody whose account is shut, one has such a one besides.
fn owners(
    organisation: &Organisation,
    nth: usize,
    made: Day,
    dice: &mut crate::synth::dice::Dice,
) -> Vec<String> {
    let people = &organisation.people;
    let mut pick = |fits: &dyn Fn(&Person) -> bool| {
        (0..200).find_map(|_| {
            let at = dice.below(people.len());
            fits(&people[at]).then(|| entra_id(organisation, u32::try_from(at).unwrap_or(0)))
        })
    };
    let live =
        pick(&|person: &Person| person.entra == Standing::Live && person.is_staff() && !person.is_leaver());
    // Whoever has gone had the group to answer for before.
    let off = pick(&|person: &Person| person.entra == Standing::Off && person.was_here_after(made));
    // In turn, so that a small organisation has some of each; three and ten have no divisor in common.
    let first = organisation.dice("entra group owners", 0).below(10);
    match (first + nth * 3) % 10 {
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
    let pools = Pools::new(organisation, |person| person.entra == Standing::Live && person.is_staff());
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
            // Too large to be ruled by department: those who lead instead, if they are few enough.
            group.rule = None;
            if let Audience::Department(department) = group.audience {
                group.audience = Audience::Leads(department);
            }
            let leads = pools.of(organisation, group.audience);
            if leads.len() <= left / 4 {
                left -= leads.len();
                group.people.extend(leads);
            }
            group.name = group.name.replacen("All ", "", 1) + " leads";
            group.description = Some("Kept by hand".to_owned()).filter(|_| group.description.is_some());
        }
    }
    left = left.saturating_sub(nest(organisation, groups));
    let open: Vec<usize> = (5..groups.len()).filter(|nth| groups[*nth].rule.is_none()).collect();
    let for_guests: Vec<usize> =
        open.iter().copied().filter(|nth| groups[*nth].audience == Audience::All).collect();
    let for_guests = if for_guests.is_empty() { &open } else { &for_guests };
    let mut dice = organisation.dice("entra members", 0);
    for (at, guest) in outsiders.iter().enumerate().filter(|(at, _)| at % 3 == 0) {
        if left > 0 && !for_guests.is_empty() {
            groups[for_guests[at / 3 % for_guests.len()]].others.push((guest.id.clone(), "User"));
            left -= 1;
        }
    }
    let mut tries = left * 8;
    while left > 0 && tries > 0 && !open.is_empty() {
        tries -= 1;
        let group = &mut groups[*dice.pick(&open)];
        let pool = pools.of(organisation, group.audience);
        let member = pool.get(dice.below(pool.len().max(1)));
        let member = member.filter(|member| {
            let person = organisation.person(**member);
            person.was_here_after(group.made) && group.audience.fits(organisation, person)
        });
        if member.is_some_and(|member| group.people.insert(*member)) {
            left -= 1;
        }
    }
}

/// From what many may do to what few may.
const BREADTH: &[&str] = &[
    "users",
    "Trial",
    "Testers",
    "readers",
    "Support",
    "testers",
    "editors",
    "operators",
    "approvers",
    "auditors",
    "Owners",
    "Admins",
    "admins",
];

/// Puts groups into groups, and says how many: who may do more in a system into those who may do less, and departments'
/// leads and projects into what they need. As these hold no groups themselves, nothing goes round.
fn nest(organisation: &Organisation, groups: &mut [Group]) -> usize {
    let wanted = organisation.count([0, 2, 13]);
    let split = |name: &str| {
        let (system, right) = name.rsplit_once('-')?;
        let breadth = BREADTH.iter().position(|it| *it == right)?;
        (system.starts_with("sg-") || system.starts_with("App-")).then(|| (system.to_owned(), breadth))
    };
    let of_systems: Vec<(String, usize, usize)> = (5..groups.len())
        .filter(|nth| !groups[*nth].unified && groups[*nth].rule.is_none())
        .filter_map(|nth| split(&groups[nth].name).map(|(system, breadth)| (system, breadth, nth)))
        .collect();
    let mut edges: Vec<(usize, usize)> = Vec::new();
    for (system, breadth, within) in &of_systems {
        let narrower = of_systems.iter().filter(|(other, more, _)| other == system && more > breadth);
        edges.extend(narrower.min_by_key(|(_, more, nth)| (*more, *nth)).map(|(.., nth)| (*within, *nth)));
    }
    edges.truncate(wanted / 2);
    let leaves: Vec<usize> =
        (5..groups.len()).filter(|nth| groups[*nth].unified && groups[*nth].rule.is_none()).collect();
    let mut dice = organisation.dice("entra nesting", 0);
    let mut tries = wanted * 20;
    while edges.len() < wanted && tries > 0 && !of_systems.is_empty() && !leaves.is_empty() {
        tries -= 1;
        let (_, breadth, within) = dice.pick(&of_systems);
        let edge = (*within, *dice.pick(&leaves));
        // Nobody makes a whole project administrators.
        if *breadth + 3 < BREADTH.len() && !edges.contains(&edge) {
            edges.push(edge);
        }
    }
    for (within, inner) in &edges {
        let id = groups[*inner].id.clone();
        groups[*within].others.push((id, "Group"));
    }
    edges.len()
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
