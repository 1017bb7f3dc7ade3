//! The scripts that the driver runs in pages, and what they return.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::scripts::Scripts;

const REPORTER: &str = include_str!("reporter.js");

/// What a document reports.
#[derive(Deserialize)]
pub(super) struct Report {
    /// Its address.
    #[serde(rename = "u")]
    pub(super) url: String,
    #[serde(rename = "r")]
    pub(super) ready: String,
    #[serde(rename = "t")]
    pub(super) title: String,
    #[serde(rename = "o")]
    pub(super) origin: String,
    /// Whether the document is another one in the same window.
    #[serde(rename = "n")]
    pub(super) is_new: bool,
    /// What happened since the last report: the name of each event and its values.
    #[serde(rename = "e")]
    pub(super) events: Vec<Value>,
    /// The values of promises.
    #[serde(rename = "d")]
    pub(super) done: Vec<Evaluated>,
    /// The elements of frames, with their numbers.
    #[serde(rename = "f")]
    pub(super) frames: Vec<(u64, Value)>,
    /// The text of the document if it is the error page of the browser.
    #[serde(rename = "x", default)]
    pub(super) failure: Option<String>,
}

/// An evaluation: its number, what it led to, and the value as JSON or the text of the exception.
#[derive(Debug, Deserialize, PartialEq)]
pub(super) struct Evaluated(pub(super) u64, pub(super) EvaluationKind, pub(super) String);

/// What an evaluation led to.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub(super) enum EvaluationKind {
    #[serde(rename = "v")]
    Value,
    #[serde(rename = "e")]
    Exception,
    /// The value of the promise follows in a report of the document.
    #[serde(rename = "p")]
    Promise,
    /// The document that it is for is gone.
    #[serde(rename = "g")]
    NoDocument,
}

/// The script that begins the reports of a document.
pub(super) fn install(scripts: &Scripts, restore: Option<&str>) -> String {
    // The page has begun without its storage, so that it begins again.
    let restore = restore.map_or(String::new(), |restore| {
        format!(
            "const entries=()=>{{try{{return localStorage.length+sessionStorage.length}}catch{{return 0}}}},before=entries();\
             {restore};if(entries()!==before){{location.reload();return null}}\n"
        )
    });
    let script = REPORTER.replacen("/* bundle */", &format!("{}\n", scripts.bundle), 1).replacen(
        "/* tracker */",
        &format!("{}\n", scripts.task_tracker),
        1,
    );
    format!("{restore}{script}")
}

/// The script that asks for the next report; null if the document has no reporter.
pub(super) fn report(key: &str) -> String {
    format!("const of=window[{}];return of?of.report():null", json!(key))
}

/// The script that evaluates an expression in the world of a document, and in no other document. Legwork's script is in
/// its scope if `ours`.
pub(super) fn evaluate(key: &str, id: u64, expression: &str, ours: bool) -> String {
    let key = json!(key);
    let ours = if ours { "legwork" } else { "" };
    format!(
        "const of=window[{key}];if(!of)return[0,'g',''];\
         return of.run({id},()=>(({ours})=>(\n{expression}\n))(of.legwork))"
    )
}

/// An expression that calls a function with an element, which Legwork's script finds.
pub(super) fn call_with(key: &str, element: &str, function: &str) -> String {
    let key = json!(key);
    format!(
        "((element,given)=>typeof given==='function'?given(element):given)\
         ((legwork=>({element}))(window[{key}].legwork),({function}))"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scripts_are_in_the_reporter() {
        let scripts = Scripts::new("_k".to_owned());
        let script = install(&scripts, None);
        assert!(script.contains(scripts.bundle) && script.contains(&scripts.task_tracker));
        assert!(!script.contains("/* bundle */") && !script.contains("/* tracker */"));
    }
}
