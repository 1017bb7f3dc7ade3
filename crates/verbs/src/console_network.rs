//! The console messages and the requests of a page. If they exceed the token limit, the newest are shown.

use jiff::Timestamp;
use legwork::{observe::tokens, page::Page};
use legwork_protocol::{ConsoleLevel, ConsoleLine, RequestLine};
use regex::RegexBuilder;
use serde_json::json;

use crate::PageReply;

/// Request kinds that are omitted from the list if they succeeded: a page loads many of them, and a caller is seldom
/// interested in them.
const STATIC: &[&str] = &["image", "font", "stylesheet", "script", "media", "manifest"];

pub(crate) fn console(page: &Page, level: ConsoleLevel, all: bool, max: usize) -> PageReply {
    let since = if all { None } else { loaded(page) };
    let of_page = |line: &ConsoleLine| since.is_none_or(|(tab, at)| line.tab == tab && line.at >= at);
    let lines: Vec<ConsoleLine> =
        page.session().console(0).into_iter().filter(|line| line.level >= level && of_page(line)).collect();
    if lines.is_empty() {
        return PageReply::with("the console is empty", json!({"console": []}));
    }
    let written = |line: &ConsoleLine| {
        let place = match (line.url.is_empty(), line.line) {
            (true, _) => String::new(),
            (false, Some(number)) => format!(" ({}:{number})", line.url),
            (false, None) => format!(" ({})", line.url),
        };
        format!("[{}] {}{place}", format!("{:?}", line.level).to_lowercase(), line.text)
    };
    PageReply::with(newest(&lines, written, max), json!({"console": lines}))
}

pub(crate) fn network(page: &Page, filter: Option<&str>, with_static: bool, all: bool, max: usize) -> PageReply {
    let filter = match filter.map(|filter| RegexBuilder::new(filter).size_limit(1 << 20).build()).transpose() {
        Ok(filter) => filter,
        Err(error) => return PageReply::unmet(format!("the filter is no regular expression: {error}")),
    };
    let since = if all { None } else { loaded(page) };
    let wanted = |line: &RequestLine| {
        let came_well = line.failure.is_none() && line.status.is_none_or(|status| status < 400);
        since.is_none_or(|(tab, at)| line.tab == tab && line.at >= at)
            && filter.as_ref().is_none_or(|filter| filter.is_match(&line.url))
            && (with_static || filter.is_some() || !came_well || !STATIC.contains(&line.kind.as_str()))
    };
    let lines: Vec<RequestLine> = page.session().requests(0).into_iter().filter(wanted).collect();
    if lines.is_empty() {
        return PageReply::with("no requests to show", json!({"requests": []}));
    }
    PageReply::with(newest(&lines, request, max), json!({"requests": lines}))
}

/// A request as one line. Its number selects it for [`PageCommand::Request`](crate::PageCommand::Request).
pub(crate) fn request(line: &RequestLine) -> String {
    let came = match (&line.failure, line.status) {
        (Some(failure), _) => failure.clone(),
        (None, Some(status)) => status.to_string(),
        (None, None) => "under way".to_owned(),
    };
    let took = line.duration.map_or(String::new(), |took| format!(" {} ms", took.as_millis()));
    format!("{}. {} {} → {came} ({}{took})", line.number, line.method, line.url, line.kind)
}

/// The number of the current tab, and the time at which its page was requested.
fn loaded(page: &Page) -> Option<(u32, Timestamp)> {
    let session = page.session();
    let tab = session.tabs().into_iter().find(|tab| tab.current)?;
    let bare = |url: &str| url.split('#').next().unwrap_or_default().to_owned();
    let requests = session.requests(0);
    let of_page = |line: &&RequestLine| line.tab == tab.number && line.kind == "document";
    // Frames request documents too. The page's own document is the one with the URL of the tab. If a script has changed
    // the URL since, no document has it, and the first document of the tab is used.
    let at_address = requests.iter().rev().filter(of_page).find(|line| bare(&line.url) == bare(&tab.url));
    at_address.or_else(|| requests.iter().find(of_page)).map(|line| (tab.number, line.at))
}

/// The newest lines that fit, in their order, after a line with the number of omitted ones.
fn newest<T>(lines: &[T], written: impl Fn(&T) -> String, max: usize) -> String {
    let (mut shown, mut used) = (Vec::new(), 0);
    for line in lines.iter().rev() {
        let line = written(line);
        used += tokens::count(&line) + 1;
        if used > max && !shown.is_empty() {
            break;
        }
        shown.push(line);
    }
    let before = lines.len() - shown.len();
    if before > 0 {
        shown.push(format!("({before} before these; ask for more tokens)"));
    }
    shown.reverse();
    shown.join("\n")
}
