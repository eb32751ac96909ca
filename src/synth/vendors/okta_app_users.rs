//! Who is assigned to which Okta application: the people of the departments that work with it.

use super::okta_apps::Integration;
use super::okta_groups::{APP_ATLAS, APP_GITHUB, Group, Groups};
use crate::synth::archetype::Reach;
use crate::synth::dice::{Dice, choose};
use crate::synth::organisation::{Lifecycle, OktaStatus, Organisation, Person, Trait};
use crate::synth::scale::Counts;
use std::collections::HashMap;

/// Departments as HR spells them, and of a hundred of their people how many use an application. An organisation has not
/// all of them.
type Audience = &'static [(&'static str, usize)];

/// Key, the department whose group is assigned as a whole, and who uses it besides.
const AUDIENCES: &[(&str, Option<&str>, Audience)] = &[
    ("salesforce", Some("Sales"), &[("Customer Success", 12), ("Marketing", 8)]),
    ("zendesk", None, &[("Customer Success", 70), ("Engineering", 2)]),
    ("hubspot", None, &[("Marketing", 70), ("Sales", 10)]),
    ("gong", None, &[("Sales", 45), ("Customer Success", 8)]),
    ("figma", None, &[("Product", 60), ("Marketing", 25), ("Engineering", 3)]),
    ("snowflake", None, &[("Data", 70), ("Product", 12), ("Finance", 8)]),
    ("datadog", None, &[("Engineering", 12), ("IT", 6), ("Security", 12)]),
    ("pagerduty", None, &[("Engineering", 8), ("IT", 10), ("Data", 5)]),
    ("launchdarkly", None, &[("Engineering", 5), ("Product", 15)]),
    ("expensify", None, &[("Finance", 45), ("People", 6)]),
    ("netsuite", Some("Finance"), &[("Executive", 10)]),
    ("vendor_portal", None, &[("Finance", 25), ("Legal", 20), ("IT", 12)]),
    ("docusign", Some("Legal"), &[("Sales", 8), ("People", 25)]),
    ("okta_workflows", None, &[("IT", 15)]),
    ("crowdstrike", Some("Security"), &[("IT", 12)]),
    ("jamf_pro", None, &[("IT", 50)]),
    ("pacs_viewer", None, &[("Medical Staff", 60), ("Nursing", 5), ("Clinical Informatics", 15)]),
    ("uptodate", None, &[("Medical Staff", 60), ("Pharmacy", 50), ("Nursing", 6)]),
    ("omnicell", Some("Pharmacy"), &[("Nursing", 15)]),
    ("lis", Some("Laboratory"), &[("Medical Staff", 6)]),
    ("press_ganey", None, &[("Marketing", 25), ("Nursing", 2)]),
    ("rhapsody", None, &[("Clinical Informatics", 45), ("IT", 10)]),
    ("core_banking", None, &[("Retail Banking", 45), ("Operations", 40)]),
    ("murex", Some("Treasury"), &[("Risk", 12)]),
    ("actimize", None, &[("Operations", 15), ("Legal", 30), ("Retail Banking", 2)]),
    ("bloomberg", None, &[("Treasury", 50), ("Risk", 5)]),
    ("swift_alliance", None, &[("Operations", 15), ("Treasury", 8)]),
    ("archer", None, &[("Risk", 65), ("Internal Audit", 60), ("Security", 15)]),
    ("jira_onprem", None, &[("Digital", 75), ("IT", 30)]),
    ("splunk", None, &[("Digital", 12), ("Security", 60)]),
];

/// Assignments in all, shut accounts' apart.
const ASSIGNMENTS: Counts = [96, 723, 2490];

fn audience(key: &str) -> Option<&'static (&'static str, Option<&'static str>, Audience)> {
    AUDIENCES.iter().find(|(known, _, _)| *known == key)
}

/// Whether only some people use it: it is not for everybody.
pub(super) fn is_for_some(key: &str, reach: Option<Reach>) -> bool {
    reach.is_some() || key == "expensify"
}

/// Who can be assigned, by department.
struct Pools<'o> {
    organisation: &'o Organisation,
    departments: Vec<Vec<u32>>,
}

impl<'o> Pools<'o> {
    fn new(organisation: &'o Organisation) -> Self {
        let mut departments = vec![Vec::new(); organisation.archetype.departments.len()];
        for index in organisation.all(|person: &Person| {
            person.okta.is_some_and(OktaStatus::is_live)
                && person.is_staff()
                && person.lifecycle != Lifecycle::Hired
        }) {
            departments[usize::from(organisation.person(index).department)].push(index);
        }
        Self { organisation, departments }
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.organisation.archetype.departments.iter().position(|it| it.name == name)
    }

