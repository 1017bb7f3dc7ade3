//! The access check of each HTTP request: Host and Origin, the rate, the token and its scope, and the limits of the
//! body.
//!
//! A call without the scope is refused here with the status that the protocol prescribes. Where it is carried out
//! ([`HttpCaller::begin`]), the scope is checked again, because only there is it certain how the message was read.

use std::{
    net::{IpAddr, SocketAddr},
    path::Path,
    sync::Arc,
};

use axum::{
    body::Body,
    extract::{ConnectInfo, Request},
    http::{HeaderMap, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use legwork::settings::ServerSettings;
use legwork_access::{
    AuditEntry, AuditLog, BodyError, ConnectionLimits, Identity, PendingEntry, RequestLimiter, TokenScope, Tokens,
    end_stream_with, read_body,
};
use serde_json::Value;
use subtle::ConstantTimeEq;

use crate::{names::Names, tools::ToolEntry};

/// The maximum size of a message in bytes.
const MAX_BODY: usize = 4 * 1024 * 1024;
/// The route, for the audit log.
const ROUTE: &str = "/mcp";
/// How the audit log names the token that is configured.
const OWNER: &str = "LEGWORK_MCP_TOKEN";
/// How the audit log names a client of a server that requires no token.
const NOBODY: &str = "no token required";

/// What a server with a data folder checks in addition to the configured token.
pub(crate) struct Stored {
    pub(crate) tokens: Tokens,
    audit: Arc<AuditLog>,
    rate: RequestLimiter,
}

impl Stored {
    pub(crate) fn of(data: &Path, settings: &ServerSettings) -> Stored {
        Stored {
            tokens: Tokens::of(data, settings.requests_per_second_per_token),
            audit: Arc::new(AuditLog::of(data)),
            rate: RequestLimiter::per_second(settings.requests_per_second),
        }
    }
}

/// The access check of a server.
pub(crate) struct HttpAccess {
    pub(crate) names: Names,
    pub(crate) token: Option<String>,
    pub(crate) stored: Option<Stored>,
    pub(crate) limits: ConnectionLimits,
}

/// Who sent a request. Each message has it among the extensions of its HTTP request.
#[derive(Clone)]
pub(crate) struct HttpCaller {
    identity: Identity,
    audit: Option<Arc<AuditLog>>,
    address: Option<IpAddr>,
}

/// A call needs a scope that the token of the caller does not have.
#[derive(Debug, thiserror::Error)]
#[error(
    "the token {token:?} does not have the scope `{scope}`; use one that has it: `legwork token create NAME --scope {scope}`"
)]
pub(crate) struct ScopeMissing {
    token: String,
    scope: TokenScope,
}

impl HttpCaller {
    fn check(&self, scope: TokenScope) -> Result<(), ScopeMissing> {
        if self.identity.has(scope) {
            return Ok(());
        }
        Err(ScopeMissing { token: self.identity.name().to_owned(), scope })
    }

    /// Begins a call. The entry of a call that acts is written when it is dropped.
    pub(crate) fn begin(&self, tool: &str, scope: TokenScope) -> Result<Option<PendingEntry>, ScopeMissing> {
        self.check(scope)?;
        let Some(audit) = &self.audit else { return Ok(None) };
        let mut entry = AuditEntry::new("mcp", Method::POST.as_str(), Some(ROUTE));
        entry.set_caller(&self.identity);
        entry.address = self.address;
        entry.tool = Some(tool.to_owned());
        Ok(Some(PendingEntry::new(audit.clone(), entry, scope == TokenScope::Run)))
    }

    /// Checks that the caller may read.
    pub(crate) fn may_read(&self) -> Result<(), ScopeMissing> {
        self.check(TokenScope::Read)
    }
}

/// Why a request is refused.
struct Refusal {
    status: StatusCode,
    challenge: Option<String>,
    message: String,
}

fn refusal(status: StatusCode, message: impl Into<String>) -> Refusal {
    Refusal { status, challenge: None, message: message.into() }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Refusal { status, challenge, message } = self;
        let challenge = challenge.map(|challenge| [(header::WWW_AUTHENTICATE, challenge)]);
        (status, challenge, message + "\n").into_response()
    }
}

