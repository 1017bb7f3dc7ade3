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
    clients::{ServerState, roots, sessionless},
    config, files, prompts, resources,
    runs::{self, ProgressTarget},
    tools::{Call, Save, TOOLS, TabOp, ToolEntry, call},
};

/// One client's server; over HTTP, one of a client's session.
pub(crate) struct Server {
    server_state: Arc<ServerState>,
    /// What its page is called.
    name: String,
}

impl Server {
    pub(crate) fn new(server_state: Arc<ServerState>) -> Server {
        let name = server_state.newcomer();
        Server { server_state, name }
    }

    /// Whose page a request is for.
    fn page_name(&self, session: Option<&str>, context: &RequestContext<RoleServer>) -> String {
        let client = sessionless(context).unwrap_or_else(|| self.name.clone());
        session.map_or_else(|| client.clone(), |session| format!("{client}/{session}"))
    }

    async fn answer(
        &self,
        tool: &str,
        mut arguments: Map<String, Value>,
        context: &RequestContext<RoleServer>,
    ) -> PageReply {
        let session = arguments.remove("session").and_then(|session| session.as_str().map(str::to_owned));
        let name = self.page_name(session.as_deref(), context);
        let wanted = match call(tool, arguments) {
            Ok(wanted) => wanted,
            // Not the protocol's error, which a model is not shown: it can mend its arguments.
            Err(why) => return PageReply { text: why.to_string(), failed: true, ..PageReply::default() },
        };
        let (server_state, runtime) = (&self.server_state, &self.server_state.options.runtime);
        let told = || ProgressTarget { peer: context.peer.clone(), token: context.meta.get_progress_token() };
        match wanted {
            Call::Close => {
                let pending = server_state.pool.close(&name).await;
                let text =
                    pending.map_or_else(|| "no page was open".to_owned(), |pending| legwork_verbs::closed(&pending));
                PageReply { text, ..PageReply::default() }
            }
            Call::Config => config::told(&self.server_state.options),
            Call::Run(run) => {
                runs::run(runtime, run, server_state.page_options(&context.peer).await, told(), &context.ct).await
            }
            Call::Replay { run, inputs } => {
                let page_options = server_state.page_options(&context.peer).await;
                runs::replay(runtime, &run, inputs, page_options, told(), &context.ct).await
            }
            Call::Runs { run, limit } => runs::list(runtime, run, limit).await,
            Call::LoadState { filename } => self.load_state(&name, &filename, context).await,
            Call::Ask(ask) => match self.page(&name, context).await {
                Ok((page, news)) => with_news(news, execute(&page, ask, &context.ct).await),
                Err(said) => said,
            },
            Call::Save(ask, save) => match self.page(&name, context).await {
                Ok((page, news)) => {
                    let said = execute(&page, ask, &context.ct).await;
                    with_news(news, self.kept(said, &save))
                }
                Err(said) => said,
            },
            Call::Tabs(op, max_tokens) => match self.page(&name, context).await {
                Ok((page, news)) => with_news(news, tabs(&page, op, max_tokens, context).await),
                Err(said) => said,
            },
        }
    }

    /// The client's page; news when the one before died with its browser.
    async fn page(&self, name: &str, context: &RequestContext<RoleServer>) -> Result<(Arc<Page>, bool), PageReply> {
        self.server_state.page(name, &context.peer).await.map_err(|error| {
            let hint = match &error {
                legwork_verbs::PagePoolError::Open(error) => format!("; {}", error.hint()),
                legwork_verbs::PagePoolError::Full { .. } => String::new(),
            };
            PageReply { text: format!("{error}{hint}"), failed: true, ..PageReply::default() }
        })
    }

