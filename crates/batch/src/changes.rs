//! What changed in a file of rows since its batch began.

use std::{collections::BTreeMap, fmt};

use crate::BatchRow;

/// A row that is not as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowChange {
    /// These columns have other values.
    Changed {
        /// The number of the row.
        row: usize,
        /// The columns.
        columns: Vec<String>,
    },
    /// The row is not in the file any more.
    Removed {
        /// The number of the row.
        row: usize,
    },
    /// The row was not in the file.
    Added {
        /// The number of the row.
        row: usize,
    },
}

impl fmt::Display for RowChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RowChange::Changed { row, columns } => write!(f, "row {row} has changed: {}", columns.join(", ")),
            RowChange::Removed { row } => write!(f, "row {row} was removed"),
            RowChange::Added { row } => write!(f, "row {row} was added"),
        }
    }
}

/// Compares the rows of a batch with those of its file. A row is the same if its number and its digest are.
pub fn changes(began_with: &[BatchRow], now: &[BatchRow]) -> Vec<RowChange> {
    let current: BTreeMap<usize, &BatchRow> = now.iter().map(|row| (row.number, row)).collect();
    let mut found: Vec<RowChange> = Vec::new();
    for row in began_with {
        match current.get(&row.number) {
            None => found.push(RowChange::Removed { row: row.number }),
            Some(now) if now.digest != row.digest => {
                let mut columns: Vec<String> = row.values.keys().chain(now.values.keys()).cloned().collect();
                columns.sort();
                columns.dedup();
                columns.retain(|column| row.values.get(column) != now.values.get(column));
                found.push(RowChange::Changed { row: row.number, columns });
            }
            Some(_) => {}
        }
    }
    // A batch has its selected rows in the order of the file, so that only later ones can be new.
    let last = began_with.last().map_or(0, |row| row.number);
    found.extend(now.iter().filter(|row| row.number > last).map(|row| RowChange::Added { row: row.number }));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_removed_and_added_rows_are_named() {
        let row = |number: usize, name: &str| {
            BatchRow::new(number, number as u64 + 1, [("name".to_owned(), name.into())].into())
        };
        let before = [row(1, "Ada"), row(2, "Bob"), row(3, "Eve")];
        let check = |now: &[BatchRow], expected: &[&str]| {
            let found: Vec<String> = changes(&before, now).iter().map(ToString::to_string).collect();
            assert_eq!(found, expected);
        };
        check(&before, &[]);
        check(&[row(1, "Ada"), row(2, "Rob"), row(3, "Eve")], &["row 2 has changed: name"]);
        check(&[row(1, "Ada"), row(2, "Bob")], &["row 3 was removed"]);
        check(&[row(1, "Ada"), row(2, "Bob"), row(3, "Eve"), row(4, "Max")], &["row 4 was added"]);
        check(&[row(1, "Bob"), row(2, "Ada"), row(3, "Eve")], &["row 1 has changed: name", "row 2 has changed: name"]);
    }
}
