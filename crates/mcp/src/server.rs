//! The protocol: lists tools, prompts and resources, passes requests to [`crate::calls`], and converts replies to
//! results of the protocol.

use std::{panic::AssertUnwindSafe, sync::Arc};

use axum::http::{StatusCode, request::Parts};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use futures_util::FutureExt;
use legwork_protocol::RunId;
use legwork_verbs::{File, PageReply};
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
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    clients::{Caller, ServerState},
    http_access::{HttpCaller, ScopeMissing},
    prompts, resources,
    tools::{TOOLS, ToolEntry},
};

/// The server of one connection. Over stdio, that is the client's connection. Over HTTP, it is a client's session, or a
/// single request if the protocol has no sessions.
pub(crate) struct Server {
    pub(crate) server_state: Arc<ServerState>,
    connection: String,
}

impl Server {
    pub(crate) fn new(server_state: Arc<ServerState>) -> Server {
        let connection = server_state.new_connection();
        Server { server_state, connection }
    }

    pub(crate) fn caller(&self, context: &RequestContext<RoleServer>) -> Caller {
        Caller::of(context, &self.connection)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The pages of a client that disconnects are closed. Its connection name is not assigned again.
        let (server_state, connection) = (self.server_state.clone(), std::mem::take(&mut self.connection));
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { server_state.pool.close_with_prefix(&connection).await });
        }
    }
}

pub(crate) fn is_picture(file: &File) -> bool {
    file.media_type.starts_with("image/")
}

/// Converts a panic to an error response. rmcp drops a handler that panics, and the client would wait forever.
async fn catch_panic<T>(what: &str, answer: impl Future<Output = Result<T, ErrorData>>) -> Result<T, ErrorData> {
    AssertUnwindSafe(answer).catch_unwind().await.unwrap_or_else(|_| {
        let said =
            format!("{what} failed by a fault of legwork's own, which its log describes; other calls still work");
        Err(ErrorData::internal_error(said, None))
    })
}

/// Who sent a request over HTTP; `None` for a client over streams, which may do everything.
fn http_caller(context: &RequestContext<RoleServer>) -> Result<Option<HttpCaller>, ErrorData> {
    let Some(parts) = context.extensions.get::<Parts>() else { return Ok(None) };
    match parts.extensions.get::<HttpCaller>() {
        Some(caller) => Ok(Some(caller.clone())),
        None => Err(ErrorData::internal_error("the request has not passed the access check", None)),
    }
}

fn refused(missing: ScopeMissing) -> ErrorData {
    ErrorData::invalid_request(missing.to_string(), None)
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
    // A client with its own connection seldom needs it, and its model would read it with every request.
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
        let begun = match http_caller(&context)? {
            Some(caller) => caller.begin(&request.name, ToolEntry::scope_of(&request.name)).map_err(refused)?,
            None => None,
        };
        catch_panic(&request.name, async {
            // Boxed because the future is large, and rmcp moves it through many layers.
            let answer = Box::pin(self.answer(&request.name, request.arguments.unwrap_or_default(), &context));
            let reply = answer.await;
            if let Some(begun) = begun {
                if let Some(Ok(run)) = reply.data.get("run").map(RunId::deserialize) {
                    begun.note().set(run);
                }
                begun.answered(StatusCode::OK.as_u16());
            }
            Ok(result(reply).into())
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
        if let Some(caller) = http_caller(&context)? {
            caller.may_read().map_err(refused)?;
        }
        let caller = self.caller(&context);
        catch_panic(&request.uri, async {
            let contents = resources::read(&self.server_state, &caller, &request.uri).await?;
            Ok(ReadResourceResult::new(vec![contents]).into())
        })
        .await
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        if let Some(page) = self.server_state.pool.lease(&self.connection).await {
            let folders = self.server_state.upload_folders(&context.peer).await;
            page.session().allow_uploads(folders);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_fault_is_told_and_a_refusal_stays_what_it_is() {
        let fault = catch_panic::<()>("browser_click", async { panic!("an index out of bounds") }).await.unwrap_err();
        assert!(fault.message.starts_with("browser_click failed by a fault of legwork's own"), "{fault:?}");
        assert_eq!(catch_panic("browser_click", async { Ok(1) }).await.unwrap(), 1);
        let refused = catch_panic::<()>("a", async { Err(ErrorData::invalid_params("no such uri", None)) }).await;
        assert_eq!(refused.unwrap_err().message, "no such uri");
    }
}
