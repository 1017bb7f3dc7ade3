//! The state of a run or a step.

use std::borrow::Cow;

use legwork_protocol::Status;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// The state of a run or a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordState {
    /// Not started.
    Pending,
    /// It has begun, and the journal contains no end.
    Running,
    /// Waits for a resume.
    Paused,
    /// It has begun, and the process that drove it is gone.
    Interrupted,
    /// It ended with this status.
    Ended(Status),
}

impl RecordState {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            RecordState::Pending => "pending",
            RecordState::Running => "running",
            RecordState::Paused => "paused",
            RecordState::Interrupted => "interrupted",
            RecordState::Ended(status) => status.name(),
        }
    }
}

impl JsonSchema for RecordState {
    fn schema_name() -> Cow<'static, str> {
        "RecordState".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let ended = ["success", "failure", "error", "cancelled", "parked", "skipped"];
        let names: Vec<&str> = ["pending", "running", "paused", "interrupted"].into_iter().chain(ended).collect();
        json_schema!({ "type": "string", "description": "Where a run or a step stands.", "enum": names })
    }
}

impl Serialize for RecordState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
