//! A task as whoever works on it sees it: the question and its place in the taxonomy. Never the answer.

use serde::{Deserialize, Serialize};

/// How much work a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Complexity {
    /// One table, or one obvious join.
    Easy,
    /// A join, a computation, or JSON to look into.
    Medium,
    /// Several hops, recursion, or a reading with traps.
    Hard,
}

/// What a task is about (the focal point of the packs' papers).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Focus {
    /// How identities prove who they are.
    Authentication,
    /// What identities may do.
    Authorization,
    /// The life of accounts and credentials.
    Management,
}

/// A product that a task reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Platform {
    /// AWS IAM and Organizations.
    AwsIam,
    /// AWS IAM Identity Center.
    AwsIdentityCenter,
    /// Azure AD (Entra ID).
    AzureAd,
    /// Google Cloud.
    Gcp,
    /// GitHub.
    #[serde(rename = "github")]
    GitHub,
    /// Google Workspace.
    GoogleWorkspace,
    /// `HiBob`, the HR system.
    Hibob,
    /// `MongoDB` Atlas.
    MongodbAtlas,
    /// Okta.
    Okta,
    /// Anything else, in a private pack.
    Other,
}

impl Complexity {
    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
        }
    }
}

impl Focus {
    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Authentication => "authentication",
            Self::Authorization => "authorization",
            Self::Management => "management",
        }
    }
}

impl Platform {
    /// As people write it.
    pub const fn label(self) -> &'static str {
        match self {
            Self::AwsIam => "AWS IAM",
            Self::AwsIdentityCenter => "AWS Identity Center",
            Self::AzureAd => "Azure AD",
            Self::Gcp => "GCP",
            Self::GitHub => "GitHub",
            Self::GoogleWorkspace => "Google Workspace",
            Self::Hibob => "HiBob",
            Self::MongodbAtlas => "MongoDB Atlas",
            Self::Okta => "Okta",
            Self::Other => "other",
        }
    }

    /// Whose product it is: two platforms of one vendor do not make a task cross-vendor.
    pub const fn vendor(self) -> &'static str {
        match self {
            Self::AwsIam | Self::AwsIdentityCenter => "AWS",
            other => other.label(),
        }
    }
}

/// A task as an actor sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TaskBrief {
    /// Its name in the pack, such as `V-AWS-04`.
    pub id: String,
    /// A few words for lists.
    pub title: String,
    /// The question. It can be decided from its own words.
    pub question: String,
    /// How much work it is.
    pub complexity: Complexity,
    /// What it is about.
    pub focus: Focus,
    /// The products it reads.
    pub platforms: Vec<Platform>,
    /// Help, in order, for practice only.
    pub hints: Vec<String>,
}

impl TaskBrief {
    /// Whether more than one vendor's data is needed.
    pub fn is_cross_vendor(&self) -> bool {
        self.platforms.iter().any(|platform| platform.vendor() != self.platforms[0].vendor())
    }
}
