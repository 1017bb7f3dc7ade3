//! Pages driven by hand from a terminal: `legwork open`, `click`, `snapshot` and so on, for people and coding agents.
//!
//! A verb is typed (`args`), becomes what is asked of the page (`spoken`), and goes over a socket (`wire`, `client`) to the
//! background process that holds the sessions (`host`), which answers in few words; `tell` prints them. What a verb does to
//! a page is in the `legwork-verbs` crate, which MCP shares.

pub(crate) mod args;
mod batch;
mod client;
mod exact_args;
mod hand_args;
mod host;
mod judged;
mod open_args;
mod opening;
mod place;
mod reference;
mod skill;
mod spoken;
mod tell;
mod wire;
mod world_args;

use legwork_verbs::{Ask, Verb};

use self::{
    args::{Flags, HandVerb},
    place::Place,
    spoken::{Spoken, spoken},
    wire::{Reply, Request},
};
pub(crate) use self::{host::run as host, reference::OVERVIEW, skill::skill, tell::as_text as as_object};
use crate::{args::Global, exit::Exit, trouble::Trouble};

/// The session that is meant when none is named.
const DEFAULT: &str = "default";

/// Does one verb; how it went is told here already, for a person or as JSON.
pub(crate) fn run(global: &Global, verb: HandVerb, flags: &Flags) -> Result<Exit, Trouble> {
    let done = do_it(global, verb, flags);
    match done {
        Err(trouble) if flags.json && !trouble.silent => tell::trouble(&trouble),
        other => other,
    }
}

fn do_it(global: &Global, verb: HandVerb, flags: &Flags) -> Result<Exit, Trouble> {
    let session = session(flags)?;
    let place = Place::here()?;
    let mut file = None;
    let request = match verb {
        HandVerb::Sessions => Request::Sessions,
        HandVerb::Close { all: true } if flags.session.is_some() => {
            return Err(Trouble::usage("either --all or --session"));
        }
        HandVerb::Close { all: true } => {
            let text = if client::end(&place)? { "closed all sessions" } else { "no sessions are open" };
            return tell::reply(done(text), None, flags.json);
        }
        HandVerb::Close { all: false } => Request::Close { session: session.clone() },
        HandVerb::Batch { file: from } => {
            let batch = batch::read(&spoken::input(&from)?)?;
            file = batch.file;
            let opening = batch.open.map(|args| opening::opening(global, &args)).transpose()?.map(Box::new);
            let verb = Verb::Batch { asks: batch.verbs };
            Request::Ask { session: session.clone(), ask: Ask { verb, max_tokens: flags.max_output }, opening }
        }
        verb => {
            let opening = match &verb {
                HandVerb::Open(args) => Some(Box::new(opening::opening(global, args)?)),
                _ => None,
            };
            let Spoken { verb, file: to } = spoken(verb)?;
            file = to;
            Request::Ask { session: session.clone(), ask: Ask { verb, max_tokens: flags.max_output }, opening }
        }
    };
    match client::ask(&place, &request)? {
        Some(reply) => tell::reply(reply, file.as_deref(), flags.json),
        None => match request {
            Request::Sessions => tell::reply(done("no sessions are open"), None, flags.json),
            Request::Close { .. } => tell::reply(done(&format!("{session} was not open")), None, flags.json),
            Request::Ask { .. } => {
                let open = if session == DEFAULT { String::new() } else { format!(" --session {session}") };
                Err(Trouble::usage(format!("session {session} is not open"))
                    .hint(format!("`legwork open URL{open}` begins it")))
            }
        },
    }
}

/// The session that is meant.
fn session(flags: &Flags) -> Result<String, Trouble> {
    let env = || std::env::var("LEGWORK_SESSION").ok().filter(|name| !name.is_empty());
    let name = flags.session.clone().or_else(env).unwrap_or_else(|| DEFAULT.to_owned());
    let known = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '@');
    if !name.is_empty() && name.len() <= 100 && name.chars().all(known) {
        return Ok(name);
    }
    Err(Trouble::usage(format!("{name:?} is no name of a session")).hint("letters, digits and - _ . : @, at most 100"))
}

fn done(text: &str) -> Reply {
    Reply { said: legwork_verbs::Said { text: text.to_owned(), ..Default::default() }, ..Reply::default() }
}
