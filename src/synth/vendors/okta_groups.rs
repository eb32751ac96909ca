//! Okta groups, who is in them, and the policies that name them.

use super::okta::okta_id;
use super::seen;
use crate::synth::GenerateError;
use crate::synth::archetype::{Reach, copy};
use crate::synth::dice::Dice;
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::{Kind, Lifecycle, OktaStatus, Organisation, Person, Trait};
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;
use crate::synth::workdays::office_day;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A group.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) id: String,
    pub(super) name: String,
    kind: &'static str,
    description: Option<String>,
    admin_roles: &'static [&'static str],
    pub(super) created: Moment,
    /// Members by index of the person.
    pub(super) members: BTreeSet<u32>,
}

impl Group {
    /// When somebody came into it: by a rule some seconds after there is the account, by hand within some weeks. Whoever
    /// was here before is in it from the beginning.
    pub(super) fn joined(&self, organisation: &Organisation, index: u32) -> Moment {
        let mut dice = organisation.dice(&format!("joined {}", self.name), index as usize);
        let person = organisation.person(index);
        let made = seen::made_at(organisation, person, index, "okta made");
        let joined = if self.is_by_rule() {
            made.plus_seconds(dice.between(20, 240))
        } else {
            let first = person.first_day().max(made.day());
            let day = first + Day::try_from(dice.fading(40, 2)).unwrap_or(0);
            let day = office_day(day, first, organisation.today, &mut dice).min(organisation.today);
            Moment::at_work(day, &mut dice).max(made.plus_seconds(600))
        };
        joined.max(self.created.plus_seconds(dice.between(30, 600)))
    }

    fn is_by_rule(&self) -> bool {
        self.description.as_deref() == Some(BY_RULE)
    }
}

/// All groups.
#[derive(Debug)]
pub(super) struct Groups {
    pub(super) all: Vec<Group>,
    /// Of which departments the first groups are, by their place in the archetype.
    pub(super) departments: Vec<usize>,
    /// Places of the groups whose policy forbids a telephone as a factor, and since when it has.
    telephone_forbidden: Vec<(usize, Moment)>,
}

impl Groups {
    /// Since when a policy has forbidden this person to enrol a telephone.
    pub(super) fn telephone_forbidden_since(&self, index: u32) -> Option<Moment> {
        let of = |(at, _): &&(usize, Moment)| self.all[*at].members.contains(&index);
        self.telephone_forbidden.iter().filter(of).map(|(_, since)| *since).min()
    }

    /// When the youngest of these groups was made.
    fn youngest(&self, ids: &[String]) -> Option<Moment> {
        self.all.iter().filter(|group| ids.contains(&group.id)).map(|group| group.created).max()
    }

    /// The group of this name, if the organisation is large enough to have it.
    pub(super) fn find(&self, name: &str) -> Option<&Group> {
        self.all.iter().find(|group| group.name == name)
    }
}

/// Administrators of AWS through Identity Center.
pub(super) const AWS_ADMINS: &str = "AWS-Admins";
pub(super) const AWS_DEVELOPERS: &str = "AWS-Developers";
pub(super) const AWS_READERS: &str = "AWS-ReadOnly";
pub(super) const AWS_BILLING: &str = "AWS-Billing";
/// Who gets GitHub, who gets Atlas.
pub(super) const APP_GITHUB: &str = "app-github-users";
pub(super) const APP_ATLAS: &str = "app-atlas-users";

/// Groups of a department.
const BY_RULE: &str = "Everybody in the department, by rule";
/// Who came from the directory that there was before.
const DIRECTORY_IMPORT: &str = "Directory-Import";

/// Whether an account can be in a group at all.
fn can_be_member(person: &Person) -> bool {
    person.okta.is_some_and(|status| !matches!(status, OktaStatus::Deprovisioned | OktaStatus::Staged))
        && person.lifecycle != Lifecycle::Hired
}

