//! GitHub: organizations, members, repositories and who may do what in them.

use super::github_names::Names;
use super::hibob::hr_address;
use super::seen::made_on;
use super::serials::{ACCOUNTS, REPOSITORIES, number};
use crate::synth::GenerateError;
use crate::synth::archetype::PRIVATE_MAIL;
use crate::synth::moment::{Day, Moment, day_of, year_of};
use crate::synth::organisation::{Organisation, Person, Trait};
use crate::synth::output::{Output, row};
use crate::synth::scale::share;
use crate::synth::schema::Table;
use crate::synth::workdays::{office_day, working_day};
use jiff::civil::date;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// How long ago somebody pushed last, as the dice let it fade.
const PUSHES: (i64, usize) = (2000, 4);

/// A repository.
struct Repository {
    /// Which of the organizations.
    place: usize,
    owner: String,
    name: String,
    /// The system or product in it.
    about: &'static str,
    visibility: &'static str,
    archived: bool,
    /// The day on which it was made.
    made: Day,
}

impl Repository {
    fn full_name(&self) -> String {
        format!("{}/{}", self.owner, self.name)
    }

    fn is_private(&self) -> bool {
        self.visibility != "public"
    }
}

/// The days of the year that a repository has in its name.
fn year(organisation: &Organisation, name: &str) -> Option<(Day, Day)> {
    let year: i16 = name.strip_prefix("hackathon-")?.get(..4)?.parse().ok()?;
    let of = |year: i16| year_of(day_of(date(year, 3, 1)));
    (2000..2200).contains(&year).then(|| of(year)).filter(|days| days.0 < organisation.today - 430)
}

/// Whether a repository has been quiet for more than a year.
const fn is_asleep(nth: usize) -> bool {
    nth % 10 == 3
}

/// The day on which a repository of this name was made.
fn made(organisation: &Organisation, nth: usize, place: usize, name: &str) -> Day {
    let mut dice = organisation.dice("repository made", nth);
    let today = organisation.today;
    let oldest = (today - organisation.founded - 200).min(today - opened(organisation, place) - 1);
    // Quiet for more than a year; one is quiet for a year exactly.
    let youngest = if is_asleep(nth) || nth == 7 { 400 } else { 6 };
    let age = dice.between(i64::from(youngest), i64::from(oldest));
    let some_day = today - Day::try_from(age).unwrap_or(430);
    let (first, last) = year(organisation, name).map_or((today - oldest, today - youngest), |year| {
        (year.0.max(today - oldest), year.1.min(today - youngest))
    });
    let some_day =
        if (first..=last).contains(&some_day) { some_day } else { last.min(first + age as Day % 90) };
    office_day(some_day, first, last, &mut dice)
}

pub(super) fn write(organisation: &Organisation, out: &mut Output<'_>) -> Result<(), GenerateError> {
    let orgs = organisation.count([1, 1, 2]).clamp(1, 2);
    let logins: Vec<String> = [format!("{}-dev", organisation.stem), format!("{}-labs", organisation.stem)]
        .into_iter()
        .take(orgs)
        .collect();
    // The second organization enforces 2FA: whoever has none stays out of it.
    let second: Vec<u32> = if orgs > 1 {
        let coders = organisation.all(|person| person.has(Trait::Coder)).len();
        organisation.some("second organization", share(coders, 120), |person| {
            person.has(Trait::Coder)
                && !person.is_leaver()
                && !person.traits.any(&[
                    Trait::No2fa,
                    Trait::Hidden2fa,
                    Trait::GitHubOwner,
                    Trait::OldKeyAdmin,
                ])
        })
    } else {
        Vec::new()
    };
    let outside = organisation.count([3, 12, 40]).min(organisation.outsiders.len());
    let mut filled = vec![0_usize; orgs];
    for index in organisation.all(|person| person.has(Trait::Coder)) {
        let place = usize::from(second.binary_search(&index).is_ok());
        filled[place] += 1;
        member(organisation, &logins[place], index, place, out)?;
    }
    for nth in 0..outside {
        collaborator_account(organisation, &logins[0], nth, out)?;
    }
    for (place, login) in logins.iter().enumerate() {
        let mut dice = organisation.dice("github org", place);
        let created = Moment::at_work(opened(organisation, place), &mut dice);
        let seats = ((filled[place] * 12 / 10) / 10 + 1) * 10;
        out.row(
            Table::GithubOrganization,
            row![
                login,
                number(ACCOUNTS, created, &mut dice),
                if place == 0 { organisation.name.to_owned() } else { format!("{} Labs", organisation.name) },
                (place == 0).then(|| format!("opensource@{}", organisation.domains[0])),
                format!("billing@{}", organisation.domains[0]),
                place == 1,
                if place == 0 { "read" } else { "none" },
                place == 0,
                place == 0,
                "enterprise",
                seats,
                filled[place],
                created.seconds(),
            ],
        )?;
    }
    let repositories = repositories(organisation, &logins);
    write_repositories(organisation, &repositories, out)?;
    permissions(organisation, &repositories, &second, outside, out)
}

