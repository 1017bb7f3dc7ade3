//! What a client writes beside actions: cookies, storage, routes and styles. The policy decides about them as about
//! actions, with the site that they reach.

use legwork_browser::{Area, BrowserError, Cookie, Route};
use legwork_protocol::{ActionFailure, Target};

use super::Page;

impl Page {
    /// Sets cookies.
    ///
    /// # Errors
    /// If the policy refuses one of them: then none is set. The inner error is that of the browser.
    pub async fn set_cookies(&self, cookies: &[Cookie]) -> Result<Result<(), BrowserError>, ActionFailure> {
        self.permit_cookies(cookies)?;
        Ok(self.session.set_cookies(cookies).await)
    }

    /// Deletes the cookies that are wanted, and returns their number.
    ///
    /// # Errors
    /// If the policy refuses one of them: then none is deleted. The inner error is that of the browser.
    pub async fn delete_cookies(
        &self,
        wanted: impl Fn(&Cookie) -> bool,
    ) -> Result<Result<usize, BrowserError>, ActionFailure> {
        let cookies = match self.session.cookies().await {
            Ok(cookies) => cookies,
            Err(error) => return Ok(Err(error)),
        };
        self.permit_cookies(cookies.iter().filter(|cookie| wanted(cookie)))?;
        Ok(self.session.delete_cookies(wanted).await)
    }

    /// Deletes all cookies.
    ///
    /// # Errors
    /// As [`Page::delete_cookies`].
    pub async fn clear_cookies(&self) -> Result<Result<(), BrowserError>, ActionFailure> {
        let cookies = match self.session.cookies().await {
            Ok(cookies) => cookies,
            Err(error) => return Ok(Err(error)),
        };
        self.permit_cookies(&cookies)?;
        Ok(self.session.clear_cookies().await)
    }

    /// Sets an entry in the storage of the page.
    ///
    /// # Errors
    /// If the policy refuses it, or the page has no storage.
    pub async fn set_entry(&self, area: Area, key: &str, value: &str) -> Result<(), ActionFailure> {
        self.permit_writing("storage")?;
        self.session.set_entry(area, key, value).await
    }

    /// Deletes an entry in the storage of the page, or all, and returns their number.
    ///
    /// # Errors
    /// As [`Page::set_entry`].
    pub async fn delete_entries(&self, area: Area, key: Option<&str>) -> Result<usize, ActionFailure> {
        self.permit_writing("storage")?;
        self.session.delete_entries(area, key).await
    }

    /// Adds a route.
    ///
    /// # Errors
    /// If the policy refuses it, or the route is invalid.
    pub async fn route(&self, route: Route) -> Result<(), ActionFailure> {
        self.permit_route(&route)?;
        self.session.route(route).await
    }

    /// Draws a box around an element, with a style that the page can read.
    ///
    /// # Errors
    /// If the policy refuses the style, or the element is not found.
    pub async fn highlight(&self, target: &Target, style: Option<&str>) -> Result<String, ActionFailure> {
        if style.is_some() {
            self.permit_writing("highlight")?;
        }
        self.session.highlight(target, style).await
    }
}
