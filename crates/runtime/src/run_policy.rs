//! The policy of one run: what its user wrote, what its pages showed, and how often its rules let actions through.
//!
//! The drive loop reports observations, results and events here, and asks before it writes the intent of an action.
//! Pages are indexed only if a model or a program may decide in the run: the values of literal steps are the words of
//! the user and variables, whose origins are on record.

mod client;
mod entered;
mod limits;
mod start;

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use legwork_agent::provenance::{ProvenanceIndex, ValuePart, has_common_words_only, stands_alone};
use legwork_browser::ElementFacts;
use legwork_observe::{
    Snapshot, fingerprint,
    sites::{is_front_page, origin_of, site_name},
};
use legwork_protocol::{
    Action, ActionResult, DecidedBy, Event, EventKind, PolicyDecision, PolicyEffect, Provenance, RunStart, StepPlan,
    StepResult, Tab, Target, placeholders,
};
use serde_json::Value;
use url::Url;

use self::entered::Entered;
use crate::{
    action_policy::{
        ActionClass, ActionFacts, Carrier, KeyEffect, NamedSites, PolicyLayers, Ruling, classes, is_navigation,
        key_effect, pastes,
    },
    secrets::handles_in,
};

/// The policy of one run.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunPolicy {
    layers: PolicyLayers,
    sites: NamedSites,
    index: ProvenanceIndex,
    /// The words of the task or of the steps, without the values of inputs and without answers.
    task_words: ProvenanceIndex,
    /// Whether pages are indexed.
    indexes_pages: bool,
    /// Whether the default policy applies.
    has_default: bool,
    /// Whether the words are those of a client and not of the user. They name no sites and state no actions, so that
    /// only the sites of flags are named.
    is_client: bool,
    last_page: Option<u64>,
    has_seen_page: bool,
    /// Whether a tool has answered.
    has_called_tool: bool,
    /// The first address that the run opened.
    first_opened: Option<Url>,
    /// The values of variables and of their fields (`row.order`) as text, with their origins.
    variables: BTreeMap<String, (String, Provenance)>,
    /// The steps, whose words name tools and state actions.
    plan: StepPlan,
    /// Whether the run is a single task, whose words state a goal and not its actions.
    is_task: bool,
    /// The origins of pages that may have filled the clipboard. A page can do so in response to a click, and a copy of
    /// nothing changes nothing, so an origin is never removed.
    clipboard: BTreeSet<String>,
    /// What the run itself entered and composed.
    entered: Entered,
    /// How many actions each rule has let through.
    counts: BTreeMap<String, u32>,
}

/// What a policy starts with.
pub(crate) struct PolicySetup<'a> {
    pub(crate) layers: PolicyLayers,
    /// The sites of `--allow-write` and `--allowed-domains`.
    pub(crate) flags: Vec<String>,
    /// Whether the default policy applies.
    pub(crate) has_default: bool,
    /// The origins to which secrets are bound.
    pub(crate) secret_origins: Vec<Url>,
    /// Whether a model or a program may decide.
    pub(crate) is_driven: bool,
    /// If a client wrote the words and the user named the sites with a flag: what the client was shown before.
    pub(crate) client: Option<ProvenanceIndex>,
    /// What the user's tools say about themselves, such as the names of their parameters.
    pub(crate) tools: Vec<String>,
    pub(crate) start: &'a RunStart,
}

impl RunPolicy {
    /// The policy of a run.
    pub(crate) fn new(setup: PolicySetup<'_>) -> RunPolicy {
        let mut policy = RunPolicy {
            layers: setup.layers,
            sites: NamedSites::of_rules(&setup.flags),
            indexes_pages: setup.is_driven || setup.client.is_some(),
            has_default: setup.has_default,
            is_client: setup.client.is_some(),
            index: setup.client.unwrap_or_default(),
            ..RunPolicy::default()
        };
        policy.indexes_pages &= !policy.is_idle();
        if !policy.is_client {
            setup.secret_origins.iter().for_each(|origin| policy.sites.add(origin));
        }
        setup.tools.iter().for_each(|text| policy.index.note_user(text));
        let workflow = &setup.start.workflow;
        for step in workflow.all_steps() {
            let words = step.texts().join("\n");
            policy.task_words.note_user(&words);
            policy.note_words(&words);
        }
        policy.plan = StepPlan::new(&workflow.steps);
        policy.is_task = setup.start.task;
        let defaults = workflow.inputs.values().filter_map(|input| input.default.as_ref());
        for value in setup.start.inputs.values().chain(defaults) {
            policy.note_words(&as_text(value));
        }
        if let Some(url) = &workflow.url {
            policy.note_words(url);
            if let (false, Ok(url)) = (policy.is_client, Url::parse(url)) {
                policy.sites.start(&url);
            }
        }
        policy
    }

