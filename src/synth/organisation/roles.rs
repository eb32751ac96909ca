//! Who administers what, who uses which system, and how well each is protected.

use super::person::{Kind, Lifecycle, OktaStatus, Person, Standing, Trait};
use super::{Organisation, Reach};
use crate::synth::scale::share;

impl Organisation {
    /// Gives out roles, accounts and habits.
    pub(super) fn give_roles(&mut self) {
        self.give_administration();
        self.give_systems();
        self.give_handles();
        self.give_factors();
        self.give_habits();
    }

    /// Cast among those whose department has this reach; if they are too few, among all.
    fn cast_in(
        &mut self,
        it: Trait,
        purpose: &str,
        count: usize,
        reaches: &[Reach],
        fits: impl Fn(&Person) -> bool,
    ) {
        let departments = self.archetype.departments;
        let near = |person: &Person| reaches.contains(&departments[usize::from(person.department)].reach);
        let chosen = self.cast(it, purpose, count, |person| near(person) && fits(person));
        self.cast(it, purpose, count - chosen.len(), fits);
    }

    fn give_administration(&mut self) {
        let steady = |person: &Person| {
            person.is_staff()
                && person.okta == Some(OktaStatus::Active)
                && person.lifecycle == Lifecycle::Employed
                && person.firm.is_none()
                && person.workspace == Standing::Live
                && person.entra == Standing::Live
                && person.identity_center == Standing::Live
                && !person.has(Trait::Alias)
        };
        let admins = &[Reach::Administrators][..];
        let technical = &[Reach::Administrators, Reach::Builders][..];
        self.cast_in(Trait::OktaSuper, "Okta super", self.count([3, 5, 9]), admins, steady);
        self.cast_in(Trait::OktaRole, "Okta role", self.count([2, 6, 20]), admins, |person| {
            steady(person) && !person.has(Trait::OktaSuper)
        });
        self.cast_in(Trait::OktaGroupAdmin, "Okta group", self.count([3, 5, 16]), admins, steady);
        // Contractors who administer: at medium there is none.
        self.cast(Trait::OktaRole, "Okta contractors", self.count([2, 0, 4]), |person| {
            person.firm.is_some()
                && person.okta == Some(OktaStatus::Active)
                && matches!(person.lifecycle, Lifecycle::Employed)
        });
        self.cast_in(Trait::WorkspaceSuper, "Workspace super", self.count([3, 6, 10]), admins, steady);
        self.cast_in(
            Trait::WorkspaceDelegated,
            "Workspace delegated",
            self.count([3, 5, 14]),
            admins,
            |person| steady(person) && !person.has(Trait::WorkspaceSuper),
        );
        self.cast_in(Trait::GlobalAdmin, "global", self.count([3, 5, 9]), admins, steady);
        self.cast_in(Trait::DirectoryRole, "directory role", self.count([2, 8, 24]), admins, |person| {
            steady(person) && !person.has(Trait::GlobalAdmin)
        });
        self.cast_in(Trait::AwsAdmin, "AWS admin", self.count([5, 12, 40]), technical, steady);
        // Some have both crowns.
        self.cast(Trait::AwsAdmin, "AWS and Entra", self.count([2, 2, 4]), |person| {
            person.has(Trait::GlobalAdmin)
        });
        self.cast(Trait::GcpOwner, "GCP and AWS", self.count([2, 3, 8]), |person| {
            person.has(Trait::AwsAdmin)
        });
        self.cast_in(Trait::GcpOwner, "GCP owner", self.count([2, 3, 12]), technical, steady);
    }

