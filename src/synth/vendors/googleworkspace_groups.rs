//! Google Workspace groups: nested, with outsiders in them, and owned by people who left.

use super::audience::{Audience, Pools};
use super::azuread::guests;
use super::googleworkspace::workspace_id;
use super::group_names::Names;
use crate::synth::GenerateError;
use crate::synth::archetype::slug;
use crate::synth::organisation::{OktaStatus, Organisation, Person, Standing, Trait};
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Who or what is in a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Member {
    Person(u32),
    Outsider(usize),
    Group(usize),
    Company,
}

/// A group.
#[derive(Debug)]
pub(super) struct Group {
    id: String,
    pub(super) email: String,
    name: String,
    description: Option<String>,
    by_administrator: bool,
    /// The department whose list it is.
    department: Option<usize>,
    audience: Audience,
    members: BTreeMap<Member, &'static str>,
}

/// All groups; the first ones have a part to play.
#[derive(Debug)]
pub(super) struct Groups {
    pub(super) all: Vec<Group>,
}

impl Groups {
    /// The list that holds a whole department, if there is one.
    pub(super) fn of_department(&self, department: u8) -> Option<&Group> {
        let mut lists = self.all.iter().skip(SPECIAL.len() + usize::from(department)).take(1);
        lists.find(|group| {
            group.department == Some(usize::from(department))
                && group.audience == Audience::Department(department)
        })
    }
}

// Places of the groups with a part to play.
/// Owns projects at GCP; [`PLATFORM`] is in it.
pub(super) const CLOUD_OWNERS: usize = 2;
pub(super) const PLATFORM: usize = 3;
/// Edits projects at GCP; [`PARTNERS_IN_DATA`] is in it.
pub(super) const CLOUD_EDITORS: usize = 4;
pub(super) const PARTNERS_IN_DATA: usize = 5;
/// Administers keys of service accounts; [`ONCALL`] is in it.
pub(super) const KEY_ADMINS: usize = 6;
pub(super) const ONCALL: usize = 7;
const VENDORS: usize = 8;
const PROJECT: usize = 9;
const SPECIAL: &[(&str, &str, Option<&str>, bool)] = &[
    ("everyone", "Everyone", Some("The whole company"), true),
    ("announcements", "Announcements", None, true),
    ("gcp-owners", "GCP Owners", Some("Project owners"), true),
    ("gcp-platform", "GCP Platform", None, true),
    ("gcp-developers", "GCP Developers", None, true),
    ("data-partners", "Data Partners", Some("Shared work with partner firms"), true),
    ("gcp-key-admins", "GCP Key Admins", None, true),
    ("cloud-oncall", "Cloud On-call", None, true),
    ("vendors", "Vendors", Some("Made by Procurement"), false),
    ("transition", "Transition Project", None, true),
];

pub(super) fn write(organisation: &Organisation, out: &mut Output<'_>) -> Result<Groups, GenerateError> {
    let mut groups = make(organisation);
    cast_parts(organisation, &mut groups);
    fill(organisation, &mut groups);
    for (nth, group) in groups.iter().enumerate() {
        let aliases =
            if nth % 13 == 12 { json!([group.email.replacen('@', "-list@", 1)]) } else { Value::Null };
        out.row(
            Table::GoogleworkspaceGroup,
            row![
                &group.id,
                &group.email,
                &group.name,
                group.description.clone(),
                group.members.len().to_string(),
                group.by_administrator,
                aliases,
            ],
        )?;
        for (member, role) in &group.members {
            write_member(organisation, &groups, nth, *member, role, out)?;
        }
    }
    Ok(Groups { all: groups })
}

fn write_member(
    organisation: &Organisation,
    groups: &[Group],
    nth: usize,
    member: Member,
    role: &str,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let group = &groups[nth].email;
    let (id, email, kind, status) = match member {
        Member::Person(index) => {
            let person = organisation.person(index);
            let suspended = person.workspace == Standing::Off;
            if role != "MEMBER" && person.okta == Some(OktaStatus::Deprovisioned) {
                out.plant("group-led-by-deactivated", format!("{group} {}", organisation.address(person)));
            }
            let status = if suspended { "SUSPENDED" } else { "ACTIVE" };
            (workspace_id(organisation, index), Some(organisation.address(person)), "USER", Some(status))
        }
        Member::Outsider(at) => {
            let outsider = &organisation.outsiders[at];
            let id = format!("1{}", organisation.dice("outsider workspace id", at).twenty_digits());
            out.plant("outsider-in-workspace-group", format!("{group} {}", outsider.address));
            (
                id,
                Some(outsider.address.clone()),
                // Whose firm uses Google has an account there.
                if organisation.dice("outsider at Google", at).percent(60) { "USER" } else { "EXTERNAL" },
                Some("ACTIVE"),
            )
        }
        Member::Group(at) => (groups[at].id.clone(), Some(groups[at].email.clone()), "GROUP", None),
        Member::Company => (organisation.dice("customer", 0).base36(9), None, "CUSTOMER", Some("ACTIVE")),
    };
    out.row(Table::GoogleworkspaceGroupMember, row![group, id, email, role, kind, status])
}

