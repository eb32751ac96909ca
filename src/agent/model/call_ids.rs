//! Names of calls in the evidence: those that the model gave, made different where it gave one twice.
//!
//! Results are linked to calls by name, and some servers count from the same number in every answer.

use std::collections::HashSet;

/// A longer name says nothing more.
const LONGEST: usize = 200;

/// The names that a trial has.
#[derive(Debug, Default)]
pub(super) struct CallIds(HashSet<String>);

impl CallIds {
    /// The name under which a call is recorded.
    pub(super) fn unique(&mut self, given: &str) -> String {
        let given: String = given.chars().take(LONGEST).collect();
        let mut name = given.clone();
        let mut times = 1_u64;
        while !self.0.insert(name.clone()) {
            times += 1;
            name = format!("{given}#{times}");
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::CallIds;

    #[test]
    fn a_name_given_twice_becomes_two() {
        let mut ids = CallIds::default();
        let names: Vec<String> = ["a", "b", "a", "a#2", "a"].iter().map(|id| ids.unique(id)).collect();
        assert_eq!(names, ["a", "b", "a#2", "a#2#2", "a#3"]);
        assert_eq!(ids.unique(&"x".repeat(1000)).len(), 200);
    }
}
