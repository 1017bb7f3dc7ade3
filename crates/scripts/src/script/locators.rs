//! Locators of elements: by role and name, or by label where the browser gives an element no role.

use legwork::record::CommandRecord;
use legwork_protocol::{Target, TargetKind};

use super::ScriptWriter;
use crate::{
    outline::{self, ElementPath},
    statement::{Call, Expression, Value},
};

/// A locator, and what is known about its element.
pub(super) struct Located {
    pub(super) locator: Expression,
    pub(super) path: ElementPath,
}

impl ScriptWriter<'_> {
    /// The locator of a target. `is_own` says that the description of the element in the result is that of this target;
    /// `typed` is the text that is entered. The error is the reason why there is no locator.
    pub(super) fn locate(
        &self,
        target: &Target,
        command: &CommandRecord,
        is_own: bool,
        typed: Option<&str>,
    ) -> Result<Located, String> {
        let selector = |selector: String| {
            let locator = Expression::page().then("locator", vec![Value::text(selector)]);
            Ok(Located { locator, path: ElementPath::default() })
        };
        let located = match target.kind() {
            TargetKind::Css(css) => selector(css.to_owned()),
            TargetKind::XPath(path) => selector(format!("xpath={path}")),
            TargetKind::Text(text) => {
                let call = Call::new("getByText", vec![Value::text(text.trim_matches('"'))]);
                let call = if text.starts_with('"') { call.with("exact", Value::Bool(true)) } else { call };
                Ok(Located { locator: Expression::page().call(call), path: ElementPath::default() })
            }
            TargetKind::Role { role, name } => {
                let name = name.unwrap_or_default().to_owned();
                let path = ElementPath { role: role.to_owned(), name, ..ElementPath::default() };
                Ok(Located { locator: by_path(&path, typed), path })
            }
            TargetKind::Ref(reference) => {
                let before = self.seqs.get(&command.command_id).copied().unwrap_or(u64::MAX);
                let described = command.result.as_ref().and_then(|result| result.element.as_deref());
                let path = outline::find(self.outlines, before, reference)
                    .or_else(|| described.filter(|_| is_own).and_then(of_description))
                    .ok_or_else(|| format!("the run did not record what the element {reference} was"))?;
                if path.name.is_empty() {
                    return Err(format!("the {} has no name", path.role));
                }
                Ok(Located { locator: by_path(&path, typed), path })
            }
        };
        located.map(|Located { locator, path }| match target.nth() {
            Some(nth) => Located { locator: locator.then("nth", vec![Value::Number(nth.into())]), path },
            None => Located { locator, path },
        })
    }
}

/// The innermost of these frames, or the page.
pub(super) fn in_frames(frames: &[String]) -> Expression {
    frames.iter().fold(Expression::page(), |at, frame| {
        if frame.is_empty() {
            return at.then("frameLocator", vec![Value::text("iframe")]);
        }
        let name = frame.replace('\\', "\\\\").replace('"', "\\\"");
        let selector = format!("iframe[title=\"{name}\"], iframe[aria-label=\"{name}\"], iframe[name=\"{name}\"]");
        at.then("frameLocator", vec![Value::text(selector)])
    })
}

fn by_path(path: &ElementPath, typed: Option<&str>) -> Expression {
    let frame = in_frames(&path.frames);
    // ARIA gives password, date, time, colour and file fields no role.
    let is_secret = typed.is_some_and(|text| text.contains("${secret:"));
    let has_no_role = path.role == "textbox" && (is_secret || path.input_type.is_some());
    let found = if has_no_role {
        frame.call(Call::new("getByLabel", vec![Value::text(&path.name)]).with("exact", Value::Bool(true)))
    } else if path.name.is_empty() {
        frame.then("getByRole", vec![Value::text(&path.role)])
    } else {
        let call = Call::new("getByRole", vec![Value::text(&path.role)]).with("name", Value::text(&path.name));
        frame.call(call.with("exact", Value::Bool(true)))
    };
    match path.nth {
        Some(index) => found.then("nth", vec![Value::Number(index as f64)]),
        None => found,
    }
}

/// The path of `button "Save"`.
fn of_description(element: &str) -> Option<ElementPath> {
    let (role, name) = element.split_once(" \"")?;
    let name = name.strip_suffix('"').filter(|name| !name.is_empty() && !name.ends_with('…'))?;
    let is_role = role.chars().all(|c| c.is_ascii_lowercase());
    is_role.then(|| ElementPath { role: role.to_owned(), name: name.to_owned(), ..ElementPath::default() })
}
