//! Shared drives: each is some department's, which runs it.

use super::googleworkspace_groups::Groups;
use crate::synth::organisation::{Organisation, Person, Standing};
use crate::synth::scale::share;

/// A shared drive.
pub(super) struct Drive {
    pub(super) id: String,
    pub(super) department: u8,
    /// Who runs it: kind, role and address.
    pub(super) members: Vec<(&'static str, &'static str, String)>,
}

/// The drives. In a large organisation departments have more than one.
pub(super) fn drives(organisation: &Organisation, groups: &Groups) -> Vec<Drive> {
    let departments = organisation.archetype.departments;
    let steady = |person: &Person| {
        person.workspace == Standing::Live
            && person.is_staff()
            && !person.is_leaver()
            && person.firm.is_none()
    };
    let mut staff: Vec<Vec<u32>> = vec![Vec::new(); departments.len()];
    for index in organisation.all(steady) {
        staff[usize::from(organisation.person(index).department)].push(index);
    }
    let leads = |department: &Vec<u32>| -> Vec<u32> {
        department.iter().copied().filter(|index| organisation.person(*index).leads).collect()
    };
    let leads: Vec<Vec<u32>> = staff.iter().map(leads).collect();
    let weights: Vec<(usize, u8)> = (0..)
        .zip(departments)
        .filter(|(at, _)| !staff[usize::from(*at)].is_empty())
        .map(|(at, it)| (it.weight, at))
        .collect();
    let count = organisation.count([3, 8, 26]);
    let with_organizer = share(count, 600).max(1);
    (0..count)
        .map(|nth| {
            let mut dice = organisation.dice("drive", nth);
            let id = format!("0A{}9PVA", dice.base62(14));
            let department = if weights.is_empty() { 0 } else { *dice.weighted(&weights) };
            let at = usize::from(department);
            let address = |index: &u32| organisation.address(organisation.person(*index));
            let mut members = Vec::new();
            // One who leads there answers for some of the drives.
            if nth < with_organizer {
                let lead = leads[at].get(dice.below(leads[at].len().max(1))).or(staff[at].first());
                members.extend(lead.map(|index| ("user", "organizer", address(index))));
            }
            if let Some(group) = groups.of_department(department) {
                members.push(("group", "fileOrganizer", group.email.clone()));
            } else if !staff[at].is_empty() {
                for _ in 0..2 {
                    let one = address(dice.pick(&staff[at]));
                    if members.iter().all(|(.., known)| *known != one) {
                        members.push(("user", "fileOrganizer", one));
                    }
                }
            }
            Drive { id, department, members }
        })
        .collect()
}
