//! The differences between two versions of a playbook, for people.

use legwork_agent::playbook::{Playbook, PlaybookAction};
use legwork_protocol::ElementIdentity;

/// The differences as lines: `step 2, action 1: …`. Empty if both record the same.
pub fn differences(before: &Playbook, after: &Playbook) -> Vec<String> {
    let mut lines = Vec::new();
    if before.site != after.site {
        lines.push(format!("site: {} → {}", before.site, after.site));
    }
    for index in 0..before.steps.len().max(after.steps.len()) {
        let actions = |playbook: &Playbook| -> Vec<PlaybookAction> {
            playbook.steps.get(index).map(|step| step.actions.clone()).unwrap_or_default()
        };
        let (was, is) = (actions(before), actions(after));
        for at in 0..was.len().max(is.len()) {
            let place = format!("step {}, action {}", index + 1, at + 1);
            match (was.get(at), is.get(at)) {
                (Some(was), Some(is)) => lines.extend(changes(was, is).map(|change| format!("{place}: {change}"))),
                (Some(was), None) => lines.push(format!("{place}: - {}", was.action.describe(None))),
                (None, Some(is)) => lines.push(format!("{place}: + {}", is.action.describe(None))),
                (None, None) => {}
            }
        }
    }
    lines
}

/// The rows, items and cards around an element, nearest first: `row "ORD-17" (ord-17, open)`.
fn containers(element: &ElementIdentity) -> String {
    let described = element.containers.iter().map(|container| {
        let names: Vec<String> = container.names.iter().map(|name| format!("{name:?}")).collect();
        let keys = if container.keys.is_empty() { String::new() } else { format!(" ({})", container.keys.join(", ")) };
        format!("{} {}", container.role, names.join(", ")).trim_end().to_owned() + &keys
    });
    none_if_empty(described.collect::<Vec<_>>().join(" in "))
}

/// The attributes of an element: `id=save, tag=button`.
fn attributes(element: &ElementIdentity) -> String {
    let written = element.attributes.iter().map(|(name, value)| format!("{name}={value}"));
    none_if_empty(written.collect::<Vec<_>>().join(", "))
}

fn none_if_empty(text: String) -> String {
    if text.is_empty() { "none".to_owned() } else { text }
}

fn changes(was: &PlaybookAction, is: &PlaybookAction) -> impl Iterator<Item = String> {
    let mut changes = Vec::new();
    let (before, after) = (was.action.describe(None), is.action.describe(None));
    if before != after {
        changes.push(format!("{before} → {after}"));
    }
    for (parameter, element) in &is.elements {
        let Some(known) = was.elements.get(parameter) else { continue };
        let fields = [
            ("container", containers(known), containers(element)),
            ("attributes", attributes(known), attributes(element)),
            ("place", known.place.clone(), element.place.clone()),
            ("frames", known.frames.join("/"), element.frames.join("/")),
            ("before", known.before.join(" | "), element.before.join(" | ")),
            ("after", known.after.join(" | "), element.after.join(" | ")),
        ];
        for (field, was, is) in fields.into_iter().filter(|(_, was, is)| was != is) {
            changes.push(format!("{parameter} {field}: {was} → {is}"));
        }
    }
    if was.page != is.page {
        changes.push(format!("page: {} → {}", was.page, is.page));
    }
    if was.effect != is.effect {
        changes.push("the expected effect changed".to_owned());
    }
    changes.into_iter()
}

#[cfg(test)]
mod tests {
    use legwork_protocol::ContainerIdentity;

    use super::*;

    #[test]
    fn containers_and_attributes_are_written_for_people() {
        let row = ContainerIdentity {
            role: "row".into(),
            names: vec!["Smith, John".into()],
            keys: vec!["smith".into(), "berlin".into()],
            column: None,
        };
        let attributes = [("id".to_owned(), "save".to_owned()), ("tag".to_owned(), "button".to_owned())].into();
        let element = ElementIdentity { containers: vec![row], attributes, ..ElementIdentity::default() };
        assert_eq!(containers(&element), "row \"Smith, John\" (smith, berlin)");
        assert_eq!(super::attributes(&element), "id=save, tag=button");
        assert_eq!(containers(&ElementIdentity::default()), "none");
    }
}
