//! Files of My Drive and of shared drives, and with whom they are shared.

use super::drives::{Drive, drives};
use super::file_titles::title;
use super::googleworkspace::last_sign_in;
use super::googleworkspace_groups::{CLOUD_EDITORS, Groups, PARTNERS_IN_DATA};
use super::hibob::hr_address;
use super::seen::made_at;
use crate::synth::GenerateError;
use crate::synth::archetype::PARTNERS;
use crate::synth::dice::Dice;
use crate::synth::moment::{Day, Moment};
use crate::synth::organisation::{OktaStatus, Organisation, Person, Standing, Trait};
use crate::synth::output::{Output, row};
use crate::synth::schema::Table;
use crate::synth::workdays::office_day;
use serde_json::{Value, json};

/// How a file is shared beyond its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sharing {
    Inside,
    /// Anyone with the link may read; may edit; may find it.
    Anyone {
        edits: bool,
        found: bool,
    },
    /// An outside person, an outside domain, or a group with outsiders in it.
    Person,
    Domain,
    Group,
    /// A grant that has ended or whose grantee is gone: no sharing any more.
    Ended,
}

pub(super) fn write(
    organisation: &Organisation,
    groups: &Groups,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let target = organisation.count([60, 320, 1250]);
    let mut plan = planted(organisation);
    let owners = organisation.all(|person| {
        person.workspace != Standing::None && person.label.is_none() && !person.has(Trait::NeverWorkspace)
    });
    // Nobody makes files who never signed in.
    let owners: Vec<u32> =
        owners.into_iter().filter(|index| last_day_of(organisation, *index).is_some()).collect();
    let drives = drives(organisation, groups);
    // So many more are shared with anyone, and with outsiders, as the rates want.
    let public = plan
        .iter()
        .filter(|(_, sharing, trashed)| matches!(sharing, Sharing::Anyone { .. }) && !trashed)
        .count();
    let outside =
        plan.iter().filter(|(_, sharing, _)| matches!(sharing, Sharing::Person | Sharing::Domain)).count();
    let more_public = (target * 6 / 100).saturating_sub(public).max(2);
    let more_outside = (target * 9 / 100).saturating_sub(outside).max(2);
    let live: Vec<u32> = owners
        .iter()
        .copied()
        .filter(|index| {
            let person = organisation.person(*index);
            person.workspace == Standing::Live
                && !person.is_leaver()
                && person.okta.is_some_and(OktaStatus::is_live)
        })
        .collect();
    let mut dice = organisation.dice("files", 0);
    let mut someone = |drive_percent: usize| (!dice.percent(drive_percent)).then(|| *dice.pick(&live));
    for nth in 0..more_public {
        plan.push((
            someone(25),
            Sharing::Anyone { edits: nth % 3 == 0 || nth == 1, found: nth % 4 == 1 || nth == 0 },
            false,
        ));
    }
    for nth in 0..more_outside {
        plan.push((someone(25), if nth % 3 == 2 { Sharing::Domain } else { Sharing::Person }, false));
    }
    for nth in 0..organisation.count([3, 6, 22]) {
        plan.push((someone(30), Sharing::Group, nth % 7 == 6));
    }
    for _ in 0..organisation.count([2, 5, 16]) {
        plan.push((someone(30), Sharing::Ended, false));
    }
    let mut rest = organisation.dice("files", 1);
    while plan.len() < target {
        let owner = (!rest.percent(34)).then(|| *rest.pick(&owners));
        plan.push((owner, Sharing::Inside, rest.percent(4)));
    }
    for (nth, (owner, sharing, trashed)) in plan.into_iter().enumerate() {
        file(organisation, groups, &drives, nth, owner, sharing, trashed, out)?;
    }
    Ok(())
}

/// Files that people who left still own, files in the trash that are still open.
fn planted(organisation: &Organisation) -> Vec<(Option<u32>, Sharing, bool)> {
    let mut plan = Vec::new();
    for (nth, index) in organisation.all(|person| person.has(Trait::BehindFile)).into_iter().enumerate() {
        let shut = !organisation.person(index).okta.is_some_and(OktaStatus::is_live);
        let sharing = if shut || nth % 4 == 3 {
            Sharing::Anyone { edits: nth % 5 == 4, found: nth % 6 == 5 }
        } else {
            Sharing::Person
        };
        plan.push((Some(index), sharing, false));
        if nth % 3 == 2 {
            plan.push((Some(index), Sharing::Inside, false));
        }
    }
    let suspended = organisation
        .some("suspended owners", organisation.count([3, 8, 30]), |person| person.workspace == Standing::Off);
    let suspended = suspended.into_iter().filter(|index| last_day_of(organisation, *index).is_some());
    plan.extend(suspended.map(|index| (Some(index), Sharing::Inside, false)));
    let owners = organisation.some("careless owners", organisation.count([1, 3, 8]), |person: &Person| {
        person.workspace == Standing::Live
            && person.is_staff()
            && person.first_day() < organisation.today - 60
            && !person.has(Trait::NeverWorkspace)
            && !person.traits.any(&[Trait::NeverOkta])
    });
    plan.extend(
        owners.into_iter().map(|index| (Some(index), Sharing::Anyone { edits: true, found: true }, true)),
    );
    plan
}

