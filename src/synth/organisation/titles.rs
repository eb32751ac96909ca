//! Job titles, and what somebody was called before.

use super::person::{Person, Trait};
use super::{Dice, Organisation};

/// What the vice presidents under the head of the organisation answer for.
const CHARGES: &[&str] = &[
    "Strategy",
    "Corporate Development",
    "Transformation",
    "Investor Relations",
    "Public Affairs",
    "Sustainability",
    "Programmes",
    "International",
];

/// How many of a hundred people who could have a former title in a directory have it.
const STALE: usize = 7;

impl Organisation {
    /// Job title.
    pub(in crate::synth) fn title(&self, person: &Person) -> String {
        let department = self.department(person);
        if person.place == 0 {
            return department.head.to_owned();
        }
        if person.leads {
            return self.title_of_leader(person);
        }
        let mut dice =
            Dice::new(self.seed, "title", u64::from(person.place) << 8 | u64::from(person.department));
        let years = self.years(person);
        let weighted: Vec<(usize, &str)> = (0..)
            .zip(department.titles)
            .map(|(position, title)| (pull(title, position, years), *title))
            .collect();
        (*dice.weighted(&weighted)).to_owned()
    }

    fn title_of_leader(&self, person: &Person) -> String {
        let department = self.department(person);
        if department.name == "Executive" {
            let charge = CHARGES[(person.place as usize - 1) % CHARGES.len()];
            return format!("Vice President, {charge}");
        }
        let lines = self.lines.get(usize::from(person.department)).copied().unwrap_or(0);
        let rank = match person.line {
            line if line >= lines => "Manager,",
            // Where the head is the director.
            1 if department.head.starts_with("Director") => "Deputy Director of",
            1 => "Director of",
            _ => "Senior Manager,",
        };
        format!("{rank} {}", department.name)
    }

    /// Full years in the current employment.
    fn years(&self, person: &Person) -> i32 {
        (self.today - person.start).max(0) / 365
    }

    /// What somebody was called before the last promotion, if the title tells of one.
    fn former_title(&self, person: &Person) -> Option<String> {
        let titles = self.department(person).titles;
        let of_rank = |rank: &str| titles.iter().find(|title| title.starts_with(rank)).copied();
        if person.place == 0 || self.department(person).name == "Executive" {
            return None;
        }
        if person.leads {
            return of_rank("Staff").or(of_rank("Senior")).map(str::to_owned);
        }
        let title = self.title(person);
        if title.starts_with("Principal ") {
            return of_rank("Staff").map(str::to_owned);
        }
        if let Some(rest) = title.strip_prefix("Staff ") {
            return Some(format!("Senior {rest}"));
        }
        title.strip_prefix("Senior ").or_else(|| title.strip_suffix(" II")).map(str::to_owned)
    }

    /// The title as a directory has it: some still have that of before the last promotion.
    pub(in crate::synth) fn title_in(&self, person: &Person, directory: &str, index: u32) -> String {
        let purpose = format!("stale title in {directory}");
        let stale = self.years(person) > 0
            && !person.has(Trait::Twin)
            && self.dice(&purpose, index as usize).percent(STALE);
        self.former_title(person).filter(|_| stale).unwrap_or_else(|| self.title(person))
    }

    /// The title in an employment before this one: a rung lower, or of somebody who learns.
    pub(in crate::synth) fn earlier_title(&self, person: &Person) -> String {
        let first = self.department(person).titles[0];
        self.former_title(person).unwrap_or_else(|| {
            if self.department(person).name == "Executive" {
                "Office Assistant".to_owned()
            } else if first == self.title(person) {
                format!("Trainee, {}", self.department(person).name)
            } else {
                first.to_owned()
            }
        })
    }
}

/// How many have a title, in relation to the others of the department: ranks come with the years.
fn pull(title: &str, position: usize, years: i32) -> usize {
    let rank = title.split(' ').next().unwrap_or_default();
    match (rank, years) {
        ("Principal", 5..) => 4,
        ("Senior", 2..) => 46,
        ("Staff", 4..) | ("Senior", 1) => 12,
        ("Principal" | "Staff" | "Senior", _) | ("Associate", 3..) => 0,
        ("Chief", _) => 6,
        _ if title.ends_with(" II") => {
            if years > 0 {
                34
            } else {
                12
            }
        }
        _ => match position {
            0 => {
                if years < 2 {
                    40
                } else {
                    20
                }
            }
            1 => 30,
            2 => 14,
            _ => 9,
        },
    }
}