    /// The policy of a page that a client drives action by action. Nobody's words name sites, so the default policy
    /// applies only if flags name them; with `is_client`, only these are named, and not the site of the first page.
    pub(crate) fn of_page(layers: PolicyLayers, flags: Vec<String>, has_default: bool, is_client: bool) -> RunPolicy {
        RunPolicy {
            layers,
            sites: NamedSites::of_rules(&flags),
            indexes_pages: true,
            has_default,
            is_client,
            ..RunPolicy::default()
        }
    }

    /// What the pages showed, for a run on the same page.
    pub(crate) fn index(&self) -> &ProvenanceIndex {
        &self.index
    }

    /// Whether no rule can apply, so that nothing has to be known about actions.
    pub(crate) fn is_idle(&self) -> bool {
        !self.has_default && self.layers.is_empty()
    }

    /// Restores what earlier processes of the run knew, from its journal.
    pub(crate) fn restore(&mut self, events: &[Event]) {
        let mut url = "";
        let mut started = None;
        for event in events {
            match &event.kind {
                EventKind::PageObserved(page) => {
                    url = &page.url;
                    self.note_start(url);
                }
                EventKind::CommandStarted { action, decider, .. } => {
                    self.note_input(action, url, None);
                    self.note_entered(action, *decider == DecidedBy::Literal);
                    started = Some(action);
                }
                EventKind::CommandCompleted { result, .. } | EventKind::CommandFailed { result, .. } => {
                    if !result.url.is_empty() {
                        url = &result.url;
                    }
                    match started.take() {
                        Some(action) => self.note_result(action, result),
                        None => self.note_values(Provenance::Page(origin_of(&result.url)), result),
                    }
                }
                EventKind::DataExtracted { data, url, .. } => {
                    self.index.note(Provenance::Page(origin_of(url)), &as_text(data));
                }
                EventKind::PolicyDecided(decision) => self.count(decision),
                kind => self.note_event(kind),
            }
        }
    }

    /// Adds a text that a model of the run was shown before, on a page of this address.
    pub(crate) fn note_shown(&mut self, url: &str, text: &str) {
        if self.indexes_pages {
            self.index.note(Provenance::Page(origin_of(url)), text);
        }
    }

    /// Follows the events of the run.
    pub(crate) fn note_event(&mut self, kind: &EventKind) {
        match kind {
            EventKind::VariableUpdated(variable) => {
                let (text, provenance) = (as_text(&variable.value), variable.provenance());
                match provenance {
                    Provenance::User => self.note_words(&text),
                    ref origin => self.index.note(origin.clone(), &text),
                }
                // The columns of a row that a loop has left are not those of the next one.
                let fields_before = format!("{}.", variable.name);
                self.variables.retain(|name, _| !name.starts_with(&fields_before));
                for (field, value) in variable.value.as_object().into_iter().flatten() {
                    let name = reference_key(&format!("{fields_before}{field}"));
                    self.variables.insert(name, (as_text(value), provenance.clone()));
                }
                self.variables.insert(variable.name.clone(), (text, provenance));
            }
            // A person answers, also in a run that a client started.
            EventKind::QuestionAnswered { answer } => {
                self.index.note_user(answer);
                self.sites.note_words(answer);
            }
            EventKind::StepCompleted(StepResult { index, expansion: Some(expansion), .. }) => {
                self.plan.expand(*index, expansion);
            }
            _ => {}
        }
    }

