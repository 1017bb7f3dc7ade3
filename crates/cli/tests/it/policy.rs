//! A scripted model that uses only the content of a request: it reads the step and the page from the prompt, finds refs
//! by role and name, and answers with decisions. It contains no knowledge of the site.

use legwork_testing::model::Asked;
use regex::Regex;
use serde_json::{Value, json};

/// The decision for a prompt.
pub(crate) fn decide(asked: &Asked) -> Value {
    Turn::read(&asked.last()).decide()
}

/// A decision with a command.
pub(crate) fn act(action: &str, parameters: Value) -> Value {
    let mut decision = over("PROCEED", action);
    decision["command"] = json!({ "action": action, "parameters": parameters });
    decision
}

/// A decision without a command.
pub(crate) fn over(verdict: &str, message: &str) -> Value {
    let reasoning = json!({ "analysis": "as shown", "rationale": "as asked", "expectedOutcome": "as said" });
    json!({ "decision": { "action": verdict, "message": message }, "reasoning": reasoning, "confidence": 0.9 })
}

/// The content of a prompt.
struct Turn {
    task: String,
    page: String,
    history: String,
    variables: String,
}

impl Turn {
    fn read(prompt: &str) -> Turn {
        let task = prompt.lines().find_map(|line| line.strip_prefix("Task: ")).unwrap_or_default().to_owned();
        let page = fenced(prompt, "page") + "\n" + &fenced(prompt, "changes");
        Turn { task, page, history: fenced(prompt, "history"), variables: fenced(prompt, "variables") }
    }

    fn decide(&self) -> Value {
        if let Some(last) = self.history.lines().last() {
            return if last.contains("failed:") { over("ABORT", last) } else { over("PROCEED", "done") };
        }
        let quoted: Vec<&str> = self.task.split('"').skip(1).step_by(2).collect();
        let word = self.task.split(' ').next().unwrap_or_default();
        let last = quoted.last().copied().unwrap_or_default();
        let values = || json!(quoted[..quoted.len() - 1]);
        match word {
            "Click" if self.task.contains("the link") => self.on("click", "link", last, json!({})),
            "Click" => self.on("click", "button", last, json!({})),
            "Hover" => self.on("hover", "button", last, json!({})),
            "Type" => self.on("fill", "textbox|searchbox|spinbutton|combobox", last, json!({ "text": quoted[0] })),
            "Choose" => self.on("select", "combobox|listbox", last, json!({ "values": values() })),
            "Tick" | "Select" => self.on("check", "checkbox|radio", last, json!({})),
            "Upload" => self.on("upload", r"button|file|textbox|\w*", last, json!({ "files": values() })),
            "Accept" => act("dialog", json!({ "accept": true })),
            "Switch" if self.task.contains("second") => act("tab", json!({ "op": "switch", "to": "2" })),
            "Switch" => act("tab", json!({ "op": "switch", "to": "1" })),
            "Save" => {
                let name = self.task.split(' ').next_back().unwrap_or_default();
                // Elements that can only be read have no ref.
                act("save", json!({ "target": format!("role=status[name={last:?}]"), "variable": name }))
            }
            "Check" if self.task.contains("the variable") => {
                let name = self.task.split("the variable ").nth(1).and_then(|rest| rest.split(' ').next());
                let line = format!("{} = {last}", name.unwrap_or_default());
                if self.variables.lines().any(|known| known == line) {
                    over("PROCEED", &line)
                } else {
                    over("ABORT", &line)
                }
            }
            "Check" if self.page.contains(&self.resolved(last)) => over("PROCEED", last),
            _ => over("ABORT", &format!("no idea how to: {}", self.task)),
        }
    }

    /// Replaces `${name}` with the value of the variable.
    fn resolved(&self, text: &str) -> String {
        let name = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
        let value =
            name.and_then(|name| self.variables.lines().find_map(|line| line.strip_prefix(&format!("{name} = "))));
        value.unwrap_or(text).to_owned()
    }

    /// The action on the element with one of these roles and this name, if the page in the prompt contains it.
    fn on(&self, action: &str, roles: &str, name: &str, mut parameters: Value) -> Value {
        let line = Regex::new(&format!(r#"(?:{roles}) "{}"[^"\n]*?\[ref=(e\d+)\]"#, regex::escape(name))).unwrap();
        match line.captures_iter(&self.page).last() {
            Some(found) => {
                parameters["target"] = json!(found[1]);
                act(action, parameters)
            }
            None => over("ABORT", &format!("there is no {roles} {name:?} on the page:\n{}", self.page)),
        }
    }
}

/// The text in the fenced block with this label.
fn fenced(prompt: &str, label: &str) -> String {
    let block = Regex::new(&format!(r"(?s)\n?(`{{3,}}){label}\n(.*?)\n`{{3,}}")).unwrap();
    block.captures(prompt).map_or_else(String::new, |found| found[2].to_owned())
}
