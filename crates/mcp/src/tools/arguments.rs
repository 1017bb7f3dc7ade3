//! The arguments of a tool call by name, and the errors of reading them.

use std::collections::BTreeMap;

use legwork_protocol::{Action, ActionInfo, Button, ConsoleLevel, Modifier, Target};
use legwork_verbs::{Field, RequestPart};
use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::{Map, Value};
use thiserror::Error;

/// Why a call cannot be read. The model reads the message and corrects the call.
#[derive(Debug, Error)]
pub(crate) enum InvalidCall {
    #[error("{tool}: {source}")]
    Arguments { tool: String, source: serde_json::Error },
    #[error("{tool}: missing {what}")]
    Lacks { tool: String, what: &'static str },
    #[error("{tool}: {parameter} is {known}, not {given:?}")]
    Unknown { tool: String, parameter: &'static str, known: &'static str, given: String },
    #[error("{tool}: give either task or workflow")]
    Either { tool: String },
    #[error(
        "{tool}: give workflow or task with rows or file to begin a batch, or batch to continue one; the other arguments \
         belong to one of the two"
    )]
    BeginOrContinue { tool: String },
    #[error("there is no tool {tool}")]
    NoTool { tool: String },
}

/// The parameter that every tool accepts.
#[derive(Deserialize)]
pub(super) struct Budget {
    #[serde(default, deserialize_with = "count", alias = "maxTokens")]
    pub(super) max_tokens: Option<usize>,
}

/// The arguments of a call.
pub(super) struct Reader<'a> {
    pub(super) tool: &'a str,
    arguments: Map<String, Value>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(tool: &'a str, arguments: Map<String, Value>) -> Self {
        Reader { tool, arguments }
    }

    /// An argument as JSON.
    pub(super) fn argument(&self, name: &str) -> Option<&Value> {
        self.arguments.get(name)
    }

    pub(super) fn to<T: DeserializeOwned>(&self) -> Result<T, InvalidCall> {
        serde_json::from_value(Value::Object(self.arguments.clone()))
            .map_err(|source| InvalidCall::Arguments { tool: self.tool.to_owned(), source })
    }

    /// The action of a tool that has the parameters of an action.
    pub(super) fn action(&self, info: &ActionInfo) -> Result<Action, InvalidCall> {
        let given = |name: &str| {
            let other_name = if name == "target" { "ref" } else { name };
            self.arguments.get(name).or_else(|| self.arguments.get(other_name)).cloned()
        };
        let parameters = info.parameters().iter().filter_map(|one| Some((one.name.clone(), given(&one.name)?)));
        info.action(parameters.collect())
            .map_err(|source| InvalidCall::Arguments { tool: self.tool.to_owned(), source })
    }

    pub(super) fn lacks(&self, what: &'static str) -> InvalidCall {
        InvalidCall::Lacks { tool: self.tool.to_owned(), what }
    }

    pub(super) fn no_tool(&self) -> InvalidCall {
        InvalidCall::NoTool { tool: self.tool.to_owned() }
    }

    pub(super) fn unknown(&self, parameter: &'static str, known: &'static str, given: &str) -> InvalidCall {
        InvalidCall::Unknown { tool: self.tool.to_owned(), parameter, known, given: given.to_owned() }
    }

    pub(super) fn modifier(&self, name: &str) -> Result<Modifier, InvalidCall> {
        Ok(match name {
            "Alt" => Modifier::Alt,
            "Control" | "Ctrl" => Modifier::Control,
            "ControlOrMeta" if cfg!(target_os = "macos") => Modifier::Meta,
            "ControlOrMeta" => Modifier::Control,
            "Meta" => Modifier::Meta,
            "Shift" => Modifier::Shift,
            other => return Err(self.unknown("modifiers", "Alt, Control, ControlOrMeta, Meta or Shift", other)),
        })
    }
}

/// A whole number, also as a string or with a decimal point, because models write both.
pub(super) fn count<'de, D: Deserializer<'de>>(from: D) -> Result<Option<usize>, D::Error> {
    match Value::deserialize(from)? {
        Value::Null => Ok(None),
        Value::Number(number) if number.as_f64().is_some_and(|n| n >= 0.0) => Ok(number.as_f64().map(|n| n as usize)),
        Value::String(text) if text.trim().parse::<usize>().is_ok() => Ok(text.trim().parse().ok()),
        other => Err(serde::de::Error::custom(format!("expected a number of 0 or more, found {other}"))),
    }
}

fn index<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    count(from)?.map(|index| index as u64).ok_or_else(|| serde::de::Error::missing_field("index"))
}

