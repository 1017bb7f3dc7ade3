//! The clauses of a sentence are carried out one after the other, each of them once.

use legwork_agent::{Need, NeedResult, Rules};
use legwork_protocol::Status;

use crate::support::{Script, done, page, start};

/// After a text was entered, a choice may need another action, a click on an offer of the page. This applies to the
/// text that the choice itself enters, and not to the text of the clause before it.
#[test]
fn a_choice_after_a_text_is_carried_out() {
    let form = "- textbox \"Title\" [ref=e1] [editable]\n- combobox \"Status\" [ref=e2]\n  - option \"draft\"\n  - option \"published\"";
    for step in [
        "Type \"a\" into \"Title\", choose \"published\" from \"Status\"",
        "Fill \"Title\" with \"a\" and select \"published\" for \"Status\"",
        "Type \"a\" into \"Title\", choose \"published\" from \"Status\", then choose \"draft\" from \"Status\"",
    ] {
        let mut actions: Vec<String> = Vec::new();
        let outcome = Script::begin(start(&[step]), Rules::default()).drive(|need| match need {
            Need::Observe(_) => Some(NeedResult::Observed(page(form))),
            Need::Act(intents) => {
                actions.extend(intents.iter().map(|intent| intent.action.name().to_owned()));
                Some(NeedResult::Acted(vec![done(); intents.len()]))
            }
            other => panic!("not needed: {other:?}"),
        });
        assert!(outcome.is_some(), "{step}");
        let expected = if step.contains("then") { &["fill", "select", "select"][..] } else { &["fill", "select"] };
        assert_eq!(actions, expected, "{step}");
    }
    let mut acted = 0;
    let step = "Type \"a\" into \"Title\", choose \"nonexistent\" from \"Nowhere\"";
    let outcome = Script::begin(start(&[step]), Rules::default()).drive(|need| match need {
        Need::Observe(_) => Some(NeedResult::Observed(page(form))),
        Need::Act(intents) => {
            acted += intents.len();
            Some(NeedResult::Acted(vec![done(); intents.len()]))
        }
        other => panic!("not needed: {other:?}"),
    });
    assert_ne!(outcome.map(|outcome| outcome.status), Some(Status::Success));
    assert_eq!(acted, 1);
}
