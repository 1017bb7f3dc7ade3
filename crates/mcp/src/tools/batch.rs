//! The arguments of `legwork_batch`: they begin a batch, or continue one.

use legwork::Assumption;
use legwork_batch::ContinueRules;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    RunArguments,
    arguments::{InvalidCall, Reader, count},
};

/// The largest number of runs at the same time.
const MAX_JOBS: usize = 64;

/// A call of `legwork_batch`.
#[derive(Debug)]
pub(crate) enum BatchWork {
    /// Begins a batch.
    Begin(NewBatch),
    /// Continues the batch that this text names.
    Continue { batch: String, rules: ContinueRules },
}

/// A batch to begin.
#[derive(Debug)]
pub(crate) struct NewBatch {
    /// What runs for each row. Its inputs have one value for all rows.
    pub(crate) run: RunArguments,
    pub(crate) rows: BatchRows,
    pub(crate) jobs: usize,
    pub(crate) max_failures: Option<usize>,
}

/// Where the rows come from.
#[derive(Debug)]
pub(crate) enum BatchRows {
    /// From the call.
    Given(Vec<Map<String, Value>>),
    /// From a file in the output folder.
    File(String),
}

/// The arguments of `legwork_batch`, for both of its uses.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct BatchArguments {
    #[serde(flatten)]
    run: RunArguments,
    #[serde(default)]
    rows: Option<Vec<Map<String, Value>>>,
    #[serde(default)]
    file: Option<String>,
    #[serde(default, deserialize_with = "count")]
    jobs: Option<usize>,
    #[serde(default, deserialize_with = "count")]
    max_failures: Option<usize>,
    #[serde(default)]
    batch: Option<String>,
    #[serde(default)]
    assume: Option<String>,
    #[serde(default)]
    retry_failed: bool,
    #[serde(default)]
    output: Option<String>,
}

/// Reads the arguments. The second value is the name of the file for the results.
pub(super) fn parse(read: &Reader<'_>) -> Result<(BatchWork, Option<String>), InvalidCall> {
    let arguments: BatchArguments = read.to()?;
    let either = || InvalidCall::BeginOrContinue { tool: read.tool.to_owned() };
    let assume = match arguments.assume.as_deref() {
        None => None,
        Some("done") => Some(Assumption::Done),
        Some("not_done" | "not-done") => Some(Assumption::NotDone),
        Some(other) => return Err(read.unknown("assume", "done or not_done", other)),
    };
    let run = arguments.run;
    let begins = run.workflow.is_some() || run.task.is_some();
    if let Some(batch) = arguments.batch {
        let is_plain = !begins
            && arguments.rows.is_none()
            && arguments.file.is_none()
            && arguments.jobs.is_none()
            && run.inputs.is_empty();
        if !is_plain || run.url.is_some() || run.require.is_some() || arguments.max_failures.is_some() {
            return Err(either());
        }
        let rules = ContinueRules { assume, retry_failed: arguments.retry_failed };
        return Ok((BatchWork::Continue { batch, rules }, arguments.output));
    }
    let rows = match (arguments.rows, arguments.file) {
        (Some(rows), None) => BatchRows::Given(rows),
        (None, Some(file)) => BatchRows::File(file),
        _ => return Err(either()),
    };
    if run.workflow.is_some() == run.task.is_some() || assume.is_some() || arguments.retry_failed {
        return Err(either());
    }
    let jobs = arguments.jobs.unwrap_or(1);
    if !(1..=MAX_JOBS).contains(&jobs) {
        return Err(read.unknown("jobs", "a number from 1 to 64", &jobs.to_string()));
    }
    let new = NewBatch { run, rows, jobs, max_failures: arguments.max_failures };
    Ok((BatchWork::Begin(new), arguments.output))
}
