//! Why a file of rows cannot be used, and why a batch cannot be started or continued. Each problem names its row and
//! column.

use std::fmt;

use legwork::store::{Holder, StoreError};
use legwork_protocol::{BatchId, Code, ErrorReport};
use thiserror::Error;

/// What is wrong in a file of rows.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RowProblemKind {
    /// The file cannot be read.
    #[error("the file cannot be read: {0}")]
    Unreadable(String),
    /// The name of the file does not say what it contains.
    #[error("the file is not .csv, .tsv, .jsonl, .ndjson or .xlsx")]
    UnknownFormat,
    /// The file is too large.
    #[error("the file has {bytes} bytes; at most {max} are read")]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The maximum.
        max: u64,
    },
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The file has column names and no rows.
    #[error("there are no rows below the column names")]
    NoRows,
    /// No row is selected.
    #[error("none of the {total} rows is selected")]
    NoneSelected {
        /// The number of rows of the file.
        total: usize,
    },
    /// There are more rows than a batch may have.
    #[error("there are more than {max} rows")]
    TooManyRows {
        /// The maximum.
        max: usize,
    },
    /// The text is not UTF-8.
    #[error("the text is not UTF-8")]
    NotUtf8,
    /// The text contains a control character.
    #[error("the control character U+{0:04X} is not allowed")]
    ControlCharacter(u32),
    /// The row has another number of cells than there are columns.
    #[error("the row has {found} cells, and there are {expected} columns")]
    CellCount {
        /// The number of cells.
        found: u64,
        /// The number of columns.
        expected: u64,
    },
    /// The column has no name.
    #[error("column {0} has no name")]
    NamelessColumn(usize),
    /// Two columns have the same name.
    #[error("there are two columns of this name")]
    DuplicateColumn,
    /// The workflow does not use the column.
    #[error("the workflow has no input of this name{}", known(.nearest.as_deref()))]
    UnknownColumn {
        /// An input with a similar name.
        nearest: Option<String>,
    },
    /// The workflow has an input for which there is neither a column nor another value.
    #[error("the workflow needs this input, and there is no such column")]
    MissingColumn,
    /// The workflow has an input for which the row has no value.
    #[error("the cell is empty, and the input has no default")]
    MissingValue,
    /// The column is declared as secret, and a step uses it as a variable.
    #[error("the column is secret; a step types it as ${{secret:{0}}}, not as ${{{0}}}")]
    SecretAsVariable(String),
    /// The steps type a secret that has the name of a column which is not declared as secret.
    #[error("a step uses ${{secret:{0}}}, and the column is not declared as secret")]
    UndeclaredSecret(String),
    /// A flag names a column that does not exist.
    #[error("there is no such column")]
    NoSuchColumn,
    /// A value contains `${`, so that data could name a variable or a secret.
    #[error("the value contains `${{`, which would name a variable")]
    NamesVariable,
    /// The line is not JSON.
    #[error("the line is not JSON: {0}")]
    NotJson(String),
    /// The line is JSON, but not an object.
    #[error("the line is not a JSON object")]
    NotAnObject,
    /// A value is a list or an object.
    #[error("the value is {0}; a text, a number, true or false is needed")]
    Nested(&'static str),
    /// The workbook is damaged, or is not a workbook.
    #[error("the workbook cannot be read: {0}")]
    Damaged(String),
    /// The workbook has no such sheet.
    #[error("there is no sheet {name:?}; there is {}", .known.join(", "))]
    NoSuchSheet {
        /// The requested name.
        name: String,
        /// The sheets.
        known: Vec<String>,
    },
    /// The cell shows an error of the spreadsheet.
    #[error("the cell shows the error {0}")]
    CellError(String),
    /// The text cannot be separated into rows and cells.
    #[error("the text is not CSV: {0}")]
    NotCsv(String),
}

fn known(nearest: Option<&str>) -> String {
    nearest.map_or(String::new(), |name| format!("; did you mean {name:?}?"))
}

