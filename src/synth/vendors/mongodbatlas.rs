//! `MongoDB` Atlas: console users and database users.

use super::aws_iam::TaskRole;
use super::hibob::hr_address;
use super::serials::object_id;
use crate::synth::GenerateError;
use crate::synth::dice::Dice;
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::{Organisation, Person, Trait};
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;
use crate::synth::workdays::office_day;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Roles of who owns nothing, by weight.
const ROLES: &[(usize, &[&str])] =
    &[(75, &["ORG_MEMBER"]), (15, &["ORG_READ_ONLY"]), (10, &["ORG_MEMBER", "ORG_GROUP_CREATOR"])];

pub(super) fn write(
    organisation: &Organisation,
    task_roles: &[TaskRole],
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let begun = organisation.founded;
    let org = made_in(organisation, "atlas org", 0, (begun, begun + 1));
    let projects: Vec<String> = (0..organisation.count([3, 8, 24]))
        .map(|nth| made_in(organisation, "atlas project", nth, (begun + 20, organisation.today - 60)))
        .collect();
    for index in organisation.all(|person| person.has(Trait::Atlas)) {
        user(organisation, &org, &projects, index, out)?;
    }
    private_users(organisation, &org, &projects, out)?;
    database_users(organisation, &projects, task_roles, out)
}

/// The id of something that was made on one of these days.
fn made_in(organisation: &Organisation, purpose: &str, nth: usize, (first, last): (Day, Day)) -> String {
    let mut dice = organisation.dice(purpose, nth);
    let day = first + Day::try_from(dice.between(0, i64::from(last - first))).unwrap_or(0);
    object_id(Moment::at_work(office_day(day, first, last, &mut dice), &mut dice), &mut dice)
}

fn assignments(projects: &[String], dice: &mut Dice) -> Value {
    let mut roles: Vec<Value> = Vec::new();
    for nth in 0..dice.below(3) {
        let project = &projects[(dice.below(projects.len()) + nth) % projects.len()];
        let role = *dice.weighted(&[
            (40, "GROUP_READ_ONLY"),
            (30, "GROUP_DATA_ACCESS_READ_WRITE"),
            (20, "GROUP_CLUSTER_MANAGER"),
            (10, "GROUP_OWNER"),
        ]);
        if roles.iter().all(|known| known["groupId"] != project.as_str()) {
            roles.push(json!({"groupId": project, "groupRoles": [role]}));
        }
    }
    json!(roles)
}

fn user(
    organisation: &Organisation,
    org: &str,
    projects: &[String],
    index: u32,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let person = organisation.person(index);
    let mut dice = organisation.dice("atlas user", index as usize);
    // Nobody is asked again after thirty days.
    let here = person.end.is_none_or(|end| end > organisation.today - 20);
    let pending = dice.percent(8) && !person.has(Trait::AtlasOwner) && here;
    let last_day = person.end.filter(|_| person.is_leaver()).unwrap_or(organisation.today);
    let first = person.first_day() + 2;
    let created =
        first + Day::try_from(dice.between(0, i64::from((last_day - 12 - first).clamp(0, 600)))).unwrap_or(0);
    let asked = organisation.today - Day::try_from(dice.fading(28, 1)).unwrap_or(1);
    let created = if pending { asked.max(first) } else { created };
    let created = office_day(created.min(last_day - 2), first, last_day - 2, &mut dice);
    let username = organisation.address_in(person, "atlas", index);
    let seen = (!pending && !dice.percent(8)).then(|| {
        let day = (last_day - Day::try_from(dice.fading(600, 4)).unwrap_or(0)).max(created + 1);
        let latest = last_day.min(organisation.today).max(created + 1);
        Moment::at_work(office_day(day.min(latest), created + 1, latest, &mut dice), &mut dice)
    });
    let usual = *dice.weighted(ROLES);
    let roles = if person.has(Trait::AtlasOwner) { &["ORG_OWNER"] } else { usual };
    out.identity(index, Table::MongodbatlasOrgUser, &username)?;
    if person.is_leaver() {
        out.plant("leaver-in-atlas", hr_address(organisation, person, index));
    }
    let days = (organisation.founded + 60, organisation.founded + 400);
    let teams: Vec<String> =
        (0..dice.below(3)).map(|nth| made_in(organisation, "atlas team", nth, days)).collect();
    let created = Moment::at_work(created, &mut dice);
    out.row(
        Table::MongodbatlasOrgUser,
        row![
            object_id(created, &mut dice),
            org,
            username,
            (!pending).then(|| person.name.given()),
            (!pending).then(|| person.name.family()),
            if pending { "PENDING" } else { "ACTIVE" },
            json!(roles),
            assignments(projects, &mut dice),
            json!(teams),
            seen.map(Moment::seconds),
            (!pending).then(|| created.seconds()),
        ],
    )
}

