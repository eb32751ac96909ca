//! How employments end: who has gone and when, who is about to, who came back.

use super::Organisation;
use super::hiring::AHEAD;
use super::person::{Lifecycle, Person};
use crate::synth::moment::Day;
use crate::synth::workdays::{next_working_day, starting_day, working_day};

/// Nobody leaves sooner than so many days after the first one.
const SHORTEST: Day = 60;

impl Organisation {
    pub(super) fn end_employments(&mut self, rehired: usize) {
        self.hire_ahead();
        self.let_go(self.count([11, 56, 280]).saturating_sub(rehired));
        self.give_leave();
        self.give_notice();
        self.bring_back(rehired);
    }

    /// Future starters are the latest of all.
    fn hire_ahead(&mut self) {
        let today = self.today;
        let mut left = self.count(AHEAD);
        for index in (0..self.people.len()).rev() {
            if left == 0 {
                break;
            }
            if self.people[index].leads || self.people[index].place == 0 {
                continue;
            }
            let mut dice = self.dice("future start", index);
            let person = &mut self.people[index];
            person.lifecycle = Lifecycle::Hired;
            person.start = starting_day(today + dice.between(2, 55) as Day);
            left -= 1;
        }
    }

    fn let_go(&mut self, leavers: usize) {
        let today = self.today;
        // Some managers have gone, too; their people still report to them.
        let managers = self.count([1, 3, 8]).min(leavers);
        let leading = self
            .all(|person| is_calm(person) && person.leads && person.place > 0 && person.start < today - 400);
        let leading = self.since_most_reports(&leading);
        let mut gone = self.by_exposure("gone managers", managers, leading);
        let others = self.all(|person| is_calm(person) && !person.leads && person.place > 0);
        let others = others.into_iter().map(|index| (index, self.person(index).start)).collect();
        gone.extend(self.by_exposure("leavers", leavers - gone.len(), others));
        for (nth, (index, since)) in gone.into_iter().enumerate() {
            let mut dice = self.dice("leaving", index as usize);
            let person = self.person_mut(index);
            let ago = dice.between(1, i64::from(today - since - SHORTEST));
            let end = today - Day::try_from(ago).unwrap_or(1);
            person.lifecycle = Lifecycle::Terminated;
            // A few contracts end with a month, whatever day that is. Whoever leaves today has left.
            let end = if dice.percent(4) { end } else { working_day(end) };
            person.end = Some(if nth == 2 { today } else { end });
        }
        self.hand_over();
    }

    /// These leaders, each with the day from which on at least half of the people who report to them today were there.
    fn since_most_reports(&self, leaders: &[u32]) -> Vec<(u32, Day)> {
        let mut reports: Vec<(u32, Day)> =
            self.people.iter().filter_map(|person| Some((person.manager?, person.start))).collect();
        reports.sort_unstable();
        let since = |leader: u32| {
            let from = reports.partition_point(|(manager, _)| *manager < leader);
            let count = reports[from..].iter().take_while(|(manager, _)| *manager == leader).count();
            // Whoever leaves leaves at least two behind.
            let half = (count / 2).max(1);
            (half < count).then(|| (leader, reports[from + half].1.max(self.person(leader).start)))
        };
        leaders.iter().filter_map(|leader| since(*leader)).collect()
    }

    /// Who was hired after the manager had left reports to whoever was above.
    fn hand_over(&mut self) {
        for index in 0..self.people.len() {
            let start = self.people[index].start;
            let mut manager = self.people[index].manager;
            while let Some(at) = manager
                && self.person(at).end.is_some_and(|end| end < start)
            {
                manager = self.person(at).manager;
            }
            self.people[index].manager = manager;
        }
    }

    /// So many of these, the likelier the longer they could have left since the day they come with: with a last day that is
    /// as likely as any other, the same share of all people goes in each year.
    fn by_exposure(&self, purpose: &str, count: usize, of: Vec<(u32, Day)>) -> Vec<(u32, Day)> {
        let mut pool = of;
        pool.retain(|(_, since)| *since < self.today - SHORTEST - 15);
        self.dice(purpose, 0).shuffle(&mut pool);
        let life = usize::try_from(self.today - self.founded).unwrap_or(1);
        let (mut chosen, rest): (Vec<_>, Vec<_>) = pool.into_iter().partition(|(index, since)| {
            let exposed = usize::try_from(self.today - since - SHORTEST).unwrap_or(0);
            self.dice("exposure", *index as usize).below(life) < exposed
        });
        chosen.extend(rest);
        chosen.truncate(count);
        chosen.sort_unstable();
        chosen
    }

    fn give_leave(&mut self) {
        let today = self.today;
        for index in self.some("on leave", self.count([2, 8, 40]), |person| {
            is_calm(person) && !person.leads && person.firm.is_none() && person.start < today - 200
        }) {
            self.person_mut(index).lifecycle = Lifecycle::Leave;
        }
    }

    fn give_notice(&mut self) {
        let today = self.today;
        for index in self.some("garden leave", self.count([1, 4, 20]), |person| {
            is_calm(person) && !person.leads && person.firm.is_none() && person.start < today - 300
        }) {
            let ahead = self.dice("notice", index as usize).between(5, 80);
            let person = self.person_mut(index);
            person.lifecycle = Lifecycle::GardenLeave;
            person.end = Some(next_working_day(today + Day::try_from(ahead).unwrap_or(30)));
        }
        let given = self.some("notice given", self.count([2, 3, 12]), |person| {
            is_calm(person) && !person.leads && person.start < today - 120
        });
        for (nth, index) in given.into_iter().enumerate() {
            let ahead = self.dice("notice", index as usize).between(3, 75);
            let end = next_working_day(today + Day::try_from(ahead).unwrap_or(30));
            // The day after today is the first that lies ahead.
            self.person_mut(index).end = Some(if nth == 0 { today + 1 } else { end });
        }
    }

    fn bring_back(&mut self, rehired: usize) {
        let founded = self.founded;
        for index in self.some("rehired", rehired, |person| {
            is_calm(person) && !person.leads && person.firm.is_none() && person.start > founded + 900
        }) {
            let mut dice = self.dice("earlier", index as usize);
            let person = self.person_mut(index);
            let end = working_day(person.start - Day::try_from(dice.between(100, 500)).unwrap_or(200));
            let start = starting_day(end - Day::try_from(dice.between(200, 390)).unwrap_or(300));
            person.earlier = Some((start, end));
        }
    }

    /// Who led the person in the earlier employment: mostly somebody else, and somebody who was there already.
    pub(in crate::synth) fn earlier_manager(&self, person: &Person, index: u32) -> Option<u32> {
        let (start, _) = person.earlier?;
        let there = |other: u32| {
            let other = self.person(other);
            other.leads && other.start <= start && other.end.is_none_or(|end| end >= start)
        };
        let mut dice = self.dice("earlier manager", index as usize);
        if dice.percent(75) {
            let other =
                (0..64).map(|_| u32::try_from(dice.below(index as usize)).unwrap_or(0)).find(|other| {
                    there(*other)
                        && Some(*other) != person.manager
                        && self.person(*other).department == person.department
                });
            if other.is_some() {
                return other;
            }
        }
        // Up the line as far as that takes.
        let mut at = person.manager?;
        while !there(at) {
            let Some(above) = self.person(at).manager else { break };
            at = above;
        }
        Some(at)
    }
}

fn is_calm(person: &Person) -> bool {
    person.lifecycle == Lifecycle::Employed && person.end.is_none()
}
