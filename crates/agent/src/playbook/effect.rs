//! The effect of a recorded action, and whether it occurs again.

use std::collections::{BTreeMap, HashSet};

use legwork_observe::{Snapshot, wording};
use legwork_protocol::PageEffect;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{page_pattern, parameters};

/// Roles of elements that show what an action did, the most telling first.
const TELLING: [&str; 14] = [
    "alert",
    "status",
    "dialog",
    "alertdialog",
    "heading",
    "row",
    "listitem",
    "textbox",
    "button",
    "link",
    "menuitem",
    "option",
    "tab",
    "text",
];
/// The maximum number of elements that are recorded as appeared, and as disappeared.
const MAX_ELEMENTS: usize = 6;
/// The maximum length of a text in characters.
const MAX_TEXT: usize = 120;

/// The effect that an action had when it was recorded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ExpectedEffect {
    /// The pattern of the address to which it led, if it led to another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The requests for a change that were answered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<ExpectedRequest>,
    /// Whether a file was downloaded.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub download: bool,
    /// Whether a JavaScript dialog opened.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dialog: bool,
    /// Whether a tab opened.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub tab: bool,
    /// Elements that appeared: `heading "Order 17"`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub appeared: Vec<String>,
    /// Elements that disappeared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disappeared: Vec<String>,
}

/// A request for a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedRequest {
    /// `POST`, `PUT`…
    pub method: String,
    /// The pattern of its address.
    pub url: String,
}

/// What an action caused, as it was observed.
pub(crate) struct Observation<'a> {
    pub(crate) effects: &'a [PageEffect],
    pub(crate) before: Option<&'a Snapshot>,
    pub(crate) after: &'a Snapshot,
}

/// The elements that appeared and disappeared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) appeared: Vec<String>,
    pub(crate) disappeared: Vec<String>,
}

/// What changed between two observations. Texts that change by themselves are left out.
pub(crate) fn change(before: &Snapshot, after: &Snapshot) -> Change {
    Change { appeared: only_in(after, before), disappeared: only_in(before, after) }
}

fn only_in(page: &Snapshot, other: &Snapshot) -> Vec<String> {
    let known: HashSet<(&str, &str)> = other.nodes.iter().map(|node| (&*node.role, &*node.name)).collect();
    let mut found: Vec<(usize, String)> = Vec::new();
    for node in &page.nodes {
        let Some(rank) = TELLING.iter().position(|role| *role == &*node.role) else { continue };
        let is_telling = !node.states.self_changing() && !node.states.unseen() && !wording::is_clock(&node.name);
        if !is_telling || !node.name.contains(char::is_alphanumeric) || known.contains(&(&*node.role, &*node.name)) {
            continue;
        }
        let words = describe(&node.role, &node.name);
        if !found.iter().any(|(_, known)| *known == words) {
            found.push((rank, words));
        }
    }
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, words)| words).take(MAX_ELEMENTS).collect()
}

fn describe(role: &str, name: &str) -> String {
    let name: String = name.chars().take(MAX_TEXT).collect();
    format!("{role} {name:?}")
}

impl ExpectedEffect {
    /// The effect to expect from what was recorded.
    pub(super) fn of(effects: &[PageEffect], change: Change, from: &str) -> ExpectedEffect {
        let mut expected =
            ExpectedEffect { appeared: change.appeared, disappeared: change.disappeared, ..ExpectedEffect::default() };
        for effect in effects {
            match effect {
                PageEffect::Navigated { to, .. } => {
                    expected.url = page_pattern(to).filter(|to| Some(to) != page_pattern(from).as_ref());
                }
                PageEffect::Request {
                    method, url, status: Some(status), background: false, earlier: false, ..
                } if method != "GET" && (200..400).contains(status) => {
                    if let Some(url) = page_pattern(url) {
                        let request = ExpectedRequest { method: method.clone(), url };
                        if !expected.requests.contains(&request) {
                            expected.requests.push(request);
                        }
                    }
                }
                PageEffect::Downloaded(_) => expected.download = true,
                PageEffect::Dialog(_) => expected.dialog = true,
                PageEffect::TabOpened { current: true, .. } => expected.tab = true,
                _ => {}
            }
        }
        expected
    }

