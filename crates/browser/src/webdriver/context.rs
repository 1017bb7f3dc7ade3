//! A browser context: one session of WebDriver, whose commands are carried out one after another by one task. Between
//! them, the task looks at the tabs, because WebDriver reports no events.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    pin::Pin,
    sync::{
        Arc, Weak,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use super::{
    driver::Shared,
    page::{self, Evaluated, EvaluationKind},
    server::Server,
    state::{Answer, TabState},
    wire::{CommandError, Wire},
};
use crate::{
    action_events::InputEvent,
    driver::{DriverError, Pending, SessionId},
    driver_event::DriverEvent,
    scripts::Scripts,
    storage_state::Cookie,
};

/// The pause between two looks while something is expected, after a command, and otherwise.
const SOON: Duration = Duration::from_millis(8);
const RECENTLY: Duration = Duration::from_millis(40);
const SELDOM: Duration = Duration::from_millis(250);
/// How long after a command the tabs are looked at more often.
const RECENT: Duration = Duration::from_secs(3);
/// How long a script may take that is part of a look, and one of the executor that returns no promise.
pub(super) const SCRIPT: Duration = Duration::from_secs(2);
const EVALUATION: Duration = Duration::from_secs(8);
/// How long no script is run in a page that did not answer one.
pub(super) const HUNG: Duration = Duration::from_secs(2);

type Work = Pin<Box<dyn Future<Output = ()> + Send>>;
type Job = Box<dyn for<'a> FnOnce(&'a mut Context) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> + Send>;

/// What the task of a context does next.
pub(super) enum Item {
    /// Input events of a tab, which are carried out together with those that follow directly.
    Input {
        tab: SessionId,
        events: Vec<InputEvent>,
        answer: Answer<()>,
    },
    Job(Job),
}

/// The sender of what a context does.
#[derive(Clone)]
pub(super) struct Queue(pub(super) mpsc::UnboundedSender<Item>);

impl Queue {
    /// Adds a command of a tab. It waits while a dialog blocks the tab, and then fails with it, because the page has
    /// gone on.
    pub(super) fn in_tab<T: Send + 'static>(
        &self,
        tab: &str,
        work: impl for<'a> FnOnce(&'a mut Context) -> Pin<Box<dyn Future<Output = Result<T, CommandError>> + Send + 'a>>
        + Send
        + 'static,
    ) -> Pending<T> {
        let tab = tab.to_owned();
        self.add(move |context, answer: Answer<T>| {
            Box::pin(async move {
                let Some(known) = context.tabs.get_mut(&tab) else {
                    let _ = answer.send(Err(DriverError::TargetClosed));
                    return;
                };
                if known.dialog.is_some() {
                    known.stalled.push(Box::new(answer));
                    return;
                }
                match work(context).await {
                    Err(CommandError::Dialog(message)) => {
                        context.dialog_opened(&tab, &message);
                        context.stall(&tab, answer);
                    }
                    Err(CommandError::Driver(error)) => {
                        context.note_failure(&error);
                        let _ = answer.send(Err(error));
                    }
                    Ok(value) => drop(answer.send(Ok(value))),
                }
            })
        })
    }

    /// Adds a command of the context as a whole.
    pub(super) fn whole<T: Send + 'static>(
        &self,
        work: impl for<'a> FnOnce(&'a mut Context) -> Pin<Box<dyn Future<Output = Result<T, CommandError>> + Send + 'a>>
        + Send
        + 'static,
    ) -> Pending<T> {
        self.add(move |context, answer: Answer<T>| {
            Box::pin(async move {
                let done = work(context).await.map_err(|error| match error {
                    CommandError::Dialog(message) => DriverError::Refused(format!("a dialog is open: {message}")),
                    CommandError::Driver(error) => error,
                });
                if let Err(error) = &done {
                    context.note_failure(error);
                }
                let _ = answer.send(done);
            })
        })
    }

    /// Adds a command that answers itself.
    pub(super) fn add<T: Send + 'static>(
        &self,
        work: impl for<'a> FnOnce(&'a mut Context, Answer<T>) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>>
        + Send
        + 'static,
    ) -> Pending<T> {
        let (answer, answered) = oneshot::channel();
        // If the task has ended, the sender is dropped, which is the answer.
        let _ = self.0.send(Item::Job(Box::new(move |context| work(context, answer))));
        pending(answered)
    }

    pub(super) fn input(&self, tab: &SessionId, events: Vec<InputEvent>) -> Pending<()> {
        let (answer, answered) = oneshot::channel();
        let _ = self.0.send(Item::Input { tab: tab.clone(), events, answer });
        pending(answered)
    }
}

fn pending<T: Send + 'static>(answered: oneshot::Receiver<Result<T, DriverError>>) -> Pending<T> {
    Pending::new(async move { answered.await.unwrap_or(Err(DriverError::TargetClosed)) })
}

