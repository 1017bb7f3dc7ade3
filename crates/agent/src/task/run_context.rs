//! The state of a run across its steps, and the context that is passed to a step with each result.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use legwork_observe::{NodeIndex, Snapshot, fingerprint_text, sites::origin_of};
use legwork_protocol::{
    Action, ActionFailure, ActionResult, Code, CommandId, DecidedBy, Effect, ErrorReport, EventKind, Evidence,
    EvidenceKind, FinalPage, Open, PageEffect, Phase, Provenance, Tab, Usage, VariableInfo, VariableSource,
};
use legwork_steps::{OtherRecord, SavedValue};
use serde_json::Value;
use url::Url;

use super::{StepNotes, found_text::FoundTexts};
use crate::{
    DeciderChoice, Intent, Rules,
    evidence::{Churn, Covered, SetFields, Unanswered},
    memory::Memory,
    playbook::LivePage,
    provenance::ProvenanceIndex,
    schema::is_path,
    workflow::variables::{Resolved, resolve, resolve_sentence},
};

/// The number of effects that are kept; checks need only recent ones.
const EFFECTS: usize = 200;

/// The state of a run across its steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunContext {
    /// The variables by name; secrets are handles.
    pub(crate) variables: BTreeMap<String, Value>,
    /// The variables whose values come from a page. They reach a model only as quoted text.
    pub(crate) extracted: BTreeSet<String>,
    /// The effects of actions, in order.
    pub(crate) effects: Vec<PageEffect>,
    /// The last observed page.
    pub(crate) page: Option<Arc<Snapshot>>,
    /// The page before the last action that may have changed something; absent if it was not observed.
    pub(crate) before_action: Option<Arc<Snapshot>>,
    /// The last observed page with the rows that the current iteration of a loop does not see; absent outside such an
    /// iteration.
    pub(crate) whole_page: Option<Arc<Snapshot>>,
    /// The row of the loop on the last observed page; absent outside a loop over rows, and if the page does not show
    /// it.
    pub(crate) row: Option<NodeIndex>,
    /// The texts of pages that change without an action.
    pub(crate) churn: Churn,
    /// The content that open dialogs and menus cover.
    pub(crate) covered: Covered,
    /// The fields that were set since the last other action.
    pub(crate) set_fields: SetFields,
    /// Requests for changes that have no response yet.
    pub(crate) unanswered: Unanswered,
    /// Whether the last action that may have changed something entered text into a field and did not leave it.
    pub(crate) leaves_field_focused: bool,
    /// Whether no action was executed since the last observation.
    pub(crate) is_page_current: bool,
    /// Tokens and cost of model calls.
    pub(crate) usage: Usage,
    /// Number of executed actions.
    pub(crate) actions: u32,
    /// The phase of the agent loop.
    pub(crate) phase: Option<Phase>,
    /// What the steps taught, and what other runs learned.
    pub(crate) memory: Memory,
    /// The results of the last investigations.
    pub(crate) found: FoundTexts,
    /// The texts of the pages that a model saw in this run.
    pub(crate) seen_by_model: ProvenanceIndex,
    /// The command that the agent executes itself and that has not ended, with its name.
    under_way: Option<(CommandId, &'static str)>,
}

/// The context for handling a result: the time, the rules, the state of the run, and the list of new events.
pub(crate) struct StepContext<'a> {
    pub(crate) now: Duration,
    pub(crate) rules: &'a Rules,
    pub(crate) run_context: &'a mut RunContext,
    pub(crate) facts: &'a mut Vec<EventKind>,
}

impl RunContext {
    /// Adds an observation of the page.
    pub(crate) fn observe(&mut self, page: Arc<Snapshot>) {
        if let Some(before) = self.page.as_ref().filter(|before| !Arc::ptr_eq(before, &page)) {
            if self.is_page_current {
                self.churn.learn(before, &page);
            }
            self.covered.learn(before, &page, !self.is_page_current);
        }
        (self.page, self.is_page_current) = (Some(page), true);
    }

    /// Adds an effect.
    pub(crate) fn effect(&mut self, effect: PageEffect) {
        if self.effects.len() == EFFECTS {
            self.effects.remove(0);
        }
        self.effects.push(effect);
    }