/// The day on which an organization was made.
pub(super) fn opened(organisation: &Organisation, place: usize) -> Day {
    working_day(organisation.founded + 60 + 900 * Day::try_from(place).unwrap_or(0))
}

/// Whether somebody owns the organization in which they are.
fn owns(organisation: &Organisation, index: u32, place: usize) -> bool {
    organisation.person(index).has(Trait::GitHubOwner) || (place == 1 && index.is_multiple_of(37))
}

fn member(
    organisation: &Organisation,
    org: &str,
    index: u32,
    place: usize,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let person = organisation.person(index);
    let mut dice = organisation.dice("github member", index as usize);
    let Some(login) = organisation.handle(index) else { return Ok(()) };
    let address = organisation.address_in(person, "github", index);
    // A private public address says nothing; the company's says who it is.
    let mail = match dice.below(100) {
        0..26 if !person.has(Trait::Unlinked) || dice.percent(40) => Some(address.clone()),
        26..41 => Some(organisation.private_address(person, index)),
        _ => None,
    };
    let name = match dice.below(100) {
        0..35 => None,
        35..50 => Some(person.name.given().to_owned()),
        _ => Some(Organisation::preferred(person)),
    };
    let two_factor = if person.has(Trait::No2fa) {
        Some(false)
    } else if person.has(Trait::Hidden2fa) {
        None
    } else {
        Some(true)
    };
    let owner = owns(organisation, index, place);
    // The account is older than the job: some made it for that, most had one. It is there before Okta knows its name.
    let ahead = if dice.percent(12) { dice.between(1, 25) } else { dice.between(1, 3000) };
    let earliest = day_of(date(2008, 6, 1)) + Day::try_from(dice.between(0, 500)).unwrap_or(0);
    let account = made_on(organisation, person, index) - 1;
    let created = (account - Day::try_from(ahead).unwrap_or(0)).max(earliest.min(account));
    let created = Moment::any(created, &mut dice);
    out.identity(index, Table::GithubOrganizationMember, login)?;
    if person.is_leaver() {
        out.plant("leaver-in-github", hr_address(organisation, person, index));
    }
    if person.has(Trait::No2fa) {
        out.plant("github-member-without-2fa", login);
    }
    if person.has(Trait::Uncovered) {
        out.plant("github-member-without-assignment", login);
    }
    out.row(
        Table::GithubOrganizationMember,
        row![
            org,
            login,
            number(ACCOUNTS, created, &mut dice),
            name,
            mail,
            if owner { "ADMIN" } else { "MEMBER" },
            two_factor,
            (!person.has(Trait::Unlinked)).then_some(address),
            created.seconds(),
            false,
        ],
    )
}

fn outside_login(organisation: &Organisation, nth: usize) -> String {
    let outsider = &organisation.outsiders[organisation.outsiders.len() - 1 - nth];
    let (given, family) = outsider.name.letters();
    let mut dice = organisation.dice("outside handle", nth);
    match dice.below(3) {
        0 => format!("{given}{family}-{}", dice.between(10, 99)),
        1 => format!("ext-{family}{nth}"),
        _ => format!(
            "{}-{given}{nth}",
            outsider.address.split('@').nth(1).and_then(|it| it.split('.').next()).unwrap_or("ext")
        ),
    }
}

