//! From a target to an element: refs by their document and number, the others by looking in every frame.

use futures_util::future::join_all;
use legwork_observe::NodeKey;
use legwork_protocol::{ActionFailure, ElementBox, Target, TargetKind};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    Session,
    frames::{EvaluateError, ExecutionContext, FrameRef},
};

/// Where to look for an element, and how the page is told which one.
#[derive(Clone, Debug)]
pub(crate) struct TargetQuery {
    pub(crate) exec_context: ExecutionContext,
    /// `{"element": n}` or `{"wanted": …}`.
    pub(crate) which: Value,
}

/// A rectangle in a view: x, y, width, height, and the view's own width and height.
pub(crate) type Corners = [f64; 6];

/// What the page answers about an element.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Actionability {
    pub(crate) ok: bool,
    pub(crate) element: u32,
    pub(crate) what: Option<String>,
    pub(crate) x: Option<f64>,
    pub(crate) y: Option<f64>,
    pub(crate) r#box: Option<Corners>,
    pub(crate) done: bool,
    pub(crate) set: bool,
    /// What the field holds instead of what was put in; nothing of a secret.
    pub(crate) differs: Option<String>,
    /// The browser has to insert the text; all that is there is selected, or is by `chord`.
    pub(crate) insert: bool,
    pub(crate) chord: Option<String>,
    /// The browser has to type the text, key by key.
    pub(crate) keys: bool,
    /// And then take the focus from it.
    pub(crate) leave: bool,
    /// But first press Enter, which makes the field take it.
    pub(crate) commit: bool,
    pub(crate) custom: bool,
    /// A read-only field for a day: it is chosen in its calendar.
    pub(crate) calendar: bool,
    pub(crate) empty: bool,
    /// What has the focus is a frame of another process.
    pub(crate) foreign: bool,
    pub(crate) file: bool,
    pub(crate) multiple: bool,
    no: String,
    by: Option<String>,
    is: Option<String>,
    hint: Option<String>,
    count: usize,
    option: Option<String>,
    list: Vec<String>,
}

impl Actionability {
    /// What is said of the target in a failure: its ref or selector, and what it is.
    pub(crate) fn named(&self, target: &str) -> String {
        match &self.what {
            Some(what) if !what.is_empty() => format!("{target} ({what})"),
            _ => target.to_owned(),
        }
    }

    /// Why it is not ready.
    pub(crate) fn failure(self, target: &str) -> ActionFailure {
        let named = self.named(target);
        let is = self.is.unwrap_or_default();
        match self.no.as_str() {
            "stale" | "gone" => ActionFailure::StaleRef { target: target.to_owned() },
            "selector" => ActionFailure::InvalidArgument { what: format!("the selector {target}"), reason: is },
            "none" => ActionFailure::NotFound { target: target.to_owned(), candidates: self.list },
            "many" => ActionFailure::Ambiguous { target: target.to_owned(), count: self.count, candidates: self.list },
            "hidden" => ActionFailure::NotVisible { target: named },
            "covered" => ActionFailure::Covered { target: named, by: self.by.unwrap_or_default() },
            "disabled" => ActionFailure::Disabled { target: named },
            "moving" => ActionFailure::Moving { target: named },
            "uneditable" | "readonly" => ActionFailure::NotEditable { target: named, is },
            "unclickable" => ActionFailure::NotClickable { target: named, reason: is },
            "focus" => ActionFailure::FocusLost { target: named, to: self.by.unwrap_or_default() },
            "unaccepted" => {
                ActionFailure::NotAccepted { target: named, value: None, accepts: self.hint.unwrap_or_default() }
            }
            "option" => {
                ActionFailure::NoOption { target: named, option: self.option.unwrap_or_default(), options: self.list }
            }
            _ => ActionFailure::WrongKind { target: named, is, hint: self.hint.unwrap_or_default() },
        }
    }

    /// Whether waiting may help.
    pub(crate) fn may_pass(&self) -> bool {
        const PASSING: &[&str] =
            &["hidden", "covered", "unclickable", "disabled", "readonly", "focus", "option", "moving", "none", "gone"];
        PASSING.contains(&self.no.as_str())
    }
}

