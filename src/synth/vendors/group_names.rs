//! What groups are called, and what some say of themselves.

use super::naming::{Taken, title_of};
use crate::synth::archetype::{CLUBS, CODE_NAMES, COMMON_APPS, GUILDS, slug, subjects, title_case};
use crate::synth::dice::Dice;
use crate::synth::moment::{Day, date_text};
use crate::synth::organisation::Organisation;

/// A group's name, what it is for, and whether it has a mailbox at Microsoft.
#[derive(Debug, Default)]
pub(super) struct Naming {
    pub(super) name: String,
    pub(super) purpose: String,
    pub(super) unified: bool,
}

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

/// A month of the last five years, `2025-09`.
fn month(today: Day, dice: &mut Dice) -> String {
    let ago = Day::try_from(dice.between(20, 1800)).unwrap_or(20);
    date_text(today - ago)[..7].to_owned()
}

fn site(organisation: &Organisation, dice: &mut Dice) -> &'static str {
    dice.pick(organisation.archetype.sites).1
}

/// A job that is not a department's highest.
fn job(organisation: &Organisation, dice: &mut Dice) -> &'static str {
    let departments = organisation.archetype.departments;
    let titles = dice.pick(departments).titles;
    let title: &&str = dice.pick(titles);
    title
}

fn list(organisation: &Organisation, subjects: &[(usize, &'static str)], dice: &mut Dice) -> Naming {
    let archetype = organisation.archetype;
    let subject = *dice.weighted(subjects);
    let subject = title_case(subject);
    let system = title_of(archetype.systems, dice);
    let product = title_of(archetype.products, dice);
    let client = *dice.pick(archetype.clients);
    let (name, purpose) = match dice.below(100) {
        0..20 => (format!("{subject} team"), format!("Everybody who works on {subject}")),
        20..30 => (format!("{subject} alerts"), format!("Alarms of {subject}; please do not write here")),
        30..34 => (format!("{system} on-call"), format!("Who is called when {system} is down")),
        34..41 => {
            let guild = *dice.pick(GUILDS);
            (format!("Guild {guild}"), format!("{guild} across departments"))
        }
        41..50 => {
            let site = site(organisation, dice);
            let what = *dice.pick(&["office", "visitors", "fire wardens", "lunch", "parking", "first aid"]);
            (format!("{site} {what}"), format!("For people at {site}"))
        }
        50..58 => (format!("{product} launch"), format!("Launch of {product}: dates and open points")),
        58..68 => (format!("Customer {client}"), format!("Shared mail with {client}")),
        68..76 => {
            let ago = Day::try_from(dice.between(6, 700)).unwrap_or(6);
            let day = date_text(organisation.today - ago);
            (format!("Incident {day} {system}"), format!("Updates on {system} of {day}"))
        }
        76..83 => {
            let job = job(organisation, dice);
            (format!("Interviews {job}"), format!("Interviewers for {job}"))
        }
        83..90 => {
            let club = *dice.pick(CLUBS);
            (format!("{club} club"), "Open to everybody".to_owned())
        }
        90..95 => {
            let month = month(organisation.today, dice);
            (format!("New joiners {month}"), format!("Who started in {month}"))
        }
        _ => {
            let code = title_of(CODE_NAMES, dice);
            (format!("Project {code}"), format!("Working group of project {code}"))
        }
    };
    Naming { name, purpose, unified: false }
}

const LICENCES: &[&str] = &[
    "M365-E3",
    "M365-E5",
    "M365-F3",
    "Visio",
    "Project-Plan",
    "Power-BI-Pro",
    "Copilot",
    "Teams-Phone",
    "Defender",
    "Intune-Suite",
    "Exchange-Kiosk",
];

fn directory(organisation: &Organisation, subjects: &[(usize, &'static str)], dice: &mut Dice) -> Naming {
    let archetype = organisation.archetype;
    let subject = *dice.weighted(subjects);
    let client = *dice.pick(archetype.clients);
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
            let (key, label, ..) =
                COMMON_APPS.get(at).unwrap_or_else(|| &archetype.apps[at - COMMON_APPS.len()]);
            let right = *dice.weighted(&[(5, "Users"), (2, "Admins"), (1, "Trial")]);
            let app = slug(key);
            (format!("App-{app}-{right}"), format!("{right} of {label}"), false)
        }
        60..65 => {
            let licence = *dice.pick(LICENCES);
            (format!("LIC-{licence}"), format!("Licence {licence} is assigned to this group"), false)
        }
        65..73 => {
            let site = slug(site(organisation, dice));
            let what = *dice.pick(&["vpn", "wifi", "printers", "doors", "meeting-rooms"]);
            (format!("{what}-{site}"), format!("Access at {site}, ordered through the service desk"), false)
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
            let month = month(organisation.today, dice);
            (format!("Onboarding {month}"), format!("Joined in {month}"), true)
        }
        _ => {
            let year = month(organisation.today, dice)[..4].to_owned();
            (format!("Access review {year} {subject}"), format!("Accounts in review in {year}"), false)
        }
    };
    Naming { name, purpose, unified }
}
