//! Where each account stands in the four directories, and what stayed behind when its owner left.

use super::person::{Kind, Lifecycle, OktaStatus, Person, Standing, Trait};
use super::{Organisation, Reach, choose};
use crate::synth::moment::Day;
use crate::synth::scale::share;

/// What those who left something behind left, in turn. The first four cover every system twice, so that a small
/// organisation has all of it.
const LEFT_BEHIND: &[&[Trait]] = &[
    &[Trait::BehindIdentityCenter, Trait::BehindIam, Trait::BehindIamUsed, Trait::BehindGitHub],
    &[Trait::BehindIam, Trait::BehindIamUsed, Trait::BehindAtlas, Trait::BehindWorkspace],
    &[Trait::BehindGitHub, Trait::BehindIdentityCenter, Trait::BehindAtlas],
    &[Trait::BehindWorkspace, Trait::BehindIam, Trait::BehindEntra],
    &[Trait::BehindIdentityCenter],
    &[Trait::BehindGitHub],
    &[Trait::BehindIam],
    &[Trait::BehindAtlas],
    &[Trait::BehindWorkspace, Trait::BehindEntra],
    &[Trait::BehindIam, Trait::BehindIamUsed],
    &[Trait::BehindIdentityCenter, Trait::BehindEntra],
    &[Trait::BehindGitHub, Trait::BehindWorkspace],
    &[Trait::BehindIdentityCenter, Trait::BehindGitHub],
];

/// Accounts that were forgotten when their owner left are found after so many days at the latest.
const FOUND_AFTER: Day = 1000;

impl Organisation {
    /// Decides where everybody's accounts stand.
    pub(super) fn settle(&mut self) {
        let staff = self.all(Person::is_staff).len();
        let accounts = self.people.len() - share(staff, 20);
        for person in &mut self.people {
            person.okta = Some(OktaStatus::Active);
            person.workspace = Standing::Live;
            person.entra = Standing::Live;
            person.identity_center = Standing::Live;
        }
        self.settle_without_accounts(staff);
        self.settle_leavers(accounts);
        self.settle_future_starters(accounts);
        self.settle_the_rest(accounts);
        self.settle_others();
        self.settle_numbers();
    }

    fn set_okta(&mut self, chosen: &[u32], status: OktaStatus) {
        for index in chosen {
            self.person_mut(*index).okta = Some(status);
        }
    }

    /// Two in a hundred of whom HR knows have no account at all: contractors on site, people long gone.
    fn settle_without_accounts(&mut self, staff: usize) {
        let without = share(staff, 20);
        let gone = self.some("gone without account", without / 2, |person| {
            person.is_leaver() && !person.leads && person.firm.is_none()
        });
        let on_site = self.some("on site", without - gone.len(), |person| {
            person.firm.is_some() && person.lifecycle == Lifecycle::Employed && person.end.is_none()
        });
        for index in gone.into_iter().chain(on_site) {
            let person = self.person_mut(index);
            person.okta = None;
            person.workspace = Standing::None;
            person.entra = Standing::None;
            person.identity_center = Standing::None;
        }
    }

