//! Runs the real program with a real browser in its own folders for data, settings and temporary files. Every command
//! has a time limit.

use std::{
    io::BufRead,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::mpsc,
    time::{Duration, Instant},
};

use legwork::settings::is_provider_variable;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

/// Legwork with its own data folder, settings and working folder.
pub(crate) struct Program {
    folder: TempDir,
}

impl Program {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["data", "config", "work", "tmp", "run"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        Program { folder }
    }

    /// The working folder.
    pub(crate) fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// The data folder.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The folder for temporary files, which contains the browser profiles.
    pub(crate) fn temporary(&self) -> PathBuf {
        self.folder.path().join("tmp")
    }

    /// The folder of the background process's socket.
    pub(crate) fn runtime(&self) -> PathBuf {
        self.folder.path().join("run/legwork")
    }

    /// Writes a file to the working folder.
    pub(crate) fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.work().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(program_path());
        command
            .args(arguments)
            .current_dir(self.work())
            .env("LEGWORK_DATA_DIR", self.data())
            .env("XDG_CONFIG_HOME", self.folder.path().join("config"))
            .env("TMPDIR", self.temporary())
            .env("XDG_RUNTIME_DIR", self.folder.path().join("run"))
            .env("NO_COLOR", "1")
            .stdin(Stdio::null());
        let own = ["LEGWORK_MODEL_NAME", "LEGWORK_SESSION"];
        std::env::vars_os()
            .filter_map(|(name, _)| name.into_string().ok())
            .filter(|name| is_provider_variable(name) || own.contains(&name.as_str()))
            .for_each(|name| _ = command.env_remove(name));
        command
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        finish(self.command(arguments))
    }

    /// The newest run as text. Every run must be readable, whatever its result.
    #[track_caller]
    pub(crate) fn show_last(&self) -> String {
        self.run(&["show", "last"]).expect(0).out
    }

    /// The events of the newest run.
    #[track_caller]
    pub(crate) fn events(&self) -> Vec<Value> {
        let shown = self.run(&["show", "last", "--events"]).expect(0);
        shown.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Waits until no browser process is running whose command line contains the temporary folder, and no profile is
    /// left.
    #[track_caller]
    pub(crate) fn assert_no_leftovers(&self) {
        let folder = self.temporary();
        let deadline = Instant::now() + TEST_TIMEOUT;
        loop {
            let entries = std::fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.path());
            let left: Vec<_> = entries.filter(|path| path.to_string_lossy().contains("legwork-")).collect();
            let alive = naming(folder.to_str().unwrap());
            if left.is_empty() && alive.is_empty() {
                return;
            }
            assert!(Instant::now() < deadline, "left behind: {left:?}, {alive:?}");
            // The reaper sends no notification when it ends, so the test polls `/proc`.
            std::thread::yield_now();
        }
    }
}

/// The program under test: that of this build, or the one that `LEGWORK_BIN` names, so that the long tests can measure
/// a release build without another compilation.
fn program_path() -> PathBuf {
    std::env::var_os("LEGWORK_BIN").map_or_else(|| env!("CARGO_BIN_EXE_legwork").into(), PathBuf::from)
}

/// The time limit for each command of these tests.
pub(crate) const TEST_TIMEOUT: Duration = Duration::from_secs(90);

/// The processes whose command line contains this text, as id and command line.
pub(crate) fn naming(text: &str) -> Vec<(u32, String)> {
    let ids = std::fs::read_dir("/proc").unwrap().flatten().filter_map(|e| e.file_name().to_str()?.parse().ok());
    let line = |id: u32| {
        let line = std::fs::read(format!("/proc/{id}/cmdline")).ok()?;
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        line.contains(text).then_some((id, line))
    };
    ids.filter_map(line).collect()
}

/// Runs a command to its end. A command that exceeds the time limit is killed and fails the test.
#[track_caller]
pub(crate) fn finish(mut command: Command) -> Ended {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let id = child.id();
    let (sender, ended) = mpsc::channel();
    std::thread::spawn(move || sender.send(child.wait_with_output()));
    match ended.recv_timeout(TEST_TIMEOUT) {
        Ok(output) => Ended::of(output.unwrap()),
        Err(_) => {
            kill(id, Signal::KILL);
            let said = ended.recv().unwrap().map(Ended::of).unwrap();
            panic!("not done after {TEST_TIMEOUT:?}: {command:?}\n--- out\n{}\n--- err\n{}", said.out, said.err)
        }
    }
}

/// Sends a signal to a process.
pub(crate) fn kill(id: u32, signal: Signal) {
    kill_process(Pid::from_raw(id as i32).unwrap(), signal).unwrap();
}

/// A finished run of the program.
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ended {
    pub(crate) fn of(output: Output) -> Self {
        Ended {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// The standard output as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}\n{}", self.out, self.err))
    }

    /// Asserts the exit code. A failure prints the output.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "\n--- out\n{}\n--- err\n{}", self.out, self.err);
        self
    }
}

/// Reads the events of the program until one satisfies `stop`, or they end.
pub(crate) fn events_until(out: &mut impl BufRead, mut stop: impl FnMut(&Value) -> bool) -> Vec<Value> {
    let mut events = Vec::new();
    let mut line = String::new();
    while out.read_line(&mut line).unwrap() > 0 {
        let event: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        line.clear();
        let over = stop(&event);
        events.push(event);
        if over {
            break;
        }
    }
    events
}

/// The files in a folder and in all folders below it.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found
}
