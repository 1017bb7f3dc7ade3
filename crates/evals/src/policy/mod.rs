//! A scripted policy: rules in the role of a model. It receives the prompts of a model over real HTTP, and nothing
//! else. It reads the task, the page and the history from the prompt ([`prompt`]), converts the sentences of the task
//! to actions ([`words`]), finds the element of the next action by role and name, and answers with a decision.
//!
//! It does not compete with models. It is deterministic, costs nothing, and shows what a prompt makes possible: an
//! element that is not on the page as shown cannot be found by any model either.

mod prompt;
mod words;

use std::collections::HashMap;

use legwork::observe::tokens;
use legwork_testing::model::{Asked, Reply, Script, ScriptedTokens};
use serde_json::{Value, json};

use prompt::Seen;
use words::{ControlKind, PolicyAction};

/// The policy as a scripted model. Tokens are counted; the part of a request that repeats the beginning of the
/// previous request in the same task counts as cached.
pub(crate) fn script() -> Script {
    let mut before: HashMap<String, String> = HashMap::new();
    Script::of(move |asked: &Asked| {
        let (text, seen) = (asked.text(), Seen::read(&asked.last()));
        let reply = decide(&seen);
        let earlier = before.insert(seen.task.clone(), text.clone()).unwrap_or_default();
        let spent = ScriptedTokens {
            prompt: tokens::count(&text) as u64,
            cached: tokens::count(shared(&earlier, &text)) as u64,
            completion: tokens::count(&reply.to_string()) as u64,
        };
        Reply::Cost(spent, Box::new(Reply::Json(reply)))
    })
}

/// The common beginning of two texts.
fn shared<'a>(one: &str, other: &'a str) -> &'a str {
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum();
    &other[..same]
}

/// The decision for a prompt.
fn decide(seen: &Seen) -> Value {
    let Some(actions) = words::actions(&seen.task) else {
        return over("ABORT", "the policy does not know the form of this task");
    };
    // Takes one turn for each tab until the element is found.
    if let [PolicyAction::FindInTabs(name)] = actions.as_slice() {
        return if seen.clicked(name) { over("PROCEED", "found") } else { hunt(name, seen) };
    }
    match actions.get(seen.done) {
        _ if seen.failures > 1 => over("ABORT", "two actions failed"),
        None => over("PROCEED", "done"),
        Some(action) => carry_out(action, seen),
    }
}

fn carry_out(action: &PolicyAction, seen: &Seen) -> Value {
    let target = |kinds: &[ControlKind], name: &str| seen.find(kinds, name);
    let (action, found, mut parameters) = match action {
        PolicyAction::Click(kinds, name) => ("click", target(kinds, name), json!({})),
        // An element without a ref can be addressed by its text.
        PolicyAction::DoubleClick(text) => ("double_click", Some(format!("text={text}")), json!({})),
        PolicyAction::Hover(name) => ("hover", target(&[], name), json!({})),
        PolicyAction::Check(name) => ("check", target(&[ControlKind::Box], name), json!({})),
        PolicyAction::CheckBeside(name) => ("check", seen.beside(ControlKind::Box, name), json!({})),
        PolicyAction::Fill { field, nth, text, submit } => {
            let found = field
                .as_deref()
                .map_or_else(|| seen.nth(ControlKind::Field, *nth), |name| target(&[ControlKind::Field], name));
            ("fill", found, json!({ "text": text, "submit": submit }))
        }
        PolicyAction::Focus(nth) => ("focus", seen.nth(ControlKind::Field, *nth), json!({})),
        PolicyAction::Select { field, values } => {
            let found = field
                .as_deref()
                .map_or_else(|| seen.nth(ControlKind::List, 0), |name| target(&[ControlKind::List], name));
            ("select", found, json!({ "values": values }))
        }
        PolicyAction::Choose(name) => match (seen.find(&[ControlKind::Box], name), seen.nth(ControlKind::List, 0)) {
            (None, Some(list)) => ("select", Some(list), json!({ "values": [name] })),
            (found, _) => ("check", found, json!({})),
        },
        PolicyAction::Press(key) => return act("press", json!({ "key": key })),
        PolicyAction::Type(text) => return act("type", json!({ "text": text })),
        PolicyAction::Dialog => return act("dialog", json!({ "accept": true })),
        PolicyAction::Wait(seconds) => return act("wait", json!({ "seconds": seconds })),
        PolicyAction::FindInTabs(name) => return hunt(name, seen),
        PolicyAction::Tell(label) => {
            return match seen.value(label) {
                Some(value) => over("PROCEED", &value),
                None => over("ABORT", &format!("{label} is not on the page")),
            };
        }
    };
    match found {
        Some(element) => {
            parameters["target"] = json!(element);
            act(action, parameters)
        }
        None => over("ABORT", &format!("the page as shown has no element for {action:?}")),
    }
}

/// Clicks the element if it is shown, otherwise the next tab.
fn hunt(name: &str, seen: &Seen) -> Value {
    if let Some(element) = seen.find(&[], name) {
        return act("click", json!({ "target": element }));
    }
    match seen.nth(ControlKind::Tab, seen.turns + 1) {
        Some(tab) => act("click", json!({ "target": tab })),
        None => over("ABORT", &format!("{name:?} is behind no tab")),
    }
}

/// A decision with a command.
fn act(action: &str, parameters: Value) -> Value {
    let mut decision = over("PROCEED", action);
    decision["command"] = json!({ "action": action, "parameters": parameters });
    decision
}

/// A decision without a command.
fn over(verdict: &str, message: &str) -> Value {
    let reasoning = json!({ "analysis": "as shown", "rationale": "as asked", "expectedOutcome": "as said" });
    json!({ "decision": { "action": verdict, "message": message }, "reasoning": reasoning, "confidence": 0.9 })
}
