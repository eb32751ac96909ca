//! One account holder: a person over time, or what has a log-in without being one.

use super::names::Name;
use crate::synth::moment::Day;

/// Whether an account holder is a person, and whether HR knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::synth) enum Kind {
    /// Somebody HR has a record of.
    Staff,
    /// A person without an HR record: a consultant whose contract nobody filed, somebody of an acquired firm.
    Ghost,
    /// A service identity.
    Service,
    /// A shared mailbox with a log-in.
    Mailbox,
}

/// Where somebody stands with HR today.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::synth) enum Lifecycle {
    Employed,
    Leave,
    GardenLeave,
    Hired,
    Terminated,
}

/// Status of an Okta account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::synth) enum OktaStatus {
    Staged,
    Provisioned,
    Active,
    Recovery,
    PasswordExpired,
    LockedOut,
    Suspended,
    Deprovisioned,
}

impl OktaStatus {
    /// As Okta spells it.
    pub(in crate::synth) const fn text(self) -> &'static str {
        match self {
            Self::Staged => "STAGED",
            Self::Provisioned => "PROVISIONED",
            Self::Active => "ACTIVE",
            Self::Recovery => "RECOVERY",
            Self::PasswordExpired => "PASSWORD_EXPIRED",
            Self::LockedOut => "LOCKED_OUT",
            Self::Suspended => "SUSPENDED",
            Self::Deprovisioned => "DEPROVISIONED",
        }
    }

    /// Whether the account works: `ACTIVE`, `PASSWORD_EXPIRED`, `RECOVERY` or `LOCKED_OUT`.
    pub(in crate::synth) const fn is_live(self) -> bool {
        matches!(self, Self::Active | Self::PasswordExpired | Self::Recovery | Self::LockedOut)
    }
}

/// Standing of an account in a system that knows fewer states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::synth) enum Standing {
    /// There is none.
    None,
    /// It works.
    Live,
    /// Suspended (Workspace) or disabled (Entra, Identity Center).
    Off,
    /// Archived (Workspace).
    Archived,
}

/// What marks a holder out. A set of these is 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(in crate::synth) enum Trait {
    /// Addresses differ in case between systems.
    Case,
    /// Some system knows an alias or an old surname.
    Alias,
    /// Goes by a short name.
    Nickname,
    /// Shares the name of somebody else.
    Twin,
    /// Has changed surname; one system still has the old log-in.
    Renamed,
    /// Left, and the Okta account still works.
    LeftLive,
    /// Left, Okta is shut, and other systems are not.
    LeftBehind,
    /// What was left behind, system by system.
    BehindIdentityCenter,
    BehindIam,
    BehindIamUsed,
    BehindGitHub,
    BehindAtlas,
    BehindWorkspace,
    BehindEntra,
    BehindGcp,
    BehindApp,
    BehindFile,
    BehindGroup,
    BehindAppAssignment,
    /// Administrators, by system.
    OktaSuper,
    OktaRole,
    OktaGroupAdmin,
    WorkspaceSuper,
    WorkspaceDelegated,
    GlobalAdmin,
    DirectoryRole,
    AwsAdmin,
    /// Uses AWS through Identity Center.
    AwsUser,
    /// An office worker who can reach production.
    OfficeInAws,
    /// Has a GitHub account.
    Coder,
    GitHubOwner,
    /// Has an own IAM user.
    IamUser,
    /// Uses Atlas.
    Atlas,
    AtlasOwner,
    /// Uses GCP.
    Gcp,
    /// No active Okta factor; or weak ones only; or a phishing-resistant one among them.
    NoFactor,
    WeakFactors,
    PhishingResistant,
    /// Not enrolled in two-step verification at Google; not enforced.
    No2sv,
    Unenforced2sv,
    /// Not registered for MFA in Entra; no 2FA at GitHub; 2FA not visible there.
    NoEntraMfa,
    No2fa,
    Hidden2fa,
    /// Nothing happened for 90 days or more: in Okta, in Workspace, in Entra.
    IdleOkta,
    IdleWorkspace,
    IdleEntra,
    /// Never signed in.
    NeverOkta,
    NeverWorkspace,
    /// Has been in a passing state of Okta for more than 30 days.
    Stuck,
    /// Has a manager in Okta that HR has not.
    StaleManager,
    /// On leave, and signed in lately.
    AwayButActive,
    /// GitHub account without the link to the identity provider, or without the app.
    Unlinked,
    Uncovered,
    /// IAM console access without MFA despite strong factors elsewhere; old key of a repository administrator.
    ConsoleWithoutMfa,
    OldKeyAdmin,
    /// Contractor at the top of a GCP project.
    GcpContractor,
    /// Owns a GCP project.
    GcpOwner,
}