fn make(organisation: &Organisation) -> Vec<Group> {
    let target = organisation.count([14, 44, 135]).max(SPECIAL.len() + 4);
    let departments = organisation.archetype.departments;
    let with_list = if target > 20 { departments.len() } else { 4 };
    let mut names = Names::new(organisation);
    for (local, ..) in SPECIAL {
        names.take(local);
    }
    for department in departments {
        names.take(department.name);
        names.take(&format!("{} team", department.name));
    }
    (0..target)
        .map(|nth| {
            let mut dice = organisation.dice("workspace group", nth);
            let id = format!("0{}", dice.base36(14));
            let listed = departments[..with_list].get(nth.wrapping_sub(SPECIAL.len()));
            let mut audience = Audience::All;
            let (local, name, description, by_administrator) =
                if let Some((local, name, description, by)) = SPECIAL.get(nth) {
                    ((*local).to_owned(), (*name).to_owned(), description.map(str::to_owned), *by)
                } else if let Some(department) = listed {
                    let name = department.name;
                    let purpose = dice.percent(55).then(|| format!("Everybody in {name}"));
                    (slug(name), format!("{name} Team"), purpose, true)
                } else {
                    let by = dice.percent(70);
                    let naming = names.list(nth);
                    audience = naming.audience;
                    let purpose = dice.percent(55).then_some(naming.purpose);
                    (slug(&naming.name), naming.name, purpose, by)
                };
            let email = format!("{local}@{}", organisation.domains[0]);
            let department = listed.map(|_| nth - SPECIAL.len());
            if let Some(department) = department {
                audience = Audience::Department(u8::try_from(department).unwrap_or(0));
            }
            let members = BTreeMap::new();
            Group { id, email, name, description, by_administrator, department, audience, members }
        })
        .collect()
}

fn live(person: &Person) -> bool {
    person.workspace == Standing::Live
}

