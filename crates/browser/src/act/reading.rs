//! Reads texts, attributes and HTML, each with a size limit.

use legwork_protocol::{ActionFailure, Read, Save, Subdom, Target};
use serde_json::{Value, json};

use super::{ActionOutput, ActionScope};
use crate::{
    Session,
    page_script::{self as script, ElementQuery, ElementTexts, Need, ReadContent, ReadResult, ReadScope},
    targets::TargetQuery,
};

const MAX_READ_CHARS: usize = 5_000;
/// How much of a longer text the page counts, so that a notice can state how much is left out.
const MAX_COUNTED_CHARS: usize = 1_000_000;
const MAX_DOM_CHARS: usize = 100_000;
const MAX_SUBDOM_CHARS: usize = 50_000;

/// What is read, and the most characters of it.
#[derive(Clone, Copy)]
struct Reading<'a> {
    scope: ReadScope,
    content: ReadContent<'a>,
    limit: usize,
}

impl Session {
    pub(crate) async fn save(&self, scope: ActionScope, save: &Save) -> Result<ActionOutput, ActionFailure> {
        if !legwork_protocol::is_variable_name(&save.variable) {
            return Err(ActionFailure::InvalidArgument {
                what: format!("the variable {:?}", save.variable),
                reason: "a name has letters, digits and underscores and does not begin with a digit".to_owned(),
            });
        }
        let (exec_context, ready) = self.wait_actionable(scope.tab, &save.target, Need::Attached).await?;
        let found = TargetQuery { exec_context, which: ElementQuery::Element(ready.element) };
        let content = ReadContent::text_or(save.attribute.as_deref());
        let reading = Reading { scope: ReadScope::Only, content, limit: MAX_READ_CHARS };
        let (texts, what) = self.texts(&found, reading, &save.target).await?;
        let text =
            texts.into_iter().next().flatten().ok_or_else(|| self.no_attribute(&what, save.attribute.as_deref()))?;
        Ok(ActionOutput { element: Some(what), value: Some(Value::String(within(text, MAX_READ_CHARS, "read")?)) })
    }

    pub(crate) async fn read(&self, scope: ActionScope, read: &Read) -> Result<ActionOutput, ActionFailure> {
        let body = Target("body".to_owned());
        let target = read.target.as_ref().unwrap_or(&body);
        let which = if read.multiple { ReadScope::All } else { ReadScope::First };
        let content = ReadContent::text_or(read.attribute.as_deref());
        let (texts, what) =
            self.texts_of(scope, target, Reading { scope: which, content, limit: MAX_COUNTED_CHARS }).await?;
        let value = if read.multiple {
            json!(texts_within(texts.into_iter().flatten(), MAX_READ_CHARS))
        } else {
            let text = texts
                .into_iter()
                .next()
                .flatten()
                .ok_or_else(|| self.no_attribute(&what, read.attribute.as_deref()))?;
            Value::String(text_within(text, MAX_READ_CHARS))
        };
        Ok(ActionOutput { element: Some(what), value: Some(value) })
    }

    pub(crate) async fn dom(&self, scope: ActionScope) -> Result<ActionOutput, ActionFailure> {
        let frame = self.inner.main_frame(scope.tab).ok_or(ActionFailure::Crashed)?;
        let exec_context = self.inner.exec_context(&frame).await?;
        let html = self.inner.call(&exec_context, script::Html { limit: MAX_DOM_CHARS }).await?;
        match html.html {
            Some(html) => Ok(ActionOutput { element: None, value: Some(Value::String(html)) }),
            None => Err(ActionFailure::TooLarge {
                what: "dom".to_owned(),
                reason: format!(
                    "the page has {} characters, more than {MAX_DOM_CHARS}; use subdom for a part of it",
                    html.length
                ),
            }),
        }
    }

    pub(crate) async fn subdom(
        &self,
        scope: ActionScope,
        target: Option<&Target>,
    ) -> Result<ActionOutput, ActionFailure> {
        let content = Target(Subdom::DEFAULT_TARGET.to_owned());
        let target = target.unwrap_or(&content);
        let reading = Reading { scope: ReadScope::First, content: ReadContent::Html, limit: MAX_SUBDOM_CHARS };
        let (texts, what) = self.texts_of(scope, target, reading).await?;
        let html = texts.into_iter().next().flatten().unwrap_or_default();
        Ok(ActionOutput { element: Some(what), value: Some(Value::String(within(html, MAX_SUBDOM_CHARS, "subdom")?)) })
    }

