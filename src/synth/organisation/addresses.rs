//! Addresses that people bring along: their private mail, and what outsiders have at their own firms.

use super::names::Name;
use super::person::Person;
use super::{Dice, Organisation, Outsider};
use crate::synth::archetype::{PARTNERS, PRIVATE_MAIL};
use std::collections::HashSet;

/// After so many draws that somebody else had already, the number gets longer.
const SHORT_DRAWS: u32 = 6;

/// Addresses given so far, as hashes: a million of them fit, and two that agree by chance only cost another draw.
#[derive(Default)]
pub(super) struct Taken(HashSet<u64>);

impl Taken {
    fn insert(&mut self, address: &str) -> bool {
        // FNV-1a: short texts, no adversary.
        let hash = address.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        self.0.insert(hash)
    }
}

impl Organisation {
    /// The private address of a person; nobody else has it.
    pub(in crate::synth) fn private_address(&self, person: &Person, index: u32) -> String {
        let draw = self.redrawn.get(&index).copied().unwrap_or(0);
        self.draw_private(person.name, u64::from(index), draw)
    }

    /// Notes whose first draw somebody else had before them.
    pub(super) fn settle_private_addresses(&mut self) -> Taken {
        let mut taken = Taken::default();
        for index in self.all(Person::is_staff) {
            let name = self.person(index).name;
            let mut draw = 0;
            while !taken.insert(&self.draw_private(name, u64::from(index), draw)) {
                draw += 1;
            }
            if draw > 0 {
                self.redrawn.insert(index, draw);
            }
        }
        taken
    }

    fn draw_private(&self, name: Name, index: u64, draw: u32) -> String {
        let mut dice = Dice::new(self.seed, "private", index | u64::from(draw) << 48);
        private(name, draw, &mut dice)
    }

    /// Who of other firms has a foot in the door.
    pub(super) fn invite(&self, mut private_taken: Taken) -> Vec<Outsider> {
        let count = self.count([16, 70, 300]);
        let mut taken = Taken::default();
        (0..count)
            .map(|nth| {
                let mut dice = self.dice("outsider", nth);
                let name = Name::draw(&mut dice);
                let firm = dice.below(PARTNERS.len());
                let (given, family) = name.letters();
                let mut address = format!("{given}.{family}@{}", PARTNERS[firm].1);
                let mut namesakes = 1;
                while !taken.insert(&address) {
                    namesakes += 1;
                    address = format!("{given}.{family}{namesakes}@{}", PARTNERS[firm].1);
                }
                let mut dice = self.dice("outsider's own", nth);
                let mut draw = 0;
                let mut own = private(name, draw, &mut dice);
                while !private_taken.insert(&own) {
                    draw += 1;
                    own = private(name, draw, &mut dice);
                }
                Outsider { name, firm, address, own }
            })
            .collect()
    }
}

/// A private address such as people choose: the name in some form, often with a year.
fn private(name: Name, draw: u32, dice: &mut Dice) -> String {
    let (given, family) = name.letters();
    let local = match dice.below(20) {
        0..6 => format!("{given}.{family}"),
        6..10 => format!("{given}{family}"),
        10..13 => format!("{}{family}", &given[..1]),
        13..15 => format!("{given}_{family}"),
        15..17 => format!("{family}.{given}"),
        _ => format!("{given}.{}", &family[..1]),
    };
    let host = *dice.pick(PRIVATE_MAIL);
    let year = match dice.below(20) {
        0..9 => String::new(),
        9..15 => dice.between(62, 99).to_string(),
        15 => format!("{:02}", dice.between(0, 5)),
        // Some number that was free.
        _ => dice.between(1, 31).to_string(),
    };
    let number = if draw < SHORT_DRAWS { year } else { dice.between(100, 99_999).to_string() };
    format!("{local}{number}@{host}")
}
