//! Locators of elements: by role and name, or by label where the browser gives an element no role.

use legwork::record::CommandRecord;
use legwork_protocol::{ContainerIdentity, DecidedBy, ElementIdentity, IterationPlace, Target, TargetKind};

use super::ScriptWriter;
use crate::{
    outline::{self, ElementPath},
    statement::{Call, Expression, Piece, Value},
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
        let parameter = if is_own { "target" } else { "to" };
        let identity = self.identities.get(&command.command_id).and_then(|elements| elements.get(parameter));
        if let Some(located) = identity.and_then(|identity| self.by_row(target, command, identity, typed)) {
            return Ok(located);
        }
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
                Ok(Located { locator: by_path(&path, typed, None), path })
            }
            TargetKind::Ref(reference) => {
                let before = self.seqs.get(&command.command_id).copied().unwrap_or(u64::MAX);
                let described = command.result.as_ref().and_then(|result| result.element.as_deref());
                let path = outline::find(self.outlines, before, reference)
                    .or_else(|| described.filter(|_| is_own).and_then(of_description))
                    .or_else(|| identity.and_then(of_identity))
                    .ok_or_else(|| format!("the run did not record what the element {reference} was"))?;
                if path.name.is_empty() {
                    return Err(format!("the {} has no name", path.role));
                }
                let scope = self.surrounding(&path, identity);
                Ok(Located { locator: by_path(&path, typed, scope), path })
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

fn by_path(path: &ElementPath, typed: Option<&str>, scope: Option<Surrounding>) -> Expression {
    let (at, nth) = match scope {
        Some(Surrounding { locator, nth }) => (locator, nth),
        None => (in_frames(&path.frames), path.nth),
    };
    // ARIA gives password, date, time, colour and file fields no role.
    let is_secret = typed.is_some_and(|text| text.contains("${secret:"));
    let has_no_role = path.role == "textbox" && (is_secret || path.input_type.is_some());
    let found = if has_no_role {
        at.call(Call::new("getByLabel", vec![Value::text(&path.name)]).with("exact", Value::Bool(true)))
    } else if path.name.is_empty() {
        at.then("getByRole", vec![Value::text(&path.role)])
    } else {
        let call = Call::new("getByRole", vec![Value::text(&path.role)]).with("name", Value::text(&path.name));
        at.call(call.with("exact", Value::Bool(true)))
    };
    match nth {
        Some(index) => found.then("nth", vec![Value::Number(index as f64)]),
        None => found,
    }
}

/// The row, item or card that contains one of several equal elements.
struct Surrounding {
    locator: Expression,
    /// The index of the element among several equal ones in it.
    nth: Option<usize>,
}

/// The most words of a text of the page that identify a part of it in a script.
const MOST_WORDS: usize = 4;

impl ScriptWriter<'_> {
    /// The part of the page that distinguishes an element from equal ones; `None` if the element is the only one, or if
    /// nothing identifies a part. Playwright refuses a locator that fits several elements, so that a script fails
    /// instead of acting on another row.
    fn surrounding(&self, path: &ElementPath, identity: Option<&ElementIdentity>) -> Option<Surrounding> {
        let is_of_loop = identity.is_some_and(ElementIdentity::is_in_row_of_loop);
        if path.nth.is_none() && !is_of_loop && identity.is_none_or(|identity| identity.count <= 1) {
            return None;
        }
        // `text before` and the like are no elements.
        let containers = identity.map_or(&[][..], |identity| &identity.containers);
        let known: Vec<&ContainerIdentity> = containers.iter().filter(|part| !part.role.contains(' ')).collect();
        let nearest = known.iter().find(|part| !part.is_of_loop());
        let of_loop = known.iter().find(|part| part.is_of_loop());
        let mut locator = in_frames(&path.frames);
        let mut add = |role: &str, filters: Vec<Call>| -> bool {
            let is_known = !filters.is_empty();
            if is_known {
                let all = locator.clone().then("getByRole", vec![Value::text(role)]);
                locator = filters.into_iter().fold(all, Expression::call);
            }
            is_known
        };
        let mut role = "row";
        if let Some(part) = of_loop {
            role = &part.role;
            if !add(role, self.filters_of_iteration()) {
                return None;
            }
        }
        match nearest {
            Some(part) => {
                role = &part.role;
                add(role, self.filters(role, &part.keys, path)).then_some(())?;
            }
            None if of_loop.is_none() => add(role, self.filters(role, &[], path)).then_some(())?,
            None => {}
        }
        let nth = path.row.as_ref().filter(|_| role == "row").and_then(|row| row.nth);
        Some(Surrounding { locator, nth })
    }

    /// The locator of one of several equal elements by the row, item or card that contains it, if a decider named it by
    /// its position or by a selector. Another page has another element at that position. What the author wrote stays.
    fn by_row(
        &self,
        target: &Target,
        command: &CommandRecord,
        identity: &ElementIdentity,
        typed: Option<&str>,
    ) -> Option<Located> {
        let is_selector = matches!(target.kind(), TargetKind::Css(_) | TargetKind::XPath(_));
        let is_decided = command.decider != DecidedBy::Literal;
        if matches!(target.kind(), TargetKind::Ref(_)) || !is_decided || !(is_selector || target.nth().is_some()) {
            return None;
        }
        let path = of_identity(identity).filter(|path| !path.name.is_empty())?;
        let scope = self.surrounding(&path, Some(identity))?;
        Some(Located { locator: by_path(&path, typed, Some(scope)), path })
    }

    /// The row of the loop, by the texts that identified it in the run.
    fn filters_of_iteration(&self) -> Vec<Call> {
        let item = self.within.iter().rev().map(IterationPlace::item).find(|item| !item.key.is_empty());
        let key = item.map_or(&[][..], |item| &item.key);
        key.iter().filter(|text| !text.is_empty()).map(|text| has_text(Value::text(text), true)).collect()
    }

    /// What identifies a container with this role: a text of the row that only it contains, or its own words.
    fn filters(&self, role: &str, keys: &[String], path: &ElementPath) -> Vec<Call> {
        let row = path.row.as_ref().filter(|_| role == "row");
        let texts = row.map_or(&[][..], |row| &row.texts);
        // What the author named by a variable is another row if the variable has another value.
        let variable = texts.iter().find_map(|text| self.texts.variable_in(text, &self.sentence));
        if let Some((name, is_whole)) = variable {
            return vec![has_text(Value::Text(vec![Piece::Variable(name)]), is_whole)];
        }
        let sentence = self.texts.with_all_values(&self.sentence);
        let naming = row.map(|row| row.naming_texts(keys, &sentence)).unwrap_or_default();
        if let Some(text) = naming.first() {
            return vec![has_text(Value::text(text), true)];
        }
        let has_letters = |text: &str| text.chars().any(char::is_alphabetic);
        let with_letters: Vec<&String> = keys.iter().filter(|word| has_letters(word)).collect();
        let chosen = if with_letters.is_empty() { keys.iter().collect() } else { with_letters };
        chosen.into_iter().take(MOST_WORDS).map(|word| has_text(Value::text(word), false)).collect()
    }
}

/// The filter for containers with a text: that of one element in it, or a part of all its text.
fn has_text(text: Value, is_whole: bool) -> Call {
    let filter = Call::new("filter", vec![]);
    if !is_whole {
        return filter.with("hasText", text);
    }
    let inner = Call::new("getByText", vec![text]).with("exact", Value::Bool(true));
    filter.with("has", Value::Locator(Expression::page().call(inner)))
}

/// The path of an element that is in no frame.
fn of_identity(identity: &ElementIdentity) -> Option<ElementPath> {
    let nth = (identity.count > 1).then(|| identity.ordinal.saturating_sub(1));
    let (role, name) = (identity.role.clone(), identity.name.clone());
    identity.frames.is_empty().then(|| ElementPath { role, name, nth, ..ElementPath::default() })
}

/// The path of `button "Save"`.
fn of_description(element: &str) -> Option<ElementPath> {
    let (role, name) = element.split_once(" \"")?;
    let name = name.strip_suffix('"').filter(|name| !name.is_empty() && !name.ends_with('…'))?;
    let is_role = role.chars().all(|c| c.is_ascii_lowercase());
    is_role.then(|| ElementPath { role: role.to_owned(), name: name.to_owned(), ..ElementPath::default() })
}
