//! GCP projects, who may do what in them, service accounts and their keys.

use super::gcp_keys;
use super::googleworkspace_groups::{
    CLOUD_EDITORS, CLOUD_OWNERS, Groups, KEY_ADMINS, ONCALL, PARTNERS_IN_DATA,
};
use super::hibob::hr_address;
use crate::synth::GenerateError;
use crate::synth::archetype::{PARTNERS, slug};
use crate::synth::dice::Dice;
use crate::synth::moment::Moment;
use crate::synth::organisation::{Organisation, Person, Standing, Trait};
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const OWNER: &str = "roles/owner";
const EDITOR: &str = "roles/editor";
const KEY_ADMIN: &str = "roles/iam.serviceAccountKeyAdmin";
const TOKEN_CREATOR: &str = "roles/iam.serviceAccountTokenCreator";
const ACCOUNT_ADMIN: &str = "roles/iam.serviceAccountAdmin";

/// Roles of everyday work.
const DAILY: &[&str] = &[
    "roles/viewer",
    "roles/bigquery.dataViewer",
    "roles/storage.objectViewer",
    "roles/logging.viewer",
    "roles/compute.admin",
    "roles/run.developer",
    "roles/pubsub.editor",
    "roles/container.developer",
];

/// What service accounts do, and the roles that it takes.
const PURPOSES: &[(&str, &[&str])] = &[
    ("etl", &["roles/bigquery.dataEditor", "roles/bigquery.jobUser"]),
    ("deploy", &["roles/run.developer"]),
    ("terraform", &["roles/compute.admin", "roles/storage.admin"]),
    ("backup", &["roles/storage.objectAdmin"]),
    ("metrics", &["roles/monitoring.metricWriter"]),
    ("notebook", &["roles/bigquery.dataViewer", "roles/bigquery.jobUser"]),
    ("ingest", &["roles/pubsub.subscriber"]),
    ("exporter", &["roles/bigquery.dataViewer", "roles/storage.objectCreator"]),
    ("scheduler", &["roles/run.invoker"]),
    ("gke-node", &["roles/container.nodeServiceAccount"]),
    ("log-sink", &["roles/logging.bucketWriter"]),
    ("ci-runner", &["roles/artifactregistry.writer"]),
];

