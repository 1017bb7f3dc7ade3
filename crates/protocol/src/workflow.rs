//! The workflow that a person writes: steps, inputs, and what to do with a step that was interrupted.

mod group;
mod plan;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::{Action, canonical_action, placeholders, variable_of};
pub use group::{ForEach, IfElse, StepGroup};
pub use plan::{Branch, Expansion, IterationItem, IterationPlace, Iterations, PlannedStep, StepPlan};

/// A workflow: steps and inputs with a name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Workflow {
    /// The name.
    pub name: String,
    /// The page to open before the first step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The inputs, which the steps use as `${name}`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, Input>,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

impl Workflow {
    /// All steps, including those in groups: a group comes before its steps.
    pub fn all_steps(&self) -> Vec<&Step> {
        fn add<'a>(steps: &'a [Step], into: &mut Vec<&'a Step>) {
            for step in steps {
                into.push(step);
                step.group.iter().flat_map(|group| group.lists()).for_each(|list| add(list, into));
            }
        }
        let mut all = Vec::new();
        add(&self.steps, &mut all);
        all
    }

    /// The variables that a run of it can be given: its inputs, and those that its steps name, even if a step sets
    /// them.
    pub fn variables(&self) -> BTreeSet<String> {
        // The text contains each `${…}` as its author wrote it.
        let text = serde_json::to_string(self).unwrap_or_default();
        let named = placeholders(&text).filter_map(variable_of).map(str::to_owned);
        self.inputs.keys().cloned().chain(named).collect()
    }

    /// The index in [`Workflow::all_steps`] of a step: its index in the workflow, and in each group around it, where
    /// the steps of `else` follow those of `then`.
    pub fn written_index(&self, step: usize, path: &[usize]) -> usize {
        let before = |steps: &[&Step]| steps.iter().map(|step| plan::size(std::slice::from_ref(*step))).sum::<usize>();
        let mut list: Vec<&Step> = self.steps.iter().collect();
        let mut index = before(&list[..step.min(list.len())]);
        let mut at = step;
        for below in path {
            let Some(group) = list.get(at).and_then(|step| step.group.as_deref()) else { break };
            list = group.lists().into_iter().flatten().collect();
            index += 1 + before(&list[..(*below).min(list.len())]);
            at = *below;
        }
        index
    }

    /// Whether a step is a group of steps.
    pub fn has_groups(&self) -> bool {
        self.steps.iter().any(|step| step.group.is_some())
    }
}

/// One input. In a file, a plain value is the default of the input; a map also sets the other fields.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Input {
    /// The value when the caller provides none. An input without a default is required.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// The description that is shown when a person is asked for the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

impl<'de> Deserialize<'de> for Input {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Full {
            #[serde(default)]
            default: Option<Value>,
            #[serde(default)]
            description: Option<String>,
        }
        match Value::deserialize(from)? {
            map @ Value::Object(_) => serde_json::from_value::<Full>(map)
                .map(|full| Input { default: full.default, description: full.description })
                .map_err(serde::de::Error::custom),
            Value::Null => Ok(Input::default()),
            plain => Ok(Input { default: Some(plain), description: None }),
        }
    }
}

/// One instruction in natural language, with its options. In a file it can be a plain string.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema)]
#[schemars(with = "StepWire")]
pub struct Step {
    /// The instruction.
    pub step: String,
    /// A condition that must hold on the page after the step, in the syntax of a check.
    pub expect: Option<String>,
    /// A condition without which the step is skipped, in the syntax of a check.
    pub when: Option<String>,
    /// What to do when a run is resumed and the journal has the intent of an action of this step but no result.
    pub on_resume: Option<OnResume>,
    /// The timeout of the step; it can only shorten the step timeout of the settings.
    pub timeout: Option<Duration>,
    /// The action that the step executes. The instruction is then only a title.
    pub action: Option<Action>,
    /// Whether the step is skipped if its element is not there.
    pub optional: bool,
    /// The steps in this step. The instruction is then only a title, and the other options are not set.
    pub group: Option<Box<StepGroup>>,
}

impl Step {
    /// A step that consists only of an instruction.
    pub fn new(step: impl Into<String>) -> Self {
        Step { step: step.into(), ..Step::default() }
    }