    fn settle_leavers(&mut self, accounts: usize) {
        let leavers = self.all(Person::is_leaver);
        let mut with_account: Vec<u32> =
            leavers.iter().copied().filter(|index| self.person(*index).okta.is_some()).collect();
        let live = share(leavers.len(), 120).max(2).min(with_account.len());
        let behind = share(leavers.len(), 200).max(4).min(with_account.len() - live);
        // Managers who left stay in the chart only.
        // Who left only now can't have used anything after that.
        let (today, people) = (self.today, &self.people);
        with_account.retain(|index| {
            let person = &people[*index as usize];
            !person.leads && person.end.is_some_and(|end| end < today - 3)
        });
        // What was forgotten longer ago was found by now; in a small organisation the latest have to do.
        with_account.sort_by_key(|index| (std::cmp::Reverse(people[*index as usize].end), *index));
        let lately = with_account.partition_point(|index| {
            people[*index as usize].end.is_some_and(|end| end > today - FOUND_AFTER)
        });
        with_account.truncate(lately.max(live + behind));
        with_account.sort_unstable();
        let messy = choose(self.seed, "leavers with access", &with_account, live + behind);
        let mut order: Vec<u32> = messy;
        self.dice("leavers with access", 1).shuffle(&mut order);
        // At least one of them lets the password run out, where that can be.
        let held = |index: &u32| self.password_may_be_out(self.person(*index));
        let first = order.iter().position(held);
        if let Some(at) = first.filter(|at| *at >= live) {
            order.swap(0, at);
        } else if first.is_none()
            && let Some(other) = with_account.iter().copied().find(held)
        {
            order[0] = other;
        }
        let held: Vec<bool> = order.iter().map(held).collect();
        let mut to_expire = live.div_ceil(2);
        for (nth, index) in order.iter().enumerate() {
            let mut dice = self.dice("left", *index as usize);
            let person = self.person_mut(*index);
            if nth < live {
                person.traits.add(Trait::LeftLive);
                let expires = held[nth] && to_expire > 0;
                to_expire -= usize::from(expires);
                person.okta = Some(if expires { OktaStatus::PasswordExpired } else { OktaStatus::Active });
                // Some were caught by one system's own clean-up.
                if nth >= 2 && dice.percent(25) {
                    person.workspace = Standing::Off;
                }
                if nth >= 2 && dice.percent(25) {
                    person.entra = Standing::Off;
                }
                continue;
            }
            person.traits.add(Trait::LeftBehind);
            person.okta = Some(OktaStatus::Deprovisioned);
            let nth = nth - live;
            let places = LEFT_BEHIND.len();
            let left = LEFT_BEHIND[if nth < places { nth } else { 4 + (nth - 4) % (places - 4) }];
            for it in left {
                person.traits.add(*it);
            }
            let standing = |kept| if person.traits.has(kept) { Standing::Live } else { Standing::Off };
            (person.identity_center, person.entra, person.workspace) = (
                standing(Trait::BehindIdentityCenter),
                standing(Trait::BehindEntra),
                standing(Trait::BehindWorkspace),
            );
        }
        let clean = self.all(|person| {
            person.is_leaver()
                && person.okta.is_some()
                && !person.traits.any(&[Trait::LeftLive, Trait::LeftBehind])
        });
        self.set_okta(&clean, OktaStatus::Deprovisioned);
        let suspended = choose(self.seed, "suspended leavers", &clean, share(accounts, 12));
        self.set_okta(&suspended, OktaStatus::Suspended);
        for index in clean {
            let mut dice = self.dice("clean", index as usize);
            let person = self.person_mut(index);
            person.workspace =
                *dice.weighted(&[(64, Standing::Off), (30, Standing::Archived), (6, Standing::None)]);
            person.entra = *dice.weighted(&[(48, Standing::Off), (52, Standing::None)]);
            person.identity_center = *dice.weighted(&[(60, Standing::Off), (40, Standing::None)]);
        }
        let of_messy = |person: &Person| person.traits.any(&[Trait::LeftLive, Trait::LeftBehind]);
        self.cast(Trait::BehindGcp, "left in GCP", self.count([2, 4, 14]), of_messy);
        self.cast(Trait::BehindApp, "left an app", self.count([2, 3, 10]), of_messy);
        self.cast(Trait::BehindGroup, "left a group", self.count([2, 3, 10]), of_messy);
        let with_rows = |person: &Person| {
            person.is_leaver() && person.okta.is_some() && person.workspace != Standing::None
        };
        self.cast(Trait::BehindFile, "left files", self.count([2, 6, 20]), |person| {
            with_rows(person) && person.okta == Some(OktaStatus::Deprovisioned)
        });
        self.cast(Trait::BehindFile, "left more files", self.count([1, 3, 8]), with_rows);
        let shut = |person: &Person| {
            person.okta == Some(OktaStatus::Deprovisioned)
                && person.end.is_some_and(|end| end > today - FOUND_AFTER)
        };
        self.cast(Trait::BehindAppAssignment, "left assignments", self.count([2, 5, 22]), shut);
    }

