//! AWS IAM: users of people and of machines, their keys, groups and memberships.

use super::aws_account_settings;
use super::aws_iam_groups::groups;
use super::aws_iam_keys::{Key, give_keys};
use super::aws_iam_policies;
use super::aws_iam_roles;
use super::aws_organization::Account;
use super::policy_document::{allow, document};
use super::serials::aws_id;
use crate::synth::GenerateError;
use crate::synth::dice::Dice;
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::{Organisation, Trait};
use crate::synth::output::{Output, row};
use crate::synth::scale::share;
use crate::synth::schema::Table;
use crate::synth::workdays::office_day;
use serde_json::{Value, json};
use std::collections::HashSet;

/// A user.
#[derive(Debug)]
pub(super) struct User {
    pub(super) account: usize,
    pub(super) name: String,
    /// Whose it is.
    pub(super) person: Option<u32>,
    pub(super) service: bool,
    path: &'static str,
    pub(super) created: Day,
    password: bool,
    pub(super) mfa: bool,
    tags: Value,
    pub(super) keys: Vec<Key>,
    inline: Vec<(&'static str, Value)>,
}

/// A role that tasks run as, which other products know as a user.
pub(super) struct TaskRole {
    pub(super) arn: String,
    /// What its account is for.
    pub(super) env: &'static str,
}

/// Inline policies that allow everything, in either form.
pub(super) fn everything(nth: usize) -> (&'static str, Value) {
    if nth.is_multiple_of(2) {
        ("temporary-admin", document(&[allow(json!("*"), json!("*"))]))
    } else {
        let statement =
            json!({"Effect": "Allow", "NotAction": ["iam:*", "organizations:*"], "Resource": "*"});
        ("all-but-iam", document(&[statement]))
    }
}

/// Policies that look as if they allowed much, and do not.
pub(super) fn harmless(dice: &mut Dice, stem: &str) -> (&'static str, Value) {
    let bucket =
        json!(format!("arn:aws:s3:::{stem}-{}", dice.pick(&["exports", "artifacts", "logs", "uploads"])));
    match dice.below(3) {
        0 => ("s3-read", document(&[allow(json!(["s3:GetObject", "s3:ListBucket"]), bucket)])),
        1 => (
            "assume-deploy",
            document(&[allow(json!("sts:AssumeRole"), json!("arn:aws:iam::*:role/ci-deploy"))]),
        ),
        _ => {
            let mut statement = allow(json!("*"), json!("*"));
            statement["Condition"] = json!({"Bool": {"aws:MultiFactorAuthPresent": "true"}});
            ("admin-with-mfa", document(&[statement]))
        }
    }
}

/// A policy for who pays.
pub(super) fn costs() -> (&'static str, Value) {
    ("cost-explorer", document(&[allow(json!(["ce:Get*", "ce:List*"]), json!("*"))]))
}

/// Writes them; gives the roles for tasks, which other products' users may be.
pub(super) fn write(
    organisation: &Organisation,
    accounts: &[Account],
    out: &mut Output<'_>,
) -> Result<Vec<TaskRole>, GenerateError> {
    let mut users = people(organisation, accounts);
    services(organisation, accounts, &mut users);
    protect(organisation, &mut users);
    give_keys(organisation, accounts, &mut users);
    let groups = groups(organisation, accounts, &users);
    let roles = aws_iam_roles::roles(organisation, accounts);
    let attachments = aws_iam_policies::attach(organisation, accounts, &users, &groups, &roles);
    // One password is a year old to the day; the first person of an account with a boundary is held by it.
    let today = organisation.today;
    let edge = users.iter().position(|user| {
        let account = &accounts[user.account];
        user.password
            && account.is_active()
            && user.created < today - 400
            && user.person.is_none_or(|index| !organisation.person(index).is_leaver())
            && aws_account_settings::password_age(organisation, user.account, account).is_none()
    });
    let mut bounded = HashSet::new();
    for (nth, user) in users.iter().enumerate() {
        let bound = attachments.has_boundary(user.account)
            && user.person.is_some_and(|index| !organisation.person(index).has(Trait::AwsAdmin))
            && (bounded.insert(user.account) || organisation.dice("iam boundary", nth).percent(30));
        write_user(organisation, accounts, nth, user, (edge == Some(nth), bound), out)?;
    }
    for (nth, group) in groups.iter().enumerate() {
        let mut dice = organisation.dice("iam group row", nth);
        let account = &accounts[group.account];
        let made = Moment::at_work(group.made, &mut dice);
        out.row(
            Table::AwsIamGroup,
            row![
                &account.id,
                &group.name,
                format!("AGPA{}", aws_id(Some(&account.id), made, 17, &mut dice)),
                format!("arn:aws:iam::{}:group/{}", account.id, group.name),
                "/",
                made.seconds(),
                inline_json(&group.inline, dice.percent(50)),
            ],
        )?;
        for member in &group.members {
            out.row(Table::AwsIamGroupMembership, row![&account.id, &group.name, &users[*member].name])?;
        }
    }
    aws_iam_roles::write_roles(organisation, accounts, &roles, &attachments, out)?;
    aws_iam_policies::write_policies(organisation, accounts, &attachments, out)?;
    let mut tallies = vec![aws_account_settings::Counts::default(); accounts.len()];
    for user in &users {
        tallies[user.account].users += 1;
        tallies[user.account].devices += usize::from(user.mfa);
    }
    for group in &groups {
        tallies[group.account].groups += 1;
    }
    for role in &roles {
        tallies[role.account].roles += 1;
    }
    attachments.customer.iter().for_each(|policy| tallies[policy.account].policies += 1);
    for (nth, (account, counts)) in accounts.iter().zip(tallies).enumerate() {
        aws_account_settings::write_summary(organisation, nth, account, &counts, accounts.len(), out)?;
    }
    let tasks =
        roles.iter().filter(|role| role.name.ends_with("-task") && accounts[role.account].is_active());
    Ok(tasks
        .map(|role| {
            let account = &accounts[role.account];
            let arn = format!("arn:aws:iam::{}:role{}{}", account.id, role.path, role.name);
            TaskRole { arn, env: account.env }
        })
        .collect())
}

/// Policies as the list of them, or NULL or an empty list where there are none.
pub(super) fn inline_json(inline: &[(&'static str, Value)], empty: bool) -> Value {
    if inline.is_empty() {
        return if empty { json!([]) } else { Value::Null };
    }
    inline.iter().map(|(name, document)| json!({"PolicyDocument": document, "PolicyName": name})).collect()
}

/// Where people and machines have users: the accounts that still run, those that hold up the others apart.
struct Running {
    foundation: Vec<usize>,
    work: Vec<usize>,
}

impl Running {
    fn new(accounts: &[Account]) -> Self {
        let running = (0..accounts.len()).filter(|at| accounts[*at].is_active());
        let (foundation, work): (Vec<usize>, Vec<usize>) =
            running.partition(|at| accounts[*at].is_foundation());
        Self { work: if work.is_empty() { foundation.clone() } else { work }, foundation }
    }

    /// One that works for the business, an older one more likely; for one in so many, one that holds up the others.
    fn pick(&self, dice: &mut Dice, foundation: usize) -> usize {
        if dice.percent(foundation) && !self.foundation.is_empty() {
            return *dice.pick(&self.foundation);
        }
        self.work[dice.below(self.work.len()).min(dice.below(self.work.len()))]
    }
}

fn people(organisation: &Organisation, accounts: &[Account]) -> Vec<User> {
    let mut users = Vec::new();
    let mut taken = HashSet::new();
    let running = Running::new(accounts);
    for index in organisation.all(|person| person.has(Trait::IamUser)) {
        let person = organisation.person(index);
        let mut dice = organisation.dice("iam user", index as usize);
        let address = organisation.address_in(person, "iam", index);
        let needed = person.traits.any(&[Trait::BehindIam, Trait::OldKeyAdmin, Trait::ConsoleWithoutMfa]);
        let (given, family) = person.name.letters();
        let short = format!("{}{family}", &given[..1]);
        let kinds = [(56, 0), (12, 1), (14, 2), (8, 3), (if needed { 0 } else { 10 }, 4)];
        let (name, tags) = match dice.weighted(&kinds) {
            0 => (
                person.local.to_string(),
                json!({"email": address, "team": organisation.department(person).name}),
            ),
            1 => (short, json!({"owner": address})),
            2 => (person.local.to_string(), if dice.percent(70) { Value::Null } else { json!({}) }),
            3 => (organisation.address(person), Value::Null),
            // Nobody can tell whose this is.
            _ => (short, Value::Null),
        };
        // Who left had it for some time; who works here may have had it only now.
        let last = person.end.filter(|_| person.is_leaver()).map_or(organisation.today - 1, |end| end - 25);
        let first = person.first_day() + 3;
        // Who looks after the accounts themselves, and few others.
        let guards = ["Security", "IT"].contains(&organisation.department(person).name);
        let mut account = running.pick(&mut dice, if guards { 40 } else { 1 });
        if accounts[account].joined.day() + 5 >= last {
            account = 0;
        }
        // An account has nobody before the day after it joined.
        let first = first.max(accounts[account].joined.day() + 1);
        let span = i64::from((last - first).max(0));
        // Most get it within a year of their first day, some when they come to need it.
        let span = if dice.percent(80) { span.min(400) } else { span };
        let after = if needed { span.min(5) } else { dice.between(0, span) };
        let created = first + Day::try_from(after).unwrap_or(0);
        let created = office_day(created, first, last.max(first), &mut dice);
        let mut twice = vec![account];
        if dice.percent(9) && !person.is_leaver() {
            let other = running.pick(&mut dice, 1);
            if other != account && accounts[other].joined.day() < created {
                twice.push(other);
            }
        }
        for account in twice {
            let mut name = name.clone();
            while !taken.insert((account, name.to_lowercase())) {
                name.push(char::from(b'2' + u8::try_from(dice.below(8)).unwrap_or(0)));
            }
            users.push(User {
                account,
                name,
                person: Some(index),
                service: false,
                path: if person.firm.is_some() { "/contractors/" } else { "/" },
                created,
                password: dice.percent(74) || person.has(Trait::ConsoleWithoutMfa),
                mfa: true,
                tags: tags.clone(),
                keys: Vec::new(),
                inline: Vec::new(),
            });
        }
    }
    users
}

const WORK: &[&str] = &[
    "backup",
    "deploy",
    "etl",
    "terraform",
    "monitoring",
    "mailer",
    "exporter",
    "ci",
    "replication",
    "scanner",
    "archiver",
    "cdn-purge",
];

/// What machines do in the accounts that hold up the others.
const FOUNDATION_WORK: &[&str] =
    &["audit-export", "log-shipper", "siem", "cost-report", "backup", "terraform", "scanner", "inventory"];

fn services(organisation: &Organisation, accounts: &[Account], users: &mut Vec<User>) {
    let wanted =
        (organisation.count([32, 130, 520]) * organisation.archetype.cloud / 100).saturating_sub(users.len());
    let systems = organisation.archetype.systems;
    let with_password = organisation.count([2, 4, 12]);
    let mut taken = HashSet::new();
    let owners = organisation.some("service owners", 60, |person| {
        person.has(Trait::AwsUser) && !person.is_leaver() && !person.has(Trait::Alias)
    });
    let gone: Vec<u32> =
        organisation.some("service owners who left", 6, |person| person.has(Trait::BehindIam));
    let closed: Vec<usize> = (0..accounts.len()).filter(|at| accounts[*at].status == "SUSPENDED").collect();
    let work_accounts: Vec<usize> = (0..accounts.len()).filter(|at| !accounts[*at].is_foundation()).collect();
    for nth in 0..wanted {
        let mut dice = organisation.dice("iam service", nth);
        // The closed accounts have some, too: that is what is wrong with them.
        let account = if nth < 2 && !closed.is_empty() {
            closed[nth % closed.len()]
        } else if dice.percent(6) && !closed.is_empty() {
            *dice.pick(&closed)
        } else if work_accounts.is_empty() || dice.percent(3) {
            dice.below(accounts.len())
        } else {
            *dice.pick(&work_accounts)
        };
        let at = &accounts[account];
        let work = if at.is_foundation() { *dice.pick(FOUNDATION_WORK) } else { WORK[nth % WORK.len()] };
        let system = at.system.unwrap_or(systems[nth % systems.len()]);
        let (mut name, system) = match dice.below(3) {
            _ if at.is_foundation() => (format!("svc-{work}"), None),
            0 => (format!("svc-{work}"), at.system),
            1 => (format!("svc-{system}-{work}"), Some(system)),
            _ => (format!("{system}-{work}"), Some(system)),
        };
        while !taken.insert((account, name.clone())) {
            name = format!("{name}-{}", dice.pick(&["a", "b", "prod", "dev", "new", "old"]));
        }
        let path = if name.starts_with("svc-") && dice.percent(40) { "/" } else { "/service/" };
        let owner = match nth {
            0..2 if !gone.is_empty() => Some(gone[nth % gone.len()]),
            _ if dice.percent(30) => owners.get(dice.below(owners.len().max(1))).copied(),
            _ => None,
        };
        let tags = match owner {
            Some(owner) => {
                json!({"owner": organisation.address(organisation.person(owner)), "env": accounts[account].env})
            }
            None if dice.percent(50) => {
                json!({"owner": format!("{}-team", system.unwrap_or("infrastructure"))})
            }
            None => Value::Null,
        };
        let joined = accounts[account].joined.day();
        let oldest = i64::from(organisation.today - joined - 40).max(1);
        users.push(User {
            account,
            name,
            person: None,
            service: true,
            path,
            created: {
                let today = organisation.today;
                let least = 2 + i64::from(today - accounts[account].last_day(today));
                let day = |ago: i64| today - Day::try_from(ago).unwrap_or(30);
                let created = day(dice.between(least.min(oldest), oldest));
                office_day(created, day(oldest), day(least.min(oldest)), &mut dice)
            },
            password: nth < with_password,
            mfa: false,
            tags,
            keys: Vec::new(),
            inline: Vec::new(),
        });
    }
}

/// Which passwords stand without a second factor, and who has policies of their own.
fn protect(organisation: &Organisation, users: &mut [User]) {
    let with_password: Vec<u32> =
        (0..).zip(users.iter()).filter(|(_, user)| user.password).map(|(at, _)| at).collect();
    let wanted = share(with_password.len(), 180).max(3);
    let mut without: HashSet<u32> = with_password
        .iter()
        .copied()
        .filter(|at| {
            let user = &users[*at as usize];
            user.service && at % 2 == 0
                || user.person.is_some_and(|index| organisation.person(index).has(Trait::ConsoleWithoutMfa))
        })
        .take(wanted)
        .collect();
    let rest: Vec<u32> = with_password.iter().copied().filter(|at| !without.contains(at)).collect();
    let more = wanted.saturating_sub(without.len());
    without.extend(super::super::dice::choose(organisation.seed, "without mfa", &rest, more));
    for (at, user) in (0_u32..).zip(users.iter_mut()) {
        let mut dice = organisation.dice("iam mfa", at as usize);
        user.mfa = if user.password { !without.contains(&at) } else { !user.service && dice.percent(35) };
    }
    let all: Vec<u32> = (0..u32::try_from(users.len()).unwrap_or(0)).collect();
    let inline =
        super::super::dice::choose(organisation.seed, "inline users", &all, organisation.count([4, 9, 32]));
    for (nth, at) in inline.into_iter().enumerate() {
        let mut dice = organisation.dice("inline user", nth);
        let policy =
            if nth < 2 || nth % 6 == 5 { everything(nth) } else { harmless(&mut dice, organisation.stem) };
        users[at as usize].inline.push(policy);
    }
}

fn write_user(
    organisation: &Organisation,
    accounts: &[Account],
    nth: usize,
    user: &User,
    (edge, bound): (bool, bool),
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let mut dice = organisation.dice("iam user row", nth);
    let account = &accounts[user.account];
    let today = organisation.today;
    let created = Moment::at_work(user.created, &mut dice);
    let age = i64::from(today - user.created).max(0);
    let end = user.person.and_then(|index| {
        let person = organisation.person(index);
        person.end.filter(|_| person.is_leaver())
    });
    let last_day = end.unwrap_or(today).min(account.last_day(today));
    let runs_out = aws_account_settings::password_age(organisation, user.account, account);
    let first = user.created.min(last_day);
    let back = |from: Day, ago: i64, dice: &mut Dice| {
        let day = (from - Day::try_from(ago.min(age)).unwrap_or(0)).max(first);
        office_day(day, first, from, dice)
    };
    let comes = edge || !(dice.percent(12) || nth.is_multiple_of(9));
    let ago = if edge { dice.fading(80, 2) } else { dice.fading(900, 4) };
    let used_on = back(last_day, ago, &mut dice);
    let changed = user.password.then(|| {
        // Whoever comes has a password that holds; a few got a new one since.
        let from = if comes && !dice.percent(8) { used_on } else { last_day };
        let day = match runs_out {
            // A year exactly is not more than a year.
            _ if edge => today - 365,
            // Who never came mostly has the first one still.
            _ if !comes && dice.percent(82) => user.created,
            Some(days) => {
                let ago = dice.between(0, days - 2);
                back(from, ago, &mut dice).max(from - Day::try_from(days - 2).unwrap_or(0))
            }
            None => {
                let ago = dice.fading(1010, 2);
                back(from, ago, &mut dice)
            }
        };
        (Moment::at_work(day, &mut dice).max(created.plus_seconds(dice.between(90, 4000))), from == used_on)
    });
    let last_used = changed.filter(|_| comes).map(|(changed, before)| {
        let soon = dice.between(60, 5000);
        let after = if before { changed } else { created };
        Moment::at_work(used_on, &mut dice).max(created.plus_seconds(soon)).max(after.plus_seconds(soon))
    });
    let changed = changed.map(|(changed, _)| changed);
    let devices = user.mfa.then(|| {
        let kind = if dice.percent(20) { "u2f/user" } else { "mfa" };
        let serial = format!("arn:aws:iam::{}:{kind}/{}", account.id, user.name);
        json!([{"EnableDate": created.plus_seconds(dice.between(900, 80_000)).seconds(), "SerialNumber": serial}])
    });
    let name = &user.name;
    let arn = format!("arn:aws:iam::{}:user{}{name}", account.id, user.path);
    if let Some(index) = user.person {
        out.identity(index, Table::AwsIamUser, &arn)?;
        if end.is_some() && user.keys.iter().any(|key| key.active) {
            out.plant("leaver-with-active-key", arn.as_str());
        }
    }
    if user.password && !user.mfa {
        out.plant("console-password-without-mfa", arn.as_str());
    }
    let boundary = bound.then(|| aws_iam_policies::boundary_arn(&account.id));
    out.row(
        Table::AwsIamUser,
        row![
            &account.id,
            name,
            format!("AIDA{}", aws_id(Some(&account.id), created, 17, &mut dice)),
            arn,
            user.path,
            created.seconds(),
            user.password,
            last_used.map(Moment::seconds),
            changed.map(Moment::seconds),
            user.mfa,
            devices.unwrap_or_else(|| if dice.percent(60) { json!([]) } else { Value::Null }),
            inline_json(&user.inline, dice.percent(70)),
            boundary,
            user.tags.clone(),
        ],
    )?;
    for key in &user.keys {
        let region = *dice.weighted(&[(50, "us-east-1"), (30, "eu-west-1"), (20, "eu-central-1")]);
        let service = *dice.weighted(&[
            (40, "s3"),
            (20, "ec2"),
            (15, "sts"),
            (10, "dynamodb"),
            (8, "cloudwatch"),
            (7, "iam"),
        ]);
        // IAM answers from one place.
        let region = if service == "iam" { "us-east-1" } else { region };
        out.row(
            Table::AwsIamAccessKey,
            row![
                &account.id,
                format!("AKIA{}", aws_id(Some(&account.id), key.created, 16, &mut dice)),
                name,
                if key.active { "Active" } else { "Inactive" },
                key.created.seconds(),
                key.used.map(Moment::seconds),
                key.used.map(|_| service),
                key.used.map(|_| region),
            ],
        )?;
    }
    Ok(())
}