    /// A step that is a group of steps.
    pub fn of_group(group: StepGroup) -> Self {
        Step { step: group.title(), group: Some(Box::new(group)), ..Step::default() }
    }

    /// All texts of the step itself, in which variables and secrets may be named: those of its action as JSON, without
    /// those of the steps in it.
    pub fn texts(&self) -> Vec<String> {
        let action = self.action.as_ref().and_then(|action| serde_json::to_string(action).ok());
        let group = self.group.iter().flat_map(|group| group.texts()).map(str::to_owned);
        let own = [self.expect.clone(), self.when.clone(), action].into_iter().flatten();
        let words = self.group.is_none().then(|| self.step.clone());
        words.into_iter().chain(own).chain(group).collect()
    }

    fn is_bare(&self) -> bool {
        self.expect.is_none()
            && self.when.is_none()
            && self.on_resume.is_none()
            && self.timeout.is_none()
            && self.action.is_none()
            && !self.optional
    }
}

/// What to do with an action whose intent is in the journal and whose result is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnResume {
    /// Repeat the step: the author asserts that this is safe.
    Retry,
    /// Check the page: if the step's expectation holds, continue, otherwise ask.
    Verify,
    /// Park the run as `outcome_unknown` so that a person decides.
    Ask,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum StepWire {
    Bare(String),
    Full(Box<FullStep>),
    If(Box<IfElse>),
    ForEach(Box<ForEach>),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FullStep {
    step: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expect: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    when: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    on_resume: Option<OnResume>,
    /// Seconds, or a number with a unit such as `90s`, `2m`, `500ms`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timeout: Option<Value>,
    /// `{"action": "click", "parameters": {"target": "#save"}}`: executed without change instead of the instruction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    action: Option<Action>,
    /// Skips the step if its element is not there within two seconds.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    optional: bool,
}

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.group.as_deref() {
            Some(StepGroup::If(branches)) => return branches.serialize(to),
            Some(StepGroup::ForEach(each)) => return each.serialize(to),
            None => {}
        }
        if self.is_bare() {
            return self.step.serialize(to);
        }
        FullStep {
            step: self.step.clone(),
            expect: self.expect.clone(),
            when: self.when.clone(),
            on_resume: self.on_resume,
            timeout: self.timeout.map(|t| Value::String(format!("{}ms", t.as_millis()))),
            action: self.action.clone(),
            optional: self.optional,
        }
        .serialize(to)
    }
}

impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        // Not an untagged enum, because its error would only report that nothing matched.
        match Value::deserialize(from)? {
            Value::String(step) => Ok(Step::new(step)),
            Value::Object(map) => {
                if let Some(group) = StepGroup::of_map(&map) {
                    return group.map(Step::of_group).map_err(Error::custom);
                }
                let mut map = map;
                if let Some(action) = map.get_mut("action") {
                    *action = canonical_action(action.take());
                }
                let full: FullStep = serde_json::from_value(Value::Object(map)).map_err(Error::custom)?;
                let timeout = match &full.timeout {
                    None | Some(Value::Null) => None,
                    Some(value) => Some(duration_of(value).ok_or_else(|| {
                        Error::custom(format!("timeout {value}: expected seconds, or a number with ms, s, m or h"))
                    })?),
                };
                let FullStep { step, expect, when, on_resume, action, optional, .. } = full;
                Ok(Step { step, expect, when, on_resume, timeout, action, optional, group: None })
            }
            other => Err(Error::custom(format!(
                "a step is a string or a map with `step`, `if` or `for_each`, found {other}"
            ))),
        }
    }
}

fn duration_of(value: &Value) -> Option<Duration> {
    match value {
        Value::Number(seconds) => Duration::try_from_secs_f64(seconds.as_f64()?).ok(),
        Value::String(text) => parse_duration(text),
        _ => None,
    }
}

/// Parses `90`, `90s`, `1.5m`, `500ms` or `2h`; a number without a unit is in seconds.
pub fn parse_duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: f64 = number.trim().parse().ok()?;
    let seconds = match unit.trim() {
        "ms" => number / 1000.0,
        "" | "s" | "sec" | "second" | "seconds" => number,
        "m" | "min" | "minute" | "minutes" => number * 60.0,
        "h" | "hour" | "hours" => number * 3600.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(seconds).ok()
}
