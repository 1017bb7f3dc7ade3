//! The real program in a data folder of its own.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Output, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

/// Legwork with its own data folder, settings and working folder.
pub struct Program {
    folder: TempDir,
}

impl Program {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["data", "config", "work"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        Program { folder }
    }

    /// The folder it works in.
    pub fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// Its data folder.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Writes a file into the working folder.
    pub fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.work().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_legwork"));
        command
            .args(arguments)
            .current_dir(self.work())
            .env("LEGWORK_DATA_DIR", self.data())
            .env("XDG_CONFIG_HOME", self.folder.path().join("config"))
            .env("NO_COLOR", "1")
            .stdin(Stdio::null());
        for key in ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY", "OLLAMA_HOST", "LEGWORK_MODEL"] {
            command.env_remove(key);
        }
        command
    }

    /// Runs it to its end.
    pub fn run(&self, arguments: &[&str]) -> Ended {
        Ended::of(self.command(arguments).output().unwrap())
    }

    /// Starts it with its standard output readable line by line.
    pub fn start(&self, arguments: &[&str]) -> (Child, BufReader<ChildStdout>) {
        let mut child = self.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        (child, out)
    }
}

/// A run of the program that ended.
pub struct Ended {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ended {
    pub fn of(output: Output) -> Self {
        Ended {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Its standard output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}\n{}", self.out, self.err))
    }

    /// Fails with everything it said when it did not exit with this code.
    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "\n--- out\n{}\n--- err\n{}", self.out, self.err);
        self
    }
}

/// Reads the program's events until one satisfies `stop`, or they end.
pub fn events_until(out: &mut impl BufRead, mut stop: impl FnMut(&Value) -> bool) -> Vec<Value> {
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

/// The files of a folder and all below it.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
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
