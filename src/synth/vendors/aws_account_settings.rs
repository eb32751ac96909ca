//! Settings of an AWS account: its password policy, its root user, its counters.

use super::aws_organization::Account;
use crate::synth::GenerateError;
use crate::synth::organisation::Organisation;
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;

/// What the tables hold of an account.
#[derive(Debug, Clone, Default)]
pub(super) struct Counts {
    pub(super) users: usize,
    pub(super) groups: usize,
    pub(super) roles: usize,
    pub(super) policies: usize,
    pub(super) devices: usize,
}

/// After how many days a password runs out, by the place of the account.
const PASSWORD_AGES: [Option<i64>; 4] = [Some(90), None, Some(180), Some(60)];

fn has_no_policy(organisation: &Organisation, nth: usize, account: &Account) -> bool {
    account.is_active() && (2..2 + organisation.count([1, 2, 3])).contains(&nth)
}

/// After how many days a console password of this account runs out, if ever.
pub(super) fn password_age(organisation: &Organisation, nth: usize, account: &Account) -> Option<i64> {
    PASSWORD_AGES[nth % 4].filter(|_| !has_no_policy(organisation, nth, account))
}

pub(super) fn write_summary(
    organisation: &Organisation,
    nth: usize,
    account: &Account,
    counts: &Counts,
    accounts: usize,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let mut dice = organisation.dice("account summary", nth);
    // From the newest account backwards: the last is closed, so the careless ones still run.
    let unprotected = organisation.count([1, 2, 4]);
    // A second factor is set up by who has signed in; of the newest accounts the password was taken away again.
    let without_password = organisation.count([1, 2, 3]);
    let with_keys = organisation.count([1, 2, 3]);
    let protected = !(1..=unprotected).contains(&nth) || nth == 0;
    let keys = i64::from((accounts / 2..accounts / 2 + with_keys).contains(&nth));
    if !protected {
        out.plant("root-without-mfa", account.id.as_str());
    }
    if keys > 0 {
        out.plant("root-with-access-key", account.id.as_str());
    }
    out.row(
        Table::AwsIamAccountSummary,
        row![
            &account.id,
            protected,
            keys,
            !protected || nth == 0 || nth + without_password < accounts,
            counts.users,
            counts.groups,
            counts.roles,
            counts.policies,
            // Some were made and never given to anybody.
            counts.devices + usize::from(protected) + if dice.percent(30) { 1 + dice.below(2) } else { 0 },
            counts.devices + usize::from(protected),
        ],
    )?;
    if has_no_policy(organisation, nth, account) {
        out.plant("account-without-password-policy", account.id.as_str());
        return Ok(());
    }
    // Fourteen characters pass, ninety days pass, twenty-four pass.
    let strict = nth.is_multiple_of(4);
    let age = PASSWORD_AGES[nth % 4];
    let (length, reuse) = [(14, Some(24)), (8, None), (12, Some(5)), (16, Some(12))][nth % 4];
    out.row(
        Table::AwsIamAccountPasswordPolicy,
        row![
            &account.id,
            i64::from(length),
            strict || dice.percent(50),
            strict || dice.percent(85),
            strict || dice.percent(60),
            strict || dice.percent(80),
            dice.percent(80),
            age.is_some(),
            age,
            reuse.map(i64::from),
            // Who sets it keeps people out whose password has run out; it says something only where one can.
            match age {
                Some(_) if nth % 8 == 3 => Some(true),
                Some(_) => dice.percent(85).then(|| dice.percent(15)),
                None => dice.percent(40).then_some(false),
            },
        ],
    )
}
