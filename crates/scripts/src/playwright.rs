//! Writes a script in TypeScript for `@playwright/test`, or in Python for `playwright.sync_api`. Both have the same
//! calls: Python writes their names with underscores, and options as keyword arguments.

mod expressions;

use self::expressions::{env_name, expression, page_text, quoted, value, variable_name};
use crate::{
    comment::comment_lines,
    script::PlaywrightScript,
    statement::{Base, Expression, Statement, Value},
};

/// The language of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A test file for the package `@playwright/test`.
    TypeScript,
    /// A program for the package `playwright`.
    Python,
}

/// Writes the script.
pub fn write(script: &PlaywrightScript, language: Language) -> String {
    let mut writer = Writer { language, lines: Vec::new(), indent: 1, counter: 0 };
    match language {
        Language::TypeScript => writer.typescript_head(script),
        Language::Python => writer.python_head(script),
    }
    for step in &script.steps {
        writer.lines.push(String::new());
        writer.comment(&step.title);
        step.statements.iter().for_each(|statement| writer.statement(statement));
    }
    match language {
        Language::TypeScript => writer.lines.push("});".to_owned()),
        Language::Python => writer.python_tail(),
    }
    writer.lines.join("\n") + "\n"
}

struct Writer {
    language: Language,
    lines: Vec<String>,
    indent: usize,
    /// Numbers the names of popups and downloads.
    counter: usize,
}

impl Writer {
    fn line(&mut self, line: impl AsRef<str>) {
        let unit = if self.language == Language::TypeScript { "  " } else { "    " };
        self.lines.push(format!("{}{}", unit.repeat(self.indent), line.as_ref()));
    }

