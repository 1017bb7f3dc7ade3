//! What a person does in the browser, as the steps of a workflow (docs/recording.md).
//!
//! [`Recorder`] receives the events of a session in order and keeps one step for each meaning: the keys of a text are
//! one step with the final value, a click that only moves the focus to a field is no step. Each sentence is resolved on
//! the page as it was before the input; one that does not lead to exactly the element that was used is marked. Pure: no
//! IO.

mod candidates;
mod typed_secrets;
mod verify;

use std::{collections::BTreeMap, sync::Arc};

use legwork::{
    browser::{PersonalValue, UserEvent, UserEventKind, UserInput, UserInputKind},
    observe::{Node, NodeKey, Snapshot},
};
use legwork_protocol::{
    Button, Click, DialogKind, Drag, Input, Modifier, Ref, Step, Target, Workflow, is_variable_name,
};
use legwork_steps::{Clause, is_control, read};

use self::typed_secrets::TypedSecrets;
pub(crate) use self::{
    candidates::phrases,
    verify::{Intent, UsedElement},
};
use crate::{
    sentence::{Verb, ordinal, quoted, secret_name, variable_name},
    workflow_text::workflow_text_with_comments,
};

/// The options of a recording.
#[derive(Clone, Debug, Default)]
pub struct RecorderOptions {
    /// The name of the workflow.
    pub name: String,
    /// The address that was opened before the recording.
    pub url: Option<String>,
    /// Whether typed values become inputs of the workflow, with the typed value as the default.
    pub inputs: bool,
}

/// A recorded step.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedStep {
    /// The step.
    pub step: Step,
    /// Why it may not lead to the element that was used; `None` if it was checked on the page.
    pub doubt: Option<String>,
}

/// Converts what a person does to steps.
#[derive(Debug)]
pub struct Recorder {
    options: RecorderOptions,
    entries: Vec<Entry>,
    inputs: BTreeMap<String, Input>,
    secrets: Vec<String>,
    /// What was typed into fields for secrets.
    typed_secrets: TypedSecrets,
    files: Vec<String>,
    /// The open tabs with the tabs that opened them, in the order in which they were opened.
    tabs: Vec<OpenTab>,
    /// The tab in which a run of the steps so far would continue.
    current: u32,
    /// The field of the last input, and the page before it was filled in.
    field: Option<FieldInUse>,
    /// The page before the last click on a text.
    before_click: Option<Arc<Snapshot>>,
}

#[derive(Clone, Copy, Debug)]
struct OpenTab {
    number: u32,
    opener: Option<u32>,
    /// Whether the person opened it in the browser's own window, and nothing was done in it yet.
    is_blank: bool,
}

#[derive(Debug)]
struct Entry {
    recorded: RecordedStep,
    key: Option<NodeKey>,
    kind: StepKind,
}

/// What later events have to know of a step.
#[derive(Clone, Debug, PartialEq)]
enum StepKind {
    Click {
        count: u32,
        /// Whether a click only moves the focus to the element.
        focuses: bool,
        /// Whether quick clicks on the element are one double-click.
        joins: bool,
    },
    /// A text; further values replace it until the field loses the focus.
    Fill {
        is_open: bool,
    },
    /// Options of a list; what is chosen next in it replaces them.
    Select,
    /// A click on a text that is no control according to the page. If the page is the same afterwards, it is no step.
    ClickOnText,
    CloseTab,
    Other,
}

#[derive(Clone, Debug)]
struct FieldInUse {
    key: NodeKey,
    page: Arc<Snapshot>,
    element: Option<Ref>,
    selector: Option<String>,
    /// The phrase that leads to the field.
    phrase: Option<String>,
}

impl Recorder {
    /// A recording in a session with one tab.
    pub fn new(options: RecorderOptions) -> Self {
        Recorder {
            options,
            entries: Vec::new(),
            inputs: BTreeMap::new(),
            secrets: Vec::new(),
            typed_secrets: TypedSecrets::default(),
            files: Vec::new(),
            tabs: vec![OpenTab { number: 1, opener: None, is_blank: false }],
            current: 1,
            field: None,
            before_click: None,
        }
    }

