//! The secrets of the vault: their names and sites, never a value. A value is only received.

use std::sync::Arc;

use axum::{
    extract::{Path, State},
    http::StatusCode,
};
use jiff::Timestamp;
use legwork::{
    protocol::Code,
    secrets::{self, UserVault},
};
use legwork_vault::{NewSecret, NewSecretError, StoredSecret, VaultFileError};
use schemars::JsonSchema;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{ADMIN, RUN, Route, delete, get, put};
use crate::{
    app::App,
    envelope::{ApiJson, ApiResponse},
    error::ApiError,
};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(RUN, "/api/secrets", "The names and sites of the stored secrets, never a value", list)
            .response::<Vec<StoredSecretView>>()
            .refuses(&[409]),
        put(ADMIN, "/api/secrets/{name}", "Stores a secret, or replaces the one of this name", store)
            .request_body::<SecretToStore>(
                || json!({ "value": "…", "origins": ["https://shop.example"], "username": "ada" }),
            )
            .refuses(&[409])
            .response::<StoredSecretView>(),
        delete(ADMIN, "/api/secrets/{name}", "Removes a secret", remove).response::<StoredSecretView>().refuses(&[409]),
    ]
}

/// A stored secret without its value.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct StoredSecretView {
    /// Steps write it as `${secret:NAME}`.
    name: String,
    /// The origins into which it may be typed.
    origins: Vec<String>,
    /// The name of the user that it belongs to, as a note.
    #[serde(skip_serializing_if = "Option::is_none")]
    username: Option<String>,
    /// Whether steps type a one-time code.
    one_time_code: bool,
    /// When it was stored or replaced.
    #[schemars(with = "String")]
    changed: Timestamp,
}

impl From<&StoredSecret> for StoredSecretView {
    fn from(secret: &StoredSecret) -> Self {
        StoredSecretView {
            name: secret.name.clone(),
            origins: secret.origins.iter().map(|url| url.origin().ascii_serialization()).collect(),
            username: secret.username.clone(),
            one_time_code: secret.is_one_time_code(),
            changed: secret.changed,
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SecretToStore {
    /// The value. No response contains it.
    value: String,
    /// The origins into which it may be typed, such as `https://shop.example`. A secret that is replaced keeps its own
    /// if there are none here.
    #[serde(default)]
    origins: Vec<String>,
    /// The name of the user that it belongs to, as a note.
    #[serde(default)]
    username: Option<String>,
    /// Whether the value is the key of an authenticator app: base32, or an address `otpauth://totp/…`.
    #[serde(default)]
    one_time_code: bool,
}

async fn list(State(app): State<Arc<App>>) -> Result<ApiResponse<Vec<StoredSecretView>>, ApiError> {
    let secrets = with_vault(app, |vault| vault.file().list(&mut || vault.passphrase_without_person())).await?;
    Ok(ApiResponse::ok(secrets.iter().map(StoredSecretView::from).collect()))
}

async fn store(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    ApiJson(body): ApiJson<SecretToStore>,
) -> Result<ApiResponse<StoredSecretView>, ApiError> {
    let SecretToStore { value, origins, username, one_time_code } = body;
    let value = SecretString::from(value);
    let origins: Result<Vec<_>, _> = origins.iter().map(|text| secrets::origin(text)).collect();
    let origins = origins.map_err(|error| ApiError::bad(format!("origins: {error}")))?;
    let stored = with_vault(app, move |vault| {
        let mut ask = || vault.passphrase_without_person();
        let file = vault.file();
        NewSecret::new(file, &name, origins, username, true, &mut ask)?.store(file, value, one_time_code, &mut ask)
    });
    Ok(ApiResponse::ok(StoredSecretView::from(&stored.await?)))
}

async fn remove(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
) -> Result<ApiResponse<StoredSecretView>, ApiError> {
    let gone = with_vault(app, move |vault| vault.file().remove(&name, &mut || vault.passphrase_without_person()));
    Ok(ApiResponse::ok(StoredSecretView::from(&gone.await?)))
}

/// Works with the vault on a thread that may block: a passphrase takes about half a second to derive a key from.
async fn with_vault<T: Send + 'static, E: Into<NewSecretError> + Send + 'static>(
    app: Arc<App>,
    work: impl FnOnce(&UserVault) -> Result<T, E> + Send + 'static,
) -> Result<T, ApiError> {
    let done = tokio::task::spawn_blocking(move || work(app.runtime.user_vault()).map_err(Into::into));
    done.await.map_err(|error| ApiError::internal(Code::Internal, &error))?.map_err(|error| match error {
        NewSecretError::Name(_) => ApiError::bad(error.to_string()),
        NewSecretError::NoOrigin => ApiError::bad(format!("origins: {error}")),
        NewSecretError::Empty | NewSecretError::OneTimeCode(_) => ApiError::bad(format!("value: {error}")),
        NewSecretError::Vault(error) => of_vault(error),
    })
}

fn of_vault(error: VaultFileError) -> ApiError {
    match error {
        VaultFileError::Unknown(_) => ApiError::missing(error.to_string()),
        VaultFileError::File { .. } | VaultFileError::Random => ApiError::internal(Code::Storage, &error),
        // The others need a change of the server's files or environment.
        _ => ApiError::new(StatusCode::CONFLICT, Code::Storage, format!("{error}; {}", error.hint())),
    }
}
