//! What a server needs before runs can start, and whether it is there: a browser, and a model for what the words of a
//! step do not say.

use std::{collections::BTreeSet, sync::Arc};

use axum::{extract::State, http::StatusCode};
use legwork::{protocol::Code, settings::Settings};
use schemars::JsonSchema;
use serde::Serialize;

use super::{ADMIN, READ, Route, get, post, settings::stored_keys};
use crate::{app::App, browser_install::InstallState, envelope::ApiResponse, error::ApiError};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(READ, "/api/setup", "Whether a browser and a model are available, and what is missing", show)
            .response::<SetupReport>(),
        post(
            ADMIN,
            "/api/setup/browser",
            "Installs a browser, if the server may; `/api/setup` states the progress",
            install,
        )
        .response::<Installation>(),
    ]
}

#[derive(Serialize, JsonSchema)]
struct SetupReport {
    browser: BrowserSetup,
    installation: Installation,
    model: ModelSetup,
}

/// The installation of a browser by this server.
#[derive(Serialize, JsonSchema)]
struct Installation {
    /// Whether the server may install a browser.
    available: bool,
    /// Whether it does so now.
    running: bool,
    /// Why the last one failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

fn installation(app: &App) -> Installation {
    let InstallState { running, problem } = app.installer.state();
    Installation { available: app.installer.install.run.is_some(), running, problem }
}

async fn install(State(app): State<Arc<App>>) -> Result<ApiResponse<Installation>, ApiError> {
    if !app.installer.start() {
        let message = "this server may not install programs on its machine";
        return Err(ApiError::new(StatusCode::CONFLICT, Code::PermissionDenied, message));
    }
    Ok(ApiResponse::ok(installation(&app)))
}

/// The browser of this server, looked for at the time of the request.
#[derive(Serialize, JsonSchema)]
pub(super) struct BrowserSetup {
    pub(super) found: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) problem: Option<String>,
    /// The commands that install a browser on the machine of the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) install: Option<String>,
}

pub(super) fn browser(app: &App) -> BrowserSetup {
    let settings = app.runtime.settings();
    let find = || legwork::browser::find_executable(settings.browser.engine);
    let install = || app.installer.install.commands.clone();
    match settings.browser.path.clone().map_or_else(find, Ok) {
        Ok(path) if path.is_file() => {
            BrowserSetup { found: true, path: Some(path.display().to_string()), problem: None, install: None }
        }
        Ok(path) => BrowserSetup {
            found: false,
            path: None,
            problem: Some(format!("{} is {}", path.display(), if path.exists() { "no program" } else { "not there" })),
            install: install(),
        },
        Err(error) => BrowserSetup { found: false, path: None, problem: Some(error.to_string()), install: install() },
    }
}

/// Whether a model can be called.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ModelState {
    /// A model is configured, and its key is set if it needs one.
    Ready,
    /// No model is configured: only steps whose words say exactly what to do can run.
    None,
    /// A model is configured, and the key of its provider is not set.
    KeyMissing,
    /// The setting `decider` is `literal`: no model is asked.
    Off,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ModelSetup {
    state: ModelState,
    /// The model that is configured, as `provider/name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The variable in the environment of the server that contains the key of its provider, and its name in the vault.
    #[serde(skip_serializing_if = "Option::is_none")]
    key_variable: Option<&'static str>,
    /// The origin to which its requests go.
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<String>,
}

fn model(settings: &Settings, stored: &BTreeSet<String>) -> ModelSetup {
    let name = settings.model.name.clone().or_else(|| settings.models.act.first().cloned());
    let Some(name) = name else {
        return ModelSetup { state: ModelState::None, name: None, key_variable: None, origin: None };
    };
    let provider = name.split('/').next().unwrap_or(&name);
    let key = settings.keys.present().into_iter().find(|(known, ..)| *known == provider);
    // The last row of the list is the address of Ollama, which needs no key.
    let key = key.filter(|(_, variable, _)| variable.ends_with("_KEY"));
    let missing = key.is_some_and(|(_, variable, present)| !present && !stored.contains(variable))
        && settings.model.base_url.is_none();
    let state = match () {
        () if settings.decider == legwork::settings::DeciderChoice::Literal => ModelState::Off,
        () if missing => ModelState::KeyMissing,
        () => ModelState::Ready,
    };
    let origin = settings.endpoint_of(provider).map(|url| url.origin().ascii_serialization());
    ModelSetup { state, origin, key_variable: key.map(|(_, variable, _)| variable), name: Some(name) }
}

async fn show(State(app): State<Arc<App>>) -> ApiResponse<SetupReport> {
    let stored = stored_keys(Arc::clone(&app)).await;
    let (browser, installation) = (browser(&app), installation(&app));
    ApiResponse::ok(SetupReport { browser, installation, model: model(&app.runtime.settings(), &stored) })
}
