//! What groups are called, and what some say of themselves.

use super::audience::Audience;
use super::naming::{Taken, title_of};
use crate::synth::archetype::{CLUBS, CODE_NAMES, COMMON_APPS, GUILDS, Reach, slug, subjects, title_case};
use crate::synth::dice::Dice;
use crate::synth::moment::{Day, date_text, month_of, year_of};
use crate::synth::organisation::Organisation;

/// A group's name, what it is for and whom, and whether it has a mailbox at Microsoft.
#[derive(Debug, Default)]
pub(super) struct Naming {
    pub(super) name: String,
    pub(super) purpose: String,
    pub(super) audience: Audience,
    pub(super) unified: bool,
    /// First and last day on which it can have been made, where its name tells of a time.
    pub(super) made: Option<(Day, Day)>,
}

/// Up to this many people, those who start in a year are few enough for one group.
const ONE_GROUP_A_YEAR: usize = 300;

/// Names of groups of one directory.
pub(super) struct Names<'o> {
    organisation: &'o Organisation,
    subjects: Vec<(usize, &'static str)>,
    taken: Taken,
}

impl<'o> Names<'o> {
    pub(super) fn new(organisation: &'o Organisation) -> Self {
        Self { organisation, subjects: subjects(organisation.archetype), taken: Taken::default() }
    }

    /// Keeps a name from being given to another group.
    pub(super) fn take(&mut self, name: &str) {
        self.taken.take(name);
    }

    /// A name for a group of Google Workspace.
    pub(super) fn list(&mut self, nth: usize) -> Naming {
        let mut dice = self.organisation.dice("workspace group name", nth);
        self.fresh(|organisation, subjects| list(organisation, subjects, &mut dice))
    }

    /// A name for a group of Entra.
    pub(super) fn directory(&mut self, nth: usize) -> Naming {
        let mut dice = self.organisation.dice("entra group name", nth);
        self.fresh(|organisation, subjects| directory(organisation, subjects, &mut dice))
    }

