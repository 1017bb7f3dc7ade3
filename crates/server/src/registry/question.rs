//! The open question of a run, and its answer.

use std::sync::Arc;

use legwork::{
    protocol::{Event, EventKind, Op, Question, RunId},
    record::RunRecord,
    store::RunLog,
};
use tokio::sync::mpsc;

/// The question that waits for an answer.
pub(crate) fn open_question(events: &[Event]) -> Option<Question> {
    RunRecord::fold(events).ok()?.open_question().cloned()
}

/// Answers the question that a resumed run asks again. Only the same question is answered, because the answer was not
/// meant for any other question.
pub(super) async fn answer_when_asked(
    log: Arc<dyn RunLog>,
    run: RunId,
    from: u64,
    asked: Question,
    answer: String,
    ops: mpsc::Sender<Op>,
) {
    let mut follower = log.follow(run, from);
    while !ops.is_closed() {
        let event = tokio::select! {
            event = follower.next() => event,
            () = ops.closed() => return,
        };
        match event.map(|event| event.kind.clone()) {
            Ok(EventKind::QuestionAsked(question)) if question.is_same_as(&asked) => {
                // The run may be cancelled at this moment.
                let _ = ops.send(Op::Answer { text: answer }).await;
                return;
            }
            // This is another question, which a person must answer.
            Ok(EventKind::QuestionAsked(_)) | Err(_) => return,
            Ok(_) => {}
        }
    }
}
