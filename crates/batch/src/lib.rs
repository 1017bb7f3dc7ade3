//! Batches: a workflow that runs once for each row of a file (docs/batches.md).
//!
//! [`RowFile`] reads a file of rows, [`select`] chooses the rows, and [`bind`] assigns the columns to the inputs of the
//! workflow; every problem is found before a browser opens. [`Batch`] is the stored definition of a batch. [`drive`]
//! starts or continues the run of each row and reports how it ended.
//!
//! A row is done exactly once because its run has an id before it starts ([`RowClaim`]): whoever continues the batch
//! finds this id, and continues this run instead of starting another one. Everything else that is shown of a row is a
//! view of the journal of its run ([decision 050](../../../docs/decisions/050-the-run-of-a-row-has-its-id-first.md)).

mod batch;
mod bind;
mod changes;
mod drive;
mod error;
mod results;
mod row_file;
mod runtime_runner;
mod select;
mod store;
mod table;

pub use batch::{Batch, BatchOptions, BatchRow};
pub use bind::{BoundRows, ColumnRules, bind, secret_values};
pub use changes::{RowChange, changes};
pub use drive::{ContinueRules, RowEvent, RowRunner, RunEnd, drive};
pub use error::{BatchError, RowProblem, RowProblemKind, RowsError};
pub use results::{BatchCounts, BatchSummary, ResultFormat, RowResult, escape_formula, result_csv, result_lines};
pub use row_file::{MAX_ROWS, RowFile};
pub use runtime_runner::RuntimeRunner;
pub use select::{RowRanges, RowRangesError, select};
pub use store::{BatchStore, RowClaim, RowStage, RowStatus, RowView};
pub use table::{Table, TableRow};
