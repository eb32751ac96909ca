//! What may not be of crowds: walls, holes and heaps in times and numbers, columns that say nothing.

/// A name, and SQL that lists offenders, as in `invariants`.
pub(crate) const NEVER: &[(&str, &str)] = &[
    (
        "who has not come for long did not come last to set a password, a few aside",
        "SELECT sum(gap < 3600) || ' of ' || count(*) FROM (SELECT strftime('%s', last_login) - strftime('%s', password_changed) AS gap FROM okta_user WHERE status = 'ACTIVE' AND last_login < date(:day, '-60 days') AND password_changed IS NOT NULL) HAVING count(*) >= 10 AND sum(gap < 3600) * 100 > count(*) * 12 + 100",
    ),
    (
        "few keys were used last in the hours after they were made, and not all of those at once",
        "WITH g AS (SELECT status, strftime('%s', last_used_date) - strftime('%s', create_date) AS gap FROM aws_iam_access_key WHERE last_used_date IS NOT NULL) SELECT status || ' ' || sum(gap < 10800) || ' of ' || count(*) FROM g GROUP BY status HAVING count(*) >= 10 AND (sum(gap < 10800) * 100 > count(*) * 7 + 150 OR sum(gap < 10800) > 3 * sum(gap BETWEEN 10800 AND 345600) + 4)",
    ),
    (
        "a key that another took the place of is the older one of the two, a few aside",
        "SELECT sum(o.create_date > n.create_date) || ' of ' || count(*) FROM aws_iam_access_key o JOIN aws_iam_access_key n ON n.account_id = o.account_id AND n.user_name = o.user_name AND n.access_key_id <> o.access_key_id WHERE o.status = 'Inactive' AND n.status = 'Active' HAVING count(*) >= 30 AND sum(o.create_date > n.create_date) * 100 > count(*) * 25",
    ),
    (
        "nothing begins or ends where a question draws its line",
        "WITH s(what, at) AS (SELECT 'made key ' || status, create_date FROM aws_iam_access_key UNION ALL SELECT 'used key ' || status, last_used_date FROM aws_iam_access_key UNION ALL SELECT 'IAM user', create_date FROM aws_iam_user UNION ALL SELECT 'console sign-in', password_last_used FROM aws_iam_user UNION ALL SELECT 'console password', password_last_changed FROM aws_iam_user UNION ALL SELECT 'role', role_last_used_date FROM aws_iam_role UNION ALL SELECT 'push', pushed_at FROM github_repository UNION ALL SELECT 'okta ' || status, last_login FROM okta_user UNION ALL SELECT 'okta password ' || status, password_changed FROM okta_user WHERE status = 'ACTIVE' UNION ALL SELECT 'workspace', last_login_time FROM googleworkspace_user UNION ALL SELECT 'entra', last_sign_in_date_time FROM azuread_user UNION ALL SELECT 'entra silent', last_non_interactive_sign_in_date_time FROM azuread_user UNION ALL SELECT 'entra password', last_password_change_date_time FROM azuread_user UNION ALL SELECT 'guest ' || external_user_state, created_date_time FROM azuread_user WHERE user_type = 'Guest' UNION ALL SELECT 'file', modified_time FROM googleworkspace_shared_drive_file), l(line, width) AS (VALUES (60, 30), (90, 30), (180, 60), (365, 90)), a AS (SELECT what, julianday(:day) - julianday(date(at)) AS ago FROM s WHERE at > '1971'), c AS (SELECT what, line, sum(ago >= line - width AND ago < line) AS before, sum(ago > line AND ago <= line + width) AS after FROM a, l GROUP BY 1, 2) SELECT what || ' at ' || line || ': ' || before || ' and ' || after FROM c WHERE before * 10 + 90 < after * 4 OR after * 10 + 90 < before * 3",
    ),
    (
        "no line is drawn at 90 days but by one or two",
        "WITH s(what, at) AS (SELECT 'made key', create_date FROM aws_iam_access_key UNION ALL SELECT 'used key', last_used_date FROM aws_iam_access_key UNION ALL SELECT 'okta', last_login FROM okta_user UNION ALL SELECT 'entra', last_sign_in_date_time FROM azuread_user UNION ALL SELECT 'workspace', last_login_time FROM googleworkspace_user) SELECT what || ' ' || count(*) FROM s WHERE date(at) = date(:day, '-90 days') GROUP BY what HAVING count(*) > 7",
    ),
    (
        "Entra's silent sign-ins come hours or days later, or had ended before",
        "WITH d AS (SELECT strftime('%s', last_non_interactive_sign_in_date_time) - strftime('%s', last_sign_in_date_time) AS later FROM azuread_user WHERE user_type IS NOT 'Guest' AND last_non_interactive_sign_in_date_time > '0002' AND last_sign_in_date_time IS NOT NULL) SELECT sum(later = 0) || ' ' || sum(later < 0) || ' ' || sum(later > 86400) || ' of ' || count(*) FROM d HAVING count(*) >= 50 AND (sum(later = 0) * 100 > count(*) * 4 OR sum(later < 0) * 100 NOT BETWEEN count(*) * 8 AND count(*) * 60 OR sum(later > 86400) * 100 NOT BETWEEN count(*) * 3 AND count(*) * 30)",
    ),
    (
        "most lose the account on the last day, some within days, a few long after",
        "WITH e AS (SELECT lower(email) AS mail, max(terminationdate) AS ended FROM hibob_employee GROUP BY 1 HAVING min(lifecyclestatus = 'Terminated') = 1), d AS (SELECT julianday(date(o.status_changed)) - julianday(e.ended) AS late FROM e JOIN okta_user o ON lower(o.login) = e.mail WHERE o.status IN ('DEPROVISIONED', 'SUSPENDED')) SELECT sum(late = 0) || ' ' || sum(late > 7) || ' of ' || count(*) FROM d HAVING count(*) >= 25 AND (sum(late = 0) * 100 NOT BETWEEN count(*) * 45 AND count(*) * 90 OR sum(late > 7) * 100 NOT BETWEEN count(*) * 2 AND count(*) * 30) OR min(late) < 0",
    ),
    (
        "HR's numbers rise with the order of entry, those of people who came back too",
        "SELECT id FROM (SELECT id, creationdatetime AS entered, max(creationdatetime) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM hibob_employee) WHERE julianday(before) - julianday(entered) > 0.001",
    ),
    (
        "GitHub's numbers rise with time, and an id of MongoDB begins with it",
        "SELECT 'account ' || login FROM (SELECT login, created_at AS made, max(created_at) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM github_organization_member) WHERE julianday(before) - julianday(made) > 1 UNION ALL SELECT 'repository ' || name FROM (SELECT name, created_at AS made, max(created_at) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM github_repository) WHERE julianday(before) - julianday(made) > 1 UNION ALL SELECT username FROM mongodbatlas_org_user WHERE created_at IS NOT NULL AND substr(id, 1, 8) <> printf('%08x', strftime('%s', created_at))",
    ),
    (
        "an id of AWS holds its account, all of one account alike",
        "WITH i(account, id, made) AS (SELECT account_id, substr(user_id, 5, 8), create_date FROM aws_iam_user UNION ALL SELECT account_id, substr(access_key_id, 5, 8), create_date FROM aws_iam_access_key UNION ALL SELECT account_id, substr(role_id, 5, 8), create_date FROM aws_iam_role UNION ALL SELECT account_id, substr(group_id, 5, 8), create_date FROM aws_iam_group UNION ALL SELECT account_id, substr(policy_id, 5, 8), create_date FROM aws_iam_policy WHERE is_aws_managed = 0) SELECT account FROM i WHERE made > '2019-03-02' GROUP BY account HAVING count(DISTINCT id) > 1",
    ),
    (
        "Google's numbers are of 64 bits",
        "SELECT id FROM googleworkspace_user WHERE id > '118446744073709551615' UNION ALL SELECT unique_id FROM gcp_service_account WHERE unique_id > '118446744073709551615' UNION ALL SELECT json_extract(p.value, '$.id') FROM googleworkspace_shared_drive_file f, json_each(f.permissions) p WHERE json_extract(p.value, '$.id') NOT LIKE 'anyone%' AND (json_extract(p.value, '$.id') > '18446744073709551615' OR length(json_extract(p.value, '$.id')) <> 20)",
    ),
    (
        "a first version of a policy is as old as the policy",
        "SELECT arn FROM aws_iam_policy WHERE (default_version_id = 'v1') <> (create_date = update_date)",
    ),
    (
        "nobody is asked to Atlas for more than a month",
        "SELECT username FROM mongodbatlas_org_user WHERE org_membership_status = 'PENDING' AND substr(id, 1, 8) < printf('%08x', strftime('%s', :day, '-30 days'))",
    ),
    (
        "who never came to the console mostly has the first password still",
        "SELECT sum(julianday(password_last_changed) - julianday(create_date) > 2) || ' of ' || count(*) FROM aws_iam_user WHERE password_enabled = 1 AND password_last_used IS NULL HAVING count(*) >= 10 AND sum(julianday(password_last_changed) - julianday(create_date) > 2) * 100 > count(*) * 35 + 100",
    ),
    (
        "things are not dealt out one by one",
        "WITH n(what, many) AS (SELECT 'IAM groups of an account', count(*) FROM aws_iam_group GROUP BY account_id UNION ALL SELECT 'service accounts of a project', count(*) FROM gcp_service_account GROUP BY project_id UNION ALL SELECT 'database users of a project', count(*) FROM mongodbatlas_database_user GROUP BY project_id UNION ALL SELECT 'IAM users of an account', count(*) FROM aws_iam_user GROUP BY account_id UNION ALL SELECT 'assignments of an account', count(*) FROM aws_ssoadmin_account_assignment GROUP BY target_account_id UNION ALL SELECT 'members of a Workspace group', count(*) FROM googleworkspace_group_member GROUP BY group_email UNION ALL SELECT 'users of an application', count(*) FROM okta_app_assigned_user GROUP BY app_id UNION ALL SELECT 'collaborators of a repository', count(*) FROM github_repository_collaborator GROUP BY repository_full_name) SELECT what || ' ' || min(many) || ' to ' || max(many) FROM n GROUP BY what HAVING count(*) >= 20 AND max(many) - min(many) < 3",
    ),
    (
        "no hour has a wall",
        "WITH s(what, at) AS (SELECT 'Okta account', created FROM okta_user UNION ALL SELECT 'Entra user', created_date_time FROM azuread_user UNION ALL SELECT 'Workspace account', creation_time FROM googleworkspace_user UNION ALL SELECT 'IAM user', create_date FROM aws_iam_user UNION ALL SELECT 'key', create_date FROM aws_iam_access_key UNION ALL SELECT 'file', created_time FROM googleworkspace_shared_drive_file UNION ALL SELECT 'push', pushed_at FROM github_repository UNION ALL SELECT 'HR record', creationdatetime FROM hibob_employee UNION ALL SELECT 'assignment', created FROM okta_app_assigned_user WHERE scope = 'USER'), h AS (SELECT what, CAST(strftime('%H', at) AS INTEGER) AS hour, count(*) AS n FROM s GROUP BY 1, 2), t AS (SELECT what, sum(n) AS total FROM h GROUP BY 1) SELECT a.what || ' ' || a.hour || ': ' || a.n FROM h a JOIN t ON t.what = a.what CROSS JOIN (SELECT 1 AS step UNION SELECT -1) d WHERE t.total >= 300 AND a.n * 100 > t.total * 5 AND coalesce((SELECT b.n FROM h b WHERE b.what = a.what AND b.hour = a.hour + d.step), 0) * 8 < a.n",
    ),
    (
        "no report, key or lease is of a round hour",
        "SELECT 'report ' || last_updated_date_time FROM azuread_user_registration_details_report GROUP BY last_updated_date_time HAVING count(*) > 3 UNION ALL SELECT 'key ' || count(*) FROM gcp_service_account_key WHERE valid_before_time LIKE '%T00:00:00Z' HAVING count(*) > 1 UNION ALL SELECT 'lease ' || count(*) FROM mongodbatlas_database_user WHERE delete_after_date LIKE '%T00:00:00Z' HAVING count(*) > 1",
    ),
    (
        "columns say something",
        "SELECT 'oidc_auth_type ' || count(*) FROM mongodbatlas_database_user HAVING count(*) >= 100 AND count(DISTINCT oidc_auth_type) = 1 UNION ALL SELECT 'hard_expiry ' || count(*) FROM aws_iam_account_password_policy HAVING count(*) >= 15 AND count(DISTINCT hard_expiry) < 2 UNION ALL SELECT 'is_mfa_capable ' || count(*) FROM azuread_user_registration_details_report HAVING count(*) >= 300 AND (sum(is_mfa_capable <> is_mfa_registered) = 0 OR sum(is_mfa_capable > is_mfa_registered) > 0) UNION ALL SELECT 'require_numbers ' || count(*) FROM aws_iam_account_password_policy HAVING count(*) >= 20 AND count(DISTINCT require_numbers) = 1",
    ),
    (
        "people start, get applications, and have groups made until the last days",
        "SELECT 'starts ' || count(*) FROM hibob_employee WHERE startdate BETWEEN date(:day, '-14 days') AND :day HAVING (SELECT count(*) FROM hibob_employee) >= 1500 AND count(*) < 4 UNION ALL SELECT 'assignments ' || sum(created >= date(:day, '-10 days')) FROM okta_app_assigned_user WHERE scope = 'USER' HAVING count(*) >= 1000 AND sum(created >= date(:day, '-10 days')) < 3 UNION ALL SELECT 'Entra groups ' || sum(created_date_time > date(:day, '-200 days')) FROM azuread_group HAVING count(*) >= 140 AND sum(created_date_time > date(:day, '-200 days')) < 4",
    ),
    (
        "no factor is confirmed within limits of seconds that all keep to",
        "SELECT max(gap) FROM (SELECT strftime('%s', last_updated) - strftime('%s', created) AS gap FROM okta_factor WHERE status = 'ACTIVE') HAVING count(*) >= 100 AND (max(gap) < 3600 OR sum(gap > 86400) * 100 > count(*) * 12)",
    ),
];