pub(super) fn write(organisation: &Organisation, out: &mut Output<'_>) -> Result<Groups, GenerateError> {
    let mut groups = groups(organisation);
    for (nth, group) in groups.all.iter().enumerate() {
        let mut dice = organisation.dice("okta group", nth);
        let changed = last_change(organisation, group, &mut dice);
        if !group.admin_roles.is_empty() {
            out.plant("group-with-admin-role", group.name.as_str());
        }
        out.row(
            Table::OktaGroup,
            row![
                &group.id,
                &group.name,
                group.description.clone(),
                group.kind,
                group.created.okta(),
                changed.okta(),
                json!(group.admin_roles),
            ],
        )?;
        for member in &group.members {
            out.row(Table::OktaGroupMember, row![&group.id, okta_id(organisation, *member)])?;
        }
    }
    groups.telephone_forbidden = policies(organisation, &groups, out)?;
    Ok(groups)
}

/// When a group was made: Everyone with the organization itself, what everybody needs soon after, teams at any time.
fn made_at(organisation: &Organisation, nth: usize, name: &str, by_rule: bool) -> Moment {
    let mut dice = organisation.dice("okta group made", nth);
    let age = i64::from(organisation.today - organisation.founded);
    let after = match name {
        "Everyone" => 0,
        "Identity-Admins" => dice.between(3, 60),
        "Contractors" | DIRECTORY_IMPORT => dice.between(8, 90),
        AWS_ADMINS | AWS_DEVELOPERS | AWS_READERS | APP_GITHUB => dice.between(25, 260),
        _ if by_rule => dice.between(15, 400),
        _ => dice.between(100, age - 30),
    };
    let day = organisation.founded + Day::try_from(after).unwrap_or(0);
    let day =
        office_day(day, if after == 0 { day } else { organisation.founded }, organisation.today, &mut dice);
    Moment::at_work(day, &mut dice)
}

/// When somebody last came or went: not before the newest of the members came.
fn last_change(organisation: &Organisation, group: &Group, dice: &mut Dice) -> Moment {
    let newest = group.members.iter().map(|member| group.joined(organisation, *member)).max();
    let newest = newest.map_or(group.created, |newest| newest.max(group.created));
    let left = i64::from(organisation.today - newest.day());
    let ago = if group.kind == "BUILT_IN" {
        dice.between(0, 3)
    } else {
        left - dice.between(0, left) * dice.between(0, 100) / 100
    };
    let day = organisation.today - Day::try_from(ago).unwrap_or(0);
    let day = office_day(day, newest.day(), organisation.today, dice);
    Moment::at_work(day, dice).max(newest).max(group.created.plus_seconds(300))
}

