//! Loops: which rows or values a loop runs over. The rows are read once, before the first iteration, and recorded with
//! what identifies each of them.

use std::{collections::BTreeMap, time::Duration};

use legwork_observe::{Snapshot, sites::origin_of};
use legwork_protocol::{
    Code, Evidence, EvidenceKind, Expansion, ForEach, IterationItem, Iterations, PageEffect, Validation, variable_of,
};
use legwork_steps::{LoopRows, RowPlace};
use serde_json::Value;

use super::{
    WorkflowRun, WorkflowStage,
    loop_words::{LoopHead, LoopOver, MAX_LABEL, list_of},
    of_problem, preflight,
    variables::{lookup, resolve_sentence, words},
};
use crate::{
    NeedResult, ObserveRequest,
    context::one_line,
    task::{Ending, RunContext, StepNotes, escape_placeholders, evaluate, read_check},
};

/// The maximum number of observations for the rows, so that the loop ends even if the clock stands still.
const MAX_LOOKS: u32 = 200;

/// How long the number of rows must stay the same before the loop begins. The page is observed again at its next
/// change, or after this time.
const SAME_ROWS: Duration = Duration::from_millis(500);

/// A loop whose rows are looked for.
pub(super) struct RowSearch {
    each: ForEach,
    variable: String,
    place: RowPlace,
    /// The words for the place, with variables filled in.
    words: String,
    until: Duration,
    looks: u32,
    /// The number of rows in the last observation that had any.
    last_count: Option<usize>,
}

/// The selected rows of a table.
struct SelectedRows {
    key: Vec<String>,
    items: Vec<IterationItem>,
    /// The number of rows before the selection.
    total: usize,
}

impl WorkflowRun {
    /// Begins a loop: its values are known, or its rows are looked for on the page.
    pub(super) fn begin_loop(&mut self, each: ForEach) {
        let head = match LoopHead::read(&each) {
            Ok(head) => head,
            Err(error) => return self.finish_step(Ending::from(error), StepNotes::default()),
        };
        if let Some(problem) = preflight::undefined_in_condition(self.at, &each.for_each, &self.run_context.variables) {
            return self.finish_step(of_problem(&problem), StepNotes::default());
        }
        match head.over {
            LoopOver::List(list) => self.loop_over_list(&each, head.variable, &list),
            LoopOver::Rows(words) => {
                let words = self.sentence(&words);
                let place = match RowPlace::read(&words) {
                    Ok(place) => place,
                    Err(error) => return self.finish_step(Ending::from(error), StepNotes::default()),
                };
                let until = self.now + self.rules.limits.element_wait;
                let search =
                    RowSearch { each, variable: head.variable, place, words, until, looks: 0, last_count: None };
                self.look = ObserveRequest::default();
                self.stage = WorkflowStage::FindingRows(Box::new(search));
            }
        }
    }

    fn loop_over_list(&mut self, each: &ForEach, variable: String, list: &str) {
        let value = lookup(list, &self.run_context.variables).cloned().unwrap_or_default();
        let values = match list_of(&value) {
            Ok(values) => values,
            Err(why) => {
                let ending = Ending::error(Code::WorkflowInvalid, format!("${{{list}}} {why}"));
                return self.finish_step(ending, StepNotes::default());
            }
        };
        // A value that a page gave must not name a secret, and reaches a model only as quoted text.
        let is_of_page = variable_of(list).is_some_and(|name| self.run_context.extracted.contains(name));
        let url = self.run_context.page.as_ref().map(|page| page.url.clone()).unwrap_or_default();
        let origin = is_of_page.then(|| origin_of(&url));
        let item = |value: Value| IterationItem { label: label(&words(&value)), value, key: Vec::new() };
        let items: Vec<IterationItem> = values.into_iter().map(item).collect();
        let message = format!("{} in ${{{list}}}", counted(items.len(), "value"));
        let iterations = Iterations { variable, place: None, origin, key: Vec::new(), items };
        self.expand_loop(each, iterations, message, EvidenceKind::Variable);
    }

