//! Parses a prompt: the task, the elements of the page as shown, and the number of actions so far.

use std::sync::LazyLock;

use regex::Regex;

use super::words::ControlKind;

/// An element with a ref, from a line of the page.
#[derive(Clone, Debug, PartialEq)]
struct Element {
    role: String,
    name: String,
    reference: String,
    /// The number of its line, and its indent.
    line: usize,
}

/// A parsed prompt.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) task: String,
    /// The number of successful actions.
    pub(super) done: usize,
    /// The number of all actions.
    pub(super) turns: usize,
    /// The number of failed actions.
    pub(super) failures: usize,
    /// The actions so far, without their effects.
    history: Vec<String>,
    lines: Vec<String>,
    elements: Vec<Element>,
}

static ELEMENT: LazyLock<Regex> =
    LazyLock::new(|| regex(r#"([a-z]+)(?: "((?:[^"\\]|\\.)*)")?(?:(?: \[[a-z-]+(?:=[^\]]*)?\])*) \[ref=(e\d+)\]"#));
/// Links in samples: `- links: river stone e9, signal e10 … 17 more`.
static LINKS: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s*-?\s*links: (.*)$"));
static LINK: LazyLock<Regex> = LazyLock::new(|| regex(r"(?:^|, )(.+?) (e\d+)(?:,|$|\s*…)"));
static FOLDED: LazyLock<Regex> = LazyLock::new(|| regex(r"^(?:\d+–)?(\d+)\. "));

/// Compiles a constant pattern.
pub(super) fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the policy's patterns are constant and tested")
}

impl Seen {
    pub(super) fn read(prompt: &str) -> Seen {
        let history = fenced(prompt, "history");
        // `1–20. …` represents lines that were folded, `(…)` is a remark.
        let folded = history.lines().filter_map(|line| FOLDED.captures(line)).next_back();
        let folded: usize = folded.and_then(|last| last[1].parse().ok()).unwrap_or(0);
        let actions: Vec<&str> =
            history.lines().filter(|line| !FOLDED.is_match(line) && !line.starts_with('(')).collect();
        let turns = folded + actions.len();
        let failures = actions.iter().filter(|line| line.contains("→ failed:")).count();
        let lines = shown(&fenced(prompt, "page"), &fenced(prompt, "changes"));
        let elements = lines
            .iter()
            .enumerate()
            .flat_map(|(line, text)| ELEMENT.captures_iter(text).map(move |found| (line, found)))
            .map(|(line, found)| Element {
                role: found[1].to_owned(),
                name: found.get(2).map_or("", |name| name.as_str()).replace("\\\"", "\""),
                reference: found[3].to_owned(),
                line,
            })
            .chain(lines.iter().enumerate().flat_map(|(line, text)| links(line, text)))
            .collect();
        let ends =
            |line: &&str| ["Done when:", "Known;", "Remembered,", "The page"].iter().any(|next| line.starts_with(next));
        let task = prompt.lines().skip_while(|line| !line.starts_with("Task: ")).take_while(|line| !ends(line));
        let task = task.collect::<Vec<_>>().join("\n").trim_start_matches("Task: ").trim_end().to_owned();
        let history = actions.iter().map(|line| line.split(" → ").next().unwrap_or_default().to_owned()).collect();
        Seen { history, task, done: turns - failures.min(turns), turns, failures, lines, elements }
    }

    /// Whether an element with this name was clicked.
    pub(super) fn clicked(&self, name: &str) -> bool {
        let name = format!("\"{name}\"");
        self.history.iter().any(|action| action.starts_with("click ") && action.contains(&name))
    }

    /// The ref of the element with this name: an exact match, else ignoring case, else by its beginning, else by a
    /// part.
    pub(super) fn find(&self, kinds: &[ControlKind], name: &str) -> Option<String> {
        let wanted = name.trim().to_lowercase();
        let fits = |test: &dyn Fn(&str) -> bool| {
            let of_kind = |element: &&Element| kinds.is_empty() || kinds.iter().any(|kind| kind.is(&element.role));
            self.elements.iter().filter(of_kind).find(|element| test(&element.name))
        };
        let found = fits(&|found| found == name)
            .or_else(|| fits(&|found| found.to_lowercase() == wanted))
            .or_else(|| fits(&|found| found.to_lowercase().starts_with(&wanted)))
            .or_else(|| fits(&|found| found.to_lowercase().contains(&wanted)));
        found.map(|element| element.reference.clone())
    }

    /// The ref of the element of a kind on the line of this text, or the last one before it.
    pub(super) fn beside(&self, kind: ControlKind, text: &str) -> Option<String> {
        let line = self.lines.iter().position(|line| line.contains(text))?;
        let before = |element: &&Element| kind.is(&element.role) && element.line <= line;
        self.elements.iter().rfind(before).map(|element| element.reference.clone())
    }

    /// The ref of the nth element of a kind, from 0.
    pub(super) fn nth(&self, kind: ControlKind, nth: usize) -> Option<String> {
        self.elements.iter().filter(|element| kind.is(&element.role)).nth(nth).map(|element| element.reference.clone())
    }

    /// The text of the page after a label.
    pub(super) fn value(&self, label: &str) -> Option<String> {
        let line = self.lines.iter().find(|line| line.contains(&format!("\"{label}\"")))?;
        line.split_once(&format!("\"{label}\""))?.1.split_once(": ").map(|(_, value)| value.trim().to_owned())
    }
}

/// The links in a line of samples.
fn links(line: usize, text: &str) -> Vec<Element> {
    let Some(listed) = LINKS.captures(text).and_then(|found| found.get(1)) else { return Vec::new() };
    let mut left = listed.as_str();
    let mut links = Vec::new();
    while let Some(found) = LINK.captures(left) {
        let (name, reference) = (found[1].trim_start_matches("… ").to_owned(), found[2].to_owned());
        let end = found.get(2).map_or(left.len(), |reference| reference.end());
        links.push(Element { role: "link".into(), name, reference, line });
        left = &left[end..];
    }
    links
}

/// Applies changes to the lines of the page: removes lines, replaces changed ones, and appends new ones.
fn shown(page: &str, changes: &str) -> Vec<String> {
    let mut lines: Vec<String> = page.lines().map(str::to_owned).collect();
    let same = |one: &str, other: &str| one.trim_start_matches([' ', '-']) == other.trim_start_matches([' ', '-']);
    let mut added = Vec::new();
    for change in changes.lines() {
        let change = change.trim_start();
        if let Some(gone) = change.strip_prefix("- ") {
            if let Some(at) = lines.iter().position(|line| same(line, gone)) {
                lines.remove(at);
            }
        } else if let Some(new) = change.strip_prefix("~ ") {
            let reference = ELEMENT.captures(new).map(|found| format!("[ref={}]", &found[3]));
            let old = reference.and_then(|reference| lines.iter().position(|line| line.contains(&reference)));
            match old {
                Some(at) => lines[at] = new.to_owned(),
                None => added.push(new.to_owned()),
            }
        } else if let Some(new) = change.strip_prefix("+ ") {
            added.push(new.to_owned());
        }
    }
    lines.extend(added);
    lines
}

/// The text between the fences with this label.
fn fenced(prompt: &str, label: &str) -> String {
    let block = regex(&format!(r"(?s)\n?(`{{3,}}){label}\n(.*?)\n`{{3,}}"));
    block.captures(prompt).map_or_else(String::new, |found| found[2].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROMPT: &str = r#"Task: Click "A" and
then "B".
The page:
```page
http://site.test/ "Page"
- textbox "User \"name\"" [ref=e1] [focused]: Ada
- listitem: checkbox [ref=e2] text: Buy milk button [ref=e3]
- listitem: checkbox [ref=e4] text: Call Bo
- status "Total": € 12
- links: river stone e20, a "quoted" one e21, window, mirror e22 … 17 more
- button "Submit" [ref=e5]
```
Done:
```history
click e5 button "Submit" → failed: covered
click e5 button "Submit"
```
Now:
```changes
in the page:
- button "Submit" [ref=e5]
~ textbox "User \"name\"" [ref=e1]: Bo
+ link "Next submit" [ref=e9]
```"#;

    #[test]
    fn a_prompt_is_read() {
        let seen = Seen::read(PROMPT);
        assert_eq!(seen.task, "Click \"A\" and\nthen \"B\".");
        assert_eq!((seen.done, seen.turns, seen.failures), (1, 2, 1));
        assert_eq!(seen.find(&[ControlKind::Field], "user \"name\"").as_deref(), Some("e1"));
        assert_eq!(seen.find(&[ControlKind::Button], "submit"), None);
        assert_eq!(seen.find(&[], "submit").as_deref(), Some("e9"));
        assert_eq!(seen.beside(ControlKind::Box, "Call Bo").as_deref(), Some("e4"));
        assert_eq!(seen.nth(ControlKind::Box, 1).as_deref(), Some("e4"));
        assert!(seen.clicked("Submit") && !seen.clicked("covered"));
        assert_eq!(seen.find(&[ControlKind::Link], "river stone").as_deref(), Some("e20"));
        assert_eq!(seen.find(&[ControlKind::Link], "a \"quoted\" one").as_deref(), Some("e21"));
        assert_eq!(seen.find(&[ControlKind::Link], "window, mirror").as_deref(), Some("e22"));
        assert_eq!(seen.value("Total").as_deref(), Some("€ 12"));
    }
}
