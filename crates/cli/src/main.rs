//! The program: reads the command line, does one command, tells the shell how it went.

mod args;
mod cli;
mod commands;
mod data_dir;
mod error;
mod event_lines;
mod exit;
mod extracted_data;
mod install;
mod logging;
mod options;
mod page;
mod progress_lines;
mod report;
mod run_target;
mod screen;
mod setting_flags;
mod style;
mod summary;
mod trace;
mod watch;

use std::process::ExitCode;

use crate::{args::Command, error::CliError, exit::Exit, screen::Stream};

fn main() -> ExitCode {
    let (cli, flags) = cli::read();
    let as_json = cli.command.prints_json();
    let done = match cli.command {
        // A verb asks a process that is there already: it needs no runtime, no settings and no log.
        Command::Hand(verb) => page::run(&cli.global, verb, &flags),
        Command::TerminalHost => return page::host(),
        Command::Skill => page::skill(),
        _ => tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(|error| CliError::fault("the program could not begin").because(&error))
            .and_then(|runtime| runtime.block_on(commands::dispatch(cli))),
    };
    match done {
        Ok(exit) => exit.code().into(),
        // Nobody reads any more: to end quietly is what the next program in the pipe expects.
        Err(trouble) if trouble.silent => Exit::Success.code().into(),
        Err(trouble) => {
            // A program that cannot be told where it reads finds the same object in place of the words for a person.
            let unread = as_json && Stream::Out.write(&trouble.json()).is_err();
            let text = if unread { trouble.json() } else { format!("{trouble}\n") };
            // If even that cannot be said, the exit code still tells.
            let _ = Stream::Err.write(&text);
            trouble.exit.code().into()
        }
    }
}