pub(super) struct Project {
    pub(super) id: String,
    number: String,
    /// Members by role.
    bindings: BTreeMap<&'static str, BTreeSet<String>>,
    /// Members who hold a role under a condition.
    conditional: Option<(&'static str, String)>,
}

pub(super) struct Account {
    pub(super) project: usize,
    /// What it does: one of [`PURPOSES`], or none of them.
    purpose: usize,
    pub(super) email: String,
    display: Option<String>,
    description: Option<&'static str>,
    pub(super) disabled: bool,
}

pub(super) fn write(
    organisation: &Organisation,
    groups: &Groups,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let count = organisation.count([5, 15, 55]) * organisation.archetype.cloud / 100;
    let mut projects = projects(organisation, count.max(2));
    let accounts = accounts(organisation, &projects);
    bind(organisation, groups, &mut projects, &accounts, out);
    for (nth, project) in projects.iter().enumerate() {
        let mut dice = organisation.dice("gcp policy row", nth);
        let mut bindings: Vec<Value> = project
            .bindings
            .iter()
            .map(|(role, members)| json!({"members": members, "role": role}))
            .collect();
        if let Some((role, member)) = &project.conditional {
            let end = Moment::on(organisation.today + 90, 0).seconds();
            bindings.push(json!({
                "condition": {"expression": format!("request.time < timestamp(\"{end}\")"), "title": "temporary"},
                "members": [member],
                "role": role,
            }));
        }
        let version = if project.conditional.is_some() { 3 } else { 1_i64 };
        out.row(Table::GcpIamPolicy, row![&project.id, version, etag(&mut dice), json!(bindings)])?;
    }
    for (nth, account) in accounts.iter().enumerate() {
        write_account(organisation, nth, &projects[account.project], account, out)?;
    }
    gcp_keys::write(organisation, &projects, &accounts, out)
}

fn write_account(
    organisation: &Organisation,
    nth: usize,
    project: &Project,
    account: &Account,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let unique = format!("1{}", organisation.dice("gcp account row", nth).twenty_digits());
    out.row(
        Table::GcpServiceAccount,
        row![
            &project.id,
            &account.email,
            format!("projects/{}/serviceAccounts/{}", project.id, account.email),
            &unique,
            account.display.clone(),
            account.description,
            account.disabled.then_some(true),
            &unique,
        ],
    )
}

fn projects(organisation: &Organisation, count: usize) -> Vec<Project> {
    let systems = organisation.archetype.systems;
    let short: String = organisation.stem.chars().take(4).collect();
    (0..count)
        .map(|nth| {
            let mut dice = organisation.dice("gcp project", nth);
            let env = ["prod", "dev", "staging"][nth % 3];
            let round = nth / (systems.len() * 3);
            let more = if round == 0 { String::new() } else { format!("-{}", dice.digits(4)) };
            let id = format!("{short}-{env}-{}{more}", systems[(nth / 3) % systems.len()]);
            Project { id, number: dice.digits(12), bindings: BTreeMap::new(), conditional: None }
        })
        .collect()
}

/// An etag: eight bytes in base64, a time of these years.
fn etag(dice: &mut Dice) -> String {
    let years = char::from(*dice.pick(b"WXY"));
    // Of the last letter four bits count.
    let last = char::from(*dice.pick(b"AEIMQUYcgkosw048"));
    format!("Bw{years}{}{last}=", dice.base62(7))
}

fn accounts(organisation: &Organisation, projects: &[Project]) -> Vec<Account> {
    let target = (organisation.count([12, 48, 190]) * organisation.archetype.cloud / 100).max(projects.len());
    let people = organisation.all(|person| person.has(Trait::Gcp) && !person.is_leaver());
    let mut taken = BTreeSet::new();
    let mut accounts = Vec::new();
    for nth in 0..target {
        let mut dice = organisation.dice("gcp account", nth);
        // Each has the one that comes with it; some are used much, some hardly.
        let some = dice.below(projects.len()).min(dice.below(projects.len()));
        let project = if nth < projects.len() * 3 / 2 { nth % projects.len() } else { some };
        let of = &projects[project];
        let mut purpose = (nth / projects.len() + nth) % PURPOSES.len();
        let (email, display) = if nth < projects.len() {
            (
                format!("{}-compute@developer.gserviceaccount.example", of.number),
                Some("Compute Engine default service account".to_owned()),
            )
        } else {
            let address =
                |purpose: usize| format!("{}@{}.iam.gserviceaccount.example", PURPOSES[purpose].0, of.id);
            let first = purpose;
            if let Some(free) = (0..PURPOSES.len())
                .map(|more| (first + more) % PURPOSES.len())
                .find(|purpose| !taken.contains(&address(*purpose)))
            {
                purpose = free;
            }
            let name = PURPOSES[purpose].0;
            let mut email = address(purpose);
            while taken.contains(&email) {
                email = format!("{name}-{}@{}.iam.gserviceaccount.example", dice.base36(3), of.id);
            }
            let person = people.get(dice.below(people.len().max(1))).filter(|_| dice.percent(15));
            let display = match person {
                Some(index) => {
                    Some(format!("{name} ({})", organisation.person(*index).name.given().to_lowercase()))
                }
                None => dice.percent(70).then(|| name.replace('-', " ")),
            };
            (email, display)
        };
        taken.insert(email.clone());
        let description = (nth >= projects.len() && dice.percent(25)).then_some("Created by Terraform");
        accounts.push(Account {
            project,
            purpose,
            email,
            display,
            description,
            disabled: nth >= projects.len() && nth % 9 == 5,
        });
    }
    accounts
}

fn bind(
    organisation: &Organisation,
    groups: &Groups,
    projects: &mut [Project],
    accounts: &[Account],
    out: &mut Output<'_>,
) {
    let user = |index: u32| format!("user:{}", organisation.address(organisation.person(index)));
    let group = |at: usize| format!("group:{}", groups.all[at].email);
    let count = projects.len();
    let add = |projects: &mut [Project], at: usize, role: &'static str, member: String| {
        projects[at % count].bindings.entry(role).or_default().insert(member);
    };
    for account in
        accounts.iter().filter(|account| account.email.ends_with("@developer.gserviceaccount.example"))
    {
        add(projects, account.project, EDITOR, format!("serviceAccount:{}", account.email));
    }
    for account in accounts.iter().skip(count) {
        for role in PURPOSES[account.purpose].1 {
            add(projects, account.project, role, format!("serviceAccount:{}", account.email));
        }
    }
    for (nth, index) in organisation
        .all(|person| person.has(Trait::GcpOwner) && person.workspace == Standing::Live)
        .into_iter()
        .enumerate()
    {
        add(projects, nth, OWNER, user(index));
    }
    add(projects, 0, OWNER, group(CLOUD_OWNERS));
    add(projects, 3, OWNER, group(CLOUD_OWNERS));
    for at in (0..count).filter(|at| at % 3 == 1) {
        add(projects, at, EDITOR, group(CLOUD_EDITORS));
    }
    add(projects, 2, "roles/bigquery.dataViewer", group(PARTNERS_IN_DATA));
    add(projects, 1, KEY_ADMIN, group(KEY_ADMINS));
    add(projects, 4, "roles/monitoring.viewer", group(ONCALL));
    // Administrators of Workspace with a role that mints credentials, in their own name.
    for (nth, index) in organisation
        .some("minting admins", organisation.count([2, 2, 4]), |person| {
            person.has(Trait::Unenforced2sv)
                && person.workspace == Standing::Live
                && person.traits.any(&[Trait::WorkspaceSuper, Trait::WorkspaceDelegated])
        })
        .into_iter()
        .enumerate()
    {
        out.plant("administrator-who-can-mint-credentials", organisation.address(organisation.person(index)));
        add(projects, nth * 2 + 1, if nth % 2 == 0 { TOKEN_CREATOR } else { ACCOUNT_ADMIN }, user(index));
    }
    for (nth, index) in organisation.all(|person| person.has(Trait::GcpContractor)).into_iter().enumerate() {
        out.plant("contractor-on-gcp-project", hr_address(organisation, organisation.person(index), index));
        if nth % 3 == 2 && projects[nth % count].conditional.is_none() {
            projects[nth % count].conditional = Some((EDITOR, user(index)));
        } else {
            add(projects, nth + 1, if nth % 2 == 0 { EDITOR } else { OWNER }, user(index));
        }
    }
    for (nth, index) in organisation.all(|person| person.has(Trait::BehindGcp)).into_iter().enumerate() {
        out.plant("leaver-in-gcp-binding", hr_address(organisation, organisation.person(index), index));
        let role = [EDITOR, ACCOUNT_ADMIN, OWNER, "roles/viewer"][nth % 4];
        add(projects, nth, role, user(index));
    }
    for (nth, index) in organisation.all(|person: &Person| person.has(Trait::Gcp)).into_iter().enumerate() {
        let mut dice = organisation.dice("gcp daily", nth);
        for _ in 0..=dice.below(2) {
            add(projects, dice.below(count), DAILY[dice.below(DAILY.len())], user(index));
        }
    }
    // What is left of members who were deleted.
    let gone = organisation.some("deleted members", organisation.count([1, 2, 8]), |person| {
        person.is_leaver() && person.workspace == Standing::None && !person.has(Trait::BehindGcp)
    });
    for (nth, index) in gone.into_iter().enumerate() {
        let member =
            format!("deleted:{}?uid=1{}", user(index), organisation.dice("gone uid", nth).twenty_digits());
        add(projects, nth * 2, if nth % 2 == 0 { OWNER } else { "roles/viewer" }, member);
    }
    add(
        projects,
        2,
        EDITOR,
        format!(
            "deleted:group:old-data-team@{}?uid=1{}",
            organisation.domains[0],
            organisation.dice("gone group", 0).twenty_digits()
        ),
    );
    add(projects, 1, "roles/viewer", format!("domain:{}", organisation.domains[0]));
    for (nth, (role, member)) in outsiders(organisation).into_iter().enumerate() {
        out.plant("outsider-in-gcp-binding", member.as_str());
        add(projects, nth * 4 + 2, role, member);
    }
}

