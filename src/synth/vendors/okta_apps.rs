//! Okta applications and who is assigned to them.

use super::aws_organization;
use super::github;
use super::identity_center;
use super::okta::{login, okta_id};
use super::okta_app_users::assign;
use super::okta_groups::Groups;
use super::seen::{made_at, shut_at};
use crate::synth::GenerateError;
use crate::synth::archetype::{App, COMMON_APPS, Reach, title_case};
use crate::synth::dice::Dice;
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::{OktaStatus, Organisation, Trait};
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;
use crate::synth::workdays::{office_day, working_day};
use serde_json::json;
use std::collections::BTreeMap;

/// Common applications that come before those of the archetype.
const COMMON_FIRST: usize = 12;

/// An integration.
pub(super) struct Integration {
    id: String,
    pub(super) key: String,
    label: String,
    mode: &'static str,
    pub(super) reach: Option<Reach>,
    /// The group of the team that built it.
    pub(super) team: Option<String>,
    pub(super) active: bool,
    mfa: Option<bool>,
    provisions: bool,
    pub(super) created: Moment,
    /// When it was last changed; nothing reaches an inactive one after that.
    pub(super) touched: Moment,
    /// Places of the assigned groups in the list of groups.
    pub(super) groups: Vec<usize>,
    /// Who is assigned, and whether by a group.
    pub(super) assigned: BTreeMap<u32, bool>,
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
                app.touched.okta(),
            ],
        )?;
        let opened: Vec<(usize, Moment)> = app
            .groups
            .iter()
            .map(|at| (*at, opened(organisation, app, groups.all[*at].created, &mut dice)))
            .collect();
        for (index, by_group) in &app.assigned {
            // The group that gives it: with the membership, or when the application was opened to the group.
            let of = |(at, _): &&(usize, Moment)| *by_group && groups.all[*at].members.contains(index);
            let through =
                |(at, opened): &(usize, Moment)| groups.all[*at].joined(organisation, *index).max(*opened);
            let given = opened.iter().filter(of).map(through).min();
            assignment(organisation, app, *index, given, &mut dice, out)?;
        }
    }
    Ok(())
}

/// When an application was opened to a group: some working day after there were both.
fn opened(organisation: &Organisation, app: &Integration, group: Moment, dice: &mut Dice) -> Moment {
    let both = group.max(app.created);
    let day = both.day() + Day::try_from(dice.fading(40, 2)).unwrap_or(0);
    let latest = if app.active { Moment::on(organisation.today, 60_000) } else { app.touched };
    let day = office_day(day, both.day(), latest.day(), dice);
    Moment::at_work(day, dice).min(latest).max(both.plus_seconds(300))
}

/// From when on the system behind an application was there.
fn began(organisation: &Organisation, key: &str) -> Day {
    match key {
        "github_enterprise_cloud" => working_day(github::opened(organisation, 0) + 4),
        "amazon_aws_sso" => identity_center::began(&aws_organization::accounts(organisation)),
        _ => organisation.founded,
    }
}

fn integrations(organisation: &Organisation) -> Vec<Integration> {
    let (first, rest) = COMMON_APPS.split_at(COMMON_FIRST);
    let known: Vec<App> = first.iter().chain(organisation.archetype.apps).chain(rest).copied().collect();
    let systems = organisation.archetype.systems;
    (0..organisation.count([18, 48, 115]))
        .map(|nth| {
            let mut dice = organisation.dice("okta app", nth);
            let mut team = None;
            let (key, label, sign_on, reach) = known.get(nth).map_or_else(
                || {
                    let nth = nth - known.len();
                    let system = systems[nth % systems.len()];
                    team = Some(format!("team-{system}"));
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
            let ago = if vital { age - dice.between(20, 120) } else { dice.between(25, 2600) };
            let created = organisation.today - Day::try_from(ago).unwrap_or(300);
            let first = began(organisation, &key);
            let created = office_day(created, first, organisation.today - 5, &mut dice).max(first);
            let created = Moment::at_work(created, &mut dice);
            // Most were changed of late, some hardly since they are there.
            let left = i64::from(organisation.today - 1 - created.day());
            let touched = organisation.today - 1 - Day::try_from(dice.fading(left, 2)).unwrap_or(5);
            let touched = office_day(touched, created.day(), organisation.today, &mut dice);
            Integration {
                id: format!("0oa{}", dice.base62(17)),
                provisions: sign_on == "SAML_2_0" && (vital || dice.percent(35)),
                // Nobody switches off what people have accounts in.
                active: vital || !(dice.percent(7) || key == "old_vpn") || key == "mongodb_cloud",
                key,
                label,
                mode: sign_on,
                reach,
                team,
                mfa: if stored && mfa == Some(true) && nth % 3 == 0 { Some(false) } else { mfa },
                created,
                touched: Moment::at_work(touched, &mut dice).max(created),
                groups: Vec::new(),
                assigned: BTreeMap::new(),
            }
        })
        .collect()
}

fn assignment(
    organisation: &Organisation,
    app: &Integration,
    index: u32,
    given: Option<Moment>,
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
        _ if !app.active && app.provisions => "DEPROVISIONED",
        _ if !app.active => "INACTIVE",
        _ => working,
    };
    let made = made_at(organisation, person, index, "okta made").plus_seconds(dice.between(600, 90_000));
    let last_day = person.end.filter(|_| person.is_leaver()).unwrap_or(organisation.today);
    let created = if let Some(given) = given {
        given.plus_seconds(dice.between(0, 60))
    } else {
        let first = made.max(app.created.plus_seconds(dice.between(600, 90_000)));
        asked_for(
            first,
            shut_at(organisation, person, index).map_or(last_day, |it| last_day.min(it.day() - 1)),
            dice,
        )
    };
    let created = if app.active { created } else { created.min(app.touched.max(made)) };
    let sync = app.provisions.then(|| {
        // The profile was pushed when something of it changed, or all of it not long ago.
        let ago = if dice.percent(45) { dice.fading(9, 1) } else { dice.fading(400, 2) };
        let day = (last_day - Day::try_from(ago).unwrap_or(0)).max(created.day());
        let latest = if app.active { Moment::on(organisation.today, 86_000) } else { app.touched };
        Moment::any(day, dice).min(latest).max(created)
    });
    out.row(
        Table::OktaAppAssignedUser,
        row![
            &app.id,
            okta_id(organisation, index),
            user_name,
            dice.percent(90).then_some(address),
            if given.is_some() { "GROUP" } else { "USER" },
            status,
            created.okta(),
            sync.map(Moment::okta),
        ],
    )
}

/// Some get an application with their first things, most when they come to need it.
fn asked_for(first: Moment, last_day: Day, dice: &mut Dice) -> Moment {
    let span = i64::from(last_day - first.day());
    if span < 2 || dice.percent(28) {
        return first;
    }
    let after = dice.between(1, span) * if dice.percent(50) { 100 } else { dice.between(20, 100) } / 100;
    let day = first.day() + Day::try_from(after).unwrap_or(0);
    Moment::at_work(office_day(day, first.day(), last_day, dice), dice).max(first)
}