/// A set of traits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::synth) struct Traits(u64);

impl Traits {
    pub(in crate::synth) const fn has(self, it: Trait) -> bool {
        self.0 & (1 << it as u8) != 0
    }

    pub(in crate::synth) const fn add(&mut self, it: Trait) {
        self.0 |= 1 << it as u8;
    }

    pub(in crate::synth) fn any(self, of: &[Trait]) -> bool {
        of.iter().any(|it| self.has(*it))
    }
}

/// An account holder.
#[derive(Debug, Clone)]
pub(in crate::synth) struct Person {
    pub(in crate::synth) kind: Kind,
    pub(in crate::synth) name: Name,
    /// What a service identity or a mailbox is called.
    pub(in crate::synth) label: Option<Box<str>>,
    /// The part of the address before the @; unique in the organisation.
    pub(in crate::synth) local: Box<str>,
    /// Which of the company's two domains: 0 or 1.
    pub(in crate::synth) domain: u8,
    /// Employee number, where HR gave one.
    pub(in crate::synth) number: Option<u32>,
    /// The lending firm of a contractor, as an index into the partners.
    pub(in crate::synth) firm: Option<u8>,
    pub(in crate::synth) department: u8,
    /// Place in the department by the order of hiring: 0 is the head.
    pub(in crate::synth) place: u32,
    /// Steps below the head of the department.
    pub(in crate::synth) line: u8,
    pub(in crate::synth) leads: bool,
    pub(in crate::synth) site: u8,
    pub(in crate::synth) manager: Option<u32>,
    pub(in crate::synth) lifecycle: Lifecycle,
    /// First day of the current or last employment.
    pub(in crate::synth) start: Day,
    /// Termination date, past or future.
    pub(in crate::synth) end: Option<Day>,
    /// First and last day of an earlier employment.
    pub(in crate::synth) earlier: Option<(Day, Day)>,
    pub(in crate::synth) okta: Option<OktaStatus>,
    pub(in crate::synth) workspace: Standing,
    pub(in crate::synth) entra: Standing,
    pub(in crate::synth) identity_center: Standing,
    pub(in crate::synth) traits: Traits,
}

impl Person {
    pub(in crate::synth) const fn has(&self, it: Trait) -> bool {
        self.traits.has(it)
    }

    /// Whether HR knows the person.
    pub(in crate::synth) const fn is_staff(&self) -> bool {
        matches!(self.kind, Kind::Staff)
    }

    /// Whether every employment has ended.
    pub(in crate::synth) const fn is_leaver(&self) -> bool {
        matches!((self.kind, self.lifecycle), (Kind::Staff, Lifecycle::Terminated))
    }

    /// Whether somebody had not left when a thing was made on this day, so that they may have had to do with it.
    pub(in crate::synth) fn was_here_after(&self, day: Day) -> bool {
        !self.is_leaver() || self.end.is_none_or(|end| end > day)
    }

    /// First day on which an account can have existed: what there was in an earlier employment is gone, Okta's account
    /// apart, which comes back to life.
    pub(in crate::synth) const fn first_day(&self) -> Day {
        self.start
    }
}