macro_rules! arguments {
    ($($name:ident { $($(#[$attribute:meta])* $field:ident: $kind:ty),* $(,)? })*) => {$(
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub(super) struct $name { $($(#[$attribute])* pub(super) $field: $kind),* }
    )*};
}

arguments! {
    Url { url: String }
    Snapshot {
        #[serde(default, alias = "ref")] target: Option<Target>,
        #[serde(default, deserialize_with = "count")] depth: Option<usize>,
        #[serde(default)] interactive: bool,
        #[serde(default)] filename: Option<String>,
    }
    Find { #[serde(default)] text: Option<String>, #[serde(default)] regex: Option<String> }
    Clicking {
        #[serde(alias = "ref")] target: Target,
        #[serde(default)] double_click: bool,
        #[serde(default)] button: Button,
        #[serde(default)] modifiers: Vec<String>,
    }
    Typing {
        #[serde(alias = "ref")] target: Target,
        text: String,
        #[serde(default)] submit: bool,
        #[serde(default)] slowly: bool,
    }
    Form { fields: Vec<Field> }
    Targeted { #[serde(alias = "ref")] target: Target }
    Dragging { #[serde(alias = "startRef")] start_target: Target, #[serde(alias = "endRef")] end_target: Target }
    Paths { #[serde(default)] paths: Vec<String> }
    Answer { accept: bool, #[serde(default)] prompt_text: Option<String> }
    Tabs {
        action: String,
        #[serde(default, deserialize_with = "count")] index: Option<usize>,
        #[serde(default)] url: Option<String>,
    }
    Waiting {
        #[serde(default)] time: Option<f64>,
        #[serde(default)] text: Option<String>,
        #[serde(default)] text_gone: Option<String>,
    }
    Picture {
        #[serde(default, alias = "ref")] target: Option<Target>,
        #[serde(default, rename = "type")] format: Option<String>,
        #[serde(default)] full_page: bool,
        #[serde(default)] filename: Option<String>,
    }
    Size { width: f64, height: f64 }
    Extracting {
        #[serde(default)] instruction: Option<String>,
        #[serde(default)] schema: Option<Value>,
        #[serde(default)] fields: Vec<String>,
        #[serde(default)] pages: Option<u32>,
    }
    Step { step: String }
    Replay { run: String, #[serde(default)] inputs: Map<String, Value> }
    Batches {
        #[serde(default)] batch: Option<String>,
        #[serde(default, deserialize_with = "count")] from: Option<usize>,
        #[serde(default, deserialize_with = "count")] limit: Option<usize>,
    }
    Runs { #[serde(default)] run: Option<String>, #[serde(default, deserialize_with = "count")] limit: Option<usize> }
    Script {
        function: String,
        #[serde(default, alias = "ref")] target: Option<Target>,
        #[serde(default)] filename: Option<String>,
    }
    Console {
        #[serde(default = "info")] level: ConsoleLevel,
        #[serde(default)] all: bool,
        #[serde(default)] filename: Option<String>,
    }
    Network {
        #[serde(default, rename = "static")] with_static: bool,
        #[serde(default)] filter: Option<String>,
        #[serde(default)] filename: Option<String>,
    }
    OneRequest {
        #[serde(deserialize_with = "index")] index: u64,
        #[serde(default)] part: Option<RequestPart>,
        #[serde(default)] filename: Option<String>,
    }
    Dropping {
        #[serde(alias = "ref")] target: Target,
        #[serde(default)] paths: Vec<String>,
        #[serde(default)] data: BTreeMap<String, String>,
    }
    Named { #[serde(default)] filename: Option<String> }
    Point { x: f64, y: f64 }
    PointClick {
        x: f64,
        y: f64,
        #[serde(default)] button: Button,
        #[serde(default, deserialize_with = "count")] click_count: Option<usize>,
        #[serde(default, deserialize_with = "count")] delay: Option<usize>,
    }
    PointDrag { start_x: f64, start_y: f64, end_x: f64, end_y: f64 }
    Pressed { #[serde(default)] button: Button }
    Turned { #[serde(default)] delta_x: f64, #[serde(default)] delta_y: f64 }
    CookieFilter { #[serde(default)] domain: Option<String>, #[serde(default)] path: Option<String> }
    Called { name: String }
    Keyed { key: String }
    Valued { key: String, value: String }
    RoleName { role: String, accessible_name: String }
    Text { text: String }
    Items { #[serde(alias = "ref")] target: Target, items: Vec<String> }
    Holding { #[serde(alias = "ref")] target: Target, value: String, #[serde(default, rename = "type")] kind: Option<String> }
    Routing {
        pattern: String,
        #[serde(default, deserialize_with = "count")] status: Option<usize>,
        #[serde(default)] body: Option<String>,
        #[serde(default)] content_type: Option<String>,
        #[serde(default)] headers: Vec<String>,
        #[serde(default)] remove_headers: Option<String>,
    }
    Unrouting { #[serde(default)] pattern: Option<String> }
    State { state: String }
    Marked { #[serde(alias = "ref")] target: Target, #[serde(default)] style: Option<String> }
    Unmarked { #[serde(default, alias = "ref")] target: Option<Target> }
}

fn info() -> ConsoleLevel {
    ConsoleLevel::Info
}
