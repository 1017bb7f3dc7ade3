//! The client's side of the socket: connects, sends a request and reads the reply. It starts the host if there is none
//! and the request may open a session. If several clients try at once, one starts it and the others wait. This module
//! needs no async runtime, so that the overhead of a verb stays small.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Write},
    os::unix::{fs::OpenOptionsExt, net::UnixStream},
    process::{Command, Stdio},
};

use rustix::fs::{FlockOperation, flock};

use super::{
    socket_dir::SocketDir,
    wire::{BUSY, END, ENDED, GREETING, HostReply, Request, TAKEN},
};
use crate::error::CliError;

/// The hidden command that runs the host.
pub(super) const HOST: &str = "terminal-host";
/// The size in bytes at which a new host truncates the log.
const MAX_LOG_BYTES: u64 = 1024 * 1024;
/// More than one, because a host may end while a client connects.
const MAX_ATTEMPTS: usize = 3;

/// The result of one attempt.
enum Attempt {
    Reply(Box<HostReply>),
    /// No host accepted the request: none is running, or it was ending.
    Nobody,
}

/// Sends a request. Returns `None` if no host is running and the request does not start one.
pub(super) fn ask(socket_dir: &SocketDir, request: &Request) -> Result<Option<HostReply>, CliError> {
    let starts = matches!(request, Request::Ask { opening: Some(_), .. });
    let line = serde_json::to_string(request)
        .map_err(|error| CliError::fault("the request could not be written").because(&error))?;
    socket_dir.is_ours()?;
    for _ in 0..MAX_ATTEMPTS {
        match attempt(socket_dir, &line)? {
            Attempt::Reply(reply) => return Ok(Some(*reply)),
            Attempt::Nobody if !starts => return Ok(None),
            Attempt::Nobody => start(socket_dir)?,
        }
    }
    Err(CliError::fault("the background process does not accept the request")
        .hint(format!("see {}", socket_dir.log.display())))
}

/// Ends the host, whatever its version. Returns whether one was running.
pub(super) fn end(socket_dir: &SocketDir) -> Result<bool, CliError> {
    socket_dir.is_ours()?;
    let Some(mut stream) = connect(socket_dir)? else { return Ok(false) };
    // Errors are ignored: a host that ends in the meantime has the requested result.
    let _ = stream.write_all(format!("{GREETING}\n{END}\n").as_bytes());
    let _ = stream.read_to_end(&mut Vec::new());
    Ok(true)
}

fn attempt(socket_dir: &SocketDir, line: &str) -> Result<Attempt, CliError> {
    let Some(mut stream) = connect(socket_dir)? else { return Ok(Attempt::Nobody) };
    if stream.write_all(format!("{GREETING}\n{line}\n").as_bytes()).is_err() {
        return Ok(Attempt::Nobody);
    }
    let mut answer = BufReader::new(stream);
    let mut first = String::new();
    if answer.read_line(&mut first).is_err() {
        return Ok(Attempt::Nobody);
    }
    let (greeting, word) = first.trim_end().rsplit_once(": ").unwrap_or_default();
    match word {
        TAKEN => {}
        // The host did not begin to execute the request.
        "" | ENDED => return Ok(Attempt::Nobody),
        BUSY => {
            return Err(CliError::usage(format!("sessions of another version are open ({greeting})"))
                .hint("`legwork close --all` closes them and ends its background process"));
        }
        other => {
            return Err(CliError::fault(format!("the background process replied {other:?}"))
                .hint("`legwork close --all` ends it"));
        }
    }
    let mut text = String::new();
    // The request may have been executed, so it must not be repeated.
    let lost = |cause: &dyn std::error::Error| {
        CliError::fault("the background process ended before it answered; what was asked may have been done")
            .because(cause)
            .hint(format!("see {}, then `legwork open URL`", socket_dir.log.display()))
    };
    answer.read_to_string(&mut text).map_err(|error| lost(&error))?;
    serde_json::from_str(&text).map(Attempt::Reply).map_err(|error| lost(&error))
}

fn connect(socket_dir: &SocketDir) -> Result<Option<UnixStream>, CliError> {
    match UnixStream::connect(socket_dir.socket()) {
        Ok(stream) => Ok(Some(stream)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused) => Ok(None),
        Err(error) => Err(CliError::fault("the background process cannot be reached").because(&error)),
    }
}

/// Starts a host, unless another client has started it in the meantime, and waits until it listens.
fn start(socket_dir: &SocketDir) -> Result<(), CliError> {
    let failed = |error: io::Error| {
        CliError::fault("the background process could not be started")
            .because(&error)
            .hint(format!("see {}", socket_dir.log.display()))
    };
    socket_dir.make()?;
    let lock =
        own_file(OpenOptions::new().create(true).truncate(false)).open(socket_dir.start_lock()).map_err(failed)?;
    flock(&lock, FlockOperation::LockExclusive).map_err(|error| failed(error.into()))?;
    if connect(socket_dir)?.is_some() {
        return Ok(());
    }
    let mut host = host(socket_dir).and_then(|mut command| command.spawn()).map_err(failed)?;
    let mut said = String::new();
    if let Some(mut out) = host.stdout.take() {
        // The host writes a line when it listens. It then closes this pipe, or ends without a line.
        out.read_to_string(&mut said).map_err(failed)?;
    }
    if said.is_empty() {
        let last = std::fs::read_to_string(&socket_dir.log).unwrap_or_default();
        let last = last.lines().last().unwrap_or("it said nothing").to_owned();
        return Err(CliError::fault("the background process did not start")
            .details([last])
            .hint(format!("see {}", socket_dir.log.display())));
    }
    Ok(())
}

/// This program as the host. It makes itself the leader of a new process session and writes to the log.
fn host(socket_dir: &SocketDir) -> io::Result<Command> {
    let long = std::fs::metadata(&socket_dir.log).is_ok_and(|log| log.len() > MAX_LOG_BYTES);
    let log = own_file(OpenOptions::new().create(true).append(!long).truncate(long)).open(&socket_dir.log)?;
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(HOST).current_dir("/").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::from(log));
    // Every client sends its own secrets. Those of this client must not be available to sessions of others.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("LEGWORK_SECRET_") {
            command.env_remove(name);
        }
    }
    Ok(command)
}

/// Opens a file for writing that only this user can read.
fn own_file(options: &mut OpenOptions) -> &mut OpenOptions {
    options.write(true).mode(0o600)
}

/// Acquires the lock of the host, unless it is held, and writes the process id into it.
pub(super) fn host_lock(socket_dir: &SocketDir) -> io::Result<Option<File>> {
    let mut lock = own_file(OpenOptions::new().create(true).truncate(false)).open(socket_dir.host_lock())?;
    match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {
            lock.set_len(0)?;
            writeln!(lock, "{}", std::process::id())?;
            Ok(Some(lock))
        }
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
