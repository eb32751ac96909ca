//! How many there are of something in an organisation of a given size.

/// Counts at 75, 400 and 2,000 HR records, the three reference sizes.
pub(super) type Counts = [usize; 3];

const SIZES: Counts = [75, 400, 2000];

/// The count for this many HR records: exact at the reference sizes, a straight line between them, in proportion outside.
/// Never less than 1 where the smallest size has any.
pub(super) fn scaled(people: usize, counts: Counts) -> usize {
    let line = |low: usize, high: usize| {
        let (from, to) = (counts[low], counts[high]);
        let rise = to.abs_diff(from) * (people - SIZES[low]) / (SIZES[high] - SIZES[low]);
        if to >= from { from + rise } else { from - rise }
    };
    let rounded = |count: usize, size: usize| (count * people + size / 2) / size;
    match people {
        0..75 => rounded(counts[0], SIZES[0]).max(usize::from(counts[0] > 0)),
        75..400 => line(0, 1),
        400..2000 => line(1, 2),
        _ => rounded(counts[2], SIZES[2]),
    }
}

/// This share of a number, in tenths of a per cent, rounded.
pub(super) const fn share(of: usize, per_mille: usize) -> usize {
    (of * per_mille + 500) / 1000
}

#[cfg(test)]
mod tests {
    use super::scaled;

    #[test]
    fn counts_are_exact_at_the_reference_sizes_and_grow_between() {
        let counts = [4, 9, 24];
        for (people, wanted) in [(75, 4), (400, 9), (2000, 24), (20_000, 240), (25, 1), (1, 1), (1200, 16)] {
            assert_eq!(scaled(people, counts), wanted, "{people}");
        }
        assert_eq!(scaled(400, [2, 0, 5]), 0);
        assert_eq!(scaled(1000, [0, 10, 0]), 7);
        assert_eq!(scaled(30, [0, 3, 9]), 0);
    }
}
