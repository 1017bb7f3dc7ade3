//! The words of an alert.

use legwork::protocol::RunId;
use serde::Serialize;

/// Maximum number of characters of a reason. It may quote a page.
const MAX_REASON: usize = 600;

/// The occasion of an alert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AlertKind {
    /// A run failed or could not be started.
    Failure,
    /// A run succeeded, and the one before it failed.
    Recovery,
    /// A person checks whether alerts arrive.
    Test,
}

/// An alert in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Alert {
    /// One line.
    pub(crate) subject: String,
    /// What happened, and where it is shown.
    pub(crate) text: String,
}

impl Alert {
    /// The alert for a schedule. `origin` is that of the web page.
    pub(crate) fn new(kind: AlertKind, schedule: &str, reason: &str, origin: &str, run: Option<RunId>) -> Alert {
        let name = one_line(schedule);
        let reason: String = one_line(reason).chars().take(MAX_REASON).collect();
        let (subject, sentence) = match kind {
            AlertKind::Failure => (format!("{name} failed"), format!("The schedule “{name}” failed: {reason}")),
            AlertKind::Recovery => {
                (format!("{name} works again"), format!("The schedule “{name}” works again: its last run succeeded."))
            }
            AlertKind::Test => {
                ("test message".to_owned(), format!("This is a test. Alerts of the schedule “{name}” arrive here."))
            }
        };
        let link = match run {
            Some(run) => format!("{origin}/runs/{run}"),
            None => format!("{origin}/schedules"),
        };
        Alert { subject: format!("Legwork: {subject}"), text: format!("{sentence}\n{link}") }
    }

    /// The text for Slack and chats that accept its messages. In Slack, `&`, `<` and `>` begin a link or a mention; in
    /// others `@` begins a mention, and brackets and stars are Markdown. A reason may quote a page, so it must not
    /// contain them.
    pub(crate) fn escaped_for_chat(&self) -> String {
        let mut escaped = String::with_capacity(self.text.len());
        for c in self.text.chars() {
            match c {
                '&' => escaped.push_str("&amp;"),
                '<' => escaped.push_str("&lt;"),
                '>' => escaped.push_str("&gt;"),
                // An invisible word joiner separates the sign from what it would address.
                '@' => escaped.push_str("@\u{2060}"),
                '[' => escaped.push('⟦'),
                ']' => escaped.push('⟧'),
                '*' | '`' | '~' => escaped.push('\''),
                c => escaped.push(c),
            }
        }
        escaped
    }
}

/// The text as one line, without characters that control a terminal or the direction of text.
fn one_line(text: &str) -> String {
    let is_direction =
        |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let line: String = text.chars().map(|c| if c.is_control() || is_direction(c) { ' ' } else { c }).collect();
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alert_names_the_schedule_the_reason_and_where_to_look() {
        let run = RunId::new();
        let failure =
            Alert::new(AlertKind::Failure, "Daily\r\nreport", "no button \"A\"\n", "https://l.example", Some(run));
        assert_eq!(failure.subject, "Legwork: Daily report failed");
        let link = format!("https://l.example/runs/{run}");
        assert_eq!(failure.text, format!("The schedule “Daily report” failed: no button \"A\"\n{link}"));
        let recovery = Alert::new(AlertKind::Recovery, "Daily", "", "https://l.example", None);
        assert!(recovery.text.ends_with("\nhttps://l.example/schedules"), "{recovery:?}");
        let long = Alert::new(AlertKind::Failure, "x", &"y".repeat(5_000), "", None);
        assert!(long.text.chars().count() < 700);
    }

    #[test]
    fn words_of_a_page_are_no_link_and_no_mention_in_a_chat() {
        let alert = Alert::new(AlertKind::Failure, "x", "<!channel> & <https://evil.example|ok>", "", None);
        assert!(alert.escaped_for_chat().contains("&lt;!channel&gt; &amp; &lt;https://evil.example|ok&gt;"));
    }
}