impl RowProblemKind {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        use RowProblemKind::{
            CellCount, CellError, ControlCharacter, Damaged, DuplicateColumn, Empty, MissingColumn, MissingValue,
            NamelessColumn, NamesVariable, Nested, NoRows, NoSuchColumn, NoSuchSheet, NoneSelected, NotAnObject,
            NotCsv, NotJson, NotUtf8, SecretAsVariable, TooLarge, TooManyRows, UndeclaredSecret, UnknownColumn,
            UnknownFormat, Unreadable,
        };
        match self {
            Unreadable(_) => "check the path and its permissions",
            UnknownFormat => "save it as CSV, as JSON lines (one object per line) or as an Excel workbook",
            TooLarge { .. } | TooManyRows { .. } => "split the file",
            Empty | NoRows => "the first line has the names of the columns, and each further line is a row",
            NoneSelected { .. } => "rows are counted from 1, without the line of column names",
            NotUtf8 => "save the file as UTF-8; spreadsheets call it \"CSV UTF-8\"",
            ControlCharacter(_) => "is it a text file in UTF-8?",
            CellCount { .. } | NotCsv(_) => "put cells that contain the separator, quotes or line breaks into quotes",
            NamelessColumn(_) => "name the column, or delete it",
            DuplicateColumn => "rename one of them",
            UnknownColumn { .. } => "rename it, add the input to the workflow, or leave the column out",
            MissingColumn => "add the column, or give one value for all rows",
            MissingValue => "fill the cell, or give the input a default in the workflow (\"\" if it may be empty)",
            SecretAsVariable(_) => "change the step, or do not declare the column as secret",
            UndeclaredSecret(_) => "declare it as a secret column",
            NoSuchColumn => "the first line has the names of the columns",
            NamesVariable => "rows are data; write variables and secrets into the steps",
            NotJson(_) | NotAnObject => "each line is an object such as {\"name\": \"Ada\", \"age\": 36}",
            Nested(_) => "write each value into a column of its own",
            Damaged(_) => "open it in a spreadsheet program and save it again as .xlsx",
            NoSuchSheet { .. } => "name one of its sheets",
            CellError(_) => "correct the formula of the cell",
        }
    }
}

/// A problem and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowProblem {
    /// The number of the row, from 1, without the line of column names.
    pub row: Option<usize>,
    /// The line of the file, or the row of the sheet, from 1.
    pub line: Option<u64>,
    /// The name of the column.
    pub column: Option<String>,
    /// What is wrong.
    pub kind: RowProblemKind,
}

impl RowProblem {
    /// A problem of the whole file.
    pub fn of_file(kind: RowProblemKind) -> Self {
        RowProblem { row: None, line: None, column: None, kind }
    }

    /// A problem of a column.
    pub fn of_column(column: impl Into<String>, kind: RowProblemKind) -> Self {
        RowProblem { column: Some(column.into()), ..RowProblem::of_file(kind) }
    }

    /// A problem of a row.
    pub fn of_row(row: usize, line: u64, kind: RowProblemKind) -> Self {
        RowProblem { row: Some(row), line: Some(line), ..RowProblem::of_file(kind) }
    }

    /// The same problem in a column.
    pub fn in_column(self, column: impl Into<String>) -> Self {
        RowProblem { column: Some(column.into()), ..self }
    }
}

impl fmt::Display for RowProblem {
    /// `row 3 (line 4), column "email": the cell is empty`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = match (self.row, self.line) {
            (Some(row), Some(line)) => Some(format!("row {row} (line {line})")),
            (Some(row), None) => Some(format!("row {row}")),
            (None, line) => line.map(|line| format!("line {line}")),
        };
        let column = self.column.as_ref().map(|column| format!("column {column:?}"));
        let place: Vec<String> = row.into_iter().chain(column).collect();
        if !place.is_empty() {
            write!(f, "{}: ", place.join(", "))?;
        }
        self.kind.fmt(f)
    }
}

/// Why a file of rows cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the rows in {file} cannot be used")]
pub struct RowsError {
    /// The file as the caller named it.
    pub file: String,
    /// All problems, in the order of the file; at least one.
    pub problems: Vec<RowProblem>,
}

impl RowsError {
    /// The error with one problem.
    pub fn of(file: &str, problem: RowProblem) -> Self {
        RowsError { file: file.to_owned(), problems: vec![problem] }
    }

    /// The error in the common form of API and logs. It lists at most 20 problems.
    pub fn standard(&self) -> ErrorReport {
        const SHOWN: usize = 20;
        let mut details: Vec<String> = self.problems.iter().take(SHOWN).map(ToString::to_string).collect();
        if let Some(more) = self.problems.len().checked_sub(SHOWN).filter(|more| *more > 0) {
            details.push(format!("and {more} more"));
        }
        let report = ErrorReport::new(Code::WorkflowInvalid, self.to_string()).with_details(details);
        match self.problems.first() {
            Some(problem) => report.suggest(problem.kind.hint()),
            None => report,
        }
    }
}

