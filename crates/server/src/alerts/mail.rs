//! Mail over SMTP, through the server that the settings name.

use std::{net::IpAddr, sync::Arc, time::Duration};

use legwork::settings::{Kind, MailSecurity, Settings, ValueError};
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

use super::AlertError;
use crate::app::App;

/// Time limit for each reply of the mail server.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Whether the settings name a mail server and a sender.
pub(crate) fn is_configured(settings: &Settings) -> bool {
    settings.smtp.host.is_some() && settings.smtp.from.is_some()
}

/// Parses the address of a recipient, by the same rule as that of the sender in the settings.
///
/// # Errors
/// If it is none.
pub(crate) fn recipient(text: &str) -> Result<Mailbox, AlertError> {
    Kind::Mailbox.check(text).map_err(AlertError::Recipient)?;
    text.trim().parse().map_err(|_| AlertError::Recipient(ValueError::Mailbox(text.to_owned())))
}

/// Sends a mail to a recipient.
///
/// # Errors
/// The reason, without the password.
pub(super) async fn send(app: &App, to: &str, subject: &str, text: &str) -> Result<(), AlertError> {
    let settings = app.runtime.settings();
    let smtp = &settings.smtp;
    let (Some(host), Some(from)) = (smtp.host.as_deref(), smtp.from.as_deref()) else {
        return Err(AlertError::NoMailServer);
    };
    let builder = match smtp.security {
        MailSecurity::StartTls => AsyncSmtpTransport::<Tokio1Executor>::starttls_relay(host),
        MailSecurity::Tls => AsyncSmtpTransport::<Tokio1Executor>::relay(host),
        MailSecurity::None => Ok(AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(host)),
    };
    let builder = builder?.port(smtp.port).timeout(Some(TIMEOUT));
    let builder = match &smtp.username {
        Some(_) if smtp.security == MailSecurity::None && !is_this_machine(host) => {
            return Err(AlertError::Unencrypted);
        }
        Some(username) => {
            let password = password(app, host).await?;
            builder.credentials(Credentials::new(username.clone(), password.expose_secret().to_owned()))
        }
        None => builder,
    };
    let mail = compose(from, to, subject, text)?;
    builder.build().send(mail).await?;
    Ok(())
}

fn compose(from: &str, to: &str, subject: &str, text: &str) -> Result<Message, AlertError> {
    let sender: Mailbox = from.parse().map_err(|_| AlertError::Sender(from.to_owned()))?;
    let id = format!("<{}@{}>", Uuid::now_v7().simple(), sender.email.domain());
    let builder = Message::builder().from(sender).to(recipient(to)?).subject(subject).message_id(Some(id));
    let mut mail = builder.header(ContentType::TEXT_PLAIN).body(text.to_owned())?;
    // Absence notes and other automatic replies are not wanted (RFC 3834).
    let name = HeaderName::new_from_ascii_str("Auto-Submitted");
    mail.headers_mut().insert_raw(HeaderValue::new(name, "auto-generated".to_owned()));
    Ok(mail)
}

/// The password from the environment, else from the vault.
async fn password(app: &App, host: &str) -> Result<SecretString, AlertError> {
    if let Some(password) = &app.runtime.settings().keys.smtp_password {
        return Ok(password.clone());
    }
    let (runtime, name) = (Arc::clone(&app.runtime), host.to_owned());
    // A passphrase takes about half a second to derive a key from.
    let stored = tokio::task::spawn_blocking(move || runtime.user_vault().smtp_password(&name)).await;
    stored??.ok_or_else(|| AlertError::NoPassword { host: host.to_owned() })
}

fn is_this_machine(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.to_canonical().is_loopback())
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
        assert!(matches!(compose("nobody", to, "", ""), Err(AlertError::Sender(_))));
    }
    #[test]
    fn the_settings_accept_the_addresses_that_can_be_written_to() {
        let check = |text: &str, accepted: bool| {
            assert_eq!(recipient(text).is_ok(), accepted, "{text}");
            assert_eq!(Kind::Mailbox.check(text).is_ok(), accepted, "{text}");
        };
        check("ops@example.org", true);
        check("Ops <ops@example.org>", true);
        check("first.last+alerts@mail.example.co.uk", true);
        check("ops", false);
        check("ops@", false);
        check("ops@example.org, others@example.org", false);
        check("ops@example.org\r\nBcc: evil@example.org", false);
    }
}
