//! Okta factors: what people enrolled.

use super::okta::okta_id;
use super::okta_groups::Groups;
use super::seen::made_at;
use crate::synth::GenerateError;
use crate::synth::dice::Dice;
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::{OktaStatus, Organisation, Person, Trait};
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;
use crate::synth::workdays::office_day;

/// Type, provider, vendor.
type Factor = (&'static str, &'static str, &'static str);

const PUSH: Factor = ("push", "OKTA", "OKTA");
const CODE: Factor = ("token:software:totp", "OKTA", "OKTA");
const GOOGLE_CODE: Factor = ("token:software:totp", "GOOGLE", "GOOGLE");
const SMS: Factor = ("sms", "OKTA", "OKTA");
const CALL: Factor = ("call", "OKTA", "OKTA");
const QUESTION: Factor = ("question", "OKTA", "OKTA");
const EMAIL: Factor = ("email", "OKTA", "OKTA");
const KEYS: [Factor; 3] =
    [("webauthn", "FIDO", "FIDO"), ("u2f", "FIDO", "FIDO"), ("signed_nonce", "OKTA", "OKTA")];

const fn is_phone(factor: Factor) -> bool {
    matches!(factor.0.as_bytes(), b"sms" | b"call")
}

/// What an account has enrolled; `phone` says whether a telephone may be among it.
fn factors(person: &Person, status: OktaStatus, phone: bool, dice: &mut Dice) -> Vec<(Factor, &'static str)> {
    let enrolls = !matches!(status, OktaStatus::Staged | OktaStatus::Provisioned | OktaStatus::Deprovisioned);
    if !enrolls {
        return Vec::new();
    }
    if person.has(Trait::NoFactor) {
        // An enrolment begun and never finished is none.
        return if dice.percent(30) {
            vec![(*dice.pick(&[PUSH, if phone { SMS } else { PUSH }]), "PENDING_ACTIVATION")]
        } else {
            Vec::new()
        };
    }
    let active = "ACTIVE";
    if person.has(Trait::WeakFactors) {
        let first = *dice.weighted(&[(50, SMS), (20, CALL), (20, QUESTION), (10, EMAIL)]);
        let other = *dice.pick(&[QUESTION, EMAIL]);
        let mut weak = vec![(if is_phone(first) && !phone { other } else { first }, active)];
        if weak[0].0 != QUESTION && dice.percent(30) {
            weak.push((QUESTION, active));
        }
        if dice.percent(12) {
            weak.push((PUSH, "PENDING_ACTIVATION"));
        }
        return weak;
    }
    let mut strong = vec![(*dice.weighted(&[(78, PUSH), (14, CODE), (8, GOOGLE_CODE)]), active)];
    if person.has(Trait::PhishingResistant) {
        strong.push((*dice.weighted(&[(70, KEYS[0]), (8, KEYS[1]), (22, KEYS[2])]), active));
    }
    if dice.percent(34) && phone {
        strong.push((SMS, active));
    }
    if strong[0].0 == PUSH && dice.percent(if phone { 24 } else { 36 }) {
        strong.push((CODE, active));
    }
    if dice.percent(2) {
        strong.push((KEYS[0], "PENDING_ACTIVATION"));
    }
    strong
}

/// When a factor was last changed: when it was first used, soon after it was begun; a few got a new name or number since.
fn updated(created: Moment, active: bool, last: Day, dice: &mut Dice) -> Moment {
    if !active {
        return created;
    }
    let used = created.plus_seconds(8 + dice.fading(1500, 3));
    let days = i64::from(last - created.day());
    if days < 2 || !dice.percent(6) {
        return used;
    }
    let day = created.day() + Day::try_from(dice.between(1, days)).unwrap_or(1);
    Moment::at_work(office_day(day, created.day() + 1, last, dice), dice)
}

pub(super) fn write(
    organisation: &Organisation,
    groups: &Groups,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    for (index, person) in (0_u32..).zip(&organisation.people) {
        let Some(status) = person.okta else { continue };
        let mut dice = organisation.dice("okta factors", index as usize);
        let user = okta_id(organisation, index);
        let made = made_at(organisation, person, index, "okta made");
        // Not before the first day, nor after the last.
        let first = person.first_day().clamp(made.day(), organisation.today);
        let last = person.end.filter(|_| person.is_leaver()).unwrap_or(organisation.today);
        // Some kept the telephone that they had before a policy forbade it; nobody adds one after.
        let forbidden = groups.telephone_forbidden_since(index).map(Moment::day);
        let phone = forbidden.is_none_or(|since| first < since - 14 && dice.percent(30));
        for (factor, state) in factors(person, status, phone, &mut dice) {
            let last = forbidden.filter(|_| is_phone(factor)).map_or(last, |since| last.min(since - 1));
            let span = i64::from((last - first).clamp(0, 900));
            let begun = if dice.percent(60) { dice.between(0, span.min(10)) } else { dice.between(0, span) };
            let day = first + Day::try_from(begun).unwrap_or(0);
            let day = office_day(day, first, last, &mut dice);
            let created = organisation
                .at_desk(person, index, day, day, &mut dice)
                .max(made.plus_seconds(dice.between(700, 12_000)));
            let prefix = match factor.0 {
                "push" => "opf",
                "sms" | "call" => "mbl",
                "webauthn" | "u2f" => "fwf",
                "token:software:totp" => "ost",
                "question" => "ufs",
                "email" => "emf",
                _ => "ofv",
            };
            if state == "PENDING_ACTIVATION" && person.has(Trait::NoFactor) {
                out.plant("enrolment-never-finished", user.as_str());
            }
            out.row(
                Table::OktaFactor,
                row![
                    format!("{prefix}{}", dice.base62(17)),
                    &user,
                    factor.0,
                    factor.1,
                    factor.2,
                    state,
                    created.okta(),
                    updated(created, state == "ACTIVE", last.max(day), &mut dice).okta(),
                ],
            )?;
        }
    }
    Ok(())
}
