//! The accounts of the AWS organization.

use crate::synth::GenerateError;
use crate::synth::archetype::copy;
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::{Organisation, Person, Trait};
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;
use crate::synth::workdays::office_day;
use serde_json::json;

/// How many days ago accounts that are suspended were closed: AWS drops them from the list after ninety.
const CLOSED_AGO: (Day, Day) = (71, 88);

/// An account.
#[derive(Debug)]
pub(super) struct Account {
    pub(super) id: String,
    pub(super) name: String,
    /// prod, staging, dev, security or sandbox.
    pub(super) env: &'static str,
    pub(super) status: &'static str,
    pub(super) joined: Moment,
    /// The system that it was made for, if it was for one.
    pub(super) system: Option<&'static str>,
    /// How many days ago it was closed.
    closed_ago: Day,
}

impl Account {
    pub(super) fn is_active(&self) -> bool {
        self.status == "ACTIVE"
    }

    /// The last day on which anything can have happened in it.
    pub(super) fn last_day(&self, today: Day) -> Day {
        (today - self.closed_ago).max(self.joined.day() + 1).min(today)
    }

    /// Whether it holds up the others: the organization itself, security, the archive of logs.
    pub(super) fn is_foundation(&self) -> bool {
        ["management", "security", "log-archive"].contains(&self.name.as_str())
    }
}

/// The accounts in the order in which they joined, and the region that the organisation works in.
pub(super) fn accounts(organisation: &Organisation) -> Vec<Account> {
    let count = organisation.count([4, 9, 24]);
    let suspended = organisation.count([1, 2, 3]).min(count.saturating_sub(2));
    let closing = organisation.count([0, 1, 1]).min(count.saturating_sub(3 + suspended));
    let systems = organisation.archetype.systems;
    let age = i64::from(organisation.today - organisation.founded);
    (0..count)
        .map(|nth| {
            let mut dice = organisation.dice("aws account", nth);
            let from_end = count - 1 - nth;
            let (name, env) = match nth {
                0 => ("management".to_owned(), "prod"),
                1 => (format!("prod-{}", systems[1]), "prod"),
                _ if from_end < suspended => {
                    (format!("legacy-{}", systems[(nth * 3) % systems.len()]), "dev")
                }
                2 if count <= 4 => ("dev".to_owned(), "dev"),
                2 => ("security".to_owned(), "security"),
                3 => ("log-archive".to_owned(), "security"),
                4 => ("dev".to_owned(), "dev"),
                5 => ("staging".to_owned(), "staging"),
                6 => ("sandbox".to_owned(), "sandbox"),
                _ if from_end < suspended + closing => {
                    (format!("poc-{}", systems[nth % systems.len()]), "sandbox")
                }
                _ => {
                    let env = ["prod", "staging", "dev"][nth % 3];
                    let round = nth / (systems.len() * 3);
                    let at = (nth / 3 + nth) % systems.len();
                    let more = if round == 0 { String::new() } else { format!("-{}", copy(round - 1, at)) };
                    (format!("{env}-{}{more}", systems[at]), env)
                }
            };
            let status = if from_end < suspended {
                "SUSPENDED"
            } else if from_end < suspended + closing {
                "PENDING_CLOSURE"
            } else {
                "ACTIVE"
            };
            let ago =
                age - 150 - (age - 500) * i64::try_from(nth).unwrap_or(0) / i64::try_from(count).unwrap_or(1);
            // What is closed by now is old.
            let ago =
                if status == "SUSPENDED" { age - 200 - dice.between(0, (age - 700).max(0) / 2) } else { ago };
            let day = organisation.today - Day::try_from(ago).unwrap_or(500);
            let id = dice.digits(12);
            let day = office_day(day, organisation.founded + 140, organisation.today - 150, &mut dice);
            let (least, most) = CLOSED_AGO;
            let closed_ago = if status == "SUSPENDED" {
                // A few days apart from each other.
                let apart = Day::try_from(from_end * 6 + dice.below(6)).unwrap_or(0);
                least + apart % (most - least + 1)
            } else {
                0
            };
            let system = name.split_once('-').map(|(_, rest)| rest).and_then(|rest| {
                systems.iter().copied().find(|it| {
                    rest.strip_prefix(*it).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
                })
            });
            Account { id, name, env, status, joined: Moment::at_work(day, &mut dice), system, closed_ago }
        })
        .collect()
}

pub(super) fn write(
    organisation: &Organisation,
    out: &mut Output<'_>,
) -> Result<Vec<Account>, GenerateError> {
    let accounts = accounts(organisation);
    let mut dice = organisation.dice("aws organization", 0);
    let org = format!("o-{}", dice.base36(10));
    let root = format!("r-{}", dice.base36(4));
    let units: Vec<(&str, String)> = ["prod", "staging", "dev", "security", "sandbox"]
        .into_iter()
        .map(|env| (env, format!("ou-{}-{}", &root[2..], dice.base36(8))))
        .collect();
    let management = accounts[0].id.clone();
    let owners = organisation
        .some("account owners", 40, |person: &Person| person.has(Trait::AwsAdmin) && !person.is_leaver());
    for (nth, account) in accounts.iter().enumerate() {
        let mut dice = organisation.dice("aws account row", nth);
        let unit = units.iter().find(|(env, _)| *env == account.env).map(|(_, id)| id.clone());
        let owner = owners
            .get(dice.below(owners.len().max(1)))
            .map(|index| organisation.address(organisation.person(*index)));
        // Two say nothing of an owner, one of them in an empty tag.
        let tags = match nth {
            2 if account.is_active() => json!({"env": account.env, "owner": ""}),
            4 if accounts.len() > 4 => json!({"env": account.env}),
            1 if accounts.len() <= 4 => json!({"env": account.env}),
            7 | 11 => json!({"env": account.env, "cost-center": dice.digits(4)}),
            _ if nth % 9 == 8 => serde_json::Value::Null,
            _ => json!({"env": account.env, "owner": owner, "cost-center": dice.digits(4)}),
        };
        let has_owner =
            tags.get("owner").and_then(serde_json::Value::as_str).is_some_and(|it| !it.is_empty());
        if account.is_active() && !has_owner {
            out.plant("aws-account-without-owner", account.id.as_str());
        }
        if account.status == "SUSPENDED" {
            out.plant("aws-account-suspended", account.id.as_str());
        }
        let email = if nth == 0 {
            format!("aws@{}", organisation.domains[0])
        } else {
            format!("aws+{}@{}", account.name, organisation.domains[0])
        };
        out.row(
            Table::AwsOrganizationsAccount,
            row![
                &account.id,
                &account.name,
                format!("arn:aws:organizations::{management}:account/{org}/{}", account.id),
                email,
                account.status,
                if nth == 0 || dice.percent(15) { "INVITED" } else { "CREATED" },
                account.joined.seconds(),
                if nth == 0 { Some(root.clone()) } else { unit },
                tags,
            ],
        )?;
    }
    Ok(accounts)
}