    fn give_systems(&mut self) {
        let today = self.today;
        let working = |person: &Person| {
            person.is_staff()
                && person.okta.is_some_and(OktaStatus::is_live)
                && matches!(person.lifecycle, Lifecycle::Employed | Lifecycle::Leave | Lifecycle::GardenLeave)
        };
        let builders = &[Reach::Builders, Reach::Administrators][..];
        let technical = &[Reach::Builders, Reach::Administrators, Reach::Analysts][..];
        let departments = self.archetype.departments;
        let is_technical =
            |person: &Person| departments[usize::from(person.department)].reach != Reach::Office;
        let pool = self.all(|person| {
            working(person) && is_technical(person) && person.identity_center == Standing::Live
        });
        self.cast(Trait::AwsUser, "AWS users", share(pool.len(), 850), |person| {
            working(person) && is_technical(person) && person.identity_center == Standing::Live
        });
        // Finance looks at the bills; others of the office are there for no good reason.
        let office = ["Sales", "Marketing", "Finance", "People"];
        let in_office = |person: &Person, of: &[&str]| {
            working(person)
                && person.identity_center == Standing::Live
                // Found by the user's name and by the address alike.
                && !person.has(Trait::Renamed)
                && of.contains(&departments[usize::from(person.department)].name)
        };
        let wanted = self.count([3, 6, 18]);
        let finance = self.cast(Trait::OfficeInAws, "finance in AWS", wanted - wanted / 3, |person| {
            in_office(person, &["Finance"])
        });
        self.cast(Trait::OfficeInAws, "office in AWS", wanted - finance.len(), |person| {
            in_office(person, &office)
        });
        let coders = self.count([32, 165, 775]) * self.archetype.coders / 82;
        self.cast_in(Trait::Coder, "coders", coders, technical, |person| {
            working(person) && person.entra != Standing::None && !person.has(Trait::Renamed)
        });
        let org_owner = |person: &Person| person.has(Trait::Coder) && person.firm.is_none();
        self.cast_in(Trait::GitHubOwner, "GitHub owners", self.count([3, 6, 14]), builders, org_owner);
        self.cast(Trait::Coder, "coders who left", usize::MAX, |person| person.has(Trait::BehindGitHub));
        self.cast(Trait::Coder, "coders who left live", self.count([1, 3, 12]), |person| {
            person.has(Trait::LeftLive)
        });
        let iam = self.count([14, 62, 250]) * self.archetype.cloud / 100;
        self.cast_in(Trait::IamUser, "IAM users", iam, builders, |person| {
            working(person) && !person.has(Trait::Alias) && person.start < today - 20
        });
        self.cast(Trait::IamUser, "IAM users who left", usize::MAX, |person| person.has(Trait::BehindIam));
        self.cast(Trait::IamUser, "IAM users long gone", self.count([1, 3, 14]), |person| {
            person.is_leaver()
                && person.number.is_some()
                && !person.has(Trait::BehindIam)
                && person.okta == Some(OktaStatus::Deprovisioned)
        });
        let atlas = self.count([8, 32, 116]) * self.archetype.cloud / 100;
        self.cast_in(Trait::Atlas, "Atlas", atlas, technical, |person| {
            working(person) && person.start < today - 20
        });
        self.cast(Trait::Atlas, "Atlas who left", usize::MAX, |person| person.has(Trait::BehindAtlas));
        self.cast_in(Trait::AtlasOwner, "Atlas owners", self.count([2, 2, 4]), builders, |person| {
            person.has(Trait::Atlas) && working(person) && person.firm.is_none()
        });
        let gcp = self.count([10, 40, 150]) * self.archetype.cloud / 100;
        self.cast_in(Trait::Gcp, "GCP", gcp, technical, |person| {
            working(person) && person.workspace == Standing::Live
        });
        self.cast(Trait::GcpContractor, "GCP contractors", self.count([2, 3, 6]), |person| {
            person.firm.is_some() && working(person) && person.workspace == Standing::Live
        });
        // Administrators of a private repository with an old key.
        self.cast(Trait::OldKeyAdmin, "old key", self.count([2, 4, 14]), |person| {
            person.traits.has(Trait::Coder)
                && person.traits.has(Trait::IamUser)
                && working(person)
                && person.start < today - 500
        });
        if self.all(|person| person.has(Trait::OldKeyAdmin)).len() < 2 {
            for index in self.cast(Trait::OldKeyAdmin, "old key anyhow", 2, |person| {
                person.has(Trait::Coder) && working(person) && person.start < today - 500
            }) {
                self.person_mut(index).traits.add(Trait::IamUser);
            }
        }
    }

    /// What coders call themselves at GitHub.
    fn give_handles(&mut self) {
        const WORDS: &[&str] =
            &["codes", "dev", "hub", "ops", "labs", "io", "bytes", "stack", "loop", "shell"];
        const THINGS: &[&str] = &[
            "otter", "kernel", "nimbus", "cobalt", "lantern", "quartz", "walrus", "pixel", "falcon", "maple",
            "tundra", "vector", "comet", "badger", "saffron", "delta",
        ];
        let mut taken = std::collections::HashSet::new();
        for index in self.all(|person| person.has(Trait::Coder)) {
            let mut dice = self.dice("handle", index as usize);
            let (given, family) = self.person(index).name.letters();
            let mut handle = match dice.below(5) {
                0 => format!("{}{family}-{}", &given[..1], dice.pick(WORDS)),
                1 => format!("{given}{}", dice.between(71, 99)),
                2 => format!("{}-{}", dice.pick(THINGS), dice.pick(WORDS)),
                3 => format!("{family}{}", &given[..1]),
                _ => format!("{given}-{}", &family[..1]),
            };
            while !taken.insert(handle.clone()) {
                handle = format!("{handle}{}", dice.below(10));
            }
            self.handles.insert(index, handle);
        }
    }

