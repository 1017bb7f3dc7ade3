//! An overview of the verbs. The table in `docs/verbs.md` is generated from clap's definitions; a test checks that it
//! is current.

use legwork_protocol::Navigation;

use super::plain_args;

/// Printed below the list of commands. `{act}` and `{move}` are replaced by the verbs that are derived from actions.
const OVERVIEW: &str = "\
Drive a page by hand, one verb at a time (`legwork VERB --help`, docs/verbs.md):
  look      open snapshot find text extract screenshot pdf eval console network
  check     verify locate highlight
  act       click type {act} upload scroll dialog step batch
  point     mouse drop
  move      {move} wait tab resize emulate
  session   sessions cookies storage state route close";

/// The verbs by purpose.
pub(crate) fn overview() -> String {
    let (stays, moves): (Vec<_>, Vec<_>) =
        plain_args::verbs().partition(|(_, info)| info.navigation == Navigation::None);
    let names = |verbs: Vec<(&'static str, _)>| verbs.into_iter().map(|(verb, _)| verb).collect::<Vec<_>>().join(" ");
    OVERVIEW.replace("{act}", &names(stays)).replace("{move}", &names(moves))
}

#[cfg(test)]
mod tests {
    use clap::{Arg, Command, Subcommand};
    use legwork_protocol::ACTIONS;

    use super::*;
    use crate::{cli, page::args::PageArgs};

    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/verbs.md");

    /// The syntax of a verb: `fill <TARGET> <TEXT> [--submit]`.
    fn typed(verb: &Command) -> String {
        let mut text = verb.get_name().to_owned();
        let shown = |arg: &&Arg| !arg.is_hide_set() && !["help", "version"].contains(&arg.get_id().as_str());
        let (words, flags): (Vec<&Arg>, Vec<&Arg>) =
            verb.get_arguments().filter(shown).partition(|arg| arg.is_positional());
        words.iter().for_each(|arg| text += &format!(" {arg}"));
        flags.iter().for_each(|arg| text += &format!(" [{arg}]"));
        let below: Vec<&str> = verb.get_subcommands().map(Command::get_name).filter(|name| *name != "help").collect();
        // The arguments of subcommands, such as those of `cookies` and `state`, are only in their own help.
        if !below.is_empty() {
            text += &format!(" {}", below.join("|"));
        }
        text.replace('|', "\\|")
    }

    fn table() -> String {
        let mut verbs = PageArgs::augment_subcommands(Command::new("verbs"));
        verbs.build();
        let mut table = "| Verb | Description |\n|---|---|\n".to_owned();
        for verb in verbs.get_subcommands().filter(|verb| verb.get_name() != "help") {
            let about = verb.get_about().map(ToString::to_string).unwrap_or_default().replace('|', "\\|");
            table += &format!("| `{}` | {about} |\n", typed(verb));
        }
        table
    }

    #[test]
    fn the_page_about_verbs_is_fresh() {
        let page = std::fs::read_to_string(PAGE).unwrap();
        let (before, rest) = page.split_once("<!-- verbs -->\n").unwrap();
        let (_, after) = rest.split_once("<!-- /verbs -->").unwrap();
        let fresh = format!("{before}<!-- verbs -->\n{}<!-- /verbs -->{after}", table());
        if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
            std::fs::write(PAGE, &fresh).unwrap();
        }
        assert!(page == fresh, "docs/verbs.md is not fresh; INSTA_UPDATE=always writes it. The table is:\n{}", table());
    }

    #[test]
    fn the_overview_names_every_verb_once() {
        let overview = overview();
        let mut named: Vec<&str> = overview.lines().skip(1).flat_map(|line| line.split_whitespace().skip(1)).collect();
        let mut verbs: Vec<String> = cli::names().collect();
        named.sort_unstable();
        verbs.sort_unstable();
        assert_eq!(named, verbs);
    }

    #[test]
    fn the_verb_that_stands_for_an_action_exists() {
        for verb in ACTIONS.iter().filter_map(|info| info.verb.name()) {
            assert!(cli::names().any(|name| name == verb), "{verb}");
        }
    }
}