fn cast_parts(organisation: &Organisation, groups: &mut [Group]) {
    let put = |groups: &mut [Group], at: usize, members: Vec<u32>, role: &'static str| {
        for index in members {
            groups[at].members.entry(Member::Person(index)).or_insert(role);
        }
    };
    groups[0].members.insert(Member::Company, "MEMBER");
    groups[1].members.insert(Member::Company, "MEMBER");
    groups[CLOUD_OWNERS].members.insert(Member::Group(PLATFORM), "MEMBER");
    groups[CLOUD_EDITORS].members.insert(Member::Group(PARTNERS_IN_DATA), "MEMBER");
    groups[KEY_ADMINS].members.insert(Member::Group(ONCALL), "MEMBER");
    if organisation.count([0, 0, 1]) > 0 {
        // The chain bites its tail.
        groups[PARTNERS_IN_DATA].members.insert(Member::Group(CLOUD_EDITORS), "MEMBER");
        groups[PLATFORM].members.insert(Member::Group(CLOUD_OWNERS), "MEMBER");
    }
    let steady = |person: &Person| live(person) && person.is_staff() && !person.is_leaver();
    // Who leads: somebody for each group.
    let leaders = organisation.all(|person| steady(person) && person.leads && !person.has(Trait::Alias));
    let heads = organisation.all(|person| steady(person) && person.place == 0);
    for nth in 2..groups.len() {
        let of_department = groups[nth].department;
        let head = heads.iter().copied().find(|head| {
            of_department
                .is_some_and(|department| usize::from(organisation.person(*head).department) == department)
        });
        let any = lead(organisation, &leaders, groups[nth].audience, nth);
        put(groups, nth, head.or(any).into_iter().collect(), "OWNER");
    }
    put(
        groups,
        CLOUD_OWNERS,
        organisation.some("cloud owners", organisation.count([1, 3, 8]), |person| {
            person.has(Trait::GcpOwner) && live(person)
        }),
        "MEMBER",
    );
    put(
        groups,
        PLATFORM,
        organisation.some("platform", organisation.count([2, 4, 10]), |person| {
            person.has(Trait::AwsAdmin) && live(person)
        }),
        "MEMBER",
    );
    put(
        groups,
        CLOUD_EDITORS,
        organisation.some("cloud editors", organisation.count([4, 18, 70]), |person| {
            person.has(Trait::Gcp) && live(person)
        }),
        "MEMBER",
    );
    put(
        groups,
        KEY_ADMINS,
        organisation.some("key admins", organisation.count([1, 2, 5]), |person| {
            person.has(Trait::Unenforced2sv)
                && person.traits.any(&[Trait::WorkspaceSuper, Trait::WorkspaceDelegated])
                && live(person)
        }),
        "MEMBER",
    );
    put(
        groups,
        ONCALL,
        organisation.some("on call", organisation.count([1, 2, 5]), |person| {
            person.traits.any(&[Trait::WorkspaceSuper, Trait::WorkspaceDelegated]) && live(person)
        }),
        "MEMBER",
    );
    // Who left and still leads: half of the groups reach GCP, each in its own way.
    for (nth, index) in organisation
        .all(|person| person.has(Trait::BehindGroup) && person.workspace != Standing::None)
        .into_iter()
        .enumerate()
    {
        let at = [PLATFORM, CLOUD_EDITORS, ONCALL, KEY_ADMINS][nth % 4];
        put(groups, at, vec![index], if nth % 2 == 0 { "OWNER" } else { "MANAGER" });
    }
    let shut = organisation.some("shut leads", organisation.count([2, 4, 16]), |person| {
        person.okta == Some(OktaStatus::Deprovisioned) && person.workspace != Standing::None
    });
    let count = groups.len();
    for (nth, index) in shut.into_iter().enumerate() {
        let others = (count - SPECIAL.len()).max(1);
        let mut places = (nth..nth + others).map(|at| SPECIAL.len() + at % others);
        let fits = |at: &usize| groups[*at].audience.fits(organisation, organisation.person(index));
        let at = places.find(fits).unwrap_or(PROJECT);
        put(groups, at, vec![index], if nth % 2 == 0 { "MANAGER" } else { "OWNER" });
    }
    let gone = organisation.some("still members", organisation.count([4, 14, 70]), |person| {
        matches!(person.workspace, Standing::Off | Standing::Archived)
    });
    for (nth, index) in gone.into_iter().enumerate() {
        let mut dice = organisation.dice("still member", nth);
        let places: Vec<usize> =
            (0..20).map(|_| SPECIAL.len() - 2 + dice.below(count - SPECIAL.len() + 2)).collect();
        let fits = |at: &&usize| groups[**at].audience.fits(organisation, organisation.person(index));
        let at = places.iter().find(fits).copied().unwrap_or(PROJECT);
        put(groups, at, vec![index], "MEMBER");
    }
    // Outsiders: partners in data, vendors, and in a project that an administrator made.
    let outside = |groups: &mut [Group], at: usize, outsider: usize, role: &'static str| {
        if outsider < organisation.outsiders.len() {
            groups[at].members.entry(Member::Outsider(outsider)).or_insert(role);
        }
    };
    let guests = guests(organisation).len();
    for nth in 0..organisation.count([2, 4, 16]) {
        // Some of them are guests at Entra as well.
        outside(groups, PARTNERS_IN_DATA, if nth % 2 == 0 { nth } else { guests + nth }, "MEMBER");
        outside(groups, VENDORS, nth * 2 + 1, if nth < 2 { "OWNER" } else { "MEMBER" });
    }
    for nth in 0..organisation.count([2, 0, 5]) {
        outside(groups, PROJECT, guests + 2 + nth, if nth % 2 == 0 { "MANAGER" } else { "OWNER" });
    }
    outside(groups, PROJECT, 3, "MEMBER");
    nest(organisation, groups);
}

