//! Reading: text, attributes and HTML, each with its limit.

use legwork_protocol::{ActionFailure, Read, Save, Target};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{ActionOutput, ActionScope};
use crate::{
    Session,
    targets::{Actionability, Corners, TargetQuery, wanted},
};

const READ: usize = 5_000;
const DOM: usize = 100_000;
const SUBDOM: usize = 50_000;
const CONTENT: &str = "main, .content, #content, article, section";

#[derive(Deserialize)]
#[serde(untagged)]
enum Texts {
    Found { texts: Vec<Option<String>>, what: String, r#box: Corners },
    Not(Box<Actionability>),
}

#[derive(Deserialize)]
struct Html {
    html: Option<String>,
    length: usize,
}

impl Session {
    pub(crate) async fn save(&self, scope: ActionScope, save: &Save) -> Result<ActionOutput, ActionFailure> {
        if !legwork_protocol::is_variable_name(&save.variable) {
            return Err(ActionFailure::InvalidArgument {
                what: format!("the variable {:?}", save.variable),
                reason: "a name has letters, digits and underscores and does not begin with a digit".to_owned(),
            });
        }
        let (exec_context, ready) = self.wait_actionable(scope.tab, &save.target, "attached", json!({})).await?;
        let which = json!({"element": ready.element});
        let options = json!({"attribute": save.attribute, "limit": READ});
        let (texts, what) = self.texts(&TargetQuery { exec_context, which }, &options, &save.target).await?;
        let text =
            texts.into_iter().next().flatten().ok_or_else(|| self.no_attribute(&what, save.attribute.as_deref()))?;
        Ok(ActionOutput { element: Some(what), value: Some(Value::String(within(text, READ, "read")?)) })
    }

    pub(crate) async fn read(&self, scope: ActionScope, read: &Read) -> Result<ActionOutput, ActionFailure> {
        let body = Target("body".to_owned());
        let target = read.target.as_ref().unwrap_or(&body);
        let options = json!({"attribute": read.attribute, "many": read.multiple, "first": true, "limit": READ});
        let (texts, what) = self.texts_of(scope, target, &options).await?;
        let value = if read.multiple {
            let texts: Vec<String> = texts.into_iter().flatten().collect();
            let total: usize = texts.iter().map(|text| text.chars().count()).sum();
            if total > READ {
                return Err(too_long("read", READ));
            }
            json!(texts)
        } else {
            let text = texts
                .into_iter()
                .next()
                .flatten()
                .ok_or_else(|| self.no_attribute(&what, read.attribute.as_deref()))?;
            Value::String(within(text, READ, "read")?)
        };
        Ok(ActionOutput { element: Some(what), value: Some(value) })
    }

    pub(crate) async fn dom(&self, scope: ActionScope) -> Result<ActionOutput, ActionFailure> {
        let frame = self.inner.main_frame(scope.tab).ok_or(ActionFailure::Crashed)?;
        let exec_context = self.inner.exec_context(&frame).await?;
        let html: Html = self.inner.script(&exec_context, format!("legwork.html({DOM})")).await?;
        match html.html {
            Some(html) => Ok(ActionOutput { element: None, value: Some(Value::String(html)) }),
            None => Err(ActionFailure::TooLarge {
                what: "dom".to_owned(),
                reason: format!(
                    "the page has {} characters, more than {DOM}; use subdom for a part of it",
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
        let content = Target(CONTENT.to_owned());
        let target = target.unwrap_or(&content);
        let options = json!({"html": true, "first": true, "limit": SUBDOM});
        let (texts, what) = self.texts_of(scope, target, &options).await?;
        let html = texts.into_iter().next().flatten().unwrap_or_default();
        Ok(ActionOutput { element: Some(what), value: Some(Value::String(within(html, SUBDOM, "subdom")?)) })
    }

    /// Reads in the frame that has it; the first frame that does, for a page of many.
    async fn texts_of(
        &self,
        scope: ActionScope,
        target: &Target,
        options: &Value,
    ) -> Result<(Vec<Option<String>>, String), ActionFailure> {
        let Some(wanted) = wanted(target) else {
            let found = self.find(scope.tab, target).await?;
            return self.texts(&found, options, target).await;
        };
        let mut missing = None;
        for frame in self.inner.outer_frames(scope.tab) {
            let exec_context = self.inner.exec_context(&frame).await?;
            match self.texts(&TargetQuery { exec_context, which: json!({"wanted": wanted}) }, options, target).await {
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
        options: &Value,
        target: &Target,
    ) -> Result<(Vec<Option<String>>, String), ActionFailure> {
        let expression = format!("legwork.read({},{options})", found.which);
        match self.inner.script(&found.exec_context, expression).await? {
            Texts::Found { texts, what, r#box } => {
                self.note_element_box(&found.exec_context, Some(r#box)).await;
                Ok((texts, what))
            }
            Texts::Not(not) => Err(not.failure(&target.0)),
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
    // The page counts UTF-16 units and sends one more than the limit when there is more.
    if text.encode_utf16().count() > limit { Err(too_long(what, limit)) } else { Ok(text) }
}
