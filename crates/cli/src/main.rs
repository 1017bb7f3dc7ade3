//! The program: reads the command line, does one command, tells the shell how it went.

mod args;
mod cli;
mod commands;
mod data;
mod event_lines;
mod exit;
mod follow;
mod hand;
mod home;
mod install;
mod live;
mod logging;
mod options;
mod paint;
mod report;
mod screen;
mod subject;
mod summary;
mod trace;
mod trouble;

use std::process::ExitCode;

use crate::{args::Command, exit::Exit, screen::Stream, trouble::Trouble};

fn main() -> ExitCode {
    let (cli, flags) = cli::read();
    let as_json = cli.command.prints_json();
    let done = match cli.command {
        // A verb asks a process that is there already: it needs no runtime, no settings and no log.
        Command::Hand(verb) => hand::run(&cli.global, verb, &flags),
        Command::TerminalHost => return hand::host(),
        Command::Skill => hand::skill(),
        _ => tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(|error| Trouble::fault("the program could not begin").because(&error))
            .and_then(|runtime| runtime.block_on(commands::dispatch(cli))),
    };
    match done {
        Ok(exit) => exit.code().into(),
        // Nobody reads any more: to end quietly is what the next program in the pipe expects.
        Err(trouble) if trouble.silent => Exit::Success.code().into(),
        Err(trouble) => {
            if as_json {
                let _ = Stream::Out.write(&trouble.json());
            }
            // If even that cannot be said, the exit code still tells.
            let _ = Stream::Err.write(&format!("{trouble}\n"));
            trouble.exit.code().into()
        }
    }
}
