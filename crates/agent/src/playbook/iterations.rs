//! The step of a loop: what its iterations have in common, so that it can be repeated for another row.
//!
//! An element inside the row is identified without anything that belongs to the row. What the agent cannot know from
//! one iteration, several show: a text that is the same in all of them is a part of the step, and one that each time is
//! the text of a column stands for that column.

use std::collections::BTreeMap;

use legwork_protocol::{Action, ElementIdentity};
use serde_json::Value;

use super::{
    ExpectedEffect, OmittedStep, PlaybookAction, PlaybookStep,
    choice::{lets_page_decide, names_text},
};

/// One iteration of a step.
pub(super) struct RecordedIteration {
    /// With parameters only for the variables that the step names.
    by_name: PlaybookStep,
    /// With parameters for all values of the row as well.
    by_value: PlaybookStep,
    /// With parameters for the values in which the rows of the loop differ.
    by_difference: PlaybookStep,
}

impl RecordedIteration {
    /// The step with three sets of parameters: those that it names, all of the row, and those of the row in which the
    /// rows differ.
    pub(super) fn new(by_name: PlaybookStep, by_value: PlaybookStep, by_difference: PlaybookStep) -> RecordedIteration {
        // Two columns may have the same text, so that it is not known which of them is meant.
        let or_by_name = |step: PlaybookStep| match step.actions.len() == by_name.actions.len() {
            true => step,
            false => by_name.clone(),
        };
        let (by_value, by_difference) = (or_by_name(by_value), or_by_name(by_difference));
        RecordedIteration { by_name, by_value, by_difference }
    }
}

/// The same thing of each iteration, in both forms.
struct Variants<'a, T: ?Sized> {
    by_name: Vec<&'a T>,
    by_value: Vec<&'a T>,
}

