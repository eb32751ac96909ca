//! Departments that every organisation has.

use super::{Department, Reach, papers};

pub(super) const EXECUTIVE: Department = Department {
    name: "Executive",
    elsewhere: "Executive Office",
    weight: 1,
    titles: &["Executive Assistant", "Chief of Staff"],
    head: "Chief Executive Officer",
    reach: Reach::Office,
    papers: papers::EXECUTIVE,
};
pub(super) const PEOPLE: Department = Department {
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
    papers: papers::PEOPLE,
};
pub(super) const FINANCE: Department = Department {
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
    papers: papers::FINANCE,
};
pub(super) const LEGAL: Department = Department {
    name: "Legal",
    elsewhere: "Legal & Compliance",
    weight: 2,
    titles: &["Paralegal", "Legal Counsel", "Compliance Analyst", "Privacy Counsel", "Senior Counsel"],
    head: "General Counsel",
    reach: Reach::Office,
    papers: papers::LEGAL,
};
pub(super) const IT: Department = Department {
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
    papers: papers::IT,
};
pub(super) const SECURITY: Department = Department {
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
    papers: papers::SECURITY,
};
pub(super) const MARKETING: Department = Department {
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
    papers: papers::MARKETING,
};
