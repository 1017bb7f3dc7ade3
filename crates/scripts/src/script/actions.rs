//! The statements of one action.

use legwork::record::CommandRecord;
use legwork_protocol::{
    Action, Button, Click, Dialog, Direction, Drag, Fill, LoadState, Press, Save, Scroll, Select, Tab, Target, Type,
    Upload, Wait,
};
use serde_json::Value as Json;

use super::{
    ScriptWriter,
    assertions::{text_gone, text_shown},
    locators::Located,
};
use crate::statement::{Base, Call, Expression, Statement, Value};

type Statements = Result<Vec<Statement>, String>;

impl ScriptWriter<'_> {
    /// The statements of an action; a line that fails if it cannot be expressed.
    pub(super) fn action(&mut self, command: &CommandRecord, action: &Action, sentence: &str) -> Vec<Statement> {
        self.try_action(command, action, sentence).unwrap_or_else(|reason| {
            let element = command.result.as_ref().and_then(|result| result.element.as_deref());
            vec![Statement::Fail(format!("cannot be expressed: {}: {reason}", action.describe(element)))]
        })
    }

    fn try_action(&mut self, command: &CommandRecord, action: &Action, sentence: &str) -> Statements {
        let page = Expression::page;
        let one = |expression| Ok(vec![Statement::Call(expression)]);
        let on = |writer: &Self, target: &Target| writer.locate(target, command, true, None);
        match action {
            Action::Open(open) => one(page().then("goto", vec![self.texts.value(&open.url, sentence)])),
            Action::Click(click) => one(clicked(on(self, &click.target)?.locator, click)),
            Action::Fill(fill) => self.fill(command, fill, sentence),
            Action::Type(Type { target, text }) => {
                let value = self.texts.value(text, sentence);
                match target {
                    Some(target) => {
                        let located = self.locate(target, command, true, Some(text))?;
                        one(located.locator.then("pressSequentially", vec![value]))
                    }
                    None => one(device("keyboard").then("type", vec![value])),
                }
            }
            Action::Press(Press { key, target }) => match target {
                Some(target) => one(on(self, target)?.locator.then("press", vec![Value::text(key)])),
                None => one(device("keyboard").then("press", vec![Value::text(key)])),
            },
            Action::Select(select) => self.select(command, select, sentence),
            Action::Check(target) => one(on(self, &target.target)?.locator.then("check", vec![])),
            Action::Uncheck(target) => one(on(self, &target.target)?.locator.then("uncheck", vec![])),
            Action::Expand(target) | Action::Collapse(target) => self.fold(command, &target.target),
            Action::Hover(target) => one(on(self, &target.target)?.locator.then("hover", vec![])),
            Action::Focus(target) => one(on(self, &target.target)?.locator.then("focus", vec![])),
            Action::Blur(target) => one(on(self, &target.target)?.locator.then("blur", vec![])),
            Action::Scroll(scroll) => self.scroll(command, scroll),
            Action::Drag(Drag { target, to }) => {
                let (from, to) = (on(self, target)?.locator, self.locate(to, command, false, None)?.locator);
                one(from.then("dragTo", vec![Value::Locator(to)]))
            }
            Action::Upload(upload) => self.upload(command, upload, sentence),
            Action::Dialog(Dialog { accept, text, opened_by }) => {
                let text = text.as_ref().map(|text| self.texts.value(text, sentence));
                let answer = Statement::AnswerDialog { accept: *accept, text };
                let opener = opened_by.as_ref().map(|action| self.try_action(command, action, sentence)).transpose()?;
                Ok(std::iter::once(answer).chain(opener.into_iter().flatten()).collect())
            }
            Action::Back(_) => one(page().then("goBack", vec![])),
            Action::Forward(_) => one(page().then("goForward", vec![])),
            Action::Reload(_) => one(page().then("reload", vec![])),
            Action::Wait(wait) => Ok(waited(wait)),
            Action::Tab(tab) => self.tab(command, tab, sentence),
            Action::Save(save) => self.save(command, save),
            Action::Read(_) | Action::Dom(_) | Action::Subdom(_) | Action::Look(_) | Action::Find(_) => {
                Ok(vec![Statement::Comment("the page was read here, which changes nothing".to_owned())])
            }
            Action::Done(_) | Action::Abort(_) => Ok(Vec::new()),
            Action::Extract(_) => Err("a model extracted data from the page".to_owned()),
            Action::Call(_) => Err("a tool of the user was called".to_owned()),
            Action::Ask(_) => Err("a person was asked".to_owned()),
        }
    }

    fn fill(&mut self, command: &CommandRecord, fill: &Fill, sentence: &str) -> Statements {
        let Located { locator, .. } = self.locate(&fill.target, command, true, Some(&fill.text))?;
        let value = self.texts.value(&fill.text, sentence);
        let mut statements = vec![Statement::Call(locator.clone().then("fill", vec![value]))];
        if fill.submit {
            statements.push(Statement::Call(locator.then("press", vec![Value::text("Enter")])));
        }
        Ok(statements)
    }

    /// A click opens a button or a summary. An item of a list or a tree has a toggle, which is found by how it is made.
    fn fold(&mut self, command: &CommandRecord, target: &Target) -> Statements {
        let Located { locator, path } = self.locate(target, command, true, None)?;
        if matches!(path.role.as_str(), "treeitem" | "row" | "listitem" | "gridcell") {
            return Err(format!("the toggle of a {} has no role and no name to find it by", path.role));
        }
        Ok(vec![Statement::Call(locator.then("click", vec![]))])
    }

    fn select(&mut self, command: &CommandRecord, select: &Select, sentence: &str) -> Statements {
        let Located { locator, path } = self.locate(&select.target, command, true, None)?;
        let values: Vec<Value> = select.values.iter().map(|value| self.texts.value(value, sentence)).collect();
        // A list that the page builds itself has no options of the browser: it is opened, and the option is clicked.
        let is_native = path.has_options || path.role.is_empty();
        if is_native {
            let argument = match <[Value; 1]>::try_from(values) {
                Ok([only]) => only,
                Err(several) => Value::List(several),
            };
            return Ok(vec![Statement::Call(locator.then("selectOption", vec![argument]))]);
        }
        let mut statements = Vec::new();
        if path.role == "combobox" {
            statements.push(Statement::Call(locator.then("click", vec![])));
        }
        for value in values {
            let option = Call::new("getByRole", vec![Value::text("option")]).with("name", value);
            let option = super::locators::in_frames(&path.frames).call(option.with("exact", Value::Bool(true)));
            statements.push(Statement::Call(option.then("click", vec![])));
        }
        Ok(statements)
    }

    fn scroll(&mut self, command: &CommandRecord, scroll: &Scroll) -> Statements {
        let Some(direction) = scroll.direction else {
            let target = scroll.target.as_ref().ok_or("it names neither an element nor a direction")?;
            let located = self.locate(target, command, true, None)?;
            return Ok(vec![Statement::Call(located.locator.then("scrollIntoViewIfNeeded", vec![]))]);
        };
        if scroll.target.is_some() {
            return Err("Playwright cannot scroll a part of a page by screens".to_owned());
        }
        let screens = scroll.screens.unwrap_or(1.0);
        let wheel = |x: f64, y: f64| {
            let arguments = vec![Value::Number(x * screens), Value::Number(y * screens)];
            Ok(vec![Statement::Call(device("mouse").then("wheel", arguments))])
        };
        let evaluate =
            |function| Ok(vec![Statement::Call(Expression::page().then("evaluate", vec![Value::Function(function)]))]);
        match direction {
            Direction::Up => wheel(0.0, -720.0),
            Direction::Down => wheel(0.0, 720.0),
            Direction::Left => wheel(-1_280.0, 0.0),
            Direction::Right => wheel(1_280.0, 0.0),
            Direction::Top => evaluate("() => window.scrollTo(0, 0)"),
            Direction::Bottom => evaluate("() => window.scrollTo(0, document.documentElement.scrollHeight)"),
        }
    }

    fn upload(&mut self, command: &CommandRecord, upload: &Upload, sentence: &str) -> Statements {
        let Located { locator, path } = self.locate(&upload.target, command, true, None)?;
        let files: Vec<Value> = upload.files.iter().map(|file| self.texts.value(file, sentence)).collect();
        if path.role == "button" {
            let action = vec![Statement::Call(locator.then("click", vec![]))];
            return Ok(vec![Statement::FileChooser { action, files }]);
        }
        // A file field has no role.
        let field = if path.role.is_empty() {
            locator
        } else {
            let label = Call::new("getByLabel", vec![Value::text(&path.name)]).with("exact", Value::Bool(true));
            super::locators::in_frames(&path.frames).call(label)
        };
        Ok(vec![Statement::Call(field.then("setInputFiles", vec![Value::List(files)]))])
    }

    fn tab(&mut self, command: &CommandRecord, tab: &Tab, sentence: &str) -> Statements {
        match tab {
            Tab::List => Ok(vec![Statement::Comment("the tabs were listed".to_owned())]),
            Tab::Open { url } => {
                let goto = |url: &String| {
                    Statement::Call(Expression::page().then("goto", vec![self.texts.value(url, sentence)]))
                };
                Ok(std::iter::once(Statement::OpenTab).chain(url.as_ref().map(goto)).collect())
            }
            Tab::Switch { .. } => {
                let tabs = command.result.as_ref().and_then(|result| result.value.as_ref()).and_then(Json::as_array);
                let current = tabs.and_then(|tabs| tabs.iter().find(|tab| tab["current"] == true));
                let number =
                    current.and_then(|tab| tab["number"].as_u64()).ok_or("the number of the tab is unknown")?;
                Ok(vec![Statement::SwitchTab(number as u32)])
            }
            Tab::Close { tab: None } => Ok(vec![Statement::CloseTab]),
            Tab::Close { tab: Some(tab) } => match tab.parse() {
                Ok(number) => Ok(vec![Statement::SwitchTab(number), Statement::CloseTab]),
                Err(_) => Err("the number of the tab is unknown".to_owned()),
            },
        }
    }

    fn save(&mut self, command: &CommandRecord, save: &Save) -> Statements {
        let Located { locator, path } = self.locate(&save.target, command, true, None)?;
        let value = match (&save.attribute, path.role.as_str()) {
            (Some(attribute), _) => locator.then("getAttribute", vec![Value::text(attribute)]),
            (None, "textbox" | "searchbox" | "spinbutton" | "slider") => locator.then("inputValue", vec![]),
            (None, "combobox" | "listbox") => {
                return Err("Playwright cannot read the label of a chosen option".to_owned());
            }
            (None, _) => locator.then("innerText", vec![]),
        };
        let saved = command.result.as_ref().and_then(|result| result.value.clone()).unwrap_or_default();
        self.texts.save(&save.variable, saved);
        Ok(vec![Statement::Save { name: save.variable.clone(), value }])
    }
}

