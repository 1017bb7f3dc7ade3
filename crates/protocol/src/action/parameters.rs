//! The parameters of each action as data, read from the schema that its types generate: name, documentation, whether it
//! is required. The verbs and tools that have the same parameters as an action are built from it.

use std::{collections::BTreeMap, sync::LazyLock};

use serde_json::{Map, Value, json};

use super::{Action, ActionInfo};

/// A parameter of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionParameter {
    /// The name on the wire.
    pub name: String,
    /// The documentation.
    pub doc: String,
    /// Whether it is required.
    pub required: bool,
    /// The kind of its value.
    pub kind: ParameterKind,
}

/// The kind of a parameter's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// An element.
    Target,
    /// A text.
    Text,
    /// Several texts.
    Texts,
    /// True or false.
    Flag,
    /// A number.
    Number,
    /// Anything else.
    Other,
}

/// The content of an action's schema.
struct Described {
    doc: String,
    parameters: Vec<ActionParameter>,
}

static DESCRIBED: LazyLock<BTreeMap<String, Described>> = LazyLock::new(|| {
    let root = schemars::schema_for!(Action).to_value();
    let variants = root["oneOf"].as_array().cloned().unwrap_or_default();
    let described = |variant: &Value| {
        let name = variant["properties"]["action"]["const"].as_str()?.to_owned();
        let doc = in_one_line(&variant["description"]);
        let parameters = referred(&variant["properties"]["parameters"], &root);
        let required = parameters["required"].as_array().cloned().unwrap_or_default();
        let of = |(name, schema): (&String, &Value)| ActionParameter {
            name: name.clone(),
            doc: in_one_line(&schema["description"]),
            required: required.contains(&json!(name)),
            kind: kind(schema),
        };
        let parameters = parameters["properties"].as_object().into_iter().flatten().map(of).collect();
        Some((name, Described { doc, parameters }))
    };
    variants.iter().filter_map(described).collect()
});

fn referred<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    let name = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/"));
    name.map_or(schema, |name| &root["$defs"][name])
}

/// Documentation is wrapped in the source. The last full stop is removed, because tables and lists show the text
/// without it.
fn in_one_line(description: &Value) -> String {
    let text = description.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    text.strip_suffix('.').unwrap_or(&text).to_owned()
}

fn kind(schema: &Value) -> ParameterKind {
    let is_target = |schema: &Value| schema["$ref"] == "#/$defs/Target";
    let alternatives = schema["anyOf"].as_array().into_iter().flatten();
    if is_target(schema) || alternatives.into_iter().any(is_target) {
        return ParameterKind::Target;
    }
    let is =
        |kind: &str| schema["type"] == kind || schema["type"].as_array().is_some_and(|all| all.contains(&json!(kind)));
    match () {
        () if is("string") => ParameterKind::Text,
        () if is("boolean") => ParameterKind::Flag,
        () if is("integer") || is("number") => ParameterKind::Number,
        () if is("array") && schema["items"]["type"] == "string" => ParameterKind::Texts,
        () => ParameterKind::Other,
    }
}

impl ActionInfo {
    /// The description of the action for models, without the full stop.
    pub fn doc(&self) -> &'static str {
        &DESCRIBED[self.name].doc
    }

    /// Its parameters, in the order of their declaration.
    pub fn parameters(&self) -> &'static [ActionParameter] {
        &DESCRIBED[self.name].parameters
    }

    /// Creates the action from these parameters.
    ///
    /// # Errors
    /// If a parameter is missing, unknown or of another type.
    pub fn action(&self, parameters: Map<String, Value>) -> Result<Action, serde_json::Error> {
        serde_json::from_value(json!({ "action": self.name, "parameters": parameters }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ACTIONS, Notation};

    #[test]
    fn every_entry_has_the_name_of_its_action_and_names_what_exists() {
        let mut names: Vec<&str> =
            ACTIONS.iter().flat_map(|info| [info.name].into_iter().chain(info.aliases.iter().copied())).collect();
        assert_eq!(ACTIONS.len(), DESCRIBED.len());
        for info in ACTIONS {
            assert!(!info.doc().is_empty(), "{}", info.name);
            let has = |name: &str| info.parameters().iter().any(|parameter| parameter.name == name);
            for (_, parameter) in info.parameter_aliases.iter().chain(info.prepositions) {
                assert!(has(parameter), "{}: {parameter}", info.name);
            }
            for name in info.omitted_from_schema.iter().chain(info.positional) {
                let parameter = info.parameters().iter().find(|parameter| parameter.name == *name);
                assert!(parameter.is_some_and(|parameter| !parameter.required), "{}: {name}", info.name);
            }
        }
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "a name stands for two actions");
    }

    #[test]
    fn what_is_built_from_parameters_has_only_those_that_can_be_written() {
        let plain = |notation: Notation| matches!(notation, Notation::Plain(_));
        for info in ACTIONS.iter().filter(|info| plain(info.verb) || plain(info.tool)) {
            for parameter in info.parameters() {
                let written = !matches!(parameter.kind, ParameterKind::Number | ParameterKind::Other);
                assert!(written, "{}: {}", info.name, parameter.name);
            }
        }
    }

    #[test]
    fn parameters_are_those_of_the_types() {
        let select = ActionInfo::named("select").expect("an action");
        let found: Vec<_> = select.parameters().iter().map(|one| (one.name.as_str(), one.required, one.kind)).collect();
        assert_eq!(found, [("target", true, ParameterKind::Target), ("values", true, ParameterKind::Texts)]);
        assert_eq!(ActionInfo::named("back").expect("an action").parameters(), []);
        let press = ActionInfo::named("press").expect("an action").parameters();
        assert_eq!((press[1].kind, press[1].required), (ParameterKind::Target, false));
        assert_eq!(press[1].doc, "The element to focus first");
    }
}
