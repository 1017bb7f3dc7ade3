//! Which rows of a file a batch has: `--rows 2-5,9` and `--limit 100`.

use std::{fmt, ops::RangeInclusive, str::FromStr};

use thiserror::Error;

use crate::{RowProblem, RowProblemKind, Table};

/// Ranges of row numbers: `5`, `5-10`, `5-`, `2,5-7`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowRanges(Vec<RangeInclusive<usize>>);

/// A text that is not a list of row numbers.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not a list of rows such as 5, 5-10, 5- or 2,5-7; rows are counted from 1")]
pub struct RowRangesError(String);

impl FromStr for RowRanges {
    type Err = RowRangesError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || RowRangesError(text.to_owned());
        let number = |text: &str| text.trim().parse::<usize>().ok().filter(|number| *number > 0);
        let range = |part: &str| {
            let range = match part.split_once('-') {
                None => number(part).map(|row| row..=row),
                Some((from, "")) => number(from).map(|from| from..=usize::MAX),
                Some((from, to)) => number(from).zip(number(to)).map(|(from, to)| from..=to),
            };
            range.filter(|range| !range.is_empty()).ok_or_else(wrong)
        };
        text.split(',').map(range).collect::<Result<_, _>>().map(RowRanges)
    }
}

impl fmt::Display for RowRanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, range) in self.0.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            match (*range.start(), *range.end()) {
                (from, to) if from == to => write!(f, "{comma}{from}")?,
                (from, usize::MAX) => write!(f, "{comma}{from}-")?,
                (from, to) => write!(f, "{comma}{from}-{to}")?,
            }
        }
        Ok(())
    }
}

impl RowRanges {
    fn contains(&self, number: usize) -> bool {
        self.0.iter().any(|range| range.contains(&number))
    }
}

/// The table with the selected rows only, in the order of the file: those in `ranges`, and of these the first `limit`.
///
/// # Errors
/// If no row is left, or a single row or the beginning of a range does not exist.
pub fn select(table: Table, ranges: Option<&RowRanges>, limit: Option<usize>) -> Result<Table, RowProblem> {
    let total = table.rows.len();
    let missing = ranges.is_some_and(|ranges| ranges.0.iter().any(|range| *range.start() > total));
    let rows = table.rows.into_iter().filter(|row| ranges.is_none_or(|ranges| ranges.contains(row.number)));
    let rows: Vec<_> = rows.take(limit.unwrap_or(usize::MAX)).collect();
    if rows.is_empty() || missing {
        return Err(RowProblem::of_file(RowProblemKind::NoneSelected { total }));
    }
    Ok(Table { columns: table.columns, rows })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TableRow;

    fn table(rows: usize) -> Table {
        let row = |number| TableRow { number, line: number as u64 + 1, cells: Vec::new() };
        Table { columns: Vec::new(), rows: (1..=rows).map(row).collect() }
    }

    #[test]
    fn rows_are_selected_by_their_numbers() {
        let check = |ranges: &str, limit: Option<usize>, expected: &[usize]| {
            let ranges: RowRanges = ranges.parse().unwrap();
            let rows = select(table(10), Some(&ranges), limit).map(|table| table.rows).unwrap_or_default();
            assert_eq!(rows.iter().map(|row| row.number).collect::<Vec<_>>(), expected, "{ranges}");
        };
        check("3", None, &[3]);
        check("5-7,2", None, &[2, 5, 6, 7]);
        check("8-", Some(2), &[8, 9]);
        check("9-99", None, &[9, 10]);
        check("11", None, &[]);
        check("1,12-13", None, &[]);
        for wrong in ["", "0", "5-3", "x", "1,,2", "-4", "1-2-3"] {
            assert!(wrong.parse::<RowRanges>().is_err(), "{wrong:?}");
        }
        assert_eq!("5-7,2,9-".parse::<RowRanges>().unwrap().to_string(), "5-7,2,9-");
    }
}