    /// Applies the result of one action; returns the variable that it set.
    pub(crate) fn apply_result(&mut self, action: &Action, result: &ActionResult) -> Option<VariableInfo> {
        self.actions += 1;
        if action.effect() != Effect::ReadOnly {
            self.leaves_field_focused = result.ok() && enters_text(action);
        }
        self.is_page_current &= action.effect() == Effect::ReadOnly && !matches!(action, Action::Wait(_));
        result.effects.iter().for_each(|effect| self.effect(effect.clone()));
        let variable = match action {
            Action::Save(save) => &save.variable,
            Action::Extract(extract) => extract.variable.as_ref()?,
            _ => return None,
        };
        let (Some(value), true) = (&result.value, result.ok()) else { return None };
        Some(self.extracted(variable.clone(), value, &result.url))
    }

    /// The page, if no action was executed since it was observed.
    pub(crate) fn final_page(&self) -> Option<FinalPage> {
        let page = self.whole_page.as_ref().or(self.page.as_ref()).filter(|_| self.is_page_current)?;
        let fingerprint = fingerprint_text(page);
        Some(FinalPage { url: page.url.clone(), title: page.title.clone(), fingerprint })
    }

    /// Sets a variable to a value that was read from the page at `url`.
    fn extracted(&mut self, name: String, value: &Value, url: &str) -> VariableInfo {
        let value = escape_placeholders(value);
        self.extracted.insert(name.clone());
        let previous_value = self.variables.insert(name.clone(), value.clone());
        VariableInfo {
            name,
            value,
            previous_value,
            source: VariableSource::Extracted,
            provenance: Some(Provenance::Page(origin_of(url))),
        }
    }
}

/// Whether an action enters text into a field and leaves the focus there.
fn enters_text(action: &Action) -> bool {
    match action.carried_out() {
        Action::Fill(fill) => !fill.submit,
        Action::Type(typed) => !typed.text.ends_with('\n'),
        _ => false,
    }
}

/// Escapes `${` in a text of a page. The text is data and must not refer to a secret or a variable of the workflow.
pub(crate) fn escape_placeholders(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(text.replace("${", "$ {")),
        Value::Array(items) => Value::Array(items.iter().map(escape_placeholders).collect()),
        Value::Object(map) => Value::Object(
            map.iter().map(|(key, value)| (key.replace("${", "$ {"), escape_placeholders(value))).collect(),
        ),
        other => other.clone(),
    }
}

