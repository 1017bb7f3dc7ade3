//! The stored definition of a batch: what runs, with which rows and options. It does not change once the batch has
//! begun.

use std::{collections::BTreeMap, path::PathBuf};

use jiff::Timestamp;
use legwork_protocol::{BatchId, Workflow};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::RowRanges;

/// A batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Batch {
    /// Its id.
    pub id: BatchId,
    /// When it was created.
    pub created: Timestamp,
    /// What runs for each row. A later change of the workflow file does not affect the batch.
    pub workflow: Workflow,
    /// Whether the workflow is a single task.
    #[serde(default)]
    pub task: bool,
    /// The inputs that have one value for all rows.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, Value>,
    /// The rows.
    pub rows: Vec<BatchRow>,
    /// The other options.
    pub options: BatchOptions,
}

/// The options of a batch that a continuation needs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct BatchOptions {
    /// The file that the rows were read from; absent if the caller supplied them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// The sheet of a workbook.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// The selected rows, as [`RowRanges`] writes them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranges: Option<String>,
    /// The maximum number of rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// The secret columns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub secret_columns: Vec<String>,
    /// The columns that are not used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignored_columns: Vec<String>,
    /// The number of runs at the same time.
    pub jobs: usize,
    /// How many rows may fail before no further row is started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_failures: Option<usize>,
    /// The granted secrets, as `--secret` names them, without values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<String>,
    /// Folders from which files may be uploaded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uploads: Vec<PathBuf>,
    /// A file with the initial cookies and storage of each run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_state: Option<PathBuf>,
    /// The file to which the results are written; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<PathBuf>,
    /// The request of a client of the server, from which its runs are started; absent for other batches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<Value>,
    /// The settings that the caller chose for the runs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<(String, String)>,
}

impl BatchOptions {
    /// The selected rows.
    pub fn row_ranges(&self) -> Option<RowRanges> {
        self.ranges.as_ref().and_then(|ranges| ranges.parse().ok())
    }
}

/// A row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BatchRow {
    /// Its number in the file, from 1, without the line of column names.
    pub number: usize,
    /// The line on which it begins, or the row of the sheet, from 1.
    pub line: u64,
    /// The values of its inputs, without those of secret columns.
    pub values: BTreeMap<String, Value>,
    /// A digest of the values: half of a SHA-256 in hexadecimal.
    pub digest: String,
}

impl BatchRow {
    /// A row with the digest of its values.
    pub fn new(number: usize, line: u64, values: BTreeMap<String, Value>) -> Self {
        let text = serde_json::to_string(&values).unwrap_or_default();
        let digest = Sha256::digest(text.as_bytes()).iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        BatchRow { number, line, values, digest }
    }
}
