//! The table in a file of rows: names of columns and rows of cells, before anything is known about the workflow.

pub(crate) mod csv;
pub(crate) mod json_lines;
pub(crate) mod workbook;

use serde_json::Value;

use crate::{MAX_ROWS, RowProblem, RowProblemKind};

/// The names of the columns, and the rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The names of the columns, each once.
    pub columns: Vec<String>,
    /// The rows in the order of the file.
    pub rows: Vec<TableRow>,
}

/// A row of cells.
#[derive(Clone, Debug, PartialEq)]
pub struct TableRow {
    /// The number of the row, from 1, without the line of column names.
    pub number: usize,
    /// The line of the file on which it begins, or the row of the sheet, from 1.
    pub line: u64,
    /// One cell for each column; `None` if the cell is empty.
    pub cells: Vec<Option<Value>>,
}

impl Table {
    /// A table of objects that the caller has in memory. Their lines are their numbers.
    ///
    /// # Errors
    /// Every problem of names and values.
    pub fn of_objects(objects: Vec<Vec<(String, Value)>>) -> Result<Table, Vec<RowProblem>> {
        let lines = (1..).zip(objects).collect();
        json_lines::of_objects(lines)?.checked()
    }

    /// Adds a row with the next number.
    ///
    /// # Errors
    /// If there are too many rows.
    pub(crate) fn push(&mut self, line: u64, cells: Vec<Option<Value>>) -> Result<(), RowProblem> {
        if self.rows.len() == MAX_ROWS {
            return Err(RowProblem::of_file(RowProblemKind::TooManyRows { max: MAX_ROWS }));
        }
        self.rows.push(TableRow { number: self.rows.len() + 1, line, cells });
        Ok(())
    }

    /// The table, if the names of its columns and its values are usable.
    pub(crate) fn checked(self) -> Result<Table, Vec<RowProblem>> {
        let mut problems = Vec::new();
        for (index, column) in self.columns.iter().enumerate() {
            if column.is_empty() {
                problems.push(RowProblem::of_file(RowProblemKind::NamelessColumn(index + 1)));
            } else if self.columns[..index].contains(column) {
                problems.push(RowProblem::of_column(column, RowProblemKind::DuplicateColumn));
            }
        }
        if self.rows.is_empty() && problems.is_empty() {
            problems.push(RowProblem::of_file(RowProblemKind::NoRows));
        }
        for row in &self.rows {
            for (column, cell) in self.columns.iter().zip(&row.cells) {
                let Some(Value::String(text)) = cell else { continue };
                let is_strange = |c: &char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
                if let Some(c) = text.chars().find(is_strange) {
                    let kind = RowProblemKind::ControlCharacter(u32::from(c));
                    problems.push(RowProblem::of_row(row.number, row.line, kind).in_column(column));
                }
            }
        }
        if problems.is_empty() { Ok(self) } else { Err(problems) }
    }
}

/// The text of a file, without a byte order mark.
fn text_of(content: &[u8]) -> Result<&str, Vec<RowProblem>> {
    let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
    std::str::from_utf8(content).map_err(|error| {
        let line = content[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
        vec![RowProblem { line: Some(line), ..RowProblem::of_file(RowProblemKind::NotUtf8) }]
    })
}

#[cfg(test)]
mod tests;