    fn give_factors(&mut self) {
        let active = |person: &Person| person.okta == Some(OktaStatus::Active);
        let all_active = self.all(active).len();
        let staffed =
            |person: &Person| active(person) && person.is_staff() && person.lifecycle != Lifecycle::Hired;
        // Nobody enrols a mailbox, and few enrol a robot.
        let none = share(all_active, 90).max(3);
        let mut given = self
            .cast(Trait::NoFactor, "no factor: admins", self.count([2, 2, 5]), |person| {
                staffed(person) && person.has(Trait::AwsAdmin) && !person.has(Trait::OktaSuper)
            })
            .len();
        given += self
            .cast(Trait::NoFactor, "no factor: others", (none / 3).min(none - given), |person| {
                active(person) && matches!(person.kind, Kind::Service | Kind::Mailbox)
            })
            .len();
        self.cast(Trait::NoFactor, "no factor", none - given, |person| {
            staffed(person)
                && !person.traits.any(&[Trait::OktaSuper, Trait::OktaRole, Trait::OldKeyAdmin, Trait::Alias])
        });
        self.cast(Trait::WeakFactors, "weak", share(all_active, 140), |person| {
            staffed(person) && !person.traits.any(&[Trait::NoFactor, Trait::OktaSuper, Trait::OldKeyAdmin])
        });
        let strong = |person: &Person| {
            person.okta.is_some_and(OktaStatus::is_live)
                && person.kind != Kind::Mailbox
                && !person.traits.any(&[Trait::NoFactor, Trait::WeakFactors])
        };
        let admins = self
            .all(|person| strong(person) && person.traits.any(&[Trait::OktaSuper, Trait::WorkspaceSuper]))
            .len();
        self.cast(Trait::PhishingResistant, "keys: admins", admins / 2, |person| {
            strong(person) && person.traits.any(&[Trait::OktaSuper, Trait::WorkspaceSuper])
        });
        let others = self
            .all(|person| strong(person) && !person.traits.any(&[Trait::OktaSuper, Trait::WorkspaceSuper]))
            .len();
        self.cast(Trait::PhishingResistant, "keys", share(others, 280), |person| {
            strong(person) && !person.traits.any(&[Trait::OktaSuper, Trait::WorkspaceSuper])
        });
        self.give_workspace_factors();
        self.give_other_factors();
    }

    fn give_other_factors(&mut self) {
        let in_entra = |person: &Person| person.entra == Standing::Live;
        let all = self.all(in_entra).len();
        self.cast(Trait::NoEntraMfa, "no Entra MFA: global", self.count([0, 1, 2]), |person| {
            in_entra(person) && person.has(Trait::GlobalAdmin)
        });
        self.cast(Trait::NoEntraMfa, "no Entra MFA", share(all, 120), |person| {
            in_entra(person) && !person.traits.any(&[Trait::GlobalAdmin, Trait::DirectoryRole])
        });
        let coder = |person: &Person| person.has(Trait::Coder);
        let coders = self.all(coder).len();
        let mut given = self
            .cast(Trait::No2fa, "no 2fa: owners", self.count([1, 2, 3]), |person| {
                person.has(Trait::GitHubOwner)
            })
            .len();
        self.cast(Trait::Hidden2fa, "hidden 2fa: owners", self.count([1, 1, 2]), |person| {
            person.has(Trait::GitHubOwner) && !person.has(Trait::No2fa)
        });
        // Two have neither: one without is found in both systems.
        let both = self.cast(Trait::No2fa, "no 2fa: no Entra MFA", self.count([2, 4, 16]), |person| {
            coder(person) && person.has(Trait::NoEntraMfa) && person.entra == Standing::Live
        });
        given += both.len();
        for index in self.cast(
            Trait::No2fa,
            "no 2fa: and no Entra MFA",
            2_usize.saturating_sub(both.len()),
            |person| coder(person) && person.entra == Standing::Live && !person.has(Trait::GlobalAdmin),
        ) {
            self.person_mut(index).traits.add(Trait::NoEntraMfa);
            given += 1;
        }
        self.cast(Trait::No2fa, "no 2fa", share(coders, 100).saturating_sub(given), |person| {
            coder(person) && !person.has(Trait::GitHubOwner)
        });
        self.cast(Trait::Hidden2fa, "hidden 2fa", share(coders, 45), |person| {
            coder(person) && !person.traits.any(&[Trait::No2fa, Trait::GitHubOwner])
        });
        // Links to the identity provider: leavers keep theirs, or nobody could tell that they left.
        let loose = |person: &Person| {
            coder(person)
                && !person.is_leaver()
                && !person.traits.any(&[Trait::OldKeyAdmin, Trait::GitHubOwner])
        };
        self.cast(Trait::Unlinked, "unlinked", share(coders, 150), |person| {
            loose(person) && !person.traits.any(&[Trait::No2fa])
        });
        self.cast(Trait::Uncovered, "uncovered", share(coders, 80), loose);
        let strong_console = self.count([2, 8, 30]);
        self.cast(Trait::ConsoleWithoutMfa, "console without MFA", strong_console, |person| {
            person.has(Trait::IamUser)
                && !person.is_leaver()
                && person.okta.is_some_and(OktaStatus::is_live)
                && !person.traits.any(&[Trait::NoFactor, Trait::WeakFactors])
        });
    }

