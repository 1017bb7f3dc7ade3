//! Assigns the columns of a table to the inputs of a workflow and to its secrets, and checks each row.

use std::collections::{BTreeMap, BTreeSet};

use legwork::secrets::{HiddenValues, handles_in};
use legwork_protocol::Workflow;
use secrecy::SecretString;
use serde_json::Value;

use crate::{BatchRow, RowProblem, RowProblemKind, Table, TableRow};

/// What the caller says about columns.
#[derive(Clone, Debug, Default)]
pub struct ColumnRules {
    /// The columns whose values are secrets: a step types them as `${secret:NAME}`, and they are never stored.
    pub secret: Vec<String>,
    /// The columns that are not used.
    pub ignored: Vec<String>,
    /// The inputs that have one value for all rows.
    pub given: BTreeSet<String>,
}

/// The rows of a batch, and the secrets of each row by the number of the row.
#[derive(Debug)]
pub struct BoundRows {
    /// The rows with the values of their inputs.
    pub rows: Vec<BatchRow>,
    /// The values of secret columns. They are only in memory.
    pub secrets: BTreeMap<usize, BTreeMap<String, SecretString>>,
}

/// The values of the secret columns in all rows of a file, also in those that are not selected: each run hides them,
/// because a site may show in one row what was typed in another one.
pub fn secret_values(table: &Table, columns: &[String]) -> HiddenValues {
    let is_secret: Vec<bool> = table.columns.iter().map(|column| columns.contains(column)).collect();
    let cells = table.rows.iter().flat_map(|row| row.cells.iter().zip(&is_secret));
    HiddenValues::new(cells.filter(|(_, is_secret)| **is_secret).filter_map(|(cell, _)| cell.as_ref().map(secret_text)))
}

