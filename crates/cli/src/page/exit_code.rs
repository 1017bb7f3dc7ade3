//! The exit code of a failed page command, which is the same as that of `run`, and a hint for the terminal.

use legwork_protocol::{ActionFailure, Target, TargetKind};
use legwork_verbs::CommandFailure;

use crate::exit::{self, Exit};

/// The exit code of a failure.
pub(super) fn of(failure: &CommandFailure) -> Exit {
    match failure.root() {
        CommandFailure::Action(ActionFailure::Cancelled) => Exit::Cancelled,
        CommandFailure::Action(failure) if failure.is_browser_fault() || failure.is_site_fault() => Exit::Fault,
        CommandFailure::Run(outcome) => exit::of(outcome),
        CommandFailure::Start(error) => exit::of_error(error),
        CommandFailure::Browser(_) => Exit::Fault,
        CommandFailure::Action(_)
        | CommandFailure::Refused { .. }
        | CommandFailure::Unmet
        | CommandFailure::Batch { .. } => Exit::Failure,
    }
}

/// What to try at a terminal.
pub(super) fn hint(failure: &ActionFailure) -> Option<String> {
    use ActionFailure as F;
    if let F::NotFound { target, .. } = failure
        && is_plain_words(target)
    {
        return Some(format!(
            "`text={target}` names it by its text (plain words are CSS); `legwork snapshot -i` has refs"
        ));
    }
    let hint = match failure {
        F::StaleRef { .. } | F::NotFound { .. } => "`legwork snapshot -i` shows what can be acted on now",
        F::Ambiguous { .. } => "`legwork snapshot -i` gives each of them a ref; `TARGET >> nth=0` is the first of them",
        F::Covered { .. } | F::NotVisible { .. } => {
            "`legwork snapshot` shows what lies there; `legwork scroll TARGET` brings it into view"
        }
        F::DialogOpen { .. } => "`legwork dialog accept` or `legwork dialog dismiss`",
        F::Timeout { .. } | F::Moving { .. } => "`legwork wait --text TEXT`, or look with `legwork snapshot`",
        F::UploadNotAllowed { .. } => "`legwork close`, then `legwork open URL --uploads DIR`",
        F::Unresponsive => "`legwork reload`",
        F::Crashed | F::BrowserGone { .. } => "`legwork open URL`",
        _ => return None,
    };
    Some(hint.to_owned())
}

/// Whether a target is probably meant as a text, although it is valid CSS: a descendant selector of element names, or
/// one element name with a capital letter.
fn is_plain_words(target: &str) -> bool {
    let is_css = matches!(Target(target.to_owned()).kind(), TargetKind::Css(css) if css == target);
    let is_several = target.contains(' ') || target.starts_with(char::is_uppercase);
    is_css && is_several && target.chars().all(|c| c.is_alphanumeric() || " '’-&,!?".contains(c))
}

#[cfg(test)]
mod tests {
    use legwork_protocol::{Code, ErrorReport};

    use super::*;

    #[test]
    fn a_target_in_plain_words_gets_the_hint_how_to_name_it() {
        let told = |target: &str| hint(&ActionFailure::NotFound { target: target.into(), candidates: vec![] }).unwrap();
        assert!(told("All orders").starts_with("`text=All orders` names it"));
        assert!(told("Order").starts_with("`text=Order` names it"));
        for known in
            ["text=All orders", "form button.go", "ul > li", "#total", "button", "role=link[name=\"All orders\"]", "e9"]
        {
            assert!(told(known).starts_with("`legwork snapshot -i`"), "{known}");
        }
    }

    #[test]
    fn the_exit_code_says_whose_fault_it_was() {
        let gone = CommandFailure::Action(ActionFailure::BrowserGone { reason: "killed".into() });
        let stale = CommandFailure::Action(ActionFailure::StaleRef { target: "e1".into() });
        let start = |code| CommandFailure::Start(Box::new(ErrorReport::new(code, "no")));
        let batch =
            |failure: &CommandFailure| CommandFailure::Batch { position: 2, failure: Box::new(failure.clone()) };
        for (failure, exit) in [
            (batch(&gone), 3),
            (batch(&stale), 1),
            (gone, 3),
            (stale, 1),
            (CommandFailure::Action(ActionFailure::Cancelled), 130),
            (CommandFailure::Unmet, 1),
            (CommandFailure::Browser("the browser is gone: killed".into()), 3),
            (
                CommandFailure::Refused {
                    method: "POST".into(),
                    url: "http://shop.test/orders".into(),
                    status: Some(422),
                },
                1,
            ),
            (start(Code::SettingsInvalid), 2),
            (start(Code::BudgetExceeded), 4),
        ] {
            assert_eq!(of(&failure).code(), exit, "{failure:?}");
        }
    }
}
