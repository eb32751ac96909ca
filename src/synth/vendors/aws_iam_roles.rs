//! AWS IAM roles and whom they trust.

use super::aws_iam::{everything, inline_json};
use super::aws_iam_policies::{Attachments, boundary_arn};
use super::aws_organization::Account;
use super::policy_document::{allow, document, trust_service};
use super::serials::aws_id;
use crate::synth::GenerateError;
use crate::synth::archetype::PARTNERS;
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::Organisation;
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;
use crate::synth::workdays::office_day;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const ADMIN: &str = "AdministratorAccess";

/// A role.
#[derive(Debug)]
pub(super) struct Role {
    pub(super) account: usize,
    pub(super) name: String,
    pub(super) path: String,
    description: Option<String>,
    trust: Value,
    pub(super) inline: Vec<(&'static str, Value)>,
    session: i64,
    /// What is planted on it.
    condition: Option<&'static str>,
    pub(super) compute: bool,
}

fn outside(organisation: &Organisation, nth: usize) -> String {
    organisation.dice("outside account", nth % PARTNERS.len()).digits(12)
}

/// Trust in the workflows of a repository.
fn deployment_trust(organisation: &Organisation, account: &str, system: &str) -> Value {
    let repository = format!("repo:{}-dev/{system}:*", organisation.stem);
    let provider = format!("arn:aws:iam::{account}:oidc-provider/token.actions.githubusercontent.example");
    document(&[json!({
        "Action": "sts:AssumeRoleWithWebIdentity",
        "Condition": {
            "StringEquals": {"token.actions.githubusercontent.example:aud": "sts.amazonaws.example"},
            "StringLike": {"token.actions.githubusercontent.example:sub": repository},
        },
        "Effect": "Allow",
        "Principal": {"Federated": provider},
    })])
}

/// What a service of this name works with.
fn runtime(organisation: &Organisation, name: &str) -> (&'static str, Value) {
    let systems = organisation.archetype.systems;
    let word = name.split('-').next().unwrap_or(name);
    let system = named_system(systems, name).unwrap_or(word);
    let stem = organisation.stem;
    if name.ends_with("function") {
        let table = json!(format!("arn:aws:dynamodb:*:*:table/{system}-*"));
        (
            "table-access",
            document(&[allow(json!(["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query"]), table)]),
        )
    } else if name.ends_with("task") {
        let secret = json!(format!("arn:aws:secretsmanager:*:*:secret:{system}/*"));
        ("secrets", document(&[allow(json!("secretsmanager:GetSecretValue"), secret)]))
    } else {
        let bucket = json!(format!("arn:aws:s3:::{stem}-{system}-artifacts/*"));
        ("artifacts", document(&[allow(json!("s3:GetObject"), bucket)]))
    }
}

/// The system with which a name begins, or with which that of a deployment ends.
fn named_system(systems: &[&'static str], name: &str) -> Option<&'static str> {
    let name = name.strip_prefix("ci-deploy-").unwrap_or(name);
    systems.iter().copied().find(|system| {
        name.strip_prefix(*system).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    })
}

/// What runs in the accounts that hold up the others.
fn foundation_work(account: &str) -> &'static [&'static str] {
    match account {
        "management" => &["account-vending-function", "budget-alerts-function", "cost-report-task"],
        "security" => &[
            "findings-export-function",
            "guardduty-triage-function",
            "config-rules-function",
            "vulnerability-scan-task",
            "forensics-instance",
        ],
        _ => &["trail-archive-function", "log-retention-function", "log-index-task", "log-query-instance"],
    }
}

/// What a service of a system is called, by the work that it does.
const PARTS: &[(usize, &str)] = &[
    (5, ""),
    (3, "-batch"),
    (4, "-api"),
    (4, "-worker"),
    (2, "-cron"),
    (2, "-migrate"),
    (2, "-consumer"),
    (1, "-export"),
    (1, "-webhook"),
];

pub(super) fn roles(organisation: &Organisation, accounts: &[Account]) -> Vec<Role> {
    let mut roles: Vec<Role> = Vec::new();
    let mut names: BTreeSet<(usize, String)> = BTreeSet::new();
    let target = organisation.count([30, 120, 460]);
    let mut add = |role: Role, roles: &mut Vec<Role>| {
        if names.insert((role.account, role.name.clone())) {
            roles.push(role);
        }
    };
    let plain = |account, name: String, trust| Role {
        account,
        name,
        path: "/".to_owned(),
        description: None,
        trust,
        inline: Vec::new(),
        session: 3600,
        condition: None,
        compute: false,
    };
    let management = &accounts[0].id;
    let systems = organisation.archetype.systems;
    // Every member account has the role that the organization made in it.
    for account in 1..accounts.len() {
        let trust = document(&[
            json!({"Action": "sts:AssumeRole", "Effect": "Allow", "Principal": {"AWS": format!("arn:aws:iam::{management}:root")}}),
        ]);
        let inline = vec![(ADMIN, document(&[allow(json!("*"), json!("*"))]))];
        add(Role { inline, ..plain(account, "OrganizationAccountAccessRole".to_owned(), trust) }, &mut roles);
    }
    // Outsiders: careless ones, open ones, careful ones.
    let careless = organisation.count([2, 3, 9]);
    let open = organisation.count([2, 2, 5]);
    let careful = organisation.count([2, 6, 18]);
    for nth in 0..careless + open + careful {
        let account = (nth * 2 + 1) % accounts.len();
        let firm = PARTNERS[nth % PARTNERS.len()].0.split(' ').next().unwrap_or("partner").to_lowercase();
        let id = outside(organisation, nth);
        let principal = match nth % 3 {
            0 => json!({"AWS": format!("arn:aws:iam::{id}:root")}),
            1 => json!({"AWS": id}),
            _ => {
                json!({"AWS": [format!("arn:aws:iam::{id}:role/collector"), format!("arn:aws:iam::{management}:root")]})
            }
        };
        let statement = json!({"Action": "sts:AssumeRole", "Effect": "Allow", "Principal": principal});
        let safe = |condition: Value| {
            let mut statement = statement.clone();
            statement["Condition"] = condition;
            statement
        };
        let external =
            json!({"StringEquals": {"sts:ExternalId": organisation.dice("external id", nth).hex(12)}});
        let (trust, condition, name) = if nth < careless {
            let mut statements = vec![statement.clone()];
            if nth == 1 {
                // One statement is careful, the other is not.
                statements.insert(0, safe(external));
            }
            (document(&statements), Some("role-trusts-outsider"), format!("{firm}-integration"))
        } else if nth < careless + open {
            let everyone = if nth % 2 == 0 { json!("*") } else { json!({"AWS": ["*"]}) };
            let statement = json!({"Action": "sts:AssumeRole", "Effect": "Allow", "Principal": everyone});
            let at = &accounts[account];
            let whose =
                if at.is_foundation() { &firm } else { at.system.unwrap_or(systems[nth % systems.len()]) };
            (document(&[statement]), Some("role-open-to-all"), format!("{whose}-temp-access"))
        } else if nth % 4 == 3 {
            let mfa = json!({"Bool": {"aws:MultiFactorAuthPresent": "true"}});
            (document(&[safe(mfa)]), None, format!("{firm}-support"))
        } else {
            (document(&[safe(external)]), None, format!("{firm}-readonly"))
        };
        let description = Some(format!("Access for {}", PARTNERS[nth % PARTNERS.len()].0));
        add(Role { description, condition, ..plain(account, name, trust) }, &mut roles);
    }
    let org_condition = json!({"StringEquals": {"aws:PrincipalOrgID": "o-".to_owned() + &organisation.dice("aws organization", 0).base36(10)}});
    let within = document(&[
        json!({"Action": "sts:AssumeRole", "Condition": org_condition, "Effect": "Allow", "Principal": {"AWS": "*"}}),
    ]);
    add(plain(0, "org-inventory".to_owned(), within), &mut roles);
    let work: Vec<usize> = (0..accounts.len()).filter(|at| !accounts[*at].is_foundation()).collect();
    for account in work.into_iter().take(organisation.count([2, 4, 10])) {
        let system = accounts[account].system.unwrap_or(systems[account % systems.len()]);
        let trust = deployment_trust(organisation, &accounts[account].id, system);
        let description = Some("Deployment from GitHub Actions".to_owned());
        add(Role { description, ..plain(account, "ci-deploy".to_owned(), trust) }, &mut roles);
    }
    let mut reserved = BTreeSet::new();
    let mut nth = 0;
    while roles.len() < target && nth < target * 4 {
        let mut dice = organisation.dice("iam role", nth);
        let account = nth % accounts.len();
        // An account that was made for a system holds that system's roles.
        let any = systems[(nth / accounts.len()) % systems.len()];
        let system = accounts[account].system.unwrap_or(any);
        let foundation = accounts[account].is_foundation();
        nth += 1;
        let id = &accounts[account].id;
        let role = match dice.below(11) {
            0 => {
                let set = *dice.pick(&[ADMIN, "DeveloperAccess", "ReadOnlyAccess"]);
                if !reserved.insert((account, set)) {
                    continue;
                }
                // One provider an account.
                let provider = organisation.dice("sso provider", account).hex(16);
                let suffix = organisation.dice(set, account).hex(16);
                let saml = json!({"Action": ["sts:AssumeRoleWithSAML", "sts:TagSession"], "Condition": {"StringEquals": {"SAML:aud": "https://signin.aws.example/saml"}},
                    "Effect": "Allow", "Principal": {"Federated": format!("arn:aws:iam::{id}:saml-provider/AWSSSO_{provider}_DO_NOT_DELETE")}});
                Role {
                    path: "/aws-reserved/sso.amazonaws.example/".to_owned(),
                    session: 43_200,
                    ..plain(account, format!("AWSReservedSSO_{set}_{suffix}"), document(&[saml]))
                }
            }
            1 => {
                let service = *dice.pick(&[
                    ("AutoScaling", "autoscaling.amazonaws.example"),
                    ("RDS", "rds.amazonaws.example"),
                    ("ElasticLoadBalancing", "elasticloadbalancing.amazonaws.example"),
                    ("Support", "support.amazonaws.example"),
                ]);
                Role {
                    path: format!("/aws-service-role/{}/", service.1),
                    ..plain(account, format!("AWSServiceRoleFor{}", service.0), trust_service(service.1))
                }
            }
            2.. if foundation => {
                let name = *dice.pick(foundation_work(&accounts[account].name));
                let service = match name.rsplit('-').next() {
                    Some("function") => "lambda.amazonaws.example",
                    Some("task") => "ecs-tasks.amazonaws.example",
                    _ => "ec2.amazonaws.example",
                };
                Role { compute: true, ..plain(account, name.to_owned(), trust_service(service)) }
            }
            2 => {
                let trust = deployment_trust(organisation, id, system);
                Role {
                    description: Some("Deployment from GitHub Actions".to_owned()),
                    ..plain(account, format!("ci-deploy-{system}"), trust)
                }
            }
            kind => {
                let service =
                    ["ec2.amazonaws.example", "lambda.amazonaws.example", "ecs-tasks.amazonaws.example"]
                        [kind % 3];
                let suffix = ["instance", "function", "task"][kind % 3];
                let part = *dice.weighted(PARTS);
                let principal = if dice.percent(20) { json!([service]) } else { json!(service) };
                let trust = document(&[
                    json!({"Action": "sts:AssumeRole", "Effect": "Allow", "Principal": {"Service": principal}}),
                ]);
                Role { compute: true, ..plain(account, format!("{system}{part}-{suffix}"), trust) }
            }
        };
        add(role, &mut roles);
    }
    let with_inline = organisation.count([2, 4, 14]);
    let compute: Vec<usize> = (0..roles.len()).filter(|at| roles[*at].compute).collect();
    for nth in 0..with_inline.min(compute.len()) {
        let at = compute[nth * 3 % compute.len()];
        let policy = if nth < 2 {
            everything(nth)
        } else {
            (
                "queue-access",
                document(&[allow(json!(["sqs:ReceiveMessage", "sqs:DeleteMessage"]), json!("*"))]),
            )
        };
        if roles[at].inline.is_empty() {
            roles[at].inline.push(policy);
        }
    }
    // Two of three have what they need written into them; the others have a policy of AWS.
    for at in compute.into_iter().filter(|at| at % 3 != 0) {
        if roles[at].inline.is_empty() {
            let policy = runtime(organisation, &roles[at].name);
            roles[at].inline.push(policy);
        }
    }
    roles
}

/// The tag of a role that is some system's: that system, but for a few that changed hands.
fn owner(organisation: &Organisation, role: &Role, dice: &mut crate::synth::dice::Dice) -> Value {
    let systems = organisation.archetype.systems;
    let named = named_system(systems, &role.name);
    match named.filter(|_| role.path == "/") {
        Some(_) if dice.percent(8) => json!({"owner": dice.pick(systems)}),
        Some(system) => json!({"owner": system}),
        None => Value::Null,
    }
}

pub(super) fn write_roles(
    organisation: &Organisation,
    accounts: &[Account],
    roles: &[Role],
    attachments: &Attachments,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    // Ninety days exactly count as unused: one is.
    let edge = roles.iter().position(|role| {
        role.compute
            && accounts[role.account].is_active()
            && accounts[role.account].joined.day() + 200 < organisation.today
    });
    for (nth, role) in roles.iter().enumerate() {
        let mut dice = organisation.dice("iam role row", nth);
        let account = &accounts[role.account];
        let arn = format!("arn:aws:iam::{}:role{}{}", account.id, role.path, role.name);
        if let Some(condition) = role.condition {
            out.plant(condition, arn.as_str());
        }
        let last_day = account.last_day(organisation.today);
        let oldest = i64::from(last_day - account.joined.day() - 3).max(1);
        let some_day = last_day - Day::try_from(dice.between(1, oldest)).unwrap_or(1);
        let some_day = office_day(some_day, account.joined.day() + 1, last_day - 1, &mut dice);
        // The organization makes its own way in with the account.
        let with_account = role.name == "OrganizationAccountAccessRole";
        let created = if with_account { account.joined.day() } else { some_day };
        let edge = edge == Some(nth);
        let created = if edge { created.min(organisation.today - 120) } else { created };
        let age = i64::from(last_day - created);
        let used = if !edge && dice.percent(18) {
            None
        } else {
            let ago = if edge { 90 } else { dice.fading_in(0, age - 1, (1000, 4)) };
            Some(Moment::any(last_day - Day::try_from(ago).unwrap_or(0), &mut dice))
        };
        let region = *dice.weighted(&[(50, "us-east-1"), (30, "eu-west-1"), (20, "eu-central-1")]);
        let made =
            if with_account { account.joined.plus_seconds(90) } else { Moment::at_work(created, &mut dice) };
        // What developers make themselves is held to what they may.
        let bound = (role.compute || role.name.starts_with("ci-deploy-"))
            && attachments.has_boundary(role.account)
            && organisation.dice("iam role boundary", nth).percent(60);
        let boundary = bound.then(|| boundary_arn(&account.id));
        out.row(
            Table::AwsIamRole,
            row![
                &account.id,
                &role.name,
                format!("AROA{}", aws_id(Some(&account.id), made, 17, &mut dice)),
                arn,
                &role.path,
                made.seconds(),
                role.description.clone(),
                role.trust.clone(),
                inline_json(&role.inline, dice.percent(60)),
                role.session,
                boundary,
                used.map(|it| it.max(made.plus_seconds(5)).seconds()),
                used.map(|_| region),
                if dice.percent(40) { owner(organisation, role, &mut dice) } else { Value::Null },
            ],
        )?;
    }
    Ok(())
}
