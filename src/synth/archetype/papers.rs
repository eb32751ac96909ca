//! What people write: the titles of documents by department, and the form that each takes.
//!
//! In a title, `{client}`, `{supplier}`, `{system}`, `{product}`, `{code}`, `{site}`, `{quarter}`, `{month}`, `{year}` and
//! `{date}` stand for one of these; times are those in which the document was made.

/// The form of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::synth) enum Form {
    /// A text that is worked on.
    Text,
    /// A table that is worked on.
    Sheet,
    Slides,
    /// What was signed, scanned or sent.
    Final,
    /// What a program gave out.
    Extract,
}

use Form::{Extract, Final, Sheet, Slides, Text};

/// A document's form and title.
pub(in crate::synth) type Paper = (Form, &'static str);

pub(super) const EXECUTIVE: &[Paper] = &[
    (Slides, "Board deck {quarter}"),
    (Text, "Board minutes {date}"),
    (Text, "Leadership offsite {site} {month}"),
    (Slides, "All hands {date}"),
    (Text, "Strategy memo {product} {year}"),
    (Text, "Travel plan {site} {month}"),
    (Text, "Notes with {client} {date}"),
    (Sheet, "Objectives {quarter}"),
];
pub(super) const PEOPLE: &[Paper] = &[
    (Text, "Interview notes {date} {site}"),
    (Sheet, "Salary bands {site} {year}"),
    (Sheet, "Headcount plan {quarter} {site}"),
    (Final, "Offer letter {date}"),
    (Text, "Onboarding checklist {site} {month}"),
    (Slides, "Engagement survey {site} {quarter}"),
    (Text, "Job description {product} {month}"),
    (Final, "Work permit {site} {date}"),
    (Extract, "Absence export {site} {month}"),
    (Text, "Exit interview {date}"),
];
pub(super) const FINANCE: &[Paper] = &[
    (Sheet, "Budget {site} {quarter}"),
    (Sheet, "Accruals {month}"),
    (Final, "Invoice {supplier} {month}"),
    (Sheet, "Forecast {product} {quarter}"),
    (Extract, "Payroll export {site} {month}"),
    (Extract, "Bank statement {month}"),
    (Sheet, "Cost of {system} {quarter}"),
    (Final, "Tax filing {site} {year}"),
    (Sheet, "Expenses {site} {month}"),
    (Text, "Close checklist {month}"),
    (Final, "Purchase order {supplier} {date}"),
];
pub(super) const LEGAL: &[Paper] = &[
    (Final, "NDA {client}"),
    (Final, "Master agreement {client} {year}"),
    (Text, "DPA redline {supplier}"),
    (Text, "Privacy assessment {system} {year}"),
    (Sheet, "Contract register {quarter}"),
    (Final, "Amendment {client} {date}"),
    (Text, "Claim {supplier} {date}"),
    (Text, "Retention schedule {system} {year}"),
    (Final, "Lease {site} {year}"),
];
pub(super) const IT: &[Paper] = &[
    (Sheet, "Laptop inventory {site} {quarter}"),
    (Text, "Change request {system} {date}"),
    (Sheet, "Licences {supplier} {quarter}"),
    (Text, "Vendor assessment {supplier}"),
    (Text, "Network plan {site} {year}"),
    (Extract, "Mailbox export {date}"),
    (Sheet, "Offboarding list {month}"),
    (Text, "Migration plan {system} {quarter}"),
    (Slides, "Service desk report {month}"),
    (Final, "Quote {supplier} {date}"),
];
pub(super) const SECURITY: &[Paper] = &[
    (Final, "Penetration test report {system} {quarter}"),
    (Text, "Incident review {date}"),
    (Sheet, "Risk register {quarter}"),
    (Sheet, "Access review {system} {quarter}"),
    (Text, "Vendor assessment {supplier} {year}"),
    (Text, "Threat model {product} {month}"),
    (Extract, "Vulnerability scan {system} {date}"),
    (Slides, "Security report {month}"),
    (Text, "Exception {system} {date}"),
    (Final, "Audit evidence {system} {year}"),
];
pub(super) const MARKETING: &[Paper] = &[
    (Slides, "Campaign {product} {quarter}"),
    (Text, "Press release {product} {month}"),
    (Sheet, "Event budget {site} {month}"),
    (Text, "Case study {client}"),
    (Sheet, "Editorial calendar {quarter}"),
    (Extract, "Newsletter subscribers {date}"),
    (Text, "Interview with {client} {month}"),
    (Final, "Brochure {product} {year}"),
    (Slides, "Brand guide {product}"),
    (Final, "Agency invoice {supplier} {month}"),
];