/// The context, as its task has it.
pub(super) struct Context {
    pub(super) id: String,
    pub(super) wire: Wire,
    pub(super) shared: Weak<Shared>,
    /// The tabs by the handles of their windows.
    pub(super) tabs: BTreeMap<String, TabState>,
    /// The window that the session began with. It stays open and blank: the browser ends with its last window.
    pub(super) anchor: String,
    /// The tab that the last command of the executor was for, which is taken for the opener of a window without one.
    pub(super) last_tab: Option<String>,
    pub(super) scripts: Option<Arc<Scripts>>,
    pub(super) restore: Option<String>,
    pub(super) viewport: Option<(u32, u32)>,
    /// The downloads that are under way, by the name of their file.
    pub(super) downloads: BTreeMap<String, super::downloads::Arriving>,
    /// The folder to which downloads are moved.
    pub(super) folder: Option<PathBuf>,
    /// The cookies of the documents that were opened, by their host.
    pub(super) cookies: BTreeMap<String, Vec<Cookie>>,
    pub(super) server: Server,
    ids: Arc<AtomicU64>,
    looked: Instant,
    commanded: Instant,
    gone: bool,
}

impl Context {
    pub(super) fn new(id: String, wire: Wire, server: Server, shared: Weak<Shared>, ids: Arc<AtomicU64>) -> Self {
        let now = Instant::now();
        Context {
            id,
            wire,
            shared,
            tabs: BTreeMap::new(),
            anchor: String::new(),
            last_tab: None,
            scripts: None,
            restore: None,
            viewport: None,
            downloads: BTreeMap::new(),
            folder: None,
            cookies: BTreeMap::new(),
            server,
            ids,
            looked: now,
            commanded: now,
            gone: false,
        }
    }

    /// Starts the task. It ends when the queue is dropped or the session is gone.
    pub(super) fn start(mut self) -> Queue {
        let (queue, mut items) = mpsc::unbounded_channel();
        let work: Work = Box::pin(async move {
            let mut next = None;
            while !self.gone {
                let wait = self.pause().saturating_sub(self.looked.elapsed());
                let item = match next.take() {
                    Some(item) => Some(item),
                    None => match tokio::time::timeout(wait, items.recv()).await {
                        Ok(None) => break,
                        Ok(item) => item,
                        Err(_) => None,
                    },
                };
                match item {
                    Some(Item::Job(job)) => {
                        self.commanded = Instant::now();
                        job(&mut self).await;
                    }
                    Some(Item::Input { tab, events, answer }) => {
                        self.commanded = Instant::now();
                        next = self.inputs(tab, events, answer, &mut items).await;
                    }
                    None => {}
                }
                if self.looked.elapsed() >= self.pause() && !self.gone {
                    self.look().await;
                    self.looked = Instant::now();
                }
            }
            self.end().await;
        });
        tokio::spawn(work);
        Queue(queue)
    }

    fn pause(&self) -> Duration {
        if self.tabs.values().any(|tab| tab.is_busy() && tab.dialog.is_none() && tab.hung_until.is_none()) {
            SOON
        } else if self.commanded.elapsed() < RECENT || !self.downloads.is_empty() {
            RECENTLY
        } else {
            SELDOM
        }
    }

    pub(super) fn next_id(&self) -> u64 {
        self.ids.fetch_add(1, Ordering::Relaxed)
    }

    pub(super) fn report(&self, session: Option<&str>, event: DriverEvent) {
        if let Some(shared) = self.shared.upgrade() {
            shared.report(session, event);
        }
    }

    /// Ends the context if its session is gone.
    pub(super) fn note_failure(&mut self, error: &DriverError) {
        match error {
            DriverError::Disconnected(reason) => {
                if !self.gone
                    && let Some(shared) = self.shared.upgrade()
                {
                    shared.lost(&self.id, reason);
                }
                self.gone = true;
            }
            // The window or frame in which the session is may be gone, so that it begins at the top again.
            DriverError::TargetClosed => self.wire.forget_place(),
            _ => {}
        }
    }

    /// The session is to end.
    pub(super) fn finish(&mut self) {
        self.gone = true;
    }

    async fn end(&mut self) {
        let tabs = std::mem::take(&mut self.tabs);
        for tab in tabs.keys() {
            self.report(None, DriverEvent::SessionDetached { session: tab.clone() });
        }
        drop(tabs);
        let _ = self.wire.end().await;
        self.server.stop();
    }

