//! Two-step verification at Google: which units are held to it, and who has not enrolled.

use super::person::{Kind, OktaStatus, Person, Standing, Trait};
use super::{Organisation, Reach};
use crate::synth::scale::share;

/// Of a hundred people, how many are at least in departments that are not yet held to it.
const LAX: usize = 28;

/// Whether an account sits in a unit that is not held to it.
fn in_lax_unit(lax: &[bool], person: &Person) -> bool {
    match person.kind {
        Kind::Service | Kind::Mailbox => true,
        Kind::Ghost => false,
        Kind::Staff => !person.is_leaver() && person.firm.is_none() && lax[usize::from(person.department)],
    }
}

impl Organisation {
    /// The departments that are not yet held to it: some of the office, and the executives, who asked not to be.
    pub(super) fn find_lax_departments(&mut self) {
        let departments = self.archetype.departments;
        let mut lax: Vec<bool> = departments.iter().map(|it| it.name == "Executive").collect();
        let mut office: Vec<usize> =
            (0..departments.len()).filter(|at| departments[*at].reach == Reach::Office).collect();
        self.dice("lax departments", 0).shuffle(&mut office);
        let total: usize = departments.iter().map(|it| it.weight).sum();
        let mut weight = 0;
        for at in office {
            if weight * 100 >= total * LAX {
                break;
            }
            lax[at] = true;
            weight += departments[at].weight;
        }
        self.lax = lax;
    }

    /// Whether this account is held to it: the unit is, and no group makes an exception of its owner.
    pub(in crate::synth) fn is_held_to_two_steps(&self, person: &Person) -> bool {
        !in_lax_unit(&self.lax, person) && !person.has(Trait::Unenforced2sv)
    }

    /// Casts among those who are not held to it; if they are too few, among all, who are then excepted from it.
    fn cast_unheld(&mut self, purpose: &str, count: usize, fits: impl Fn(&Person) -> bool) -> usize {
        let fits = |person: &Person| person.workspace == Standing::Live && fits(person);
        let open = self.some(purpose, count, |person| {
            !person.has(Trait::No2sv) && !self.is_held_to_two_steps(person) && fits(person)
        });
        let more = self.some(purpose, count - open.len(), |person| {
            !person.has(Trait::No2sv) && self.is_held_to_two_steps(person) && fits(person)
        });
        for index in &more {
            self.person_mut(*index).traits.add(Trait::Unenforced2sv);
        }
        for index in open.iter().chain(&more) {
            self.person_mut(*index).traits.add(Trait::No2sv);
        }
        open.len() + more.len()
    }

    pub(super) fn give_workspace_factors(&mut self) {
        let live = |person: &Person| person.workspace == Standing::Live;
        let all = self.all(live).len();
        // Administrators with a way around.
        self.cast(Trait::Unenforced2sv, "not enforced: admins", self.count([3, 4, 8]), |person| {
            live(person) && person.traits.any(&[Trait::WorkspaceSuper, Trait::WorkspaceDelegated])
        });
        // Who never signed in has no second step either, and comes on top.
        let wanted = share(all, 100);
        let mut given = self
            .cast_unheld("no 2sv: super", self.count([2, 2, 3]), |person| person.has(Trait::WorkspaceSuper));
        given += self
            .cast_unheld("no 2sv: GCP owners", self.count([2, 2, 5]), |person| person.has(Trait::GcpOwner));
        let without =
            |person: &Person| person.has(Trait::NoFactor) && person.okta == Some(OktaStatus::Active);
        let lax = self.lax.clone();
        let in_lax = |person: &Person| in_lax_unit(&lax, person);
        let found = self.cast_unheld("no 2sv: no factor", (wanted / 4).max(2), |person| {
            without(person) && in_lax(person)
        });
        given +=
            found + self.cast_unheld("no 2sv: no factor anywhere", 2_usize.saturating_sub(found), without);
        let robots = |person: &Person| matches!(person.kind, Kind::Service | Kind::Mailbox);
        given += self.cast_unheld("no 2sv: others", wanted / 5, robots);
        // Few are held to it and have found a way not to enrol so far.
        given += self
            .cast(Trait::No2sv, "no 2sv: held", share(all, 8), |person| {
                live(person)
                    && person.is_staff()
                    && !person.is_leaver()
                    && !person.has(Trait::Unenforced2sv)
                    && !in_lax(person)
            })
            .len();
        self.cast_unheld("no 2sv", wanted.saturating_sub(given), |person| {
            person.is_staff()
                && in_lax(person)
                && !person.traits.any(&[Trait::WorkspaceSuper, Trait::GcpOwner])
        });
        self.cast(Trait::Unenforced2sv, "not enforced", share(all, 8), |person| {
            live(person) && !in_lax(person)
        });
    }
}
