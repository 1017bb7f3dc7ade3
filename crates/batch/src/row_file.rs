//! Reads a file of rows. The end of its name says what it contains.

use std::path::Path;

use crate::{
    RowProblem, RowProblemKind, RowsError,
    table::{self, Table},
};

/// The maximum number of rows of a batch.
pub const MAX_ROWS: usize = 10_000;
/// The largest file that is read.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// A file of rows: CSV, JSON lines or an Excel workbook.
#[derive(Clone, Debug)]
pub struct RowFile {
    /// The name of the file as the caller gave it, for messages.
    name: String,
    format: RowFormat,
    content: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowFormat {
    Csv,
    JsonLines,
    Workbook,
}

impl RowFormat {
    fn of(name: &str) -> Option<RowFormat> {
        let (_, end) = name.rsplit_once('.')?;
        match end.to_ascii_lowercase().as_str() {
            "csv" | "tsv" => Some(RowFormat::Csv),
            "jsonl" | "ndjson" => Some(RowFormat::JsonLines),
            "xlsx" => Some(RowFormat::Workbook),
            _ => None,
        }
    }
}

impl RowFile {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// If it cannot be read, is too large, or its name says nothing about its content.
    pub fn open(path: &Path) -> Result<RowFile, RowsError> {
        let name = path.display().to_string();
        let failed = |kind| RowsError::of(&name, RowProblem::of_file(kind));
        let format = RowFormat::of(&name).ok_or_else(|| failed(RowProblemKind::UnknownFormat))?;
        let unreadable = |error: std::io::Error| failed(RowProblemKind::Unreadable(error.to_string()));
        let bytes = std::fs::metadata(path).map_err(unreadable)?.len();
        if bytes > MAX_BYTES {
            return Err(failed(RowProblemKind::TooLarge { bytes, max: MAX_BYTES }));
        }
        let content = std::fs::read(path).map_err(unreadable)?;
        Ok(RowFile { name, format, content })
    }

    /// A file whose content is known.
    ///
    /// # Errors
    /// If its name says nothing about its content.
    pub fn with_content(name: &str, content: impl Into<Vec<u8>>) -> Result<RowFile, RowsError> {
        let unknown = || RowsError::of(name, RowProblem::of_file(RowProblemKind::UnknownFormat));
        let format = RowFormat::of(name).ok_or_else(unknown)?;
        Ok(RowFile { name: name.to_owned(), format, content: content.into() })
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its table. `sheet` is the sheet of a workbook; by default the first one.
    ///
    /// # Errors
    /// Every problem of its text, names and cells.
    pub fn table(&self, sheet: Option<&str>) -> Result<Table, RowsError> {
        let failed = |problems| RowsError { file: self.name.clone(), problems };
        if self.content.is_empty() {
            return Err(failed(vec![RowProblem::of_file(RowProblemKind::Empty)]));
        }
        let table = match self.format {
            RowFormat::Csv => table::csv::read(&self.content),
            RowFormat::JsonLines => table::json_lines::read(&self.content),
            RowFormat::Workbook => table::workbook::read(&self.content, sheet),
        };
        table.and_then(Table::checked).map_err(failed)
    }
}