    /// Adds an observed page.
    pub(crate) fn note_page(&mut self, page: &Snapshot) {
        self.note_start(&page.url);
        if self.indexes_pages {
            let fingerprint = fingerprint(page);
            if self.last_page.replace(fingerprint) != Some(fingerprint) {
                let entered = Arc::clone(&self.entered.values);
                self.index.note_page_except(page, |link| entered.carried_by(link).is_some());
            }
        }
    }

    /// Notes an action that is about to be executed on this page and element: the page may fill the clipboard, and an
    /// address that is opened is the first one only once.
    pub(crate) fn note_input(&mut self, action: &Action, url: &str, element: Option<&ElementFacts>) {
        if self.first_opened.is_none() {
            self.first_opened = opened_address(action);
        }
        if matches!(action.carried_out(), Action::Click(_) | Action::Press(_) | Action::Drag(_)) {
            let origins = [origin_of(url), element.map(|facts| origin_of(&facts.origin)).unwrap_or_default()];
            self.clipboard.extend(origins.into_iter().filter(|origin| !origin.is_empty()));
        }
    }

    /// Adds what an action returned: a text of the page, or the result of a tool.
    pub(crate) fn note_result(&mut self, action: &Action, result: &ActionResult) {
        let origin = match action {
            Action::Call(call) => {
                self.has_called_tool = true;
                Provenance::Tool(call.tool.clone())
            }
            _ => Provenance::Page(origin_of(&result.url)),
        };
        self.note_values(origin, result);
    }

    fn note_values(&mut self, origin: Provenance, result: &ActionResult) {
        if let (true, Some(value)) = (self.indexes_pages, &result.value) {
            self.index.note(origin, &as_text(value));
        }
    }

    /// Adds words of the user. Those of a client may come from any page that it has read.
    fn note_words(&mut self, text: &str) {
        if self.is_client {
            return;
        }
        self.index.note_user(text);
        self.sites.note_words(text);
    }

    /// The site of the first page is the start site, or the site to which the start address led.
    fn note_start(&mut self, url: &str) {
        if self.has_seen_page || self.is_client || !url.starts_with("http") {
            return;
        }
        self.has_seen_page = true;
        if let Ok(url) = Url::parse(url) {
            self.sites.start(&url);
        }
    }

    /// Whether a decision about this action needs to know its element.
    pub(crate) fn needs_element(&self, action: &Action, decider: DecidedBy) -> bool {
        let carried = action.carried_out();
        let on_element = matches!(carried, Action::Type(_) | Action::Press(_)) || carried.target().is_some();
        let reads = matches!(
            carried,
            Action::Hover(_)
                | Action::Focus(_)
                | Action::Blur(_)
                | Action::Scroll(_)
                | Action::Save(_)
                | Action::Read(_)
                | Action::Subdom(_)
                | Action::Look(_)
        );
        let by_default = self.has_default && !self.is_by_user(decider);
        on_element && !reads && (!self.layers.is_empty() || by_default)
    }

    /// Whether the words of the user are an action that was decided in this way.
    fn is_by_user(&self, decider: DecidedBy) -> bool {
        decider == DecidedBy::Literal && !self.is_client
    }

    /// Decides about an action with these facts.
    pub(crate) fn decide(&self, facts: &ActionFacts) -> Ruling {
        let mut ruling = self.layers.decide(facts, &self.counts, self.has_default);
        if self.is_client && !ruling.by_file && ruling.decision.effect != PolicyEffect::Allow {
            // No words of a client allow anything.
            let host = facts.place.as_ref().and_then(Url::host_str).filter(|_| !facts.is_named_site);
            ruling.hint = match host {
                Some(host) => format!("`--allow-write {host}` allows it"),
                None => "a rule of the user's policy (`--policy FILE`, docs/policy.md) can allow it".to_owned(),
            };
        }
        ruling
    }

