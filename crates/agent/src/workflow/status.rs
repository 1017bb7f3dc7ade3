//! The statuses of a step and the legal transitions between them.

use legwork_protocol::Status;

/// The status of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepState {
    Pending,
    InProgress,
    Completed,
    Failed,
    Cancelled,
    Skipped,
}

impl StepState {
    /// The status of a step after this end. A step that waits for a person is still in progress.
    pub(crate) fn of(status: Status) -> StepState {
        match status {
            Status::Success => StepState::Completed,
            Status::Skipped => StepState::Skipped,
            Status::Cancelled => StepState::Cancelled,
            Status::Failure | Status::Error => StepState::Failed,
            Status::Parked => StepState::InProgress,
        }
    }

    /// Whether this transition is legal.
    pub(crate) fn may_become(self, next: StepState) -> bool {
        match self {
            StepState::Pending => next == StepState::InProgress,
            StepState::InProgress => next != StepState::Pending,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::StepState::{self, Cancelled, Completed, Failed, InProgress, Pending, Skipped};

    #[test]
    fn an_end_is_an_end_and_nothing_ends_before_it_begins() {
        for end in [Completed, Failed, Cancelled, Skipped] {
            assert!(InProgress.may_become(end) && !Pending.may_become(end));
            assert!(
                [Pending, InProgress, Completed, Failed, Cancelled, Skipped]
                    .iter()
                    .all(|next: &StepState| !end.may_become(*next))
            );
        }
        assert!(Pending.may_become(InProgress) && !InProgress.may_become(Pending));
    }
}
