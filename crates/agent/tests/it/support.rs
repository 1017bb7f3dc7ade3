//! Drives a run with a closure, and keeps the journal as the driver would: intents before, results after.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use legwork_agent::{AgentEvent, Need, NeedResult, Rules, WorkflowRun};
use legwork_observe::{Snapshot, fixture};
use legwork_protocol::{
    Action, ActionResult, AiCall, Artifact, ChatReply, CommandId, Event, EventId, EventKind, Outcome, PageEffect,
    PageObserved, Phase, Purpose, RunId, RunStart, Step, Usage, Workflow,
};

/// A run at work, its journal and its clock.
pub(crate) struct Script {
    pub(crate) run: WorkflowRun,
    pub(crate) journal: Vec<Event>,
    pub(crate) now: Duration,
    id: RunId,
    /// What fields hold, by ref, until the page is left: the pages of a script are written without it.
    filled: BTreeMap<String, String>,
}

/// A run of these steps.
pub(crate) fn start(steps: &[&str]) -> RunStart {
    let steps = steps.iter().map(|step| Step::new(*step)).collect();
    let workflow = Workflow { name: "test".into(), url: None, inputs: Default::default(), steps };
    RunStart { workflow, task: false, inputs: Default::default(), options: Default::default(), playbook: None }
}

/// A page.
pub(crate) fn page(text: &str) -> Arc<Snapshot> {
    Arc::new(fixture::snapshot(text))
}

/// An action that worked.
pub(crate) fn done() -> ActionResult {
    ActionResult::done(Duration::from_millis(5))
}

/// A model's reply.
pub(crate) fn reply(text: &str) -> NeedResult {
    NeedResult::Decided(Ok(ChatReply {
        model: "test/scripted".into(),
        text: text.into(),
        finish: None,
        usage: Usage { calls: 1, prompt_tokens: 100, completion_tokens: 10, cost_usd: Some(0.01), ..Usage::default() },
        latency: Duration::from_millis(1),
        retries: 0,
        failed_attempts: Vec::new(),
    }))
}

impl Script {
    pub(crate) fn begin(start: RunStart, rules: Rules) -> Script {
        let (run, facts) = WorkflowRun::begin(start, rules);
        let mut script =
            Script { run, journal: Vec::new(), now: Duration::ZERO, id: RunId::new(), filled: BTreeMap::new() };
        script.append(facts);
        script
    }

    /// The same run in another process, from what the journal holds.
    pub(crate) fn resume(self, rules: Rules) -> Script {
        let (run, facts) = WorkflowRun::resume(&self.journal, rules).expect("the journal adds up");
        let mut script = Script { run, now: Duration::ZERO, filled: BTreeMap::new(), ..self };
        script.append(facts);
        script
    }

    fn append(&mut self, facts: Vec<AgentEvent>) {
        for fact in facts {
            self.event(fact.step, fact.kind);
        }
    }

    pub(crate) fn event(&mut self, step: Option<usize>, kind: EventKind) {
        let seq = self.journal.len() as u64 + 1;
        let time = "2026-01-01T00:00:00Z".parse().expect("a time");
        self.journal.push(Event { id: EventId::new(), run: self.id, seq, time, step, kind });
    }

    /// Gives until the run ends or the closure has nothing to give: then the process is gone, intents on record.
    pub(crate) fn drive(&mut self, mut world: impl FnMut(&Need) -> Option<NeedResult>) -> Option<Outcome> {
        for _ in 0..10_000 {
            let need = self.run.need();
            if let Need::Done(outcome) = need {
                self.event(None, EventKind::of_outcome(outcome.clone()));
                return Some(outcome);
            }
            if let Need::BeginStep = need {
                self.begin_step(false);
                continue;
            }
            let step = self.run.step();
            let mut commands = Vec::new();
            if let Need::Act(intents) = &need {
                for intent in intents {
                    let command = CommandId::new();
                    commands.push(command);
                    let effect = intent.action.effect();
                    let action = Box::new(intent.action.clone());
                    self.event(
                        step,
                        EventKind::CommandStarted {
                            command_id: command,
                            action,
                            decider: intent.decider,
                            effect,
                            identity: intent.identity.clone(),
                        },
                    );
                }
            }
            let mut got = world(&need)?;
            if let (Need::Act(intents), NeedResult::Acted(results)) = (&need, &mut got) {
                for (intent, result) in intents.iter().zip(results) {
                    self.run.identify_found(&intent.action, result);
                }
            }
            self.keep_fields(&need, &mut got);
            match &got {
                NeedResult::Acted(results) => {
                    for (command, result) in commands.into_iter().zip(results) {
                        let result = Box::new(result.clone());
                        self.event(
                            step,
                            match result.ok() {
                                true => EventKind::CommandCompleted { command_id: command, result },
                                false => EventKind::CommandFailed { command_id: command, result },
                            },
                        );
                    }
                }
                NeedResult::Observed(page) => {
                    let fingerprint = format!("{:016x}", legwork_observe::fingerprint(page));
                    let (url, title) = (page.url.clone(), page.title.clone());
                    let seen = PageObserved { url, title, fingerprint, tokens: None, text: None, duration_ms: 1 };
                    self.event(step, EventKind::PageObserved(seen));
                }
                NeedResult::Decided(Ok(reply)) => {
                    let request = Artifact { hash: String::new(), media_type: String::new(), size: 0 };
                    self.event(
                        step,
                        EventKind::AiResponseReceived(AiCall {
                            purpose: asked_for(&need),
                            model: reply.model.clone(),
                            request,
                            reply: None,
                            usage: reply.usage,
                            latency_ms: 1,
                            retries: 0,
                            finish: None,
                            error: None,
                        }),
                    );
                }
                _ => {}
            }
            // A look that waits for a change takes its time.
            self.now += match need {
                Need::Observe(look) => look.after_change_within.unwrap_or(Duration::from_millis(10)),
                _ => Duration::from_millis(10),
            };
            let facts = self.run.handle_result(got, self.now);
            self.append(facts);
        }
        panic!("the run does not end");
    }

