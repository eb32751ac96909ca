//! What holds of every enterprise, whatever the seed, the size and the kind.

use crate::support::{Enterprise, seeds};
use casebook::synth::Parameters;

/// What may not be: a name, and SQL that lists offenders. `:day` is the release date.
const NEVER: &[(&str, &str)] = &[
    // Counts and edges.
    (
        "summary: users",
        "SELECT s.account_id FROM aws_iam_account_summary s WHERE users <> (SELECT count(*) FROM aws_iam_user u WHERE u.account_id = s.account_id)",
    ),
    (
        "summary: groups",
        "SELECT s.account_id FROM aws_iam_account_summary s WHERE groups <> (SELECT count(*) FROM aws_iam_group u WHERE u.account_id = s.account_id)",
    ),
    (
        "summary: roles",
        "SELECT s.account_id FROM aws_iam_account_summary s WHERE roles <> (SELECT count(*) FROM aws_iam_role u WHERE u.account_id = s.account_id)",
    ),
    (
        "summary: policies",
        "SELECT s.account_id FROM aws_iam_account_summary s WHERE policies <> (SELECT count(*) FROM aws_iam_policy u WHERE u.account_id = s.account_id AND is_aws_managed = 0)",
    ),
    (
        "summary: devices",
        "SELECT s.account_id FROM aws_iam_account_summary s WHERE mfa_devices_in_use <> account_mfa_enabled + (SELECT count(*) FROM aws_iam_user u WHERE u.account_id = s.account_id AND u.mfa_enabled = 1)",
    ),
    (
        "one summary an account",
        "SELECT id FROM aws_organizations_account WHERE id NOT IN (SELECT account_id FROM aws_iam_account_summary)",
    ),
    (
        "IAM membership resolves",
        "SELECT user_name FROM aws_iam_group_membership m WHERE NOT EXISTS (SELECT 1 FROM aws_iam_user u WHERE u.account_id = m.account_id AND u.name = m.user_name) OR NOT EXISTS (SELECT 1 FROM aws_iam_group g WHERE g.account_id = m.account_id AND g.name = m.group_name)",
    ),
    (
        "attachment resolves",
        "SELECT entity_name FROM aws_iam_policy_attachment a WHERE NOT EXISTS (SELECT 1 FROM aws_iam_policy p WHERE p.account_id = a.account_id AND p.arn = a.policy_arn AND p.name = a.policy_name) OR NOT EXISTS (SELECT 1 FROM (SELECT 'User' AS kind, account_id, name FROM aws_iam_user UNION ALL SELECT 'Group', account_id, name FROM aws_iam_group UNION ALL SELECT 'Role', account_id, name FROM aws_iam_role) e WHERE e.kind = a.entity_type AND e.account_id = a.account_id AND e.name = a.entity_name)",
    ),
    (
        "attachment counts agree",
        "SELECT arn FROM aws_iam_policy p WHERE attachment_count <> (SELECT count(*) FROM aws_iam_policy_attachment a WHERE a.account_id = p.account_id AND a.policy_arn = p.arn) OR is_attached <> (attachment_count > 0)",
    ),
    (
        "at most two keys, of a user that exists",
        "SELECT user_name FROM aws_iam_access_key k GROUP BY account_id, user_name HAVING count(*) > 2 OR NOT EXISTS (SELECT 1 FROM aws_iam_user u WHERE u.account_id = k.account_id AND u.name = k.user_name)",
    ),
    (
        "IAM names differ without case",
        "SELECT name FROM aws_iam_user GROUP BY account_id, lower(name) HAVING count(*) > 1",
    ),
    (
        "boundary exists",
        "SELECT name FROM aws_iam_user WHERE permissions_boundary_arn IS NOT NULL AND permissions_boundary_arn NOT IN (SELECT arn FROM aws_iam_policy)",
    ),
    (
        "MFA devices and flag agree",
        "SELECT name FROM aws_iam_user WHERE mfa_enabled <> (coalesce(json_array_length(mfa_devices), 0) > 0)",
    ),
    (
        "no password, no dates of it",
        "SELECT name FROM aws_iam_user WHERE password_enabled = 0 AND (password_last_used IS NOT NULL OR password_last_changed IS NOT NULL)",
    ),
    (
        "Okta membership resolves",
        "SELECT user_id FROM okta_group_member WHERE user_id NOT IN (SELECT id FROM okta_user) OR group_id NOT IN (SELECT id FROM okta_group)",
    ),
    (
        "DEPROVISIONED is in no group",
        "SELECT user_id FROM okta_group_member WHERE user_id IN (SELECT id FROM okta_user WHERE status = 'DEPROVISIONED')",
    ),
    (
        "GROUP assignment comes of a group",
        "SELECT a.id FROM okta_app_assigned_user a JOIN okta_application p ON p.id = a.app_id WHERE a.scope = 'GROUP' AND NOT EXISTS (SELECT 1 FROM json_each(p.assigned_groups) g JOIN okta_group_member m ON m.group_id = g.value WHERE m.user_id = a.id)",
    ),
    (
        "members of an assigned group are assigned",
        "SELECT m.user_id FROM okta_application p, json_each(p.assigned_groups) g JOIN okta_group_member m ON m.group_id = g.value WHERE NOT EXISTS (SELECT 1 FROM okta_app_assigned_user a WHERE a.app_id = p.id AND a.id = m.user_id)",
    ),
    (
        "assignment resolves",
        "SELECT id FROM okta_app_assigned_user WHERE id NOT IN (SELECT id FROM okta_user) OR app_id NOT IN (SELECT id FROM okta_application)",
    ),
    (
        "DEPROVISIONED has no active factor",
        "SELECT user_id FROM okta_factor WHERE status = 'ACTIVE' AND user_id NOT IN (SELECT id FROM okta_user WHERE status <> 'DEPROVISIONED')",
    ),
    (
        "STAGED was never activated or signed in",
        "SELECT login FROM okta_user WHERE status = 'STAGED' AND (last_login IS NOT NULL OR activated IS NOT NULL)",
    ),
    (
        "policies name groups that exist",
        "SELECT g.value FROM (SELECT included_groups FROM okta_mfa_policy UNION ALL SELECT included_groups FROM okta_password_policy), json_each(included_groups) g WHERE g.value NOT IN (SELECT id FROM okta_group)",
    ),
    (
        "Identity Center membership resolves",
        "SELECT membership_id FROM aws_identitystore_group_membership WHERE group_id NOT IN (SELECT id FROM aws_identitystore_group) OR member_id NOT IN (SELECT id FROM aws_identitystore_user)",
    ),
    (
        "Identity Center user comes of an Okta account",
        "SELECT name FROM aws_identitystore_user WHERE json_extract(external_ids, '$[0].Id') NOT IN (SELECT id FROM okta_user)",
    ),
    (
        "assignment to principals, sets and accounts that exist",
        "SELECT principal_id FROM aws_ssoadmin_account_assignment WHERE target_account_id NOT IN (SELECT id FROM aws_organizations_account) OR permission_set_arn NOT IN (SELECT arn FROM aws_ssoadmin_permission_set) OR principal_id NOT IN (SELECT id FROM aws_identitystore_user WHERE principal_type = 'USER' UNION ALL SELECT id FROM aws_identitystore_group WHERE principal_type = 'GROUP')",
    ),
    (
        "Entra membership resolves",
        "SELECT member_id FROM azuread_group_member WHERE group_id NOT IN (SELECT id FROM azuread_group) OR member_id NOT IN (SELECT id FROM azuread_user WHERE member_type = 'User' UNION ALL SELECT id FROM azuread_group WHERE member_type = 'Group')",
    ),
    (
        "directory role holder exists",
        "SELECT principal_id FROM azuread_directory_role_assignment WHERE principal_id NOT IN (SELECT id FROM azuread_user WHERE principal_type = 'User' UNION ALL SELECT id FROM azuread_group WHERE principal_type = 'Group' UNION ALL SELECT id FROM azuread_service_principal WHERE principal_type = 'ServicePrincipal')",
    ),
    (
        "Entra manager and owner exist",
        "SELECT id FROM azuread_user WHERE manager_id NOT IN (SELECT id FROM azuread_user) UNION ALL SELECT g.id FROM azuread_group g, json_each(g.owner_ids) o WHERE o.value NOT IN (SELECT id FROM azuread_user) UNION ALL SELECT s.id FROM azuread_service_principal s, json_each(s.owner_ids) o WHERE o.value NOT IN (SELECT id FROM azuread_user)",
    ),
    (
        "conditional access names users and groups that exist",
        "SELECT p.display_name FROM azuread_conditional_access_policy p, json_each(p.users, '$.excludeUsers') u WHERE u.value NOT IN (SELECT id FROM azuread_user) UNION ALL SELECT p.display_name FROM azuread_conditional_access_policy p, json_each(p.users, '$.excludeGroups') g WHERE g.value NOT IN (SELECT id FROM azuread_group)",
    ),
    (
        "MFA report is of users",
        "SELECT id FROM azuread_user_registration_details_report r WHERE NOT EXISTS (SELECT 1 FROM azuread_user u WHERE u.id = r.id AND u.user_principal_name = r.user_principal_name)",
    ),
    (
        "GCP keys are of accounts, accounts of projects",
        "SELECT name FROM gcp_service_account_key WHERE service_account_name NOT IN (SELECT email FROM gcp_service_account) UNION ALL SELECT email FROM gcp_service_account WHERE project_id NOT IN (SELECT project_id FROM gcp_iam_policy)",
    ),
    (
        "GCP members exist",
        "WITH own AS (SELECT DISTINCT substr(primary_email, instr(primary_email, '@')) AS domain FROM googleworkspace_user) SELECT m.value FROM gcp_iam_policy p, json_each(p.bindings) b, json_each(b.value, '$.members') m WHERE (m.value LIKE 'user:%' AND substr(m.value, instr(m.value, '@')) IN (SELECT domain FROM own) AND substr(m.value, 6) NOT IN (SELECT primary_email FROM googleworkspace_user)) OR (m.value LIKE 'group:%' AND substr(m.value, instr(m.value, '@')) IN (SELECT domain FROM own) AND substr(m.value, 7) NOT IN (SELECT email FROM googleworkspace_group)) OR (m.value LIKE 'serviceAccount:%' AND substr(m.value, 16) NOT IN (SELECT email FROM gcp_service_account) AND EXISTS (SELECT 1 FROM gcp_iam_policy o WHERE instr(m.value, '@' || o.project_id || '.') > 0))",
    ),
    (
        "Workspace membership resolves",
        "SELECT email FROM googleworkspace_group_member m WHERE group_email NOT IN (SELECT email FROM googleworkspace_group) OR (type = 'GROUP' AND email NOT IN (SELECT email FROM googleworkspace_group)) OR (type = 'USER' AND email IN (SELECT primary_email FROM googleworkspace_user) AND member_id NOT IN (SELECT id FROM googleworkspace_user u WHERE u.primary_email = m.email))",
    ),
    (
        "Workspace groups count their members",
        "SELECT email FROM googleworkspace_group g WHERE CAST(direct_members_count AS INTEGER) <> (SELECT count(*) FROM googleworkspace_group_member m WHERE m.group_email = g.email)",
    ),
    (
        "suspended members are called that",
        "SELECT m.email FROM googleworkspace_group_member m JOIN googleworkspace_user u ON u.primary_email = m.email WHERE (m.status = 'SUSPENDED') <> (u.suspended = 1)",
    ),
    (
        "a file has an owner or a drive",
        "SELECT id FROM googleworkspace_shared_drive_file WHERE (owner_email IS NULL) <> (drive_id IS NOT NULL) OR (shared IS NULL) <> (drive_id IS NOT NULL)",
    ),
    (
        "a file's owner is somebody",
        "SELECT owner_email FROM googleworkspace_shared_drive_file f WHERE owner_email NOT IN (SELECT primary_email FROM googleworkspace_user UNION ALL SELECT a.value FROM googleworkspace_user u, json_each(u.aliases) a)",
    ),
    (
        "shared says what the permissions say",
        "SELECT id FROM googleworkspace_shared_drive_file WHERE shared IS NOT NULL AND shared <> (json_array_length(permissions) > 1)",
    ),
    (
        "GitHub members are of an organization",
        "SELECT login FROM github_organization_member WHERE organization NOT IN (SELECT login FROM github_organization)",
    ),
    (
        "repositories are of an organization",
        "SELECT name FROM github_repository WHERE owner_login NOT IN (SELECT login FROM github_organization) OR full_name <> owner_login || '/' || name OR is_private <> (visibility <> 'public')",
    ),
    (
        "collaborators are on repositories",
        "SELECT user_login FROM github_repository_collaborator WHERE repository_full_name NOT IN (SELECT full_name FROM github_repository)",
    ),
    (
        "filled seats are the members",
        "SELECT login FROM github_organization o WHERE plan_filled_seats <> (SELECT count(*) FROM github_organization_member m WHERE m.organization = o.login AND m.role <> 'OUTSIDE_COLLABORATOR')",
    ),
    (
        "who enforces 2FA has nobody without",
        "SELECT m.login FROM github_organization_member m JOIN github_organization o ON o.login = m.organization WHERE o.two_factor_requirement_enabled = 1 AND m.has_two_factor_enabled = 0",
    ),
    (
        "Atlas projects exist",
        "SELECT username FROM mongodbatlas_org_user u, json_each(u.group_role_assignments) g WHERE json_extract(g.value, '$.groupId') NOT IN (SELECT project_id FROM mongodbatlas_database_user)",
    ),
    (
        "pending Atlas users have no name",
        "SELECT username FROM mongodbatlas_org_user WHERE (org_membership_status = 'PENDING') <> (first_name IS NULL)",
    ),
    // People.
    (
        "HR manager exists",
        "SELECT id FROM hibob_employee WHERE reportsto_id NOT IN (SELECT id FROM hibob_employee)",
    ),
    ("nobody reports to themselves", "SELECT id FROM hibob_employee WHERE reportsto_id = id"),
    (
        "one has no manager",
        "SELECT 1 FROM hibob_employee WHERE reportsto_id IS NULL GROUP BY 1 HAVING count(*) <> 1",
    ),
    (
        "HR status follows the lifecycle",
        "SELECT id FROM hibob_employee WHERE (status = 'Active') <> (lifecyclestatus IN ('Employed', 'Leave', 'Garden leave'))",
    ),
    (
        "terminated has a date that has come",
        "SELECT id FROM hibob_employee WHERE (lifecyclestatus = 'Terminated') <> (terminationdate IS NOT NULL AND terminationdate <= :day)",
    ),
    ("termination follows the start", "SELECT id FROM hibob_employee WHERE terminationdate <= startdate"),
    (
        "only the hired start after today",
        "SELECT id FROM hibob_employee WHERE (startdate > :day) <> (lifecyclestatus = 'Hired')",
    ),
    (
        "garden leave ends ahead",
        "SELECT id FROM hibob_employee WHERE lifecyclestatus = 'Garden leave' AND coalesce(terminationdate, '') <= :day",
    ),
    (
        "nobody starts on a weekend but founders",
        "SELECT id FROM hibob_employee WHERE lifecyclestatus <> 'Hired' AND strftime('%w', startdate) IN ('0', '6') AND startdate > (SELECT date(min(startdate), '+3 days') FROM hibob_employee) AND email NOT IN (SELECT email FROM hibob_employee GROUP BY email HAVING count(*) > 1)",
    ),
    (
        "one address, one person; two records only of a rehire",
        "SELECT email FROM hibob_employee GROUP BY lower(email) HAVING count(*) > 2 OR (count(*) = 2 AND (count(DISTINCT fullname) > 1 OR sum(status = 'Active') <> 1))",
    ),
    (
        "log-ins are unique without case",
        "SELECT login FROM okta_user GROUP BY lower(login) HAVING count(*) > 1 UNION ALL SELECT primary_email FROM googleworkspace_user GROUP BY lower(primary_email) HAVING count(*) > 1 UNION ALL SELECT user_principal_name FROM azuread_user GROUP BY lower(user_principal_name) HAVING count(*) > 1 UNION ALL SELECT name FROM aws_identitystore_user GROUP BY lower(name) HAVING count(*) > 1",
    ),
    (
        "employee numbers are unique",
        "SELECT employee_id FROM hibob_employee WHERE employee_id IS NOT NULL GROUP BY employee_id HAVING count(DISTINCT lower(email)) > 1",
    ),
    (
        "an alias is nobody's address",
        "SELECT a.value FROM googleworkspace_user u, json_each(u.aliases) a WHERE a.value IN (SELECT primary_email FROM googleworkspace_user UNION ALL SELECT login FROM okta_user UNION ALL SELECT lower(email) FROM hibob_employee UNION ALL SELECT email FROM googleworkspace_group)",
    ),
    (
        "numbers agree between HR and the directories",
        "SELECT h.email FROM hibob_employee h JOIN okta_user o ON lower(o.email) = lower(h.email) WHERE h.employee_id IS NOT NULL AND ltrim(o.employee_number, '0') IS NOT h.employee_id UNION ALL SELECT h.email FROM hibob_employee h JOIN azuread_user e ON lower(e.user_principal_name) = lower(h.email) WHERE h.employee_id IS NOT NULL AND ltrim(substr(e.employee_id, instr(e.employee_id, '-') + 1), '0') IS NOT h.employee_id UNION ALL SELECT h.email FROM hibob_employee h JOIN googleworkspace_user g ON lower(g.primary_email) = lower(h.email) WHERE h.employee_id IS NOT NULL AND json_extract(g.external_ids, '$[0].value') IS NOT h.employee_id",
    ),
    (
        "who has not started has no other account",
        "SELECT h.email FROM hibob_employee h JOIN okta_user o ON o.employee_number IS NOT NULL AND ltrim(o.employee_number, '0') = h.employee_id WHERE h.lifecyclestatus = 'Hired' AND (o.login IN (SELECT primary_email FROM googleworkspace_user) OR o.login IN (SELECT user_principal_name FROM azuread_user))",
    ),
    (
        "who left was not seen again, or the account lives",
        "SELECT h.email FROM hibob_employee h JOIN okta_user o ON lower(o.email) = lower(h.email) WHERE h.lifecyclestatus = 'Terminated' AND o.status IN ('DEPROVISIONED', 'SUSPENDED') AND substr(o.last_login, 1, 10) > h.terminationdate AND h.email NOT IN (SELECT email FROM hibob_employee GROUP BY email HAVING count(*) > 1)",
    ),
    (
        "and not in Workspace, or that lives",
        "SELECT h.email FROM hibob_employee h JOIN googleworkspace_user g ON lower(g.primary_email) = lower(h.email) WHERE h.lifecyclestatus = 'Terminated' AND (g.suspended = 1 OR g.archived = 1) AND substr(g.last_login_time, 1, 10) > h.terminationdate AND NOT EXISTS (SELECT 1 FROM okta_user o WHERE lower(o.email) = lower(h.email) AND o.status NOT IN ('DEPROVISIONED', 'SUSPENDED'))",
    ),
    // What an analyst would not believe.
    (
        "private addresses count nobody",
        "SELECT personal_email FROM hibob_employee WHERE personal_email GLOB '*[0-9][0-9][0-9]*'",
    ),
    (
        "a private address is one person's",
        "SELECT mail FROM (SELECT personal_email AS mail, fullname FROM hibob_employee UNION SELECT username, first_name || ' ' || last_name FROM mongodbatlas_org_user WHERE username NOT IN (SELECT email FROM hibob_employee)) WHERE mail IS NOT NULL GROUP BY lower(mail) HAVING count(*) > 1",
    ),
    (
        "outsiders' addresses count namesakes only",
        "SELECT mail FROM azuread_user WHERE user_type = 'Guest' AND mail GLOB '*[0-9][0-9]@*' UNION ALL SELECT username FROM mongodbatlas_org_user WHERE username GLOB '*.db[0-9]@*'",
    ),
    (
        "an inactive application lets nobody in",
        "SELECT p.label FROM okta_application p JOIN okta_app_assigned_user a ON a.app_id = p.id WHERE p.status = 'INACTIVE' AND a.status IN ('ACTIVE', 'PROVISIONED')",
    ),
    (
        "the books are for Finance, the customers for Sales and their like",
        "SELECT p.label || u.login FROM okta_application p JOIN okta_app_assigned_user a ON a.app_id = p.id JOIN okta_user u ON u.id = a.id WHERE a.status <> 'DEPROVISIONED' AND u.status <> 'SUSPENDED' AND ((p.name IN ('netsuite', 'expensify') AND u.department NOT LIKE 'Finance%' AND u.department NOT IN ('Human Resources', 'Executive Office')) OR (p.name = 'salesforce' AND u.department NOT LIKE 'Sales%' AND u.department NOT LIKE 'Customer%' AND u.department NOT LIKE 'Marketing%')) AND u.status <> 'DEPROVISIONED'",
    ),
    (
        "bills are seen by Finance",
        "SELECT u.login FROM okta_group g JOIN okta_group_member m ON m.group_id = g.id JOIN okta_user u ON u.id = m.user_id WHERE g.name = 'AWS-Billing' AND u.department NOT LIKE 'Finance%'",
    ),
    (
        "Workspace and Entra see nobody more than a week after Okta did",
        "SELECT o.login FROM okta_user o JOIN googleworkspace_user w ON w.primary_email = o.login WHERE o.status IN ('ACTIVE', 'PASSWORD_EXPIRED', 'RECOVERY', 'LOCKED_OUT') AND o.user_type IS NOT 'Service' AND w.last_login_time > '1971' AND julianday(w.last_login_time) - coalesce(julianday(o.last_login), 0) > 7 UNION ALL SELECT o.login FROM okta_user o JOIN azuread_user e ON e.user_principal_name = o.login WHERE o.status IN ('ACTIVE', 'PASSWORD_EXPIRED', 'RECOVERY', 'LOCKED_OUT') AND o.user_type IS NOT 'Service' AND e.last_sign_in_date_time > '1971' AND (julianday(e.last_sign_in_date_time) - coalesce(julianday(o.last_login), 0) > 7 OR julianday(e.last_non_interactive_sign_in_date_time) - coalesce(julianday(o.last_login), 0) > 30)",
    ),
    (
        "who came back had another title before",
        "SELECT h.email FROM hibob_employee h JOIN hibob_employee e ON e.email = h.email AND e.id < h.id WHERE e.title = h.title",
    ),
    (
        "the manager was there before",
        "SELECT h.email FROM hibob_employee h JOIN hibob_employee m ON m.id = h.reportsto_id WHERE h.lifecyclestatus = 'Terminated' AND h.terminationdate <= m.startdate",
    ),
    (
        "Okta knows when they came back",
        "SELECT o.login FROM hibob_employee h JOIN hibob_employee e ON e.email = h.email AND e.id < h.id JOIN okta_user o ON lower(o.login) = lower(h.email) WHERE o.status_changed < date(h.startdate, '-12 days') OR o.created >= e.startdate",
    ),
    (
        "nothing happens between two employments",
        "SELECT e.email || ' ' || t.at FROM hibob_employee h JOIN hibob_employee e ON e.email = h.email AND e.id < h.id JOIN okta_user o ON lower(o.login) = lower(h.email) JOIN (SELECT user_id AS who, created AS at FROM okta_factor UNION ALL SELECT id, created FROM okta_app_assigned_user UNION ALL SELECT id, status_changed FROM okta_user UNION ALL SELECT id, password_changed FROM okta_user UNION ALL SELECT id, last_login FROM okta_user UNION ALL SELECT o.id, w.creation_time FROM okta_user o JOIN googleworkspace_user w ON w.primary_email = o.login UNION ALL SELECT o.id, e.created_date_time FROM okta_user o JOIN azuread_user e ON e.user_principal_name = o.login UNION ALL SELECT o.id, u.create_date FROM okta_user o JOIN aws_iam_user u ON json_extract(u.tags, '$.email') = o.login) t ON t.who = o.id WHERE substr(t.at, 1, 10) > e.terminationdate AND substr(t.at, 1, 10) < date(h.startdate, '-12 days')",
    ),
    ("executives answer for something", "SELECT email FROM hibob_employee WHERE title = 'Vice President'"),
    (
        "no password is as old as its account",
        "SELECT user_principal_name FROM azuread_user WHERE strftime('%s', last_password_change_date_time) - strftime('%s', created_date_time) IN (0, 120, 600)",
    ),
    // Order in time.
    (
        "Okta: created, activated, changed, signed in",
        "SELECT login FROM okta_user WHERE activated < created OR status_changed < activated OR last_login < activated OR last_updated < created OR last_updated < status_changed OR last_updated < password_changed OR password_changed < created",
    ),
    (
        "one policy a GCP project, one default account",
        "SELECT project_id FROM gcp_iam_policy GROUP BY project_id HAVING count(*) > 1",
    ),
    (
        "who is in 2-step verification signed in once",
        "SELECT primary_email FROM googleworkspace_user WHERE is_enrolled_in_2sv = 1 AND last_login_time LIKE '1970%'",
    ),
    (
        "nor is registered for a second factor in Entra",
        "SELECT d.id FROM azuread_user_registration_details_report d JOIN azuread_user u ON u.id = d.id WHERE d.is_mfa_registered = 1 AND u.last_sign_in_date_time IS NULL",
    ),
    (
        "nothing happens in closed accounts",
        "SELECT k.access_key_id FROM aws_iam_access_key k JOIN aws_organizations_account a ON a.id = k.account_id WHERE a.status = 'SUSPENDED' AND (substr(k.last_used_date, 1, 10) > date(:day, '-70 days') OR substr(k.create_date, 1, 10) > date(:day, '-70 days')) UNION ALL SELECT r.arn FROM aws_iam_role r JOIN aws_organizations_account a ON a.id = r.account_id WHERE a.status = 'SUSPENDED' AND (substr(r.role_last_used_date, 1, 10) > date(:day, '-70 days') OR substr(r.create_date, 1, 10) > date(:day, '-70 days')) UNION ALL SELECT u.arn FROM aws_iam_user u JOIN aws_organizations_account a ON a.id = u.account_id WHERE a.status = 'SUSPENDED' AND (substr(u.password_last_used, 1, 10) > date(:day, '-70 days') OR substr(u.password_last_changed, 1, 10) > date(:day, '-70 days'))",
    ),
    (
        "every role can do something",
        "SELECT r.arn FROM aws_iam_role r WHERE coalesce(r.inline_policies, '[]') = '[]' AND NOT EXISTS (SELECT 1 FROM aws_iam_policy_attachment p WHERE p.account_id = r.account_id AND p.entity_name = r.name AND p.entity_type = 'Role')",
    ),
    (
        "machines are among machines",
        "SELECT m.user_name FROM aws_iam_group_membership m JOIN aws_iam_user u ON u.account_id = m.account_id AND u.name = m.user_name WHERE (u.path = '/service/' OR u.name LIKE 'svc-%') AND m.group_name IN ('Developers', 'Billing', 'Auditors', 'Support', 'Administrators')",
    ),
    (
        "groups of operators have the permission set of their system",
        "SELECT g.name || ' ' || s.name FROM aws_ssoadmin_account_assignment x JOIN aws_identitystore_group g ON g.id = x.principal_id JOIN aws_ssoadmin_permission_set s ON s.arn = x.permission_set_arn WHERE g.name LIKE 'AWS-%-Operators%' AND s.name LIKE '%-operator%' AND s.name NOT LIKE lower(substr(g.name, 5, instr(substr(g.name, 5), '-Operators') - 1)) || '-operator%'",
    ),
    (
        "one reserved role for a permission set in an account",
        "SELECT account_id || name FROM aws_iam_role WHERE name LIKE 'AWSReservedSSO%' GROUP BY account_id, substr(name, 1, length(name) - 17) HAVING count(*) > 1",
    ),
    (
        "who holds an Entra role through a group is an administrator in the report",
        "SELECT d.id FROM azuread_user_registration_details_report d JOIN azuread_group_member m ON m.member_id = d.id JOIN azuread_directory_role_assignment r ON r.principal_id = m.group_id WHERE d.is_admin = 0",
    ),
    (
        "groups by rule hold who fits the rule",
        "SELECT g.display_name || u.user_principal_name FROM azuread_group g JOIN azuread_group_member m ON m.group_id = g.id JOIN azuread_user u ON u.id = m.member_id WHERE g.membership_rule LIKE '(user.department%' AND instr(g.membership_rule, '\"' || u.department || '\"') = 0",
    ),
    (
        "and all of them",
        "SELECT g.display_name || u.user_principal_name FROM azuread_group g JOIN azuread_user u ON instr(g.membership_rule, '\"' || u.department || '\"') > 0 WHERE NOT EXISTS (SELECT 1 FROM azuread_group_member m WHERE m.group_id = g.id AND m.member_id = u.id)",
    ),
    (
        "one permission id a grantee",
        "SELECT json_extract(p.value, '$.emailAddress') AS who FROM googleworkspace_shared_drive_file f, json_each(f.permissions) p WHERE who IS NOT NULL GROUP BY who HAVING count(DISTINCT json_extract(p.value, '$.id')) > 1",
    ),
    (
        "credentials begin with their application or later",
        "SELECT s.display_name FROM azuread_service_principal s, json_each(s.password_credentials) c WHERE json_extract(c.value, '$.startDateTime') < s.created_date_time",
    ),
    (
        "AWS roles of databases are there",
        "SELECT d.username FROM mongodbatlas_database_user d WHERE d.username LIKE 'arn:aws:iam::%' AND d.username NOT IN (SELECT arn FROM aws_iam_role)",
    ),
    (
        "Okta factor after its account",
        "SELECT f.id FROM okta_factor f JOIN okta_user u ON u.id = f.user_id WHERE f.created < u.created OR f.last_updated < f.created",
    ),
    (
        "Okta assignment after its app and account",
        "SELECT a.id FROM okta_app_assigned_user a JOIN okta_application p ON p.id = a.app_id JOIN okta_user u ON u.id = a.id WHERE a.created < p.created OR a.created < u.created OR a.last_sync < a.created",
    ),
    (
        "IAM key after its user and before its use",
        "SELECT access_key_id FROM aws_iam_access_key k JOIN aws_iam_user u ON u.account_id = k.account_id AND u.name = k.user_name WHERE k.create_date < u.create_date OR k.last_used_date < k.create_date",
    ),
    (
        "IAM user after its account and before its use",
        "SELECT u.name FROM aws_iam_user u JOIN aws_organizations_account a ON a.id = u.account_id WHERE u.create_date < a.joined_timestamp OR u.password_last_used < u.create_date OR u.password_last_changed < u.create_date",
    ),
    (
        "IAM role after its account and before its use",
        "SELECT r.name FROM aws_iam_role r JOIN aws_organizations_account a ON a.id = r.account_id WHERE substr(r.create_date, 1, 10) < substr(a.joined_timestamp, 1, 10) OR r.role_last_used_date < r.create_date",
    ),
    (
        "IAM policy updated after it was made",
        "SELECT arn FROM aws_iam_policy WHERE update_date < create_date",
    ),
    (
        "Entra sign-in after the account",
        "SELECT user_principal_name FROM azuread_user WHERE last_sign_in_date_time < created_date_time OR last_password_change_date_time < created_date_time OR (last_non_interactive_sign_in_date_time < created_date_time AND last_non_interactive_sign_in_date_time > '0002')",
    ),
    (
        "Workspace sign-in after the account",
        "SELECT primary_email FROM googleworkspace_user WHERE last_login_time < creation_time AND last_login_time > '1971'",
    ),
    (
        "file changed after it was made, made after its owner came",
        "SELECT f.id FROM googleworkspace_shared_drive_file f LEFT JOIN googleworkspace_user u ON u.primary_email = f.owner_email WHERE f.modified_time < f.created_time OR f.created_time < u.creation_time",
    ),
    (
        "repository pushed after it was made",
        "SELECT name FROM github_repository WHERE pushed_at < created_at",
    ),
    (
        "Atlas sign-in after the account",
        "SELECT username FROM mongodbatlas_org_user WHERE last_auth < created_at",
    ),
    (
        "secret and key end after they begin",
        "SELECT s.id FROM azuread_service_principal s, json_each(s.password_credentials) p WHERE json_extract(p.value, '$.endDateTime') <= json_extract(p.value, '$.startDateTime') UNION ALL SELECT name FROM gcp_service_account_key WHERE valid_before_time <= valid_after_time",
    ),
];