    /// What was recorded and did not occur this time; `None` if the effect occurred. Of the elements that appeared and
    /// disappeared, one is enough, because the others may depend on data.
    pub(crate) fn missing(&self, seen: &Observation<'_>, variables: &BTreeMap<String, Value>) -> Option<String> {
        let any = |is: &dyn Fn(&PageEffect) -> bool| seen.effects.iter().any(is);
        if self.download && !any(&|effect| matches!(effect, PageEffect::Downloaded(_))) {
            return Some("no file was downloaded".into());
        }
        if self.dialog && !any(&|effect| matches!(effect, PageEffect::Dialog(_))) && seen.after.dialog.is_none() {
            return Some("no dialog opened".into());
        }
        if self.tab && !any(&|effect| matches!(effect, PageEffect::TabOpened { .. })) {
            return Some("no tab opened".into());
        }
        for request in &self.requests {
            let is_it = |effect: &PageEffect| match effect {
                PageEffect::Request { method, url, status: Some(status), .. } => {
                    *method == request.method
                        && *status < 400
                        && page_pattern(url).is_some_and(|url| url == parameters::filled(&request.url, variables))
                }
                _ => false,
            };
            if !any(&is_it) {
                return Some(format!("{} {} was not answered with success", request.method, request.url));
            }
        }
        if let Some(url) = &self.url {
            let expected = parameters::filled(url, variables);
            let is_there = |address: &str| page_pattern(address).is_some_and(|pattern| pattern == expected);
            let went = |effect: &PageEffect| matches!(effect, PageEffect::Navigated { to, .. } if is_there(to));
            return (!is_there(&seen.after.url) && !any(&went)).then(|| format!("the page did not go to {expected}"));
        }
        let is_shown_by_effects = self.download || self.dialog || self.tab || !self.requests.is_empty();
        if is_shown_by_effects || self.appeared.is_empty() && self.disappeared.is_empty() {
            return None;
        }
        self.missing_change(seen, variables)
    }

    fn missing_change(&self, seen: &Observation<'_>, variables: &BTreeMap<String, Value>) -> Option<String> {
        let known = |page: &Snapshot| -> HashSet<String> {
            page.nodes.iter().chain(&page.transient).map(|node| pattern(&describe(&node.role, &node.name))).collect()
        };
        let (after, before) = (known(seen.after), seen.before.map(known).unwrap_or_default());
        let expected = |text: &String| pattern(&parameters::filled(text, variables));
        let has_appeared = self.appeared.iter().map(expected).any(|text| after.contains(&text));
        let is_gone =
            self.disappeared.iter().map(expected).any(|text| before.contains(&text) && !after.contains(&text));
        let what = self.appeared.first().map(|text| format!("{text} did not appear"));
        let what = what.or_else(|| self.disappeared.first().map(|text| format!("{text} did not disappear")));
        // Other data than at the time of the recording: as much of the same kind changed.
        let live = seen.before.map(|before| change(before, seen.after)).unwrap_or_default();
        let has_similar =
            share_role(&self.appeared, &live.appeared) || share_role(&self.disappeared, &live.disappeared);
        what.filter(|_| !has_appeared && !is_gone && !has_similar)
    }
}

/// Whether both contain an element of the same kind. Alerts and plain texts are too different from each other to count.
fn share_role(recorded: &[String], live: &[String]) -> bool {
    let role =
        |text: &String| text.split(' ').next().map(str::to_owned).filter(|role| role != "alert" && role != "text");
    let roles: HashSet<String> = recorded.iter().filter_map(role).collect();
    live.iter().filter_map(role).any(|role| roles.contains(&role))
}

/// A text in lower case, as a value may be written, without its numbers, which are data in most messages:
/// `Order 17 was saved`.
fn pattern(text: &str) -> String {
    let text = text.to_lowercase();
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '0'..='9' if out.ends_with('#') => {}
            '0'..='9' => out.push('#'),
            c => out.push(c),
        }
    }
    out
}
