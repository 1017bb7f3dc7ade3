//! Actions in words, for people.

use super::{Action, Direction, Tab};
use crate::Target;

impl Action {
    /// A description of the action for people; `element` is its target as the page names it: `click button "Sign in"`.
    pub fn describe(&self, element: Option<&str>) -> String {
        let on = |target: &Target| element.map_or_else(|| target.to_string(), str::to_owned);
        match self {
            Action::Open(open) => format!("open {}", open.url),
            Action::Click(click) => {
                let how = if click.count > 1 { "double-click" } else { "click" };
                format!("{how} {}", on(&click.target))
            }
            Action::Fill(fill) if fill.text.is_empty() => format!("clear {}", on(&fill.target)),
            Action::Fill(fill) => {
                let enter = if fill.submit { " and press Enter" } else { "" };
                format!("fill {} with {}{enter}", on(&fill.target), quoted(&fill.text))
            }
            Action::Type(typing) => match &typing.target {
                Some(target) => format!("type {} into {}", quoted(&typing.text), on(target)),
                None => format!("type {}", quoted(&typing.text)),
            },
            Action::Press(press) => match &press.target {
                Some(target) => format!("press {} in {}", press.key, on(target)),
                None => format!("press {}", press.key),
            },
            Action::Select(select) => format!("choose {} from {}", list(&select.values), on(&select.target)),
            Action::Check(at)
            | Action::Uncheck(at)
            | Action::Expand(at)
            | Action::Collapse(at)
            | Action::Hover(at)
            | Action::Focus(at) => {
                format!("{} {}", self.name(), on(&at.target))
            }
            Action::Blur(at) => format!("leave {}", on(&at.target)),
            Action::Scroll(scroll) => match (&scroll.target, scroll.direction) {
                (Some(target), None) => format!("scroll to {}", on(target)),
                (Some(target), Some(direction)) => format!("scroll {} {}", on(target), way(direction)),
                (None, direction) => format!("scroll {}", way(direction.unwrap_or(Direction::Down))),
            },
            Action::Drag(drag) => format!("drag {} to {}", on(&drag.target), drag.to),
            Action::Upload(upload) => format!("upload {} into {}", list(&upload.files), on(&upload.target)),
            Action::Dialog(dialog) => {
                let answer = match (&dialog.text, dialog.accept) {
                    (Some(text), true) => format!("answer the dialog with {}", quoted(text)),
                    (_, true) => "accept the dialog".to_owned(),
                    (_, false) => "dismiss the dialog".to_owned(),
                };
                match &dialog.opened_by {
                    Some(opened_by) => format!("{} and {answer}", opened_by.describe(element)),
                    None => answer,
                }
            }
            Action::Wait(wait) => {
                let conditions = [
                    wait.text.as_ref().map(|text| format!("for {}", quoted(text))),
                    wait.gone.as_ref().map(|text| format!("until {} is gone", quoted(text))),
                    wait.url.as_ref().map(|url| format!("for the address {url}")),
                    wait.state.map(|state| format!("for {}", format!("{state:?}").to_lowercase())),
                    wait.seconds.map(|seconds| format!("{seconds} s")),
                ];
                format!("wait {}", conditions.into_iter().flatten().collect::<Vec<_>>().join(", "))
            }
            Action::Tab(Tab::List) => "list the tabs".to_owned(),
            Action::Tab(Tab::Open { url }) => {
                format!("open a tab {}", url.as_deref().unwrap_or_default()).trim().to_owned()
            }
            Action::Tab(Tab::Switch { to }) => format!("switch to tab {to}"),
            Action::Tab(Tab::Close { tab }) => {
                format!("close tab {}", tab.as_deref().unwrap_or_default()).trim().to_owned()
            }
            Action::Save(save) => match &save.attribute {
                Some(attribute) => format!("save {attribute} of {} as {}", on(&save.target), save.variable),
                None => format!("save {} as {}", on(&save.target), save.variable),
            },
            Action::Extract(extract) => format!("extract {}", extract.instruction),
            Action::Read(read) => format!("read {}", read.target.as_ref().map_or_else(|| "the page".to_owned(), on)),
            Action::Dom(_) => "fetch the page's HTML".to_owned(),
            Action::Subdom(part) => {
                format!("fetch the HTML of {}", part.target.as_ref().map_or_else(|| "the main part".to_owned(), on))
            }
            Action::Look(look) => format!("look at {}", look.target.as_ref().map_or_else(|| "the page".to_owned(), on)),
            Action::Find(find) => format!("find {}", quoted(&find.text)),
            Action::Call(call) => format!("call {} {}", call.tool, call.arguments),
            Action::Ask(ask) => format!("ask {}", quoted(&ask.question)),
            Action::Done(done) => format!("done: {}", done.result),
            Action::Abort(abort) => format!("give up: {}", abort.reason),
            Action::Back(_) | Action::Forward(_) | Action::Reload(_) => self.name().to_owned(),
        }
    }
}

fn quoted(text: &str) -> String {
    format!("“{text}”")
}

fn list(values: &[String]) -> String {
    values.iter().map(|value| quoted(value)).collect::<Vec<_>>().join(", ")
}

fn way(direction: Direction) -> &'static str {
    match direction {
        Direction::Up => "up",
        Direction::Down => "down",
        Direction::Left => "left",
        Direction::Right => "right",
        Direction::Top => "to the top",
        Direction::Bottom => "to the bottom",
    }
}
