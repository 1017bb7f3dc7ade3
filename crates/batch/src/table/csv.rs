//! CSV (RFC 4180), with a comma, a semicolon or a tab between cells: spreadsheet programs choose it by the language of
//! the system.

use ::csv::{ErrorKind, ReaderBuilder, StringRecord};
use serde_json::Value;

use super::{Table, text_of};
use crate::{RowProblem, RowProblemKind};

/// Reads a table.
pub(crate) fn read(content: &[u8]) -> Result<Table, Vec<RowProblem>> {
    let text = text_of(content)?;
    if text.trim().is_empty() {
        return Err(vec![RowProblem::of_file(RowProblemKind::Empty)]);
    }
    let mut reader = ReaderBuilder::new().delimiter(delimiter_of(text)).flexible(false).from_reader(text.as_bytes());
    let columns = reader.headers().map_err(|error| vec![problem(&error, 0, Some(1))])?;
    let mut table = Table { columns: columns.iter().map(|name| name.trim().to_owned()).collect(), ..Table::default() };
    let mut problems = Vec::new();
    let mut record = StringRecord::new();
    let mut lines = LineCounter { text: text.as_bytes(), byte: 0, line: 1 };
    let mut number = 0;
    loop {
        number += 1;
        match reader.read_record(&mut record) {
            Ok(false) => break,
            Ok(true) => {
                let line = lines.at(record.position());
                let cells = record.iter().map(cell).collect();
                if let Err(full) = table.push(line, cells) {
                    return Err(vec![full]);
                }
            }
            Err(error) => {
                let is_fatal = !matches!(error.kind(), ErrorKind::UnequalLengths { .. });
                let line = error.position().map(|position| lines.at(Some(position)));
                problems.push(problem(&error, number, line));
                if is_fatal {
                    break;
                }
            }
        }
    }
    // A quote that is never closed swallows the rest of the file, and is no error for the reader.
    if problems.is_empty()
        && let Some(line) = unclosed_quote(text)
    {
        let kind = RowProblemKind::NotCsv("a quote that is opened here is never closed".to_owned());
        problems.push(RowProblem { line: Some(line), ..RowProblem::of_file(kind) });
    }
    if problems.is_empty() { Ok(table) } else { Err(problems) }
}

/// Counts lines. The reader's own numbers are one too low after `\r\n`, and do not count empty lines before a row.
struct LineCounter<'a> {
    text: &'a [u8],
    byte: usize,
    line: u64,
}

impl LineCounter<'_> {
    /// The line on which the row at this position begins. Positions must not decrease.
    fn at(&mut self, position: Option<&::csv::Position>) -> u64 {
        let start = position.map_or(self.byte, |position| position.byte() as usize).min(self.text.len());
        let breaks = self.text[start..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let begins = (start + breaks).max(self.byte);
        self.line += self.text[self.byte..begins].iter().filter(|byte| **byte == b'\n').count() as u64;
        self.byte = begins;
        self.line
    }
}

fn cell(text: &str) -> Option<Value> {
    (!text.is_empty()).then(|| Value::String(text.to_owned()))
}

/// The separator that occurs most often in the line of column names, outside of quotes.
fn delimiter_of(text: &str) -> u8 {
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0)];
    let mut is_quoted = false;
    for byte in text.lines().next().unwrap_or_default().bytes() {
        is_quoted ^= byte == b'"';
        for (delimiter, count) in &mut counts {
            *count += usize::from(byte == *delimiter && !is_quoted);
        }
    }
    // The first of equal ones: without any separator there is one column.
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map_or(b',', |(delimiter, _)| delimiter)
}

/// The line on which a quoted cell begins that does not end.
fn unclosed_quote(text: &str) -> Option<u64> {
    let (mut open, mut line) = (None, 1);
    for byte in text.bytes() {
        match byte {
            b'"' => open = if open.is_some() { None } else { Some(line) },
            b'\n' => line += 1,
            _ => {}
        }
    }
    open
}

fn problem(error: &::csv::Error, number: usize, line: Option<u64>) -> RowProblem {
    let kind = match error.kind() {
        ErrorKind::UnequalLengths { expected_len, len, .. } => {
            RowProblemKind::CellCount { found: *len, expected: *expected_len }
        }
        _ => RowProblemKind::NotCsv(error.to_string()),
    };
    RowProblem { row: (number > 0).then_some(number), line, ..RowProblem::of_file(kind) }
}
