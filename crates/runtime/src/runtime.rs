//! The composition root: opens the log, the artifacts, the browser and the model. [`crate::begin`] starts runs with
//! them.

use std::{net::SocketAddr, sync::Arc};

use legwork_browser::{Browser, BrowserError};
use legwork_private_file::create_private_folder;
use legwork_protocol::RunId;
use legwork_store::{Artifacts, FileArtifacts, KeyValueStore, Lessons, RunLog, RunMatch, SqliteLog};
use parking_lot::RwLock;
use secrecy::SecretString;
use url::Url;

use crate::{
    AskSecret, Error, StartRequest,
    browsers::Browsers,
    compose,
    guard::RunGuard,
    guard_setup::GuardSetup,
    own_server::OwnServer,
    secrets::{HiddenValues, RunSecrets, SecretSources, SecretSpec, UserVault},
    settings::Settings,
    tools::{Tool, Tools},
    workflow_file,
};

/// An open instance of Legwork: a run log, a store of artifacts, and a browser that starts when the first run needs it.
pub struct Runtime {
    /// Those for the next run.
    settings: RwLock<Arc<Settings>>,
    pub(crate) log: Arc<SqliteLog>,
    pub(crate) artifacts: Arc<FileArtifacts>,
    pub(crate) browsers: Browsers,
    own_server: Option<OwnServer>,
    user_vault: UserVault,
    tools: Vec<Arc<dyn Tool>>,
}

impl Runtime {
    /// Opens the log and the artifacts in the data folder of the settings, and removes what a killed process left
    /// behind.
    pub async fn open(settings: Settings) -> Result<Runtime, Error> {
        let data = settings.data_dir.clone();
        create_private_folder(&data).map_err(|source| Error::DataDir { path: data.clone(), source })?;
        let log = Arc::new(SqliteLog::open(data.join("runs.db")).map_err(Error::Store)?);
        let artifacts = Arc::new(FileArtifacts::new(data.join("artifacts")));
        let browsers = Browsers::new(compose::browser(&settings));
        let user_vault = UserVault::of(&settings);
        let settings = RwLock::new(Arc::new(settings));
        Ok(Runtime { settings, log, artifacts, browsers, own_server: None, user_vault, tools: Vec::new() })
    }

    /// The same runtime for a server that listens at this address: no page of a run may reach it.
    pub fn refusing(self, server: SocketAddr) -> Runtime {
        Runtime { own_server: Some(OwnServer(server)), browsers: self.browsers.restricted(), ..self }
    }

    /// The same runtime with tools that the model of every run may call.
    pub fn with_tools(self, tools: Vec<Arc<dyn Tool>>) -> Runtime {
        Runtime { tools, ..self }
    }

    /// The settings for the next run.
    pub fn settings(&self) -> Arc<Settings> {
        self.settings.read().clone()
    }

    /// Replaces the settings for the runs that start or resume from now on. What was opened with the earlier ones (the
    /// log, the browser, the vault) remains; [`Settings::reloaded`] returns settings that fit to it.
    pub fn use_settings(&self, settings: Settings) {
        *self.settings.write() = Arc::new(settings);
    }

    /// The user's encrypted file of secrets. It need not exist.
    pub fn user_vault(&self) -> &UserVault {
        &self.user_vault
    }

    /// The log of all runs.
    pub fn log(&self) -> Arc<dyn RunLog> {
        self.log.clone()
    }

    /// What runs have learned about sites.
    pub fn lessons(&self) -> Arc<dyn Lessons> {
        self.log.clone()
    }

    /// Data that the server stores in addition to runs.
    pub fn key_value_store(&self) -> Arc<dyn KeyValueStore> {
        self.log.clone()
    }

    /// Content that is too large for an event.
    pub fn artifacts(&self) -> Arc<dyn Artifacts> {
        self.artifacts.clone()
    }

    /// Checks whether a run could be started with this request, without starting it.
    ///
    /// # Errors
    /// As [`Runtime::start`].
    pub fn check(&self, request: &mut StartRequest) -> Result<(), Error> {
        let own = self.settings();
        let settings = request.settings.as_ref().unwrap_or(&own);
        let origin = workflow_file::first_page(&request.workflow);
        let secrets = compose::add_requested_secrets(request.secrets.clone(), &request.workflow);
        let mut ask = request.ask_secret.take();
        let mut prompt = |name: &str| ask.as_mut().and_then(|ask| ask(name));
        let looked = RunSecrets::new(origin.as_ref()).gather(&secrets, &mut self.secret_sources(&mut prompt));
        request.ask_secret = ask;
        looked.map_err(Error::Secrets)?;
        compose::model(settings, &self.user_vault).map(drop)
    }

    /// The run that a person names: the beginning or end of its id, or `last`.
    pub async fn find_run(&self, text: &str) -> Result<RunId, Error> {
        match self.log.find_run(text).await.map_err(Error::Store)? {
            RunMatch::One(summary) => Ok(summary.run),
            RunMatch::None => Err(Error::NoSuchRun(text.to_owned())),
            RunMatch::Several(runs) => Err(Error::SeveralRuns { text: text.to_owned(), runs }),
        }
    }

    /// The shared browser. Starts it if none is running.
    pub(crate) async fn browser(&self) -> Result<Arc<Browser>, Arc<BrowserError>> {
        self.browsers.get().await
    }

    /// Closes the browser if one was started.
    pub async fn close(&self) {
        self.browsers.close().await;
    }

    /// The run's rules and secrets. The error lists every secret that cannot be obtained.
    pub(crate) fn guard(
        &self,
        settings: &Settings,
        secrets: &[SecretSpec],
        origin: Option<&Url>,
        ask: Option<AskSecret>,
        hidden: HiddenValues,
    ) -> Result<GuardSetup, Error> {
        let run_secrets = RunSecrets::new(origin);
        run_secrets.hide(hidden);
        let mut ask = ask.unwrap_or_else(|| Box::new(|_| None));
        let warnings = run_secrets.gather(secrets, &mut self.secret_sources(&mut *ask)).map_err(Error::Secrets)?;
        let guard = Arc::new(RunGuard::new(settings.policy().refusing(self.own_server), run_secrets));
        Ok(GuardSetup { guard, warnings })
    }

    fn secret_sources<'a>(&'a self, prompt: &'a mut dyn FnMut(&str) -> Option<SecretString>) -> SecretSources<'a> {
        SecretSources { env: &|name| std::env::var(name).ok(), vault: Some(&self.user_vault), prompt }
    }

    /// The run's own tools and those of all runs.
    pub(crate) fn tools(&self, own: Vec<Arc<dyn Tool>>, settings: &Settings) -> Result<Tools, Error> {
        let all = own.into_iter().chain(self.tools.iter().cloned()).collect();
        Tools::new(all, settings.tools.approval).map_err(Error::Tools)
    }
}
