//! Verbs that are derived from an action with the same parameters: `hover`, `check`, `back`. The name, the help and the
//! parser follow from the declaration of the action, so a new action of this kind needs no change here.

use clap::{Arg, ArgAction, ArgMatches, Command, Error, FromArgMatches, Subcommand, error::ErrorKind};
use legwork_protocol::{ACTIONS, Action, ActionInfo, ActionParameter, Notation, ParameterKind};
use serde_json::{Map, Value};

/// An action that was written as the verb with its name.
#[derive(Clone, Debug)]
pub(crate) struct PlainAction(pub(crate) Action);

/// The verbs and their actions.
pub(super) fn verbs() -> impl Iterator<Item = (&'static str, &'static ActionInfo)> {
    ACTIONS.iter().filter_map(|info| match info.verb {
        Notation::Plain(name) => Some((name, info)),
        Notation::Own(_) | Notation::None => None,
    })
}

fn find(verb: &str) -> Option<&'static ActionInfo> {
    verbs().find(|(name, _)| *name == verb).map(|(_, info)| info)
}

/// A doc comment as help text: without backticks.
fn help(doc: &str) -> String {
    doc.replace('`', "")
}

/// Required arguments are first. A flag is an option, such as `--submit`.
fn arguments(info: &'static ActionInfo) -> impl Iterator<Item = Arg> {
    let all = info.parameters();
    let ordered = all.iter().filter(|one| one.required).chain(all.iter().filter(|one| !one.required));
    ordered.map(|parameter| {
        let ActionParameter { name, doc, required, kind } = parameter;
        let arg = Arg::new(name.as_str()).help(help(doc));
        match kind {
            ParameterKind::Flag => arg.long(name.as_str()).action(ArgAction::SetTrue),
            ParameterKind::Texts => arg.value_name(name.to_uppercase()).num_args(1..).required(*required),
            // A text may start with a hyphen, but a target may not, so that clap reports an unknown flag in its place.
            ParameterKind::Text => arg.value_name(name.to_uppercase()).allow_hyphen_values(true).required(*required),
            ParameterKind::Target | ParameterKind::Number | ParameterKind::Other => {
                arg.value_name(name.to_uppercase()).required(*required)
            }
        }
    })
}

impl Subcommand for PlainAction {
    fn augment_subcommands(command: Command) -> Command {
        command
            .subcommands(verbs().map(|(verb, info)| Command::new(verb).about(help(info.doc())).args(arguments(info))))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        find(name).is_some()
    }
}

impl FromArgMatches for PlainAction {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let missing = || Error::raw(ErrorKind::MissingSubcommand, "a verb is needed");
        let (verb, given) = matches.subcommand().ok_or_else(missing)?;
        let info = find(verb).ok_or_else(missing)?;
        let value = |parameter: &ActionParameter| -> Option<Value> {
            let name = parameter.name.as_str();
            match parameter.kind {
                ParameterKind::Flag => Some(given.get_flag(name).into()),
                ParameterKind::Texts => Some(given.get_many::<String>(name)?.cloned().collect::<Vec<_>>().into()),
                ParameterKind::Target | ParameterKind::Text | ParameterKind::Number | ParameterKind::Other => {
                    Some(given.get_one::<String>(name)?.clone().into())
                }
            }
        };
        let parameters: Map<String, Value> =
            info.parameters().iter().filter_map(|one| Some((one.name.clone(), value(one)?))).collect();
        info.action(parameters).map(PlainAction).map_err(|error| Error::raw(ErrorKind::ValueValidation, error))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use legwork_protocol::{Fill, Press, Select, Target};

    use super::*;

    #[derive(Debug, Parser)]
    struct Verbs {
        #[command(subcommand)]
        action: PlainAction,
    }

    fn read(line: &[&str]) -> Result<Action, Error> {
        Verbs::try_parse_from(std::iter::once(&"legwork").chain(line)).map(|verbs| verbs.action.0)
    }

    #[test]
    fn a_verb_becomes_its_action() {
        let target = |text: &str| Target(text.to_owned());
        let fill = |text: &str, submit| Action::Fill(Fill { target: target("e3"), text: text.to_owned(), submit });
        assert_eq!(read(&["fill", "e3", "-5"]).expect("reads"), fill("-5", false));
        assert_eq!(read(&["fill", "e3", "--submit", ""]).expect("reads"), fill("", true));
        let values = vec!["a".to_owned(), "b".to_owned()];
        assert_eq!(
            read(&["select", "e3", "a", "b"]).expect("reads"),
            Action::Select(Select { target: target("e3"), values })
        );
        let press = |target| Action::Press(Press { key: "Control+A".to_owned(), target });
        assert_eq!(read(&["press", "Control+A"]).expect("reads"), press(None));
        assert_eq!(read(&["press", "Control+A", "e3"]).expect("reads"), press(Some(target("e3"))));
        for wrong in [&["hover"][..], &["hover", "e3", "e4"], &["hover", "--submit"], &["select", "e3"], &["dance"]] {
            read(wrong).expect_err("is refused");
        }
    }
}
