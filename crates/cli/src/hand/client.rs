//! The client's side of the socket: connect, ask, hear. It starts the host when there is none and the request may begin a
//! session; of several clients at once one does, the others wait for it. Nothing here needs an async runtime: a verb should
//! cost little more than what it does.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Write},
    os::unix::{fs::OpenOptionsExt, net::UnixStream},
    process::{Command, Stdio},
};

use rustix::fs::{FlockOperation, flock};

use super::{
    place::Place,
    wire::{BUSY, END, ENDED, GREETING, Reply, Request, TAKEN},
};
use crate::trouble::Trouble;

/// The hidden command that is the host.
pub(super) const HOST: &str = "terminal-host";
/// A host that writes more than this into its log begins a new one.
const LONG_LOG: u64 = 1024 * 1024;
/// A host may just be ending, twice.
const TRIES: usize = 3;

/// What became of one try.
enum Heard {
    Reply(Box<Reply>),
    /// No host took the request: none is there, or it was ending.
    Nobody,
}

/// Has a request done. `None` when there is no host and the request does not start one.
pub(super) fn ask(place: &Place, request: &Request) -> Result<Option<Reply>, Trouble> {
    let starts = matches!(request, Request::Ask { opening: Some(_), .. });
    let line = serde_json::to_string(request)
        .map_err(|error| Trouble::fault("the request could not be written").because(&error))?;
    place.is_ours()?;
    for _ in 0..TRIES {
        match one_try(place, &line)? {
            Heard::Reply(reply) => return Ok(Some(*reply)),
            Heard::Nobody if !starts => return Ok(None),
            Heard::Nobody => start(place)?,
        }
    }
    Err(Trouble::fault("the background process does not take the request").hint(format!("see {}", place.log.display())))
}

/// Has the host end, whatever its version; whether there was one.
pub(super) fn end(place: &Place) -> Result<bool, Trouble> {
    place.is_ours()?;
    let Some(mut stream) = connect(place)? else { return Ok(false) };
    // One that ends in this moment has done what is asked.
    let _ = stream.write_all(format!("{GREETING}\n{END}\n").as_bytes());
    let _ = stream.read_to_end(&mut Vec::new());
    Ok(true)
}

fn one_try(place: &Place, line: &str) -> Result<Heard, Trouble> {
    let Some(mut stream) = connect(place)? else { return Ok(Heard::Nobody) };
    if stream.write_all(format!("{GREETING}\n{line}\n").as_bytes()).is_err() {
        return Ok(Heard::Nobody);
    }
    let mut answer = BufReader::new(stream);
    let mut first = String::new();
    if answer.read_line(&mut first).is_err() {
        return Ok(Heard::Nobody);
    }
    let (greeting, word) = first.trim_end().rsplit_once(": ").unwrap_or_default();
    match word {
        TAKEN => {}
        // It did nothing of what was asked.
        "" | ENDED => return Ok(Heard::Nobody),
        BUSY => {
            return Err(Trouble::usage(format!("sessions of another version are open ({greeting})"))
                .hint("`legwork close --all` closes them and ends its background process"));
        }
        other => {
            return Err(
                Trouble::fault(format!("the background process says {other:?}")).hint("`legwork close --all` ends it")
            );
        }
    }
    let mut text = String::new();
    // Whatever was asked may have been done: it must not be asked again.
    let lost = |cause: &dyn std::error::Error| {
        Trouble::fault("the background process ended before it answered; what was asked may have been done")
            .because(cause)
            .hint(format!("see {}, then `legwork open URL`", place.log.display()))
    };
    answer.read_to_string(&mut text).map_err(|error| lost(&error))?;
    serde_json::from_str(&text).map(Heard::Reply).map_err(|error| lost(&error))
}

fn connect(place: &Place) -> Result<Option<UnixStream>, Trouble> {
    match UnixStream::connect(place.socket()) {
        Ok(stream) => Ok(Some(stream)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused) => Ok(None),
        Err(error) => Err(Trouble::fault("the background process cannot be reached").because(&error)),
    }
}

/// Starts a host, unless another client did so meanwhile, and waits until it listens.
fn start(place: &Place) -> Result<(), Trouble> {
    let failed = |error: io::Error| {
        Trouble::fault("the background process could not be started")
            .because(&error)
            .hint(format!("see {}", place.log.display()))
    };
    place.make()?;
    let lock = own_file(OpenOptions::new().create(true).truncate(false)).open(place.start_lock()).map_err(failed)?;
    flock(&lock, FlockOperation::LockExclusive).map_err(|error| failed(error.into()))?;
    if connect(place)?.is_some() {
        return Ok(());
    }
    let mut host = host(place).and_then(|mut command| command.spawn()).map_err(failed)?;
    let mut said = String::new();
    if let Some(mut out) = host.stdout.take() {
        // It says a line when it listens, or ends without.
        out.read_to_string(&mut said).map_err(failed)?;
    }
    if said.is_empty() {
        let last = std::fs::read_to_string(&place.log).unwrap_or_default();
        let last = last.lines().last().unwrap_or("it said nothing").to_owned();
        return Err(Trouble::fault("the background process did not start")
            .details([last])
            .hint(format!("see {}", place.log.display())));
    }
    Ok(())
}

/// This program again, as the host. It makes itself a session of its own; what it says goes to the log.
fn host(place: &Place) -> io::Result<Command> {
    let long = std::fs::metadata(&place.log).is_ok_and(|log| log.len() > LONG_LOG);
    let log = own_file(OpenOptions::new().create(true).append(!long).truncate(long)).open(&place.log)?;
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(HOST).current_dir("/").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::from(log));
    // Every client sends its own secrets; those of this one are not for the sessions of others.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("LEGWORK_SECRET_") {
            command.env_remove(name);
        }
    }
    Ok(command)
}

/// A file that is this user's alone.
fn own_file(options: &mut OpenOptions) -> &mut OpenOptions {
    options.write(true).mode(0o600)
}

/// The lock of the host itself, if nobody has it. Who has it is written in it.
pub(super) fn host_lock(place: &Place) -> io::Result<Option<File>> {
    let mut lock = own_file(OpenOptions::new().create(true).truncate(false)).open(place.host_lock())?;
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
