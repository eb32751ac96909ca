//! Whom groups are for, and who of all people that is.

use crate::synth::archetype::Reach;
use crate::synth::moment::Day;
use crate::synth::organisation::{Organisation, Person};

/// Whom a group is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Audience {
    #[default]
    All,
    /// Who sits at a site.
    Site(u8),
    /// Who works in a department; who leads somebody there.
    Department(u8),
    Leads(u8),
    /// Who works in departments of this reach.
    Reach(Reach),
    /// Whose first day lies between these.
    Joined(Day, Day),
    /// Who was here before this day.
    Before(Day),
}

impl Audience {
    /// Whether it is for this person.
    pub(super) fn fits(self, organisation: &Organisation, person: &Person) -> bool {
        match self {
            Self::All => true,
            Self::Site(site) => person.site == site,
            Self::Department(department) => person.department == department,
            Self::Leads(department) => person.department == department && person.leads,
            Self::Reach(reach) => organisation.reach(person) == reach,
            Self::Joined(first, last) => (first..=last).contains(&person.start),
            Self::Before(day) => person.start < day && person.was_here_after(day),
        }
    }

    /// Whose business the group is: who may answer for it.
    pub(super) fn leaders(self, organisation: &Organisation) -> Self {
        match self {
            Self::Leads(department) => Self::Department(department),
            Self::Joined(..) => named(organisation, "People").map_or(Self::All, Self::Department),
            Self::Before(_) => Self::Reach(Reach::Builders),
            other => other,
        }
    }
}

/// The place of the department of this name.
fn named(organisation: &Organisation, name: &str) -> Option<u8> {
    (0..).zip(organisation.archetype.departments).find(|(_, it)| it.name == name).map(|(at, _)| at)
}

/// People to pick members from, sorted by what groups ask for.
pub(super) struct Pools {
    /// In the order of their first days.
    by_start: Vec<u32>,
    sites: Vec<Vec<u32>>,
    departments: Vec<Vec<u32>>,
    leads: Vec<Vec<u32>>,
    reaches: [Vec<u32>; 4],
}

impl Pools {
    /// Of all whom this fits.
    pub(super) fn new(organisation: &Organisation, fits: impl Fn(&Person) -> bool) -> Self {
        let archetype = organisation.archetype;
        let mut pools = Self {
            by_start: organisation.all(fits),
            sites: vec![Vec::new(); archetype.sites.len()],
            departments: vec![Vec::new(); archetype.departments.len()],
            leads: vec![Vec::new(); archetype.departments.len()],
            reaches: [const { Vec::new() }; 4],
        };
        for index in &pools.by_start {
            let person = organisation.person(*index);
            pools.sites[usize::from(person.site)].push(*index);
            pools.departments[usize::from(person.department)].push(*index);
            if person.leads {
                pools.leads[usize::from(person.department)].push(*index);
            }
            pools.reaches[organisation.reach(person) as usize].push(*index);
        }
        pools.by_start.sort_by_key(|index| (organisation.person(*index).start, *index));
        pools
    }

    /// Those whom a group is for.
    pub(super) fn of(&self, organisation: &Organisation, audience: Audience) -> &[u32] {
        let until = |day: Day| self.by_start.partition_point(|index| organisation.person(*index).start < day);
        match audience {
            Audience::All => &self.by_start,
            Audience::Site(site) => &self.sites[usize::from(site)],
            Audience::Department(department) => &self.departments[usize::from(department)],
            Audience::Leads(department) => &self.leads[usize::from(department)],
            Audience::Reach(reach) => &self.reaches[reach as usize],
            Audience::Joined(first, last) => &self.by_start[until(first)..until(last + 1)],
            Audience::Before(day) => &self.by_start[..until(day)],
        }
    }
}