    /// The departments that use an application, each with how much of it.
    fn shares(&self, app: &Integration) -> Vec<(usize, usize)> {
        if let Some((_, whole, rest)) = audience(&app.key) {
            let whole = whole.iter().map(|name| (*name, 90));
            return whole
                .chain(rest.iter().copied())
                .filter_map(|(name, percent)| Some((percent, self.place(name)?)))
                .filter(|(_, at)| !self.departments[*at].is_empty())
                .collect();
        }
        // What the company built for itself is for those who build; a few others look in.
        let weight = |reach| match reach {
            Reach::Builders => 80,
            Reach::Analysts => 14,
            Reach::Administrators => 6,
            Reach::Office => 0,
        };
        let all = self.organisation.archetype.departments.iter().enumerate();
        all.map(|(at, it)| (if app.reach == Some(it.reach) { 80 } else { weight(it.reach) }, at))
            .filter(|(percent, at)| *percent > 0 && !self.departments[*at].is_empty())
            .collect()
    }

    /// How many use it, before all is brought to the size of the table.
    fn wanted(&self, app: &Integration, dice: &mut Dice) -> usize {
        if audience(&app.key).is_none() {
            // Most tools of one's own are of one team, a few are of all.
            return match dice.below(20) {
                0..9 => 3 + dice.below(3),
                9..15 => 5 + dice.below(6),
                15..19 => 10 + dice.below(16),
                _ => 30 + dice.below(50),
            };
        }
        let shares = self.shares(app);
        let of = |(percent, at): &(usize, usize)| self.departments[*at].len() * percent;
        (shares.iter().map(of).sum::<usize>() / 100).max(3)
    }

    /// Adds people until so many are assigned, or all.
    fn draw(&self, nth: usize, app: &mut Integration, wanted: usize) {
        let shares = self.shares(app);
        // Nobody is given what there was not yet when they left.
        let opened = app.created.day() + 2;
        let there = |index: &u32| self.organisation.person(*index).was_here_after(opened);
        let weight: usize = shares.iter().map(|(percent, at)| percent * self.departments[*at].len()).sum();
        let missing = wanted.saturating_sub(app.assigned.len());
        if weight == 0 || missing == 0 {
            return;
        }
        if audience(&app.key).is_some() {
            for (percent, at) in &shares {
                let pool = &self.departments[*at];
                let share = (missing * percent * pool.len() + weight / 2) / weight;
                let purpose = format!("users of {} {at}", app.key);
                for index in choose(self.organisation.seed, &purpose, pool, share).into_iter().filter(there) {
                    app.assigned.entry(index).or_insert(false);
                }
            }
        }
        let weighted: Vec<(usize, usize)> =
            shares.iter().map(|(percent, at)| (percent * self.departments[*at].len(), *at)).collect();
        let mut dice = self.organisation.dice("okta app users", nth);
        let mut tries = missing * 12;
        while app.assigned.len() < wanted && tries > 0 {
            tries -= 1;
            let at = *dice.weighted(&weighted);
            let one = *dice.pick(&self.departments[at]);
            if there(&one) {
                app.assigned.entry(one).or_insert(false);
            }
        }
    }
}

pub(super) fn assign(organisation: &Organisation, groups: &Groups, apps: &mut [Integration]) {
    let places: HashMap<&str, usize> = groups.all.iter().map(|group| group.name.as_str()).zip(0..).collect();
    assign_vital(organisation, groups, &places, apps);
    let pools = Pools::new(organisation);
    assign_groups(organisation, groups, &places, apps);
    let so_far: usize = apps.iter().map(|app| app.assigned.len()).sum();
    let open: Vec<usize> = (0..apps.len())
        .filter(|at| is_for_some(&apps[*at].key, apps[*at].reach) && !is_vital(&apps[*at].key))
        .collect();
    // How many each has at least, and how many more it would like; that is brought to what the table has room for.
    let wishes: Vec<(usize, usize)> = open
        .iter()
        .map(|at| {
            let mut dice = organisation.dice("okta app size", *at);
            let has = apps[*at].assigned.len();
            let least = (3 + dice.below(4)).saturating_sub(has);
            let wanted = pools.wanted(&apps[*at], &mut dice);
            // Few are still assigned to what nobody can start any more.
            let wanted = if apps[*at].active { wanted } else { wanted / 3 };
            (least, wanted.saturating_sub(has + least))
        })
        .collect();
    let least: usize = wishes.iter().map(|(least, _)| least).sum();
    let more = wishes.iter().map(|(_, more)| more).sum::<usize>().max(1);
    let room = organisation.count(ASSIGNMENTS).saturating_sub(so_far + least);
    for (at, (least, wish)) in open.iter().zip(&wishes) {
        let wanted = apps[*at].assigned.len() + least + wish * room / more;
        pools.draw(*at, &mut apps[*at], wanted);
    }
    // Nobody was assigned to what was switched off before they came.
    for app in apps.iter_mut().filter(|app| !app.active) {
        let off = app.touched.day();
        app.assigned.retain(|index, by_group| *by_group || organisation.person(*index).first_day() <= off);
    }
    top_up(organisation, &pools, apps, &open);
    leave_behind(organisation, &pools, apps);
}

