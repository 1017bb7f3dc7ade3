//! The messages of a turn, within the prompt's budget: the page as it was shown to the model, and the changes since
//! then.

use std::sync::Arc;

use legwork_observe::{Snapshot, diff, render, render_since, tokens::count};
use legwork_protocol::{ChatRole, Message, Observation, View};

use super::{Ending, StepNotes, Task, model_call::message, run_context::StepContext};
use crate::{
    Rules,
    context::within,
    prompt::{self, PromptError, quote},
    schema::{self, Form, SchemaOptions},
    workflow::variables::words,
};

/// The page as it was last shown to the model.
#[derive(Default)]
pub(crate) struct PresentedPage {
    /// The system prompt and its number of tokens.
    system: Option<(Arc<str>, usize)>,
    page: Option<Page>,
}

struct Page {
    snapshot: Arc<Snapshot>,
    /// The text of the page, quoted.
    text: String,
    tokens: usize,
    /// Whether the page was shown before and has its brief form now.
    shortened: bool,
}

impl PresentedPage {
    /// The messages for the current page.
    pub(crate) fn messages(
        &mut self,
        now: &Arc<Snapshot>,
        task: &Task,
        notes: &mut StepNotes,
        hint: Option<&str>,
        cx: &StepContext<'_>,
    ) -> Result<Vec<Message>, PromptError> {
        let (system, cost) = self.system(cx)?;
        let budget = Budget::of(cx.rules, cost, count(&task.text));
        let changes = self.changes(now, &budget, &cx.rules.view);
        let page = self.page.as_ref().map_or("", |page| page.text.as_str());
        notes.history.fold(budget.history, cx.rules.compaction.detail);
        let history =
            (!notes.history.is_empty()).then(|| quote("history", &notes.history.lines(budget.history).join("\n")));
        let variables: Vec<String> =
            cx.run_context.variables.iter().map(|(name, value)| format!("{name} = {}", words(value))).collect();
        let variables =
            (!variables.is_empty()).then(|| quote("variables", &within(&variables.join("\n"), budget.variables)));
        let found = cx.run_context.found.text(budget.history / 2).map(|found| quote("found", &found));
        let user = prompt::render(&prompt::Act {
            task: &task.text,
            expect: task.expect_text.as_deref(),
            variables: variables.as_deref(),
            memory: cx.run_context.memory.fragment(),
            page,
            history: history.as_deref(),
            found: found.as_deref(),
            changes: changes.as_deref(),
            hint,
        })?;
        Ok(vec![Message { speaker: ChatRole::System, text: system, images: Vec::new() }, message(ChatRole::User, user)])
    }

    /// The system prompt and its number of tokens, created once.
    fn system(&mut self, cx: &StepContext<'_>) -> Result<(Arc<str>, usize), PromptError> {
        if let Some(run_context) = &self.system {
            return Ok(run_context.clone());
        }
        let options = cx.rules.model.as_ref().map_or_else(SchemaOptions::default, |model| model.schema.clone());
        let text = system(&options)?;
        let tokens = count(&text);
        Ok(self.system.insert((text.into(), tokens)).clone())
    }

    /// The changes since the page was shown. If the complete page is shorter, it is shown again instead.
    fn changes(&mut self, now: &Arc<Snapshot>, budget: &Budget, view: &View) -> Option<String> {
        let calm = |page: &Snapshot| page.dialog.is_none();
        if let Some(shown) = self.page.as_mut().filter(|page| calm(&page.snapshot) && calm(now)) {
            let changes = diff(&shown.snapshot, now, &View { max_tokens: budget.changes, ..view.clone() });
            if changes.diff && changes.tokens * 2 <= shown.tokens.max(60) {
                shown.shorten(budget, view);
                return Some(quote("changes", &changes_text(&changes.text)));
            }
        }
        let whole = View { max_tokens: budget.page, ..view.clone() };
        let shown = match &self.page {
            Some(before) => render_since(&before.snapshot, now, &whole),
            None => render(now, &whole),
        };
        let (text, tokens) = quoted_page(shown, &whole);
        self.page = Some(Page { snapshot: now.clone(), text, tokens, shortened: false });
        None
    }
}

