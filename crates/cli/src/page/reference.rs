//! The verbs at a glance. The table in `docs/verbs.md` is what clap knows of them; a test holds both together.

/// Below the list of commands.
pub(crate) const OVERVIEW: &str = "\
Drive a page by hand, one verb at a time (`legwork VERB --help`, docs/verbs.md):
  look      open snapshot find text extract screenshot pdf eval console network
  check     verify locate highlight
  act       click fill type press hover select check uncheck drag upload scroll dialog step batch
  point     mouse drop
  move      back forward reload wait tab resize emulate
  session   sessions cookies storage state route close";

#[cfg(test)]
mod tests {
    use clap::{Arg, Command, Subcommand};

    use super::*;
    use crate::{cli, page::args::PageArgs};

    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/verbs.md");

    /// What of it is typed: `fill <TARGET> <TEXT> [--submit]`.
    fn typed(verb: &Command) -> String {
        let mut text = verb.get_name().to_owned();
        let shown = |arg: &&Arg| !arg.is_hide_set() && !["help", "version"].contains(&arg.get_id().as_str());
        let (words, flags): (Vec<&Arg>, Vec<&Arg>) =
            verb.get_arguments().filter(shown).partition(|arg| arg.is_positional());
        words.iter().for_each(|arg| text += &format!(" {arg}"));
        flags.iter().for_each(|arg| text += &format!(" [{arg}]"));
        let below: Vec<&str> = verb.get_subcommands().map(Command::get_name).filter(|name| *name != "help").collect();
        // Those of `cookies` and `state` say what they take in their own help.
        if !below.is_empty() {
            text += &format!(" {}", below.join("|"));
        }
        text.replace('|', "\\|")
    }

    fn table() -> String {
        let mut verbs = PageArgs::augment_subcommands(Command::new("verbs"));
        verbs.build();
        let mut table = "| Verb | Does |\n|---|---|\n".to_owned();
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
        let mut named: Vec<&str> = OVERVIEW.lines().skip(1).flat_map(|line| line.split_whitespace().skip(1)).collect();
        let mut verbs: Vec<String> = cli::names().collect();
        named.sort_unstable();
        verbs.sort_unstable();
        assert_eq!(named, verbs);
    }
}