/// Columns that may lie ahead.
const AHEAD: &[&str] = &["terminationdate", "startdate", "valid_before_time", "delete_after_date"];

fn check(label: &str, enterprise: &Enterprise, day: &str) {
    let mut broken = Vec::new();
    for (name, sql) in NEVER
        .iter()
        .chain(crate::invariants_names::NEVER)
        .chain(crate::invariants_things::NEVER)
        .chain(crate::invariants_spread::NEVER)
        .chain(crate::invariants_order::NEVER)
        .chain(crate::invariants_accounts::NEVER)
        .chain(crate::invariants_activity::NEVER)
    {
        let sql = sql.replace(":day", &format!("'{day}'"));
        let offenders = enterprise.texts(&sql);
        if !offenders.is_empty() {
            let some = &offenders[..offenders.len().min(3)];
            broken.push(format!("{name}: {} offend, such as {some:?}", offenders.len()));
        }
    }
    for table in &enterprise.generated.tables {
        let dated = table.columns.iter().filter(|column| !AHEAD.contains(column));
        for column in dated {
            let sql = format!(
                "SELECT {column} FROM {} WHERE {column} GLOB '[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]*' AND substr({column}, 1, 10) > '{day}'",
                table.name
            );
            let offenders = enterprise.texts(&sql);
            if !offenders.is_empty() {
                broken.push(format!("{}.{column} lies ahead: {:?}", table.name, offenders.first()));
            }
        }
    }
    assert!(broken.is_empty(), "{label}:\n{}", broken.join("\n"));
}

