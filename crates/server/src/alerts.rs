//! Alerts of schedules: a run failed, or a run succeeded after a failure. They are sent by webhook, to a hook that
//! understands Slack's messages, and by e-mail.
//!
//! [`Alert`] contains the words, [`Delivery`] is what one channel is sent. A delivery is stored before it is sent and
//! deleted after it was accepted or all retries have failed, so that neither a stop of the server nor a failure loses
//! it silently: what was not delivered is shown with the schedule and logged.

mod delivery;
mod error;
mod mail;
mod message;
mod outbox;

pub(crate) use delivery::{AlertChannel, Delivery, Payload};
pub(crate) use error::AlertError;
pub(crate) use mail::{is_configured, recipient};
pub(crate) use message::{Alert, AlertKind};
pub(crate) use outbox::{finish, post, restore};