/// Why a batch cannot be started, found or continued.
#[derive(Debug, Error)]
pub enum BatchError {
    /// Its rows cannot be used.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// The log failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no such batch.
    #[error("there is no batch {0}")]
    Unknown(String),
    /// The text may mean several batches.
    #[error("{text:?} matches several batches: {}", .batches.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))]
    Several {
        /// The text.
        text: String,
        /// The batches.
        batches: Vec<BatchId>,
    },
    /// The stored definition cannot be read.
    #[error("the record of batch {batch} cannot be read")]
    Record {
        /// The batch.
        batch: String,
        /// The cause.
        #[source]
        source: serde_json::Error,
    },
    /// A run is a row of a batch with secret columns, and the file with their values is not at hand.
    #[error(
        "the run is row {row} of batch {batch}: the values of its secret columns are only in the file of the batch"
    )]
    SecretRow {
        /// The batch.
        batch: BatchId,
        /// The number of the row.
        row: usize,
    },
    /// Another process works on the batch.
    #[error("batch {batch} is driven by {holder}")]
    Held {
        /// The batch.
        batch: BatchId,
        /// The process.
        holder: Holder,
    },
    /// The lock of the batch cannot be used.
    #[error("batch {batch} cannot be locked: {detail}")]
    Lock {
        /// The batch.
        batch: BatchId,
        /// The cause.
        detail: String,
    },
    /// The batch was cancelled.
    #[error("batch {0} was cancelled")]
    Cancelled(BatchId),
    /// The file of rows is not the one that the batch began with.
    #[error("{file} has changed since the batch began")]
    Changed {
        /// The file.
        file: String,
        /// What changed, one line for each row.
        changes: Vec<String>,
    },
    /// The run of a row cannot start.
    #[error("row {row} cannot start: {report}")]
    Start {
        /// The number of the row.
        row: usize,
        /// The cause.
        report: Box<ErrorReport>,
    },
    /// Too many rows failed.
    #[error("rows failed: {failed}; no further row was started")]
    TooManyFailures {
        /// The number of rows that failed.
        failed: usize,
    },
    /// A result cannot be written as a table.
    #[error("the results cannot be written: {0}")]
    Results(String),
}

impl BatchError {
    /// What to do about it.
    pub fn hint(&self) -> &str {
        match self {
            BatchError::Start { report, .. } => &report.suggested_action,
            BatchError::Rows(error) => error.problems.first().map_or("", |problem| problem.kind.hint()),
            BatchError::Store(error) => error.hint(),
            BatchError::Unknown(_) => "`legwork batches` lists them",
            BatchError::Several { .. } => "give more of the id",
            BatchError::Record { .. } => "use the version of Legwork that wrote it, or start a new batch",
            BatchError::SecretRow { .. } => {
                "`legwork resume RUN` or `legwork replay RUN` reads them, on the machine with the file"
            }
            BatchError::Held { .. } => "wait for it, or stop the other process",
            BatchError::Lock { .. } => "free disk space, and allow this user to write to the data folder",
            BatchError::Cancelled(_) => "start a new batch with the rows that are left: `--rows`",
            BatchError::Changed { .. } => {
                "put the file back, or start a new batch with the rows that are left: `--rows`"
            }
            BatchError::TooManyFailures { .. } => {
                "continue with `legwork batches resume BATCH`; add `--retry-failed` to retry the failed rows"
            }
            BatchError::Results(_) => "`legwork batches show BATCH --json` prints them",
        }
    }

    /// The error in the common form of API, events and logs.
    pub fn standard(&self) -> ErrorReport {
        if let BatchError::Rows(error) = self {
            return error.standard();
        }
        let code = match self {
            BatchError::Rows(_) => Code::WorkflowInvalid,
            BatchError::Start { report, .. } => report.code,
            BatchError::Store(error) => error.code(),
            BatchError::Unknown(_) | BatchError::Several { .. } => Code::RunNotFound,
            BatchError::Record { .. } => Code::DataCorruption,
            BatchError::Held { .. } => Code::SessionCreation,
            BatchError::Lock { .. } | BatchError::Results(_) => Code::Storage,
            BatchError::SecretRow { .. } | BatchError::Cancelled(_) | BatchError::Changed { .. } => {
                Code::RequestInvalid
            }
            BatchError::TooManyFailures { .. } => Code::BudgetExceeded,
        };
        let details = match self {
            BatchError::Changed { changes, .. } => changes.clone(),
            BatchError::Start { report, .. } => report.details.clone(),
            _ => Vec::new(),
        };
        ErrorReport::new(code, self.to_string()).caused_by(self).with_details(details).suggest(self.hint())
    }
}
