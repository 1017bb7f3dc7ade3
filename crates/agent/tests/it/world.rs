//! A world for tests of what an agent does beside acting: it answers each purpose from a list of its own.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use legwork_agent::{InspectRequest, InspectResult, Need, NeedResult, Rules};
use legwork_observe::Snapshot;
use legwork_protocol::{
    Action, ActionFailure, ActionResult, Artifact, Image, ModelFailure, Outcome, Purpose, RunStart,
};

use crate::support::{Script, brief, done, page, reply};

/// The sign of a reply that was cut off.
pub(crate) const CUT: &str = "✂";

/// What there is to be got.
#[derive(Default)]
pub(crate) struct World {
    /// What each purpose is answered, in order, the last one for ever; an empty text is no answer, one that begins with
    /// [`CUT`] was cut off by its length.
    pub(crate) replies: Vec<(Purpose, Vec<String>)>,
    /// The pages; each click shows the next one.
    pub(crate) pages: Vec<String>,
    /// The readable texts, one a page; none for a failure.
    pub(crate) texts: Vec<Option<String>>,
    /// A picture can be had.
    pub(crate) picture: bool,
    /// What reading brings; nothing for a failure.
    pub(crate) read: Option<String>,
    /// Clicks on this fail as not found.
    pub(crate) missing: Option<String>,
    /// The time an action takes.
    pub(crate) slow: Duration,
}

/// What was asked, and what was done.
pub(crate) struct Played {
    pub(crate) outcome: Outcome,
    pub(crate) script: Script,
    /// Purpose, prompt and number of pictures.
    pub(crate) asked: Vec<(Purpose, String, usize)>,
    pub(crate) done: Vec<String>,
}

impl Played {
    /// How often a purpose was asked for.
    pub(crate) fn calls(&self, purpose: Purpose) -> usize {
        self.asked.iter().filter(|(asked, ..)| *asked == purpose).count()
    }

    /// The nth prompt of a purpose.
    pub(crate) fn prompt(&self, purpose: Purpose, nth: usize) -> &str {
        let mut prompts = self.asked.iter().filter(|(asked, ..)| *asked == purpose);
        prompts.nth(nth).map(|(_, prompt, _)| prompt.as_str()).expect("there is such a prompt")
    }

    /// The events of these kinds, in order.
    pub(crate) fn events(&self, kinds: &[&str]) -> Vec<String> {
        let told = self.script.told();
        told.into_iter().filter(|line| kinds.iter().any(|kind| line.contains(kind))).collect()
    }

    /// Tokens of all prompts.
    pub(crate) fn tokens(&self) -> usize {
        self.asked.iter().map(|(_, prompt, _)| legwork_observe::tokens::count(prompt)).sum()
    }
}

impl World {
    pub(crate) fn replies(mut self, purpose: Purpose, replies: &[&str]) -> World {
        self.replies.push((purpose, replies.iter().map(|reply| (*reply).to_owned()).collect()));
        self
    }

    pub(crate) fn play(self, begin: RunStart, rules: Rules) -> Played {
        let pages: Vec<Arc<Snapshot>> = self.pages.iter().map(|text| page(text)).collect();
        let (mut turned, mut asked, mut acts) = (0, Vec::new(), Vec::new());
        let mut given: BTreeMap<String, usize> = BTreeMap::new();
        let mut script = Script::begin(begin, rules);
        let outcome = script.drive(|need| {
            Some(match need {
                Need::Observe(_) => NeedResult::Observed(pages[turned.min(pages.len() - 1)].clone()),
                Need::Decide(request) => {
                    let texts: Vec<&str> = request.messages.iter().map(|message| &*message.text).collect();
                    let images = request.messages.iter().map(|message| message.images.len()).sum();
                    asked.push((request.purpose, texts.join("\n---\n"), images));
                    let nth = given.entry(format!("{:?}", request.purpose)).or_default();
                    *nth += 1;
                    let replies = self.replies.iter().find(|(purpose, _)| *purpose == request.purpose);
                    let said = replies.and_then(|(_, replies)| replies.get(*nth - 1).or(replies.last()));
                    match said.filter(|said| !said.is_empty()) {
                        Some(said) => match (said.strip_prefix(CUT), reply(said)) {
                            (Some(said), NeedResult::Decided(Ok(cut))) => {
                                let finish = Some("length".into());
                                NeedResult::Decided(Ok(legwork_protocol::ChatReply {
                                    text: said.into(),
                                    finish,
                                    ..cut
                                }))
                            }
                            (_, whole) => whole,
                        },
                        None => NeedResult::Decided(Err(ModelFailure {
                            code: legwork_protocol::Code::ModelConnection,
                            message: "refused".into(),
                            retryable: true,
                        })),
                    }
                }
                Need::Act(intents) => {
                    let action = &intents[0].action;
                    acts.push(brief(action));
                    NeedResult::Acted(vec![self.act(action, &mut turned)])
                }
                Need::Inspect(InspectRequest::Picture { .. }) if self.picture => {
                    let image = Image { media_type: "image/jpeg".into(), data: "AAAA".into() };
                    NeedResult::Inspected(Ok(InspectResult::Picture(image)))
                }
                Need::Inspect(InspectRequest::Readable) => match self.texts.get(turned).cloned().flatten() {
                    Some(text) => NeedResult::Inspected(Ok(InspectResult::Text(text))),
                    None => NeedResult::Inspected(Err(ActionFailure::Unresponsive)),
                },
                Need::Inspect(_) => NeedResult::Inspected(Err(ActionFailure::Unresponsive)),
                Need::CallDecider(situation) => panic!("there is no decider of one's own: {situation:?}"),
                Need::BeginStep | Need::Ask(_) | Need::Done(_) => return None,
            })
        });
        Played { outcome: outcome.expect("it ends"), script, asked, done: acts }
    }

    fn act(&self, action: &Action, turned: &mut usize) -> ActionResult {
        let target = action.target().map(ToString::to_string);
        let failed = |failure| ActionResult::failed(failure, self.slow);
        match action {
            Action::Read(_) => match &self.read {
                Some(text) => ActionResult { value: Some(text.as_str().into()), ..done() },
                None => failed(ActionFailure::Unresponsive),
            },
            Action::Dom(_) => ActionResult {
                dom: Some(Artifact { hash: "00".into(), media_type: "text/html".into(), size: 4_096 }),
                ..done()
            },
            _ if target.is_some() && target == self.missing => {
                failed(ActionFailure::NotFound { target: target.unwrap_or_default(), candidates: Vec::new() })
            }
            _ => {
                *turned += 1;
                done()
            }
        }
    }
}
