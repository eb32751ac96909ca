//! Keys of GCP service accounts: the one that Google holds and rotates for each, and those that users made or uploaded.

use super::gcp::{Account, Project};
use crate::synth::GenerateError;
use crate::synth::dice::{Dice, choose};
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::Organisation;
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;
use crate::synth::workdays::office_day;
use std::collections::BTreeMap;

/// How old keys of users are, in days, as the dice let it fade.
const AGES: (i64, usize) = (1500, 3);

/// Google's word for a key that does not end.
const NEVER: &str = "9999-12-31T23:59:59Z";

pub(super) fn write(
    organisation: &Organisation,
    projects: &[Project],
    accounts: &[Account],
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let by_users = holders(organisation, projects, accounts);
    for (nth, account) in accounts.iter().enumerate() {
        let mut dice = organisation.dice("gcp keys", nth);
        let project = &projects[account.project].id;
        let from = organisation.today - Day::try_from(dice.between(0, 14)).unwrap_or(1);
        // Google's own keys end about two years later, at no round hour.
        let end = from + 730 + Day::try_from(dice.between(-9, 9)).unwrap_or(0);
        out.row(
            Table::GcpServiceAccountKey,
            row![
                project,
                dice.hex(40),
                &account.email,
                "SYSTEM_MANAGED",
                "KEY_ALG_RSA_2048",
                "GOOGLE_PROVIDED",
                Moment::any(from, &mut dice).seconds(),
                Moment::any(end, &mut dice).seconds(),
                Option::<bool>::None,
            ],
        )?;
        for made in by_users.get(&nth).into_iter().flatten() {
            if account.disabled {
                out.plant("key-on-disabled-service-account", account.email.as_str());
            }
            by_user(organisation, project, account, *made, &mut dice, out)?;
        }
    }
    Ok(())
}

/// The keys, by their number, that users made for each account: what the total leaves beside those of Google.
fn holders(
    organisation: &Organisation,
    projects: &[Project],
    accounts: &[Account],
) -> BTreeMap<usize, Vec<usize>> {
    let target = organisation.count([16, 62, 250]) * organisation.archetype.cloud / 100;
    let wanted = target.saturating_sub(accounts.len()).max(4);
    let of = |disabled: bool| {
        (0..accounts.len()).filter(move |at| accounts[*at].disabled == disabled).collect::<Vec<usize>>()
    };
    let shut: Vec<usize> = of(true).into_iter().take(organisation.count([1, 3, 8])).collect();
    // The first projects, to which people who left still have the door open, have some.
    let enabled = of(false);
    let mut holding: Vec<usize> = Vec::new();
    for project in 0..projects.len().min(3) {
        let mut there = enabled.iter().copied().filter(|at| accounts[*at].project == project);
        let first = there.next();
        holding.extend(there.next().or(first));
    }
    // Of the rest, some have two.
    let left = wanted.saturating_sub(shut.len() + holding.len());
    let others: Vec<u32> =
        (0..).zip(&enabled).filter(|(_, at)| !holding.contains(at)).map(|(nth, _)| nth).collect();
    let single = choose(organisation.seed, "gcp user keys", &others, left - left / 6);
    holding.extend(single.into_iter().map(|nth| enabled[nth as usize]));
    let twice: Vec<usize> = holding.iter().rev().copied().take(left / 6).collect();
    let mut keys: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (made, at) in holding.into_iter().chain(shut).chain(twice).enumerate() {
        keys.entry(at).or_default().push(made);
    }
    keys
}

/// A key that a user made at Google, or made elsewhere and uploaded.
fn by_user(
    organisation: &Organisation,
    project: &str,
    account: &Account,
    made: usize,
    dice: &mut Dice,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let today = organisation.today;
    // Six of ten are old.
    let old = made % 5 < 3;
    let (least, most) = if old { (91, AGES.0) } else { (1, 89) };
    // Ninety days is not yet more than ninety.
    let exact = !old && dice.percent(6);
    let some_day = today - Day::try_from(dice.fading_in(least, most, AGES)).unwrap_or(1);
    let (earliest, latest) =
        (today - Day::try_from(most).unwrap_or(89), today - Day::try_from(least).unwrap_or(1));
    let from = if exact { today - 90 } else { office_day(some_day, earliest, latest, dice) };
    let created = Moment::at_work(from, dice);
    let uploaded = made > 2 && dice.percent(12);
    let end = if uploaded {
        // It ends with the certificate.
        let years = *dice.pick(&[1, 2, 2, 5, 10]);
        Moment::any(from + 365 * years, dice).seconds()
    } else if made % 11 == 7 && old {
        // Run out before today.
        Moment::any(from.max(today - 60) + Day::try_from(dice.between(8, 50)).unwrap_or(30), dice).seconds()
    } else {
        NEVER.to_owned()
    };
    out.row(
        Table::GcpServiceAccountKey,
        row![
            project,
            dice.hex(40),
            &account.email,
            "USER_MANAGED",
            "KEY_ALG_RSA_2048",
            if uploaded { "USER_PROVIDED" } else { "GOOGLE_PROVIDED" },
            created.seconds(),
            end,
            (made % 13 == 12).then_some(true),
        ],
    )
}