/// Consultants who came with an address of their own; some of them own the organization.
fn private_users(
    organisation: &Organisation,
    org: &str,
    projects: &[String],
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let owners = organisation.count([0, 2, 3]);
    for nth in 0..organisation.count([1, 2, 6]).max(owners) {
        let mut dice = organisation.dice("atlas private", nth);
        let outsider = &organisation.outsiders[(nth * 5 + 2) % organisation.outsiders.len()];
        let username = outsider.own.as_str();
        if nth < owners {
            out.plant("atlas-owner-without-okta", username);
        }
        let today = organisation.today;
        let created = today - Day::try_from(dice.between(200, 1500)).unwrap_or(200);
        let created = office_day(created, created - 6, today - 190, &mut dice);
        let created = Moment::at_work(created, &mut dice);
        let seen = today - Day::try_from(dice.fading(190, 2)).unwrap_or(0);
        let seen = office_day(seen, today - 188, today, &mut dice);
        out.row(
            Table::MongodbatlasOrgUser,
            row![
                object_id(created, &mut dice),
                org,
                username,
                outsider.name.given(),
                outsider.name.family(),
                "ACTIVE",
                if nth < owners { json!(["ORG_OWNER"]) } else { json!(["ORG_MEMBER"]) },
                assignments(projects, &mut dice),
                json!([]),
                Moment::at_work(seen, &mut dice).seconds(),
                created.seconds(),
            ],
        )?;
    }
    Ok(())
}

/// What a person needs a user for, what a program is called at AWS and elsewhere.
const ERRANDS: &[&str] = &["app", "debug", "report", "migrate", "backfill", "export", "cleanup", "analysis"];
const TASKS: &[&str] = &["task", "worker", "api", "lambda", "batch", "consumer", "indexer"];
const TEAMS: &[&str] = &["developers", "readers", "support", "oncall", "analysts", "data"];
const SERVICES: &[&str] = &[
    "svc", "api", "worker", "etl", "reader", "writer", "cron", "exporter", "backup", "cache", "search", "bi",
];

/// A name that is free in a project; when all are taken, the last one with a number.
fn free(
    taken: &mut BTreeSet<(String, String)>,
    project: &str,
    words: &[&str],
    dice: &mut Dice,
    name: impl Fn(&str) -> String,
) -> String {
    let first = dice.below(words.len());
    for more in 0..words.len() {
        let name = name(words[(first + more) % words.len()]);
        if taken.insert((project.to_owned(), name.clone())) {
            return name;
        }
    }
    let mut number = 2;
    loop {
        let name = name(&format!("{}-{number}", words[first]));
        if taken.insert((project.to_owned(), name.clone())) {
            return name;
        }
        number += 1;
    }
}

/// The role of a task that has no user in a project yet.
fn free_role<'r>(
    taken: &mut BTreeSet<(String, String)>,
    project: &str,
    roles: &'r [TaskRole],
    dice: &mut Dice,
) -> Option<&'r TaskRole> {
    let first = dice.below(roles.len().max(1));
    let all = (0..roles.len()).map(|at| &roles[(first + at) % roles.len()]);
    let mut free = all.filter(|role| taken.insert((project.to_owned(), role.arn.clone())));
    free.next()
}

