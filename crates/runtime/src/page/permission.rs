//! The policy of a page that a client drives. The client's words name no sites, so the rules of files apply, and the
//! default policy where `--allow-write` names sites or `--default-policy on` was given. Nobody can be asked in the
//! middle of a call: what needs approval is refused.

use std::{collections::BTreeSet, sync::Arc};

use legwork_browser::{Cookie, Gesture, Route, StorageState};
use legwork_observe::Snapshot;
use legwork_protocol::{Action, ActionFailure, ActionResult, DecidedBy, PolicyEffect, Target, Upload};

use super::Page;
use crate::{
    Runtime,
    action_policy::{ActionClass, Ruling},
    executor::facts_for,
    run_policy::{PagePlace, RunPolicy},
    settings::Settings,
};

/// The policy of a new page.
pub(super) fn page_policy(settings: &Settings) -> RunPolicy {
    let flags = [settings.allow_write.clone(), settings.allowed_domains.clone()].concat();
    RunPolicy::of_page(settings.policy.clone(), flags, settings.limits_clients(), settings.limits_client_words())
}

impl Page {
    /// Checks an action of the client.
    ///
    /// # Errors
    /// If a rule refuses it, or its element is not found.
    pub(super) async fn permit(&self, action: &Action) -> Result<(), ActionFailure> {
        // The client takes the part of a model: it has read the pages, and nobody knows what its user said.
        let decider = DecidedBy::Model;
        let (is_idle, needs_element) = {
            let policy = self.policy.lock();
            (policy.is_idle(), policy.needs_element(action, decider))
        };
        if is_idle {
            return Ok(());
        }
        let (element, drop) = match needs_element {
            true => {
                let (element, drop) = facts_for(&self.session, action).await?;
                (Some(element), drop)
            }
            false => (None, None),
        };
        let dialog = self.session.dialog();
        let url = self.session.url();
        let dialog = dialog.as_ref().map(|dialog| dialog.message.as_str());
        let place = PagePlace { url: &url, dialog, drop: drop.as_ref() };
        let limit_change = {
            let mut policy = self.policy.lock();
            let facts = policy.facts(action, decider, None, &place, element.as_ref());
            let ruling = policy.decide(&facts);
            permitted(&mut policy, &ruling)?;
            policy.note_input(action, &url, element.as_ref());
            policy.note_entered(action, facts.by_user);
            policy.limit_change(action, &facts, &ruling, &url, element.as_ref())
        };
        match limit_change {
            Some((tab, limit)) => self.session.limit_requests(tab, limit).await,
            None => Ok(()),
        }
    }

    /// Checks a gesture or a script. What it acts on is unknown, so it counts as each kind of action.
    ///
    /// # Errors
    /// If a rule refuses it.
    pub(super) fn permit_unknown(&self, name: &str) -> Result<(), ActionFailure> {
        let mut policy = self.policy.lock();
        if policy.is_idle() {
            return Ok(());
        }
        let url = self.session.url();
        let place = PagePlace { url: &url, dialog: None, drop: None };
        let ruling = policy.decide_classes(name, BTreeSet::from(ActionClass::ALL), &place);
        permitted(&mut policy, &ruling)
    }

    /// Checks a gesture.
    ///
    /// # Errors
    /// If a rule refuses it.
    pub(super) fn permit_gesture(&self, gesture: &Gesture) -> Result<(), ActionFailure> {
        self.permit_unknown(gesture.name())
    }

    /// Checks something that writes on the current page without an action.
    ///
    /// # Errors
    /// If a rule refuses it.
    pub(super) fn permit_writing(&self, name: &str) -> Result<(), ActionFailure> {
        permit_place(&mut self.policy.lock(), name, &self.session.url())
    }