/// Shares of the large enterprise that no single row shows: a name, SQL giving one number, and its bounds.
const SHARES: &[(&str, &str, i64, i64)] = &[
    (
        "accounts made on a weekend",
        "SELECT 100 * sum(strftime('%w', created) IN ('0', '6')) / count(*) FROM okta_user",
        0,
        5,
    ),
    (
        "last days on a weekend",
        "SELECT 100 * sum(strftime('%w', terminationdate) IN ('0', '6')) / count(*) FROM hibob_employee WHERE terminationdate IS NOT NULL",
        0,
        5,
    ),
    (
        "leavers who went before 2024",
        "SELECT 100 * sum(terminationdate < '2024') / count(*) FROM hibob_employee WHERE lifecyclestatus = 'Terminated'",
        20,
        45,
    ),
    (
        "people where their manager is",
        "SELECT 100 * sum(h.site = m.site) / count(*) FROM hibob_employee h JOIN hibob_employee m ON m.id = h.reportsto_id",
        65,
        75,
    ),
    (
        "Site Reliability Engineers of Engineering",
        "SELECT 100 * sum(title = 'Site Reliability Engineer') / count(*) FROM hibob_employee WHERE department = 'Engineering'",
        3,
        15,
    ),
    (
        "stale titles in Okta, in tenths of a per cent",
        "SELECT 1000 * sum(o.title <> h.title) / count(*) FROM hibob_employee h JOIN okta_user o ON lower(o.email) = lower(h.email) WHERE h.status = 'Active'",
        20,
        40,
    ),
    (
        "stale titles in Entra, in tenths of a per cent",
        "SELECT 1000 * sum(e.job_title <> h.title) / count(*) FROM hibob_employee h JOIN azuread_user e ON e.user_principal_name = lower(h.email) WHERE h.status = 'Active'",
        20,
        40,
    ),
    (
        "the most applications with one number of users",
        "SELECT max(n) FROM (SELECT count(*) AS n FROM (SELECT count(*) AS users FROM okta_app_assigned_user GROUP BY app_id) GROUP BY users)",
        1,
        25,
    ),
    (
        "accounts locked out in one minute",
        "SELECT max(n) FROM (SELECT count(*) AS n FROM okta_user WHERE status = 'LOCKED_OUT' GROUP BY substr(status_changed, 12, 5))",
        1,
        3,
    ),
];

#[test]
fn shares_of_the_large_enterprise_are_believable() {
    let enterprise = Enterprise::new(&Parameters::reference(2000).unwrap());
    let off: Vec<String> = SHARES
        .iter()
        .map(|(name, sql, low, high)| (name, enterprise.number(sql), low, high))
        .filter(|(_, got, low, high)| got < *low || got > *high)
        .map(|(name, got, low, high)| format!("{name}: {got}, wanted {low} to {high}"))
        .collect();
    assert_eq!(off, Vec::<String>::new());
}

#[test]
fn they_hold_for_twenty_seeds_of_all_kinds() {
    for (label, parameters) in seeds() {
        check(&label, &Enterprise::new(&parameters), "2026-06-30");
    }
}

#[test]
fn they_hold_for_the_reference_sizes() {
    for people in [75, 400, 2000] {
        check(
            &format!("{people} people"),
            &Enterprise::new(&Parameters::reference(people).unwrap()),
            "2026-06-30",
        );
    }
}

#[test]
fn they_hold_on_another_day() {
    let day = jiff::civil::date(2024, 2, 29);
    let parameters = Parameters::new(150, 5, day, "bank").unwrap();
    check("a leap day", &Enterprise::new(&parameters), "2024-02-29");
}
