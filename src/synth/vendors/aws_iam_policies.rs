//! AWS IAM policies and whom they are attached to.

use super::aws_iam::User;
use super::aws_iam_groups::Group;
use super::aws_iam_roles::Role;
use super::aws_organization::Account;
use super::policy_document::{allow, document};
use super::serials::aws_id;
use crate::synth::GenerateError;
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::Organisation;
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;
use crate::synth::workdays::office_day;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

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
const BOUNDARY: &str = "developer-boundary";

fn managed_arn(name: &str) -> String {
    match name {
        "Billing" | "SupportUser" | "ViewOnlyAccess" => {
            format!("arn:aws:iam::aws:policy/job-function/{name}")
        }
        _ if name.ends_with("ServiceRolePolicy") => {
            format!("arn:aws:iam::aws:policy/aws-service-role/{name}")
        }
        "AWSLambdaBasicExecutionRole" | "AmazonECSTaskExecutionRolePolicy" => {
            format!("arn:aws:iam::aws:policy/service-role/{name}")
        }
        _ => format!("arn:aws:iam::aws:policy/{name}"),
    }
}

/// The policy that serves as a boundary in an account.
pub(super) fn boundary_arn(account: &str) -> String {
    format!("arn:aws:iam::{account}:policy/{BOUNDARY}")
}

/// What the organisation's own policies say: name, document, description.
fn own_documents(
    organisation: &Organisation,
    nth: usize,
    account: &Account,
) -> (String, Value, Option<&'static str>) {
    let systems = organisation.archetype.systems;
    let any = if account.is_foundation() { "infrastructure" } else { systems[nth % systems.len()] };
    let system = account.system.unwrap_or(any);
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
            BOUNDARY.to_owned(),
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
    for (nth, kind) in [0, 0, 1, 1, 8, 9, 2, 3, 4, 6].into_iter().enumerate() {
        let at = (nth * 3 + 1) % accounts.len();
        // Developers are held in bounds where they develop.
        let develops = |account: &Account| account.env == "dev" && account.is_active();
        let at = if kind == 2 { accounts.iter().position(develops).unwrap_or(at) } else { at };
        let (name, document, description) = own_documents(organisation, kind, &accounts[at]);
        add(at, name, document, description);
    }
    for nth in 0..count.saturating_sub(policies_len(organisation)) {
        let at = (nth * 5 + nth / accounts.len()) % accounts.len();
        let (name, document, description) = own_documents(organisation, nth + 4, &accounts[at]);
        add(at, name, document, description);
    }
    policies
}

fn policies_len(organisation: &Organisation) -> usize {
    10 + organisation.count([0, 3, 8])
}

