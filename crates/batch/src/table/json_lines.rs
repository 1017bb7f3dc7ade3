//! JSON lines: one object per line. The columns are the keys of all objects, in the order in which they occur first.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::Value;

use super::{Table, text_of};
use crate::{RowProblem, RowProblemKind};

/// Reads a table.
pub(crate) fn read(content: &[u8]) -> Result<Table, Vec<RowProblem>> {
    let text = text_of(content)?;
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let (mut objects, mut problems) = (Vec::new(), Vec::new());
    for ((line, at), number) in lines.zip(1..) {
        match serde_json::from_str::<Pairs>(line) {
            Ok(Pairs(pairs)) => objects.push((at, pairs)),
            Err(error) => {
                let is_json = serde_json::from_str::<Value>(line).is_ok();
                let kind =
                    if is_json { RowProblemKind::NotAnObject } else { RowProblemKind::NotJson(error.to_string()) };
                problems.push(RowProblem::of_row(number, at, kind));
            }
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    of_objects(objects)
}

/// A table of objects with the lines on which they are.
pub(crate) fn of_objects(objects: Vec<(u64, Vec<(String, Value)>)>) -> Result<Table, Vec<RowProblem>> {
    let mut table = Table::default();
    for (key, _) in objects.iter().flat_map(|(_, pairs)| pairs) {
        if !table.columns.contains(key) {
            table.columns.push(key.clone());
        }
    }
    let mut problems = Vec::new();
    for (number, (line, pairs)) in (1..).zip(objects) {
        let mut cells = vec![None; table.columns.len()];
        for (index, (key, value)) in pairs.iter().enumerate() {
            let problem = |kind| RowProblem::of_row(number, line, kind).in_column(key);
            let Some(at) = table.columns.iter().position(|column| column == key) else { continue };
            if pairs[..index].iter().any(|(earlier, _)| earlier == key) {
                problems.push(problem(RowProblemKind::DuplicateColumn));
            }
            match value {
                Value::Null => {}
                Value::Array(_) => problems.push(problem(RowProblemKind::Nested("a list"))),
                Value::Object(_) => problems.push(problem(RowProblemKind::Nested("an object"))),
                value => cells[at] = Some(value.clone()),
            }
        }
        if let Err(full) = table.push(line, cells) {
            return Err(vec![full]);
        }
    }
    if problems.is_empty() { Ok(table) } else { Err(problems) }
}

/// The keys and values of an object, including repeated keys, of which a map would keep only the last.
struct Pairs(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct PairsVisitor;
        impl<'de> Visitor<'de> for PairsVisitor {
            type Value = Pairs;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        from.deserialize_map(PairsVisitor)
    }
}
