//! Steps and tasks that a model decides.

use legwork_agent::{DeciderChoice, Got, ModelRules, Need, Rules};
use legwork_protocol::Status;

use crate::script::{Script, done, page, reply, start};

pub(crate) fn with_model() -> Rules {
    Rules { model: Some(ModelRules::default()), ..Rules::default() }
}

pub(crate) const CLICK: &str = r#"{"decision":{"action":"PROCEED","message":"on"},"reasoning":{"analysis":"a","rationale":"b","expectedOutcome":"c"},"confidence":0.9,"command":{"action":"click","parameters":{"target":"e2"}}}"#;
pub(crate) const DONE: &str = r#"{"decision":{"action":"PROCEED","message":"Sent it."},"reasoning":{"analysis":"a","rationale":"b","expectedOutcome":"c"},"confidence":0.9,"command":null}"#;

#[test]
fn a_model_acts_sees_the_change_and_is_done() {
    let mut begin = start(&["send the form"]);
    begin.task = true;
    let mut script = Script::begin(begin, with_model());
    let (mut turns, mut acted) = (0, false);
    let outcome = script
        .drive(|need| {
            Some(match need {
                Need::Observe(_) => Got::Observed(page(if acted {
                    "- button \"Send\" [ref=e2]\n- status \"Sent\""
                } else {
                    "- button \"Send\" [ref=e2]"
                })),
                Need::Decide(_) => {
                    turns += 1;
                    reply(if turns == 1 { CLICK } else { DONE })
                }
                Need::Act(_) => {
                    acted = true;
                    Got::Acted(vec![done()])
                }
                other => panic!("not needed: {other:?}"),
            })
        })
        .expect("it ends");
    assert_eq!((outcome.status, outcome.answer.as_deref()), (Status::Success, Some("Sent it.")));
    assert_eq!(outcome.usage.calls, 2);
    insta::assert_snapshot!(script.told().join("\n"));
}
