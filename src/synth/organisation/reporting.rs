//! Who reports to whom: each department is a tree that grew with it, wider here and narrower there.

use super::{Dice, Organisation};

/// How many report to one person at most, where there is any choice.
const WIDEST: usize = 15;
/// A head leads so many leaders at most before there is another line between.
const UNDER_HEAD: usize = 11;
/// And so do those below.
const UNDER_LEADER: usize = 9;
/// A leader is looked for when the teams have room for no more than so many.
const ROOM: usize = 9;

/// Somebody of a department: the place of the manager, and how many steps below the head that is.
struct Post {
    manager: usize,
    line: u8,
}

/// Who leads, with the places that are still free below.
struct Leader {
    place: usize,
    /// For those who lead in their turn.
    leaders: usize,
    others: usize,
}

/// How many lead below the head when `below` people are there, line by line from the top.
fn lines(below: usize, flat: usize, under_head: usize, dice: &mut Dice) -> Vec<usize> {
    if below <= flat {
        return Vec::new();
    }
    let span = usize::try_from(dice.between(72, 92)).unwrap_or(80);
    let mut lines = vec![(below * 10 / span).max(2)];
    while let Some(&last) = lines.last()
        && last > under_head
    {
        let above = if last <= under_head * UNDER_LEADER {
            last.isqrt().max(last.div_ceil(UNDER_LEADER))
        } else {
            last / 7
        };
        lines.push(above);
    }
    lines.reverse();
    lines
}

/// So many in so many parts: two in each at least, the rest as it comes.
fn split(total: usize, parts: usize, dice: &mut Dice) -> Vec<usize> {
    let least = if total >= 2 * parts { 2 } else { total / parts };
    let weights: Vec<usize> = (0..parts).map(|_| 1 + dice.below(16)).collect();
    let rest = total - least * parts;
    let sum: usize = weights.iter().sum();
    let mut sizes: Vec<usize> =
        weights.iter().map(|weight| (least + rest * weight / sum).min(WIDEST.max(least))).collect();
    let mut left = total - sizes.iter().sum::<usize>();
    while left > 0 {
        let at = dice.below(parts);
        if sizes[at] < WIDEST || sizes.iter().all(|size| *size >= WIDEST) {
            sizes[at] += 1;
            left -= 1;
        }
    }
    sizes
}

/// The posts of a department in the order of hiring, its head apart: leaders come when there is nobody yet who could lead
/// the next. `besides` report to the head from elsewhere.
fn grow(below: usize, besides: usize, dice: &mut Dice) -> (Vec<Post>, u8) {
    let flat = if besides > 0 {
        WIDEST.saturating_sub(besides + 1).max(2)
    } else {
        usize::try_from(dice.between(8, 11)).unwrap_or(9)
    };
    let under_head = UNDER_HEAD.saturating_sub(besides).max(2);
    let lines = lines(below, flat, under_head, dice);
    let depth = lines.len();
    // How many of each line lead nobody; the lowest has all the others.
    let mut rest = below - lines.iter().sum::<usize>();
    let mut others: Vec<usize> = Vec::new();
    for (line, leaders) in lines.iter().enumerate() {
        let some = if line == 0 { dice.below(4) } else { leaders * dice.below(16) / 100 };
        let needed = lines.last().map_or(0, |lowest| lowest * 3);
        let room = if line == 0 { WIDEST.saturating_sub(besides + leaders) } else { usize::MAX };
        let some = some.min(rest.saturating_sub(needed)).min(room);
        rest -= some;
        others.push(some);
    }
    others.push(rest);
    // The free places below each leader, line by line; the head is a line of its own.
    let mut planned: Vec<Vec<(usize, usize)>> = Vec::new();
    for (line, others) in others.into_iter().enumerate() {
        let leaders = line.checked_sub(1).map_or(1, |above| lines[above]);
        let next = lines.get(line).copied().unwrap_or(0);
        let both = split(next, leaders, dice).into_iter().zip(split(others, leaders, dice));
        planned.push(both.rev().collect());
    }
    let mut open: Vec<Vec<Leader>> = (0..=depth).map(|_| Vec::new()).collect();
    let mut free = 0;
    let mut hire = |line: usize, place: usize, open: &mut Vec<Vec<Leader>>, free: &mut usize| {
        if let Some((leaders, others)) = planned[line].pop() {
            *free += if line == depth { others } else { 0 };
            open[line].push(Leader { place, leaders, others });
        }
    };
    hire(0, 0, &mut open, &mut free);
    let mut left: usize = lines.iter().sum();
    let mut posts = Vec::with_capacity(below);
    for place in 1..=below {
        let others_left = below + 1 - place - left;
        let wanted = left > 0 && (others_left == 0 || free == 0 || (free <= ROOM && dice.percent(50)));
        if wanted && depth > 0 {
            // The lowest line for which there is somebody above.
            let above = (0..depth).rev().find(|line| open[*line].iter().any(|it| it.leaders > 0));
            if let Some(above) = above {
                let at = pick(&open[above], |it| it.leaders, dice);
                open[above][at].leaders -= 1;
                posts.push(Post { manager: open[above][at].place, line: line_number(above + 1) });
                close(&mut open[above], at);
                hire(above + 1, place, &mut open, &mut free);
                left -= 1;
                continue;
            }
        }
        // Mostly the lowest line; sometimes somebody reports to a higher one.
        let higher: usize = open[..depth].iter().flatten().map(|it| it.others).sum();
        let line = if higher > 0 && (free == 0 || dice.below(others_left.max(1)) < higher) {
            (0..depth).find(|line| open[*line].iter().any(|it| it.others > 0)).unwrap_or(depth)
        } else {
            depth
        };
        let at = pick(&open[line], |it| it.others, dice);
        open[line][at].others = open[line][at].others.saturating_sub(1);
        if line == depth {
            free = free.saturating_sub(1);
        }
        posts.push(Post { manager: open[line][at].place, line: line_number(line + 1) });
        close(&mut open[line], at);
    }
    (posts, line_number(depth))
}