fn device(name: &'static str) -> Expression {
    Expression { base: Base::Device(name), calls: Vec::new() }
}

fn clicked(locator: Expression, click: &Click) -> Expression {
    let call = match click.count {
        2 => Call::new("dblclick", vec![]),
        1 => Call::new("click", vec![]),
        count => Call::new("click", vec![]).with("clickCount", Value::Number(count.into())),
    };
    let call = match click.button {
        Button::Left => call,
        Button::Middle => call.with("button", Value::text("middle")),
        Button::Right => call.with("button", Value::text("right")),
    };
    let modifiers: Vec<Value> = click.modifiers.iter().map(|key| Value::text(format!("{key:?}"))).collect();
    locator.call(if modifiers.is_empty() { call } else { call.with("modifiers", Value::List(modifiers)) })
}

fn waited(wait: &Wait) -> Vec<Statement> {
    let Wait { text, gone, url, state, seconds } = wait;
    let milliseconds = seconds.map(|seconds| Value::Number((seconds * 1_000.0).round()));
    let limited = |call: Call| match &milliseconds {
        Some(limit) => call.with("timeout", limit.clone()),
        None => call,
    };
    let mut statements = Vec::new();
    if let Some(text) = text {
        statements.push(text_shown(&[], text, milliseconds.clone()));
    }
    if let Some(text) = gone {
        statements.push(text_gone(&[], text, milliseconds.clone()));
    }
    if let Some(url) = url {
        let pattern = Value::Pattern { source: super::assertions::address_pattern(url), ignore_case: false };
        statements.push(Statement::Call(Expression::page().call(limited(Call::new("waitForURL", vec![pattern])))));
    }
    if let Some(state) = state {
        let name = match state {
            LoadState::Dom => "domcontentloaded",
            LoadState::Load => "load",
            LoadState::Idle => "networkidle",
        };
        let call = Call::new("waitForLoadState", vec![Value::text(name)]);
        statements.push(Statement::Call(Expression::page().call(limited(call))));
    }
    if let (true, Some(time)) = (statements.is_empty(), milliseconds) {
        statements.push(Statement::Call(Expression::page().then("waitForTimeout", vec![time])));
    }
    statements
}
