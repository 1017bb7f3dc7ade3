//! The results: a table by page, the totals, and a list of the elements that the observation does not offer.

use std::{collections::BTreeMap, fmt::Write as _};

use serde::{Deserialize, Serialize};

/// The smallest share of operable points that an observation must offer.
const OFFERED_SHARE: f64 = 0.99;

/// An element that a person can operate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperableElement {
    /// The points of the grid that operate it.
    pub points: usize,
    /// The points among them at which an element with a ref operates it.
    pub seen: usize,
    /// Its text.
    pub text: String,
    /// Its tag, classes and place.
    pub note: String,
    /// The texts at the other points, each with their number.
    pub texts: BTreeMap<String, usize>,
    /// The points among them whose text the observation shows, so that they can be addressed by it.
    #[serde(default)]
    pub mentioned: usize,
}

impl OperableElement {
    fn offered(&self) -> usize {
        self.points.min(self.seen + self.mentioned)
    }
}

/// The result of one page.
#[derive(Clone, Debug, Serialize)]
pub struct PageResult {
    /// The page.
    pub page: &'static str,
    /// The refs of the observation.
    pub refs: usize,
    /// Every operable element in the view.
    pub elements: Vec<OperableElement>,
}

/// The results of a plan.
#[derive(Clone, Debug, Serialize)]
pub struct PerceptionReport {
    /// All pages.
    pub pages: Vec<PageResult>,
    /// The pages that could not be opened, with the reason.
    pub unopened: BTreeMap<&'static str, String>,
}

/// Points of the grid: all that operate something, those with a ref, and those with a ref or a text.
#[derive(Clone, Copy, Default)]
struct Points {
    all: usize,
    seen: usize,
    offered: usize,
}

impl Points {
    fn of<'a>(elements: impl Iterator<Item = &'a OperableElement>) -> Points {
        elements.fold(Points::default(), |sum, one| Points {
            all: sum.all + one.points,
            seen: sum.seen + one.seen,
            offered: sum.offered + one.offered(),
        })
    }

    fn share(count: usize, of: usize) -> f64 {
        if of == 0 { 1.0 } else { count as f64 / of as f64 }
    }
}

impl PerceptionReport {
    fn points(&self) -> Points {
        Points::of(self.pages.iter().flat_map(|page| &page.elements))
    }

    /// Whether every page was opened and enough points are offered.
    pub fn holds(&self) -> bool {
        let points = self.points();
        self.unopened.is_empty() && Points::share(points.offered, points.all) >= OFFERED_SHARE
    }

    /// The report as text.
    pub fn text(&self) -> String {
        let mut text =
            String::from("| Page | Elements | Points | with a ref | with a ref or a text |\n|---|---|---|---|---|\n");
        let mut row = |name: &str, count: usize, points: Points| {
            let percent = |part: usize| format!("{:.1} %", 100.0 * Points::share(part, points.all));
            let _ = writeln!(
                text,
                "| {name} | {count} | {} | {} | {} |",
                points.all,
                percent(points.seen),
                percent(points.offered)
            );
        };
        for page in &self.pages {
            row(page.page, page.elements.len(), Points::of(page.elements.iter()));
        }
        row("all", self.pages.iter().map(|page| page.elements.len()).sum(), self.points());
        for page in &self.pages {
            for element in page.elements.iter().filter(|element| element.offered() < element.points) {
                let _ = writeln!(
                    text,
                    "{}: {} of {} points are not offered: {} {:?}",
                    page.page,
                    element.points - element.offered(),
                    element.points,
                    element.note,
                    element.text
                );
            }
        }
        for (page, why) in &self.unopened {
            let _ = writeln!(text, "{page}: {why}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(points: usize, seen: usize, mentioned: usize) -> OperableElement {
        OperableElement {
            points,
            seen,
            text: "Save".into(),
            note: "div at 0,0".into(),
            texts: BTreeMap::new(),
            mentioned,
        }
    }

    #[test]
    fn an_element_without_a_ref_and_a_text_counts_as_not_offered() {
        let report = |elements| PerceptionReport {
            pages: vec![PageResult { page: "one", refs: 2, elements }],
            unopened: BTreeMap::new(),
        };
        let whole = report(vec![element(99, 99, 0), element(1, 0, 1)]);
        assert!(whole.holds());
        assert!(whole.text().contains("| all | 2 | 100 | 99.0 % | 100.0 % |"), "{}", whole.text());
        let missed = report(vec![element(98, 98, 0), element(2, 0, 0)]);
        assert!(!missed.holds());
        assert!(missed.text().contains("one: 2 of 2 points are not offered: div at 0,0 \"Save\""), "{}", missed.text());
    }

    #[test]
    fn a_page_that_was_not_opened_is_a_failure() {
        let unopened = BTreeMap::from([("one", "no answer".to_owned())]);
        assert!(!PerceptionReport { pages: Vec::new(), unopened }.holds());
    }
}