/// The managed policy that a role of this name has for what it is made for.
fn purpose(role: &str) -> Option<&'static str> {
    if let Some(set) = role.strip_prefix("AWSReservedSSO_") {
        return ["AdministratorAccess", "ReadOnlyAccess"]
            .into_iter()
            .find(|name| set.starts_with(name))
            .or(Some("PowerUserAccess"));
    }
    if let Some(service) = role.strip_prefix("AWSServiceRoleFor") {
        return Some(match service {
            "RDS" => "AmazonRDSServiceRolePolicy",
            "ElasticLoadBalancing" => "AWSElasticLoadBalancingServiceRolePolicy",
            "Support" => "AWSSupportServiceRolePolicy",
            _ => "AutoScalingServiceRolePolicy",
        });
    }
    let ends = [
        ("-function", "AWSLambdaBasicExecutionRole"),
        ("-task", "AmazonECSTaskExecutionRolePolicy"),
        ("-instance", "AmazonSSMManagedInstanceCore"),
        ("-integration", "SecurityAudit"),
        ("-readonly", "ViewOnlyAccess"),
        ("-support", "ViewOnlyAccess"),
        ("-temp-access", "AmazonS3ReadOnlyAccess"),
        ("org-inventory", "SecurityAudit"),
    ];
    let end = ends.iter().find(|(end, _)| role.ends_with(end)).map(|(_, name)| *name);
    end.or_else(|| role.starts_with("ci-deploy-").then_some("AmazonEC2ContainerRegistryPowerUser"))
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
            "Automation" => {
                managed(group.account, "AmazonEC2ContainerRegistryPowerUser", "Group", &group.name);
            }
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
    for role in roles.iter().filter(|role| role.inline.is_empty()) {
        if let Some(name) = purpose(&role.name) {
            managed(role.account, name, "Role", &role.name);
        }
    }
    let (mut users_in, mut groups_in, mut roles_in, mut policies_in) = (
        vec![Vec::new(); accounts.len()],
        vec![Vec::new(); accounts.len()],
        vec![Vec::new(); accounts.len()],
        vec![Vec::new(); accounts.len()],
    );
    for user in users {
        users_in[user.account].push(user);
    }
    groups
        .iter()
        .filter(|group| !group.members.is_empty())
        .for_each(|group| groups_in[group.account].push(group));
    roles.iter().filter(|role| role.compute).for_each(|role| roles_in[role.account].push(role));
    for policy in &customer {
        policies_in[policy.account].push(policy);
    }
    // A policy that only an empty group has reaches nobody.
    let empty: Vec<&Group> = groups.iter().filter(|group| group.members.is_empty()).collect();
    let mut dice = organisation.dice("attachments", 0);
    let mut own = Vec::new();
    let mut hidden = BTreeSet::new();
    for group in &empty {
        let own_of_account = policies_in[group.account].iter();
        let mut grants = own_of_account.filter(|policy| policy.name != BOUNDARY);
        if let Some(policy) = grants.find(|policy| !hidden.contains(&policy.arn)) {
            hidden.insert(policy.arn.clone());
            own.push((group.account, policy.arn.clone(), policy.name.clone(), "Group", group.name.clone()));
        }
    }
    // And some of the organisation's own policies nobody uses at all.
    for (nth, policy) in customer.iter().enumerate() {
        if hidden.contains(&policy.arn) || nth % 5 == 4 || policy.name == BOUNDARY {
            continue;
        }
        let kind = dice.below(10);
        let account = policy.account;
        let entity = match kind {
            0..2 => users_in[account].get(dice.below(4)).map(|user| ("User", user.name.clone())),
            2..5 => groups_in[account].first().map(|group| ("Group", group.name.clone())),
            // What allows everything is for administrators, not for a machine's work.
            _ if ["BreakGlassAdmin", "region-admin"].contains(&policy.name.as_str()) => groups_in[account]
                .iter()
                .find(|it| it.name == "Administrators")
                .map(|it| ("Group", it.name.clone())),
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
            if role.path == "/" && !role.name.starts_with("OrganizationAccount") {
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
    let boundaries = customer.iter().filter(|policy| policy.name == BOUNDARY);
    let with_boundary = boundaries.map(|policy| policy.account).collect();
    Attachments { customer, with_boundary, edges }
}

fn managed_document(name: &str) -> Value {
    match name {
        ADMIN => document(&[allow(json!("*"), json!("*"))]),
        "PowerUserAccess" => document(&[
            json!({"Effect": "Allow", "NotAction": ["iam:*", "organizations:*", "account:*"], "Resource": "*"}),
        ]),
        "AmazonEC2ContainerRegistryPowerUser" => document(&[allow(
            json!(["ecr:GetAuthorizationToken", "ecr:BatchGetImage", "ecr:PutImage", "ecr:UploadLayerPart"]),
            json!("*"),
        )]),
        "AmazonSSMManagedInstanceCore" => document(&[allow(
            json!(["ssm:UpdateInstanceInformation", "ssmmessages:*", "ec2messages:*"]),
            json!("*"),
        )]),
        "AutoScalingServiceRolePolicy" => document(&[allow(
            json!(["ec2:RunInstances", "ec2:TerminateInstances", "elasticloadbalancing:Register*"]),
            json!("*"),
        )]),
        "AmazonRDSServiceRolePolicy" => document(&[allow(
            json!(["ec2:CreateNetworkInterface", "ec2:DescribeSubnets", "cloudwatch:PutMetricData"]),
            json!("*"),
        )]),
        "AWSElasticLoadBalancingServiceRolePolicy" => document(&[allow(
            json!(["ec2:DescribeAddresses", "ec2:CreateSecurityGroup", "logs:CreateLogDelivery"]),
            json!("*"),
        )]),
        "AWSSupportServiceRolePolicy" => document(&[allow(
            json!(["a4b:Get*", "access-analyzer:get*", "cloudtrail:lookupEvents"]),
            json!("*"),
        )]),
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
        "ViewOnlyAccess" => document(&[allow(
            json!(["ec2:Describe*", "iam:List*", "lambda:List*", "rds:Describe*", "s3:ListAllMyBuckets"]),
            json!("*"),
        )]),
        _ => document(&[allow(
            json!([
                "cloudwatch:Describe*",
                "cloudwatch:Get*",
                "dynamodb:Describe*",
                "dynamodb:List*",
                "ec2:Describe*",
                "ec2:Get*",
                "iam:Get*",
                "iam:List*",
                "lambda:Get*",
                "lambda:List*",
                "rds:Describe*",
                "s3:Get*",
                "s3:List*"
            ]),
            json!("*"),
        )]),
    }
}

/// When AWS published its policies, in seconds since 1970, and in which version they are.
const PUBLISHED: &[(&str, i64, i64)] = &[
    ("AdministratorAccess", 1_423_247_986, 1),
    ("PowerUserAccess", 1_423_247_987, 5),
    ("ReadOnlyAccess", 1_423_247_988, 118),
    ("AmazonS3ReadOnlyAccess", 1_423_248_059, 3),
    ("AmazonEC2ReadOnlyAccess", 1_423_248_017, 2),
    ("SecurityAudit", 1_423_248_061, 44),
    ("AWSSupportAccess", 1_423_248_071, 1),
    ("AWSLambdaBasicExecutionRole", 1_428_591_823, 1),
    ("AmazonEC2ContainerRegistryPowerUser", 1_450_717_533, 3),
    ("ViewOnlyAccess", 1_478_798_415, 20),
    ("Billing", 1_478_799_198, 9),
    ("AWSElasticLoadBalancingServiceRolePolicy", 1_505_859_544, 7),
    ("AmazonECSTaskExecutionRolePolicy", 1_510_858_102, 1),
    ("AmazonRDSServiceRolePolicy", 1_515_435_466, 13),
    ("AutoScalingServiceRolePolicy", 1_515_453_055, 5),
    ("AWSSupportServiceRolePolicy", 1_524_161_084, 39),
    ("AmazonSSMManagedInstanceCore", 1_552_670_532, 2),
];

/// When a policy of AWS was published, and its version: in an organisation that is older, before that all the same.
fn published(organisation: &Organisation, name: &str) -> (Moment, i64) {
    let mut dice = organisation.dice(name, 1);
    let early = organisation.founded - Day::try_from(dice.between(100, 900)).unwrap_or(100);
    let early = Moment::on(early, dice.between(58_000, 84_000));
    let known = PUBLISHED.iter().find(|(known, ..)| *known == name);
    let (created, version) =
        known.map_or((early, dice.between(1, 9)), |(_, second, version)| (Moment::on(0, *second), *version));
    (if created.day() < organisation.today - 900 { created } else { early }, version)
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
        let (created, version) = published(organisation, name);
        let changed = dice.between(1, i64::from(organisation.today - created.day() - 3).max(1));
        let changed = created.day() + Day::try_from(changed).unwrap_or(0);
        let changed = office_day(changed, created.day() + 1, organisation.today - 2, &mut dice);
        let changed = Moment::on(changed, dice.between(58_000, 84_000));
        let row = row![
            &accounts[*account].id,
            *name,
            format!("ANPA{}", aws_id(None, created, 17, &mut dice)),
            *arn,
            true,
            path,
            Option::<&str>::None,
            *count,
            true,
            format!("v{version}"),
            created.seconds(),
            // The first version is as old as the policy.
            if version == 1 { created } else { changed }.seconds(),
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
        let least = i64::from(organisation.today - account.last_day(organisation.today)) + 2;
        let age = dice.between(least.min(oldest), oldest);
        let day = |ago: i64| organisation.today - Day::try_from(ago).unwrap_or(2);
        let created = office_day(day(age), day(oldest), day(least.min(oldest)), &mut dice);
        let age = i64::from(account.last_day(organisation.today) - created).max(1);
        let updated = created + Day::try_from(dice.between(0, age - 1)).unwrap_or(0);
        let updated = office_day(updated, created, organisation.today, &mut dice);
        let made = Moment::at_work(created, &mut dice);
        let version = if updated == created { 1 } else { dice.between(1, 6) };
        let changed = if version == 1 { made } else { made.max(Moment::at_work(updated, &mut dice)) };
        out.row(
            Table::AwsIamPolicy,
            row![
                &account.id,
                &policy.name,
                format!("ANPA{}", aws_id(Some(&account.id), made, 17, &mut dice)),
                &policy.arn,
                false,
                "/",
                policy.description.filter(|_| dice.percent(50)),
                count,
                count > 0,
                format!("v{version}"),
                made.seconds(),
                changed.seconds(),
                policy.document.clone(),
            ],
        )?;
    }
    Ok(())
}
