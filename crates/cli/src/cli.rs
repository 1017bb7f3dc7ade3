//! The whole command line. This module adds the common flags to each page command, and lists these commands
//! separately in the help, so that thirty of them do not hide the others.

use clap::{Arg, Args, Command, CommandFactory, FromArgMatches, Subcommand, error::ErrorKind};

use crate::{
    args::Cli,
    error::CliError,
    exit::Exit,
    page::{
        self,
        args::{Flags, PageArgs},
        overview,
    },
    screen::Stream,
};

/// The flag `--session` before a page command. After the command it is one of [`Flags`].
const SESSION_BEFORE: &str = "session-before-command";

/// Parses the arguments of this process. Help and invalid arguments end the process.
pub(crate) fn read() -> (Cli, Flags) {
    let matches = whole()
        .mut_subcommands(|command| if is_verb(&command) { command.hide(true) } else { command })
        .try_get_matches()
        .unwrap_or_else(|error| end(&error));
    let mut flags = Flags::default();
    if let Some((_, verb)) = matches.subcommand().filter(|(name, _)| names().any(|verb| verb == *name)) {
        flags = Flags::from_arg_matches(verb).unwrap_or_else(|error| end(&error));
        flags.session = flags.session.or_else(|| matches.get_one::<String>(SESSION_BEFORE).cloned());
    } else if matches.contains_id(SESSION_BEFORE) {
        end(&whole().error(
            ErrorKind::ArgumentConflict,
            "--session names a session of the page commands, such as `legwork snapshot`",
        ));
    }
    (Cli::from_arg_matches(&matches).unwrap_or_else(|error| end(&error)), flags)
}

/// Ends the process with help or with a usage error. The error is JSON if the arguments, as far as they can be
/// parsed, ask for it.
fn end(error: &clap::Error) -> ! {
    let wants_json = std::env::args_os().take_while(|argument| argument != "--").any(|argument| argument == "--json");
    if !wants_json || !error.use_stderr() {
        error.exit();
    }
    let text = error.render().to_string();
    // The first paragraph is the message; usage and a reference to the help follow.
    let message = text.trim_start_matches("error: ").split("\n\nUsage:").next().unwrap_or(&text).trim().to_owned();
    let verb = std::env::args().nth(1).is_some_and(|first| names().any(|name| name == first));
    let usage_error = CliError::usage(message).hint("see `legwork --help`, or `--help` after a command");
    let object = if verb { page::as_object(&usage_error) } else { usage_error.json() };
    let _ = Stream::Out.write(&object);
    let _ = Stream::Err.write(&format!("{usage_error}\n"));
    std::process::exit(Exit::Usage.code().into())
}

/// All commands with their flags.
pub(crate) fn whole() -> Command {
    Cli::command()
        .after_help(overview())
        .arg(Arg::new(SESSION_BEFORE).long("session").value_name("NAME").hide(true))
        .mut_subcommands(|command| if is_verb(&command) { Flags::augment_args(command) } else { command })
}

/// The names of the page commands.
pub(crate) fn names() -> impl Iterator<Item = String> {
    let verbs = PageArgs::augment_subcommands(Command::new("verbs"));
    verbs.get_subcommands().map(|verb| verb.get_name().to_owned()).collect::<Vec<_>>().into_iter()
}

fn is_verb(command: &Command) -> bool {
    PageArgs::has_subcommand(command.get_name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_of_each_verb_opens_with_what_it_does() {
        let all = whole();
        let verbs = PageArgs::augment_subcommands(Command::new("verbs"));
        for verb in verbs.get_subcommands() {
            let shown = all.find_subcommand(verb.get_name()).and_then(Command::get_about).map(ToString::to_string);
            assert!(shown.is_some(), "{} says nothing", verb.get_name());
            assert_eq!(shown, verb.get_about().map(ToString::to_string), "{}", verb.get_name());
        }
    }
}
