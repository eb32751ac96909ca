//! Who was hired, as what, by whom, and who has gone again.

use super::names::Name;
use super::person::{Kind, Lifecycle, Person, Standing, Trait, Traits};
use super::{Dice, Organisation};
use crate::synth::archetype::{PARTNERS, copy};
use crate::synth::moment::Day;
use crate::synth::scale::{Counts, share};
use crate::synth::workdays::{starting_day, starting_day_before, weekday, working_day};
use std::collections::{HashMap, HashSet};

/// Departments of more people have their first line spread over the sites.
const SPREAD_FROM: u32 = 72;
/// Of a hundred people below the first line, how many were hired for the place where their manager sits.
const WITH_MANAGER: usize = 66;
/// How many have signed and not yet started.
pub(super) const AHEAD: Counts = [3, 12, 60];
/// Up to this many people, nobody but the planted pairs shares a name.
const NAMES_LAST_FOR: usize = 9000;

impl Organisation {
    /// Fills `people` with everybody HR has ever had a record of.
    pub(super) fn hire(&mut self) {
        let rehired = self.count([1, 4, 15]);
        let staff = self.records - rehired;
        let departments = self.assign_departments(staff);
        let mut tallies = vec![0_u32; self.archetype.departments.len()];
        let mut locals = HashMap::new();
        self.people.reserve(staff + staff / 10);
        for (index, department) in departments.into_iter().enumerate() {
            let mut dice = self.dice("person", index);
            let place = tallies[usize::from(department)];
            tallies[usize::from(department)] += 1;
            let number = u32::try_from(index).unwrap_or(u32::MAX - 1);
            self.people.push(Person {
                kind: Kind::Staff,
                name: Name::default(),
                label: None,
                local: Box::default(),
                domain: u8::from(dice.percent(7) && index > 4),
                number: Some(number + 1),
                firm: None,
                department,
                place,
                line: 0,
                leads: false,
                site: self.pick_site(&mut dice),
                manager: None,
                lifecycle: Lifecycle::Employed,
                start: self.start_day(index, staff, &mut dice),
                end: None,
                earlier: None,
                okta: None,
                workspace: Standing::None,
                entra: Standing::None,
                identity_center: Standing::None,
                traits: Traits::default(),
            });
        }
        self.set_managers();
        self.set_sites(&tallies);
        self.name_people(&mut locals);
        self.set_contractors();
        self.end_employments(rehired);
        self.vary_names(staff, &mut locals);
        self.add_others(&mut locals);
        self.add_aliases(staff, &locals);
    }

    /// Names come last, for they tell of the place.
    fn name_people(&mut self, locals: &mut HashMap<Box<str>, u32>) {
        let unique = self.people.len() <= NAMES_LAST_FOR;
        let mut taken = HashSet::new();
        for index in 0..self.people.len() {
            let mut dice = self.dice("name", index);
            let place = self.archetype.sites[usize::from(self.people[index].site)].1;
            let mut name = Name::draw_at(place, &mut dice);
            while unique && !taken.insert(name) {
                name = Name::draw_at(place, &mut dice);
            }
            let person = &mut self.people[index];
            person.name = name;
            person.local = local_part(name, locals);
        }
    }

    /// Some are known under another address too: a short form, or the surname they had.
    fn add_aliases(&mut self, staff: usize, locals: &HashMap<Box<str>, u32>) {
        let today = self.today;
        let mut taken = HashSet::new();
        let settled = |person: &Person| {
            person.is_staff()
                && matches!(person.lifecycle, Lifecycle::Employed)
                && person.firm.is_none()
                && !person.name.is_unusual()
                && !person.has(Trait::Twin)
                && person.start < today - 500
        };
        let chosen = self.cast(Trait::Alias, "aliases", share(staff, 50), settled);
        let renamed = chosen.len() / 3;
        for (nth, index) in chosen.into_iter().enumerate() {
            let mut dice = self.dice("alias", index as usize);
            let person = self.person(index);
            let (given, family) = person.name.letters();
            let old = format!("{given}.{}", person.name.before_marriage(&mut dice).letters().1);
            let mut local = format!("{}{family}", &given[..1]);
            if nth < renamed && !locals.contains_key(old.as_str()) && taken.insert(old.clone()) {
                local = old;
                self.person_mut(index).traits.add(Trait::Renamed);
            }
            while !taken.insert(local.clone()) && !local.contains('.') {
                local.push(char::from(b'2' + u8::try_from(dice.below(8)).unwrap_or(0)));
            }
            let domain = usize::from(self.person(index).domain);
            let alias = format!("{local}@{}", self.domains[domain]);
            self.aliases.insert(index, alias);
        }
    }