    /// Lets the next step begin.
    pub(crate) fn begin_step(&mut self, was_paused: bool) {
        let facts = self.run.handle_result(NeedResult::StepMayBegin { was_paused }, self.now);
        self.append(facts);
    }

    /// Fields hold what was put there, as a browser's do.
    fn keep_fields(&mut self, need: &Need, got: &mut NeedResult) {
        match (need, got) {
            (Need::Act(intents), NeedResult::Acted(results)) => {
                for (intent, result) in intents.iter().zip(results) {
                    let leaves = result.effects.iter().any(|effect| matches!(effect, PageEffect::Navigated { .. }));
                    match &intent.action {
                        _ if leaves => self.filled.clear(),
                        Action::Fill(fill) if result.ok() => {
                            self.filled.insert(fill.target.0.clone(), fill.text.clone());
                        }
                        _ => {}
                    }
                }
            }
            (_, NeedResult::Observed(page)) if !self.filled.is_empty() => {
                let mut shown = Snapshot::clone(page);
                for node in shown.nodes.iter_mut().filter(|node| node.value.is_none()) {
                    let target = match node.reference {
                        Some(reference) => reference.to_string(),
                        None => continue,
                    };
                    let by_role = format!("role={}[name=\"{}\"]", node.role, node.name);
                    let text = self.filled.get(&target).or_else(|| self.filled.get(&by_role));
                    node.value = text.filter(|text| !text.is_empty()).map(|text| text.as_str().into());
                }
                *page = Arc::new(shown);
            }
            _ => {}
        }
    }

    /// The names of the events and of what they are about, in order; observations and [`Script::phases`] are told
    /// apart.
    pub(crate) fn told(&self) -> Vec<String> {
        let apart = |event: &&Event| {
            let kind = &event.kind;
            matches!(
                kind,
                EventKind::PageObserved(_) | EventKind::PhaseChanged { .. } | EventKind::ChangeObserved { .. }
            )
        };
        self.journal.iter().filter(|event| !apart(event)).map(|event| told(event.step, &event.kind)).collect()
    }

    /// The phases, in order.
    pub(crate) fn phases(&self) -> Vec<Phase> {
        let phase = |event: &Event| if let EventKind::PhaseChanged { phase } = event.kind { Some(phase) } else { None };
        self.journal.iter().filter_map(phase).collect()
    }
}

fn asked_for(need: &Need) -> Purpose {
    if let Need::Decide(request) = need { request.purpose } else { Purpose::Act }
}

fn told(step: Option<usize>, kind: &EventKind) -> String {
    let wire = serde_json::to_value(kind).expect("events have a wire form");
    let name = wire["type"].as_str().expect("events have a type").to_owned();
    let about = match kind {
        EventKind::CommandStarted { action, decider, .. } => format!(" {} {}", decider.name(), brief(action)),
        EventKind::StepCompleted(result) | EventKind::StepFailed(result) => {
            format!(" {} {:?}", result.status.name(), result.validation)
        }
        kind if kind.outcome().is_some() => {
            kind.outcome().map(|ended| format!(" {}", ended.status.name())).unwrap_or_default()
        }
        EventKind::VariableUpdated(variable) => format!(" {}={}", variable.name, variable.value),
        EventKind::WarningIssued { message } => format!(" {message}"),
        EventKind::ErrorOccurred(error) => format!(" {} {}", error.code.name(), error.message),
        EventKind::PlanUpdated(plan) => format!(" {} {:?}", plan.revision, plan.action_items),
        EventKind::AnswerValidated(review) => format!(" {} {:?}: {}", review.attempt, review.quality, review.feedback),
        EventKind::ReflectionCompleted(reflection) => {
            format!(" {:?} {:?}, {}: {}", reflection.verdict, reflection.risk, reflection.cause, reflection.thought)
        }
        EventKind::AiReasoning { decider, decision } => {
            format!(" {} {:?} {} commands", decider.name(), decision.verdict, decision.commands.len())
        }
        _ => String::new(),
    };
    match step {
        Some(step) => format!("[{step}] {name}{about}"),
        None => format!("[-] {name}{about}"),
    }
}

/// An action in a few words.
pub(crate) fn brief(action: &Action) -> String {
    let target = action.target().map(|target| format!(" {target}")).unwrap_or_default();
    format!("{}{target}", action.name())
}
