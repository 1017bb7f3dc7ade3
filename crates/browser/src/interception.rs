//! Routes: requests that are answered here instead of by the network, or sent with other headers. They are for callers
//! that try out a page step by step. The rules for addresses apply first: a request that a run must not send is refused
//! even if a route would answer it.

use legwork_protocol::ActionFailure;
use regex::Regex;

use crate::{
    Capability, Session,
    route_table::{MOST, Route, RouteRule, glob},
};

impl Session {
    /// Adds a route, replacing one with the same pattern.
    ///
    /// # Errors
    /// If the pattern or the status is invalid, or there are too many routes.
    pub async fn route(&self, route: Route) -> Result<(), ActionFailure> {
        let wrong = |what: &str, reason: String| ActionFailure::InvalidArgument { what: what.to_owned(), reason };
        if let Some(status) = route.status.filter(|status| !(200..=599).contains(status)) {
            return Err(wrong("status", format!("{status} is no status of an answer; 200 to 599 are")));
        }
        if let Some((name, _)) = route.headers.iter().find(|(name, value)| !is_header(name, value)) {
            return Err(wrong("headers", format!("{name:?} is no header; they are written \"Name: value\"")));
        }
        self.require(Capability::Interception)?;
        let pattern = Regex::new(&glob(&route.pattern)).map_err(|error| wrong("pattern", error.to_string()))?;
        let rule = RouteRule::new(route, pattern);
        let was_empty = {
            let mut state = self.inner.state();
            let was_empty = state.routes.is_empty();
            let added = state.routes.add(rule);
            added.map_err(|_| wrong("route", format!("there are {MOST} routes, which is the most")))?;
            was_empty
        };
        if was_empty { self.intercept_requests(true).await } else { Ok(()) }
    }

    /// The routes, oldest first; secrets appear as handles.
    pub fn routes(&self) -> Vec<Route> {
        let routes: Vec<Route> = self.inner.state().routes.iter().cloned().collect();
        self.masked(routes)
    }

    /// Removes the route with this pattern, or all routes. Returns how many were removed.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub async fn unroute(&self, pattern: Option<&str>) -> Result<usize, ActionFailure> {
        let (gone, last) = {
            let mut state = self.inner.state();
            (state.routes.remove(pattern), state.routes.is_empty())
        };
        if gone > 0 && last {
            self.intercept_requests(false).await?;
        }
        Ok(gone)
    }

    /// Requests are intercepted while there are routes. If the rules restrict the session, they always are.
    async fn intercept_requests(&self, on: bool) -> Result<(), ActionFailure> {
        let inner = &*self.inner;
        if inner.guard().restricts() {
            return Ok(());
        }
        let tabs: Vec<_> = {
            let mut state = inner.state();
            // A limit of an action goes on without routes.
            let limited = state.tabs.iter_mut().filter(|tab| !on && tab.request_limit().is_some());
            limited.for_each(|tab| tab.set_limit_intercepting(true));
            let changes = state.tabs.iter().filter(|tab| on || !tab.is_limit_intercepting());
            changes.map(|tab| (tab.number(), tab.sessions())).collect()
        };
        for (tab, sessions) in tabs {
            for session in sessions {
                let told = inner.driver.intercept_requests(&session, on);
                Self::input_done(inner.answer(tab, told, inner.options.timeouts.script).await)?;
            }
        }
        Ok(())
    }
}

fn is_header(name: &str, value: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(letter) && !value.contains(['\r', '\n', '\0'])
}
