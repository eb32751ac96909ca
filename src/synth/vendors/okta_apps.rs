//! Okta applications and who is assigned to them.

use super::okta::{login, okta_id};
use super::okta_groups::{APP_ATLAS, APP_GITHUB, Groups};
use super::seen::made_at;
use crate::synth::GenerateError;
use crate::synth::archetype::{App, COMMON_APPS, Reach, title_case};
use crate::synth::dice::Dice;
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::{Lifecycle, OktaStatus, Organisation, Person, Trait};
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;
use serde_json::json;
use std::collections::BTreeMap;

/// Common applications that come before those of the archetype.
const COMMON_FIRST: usize = 12;

/// An integration.
struct Integration {
    id: String,
    key: String,
    label: String,
    mode: &'static str,
    reach: Option<Reach>,
    active: bool,
    mfa: Option<bool>,
    provisions: bool,
    created: Moment,
    /// Places of the assigned groups in the list of groups.
    groups: Vec<usize>,
    /// Who is assigned, and whether by a group.
    assigned: BTreeMap<u32, bool>,
}

pub(super) fn write(
    organisation: &Organisation,
    groups: &Groups,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let mut apps = integrations(organisation);
    assign(organisation, groups, &mut apps);
    for (nth, app) in apps.iter().enumerate() {
        let mut dice = organisation.dice("okta app row", nth);
        let ids: Vec<&str> = app.groups.iter().map(|at| groups.all[*at].id.as_str()).collect();
        let features: &[&str] = if app.provisions {
            &["PUSH_NEW_USERS", "PUSH_PROFILE_UPDATES", "PUSH_USER_DEACTIVATION"]
        } else {
            &[]
        };
        let touched = organisation.today - Day::try_from(dice.between(5, 300)).unwrap_or(5);
        out.row(
            Table::OktaApplication,
            row![
                &app.id,
                &app.key,
                &app.label,
                if app.active { "ACTIVE" } else { "INACTIVE" },
                app.mode,
                app.mfa,
                json!(ids),
                json!(features),
                app.created.okta(),
                Moment::at_work(touched, &mut dice).max(app.created).okta(),
            ],
        )?;
        for (index, by_group) in &app.assigned {
            assignment(organisation, app, *index, *by_group, &mut dice, out)?;
        }
    }
    Ok(())
}

fn integrations(organisation: &Organisation) -> Vec<Integration> {
    let (first, rest) = COMMON_APPS.split_at(COMMON_FIRST);
    let known: Vec<App> = first.iter().chain(organisation.archetype.apps).chain(rest).copied().collect();
    let systems = organisation.archetype.systems;
    (0..organisation.count([18, 48, 115]))
        .map(|nth| {
            let mut dice = organisation.dice("okta app", nth);
            let (key, label, sign_on, reach) = known.get(nth).map_or_else(
                || {
                    let nth = nth - known.len();
                    let system = systems[nth % systems.len()];
                    let kind = ["Admin Console", "Dashboards", "Staging", "Backoffice", "Reports"]
                        [nth / systems.len() % 5];
                    let round = nth / (systems.len() * 5);
                    let more = if round == 0 { String::new() } else { format!(" {}", round + 1) };
                    let label = format!("{} {kind}{more}", title_case(system));
                    let key =
                        format!("{}_{}", organisation.stem, label.to_lowercase().replace([' ', '-'], "_"));
                    let usual = *dice.weighted(&[
                        (50, "OPENID_CONNECT"),
                        (30, "SAML_2_0"),
                        (10, "BROWSER_PLUGIN"),
                        (10, "BOOKMARK"),
                    ]);
                    (key, label, usual, Some(Reach::Builders))
                },
                |(key, label, how, reach)| ((*key).to_owned(), (*label).to_owned(), *how, *reach),
            );
            let vital = nth < 7;
            // A stored password behind no second factor is what old integrations look like.
            let stored =
                matches!(sign_on, "SECURE_PASSWORD_STORE" | "BASIC_AUTH" | "AUTO_LOGIN" | "BROWSER_PLUGIN");
            let mfa = match nth {
                1 => Some(true),
                // In blocks of ten: six require it, two do not, two never said.
                _ => *[
                    Some(true),
                    Some(false),
                    Some(true),
                    None,
                    Some(true),
                    Some(true),
                    Some(false),
                    Some(true),
                    None,
                    Some(true),
                ]
                .get(nth % 10)
                .unwrap_or(&None),
            };
            // What everybody uses was there first.
            let age = i64::from(organisation.today - organisation.founded);
            let ago = if vital { age - dice.between(20, 120) } else { dice.between(200, 2600) };
            let created = organisation.today - Day::try_from(ago).unwrap_or(300);
            Integration {
                id: format!("0oa{}", dice.base62(17)),
                provisions: sign_on == "SAML_2_0" && (vital || dice.percent(35)),
                active: vital || !(dice.percent(7) || key == "old_vpn"),
                key,
                label,
                mode: sign_on,
                reach,
                mfa: if stored && mfa == Some(true) && nth % 3 == 0 { Some(false) } else { mfa },
                created: Moment::at_work(created, &mut dice),
                groups: Vec::new(),
                assigned: BTreeMap::new(),
            }
        })
        .collect()
}

