//! The protocol's side: lists what there is, takes calls to the client's page, and answers in few words.

use std::{panic::AssertUnwindSafe, sync::Arc};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use futures_util::FutureExt;
use legwork::{browser::StorageState, page::Page};
use legwork_protocol::{Action, Tab};
use legwork_verbs::{CommandRequest, PageCommand, PageReply, execute};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, GetPromptRequestParams,
        GetPromptResponse, Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
        ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
        ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
    },
    service::{NotificationContext, RequestContext},
};
use serde_json::{Map, Value, json};

use crate::{
    clients::{Caller, NoPage, ServerState, SessionName, roots},
    config, files, prompts, resources,
    runs::{self, ProgressTarget},
    tools::{Call, Save, TOOLS, TabOp, ToolEntry, call},
};

/// The server of one connection: of a client over stdio; over HTTP of a client's session, or of one request where the protocol has
/// no sessions.
pub(crate) struct Server {
    server_state: Arc<ServerState>,
    connection: String,
}

impl Server {
    pub(crate) fn new(server_state: Arc<ServerState>) -> Server {
        let connection = server_state.new_connection();
        Server { server_state, connection }
    }

    fn caller(&self, context: &RequestContext<RoleServer>) -> Caller {
        Caller::of(context, &self.connection)
    }

    async fn answer(
        &self,
        tool: &str,
        mut arguments: Map<String, Value>,
        context: &RequestContext<RoleServer>,
    ) -> PageReply {
        let session = arguments.remove("session").and_then(|session| session.as_str().map(str::to_owned));
        let session = session.as_deref();
        let wanted = match call(tool, arguments) {
            Ok(wanted) => wanted,
            // Not the protocol's error, which a model is not shown: it can mend its arguments.
            Err(why) => return PageReply::unmet(why.to_string()),
        };
        let (server_state, runtime) = (&self.server_state, &self.server_state.options.runtime);
        let progress = || ProgressTarget { peer: context.peer.clone(), token: context.meta.get_progress_token() };
        match wanted {
            Call::Close => self.close(session, context).await,
            Call::Config => config::told(&self.server_state.options),
            Call::Run(run) => {
                runs::run(runtime, run, server_state.page_options(&context.peer).await, progress(), &context.ct).await
            }
            Call::Replay { run, inputs } => {
                let page_options = server_state.page_options(&context.peer).await;
                runs::replay(runtime, &run, inputs, page_options, progress(), &context.ct).await
            }
            Call::Runs { run, limit } => runs::list(runtime, run, limit).await,
            Call::LoadState { filename } => self.load_state(session, &filename, context).await,
            Call::Ask(ask) => self.on_page(session, context, async |page| execute(page, ask, &context.ct).await).await,
            Call::Save(ask, save) => {
                self.on_page(session, context, async |page| self.kept(execute(page, ask, &context.ct).await, &save))
                    .await
            }
            Call::Tabs(op, max_tokens) => {
                self.on_page(session, context, async |page| tabs(page, op, max_tokens, context).await).await
            }
        }
    }

    /// Does something on the caller's page, and says with it what the caller has to know of its session.
    async fn on_page(
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

    async fn close(&self, session: Option<&str>, context: &RequestContext<RoleServer>) -> PageReply {
        let Some(name) = self.caller(context).session(session) else {
            return PageReply::unmet(NoPage::NotNamed.to_string());
        };
        match self.server_state.pool.close(name.key()).await {
            Some(pending) => PageReply::text(legwork_verbs::closed("the page", &pending)),
            None => PageReply::text("no page was open"),
        }
    }

    /// Writes what a tool made into the output folder. A picture without a name of its own only goes to the client.
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
            Err(error) => return PageReply::unmet(format!("{filename} holds no storage state: {error}")),
        };
        match self.server_state.reopen(&self.caller(context), session, state, &context.peer).await {
            Ok(name) => with_session(session, &name, PageReply::text("a blank page with this state; navigate now")),
            Err(error) => PageReply::unmet(error.to_string()),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A client that hung up leaves its pages; its name is not given to another one.
        let (server_state, connection) = (self.server_state.clone(), std::mem::take(&mut self.connection));
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { server_state.pool.close_family(&connection).await });
        }
    }
}