fn groups(organisation: &Organisation) -> Groups {
    let mut all: Vec<Group> = Vec::new();
    let add = |all: &mut Vec<Group>,
               name: String,
               kind,
               description: Option<&str>,
               admin_roles,
               members: Vec<u32>| {
        let id = format!("00g{}", organisation.dice("okta group id", all.len()).base62(17));
        let description = description.map(str::to_owned);
        let by_rule = description.as_deref() == Some(BY_RULE);
        let created = made_at(organisation, all.len(), &name, by_rule);
        // Nobody comes into a group after they have left.
        let there = |index: &u32| organisation.person(*index).was_here_after(created.day());
        let members = members.into_iter().filter(there).collect();
        all.push(Group { id, name, kind, description, admin_roles, created, members });
    };
    let target = organisation.count([16, 42, 82]);
    let usual = "OKTA_GROUP";
    let none: &[&str] = &[];
    let departments = organisation.grouped_departments();
    for nth in &departments {
        let members = organisation.all(|person| {
            can_be_member(person) && person.is_staff() && usize::from(person.department) == *nth
        });
        let name = organisation.archetype.departments[*nth].elsewhere.replace(" & ", " and ");
        add(&mut all, name, usual, Some(BY_RULE), none, members);
    }
    let of = |it: Trait| organisation.all(|person| can_be_member(person) && person.has(it));
    add(
        &mut all,
        "Everyone".to_owned(),
        "BUILT_IN",
        Some("All users in your organization"),
        none,
        Vec::new(),
    );
    add(
        &mut all,
        "Identity-Admins".to_owned(),
        usual,
        Some("Okta super administrators through group"),
        &["SUPER_ADMIN"],
        of(Trait::OktaGroupAdmin),
    );
    add(
        &mut all,
        AWS_ADMINS.to_owned(),
        usual,
        Some("Administrator access to all accounts"),
        none,
        of(Trait::AwsAdmin),
    );
    let builders = organisation.all(|person| {
        can_be_member(person) && person.has(Trait::AwsUser) && organisation.reach(person) == Reach::Builders
    });
    // Who pays the bills may see them; others of the office were let in to look at everything.
    let pays = |person: &Person| organisation.department(person).name == "Finance";
    let readers = organisation.all(|person| {
        can_be_member(person)
            && ((person.has(Trait::AwsUser) && organisation.reach(person) != Reach::Builders)
                || (person.has(Trait::OfficeInAws) && !pays(person)))
    });
    let billing =
        organisation.all(|person| can_be_member(person) && person.has(Trait::OfficeInAws) && pays(person));
    add(&mut all, AWS_DEVELOPERS.to_owned(), usual, None, none, builders);
    add(&mut all, AWS_READERS.to_owned(), usual, None, none, readers);
    add(&mut all, AWS_BILLING.to_owned(), usual, Some("Cost explorer and invoices"), none, billing);
    let coders = organisation
        .all(|person| can_be_member(person) && person.has(Trait::Coder) && !person.has(Trait::Uncovered));
    add(&mut all, APP_GITHUB.to_owned(), usual, None, none, coders);
    add(&mut all, APP_ATLAS.to_owned(), usual, None, none, of(Trait::Atlas));
    if departments.len() + 8 < target {
        let contractors = organisation.all(|person| can_be_member(person) && person.firm.is_some());
        add(&mut all, "Contractors".to_owned(), usual, Some("External staff"), none, contractors);
    }
    let second = organisation.count([0, 4, 14]);
    if second > 0 {
        let tier = organisation.some("directory admins", second, |person| {
            can_be_member(person) && person.has(Trait::OktaRole) && person.firm.is_none()
        });
        add(
            &mut all,
            "Directory-Operators".to_owned(),
            usual,
            Some("Second line"),
            &["HELP_DESK_ADMIN", "GROUP_MEMBERSHIP_ADMIN"],
            tier,
        );
    }
    let emergency = organisation.count([0, 2, 5]);
    if emergency > 0 {
        let few = organisation
            .some("emergency", emergency, |person| can_be_member(person) && person.has(Trait::OktaSuper));
        add(&mut all, "Emergency-Access".to_owned(), usual, Some("Break glass"), &["SUPER_ADMIN"], few);
    }
    if organisation.count([0, 0, 1]) > 0 {
        let service = organisation.some("api admins", 8, |person| {
            can_be_member(person) && person.has(Trait::OktaRole) && person.firm.is_none()
        });
        add(&mut all, "Okta-API-Admins".to_owned(), usual, None, &["SUPER_ADMIN"], service);
    }
    if second > 0 {
        let today = organisation.today;
        let of_old = |person: &Person| {
            can_be_member(person) && person.kind == Kind::Staff && person.start < today - 1800
        };
        let expired = |person: &Person| person.okta == Some(OktaStatus::PasswordExpired);
        let mut old = organisation.all(|person| of_old(person) && expired(person));
        let more = organisation.count([0, 20, 90]).saturating_sub(old.len());
        old.extend(organisation.some("imported", more, |person| of_old(person) && !expired(person)));
        let from = Some("Accounts of the old directory");
        add(&mut all, DIRECTORY_IMPORT.to_owned(), "APP_GROUP", from, none, old);
    }
    let systems = organisation.archetype.systems;
    let teams = target.saturating_sub(all.len());
    for nth in 0..teams {
        let system = systems[nth / 3 % systems.len()];
        let round = nth / (3 * systems.len());
        let suffix = match round {
            0 => String::new(),
            _ => format!("-{}", copy(round - 1, nth / 3 % systems.len())),
        };
        let name = match nth % 3 {
            0 => format!("team-{system}{suffix}"),
            1 => format!("AWS-{system}-Operators{suffix}"),
            _ => format!("{system}-oncall{suffix}"),
        };
        let kind = if nth % 11 == 10 { "APP_GROUP" } else { usual };
        add(&mut all, name, kind, None, none, Vec::new());
    }
    let fixed: usize = all.iter().map(|group| group.members.len()).sum();
    let to_fill = all.len() - teams;
    fill(organisation, &mut all[to_fill..], organisation.count([150, 900, 3700]).saturating_sub(fixed));
    Groups { all, departments, telephone_forbidden: Vec::new() }
}

/// How many are in a group of this name, at least and at most.
fn team_size(name: &str) -> (i64, i64) {
    if name.starts_with("team-") { (4, 12) } else { (3, 8) }
}