    /// Decides about something whose element is unknown, with these classes.
    pub(crate) fn decide_classes(&self, name: &str, classes: BTreeSet<ActionClass>, page: &PagePlace<'_>) -> Ruling {
        let place = Url::parse(page.url).ok().filter(Url::has_host);
        let is_blank = page.url.is_empty() || page.url.starts_with("about:");
        self.decide(&ActionFacts {
            action: name.to_owned(),
            classes,
            is_named_site: place.as_ref().is_some_and(|place| self.sites.has(place)),
            is_opaque: place.is_none() && !is_blank,
            place,
            connected_sites: self.sites.in_words().clone(),
            ..ActionFacts::default()
        })
    }

    /// Notes that an action is executed, for rules with a count.
    pub(crate) fn count(&mut self, decision: &PolicyDecision) {
        let goes_ahead = decision.effect == PolicyEffect::Allow || decision.approved == Some(true);
        if goes_ahead && !decision.rule.starts_with("default:") {
            *self.counts.entry(decision.rule.clone()).or_default() += 1;
        }
    }

    /// What is known about an action, on this page and element.
    pub(crate) fn facts(
        &self,
        action: &Action,
        decider: DecidedBy,
        step: Option<usize>,
        page: &PagePlace<'_>,
        element: Option<&ElementFacts>,
    ) -> ActionFacts {
        let none = ElementFacts::default();
        let carried = action.carried_out();
        let by_user = self.is_by_user(decider);
        let mut facts = ActionFacts {
            action: action.name().to_owned(),
            classes: classes(action, element.unwrap_or(&none), page.dialog),
            by_user,
            connected_sites: self.sites.in_words().clone(),
            ..ActionFacts::default()
        };
        let words = step.and_then(|step| self.plan.steps().get(step));
        let words = &words.map(|planned| planned.step.texts().join("\n")).unwrap_or_default();
        let mut texts: Vec<String> = Vec::new();
        // What the words of a step must name as well: the key.
        let mut needed: Vec<String> = Vec::new();
        match carried {
            Action::Open(open) => texts.push(open.url.clone()),
            Action::Tab(Tab::Open { url: Some(url) }) => texts.push(url.clone()),
            Action::Call(call) => {
                facts.carrier = Carrier::Tool;
                facts.tool = Some((call.tool.clone(), !self.is_client && names_word(words, &call.tool)));
                texts_in(&call.arguments, &mut texts);
            }
            Action::Upload(upload) => {
                facts.carrier = Carrier::File;
                // The folder is one of those that the user allowed.
                let name = |file: &String| file.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
                texts.extend(upload.files.iter().map(name));
            }
            Action::Fill(fill) => texts.push(fill.text.clone()),
            Action::Type(typed) => texts.push(typed.text.clone()),
            Action::Drag(_) => needed.extend(page.drop.map(|drop| drop.name.clone())),
            Action::Press(press) if key_effect(&press.key) != KeyEffect::Presses => needed.push(press.key.clone()),
            Action::Select(select) => texts.extend(select.values.iter().cloned()),
            _ => {}
        }
        if let Action::Dialog(dialog) = action {
            texts.extend(dialog.text.clone());
        }
        if is_navigation(carried) {
            facts.carrier = Carrier::Address;
            facts.place = opened_address(action);
            if let Some(place) = &facts.place {
                facts.is_known_address = self.index.has_address(place) || self.is_plain_front_page(place);
                facts.is_start = self.may_start_at(place);
                texts = vec![decoded_address(place)];
            }
        } else if facts.tool.is_none() {
            // A dragged value goes to the document of the drop target.
            let origin = page.drop.or(element).map(|facts| facts.origin.as_str()).filter(|origin| !origin.is_empty());
            let place = Url::parse(origin.unwrap_or(page.url)).ok().filter(|url| url.has_host());
            let is_blank = page.url.is_empty() || page.url.starts_with("about:");
            facts.is_opaque = place.is_none() && !is_blank;
            facts.place = place;
            // A form is sent to the site of its action. Where the document itself is on a site that is not named, that
            // is the reason.
            if facts.classes.contains(&ActionClass::Submit)
                && facts.place.as_ref().is_some_and(|place| self.sites.has(place))
                && let Some(target) = element.and_then(form_target)
                && !self.sites.has(&target)
            {
                facts.place = Some(target);
            }
            facts.element = element.map(|facts| facts.name.clone()).or_else(|| page.dialog.map(str::to_owned));
        }
        facts.by_user |= !self.is_client && self.states(words, &facts, texts.iter().chain(&needed));
        let by_user = facts.by_user;
        facts.leads_to = element.and_then(|element| self.entered_link(carried, element)).filter(|_| !by_user);
        facts.is_named_site = facts.place.as_ref().is_some_and(|place| self.sites.has(place));
        facts.values = texts.iter().flat_map(|text| self.parts(text, by_user, words)).collect();
        if let (Some(from), Some(to)) = (element, page.drop)
            && from.origin != to.origin
        {
            facts.values.push(page_part(&format!("the dragged {:?}", from.name), &from.origin));
        }
        if pastes(carried, element.unwrap_or(&none)) {
            // One part for each page: the content may come from any of them.
            let clipboard = self.clipboard.iter().map(|origin| page_part("the content of the clipboard", origin));
            facts.values.extend(clipboard);
        }
        facts
    }

