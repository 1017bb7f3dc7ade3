//! The targets of an action by parameter. An action that answers a dialog contains the action that opens it.

use legwork_protocol::{Action, ActionParameter, Dialog, Effect, ParameterKind, Target};

/// The targets of an action, with the parameters that name them.
pub(crate) fn targets(action: &Action) -> Vec<(String, Target)> {
    let action = action.carried_out();
    let Ok(wire) = serde_json::to_value(action) else { return Vec::new() };
    parameters(action)
        .filter_map(|parameter| {
            let target = wire["parameters"][&parameter.name].as_str()?;
            Some((parameter.name.clone(), Target(target.to_owned())))
        })
        .collect()
}

/// Whether a replay repeats the action only on an element that the record identifies. What only waits or reads changes
/// nothing; a saved value must be that of the recorded element.
pub(crate) fn needs_identity(action: &Action) -> bool {
    action.effect() != Effect::ReadOnly || matches!(action, Action::Save(_))
}

/// The action with other targets. `new` returns the target for a parameter, or nothing to leave it.
pub(crate) fn with_targets(action: Action, new: &dyn Fn(&str) -> Option<Target>) -> Action {
    if let Action::Dialog(Dialog { accept, text, opened_by: Some(opened_by) }) = action {
        let opened_by = Some(Box::new(with_targets(*opened_by, new)));
        return Action::Dialog(Dialog { accept, text, opened_by });
    }
    let Ok(mut wire) = serde_json::to_value(&action) else { return action };
    for parameter in parameters(&action) {
        let value = &mut wire["parameters"][&parameter.name];
        if let Some(target) = value.is_string().then(|| new(&parameter.name)).flatten() {
            *value = target.0.into();
        }
    }
    serde_json::from_value(wire).unwrap_or(action)
}

fn parameters(action: &Action) -> impl Iterator<Item = &'static ActionParameter> {
    action.info().parameters().iter().filter(|parameter| parameter.kind == ParameterKind::Target)
}

#[cfg(test)]
mod tests {
    use legwork_protocol::{Drag, TargetParams};

    use super::*;

    #[test]
    fn the_targets_of_an_action_are_replaced_by_parameter() {
        let drag = Action::Drag(Drag { target: Target("e1".into()), to: Target("e2".into()) });
        let names: Vec<String> = targets(&drag).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["target", "to"]);
        let moved = with_targets(drag, &|name| (name == "to").then(|| Target("e9".into())));
        assert_eq!(moved, Action::Drag(Drag { target: Target("e1".into()), to: Target("e9".into()) }));
        let hover = Action::Hover(TargetParams { target: Target("e1".into()) });
        let dialog = Action::Dialog(Dialog { accept: true, text: None, opened_by: Some(Box::new(hover)) });
        assert_eq!(targets(&dialog), [("target".to_owned(), Target("e1".into()))]);
        let moved = with_targets(dialog, &|_| Some(Target("e3".into())));
        assert_eq!(targets(&moved), [("target".to_owned(), Target("e3".into()))]);
    }
}
