//! The data that a run extracted from pages, read from its events: for `show --data`, as JSON or CSV.

use std::collections::BTreeMap;

use legwork_batch::escape_formula;
use legwork_protocol::{Event, EventKind};
use serde::Serialize;
use serde_json::Value;

use crate::error::CliError;

/// One extraction.
#[derive(Debug, Serialize)]
pub(crate) struct ExtractedData<'a> {
    instruction: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    variable: Option<&'a str>,
    url: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pages: &'a [String],
    data: &'a Value,
    sources: &'a BTreeMap<String, String>,
    unverified: &'a [String],
}

/// The extractions of a run in order; with a name, only those of that variable.
pub(crate) fn of<'a>(events: &'a [Event], name: Option<&str>) -> Vec<ExtractedData<'a>> {
    let one = |event: &'a Event| match &event.kind {
        EventKind::DataExtracted { data, sources, url, instruction, unverified, pages, variable } => {
            Some(ExtractedData { instruction, variable: variable.as_deref(), url, pages, data, sources, unverified })
        }
        _ => None,
    };
    events.iter().filter_map(one).filter(|one| name.is_none_or(|name| one.variable == Some(name))).collect()
}

/// All extractions with their sources.
pub(crate) fn json(extracted: &[ExtractedData<'_>]) -> Result<String, CliError> {
    let text = serde_json::to_string_pretty(extracted);
    text.map(|text| text + "\n").map_err(|error| CliError::fault("cannot write the data").because(&error))
}

/// The only extraction as a table: one row per item, one column per field.
pub(crate) fn csv(extracted: &[ExtractedData<'_>]) -> Result<String, CliError> {
    let [one] = extracted else {
        let names = extracted.iter().map(|one| one.variable.unwrap_or("(no variable)").to_owned());
        return Err(match extracted.is_empty() {
            true => CliError::usage("the run extracted no such data"),
            false => CliError::usage("the run extracted several sets of data, and a table contains one")
                .details(names)
                .hint("legwork show RUN --data=VARIABLE --format csv"),
        });
    };
    let rows = rows(one.data);
    let mut columns: Vec<&str> = Vec::new();
    for key in rows.iter().filter_map(|row| row.as_object()).flat_map(|row| row.keys()) {
        if !columns.contains(&key.as_str()) {
            columns.push(key);
        }
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    let broken = |error: csv::Error| CliError::fault("cannot write the table").because(&error);
    let head = if columns.is_empty() { vec!["value"] } else { columns.clone() };
    writer.write_record(head.iter().map(|name| escape_formula(name))).map_err(broken)?;
    for row in rows {
        let cells: Vec<String> = match row {
            Value::Object(row) => {
                columns.iter().map(|column| row.get(*column).map_or_else(String::new, cell)).collect()
            }
            other => std::iter::once(cell(other)).chain(columns.iter().skip(1).map(|_| String::new())).collect(),
        };
        writer.write_record(cells).map_err(broken)?;
    }
    let bytes = writer.into_inner().map_err(|error| CliError::fault("cannot write the table").because(&error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The items: those of a list, of an object whose only property is a list, or the single value.
fn rows(data: &Value) -> Vec<&Value> {
    match data {
        Value::Array(items) => items.iter().collect(),
        Value::Object(map) => match map.values().next() {
            Some(Value::Array(items)) if map.len() == 1 => items.iter().collect(),
            _ => vec![data],
        },
        one => vec![one],
    }
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => escape_formula(text),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(data: Value, expected: &str) {
        let sources = BTreeMap::new();
        let one = ExtractedData {
            instruction: "all",
            variable: None,
            url: "http://site.test/",
            pages: &[],
            data: &data,
            sources: &sources,
            unverified: &[],
        };
        assert_eq!(csv(&[one]).unwrap_or_else(|error| error.to_string()), expected);
    }

    #[test]
    fn a_table_of_items() {
        let rows = json!([{"name": "Ash, \"old\"", "price": 3.5}, {"price": null, "stock": ["a"]}]);
        check(rows.clone(), "name,price,stock\n\"Ash, \"\"old\"\"\",3.5,\n,,\"[\"\"a\"\"]\"\n");
        check(json!({ "rows": rows }), "name,price,stock\n\"Ash, \"\"old\"\"\",3.5,\n,,\"[\"\"a\"\"]\"\n");
        check(json!(["a", -2]), "value\na\n-2\n");
        check(json!({"total": 3}), "total\n3\n");
        check(json!([]), "value\n");
    }

    #[test]
    fn no_cell_is_a_formula() {
        check(json!(["=HYPERLINK(1)", "-5", "+x", "@y"]), "value\n'=HYPERLINK(1)\n-5\n'+x\n'@y\n");
    }

    #[test]
    fn a_table_holds_one_set() {
        assert!(csv(&[]).is_err());
    }
}