    fn assign_departments(&self, staff: usize) -> Vec<u8> {
        let departments = self.archetype.departments;
        let total: usize = departments.iter().map(|it| it.weight).sum();
        let mut assigned: Vec<u8> = Vec::with_capacity(staff);
        for (index, department) in (0_u8..).zip(departments) {
            let count = (department.weight * staff / total).max(1);
            assigned.extend(std::iter::repeat_n(index, count.min(staff - assigned.len())));
        }
        assigned.resize(staff, 0);
        self.dice("departments", 0).shuffle(&mut assigned);
        // The head of the organisation was first, then the heads of the departments, whoever sits there.
        let executive = u8::try_from(departments.len() - 1).unwrap_or(0);
        for (place, wanted) in std::iter::once(executive).chain(0..executive).enumerate() {
            if let Some(other) = assigned.iter().skip(place).position(|it| *it == wanted) {
                assigned.swap(place, place + other);
            }
        }
        assigned
    }

    fn pick_site(&self, dice: &mut Dice) -> u8 {
        let sites: Vec<(usize, u8)> =
            self.archetype.sites.iter().zip(0..).map(|((weight, _), index)| (*weight, index)).collect();
        *dice.weighted(&sites)
    }

    /// The first day of the person at this place: more were hired of late than in the beginning.
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)] // days and people are far below 2^52
    fn start_day(&self, index: usize, staff: usize, dice: &mut Dice) -> Day {
        let span = f64::from(self.today - 5 - self.founded);
        // The last of all lie ahead; the one before them came lately.
        let last = staff.saturating_sub(self.count(AHEAD) + 1).max(1);
        let part = (index as f64 / last as f64).min(1.0);
        let day = self.founded + (span * part.powf(0.62)) as Day;
        let day = (day + dice.between(-7, 4) as Day).max(self.founded);
        let after = starting_day(day);
        if after > self.today - 3 { starting_day_before(day) } else { after }
    }

    /// The day on which HR entered a post: some weeks before its first day, and not after today.
    pub(in crate::synth) fn entered_on(&self, index: u32, start: Day) -> Day {
        let mut dice = self.dice("entered", index as usize | (start.unsigned_abs() as usize) << 32);
        let day = start - Day::try_from(dice.between(8, 40)).unwrap_or(10);
        let latest = self.today - 1;
        let day = if day <= latest { day } else { latest - Day::try_from(dice.between(0, 44)).unwrap_or(0) };
        // At a weekend nobody enters anything; any day of the week before is as good.
        let day = if weekday(day) > 4 { day - Day::try_from(dice.between(2, 5)).unwrap_or(2) } else { day };
        day.max(self.founded - 60)
    }

    /// Teams sit together: most people are where their manager is. In a large department the first line is spread, or all
    /// of it would be at one place.
    fn set_sites(&mut self, sizes: &[u32]) {
        for index in 0..self.people.len() {
            let person = &self.people[index];
            let spread = person.line <= 1 && sizes[usize::from(person.department)] > SPREAD_FROM;
            let Some(manager) = person.manager.filter(|_| person.place > 0 && !spread) else { continue };
            let site = self.person(manager).site;
            if self.dice("site", index).percent(WITH_MANAGER) {
                self.people[index].site = site;
            }
        }
    }

    /// One in ten is a contractor; none of them leads anybody.
    fn set_contractors(&mut self) {
        let wanted = share(self.people.len(), 100);
        // Their numbers are of a range of their own.
        let base = 9 * 10_u32.pow(self.people.len().ilog10() + 1);
        for index in self.some("contractors", wanted, |person| !person.leads && person.place > 0) {
            let firm = self.dice("firm", index as usize).below(PARTNERS.len());
            let person = self.person_mut(index);
            person.firm = u8::try_from(firm).ok();
            person.number = Some(base + index);
        }
    }

    /// Short names, marks, twins.
    fn vary_names(&mut self, staff: usize, locals: &mut HashMap<Box<str>, u32>) {
        let plain = |person: &Person| !person.name.is_unusual();
        self.cast(Trait::Nickname, "nicknames", share(staff, 120), |person| person.name.short().is_some());
        for index in
            self.some("marks", share(staff, 40), |person| plain(person) && !person.has(Trait::Nickname))
        {
            let mut dice = self.dice("marks", index as usize);
            let name = self.person(index).name.with_marks(&mut dice);
            self.person_mut(index).name = name;
        }
        let today = self.today;
        let pairs = self.count([1, 3, 14]);
        let pool = self.some("twins", 2 * pairs, |person| {
            plain(person)
                && !person.has(Trait::Nickname)
                && !person.leads
                && person.start < today - 150
                && person.earlier.is_none()
                && matches!(person.lifecycle, Lifecycle::Employed)
                && person.end.is_none()
        });
        for pair in pool.chunks_exact(2) {
            let name = self.person(pair[0]).name;
            let local = local_part(name, locals);
            let person = self.person_mut(pair[1]);
            person.name = name;
            person.local = local;
            person.traits.add(Trait::Twin);
            self.person_mut(pair[0]).traits.add(Trait::Twin);
        }
    }

    /// Log-ins that HR knows nothing of.
    fn add_others(&mut self, locals: &mut HashMap<Box<str>, u32>) {
        let ghosts = self.count([2, 10, 56]);
        let services = self.count([2, 9, 60]);
        let mailboxes = self.count([3, 8, 20]);
        let kinds = std::iter::repeat_n(Kind::Ghost, ghosts)
            .chain(std::iter::repeat_n(Kind::Service, services))
            .chain(std::iter::repeat_n(Kind::Mailbox, mailboxes));
        for (nth, kind) in kinds.enumerate() {
            let mut dice = self.dice("other", nth);
            let name = Name::draw(&mut dice);
            let (label, local) = match kind {
                Kind::Service => {
                    let (label, local) = service_name(nth - ghosts);
                    (Some(label.into_boxed_str()), local.into_boxed_str())
                }
                Kind::Mailbox => {
                    let (label, local) = mailbox_name(nth - ghosts - services);
                    (Some(label.into_boxed_str()), local.into_boxed_str())
                }
                _ => (None, local_part(name, locals)),
            };
            let start = working_day(self.today - Day::try_from(dice.between(120, 1800)).unwrap_or(400));
            let office = self.archetype.departments.iter().position(|it| it.name == "IT").unwrap_or(0);
            let department =
                if kind == Kind::Ghost { dice.below(self.archetype.departments.len() - 1) } else { office };
            self.people.push(Person {
                kind,
                name,
                label,
                local,
                domain: 0,
                number: None,
                firm: None,
                department: u8::try_from(department).unwrap_or(0),
                place: u32::MAX,
                line: u8::MAX,
                leads: false,
                site: 0,
                manager: None,
                lifecycle: Lifecycle::Employed,
                start,
                end: None,
                earlier: None,
                okta: None,
                workspace: Standing::None,
                entra: Standing::None,
                identity_center: Standing::None,
                traits: Traits::default(),
            });
        }
    }
}