    /// Writes what a tool made into the output folder. A picture without a name of its own only goes to the client.
    fn kept(&self, said: PageReply, save: &Save) -> PageReply {
        if said.failed || (save.filename.is_none() && said.file.as_ref().is_some_and(is_picture)) {
            return said;
        }
        let folder = &self.server_state.options.output;
        let written = match &said.file {
            Some(file) => files::write(folder, save.filename.as_deref(), save.stem, &file.extension, &file.bytes),
            None => {
                // Cookies and storage are for a program, everything else for a reader.
                let is_state = save.stem == "storage-state";
                let text = if is_state { said.data.to_string() } else { said.text.clone() };
                files::write(
                    folder,
                    save.filename.as_deref(),
                    save.stem,
                    if is_state { "json" } else { "txt" },
                    text.as_bytes(),
                )
            }
        };
        match written {
            Ok(path) => {
                let file = said.file.filter(is_picture);
                PageReply { text: format!("saved as {}", path.display()), file, ..PageReply::default() }
            }
            Err(error) => PageReply { text: error.to_string(), failed: true, ..PageReply::default() },
        }
    }

    async fn load_state(&self, name: &str, filename: &str, context: &RequestContext<RoleServer>) -> PageReply {
        let failed = |why: String| PageReply { text: why, failed: true, ..PageReply::default() };
        let bytes = match files::read(&self.server_state.options.output, filename) {
            Ok(bytes) => bytes,
            Err(error) => return failed(error.to_string()),
        };
        let state: StorageState = match serde_json::from_slice(&bytes) {
            Ok(state) => state,
            Err(error) => return failed(format!("{filename} holds no storage state: {error}")),
        };
        let page_options = self.server_state.page_options(&context.peer).await;
        match self.server_state.pool.reopen(name, &page_options, state).await {
            Ok(_) => {
                PageReply { text: "a blank page with this state; navigate now".to_owned(), ..PageReply::default() }
            }
            Err(error) => failed(error.to_string()),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A client that hung up leaves its page; one of its name comes no more.
        let (server_state, name) = (self.server_state.clone(), std::mem::take(&mut self.name));
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { server_state.pool.close_family(&name).await });
        }
    }
}

fn is_picture(file: &legwork_verbs::File) -> bool {
    file.media_type.starts_with("image/")
}

fn with_news(died: bool, said: PageReply) -> PageReply {
    if !died {
        return said;
    }
    PageReply { text: format!("(the browser had died; this is a new, blank page)\n{}", said.text), ..said }
}

/// Tabs are counted from 0, as Playwright's clients do.
async fn tabs(
    page: &Arc<Page>,
    op: TabOp,
    max_tokens: Option<usize>,
    context: &RequestContext<RoleServer>,
) -> PageReply {
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
            return PageReply { text, data: json!({"tabs": open}), ..PageReply::default() };
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
        Err(why) => PageReply { text: why, failed: true, ..PageReply::default() },
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

fn result(said: PageReply) -> CallToolResult {
    let mut content = vec![ContentBlock::text(said.text)];
    if let Some(file) = said.file.filter(is_picture) {
        content.push(ContentBlock::image(STANDARD.encode(file.bytes), file.media_type));
    }
    if said.failed { CallToolResult::error(content) } else { CallToolResult::success(content) }
}

fn tool(listed: &ToolEntry) -> Tool {
    let annotations = listed.reads.then(|| ToolAnnotations::new().read_only(true));
    let tool = Tool::new(listed.name, listed.about, Arc::new(listed.schema()));
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
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let groups = &self.server_state.options.groups;
        let listed = TOOLS.iter().filter(|listed| groups.contains(&listed.group)).map(tool).collect();
        Ok(ListToolsResult::with_all_items(listed))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        ToolEntry::by_name(name).map(tool)
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
        let has_page = self.server_state.pool.known(&self.page_name(None, &context)).await.is_some();
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
        let name = self.page_name(None, &context);
        unhurt(&request.uri, async {
            let contents = resources::read(&self.server_state, &name, &request.uri).await?;
            Ok(ReadResourceResult::new(vec![contents]).into())
        })
        .await
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        if let Some(page) = self.server_state.pool.known(&self.name).await {
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