    /// The steps so far.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = &RecordedStep> {
        self.entries.iter().map(|entry| &entry.recorded)
    }

    /// The number of steps that the next event of the same element cannot change. A step with a dialog can still
    /// receive the answer.
    pub fn final_step_count(&self) -> usize {
        let is_open = |entry: &Entry| match entry.kind {
            StepKind::Fill { is_open } => is_open,
            StepKind::Click { focuses, .. } => focuses,
            StepKind::ClickOnText => true,
            StepKind::Select | StepKind::CloseTab | StepKind::Other => false,
        };
        self.entries.len() - usize::from(self.entries.last().is_some_and(is_open))
    }

    /// The names of the secrets that the steps use.
    pub fn secrets(&self) -> &[String] {
        &self.secrets
    }

    /// The names of the files that the steps upload.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// The names of the inputs that have no default.
    pub fn required_inputs(&self) -> impl Iterator<Item = &str> {
        self.inputs.iter().filter(|(_, input)| input.default.is_none()).map(|(name, _)| name.as_str())
    }

    /// The address with which the workflow begins.
    pub fn url(&self) -> Option<&str> {
        self.options.url.as_deref()
    }

    /// Ends the recording: tabs that were closed last were closed to end it.
    pub fn finish(&mut self) {
        while self.entries.last().is_some_and(|entry| entry.kind == StepKind::CloseTab) {
            self.entries.pop();
        }
        if let Some(Entry { kind: StepKind::Fill { is_open } | StepKind::Click { focuses: is_open, .. }, .. }) =
            self.entries.last_mut()
        {
            *is_open = false;
        }
    }

    /// The workflow of the steps so far.
    pub fn workflow(&self) -> Workflow {
        Workflow {
            name: self.options.name.clone(),
            url: self.options.url.clone(),
            inputs: self.inputs.clone(),
            steps: self.steps().map(|recorded| recorded.step.clone()).collect(),
        }
    }

    /// The workflow as the text of a file, with a comment above each step that was not verified.
    pub fn text(&self) -> String {
        let mut head = String::new();
        for secret in &self.secrets {
            head += &format!("# Run with --secret {secret}; its value was not recorded.\n");
        }
        let comments: Vec<Option<&str>> = self.steps().map(|recorded| recorded.doubt.as_deref()).collect();
        head + &workflow_text_with_comments(&self.workflow(), &comments)
    }

    /// Removes the last step if it was a click on a text to which the page did not react.
    fn decide_click_on_text(&mut self, page: &Snapshot) {
        let Some(before) = self.before_click.take() else { return };
        let texts = |page: &Snapshot| -> Vec<(String, String)> {
            page.nodes.iter().map(|node| (node.role.to_string(), node.name.to_string())).collect()
        };
        let is_last = self.entries.last().is_some_and(|last| last.kind == StepKind::ClickOnText);
        if is_last && before.url == page.url && texts(&before) == texts(page) {
            self.entries.pop();
        }
    }

    /// Adds what a person did.
    pub fn note(&mut self, event: &UserEvent) {
        self.note_secret(event);
        self.add(event);
        self.remove_secrets();
    }

    fn note_secret(&mut self, event: &UserEvent) {
        let UserEventKind::Input(input) = &event.kind else { return self.typed_secrets.complete_current() };
        match (&input.kind, input.key) {
            (UserInputKind::Fill { concealed: Some(value), .. }, Some(key)) => {
                self.typed_secrets.record(key, value.expose())
            }
            _ => self.typed_secrets.complete_current(),
        }
    }

    /// Removes what was typed into fields for secrets from everything that is recorded: a page may repeat it.
    fn remove_secrets(&mut self) {
        if self.typed_secrets.is_empty() {
            return;
        }
        for Entry { recorded, .. } in &mut self.entries {
            if self.typed_secrets.remove_from_step(&mut recorded.step) {
                recorded.doubt = Some(
                    "the page repeats here what was typed into a field for a secret, which was removed: name the element \
                     in other words"
                        .to_owned(),
                );
            } else if let Some(doubt) = &mut recorded.doubt {
                self.typed_secrets.remove_from(doubt);
            }
        }
        let defaults = self.inputs.values_mut().filter_map(|input| input.default.as_mut());
        for default in defaults {
            if let serde_json::Value::String(text) = default {
                self.typed_secrets.remove_from(text);
            }
        }
        self.options.url.iter_mut().chain(&mut self.files).for_each(|text| _ = self.typed_secrets.remove_from(text));
        // The name of a secret that was named after a label with the value is not used any more.
        let is_used = |name: &String| {
            let handle = format!("${{secret:{name}}}");
            self.entries.iter().any(|entry| entry.recorded.step.step.contains(&handle))
        };
        self.secrets.retain(is_used);
    }

    fn add(&mut self, event: &UserEvent) {
        if let UserEventKind::Input(input) = &event.kind
            && let Some(page) = &input.page
        {
            self.decide_click_on_text(page);
        }
        match &event.kind {
            UserEventKind::Input(input) => self.input(event.tab, input),
            UserEventKind::Opened { url } => self.opened(event.tab, url),
            UserEventKind::WentBack => self.in_tab(event.tab, "Go back"),
            UserEventKind::WentForward => self.in_tab(event.tab, "Go forward"),
            UserEventKind::Reloaded => self.in_tab(event.tab, "Reload the page"),
            UserEventKind::TabOpened { opener, by_input } => {
                self.tabs.push(OpenTab { number: event.tab, opener: *opener, is_blank: !by_input });
                if *by_input {
                    self.current = event.tab;
                }
            }
            UserEventKind::TabClosed { by_input } => self.tab_closed(event.tab, *by_input),
            UserEventKind::DialogAnswered { kind, accepted, text } => self.dialog_answered(*kind, *accepted, text),
        }
    }

    fn push(&mut self, step: Step, doubt: Option<String>, key: Option<NodeKey>, kind: StepKind) {
        self.entries.push(Entry { recorded: RecordedStep { step, doubt }, key, kind });
    }

    fn say(&mut self, sentence: impl Into<String>, kind: StepKind) {
        self.push(Step::new(sentence), None, None, kind);
    }

    fn in_tab(&mut self, tab: u32, sentence: &str) {
        self.switch_to(tab);
        self.say(sentence, StepKind::Other);
    }

    fn opened(&mut self, tab: u32, url: &str) {
        let is_first = self.entries.is_empty() && self.options.url.is_none();
        let blank = self.tabs.iter_mut().find(|open| open.number == tab && open.is_blank);
        if let Some(blank) = blank {
            blank.is_blank = false;
            self.current = tab;
            self.say(format!("Open a new tab at {url}"), StepKind::Other);
        } else if is_first {
            self.options.url = Some(url.to_owned());
        } else {
            self.in_tab(tab, &format!("Open {url}"));
        }
    }

    /// Adds the step that makes a tab current, if it is not.
    fn switch_to(&mut self, tab: u32) {
        let Some(at) = self.tabs.iter().position(|open| open.number == tab) else { return };
        let was_blank = std::mem::take(&mut self.tabs[at].is_blank);
        if self.current == tab {
            return;
        }
        self.current = tab;
        // A tab that a page opened by itself, after the page was used.
        let is_new = was_blank && self.tabs[at].opener.is_some() && at + 1 == self.tabs.len();
        let sentence =
            if is_new { "Switch to the new tab".to_owned() } else { format!("Switch to the {} tab", ordinal(at)) };
        self.say(sentence, StepKind::Other);
    }

    fn tab_closed(&mut self, tab: u32, by_input: bool) {
        let Some(at) = self.tabs.iter().position(|open| open.number == tab) else { return };
        let closed = self.tabs.remove(at);
        if self.tabs.is_empty() {
            return;
        }
        if self.current != tab {
            if !by_input {
                self.say(format!("Close the {} tab", ordinal(at)), StepKind::CloseTab);
            }
            return;
        }
        if !by_input {
            self.say("Close the tab", StepKind::CloseTab);
        }
        // As in a run, the tab that opened it is current again.
        let is_open = |number: &u32| self.tabs.iter().any(|open| open.number == *number);
        self.current = closed.opener.filter(is_open).unwrap_or_default();
    }

    fn dialog_answered(&mut self, kind: DialogKind, accepted: bool, text: &str) {
        if kind == DialogKind::Alert {
            // It has one answer, which a run gives by itself.
            return;
        }
        let (joined, alone) = match (kind, accepted, quoted(text)) {
            (DialogKind::Prompt, true, Some(text)) => {
                (format!("answer the prompt with {text}"), format!("Answer the prompt with {text}"))
            }
            (_, true, _) => ("accept the dialog".to_owned(), "Accept the dialog".to_owned()),
            (_, false, _) => ("dismiss the dialog".to_owned(), "Dismiss the dialog".to_owned()),
        };
        if let Some(Entry { recorded, kind, .. }) = self.entries.last_mut()
            && recorded.step.action.is_none()
        {
            let whole = format!("{} and {joined}", recorded.step.step);
            let is_carried = read(&whole).is_ok_and(|sentence| {
                matches!(sentence.clauses(), [Clause::Do(action), Clause::Do(answer)]
                    if action.carries_answer() && answer.answers_dialog())
            });
            if is_carried {
                recorded.step.step = whole;
                *kind = StepKind::Other;
                return;
            }
        }
        self.say(alone, StepKind::Other);
    }

    fn input(&mut self, tab: u32, input: &UserInput) {
        if input.kind == UserInputKind::Leave {
            if let Some(Entry { kind: StepKind::Fill { is_open }, .. }) = self.entries.last_mut() {
                *is_open = false;
            }
            return;
        }
        if let UserInputKind::Fill { text, personal, .. } = &input.kind {
            return self.fill(tab, input, text.as_deref(), *personal);
        }
        let Some(page) = input.page.clone() else { return };
        self.switch_to(tab);
        let on = UsedElement { page: &page, element: input.element, selector: input.selector.as_deref() };
        match &input.kind {
            UserInputKind::Click { count, button, modifiers } => self.click(input, &on, *count, *button, modifiers),
            UserInputKind::Check { on: is_on } => {
                let verb = if *is_on { Verb::Check } else { Verb::Uncheck };
                self.act(input, &on, verb, StepKind::Other);
            }
            UserInputKind::Select { values } => {
                if self.entries.last().is_some_and(|last| last.key == input.key && last.kind == StepKind::Select) {
                    self.entries.pop();
                }
                self.act(input, &on, Verb::Select(values.clone()), StepKind::Select);
            }
            UserInputKind::Upload { files } => self.upload(input, &on, files),
            UserInputKind::Press { key } => self.press(input, &on, key),
            UserInputKind::Drag => self.drag(input, &on),
            UserInputKind::Verify { text } => {
                let (step, doubt) = verify::check(&page, text);
                self.push(step, doubt, None, StepKind::Other);
            }
            UserInputKind::Fill { .. } | UserInputKind::Leave => {}
        }
    }

    fn act(&mut self, input: &UserInput, on: &UsedElement<'_>, verb: Verb, kind: StepKind) {
        let (step, doubt) = on.step(&Intent::Verb(verb));
        self.push(step, doubt, input.key, kind);
    }

    fn click(&mut self, input: &UserInput, on: &UsedElement<'_>, count: u32, button: Button, modifiers: &[Modifier]) {
        let node = on.node().map(|at| &on.page.nodes[at]).filter(|node| node.states.actionable() || on.is_text());
        // A click beside everything moves the focus at most. One on a text may be on an option of a list that says
        // nothing about its options; whether the page reacts to it is seen on its next observation.
        let text = input.text.as_deref().filter(|text| !text.is_empty());
        // One listener for all options: the container is not what was clicked.
        let is_part = |node: &&Node| {
            node.role.as_ref() == "generic" && text.is_some_and(|text| node.name.trim() != text && on.label() != text)
        };
        let reacts = node.is_some();
        let node = node.filter(|node| !is_part(node));
        if let (None, Some(text)) = (node, text) {
            let action =
                Click { count: count as u8, button, modifiers: modifiers.to_vec(), ..Click::on(Target(String::new())) };
            let (step, doubt) = on.click_on_text(&action, text);
            // An element with a listener reacts, whatever the page shows.
            self.before_click = input.page.clone().filter(|_| !reacts);
            let kind = if reacts { StepKind::Other } else { StepKind::ClickOnText };
            return self.push(step, doubt, input.key, kind);
        }
        let Some(node) = node else { return };
        let is_control = is_control(&node.role) && node.role.as_ref() != "row";
        let kind = StepKind::Click { count, focuses: node.states.editable(), joins: !is_control };
        let joined = match self.entries.last() {
            Some(Entry { key, kind: StepKind::Click { count: before, joins: true, .. }, .. }) => {
                *key == input.key && count == before + 1 && count <= 3 && button == Button::Left
            }
            _ => false,
        };
        if joined {
            self.entries.pop();
        }
        let clicks = if joined { count } else { 1 };
        let target = Target::from(on.reference());
        let action = Click { count: clicks as u8, button, modifiers: modifiers.to_vec(), ..Click::on(target) };
        let (step, doubt) = on.step(&Intent::Click(action));
        self.push(step, doubt, input.key, kind);
    }

    fn fill(&mut self, tab: u32, input: &UserInput, text: Option<&str>, personal: Option<PersonalValue>) {
        let Some(key) = input.key else { return };
        match (&input.page, &self.field) {
            (Some(page), _) => {
                let (page, element, selector) = (page.clone(), input.element, input.selector.clone());
                self.field = Some(FieldInUse { key, page, element, selector, phrase: None });
            }
            (None, Some(field)) if field.key == key => {}
            // The beginning of this input was not reported.
            (None, _) => return,
        }
        let Some(field) = self.field.clone() else { return };
        self.switch_to(tab);
        let on = UsedElement { page: &field.page, element: field.element, selector: field.selector.as_deref() };
        let last = self.entries.last().map(|entry| (entry.key == Some(key), entry.kind.clone()));
        if let Some((true, StepKind::Fill { is_open: true } | StepKind::Click { focuses: true, .. })) = last {
            self.entries.pop();
        }
        let mut label = on.label();
        self.typed_secrets.remove_from(&mut label);
        let typed = match (personal, text) {
            (Some(PersonalValue::Card), _) => self.input_for(&label, "card", None),
            (Some(PersonalValue::Secret), _) | (None, None) => {
                let name = secret_name(&label);
                if !self.secrets.contains(&name) {
                    self.secrets.push(name.clone());
                }
                format!("${{secret:{name}}}")
            }
            (None, Some(text)) => {
                // What cannot be in a sentence becomes an input too.
                let is_plain = quoted(text).is_some() && !text.contains("${");
                if text.is_empty() || (is_plain && !self.options.inputs) {
                    text.to_owned()
                } else {
                    self.input_for(&label, "text", Some(text))
                }
            }
        };
        let mut phrase = field.phrase.clone();
        let (mut step, mut doubt) = on.fill(&Verb::Fill(typed), &mut phrase);
        if let (Some(_), Some(text), None) = (&doubt, text, personal) {
            // The text may be what no sentence can contain.
            (step, doubt) = on.fill(&Verb::Fill(self.input_for(&label, "text", Some(text))), &mut phrase);
        }
        if let Some(field) = &mut self.field {
            field.phrase = phrase;
        }
        self.push(step, doubt, Some(key), StepKind::Fill { is_open: true });
    }

    /// The variable of an input that is named after a field. The same field has the same input as long as it is filled
    /// in.
    fn input_for(&mut self, label: &str, otherwise: &str, default: Option<&str>) -> String {
        let base =
            Some(variable_name(label)).filter(|name| is_variable_name(name)).unwrap_or_else(|| otherwise.to_owned());
        let is_used = |name: &str| {
            let variable = format!("${{{name}}}");
            self.entries.iter().any(|entry| entry.recorded.step.step.contains(&variable))
        };
        let mut name = base.clone();
        for number in 2.. {
            if !is_used(&name) {
                break;
            }
            name = format!("{base}_{number}");
        }
        let default = default.map(serde_json::Value::from);
        self.inputs.insert(name.clone(), Input { default, description: None });
        format!("${{{name}}}")
    }

    fn upload(&mut self, input: &UserInput, on: &UsedElement<'_>, files: &[String]) {
        self.files.extend(files.iter().filter(|file| !self.files.contains(file)).cloned().collect::<Vec<_>>());
        let is_shown = on.node().is_some_and(|at| {
            on.page.nodes[at].attributes.as_ref().is_some_and(|a| a.input.as_deref() == Some("file"))
        });
        let quoted_files: Option<Vec<String>> = files.iter().map(|file| quoted(file)).collect();
        if !is_shown
            && let Some(files) = quoted_files.filter(|files| !files.is_empty())
            && let Some(Entry { recorded, kind: kind @ StepKind::Click { .. }, .. }) = self.entries.last_mut()
            && let Some(target) = recorded.step.step.strip_prefix("Click ")
        {
            // A button opened the chooser of a hidden field.
            let whole = format!("Upload {} by clicking {target}", files.join(" and "));
            if read(&whole).is_ok() {
                recorded.step.step = whole;
                *kind = StepKind::Other;
                return;
            }
        }
        self.act(input, on, Verb::Upload(files.to_vec()), StepKind::Other);
    }

    fn press(&mut self, input: &UserInput, on: &UsedElement<'_>, key: &str) {
        let same = input.key.is_some() && self.entries.last().is_some_and(|entry| entry.key == input.key);
        let is_anywhere =
            same || on.node().is_none() || key == "Escape" || key.contains("Control+") || key.contains("Meta+");
        let intent =
            if is_anywhere { Intent::Press(key.to_owned()) } else { Intent::Verb(Verb::Press(key.to_owned())) };
        let (step, doubt) = on.step(&intent);
        self.push(step, doubt, input.key, StepKind::Other);
    }

    fn drag(&mut self, input: &UserInput, on: &UsedElement<'_>) {
        let Some(onto) = input.onto else { return };
        let target = Target::from(on.reference());
        let (step, doubt) = on.step(&Intent::Drag(Drag { target, to: Target::from(onto) }));
        self.push(step, doubt, input.key, StepKind::Other);
    }
}
