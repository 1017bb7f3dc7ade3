//! The results of rows: as JSON lines, or as a table with a column for each value.

use std::{collections::BTreeMap, time::Duration};

use legwork::{
    record::RunRecord,
    store::{RunLog, StoreError},
};
use legwork_protocol::{BatchId, ErrorReport, Outcome, RunId, Validation, millis};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::{BatchError, RowStatus, RowView};

/// How a row ended, with the values that its run had at the end.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RowResult {
    /// The number of the row.
    pub row: usize,
    /// Its state.
    pub status: RowStatus,
    /// To what extent the success was checked; absent before the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validation: Option<Validation>,
    /// Its run, once it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// The duration of its run so far.
    #[serde(with = "millis", rename = "durationMs")]
    pub duration: Duration,
    /// The variables of its run: inputs and saved values. Secrets are handles.
    pub variables: BTreeMap<String, Value>,
    /// The answer, if the run is a task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The error, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
    /// The outcome of its run, once it has one.
    #[serde(skip)]
    pub outcome: Option<Outcome>,
}

impl RowResult {
    /// Reads the result of a row from the journal of its run.
    pub async fn read(log: &dyn RunLog, view: &RowView) -> Result<RowResult, StoreError> {
        let mut result = RowResult {
            row: view.row,
            status: view.status,
            validation: view.validation,
            run: view.run,
            duration: Duration::ZERO,
            variables: BTreeMap::new(),
            answer: None,
            error: None,
            outcome: None,
        };
        let Some(run) = view.run else { return Ok(result) };
        let events = log.read(run, 1).await?;
        // The run may have been deleted, or not begun.
        let Ok(record) = RunRecord::fold(&events) else { return Ok(result) };
        let length = record.last.duration_since(record.started);
        result.duration = Duration::try_from(length).unwrap_or_default();
        result.variables = record.variables.iter().map(|(name, held)| (name.clone(), held.value.clone())).collect();
        if let Some(outcome) = record.outcome {
            result.variables.extend(outcome.variables.clone());
            result.answer.clone_from(&outcome.answer);
            result.error.clone_from(&outcome.error);
            result.outcome = Some(outcome);
        }
        Ok(result)
    }
}

/// The number of rows in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchCounts {
    /// All rows.
    pub rows: usize,
    /// Successes whose evidence was observed.
    pub validated: usize,
    /// Other successes.
    pub unvalidated: usize,
    /// Rows whose goal was not reached.
    pub failed: usize,
    /// Rows that ended because of an error.
    pub errors: usize,
    /// Cancelled rows.
    pub cancelled: usize,
    /// Rows that wait for a person, also for an answer while their run is in progress, and rows whose run was deleted
    /// before its end.
    pub parked: usize,
    /// Rows whose run was interrupted or is in progress.
    pub unfinished: usize,
    /// Rows without a run.
    pub waiting: usize,
}

impl BatchCounts {
    /// Counts rows.
    pub fn of(rows: impl IntoIterator<Item = (RowStatus, Option<Validation>)>) -> Self {
        let mut counts = BatchCounts::default();
        for (status, validation) in rows {
            counts.rows += 1;
            *match status {
                RowStatus::Success if validation == Some(Validation::Validated) => &mut counts.validated,
                RowStatus::Success => &mut counts.unvalidated,
                RowStatus::Failure => &mut counts.failed,
                RowStatus::Error => &mut counts.errors,
                RowStatus::Cancelled => &mut counts.cancelled,
                RowStatus::Asking | RowStatus::Parked | RowStatus::Deleted => &mut counts.parked,
                RowStatus::Running | RowStatus::Interrupted => &mut counts.unfinished,
                RowStatus::Waiting => &mut counts.waiting,
            } += 1;
        }
        counts
    }

    /// The successes.
    pub fn succeeded(&self) -> usize {
        self.validated + self.unvalidated
    }

    /// Whether every row succeeded.
    pub fn all_succeeded(&self) -> bool {
        self.succeeded() == self.rows
    }

    /// The finished rows.
    pub fn over(&self) -> usize {
        self.succeeded() + self.failed + self.errors + self.cancelled
    }
}

