//! Handles what can interrupt a run while it works: ops, the deadline, and a caller that drops the run. One wait covers
//! all of them.

use std::{future::Future, time::Duration};

use legwork_protocol::Op;
use tokio::{sync::mpsc, time};
use tokio_util::sync::CancellationToken;

/// How long cancelled work may take to stop before it is dropped.
const CANCEL_GRACE_PERIOD: Duration = Duration::from_secs(4);

/// How long the run waits for optional work after its deadline.
const MIN_OPTIONAL_WAIT: Duration = Duration::from_secs(1);

/// Why work was interrupted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Interrupt {
    /// A person cancelled the run, with a reason.
    Cancelled(String),
    /// The run's time limit was reached.
    DeadlineReached,
}

/// The run's ops and its deadline.
pub(crate) struct RunControl {
    ops: mpsc::Receiver<Op>,
    open: bool,
    paused: bool,
    answers: Vec<String>,
    /// The time limit of the run.
    limit: Duration,
    deadline: time::Instant,
    /// While the run waits for a person: since when, and the deadline before.
    waiting: Option<(time::Instant, time::Instant)>,
    /// How long the run has waited for a person.
    waited: Duration,
    cancel: CancellationToken,
}

impl RunControl {
    pub(crate) fn new(ops: mpsc::Receiver<Op>, time: Duration, cancel: CancellationToken) -> Self {
        RunControl {
            ops,
            open: true,
            paused: false,
            answers: Vec::new(),
            limit: time,
            deadline: time::Instant::now() + time,
            waiting: None,
            waited: Duration::ZERO,
            cancel,
        }
    }

    /// How long the run has waited for a person. Time limits do not include it.
    pub(crate) fn waited(&self) -> Duration {
        self.waited
    }

    /// Begins to wait for a person, which may take as long as the whole run.
    fn begin_wait(&mut self) {
        let now = time::Instant::now();
        self.waiting.get_or_insert((now, self.deadline));
        self.deadline = now + self.limit;
    }

    /// Ends the wait for a person. The rest of the run has the time that was left before.
    pub(crate) fn end_wait(&mut self) {
        if let Some((since, deadline)) = self.waiting.take() {
            self.waited += since.elapsed();
            self.deadline = deadline + since.elapsed();
        }
    }

    /// The token that is cancelled when the run is stopped.
    pub(crate) fn cancel(&self) -> CancellationToken {
        self.cancel.clone()
    }

    /// Whether the run is paused, which means that nothing may be executed. Ops that have arrived are handled first:
    /// the work before did not wait for them if it was done at once.
    pub(crate) fn is_paused(&mut self) -> Result<bool, Interrupt> {
        while let Ok(op) = self.ops.try_recv() {
            if let Some(interrupt) = self.apply(op) {
                return Err(interrupt);
            }
        }
        Ok(self.paused)
    }

    /// Waits for the work and handles ops meanwhile. Interrupted work has a short time to stop; its result is dropped.
    pub(crate) async fn run_interruptible<T>(&mut self, work: impl Future<Output = T>) -> Result<T, Interrupt> {
        match self.run_to_end(work).await {
            (Some(done), None) => Ok(done),
            (_, interrupt) => Err(interrupt.unwrap_or(Interrupt::DeadlineReached)),
        }
    }

    /// As [`RunControl::run_interruptible`], for work whose result matters even if it was interrupted. Returns the
    /// result (`None` if the work did not stop in time) and the reason for the interruption.
    pub(crate) async fn run_to_end<T>(&mut self, work: impl Future<Output = T>) -> (Option<T>, Option<Interrupt>) {
        self.run_until_stopped(work, None).await
    }

    /// As [`RunControl::run_to_end`], for work that a pause stops as well, through `stop`, a child of
    /// [`RunControl::cancel`].
    pub(crate) async fn run_until_paused<T>(
        &mut self,
        work: impl Future<Output = T>,
        stop: &CancellationToken,
    ) -> (Option<T>, Option<Interrupt>) {
        self.run_until_stopped(work, Some(stop)).await
    }

    async fn run_until_stopped<T>(
        &mut self,
        work: impl Future<Output = T>,
        pause: Option<&CancellationToken>,
    ) -> (Option<T>, Option<Interrupt>) {
        tokio::pin!(work);
        loop {
            let interrupt = tokio::select! {
                biased;
                done = &mut work => return (Some(done), None),
                interrupt = self.recv() => interrupt,
            };
            match (&interrupt, pause) {
                (Some(_), _) => self.cancel.cancel(),
                (None, Some(stop)) if self.paused => stop.cancel(),
                (None, _) => continue,
            }
            return (time::timeout(CANCEL_GRACE_PERIOD, &mut work).await.ok(), interrupt);
        }
    }