    /// Reads in the first frame that contains the target.
    async fn texts_of(
        &self,
        scope: ActionScope,
        target: &Target,
        reading: Reading<'_>,
    ) -> Result<(Vec<Option<String>>, String), ActionFailure> {
        let Some(which @ ElementQuery::Query(_)) = ElementQuery::of(target) else {
            let found = self.find(scope.tab, target).await?;
            return self.texts(&found, reading, target).await;
        };
        let mut missing = None;
        for frame in self.inner.outer_frames(scope.tab) {
            let exec_context = self.inner.exec_context(&frame).await?;
            let found = TargetQuery { exec_context, which: which.clone() };
            match self.texts(&found, reading, target).await {
                Err(failure @ ActionFailure::NotFound { .. }) => {
                    missing.get_or_insert(failure);
                }
                other => return other,
            }
        }
        Err(missing.unwrap_or(ActionFailure::Crashed))
    }

    async fn texts(
        &self,
        found: &TargetQuery,
        Reading { scope, content, limit }: Reading<'_>,
        target: &Target,
    ) -> Result<(Vec<Option<String>>, String), ActionFailure> {
        let read = script::ReadElements { target: &found.which, scope, content, limit };
        match self.inner.call(&found.exec_context, read).await? {
            ReadResult::Texts(ElementTexts { texts, what, r#box }) => {
                self.note_element_box(&found.exec_context, Some(r#box)).await;
                Ok((texts, what))
            }
            ReadResult::Not(not) => Err(not.failure(&target.0)),
        }
    }

    fn no_attribute(&self, what: &str, attribute: Option<&str>) -> ActionFailure {
        let reason = format!("it has no attribute {:?}", attribute.unwrap_or_default());
        ActionFailure::NotAvailable { what: what.to_owned(), reason }
    }
}

fn too_long(what: &str, limit: usize) -> ActionFailure {
    ActionFailure::TooLarge {
        what: what.to_owned(),
        reason: format!("there are more than {limit} characters; name a smaller part of the page"),
    }
}

fn within(text: String, limit: usize, what: &str) -> Result<String, ActionFailure> {
    // The page counts UTF-16 code units, and returns one more than the limit if there are more.
    if text.encode_utf16().count() > limit { Err(too_long(what, limit)) } else { Ok(text) }
}

/// A text up to a limit in characters, and a notice about the rest.
fn text_within(text: String, limit: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(limit) else { return text };
    let rest = text[end..].chars().count();
    let more = if text.encode_utf16().count() > MAX_COUNTED_CHARS { "more than " } else { "" };
    format!("{}\n[… {more}{rest} more characters are left out; {READ_MORE}]", &text[..end])
}

/// Texts up to a limit in characters altogether, and a notice about the rest as the last one.
fn texts_within(texts: impl Iterator<Item = String>, limit: usize) -> Vec<String> {
    let mut kept = Vec::new();
    let (mut room, mut left_out) = (limit, 0);
    for text in texts {
        let length = text.chars().count();
        match length <= room && left_out == 0 {
            true => {
                room -= length;
                kept.push(text);
            }
            // A first text that is too long alone is cut, so that there is something to read.
            false if kept.is_empty() && left_out == 0 => {
                kept.push(text_within(text, limit));
                room = 0;
            }
            false => left_out += 1,
        }
    }
    if left_out > 0 {
        kept.push(format!("[… {left_out} more texts are left out; {READ_MORE}]"));
    }
    kept
}

/// How to read what was left out.
const READ_MORE: &str = "to read more, name a smaller part of the page as the target, or search with `find`";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters_with_a_notice() {
        assert_eq!(text_within("äöü".to_owned(), 3), "äöü");
        assert_eq!(
            text_within("äö😀ü".to_owned(), 3),
            format!("äö😀\n[… 1 more characters are left out; {READ_MORE}]")
        );
    }

    #[test]
    fn texts_are_left_out_whole_except_a_first_one_that_is_too_long() {
        let check = |texts: &[&str], kept: &[String]| {
            assert_eq!(texts_within(texts.iter().map(|text| (*text).to_owned()), 5), kept);
        };
        check(&["ab", "cde"], &["ab".to_owned(), "cde".to_owned()]);
        let more = |number: usize| format!("[… {number} more texts are left out; {READ_MORE}]");
        check(&["ab", "cdef", "g"], &["ab".to_owned(), more(2)]);
        check(&["abcdef", "g"], &[text_within("abcdef".to_owned(), 5), more(1)]);
    }
}
