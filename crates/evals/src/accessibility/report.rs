//! The results: a table by page, the totals, and a list of the differences.

use std::{collections::BTreeMap, fmt::Write as _};

use serde::{Deserialize, Serialize};

use super::judge::ComputedName;

/// Roles whose elements an observation does not name by their content, because it shows the content below them.
const SHOWN_BY_CONTENT: &[&str] =
    &["generic", "row", "cell", "gridcell", "columnheader", "rowheader", "listitem", "table", "iframe", "region"];

/// The smallest share of elements that must agree.
const AGREEMENT: f64 = 0.99;

/// An element about which the observation and the browser differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The element's ref, or the title of the case.
    pub element: String,
    /// The role and the name in the observation; for a case, every line of the page.
    pub observed: String,
    /// The role and the name that the browser computed.
    pub computed: String,
    /// The name that the W3C expects, for a case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// Why the observation differs on purpose; absent if it should not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
}

/// A case of the W3C, as the package describes it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NameCase {
    pub(super) title: String,
    pub(super) expected_name: String,
    pub(super) html_input: String,
}

/// The result of one page.
#[derive(Clone, Debug, Serialize)]
pub struct PageAgreement {
    /// The page.
    pub page: &'static str,
    /// The elements that both know.
    pub compared: usize,
    /// The elements among them with the same role.
    pub same_roles: usize,
    /// The elements among them with the same name.
    pub same_names: usize,
    /// The elements that the accessibility tree does not contain.
    pub not_in_tree: usize,
    /// The elements that an observation shows by their content and not by a name.
    pub by_content: usize,
    /// The elements that differ.
    pub differences: Vec<Difference>,
}

/// The results of a plan.
#[derive(Clone, Debug, Default, Serialize)]
pub struct AccessibilityReport {
    /// All pages.
    pub pages: Vec<PageAgreement>,
}

/// The same role in the words of an observation: the browser has names of its own for roles without one in ARIA.
fn aria_role(role: &str) -> &str {
    match role {
        "image" => "img",
        other => other,
    }
}

/// Why an observation differs from the browser on purpose.
fn reason(observed: &ComputedName, computed: &ComputedName) -> Option<&'static str> {
    let (same_role, same_name) = (aria_role(&computed.role) == observed.role, has_same_name(observed, computed));
    match (observed.role.as_str(), computed.role.as_str()) {
        ("textbox", "generic") => Some("an editor without a role is a text field"),
        ("slider", "generic") => Some("a drawn slider without a role is a slider"),
        ("textbox", "button") if same_name || computed.name == "Choose File" => Some("a field for a file is a field"),
        ("video", "Video") => Some("the text for browsers without video is not shown"),
        ("combobox", _) if same_role && computed.name.is_empty() => Some("a list without a name is named by its value"),
        ("combobox" | "listbox", _) if same_role && plain(&computed.name).starts_with(&plain(&observed.name)) => {
            Some("what is drawn around a list is not a part of its name")
        }
        _ if same_role && plain(&observed.name).eq_ignore_ascii_case(&plain(&computed.name)) => {
            Some("a style sheet changes the case of the letters")
        }
        _ => None,
    }
}

/// As [`reason`], for a case of the W3C.
fn reason_of_case(html: &str, observed: &[ComputedName], computed: &ComputedName) -> Option<&'static str> {
    match computed.role.as_str() {
        "generic" => Some("an element without a role has no name: its text is shown"),
        _ if html.contains(":before") || html.contains(":after") => {
            Some("texts of style sheets are read only in controls without a text of their own")
        }
        _ if html.contains("aria-owns") => Some("parts that aria-owns moves are read where they are shown"),
        _ if html.contains("role=\"presentation\" aria-label") => {
            Some("the shown text counts, and not the label of an element without a role")
        }
        _ => observed.iter().find_map(|line| reason(line, computed)),
    }
}

fn has_same_name(observed: &ComputedName, computed: &ComputedName) -> bool {
    plain(&observed.name) == plain(&computed.name)
}

fn in_words(computed: &ComputedName) -> String {
    format!("{} {:?}", computed.role, computed.name)
}

