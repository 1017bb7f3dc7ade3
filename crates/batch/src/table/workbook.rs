//! A sheet of an Excel workbook. The first row that is not empty has the names of the columns. Cells with formulas have
//! the values that were stored when the workbook was saved.

use std::{collections::BTreeMap, io::Cursor};

use calamine::{Data, Reader, Xlsx};
use serde_json::Value;

use super::Table;
use crate::{MAX_ROWS, RowProblem, RowProblemKind};

/// Reads a table from the sheet with this name, by default the first one.
pub(crate) fn read(content: &[u8], sheet: Option<&str>) -> Result<Table, Vec<RowProblem>> {
    let damaged = |error: calamine::XlsxError| vec![RowProblem::of_file(RowProblemKind::Damaged(error.to_string()))];
    let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(content)).map_err(damaged)?;
    let known = workbook.sheet_names();
    let name = match sheet {
        None => known.first().cloned().unwrap_or_default(),
        Some(name) if known.iter().any(|one| one == name) => name.to_owned(),
        Some(name) => {
            let kind = RowProblemKind::NoSuchSheet { name: name.to_owned(), known };
            return Err(vec![RowProblem::of_file(kind)]);
        }
    };
    let rows = sparse_rows(&mut workbook, &name)?;
    let mut rows = rows.into_iter();
    let Some((_, names)) = rows.next() else { return Err(vec![RowProblem::of_file(RowProblemKind::Empty)]) };
    let mut table = Table::default();
    for (column, name) in names {
        // A column between two others that has no name is an error, which the table reports.
        table.columns.resize(column as usize, String::new());
        table.columns.push(name.to_string().trim().to_owned());
    }
    let mut problems = Vec::new();
    for (number, (line, cells)) in (1..).zip(rows) {
        let mut row = vec![None; table.columns.len()];
        for (column, cell) in cells {
            let column = column as usize;
            let problem = |kind| RowProblem::of_row(number, line, kind);
            match (value(&cell), table.columns.get(column)) {
                (Ok(value), Some(_)) => row[column] = value,
                (Ok(None), None) => {}
                (Err(shown), name) => {
                    let name = name.cloned().unwrap_or_default();
                    problems.push(problem(RowProblemKind::CellError(shown)).in_column(name));
                }
                (Ok(Some(_)), None) => problems.push(problem(RowProblemKind::CellCount {
                    found: column as u64 + 1,
                    expected: table.columns.len() as u64,
                })),
            }
        }
        if let Err(full) = table.push(line, row) {
            return Err(vec![full]);
        }
    }
    if problems.is_empty() { Ok(table) } else { Err(problems) }
}

/// The rows that are not empty, by their number in the sheet, from 1, and of each the columns that are not empty, from
/// 0.
///
/// The cells are read one by one: calamine's own range allocates the whole area, which a single stray cell in a far
/// corner makes larger than the memory.
fn sparse_rows(
    workbook: &mut Xlsx<Cursor<&[u8]>>,
    sheet: &str,
) -> Result<BTreeMap<u64, BTreeMap<u32, Data>>, Vec<RowProblem>> {
    let damaged = |error: calamine::XlsxError| vec![RowProblem::of_file(RowProblemKind::Damaged(error.to_string()))];
    let mut reader = workbook.worksheet_cells_reader(sheet).map_err(damaged)?;
    let mut rows: BTreeMap<u64, BTreeMap<u32, Data>> = BTreeMap::new();
    while let Some(cell) = reader.next_cell().map_err(damaged)? {
        let (row, column) = cell.get_position();
        let content = Data::from(cell.get_value().clone());
        if content == Data::Empty || matches!(&content, Data::String(text) if text.is_empty()) {
            continue;
        }
        rows.entry(u64::from(row) + 1).or_default().insert(column, content);
        // One more for the names of the columns.
        if rows.len() > MAX_ROWS + 1 {
            return Err(vec![RowProblem::of_file(RowProblemKind::TooManyRows { max: MAX_ROWS })]);
        }
    }
    Ok(rows)
}

/// The value of a cell; `None` if it is empty. The error is an error that the cell shows.
fn value(cell: &Data) -> Result<Option<Value>, String> {
    Ok(match cell {
        Data::Empty => None,
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => Some(Value::String(text.clone())),
        Data::Int(number) => Some(Value::from(*number)),
        // A workbook stores every number as a float; what was written as 12 must not become 12.0.
        Data::Float(number) if number.fract() == 0.0 && number.abs() < 1e15 => Some(Value::from(*number as i64)),
        Data::Float(number) => Some(Value::from(*number)),
        Data::Bool(state) => Some(Value::Bool(*state)),
        Data::DateTime(moment) => Some(Value::String(iso(moment))),
        Data::Error(error) => return Err(error.to_string()),
    })
}

/// `2026-05-03`, `2026-05-03T14:30:00`, or `14:30:00` for a time without a date.
fn iso(moment: &calamine::ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
    let (date, time) = (format!("{year:04}-{month:02}-{day:02}"), format!("{hour:02}:{minute:02}:{second:02}"));
    match moment.as_f64() {
        number if number < 1.0 => time,
        number if number.fract() == 0.0 => date,
        _ => format!("{date}T{time}"),
    }
}
