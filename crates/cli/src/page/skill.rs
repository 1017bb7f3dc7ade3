//! `legwork skill`: short instructions for a coding agent that uses pages from a shell.

use crate::{error::CliError, exit::Exit, screen::Stream};

/// The instructions in the format of agent skills: Markdown with front matter.
const SKILL: &str = include_str!("skill.md");

pub(crate) fn skill() -> Result<Exit, CliError> {
    Stream::Out.write(SKILL)?;
    Ok(Exit::Success)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli;

    #[test]
    fn it_is_short_and_names_only_what_there_is() {
        let tokens = legwork::observe::tokens::count(SKILL);
        assert!(tokens <= 900, "{tokens} tokens");
        assert!(SKILL.starts_with("---\nname: legwork\ndescription: "));
        let command = cli::whole();
        let lines = SKILL.lines().filter_map(|line| line.trim().strip_prefix("legwork "));
        let inline = SKILL.split('`').skip(1).step_by(2).filter_map(|code| code.strip_prefix("legwork "));
        for line in lines.chain(inline) {
            let name = line.split_whitespace().next().unwrap_or_default();
            assert!(command.find_subcommand(name).is_some(), "there is no `legwork {name}`");
        }
    }
}
