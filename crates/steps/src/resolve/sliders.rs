//! Resolves slider operations. A native slider accepts its value directly. Any other slider is moved by the keyboard,
//! one step per key, and its value is verified afterwards, because the size of a step is unknown.

use legwork_observe::{NodeIndex, Snapshot};
use legwork_protocol::{Action, Press, Target};

use super::fields::set;
use crate::{
    ast::TargetPhrase,
    describe::describe,
    error::{Actions, ResolveError},
    find::{self, Purpose},
    roles::input,
};

/// The maximum number of key presses.
const STEPS: f64 = 200.0;
/// The number of nodes after a slider that may contain its value.
const BESIDE: usize = 3;

pub(super) fn slide(page: &Snapshot, phrase: &TargetPhrase, value: &str, moved: bool) -> Actions {
    let exact = phrase.raw.is_some();
    let at = if exact { None } else { Some(find::one(page, phrase, Purpose::Set)?) };
    let Some(at) = at.filter(|at| page.role(*at) == "slider" && input(&page.nodes[*at]) != "range") else {
        return if moved { Ok(Vec::new()) } else { set(page, phrase, value) };
    };
    let wrong = |is: String, hint: &str| ResolveError::wrong_kind(phrase.source_text.clone(), is, hint);
    let Some((stands, wanted)) = current_value(page, at).zip(value.parse::<f64>().ok()) else {
        return Err(wrong(describe(page, at), "its current value is unknown; drag it"));
    };
    let steps = wanted - stands;
    if steps == 0.0 {
        return Ok(Vec::new());
    }
    if moved || steps.fract() != 0.0 || steps.abs() > STEPS {
        return Err(wrong(
            format!("{}, which stands at {stands}", describe(page, at)),
            "its keys do not bring it there",
        ));
    }
    let key = if steps > 0.0 { "ArrowRight" } else { "ArrowLeft" };
    let target = find::target_of(page, at);
    let press = |target: Option<Target>| Action::Press(Press { key: key.into(), target });
    // The first key press moves the focus to the slider.
    Ok((0..steps.abs() as usize).map(|at| press(Some(target.clone()).filter(|_| at == 0))).collect())
}

/// The value that the slider reports, or the number immediately after it.
fn current_value(page: &Snapshot, at: NodeIndex) -> Option<f64> {
    let own = page.nodes[at].value.as_deref().and_then(|value| value.trim().parse().ok());
    own.or_else(|| {
        let after =
            page.nodes.iter().skip(page.nodes[at].end).take(BESIDE).take_while(|node| node.role.as_ref() != "slider");
        after.filter(|node| node.role.as_ref() == "text").find_map(|node| node.name.trim().parse().ok())
    })
}
