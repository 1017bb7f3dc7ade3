//! The tools of FOCUSED_EXPLORATION. They are read-only. If one fails, the next one in the configured order is used.

use legwork_observe::{FindError, expand, find};
use legwork_protocol::{
    Action, ActionFailure, ActionResult, ChatRequest, Code, DecidedBy, ErrorReport, EventKind, Image, ModelFailure,
    NoParams, Phase, Purpose, Read, Target, TargetKind, Tool,
};
use serde_json::Value;

use super::{Investigation, InvestigationStage, InvestigationStep, SUMMARY, determine::determine};
use crate::{
    InspectRequest, InspectResult, Need, NeedResult,
    context::{one_line, within},
    prompt::{self, PromptError},
    task::{
        intents,
        look::described,
        model_call::request,
        run_context::StepContext,
        work_step::{WorkStep, in_view},
    },
};

/// The maximum number of tokens of a tool's result.
const TOKENS: usize = 1_000;

/// The available tools and the input of each, one per line.
pub(super) fn summary(cx: &StepContext<'_>) -> String {
    let line = |tool: &Tool| match tool {
        Tool::Find => "find: a text, or a /regular expression/, in all of the page",
        Tool::Subdom => "subdom: a ref, shown with all below it",
        Tool::Read => "read: the text of a ref or CSS selector",
        Tool::Look => "look: nothing; the page's picture is described",
        Tool::Dom => "dom: nothing; how large the page's source is",
    };
    there_are(cx).iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The configured and usable tools, in the configured order, except that tools that led to a result on this site come
/// first.
fn there_are(cx: &StepContext<'_>) -> Vec<Tool> {
    let sees = cx.rules.model.as_ref().is_some_and(|model| model.vision);
    let set = cx.rules.investigation.tools.iter().copied();
    let mut tools: Vec<Tool> = set.filter(|tool| *tool != Tool::Look || sees).collect();
    if let Some(page) = &cx.run_context.page {
        tools.sort_by_key(|tool| cx.run_context.memory.preference(&page.url, name(*tool)));
    }
    tools
}

/// The reasons for which a tool has no result.
#[derive(Debug, thiserror::Error)]
pub(super) enum ToolFailure {
    /// The message of `find`.
    #[error("{0}")]
    Unmatched(String),
    #[error(transparent)]
    Pattern(#[from] FindError),
    #[error("{0:?} is not a ref of this page")]
    NoRef(String),
    #[error("{0}")]
    Action(#[from] ActionFailure),
    #[error("the screenshot could not be described: {0}")]
    Prompt(#[from] PromptError),
    #[error("{}", .0.message)]
    Unanswered(ModelFailure),
    #[error("it returned nothing")]
    Empty,
}

impl Investigation {
    /// Uses the requested tool, or the first one that can be used on what was named and was not used on it before.
    pub(super) fn explore(
        &mut self,
        wish: Option<Result<Tool, &'static str>>,
        cx: &mut StepContext<'_>,
    ) -> InvestigationStep {
        let there = there_are(cx);
        let wished = match wish {
            Some(Ok(tool)) if there.contains(&tool) => {
                let argument = self.argument_of(tool).unwrap_or_else(|| self.reply.on.clone());
                let is_new = !self.used.contains(&(tool, argument.clone()));
                if !is_new {
                    cx.warn(format!("{} was used on {argument:?} before; another tool is used", name(tool)));
                }
                is_new.then_some((tool, argument))
            }
            Some(_) => {
                let message = "a tool was named that is not there; the first of `investigation.tools` is used";
                cx.emit(EventKind::ErrorOccurred(ErrorReport::new(Code::InvestigationToolUnsupported, message)));
                None
            }
            None => None,
        };
        let usable = |tool: Tool| Some((tool, self.argument_of(tool)?)).filter(|using| !self.used.contains(using));
        // What was named may not be on the page under this name.
        let whole_page = (Tool::Read, String::new());
        let reads = there.contains(&Tool::Read) && !self.used.contains(&whole_page);
        let other = || there.into_iter().find_map(usable).or(reads.then_some(whole_page));
        match wished.or_else(other) {
            Some((tool, argument)) => {
                self.note_substitute(tool, wish);
                self.apply(tool, argument, cx)
            }
            None => self.cut_short(Phase::FocusedExploration, cx),
        }
    }

    /// Notes for the next prompt that another tool is used than the model requested.
    fn note_substitute(&mut self, tool: Tool, wish: Option<Result<Tool, &'static str>>) {
        let used = name(tool);
        let why = match (&self.failed_request, wish) {
            (Some(failed), _) => failed.clone(),
            (None, Some(Ok(wished))) if wished != tool && self.used.iter().any(|(used, _)| *used == wished) => {
                format!("{} was used on it before", name(wished))
            }
            (None, Some(Ok(wished))) if wished != tool => format!("{} is not available", name(wished)),
            (None, Some(Err(_))) => "the requested tool does not exist".to_owned(),
            _ => return,
        };
        self.tool_results.push(format!("({why}; {used} was used instead)"));
    }

    /// What a tool is used on, from what the model named for the tool of its choice; `None` if that means nothing to
    /// this tool.
    fn argument_of(&self, tool: Tool) -> Option<String> {
        let on = self.reply.on.trim();
        let reference = || {
            let first = Target(on.split_whitespace().next().unwrap_or_default().to_owned());
            match first.kind() {
                TargetKind::Ref(reference) => self.page.find_ref(reference).map(|_| reference.to_string()),
                _ => determine(&self.page, &Target(format!("text={on}"))).map(|found| found.reference.to_string()),
            }
        };
        match tool {
            Tool::Look | Tool::Dom => Some(String::new()),
            Tool::Find => (!on.is_empty() && !is_selector(on)).then(|| on.to_owned()),
            Tool::Subdom => reference(),
            // Without a target, it reads the whole page.
            Tool::Read if on.is_empty() || is_selector(on) => Some(on.to_owned()),
            Tool::Read => reference(),
        }
    }

    fn apply(&mut self, tool: Tool, argument: String, cx: &mut StepContext<'_>) -> InvestigationStep {
        cx.emit(EventKind::InvestigationToolStarted { tool, target: argument.clone() });
        self.stage = InvestigationStage::Using(tool);
        self.used.insert((tool, argument.clone()));
        self.argument.clone_from(&argument);
        let act = |action: Action| WorkStep::Need(Need::Act(intents(vec![action], DecidedBy::Model)));
        match tool {
            Tool::Find => {
                let found = match find(&self.page, &argument, TOKENS) {
                    Ok(found) if found.matches > 0 => Ok(found.text),
                    Ok(found) => Err(ToolFailure::Unmatched(found.text)),
                    Err(error) => Err(error.into()),
                };
                self.add_tool_result(tool, found, cx)
            }
            Tool::Subdom => {
                let part = match Target(argument.clone()).kind() {
                    TargetKind::Ref(reference) if self.page.find_ref(reference).is_some() => {
                        Ok(expand(&self.page, reference, TOKENS).text)
                    }
                    _ => Err(ToolFailure::NoRef(argument)),
                };
                self.add_tool_result(tool, part, cx)
            }
            Tool::Read => {
                let target = Some(Target(argument)).filter(|target| !target.0.is_empty());
                act(Action::Read(Read { target, ..Read::default() }))
            }
            Tool::Dom => act(Action::Dom(NoParams {})),
            Tool::Look => {
                WorkStep::Need(Need::Inspect(InspectRequest::Picture { target: None, marks: in_view(&self.page) }))
            }
        }
    }

    /// Handles the result of a tool that needed IO.
    pub(super) fn on_tool_result(
        &mut self,
        tool: Tool,
        response: NeedResult,
        late: bool,
        cx: &mut StepContext<'_>,
    ) -> InvestigationStep {
        if late {
            cx.emit(EventKind::InvestigationToolCompleted { tool, ok: false, summary: "too late".into() });
            self.leave(Phase::FocusedExploration, cx);
            return self.out_of_time(cx);
        }
        let said = match response {
            NeedResult::Acted(results) => match results.into_iter().next() {
                Some(ActionResult { failure: Some(failure), .. }) => Err(failure.into()),
                Some(ActionResult { dom: Some(dom), .. }) => Ok(format!("the page's source has {} bytes", dom.size)),
                Some(ActionResult { value: Some(Value::String(text)), .. }) => Ok(text),
                _ => Err(ToolFailure::Empty),
            },
            NeedResult::Inspected(Ok(InspectResult::Picture(image))) => match self.question(image, cx) {
                Ok(step) => return step,
                Err(failure) => Err(failure),
            },
            NeedResult::Inspected(Err(failure)) => Err(failure.into()),
            NeedResult::Decided(Ok(reply)) => described(&reply, cx).ok_or(ToolFailure::Empty),
            NeedResult::Decided(Err(failure)) => Err(ToolFailure::Unanswered(failure)),
            _ => Err(ToolFailure::Empty),
        };
        self.add_tool_result(tool, said, cx)
    }

    fn question(&self, image: Image, cx: &StepContext<'_>) -> Result<InvestigationStep, ToolFailure> {
        let text = prompt::render(&prompt::LookAt { task: &self.task, marks: true })?;
        let tokens = cx.rules.model.as_ref().map_or(super::REPLY, |model| model.max_reply_tokens);
        let request =
            ChatRequest { time_limit: Some(self.time_left(cx)), ..request(Purpose::Look, text, Some(image), tokens) };
        Ok(WorkStep::Need(Need::Decide(request)))
    }

    /// Records the result of a tool and continues; after a failure, the next tool is used.
    fn add_tool_result(
        &mut self,
        tool: Tool,
        said: Result<String, ToolFailure>,
        cx: &mut StepContext<'_>,
    ) -> InvestigationStep {
        let (ok, text) = match said {
            Ok(text) => (true, text),
            Err(why) => (false, why.to_string()),
        };
        let summary = one_line(&text, SUMMARY);
        cx.emit(EventKind::InvestigationToolCompleted { tool, ok, summary: summary.clone() });
        if !ok {
            let message = format!("{} failed: {summary}", name(tool));
            cx.emit(EventKind::ErrorOccurred(ErrorReport::new(Code::InvestigationTool, message)));
            self.failed_request = Some(format!("{} failed: {summary}", name(tool)));
            return self.explore(None, cx);
        }
        self.failed_request = None;
        let on = one_line(&self.argument, SUMMARY / 3);
        self.tool_results.push(format!("{} {on}: {}", name(tool), within(text.trim(), TOKENS)));
        self.ask(Phase::FocusedExploration, None, cx)
    }
}

/// Whether a text is written as a selector. A word alone may be one, such as `main`, but is more often a text of the
/// page.
fn is_selector(text: &str) -> bool {
    match Target(text.to_owned()).kind() {
        TargetKind::Role { .. } | TargetKind::XPath(_) => true,
        TargetKind::Text(_) => text.starts_with("text="),
        TargetKind::Ref(_) => false,
        TargetKind::Css(_) if text.starts_with("css=") => true,
        TargetKind::Css(css) => {
            let rest = css.trim_start_matches(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
            let mut after = rest.chars();
            let sign = after.next();
            matches!(sign, Some('#' | '.' | '[')) && after.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        }
    }
}

fn name(tool: Tool) -> &'static str {
    match tool {
        Tool::Look => "look",
        Tool::Read => "read",
        Tool::Dom => "dom",
        Tool::Subdom => "subdom",
        Tool::Find => "find",
    }
}

#[cfg(test)]
mod tests {
    use super::is_selector;

    #[test]
    fn a_selector_is_told_from_a_text() {
        for selector in ["#total", ".row", "[data-id]", "tr.row", "h1#top", "css=main", "//td", "role=row", "text=Sum"]
        {
            assert!(is_selector(selector), "{selector}");
        }
        for text in ["Total", "3.50 EUR", "main", "e12", "\"Total\"", "Order no. 7", ".5 l", "# 12"] {
            assert!(!is_selector(text), "{text}");
        }
    }
}
