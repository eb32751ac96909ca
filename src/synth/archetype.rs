//! What kind of organisation it is: departments, sites, systems, and what its people build.

/// A department: how HR spells it, how the directory does, how large it is and what its people touch.
#[derive(Debug)]
pub(super) struct Department {
    /// As HR spells it.
    pub(super) name: &'static str,
    /// As Okta and others spell it.
    pub(super) elsewhere: &'static str,
    /// Share of all people, in relation to the others.
    pub(super) weight: usize,
    /// Titles from junior to senior; managers and the head come on top.
    pub(super) titles: &'static [&'static str],
    /// How the head is called.
    pub(super) head: &'static str,
    /// What its people work with.
    pub(super) reach: Reach,
}

/// What a department's people work with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
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
pub(super) type App = (&'static str, &'static str, &'static str, Option<Reach>);

/// A kind of organisation.
#[derive(Debug)]
pub(super) struct Archetype {
    /// Name in the manifest and on the command line.
    pub(super) key: &'static str,
    /// Organisation names and their domain stems, of which a seed picks one.
    pub(super) organisations: &'static [(&'static str, &'static str)],
    pub(super) departments: &'static [Department],
    pub(super) sites: &'static [(usize, &'static str)],
    /// Name stems of AWS accounts, GCP projects and repositories.
    pub(super) systems: &'static [&'static str],
    /// Applications besides those that every organisation has.
    pub(super) apps: &'static [App],
    /// What documents are about.
    pub(super) papers: &'static [&'static str],
    /// Of 100 people in builder or analyst departments, how many have an account at GitHub.
    pub(super) coders: usize,
    /// How AWS, GCP and Atlas weigh, in per cent of a software company's.
    pub(super) cloud: usize,
}

const EXECUTIVE: Department = Department {
    name: "Executive",
    elsewhere: "Executive Office",
    weight: 1,
    titles: &["Executive Assistant", "Chief of Staff"],
    head: "Chief Executive Officer",
    reach: Reach::Office,
};
const PEOPLE: Department = Department {
    name: "People",
    elsewhere: "Human Resources",
    weight: 3,
    titles: &[
        "People Operations Coordinator",
        "Talent Partner",
        "People Partner",
        "Compensation Analyst",
        "Senior People Partner",
    ],
    head: "Chief People Officer",
    reach: Reach::Office,
};
const FINANCE: Department = Department {
    name: "Finance",
    elsewhere: "Finance & Accounting",
    weight: 4,
    titles: &[
        "Accounts Payable Specialist",
        "Accountant",
        "Financial Analyst",
        "Payroll Specialist",
        "Senior Financial Analyst",
    ],
    head: "Chief Financial Officer",
    reach: Reach::Office,
};
const LEGAL: Department = Department {
    name: "Legal",
    elsewhere: "Legal & Compliance",
    weight: 2,
    titles: &["Paralegal", "Legal Counsel", "Compliance Analyst", "Privacy Counsel", "Senior Counsel"],
    head: "General Counsel",
    reach: Reach::Office,
};
const IT: Department = Department {
    name: "IT",
    elsewhere: "Information Technology",
    weight: 4,
    titles: &[
        "IT Support Specialist",
        "Systems Administrator",
        "Identity Engineer",
        "Endpoint Engineer",
        "Senior Systems Engineer",
    ],
    head: "Director of IT",
    reach: Reach::Administrators,
};
const SECURITY: Department = Department {
    name: "Security",
    elsewhere: "Information Security",
    weight: 3,
    titles: &[
        "Security Analyst",
        "Detection Engineer",
        "GRC Analyst",
        "Security Engineer",
        "Senior Security Engineer",
    ],
    head: "Chief Information Security Officer",
    reach: Reach::Administrators,
};
const MARKETING: Department = Department {
    name: "Marketing",
    elsewhere: "Marketing & Communications",
    weight: 5,
    titles: &[
        "Marketing Coordinator",
        "Content Strategist",
        "Product Marketing Manager",
        "Brand Designer",
        "Senior Campaign Manager",
    ],
    head: "VP Marketing",
    reach: Reach::Office,
};