/// Letters of middle names.
const MIDDLE: &[u8] = b"jarmtlsekdcpnbgh";

/// A log-in that nobody has: `given.family`, then with a letter between, then with a number.
fn local_part(name: Name, taken: &mut HashMap<Box<str>, u32>) -> Box<str> {
    let (given, family) = name.letters();
    let plain: Box<str> = format!("{given}.{family}").into();
    let count = taken.entry(plain.clone()).or_insert(0);
    *count += 1;
    // Each name begins at another letter.
    let first: usize = plain.bytes().map(usize::from).sum();
    match *count as usize {
        1 => plain,
        nth if nth <= MIDDLE.len() + 1 => {
            format!("{given}.{}.{family}", char::from(MIDDLE[(first + nth) % MIDDLE.len()])).into()
        }
        nth => format!("{given}.{family}.{nth}").into(),
    }
}

const SERVICES: &[(&str, &str)] = &[
    ("Backup Service", "svc-backup"),
    ("SCIM Provisioning", "svc-scim"),
    ("Scanner to Mail", "svc-scanner"),
    ("Build Automation", "svc-build"),
    ("Monitoring Probe", "svc-monitoring"),
    ("HR Sync", "svc-hrsync"),
    ("Badge System", "svc-badge"),
    ("Report Scheduler", "svc-reports"),
    ("Log Forwarder", "svc-logs"),
    ("Meeting Rooms", "svc-rooms"),
    ("Vulnerability Scanner", "svc-vulnscan"),
    ("Payroll Export", "svc-payroll"),
];

const MAILBOXES: &[(&str, &str)] = &[
    ("Accounts Payable", "ap"),
    ("Front Desk", "frontdesk"),
    ("Recruiting", "jobs"),
    ("Support Inbox", "support"),
    ("Press Office", "press"),
    ("Legal Notices", "legal-notices"),
    ("Events", "events"),
    ("Privacy Requests", "privacy"),
    ("Facilities", "facilities"),
    ("Invoices", "invoices"),
    ("Security Reports", "security-reports"),
    ("Feedback", "feedback"),
    ("Training Desk", "training"),
    ("Travel Desk", "travel"),
    ("Newsletter", "newsletter"),
    ("Contracts", "contracts"),
    ("Data Requests", "data-requests"),
    ("Partnerships", "partnerships"),
    ("Deliveries", "deliveries"),
    ("Payroll Questions", "payroll"),
];

fn told_apart(of: &[(&str, &str)], nth: usize) -> (String, String) {
    let (label, local) = of[nth % of.len()];
    match nth / of.len() {
        0 => (label.to_owned(), local.to_owned()),
        round => {
            let word = copy(round - 1, nth % of.len());
            (format!("{label} ({word})"), format!("{local}-{word}"))
        }
    }
}

fn service_name(nth: usize) -> (String, String) {
    told_apart(SERVICES, nth)
}

fn mailbox_name(nth: usize) -> (String, String) {
    told_apart(MAILBOXES, nth)
}
