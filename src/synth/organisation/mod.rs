//! The organisation over time: people, where they stand, and what marks each of them out.
//!
//! Everything that a vendor's tables later show of a person is decided here, once: who left and what stayed behind, who
//! administers what, who never enrolled. The vendors only write it down in their own way.

mod addresses;
mod hiring;
mod hours;
mod leaving;
mod names;
mod person;
mod reporting;
mod roles;
mod standing;
mod titles;
mod two_steps;

pub(super) use person::{Kind, Lifecycle, OktaStatus, Person, Standing, Trait};

use super::archetype::{Archetype, Department, PARTNERS, Reach};
use super::dice::{Dice, choose};
use super::moment::{Day, day_of};
use super::parameters::Parameters;
use super::scale::{Counts, scaled};
use names::Name;
use std::collections::HashMap;

/// Somebody of another firm who has a foot in the door: a guest, a collaborator, a group member.
#[derive(Debug, Clone)]
pub(super) struct Outsider {
    pub(super) name: Name,
    /// The firm, as an index into the partners.
    pub(super) firm: usize,
    pub(super) address: String,
    /// A private address.
    pub(super) own: String,
}

/// The organisation.
#[derive(Debug)]
pub(super) struct Organisation {
    pub(super) seed: u64,
    /// HR records.
    pub(super) records: usize,
    pub(super) today: Day,
    pub(super) founded: Day,
    pub(super) archetype: &'static Archetype,
    pub(super) name: &'static str,
    /// Stem of the domains and of names in the clouds.
    pub(super) stem: &'static str,
    pub(super) domains: [String; 2],
    /// Staff in the order of their hiring, then everything else that has a log-in.
    pub(super) people: Vec<Person>,
    pub(super) outsiders: Vec<Outsider>,
    aliases: HashMap<u32, String>,
    handles: HashMap<u32, String>,
    /// Which draw gave the private address, of those whose first was somebody else's.
    redrawn: HashMap<u32, u32>,
    /// Which departments are not held to two-step verification at Google.
    lax: Vec<bool>,
    /// How many lines of leaders each department has below its head.
    lines: Vec<u8>,
}

impl Organisation {
    /// Makes the organisation.
    pub(super) fn new(parameters: &Parameters) -> Self {
        let seed = parameters.seed;
        let today = day_of(parameters.release_date);
        let (name, stem) = *Dice::new(seed, "organisation", 0).pick(parameters.archetype.organisations);
        let mut organisation = Self {
            seed,
            records: parameters.people,
            today,
            founded: today - 365 * 8 - 250,
            archetype: parameters.archetype,
            name,
            stem,
            domains: [format!("{stem}.example"), format!("{stem}-labs.example")],
            people: Vec::new(),
            outsiders: Vec::new(),
            aliases: HashMap::new(),
            handles: HashMap::new(),
            redrawn: HashMap::new(),
            lax: Vec::new(),
            lines: Vec::new(),
        };
        organisation.hire();
        organisation.settle();
        organisation.find_lax_departments();
        organisation.give_roles();
        let taken = organisation.settle_private_addresses();
        organisation.outsiders = organisation.invite(taken);
        organisation
    }

    /// The count of something in an organisation of this size.
    pub(super) fn count(&self, counts: Counts) -> usize {
        scaled(self.records, counts)
    }

    /// Dice of one entity.
    pub(super) fn dice(&self, purpose: &str, index: usize) -> Dice {
        Dice::new(self.seed, purpose, index as u64)
    }

    /// All whom this fits, by index.
    pub(super) fn all(&self, fits: impl Fn(&Person) -> bool) -> Vec<u32> {
        (0..).zip(&self.people).filter(|(_, person)| fits(person)).map(|(index, _)| index).collect()
    }

    /// Some of all whom this fits.
    pub(super) fn some(&self, purpose: &str, count: usize, fits: impl Fn(&Person) -> bool) -> Vec<u32> {
        choose(self.seed, purpose, &self.all(fits), count)
    }

    /// Gives a trait to some of all whom this fits.
    fn cast(&mut self, it: Trait, purpose: &str, count: usize, fits: impl Fn(&Person) -> bool) -> Vec<u32> {
        let chosen = self.some(purpose, count, |person| !person.has(it) && fits(person));
        for index in &chosen {
            self.person_mut(*index).traits.add(it);
        }
        chosen
    }

    pub(super) fn person(&self, index: u32) -> &Person {
        &self.people[index as usize]
    }

    fn person_mut(&mut self, index: u32) -> &mut Person {
        &mut self.people[index as usize]
    }

    pub(super) fn department(&self, person: &Person) -> &'static Department {
        &self.archetype.departments[usize::from(person.department)]
    }

    pub(super) fn reach(&self, person: &Person) -> Reach {
        self.department(person).reach
    }

    /// The company address.
    pub(super) fn address(&self, person: &Person) -> String {
        format!("{}@{}", person.local, self.domains[usize::from(person.domain)])
    }

    /// The address in the spelling of one system: for people whose systems disagree, with capitals.
    pub(super) fn address_in(&self, person: &Person, system: &str, index: u32) -> String {
        let address = self.address(person);
        if !person.has(Trait::Case) || Dice::new(self.seed, system, u64::from(index)).percent(45) {
            return address;
        }
        let (local, domain) = address.split_once('@').unwrap_or((&address, ""));
        let capitalised = |part: &str| {
            let mut letters = part.chars();
            letters
                .next()
                .map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
        };
        format!("{}@{domain}", local.split('.').map(capitalised).collect::<Vec<_>>().join("."))
    }

    /// The address before a change of surname, or a short form, of who has one.
    pub(super) fn alias(&self, index: u32) -> Option<&str> {
        self.aliases.get(&index).map(String::as_str)
    }

    /// What a coder is called at GitHub.
    pub(super) fn handle(&self, index: u32) -> Option<&str> {
        self.handles.get(&index).map(String::as_str)
    }

    /// How the person likes to be called.
    pub(super) fn preferred(person: &Person) -> String {
        if let Some(label) = &person.label {
            return label.to_string();
        }
        let given = person.name.short().filter(|_| person.has(Trait::Nickname));
        format!("{} {}", given.unwrap_or_else(|| person.name.given()), person.name.family())
    }

    /// The legal name, or what a service identity is called.
    pub(super) fn full_name(person: &Person) -> String {
        person.label.as_ref().map_or_else(|| person.name.full(), ToString::to_string)
    }

    /// Name and domain of a contractor's firm.
    pub(super) fn firm(person: &Person) -> Option<&'static str> {
        person.firm.map(|firm| PARTNERS[usize::from(firm)].0)
    }
}