    /// Keeps an answer until the dialog of a tab is closed.
    pub(super) fn stall<T: Send + 'static>(&mut self, tab: &str, answer: Answer<T>) {
        if let Some(tab) = self.tabs.get_mut(tab) {
            tab.stalled.push(Box::new(answer));
        }
    }

    /// Leads the session to a frame.
    pub(super) async fn enter(&mut self, tab: &str, frame: &str) -> Result<(), CommandError> {
        let path = self.tabs.get(tab).and_then(|tab| tab.frames.get(frame)).map(|frame| frame.path.clone());
        self.wire.enter(tab, &path.ok_or(DriverError::TargetClosed)?).await
    }

    /// Evaluates an expression in a world. The value of a promise follows with a later report of the document.
    pub(super) async fn evaluate(
        &mut self,
        tab: &str,
        world: &str,
        expression: &str,
        ours: bool,
        answer: Answer<Value>,
    ) {
        let id = self.next_id();
        self.last_tab = Some(tab.to_owned());
        let found = self.tabs.get_mut(tab).map(|known| (known.dialog.is_some(), known.frame_of(world).cloned()));
        let Some((has_dialog, Some(frame))) = found else {
            let _ = answer.send(Err(DriverError::TargetClosed));
            return;
        };
        if has_dialog {
            return self.stall(tab, answer);
        }
        if self.is_hung(tab) {
            // The page does not answer. If it does again, the caller has given up.
            return self.wait_for(tab, &frame, id, answer);
        }
        let script = page::evaluate(world, id, expression, ours);
        let run = async {
            self.enter(tab, &frame).await?;
            self.wire.execute(&script, Value::Array(Vec::new()), EVALUATION).await
        };
        let result = match run.await {
            // The script opened a dialog, and its value follows.
            Ok(Value::Null) => return self.wait_for(tab, &frame, id, answer),
            Ok(result) => {
                serde_json::from_value::<Evaluated>(result).map_err(|error| DriverError::Refused(error.to_string()))
            }
            Err(CommandError::Dialog(message)) => {
                self.dialog_opened(tab, &message);
                return self.stall(tab, answer);
            }
            // The script did not run.
            Err(CommandError::Driver(DriverError::Exception(reason))) => {
                Err(DriverError::Exception(format!("SyntaxError: {reason}")))
            }
            Err(CommandError::Driver(error)) => Err(error),
        };
        match result {
            Ok(Evaluated(_, EvaluationKind::Promise, _)) => self.wait_for(tab, &frame, id, answer),
            Ok(evaluated) => drop(answer.send(value_of(&evaluated))),
            Err(DriverError::Timeout { .. }) => {
                if let Some(known) = self.tabs.get_mut(tab) {
                    known.hung_until = Some(Instant::now() + HUNG);
                }
                self.wait_for(tab, &frame, id, answer);
            }
            Err(error) => {
                self.note_failure(&error);
                let _ = answer.send(Err(error));
            }
        }
    }

    fn is_hung(&self, tab: &str) -> bool {
        self.tabs.get(tab).and_then(|tab| tab.hung_until).is_some_and(|until| Instant::now() < until)
    }

    fn wait_for(&mut self, tab: &str, frame: &str, id: u64, answer: Answer<Value>) {
        if let Some(frame) = self.tabs.get_mut(tab).and_then(|tab| tab.frames.get_mut(frame)) {
            // Of callers that have given up, nobody waits any more.
            frame.pending.retain(|_, answer| !answer.is_closed());
            frame.pending.insert(id, answer);
        }
    }

    /// Evaluates an expression and waits for its value, which is none of a promise.
    pub(super) async fn evaluate_now(
        &mut self,
        tab: &str,
        world: &str,
        expression: &str,
    ) -> Result<Value, CommandError> {
        let frame = self.tabs.get(tab).and_then(|tab| tab.frame_of(world)).cloned();
        let frame = frame.ok_or(DriverError::TargetClosed)?;
        self.enter(tab, &frame).await?;
        let script = page::evaluate(world, self.next_id(), expression, true);
        let result = self.wire.execute(&script, Value::Array(Vec::new()), EVALUATION).await?;
        match serde_json::from_value::<Evaluated>(result) {
            Ok(evaluated) => Ok(value_of(&evaluated)?),
            Err(error) => Err(DriverError::Refused(error.to_string()).into()),
        }
    }

    /// The value of a script in the top document of a window, without the script of Legwork.
    pub(super) async fn script(&mut self, window: &str, script: &str, arguments: Value) -> Result<Value, CommandError> {
        self.wire.enter(window, &[]).await?;
        self.wire.execute(script, arguments, EVALUATION).await
    }

    /// The element to which an expression in a world evaluates, by its identifier in the protocol. The session is in
    /// its frame afterwards.
    pub(super) async fn element(&mut self, tab: &str, world: &str, expression: &str) -> Result<String, CommandError> {
        let frame = self.tabs.get(tab).and_then(|tab| tab.frame_of(world)).cloned();
        self.enter(tab, &frame.ok_or(DriverError::TargetClosed)?).await?;
        let key = Value::from(world);
        let script = format!("const of=window[{key}];return of?(legwork=>({expression}))(of.legwork):null");
        let found = self.wire.execute(&script, Value::Array(Vec::new()), SCRIPT).await?;
        super::wire::element_id(&found).map(str::to_owned).ok_or_else(|| DriverError::TargetClosed.into())
    }
}

/// The value of an evaluation.
pub(super) fn value_of(Evaluated(_, kind, text): &Evaluated) -> Result<Value, DriverError> {
    match kind {
        EvaluationKind::Value => serde_json::from_str(text).map_err(|error| DriverError::Refused(error.to_string())),
        EvaluationKind::NoDocument => Err(DriverError::TargetClosed),
        EvaluationKind::Exception | EvaluationKind::Promise => Err(DriverError::Exception(text.clone())),
    }
}
