//! The command line as a whole. The verbs of the terminal have flags in common, which are put to each of them here; in the
//! list of commands they stand together below it, so that thirty of them do not bury the rest.

use clap::{Args, Command, CommandFactory, FromArgMatches, Subcommand};

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

/// Reads this process's arguments; what is wrong with them, and help, ends it.
pub(crate) fn read() -> (Cli, Flags) {
    let matches = whole()
        .mut_subcommands(|command| if is_verb(&command) { command.hide(true) } else { command })
        .try_get_matches()
        .unwrap_or_else(|error| end(&error));
    let mut flags = Flags::default();
    if let Some((_, verb)) = matches.subcommand().filter(|(name, _)| names().any(|verb| verb == *name)) {
        flags = Flags::from_arg_matches(verb).unwrap_or_else(|error| end(&error));
    }
    (Cli::from_arg_matches(&matches).unwrap_or_else(|error| end(&error)), flags)
}

/// Ends the process with help, or with what is wrong: as JSON where that was asked for, as far as can be told of arguments
/// that could not be read.
fn end(error: &clap::Error) -> ! {
    let asked = std::env::args_os().take_while(|argument| argument != "--").any(|argument| argument == "--json");
    if !asked || !error.use_stderr() {
        error.exit();
    }
    let text = error.render().to_string();
    // The first paragraph says what is wrong; usage and a pointer to the help follow.
    let message = text.trim_start_matches("error: ").split("\n\nUsage:").next().unwrap_or(&text).trim().to_owned();
    let verb = std::env::args().nth(1).is_some_and(|first| names().any(|name| name == first));
    let trouble = CliError::usage(message).hint("`legwork --help`, or `--help` after a command, lists what there is");
    let object = if verb { page::as_object(&trouble) } else { trouble.json() };
    let _ = Stream::Out.write(&object);
    let _ = Stream::Err.write(&format!("{trouble}\n"));
    std::process::exit(Exit::Usage.code().into())
}

/// All commands and their flags.
pub(crate) fn whole() -> Command {
    Cli::command()
        .after_help(overview())
        .mut_subcommands(|command| if is_verb(&command) { Flags::augment_args(command) } else { command })
}

/// The names of the verbs.
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