fn secret_text(value: &Value) -> SecretString {
    SecretString::from(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}

/// The workflow as one text, in which `${name}` occurs as its author wrote it.
fn text_of(workflow: &Workflow) -> String {
    serde_json::to_string(workflow).unwrap_or_default()
}

/// Assigns columns and rows.
///
/// # Errors
/// Every problem, by column and row.
pub fn bind(table: &Table, workflow: &Workflow, rules: &ColumnRules) -> Result<BoundRows, Vec<RowProblem>> {
    let variables = workflow.variables();
    let text = text_of(workflow);
    let typed: BTreeSet<&str> = handles_in(&text).into_iter().collect();
    let mut problems = column_problems(table, workflow, rules, &variables, &typed);
    let mut bound = BoundRows { rows: Vec::new(), secrets: BTreeMap::new() };
    for row in &table.rows {
        match bind_row(table, row, workflow, rules) {
            Ok((values, secrets)) => {
                if !secrets.is_empty() {
                    bound.secrets.insert(row.number, secrets);
                }
                bound.rows.push(BatchRow::new(row.number, row.line, values));
            }
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() { Ok(bound) } else { Err(problems) }
}

fn column_problems(
    table: &Table,
    workflow: &Workflow,
    rules: &ColumnRules,
    variables: &BTreeSet<String>,
    typed: &BTreeSet<&str>,
) -> Vec<RowProblem> {
    let mut problems = Vec::new();
    for name in rules.secret.iter().chain(&rules.ignored).filter(|name| !table.columns.contains(name)) {
        problems.push(RowProblem::of_column(name, RowProblemKind::NoSuchColumn));
    }
    for column in table.columns.iter().filter(|column| !rules.ignored.contains(column)) {
        let is_secret = rules.secret.contains(column);
        let is_variable = variables.contains(column);
        let kind = match (is_secret, typed.contains(column.as_str())) {
            (true, _) if is_variable => RowProblemKind::SecretAsVariable(column.clone()),
            (true, true) => continue,
            (false, true) if !is_variable => RowProblemKind::UndeclaredSecret(column.clone()),
            (false, _) if is_variable => continue,
            _ => RowProblemKind::UnknownColumn { nearest: nearest(column, variables) },
        };
        problems.push(RowProblem::of_column(column, kind));
    }
    for (name, input) in &workflow.inputs {
        let is_given = input.default.is_some() || rules.given.contains(name) || table.columns.contains(name);
        if !is_given {
            problems.push(RowProblem::of_column(name, RowProblemKind::MissingColumn));
        }
    }
    problems
}

type RowValues = (BTreeMap<String, Value>, BTreeMap<String, SecretString>);

fn bind_row(
    table: &Table,
    row: &TableRow,
    workflow: &Workflow,
    rules: &ColumnRules,
) -> Result<RowValues, Vec<RowProblem>> {
    let (mut values, mut secrets, mut problems) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
    for (column, cell) in table.columns.iter().zip(&row.cells).filter(|(name, _)| !rules.ignored.contains(name)) {
        let problem = |kind| RowProblem::of_row(row.number, row.line, kind).in_column(column);
        let is_secret = rules.secret.contains(column);
        let has_default = workflow.inputs.get(column).is_some_and(|input| input.default.is_some());
        match cell {
            None if !is_secret && (has_default || rules.given.contains(column)) => {}
            None => problems.push(problem(RowProblemKind::MissingValue)),
            Some(value) if is_secret => {
                secrets.insert(column.clone(), secret_text(value));
            }
            // Variables in values are filled in, and two values side by side could form the name of a secret.
            Some(Value::String(text)) if text.contains("${") => {
                problems.push(problem(RowProblemKind::NamesVariable));
            }
            Some(value) => {
                values.insert(column.clone(), value.clone());
            }
        }
    }
    if problems.is_empty() { Ok((values, secrets)) } else { Err(problems) }
}

fn nearest(name: &str, known: &BTreeSet<String>) -> Option<String> {
    let distance = |other: &String| strsim::damerau_levenshtein(&name.to_lowercase(), &other.to_lowercase());
    known
        .iter()
        .map(|other| (distance(other), other))
        .min()
        .filter(|(far, _)| *far <= 2)
        .map(|(_, other)| other.clone())
}

#[cfg(test)]
mod tests {
    use legwork::workflow_file;
    use secrecy::ExposeSecret;

    use super::*;
    use crate::{RowFile, RowsError};

    fn workflow() -> Workflow {
        let source = "name: Orders\ninputs:\n  customer:\n  city: Oslo\nsteps:\n\
                      - Type \"${customer}\" into \"Customer\"\n- Type \"${secret:pin}\" into \"PIN\"\n\
                      - Type \"${note}\" into \"Note\"\n";
        workflow_file::validate(source, "orders.yaml").workflow.unwrap()
    }

    fn bound(csv: &str, rules: &ColumnRules) -> Result<BoundRows, String> {
        let table = RowFile::with_content("rows.csv", csv).unwrap().table(None).unwrap();
        bind(&table, &workflow(), rules).map_err(|problems| {
            RowsError { file: "rows.csv".into(), problems }.problems.iter().map(|p| format!("{p}\n")).collect()
        })
    }

    #[test]
    fn columns_are_inputs_and_secrets() {
        let rules = ColumnRules { secret: vec!["pin".into()], ignored: vec!["id".into()], ..ColumnRules::default() };
        let rows = bound("customer,pin,city,note,id\nAda,1234,,x,7\nBob,99,Bergen,y,\n", &rules).unwrap();
        let values = |row: usize| serde_json::to_string(&rows.rows[row].values).unwrap();
        assert_eq!(values(0), r#"{"customer":"Ada","note":"x"}"#);
        assert_eq!(values(1), r#"{"city":"Bergen","customer":"Bob","note":"y"}"#);
        assert_eq!(rows.secrets[&2]["pin"].expose_secret(), "99");
        // The stored row does not depend on the secret, not even through its digest.
        let other = bound("customer,pin,city,note,id\nAda,5678,,x,8\n", &rules).unwrap();
        assert_eq!(other.rows[0], rows.rows[0]);
    }

    #[test]
    fn every_problem_names_its_row_and_column() {
        let check = |csv: &str, rules: &ColumnRules, expected: &str| {
            assert_eq!(bound(csv, rules).err().as_deref().unwrap_or("no problem").trim(), expected);
        };
        let plain = ColumnRules::default();
        check(
            "customr,note\nAda,x\n",
            &plain,
            "column \"customr\": the workflow has no input of this name; did you mean \"customer\"?\ncolumn \"customer\": the workflow needs this input, and there is no such column",
        );
        check(
            "customer,note\nAda,x\n,y\n",
            &plain,
            "row 2 (line 3), column \"customer\": the cell is empty, and the input has no default",
        );
        check(
            "customer,pin\nAda,1\n",
            &plain,
            "column \"pin\": a step uses ${secret:pin}, and the column is not declared as secret",
        );
        let secret = ColumnRules { secret: vec!["customer".into()], ..ColumnRules::default() };
        check(
            "customer\nAda\n",
            &secret,
            "column \"customer\": the column is secret; a step types it as ${secret:customer}, not as ${customer}",
        );
        check(
            "customer\n${secret\n",
            &plain,
            "row 1 (line 2), column \"customer\": the value contains `${`, which would name a variable",
        );
        let gone = ColumnRules { ignored: vec!["id".into()], ..ColumnRules::default() };
        check("customer\nAda\n", &gone, "column \"id\": there is no such column");
    }
}