fn line_number(line: usize) -> u8 {
    u8::try_from(line).unwrap_or(u8::MAX - 1)
}

/// One of those who have room.
fn pick(open: &[Leader], room: impl Fn(&Leader) -> usize, dice: &mut Dice) -> usize {
    let first = dice.below(open.len().max(1));
    (0..open.len()).map(|more| (first + more) % open.len()).find(|at| room(&open[*at]) > 0).unwrap_or(0)
}

/// Nobody looks any more at who has no free place, the last one apart.
fn close(open: &mut Vec<Leader>, at: usize) {
    if open.len() > 1 && open[at].leaders == 0 && open[at].others == 0 {
        open.swap_remove(at);
    }
}

impl Organisation {
    pub(super) fn set_managers(&mut self) {
        let departments = self.archetype.departments.len();
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); departments];
        for (index, person) in (0_u32..).zip(&self.people) {
            members[usize::from(person.department)].push(index);
        }
        self.lines = vec![0; departments];
        for (nth, members) in members.into_iter().enumerate() {
            let Some((&head, _)) = members.split_first() else { continue };
            // The heads of the departments report to the head of them all.
            let besides = if head == 0 { departments - 1 } else { 0 };
            let (posts, lines) = grow(members.len() - 1, besides, &mut self.dice("reporting", nth));
            self.lines[nth] = lines;
            if head != 0 {
                self.report(head, 0);
            }
            for (place, post) in (1..).zip(posts) {
                let index = members[place];
                self.person_mut(index).line = post.line;
                self.report(index, members[post.manager]);
            }
        }
    }

    fn report(&mut self, index: u32, manager: u32) {
        self.person_mut(index).manager = Some(manager);
        self.person_mut(manager).leads = true;
    }
}

#[cfg(test)]
mod tests {
    use super::{Dice, grow};

    #[test]
    fn spans_differ_and_stay_in_bounds() {
        let mut all = Vec::new();
        for below in 1..900 {
            let (posts, lines) = grow(below, 0, &mut Dice::new(5, "reporting", below as u64));
            assert_eq!(posts.len(), below);
            let mut spans = vec![0; below + 1];
            for (place, post) in (1..).zip(&posts) {
                assert!(post.manager < place, "{below}: {place} came before {}", post.manager);
                assert!(post.line <= lines + 1);
                spans[post.manager] += 1;
            }
            let leading: Vec<i32> = spans.into_iter().filter(|span| *span > 0).collect();
            assert!(leading.iter().all(|span| *span <= 18), "{below}: {leading:?}");
            let single = leading.iter().filter(|span| **span == 1).count();
            assert!(below == 1 || single * 20 <= leading.len(), "{below}: {leading:?}");
            if leading.len() > 30 {
                all.extend(leading);
            }
        }
        let most = (1..16).map(|span| all.iter().filter(|it| **it == span).count()).max();
        assert!(most.unwrap_or(0) * 6 < all.len(), "{most:?} of {}", all.len());
    }

    #[test]
    fn the_head_of_all_has_room_for_the_heads() {
        for below in 1..60 {
            let (posts, _) = grow(below, 10, &mut Dice::new(5, "reporting", below as u64));
            let direct = posts.iter().filter(|post| post.manager == 0).count();
            assert!(direct <= 6, "{below}: {direct}");
        }
    }

    #[test]
    fn a_very_large_department_is_deep_and_not_wide() {
        let (posts, lines) = grow(300_000, 0, &mut Dice::new(5, "reporting", 0));
        assert!((4..=8).contains(&lines), "{lines}");
        let direct = posts.iter().filter(|post| post.manager == 0).count();
        assert!(direct <= 15, "{direct}");
    }
}