/// Members of other firms, by their domain, in their own name, as a group or as a program. Everybody at all (`allUsers`) is
/// not among them: a project's policy takes no such member.
fn outsiders(organisation: &Organisation) -> Vec<(&'static str, String)> {
    let first = organisation.dice("gcp outsiders", 0).below(PARTNERS.len());
    (0..organisation.count([1, 2, 6]))
        .map(|nth| {
            let mut dice = organisation.dice("gcp outsider", nth);
            let (firm, domain) = PARTNERS[(first + nth * 3) % PARTNERS.len()];
            match nth % 4 {
                0 => ("roles/bigquery.dataViewer", format!("domain:{domain}")),
                1 => {
                    let outsider = dice.pick(&organisation.outsiders);
                    (
                        *dice.pick(&["roles/viewer", "roles/logging.viewer"]),
                        format!("user:{}", outsider.address),
                    )
                }
                2 => {
                    let program = *dice.pick(&["export", "reader", "connector"]);
                    let project = format!("{}-prod", slug(firm));
                    let member = format!("serviceAccount:{program}@{project}.iam.gserviceaccount.example");
                    ("roles/pubsub.subscriber", member)
                }
                _ => ("roles/storage.objectViewer", format!("group:analysts@{domain}")),
            }
        })
        .collect()
}