/// The format of a file of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultFormat {
    /// One row per result, one column per value.
    Csv,
    /// One object per line.
    JsonLines,
}

impl ResultFormat {
    /// The format that the end of a file name means.
    pub fn of(name: &str) -> Option<ResultFormat> {
        let (_, end) = name.rsplit_once('.')?;
        match end.to_ascii_lowercase().as_str() {
            "csv" => Some(ResultFormat::Csv),
            "jsonl" | "ndjson" => Some(ResultFormat::JsonLines),
            _ => None,
        }
    }
}

/// The results as JSON lines.
pub fn result_lines(results: &[RowResult]) -> String {
    let line = |result: &RowResult| serde_json::to_string(result).unwrap_or_default() + "\n";
    results.iter().map(line).collect()
}

/// The names of the columns that every table of results has.
const FIXED: [&str; 5] = ["row", "status", "validation", "run", "error"];

/// The results as CSV. The columns after the fixed ones are the variables of all runs; a variable with the name of a
/// fixed column is `var_NAME`.
///
/// # Errors
/// If the table cannot be built; its texts come from pages and files.
pub fn result_csv(results: &[RowResult]) -> Result<String, BatchError> {
    let mut names: Vec<&String> = Vec::new();
    for name in results.iter().flat_map(|result| result.variables.keys()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let failed = |error: csv::Error| BatchError::Results(error.to_string());
    let mut writer = csv::Writer::from_writer(Vec::new());
    let variable =
        |name: &&String| if FIXED.contains(&name.as_str()) { format!("var_{name}") } else { (*name).clone() };
    let answers = results.iter().any(|result| result.answer.is_some()).then(|| "answer".to_owned());
    let head = FIXED.iter().map(|name| (*name).to_owned()).chain(answers.clone()).chain(names.iter().map(variable));
    writer.write_record(head).map_err(failed)?;
    for result in results {
        let fixed = [
            result.row.to_string(),
            result.status.name().to_owned(),
            result.validation.map_or("", Validation::name).to_owned(),
            result.run.map(|run| run.to_string()).unwrap_or_default(),
            escape_formula(&result.error.as_ref().map(|error| error.message.clone()).unwrap_or_default()),
        ];
        let answer = answers.as_ref().map(|_| escape_formula(result.answer.as_deref().unwrap_or_default()));
        let cells = names.iter().map(|name| result.variables.get(*name).map_or_else(String::new, cell));
        writer.write_record(fixed.into_iter().chain(answer).chain(cells)).map_err(failed)?;
    }
    let bytes = writer.into_inner().map_err(|error| BatchError::Results(error.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => escape_formula(text),
        other => other.to_string(),
    }
}

/// Prevents a text from becoming a formula in a spreadsheet. Numbers stay unchanged.
pub fn escape_formula(text: &str) -> String {
    let is_formula = text.starts_with(['=', '@', '+', '-', '\t', '\r']) && text.parse::<f64>().is_err();
    if is_formula { format!("'{text}") } else { text.to_owned() }
}

/// The last line of the results for programs.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BatchSummary {
    /// The batch.
    pub batch: BatchId,
    /// The number of rows in each state.
    #[serde(flatten)]
    pub counts: BatchCounts,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_a_column_for_each_value_and_no_formula() {
        let result = |row: usize, variables: &[(&str, Value)]| RowResult {
            row,
            status: RowStatus::Success,
            validation: Some(Validation::Validated),
            run: None,
            duration: Duration::ZERO,
            variables: variables.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
            answer: None,
            error: None,
            outcome: None,
        };
        let results = [
            result(1, &[("city", "Oslo".into()), ("number", "=1+1".into())]),
            result(2, &[("error", "-5".into()), ("number", (-3).into()), ("total", "@x\"y".into())]),
        ];
        let expected = "row,status,validation,run,error,city,number,var_error,total\n\
                        1,success,validated,,,Oslo,'=1+1,,\n2,success,validated,,,,-3,-5,\"'@x\"\"y\"\n";
        assert_eq!(result_csv(&results).unwrap(), expected);
        assert_eq!(result_lines(&results).lines().count(), 2);
    }
}
