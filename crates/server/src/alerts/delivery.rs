//! What one channel is sent, and how.

use legwork::protocol::RunId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Alert, AlertError, mail};
use crate::{app::App, schedules::SchedulePlan, webhook};

/// How an alert reaches people or programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AlertChannel {
    /// A signed request to a program.
    Webhook,
    /// A message to a chat that accepts Slack's incoming webhooks.
    Slack,
    /// A mail.
    Email,
}

impl AlertChannel {
    pub(crate) fn name(self) -> &'static str {
        match self {
            AlertChannel::Webhook => "webhook",
            AlertChannel::Slack => "Slack-compatible hook",
            AlertChannel::Email => "e-mail",
        }
    }
}

/// A message of a schedule to one channel.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Delivery {
    /// The id of the schedule.
    pub(crate) schedule: String,
    pub(crate) payload: Payload,
}

/// What is sent.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "channel", rename_all = "lowercase")]
pub(crate) enum Payload {
    Webhook { url: String, body: String },
    Slack { url: String, text: String },
    Email { to: Vec<String>, subject: String, text: String },
}

impl Payload {
    /// The alert for the people whom the plan names.
    pub(crate) fn for_people(plan: &SchedulePlan, alert: &Alert) -> Vec<Payload> {
        let slack = plan.slack_hook.clone().map(|url| Payload::Slack { url, text: alert.escaped_for_chat() });
        // A message for each recipient: one that is refused is repeated alone.
        let email = plan.email.iter().map(|address| Payload::Email {
            to: vec![address.clone()],
            subject: alert.subject.clone(),
            text: alert.text.clone(),
        });
        slack.into_iter().chain(email).collect()
    }

    /// The request for a test of the webhook of a plan.
    pub(crate) fn webhook_test(plan: &SchedulePlan) -> Option<Payload> {
        let body = json!({ "type": "alert.test", "schedule": { "name": plan.name }, "run": Option::<RunId>::None });
        plan.webhook.clone().map(|url| Payload::Webhook { url, body: body.to_string() })
    }

    pub(crate) fn channel(&self) -> AlertChannel {
        match self {
            Payload::Webhook { .. } => AlertChannel::Webhook,
            Payload::Slack { .. } => AlertChannel::Slack,
            Payload::Email { .. } => AlertChannel::Email,
        }
    }
}

impl Delivery {
    /// Sends it once.
    ///
    /// # Errors
    /// The reason, without the address of a hook, which may contain a key.
    pub(crate) async fn send(&self, app: &App) -> Result<(), AlertError> {
        match &self.payload {
            Payload::Webhook { url, body } => {
                webhook::send(url, Some(&app.auth.webhook_key(&self.schedule)), body.clone()).await
            }
            Payload::Slack { url, text } => webhook::send(url, None, json!({ "text": text }).to_string()).await,
            Payload::Email { to, subject, text } => {
                let mut first = Ok(());
                // Earlier versions stored one message for all recipients.
                for address in to {
                    let failed = |cause| AlertError::To { to: address.clone(), cause: Box::new(cause) };
                    let sent = mail::send(app, address, subject, text).await.map_err(failed);
                    first = first.and(sent);
                }
                first
            }
        }
    }
}
