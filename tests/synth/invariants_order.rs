//! What may not be of time: nobody holds what was made after they had left, or uses what was not there yet.

/// A name, and SQL that lists offenders, as in `invariants`.
pub(crate) const NEVER: &[(&str, &str)] = &[
    (
        "no file is shared with who had left before it was made",
        "WITH gone AS MATERIALIZED (SELECT lower(email) AS mail, max(terminationdate) AS ended FROM hibob_employee GROUP BY 1 HAVING min(lifecyclestatus = 'Terminated') = 1), s AS MATERIALIZED (SELECT f.id, f.created_time AS made, json_extract(p.value, '$.emailAddress') AS who FROM googleworkspace_shared_drive_file f, json_each(f.permissions) p) SELECT s.id || ' ' || s.who FROM s JOIN gone ON gone.mail = s.who WHERE date(s.made) > gone.ended",
    ),
    (
        "who is told of an incident had not left",
        "WITH gone AS (SELECT lower(email) AS mail, max(terminationdate) AS ended FROM hibob_employee GROUP BY 1 HAVING min(lifecyclestatus = 'Terminated') = 1) SELECT g.name || ' ' || m.email FROM googleworkspace_group g JOIN googleworkspace_group_member m ON m.group_email = g.email JOIN gone ON gone.mail = m.email WHERE g.name LIKE 'Incident 2%' AND substr(g.name, 10, 10) > gone.ended",
    ),
    (
        "nobody answers in Entra for what was made after they had left, or is in a group kept by hand",
        "WITH gone AS MATERIALIZED (SELECT u.id, max(h.terminationdate) AS ended FROM hibob_employee h JOIN azuread_user u ON u.user_principal_name = lower(h.email) GROUP BY 1 HAVING min(h.lifecyclestatus = 'Terminated') = 1) SELECT 'group ' || g.display_name FROM azuread_group g, json_each(g.owner_ids) o JOIN gone ON gone.id = o.value WHERE date(g.created_date_time) > gone.ended UNION ALL SELECT 'application ' || s.display_name FROM azuread_service_principal s, json_each(s.owner_ids) o JOIN gone ON gone.id = o.value WHERE date(s.created_date_time) > gone.ended UNION ALL SELECT 'member ' || g.display_name FROM azuread_group g JOIN azuread_group_member m ON m.group_id = g.id JOIN gone ON gone.id = m.member_id WHERE g.membership_rule IS NULL AND date(g.created_date_time) > gone.ended",
    ),
    (
        "no leaver may write to a repository that was made later",
        "WITH gone AS (SELECT lower(email) AS mail, max(terminationdate) AS ended FROM hibob_employee GROUP BY 1 HAVING min(lifecyclestatus = 'Terminated') = 1) SELECT c.repository_full_name || ' ' || c.user_login FROM github_repository_collaborator c JOIN github_repository r ON r.full_name = c.repository_full_name JOIN okta_app_assigned_user a ON a.user_name = c.user_login JOIN okta_user o ON o.id = a.id JOIN gone ON gone.mail = lower(o.login) WHERE date(r.created_at) > gone.ended",
    ),
    (
        "no leaver is in a group of Okta or IAM that was made later",
        "WITH gone AS MATERIALIZED (SELECT lower(email) AS mail, max(terminationdate) AS ended FROM hibob_employee GROUP BY 1 HAVING min(lifecyclestatus = 'Terminated') = 1) SELECT g.name || ' ' || o.login FROM okta_group_member m JOIN okta_group g ON g.id = m.group_id JOIN okta_user o ON o.id = m.user_id JOIN gone ON gone.mail = lower(o.login) WHERE date(g.created) > gone.ended UNION ALL SELECT g.name || ' ' || u.name FROM aws_iam_group_membership m JOIN aws_iam_group g ON g.account_id = m.account_id AND g.name = m.group_name JOIN aws_iam_user u ON u.account_id = m.account_id AND u.name = m.user_name JOIN gone ON gone.mail = lower(json_extract(u.tags, '$.email')) OR gone.mail = lower(json_extract(u.tags, '$.owner')) WHERE u.path <> '/service/' AND date(g.create_date) > gone.ended",
    ),
    (
        "no application is given to who had left before",
        "WITH gone AS (SELECT lower(email) AS mail, max(terminationdate) AS ended FROM hibob_employee GROUP BY 1 HAVING min(lifecyclestatus = 'Terminated') = 1) SELECT a.app_id || ' ' || o.login FROM okta_app_assigned_user a JOIN okta_user o ON o.id = a.id JOIN gone ON gone.mail = lower(o.login) WHERE a.scope = 'USER' AND date(a.created) > gone.ended",
    ),
    (
        "Okta, which makes the accounts elsewhere, has them first",
        "SELECT 'workspace ' || o.login FROM okta_user o JOIN googleworkspace_user w ON w.primary_email = o.login WHERE substr(w.creation_time, 1, 19) < substr(o.created, 1, 19) UNION ALL SELECT 'entra ' || o.login FROM okta_user o JOIN azuread_user e ON e.user_principal_name = o.login WHERE e.on_premises_sync_enabled IS NULL AND substr(e.created_date_time, 1, 19) < substr(o.created, 1, 19)",
    ),
    (
        "Okta knows no name at GitHub before there is the account",
        "SELECT m.login FROM github_organization_member m JOIN okta_app_assigned_user a ON a.user_name = m.login WHERE substr(a.created, 1, 19) < substr(m.created_at, 1, 19)",
    ),
    (
        "a policy of a GCP project has no member that it can't have",
        "SELECT p.project_id || ' ' || m.value FROM gcp_iam_policy p, json_each(p.bindings) b, json_each(b.value, '$.members') m WHERE m.value IN ('allUsers', 'allAuthenticatedUsers') OR m.value NOT GLOB '*:*'",
    ),
    (
        "groups in groups do not go round, two chains aside",
        "WITH RECURSIVE e(outer, inner) AS (SELECT group_id, member_id FROM azuread_group_member WHERE member_type = 'Group' UNION ALL SELECT group_email, email FROM googleworkspace_group_member WHERE type = 'GROUP'), x(start, at) AS (SELECT outer, inner FROM e UNION SELECT x.start, e.inner FROM x JOIN e ON e.outer = x.at) SELECT count(*) FROM x WHERE start = at HAVING count(*) > 9",
    ),
];