    /// Accounts made before the first day: staged, sent out, or too early active.
    fn settle_future_starters(&mut self, accounts: usize) {
        let hired = self.all(|person| person.lifecycle == Lifecycle::Hired);
        let early = self.count([2, 2, 0]).min(hired.len());
        let active = choose(self.seed, "active too early", &hired, early);
        let rest: Vec<u32> = hired.iter().copied().filter(|index| !active.contains(index)).collect();
        let staged = choose(self.seed, "staged", &rest, share(accounts, 20));
        self.set_okta(&rest, OktaStatus::Provisioned);
        self.set_okta(&staged, OktaStatus::Staged);
        for index in hired {
            let person = self.person_mut(index);
            person.workspace = Standing::None;
            person.entra = Standing::None;
            person.identity_center = Standing::None;
        }
    }

    fn settle_the_rest(&mut self, accounts: usize) {
        let provisioned = self.all(|person| person.okta == Some(OktaStatus::Provisioned)).len();
        let expired = self.all(|person| person.okta == Some(OktaStatus::PasswordExpired)).len();
        let suspended = self.all(|person| person.okta == Some(OktaStatus::Suspended)).len();
        let calm = |person: &Person| {
            person.is_staff()
                && person.okta == Some(OktaStatus::Active)
                && person.lifecycle == Lifecycle::Employed
                && person.end.is_none()
                && !person.leads
                && !person.has(Trait::Alias)
        };
        let chosen = self.not_activated(share(accounts, 30).saturating_sub(provisioned), &calm);
        self.set_okta(&chosen, OktaStatus::Provisioned);
        for index in chosen {
            // Their accounts elsewhere were made with the first one; nobody has used them.
            self.person_mut(index).traits.add(Trait::NeverWorkspace);
        }
        let chosen = self.some("locked out", share(accounts, 10).max(1), calm);
        self.set_okta(&chosen, OktaStatus::LockedOut);
        // A password runs out where a policy says so.
        let wanted = share(accounts, 20).saturating_sub(expired);
        let chosen = self.some("expired", wanted, |person| calm(person) && self.password_may_be_out(person));
        self.set_okta(&chosen, OktaStatus::PasswordExpired);
        let chosen = self.some("in recovery", self.count([0, 1, 4]), calm);
        self.set_okta(&chosen, OktaStatus::Recovery);
        // Under investigation: shut at the identity provider, not always elsewhere.
        let more = share(accounts, 20).saturating_sub(suspended).max(2);
        let chosen = self.some("under investigation", more, calm);
        self.set_okta(&chosen, OktaStatus::Suspended);
        for (nth, index) in chosen.into_iter().enumerate() {
            let person = self.person_mut(index);
            person.workspace = if nth < 2 || nth % 2 == 0 { Standing::Live } else { Standing::Off };
            person.entra = if nth % 3 == 0 { Standing::Live } else { Standing::Off };
            person.identity_center = Standing::Off;
        }
        let away = self.some("suspended while away", self.count([0, 1, 4]), |person| {
            person.lifecycle == Lifecycle::GardenLeave
        });
        self.set_okta(&away, OktaStatus::Suspended);
        // Shut in Entra by mistake while Okta works.
        for index in self.some("shut in Entra", self.count([2, 4, 12]), calm) {
            self.person_mut(index).entra = Standing::Off;
        }
        for index in self.some("not in Identity Center", share(accounts, 15), calm) {
            self.person_mut(index).identity_center = Standing::None;
        }
    }