/// How the page is told what to look for.
pub(crate) fn wanted(target: &Target) -> Option<Value> {
    Some(match target.kind() {
        TargetKind::Ref(_) => return None,
        TargetKind::Text(text) => json!({"by": "text", "text": text}),
        TargetKind::Role { role, name } => json!({"by": "role", "text": role, "name": name}),
        TargetKind::XPath(path) => json!({"by": "xpath", "text": path}),
        TargetKind::Css(selector) => json!({"by": "css", "text": selector}),
    })
}

impl Session {
    /// Notes where the action's first element was, out through the frames that hold it.
    pub(crate) async fn note_element_box(&self, exec_context: &ExecutionContext, at: Option<Corners>) {
        let (Some(mut at), None) = (at, self.inner.state().element_box) else { return };
        let mut frame = exec_context.frame.clone();
        while let Some((document, element)) = self.inner.owner_of(&frame).await {
            let Some(outer) = self.inner.exec_context_of(frame.tab, NodeKey { document, element }) else { return };
            let [x, y, width, height, ..] = at;
            let expression = format!("legwork.placed({element},{x},{y},{width},{height})");
            // A frame that goes meanwhile takes its element along.
            let Ok(Some(outside)) = self.inner.script::<Option<Corners>>(&outer, expression).await else { return };
            at = outside;
            frame = FrameRef { tab: frame.tab, id: outer.frame.id };
        }
        let [x, y, width, height, across, down] = at;
        if width > 0.0 && height > 0.0 {
            self.inner.state().element_box = Some(ElementBox {
                x: x as i32,
                y: y as i32,
                width: width as u32,
                height: height as u32,
                view: [across as u32, down as u32],
            });
        }
    }

    /// Finds the frame of a target. With one frame to look in, whether the element is there is left to the next call.
    pub(crate) async fn find(&self, tab: u32, target: &Target) -> Result<TargetQuery, EvaluateError> {
        if let TargetKind::Ref(reference) = target.kind() {
            let stale = || EvaluateError::Failed(ActionFailure::StaleRef { target: reference.to_string() });
            let node = self.refs().resolve(reference).map_err(|_| stale())?;
            let exec_context = self.inner.exec_context_of(tab, node).ok_or_else(stale)?;
            return Ok(TargetQuery { exec_context, which: json!({"element": node.element}) });
        }
        let wanted = wanted(target).expect("only refs have none, and they are dealt with above");
        let frames = self.inner.outer_frames(tab);
        let which = json!({"wanted": wanted});
        if let [only] = frames.as_slice() {
            return Ok(TargetQuery { exec_context: self.inner.exec_context(only).await?, which });
        }
        self.find_in(target, &frames, &which).await
    }

    async fn find_in(&self, target: &Target, frames: &[FrameRef], which: &Value) -> Result<TargetQuery, EvaluateError> {
        let mut request = which.clone();
        request["need"] = json!("attached");
        let look = async |frame: &FrameRef| -> Result<(ExecutionContext, Actionability), EvaluateError> {
            let exec_context = self.inner.exec_context(frame).await?;
            let ready = self.inner.script(&exec_context, format!("legwork.ready({request})")).await?;
            Ok((exec_context, ready))
        };
        let mut hits = Vec::new();
        let mut count = 0;
        let mut candidates = Vec::new();
        for looked in join_all(frames.iter().map(look)).await {
            match looked {
                Ok((exec_context, ready)) if ready.ok => {
                    count += 1;
                    candidates.extend(ready.what.clone());
                    hits.push((exec_context, ready));
                }
                Ok((_, ready)) if ready.no == "none" => {
                    if count == 0 {
                        candidates.extend(ready.list);
                    }
                }
                Ok((_, ready)) if ready.no == "many" => {
                    count += ready.count;
                    candidates.extend(ready.list);
                }
                Ok((_, ready)) => return Err(ready.failure(&target.0).into()),
                // A frame that goes meanwhile has nothing.
                Err(EvaluateError::ContextDestroyed) => {}
                Err(trouble) => return Err(trouble),
            }
        }
        match (hits.pop(), count) {
            (Some((exec_context, ready)), 1) => {
                Ok(TargetQuery { exec_context, which: json!({"element": ready.element}) })
            }
            (_, 0) => Err(ActionFailure::NotFound { target: target.0.clone(), candidates }.into()),
            _ => Err(ActionFailure::Ambiguous { target: target.0.clone(), count, candidates }.into()),
        }
    }
}