/// The archetypes.
pub(super) const ARCHETYPES: &[Archetype] = &[
    Archetype {
        key: "software",
        organisations: &[
            ("Fennmark Systems", "fennmark"),
            ("Ostrava Cloud", "ostravacloud"),
            ("Tidewell Software", "tidewell"),
            ("Larkfield Technologies", "larkfield"),
        ],
        departments: &[
            Department {
                name: "Engineering",
                elsewhere: "Research & Development",
                weight: 34,
                titles: &[
                    "Software Engineer",
                    "Software Engineer II",
                    "Site Reliability Engineer",
                    "Senior Software Engineer",
                    "Staff Software Engineer",
                    "Principal Engineer",
                    "QA Engineer",
                ],
                head: "VP Engineering",
                reach: Reach::Builders,
            },
            Department {
                name: "Data",
                elsewhere: "Data & Analytics",
                weight: 6,
                titles: &[
                    "Data Analyst",
                    "Analytics Engineer",
                    "Data Engineer",
                    "Data Scientist",
                    "Senior Data Engineer",
                ],
                head: "Head of Data",
                reach: Reach::Analysts,
            },
            Department {
                name: "Product",
                elsewhere: "Product Management",
                weight: 7,
                titles: &[
                    "Associate Product Manager",
                    "Product Manager",
                    "Product Designer",
                    "Senior Product Manager",
                    "UX Researcher",
                ],
                head: "Chief Product Officer",
                reach: Reach::Analysts,
            },
            Department {
                name: "Customer Success",
                elsewhere: "Customer Experience",
                weight: 14,
                titles: &[
                    "Support Engineer",
                    "Customer Success Manager",
                    "Onboarding Specialist",
                    "Technical Account Manager",
                    "Senior Support Engineer",
                ],
                head: "VP Customer Success",
                reach: Reach::Office,
            },
            Department {
                name: "Sales",
                elsewhere: "Sales & Partnerships",
                weight: 13,
                titles: &[
                    "Sales Development Representative",
                    "Account Executive",
                    "Solutions Engineer",
                    "Partner Manager",
                    "Senior Account Executive",
                ],
                head: "Chief Revenue Officer",
                reach: Reach::Office,
            },
            MARKETING,
            FINANCE,
            PEOPLE,
            LEGAL,
            IT,
            SECURITY,
            EXECUTIVE,
        ],
        sites: &[
            (26, "Tel Aviv"),
            (24, "Austin"),
            (16, "London"),
            (12, "Berlin"),
            (12, "Bengaluru"),
            (10, "Remote"),
        ],
        systems: &[
            "billing",
            "platform",
            "ingest",
            "analytics",
            "search",
            "identity",
            "notifications",
            "payments",
            "edge",
            "warehouse",
            "reporting",
            "sync",
            "mobile",
            "gateway",
            "scheduler",
            "catalog",
            "pricing",
            "telemetry",
            "audit",
            "media",
        ],
        apps: &[
            ("datadog", "Datadog", "SAML_2_0", Some(Reach::Builders)),
            ("pagerduty", "PagerDuty", "SAML_2_0", Some(Reach::Builders)),
            ("jira_onprem", "Jira", "SAML_2_0", None),
            ("figma", "Figma", "SAML_2_0", Some(Reach::Analysts)),
            ("salesforce", "Salesforce", "SAML_2_0", Some(Reach::Office)),
            ("zendesk", "Zendesk", "SAML_2_0", Some(Reach::Office)),
            ("snowflake", "Snowflake", "SAML_2_0", Some(Reach::Analysts)),
            ("launchdarkly", "LaunchDarkly", "SAML_2_0", Some(Reach::Builders)),
            ("hubspot", "HubSpot", "SAML_2_0", Some(Reach::Office)),
            ("gong", "Gong", "OPENID_CONNECT", Some(Reach::Office)),
        ],
        papers: &[
            "Roadmap",
            "Architecture review",
            "Customer list",
            "Pricing model",
            "Release notes",
            "Penetration test report",
            "Incident review",
            "Renewal forecast",
            "Interview notes",
            "Vendor assessment",
        ],
        coders: 82,
        cloud: 100,
    },
    Archetype {
        key: "hospital",
        organisations: &[
            ("Brennan Valley Health", "brennanvalley"),
            ("Saint Orla Hospitals", "saintorla"),
            ("Kestrel Regional Medical Center", "kestrelmed"),
            ("Harrow Lake Health", "harrowlake"),
        ],
        departments: &[
            Department {
                name: "Nursing",
                elsewhere: "Nursing Services",
                weight: 34,
                titles: &[
                    "Nursing Assistant",
                    "Registered Nurse",
                    "Charge Nurse",
                    "Nurse Practitioner",
                    "Senior Registered Nurse",
                ],
                head: "Chief Nursing Officer",
                reach: Reach::Office,
            },
            Department {
                name: "Medical Staff",
                elsewhere: "Physicians",
                weight: 16,
                titles: &[
                    "Resident Physician",
                    "Attending Physician",
                    "Surgeon",
                    "Radiologist",
                    "Senior Consultant",
                ],
                head: "Chief Medical Officer",
                reach: Reach::Office,
            },
            Department {
                name: "Laboratory",
                elsewhere: "Pathology & Laboratory",
                weight: 7,
                titles: &[
                    "Phlebotomist",
                    "Laboratory Technician",
                    "Medical Technologist",
                    "Pathologist",
                    "Senior Medical Technologist",
                ],
                head: "Laboratory Director",
                reach: Reach::Analysts,
            },
            Department {
                name: "Pharmacy",
                elsewhere: "Pharmacy Services",
                weight: 5,
                titles: &["Pharmacy Technician", "Pharmacist", "Clinical Pharmacist", "Senior Pharmacist"],
                head: "Director of Pharmacy",
                reach: Reach::Office,
            },
            Department {
                name: "Clinical Informatics",
                elsewhere: "Digital Health",
                weight: 9,
                titles: &[
                    "EHR Analyst",
                    "Interface Engineer",
                    "Integration Developer",
                    "Imaging Systems Engineer",
                    "Senior EHR Engineer",
                ],
                head: "Chief Medical Information Officer",
                reach: Reach::Builders,
            },
            Department {
                name: "Revenue Cycle",
                elsewhere: "Patient Accounts",
                weight: 8,
                titles: &[
                    "Billing Specialist",
                    "Coding Specialist",
                    "Claims Analyst",
                    "Patient Access Representative",
                    "Senior Claims Analyst",
                ],
                head: "Director of Revenue Cycle",
                reach: Reach::Office,
            },
            MARKETING,
            FINANCE,
            PEOPLE,
            LEGAL,
            IT,
            SECURITY,
            EXECUTIVE,
        ],
        sites: &[
            (48, "Main Campus"),
            (20, "North Clinic"),
            (14, "Children's Pavilion"),
            (10, "Riverside Outpatient"),
            (8, "Remote"),
        ],
        systems: &[
            "ehr-interfaces",
            "imaging",
            "lab-results",
            "scheduling",
            "portal",
            "pharmacy",
            "claims",
            "telehealth",
            "registry",
            "consent",
            "triage",
            "research",
            "bed-board",
            "referrals",
            "dicom-gateway",
            "hl7-router",
            "population",
            "devices",
            "transport",
            "archive",
        ],
        apps: &[
            ("epic_hyperspace", "EHR Hyperspace", "SAML_2_0", None),
            ("pacs_viewer", "PACS Viewer", "SAML_2_0", Some(Reach::Office)),
            ("kronos", "Shift Planner", "SAML_2_0", None),
            ("uptodate", "Clinical Reference", "SAML_2_0", Some(Reach::Office)),
            ("omnicell", "Medication Cabinets", "AUTO_LOGIN", Some(Reach::Office)),
            ("lis", "Laboratory Information System", "BROWSER_PLUGIN", Some(Reach::Analysts)),
            ("press_ganey", "Patient Surveys", "OPENID_CONNECT", Some(Reach::Office)),
            ("rhapsody", "Interface Engine", "SAML_2_0", Some(Reach::Builders)),
        ],
        papers: &[
            "Shift plan",
            "Patient safety review",
            "Formulary",
            "Infection control log",
            "Credentialing file",
            "Audit of charts",
            "Equipment list",
            "Research protocol",
            "On-call roster",
            "Device inventory",
        ],
        coders: 70,
        cloud: 60,
    },
    Archetype {
        key: "bank",
        organisations: &[
            ("Corvane Bank", "corvanebank"),
            ("Hollin & Marsh Bank", "hollinmarsh"),
            ("First Ardent", "firstardent"),
            ("Meridian Savings", "meridiansavings"),
        ],
        departments: &[
            Department {
                name: "Retail Banking",
                elsewhere: "Branch Network",
                weight: 26,
                titles: &[
                    "Teller",
                    "Personal Banker",
                    "Mortgage Adviser",
                    "Branch Supervisor",
                    "Senior Personal Banker",
                ],
                head: "Head of Retail Banking",
                reach: Reach::Office,
            },
            Department {
                name: "Operations",
                elsewhere: "Banking Operations",
                weight: 14,
                titles: &[
                    "Payments Clerk",
                    "Reconciliation Analyst",
                    "Settlement Specialist",
                    "KYC Analyst",
                    "Senior Operations Analyst",
                ],
                head: "Chief Operating Officer",
                reach: Reach::Office,
            },
            Department {
                name: "Risk",
                elsewhere: "Risk Management",
                weight: 8,
                titles: &[
                    "Credit Risk Analyst",
                    "Market Risk Analyst",
                    "Model Validator",
                    "Operational Risk Officer",
                    "Senior Risk Analyst",
                ],
                head: "Chief Risk Officer",
                reach: Reach::Analysts,
            },
            Department {
                name: "Digital",
                elsewhere: "Digital Banking Technology",
                weight: 16,
                titles: &[
                    "Software Engineer",
                    "Mobile Engineer",
                    "Mainframe Developer",
                    "Senior Software Engineer",
                    "Solution Architect",
                ],
                head: "Chief Technology Officer",
                reach: Reach::Builders,
            },
            Department {
                name: "Treasury",
                elsewhere: "Treasury & Markets",
                weight: 5,
                titles: &["Treasury Analyst", "Liquidity Manager", "Trader", "Senior Treasury Analyst"],
                head: "Group Treasurer",
                reach: Reach::Analysts,
            },
            Department {
                name: "Sales",
                elsewhere: "Corporate & Institutional Sales",
                weight: 8,
                titles: &[
                    "Relationship Associate",
                    "Relationship Manager",
                    "Cash Management Adviser",
                    "Senior Relationship Manager",
                ],
                head: "Head of Corporate Sales",
                reach: Reach::Office,
            },
            Department {
                name: "Internal Audit",
                elsewhere: "Group Audit",
                weight: 3,
                titles: &["Internal Auditor", "IT Auditor", "Senior Internal Auditor"],
                head: "Chief Audit Executive",
                reach: Reach::Office,
            },
            MARKETING,
            FINANCE,
            PEOPLE,
            LEGAL,
            IT,
            SECURITY,
            EXECUTIVE,
        ],
        sites: &[
            (34, "Head Office"),
            (22, "Harbour Branch"),
            (16, "Market Street Branch"),
            (12, "Operations Centre"),
            (10, "Lisbon Hub"),
            (6, "Remote"),
        ],
        systems: &[
            "core-ledger",
            "cards",
            "payments",
            "fraud",
            "mortgages",
            "onboarding",
            "kyc",
            "statements",
            "treasury",
            "fx-pricing",
            "open-banking",
            "collections",
            "atm-switch",
            "risk-models",
            "regulatory",
            "mobile-app",
            "branch-portal",
            "limits",
            "sanctions",
            "archive",
        ],
        apps: &[
            ("core_banking", "Core Banking Console", "SAML_2_0", Some(Reach::Office)),
            ("murex", "Trading Platform", "SAML_2_0", Some(Reach::Analysts)),
            ("actimize", "Financial Crime Desk", "SAML_2_0", Some(Reach::Office)),
            ("bloomberg", "Market Data Terminal", "SECURE_PASSWORD_STORE", Some(Reach::Analysts)),
            ("swift_alliance", "Payments Messaging", "AUTO_LOGIN", Some(Reach::Office)),
            ("archer", "Risk Register", "SAML_2_0", Some(Reach::Analysts)),
            ("jira_onprem", "Jira", "SAML_2_0", Some(Reach::Builders)),
            ("splunk", "Log Search", "SAML_2_0", Some(Reach::Builders)),
        ],
        papers: &[
            "Credit committee minutes",
            "Limit overview",
            "Stress test",
            "Branch targets",
            "AML alert list",
            "Loan book extract",
            "Audit findings",
            "Liquidity forecast",
            "Board paper",
            "Model documentation",
        ],
        coders: 75,
        cloud: 80,
    },
];

/// Applications that every organisation has. `github` and `amazon_aws_sso` carry accounts of their own.
pub(super) const COMMON_APPS: &[App] = &[
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
pub(super) const PARTNERS: &[(&str, &str)] = &[
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
pub(super) const PRIVATE_MAIL: &[&str] =
    &["postbox.example", "mailhaven.example", "inboxly.example", "quickmail.example"];

/// A name stem as a title: `lab-results` is `Lab Results`.
pub(super) fn title_case(system: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().to_string() + letters.as_str())
    };
    system.split('-').map(word).collect::<Vec<_>>().join(" ")
}