    /// Whether the words of a step state this action: they name its element and contain what it enters. Then a model
    /// carries out what the user wrote, wherever the element is; the field of a payment, for example, is in a frame of
    /// another site.
    ///
    /// A page chooses the names of its elements, so a field that is called `ou` or `our` must not be what `our book`
    /// means: a name counts as whole words, and one of common words only in quotation marks.
    fn states<'t>(&self, words: &str, facts: &ActionFacts, mut texts: impl Iterator<Item = &'t String>) -> bool {
        let Some(element) = facts.element.as_deref().map(str::trim).filter(|name| name.chars().count() > 1) else {
            return false;
        };
        if self.is_task || facts.carrier != Carrier::Page {
            return false;
        }
        // The value of a variable may be a page's, so it is compared as a whole and never becomes words of the user.
        let references: BTreeSet<String> = placeholders(words).map(reference_key).collect();
        let named: Vec<&str> = references.iter().filter_map(|name| Some(self.variables.get(name)?.0.trim())).collect();
        let words = words.to_lowercase();
        let contains = |text: &str| !text.is_empty() && names_word(&words, &text.to_lowercase());
        let named_element = match has_common_words_only(element) {
            true => quotes(&words, &element.to_lowercase()),
            false => contains(element),
        };
        named_element && texts.all(|text| contains(text.trim()) || named.contains(&text.trim()))
    }

    /// Whether an address is the front page of a site whose name is no data of a page. Pages mention sites by one word
    /// (`wikipedia`), or by their whole address; a code or several words of a page could have been put into the name.
    fn is_plain_front_page(&self, address: &Url) -> bool {
        let name = site_name(address).unwrap_or_default();
        let is_read = |part: &ValuePart| {
            part.origins.iter().all(|origin| matches!(origin, Provenance::Page(_) | Provenance::Tool(_)))
        };
        let is_one_word = name.chars().all(char::is_alphabetic);
        let host = address.host_str().unwrap_or_default();
        is_front_page(address)
            && (is_one_word
                || self.index.contains(host.strip_prefix("www.").unwrap_or(host))
                || !self.index.classify(name, &[]).iter().any(is_read))
    }

    /// The parts of a value with their origins.
    fn parts(&self, text: &str, by_user: bool, words: &str) -> Vec<ValuePart> {
        let secrets = handles_in(text);
        let secret = |name: &&str| ValuePart {
            text: format!("${{secret:{name}}}"),
            origins: BTreeSet::from([Provenance::Secret]),
        };
        let mut parts: Vec<ValuePart> = secrets.iter().map(secret).collect();
        let rest = secrets.iter().fold(text.to_owned(), |rest, name| rest.replace(&format!("${{secret:{name}}}"), " "));
        // The variables that the user's words name for this step.
        let references: BTreeSet<String> = placeholders(words).map(reference_key).collect();
        let named = self.variables.iter().filter(|(name, _)| references.contains(*name));
        if !by_user {
            let said: Vec<&str> = named.filter(|_| !self.is_client).map(|(_, (value, _))| value.as_str()).collect();
            parts.extend(self.index.classify(&rest, &said));
            return parts;
        }
        let mut own = BTreeSet::from([Provenance::User]);
        let used = named
            .filter(|(_, (value, origin))| *origin != Provenance::User && !value.is_empty() && rest.contains(value));
        own.extend(used.map(|(_, (_, origin))| origin.clone()));
        if !rest.trim().is_empty() {
            parts.extend(
                own.into_iter().map(|origin| ValuePart { text: rest.clone(), origins: BTreeSet::from([origin]) }),
            );
        }
        parts
    }
}