fn collaborator_account(
    organisation: &Organisation,
    org: &str,
    nth: usize,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let outsider = &organisation.outsiders[organisation.outsiders.len() - 1 - nth];
    let mut dice = organisation.dice("outside member", nth);
    let created = organisation.today - Day::try_from(dice.between(40, 3200)).unwrap_or(200);
    let created = Moment::any(created, &mut dice);
    let mail = dice.percent(40).then(|| {
        if dice.percent(60) {
            outsider.address.clone()
        } else {
            format!("{}@{}", outsider.name.letters().0, dice.pick(PRIVATE_MAIL))
        }
    });
    out.row(
        Table::GithubOrganizationMember,
        row![
            org,
            outside_login(organisation, nth),
            number(ACCOUNTS, created, &mut dice),
            dice.percent(65).then(|| outsider.name.full()),
            mail,
            "OUTSIDE_COLLABORATOR",
            if dice.percent(60) { Some(dice.percent(80)) } else { None },
            Option::<&str>::None,
            created.seconds(),
            false,
        ],
    )
}

fn repositories(organisation: &Organisation, logins: &[String]) -> Vec<Repository> {
    let count = organisation.count([24, 95, 340]);
    let mut names = Names::new(organisation);
    (0..count)
        .map(|nth| {
            let (name, about) = names.next(nth, count);
            let public = nth % 12 == 10 || nth == 4;
            let place = usize::from(logins.len() > 1 && nth % 8 == 7);
            Repository {
                made: made(organisation, nth, place, &name),
                place,
                owner: logins[place].clone(),
                name,
                about,
                visibility: if public {
                    "public"
                } else if nth % 9 == 5 {
                    "internal"
                } else {
                    "private"
                },
                archived: nth % 8 == 6,
            }
        })
        .collect()
}

fn write_repositories(
    organisation: &Organisation,
    repositories: &[Repository],
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    for (nth, repository) in repositories.iter().enumerate() {
        let mut dice = organisation.dice("repository", nth);
        let today = organisation.today;
        let never = nth % 31 == 13;
        let asleep = is_asleep(nth);
        let made = repository.made;
        let age = i64::from(today - made);
        let created = Moment::at_work(made, &mut dice);
        let quiet = match nth {
            7 => 365,
            _ if asleep => dice.fading_in(366, age - 1, PUSHES),
            // What is archived had been quiet before.
            _ if repository.archived => 14 + dice.fading_in(0, age - 15, (PUSHES.0, 2)),
            _ => dice.fading_in(0, (age - 1).min(364), PUSHES),
        };
        let pushed = today - Day::try_from(quiet).unwrap_or(0);
        let (earliest, latest) = match quiet {
            365 => (pushed, pushed),
            366.. => (made, today - 366),
            _ => (made.max(today - 364), today),
        };
        let pushed = office_day(pushed, earliest, latest, &mut dice);
        let pushed = Moment::at_work(pushed, &mut dice).max(created.plus_seconds(600));
        if !repository.archived && !never && quiet > 365 {
            out.plant("repository-asleep", repository.full_name());
        }
        let readable = !dice.percent(6);
        out.row(
            Table::GithubRepository,
            row![
                number(REPOSITORIES, created, &mut dice),
                repository.full_name(),
                &repository.name,
                &repository.owner,
                repository.visibility,
                repository.is_private(),
                repository.archived,
                nth % 17 == 12,
                if dice.percent(12) { "master" } else { "main" },
                readable.then(|| !dice.percent(40)),
                readable.then(|| dice.percent(70)),
                match dice.below(5) {
                    0 => None,
                    1 | 2 => Some("disabled"),
                    _ => Some("enabled"),
                },
                if dice.percent(60) {
                    json!({"owner": format!("{}-team", repository.about), "tier": dice.pick(&["1", "2", "3"])})
                } else {
                    Value::Null
                },
                created.seconds(),
                (!never).then(|| pushed.seconds()),
            ],
        )?;
    }
    Ok(())
}

const RANK: &[&str] = &["READ", "TRIAGE", "WRITE", "MAINTAIN", "ADMIN"];

