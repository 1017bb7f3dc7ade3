//! The messages of a turn, within the prompt's budget: what the model was shown of the page, and what is new since.

use std::sync::{Arc, OnceLock};

use legwork_observe::{Snapshot, diff, render, tokens::count};
use legwork_protocol::{Message, Speaker, View};

use super::{Notes, Task, known::Context, model::message};
use crate::{
    Rules,
    context::within,
    prompt::{self, PromptError, quote},
    schema::{self, SchemaOptions},
    workflow::variables::words,
};

/// The page as the model was last shown it in full.
#[derive(Default)]
pub(crate) struct Shown {
    page: Option<(Arc<Snapshot>, String, usize)>,
}

impl Shown {
    /// The messages for the page as it is now.
    pub(crate) fn messages(
        &mut self,
        now: &Arc<Snapshot>,
        task: &Task,
        notes: &Notes,
        hint: Option<&str>,
        cx: &Context<'_>,
    ) -> Result<Vec<Message>, PromptError> {
        let options = cx.rules.model.as_ref().map_or_else(SchemaOptions::default, |model| model.schema.clone());
        let system = system(&options)?;
        let budget = Budget::of(cx.rules, count(&system));
        let changes = self.changes(now, &budget, &cx.rules.view);
        let page = self.page.as_ref().map_or("", |(_, text, _)| text.as_str());
        let history =
            (!notes.history.is_empty()).then(|| quote("history", &notes.history.lines(budget.history).join("\n")));
        let variables: Vec<String> =
            cx.known.variables.iter().map(|(name, value)| format!("{name} = {}", words(value))).collect();
        let variables =
            (!variables.is_empty()).then(|| quote("variables", &within(&variables.join("\n"), budget.variables)));
        let found = cx.known.found(budget.history / 2).map(|found| quote("found", &found));
        let user = prompt::render(&prompt::Act {
            task: &within(&task.text, budget.task),
            expect: task.expect_text.as_deref(),
            variables: variables.as_deref(),
            page,
            history: history.as_deref(),
            found: found.as_deref(),
            changes: changes.as_deref(),
            hint,
        })?;
        Ok(vec![message(Speaker::System, system), message(Speaker::User, user)])
    }

    /// What has changed since the page was shown; shows it anew when that says more in less.
    fn changes(&mut self, now: &Arc<Snapshot>, budget: &Budget, view: &View) -> Option<String> {
        let calm = |page: &Snapshot| page.dialog.is_none();
        if let Some((before, _, tokens)) = self.page.as_ref().filter(|(before, ..)| calm(before) && calm(now)) {
            let changes = diff(before, now, &View { max_tokens: budget.changes, ..view.clone() });
            if changes.diff && changes.tokens * 2 <= (*tokens).max(60) {
                return Some(quote("changes", &changes.text));
            }
        }
        let full = render(now, &View { max_tokens: budget.page, ..view.clone() });
        let mut text = format!("{} {:?}\n{}", full.url, full.title, full.text);
        for line in &full.left_out {
            text.push_str(&format!("\n({line})"));
        }
        self.page = Some((now.clone(), quote("page", &text), full.tokens));
        None
    }
}

/// How a prompt's tokens are shared out.
struct Budget {
    task: usize,
    variables: usize,
    page: usize,
    history: usize,
    changes: usize,
}

impl Budget {
    fn of(rules: &Rules, system: usize) -> Budget {
        let left = rules.context_tokens.saturating_sub(system + 100);
        let page = (left / 2).min(rules.view.max_tokens);
        Budget { task: left / 8, variables: left / 16, page, history: left / 8, changes: (left / 8).min(page) }
    }
}

/// The standing instructions: the same for every turn of every run with these options.
fn system(options: &SchemaOptions) -> Result<String, PromptError> {
    static DEFAULT: OnceLock<String> = OnceLock::new();
    if *options == SchemaOptions::default()
        && let Some(known) = DEFAULT.get()
    {
        return Ok(known.clone());
    }
    let commands_per_turn = match options.max_commands {
        0 | 1 => "one command".to_owned(),
        many => format!("up to {many} commands"),
    };
    let rendered = prompt::render(&prompt::System {
        commands_per_turn: &commands_per_turn,
        shape: &schema::shape(options),
        commands: &schema::summary(options),
    })?;
    if *options == SchemaOptions::default() {
        return Ok(DEFAULT.get_or_init(|| rendered).clone());
    }
    Ok(rendered)
}
