//! What repositories are called.

use super::naming::Taken;
use crate::synth::archetype::{CODE_NAMES, subjects};
use crate::synth::dice::Dice;
use crate::synth::moment::{Day, date_text};
use crate::synth::organisation::Organisation;

/// What a repository of a subject holds, by weight.
const ENDINGS: &[(usize, &str)] = &[
    (9, "-service"),
    (9, "-api"),
    (8, "-ui"),
    (8, "-infra"),
    (6, "-jobs"),
    (6, "-docs"),
    (5, "-sdk"),
    (5, "-cli"),
    (5, "-worker"),
    (5, "-proto"),
    (5, "-client"),
    (4, "-migrations"),
    (4, "-operator"),
    (4, "-e2e"),
    (4, "-admin"),
    (4, "-web"),
    (3, "-dashboards"),
    (3, "-exporter"),
    (3, "-importer"),
    (3, "-webhooks"),
    (3, "-schema"),
    (3, "-legacy"),
    (3, "-tools"),
    (3, "-config"),
    (2, "-fixtures"),
    (2, "-benchmarks"),
    (2, "-notebooks"),
    (2, "-models"),
    (2, "-runbooks"),
    (2, "-scripts"),
    (2, "-mock"),
    (2, "-poc"),
    (2, "-sandbox"),
    (2, "-consumer"),
    (2, "-processor"),
    (2, "-reports"),
    (2, "-ios"),
    (2, "-android"),
    (2, "-py"),
    (2, "-go"),
    (1, "-load-tests"),
    (1, "-policies"),
    (1, "-translations"),
    (1, "-replay"),
    (1, "-archive"),
    (1, "-playground"),
];

const STARTS: &[&str] = &["terraform-", "helm-", "docker-", "ansible-", "lib", "demo-"];

/// What every organisation has once.
const ONCE: &[&str] = &[
    "handbook",
    "ci-templates",
    "design-system",
    "docker-base-images",
    "website",
    "rfcs",
    "status-page",
    "brand-assets",
    "eslint-config",
    "renovate-config",
    "release-tools",
    "pre-commit-hooks",
    "interview-exercises",
    "onboarding",
    "engineering-blog",
    "cluster-addons",
    "cost-reports",
    "dev-environment",
    "feature-flags",
    "license-scanner",
    "oncall-tools",
    "postmortems",
    "sbom-reports",
    "secret-rotation",
    "service-template",
    "shared-workflows",
    "style-guide",
    "tech-radar",
    "test-containers",
    "vendor-mirror",
];

/// Names of repositories, and whose each is.
pub(super) struct Names<'o> {
    organisation: &'o Organisation,
    subjects: Vec<(usize, &'static str)>,
    taken: Taken,
}

impl<'o> Names<'o> {
    pub(super) fn new(organisation: &'o Organisation) -> Self {
        Self { organisation, subjects: subjects(organisation.archetype), taken: Taken::default() }
    }

    /// The name of one of `count` repositories, and the subject that it is about. The systems have one of their own each.
    pub(super) fn next(&mut self, nth: usize, count: usize) -> (String, &'static str) {
        let systems = self.organisation.archetype.systems;
        if nth < systems.len().min(count / 2) && self.taken.take(systems[nth]) {
            return (systems[nth].to_owned(), systems[nth]);
        }
        let mut dice = self.organisation.dice("repository name", nth);
        let mut about = "platform";
        let (subjects, today) = (&self.subjects, self.organisation.today);
        let name = self.taken.fresh(|| {
            let (name, subject) = draw(subjects, today, &mut dice);
            about = subject;
            name
        });
        (name, about)
    }
}

fn draw(subjects: &[(usize, &'static str)], today: Day, dice: &mut Dice) -> (String, &'static str) {
    let subject = *dice.weighted(subjects);
    match dice.below(100) {
        0..6 => ((*dice.pick(ONCE)).to_owned(), "platform"),
        6 => {
            let day = today - Day::try_from(dice.between(440, 2000)).unwrap_or(440);
            (format!("hackathon-{}", &date_text(day)[..4]), "platform")
        }
        7..15 => (subject.to_owned(), subject),
        15..22 => (format!("{}{subject}", dice.pick(STARTS)), subject),
        22..28 => {
            let other = *dice.weighted(subjects);
            let joint = *dice.pick(&["bridge", "sync", "connector", "adapter"]);
            if other == subject {
                (format!("{subject}-{joint}"), subject)
            } else {
                (format!("{subject}-{other}-{joint}"), subject)
            }
        }
        28..31 => (format!("{}-{subject}", dice.pick(CODE_NAMES)), subject),
        _ => (format!("{subject}{}", dice.weighted(ENDINGS)), subject),
    }
}