fn is_picture(file: &legwork_verbs::File) -> bool {
    file.media_type.starts_with("image/")
}

fn with_replacement(replaced: bool, reply: PageReply) -> PageReply {
    if !replaced {
        return reply;
    }
    PageReply { text: format!("(the browser had died; this is a new, blank page)\n{}", reply.text), ..reply }
}

/// Tells a client that nothing else identifies how to come back to its page, when it does not know yet.
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

/// Tabs are counted from 0, as Playwright's clients do.
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

/// A fault of ours is an answer too: rmcp drops what panics, and the client would wait for ever.
async fn unhurt<T>(what: &str, answer: impl Future<Output = Result<T, ErrorData>>) -> Result<T, ErrorData> {
    AssertUnwindSafe(answer).catch_unwind().await.unwrap_or_else(|_| {
        let said =
            format!("{what} failed by a fault of legwork's own, which its log describes; other calls still work");
        Err(ErrorData::internal_error(said, None))
    })
}

fn result(reply: PageReply) -> CallToolResult {
    let failed = reply.failed();
    let mut content = vec![ContentBlock::text(reply.text)];
    if let Some(file) = reply.file.filter(is_picture) {
        content.push(ContentBlock::image(STANDARD.encode(file.bytes), file.media_type));
    }
    if failed { CallToolResult::error(content) } else { CallToolResult::success(content) }
}

fn tool(listed: &ToolEntry, caller: &Caller) -> Tool {
    let annotations = listed.reads.then(|| ToolAnnotations::new().read_only(true));
    let mut schema = listed.schema();
    // A client with a connection of its own seldom needs it, and pays for each word with every request.
    if let (Caller::Unknown, Some(Value::Object(properties))) = (caller, schema.get_mut("properties")) {
        properties.insert("session".to_owned(), json!({"type": "string"}));
    }
    let tool = Tool::new(listed.name, listed.about, Arc::new(schema));
    match annotations {
        Some(annotations) => tool.with_annotations(annotations),
        None => tool,
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_prompts().enable_resources().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("legwork", env!("CARGO_PKG_VERSION")))
            .with_instructions(prompts::INSTRUCTIONS.trim())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let (groups, caller) = (&self.server_state.options.groups, self.caller(&context));
        let listed = TOOLS.iter().filter(|listed| groups.contains(&listed.group));
        let listed = listed.map(|listed| tool(listed, &caller)).collect();
        Ok(ListToolsResult::with_all_items(listed))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        ToolEntry::by_name(name).map(|listed| tool(listed, &Caller::Known(self.connection.clone())))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if ToolEntry::by_name(&request.name).is_none() {
            return Err(ErrorData::invalid_params(format!("there is no tool {:?}", request.name), None));
        }
        unhurt(&request.name, async {
            // On the heap: what a tool may do is large, and this is handed through many layers of the server.
            let answer = Box::pin(self.answer(&request.name, request.arguments.unwrap_or_default(), &context));
            Ok(result(answer.await).into())
        })
        .await
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        Ok(prompts::get(&request.name, &request.arguments.unwrap_or_default())?.into())
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let has_page = self.server_state.open_page(&self.caller(&context), None).await.is_ok();
        Ok(ListResourcesResult::with_all_items(resources::list(&self.server_state.options.runtime, has_page).await))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let caller = self.caller(&context);
        unhurt(&request.uri, async {
            let contents = resources::read(&self.server_state, &caller, &request.uri).await?;
            Ok(ReadResourceResult::new(vec![contents]).into())
        })
        .await
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        if let Some(page) = self.server_state.pool.lease(&self.connection).await {
            let mut folders = self.server_state.options.uploads.clone();
            folders.extend(roots(&context.peer).await);
            page.session().allow_uploads(folders);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_fault_is_told_and_a_refusal_stays_what_it_is() {
        let fault = unhurt::<()>("browser_click", async { panic!("an index out of bounds") }).await.unwrap_err();
        assert!(fault.message.starts_with("browser_click failed by a fault of legwork's own"), "{fault:?}");
        assert_eq!(unhurt("browser_click", async { Ok(1) }).await.unwrap(), 1);
        let refused = unhurt::<()>("a", async { Err(ErrorData::invalid_params("no such uri", None)) }).await;
        assert_eq!(refused.unwrap_err().message, "no such uri");
    }
}
