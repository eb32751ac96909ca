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
    let with_keys = organisation.count([1, 2, 3]);
    let without_policy = organisation.count([1, 2, 3]);
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
            !protected || nth == 0 || dice.percent(45),
            counts.users,
            counts.groups,
            counts.roles,
            counts.policies,
            counts.devices + usize::from(protected),
            counts.devices + usize::from(protected),
        ],
    )?;
    if account.is_active() && (2..2 + without_policy).contains(&nth) {
        out.plant("account-without-password-policy", account.id.as_str());
        return Ok(());
    }
    // Fourteen characters pass, ninety days pass, twenty-four pass.
    let strict = nth.is_multiple_of(4);
    let (length, age, reuse) = match nth % 4 {
        0 => (14, Some(90), Some(24)),
        1 => (8, None, None),
        2 => (12, Some(180), Some(5)),
        _ => (16, Some(60), Some(12)),
    };
    out.row(
        Table::AwsIamAccountPasswordPolicy,
        row![
            &account.id,
            i64::from(length),
            strict || dice.percent(50),
            true,
            strict || dice.percent(60),
            strict || dice.percent(80),
            dice.percent(80),
            age.is_some(),
            age.map(i64::from),
            reuse.map(i64::from),
            dice.percent(30).then_some(false),
        ],
    )
}