    /// After how many days the password of this person runs out in Okta, if ever. Who came from the directory of before is
    /// among those who are here longest; developers are asked for no new one, and machines neither.
    pub(in crate::synth) fn password_lasts(&self, person: &Person) -> Option<Day> {
        let large = self.count([0, 0, 3]) > 0;
        if !person.is_staff() {
            None
        } else if large && self.department(person).name == "Finance" {
            Some(90)
        } else if self.count([0, 4, 14]) > 0 {
            let old = person.start < self.today - 1800;
            (old && !(large && self.reach(person) == Reach::Builders)).then_some(180)
        } else {
            (self.office_group() == Some(usize::from(person.department))).then_some(180)
        }
    }

    /// Whether it can have run out by now.
    fn password_may_be_out(&self, person: &Person) -> bool {
        self.password_lasts(person).is_some_and(|age| person.start < self.today - age - 20)
    }

    /// The departments that have a group of their own in Okta, the largest first: in a small organisation not all.
    pub(in crate::synth) fn grouped_departments(&self) -> Vec<usize> {
        let departments = self.archetype.departments;
        let mut sorted: Vec<usize> = (0..departments.len()).collect();
        sorted.sort_by_key(|at| (std::cmp::Reverse(departments[*at].weight), *at));
        sorted.truncate((self.count([14, 42, 115]) / 3).clamp(3, departments.len()));
        sorted
    }

    /// The largest of them that works in the office.
    pub(in crate::synth) fn office_group(&self) -> Option<usize> {
        let office = |at: &usize| self.archetype.departments[*at].reach == Reach::Office;
        self.grouped_departments().into_iter().find(office)
    }

    /// Who has not activated the account: some of the latest to start, consultants who never came, machines that nobody
    /// signs in as, and very few who have been here for long.
    fn not_activated(&self, wanted: usize, calm: &impl Fn(&Person) -> bool) -> Vec<u32> {
        let today = self.today;
        let long = self.count([1, 2, 6]).min(wanted);
        let mut chosen = self.some("not activated for long", long, |person| {
            calm(person) && (today - 700..today - 130).contains(&person.start)
        });
        let new = self.all(|person| calm(person) && person.start > today - 45);
        let count = (new.len() / 2).min(wanted.saturating_sub(chosen.len()));
        chosen.extend(choose(self.seed, "not activated", &new, count));
        for (kind, purpose, one_in) in [(Kind::Ghost, "never came", 5), (Kind::Service, "nobody signs in", 3)]
        {
            let all = self.all(|person| person.okta == Some(OktaStatus::Active) && person.kind == kind);
            let count = ((all.len() + one_in / 2) / one_in).min(wanted.saturating_sub(chosen.len()));
            chosen.extend(choose(self.seed, purpose, &all, count));
        }
        chosen
    }

    fn settle_others(&mut self) {
        for index in 0..self.people.len() {
            let mut dice = self.dice("other standing", index);
            let person = &mut self.people[index];
            match person.kind {
                Kind::Staff => {}
                Kind::Ghost => {
                    if dice.percent(20) {
                        person.entra = Standing::None;
                    }
                }
                Kind::Service => {
                    person.identity_center = Standing::None;
                    person.workspace = *dice.weighted(&[(85, Standing::Live), (15, Standing::None)]);
                    person.entra = *dice.weighted(&[(60, Standing::Live), (40, Standing::None)]);
                }
                Kind::Mailbox => {
                    person.identity_center = Standing::None;
                    person.entra = *dice.weighted(&[(70, Standing::Live), (30, Standing::None)]);
                }
            }
        }
    }

    /// HR gives some contractors no number: those nobody needs to find by one.
    fn settle_numbers(&mut self) {
        let unneeded = |person: &Person| {
            person.firm.is_some()
                && (person.okta.is_none()
                    || (person.is_leaver()
                        && !person.traits.any(&[Trait::LeftLive, Trait::LeftBehind, Trait::BehindFile])))
        };
        for index in self.all(unneeded) {
            self.person_mut(index).number = None;
        }
    }
}