fn permissions(
    organisation: &Organisation,
    repositories: &[Repository],
    second: &[u32],
    outside: usize,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let mut given: BTreeMap<(usize, String), (&'static str, usize)> = BTreeMap::new();
    let open: Vec<usize> = (0..repositories.len())
        .filter(|at| !repositories[*at].archived && repositories[*at].owner == repositories[0].owner)
        .collect();
    let private: Vec<usize> = open.iter().copied().filter(|at| repositories[*at].is_private()).collect();
    let target = organisation.count([38, 273, 1152]);
    let handle = |index: u32| organisation.handle(index).unwrap_or_default().to_owned();
    // Leavers who can still write; old keys of those who administer; outsiders who administer.
    for (nth, index) in
        organisation.all(|person| person.has(Trait::Coder) && person.is_leaver()).into_iter().enumerate()
    {
        if nth % 4 == 3 {
            continue;
        }
        let rank = [2, 4, 3][nth % 3];
        // Nobody was let in after they had left.
        let there = |at: &usize| organisation.person(index).was_here_after(repositories[*at].made + 3);
        let mut places = (0..private.len()).map(|more| private[(nth * 5 + 1 + more) % private.len()]);
        let oldest = private.iter().copied().min_by_key(|at| repositories[*at].made);
        let Some(at) = places.find(there).or(oldest) else { continue };
        given.insert((at, handle(index)), ("DIRECT", rank));
        if rank >= 2 {
            let person = organisation.person(index);
            out.plant("leaver-who-can-push", hr_address(organisation, person, index));
        }
    }
    for (nth, index) in organisation.all(|person| person.has(Trait::OldKeyAdmin)).into_iter().enumerate() {
        given.insert((private[(nth * 3 + 2) % private.len()], handle(index)), ("DIRECT", 4));
        out.plant("repository-administrator-with-old-key", handle(index));
    }
    let admins = organisation.count([2, 4, 12]);
    for nth in 0..outside {
        let rank = if nth < admins { 4 } else { [0, 2, 2, 1][nth % 4] };
        if rank == 4 {
            out.plant("outside-administrator-of-repository", outside_login(organisation, nth));
        }
        given.insert((open[(nth * 7 + 3) % open.len()], outside_login(organisation, nth)), ("OUTSIDE", rank));
    }
    // Administrators whom nothing ties to a person.
    for (nth, index) in organisation
        .some("untied administrators", organisation.count([1, 3, 9]), |person: &Person| {
            person.has(Trait::Unlinked) && person.has(Trait::Uncovered)
        })
        .into_iter()
        .filter(|index| second.binary_search(index).is_err())
        .enumerate()
    {
        given.insert((open[(nth * 11 + 5) % open.len()], handle(index)), ("DIRECT", 4));
    }
    // A machine that is in no list of members.
    given.insert((open[open.len() / 2], format!("{}-release-bot", organisation.stem)), ("DIRECT", 4));
    let first = organisation.all(|person| person.has(Trait::Coder) && !person.is_leaver());
    let first: Vec<u32> = first.into_iter().filter(|index| second.binary_search(index).is_err()).collect();
    let mut dice = organisation.dice("collaborators", 0);
    let mut tries = target * 6;
    while given.len() < target && tries > 0 && !first.is_empty() {
        tries -= 1;
        let at = dice.below(repositories.len());
        let labs = repositories[at].owner != repositories[0].owner;
        let index = if labs && !second.is_empty() { *dice.pick(second) } else { *dice.pick(&first) };
        let rank = *dice.weighted(&[(18, 0), (6, 1), (52, 2), (14, 3), (10, 4)]);
        let affiliation = if dice.percent(70) { "DIRECT" } else { "ALL" };
        given.entry((at, handle(index))).or_insert((affiliation, rank));
    }
    // Whoever owns an organization administers all that is in it.
    let coders = organisation.all(|person| person.has(Trait::Coder));
    let owners: [BTreeSet<&str>; 2] = [0, 1].map(|place| {
        let owners = coders.iter().copied().filter(|index| {
            usize::from(second.binary_search(index).is_ok()) == place && owns(organisation, *index, place)
        });
        owners.filter_map(|index| organisation.handle(index)).collect()
    });
    for ((at, login), (affiliation, rank)) in given {
        let rank = if owners[repositories[at].place].contains(login.as_str()) { 4 } else { rank };
        out.row(
            Table::GithubRepositoryCollaborator,
            row![repositories[at].full_name(), login, affiliation, RANK[rank]],
        )?;
    }
    Ok(())
}