impl<'a, T: ?Sized> Variants<'a, T> {
    fn each<U: ?Sized>(&self, part: impl Fn(&'a T) -> &'a U) -> Variants<'a, U> {
        let of = |all: &[&'a T]| all.iter().map(|one| part(one)).collect();
        Variants { by_name: of(&self.by_name), by_value: of(&self.by_value) }
    }

    fn all(&self, holds: impl Fn(&T) -> bool) -> bool {
        self.by_name.iter().all(|one| holds(one))
    }

    /// A part that some of them may not have; `None` then.
    fn each_if<U: ?Sized>(&self, part: impl Fn(&'a T) -> Option<&'a U>) -> Option<Variants<'a, U>> {
        let of = |all: &[&'a T]| all.iter().map(|one| part(one)).collect::<Option<Vec<_>>>();
        Some(Variants { by_name: of(&self.by_name)?, by_value: of(&self.by_value)? })
    }
}

impl<T: ?Sized + PartialEq + ToOwned> Variants<'_, T> {
    /// What is the same in all iterations, with as few parameters as possible.
    fn common(&self) -> Option<T::Owned> {
        let equal = |all: &[&T]| {
            let first = all.first().copied()?;
            all.iter().all(|one| *one == first).then(|| first.to_owned())
        };
        equal(&self.by_name).or_else(|| equal(&self.by_value))
    }
}

/// The step of a loop. `words` is its instruction.
pub(super) fn combined(words: &str, iterations: &[RecordedIteration]) -> PlaybookStep {
    let (done, without): (Vec<&RecordedIteration>, Vec<&RecordedIteration>) =
        iterations.iter().partition(|one| !one.by_name.actions.is_empty());
    let reason = without.iter().find_map(|one| one.by_name.left_out.clone());
    let mut groups: BTreeMap<Vec<String>, Vec<&RecordedIteration>> = BTreeMap::new();
    for one in &done {
        groups.entry(one.by_name.actions.iter().map(signature).collect()).or_default().push(one);
    }
    let left_out = |reason| PlaybookStep { left_out: Some(reason), ..PlaybookStep::default() };
    let Some(alike) = groups.into_values().max_by_key(Vec::len) else {
        return left_out(reason.unwrap_or(OmittedStep::NotReached));
    };
    let is_decided = alike.iter().flat_map(|one| &one.by_name.actions).any(|action| action.clause.is_none());
    if is_decided && lets_page_decide(words) {
        return left_out(OmittedStep::Conditional);
    }
    // A row in which a model did nothing needed nothing, and no recorded action says why.
    let has_idle = without.iter().any(|one| one.by_name.left_out == Some(OmittedStep::NoAction));
    if has_idle && !done.is_empty() {
        return left_out(OmittedStep::RowsDiffer);
    }
    // Most rows must agree, and all of them where a model decided: what it did otherwise in one row, it did for a
    // reason that no recorded action contains.
    let is_by_model = done.iter().flat_map(|one| &one.by_name.actions).any(|action| action.clause.is_none());
    let differs = if is_by_model { alike.len() < done.len() } else { alike.len() * 2 <= done.len() };
    if done.len() > 1 && differs {
        return left_out(OmittedStep::RowsDiffer);
    }
    if let [only] = alike.as_slice() {
        return of_one(words, only);
    }
    if let Some(text) = unexplained_text(words, &alike) {
        return left_out(OmittedStep::OneRow { text });
    }
    let count = alike[0].by_name.actions.len();
    let actions = (0..count).map(|at| {
        common_action(&Variants {
            by_name: alike.iter().map(|one| &one.by_name.actions[at]).collect(),
            by_value: alike.iter().map(|one| &one.by_value.actions[at]).collect(),
        })
    });
    match actions.collect::<Option<Vec<PlaybookAction>>>() {
        Some(actions) => {
            PlaybookStep { actions, evidence: alike[0].by_value.evidence.clone(), ..PlaybookStep::default() }
        }
        None => left_out(OmittedStep::RowsDiffer),
    }
}

/// What iterations with the same actions have in common: the action, and the roles of its elements.
fn signature(action: &PlaybookAction) -> String {
    let roles: Vec<&str> = action.elements.values().map(|element| element.role.as_str()).collect();
    format!("{} {} {:?}", action.action.name(), roles.join(" "), action.clause)
}

/// A step whose loop had one iteration. A text that the step does not name may belong to the row.
fn of_one(words: &str, only: &RecordedIteration) -> PlaybookStep {
    let one_row = |text: &str| PlaybookStep {
        left_out: Some(OmittedStep::OneRow { text: text.to_owned() }),
        ..PlaybookStep::default()
    };
    // What contains a text of the row may be the element of that row only, and another one for another row.
    let differing = only.by_name.actions.iter().zip(&only.by_difference.actions).find_map(|(named, differing)| {
        let of_row = |(parameter, element): (&String, &ElementIdentity)| {
            let other = differing.elements.get(parameter)?;
            let is_same = (&element.name, &element.containers) == (&other.name, &other.containers);
            (!is_same).then(|| element.describe())
        };
        named.elements.iter().find_map(of_row)
    });
    if let Some(element) = differing {
        return one_row(&element);
    }
    let pairs = only.by_name.actions.iter().zip(&only.by_value.actions);
    let mut actions = Vec::new();
    for (named, valued) in pairs {
        // An address may contain what belongs to the row, and no other row shows which part of it does.
        let effect = ExpectedEffect { url: None, requests: Vec::new(), ..valued.effect.clone() };
        let mut action = PlaybookAction { effect, ..named.clone() };
        let texts = entered_texts(&named.action);
        if let Some(text) = texts.iter().find(|text| !text.starts_with("${") && !names_text(words, text)) {
            if entered_texts(&valued.action) == texts {
                return one_row(text);
            }
            action.action.clone_from(&valued.action);
            let text = serde_json::to_string(&action.action).unwrap_or_default();
            action.bound.retain(|name, _| !legwork_protocol::placeholders(&text).any(|used| used == name));
        }
        actions.push(action);
    }
    PlaybookStep { actions, ..only.by_value.clone() }
}

/// A text that was typed or chosen in all rows, that the words do not contain, and that in all rows was the text of a
/// column as well: a part of the step, or that column.
fn unexplained_text(words: &str, alike: &[&RecordedIteration]) -> Option<String> {
    let texts = |step: &PlaybookStep| -> Vec<String> {
        step.actions.iter().flat_map(|action| entered_texts(&action.action)).collect()
    };
    let (named, valued): (Vec<_>, Vec<_>) = alike.iter().map(|one| (texts(&one.by_name), texts(&one.by_value))).unzip();
    let is_in_all = |all: &[Vec<String>], at: usize| all.iter().all(|texts| texts.get(at) == all[0].get(at));
    (0..named[0].len())
        .filter(|at| is_in_all(&named, *at) && is_in_all(&valued, *at) && valued[0].get(*at) != named[0].get(*at))
        .map(|at| named[0][at].clone())
        .find(|text| !names_text(words, text))
}

/// The texts that an action types or chooses.
pub(super) fn entered_texts(action: &Action) -> Vec<String> {
    match action.carried_out() {
        Action::Select(select) => select.values.clone(),
        action => {
            super::record::typed_text(action).map(str::to_owned).into_iter().filter(|text| !text.is_empty()).collect()
        }
    }
}

fn common_action(all: &Variants<'_, PlaybookAction>) -> Option<PlaybookAction> {
    let first = all.by_name.first()?;
    let mut elements = BTreeMap::new();
    for parameter in first.elements.keys() {
        let each = all.each_if(|one| one.elements.get(parameter))?;
        elements.insert(parameter.clone(), common_element(&each)?);
    }
    let pages = all.each(|one| one.page.as_str());
    Some(PlaybookAction {
        decided_on: None,
        action: common_parameters(all, &elements)?,
        decider: first.decider,
        clause: first.clause,
        bound: common_bound(all),
        page: pages.common()?,
        effect: common_effect(&all.each(|one| &one.effect)),
        elements,
    })
}

/// The values to which the action is bound in all iterations. If they differ, the action did not depend on them.
fn common_bound(all: &Variants<'_, PlaybookAction>) -> BTreeMap<String, String> {
    let Some(first) = all.by_name.first() else { return BTreeMap::new() };
    let in_all = |(name, digest): &(&String, &String)| all.all(|one| one.bound.get(*name) == Some(*digest));
    first.bound.iter().filter(in_all).map(|(name, digest)| (name.clone(), digest.clone())).collect()
}

/// The action with what its parameters have in common. The texts of its targets are only descriptions.
fn common_parameters(
    all: &Variants<'_, PlaybookAction>,
    elements: &BTreeMap<String, ElementIdentity>,
) -> Option<Action> {
    let described = |one: &&PlaybookAction| {
        super::targets::with_targets(one.action.clone(), &|parameter| {
            elements.get(parameter).map(|element| legwork_protocol::Target(element.describe()))
        })
    };
    let wire = |actions: &[&PlaybookAction]| -> Option<Vec<Value>> {
        actions.iter().map(|one| serde_json::to_value(described(one)).ok()).collect()
    };
    let (by_name, by_value) = (wire(&all.by_name)?, wire(&all.by_value)?);
    let merged = common_value(&Variants { by_name: by_name.iter().collect(), by_value: by_value.iter().collect() })?;
    serde_json::from_value(merged).ok()
}

fn common_value(all: &Variants<'_, Value>) -> Option<Value> {
    if let Some(same) = all.common() {
        return Some(same);
    }
    match all.by_name.first()? {
        Value::Object(first) => {
            let has_same_keys = |value: &Value| value.as_object().is_some_and(|map| map.keys().eq(first.keys()));
            if !all.all(has_same_keys) {
                return None;
            }
            let merged = first.keys().map(|key| Some((key.clone(), common_value(&all.each_if(|one| one.get(key))?)?)));
            merged.collect::<Option<serde_json::Map<_, _>>>().map(Value::Object)
        }
        Value::Array(first) => {
            if !all.all(|value| value.as_array().is_some_and(|items| items.len() == first.len())) {
                return None;
            }
            (0..first.len())
                .map(|at| common_value(&all.each_if(|one| one.get(at))?))
                .collect::<Option<Vec<_>>>()
                .map(Value::Array)
        }
        _ => None,
    }
}

/// What identifies the element in all iterations; `None` if its name or what contains it differs.
fn common_element(all: &Variants<'_, ElementIdentity>) -> Option<ElementIdentity> {
    let first = *all.by_name.first()?;
    let texts =
        |part: fn(&ElementIdentity) -> &Vec<String>| all.each(|one| part(one).as_slice()).common().unwrap_or_default();
    let attribute = |key: &String| {
        let each = all.each_if(|one| one.attributes.get(key))?;
        Some((key.clone(), each.each(String::as_str).common()?))
    };
    let has_same_place = all.all(|one| (one.ordinal, one.count) == (first.ordinal, first.count));
    let (ordinal, count) = if has_same_place { (first.ordinal, first.count) } else { (1, 1) };
    Some(ElementIdentity {
        role: all.each(|one| one.role.as_str()).common()?,
        name: all.each(|one| one.name.as_str()).common()?,
        ordinal,
        count,
        containers: all.each(|one| one.containers.as_slice()).common()?,
        place: all.each(|one| one.place.as_str()).common().unwrap_or_default(),
        frames: all.each(|one| one.frames.as_slice()).common()?,
        attributes: first.attributes.keys().filter_map(attribute).collect(),
        before: texts(|one| &one.before),
        after: texts(|one| &one.after),
        shape: texts(|one| &one.shape),
        secret: first.secret,
        about: texts(|one| &one.about),
        state: all.each(|one| one.state.as_str()).common().unwrap_or_default(),
    })
}

/// The effect that all iterations had. Of the elements that appeared, those of the others are data of their rows.
fn common_effect(all: &Variants<'_, ExpectedEffect>) -> ExpectedEffect {
    let Some(first) = all.by_value.first().copied() else { return ExpectedEffect::default() };
    let others = &all.by_value[1..];
    let in_all = |part: fn(&ExpectedEffect) -> &Vec<String>| -> Vec<String> {
        part(first).iter().filter(|text| others.iter().all(|other| part(other).contains(text))).cloned().collect()
    };
    let requests = first.requests.iter().filter(|request| others.iter().all(|other| other.requests.contains(request)));
    ExpectedEffect {
        url: all.each_if(|one| one.url.as_deref()).and_then(|urls| urls.common()),
        requests: requests.cloned().collect(),
        download: all.all(|one| one.download),
        dialog: all.all(|one| one.dialog),
        tab: all.all(|one| one.tab),
        appeared: in_all(|one| &one.appeared),
        disappeared: in_all(|one| &one.disappeared),
    }
}
