//! What may not be of use: files, passwords, keys and groups are used by who could use them then.

/// A name, and SQL that lists offenders, as in `invariants`.
pub(crate) const NEVER: &[(&str, &str)] = &[
    (
        "nobody edits a file long after the last sign-in",
        "SELECT f.id FROM googleworkspace_shared_drive_file f JOIN googleworkspace_user w ON w.primary_email = f.last_modifying_user_email WHERE date(f.modified_time) > date(w.last_login_time)",
    ),
    (
        "nobody has two grants on one file",
        "SELECT f.id FROM googleworkspace_shared_drive_file f, json_each(f.permissions) p WHERE json_extract(p.value, '$.emailAddress') IS NOT NULL GROUP BY f.id, json_extract(p.value, '$.emailAddress') HAVING count(*) > 1",
    ),
    (
        "few who have worked here for long never activated the account",
        "SELECT min(o.login) || ' and ' || count(*) FROM hibob_employee h JOIN okta_user o ON lower(o.login) = lower(h.email) WHERE h.lifecyclestatus = 'Employed' AND o.status = 'PROVISIONED' AND o.last_login IS NULL AND h.startdate < date(:day, '-90 days') HAVING count(*) > 1 + (SELECT count(*) / 200 FROM okta_user)",
    ),
    (
        "a team has members, and not too many",
        "SELECT g.name || ' ' || count(m.user_id) FROM okta_group g LEFT JOIN okta_group_member m ON m.group_id = g.id WHERE (g.name LIKE 'team-%' OR g.name LIKE '%oncall%' OR g.name LIKE 'AWS-%-Operators%') AND (SELECT count(*) FROM hibob_employee) >= 75 GROUP BY g.id HAVING count(m.user_id) NOT BETWEEN 3 AND 12",
    ),
    (
        "no application is given to an empty group",
        "SELECT a.label FROM okta_application a, json_each(a.assigned_groups) s JOIN okta_group g ON g.id = s.value WHERE a.status = 'ACTIVE' AND g.name <> 'Everyone' AND NOT EXISTS (SELECT 1 FROM okta_group_member m WHERE m.group_id = g.id)",
    ),
    (
        "no console password is used after it ran out",
        "SELECT u.arn FROM aws_iam_user u JOIN aws_iam_account_password_policy p ON p.account_id = u.account_id WHERE julianday(u.password_last_used) - julianday(u.password_last_changed) > p.max_password_age",
    ),
    (
        "Atlas keeps a temporary user for a week at most",
        "SELECT username FROM mongodbatlas_database_user WHERE julianday(substr(delete_after_date, 1, 10)) > julianday(:day) + 7",
    ),
    (
        "nobody has one project twice in Atlas",
        "SELECT u.username FROM mongodbatlas_org_user u, json_each(u.group_role_assignments) g GROUP BY u.id, json_extract(g.value, '$.groupId') HAVING count(*) > 1",
    ),
    (
        "IAM is used in its only region",
        "SELECT access_key_id FROM aws_iam_access_key WHERE last_used_service = 'iam' AND last_used_region <> 'us-east-1'",
    ),
    (
        "whom Identity Center alone has in a pushed group has left",
        "SELECT g.name || ' ' || o.login FROM aws_identitystore_group g JOIN okta_group k ON k.name = g.name JOIN aws_identitystore_group_membership m ON m.group_id = g.id JOIN aws_identitystore_user u ON u.id = m.member_id JOIN okta_user o ON o.id = json_extract(u.external_ids, '$[0].Id') WHERE o.status = 'ACTIVE' AND NOT EXISTS (SELECT 1 FROM okta_group_member x WHERE x.group_id = k.id AND x.user_id = o.id) AND NOT EXISTS (SELECT 1 FROM hibob_employee h WHERE lower(h.email) = lower(o.email) AND h.lifecyclestatus = 'Terminated')",
    ),
    (
        "who is held to 2-step verification, has not enrolled and is not new has not signed in lately",
        "SELECT primary_email FROM googleworkspace_user WHERE is_enforced_in_2sv = 1 AND is_enrolled_in_2sv = 0 AND creation_time < date(:day, '-60 days') AND last_login_time > date(:day, '-29 days')",
    ),
    (
        "who was added to a repository is in its organization, one machine aside",
        "SELECT c.user_login FROM github_repository_collaborator c WHERE c.affiliation IN ('DIRECT', 'ALL') AND c.user_login NOT LIKE '%-release-bot' AND NOT EXISTS (SELECT 1 FROM github_organization_member m WHERE m.login = c.user_login AND m.organization = substr(c.repository_full_name, 1, instr(c.repository_full_name, '/') - 1))",
    ),
    (
        "who signs in where everybody needs a second factor has registered one, or is left out",
        "WITH RECURSIVE p AS (SELECT users FROM azuread_conditional_access_policy WHERE display_name = 'CA001 Require MFA for all users'), x(id) AS (SELECT g.value FROM p, json_each(p.users, '$.excludeGroups') g UNION SELECT m.member_id FROM x JOIN azuread_group_member m ON m.group_id = x.id) SELECT e.user_principal_name FROM azuread_user e LEFT JOIN azuread_user_registration_details_report d ON d.id = e.id WHERE e.account_enabled = 1 AND coalesce(e.user_type, 'Member') <> 'Guest' AND coalesce(d.is_mfa_registered, 0) = 0 AND e.last_sign_in_date_time > date(:day, '-29 days') AND e.id NOT IN (SELECT id FROM x) AND e.id NOT IN (SELECT u.value FROM p, json_each(p.users, '$.excludeUsers') u)",
    ),
    (
        "a root user with a second factor has a password, a few aside",
        "SELECT count(*) FROM aws_iam_account_summary WHERE account_mfa_enabled = 1 AND account_password_present = 0 HAVING count(*) > 1 + (SELECT count(*) / 8 FROM aws_iam_account_summary)",
    ),
    (
        "people do few things on a weekend",
        "WITH done(what, at) AS (SELECT 'password', password_changed FROM okta_user UNION ALL SELECT 'profile', last_updated FROM okta_user UNION ALL SELECT 'factor', created FROM okta_factor UNION ALL SELECT 'Entra password', last_password_change_date_time FROM azuread_user UNION ALL SELECT 'console password', password_last_changed FROM aws_iam_user UNION ALL SELECT 'console sign-in', password_last_used FROM aws_iam_user UNION ALL SELECT 'Atlas sign-in', last_auth FROM mongodbatlas_org_user UNION ALL SELECT 'assignment ' || scope, created FROM okta_app_assigned_user UNION ALL SELECT 'push', pushed_at FROM github_repository UNION ALL SELECT 'IAM group', create_date FROM aws_iam_group) SELECT what || ' ' || count(*) FROM done WHERE at IS NOT NULL GROUP BY what HAVING count(*) >= 110 AND sum(strftime('%w', at) IN ('0', '6')) * 100 > count(*) * 12",
    ),
    (
        "few are given an application through a group at night",
        "SELECT sum(strftime('%H', created) NOT BETWEEN '06' AND '18') || ' of ' || count(*) FROM okta_app_assigned_user WHERE scope = 'GROUP' HAVING count(*) >= 60 AND sum(strftime('%H', created) NOT BETWEEN '06' AND '18') * 10 > count(*)",
    ),
    (
        "a group gives an application with the membership, or to all when it is opened to the group",
        "WITH g AS (SELECT p.id AS app, max(k.last_membership_updated) AS changed FROM okta_application p, json_each(p.assigned_groups) s JOIN okta_group k ON k.id = s.value WHERE p.status = 'ACTIVE' GROUP BY p.id HAVING count(*) = 1), f AS (SELECT app_id, min(created) AS first FROM okta_app_assigned_user WHERE scope = 'GROUP' GROUP BY app_id) SELECT a.app_id || ' ' || a.id FROM okta_app_assigned_user a JOIN g ON g.app = a.app_id JOIN f ON f.app_id = a.app_id WHERE a.scope = 'GROUP' AND (julianday(a.created) - julianday(f.first)) * 1440 > 2 AND (julianday(a.created) - julianday(g.changed)) * 1440 > 1.1 UNION ALL SELECT 'by rule ' || a.app_id || ' ' || a.id FROM okta_app_assigned_user a JOIN f ON f.app_id = a.app_id JOIN okta_application p ON p.id = a.app_id JOIN okta_group k ON k.id = json_extract(p.assigned_groups, '$[0]') JOIN okta_user u ON u.id = a.id WHERE a.scope = 'GROUP' AND p.status = 'ACTIVE' AND json_array_length(p.assigned_groups) = 1 AND k.description = 'Everybody in the department, by rule' AND (julianday(a.created) - julianday(f.first)) * 1440 > 2 AND k.created < u.created AND (julianday(a.created) - julianday(u.activated)) * 1440 > 10",
    ),
    (
        "no day of long ago sees a crowd",
        "WITH done(what, at) AS (SELECT 'push', pushed_at FROM github_repository UNION ALL SELECT 'repository', created_at FROM github_repository UNION ALL SELECT 'IAM user', create_date FROM aws_iam_user UNION ALL SELECT 'access key', create_date FROM aws_iam_access_key UNION ALL SELECT 'console password', password_last_changed FROM aws_iam_user UNION ALL SELECT 'console sign-in', password_last_used FROM aws_iam_user UNION ALL SELECT 'role', role_last_used_date FROM aws_iam_role UNION ALL SELECT 'guest', created_date_time FROM azuread_user WHERE user_type = 'Guest' UNION ALL SELECT 'Entra password', last_password_change_date_time FROM azuread_user UNION ALL SELECT 'Okta password', password_changed FROM okta_user UNION ALL SELECT 'Atlas sign-in', last_auth FROM mongodbatlas_org_user), d AS (SELECT what, date(at) AS day, count(*) AS n FROM done WHERE at IS NOT NULL GROUP BY 1, 2), t AS (SELECT what, sum(n) AS total FROM d GROUP BY 1) SELECT d.what || ' ' || day || ': ' || n FROM d JOIN t ON t.what = d.what WHERE julianday(:day) - julianday(day) > 30 AND n > 4 + total / 100",
    ),
    (
        "the longer ago, the fewer, and nowhere none",
        "WITH done(what, at) AS (SELECT 'push', pushed_at FROM github_repository WHERE is_archived = 0 UNION ALL SELECT 'console sign-in', password_last_used FROM aws_iam_user UNION ALL SELECT 'role', role_last_used_date FROM aws_iam_role UNION ALL SELECT 'Atlas sign-in', last_auth FROM mongodbatlas_org_user), a AS (SELECT what, julianday(:day) - julianday(date(at)) AS ago FROM done WHERE at IS NOT NULL), w AS (SELECT what, sum(ago <= 30) AS a, sum(ago > 30 AND ago <= 90) AS b, sum(ago BETWEEN 45 AND 74) AS d, sum(ago > 90 AND ago <= 365) AS c, count(*) AS n FROM a GROUP BY what) SELECT what || ' ' || a || ' ' || b || ' ' || d || ' ' || c FROM w WHERE n >= 100 AND (b * 12 < n OR b > a OR d * 40 < n OR c * 20 < n)",
    ),
    (
        "IAM users and repositories are still made",
        "SELECT 'user ' || max(create_date) FROM aws_iam_user HAVING count(*) >= 300 AND max(create_date) < date(:day, '-14 days') UNION ALL SELECT 'repository ' || max(created_at) FROM github_repository HAVING count(*) >= 80 AND max(created_at) < date(:day, '-100 days')",
    ),
    (
        "a leaver's file is shared with who was there before the leaver went",
        "WITH gone AS MATERIALIZED (SELECT lower(email) AS mail, max(terminationdate) AS ended FROM hibob_employee GROUP BY 1 HAVING min(lifecyclestatus = 'Terminated') = 1), s AS MATERIALIZED (SELECT f.id, gone.ended, json_extract(p.value, '$.emailAddress') AS who FROM gone JOIN googleworkspace_shared_drive_file f ON f.owner_email = gone.mail, json_each(f.permissions) p WHERE json_extract(p.value, '$.role') <> 'owner') SELECT s.id || ' ' || s.who FROM s JOIN googleworkspace_user g ON g.primary_email = s.who WHERE date(g.creation_time) > s.ended",
    ),
];
