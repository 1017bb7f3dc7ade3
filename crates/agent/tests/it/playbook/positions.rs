//! Targets that are positions or selectors: what a playbook records for them, and that it never acts by them alone.

use legwork_agent::{
    Need, NeedResult, Rules,
    playbook::{OmittedStep, record},
};
use legwork_protocol::{ActionFailure, ActionResult, Status, Target};

use super::{DONE, NAMES, Played, chosen_by_model, click, play, play_finding, shop, with_model, with_playbook};
use crate::support::{Script, done, page, reply, start};

/// The notations with which a model can name the second of three equal buttons without its ref.
const SECOND_ADD: [&str; 6] = [
    "role=button[name='Add'] >> nth=1",
    "'Add' >> nth=1",
    "text=Add >> nth=1",
    "xpath=(//button)[2]",
    "li:nth-of-type(2) button",
    "button 'Add' >> nth=-2",
];

/// A run in which a model chose the second of three equal buttons by this target. The browser reports what it used.
fn chosen_as(target: &str, found: &[(&str, &str)], rules: Rules) -> (legwork_protocol::RunStart, Played) {
    let begin = start(&["put the table into the basket"]);
    let pages = [shop(&NAMES, ""), shop(&NAMES, "Table added")];
    let played = play_finding(found, begin.clone(), rules, &[click(target), DONE.to_owned()], &pages);
    assert_eq!((played.outcome.status, played.actions()), (Status::Success, vec![format!("click {target}")]));
    (begin, played)
}

#[test]
fn a_target_with_a_position_or_a_selector_is_recorded_as_the_element_that_the_browser_used() {
    for target in SECOND_ADD {
        let (begin, first) = chosen_as(target, &[(target, "e2")], with_model());
        let playbook = first.playbook();
        let actions = &playbook.steps[0].actions;
        assert_eq!(actions[0].elements["target"].containers[0].keys, ["table"], "{target}: {actions:#?}");
        let more = ["Sofa", "Chair", "Table", "Lamp"];
        let pages = [shop(&more, ""), shop(&more, "Table added")];
        let again = play(begin.clone(), with_playbook(&playbook, Rules::default()), &[], &pages);
        assert_eq!((again.actions(), again.calls), (vec!["click e3".to_owned()], 0), "{target}");
        let gone = play(begin, with_playbook(&playbook, Rules::default()), &[], &[shop(&["Chair", "Lamp"], "")]);
        assert_eq!((gone.outcome.status, gone.actions().len()), (Status::Failure, 0), "{target}");
    }
}

#[test]
fn a_position_or_a_selector_alone_is_not_recorded() {
    for target in SECOND_ADD {
        // The observation did not show the element.
        for found in [&[][..], &[(target, "e9")][..]] {
            let (begin, first) = chosen_as(target, found, with_model());
            let playbook = first.playbook();
            let left_out = playbook.steps[0].left_out.clone();
            assert!(matches!(left_out, Some(OmittedStep::NoIdentity { .. })), "{target}: {playbook:#?}");
            let more = ["Sofa", "Chair", "Table", "Lamp"];
            let again = play(begin, with_playbook(&playbook, Rules::default()), &[], &[shop(&more, "")]);
            assert_eq!((again.outcome.status, again.actions().len()), (Status::Error, 0), "{target}");
        }
    }
}

/// Such actions are in the playbooks of earlier versions.
#[test]
fn a_recorded_action_without_an_identity_is_not_repeated() {
    for target in SECOND_ADD {
        let (begin, first) = chosen_as(target, &[(target, "e2")], with_model());
        let mut playbook = first.playbook();
        let action = &mut playbook.steps[0].actions[0];
        action.elements.clear();
        *action.action.target_mut().expect("a target") = Target(target.to_owned());
        let again = play(begin, with_playbook(&playbook, Rules::default()), &[], &[shop(&NAMES, "")]);
        assert_eq!((again.outcome.status, again.actions().len()), (Status::Failure, 0), "{target}");
        let error = again.outcome.error.expect("an error").message;
        assert!(error.contains("does not identify"), "{error}");
    }
}

#[test]
fn a_healed_action_without_an_identity_does_not_replace_a_recorded_identity() {
    let (begin, first) = chosen_by_model();
    let known = first.playbook();
    let renamed = ["Chair", "Desk", "Lamp"];
    let pages = [shop(&renamed, ""), shop(&renamed, "Table added")];
    let replies = [click(SECOND_ADD[0]), DONE.to_owned()];
    let healed = play(begin, with_playbook(&known, with_model()), &replies, &pages);
    assert_eq!(healed.outcome.status, Status::Success, "{:?}", healed.outcome.error);
    let mut playbook = healed.playbook();
    playbook.complete_from(&known);
    assert_eq!(playbook.steps, known.steps);
}

/// The browser refuses a name that several elements have, so that the name of an element that came into being after the
/// observation identifies it.
#[test]
fn a_name_of_an_element_that_appeared_after_the_observation_is_recorded_as_role_and_name() {
    let begin = start(&["put the table into the basket"]);
    let pages = [shop(&NAMES, ""), shop(&NAMES, "Table added")];
    let mut script = Script::begin(begin, with_model());
    let (mut calls, mut acted) = (0, 0);
    script.drive(|need| {
        Some(match need {
            Need::Observe(_) => NeedResult::Observed(page(&pages[acted])),
            Need::Decide(_) => {
                calls += 1;
                reply(&[click("role=button[name='Confirm']"), DONE.to_owned()][calls.min(2) - 1])
            }
            Need::Act(_) => {
                acted += 1;
                NeedResult::Acted(vec![ActionResult { element: Some("button \"Confirm\"".into()), ..done() }])
            }
            _ => NeedResult::Inspected(Err(ActionFailure::Unresponsive)),
        })
    });
    let playbook = record(&script.journal).expect("a successful run");
    let element = &playbook.steps[0].actions[0].elements["target"];
    assert_eq!((element.describe().as_str(), element.count), ("button \"Confirm\"", 1));
}