    fn give_habits(&mut self) {
        let today = self.today;
        let old = |person: &Person| person.start < today - 200 && !person.leads;
        let working = |person: &Person| {
            person.is_staff()
                && person.lifecycle == Lifecycle::Employed
                && person.okta == Some(OktaStatus::Active)
        };
        let active = self.all(|person| person.okta == Some(OktaStatus::Active)).len();
        for index in self.cast(Trait::IdleOkta, "idle twice", self.count([2, 6, 22]), |person| {
            working(person)
                && old(person)
                && person.entra == Standing::Live
                && person.has(Trait::AwsUser)
                && !person.traits.any(&[Trait::OktaSuper, Trait::Case])
        }) {
            self.person_mut(index).traits.add(Trait::IdleEntra);
        }
        self.cast(Trait::IdleOkta, "idle in Okta", share(active, 40), |person| {
            working(person) && old(person) && !person.has(Trait::OktaSuper)
        });
        self.cast(Trait::NeverOkta, "never in Okta", share(active, 12).max(2), |person| {
            person.okta == Some(OktaStatus::Active)
                && (person.kind == Kind::Service
                    || (working(person) && old(person) && person.has(Trait::NoFactor)))
                && !person.traits.any(&[Trait::IdleOkta, Trait::OktaSuper, Trait::Coder])
        });
        // Whoever is never seen at the identity provider, through which all sign in, is seen nowhere else.
        let mail = |person: &Person| person.workspace == Standing::Live && person.start < today - 200;
        let wanted = share(active, 60);
        let idle = self.cast(Trait::IdleWorkspace, "idle in both", wanted, |person| {
            mail(person) && person.has(Trait::IdleOkta)
        });
        self.cast(Trait::IdleWorkspace, "idle in Workspace", wanted - idle.len(), |person| {
            mail(person) && working(person) && !person.leads && !person.has(Trait::NeverOkta)
        });
        let wanted = share(active, 25).max(2);
        let never = self.cast(Trait::NeverWorkspace, "never in both", usize::MAX, |person| {
            mail(person) && person.is_staff() && person.has(Trait::NeverOkta)
        });
        self.cast(
            Trait::NeverWorkspace,
            "never in Workspace",
            wanted.saturating_sub(never.len()),
            |person| {
                mail(person)
                    && (person.kind != Kind::Staff || (working(person) && !person.leads))
                    && !person.traits.any(&[Trait::IdleWorkspace, Trait::WorkspaceSuper])
            },
        );
        let twice = self.all(|person| person.has(Trait::IdleEntra)).len();
        let wanted = twice + share(active, 70);
        self.cast(Trait::IdleEntra, "idle in Okta and Entra", usize::MAX, |person| {
            person.entra == Standing::Live && person.has(Trait::IdleOkta)
        });
        let given = self.all(|person| person.has(Trait::IdleEntra)).len();
        self.cast(Trait::IdleEntra, "idle in Entra", wanted.saturating_sub(given), |person| {
            person.entra == Standing::Live && working(person) && old(person) && !person.has(Trait::NeverOkta)
        });
        // First those who never activated: whoever is locked out calls for help some day.
        let stuck = |status: OktaStatus| {
            move |person: &Person| {
                person.kind != Kind::Mailbox && person.okta == Some(status) && person.start < today - 130
            }
        };
        let mut left = self.count([2, 5, 26]);
        for status in [OktaStatus::Provisioned, OktaStatus::LockedOut, OktaStatus::Recovery] {
            left -= self.cast(Trait::Stuck, "stuck", left, stuck(status)).len();
        }
        self.cast(Trait::AwayButActive, "away but active", self.count([2, 3, 10]), |person| {
            matches!(person.lifecycle, Lifecycle::Leave | Lifecycle::GardenLeave)
        });
        self.cast(Trait::StaleManager, "stale manager", self.count([3, 12, 50]), |person| {
            // With a head of the department above the manager.
            working(person) && person.line > 1 && person.start < today - 200
        });
        let staff = self.all(Person::is_staff).len();
        self.cast(Trait::Case, "case", share(staff, 80), |person| {
            person.is_staff()
                && person.okta.is_some_and(OktaStatus::is_live)
                && person.lifecycle != Lifecycle::Hired
        });
    }
}
