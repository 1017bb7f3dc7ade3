//! Console lines and requests of a run's pages between two actions: selects the part that is stored in the journal.

use std::sync::{Arc, Weak};

use legwork_browser::Session;
use legwork_protocol::{CommandId, ConsoleLevel, ConsoleLine, PageLog, RequestLine};

/// Maximum number of console lines and requests in the journal for one action.
const MAX_LINES: usize = 40;
const MAX_REQUESTS: usize = 60;
/// Maximum number of characters of a text or an address in the journal.
const MAX_CHARACTERS: usize = 500;

/// Up to where the logs of a session were read.
#[derive(Default)]
pub(crate) struct ActivityCursor {
    of: Weak<Session>,
    line: u64,
    request: u64,
    /// Requests that were recorded before they had ended.
    open: Vec<u64>,
}

impl ActivityCursor {
    /// The lines since the last call; `None` if there are none.
    pub(crate) fn since(&mut self, session: &Arc<Session>, command: CommandId) -> Option<PageLog> {
        if !std::ptr::eq(self.of.as_ptr(), Arc::as_ptr(session)) {
            *self = ActivityCursor { of: Arc::downgrade(session), ..ActivityCursor::default() };
        }
        let console = session.console(self.line);
        let new = session.requests(self.request);
        let mut requests: Vec<RequestLine> = Vec::new();
        self.open.retain(|number| match session.request(*number) {
            Some(line) if has_ended(&line) => {
                requests.push(line);
                false
            }
            still => still.is_some(),
        });
        if console.is_empty() && new.is_empty() && requests.is_empty() {
            return None;
        }
        let mut left_out = (0, 0);
        if let Some(last) = console.last() {
            left_out.0 = last.number - self.line - console.len() as u64;
            self.line = last.number;
        }
        if let Some(last) = new.last() {
            left_out.1 = last.number - self.request - new.len() as u64;
            self.request = last.number;
        }
        requests.extend(new);
        let (console, lines) = most(console, MAX_LINES, |line| line.level >= ConsoleLevel::Warning);
        let (requests, more) = most(requests, MAX_REQUESTS, matters);
        self.open.extend(requests.iter().filter(|line| !has_ended(line)).map(|line| line.number));
        Some(PageLog {
            command_id: Some(command),
            console: console
                .into_iter()
                .map(|line| ConsoleLine { text: short(line.text), url: short(line.url), ..line })
                .collect(),
            requests: requests.into_iter().map(|line| RequestLine { url: short(line.url), ..line }).collect(),
            console_left_out: left_out.0 + lines,
            requests_left_out: left_out.1 + more,
        })
    }
}

/// The log of a request that was just sent. It is reported again with its response.
pub(crate) fn sent_now(line: RequestLine, command: CommandId) -> PageLog {
    let line = RequestLine { url: short(line.url), status: None, failure: None, duration: None, ..line };
    PageLog { command_id: Some(command), requests: vec![line], ..PageLog::default() }
}

fn has_ended(line: &RequestLine) -> bool {
    line.duration.is_some() || line.failure.is_some()
}

/// Whether a request carries data or failed. Others, such as images and fonts, are dropped first.
fn matters(line: &RequestLine) -> bool {
    line.failure.is_some()
        || line.status.is_some_and(|status| status >= 400)
        || matches!(&*line.kind, "document" | "xhr" | "fetch" | "websocket" | "eventsource")
}

/// At most `most` lines in their order, and how many were left out. Lines that matter are kept before others, and newer
/// lines before older ones.
fn most<T>(lines: Vec<T>, most: usize, matters: impl Fn(&T) -> bool) -> (Vec<T>, u64) {
    let left_out = lines.len().saturating_sub(most);
    if left_out == 0 {
        return (lines, 0);
    }
    let important = lines.iter().filter(|line| matters(line)).count();
    // Removes lines from the oldest on: first those that do not matter, then as many of the others as necessary.
    let mut dull_go = left_out.min(lines.len() - important);
    let mut others_go = left_out - dull_go;
    let kept = lines.into_iter().filter(|line| {
        let go = if matters(line) { &mut others_go } else { &mut dull_go };
        let stays = *go == 0;
        *go = go.saturating_sub(1);
        stays
    });
    (kept.collect(), left_out as u64)
}

fn short(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(MAX_CHARACTERS) {
        text.truncate(end);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_stays_and_the_order_too() {
        let even = |number: &u32| number.is_multiple_of(2);
        assert_eq!(most((1..=6).collect(), 6, even), (vec![1, 2, 3, 4, 5, 6], 0));
        assert_eq!(most((1..=6).collect(), 4, even), (vec![2, 4, 5, 6], 2));
        assert_eq!(most((1..=6).collect(), 2, even), (vec![4, 6], 4));
    }
}