#[allow(clippy::too_many_arguments)] // one file is that many facts
fn file(
    organisation: &Organisation,
    groups: &Groups,
    drives: &[Drive],
    nth: usize,
    owner: Option<u32>,
    sharing: Sharing,
    trashed: bool,
    out: &mut Output<'_>,
) -> Result<(), GenerateError> {
    let mut dice = organisation.dice("file", nth);
    let owner = owner.map(|index| (index, organisation.person(index)));
    let id = format!("1{}", dice.base62(32));
    let today = organisation.today;
    let last_day = owner.and_then(|(_, person)| person.end.filter(|_| person.is_leaver())).unwrap_or(today);
    // Whoever edits a file has signed in since.
    let seen = owner.and_then(|(index, _)| last_day_of(organisation, index));
    let last_day = seen.map_or(last_day, |seen| seen.min(last_day));
    let first_day =
        owner.map_or(organisation.founded + 400, |(_, person)| (person.first_day() + 1).min(last_day));
    let span = i64::from(last_day - first_day).max(0);
    let some_day = first_day + Day::try_from(dice.between(0, span)).unwrap_or(0);
    let created = Moment::at_work(office_day(some_day, first_day, last_day, &mut dice), &mut dice);
    let left = i64::from(last_day - created.day()).max(0);
    let some_day = created.day() + Day::try_from(dice.between(0, left)).unwrap_or(0);
    let modified =
        Moment::at_work(office_day(some_day, created.day(), last_day, &mut dice), &mut dice).max(created);
    let owner_address = owner.map(|(index, person)| {
        // Some files still show an alias of somebody who works here.
        let alias = organisation
            .alias(index)
            .filter(|_| !person.is_leaver() && person.workspace == Standing::Live && dice.percent(50));
        alias.map_or_else(|| organisation.address(person), str::to_owned)
    });
    let mut permissions = Vec::new();
    let drive = dice.pick(drives);
    let permission = |kind: &str, role: &str, address: &str| json!({"emailAddress": address, "id": grantee(organisation, address), "role": role, "type": kind});
    if let Some(address) = &owner_address {
        permissions.push(permission("user", "owner", address));
    } else {
        // Who organizes a drive organizes every file in it.
        permissions.extend(drive.members.iter().map(|(kind, role, address)| permission(kind, role, address)));
    }
    let mut writers = Vec::new();
    for _ in 0..dice.below(3) {
        // Whoever shares it can share it with who is there by then.
        let mut draws = (0..12).map(|_| dice.below(organisation.people.len()) as u32);
        let there = |index: &u32| {
            let made = made_at(organisation, organisation.person(*index), *index, "workspace made");
            // Nobody shares anything with who has left.
            organisation.person(*index).was_here_after(created.day())
                && (owner.is_none() || made < Moment::on(last_day, 0))
        };
        let Some(index) = draws.find(there) else { continue };
        let other = organisation.person(index);
        let address = organisation.address(other);
        let owns_it = owner.is_some_and(|(owner, _)| owner == index);
        if other.workspace == Standing::Live && !owns_it && !is_granted(&permissions, &address) {
            let role = *dice.weighted(&[(50, "reader"), (15, "commenter"), (35, "writer")]);
            permissions.push(permission("user", role, &address));
            if role == "writer" && was_here(organisation, other, index, modified.day()) {
                writers.push(address);
            }
        }
    }
    let department = owner.map_or(drive.department, |(_, it)| it.department);
    if owner.is_none() && writers.is_empty() {
        // Somebody made it, and is in the drive.
        let made = organisation.dice("file editor", nth);
        let known = |address: &str| is_granted(&permissions, address);
        if let Some(address) = colleague(organisation, department, modified.day(), known, made) {
            permissions.push(permission("user", "writer", &address));
            writers.push(address);
        }
    }
    permissions.extend(shared(organisation, groups, sharing, today, &mut dice));
    if dice.percent(8) && sharing == Sharing::Inside {
        permissions.push(json!({"allowFileDiscovery": dice.percent(50), "domain": organisation.domains[0], "id": grantee(organisation, &organisation.domains[0]), "role": "reader", "type": "domain"}));
    }
    plant(organisation, owner, sharing, trashed, &id, out);
    let (name, kind) = title(
        organisation,
        &organisation.archetype.departments[usize::from(department)],
        created.day(),
        &mut dice,
    );
    let shared_with = permissions.len() > 1;
    let editor = owner_address.clone().filter(|_| dice.percent(70)).or_else(|| writers.into_iter().next());
    out.row(
        Table::GoogleworkspaceSharedDriveFile,
        row![
            &id,
            name,
            kind.mime,
            if owner.is_none() { Some(&drive.id) } else { None },
            owner_address,
            json!(permissions),
            owner.map(|_| shared_with),
            trashed,
            kind.size(&mut dice).map(|size| size.to_string()),
            created.millis(),
            modified.millis(),
            editor,
            kind.editor.map_or_else(
                || format!("https://drive.google.example/file/d/{id}/view"),
                |place| format!("https://docs.google.example/{place}/d/{id}/edit"),
            ),
        ],
    )
}