/// Puts lists into lists: departments and those on call into what they must hear of, and into their teams. As those hold no
/// lists themselves, nothing goes round.
fn nest(organisation: &Organisation, groups: &mut [Group]) {
    let wanted = organisation.count([0, 3, 14]);
    // What has lists in it, what is in lists, and what is between.
    let tier = |group: &Group| match group.name.as_str() {
        _ if group.department.is_some() => Some(2),
        name if name.ends_with(" on-call") => Some(2),
        name if name.ends_with(" team") => Some(1),
        name if name.ends_with(" alerts") || name.ends_with(" launch") => Some(0),
        name if name.starts_with("Customer ") || name.starts_with("Project ") => Some(0),
        _ => None,
    };
    let of = |tiers: std::ops::RangeInclusive<u8>| {
        let nths = SPECIAL.len()..groups.len();
        nths.filter(|nth| tier(&groups[*nth]).is_some_and(|it| tiers.contains(&it))).collect::<Vec<usize>>()
    };
    let (outer, inner) = (of(0..=1), of(1..=2));
    let tiers: Vec<Option<u8>> = groups.iter().map(tier).collect();
    let mut dice = organisation.dice("workspace nesting", 0);
    let (mut made, mut tries) = (0, wanted * 30);
    while made < wanted && tries > 0 && !outer.is_empty() && !inner.is_empty() {
        tries -= 1;
        let (within, list) = (*dice.pick(&outer), *dice.pick(&inner));
        if tiers[within] < tiers[list]
            && (tiers[within] == Some(0) || groups[list].department.is_none())
            && let Entry::Vacant(free) = groups[within].members.entry(Member::Group(list))
        {
            free.insert("MEMBER");
            made += 1;
        }
    }
}

/// Somebody who leads and whose business the group is, else anybody who leads.
fn lead(organisation: &Organisation, leaders: &[u32], audience: Audience, nth: usize) -> Option<u32> {
    let mut dice = organisation.dice("group lead", nth);
    let wanted = audience.leaders(organisation);
    let any = leaders.get(dice.below(leaders.len().max(1))).copied()?;
    let mut draws = (0..60).map(|_| *dice.pick(leaders));
    draws.find(|index| wanted.fits(organisation, organisation.person(*index))).or(Some(any))
}

fn fill(organisation: &Organisation, groups: &mut [Group]) {
    let target = organisation.count([80, 490, 2400]);
    let count = groups.len();
    let pools = Pools::new(organisation, |person| live(person) && person.is_staff());
    let so_far = |groups: &[Group]| groups.iter().map(|group| group.members.len()).sum::<usize>();
    let mut left = target.saturating_sub(so_far(groups));
    // The departments' lists hold their department where there is room, else who leads there.
    for group in groups.iter_mut() {
        let Some(department) = group.department else { continue };
        let mut members = pools.of(organisation, group.audience);
        if members.len() > left + target / 16 {
            let name = organisation.archetype.departments[department].name;
            group.audience = Audience::Leads(u8::try_from(department).unwrap_or(0));
            group.name = format!("{name} Leads");
            group.email = format!("{}-leads@{}", slug(name), organisation.domains[0]);
            group.description = group.description.take().map(|_| format!("Who leads in {name}"));
            members = pools.of(organisation, group.audience);
        }
        left = left.saturating_sub(members.len());
        for index in members {
            group.members.entry(Member::Person(*index)).or_insert("MEMBER");
        }
    }
    // Three of a hundred members are outsiders, in groups that no administrator made.
    let is_outside =
        |group: &Group| group.members.keys().filter(|it| matches!(it, Member::Outsider(_))).count();
    let planted: usize = groups.iter().map(is_outside).sum();
    let mut open: Vec<usize> = (SPECIAL.len()..count).filter(|nth| !groups[*nth].by_administrator).collect();
    if open.iter().any(|nth| groups[*nth].audience == Audience::All) {
        open.retain(|nth| groups[*nth].audience == Audience::All);
    }
    let mut dice = organisation.dice("workspace outsiders", 0);
    for _ in 0..(target * 3 / 100).saturating_sub(planted) {
        if let (Some(nth), outsiders @ 1..) =
            (open.get(dice.below(open.len().max(1))), organisation.outsiders.len())
        {
            groups[*nth].members.entry(Member::Outsider(dice.below(outsiders))).or_insert("MEMBER");
        }
    }
    left = target.saturating_sub(so_far(groups));
    let teams: Vec<usize> = (SPECIAL.len()..count).filter(|nth| groups[*nth].department.is_none()).collect();
    let mut tries = left * 8;
    let mut dice = organisation.dice("workspace members", 0);
    while left > 0 && tries > 0 {
        tries -= 1;
        let Some(nth) = teams.get(dice.below(teams.len().max(1))).copied() else { break };
        let pool = pools.of(organisation, groups[nth].audience);
        let member = pool.get(dice.below(pool.len().max(1))).copied();
        let fits = |index: &u32| groups[nth].audience.fits(organisation, organisation.person(*index));
        let Some(member) = member.filter(fits).map(Member::Person) else {
            continue;
        };
        if let Entry::Vacant(free) = groups[nth].members.entry(member) {
            free.insert(if dice.percent(4) { "MANAGER" } else { "MEMBER" });
            left -= 1;
        }
    }
}
