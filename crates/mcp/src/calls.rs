//! Executes tool calls: on the caller's page, with files of the output folder, or as a run.

use legwork::{browser::StorageState, page::Page};
use legwork_protocol::{Action, Tab};
use legwork_verbs::{CommandRequest, PageCommand, PageReply, execute, refused};
use rmcp::{RoleServer, service::RequestContext};
use serde_json::{Map, Value, json};

use crate::{
    batches,
    clients::{PageUnavailable, SessionName},
    config, files,
    runs::{self, ProgressTarget, RunPlace},
    server::{Server, is_picture},
    tools::{Call, Save, TabOp, call},
};

impl Server {
    /// Executes a call. A failure is returned as a reply.
    pub(crate) async fn answer(
        &self,
        tool: &str,
        mut arguments: Map<String, Value>,
        context: &RequestContext<RoleServer>,
    ) -> PageReply {
        let session = arguments.remove("session").and_then(|session| session.as_str().map(str::to_owned));
        let session = session.as_deref();
        let wanted = match call(tool, arguments) {
            Ok(wanted) => wanted,
            // This is not a protocol error, because clients do not show protocol errors to the model, which could
            // correct the arguments.
            Err(why) => return PageReply::unmet(why.to_string()),
        };
        let runtime = &self.server_state.options.runtime;
        let progress = || ProgressTarget { peer: context.peer.clone(), token: context.meta.get_progress_token() };
        match wanted {
            Call::Close => self.close(session, context).await,
            Call::Config => config::description(&self.server_state.options),
            Call::Run(run) => {
                self.execute_run(session, context, async |place| {
                    runs::run(runtime, run, place, progress(), &context.ct).await
                })
                .await
            }
            Call::Replay { run, inputs } => {
                self.execute_run(session, context, async |place| {
                    runs::replay(runtime, &run, inputs, place, progress(), &context.ct).await
                })
                .await
            }
            Call::Runs { run, limit } => runs::list(runtime, run, limit).await,
            Call::Batch(..) if self.server_state.options.tabs.is_some() => PageReply::unmet(
                "a batch does not work in the tabs of a person: use a server without --extension for it".to_owned(),
            ),
            Call::Batch(work, output) => {
                let page_options = self.server_state.page_options(&context.peer).await;
                let folder = &self.server_state.options.output;
                let files = batches::BatchFiles { folder, output: output.as_deref() };
                batches::run_batch(runtime, *work, &files, page_options, progress(), &context.ct).await
            }
            Call::Batches { batch: None, limit, .. } => batches::list(runtime, limit).await,
            Call::Batches { batch: Some(batch), from, limit } => batches::show(runtime, &batch, from, limit).await,
            Call::LoadState { filename } => self.load_state(session, &filename, context).await,
            Call::Ask(ask) => {
                self.execute_on_page(session, context, async |page| execute(page, ask, &context.ct).await).await
            }
            Call::Save(ask, save) => {
                self.execute_on_page(session, context, async |page| {
                    self.kept(execute(page, ask, &context.ct).await, &save)
                })
                .await
            }
            Call::Tabs(op, max_tokens) => {
                self.execute_on_page(session, context, async |page| tabs(page, op, max_tokens, context).await).await
            }
        }
    }

    /// Executes an operation on the caller's page. The reply contains what the caller must know about its session.
    async fn execute_on_page(
        &self,
        session: Option<&str>,
        context: &RequestContext<RoleServer>,
        work: impl AsyncFnOnce(&Page) -> PageReply,
    ) -> PageReply {
        match self.server_state.page(&self.caller(context), session, &context.peer).await {
            Ok((page, name)) => {
                let reply = with_session(session, &name, work(&page).await);
                with_replacement(page.is_replacement(), reply)
            }
            Err(error) => PageReply::unmet(error.to_string()),
        }
    }

