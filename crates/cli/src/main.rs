//! The program: parses the command line, executes one command and returns the exit code.

mod args;
mod batch_screen;
mod cli;
mod command_args;
mod commands;
mod data_dir;
mod each_args;
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

use std::{process::ExitCode, time::SystemTime};

use legwork_protocol::Code;

use crate::{args::Command, error::CliError, exit::Exit, screen::Stream};

fn main() -> ExitCode {
    make_files_private();
    let (cli, flags) = cli::read();
    let as_json = cli.command.prints_json();
    let result = match cli.command {
        _ if !clock_is_usable() => Err(CliError::fault("the clock of this machine is wrong")
            .code(Code::SettingsInvalid)
            .hint("set the clock to a time between the years 1970 and 9999")),
        // A page command contacts a background process, so it needs no runtime, no settings and no log.
        Command::Page(verb) => page::run(&cli.global, verb, &flags),
        Command::TerminalHost => return page::host(),
        Command::Skill => page::skill(),
        _ => tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(|error| CliError::fault("cannot start the program").because(&error))
            .and_then(|runtime| {
                runtime.block_on(async {
                    survive_file_size_limit();
                    commands::dispatch(cli).await
                })
            }),
    };
    match result {
        Ok(exit) => exit.code().into(),
        // The reader is gone; the next program in a pipe expects a silent end.
        Err(error) if error.silent => Exit::Success.code().into(),
        Err(error) => {
            // If standard output fails too, the JSON object goes to standard error instead of the message for people.
            let to_stderr = as_json && Stream::Out.write(&error.json()).is_err();
            let text = if to_stderr { error.json() } else { format!("{error}\n") };
            // If this fails as well, the exit code remains.
            let _ = Stream::Err.write(&text);
            error.exit.code().into()
        }
    }
}

/// Whether timestamps and ids can represent the time that the clock of the machine shows.
fn clock_is_usable() -> bool {
    let now = SystemTime::now();
    now >= SystemTime::UNIX_EPOCH && jiff::Timestamp::try_from(now).is_ok()
}

/// Turns a write beyond the file size limit of the process into an error. By default, the signal ends the process. The
/// handler applies to this process only: a browser that is started has the default again.
fn survive_file_size_limit() {
    use tokio::signal::unix::{SignalKind, signal};
    // If no handler can be installed, the limit has its default effect.
    let _ = signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw()));
}

/// Lets only the user read the files that this process and its browsers write: they hold cookies, pages and pictures of
/// sites that the user is logged in to.
fn make_files_private() {
    use rustix::{fs::Mode, process::umask};
    let others = Mode::RWXG | Mode::RWXO;
    // A stricter mask of the user stays: the call returns the former mask.
    let former = umask(others);
    umask(former | others);
}
