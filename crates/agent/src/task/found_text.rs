//! The results of investigations, as the prompts of the next turns show them. A result leaves the prompt when it was
//! used, when a later one replaces it, and one turn after the page changed: what was found out about a page that is gone
//! costs tokens and misleads.

use legwork_protocol::{Action, ActionResult, Findings};

use crate::context::{one_line, within};

/// The number of results that are kept.
const MOST: usize = 4;
/// The maximum length of a result in characters.
const CHARACTERS: usize = 600;

/// The results of the last investigations, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FoundTexts(Vec<FoundText>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct FoundText {
    text: String,
    /// The fingerprint of the investigated page; unknown after a resume.
    page: Option<u64>,
    /// The ref of the element to act on.
    target: Option<String>,
}

impl FoundTexts {
    /// Adds the result of an investigation of the page at `url`. Another one about the same page is superseded. The
    /// line is built only from data in the events, so that a resume builds the same line. A result without content is
    /// none.
    pub(crate) fn add(&mut self, url: &str, page: Option<u64>, findings: &Findings, discovered: Option<(&str, &str)>) {
        if findings.insight.trim().is_empty() && discovered.is_none() {
            return;
        }
        let mut text = format!("{url}: {}", findings.insight);
        if let Some((element, purpose)) = discovered {
            text.push_str(&format!(" Act on {element}, to {purpose}"));
        }
        if findings.partial {
            text.push_str(" (not looked into to the end)");
        }
        let text = one_line(&text, CHARACTERS);
        self.0.retain(|known| known.text != text && !(page.is_some() && known.page == page));
        self.0.push(FoundText { text, page, target: findings.target.clone() });
        let over = self.0.len().saturating_sub(MOST);
        self.0.drain(..over);
    }

    /// Removes the results whose element was acted on.
    pub(crate) fn note_used<'a>(&mut self, done: impl Iterator<Item = (&'a Action, &'a ActionResult)>) {
        for (action, result) in done.filter(|(_, result)| result.ok()) {
            let Some(target) = action.target() else { continue };
            let used = result.refs.get(&target.0).unwrap_or(target);
            self.0.retain(|found| found.target.as_ref() != Some(&used.0));
        }
    }

    /// Removes the results about other pages. Called after a prompt for this page contained them once.
    pub(crate) fn note_shown(&mut self, page: u64) {
        self.0.retain(|found| found.page == Some(page));
    }

    /// The results within a number of tokens.
    pub(crate) fn text(&self, max_tokens: usize) -> Option<String> {
        let lines: Vec<&str> = self.0.iter().map(|found| found.text.as_str()).collect();
        (!lines.is_empty()).then(|| within(&lines.join("\n"), max_tokens))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use legwork_protocol::{Target, TargetParams};

    use super::*;

    fn findings(insight: &str, target: Option<&str>) -> Findings {
        let target = target.map(str::to_owned);
        Findings { insight: insight.into(), target, confidence: 0.9, rounds: 1, partial: false }
    }

    fn shop() -> FoundTexts {
        let mut found = FoundTexts::default();
        found.add("http://a.test", Some(1), &findings("a shop", Some("e2")), None);
        found
    }

    #[test]
    fn a_result_leaves_when_it_was_used() {
        let mut found = shop();
        let hover = |target: &str| Action::Hover(TargetParams { target: Target(target.into()) });
        let failed = ActionResult::failed(legwork_protocol::ActionFailure::Unresponsive, Duration::ZERO);
        let done = ActionResult::done(Duration::ZERO);
        found.note_used([(&hover("e2"), &failed), (&hover("e3"), &done)].into_iter());
        assert!(found.text(100).is_some());
        let by_name = ActionResult { refs: [("text=Buy".to_owned(), Target("e2".into()))].into(), ..done };
        found.note_used([(&hover("text=Buy"), &by_name)].into_iter());
        assert_eq!(found.text(100), None);
    }

    #[test]
    fn a_result_leaves_when_another_one_is_about_its_page() {
        let mut found = shop();
        found.add("http://a.test", Some(1), &findings("a shop for tea", None), None);
        assert_eq!(found.text(100).as_deref(), Some("http://a.test: a shop for tea"));
    }

    #[test]
    fn a_result_leaves_one_turn_after_its_page_changed() {
        let mut found = shop();
        found.note_shown(1);
        assert!(found.text(100).is_some(), "the page is the same");
        // The prompt for the changed page has contained it.
        found.note_shown(2);
        assert_eq!(found.text(100), None);
    }

    #[test]
    fn a_result_without_content_is_none() {
        let mut found = FoundTexts::default();
        found.add("http://a.test", Some(1), &findings(" ", None), None);
        assert_eq!(found.text(100), None);
    }
}