/// Teams are made of technical people; who is on call or operates a system is mostly of the team that built it.
fn fill(organisation: &Organisation, teams: &mut [Group], wanted: usize) {
    let pool = organisation.all(|person| {
        can_be_member(person)
            && person.kind == Kind::Staff
            && person.has(Trait::AwsUser)
            && !person.has(Trait::Renamed)
    });
    if pool.is_empty() {
        return;
    }
    let mut left = i64::try_from(wanted).unwrap_or(0);
    for nth in 0..teams.len() {
        let mut dice = organisation.dice("team", nth);
        let (least, most) = team_size(&teams[nth].name);
        // Small where there is little room.
        let fair = left / i64::try_from(teams.len() - nth).unwrap_or(1);
        let most = if fair * 2 > least + most { most } else { least.midpoint(most) };
        let size = usize::try_from(dice.between(least, most)).unwrap_or(4).min(pool.len());
        // The groups of a system come one after the other, its team first.
        let team: Vec<u32> = teams[nth - nth % 3].members.iter().copied().collect();
        let mut tries = size * 40;
        while teams[nth].members.len() < size && tries > 0 {
            tries -= 1;
            let of_team = !nth.is_multiple_of(3) && dice.percent(60) && !team.is_empty();
            let one = *dice.pick(if of_team { &team } else { &pool });
            if organisation.person(one).was_here_after(teams[nth].created.day()) {
                teams[nth].members.insert(one);
            }
        }
        left -= i64::try_from(teams[nth].members.len()).unwrap_or(0);
    }
}

/// Name, description, active, authenticators with their setting, groups.
type MfaPolicy<'p> = (&'p str, Option<&'p str>, bool, &'p [(&'p str, &'p str)], Vec<String>);

/// The group of who came from the old directory; where there is none, the largest department of the office.
fn imported(organisation: &Organisation, groups: &Groups) -> Vec<String> {
    let office = organisation.office_group();
    let office = groups.departments.iter().position(|at| Some(*at) == office);
    let group = groups.find(DIRECTORY_IMPORT).or_else(|| groups.all.get(office?));
    group.map(|group| group.id.clone()).into_iter().collect()
}

