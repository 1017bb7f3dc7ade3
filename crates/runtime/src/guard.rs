//! The run's policy and secrets, combined as the guard that the browser crate calls.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicU32, Ordering},
};

use legwork_browser::{Guard, RequestDenial, masked};
use legwork_protocol::{Code, ErrorReport, Outcome};
use secrecy::SecretString;
use serde::{Serialize, de::DeserializeOwned};
use url::Url;

use crate::{
    policy::{Policy, PolicyDenial},
    run_handle::failed_outcome,
    secrets::{Binding, RunSecrets},
};

/// A run's rules and secrets.
pub(crate) struct RunGuard {
    policy: Policy,
    secrets: RunSecrets,
    answers: AtomicU32,
}

impl RunGuard {
    pub(crate) fn new(policy: Policy, secrets: RunSecrets) -> Self {
        RunGuard { policy, secrets, answers: AtomicU32::new(0) }
    }

    /// The origins to which the user bound secrets.
    pub(crate) fn secret_origins(&self) -> Vec<Url> {
        self.secrets.bound_origins()
    }

    /// Whether there are secrets to mask.
    pub(crate) fn has_secrets(&self) -> bool {
        !self.secrets.names().is_empty()
    }

    /// Replaces the values of secrets by their handles.
    pub(crate) fn mask_text(&self, text: &mut String) {
        self.secrets.mask(text);
    }

    /// Masks any value that can be serialized to JSON: in texts, in numbers and in the names of fields.
    ///
    /// # Errors
    /// If something remains that may be a secret. The error contains the value as far as it was masked.
    pub(crate) fn masked<T: Serialize + DeserializeOwned>(&self, given: T) -> Result<T, T> {
        if self.has_secrets() { masked(given, &|text| self.mask_text(text)) } else { Ok(given) }
    }

    /// Masks an outcome. If something remains that may be a secret, the result is an error without it, for the caller
    /// and for the journal alike.
    pub(crate) fn masked_outcome(&self, outcome: Outcome) -> Outcome {
        self.masked(outcome).unwrap_or_else(|_| {
            let message = "the outcome was withheld: it contains a secret in a place where it cannot be masked";
            failed_outcome(ErrorReport::new(Code::Internal, message))
        })
    }

    /// Stores a person's answer to a secret question among the secrets of the run and returns its handle. It is bound
    /// to the start site of the run, or to the site of the page on which the question was asked if the run has no start
    /// address.
    pub(crate) fn keep_answer(&self, value: String, page: &str) -> String {
        let name = format!("answer_{}", self.answers.fetch_add(1, Ordering::Relaxed) + 1);
        let asked_on = Url::parse(page).ok().filter(|url| !self.secrets.has_default() && url.has_host());
        let binding = asked_on.map_or(Binding::Default, |url| Binding::Origins(vec![url]));
        self.secrets.put(&name, SecretString::from(value), binding);
        format!("${{secret:{name}}}")
    }
}

fn denied(denial: &PolicyDenial) -> RequestDenial {
    match denial {
        PolicyDenial::OwnServer { .. } => RequestDenial::fixed(denial.to_string()),
        _ => RequestDenial::new(denial.to_string()),
    }
}

impl Guard for RunGuard {
    fn restricts(&self) -> bool {
        self.policy.restricts()
    }

    fn allows(&self, url: &Url) -> Result<(), RequestDenial> {
        self.policy.allows(url).map_err(|denial| denied(&denial))
    }

    fn allows_connection(&self, address: SocketAddr) -> Result<(), RequestDenial> {
        self.policy.check_connection(address).map_err(|denial| denied(&denial))
    }

    fn reveal(&self, text: &str, origin: &Url) -> Result<SecretString, RequestDenial> {
        self.secrets.reveal(text, origin).map_err(|denied| RequestDenial::new(denied.to_string()))
    }

    fn holds_secret(&self, text: &str) -> bool {
        self.secrets.holds_secret(text)
    }

    fn mask(&self, text: &mut String) {
        self.secrets.mask(text);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use legwork_protocol::{ActionResult, EventKind, Status};
    use serde_json::json;

    use super::*;

    fn guard(value: &str) -> RunGuard {
        let secrets = RunSecrets::default();
        secrets.put("PIN", SecretString::from(value), Binding::Default);
        RunGuard::new(Policy::default(), secrets)
    }

    /// A fact is masked as text, not as JSON: in JSON a line break is `\n`, and its letter would touch the next word.
    #[test]
    fn a_short_secret_is_masked_behind_a_line_break() {
        let fact = |message: &str| EventKind::WarningIssued { message: message.to_owned() };
        assert_eq!(guard("4815").masked(fact("pin:\n4815\t4815")), Ok(fact("pin:\n${secret:PIN}\t${secret:PIN}")));
    }

    /// A number that happens to equal a PIN must not remove a fact.
    #[test]
    fn a_fact_is_kept_when_a_number_or_a_word_of_ours_looks_like_a_secret() {
        let told = |value, url: &str| ActionResult {
            value: Some(value),
            url: url.to_owned(),
            ..ActionResult::done(Duration::from_millis(4815))
        };
        let masked = guard("4815").masked(told(json!({"read": 4815}), "http://a/?pin=4815"));
        assert_eq!(masked, Ok(told(json!({"read": "${secret:PIN}"}), "http://a/?pin=${secret:PIN}")));
    }

    #[test]
    fn an_answer_is_bound_to_the_start_site_or_to_the_page_of_its_question() {
        let may = |guard: &RunGuard, handle: &str, url: &str| guard.reveal(handle, &Url::parse(url).unwrap()).is_ok();
        let asked = guard("4815");
        let handle = asked.keep_answer("tulip".to_owned(), "https://shop.example/otp");
        assert!(may(&asked, &handle, "https://shop.example/other"), "no start site: the page of the question");
        assert!(!may(&asked, &handle, "https://evil.example/"));
        let started = guard("4815");
        started.secrets.bind_default(&Url::parse("https://start.example/").unwrap());
        let handle = started.keep_answer("tulip".to_owned(), "https://shop.example/otp");
        assert!(may(&started, &handle, "https://start.example/") && !may(&started, &handle, "https://shop.example/"));
    }

    /// The id of an error must remain an id, so a secret in it cannot be masked.
    #[test]
    fn an_outcome_that_cannot_be_masked_is_withheld() {
        let error = ErrorReport::new(Code::Internal, "a message");
        let secret = error.id.to_string()[..18].to_owned();
        let given = Outcome { status: Status::Success, ..failed_outcome(error) };
        let withheld = guard(&secret).masked_outcome(given);
        assert_eq!(withheld.status, Status::Error);
        assert!(!serde_json::to_string(&withheld).unwrap().contains(&secret));
        assert!(guard(&secret).masked(withheld).is_ok(), "the journal records it");
    }
}