impl Page {
    /// Shows the same page in its brief form, unless that is not much shorter.
    fn shorten(&mut self, budget: &Budget, view: &View) {
        if self.shortened {
            return;
        }
        let brief = View { max_tokens: budget.page, brief: true, ..view.clone() };
        let (text, tokens) = quoted_page(render(&self.snapshot, &brief), &brief);
        if tokens * 4 <= self.tokens * 3 {
            (self.text, self.shortened) = (text, true);
        }
    }
}

/// The changes, without the position of lines that the page above already contains and whose text changed.
fn changes_text(changes: &str) -> String {
    let lines: Vec<&str> = changes.lines().collect();
    let place = |line: &str| line.starts_with("in ") && line.ends_with(':');
    let only_changed =
        |at: usize| lines[at + 1..].iter().take_while(|line| !place(line)).all(|line| line.starts_with("~ "));
    let kept = lines.iter().enumerate().filter(|(at, line)| !(place(line) && only_changed(*at)));
    kept.map(|(_, line)| *line).collect::<Vec<_>>().join("\n")
}

/// The observation of a page as quoted text, and its number of tokens.
fn quoted_page(shown: Observation, view: &View) -> (String, usize) {
    let mut text = format!("{} {:?}\n{}", shown.url, shown.title, shown.text.trim_end());
    if view.brief {
        // The last action shows where the focus is. A mark that moves with each action would change the text of an
        // unchanged page.
        text = text.replace(" [focused]", "");
    }
    for line in &shown.left_out {
        text.push_str(&format!("\n({line})"));
    }
    (quote("page", &text), shown.tokens)
}

/// Tokens reserved for the fixed text between the parts, and for repair prompts.
const PROMPT_OVERHEAD: usize = 300;

/// The token budget of each part of a prompt.
struct Budget {
    variables: usize,
    page: usize,
    history: usize,
    changes: usize,
}

impl Budget {
    /// `task` is the length of the instruction, which is always shown whole. A long one takes the place of the page.
    fn of(rules: &Rules, system: usize, task: usize) -> Budget {
        let left = tokens_after(rules, system);
        let others = left / 16 + 2 * (left / 8) + left / 16;
        let page = (left / 2).min(left.saturating_sub(others + task)).min(rules.view.max_tokens);
        Budget { variables: left / 16, page, history: left / 8, changes: (left / 8).min(page) }
    }
}

/// The tokens of a prompt beside the fixed text.
fn tokens_after(rules: &Rules, system: usize) -> usize {
    rules.context_tokens.saturating_sub(system + rules.memory.tokens + PROMPT_OVERHEAD)
}

/// The error for an instruction for which a prompt has no room: it may take half of what the fixed text leaves, so that
/// an eighth is left for the page. An instruction is never shortened, because a model would do a part of it and report
/// a success.
pub(crate) fn too_long(instruction: &str, rules: &Rules) -> Option<Ending> {
    let options = rules.model.as_ref()?.schema.clone();
    let tokens = count(instruction);
    let fixed = system(&options).map_or(0, |system| count(&system));
    let most = tokens_after(rules, fixed) / 2;
    if tokens <= most {
        return None;
    }
    let (now, needed) = (rules.context_tokens, rules.context_tokens + 2 * (tokens - most));
    let message = format!(
        "the instruction has {tokens} tokens, and a prompt has room for {most} of them: `context.max_tokens` is {now}"
    );
    let hint = format!("Divide it into several steps, or set `context.max_tokens` to {needed} or more.");
    Some(Ending::over(legwork_protocol::Budget::Tokens, message).suggest(&hint))
}

/// The number of tokens for the history in a prompt.
pub(super) fn history_tokens(rules: &Rules) -> usize {
    let options = rules.model.as_ref().map_or_else(SchemaOptions::default, |model| model.schema.clone());
    tokens_after(rules, system(&options).map_or(0, |system| count(&system))) / 8
}

/// The system prompt, which is the same for every turn of every run with these options.
fn system(options: &SchemaOptions) -> Result<String, PromptError> {
    let commands_per_turn = match options.max_commands {
        0 | 1 => "one command".to_owned(),
        many => format!("up to {many} commands"),
    };
    prompt::render(&prompt::System {
        commands_per_turn: &commands_per_turn,
        shape: &schema::shape(options),
        line: options.form == Form::Line,
        commands: &schema::summary(options),
    })
}