/// Writes the policies; the result is which groups may not enrol a telephone, and since when.
fn policies(
    organisation: &Organisation,
    groups: &Groups,
    out: &mut Output<'_>,
) -> Result<Vec<(usize, Moment)>, GenerateError> {
    let mut forbidden = Vec::new();
    let today = organisation.today;
    let ids = |name: &str| groups.find(name).map(|group| group.id.clone()).into_iter().collect::<Vec<_>>();
    let everyone = ids("Everyone");
    let authenticators = |list: &[(&str, &str)]| -> Value {
        list.iter().map(|(key, enroll)| json!({"key": key, "enroll": enroll})).collect()
    };
    let strict: &[(&str, &str)] = &[
        ("okta_verify", "REQUIRED"),
        ("webauthn", "REQUIRED"),
        ("phone_number", "NOT_ALLOWED"),
        ("security_question", "NOT_ALLOWED"),
    ];
    let usual: &[(&str, &str)] = &[
        ("okta_verify", "REQUIRED"),
        ("webauthn", "OPTIONAL"),
        ("phone_number", "OPTIONAL"),
        ("okta_email", "NOT_ALLOWED"),
    ];
    let open: &[(&str, &str)] = &[
        ("okta_verify", "OPTIONAL"),
        ("phone_number", "OPTIONAL"),
        ("security_question", "OPTIONAL"),
        ("okta_email", "OPTIONAL"),
    ];
    let contractors: &[(&str, &str)] =
        &[("okta_verify", "REQUIRED"), ("phone_number", "NOT_ALLOWED"), ("security_question", "OPTIONAL")];
    let engineers: &[(&str, &str)] = &[
        ("okta_verify", "REQUIRED"),
        ("webauthn", "OPTIONAL"),
        ("google_otp", "OPTIONAL"),
        ("phone_number", "NOT_ALLOWED"),
    ];
    let large = organisation.count([0, 0, 3]) > 0;
    let medium = organisation.count([0, 2, 2]) > 0;
    let mut policies: Vec<MfaPolicy<'_>> = vec![(
        "Administrators",
        Some("Everybody with an administrator role"),
        true,
        strict,
        ids("Identity-Admins"),
    )];
    if medium {
        let engineering = groups.all.first().map(|group| group.id.clone()).into_iter().collect();
        policies.push(("Engineering", None, true, engineers, engineering));
    }
    policies.push(("Contractors", None, true, contractors, ids("Contractors")));
    if large {
        policies.push(("Executives", Some("Board and assistants"), true, strict, ids("Executive Office")));
        let on_call = groups.all.iter().filter(|group| group.name.contains("-oncall")).take(3);
        policies.push(("On-call", None, true, usual, on_call.map(|group| group.id.clone()).collect()));
        policies.push((
            "Passwordless pilot",
            Some("Pilot, not rolled out"),
            false,
            strict,
            ids("Information Security"),
        ));
    }
    if medium {
        policies.push((
            "Legacy VPN",
            Some("Until the old concentrator is gone"),
            false,
            open,
            everyone.clone(),
        ));
    }
    policies.push(("Default Policy", None, true, if medium { usual } else { open }, everyone.clone()));
    let last = policies.len() - 1;
    for (nth, (name, description, active, list, included)) in policies.into_iter().enumerate() {
        let mut dice = organisation.dice("mfa policy", nth);
        let created = today - Day::try_from(dice.between(400, 1500)).unwrap_or(500);
        let created = office_day(created, created - 6, today, &mut dice);
        if !active || list.iter().all(|(_, enroll)| *enroll == "OPTIONAL") {
            out.plant("mfa-policy-without-effect", name);
        }
        let made = Moment::at_work(created, &mut dice);
        let updated = created + Day::try_from(dice.between(90, 390)).unwrap_or(200);
        let updated = Moment::at_work(office_day(updated, created, today, &mut dice), &mut dice);
        let updated =
            groups.youngest(&included).map_or(updated, |group| updated.max(group.plus_seconds(90_000)));
        if active && list.contains(&("phone_number", "NOT_ALLOWED")) {
            let places = (0..groups.all.len()).filter(|at| included.contains(&groups.all[*at].id));
            forbidden.extend(places.map(|at| (at, updated)));
        }
        out.row(
            Table::OktaMfaPolicy,
            row![
                format!("00p{}", dice.base62(17)),
                name,
                description,
                if active { "ACTIVE" } else { "INACTIVE" },
                nth + 1,
                nth == last,
                authenticators(list),
                json!(included),
                (nth < last).then(|| made.okta()),
                updated.okta(),
            ],
        )?;
    }
    // Name, active, length, age, history, attempts, minutes, symbol, groups.
    let mut passwords = vec![("Administrators", true, 16, 90, 24, 5, 60, 1, ids("Identity-Admins"))];
    if large {
        passwords.push(("Finance", true, 12, 90, 5, 5, 0, 1, ids("Finance and Accounting")));
        passwords.push(("Developers", true, 14, 0, 8, 10, 0, 0, ids(AWS_DEVELOPERS)));
    }
    if medium {
        passwords.push(("Contractors (old)", false, 8, 60, 0, 10, 0, 0, ids("Contractors")));
    }
    passwords.push(("Directory Import", true, 10, 180, 0, 0, 0, 1, imported(organisation, groups)));
    passwords.push(("Default Policy", true, 8, 0, 4, 10, 0, 0, everyone));
    let last = passwords.len() - 1;
    for (nth, (name, active, length, age, history, attempts, minutes, symbol, included)) in
        passwords.into_iter().enumerate()
    {
        let mut dice = organisation.dice("password policy", nth);
        let changed = today - Day::try_from(dice.between(60, 900)).unwrap_or(60);
        let changed = office_day(changed, changed - 6, today, &mut dice);
        let complexity = json!({"minLowerCase": 1, "minUpperCase": 1, "minNumber": 1, "minSymbol": symbol,
            "excludeUsername": true, "dictionary": {"common": {"exclude": length > 8}}});
        out.row(
            Table::OktaPasswordPolicy,
            row![
                format!("00p{}", dice.base62(17)),
                name,
                if active { "ACTIVE" } else { "INACTIVE" },
                nth + 1,
                nth == last,
                i64::from(length),
                i64::from(age),
                i64::from(history),
                i64::from(attempts),
                i64::from(minutes),
                complexity,
                json!(included),
                Moment::at_work(changed, &mut dice).okta(),
            ],
        )?;
    }
    Ok(forbidden)
}
