//! What may not be of things: groups and whom they are for, accounts and what runs in them, files, keys, days.

/// A name, and SQL that lists offenders, as in `invariants`.
pub(crate) const NEVER: &[(&str, &str)] = &[
    (
        "who joined in a month started in it",
        "SELECT g.name || ' ' || m.email FROM googleworkspace_group g JOIN googleworkspace_group_member m ON m.group_email = g.email JOIN googleworkspace_user w ON w.primary_email = m.email WHERE g.name LIKE 'New joiners 2%' AND m.role <> 'OWNER' AND NOT EXISTS (SELECT 1 FROM hibob_employee h WHERE lower(h.email) = m.email AND instr(g.name, substr(h.startdate, 1, iif(g.name LIKE '%-%', 7, 4))) > 0) UNION ALL SELECT g.display_name || ' ' || u.user_principal_name FROM azuread_group g JOIN azuread_group_member m ON m.group_id = g.id JOIN azuread_user u ON u.id = m.member_id WHERE g.display_name LIKE 'Onboarding 2%' AND u.user_type IS NOT 'Guest' AND NOT EXISTS (SELECT 1 FROM hibob_employee h WHERE lower(h.email) = lower(u.user_principal_name) AND instr(g.display_name, substr(h.startdate, 1, iif(g.display_name LIKE '%-%', 7, 4))) > 0)",
    ),
    (
        "a group of a site is for people there",
        "WITH at AS (SELECT DISTINCT site, lower(replace(replace(site, ' ', '-'), '''', '')) AS slug FROM hibob_employee) SELECT g.email || ' ' || m.email FROM at JOIN googleworkspace_group g ON g.name IN (at.site || ' office', at.site || ' visitors', at.site || ' fire wardens', at.site || ' lunch', at.site || ' parking', at.site || ' first aid') JOIN googleworkspace_group_member m ON m.group_email = g.email JOIN hibob_employee h ON lower(h.email) = m.email WHERE m.role <> 'OWNER' AND h.site <> at.site UNION ALL SELECT g.display_name || ' ' || h.email FROM at JOIN azuread_group g ON g.display_name IN ('vpn-' || slug, 'wifi-' || slug, 'printers-' || slug, 'doors-' || slug, 'meeting-rooms-' || slug) JOIN azuread_group_member m ON m.group_id = g.id JOIN azuread_user u ON u.id = m.member_id JOIN hibob_employee h ON lower(h.email) = lower(u.user_principal_name) WHERE h.site <> at.site",
    ),
    (
        "leads of a department lead there",
        "SELECT g.display_name || ' ' || u.user_principal_name FROM azuread_group g JOIN azuread_group_member m ON m.group_id = g.id JOIN azuread_user u ON u.id = m.member_id WHERE g.display_name LIKE '% leads' AND u.user_type IS NOT 'Guest' AND NOT EXISTS (SELECT 1 FROM hibob_employee h WHERE lower(h.email) = lower(u.user_principal_name) AND g.display_name = h.department || ' leads' AND h.email IN (SELECT l.email FROM hibob_employee l JOIN hibob_employee r ON r.reportsto_id = l.id))",
    ),
    (
        "interviewers for a job are of its department",
        "SELECT g.name || ' ' || m.email FROM googleworkspace_group g JOIN googleworkspace_group_member m ON m.group_email = g.email JOIN hibob_employee h ON lower(h.email) = m.email WHERE g.name LIKE 'Interviews %' AND m.role <> 'OWNER' AND EXISTS (SELECT 1 FROM hibob_employee j WHERE j.title = substr(g.name, 12)) AND NOT EXISTS (SELECT 1 FROM hibob_employee j WHERE j.title = substr(g.name, 12) AND j.department = h.department)",
    ),
    (
        "who is told of an incident was here",
        "SELECT g.name || ' ' || m.email FROM googleworkspace_group g JOIN googleworkspace_group_member m ON m.group_email = g.email WHERE g.name LIKE 'Incident 2%' AND m.role <> 'OWNER' AND EXISTS (SELECT 1 FROM hibob_employee h WHERE lower(h.email) = m.email) AND NOT EXISTS (SELECT 1 FROM hibob_employee h WHERE lower(h.email) = m.email AND h.startdate < substr(g.name, 10, 10))",
    ),
    (
        "a hackathon is of its year",
        "SELECT name FROM github_repository WHERE name LIKE 'hackathon-2%' AND substr(created_at, 1, 4) <> substr(name, 11, 4)",
    ),
    (
        "a list of everybody has everybody",
        "SELECT g.email || ' ' || w.primary_email FROM googleworkspace_group g JOIN hibob_employee h ON g.description = 'Everybody in ' || h.department JOIN googleworkspace_user w ON w.primary_email = lower(h.email) WHERE w.suspended = 0 AND w.archived = 0 AND NOT EXISTS (SELECT 1 FROM googleworkspace_group_member m WHERE m.group_email = g.email AND m.email = w.primary_email)",
    ),
    (
        "a department runs its drive",
        "WITH run AS (SELECT DISTINCT f.drive_id AS drive, json_extract(p.value, '$.type') AS kind, json_extract(p.value, '$.emailAddress') AS who FROM googleworkspace_shared_drive_file f, json_each(f.permissions) p WHERE f.drive_id IS NOT NULL AND json_extract(p.value, '$.role') IN ('organizer', 'fileOrganizer')), of AS (SELECT run.drive, h.department FROM run JOIN hibob_employee h ON lower(h.email) = run.who WHERE kind = 'user' UNION SELECT run.drive, h.department FROM run JOIN googleworkspace_group g ON g.email = run.who LEFT JOIN hibob_employee h ON g.name = h.department || ' Team') SELECT drive FROM of GROUP BY drive HAVING count(DISTINCT department) <> 1 UNION ALL SELECT drive FROM of WHERE department IS NULL",
    ),
    (
        "no few have what everybody needs",
        "SELECT g.display_name FROM azuread_group g WHERE (g.display_name LIKE 'LIC-M365%' OR g.display_name GLOB 'App-*-Users') AND (SELECT count(*) FROM azuread_group_member m WHERE m.group_id = g.id) * 10 < (SELECT count(*) FROM azuread_user WHERE user_type IS NOT 'Guest')",
    ),
    (
        "copies are told apart by words",
        "SELECT name FROM okta_group WHERE name GLOB '*-[0-9]' UNION ALL SELECT name FROM aws_ssoadmin_permission_set WHERE name GLOB '*-[0-9]' UNION ALL SELECT name FROM aws_identitystore_user WHERE name GLOB '*-[0-9]' UNION ALL SELECT login FROM okta_user WHERE login GLOB '*-[0-9]@*' UNION ALL SELECT primary_email FROM googleworkspace_user WHERE primary_email GLOB '*-[0-9]@*'",
    ),
    (
        "files are as large as their type wants",
        "SELECT mime_type FROM googleworkspace_shared_drive_file WHERE size IS NOT NULL GROUP BY mime_type HAVING count(*) >= 3 AND avg(CAST(size AS INTEGER)) > 6000000 UNION ALL SELECT name FROM googleworkspace_shared_drive_file WHERE mime_type = 'text/csv' AND CAST(size AS INTEGER) > 20000000",
    ),
    (
        "a machine's owner is the team of its system",
        "SELECT u.name || u.tags FROM aws_iam_user u JOIN aws_organizations_account a ON a.id = u.account_id WHERE json_extract(u.tags, '$.owner') LIKE '%-team' AND instr(u.name || ' ' || a.name || ' infrastructure', replace(json_extract(u.tags, '$.owner'), '-team', '')) = 0",
    ),
    (
        "nothing of the business runs in the accounts that hold up the others",
        "SELECT a.name || ' ' || r.name FROM aws_iam_role r JOIN aws_organizations_account a ON a.id = r.account_id JOIN aws_organizations_account b ON r.name LIKE substr(b.name, instr(b.name, '-') + 1) || '-%' WHERE a.name IN ('management', 'security', 'log-archive') AND b.name LIKE '%-%' AND b.name <> 'log-archive' UNION ALL SELECT a.name || ' ' || g.name FROM aws_iam_group g JOIN aws_organizations_account a ON a.id = g.account_id WHERE a.name IN ('management', 'security', 'log-archive') AND g.name = 'Developers' UNION ALL SELECT a.name FROM aws_iam_user u JOIN aws_organizations_account a ON a.id = u.account_id WHERE a.name IN ('management', 'security', 'log-archive') AND (SELECT count(*) FROM aws_iam_user) >= 100 GROUP BY a.id HAVING count(*) * 20 > (SELECT count(*) FROM aws_iam_user)",
    ),
    (
        "an account for a system runs that system",
        "SELECT a.name || ' ' || r.name FROM aws_iam_role r JOIN aws_organizations_account a ON a.id = r.account_id WHERE (a.name LIKE 'prod-%' OR a.name LIKE 'dev-%' OR a.name LIKE 'staging-%' OR a.name LIKE 'legacy-%') AND (r.name LIKE '%-function' OR r.name LIKE '%-task' OR r.name LIKE '%-instance' OR r.name LIKE 'ci-deploy-%') AND instr(r.name, substr(a.name, instr(a.name, '-') + 1)) = 0",
    ),
    (
        "no rush of keys on the day on which an account was closed",
        "WITH k AS (SELECT a.id, a.name, substr(k.create_date, 1, 10) AS day, max(substr(k.create_date, 1, 10)) OVER (PARTITION BY a.id) AS last FROM aws_iam_access_key k JOIN aws_organizations_account a ON a.id = k.account_id WHERE a.status = 'SUSPENDED') SELECT name FROM k GROUP BY id HAVING sum(day = last) > 2",
    ),
    (
        "accounts are closed one by one",
        "WITH last AS (SELECT a.id, max(substr(k.create_date, 1, 10)) AS day FROM aws_iam_access_key k JOIN aws_organizations_account a ON a.id = k.account_id WHERE a.status = 'SUSPENDED' GROUP BY a.id) SELECT day FROM last GROUP BY day HAVING count(*) > 1",
    ),
    (
        "few things are made on a weekend",
        "WITH made(what, at) AS (SELECT 'file', created_time FROM googleworkspace_shared_drive_file UNION ALL SELECT 'change of a file', modified_time FROM googleworkspace_shared_drive_file UNION ALL SELECT 'repository', created_at FROM github_repository UNION ALL SELECT 'IAM user', create_date FROM aws_iam_user UNION ALL SELECT 'access key', create_date FROM aws_iam_access_key UNION ALL SELECT 'IAM role', create_date FROM aws_iam_role UNION ALL SELECT 'IAM policy', create_date FROM aws_iam_policy UNION ALL SELECT 'Okta group', created FROM okta_group UNION ALL SELECT 'application', created_date_time FROM azuread_service_principal UNION ALL SELECT 'Entra group', created_date_time FROM azuread_group) SELECT what FROM made WHERE at IS NOT NULL GROUP BY what HAVING count(*) >= 100 AND sum(strftime('%w', at) IN ('0', '6')) * 100 > count(*) * 11",
    ),
    (
        "Google holds a key of each service account",
        "SELECT email FROM gcp_service_account WHERE email NOT IN (SELECT service_account_name FROM gcp_service_account_key WHERE key_type = 'SYSTEM_MANAGED')",
    ),
    (
        "an uploaded key ends with its certificate",
        "SELECT name FROM gcp_service_account_key WHERE key_origin = 'USER_PROVIDED' AND (valid_before_time LIKE '9999%' OR key_type <> 'USER_MANAGED')",
    ),
    (
        "policies of AWS are updated each at its time",
        "SELECT min(name) FROM (SELECT DISTINCT name, julianday(substr(update_date, 1, 10)) - julianday(substr(create_date, 1, 10)) AS days FROM aws_iam_policy WHERE is_aws_managed = 1) WHERE days > 0 GROUP BY days HAVING count(*) > 2",
    ),
    (
        "numbers of conditional access policies grow with time",
        "SELECT a.display_name || b.display_name FROM azuread_conditional_access_policy a JOIN azuread_conditional_access_policy b ON substr(a.display_name, 1, 5) < substr(b.display_name, 1, 5) WHERE julianday(a.created_date_time) > julianday(b.created_date_time) + 60",
    ),
    (
        "permission sets come with the accounts",
        "SELECT max(created_date) FROM aws_ssoadmin_permission_set HAVING count(*) >= 15 AND max(created_date) < (SELECT date(min(joined_timestamp), '+4 years') FROM aws_organizations_account)",
    ),
    (
        "no application is older than the system behind it",
        "SELECT p.label FROM okta_application p WHERE p.name = 'github_enterprise_cloud' AND p.created < (SELECT min(created_at) FROM github_organization) OR p.name = 'amazon_aws_sso' AND (p.created < '2017-12-07' OR p.created < (SELECT min(joined_timestamp) FROM aws_organizations_account))",
    ),
    (
        "a database user's role is labelled as its account is",
        "SELECT d.username || d.labels FROM mongodbatlas_database_user d, json_each(d.labels) l JOIN aws_organizations_account a ON a.id = substr(d.username, 14, 12) WHERE d.username LIKE 'arn:aws:iam::%' AND json_extract(l.value, '$.key') = 'env' AND json_extract(a.tags, '$.env') IS NOT NULL AND json_extract(l.value, '$.value') <> json_extract(a.tags, '$.env')",
    ),
    (
        "where developers have a boundary, some roles are held to it",
        "SELECT 'none of ' || count(*) FROM aws_iam_role r WHERE r.account_id IN (SELECT p.account_id FROM aws_iam_policy p JOIN aws_organizations_account a ON a.id = p.account_id WHERE p.name = 'developer-boundary' AND a.status = 'ACTIVE') HAVING count(*) >= 8 AND sum(r.permissions_boundary_arn IS NOT NULL) = 0",
    ),
    (
        "and it is of their account",
        "SELECT arn FROM (SELECT arn, account_id, permissions_boundary_arn AS boundary FROM aws_iam_role UNION ALL SELECT arn, account_id, permissions_boundary_arn FROM aws_iam_user) e WHERE boundary IS NOT NULL AND NOT EXISTS (SELECT 1 FROM aws_iam_policy p WHERE p.account_id = e.account_id AND p.arn = e.boundary)",
    ),
    (
        "no policy has a wildcard for a service",
        "SELECT name FROM (SELECT name, policy FROM aws_iam_policy UNION ALL SELECT name, inline_policies FROM aws_iam_role UNION ALL SELECT name, inline_policies FROM aws_iam_user UNION ALL SELECT name, inline_policies FROM aws_iam_group UNION ALL SELECT name, inline_policy FROM aws_ssoadmin_permission_set) WHERE replace(policy, '\"*:*\"', '') LIKE '%\"*:%'",
    ),
];