    /// Looks for the rows on the observed page.
    pub(super) fn finding_rows(&mut self, mut search: Box<RowSearch>, response: NeedResult) {
        let NeedResult::Observed(page) = response else {
            self.stage = WorkflowStage::FindingRows(search);
            return;
        };
        self.run_context.observe(page.clone());
        search.looks += 1;
        let left = search.until.checked_sub(self.now).filter(|left| !left.is_zero() && search.looks < MAX_LOOKS);
        let found = search.place.rows(&page);
        // A table that is shown without rows may still be loading.
        if let (true, Some(left)) = (found.as_ref().map_or(true, |found| found.rows.is_empty()), left) {
            self.look = ObserveRequest { after_change_within: Some(left) };
            self.stage = WorkflowStage::FindingRows(search);
            return;
        }
        // Rows may load one after another: their number must stay the same for a while.
        let count = found.as_ref().map_or(0, |found| found.rows.len());
        if let (true, Some(left)) = (count > 0 && search.last_count.replace(count) != Some(count), left) {
            self.look = ObserveRequest { after_change_within: Some(left.min(SAME_ROWS)) };
            self.stage = WorkflowStage::FindingRows(search);
            return;
        }
        let selected = found.map_err(|error| Box::new(Ending::unresolved(error))).and_then(|found| {
            let selected = search.select(&found, &page, &self.run_context)?;
            Ok((found.declared, selected))
        });
        let (declared, selected) = match selected {
            Ok(selected) => selected,
            Err(ending) => return self.finish_step(*ending, StepNotes::default()),
        };
        let SelectedRows { key, items, total } = selected;
        let rows = match &search.each.filter {
            Some(filter) => format!("{} of {} where {filter}", items.len(), counted(total, "row")),
            None => counted(total, "row"),
        };
        let mut message = format!("{rows} in {}", search.words);
        if !key.is_empty() {
            message.push_str(&format!(", identified by {}", key.join(" and ")));
        }
        match declared {
            Some(declared) => message.push_str(&format!(
                "; the table declares {declared}, and only the rows that the page contains are done"
            )),
            None => message.push_str("; only the rows of the page shown"),
        }
        let origin = Some(origin_of(&page.url));
        let iterations = Iterations { variable: search.variable, place: Some(search.words), origin, key, items };
        self.expand_loop(&search.each, iterations, message, EvidenceKind::Element);
    }

    /// Records what the loop runs over. Its steps follow.
    fn expand_loop(&mut self, each: &ForEach, iterations: Iterations, message: String, kind: EvidenceKind) {
        let (count, max) = (iterations.items.len(), self.rules.limits.max_iterations as usize);
        if count > max {
            let ending = Ending::error(
                Code::BudgetExceeded,
                format!("the loop would run {count} times, and `limits.max_iterations` is {max}; nothing was done"),
            );
            let ending = ending.suggest("Select fewer rows with `where`, or raise `limits.max_iterations`.");
            return self.finish_step(ending, StepNotes::default());
        }
        let mut notes = StepNotes::default();
        notes.add_evidence([Evidence::checked(kind, message.clone())]);
        self.expansion = Some(Expansion::Iterations { steps: count * each.steps.len(), iterations });
        self.finish_step(Ending::success(message, None, Validation::Validated), notes);
    }
}

impl RowSearch {
    /// The rows that meet the condition, with the columns that identify them among all rows.
    fn select(&self, found: &LoopRows, page: &Snapshot, known: &RunContext) -> Result<SelectedRows, Box<Ending>> {
        if found.rows.is_empty() {
            return Ok(SelectedRows { key: Vec::new(), items: Vec::new(), total: 0 });
        }
        let key = found.key_columns(self.each.key.as_deref()).map_err(|why| {
            Ending::failure(Code::WorkflowInvalid, format!("the rows of {} cannot be told apart: {why}", self.words))
                .suggest("Name the column that identifies a row: `key: Order`.")
        });
        let key = key.map_err(Box::new)?;
        let mut items = Vec::new();
        for (row, number) in found.rows.iter().zip(1..) {
            let value = escape_placeholders(&row.value());
            if let Some(filter) = &self.each.filter {
                let alone = row.alone(page);
                match self.meets(filter, &value, &alone, &known.variables, &known.effects) {
                    Ok(true) => {}
                    Ok(false) => continue,
                    Err(why) => {
                        let message = format!("`where` cannot be evaluated for row {number}: {why}");
                        return Err(Box::new(Ending::failure(Code::ExpectationNotMet, message)));
                    }
                }
            }
            let texts = row.key(&key).unwrap_or_default();
            items.push(IterationItem { label: label(&texts.join(" · ")), value, key: texts });
        }
        Ok(SelectedRows { key, items, total: found.rows.len() })
    }

    /// Whether the row meets the condition. The error is the reason why that is unknown.
    fn meets(
        &self,
        filter: &str,
        value: &Value,
        alone: &Snapshot,
        variables: &BTreeMap<String, Value>,
        effects: &[PageEffect],
    ) -> Result<bool, String> {
        let mut variables = variables.clone();
        variables.insert(self.variable.clone(), value.clone());
        let resolved = resolve_sentence(filter, &variables);
        if let Some(unknown) = resolved.unknown.first() {
            let columns = value.as_object().map(|cells| cells.keys().cloned().collect::<Vec<_>>().join(", "));
            return Err(format!(
                "${{{unknown}}} has no value; the row has the columns {}",
                columns.unwrap_or_default()
            ));
        }
        let check = read_check(&resolved.text).map_err(|error| error.to_string())?;
        evaluate(&check, alone, &variables, effects)
    }
}

/// The label of a row or value.
fn label(text: &str) -> String {
    one_line(text, MAX_LABEL)
}

/// `1 row`, `2 rows`.
pub(super) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