/// A name without the differences that no person sees: the number of spaces.
fn plain(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl PageAgreement {
    pub(super) fn new(page: &'static str) -> PageAgreement {
        PageAgreement {
            page,
            compared: 0,
            same_roles: 0,
            same_names: 0,
            not_in_tree: 0,
            by_content: 0,
            differences: Vec::new(),
        }
    }

    /// Adds an element of the observation.
    pub(super) fn compare(&mut self, element: &str, observed: &ComputedName, computed: Option<&ComputedName>) {
        let Some(computed) = computed else {
            self.not_in_tree += 1;
            return;
        };
        if SHOWN_BY_CONTENT.contains(&observed.role.as_str()) {
            self.by_content += 1;
            return;
        }
        let has_role = aria_role(&computed.role) == observed.role;
        let has_name = has_same_name(observed, computed);
        self.add(has_role, has_name);
        if !(has_role && has_name) {
            self.differences.push(Difference {
                element: element.to_owned(),
                observed: in_words(observed),
                computed: in_words(computed),
                expected: None,
                reason: reason(observed, computed),
            });
        }
    }

    /// Adds a case of the W3C, with all lines of its page.
    pub(super) fn compare_case(&mut self, case: &NameCase, observed: &[ComputedName], computed: Option<&ComputedName>) {
        let Some(computed) = computed else {
            self.not_in_tree += 1;
            return;
        };
        let with_role: Vec<&ComputedName> =
            observed.iter().filter(|line| line.role == aria_role(&computed.role)).collect();
        let has_name = with_role.iter().any(|line| has_same_name(line, computed));
        self.add(!with_role.is_empty(), has_name);
        if !has_name {
            let lines: Vec<String> = observed.iter().map(in_words).collect();
            self.differences.push(Difference {
                element: case.title.clone(),
                observed: lines.join(" | "),
                computed: in_words(computed),
                expected: Some(case.expected_name.clone()),
                reason: reason_of_case(&case.html_input, observed, computed),
            });
        }
    }

    fn add(&mut self, has_role: bool, has_name: bool) {
        self.compared += 1;
        self.same_roles += usize::from(has_role);
        self.same_names += usize::from(has_name);
    }
}

impl AccessibilityReport {
    fn total(&self, count: fn(&PageAgreement) -> usize) -> usize {
        self.pages.iter().map(count).sum()
    }

    fn unexplained(&self) -> impl Iterator<Item = (&PageAgreement, &Difference)> {
        let all = self.pages.iter().flat_map(|page| page.differences.iter().map(move |one| (page, one)));
        all.filter(|(_, one)| one.reason.is_none())
    }

    /// Whether enough elements agree, or differ on purpose.
    pub fn holds(&self) -> bool {
        let compared = self.total(|page| page.compared);
        let differing = self.unexplained().count();
        compared > 0 && (compared - differing) as f64 >= AGREEMENT * compared as f64
    }

    /// The report as text.
    pub fn text(&self) -> String {
        let mut text = String::from(
            "| Page | Compared | Same role | Same name | By content | Not in the tree |\n|---|---|---|---|---|---|\n",
        );
        let mut row = |name: &str, [compared, roles, names, by_content, missing]: [usize; 5]| {
            let percent = |part: usize| 100.0 * part as f64 / compared.max(1) as f64;
            let _ = writeln!(
                text,
                "| {name} | {compared} | {:.1} % | {:.1} % | {by_content} | {missing} |",
                percent(roles),
                percent(names)
            );
        };
        for page in &self.pages {
            row(page.page, [page.compared, page.same_roles, page.same_names, page.by_content, page.not_in_tree]);
        }
        row(
            "all",
            [
                self.total(|page| page.compared),
                self.total(|page| page.same_roles),
                self.total(|page| page.same_names),
                self.total(|page| page.by_content),
                self.total(|page| page.not_in_tree),
            ],
        );
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        let differences = self.pages.iter().flat_map(|page| &page.differences);
        differences.filter_map(|one| one.reason).for_each(|reason| *reasons.entry(reason).or_default() += 1);
        let _ = writeln!(text, "\n| Reason of a difference | Elements |\n|---|---|");
        for (reason, count) in reasons {
            let _ = writeln!(text, "| {reason} | {count} |");
        }
        let _ = writeln!(text, "| none | {} |\n", self.unexplained().count());
        for (page, one) in self.unexplained() {
            let expected = one.expected.as_ref().map(|name| format!("; expected {name:?}")).unwrap_or_default();
            let _ = writeln!(
                text,
                "{} {}: observed {}; computed {}{expected}",
                page.page, one.element, one.observed, one.computed
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(role: &str, name: &str) -> ComputedName {
        ComputedName { role: role.to_owned(), name: name.to_owned() }
    }

    fn report(elements: &[(ComputedName, ComputedName)]) -> AccessibilityReport {
        let mut page = PageAgreement::new("one");
        for (observed, computed) in elements {
            page.compare("e1", observed, Some(computed));
        }
        AccessibilityReport { pages: vec![page] }
    }

    #[test]
    fn another_name_counts_unless_there_is_a_reason() {
        let same = (element("img", "Logo  of Ada"), element("image", "Logo of Ada"));
        let upper = (element("button", "Save"), element("button", "SAVE"));
        let other = (element("button", "Save"), element("button", "Send"));
        assert!(report(&[same.clone(), upper.clone()]).holds());
        let missed = report(&[same, upper, other]);
        assert!(!missed.holds());
        assert!(
            missed.text().contains("one e1: observed button \"Save\"; computed button \"Send\""),
            "{}",
            missed.text()
        );
    }

    #[test]
    fn what_is_shown_by_its_content_is_not_compared() {
        let row = (element("row", ""), element("row", "Ada Oslo"));
        assert!(!report(std::slice::from_ref(&row)).holds(), "nothing was compared");
        let report = report(&[row, (element("link", "Ada"), element("link", "Ada"))]);
        assert!(report.holds());
        assert_eq!((report.pages[0].compared, report.pages[0].by_content), (1, 1));
    }

    #[test]
    fn a_case_agrees_if_a_line_of_its_page_does() {
        let case = NameCase { title: "labels".into(), expected_name: "foo 5 baz".into(), html_input: String::new() };
        let computed = element("checkbox", "foo 5 baz");
        let mut page = PageAgreement::new("w3c");
        page.compare_case(&case, &[element("slider", ""), element("checkbox", "foo 5 baz")], Some(&computed));
        assert!(page.differences.is_empty());
        page.compare_case(&case, &[element("slider", "foo 5 baz"), element("checkbox", "foo baz")], Some(&computed));
        assert_eq!((page.compared, page.same_roles, page.same_names, page.differences.len()), (2, 2, 1, 1));
    }
}