    /// Executes a run: in a context of its own, or on the caller's page if pages are tabs of the user's own browser.
    async fn execute_run(
        &self,
        session: Option<&str>,
        context: &RequestContext<RoleServer>,
        run: impl AsyncFnOnce(RunPlace<'_>) -> PageReply,
    ) -> PageReply {
        let server_state = &self.server_state;
        if server_state.options.tabs.is_some() {
            return self.execute_on_page(session, context, async |page| run(RunPlace::Page(page)).await).await;
        }
        run(RunPlace::OwnContext(Box::new(server_state.page_options(&context.peer).await))).await
    }

    async fn close(&self, session: Option<&str>, context: &RequestContext<RoleServer>) -> PageReply {
        let Some(name) = self.caller(context).session(session) else {
            return PageReply::unmet(PageUnavailable::NotNamed.to_string());
        };
        match self.server_state.pool.close(name.key()).await {
            Some(pending) => PageReply::text(legwork_verbs::closed("the page", &pending)),
            None => PageReply::text("no page was open"),
        }
    }

    /// Writes the file of a reply to the output folder. An image for which the caller gave no file name is only sent to
    /// the client.
    fn kept(&self, reply: PageReply, save: &Save) -> PageReply {
        if reply.failed() || (save.filename.is_none() && reply.file.as_ref().is_some_and(is_picture)) {
            return reply;
        }
        let folder = &self.server_state.options.output;
        let (extension, bytes) = match &reply.file {
            Some(file) => (file.extension.as_str(), file.bytes.as_slice()),
            None => ("txt", reply.text.as_bytes()),
        };
        match files::write(folder, save.filename.as_deref(), save.stem, extension, bytes) {
            Ok(path) => {
                let file = reply.file.filter(is_picture);
                PageReply { file, ..PageReply::text(format!("saved as {}", path.display())) }
            }
            Err(error) => PageReply::unmet(error.to_string()),
        }
    }

    async fn load_state(
        &self,
        session: Option<&str>,
        filename: &str,
        context: &RequestContext<RoleServer>,
    ) -> PageReply {
        let bytes = match files::read(&self.server_state.options.output, filename) {
            Ok(bytes) => bytes,
            Err(error) => return PageReply::unmet(error.to_string()),
        };
        let state: StorageState = match serde_json::from_slice(&bytes) {
            Ok(state) => state,
            Err(error) => return PageReply::unmet(format!("{filename} is not a storage state: {error}")),
        };
        if let Err(failure) = self.server_state.options.runtime.permit_storage_state(&state, None) {
            return refused(&failure);
        }
        match self.server_state.reopen(&self.caller(context), session, state, &context.peer).await {
            Ok(name) => with_session(session, &name, PageReply::text("a blank page with this state; navigate now")),
            Err(error) => PageReply::unmet(error.to_string()),
        }
    }
}

fn with_replacement(replaced: bool, reply: PageReply) -> PageReply {
    if !replaced {
        return reply;
    }
    PageReply { text: format!("(the browser had ended; this is a new, blank page)\n{}", reply.text), ..reply }
}

/// Adds the name of a new session to the reply, for a client that is identified by nothing else.
fn with_session(given: Option<&str>, name: &SessionName, reply: PageReply) -> PageReply {
    match &name.assigned {
        Some(assigned) if given.is_none() => {
            let text = format!(
                "{}\n(this is session {assigned}; give session: \"{assigned}\" with further calls)",
                reply.text
            );
            PageReply { text, ..reply }
        }
        _ => reply,
    }
}

/// Executes an operation on tabs. Indexes start at 0, as in Playwright MCP.
async fn tabs(page: &Page, op: TabOp, max_tokens: Option<usize>, context: &RequestContext<RoleServer>) -> PageReply {
    let open = page.session().tabs();
    let number = |index: usize| {
        let tab = open.get(index).map(|tab| tab.number.to_string());
        tab.ok_or_else(|| format!("there is no tab {index}; there are {}, counted from 0", open.len()))
    };
    let tab = match op {
        TabOp::List => {
            let line = |(index, tab): (usize, &legwork_protocol::TabInfo)| {
                let mark = if tab.current { " (current)" } else { "" };
                format!("- {index}:{mark} [{}]({})", tab.title, tab.url)
            };
            let text = open.iter().enumerate().map(line).collect::<Vec<_>>().join("\n");
            return PageReply::with(text, json!({"tabs": open}));
        }
        TabOp::New(url) => Ok(Tab::Open { url }),
        TabOp::Select(index) => number(index).map(|to| Tab::Switch { to }),
        TabOp::Close(None) => Ok(Tab::Close { tab: None }),
        TabOp::Close(Some(index)) => number(index).map(|tab| Tab::Close { tab: Some(tab) }),
    };
    match tab {
        Ok(tab) => {
            let verb = PageCommand::Act { actions: vec![Action::Tab(tab)] };
            execute(page, CommandRequest { verb, max_tokens }, &context.ct).await
        }
        Err(why) => PageReply::unmet(why),
    }
}
