//! The values of a run's inputs: the caller's value, otherwise the default. All missing inputs are reported together.

use legwork_protocol::{
    Code, ErrorReport, Provenance, RunStart, VariableInfo, VariableSource, Workflow, is_variable_name,
};

use super::variables::words;

/// The initial variables of a run, or all problems of its inputs.
pub(crate) fn values(start: &RunStart) -> Result<Vec<VariableInfo>, Vec<String>> {
    let mut problems = Vec::new();
    if start.workflow.steps.is_empty() {
        problems.push("the workflow has no steps".to_owned());
    }
    let names = start
        .workflow
        .inputs
        .keys()
        .chain(start.inputs.keys().filter(|name| !start.workflow.inputs.contains_key(*name)));
    let mut values = Vec::new();
    // A task shows its variables to the model, whatever its words are. In a workflow, a name that nothing uses is a
    // mistake, and the step that was meant would get the default.
    let unknown = if start.task { Vec::new() } else { unknown_inputs(&start.workflow, start.inputs.keys()) };
    problems.extend(unknown);
    for name in names {
        let input = start.workflow.inputs.get(name);
        if !is_variable_name(name) {
            problems.push(format!("input {name:?}: a name has letters, digits and _, and does not start with a digit"));
        }
        match start.inputs.get(name).or_else(|| input?.default.as_ref()) {
            // A value is data, often from somebody other than the author of the steps, so it must not select a secret.
            Some(value) if words(value).contains("${secret:") => problems.push(format!(
                "input {name:?}: a value cannot name a secret; write ${{secret:NAME}} into the step that types it"
            )),
            Some(value) => values.push(VariableInfo {
                name: name.clone(),
                value: value.clone(),
                previous_value: None,
                source: VariableSource::UserInput,
                provenance: Some(Provenance::User),
            }),
            None => {
                let about = input.and_then(|input| input.description.as_deref()).map(|text| format!(" ({text})"));
                problems.push(format!("input {name:?} is missing{}", about.unwrap_or_default()));
            }
        }
    }
    if problems.is_empty() { Ok(values) } else { Err(problems) }
}

/// A problem for each of these names that is neither an input of the workflow nor named by its steps.
pub fn unknown_inputs<'a>(workflow: &Workflow, names: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    let known = workflow.variables();
    let takes = match known.iter().map(String::as_str).collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => "it takes none".to_owned(),
        names => format!("it takes {names}"),
    };
    let unknown = names.into_iter().filter(|name| !known.contains(*name));
    unknown.map(|name| format!("the workflow has no input {name:?}; {takes}")).collect()
}

/// The error that contains all problems.
pub(crate) fn error(problems: Vec<String>) -> ErrorReport {
    let message = match problems.as_slice() {
        [only] => only.clone(),
        several => format!("{} problems: {}", several.len(), several.join("; ")),
    };
    ErrorReport::new(Code::WorkflowInvalid, message).with_details(problems)
}
