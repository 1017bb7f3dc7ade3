//! Journals of runs for tests.

use legwork_protocol::Event;
use serde_json::{Value, json};

/// The events of a successful run, as they are added.
pub(crate) struct TestJournal {
    events: Vec<Value>,
}

impl TestJournal {
    /// A run of this workflow.
    pub(crate) fn of(workflow: &Value, inputs: &Value) -> TestJournal {
        let mut journal = TestJournal { events: Vec::new() };
        let url = workflow["url"].clone();
        journal.add(None, "WORKFLOW_STARTED", &json!({ "workflow": workflow, "task": false, "inputs": inputs }));
        for (name, value) in inputs.as_object().into_iter().flatten() {
            let variable = json!({"name": name, "value": value, "source": "user_input", "provenance": "user"});
            journal.add(None, "VARIABLE_UPDATED", &variable);
        }
        journal.command(
            None,
            "literal",
            json!({"action": "open", "parameters": {"url": url}}),
            json!({"clause": 0}),
            "",
        );
        journal
    }

    fn add(&mut self, step: Option<usize>, kind: &str, data: &Value) {
        let seq = self.events.len() + 1;
        let id = format!("01a21977-0000-7000-8000-{seq:012}");
        let run = "01a21977-c616-7523-830d-02f24a3c1188";
        let time = "2026-11-26T20:06:49Z";
        let mut event = json!({"id": id, "run": run, "seq": seq, "time": time, "type": kind, "data": data});
        if let Some(step) = step {
            event["step"] = json!(step);
        }
        self.events.push(event);
    }

    fn command(&mut self, step: Option<usize>, decider: &str, action: Value, identity: Value, element: &str) {
        let id = format!("01a21977-0000-7000-9000-{:012}", self.events.len() + 1);
        let intent = json!({
            "commandId": id, "action": action, "decider": decider, "effect": "mutating", "identity": identity,
        });
        self.add(step, "COMMAND_STARTED", &intent);
        let is_open = action["action"] == "open";
        let arrived =
            json!({"kind": "navigated", "from": "about:blank", "to": "http://shop.test/users", "status": 200});
        let effects = if is_open { vec![arrived] } else { Vec::new() };
        let mut result = json!({"durationMs": 1, "url": "http://shop.test/users", "effects": effects});
        if !element.is_empty() {
            result["element"] = json!(element);
        }
        self.add(step, "COMMAND_COMPLETED", &json!({ "commandId": id, "result": result }));
        if is_open {
            self.add(step, "PAGE_NAVIGATED", &json!({"url": "http://shop.test/users", "title": "Users"}));
            let page = json!({"url": "http://shop.test/users", "title": "Users", "fingerprint": "f1", "durationMs": 1});
            self.add(step, "PAGE_OBSERVED", &page);
        }
    }

    /// A group of steps that became these steps.
    pub(crate) fn group(&mut self, step: usize, expansion: &Value) -> &mut TestJournal {
        let result = json!({
            "index": step, "text": "group", "status": "success", "validation": "validated", "iterations": 0,
            "evidence": [], "durationMs": 1, "message": "3 rows", "expansion": expansion,
        });
        self.add(Some(step), "STEP_STARTED", &json!({"text": "group"}));
        self.add(Some(step), "STEP_COMPLETED", &result);
        self
    }

    /// A step with its actions: who decided, the action, the identity and the element in words.
    pub(crate) fn step(&mut self, step: usize, actions: Vec<(&str, Value, Value, &str)>) -> &mut TestJournal {
        self.add(Some(step), "STEP_STARTED", &json!({"text": "step"}));
        for (decider, action, identity, element) in actions {
            self.command(Some(step), decider, action, identity, element);
        }
        let result = json!({
            "index": step, "text": "step", "status": "success", "validation": "validated", "iterations": 1,
            "evidence": [], "durationMs": 1,
        });
        self.add(Some(step), "STEP_COMPLETED", &result);
        self
    }

    /// The events with the end of the run.
    pub(crate) fn events(&mut self) -> Vec<Event> {
        let end = json!({
            "status": "success", "validation": "validated", "variables": {},
            "usage": {"calls": 0, "promptTokens": 0, "cachedTokens": 0, "completionTokens": 0},
        });
        self.add(None, "WORKFLOW_COMPLETED", &end);
        self.events.iter().map(|event| serde_json::from_value(event.clone()).expect("an event")).collect()
    }
}

/// A click on a ref.
pub(crate) fn click(target: &str) -> Value {
    json!({"action": "click", "parameters": {"target": target}})
}

/// What identifies one of several equal buttons, by the words of the container with this role.
pub(crate) fn button_in(name: &str, role: &str, keys: &[&str]) -> Value {
    json!({"elements": {"target": {
        "role": "button", "name": name, "ordinal": 1, "count": 3, "containers": [{"role": role, "keys": keys}],
    }}})
}