    /// Waits for optional work until the run's deadline. If the deadline has passed already, it waits
    /// [`MIN_OPTIONAL_WAIT`].
    pub(crate) async fn run_before_deadline<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        time::timeout_at(self.deadline.max(time::Instant::now() + MIN_OPTIONAL_WAIT), work).await.ok()
    }

    /// Waits until the run is no longer paused.
    pub(crate) async fn wait_resumed(&mut self) -> Result<(), Interrupt> {
        self.begin_wait();
        while self.paused {
            if let Some(interrupt) = self.recv().await {
                self.end_wait();
                return Err(interrupt);
            }
        }
        self.end_wait();
        Ok(())
    }

    /// Waits for an answer from a person. The caller ends the wait with [`RunControl::end_wait`], also if it drops this
    /// future.
    pub(crate) async fn answer(&mut self) -> Result<String, Interrupt> {
        self.begin_wait();
        loop {
            if !self.answers.is_empty() {
                return Ok(self.answers.remove(0));
            }
            if let Some(interrupt) = self.recv().await {
                return Err(interrupt);
            }
        }
    }

    /// Handles one op, or returns the reason to interrupt.
    async fn recv(&mut self) -> Option<Interrupt> {
        let cancelled = self.cancel.clone();
        tokio::select! {
            op = self.ops.recv(), if self.open => match op {
                Some(op) => return self.apply(op),
                // The caller dropped the run. The run continues on its own and does not wait for a resume that cannot
                // come.
                None => {
                    self.open = false;
                    self.paused = false;
                }
            },
            () = cancelled.cancelled() => return self.interrupt(Interrupt::Cancelled("stopped by the user".into())),
            () = time::sleep_until(self.deadline) => return self.interrupt(Interrupt::DeadlineReached),
        }
        None
    }

    /// A run that ends is no longer paused: it still has to close its page and to write its end.
    fn interrupt(&mut self, interrupt: Interrupt) -> Option<Interrupt> {
        self.paused = false;
        Some(interrupt)
    }

    fn apply(&mut self, op: Op) -> Option<Interrupt> {
        match op {
            Op::Pause => self.paused = true,
            Op::Resume => self.paused = false,
            Op::Answer { text } => self.answers.push(text),
            Op::Cancel { reason } => {
                let reason = reason.unwrap_or_else(|| "stopped by the user".into());
                return self.interrupt(Interrupt::Cancelled(reason));
            }
            Op::Start { .. } => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(time: Duration) -> (mpsc::Sender<Op>, RunControl) {
        let (sender, ops) = mpsc::channel(4);
        (sender, RunControl::new(ops, time, CancellationToken::new()))
    }

    #[tokio::test]
    async fn work_that_is_done_is_handed_back() {
        let (_ops, mut control) = control(Duration::from_secs(60));
        assert_eq!(control.run_interruptible(async { 7 }).await, Ok(7));
    }

    #[tokio::test]
    async fn a_cancel_breaks_off_the_work_and_reaches_it() {
        let (ops, mut control) = control(Duration::from_secs(60));
        ops.send(Op::Cancel { reason: Some("enough".into()) }).await.unwrap();
        let token = control.cancel();
        let got = control.run_interruptible(async move { token.cancelled().await }).await;
        assert_eq!(got, Err(Interrupt::Cancelled("enough".into())));
    }

    #[tokio::test(start_paused = true)]
    async fn what_came_of_work_that_was_told_to_stop_is_handed_back() {
        let (ops, mut control) = control(Duration::from_secs(60));
        ops.send(Op::Cancel { reason: None }).await.unwrap();
        let token = control.cancel();
        let stopped = Interrupt::Cancelled("stopped by the user".into());
        let work = async move {
            token.cancelled().await;
            7
        };
        assert_eq!(control.run_to_end(work).await, (Some(7), Some(stopped.clone())));
        assert_eq!(control.run_to_end(std::future::pending::<()>()).await, (None, Some(stopped)));
    }

    #[tokio::test(start_paused = true)]
    async fn the_clock_breaks_off_work_that_never_ends() {
        let (_ops, mut control) = control(Duration::from_secs(3));
        assert_eq!(control.run_interruptible(std::future::pending::<()>()).await, Err(Interrupt::DeadlineReached));
    }

    #[tokio::test(start_paused = true)]
    async fn a_pause_stops_work_that_can_be_continued_and_a_cancel_ends_it() {
        let (ops, mut control) = control(Duration::from_secs(60));
        let work = |stop: CancellationToken| async move {
            stop.cancelled().await;
            7
        };
        ops.send(Op::Pause).await.unwrap();
        let stop = control.cancel().child_token();
        assert_eq!(control.run_until_paused(work(stop.clone()), &stop).await, (Some(7), None));
        assert_eq!((control.is_paused(), control.cancel().is_cancelled()), (Ok(true), false));
        for op in [Op::Resume, Op::Cancel { reason: Some("enough".into()) }] {
            ops.send(op).await.unwrap();
        }
        let stop = control.cancel().child_token();
        let ended = (Some(7), Some(Interrupt::Cancelled("enough".into())));
        assert_eq!(control.run_until_paused(work(stop.clone()), &stop).await, ended);
        assert!(control.cancel().is_cancelled());
    }

    #[tokio::test(start_paused = true)]
    async fn what_a_run_can_do_without_ends_with_its_time() {
        let (_ops, control) = control(Duration::from_secs(3));
        let began = time::Instant::now();
        assert_eq!(control.run_before_deadline(std::future::pending::<()>()).await, None);
        assert_eq!(began.elapsed().as_secs(), 3);
        assert_eq!(control.run_before_deadline(std::future::pending::<()>()).await, None);
        assert_eq!(began.elapsed().as_secs(), 4, "a moment more");
        assert_eq!(control.run_before_deadline(async { 7 }).await, Some(7));
    }

    #[tokio::test]
    async fn a_paused_run_waits_to_be_resumed_and_keeps_answers() {
        let (ops, mut control) = control(Duration::from_secs(60));
        for op in [Op::Pause, Op::Answer { text: "blue".into() }, Op::Resume] {
            ops.send(op).await.unwrap();
        }
        assert!(control.recv().await.is_none());
        assert!(control.paused);
        assert_eq!(control.wait_resumed().await, Ok(()));
        assert_eq!(control.answer().await, Ok("blue".into()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_paused_run_that_is_stopped_does_not_wait_to_be_resumed() {
        let (ops, mut control) = control(Duration::from_secs(60));
        for op in [Op::Pause, Op::Cancel { reason: Some("enough".into()) }] {
            ops.send(op).await.unwrap();
        }
        assert!(control.recv().await.is_none() && control.paused);
        assert_eq!(control.wait_resumed().await, Err(Interrupt::Cancelled("enough".into())));
        assert_eq!(control.is_paused(), Ok(false));
        ops.send(Op::Pause).await.unwrap();
        assert_eq!(control.is_paused(), Ok(true));
        assert_eq!(control.wait_resumed().await, Err(Interrupt::DeadlineReached));
        assert_eq!(control.is_paused(), Ok(false));
    }

    /// Whoever thinks about a question for an hour takes nothing of the run's own time.
    #[tokio::test(start_paused = true)]
    async fn the_time_in_which_a_person_is_awaited_is_not_the_runs() {
        let (ops, mut control) = control(Duration::from_secs(60));
        time::sleep(Duration::from_secs(50)).await;
        let person = async {
            time::sleep(Duration::from_secs(55)).await;
            ops.send(Op::Answer { text: "blue".into() }).await.unwrap();
        };
        let (answer, ()) = tokio::join!(control.answer(), person);
        control.end_wait();
        assert_eq!((answer, control.waited().as_secs()), (Ok("blue".into()), 55));
        assert_eq!(control.run_interruptible(time::sleep(Duration::from_secs(9))).await, Ok(()));
        let late = control.run_interruptible(std::future::pending::<()>()).await;
        assert_eq!(late, Err(Interrupt::DeadlineReached));
    }

    /// Work that is done at once never waits, so nothing else receives the op.
    #[tokio::test]
    async fn a_pause_that_has_arrived_counts_before_the_next_wait() {
        let (ops, mut control) = control(Duration::from_secs(60));
        assert_eq!(control.is_paused(), Ok(false));
        ops.send(Op::Pause).await.unwrap();
        assert_eq!(control.run_interruptible(async { 7 }).await, Ok(7));
        assert_eq!(control.is_paused(), Ok(true));
        ops.send(Op::Cancel { reason: Some("enough".into()) }).await.unwrap();
        assert_eq!(control.is_paused(), Err(Interrupt::Cancelled("enough".into())));
    }
}
