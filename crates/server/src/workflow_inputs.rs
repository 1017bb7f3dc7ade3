//! The inputs of a workflow as a form needs them: their types, defaults and descriptions; and the names of its secrets.

use std::collections::{BTreeMap, BTreeSet};

use legwork::{
    protocol::{Input, Workflow, is_variable_name},
    secrets::handles_in,
    workflow_file::{PreflightContext, step_problems},
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// The type of an input. It follows from the default value, because a workflow file declares no types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum InputKind {
    Text,
    Number,
    /// True or false.
    Flag,
    /// A list of values.
    List,
    /// A map, or a list of something else than single values.
    Json,
}

/// An input of a workflow.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct WorkflowInput {
    name: String,
    kind: InputKind,
    description: Option<String>,
    default: Option<Value>,
    /// Whether a run needs a value, because there is no default.
    required: bool,
    /// Whether its value is a secret, which is not part of a request.
    secret: bool,
}

/// The inputs of a workflow: those that it declares, by name, and then the variables that its steps name and nothing
/// sets. A person who writes only steps declares nothing.
pub(crate) fn inputs_of(workflow: &Workflow) -> Vec<WorkflowInput> {
    let of = |(name, input): (&String, &Input)| WorkflowInput {
        name: name.clone(),
        kind: kind_of(input.default.as_ref()),
        description: input.description.clone(),
        default: input.default.clone(),
        required: input.default.is_none(),
        secret: false,
    };
    let context = PreflightContext { variables: &BTreeMap::new(), reads_steps: true, has_decider: true };
    let undefined = step_problems(workflow, context).into_iter().filter_map(|problem| problem.variable);
    let undefined: BTreeSet<String> = undefined.filter(|name| is_variable_name(name)).collect();
    let implied = undefined.into_iter().map(|name| WorkflowInput { secret: false, ..secret_input(name) });
    workflow.inputs.iter().map(of).chain(implied).collect()
}

/// A secret as an input.
pub(crate) fn secret_input(name: String) -> WorkflowInput {
    WorkflowInput { name, kind: InputKind::Text, description: None, default: None, required: true, secret: true }
}

fn kind_of(default: Option<&Value>) -> InputKind {
    match default {
        Some(Value::Number(_)) => InputKind::Number,
        Some(Value::Bool(_)) => InputKind::Flag,
        Some(Value::Array(items)) if items.iter().all(|item| !item.is_array() && !item.is_object()) => InputKind::List,
        Some(Value::Array(_) | Value::Object(_)) => InputKind::Json,
        Some(Value::String(_) | Value::Null) | None => InputKind::Text,
    }
}

/// The names of the secrets in the steps of a workflow.
pub(crate) fn secrets_of(workflow: &Workflow) -> BTreeSet<String> {
    let texts = workflow.all_steps().into_iter().flat_map(|step| step.texts());
    texts.flat_map(|text| handles_in(&text).into_iter().map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[cfg(test)]
mod tests {
    use legwork::workflow_file;

    use super::*;

    #[test]
    fn a_variable_that_nothing_sets_is_an_input() {
        let text = "steps:\n  - Save the text of \"Total\" as total\n  - Type \"${customer} ${total}\" into \"Name\"\n";
        let inputs = inputs_of(&workflow_file::read(text, "a.yaml").unwrap());
        let [input] = inputs.as_slice() else { panic!("{inputs:?}") };
        assert_eq!((input.name.as_str(), input.kind, input.required), ("customer", InputKind::Text, true));
    }

    #[test]
    fn the_type_of_an_input_follows_from_its_default() {
        let text = "inputs:\n  copies: 2\n  customer: { description: Who ordered }\n  express: false\n  \
                    names: [Ada, Bob]\n  site: { default: { a: 1 } }\nsteps:\n  - Type \"${secret:pin}\" into \"PIN\"\n  \
                    - Type \"${customer}${secret:pin}${secret:code}\" into \"Name\"\n";
        let workflow = workflow_file::read(text, "a.yaml").unwrap();
        let found: Vec<_> =
            inputs_of(&workflow).into_iter().map(|input| (input.name, input.kind, input.required)).collect();
        let expected = [
            ("copies", InputKind::Number, false),
            ("customer", InputKind::Text, true),
            ("express", InputKind::Flag, false),
            ("names", InputKind::List, false),
            ("site", InputKind::Json, false),
        ];
        assert_eq!(found, expected.map(|(name, kind, required)| (name.to_owned(), kind, required)));
        assert_eq!(secrets_of(&workflow), ["code", "pin"].map(str::to_owned).into());
    }
}
