//! What the list of cases is narrowed to: one choice by each property, or any.

use super::Entry;
use crate::domain::{Complexity, Focus, Platform};
use crate::workbench::state::Workbench;
use serde::Serialize;

/// The own status of a task or snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Never worked on.
    New,
    /// Open in this workbench.
    Open,
    /// Begun and left: it can be gone on with.
    Begun,
    /// Answered.
    Answered,
}

impl Status {
    /// A word for the list.
    pub const fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Open => "open",
            Self::Begun => "begun",
            Self::Answered => "answered",
        }
    }
}

/// A property by which the list can be narrowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Filter {
    /// The pack, or the snapshots.
    Pack,
    /// How much work it is.
    Complexity,
    /// What it is about.
    Focus,
    /// A product it reads.
    Platform,
    /// One vendor's data, or several.
    Scope,
    /// The own status.
    Status,
}

/// All of them, in the order of the chips.
pub const FILTERS: [Filter; 6] =
    [Filter::Pack, Filter::Complexity, Filter::Focus, Filter::Platform, Filter::Scope, Filter::Status];

impl Filter {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pack => "pack",
            Self::Complexity => "complexity",
            Self::Focus => "focus",
            Self::Platform => "platform",
            Self::Scope => "scope",
            Self::Status => "status",
        }
    }

    pub(super) fn of_name(name: &str) -> Option<Self> {
        FILTERS.into_iter().find(|filter| filter.name() == name)
    }
}

/// The values chosen; `None` is any.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Filters {
    chosen: [Option<String>; 6],
}

/// What the snapshots are called among the packs.
const SNAPSHOTS: &str = "snapshots";

const PLATFORMS: [Platform; 10] = [
    Platform::AwsIam,
    Platform::AwsIdentityCenter,
    Platform::AzureAd,
    Platform::Gcp,
    Platform::GitHub,
    Platform::GoogleWorkspace,
    Platform::Hibob,
    Platform::MongodbAtlas,
    Platform::Okta,
    Platform::Other,
];

impl Filters {
    /// The value that is chosen.
    pub fn get(&self, filter: Filter) -> Option<&str> {
        self.chosen[filter as usize].as_deref()
    }

    /// Chooses a value, or any.
    pub fn set(&mut self, filter: Filter, value: Option<String>) {
        self.chosen[filter as usize] = value;
    }

    /// Whether nothing is chosen.
    pub fn is_empty(&self) -> bool {
        self.chosen.iter().all(Option::is_none)
    }

    /// The values that a property can have.
    pub fn values(state: &Workbench, filter: Filter) -> Vec<String> {
        let packs = || state.catalogue.iter().flat_map(|catalogue| &catalogue.packs);
        match filter {
            Filter::Pack => packs().map(|pack| pack.id.clone()).chain([SNAPSHOTS.to_owned()]).collect(),
            Filter::Complexity => [Complexity::Easy, Complexity::Medium, Complexity::Hard]
                .map(|it| it.name().to_owned())
                .to_vec(),
            Filter::Focus => [Focus::Authentication, Focus::Authorization, Focus::Management]
                .map(|it| it.name().to_owned())
                .to_vec(),
            Filter::Platform => PLATFORMS
                .into_iter()
                .filter(|platform| {
                    packs().any(|pack| pack.tasks.iter().any(|it| it.platforms.contains(platform)))
                })
                .map(|platform| platform.label().to_owned())
                .collect(),
            Filter::Scope => vec!["one vendor".to_owned(), "cross-vendor".to_owned()],
            Filter::Status => [Status::New, Status::Open, Status::Begun, Status::Answered]
                .map(|it| it.word().to_owned())
                .to_vec(),
        }
    }

    /// The value after the chosen one, going round through any.
    pub(super) fn next(&self, state: &Workbench, filter: Filter) -> Option<String> {
        let values = Self::values(state, filter);
        match self.get(filter) {
            None => values.into_iter().next(),
            Some(chosen) => {
                let at = values.iter().position(|value| value == chosen)?;
                values.into_iter().nth(at + 1)
            }
        }
    }

    /// Whether an entry is left.
    pub(super) fn keep(&self, state: &Workbench, entry: Entry) -> bool {
        FILTERS.into_iter().all(|filter| {
            let Some(wanted) = self.get(filter) else { return true };
            if filter == Filter::Status {
                return state.status_of(entry).word() == wanted;
            }
            match entry {
                Entry::Snapshot(_) => filter == Filter::Pack && wanted == SNAPSHOTS,
                Entry::Task(pack, task) => {
                    state.task_at(pack, task).is_some_and(|(pack, task)| match filter {
                        Filter::Pack => pack.id == wanted,
                        Filter::Complexity => task.complexity.name() == wanted,
                        Filter::Focus => task.focus.name() == wanted,
                        Filter::Platform => task.platforms.iter().any(|platform| platform.label() == wanted),
                        Filter::Scope => task.is_cross_vendor() == (wanted == "cross-vendor"),
                        Filter::Status => true,
                    })
                }
            }
        })
    }
}