/// The address that an action opens.
fn opened_address(action: &Action) -> Option<Url> {
    let text = match action.carried_out() {
        Action::Open(open) => &open.url,
        Action::Tab(Tab::Open { url: Some(url) }) => url,
        _ => return None,
    };
    Url::parse(text.trim()).ok()
}

/// The address to which an element sends its form.
fn form_target(element: &ElementFacts) -> Option<Url> {
    Url::parse(&element.form_target).ok().filter(|url| matches!(url.scheme(), "http" | "https"))
}

/// Where an action drops what it drags.
pub(crate) fn drop_target(action: &Action) -> Option<&Target> {
    match action.carried_out() {
        Action::Drag(drag) => Some(&drag.to),
        _ => None,
    }
}

/// The page on which an action is executed.
pub(crate) struct PagePlace<'a> {
    /// Its address now; empty if there is none.
    pub(crate) url: &'a str,
    /// The message of its open dialog.
    pub(crate) dialog: Option<&'a str>,
    /// The element on which a drag ends.
    pub(crate) drop: Option<&'a ElementFacts>,
}

/// A value whose content is unknown.
fn page_part(text: &str, origin: &str) -> ValuePart {
    ValuePart { text: text.to_owned(), origins: BTreeSet::from([Provenance::Page(origin.to_owned())]) }
}

/// An address as the words that it carries: without scheme, and decoded.
fn decoded_address(address: &Url) -> String {
    let path = percent_decoded(address.path());
    let pairs = address.query_pairs().map(|(name, value)| format!("{name} {value}"));
    let fragment = percent_decoded(address.fragment().unwrap_or_default());
    let host = address.host_str().unwrap_or_default();
    format!("{host} {path} {} {fragment} {}", pairs.collect::<Vec<_>>().join(" "), percent_decoded(address.username()))
}

fn percent_decoded(text: &str) -> Cow<'_, str> {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy()
}

/// Whether a text contains this name or value as whole words. In a script without spaces, words have no visible end.
fn names_word(text: &str, word: &str) -> bool {
    let continues = |c: Option<char>| c.is_some_and(|c| (c.is_alphanumeric() || c == '_') && !stands_alone(c));
    let goes_on = |inner: Option<char>, outer: Option<char>| continues(inner) && continues(outer);
    text.match_indices(word).any(|(at, _)| {
        !goes_on(word.chars().next(), text[..at].chars().next_back())
            && !goes_on(word.chars().next_back(), text[at + word.len()..].chars().next())
    })
}

/// Whether a text contains this name in quotation marks.
fn quotes(text: &str, name: &str) -> bool {
    let is_mark = |c: Option<char>| c.is_some_and(|c| "\"'`“”„«»‘’‚「」".contains(c));
    text.match_indices(name)
        .any(|(at, _)| is_mark(text[..at].chars().next_back()) && is_mark(text[at + name.len()..].chars().next()))
}

/// The name by which a variable or a field of its value is known: the case of a field does not matter.
fn reference_key(reference: &str) -> String {
    match reference.split_once('.') {
        Some((variable, field)) => format!("{variable}.{}", field.trim().to_lowercase()),
        None => reference.to_owned(),
    }
}

fn as_text(value: &Value) -> String {
    let mut texts = Vec::new();
    texts_in(value, &mut texts);
    texts.join("\n")
}

/// The texts and numbers in a value, and the names of its fields.
fn texts_in(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::Null => {}
        Value::String(text) => into.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts_in(item, into)),
        Value::Object(map) => {
            for (name, item) in map {
                into.push(name.clone());
                texts_in(item, into);
            }
        }
        Value::Bool(_) | Value::Number(_) => into.push(value.to_string()),
    }
}

#[cfg(test)]
mod tests;
