//! Units that are resampled whole: tasks with all their trials.

use super::undefined::Undefined;

/// Which rows belong to which unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clusters {
    members: Vec<Vec<usize>>,
}

impl Clusters {
    /// Every row is a unit.
    pub fn each(rows: usize) -> Clusters {
        Clusters { members: (0..rows).map(|row| vec![row]).collect() }
    }

    /// Rows with equal keys are one unit; units stand in the order in which their keys first occur.
    pub fn by_key<K: Eq + std::hash::Hash>(keys: &[K]) -> Clusters {
        let mut place = std::collections::HashMap::new();
        let mut members: Vec<Vec<usize>> = Vec::new();
        for (row, key) in keys.iter().enumerate() {
            let unit = *place.entry(key).or_insert_with(|| {
                members.push(Vec::new());
                members.len() - 1
            });
            members[unit].push(row);
        }
        Clusters { members }
    }

    /// How many units.
    pub fn units(&self) -> usize {
        self.members.len()
    }

    /// The rows of these units, one unit after another, as often as it is named.
    ///
    /// # Errors
    /// [`Undefined::Malformed`] for a unit that does not exist.
    pub fn rows(&self, units: &[usize]) -> Result<Vec<usize>, Undefined> {
        let mut rows = Vec::with_capacity(units.len());
        for unit in units {
            rows.extend(self.members.get(*unit).ok_or(Undefined::Malformed("a resample names no unit"))?);
        }
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::Clusters;

    #[test]
    fn units_go_whole() {
        let clusters = Clusters::by_key(&["b", "a", "b"]);
        assert_eq!((clusters.units(), clusters.rows(&[1, 0, 0])), (2, Ok(vec![1, 0, 2, 0, 2])));
        assert!(clusters.rows(&[2]).is_err());
        assert_eq!(Clusters::each(3).rows(&[2, 2]), Ok(vec![2, 2]));
    }
}
