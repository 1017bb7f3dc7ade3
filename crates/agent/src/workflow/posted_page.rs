//! Whether the page of an interrupted run was the answer to a form. Its address does not lead to it again: a browser
//! that loads the address sends none of the values that the form sent, and a form on that page then contains others.

use legwork_protocol::{ActionResult, CommandId, Effect, PageEffect, PageLog, RequestLine};

use super::answers::changes;

/// How the document of the current page was requested.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageOrigin {
    /// The last navigation: its command, and the address that it led to.
    navigation: Option<(CommandId, String)>,
    /// The request whose answer the page is, if it was a form's.
    posted: Option<String>,
    /// The first step with an action since the last page that an address leads to.
    first_step: Option<usize>,
    /// The state at the last navigation, to which the log of its requests applies.
    before: Option<usize>,
}

/// A page that was the answer to a form.
#[derive(Clone, Debug)]
pub(crate) struct PostedPage {
    /// The request.
    pub(crate) request: String,
    /// The step that began on the last page before it that an address leads to.
    pub(crate) first_step: usize,
}

impl PageOrigin {
    /// An action of this step begins.
    pub(crate) fn note_action(&mut self, step: Option<usize>, effect: Effect) {
        if effect != Effect::ReadOnly {
            self.first_step = self.first_step.or(step);
        }
    }

    /// Adds the result of an action. Requests that it reports decide until the log of the page is read.
    pub(crate) fn note_result(&mut self, command: CommandId, result: &ActionResult) {
        let document = result.effects.iter().rev().find_map(|effect| match effect {
            PageEffect::Navigated { to, status, status_unknown, .. } if status.is_some() || *status_unknown => Some(to),
            _ => None,
        });
        let Some(to) = document else { return };
        self.navigation = Some((command, to.clone()));
        self.before = self.first_step;
        let form = result.effects.iter().find_map(|effect| match effect {
            PageEffect::Request { method, url, status, .. } if method != "GET" && is_answer(url, *status, to) => {
                Some(format!("{method} {url}"))
            }
            _ => None,
        });
        self.set(form);
    }

    /// Adds the requests of the page during the last navigation.
    pub(crate) fn note_log(&mut self, log: &PageLog) {
        let Some((command, to)) = &self.navigation else { return };
        if log.command_id != Some(*command) {
            return;
        }
        let is_document = |line: &&RequestLine| line.kind == "document" && is_answer(&line.url, line.status, to);
        if let Some(line) = log.requests.iter().rev().find(is_document) {
            let form = changes(line).then(|| format!("{} {}", line.method, line.url));
            self.set(form);
        }
    }

    fn set(&mut self, posted: Option<String>) {
        self.first_step = self.before.filter(|_| posted.is_some());
        self.posted = posted;
    }

    /// The page, if it was the answer to a form.
    pub(crate) fn posted_page(&self) -> Option<PostedPage> {
        let request = self.posted.clone()?;
        Some(PostedPage { request, first_step: self.first_step.unwrap_or_default() })
    }
}

/// Whether the document at `page` is the answer to a request. A redirect led elsewhere, possibly to the same address.
fn is_answer(url: &str, status: Option<u16>, page: &str) -> bool {
    let without_fragment = |url: &str| url.split('#').next().unwrap_or_default().to_owned();
    let (url, page) = (without_fragment(url), without_fragment(page));
    // The journal contains the beginning of a long address.
    let is_same = match url.strip_suffix('…') {
        Some(beginning) => page.starts_with(beginning),
        None => url == page,
    };
    is_same && !status.is_some_and(|status| (300..400).contains(&status))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::workflow::answers;

    const FORM: &str = "http://shop.test/wizard";

    fn line(method: &str, url: &str, status: u16) -> RequestLine {
        answers::tests::line(1, method, url, "document", Some(status))
    }

    fn origin(to: &str, requests: Vec<RequestLine>) -> PageOrigin {
        let command = CommandId::new();
        let gone = PageEffect::Navigated { from: FORM.into(), to: to.into(), status: Some(200), status_unknown: false };
        let result = ActionResult { effects: vec![gone], ..ActionResult::done(Duration::ZERO) };
        let mut origin = PageOrigin::default();
        origin.note_action(Some(2), Effect::Mutating);
        origin.note_result(command, &result);
        origin.note_log(&PageLog {
            command_id: Some(command),
            console: Vec::new(),
            requests,
            console_left_out: 0,
            requests_left_out: 0,
        });
        origin
    }

    #[test]
    fn the_request_of_the_document_decides() {
        let page = origin(FORM, vec![line("POST", FORM, 200)]).posted_page().expect("it was the answer to a form");
        assert_eq!((page.request.as_str(), page.first_step), ("POST http://shop.test/wizard", 2));
        let long = format!("{}…", &FORM[..20]);
        assert!(origin(FORM, vec![line("POST", &long, 200)]).posted_page().is_some());
        assert!(origin(&format!("{FORM}#top"), vec![line("POST", FORM, 422)]).posted_page().is_some());
        // A redirect after the form, to another page and to its own, is the usual case.
        for to in ["http://shop.test/thanks", FORM] {
            let requests = vec![line("POST", FORM, 303), line("GET", to, 200)];
            assert!(origin(to, requests).posted_page().is_none(), "{to}");
        }
        // A script that sends to the address of its page does not load it.
        let script = RequestLine { kind: "fetch".into(), ..line("POST", FORM, 200) };
        assert!(origin(FORM, vec![script, line("GET", FORM, 200)]).posted_page().is_none());
    }
}