fn database_users(
    organisation: &Organisation,
    projects: &[String],
    task_roles: &[TaskRole],
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let target = organisation.count([14, 52, 180]) * organisation.archetype.cloud / 100;
    // Of people who are gone: some still there, one long expired.
    let gone =
        organisation.some("database users who left", organisation.count([3, 5, 18]), |person: &Person| {
            person.is_leaver() && person.okta == Some(crate::synth::organisation::OktaStatus::Deprovisioned)
        });
    let people = organisation
        .all(|person| person.has(Trait::Atlas) && !person.is_leaver() && !person.has(Trait::Alias));
    let mut taken = BTreeSet::new();
    let provider = organisation.dice("atlas identity provider", 0).hex(24);
    for nth in 0..target {
        let mut dice = organisation.dice("database user", nth);
        // Each has one; old projects have more than young ones.
        let some = dice.below(projects.len()).min(dice.below(projects.len()));
        let project = &projects[if nth < projects.len() { nth } else { some }];
        let owner = gone
            .get(nth)
            .copied()
            .or_else(|| people.get(dice.below(people.len().max(1))).copied().filter(|_| dice.percent(45)));
        let address = owner.map(|index| organisation.address(organisation.person(index)));
        let system = organisation.archetype.systems[nth % organisation.archetype.systems.len()];
        // Whose it is: in the label, in the name, or nowhere. Nobody has two users of one name in a project.
        let own = address.as_ref().and_then(|address| match nth % 4 {
            1 => address.split('@').next().map(str::to_owned),
            3 => Some(address.clone()),
            _ => None,
        });
        let own = own.filter(|name| taken.insert((project.clone(), name.clone())));
        let task = if address.is_none() && nth % 4 == 0 {
            free_role(&mut taken, project, task_roles, &mut dice)
        } else {
            None
        };
        let certified = dice.percent(40);
        let federated = dice.percent(50);
        let (name, labels, kind) = match (&address, nth % 4, own) {
            (_, 1, Some(name)) => (name, if dice.percent(50) { json!([]) } else { Value::Null }, "password"),
            (_, _, Some(name)) => (name, Value::Null, "password"),
            (Some(address), _, None) => (
                free(&mut taken, project, ERRANDS, &mut dice, |errand| format!("{system}-{errand}")),
                json!([{"key": "owner", "value": address}]),
                "password",
            ),
            // The label says what the role's account is for.
            (None, 0, None) if task.is_some() => {
                let of =
                    |role: &TaskRole| (role.arn.clone(), json!([{"key": "env", "value": role.env}]), "aws");
                task.map(of).unwrap_or_default()
            }
            // Everybody of a group at the identity provider, whose id comes first.
            (None, 2, None) if federated => (
                free(&mut taken, project, TEAMS, &mut dice, |team| format!("{provider}/atlas-{team}")),
                Value::Null,
                "oidc",
            ),
            (None, 1, None) if certified => (
                free(&mut taken, project, TASKS, &mut dice, |task| {
                    format!("CN={system}-{task},OU=services,O={}", organisation.stem)
                }),
                Value::Null,
                "x509",
            ),
            (None, ..) => (
                free(&mut taken, project, SERVICES, &mut dice, |service| format!("{system}-{service}")),
                json!([{"key": "team", "value": system}]),
                "password",
            ),
        };
        // One in five rules over all clusters for ever.
        let all = nth % 5 == 2 || nth == 4;
        let expired = gone.len() > 2 && nth == gone.len() - 1;
        let end = if expired {
            Some(organisation.today - 40)
        } else if !all && dice.percent(14) {
            // Atlas takes a week at most.
            Some(organisation.today + Day::try_from(dice.between(1, 6)).unwrap_or(3))
        } else {
            None
        };
        let role = if all || dice.percent(3) {
            "atlasAdmin"
        } else {
            *dice.weighted(&[(60, "readWrite"), (25, "read"), (15, "readWriteAnyDatabase")])
        };
        let database = if role.ends_with("AnyDatabase") || role == "atlasAdmin" { "admin" } else { system };
        let mut grant = json!({"databaseName": database, "roleName": role});
        if role == "read" && dice.percent(30) {
            grant["collectionName"] = json!("events");
        }
        let scoped = !all && dice.percent(45);
        if role == "atlasAdmin" && !scoped && end.is_none() {
            out.plant("atlas-administrator-for-ever", name.as_str());
        }
        if let Some(index) = owner.filter(|index| organisation.person(*index).is_leaver() && !expired) {
            out.plant(
                "database-user-of-deactivated",
                format!("{name} {}", organisation.address(organisation.person(index))),
            );
        }
        out.row(
            Table::MongodbatlasDatabaseUser,
            row![
                project,
                name,
                if kind == "password" { "admin" } else { "$external" },
                json!([grant]),
                if scoped {
                    json!([{"name": format!("{system}-cluster"), "type": "CLUSTER"}])
                } else {
                    json!([])
                },
                labels,
                if kind == "aws" { "ROLE" } else { "NONE" },
                if kind == "x509" { "CUSTOMER" } else { "NONE" },
                if kind == "oidc" { "IDP_GROUP" } else { "NONE" },
                end.map(|day| Moment::at_work(day, &mut dice).seconds()),
            ],
        )?;
    }
    Ok(())
}