    fn top(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    fn is_python(&self) -> bool {
        self.language == Language::Python
    }

    fn typescript_head(&mut self, script: &PlaywrightScript) {
        self.top("import { expect, test } from '@playwright/test';");
        self.top("");
        self.top("// The browser of the system instead of Playwright's own, if this variable is set.");
        self.top("test.use({ launchOptions: { executablePath: process.env.BROWSER_PATH } });");
        self.top("");
        if let Some(base) = &script.base_url {
            self.top(format!("const baseUrl = process.env.BASE_URL ?? {};", quoted(base, self.language)));
        }
        for (name, default) in &script.inputs {
            let default = quoted(default, self.language);
            self.top(format!(
                "const {} = process.env.{} ?? {default};",
                variable_name(name, self.language),
                env_name("INPUT", name)
            ));
        }
        for name in &script.secrets {
            self.top(format!("const {} = secret('{}');", secret_name(name, self.language), env_name("SECRET", name)));
        }
        if !script.secrets.is_empty() {
            self.top("");
            self.top("function secret(name: string): string {");
            self.top("  const value = process.env[name];");
            self.top("  if (value === undefined) throw new Error(`set the environment variable ${name}`);");
            self.top("  return value;");
            self.top("}");
        }
        self.top("");
        self.top(format!("test({}, async ({{ page: firstPage, context }}) => {{", quoted(&script.name, self.language)));
        self.line("let page = firstPage;");
        let saved: Vec<&String> = script.saved.iter().filter(|name| !script.inputs.contains_key(*name)).collect();
        for name in saved {
            self.line(format!("let {} = '';", variable_name(name, self.language)));
        }
    }

    fn python_head(&mut self, script: &PlaywrightScript) {
        self.top("import os");
        self.top("import re");
        self.top("");
        self.top("from playwright.sync_api import expect, sync_playwright");
        self.top("");
        if let Some(base) = &script.base_url {
            self.top(format!("base_url = os.environ.get(\"BASE_URL\", {})", quoted(base, self.language)));
        }
        for (name, default) in &script.inputs {
            let default = quoted(default, self.language);
            let name_here = variable_name(name, self.language);
            self.top(format!("{name_here} = os.environ.get(\"{}\", {default})", env_name("INPUT", name)));
        }
        for name in &script.secrets {
            self.top(format!("{} = os.environ[\"{}\"]", secret_name(name, self.language), env_name("SECRET", name)));
        }
        self.top("");
        self.top("");
        self.top("def run(context):");
        self.comment(&script.name);
        self.line("page = context.new_page()");
    }

    fn python_tail(&mut self) {
        self.top("");
        self.top("");
        self.top("with sync_playwright() as playwright:");
        self.line("# The browser of the system instead of Playwright's own, if this variable is set.");
        self.line("browser = playwright.chromium.launch(executable_path=os.environ.get(\"BROWSER_PATH\"))");
        self.line("run(browser.new_context())");
        self.line("browser.close()");
    }

    fn comment(&mut self, text: &str) {
        let mark = if self.is_python() { "#" } else { "//" };
        comment_lines(text).for_each(|line| self.line(format!("{mark} {line}")));
    }

    fn statement(&mut self, statement: &Statement) {
        let language = self.language;
        match statement {
            Statement::Comment(text) => self.comment(text),
            Statement::Call(call) => {
                let call = expression(call, language);
                self.line(if self.is_python() { call } else { format!("await {call};") });
            }
            Statement::Save { name, value } => {
                let value = expression(value, language);
                let name = variable_name(name, language);
                if self.is_python() {
                    self.line(format!("{name} = {value}.strip()"));
                } else {
                    self.line(format!("{name} = ((await {value}) ?? '').trim();"));
                }
            }
            Statement::Popup(action) => self.popup(action),
            Statement::Download { action, name } => self.download(action, name),
            Statement::FileChooser { action, files } => self.file_chooser(action, files),
            Statement::AnswerDialog { accept, text } => self.answer(*accept, text.as_ref()),
            Statement::SwitchTab(number) => {
                let index = number.saturating_sub(1);
                if self.is_python() {
                    self.line(format!("page = context.pages[{index}]"));
                } else {
                    self.line(format!("page = context.pages()[{index}];"));
                }
                self.call("page.bringToFront()");
            }
            Statement::OpenTab => self.assign("page", "context.newPage()"),
            Statement::CloseTab => {
                self.call("page.close()");
                if self.is_python() {
                    self.line("page = context.pages[-1]");
                } else {
                    self.line("page = context.pages()[context.pages().length - 1];");
                }
            }
            Statement::Expect { subject, matcher, arguments, options } => {
                self.expectation(subject, matcher, arguments, options);
            }
            Statement::Fail(reason) => {
                let reason = quoted(reason, language);
                if self.is_python() {
                    self.line(format!("raise NotImplementedError({reason})"));
                } else {
                    // Without the condition, the compiler would refuse the lines after it.
                    self.line(format!("expect(true, {reason}).toBe(false);"));
                }
            }
        }
    }

    /// A call without arguments, with the names of JavaScript.
    fn call(&mut self, call: &str) {
        if self.is_python() {
            self.line(expressions::snake_case_calls(call));
        } else {
            self.line(format!("await {call};"));
        }
    }

    fn assign(&mut self, name: &str, call: &str) {
        if self.is_python() {
            self.line(format!("{name} = {}", expressions::snake_case_calls(call)));
        } else {
            self.line(format!("{name} = await {call};"));
        }
    }

    fn expectation(
        &mut self,
        subject: &Expression,
        matcher: &'static str,
        arguments: &[Value],
        options: &[(&'static str, Value)],
    ) {
        let language = self.language;
        if let Base::Variable(name) = &subject.base {
            let (name, argument) = (variable_name(name, language), value(&arguments[0], language));
            match (language, matcher) {
                (Language::Python, "toContain") => self.line(format!("assert {argument} in {name}, {name}")),
                (Language::Python, _) => self.line(format!("assert {name} == {argument}, {name}")),
                (Language::TypeScript, matcher) => self.line(format!("expect({name}).{matcher}({argument});")),
            }
            return;
        }
        let call = expressions::call(matcher, arguments, options, language);
        let subject = if subject.calls.is_empty() { page_text().to_owned() } else { expression(subject, language) };
        if self.is_python() {
            self.line(format!("expect({subject}).{call}"));
        } else {
            self.line(format!("await expect({subject}).{call};"));
        }
    }

    fn popup(&mut self, action: &[Statement]) {
        self.counter += 1;
        let name = format!("popup{}", self.counter);
        if self.is_python() {
            self.line(format!("with page.expect_popup() as {name}:"));
            self.within(action);
            self.line(format!("page = {name}.value"));
        } else {
            self.line(format!("const {name} = page.waitForEvent('popup');"));
            action.iter().for_each(|statement| self.statement(statement));
            self.line(format!("page = await {name};"));
        }
    }

    fn download(&mut self, action: &[Statement], file: &str) {
        self.counter += 1;
        let (name, file) = (format!("download{}", self.counter), quoted(file, self.language));
        if self.is_python() {
            self.line(format!("with page.expect_download() as {name}:"));
            self.within(action);
            self.line(format!("assert {name}.value.suggested_filename == {file}"));
            self.line(format!("assert {name}.value.failure() is None"));
        } else {
            self.line(format!("const {name} = page.waitForEvent('download');"));
            action.iter().for_each(|statement| self.statement(statement));
            self.line(format!("expect((await {name}).suggestedFilename()).toBe({file});"));
            self.line(format!("expect(await (await {name}).failure()).toBeNull();"));
        }
    }

    fn file_chooser(&mut self, action: &[Statement], files: &[Value]) {
        self.counter += 1;
        let (name, files) = (format!("chooser{}", self.counter), value(&Value::List(files.to_vec()), self.language));
        if self.is_python() {
            self.line(format!("with page.expect_file_chooser() as {name}:"));
            self.within(action);
            self.line(format!("{name}.value.set_files({files})"));
        } else {
            self.line(format!("const {name} = page.waitForEvent('filechooser');"));
            action.iter().for_each(|statement| self.statement(statement));
            self.line(format!("await (await {name}).setFiles({files});"));
        }
    }

    fn within(&mut self, statements: &[Statement]) {
        self.indent += 1;
        statements.iter().for_each(|statement| self.statement(statement));
        self.indent -= 1;
    }

    fn answer(&mut self, accept: bool, text: Option<&Value>) {
        let answer = match (accept, text) {
            (true, Some(text)) => format!("accept({})", value(text, self.language)),
            (true, None) => "accept()".to_owned(),
            (false, _) => "dismiss()".to_owned(),
        };
        if self.is_python() {
            self.line(format!("page.once(\"dialog\", lambda dialog: dialog.{answer})"));
        } else {
            self.line(format!("page.once('dialog', dialog => dialog.{answer});"));
        }
    }
}

fn secret_name(name: &str, language: Language) -> String {
    variable_name(&format!("{}_secret", name.replace(['.', '-'], "_")), language)
}

#[cfg(test)]
mod tests;
