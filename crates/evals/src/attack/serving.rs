//! A running server of the HTTP API, for the classes that send requests to it.

use std::path::Path;

use legwork::{Runtime, settings::Sources};
use legwork_server::{ServeError, Server, ServerOptions};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::plan::AttackPlan;
use crate::{EvalError, settings::settings};

/// A running server.
pub(super) struct Serving {
    pub(super) origin: String,
    pub(super) port: u16,
    pub(super) token: String,
    stop: CancellationToken,
    task: JoinHandle<Result<(), ServeError>>,
}

impl Serving {
    /// Starts a server on a free port, with this data folder and without a limit of requests.
    pub(super) async fn start(plan: &AttackPlan, data: &Path) -> Result<Serving, EvalError> {
        let own = [
            ("data_dir", data.display().to_string()),
            ("server.port", "0".to_owned()),
            ("server.requests_per_second", "1000000".to_owned()),
        ];
        let runtime = Runtime::open(settings("attack/server", &own, &plan.settings_in_own_folder(), [])?).await?;
        let flags = own.map(|(name, value)| (name.to_owned(), value)).into();
        let options = ServerOptions { sources: Sources { flags, ..Sources::default() }, ..ServerOptions::default() };
        let failed = |error| EvalError::Settings(format!("the server does not start: {error}"));
        let server = Server::bind(runtime, options).await.map_err(failed)?;
        let (origin, port) = (server.origin().to_owned(), server.address().port());
        let stop = CancellationToken::new();
        let task = tokio::spawn(server.run(stop.clone().cancelled_owned()));
        let file = data.join("server.token");
        let token = std::fs::read_to_string(&file).map_err(EvalError::file(&file))?.trim().to_owned();
        Ok(Serving { origin, port, token, stop, task })
    }

    /// Stops the server, and waits for its end.
    pub(super) async fn end(self) -> Result<(), EvalError> {
        self.stop.cancel();
        let failed = |why: &dyn std::fmt::Display| EvalError::Settings(format!("the server failed: {why}"));
        self.task.await.map_err(|error| failed(&error))?.map_err(|error| failed(&error))
    }
}
