//! Tests a running server against its OpenAPI document with Schemathesis, which generates requests from the document
//! and checks the answers. Findings are a status 5xx, an answer that does not fit the document, and an invalid request
//! that is accepted.

use std::{
    fs,
    path::Path,
    process::{Child, Command},
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::run::{self, Failure};

/// The version that is installed.
const PACKAGE: &str = "schemathesis==4.32.5";

/// Time limit for the start of the server.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// The routes that are left out: streams do not end by themselves.
const STREAMS: &str = "/stream/|/events$";

/// The check that is left out. Contents have rules that no schema expresses, such as a cron expression or a step that
/// can be read; a refusal of such contents is right.
const EXCLUDED_CHECK: &str = "positive_data_acceptance";

/// Installs Schemathesis if it is missing, starts a server in a new data folder, and tests it. With `short`, each
/// operation gets the requests at the limits of its schema, and none at random.
pub(crate) fn check(short: bool) -> Result<(), Failure> {
    let folder = run::target().join("schemathesis");
    fs::create_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
    if !folder.join("venv/bin/st").exists() {
        run::run_in(&folder, "python3", &["-m", "venv", "venv"])?;
        run::run_in(&folder, "venv/bin/pip", &["install", "--quiet", PACKAGE])?;
    }
    run::build()?;
    let home = folder.join("home");
    if home.exists() {
        fs::remove_dir_all(&home).map_err(|error| failed(&home, &error))?;
    }
    fs::create_dir_all(&home).map_err(|error| failed(&home, &error))?;
    let server = Server::start(&home)?;
    let header = format!("Authorization: Bearer {}", server.token);
    let document = run::root().join("schemas/openapi.json").display().to_string();
    let phases = if short { "coverage" } else { "coverage,fuzzing" };
    let arguments = [
        "run",
        &document,
        "--url",
        &server.origin,
        "--header",
        &header,
        "--exclude-path-regex",
        STREAMS,
        "--phases",
        phases,
        "--exclude-checks",
        EXCLUDED_CHECK,
        "--generation-deterministic",
        "--max-examples",
        "20",
        "--continue-on-failure",
        "--request-timeout",
        "20",
        "--warnings",
        "off",
    ];
    // The command line contains the token of this server, which ends with the command.
    run::run_in(&folder, "venv/bin/st", &arguments)
}

/// A server in a folder of its own. It finds no browser, so that runs that are started by chance end at once.
struct Server {
    process: Child,
    origin: String,
    token: String,
}

impl Server {
    fn start(home: &Path) -> Result<Server, Failure> {
        let program = std::env::var_os("LEGWORK_BIN")
            .map_or_else(|| run::target().join("debug/legwork"), std::path::PathBuf::from);
        let data = home.join("data");
        let process = Command::new(&program)
            .arg("serve")
            .env("HOME", home)
            .env("LEGWORK_DATA_DIR", &data)
            .env("LEGWORK_SERVER_PORT", "0")
            .env("LEGWORK_SERVER_REQUESTS_PER_SECOND", "100000")
            .env("LEGWORK_DECIDER", "literal")
            .env("LEGWORK_ALLOWED_DOMAINS", "localhost")
            .env("LEGWORK_BROWSER_PATH", home.join("no-browser"))
            .spawn()
            .map_err(|error| failed(&program, &error))?;
        let mut server = Server { process, origin: String::new(), token: String::new() };
        let start = Instant::now();
        while start.elapsed() < START_TIMEOUT {
            let address = fs::read_to_string(data.join("server.json")).ok();
            let address = address.and_then(|text| serde_json::from_str::<Value>(&text).ok());
            let token = fs::read_to_string(data.join("server.token")).ok();
            if let (Some(address), Some(token)) = (address, token) {
                server.origin = address["local"].as_str().unwrap_or_default().to_owned();
                server.token = token.trim().to_owned();
                return Ok(server);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Err(Failure::new("the server did not start"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It is a child of this process, and its data folder is deleted before the next use.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("{}: {error}", path.display()))
}
