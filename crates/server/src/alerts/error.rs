//! Why an alert was not sent. Each error has the advice for the person who reads it with the schedule.

use std::error::Error;

use legwork::{secrets::VaultFileError, settings::ValueError};
use lettre::transport::smtp;
use reqwest::StatusCode;
use thiserror::Error;

/// Why an alert was not sent, without the address of a hook and without a password.
#[derive(Debug, Error)]
pub(crate) enum AlertError {
    /// The settings name no mail server or no sender.
    #[error("no mail server is set up")]
    NoMailServer,
    /// A message for one of several recipients was not sent.
    #[error("{to}: {cause}")]
    To {
        /// The address of the recipient.
        to: String,
        /// Why it was not sent.
        cause: Box<AlertError>,
    },
    /// The address of a recipient is invalid.
    #[error(transparent)]
    Recipient(ValueError),
    /// The sender in the settings is invalid.
    #[error("`smtp.from` is unusable: {0:?} is not an e-mail address")]
    Sender(String),
    /// The settings have a user name and no encryption, and the mail server is on another machine.
    #[error("a password is not sent without encryption")]
    Unencrypted,
    /// The settings have a user name, and there is no password for it.
    #[error("there is no password for `smtp.username`")]
    NoPassword {
        /// The host of the mail server.
        host: String,
    },
    /// The vault cannot be read.
    #[error("the password of the mail server cannot be read: {0}")]
    Vault(#[from] VaultFileError),
    /// The mail server refused the message or cannot be reached.
    #[error("{}", chain(.0))]
    Smtp(#[from] smtp::Error),
    /// The message cannot be built.
    #[error("{}", chain(.0))]
    Message(#[from] lettre::error::Error),
    /// The receiver of a request answered with an error.
    #[error("the receiver answered {0}")]
    Answer(StatusCode),
    /// The receiver of a request did not answer. The error has no URL.
    #[error("{}", chain(.0))]
    Request(#[from] reqwest::Error),
    /// A task of the server ended early.
    #[error("the server could not finish its work")]
    Task(#[from] tokio::task::JoinError),
}

impl AlertError {
    /// What to do about it.
    pub(crate) fn hint(&self) -> String {
        match self {
            AlertError::NoMailServer => "an administrator sets `smtp.host` and `smtp.from` in the settings".to_owned(),
            AlertError::To { cause, .. } => cause.hint(),
            AlertError::Recipient(_) => "correct the address".to_owned(),
            AlertError::Sender(_) => "set `smtp.from` to an address such as legwork@example.org".to_owned(),
            AlertError::Unencrypted => "set `smtp.security` to starttls or tls".to_owned(),
            AlertError::NoPassword { host } => format!("store the secret `smtp_password` for https://{host}"),
            AlertError::Vault(error) => error.hint().to_owned(),
            AlertError::Smtp(error) => smtp_hint(error).to_owned(),
            AlertError::Message(_) => "check `smtp.from` and the addresses of the schedule".to_owned(),
            AlertError::Answer(status) => answer_hint(*status).to_owned(),
            AlertError::Request(error) if error.is_timeout() => "the receiver must answer within 10 seconds".to_owned(),
            AlertError::Request(_) => "check the address, and that the machine of the server can reach it".to_owned(),
            AlertError::Task(_) => "send it again".to_owned(),
        }
    }

    /// The error and what to do about it, in one line.
    pub(crate) fn with_hint(&self) -> String {
        format!("{self}; {}", self.hint())
    }
}

/// The advice for an answer of a mail server (RFC 5321, RFC 4954), or for a missing one.
fn smtp_hint(error: &smtp::Error) -> &'static str {
    match error.status().map(u16::from) {
        Some(530 | 534 | 535 | 538) => "check `smtp.username` and its password, the secret `smtp_password`",
        Some(550 | 551 | 553 | 554) => {
            "check the address of the recipient, and whether the mail server lets `smtp.from` send to it"
        }
        Some(code) if code < 500 => "the mail server is busy: send it again later",
        Some(_) => "the administrator of the mail server knows what the answer means",
        None if error.is_tls() => {
            "check `smtp.security`, and whether the certificate of the mail server is valid for `smtp.host`"
        }
        None => "check `smtp.host`, `smtp.port` and `smtp.security`: port 587 is for starttls, 465 for tls",
    }
}

/// The advice for the answer of a receiver of requests.
fn answer_hint(status: StatusCode) -> &'static str {
    match status.as_u16() {
        300..=399 => "redirects are not followed: enter the address to which the receiver redirects",
        401 | 403 => "the receiver does not accept the address or the signature: create a new address there",
        404 | 410 => "the receiver no longer knows the address: create a new one there",
        429 | 500..=599 => "the receiver has a problem of its own: send it again later",
        _ => "check that the address is the one of an incoming webhook",
    }
}

/// The error and its causes in one line.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let words = cause.to_string();
        if !text.contains(&words) {
            text = format!("{text}: {words}");
        }
        next = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_of_a_receiver_comes_with_what_to_do() {
        let check = |status: StatusCode, advice: &str| {
            let text = AlertError::Answer(status).with_hint();
            assert!(text.starts_with(&format!("the receiver answered {status}; ")) && text.contains(advice), "{text}");
        };
        check(StatusCode::MOVED_PERMANENTLY, "redirects are not followed");
        check(StatusCode::FORBIDDEN, "create a new address");
        check(StatusCode::GONE, "no longer knows the address");
        check(StatusCode::SERVICE_UNAVAILABLE, "later");
        check(StatusCode::BAD_REQUEST, "incoming webhook");
    }
}