    fn fresh(&mut self, mut draw: impl FnMut(&Organisation, &[(usize, &'static str)]) -> Naming) -> Naming {
        let mut naming = Naming::default();
        let name = self.taken.fresh(|| {
            naming = draw(self.organisation, &self.subjects);
            naming.name.clone()
        });
        Naming { name, ..naming }
    }
}

/// A month of the last five years in which somebody started, `2025-09`, and its days; a year where few start.
fn joining(organisation: &Organisation, dice: &mut Dice) -> (String, Day, Day) {
    let (people, today) = (&organisation.people, organisation.today);
    let started = (0..200).find_map(|_| {
        let person = dice.pick(people);
        let lately = (today - 1800..today - 6).contains(&person.start);
        (person.is_staff() && !person.is_leaver() && lately).then_some(person.start)
    });
    let started = started.unwrap_or(today - 40);
    if organisation.records < ONE_GROUP_A_YEAR {
        let (first, last) = year_of(started);
        return (date_text(first)[..4].to_owned(), first, last);
    }
    let (first, last) = month_of(started);
    (date_text(first)[..7].to_owned(), first, last)
}

/// A place with doors: its name and place in the list.
fn site(organisation: &Organisation, dice: &mut Dice) -> (&'static str, u8) {
    let sites = (0..).zip(organisation.archetype.sites).filter(|(_, site)| site.1 != "Remote");
    let sites: Vec<(u8, &'static str)> = sites.map(|(at, site)| (at, site.1)).collect();
    let (at, name) = *dice.pick(&sites);
    (name, at)
}

/// A job that is not a department's highest, and the department.
fn job(organisation: &Organisation, dice: &mut Dice) -> (&'static str, u8) {
    let departments = organisation.archetype.departments;
    let at = dice.below(departments.len());
    let title: &&str = dice.pick(departments[at].titles);
    (title, u8::try_from(at).unwrap_or(0))
}

fn list(organisation: &Organisation, subjects: &[(usize, &'static str)], dice: &mut Dice) -> Naming {
    let archetype = organisation.archetype;
    let subject = *dice.weighted(subjects);
    let subject = title_case(subject);
    let system = title_of(archetype.systems, dice);
    let product = title_of(archetype.products, dice);
    let client = *dice.pick(archetype.clients);
    let mut audience = Audience::All;
    let (name, purpose) = match dice.below(100) {
        0..20 => (format!("{subject} team"), format!("Everybody who works on {subject}")),
        20..30 => (format!("{subject} alerts"), format!("Alarms of {subject}; please do not write here")),
        30..34 => {
            audience = Audience::Reach(Reach::Builders);
            (format!("{system} on-call"), format!("Who is called when {system} is down"))
        }
        34..41 => {
            let guild = *dice.pick(GUILDS);
            (format!("Guild {guild}"), format!("{guild} across departments"))
        }
        41..50 => {
            let (site, at) = site(organisation, dice);
            audience = Audience::Site(at);
            let what = *dice.pick(&["office", "visitors", "fire wardens", "lunch", "parking", "first aid"]);
            (format!("{site} {what}"), format!("For people at {site}"))
        }
        50..58 => (format!("{product} launch"), format!("Launch of {product}: dates and open points")),
        58..68 => (format!("Customer {client}"), format!("Shared mail with {client}")),
        68..76 => {
            let ago = Day::try_from(dice.between(6, 700)).unwrap_or(6);
            audience = Audience::Before(organisation.today - ago);
            let day = date_text(organisation.today - ago);
            (format!("Incident {day} {system}"), format!("Updates on {system} of {day}"))
        }
        76..83 => {
            let (job, department) = job(organisation, dice);
            audience = Audience::Department(department);
            (format!("Interviews {job}"), format!("Interviewers for {job}"))
        }
        83..90 => {
            let club = *dice.pick(CLUBS);
            (format!("{club} club"), "Open to everybody".to_owned())
        }
        90..95 => {
            let (time, first, last) = joining(organisation, dice);
            audience = Audience::Joined(first, last);
            (format!("New joiners {time}"), format!("Who started in {time}"))
        }
        _ => {
            let code = title_of(CODE_NAMES, dice);
            (format!("Project {code}"), format!("Working group of project {code}"))
        }
    };
    Naming { name, purpose, audience, ..Naming::default() }
}

/// Licences that few have: what everybody has is given out by department.
const LICENCES: &[&str] = &[
    "Visio",
    "Project-Plan",
    "Power-BI-Premium",
    "Copilot-Pilot",
    "Teams-Phone",
    "Teams-Rooms",
    "Defender-Trial",
    "Intune-Suite-Trial",
    "Exchange-Archive",
    "Power-Automate-RPA",
    "Planner-Premium",
    "Dynamics-Trial",
];

fn directory(organisation: &Organisation, subjects: &[(usize, &'static str)], dice: &mut Dice) -> Naming {
    let archetype = organisation.archetype;
    let subject = *dice.weighted(subjects);
    let client = *dice.pick(archetype.clients);
    let (mut audience, mut made) = (Audience::All, None);
    let (name, purpose, unified) = match dice.below(100) {
        0..28 => {
            let right = *dice.weighted(&[
                (6, "users"),
                (6, "readers"),
                (4, "admins"),
                (3, "editors"),
                (2, "approvers"),
                (2, "operators"),
                (1, "auditors"),
                (1, "testers"),
            ]);
            let (name, title) = (format!("sg-{subject}-{right}"), title_case(subject));
            (name, format!("Grants the {right} role of {title}"), false)
        }
        28..44 => {
            let code = if dice.percent(60) { *dice.pick(CODE_NAMES) } else { *dice.pick(archetype.products) };
            let code = title_case(code);
            (format!("Project {code}"), format!("Files and calendar of {code}"), true)
        }
        44..60 => {
            let at = dice.below(COMMON_APPS.len() + archetype.apps.len());
            let (key, label, _, reach) =
                COMMON_APPS.get(at).unwrap_or_else(|| &archetype.apps[at - COMMON_APPS.len()]);
            audience = reach.map_or(Audience::All, Audience::Reach);
            // Who uses it, the identity provider says; these few may do more, or try something.
            let right =
                *dice.weighted(&[(4, "Admins"), (3, "Testers"), (2, "Owners"), (2, "Support"), (1, "Trial")]);
            let app = slug(key);
            (format!("App-{app}-{right}"), format!("{right} of {label}"), false)
        }
        60..65 => {
            let licence = *dice.pick(LICENCES);
            (format!("LIC-{licence}"), format!("Licence {licence} is assigned to this group"), false)
        }
        65..73 => {
            let (site, at) = site(organisation, dice);
            audience = Audience::Site(at);
            let key = slug(site);
            let what = *dice.pick(&["vpn", "wifi", "printers", "doors", "meeting-rooms"]);
            (format!("{what}-{key}"), format!("Access at {site}, ordered through the service desk"), false)
        }
        73..81 => (format!("{client} working group"), format!("Work with {client}"), true),
        81..86 => {
            let title = title_case(subject);
            (format!("Pilot {title}"), format!("First users of the next {title}"), false)
        }
        86..91 => {
            let guild = *dice.pick(GUILDS);
            (format!("{guild} community"), format!("Everybody who cares about {guild}"), true)
        }
        91..96 => {
            let (time, first, last) = joining(organisation, dice);
            audience = Audience::Joined(first, last);
            made = Some((first - 21, first));
            (format!("Onboarding {time}"), format!("Joined in {time}"), true)
        }
        _ => {
            let day = organisation.today - Day::try_from(dice.between(20, 1800)).unwrap_or(20);
            let year = date_text(day)[..4].to_owned();
            audience = Audience::Before(day);
            made = Some((day - 9, day));
            (format!("Access review {year} {subject}"), format!("Accounts in review in {year}"), false)
        }
    };
    Naming { name, purpose, audience, unified, made }
}