/// What rounding, or a department too small, has left over.
fn top_up(organisation: &Organisation, pools: &Pools<'_>, apps: &mut [Integration], open: &[usize]) {
    let target = organisation.count(ASSIGNMENTS);
    let mut total: usize = apps.iter().map(|app| app.assigned.len()).sum();
    let mut largest: Vec<usize> = open.iter().copied().filter(|at| apps[*at].active).collect();
    largest.sort_by_key(|at| (std::cmp::Reverse(apps[*at].assigned.len()), *at));
    for at in largest {
        let before = apps[at].assigned.len();
        if total >= target {
            break;
        }
        pools.draw(at, &mut apps[at], before + (target - total).min(before / 4 + 1));
        total += apps[at].assigned.len() - before;
    }
}

/// Applications whose users are decided elsewhere: who has an account there.
fn is_vital(key: &str) -> bool {
    matches!(key, "github_enterprise_cloud" | "mongodb_cloud")
}

fn by_group(groups: &Groups, app: &mut Integration, at: usize) {
    app.groups.push(at);
    app.assigned.extend(groups.all[at].members.iter().map(|member| (*member, true)));
}

fn assign_vital(
    organisation: &Organisation,
    groups: &Groups,
    places: &HashMap<&str, usize>,
    apps: &mut [Integration],
) {
    for app in apps.iter_mut() {
        let name = match app.key.as_str() {
            "github_enterprise_cloud" => APP_GITHUB,
            "mongodb_cloud" => APP_ATLAS,
            key if is_for_some(key, app.reach) => continue,
            _ => "Everyone",
        };
        if let Some(at) = places.get(name) {
            by_group(groups, app, *at);
        }
        if app.key == "github_enterprise_cloud" {
            // Leavers' accounts stay tied to their handles.
            let gone = organisation
                .all(|person| person.has(Trait::Coder) && person.is_leaver() && person.okta.is_some());
            for index in gone {
                app.assigned.entry(index).or_insert(false);
            }
        }
    }
}

/// Nobody gives a group what was switched off before there was the group.
fn is_open_to(app: &Integration, group: &Group) -> bool {
    app.active || group.created.plus_seconds(3 * 86_400) < app.touched
}

/// A department's group as a whole where all of the department uses it; the team's group for what a team has built.
fn assign_groups(
    organisation: &Organisation,
    groups: &Groups,
    places: &HashMap<&str, usize>,
    apps: &mut [Integration],
) {
    let departments = organisation.archetype.departments;
    for (nth, app) in apps.iter_mut().enumerate() {
        if let Some((_, Some(whole), _)) = audience(&app.key) {
            let group = groups.departments.iter().position(|at| departments[*at].name == *whole);
            let fits = |at: &usize| is_open_to(app, &groups.all[*at]) && !groups.all[*at].members.is_empty();
            if let Some(at) = group.filter(fits) {
                by_group(groups, app, at);
            }
        } else if let Some(at) = app.team.as_deref().and_then(|team| places.get(team))
            && organisation.dice("okta app team", nth).percent(45)
            && is_open_to(app, &groups.all[*at])
            && !groups.all[*at].members.is_empty()
        {
            by_group(groups, app, *at);
        }
    }
}

/// Shut accounts whose direct assignments nobody took away.
fn leave_behind(organisation: &Organisation, pools: &Pools<'_>, apps: &mut [Integration]) {
    let active: Vec<usize> = (0..apps.len())
        .filter(|at| apps[*at].active && is_for_some(&apps[*at].key, apps[*at].reach) && *at > 1)
        .collect();
    // The applications of each department, so that nobody has to look through all of them for each person.
    let mut of_department: Vec<Vec<usize>> = vec![Vec::new(); organisation.archetype.departments.len()];
    for at in &active {
        for (_, department) in pools.shares(&apps[*at]) {
            of_department[department].push(*at);
        }
    }
    for index in organisation.all(|person| person.has(Trait::BehindAppAssignment)) {
        let mut dice = organisation.dice("left assignment", index as usize);
        let person = organisation.person(index);
        let end = person.end.unwrap_or(organisation.today);
        let mut draw = |from: &[usize]| {
            let older = |at: &usize| apps[*at].created.day() < end;
            (0..40).filter(|_| !from.is_empty()).map(|_| *dice.pick(from)).find(older)
        };
        let own = draw(&of_department[usize::from(person.department)]);
        if let Some(at) = own.or_else(|| draw(&active)).or(active.first().copied()) {
            apps[at].assigned.insert(index, false);
        }
    }
}
