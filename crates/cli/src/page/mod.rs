//! Page commands of the terminal: `legwork open`, `click`, `snapshot` and so on, for people and coding agents.
//!
//! `parse` converts the arguments of a verb (`args`) to a page command. `client` sends it over a socket (`wire`) to the
//! background process that holds the sessions (`host`), and `render` prints the reply. The effect of a command on a
//! page is defined in the `legwork-verbs` crate, which MCP uses too.

pub(crate) mod args;
mod assert_args;
mod batch;
mod client;
mod exit_code;
mod host;
mod mouse_args;
mod network_args;
mod open_args;
mod parse;
mod plain_args;
mod reference;
mod render;
mod session_options;
mod skill;
mod socket_dir;
mod wire;

use legwork_verbs::{CommandRequest, PageCommand, PageReply};

use self::{
    args::{Flags, PageArgs},
    parse::{ParsedCommand, parse},
    socket_dir::SocketDir,
    wire::{HostReply, Request},
};
pub(crate) use self::{
    host::run as host, parse::address, reference::overview, render::as_text as as_object, skill::skill,
};
use crate::{command_args::Global, error::CliError, exit::Exit};

/// The name of the session if none is given.
const DEFAULT: &str = "default";

/// Executes a verb and prints its result as text or JSON.
pub(crate) fn run(global: &Global, verb: PageArgs, flags: &Flags) -> Result<Exit, CliError> {
    let done = execute(global, verb, flags);
    match done {
        Err(trouble) if flags.json && !trouble.silent => render::error(&trouble),
        other => other,
    }
}

fn execute(global: &Global, verb: PageArgs, flags: &Flags) -> Result<Exit, CliError> {
    let session = session(flags)?;
    let socket_dir = SocketDir::here()?;
    let mut file = None;
    let request = match verb {
        PageArgs::Sessions => Request::Sessions,
        PageArgs::Close { all: true } if flags.session.is_some() => {
            return Err(CliError::usage("either --all or --session"));
        }
        PageArgs::Close { all: true } => {
            let text = if client::end(&socket_dir)? { "closed all sessions" } else { "no sessions are open" };
            return render::reply(done(text), None, flags.json);
        }
        PageArgs::Close { all: false } => Request::Close { session: session.clone() },
        PageArgs::Batch { file: from } => {
            let batch = batch::read(&parse::input(&from)?)?;
            file = batch.file;
            let opening = batch.open.map(|args| session_options::opening(global, &args)).transpose()?.map(Box::new);
            let verb = PageCommand::Batch { asks: batch.verbs };
            Request::Ask {
                session: session.clone(),
                ask: CommandRequest { verb, max_tokens: flags.max_output },
                opening,
            }
        }
        verb => {
            let opening = match &verb {
                PageArgs::Open(args) => Some(Box::new(session_options::opening(global, args)?)),
                _ => None,
            };
            let ParsedCommand { verb, file: to } = parse(verb)?;
            file = to;
            Request::Ask {
                session: session.clone(),
                ask: CommandRequest { verb, max_tokens: flags.max_output },
                opening,
            }
        }
    };
    match client::ask(&socket_dir, &request)? {
        Some(reply) => render::reply(reply, file.as_deref(), flags.json),
        None => match request {
            Request::Sessions => render::reply(done("no sessions are open"), None, flags.json),
            Request::Close { .. } => render::reply(done(&format!("{session} was not open")), None, flags.json),
            Request::Ask { .. } => {
                let open = if session == DEFAULT { String::new() } else { format!(" --session {session}") };
                Err(CliError::usage(format!("session {session} is not open"))
                    .hint(format!("`legwork open URL{open}` opens it")))
            }
        },
    }
}

/// The name of the session: the option, the environment variable, or the default.
fn session(flags: &Flags) -> Result<String, CliError> {
    let env = || std::env::var("LEGWORK_SESSION").ok().filter(|name| !name.is_empty());
    let name = flags.session.clone().or_else(env).unwrap_or_else(|| DEFAULT.to_owned());
    let known = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '@');
    if !name.is_empty() && name.len() <= 100 && name.chars().all(known) {
        return Ok(name);
    }
    Err(CliError::usage(format!("{name:?} is not a valid session name"))
        .hint("letters, digits and - _ . : @, at most 100"))
}

fn done(text: &str) -> HostReply {
    HostReply::Executed(PageReply::text(text))
}