impl StepContext<'_> {
    /// The page, if no action was executed since it was observed: it need not be observed again.
    pub(crate) fn fresh_page(&self) -> Option<Arc<Snapshot>> {
        self.run_context.page.clone().filter(|_| self.run_context.is_page_current)
    }

    /// A page of the run, as recorded elements are looked for on it.
    pub(crate) fn live<'a>(&'a self, page: &'a Snapshot) -> LivePage<'a> {
        LivePage { page, row: self.run_context.row, variables: &self.run_context.variables }
    }

    /// Whether a model or the program's own decider can take over when the parser does not understand a step.
    pub(crate) fn others_may_decide(&self) -> bool {
        (self.rules.model.is_some() || self.rules.custom) && self.rules.decider != DeciderChoice::Literal
    }

    /// Emits an event. A phase is emitted only when it changes.
    pub(crate) fn emit(&mut self, kind: EventKind) {
        if let EventKind::PhaseChanged { phase } = kind
            && self.run_context.phase.replace(phase) == Some(phase)
        {
            return;
        }
        match &kind {
            EventKind::CommandStarted { command_id: command, action, .. } => {
                self.run_context.under_way = Some((*command, action.name()));
            }
            EventKind::CommandCompleted { .. } | EventKind::CommandFailed { .. } => self.run_context.under_way = None,
            _ => {}
        }
        self.run_context.memory.on_event(&kind);
        self.facts.push(kind);
    }

    /// Records an end for a command of the agent that the end of its step interrupts.
    pub(super) fn break_off(&mut self, why: &str) {
        let Some((command, name)) = self.run_context.under_way.take() else { return };
        let failure = ActionFailure::Interrupted { action: name.to_owned(), reason: format!("broken off: {why}") };
        let result = Box::new(ActionResult::failed(failure, Duration::ZERO));
        self.emit(EventKind::CommandFailed { command_id: command, result });
    }

    pub(crate) fn phase(&mut self, phase: Phase) {
        self.emit(EventKind::PhaseChanged { phase });
    }

    /// Emits an error event about a problem that does not stop the run.
    pub(crate) fn emit_error(&mut self, code: Code, message: impl Into<String>) {
        self.emit(EventKind::ErrorOccurred(ErrorReport::new(code, message)));
    }

    pub(crate) fn warn(&mut self, message: impl Into<String>) {
        self.emit(EventKind::WarningIssued { message: message.into() });
    }

    /// Replaces the variables in a text. Unknown variables stay, with a warning.
    pub(crate) fn resolve(&mut self, text: &str) -> String {
        let resolved = resolve(text, &self.run_context.variables);
        self.text_of(resolved)
    }

    fn text_of(&mut self, resolved: Resolved) -> String {
        for name in resolved.unknown {
            self.warn(format!("${{{name}}} has no value and is left unchanged"));
        }
        if resolved.named_secret {
            self.warn("the value of a variable names a secret; values cannot, so it is used as plain text");
        }
        resolved.text
    }

    /// Replaces the variables in each text of an action, and a path to open by its address on the current page's site.
    /// What may be opened is decided about this address.
    pub(crate) fn resolve_action(&mut self, action: Action) -> Action {
        let Ok(mut wire) = serde_json::to_value(&action) else { return action };
        self.fill(&mut wire["parameters"]);
        let mut resolved = serde_json::from_value(wire).unwrap_or(action);
        let page = self.run_context.page.as_deref().and_then(|page| Url::parse(&page.url).ok());
        if let (Action::Open(Open { url, .. }) | Action::Tab(Tab::Open { url: Some(url) }), Some(page)) =
            (&mut resolved, page)
            && is_path(url)
            && let Ok(address) = page.join(url.trim())
            && address.origin() == page.origin()
        {
            *url = address.into();
        }
        resolved
    }

    fn fill(&mut self, value: &mut Value) {
        match value {
            Value::String(text) if text.contains("${") => *text = self.resolve(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.fill(item)),
            Value::Object(map) => map.values_mut().for_each(|item| self.fill(item)),
            _ => {}
        }
    }

    /// Replaces the variables in a text for the parser: each value becomes one quoted text.
    pub(crate) fn resolve_sentence(&mut self, text: &str) -> String {
        let resolved = resolve_sentence(text, &self.run_context.variables);
        self.text_of(resolved)
    }

    /// The text as a model reads it: variables whose values come from a page stay, and their values are quoted
    /// elsewhere.
    pub(crate) fn resolve_for_model(&self, text: &str) -> String {
        let mut ours = self.run_context.variables.clone();
        ours.retain(|name, _| !self.run_context.extracted.contains(name));
        resolve(text, &ours).text
    }

    /// Applies the results of actions.
    pub(crate) fn apply_result(&mut self, intents: &[Intent], results: &[ActionResult], notes: &mut StepNotes) {
        for (intent, result) in intents.iter().zip(results) {
            notes.decider = Some(intent.decider);
            notes.errors.count(result.ok());
            let page = self.run_context.page.as_ref().map(|page| page.url.clone());
            self.run_context.memory.on_action(page.as_deref(), &intent.action, result);
            if let Some(variable) = self.run_context.apply_result(&intent.action, result) {
                self.updated(variable, None, notes);
            }
        }
    }

    /// Saves a value that a sentence reads from the page itself.
    pub(crate) fn save(&mut self, saved: SavedValue, notes: &mut StepNotes) {
        notes.iterations += 1;
        notes.decider = Some(DecidedBy::Literal);
        let url = self.run_context.page.as_ref().map(|page| page.url.clone()).unwrap_or_default();
        let variable = self.run_context.extracted(saved.variable, &saved.value, &url);
        self.updated(variable, saved.record.as_ref(), notes);
    }

    fn updated(&mut self, variable: VariableInfo, record: Option<&OtherRecord>, notes: &mut StepNotes) {
        let found_at = record.map(|record| format!(", found at {:?}", record.name)).unwrap_or_default();
        let fact = format!("{} is {}{found_at}", variable.name, variable.value);
        let is_other = record.is_some_and(|record| record.in_part);
        let evidence = if is_other { Evidence::neutral } else { Evidence::seen };
        notes.add_evidence([evidence(EvidenceKind::Variable, fact)]);
        notes.lacks_support |= is_other;
        self.emit(EventKind::VariableUpdated(variable));
    }
}
