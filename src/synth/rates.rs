//! The mess of an enterprise, counted: what share of accounts, keys, files is in which bad state, wanted and got.
//!
//! Every figure comes from SQL over the finished rows, not from what the generator meant to do. The wanted figures are
//! working assumptions for a believable enterprise (`docs/enterprise.md`).

use rusqlite::Connection;

/// What a figure should be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wanted {
    /// So many of a hundred of the population.
    Percent(f64),
    /// So many at 75, 400 and 2,000 HR records.
    Counts([u64; 3]),
}

/// One figure of an enterprise.
#[derive(Debug, Clone)]
pub struct Rate {
    /// What is counted.
    pub name: &'static str,
    /// What it should be.
    pub wanted: Wanted,
    /// How many there are.
    pub got: u64,
    /// Of how many; 0 where the wanted figure is a count.
    pub of: u64,
}

impl Rate {
    /// The number of hits wanted in an organisation of a reference size; `size` is its place among them.
    #[allow(clippy::cast_precision_loss)] // populations are far below 2^52
    pub fn wanted_hits(&self, size: usize) -> f64 {
        match self.wanted {
            Percent(percent) => self.of as f64 * percent / 100.0,
            Counts(counts) => counts[size] as f64,
        }
    }

    /// Whether the figure is within 20 per cent of what is wanted, or 2, whichever is more.
    #[allow(clippy::cast_precision_loss)]
    pub fn holds(&self, size: usize) -> bool {
        let wanted = self.wanted_hits(size);
        (self.got as f64 - wanted).abs() <= (wanted * 0.2).max(2.0)
    }
}

/// Views that say once what several figures need; `?` stands for the release date.
const VIEWS: &str = "
CREATE TEMP TABLE today AS SELECT ? AS day;
CREATE TEMP TABLE hr AS SELECT lower(email) AS mail, lifecyclestatus AS state, terminationdate AS ended, * FROM hibob_employee;
CREATE TEMP TABLE leaver AS SELECT mail, max(ended) AS ended FROM hr, today GROUP BY mail
  HAVING min(state = 'Terminated' AND ended <= day) = 1;
CREATE INDEX temp.leaver_mail ON leaver (mail);
CREATE INDEX temp.hr_mail ON hr (mail);
CREATE TEMP TABLE okta AS SELECT lower(login) AS name, lower(email) AS mail, * FROM okta_user;
CREATE INDEX temp.okta_mail ON okta (mail);
CREATE INDEX temp.okta_id ON okta (id);
CREATE TEMP TABLE factor AS SELECT user_id, factor_type FROM okta_factor WHERE status = 'ACTIVE';
CREATE INDEX temp.factor_user ON factor (user_id);
CREATE TEMP TABLE entra AS SELECT lower(user_principal_name) AS name, * FROM azuread_user;
CREATE INDEX temp.entra_id ON entra (id);
CREATE INDEX temp.entra_name ON entra (name);
CREATE TEMP TABLE workspace AS SELECT lower(primary_email) AS name, * FROM googleworkspace_user;
CREATE INDEX temp.workspace_name ON workspace (name);
CREATE TEMP TABLE iam_key AS SELECT k.*, julianday(day) - julianday(substr(k.create_date, 1, 10)) AS age FROM aws_iam_access_key k, today;
CREATE TEMP TABLE public_file AS SELECT f.*, lower(owner_email) AS owner FROM googleworkspace_shared_drive_file f
  WHERE EXISTS (SELECT 1 FROM json_each(permissions) p WHERE json_extract(p.value, '$.type') = 'anyone');
CREATE TEMP TABLE inside AS SELECT DISTINCT substr(primary_email, instr(primary_email, '@') + 1) AS domain FROM googleworkspace_user;
CREATE TEMP TABLE left_iam AS SELECT DISTINCT l.mail FROM leaver l JOIN aws_iam_user u
  ON lower(coalesce(json_extract(u.tags, '$.email'), json_extract(u.tags, '$.owner'), u.name)) IN (l.mail, substr(l.mail, 1, instr(l.mail, '@') - 1))
  JOIN aws_iam_access_key k ON k.account_id = u.account_id AND k.user_name = u.name AND k.status = 'Active'
  WHERE u.path <> '/service/' AND u.name NOT LIKE 'svc-%';