/// The day on which the owner of an account was last seen in it.
fn last_day_of(organisation: &Organisation, index: u32) -> Option<Day> {
    last_sign_in(organisation, organisation.person(index), index).map(Moment::day)
}

/// Whether the file is shared with this address already.
fn is_granted(permissions: &[Value], address: &str) -> bool {
    permissions.iter().any(|it| it["emailAddress"] == address)
}

/// Whether somebody worked here on a day, had an account the day before, and has signed in since.
fn was_here(organisation: &Organisation, person: &Person, index: u32, day: Day) -> bool {
    person.is_staff()
        && person.first_day() < day
        && (!person.is_leaver() || person.end.is_some_and(|end| day <= end))
        && last_day_of(organisation, index).is_some_and(|seen| seen >= day)
}

/// Somebody of a department, else of the organisation, who was here on a day and still has an account.
fn colleague(
    organisation: &Organisation,
    department: u8,
    day: Day,
    is_known: impl Fn(&str) -> bool,
    mut dice: Dice,
) -> Option<String> {
    let mut any = None;
    for _ in 0..300 {
        let index = dice.below(organisation.people.len()) as u32;
        let person = organisation.person(index);
        let closer = any.is_none() || person.department == department;
        if closer && person.workspace == Standing::Live && was_here(organisation, person, index, day) {
            let address = organisation.address(person);
            if !is_known(&address) {
                any = Some(address);
                if person.department == department {
                    break;
                }
            }
        }
    }
    any
}

/// The id of a permission: Drive has one for each grantee, whatever the file.
fn grantee(organisation: &Organisation, address: &str) -> String {
    organisation.dice(&format!("drive grantee {address}"), 0).twenty_digits()
}

/// The permissions that make the sharing.
fn shared(
    organisation: &Organisation,
    groups: &Groups,
    sharing: Sharing,
    today: Day,
    dice: &mut Dice,
) -> Vec<Value> {
    let outsider = |dice: &mut Dice| dice.pick(&organisation.outsiders).address.clone();
    let role = *dice.weighted(&[(60, "reader"), (10, "commenter"), (30, "writer")]);
    match sharing {
        Sharing::Inside => Vec::new(),
        Sharing::Anyone { edits, found } => {
            let role = if edits { "writer" } else { *dice.weighted(&[(85, "reader"), (15, "commenter")]) };
            let id = if found { "anyone" } else { "anyoneWithLink" };
            let mut permission = json!({"id": id, "role": role, "type": "anyone"});
            // The field is left out as often as it says no.
            if found || dice.percent(60) {
                permission["allowFileDiscovery"] = json!(found);
            }
            vec![permission]
        }
        Sharing::Person => {
            let address = outsider(dice);
            vec![
                json!({"emailAddress": address, "id": grantee(organisation, &address), "role": role, "type": "user"}),
            ]
        }
        Sharing::Domain => vec![{
            let domain = dice.pick(PARTNERS).1;
            json!({"allowFileDiscovery": false, "domain": domain, "id": grantee(organisation, domain), "role": role, "type": "domain"})
        }],
        Sharing::Group => {
            let at = if dice.percent(50) { CLOUD_EDITORS } else { PARTNERS_IN_DATA };
            vec![
                json!({"emailAddress": groups.all[at].email, "id": grantee(organisation, &groups.all[at].email), "role": role, "type": "group"}),
            ]
        }
        Sharing::Ended => {
            let address = outsider(dice);
            let id = grantee(organisation, &address);
            let mut permission = json!({"emailAddress": address, "id": id, "role": role, "type": "user"});
            if dice.percent(50) {
                permission["deleted"] = json!(true);
            } else {
                // What ends today has ended.
                let ago = *dice.pick(&[0, 0, 12, 90]);
                permission["expirationTime"] = json!(Moment::on(today - ago, 43_200).millis());
            }
            vec![permission]
        }
    }
}

fn plant(
    organisation: &Organisation,
    owner: Option<(u32, &Person)>,
    sharing: Sharing,
    trashed: bool,
    id: &str,
    out: &mut Output<'_>,
) {
    let public = matches!(sharing, Sharing::Anyone { .. });
    if public && trashed {
        out.plant("trashed-but-public", id);
    } else if public {
        out.plant("file-open-to-anyone", id);
    }
    if matches!(sharing, Sharing::Person | Sharing::Domain | Sharing::Group) && !trashed {
        out.plant("file-open-to-outsider", id);
    }
    if let Some((index, person)) =
        owner.filter(|(_, person)| person.is_leaver() && sharing != Sharing::Inside)
    {
        out.plant("shared-file-of-leaver", format!("{id} {}", hr_address(organisation, person, index)));
    }
}
