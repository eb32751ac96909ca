//! What kind of organisation it is: departments, sites, systems, and what its people build.

mod bank;
mod departments;
mod hospital;
mod papers;
mod software;
mod stock;

pub(in crate::synth) use papers::{Form, Paper};
pub(in crate::synth) use stock::{CLUBS, CODE_NAMES, GUILDS, SUPPLIERS, copy, slug, subjects};

/// A department: how HR spells it, how the directory does, how large it is and what its people touch.
#[derive(Debug)]
pub(in crate::synth) struct Department {
    /// As HR spells it.
    pub(in crate::synth) name: &'static str,
    /// As Okta and others spell it.
    pub(in crate::synth) elsewhere: &'static str,
    /// Share of all people, in relation to the others.
    pub(in crate::synth) weight: usize,
    /// Titles from junior to senior; managers and the head come on top.
    pub(in crate::synth) titles: &'static [&'static str],
    /// How the head is called.
    pub(in crate::synth) head: &'static str,
    /// What its people work with.
    pub(in crate::synth) reach: Reach,
    /// What its people write.
    pub(in crate::synth) papers: &'static [Paper],
}

/// What a department's people work with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::synth) enum Reach {
    /// Source code and clouds.
    Builders,
    /// Everything's administration.
    Administrators,
    /// Data and some clouds.
    Analysts,
    /// Documents and business applications.
    Office,
}

/// An application of the identity provider: catalogue key, label, sign-on mode, and who uses it.
pub(in crate::synth) type App = (&'static str, &'static str, &'static str, Option<Reach>);

/// A kind of organisation.
#[derive(Debug)]
pub(in crate::synth) struct Archetype {
    /// Name in the manifest and on the command line.
    pub(in crate::synth) key: &'static str,
    /// Organisation names and their domain stems, of which a seed picks one.
    pub(in crate::synth) organisations: &'static [(&'static str, &'static str)],
    pub(in crate::synth) departments: &'static [Department],
    pub(in crate::synth) sites: &'static [(usize, &'static str)],
    /// Name stems of AWS accounts, GCP projects and repositories.
    pub(in crate::synth) systems: &'static [&'static str],
    /// Applications besides those that every organisation has.
    pub(in crate::synth) apps: &'static [App],
    /// Products and programmes, from the largest to the smallest.
    pub(in crate::synth) products: &'static [&'static str],
    /// Whom it works for or with.
    pub(in crate::synth) clients: &'static [&'static str],
    /// Of 100 people in builder or analyst departments, how many have an account at GitHub.
    pub(in crate::synth) coders: usize,
    /// How AWS, GCP and Atlas weigh, in per cent of a software company's.
    pub(in crate::synth) cloud: usize,
}

/// The archetypes.
pub(in crate::synth) const ARCHETYPES: &[Archetype] =
    &[software::ARCHETYPE, hospital::ARCHETYPE, bank::ARCHETYPE];

/// Applications that every organisation has. `github` and `amazon_aws_sso` carry accounts of their own.
pub(in crate::synth) const COMMON_APPS: &[App] = &[
    ("github_enterprise_cloud", "GitHub Enterprise Cloud", "SAML_2_0", Some(Reach::Builders)),
    ("amazon_aws_sso", "AWS IAM Identity Center", "SAML_2_0", None),
    ("google", "Google Workspace", "SAML_2_0", None),
    ("office365", "Microsoft 365", "SAML_2_0", None),
    ("hibob", "HiBob", "SAML_2_0", None),
    ("slack", "Slack", "SAML_2_0", None),
    ("zoomus", "Zoom", "SAML_2_0", None),
    ("mongodb_cloud", "MongoDB Atlas", "SAML_2_0", Some(Reach::Builders)),
    ("expensify", "Expensify", "SECURE_PASSWORD_STORE", None),
    ("legacy_intranet", "Legacy Intranet", "BASIC_AUTH", None),
    ("travelperk", "TravelPerk", "OPENID_CONNECT", None),
    ("vendor_portal", "Vendor Portal", "AUTO_LOGIN", Some(Reach::Office)),
    ("wiki_bookmark", "Company Handbook", "BOOKMARK", None),
    ("confluence", "Confluence", "SAML_2_0", None),
    ("lattice", "Lattice", "SAML_2_0", None),
    ("1password_business", "1Password", "OPENID_CONNECT", None),
    ("docusign", "DocuSign", "SAML_2_0", Some(Reach::Office)),
    ("netsuite", "NetSuite", "SAML_2_0", Some(Reach::Office)),
    ("okta_workflows", "Okta Workflows", "OPENID_CONNECT", Some(Reach::Administrators)),
    ("crowdstrike", "CrowdStrike Falcon", "SAML_2_0", Some(Reach::Administrators)),
    ("jamf_pro", "Jamf Pro", "SAML_2_0", Some(Reach::Administrators)),
    ("old_vpn", "VPN (old concentrator)", "BROWSER_PLUGIN", None),
    ("knowbe4", "Security Awareness Training", "SAML_2_0", None),
    ("miro", "Miro", "SAML_2_0", None),
    ("benefits_portal", "Benefits Portal", "SECURE_PASSWORD_STORE", None),
    ("facilities_desk", "Facilities Desk", "AUTO_LOGIN", None),
];

/// Firms that lend people and firms one works with: name and domain.
pub(in crate::synth) const PARTNERS: &[(&str, &str)] = &[
    ("Altura Consulting", "alturaconsulting.example"),
    ("Brightquay", "brightquay.example"),
    ("Sondergaard Partners", "sondergaard-partners.example"),
    ("Nexbyte Contractors", "nexbyte.example"),
    ("Calder & Finch", "calderfinch.example"),
    ("Pineworks Agency", "pineworks.example"),
    ("Ridgeway Audit", "ridgewayaudit.example"),
    ("Quillstone Media", "quillstone.example"),
];

/// Where people have private mail.
pub(in crate::synth) const PRIVATE_MAIL: &[&str] =
    &["postbox.example", "mailhaven.example", "inboxly.example", "quickmail.example"];

/// A name stem as a title: `lab-results` is `Lab Results`.
pub(in crate::synth) fn title_case(system: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().to_string() + letters.as_str())
    };
    system.split('-').map(word).collect::<Vec<_>>().join(" ")
}
