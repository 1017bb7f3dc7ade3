//! Mail over SMTP, through the server that the settings name.

use std::{error::Error, net::IpAddr, sync::Arc, time::Duration};

use legwork::settings::{MailSecurity, Settings};
use lettre::{
    AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    message::{
        Mailbox,
        header::{ContentType, HeaderName, HeaderValue},
    },
    transport::smtp::authentication::Credentials,
};
use secrecy::{ExposeSecret, SecretString};
use uuid::Uuid;

use crate::app::App;

/// Time limit for each reply of the mail server.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Whether the settings name a mail server and a sender.
pub(crate) fn is_configured(settings: &Settings) -> bool {
    settings.smtp.host.is_some() && settings.smtp.from.is_some()
}

/// Parses the address of a recipient.
///
/// # Errors
/// The reason in words.
pub(crate) fn recipient(text: &str) -> Result<Mailbox, String> {
    text.parse().map_err(|_| format!("{text:?} is not an e-mail address"))
}

/// Sends a mail to all recipients.
///
/// # Errors
/// The reason in words, without the password.
pub(super) async fn send(app: &App, to: &[String], subject: &str, text: &str) -> Result<(), String> {
    let settings = app.runtime.settings();
    let smtp = &settings.smtp;
    let (Some(host), Some(from)) = (smtp.host.as_deref(), smtp.from.as_deref()) else {
        return Err("no mail server is set up: the settings `smtp.host` and `smtp.from` are needed".to_owned());
    };
    let builder = match smtp.security {
        MailSecurity::StartTls => AsyncSmtpTransport::<Tokio1Executor>::starttls_relay(host),
        MailSecurity::Tls => AsyncSmtpTransport::<Tokio1Executor>::relay(host),
        MailSecurity::None => Ok(AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(host)),
    };
    let builder = builder.map_err(|error| chain(&error))?.port(smtp.port).timeout(Some(TIMEOUT));
    let builder = match &smtp.username {
        Some(_) if smtp.security == MailSecurity::None && !is_this_machine(host) => {
            return Err("a password is not sent without encryption: set `smtp.security` to starttls or tls".to_owned());
        }
        Some(username) => {
            let password = password(app, host).await?;
            builder.credentials(Credentials::new(username.clone(), password.expose_secret().to_owned()))
        }
        None => builder,
    };
    let transport = builder.build();
    // One message for each recipient: a server that refuses one of them refuses a common message for all.
    let mut problems = Vec::new();
    for address in to {
        let sent = match compose(from, address, subject, text) {
            Ok(mail) => transport.send(mail).await.map(drop).map_err(|error| chain(&error)),
            Err(problem) => Err(problem),
        };
        problems.extend(sent.err().map(|problem| format!("{address}: {problem}")));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("; ")) }
}

fn compose(from: &str, to: &str, subject: &str, text: &str) -> Result<Message, String> {
    let sender: Mailbox = from.parse().map_err(|_| format!("`smtp.from`: {from:?} is not an e-mail address"))?;
    let id = format!("<{}@{}>", Uuid::now_v7().simple(), sender.email.domain());
    let builder = Message::builder().from(sender).to(recipient(to)?).subject(subject).message_id(Some(id));
    let mut mail = builder.header(ContentType::TEXT_PLAIN).body(text.to_owned()).map_err(|error| chain(&error))?;
    // Absence notes and other automatic replies are not wanted (RFC 3834).
    let name = HeaderName::new_from_ascii_str("Auto-Submitted");
    mail.headers_mut().insert_raw(HeaderValue::new(name, "auto-generated".to_owned()));
    Ok(mail)
}

/// The password from the environment, else from the vault.
async fn password(app: &App, host: &str) -> Result<SecretString, String> {
    if let Some(password) = &app.runtime.settings().keys.smtp_password {
        return Ok(password.clone());
    }
    let (runtime, name) = (Arc::clone(&app.runtime), host.to_owned());
    // A passphrase takes about half a second to derive a key from.
    let stored = tokio::task::spawn_blocking(move || runtime.user_vault().smtp_password(&name)).await;
    let stored = stored.map_err(|error| error.to_string())?.map_err(|error| format!("{error}; {}", error.hint()))?;
    stored.ok_or_else(|| {
        format!("there is no password for `smtp.username`: store the secret `smtp_password` for https://{host}")
    })
}

fn is_this_machine(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.to_canonical().is_loopback())
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
    fn a_mail_has_its_headers_and_no_others_from_its_subject() {
        let to = "Ops <ops@example.org>";
        let mail = compose("legwork@example.org", to, "a\r\nBcc: evil@example.org", "Grüße").unwrap();
        let text = String::from_utf8(mail.formatted()).unwrap();
        let headers: Vec<&str> = text.split("\r\n\r\n").next().unwrap().lines().collect();
        assert!(!headers.iter().any(|line| line.to_lowercase().starts_with("bcc")), "{text}");
        assert!(headers.contains(&"Auto-Submitted: auto-generated"), "{text}");
        assert!(
            headers.iter().any(|line| line.starts_with("Message-ID: <") && line.ends_with("@example.org>")),
            "{text}"
        );
        assert_eq!(mail.envelope().to().len(), 1);
        assert!(compose("nobody", to, "", "").unwrap_err().contains("smtp.from"));
        assert!(recipient("not an address").is_err());
    }
}
