//! What may not be of names, and of what names promise.

/// A name, and SQL that lists offenders, as in `invariants`.
pub(crate) const NEVER: &[(&str, &str)] = &[
    (
        "a repository is not older than its organization",
        "SELECT r.full_name FROM github_repository r JOIN github_organization o ON o.login = r.owner_login WHERE r.created_at < o.created_at",
    ),
    (
        "owners of an organization administer its repositories",
        "SELECT c.user_login FROM github_repository_collaborator c JOIN github_repository r ON r.full_name = c.repository_full_name JOIN github_organization_member m ON m.login = c.user_login AND m.organization = r.owner_login WHERE m.role = 'ADMIN' AND c.permission <> 'ADMIN'",
    ),
    (
        "names of repositories, groups and applications are given once",
        "SELECT full_name FROM github_repository GROUP BY lower(full_name) HAVING count(*) > 1 UNION ALL SELECT display_name FROM azuread_group GROUP BY lower(display_name) HAVING count(*) > 1 UNION ALL SELECT mail FROM azuread_group WHERE mail IS NOT NULL GROUP BY lower(mail) HAVING count(*) > 1 UNION ALL SELECT email FROM googleworkspace_group GROUP BY lower(email) HAVING count(*) > 1 UNION ALL SELECT display_name FROM azuread_service_principal GROUP BY lower(display_name) HAVING count(*) > 1",
    ),
    (
        "few of them end in a number, dates and years aside",
        "WITH n(kind, name) AS (SELECT 'repository', name FROM github_repository UNION ALL SELECT 'list', substr(email, 1, instr(email, '@') - 1) FROM googleworkspace_group UNION ALL SELECT 'group', display_name FROM azuread_group UNION ALL SELECT 'application', display_name FROM azuread_service_principal) SELECT kind || count(*) FROM n WHERE name GLOB '*[- ][0-9]' OR name GLOB '*[- ][0-9][0-9]' AND name NOT GLOB '*[0-9][0-9][0-9][0-9]-[0-9][0-9]' GROUP BY kind",
    ),
    (
        "an address of a group is of no account",
        "SELECT email FROM googleworkspace_group WHERE lower(email) IN (SELECT lower(primary_email) FROM googleworkspace_user)",
    ),
    (
        "half of the groups say what they are for",
        "SELECT 'list ' || count(*) FROM googleworkspace_group HAVING count(*) >= 40 AND count(description) NOT BETWEEN count(*) * 4 / 10 AND count(*) * 7 / 10 UNION ALL SELECT 'group ' || count(*) FROM azuread_group HAVING count(*) >= 40 AND count(description) NOT BETWEEN count(*) * 4 / 10 AND count(*) * 7 / 10",
    ),
    (
        "an enforced policy blocks no role that somebody holds",
        "SELECT p.display_name FROM azuread_conditional_access_policy p, json_each(p.users, '$.includeRoles') r WHERE p.state = 'enabled' AND p.built_in_controls LIKE '%block%' AND r.value IN (SELECT role_definition_id FROM azuread_directory_role_assignment)",
    ),
    (
        "policies of different names have different scopes",
        "SELECT min(display_name) FROM azuread_conditional_access_policy WHERE json_extract(users, '$.includeRoles') <> '[]' GROUP BY users HAVING count(*) > 2 UNION ALL SELECT min(display_name) FROM azuread_conditional_access_policy HAVING count(*) >= 9 AND count(DISTINCT applications) = 1",
    ),
    (
        "interview notes are no table, reports of a penetration test are of Security",
        "SELECT name FROM googleworkspace_shared_drive_file WHERE name LIKE 'Interview notes%' AND (mime_type LIKE '%sheet%' OR mime_type = 'text/csv') UNION ALL SELECT f.name FROM googleworkspace_shared_drive_file f JOIN hibob_employee h ON lower(h.email) = lower(f.owner_email) WHERE f.name LIKE '%enetration test%' AND h.department <> 'Security'",
    ),
    (
        "the name of a file says its type",
        "SELECT name FROM googleworkspace_shared_drive_file WHERE (mime_type = 'application/pdf') <> (name LIKE '%.pdf') OR (mime_type = 'text/csv') <> (name LIKE '%.csv') OR (mime_type LIKE '%google-apps%') <> (size IS NULL)",
    ),
    (
        "names of files differ, nearly all",
        "SELECT min(name) FROM googleworkspace_shared_drive_file HAVING count(DISTINCT name) * 10 < count(*) * 8 UNION ALL SELECT name FROM googleworkspace_shared_drive_file GROUP BY name HAVING count(*) > 5",
    ),
    (
        "a file of a drive was edited by somebody who was here",
        "SELECT f.name FROM googleworkspace_shared_drive_file f WHERE f.drive_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM googleworkspace_user u WHERE u.primary_email = f.last_modifying_user_email AND u.creation_time < f.modified_time)",
    ),
    (
        "secrets begin on many days",
        "SELECT substr(min(d), 1, 10) FROM (SELECT json_extract(c.value, '$.startDateTime') AS d, count(*) OVER () AS all_of_them FROM azuread_service_principal s, json_each(s.password_credentials) c) WHERE all_of_them >= 20 GROUP BY substr(d, 1, 10) HAVING count(*) * 8 > all_of_them UNION ALL SELECT substr(min(d), 1, 10) FROM (SELECT json_extract(c.value, '$.endDateTime') AS d, count(*) OVER () AS all_of_them FROM azuread_service_principal s, json_each(s.password_credentials) c) WHERE all_of_them >= 20 GROUP BY substr(d, 1, 10) HAVING count(*) * 8 > all_of_them",
    ),
    (
        "one tenant a firm",
        "WITH s AS (SELECT app_owner_organization_id AS tenant, substr(display_name, 1, instr(display_name || ' ', ' ')) AS firm FROM azuread_service_principal WHERE sign_in_audience = 'AzureADMultipleOrgs') SELECT firm FROM s GROUP BY firm HAVING count(DISTINCT tenant) > 1 UNION ALL SELECT min(firm) FROM s GROUP BY tenant HAVING count(DISTINCT firm) > 1",
    ),
    (
        "database users have no digit behind a word",
        "SELECT username FROM mongodbatlas_database_user WHERE username GLOB '*[a-z][0-9]' AND username NOT LIKE '%@%'",
    ),
    (
        "only keys that users manage can be disabled",
        "SELECT name FROM gcp_service_account_key WHERE disabled = 1 AND key_type <> 'USER_MANAGED'",
    ),
    (
        "an etag is eight bytes",
        "SELECT etag FROM gcp_iam_policy WHERE etag NOT GLOB 'Bw[A-Za-z0-9+/][A-Za-z0-9+/][A-Za-z0-9+/][A-Za-z0-9+/][A-Za-z0-9+/][A-Za-z0-9+/][A-Za-z0-9+/][A-Za-z0-9+/][AEIMQUYcgkosw048]='",
    ),
    (
        "roles of service accounts fit what they do",
        "SELECT m.value || json_extract(b.value, '$.role') FROM gcp_iam_policy p, json_each(p.bindings) b, json_each(b.value, '$.members') m WHERE m.value LIKE 'serviceAccount:metrics%' AND json_extract(b.value, '$.role') NOT LIKE 'roles/monitoring.%' OR m.value LIKE 'serviceAccount:notebook%' AND json_extract(b.value, '$.role') NOT LIKE 'roles/bigquery.%' OR m.value LIKE 'serviceAccount:backup%' AND json_extract(b.value, '$.role') NOT LIKE 'roles/storage.%'",
    ),
    (
        "a big system has many repositories, a small one few",
        "SELECT min(name) FROM github_repository HAVING count(*) >= 300 AND (SELECT count(*) FROM github_repository WHERE name LIKE '%billing%') BETWEEN 1 AND 21",
    ),
];
