//! What may not be of accounts: their dates, sign-ins and statuses tell one life, and a crowd of them looks like a crowd.

/// A name, and SQL that lists offenders, as in `invariants`.
pub(crate) const NEVER: &[(&str, &str)] = &[
    (
        "starts go on until the last weeks",
        "SELECT max(startdate) FROM hibob_employee WHERE startdate <= :day HAVING count(*) >= 60 AND max(startdate) < date(:day, '-21 days')",
    ),
    (
        "future starters were entered on many days",
        "SELECT date(creationdatetime) FROM hibob_employee WHERE lifecyclestatus = 'Hired' GROUP BY 1 HAVING count(*) > 8",
    ),
    (
        "an account is not older than the record of a future starter",
        "SELECT o.login FROM hibob_employee h JOIN okta_user o ON o.second_email = h.email AND h.lifecyclestatus = 'Hired' WHERE date(o.created) < date(h.creationdatetime)",
    ),
    (
        "nobody starts at Christmas or on New Year's Day",
        "SELECT id FROM hibob_employee WHERE strftime('%m-%d', startdate) IN ('12-25', '01-01')",
    ),
    (
        "nobody was hired under a manager who had left",
        "SELECT e.id FROM hibob_employee e JOIN hibob_employee m ON m.id = e.reportsto_id WHERE m.terminationdate < e.startdate",
    ),
    (
        "no group gives an application before there is the group",
        "SELECT a.id FROM okta_app_assigned_user a JOIN okta_application p ON p.id = a.app_id WHERE a.scope = 'GROUP' AND a.created < (SELECT min(g.created) FROM json_each(p.assigned_groups) s JOIN okta_group g ON g.id = s.value JOIN okta_group_member m ON m.group_id = g.id AND m.user_id = a.id)",
    ),
    (
        "many get an application of their own long after both are there",
        "SELECT sum(late) || ' of ' || count(*) FROM (SELECT julianday(a.created) - max(julianday(p.created), julianday(u.activated)) > 30 AS late FROM okta_app_assigned_user a JOIN okta_application p ON p.id = a.app_id JOIN okta_user u ON u.id = a.id WHERE a.scope = 'USER' AND u.status = 'ACTIVE') HAVING count(*) >= 60 AND sum(late) * 10 NOT BETWEEN count(*) * 4 AND count(*) * 8",
    ),
    (
        "some accounts were shut and came back",
        "SELECT sum(status_changed > activated) || ' of ' || count(*) FROM okta_user WHERE status = 'ACTIVE' HAVING count(*) >= 250 AND sum(status_changed > activated) * 100 NOT BETWEEN count(*) * 5 AND count(*) * 15",
    ),
    (
        "a password that has expired had been good before, and lets nobody in after",
        "SELECT login FROM okta_user WHERE status = 'PASSWORD_EXPIRED' AND (status_changed <= password_changed OR last_login > status_changed OR last_login < password_changed)",
    ),
    (
        "a password runs out when the first policy that holds says so",
        "SELECT u.login FROM okta_user u WHERE u.status = 'PASSWORD_EXPIRED' AND coalesce((SELECT p.max_age_days FROM okta_password_policy p WHERE p.status = 'ACTIVE' AND (p.system = 1 OR EXISTS (SELECT 1 FROM json_each(p.included_groups) g JOIN okta_group_member m ON m.group_id = g.value AND m.user_id = u.id)) ORDER BY p.priority LIMIT 1), 0) <> (strftime('%s', u.status_changed) - strftime('%s', u.password_changed)) / 86400.0",
    ),
    (
        "whoever set a password has signed in with it, and none is older than its policy lets it",
        "SELECT login FROM okta_user WHERE status = 'ACTIVE' AND password_changed > last_login UNION ALL SELECT u.login FROM okta_password_policy p, json_each(p.included_groups) g JOIN okta_group_member m ON m.group_id = g.value JOIN okta_user u ON u.id = m.user_id WHERE p.status = 'ACTIVE' AND p.max_age_days > 0 AND u.status = 'ACTIVE' AND u.last_login >= date(:day, '-3 days') AND julianday(:day) - julianday(date(u.password_changed)) > p.max_age_days",
    ),
    (
        "every day sees sign-ins, a Sunday fewer than the Friday before",
        "WITH RECURSIVE d(day, n) AS (SELECT :day, 0 UNION ALL SELECT date(day, '-1 day'), n + 1 FROM d WHERE n < 13), s(vendor, seen) AS (SELECT 'okta', date(last_login) FROM okta_user UNION ALL SELECT 'workspace', date(last_login_time) FROM googleworkspace_user UNION ALL SELECT 'entra', date(last_sign_in_date_time) FROM azuread_user), c AS (SELECT v.vendor, d.day, (SELECT count(*) FROM s WHERE s.vendor = v.vendor AND s.seen = d.day) AS seen FROM d, (SELECT DISTINCT vendor FROM s) v WHERE (SELECT count(*) FROM okta_user) >= 1500) SELECT vendor || day FROM c WHERE seen = 0 UNION ALL SELECT f.vendor || w.day FROM c w JOIN c f ON f.vendor = w.vendor AND f.day = date(w.day, '-2 days') WHERE strftime('%w', w.day) = '0' AND w.seen * 2 >= f.seen",
    ),
    (
        "the further back, the fewer were seen last",
        "WITH s(vendor, ago) AS (SELECT 'okta', julianday(:day) - julianday(date(last_login)) FROM okta_user UNION ALL SELECT 'workspace', julianday(:day) - julianday(date(last_login_time)) FROM googleworkspace_user UNION ALL SELECT 'entra', julianday(:day) - julianday(date(last_sign_in_date_time)) FROM azuread_user UNION ALL SELECT 'key', julianday(:day) - julianday(date(last_used_date)) FROM aws_iam_access_key WHERE status = 'Active'), w AS (SELECT vendor, sum(ago < 7) AS first, sum(ago >= 7 AND ago < 14) AS second, sum(ago >= 14 AND ago < 21) AS third, count(*) AS n FROM s GROUP BY vendor) SELECT vendor || ' ' || first || ' ' || second || ' ' || third FROM w WHERE n >= 350 AND (second * 25 < first OR second * 2 > first OR third > second OR third * 8 < second)",
    ),
    (
        "few sign in at night, wherever they are",
        "WITH z(site, away) AS (VALUES ('Austin', -5), ('London', 1), ('Berlin', 2), ('Tel Aviv', 3), ('Bengaluru', 5.5), ('Lisbon Hub', 1)), s(mail, at) AS (SELECT login, last_login FROM okta_user UNION ALL SELECT primary_email, last_login_time FROM googleworkspace_user WHERE last_login_time > '1971' UNION ALL SELECT user_principal_name, last_sign_in_date_time FROM azuread_user), l AS (SELECT z.site, CAST(strftime('%H', datetime(s.at, (z.away * 60) || ' minutes')) AS INTEGER) AS hour FROM s JOIN hibob_employee h ON lower(h.email) = lower(s.mail) AND h.lifecyclestatus = 'Employed' JOIN z ON z.site = h.site WHERE s.at IS NOT NULL) SELECT site FROM l GROUP BY site HAVING count(*) >= 40 AND (sum(hour < 6 OR hour >= 23) > 0 OR sum(hour >= 19) * 5 > count(*))",
    ),
    (
        "who is shut in Okta is seen nowhere after",
        "SELECT o.login || ' ' || t.at FROM okta_user o JOIN (SELECT user_principal_name AS login, last_sign_in_date_time AS at FROM azuread_user UNION ALL SELECT primary_email, last_login_time FROM googleworkspace_user UNION ALL SELECT login, last_login FROM okta_user) t ON t.login = o.login WHERE o.status IN ('SUSPENDED', 'DEPROVISIONED') AND substr(t.at, 1, 19) > substr(o.status_changed, 1, 19)",
    ),
    (
        "no status changes on the stroke of midnight",
        "SELECT login FROM okta_user WHERE status_changed LIKE '%T00:00:00%'",
    ),
    (
        "no telephone was enrolled after a policy forbade it",
        "SELECT f.id FROM okta_mfa_policy p, json_each(p.authenticators) s, json_each(p.included_groups) g JOIN okta_group_member m ON m.group_id = g.value JOIN okta_factor f ON f.user_id = m.user_id WHERE p.status = 'ACTIVE' AND json_extract(s.value, '$.key') = 'phone_number' AND json_extract(s.value, '$.enroll') = 'NOT_ALLOWED' AND f.factor_type IN ('sms', 'call') AND f.created > p.last_updated",
    ),
    (
        "few telephones are left where a policy forbids them",
        "SELECT p.name FROM okta_mfa_policy p, json_each(p.authenticators) s, json_each(p.included_groups) g JOIN okta_group_member m ON m.group_id = g.value WHERE p.status = 'ACTIVE' AND json_extract(s.value, '$.key') = 'phone_number' AND json_extract(s.value, '$.enroll') = 'NOT_ALLOWED' GROUP BY p.name HAVING count(*) >= 30 AND sum(EXISTS (SELECT 1 FROM okta_factor f WHERE f.user_id = m.user_id AND f.factor_type IN ('sms', 'call'))) * 100 > count(*) * 15",
    ),
    (
        "a unit is held to 2-step verification or is not, a few aside",
        "SELECT org_unit_path FROM googleworkspace_user GROUP BY 1 HAVING count(*) >= 30 AND sum(is_enforced_in_2sv) * 100 BETWEEN count(*) * 20 AND count(*) * 80",
    ),
    (
        "some are held to it and have not enrolled, few of them",
        "SELECT sum(is_enforced_in_2sv = 1 AND is_enrolled_in_2sv = 0) || ' of ' || count(*) FROM googleworkspace_user WHERE suspended = 0 AND archived = 0 HAVING count(*) >= 250 AND sum(is_enforced_in_2sv = 1 AND is_enrolled_in_2sv = 0) * 100 NOT BETWEEN 1 AND count(*) * 6",
    ),
    (
        "a manager whom HR does not know of any more is of the same department",
        "SELECT o.login FROM okta_user o JOIN hibob_employee h ON lower(h.email) = lower(o.email) AND h.status = 'Active' JOIN hibob_employee m ON m.id = h.reportsto_id JOIN hibob_employee f ON lower(f.email) = lower(o.manager_email) WHERE lower(f.email) <> lower(m.email) AND f.department <> h.department",
    ),
    (
        "nor is it somebody who had left before",
        "SELECT o.login FROM okta_user o JOIN hibob_employee h ON lower(h.email) = lower(o.email) AND h.status = 'Active' JOIN hibob_employee f ON lower(f.email) = lower(o.manager_email) GROUP BY o.login HAVING max(coalesce(f.terminationdate, '9')) < min(h.startdate)",
    ),
    (
        "namesakes have letters of their own between the names",
        "SELECT min(login) FROM okta_user WHERE login GLOB '*.[a-z].*@*' HAVING count(*) >= 8 AND count(DISTINCT substr(login, instr(login, '.'), 3)) < 4",
    ),
    (
        "groups change when they change, not all at once",
        "SELECT min(name) FROM okta_group HAVING count(*) >= 30 AND sum(last_membership_updated > date(:day, '-61 days')) * 10 > count(*) * 8",
    ),
    (
        "nobody is in a group that has not changed since they came",
        "SELECT g.name || u.login FROM okta_group g JOIN okta_group_member m ON m.group_id = g.id JOIN okta_user u ON u.id = m.user_id WHERE u.created > g.last_membership_updated",
    ),
    (
        "a place has names of its own",
        "SELECT min(site) FROM hibob_employee WHERE site = 'Bengaluru' HAVING count(*) >= 100 AND sum(surname IN ('Sharma', 'Patel', 'Singh', 'Kumar', 'Gupta', 'Verma', 'Reddy', 'Iyer', 'Nair', 'Menon', 'Rao', 'Mehta', 'Shah', 'Joshi', 'Desai', 'Kulkarni', 'Banerjee', 'Mukherjee', 'Das', 'Bose')) * 10 < count(*) * 2",
    ),
    (
        "teams are of different sizes",
        "WITH t AS (SELECT reportsto_id AS lead, count(*) AS span FROM hibob_employee WHERE reportsto_id IS NOT NULL GROUP BY 1), s AS (SELECT span, count(*) AS n, (SELECT count(*) FROM t) AS leads FROM t GROUP BY span) SELECT n || ' of ' || leads || ' lead ' || span FROM s WHERE leads >= 30 AND n * 4 > leads UNION ALL SELECT lead || ' leads ' || span FROM t WHERE span > 18",
    ),
    (
        "departments have different numbers of directors",
        "SELECT d || ' directors in ' || count(*) FROM (SELECT department, count(*) AS d FROM hibob_employee WHERE title LIKE 'Director of %' OR title LIKE 'Deputy Director of %' GROUP BY 1) GROUP BY d HAVING (SELECT count(*) FROM hibob_employee) >= 1500 AND count(*) > 3 AND d > 1",
    ),
    (
        "who came was made an account on any working day, and nothing of the weekend was rolled onto one day",
        "WITH made(what, at) AS (SELECT 'Okta user', created FROM okta_user UNION ALL SELECT 'application', created FROM okta_application UNION ALL SELECT 'change of an application', last_updated FROM okta_application UNION ALL SELECT 'Okta group', created FROM okta_group UNION ALL SELECT 'change of members', last_membership_updated FROM okta_group UNION ALL SELECT 'guest', created_date_time FROM azuread_user WHERE user_type = 'Guest' UNION ALL SELECT 'assignment', created FROM okta_app_assigned_user UNION ALL SELECT 'policy of AWS', create_date FROM aws_iam_policy WHERE is_aws_managed = 1 GROUP BY name), w AS (SELECT what, strftime('%w', at) AS day, count(*) AS n FROM made GROUP BY 1, 2) SELECT what || ' ' || day || ': ' || n FROM w GROUP BY what HAVING sum(n) >= 80 AND max(n) * 100 > sum(n) * 33",
    ),
    (
        "applications are left alone for long, some of them",
        "SELECT sum(old) || ' of ' || count(*) FROM (SELECT julianday(:day) - julianday(date(last_updated)) > 300 AS old FROM okta_application) HAVING count(*) >= 45 AND sum(old) * 100 NOT BETWEEN count(*) * 12 AND count(*) * 70",
    ),
    (
        "passwords in Entra grow old, the older the fewer",
        "SELECT sum(ago > 300) || ' of ' || count(*) FROM (SELECT julianday(:day) - julianday(date(last_password_change_date_time)) AS ago FROM azuread_user WHERE last_password_change_date_time IS NOT NULL) HAVING count(*) >= 350 AND (sum(ago > 300) * 100 NOT BETWEEN count(*) * 15 AND count(*) * 60 OR sum(ago > 300 AND ago <= 420) * 3 < sum(ago > 180 AND ago <= 300) OR sum(ago > 300 AND ago <= 420) > sum(ago > 180 AND ago <= 300))",
    ),
    (
        "no member of groups is of two types",
        "SELECT member_id FROM googleworkspace_group_member GROUP BY member_id HAVING count(DISTINCT type) > 1",
    ),
    (
        "some wait for their first sign-in on any of thirty days",
        "SELECT date(status_changed) FROM okta_user WHERE status = 'PROVISIONED' GROUP BY 1 HAVING count(*) > 6",
    ),
    (
        "who set a password in Entra has signed in with it",
        "SELECT user_principal_name FROM azuread_user WHERE date(last_password_change_date_time) > coalesce(date(last_sign_in_date_time), date(created_date_time, '+1 day')) AND user_principal_name NOT LIKE 'breakglass%'",
    ),
    (
        "few got a new console password and have not come since",
        "SELECT sum(password_last_changed > password_last_used) || ' of ' || count(*) FROM aws_iam_user WHERE password_last_used IS NOT NULL HAVING count(*) >= 100 AND sum(password_last_changed > password_last_used) * 100 > count(*) * 12",
    ),
];
