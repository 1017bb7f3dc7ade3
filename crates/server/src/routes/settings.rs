//! The settings as the page shows them, and the change of a setting in the user's file. Keys are listed by name; their
//! values are never returned. A saved value applies to the next run; the table of the settings marks those that a
//! server reads only when it starts.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use axum::extract::{Path, State};
use axum::http::StatusCode;
use legwork::{
    protocol::Code,
    settings::{self, EditError, SETTINGS, Scope, Settings, Sources, TextFile},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{ADMIN, READ, Route, get, put};
use crate::{
    app::App,
    envelope::{ApiJson, ApiResponse},
    error::ApiError,
};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(READ, "/api/settings", "Every setting and where it comes from", show).response::<SettingsList>(),
        put(
            ADMIN,
            "/api/settings/{name}",
            "Changes a setting in the user's file; null removes it. The next run uses it, unless `restart` is true",
            change,
        )
        .request_body::<SettingChange>(|| json!({ "value": 50 }))
        .refuses(&[409, 422])
        .response::<SettingsView>(),
    ]
}

#[derive(Serialize, JsonSchema)]
struct SettingsList {
    settings: Vec<SettingsView>,
    keys: Vec<ProviderKey>,
}

#[derive(Serialize, JsonSchema)]
struct SettingsView {
    name: &'static str,
    /// The value that the server uses.
    value: String,
    /// The value that the server will use after a restart, if it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pending: Option<String>,
    /// Whether a changed value applies only after a restart of the server. Otherwise the next run uses it.
    restart: bool,
    default: &'static str,
    /// `default`, a file with its line, a variable, or the command line.
    origin: String,
    description: &'static str,
    /// A description of its values.
    kind: String,
}

/// Whether the key of a provider is set; never the key.
#[derive(Serialize, JsonSchema)]
pub(super) struct ProviderKey {
    provider: &'static str,
    /// The variable that contains it, and its name in the vault.
    env: &'static str,
    /// Whether the environment of the server or the vault contains it.
    present: bool,
    /// Whether the vault contains it.
    stored: bool,
    /// The origin to which requests to the provider's models go, and with them the key. Absent for an address without a
    /// key.
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<String>,
}

/// The keys in the environment and those that are stored.
pub(super) fn keys(settings: &Settings, stored: &BTreeSet<String>) -> Vec<ProviderKey> {
    let of = |(provider, env, is_set): (&'static str, &'static str, bool)| {
        let stored = stored.contains(env);
        let origin = settings.endpoint_of(provider).map(|url| url.origin().ascii_serialization());
        ProviderKey {
            provider,
            env,
            present: is_set || stored,
            stored,
            origin: origin.filter(|_| env.ends_with("_KEY")),
        }
    };
    settings.keys.present().into_iter().map(of).collect()
}

/// The variables whose keys are in the vault. Reading it may take half a second, if it has a passphrase.
pub(super) async fn stored_keys(app: Arc<App>) -> BTreeSet<String> {
    let stored = tokio::task::spawn_blocking(move || app.runtime.user_vault().model_key_variables());
    stored.await.unwrap_or_default()
}

/// Every setting with the value in use. `saved` are the settings of the next start.
fn shown(settings: &Settings, saved: Option<&Settings>) -> Vec<SettingsView> {
    let next: BTreeMap<&str, String> =
        saved.into_iter().flat_map(Settings::shown).map(|row| (row.name, row.value)).collect();
    let of = |(row, table): (settings::SettingView, &'static settings::Setting)| SettingsView {
        name: row.name,
        pending: next.get(row.name).filter(|value| table.needs_restart() && **value != row.value).cloned(),
        restart: table.needs_restart(),
        value: row.value,
        default: table.default,
        origin: row.origin.to_string(),
        description: table.doc,
        kind: table.kind.describe(),
    };
    settings.shown().into_iter().zip(SETTINGS).map(of).collect()
}

async fn show(State(app): State<Arc<App>>) -> ApiResponse<SettingsList> {
    let stored = stored_keys(Arc::clone(&app)).await;
    let settings = app.runtime.settings();
    let saved = Settings::load(&app.settings_sources()).ok();
    ApiResponse::ok(SettingsList { settings: shown(&settings, saved.as_ref()), keys: keys(&settings, &stored) })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SettingChange {
    /// The value, as text or in its own type; null removes the setting from the file.
    #[serde(default)]
    value: Value,
}

async fn change(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    ApiJson(body): ApiJson<SettingChange>,
) -> Result<ApiResponse<SettingsView>, ApiError> {
    let value = match body.value {
        Value::Null => None,
        Value::String(text) => Some(text),
        Value::Array(items) => {
            let texts = items.iter().map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned));
            Some(texts.collect::<Vec<_>>().join(","))
        }
        other => Some(other.to_string()),
    };
    if settings::find(&name).is_none() {
        return Err(ApiError::missing(format!("there is no setting {name:?}")));
    }
    let path =
        app.settings_file.clone().ok_or_else(|| ApiError::conflict("there is no home folder for a settings file"))?;
    let _edit = app.settings_edit.lock();
    let own = app.runtime.settings();
    let check = |user: TextFile| {
        let sources = Sources { user: Some(user), ..Sources::clone(&app.settings_sources()) };
        let (reloaded, saved) = (own.reloaded(&sources)?, Settings::load(&sources)?);
        Ok((sources, reloaded, saved))
    };
    let changed = settings::set_checked(&name, value.as_deref(), &Scope::User(path), check);
    let (sources, reloaded, saved) = changed.map_err(|error| match error {
        EditError::Refused(problem) => {
            ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, Code::SettingsInvalid, problem.message)
        }
        EditError::Contradiction(problems) => {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            let message = "the value does not fit the other settings";
            ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, Code::SettingsInvalid, message).details(problems)
        }
        other => ApiError::internal(Code::Storage, &other),
    })?;
    let row = shown(&reloaded, Some(&saved)).into_iter().find(|row| row.name == name);
    *app.sources.write() = Arc::new(sources);
    app.runtime.use_settings(reloaded);
    Ok(ApiResponse::ok(row.expect("the name was found in the table, which has a row for each")))
}