impl HttpAccess {
    /// The middleware.
    pub(crate) async fn guard(self: Arc<Self>, request: Request, next: Next) -> Response {
        let address = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(client)| client.ip());
        let method = match *request.method() {
            Method::GET => "GET",
            Method::POST => "POST",
            Method::DELETE => "DELETE",
            _ => "other",
        };
        let mut entry = AuditEntry::new("mcp", method, (request.uri().path() == ROUTE).then_some(ROUTE));
        entry.address = address;
        let audit = self.stored.as_ref().map(|stored| stored.audit.clone());
        let passed = self.pass(request, &mut entry, audit.as_ref()).await;
        // A call that acts has an entry of its own, which names the run.
        let pending = audit.map(|audit| PendingEntry::new(audit, entry, false));
        let response = match passed {
            Ok((request, identity)) => {
                let response = next.run(request).await;
                match identity.grant() {
                    Some(grant) => end_stream_with(grant, response),
                    None => response,
                }
            }
            Err(refused) => refused.into_response(),
        };
        if let Some(pending) = pending {
            pending.answered(response.status().as_u16());
        }
        response
    }

    async fn pass(
        &self,
        mut request: Request,
        entry: &mut AuditEntry,
        audit: Option<&Arc<AuditLog>>,
    ) -> Result<(Request, Identity), Refusal> {
        if !self.names.accept(&request) {
            let message = "this Host or Origin is not allowed; see --allowed-host and --allowed-origin";
            return Err(refusal(StatusCode::FORBIDDEN, message));
        }
        let too_many = |_| refusal(StatusCode::TOO_MANY_REQUESTS, "too many requests; wait a second");
        if let Some(stored) = &self.stored {
            stored.rate.check().map_err(too_many)?;
        }
        let identity = self.identity(request.headers()).await?;
        entry.set_caller(&identity);
        if let Some(grant) = identity.grant() {
            grant.rate.check().map_err(too_many)?;
        }
        let caller = HttpCaller { identity: identity.clone(), audit: audit.cloned(), address: entry.address };
        if request.method() == Method::POST {
            let (parts, body) = request.into_parts();
            let bytes = read_body(body, MAX_BODY, self.limits.body).await.map_err(|error| {
                let status = match error {
                    BodyError::Late => StatusCode::REQUEST_TIMEOUT,
                    BodyError::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
                    BodyError::Unreadable(_) => StatusCode::BAD_REQUEST,
                };
                refusal(status, error.to_string())
            })?;
            // The protocol refuses what is not JSON.
            let message: Value = serde_json::from_slice(&bytes).unwrap_or_default();
            for (tool, scope) in required(&message) {
                caller.check(scope).map_err(|missing| {
                    entry.tool = tool.and_then(ToolEntry::by_name).map(|tool| tool.name.to_owned());
                    let challenge = format!("Bearer error=\"insufficient_scope\", scope=\"{scope}\"");
                    Refusal { challenge: Some(challenge), ..refusal(StatusCode::FORBIDDEN, missing.to_string()) }
                })?;
            }
            request = Request::from_parts(parts, Body::from(bytes));
        }
        request.extensions_mut().insert(caller);
        Ok((request, identity))
    }

    /// Who sends a request with these headers.
    async fn identity(&self, headers: &HeaderMap) -> Result<Identity, Refusal> {
        let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let given = given.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
        if let Some(token) = &self.token
            && bool::from(given.as_bytes().ct_eq(token.as_bytes()))
        {
            return Ok(Identity::Owner { name: OWNER });
        }
        if let Some(stored) = &self.stored {
            if let Some(grant) = stored.tokens.find(given).await {
                return Ok(Identity::Token(grant));
            }
            if self.token.is_none() && !stored.tokens.exist().await {
                return Ok(Identity::Owner { name: NOBODY });
            }
        } else if self.token.is_none() {
            return Ok(Identity::Owner { name: NOBODY });
        }
        let message = "send a token of the server as Authorization: Bearer …, one that is neither revoked nor expired \
                       (`legwork token list`)";
        Err(Refusal { challenge: Some("Bearer".to_owned()), ..refusal(StatusCode::UNAUTHORIZED, message) })
    }
}

/// The tools that a message calls, if any, and the scopes that it needs. Whatever else a message asks for (what there
/// is, the begin and the end of a session) needs none.
fn required(message: &Value) -> Vec<(Option<&str>, TokenScope)> {
    let one = |message: &Value| -> Option<TokenScope> {
        match message["method"].as_str()? {
            "tools/call" => Some(ToolEntry::scope_of(message["params"]["name"].as_str().unwrap_or_default())),
            "resources/read" => Some(TokenScope::Read),
            _ => None,
        }
    };
    let messages = message.as_array().map_or(std::slice::from_ref(message), Vec::as_slice);
    messages.iter().filter_map(|message| Some((message["params"]["name"].as_str(), one(message)?))).collect()
}

#[cfg(test)]
mod tests {
    use legwork_access::TokenFile;
    use secrecy::ExposeSecret;
    use serde_json::json;

    use super::*;

    /// The HTTP status is decided before; this is the check that counts.
    #[tokio::test]
    async fn a_call_begins_only_with_its_scope() {
        let data = tempfile::tempdir().unwrap();
        let made = TokenFile::of(data.path()).create("reader", [TokenScope::Read].into_iter().collect(), None).unwrap();
        let grant = Tokens::of(data.path(), 10).find(made.text.expose_secret()).await.unwrap();
        let caller = |identity| HttpCaller { identity, audit: None, address: None };
        let reader = caller(Identity::Token(grant));
        assert!(reader.begin("legwork_runs", TokenScope::Read).is_ok() && reader.may_read().is_ok());
        let missing = reader.begin("browser_click", TokenScope::Run).err().unwrap().to_string();
        assert!(missing.contains("\"reader\" does not have the scope `run`"), "{missing}");
        assert!(caller(Identity::Owner { name: OWNER }).begin("browser_click", TokenScope::Run).is_ok());
    }

    #[test]
    fn each_message_of_a_batch_needs_its_scope() {
        let call = |tool: &str| json!({"method": "tools/call", "params": {"name": tool}});
        let (run, read) = ((Some("browser_click"), TokenScope::Run), (Some("legwork_runs"), TokenScope::Read));
        assert_eq!(required(&call("browser_click")), [run]);
        assert_eq!(required(&json!([call("legwork_runs"), {"method": "ping"}, call("browser_click")])), [read, run]);
        assert_eq!(required(&json!({"method": "resources/read"})), [(None, TokenScope::Read)]);
        assert_eq!(required(&json!({"method": "tools/call"})), [(None, TokenScope::Run)]);
        assert_eq!(required(&json!({"method": "tools/list"})), []);
        assert_eq!(required(&json!("text")), []);
    }
}
