//! Ids that tell when or where something was made: GitHub counts up, `MongoDB` begins with the second, AWS with the account.

use crate::synth::dice::{BASE32, Dice};
use crate::synth::moment::Moment;

/// A second since 1970, and about how far the count had come by then.
type Mark = (i64, i64);

/// Accounts of people and organizations at GitHub, which are counted together.
pub(super) const ACCOUNTS: &[Mark] = &[
    (1_199_145_600, 1_000),
    (1_293_840_000, 550_000),
    (1_388_534_400, 6_300_000),
    (1_483_228_800, 24_800_000),
    (1_577_836_800, 59_500_000),
    (1_640_995_200, 97_000_000),
    (1_704_067_200, 155_000_000),
    (1_767_225_600, 252_000_000),
];

/// Repositories at GitHub.
pub(super) const REPOSITORIES: &[Mark] = &[
    (1_199_145_600, 1_000),
    (1_388_534_400, 15_500_000),
    (1_483_228_800, 77_900_000),
    (1_577_836_800, 231_000_000),
    (1_640_995_200, 443_000_000),
    (1_704_067_200, 737_000_000),
    (1_767_225_600, 1_125_000_000),
];

/// The number that something made at this moment got, between those of the marks around it.
pub(super) fn number(marks: &[Mark], made: Moment, dice: &mut Dice) -> i64 {
    let at = made.unix_seconds();
    let after = marks.partition_point(|(second, _)| *second <= at).clamp(1, marks.len() - 1);
    let ((from, low), (to, high)) = (marks[after - 1], marks[after]);
    // Some thousand are made in the minutes that the marks are off.
    low + (at - from).max(0) * (high - low) / (to - from) + dice.between(0, 60)
}

/// 24 hexadecimal digits of `MongoDB`, of which the first eight are the second.
pub(super) fn object_id(made: Moment, dice: &mut Dice) -> String {
    format!("{:08x}{}", made.unix_seconds(), dice.hex(16))
}

/// From when on AWS writes the account into its ids: the spring of 2019, in seconds since 1970.
const WITH_ACCOUNT: i64 = 1_551_398_400;

/// What follows the four letters of an id of AWS: the account, as far as it was made after AWS began with that, and chance.
/// One that belongs to AWS itself has no account.
pub(super) fn aws_id(account: Option<&str>, made: Moment, length: usize, dice: &mut Dice) -> String {
    if made.unix_seconds() < WITH_ACCOUNT {
        let first = *dice.pick(&["I", "J"]);
        return format!("{first}{}", dice.base32(length - 1));
    }
    let Some(account) = account.and_then(|account| account.parse::<u64>().ok()) else {
        return format!("ZKAPJZG4{}", dice.base32(length - 8));
    };
    // A bit that is always set and forty of the account make eight letters and one bit of the ninth.
    let bits = (1 << 40 | account) << 4 | dice.below(16) as u64;
    let letter = |nth: u32| char::from(BASE32[(bits >> (5 * (8 - nth)) & 31) as usize]);
    (0..9).map(letter).collect::<String>() + &dice.base32(length - 9)
}

#[cfg(test)]
mod tests {
    use super::{ACCOUNTS, REPOSITORIES, aws_id, number, object_id};
    use crate::synth::dice::Dice;
    use crate::synth::moment::Moment;

    #[test]
    fn what_is_made_later_has_a_higher_number() {
        let mut dice = Dice::new(1, "serial", 0);
        for marks in [ACCOUNTS, REPOSITORIES] {
            let of = |day: i32, dice: &mut Dice| number(marks, Moment::on(day, 0), dice);
            let numbers: Vec<i64> = (13_900..22_000).step_by(30).map(|day| of(day, &mut dice)).collect();
            assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "{numbers:?}");
            assert!(of(13_900, &mut dice) > 900 && of(10_000, &mut dice) < 1_100);
        }
    }

    #[test]
    fn ids_of_one_account_begin_alike_and_hold_it() {
        let mut dice = Dice::new(1, "aws", 0);
        let mut id = |account| aws_id(Some(account), Moment::on(19_000, 0), 16, &mut dice);
        let (one, other, third) = (id("111122223333"), id("111122223333"), id("991122223333"));
        // Forty bits behind a first one, five to a letter.
        assert_eq!((&one[..8], &other[..8]), ("RTX3GSDS", "RTX3GSDS"));
        assert_ne!(one, other);
        assert_ne!(&one[..8], &third[..8]);
        assert!(aws_id(None, Moment::on(17_000, 0), 17, &mut dice).starts_with(['I', 'J']));
    }

    #[test]
    fn an_object_id_begins_with_the_second() {
        let id = object_id(Moment::on(19_000, 5), &mut Dice::new(1, "object", 0));
        assert_eq!((id.len(), i64::from_str_radix(&id[..8], 16).unwrap()), (24, 19_000 * 86_400 + 5));
    }
}
