//! The side panel of the user's own browser: what it finds here, its pairing, and the tabs that it offers.

use std::sync::Arc;

use axum::{
    Extension,
    extract::{Path, Request, State},
    http::{HeaderMap, StatusCode, header},
    response::Response,
};
use legwork::protocol::Code;
use legwork_access::{PairingError, PairingFile, TokenFile, TokenScope};
use schemars::JsonSchema;
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{Access, RUN, ResponseKind, Route, get, post};
use crate::{
    TabRequester,
    access::Caller,
    app::App,
    envelope::{ApiJson, ApiQuery, ApiResponse},
    error::ApiError,
    gate::forbidden,
    handshake,
    panel_proof::{Challenge, panel_proof},
    relay_socket::{self, MAX_MESSAGE_BYTES, RELAY_VERSION},
    relayed_tabs::RequestedRun,
};

pub(super) fn routes() -> Vec<Route> {
    // The id of the tab, which only the caller of the route above knows, takes the place of a token: a browser sends no
    // header of the page's choice with a WebSocket.
    let mut socket = get(Access::Open, "/api/extension/tabs/{id}", "The connection to an offered tab", connect).acts();
    socket.response = ResponseKind::Upgrade;
    vec![
        get(Access::Open, "/api/extension", "What the side panel finds here", info).response::<ExtensionInfo>(),
        get(Access::Open, "/api/extension/proof", "Proves to a paired panel that this server knows its token", prove)
            .query::<Challenge>()
            .response::<Proof>(),
        post(Access::Open, "/api/extension/pair", "Exchanges a code for a token; only for the extension", pair)
            .request_body::<Pairing>(|| json!({ "code": "ABCD-EFGH" }))
            .response::<PairedBrowser>(),
        post(RUN, "/api/extension/tabs", "Offers a tab of the user's own browser for a run", offer)
            .request_body::<TabOffer>(|| json!({ "product": "Chrome 140", "forRequest": false }))
            .refuses(&[409])
            .response::<OfferedTab>(),
        post(RUN, "/api/extension/refuse", "Refuses the program that waits for a tab", refuse)
            .response::<RefusedRequest>(),
        socket,
    ]
}

/// What the side panel finds.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ExtensionInfo {
    version: &'static str,
    /// The version of the messages about tabs. The extension must have the same.
    relay_version: u32,
    /// Whether the caller has a token that may start runs.
    paired: bool,
    /// Whether a model is configured, which a goal needs and steps do not.
    has_model: bool,
    /// The program that waits for a tab.
    #[serde(skip_serializing_if = "Option::is_none")]
    request: Option<TabRequester>,
    /// The run of a program at a terminal, once it has a tab.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<RequestedRun>,
}

async fn info(State(app): State<Arc<App>>, Extension(caller): Extension<Caller>) -> ApiResponse<ExtensionInfo> {
    let paired = caller.has(TokenScope::Run);
    let (request, run) = if paired { app.relayed_tabs.requested() } else { (None, None) };
    ApiResponse::ok(ExtensionInfo {
        version: env!("CARGO_PKG_VERSION"),
        relay_version: RELAY_VERSION,
        paired,
        has_model: app.runtime.settings().main_model().is_some(),
        request,
        run,
    })
}

/// The answer to a panel.
#[derive(Serialize, JsonSchema)]
struct Proof {
    /// A code of the random number and of the address of the server; absent if the pairing is not valid here.
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<String>,
}

async fn prove(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    ApiQuery(challenge): ApiQuery<Challenge>,
) -> Result<ApiResponse<Proof>, ApiError> {
    if !app.gate.is_extension(&headers) {
        return Err(forbidden("only the extension asks for a proof"));
    }
    Ok(ApiResponse::ok(Proof { proof: panel_proof(&app, &host(&headers), &challenge).await }))
}

/// The host and port under which a request came, which `Gate::host` has checked.
fn host(headers: &HeaderMap) -> String {
    headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default().to_owned()
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Pairing {
    /// The code that `legwork panel pair` printed.
    code: String,
}

/// A pairing that succeeded.
#[derive(Serialize, JsonSchema)]
struct PairedBrowser {
    /// The token, which is shown only here.
    token: String,
    /// Its name, by which it can be revoked: `legwork token revoke NAME`.
    name: String,
}

async fn pair(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    ApiJson(body): ApiJson<Pairing>,
) -> Result<ApiResponse<PairedBrowser>, ApiError> {
    if !app.gate.is_extension(&headers) {
        return Err(forbidden("only the extension pairs a browser")
            .suggest("Programs use tokens: `legwork token create NAME --scope SCOPES`."));
    }
    let data = app.runtime.settings().data_dir.clone();
    let redeemed =
        tokio::task::spawn_blocking(move || PairingFile::of(&data).redeem(&body.code, &TokenFile::of(&data)));
    let made = redeemed.await.expect("the file functions do not panic").map_err(refusal)?;
    Ok(ApiResponse::ok(PairedBrowser { token: made.text.expose_secret().to_owned(), name: made.record.name }))
}

fn refusal(error: PairingError) -> ApiError {
    let (status, code) = match &error {
        PairingError::NoCode | PairingError::Wrong { .. } => (StatusCode::FORBIDDEN, Code::Unauthenticated),
        PairingError::Exhausted => (StatusCode::TOO_MANY_REQUESTS, Code::ApiRateLimit),
        _ => return ApiError::internal(Code::Storage, &error).suggest(error.hint()),
    };
    ApiError::new(status, code, error.to_string()).suggest(error.hint())
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct TabOffer {
    /// The name and version of the browser.
    product: String,
    /// Whether the tab is for the program that waits for one.
    #[serde(default)]
    for_request: bool,
}

/// A tab that was offered.
#[derive(Serialize, JsonSchema)]
struct OfferedTab {
    /// The value of `tab` when a run is started or resumed. It is a secret, and connects the tab within a minute, once.
    id: String,
}

async fn offer(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    ApiJson(body): ApiJson<TabOffer>,
) -> Result<ApiResponse<OfferedTab>, ApiError> {
    let grant = caller.principal.as_ref().and_then(|principal| principal.identity.grant());
    let ended = grant.map_or_else(CancellationToken::new, |grant| grant.ended.clone());
    let product: String = body.product.chars().filter(|c| !c.is_control()).take(80).collect();
    Ok(ApiResponse::ok(OfferedTab { id: app.relayed_tabs.offer(&product, body.for_request, ended)? }))
}

/// Whether a program was refused.
#[derive(Serialize, JsonSchema)]
struct RefusedRequest {
    /// Whether one was waiting.
    refused: bool,
}

async fn refuse(State(app): State<Arc<App>>) -> ApiResponse<RefusedRequest> {
    ApiResponse::ok(RefusedRequest { refused: app.relayed_tabs.refuse() })
}

async fn connect(State(app): State<Arc<App>>, Path(id): Path<String>, request: Request) -> Result<Response, ApiError> {
    if !app.gate.is_extension(request.headers()) {
        return Err(forbidden("only the extension connects tabs"));
    }
    let (carrier, ended) = app.relayed_tabs.connect(&id)?;
    let place = (id, host(request.headers()));
    handshake::upgrade(request, MAX_MESSAGE_BYTES, move |socket| {
        relay_socket::carry(app, place, carrier, ended, socket)
    })
}