    /// Checks a change of cookies, for the sites that receive them.
    ///
    /// # Errors
    /// If a rule refuses one of them.
    pub(super) fn permit_cookies<'c>(
        &self,
        cookies: impl IntoIterator<Item = &'c Cookie>,
    ) -> Result<(), ActionFailure> {
        permit_cookies(&mut self.policy.lock(), cookies, &self.session.url())
    }

    /// Checks a route that changes the requests or the answers of a site. One that only refuses requests, or omits
    /// headers, sends nothing.
    ///
    /// # Errors
    /// If a rule refuses it.
    pub(super) fn permit_route(&self, route: &Route) -> Result<(), ActionFailure> {
        let mut policy = self.policy.lock();
        if policy.is_idle() || (route.headers.is_empty() && route.body.is_none() && route.content_type.is_none()) {
            return Ok(());
        }
        let ruling = policy.decide_route(&route.pattern);
        permitted(&mut policy, &ruling)
    }

    /// Checks the files for an open file chooser.
    ///
    /// # Errors
    /// If a rule refuses them.
    pub(super) async fn permit_files(&self, files: &[String]) -> Result<(), ActionFailure> {
        if files.is_empty() || self.policy.lock().is_idle() {
            return Ok(());
        }
        let action = Action::Upload(Upload { target: Target(String::new()), files: files.to_vec() });
        let url = self.session.url();
        let mut policy = self.policy.lock();
        let place = PagePlace { url: &url, dialog: None, drop: None };
        let ruling = policy.decide(&policy.facts(&action, DecidedBy::Model, None, &place, None));
        permitted(&mut policy, &ruling)
    }

    /// Notes what the client was shown.
    pub(super) fn note_shown(&self, page: &Arc<Snapshot>) {
        let mut policy = self.policy.lock();
        if !policy.is_idle() {
            policy.note_page(page);
        }
    }

    /// Notes what an action returned to the client.
    pub(super) fn note_result(&self, action: &Action, result: &ActionResult) {
        let mut policy = self.policy.lock();
        if !policy.is_idle() {
            policy.note_result(action, result);
        }
    }
}

impl Runtime {
    /// Checks cookies and storage with which a client starts a page, under the rules of these settings or those of the
    /// runtime.
    ///
    /// # Errors
    /// If a rule refuses a part of them.
    pub fn permit_storage_state(&self, state: &StorageState, settings: Option<&Settings>) -> Result<(), ActionFailure> {
        let mut policy = settings.map_or_else(|| page_policy(&self.settings()), page_policy);
        permit_cookies(&mut policy, &state.cookies, "")?;
        state.origins.iter().try_for_each(|storage| permit_place(&mut policy, "storage", &storage.origin))
    }
}

fn permit_cookies<'c>(
    policy: &mut RunPolicy,
    cookies: impl IntoIterator<Item = &'c Cookie>,
    page: &str,
) -> Result<(), ActionFailure> {
    if policy.is_idle() {
        return Ok(());
    }
    cookies.into_iter().try_for_each(|cookie| {
        let ruling = policy.decide_cookie(&cookie.domain, cookie.secure, page);
        permitted(policy, &ruling)
    })
}

fn permit_place(policy: &mut RunPolicy, name: &str, url: &str) -> Result<(), ActionFailure> {
    if policy.is_idle() {
        return Ok(());
    }
    let place = PagePlace { url, dialog: None, drop: None };
    let ruling = policy.decide_classes(name, BTreeSet::from([ActionClass::Write]), &place);
    permitted(policy, &ruling)
}

fn permitted(policy: &mut RunPolicy, ruling: &Ruling) -> Result<(), ActionFailure> {
    match ruling.decision.effect {
        PolicyEffect::Allow => {
            policy.count(&ruling.decision);
            Ok(())
        }
        PolicyEffect::Ask => {
            let mut refused = ruling.clone();
            refused.decision.reason += ", and nobody can be asked during a call";
            Err(refused.failure())
        }
        PolicyEffect::Deny => Err(ruling.failure()),
    }
}