fn assign(organisation: &Organisation, groups: &Groups, apps: &mut [Integration]) {
    let place = |name: &str| groups.all.iter().position(|group| group.name == name);
    let everyone = place("Everyone");
    let by_group = |app: &mut Integration, at: usize| {
        app.groups.push(at);
        app.assigned.extend(groups.all[at].members.iter().map(|member| (*member, true)));
    };
    for app in apps.iter_mut() {
        let names: &[&str] = match app.key.as_str() {
            "github_enterprise_cloud" => &[APP_GITHUB],
            "mongodb_cloud" => &[APP_ATLAS],
            _ => &[],
        };
        for at in names.iter().filter_map(|name| place(name)) {
            by_group(app, at);
        }
        if app.key == "github_enterprise_cloud" {
            // Leavers' accounts stay tied to their handles.
            let gone = organisation
                .all(|person| person.has(Trait::Coder) && person.is_leaver() && person.okta.is_some());
            for index in gone {
                app.assigned.entry(index).or_insert(false);
            }
        }
        if app.reach.is_none() && names.is_empty() {
            app.groups.extend(everyone);
        }
    }
    let so_far: usize = apps.iter().map(|app| app.assigned.len()).sum();
    let left = organisation.count([110, 780, 2500]).saturating_sub(so_far);
    let open = apps.iter().filter(|app| app.groups.is_empty()).count().max(1);
    let fair = left / open;
    let pools = [Reach::Builders, Reach::Administrators, Reach::Analysts, Reach::Office].map(|reach| {
        let fits = |person: &Person| {
            person.okta.is_some_and(OktaStatus::is_live)
                && person.is_staff()
                && person.lifecycle != Lifecycle::Hired
                && organisation.reach(person) == reach
        };
        (reach, organisation.all(fits))
    });
    for (nth, app) in apps.iter_mut().enumerate().filter(|(_, app)| app.groups.is_empty()) {
        let mut dice = organisation.dice("okta app users", nth);
        // By a group where a department of the right kind is small enough.
        let fitting: Vec<usize> = (0..groups.departments.len())
            .filter(|at| (1..=fair * 2).contains(&groups.all[*at].members.len()))
            .filter(|at| Some(organisation.archetype.departments[groups.departments[*at]].reach) == app.reach)
            .collect();
        if !fitting.is_empty() && dice.percent(60) {
            by_group(app, *dice.pick(&fitting));
        }
        let pool =
            pools.iter().find(|(reach, _)| Some(*reach) == app.reach).map_or(&[][..], |(_, pool)| pool);
        let wanted = fair.min(pool.len() / 2);
        let mut tries = wanted * 4;
        while app.assigned.len() < wanted && tries > 0 {
            tries -= 1;
            app.assigned.entry(*dice.pick(pool)).or_insert(false);
        }
    }
    // Shut accounts whose direct assignments nobody took away.
    let active: Vec<usize> =
        (0..apps.len()).filter(|at| apps[*at].active && apps[*at].reach.is_some() && *at > 1).collect();
    for index in organisation.all(|person| person.has(Trait::BehindAppAssignment)) {
        let mut dice = organisation.dice("left assignment", index as usize);
        let end = organisation.person(index).end.unwrap_or(organisation.today);
        let older: Vec<usize> = active.iter().copied().filter(|at| apps[*at].created.day() < end).collect();
        let chosen = older.get(dice.below(older.len().max(1))).or(active.first());
        if let Some(at) = chosen {
            apps[*at].assigned.insert(index, false);
        }
    }
}

fn assignment(
    organisation: &Organisation,
    app: &Integration,
    index: u32,
    by_group: bool,
    dice: &mut Dice,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let person = organisation.person(index);
    let address = login(organisation, person);
    let user_name = match app.key.as_str() {
        "github_enterprise_cloud" => {
            organisation.handle(index).map_or_else(|| address.clone(), str::to_owned)
        }
        // One in a few systems still knows the old name.
        _ => organisation
            .alias(index)
            .filter(|_| dice.percent(40))
            .map_or_else(|| address.clone(), str::to_owned),
    };
    let kept = person.has(Trait::BehindAppAssignment) && app.key != "github_enterprise_cloud";
    let working = if app.provisions { "PROVISIONED" } else { "ACTIVE" };
    let status = match person.okta {
        Some(OktaStatus::Deprovisioned) if !kept => "DEPROVISIONED",
        Some(OktaStatus::Suspended) if index.is_multiple_of(3) => "SUSPENDED",
        Some(OktaStatus::Provisioned) => "STAGED",
        _ => working,
    };
    let made = made_at(organisation, person, index, "okta made").plus_seconds(dice.between(600, 90_000));
    let created = made.max(app.created.plus_seconds(dice.between(600, 90_000)));
    let last_day = person.end.filter(|_| person.is_leaver()).unwrap_or(organisation.today);
    let sync = app.provisions.then(|| {
        let day = (last_day - Day::try_from(dice.between(0, 5)).unwrap_or(0)).max(created.day());
        Moment::any(day, dice).max(created).min(Moment::on(organisation.today, 86_000))
    });
    out.row(
        Table::OktaAppAssignedUser,
        row![
            &app.id,
            okta_id(organisation, index),
            user_name,
            dice.percent(90).then_some(address),
            if by_group { "GROUP" } else { "USER" },
            status,
            created.okta(),
            sync.map(Moment::okta),
        ],
    )
}
