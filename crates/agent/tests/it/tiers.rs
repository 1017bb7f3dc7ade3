//! The cheap model first, the strong one where it is worth it.

use legwork_agent::{ModelRules, Need, NeedResult, Rules};
use legwork_protocol::{ActionFailure, ActionResult, ModelTier, Status};

use crate::{
    model::{CLICK, DONE},
    support::{Script, done, page, reply, start},
};

/// Who was asked, in order, and what was warned of, when a cheap and a strong model answer so and actions end so.
fn asked(
    cheap_below: Option<f64>,
    cheap: &[&str],
    strong: &[&str],
    results: &[ActionResult],
) -> (Vec<ModelTier>, Vec<String>) {
    let rules = Rules { model: Some(ModelRules { cheap_below, ..ModelRules::default() }), ..Rules::default() };
    let mut script = Script::begin(start(&["send the form"]), rules);
    let (mut tiers, mut acted) = (Vec::new(), 0);
    let outcome = script.drive(|need| {
        Some(match need {
            Need::Observe(_) => NeedResult::Observed(page("- button \"Send\" [ref=e2]")),
            Need::Decide(request) => {
                let before = tiers.iter().filter(|tier| **tier == request.tier).count();
                tiers.push(request.tier);
                let replies = if request.tier == ModelTier::Cheap { cheap } else { strong };
                reply(replies[before.min(replies.len() - 1)])
            }
            Need::Act(_) => {
                acted += 1;
                NeedResult::Acted(vec![results.get(acted - 1).cloned().unwrap_or_else(done)])
            }
            other => panic!("not needed: {other:?}"),
        })
    });
    assert_eq!(outcome.map(|outcome| outcome.status), Some(Status::Success));
    let warned = script.told().into_iter().filter_map(|line| Some(line.split_once("WARNING_ISSUED ")?.1.to_owned()));
    (tiers, warned.collect())
}

use ModelTier::{Cheap, Strong};

#[test]
fn a_sure_cheap_model_decides_alone() {
    assert_eq!(asked(Some(0.7), &[CLICK, DONE], &[], &[]), (vec![Cheap, Cheap], vec![]));
    assert_eq!(asked(None, &[], &[CLICK, DONE], &[]), (vec![Strong, Strong], vec![]));
}

#[test]
fn an_unsure_one_is_overruled_and_its_decision_is_never_carried_out() {
    let unsure = CLICK.replace("0.9", "0.6");
    let (tiers, warned) = asked(Some(0.7), &[&unsure, DONE], &[CLICK], &[]);
    assert_eq!(tiers, [Cheap, Strong, Cheap]);
    assert_eq!(warned, ["the cheap model is 60 % sure of its decision, less than 70 %; the strong model is asked"]);
}

#[test]
fn one_that_makes_no_sense_or_gives_up_is_not_asked_again() {
    let abort = CLICK.replace("PROCEED", "ABORT").replace(r#"{"action":"click","parameters":{"target":"e2"}}"#, "null");
    for (said, why) in [("I would click it.", "reply cannot be used"), (&abort, "gave up")] {
        let (tiers, warned) = asked(Some(0.7), &[said], &[DONE], &[]);
        assert_eq!(tiers, [Cheap, Strong], "{said}");
        assert!(warned.len() == 1 && warned[0].contains(why), "{warned:?}");
    }
    // The strong one's own nonsense is for it to mend.
    let (tiers, _) = asked(Some(0.7), &["nonsense"], &["more nonsense", DONE], &[]);
    assert_eq!(tiers, [Cheap, Strong, Strong]);
}

#[test]
fn after_a_failed_action_the_strong_one_takes_over_until_one_works() {
    let failed = ActionResult::failed(ActionFailure::Unresponsive, std::time::Duration::ZERO);
    let (tiers, _) = asked(Some(0.7), &[CLICK, DONE], &[CLICK], &[failed]);
    assert_eq!(tiers, [Cheap, Strong, Cheap]);
}