CREATE TEMP TABLE left_center AS SELECT l.mail FROM leaver l JOIN aws_identitystore_user i ON lower(i.name) = l.mail AND i.user_status IS NOT 'DISABLED';
CREATE TEMP TABLE left_github AS SELECT l.mail FROM leaver l JOIN github_organization_member g ON lower(g.saml_name_id) = l.mail;
CREATE TEMP TABLE left_atlas AS SELECT l.mail FROM leaver l JOIN mongodbatlas_org_user a ON lower(a.username) = l.mail;
CREATE TEMP TABLE left_workspace AS SELECT l.mail FROM leaver l JOIN workspace w ON w.name = l.mail AND w.suspended = 0 AND w.archived = 0;
CREATE TEMP TABLE super_group AS SELECT id FROM okta_group WHERE admin_roles LIKE '%SUPER_ADMIN%';
";

/// Name, wanted, SQL giving hits and, for a share, the population.
type Figure = (&'static str, Wanted, &'static str);

use Wanted::{Counts, Percent};

const FIGURES: &[Figure] = &[
    ("HR: employed", Percent(80.0), "SELECT sum(state = 'Employed'), count(*) FROM hr"),
    ("HR: on leave", Percent(2.0), "SELECT sum(state = 'Leave'), count(*) FROM hr"),
    ("HR: hired, not started", Percent(3.0), "SELECT sum(state = 'Hired'), count(*) FROM hr"),
    ("HR: garden leave", Percent(1.0), "SELECT sum(state = 'Garden leave'), count(*) FROM hr"),
    ("HR: terminated", Percent(14.0), "SELECT sum(state = 'Terminated'), count(*) FROM hr"),
    ("HR: contractors", Percent(10.0), "SELECT sum(employmenttype = 'Contractor'), count(*) FROM hr"),
    (
        "HR: people with two records",
        Counts([1, 4, 15]),
        "SELECT count(*), 0 FROM (SELECT mail FROM hr GROUP BY mail HAVING count(*) > 1)",
    ),
    (
        "Leavers whose Okta account is ACTIVE or PASSWORD_EXPIRED",
        Percent(12.0),
        "SELECT (SELECT count(*) FROM leaver JOIN okta USING (mail) WHERE status IN ('ACTIVE', 'PASSWORD_EXPIRED')), count(*) FROM leaver",
    ),
    (
        "Leavers DEPROVISIONED in Okta with access elsewhere",
        Percent(20.0),
        "SELECT (SELECT count(*) FROM leaver JOIN okta USING (mail) WHERE status = 'DEPROVISIONED' AND mail IN (SELECT mail FROM left_iam UNION SELECT mail FROM left_center UNION SELECT mail FROM left_github UNION SELECT mail FROM left_atlas UNION SELECT mail FROM left_workspace)), count(*) FROM leaver",
    ),
    (
        "HR: employed with a termination date ahead",
        Counts([2, 3, 12]),
        "SELECT count(*), 0 FROM hr, today WHERE ended > day AND state = 'Employed'",
    ),
    (
        "Okta accounts without an HR record",
        Percent(6.0),
        "SELECT sum(mail NOT IN (SELECT mail FROM hr) AND second_email IS NOT email AND (second_email IS NULL OR lower(second_email) NOT IN (SELECT mail FROM hr))), count(*) FROM okta",
    ),
    (
        "Entra members without an HR record",
        Percent(6.0),
        "SELECT sum(name NOT IN (SELECT mail FROM hr)), count(*) FROM entra WHERE user_type IS NOT 'Guest'",
    ),
    (
        "Workspace accounts without an HR record",
        Percent(6.0),
        "SELECT sum(name NOT IN (SELECT mail FROM hr)), count(*) FROM workspace",
    ),
    (
        "HR records without an Okta account",
        Percent(2.0),
        "SELECT sum(mail NOT IN (SELECT mail FROM okta) AND mail NOT IN (SELECT lower(second_email) FROM okta WHERE second_email IS NOT NULL)), count(*) FROM hr",
    ),
    ("Okta: ACTIVE", Percent(82.0), "SELECT sum(status = 'ACTIVE'), count(*) FROM okta"),
    ("Okta: PROVISIONED", Percent(3.0), "SELECT sum(status = 'PROVISIONED'), count(*) FROM okta"),
    ("Okta: STAGED", Percent(2.0), "SELECT sum(status = 'STAGED'), count(*) FROM okta"),
    ("Okta: SUSPENDED", Percent(2.0), "SELECT sum(status = 'SUSPENDED'), count(*) FROM okta"),
    ("Okta: LOCKED_OUT", Percent(1.0), "SELECT sum(status = 'LOCKED_OUT'), count(*) FROM okta"),
    ("Okta: PASSWORD_EXPIRED", Percent(2.0), "SELECT sum(status = 'PASSWORD_EXPIRED'), count(*) FROM okta"),
    ("Okta: DEPROVISIONED", Percent(8.0), "SELECT sum(status = 'DEPROVISIONED'), count(*) FROM okta"),
    (
        "People whose address is in another case in some system",
        Percent(8.0),
        "SELECT sum(h.email <> lower(h.email) OR o.email <> lower(o.email) OR i.name <> lower(i.name) OR e.mail <> lower(e.mail)), count(*) FROM hr h JOIN okta o ON o.mail = h.mail LEFT JOIN entra e ON e.name = h.mail LEFT JOIN aws_identitystore_user i ON json_extract(i.external_ids, '$[0].Id') = o.id",
    ),
    (
        "People with an alias or an old surname in some system",
        Percent(5.0),
        "SELECT (SELECT count(*) FROM workspace WHERE aliases IS NOT NULL), count(DISTINCT mail) FROM hr",
    ),
    (
        "People who go by a short name",
        Percent(12.0),
        "SELECT count(DISTINCT mail) FILTER (WHERE displayname <> fullname), count(DISTINCT mail) FROM hr",
    ),
    (
        "People with marks or a hyphen in their name",
        Percent(4.0),
        "SELECT count(DISTINCT mail) FILTER (WHERE length(fullname) <> length(CAST(fullname AS BLOB)) OR instr(surname, '-') > 0), count(DISTINCT mail) FROM hr",
    ),
    (
        "Pairs of people of one name",
        Counts([1, 3, 14]),
        "SELECT count(*), 0 FROM (SELECT fullname FROM hr GROUP BY fullname HAVING count(DISTINCT mail) = 2)",
    ),
    (
        "Shared mailboxes with a log-in",
        Counts([3, 8, 20]),
        "SELECT count(*), 0 FROM workspace WHERE org_unit_path = '/Shared Mailboxes'",
    ),
    (
        "IAM: password without MFA",
        Percent(18.0),
        "SELECT sum(mfa_enabled = 0), count(*) FROM aws_iam_user WHERE password_enabled = 1",
    ),
    (
        "AWS: root without MFA",
        Counts([1, 2, 4]),
        "SELECT sum(account_mfa_enabled = 0), 0 FROM aws_iam_account_summary",
    ),
    (
        "AWS: root with access keys",
        Counts([1, 1, 3]),
        "SELECT sum(account_access_keys_present > 0), 0 FROM aws_iam_account_summary",
    ),
    (
        "IAM: active keys older than 90 days",
        Percent(55.0),
        "SELECT sum(age > 90), count(*) FROM iam_key WHERE status = 'Active'",
    ),
    ("IAM: keys never used", Percent(12.0), "SELECT sum(last_used_date IS NULL), count(*) FROM iam_key"),
    (
        "IAM: users with keys whose both keys are active",
        Percent(8.0),
        "SELECT sum(n = 2), count(*) FROM (SELECT sum(status = 'Active') AS n FROM iam_key GROUP BY account_id, user_name)",
    ),
    (
        "IAM: AdministratorAccess attached to a user",
        Counts([2, 6, 18]),
        "SELECT count(*), 0 FROM aws_iam_policy_attachment WHERE entity_type = 'User' AND policy_arn = 'arn:aws:iam::aws:policy/AdministratorAccess'",
    ),
    (
        "IAM: roles open to outsiders without external id or MFA, or to all",
        Counts([4, 5, 14]),
        "SELECT count(DISTINCT r.arn), 0 FROM aws_iam_role r, json_each(r.assume_role_policy, '$.Statement') s, json_tree(s.value, '$.Principal') p WHERE json_extract(s.value, '$.Condition') IS NULL AND p.type = 'text' AND p.fullkey NOT LIKE '%Service%' AND p.fullkey NOT LIKE '%Federated%' AND (p.value = '*' OR NOT EXISTS (SELECT 1 FROM aws_organizations_account a WHERE instr(p.value, a.id) > 0))",
    ),
    (
        "AWS: active accounts without a password policy",
        Counts([1, 1, 3]),
        "SELECT count(*), 0 FROM aws_organizations_account a WHERE NOT EXISTS (SELECT 1 FROM aws_iam_account_password_policy p WHERE p.account_id = a.id)",
    ),
    (
        "Identity Center: assignments to a user",
        Percent(15.0),
        "SELECT sum(principal_type = 'USER'), count(*) FROM aws_ssoadmin_account_assignment",
    ),
    (
        "Okta: ACTIVE without a factor",
        Percent(9.0),
        "SELECT sum(id NOT IN (SELECT user_id FROM factor)), count(*) FROM okta WHERE status = 'ACTIVE'",
    ),
    (
        "Okta: ACTIVE with SMS, call, e-mail or question only",
        Percent(14.0),
        "SELECT sum(id IN (SELECT user_id FROM factor) AND id NOT IN (SELECT user_id FROM factor WHERE factor_type NOT IN ('sms', 'call', 'email', 'question'))), count(*) FROM okta WHERE status = 'ACTIVE'",
    ),
    (
        "Okta apps: MFA required",
        Percent(60.0),
        "SELECT sum(mfa_required = 1), count(*) FROM okta_application",
    ),
    (
        "Okta apps: MFA not required",
        Percent(22.0),
        "SELECT sum(mfa_required = 0), count(*) FROM okta_application",
    ),
    (
        "Okta apps: MFA not set",
        Percent(18.0),
        "SELECT sum(mfa_required IS NULL), count(*) FROM okta_application",
    ),
    (
        "Okta: super administrators of their own",
        Counts([3, 5, 9]),
        "SELECT count(*), 0 FROM okta WHERE assigned_roles LIKE '%SUPER_ADMIN%'",
    ),
    (
        "Okta: groups with the super administrator role",
        Counts([1, 2, 3]),
        "SELECT count(*), 0 FROM super_group",
    ),
    (
        "Okta: MFA policies inactive or wholly optional",
        Counts([1, 1, 2]),
        "SELECT count(*), 0 FROM okta_mfa_policy m WHERE status = 'INACTIVE' OR NOT EXISTS (SELECT 1 FROM json_each(m.authenticators) a WHERE json_extract(a.value, '$.enroll') <> 'OPTIONAL')",
    ),
    ("Entra: guests", Percent(8.0), "SELECT sum(user_type = 'Guest'), count(*) FROM entra"),
    (
        "Entra: guests pending for more than 90 days",
        Percent(25.0),
        "SELECT sum(external_user_state = 'PendingAcceptance' AND julianday(day) - julianday(substr(created_date_time, 1, 10)) > 90), count(*) FROM entra, today WHERE user_type = 'Guest'",
    ),
    (
        "Entra: Global Administrators not registered for MFA",
        Counts([2, 2, 4]),
        "SELECT count(DISTINCT e.id), 0 FROM azuread_directory_role_assignment r LEFT JOIN azuread_group_member m ON m.group_id = r.principal_id JOIN entra e ON e.id IN (r.principal_id, m.member_id) WHERE r.role_display_name = 'Global Administrator' AND NOT EXISTS (SELECT 1 FROM azuread_user_registration_details_report d WHERE d.id = e.id AND d.is_mfa_registered = 1)",
    ),
    (
        "Entra: conditional access report-only or with excluded users",
        Counts([2, 3, 5]),
        "SELECT count(*), 0 FROM azuread_conditional_access_policy WHERE state = 'enabledForReportingButNotEnforced' OR json_array_length(users, '$.excludeUsers') > 0",
    ),
    (
        "Entra apps: secret expired or for more than two years",
        Percent(25.0),
        "SELECT count(DISTINCT s.id) FILTER (WHERE substr(json_extract(p.value, '$.endDateTime'), 1, 10) <= day OR julianday(substr(json_extract(p.value, '$.endDateTime'), 1, 10)) - julianday(substr(json_extract(p.value, '$.startDateTime'), 1, 10)) > 731), (SELECT count(*) FROM azuread_service_principal) FROM today, azuread_service_principal s LEFT JOIN json_each(s.password_credentials) p",
    ),
    (
        "Entra apps: without an owner",
        Percent(30.0),
        "SELECT sum(owner_ids = '[]'), count(*) FROM azuread_service_principal",
    ),
    (
        "GCP: user-managed keys older than 90 days",
        Percent(60.0),
        "SELECT sum(julianday(day) - julianday(substr(valid_after_time, 1, 10)) > 90), count(*) FROM gcp_service_account_key, today WHERE key_type = 'USER_MANAGED'",
    ),
    (
        "GCP: keys on a disabled account",
        Counts([1, 3, 8]),
        "SELECT count(*), 0 FROM gcp_service_account_key k JOIN gcp_service_account a ON a.email = k.service_account_name WHERE a.disabled = 1 AND k.key_type = 'USER_MANAGED'",
    ),
    (
        "GCP: people who own or edit a project in their own name",
        Counts([3, 9, 30]),
        "SELECT count(DISTINCT m.value), 0 FROM gcp_iam_policy p, json_each(p.bindings) b, json_each(b.value, '$.members') m WHERE m.value LIKE 'user:%' AND json_extract(b.value, '$.role') IN ('roles/owner', 'roles/editor')",
    ),
    (
        "GCP: members from outside in a binding",
        Counts([1, 2, 6]),
        "SELECT count(DISTINCT m.value), 0 FROM gcp_iam_policy p, json_each(p.bindings) b, json_each(b.value, '$.members') m WHERE m.value IN ('allUsers', 'allAuthenticatedUsers') OR (m.value LIKE 'serviceAccount:%' AND substr(m.value, 16) NOT IN (SELECT email FROM gcp_service_account)) OR (m.value LIKE 'domain:%' AND substr(m.value, 8) NOT IN (SELECT domain FROM inside)) OR ((m.value LIKE 'user:%' OR m.value LIKE 'group:%') AND substr(m.value, instr(m.value, '@') + 1) NOT IN (SELECT domain FROM inside))",
    ),
    (
        "GCP: members who were deleted",
        Counts([1, 3, 9]),
        "SELECT count(DISTINCT m.value), 0 FROM gcp_iam_policy p, json_each(p.bindings) b, json_each(b.value, '$.members') m WHERE m.value LIKE 'deleted:%'",
    ),
    (
        "GitHub: members without 2FA",
        Percent(10.0),
        "SELECT sum(has_two_factor_enabled = 0), count(*) FROM github_organization_member WHERE role <> 'OUTSIDE_COLLABORATOR'",
    ),
    (
        "GitHub: members whose 2FA is not visible",
        Percent(5.0),
        "SELECT sum(has_two_factor_enabled IS NULL), count(*) FROM github_organization_member WHERE role <> 'OUTSIDE_COLLABORATOR'",
    ),
    (
        "GitHub: members without a SAML link",
        Percent(15.0),
        "SELECT sum(saml_name_id IS NULL), count(*) FROM github_organization_member WHERE role <> 'OUTSIDE_COLLABORATOR'",
    ),
    (
        "GitHub: outside collaborators with ADMIN",
        Counts([2, 4, 12]),
        "SELECT count(DISTINCT user_login), 0 FROM github_repository_collaborator c JOIN github_organization_member m ON m.login = c.user_login WHERE m.role = 'OUTSIDE_COLLABORATOR' AND c.permission = 'ADMIN'",
    ),
    (
        "GitHub: public repositories",
        Percent(8.0),
        "SELECT sum(visibility = 'public'), count(*) FROM github_repository",
    ),
    (
        "GitHub: default branch unprotected",
        Percent(40.0),
        "SELECT sum(default_branch_protected = 0), count(*) FROM github_repository",
    ),
    (
        "Workspace: live without 2SV",
        Percent(14.0),
        "SELECT sum(is_enrolled_in_2sv = 0), count(*) FROM workspace WHERE suspended = 0 AND archived = 0",
    ),
    (
        "Workspace: super administrators without 2SV",
        Counts([2, 2, 3]),
        "SELECT count(*), 0 FROM workspace WHERE is_admin = 1 AND suspended = 0 AND archived = 0 AND is_enrolled_in_2sv = 0",
    ),
    (
        "Workspace: outside members of groups",
        Percent(3.0),
        "SELECT sum(type IN ('USER', 'EXTERNAL') AND substr(email, instr(email, '@') + 1) NOT IN (SELECT domain FROM inside)), count(*) FROM googleworkspace_group_member",
    ),
    (
        "Entra and Workspace: groups in groups",
        Counts([3, 10, 35]),
        "SELECT (SELECT count(*) FROM azuread_group_member WHERE member_type = 'Group') + (SELECT count(*) FROM googleworkspace_group_member WHERE type = 'GROUP'), 0",
    ),
    (
        "Workspace: files open to anyone",
        Percent(6.0),
        "SELECT (SELECT count(*) FROM public_file WHERE trashed = 0), count(*) FROM googleworkspace_shared_drive_file",
    ),
    (
        "Workspace: files shared with an outside domain or person",
        Percent(9.0),
        "SELECT count(DISTINCT f.id) FILTER (WHERE json_extract(p.value, '$.type') IN ('user', 'domain') AND json_extract(p.value, '$.deleted') IS NULL AND coalesce(substr(json_extract(p.value, '$.expirationTime'), 1, 10) > day, 1) AND coalesce(json_extract(p.value, '$.domain'), substr(json_extract(p.value, '$.emailAddress'), instr(json_extract(p.value, '$.emailAddress'), '@') + 1)) NOT IN (SELECT domain FROM inside)), (SELECT count(*) FROM googleworkspace_shared_drive_file) FROM today, googleworkspace_shared_drive_file f, json_each(f.permissions) p",
    ),
    (
        "Workspace: public files whose owner is shut in Okta",
        Counts([3, 8, 25]),
        "SELECT count(*), 0 FROM public_file f JOIN okta o ON o.name = f.owner WHERE f.trashed = 0 AND o.status IN ('SUSPENDED', 'DEPROVISIONED')",
    ),
    (
        "Workspace: public files in the trash",
        Counts([1, 3, 8]),
        "SELECT count(*), 0 FROM public_file WHERE trashed = 1",
    ),
    (
        "Atlas: organization owners",
        Counts([2, 4, 7]),
        "SELECT count(*), 0 FROM mongodbatlas_org_user WHERE org_roles LIKE '%ORG_OWNER%'",
    ),
    (
        "Atlas: users with a private address",
        Counts([1, 2, 6]),
        "SELECT count(*), 0 FROM mongodbatlas_org_user WHERE substr(username, instr(username, '@') + 1) NOT IN (SELECT domain FROM inside)",
    ),
    (
        "Atlas: atlasAdmin on all clusters without end",
        Percent(20.0),
        "SELECT sum(roles LIKE '%atlasAdmin%' AND scopes = '[]' AND delete_after_date IS NULL), count(*) FROM mongodbatlas_database_user",
    ),
];

/// Counts all figures of the database in these bytes, which has the 44 tables.
///
/// # Errors
/// What SQLite says, for example of a database without these tables.
pub fn rates(data: &[u8], release_date: jiff::civil::Date) -> rusqlite::Result<Vec<Rate>> {
    let mut connection = Connection::open_in_memory()?;
    connection.deserialize_read_exact("main", data, data.len(), true)?;
    // The first statement of the views holds the only parameter.
    let (first, rest) = VIEWS.split_once(';').unwrap_or((VIEWS, ""));
    connection.execute(first, [release_date.to_string()])?;
    connection.execute_batch(rest)?;
    FIGURES
        .iter()
        .map(|(name, wanted, sql)| {
            let (got, of) = connection.query_row(sql, [], |row| {
                Ok((row.get::<_, Option<i64>>(0)?.unwrap_or(0), row.get::<_, i64>(1)?))
            })?;
            Ok(Rate {
                name,
                wanted: *wanted,
                got: u64::try_from(got).unwrap_or(0),
                of: u64::try_from(of).unwrap_or(0),
            })
        })
        .collect()
}
