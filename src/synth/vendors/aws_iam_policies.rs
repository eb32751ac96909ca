//! AWS IAM: roles, policies, attachments, password policies and the summary of each account.

use super::aws_iam::{Group, User, everything, inline_json};
use super::aws_organization::Account;
use super::policy_document::{allow, document, trust_service};
use crate::synth::GenerateError;
use crate::synth::archetype::PARTNERS;
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::Organisation;
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A role.
#[derive(Debug)]
pub(super) struct Role {
    pub(super) account: usize,
    pub(super) name: String,
    path: String,
    description: Option<String>,
    trust: Value,
    inline: Vec<(&'static str, Value)>,
    session: i64,
    /// What is planted on it.
    condition: Option<&'static str>,
    compute: bool,
}

/// A policy that the organisation wrote.
#[derive(Debug)]
pub(super) struct CustomerPolicy {
    pub(super) account: usize,
    pub(super) name: String,
    arn: String,
    document: Value,
    description: Option<&'static str>,
}

/// Who has which policy: by account, policy ARN and name, kind and name of the entity.
#[derive(Debug)]
pub(super) struct Attachments {
    pub(super) customer: Vec<CustomerPolicy>,
    with_boundary: BTreeSet<usize>,
    edges: BTreeSet<(usize, String, String, &'static str, String)>,
}

impl Attachments {
    /// Whether an account has a policy that serves as a boundary.
    pub(super) fn has_boundary(&self, account: usize) -> bool {
        self.with_boundary.contains(&account)
    }
}

const ADMIN: &str = "AdministratorAccess";

fn managed_arn(name: &str) -> String {
    match name {
        "Billing" | "SupportUser" | "ViewOnlyAccess" => {
            format!("arn:aws:iam::aws:policy/job-function/{name}")
        }
        "AWSLambdaBasicExecutionRole" | "AmazonECSTaskExecutionRolePolicy" => {
            format!("arn:aws:iam::aws:policy/service-role/{name}")
        }
        _ => format!("arn:aws:iam::aws:policy/{name}"),
    }
}

fn outside(organisation: &Organisation, nth: usize) -> String {
    organisation.dice("outside account", nth % PARTNERS.len()).digits(12)
}

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
            (
                document(&[statement]),
                Some("role-open-to-all"),
                format!("{}-temp-access", systems[nth % systems.len()]),
            )
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
    let mut nth = 0;
    while roles.len() < target && nth < target * 4 {
        let mut dice = organisation.dice("iam role", nth);
        let account = nth % accounts.len();
        let system = systems[(nth / accounts.len()) % systems.len()];
        let id = &accounts[account].id;
        let role = match dice.below(9) {
            0 => {
                let set = *dice.pick(&[ADMIN, "DeveloperAccess", "ReadOnlyAccess"]);
                let saml = json!({"Action": ["sts:AssumeRoleWithSAML", "sts:TagSession"], "Condition": {"StringEquals": {"SAML:aud": "https://signin.aws.example/saml"}},
                    "Effect": "Allow", "Principal": {"Federated": format!("arn:aws:iam::{id}:saml-provider/AWSSSO_{}_DO_NOT_DELETE", dice.hex(16))}});
                Role {
                    path: "/aws-reserved/sso.amazonaws.example/".to_owned(),
                    session: 43_200,
                    ..plain(account, format!("AWSReservedSSO_{set}_{}", dice.hex(16)), document(&[saml]))
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
            2 => {
                let trust = json!({"Action": "sts:AssumeRoleWithWebIdentity", "Condition": {"StringLike": {"token.actions.githubusercontent.example:sub": format!("repo:{}-dev/{system}:*", organisation.stem)}},
                    "Effect": "Allow", "Principal": {"Federated": format!("arn:aws:iam::{id}:oidc-provider/token.actions.githubusercontent.example")}});
                Role {
                    description: Some("Deployment from GitHub Actions".to_owned()),
                    ..plain(
                        account,
                        if nth < accounts.len() * 2 {
                            "ci-deploy".to_owned()
                        } else {
                            format!("ci-deploy-{system}")
                        },
                        document(&[trust]),
                    )
                }
            }
            kind => {
                let service =
                    ["ec2.amazonaws.example", "lambda.amazonaws.example", "ecs-tasks.amazonaws.example"]
                        [kind % 3];
                let suffix = ["instance", "function", "task"][kind % 3];
                let env = *dice.pick(&["", "-batch", "-api", "-worker"]);
                let principal = if dice.percent(20) { json!([service]) } else { json!(service) };
                let trust = document(&[
                    json!({"Action": "sts:AssumeRole", "Effect": "Allow", "Principal": {"Service": principal}}),
                ]);
                Role { compute: true, ..plain(account, format!("{system}{env}-{suffix}"), trust) }
            }
        };
        add(role, &mut roles);
        nth += 1;
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
    roles
}

/// What the organisation's own policies say: name, document, description.
fn own_documents(organisation: &Organisation, nth: usize) -> (String, Value, Option<&'static str>) {
    let systems = organisation.archetype.systems;
    let system = systems[nth % systems.len()];
    let bucket = |suffix: &str| json!(format!("arn:aws:s3:::{}-{system}-{suffix}/*", organisation.stem));
    let condition = json!({"StringEquals": {"aws:RequestedRegion": ["eu-west-1", "us-east-1"]}});
    match nth % 13 {
        0 => (
            "BreakGlassAdmin".to_owned(),
            document(&[allow(json!("*"), json!("*"))]),
            Some("Use only with a ticket"),
        ),
        1 => (
            format!("{system}-deploy"),
            document(&[allow(json!(["iam:PassRole", "ecs:*", "ecr:*"]), json!("*"))]),
            None,
        ),
        2 => (
            "developer-boundary".to_owned(),
            document(&[allow(json!(["s3:*", "dynamodb:*", "lambda:*", "logs:*"]), json!("*"))]),
            Some("Permissions boundary"),
        ),
        3 => (
            "AdministratorAccess".to_owned(),
            document(&[allow(json!(["ec2:*", "rds:*", "s3:*"]), json!("*"))]),
            Some("Old name, fewer rights"),
        ),
        4 => (
            "require-mfa".to_owned(),
            document(&[
                json!({"Condition": {"BoolIfExists": {"aws:MultiFactorAuthPresent": "false"}}, "Effect": "Deny", "NotAction": ["iam:ChangePassword", "sts:GetSessionToken"], "Resource": "*"}),
            ]),
            None,
        ),
        5 => (
            format!("{system}-bucket-rw"),
            document(&[allow(json!(["s3:GetObject", "s3:PutObject", "s3:DeleteObject"]), bucket("data"))]),
            None,
        ),
        6 => (
            "region-admin".to_owned(),
            {
                let mut statement = allow(json!("*"), json!("*"));
                statement["Condition"] = condition;
                document(&[statement])
            },
            Some("Everything, in our regions"),
        ),
        7 => (
            "iam-self-service".to_owned(),
            document(&[allow(
                json!(["iam:ChangePassword", "iam:CreateVirtualMFADevice"]),
                json!("arn:aws:iam::*:user/${aws:username}"),
            )]),
            None,
        ),
        8 => (format!("{system}-platform-owner"), document(&[allow(json!(["*:*"]), json!(["*"]))]), None),
        9 => ("pass-any-role".to_owned(), document(&[allow(json!("iam:Pass*"), json!("*"))]), None),
        10 => (
            format!("{system}-secrets-read"),
            document(&[allow(
                json!("secretsmanager:GetSecretValue"),
                json!(format!("arn:aws:secretsmanager:*:*:secret:{system}/*")),
            )]),
            None,
        ),
        11 => (
            "pass-ecs-roles".to_owned(),
            document(&[allow(json!("iam:PassRole"), json!("arn:aws:iam::*:role/*-task"))]),
            None,
        ),
        _ => (
            format!("{system}-metrics"),
            document(&[allow(json!(["cloudwatch:PutMetricData", "logs:CreateLogStream"]), json!("*"))]),
            None,
        ),
    }
}

fn own_policies(organisation: &Organisation, accounts: &[Account], count: usize) -> Vec<CustomerPolicy> {
    let mut policies = Vec::new();
    let mut taken = BTreeSet::new();
    let mut add = |account: usize, name: String, document: Value, description| {
        if taken.insert((account, name.clone())) {
            let arn = format!("arn:aws:iam::{}:policy/{name}", accounts[account].id);
            policies.push(CustomerPolicy { account, name, arn, document, description });
        }
    };
    // A grant by exclusion is in every larger organisation.
    for nth in 0..organisation.count([0, 3, 8]) {
        let statement = json!({"Effect": "Allow", "NotAction": if nth % 2 == 0 { json!("iam:*") } else { json!(["iam:*", "organizations:*"]) }, "Resource": "*"});
        let name = ["power-user-plus", "everything-but-iam", "contractor-power"][nth % 3];
        add((nth * 2) % accounts.len(), name.to_owned(), document(&[statement]), None);
    }
    // Two at least of what may not be missing.
    for (nth, account) in [0, 0, 1, 1, 8, 9, 2, 3, 4, 6].into_iter().enumerate() {
        let (name, document, description) = own_documents(organisation, account);
        add((nth * 3 + 1) % accounts.len(), name, document, description);
    }
    for nth in 0..count.saturating_sub(policies_len(organisation)) {
        let (name, document, description) = own_documents(organisation, nth + 4);
        add((nth * 5 + nth / accounts.len()) % accounts.len(), name, document, description);
    }
    policies
}

fn policies_len(organisation: &Organisation) -> usize {
    10 + organisation.count([0, 3, 8])
}

pub(super) fn attach(
    organisation: &Organisation,
    accounts: &[Account],
    users: &[User],
    groups: &[Group],
    roles: &[Role],
) -> Attachments {
    let customer = own_policies(organisation, accounts, organisation.count([10, 18, 64]));
    let mut edges = BTreeSet::new();
    let target = organisation.count([35, 130, 480]);
    let mut managed = |account: usize, name: &str, kind: &'static str, entity: &str| {
        edges.insert((account, managed_arn(name), name.to_owned(), kind, entity.to_owned()));
    };
    for group in groups {
        match group.name.as_str() {
            "Administrators" => managed(group.account, ADMIN, "Group", &group.name),
            "Developers" => managed(group.account, "PowerUserAccess", "Group", &group.name),
            "Billing" => managed(group.account, "Billing", "Group", &group.name),
            "Support" => managed(group.account, "AWSSupportAccess", "Group", &group.name),
            "Auditors" => managed(group.account, "SecurityAudit", "Group", &group.name),
            _ => {}
        }
    }
    // Support access is missing in one account at least.
    for role in
        roles.iter().filter(|role| role.account % 3 != 1 && role.name.starts_with("OrganizationAccount"))
    {
        managed(role.account, "AWSSupportAccess", "Role", &role.name);
    }
    let people: Vec<u32> = (0..).zip(users).filter(|(_, user)| !user.service).map(|(at, _)| at).collect();
    let direct = super::super::dice::choose(
        organisation.seed,
        "direct admin policies",
        &people,
        organisation.count([2, 6, 18]),
    );
    for at in direct {
        let user = &users[at as usize];
        managed(user.account, ADMIN, "User", &user.name);
    }
    let deploys: Vec<&Role> = roles.iter().filter(|role| role.name.starts_with("ci-deploy")).collect();
    for role in deploys.iter().take(organisation.count([2, 4, 10])) {
        managed(role.account, ADMIN, "Role", &role.name);
    }
    for role in roles.iter().filter(|role| role.name.contains("AWSReservedSSO_Admin")) {
        managed(role.account, ADMIN, "Role", &role.name);
    }
    let (mut users_in, mut groups_in, mut roles_in, mut policies_in) = (
        vec![Vec::new(); accounts.len()],
        vec![Vec::new(); accounts.len()],
        vec![Vec::new(); accounts.len()],
        vec![Vec::new(); accounts.len()],
    );
    users.iter().for_each(|user| users_in[user.account].push(user));
    groups
        .iter()
        .filter(|group| !group.members.is_empty())
        .for_each(|group| groups_in[group.account].push(group));
    roles.iter().filter(|role| role.compute).for_each(|role| roles_in[role.account].push(role));
    customer.iter().for_each(|policy| policies_in[policy.account].push(policy));
    // A policy that only an empty group has reaches nobody.
    let empty: Vec<&Group> = groups.iter().filter(|group| group.members.is_empty()).collect();
    let mut dice = organisation.dice("attachments", 0);
    let mut own = Vec::new();
    let mut hidden = BTreeSet::new();
    for group in &empty {
        if let Some(policy) = policies_in[group.account].iter().find(|policy| !hidden.contains(&policy.arn)) {
            hidden.insert(policy.arn.clone());
            own.push((group.account, policy.arn.clone(), policy.name.clone(), "Group", group.name.clone()));
        }
    }
    // And some of the organisation's own policies nobody uses at all.
    for (nth, policy) in customer.iter().enumerate() {
        if hidden.contains(&policy.arn) || nth % 5 == 4 || policy.name == "developer-boundary" {
            continue;
        }
        let kind = dice.below(10);
        let account = policy.account;
        let entity = match kind {
            0..2 => users_in[account].get(dice.below(4)).map(|user| ("User", user.name.clone())),
            2..5 => groups_in[account].first().map(|group| ("Group", group.name.clone())),
            _ => roles_in[account].get(dice.below(5)).map(|role| ("Role", role.name.clone())),
        };
        if let Some((kind, entity)) = entity {
            own.push((policy.account, policy.arn.clone(), policy.name.clone(), kind, entity));
        }
    }
    edges.extend(own);
    let mut tries = target * 6;
    while edges.len() < target && tries > 0 {
        tries -= 1;
        if dice.percent(25) {
            let user = dice.pick(users);
            let name = *dice.pick(&["AmazonS3ReadOnlyAccess", "ReadOnlyAccess"]);
            edges.insert((user.account, managed_arn(name), name.to_owned(), "User", user.name.clone()));
        } else {
            let role = dice.pick(roles);
            if role.path == "/" {
                let name = if role.name.ends_with("function") {
                    "AWSLambdaBasicExecutionRole"
                } else if role.name.ends_with("task") {
                    "AmazonECSTaskExecutionRolePolicy"
                } else {
                    "AmazonS3ReadOnlyAccess"
                };
                edges.insert((role.account, managed_arn(name), name.to_owned(), "Role", role.name.clone()));
            }
        }
    }
    let boundaries = customer.iter().filter(|policy| policy.name == "developer-boundary");
    let with_boundary = boundaries.map(|policy| policy.account).collect();
    Attachments { customer, with_boundary, edges }
}

pub(super) fn write_roles(
    organisation: &Organisation,
    accounts: &[Account],
    roles: &[Role],
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    for (nth, role) in roles.iter().enumerate() {
        let mut dice = organisation.dice("iam role row", nth);
        let account = &accounts[role.account];
        let arn = format!("arn:aws:iam::{}:role{}{}", account.id, role.path, role.name);
        if let Some(condition) = role.condition {
            out.plant(condition, arn.as_str());
        }
        let oldest = i64::from(organisation.today - account.joined.day() - 3).max(1);
        let created = organisation.today - Day::try_from(dice.between(1, oldest)).unwrap_or(1);
        let age = i64::from(organisation.today - created);
        let used = if dice.percent(18) {
            None
        } else {
            let ago = if dice.percent(5) {
                90
            } else if dice.percent(20) {
                dice.between(91, 380)
            } else {
                dice.between(0, 30)
            };
            Some(Moment::any(
                organisation.today - Day::try_from(ago.min(age - 1).max(0)).unwrap_or(0),
                &mut dice,
            ))
        };
        let region = *dice.weighted(&[(50, "us-east-1"), (30, "eu-west-1"), (20, "eu-central-1")]);
        let made = Moment::at_work(created, &mut dice);
        out.row(
            Table::AwsIamRole,
            row![
                &account.id,
                &role.name,
                format!("AROA{}", dice.base32(17)),
                arn,
                &role.path,
                made.seconds(),
                role.description.clone(),
                role.trust.clone(),
                inline_json(&role.inline, dice.percent(60)),
                role.session,
                Option::<&str>::None,
                used.map(|it| it.max(made.plus_seconds(5)).seconds()),
                used.map(|_| region),
                if dice.percent(35) { json!({"owner": organisation.archetype.systems[nth % organisation.archetype.systems.len()]}) } else { Value::Null },
            ],
        )?;
    }
    Ok(())
}

fn managed_document(name: &str) -> Value {
    match name {
        ADMIN => document(&[allow(json!("*"), json!("*"))]),
        "PowerUserAccess" => document(&[
            json!({"Effect": "Allow", "NotAction": ["iam:*", "organizations:*", "account:*"], "Resource": "*"}),
        ]),
        "Billing" => document(&[allow(json!(["aws-portal:*Billing", "ce:*", "cur:*"]), json!("*"))]),
        "AWSSupportAccess" => document(&[allow(json!(["support:*"]), json!("*"))]),
        "SecurityAudit" => document(&[allow(
            json!(["access-analyzer:Get*", "iam:Generate*", "iam:Get*", "iam:List*"]),
            json!("*"),
        )]),
        "AmazonS3ReadOnlyAccess" => document(&[allow(json!(["s3:Get*", "s3:List*"]), json!("*"))]),
        "AWSLambdaBasicExecutionRole" => document(&[allow(
            json!(["logs:CreateLogGroup", "logs:CreateLogStream", "logs:PutLogEvents"]),
            json!("*"),
        )]),
        "AmazonECSTaskExecutionRolePolicy" => document(&[allow(
            json!(["ecr:GetAuthorizationToken", "ecr:BatchGetImage", "logs:PutLogEvents"]),
            json!("*"),
        )]),
        _ => document(&[allow(json!(["*:Describe*", "*:Get*", "*:List*"]), json!("*"))]),
    }
}

pub(super) fn write_policies(
    organisation: &Organisation,
    accounts: &[Account],
    attachments: &Attachments,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let mut counts: BTreeMap<(usize, &str), (usize, &str)> = BTreeMap::new();
    for (account, arn, name, kind, entity) in &attachments.edges {
        counts.entry((*account, arn)).or_insert((0, name)).0 += 1;
        out.row(Table::AwsIamPolicyAttachment, row![&accounts[*account].id, arn, name, *kind, entity])?;
        if name == ADMIN && *kind == "User" && arn.contains("::aws:") {
            out.plant("administrator-policy-on-user", format!("{} {entity}", accounts[*account].id));
        }
    }
    for ((account, arn), (count, name)) in counts.iter().filter(|((_, arn), _)| arn.contains("::aws:")) {
        // The same policy wherever it is used.
        let mut dice = organisation.dice(name, 0);
        let path = arn.trim_start_matches("arn:aws:iam::aws:policy").trim_end_matches(name);
        let created = organisation.founded - Day::try_from(dice.between(100, 900)).unwrap_or(100);
        let row = row![
            &accounts[*account].id,
            *name,
            format!("ANPA{}", dice.base32(17)),
            *arn,
            true,
            path,
            Option::<&str>::None,
            *count,
            true,
            format!("v{}", dice.between(1, 9)),
            Moment::at_work(created, &mut dice).seconds(),
            Moment::at_work(created + 800, &mut dice).seconds(),
            managed_document(name),
        ]
        .to_vec();
        out.row(Table::AwsIamPolicy, &row)?;
    }
    for (nth, policy) in attachments.customer.iter().enumerate() {
        let mut dice = organisation.dice("own policy", nth);
        let account = &accounts[policy.account];
        let count = counts.get(&(policy.account, policy.arn.as_str())).map_or(0, |(count, _)| *count);
        let oldest = i64::from(organisation.today - account.joined.day() - 5).max(2);
        let age = dice.between(2, oldest);
        let created = organisation.today - Day::try_from(age).unwrap_or(2);
        let updated = created + Day::try_from(dice.between(0, age - 1)).unwrap_or(0);
        let made = Moment::on(created, dice.between(20_000, 60_000));
        out.row(
            Table::AwsIamPolicy,
            row![
                &account.id,
                &policy.name,
                format!("ANPA{}", dice.base32(17)),
                &policy.arn,
                false,
                "/",
                policy.description.filter(|_| dice.percent(50)),
                count,
                count > 0,
                format!("v{}", dice.between(1, 6)),
                made.seconds(),
                made.max(Moment::at_work(updated, &mut dice)).seconds(),
                policy.document.clone(),
            ],
        )?;
    }
    Ok(())
}

/// What the tables hold of an account.
#[derive(Debug, Clone, Default)]
pub(super) struct Counts {
    pub(super) users: usize,
    pub(super) groups: usize,
    pub(super) roles: usize,
    pub(super) policies: usize,
    pub(super) devices: usize,
}

pub(super) fn write_summary(
    organisation: &Organisation,
    nth: usize,
    account: &Account,
    counts: &Counts,
    accounts: usize,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let mut dice = organisation.dice("account summary", nth);
    // From the newest account backwards: the last is closed, so the careless ones still run.
    let unprotected = organisation.count([1, 2, 4]);
    let with_keys = organisation.count([1, 1, 3]);
    let without_policy = organisation.count([1, 1, 3]);
    let protected = !(1..=unprotected).contains(&nth) || nth == 0;
    let keys = i64::from((accounts / 2..accounts / 2 + with_keys).contains(&nth));
    if !protected {
        out.plant("root-without-mfa", account.id.as_str());
    }
    if keys > 0 {
        out.plant("root-with-access-key", account.id.as_str());
    }
    out.row(
        Table::AwsIamAccountSummary,
        row![
            &account.id,
            protected,
            keys,
            !protected || nth == 0 || dice.percent(45),
            counts.users,
            counts.groups,
            counts.roles,
            counts.policies,
            counts.devices + usize::from(protected),
            counts.devices + usize::from(protected),
        ],
    )?;
    if account.is_active() && (2..2 + without_policy).contains(&nth) {
        out.plant("account-without-password-policy", account.id.as_str());
        return Ok(());
    }
    // Fourteen characters pass, ninety days pass, twenty-four pass.
    let strict = nth.is_multiple_of(4);
    let (length, age, reuse) = match nth % 4 {
        0 => (14, Some(90), Some(24)),
        1 => (8, None, None),
        2 => (12, Some(180), Some(5)),
        _ => (16, Some(60), Some(12)),
    };
    out.row(
        Table::AwsIamAccountPasswordPolicy,
        row![
            &account.id,
            i64::from(length),
            strict || dice.percent(50),
            true,
            strict || dice.percent(60),
            strict || dice.percent(80),
            dice.percent(80),
            age.is_some(),
            age.map(i64::from),
            reuse.map(i64::from),
            dice.percent(30).then_some(false),
        ],
    )
}
